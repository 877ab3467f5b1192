"""Opcode -> the function that translates it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..lanes import Lanes, select
from ..program import Control, Next, Step
from ..site import Read, Site

if TYPE_CHECKING:
    from ..machine import Machine

Emitted = Step | Control | list[Step | Control]
Entry = Callable[[Site], Emitted]
_ENTRIES: dict[str, Entry] = {}


def instruction(*opcodes: str) -> Callable[[Entry], Entry]:
    """Registers the translation of opcodes, such as `ld`. `st.async` goes before `st`."""

    def register(entry: Entry) -> Entry:
        for opcode in opcodes:
            assert opcode not in _ENTRIES, opcode
            _ENTRIES[opcode] = entry
        return entry

    return register


def emit(site: Site) -> list[Step | Control]:
    """The steps of one instruction. Raises `SimulationError` for anything not known."""
    entry = _ENTRIES.get(site.opcode)
    for modifier in site.instruction.modifiers[:1]:
        special = _ENTRIES.get(f"{site.opcode}.{modifier}")
        if special is not None:
            entry = special
            site.take(modifier)
    if entry is None:
        raise site.error(f"the instruction {site.opcode} is not known to the simulator")
    emitted = entry(site)
    site.finish()
    steps = emitted if isinstance(emitted, list) else [emitted]
    guard = site.guard()
    if guard is None:
        return steps
    return [_guarded(step, guard) for step in steps]


def _guarded(step: Step | Control, guard: Read) -> Step | Control:
    if isinstance(step, Control):
        return Control(_guarded_control(step, guard))

    def run(m: Machine, lanes: Lanes) -> None:
        chosen = select(lanes, guard(m, lanes))
        if chosen is not None:
            step(m, chosen)

    return run


def _guarded_control(step: Control, guard: Read) -> Callable[[Machine, int, Lanes], Next]:
    def run(m: Machine, pc: int, lanes: Lanes) -> Next:
        taken = guard(m, lanes)
        chosen = select(lanes, taken)
        if chosen is None:
            return pc + 1, lanes
        if chosen is not lanes:
            rest = select(lanes, ~taken)
            assert rest is not None
            m.push(pc + 1, rest)
        return step.run(m, pc, chosen)

    return run
