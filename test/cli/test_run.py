"""`pto run` around a compiler that only knows how to double four floats."""

import sys

import numpy as np
import pytest

from pto.errors import CompileError


def test_what_a_run_prints(pto_cli, program, doubling):
    done = pto_cli("run", program, "--arg", "full:1.5:4xf32", "--check")
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "double on the simulator: sm_90a, 1 CTA of 4 threads, 0 bytes of shared memory",
        "",
        "argument  type   value",
        "x         4xf32  full:1.5:4xf32",
        "",
        "op         location        variant",
        "tirx.prod  double.pto:1:1  fold",
        "",
        "output  shape  dtype    values",
        "x       4      float32  3 3 3 3",
        "",
        "OK bit-equal to the reference; largest error: absolute 0, relative 0",
    ]
    assert done.exit_code == 0


def test_an_array_that_is_not_changed_is_no_output(pto_cli, program, doubling):
    done = pto_cli("run", program, "--arg", "zeros:4xf32")
    assert "no array was changed" in done.stdout


def test_a_mismatch_names_the_first_wrong_element(pto_cli, program, doubling):
    def wrong(source, *, kernel, arguments, grid):
        arguments[0][:] = [2, 2, 4, 2]

    doubling.reference = wrong
    done = pto_cli("run", program, "--arg", "ones:4xf32", "--check")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[-1] == (
        "MISMATCH x[2] is 2.0, the reference has 4.0; largest error: absolute 2, relative 0.5"
    )


def test_an_open_order_is_accepted_within_the_stated_tolerance(pto_cli, program, doubling):
    def rounded_otherwise(source, *, kernel, arguments, grid):
        arguments[0][:] = 2 + 2 * np.finfo(np.float32).eps

    doubling.reference = rounded_otherwise
    program.write_text("fastmath<reassoc>")
    done = pto_cli("run", program, "--arg", "ones:4xf32", "--check")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == (
        "OK largest error: absolute 2.38e-07, relative 1.19e-07; "
        "allowed in any order of 4 steps: 4.77e-07 for float32"
    )


def test_the_reference_sees_the_inputs_and_the_grid(pto_cli, program, doubling):
    seen = {}

    def reference(source, *, kernel, arguments, grid):
        seen.update(kernel=kernel, x=arguments[0].tolist(), grid=grid)
        arguments[0] *= 2

    doubling.reference = reference
    pto_cli("run", program, "--kernel", "double", "--grid", 1, "--arg", "ones:4xf32", "--check")
    assert seen == {"kernel": "double", "x": [1, 1, 1, 1], "grid": 1}


def test_save_writes_an_argument(pto_cli, program, doubling, tmp_path):
    pto_cli("run", program, "--arg", "ones:4xf32", "--save", f"x={tmp_path}/x.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), np.full(4, 2, np.float32))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--arg", "ones:4xf16"), "kernel 'double', argument 'x': expected elements of type f32"),
        ((), "kernel 'double' takes 1 argument (x: 4xf32), not 0"),
        (("--arg", "ones:4"), "--arg ones:4 (argument 0): '4' is no element type"),
        (("--arg", "ones:4xf32", "--save", "y=o.npy"), "--save y=o.npy: no argument 'y'"),
        (("--arg", "ones:4xf32", "--save", "0=no/such/o.npy"), "no/such/o.npy: cannot be written"),
        (("--arg", "ones:4xf32", "--grid", "0"), "the grid is 1 to 2147483647 CTAs, not 0"),
        (("--device", "tpu"), "--device tpu: it is one of auto, gpu, sim, ref"),
        (("--device", "ref", "--check"), "--check compares with the reference, which"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_1(pto_cli, program, doubling, options, message):
    done = pto_cli("run", program, *options)
    assert done.exit_code == 1
    assert done.stderr.startswith("error: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_gpu_that_is_not_there(pto_cli, program, doubling, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    done = pto_cli("run", program, "--arg", "ones:4xf32", "--device", "gpu")
    assert done.exit_code == 1
    assert "needs CuPy" in done.stderr


def test_a_missing_program(pto_cli, tmp_path):
    done = pto_cli("run", tmp_path / "nope.pto")
    assert (done.exit_code, done.stderr) == (1, f"error: {tmp_path}/nope.pto: no such file\n")


def test_a_directory_is_no_program(pto_cli, tmp_path):
    assert "is a directory" in pto_cli("run", tmp_path).stderr


def test_a_located_message_is_printed_as_it_is(pto_cli, program, doubling):
    def fails(*_, **__):
        raise CompileError("double.pto:1:2: error: no such op")

    doubling.compile = fails
    done = pto_cli("run", program)
    assert (done.exit_code, done.stderr) == (1, "double.pto:1:2: error: no such op\n")


@pytest.mark.parametrize("as_option", [True, False])
def test_a_traceback_only_when_asked_for(pto_cli, tmp_path, monkeypatch, as_option):
    if not as_option:
        monkeypatch.setenv("PTO_SHOW_INTERNALS", "1")
    done = pto_cli(*["--traceback"] * as_option, "run", tmp_path / "nope.pto")
    assert str(done.exception) == f"{tmp_path}/nope.pto: no such file"
