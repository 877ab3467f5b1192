"""Variants of `tirx.iota`."""
