"""The reading of order and probability, as sections: the sentence, its evidence, what to do."""

from __future__ import annotations

from math import isnan

from rankgauge.diagnosis.order_and_probability import Reading
from rankgauge.report.grid import Cell, Grid, Section, number, p_value, share

__all__ = ["sections_of_reading"]

_HEADERS = {"en": ("evidence", "value", "interval", "what it says"), "zh": ("依据", "数值", "区间", "含义")}


def sections_of_reading(r: Reading, digits: int = 4) -> list[Section]:
    rows = []
    for e in r.evidence:
        text = number(e.value, digits)
        if e.name.endswith(" p"):
            text = p_value(e.value)
        elif e.name.endswith("UNC"):
            text = share(e.value)
        interval = "" if isnan(e.low) else f"{number(e.low, digits)} … {number(e.high, digits)}"
        rows.append([Cell(e.name), Cell(text, strong=True), Cell(interval, quiet=True), Cell(e.says, quiet=True)])
    title = r.headline if r.model == "score" else f"{r.model}: {r.headline}"
    return [Section(title, Grid(_HEADERS[r.language], rows, frozenset({0, 3})), notes=[f"→ {a}" for a in r.advice])]
