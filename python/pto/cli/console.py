"""Tables and lines on stdout: coloured on a terminal, plain and never cut off in a pipe.

rich is loaded when something is printed: `pto compile` starts without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

# Wider than any line, so that nothing wraps where a program reads it.
_PIPE_WIDTH = 10_000


def console() -> Console:
    """For stdout as it is now."""
    from rich.console import Console

    plain = Console(highlight=False, markup=False)
    return plain if plain.is_terminal else Console(highlight=False, width=_PIPE_WIDTH)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under a header, columns aligned."""
    from rich.table import Table
    from rich.text import Text

    result = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        result.add_column(column, overflow="fold")
    for row in rows:
        result.add_row(*(Text(cell) for cell in row))
    output = console()
    with output.capture() as captured:
        output.print(result)
    print("\n".join(row.rstrip() for row in captured.get().splitlines()))


def line(text: str = "", style: str = "") -> None:
    """Print one line."""
    from rich.text import Text

    console().print(Text(text, style), soft_wrap=True)
