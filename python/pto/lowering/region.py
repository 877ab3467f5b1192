"""The shape of a reduction: which dimensions it keeps, and where the elements of a result lie."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from mlir import ir

from pto.lowering import combine, emit
from pto.lowering.emit import Index


def reduced(op: Any) -> list[int]:
    """The axes, in increasing order."""
    return sorted(op.axes)


def kept(op: Any) -> list[int]:
    """The other dimensions."""
    return [dim for dim in range(len(op.src.type.shape)) if dim not in list(op.axes)]


def source(op: Any, kept_at: Sequence[Index], reduced_at: Sequence[Index]) -> list[Index]:
    """A position in the source."""
    position: list[Index] = [0] * len(op.src.type.shape)
    for dim, index in zip(kept(op), kept_at, strict=True):
        position[dim] = index
    for dim, index in zip(reduced(op), reduced_at, strict=True):
        position[dim] = index
    return position


def destination(op: Any, kept_at: Sequence[Index]) -> list[Index]:
    """The position of a result: reduced dimensions are 1, or left out."""
    if len(op.dst.type.shape) == len(kept_at):
        return list(kept_at)
    return source(op, kept_at, [0] * len(reduced(op)))


def results(op: Any) -> Iterator[tuple[list[int], list[list[int]]]]:
    """For a static shape: every result's position and its elements' positions in the source, in
    increasing index."""
    shape = op.src.type.shape
    ranges = [range(shape[dim]) for dim in reduced(op)]
    for at in product(*(range(shape[dim]) for dim in kept(op))):
        positions = [source(op, at, inner) for inner in product(*ranges)]
        yield destination(op, at), positions  # pyright: ignore[reportReturnType]


def values(
    op: Any, src: ir.Value, positions: Sequence[Sequence[int]], kind: ir.Type
) -> list[ir.Value]:
    """Elements of the source as partial results."""
    return [combine.widen(emit.load(src, position), kind) for position in positions]
