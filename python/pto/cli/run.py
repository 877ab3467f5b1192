"""`pto run`: run a kernel on arrays, show what came out, and check it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pto.errors import PtoError

from .console import line, table
from .options import File, Target, choose, program

if TYPE_CHECKING:
    import numpy as np

    from pto.compiler import Decision
    from pto.runtime import Kernel

    Array = np.ndarray[Any, Any]
    Value = Array | np.generic


def run(
    file: File,
    kernel: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which kernel.", show_default="the only one"),
    ] = None,
    grid: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="How many CTAs.",
            show_default="the kernel's pto.grid, else the number of multiprocessors, 8 on sim",
        ),
    ] = None,
    block: Annotated[
        int | None,
        typer.Option(metavar="N", help="Threads per CTA.", show_default="the kernel's"),
    ] = None,
    cluster: Annotated[
        int | None,
        typer.Option(metavar="N", help="CTAs per cluster.", show_default="the kernel's"),
    ] = None,
    device: Annotated[
        str,
        typer.Option(
            metavar="auto|gpu|sim|ref",
            help="GPU, PTX simulator, or the reference (no code is generated). "
            "auto is the GPU if there is one, else the simulator.",
        ),
    ] = "auto",
    target: Target = None,
    arg: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SPEC",
            help="The next argument of the kernel: x.npy, x.npy:bf16, rand:16x16xf32[:SEED], "
            "zeros:SHAPE, ones:SHAPE, full:VALUE:SHAPE, or a scalar such as i32:5. rand makes "
            "floats in [0.5, 1.5], integers that are odd and small, of both signs if signed.",
        ),
    ] = None,
    save: Annotated[
        list[str] | None,
        typer.Option(
            metavar="K=OUT.npy", help="Write argument K (position from 0, or name) afterwards."
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Compare with the reference: every bit, or, if an op has fastmath<reassoc>, up "
            "to the rounding error of as many steps as an argument has rows.",
        ),
    ] = False,
) -> None:
    """Run a kernel on arrays.

    Arrays are modified in place; those that the run changed are shown as outputs.
    """
    from pto import compiler
    from pto.runtime import gpu

    from . import devices, specs

    place = choose("--device", device, devices.DEVICES)
    if check and place == "ref":
        raise PtoError("--check compares with the reference, which --device ref is itself")
    source = program(file)
    values = [specs.parse_argument(spec, position) for position, spec in enumerate(arg or ())]
    inputs = [value.copy() for value in values]
    place = devices.find(place)

    if place == "ref":
        names, own_grid = devices.signature(source, kernel, len(values))
        saves = [specs.parse_save(spec, names) for spec in save or ()]
        grid = devices.grid(own_grid, grid, place)
        line(f"{file} on the reference: {_count(grid, 'CTA')}")
        compiler.reference(source, kernel=kernel, arguments=values, grid=grid)
    else:
        if place == "gpu" and target is None:
            target = gpu.best_target(0)
        compiled = compiler.compile(
            source, target=target, kernel=kernel, block=block, cluster=cluster
        )
        names = [argument.name for argument in compiled.arguments]
        saves = [specs.parse_save(spec, names) for spec in save or ()]
        grid = devices.grid(compiled.grid, grid, place, compiled.cluster)
        _show_kernel(compiled, grid, devices.NAMES[place])
        _show_arguments(compiled, arg or ())
        _show_variants(compiler.explain(source, target=target), compiled)
        devices.launch(compiled, values, grid, place)

    _show_outputs(names, inputs, values)
    for position, path in saves:
        specs.save(path, values[position])
    if check and not _check(source, kernel, grid, names, inputs, values):
        raise typer.Exit(1)


def _show_kernel(kernel: Kernel, grid: int, device: str) -> None:
    clusters = f" in clusters of {kernel.cluster}" if kernel.cluster > 1 else ""
    line(
        f"{kernel.name} on the {device}: {kernel.target}, {_count(grid, 'CTA')}{clusters} of "
        f"{_count(kernel.block, 'thread')}, {_count(kernel.shared_bytes, 'byte')} of shared memory"
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _show_arguments(kernel: Kernel, specs: Sequence[str]) -> None:
    rows = [(a.name, a.type, spec) for a, spec in zip(kernel.arguments, specs, strict=False)]
    if rows:
        line()
        table(("argument", "type", "value"), rows)


def _show_variants(decisions: Sequence[Decision], kernel: Kernel) -> None:
    rows = [
        (d.op, d.location, f"{d.chosen} ({d.detail})" if d.detail else d.chosen)
        for d in decisions
        if d.kernel == kernel.name
    ]
    if rows:
        line()
        table(("op", "location", "variant"), rows)


def _show_outputs(names: Sequence[str], before: Sequence[Value], after: Sequence[Value]) -> None:
    """The arrays whose bits a run has changed."""
    import numpy as np

    rows = [
        (name, "x".join(map(str, new.shape)), str(new.dtype), _few(new))
        for name, old, new in zip(names, before, after, strict=True)
        if isinstance(new, np.ndarray) and new.tobytes() != old.tobytes()
    ]
    line()
    if rows:
        table(("output", "shape", "dtype", "values"), rows)
    else:
        line("no array was changed")


def _few(array: Array) -> str:
    """The first values, in row-major order."""
    shown = " ".join(f"{value:.6g}" for value in array.flat[:6].tolist())
    return shown + (" ..." if array.size > 6 else "")


def _check(
    source: Path,
    kernel: str | None,
    grid: int,
    names: Sequence[str],
    inputs: Sequence[Value],
    results: Sequence[Value],
) -> bool:
    """Whether every array is what the reference makes of the same inputs; says so."""
    import numpy as np

    from pto import compiler

    from .check import compare, reassociates, tolerance

    expected = [value.copy() for value in inputs]
    compiler.reference(source, kernel=kernel, arguments=expected, grid=grid)
    steps = max((_rows(value) for value in inputs), default=1) if reassociates(source) else None
    comparisons = [
        (name, got, want, compare(got, want, steps))
        for name, got, want in zip(names, results, expected, strict=True)
        if isinstance(got, np.ndarray) and isinstance(want, np.ndarray)
    ]
    absolute = max((c.absolute for *_, c in comparisons), default=0.0)
    relative = max((c.relative for *_, c in comparisons), default=0.0)
    errors = f"largest error: absolute {absolute:.3g}, relative {relative:.3g}"
    line()
    for name, got, want, comparison in comparisons:
        if comparison.wrong is not None:
            index = ", ".join(map(str, comparison.wrong))
            values = f"{got[comparison.wrong]}, the reference has {want[comparison.wrong]}"
            line(f"MISMATCH {name}[{index}] is {values}; {errors}", "bold red")
            return False
    if all(comparison.bit_equal for *_, comparison in comparisons):
        line(f"OK bit-equal to the reference; {errors}", "bold green")
        return True
    dtypes = {got.dtype for _, got, _, comparison in comparisons if not comparison.bit_equal}
    allowed = ", ".join(f"{tolerance(dtype, steps or 1):.3g} for {dtype}" for dtype in dtypes)
    line(f"OK {errors}; allowed in any order of {steps} steps: {allowed}", "bold green")
    return True


def _rows(value: Value) -> int:
    import numpy as np

    return value.shape[0] if isinstance(value, np.ndarray) and value.ndim else 1
