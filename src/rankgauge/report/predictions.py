"""What an evaluation of labels and scores says, as sections: the numbers, what to read them with, what they rest on."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any

from rankgauge.evaluation.differences import Difference
from rankgauge.evaluation.prediction_record import Estimate, PredictionEvaluation, PredictionEvaluations
from rankgauge.report.grid import Cell, Grid, Section, count, number, p_value, share

__all__ = ["sections_of_prediction_evaluation", "sections_of_prediction_evaluations"]

_SHARES = {"rows kept", "of UNC", "their share of the loss", "share of pairs"}


def sections_of_prediction_evaluation(ev: PredictionEvaluation, digits: int = 4) -> list[Section]:
    rows = []
    for c in ev.columns:
        low, high = ev.interval(c.label)
        shown = str(c.measure) if str(c.measure) != c.label else ""
        rows.append(
            [
                Cell(c.label),
                Cell(number(c.value, digits), strong=True),
                Cell("" if isnan(low) else f"{number(low, digits)} … {number(high, digits)}", quiet=True),
                Cell(beside(c, digits), quiet=True),
                Cell(shown, quiet=True),
            ]
        )
    header = ["measure", "value", f"{100 * ev.confidence_level:g}% interval", "read with", "definition"]
    if not any(row[4].text for row in rows):
        header, rows = header[:4], [row[:4] for row in rows]
    notes, warnings = facts(ev)
    title = ev.data if ev.model == "score" else f"{ev.model} on {ev.data}"
    out = [
        Section(title, Grid(header, rows, frozenset({0, 3, 4})), warnings=warnings, notes=[*notes, str(ev.policy)]),
    ]
    if ev.predictions is not None and ev.predictions.segments:
        out.append(_slices(ev, digits))
    return out


def sections_of_prediction_evaluations(evs: PredictionEvaluations, digits: int = 4) -> list[Section]:
    names = list(evs)
    first = evs[names[0]]
    rows = []
    for label in first.labels:
        columns = [ev.column(label) for ev in evs.values()]
        better = columns[0].measure.is_better
        best = [not any(better(other.value, c.value) for other in columns) and not isnan(c.value) for c in columns]
        cells = (Cell(number(c.value, digits), strong=strong) for c, strong in zip(columns, best, strict=True))
        rows.append([Cell(label), *cells])
    said = [facts(ev) for ev in evs.values()]
    warnings = [f"{name}: {w}" for name, (_, ws) in zip(names, said, strict=True) for w in ws]
    out = [
        Section(
            f"{len(evs)} models on {first.data}",
            Grid(["measure", *names], rows),
            warnings=warnings,
            notes=[*said[0][0], str(first.policy)],
        )
    ]
    for model, found in evs.differences.items():
        out.append(_differences(model, names[0], found, first.confidence_level, digits))
    return out


def _differences(model: str, baseline: str, found: Mapping[str, Difference], level: float, digits: int) -> Section:
    rows = []
    for label, d in found.items():
        low, high = d.interval
        verdict = {True: "better", False: "worse", None: "" if isnan(low) else "not clear"}[d.is_better]
        rows.append(
            [
                Cell(label),
                Cell(signed(d.value, digits), strong=d.is_better is True),
                Cell("" if isnan(low) else f"{signed(low, digits)} … {signed(high, digits)}", quiet=True),
                Cell("" if isnan(d.p_value) else p_value(d.p_value), quiet=True),
                Cell(verdict, strong=d.is_better is True),
            ]
        )
    n = next(iter(found.values())).n
    header = ["measure", "difference", f"{100 * level:g}% interval", "p", f"{model} is"]
    return Section(
        f"{model} minus {baseline}",
        Grid(header, rows, frozenset({0, 4})),
        notes=[
            f"paired on the same rows, {count(n, 'independent unit')}; p-values are not corrected for several measures"
        ],
    )


def signed(x: float, digits: int) -> str:
    """A difference with its sign."""
    if isnan(x):
        return "–"
    text = f"{x:+.{digits}f}"
    return text if text.strip("+-0.") else text[1:]  # a rounded nothing has no sign


def beside(c: Estimate, digits: int) -> str:
    """What to read a value with, in a few words."""
    if c.reason:
        return f"undefined: {c.reason}"
    said = c.beside
    if "groups" in said and "valid groups" in said:
        kept = f", {share(said['rows kept'])} of rows" if "rows kept" in said else ""
        return f"{said['valid groups']:,} of {said['groups']:,} groups{kept}"
    return ", ".join(f"{name} {_text(name, value, digits)}" for name, value in said.items())


def _text(name: str, value: Any, digits: int) -> str:
    if name == "p":
        return p_value(value)
    if name in _SHARES:
        return share(value)
    return f"{value:,}" if isinstance(value, int) else number(value, digits)


def facts(ev: PredictionEvaluation) -> tuple[list[str], list[str]]:
    """Counts in words: plain facts, and those that should stop a reader."""
    c = ev.counts
    weighted = "" if c["weight"] == c["rows"] else f", weight {c['weight']:,.6g}"
    groups = f" · {count(c['groups'], 'group')}" if c["groups"] else ""
    notes = [f"{count(c['rows'], 'row')}{weighted} · {share(c['prevalence'])} positive{groups}"]
    warnings = []
    if c["zero_weight_rows"]:
        notes.append(f"{count(c['zero_weight_rows'], 'row')} of weight 0 left out")
    for e in ev.columns:
        if "clipped rows" in e.beside:
            n, part = e.beside["clipped rows"], e.beside["their share of the loss"]
            warnings.append(f"{count(n, 'probability')} at 0 or 1, clipped to 1e-15: {share(part)} of the loss")
            break
    return [*notes, *ev.notes], warnings


def _slices(ev: PredictionEvaluation, digits: int) -> Section:
    rows = [
        [
            Cell(row["slice"]),
            Cell(row["value"]),
            Cell(f"{row['rows']:,}", quiet=True),
            *(Cell(number(row[label], digits)) for label in ev.labels),
        ]
        for row in ev.slices.iter_rows(named=True)
    ]
    return Section("by segment", Grid(["segment", "value", "rows", *ev.labels], rows, frozenset({0, 1})))
