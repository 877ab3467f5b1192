"""What threads wait for: clusters, mbarriers, groups of copies. Each operation has one lowering."""

from collections.abc import Callable
from typing import Any

from mlir import ir
from mlir.dialects import arith, gpu, scf

from pto.dialects import tirx
from pto.lowering import emit, intrinsics
from pto.passes import find


def lower(kernel: gpu.GPUFuncOp) -> None:
    """Rewrites the synchronisation of a kernel to the NVVM dialect."""
    for op in find(kernel, lambda name: name in _LOWERINGS):
        with ir.InsertionPoint(op), op.operation.location:
            _LOWERINGS[op.operation.name](op)
        op.operation.erase()


def _cluster_sync(_: Any) -> None:
    """Arrival releases what was written, the wait acquires it."""
    from mlir.dialects import nvvm

    nvvm.cluster_arrive(aligned=True)
    nvvm.cluster_wait(aligned=True)


def _fence(op: Any) -> None:
    from mlir.dialects import nvvm

    match tirx.FenceKind(op.attributes["kind"].value):
        case tirx.FenceKind.MBarrierInit:
            nvvm.fence_mbarrier_init()
        case tirx.FenceKind.ProxyAsync:
            nvvm.fence_proxy(ir.Attribute.parse("#nvvm.proxy_kind<async>"))
        case tirx.FenceKind.ProxyAsyncShared:
            nvvm.fence_proxy(
                ir.Attribute.parse("#nvvm.proxy_kind<async.shared>"),
                space=ir.Attribute.parse("#nvvm.shared_space<cta>"),
            )


def _init(op: Any) -> None:
    from mlir.dialects import nvvm

    nvvm.mbarrier_init(intrinsics.mbarrier(op.barrier), intrinsics.word(op.count.value))


def _arrive(op: Any) -> None:
    """At another CTA's mbarrier the cluster learns of it."""
    from mlir.dialects import nvvm

    if op.remote_cta is None:
        nvvm.mbarrier_arrive(_state(), intrinsics.mbarrier(op.barrier))
        return
    barrier = intrinsics.mapa_mbarrier(op.barrier, op.remote_cta)
    nvvm.mbarrier_arrive(None, barrier, scope=_cluster_scope())


def _arrive_expect_tx(op: Any) -> None:
    from mlir.dialects import nvvm

    nvvm.mbarrier_arrive_expect_tx(_state(), intrinsics.mbarrier(op.barrier), _word(op.bytes))


def _wait(op: Any) -> None:
    """Asks until the phase is complete; every question may sleep."""
    from mlir.dialects import nvvm

    barrier, parity = intrinsics.mbarrier(op.barrier), _word(op.parity)
    loop = scf.WhileOp([], [])
    before, after = (region.blocks.append() for region in loop.regions)
    with ir.InsertionPoint(before):
        bit = ir.IntegerType.get_signless(1)
        done = nvvm.mbarrier_try_wait(bit, barrier, parity, scope=_cluster_scope())
        scf.condition(arith.xori(done, emit.truth(True)), [])
    with ir.InsertionPoint(after):
        scf.yield_([])


def _commit(op: Any) -> None:
    from mlir.dialects import nvvm

    if tirx.CopyGroup(op.attributes["kind"].value) is tirx.CopyGroup.Bulk:
        nvvm.cp_async_bulk_commit_group()
    else:
        nvvm.cp_async_commit_group()


def _wait_group(op: Any) -> None:
    from mlir.dialects import nvvm

    if tirx.CopyGroup(op.attributes["kind"].value) is tirx.CopyGroup.Bulk:
        nvvm.cp_async_bulk_wait_group(op.pending.value, read=op.read or None)
    else:
        nvvm.cp_async_wait_group(op.pending.value)


def _word(value: ir.Value) -> ir.Value:
    return arith.index_cast(ir.IntegerType.get_signless(32), value)


def _state() -> ir.Type:
    """What an arrival at the own mbarrier returns."""
    return ir.IntegerType.get_signless(64)


def _cluster_scope() -> ir.Attribute:
    return ir.Attribute.parse("#nvvm.mem_scope<cluster>")


_LOWERINGS: dict[str, Callable[[Any], None]] = {
    "tirx.cluster_sync": _cluster_sync,
    "tirx.fence": _fence,
    "tirx.mbarrier_init": _init,
    "tirx.mbarrier_arrive": _arrive,
    "tirx.mbarrier_arrive_expect_tx": _arrive_expect_tx,
    "tirx.mbarrier_wait": _wait,
    "tirx.commit_group": _commit,
    "tirx.wait_group": _wait_group,
}
