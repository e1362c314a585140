"""How everything that is watched stands, as sections."""

from __future__ import annotations

from math import isnan

from rankgauge._claims import phrase
from rankgauge._numbers import counted, percent, short, signed
from rankgauge._text import Text, joined
from rankgauge.history.alerts import STATES, Alert, Alerts
from rankgauge.history.moments import moment, time_of
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged
from rankgauge.reporting.words import SLICE, VALUE

__all__ = ["sections_of_alerts"]

_TONES = {"pass": "good", "fail": "bad", "broken": "bad", "inconclusive": "open"}
_DATASET = Text("dataset", "数据集")
_SAID = ("alert", "no_data", "watch", "inconclusive", "recovered", "unknown")
CHECKS = {
    "missing_queries": Text("missing queries", "缺失的查询"),
    "failures": Text("failures", "失败率"),
    "judged": Text("judged results", "已标注的结果"),
    "unchanged": Text("same queries, judgements, policy", "查询、标注、策略不变"),
    "stale": Text("age in days", "天数"),
}
"""What a rule of health looks at."""


def sections_of_alerts(found: Alerts, digits: int = 4) -> list[Section]:
    """The decision, a row per number that is watched, and a sentence on each that is not simply fine."""
    if not found.items:
        return [Section(found.decision, notes=list(found.notes))]
    order = list(STATES)
    items = sorted(found.items, key=lambda a: order.index(a.state))
    return [
        Section(
            title=found.decision,
            tone=_TONES[found.outcome],
            grid=_grid(items, digits),
            warnings=[_sentence(a, digits) for a in items if a.state in _SAID[:3]],
            notes=[*(_sentence(a, digits) for a in items if a.state in _SAID[3:]), *_promise(found), *found.notes],
        )
    ]


def _grid(items: list[Alert], digits: int) -> Grid:
    header = [
        *(Text("state", "状态"), Text("system", "系统"), _DATASET, Text("watched", "监控项"), SLICE),
        *(Text("since", "起始"), VALUE, Text("baseline", "基线"), Text("change", "变化")),
        Text("95% interval", "95% 置信区间"),
    ]
    rows = [_row(a, digits) for a in items]
    left_out = set()
    if len({a.dataset for a in items if a.dataset}) < 2:
        left_out.add(2)
    if not any(a.slice for a in items):
        left_out.add(4)
    kept = [i for i in range(len(header)) if i not in left_out]
    n = 6 - len(left_out)
    shown = [[row[i] for i in kept] for row in rows]
    return Grid([header[i] for i in kept], shown, frozenset(range(n)), spare=(n + 3, n - 1))


def _row(a: Alert, digits: int) -> list[Cell]:
    is_bad = a.state in ("alert", "no_data")
    since = moment(time_of(a.since)) if a.since else ""
    baseline = a.limit if a.kind == "health" else a.baseline
    return [
        Cell(STATES[a.state], strong=a.state != "ok", tone="bad" if is_bad else ""),
        Cell(a.system),
        Cell(a.dataset),
        Cell(CHECKS.get(a.measure, a.measure) if a.kind == "health" else a.measure),
        Cell(a.slice),
        Cell(since, quiet=True),
        Cell(_shown(a, a.value, digits)),
        Cell(_shown(a, baseline, digits), quiet=True),
        Cell("" if isnan(a.change) else signed(a.change, digits), tone="bad" if is_bad else ""),
        Cell(ranged(a.low, a.high, digits, sign=True), quiet=True),
    ]


def _shown(a: Alert, x: float, digits: int) -> str:
    """Facts are counted, everything else is measured."""
    if isnan(x):
        return ""
    return short(x, digits) if a.kind == "health" else number(x, digits)


def _sentence(a: Alert, digits: int) -> Text:
    moved = [f"{q} {signed(change, digits)}" for q, change in a.queries]
    more = phrase(". Moved most: {}", "。变化最大：{}", joined(Text(", ", "，"), moved)) if moved else ""
    return phrase("{}: {}{}", "{}：{}{}", STATES[a.state], a.sentence, more)


def _promise(found: Alerts) -> list[Text]:
    out: list[Text] = []
    if found.streams:
        told = (
            "{} watched as streams: together no more than one false alarm in {} on average",
            "以 stream 规则监控 {}：合起来平均每 {} 至多一次误报",
        )
        looks = counted(found.looks, "look", "次查看")
        out.append(phrase(*told, counted(found.streams, "number", "个数值"), looks))
    if any(a.kind == "release" for a in found.items):
        told = (
            "releases: a chance of {} at most of any false alarm since the baselines, shared by all changed states",
            "release 规则：自基线以来出现任何误报的概率至多 {}，由所有变化过的状态分担",
        )
        out.append(phrase(*told, percent(found.alpha)))
    return out
