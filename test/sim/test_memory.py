"""State spaces, vectors, generic addresses, and what is reported about a wrong access."""

import numpy as np
import pytest

from pto.errors import SimulationError


def test_vector_load_and_store(run):
    x = np.arange(128, dtype=np.uint32)
    y = np.zeros_like(x)
    body = """
    mad.wide.u32 %rd1, %t, 16, %x; mad.wide.u32 %rd2, %t, 16, %y;
    ld.global.nc.L1::no_allocate.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];
    st.global.v2.b32 [%rd2], {%r4, %r3}; st.global.v2.b32 [%rd2+8], {%r2, %r1};
    """
    run(body, x=x, y=y)
    np.testing.assert_array_equal(y.reshape(-1, 4), x.reshape(-1, 4)[:, ::-1])


def test_narrow_loads_extend_to_the_register(run):
    x = np.array([0x80, 0xFF, 0x7F, 0x01] * 8, np.uint8)
    y = np.zeros((32, 2), np.int32)
    body = """
    cvt.u64.u32 %rd1, %t; add.u64 %rd1, %rd1, %x; mad.wide.u32 %rd2, %t, 8, %y;
    ld.global.s8 %r1, [%rd1]; ld.global.u8 %r2, [%rd1]; st.global.v2.b32 [%rd2], {%r1, %r2};
    """
    run(body, x=x, y=y)
    np.testing.assert_array_equal(y[:, 0], x.view(np.int8))
    np.testing.assert_array_equal(y[:, 1], x)


def test_narrow_store_writes_the_low_bits(run):
    y = np.zeros(32, np.uint8)
    run(
        "cvt.u64.u32 %rd1, %t; add.u64 %rd1, %rd1, %y; add.u32 %r1, %t, 0xABC00;"
        "st.global.b8 [%rd1], %r1;",
        y=y,
    )
    np.testing.assert_array_equal(y, np.arange(32))


def test_shared_memory_belongs_to_a_cta(run):
    y = np.zeros((3, 64), np.uint32)
    body = """
    .shared .align 4 .b8 tile[256];
    mov.u32 %r1, %ctaid.x; shl.b32 %r2, %t, 2; mov.u32 %r3, tile; add.u32 %r4, %r3, %r2;
    mad.lo.u32 %r5, %r1, 100, %t; st.shared.b32 [%r4], %r5; bar.sync 0;
    xor.b32 %r6, %r2, 252; add.u32 %r6, %r3, %r6; ld.shared.b32 %r7, [%r6];
    mad.lo.u32 %r8, %r1, 64, %t; mad.wide.u32 %rd1, %r8, 4, %y; st.global.b32 [%rd1], %r7;
    """
    run(body, y=y, grid=3, block=64)
    expected = 100 * np.arange(3)[:, None] + np.arange(64)[::-1]
    np.testing.assert_array_equal(y, expected)


def test_dynamic_shared_memory_begins_behind_the_static_one(run):
    y = np.zeros(2, np.uint32)
    body = """
    .shared .align 4 .b8 fixed[20];
    mov.u32 %r1, fixed; mov.u32 %r2, extra; st.global.v2.u32 [%y], {%r1, %r2};
    st.shared.b32 [extra+60], %r1;
    """
    declarations = ".extern .shared .align 16 .b8 extra[];"
    run(body, y=y, block=1, shared_bytes=64, declarations=declarations)
    np.testing.assert_array_equal(y, [0, 32])
    with pytest.raises(SimulationError, match=r"at offset 92 of shared memory \(92 bytes\)"):
        run(body, y=y, block=1, shared_bytes=60, declarations=declarations)


def test_local_memory_belongs_to_a_thread(run):
    y = np.zeros(32, np.uint32)
    body = """
    .local .align 8 .b8 __local_depot0[16];
    mov.b64 %rd1, __local_depot0; cvta.local.u64 %rd2, %rd1;
    st.local.b32 [%rd1+4], %t; ld.b32 %r1, [%rd2+4];
    mad.wide.u32 %rd3, %t, 4, %y; st.global.b32 [%rd3], %r1;
    """
    run(body, y=y)
    np.testing.assert_array_equal(y, np.arange(32))


def test_generic_addresses_may_differ_in_space_within_a_warp(run):
    x = np.arange(100, 132, dtype=np.uint32)
    y = np.zeros(32, np.uint32)
    body = """
    .shared .align 4 .b8 tile[128];
    mov.u64 %rd1, tile; cvta.shared.u64 %rd2, %rd1; cvta.to.shared.u64 %rd7, %rd2;
    mad.wide.u32 %rd3, %t, 4, %rd7; st.shared.b32 [%rd3], %t;
    mad.wide.u32 %rd4, %t, 4, %rd2; mad.wide.u32 %rd5, %t, 4, %x;
    and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 0; selp.b64 %rd6, %rd4, %rd5, %p1;
    ld.b32 %r2, [%rd6]; isspacep.shared %p2, %rd6; @%p2 add.u32 %r2, %r2, 1000;
    isspacep.global %p3, %rd6; @%p3 add.u32 %r2, %r2, 2000;
    mad.wide.u32 %rd3, %t, 4, %y; st.b32 [%rd3], %r2;
    """
    run(body, x=x, y=y)
    lane = np.arange(32)
    np.testing.assert_array_equal(y, np.where(lane % 2, x + 2000, lane + 1000))


