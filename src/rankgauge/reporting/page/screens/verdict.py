"""The first screen: the answer, what it rests on, what could undo it, what to do next.

Everything on it is drawn from the facts of the story, so that headline, cards and actions agree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan
from typing import Any

from rankgauge._claims import Claim, claims_of
from rankgauge._numbers import number, percent, ranged, signed
from rankgauge._text import Text, joined
from rankgauge.gate.result import GateResult
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.figures.comparison import contrasts_by_scale
from rankgauge.reporting.figures.rankings import measures
from rankgauge.reporting.page.fact import DOUBTS, conclusions
from rankgauge.reporting.page.story import Standing, Story
from rankgauge.reporting.ratings import PLAIN_VALUE, bands_from
from rankgauge.reporting.words import VERDICTS, in_units, phrase

__all__ = ["NAME", "Action", "Card", "screen"]

NAME = Text("Verdict", "结论")
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
    doubt: str = ""
    """What the band is beside the ceiling, and how far the interval lets it be believed."""
    advice: str = ""


@dataclass(frozen=True)
class Action:
    """What to do, and because of what."""

    title: str
    do: str


def screen(story: Story) -> dict[str, Any] | None:
    lines = conclusions(story.facts)
    if not lines:
        return None
    findings = story.findings
    return {
        "head": lines[0],
        "lines": lines[1:],
        "cards": [_card(story, x) for x in story.standings],
        "whose": _whose(story),
        "bands": _bands(story),
        "charts": _charts(story),
        "facts": [f for f in story.facts if f.kind in DOUBTS],
        "next": _actions(story)[:_MOST_NEXT],
        "findings": [] if findings is None else findings.all,
        "about": "" if findings is None else findings.subject,
        "limits": [] if findings is None else findings.limits,
    }


def _charts(story: Story) -> list[Chart]:
    if story.comparison is not None:
        return contrasts_by_scale(story.comparison)
    return [measures(story.rankings)] if story.rankings else []


# headline measures


def _whose(story: Story) -> str:
    """Whose numbers the cards show, and why theirs."""
    return phrase("{} in numbers{}", "{} 的主要指标{}", story.leader, story.chosen) if story.members else ""


def _card(story: Story, x: Standing) -> Card:
    c, name, label = story.comparison, story.leader, x.label
    claims = [Claim("mean", x.value, label, name, x.against)]
    reach = None if x.rating is None else x.rating.reach
    rated = [] if x.rating is None else [*x.rating.claims, *claims_of(reach), *claims_of(x.rating.advice)]
    claims += [replace(claim, system=name) for claim in rated]
    interval = ""
    if not isnan(x.low):
        interval = f"{ranged(x.low, x.high)} ({percent(story.members[name].confidence_level)})"
        claims += [Claim("low", x.low, label, name), Claim("high", x.high, label, name)]
    base = difference = kind = verdict = ""
    if c is not None and not isnan(c[label, name].difference):
        found = c[label, name]
        base = f"{c.baseline} {number(found.mean_baseline)}"
        difference = signed(found.difference)
        kind = {"better": "pos", "worse": "neg"}.get(found.verdict, "")
        verdict = VERDICTS[found.word]
        names = (label, name, c.baseline)
        claims += [Claim("difference", found.difference, *names), Claim("verdict", found.word, *names)]
        claims += [Claim("mean", found.mean_baseline, label, c.baseline, name)]
    shown = number(x.value, 0 if x.as_count else 4)
    band = "" if x.rating is None else x.rating.band.title
    doubt = "" if x.rating is None or isnan(x.low) else x.rating.in_doubt
    if reach is not None:
        doubt = phrase("interval: {}", "区间：{}", reach)
    if x.rating is not None and x.rating.beside is not None:
        doubt = joined(Text("; ", "；"), [x.rating.beside, *([doubt] if doubt else [])])
    advice = "" if x.rating is None else x.rating.advice
    unit = getattr(story.members[name].column(label).measure, "unit", "")
    title = in_units(label, unit)
    return Card(title, shown, interval, band, base, difference, kind, verdict, tuple(claims), doubt, advice)


def _bands(story: Story) -> str:
    """Where the words on the cards come from, and what they are of."""
    found = bands_from(x.rating for x in story.standings)
    return joined(Text(" ", ""), [*found, PLAIN_VALUE]) if found else ""


# what to do


def _actions(story: Story) -> list[Action]:
    """What is wrong with the input first, then what the rules of a gate ask for, then what the numbers suggest."""
    stopped = {f.code for f in story.facts if f.kind == "stop"}
    wrong = [Action(s.statement, s.try_) for s in story.suspicions if s.severity == "error" and s.code in stopped]
    findings = [] if story.findings is None else story.findings.all
    found = [Action(f.title, f.do) for f in findings if f.code != "suspicious-input"]
    return [*wrong, *([] if story.gate is None else _of_gate(story.gate)), *found]


def _of_gate(result: GateResult) -> list[Action]:
    out: list[Action] = []
    if result.suspicious:
        return out  # no check counts
    for check in (*result.of("fail"), *result.of("inconclusive")):
        if not check.worst:
            continue
        queries = joined(Text(", ", "，"), [f"{q} ({number(v)})" for q, v in check.worst])
        told = ("Look at the queries that lost most: {}.", "查看损失最大的查询：{}。")
        if check.rule != "non_inferior":
            told = ("Look at the queries with the lowest values: {}.", "查看数值最低的查询：{}。")
        out.append(Action(check.name, phrase(*told, queries)))
    return out
