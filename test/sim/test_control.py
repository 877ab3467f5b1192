"""Branches, loops, calls, exits and assertions."""

import numpy as np
import pytest

from pto.errors import DeviceAssertion, SimulationError

STORE = "mad.wide.u32 %rd9, %t, 4, %y; st.global.b32 [%rd9], %r1;"


def test_divergent_branch_rejoins(run):
    y = np.zeros(64, np.int32)
    body = f"""
    and.b32 %r2, %t, 1; setp.eq.u32 %p1, %r2, 0;
    @%p1 bra EVEN;
    mul.lo.u32 %r1, %t, 10; bra.uni JOIN;
    EVEN: add.u32 %r1, %t, 1000;
    JOIN: add.u32 %r1, %r1, 1; {STORE}
    """
    run(body, y=y, block=64)
    t = np.arange(64)
    np.testing.assert_array_equal(y, np.where(t % 2, t * 10, t + 1000) + 1)


def test_loop_with_a_trip_count_per_thread(run):
    y = np.zeros(64, np.int32)
    body = f"""
    mov.u32 %r1, 0; mov.u32 %r2, 0;
    LOOP: setp.ge.u32 %p1, %r2, %t; @%p1 bra DONE;
    add.u32 %r2, %r2, 1; add.u32 %r1, %r1, %r2; bra LOOP;
    DONE: {STORE}
    """
    run(body, y=y, block=64)
    t = np.arange(64)
    np.testing.assert_array_equal(y, t * (t + 1) // 2)


def test_guard_applies_to_any_instruction(run):
    y = np.zeros(32, np.int32)
    run(f"setp.lt.u32 %p1, %t, 5; mov.u32 %r1, 1; @!%p1 mov.u32 %r1, 2; {STORE}", y=y)
    np.testing.assert_array_equal(y, np.where(np.arange(32) < 5, 1, 2))


def test_guarded_exit_ends_some_threads(run):
    y = np.zeros(32, np.int32)
    run(f"mov.u32 %r1, 7; setp.ge.u32 %p1, %t, 20; @%p1 exit; {STORE}", y=y)
    np.testing.assert_array_equal(y, np.where(np.arange(32) < 20, 7, 0))


def test_indexed_branch(run):
    y = np.zeros(32, np.int32)
    body = f"""
    and.b32 %r2, %t, 3; mov.u32 %r1, 0;
    TABLE: .branchtargets A, B, C, D;
    brx.idx %r2, TABLE;
    A: add.u32 %r1, %r1, 1;
    B: add.u32 %r1, %r1, 10;
    C: add.u32 %r1, %r1, 100;
    D: {STORE}
    """
    run(body, y=y)
    np.testing.assert_array_equal(y, [111, 110, 100, 0] * 8)


def test_scopes_have_their_own_registers_and_labels(run):
    y = np.zeros(32, np.int32)
    body = f"""
    mov.u32 %r1, 5;
    {{ .reg .b32 %r1; .reg .pred %p1;
    setp.gt.u32 %p1, %t, 3; @%p1 bra L; mov.u32 %r1, 9; L: mov.u32 %r2, %r1; }}
    {{ .reg .b32 %r1; bra L; mov.u32 %r2, 1; L: mov.u32 %r1, 0; }}
    {STORE}
    """
    run(body, y=y)
    np.testing.assert_array_equal(y, 5)


FUNCTION = """
.func (.param .b32 result) weigh (.param .b32 first, .param .align 4 .b8 second[8])
{
    .reg .b32 %r<8>;
    .reg .pred %p<2>;
    ld.param.b32 %r1, [first];
    ld.param.b32 %r2, [second+4];
    setp.lt.u32 %p1, %r1, 16;
    @%p1 bra SMALL;
    mul.lo.u32 %r3, %r1, %r2;
    st.param.b32 [result], %r3;
    ret;
SMALL:
    st.param.b32 [result], %r2;
    ret;
}
"""


def test_device_function_with_divergent_returns(run):
    y = np.zeros(32, np.int32)
    body = f"""
    {{ .param .b32 p0; .param .align 4 .b8 p1[8]; .param .b32 back;
    st.param.b32 [p0], %t; st.param.b32 [p1+4], 3;
    call.uni (back), weigh, (p0, p1);
    ld.param.b32 %r1, [back]; }}
    {STORE}
    """
    run(body, y=y, declarations=FUNCTION)
    t = np.arange(32)
    np.testing.assert_array_equal(y, np.where(t < 16, 3, 3 * t))


def test_device_function_with_register_parameters(run):
    y = np.zeros(32, np.int32)
    declarations = ".func (.reg .b32 %d) twice (.reg .b32 %s) { add.u32 %d, %s, %s; ret; }"
    run(f"call (%r1), twice, (%t); {STORE}", y=y, declarations=declarations)
    np.testing.assert_array_equal(y, 2 * np.arange(32))


def test_recursion_is_refused(run):
    declarations = ".func forever () { call forever; ret; }"
    with pytest.raises(SimulationError, match="'forever' is recursive"):
        run("call forever;", declarations=declarations)


def test_unknown_function_is_an_error(run):
    with pytest.raises(SimulationError, match="malloc has no body"):
        run("call malloc;", declarations=".extern .func malloc ();")


def test_unknown_label_is_an_error(run):
    with pytest.raises(SimulationError, match=r"unknown label; PTX line \d+: bra NOWHERE;"):
        run("bra NOWHERE;")


def test_trap_names_the_thread(run):
    with pytest.raises(SimulationError, match=r"trap by thread \(3,0,0\) of CTA \(0,0,0\)"):
        run("setp.eq.u32 %p1, %t, 3; @%p1 trap;")


def test_failed_assertion_reads_its_strings(run):
    declarations = """
    .extern .func __assertfail
    (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e) .noreturn;
    .global .align 1 .b8 message[6] = {120, 32, 62, 32, 48};
    .global .align 1 .b8 file[5] = {97, 46, 112, 121};
    """
    body = """
    setp.lt.u32 %p1, %t, 9; @%p1 bra FINE;
    { .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;
    mov.b64 %rd1, message; cvta.global.u64 %rd2, %rd1; st.param.b64 [p0], %rd2;
    mov.b64 %rd3, file; cvta.global.u64 %rd4, %rd3; st.param.b64 [p1], %rd4;
    st.param.b32 [p2], 42; st.param.b64 [p3], %rd2; st.param.b64 [p4], 1;
    call.uni __assertfail, (p0, p1, p2, p3, p4); }
    trap;
    FINE:
    """
    with pytest.raises(DeviceAssertion) as error:
        run(body, declarations=declarations)
    expected = "a.py:42: assertion failed in k: x > 0 (thread (9,0,0) of CTA (0,0,0))"
    assert str(error.value) == expected


@pytest.mark.parametrize("seed", [None, *range(5)])
@pytest.mark.parametrize("block", [2, 96])
def test_threads_that_spin_do_not_starve_the_others(run, block, seed):
    """Of their warp, or of others, in whatever order warps run."""
    y = np.zeros(2, np.uint32)
    body = """
    setp.ne.u32 %p1, %t, 1; @!%p1 bra SET;
    SPIN: ld.global.acquire.gpu.b32 %r1, [%y]; setp.eq.u32 %p2, %r1, 0; @%p2 bra SPIN;
    st.global.b32 [%y+4], %r1; bra DONE;
    SET: st.global.release.gpu.b32 [%y], 5;
    DONE:
    """
    run(body, y=y, block=block, seed=seed)
    np.testing.assert_array_equal(y, [5, 5])


def test_statistics_count_instructions_and_threads(run):
    plain = run("add.u32 %r1, %t, 1;", block=64)
    more = run("add.u32 %r1, %t, 1; add.u32 %r1, %r1, 1;", block=64)
    assert more.instructions == plain.instructions + 1
    assert more.thread_instructions == plain.thread_instructions + 64


def test_printf_formats_its_arguments(run, capsys):
    declarations = """
    .extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
    .global .align 1 .b8 word[3] = {111, 107};
    .global .align 1 .b8 format[20] = {37, 100, 32, 37, 115, 32, 37, 46, 50, 102, 32, 37, 108, 108,
        120, 10};
    """
    body = """
    .local .align 8 .b8 list[32];
    setp.ge.u32 %p1, %t, 2; @%p1 exit;
    mov.b64 %rd1, list; cvta.local.u64 %rd2, %rd1;
    sub.u32 %r1, %t, 5; st.local.b32 [list], %r1;
    mov.b64 %rd3, word; cvta.global.u64 %rd3, %rd3; st.local.b64 [list+8], %rd3;
    mov.b64 %rd4, 0d4004000000000000; st.local.b64 [list+16], %rd4;
    mov.b64 %rd5, 0xABC; st.local.b64 [list+24], %rd5;
    { .param .b64 p0; .param .b64 p1; .param .b32 back;
    mov.b64 %rd6, format; cvta.global.u64 %rd7, %rd6; st.param.b64 [p0], %rd7;
    st.param.b64 [p1], %rd2; call.uni (back), vprintf, (p0, p1); }
    """
    run(body, declarations=declarations)
    assert capsys.readouterr().out == "-5 ok 2.50 abc\n-4 ok 2.50 abc\n"
