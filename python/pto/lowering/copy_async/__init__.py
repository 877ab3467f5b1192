"""Variants of `tirx.copy_async`."""
