"""From records to text, Markdown, LaTeX, HTML: the only place that rounds."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rankgauge._rendered import Rendered
from rankgauge._show import show
from rankgauge._text import check_language
from rankgauge.errors import ParameterError
from rankgauge.reporting.grid import Section

__all__ = ["Sheet", "forms", "language_of", "render", "sections"]


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
    "Agreement": "online.sections_of_agreement",
    "Cleaned": "behavior.sections_of_cleaned",
    "ClickModelComparison": "behavior.sections_of_click_models",
    "Corrected": "behavior.sections_of_corrected",
    "Cuped": "online.sections_of_cuped",
    "Identifiability": "behavior.sections_of_identifiability",
    "InterleavingResult": "online.sections_of_interleaving",
    "Judgements": "behavior.sections_of_judgements",
    "OffPolicy": "online.sections_of_off_policy",
    "PositionBias": "behavior.sections_of_bias",
    "Ratio": "online.sections_of_ratio",
    "RatioChange": "online.sections_of_ratio_change",
    "SampleRatio": "online.sections_of_sample_ratio",
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
    from rankgauge.reporting.text import plain

    return {"text": plain, "markdown": markup.markdown, "latex": markup.latex, "html": markup.html}


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
