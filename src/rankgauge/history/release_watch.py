"""A fixed set of queries, evaluated again and again: is a changed system worse than its baseline?

The error of the queries is the same each time, so that looking again says nothing new: evidence counts once per changed
state, and a state is what its values are, whenever they were measured. What a test may spend is fixed before the later
of its two states is seen. The j-th state since the baseline brings 6α/(π²j²) with it, for its group of measures and
slices (Holm), so that all states together, however many there will be, ring falsely with a chance of α at most:

    beside the baseline   all of it; beside a line as well, where the state of the baseline is one that is tested
    beside the previous   half of it for the state that it follows when it comes, the other half in equal shares for
                          the 2j - 1 other ways in which it and the j states before it can follow each other later
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._text import Text, composed
from rankgauge.comparison.comparable import refuse_incomparable
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.slices import slices_of
from rankgauge.gate.checks import loss_of, part_of
from rankgauge.gate.loss import Loss
from rankgauge.gate.prediction_checks import model_loss
from rankgauge.history.entry import Entry
from rankgauge.history.moments import moment
from rankgauge.history.packing import digest_of
from rankgauge.history.rules import ReleaseRule
from rankgauge.history.series import Series, definition_of
from rankgauge.statistics.clusters import t_interval_of, two_sided
from rankgauge.statistics.corrections import corrected
from rankgauge.statistics.detectors import spent
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    from rankgauge.history.history import History

__all__ = ["Found", "Release", "released"]

_BACK = 30
"""Changes of state before the newest one that are looked at again to tell since when."""
_SHOWN = 3
_ROUNDING = 1e-12
_NONE = Interval(float("nan"), float("nan"))
Place = tuple[str, str, str]
"""Measure, attribute and part."""


@dataclass(frozen=True)
class Found:
    """What a test of one number of one changed state found."""

    measure: str
    attribute: str
    part: str
    value: float = float("nan")
    baseline: float = float("nan")
    change: float = float("nan")
    interval: Interval = _NONE
    """Of the change, with confidence 95%."""
    n: int = 0
    p: float = float("nan")
    """Of being no worse than the margin allows, one-sided; after correction once a state has been judged."""
    settled: bool | None = None
    """Whether it is surely not worse by more than the margin; None: not settled."""
    queries: Sequence[tuple[str, float]] = ()
    why: str = ""
    """Why nothing can be said, where that is so."""
    state: str = ""


@dataclass(frozen=True)
class Release:
    """A system on a dataset under one rule: its newest state, number by number."""

    entry: Entry
    against: Entry | None
    found: Sequence[Found]
    level: float
    """What the newest test may spend."""
    since: Mapping[Place, Entry | None]
    """For each number the entry at which its state began; None where that was before all that is looked at."""
    rang: Mapping[Place, Sequence[Entry]]
    """The entries at which it became an alert, as far as is looked back."""
    recovered: frozenset[Place] = frozenset()


class _States:
    """The states that a system went through since its baseline, and what each test of them may spend."""

    def __init__(self, history: History, entries: Sequence[Entry], measures: Sequence[str]) -> None:
        told = _told(history, entries, measures)
        self._numbers: dict[str, int] = {}
        """Of each state, in the order in which they came; 0 is that of the baseline."""
        self._followed: dict[int, int] = {}
        """For each state the one that it followed when it came."""
        self.runs: list[tuple[Entry, int]] = []
        """Entries at which the state became another one, and that state."""
        self._shown: dict[int, Entry] = {}
        """For each state an evaluation of it, the first that has values of queries."""
        for e, state in zip(entries, told, strict=True):
            now = self._numbers.setdefault(state, len(self._numbers))
            if not self.runs or self.runs[-1][1] != now:
                if self.runs:
                    self._followed.setdefault(now, self.runs[-1][1])
                self.runs.append((e, now))
            if now not in self._shown or (self._shown[now].is_pruned and not e.is_pruned):
                self._shown[now] = e

    def shown(self, state: int) -> Entry:
        return self._shown[state]

    def before(self, rule: ReleaseRule, i: int) -> int:
        """The state that the i-th run is held against."""
        return self.runs[i - 1][1] if rule.against == "previous" and i else 0

    def level(self, rule: ReleaseRule, alpha: float, before: int, now: int) -> float:
        """What the test of a state beside another one may spend."""
        if rule.against != "previous":
            return spent(alpha, now + 1 if _is_line(rule) else max(now, 1))
        j = max(before, now, 1)
        half = spent(alpha, j) / 2
        return half if now == j and self._followed.get(now) == before else half / (2 * j - 1)


def released(
    history: History,
    rule: ReleaseRule,
    entries: Sequence[Entry],
    series: Sequence[Series],
    baseline: Entry,
    alpha: float,
) -> Release:
    """Looks at the entries of one system on one dataset since its baseline; `alpha` is what they may all spend."""
    start = next(i for i, e in enumerate(entries) if e.id == baseline.id)
    places: list[Place] = [(s.measure, s.attribute, s.part) for s in series]
    states = _States(history, entries[start:], rule.measures)
    record = cache(lambda e: _evaluation(history, e))

    @cache
    def tested(before: int, now: int) -> list[Found]:
        e = states.shown(now)
        if before == now and not _is_line(rule):
            return [_same(p, e) for p in places]
        found = _tested(rule, e, states.shown(before), record, places)
        return _decided(found, states.level(rule, alpha, before, now))

    last = len(states.runs) - 1
    first = max(0, last - _BACK)
    judged = [tested(states.before(rule, i), states.runs[i][1]) for i in range(first, last + 1)]
    said = [{(f.measure, f.attribute, f.part): f.state for f in some} for some in judged]
    since, rang, recovered = {}, {}, set()
    for place in places:
        mine = [state.get(place, "") for state in said]
        begun = [i for i in range(len(mine)) if not i or mine[i] != mine[i - 1]]
        since[place] = states.runs[first + begun[-1]][0] if begun[-1] or not first else None
        rang[place] = [states.runs[first + i][0] for i in begun if mine[i] == "alert" and (i or not first)]
        if mine[-1] == "ok" and begun[-1] and mine[begun[-1] - 1] == "alert":
            recovered.add(place)
    before, now = states.before(rule, last), states.runs[last][1]
    return Release(
        entries[-1],
        None if _is_line(rule) else states.shown(before),
        judged[-1],
        states.level(rule, alpha, before, now),
        since,
        rang,
        frozenset(recovered),
    )


def _is_line(rule: ReleaseRule) -> bool:
    return not isinstance(rule.against, str)


def _told(history: History, entries: Sequence[Entry], measures: Sequence[str]) -> list[str]:
    """What stands for the values of each entry that are watched: equal values are one state, whenever they were
    measured.

    Numbers that stay stand for those whose values of queries are gone, and for all that have the same numbers.
    """
    numbers = [_numbers_of(e, measures) for e in entries]
    gone = {told for e, told in zip(entries, numbers, strict=True) if e.is_pruned}
    return [
        told if told in gone or e.kind != "rankings" else digest_of(told, *_values_of(history, e, measures))
        for e, told in zip(entries, numbers, strict=True)
    ]


def _numbers_of(entry: Entry, measures: Sequence[str]) -> str:
    found = [s for m in measures if (s := entry.summary(m)) is not None]
    told = ["\t".join(map(str, (s.definition, s.value, s.low, s.high, s.n))) for s in found]
    return digest_of(str(sorted(entry.contract.items(), key=str)), *told)


def _values_of(history: History, entry: Entry, measures: Sequence[str]) -> Iterator[str]:
    for s in (entry.summary(m) for m in measures):
        if s is not None:
            try:
                yield digest_of(np.asarray(history.values(entry.id, s.measure)).tobytes().hex())
            except RankgaugeError:  # a measure that is no mean of values of queries
                continue


def _evaluation(history: History, entry: Entry) -> Any:
    record: Any = history.record(entry.id)
    return getattr(record, "evaluation", record)


def _same(place: Place, e: Entry) -> Found:
    s = e.summary(*place)
    value = float("nan") if s is None else s.value
    n = 0 if s is None else s.n
    return Found(*place, value, value, 0.0, Interval(0.0, 0.0), n, 1.0, True, state="ok")


def _tested(
    rule: ReleaseRule, e: Entry, base: Entry, record: Callable[[Entry], Any], places: Sequence[Place]
) -> list[Found]:
    if _is_line(rule):
        return [_beside_line(rule, e, p) for p in places]
    gone = next((x for x in (base, e) if x.is_pruned), None)
    if gone is not None:
        why = Text(
            f"the values of single queries of {gone.id} were pruned, so that nothing can be paired with it",
            f"{gone.id} 的各查询数值已被清理，无法配对",
        )
        return [_open(p, e, base, _blind(why, rule, e)) for p in places]
    try:
        new, old = record(e), record(base)
        if isinstance(new, RankingEvaluation) and isinstance(old, RankingEvaluation):
            labels = [m for m in dict.fromkeys(p[0] for p in places) if m in new and m in old]
            if labels:
                names = [moment(x.at) for x in (base, e)]
                a, b = names if names[0] != names[1] else (base.id, e.id)
                refuse_incomparable({a: old, b: new}, labels)
    except RankgaugeError as error:
        return [_open(p, e, base, _blind(error.text, rule, e)) for p in places]
    return [_paired(rule, e, base, new, old, p) for p in places]


def _blind(why: str, rule: ReleaseRule, e: Entry) -> str:
    """With the way out: a baseline stays what it is until somebody accepts another one."""
    if rule.against == "previous":
        return why
    return composed(
        "{} Nothing is watched until there is another baseline: {}",
        "{}在换用新的基线之前不再监控：{}",
        why if why.endswith((".", "。")) else composed("{}.", "{}。", why),
        f"`rankgauge history acknowledge {e.id} --reason …`",
    )


def _paired(rule: ReleaseRule, e: Entry, base: Entry, new: Any, old: Any, place: Place) -> Found:
    measure, attribute, part = place
    s = e.summary(*place)
    definition = None if s is None else definition_of(s.definition, e.kind)
    if definition is not None and not definition.direction:
        why = Text(
            "it has an ideal value, and neither more nor less is better: watch it as a stream or beside a line",
            "它有理想值，并非越大或越小越好：请用 stream 规则或固定线监控",
        )
        return _open(place, e, base, why)
    try:
        if isinstance(new, RankingEvaluation):
            a, b = (_part(x, attribute, part) for x in (old, new))
            found: Loss = loss_of(b, a, measure, rule.margin, slice=f"{attribute}={part}" if attribute else "")
        elif attribute:
            return _open(place, e, base, Text("slices of rows cannot be paired once stored", "已保存的行切片无法配对"))
        else:
            found = model_loss(new, old, measure, rule.margin)
        return _judged(found, place)
    except (RankgaugeError, KeyError) as error:
        return _open(place, e, base, getattr(error, "text", str(error)))


def _judged(loss: Loss, place: Place) -> Found:
    before, after = loss.values
    two = replace(loss, alpha=0.025)
    low = loss.reliable.low if loss.sign > 0 else -loss.reliable.high
    is_fine = loss.is_settled and loss.difference >= -loss.margin - _ROUNDING
    p = 1.0 if loss.is_settled and is_fine else loss.p_worse
    return Found(
        *place,
        after,
        before,
        loss.change,
        two.interval,
        loss.n,
        1.0 if loss.is_excused and not isnan(p) else p,
        True if is_fine or low > -loss.margin else None,
        tuple(loss._worst())[:_SHOWN],
    )


def _part(ev: RankingEvaluation, attribute: str, part: str) -> RankingEvaluation:
    if not attribute:
        return ev
    for name, mask in slices_of(ev.attributes[attribute]):
        if name == part:
            return part_of(ev, mask)
    return part_of(ev, np.zeros(len(ev.query_ids), dtype=bool))


def _beside_line(rule: ReleaseRule, e: Entry, place: Place) -> Found:
    s = e.summary(*place)
    line = float(rule.against)
    if s is None or isnan(s.value):
        return Found(*place, why=Text("it has no value", "没有数值"))
    definition = definition_of(s.definition, e.kind)
    sign = 1 if definition is None else definition.direction or 1
    change = s.value - line
    lost = -sign * change - rule.margin
    p = two_sided(lost, s.error, s.n) / 2
    p = p if isnan(p) or lost > 0 else 1 - p
    interval = t_interval_of(change, s.error, s.n, 0.95)
    if definition is not None and not isnan(interval.low):
        interval = interval.clipped(*(end - line for end in definition.bounds))
    low = t_interval_of(sign * change, s.error, s.n, 0.9).low
    return Found(*place, s.value, line, change, interval, s.n, p, True if low >= -rule.margin else None)


def _open(place: Place, e: Entry, base: Entry, why: str) -> Found:
    a, b = base.summary(*place), e.summary(*place)
    before = float("nan") if a is None else a.value
    after = float("nan") if b is None else b.value
    return Found(*place, after, before, after - before, n=0 if b is None else b.n, why=why)


def _decided(found: Sequence[Found], level: float) -> list[Found]:
    """With p-values corrected together, and the state that follows."""
    known = [f.p for f in found if not isnan(f.p)]
    fixed = iter(corrected(known, "holm")) if known else iter(())
    out = []
    for f in found:
        p = float(next(fixed)) if not isnan(f.p) else f.p
        state = "alert" if p <= level else "ok" if f.settled else "inconclusive"
        out.append(replace(f, p=p, state=state))
    return out
