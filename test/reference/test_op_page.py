"""The page about the ops is the one that the table makes."""

from pathlib import Path

from pto import context
from pto.ops import status
from pto.ops.page import page

DOCS = Path(__file__).parents[2] / "docs" / "ops.md"


def test_the_page_is_up_to_date():
    assert DOCS.read_text() == page(context.create(), status.load()), (
        "run: python -m pto.ops.page > docs/ops.md"
    )
