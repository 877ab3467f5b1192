"""Variants of `tirx.fused`."""
