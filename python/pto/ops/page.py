"""The page `docs/ops.md`, made from the op table: `python -m pto.ops.page > docs/ops.md`."""

import math
from collections.abc import Sequence
from inspect import cleandoc
from types import ModuleType

from mlir import ir

from pto import context
from pto.dtypes import DTYPES
from pto.ops import FAMILIES, Elementwise, TileOp, status
from pto.ops.listing import Row, rows

_HEAD = """
# Tile ops

Made from the op table (`python/pto/ops`) by `python -m pto.ops.page`; do not edit.

Every op is written on values (`%d = pto.tadd %a, %b : A, B -> D`) or on buffers
(`pto.tadd ins(%a, %b : A, B) outs(%d : D)`), and without `pto.` inside a `pto.kernel`. It acts on
the valid region of its tiles, which must be the same for all of them unless said otherwise, and
leaves the rest of the destination as it was, or fills it if the tile has a pad value. An empty
valid region writes nothing. Sources are read before the destination is written, whatever bytes they
share.

Integers wrap at the width of an element. Floats are rounded to nearest even, once per op; products
and sums are never contracted. Errors are stated against the value of the function, rounded: in
units in the last place, and under `fastmath<afn>` relative (of f32; of a logarithm near 1
absolute; of a quotient for divisors of 2^-126 to 2^126).

The published PTO specification lists the types of an instruction once: they stand under "in a
profile", for `a2a3` and `a5`, where the two do not differ. Without `pto.profile` the types are
those that a GPU has.
"""

_TAIL = """
## Adding an elementwise instruction

Three places, about ten lines; checks, reference, this page, `pto ops` and tests follow from them.

`dialect/pto/PTOElementwise.td`: its form and its element types.

```tablegen
def PTO_TXorOp : PTO_Binary<"txor", "the bits in which two elements differ", Bits>;
```

`python/pto/ops/logical.py`: what it means, on numpy arrays, and which function it becomes.

```python
TXOR = _binary("pto.txor", "the bits in which two elements differ", "xor", np.bitwise_xor)
```

`python/pto/lowering/functions.py`: the function, in operations of `arith` that take scalars and
vectors alike.

```python
    "xor": _of_bits(arith.xori),
```

`test/property/test_matrix.py` compares reference and simulator for every type of the new op in
every shape and valid region, `PTO_TEST_MATRIX=full` in every form and on every target too;
`test/gpu/test_matrix.py` compares reference and GPU. The columns "simulator" and so on say in how
many cases the result was the reference's: what these two wrote into `python/pto/ops/status.json`,
with `pytest --record`.
"""

_GROUPS = {
    "all": tuple(DTYPES),
    "all floats": ("f16", "bf16", "f32", "f64"),
    "all integers": tuple(name for name in DTYPES if "i" in name),
}


def _types(names: Sequence[str]) -> str:
    for group, members in _GROUPS.items():
        if set(names) == set(members):
            return group
    return " ".join(names)


def _profiles(row: Row) -> str:
    if row.a2a3 == row.a5:
        return _types(row.a5)
    return f"a2a3: {_types(row.a2a3)}; a5: {_types(row.a5)}"


def _example(op: Elementwise) -> str:
    """A use of the op on buffers of its first type in a profile."""
    is_integral = op.function in _ON_INTEGERS or op.counts
    element = "i32" if is_integral else "f32"
    types = {
        "tile": f"!pto.tile_buf<vec, 16x64x{element}>",
        "mask": "!pto.tile_buf<vec, 16x8xui8>",
        "scalar": element,
        "row": f"!pto.tile_buf<vec, 1x64x{element}>",
        "column": f"!pto.tile_buf<vec, 16x1x{element}>",
        "transposed": f"!pto.tile_buf<vec, 64x16x{element}>",
    }
    names = [f"%{letter}" for letter, _ in zip("abc", op.operands, strict=False)]
    ins = f"{', '.join(names)} : {', '.join(types[kind] for kind in op.operands)}"
    target = types[op.result]
    if op.results:
        target = target.replace(element, op.result_types(element)[0])
    if op.fills:
        target = target.replace(">", ", pad=1>")
    values = op.spelled({name: choice.words[1] for name, choice in op.attributes.items()})
    return f"{op.name} ins({ins})\n    outs(%d : {target}) {values}".rstrip()


_ON_INTEGERS = ("and", "or", "xor", "shl", "shr", "not")


def _fast(op: Elementwise) -> str:
    return f"2^{math.log2(op.fast_error):.0f}" if op.fast_error else ""


def _family(family: ModuleType, found: dict[str, Row], record: status.Record) -> str:
    """One section: a table and an example of each op."""
    title, _, text = cleandoc(family.__doc__ or "").partition("\n")
    ops: Sequence[TileOp] = family.OPS
    lines = [f"## {title.rstrip('.')}", ""]
    if text:
        lines += [text.strip(), ""]
    has_error = any(isinstance(op, Elementwise) and op.fast_error for op in ops)
    devices = status.devices(record)
    heads = ["op", "meaning", "types", "in a profile", "becomes"]
    heads += ["error", "under `afn`"] if has_error else []
    heads += devices
    lines += [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for op in ops:
        row = found[op.name]
        becomes = f"`{row.primitive}`"
        cells = [f"`{op.name}`", op.summary, _types(row.types), _profiles(row), becomes]
        if has_error:
            assert isinstance(op, Elementwise)
            cells += [f"{op.ulp} ulp" if op.ulp else "none", _fast(op)]
        cells += [status.describe(record, device, op.name, row.types) for device in devices]
        lines.append(f"| {' | '.join(cells)} |")
    examples = [_example(op) for op in ops if isinstance(op, Elementwise)]
    if examples:
        lines += ["", "```mlir", *examples, "```"]
    return "\n".join(lines)


def page(context: ir.Context, record: status.Record) -> str:
    """The text of the page; `record` is `status.load()`."""
    found = {row.name: row for row in rows(context)}
    sections = [_family(family, found, record) for family in FAMILIES]
    return "\n\n".join([_HEAD.strip(), *sections, _TAIL.strip()]) + "\n"


if __name__ == "__main__":
    print(page(context.create(), status.load()), end="")
