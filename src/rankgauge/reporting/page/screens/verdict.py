"""The first screen: the answer, what it rests on, what could undo it, what to do next.

Everything on it is drawn from the facts of the page (`facts.py`), so that headline, cards and actions agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Any

from rankgauge._claims import Claim
from rankgauge._text import Text, joined
from rankgauge.diagnosis.rating import rating_of
from rankgauge.evaluation.rankings.suspicion import errors_of
from rankgauge.gate.result import GateResult
from rankgauge.reporting.grid import number, ranged, signed
from rankgauge.reporting.page.facts import DOUBTS, conclusions, facts_of
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.words import VERDICTS, phrase

__all__ = ["NAME", "Action", "Card", "screen"]

NAME = Text("Verdict", "结论")
_MOST_CARDS = 6
_MOST_NEXT = 3


@dataclass(frozen=True)
class Card:
    """A headline measure."""

    name: str
    value: str
    interval: str
    band: str
    baseline: str
    difference: str
    kind: str
    verdict: str
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Action:
    """What to do, and because of what."""

    title: str
    do: str


def screen(story: Story) -> dict[str, Any] | None:
    facts = facts_of(story)
    lines = conclusions(facts)
    if not lines:
        return None
    findings = story.findings
    return {
        "head": lines[0],
        "lines": lines[1:],
        "cards": _cards(story),
        "whose": _whose(story),
        "chart": _chart(story),
        "facts": [f for f in facts if f.kind in DOUBTS],
        "next": _actions(story)[:_MOST_NEXT],
        "findings": [] if findings is None else findings.all,
        "about": "" if findings is None else findings.subject,
    }


def _chart(story: Story) -> Any:
    from rankgauge.reporting.figures.comparison import contrasts
    from rankgauge.reporting.figures.rankings import measures

    if story.comparison is not None:
        return contrasts(story.comparison)
    return measures(story.rankings) if story.rankings else None


# headline measures


def _whose(story: Story) -> str:
    """Whose numbers the cards show, and why theirs."""
    if not (story.rankings or story.models):
        return ""
    return phrase("{} in numbers{}", "{} 的主要指标{}", story.leader, story.chosen)


def _cards(story: Story) -> list[Card]:
    members: Mapping[str, Any] = story.rankings or story.models
    if not members:
        return []
    c = story.comparison
    ev = members[story.leader]
    labels = ev.labels if c is None else c.measures
    return [_card(story, ev, label) for label in labels if not isnan(ev[label])][:_MOST_CARDS]


def _card(story: Story, ev: Any, label: str) -> Card:
    """A measure of the leader: beside a baseline over the queries that both count, as the verdict is."""
    c, name = story.comparison, story.leader
    low, high = ev.interval(label)
    as_count = ev.column(label).measure.summary == "sum"
    value, against = ev[label], ""
    if c is not None and not isnan(c[label, name].mean) and c[label, name].mean != value:
        value, against = c[label, name].mean, c.baseline
        low = high = nan  # that of the mean over all queries of its own
    rating = rating_of(ev, label, value=value)
    claims = [Claim("mean", value, label, name, against)]
    claims += [] if rating is None else [replace(x, system=name) for x in rating.claims]
    if not isnan(low):
        claims += [Claim("low", low, label, name), Claim("high", high, label, name)]
    base = difference = kind = verdict = ""
    if c is not None and not isnan(c[label, name].difference):
        x = c[label, name]
        base = f"{c.baseline} {number(x.mean_baseline)}"
        difference = signed(x.difference, 4)
        kind = {"better": "pos", "worse": "neg"}.get(x.verdict, "")
        verdict = VERDICTS[x.word]
        names = (label, name, c.baseline)
        claims += [Claim("difference", x.difference, *names), Claim("verdict", x.word, *names)]
        claims += [Claim("mean", x.mean_baseline, label, c.baseline, name)]
    shown = number(value, 0 if as_count else 4)
    band = "" if rating is None else rating.words
    interval = "" if isnan(low) else f"{ranged(low, high)} ({100 * ev.confidence_level:g}%)"
    return Card(label, shown, interval, band, base, difference, kind, verdict, tuple(claims))


# what to do


def _actions(story: Story) -> list[Action]:
    """What is wrong with the input first, then what the rules of a gate ask for, then what the numbers suggest."""
    wrong = [
        Action(s.statement, s.try_)
        for ev in story.rankings.values()
        for s in errors_of(ev.suspicions, () if story.gate is None else story.gate.accept)
    ]
    findings = [] if story.findings is None else story.findings.all
    found = [Action(f.title, f.do) for f in findings if f.code != "suspicious-input"]
    return [*wrong, *([] if story.gate is None else _of_gate(story.gate)), *found]


def _of_gate(result: GateResult) -> list[Action]:
    out = []
    for check in (*result.of("fail"), *result.of("inconclusive")):
        if not check.worst:
            continue
        queries = joined(Text(", ", "，"), [f"{q} ({number(v)})" for q, v in check.worst])
        told = ("Look at the queries that lost most: {}.", "查看损失最大的查询：{}。")
        if check.rule != "non_inferior":
            told = ("Look at the queries with the lowest values: {}.", "查看数值最低的查询：{}。")
        out.append(Action(check.name, phrase(*told, queries)))
    return out
