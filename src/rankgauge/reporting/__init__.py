"""From records to text, Markdown, LaTeX, HTML and CSV; numbers are written by `_numbers.py`."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from rankgauge._records import HOMES, fits_together, kinds_of
from rankgauge._rendered import Rendered
from rankgauge._show import show
from rankgauge._text import Text, check_language, in_words
from rankgauge.errors import ParameterError
from rankgauge.reporting.grid import Section

__all__ = ["Sheet", "forms", "is_read_back", "language_of", "render", "sections"]


_SHARED = {
    "behavior": (
        *("cleaned", "click_models", "corrected", "identifiability", "judgements", "position_bias", "sensitivity"),
    ),
    "calibration": ("reliability", "segments"),
    "classes": ("classes_by_name", "confusion_matrix"),
    "comparison": ("movement",),
    "evaluation": ("rankings", "rankings_by_name"),
    "experiments": (
        "ab_test",
        "agreement",
        "cuped",
        "interleaving",
        "off_policy",
        "ratio",
        "ratio_change",
        "sample_ratio",
    ),
    "gate": ("prediction_gate",),
    "predictions": ("predictions_by_name",),
    "profiles": ("by_budget", "by_cutoff", "judgement_health", "score_histogram"),
    "thresholds": ("threshold",),
}
"""Modules that write several kinds of records, or one under another name; all others are named after their kind.

A kind is written by `sections_of_<kind>` of its module, and for a paper by `latex_of_<kind>` where there is one; what
`picture_of_<kind>` draws stands above an HTML fragment. Each module loads when such a record is shown.
"""

_MODULES = {kind: module for module, kinds in _SHARED.items() for kind in kinds}


@dataclass(frozen=True, eq=False)
class Sheet(Rendered):
    """Sections that belong to no record: lists of measures, of scenarios, …"""

    sections: Sequence[Section]


@fits_together
def sections(record: Any, form: str = "text", **options: Any) -> list[Section]:
    """What a record has to say, before it takes a form."""
    if isinstance(record, Sheet):
        return list(record.sections)
    for kind in kinds_of(record):
        if kind not in HOMES:
            continue
        module = _module(kind)
        write = getattr(module, f"latex_of_{kind}", None) if form == "latex" else None
        found: list[Section] = (write or getattr(module, f"sections_of_{kind}"))(record, **options)
        return found
    raise ParameterError(
        Text(f"nothing knows how to show a {type(record).__name__}.", f"没有办法显示 {type(record).__name__}。")
    )


def _module(kind: str) -> ModuleType:
    return import_module(f"rankgauge.reporting.{_MODULES.get(kind, kind)}")


def _picture(record: Any, language: str) -> str:
    """What a kind of record draws above its tables, for a notebook."""
    for kind in kinds_of(record):
        if kind in HOMES and (draw := getattr(_module(kind), f"picture_of_{kind}", None)):
            return str(draw(record, language))
    return ""


def language_of(record: Any, language: str | None) -> str:
    """The language asked for here, or when the record was made (findings and readings), or that of the setting."""
    return check_language((getattr(record, "language", None) or None) if language is None else language)


@fits_together
def render(record: Any, form: str, language: str | None = None, **options: Any) -> str:
    """A record as text in one of the forms: text, markdown, latex, html, csv."""
    if form == "csv":
        return _csv(record, language_of(record, language))
    found, words = sections(record, form, **options), language_of(record, language)
    known = forms()
    if form not in known:
        raise ParameterError(
            Text(
                f"`form` must be one of {', '.join(known)}, csv, got {show(form)}.",
                f"`form` 必须是 {', '.join(known)}, csv 之一，实际为 {show(form)}。",
            )
        )
    return (_picture(record, words) if form == "html" else "") + known[form](found, words)


def forms() -> dict[str, Callable[[Sequence[Section], str | None], str]]:
    """How sections become text."""
    from rankgauge.reporting import markup
    from rankgauge.reporting.plain_text import plain

    return {"text": plain, "markdown": markup.markdown, "latex": markup.latex, "html": markup.html}


def _csv(record: Any, language: str) -> str:
    """One row per measure (and run), then those of slices; nothing rounded.

    What others wrote is shown as text by spreadsheets, not run as a formula; but not in tables that are read back.
    """
    if not hasattr(record, "csv_rows"):
        raise ParameterError(
            Text(f"a {type(record).__name__} has no CSV form.", f"{type(record).__name__} 没有 CSV 形式。")
        )
    rows: list[dict[str, Any]] = in_words([*record.csv_rows(), *_slice_rows(record)], language)
    names = list(dict.fromkeys(name for row in rows for name in row))
    shown = _as_it_is if is_read_back(record) else _as_text
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([[shown(name) for name in names], *([shown(row.get(name)) for name in names] for row in rows)])
    return out.getvalue()


def is_read_back(record: Any) -> bool:
    """Whether the CSV of a record is input of rankgauge as well, and no table for people."""
    return bool(getattr(record, "is_input", False))


def _as_it_is(value: Any) -> Any:
    return value


def _slice_rows(record: Any) -> Iterator[dict[str, Any]]:
    """The number of each measure in each slice, below those of all queries."""
    members = record if isinstance(record, Mapping) else {"": record}
    for name, ev in members.items():
        if not getattr(ev, "attributes", None):
            continue
        run = {"run": name} if members is record else {}
        for row in ev.slices.iter_rows(named=True):
            of = {"slice": row["slice"], "slice_value": row["value"]}
            for c in ev.columns:
                number = {"measure": c.label, "definition": str(c.measure), "value": row[c.label], "n": row["n"]}
                yield {**run, **number, **of}


def _as_text(value: Any) -> Any:
    """A cell with an apostrophe before what a spreadsheet would run; numbers stay numbers."""
    if not isinstance(value, str):
        return value
    value = value.replace("\r", " ")  # some readers end a line there
    if not value.startswith(("=", "+", "-", "@", "\t")):
        return value
    try:
        float(value)
        return value
    except ValueError:
        return f"'{value}"
