"""The first screen: the answer, what it rests on, what could undo it, what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

from rankgauge._text import Text, joined
from rankgauge.comparison.contrast import Contrast
from rankgauge.comparison.record import Comparison
from rankgauge.diagnosis.standards import Band, load_standards
from rankgauge.diagnosis.subjects import Ranked
from rankgauge.evaluation.suspicion import errors_of
from rankgauge.reporting.comparison import sentence
from rankgauge.reporting.funnel import headline as funnel_headline
from rankgauge.reporting.grid import number, ranged, share, signed
from rankgauge.reporting.page.facts import Fact, facts_of_models, facts_of_rankings
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.page.words import SIGNS, TONES
from rankgauge.reporting.suspicions import alarm
from rankgauge.reporting.words import VERDICTS

__all__ = ["NAME", "screen"]

NAME = Text("Verdict", "结论")
_MOST_CARDS = 6
_MOST_NEXT = 3
_RELATIVE = "relative"  # the band of measures that mean something beside a base rate only


@dataclass(frozen=True)
class Line:
    """A verdict."""

    tone: str
    text: str
    is_verdict: bool = True
    """Whether it says which of two is better, or only how good one is."""

    @property
    def sign(self) -> str:
        return SIGNS[self.tone] if self.is_verdict else "●"


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


def screen(story: Story) -> dict[str, Any] | None:
    lines = _lines(story)
    if not lines:
        return None
    findings = story.findings
    return {
        "head": lines[0],
        "lines": lines[1:],
        "cards": _cards(story),
        "leader": story.leader if story.rankings or story.models else "",
        "chart": _chart(story),
        "facts": _facts(story),
        "next": [] if findings is None else findings.all[:_MOST_NEXT],
        "findings": [] if findings is None else findings.all,
        "about": "" if findings is None else findings.subject,
    }


def _chart(story: Story) -> Any:
    from rankgauge.reporting.figures.comparison import contrasts
    from rankgauge.reporting.figures.rankings import measures

    if story.comparison is not None:
        return contrasts(story.comparison)
    return measures(story.rankings) if story.rankings else None


# the answer


def _lines(story: Story) -> list[Line]:
    """The answer; what makes it worthless comes before it."""
    accepted = () if story.gate is None else story.gate.accept
    wrong = errors_of((s.of(name) for name, ev in story.rankings.items() for s in ev.suspicions), accepted)
    return [*(Line("bad", alarm(s)) for s in wrong), *_answer(story)]


def _answer(story: Story) -> list[Line]:
    if story.gate is not None:
        tone = {"pass": "good", "fail": "bad"}.get(story.gate.outcome, "open")
        return [Line(tone, story.gate.decision), *_compared(story)]
    return _compared(story)


def _compared(story: Story) -> list[Line]:
    c = story.comparison
    if c is not None:
        found = sorted((c[c.measures[0], s] for s in c.systems), key=lambda x: -_gain(x, c))
        lines = [Line(TONES[x.verdict], sentence(x, c)) for x in found]
        lines = lines if len(lines) == 1 else [_together(found, c), *lines]
        return [*lines, *(_read(story, story.leader) if story.models else ())]
    if story.rankings or story.models:
        return _alone(story)
    if story.funnel is not None:
        return [Line("open", funnel_headline(story.funnel), is_verdict=False)]
    return []


def _gain(x: Contrast, c: Comparison) -> float:
    better = c.evaluations[c.baseline].column(x.measure).measure.higher_is_better
    return -1e9 if isnan(x.difference) else x.difference * (1 if better else -1)


def _together(found: list[Contrast], c: Comparison) -> Line:
    """Several systems in one sentence."""
    by: dict[str, list[Contrast]] = {}
    for x in found:
        by.setdefault(x.verdict, []).append(x)
    measure, n = found[0].measure, found[0].n

    def named(xs: list[Contrast]) -> str:
        return ", ".join(f"{x.system} ({signed(x.difference, 4)})" for x in xs)

    unit_en, unit_zh = ("queries", "个查询") if c.evaluations[c.baseline].kind == "rankings" else ("units", "个单元")
    parts = [
        Text(f"{en}: {named(by[verdict])}.", f"{zh}：{named(by[verdict])}。")
        for verdict, en, zh in (
            ("better", f"Better than {c.baseline}", f"优于 {c.baseline}"),
            ("worse", f"Worse than {c.baseline}", f"劣于 {c.baseline}"),
            ("equivalent", f"Equivalent to {c.baseline}", f"与 {c.baseline} 等价"),
            ("inconclusive", "Not clear", "无法判定"),
        )
        if verdict in by
    ]
    text = joined(Text(" ", ""), [*parts, Text(f"{measure}, {n:,} {unit_en}.", f"{measure}，共 {n:,} {unit_zh}。")])
    verdicts = ("better", "worse", "inconclusive", "equivalent")
    return Line(TONES[next(v for v in verdicts if v in by)], text)


def _alone(story: Story) -> list[Line]:
    """No comparison: how good it is, and how far that can be trusted."""
    name, label = story.leader, story.measure
    if story.models:
        return _read(story, name)
    members: Mapping[str, Any] = story.rankings
    ev = members[name]
    value, (low, high) = ev[label], ev.interval(label)
    band = _band(ev, label)
    known = not isnan(low)
    said = Text("", "") if band is None else Text(f" That is {band.title.en.lower()}.", f"水平：{band.title.zh}。")
    text = Text(
        f"{name} has {label} {number(value)}"
        + (f" (between {number(low)} and {number(high)})" if known else "")
        + f" over {ev.n(label):,} queries.{said}",
        f"{name} 的 {label} 为 {number(value)}"
        + (f"（区间 {number(low)} … {number(high)}）" if known else "")
        + f"，共 {ev.n(label):,} 个查询。{said.zh}",
    )
    tone = {"poor": "bad", "fair": "open"}.get("" if band is None else band.name, "same")
    return [Line(tone, text, is_verdict=False)]


def _read(story: Story, name: str) -> list[Line]:
    """Labels and scores: order and probability, where both can be told."""
    reading = story.reading(name)
    if reading is not None:
        tone = {"ideal": "good", "calibrate": "open", "uninformative": "open", "rebuild": "bad"}[reading.case]
        said = Text(f"{name}: {reading.headline}", f"{name}：{getattr(reading.headline, 'zh', reading.headline)}")
        return [Line(tone, said, is_verdict=False)]
    ev, label = story.models[name], story.measure
    text = Text(f"{name} has {label} {number(ev[label])}.", f"{name} 的 {label} 为 {number(ev[label])}。")
    return [Line("same", text, is_verdict=False)]


def _band(ev: Any, label: str) -> Band | None:
    """What is said of such a value, where someone has said it."""
    standards = load_standards()
    found = Ranked(ev, standards).band(label) if ev.kind == "rankings" else standards.band_of(label, ev[label])
    return None if found is not None and found.name == _RELATIVE else found


# headline measures


def _cards(story: Story) -> list[Card]:
    members: Mapping[str, Any] = story.rankings or story.models
    if not members:
        return []
    c = story.comparison
    ev = members[story.leader]
    labels = ev.labels if c is None else c.measures
    return [_card(story, ev, label) for label in labels if ev[label] == ev[label]][:_MOST_CARDS]


def _card(story: Story, ev: Any, label: str) -> Card:
    c = story.comparison
    low, high = ev.interval(label)
    as_count = ev.column(label).measure.summary == "sum"
    band = _band(ev, label)
    base = difference = kind = verdict = ""
    if c is not None:
        x = c[label, story.leader]
        base = Text(f"{c.baseline} {number(x.mean_baseline)}", f"{c.baseline} {number(x.mean_baseline)}")
        difference = signed(x.difference, 4)
        kind = {"better": "pos", "worse": "neg"}.get(x.verdict, "")
        verdict = VERDICTS[x.verdict]
    interval = ranged(low, high)
    value = number(ev[label], 0 if as_count else 4)
    return Card(label, value, interval, "" if band is None else band.title, base, difference, kind, verdict)


# what could undo it


def _facts(story: Story) -> list[Fact]:
    if story.rankings:
        return facts_of_rankings(story)
    if story.models:
        return facts_of_models(story)
    if story.funnel is not None:
        f = story.funnel
        return [Fact(not f.warnings, w) for w in f.warnings] or [
            Fact(True, Text(f"{f.n_queries:,} queries with relevant items", f"{f.n_queries:,} 个有相关结果的查询")),
            Fact(
                True,
                Text(
                    f"{share(f.fit)} of the relevant items fit into the first {f.k}",
                    f"前 {f.k} 位最多容纳 {share(f.fit)} 的相关结果",
                ),
            ),
        ]
    return []
