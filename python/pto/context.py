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


def create() -> ir.Context:
    """A context with every dialect of MLIR and of this project, single-threaded."""
    context = ir.Context()
    context.enable_multithreading(False)
    return context
