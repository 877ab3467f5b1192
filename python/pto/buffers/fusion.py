"""Maps that follow each other become one `tirx.fused`: one loop, without a barrier in it.

Maps join where their destinations have the same sizes, nothing but arithmetic and views lies
between them, and what one writes meets another only at the same position of the same buffer, so
that a thread finds there what it wrote itself.

Before
    tirx.map cta "mul"(%a, %b) -> %d
    tirx.map cta "exp"(%d) -> %d

After
    tirx.fused cta {
      tirx.map cta "mul"(%a, %b) -> %d
      tirx.map cta "exp"(%d) -> %d
    }
"""

from collections.abc import Iterable
from itertools import product
from typing import Any

from mlir import ir
from mlir.dialects import gpu

from pto.buffers.accesses import accesses
from pto.dialects import tirx
from pto.lowering import emit, pointwise

_MOST = 16
"""Maps that are computed together: all that they read and write is in registers at once."""
_BETWEEN = (
    *("arith.", "memref.", "cf.assert"),
    *("tirx.dim", "tirx.stride", "tirx.subview", "tirx.view"),
)
"""What maps may move past: arithmetic, the valid regions of tiles, checks, views."""


def fuse_maps(kernel: gpu.GPUFuncOp) -> None:
    """Joins the maps of a kernel."""
    for block in kernel.body:
        _fuse(block)


def _fuse(block: ir.Block) -> None:
    run: list[Any] = []
    runs = [run]
    for op in block.operations:
        for region in op.operation.regions:
            for inner in region:
                _fuse(inner)
        if _is_free(op):
            if not _joins(run, op):
                run = []
                runs.append(run)
            run.append(op)
        elif not op.operation.name.startswith(_BETWEEN):
            run = []
            runs.append(run)
    for run in runs:
        if len(run) > 1:
            _wrap(run)


def _is_free(op: Any) -> bool:
    """Whether it is a map whose variant the program leaves open."""
    return op.operation.name == "tirx.map" and op.dispatch is None


def _wrap(run: list[Any]) -> None:
    """Moves maps into one `tirx.fused`, where the last of them is."""
    first, last = run[0], run[-1]
    with ir.InsertionPoint(last), first.operation.location:
        fused = tirx.FusedOp(first.exec)
    block = fused.body.blocks.append()
    for op in run:
        block.append(op.operation)


# Which maps join ----------------------------------------------------------------------------------


def _joins(run: list[Any], op: Any) -> bool:
    """Whether `op` may be computed together with all of a run."""
    if not run or len(run) == _MOST:
        return False
    return (
        _sizes(op.dst) == _sizes(run[0].dst)
        and _are_alike(pointwise.width(run[0]), pointwise.width(op))
        and all(_meet_in_place(other, op) for other in run)
    )


def _sizes(buffer: Any) -> list[Any]:
    """The sizes of a buffer: numbers, values, or None where nothing tells."""
    sizes: list[Any] = list(buffer.type.shape)
    part = emit.defining(buffer, "tirx.subview", "tirx.view")
    given: Iterable[Any] = iter(() if part is None else part.sizes)
    return [next(given) if size is None else size for size in sizes]


def _are_alike(one: int, other: int) -> bool:
    """Whether two widths of vectors are so near that the smaller serves both."""
    return max(one, other) <= 2 * min(one, other)


def _meet_in_place(first: Any, second: Any) -> bool:
    """Whether what either writes meets the other only at the same position."""
    return all(
        a.buffer == b.buffer and a.buffer.type.shape == first.dst.type.shape
        for a, b in product(accesses(first), accesses(second))
        if a.conflicts(b)
    )
