"""The reading of order and probability, as sections: the sentence, its evidence, what to do."""

from __future__ import annotations

from math import isnan

from rankgauge._text import Text, mapped
from rankgauge.diagnosis.order_and_probability import Reading
from rankgauge.reporting.grid import Cell, Grid, Section, number, p_value, share
from rankgauge.reporting.words import VALUE, about, text_of

__all__ = ["sections_of_reading"]

_HEADER = (Text("evidence", "依据"), VALUE, Text("interval", "区间"), Text("what it says", "含义"))
_NAMES = {"AUC in groups": Text("AUC in groups", "组内 AUC")}


def sections_of_reading(r: Reading, digits: int = 4) -> list[Section]:
    rows = []
    for e in r.evidence:
        text = number(e.value, digits)
        if e.name.endswith(" p"):
            text = p_value(e.value)
        elif e.name.endswith("UNC"):
            text = share(e.value)
        interval = "" if isnan(e.low) else f"{number(e.low, digits)} … {number(e.high, digits)}"
        rows.append(
            [
                Cell(text_of(_NAMES, e.name)),
                Cell(text, strong=True),
                Cell(interval, quiet=True),
                Cell(e.says, quiet=True),
            ]
        )
    title = r.headline if r.model == "score" else about(r.model, r.headline)
    notes = [mapped("→ {}".format, a) for a in r.advice]
    return [Section(title, Grid(_HEADER, rows, frozenset({0, 3})), notes=notes)]
