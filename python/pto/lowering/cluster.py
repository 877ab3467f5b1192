"""What a kernel must keep to, so that the CTAs of its cluster can work together.

Checked before anything is emitted: the size of the cluster, ranks in it, the bytes that mbarriers
expect, and that no CTA exits while another copies from or to its shared memory.
"""

from collections.abc import Iterator
from math import gcd
from typing import Any

from mlir.dialects import gpu

from pto import _pto
from pto.dialects import tirx
from pto.lowering import emit, storage
from pto.passes import OpError, find
from pto.target import Target

LARGEST = 16
"""CTAs in a cluster; more than 8 are not portable (CUDA programming guide)."""


def size(kernel: gpu.GPUFuncOp) -> int:
    """How many CTAs the clusters of a kernel have; 1 without clusters."""
    attributes: Any = kernel.operation.attributes
    if "known_cluster_size" not in attributes:
        return 1
    return attributes["known_cluster_size"][0]


def check(kernel: gpu.GPUFuncOp, chip: Target) -> None:
    """Raises `OpError` for what cannot work; warns of what may not."""
    _check_size(kernel, chip)
    ctas = size(kernel)
    for op in find(kernel, lambda name: name in ("tirx.copy_async", "tirx.mbarrier_arrive")):
        rank = None if op.remote_cta is None else emit.known(op.remote_cta)
        if rank is not None and not 0 <= rank < ctas:
            raise OpError(op, f"names rank {rank}; {_describe(ctas)}")
    if chip.sm < 90:
        for op in find(kernel, lambda name: name.startswith("tirx.")):
            if _is_of_sm_90(op):
                raise OpError(op, f"needs sm_90, not {chip.chip}")
    _check_bytes(kernel)
    _check_exit(kernel)


def _is_of_sm_90(op: Any) -> bool:
    match op.operation.name:
        case (
            "tirx.cluster_sync"
            | "tirx.fence"
            | "tirx.mbarrier_arrive_expect_tx"
            | "tirx.mbarrier_wait"
        ):
            return True
        case "tirx.mbarrier_arrive":
            return op.remote_cta is not None
        case "tirx.commit_group" | "tirx.wait_group":
            return tirx.CopyGroup(op.attributes["kind"].value) is tirx.CopyGroup.Bulk
        case _:
            return False


def _describe(ctas: int) -> str:
    if ctas == 1:
        return "the kernel has no clusters (known_cluster_size = array<i32: CTAS, 1, 1>)"
    return f"the ranks in a cluster of {ctas} are 0 to {ctas - 1}"


def _check_size(kernel: gpu.GPUFuncOp, chip: Target) -> None:
    attributes: Any = kernel.operation.attributes
    grid = _grid(kernel, attributes)
    if "known_cluster_size" not in attributes:
        return
    ctas, *others = list(attributes["known_cluster_size"])
    if others != [1, 1] or not 1 <= ctas <= LARGEST:
        raise OpError(
            kernel,
            f"needs known_cluster_size = array<i32: CTAS, 1, 1>, 1 to {LARGEST} CTAs in one "
            "dimension",
        )
    if ctas > 1 and chip.sm < 90:
        raise OpError(kernel, f"has clusters of {ctas} CTAs; {chip.chip} has none, sm_90 does")
    if grid is not None and grid % ctas:
        raise OpError(kernel, f"has a grid of {grid} CTAs, which clusters of {ctas} do not divide")


def _grid(kernel: gpu.GPUFuncOp, attributes: Any) -> int | None:
    """The number of CTAs that the kernel fixes or asks for."""
    if "known_grid_size" not in attributes:
        return attributes["pto.grid"].value if "pto.grid" in attributes else None
    ctas, *others = list(attributes["known_grid_size"])
    if others != [1, 1] or ctas < 1:
        raise OpError(kernel, "needs known_grid_size = array<i32: CTAS, 1, 1>, in one dimension")
    return ctas


# mbarriers ----------------------------------------------------------------------------------------


def _check_bytes(kernel: gpu.GPUFuncOp) -> None:
    """What an mbarrier is armed with can be made up of the copies that signal it."""
    sent: dict[tuple[Any, int], list[int]] = {}
    for op in find(kernel, lambda name: name == "tirx.copy_async"):
        barrier = None if op.mbar is None else _identity(op.mbar)
        if barrier is not None and None not in op.src.type.shape and 0 not in op.src.type.shape:
            sent.setdefault(barrier, []).append(storage.data_bytes(op.src.type))
    for op in find(kernel, lambda name: name == "tirx.mbarrier_arrive_expect_tx"):
        expected, barrier = emit.known(op.bytes), _identity(op.barrier)
        copies = sent.get(barrier) if barrier is not None else None
        if expected and copies and (expected % gcd(*copies) or expected < min(copies)):
            sizes = " and ".join(str(size) for size in sorted(set(copies)))
            raise OpError(
                op, f"expects {expected} bytes; the copies that signal this mbarrier have {sizes}"
            )


def _identity(handle: Any) -> tuple[Any, int] | None:
    """Which mbarrier of which allocation a handle is, if that is known."""
    at = emit.defining(handle, "tirx.mbarrier_at")
    if at is None:
        return None
    position = emit.known(at.position)
    return None if position is None else (at.barriers, position)


# The end of a CTA ---------------------------------------------------------------------------------


def _check_exit(kernel: gpu.GPUFuncOp) -> None:
    """A cluster barrier follows every access to another CTA's shared memory."""
    for op in find(kernel, lambda name: name in ("tirx.copy_async", "tirx.mbarrier_arrive")):
        if op.remote_cta is not None and not any(
            isinstance(later, tirx.ClusterSyncOp) for later in _after(op)
        ):
            _pto.warning(
                op.operation.location,
                f"'{op.operation.name}' op is followed by no tirx.cluster_sync: a CTA may exit "
                "while its shared memory is in use",
            )


def _after(op: Any) -> Iterator[Any]:
    """The operations that run after `op`: those behind it, and behind each that contains it."""
    while op.operation.name != "gpu.func":
        siblings = list(op.operation.block.operations)
        position = [sibling.operation for sibling in siblings].index(op.operation)
        yield from siblings[position + 1 :]
        op = op.operation.parent.opview
