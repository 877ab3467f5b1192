"""Launches a kernel of a PTX module on the simulator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pto.errors import LaunchError

from .grid import Chunk, Dim, Grid
from .machine import Machine, Stats
from .memory import FIRST_GLOBAL, LOCAL, PARAM, SHARED, Area, Memory, global_address, window
from .program import Program
from .races import held_bytes
from .syntax import Variable
from .translate import translate
from .types import Array

MAX_THREADS = 1024
MAX_SHARED = 227 * 1024
# A chunk has as many lanes as a large GPU (148 multiprocessors) holds threads, so that CTAs that
# wait for one another find each other; but no more bytes than this.
CHUNK_LANES = 148 * 2048
CHUNK_BYTES = 1 << 30


@dataclass(frozen=True)
class Buffer:
    """Device memory: a contiguous 1-D uint8 array that kernels modify in place.

    As a kernel parameter it is the address of byte `offset`. `name` is what messages call it.
    Buffers over the same array share their addresses.
    """

    name: str
    data: np.ndarray[Any, np.dtype[np.uint8]]
    offset: int = 0


def launch(
    ptx: str,
    kernel: str,
    params: Sequence[Buffer | np.generic | int | float],
    *,
    grid: Dim,
    block: Dim | None = None,
    shared_bytes: int = 0,
    seed: int | None = None,
    check_uninitialized: bool = False,
    check_races: bool | None = None,
) -> Stats:
    """Run a kernel to its end; its buffers are modified in place.

    `params` fit the entry's parameter list. An int or float takes the size that the parameter has;
    a numpy scalar must have that size. `block` defaults to the kernel's `.reqntid` or `.maxntid`.
    `shared_bytes` is the dynamic shared memory per CTA. A `seed` runs the warps one by one in a
    random order, and lets asynchronous copies land at random. `check_uninitialized` reports reads
    of shared or local memory that was never written, `check_races` unordered accesses to one byte
    of shared memory and uses of it, or of mbarriers, that no synchronisation allows; the default is
    to do so where the kernel uses clusters, mbarriers or asynchronous copies.

    Raises `LaunchError` for arguments that do not fit, `SimulationError` for a fault in the kernel
    or PTX that is not known, `DeviceAssertion` for a failed `assert`.
    """
    program = translate(ptx, kernel)
    geometry = _geometry(program, grid, block)
    check_races = program.asynchronous if check_races is None else check_races
    shared = (
        -(-program.shared_bytes // program.dynamic_align) * program.dynamic_align + shared_bytes
    )
    if shared > MAX_SHARED:
        raise LaunchError(
            f"{kernel} wants {shared} bytes of shared memory per CTA; {MAX_SHARED} fit"
        )
    areas = _variables(program)
    areas[PARAM] = _parameters(program, params, areas)
    random = None if seed is None else np.random.default_rng(seed)
    stats = Stats()
    registers = None
    with np.errstate(all="ignore"):
        held = shared * (1 + check_uninitialized)
        if check_races:
            held += held_bytes(geometry, shared, program.asynchronous)
        for chunk in geometry.chunks(_clusters_per_chunk(program, geometry, held)):
            areas[SHARED] = _shared(chunk, shared)
            areas[LOCAL] = _local(chunk, program.local_bytes)
            if check_uninitialized:
                areas[SHARED].track_writes()
                areas[LOCAL].track_writes()
            memory = Memory(kernel, chunk.place, areas)
            if registers and next(iter(registers.values())).size != chunk.lanes:
                registers = None
            machine = Machine(
                program,
                chunk,
                memory,
                stats,
                registers=registers,
                random=random,
                check_races=check_races,
            )
            machine.run()
            registers = machine.registers
    return stats


def _shared(chunk: Chunk, size: int) -> Area:
    stride = -(-size // 128) * 128
    data = np.zeros(chunk.ctas * stride, np.uint8)
    base = window("shared")
    return Area("shared memory", "shared", base, data, size, owner=chunk.cta, stride=stride)


def _local(chunk: Chunk, size: int) -> Area:
    stride = -(-size // 16) * 16
    data = np.zeros(chunk.lanes * stride, np.uint8)
    owner = np.arange(chunk.lanes)
    return Area("local memory", "local", window("local"), data, size, owner=owner, stride=stride)


def _geometry(program: Program, grid: Dim, block: Dim | None) -> Grid:
    limits = program.kernel.limits
    required, name = limits.get("reqntid"), program.kernel.name
    stated = required or limits.get("maxntid")
    if block is None and stated is None:
        raise LaunchError(f"{name}: give the block size; the kernel states none")
    threads = block or _dim(stated or ())
    if required and threads != _dim(required):
        raise LaunchError(f"{name}: block {threads} is not the required {_dim(required)}")
    cluster = _dim(limits.get("reqnctapercluster") or (1,))
    geometry = Grid(grid, threads, cluster)
    if min(*grid, *threads) < 1:
        raise LaunchError(f"{name}: grid {grid} and block {threads} must be positive")
    most = math.prod(limits.get("maxntid", (MAX_THREADS,)))
    if geometry.threads_per_cta > most:
        raise LaunchError(
            f"{name}: a block of {geometry.threads_per_cta} threads; {most} are allowed"
        )
    if any(n % c for n, c in zip(grid, cluster, strict=True)):
        raise LaunchError(f"{name}: grid {grid} is not a multiple of the cluster {cluster}")
    return geometry


def _dim(numbers: tuple[int, ...]) -> Dim:
    x, y, z = (*numbers, 1, 1, 1)[:3]
    return x, y, z


def _clusters_per_chunk(program: Program, grid: Grid, shared: int) -> int:
    """`shared`: bytes that are held for each CTA."""
    lanes = grid.threads_per_cta * grid.cluster_size
    per_lane = program.local_bytes + sum(program.register_bits) // 8
    held = shared * grid.cluster_size + per_lane * lanes
    return max(1, min(CHUNK_LANES // lanes, CHUNK_BYTES // max(held, 1)))


def _variables(program: Program) -> dict[int, Area]:
    """The module's global and const variables with their initial values."""
    areas: dict[int, Area] = {}
    variables = zip(program.globals.values(), program.images, strict=True)
    for number, ((variable, address), image) in enumerate(variables):
        name = f"variable '{variable.name}'"
        data = image.copy()
        areas[FIRST_GLOBAL + number] = Area(name, variable.space, address, data, variable.size)
    return areas


