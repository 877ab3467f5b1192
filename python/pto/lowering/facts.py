"""Facts about operations and values that are being lowered, each found once.

The rules of all variants, their reports and the code that is emitted ask the same again and again,
and each answer takes a walk over operands and types.
"""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar

from mlir import ir

R = TypeVar("R")
Known = dict[tuple[Any, Any], Any]


class _Kept(threading.local):
    """What was found; every thread lowers its own program."""

    of_operations: Known | None = None
    of_values: Known | None = None


_kept = _Kept()


@contextmanager
def kept() -> Generator[None]:
    """While the body runs, what a `fact` finds is kept: no operation is erased there, and none of
    those that the facts are about changes. In a body within, operations are asked anew, so that
    those of before may be erased between such bodies; values live on."""
    outer = _kept.of_operations, _kept.of_values
    _kept.of_operations = {}
    _kept.of_values = {} if _kept.of_values is None else _kept.of_values
    try:
        yield
    finally:
        _kept.of_operations, _kept.of_values = outer


def fact(find: Callable[[Any], R]) -> Callable[[Any], R]:
    """A function of an operation or a value that emits nothing. Callers do not change what it
    returns."""

    @wraps(find)
    def found(subject: Any) -> R:
        if isinstance(subject, ir.OpView | ir.Operation):
            known, key = _kept.of_operations, (find, subject.operation)
        else:
            known, key = _kept.of_values, (find, subject)
        if known is None:
            return find(subject)
        if key not in known:
            known[key] = find(subject)
        return known[key]

    return found
