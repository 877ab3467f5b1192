"""Parse, print, parse: random types and operations of both dialects stay what they are."""

from hypothesis import given
from hypothesis import strategies as st
from mlir import ir

from pto import context
from pto.dtypes import DTYPES

CONTEXT = context.create()

dtypes = st.sampled_from(sorted(DTYPES))
sizes = st.integers(1, 512)


def reprint(text: str) -> str:
    """The program as MLIR prints it."""
    with CONTEXT:
        return str(ir.Module.parse(text))


def stays(text: str) -> None:
    """What is printed says the same again, also in the generic form."""
    once = reprint(text)
    assert reprint(once) == once
    with CONTEXT:
        generic = ir.Module.parse(once).operation.get_asm(print_generic_op_form=True)
    assert reprint(generic) == once


@st.composite
def tile_parameters(draw: st.DrawFn) -> dict[str, str]:
    """The parameters of a tile type under the names of the long form."""
    rows, cols = draw(sizes), draw(sizes)
    return {
        "loc": draw(st.sampled_from(["vec", "mat", "left", "right", "acc", "bias"])),
        "dtype": draw(dtypes),
        "rows": str(rows),
        "cols": str(cols),
        "v_row": draw(st.one_of(st.just("?"), st.integers(0, rows).map(str))),
        "v_col": draw(st.one_of(st.just("?"), st.integers(0, cols).map(str))),
        "blayout": draw(st.sampled_from(["row_major", "col_major"])),
        "slayout": draw(st.sampled_from(["none_box", "row_major", "col_major"])),
        "fractal": draw(st.sampled_from(["512", "1024"])),
        "pad": str(draw(st.integers(0, 3))),
    }


@given(tile_parameters())
def test_both_spellings_of_a_tile_type_are_one_type(p: dict[str, str]) -> None:
    long = ", ".join(f"{key}={value}" for key, value in p.items())
    rest = "".join(f", {key}={p[key]}" for key in ("blayout", "slayout", "fractal", "pad"))
    valid = f"valid={p['v_row']}x{p['v_col']}"
    short = f"{p['loc']}, {p['rows']}x{p['cols']}x{p['dtype']}, {valid}{rest}"
    texts = [
        f"func.func private @f(!pto.{kind}<{spelling}>)"
        for kind in ("tile", "tile_buf")
        for spelling in (long, short)
    ]
    for text in texts:
        stays(text)
    assert reprint(texts[0]) == reprint(texts[1])
    assert reprint(texts[2]) == reprint(texts[3])


@given(st.lists(st.one_of(st.just("?"), sizes.map(str)), min_size=1, max_size=5), dtypes)
def test_views(shape: list[str], dtype: str) -> None:
    dims = "x".join(shape)
    stays(
        f"func.func private @f(!pto.ptr<{dtype}>, !pto.tensor_view<{dims}x{dtype}>, "
        f"!pto.partition_tensor_view<{dims}x{dtype}>)"
    )


@given(st.data())
def test_buffers(data: st.DataObject) -> None:
    """In memory with strides, and over lanes and registers with shards."""
    rank, dtype = data.draw(st.integers(0, 4)), data.draw(dtypes)
    dims = st.one_of(st.just("?"), sizes.map(str))
    shape = "".join(f"{data.draw(dims)}x" for _ in range(rank))
    strides = ", ".join(data.draw(dims) for _ in range(rank))
    scope = data.draw(st.sampled_from(["global", "shared", "local"]))
    stays(f"func.func private @f(!tirx.buffer<{shape}{dtype}, {scope}, strides = [{strides}]>)")

    lanes = 1 << data.draw(st.integers(0, 5))
    registers = data.draw(st.integers(1, 16))
    replicas = f", replicas = [{32 // lanes} : {lanes}@laneid]" if lanes < 32 else ""
    shards = f"shards = [{lanes} : 1@laneid, {registers} : 1]{replicas}"
    stays(f"func.func private @f(!tirx.buffer<{lanes}x{registers}x{dtype}, local, {shards}>)")


@given(st.data())
def test_tile_operations(data: st.DataObject) -> None:
    """Values and buffers, plain and with the dialect's name, with and without flags."""
    dtype, rows, cols = data.draw(dtypes), data.draw(sizes), data.draw(sizes)
    op = data.draw(st.sampled_from(["tcolprod", "tcolsum", "tcolmax", "tcolmin"]))
    flags = data.draw(st.sampled_from(["", "fastmath<reassoc>", '{dispatch = "fold"}']))
    prefix = data.draw(st.sampled_from(["", "pto."]))
    address = data.draw(st.integers(0, 1000)) * 8
    tile, row = f"!pto.tile<{rows}x{cols}x{dtype}>", f"!pto.tile<1x{cols}x{dtype}>"
    buffer = f"!pto.tile_buf<vec, {rows}x{cols}x{dtype}, valid=?x?>"
    result = f"!pto.tile_buf<vec, 1x{cols}x{dtype}, valid=1x?>"
    window = f"!pto.partition_tensor_view<{rows}x{cols}x{dtype}>"
    view = f"!pto.tensor_view<?x?x{dtype}>"
    stays(
        f"""pto.kernel @k(%v: {view}, %m: index, %n: index) {{
  %c0 = arith.constant 0 : index
  %r = arith.constant {rows} : index
  %c = arith.constant {cols} : index
  %w = {prefix}partition_view %v, offsets = [%c0, %c0], sizes = [%r, %c] : {view} -> {window}
  %s = {prefix}tload %w : {window} -> {tile}
  pto.tassign %s, @tile({address:#x})
  %d = {prefix}{op} %s {flags} : {tile} -> {row}
  %a = {prefix}alloc_tile valid_row = %m valid_col = %n : {buffer}
  %b = {prefix}alloc_tile valid_col = %n : {result}
  {prefix}set_validshape %a, %m, %n
  {prefix}{op} ins(%a : {buffer}) outs(%b : {result}) {flags}
}}"""
    )
