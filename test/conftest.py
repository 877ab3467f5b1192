"""Fixtures and paths for all tests; `--record FILE` keeps what the matrix of ops found."""

import sys
from collections import defaultdict
from collections.abc import Callable
from operator import add
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

PROPERTY = "matrix"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record",
        type=Path,
        metavar="FILE",
        help="add how many cases of each op agreed with the reference (python/pto/ops/status.json)",
    )


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--record")
    if path is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(path))


class Recorder:
    """Adds the tests' counts to a file, whichever process ran them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.found += [value for name, value in report.user_properties if name == PROPERTY]

    def pytest_sessionfinish(self) -> None:
        from pto.ops import status

        record = status.load(self.path) if self.path.exists() else {}
        counts: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0])
        for each in self.found:
            total = counts[each["device"], each["op"], each["dtype"]]
            total[:] = map(add, total, each["count"])
        for (device, op, dtype), total in counts.items():
            record.setdefault(device, {}).setdefault(op, {})[dtype] = status.Count(*total)
        status.save(record, self.path)


@pytest.fixture
def record_matrix(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """Notes how many cases of an op and type a device ran, and what of them was wrong."""

    def record(device: str, op: str, dtype: str, cases: int, wrong: int) -> None:
        found = {"device": device, "op": op, "dtype": dtype, "count": (cases, cases - wrong)}
        record_property(PROPERTY, found)

    return record
