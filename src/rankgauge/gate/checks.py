"""One rule against the numbers: pass, fail, or not settled by these queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, isnan

import numpy as np

from rankgauge._checks import number
from rankgauge._claims import Statement, claimed, phrase
from rankgauge._numbers import apart, count, counted, share, short
from rankgauge._text import Text, zh
from rankgauge._words import as_meant
from rankgauge.alignment import Array
from rankgauge.comparison.depths import DepthGap, cut_alike, depth_gaps, ending_of, shorter_than_stored
from rankgauge.comparison.pairing import Units, paired
from rankgauge.diagnosis.sureness import sure
from rankgauge.errors import InputError
from rankgauge.evaluation.counts import judged_key
from rankgauge.evaluation.rankings.notes import missing_queries
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.gate.check import ROUNDING, About, Check, Outcome, also, asked, in_unit
from rankgauge.gate.loss import Loss
from rankgauge.measures.base import Measure
from rankgauge.statistics.clusters import t_interval_of
from rankgauge.statistics.intervals import Interval, check_alpha
from rankgauge.statistics.paired import paired_t
from rankgauge.statistics.power import needed

__all__ = [
    "RunLoss",
    "at_least",
    "at_most",
    "baseline_name",
    "loss_of",
    "not_worse",
    "part_of",
]

_POWER = 0.8
_WORST = 5
_MANY = 1_000_000


def part_of(ev: RankingEvaluation, queries: Array) -> RankingEvaluation:
    """The same evaluation with only some of its queries counted."""
    return replace(ev, columns=[replace(c, counted=c.counted & queries) for c in ev.columns])


# floors


def at_least(
    ev: RankingEvaluation,
    measure: str,
    limit: float,
    *,
    alpha: float = 0.05,
    certain: bool = False,
    slice: str = "",
) -> Check:
    """Is the number good enough? At least `limit`, or at most where lower is better.

    With `certain` the end of the interval (level 1 - 2·alpha) must reach it too; when only the mean does, the
    answer is inconclusive. An interval without width, of a few equal values, is no evidence (`sure`).

    >>> import rankgauge as rg
    >>> ev = rg.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["c", "b"]}, "RR")
    >>> at_least(ev, "RR", 0.7).outcome
    'pass'
    """
    number("limit", limit)
    check_alpha(alpha)
    c = ev.column(measure)
    sign = c.measure.direction
    value, n = ev[c.label], ev.n(c.label)
    if isnan(value) and n:
        raise InputError(
            Text(
                f"{_named(c.label, slice)}: the mean must be a number, got NaN over {count(n, 'query')}.",
                f"{_named(c.label, slice)}：均值必须是数字，实际 {n:,} 个查询上为 NaN。",
            )
        )
    interval = ev.interval(c.label, 1 - 2 * alpha)
    reached = sign * (value - limit) >= -ROUNDING * max(abs(limit), 1.0)
    reliable = sure(interval, n, 1 - 2 * alpha, c.measure.bounds)
    lower_end = reliable.low if sign > 0 else reliable.high
    is_sure = sign * (lower_end - limit) >= -ROUNDING * max(abs(limit), 1.0)  # never for an undefined interval
    outcome: Outcome = "fail" if not reached else "pass" if is_sure or not certain else "inconclusive"
    if not n:
        outcome = "inconclusive"  # nothing speaks against it, and nothing for it
    symbol = ">=" if sign > 0 else "<="
    about = About(c.label, ev.run, slice=slice)
    mean, line = apart(value, limit)
    figure = in_unit(asked(c.label, limit, line), c.measure.unit)
    word = _summary(c.measure)
    if n:
        said = phrase(
            "{} {}{} of {}, asked {} {}",
            "{3}的{0} {1}{2}，要求 {4} {5}",
            word,
            in_unit(about.said(mean, "mean", value), c.measure.unit),
            about.range(interval, 1 - 2 * alpha),
            about.queries(n),
            symbol,
            figure,
        )
    else:
        said = phrase("{} count for it, asked {} {}", "计入的有 {}，要求 {} {}", about.queries(n), symbol, figure)
    if reached and n and not is_sure:
        said = also(said, _not_sure(word, interval))
    return Check(
        rule="floor",
        title=phrase("{} {} {}", "{} {} {}", c.label, symbol, figure),
        measure=c.label,
        value=value,
        limit=limit,
        outcome=outcome,
        message=said,
        interval=interval,
        n=n,
        slice=slice,
        worst=_lowest(ev.query_ids, c.values * sign, c.counted, sign) if outcome != "pass" and c.is_by_query else (),
        is_certain=is_sure or not reached,
    )


# against the baseline


@dataclass(frozen=True, kw_only=True)
class RunLoss(Loss):
    """The evidence on whether a run is worse than its baseline by more than a margin."""

    units: Units
    """What each query adds to run minus baseline."""
    alike: RunLoss | None = None
    """The same where lists of both are cut at the end of the shorter ones; None where they end alike."""
    gap: DepthGap | None = None
    """Where those end."""
    widest: float
    """How far apart two values of the measure can be."""
    unlike: Statement | None = None
    """Why both cannot be judged alike, where the ranks of a stored baseline are not at hand."""

    @property
    def values(self) -> tuple[float, float]:
        return self.units.baseline, self.units.system

    @property
    def change(self) -> float:
        return self.units.difference

    @property
    def n(self) -> int:
        return self.units.n

    @property
    def interval(self) -> Interval:
        found = t_interval_of(self.change, self.units.error, self.n, 1 - 2 * self.alpha)
        return found if isnan(found.low) else found.clipped(-self.widest, self.widest)

    @property
    def reliable(self) -> Interval:
        if not self.is_steady:
            return self.interval
        return sure(self.interval, self.n, 1 - 2 * self.alpha, (-self.widest, self.widest))

    @property
    def gains(self) -> Array:
        """What each query adds, above 0 where the run is better."""
        return self.sign * self.units.differences

    @property
    def is_settled(self) -> bool:
        return self.is_unchanged

    @property
    def is_steady(self) -> bool:
        """Whether all queries changed by the same: an interval from their spread has no width (`sure`)."""
        return len(self.gains) > 0 and float(np.ptp(self.gains)) <= ROUNDING

    @property
    def is_unchanged(self) -> bool:
        """Whether no query changed at all: so it is for one query as for many."""
        return len(self.gains) > 0 and not self.gains.any()

    @property
    def p_worse(self) -> float:
        """p-value of "worse by more than the margin", by the one-sided t test; NaN for fewer than two queries."""
        if isnan(self.units.error) or self.units.known is not None:
            return float("nan")
        if self.is_steady:  # the level at which `reliable` ends at the margin
            beyond = -self.margin - self.difference
            return float((1 - beyond / (self.widest - self.difference)) ** self.n) if beyond > ROUNDING else 1.0
        return float(paired_t(self.gains + self.margin, alternative="less")[0])

    @property
    def more(self) -> float:
        """How many more queries would probably (4 times in 5) settle a difference like this one; infinite for none."""
        u = self.units
        if u.n < 2 or not u.spread > 0:
            return float("inf")
        return needed(abs(self.difference + self.margin), u.spread, self.alpha, _POWER, margin=0.0) - u.n

    @property
    def is_excused(self) -> bool:
        """Whether nothing is known to be lost where the lists of both end alike, and those of the run end first."""
        if self.unlike is not None:
            return True
        if self.alike is None or self.gap is None or self.gap.shallow != self.names[0]:
            return False
        return self.alike.check().outcome != "fail"

    def _counted(self, about: About) -> Statement:
        return about.queries(self.n)

    def _unknown(self, about: About) -> Statement | None:
        if self.n > 1 or self.is_unchanged:
            return None
        told = ("{} with both values, at least {} needed", "两边都有数值的有 {}，至少需要 {} 个")
        return phrase(*told, about.queries(self.n), asked("queries", 2))

    def _open(self, about: About) -> str:
        why = self.unlike if self.gap is None else ending_of([self.gap])
        if why is not None and self.p_worse < self.alpha and self.is_excused:
            return why
        if isnan(self.units.error):
            return _ONE_QUERY
        return _STEADY if self.is_steady and abs(self.difference + self.margin) > ROUNDING else self._settling(about)

    def _settling(self, about: About) -> str:
        """What it would take."""
        if not isfinite(self.more):
            return _EXACTLY
        if self.more > _MANY:
            return _TOO_MANY
        n = int(max(self.more, 1))
        said = about.said(counted(n, "more query", "个"), "more", n, 1 - 2 * self.alpha)
        return phrase("about {} like these would settle it", "再增加约 {}类似的查询即可判定", said)

    def _worst(self) -> Sequence[tuple[str, float]]:
        changes = self.units.changes
        if changes is None:  # shares of queries in a number of the whole run
            return ()
        gains = self.sign * changes
        return _lowest(self.units.query_ids, gains, gains < 0, self.sign)


def baseline_name(ev: RankingEvaluation, baseline: RankingEvaluation) -> str:
    """What the baseline is called beside the run: files of one name lie in two folders."""
    return baseline.run if baseline.run != ev.run else f"{baseline.run} (baseline)"


def loss_of(
    ev: RankingEvaluation,
    baseline: RankingEvaluation,
    measure: str,
    margin: float,
    *,
    alpha: float = 0.05,
    slice: str = "",
) -> RunLoss:
    """The paired differences of all queries that both evaluations count."""
    number("margin", margin, at_least=0)
    check_alpha(alpha)
    mine = ev.column(measure)
    units = paired(baseline, ev, mine.label)
    if units.n and isnan(units.difference):
        raise InputError(
            Text(
                f"{_named(mine.label, slice)}: the totals must be numbers, got NaN over {count(units.n, 'query')}.",
                f"{_named(mine.label, slice)}：合计必须是数字，实际 {units.n:,} 个查询上为 NaN。",
            )
        )
    names = (ev.run, baseline_name(ev, baseline))
    loss = RunLoss(
        measure=mine.label,
        margin=margin,
        alpha=alpha,
        sign=mine.measure.direction,
        units=units,
        widest=mine.measure.bounds[1] - mine.measure.bounds[0],
        slice=slice,
        names=names,
    )
    both = (names[1], baseline), (names[0], ev)
    gaps = depth_gaps(*both, [mine.label], 1 - 2 * alpha)
    cut = cut_alike(*both, [mine.label]) if gaps else None
    if cut is None:
        return replace(loss, unlike=shorter_than_stored(*both, mine.label))
    return replace(loss, gap=gaps[0], alike=replace(loss, units=paired(cut.baseline, cut.system, mine.label)))


def not_worse(
    ev: RankingEvaluation,
    baseline: RankingEvaluation,
    measure: str,
    margin: float,
    *,
    alpha: float = 0.05,
) -> Check:
    """Is the run at most `margin` worse than the baseline, with confidence 1 - alpha?

    The t interval of the paired difference at level 1 - 2·alpha decides, as one-sided tests at alpha on both sides:
    pass when it lies above -margin, fail when it lies below, else inconclusive. When no query changed, nothing is left
    to chance; when all changed by the same, few of them prove nothing about others (`sure`). Where the lists of the run
    end before those of the baseline and before the measure does, a loss that is gone once both are cut alike is
    inconclusive.

    A release with several such rules needs them all to pass, so its risk of passing wrongly stays at alpha without a
    correction (intersection-union test, Berger 1982).

    >>> import rankgauge as rg
    >>> qrels = {f"q{i}": {"a": 1} for i in range(9)}
    >>> old = rg.evaluate(qrels, {q: ["a", "b"] for q in qrels}, "RR")
    >>> new = rg.evaluate(qrels, {q: ["b", "a"] for q in qrels}, "RR")
    >>> not_worse(new, old, "RR", 0.01).outcome, not_worse(new, new, "RR", 0).outcome
    ('fail', 'pass')
    """
    return loss_of(ev, baseline, measure, margin, alpha=alpha).check()


# ceilings


def at_most(ev: RankingEvaluation, name: str, limit: int | float) -> Check:
    """Is there little enough wrong with the input? A whole number limits the count, another number the share."""
    number("limit", limit, at_least=0)
    c, name = ev.counts, as_meant(name)
    if name.startswith("unjudged"):
        label, value = _unjudged(ev, name)
        told = ("{} of the first results", "占排在前面的结果的 {}")
        said: str = _NO_RESULTS
        if not isnan(value):
            said = phrase(*told, claimed(share(value), "share", value, label, ev.run))
        return _ceiling(name, label, value, float(limit), said, c["queries"])
    if name == "failures":
        return _failures(ev, limit)
    removed = c["duplicates"] if ev.policy.duplicates == "first" else 0
    found, of, all_of = {
        "missing_queries": (c["missing"], c["queries"], "queries"),
        "duplicates": (c["duplicates"], c["results"] + removed, "results_given"),
        "nan_scores": (c["nan_scores"], c["results"], "results"),
    }[name]
    value = found if isinstance(limit, int) else found / of if of else 0.0
    if name == "missing_queries":
        return _ceiling(name, name, value, limit, missing_queries(ev), c["queries"])
    part = claimed(f"{found:,}", "count", found, name, ev.run)
    results = claimed(counted(of, "result", "条结果"), "count", of, all_of, ev.run)
    return _ceiling(name, name, value, limit, phrase("{} of {}", "{1}中有 {0} 条", part, results), c["queries"])


def _failures(ev: RankingEvaluation, limit: int | float) -> Check:
    """Queries that a live retriever did not answer; an error where nothing was asked."""
    asked_of = None if ev.source is None else ev.source.collected
    if asked_of is None:
        raise InputError(
            Text(
                f"ceilings: failures are those of a live retriever, and {ev.run} is a recorded run. Pass `retriever`, "
                "or leave the rule out.",
                f"ceilings：failures 是在线检索器的失败数，而 {ev.run} 是已有的 run。请传入 `retriever`，"
                "或去掉这条规则。",
            )
        )
    failed, of = asked_of.failures, len(asked_of.query_ids)
    value = failed if isinstance(limit, int) else failed / of if of else 0.0
    part = claimed(f"{failed:,}", "count", failed, "failures", ev.run)
    queries = claimed(counted(of, "query", "个查询"), "count", of, "asked", ev.run)
    said = phrase("{} of {} got no answer", "{1}中有 {0} 个没有得到返回", part, queries)
    return _ceiling("failures", "failures", value, limit, said, of)


def _unjudged(ev: RankingEvaluation, name: str) -> tuple[str, float]:
    """The share of the first k results without a judgement, under its name with k; NaN when nothing is shown."""
    _, _, k = name.partition("@")
    if not k:
        judged = judged_key(ev.counts)
        return f"un{judged}", float("nan") if ev.counts[judged] is None else 1 - ev.counts[judged]
    if ev.aligned is None:
        raise InputError(
            Text(
                f"{name}: a stored evaluation has no ranks. Evaluate the run again.",
                f"{zh(name)}：存储的评测没有排名。请重新评测这个 run。",
            )
        )
    a = ev.aligned.alignment
    shown = int(np.minimum(a.retrieved, int(k)).sum())
    found = int((a.places.shown & (a.places.rank <= int(k))).sum())
    return name, 1 - found / shown if shown else float("nan")


_NO_RESULTS = Text("the run has no results for judged queries", "系统对已标注的查询没有任何结果")


def _ceiling(name: str, label: str, value: float, limit: float, said: str, n: int) -> Check:
    figure = asked(label, limit)
    message = phrase("{}, asked <= {}", "{}，要求 <= {}", said, figure)
    title = phrase("{} <= {}", "{} <= {}", label, figure)
    outcome: Outcome = "pass" if value <= limit + ROUNDING else "fail"
    return Check("ceiling", title, name, value, limit, outcome, message, n=n)


# words


def _named(label: str, slice: str) -> str:
    return f"{label} [{slice}]" if slice else label


_EXACTLY = Text(
    "no number of queries settles a difference of exactly the margin",
    "差值恰好等于允许的损失，再多的查询也无法判定",
)
_STEADY = Text(
    "all queries changed by the same, and so few of them prove nothing about others",
    "所有查询的变化都相同，查询太少，不足以推及其他查询",
)
_TOO_MANY = Text(
    "more than a million more queries like these would be needed to settle it",
    "还需要一百万个以上的类似查询才能判定",
)
_ONE_QUERY = Text("one query counts for more than all others together", "一个查询所占的权重超过其余查询之和")
_NO_INTERVAL = "the {} reaches it, but has no interval", "{}达到要求，但没有置信区间"
_NOT_SURE = "the {} reaches it, its interval does not", "{}达到要求，但其置信区间没有达到"
_ALIKE = (
    "the {} reaches it, but all queries have the same value, and so few of them prove nothing about others",
    "{}达到要求，但所有查询的数值都相同，查询太少，不足以推及其他查询",
)
_SUMMARIES = {
    "mean": Text("mean", "均值"),
    "geometric": Text("geometric mean", "几何平均"),
    "sum": Text("sum", "总和"),
}


def _summary(measure: Measure) -> Text:
    """What the number of a run is, of those of its queries."""
    if measure.quantile is not None:
        return Text(f"p{short(100 * measure.quantile)}", f" p{short(100 * measure.quantile)}")
    return _SUMMARIES.get(measure.summary, Text("value", "数值"))


def _not_sure(word: str, interval: Interval) -> Statement:
    """Why a number that is good enough does not make it certain."""
    if isnan(interval.low):
        return phrase(*_NO_INTERVAL, word)
    return phrase(*(_NOT_SURE if interval.low < interval.high else _ALIKE), word)


def _lowest(query_ids: Sequence[str], values: Array, chosen: Array, sign: int) -> list[tuple[str, float]]:
    """The queries with the lowest values, with their sign given back."""
    at = np.flatnonzero(chosen)
    at = at[np.argsort(values[at], kind="stable")][:_WORST]
    return [(query_ids[i], sign * v) for i, v in zip(at.tolist(), values[at].tolist(), strict=True)]
