"""The values of `--arg` and `--save`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pto.dtypes import DTYPES
from pto.errors import PtoError

Value = np.ndarray[Any, Any] | np.generic

GRAMMAR = (
    "FILE.npy[:TYPE], rand:SHAPE[:SEED], zeros:SHAPE, ones:SHAPE, full:VALUE:SHAPE, or TYPE:VALUE "
    "for a scalar, where SHAPE is like 16x16xf32 and TYPE is one of " + " ".join(DTYPES) + " index"
)


class _Wrong(Exception):
    """What is wrong with a SPEC, to be said together with the SPEC."""


class Save(NamedTuple):
    """One `--save`: the argument's position, and the file to write."""

    argument: int
    path: Path


def parse_argument(spec: str, position: int) -> Value:
    """The array or scalar that the `position`th `--arg` (from 0) describes; see `GRAMMAR`.

    `rand` is reproducible by its seed (0 unless given). Floats are uniform in [0.5, 1.5]. Integers
    are odd, so that long products do not vanish: -7 to 7, or 1 to 15 if unsigned.

    `FILE.npy:TYPE` takes the bytes of each element as a TYPE of the same size: NumPy saves bf16 as
    raw bytes, so that `x.npy:bf16` is how to read them back.
    """
    try:
        return _parse(spec)
    except _Wrong as error:
        raise PtoError(f"--arg {spec} (argument {position}): {error}") from None


def parse_save(spec: str, names: Sequence[str]) -> Save:
    """`K=OUT.npy`, where K is the position of an argument (from 0) or its name."""
    key, equals, path = spec.partition("=")
    if not equals or not path:
        raise PtoError(f"--save {spec}: expected K=OUT.npy, K being an argument's position or name")
    if key in names:
        return Save(names.index(key), Path(path))
    if re.fullmatch(r"\d+", key) and int(key) < len(names):
        return Save(int(key), Path(path))
    known = ", ".join(f"{index} ({name})" for index, name in enumerate(names)) or "none"
    raise PtoError(f"--save {spec}: no argument '{key}'; there are {known}")


def save(path: Path, value: Value) -> None:
    """Write a .npy file."""
    try:
        with path.open("wb") as file:
            np.lib.format.write_array(file, np.asarray(value), allow_pickle=False)
    except OSError as error:
        raise PtoError(f"{path}: cannot be written: {error.strerror}") from None


def parse_shape(text: str) -> tuple[tuple[int, ...], np.dtype]:
    """`1000x257xbf16` as sizes and dtype."""
    *sizes, name = text.split("x")
    if name not in DTYPES:
        raise _Wrong(f"'{name}' is no element type; they are {' '.join(DTYPES)}")
    if not sizes or not all(re.fullmatch(r"\d+", size) for size in sizes):
        raise _Wrong(f"'{text}' is no shape; one is 16x16x{name}, or 5x{name}")
    return tuple(map(int, sizes)), DTYPES[name]


def _parse(spec: str) -> Value:
    file = re.fullmatch(r"(.*\.npy)(?::(\w+))?", spec)
    if file:
        return _load(Path(file[1]), file[2])
    kind, *fields = spec.split(":")
    if kind in ("zeros", "ones") and len(fields) == 1:
        shape, dtype = parse_shape(fields[0])
        return np.full(shape, int(kind == "ones"), dtype)
    if kind == "full" and len(fields) == 2:
        shape, dtype = parse_shape(fields[1])
        return np.full(shape, _number(fields[0], dtype), dtype)
    if kind == "rand" and len(fields) in (1, 2):
        shape, dtype = parse_shape(fields[0])
        seed = fields[1] if len(fields) == 2 else "0"
        if not re.fullmatch(r"\d+", seed):
            raise _Wrong(f"'{seed}' is no seed; one is a whole number from 0 on")
        return _random(shape, dtype, int(seed))
    if (kind in DTYPES or kind == "index") and len(fields) == 1:
        return _number(fields[0], DTYPES["i64" if kind == "index" else kind])
    raise _Wrong(f"expected {GRAMMAR}")


def _load(path: Path, type_name: str | None) -> np.ndarray[Any, Any]:
    try:
        with path.open("rb") as file:
            array: np.ndarray[Any, Any] = np.lib.format.read_array(file, allow_pickle=False)
    except OSError as error:
        raise _Wrong(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise _Wrong(f"{path} is no .npy file of numbers: {error}") from None
    if type_name is not None:
        return _reinterpret(array, type_name)
    if array.dtype.kind == "V":
        raise _Wrong(
            f"{path} has elements of {array.dtype.itemsize} raw bytes; name their type, "
            f"as in {path}:bf16 (NumPy saves bf16 so)"
        )
    return array


def _reinterpret(array: np.ndarray[Any, Any], type_name: str) -> np.ndarray[Any, Any]:
    if type_name not in DTYPES:
        raise _Wrong(f"'{type_name}' is no element type; they are {' '.join(DTYPES)}")
    dtype = DTYPES[type_name]
    if dtype.itemsize != array.dtype.itemsize:
        raise _Wrong(
            f"{type_name} has {dtype.itemsize} bytes, the elements of the file have "
            f"{array.dtype.itemsize}"
        )
    return array.view(dtype)


def _random(shape: tuple[int, ...], dtype: np.dtype, seed: int) -> np.ndarray[Any, Any]:
    generator = np.random.default_rng(seed)
    if dtype.kind in "iu":
        low, high = (0, 8) if dtype.kind == "u" else (-4, 4)
        return (2 * generator.integers(low, high, shape) + 1).astype(dtype)
    return generator.uniform(0.5, 1.5, shape).astype(dtype)


def _number(text: str, dtype: np.dtype) -> np.generic:
    try:
        value = int(text, 0) if dtype.kind in "iu" else float(text)
    except ValueError:
        kind = "an integer" if dtype.kind in "iu" else "a number"
        raise _Wrong(f"'{text}' is not {kind}") from None
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if not limits.min <= value <= limits.max:
            raise _Wrong(f"{text} is not within {limits.min} to {limits.max}")
    with np.errstate(over="ignore"):
        return dtype.type(value)
