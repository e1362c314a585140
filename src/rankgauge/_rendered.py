"""Records that can show themselves without knowing how: the drawing is done by `rankgauge.reporting`.

Records sit above the report in the layers, so they reach it by name, on use, through this one door; and so with what
else is asked of a record where people look for it, `ev.diagnose()` or `ev.compare(other)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypedDict, TypeVar, Unpack

from rankgauge._output import refuse_overwriting

if TYPE_CHECKING:  # what records return and take, passed on to them
    from rankgauge.comparison import Comparison as Comparison  # noqa: PLC0414
    from rankgauge.comparison.comparing import CompareOptions as CompareOptions  # noqa: PLC0414
    from rankgauge.comparison.comparing import PairOptions as PairOptions  # noqa: PLC0414
    from rankgauge.comparison.tradeoff import Tradeoff as Tradeoff  # noqa: PLC0414
    from rankgauge.diagnosis import Findings as Findings  # noqa: PLC0414
    from rankgauge.diagnosis import Ratings as Ratings  # noqa: PLC0414
    from rankgauge.diagnosis.diagnosing import DiagnoseOptions as DiagnoseOptions  # noqa: PLC0414
    from rankgauge.diagnosis.ratings import RateOptions as RateOptions  # noqa: PLC0414
    from rankgauge.reporting.figures import Figure
    from rankgauge.reporting.figures.plotting import PlotOptions
    from rankgauge.reporting.page.writing import ReportOptions as ReportOptions  # noqa: PLC0414

__all__ = ["RenderOptions", "Rendered", "reach", "refuse_sources", "remembers_files"]

P = ParamSpec("P")
R = TypeVar("R")
_FILES = "_files"


def reach(home: str, name: str) -> Callable[..., Any]:
    """A function of a lower row."""
    found: Callable[..., Any] = getattr(import_module(f"rankgauge.{home}"), name)
    return found


def refuse_sources(record: Any, path: str | PathLike[str]) -> None:
    """No record is written over the files that it was read from, as far as it knows them."""
    members = getattr(record, "evaluations", record)
    for one in members.values() if isinstance(members, Mapping) else (record,):
        refuse_overwriting(Path(path), getattr(one, "read_from", ()))


def remembers_files(make: Callable[P, R]) -> Callable[P, R]:
    """For what makes a record of a table, its first argument: the record knows the files, and is not written there."""

    @wraps(make)
    def remembering(*args: P.args, **options: P.kwargs) -> R:
        made = make(*args, **options)
        if args and isinstance(made, Rendered) and (files := _files_of(args[0])):
            vars(made)[_FILES] = files
        return made

    return remembering


def _files_of(source: Any) -> tuple[str | PathLike[str], ...]:
    """A file, several, or those that a log or a record was read from."""
    given = source if isinstance(source, (list, tuple)) else getattr(source, "read_from", [source])
    return tuple(path for path in given if isinstance(path, (str, PathLike)))


class RenderOptions(TypedDict, total=False):
    """How a record becomes a table: those of its kind, for whoever passes them on."""

    language: str | None
    digits: int
    """After the decimal point."""
    examples: int
    """How many are named: queries of answers, rows of an audit."""
    moved: int
    """How many queries a comparison names that won or lost most."""


class Rendered:
    """Mixin for records that people look at."""

    @property
    def read_from(self) -> Sequence[str | PathLike[str]]:
        """The files that its input was read from, as far as it knows them."""
        known: tuple[str | PathLike[str], ...] = vars(self).get(_FILES, ())
        return known

    def _render(self, form: str, **options: Unpack[RenderOptions]) -> str:
        text: str = reach("reporting", "render")(self, form, **options)
        return text

    def plot(
        self, kind: str | None = None, path: str | PathLike[str] | None = None, **options: Unpack[PlotOptions]
    ) -> Figure:
        """A chart of the record: `rg.plot(record, kind, path, …)`."""
        figure: Figure = reach("reporting.figures", "plot")(self, kind, path, **options)
        return figure

    def __str__(self) -> str:
        return self._render("text").rstrip("\n")

    def to_markdown(self, **options: Unpack[RenderOptions]) -> str:
        """A Markdown table, for a pull request or a wiki."""
        return self._render("markdown", **options)

    def to_latex(self, **options: Unpack[RenderOptions]) -> str:
        """A LaTeX table with booktabs rules, for a paper."""
        return self._render("latex", **options)

    def to_html(self, **options: Unpack[RenderOptions]) -> str:
        """An HTML fragment; notebooks show it by themselves."""
        return self._render("html", **options)

    def to_csv(self, **options: Unpack[RenderOptions]) -> str:
        """Comma-separated values, unrounded."""
        return self._render("csv", **options)

    def _repr_html_(self) -> str:
        return self.to_html()
