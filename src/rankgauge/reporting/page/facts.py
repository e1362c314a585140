"""The facts that could invalidate an answer: each holds or is a warning."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from rankgauge._text import Text
from rankgauge.evaluation.notes import repeats_of, ties_matter
from rankgauge.reporting.grid import number, share, signed
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.predictions import facts as prediction_facts
from rankgauge.reporting.words import about

__all__ = ["Fact", "facts_of_models", "facts_of_rankings"]

_FEW_QUERIES = 25
_FEW_POSITIVES = 100
_MANY_UNJUDGED = 0.2
_UNEVEN = 0.1
"""Difference of unjudged shares from which on the judgements favour some systems."""


@dataclass(frozen=True)
class Fact:
    """Something that a careful reader asks."""

    ok: bool
    text: str


def facts_of_rankings(story: Story) -> list[Fact]:
    """Missing queries, unjudged results, ties, damaged input, too few queries."""
    return [*_doubts(story), *_queries(story), *_unjudged(story), *_ties(story), *_repairs(story)]


def _doubts(story: Story) -> list[Fact]:
    said = (s.of(name) for name, ev in story.rankings.items() for s in ev.suspicions if s.severity == "warning")
    return [Fact(False, s.statement) for s in said]


def _queries(story: Story) -> list[Fact]:
    out = []
    first = next(iter(story.rankings.values()))
    label = story.measure
    n, total = first.n(label), first.counts["queries"]
    few = n < _FEW_QUERIES
    out.append(
        Fact(
            not few,
            Text(
                f"{n:,} of {total:,} judged queries count in {label}" + (": few for a firm answer" if few else ""),
                f"{total:,} 个有标注的查询中有 {n:,} 个计入 {label}" + ("：偏少，结论不牢" if few else ""),
            ),
        )
    )
    missing = {name: ev.counts["missing"] for name, ev in story.rankings.items() if ev.counts["missing"]}
    if missing:
        said = ", ".join(f"{name} {k:,}" for name, k in missing.items())
        rule = first.policy.missing
        out.append(
            Fact(
                False,
                Text(
                    f"Judged queries that a run does not answer: {said} (missing={rule})",
                    f"结果中缺失的有标注查询：{said}（missing={rule}）",
                ),
            )
        )
    else:
        out.append(Fact(True, Text("Every judged query is in every run", "所有有标注的查询在各结果中都有")))
    ignored = max(ev.counts["not_judged"] for ev in story.rankings.values())
    if ignored:
        out.append(
            Fact(
                True,
                Text(
                    f"{ignored:,} queries of the runs have no judgements and are ignored",
                    f"结果中有 {ignored:,} 个查询没有标注，已忽略",
                ),
            )
        )
    if first.counts["without_relevant"]:
        k, rule = first.counts["without_relevant"], first.policy.no_relevant
        out.append(
            Fact(
                True,
                Text(
                    f"{k:,} queries have no relevant item (no_relevant={rule})",
                    f"{k:,} 个查询没有相关结果（no_relevant={rule}）",
                ),
            )
        )
    return out


def _unjudged(story: Story) -> list[Fact]:
    out = []
    first = next(iter(story.rankings.values()))
    key = next(k for k in first.counts if k.startswith("judged@"))
    depth = key.partition("@")[2]
    shares = {n: 1 - ev.counts[key] for n, ev in story.rankings.items() if ev.counts.get(key) is not None}
    if shares:
        said = ", ".join(f"{n} {share(v)}" for n, v in shares.items())
        uneven = max(shares.values()) - min(shares.values()) > _UNEVEN
        out.append(
            Fact(
                max(shares.values()) <= _MANY_UNJUDGED and not uneven,
                Text(
                    f"Unjudged among the first {depth}: {said}" + (": not judged alike" if uneven else ""),
                    f"前 {depth} 位中未标注的比例：{said}" + ("：各系统标注程度不一" if uneven else ""),
                ),
            )
        )
    c = story.comparison
    if c is not None:
        winner = c.winner(c.measures[0], story.leader)
        if winner is not None:
            bounds = f"{signed(winner.low, 3)} … {signed(winner.high, 3)}"
            out.append(
                Fact(
                    not winner.could_change,
                    Text(
                        f"Judging them {'could' if winner.could_change else 'cannot'} change who wins "
                        f"(difference {bounds})",
                        f"补标后{'可能' if winner.could_change else '不会'}改变胜负（差异 {bounds}）",
                    ),
                )
            )
    return out


def _ties(story: Story) -> list[Fact]:
    label, leader = story.measure, story.rankings[story.leader]
    widths = {n: ev.column(label).tie_width for n, ev in story.rankings.items()}
    widest = max(widths, key=lambda n: widths[n])
    if not ties_matter(widths[widest]):
        return [
            Fact(
                True,
                Text(
                    f"The order of tied scores moves {label} by less than 0.0001",
                    f"并列得分的顺序对 {label} 的影响小于 0.0001",
                )
                if widths[widest]
                else Text(f"The order of tied scores does not matter for {label}", f"并列得分的顺序不影响 {label}"),
            )
        ]
    c = story.comparison
    size = abs(c[label, story.leader].difference) if c is not None else float("nan")
    half = (leader.interval(label).high - leader.interval(label).low) / 2
    limit = size if c is not None else half
    ok = not isnan(limit) and widths[widest] < limit / 2
    return [
        Fact(
            ok,
            Text(
                f"Tied scores can move {label} by {number(widths[widest])} ({widest})",
                f"并列得分的顺序最多使 {label} 变动 {number(widths[widest])}（{widest}）",
            ),
        )
    ]


def _repairs(story: Story) -> list[Fact]:
    out = []
    for name, ev in story.rankings.items():
        if ev.counts["duplicates"]:
            out.append(Fact(False, about(name, repeats_of(ev))))
        if n := ev.counts["nan_scores"]:
            en, zh = "scores are not numbers; such results rank last", "个得分不是数字，相应结果排在最后"
            out.append(Fact(False, Text(f"{name}: {n:,} {en}", f"{name}：{n:,} {zh}")))
    return out


def facts_of_models(story: Story) -> list[Fact]:
    """Rows, classes, groups, clipped probabilities, measures without a value."""
    ev = story.models[story.leader]
    notes, warnings = prediction_facts(ev)
    out = [Fact(True, notes[0])]
    positives = ev.counts["rows"] * min(ev.counts["prevalence"], 1 - ev.counts["prevalence"])
    if positives < _FEW_POSITIVES:
        k = round(positives)
        out.append(
            Fact(
                False,
                Text(
                    f"About {k:,} rows of the rarer class: few for a firm answer",
                    f"较少的一类约 {k:,} 行：偏少，结论不牢",
                ),
            )
        )
    if not ev.counts["groups"]:
        out.append(
            Fact(
                True,
                Text(
                    "Rows count as independent; name a group column if users repeat",
                    "各行视为独立；若同一用户有多行，请指定分组列",
                ),
            )
        )
    out += [Fact(False, w) for w in warnings]
    if ev.undefined:
        out.append(Fact(False, Text("No value: " + ", ".join(ev.undefined), "没有取值：" + "，".join(ev.undefined))))
    return out
