"""`pto bench`: times on a GPU, beside other libraries."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from pto.errors import PtoError

app = typer.Typer(no_args_is_help=True)


@app.callback()
def _bench() -> None:  # pyright: ignore[reportUnusedFunction]
    """Measure on a GPU, beside other libraries."""


@app.command()
def reduce(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for `pto bench table`.")] = (
        False
    ),
    quick: Annotated[bool, typer.Option("--quick", help="Fewer and smaller cases.")] = False,
) -> None:
    """Time reductions beside CuPy, PyTorch, Triton and CUB, as far as they are installed."""
    from pto.bench import reduce, report

    results = reduce.measure(quick, lambda text: print(text, file=sys.stderr, flush=True))
    print(json.dumps(results, indent=1) if as_json else report.markdown(results), end="")


@app.command()
def table(
    file: Annotated[Path, typer.Argument(help="What `pto bench reduce --json` printed.")],
) -> None:
    """Print measured results as tables in Markdown."""
    from pto.bench import report

    try:
        results = json.loads(file.read_text())
        text = report.markdown(results)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PtoError(f"{file}: no results of `pto bench reduce --json`: {error}") from None
    print(text, end="")
