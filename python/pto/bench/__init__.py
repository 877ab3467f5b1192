"""Measuring reductions beside CuPy, PyTorch, Triton and CUB on a GPU: `pto bench reduce`."""
