"""Variants of `tirx.sum`, `tirx.prod`, `tirx.max` and `tirx.min`."""