def test_module_variables_have_initial_values_and_addresses(run):
    y = np.zeros(4, np.uint32)
    declarations = """
    .global .align 4 .b32 table[4] = {1, 0x20, 3};
    .const .align 4 .b32 scale = 10;
    .global .align 8 .u64 pointer = table;
    """
    body = """
    mul.wide.u32 %rd1, %t, 4; ld.global.u64 %rd2, [pointer]; add.u64 %rd2, %rd2, %rd1;
    ld.global.b32 %r1, [%rd2]; ld.const.b32 %r2, [scale]; mul.lo.u32 %r3, %r1, %r2;
    add.u64 %rd3, %y, %rd1; st.global.b32 [%rd3], %r3;
    """
    run(body, y=y, block=4, declarations=declarations)
    np.testing.assert_array_equal(y, [10, 320, 30, 0])


def test_buffers_over_one_array_have_one_address(run):
    x = np.zeros(2, np.uint64)
    run("st.global.u64 [%x], %x; st.global.u64 [%y+8], %y;", x=x, y=x, block=1)
    assert x[0] == x[1]


# ---- faults


def test_out_of_bounds_read_names_buffer_offset_and_thread(run):
    x = np.zeros(1024, np.uint8)
    body = "mad.wide.u32 %rd1, %t, 16, %x;\n ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];"
    with pytest.raises(SimulationError) as error:
        run(body, x=x, block=96)
    assert str(error.value).startswith(
        "kernel 'k': read of 16 bytes at offset 1024 of buffer 'x' (1024 bytes) "
        "by thread (64,0,0) of CTA (0,0,0); PTX line "
    )
    assert str(error.value).endswith(": ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];")


def test_write_before_a_buffer_has_a_negative_offset(run):
    x = np.zeros(16, np.uint8)
    with pytest.raises(SimulationError, match=r"write of 4 bytes at offset -4 of buffer 'x'"):
        run("st.global.b32 [%x+-4], %t;", x=x)


def test_misaligned_load_names_the_buffer(run):
    x = np.zeros(64, np.uint8)
    with pytest.raises(
        SimulationError, match=r"misaligned read of 8 bytes at offset 4 of buffer 'x'"
    ):
        run("ld.global.b64 %rd1, [%x+4];", x=x)


def test_misaligned_buffer_offset_is_seen(run):
    x = np.zeros(64, np.uint8)
    with pytest.raises(SimulationError, match="misaligned"):
        run("ld.global.v2.b32 {%r1, %r2}, [%x+4];", x=x)


def test_null_pointer_is_not_allocated(run):
    with pytest.raises(SimulationError, match="address 0x0, which is not allocated"):
        run("mov.u64 %rd1, 0; ld.global.b32 %r1, [%rd1];")


def test_shared_access_beyond_its_size(run):
    body = """
    .shared .align 4 .b8 s[64];
    mov.u32 %r2, s; mad.lo.u32 %r1, %t, 4, %r2; st.shared.b32 [%r1], %t;
    """
    with pytest.raises(
        SimulationError, match=r"offset 64 of shared memory \(64 bytes\) by thread \(16,0,0\)"
    ):
        run(body)


def test_global_load_of_a_shared_address(run):
    body = """
    .shared .align 4 .b8 s[64];
    mov.u64 %rd1, s; cvta.shared.u64 %rd1, %rd1; ld.global.b32 %r1, [%rd1];
    """
    with pytest.raises(SimulationError, match=r"in global memory at address .*, in shared memory"):
        run(body)


def test_write_to_constant_memory(run):
    declarations = ".const .align 4 .b32 c = 1;"
    body = "mov.u64 %rd1, c; cvta.const.u64 %rd1, %rd1; st.b32 [%rd1], %t;"
    with pytest.raises(SimulationError, match="write to variable 'c', read only"):
        run(body, declarations=declarations)


def test_uninitialized_shared_memory_is_reported_when_asked(run):
    body = ".shared .align 4 .b8 s[64]; st.shared.b16 [s], %rs1; ld.shared.b32 %r1, [s];"
    run(body)
    with pytest.raises(
        SimulationError, match="read of 4 bytes of shared memory that were never written"
    ):
        run(body, check_uninitialized=True)


def test_initialized_memory_is_not_reported(run):
    body = """
    .shared .align 4 .b8 s[64]; .local .align 4 .b8 l[8];
    st.shared.v2.b16 [s], {%rs1, %rs2}; ld.shared.b32 %r1, [s];
    st.local.b32 [l+4], %r1; ld.local.b16 %rs1, [l+6];
    """
    run(body, check_uninitialized=True)


def test_uninitialized_local_memory_is_reported_per_thread(run):
    body = """
    .local .align 4 .b8 l[8];
    setp.ne.u32 %p1, %t, 5; @%p1 st.local.b32 [l], %t; ld.local.b32 %r1, [l];
    """
    with pytest.raises(SimulationError, match=r"never written by thread \(5,0,0\)"):
        run(body, check_uninitialized=True)
