"""A number in a word: how good is it as it stands, and beside the best that these judgements allow?

The band is that of the plain value, everywhere. Where no ranking could reach 1 (recall at 5 with nine relevant items)
and the value would be in another band as a share of the ceiling, both are said: "poor (fair beside 0.721, the highest
that can be reached)". A word goes no further than its interval: where that reaches into other bands, they are named,
and where nothing says how far other queries may lie, that is said instead (`doubt`). What no ranking could reach is no
band that an interval reaches, however few the queries are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from rankgauge._claims import Claim, Statement, claimed, phrase
from rankgauge._numbers import number
from rankgauge._text import Text, as_spoken
from rankgauge.diagnosis.standards import Band, Standards, load_standards
from rankgauge.diagnosis.sureness import sure_of
from rankgauge.evaluation.counts import LONGEST
from rankgauge.evaluation.predictions.classes import ClassEvaluation
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.evaluation.rankings.ceiling import ceilings
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.too_long import too_long
from rankgauge.measures.base import REGISTRY
from rankgauge.statistics.intervals import Interval

__all__ = ["DOUBTS", "FULL", "Rating", "rating_of"]

_RELATIVE = "relative"  # the band of measures that mean something beside a base rate only
FULL = 0.9995  # what is printed as 1.000 holds nothing down
_WEAK = ("poor", "fair")

DOUBTS = ("", "interval", "beside", "alike", "one", "unknown")
"""Why other queries may change the word: they hardly will; the interval reaches into another band; it does so beside
the ceiling; all have the same value, which says little about others; there is one; the uncertainty is not known."""

_IN_WORDS = {
    "": Text("", ""),
    "interval": Text(
        "The interval reaches into another band: more queries may change the word.",
        "区间跨越了另一档：查询更多时评级可能改变。",
    ),
    "beside": Text(
        "Beside the highest that can be reached the interval is in more than one band: more queries may change that "
        "word.",
        "对照可达上限，区间不止一档：查询更多时该评级可能改变。",
    ),
    "alike": Text(
        "All queries have the same value, which says little about others: they may change the word.",
        "所有查询的数值都相同，难以推及其他查询：换一批查询，评级可能改变。",
    ),
    "one": Text(
        "It rests on one query, and one query supports no word.",
        "只有一个查询，一个查询不足以支持任何评级。",
    ),
    "unknown": Text(
        "Its uncertainty is not known: other queries may change the word.",
        "不确定性未知：换一批查询，评级可能改变。",
    ),
}


@dataclass(frozen=True)
class Rating:
    """The band of a mean, that of its share of the ceiling, and those that its interval reaches."""

    measure: str
    system: str
    value: float
    band: Band
    """Of the plain value."""
    ceiling: float
    """The highest mean that a ranking of these judgements can have; NaN where that is not known."""
    beside_ceiling: Band
    """Of value / ceiling; where the ceiling is 1 or unknown, of the plain value."""
    lowest: Band | None = None
    """The band in which what may be true begins: the interval, or what values that are all alike leave open."""
    highest: Band | None = None
    """The band in which it ends; None, as the one above, where that is not known."""
    doubt: Annotated[str, DOUBTS] = "unknown"
    """Why other queries may change the word."""
    best: Band | None = None
    """Of the ceiling: the best word that a ranking of these judgements can have; None where the best of all can be."""
    list_end: int | None = None
    """How many results the longest list has, where the measure would read on."""

    @property
    def is_held_down(self) -> bool:
        """Whether the ceiling makes a difference to the word."""
        return self.beside_ceiling.name != self.band.name

    @property
    def leaves_room(self) -> bool:
        """Whether what can be reached is a good deal better."""
        return self.beside_ceiling.name in _WEAK

    @property
    def is_settled(self) -> bool:
        """Whether other queries like these would hardly change the word."""
        return self.doubt == ""

    @property
    def in_doubt(self) -> Text:
        """The doubt in words; nothing where there is none."""
        return _IN_WORDS[self.doubt]

    @property
    def claims(self) -> tuple[Claim, ...]:
        made = [Claim("band", self.band.name, self.measure, self.system)]
        if self.is_held_down:
            made.append(Claim("band beside ceiling", self.beside_ceiling.name, self.measure, self.system))
            made.append(Claim("ceiling", self.ceiling, self.measure, self.system))
        return tuple(made)

    @property
    def beside(self) -> Statement | None:
        """The band of the share of the ceiling, where that makes a difference."""
        if not self.is_held_down:
            return None
        best, beside = number(self.ceiling, 3), self.beside_ceiling.title
        en = f"{beside.en} beside {best}, the highest that can be reached"
        return Statement(en, f"对照可达上限 {best} 为“{beside.zh}”", self.claims[1:])

    @property
    def words(self) -> Statement:
        """The band, and where the ceiling makes a difference also the band beside it."""
        said = Statement(self.band.title.en, self.band.title.zh, self.claims[:1])
        return as_spoken(said if self.beside is None else phrase("{} ({})", "{}（{}）", said, self.beside))

    @property
    def reach(self) -> Statement | None:
        """The bands between which it lies, `fair … good`, where they are two and the interval says so."""
        if self.doubt != "interval" or self.lowest is None or self.highest is None:
            return None
        ends = (("lowest band", self.lowest.name), ("highest band", self.highest.name))
        claims = [Claim(what, name, self.measure, self.system) for what, name in ends]
        return phrase("{} … {}", "{}至{}", self.lowest.title, self.highest.title, claims=claims)

    @property
    def advice(self) -> Statement:
        """What to do: that of the band; where judgements hold the number down, what that means comes first."""
        side = getattr(REGISTRY.get(self.band.measure), "side", "")
        if self.list_end is not None and side == "coverage" and (told := _FETCH_MORE.get(self.band.name)):
            return phrase(*told, claimed(f"{self.list_end:,}", "count", self.list_end, LONGEST, self.system))
        is_hopeless = self.best is not None and self.best.name in _WEAK
        if not self.is_held_down and not is_hopeless:
            return Statement(self.band.advice.en, self.band.advice.zh)
        best = claimed(number(self.ceiling, 3), "ceiling", self.ceiling, self.measure, self.system)
        held = phrase(
            "No list can have more than {} with these judgements: compare with that, or choose another k.",
            "按这些标注，任何列表最高只能达到 {}：请与它对照，或换一个 k。",
            best,
        )
        if not self.leaves_room:
            return held
        if is_hopeless and side == "purity":
            return phrase("{} {}", "{}{}", held, _OF_FEW)
        if not self.is_held_down:
            return phrase("{} {}", "{}{}", held, self.band.advice)
        return phrase("{} Beside it: {}", "{}对照上限来看：{}", held, self.beside_ceiling.advice)


_FETCH_MORE = {
    "poor": (
        "Too much is missed, and no list has more than {}: fetch more results, add a second retriever, or change how "
        "candidates are matched.",
        "漏掉的太多，而列表最多只有 {} 条：取回更多结果，增加一路召回，或改变召回的匹配方式。",
    ),
    "fair": (
        "Usable. No list has more than {}: see which kinds of queries or users miss their items before fetching more.",
        "可以使用。列表最多只有 {} 条：先看哪一类查询（或用户）漏召，再考虑取回更多结果。",
    ),
}
"""What to say of recall instead of a larger k."""
_OF_FEW = Text(
    "With so few relevant items most places hold others in any list: recall at the same k says how often they are "
    "found.",
    "相关条目这么少，任何列表的多数位置都只能是其他结果：请看同一 k 的召回率，它说明找到了多少。",
)
"""What to say of precision instead of advice about places that no list can fill."""


def rating_of(
    ev: RankingEvaluation | PredictionEvaluation | ClassEvaluation,
    measure: str,
    standards: Standards | None = None,
    *,
    value: float | None = None,
    ceiling: float | None = None,
) -> Rating | None:
    """The rating of a mean (or of another value in its place); None where nobody has said what is good.

    >>> from rankgauge import evaluate
    >>> ev = evaluate({"q": {d: 1 for d in "abcdefg"}}, {"q": ["a", "b", "c", "x", "d"]}, "R@5")
    >>> print(rating_of(ev, "R@5").words)
    poor (good beside 0.714, the highest that can be reached)
    """
    if isinstance(ev, ClassEvaluation):  # the bands of its names are those of rankings and of labels and scores
        return None
    if isinstance(ev, RankingEvaluation) and ev.of_users:
        return None  # bands are about results that somebody judged: what users did is a part of what they would like
    if (found := too_long(ev, measure)) is not None and found.is_most:
        return None  # bands presume that a result can answer
    if isinstance(ev, PredictionEvaluation) and "threshold" in ev.column(measure).measure.params:
        return None  # bands of precision and recall are those of what a query retrieves
    figures = load_standards() if standards is None else standards
    x = ev[measure] if value is None else value
    band = figures.band_of(measure, x)
    if band is None or band.name == _RELATIVE:
        return None
    system = ev.model if isinstance(ev, PredictionEvaluation) else ev.run
    if ceiling is None:
        ceiling = ceilings(ev, [ev.column(measure)])[0] if isinstance(ev, RankingEvaluation) else float("nan")
    best = ceiling if 0 < ceiling < FULL else 1.0
    beside = figures.band_of(measure, x / best) or band
    list_end = ev.fetched_before(measure) if isinstance(ev, RankingEvaluation) else None
    top, highest = figures.band_of(measure, best), figures.band_of(measure, 1.0)
    if top is None or highest is None or top.name == highest.name:
        top = None
    if value is not None and value != ev[measure]:  # of other queries than the interval is
        return Rating(measure, system, x, band, ceiling, beside, best=top, list_end=list_end)
    sure = [min(end, best) for end in sure_of(ev, measure)]  # NaN comes first and stays
    low, high = (figures.band_of(measure, end) for end in sure)
    beside_ends = [figures.band_of(measure, end / best) for end in sure] if beside.name != band.name else [band, band]
    doubt = _doubt(ev, measure, (low, high), beside_ends)
    return Rating(measure, system, x, band, ceiling, beside, low, high, doubt, top, list_end)


def _doubt(
    ev: RankingEvaluation | PredictionEvaluation,
    measure: str,
    ends: Sequence[Band | None],
    beside_ends: Sequence[Band | None],
) -> str:
    """Why other queries may change the word."""
    (low, high), (beside_low, beside_high) = ends, beside_ends
    if low is None or high is None or beside_low is None or beside_high is None:
        return "one" if ev.n(measure) == 1 else "unknown"
    if low.name == high.name and beside_low.name == beside_high.name:
        return ""
    shown: Interval = ev.interval(measure)
    if not shown.low < shown.high:
        return "alike"
    return "interval" if low.name != high.name else "beside"
