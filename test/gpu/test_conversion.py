"""Reference = GPU for `pto.tcvt` of every type into every type, in every mode, bit for bit. Without
a CUDA device these tests are skipped."""

import pytest

from conversion_programs import Sweep
from cuda_device import TARGET, on_device, to_host
from pto import compiler
from pto.dtypes import DTYPES


@pytest.mark.parametrize("dtype", DTYPES)
def test_reference_and_gpu_agree_in_every_mode(dtype: str) -> None:
    sweep = Sweep(dtype)
    results = sweep.results()
    there = [on_device(result) for result in results]
    compiler.compile(sweep.text, target=TARGET)(on_device(sweep.values), *there)
    found = [to_host(a, b.dtype) for a, b in zip(there, results, strict=True)]
    wrong = sweep.differences(found)
    assert not wrong, "\n".join(wrong)
