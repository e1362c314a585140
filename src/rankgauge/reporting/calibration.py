"""Reliability by bin, worst segments and judged calibrators, as sections."""

from __future__ import annotations

from math import isnan

from rankgauge._text import Text, mapped
from rankgauge.calibration.diagram import Reliability
from rankgauge.calibration.judge import Calibration, Judged
from rankgauge.calibration.segments import WorstSegments
from rankgauge.reporting.grid import Cell, Grid, Section, number, p_value, ranged, signed
from rankgauge.reporting.words import ROWS, VERDICTS, about, counted, interval_of, phrase

__all__ = ["sections_of_calibration", "sections_of_reliability", "sections_of_segments"]

_MOST_SEGMENTS = 20
_PREDICTED, _OBSERVED = Text("predicted", "预测"), Text("observed", "实际")
_TOO_HIGH, _TOO_LOW = Text("too high", "偏高"), Text("too low", "偏低")
_NOTHING = Text("none", "无")


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
                Cell(ranged(low, high, digits), quiet=True),
                Cell("" if b.ok is not False else _TOO_HIGH if b.predicted > b.observed else _TOO_LOW),
            ]
        )
    level = interval_of(r.confidence_level)
    header = [Text("probabilities", "概率"), ROWS, _PREDICTED, _OBSERVED, level, Text("prediction", "预测偏差")]
    low, high = r.copc_interval
    ends = number(low, digits), number(high, digits)
    between = "" if isnan(low) else phrase(" ({} … {})", "（{} … {}）", *ends)
    notes = [
        phrase(
            "{:,} of {} off · COPC {}{} · ECE {}, noise floor {} · ECCE p {}",
            "{1}中 {0:,} 个不准 · COPC {2}{3} · ECE {4}，噪声下限 {5} · ECCE p {6}",
            len(r.off),
            counted(len(r.bins), "bin", "个分箱"),
            number(r.copc, digits),
            between,
            number(r.ece, digits),
            number(r.noise_floor, digits),
            p_value(r.ecce_p),
        ),
        *r.notes,
    ]
    title = _title(Text("Predicted and observed", "预测与实际"), r.model)
    return [Section(title, Grid(header, rows, frozenset({0, 5})), notes=notes)]


def sections_of_segments(s: WorstSegments, digits: int = 4) -> list[Section]:
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
                Cell(ranged(low, high, digits), quiet=True),
                Cell("" if isnan(g.p_corrected) else p_value(g.p_corrected), quiet=True),
            ]
        )
    header = [
        Text("segment", "分段"),
        Text("value", "取值"),
        ROWS,
        _PREDICTED,
        _OBSERVED,
        "COPC",
        interval_of(s.confidence_level),
        Text("corrected p", "校正后 p"),
    ]
    notes = [
        phrase(
            "{:,} of {} off at {:g}, corrected for all of them (Holm); COPC of all rows {}",
            "{1}中 {0:,} 个不准（显著性水平 {2:g}，按全部取值以 Holm 方法校正）；全部行的 COPC 为 {3}",
            len(s.significant),
            counted(s.tested, "value", "个取值"),
            s.alpha,
            number(s.copc, digits),
        )
    ]
    if s.left_out:
        left_out = counted(s.left_out, "value", "个")
        notes.append(phrase("{} with fewer than {:,} rows left out", "略去 {}不足 {:,} 行的取值", left_out, s.min_rows))
    if len(s.segments) > _MOST_SEGMENTS:
        shown = (_MOST_SEGMENTS, len(s.segments))
        notes.append(phrase("the first {} of {:,} values", "仅列前 {} 个取值，共 {:,} 个", *shown))
    title = _title(Text("Segments by what is off", "偏差最大的分段"), s.model)
    return [Section(title, Grid(header, rows, frozenset({0, 1})), notes=[*notes, *s.notes])]


def sections_of_calibration(c: Calibration, digits: int = 4) -> list[Section]:
    level = interval_of(c.confidence_level)
    header = [Text("calibrator", "校准方法"), "LogLoss", Text("change", "变化"), level, "COPC", "ECE", "MCB", "AUC", ""]
    rows = [_judged(j, j.kind == c.recommended, digits) for j in (c.before, *c.after)]
    warnings = [about(kind, why.removeprefix(f"{kind}: ")) for kind, why in c.failed.items()]
    notes = [
        phrase("{} ({:,} and {:,} rows)", "{}（{:,} 行与 {:,} 行）", c.split.text, c.rows_fitted, c.rows_judged),
        about(Text("noise floor of ECE on these rows", "这些行上 ECE 的噪声下限"), number(_floor(c), digits)),
        *c.notes,
        mapped("→ {}".format, c.reason),
    ]
    return [
        Section(
            _title(Text("Calibrators on rows that they have not seen", "校准方法在未见过的行上的表现"), c.model),
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
    verdict = VERDICTS[{True: "better", False: "worse", None: "" if change is None else "not clear"}[j.is_better]]
    return [
        Cell(j.kind if j.calibrator is not None else _NOTHING, strong=recommended),
        Cell(number(j.log_loss, digits), strong=recommended),
        Cell("" if change is None else signed(change.value, digits)),
        Cell(ranged(low, high, digits, sign=True), quiet=True),
        Cell(number(j.copc, digits)),
        Cell(number(j.ece, digits)),
        Cell(number(j.mcb, digits)),
        Cell(number(j.auc, digits)),
        Cell(Text("recommended", "推荐") if recommended else verdict, strong=recommended),
    ]


def _title(text: Text, model: str) -> Text:
    return text if model == "score" else about(model, Text(text.en[0].lower() + text.en[1:], text.zh))
