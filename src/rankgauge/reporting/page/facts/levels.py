"""How good one system is, and which figures it misses."""

from __future__ import annotations

from math import isnan
from typing import Any

from rankgauge._claims import Claim, Statement, claimed, of_system, phrase, together
from rankgauge._numbers import counted, number
from rankgauge._text import Text
from rankgauge.diagnosis.finding import Finding
from rankgauge.diagnosis.rating import Rating
from rankgauge.reporting.classes import weakest_class
from rankgauge.reporting.funnel import headline
from rankgauge.reporting.page.fact import Fact
from rankgauge.reporting.page.story import Story

__all__ = ["levels_of", "minima_of"]

_AND = Text(" ", "")


def levels_of(story: Story) -> list[Fact]:
    """How good the system in question is, and how far that can be trusted."""
    if story.models:
        return _read(story, story.leader)
    if story.classes and story.gate is None:
        return [*_of_one(story), *_weakest(story)]
    return _of_one(story)


def _weakest(story: Story) -> list[Fact]:
    """The class that means over rows hide."""
    said = weakest_class(story.classes[story.leader])
    return (
        [] if said is None else [Fact("level", "weakest-class", phrase("{}: {}", "{}：{}", story.leader, said), "open")]
    )


def _of_one(story: Story) -> list[Fact]:
    """The first measure of a system that is not compared."""
    if story.comparison is not None or story.gate is not None:
        return []
    if not (story.rankings or story.classes):
        return [] if story.funnel is None else [Fact("level", "funnel", headline(story.funnel), "open")]
    ev = story.members[story.leader]
    if isnan(ev[story.measure]):
        return []
    text = _value(story.leader, ev, story.measure)
    rating = next(x.rating for x in story.standings if x.label == story.measure)
    if rating is None or isnan(ev.interval(story.measure).low):  # one value supports no word
        return [Fact("level", "level", text), *_others(story)]
    word = phrase("That is {}.", "水平：{}。", of_system(rating.words, story.leader))
    tone = {"poor": "bad", "fair": "open"}.get(rating.beside_ceiling.name, "same")
    doubt = _in_doubt(story, rating)
    if doubt and tone == "same":
        tone = "open"
    return [Fact("level", "level", together(_AND, [text, word, *doubt]), tone), *_others(story)]


def _in_doubt(story: Story, rating: Rating) -> list[str]:
    """How far the word can be trusted: the bands that the interval reaches, or why that is not known."""
    if rating.reach is None or rating.lowest is None or rating.highest is None:
        return [] if rating.is_settled else [rating.in_doubt]
    told = (
        "But the interval reaches from {} to {}: more queries may change the word.",
        "但区间从“{}”到“{}”：查询更多时评级可能改变。",
    )
    claims = of_system(rating.reach, story.leader).claims
    return [phrase(*told, rating.lowest.title, rating.highest.title, claims=claims)]


def _value(name: str, ev: Any, label: str) -> Statement:
    """`new has nDCG@10 0.41 (between 0.38 and 0.44) over 200 queries.`"""
    low, high = ev.interval(label)
    between: str = ""
    if not isnan(low) and not isnan(high):
        ends = (("low", low), ("high", high))
        between = phrase(
            " (between {} and {})", "（区间 {} … {}）", *(claimed(number(v), what, v, label, name) for what, v in ends)
        )
    value = claimed(number(ev[label]), "mean", ev[label], label, name)
    if ev.kind != "rankings":
        return phrase("{} has {} {}{}.", "{} 的 {} 为 {}{}。", name, label, value, between)
    n = ev.n(label)
    queries = claimed(counted(n, "query", "个查询"), "n", n, label, name)
    told = ("{} has {} {}{} over {}.", "{} 的 {} 为 {}{}，共 {}。")
    return phrase(*told, name, label, value, between, queries)


def _others(story: Story) -> list[Fact]:
    """Several systems that are not compared: the range of their numbers."""
    label = story.measure
    values = {name: ev[label] for name, ev in story.members.items() if label in ev and not isnan(ev[label])}
    if len(values) < 2:
        return []
    ends = [f(values, key=lambda name: values[name]) for f in (min, max)]
    said = [
        phrase("{} ({})", "{}（{}）", claimed(number(values[name]), "mean", values[name], label, name), name)
        for name in ends
    ]
    told = (
        "{} evaluations that are not compared with each other: {} from {} to {}.",
        "{} 次评测，彼此未作比较：{} 从 {} 到 {}。",
    )
    return [Fact("level", "not-compared", phrase(*told, len(story.members), label, *said))]


def _read(story: Story, name: str) -> list[Fact]:
    """Labels and scores: order and probability, where both can be told."""
    assert story.scores is not None
    reading, ev = story.scores.readings.get(name), story.models[name]
    others = _others(story) if story.comparison is None else []
    if reading is not None:
        tone = {"ideal": "good", "rebuild": "bad"}.get(reading.case, "open") if reading.is_clear else "open"
        case = [Claim("case", reading.case, "", name)]
        return [Fact("level", "case", phrase("{}: {}", "{}：{}", name, reading.headline, claims=case), tone), *others]
    if isnan(ev[story.measure]) or story.comparison is not None:
        return others
    return [Fact("level", "level", _value(name, ev, story.measure)), *others]


# figures that are missed

_MINIMA = {"below-production-minimum": "bad", "below-benchmark": "open"}


def minima_of(story: Story) -> list[Fact]:
    """What findings say of figures: the same words, so that they cannot disagree."""
    found = story.findings
    missed: list[Finding] = [] if found is None else [f for f in found.all if f.code in _MINIMA]
    c = story.comparison
    is_alone = found is not None and found.subject == story.leader  # those of several say it themselves
    of_several = is_alone and c is not None and len(c.systems) > 1
    whose = phrase("{}: ", "{}：", story.leader) if of_several else Text("", "")
    return [
        Fact(
            "minimum", f.code, phrase("{}{}: {}", "{}{}：{}", whose, f.title, f.seen, claims=f.claims), _MINIMA[f.code]
        )
        for f in missed
    ]
