"""Does a model still do what it did? A measure over days, and the first day that is surely off.

Each period is held against a target: the ideal value of a measure that has one (COPC: 1), a number that was given, or
the value of the first periods (the reference), whose own noise counts, and with it what returning users do to both.

    a period is *surely off* when its interval, at a level corrected for all looks, leaves out the target ± tolerance
    looks="once"   α / K for each of the K periods and measures (Bonferroni): where nothing is off, the chance that
                   anything is called so is at most α
    looks="daily"  α / (M t (t + 1)) for the t-th period after the reference and each of M measures; these add up to
                   α over all days to come. What was said of a day never changes when the next one arrives, and whoever
                   looks every day is wrong once with a chance of at most α, however long he looks (α-spending)

Intervals are those of influence values summed by unit, with Student's t; of a ratio with an ideal value on the scale
of its logarithm. Periods with fewer than `fewest` positives, negatives or units are shown and not judged: with 50 the
chance of a false alarm was 3 to 6% in simulations of ten days of returning users at α = 5%, with 20 up to 7%.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, isnan, log, nan
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from rankgauge._checks import is_number, number, one_of, whole
from rankgauge._numbers import number as written
from rankgauge._numbers import percent, ranged, short
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text, joined, zh
from rankgauge._version import __version__
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.comparison.parts import EVERY, FEWEST, Part, is_enough, joint_error, periods, placed, rough, weighed
from rankgauge.errors import InputError, ParameterError, UnknownName, among
from rankgauge.evaluation.predictions.asking import OfPredictions
from rankgauge.evaluation.predictions.record import Estimate, estimate
from rankgauge.evaluation.predictions.splits import InputOptions, one_model
from rankgauge.evaluation.record import plain
from rankgauge.measures.grammar import as_list, parse_prediction
from rankgauge.measures.predictions.base import PredictionMeasure
from rankgauge.statistics.clusters import t_interval_of, two_sided
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Drift", "DriftPoint", "DriftSeries", "drift"]

DEFAULT = ("COPC", "AUC", "LogLoss")
_LOOKS = {
    "once": Text("all periods are looked at together", "一次看完所有时段"),
    "daily": Text("each period is looked at when it arrives", "每个时段到来时就看"),
}
_AGAINST = {
    "auto": Text(
        "the ideal value where there is one, else the first periods", "有理想值时与理想值比，否则与最初时段比"
    ),
    "reference": Text("the first periods", "与最初的时段比"),
}
_OFF = ("worse", "off")
_ROUNDING = 1e-12


@dataclass(frozen=True)
class DriftPoint:
    """One measure in one period."""

    period: str
    rows: int
    positives: float
    units: int
    value: float
    low: float
    high: float
    """The interval that decides, around the value: of its distance from the target, at the corrected level."""
    p_corrected: float
    """Of being no farther off than the tolerance, times the number of looks; NaN where it is not judged."""
    word: str
    """reference, few, same (not surely different), better, worse, or off (of a measure with an ideal value)."""

    @property
    def is_off(self) -> bool:
        return self.word in _OFF


@dataclass(frozen=True)
class DriftSeries:
    """One measure over all periods."""

    measure: str
    target: float
    """What each period is held against."""
    against: str
    """ideal, given or reference."""
    tolerance: float
    points: tuple[DriftPoint, ...]
    sentence: str = ""
    """What it comes to."""

    @property
    def first_off(self) -> DriftPoint | None:
        """The first period that is surely off; None where none is."""
        return next((p for p in self.points if p.is_off), None)


@dataclass(frozen=True, eq=False, kw_only=True)
class Drift(Record, kind="drift", schema=1):
    """Measures of one model over periods: `found["COPC"].first_off` is the first period that is surely off."""

    series: tuple[DriftSeries, ...]
    model: str
    data: str
    every: str
    reference: int
    """How many of the first periods are the reference; 0 where no measure needs one."""
    alpha: float
    looks: str
    tests: int
    """Periods times measures that were judged."""
    fewest: int
    notes: tuple[str, ...] = ()
    version: str = ""

    @property
    def verdict(self) -> str:
        """What all measures come to."""
        return joined(" ", [s.sentence for s in self.series])

    def __getitem__(self, measure: str) -> DriftSeries:
        for s in self.series:
            if s.measure == measure or parse_prediction(s.measure) == parse_prediction(measure):
                return s
        known = [s.measure for s in self.series]
        raise UnknownName(Text(f"no measure {show(measure)}.", f"没有指标 {show(measure)}。") + among(measure, known))

    @property
    def periods(self) -> list[str]:
        """Their names, the first one first."""
        return [p.period for p in self.series[0].points]

    @property
    def is_off(self) -> bool:
        """Whether any period is surely off in any measure."""
        return any(s.first_off is not None for s in self.series)

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per measure and period."""
        return [
            {
                "measure": s.measure,
                **{k: plain(v) for k, v in vars(p).items()},
                "target": plain(s.target),
                "against": s.against,
                "tolerance": s.tolerance,
            }
            for s in self.series
            for p in s.points
        ]

    def to_frame(self) -> pl.DataFrame:
        """One row per measure and period."""
        import polars as pl

        return pl.DataFrame(self.csv_rows(), infer_schema_length=None)


