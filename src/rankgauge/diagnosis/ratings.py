"""Every measure of an evaluation in a word, with where the bands come from, what is asked of it, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from os import PathLike
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from rankgauge._claims import Statement, claimed, phrase
from rankgauge._numbers import short
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text, as_spoken, in_words, joined
from rankgauge._version import __version__
from rankgauge.comparison.record import Comparison
from rankgauge.diagnosis.rating import FULL, Rating, rating_of
from rankgauge.diagnosis.standards import Band, Benchmark, Scenario, Standards, load_standards
from rankgauge.diagnosis.sureness import sure_of
from rankgauge.errors import InputError, UnknownName, suggest
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.evaluation.rankings.ceiling import ceilings
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.suspicion import Suspicion, errors_of, refuse_unknown
from rankgauge.evaluation.rankings.too_long import said_of_too_long, too_long
from rankgauge.evaluation.record import Evaluation, Evaluations
from rankgauge.measures.shown.base import ShownMeasure
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ANSWERS", "AskedFigure", "RateOptions", "Rated", "Ratings", "rate"]

ANSWERS = ("reached", "missed", "open", "beyond")
"""What becomes of a figure: the whole interval reaches it; none of it does; these queries do not settle it; no list of
these judgements could reach it."""

_ROUNDING = 1e-12  # a mean of exactly the figure must not miss it for its last digit


@dataclass(frozen=True, kw_only=True)
class AskedFigure:
    """A figure that a number is held to."""

    by: str
    """`benchmark`, or the name of a level of production: `minimum`, `good`, `excellent`."""
    title: str
    figure: float
    source: str
    answer: Annotated[str, ANSWERS]


@dataclass(frozen=True, kw_only=True)
class Rated:
    """One measure of one system: its number, its rating, what is asked of it and what to do."""

    system: str
    measure: str
    value: float
    interval: Interval
    n: int
    """How many queries (or units) the value rests on."""
    ceiling: float
    """The highest value that a list can have with these judgements; NaN where that is not known."""
    rating: Rating | None
    """None where nobody has said what is good, and where there is no value."""
    advice: str
    """One line; empty where there is none to give."""
    asked: Sequence[AskedFigure] = ()
    beyond: Sequence[str] = ()
    """Words of bands that no list can reach with these judgements, the lowest first."""
    unit: str = ""
    """What the value is counted in, such as ms."""
    too_long: bool = False
    """Whether most of what is needed is longer than what it reads, so that it is in no band."""

    @property
    def level(self) -> AskedFigure | None:
        """The highest level of production that is surely reached, with all below it."""
        out = None
        for asked in (a for a in self.asked if a.by != "benchmark"):
            if asked.answer != "reached":
                break
            out = asked
        return out


@dataclass(frozen=True, eq=False, kw_only=True)
class Ratings(Record, kind="ratings", schema=1):
    """Numbers in words: `found["nDCG@10"].rating.band.name`, with the advice that belongs to it.

    `rg.rate(ev)` and `ev.ratings()` make them. The rating is that of the plain value; `rating.beside_ceiling` is that
    of its share of the highest value that these judgements allow.
    """

    rows: Sequence[Rated]
    """Measure after measure, system after system."""
    data: str
    """What the numbers are of: the name of the judgements or of the rows."""
    scenario: str = ""
    scenario_title: str = ""
    not_evaluated: Sequence[str] = ()
    """Measures that the scenario also looks at."""
    confidence_level: float = 0.95
    suspicions: Sequence[Suspicion] = ()
    """Errors of the input: a system with one is not rated."""
    notes: Sequence[str] = ()
    """Why numbers are not held to figures that are known."""
    of_users: bool = False
    """Whether the judgements are what users did, for which no band holds."""
    version: str = ""

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(row.system for row in self.rows))

    def __iter__(self) -> Iterator[Rated]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: str | tuple[str, str]) -> Rated:
        """The row of a measure; `found["nDCG@10", "bm25"]` where there are several systems."""
        measure, system = key if isinstance(key, tuple) else (key, self.systems[0] if self.rows else "")
        for row in self.rows:
            if (row.measure, row.system) == (measure, system):
                return row
        there = list(dict.fromkeys(row.measure for row in self.rows))
        raise UnknownName(
            Text(
                f"no rating of {show(measure)} of {show(system)}.{suggest(str(measure), there)} "
                f"There are: {', '.join(there)} of {', '.join(self.systems)}.",
                f"没有 {show(system)} 的 {show(measure)} 的评级。"
                f"已有：{', '.join(self.systems)} 的 {', '.join(there)}。",
            )
        )

    def part(self, system: str) -> Ratings:
        """The rows of one system."""
        return replace(self, rows=tuple(row for row in self.rows if row.system == system))

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per system and measure."""
        out: list[dict[str, Any]] = []
        for row in self.rows:
            r = row.rating
            out.append(
                {
                    "run": row.system,
                    "measure": row.measure,
                    "value": row.value,
                    "low": row.interval.low,
                    "high": row.interval.high,
                    "n": row.n,
                    "rating": None if r is None else r.band.title,
                    "rating_low": None if r is None or r.lowest is None else r.lowest.title,
                    "rating_high": None if r is None or r.highest is None else r.highest.title,
                    "doubt": None if r is None else r.doubt,
                    "ceiling": row.ceiling,
                    "rating_beside_ceiling": None if r is None else r.beside_ceiling.title,
                    "source": None if r is None else r.band.source,
                    "advice": row.advice,
                    **{a.by: a.figure for a in row.asked},
                    **{f"{a.by}_answer": a.answer for a in row.asked},
                }
            )
        return out

    def to_frame(self) -> pl.DataFrame:
        """One row per system and measure."""
        import polars as pl

        return pl.DataFrame(in_words(self.csv_rows()), infer_schema_length=None)


