"""atom and red: read, modify, write; the threads of one step take turns in lane order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..lanes import Lanes
from ..program import Step
from ..rounding import flush, operate
from ..site import Site
from ..types import Array, Type
from .compare import PACKED
from .float import number_extremum
from .memory import HINTS, ORDERS, SCOPES, memory_access
from .packed import elementwise
from .registry import instruction

if TYPE_CHECKING:
    from ..machine import Machine

# new = function(old, b, c)
Update = Callable[[Array, Array, Array], Array]

INTEGER: dict[str, Update] = {
    "add": lambda old, b, c: old + b,
    "min": lambda old, b, c: np.minimum(old, b),
    "max": lambda old, b, c: np.maximum(old, b),
    "inc": lambda old, b, c: np.where(old >= b, 0, old + old.dtype.type(1)),
    "dec": lambda old, b, c: np.where((old == 0) | (old > b), b, old - old.dtype.type(1)),
}
BITWISE: dict[str, Update] = {
    "and": lambda old, b, c: old & b,
    "or": lambda old, b, c: old | b,
    "xor": lambda old, b, c: old ^ b,
    "exch": lambda old, b, c: b,
    "cas": lambda old, b, c: np.where(old == b, c, old),
}
TYPES_OF = {
    "add": ("u32", "s32", "u64", "s64", "f32", "f64", "f16", "bf16", *PACKED),
    "min": ("u32", "s32", "u64", "s64", "f16", "bf16", *PACKED),
    "max": ("u32", "s32", "u64", "s64", "f16", "bf16", *PACKED),
    "inc": ("u32",),
    "dec": ("u32",),
    "and": ("b32", "b64"),
    "or": ("b32", "b64"),
    "xor": ("b32", "b64"),
    "exch": ("b32", "b64"),
    "cas": ("b16", "b32", "b64"),
}
# Operations whose running result numpy accumulates at once.
ACCUMULATE: dict[str, np.ufunc] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


@instruction("atom")
def atomic(site: Site) -> Step:
    return _atomic(site, 1)


@instruction("red")
def reduction(site: Site) -> Step:
    return _atomic(site, 0)


def _atomic(site: Site, at: int) -> Step:
    """`at`: the number of the address operand; before it is the old value's destination."""
    site.take(*ORDERS)
    site.take(*SCOPES)
    while site.take(*HINTS):
        pass
    access, pointer = memory_access(site, "atomic", at)
    operation = site.need(*TYPES_OF)
    exact_subnormals = site.flag("noftz")
    type = site.type(*TYPES_OF[operation])
    access = access._replace(width=type.bytes)
    write = site.write(0, type) if at else None
    b = site.read(at + 1, type)
    c = site.read(at + 2, type) if operation == "cas" else b
    update = _update(operation, type, access.space == "global" and not exact_subnormals)
    running = None
    if type.kind in "usb" or (operation == "add" and type.name in ("f32", "f64")):
        running = ACCUMULATE.get(operation)
    address = pointer.read

    def step(m: Machine, lanes: Lanes) -> None:
        first, second = b(m, lanes), c(m, lanes)
        old = np.empty(first.size, type.dtype)

        def modify(view: Array, index: Array, chosen: Array | slice) -> None:
            typed = view.view(type.dtype)
            old[chosen] = take_turns(typed, index, first[chosen], second[chosen], update, running)

        m.memory.modify(lanes, address(m, lanes), access, modify)
        if write is not None:
            write(m, lanes, old)

    return step


def _update(operation: str, type: Type, flushing: bool) -> Update:
    if operation in BITWISE:
        return BITWISE[operation]
    element = type.element or type
    if not element.is_float:
        return INTEGER[operation]
    if operation in ("min", "max"):
        smaller = operation == "min"
        combine = elementwise(lambda a, b: number_extremum(a, b, element, smaller=smaller), type)
    elif element.name == "f32" and flushing:
        # atom.add.f32 on global memory flushes subnormals; on shared memory it does not.
        def combine(a: Array, b: Array) -> Array:
            total = operate("add", element, "rn", flush(a, element), flush(b, element))
            return flush(total, element)
    else:
        combine = elementwise(lambda a, b: operate("add", element, "rn", a, b), type)
    return lambda old, b, c: combine(old, b)


def take_turns(
    view: Array, index: Array, b: Array, c: Array, update: Update, running: np.ufunc | None
) -> Array:
    """Updates `view[index]` once per lane, in lane order; returns what each lane found there."""
    order = np.argsort(index, kind="stable")
    place = index[order]
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    sizes = np.diff(starts, append=place.size)
    old = np.empty(index.size, view.dtype)
    rounds = int(sizes.max())
    if running is not None and starts.size < rounds:
        for start, size in zip(starts.tolist(), sizes.tolist(), strict=True):
            mine = order[start : start + size]
            found = running.accumulate(np.concatenate((view[place[start : start + 1]], b[mine])))
            if view.dtype.kind == "f" and not _ordinary(found, b[mine]):
                _one_by_one(view, index, b, c, update, old, mine[:, None])
                continue
            old[mine] = found[:-1]
            view[place[start]] = found[-1]
        return old
    turns = (order[starts[sizes > turn] + turn] for turn in range(rounds))
    _one_by_one(view, index, b, c, update, old, turns)
    return old


def _one_by_one(
    view: Array,
    index: Array,
    b: Array,
    c: Array,
    update: Update,
    old: Array,
    turns: Iterable[Array],
) -> None:
    """Each turn is a set of lanes with different addresses."""
    for mine in turns:
        old[mine] = view[index[mine]]
        view[index[mine]] = update(old[mine], b[mine], c[mine])


def _ordinary(*values: Array) -> bool:
    """Whether no number is NaN or subnormal, for which `update` differs from numpy."""
    for x in values:
        magnitude = np.abs(x)
        least = np.finfo(x.dtype).smallest_normal
        if not ((magnitude >= least) | (magnitude == 0)).all():
            return False
    return True
