"""Options and checks that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from pto.errors import PtoError

File = Annotated[Path, typer.Argument(help="A tile program: .pto or .mlir.", show_default=False)]
Target = Annotated[
    str | None,
    typer.Option(
        metavar="CHIP",
        help="The chip to compile for, such as sm_90a.",
        show_default="the program's, else the default of the compiler",
    ),
]


def program(file: Path) -> Path:
    """The file, if there is one to read."""
    if not file.is_file():
        raise PtoError(f"{file}: {'is a directory' if file.is_dir() else 'no such file'}")
    return file


def choose(option: str, value: str, values: Sequence[str]) -> str:
    """The value of an option that takes one of a few words."""
    if value not in values:
        raise PtoError(f"{option} {value}: it is one of {', '.join(values)}")
    return value
