"""`pto-opt`: MLIR's optimizer driver, with the dialects and passes of this project."""

import sys


def main() -> None:
    """Run `pto-opt` on `sys.argv`; exits with its status."""
    from pto import _pto, pipeline
    from pto.context import registry

    pipeline.register()
    sys.exit(_pto.opt_main(sys.argv, registry))
