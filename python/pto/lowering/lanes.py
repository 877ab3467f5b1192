"""Scalars and vectors alike: their types, and vectors as the scalars in them, for what exists of
scalars only."""

from collections.abc import Callable, Sequence

from mlir import ir
from mlir.dialects import arith, vector


def element(kind: ir.Type) -> ir.Type:
    """The element type of a vector type; of a scalar's it is that."""
    return kind.element_type if isinstance(kind, ir.VectorType) else kind


def of(kind: ir.Type, element: ir.Type) -> ir.Type:
    """`element`, or as many of it as the vector type `kind` has."""
    return ir.VectorType.get(kind.shape, element) if isinstance(kind, ir.VectorType) else element


def widen(value: ir.Value, kind: ir.Type) -> ir.Value:
    """Floats in an element type that has all of them; those of it stay."""
    return value if element(value.type) == kind else arith.extf(of(value.type, kind), value)


def split(value: ir.Value) -> list[ir.Value]:
    """The elements of a vector, or the scalar itself."""
    if not isinstance(value.type, ir.VectorType):
        return [value]
    return [vector.extract(value, [], [i]) for i in range(value.type.shape[0])]


def join(kind: ir.Type, values: Sequence[ir.Value]) -> ir.Value:
    """The inverse of `split`."""
    return vector.from_elements(kind, values) if isinstance(kind, ir.VectorType) else values[0]


def each(function: Callable[..., ir.Value], *operands: ir.Value) -> ir.Value:
    """A function of scalars, lane by lane."""
    found = [function(*parts) for parts in zip(*map(split, operands), strict=True)]
    return join(of(operands[0].type, found[0].type), found)
