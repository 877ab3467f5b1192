"""An integer divided by zero has no result."""

import numpy as np
import pytest

from pto.errors import DeviceAssertion
from pto.ops import TABLE
from tile_programs import Case


class WithZero(Case):
    def inputs(self) -> list[np.ndarray | np.generic]:
        dividend, divisor = super().inputs()
        assert isinstance(divisor, np.ndarray)
        divisor[3, 2] = 0
        return [dividend, divisor]


@pytest.mark.parametrize("dtype", ["i8", "i32", "ui16"])
@pytest.mark.parametrize("op", ["pto.tdiv", "pto.trem"])
def test_an_integer_division_by_zero_stops_the_kernel(op: str, dtype: str) -> None:
    case = WithZero(TABLE[op], dtype)
    with pytest.raises(DeviceAssertion, match=f"'{op}' op divides by zero"):
        case.expected()
    with pytest.raises(DeviceAssertion, match=f"'{op}' op divides by zero"):
        case.simulated("sm_90a")
