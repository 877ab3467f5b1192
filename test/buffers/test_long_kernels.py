"""A mistake in a kernel of 1,000 tile ops gives one message, at its place, in the user's words."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import long_kernels
from pto import compiler
from pto.errors import CompileError

TILE = long_kernels.TILE


def line_of(lines: list[str], op: str) -> int:
    """One of the op, in the middle of the kernel."""
    return next(i for i in range(len(lines) // 2, len(lines)) if lines[i].startswith(f"  {op} "))


def error_at(tmp_path: Path, lines: list[str]) -> tuple[int, int, str]:
    """Line, column and text of the only error."""
    path = tmp_path / "long.pto"
    path.write_text("\n".join(lines))
    with pytest.raises(CompileError) as caught:
        compiler.emit(path, form="ptx", target="sm_90a")
    errors = [line for line in str(caught.value).splitlines() if ": error: " in line]
    assert len(errors) == 1, errors
    found = re.fullmatch(rf"{re.escape(str(path))}:(\d+):(\d+): error: (.*)", errors[0])
    assert found is not None, errors
    return int(found[1]), int(found[2]), found[3]


def declared(lines: list[str], type_: str, i: int) -> None:
    lines[i] += f"\n  %wrong = alloc_tile : {type_}"


def wrong_type(lines: list[str]) -> tuple[int, int, str]:
    other = TILE.replace("f32", "f16")
    i = line_of(lines, "tadd")
    declared(lines, other, i)
    lines[i] += f"\n  tadd ins(%u0, %wrong : {TILE}, {other}) outs(%u0 : {TILE})"
    return i + 3, 3, "'pto.tadd' op element types differ: source 'f16', destination 'f32'"


def wrong_shape(lines: list[str]) -> tuple[int, int, str]:
    i = line_of(lines, "trowmax")
    lines[i] = f"  trowmax ins(%t0 : {TILE}) outs(%t1 : {TILE})"
    return i + 1, 3, "'pto.trowmax' op destination must have 1 valid column, not 64"


def wrong_valid_region(lines: list[str]) -> tuple[int, int, str]:
    i = line_of(lines, "tadd")
    part = TILE.replace(">", ", valid=?x?>")
    lines[i] += f"\n  %wrong = alloc_tile valid_row = %c8 valid_col = %c8 : {part}"
    lines[i] += f"\n  tadd ins(%u0, %wrong : {TILE}, {part}) outs(%u0 : {TILE})"
    return i + 3, 3, "'pto.tadd' op valid columns of its tiles differ"


def undefined_name(lines: list[str]) -> tuple[int, int, str]:
    i = line_of(lines, "tmax")
    lines[i] = f"  tmax ins(%u0, %nowhere : {TILE}, {TILE}) outs(%u0 : {TILE})"
    return i + 1, 17, "use of undeclared SSA value name"


def unknown_op(lines: list[str]) -> tuple[int, int, str]:
    i = line_of(lines, "tmax")
    lines[i] = lines[i].replace("tmax", "tmaximum")
    return i + 1, 3, "custom op 'tmaximum' is unknown (tried 'pto.tmaximum' as well)"


def no_variant(lines: list[str]) -> tuple[int, int, str]:
    i = line_of(lines, "tmax")
    lines[i] += ' {dispatch = "fastest"}'
    return i + 1, 3, "'pto.tmax' op has no variant 'fastest'; its variants are"


@pytest.mark.parametrize(
    "mistake",
    [wrong_type, wrong_shape, wrong_valid_region, undefined_name, unknown_op, no_variant],
    ids=lambda mistake: mistake.__name__,
)
def test_one_message_at_the_place_of_the_mistake(
    tmp_path: Path, mistake: Callable[[list[str]], tuple[int, int, str]]
) -> None:
    lines = long_kernels.lines(1000)
    line, column, message = mistake(lines)
    found = error_at(tmp_path, lines)
    assert found[:2] == (line, column)
    assert found[2].startswith(message)


def test_tiles_beyond_the_chip_are_named(tmp_path: Path) -> None:
    lines = long_kernels.lines(1000)
    i = line_of(lines, "tadd")
    declared(lines, "!pto.tile_buf<vec, 512x512xf32>", i)
    line, _, message = error_at(tmp_path, lines)
    assert line == i + 2
    assert message.startswith("'pto.alloc_tile' op")
    assert "is the largest of the kernel's tiles, which need 1057280 bytes" in message
    assert "has 232448" in message
