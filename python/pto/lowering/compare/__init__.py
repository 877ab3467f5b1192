"""Variants of `tirx.compare`."""
