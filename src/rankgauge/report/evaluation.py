"""What an evaluation says, as sections: the numbers, what they rest on, what to look at."""

from __future__ import annotations

from math import isnan

from rankgauge.evaluation.record import Evaluation, Evaluations
from rankgauge.report.grid import Cell, Grid, Section, number, share

__all__ = ["facts", "sections_of_evaluation", "sections_of_evaluations"]


def sections_of_evaluation(ev: Evaluation, digits: int = 4) -> list[Section]:
    rows = []
    for c in ev.columns:
        low, high = ev.interval(c.label)
        value = ev[c.label]
        as_count = c.measure.summary == "sum"
        shown = str(c.measure) if str(c.measure) != c.label else ""
        rows.append(
            [
                Cell(c.label),
                Cell(number(value, 0 if as_count else digits), strong=True),
                Cell("" if isnan(low) else f"{number(low, digits)} … {number(high, digits)}", quiet=True),
                Cell(f"{int(c.counted.sum()):,}", quiet=True),
                Cell(shown, quiet=True),
            ]
        )
    header = ["measure", "value", f"{100 * ev.confidence_level:g}% interval", "n", "definition"]
    if not any(row[4].text for row in rows):
        header, rows = header[:4], [row[:4] for row in rows]
    notes, warnings = facts(ev)
    out = [
        Section(
            title=f"{ev.run} on {ev.qrels}",
            grid=Grid(header, rows, frozenset({0, 4})),
            warnings=warnings,
            notes=[*notes, _contract(ev)],
        )
    ]
    if ev.attributes:
        out.append(_slices(ev, digits))
    return out


def sections_of_evaluations(evs: Evaluations, digits: int = 4) -> list[Section]:
    first = next(iter(evs.values()))
    labels = first.labels
    best = {}
    for label in labels:
        m = first.column(label).measure
        means = [ev[label] for ev in evs.values() if not isnan(ev[label])]
        if len(evs) > 1 and means and m.summary != "sum":
            best[label] = max(means) if m.higher_is_better else min(means)
    rows = []
    for name, ev in evs.items():
        row = [Cell(name)]
        for label in labels:
            value, (low, high) = ev[label], ev.interval(label)
            half = "" if isnan(low) else f" ±{(high - low) / 2:.{max(digits - 1, 1)}f}".replace("0.", ".")
            text = number(value, 0 if ev.column(label).measure.summary == "sum" else digits)
            row.append(Cell(text + half, strong=value == best.get(label)))
        rows.append(row)
    notes, warnings = [], []
    for name, ev in evs.items():
        n, w = facts(ev)
        warnings += [f"{name}: {x}" for x in w]
        notes += [f"{name}: {x}" for x in n]
    notes.append(f"± is half of the {100 * first.confidence_level:g}% interval of the mean.")
    sections = [
        Section(
            title=f"{len(evs)} runs on {first.qrels}",
            grid=Grid(["run", *labels], rows),
            warnings=warnings,
            notes=[*notes, _contract(first)],
        )
    ]
    if first.attributes:
        for name, ev in evs.items():
            part = _slices(ev, digits)
            sections.append(Section(f"{name}: {part.title}", part.grid, part.notes))
    return sections


def facts(ev: Evaluation) -> tuple[list[str], list[str]]:
    """Counts in words: plain facts, and those that should stop a reader."""
    c, p = ev.counts, ev.policy
    notes, warnings = [], []
    judged = next((k for k in c if k.startswith("judged@")), None)
    line = f"{c['evaluated']:,} of {c['queries']:,} queries evaluated"
    if judged and c[judged] is not None:
        line += f" · {judged} {share(c[judged])}"
    notes.append(line)
    if c["missing"]:
        how = {"zero": "counted as empty lists", "skip": "left out"}.get(p.missing, "")
        warnings.append(f"{c['missing']:,} judged queries have no results in the run ({how}; missing={p.missing}).")
    if c["without_relevant"]:
        how = {"skip": "left out", "zero": "counted as 0", "one": "counted as 1", "nan": "undefined"}[p.no_relevant]
        notes.append(f"{c['without_relevant']:,} queries have no relevant item ({how}; no_relevant={p.no_relevant})")
    if c["tied_queries"]:
        widest = max((col for col in ev.columns), key=lambda col: col.tie_width)
        notes.append(
            f"tied scores decide {c['tied_queries']:,} queries: {widest.label} changes by up to "
            f"{number(widest.tie_width)} with their order (ties={p.ties})"
        )
    if c["duplicates"]:
        warnings.append(f"{c['duplicates']:,} repeated results were dropped (duplicates={p.duplicates}).")
    if c["nan_scores"]:
        warnings.append(f"{c['nan_scores']:,} scores are not a number; those results rank last.")
    if c["not_judged"]:
        notes.append(f"{c['not_judged']:,} queries of the run have no judgements and are ignored")
    return notes + [n for n in ev.notes], warnings


def _contract(ev: Evaluation) -> str:
    return f"{ev.policy}" + (f" · convention {ev.convention}" if ev.convention != "rankgauge" else "")


def _slices(ev: Evaluation, digits: int) -> Section:
    frame = ev.slices
    rows = [
        [
            Cell(row["slice"]),
            Cell(row["value"]),
            Cell(f"{row['n']:,}", quiet=True),
            *(Cell(number(row[label], digits)) for label in ev.labels),
        ]
        for row in frame.iter_rows(named=True)
    ]
    return Section("by slice", Grid(["slice", "value", "n", *ev.labels], rows, frozenset({0, 1})))
