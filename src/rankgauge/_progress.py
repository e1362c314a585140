"""A bar for those who wait: only on a terminal unless asked for, gone when the work is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rankgauge._show import neutral
from rankgauge._text import Text, composed, in_language

__all__ = ["EVALUATING", "READING", "SORTING", "rows_bar", "tracked"]

READING = Text("reading", "正在读取")
EVALUATING = Text("evaluating", "正在评测")
SORTING = Text("sorting", "正在排序")


def tracked(runs: Mapping[str, Any], show: bool | None = None) -> Iterator[tuple[str, Any]]:
    """The runs one after the other; `show` None means: when somebody can see it and there are several."""
    if show is None:
        show = len(runs) > 1 and sys.stderr.isatty()
    if not show:
        yield from runs.items()
        return
    with _bar() as bar:
        task = bar.add_task("", total=len(runs))
        for name, run in runs.items():
            bar.update(task, description=_said(composed("{} {}", "{} {}", EVALUATING, name)))
            yield name, run
            bar.advance(task)


@contextmanager
def rows_bar(name: str, total: int | None, show: bool | None = None) -> Iterator[Callable[[str, int], None]]:
    """A function that takes what is being done and how many rows more are done."""
    if show is None:
        show = sys.stderr.isatty()
    if not show:
        yield lambda doing, rows: None
        return
    with _bar() as bar:
        tasks: dict[str, Any] = {}

        def advance(doing: str, rows: int) -> None:
            if doing not in tasks:
                tasks[doing] = bar.add_task(_said(composed("{} {}", "{} {}", doing, name)), total=total)
            bar.advance(tasks[doing], rows)

        yield advance


def _said(text: str) -> str:
    return neutral(in_language(text)).replace("[", r"\[")


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
