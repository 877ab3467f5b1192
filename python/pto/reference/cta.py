"""One CTA: the values it has computed, its tile memory, and the walk over its program.

A value is an `int` (integers and `index`: signed, within the width of its type), a numpy scalar
(floats), a `Tile`, or a numpy array (a pointer: rank 1; a view or a window: its rank).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pto.errors import CompileError
from pto.reference.faults import fault, no_meaning, place

Handler = Callable[["Cta", Any, list[Any]], Sequence[Any]]
"""`handler(cta, op, operands)` gives the op's results."""

SPACE_BYTES = 256 * 1024
UNWRITTEN = 0xCB
"""What bytes of tiles hold before they are written, so that reading them shows."""

_CALL_DEPTH = 32
_TERMINATORS = frozenset({"func.return", "pto.return", "scf.condition", "scf.yield"})


def unwritten(size: int) -> NDArray[np.uint8]:
    """`size` fresh bytes."""
    return np.full(size, UNWRITTEN, np.uint8)


class Cta:
    """The state of CTA `index` of `count`."""

    def __init__(
        self,
        index: int,
        count: int,
        functions: Mapping[str, Any],
        handlers: Mapping[str, Handler],
    ) -> None:
        self.index = index
        self.count = count
        self._functions = functions
        self._handlers = handlers
        self._frames: list[dict[Any, Any]] = []
        self._spaces: dict[str, NDArray[np.uint8]] = {}

    def space(self, name: str) -> NDArray[np.uint8]:
        """The bytes of one memory space (`vec`), to which manual placement refers."""
        return self._spaces.setdefault(name, unwritten(SPACE_BYTES))

    def call(self, name: str, arguments: Iterable[Any], caller: Any) -> Sequence[Any]:
        """Runs a function of the module in a frame of its own and gives its results."""
        function = self._functions[name]
        blocks = list(function.regions[0].blocks)
        if not blocks:
            raise CompileError(f"{place(function.location)}: function '{name}' has no body")
        if len(self._frames) == _CALL_DEPTH:
            raise fault(caller, f"nests calls more than {_CALL_DEPTH} deep")
        self._frames.append({})
        results = self.run(blocks[0], arguments)
        self._frames.pop()
        return results

    def run(self, block: Any, arguments: Iterable[Any]) -> Sequence[Any]:
        """Runs a block and gives the operands of its terminator."""
        values = self._frames[-1]
        values.update(zip(block.arguments, arguments, strict=True))
        for op in block.operations:
            name = op.operation.name
            operands = [values[operand] for operand in op.operands]
            if name in _TERMINATORS:
                return operands
            if name not in self._handlers:
                raise no_meaning(op)
            results = self._handlers[name](self, op, operands)
            values.update(zip(op.results, results, strict=True))
        return ()
