"""Kernels of any number of tile ops, as an unrolled loop leaves them."""

VIEW = "!pto.tensor_view<?x?xf32>"
TILE = "!pto.tile_buf<vec, 8x64xf32>"
COLUMN = "!pto.tile_buf<vec, 8x1xf32>"
DYNAMIC_TILE = "!pto.tile_buf<vec, 8x64xf32, valid=?x?>"
DYNAMIC_COLUMN = "!pto.tile_buf<vec, 8x1xf32, valid=?x1>"

BODY = (
    "tload ins(%x{i} : {window}) outs(%t{s} : {tile})",
    "trowmax ins(%t{s} : {tile}) outs(%m{s} : {column})",
    "trowexpandsub ins(%t{s}, %m{s} : {tile}, {column}) outs(%u{s} : {tile})",
    "texp ins(%u{s} : {tile}) outs(%u{s} : {tile})",
    "trowsum ins(%u{s} : {tile}) outs(%q{s} : {column}) fastmath<reassoc>",
    "trowexpanddiv ins(%u{s}, %q{s} : {tile}, {column}) outs(%u{s} : {tile})",
    "tadd ins(%u{s}, %t{s} : {tile}, {tile}) outs(%u{s} : {tile})",
    "tmuls ins(%u{s}, %half : {tile}, f32) outs(%u{s} : {tile})",
    "tmax ins(%u{s}, %t{s} : {tile}, {tile}) outs(%t{s} : {tile})",
    "tstore ins(%t{s} : {tile}) outs(%y{i} : {window})",
)
"""What is done with 8 rows, by one of two sets of tiles in turn."""


def lines(ops: int, *, is_dynamic: bool = False) -> list[str]:
    """A kernel of so many tile ops; with `is_dynamic` their sizes are arguments."""
    tile, column = (DYNAMIC_TILE, DYNAMIC_COLUMN) if is_dynamic else (TILE, COLUMN)
    shape, rows, columns = ("?x?", "%r", "%c") if is_dynamic else ("8x64", "%c8", "%c64")
    window = f"!pto.partition_tensor_view<{shape}xf32>"
    given = (" valid_row = %r valid_col = %c", " valid_row = %r") if is_dynamic else ("", "")
    found = [
        f"pto.kernel @k(%x: {VIEW}, %y: {VIEW}, %r: index, %c: index) {{",
        "  %c0 = arith.constant 0 : index",
        "  %c8 = arith.constant 8 : index",
        "  %c64 = arith.constant 64 : index",
        "  %half = arith.constant 0.5 : f32",
    ]
    for s in range(2):
        found += [f"  %{name}{s} = alloc_tile{given[0]} : {tile}" for name in "tu"]
        found += [f"  %{name}{s} = alloc_tile{given[1]} : {column}" for name in "mq"]
    for number in range(ops):
        i, step = divmod(number, len(BODY))
        if step == 0:
            found.append(f"  %o{i} = arith.constant {8 * i} : index")
            found += [
                f"  %{name}{i} = partition_view %{name}, offsets = [%o{i}, %c0], "
                f"sizes = [{rows}, {columns}] : {VIEW} -> {window}"
                for name in "xy"
            ]
        op = BODY[step].format(i=i, s=i % 2, window=window, tile=tile, column=column)
        found.append(f"  {op}")
    return [*found, "}"]


def text(ops: int, *, is_dynamic: bool = False) -> str:
    return "\n".join([*lines(ops, is_dynamic=is_dynamic), ""])
