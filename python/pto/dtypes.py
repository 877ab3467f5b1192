"""Element types by their IR spelling, as numpy dtypes (`ml_dtypes` for bf16)."""

import ml_dtypes
import numpy as np

DTYPES: dict[str, np.dtype] = {
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "ui8": np.dtype(np.uint8),
    "ui16": np.dtype(np.uint16),
    "ui32": np.dtype(np.uint32),
    "ui64": np.dtype(np.uint64),
}

_NAMES = {dtype: name for name, dtype in DTYPES.items()}


def name_of(dtype: np.dtype) -> str | None:
    """The IR spelling of a numpy dtype, None for one that tiles do not hold."""
    return _NAMES.get(np.dtype(dtype))
