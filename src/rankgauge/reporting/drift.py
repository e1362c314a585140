"""Measures over days, as sections."""

from __future__ import annotations

from dataclasses import replace

from rankgauge._text import Text
from rankgauge.comparison.drift_record import Drift, DriftPoint, DriftSeries
from rankgauge.comparison.parts import EVERY
from rankgauge.reporting.grid import Cell, Grid, Section, number, p_value, ranged
from rankgauge.reporting.words import ROWS

__all__ = ["sections_of_drift"]

_WORDS = {
    "reference": Text("reference", "参照"),
    "few": Text("too few", "数据不足"),
    "same": Text("", ""),
    "better": Text("better", "更好"),
    "worse": Text("worse", "更差"),
    "off": Text("off", "偏离"),
}


def sections_of_drift(d: Drift, digits: int = 4) -> list[Section]:
    """What each measure comes to, with a table of its periods."""
    out = [_table(d, s, digits) for s in d.series]
    return [*out[:-1], replace(out[-1], notes=list(d.notes))]


def _table(d: Drift, s: DriftSeries, digits: int) -> Section:
    header = [
        *(EVERY[d.every], ROWS, Text("positives", "正样本"), s.measure),
        *(Text("corrected interval", "校正后的区间"), Text("corrected p", "校正后 p"), d.model),
    ]
    rows = [_row(p, digits) for p in s.points]
    tone = "bad" if s.first_off is not None else "same"
    return Section(s.sentence, Grid(header, rows, frozenset({0, 6})), tone=tone)


def _row(p: DriftPoint, digits: int) -> list[Cell]:
    return [
        Cell(p.period),
        Cell(f"{p.rows:,}", quiet=True),
        Cell(number(p.positives, 0), quiet=True),
        Cell(number(p.value, digits), strong=p.is_off),
        Cell(ranged(p.low, p.high, digits), quiet=True),
        Cell("" if p.word in ("reference", "few") else p_value(p.p_corrected), quiet=True),
        Cell(_WORDS[p.word], strong=p.is_off, tone="bad" if p.is_off else ""),
    ]
