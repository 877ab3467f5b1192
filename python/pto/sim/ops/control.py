"""Branches, calls, exits, and the barriers of a CTA."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..lanes import Lanes, first, indices, select, uniform
from ..program import Control, Next, Step, Target
from ..site import PREDICATE, Read, Site
from ..syntax import Arguments, Name, Operand, Register, Variable
from ..types import TYPES, Array
from .registry import instruction
from .runtime import RUNTIME, local_offset

if TYPE_CHECKING:
    from ..machine import Machine


# ---- branches


@instruction("bra")
def branch(site: Site) -> Control:
    site.flag("uni")
    target = _target(site, 0)
    return Control(lambda m, pc, lanes: (target.pc, lanes))


@instruction("brx")
def branch_indexed(site: Site) -> Control:
    site.need("idx")
    site.flag("uni")
    index = site.read(0, TYPES["u32"])
    table = _target(site, 1)

    def run(m: Machine, pc: int, lanes: Lanes) -> Next:
        chosen = index(m, lanes)
        if chosen.max() >= len(table.branches):
            lane = int(indices(lanes)[np.argmax(chosen)])
            raise m.fault(
                lane, f"branch to target {chosen.max()} of {len(table.branches)}", site.where
            )
        for number in np.unique(chosen):
            part = select(lanes, chosen == number)
            assert part is not None
            m.push(table.branches[number].pc, part)
        return None

    return Control(run)


def _target(site: Site, number: int) -> Target:
    operand = site.operand(number)
    target = site.scope.target(operand.text) if isinstance(operand, Name) else None
    if target is None:
        raise site.error("unknown label")
    return target


# ---- ends


@instruction("exit")
def exit_thread(site: Site) -> Control:
    return Control(_exit)


@instruction("ret")
def return_(site: Site) -> Control:
    site.flag("uni")
    frame = site.scope.frame
    if frame is None:
        return Control(_exit)

    def run(m: Machine, pc: int, lanes: Lanes) -> Next:
        back = m.returns[frame][lanes]
        for to in np.unique(back):
            part = select(lanes, back == to)
            assert part is not None
            m.push(int(to), part)
        return None

    return Control(run)


def _exit(m: Machine, pc: int, lanes: Lanes) -> Next:
    m.exit(lanes)
    return None


@instruction("trap")
def trap(site: Site) -> Step:
    where = site.where

    def step(m: Machine, lanes: Lanes) -> None:
        raise m.fault(first(lanes), "trap", where)

    return step


@instruction("nanosleep")
def sleep(site: Site) -> Step:
    site.read(0, site.type("u32"))
    return lambda m, lanes: None


# ---- calls


@instruction("call")
def call(site: Site) -> list[Step | Control]:
    site.flag("uni")
    operands = [site.operand(k) for k in range(len(site.operands))]
    results: tuple[Operand, ...] = ()
    if isinstance(operands[0], Arguments):
        results, *operands = operands[0].items, *operands[1:]
    callee, *rest = operands
    arguments = rest[0].items if rest and isinstance(rest[0], Arguments) else ()
    if not isinstance(callee, Name) or len(rest) > 1:
        raise site.error("indirect calls are not known to the simulator")
    if callee.text in RUNTIME:
        return [RUNTIME[callee.text](site, results, arguments)]
    frame = site.translator.frame(callee.text)
    if frame is None:
        raise site.error(f"function {callee.text} has no body in this module")
    function = frame.function
    if len(results) != len(function.results) or len(arguments) != len(function.params):
        raise site.error(f"{callee.text} is called with the wrong number of arguments")
    inner = Site(site.translator, frame.scope, site.instruction)
    into = [
        _copy(site, argument, inner, Name(declared.name), declared)
        for argument, declared in zip(arguments, function.params, strict=True)
    ]
    back = [
        _copy(inner, Name(declared.name), site, result, declared)
        for result, declared in zip(results, function.results, strict=True)
    ]

    def run(m: Machine, pc: int, lanes: Lanes) -> Next:
        for step in into:
            step(m, lanes)
        m.returns[frame.number][lanes] = pc + 1
        return frame.target.pc, lanes

    def receive(m: Machine, lanes: Lanes) -> None:
        for step in back:
            step(m, lanes)

    return [Control(run), receive]


def _copy(
    reader: Site, source: Operand, writer: Site, target: Operand, declared: Variable | Register
) -> Step:
    """Hands one parameter or result over, in the way that the function declares it."""
    if isinstance(declared, Register):
        read = reader.read_operand(source, TYPES[declared.type])
        write = writer.write_operand(target, TYPES[declared.type])
        return lambda m, lanes: write(m, lanes, read(m, lanes))
    start, end = local_offset(reader, source), local_offset(writer, target)
    size = declared.size

    def copy(m: Machine, lanes: Lanes) -> None:
        for area in (m.memory.local, m.memory.local.written):
            if area is not None:
                rows = area.data.reshape(m.chunk.lanes, -1)
                rows[lanes, end : end + size] = rows[lanes, start : start + size]

    return copy


# ---- barriers


@instruction("bar", "barrier")
def barrier(site: Site) -> Control:
    """bar{.cta}.sync and .red, and the same of `barrier`, whose threads need not be aligned."""
    if site.opcode == "bar" and site.flag("warp"):
        site.need("sync")
        return converged(site.read(0, TYPES["u32"]), lambda m, lanes: None)
    site.flag("cta")
    kind = site.need("sync", "red")
    aligned = site.flag("aligned") or site.opcode == "bar"
    if kind == "red":
        return _reducing_barrier(site, aligned)
    number = site.read(0, TYPES["u32"])
    threads = site.read(1, TYPES["u32"]) if len(site.operands) > 1 else None

    def arrive(m: Machine, pc: int, lanes: Lanes, id: int, expected: int) -> Next:
        return m.barriers.arrive(id, pc, lanes, threads=expected, aligned=aligned)

    return Control(_by_barrier(number, threads, arrive))


def _reducing_barrier(site: Site, aligned: bool) -> Control:
    """Counts the threads whose predicate is true, or asks whether all or any are."""
    operation = site.need("popc", "and", "or")
    type = site.type("u32" if operation == "popc" else "pred")
    write = site.write(0, type)
    number = site.read(1, TYPES["u32"])
    threads = site.read(2, TYPES["u32"]) if len(site.operands) == 4 else None
    predicate = site.read(len(site.operands) - 1, PREDICATE)

    def arrive(m: Machine, pc: int, lanes: Lanes, id: int, expected: int) -> Next:
        def finish(released: Lanes, true: Array, arrived: Array) -> None:
            cta = m.chunk.cta[released]
            result = {"popc": true, "and": true == arrived, "or": true > 0}[operation]
            write(m, released, result[cta])

        true = select(lanes, predicate(m, lanes))
        return m.barriers.arrive(
            id, pc, lanes, threads=expected, aligned=aligned, true=true, finish=finish
        )

    return Control(_by_barrier(number, threads, arrive))


def _by_barrier(
    number: Read,
    threads: Read | None,
    arrive: Callable[[Machine, int, Lanes, int, int], Next],
) -> Callable[[Machine, int, Lanes], Next]:
    """Splits lanes that name different barriers or thread counts."""

    def run(m: Machine, pc: int, lanes: Lanes) -> Next:
        numbers = number(m, lanes)
        counts = np.zeros_like(numbers) if threads is None else threads(m, lanes)
        same, expected = uniform(numbers), uniform(counts)
        if same is not None and expected is not None:
            return arrive(m, pc, lanes, same, expected)
        for id, expected in set(zip(numbers.tolist(), counts.tolist(), strict=True)):
            part = select(lanes, (numbers == id) & (counts == expected))
            assert part is not None
            following = arrive(m, pc, part, id, expected)
            if following is not None:
                m.push(*following)
        return None

    return run


def converged(mask: Read, step: Step) -> Control:
    """Runs `step` for lanes once all lanes of their member mask have come."""

    def run(m: Machine, pc: int, lanes: Lanes) -> Next:
        ready = m.convergence.meet(pc, lanes, mask)
        if ready is None:
            return None
        if m.races is not None:
            m.races.clocks.meet(indices(ready))
        step(m, ready)
        return pc + 1, ready

    return Control(run)
