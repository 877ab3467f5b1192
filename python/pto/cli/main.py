"""The command `pto`."""

from __future__ import annotations

import sys
import warnings
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pto.errors import PtoError

from . import bench, cache, compile, explain, ops, run


class _Commands(TyperGroup):
    """Prints a mistake of the user's as one message, where a bug of ours gives a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except PtoError as error:
            if ctx.params["traceback"]:
                raise
            text = str(error)
            print(text if ": error: " in text else f"error: {text}", file=sys.stderr)
            raise typer.Exit(1) from None


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _options(  # pyright: ignore[reportUnusedFunction]
    traceback: Annotated[
        bool,
        typer.Option("--traceback", envvar="PTO_SHOW_INTERNALS", help="Show where errors arise."),
    ] = False,
) -> None:
    """Compile, explain, run and check tile programs."""


def _show_warning(message: Warning | str, *_: Any) -> None:
    print(message, file=sys.stderr)


app.command("run")(run.run)
app.command("compile")(compile.compile)
app.command("explain")(explain.explain)
app.command("ops")(ops.ops)
app.add_typer(cache.app, name="cache")
app.add_typer(bench.app, name="bench")


def main() -> None:
    """Run `pto` on `sys.argv`; exits with 0, with 1 for an error, or with 2 for wrong usage."""
    warnings.showwarning = _show_warning
    app(prog_name="pto")
