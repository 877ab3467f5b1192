"""`vector`: threads share the positions, up to 16 bytes at a time, along the rows.

At each position a thread computes all maps. It loads a buffer where it is first read, unless a map
before has just computed the element, and stores it where it is last written: unless nothing else
uses the buffer, which then gets no memory.

Before
    tirx.fused cta {
      tirx.map cta "mul"(%a, %b) -> %d
      tirx.map cta "exp"(%d) -> %d
    }

After
    scf.if %tid < %c64 {
      %x = vector.load %a[%tid / 4, (%tid mod 4) * 4] {alignment = 16} : vector<4xf32>
      %y = vector.load %b[%tid / 4, (%tid mod 4) * 4] {alignment = 16} : vector<4xf32>
      %z = arith.mulf %x, %y : vector<4xf32>
      %e = … exp(%z) …
      vector.store %e, %d[%tid / 4, (%tid mod 4) * 4] {alignment = 16} : vector<4xf32>
    }
"""

from typing import Any

from mlir import ir

from pto.lowering import functions, pointwise, rules, temporaries, workers
from pto.lowering.dispatch import variant
from pto.lowering.emit import Index
from pto.lowering.rules import Rule
from pto.target import Target


def each(rule: Rule) -> Rule:
    """The rule holds for every map."""

    def of_all(op: Any, chip: Target) -> str | None:
        objections = (rule(part, chip) for part in pointwise.parts(op))
        return next((reason for reason in objections if reason is not None), None)

    return of_all


def detail(op: Any, _: Target) -> str:
    """Which maps, and how wide the vectors are."""
    names = ", ".join(part.function.value for part in pointwise.parts(op))
    return f"{names}; vectors of {pointwise.width(op)}"


@variant(
    "tirx.fused",
    priority=10,
    when=[
        rules.exec_scope("thread", "warp", "warpgroup", "cta"),
        workers.whole_scopes,
        each(rules.strided),
        each(rules.has_dimensions),
        pointwise.is_bounded,
        each(functions.known_function),
    ],
    detail=detail,
)
def lower(op: Any, _: Target) -> None:
    """Emits one loop."""
    maps = pointwise.parts(op)
    last = {part.dst: number for number, part in enumerate(maps)}
    not_stored = temporaries.take(op)
    # In the order of the program: a set has another in every process.
    sources = dict.fromkeys(source for part in maps for source in part.srcs if source not in last)
    scalars = {source: pointwise.once(source) for source in sources}

    def compute(position: list[Index], count: int) -> None:
        values: dict[Any, ir.Value] = {}
        for number, part in enumerate(maps):
            for source in part.srcs:
                if source not in values:
                    where = scalars.get(source, source)
                    values[source] = pointwise.read(where, position, count)
            with part.operation.location:
                result = functions.apply(part, [values[source] for source in part.srcs])
            values[part.dst] = result
            if last[part.dst] == number and part.dst not in not_stored:
                pointwise.write(result, part.dst, position, count)

    pointwise.over_vectors(op, compute)
