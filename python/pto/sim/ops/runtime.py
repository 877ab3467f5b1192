"""Functions of the CUDA runtime that kernels may call without defining them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from pto.errors import DeviceAssertion

from ..lanes import Lanes, first, indices
from ..program import Step
from ..site import Site
from ..syntax import Name, Operand

if TYPE_CHECKING:
    from ..machine import Machine

Operands = tuple[Operand, ...]
_CONVERSION = re.compile(r"%([-+ #0]*\d*(?:\.\d+)?)(?:hh|h|ll|l|j|z|t)?([diouxXeEfFgGcsp%])")


def local_offset(site: Site, operand: Operand) -> int:
    """Where the parameter variable of a call lies in local memory."""
    place = site.scope.place(operand.text) if isinstance(operand, Name) else None
    if place is None or place.space != "local":
        raise site.error("a parameter variable is expected in a call")
    return place.address


def _assert_fail(site: Site, results: Operands, arguments: Operands) -> Step:
    """__assertfail(message, file, line, function, character size)"""
    if results or len(arguments) != 5:
        raise site.error("__assertfail takes 5 arguments")
    message, file, line = (local_offset(site, argument) for argument in arguments[:3])

    def step(m: Machine, lanes: Lanes) -> None:
        lane = first(lanes)
        text = m.memory.string(lane, _value(m, lane, message, 8))
        source = m.memory.string(lane, _value(m, lane, file, 8))
        kernel, thread = m.program.kernel.name, m.chunk.place(lane)
        raise DeviceAssertion(
            f"{source}:{_value(m, lane, line, 4)}: assertion failed in {kernel}: {text} ({thread})"
        )

    return step


def _value(m: Machine, lane: int, offset: int, width: int) -> int:
    at = lane * m.memory.local.stride + offset
    return int.from_bytes(m.memory.local.data[at : at + width].tobytes(), "little")


def _print(site: Site, results: Operands, arguments: Operands) -> Step:
    """vprintf(format, address of the arguments): printf of device code, one lane after another."""
    if len(results) != 1 or len(arguments) != 2:
        raise site.error("vprintf takes 2 arguments and gives one result")
    count = local_offset(site, results[0])
    layout, values = (local_offset(site, argument) for argument in arguments)

    def step(m: Machine, lanes: Lanes) -> None:
        for lane in indices(lanes).tolist():
            text = m.memory.string(lane, _value(m, lane, layout, 8))
            converted = _format(m, lane, text, _value(m, lane, values, 8))
            print(converted, end="")
            at = lane * m.memory.local.stride + count
            m.memory.local.data[at : at + 4] = list(len(text).to_bytes(4, "little"))

    return step


def _format(m: Machine, lane: int, text: str, address: int) -> str:
    """C's printf, with arguments aligned to their size from `address` on."""
    at = address

    def convert(match: re.Match[str]) -> str:
        nonlocal at
        flags, kind = match.groups()
        if kind == "%":
            return "%"
        wide = kind in "eEfFgGsp" or re.search("[ljzt]", match.group()) is not None
        width = 8 if wide else 4
        at = -(-at // width) * width
        raw = m.memory.bytes(lane, at, width)
        at += width
        if kind == "s":
            return f"%{flags}s" % m.memory.string(lane, int.from_bytes(raw, "little"))
        if kind in "eEfFgG":
            return f"%{flags}{kind}" % np.frombuffer(raw, np.float64)[0]
        number = int.from_bytes(raw, "little", signed=kind in "di")
        if kind == "c":
            return chr(number & 0xFF)
        return f"0x{number:x}" if kind == "p" else f"%{flags}{kind.replace('u', 'd')}" % number

    return _CONVERSION.sub(convert, text)


RUNTIME: dict[str, Callable[[Site, Operands, Operands], Step]] = {
    "__assertfail": _assert_fail,
    "vprintf": _print,
}
