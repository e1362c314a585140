"""What an evaluation says, as sections: the numbers, what they rest on, what to look at."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isnan

from rankgauge._numbers import counted
from rankgauge._text import Text
from rankgauge.evaluation.counts import judged_key
from rankgauge.evaluation.rankings.notes import counts_said, evaluated, said_together, warnings_of
from rankgauge.evaluation.rankings.record import RankingEvaluation, RankingEvaluations
from rankgauge.evaluation.rankings.slices import shown_slice
from rankgauge.reporting.bars import value_bars
from rankgauge.reporting.counts import sizes, sizes_of_slices
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged, share
from rankgauge.reporting.suspicions import doubts, sections_of_suspicions
from rankgauge.reporting.words import MEASURE, SLICE, VALUE, about, in_units, interval_of, phrase

_MOST_COLUMNS = 7

__all__ = ["facts", "sections_of_rankings", "sections_of_rankings_by_name"]


def sections_of_rankings(ev: RankingEvaluation, digits: int = 4) -> list[Section]:
    rows = []
    for c in ev.columns:
        low, high = ev.interval(c.label)
        value = ev[c.label]
        as_count = c.measure.summary == "sum"
        shown = str(c.measure) if str(c.measure) != c.label else ""
        rows.append(
            [
                Cell(in_units(c.label, c.measure.unit)),
                Cell(number(value, 0 if as_count else digits), strong=True),
                Cell(ranged(low, high, digits), quiet=True),
                Cell(f"{c.n:,}", quiet=True),
                Cell(shown, quiet=True),
            ]
        )
    header = [MEASURE, VALUE, interval_of(ev.confidence_level), "n", Text("definition", "定义")]
    if not any(row[4].text for row in rows):
        header, rows = header[:4], [row[:4] for row in rows]
    notes, warnings = facts(ev)
    out = [
        *sections_of_suspicions(ev.suspicions),
        Section(
            title=phrase("{} on {}", "{}，标注 {}", ev.run, ev.qrels),
            grid=Grid(header, rows, frozenset({0, 4}), _bars(ev)),
            warnings=[*doubts(ev.suspicions), *warnings],
            notes=[*notes, _contract(ev)],
        ),
    ]
    if ev.attributes:
        out.append(_slices(ev, digits))
    return out


def sections_of_rankings_by_name(evs: RankingEvaluations, digits: int = 4) -> list[Section]:
    first = next(iter(evs.values()))
    table = {name: _cells(ev, evs, digits) for name, ev in evs.items()}
    names = [in_units(c.label, c.measure.unit) for c in first.columns]
    if len(names) <= _MOST_COLUMNS:
        header = [Text("run", "系统"), *names, _judged(first)]
        grid = Grid(header, [[Cell(name), *row] for name, row in table.items()], spare=[len(header) - 1])
    else:  # many measures: a row for each
        rows = [list(row) for row in zip(*table.values(), strict=True)]
        labels = [*names, _judged(first)]
        grid = Grid([MEASURE, *evs], [[Cell(label), *row] for label, row in zip(labels, rows, strict=True)])
    said = {name: facts(ev, with_judged=False) for name, ev in evs.items()}
    sections = [
        *sections_of_suspicions(evs.suspicions),
        Section(
            title=phrase("{} on {}", "{}，标注 {}", counted(len(evs), "run", "个系统"), first.qrels),
            grid=grid,
            warnings=[*doubts(evs.suspicions), *said_together({name: w for name, (_, w) in said.items()})],
            notes=[
                *said_together({name: n for name, (n, _) in said.items()}),
                _half_widths(first),
                _contract(first),
            ],
        ),
    ]
    if first.attributes:
        for name, ev in evs.items():
            part = _slices(ev, digits)
            sections.append(Section(about(name, part.title), part.grid, part.notes, folded=True))
    return sections


def _half_widths(ev: RankingEvaluation) -> str:
    """What ± is; a number of the whole run is no mean."""
    between = interval_of(ev.confidence_level)
    if any(c.measure.summary == "run" for c in ev.columns):
        return phrase("± is half of the {}", "± 为 {}的半宽", between)
    return phrase("± is half of the {} of the mean", "± 为均值 {}的半宽", between)


def _bars(ev: RankingEvaluation) -> Sequence[str]:
    return value_bars((ev[c.label], c.measure.bounds if c.measure.summary == "mean" else (0, inf)) for c in ev.columns)


def _cells(ev: RankingEvaluation, evs: RankingEvaluations, digits: int) -> list[Cell]:
    """The numbers of one run beside the others, the best of each measure in bold."""
    cells = []
    for c in ev.columns:
        value, (low, high) = ev[c.label], ev.interval(c.label)
        others = [x for other in evs.values() if not isnan(x := other[c.label])]
        best = max(others, default=None, key=c.measure.goodness)
        half = "" if isnan(low) else f" ±{(high - low) / 2:.{max(digits - 1, 1)}f}".replace("±0.", "±.")
        half = half.replace("inf", "∞")  # of a quantile that too few queries reach beyond
        text = number(value, 0 if c.measure.summary == "sum" else digits)
        cells.append(Cell(text + half, strong=len(evs) > 1 and value == best and c.measure.summary != "sum"))
    return [*cells, Cell(share(ev.counts[_judged(ev)]), quiet=True)]


def _judged(ev: RankingEvaluation) -> str:
    """The name of the count that says how many of the first results are judged."""
    return judged_key(ev.counts)


def facts(ev: RankingEvaluation, *, with_judged: bool = True) -> tuple[list[str], list[str]]:
    """Counts in words: plain facts, and those that should stop a reader."""
    notes = [evaluated(ev, with_judged=with_judged), *counts_said(ev), *ev.remarks]
    return list(dict.fromkeys(notes)), list(warnings_of(ev))


def _contract(ev: RankingEvaluation) -> str:
    if ev.convention == "rankgauge":
        return str(ev.policy)
    return phrase("{} · convention {}", "{} · 约定 {}", str(ev.policy), ev.convention)


def _slices(ev: RankingEvaluation, digits: int) -> Section:
    frame = ev.slices
    rows = [
        [
            Cell(row["slice"]),
            Cell(shown_slice(row["value"])),
            Cell(sizes(ns), quiet=True),
            *(Cell(number(row[label], digits)) for label in ev.labels),
        ]
        for row, ns in zip(frame.iter_rows(named=True), sizes_of_slices(ev, ev.labels), strict=True)
    ]
    header = [SLICE, Text("value", "取值"), "n", *ev.labels]
    return Section(Text("by slice", "按切片"), Grid(header, rows, frozenset({0, 1})))
