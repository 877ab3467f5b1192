"""The commands on the programs in `examples/`, through the real compiler."""

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import pto

EXAMPLES = Path(__file__).parents[2] / "examples"
TCOLPROD = EXAMPLES / "tcolprod.pto"
GRID = EXAMPLES / "colprod_grid.pto"
CHIPS = ("sm_80", "sm_90", "sm_90a", "sm_100a", "sm_120a")


def run(pto_cli, program, *options, device="sim"):
    done = pto_cli("run", program, "--device", device, *options)
    assert (done.stderr, done.exit_code) == ("", 0)
    return done.stdout.splitlines()


def test_tcolprod_has_the_bits_of_the_reference(pto_cli):
    lines = run(pto_cli, TCOLPROD, "--arg", "rand:16x16xf32", "--arg", "zeros:16xf32", "--check")
    assert lines[0].startswith("tcolprod on the simulator: sm_90a, 1 CTA of ")
    assert any(line.startswith("tirx.prod ") and line.endswith("  fold") for line in lines)
    assert lines[-1] == "OK bit-equal to the reference; largest error: absolute 0, relative 0"


@pytest.mark.parametrize("grid", [(), ("--grid", 1), ("--grid", 5)])
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (64, 128), (130, 257)])
def test_colprod_grid_is_right_for_ragged_matrices_and_any_grid(pto_cli, rows, columns, grid):
    arguments = ("--arg", f"rand:{rows}x{columns}xf32", "--arg", f"zeros:1x{columns}xf32")
    lines = run(pto_cli, GRID, *arguments, *grid, "--check")
    assert lines[-1].startswith("OK bit-equal")


def test_the_reference_runs_a_program_on_the_files_of_a_run(pto_cli, tmp_path):
    x, y = tmp_path / "x.npy", tmp_path / "y.npy"
    np.save(x, np.full((16, 16), 2, np.float32))
    lines = run(
        pto_cli, TCOLPROD, "--arg", x, "--arg", "zeros:16xf32", "--save", f"y={y}", device="ref"
    )
    assert lines[0] == f"{TCOLPROD} on the reference: 1 CTA"
    np.testing.assert_array_equal(np.load(y), np.full(16, 2.0**16, np.float32))


def test_a_bf16_file_goes_in_and_out(pto_cli, tmp_path):
    program = tmp_path / "bf16.pto"
    program.write_text(TCOLPROD.read_text().replace("f32", "bf16"))
    x, y = tmp_path / "x.npy", tmp_path / "y.npy"
    np.save(x, np.full((16, 16), 1.5, ml_dtypes.bfloat16))
    arguments = ("--arg", f"{x}:bf16", "--arg", "zeros:16xbf16")
    run(pto_cli, program, *arguments, "--save", f"y={y}", "--check")
    saved = np.load(y).view(ml_dtypes.bfloat16)
    product = ml_dtypes.bfloat16(1.5)
    for _ in range(15):
        product = product * ml_dtypes.bfloat16(1.5)
    assert (saved == product).all()


@pytest.mark.parametrize("chip", CHIPS)
def test_compile_to_ptx_for_every_chip(pto_cli, chip):
    done = pto_cli("compile", TCOLPROD, "--target", chip)
    assert (done.stderr, done.exit_code) == ("", 0)
    assert f".target {chip}\n" in done.stdout


@pytest.mark.parametrize(
    ("form", "line"),
    [("tirx", "tirx.prod"), ("nvvm", "nvvm.target"), ("llvm", "define ptx_kernel void @tcolprod")],
)
def test_compile_to_an_intermediate_form(pto_cli, form, line):
    assert line in pto_cli("compile", TCOLPROD, "--emit", form).stdout


def test_explain_says_why_the_other_variants_were_not_chosen(pto_cli):
    lines = pto_cli("explain", TCOLPROD).stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if " tirx.prod " in line)
    assert lines[at].split()[-2:] == ["fold", "chosen"]
    rejected = [line for line in lines[at + 1 :] if line.split()[:2] == ["shared", "rejected"]]
    assert "fastmath<reassoc>" in rejected[0]


@pytest.mark.parametrize("command", ["run", "compile", "explain"])
def test_an_error_in_a_program_is_located(pto_cli, tmp_path, command):
    program = tmp_path / "bad.pto"
    program.write_text("pto.kernel @k() {\n  %x = tcolprud\n}\n")
    done = pto_cli(command, program)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{program}:2:")
    assert ": error: " in done.stderr


def test_an_unknown_chip_lists_the_known_ones(pto_cli):
    done = pto_cli("compile", TCOLPROD, "--target", "sm_99")
    assert (done.exit_code, done.stderr) == (
        1,
        f"error: unknown target 'sm_99'; it is one of {', '.join(CHIPS)}\n",
    )


def test_an_unknown_kernel_lists_the_known_ones(pto_cli):
    done = pto_cli("run", TCOLPROD, "--kernel", "nope")
    assert done.exit_code == 1
    assert "no kernel 'nope'; it has tcolprod" in done.stderr


def test_pto_compile_makes_a_kernel_that_goes_through_json():
    kernel = pto.compile(TCOLPROD, target="sm_100a")
    fields = json.loads(kernel.to_json())
    assert (fields["name"], fields["target"], fields["grid"]) == ("tcolprod", "sm_100a", 1)
    x, y = np.full((16, 16), 2, np.float32), np.zeros(16, np.float32)
    pto.Kernel.from_json(kernel.to_json())(x, y)
    np.testing.assert_array_equal(y, np.full(16, 2.0**16, np.float32))
