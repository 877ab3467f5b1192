"""The same rows reduced by every variant, and rows that tell variants apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import ml_dtypes
import numpy as np

from pto.dtypes import DTYPES
from tirx_kernels import Layout, Reduction

ROWS, LENGTH = 4, 128

FLOATS = ("f32", "f64", "f16", "bf16")
INTEGERS = tuple(name for name, kind in DTYPES.items() if kind.kind in "iu")
OPS = ("sum", "prod", "max", "min")


@dataclass(frozen=True)
class Form:
    """One way to reduce ROWS rows of LENGTH elements."""

    make: Callable[..., Reduction]
    """The kernel; takes `op` and `dtype`, and `accum` and `flags` by name."""
    arrange: Callable[[np.ndarray], np.ndarray] = np.asarray
    """The rows as the kernel takes them."""

    def arguments(
        self, r: Reduction, x: np.ndarray, y: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Source and destination of a kernel from rows and one old value for each."""
        source = np.ascontiguousarray(self.arrange(x)).reshape(r.whole(r.src))
        return source, y.reshape(r.whole(r.dst))


def _thread(op: str, dtype: str, **more) -> Reduction:
    return Reduction(op, dtype, (LENGTH,), (1,), (0,), threads=ROWS, **more)


def _fold(op: str, dtype: str, flags: str = "", **more) -> Reduction:
    flags = ", ".join(filter(None, [flags, 'dispatch = "fold"']))
    return _rows(op, dtype, flags=flags, **more)


def _rows(op: str, dtype: str, threads: int = 64, **more) -> Reduction:
    src, dst = (ROWS, LENGTH), (ROWS, 1)
    return Reduction(
        op, dtype, src, dst, (1,), memory="shared", scope="cta", threads=threads, **more
    )


def _many_threads(op: str, dtype: str, **more) -> Reduction:
    return _rows(op, dtype, threads=256, **more)


def _columns(op: str, dtype: str, **more) -> Reduction:
    src, dst = (LENGTH, ROWS), (ROWS,)
    return Reduction(op, dtype, src, dst, (0,), memory="shared", scope="cta", threads=64, **more)


def _warps_of_shared(op: str, dtype: str, **more) -> Reduction:
    src, dst, threads = (LENGTH,), (1,), 32 * ROWS
    return Reduction(
        op, dtype, src, dst, (0,), memory="shared", scope="warp", threads=threads, **more
    )


def _registers_and_lanes(op: str, dtype: str, **more) -> Reduction:
    layouts = Layout("32 : 1@laneid, 4 : 1"), Layout("1 : 1", "32 : 1@laneid")
    return Reduction(
        op, dtype, (LENGTH,), (1,), (0,), scope="warp", threads=32 * ROWS, layouts=layouts, **more
    )


def _lanes_and_warps(op: str, dtype: str, **more) -> Reduction:
    layouts = (
        Layout("4 : 1@warpid, 32 : 1@laneid"),
        Layout("1 : 1, 1 : 1", "32 : 1@laneid, 4 : 1@warpid"),
    )
    return Reduction(
        op,
        dtype,
        (4, 32),
        (1, 1),
        (0, 1),
        scope="warpgroup",
        threads=128 * ROWS,
        layouts=layouts,
        **more,
    )


FORMS = {
    "thread": Form(_thread),
    "fold": Form(_fold),
    "rows": Form(_rows),
    "many_threads": Form(_many_threads),
    "columns": Form(_columns, np.transpose),
    "warps_of_shared": Form(_warps_of_shared),
    "registers_and_lanes": Form(_registers_and_lanes),
    "lanes_and_warps": Form(_lanes_and_warps),
}
"""By name; the variants are `local`, `sm100_packed` or `f16x2`; `fold`; `shared` by rows, with
several groups per row, by columns and for warps; `levels`, `local` and `shuffle` or `redux`;
`levels`, `shuffle` and `warps`."""


def redux(op: str, dtype: str, **more) -> Reduction:
    """Sixteen warps, whose lanes hold one element each."""
    layouts = Layout("32 : 1@laneid"), Layout("1 : 1", "32 : 1@laneid")
    return Reduction(
        op, dtype, (32,), (1,), (0,), scope="warp", threads=512, layouts=layouts, **more
    )


def special_rows(kind: str, dtype: str) -> np.ndarray:
    """Rows of floats: `nan`, `infinities`, `zeros`, `subnormals`, `large`."""
    random = np.random.default_rng(len(kind))
    element = DTYPES[dtype]
    info = ml_dtypes.finfo(element)
    rows = random.uniform(0.5, 1.5, (ROWS, LENGTH)) * random.choice([-1, 1], (ROWS, LENGTH))
    match kind:
        case "nan":
            rows[0], rows[1, 0], rows[2, -1] = np.nan, np.nan, np.nan
            rows[3, 1::2] = np.nan
        case "infinities":
            rows[0], rows[1, 5], rows[2, 70] = -np.inf, np.inf, -np.inf
            rows[3, 3], rows[3, 90] = np.inf, -np.inf
        case "zeros":
            rows[0], rows[1], rows[2] = -0.0, -0.0, 0.0
            rows[1, 77], rows[2, 77] = 0.0, -0.0
            rows[3] = np.copysign(0.0, rows[3])
        case "subnormals":
            steps = random.integers(-100, 101, (ROWS, LENGTH))
            return (steps * float(info.smallest_subnormal)).astype(element)
        case "large":
            rows *= float(info.max) / (2 * LENGTH)
        case _:
            raise ValueError(kind)
    return rows.astype(element)


SPECIAL = ("nan", "infinities", "zeros", "subnormals", "large")


def old_values(rows: np.ndarray) -> np.ndarray:
    """Old values of the destination that are as special as the rows."""
    return rows[[1, 2, 3, 0], [0, 70, 77, 3]].copy()
