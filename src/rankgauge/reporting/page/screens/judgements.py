"""Can the judgements carry the numbers?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankgauge._numbers import counted
from rankgauge._text import Text
from rankgauge.evaluation.rankings.judgement_health import JudgementHealth
from rankgauge.reporting.figures import rankings as figures
from rankgauge.reporting.grid import Cell, Grid, number, share
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.words import phrase

__all__ = ["NAME", "screen"]

NAME = Text("Judgements", "标注")


def screen(story: Story) -> dict[str, Any] | None:
    runs = story.health
    if not runs:
        return None
    first = next(iter(runs.values()))
    # where only right answers are judged, no result is a hole: the others are wrong by design
    judged = [] if story.only_positives else [figures.judged(runs)]
    return {
        "charts": [*judged, figures.grades(first)],
        "relevant": first.relevant,
        "lead": _lead(first, only_positives=story.only_positives, of_users=_of_users(story)),
        "holes": None if story.only_positives else _holes(runs),
        "ties": _ties(runs),
    }


def _of_users(story: Story) -> bool:
    """Whether the judgements are what users did."""
    return story.leader in story.rankings and story.rankings[story.leader].of_users


def _lead(health: JudgementHealth, *, only_positives: bool, of_users: bool) -> Text:
    judgements = counted(health.n_judgements, "judgement", "条标注")
    queries = counted(health.n_queries, "query", "个查询")
    if of_users:
        told = (
            "{} of {}: what users did, not what somebody judged. Every other item counts as wrong; which of those "
            "users would have liked, only a test online can tell.",
            "{1}共 {0}：是用户的行为，而不是人工标注。其余物品一律按错误计；"
            "其中哪些用户也会喜欢，只有线上实验才能知道。",
        )
    elif only_positives:
        told = (
            "{} of {}, right answers only: every other result counts as wrong. Whether some of those are right too, "
            "only more judgements can tell.",
            "{1}共 {0}，只有正确答案：其余结果一律按错误计。其中是否也有正确的，只有补充标注才能知道。",
        )
    else:
        told = (
            "{} of {}. Results that nobody judged count as not relevant, which punishes systems that find something "
            "new.",
            "{1}共 {0}。未标注的结果按不相关计，会亏待找到新结果的系统。",
        )
    return phrase(*told, judgements, queries)


def _holes(runs: Mapping[str, JudgementHealth]) -> Grid:
    top = next(iter(runs.values())).holes
    looked_at = min(top.top, max(1, *(sum(1 for r in h.ranks if r.lists) for h in runs.values())))
    header = [
        Text("run", "系统"),
        Text(f"unjudged in the first {looked_at}", f"前 {looked_at} 位未标注"),
        Text("queries with one or more", "至少一个未标注的查询"),
        Text(f"with {top.many} or more", f"{top.many} 个以上的查询"),
    ]
    rows = [
        [
            Cell(name),
            Cell(share(h.holes.share), strong=True),
            Cell(f"{h.holes.queries:,}"),
            Cell(f"{h.holes.queries_with_many:,}"),
        ]
        for name, h in runs.items()
    ]
    return Grid(header, rows)


def _ties(runs: Mapping[str, JudgementHealth]) -> Grid | None:
    """What hangs on the order of equal scores; None where nothing does."""
    rows = [
        [Cell(name), Cell(t.label), Cell(number(t.tie_width), strong=True), Cell(f"{t.queries:,}")]
        for name, h in runs.items()
        for t in h.ties
        if t.queries
    ]
    if not rows:
        return None
    header = [
        Text("run", "系统"),
        Text("measure", "指标"),
        Text("the mean can move by", "均值最多变动"),
        Text("queries", "查询数"),
    ]
    return Grid(header, rows, frozenset({0, 1}))
