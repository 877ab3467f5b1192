"""The rules that variants share.

A rule looks at an operation and a target and answers None, or why it does not hold. It changes
nothing. Reasons name the rule, what it asks for and what it found.
"""

from collections.abc import Callable
from typing import Any

from pto.dialects import tirx
from pto.lowering import emit
from pto.lowering.facts import fact
from pto.target import Target

Rule = Callable[[Any, Target], str | None]


@fact
def scope_of(op: Any) -> str:
    """The execution scope of a primitive."""
    return str(tirx.ExecScope(op.attributes["exec"].value))


@fact
def buffers(op: Any) -> list[Any]:
    """The buffer operands of a primitive."""
    return [value for value in op.operands if isinstance(value.type, tirx.BufferType)]


def exec_scope(*scopes: str) -> Rule:
    """The primitive is executed by one of these scopes."""

    def rule(op: Any, _: Target) -> str | None:
        scope = scope_of(op)
        return None if scope in scopes else f"exec_scope({', '.join(scopes)}): it is {scope}"

    return rule


def needs_sm(least: int) -> Rule:
    """The target has at least this compute capability."""

    def rule(_: Any, chip: Target) -> str | None:
        return None if chip.sm >= least else f"needs_sm({least}): {chip.chip} < {least}"

    return rule


def memory(*scopes: str) -> Rule:
    """Every buffer lives in one of these memories."""

    def rule(op: Any, _: Target) -> str | None:
        for value in buffers(op):
            if value.type.scope not in scopes:
                return f"memory({', '.join(scopes)}): {value.type} is in {value.type.scope} memory"
        return None

    return rule


def in_memory(op: Any, _: Target) -> str | None:
    """No buffer is distributed over threads by shards."""
    for value in buffers(op):
        if value.type.is_distributed:
            return f"in_memory: {value.type} is distributed"
    return None


def strided(op: Any, _: Target) -> str | None:
    """Every buffer lies in memory, with one stride per dimension and no swizzle."""
    for value in buffers(op):
        if value.type.is_distributed:
            return f"strided: {value.type} is distributed"
        if not emit.has_strides(value.type):
            return f"strided: {value.type} has shards or a swizzle"
    return None


def distributed(op: Any, _: Target) -> str | None:
    """Source and destination are distributed over threads by shards."""
    for value in buffers(op):
        if not value.type.is_distributed:
            return f"distributed: {value.type} is not"
    return None


def has_dimensions(op: Any, _: Target) -> str | None:
    """Every buffer has at least one dimension."""
    for value in buffers(op):
        if not value.type.shape:
            return f"has_dimensions: {value.type} has none"
    return None


def given(name: str) -> Rule:
    """The optional operand of that name is there."""

    def rule(op: Any, _: Target) -> str | None:
        return f"given({name}): there is none" if getattr(op, name) is None else None

    return rule


def absent(name: str) -> Rule:
    """The optional operand of that name is not there."""

    def rule(op: Any, _: Target) -> str | None:
        return None if getattr(op, name) is None else f"absent({name}): there is one"

    return rule
