"""What could undo an answer about labels and scores, or about a funnel."""

from __future__ import annotations

from rankgauge._claims import claimed, phrase
from rankgauge._numbers import counted, share
from rankgauge._text import Text
from rankgauge.evaluation.funnel.record import Funnel
from rankgauge.evaluation.predictions.of_rows import RowEvaluation
from rankgauge.reporting.classes import facts_of_classes
from rankgauge.reporting.page.fact import Fact, doubt_or_fine
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.predictions import facts as prediction_facts
from rankgauge.reporting.words import listed

__all__ = ["doubts_of_classes", "doubts_of_funnel", "doubts_of_models", "is_settled"]

_FEW_POSITIVES = 100
_SETTLED = ("better", "worse", "equivalent", "unchanged")


def is_settled(story: Story) -> bool:
    """Whether the queries or rows were enough for an answer."""
    c = story.comparison
    return c is not None and c[c.measures[0], story.leader].word in _SETTLED


def doubts_of_models(story: Story) -> list[Fact]:
    """Rows, classes, groups, clipped probabilities, measures without a value."""
    name = story.leader
    ev = story.models[name]
    notes, warnings = prediction_facts(ev)
    out = [doubt_or_fine(True, "rows", notes[0])]
    rarer = ev.counts["rows"] * min(ev.counts["prevalence"], 1 - ev.counts["prevalence"])
    if rarer < _FEW_POSITIVES and not is_settled(story):
        n = round(rarer)
        told = ("About {} of the rarer class: few for a firm answer", "较少的一类约 {}：偏少，结论不牢")
        rows = claimed(counted(n, "row", "行"), "count", n, "rarer_class", name)
        out.append(doubt_or_fine(False, "few-positives", phrase(*told, rows)))
    return [*out, *_of_rows(ev), *(doubt_or_fine(False, "clipped", w) for w in warnings), *_without_value(ev)]


def doubts_of_classes(story: Story) -> list[Fact]:
    """Rows, one class that is most of them, clipped probabilities, measures without a value."""
    ev = story.classes[story.leader]
    notes, warned = facts_of_classes(ev)
    said = [doubt_or_fine(False, code, w) for code, ws in warned.items() for w in ws]
    return [doubt_or_fine(True, "rows", notes[0]), *_of_rows(ev), *said, *_without_value(ev)]


def _of_rows(ev: RowEvaluation) -> list[Fact]:
    if ev.counts["groups"]:
        return []
    told = (
        "Rows count as independent; name a group column if users repeat",
        "各行视为独立；若同一用户有多行，请指定分组列",
    )
    return [Fact("fine", "no-groups", Text(*told), "open")]  # assumed, and not tested


def _without_value(ev: RowEvaluation) -> list[Fact]:
    if not ev.undefined:
        return []
    return [doubt_or_fine(False, "no-value", phrase("No value: {}", "没有取值：{}", listed(ev.undefined)))]


def doubts_of_funnel(f: Funnel) -> list[Fact]:
    if f.warnings:
        return [doubt_or_fine(False, "leaks", w) for w in f.warnings]
    queries = claimed(counted(f.n_queries, "query", "个查询"), "count", f.n_queries, "with_relevant")
    room = claimed(share(f.fit), "share", f.fit, f"room@{f.k}")
    k = claimed(str(f.k), "cutoff", f.k, f"nDCG@{f.k}")
    told = ("{} of the relevant items fit into the first {}", "前 {1} 位最多容纳 {0} 的相关结果")
    out = [doubt_or_fine(True, "queries", phrase("{} with relevant items", "{}有相关结果", queries))]
    return [*out, doubt_or_fine(True, "room", phrase(*told, room, k))] if f.n_relevant else out
