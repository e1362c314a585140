"""What a funnel says, as sections: the step that loses most in a sentence, the stages, the fates."""

from __future__ import annotations

from math import isnan

from rankgauge.evaluation.funnel_record import SHOWN, Funnel, FunnelStep
from rankgauge.report.grid import Cell, Grid, Section, count, number, share

__all__ = ["headline", "sections_of_funnel"]


def sections_of_funnel(f: Funnel, digits: int = 4) -> list[Section]:
    return [Section(headline(f)), _stages(f, digits), _fates(f, digits)]


def headline(f: Funnel) -> str:
    """The step that loses most, as a sentence that stands on its own."""
    step = f.worst
    if not f.n_relevant:
        return f"Nothing can be lost: no item has a grade of {f.rel:g} or more."
    if step is None:
        return f"Nothing is lost: the first {f.k} hold all of {count(f.n_relevant, 'relevant item')}."
    text = f"Most is lost {_where(f, step)}"
    dearest = f.worst_ndcg
    if dearest is None or dearest is step:
        return text
    lost = f"{number(dearest.ndcg_before, 3)} → {number(dearest.ndcg_after, 3)}"
    if dearest is f.steps[-1]:
        return f"{text} The order of {f.stages[-1].name} costs more nDCG@{f.k}: {lost}."
    return f"{text} {dearest.name} costs more nDCG@{f.k}: {lost}."


def _where(f: Funnel, step: FunnelStep) -> str:
    before, after = number(step.ndcg_before, 3), number(step.ndcg_after, 3)
    items = f"{share(step.share)} of the relevant items"
    if step is f.steps[-1]:
        return f"below rank {f.k} of {f.stages[-1].name}: {items} (nDCG@{f.k} could be {before}, and is {after})."
    return f"at {step.name}: {items} (nDCG@{f.k} could be {before} before it, {after} after it)."


def _stages(f: Funnel, digits: int) -> Section:
    level = f"{100 * f.confidence_level:g}% interval"
    header = [
        "stage",
        "results",
        "kept",
        "recall",
        level,
        "pooled",
        "retention",
        "pooled",
        f"nDCG@{f.k}",
        "at best",
    ]
    rows = []
    for s in f.stages:
        interval = "" if isnan(s.recall_low) else f"{number(s.recall_low, digits)} … {number(s.recall_high, digits)}"
        rows.append(
            [
                Cell(s.name),
                Cell(number(s.size, 1)),
                Cell("" if s.kept is None else share(s.kept), quiet=True),
                Cell(number(s.recall, digits)),
                Cell(interval, quiet=True),
                Cell(number(s.recall_pooled, digits), quiet=True),
                Cell("" if s.retention is None else number(s.retention, digits)),
                Cell("" if s.retention_pooled is None else number(s.retention_pooled, digits), quiet=True),
                Cell(number(s.ndcg, digits)),
                Cell(number(s.oracle, digits)),
            ]
        )
    notes = [
        f"{count(f.n_queries, 'query')} with relevant items of {f.n_judged:,} judged; "
        f"relevant: grade {f.rel:g} and above; k = {f.k}; ties: {f.ties}",
        f"at best: nDCG@{f.k} if everything after the stage were perfect; pooled: over the items of all queries",
    ]
    if f.cut:
        notes.append("only the first results count: " + ", ".join(f"{name} {n:,}" for name, n in f.cut.items()))
    return Section("Stages", Grid(header, rows), notes=[*notes, *f.notes], warnings=f.warnings)


def _fates(f: Funnel, digits: int) -> Section:
    rows = [
        [
            Cell(f"{step.fate} ({step.name})" if step is f.steps[0] else step.fate),
            Cell(f"{step.lost:,}", strong=step is f.worst),
            Cell(share(step.share), strong=step is f.worst),
            Cell(share(step.remaining_share), quiet=True),
            Cell(number(step.ndcg_lost, digits), strong=step is f.worst_ndcg),
            Cell(number(step.ndcg_after, digits), quiet=True),
        ]
        for step in f.steps
    ]
    last = f.steps[-1]
    rows.append(
        [
            Cell(SHOWN),
            Cell(f"{last.remaining:,}"),
            Cell(share(last.remaining_share)),
            Cell(""),
            Cell(""),
            Cell(number(f.measured, digits), quiet=True),
        ]
    )
    header = ["fate", "items", "share", "left", f"nDCG@{f.k} lost", "left"]
    notes = [f"the last step in nDCG@{f.k} is what the order of {f.stages[-1].name} loses"]
    if f.fit < 1:
        notes.append(f"the first {f.k} have room for {share(f.fit)} of the relevant items at most")
    return Section(f"What became of {count(f.n_relevant, 'relevant item')}", Grid(header, rows), notes=notes)