def _parameters(
    program: Program, params: Sequence[Buffer | np.generic | int | float], areas: dict[int, Area]
) -> Area:
    """The parameter block; every buffer gets its area."""
    kernel = program.kernel.name
    if len(params) != len(program.params):
        names = ", ".join(variable.name for variable, _ in program.params)
        raise LaunchError(
            f"{kernel} takes {len(program.params)} parameters ({names}), not {len(params)}"
        )
    size = max((offset + variable.size for variable, offset in program.params), default=0)
    data = np.zeros(size, np.uint8)
    addresses: dict[tuple[int, int], int] = {}
    for value, (variable, offset) in zip(params, program.params, strict=True):
        if isinstance(value, Buffer):
            value = np.uint64(_address(value, areas, addresses) + value.offset)
        data[offset : offset + variable.size] = _bytes(value, variable, kernel)
    return Area("the kernel parameters", "param", window("param"), data, size)


def _address(buffer: Buffer, areas: dict[int, Area], addresses: dict[tuple[int, int], int]) -> int:
    data = buffer.data
    if data.dtype != np.uint8 or data.ndim != 1 or not data.flags.c_contiguous:
        raise LaunchError(f"buffer '{buffer.name}' must be a contiguous 1-D uint8 array")
    if not data.flags.writeable:
        raise LaunchError(f"buffer '{buffer.name}' is not writable")
    key = (data.__array_interface__["data"][0], data.size)
    if key not in addresses:
        number = sum(region >= FIRST_GLOBAL for region in areas)
        addresses[key] = global_address(number)
        areas[FIRST_GLOBAL + number] = Area(
            f"buffer '{buffer.name}'", "global", addresses[key], data, data.size
        )
    return addresses[key]


def _bytes(value: np.generic | int | float, variable: Variable, kernel: str) -> Array:
    wrong = LaunchError(
        f"{kernel}: parameter {variable.name} has {variable.size} bytes; {value!r} does not fit"
    )
    if isinstance(value, np.generic):
        raw = value.tobytes()
    elif isinstance(value, float):
        if variable.size not in (2, 4, 8):
            raise wrong
        raw = np.array(value).astype(f"f{variable.size}").tobytes()
    else:
        try:
            raw = int(value).to_bytes(variable.size, "little", signed=value < 0)
        except OverflowError:
            raise wrong from None
    if len(raw) != variable.size:
        raise wrong
    return np.frombuffer(raw, np.uint8)
