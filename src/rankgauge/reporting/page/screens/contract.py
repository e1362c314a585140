"""What exactly was computed: definitions, policies, counts, fingerprints, versions, the command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from platform import python_version
from typing import Any

import numpy

from rankgauge._numbers import grouped, percent
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.measures.explanation import explain
from rankgauge.reporting.comparison import method
from rankgauge.reporting.grid import Cell, Grid, number
from rankgauge.reporting.page.story import Story

__all__ = ["NAME", "screen"]

NAME = Text("Contract", "口径")

_COUNTS = {
    "queries": Text("judged queries", "有标注的查询"),
    "evaluated": Text("evaluated", "计入"),
    "missing": Text("not in the run", "结果中缺失"),
    "empty_lists": Text("empty lists", "空列表"),
    "without_relevant": Text("without a relevant item", "没有相关结果"),
    "not_judged": Text("queries without judgements, ignored", "无标注的查询（忽略）"),
    "results": Text("results", "结果条数"),
    "judgements": Text("judgements", "标注条数"),
    "relevant": Text("of them relevant", "其中相关"),
    "tied_queries": Text("queries where ties matter", "受并列影响的查询"),
    "duplicates": Text("repeated results", "重复结果"),
    "duplicate_queries": Text("queries with repeated results", "有重复结果的查询"),
    "nan_scores": Text("scores that are no numbers", "非数字得分"),
    "rows": Text("rows", "行数"),
    "weight": Text("weight", "权重合计"),
    "groups": Text("groups", "分组数"),
    "prevalence": Text("share of positives", "正例比例"),
    "zero_weight_rows": Text("rows of weight 0, left out", "权重为 0 的行（略去）"),
}


@dataclass(frozen=True)
class Defined:
    """A measure as it was used."""

    label: str
    measure: str
    title: str
    question: str
    formula: str
    edges: str
    reference: str


def screen(story: Story) -> dict[str, Any] | None:
    members = story.members
    first = next(iter(members.values())) if members else None
    c = story.comparison
    return {
        "measures": [] if first is None else [_defined(x) for x in first.columns],
        "policy": _policy(story, first),
        "convention": getattr(first, "convention", ""),
        "level": None if first is None else percent(first.confidence_level),
        "counts": _counts(members),
        "method": [] if c is None else method(c),
        "fingerprint": dict(story.fingerprint),
        "notes": [
            *story.notes,
            *dict.fromkeys(n for ev in members.values() for n in ev.remarks),
            *(c.notes if c else ()),
        ],
        "command": story.command,
        "versions": f"rankgauge {__version__} · Python {python_version()} · NumPy {numpy.__version__}",
    }


def _policy(story: Story, first: Any) -> dict[str, Any]:
    if first is not None:
        return dict(first.policy.to_dict())
    f = story.funnel
    if f is None:
        return {}
    cut = ", ".join(f"{name} {n:,}" for name, n in f.cut.items())
    return {"k": f.k, "rel": f.rel, "ties": f.ties, "cut": cut or None}


def _defined(column: Any) -> Defined:
    m = column.measure
    about = explain(m)
    return Defined(column.label, str(m), about.title, about.question, about.formula, about.edges, about.reference)


def _counts(members: Mapping[str, Any]) -> Grid | None:
    if not members:
        return None
    keys = list(next(iter(members.values())).counts)
    header = [Text("count", "计数"), *members]
    rows = [
        [Cell(_COUNTS.get(key, _judged(key))), *(Cell(_shown(ev.counts.get(key))) for ev in members.values())]
        for key in keys
    ]
    return Grid(header, rows)


def _judged(key: str) -> str:
    if not key.startswith("judged@"):
        return key
    depth = key.partition("@")[2]
    return Text(f"judged among the first {depth}, share", f"前 {depth} 位已标注比例")


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return grouped(value) if value.is_integer() and abs(value) >= 2 else number(value)
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
