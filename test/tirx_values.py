"""What a reduction must give: values, how far they may be off, and data that tells errors apart."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from pto.dtypes import DTYPES
from tirx_kernels import Reduction

# The rounding of one operation, relative.
EPSILON = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-24, "f64": 2.0**-53}
# The same of what is subnormal: half of the smallest number.
TINY = {"f16": 2.0**-25, "bf16": 2.0**-134, "f32": 2.0**-150, "f64": 0.0}

EXTREMES = ("max", "min")


def data(r: Reduction, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Source and old destination of both signs; the old values matter to the result.

    Products stay near 1, so that none of them overflows; integers are of all sizes.
    """
    random = np.random.default_rng(seed)

    def draw(shape: tuple[int, ...]) -> np.ndarray:
        kind = DTYPES[r.dtype]
        if kind.kind in "iu":
            info = np.iinfo(kind)
            return random.integers(info.min, info.max, shape, kind, endpoint=True)
        low, high = (0.9, 1.1) if r.op == "prod" else (0.25, 4)
        return (random.uniform(low, high, shape) * random.choice([-1, 1], shape)).astype(kind)

    return draw(r.whole(r.src)), draw(r.whole(r.dst))


def expected(r: Reduction, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The destination afterwards: integers and `max` and `min` to the bit, sums and products of
    floats in float64. What lies outside of the region keeps the values of `y`."""
    exact = r.op in EXTREMES or x.dtype.kind in "iu"
    result = (y if exact else y.astype(np.float64)).copy()
    for x_part, y_part in zip(_groups(r, x), _groups(r, result), strict=True):
        src, dst = _region(r, x_part, y_part)
        values = src if exact else src.astype(np.float64)
        dst[...] = _reduce(r, values, dst.copy() if r.accum else None).reshape(dst.shape)
    return result


def error_bound(r: Reduction, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How far a sum or a product may be off for any order of combination: one rounding of the
    partial results per operation, one of the result.

    Sums: N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 4.2.
    """
    partial = r.partials or ("f32" if r.dtype in ("f16", "bf16") else r.dtype)
    absolute = expected(r, np.abs(x), np.abs(y))
    count = 1 + np.prod([(r.region.src if r.region else r.src)[axis] for axis in r.axes])
    combined = count * (EPSILON[partial] * absolute + TINY[partial])
    rounded = EPSILON[r.dtype] * np.abs(expected(r, x, y)) + TINY[r.dtype]
    return 1.01 * (combined + rounded)


def check(r: Reduction, x: np.ndarray, y: np.ndarray, found: list[np.ndarray]) -> None:
    """Asserts that `found`, the arguments after a call, are right: the destination, and the copy
    that every thread holds."""
    wanted = expected(r, x, y)
    bound = None
    if r.op not in EXTREMES and x.dtype.kind not in "iu":
        bound = error_bound(r, x, y)
    _same(found[1], wanted, bound, f"{r}\n{r.text()}")
    if r.layouts is not None:
        held = r.layouts[1].held(r.threads)
        group = np.arange(r.threads)[:, None] // r.size
        every = [
            None if array is None else array.reshape(r.groups, -1)[group, held]
            for array in (wanted, bound)
        ]
        _same(found[2], every[0], every[1], f"the copies of all threads: {r}")


def _same(found: np.ndarray, wanted: np.ndarray, bound: np.ndarray | None, message: str) -> None:
    if bound is None:
        assert found.dtype == wanted.dtype
        different = bits(found) != bits(wanted)
        different &= ~(np.isnan(found) & np.isnan(wanted)) if found.dtype.kind not in "iu" else True
    else:
        value = found.astype(np.float64)
        with np.errstate(invalid="ignore"):
            close = (np.abs(value - wanted) <= bound) | (value == wanted)
        different = ~(close | (np.isnan(value) & np.isnan(wanted)))
    at = [tuple(map(int, position)) for position in np.argwhere(different)[:4]]
    pairs = [f"{position}: {found[position]!r}, not {wanted[position]!r}" for position in at]
    assert not at, f"{message}\n{different.sum()} wrong: {'; '.join(pairs)}"


def bits(array: np.ndarray) -> np.ndarray:
    """The elements as unsigned integers."""
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


def _groups(r: Reduction, array: np.ndarray) -> list[np.ndarray]:
    return [array] if r.groups == 1 else list(array)


def _region(r: Reduction, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if r.region is None:
        return x, y
    sides = ((x, r.region.src_at, r.region.src), (y, r.region.dst_at, r.region.dst))
    src, dst = (
        array[tuple(slice(b, b + n) for b, n in zip(at, size, strict=True))]
        for array, at, size in sides
    )
    return src, dst


def _reduce(r: Reduction, values: np.ndarray, old: np.ndarray | None) -> np.ndarray:
    kept = np.moveaxis(values, r.axes, range(len(r.axes)))
    rows = kept.reshape(-1, *kept.shape[len(r.axes) :])
    if old is not None:
        rows = np.concatenate([old.reshape(1, *rows.shape[1:]), rows])
    with np.errstate(all="ignore"):
        match r.op:
            case "sum":
                return rows.sum(0, dtype=rows.dtype)
            case "prod":
                return rows.prod(0, dtype=rows.dtype)
            case _:
                return _extreme(rows, r.op, "propagate_nan" in r.flags)


def _extreme(rows: np.ndarray, op: str, propagate_nan: bool) -> np.ndarray:
    """The largest or smallest of each column, to the bit: -0 is below +0, and a NaN counts only if
    the whole column is NaN, or if it propagates."""
    pick = np.max if op == "max" else np.min
    if rows.dtype.kind in "iu":
        return pick(rows, 0)
    # Floats in sign and magnitude as integers of the same order.
    signed = bits(rows).view(f"i{rows.dtype.itemsize}")
    info = np.iinfo(signed.dtype)
    keys = np.where(signed < 0, signed ^ info.max, signed)
    nan = np.isnan(rows)
    keys[nan] = info.min if op == "max" else info.max
    found = pick(keys, 0)
    result = np.where(found < 0, found ^ info.max, found).astype(signed.dtype).view(rows.dtype)
    is_nan = nan.any(0) if propagate_nan else nan.all(0)
    return np.where(is_nan, np.array(np.nan, rows.dtype), result)


def subnormal(dtype: str, numerator: int = 1, denominator: int = 2) -> np.generic:
    """A fraction of the smallest normal number."""
    kind = DTYPES[dtype]
    return kind.type(float(ml_dtypes.finfo(kind).tiny) * numerator / denominator)
