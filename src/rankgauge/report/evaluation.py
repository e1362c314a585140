"""What an evaluation says, as sections: the numbers, what they rest on, what to look at."""

from __future__ import annotations

from math import isnan

from rankgauge.evaluation.ranking_record import RankingEvaluation, RankingEvaluations
from rankgauge.report.grid import Cell, Grid, Section, count, number, share

_MOST_COLUMNS = 7

__all__ = ["facts", "sections_of_evaluation", "sections_of_evaluations"]


def sections_of_evaluation(ev: RankingEvaluation, digits: int = 4) -> list[Section]:
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


def sections_of_evaluations(evs: RankingEvaluations, digits: int = 4) -> list[Section]:
    first = next(iter(evs.values()))
    table = {name: _cells(ev, evs, digits) for name, ev in evs.items()}
    if len(first.labels) <= _MOST_COLUMNS:
        grid = Grid(["run", *first.labels, _judged(first)], [[Cell(name), *row] for name, row in table.items()])
    else:  # many measures: a row for each
        rows = [list(row) for row in zip(*table.values(), strict=True)]
        labels = [*first.labels, _judged(first)]
        grid = Grid(["measure", *evs], [[Cell(label), *row] for label, row in zip(labels, rows, strict=True)])
    said = {name: facts(ev, with_judged=False) for name, ev in evs.items()}
    sections = [
        Section(
            title=f"{len(evs)} runs on {first.qrels}",
            grid=grid,
            warnings=_together({name: w for name, (_, w) in said.items()}),
            notes=[
                *_together({name: n for name, (n, _) in said.items()}),
                f"± is half of the {100 * first.confidence_level:g}% interval of the mean",
                _contract(first),
            ],
        )
    ]
    if first.attributes:
        for name, ev in evs.items():
            part = _slices(ev, digits)
            sections.append(Section(f"{name}: {part.title}", part.grid, part.notes))
    return sections


def _cells(ev: RankingEvaluation, evs: RankingEvaluations, digits: int) -> list[Cell]:
    """The numbers of one run beside the others, the best of each measure in bold."""
    cells = []
    for c in ev.columns:
        value, (low, high) = ev[c.label], ev.interval(c.label)
        others = [x for other in evs.values() if not isnan(x := other[c.label])]
        best = (max if c.measure.higher_is_better else min)(others, default=None)
        half = "" if isnan(low) else f" ±{(high - low) / 2:.{max(digits - 1, 1)}f}".replace("±0.", "±.")
        text = number(value, 0 if c.measure.summary == "sum" else digits)
        cells.append(Cell(text + half, strong=len(evs) > 1 and value == best and c.measure.summary != "sum"))
    return [*cells, Cell(share(ev.counts[_judged(ev)]), quiet=True)]


def _judged(ev: RankingEvaluation) -> str:
    """The name of the count that says how many of the first results are judged."""
    return next(k for k in ev.counts if k.startswith("judged@"))


def _together(said: dict[str, list[str]]) -> list[str]:
    """What holds for all runs once, the rest with the names of the runs it holds for."""
    lines: dict[str, list[str]] = {}
    for name, texts in said.items():
        for text in texts:
            lines.setdefault(text, []).append(name)
    return [text if len(names) == len(said) else f"{', '.join(names)}: {text}" for text, names in lines.items()]


def facts(ev: RankingEvaluation, *, with_judged: bool = True) -> tuple[list[str], list[str]]:
    """Counts in words: plain facts, and those that should stop a reader."""
    c, p = ev.counts, ev.policy
    notes, warnings = [], []
    judged = f" · {_judged(ev)} {share(c[_judged(ev)])}" if with_judged else ""
    notes.append(f"{c['evaluated']:,} of {count(c['queries'], 'query')} evaluated{judged}")
    if c["missing"]:
        how = {"zero": "counted as empty lists", "skip": "left out"}.get(p.missing, "")
        warnings.append(f"{count(c['missing'], 'judged query')} not in the run ({how}; missing={p.missing})")
    if c["without_relevant"]:
        how = {"skip": "left out", "zero": "counted as 0", "one": "counted as 1", "nan": "undefined"}[p.no_relevant]
        notes.append(
            f"{count(c['without_relevant'], 'query')} without a relevant item ({how}; no_relevant={p.no_relevant})"
        )
    if c["tied_queries"]:
        widest = max((col for col in ev.columns), key=lambda col: col.tie_width)
        notes.append(
            f"tied scores matter in {count(c['tied_queries'], 'query')}: their order moves the mean {widest.label} "
            f"by up to {number(widest.tie_width)} (ties={p.ties})"
        )
    if c["duplicates"]:
        warnings.append(f"{count(c['duplicates'], 'repeated result')} dropped (duplicates={p.duplicates})")
    if c["nan_scores"]:
        warnings.append(f"{count(c['nan_scores'], 'score')} not a number; such results rank last")
    if c["not_judged"]:
        notes.append(f"{count(c['not_judged'], 'query')} of the run without judgements, ignored")
    return [*notes, *ev.notes], warnings


def _contract(ev: RankingEvaluation) -> str:
    return f"{ev.policy}" + (f" · convention {ev.convention}" if ev.convention != "rankgauge" else "")


def _slices(ev: RankingEvaluation, digits: int) -> Section:
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
