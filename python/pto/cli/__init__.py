"""The commands `pto`, `pto-opt` and `pto-lsp-server`: they parse, call the API, and print.

Modules here import what is slow (NumPy, MLIR, rich) inside of functions, so that `--help` is quick.
"""
