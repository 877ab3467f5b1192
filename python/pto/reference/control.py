"""Control flow: `func.call`, `scf` and `cf.assert`."""

from collections.abc import Sequence
from typing import Any

from pto.reference.cta import Cta, Handler
from pto.reference.faults import fault
from pto.reference.scalars import bits_of, signed, unsigned


def _call(cta: Cta, op: Any, operands: list[Any]) -> Sequence[Any]:
    return cta.call(op.attributes["callee"].value, operands, op)


def _for(cta: Cta, op: Any, operands: list[Any]) -> Sequence[Any]:
    lower, upper, step, *carried = operands
    bits = bits_of(op.operands[0].type)
    if "unsignedCmp" in op.attributes:
        lower, upper, step = (unsigned(bound, bits) for bound in (lower, upper, step))
    if step <= 0:
        raise fault(op, f"has a step of {step}, which must be positive")
    body = op.regions[0].blocks[0]
    for index in range(lower, upper, step):
        carried = cta.run(body, [signed(index, bits), *carried])
    return carried


def _if(cta: Cta, op: Any, operands: list[Any]) -> Sequence[Any]:
    region = op.regions[0] if operands[0] else op.regions[1]
    blocks = list(region.blocks)
    return cta.run(blocks[0], []) if blocks else []


def _while(cta: Cta, op: Any, operands: list[Any]) -> Sequence[Any]:
    before, after = (region.blocks[0] for region in op.regions)
    carried: Sequence[Any] = operands
    while True:
        condition, *carried = cta.run(before, carried)
        if not condition:
            return carried
        carried = cta.run(after, carried)


def _assert(cta: Cta, op: Any, operands: list[Any]) -> Sequence[Any]:
    if not operands[0]:
        raise fault(op, f"failed: {op.attributes['msg'].value}")
    return []


HANDLERS: dict[str, Handler] = {
    "func.call": _call,
    "scf.for": _for,
    "scf.if": _if,
    "scf.while": _while,
    "cf.assert": _assert,
}
