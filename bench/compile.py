"""How long compiling takes: all examples, kernels of many tile ops, and whole processes.

    python bench/compile.py [FILE]

Milliseconds, the least of several runs, on one core: what else the machine does only adds to it. A
warm compile goes from text to PTX in a process that has compiled the program before, without a
cache; a whole process starts Python, loads MLIR and compiles. With FILE only that program is
compiled.
"""

import math
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from pto import compiler

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "test"))

import long_kernels  # noqa: E402

Name = TypeVar("Name")

EXAMPLE = ROOT / "examples" / "tcolprod.pto"
GOAL = 100.0
"""Milliseconds."""
OPS = (50, 100, 200, 500)


def least_ms(calls: Mapping[Name, Callable[[], object]], rounds: int) -> dict[Name, float]:
    """The least wall-clock time of each call after one that is not timed. They are called in turns,
    so that a second in which the machine is slow meets none of them alone."""
    least = dict.fromkeys(calls, math.inf)
    for number in range(rounds + 1):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            if number:
                least[name] = min(least[name], 1e3 * (time.perf_counter() - start))
    return least


def to_ptx(source: Path | str) -> Callable[[], object]:
    """Compiles a program."""
    return lambda: compiler.emit(source, form="ptx", target="sm_90a")


def process(*command: str) -> Callable[[], object]:
    """Runs a command of this environment."""
    tools = Path(sys.executable).parent
    return lambda: subprocess.run(
        [tools / command[0], *command[1:]], check=True, capture_output=True
    )


def examples() -> None:
    """Every example, and how many of them reach the goal."""
    sources = sorted((ROOT / "examples").glob("*.pto")) + sorted((ROOT / "examples").glob("*.mlir"))
    least = least_ms({source.name: to_ptx(source) for source in sources}, 10)
    for name, milliseconds in least.items():
        print(f"{milliseconds:8.1f} ms  {name}")
    good = sum(milliseconds < GOAL for milliseconds in least.values())
    print(f"{good} of {len(least)} examples in less than {GOAL:.0f} ms")


def long() -> None:
    """Kernels of many tile ops."""
    sizes = {"static sizes": False, "sizes known at run time": True}
    calls = {
        (ops, what): to_ptx(long_kernels.text(ops, is_dynamic=is_dynamic))
        for what, is_dynamic in sizes.items()
        for ops in OPS
    }
    for (ops, what), milliseconds in least_ms(calls, 4).items():
        each = milliseconds / ops
        print(f"{milliseconds:8.1f} ms  {ops} tile ops, {what}: {each:.2f} ms per op")


def processes(source: Path) -> None:
    """From the shell."""
    emit = ("pto", "compile", str(source), "--target", "sm_90a", "--emit", "ptx")
    calls = {
        "pto-opt --version": process("pto-opt", "--version"),
        f"pto-opt {source.name} --pto-to-ptx": process("pto-opt", str(source), "--pto-to-ptx"),
        f"pto compile {source.name} --emit ptx": process(*emit),
    }
    for name, milliseconds in least_ms(calls, 10).items():
        print(f"{milliseconds:8.1f} ms  {name}")


def main() -> None:
    """Prints one line per measurement."""
    if len(sys.argv) > 1:
        source = Path(sys.argv[1])
        milliseconds = least_ms({source.name: to_ptx(source)}, 30)[source.name]
        print(f"{milliseconds:8.1f} ms  warm compile of {source.name} to PTX")
        processes(source)
        return
    examples()
    long()
    processes(EXAMPLE)


if __name__ == "__main__":
    main()
