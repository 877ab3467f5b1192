"""What the simulator watches for."""

import functools

import pytest

from pto import sim


@pytest.fixture
def watch_races(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accesses of two threads to a byte of shared memory that no barrier orders are faults."""
    monkeypatch.setattr(sim, "launch", functools.partial(sim.launch, check_races=True))
