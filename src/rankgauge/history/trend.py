"""Numbers over time: each with its interval, what changed since the point before and since the baseline, and breaks.

    found = rg.trend(history, project="shop", measures="nDCG@10")
    found["nDCG@10"].points[-1].since_previous

A number is only held against another where both are about the same thing. Where queries, judgements, policy or the
definition of the measure changed, the line breaks and says why; it is never joined. What is paired is paired over the
queries that both count, and says how many; where they were judged anew, nothing is. Steps are looked for inside each
unbroken part, for drawing only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from rankgauge._checks import whole
from rankgauge._claims import Statement
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.errors import ParameterError, UnknownName, among
from rankgauge.evaluation.record import plain
from rankgauge.history.freshness import Freshness, freshness, queries_of
from rankgauge.history.judging import baselines
from rankgauge.history.moments import last_of, time_text
from rankgauge.history.pairs import Change, Pairs
from rankgauge.history.series import REASONS, Look, Series, evaluations, parted, reasons_between
from rankgauge.history.trend_words import of_series
from rankgauge.measures.grammar import as_list
from rankgauge.statistics.intervals import check_level
from rankgauge.statistics.steps import steps

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.history.entry import Entry
    from rankgauge.history.history import History

__all__ = ["Trend", "TrendChange", "TrendOptions", "TrendPoint", "TrendSeries", "TrendStep", "trend"]

NAN = float("nan")
_FRESH = ("queries", "judgements")
"""What differs from point to point of a stream, and is no break there."""
PAIRED = 100
"""Of so many of the newest points changes are worked out; the values of queries of others are not read."""


def is_reason(found: Sequence[str]) -> bool:
    """Whether these are all reasons for a break."""
    return set(found) <= set(REASONS)


@dataclass(frozen=True, kw_only=True)
class TrendChange:
    """A number minus an earlier one."""

    entry: str
    """The earlier one."""
    change: float
    low: float
    high: float
    n: int
    """Queries that both count, over which it is paired; 0 where there are none, and the means are held together."""


@dataclass(frozen=True, kw_only=True)
class TrendPoint:
    """One number at one time."""

    at: str
    entry: str
    value: float
    low: float = NAN
    high: float = NAN
    error: float = NAN
    n: int = 0
    version: str = ""
    breaks: Annotated[Sequence[str], is_reason] = ()
    """Why it is not the same number as the one before: queries, judgements, policy, definition."""
    since_previous: TrendChange | None = None
    since_baseline: TrendChange | None = None


@dataclass(frozen=True, kw_only=True)
class TrendStep:
    """A step of a series, between two points."""

    place: int
    """The first point on the other side, counted from 0."""
    first: int
    last: int
    """The places that hold it with 95%, if there is a step."""
    before: float
    after: float
    """Levels on both sides: plain means of the points up to the next step or break."""


@dataclass(frozen=True, kw_only=True)
class TrendSeries:
    """One number of one system over time, the oldest first."""

    project: str
    system: str
    dataset: str
    measure: str
    attribute: str = ""
    part: str = ""
    direction: int = 1
    """1 where more is better, -1 where less is, 0 where there is a value to come near to."""
    unit: str = ""
    is_stream: bool = False
    """Whether every point has queries of its own, or those of the point before once more: then other ones are no break,
    and nothing is paired with them."""
    points: Sequence[TrendPoint]
    baseline: str = ""
    """The entry that is the baseline: said, acknowledged or tagged, else the first point; nothing where it lacks the
    number."""
    steps: Sequence[TrendStep] = ()
    sentence: str = ""

    @property
    def slice(self) -> str:
        """attribute=value; nothing for all queries."""
        return f"{self.attribute}={self.part}" if self.attribute else ""

    @property
    def newest(self) -> TrendPoint:
        return self.points[-1]

    @property
    def parts(self) -> list[range]:
        """The places of each unbroken part."""
        starts = [i for i, p in enumerate(self.points) if not i or p.breaks]
        return [range(a, b) for a, b in zip(starts, [*starts[1:], len(self.points)], strict=True)]

    @property
    def base(self) -> TrendPoint | None:
        """The point of the baseline."""
        return next((p for p in self.points if p.entry == self.baseline), None)


@dataclass(frozen=True, eq=False, kw_only=True)
class Trend(Record, kind="trend", schema=1):
    """Numbers over time, made by `rg.trend` or `history.trend`: `found["nDCG@10"]` is the first series of a measure."""

    series: Sequence[TrendSeries]
    project: str = ""
    confidence_level: float = 0.95
    """Of the intervals of changes; those of values are as they were stored."""
    notes: Sequence[str] = ()
    version: str = ""

    def __getitem__(self, measure: str) -> TrendSeries:
        known = [s.measure for s in self.series]
        if measure not in known:
            raise UnknownName(
                Text(f"no series of {show(measure)}.", f"没有 {show(measure)} 的序列。") + among(str(measure), known)
            )
        return self.series[known.index(measure)]

    def __len__(self) -> int:
        return len(self.series)

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per series and point."""
        return [
            {
                **{k: getattr(s, k) for k in ("project", "system", "dataset", "measure", "attribute", "part")},
                **{k: plain(getattr(p, k)) for k in ("at", "entry", "version", "value", "low", "high", "n")},
                "breaks": " ".join(p.breaks),
                **_flat("previous", p.since_previous),
                **_flat("baseline", p.since_baseline),
                "step": any(step.place == i for step in s.steps),
            }
            for s in self.series
            for i, p in enumerate(s.points)
        ]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per series and point."""
        import polars as pl

        return pl.DataFrame(self.csv_rows(), infer_schema_length=None)


def _flat(name: str, c: TrendChange | None) -> dict[str, Any]:
    keys = ("change", "low", "high", "n")
    return {f"{name}_{k}": None if c is None else plain(getattr(c, k)) for k in keys}


class TrendOptions(TypedDict, total=False):
    """The keywords of `trend`, for whoever passes them on."""

    project: str | None
    system: str | Iterable[str] | None
    dataset: str | None
    measures: Any
    slices: str | Iterable[str]
    since: datetime | date | str | None
    until: datetime | date | str | None
    baseline: str | None
    paired: int
    confidence_level: float


def trend(
    history: History,
    *,
    project: str | None = None,
    system: str | Iterable[str] | None = None,
    dataset: str | None = None,
    measures: Any = None,
    slices: str | Iterable[str] = (),
    since: datetime | date | str | None = None,
    until: datetime | date | str | None = None,
    baseline: str | None = None,
    paired: int = PAIRED,
    confidence_level: float = 0.95,
) -> Trend:
    """How have the numbers moved? One series per system, dataset, measure and slice.

    `measures` are all unless named, `slices` the attributes of queries whose slices are followed as well. `baseline` is
    an entry (its id or a tag) that all points are held against: unless said the one that was acknowledged or tagged
    `baseline` last, else the first point. Changes are worked out for the newest points, `paired` of them.
    """
    whole("paired", paired, at_least=0)
    check_level(confidence_level)
    systems = () if system is None else (system,) if isinstance(system, str) else tuple(system)
    wanted = None if measures is None else [str(m) for m in as_list(measures)]
    if wanted is not None and not wanted:
        raise ParameterError(
            Text("trend: name at least one measure, such as nDCG@10.", "trend：请至少给出一个指标，例如 nDCG@10。")
        )
    by = (slices,) if isinstance(slices, str) else tuple(slices)
    entries = _entries(history, project, systems, dataset, since, until)
    given = None if baseline is None else history[baseline]
    pairs = Pairs(history, confidence_level)
    known: dict[str, Any] = {}
    fresh: dict[tuple[str, ...], Freshness] = {}
    out = []
    for s in parted(entries, wanted, by):
        if s.project not in known:
            known[s.project] = baselines(history, s.project, None if until is None else last_of(until))
        chosen = given
        if chosen is None and (s.system, s.dataset) in known[s.project]:
            chosen = known[s.project][s.system, s.dataset][0]
        told = tuple(look.entry.id for look in s.looks)
        if told not in fresh:
            fresh[told] = freshness([look.entry for look in s.looks], paired)
        out.append(_series(s, pairs, chosen, paired, fresh[told]))
    return Trend(
        series=out, project=project or "", confidence_level=confidence_level, notes=_notes(out), version=__version__
    )


def _entries(
    history: History, project: str | None, systems: Sequence[str], dataset: Any, since: Any, until: Any
) -> Any:
    projects = history.projects() if project is None else [project]
    return [
        e
        for name in projects
        for e in evaluations(history, project=name, systems=systems, dataset=dataset, since=since, until=until)
    ]


def _series(s: Series, pairs: Pairs, baseline: Entry | None, paired: int, fresh: Freshness) -> TrendSeries:
    base = _base(s, baseline)
    reasons = [[], *(reasons_between(a, b) for a, b in pairwise(s.looks))]
    is_stream = fresh.is_stream
    first = len(s.looks) - paired
    points = []
    for i, look in enumerate(s.looks):
        before = s.looks[i - 1] if i else None
        is_new = i >= first
        points.append(
            TrendPoint(
                at=time_text(look.at),
                entry=look.entry.id,
                value=look.value,
                low=look.summary.low,
                high=look.summary.high,
                error=look.error,
                n=look.summary.n,
                version=look.entry.version,
                breaks=tuple(r for r in reasons[i] if not (is_stream and i not in fresh.repeats and r in _FRESH)),
                since_previous=_change(pairs, before, look, is_stream) if is_new else None,
                since_baseline=_change(pairs, base, look, is_stream) if is_new and _is_before(base, look) else None,
            )
        )
    definition = s.definition
    made = TrendSeries(
        project=s.project,
        system=s.system,
        dataset=s.dataset,
        measure=s.measure,
        attribute=s.attribute,
        part=s.part,
        direction=s.direction,
        unit="" if definition is None else definition.unit,
        is_stream=is_stream,
        points=points,
        baseline="" if base is None else base.entry.id,
    )
    again = {i for i in fresh.repeats if is_stream or points[i].value == points[i - 1].value}
    are_independent = is_stream or not any(queries_of(x.entry) for x in s.looks)
    found = [step for part in made.parts for step in _steps(points, part, again, are_independent)]
    said: Statement = of_series(s, made, found, fresh)
    return TrendSeries(**{**vars(made), "steps": found, "sentence": said})


def _base(s: Series, baseline: Entry | None) -> Look | None:
    """The look that the others are held against."""
    if baseline is None:
        return s.looks[0]
    found = next((x for x in s.looks if x.entry.id == baseline.id), None)
    if found is None and (summary := baseline.summary(s.measure, s.attribute, s.part)) is not None:
        return Look(baseline, summary)
    return found


def _is_before(base: Look | None, look: Look) -> bool:
    return base is not None and base.at <= look.at


def _change(pairs: Pairs, before: Look | None, after: Look, is_stream: bool) -> TrendChange | None:
    if before is None or before.entry.id == after.entry.id:
        return None
    found: Change | None = pairs.change(before, after, are_independent=is_stream)
    if found is None:
        return None
    return TrendChange(
        entry=before.entry.id, change=found.value, low=found.interval.low, high=found.interval.high, n=found.n
    )


def _steps(points: Sequence[TrendPoint], part: range, again: set[int], are_independent: bool) -> list[TrendStep]:
    """Inside an unbroken part. Errors of the same queries say nothing of how points vary: that is seen in them. Those
    that say `again` what the one before said are left out: equal values would make the others look far apart."""
    some = [points[i] for i in part]
    values = [NAN if i in again else points[i].value for i in part]
    errors = [p.error for p in some]
    is_known = are_independent and all(e > 0 for v, e in zip(values, errors, strict=True) if not isnan(v))
    found = steps(values, errors if is_known else None)
    ends = [0, *(s.place for s in found), len(some)]
    levels = [_mean([p.value for p in some[a:b]]) for a, b in pairwise(ends)]
    return [
        TrendStep(
            place=s.place + part.start,
            first=s.first + part.start,
            last=s.last + part.start,
            before=levels[i],
            after=levels[i + 1],
        )
        for i, s in enumerate(found)
    ]


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if not isnan(v)]
    return sum(known) / len(known) if known else NAN


def _notes(series: Sequence[TrendSeries]) -> list[str]:
    if any(p.breaks for s in series for p in s.points):
        return [
            Text(
                "a break (|) is where queries, judgements, policy or the definition of a measure changed: numbers on "
                "its two sides are not about the same thing",
                "断点（|）处查询、标注、策略或指标定义发生了变化：两侧的数值不是同一回事",
            )
        ]
    return []
