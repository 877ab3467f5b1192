"""How long compiling takes: warm in one process, and as whole processes.

    python bench/compile.py [FILE]

Prints medians in milliseconds. A warm compile goes from the file to PTX in a process that has
compiled it before, without a cache; a whole process starts Python, loads MLIR and compiles.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pto import compiler

EXAMPLE = Path(__file__).parent.parent / "examples" / "tcolprod.pto"


def median_ms(run: Callable[[], object], repeats: int) -> float:
    """The median wall-clock time of `run`, after one call that is not timed."""
    run()
    times: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def process(*command: str) -> Callable[[], object]:
    """Runs a command of this environment."""
    tools = Path(sys.executable).parent
    return lambda: subprocess.run(
        [tools / command[0], *command[1:]], check=True, capture_output=True
    )


def main() -> None:
    """Prints one line per measurement."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else EXAMPLE
    emit = ("pto", "compile", str(source), "--target", "sm_90a", "--emit", "ptx")
    rows = {
        f"warm compile of {source.name} to PTX": median_ms(
            lambda: compiler.emit(source, form="ptx", target="sm_90a"), 30
        ),
        "pto-opt --version": median_ms(process("pto-opt", "--version"), 10),
        f"pto-opt {source.name} --pto-to-ptx": median_ms(
            process("pto-opt", str(source), "--pto-to-ptx"), 10
        ),
        f"pto compile {source.name} --emit ptx": median_ms(process(*emit), 10),
    }
    for name, milliseconds in rows.items():
        print(f"{milliseconds:8.1f} ms  {name}")


if __name__ == "__main__":
    main()
