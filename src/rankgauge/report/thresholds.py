"""A chosen threshold, as a section: what it does on rows that it was not chosen on."""

from __future__ import annotations

from math import isnan

from rankgauge.evaluation.thresholds import Threshold
from rankgauge.report.grid import Cell, Grid, Section, count, number, share

__all__ = ["sections_of_threshold"]


def sections_of_threshold(t: Threshold, digits: int = 4) -> list[Section]:
    low, high = t.interval
    between = "" if isnan(low) else f" ({number(low, digits)} … {number(high, digits)})"
    said = {
        "threshold": f"{t.threshold:.6g}",
        f"{t.measure} where it was chosen": number(t.value_chosen, digits),
        f"{t.measure} on other rows" if not t.same_rows else t.measure: number(t.value, digits) + between,
        "precision": number(t.precision, digits),
        "recall": number(t.recall, digits),
        "F": number(t.f, digits),
        "accuracy": f"{number(t.accuracy, digits)} (majority class {number(t.majority, digits)})",
        "called positive": share(t.share),
        "tp, fp, fn, tn": ", ".join(f"{x:,.10g}" for x in t.confusion),
    }
    if t.same_rows:
        said.pop(f"{t.measure} where it was chosen")
    rows = [[Cell(name, quiet=True), Cell(text)] for name, text in said.items()]
    title = f"Threshold by {t.measure}" if t.model == "score" else f"{t.model}: threshold by {t.measure}"
    where = f"{t.split.text} ({t.rows_chosen:,} and {t.rows:,} rows)" if not t.same_rows else f"{count(t.rows, 'row')}"
    return [Section(title, Grid(["", ""], rows, frozenset({0, 1})), notes=[where, *t.notes])]
