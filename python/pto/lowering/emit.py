"""Small builders over the MLIR bindings: index arithmetic that folds, loops, element access.

An index is a Python `int` where it is known at compile time and an `index` value where it is not,
so that what is static stays readable in the IR that a lowering writes.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from mlir import ir
from mlir.dialects import arith, builtin, gpu, scf

from pto.dialects import tirx
from pto.lowering import constants
from pto.lowering.facts import fact

Index = int | ir.Value
Condition = bool | ir.Value


def index(value: Index) -> ir.Value:
    """`value` as an SSA value of type `index`."""
    if isinstance(value, int):
        return constants.index(value)
    return value


def defining(value: ir.Value, *names: str) -> Any:
    """The operation that computes `value`, if it is one of `names`."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name not in names:
        return None
    return owner.opview


def root(buffer: ir.Value) -> Any:
    """The buffer of which another is a window, or a window of a window."""
    while (part := defining(buffer, "tirx.subview")) is not None:
        buffer = part.source
    return buffer


def known(value: Index) -> int | None:
    """`value` if it is known at compile time: an int, or the result of `arith.constant`."""
    if isinstance(value, int):
        return value
    constant = defining(value, "arith.constant")
    if constant is not None:
        attribute = constant.operation.attributes["value"]
        if isinstance(attribute, ir.IntegerAttr):
            return attribute.value
    return None


def _arith(name: str, a: Index, b: Index) -> ir.Value:
    """An operation of `arith`. Its own builder takes three times as long, and most of what a
    lowering emits is this."""
    return ir.Operation.create(f"arith.{name}", [ir.IndexType.get()], [index(a), index(b)]).result


def _compare(predicate: arith.CmpIPredicate, a: Index, b: Index) -> ir.Value:
    """A comparison, in the same way."""
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), int(predicate))
    operands, kind = [index(a), index(b)], ir.IntegerType.get_signless(1)
    create = ir.Operation.create
    return create("arith.cmpi", [kind], operands, attributes={"predicate": number}).result


def add(a: Index, b: Index) -> Index:
    x, y = known(a), known(b)
    if x is not None and y is not None:
        return x + y
    if x == 0:
        return b
    return a if y == 0 else _arith("addi", a, b)


def sub(a: Index, b: Index) -> Index:
    x, y = known(a), known(b)
    if x is not None and y is not None:
        return x - y
    return a if y == 0 else _arith("subi", a, b)


def mul(a: Index, b: Index) -> Index:
    x, y = known(a), known(b)
    if x is not None and y is not None:
        return x * y
    if x == 0 or y == 0:
        return 0
    if x == 1:
        return b
    return a if y == 1 else _arith("muli", a, b)


def div(a: Index, b: Index) -> Index:
    """`a // b` for a non-negative `a` and a positive `b`."""
    x, y = known(a), known(b)
    if x is not None and y is not None:
        return x // y
    return a if y == 1 else _arith("divui", a, b)


def rem(a: Index, b: Index) -> Index:
    """`a % b` for a non-negative `a` and a positive `b`."""
    x, y = known(a), known(b)
    if x is not None and y is not None:
        return x % y
    return 0 if y == 1 else _arith("remui", a, b)


def smaller(a: Index, b: Index) -> Index:
    """The smaller of two, signed."""
    x, y = known(a), known(b)
    if x is not None and y is not None:
        return min(x, y)
    return _arith("minsi", a, b)


def larger(a: Index, b: Index) -> Index:
    """The larger of two, signed."""
    x, y = known(a), known(b)
    if x is not None and y is not None:
        return max(x, y)
    return _arith("maxsi", a, b)


def less(a: Index, b: Index) -> Condition:
    """`a < b`, signed."""
    x, y = known(a), known(b)
    if x is not None and y is not None:
        return x < y
    return _compare(arith.CmpIPredicate.slt, a, b)


def at_most(a: Index, b: Index) -> Condition:
    """`a <= b`, signed."""
    x, y = known(a), known(b)
    if x is not None and y is not None:
        return x <= y
    return _compare(arith.CmpIPredicate.sle, a, b)


