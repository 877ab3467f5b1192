"""What only the `llvm` and `nvvm` dialects have.

Their Python modules are large, a tenth of the time in which `pto-opt` compiles a kernel, and few
kernels need them: they are loaded when one does.
"""

from collections.abc import Sequence
from typing import Any

from mlir import ir
from mlir.dialects import arith

from pto.lowering import constants

FULL_WARP = -1
"""The mask of all 32 lanes."""


def word(value: int) -> ir.Value:
    """A constant of 32 bits."""
    return constants.of(ir.IntegerAttr.get(ir.IntegerType.get_signless(32), value))


def bitcast(kind: ir.Type, value: ir.Value) -> ir.Value:
    """The same bits under another type."""
    from mlir.dialects import llvm

    return llvm.bitcast(kind, value)


def call(name: str, operands: Sequence[ir.Value]) -> ir.Value:
    """An LLVM intrinsic whose result has the type of its operands."""
    from mlir.dialects import llvm

    return llvm.call_intrinsic(operands[0].type, name, operands, [], [])


def fma(a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
    """`a * b + c` of floats, scalars or vectors, rounded once."""
    from mlir.dialects import llvm

    return llvm.intr_fma(a, b, c)


def maxnum(a: ir.Value, b: ir.Value) -> ir.Value:
    """The larger of floats, scalars or vectors; of a NaN and a number the number. For MLIR's
    `arith.maxnumf` the NVVM dialect calls a library, element by element."""
    from mlir.dialects import llvm

    return llvm.intr_maxnum(a, b)


def minnum(a: ir.Value, b: ir.Value) -> ir.Value:
    """The smaller of floats; see `maxnum`."""
    from mlir.dialects import llvm

    return llvm.intr_minnum(a, b)


def whole(value: ir.Value, rounding: str) -> ir.Value:
    """A float rounded to a whole number: to `nearest` (ties to even), `down`, `up` or to `zero`.

    By name: the conversion to NVVM takes the operations of the `llvm` dialect for libdevice's.
    """
    name = {"nearest": "roundeven", "down": "floor", "up": "ceil", "zero": "trunc"}[rounding]
    return call(f"llvm.{name}.{value.type}", [value])


def clamped_integer(value: ir.Value, kind: ir.IntegerType, *, is_unsigned: bool) -> ir.Value:
    """A float cut towards zero as an integer of type `kind`, the nearest one if it is out of range
    and 0 for NaN."""
    from mlir.dialects import llvm

    word = "ui" if is_unsigned else "si"
    name = f"llvm.fpto{word}.sat.{kind}.{value.type}"
    return llvm.call_intrinsic(kind, name, [value], [], [])


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


# Addresses and clusters ---------------------------------------------------------------------------

GLOBAL, SHARED, SHARED_CLUSTER = 1, 3, 7
"""Address spaces of NVPTX."""


def pointer(address: ir.Value, space: int) -> ir.Value:
    """An address in bytes, of type `index`, as an LLVM pointer."""
    from mlir.dialects import llvm

    number = arith.index_cast(ir.IntegerType.get_signless(64), address)
    return llvm.inttoptr(ir.Type.parse(f"!llvm.ptr<{space}>"), number)


def load_streaming(kind: ir.VectorType, address: ir.Value) -> ir.Value:
    """Reads a vector of 16 bytes from global memory, which nobody writes, past the L1 cache. LLVM
    has no operation for that."""
    from mlir.dialects import llvm

    i32 = ir.IntegerType.get_signless(32)
    words = llvm.inline_asm(
        ir.Type.parse("!llvm.struct<(i32, i32, i32, i32)>"),
        [pointer(address, GLOBAL)],
        "ld.global.L1::no_allocate.v4.b32 {$0, $1, $2, $3}, [$4];",
        "=r,=r,=r,=r,l",
    )
    four = ir.VectorType.get([4], i32)
    value = llvm.mlir_undef(four)
    for number in range(4):
        part = llvm.extractvalue(i32, words, [number])
        value = llvm.insertelement(value, part, word(number))
    return bitcast(kind, value)


def mbarrier(handle: ir.Value) -> ir.Value:
    """The address of an mbarrier as an LLVM pointer; storage assignment resolves the cast."""
    from mlir.dialects import builtin

    return builtin.unrealized_conversion_cast([ir.Type.parse(f"!llvm.ptr<{SHARED}>")], [handle])


def mapa(address: ir.Value, rank: ir.Value) -> ir.Value:
    """`mapa`: where an address in this CTA's shared memory lies in that of another CTA of the
    cluster, as an address in bytes of type `index`."""
    from mlir.dialects import llvm, nvvm

    i32, i64 = (ir.IntegerType.get_signless(bits) for bits in (32, 64))
    remote = ir.Type.parse(f"!llvm.ptr<{SHARED_CLUSTER}>")
    mapped = nvvm.mapa(remote, pointer(address, SHARED), arith.index_cast(i32, rank))
    return arith.index_cast(ir.IndexType.get(), llvm.ptrtoint(i64, mapped))


def mapa_mbarrier(handle: ir.Value, rank: ir.Value) -> ir.Value:
    """`mapa` of an mbarrier, as an LLVM pointer into the cluster's shared memory."""
    from mlir.dialects import nvvm

    i32 = ir.IntegerType.get_signless(32)
    remote = ir.Type.parse(f"!llvm.ptr<{SHARED_CLUSTER}>")
    return nvvm.mapa(remote, mbarrier(handle), arith.index_cast(i32, rank))


# Asynchronous copies ------------------------------------------------------------------------------


def bulk_to_cluster(to: ir.Value, source: ir.Value, size: int, signal: ir.Value) -> None:
    """`cp.async.bulk` from this CTA's shared memory to another's; `signal` is an mbarrier there.
    Addresses are in bytes, of type `index`."""
    from mlir.dialects import llvm, nvvm

    # The operation wants its mbarrier in `shared`, whose addresses the window contains.
    number = llvm.ptrtoint(ir.IntegerType.get_signless(64), signal)
    mbarrier_ = llvm.inttoptr(ir.Type.parse(f"!llvm.ptr<{SHARED}>"), number)
    nvvm.cp_async_bulk_shared_cluster_shared_cta(
        pointer(to, SHARED_CLUSTER), pointer(source, SHARED), mbarrier_, word(size)
    )


def bulk_to_shared(to: ir.Value, source: ir.Value, size: int, signal: ir.Value) -> None:
    """`cp.async.bulk` from global memory to this CTA's shared memory."""
    from mlir.dialects import nvvm

    nvvm.cp_async_bulk_shared_cluster_global(
        pointer(to, SHARED_CLUSTER), pointer(source, GLOBAL), signal, word(size)
    )


def bulk_to_global(to: ir.Value, source: ir.Value, size: int) -> None:
    """`cp.async.bulk` from this CTA's shared memory to global memory."""
    from mlir.dialects import nvvm

    nvvm.cp_async_bulk_global_shared_cta(pointer(to, GLOBAL), pointer(source, SHARED), word(size))


def cp_async(to: ir.Value, source: ir.Value, size: int) -> None:
    """`cp.async` of 4, 8 or 16 bytes from global to shared memory; 16 go past the L1 cache."""
    from mlir.dialects import nvvm

    cache = ir.Attribute.parse(f"#nvvm<load_cache_modifier {'cg' if size == 16 else 'ca'}>")
    nvvm.cp_async_shared_global(pointer(to, SHARED), pointer(source, GLOBAL), size, cache)


def effect(instruction: str, operands: Sequence[ir.Value], kind: ir.Type | None = None) -> Any:
    """A PTX instruction that reads or writes memory: `instruction` with `$0`, … for its operands,
    the result of type `kind` first. Operands are addresses of type i64, and integers or floats of
    16 bits and more."""
    from mlir.dialects import llvm

    types = [*([] if kind is None else [kind]), *(value.type for value in operands)]
    letters = [_register(type_) for type_ in types]
    if kind is not None:
        letters[0] = f"={letters[0]}"
    constraints = ",".join([*letters, "~{memory}"])
    return llvm.inline_asm(kind, operands, instruction, constraints, has_side_effects=True)


def _register(kind: Any) -> str:
    if isinstance(kind, ir.FloatType) and kind.width >= 32:
        return "f" if kind.width == 32 else "d"
    return {16: "h", 32: "r", 64: "l"}[kind.width]


def cluster_arrive() -> None:
    """Arrives at the barrier of the cluster; what was written before is visible after the wait."""
    from mlir.dialects import nvvm

    nvvm.cluster_arrive(aligned=True)


def cluster_wait() -> None:
    """Waits until all threads of the cluster have arrived."""
    from mlir.dialects import nvvm

    nvvm.cluster_wait(aligned=True)