class RateOptions(TypedDict, total=False):
    """The keywords of `rate` but for the scenario, for whoever passes them on."""

    standards: Standards | str | PathLike[str] | None
    accept: Iterable[str]


def rate(
    subject: Any,
    *,
    scenario: str | None = None,
    standards: Standards | str | PathLike[str] | None = None,
    accept: Iterable[str] = (),
) -> Ratings:
    """How good is each number, in a word, and what should be done about it?

    `subject` is an evaluation, several, or a comparison. `scenario` (see `rankgauge scenarios`) brings benchmarks and
    advice, `standards` a TOML file that replaces shipped figures. The rating of a number is the band of its plain
    value; what it is worth beside the highest value that these judgements allow is said where that is another band.
    A system whose input is suspicious is not rated, unless `accept` names the suspicion.

    >>> import rankgauge as rg
    >>> qrels = {f"q{i}": {"a": 1, "b": 1} for i in range(30)}
    >>> run = {q: ["a", "b", "x"] if int(q[1:]) % 3 else ["x", "y", "a"] for q in qrels}
    >>> found = rate(rg.evaluate(qrels, run, ["R@3", "RR"]))
    >>> found["R@3"].rating.band.name, found["RR"].rating.band.name, found["RR"].rating.doubt
    ('good', 'good', 'interval')
    """
    refuse_unknown(accept := frozenset(accept))
    figures = standards if isinstance(standards, Standards) else load_standards(standards)
    chosen = None if scenario is None else figures.scenario(scenario)
    members = _members(subject)
    first = next(iter(members.values()))
    if chosen is not None and chosen.of_users:  # where only positives are there, they are what users did
        members = {
            name: replace(ev, of_users=bool(ev.has_only_positives)) if isinstance(ev, RankingEvaluation) else ev
            for name, ev in members.items()
        }
        first = next(iter(members.values()))
    wrong = {name: errors_of(getattr(ev, "suspicions", ()), accept) for name, ev in members.items()}
    rows = [row for name, ev in members.items() for row in _rows(name, ev, figures, chosen, is_rated=not wrong[name])]
    known = {str(m) for m in first.measures} | set(first.labels)
    return Ratings(
        rows=tuple(rows),
        data=first.qrels if isinstance(first, RankingEvaluation) else first._about[0],
        scenario="" if chosen is None else chosen.name,
        scenario_title="" if chosen is None else chosen.title,
        not_evaluated=() if chosen is None else tuple(m for m in chosen.measures if m not in known),
        confidence_level=first.confidence_level,
        suspicions=tuple(s.of(name) for name, found in wrong.items() for s in found),
        notes=(*_other_levels(first, figures, chosen), *_of_users(first, figures), *_too_long(members)),
        of_users=getattr(first, "of_users", False),
        version=__version__,
    )


