"""The constants of a kernel, each made once at its beginning: most of what a lowering writes are
constants, and canonicalization would move them there."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from mlir import ir


class _Pool(threading.local):
    """Those of the kernel that this thread is lowering."""

    def __init__(self) -> None:
        self.entry: ir.Block | None = None
        self.found: dict[Any, ir.Value] = {}


_pool = _Pool()


@contextmanager
def shared(entry: ir.Block) -> Generator[None]:
    """While the body runs, constants stand at the beginning of `entry`; none is erased there."""
    _pool.entry, _pool.found = entry, {}
    try:
        yield
    finally:
        _pool.entry, _pool.found = None, {}


def index(value: int) -> ir.Value:
    """A constant of type `index`."""
    found = _pool.found.get(value)
    return _new(value, ir.IntegerAttr.get(ir.IndexType.get(), value)) if found is None else found


def of(attribute: ir.Attribute) -> ir.Value:
    """The constant that a typed attribute says."""
    found = _pool.found.get(attribute)
    return _new(attribute, attribute) if found is None else found


def like(kind: ir.Type, number: ir.Attribute) -> ir.Value:
    """A number of type `kind`, or a vector of it."""
    is_vector = isinstance(kind, ir.VectorType)
    return of(ir.DenseElementsAttr.get_splat(kind, number) if is_vector else number)


def _new(key: Any, attribute: Any) -> ir.Value:
    if _pool.entry is None:
        return _create(attribute)
    with ir.InsertionPoint.at_block_begin(_pool.entry):
        _pool.found[key] = value = _create(attribute)
    return value


def _create(attribute: Any) -> ir.Value:
    create = ir.Operation.create
    return create("arith.constant", [attribute.type], attributes={"value": attribute}).result
