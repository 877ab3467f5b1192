"""`fold_cas`: as `fold_atomic`, by compare-and-swap where no instruction combines.

Before
    tirx.max cta %src -> %dst axes [0] {accum, atomic}
      : !tirx.buffer<1x16x16xf32, shared> -> !tirx.buffer<16x16xf32, global>

After
    scf.for %i = %tid to %c256 step %threads {
      %m = the fold of the elements of result %i, that is, one
      %first = ld.relaxed.gpu.global.b32 [%dst + 4 * %i]
      scf.while (%old = %first) {
        %new = llvm.intr.maxnum(%old, %m)
        %found = atom.relaxed.gpu.global.cas.b32 [%dst + 4 * %i], %old, %new
        scf.condition(%found != %old) %found
      }
    }
"""

from typing import Any

from pto.lowering import address, atomics, combine, emit, finish, region
from pto.lowering.dispatch import variant
from pto.lowering.reduction import fold, fold_atomic
from pto.target import Target


@variant(*combine.PRIMITIVES, priority=2, when=[*fold_atomic.WHEN, atomics.can_swap])
def lower(op: Any, _: Target) -> None:
    """Emits the loops."""
    src = emit.as_memref(op.src)
    with fold.results(op) as position:
        result = fold.fold(op, src, position, None, combine.accumulator(op))
        at = address.of(op.dst, region.destination(op, position))
        atomics.swap(op, result, at, finish.is_unsigned(op))
