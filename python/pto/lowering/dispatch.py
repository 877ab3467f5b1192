"""Chooses a variant for every primitive.

A variant is one file: `lowering/reduction/fold.py` is the variant `fold`. It registers a function
with `@variant`, naming the primitives that it lowers, its priority (the benefit of its rewrite
pattern) and the rules under which it applies. All its rules are evaluated, so that the report is
complete; once they hold, the function only emits: it never declines.

What was chosen, and why what ranks above it was not, is kept on the kernel as `pto.dispatch` and
emitted as remarks (`--remarks-filter=tirx-dispatch`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mlir import ir
from mlir.dialects import gpu
from mlir.rewrite import PatternRewriter, RewritePatternSet, walk_and_apply_patterns

from pto import _pto, target
from pto.dialects import tirx
from pto.errors import CompileError
from pto.lowering import cluster, constants, facts, rules, storage, sync
from pto.passes import OpError, find, place
from pto.target import Target

LARGEST_BLOCK = 1024
"""Threads that a CTA can have (CUDA programming guide)."""

Emit = Callable[[ir.OpView, Target], None]
Describe = Callable[[ir.OpView, Target], str]


@dataclass(frozen=True)
class Variant:
    """One way to lower a primitive."""

    name: str
    priority: int
    rules: tuple[rules.Rule, ...]
    emit: Emit
    detail: Describe | None = None
    """What the report says of its use, beside its name."""

    def objections(self, op: ir.OpView, chip: Target) -> tuple[str, ...]:
        """Why the variant does not apply to `op`; empty if it does."""
        reasons = (rule(op, chip) for rule in self.rules)
        return tuple(reason for reason in reasons if reason is not None)


_VARIANTS: dict[str, list[Variant]] = {}


def variant(
    *primitives: str,
    priority: int,
    when: Sequence[rules.Rule],
    detail: Describe | None = None,
) -> Callable[[Emit], Emit]:
    """Registers the decorated function as the variant that its file is named after."""

    def register(emit: Emit) -> Emit:
        name = emit.__module__.rpartition(".")[2]
        for primitive in primitives:
            cases = _VARIANTS.setdefault(primitive, [])
            cases.append(Variant(name, priority, tuple(when), emit, detail))
            cases.sort(key=lambda case: -case.priority)
        return emit

    return register


def variants(primitive: str) -> Sequence[Variant]:
    """The variants of a primitive, best first."""
    return _VARIANTS.get(primitive, ())


# The choice ---------------------------------------------------------------------------------------


@dataclass
class Decision:
    """What became of one primitive."""

    op: str
    location: str
    chosen: str = ""
    detail: str = ""
    rejected: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def attribute(self) -> ir.DictAttr:
        """The decision as it is kept in the IR."""
        rejected = [
            ir.DictAttr.get(
                {
                    "variant": ir.StringAttr.get(name),
                    "reasons": ir.ArrayAttr.get([ir.StringAttr.get(text) for text in reasons]),
                }
            )
            for name, reasons in self.rejected
        ]
        items: dict[str, ir.Attribute] = {
            "op": ir.StringAttr.get(self.op),
            "location": ir.StringAttr.get(self.location),
            "chosen": ir.StringAttr.get(self.chosen),
            "rejected": ir.ArrayAttr.get(rejected),
        }
        if self.detail:
            items["detail"] = ir.StringAttr.get(self.detail)
        return ir.DictAttr.get(items)


def forced(op: ir.OpView) -> str | None:
    """The variant that the program asks for."""
    attributes: Any = op.operation.attributes
    return attributes["dispatch"].value if "dispatch" in attributes else None


def candidates(op: ir.OpView, chip: Target) -> list[tuple[Variant, tuple[str, ...]]]:
    """Every variant that may be chosen for `op`, best first, with its objections.

    Asking for a variant narrows the choice to it and does not switch its rules off.
    """
    name = op.operation.name
    cases = variants(name)
    wanted = forced(op)
    if wanted is not None:
        names = [case.name for case in cases]
        if wanted not in names:
            raise OpError(op, f"has no variant '{wanted}'; its variants are {', '.join(names)}")
        cases = [case for case in cases if case.name == wanted]
    return [(case, case.objections(op, chip)) for case in cases]


def decide(op: ir.OpView, chip: Target) -> tuple[Variant, Decision]:
    """The best variant that applies to `op`; an `OpError` with every objection if none does."""
    decision = Decision(op.operation.name, place(op.operation.location))
    chosen: Variant | None = None
    for case, objections in candidates(op, chip):
        if chosen is not None:
            reasons = objections or (f"applies, but '{chosen.name}' is preferred",)
        elif not objections:
            chosen = case
            continue
        else:
            reasons = objections
        decision.rejected.append((case.name, reasons))
    if chosen is None:
        lines = [f"\n  {name}: {'; '.join(reasons)}" for name, reasons in decision.rejected]
        raise OpError(op, f"has no variant for {chip.chip} that applies:{''.join(lines)}")
    decision.chosen = chosen.name
    decision.detail = chosen.detail(op, chip) if chosen.detail is not None else ""
    return chosen, decision


# The pass -----------------------------------------------------------------------------------------


def _patterns(context: ir.Context, chip: Target):
    """One rewrite pattern per variant; its benefit is the variant's priority."""
    patterns = RewritePatternSet(context)

    def pattern(case: Variant) -> Callable[[Any, PatternRewriter], bool]:
        def rewrite(op: Any, rewriter: PatternRewriter) -> bool:
            if forced(op) != case.name:
                return True
            with rewriter.ip, op.operation.location, facts.kept():
                case.emit(op, chip)
            rewriter.erase_op(op.operation)
            return False

        return rewrite

    for name, cases in _VARIANTS.items():
        for case in cases:
            patterns.add(name, pattern(case), benefit=case.priority)
    return patterns.freeze()


