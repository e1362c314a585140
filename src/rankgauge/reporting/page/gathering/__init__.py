"""From records to a story: the only place of the page that computes, with the verbs of the library.

    taking.py     which records there are, what they are called, whom the page is about
    queries.py    the queries of the table, those that moved, and the result lists of those that matter most
    scores.py     what labels and scores show

Facts are worded last, from everything else (`facts/`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from math import isfinite, isnan, nan
from typing import Any

from rankgauge.comparison.record import Winner
from rankgauge.comparison.tradeoff import Tradeoff, tradeoff
from rankgauge.data.collected import Collected
from rankgauge.diagnosis.diagnosing import diagnose
from rankgauge.diagnosis.finding import Findings
from rankgauge.diagnosis.rating import rating_of
from rankgauge.errors import InputError
from rankgauge.evaluation.rankings.answers import Answers
from rankgauge.evaluation.rankings.by_budget import ByBudget, by_same_budgets, has_budgets
from rankgauge.evaluation.rankings.by_cutoff import by_cutoff
from rankgauge.evaluation.rankings.by_item_group import ByItemGroup, by_item_group
from rankgauge.evaluation.rankings.item_groups import can_group
from rankgauge.evaluation.rankings.judgement_health import judgement_health
from rankgauge.evaluation.rankings.record import RankingEvaluation, RankingEvaluations
from rankgauge.evaluation.rankings.showing import timed
from rankgauge.history.trend import Trend
from rankgauge.measures.explanation import explain
from rankgauge.measures.shown.base import ShownMeasure
from rankgauge.reporting.page.facts import facts_of
from rankgauge.reporting.page.gathering.queries import with_queries
from rankgauge.reporting.page.gathering.scores import scores_of
from rankgauge.reporting.page.gathering.taking import taken
from rankgauge.reporting.page.story import DEPTH, Defined, Standing, Story, fixed

__all__ = ["gather"]

_MOST_STANDINGS = 6
_MOST_SHOWN = 4
"""Measures of what is shown that are held against one of what is right."""


def gather(
    records: Any,
    *,
    language: str,
    title: str | None,
    documents: Any = None,
    queries: Any = None,
    scenario: str | None = None,
    command: str = "",
) -> Story:
    """The story of one record or of several."""
    story = taken(records, language=language, title=title, command=command)
    ranked = {name: ev for name, ev in story.rankings.items() if ev.aligned is not None}
    story = replace(
        story,
        findings=_findings(story, scenario),
        standings=_standings(story),
        winner=_winner(story),
        only_positives=_only_positives(story),
        by_cutoff=fixed({name: by_cutoff(ev) for name, ev in ranked.items()}),
        by_budget=_by_budget(ranked),
        tradeoff=_tradeoff(story),
        asked=_asked(story),
        answers=tuple(r for r in story.others if isinstance(r, Answers)),
        trends=tuple(r for r in story.others if isinstance(r, Trend)),
        items=_item_side(story, ranked),
        others=tuple(
            r
            for r in story.others
            if not (isinstance(r, (Tradeoff, Answers, Collected, Trend)) or (ranked and isinstance(r, ByItemGroup)))
        ),
        health=fixed({name: judgement_health(ev) for name, ev in ranked.items() if not _is_of_spans(ev)}),
        scores=scores_of(story.models) if story.models else None,
        definitions=_definitions(story),
        fingerprint=_fingerprint(story),
    )
    if story.rankings and all(ev.has_queries for ev in story.rankings.values()):
        story = with_queries(story, documents, queries)
    return replace(story, facts=facts_of(story))


def _by_budget(ranked: Mapping[str, RankingEvaluation]) -> Mapping[str, ByBudget]:
    """The numbers over budgets, the same for all runs; none where it is not known what results cost."""
    return fixed(by_same_budgets(ranked) if ranked and all(map(has_budgets, ranked.values())) else {})


def _is_of_spans(ev: RankingEvaluation) -> bool:
    """Whether no result of it is left unjudged."""
    return ev.aligned is not None and ev.aligned.is_of_spans


def _findings(story: Story, scenario: str | None) -> Findings | None:
    """What the numbers say; None for records that have none."""
    subject: Any = story.comparison if story.rankings else None
    if story.members and (subject is None or len(subject.systems) > 1 or story.gate is not None):
        # what one system needs can be acted on; whether a change may go out is for the rules of a gate to say
        subject = story.members[story.leader]
    given = next((r for r in story.others if isinstance(r, Findings)), None)
    if given is not None or subject is None:
        return given
    return diagnose(subject, scenario=scenario, accept=story.accepted)


def _tradeoff(story: Story) -> Tradeoff | None:
    """The trade-off that was given, or that of the first measure of what is right and those of what is shown."""
    given = next((r for r in story.others if isinstance(r, Tradeoff)), None)
    c = story.comparison
    if given is not None or c is None or not story.rankings:
        return given
    base = c.evaluations[c.baseline]
    labels = [m for m in c.measures if not isnan(base[m])]
    shown = [m for m in labels if isinstance(base.column(m).measure, ShownMeasure)]
    right = [m for m in labels if m not in shown]
    evs, times = _with_times(c.evaluations, shown)
    others = [*times, *shown]
    others = [m for m in others if len({ev[m] for ev in evs.values()}) > 1] or others  # where nobody fails: the others
    if not others or not right:
        return None
    first = story.measure if story.measure in right else right[0]
    return tradeoff(evs, first, *others[:_MOST_SHOWN], alpha=c.alpha, correction=c.correction)


def _with_times(evs: Mapping[str, Any], shown: Sequence[str]) -> tuple[Mapping[str, Any], list[str]]:
    """The evaluations with how long their retrievers took, where nobody asked for it, and what that is called.

    p95 where there are queries enough to know its upper end, else the mean.
    """
    base = next(iter(evs.values()))
    if any(base.column(m).measure.is_latency for m in shown):
        return evs, []
    for label in ("latency.p95", "latency"):
        found = {name: timed(ev, label) for name, ev in evs.items()}
        if all(ev is not None and isfinite(ev.interval(label).high) for ev in found.values()):
            return found, [label]
    return evs, []


def _asked(story: Story) -> Mapping[str, Collected]:
    """How the retrievers of the page were asked: what came with their runs, and what was given beside them."""
    sources = {name: ev.source for name, ev in story.rankings.items() if ev.source is not None}
    known = [(name, source.collected) for name, source in sources.items() if source.collected is not None]
    known += [(r.retriever, r) for r in story.others if isinstance(r, Collected)]
    found: dict[str, Collected] = {}
    for name, c in known:
        if any(c is one for one in found.values()):
            continue
        again = (f"{name} ({i})" for i in count(2))
        found[name if name not in found else next(n for n in again if n not in found)] = c
    return fixed(found)


def _item_side(story: Story, ranked: Mapping[str, RankingEvaluation]) -> ByItemGroup | None:
    """Groups of items: those that were given, or what `train=` and `items=` make at the depth of the headline."""
    given = next((r for r in story.others if isinstance(r, ByItemGroup)), None)
    if given is not None or not ranked:
        return given if ranked else None
    known = {name: ev for name, ev in ranked.items() if ev.catalogue is not None and ev.judged is not None}
    first = next(iter(known.values()), None)
    if first is None or len(known) < len(ranked) or not can_group(first.catalogue):
        return None
    cutoff = first.column(story.measure).measure.cutoff or next((m.cutoff for m in first.measures if m.cutoff), None)
    try:
        return by_item_group(RankingEvaluations(known), cutoffs=[cutoff or DEPTH])
    except InputError:  # nothing that is relevant is known
        return None


def _standings(story: Story) -> tuple[Standing, ...]:
    """The measures of the leader that have a value."""
    if not story.members:
        return ()
    ev, c = story.members[story.leader], story.comparison
    labels = ev.labels if c is None else c.measures
    return tuple(_standing(story, ev, label) for label in labels if not isnan(ev[label]))[:_MOST_STANDINGS]


def _standing(story: Story, ev: Any, label: str) -> Standing:
    """A measure of the leader: beside a baseline over the queries that both count, as the verdict is."""
    c = story.comparison
    (low, high), value, against = ev.interval(label), ev[label], ""
    if c is not None and not isnan(c[label, story.leader].mean) and c[label, story.leader].mean != value:
        value, against = c[label, story.leader].mean, c.baseline
        low = high = nan  # that of the mean over all queries of its own
    rating, as_count = rating_of(ev, label, value=value), ev.column(label).measure.summary == "sum"
    return Standing(label, value, low, high, rating, as_count, against)


def _winner(story: Story) -> Winner | None:
    c = story.comparison
    return None if c is None or not story.rankings else c.winner(story.measure, story.leader)


def _only_positives(story: Story) -> bool:
    return bool(story.rankings) and bool(story.rankings[story.leader].has_only_positives)


def _definitions(story: Story) -> tuple[Defined, ...]:
    """The measures as the first evaluation used them."""
    first = next(iter(story.members.values()), None)
    return () if first is None else tuple(_defined(column) for column in first.columns)


def _defined(column: Any) -> Defined:
    m = column.measure
    about = explain(m)
    return Defined(column.label, str(m), about.title, about.question, about.formula, about.edges, about.reference)


def _fingerprint(story: Story) -> Mapping[str, str]:
    """What the numbers rest on: digests of queries and judgements."""
    first = next(iter(story.members.values()), None)
    return fixed(getattr(first, "fingerprint", {}))
