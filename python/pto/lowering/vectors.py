"""How threads share a box in vectors along its rows, and what does not fill a vector."""

from collections.abc import Callable, Sequence

from pto.lowering import elements, emit
from pto.lowering.emit import Condition, Index
from pto.lowering.workers import Workers

Compute = Callable[[list[list[Index]], int], None]
"""Computes so many neighbours from each of some positions on."""


def share(
    threads: Workers,
    box: Sequence[int],
    columns: Index,
    count: int,
    inside: Callable[[Sequence[Index]], Condition],
    compute: Compute,
    at_once: int = 1,
) -> None:
    """`compute(positions, n)` for `count` neighbours at a time, then for single ones.

    The region lies in a box of static sizes: `inside` says of a position's outer part whether it is
    there, and of every row `columns` elements are. The two loops are apart, so that the first has
    no branch within a row: there, up to `at_once` positions are computed together, whose loads then
    do not wait for each other.
    """
    *outer_box, length = box
    lines = elements.volume(outer_box)
    whole = emit.div(columns, count)
    known = emit.known(whole)
    most = length // count if known is None else known
    if lines == 1:
        first: list[Index] = [0] * len(outer_box)
        with emit.when(inside(first)):
            for chunks in threads.share_batches(whole, most, at_once):
                compute([[*first, emit.mul(chunk, count)] for chunk in chunks], count)
            start = emit.mul(whole, count)
            if emit.equal(start, columns) is not True:
                with threads.share(emit.sub(columns, start), count) as place:
                    compute([[*first, emit.add(start, place)]], 1)
        return
    if most:
        with threads.share(lines * most) as i:
            *outer, chunk = elements.decode(i, [*outer_box, most])
            is_whole = True if most == known else emit.less(chunk, whole)
            with emit.when(emit.both(inside(outer), is_whole)):
                compute([[*outer, emit.mul(chunk, count)]], count)
    start = emit.mul(whole, count)
    if emit.equal(start, columns) is True:
        return
    with emit.when(emit.less(start, columns)), threads.share(lines * count) as i:
        *outer, place = elements.decode(i, [*outer_box, count])
        column = emit.add(start, place)
        with emit.when(emit.both(inside(outer), emit.less(column, columns))):
            compute([[*outer, column]], 1)
