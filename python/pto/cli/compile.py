"""`pto compile`: print or write one stage of the compilation."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from pto.errors import PtoError

from .options import File, Target, choose, program

if TYPE_CHECKING:
    from pto.compiler import Form

_FORMS = ("tirx", "dispatch", "nvvm", "llvm", "ptx", "cubin")


def compile(
    file: File,
    target: Target = None,
    emit: Annotated[str, typer.Option(metavar="|".join(_FORMS), help="What to make.")] = "ptx",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="OUT", help="The file to write.", show_default="stdout"
        ),
    ] = None,
) -> None:
    """Compile a program down to one of its forms."""
    form = cast("Form", choose("--emit", emit, _FORMS))
    if form == "cubin" and output is None:
        raise PtoError("--emit cubin makes a binary file: say where with -o OUT")
    from pto import compiler

    result = compiler.emit(program(file), target=target, form=form)
    if output is None:
        sys.stdout.write(str(result))
        return
    try:
        output.write_bytes(result if isinstance(result, bytes) else result.encode())
    except OSError as error:
        raise PtoError(f"{output}: cannot be written: {error.strerror}") from None
