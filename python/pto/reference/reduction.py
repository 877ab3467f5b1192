"""Reductions of rows and columns, as the op table defines them.

`fastmath<reassoc>` permits any order; a left fold is one.
"""

from typing import Any

from pto.ops import TABLE, Reduction
from pto.reference.cta import Cta, Handler
from pto.reference.faults import fault
from pto.reference.tiles import Tile, new_tile


def _handler(reduction: Reduction) -> Handler:
    def reduce(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
        source: Tile = operands[0]
        shape = (1, source.cols) if reduction.axis == 0 else (source.rows, 1)
        results = [new_tile(op, result.type, *shape) for result in op.results]
        destination: Tile = (results or operands[1:])[0]
        found = destination.rows, destination.cols
        for dim, (what, one) in enumerate((("rows", "row"), ("columns", "column"))):
            if dim == reduction.axis and found[dim] != 1:
                raise fault(op, f"destination must have 1 valid {one}, not {found[dim]}")
            if found[dim] != shape[dim]:
                sizes = f"source {shape[dim]}, destination {found[dim]}"
                raise fault(op, f"valid {what} differ: {sizes}")
        if not source.is_empty:
            destination.write(reduction.fold(source.valid))
        return results

    return reduce


HANDLERS: dict[str, Handler] = {
    name: _handler(entry) for name, entry in TABLE.items() if isinstance(entry, Reduction)
}
