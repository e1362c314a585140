"""A chosen threshold, as a section: what it does on rows that it was not chosen on."""

from __future__ import annotations

from math import isnan

from rankgauge._text import Text, mapped
from rankgauge.evaluation.predictions.thresholds import Threshold
from rankgauge.reporting.grid import Cell, Grid, Section, number, share
from rankgauge.reporting.words import about, counted, phrase

__all__ = ["sections_of_threshold"]


def sections_of_threshold(t: Threshold, digits: int = 4) -> list[Section]:
    low, high = t.interval
    between = "" if isnan(low) else f" ({number(low, digits)} … {number(high, digits)})"
    accuracy = phrase(
        "{} (majority class {})", "{}（多数类占 {}）", number(t.accuracy, digits), number(t.majority, digits)
    )
    value = number(t.value, digits) + between
    values: dict[str, str] = {t.measure: value}
    if not t.same_rows:
        values = {
            phrase("{} where it was chosen", "{}（选取阈值的行）", t.measure): number(t.value_chosen, digits),
            phrase("{} on other rows", "{}（其他行）", t.measure): value,
        }
    said = {
        Text("threshold", "阈值"): f"{t.threshold:.6g}",
        **values,
        Text("precision", "精确率"): number(t.precision, digits),
        Text("recall", "召回率"): number(t.recall, digits),
        **({} if t.measure.startswith("F") and t.f == t.value else {"F": number(t.f, digits)}),  # once is enough
        Text("accuracy", "准确率"): accuracy,
        Text("called positive", "判为正样本的占比"): share(t.share),
        Text("tp, fp, fn, tn", "真正例、假正例、假反例、真反例"): ", ".join(f"{x:,.10g}" for x in t.confusion),
    }
    rows = [[Cell(name, quiet=True), Cell(text)] for name, text in said.items()]
    title = phrase("Threshold for {}", "阈值的选取：{}", t.rule)
    if t.model != "score":
        title = about(t.model, phrase("threshold for {}", "阈值的选取：{}", t.rule))
    where: str = counted(t.rows, "row", "行")
    if not t.same_rows:
        where = phrase(
            "{} ({:,} and {:,} rows)", "{}（{:,} 行与 {:,} 行）", mapped(_chosen, t.split.text), t.rows_chosen, t.rows
        )
    return [Section(title, Grid(["", ""], rows, frozenset({0, 1})), notes=[where, *t.notes])]


def _chosen(split: str) -> str:
    """A threshold is chosen where a calibrator is fitted."""
    return split.replace("fitted", "chosen").replace("拟合", "选取阈值")
