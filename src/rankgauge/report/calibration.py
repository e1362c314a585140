"""Reliability by bin, worst segments and judged calibrators, as sections."""

from __future__ import annotations

from math import isnan

from rankgauge.calibration.diagram import Reliability
from rankgauge.calibration.judge import Calibration, Judged
from rankgauge.calibration.segments import Segments
from rankgauge.report.grid import Cell, Grid, Section, count, number, p_value
from rankgauge.report.predictions import signed

__all__ = ["sections_of_calibration", "sections_of_reliability", "sections_of_segments"]

_MOST_SEGMENTS = 20


def sections_of_reliability(r: Reliability, digits: int = 4) -> list[Section]:
    rows = []
    for b in r.bins:
        low, high = b.interval
        rows.append(
            [
                Cell(f"{number(b.low, digits)} … {number(b.high, digits)}"),
                Cell(f"{b.rows:,}", quiet=True),
                Cell(number(b.predicted, digits)),
                Cell(number(b.observed, digits), strong=True),
                Cell("" if isnan(low) else f"{number(low, digits)} … {number(high, digits)}", quiet=True),
                Cell("" if b.ok is not False else "too high" if b.predicted > b.observed else "too low"),
            ]
        )
    header = ["probabilities", "rows", "predicted", "observed", f"{100 * r.confidence_level:g}% interval", "prediction"]
    low, high = r.copc_interval
    between = "" if isnan(low) else f" ({number(low, digits)} … {number(high, digits)})"
    notes = [
        f"{len(r.off):,} of {count(len(r.bins), 'bin')} off · COPC {number(r.copc, digits)}{between} · "
        f"ECE {number(r.ece, digits)}, noise floor {number(r.noise_floor, digits)} · ECCE p {p_value(r.ecce_p)}",
        *r.notes,
    ]
    return [Section(_title("Predicted and observed", r.model), Grid(header, rows, frozenset({0, 5})), notes=notes)]


def sections_of_segments(s: Segments, digits: int = 4) -> list[Section]:
    rows = []
    for g in s.segments[:_MOST_SEGMENTS]:
        low, high = g.copc_interval
        rows.append(
            [
                Cell(g.column),
                Cell(g.value),
                Cell(f"{g.rows:,}", quiet=True),
                Cell(number(g.predicted, digits)),
                Cell(number(g.observed, digits)),
                Cell(number(g.copc, digits), strong=g.is_significant),
                Cell("" if isnan(low) else f"{number(low, digits)} … {number(high, digits)}", quiet=True),
                Cell("" if isnan(g.p_corrected) else p_value(g.p_corrected), quiet=True),
            ]
        )
    interval = f"{100 * s.confidence_level:g}% interval"
    header = ["segment", "value", "rows", "predicted", "observed", "COPC", interval, "corrected p"]
    notes = [
        f"{len(s.significant):,} of {count(s.tested, 'value')} off at {s.alpha:g}, corrected for all of them (Holm); "
        f"COPC of all rows {number(s.copc, digits)}"
    ]
    if s.left_out:
        notes.append(f"{count(s.left_out, 'value')} with fewer than {s.min_rows:,} rows left out")
    if len(s.segments) > _MOST_SEGMENTS:
        notes.append(f"the first {_MOST_SEGMENTS} of {len(s.segments):,} values")
    return [
        Section(
            _title("Segments by what is off", s.model), Grid(header, rows, frozenset({0, 1})), notes=[*notes, *s.notes]
        )
    ]


def sections_of_calibration(c: Calibration, digits: int = 4) -> list[Section]:
    level = f"{100 * c.confidence_level:g}% interval"
    header = ["calibrator", "LogLoss", "change", level, "COPC", "ECE", "MCB", "AUC", ""]
    rows = [_judged(j, j.kind == c.recommended, digits) for j in (c.before, *c.after)]
    warnings = [f"{kind}: {why}" for kind, why in c.failed.items()]
    notes = [
        f"{c.split.text} ({c.rows_fitted:,} and {c.rows_judged:,} rows)",
        f"noise floor of ECE on these rows: {number(_floor(c), digits)}",
        *c.notes,
        f"→ {c.reason}",
    ]
    return [
        Section(
            _title("Calibrators on rows that they have not seen", c.model),
            Grid(header, rows, frozenset({0, 8})),
            warnings=warnings,
            notes=notes,
        )
    ]


def _floor(c: Calibration) -> float:
    """What right probabilities would show; those of the recommended calibrator are the nearest to right."""
    return (c[c.recommended] if c.recommended else c.before).noise_floor


def _judged(j: Judged, recommended: bool, digits: int) -> list[Cell]:
    change = j.log_loss_change
    low, high = (float("nan"), float("nan")) if change is None else change.interval
    verdict = {True: "better", False: "worse", None: "" if change is None else "not clear"}[j.is_better]
    return [
        Cell(j.kind if j.calibrator is not None else "none", strong=recommended),
        Cell(number(j.log_loss, digits), strong=recommended),
        Cell("" if change is None else signed(change.value, digits)),
        Cell("" if isnan(low) else f"{signed(low, digits)} … {signed(high, digits)}", quiet=True),
        Cell(number(j.copc, digits)),
        Cell(number(j.ece, digits)),
        Cell(number(j.mcb, digits)),
        Cell(number(j.auc, digits)),
        Cell("recommended" if recommended else verdict, strong=recommended),
    ]


def _title(text: str, model: str) -> str:
    return text if model == "score" else f"{model}: {text[0].lower()}{text[1:]}"
