"""Arguments, launch bounds, and grids that are run in several chunks."""

import numpy as np
import pytest

from pto.errors import LaunchError
from pto.sim import Buffer, launch

PTX = """
.version 8.0
.target sm_90a
.address_size 64
.visible .entry scale(.param .u64 x, .param .u32 n, .param .f32 factor) BOUNDS
{
    .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [x]; ld.param.u32 %r1, [n]; ld.param.f32 %r2, [factor];
    mov.u32 %r3, %tid.x; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x;
    mad.lo.u32 %r6, %r4, %r5, %r3; setp.ge.u32 %p1, %r6, %r1; @%p1 ret;
    mad.wide.u32 %rd2, %r6, 4, %rd1; ld.global.f32 %r7, [%rd2]; mul.f32 %r7, %r7, %r2;
    st.global.f32 [%rd2], %r7; ret;
}
"""


def scale(x, *rest, bounds="", grid=(2, 1, 1), block=(64, 1, 1), **options):
    buffer = Buffer("x", x.view(np.uint8))
    ptx = PTX.replace("BOUNDS", bounds)
    return launch(ptx, "scale", [buffer, *rest], grid=grid, block=block, **options)


def test_scalars_take_the_size_of_the_parameter():
    for count, factor in ((100, 3.0), (np.int32(100), np.float32(3)), (np.uint32(100), 3.0)):
        x = np.ones(128, np.float32)
        scale(x, count, factor)
        np.testing.assert_array_equal(x, np.where(np.arange(128) < 100, 3, 1))


def test_buffer_offset():
    x = np.ones(8, np.float32)
    params = [Buffer("x", x.view(np.uint8), offset=16), 2, 5.0]
    launch(PTX.replace("BOUNDS", ""), "scale", params, grid=(1, 1, 1), block=(32, 1, 1))
    np.testing.assert_array_equal(x, [1, 1, 1, 1, 5, 5, 1, 1])


def test_a_large_grid_runs_in_chunks():
    x = np.ones(300_000, np.float32)
    stats = scale(x, x.size, 2.0, grid=(1172, 1, 1), block=(256, 1, 1))
    assert (x == 2).all()
    assert stats.thread_instructions > 13 * x.size


def test_cluster_registers():
    ptx = """
    .version 8.0 .target sm_90a .address_size 64
    .visible .entry k(.param .u64 y) .reqntid 32 .reqnctapercluster 2, 2, 1
    {
        .reg .b32 %r<8>; .reg .b64 %rd<4>;
        ld.param.u64 %rd1, [y]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y;
        mad.lo.u32 %r3, %r2, 4, %r1; mad.wide.u32 %rd2, %r3, 16, %rd1;
        mov.u32 %r4, %cluster_ctarank; mov.u32 %r5, %cluster_ctaid.x; mov.u32 %r6, %clusterid.x;
        mov.u32 %r7, %cluster_nctarank;
        st.global.v4.u32 [%rd2], {%r4, %r5, %r6, %r7}; ret;
    }
    """
    y = np.zeros((2, 4, 4), np.uint32)
    launch(ptx, "k", [Buffer("y", y.reshape(-1).view(np.uint8))], grid=(4, 2, 1))
    np.testing.assert_array_equal(y[:, :, 0], [[0, 1, 0, 1], [2, 3, 2, 3]])
    np.testing.assert_array_equal(y[:, :, 1], [[0, 1, 0, 1]] * 2)
    np.testing.assert_array_equal(y[:, :, 2], [[0, 0, 1, 1]] * 2)
    np.testing.assert_array_equal(y[:, :, 3], 4)


# ---- faults


def test_unknown_kernel_lists_the_kernels():
    with pytest.raises(LaunchError, match=r"no kernel 'nothing'.*its kernels are: scale"):
        launch(PTX.replace("BOUNDS", ""), "nothing", [], grid=(1, 1, 1), block=(1, 1, 1))


def test_wrong_parameter_count_names_the_parameters():
    with pytest.raises(LaunchError, match=r"scale takes 3 parameters \(x, n, factor\), not 2"):
        scale(np.ones(4, np.float32), 4)


def test_scalar_of_the_wrong_size_names_the_parameter():
    with pytest.raises(LaunchError, match=r"parameter n has 4 bytes; np.int64\(4\) does not fit"):
        scale(np.ones(4, np.float32), np.int64(4), 1.0)


def test_integer_out_of_range_names_the_parameter():
    with pytest.raises(LaunchError, match=r"parameter n has 4 bytes; 4294967296 does not fit"):
        scale(np.ones(4, np.float32), 2**32, 1.0)


def test_buffer_that_is_not_bytes():
    with pytest.raises(LaunchError, match="buffer 'x' must be a contiguous 1-D uint8 array"):
        launch(
            PTX.replace("BOUNDS", ""),
            "scale",
            [Buffer("x", np.ones(4, np.float32)), 1, 1.0],
            grid=(1, 1, 1),
            block=(1, 1, 1),
        )


def test_read_only_buffer():
    data = np.zeros(16, np.uint8)
    data.flags.writeable = False
    with pytest.raises(LaunchError, match="buffer 'x' is not writable"):
        scale(data, 1, 1.0)


@pytest.mark.parametrize(
    "bounds, options, message",
    [
        ("", {"block": None}, "give the block size"),
        (".reqntid 32", {"block": (64, 1, 1)}, r"block \(64, 1, 1\) is not the required"),
        (".maxntid 32", {"block": (64, 1, 1)}, "a block of 64 threads; 32 are allowed"),
        ("", {"block": (2048, 1, 1)}, "a block of 2048 threads; 1024 are allowed"),
        ("", {"grid": (0, 1, 1)}, "must be positive"),
        ("", {"shared_bytes": 1 << 20}, "bytes of shared memory per CTA; 232448 fit"),
        (".reqnctapercluster 4", {"grid": (6, 1, 1)}, "not a multiple of the cluster"),
    ],
)
def test_launch_bounds(bounds, options, message):
    with pytest.raises(LaunchError, match=message):
        scale(np.ones(4, np.float32), 4, 1.0, bounds=bounds, **options)
