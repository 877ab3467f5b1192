"""The place of a CTA in the grid."""

from typing import Any

from pto.reference.cta import Cta, Handler


def _get_block_idx(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    return [cta.index]


def _get_block_num(cta: Cta, op: Any, operands: list[Any]) -> list[Any]:
    return [cta.count]


HANDLERS: dict[str, Handler] = {
    "pto.get_block_idx": _get_block_idx,
    "pto.get_block_num": _get_block_num,
}
