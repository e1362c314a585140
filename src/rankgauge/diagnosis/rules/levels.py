"""How good is this number: beside what can be reached, beside a standard, and within its uncertainty?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan

from rankgauge._claims import Claim, Statement, phrase, together
from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge.diagnosis.figures import NOTHING, figure
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.standards import Benchmark
from rankgauge.diagnosis.subjects import Ranked

_WEAK = ("poor", "fair")


@rule(
    "weak-measure",
    "ranking",
    en=Texts(
        title="{measure} is {band}",
        seen="{measure} is {value}{between}: {rating} by the bands of {source}.{unsure}{anchors}",
        why="A number means little without what can be reached and what others reach; this one leaves room.",
        check="The queries that do worst, and what a simple baseline reaches: bands differ between tasks.",
        do="{advice}",
    ),
    zh=Texts(
        title="{measure} 处于“{band}”档",
        seen="{measure} 为 {value}{between}：按{source}的分档为{rating}。{unsure}{anchors}",
        why="脱离上限和基线，一个数字说明不了什么；这个数字还有提升空间。",
        check="看表现最差的查询，以及简单基线能达到多少：不同任务的分档不能直接比较。",
        do="{advice}",
    ),
)
def weak_measure(s: Ranked) -> Seen | None:
    found = [x for label in s.ev.labels if (x := _weak(s, label)) is not None]
    return min(found, key=lambda x: (x[1].severity == "note", x[0]))[1] if found else None


def _weak(s: Ranked, label: str) -> tuple[float, Seen, str] | None:
    """How much of what can be reached is reached, what to say about it, and the band beside the ceiling."""
    rating, c = s.rating(label), s.column(label)
    # what the judgements hold down is not weak, and one query is no evidence
    if rating is None or c is None or c.n < 2 or {rating.band.name, rating.beside_ceiling.name} - {*_WEAK}:
        return None
    unsure = phrase(" {}", "{}", rating.in_doubt) if rating.in_doubt else NOTHING
    poor = rating.beside_ceiling.name == "poor" and rating.is_settled
    reached = rating.value / rating.ceiling if rating.ceiling > 0 else rating.value
    numbers = {
        "measure": label,
        "value": s.mean(label),
        "between": s.between(label),
        "rating": rating.words,
        "band": rating.band.title,
        "source": rating.band.source,
        "unsure": unsure,
        "anchors": _anchors(s, label),
        "advice": rating.advice,
    }
    seen = Seen("warning" if poor else "note", numbers, s.worst_queries(label), importance=1 - reached)
    return reached, seen, rating.beside_ceiling.name


def _anchors(s: Ranked, label: str) -> Statement:
    """What known systems reach on public collections like this one: a band without that can mislead."""
    found = [] if s.scenario is None else s.standards.anchors_for(s.scenario, label)
    if not found:
        return NOTHING
    low, high = (figure(Claim("benchmark", f(a.value for a in found), label)) for f in (min, max))
    return phrase(
        " Public systems reach {} … {} on similar collections ({}).",
        "公开系统在类似数据集（{2}）上为 {0} … {1}。",
        low,
        high,
        ", ".join(dict.fromkeys(a.dataset for a in found)),
    )


@dataclass(frozen=True)
class _Below:
    """Figures that are surely not reached, the one furthest off first."""

    said: Statement
    measures: list[str]
    missing: float
    """How much, at most."""
    holds: list[Claim]


def _below(s: Ranked, figures: Iterable[Benchmark]) -> _Below | None:
    """The figures that are surely not reached.

    A figure presumes that everything can be reached. Where these judgements hold the number down, the same share of
    what can be reached is asked for, and said.
    """
    found = []
    for b in figures:
        best = s.ceiling(b.measure)
        asked = b.value if isnan(best) else b.value * min(best, 1.0)
        if not s.surely_below(b.measure, asked) or s.is_beyond_pieces(b.measure):
            continue
        words = "{} {}{} < {}{}"
        numbers = (s.mean(b.measure), s.between(b.measure), _asked(s, b, best, asked), _ends_before(s, b.measure))
        said = phrase(words, words, b.measure, *numbers)
        found.append((asked - s.value(b.measure), b.measure, said, s.claim("below", asked, b.measure)))
    if not found:
        return None
    found.sort(key=lambda x: -x[0])
    said = together(Text("; ", "；"), [x[2] for x in found])
    return _Below(said, [x[1] for x in found], found[0][0], [x[3] for x in found])


def _ends_before(s: Ranked, measure: str) -> Statement:
    """Where all lists end before the measure does: then the depth decides."""
    c = s.column(measure)
    k, longest = None if c is None else c.measure.cutoff, s.longest
    if k is None or not 0 < longest < k:
        return NOTHING
    return phrase(" (its lists end at {})", "（列表止于第 {} 位）", s.figure("count", longest, "longest_list"))


def _asked(s: Ranked, b: Benchmark, best: float, asked: float) -> Statement:
    plain = figure(Claim("benchmark", b.value, b.measure), short, 6)
    if isnan(best) or best >= 0.9995:
        return plain
    return phrase(
        "{} ({} of the {} that can be reached)",
        "{0}（可达上限 {2} 的 {1}）",
        s.figure("share of ceiling", asked, b.measure, against=short(b.value)),
        plain,
        s.figure("ceiling", best, b.measure),
    )


@rule(
    "below-benchmark",
    "ranking",
    en=Texts(
        title="Below what is usual for this scenario",
        seen="{list}.{poor}",
        why="Others reach these figures in the scenario {scenario}; the difference is larger than the uncertainty.",
        check="Whether the data are alike: a benchmark over easier queries is no target.",
        do="Start with {measure}, which is furthest below, and with the queries that do worst in it.",
    ),
    zh=Texts(
        title="低于该场景的常见水平",
        seen="{list}。{poor}",
        why="在“{scenario}”场景中，通常可以达到这些数字；差距已超出不确定性。",
        check="确认数据是否相当：更容易的查询得出的基准不能当目标。",
        do="从差距最大的 {measure} 入手，先看它最差的查询。",
    ),
)
def below_benchmark(s: Ranked) -> Seen | None:
    found = None if s.scenario is None else _below(s, s.scenario.benchmarks)
    if s.scenario is None or found is None:
        return None
    first = found.measures[0]
    numbers = {
        "list": found.said,
        "poor": _poor_as_well(s, found.measures),
        "scenario": s.scenario.name,
        "measure": first,
    }
    return Seen("warning", numbers, s.worst_queries(first), importance=found.missing, holds=found.holds)


def _poor_as_well(s: Ranked, named: Sequence[str]) -> Statement:
    """The other measures that are rated poor: too uncertain to be surely below, and low all the same."""
    poor = [label for label in s.ev.labels if label not in named and (x := _weak(s, label)) and x[2] == "poor"]
    said = [phrase("{} {}{}", "{} {}{}", label, s.mean(label), s.between(label)) for label in poor]
    return (
        phrase(" Rated poor as well: {}.", "同样处于“差”档：{}。", together(Text("; ", "；"), said))
        if said
        else NOTHING
    )


@rule(
    "below-production-minimum",
    "ranking",
    en=Texts(
        title="Below the minimum for production",
        seen="{list}.",
        why="Below these figures people meet failures too often to come back.",
        check="Whether the judged queries resemble live traffic.",
        do="Keep it out of production, or behind a fallback, until the other findings are dealt with.",
    ),
    zh=Texts(
        title="低于生产环境的最低标准",
        seen="{list}。",
        why="低于这些数字，用户会太频繁地遇到失败。",
        check="确认标注的查询与线上流量是否相似。",
        do="在处理完其他发现之前，不要上线，或者保留兜底方案。",
    ),
)
def below_production_minimum(s: Ranked) -> Seen | None:
    # the figures are those of retrieval for question answering; a list of products is not held to them
    if s.scenario is None or not s.scenario.held_to_production:
        return None
    minimum = next(iter(s.standards.production.values()), None)
    found = None if minimum is None else _below(s, minimum.figures)
    if found is None:
        return None
    return Seen("critical", {"list": found.said}, importance=found.missing, holds=found.holds)
