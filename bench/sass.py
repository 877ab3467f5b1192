"""What one thread's reduction of n f32 elements becomes in SASS.

    python bench/sass.py

For every target, operation and n: the arithmetic instructions, all instructions up to EXIT without
padding, and the longest chain of arithmetic in which each instruction needs the one before. Beside
them stand the figures of Apache TVM's TIRx 0.27 for the same reduction, read from the code that it
generates. Needs `pip install '.[bench]'` (nvidia-cuda-nvdisasm); no GPU.
"""

import re
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import nvidia

from pto import compiler

TARGETS = ("sm_100a", "sm_90a")
LENGTHS = (32, 100, 256)
OPERATIONS = ("sum", "max")

# Arithmetic instructions and all instructions; the chains of sm_90a are serial.
TIRX = {
    ("sm_100a", "sum", 32): "15 FADD2 + 1 FADD of 55",
    ("sm_100a", "max", 32): "13 FMNMX3 + 5 FMNMX of 57",
    ("sm_100a", "sum", 100): "47 FADD2 + 5 FADD of 159",
    ("sm_100a", "max", 100): "47 FMNMX3 + 5 FMNMX of 159",
    ("sm_100a", "sum", 256): "127 FADD2 + 1 FADD of 393",
    ("sm_100a", "max", 256): "125 FMNMX3 + 5 FMNMX of 395",
    ("sm_90a", "sum", 32): "32 FADD, chain 32",
    ("sm_90a", "max", 32): "32 FMNMX, chain 32",
    ("sm_90a", "sum", 100): "100 FADD, chain 100",
    ("sm_90a", "max", 100): "100 FMNMX, chain 100",
    ("sm_90a", "sum", 256): "256 FADD, chain 256",
    ("sm_90a", "max", 256): "256 FMNMX, chain 256",
}

KERNEL = """
gpu.module @kernels {{
  gpu.func @k(%x: !tirx.buffer<{n}xf32, global>, %y: !tirx.buffer<1xf32, global>)
      kernel attributes {{known_block_size = array<i32: 1, 1, 1>}} {{
    %a = tirx.alloc : !tirx.buffer<{n}xf32, local>
    %b = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.copy thread %x -> %a : !tirx.buffer<{n}xf32, global> -> !tirx.buffer<{n}xf32, local>
    tirx.{op} thread %a -> %b axes [0] : !tirx.buffer<{n}xf32, local> -> !tirx.buffer<1xf32, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xf32, local> -> !tirx.buffer<1xf32, global>
    gpu.return
  }}
}}
"""

ARITHMETIC = ("FADD2", "FADD", "FMUL2", "FMUL", "FMNMX3", "FMNMX")
PAIRS = ("FADD2", "FMUL2")


@dataclass(frozen=True)
class Sass:
    """Figures of one kernel."""

    arithmetic: Counter[str]
    total: int
    chain: int


def disassemble(cubin: bytes) -> list[str]:
    """The instructions of a cubin with one kernel, padding left out."""
    tool = next(path for root in nvidia.__path__ for path in Path(root).rglob("nvdisasm"))
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        listing = subprocess.run([tool, file.name], check=True, capture_output=True, text=True)
    found = re.findall(r"/\*[0-9a-f]{4,}\*/\s+([^;]+?)\s*;", listing.stdout)
    return [line for line in found if not line.startswith("NOP")]


def measure(instructions: list[str]) -> Sass:
    """Counts, and the longest chain: each register remembers the arithmetic behind its value. The
    kernels are straight lines."""
    arithmetic: Counter[str] = Counter()
    depth: dict[int, int] = {}
    longest = total = 0
    for line in instructions:
        total += 1
        opcode = line.split()[0] if not line.startswith("@") else line.split()[1]
        name = opcode.split(".")[0]
        if name == "EXIT":
            break
        registers = [int(number) for number in re.findall(r"\bR(\d+)", line)]
        if name not in ARITHMETIC or not registers:
            continue
        width = 2 if name in PAIRS else 1
        target, *sources = registers
        arithmetic[name] += 1
        needed = [depth.get(source + i, 0) for source in sources for i in range(width)]
        reached = 1 + max(needed, default=0)
        longest = max(longest, reached)
        for i in range(width):
            depth[target + i] = reached
    return Sass(arithmetic, total, longest)


def of(op: str, n: int, target: str) -> Sass:
    """The figures of one reduction on one target."""
    cubin = compiler.emit(KERNEL.format(op=op, n=n), target=target, form="cubin")
    assert isinstance(cubin, bytes)
    return measure(disassemble(cubin))


def main() -> None:
    """Prints one line per kernel."""
    print(f"{'target':8} {'op':4} {'n':>4}  {'arithmetic':28} {'all':>4} {'chain':>5}  TIRx")
    for target in TARGETS:
        for op in OPERATIONS:
            for n in LENGTHS:
                found = of(op, n, target)
                parts = " + ".join(
                    f"{count} {name}" for name, count in found.arithmetic.most_common()
                )
                peer = TIRX[target, op, n]
                print(
                    f"{target:8} {op:4} {n:4}  {parts:28} {found.total:4} {found.chain:5}  {peer}"
                )


if __name__ == "__main__":
    main()
