"""Runs the cases, checks every result against float64, and says how the libraries compare."""

from __future__ import annotations

import importlib
import subprocess
from collections.abc import Callable
from typing import Any

from pto.errors import PtoError
from pto.runtime import gpu

from . import peers
from .cases import Case, cases, values
from .timing import TIMED, Timer

ROUNDS = 31


def measure(quick: bool, progress: Callable[[str], None]) -> dict[str, Any]:
    """The results as what JSON holds; `progress` gets a line per case.

    Raises `PtoError` without a GPU, and for a result of ours that is wrong.
    """
    if not gpu.device_count():
        raise PtoError("pto bench reduce: there is no CUDA device (or no CuPy) to measure on")
    cupy = importlib.import_module("cupy")
    rounds = 21 if quick else ROUNDS
    timer, found = Timer(cupy), peers.installed()
    rows: list[dict[str, Any]] = []
    for case in cases(quick):
        rows.append(_row(case, cupy, timer, found, rounds))
        times = ", ".join(f"{name} {each['us']:.1f}" for name, each in rows[-1]["results"].items())
        progress(f"{case.group}: {case.name}: {times} us")
    return {
        "device": cupy.cuda.runtime.getDeviceProperties(0)["name"].decode(),
        "power_limit": _smi("power.limit"),
        "versions": peers.versions(),
        "timed": TIMED,
        "rounds": rounds,
        "copy_tb_s": timer.copy_bandwidth(rounds) / 1e6,
        "rows": rows,
    }


def _row(
    case: Case, cupy: Any, timer: Timer, libraries: dict[str, peers.Peer], rounds: int
) -> dict[str, Any]:
    x = values(case, cupy)
    exact = getattr(cupy, case.operation)(x, case.axis, dtype=cupy.float64)
    calls: dict[str, peers.Call] = {}
    errors: dict[str, float] = {}
    failures: dict[str, str] = {}
    for name, peer in libraries.items():
        try:
            call = peer(case, x)
            if call is None:
                continue
            result = peers.as_cupy(call())
        except Exception as error:
            if name == "pto":
                raise
            failures[name] = f"{type(error).__name__}: {error}"[:200]
            continue
        calls[name] = call
        errors[name] = float(cupy.max(cupy.abs(result.reshape(exact.shape) / exact - 1)))
    if not errors["pto"] <= _tolerance(case):
        raise PtoError(f"{case.group}, {case.name}: our relative error is {errors['pto']:.3g}")
    medians = timer.medians(calls, rounds)
    return {
        "group": case.group,
        "name": case.name,
        "bytes": case.bytes,
        "results": {name: {"us": medians[name], "error": errors[name]} for name in calls},
        "failures": failures,
    }


def _tolerance(case: Case) -> float:
    """The relative error that a result of ours may have: products are exact (`cases.values`)."""
    return 0 if case.operation == "prod" else 1e-6


def _smi(field: str) -> str | None:
    command = ["nvidia-smi", f"--query-gpu={field}", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.splitlines()[0].strip()