def _of_users(ev: Any, figures: Standards) -> tuple[Text, ...]:
    """Why numbers of what users did are in no band."""
    if not getattr(ev, "of_users", False) or not any(figures.bands_of(c.measure) for c in ev.columns):
        return ()
    return (_WHAT_USERS_DID,)


_WHAT_USERS_DID = Text(
    "Not rated: the judgements are what users did, and bands are about results that somebody judged. Beside the most "
    "popular items (rankgauge baseline) such a number says something.",
    "不评级：这里的标注是用户行为，而分档针对的是人工标注的结果。与最热门的物品（rankgauge baseline）对比，"
    "这类数字才有意义。",
)


def _too_long(members: Mapping[str, Any]) -> list[Statement]:
    """Why numbers are in no band where what is needed is longer than what is read."""
    by: dict[Text, list[str]] = {}
    for name, ev in members.items():
        if (said := said_of_too_long(ev)) is not None:
            by.setdefault(said, []).append(name)
    several = len(members) > 1
    told = ("Not rated{}: {}.", "不评级{}：{}。")
    whose = Text(", ", "、")
    return [
        phrase(*told, phrase(" for {}", "（{}）", joined(whose, names)) if several else Text("", ""), said)
        for said, names in by.items()
    ]


def _other_levels(ev: Any, figures: Standards, scenario: Scenario | None) -> tuple[Statement, ...]:
    """Measures of another level of relevance than figures are about: those of grades from 1 on."""
    by: dict[float, list[str]] = {}
    for c in ev.columns if isinstance(ev, RankingEvaluation) else ():
        rel = getattr(c.measure, "rel", None) if c.measure.has_level else None
        if rel not in (None, 1) and _held_to(c.measure.replace(rel=1), figures, scenario):
            by.setdefault(rel, []).append(c.label)
    told = (
        "Not held to figures: {}. Those are about grades from 1 on, and here {} and above is relevant.",
        "{} 不对照标准：标准中等级 1 及以上为相关，而这里 {} 及以上才算相关。",
    )
    return tuple(
        phrase(*told, joined(Text(", ", "、"), labels), claimed(short(rel), "benchmark", rel, "rel"))
        for rel, labels in by.items()
    )


def _members(subject: Any) -> Mapping[str, Any]:
    if isinstance(subject, (RankingEvaluation, PredictionEvaluation)):
        return {subject._system: subject}
    if isinstance(subject, Evaluations) and subject:
        return subject
    if isinstance(subject, Comparison):
        return subject.evaluations
    raise InputError(
        Text(
            f"rate() needs an evaluation, several, or a comparison, got {type(subject).__name__}.",
            f"rate() 需要一个或多个评测结果，或一个比较，实际为 {type(subject).__name__}。",
        )
    )


def _rows(name: str, ev: Evaluation, figures: Standards, scenario: Scenario | None, *, is_rated: bool) -> list[Rated]:
    best = ceilings(ev, ev.columns) if isinstance(ev, RankingEvaluation) else [float("nan")] * len(ev.columns)
    return [
        _row(name, ev, c.label, ceiling, figures, scenario, is_rated)
        for c, ceiling in zip(ev.columns, best, strict=True)
        if c.measure.summary not in ("sum", "none")  # counts and texts
    ]


def _row(
    name: str, ev: Any, label: str, ceiling: float, figures: Standards, scenario: Scenario | None, is_rated: bool
) -> Rated:
    definition = ev.column(label).measure
    rating = rating_of(ev, label, figures, ceiling=ceiling) if is_rated else None
    if rating is not None:
        rating = replace(rating, system=name)
    is_too_long = (found := too_long(ev, label)) is not None and found.is_most
    is_held = is_rated and not is_too_long and not isnan(ev[label])
    asked = _asked(ev, label, definition, ceiling, figures, scenario) if is_held else ()
    is_of_users = getattr(ev, "of_users", False)
    bands = figures.bands_of(definition) if is_rated and not is_of_users and not is_too_long else ()
    advice = _advice(ev[label], rating, definition, asked, bands, scenario, is_of_users)
    return Rated(
        system=name,
        measure=label,
        value=ev[label],
        interval=ev.interval(label),
        n=ev.n(label),
        ceiling=ceiling,
        rating=rating,
        advice="" if not is_rated else as_spoken(_BESIDE_PARTS if is_too_long else advice),
        asked=asked,
        unit=definition.unit,
        too_long=is_too_long,
        beyond=tuple(b.title for b in bands if 0 < ceiling < FULL and b.low is not None and _is_beyond(b, ceiling)),
    )


