"""The threads that execute a primitive together."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from mlir import ir
from mlir.dialects import arith, gpu

from pto.lowering import emit, intrinsics, rules
from pto.lowering.emit import Index
from pto.target import Target

WARP, WARPGROUP = 32, 128


@dataclass(frozen=True)
class Workers:
    """`count` threads of one scope; `index` is this thread's number among them, `group` the number
    of the scope in its CTA, of which there are `groups`."""

    scope: str
    index: Index
    count: int
    group: Index
    groups: int

    @contextmanager
    def share(self, total: Index, most: int | None = None) -> Generator[Index]:
        """The body for each of `total` items, which the threads take in turn: a loop, or a
        condition where no thread has more than one. A total that is not known is at most `most`."""
        known = emit.known(total)
        bound = most if known is None else known
        if bound is None or bound > self.count:
            with emit.loop(self.index, total, self.count) as item:
                yield item
        else:
            with emit.when(known == self.count or emit.less(self.index, total)):
                yield self.index

    def share_batches(self, total: Index, most: int, size: int) -> Generator[list[Index]]:
        """The same, for `size` items of a thread at a time, as long as all threads have as many."""
        size = min(size, most // self.count)
        batch = size * self.count
        if size < 2:
            with self.share(total, most) as item:
                yield [item]
        elif most == batch:
            for is_full in emit.branches(emit.equal(total, batch)):
                if is_full:
                    yield self._batch(0, size)
                else:
                    with self.share(total) as item:
                        yield [item]
        else:
            batches = emit.div(total, batch)
            with emit.loop(0, batches) as number:
                yield self._batch(emit.mul(number, batch), size)
            done = emit.mul(batches, batch)
            rest = emit.sub(total, done)
            if emit.known(rest) != 0:
                with self.share(rest, batch) as item:
                    yield [emit.add(done, item)]

    def _batch(self, first: Index, size: int) -> list[Index]:
        first = emit.add(first, self.index)
        return [emit.add(first, item * self.count) for item in range(size)]

    def barrier(self) -> None:
        """Waits for all of them, and makes what they wrote visible to each other."""
        match self.scope:
            case "warp":
                intrinsics.barrier_warp()
            case "warpgroup":
                # Barrier 0 is the CTA's; each warpgroup has its own.
                i32 = ir.IntegerType.get_signless(32)
                name = arith.index_cast(i32, emit.index(emit.add(self.group, 1)))
                intrinsics.barrier(name, WARPGROUP)
            case "cta":
                gpu.barrier()
            case _:
                pass


def size_of(op: Any) -> int:
    """How many threads execute `op` together."""
    threads = emit.block_size(op)
    return {"thread": 1, "warp": WARP, "warpgroup": WARPGROUP}.get(rules.scope_of(op), threads)


def of(op: Any) -> Workers:
    """The threads that execute `op`."""
    scope, count = rules.scope_of(op), size_of(op)
    if scope == "thread":
        return Workers(scope, 0, 1, 0, 1)
    thread = emit.thread_id()
    if scope == "cta":
        return Workers(scope, thread, count, 0, 1)
    groups = emit.block_size(op) // count
    return Workers(scope, emit.rem(thread, count), count, emit.div(thread, count), groups)


def whole_scopes(op: Any, _: Target) -> str | None:
    """The CTA consists of whole warps or warpgroups, if they execute the primitive."""
    scope, threads = rules.scope_of(op), emit.block_size(op)
    if scope in ("warp", "warpgroup") and threads % size_of(op):
        return f"whole_scopes: a CTA of {threads} threads does not consist of {scope}s"
    return None