def drift(
    predictions: Any,
    measures: OfPredictions | Sequence[OfPredictions] | None = None,
    *,
    every: str = "day",
    against: str = "auto",
    reference: int | Mapping[str, float] | None = None,
    tolerance: Mapping[str, float] | None = None,
    looks: str = "once",
    alpha: float = 0.05,
    fewest: int = FEWEST,
    model: str | None = None,
    **reading: Unpack[InputOptions],
) -> Drift:
    """Which measures of a model change over days, and which day is the first that is surely off?

    COPC is held against 1, AUC and LogLoss against the first quarter of the periods; `reference=3` takes the first
    three (one unless said with `looks="daily"`), `reference={"AUC": 0.78}` is a number that is known otherwise,
    `against="reference"` holds COPC against the first periods as well. `tolerance={"AUC": 0.005, "COPC": 0.05}` is how
    far off does not matter: with many rows the smallest change is sure. `looks="daily"` is for those who look again
    every day. Surely means: where nothing is off, the chance that any period of any measure is called so is at most
    `alpha`.

    `predictions` is whatever `evaluate_predictions` takes, or an evaluation with its rows; the other keywords are its.

    >>> rows = {"label": [0, 1] * 400, "score": [0.5] * 400 + [0.8] * 400,
    ...         "time": ["2024-05-01"] * 400 + ["2024-05-02"] * 400}
    >>> drift(rows, "COPC")["COPC"].first_off.period
    '2024-05-02'
    """
    one_of("every", every, EVERY)
    one_of("looks", looks, _LOOKS)
    one_of("against", against, _AGAINST)
    number("alpha", alpha, above=0, below=0.5)
    whole("fewest", fewest, at_least=2)
    one = one_model(predictions, model, reading, "drift")
    wanted = _wanted(measures, one.sample)
    given = _by_measure("reference", reference, wanted) if isinstance(reference, Mapping) else {}
    allowed = _by_measure("tolerance", tolerance, wanted)
    for label, far in allowed.items():
        if far < 0:
            raise ParameterError(
                Text(
                    f"`tolerance` of {label} must be 0 or more, got {show(far)}.",
                    f"{label} 的 `tolerance` 必须大于等于 0，实际为 {show(far)}。",
                )
            )
    parts = periods(one.rows, every)
    first = _reference(
        reference, parts, looks, [m for label, m in wanted if _kind(label, m, against, given) == "reference"]
    )
    enough = [is_enough(one.sample.rows(p.rows), fewest) for p in parts]
    plan = _Plan(one.sample, parts, enough, first, alpha, looks, len(wanted), fewest)
    kinds = [(label, m, _kind(label, m, against, given)) for label, m in wanted]
    plan.tests = sum(plan.judged(kind) for _, _, kind in kinds)
    made = [plan.series(label, m, kind, given.get(label), allowed.get(label, 0.0)) for label, m, kind in kinds]
    series = tuple(replace(s, sentence=_said(s, every, first)) for s in made)
    return Drift(
        series=series,
        model=one.model,
        data=one.rows.name,
        every=every,
        reference=first,
        alpha=alpha,
        looks=looks,
        tests=plan.tests,
        fewest=fewest,
        notes=(*one.rows.notes, *_notes(plan, series, every)),
        version=__version__,
    )


