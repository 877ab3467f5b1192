"""The one way to a `Context` that knows `pto` and `tirx`.

MLIR aborts when Python passes run on several threads, or a context is used after a pass raised;
`create` makes contexts for which neither can happen (see `pto.passes`).
"""

from typing import Any

from mlir import ir
from mlir._mlir_libs import get_dialect_registry
from mlir.dialects._ods_common import _cext

from pto import _pto

registry: Any = get_dialect_registry()
_pto.register_dialects(registry)
_cext.globals.append_dialect_search_prefix("pto.dialects")


_BUILT = (
    *("pto", "tirx"),
    *("arith", "cf", "func", "gpu", "llvm", "math", "memref", "nvvm", "scf", "vector"),
)
"""Dialects whose operations Python makes. MLIR loads the others when a program or a pass names
them: to load all takes longer than to parse a kernel."""


def create() -> ir.Context:
    """A context that knows every dialect of MLIR and of this project, single-threaded."""
    create_context: Any = ir.Context  # its stub does not know the argument
    context = create_context(load_on_create_dialects=[])
    # MLIR's own way also imports the Python classes of each, of which few kernels need all.
    _pto.load_dialects(context, _BUILT)
    context.enable_multithreading(False)
    return context