def _is_beyond(band: Any, ceiling: float) -> bool:
    return ceiling < band.low - _ROUNDING or (not band.includes_low and ceiling <= band.low + _ROUNDING)


def _advice(
    value: float,
    rating: Rating | None,
    definition: Any,
    asked: Sequence[AskedFigure],
    bands: Sequence[Band],
    scenario: Scenario | None,
    is_of_users: bool,
) -> str:
    """That of the rating, and where it leaves room what the scenario says of the measure.

    Of measures without a rating what the scenario says of them, or what becomes of its benchmark.
    """
    if isnan(value):
        return ""
    told = None if scenario is None else scenario.advice_for(definition)
    if rating is not None:
        return phrase("{} {}", "{}{}", rating.advice, told.text) if told and rating.leaves_room else rating.advice
    band = next((b for b in bands if b.contains(value)), None)  # one that is no rating, such as that of LogLoss
    if band is not None:
        return band.advice
    if told is not None:
        return told.text
    benchmark = next((a for a in asked if a.by == "benchmark"), None)
    if benchmark is None:
        return _BESIDE_POPULAR if is_of_users and not isinstance(definition, ShownMeasure) else _COMPARE
    figure = claimed(short(benchmark.figure), "benchmark", benchmark.figure, str(definition))
    return phrase(*_BESIDE_BENCHMARK[benchmark.answer], figure)


_COMPARE = Text(
    "Nobody has said what is good here: compare it with your baseline.", "没有公认的好坏标准：请与自己的基线比较。"
)
_BESIDE_PARTS = Text(
    "Most of what is needed is longer than what it reads: look at SpanRecall, or retrieve longer pieces.",
    "大多数信息点比它所读的内容还长：请看 SpanRecall，或检索更长的文本块。",
)
_BESIDE_POPULAR = Text(
    "Compare it with what the most popular items reach for the same users.", "请与最热门的物品对同样用户的结果比较。"
)
_BESIDE_BENCHMARK = {
    "reached": (
        "Reaches what is usual here, {}. Look at single slices of queries next.",
        "达到该场景的常见水平 {}。接下来按切片看查询。",
    ),
    "missed": (
        "Below what is usual here, {}: see what the queries that do worst have in common.",
        "低于该场景的常见水平 {}：看看表现最差的查询有什么共同点。",
    ),
    "open": (
        "What is usual here is {}, and these queries do not settle whether it is reached: judge more of them.",
        "该场景的常见水平为 {}，这些查询还不足以判定是否达到：请标注更多查询。",
    ),
    "beyond": (
        "What is usual here, {}, is out of reach with these judgements: judge more items, or choose another k.",
        "按这些标注无法达到该场景的常见水平 {}：请标注更多条目，或换一个 k。",
    ),
}


def _asked(
    ev: Any, label: str, definition: Any, ceiling: float, figures: Standards, scenario: Scenario | None
) -> tuple[AskedFigure, ...]:
    """The benchmark of the scenario, and the levels of production where they are about systems like these."""
    low, high = sure_of(ev, label)
    return tuple(
        AskedFigure(
            by=by,
            title=title,
            figure=b.value,
            source=b.source,
            answer=_answer(definition, b.value, low, high, ceiling),
        )
        for by, title, b in _held_to(definition, figures, scenario)
    )


def _held_to(definition: Any, figures: Standards, scenario: Scenario | None) -> list[tuple[str, str, Benchmark]]:
    """Who asks for how much of exactly this measure."""
    found: list[tuple[str, str, Benchmark]] = []
    if scenario is not None:
        found += [("benchmark", scenario.title, b) for b in figures.benchmarks_for(scenario, definition)]
    if scenario is None or scenario.held_to_production:
        found += [(level.name, level.title, b) for level, b in figures.levels_for(definition)]
    return found


def _answer(definition: Any, figure: float, low: float, high: float, ceiling: float) -> str:
    if ceiling < figure - _ROUNDING:
        return "beyond"
    worst, best = (low, high) if definition.direction > 0 else (-high, -low)
    asked = definition.direction * figure
    return "reached" if worst >= asked - _ROUNDING else "missed" if best < asked - _ROUNDING else "open"
