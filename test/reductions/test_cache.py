"""The cache of compiled kernels: when it is hit, what it survives, and that it can be off."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pto
from pto.reductions import cache, call, program
from pto.reductions.plan import Plan
from pto.reductions.problem import Dimension, Problem
from pto.reductions.types import Types

F32 = np.dtype(np.float32)
PROBLEM = Problem((), (Dimension(64, 1),), 0, 0)
PLAN = Plan("direct", (32, 1), 1, 1, cluster=1, split=1, grid=1)
PROGRAM = program.reduction(Types("sum", F32, F32, F32), PROBLEM, PLAN, "sm_90a")


@pytest.fixture
def compilations(monkeypatch, tmp_path):
    """Counts how often a program is compiled, with a cache that is empty."""
    monkeypatch.setenv("PTO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "_memory", {})
    found = []
    compiled = pto.compile(PROGRAM)

    def compile(program, target):
        found.append(target)
        return compiled

    monkeypatch.setattr("pto.compiler.compile", compile)
    return found


def files(tmp_path):
    return sorted(path for path in tmp_path.rglob("*") if path.is_file() and path.name != "lock")


def test_a_kernel_is_compiled_once(compilations):
    assert cache.kernel(PROGRAM, "sm_90a") is cache.kernel(PROGRAM, "sm_90a")
    assert compilations == ["sm_90a"]


def test_the_next_process_reads_it_from_disk(compilations, monkeypatch):
    first = cache.kernel(PROGRAM, "sm_90a")
    monkeypatch.setattr(cache, "_memory", {})
    assert cache.kernel(PROGRAM, "sm_90a") == first
    assert compilations == ["sm_90a"]


@pytest.mark.parametrize("what", ["program", "target", "version"])
def test_another_program_target_or_compiler_is_another_kernel(compilations, monkeypatch, what):
    cache.kernel(PROGRAM, "sm_90a")
    if what == "version":
        monkeypatch.setattr(cache, "version", lambda: "other")
    cache.kernel(PROGRAM + " " * (what == "program"), "sm_80" if what == "target" else "sm_90a")
    assert len(compilations) == 2


def test_a_damaged_file_is_replaced(compilations, monkeypatch, tmp_path):
    cache.kernel(PROGRAM, "sm_90a")
    (file,) = files(tmp_path)
    whole = file.read_text()
    file.write_text(whole[:100])
    monkeypatch.setattr(cache, "_memory", {})
    cache.kernel(PROGRAM, "sm_90a")
    assert len(compilations) == 2 and file.read_text() == whole


def test_nothing_is_left_of_a_write_that_fails(compilations, monkeypatch, tmp_path):
    def fail(*_):
        raise OSError("full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.warns(RuntimeWarning, match=r"cannot be written \(full\); set PTO_CACHE_DIR"):
        cache.kernel(PROGRAM, "sm_90a")
    assert files(tmp_path) == []


def test_off_keeps_nothing(compilations, monkeypatch, tmp_path):
    monkeypatch.setenv("PTO_CACHE_DIR", "off")
    cache.kernel(PROGRAM, "sm_90a")
    assert files(tmp_path) == [] and cache.entries(cache.KERNELS) == [] and cache.clear() == 0


def test_without_a_setting_it_is_the_users_directory(monkeypatch):
    monkeypatch.delenv("PTO_CACHE_DIR")
    assert cache.directory() is not None and cache.directory().name == "pto"


def test_clear_removes_all(compilations, tmp_path):
    cache.kernel(PROGRAM, "sm_90a")
    cache.write(cache.TUNING, "ab" * 32, "{}")
    assert cache.clear() == 2
    assert files(tmp_path) == []


def test_one_kernel_serves_all_sizes(monkeypatch, tmp_path):
    monkeypatch.setenv("PTO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "_memory", {})
    monkeypatch.setattr(call, "_calls", {})
    for size in (1000, 1004, 1020):
        x = np.arange(size * 8, dtype=np.int32).reshape(size, 8)
        assert (pto.sum(x, 0) == x.sum(0)).all()
    assert len(files(tmp_path)) == 1


def test_a_warm_process_loads_no_mlir(tmp_path):
    script = (
        "import sys, numpy as np, pto; print(pto.sum(np.arange(10, dtype=np.float32)));"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'mlir'}))"
    )
    environment = {
        **os.environ,
        "PTO_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(Path(pto.__file__).parent.parent),
    }
    for expected in ("['mlir']", "[]"):
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        assert done.stdout.split() == ["45.0", expected]
