"""Vectors as the scalars in them, for what exists of scalars only."""

from collections.abc import Callable, Sequence

from mlir import ir
from mlir.dialects import vector


def lanes(value: ir.Value) -> list[ir.Value]:
    """The elements of a vector, or the scalar itself."""
    if not isinstance(value.type, ir.VectorType):
        return [value]
    return [vector.extract(value, [], [i]) for i in range(value.type.shape[0])]


def join(kind: ir.Type, values: Sequence[ir.Value]) -> ir.Value:
    """The inverse of `lanes`."""
    return vector.from_elements(kind, values) if isinstance(kind, ir.VectorType) else values[0]


def each(function: Callable[..., ir.Value], *operands: ir.Value) -> ir.Value:
    """A function of scalars, lane by lane."""
    found = [function(*parts) for parts in zip(*map(lanes, operands), strict=True)]
    kind = operands[0].type
    if isinstance(kind, ir.VectorType):
        kind = ir.VectorType.get(kind.shape, found[0].type)
    return join(kind, found)
