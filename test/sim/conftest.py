"""Small PTX kernels for the tests: `run` executes a body, `compute` one instruction per element."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pytest

from pto.sim import Buffer, Stats, launch

HEADER = """
.version 8.7
.target sm_100a
.address_size 64
{declarations}
.visible .entry k({params}) {limits}
{{
    .reg .pred %p<16>;
    .reg .b16 %rs<16>;
    .reg .b32 %r<32>;
    .reg .b64 %rd<32>;
    .reg .b32 %t;
    .reg .b64 {names};
    {loads}
    mov.u32 %t, %tid.x;
"""


class Run(Protocol):
    def __call__(
        self,
        body: str,
        *,
        block: int | tuple[int, int, int] = 32,
        grid: int | tuple[int, int, int] = 1,
        declarations: str = "",
        shared_bytes: int = 0,
        seed: int | None = None,
        check_uninitialized: bool = False,
        check_races: bool | None = None,
        cluster: int = 1,
        **buffers: np.ndarray[Any, Any],
    ) -> Stats: ...


class Compute(Protocol):
    def __call__(
        self, body: str, *inputs: np.ndarray[Any, Any], out: Any
    ) -> np.ndarray[Any, Any]: ...


def _run(
    body: str,
    *,
    block: int | tuple[int, int, int] = 32,
    grid: int | tuple[int, int, int] = 1,
    declarations: str = "",
    cluster: int = 1,
    **rest: Any,
) -> Stats:
    """Runs `body` with the address of each buffer in the register of its name, %tid.x in %t.

    `cluster`: CTAs per cluster.
    """
    options = {
        name: rest.pop(name)
        for name in ("shared_bytes", "seed", "check_uninitialized", "check_races")
        if name in rest
    }
    names = list(rest)
    ptx = HEADER.format(
        declarations=declarations,
        limits=f".explicitcluster .reqnctapercluster {cluster}" if cluster > 1 else "",
        params=", ".join(f".param .u64 param_{name}" for name in names),
        names=", ".join(f"%{name}" for name in [*names, "unused"]),
        loads="".join(f"ld.param.u64 %{name}, [param_{name}];\n" for name in names),
    )
    return launch(
        ptx + body + "\nret;\n}\n",
        "k",
        [Buffer(name, data.reshape(-1).view(np.uint8)) for name, data in rest.items()],
        grid=(grid, 1, 1) if isinstance(grid, int) else grid,
        block=(block, 1, 1) if isinstance(block, int) else block,
        **options,
    )


def _compute(body: str, *inputs: np.ndarray[Any, Any], out: Any) -> np.ndarray[Any, Any]:
    """Runs `body` with element i of the inputs in %a, %b, %c of thread i; collects %d."""
    letters = "abc"[: len(inputs)]
    result = np.zeros(inputs[0].size, out)
    registers, loads = [], []
    for letter, data in zip(letters, inputs, strict=True):
        bits = 8 * data.itemsize
        registers.append(f".reg .b{max(bits, 16)} %{letter};")
        loads.append(
            f"mad.wide.u32 %rd1, %t, {data.itemsize}, %in_{letter};"
            f"ld.global.b{bits} %{letter}, [%rd1];"
        )
    bits = 8 * result.itemsize
    registers.append(f".reg .b{max(bits, 16)} %d;")
    store = f"mad.wide.u32 %rd1, %t, {result.itemsize}, %result; st.global.b{bits} [%rd1], %d;"
    _run(
        "\n".join([*registers, *loads, body, store]),
        block=result.size,
        **{f"in_{letter}": data for letter, data in zip(letters, inputs, strict=True)},
        result=result,
    )
    return result


@pytest.fixture
def run() -> Run:
    return _run


@pytest.fixture
def compute() -> Compute:
    return _compute


@pytest.fixture
def ptx() -> Any:
    """Reads a file of `test/sim/ptx`."""
    return lambda name: (Path(__file__).parent / "ptx" / f"{name}.ptx").read_text()
