"""Variants of `tirx.map`."""
