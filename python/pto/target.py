"""Facts about the chips we compile for.

Sources: the CUDA C++ programming guide, table of compute capabilities (shared memory), and the PTX
ISA (the first version that knows a chip).
"""

from dataclasses import dataclass

from pto.errors import CompileError


@dataclass(frozen=True)
class Target:
    """One value of `--target`."""

    chip: str
    sm: int
    """The compute capability as a number: 90 for `sm_90a`."""
    ptx: int
    """The PTX ISA version that we emit, 80 for 8.0."""
    shared_bytes: int
    """The most shared memory that one CTA can have, in bytes."""


DEFAULT = "sm_90a"

_TARGETS = {
    target.chip: target
    for target in (
        Target("sm_80", sm=80, ptx=80, shared_bytes=166_912),
        Target("sm_90", sm=90, ptx=80, shared_bytes=232_448),
        Target("sm_90a", sm=90, ptx=80, shared_bytes=232_448),
        Target("sm_100a", sm=100, ptx=86, shared_bytes=232_448),
        Target("sm_120a", sm=120, ptx=87, shared_bytes=101_376),
    )
}


def find(chip: str) -> Target:
    """The facts about `chip`; a `CompileError` for one that we do not compile for."""
    if chip not in _TARGETS:
        raise CompileError(f"unknown target '{chip}'; it is one of {', '.join(_TARGETS)}")
    return _TARGETS[chip]
