"""Facts about the chips we compile for.

Sources: the CUDA C++ programming guide, table of compute capabilities (shared memory), and the PTX
ISA (a version that knows the chip and what we use on it).
"""

import re
from dataclasses import dataclass
from typing import Any

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
        Target("sm_100a", sm=100, ptx=88, shared_bytes=232_448),
        Target("sm_120a", sm=120, ptx=88, shared_bytes=101_376),
    )
}


def find(chip: str | None) -> Target:
    """The facts about `chip`, None for the default; a `CompileError` for an unknown one."""
    chip = DEFAULT if chip is None else chip
    if chip not in _TARGETS:
        raise CompileError(f"unknown target '{chip}'; it is one of {', '.join(_TARGETS)}")
    return _TARGETS[chip]


def of(gpu_module: Any) -> Target:
    """The target of a `gpu.module`, from its `#nvvm.target`."""
    targets = str(gpu_module.operation.attributes["targets"]) if _has_target(gpu_module) else ""
    chip = re.search(r'chip = "([^"]+)"', targets)
    if chip is not None:
        return find(chip.group(1))
    raise CompileError("no '#nvvm.target<chip = ...>'")


def _has_target(gpu_module: Any) -> bool:
    return "targets" in gpu_module.operation.attributes


def features(target: Target) -> str:
    """What LLVM is told beside the chip."""
    return f"+ptx{target.ptx}"


def attributes(target: Target) -> Any:
    """The `targets` of a `gpu.module`."""
    from mlir import ir

    return ir.Attribute.parse(
        f'[#nvvm.target<chip = "{target.chip}", features = "{features(target)}">]'
    )