# what is asked


def _wanted(measures: Any, s: Sample) -> list[tuple[str, PredictionMeasure]]:
    asked = as_list(measures) if measures is not None else [*DEFAULT] if s.scale != "score" else ["AUC"]
    out = []
    for text in asked:
        m = parse_prediction(text)
        e = estimate(str(text), m, s)
        if e.reason:
            raise InputError(Text(f"drift: {text} {e.reason}", f"drift：{text} {zh(e.reason)}"))
        if e.clusters is None:
            raise ParameterError(
                Text(
                    f"drift: {text} has no standard error of its own, so nothing about it is sure. Leave it out.",
                    f"drift：{text} 没有自己的标准误，无法判断是否确定。请去掉。",
                )
            )
        out.append((str(text), m))
    return out


def _by_measure(name: str, given: Any, wanted: Sequence[tuple[str, PredictionMeasure]]) -> dict[str, float]:
    """Numbers by measure, under the labels of those that are asked for."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ParameterError(
            Text(
                f'`{name}` must map measures to numbers, such as {{"AUC": 0.005}}, got {show(given)}.',
                f'`{name}` 必须按指标给出数值，例如 {{"AUC": 0.005}}，实际为 {show(given)}。',
            )
        )
    out = {}
    for text, value in given.items():
        label = next((label for label, m in wanted if m == parse_prediction(text)), None)
        if label is None or not is_number(value):
            known = ", ".join(label for label, _ in wanted)
            raise ParameterError(
                Text(
                    f"`{name}` must have a number for one of {known}, got {show(text)}: {show(value)}.",
                    f"`{name}` 必须为 {known} 之一给出数值，实际为 {show(text)}：{show(value)}。",
                )
            )
        out[label] = float(value)
    return out


def _kind(label: str, m: PredictionMeasure, against: str, given: Mapping[str, float]) -> str:
    if label in given:
        return "given"
    return "ideal" if m.ideal is not None and against == "auto" else "reference"


def _reference(reference: Any, parts: Sequence[Part], looks: str, needing: Sequence[PredictionMeasure]) -> int:
    """How many of the first periods are the reference; who looks daily keeps to the same ones."""
    if not needing:
        return 0
    if isinstance(reference, Mapping) or reference is None:
        n = max(1, len(parts) // 4) if looks == "once" else 1
    else:
        n = whole("reference", reference)
    if len(parts) <= n:
        raise InputError(
            Text(
                f"drift: at least {n + 1} periods are needed, {n} of them as the reference, got {len(parts)}. "
                "Pass a smaller reference=, a shorter every=, or a number to hold against.",
                f"drift：至少需要 {n + 1} 个时段，其中 {n} 个作为参照，实际为 {len(parts)} 个。"
                "请减小 reference=，用更短的 every=，或给出要对照的数值。",
            )
        )
    return n


# judging


@dataclass
class _Plan:
    """What every series shares: rows, periods, which of them are judged and at which level."""

    sample: Sample
    parts: Sequence[Part]
    enough: Sequence[bool]
    first: int
    alpha: float
    looks: str
    n_measures: int
    fewest: int
    tests: int = 0

    def is_reference(self, i: int, kind: str) -> bool:
        return kind == "reference" and i < self.first

    def judged(self, kind: str) -> int:
        return sum(ok and not self.is_reference(i, kind) for i, ok in enumerate(self.enough))

    def level(self, i: int, kind: str) -> float:
        """The chance of a false alarm that this period of a measure may have."""
        if self.looks == "once":
            return self.alpha / max(self.tests, 1)
        t = i + 1 - (self.first if kind == "reference" else 0)
        return self.alpha / (self.n_measures * t * (t + 1))

    def series(self, label: str, m: PredictionMeasure, kind: str, given: float | None, tolerance: float) -> DriftSeries:
        base: tuple[Estimate, Array] | None = None
        target = given if given is not None else m.ideal if kind == "ideal" else nan
        if kind == "reference":
            rows = np.sort(np.concatenate([p.rows for p in self.parts[: self.first]]))
            part = self.sample.rows(rows)
            e = estimate(label, m, part)
            influence = placed(e, self.sample, rows)
            if not is_enough(part, self.fewest) or influence is None or isnan(e.value):
                weights = weighed(part)
                raise InputError(
                    Text(
                        f"drift: the reference must have {self.fewest} positives, negatives and units at least: its "
                        f"{len(rows):,} rows have not{weights.en}. Pass a larger reference=, or a number to hold "
                        "against.",
                        f"drift：参照至少要有 {self.fewest} 个正样本、负样本和单元，"
                        f"它的 {len(rows):,} 行不够{weights.zh}。请增大 reference=，或给出要对照的数值。",
                    )
                )
            base, target = (e, influence), e.value
        assert target is not None
        points = tuple(self.point(i, label, m, kind, base, float(target), tolerance) for i in range(len(self.parts)))
        return DriftSeries(label, float(target), kind, tolerance, points)

    def point(
        self,
        i: int,
        label: str,
        m: PredictionMeasure,
        kind: str,
        base: tuple[Estimate, Array] | None,
        target: float,
        tolerance: float,
    ) -> DriftPoint:
        part = self.parts[i]
        e = estimate(label, m, self.sample.rows(part.rows))
        about = (part.value, len(part.rows), e.sample.n_positives if e.sample else nan, e.n, e.value)
        if self.is_reference(i, kind):
            return DriftPoint(*about, nan, nan, nan, "reference")
        influence = placed(e, self.sample, part.rows)
        if not self.enough[i] or influence is None or isnan(e.value):
            return DriftPoint(*about, nan, nan, nan, "few")
        alpha, n, error = self.level(i, kind), e.left, e.error
        if base is not None:
            n = min(n, base[0].left)
            error = joint_error(influence, base[1], None if self.sample.weight is None else n)
        is_there = abs(e.value - target) <= tolerance + _ROUNDING * max(1.0, abs(target))
        if is_there and error <= _ROUNDING:  # no spread to learn from, and the last digits of sums are no change
            return DriftPoint(*about, nan, nan, nan, "same")
        on_logs = m.ideal is not None and e.value > 0 and target - tolerance > 0
        interval = _interval(e.value, error, n, 1 - alpha, on_logs)
        p = _p_beyond(e.value, target, tolerance, error, n, on_logs)
        is_off = interval.low > target + tolerance or interval.high < target - tolerance
        word = "same"
        if is_off:
            word = "off" if m.direction == 0 else "better" if m.is_better(e.value, target) else "worse"
        return DriftPoint(*about, *interval, min(1.0, p * self.alpha / alpha), word)


def _interval(value: float, error: float, n: float, level: float, on_logs: bool) -> Interval:
    if not on_logs:
        return t_interval_of(value, error, n, level)
    low, high = t_interval_of(log(value), error / value, n, level)
    return Interval(exp(low), exp(high))


def _p_beyond(value: float, target: float, tolerance: float, error: float, n: float, on_logs: bool) -> float:
    """p-value of being no farther from the target than the tolerance, two-sided."""
    edge = target + tolerance if value > target else target - tolerance
    if abs(value - target) <= tolerance:
        return 1.0
    return two_sided(log(value / edge), error / value, n) if on_logs else two_sided(value - edge, error, n)


# words


def _said(s: DriftSeries, every: str, first: int) -> Text:
    unit, p = EVERY[every], s.first_off
    held = _target(s, every, first)
    judged = [x for x in s.points if x.word not in ("reference", "few")]
    if not judged:
        return Text(
            f"{s.measure}: no {unit.en} has enough rows to be judged.", f"{s.measure}：没有任何时段的数据足以检验。"
        )
    way = Text("away from", "偏离") if parse_prediction(s.measure).direction == 0 else Text("worse than", "差于")
    if p is None:
        return Text(
            f"{s.measure}: no {unit.en} is surely {way.en} {held.en}.",
            f"{s.measure}：没有任何时段确定{way.zh}{held.zh.rstrip()}。",
        )
    n_off = sum(x.is_off for x in judged)
    value = written(p.value)
    between = "" if p.low == p.high else ranged(p.low, p.high)  # every unit says the same, as of one score for all
    figures = Text(f"{value}, {between}", f"{value}（{between}）") if between else Text(value, value)
    return Text(
        f"{s.measure}: {p.period} is the first {unit.en} surely {way.en} {held.en}: {figures.en}; "
        f"{n_off:,} of {len(judged):,} are.",
        f"{s.measure}：{p.period} 是第一个确定{way.zh}{held.zh}的时段：{figures.zh}；"
        f"检验的 {len(judged):,} 个时段中有 {n_off:,} 个如此。",
    )


def _target(s: DriftSeries, every: str, first: int) -> Text:
    """What a measure is held against."""
    if s.against != "reference":
        return Text(short(s.target), f" {short(s.target)} ")
    unit = EVERY[every]
    span = f"the first {unit.en}" if first == 1 else f"the first {first:,} {unit.en}s"
    return Text(f"{span} ({written(s.target)})", f"最初 {first:,} 个时段（{written(s.target)}）")


def _notes(plan: _Plan, series: Sequence[DriftSeries], every: str) -> list[str]:
    level = percent(plan.alpha)
    forever = plan.looks == "daily"
    out: list[str] = [
        Text(
            f"surely: where nothing is off, the chance that any {EVERY[every].en} of any of these measures is "
            f"called off is at most {level}"
            + (", however long you look" if forever else f" ({plan.tests:,} looks, Bonferroni)"),
            f"“确定”的含义：如果没有任何偏离，这些指标中任何一个时段被误报的概率不超过 {level}"
            + ("，无论持续观察多久" if forever else f"（共 {plan.tests:,} 次检验，Bonferroni 校正）"),
        )
    ]
    few, weights = sum(not ok for ok in plan.enough), weighed(plan.sample)
    if few:
        out.append(
            Text(
                f"{few:,} of {len(plan.parts):,} periods {'has' if few == 1 else 'have'} fewer than {plan.fewest} "
                f"positives, negatives or units{weights.en}: shown, not judged",
                f"{len(plan.parts):,} 个时段中有 {few:,} 个的正样本、负样本或单元不足 {plan.fewest} 个{weights.zh}："
                "只展示，不判断",
            )
        )
    if plan.fewest < FEWEST:
        out.append(rough(plan.fewest))
    if not plan.sample.has_groups:
        out.append(
            Text(
                "no group was named: rows count as independent, which makes false alarms likelier where users return",
                "未指定分组列：把每行视为独立，用户多次出现时更容易误报",
            )
        )
    out += [
        Text(
            f"{s.measure}: within {short(s.tolerance)} of the target does not matter",
            f"{s.measure}：与目标相差不超过 {short(s.tolerance)} 不算偏离",
        )
        for s in series
        if s.tolerance
    ]
    return out
