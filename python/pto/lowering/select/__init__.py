"""Variants of `tirx.select`."""
