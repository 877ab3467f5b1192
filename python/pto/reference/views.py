"""Views and windows of global memory: numpy views of the array behind the pointer."""

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from pto.reference.cta import Cta, Handler
from pto.reference.faults import fault


def _check_sizes(op: Any, what: str, sizes: list[int], type: Any) -> None:
    """The sizes are not negative and are those that the type says."""
    for index, (size, static) in enumerate(zip(sizes, type.shape, strict=True)):
        if size < 0:
            raise fault(op, f"{what}[{index}] is negative: {size}")
        if static is not None and size != static:
            raise fault(op, f"{what}[{index}] is {size}, but the type says {static}")


def _make_tensor_view(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    pointer, *rest = operands
    shape, strides = rest[: len(rest) // 2], rest[len(rest) // 2 :]
    _check_sizes(op, "shape", shape, op.results[0].type)
    spans = [(size - 1) * stride for size, stride in zip(shape, strides, strict=True)]
    first = sum(min(span, 0) for span in spans)
    last = sum(max(span, 0) for span in spans)
    if 0 not in shape and (first < 0 or last >= pointer.size):
        text = f"reaches elements {first} to {last} of an array of {pointer.size} elements"
        raise fault(op, text)
    if 0 in shape:
        return [np.empty(shape, pointer.dtype)]
    return [as_strided(pointer, shape, [stride * pointer.itemsize for stride in strides])]


def _tensor_view_dim(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    return [operands[0].shape[op.attributes["dim"].value]]


def _partition_view(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    view, *rest = operands
    offsets, sizes = rest[: view.ndim], rest[view.ndim :]
    _check_sizes(op, "sizes", sizes, op.results[0].type)
    for index, (offset, size, extent) in enumerate(zip(offsets, sizes, view.shape, strict=True)):
        if offset < 0:
            raise fault(op, f"offsets[{index}] is negative: {offset}")
        if offset + size > extent:
            window = f"window {offset} to {offset + size} of dimension {index}"
            raise fault(op, f"{window} leaves the view, whose size is {extent}")
    corner = zip(offsets, sizes, strict=True)
    return [view[tuple(slice(offset, offset + size) for offset, size in corner)]]


HANDLERS: dict[str, Handler] = {
    "pto.make_tensor_view": _make_tensor_view,
    "pto.tensor_view_dim": _tensor_view_dim,
    "pto.partition_view": _partition_view,
}
