"""`PTO_SIM_SEED` orders the warps and the copies of kernels that are called."""

import numpy as np
import pytest

from pto.errors import LaunchError
from pto.runtime import Kernel
from pto.runtime.arguments import Argument

# Every thread gives the word that thread i xor 32 has written to shared memory, without a barrier.
PTX = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry swap(.param .u64 y)
{
    .reg .b32 %r<8>; .reg .b64 %rd<4>; .shared .align 4 .b8 s[256];
    ld.param.u64 %rd1, [y]; mov.u32 %r1, %tid.x; mov.u32 %r2, s; cvt.rn.f32.u32 %r3, %r1;
    mad.lo.u32 %r4, %r1, 4, %r2; xor.b32 %r5, %r1, 32; mad.lo.u32 %r5, %r5, 4, %r2;
    mad.wide.u32 %rd2, %r1, 4, %rd1;
    st.shared.b32 [%r4], %r3; ld.shared.b32 %r6, [%r5]; st.global.b32 [%rd2], %r6; ret;
}
"""
SWAP = Kernel("swap", PTX, "sm_80", (Argument("y", "ptr", "f32"),), block=64, shared_bytes=0)


def swapped():
    y = np.zeros(64, np.float32)
    SWAP(y, grid=1)
    return y


def test_without_a_seed_the_warps_run_in_lock_step(monkeypatch):
    monkeypatch.delenv("PTO_SIM_SEED", raising=False)
    np.testing.assert_array_equal(swapped(), np.arange(64) ^ 32)


def test_a_seed_runs_them_one_by_one(monkeypatch):
    monkeypatch.setenv("PTO_SIM_SEED", "0")
    assert (swapped() != np.arange(64) ^ 32).any()


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5"])
def test_malformed_seed(monkeypatch, text):
    monkeypatch.setenv("PTO_SIM_SEED", text)
    with pytest.raises(LaunchError, match=f"PTO_SIM_SEED is '{text}'; it must be an integer"):
        swapped()
