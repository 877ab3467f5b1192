"""Facts about the operation that is being lowered, each found once.

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


class _Kept(threading.local):
    """What was found; every thread lowers its own operation."""

    known: dict[tuple[Any, Any], Any] | None = None


_kept = _Kept()


@contextmanager
def kept() -> Generator[None]:
    """While the body runs, what a `fact` finds is kept: no operation is erased there, and none of
    those that the facts are about changes."""
    _kept.known = {}
    try:
        yield
    finally:
        _kept.known = None


def fact(find: Callable[[Any], R]) -> Callable[[Any], R]:
    """A function of an operation or a value that emits nothing. Callers do not change what it
    returns."""

    @wraps(find)
    def found(subject: Any) -> R:
        known = _kept.known
        if known is None:
            return find(subject)
        key = find, subject.operation if isinstance(subject, ir.OpView) else subject
        if key not in known:
            known[key] = find(subject)
        return known[key]

    return found
