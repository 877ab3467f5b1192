"""Variants of `tirx.fill`."""
