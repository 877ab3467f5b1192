"""The op table and its listing."""

import subprocess
import sys

import pytest

from pto import context
from pto.dtypes import DTYPES
from pto.ops import TABLE, Reduction
from pto.ops.listing import rows


def test_an_entry_is_found_by_its_name_in_the_ir():
    entry = TABLE["pto.tcolprod"]
    assert isinstance(entry, Reduction)
    assert (entry.primitive, entry.axis, entry.identity) == ("prod", 0, 1)


def test_every_key_is_the_name_of_its_entry():
    assert list(TABLE) == [entry.name for entry in TABLE.values()]


def test_the_table_needs_no_mlir():
    code = "import sys, pto.ops; sys.exit('mlir' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.fixture(scope="module")
def listing():
    return {row.name: row for row in rows(context.create())}


def test_the_listing_has_the_types_of_tcolprod(listing):
    row = listing["pto.tcolprod"]
    assert set(row.types) == set(DTYPES)
    assert set(row.a2a3) == {"f16", "f32", "i16", "i32"}
    assert set(row.a5) == {"f16", "f32", "bf16", "i16", "ui16", "i32", "ui32"}
    assert row.primitive == "tirx.prod"


def test_the_listing_has_every_op(listing):
    assert list(listing) == list(TABLE)
