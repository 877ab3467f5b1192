"""`pto compile`, `explain`, `ops`, and the command as a process."""

import os
import subprocess
import sys

import pytest

from pto.dtypes import DTYPES


@pytest.mark.parametrize("form", ["tirx", "dispatch", "nvvm", "llvm", "ptx"])
def test_compile_prints_text(pto_cli, program, doubling, form):
    assert pto_cli("compile", program, "--emit", form).stdout == f"// {form}\n"


def test_compile_writes_a_file(pto_cli, program, doubling, tmp_path):
    done = pto_cli("compile", program, "--emit", "cubin", "-o", tmp_path / "k.cubin")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (tmp_path / "k.cubin").read_bytes() == b"\x7fELF"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--emit", "sass"), "--emit sass: it is one of tirx, dispatch, nvvm, llvm, ptx, cubin"),
        (("--emit", "cubin"), "--emit cubin makes a binary file: say where with -o OUT"),
        (("-o", "no/such/k.ptx"), "no/such/k.ptx: cannot be written: No such file or directory"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_1(pto_cli, program, doubling, options, message):
    done = pto_cli("compile", program, *options)
    assert (done.exit_code, done.stderr) == (1, f"error: {message}\n")


def test_explain_lists_every_variant_with_its_reasons(pto_cli, program, doubling):
    assert pto_cli("explain", program).stdout.splitlines()[:3] == [
        "kernel  location        op         variant            reasons",
        "double  double.pto:1:1  tirx.prod  fold     chosen",
        "                                   shared   rejected  "
        "order_is_free: the reduction is strict; too few rows",
    ]


def test_explain_says_what_each_barrier_is_for(pto_cli, program, doubling):
    assert pto_cli("explain", program).stdout.splitlines()[4:] == [
        "kernel  location        barrier   because",
        "double  double.pto:2:1  pto.tadd  tadd at 2:1 reads what tload at 1:1 wrote",
    ]


def test_explain_of_a_program_without_barriers_says_so(pto_cli, program, doubling):
    doubling.barriers = lambda source, *, target: []
    assert pto_cli("explain", program).stdout.splitlines()[-1].startswith("no barriers: ")


def test_explain_of_nothing_says_so(pto_cli, program, doubling):
    doubling.explain = lambda source, *, target: []
    assert pto_cli("explain", program).stdout.startswith("nothing to choose")


def test_ops_shows_meaning_types_primitive_and_status(pto_cli, monkeypatch):
    from pto.ops import status

    counts = {dtype: status.Count(5, 5) for dtype in DTYPES}
    monkeypatch.setattr(status, "load", lambda: {"simulator": {"pto.tcolprod": counts}})
    lines = pto_cli("ops").stdout.splitlines()
    (row,) = (line.split() for line in lines if line.startswith("pto.tcolprod "))
    assert row == [
        *("pto.tcolprod", "the", "product", "of", "each", "column", "tile", "tirx.prod", "all"),
        *("f16", "f32", "i16", "i32"),
        *("f16", "f32", "bf16", "i16", "ui16", "i32", "ui32"),
        *("60", "cases", "not", "run"),
    ]
    assert "all: " + " ".join(DTYPES) in lines


def test_output_in_a_pipe_is_plain_and_not_cut_at_80_columns():
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm-256color"}
    done = subprocess.run(
        [sys.executable, "-m", "pto", "ops"], capture_output=True, text=True, env=environment
    )
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) > 80


def test_help_imports_neither_mlir_nor_numpy():
    program = (
        "import sys; sys.argv = ['pto', '--help']\n"
        "from pto.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({m.partition('.')[0] for m in sys.modules} & {'mlir', 'numpy', 'lark'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
    for command in ("run", "compile", "explain", "ops"):
        assert command in done.stdout
