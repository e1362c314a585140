"""From records to text, Markdown, LaTeX, HTML: the only place that rounds."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from rankgauge._text import check_language
from rankgauge.errors import ParameterError
from rankgauge.report.grid import Section

__all__ = ["language_of", "render", "sections"]


_WRITERS = {
    "RankingEvaluation": "evaluation.sections_of_evaluation",
    "RankingEvaluations": "evaluation.sections_of_evaluations",
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
}
"""Who writes which record; each loads when such a record is shown."""


def sections(record: Any, **options: Any) -> list[Section]:
    """What a record has to say, before it takes a form."""
    kind = type(record).__name__
    if kind not in _WRITERS:
        raise ParameterError(f"nothing knows how to show a {kind}.")
    module, _, name = _WRITERS[kind].partition(".")
    found: list[Section] = getattr(import_module(f"rankgauge.report.{module}"), name)(record, **options)
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
    found, words = sections(record, **options), language_of(record, language)
    if form == "text":
        from rankgauge.report.text import plain

        return plain(found, words)
    from rankgauge.report import markup

    forms = {"markdown": markup.markdown, "latex": markup.latex, "html": markup.html}
    if form not in forms:
        raise ParameterError(f"`form` must be one of text, {', '.join(forms)}, csv, got {form!r}.")
    return forms[form](found, words)


def _csv(record: Any) -> str:
    """One row per measure (and run), nothing rounded."""
    rows: Sequence[dict[str, Any]]
    if hasattr(record, "csv_rows"):
        rows = record.csv_rows()
    else:
        raise ParameterError(f"a {type(record).__name__} has no CSV form.")
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