def _lower(kernel: gpu.GPUFuncOp, chip: Target) -> None:
    """Rewrites every primitive of a kernel; variants may emit further primitives."""
    decisions: list[Decision] = []
    while pending := find(kernel, lambda name: name in _VARIANTS):
        with facts.kept():
            for op in filter(_stands_alone, pending):
                chosen, decision = decide(op, chip)
                decisions.append(decision)
                _remark(op, decision)
                op.operation.attributes["dispatch"] = ir.StringAttr.get(chosen.name)
            with constants.shared(kernel.body.blocks[0]):
                walk_and_apply_patterns(kernel.operation, _patterns(kernel.context, chip))
    kernel.operation.attributes["pto.dispatch"] = ir.ArrayAttr.get(
        [decision.attribute() for decision in decisions]
    )


def _stands_alone(op: ir.OpView) -> bool:
    """Whether a primitive is lowered by itself, not as a part of another."""
    parent: Any = op.operation.parent
    return parent.name not in _VARIANTS


def _remark(op: ir.OpView, decision: Decision) -> None:
    location = op.operation.location
    for name, reasons in decision.rejected:
        _pto.remark(location, False, name, f"{decision.op}: not {name}: {'; '.join(reasons)}")
    detail = f" ({decision.detail})" if decision.detail else ""
    _pto.remark(location, True, decision.chosen, f"{decision.op}: {decision.chosen}{detail}")


def dispatch(module: ir.Module) -> None:
    """The pass `tirx-dispatch`: primitives become loops, memory accesses and NVVM operations."""
    for gpu_module in module.body.operations:
        if not isinstance(gpu_module, gpu.GPUModuleOp):
            continue
        try:
            chip = target.of(gpu_module)
        except CompileError as error:
            raise OpError(gpu_module, f"has {error}") from None
        for kernel in gpu_module.bodyRegion.blocks[0].operations:
            if isinstance(kernel, gpu.GPUFuncOp):
                _check(kernel)
                cluster.check(kernel, chip)
                _lower(kernel, chip)
                sync.lower(kernel)
                storage.assign(kernel, chip)
    for op in find(module, lambda name: name.startswith("tirx.")):
        raise OpError(op, "is not in a gpu.func")


def _check(kernel: gpu.GPUFuncOp) -> None:
    """What the lowerings rely on: a block size, and buffers that only `tirx` operations use."""
    attributes: Any = kernel.operation.attributes
    size = list(attributes["known_block_size"]) if "known_block_size" in attributes else []
    if size[1:] != [1, 1] or not 1 <= size[0] <= LARGEST_BLOCK:
        raise OpError(
            kernel,
            f"needs known_block_size = array<i32: THREADS, 1, 1>, 1 to {LARGEST_BLOCK} threads in "
            "one dimension",
        )
    for argument in kernel.body.blocks[0].arguments:
        kind = argument.type
        if isinstance(kind, tirx.MBarrierType) or (
            isinstance(kind, tirx.BufferType) and kind.scope != "global"
        ):
            raise OpError(kernel, f"takes buffers in global memory, not {argument.type}")
    values: list[Any] = [arg for block in kernel.body.blocks for arg in block.arguments]
    for op in find(kernel, lambda _: True):
        values.extend(op.operation.results)
    for value in values:
        if isinstance(value.type, tirx.BufferType | tirx.MBarrierType):
            for use in value.uses:
                if not use.owner.operation.name.startswith("tirx."):
                    raise OpError(
                        use.owner,
                        "takes a buffer or an mbarrier; they do not pass through other operations",
                    )
