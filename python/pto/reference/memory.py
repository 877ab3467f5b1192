"""Tiles from and to windows of global memory."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from mlir import ir
from numpy.typing import NDArray

from pto.reference.cta import Cta, Handler
from pto.reference.faults import fault
from pto.reference.tiles import Tile, new_tile


def kept_dimensions(shape: Sequence[int | None]) -> list[int]:
    """The dimensions of a window that are rows and columns, as `verifyTransfer` chooses them.

    The last two are, even if they are 1; before them a dimension of 1 is no dimension. While more
    than two are left, the first that is 1 goes. None stands for a size known at run time.
    """
    kept = [index for index, size in enumerate(shape) if size != 1 or index + 2 >= len(shape)]
    while len(kept) > 2 and any(shape[index] == 1 for index in kept):
        kept.remove(next(index for index in kept if shape[index] == 1))
    return kept


def _known_sizes(window: ir.Value) -> list[int | None]:
    """What the type of a window says of its sizes, and constants of the others."""
    kind: Any = window.type
    sizes = list[int | None](kind.shape)
    view: Any = window.owner
    if not isinstance(view, ir.Block) and view.name == "pto.partition_view":
        operands = view.opview.sizes
        return [_constant(b) if a is None else a for a, b in zip(sizes, operands, strict=True)]
    return sizes


def _constant(value: ir.Value) -> int | None:
    owner: Any = value.owner
    if isinstance(owner, ir.Block) or owner.name != "arith.constant":
        return None
    return int(owner.attributes["value"].value)


def _as_matrix(window: NDArray[Any], value: ir.Value) -> NDArray[Any]:
    """The window `value` as rows by columns, in place; a rank of 1 is one row."""
    kept = kept_dimensions(_known_sizes(value))
    matrix = window[tuple(slice(None) if index in kept else 0 for index in range(window.ndim))]
    return matrix if matrix.ndim == 2 else matrix[None]


def _check_shape(op: Any, tile: Tile, matrix: NDArray[Any]) -> None:
    for what, size, valid in zip(
        ("rows", "columns"), matrix.shape, (tile.rows, tile.cols), strict=True
    ):
        if size != valid:
            raise fault(op, f"the window has {size} {what}, the tile's valid region {valid}")


def _tload(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    window = _as_matrix(operands[0], op.operands[0])
    results = [new_tile(op, result.type, *window.shape) for result in op.results]
    tile: Tile = (results or operands[1:])[0]
    _check_shape(op, tile, window)
    if not tile.is_empty:
        tile.write(window)
    return results


# PTX's max and min drop NaN, as fmax and fmin do.
_ATOMICS = {"add": np.add, "max": np.fmax, "min": np.fmin}


def _tstore(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    tile: Tile = operands[0]
    window = _as_matrix(operands[1], op.operands[1])
    _check_shape(op, tile, window)
    if not window.flags.writeable:
        raise fault(op, "writes to an array that is read-only")
    atomic = op.atomicType
    if atomic is None:
        window[...] = tile.valid
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            window[...] = _ATOMICS[atomic.value](window, tile.valid)
    return []


HANDLERS: dict[str, Handler] = {"pto.tload": _tload, "pto.tstore": _tstore}
