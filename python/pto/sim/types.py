"""PTX types and how their values lie in numpy arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Type:
    """A PTX type. `dtype` is the numpy type of its registers.

    `kind` is one of `u s b f pred`, or `packed` for two elements in one register. A bf16 register
    is held as uint16, because numpy has no such float; every other float is held as itself.
    """

    name: str
    kind: str
    bits: int
    dtype: np.dtype[Any]
    element: Type | None = None

    @property
    def bytes(self) -> int:
        return self.bits // 8

    @property
    def is_float(self) -> bool:
        return self.kind == "f"

    @property
    def signed(self) -> bool:
        return self.kind == "s"


def _types() -> dict[str, Type]:
    types = [
        Type(f"{kind}{bits}", kind, bits, np.dtype(f"{'i' if kind == 's' else 'u'}{bits // 8}"))
        for kind in "usb"
        for bits in (8, 16, 32, 64)
    ]
    types += [Type(f"f{bits}", "f", bits, np.dtype(f"f{bits // 8}")) for bits in (16, 32, 64)]
    types.append(Type("bf16", "f", 16, np.dtype("u2")))
    types.append(Type("pred", "pred", 1, np.dtype("?")))
    by_name = {type.name: type for type in types}
    for element in ("f16", "bf16", "f32", "u16", "s16"):
        bits = 2 * by_name[element].bits
        name = f"{element}x2"
        by_name[name] = Type(name, "packed", bits, np.dtype(f"u{bits // 8}"), by_name[element])
    return by_name


TYPES = _types()
INTEGERS = ("u16", "s16", "u32", "s32", "u64", "s64")
BITS = ("b16", "b32", "b64")
FLOATS = ("f16", "bf16", "f32", "f64")
PACKED_FLOATS = ("f16x2", "bf16x2", "f32x2")

# The number that PTX arithmetic gives for every NaN, by type.
CANONICAL_NAN = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF, "f64": 0x7FF8000000000000}


def unsigned(bits: int) -> np.dtype[Any]:
    """The unsigned numpy type of that many bits."""
    return np.dtype(f"u{bits // 8}")


def integer_range(type: Type) -> tuple[int, int]:
    """The least and the greatest value of an integer type."""
    if type.signed:
        return -(1 << (type.bits - 1)), (1 << (type.bits - 1)) - 1
    return 0, (1 << type.bits) - 1
