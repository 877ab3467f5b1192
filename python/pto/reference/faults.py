"""Errors at the place of an op."""

from typing import Any

from mlir import ir

from pto.errors import CompileError, DeviceAssertion


def place(location: Any) -> str:
    """`FILE:LINE:COL` of a location, the innermost one of a call or a fusion; else MLIR's text."""
    if location.is_a_file():
        return f"{location.filename}:{location.start_line}:{location.start_col}"
    if location.is_a_callsite():
        return place(location.callee)
    if location.is_a_name() and location.child_loc != ir.Location.unknown(location.context):
        return place(location.child_loc)
    if location.is_a_fused() and location.locations:
        return place(location.locations[0])
    return str(location)


def _message(op: Any, text: str) -> str:
    return f"{place(op.location)}: '{op.operation.name}' op {text}"


def fault(op: Any, text: str) -> DeviceAssertion:
    """A run-time check of `op` that failed."""
    return DeviceAssertion(_message(op, text))


def no_meaning(op: Any, what: str = "") -> CompileError:
    """`op`, or `what` on it, is nothing that the interpreter knows."""
    text = "has no reference meaning"
    return CompileError(_message(op, f"{text} with {what}" if what else text))
