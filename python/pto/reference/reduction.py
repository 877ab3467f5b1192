"""Column reductions, as the op table defines them.

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
        results = [new_tile(op, result.type, 1, source.cols) for result in op.results]
        destination: Tile = (results or operands[1:])[0]
        if destination.rows != 1:
            raise fault(op, f"destination must have 1 valid row, not {destination.rows}")
        if destination.cols != source.cols:
            columns = f"source {source.cols}, destination {destination.cols}"
            raise fault(op, f"valid columns differ: {columns}")
        if not source.is_empty:
            destination.write(reduction.fold(source.valid))
        return results

    return reduce


HANDLERS: dict[str, Handler] = {
    name: _handler(entry) for name, entry in TABLE.items() if isinstance(entry, Reduction)
}
