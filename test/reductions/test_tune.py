"""`PTO_AUTOTUNE`: plans are measured once, and the winner is kept."""

import json

import numpy as np
import pytest

import pto
from pto.reductions import cache, call, tune
from pto.reductions.plan import Plan


@pytest.fixture(autouse=True)
def few(monkeypatch, tmp_path):
    """Few plans and rounds, for a cache that is empty."""
    monkeypatch.setattr(tune, "PLANS", 5)
    monkeypatch.setattr(tune, "OF_EACH", 0)
    monkeypatch.setattr(tune, "ROUNDS", 1)
    monkeypatch.setattr(tune, "_FLUSHED", 1)
    monkeypatch.setattr(tune, "_winners", {})
    monkeypatch.setenv("PTO_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PTO_AUTOTUNE", "1")


def forget(monkeypatch):
    """As in another process."""
    monkeypatch.setattr(tune, "_winners", {})
    monkeypatch.setattr(call, "_calls", {})


def kept():
    (file,) = cache.entries(cache.TUNING)
    return json.loads(file.read_text())


@pytest.fixture
def x(cuda):
    return cuda.cupy.asarray(np.ones((64, 96), np.float32))


@pytest.mark.parametrize("wanted", [min, max])
def test_the_plan_that_takes_the_shortest_time_wins(cuda, x, wanted):
    cuda.cost = lambda grid: grid if wanted is min else 100 - grid
    assert pto.prod(x, 0).host.tolist() == [1] * 96
    measured = {grid for grid in cuda.grids}
    assert len(measured) > 1
    assert kept()["grid"] == wanted(measured)


def test_the_winner_is_kept_for_the_next_process(cuda, x, monkeypatch):
    pto.prod(x, 0)
    forget(monkeypatch)
    cuda.record.clear()
    pto.prod(x, 0)
    assert [what for what, *_ in cuda.record] == ["prod"]


def test_a_kept_plan_that_cannot_be_read_is_measured_again(cuda, x, monkeypatch):
    pto.prod(x, 0)
    (file,) = cache.entries(cache.TUNING)
    file.write_text("[]")
    forget(monkeypatch)
    pto.prod(x, 0)
    assert kept()["grid"] >= 1


def test_times_are_printed_on_request(x, monkeypatch, capsys):
    monkeypatch.setenv("PTO_PRINT_AUTOTUNING", "1")
    pto.prod(x, 0)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 5
    assert lines[0].startswith("pto: prod 96x64xf32 (outer): 1000.0 us (model ")


def test_every_way_to_combine_is_among_the_measured(monkeypatch):
    monkeypatch.setattr(tune, "OF_EACH", 1)
    ways = ["direct", "direct", "direct", "direct", "direct", "last_block", "dsmem", "last_block"]
    plans = [Plan(way, (32, 1), 1, 1, 1, 1, 1) for way in ways]
    chosen = tune._shortlist(plans)
    assert [plan.combine for plan in chosen] == ["direct"] * 5 + ["last_block", "dsmem"]


def test_nothing_is_measured_in_a_capture(cuda, x):
    with cuda.capture():
        pto.prod(x, 0)
    assert [what for what, *_ in cuda.record if what != "fill"] == ["prod"]


def test_nothing_is_measured_on_the_simulator():
    pto.prod(np.ones((64, 96), np.float32), 0)
    assert cache.entries(cache.TUNING) == []
