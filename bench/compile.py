"""How long compiling takes: all examples, kernels of many tile ops, and whole processes.

    python bench/compile.py [FILE]

Milliseconds, the least of several runs, on one core: what else the machine does only adds to it. A
warm compile goes from text to PTX in a process that has compiled the
program before, without a cache; a whole process starts Python, loads MLIR and compiles. With FILE
only that program is compiled.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pto import compiler

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "test"))

import long_kernels  # noqa: E402

EXAMPLE = ROOT / "examples" / "tcolprod.pto"
GOAL = 100.0
"""Milliseconds."""
OPS = (50, 100, 200, 500)


def least_ms(run: Callable[[], object], repeats: int) -> float:
    """The least wall-clock time of `run`, after one call that is not timed."""
    run()
    times: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


def warm_ms(source: Path | str, repeats: int) -> float:
    """A compile to PTX, once the process has compiled the program."""
    return least_ms(lambda: compiler.emit(source, form="ptx", target="sm_90a"), repeats)


def process(*command: str) -> Callable[[], object]:
    """Runs a command of this environment."""
    tools = Path(sys.executable).parent
    return lambda: subprocess.run(
        [tools / command[0], *command[1:]], check=True, capture_output=True
    )


def examples() -> None:
    """Every example, and how many of them reach the goal."""
    found: list[float] = []
    for source in sorted((ROOT / "examples").iterdir()):
        if source.suffix in (".pto", ".mlir"):
            found.append(warm_ms(source, 10))
            print(f"{found[-1]:8.1f} ms  {source.name}")
    good = sum(milliseconds < GOAL for milliseconds in found)
    print(f"{good} of {len(found)} examples in less than {GOAL:.0f} ms")


def long() -> None:
    """Kernels of many tile ops."""
    for what, is_dynamic in (("static sizes", False), ("sizes known at run time", True)):
        for ops in OPS:
            milliseconds = warm_ms(long_kernels.text(ops, is_dynamic=is_dynamic), 3)
            each = milliseconds / ops
            print(f"{milliseconds:8.1f} ms  {ops} tile ops, {what}: {each:.2f} ms per op")


def processes(source: Path) -> None:
    """From the shell."""
    emit = ("pto", "compile", str(source), "--target", "sm_90a", "--emit", "ptx")
    rows = {
        "pto-opt --version": ("pto-opt", "--version"),
        f"pto-opt {source.name} --pto-to-ptx": ("pto-opt", str(source), "--pto-to-ptx"),
        f"pto compile {source.name} --emit ptx": emit,
    }
    for name, command in rows.items():
        print(f"{least_ms(process(*command), 10):8.1f} ms  {name}")


def main() -> None:
    """Prints one line per measurement."""
    if len(sys.argv) > 1:
        source = Path(sys.argv[1])
        print(f"{warm_ms(source, 30):8.1f} ms  warm compile of {source.name} to PTX")
        processes(source)
        return
    examples()
    long()
    processes(EXAMPLE)


if __name__ == "__main__":
    main()
