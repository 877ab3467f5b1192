"""`pto explain`: which variant every op gets, why not the others, and what each barrier is for."""

from __future__ import annotations

from .options import File, Target, program


def explain(file: File, target: Target = None) -> None:
    """Show per op the variant chosen with the reasons against each other one; then the barriers."""
    from pto import compiler

    from .console import line, table

    decisions = compiler.explain(program(file), target=target)
    if not decisions:
        line("nothing to choose: no op of this program has variants")
        return
    table(
        ("kernel", "location", "op", "variant", "", "reasons"),
        (
            row
            for decision in decisions
            for row in (
                (
                    decision.kernel,
                    decision.location,
                    decision.op,
                    decision.chosen,
                    "chosen",
                    decision.detail,
                ),
                *(
                    ("", "", "", variant, "rejected", "; ".join(reasons))
                    for variant, reasons in decision.rejected
                ),
            )
        ),
    )
    line()
    barriers = compiler.barriers(program(file), target=target)
    if not barriers:
        line("no barriers: no thread reads or overwrites what another one wrote")
        return
    table(
        ("kernel", "location", "barrier", "because"),
        ((barrier.kernel, barrier.location, barrier.op, barrier.because) for barrier in barriers),
    )
