"""What one writes in Triton for these reductions, in several configurations: the best one counts.

A flat sum: a persistent grid, one atomic per program. A matrix: every program reduces a block of
rows or columns by itself. Neither is deterministic nor splits an axis.
"""

# Kernels have the types of Triton, which are not those of Python.
# pyright: basic, reportIndexIssue=false, reportMissingImports=false

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import triton
import triton.language as tl

from .cases import Case
from .peers import Call, tensor
from .timing import Timer

ROUNDS = 9
"""How often each configuration is timed, in turns: a tuner that sees one only for a moment picks
differently from run to run."""
_ROWS = (
    (16, 128),
    (32, 32),
    (32, 128),
    (64, 32),
    (64, 64),
    (128, 16),
    (128, 64),
    (256, 16),
    (512, 8),
)
_COLUMNS = (
    (1, 1024),
    (1, 2048),
    (1, 4096),
    (1, 8192),
    (2, 1024),
    (4, 512),
    (8, 256),
    (16, 64),
    (32, 32),
)
"""Results and elements of each that a program reads at once."""


@triton.jit
def _multiply(a, b):
    return a * b


@triton.jit
def _sum(x, y, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + at, at < n, 0.0)
    tl.atomic_add(y, tl.sum(total), sem="relaxed")


@triton.jit
def _product(x, y, kept, length, kept_stride, stride, K: tl.constexpr, R: tl.constexpr):
    k = tl.program_id(0).to(tl.int64) * K + tl.arange(0, K)
    total = tl.full((K, R), 1.0, tl.float32)
    for start in range(0, length, R):
        r = start + tl.arange(0, R).to(tl.int64)
        there = (k < kept)[:, None] & (r < length)[None, :]
        at = x + k[:, None] * kept_stride + r[None, :] * stride
        total *= tl.load(at, there, 1.0).to(tl.float32)
    tl.store(y + k, tl.reduce(total, 1, _multiply), k < kept)


def peer(case: Case, x: Any) -> Call | None:
    """The fastest configuration, timed as libraries are."""
    if case.deterministic or (case.operation == "prod" and case.axis is None):
        return None
    torch = importlib.import_module("torch")
    x = tensor(case, x)
    found = _sums(torch, x) if case.axis is None else _products(torch, case, x)
    calls = {str(number): call for number, call in enumerate(found)}
    medians = Timer(importlib.import_module("cupy")).medians(calls, ROUNDS)
    return calls[min(medians, key=lambda name: medians[name])]


def _sums(torch: Any, x: Any) -> Iterator[Call]:
    processors = torch.cuda.get_device_properties(0).multi_processor_count
    for block, warps in ((1024, 4), (4096, 8), (8192, 8), (16384, 16)):
        for ctas in (processors, 2 * processors, 4 * processors):

            def call(block: int = block, warps: int = warps, ctas: int = ctas) -> Any:
                y = torch.zeros((), dtype=torch.float32, device="cuda")
                _sum[(ctas,)](x, y, x.numel(), BLOCK=block, num_warps=warps)
                return y

            yield call


def _products(torch: Any, case: Case, x: Any) -> Iterator[Call]:
    assert case.axis is not None
    kept, length = case.shape[1 - case.axis], case.shape[case.axis]
    strides = x.stride()[1 - case.axis], x.stride()[case.axis]
    for k, r in _ROWS if case.axis == 0 else _COLUMNS:
        for warps in (4, 8):

            def call(k: int = k, r: int = r, warps: int = warps) -> Any:
                y = torch.empty(kept, dtype=x.dtype, device="cuda")
                grid = (triton.cdiv(kept, k),)
                _product[grid](x, y, kept, length, *strides, K=k, R=r, num_warps=warps)
                return y

            yield call