def equal(a: Index, b: Index) -> Condition:
    """`a == b`."""
    x, y = known(a), known(b)
    if x is not None and y is not None:
        return x == y
    if isinstance(a, ir.Value) and a == b:
        return True
    return _compare(arith.CmpIPredicate.eq, a, b)


def truth(condition: Condition) -> ir.Value:
    """`condition` as an SSA value of type `i1`."""
    if isinstance(condition, bool):
        return arith.constant(ir.IntegerType.get_signless(1), int(condition))
    return condition


def both(a: Condition, b: Condition) -> Condition:
    """`a and b`."""
    if isinstance(a, bool):
        return b if a else False
    if isinstance(b, bool):
        return a if b else False
    return arith.andi(a, b)


def select(condition: Condition, a: Index, b: Index) -> Index:
    """`a` if the condition holds, else `b`."""
    if isinstance(condition, bool):
        return a if condition else b
    return arith.select(condition, index(a), index(b))


def thread_id() -> ir.Value:
    """The index of this thread in its CTA; CTAs have one dimension."""
    return gpu.thread_id(gpu.Dimension.x)


def block_size(op: Any) -> int:
    """The number of threads in each CTA of the kernel around `op`."""
    return kernel_of(op).operation.attributes["known_block_size"][0]


def grid_size(op: Any) -> Index:
    """The number of CTAs of the grid; constant if the kernel around `op` says so."""
    attributes = kernel_of(op).operation.attributes
    if "known_grid_size" in attributes:
        return attributes["known_grid_size"][0]
    return gpu.grid_dim(gpu.Dimension.x)


def kernel_of(op: Any) -> Any:
    """The kernel around an operation."""
    parent = op.operation.parent
    while parent.name != "gpu.func":
        parent = parent.operation.parent
    return parent.opview


@contextmanager
def when(condition: Condition) -> Generator[None]:
    """The body under `if condition`; without one where the condition is known to hold."""
    if isinstance(condition, bool):
        assert condition, "a body that can never run is not emitted"
        yield
        return
    branch = scf.IfOp(condition)
    with ir.InsertionPoint(branch.then_block):
        yield
        scf.yield_([])


def branches(condition: Condition) -> Generator[bool]:
    """True under `if condition`, then False under its `else`; only one of them where it is known
    which."""
    if isinstance(condition, bool):
        yield condition
        return
    branch = scf.IfOp(condition, has_else=True)
    for holds, block in ((True, branch.then_block), (False, branch.else_block)):
        assert block is not None
        with ir.InsertionPoint(block):
            yield holds
            scf.yield_([])


@contextmanager
def loop(start: Index, stop: Index, step: Index = 1) -> Generator[ir.Value]:
    """`for i in range(start, stop, step)`; yields `i`."""
    op = scf.ForOp(index(start), index(stop), index(step))
    with ir.InsertionPoint(op.body):
        yield op.induction_variable
        scf.yield_([])


def fold(
    steps: tuple[Index, Index, Index],
    start: ir.Value,
    combine: Callable[[ir.Value, ir.Value], ir.Value],
    *,
    is_once: bool,
) -> ir.Value:
    """`for i in range(*steps): total = combine(total, i)` from `start` on; with `is_once` there is
    at most one step, and no loop."""
    first, stop, step = steps
    if not is_once:
        loop = scf.ForOp(index(first), index(stop), index(step), [start])
        with ir.InsertionPoint(loop.body):
            scf.yield_([combine(loop.inner_iter_args[0], loop.induction_variable)])
        return loop.results[0]
    branch = scf.IfOp(truth(less(first, stop)), [start.type], has_else=True)
    with ir.InsertionPoint(branch.then_block):
        scf.yield_([combine(start, index(first))])
    otherwise = branch.else_block
    assert otherwise is not None
    with ir.InsertionPoint(otherwise):
        scf.yield_([start])
    return branch.results[0]


# Buffers as memrefs -------------------------------------------------------------------------------


def element(buffer: tirx.BufferType) -> ir.Type:
    """The type in which the elements are computed: integers lose their sign, `ui8` is `i8`; an
    mbarrier is 64 bits."""
    kind = buffer.element_type
    if isinstance(kind, tirx.MBarrierType):
        return ir.IntegerType.get_signless(64)
    if isinstance(kind, ir.IntegerType):
        return ir.IntegerType.get_signless(kind.width)
    return kind


