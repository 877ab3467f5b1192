"""Windows of global memory: a buffer, an offset, sizes and strides, all in elements."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlir import ir

from pto.dialects import tirx
from pto.lowering import emit
from pto.lowering.emit import Index


@dataclass(frozen=True)
class View:
    """What a `!pto.tensor_view` or a `!pto.partition_tensor_view` stands for."""

    base: ir.Value
    offset: Index
    sizes: tuple[Index, ...]
    strides: tuple[Index, ...]

    def window(self, offsets: Sequence[Index], sizes: Sequence[Index]) -> "View":
        """The part that begins at `offsets`."""
        offset = self.offset
        for position, stride in zip(offsets, self.strides, strict=True):
            offset = emit.add(offset, emit.mul(position, stride))
        return View(self.base, offset, tuple(sizes), self.strides)

    def matrix(self) -> "View":
        """The same elements as rows and columns: the last two dimensions, unit dimensions aside."""
        kept = list(range(len(self.sizes)))
        while len(kept) > 2:
            unit = next((i for i in kept[:-2] if emit.known(self.sizes[i]) == 1), None)
            if unit is None:
                unit = next(i for i in kept if emit.known(self.sizes[i]) == 1)
            kept.remove(unit)
        sizes = tuple(self.sizes[i] for i in kept)
        strides = tuple(self.strides[i] for i in kept)
        if len(kept) == 1:
            sizes, strides = (1, *sizes), (0, *strides)
        return View(self.base, self.offset, sizes, strides)

    def buffer(self) -> ir.Value:
        """The window as a `tirx` buffer."""
        static_sizes = [emit.known(size) for size in self.sizes]
        static_strides = [emit.known(stride) for stride in self.strides]
        element = self.base.type.element_type
        kind = tirx.BufferType.get(static_sizes, element, "global", static_strides)
        return tirx.view(
            kind,
            self.base,
            emit.index(self.offset),
            [emit.index(size) for size in self.sizes if emit.known(size) is None],
            [emit.index(stride) for stride in self.strides if emit.known(stride) is None],
        )


def of_argument(argument: Any) -> View:
    """A kernel argument that is a view; its sizes and strides come with the launch."""
    kind = argument.type
    index = ir.IndexType.get()
    sizes = [
        tirx.dim(index, argument, i) if size is None else size for i, size in enumerate(kind.shape)
    ]
    strides = [tirx.stride(index, argument, i) for i in range(len(kind.shape))]
    return View(argument, 0, tuple(sizes), tuple(strides))
