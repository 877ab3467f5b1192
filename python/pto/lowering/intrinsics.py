"""What only the `llvm` and `nvvm` dialects have.

Their Python modules are large, a tenth of the time in which `pto-opt` compiles a kernel, and few
kernels need them: they are loaded when one does.
"""

from collections.abc import Sequence

from mlir import ir
from mlir.dialects import arith

FULL_WARP = -1
"""The mask of all 32 lanes."""


def word(value: int) -> ir.Value:
    """A constant of 32 bits."""
    return arith.constant(ir.IntegerType.get_signless(32), value)


def bitcast(kind: ir.Type, value: ir.Value) -> ir.Value:
    """The same bits under another type."""
    from mlir.dialects import llvm

    return llvm.bitcast(kind, value)


def call(name: str, operands: Sequence[ir.Value]) -> ir.Value:
    """An LLVM intrinsic whose result has the type of its operands."""
    from mlir.dialects import llvm

    return llvm.call_intrinsic(operands[0].type, name, operands, [], [])


def ptx(instruction: str, operands: Sequence[ir.Value]) -> ir.Value:
    """A pure PTX instruction for which LLVM has no operation, `instruction result, operands;`. All
    are f32, or all are 64 bits."""
    from mlir.dialects import llvm

    kind = operands[0].type
    register = {"f32": "f", "i64": "l"}[str(kind)]
    places = ", ".join(f"${i}" for i in range(len(operands) + 1))
    constraints = ",".join([f"={register}", *[register] * len(operands)])
    return llvm.inline_asm(kind, operands, f"{instruction} {places};", constraints)


def shuffle_xor(value: ir.Value, step: int, mask: ir.Value) -> ir.Value:
    """The 32-bit value of the lane whose number differs by the bits of `step`."""
    from mlir.dialects import nvvm

    kind = ir.Attribute.parse("#nvvm<shfl_kind bfly>")
    return nvvm.shfl_sync(value.type, mask, value, word(step), word(31), kind)


def reduce_warp(operation: str, value: ir.Value, *, nan: bool) -> ir.Value:
    """`redux.sync` over all lanes; `operation` as NVVM calls it."""
    from mlir.dialects import nvvm

    kind = ir.Attribute.parse(f"#nvvm<redux_kind {operation}>")
    return nvvm.redux_sync(value.type, value, kind, word(FULL_WARP), nan=True if nan else None)


def barrier(name: ir.Value, threads: int) -> None:
    """Waits at the CTA's barrier number `name` for `threads` threads."""
    from mlir.dialects import nvvm

    nvvm.barrier(None, barrier_id=name, number_of_threads=word(threads))


def barrier_warp() -> None:
    """Waits for all lanes of the warp."""
    from mlir.dialects import nvvm

    nvvm.bar_warp_sync(word(FULL_WARP))
