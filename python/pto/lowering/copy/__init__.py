"""Variants of `tirx.copy`."""
