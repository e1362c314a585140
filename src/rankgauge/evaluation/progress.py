"""A bar for those who wait: only for several runs, only on a terminal, gone when the work is done."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["tracked"]


def tracked(runs: Mapping[str, Any], show: bool | None = None) -> Iterator[tuple[str, Any]]:
    """The runs one after the other; `show` None means: when somebody can see it and there are several."""
    if show is None:
        show = len(runs) > 1 and sys.stderr.isatty()
    if not show:
        yield from runs.items()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=len(runs))
        for name, run in runs.items():
            bar.update(task, description=f"evaluating {name}".replace("[", r"\["))
            yield name, run
            bar.advance(task)
