"""Models against a baseline by segment and by day, as sections."""

from __future__ import annotations

from dataclasses import replace

from rankgauge._text import Text
from rankgauge.comparison.by_part import ByPart, PartChange
from rankgauge.comparison.parts import EVERY
from rankgauge.reporting.grid import Cell, Grid, Section, number, p_value, ranged, signed
from rankgauge.reporting.words import DIFFERENCE, ROWS, phrase

__all__ = ["sections_of_by_part"]

_WORDS = {
    "better": Text("better", "更好"),
    "worse": Text("worse", "更差"),
    "not clear": Text("not clear", "无法判定"),
    "few": Text("too few", "数据不足"),
    "undefined": Text("undefined", "无定义"),
}
_TONES = {"better": "good", "worse": "bad"}


def sections_of_by_part(b: ByPart, digits: int = 4) -> list[Section]:
    """What each model and measure come to, with a table of the parts."""
    out = []
    for i, model in enumerate(b.models):
        for j, measure in enumerate(b.measures):
            chosen = [c for c in b.changes if (c.model, c.measure) == (model, measure)]
            header = [
                *(Text("segment", "分段"), Text("part", "部分"), ROWS, b.baseline, model, DIFFERENCE),
                *(
                    Text("corrected interval", "校正后的区间"),
                    Text("corrected p", "校正后 p"),
                    phrase("{} is", "{} 的结论", model),
                ),
            ]
            grid = Grid(header, [_row(c, digits) for c in chosen], frozenset({0, 1, 8}))
            out.append(Section(b.sentences[i * len(b.measures) + j], grid))
    return [*out[:-1], replace(out[-1], notes=list(b.notes))]


def _row(c: PartChange, digits: int) -> list[Cell]:
    return [
        Cell(EVERY.get(c.column, c.column), quiet=True),
        Cell(c.part),
        Cell(f"{c.rows:,}", quiet=True),
        Cell(number(c.baseline_value, digits)),
        Cell(number(c.value, digits)),
        Cell(signed(c.difference, digits), strong=True),
        Cell(ranged(c.low, c.high, digits, sign=True), quiet=True),
        Cell(p_value(c.p_corrected), quiet=True),
        Cell(_WORDS[c.word], tone=_TONES.get(c.word, "")),
    ]
