"""What is known of runs of the ops."""

from pathlib import Path

from pto import context
from pto.ops import TABLE, status
from pto.ops.listing import rows
from pto.ops.page import page
from pto.ops.status import Count

TYPES = ("f16", "f32")


def describe(**counts: tuple[int, int]) -> str:
    found = {dtype: Count(*count) for dtype, count in counts.items()}
    return status.describe({"H200": {"pto.tadd": found}}, "H200", "pto.tadd", TYPES)


def test_an_op_without_a_run_says_so():
    assert status.describe({}, "GPU", "pto.tadd", TYPES) == "not run"
    assert describe() == "not run"
    empty = page(context.create(), {})
    assert sum(line.endswith("| not run | not run |") for line in empty.splitlines()) == len(TABLE)


def test_types_without_a_run_are_named():
    assert describe(f16=(5, 5)) == "5 cases, not run: f32"


def test_types_with_wrong_results_are_named():
    assert describe(f16=(5, 5), f32=(5, 3)) == "8 of 10 cases, wrong: f32"


def test_an_op_that_agrees_gives_the_number_of_cases():
    assert describe(f16=(5, 5), f32=(5, 5)) == "10 cases"


def test_a_record_is_read_as_it_was_written(tmp_path: Path):
    record = {"simulator": {"pto.tadd": {"f32": Count(5, 4)}}, "H200": {}}
    status.save(record, tmp_path / "status.json")
    assert status.load(tmp_path / "status.json") == record


def test_the_record_names_ops_and_types_of_the_table():
    admitted = {row.name: set(row.types) for row in rows(context.create())}
    for ops in status.load().values():
        for op, types in ops.items():
            assert set(types) <= admitted[op]
