"""`pto-lsp-server`: MLIR's language server, with the dialects of this project."""

import sys


def main() -> None:
    """Serve on stdin and stdout; exits with the server's status."""
    from pto import _pto
    from pto.context import registry

    sys.exit(_pto.lsp_main(sys.argv, registry))
