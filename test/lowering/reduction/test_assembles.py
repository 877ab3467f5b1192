"""The assembler takes the PTX of every variant, for every chip on which the variant applies."""

from dataclasses import replace

import pytest

import flagged_kernels
import grid_kernels
import tirx_forms
from grid_kernels import Case
from pto import compiler
from pto.codegen import cubin
from tirx_kernels import Reduction

CHIPS = ("sm_80", "sm_90a", "sm_100a", "sm_120a")
SINCE_100 = ("sm_100a", "sm_120a")


def vector(op: str, dtype: str, **more) -> Reduction:
    return Reduction(op, dtype, (37,), (1,), (0,), **more)


FORMS = {name: form.make for name, form in tirx_forms.FORMS.items()}

# Name: kernel, element types, operations, chips.
VARIANTS = {
    "local": (vector, ("f64", "i32", "ui8"), tirx_forms.OPS, CHIPS),
    "sm100_packed": (vector, ("f32",), tirx_forms.OPS, SINCE_100),
    "f16x2": (vector, ("f16",), tirx_forms.OPS, CHIPS),
    "fold": (FORMS["fold"], ("f32", "bf16"), tirx_forms.OPS, CHIPS),
    "shared": (FORMS["many_threads"], ("f32", "f16", "ui8"), tirx_forms.OPS, CHIPS),
    "levels": (FORMS["registers_and_lanes"], ("f32", "i64"), tirx_forms.OPS, CHIPS),
    "shuffle": (FORMS["registers_and_lanes"], ("f16", "f64"), tirx_forms.OPS, CHIPS),
    "warps": (FORMS["lanes_and_warps"], ("f32", "i16"), tirx_forms.OPS, CHIPS),
    "redux": (tirx_forms.redux, ("i32", "ui32"), ("sum", "max", "min"), CHIPS),
}

CASES = [
    pytest.param(variant, op, dtype, chip, id=f"{variant}-{op}-{dtype}-{chip}")
    for variant, (_, dtypes, ops, chips) in VARIANTS.items()
    for op in ops
    for dtype in dtypes
    for chip in chips
]


def assemble(r: Reduction, chip: str) -> list[str]:
    """Assembles a kernel; the variants of its reductions."""
    ptx = compiler.emit(r.text(), form="ptx", target=chip)
    assert isinstance(ptx, str) and f".target {chip}" in ptx
    assert cubin.assemble(ptx, chip).startswith(b"\x7fELF")
    return [d.chosen for d in compiler.explain(r.text(), target=chip)]


@pytest.mark.parametrize(("variant", "op", "dtype", "chip"), CASES)
def test_every_variant(variant: str, op: str, dtype: str, chip: str) -> None:
    make = VARIANTS[variant][0]
    flags = "accumulate = f16" if variant == "f16x2" else ""
    assert variant in assemble(make(op, dtype, accum=True, flags=flags), chip)


@pytest.mark.parametrize("chip", ["sm_90a", "sm_100a", "sm_120a"])
@pytest.mark.parametrize("op", tirx_forms.OPS)
def test_pairs_of_bf16(op: str, chip: str) -> None:
    assert "f16x2" in assemble(vector(op, "bf16", flags="accumulate = bf16"), chip)


@pytest.mark.parametrize("flags", ["", "propagate_nan"])
@pytest.mark.parametrize("op", ["max", "min"])
def test_redux_of_floats(op: str, flags: str) -> None:
    assert "redux" in assemble(tirx_forms.redux(op, "f32", flags=flags), "sm_100a")


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("flags", ["ftz", "ftz, propagate_nan"])
@pytest.mark.parametrize("op", tirx_forms.OPS)
@pytest.mark.parametrize("form", ["thread", "columns", "lanes_and_warps"])
def test_flush_to_zero(form: str, op: str, flags: str, chip: str) -> None:
    assemble(FORMS[form](op, "f32", accum=True, flags=flags), chip)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("dtype", tirx_forms.FLOATS)
@pytest.mark.parametrize("op", ["max", "min"])
def test_propagated_nan(op: str, dtype: str, chip: str) -> None:
    assemble(vector(op, dtype, flags="propagate_nan"), chip)


# By a grid ----------------------------------------------------------------------------------------

FLAT = Case("sum", "f32", ("1",), (0,), block=256)
COLUMNS = Case("sum", "f32", ("1", "?"), (1,), block=256)

# Variant: attributes, element types, operations, chips.
GRID = {
    "direct": ("split = 1", ("f16", "f64", "ui8"), (*tirx_forms.OPS, "argmax"), CHIPS),
    "last_block": ("", ("bf16", "f32", "i64"), (*tirx_forms.OPS, "argmin"), CHIPS),
    "dsmem": ("split = 4", ("bf16", "f32", "i8"), (*tirx_forms.OPS, "argmin"), CHIPS[1:]),
    "atomic": ("accum", ("f32", "f64", "i32", "ui64"), ("sum",), CHIPS),
    "atomic_cas": (
        'accum, dispatch = "atomic_cas"',
        ("f32", "i64", "i16"),
        tirx_forms.OPS,
        CHIPS,
    ),
}


@pytest.mark.parametrize(
    ("variant", "chip"), [(name, chip) for name, case in GRID.items() for chip in case[3]]
)
def test_variants_of_a_grid(variant: str, chip: str) -> None:
    flags, dtypes, ops, _ = GRID[variant]
    for base, more in ((FLAT, "vector = 2"), (COLUMNS, "vector = 2, threads = array<i64: 8, 32>")):
        for op in ops:
            for dtype in dtypes:
                text = ", ".join(filter(None, [flags, more]))
                cluster = 4 if variant == "dsmem" else 1
                case = replace(base, op=op, dtype=dtype, flags=text, cluster=cluster, target=chip)
                assemble_grid(case, variant)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("dtype", ["f32", "bf16", "i32"])
def test_partial_results_with_flags(dtype: str, chip: str) -> None:
    for base in (flagged_kernels.ROWS, flagged_kernels.COLUMNS):
        for op in tirx_forms.OPS:
            case = replace(base, op=op, dtype=dtype, target=chip)
            assert cubin.assemble(case.compiled().ptx, chip).startswith(b"\x7fELF")


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("order", ["relaxed", "acq_rel"])
@pytest.mark.parametrize("scope", ["gpu", "sys"])
def test_orders_and_scopes_of_atomics(scope: str, order: str, chip: str) -> None:
    where = f'accum, memory_order = "{order}", memory_scope = "{scope}"'
    for op, dtype in (("sum", "f16"), ("sum", "f32"), ("max", "i64"), ("min", "f64")):
        more = {"f16": ", accumulate = f16", "f64": ", propagate_nan"}.get(dtype, "")
        case = replace(FLAT, op=op, dtype=dtype, flags=where + more, target=chip)
        assemble_grid(case, "atomic")
        case = replace(case, flags=f'{case.flags}, dispatch = "atomic_cas"')
        assemble_grid(case, "atomic_cas")


@pytest.mark.parametrize("chip", CHIPS)
def test_atomic_sums_of_bf16(chip: str) -> None:
    case = replace(FLAT, dtype="bf16", flags="accum, accumulate = bf16", target=chip)
    case = replace(case, has_workspace=False)
    assemble_grid(case, "atomic_cas" if chip == "sm_80" else "atomic")


def assemble_grid(case: Case, variant: str) -> None:
    """Assembles a kernel, whose reduction has this variant."""
    assert case.chosen() == variant
    assert cubin.assemble(grid_kernels.compiled(case).ptx, case.target).startswith(b"\x7fELF")
