"""`pto cache`: the compiled kernels and measured plans of reductions on disk."""

from __future__ import annotations

import typer

app = typer.Typer(no_args_is_help=True)


@app.callback()
def _cache() -> None:  # pyright: ignore[reportUnusedFunction]
    """List or remove the cached kernels of reductions."""


@app.command("list")
def show() -> None:
    """List the cached kernels, newest first; PTO_CACHE_DIR is where they lie."""
    from pto.errors import LaunchError
    from pto.reductions import cache
    from pto.runtime import Kernel

    from .console import line, table

    root = cache.directory()
    if root is None:
        line("PTO_CACHE_DIR=off: nothing is cached")
        return
    rows: list[tuple[str, ...]] = []
    for file in cache.entries(cache.KERNELS):
        try:
            text = file.read_text()
            kernel = Kernel.from_json(text)
        except (OSError, LaunchError):
            continue
        threads, cluster = str(kernel.block), str(kernel.cluster)
        rows.append((kernel.name, kernel.target, threads, cluster, str(len(text)), file.stem[:12]))
    if rows:
        table(("kernel", "target", "threads", "cluster", "bytes", "key"), rows)
        line()
    line(f"{root}: {len(rows)} kernels, {len(cache.entries(cache.TUNING))} measured plans")


@app.command()
def clear() -> None:
    """Remove all cached kernels and measured plans."""
    from pto.reductions import cache

    from .console import line

    line(f"removed {cache.clear()} files")
