"""`pto` in this process, and a compiler whose answers a test decides."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

import pto
from pto.cli.main import app
from pto.runtime import Argument, Kernel, gpu

# x[i] = 2 * x[i] for the 4 elements of x.
DOUBLE = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry double(.param .u64 x, .param .u64 x_size, .param .u64 x_stride)
{
    .reg .f32 %f<3>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [x];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.f32 %f1, [%rd3];
    add.rn.f32 %f2, %f1, %f1;
    st.global.f32 [%rd3], %f2;
    ret;
}
"""


@pytest.fixture
def pto_cli():
    """`pto_cli("run", "k.pto")`: its exit code, stdout and stderr."""
    runner = CliRunner()
    return lambda *arguments: runner.invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def program(tmp_path):
    """A file that stands for a program; the compiler of `doubling` does not look into it."""
    path = tmp_path / "double.pto"
    path.write_text("// doubles")
    return path


@pytest.fixture
def doubling(monkeypatch):
    """A compiler whose only program doubles four floats, and whose reference agrees.

    `--device auto` is the simulator, on machines with a GPU too.
    """

    def reference(source, *, kernel, arguments, grid):
        arguments[0] *= np.float32(2)

    decision = SimpleNamespace(
        kernel="double",
        op="tirx.prod",
        location="double.pto:1:1",
        chosen="fold",
        detail="",
        rejected=(("shared", ("order_is_free: the reduction is strict", "too few rows")),),
    )
    barrier = SimpleNamespace(
        kernel="double",
        op="pto.tadd",
        location="double.pto:2:1",
        because="tadd at 2:1 reads what tload at 1:1 wrote",
    )
    arguments = (Argument("x", "view", "f32", (4,)),)
    compiler = SimpleNamespace(
        compile=lambda source, *, target, kernel, block, cluster: Kernel(
            "double",
            DOUBLE,
            target or "sm_90a",
            arguments,
            block=block or 4,
            shared_bytes=0,
            grid=1,
        ),
        explain=lambda source, *, target: [decision],
        barriers=lambda source, *, target: [barrier],
        emit=lambda source, *, target, form: b"\x7fELF" if form == "cubin" else f"// {form}\n",
        reference=reference,
    )
    monkeypatch.setattr(gpu, "device_count", lambda: 0)
    monkeypatch.setitem(sys.modules, "pto.compiler", compiler)
    monkeypatch.setattr(pto, "compiler", compiler, raising=False)
    return compiler
