"""Records that can show themselves without knowing how: the drawing is done by `rankgauge.reporting`.

Records sit above the report in the layers, so they reach it by name, on use, through this one door; and so with what
else is asked of a record where people look for it, `ev.diagnose()` or `ev.compare(other)`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._show import show
from rankgauge.errors import ParameterError

if TYPE_CHECKING:
    import pandas as pd

    from rankgauge.comparison import Comparison as Comparison  # noqa: PLC0414 - passed on to records
    from rankgauge.diagnosis import Findings
    from rankgauge.reporting.figures import Figure

__all__ = ["Asked", "Rendered", "Storable", "reach"]


def reach(home: str, name: str) -> Callable[..., Any]:
    """A function of a lower row."""
    found: Callable[..., Any] = getattr(import_module(f"rankgauge.{home}"), name)
    return found


def refuse_sources(record: Any, path: str | PathLike[str]) -> None:
    """No record is written over the files that it was read from, by whatever name."""
    for source in _sources(record):
        try:
            is_same = os.path.samefile(source, path)
        except (OSError, ValueError):  # one of them is not there
            continue
        if is_same:
            raise ParameterError(
                f"{show(os.fspath(path))} would overwrite the input {show(os.fspath(source))}. Name another file."
            )


def _sources(record: Any) -> Iterator[str | PathLike[str]]:
    """The files of judgements and runs, as far as the record knows them."""
    members = getattr(record, "evaluations", record)
    for ev in members.values() if isinstance(members, Mapping) else (record,):
        judged, run = getattr(ev, "judged", None), getattr(ev, "source", None)
        for found in (getattr(judged, "_path", None), getattr(run, "given", None)):
            if isinstance(found, (str, PathLike)):
                yield found


class Rendered:
    """Mixin for records that people look at."""

    def _render(self, form: str, **options: Any) -> str:
        text: str = reach("reporting", "render")(self, form, **options)
        return text

    def plot(self, kind: str | None = None, path: str | PathLike[str] | None = None, **options: Any) -> Figure:
        """A chart of the record: `rg.plot(record, kind, path, …)`."""
        figure: Figure = reach("reporting.figures", "plot")(self, kind, path, **options)
        return figure

    def __str__(self) -> str:
        return self._render("text").rstrip("\n")

    def to_markdown(self, **options: Any) -> str:
        """A Markdown table, for a pull request or a wiki."""
        return self._render("markdown", **options)

    def to_latex(self, **options: Any) -> str:
        """A LaTeX table with booktabs rules, for a paper."""
        return self._render("latex", **options)

    def to_html(self, **options: Any) -> str:
        """An HTML fragment; notebooks show it by themselves."""
        return self._render("html", **options)

    def to_csv(self, **options: Any) -> str:
        """Comma-separated values, unrounded."""
        return self._render("csv", **options)

    def _repr_html_(self) -> str:
        return self.to_html()


class Storable(Rendered):
    """Mixin for records that are also plain data."""

    to_dict: Callable[..., dict[str, Any]]
    """Everything as plain Python values, nothing rounded; each record has its own."""

    def to_json(self, path: str | PathLike[str] | None = None, **options: Any) -> str:
        """`to_dict` as JSON text; written to `path` as well when one is given."""
        import json

        text = json.dumps(self.to_dict(**options), ensure_ascii=False, indent=1)
        if path is not None:
            refuse_sources(self, path)
            reach("data.formats.write", "write_text")(Path(path), text + "\n")
        return text


class Asked(Storable):
    """Mixin for records that lead to a decision."""

    def report(self, path: str | PathLike[str] | None = None, **options: Any) -> str:
        """What the record says as one HTML file that opens anywhere: `rg.report(record, path, …)`."""
        if path is not None:
            refuse_sources(self, path)
        written: str = reach("reporting.page", "report")(self, path, **options)
        return written

    def diagnose(self, **options: Any) -> Findings:
        """What the numbers say, what is wrong, and what to do first: `rg.diagnose(record, …)`."""
        found: Findings = reach("diagnosis", "diagnose")(self, **options)
        return found

    def _compared(self, systems: Any, **options: Any) -> Comparison:
        made: Comparison = reach("comparison", "compare")(systems, **options)
        return made

    def _sentences(self, language: str) -> list[str]:
        said: list[str] = reach("reporting.verdicts", "sentences")(self, language)
        return said

    to_frame: Callable[..., Any]

    def to_pandas(self) -> pd.DataFrame:
        """`to_frame` as a pandas frame."""
        import pandas as pd

        return pd.DataFrame(self.to_frame().to_dict(as_series=False))
