"""atom and red."""

import numpy as np
import pytest

from pto.errors import SimulationError

SLOT = "and.b32 %r8, %t, 3; mad.wide.u32 %rd8, %r8, 4, %h;"
OLD = "mad.wide.u32 %rd9, %t, 4, %y; st.global.b32 [%rd9], %r1;"


def sequential(update, start, values):
    """What each lane finds, and what remains, if lanes take turns in order."""
    memory, found = list(start), []
    for lane, value in enumerate(values):
        found.append(memory[lane & 3])
        memory[lane & 3] = update(memory[lane & 3], value)
    return found, memory


@pytest.mark.parametrize(
    "text, update",
    [
        ("add.u32", lambda old, b: old + b),
        ("min.s32", min),
        ("max.u32", max),
        ("and.b32", lambda old, b: old & b),
        ("or.b32", lambda old, b: old | b),
        ("xor.b32", lambda old, b: old ^ b),
        ("exch.b32", lambda old, b: b),
        ("inc.u32", lambda old, b: 0 if old >= b else old + 1),
        ("dec.u32", lambda old, b: b if old == 0 or old > b else old - 1),
    ],
)
@pytest.mark.parametrize("block", [8, 512])
def test_lanes_take_turns(run, text, update, block):
    h, y = np.array([5, 9, 2, 0], np.uint32), np.zeros(block, np.uint32)
    found, left = sequential(update, h.tolist(), [3 * t + 1 for t in range(block)])
    body = f"{SLOT} mad.lo.u32 %r2, %t, 3, 1; atom.global.{text} %r1, [%rd8], %r2; {OLD}"
    run(body, h=h, y=y, block=block)
    np.testing.assert_array_equal(y, found)
    np.testing.assert_array_equal(h, left)


def test_compare_and_swap_loop(run):
    h = np.array([1.0], np.float32)
    body = """
    LOOP: ld.global.b32 %r1, [%h]; add.f32 %r2, %r1, 0f3F800000;
    atom.global.gpu.relaxed.cas.b32 %r3, [%h], %r1, %r2; setp.ne.u32 %p1, %r3, %r1; @%p1 bra LOOP;
    """
    run(body, h=h, block=64)
    assert h[0] == 65


def test_float_add_rounds_at_every_step(run):
    h = np.array([2.0**24, 0, 0, 0], np.float32)
    run("red.global.add.f32 [%h], 0f3F800000;", h=h, block=64)
    assert h[0] == 2.0**24


def test_global_float_add_flushes_subnormals_and_shared_does_not(run):
    h, y = np.zeros(1, np.float32), np.zeros(1, np.float32)
    tiny = "0f00000100"
    body = f"""
    .shared .align 4 .b8 s[4];
    st.shared.b32 [s], 0; red.global.add.f32 [%h], {tiny}; red.shared.add.f32 [s], {tiny};
    ld.shared.b32 %r1, [s]; st.global.b32 [%y], %r1;
    """
    run(body, h=h, y=y, block=1)
    assert h[0] == 0.0
    assert y.view(np.uint32)[0] == 0x100


def test_64_bit_and_double_atomics(run):
    h, d = np.zeros(1, np.uint64), np.zeros(1, np.float64)
    body = """
    mul.wide.u32 %rd1, %t, 0x10000000; red.global.add.u64 [%h], %rd1;
    red.global.add.f64 [%d], 0d3FF8000000000000;
    """
    run(body, h=h, d=d, block=64)
    assert h[0] == 0x10000000 * sum(range(64))
    assert d[0] == 96.0


def test_packed_half_add(run):
    h = np.array([1, 2], np.float16)
    run("red.global.add.noftz.f16x2 [%h], 0x3C003800;", h=h, block=4)
    np.testing.assert_array_equal(h, [3, 6])


def test_shared_atomics_of_several_ctas(run):
    y = np.zeros(3, np.uint32)
    body = """
    .shared .align 4 .b8 s[4];
    setp.ne.u32 %p1, %t, 0; @%p1 bra NEXT; st.shared.b32 [s], 0; NEXT: bar.sync 0;
    atom.shared.add.u32 %r1, [s], 2; bar.sync 0; ld.shared.b32 %r2, [s];
    mov.u32 %r3, %ctaid.x; mad.wide.u32 %rd1, %r3, 4, %y; st.global.b32 [%rd1], %r2;
    """
    run(body, y=y, block=96, grid=3, seed=3)
    np.testing.assert_array_equal(y, 192)


def test_misaligned_atomic(run):
    h = np.zeros(4, np.uint32)
    with pytest.raises(
        SimulationError, match="misaligned atomic access of 4 bytes at offset 2 of buffer 'h'"
    ):
        run("red.global.add.u32 [%h+2], 1;", h=h)


def test_unknown_atomic_type(run):
    h = np.zeros(4, np.uint32)
    with pytest.raises(SimulationError, match="atom needs a type out of"):
        run("atom.global.inc.s32 %r1, [%h], 1;", h=h)
