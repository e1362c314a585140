"""From records to text, Markdown, LaTeX, HTML: the only place that rounds."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rankgauge._rendered import Rendered
from rankgauge._show import show
from rankgauge._text import check_language
from rankgauge.errors import ParameterError
from rankgauge.reporting.grid import Section

__all__ = ["Sheet", "forms", "is_read_back", "language_of", "render", "sections"]


_WRITERS = {
    "RankingEvaluation": "evaluation.sections_of_evaluation",
    "SparkEvaluation": "evaluation.sections_of_evaluation",
    "RankingEvaluations": "evaluation.sections_of_evaluations",
    "SparkEvaluations": "evaluation.sections_of_evaluations",
    "PredictionEvaluation": "predictions.sections_of_prediction_evaluation",
    "PredictionEvaluations": "predictions.sections_of_prediction_evaluations",
    "Comparison": "comparison.sections_of_comparison",
    "Movement": "comparison.sections_of_movement",
    "GateResult": "gate.sections_of_gate",
    "Calibration": "calibration.sections_of_calibration",
    "Findings": "findings.sections_of_findings",
    "Reading": "reading.sections_of_reading",
    "Reliability": "calibration.sections_of_reliability",
    "Segments": "calibration.sections_of_segments",
    "Threshold": "thresholds.sections_of_threshold",
    "Audit": "audit.sections_of_audit",
    "Explanation": "explanation.sections_of_explanation",
    "Funnel": "funnel.sections_of_funnel",
    "Agreement": "experiments.sections_of_agreement",
    "Cleaned": "behavior.sections_of_cleaned",
    "ClickModelComparison": "behavior.sections_of_click_models",
    "Corrected": "behavior.sections_of_corrected",
    "Cuped": "experiments.sections_of_cuped",
    "Identifiability": "behavior.sections_of_identifiability",
    "InterleavingResult": "experiments.sections_of_interleaving",
    "Judgements": "behavior.sections_of_judgements",
    "OffPolicy": "experiments.sections_of_off_policy",
    "PositionBias": "behavior.sections_of_bias",
    "Ratio": "experiments.sections_of_ratio",
    "RatioChange": "experiments.sections_of_ratio_change",
    "SampleRatio": "experiments.sections_of_sample_ratio",
    "Sensitivity": "behavior.sections_of_sensitivity",
    "ByCutoff": "profiles.sections_of_by_cutoff",
    "JudgementHealth": "profiles.sections_of_judgement_health",
    "ScoreHistogram": "profiles.sections_of_score_histogram",
}
"""Who writes which record; each loads when such a record is shown."""

_LATEX_WRITERS = {"Comparison": "comparison.latex_of_comparison"}
"""Records that a paper shows otherwise."""


@dataclass(frozen=True, eq=False)
class Sheet(Rendered):
    """Sections that belong to no record: lists of measures, of scenarios, …"""

    sections: Sequence[Section]


def sections(record: Any, form: str = "text", **options: Any) -> list[Section]:
    """What a record has to say, before it takes a form."""
    if isinstance(record, Sheet):
        return list(record.sections)
    kind = type(record).__name__
    if kind not in _WRITERS:
        raise ParameterError(f"nothing knows how to show a {kind}.")
    writers = _WRITERS | _LATEX_WRITERS if form == "latex" else _WRITERS
    module, _, name = writers[kind].partition(".")
    found: list[Section] = getattr(import_module(f"rankgauge.reporting.{module}"), name)(record, **options)
    return found


def language_of(record: Any, language: str | None) -> str:
    """The language asked for, or else the record's own: findings and readings are made in one."""
    chosen: str = getattr(record, "language", "en") if language is None else language
    check_language(chosen)
    return chosen


def render(record: Any, form: str, language: str | None = None, **options: Any) -> str:
    """A record as text in one of the forms: text, markdown, latex, html, csv."""
    if form == "csv":
        return _csv(record)
    found, words = sections(record, form, **options), language_of(record, language)
    known = forms()
    if form not in known:
        raise ParameterError(f"`form` must be one of {', '.join(known)}, csv, got {show(form)}.")
    return known[form](found, words)


def forms() -> dict[str, Callable[[Sequence[Section], str], str]]:
    """How sections become text."""
    from rankgauge.reporting import markup
    from rankgauge.reporting.plain_text import plain

    return {"text": plain, "markdown": markup.markdown, "latex": markup.latex, "html": markup.html}


def _csv(record: Any) -> str:
    """One row per measure (and run), then those of slices; nothing rounded.

    What others wrote is shown as text by spreadsheets, not run as a formula; but not in tables that are read back.
    """
    if not hasattr(record, "csv_rows"):
        raise ParameterError(f"a {type(record).__name__} has no CSV form.")
    rows: list[dict[str, Any]] = [*record.csv_rows(), *_slice_rows(record)]
    names = list(dict.fromkeys(name for row in (rows[0], rows[-1]) for name in row)) if rows else []
    shown = _as_it_is if is_read_back(record) else _as_text
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([[shown(name) for name in names], *([shown(row.get(name)) for name in names] for row in rows)])
    return out.getvalue()


_READ_BACK = ("Judgements", "Corrected")
"""Records whose tables are judgements: an id must come back as it was."""


def is_read_back(record: Any) -> bool:
    """Whether the CSV of a record is input of rankgauge as well, and no table for people."""
    return type(record).__name__ in _READ_BACK


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
