"""A fixed set of queries, evaluated again and again: is a changed system worse than its baseline?

The error of the queries is the same each time, so that looking again says nothing new: evidence counts once per changed
state. The j-th state since the baseline may spend 6α/(π²j²) of the error of its group, shared by its measures and
slices (Holm), so that all states together, however many there will be, ring falsely with a chance of α at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._text import Text
from rankgauge.comparison.comparable import refuse_incomparable
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.slices import slices_of
from rankgauge.gate.checks import loss_of, part_of
from rankgauge.gate.loss import Loss
from rankgauge.gate.prediction_checks import model_loss
from rankgauge.history.entry import Entry
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
"""Changed states before the newest one that are tested again to tell since when."""
_SHOWN = 3
_ROUNDING = 1e-12
_NONE = Interval(float("nan"), float("nan"))


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
    states: int
    """Changed states since the baseline."""
    level: float
    """What the newest one may spend."""
    since: dict[tuple[str, str, str], Entry]
    """For each number the entry at which its state began."""
    rang: dict[tuple[str, str, str], list[Entry]]
    """The entries at which it became an alert."""
    recovered: frozenset[tuple[str, str, str]] = frozenset()


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
    places = [(s.measure, s.attribute, s.part) for s in series]
    records: dict[str, Any] = {}

    def record(e: Entry) -> Any:
        if e.id not in records:
            records[e.id] = _evaluation(history, e)
        return records[e.id]

    numbers: dict[str, int] = {_state(history, baseline, rule.measures): 0}
    runs: list[tuple[Entry, str]] = []
    """Entries at which the state became another one."""
    last = _state(history, baseline, rule.measures)
    runs.append((baseline, last))
    for e in entries[start + 1 :]:
        now = _state(history, e, rule.measures)
        numbers.setdefault(now, len(numbers))
        if now != last:
            runs.append((e, now))
        last = now
    judged: dict[tuple[str, str], list[Found]] = {}

    def judge(i: int) -> list[Found]:
        e, now = runs[i]
        before = _before(runs, i) if rule.against == "previous" else baseline
        key = (now, before.id)
        if key not in judged:
            j = numbers[now]
            is_line = not isinstance(rule.against, str)
            if e.id == before.id and not is_line:
                judged[key] = [_same(p, e) for p in places]
            else:
                level = spent(alpha, max(j, 1))
                judged[key] = _decided(_tested(rule, e, before, record, places), level)
        return judged[key]

    newest = judge(len(runs) - 1)
    first = max(0, len(runs) - 1 - _BACK)
    states = [{(f.measure, f.attribute, f.part): f.state for f in judge(i)} for i in range(first, len(runs))]
    since, rang, recovered = {}, {}, set()
    for place in places:
        mine = [state.get(place, "") for state in states]
        begun = [i for i in range(len(mine)) if not i or mine[i] != mine[i - 1]]
        since[place] = runs[first + begun[-1]][0]
        rang[place] = [runs[first + i][0] for i in begun if mine[i] == "alert"]
        if mine[-1] == "ok" and begun[-1] and mine[begun[-1] - 1] == "alert":
            recovered.add(place)
    j = numbers[runs[-1][1]]
    before = _before(runs, len(runs) - 1) if rule.against == "previous" else baseline
    return Release(
        entries[-1],
        before if isinstance(rule.against, str) else None,
        newest,
        len(numbers) - 1,
        spent(alpha, max(j, 1)),
        since,
        rang,
        frozenset(recovered),
    )


def _before(runs: Sequence[tuple[Entry, str]], i: int) -> Entry:
    return runs[i - 1][0] if i else runs[0][0]


def _state(history: History, entry: Entry, measures: Sequence[str]) -> str:
    """What stands for the values that are watched: equal values are one state, whenever they were measured.

    Where the values of queries are gone it is made of the numbers that stay.
    """
    parts = [entry.contract and str(sorted(entry.contract.items(), key=str))]
    for measure in measures:
        s = entry.summary(measure)
        if s is None:
            continue
        parts.append("\t".join(map(str, (s.definition, s.value, s.low, s.high, s.n))))
        if not entry.is_pruned and entry.kind == "rankings":
            try:
                parts.append(digest_of(np.asarray(history.values(entry.id, s.measure)).tobytes().hex()))
            except (RankgaugeError, AttributeError):
                continue
    return digest_of(*map(str, parts))


def _evaluation(history: History, entry: Entry) -> Any:
    record: Any = history.record(entry.id)
    return getattr(record, "evaluation", record)


def _same(place: tuple[str, str, str], e: Entry) -> Found:
    s = e.summary(*place)
    value = float("nan") if s is None else s.value
    n = 0 if s is None else s.n
    return Found(*place, value, value, 0.0, Interval(0.0, 0.0), n, 1.0, True, state="ok")


def _tested(
    rule: ReleaseRule, e: Entry, base: Entry, record: Any, places: Sequence[tuple[str, str, str]]
) -> list[Found]:
    if not isinstance(rule.against, str):
        return [_beside_line(rule, e, p) for p in places]
    gone = next((x for x in (base, e) if x.is_pruned), None)
    if gone is not None:
        why = Text(
            f"the values of single queries of {gone.id} were pruned, so that nothing can be paired with it",
            f"{gone.id} 的各查询数值已被清理，无法配对",
        )
        return [_open(p, e, base, why) for p in places]
    try:
        new, old = record(e), record(base)
        if isinstance(new, RankingEvaluation) and isinstance(old, RankingEvaluation):
            labels = [m for m in dict.fromkeys(p[0] for p in places) if m in new and m in old]
            if labels:
                refuse_incomparable({base.id: old, e.id: new}, labels)
    except RankgaugeError as error:
        return [_open(p, e, base, error.text) for p in places]
    return [_paired(rule, e, base, new, old, p) for p in places]


def _paired(rule: ReleaseRule, e: Entry, base: Entry, new: Any, old: Any, place: tuple[str, str, str]) -> Found:
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


def _judged(loss: Loss, place: tuple[str, str, str]) -> Found:
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


def _beside_line(rule: ReleaseRule, e: Entry, place: tuple[str, str, str]) -> Found:
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


def _open(place: tuple[str, str, str], e: Entry, base: Entry, why: str) -> Found:
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
