"""Reductions made ready: everything that does not depend on addresses is settled.

A call of a kernel that takes 4 us must not spend more than that in Python: what is left per call is
to look up streams and addresses, put them among the parameters, and launch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from pto.runtime import Argument, Kernel, gpu, simulator
from pto.runtime.arguments import flatten
from pto.runtime.array import Array, cupy

from .libraries import Library, Stream
from .workspace import Workspaces

Role = Literal["x", "y", "workspace", "words"]
_ROLES: tuple[Role, ...] = get_args(Role)

_workspaces, _words = Workspaces(), Workspaces()


@dataclass(frozen=True)
class Operand:
    """An array argument of a kernel: part of the caller's `x`, of the result `y`, of the workspace,
    or of the words that are zero between launches, from `offset` bytes into it."""

    role: Role
    offset: int
    dtype: str
    shape: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    """In elements."""

    def at(self, owner: object, address: int, itemsize: int, device: int | None) -> Array:
        strides = tuple(stride * itemsize for stride in self.strides)
        return Array(owner, address + self.offset, self.dtype, self.shape, strides, device)


@dataclass(frozen=True)
class Step:
    """One launch."""

    kernel: Kernel
    operands: tuple[Operand, ...]
    scalars: tuple[int, ...]
    """The arguments after the operands."""
    grid: int


@dataclass(frozen=True)
class Reduction:
    """What a call does, one step after the other."""

    steps: tuple[Step, ...]
    zero_bytes: int = 0
    """How many bytes of the result the first step wants to be zero."""
    workspace: int = 0
    """Bytes."""
    words: int = 0
    """Bytes, of which all are zero before the call and after it."""


# The simulator ------------------------------------------------------------------------------------


def on_simulator(reduction: Reduction, x: Any, y: Any) -> None:
    """Runs to the end on NumPy arrays."""
    workspace = np.zeros(max(reduction.workspace, 1), np.uint8)
    words = np.zeros(max(reduction.words, 1), np.uint8)
    owners = {"x": x, "y": y, "workspace": workspace, "words": words}
    if reduction.zero_bytes:
        y[...] = 0
    for step in reduction.steps:
        bound: list[Array | np.generic] = []
        for operand, argument in zip(step.operands, step.kernel.arguments, strict=False):
            owner = owners[operand.role]
            address = owner.__array_interface__["data"][0]
            bound.append(operand.at(owner, address, _itemsize(argument), None))
        bound += [np.int64(scalar) for scalar in step.scalars]
        simulator.launch(step.kernel, bound, step.grid)


def _itemsize(argument: Argument) -> int:
    return argument.scalar_dtype.itemsize


# A GPU --------------------------------------------------------------------------------------------


class OnDevice:
    """A reduction on one CUDA device, its kernels loaded."""

    def __init__(self, reduction: Reduction, library: Library, device: int) -> None:
        self._library, self._device = library, device
        self._zero_bytes = reduction.zero_bytes
        self._workspace, self._words = reduction.workspace, reduction.words
        self._memset = cupy().cuda.runtime.memsetAsync
        self._steps = [_Loaded(step, device) for step in reduction.steps]

    def __call__(self, x: int, y: int) -> None:
        """Enqueues everything on the current stream, for the addresses of array and result. The
        device is the current one."""
        library, device = self._library, self._device
        stream = library.stream(device)
        workspace = words = 0
        if self._workspace:
            workspace = _workspaces.address(library, device, stream, self._workspace)
        if self._words:
            words = _words.address(library, device, stream, self._words)
        if self._zero_bytes:
            self._memset(y, 0, self._zero_bytes, stream.ptr)
        for step in self._steps:
            step((x, y, workspace, words), stream)


class _Loaded:
    """A step whose kernel is on the device; only addresses are missing among the parameters."""

    def __init__(self, step: Step, device: int) -> None:
        kernel = step.kernel
        self._function = gpu.load(kernel, device)
        self._grid, self._block, self._shared = (step.grid,), (kernel.block,), kernel.shared_bytes
        self._template, self._places = _parameters(step)

    def __call__(self, addresses: Sequence[int], stream: Stream) -> None:
        """`addresses` are those of `_ROLES`."""
        parameters = self._template.copy()
        for place, role, offset in self._places:
            parameters[place] = addresses[role] + offset
        self._function(self._grid, self._block, parameters, self._shared, stream)


def _parameters(step: Step) -> tuple[list[int], list[tuple[int, int, int]]]:
    """The parameters as ints, which CuPy passes as 64 bits, as all of them are; and the positions
    of the addresses, which are 0, with the numbers of their roles and the offsets."""
    places: list[tuple[int, int, int]] = []
    template: list[int] = []
    for operand, argument in zip(step.operands, step.kernel.arguments, strict=False):
        places.append((len(template), _ROLES.index(operand.role), operand.offset))
        array = operand.at(None, -operand.offset, _itemsize(argument), None)
        template += [int(value) for value in flatten([argument], [array], _address)]
    return [*template, *step.scalars], places


def _address(_: Argument, array: Array) -> int:
    return array.address
