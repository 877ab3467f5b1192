"""The results of `pto bench reduce` as tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import geometric_mean
from typing import Any


def markdown(results: dict[str, Any]) -> str:
    """The whole report: what was timed on what, then a table for each group of rows."""
    return "\n".join(_lines(results)) + "\n"


def _lines(results: dict[str, Any]) -> Iterator[str]:
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    yield f"{results['device']}; {versions}."
    yield ""
    yield f"Timed: {results['timed']}; medians of {results['rounds']}."
    yield f"A copy of 1 GiB reads and writes {results['copy_tb_s']:.2f} TB/s in the same run."
    yield "`share` is what was read and written per second over that, `peer / pto` the time of the"
    yield "best other library over ours."
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in results["rows"]:
        groups.setdefault(row["group"], []).append(row)
    for group, rows in groups.items():
        yield ""
        yield from _table(group, rows, results["copy_tb_s"])
    matrices = [row for row in results["rows"] if row["group"].startswith("prod over")]
    ratios = [ratio for row in matrices if (ratio := ratio_to_best_peer(row)) is not None]
    if ratios:
        yield ""
        yield f"Over all {len(ratios)} products of matrices the best other library takes"
        yield f"{geometric_mean(ratios):.3f} times as long (geometric mean)."
    failures = sorted(
        {f"{name}: {why}" for row in results["rows"] for name, why in row["failures"].items()}
    )
    if failures:
        yield ""
        yield "Calls that failed, left out above:"
        yield ""
        yield from (f"- {failure}" for failure in failures)


def _table(group: str, rows: list[dict[str, Any]], copy: float) -> Iterator[str]:
    names = list(dict.fromkeys(name for row in rows for name in row["results"]))
    header = [group, *(f"{name} us" for name in names), "pto TB/s", "share", "peer / pto"]
    yield _joined(header)
    yield _joined(["---", *["--:"] * (len(header) - 1)])
    ratios: list[float] = []
    for row in rows:
        found = {name: each["us"] for name, each in row["results"].items()}
        rate = row["bytes"] / found["pto"] / 1e6
        cells = [f"{found[name]:.1f}" if name in found else "" for name in names]
        ratio = ratio_to_best_peer(row)
        ratios += [] if ratio is None else [ratio]
        end = "" if ratio is None else f"{ratio:.2f}"
        yield _joined([row["name"], *cells, f"{rate:.2f}", f"{rate / copy:.0%}", end])
    if len(ratios) > 1:
        mean = geometric_mean(ratios)
        yield _joined(["geometric mean", *[""] * len(names), "", "", f"{mean:.2f}"])


def ratio_to_best_peer(row: dict[str, Any]) -> float | None:
    """The time of the best other library over ours; None where there is none."""
    found = {name: each["us"] for name, each in row["results"].items()}
    ours = found.pop("pto")
    return min(found.values()) / ours if found else None


def _joined(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