def size_in_bytes(buffer: tirx.BufferType) -> int:
    """Bytes per element."""
    kind = element(buffer)
    assert isinstance(kind, ir.IntegerType | ir.FloatType)
    return kind.width // 8


_SPACES = {"global": "global", "shared": "workgroup", "local": "private"}


@fact
def memref_type(buffer: ir.Value) -> ir.MemRefType:
    """The memref that holds `buffer`: views begin at an offset, the others do not. Where the layout
    has shards or a swizzle it is the whole allocation, flat (see `address.place`)."""
    kind = buffer.type
    assert isinstance(kind, tirx.BufferType)
    dynamic = ir.ShapedType.get_dynamic_size()
    shape = [dynamic if size is None else size for size in kind.shape]
    layout = None
    if kind.is_distributed:
        # A thread sees its own part only, as one row of storage (see `layout.own`).
        shape = [_storage(kind)]
    elif not has_strides(kind):
        shape = [dynamic]
    elif is_strided(kind) or defining(buffer, "tirx.view", "tirx.subview", "tirx.own") is not None:
        strides = [dynamic if stride is None else stride for stride in kind.strides]
        layout = ir.StridedLayoutAttr.get(dynamic, strides)
    else:
        # LLVM's conversion takes no parameter with rows of no elements, which nobody reads.
        shape = [max(size, 1) for size in shape]
    space = ir.Attribute.parse(f"#gpu.address_space<{_SPACES[kind.scope]}>")
    return ir.MemRefType.get(shape, element(kind), layout, space)


def has_strides(kind: tirx.BufferType) -> bool:
    """Whether elements lie one stride apart along each dimension: no shards, no swizzle."""
    return not kind.shards and not kind.swizzle


def is_strided(kind: tirx.BufferType) -> bool:
    """Whether a buffer in memory is not simply row-major, of a shape that is known."""
    if None in kind.shape or None in kind.strides:
        return True
    plain: list[int] = []
    size = 1
    for length in reversed(kind.shape):
        plain.insert(0, size)
        size *= length or 0
    return kind.strides != plain


def _storage(kind: tirx.BufferType) -> int:
    steps = [(extent, stride) for _, extent, stride, axis in kind.shards if axis == "m"]
    return 1 + sum((extent - 1) * stride for extent, stride in steps)


def as_memref(buffer: ir.Value) -> ir.Value:
    """`buffer` as a memref; the cast goes away when storage is assigned."""
    return builtin.unrealized_conversion_cast([memref_type(buffer)], [buffer])


def load(buffer: ir.Value, indices: Sequence[Index]) -> ir.Value:
    """One element of a memref."""
    kind = buffer.type
    assert isinstance(kind, ir.MemRefType)
    operands = [buffer, *(index(i) for i in indices)]
    return ir.Operation.create("memref.load", [kind.element_type], operands).result


def store(value: ir.Value, buffer: ir.Value, indices: Sequence[Index]) -> None:
    """Writes one element of a memref."""
    ir.Operation.create("memref.store", operands=[value, buffer, *(index(i) for i in indices)])


def extent(buffer: ir.Value, dim: int) -> Index:
    """The size of a buffer along `dim`."""
    kind = buffer.type
    assert isinstance(kind, tirx.BufferType)
    size = kind.shape[dim]
    if size is not None:
        return size
    part = defining(buffer, "tirx.subview", "tirx.view")
    if part is not None:
        return part.sizes[kind.shape[:dim].count(None)]
    return tirx.dim(ir.IndexType.get(), buffer, dim)


@fact
def bounds(buffer: ir.Value) -> Sequence[int | None]:
    """Sizes that are known and large enough: the buffer's own, or those of the buffer of which it
    is a region."""
    kind = buffer.type
    assert isinstance(kind, tirx.BufferType)
    sizes = kind.shape
    region = defining(buffer, "tirx.subview") if None in sizes else None
    if region is None:
        return sizes
    outer = bounds(region.source)
    return [large if size is None else size for size, large in zip(sizes, outer, strict=True)]


def bound(buffer: ir.Value, dim: int) -> int | None:
    """One of `bounds`."""
    return bounds(buffer)[dim]
