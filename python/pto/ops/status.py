"""Where the ops of the table were run and compared with the reference: `status.json`.

The tests write that file: `pytest test/property/test_matrix.py test/gpu/test_matrix.py --record
python/pto/ops/status.json`.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

PATH = Path(__file__).with_name("status.json")
SIMULATOR = "simulator"
NOT_RUN = "not run"


class Count(NamedTuple):
    """Of the cases of one op and element type."""

    cases: int
    agreed: int
    """Those whose result was the reference's, or within the error that the table states."""


Record = dict[str, dict[str, dict[str, Count]]]
"""By device, op (`pto.tadd`) and element type."""


def load(path: Path = PATH) -> Record:
    """What a file holds."""
    found = json.loads(path.read_text())
    return {
        device: {
            op: {dtype: Count(*count) for dtype, count in types.items()}
            for op, types in ops.items()
        }
        for device, ops in found.items()
    }


def save(record: Record, path: Path = PATH) -> None:
    """Writes a file, one line per op."""
    devices: list[str] = []
    for device, ops in sorted(record.items()):
        lines = [f"  {json.dumps(op)}: {json.dumps(types)}" for op, types in sorted(ops.items())]
        devices.append(f" {json.dumps(device)}: {{\n" + ",\n".join(lines) + "\n }")
    path.write_text("{\n" + ",\n".join(devices) + "\n}\n")


def devices(record: Record) -> list[str]:
    """The simulator and the GPUs that were used; `GPU` if none was."""
    return [SIMULATOR, *(sorted(set(record) - {SIMULATOR}) or ["GPU"])]


def describe(record: Record, device: str, op: str, types: Sequence[str]) -> str:
    """How far the results of an op agree on a device; `types` are all that it takes.

    `60 cases`; `58 of 60 cases, wrong: f16`; `55 cases, not run: f64`; `not run`.
    """
    found = record.get(device, {}).get(op, {})
    counts = {dtype: found[dtype] for dtype in types if dtype in found}
    if not counts:
        return NOT_RUN
    cases, agreed = (sum(count[i] for count in counts.values()) for i in (0, 1))
    wrong = [dtype for dtype, count in counts.items() if count.agreed < count.cases]
    missing = [dtype for dtype in types if dtype not in counts]
    words = [f"{cases} cases" if agreed == cases else f"{agreed} of {cases} cases"]
    words += [f"wrong: {' '.join(wrong)}"] if wrong else []
    words += [f"{NOT_RUN}: {' '.join(missing)}"] if missing else []
    return ", ".join(words)
