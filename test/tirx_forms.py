"""The same rows reduced by every variant, and rows that tell variants apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import ml_dtypes
import numpy as np

from pto.dtypes import DTYPES
from tirx_kernels import ALONE, Layout, Reduction, Region

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


def kinds(op: str) -> list[str]:
    """The special rows for an operation; products of large numbers depend on the order."""
    return [kind for kind in SPECIAL if (op, kind) != ("prod", "large")]


def flushed_rows(op: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows whose results differ with `ftz`; the results without it, and with it."""
    tiny = np.float32(np.finfo(np.float32).tiny)
    rows = np.ones((ROWS, LENGTH), np.float32)
    match op:
        case "prod":
            # A result that is subnormal, operands that are.
            rows[0, [3, 9]] = 2.0**-65
            rows[1, 7], rows[2, 100] = tiny / 2, -tiny / 4
            rows[3, 60] = tiny / 8
            rows[3, 61] = 2.0
            plain = rows.prod(1, dtype=np.float64)
            return rows, plain, np.zeros(ROWS)
        case "sum":
            rows[:] = tiny / 1024
            # Half and a quarter are lost one by one, and a difference is lost as a whole.
            rows[1, 5] = tiny
            rows[2] = 0
            rows[2, [1, 99]] = 1.5 * tiny, -tiny
            rows[3, 5], rows[3, 6] = 4 * tiny, tiny / 2
            plain = rows.sum(1, dtype=np.float64)
            return rows, plain, np.array([0, tiny, 0, 4 * tiny], np.float64)
        case _:
            sign = 1 if op == "max" else -1
            rows[:] = -1
            rows[0, 8], rows[1] = tiny / 2, tiny / 2
            rows[2] = -tiny / 2
            rows[3, 0] = tiny / 4
            plain = np.array([tiny / 2, tiny / 2, -tiny / 2, tiny / 4], np.float64)
            return sign * rows, sign * plain, np.zeros(ROWS)


LIMIT = {"f16": 2048, "bf16": 256}
"""To which adding 1 changes nothing in the element type; 127 of them together do."""


def rows_lost_in_halves(dtype: str) -> np.ndarray:
    """Rows whose sums differ between partial results in f32 and in the element type."""
    rows = np.ones((ROWS, LENGTH), DTYPES[dtype])
    rows[:, 0] = LIMIT[dtype]
    return rows


BLOCK_SIZES = (24, 32, 48, 96, 128, 256, 1000)

SHAPES = {
    "one_long_row": ((1, 4096), (1, 1), (1,)),
    "rows": ((5, 100), (5,), (1,)),
    "short_rows": ((64, 3), (64, 1), (1,)),
    "short_columns": ((3, 64), (1, 64), (0,)),
    "long_columns": ((300, 7), (7,), (0,)),
    "two_axes": ((6, 10, 34), (10,), (0, 2)),
}
"""Source, destination and axes."""

REGIONS = {
    "rows": ((9, 40), (13,), (1,), Region((2, 3), (6, 32), (4,), (6,))),
    "aligned_rows": ((9, 40), (13, 1), (1,), Region((2, 8), (6, 32), (4, 0), (6, 1))),
    "columns": ((40, 9), (2, 13), (0,), Region((7, 2), (30, 6), (1, 5), (1, 6))),
    "middle": ((3, 20, 5), (4, 7), (1,), Region((1, 2, 1), (2, 17, 3), (2, 3), (2, 3))),
    "one_result": ((6, 50), (5, 3), (0, 1), Region((1, 5), (4, 40), (3, 1), (1, 1))),
    "outer_and_inner": ((5, 6, 9), (9,), (0, 2), Region((1, 1, 4), (3, 4, 5), (5,), (4,))),
}
"""Source, destination, axes and the parts of them."""


def region(name: str, scope: str, op: str, accum: bool) -> Reduction:
    """A kernel that reduces a region, in local memory or by a scope in shared memory."""
    src, dst, axes, part = REGIONS[name]
    is_local = scope == "local"
    return Reduction(
        op,
        "f32",
        src,
        dst,
        axes,
        accum,
        memory="local" if is_local else "shared",
        scope="thread" if is_local else scope,
        threads=1 if is_local else 256,
        alone=scope in ALONE,
        region=part,
    )
