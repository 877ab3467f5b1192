"""A kernel written by hand, so that launching is tested without the compiler."""

import pytest

from pto.runtime import Argument, Kernel

# y[i] = a * x[i] for the elements i of a 1-D view x; one CTA per block of elements.
SCALE = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 x, .param .u64 x_size, .param .u64 x_stride,
                      .param .f32 a, .param .u64 y)
{
    .reg .pred %p<2>;
    .reg .b32 %r<5>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<12>;
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [x_size];
    ld.param.u64 %rd3, [x_stride];
    ld.param.f32 %f1, [a];
    ld.param.u64 %rd4, [y];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.s32 %r4, %r2, %r3, %r1;
    cvt.u64.u32 %rd5, %r4;
    setp.ge.u64 %p1, %rd5, %rd2;
    @%p1 bra done;
    mul.lo.u64 %rd6, %rd5, %rd3;
    shl.b64 %rd7, %rd6, 2;
    add.u64 %rd8, %rd1, %rd7;
    ld.global.f32 %f2, [%rd8];
    mul.rn.f32 %f3, %f2, %f1;
    shl.b64 %rd9, %rd5, 2;
    add.u64 %rd10, %rd4, %rd9;
    st.global.f32 [%rd10], %f3;
done:
    ret;
}
"""


@pytest.fixture
def scale() -> Kernel:
    """`scale(x, a, y)` with 4 threads per CTA."""
    arguments = (
        Argument("x", "view", "f32", (None,)),
        Argument("a", "scalar", "f32"),
        Argument("y", "ptr", "f32"),
    )
    return Kernel("scale", SCALE, "sm_80", arguments, block=4, shared_bytes=0)
