"""What a page concludes: one ordered list of facts, from which its head, its doubts and its cards are drawn.

    stop      nothing can be concluded: the input is suspect, or nothing counts
    gate      what the rules of a release came to
    verdict   which system is better
    level     how good one system is, where nothing is compared
    minimum   figures that a scenario asks for and that are missed
    doubt     what could undo it
    fine      what a careful reader asks, where there is nothing to fear

The first fact is the headline. What stands below is weaker, and is worded so that it holds beside what stands above:
a screen never asks the records a second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isnan
from typing import Any

from rankgauge._claims import Claim, Statement
from rankgauge._text import Text
from rankgauge.comparison.contrast import Contrast
from rankgauge.comparison.record import Comparison
from rankgauge.diagnosis.finding import Finding
from rankgauge.diagnosis.rating import rating_of
from rankgauge.diagnosis.standards import load_standards
from rankgauge.diagnosis.subjects import Ranked
from rankgauge.evaluation.rankings.notes import not_numbers, repeats_of, ties_matter
from rankgauge.evaluation.rankings.suspicion import Suspicion, errors_of
from rankgauge.gate.checks import Check
from rankgauge.reporting.funnel import headline as funnel_headline
from rankgauge.reporting.grid import number, share, signed
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.page.words import SIGNS
from rankgauge.reporting.predictions import facts as prediction_facts
from rankgauge.reporting.suspicions import alarm
from rankgauge.reporting.verdicts import TONES, tone_of, verdict, verdict_of_all, verdict_of_system
from rankgauge.reporting.words import about, claimed, counted, listed, phrase, together

__all__ = ["DOUBTS", "KINDS", "Fact", "conclusions", "facts_of"]

KINDS = ("stop", "gate", "verdict", "level", "minimum", "doubt", "fine")
"""The first decides the headline."""
DOUBTS = ("doubt", "fine")
"""Those that stand under the question of what could undo the answer."""

_FEW_QUERIES = 25
_FEW_POSITIVES = 100
_MANY_UNJUDGED = 0.2
_UNEVEN = 0.1
"""Difference of unjudged shares from which on the judgements favour some systems."""
_MOST_CHECKS = 5
_SETTLED = ("better", "worse", "equivalent", "unchanged")
_AND = Text(" ", "")
_LIST = Text(", ", "，")


@dataclass(frozen=True)
class Fact:
    """Something that a reader must know, or would ask."""

    kind: str
    text: str
    tone: str = "same"

    @property
    def ok(self) -> bool:
        """Whether there is nothing to fear from it."""
        return self.kind == "fine"

    @property
    def sign(self) -> str:
        """A sign for decisions; a dot for what only says how good one system is."""
        return SIGNS[self.tone] if self.kind in ("gate", "verdict") else "!" if self.kind == "stop" else "●"


def facts_of(story: Story) -> list[Fact]:
    """All facts, in order."""
    found = [*_stops(story), *_gate(story), *_verdicts(story), *_level(story), *_minima(story), *_doubts(story)]
    return sorted(found, key=lambda f: KINDS.index(f.kind))


def conclusions(facts: list[Fact]) -> list[Fact]:
    """The headline and the lines under it.

    A missed minimum for production is part of the headline: nobody may read "better" or "pass" and stop there. Where
    the input is suspect nothing below the headline sounds like an answer.
    """
    lines = [f for f in facts if f.kind not in DOUBTS]
    if not lines:
        return []
    head, *rest = lines
    stop = [f for f in rest if f.kind == "minimum" and f.tone == "bad"]
    if stop and head.kind != "minimum":
        tone = {"good": "open"}.get(head.tone, head.tone) if head.kind in ("gate", "verdict") else "bad"
        head = replace(head, text=together(_AND, [head.text, *(f.text for f in stop)]), tone=tone)
        rest = [f for f in rest if f not in stop]
    if head.kind == "stop":
        rest = [replace(f, tone="open") for f in rest]
    return [head, *rest]


# what stops any conclusion


def _stops(story: Story) -> list[Fact]:
    """What is wrong with the input of any system, and a number that does not exist."""
    out = [Fact("stop", alarm(s), "bad") for s in errors_of(_suspicions(story), _accepted(story))]
    name, label = story.leader if _members(story) else "", story.measure if _members(story) else ""
    if name and isnan(_members(story)[name][label]):
        told = ("Nothing can be concluded: {} of {} has no value ({}).", "无法得出结论：{1} 的 {0} 没有数值（{2}）。")
        out.append(Fact("stop", phrase(*told, label, name, _why(_members(story)[name], label)), "open"))
    return out


def _suspicions(story: Story) -> list[Suspicion]:
    return [s.of(name) for name, ev in story.rankings.items() for s in ev.suspicions]


def _accepted(story: Story) -> Sequence[str]:
    return () if story.gate is None else story.gate.accept


def _why(ev: Any, label: str) -> str:
    """Why a measure has no value."""
    if ev.kind == "rankings":
        if ev.n(label):
            return Text("the value of a query is not a number", "有查询的值不是数字")
        n = ev.counts["queries"]
        queries = claimed(counted(n, "judged query", "个有标注的查询"), "count", n, "queries", ev.run)
        nothing = claimed("0", "n", 0, label, ev.run)
        return phrase("{} of {} count", "{1}中计入 {0} 个", nothing, queries)
    reason, _, _ = ev.undefined.get(label, "").partition(";")
    plain = reason and not any(letter.isdigit() for letter in reason)  # numbers stand where the measures are
    return reason if plain else Text("it is undefined here", "在此无定义")


# gates


def _gate(story: Story) -> list[Fact]:
    """The decision first, then each rule that did not pass."""
    if story.gate is None:
        return []
    result = story.gate
    tones = {"pass": "good", "fail": "bad", "inconclusive": "open"}
    open_ = [] if result.suspicious else [*result.of("fail"), *result.of("inconclusive")]
    lines = [Fact("gate", phrase("{}: {}", "{}：{}", c.name, c.message), tones[c.outcome]) for c in open_]
    tone = tones[result.outcome] if result.exit_code else "good"
    out = [Fact("gate", result.decision, tone), *lines[:_MOST_CHECKS]]
    if more := len(lines) - _MOST_CHECKS:
        text = phrase("{:,} more below", "另有 {:,} 项见下文", more) if more > 0 else ""
        out += [Fact("gate", text, tones[result.outcome])] if text else []
    return out


# verdicts


def _verdicts(story: Story) -> list[Fact]:
    c = story.comparison
    if c is None:
        return []
    if story.gate is not None:
        return [_beside(story.gate.checks, x, c) for x in _beside_measures(story, c)]
    found = sorted((c[c.measures[0], s] for s in c.systems), key=lambda x: inf if isnan(x.gain) else -x.gain)
    lines = [Fact("verdict", verdict_of_system(c, x.system), tone_of(c, x.system)) for x in found]
    if len(lines) == 1:
        return lines
    heard = [TONES[x.word] for x in found]
    tone = next(t for t in ("good", "bad", "open", "same") if t in heard)
    return [Fact("verdict", verdict_of_all(found, c), tone), *lines]


def _beside_measures(story: Story, c: Comparison) -> list[Contrast]:
    """The first measure, and those with a rule about the baseline; not where the rule has said it already."""
    assert story.gate is not None
    ruled = {(k.measure, k.outcome) for k in story.gate.checks if k.rule == "non_inferior" and not k.slice}
    alike = {"worse": "fail", "inconclusive": "inconclusive"}
    about = [x for x in c.contrasts if x.measure == c.measures[0] or x.measure in {m for m, _ in ruled}]
    return [x for x in about if (x.measure, alike.get(x.word, "")) not in ruled]


def _beside(checks: Any, x: Contrast, c: Comparison) -> Fact:
    """A comparison under a decision by rules: where the two sound unlike, why both are so."""
    rules = [k for k in checks if (k.rule, k.measure, k.slice) == ("non_inferior", x.measure, "")]
    said = verdict(x, c)
    if why := [text for k in rules if (text := _both(k, x))]:
        said = together(_AND, [said, *why])
    tone = TONES[x.word]
    return Fact("verdict", phrase("Beside the rules: {}", "规则之外：{}", said), "open" if tone == "good" else tone)


def _both(rule: Check, x: Contrast) -> str:
    """Why a rule and a verdict about the same measure can both be true; nothing where they sound alike."""
    margin = claimed(f"{abs(rule.limit):g}", "benchmark", abs(rule.limit), rule.measure)
    if (rule.outcome, x.verdict) == ("fail", "inconclusive"):
        told = (
            "The rule asks only whether more than {} is lost, and that is so; whether there is a difference at all, "
            "two-sided and corrected, these queries do not settle.",
            "规则只问损失是否超过 {}，答案是肯定的；至于两者究竟有无差异（双侧并校正），这些查询尚不足以判定。",
        )
        return phrase(*told, margin)
    if (rule.outcome, x.verdict) == ("pass", "worse"):
        return phrase("The rule allows a loss of {}.", "规则允许 {} 的损失。", margin)
    if (rule.outcome, x.verdict) == ("inconclusive", "worse"):
        told = ("Whether more than the allowed {} is lost is not settled.", "损失是否超过允许的 {}，尚未判定。")
        return phrase(*told, margin)
    return ""


# levels


def _level(story: Story) -> list[Fact]:
    """How good the system in question is, and how far that can be trusted."""
    if story.models:
        return _read(story, story.leader)
    if story.comparison is not None or story.gate is not None:
        return []
    if not story.rankings:
        funnel = story.funnel
        return [] if funnel is None else [Fact("level", funnel_headline(funnel), "open")]
    name, label = story.leader, story.measure
    ev = story.rankings[name]
    if isnan(ev[label]):
        return []
    rating = None if isnan(ev.interval(label).low) else rating_of(ev, label)  # one value supports no word
    # the names under which records are claimed are those that the page gives them
    claims = [] if rating is None else [replace(claim, system=name) for claim in rating.claims]
    level = _SILENT if rating is None else phrase("That is {}.", "水平：{}。", rating.words)
    text = together(_AND, [_value(name, ev, label), *([Statement(level.en, level.zh, claims)] if level else [])])
    word = "" if rating is None else rating.beside_ceiling.name
    return [Fact("level", text, {"poor": "bad", "fair": "open"}.get(word, "same")), *_others(story)]


_SILENT = Text("", "")


def _value(name: str, ev: Any, label: str) -> Statement:
    """`new has nDCG@10 0.41 (between 0.38 and 0.44) over 200 queries.`"""
    low, high = ev.interval(label)
    between: str = ""
    if not isnan(low) and not isnan(high):
        ends = (("low", low), ("high", high))
        between = phrase(
            " (between {} and {})", "（区间 {} … {}）", *(claimed(number(v), what, v, label, name) for what, v in ends)
        )
    value = claimed(number(ev[label]), "mean", ev[label], label, name)
    if ev.kind != "rankings":
        return phrase("{} has {} {}{}.", "{} 的 {} 为 {}{}。", name, label, value, between)
    n = ev.n(label)
    queries = claimed(counted(n, "query", "个查询"), "n", n, label, name)
    told = ("{} has {} {}{} over {}.", "{} 的 {} 为 {}{}，共 {}。")
    return phrase(*told, name, label, value, between, queries)


def _others(story: Story) -> list[Fact]:
    """Several systems that are not compared: the range of their numbers."""
    label = story.measure
    values = {name: ev[label] for name, ev in _members(story).items() if label in ev and not isnan(ev[label])}
    if len(values) < 2:
        return []
    ends = [f(values, key=lambda name: values[name]) for f in (min, max)]
    said = [
        phrase("{} ({})", "{}（{}）", claimed(number(values[name]), "mean", values[name], label, name), name)
        for name in ends
    ]
    told = (
        "{} evaluations that are not compared with each other: {} from {} to {}.",
        "{} 次评估，彼此未作比较：{} 从 {} 到 {}。",
    )
    return [Fact("level", phrase(*told, len(_members(story)), label, *said))]


def _read(story: Story, name: str) -> list[Fact]:
    """Labels and scores: order and probability, where both can be told."""
    reading, ev = story.reading(name), story.models[name]
    others = _others(story) if story.comparison is None else []
    if reading is not None:
        tone = {"ideal": "good", "calibrate": "open", "uninformative": "open", "rebuild": "bad"}[reading.case]
        case = [Claim("case", reading.case, "", name)]
        return [Fact("level", phrase("{}: {}", "{}：{}", name, reading.headline, claims=case), tone), *others]
    if isnan(ev[story.measure]) or story.comparison is not None:
        return others
    return [Fact("level", _value(name, ev, story.measure)), *others]


# figures that are missed

_MINIMA = {"below-production-minimum": "bad", "below-benchmark": "open"}


def _minima(story: Story) -> list[Fact]:
    """What findings say of figures: the same words, so that they cannot disagree."""
    found = story.findings
    missed: list[Finding] = [] if found is None else [f for f in found.all if f.code in _MINIMA]
    return [
        Fact("minimum", phrase("{}: {}", "{}：{}", f.title, f.seen, claims=f.claims), _MINIMA[f.code]) for f in missed
    ]


# what could undo it


def _doubts(story: Story) -> list[Fact]:
    if story.rankings:
        stops = errors_of(_suspicions(story), _accepted(story))
        warned = [_fact(False, s.statement) for s in _suspicions(story) if s not in stops]
        found = [*_queries(story), *_depths(story), *_unjudged(story), *_ties(story), *_repairs(story)]
        return [*warned, *found]
    if story.models:
        return _of_models(story)
    return [] if story.funnel is None else _of_funnel(story)


def _members(story: Story) -> Mapping[str, Any]:
    return story.rankings or story.models


def _fact(ok: bool, text: str) -> Fact:
    return Fact("fine" if ok else "doubt", text)


def _is_settled(story: Story) -> bool:
    """Whether the queries were enough for an answer."""
    c = story.comparison
    return c is not None and c[c.measures[0], story.leader].word in _SETTLED


def _queries(story: Story) -> list[Fact]:
    label, leader = story.measure, story.rankings[story.leader]
    n, total = leader.n(label), leader.counts["queries"]
    few = n < _FEW_QUERIES and not _is_settled(story)
    told = (
        "{} of {} count in {}" + (": few for a firm answer" if few else ""),
        "{1}中有 {0} 个计入 {2}" + ("：偏少，结论不牢" if few else ""),
    )
    judged = claimed(counted(total, "judged query", "个有标注的查询"), "count", total, "queries", story.leader)
    out = [_fact(not few, phrase(*told, claimed(f"{n:,}", "n", n, label, story.leader), judged, label))]
    rule = leader.policy.missing
    missing = _counts(story, "missing")
    if missing:
        told = (
            "Judged queries that a run does not answer: {} (missing={})",
            "结果中缺失的有标注查询：{}（missing={}）",
        )
        out.append(_fact(False, phrase(*told, missing, rule)))
    else:
        none = [Claim("count", 0, "missing", name) for name in story.rankings]
        text = Statement("Every judged query is in every run", "所有有标注的查询在各结果中都有", none)
        out.append(_fact(True, text))
    if ignored := _counts(story, "not_judged"):
        told = ("Queries of a run without judgements, which are ignored: {}", "结果中没有标注、已忽略的查询：{}")
        out.append(_fact(True, phrase(*told, ignored)))
    if k := leader.counts["without_relevant"]:
        told = ("{} without a relevant item (no_relevant={})", "{}没有相关结果（no_relevant={}）")
        empty = claimed(counted(k, "query", "个查询"), "count", k, "without_relevant", story.leader)
        out.append(_fact(True, phrase(*told, empty, leader.policy.no_relevant)))
    return out


def _counts(story: Story, key: str) -> str:
    """`old 3, new 1`: a count of each run that is not 0."""
    found = {name: ev.counts[key] for name, ev in story.rankings.items() if ev.counts[key]}
    said = [phrase("{} {}", "{} {}", name, claimed(f"{k:,}", "count", k, key, name)) for name, k in found.items()]
    return together(_LIST, said) if said else ""


def _depths(story: Story) -> list[Fact]:
    """Lists of one system that end where those of another go on; the notes of the comparison have the numbers."""
    ends: dict[tuple[str, str, int], list[str]] = {}
    for gap in () if story.comparison is None else story.comparison.depths:
        other = gap.system if gap.shallow == gap.baseline else gap.baseline
        ends.setdefault((gap.shallow, other, gap.depth), []).append(gap.measure)
    told = (
        "Lists of {} end at {} where those of {} go on: {} cannot be judged alike",
        "{} 的列表止于第 {} 位，而 {} 的列表更长：{} 不可同等比较",
    )
    return [
        _fact(False, phrase(*told, name, claimed(f"{k:,}", "count", k, "longest_list", name), other, listed(of)))
        for (name, other, k), of in ends.items()
    ]


def _unjudged(story: Story) -> list[Fact]:
    out: list[Fact] = []
    leader = story.rankings[story.leader]
    if Ranked(leader, load_standards()).has_only_positives:
        # then all other results are unjudged by design, which casts no doubt
        told = ("Only right answers are judged; all others count as wrong", "只标注了正确答案，其余一律按错误计")
        return [_fact(True, Text(*told))]
    key = next(k for k in leader.counts if k.startswith("judged@"))
    depth = key.partition("@")[2]
    shares = {n: 1 - ev.counts[key] for n, ev in story.rankings.items() if ev.counts.get(key) is not None}
    if shares:
        said = together(
            _LIST,
            [phrase("{} {}", "{} {}", n, claimed(share(v), "share", v, f"un{key}", n)) for n, v in shares.items()],
        )
        uneven = max(shares.values()) - min(shares.values()) > _UNEVEN
        told = (
            "Unjudged among the first {}: {}" + (": not judged alike" if uneven else ""),
            "前 {} 位中未标注的比例：{}" + ("：各系统标注程度不一" if uneven else ""),
        )
        ok = max(shares.values()) <= _MANY_UNJUDGED and not uneven
        out.append(_fact(ok, phrase(*told, claimed(depth, "cutoff", int(depth), f"un{key}"), said)))
    c = story.comparison
    if c is not None:
        x = c[c.measures[0], story.leader]
        winner = c.winner(x.measure, story.leader)
        if winner is not None and not isnan(winner.low):
            names = (x.measure, x.system, x.baseline)
            ends = (("if judged low", winner.low), ("if judged high", winner.high))
            bounds = phrase("{} … {}", "{} … {}", *(claimed(signed(v, 3), what, v, *names) for what, v in ends))
            told = (
                f"Judging them {'could' if winner.could_change else 'cannot'} change who wins (difference {{}})",
                f"补标后{'可能' if winner.could_change else '不会'}改变胜负（差异 {{}}）",
            )
            out.append(_fact(not winner.could_change, phrase(*told, bounds)))
    return out


def _ties(story: Story) -> list[Fact]:
    label, leader = story.measure, story.rankings[story.leader]
    if leader.policy.ties == "expected" or leader.policy.average != "macro":
        return []  # no order matters, or by other amounts
    widths = {n: ev.column(label).tie_width for n, ev in story.rankings.items() if label in ev and ev.n(label)}
    known = {n: width for n, width in widths.items() if not isnan(width)}
    if not known or (len(known) < len(widths) and not ties_matter(max(known.values()))):
        return []
    widths = known
    widest = max(widths, key=lambda n: widths[n])
    if not ties_matter(widths[widest]):
        claims = [Claim("tie width", width, label, name) for name, width in widths.items()]
        told = (f"The order of tied scores does not matter for {label}", f"并列得分的顺序不影响 {label}")
        if widths[widest]:
            told = (
                f"The order of tied scores moves {label} by less than 0.0001",
                f"并列得分的顺序对 {label} 的影响小于 0.0001",
            )
            claims.append(Claim("benchmark", 0.0001, label))
        return [_fact(True, Statement(*told, claims))]
    c = story.comparison
    size = abs(c[label, story.leader].difference) if c is not None else float("nan")
    half = (leader.interval(label).high - leader.interval(label).low) / 2
    limit = size if c is not None else half
    doubted = any(s.code == "tied-scores" for s in _suspicions(story))
    ok = not isnan(limit) and widths[widest] < limit / 2 and not doubted
    width = claimed(number(widths[widest]), "tie width", widths[widest], label, widest)
    told = ("Tied scores can move {} by {} ({})", "并列得分的顺序最多使 {} 变动 {}（{}）")
    return [_fact(ok, phrase(*told, label, width, widest))]


def _repairs(story: Story) -> list[Fact]:
    out = []
    for name, ev in story.rankings.items():
        if ev.counts["duplicates"]:
            out.append(_fact(False, about(name, repeats_of(ev))))
        if ev.counts["nan_scores"]:
            out.append(_fact(False, about(name, not_numbers(ev))))
    return out


def _of_models(story: Story) -> list[Fact]:
    """Rows, classes, groups, clipped probabilities, measures without a value."""
    name = story.leader
    ev = story.models[name]
    notes, warnings = prediction_facts(ev)
    out = [_fact(True, notes[0])]
    rarer = ev.counts["rows"] * min(ev.counts["prevalence"], 1 - ev.counts["prevalence"])
    if rarer < _FEW_POSITIVES and not _is_settled(story):
        told = ("About {} of the rarer class: few for a firm answer", "较少的一类约 {}：偏少，结论不牢")
        rows = claimed(counted(round(rarer), "row", "行"), "count", round(rarer), "rarer_class", name)
        out.append(_fact(False, phrase(*told, rows)))
    if not ev.counts["groups"]:
        told = (
            "Rows count as independent; name a group column if users repeat",
            "各行视为独立；若同一用户有多行，请指定分组列",
        )
        out.append(_fact(True, Text(*told)))
    out += [_fact(False, w) for w in warnings]
    if ev.undefined:
        out.append(_fact(False, Text("No value: " + ", ".join(ev.undefined), "没有取值：" + "，".join(ev.undefined))))
    return out


def _of_funnel(story: Story) -> list[Fact]:
    f = story.funnel
    assert f is not None
    if f.warnings:
        return [_fact(False, w) for w in f.warnings]
    fit = Text(
        f"{share(f.fit)} of the relevant items fit into the first {f.k}",
        f"前 {f.k} 位最多容纳 {share(f.fit)} 的相关结果",
    )
    return [
        _fact(True, Text(f"{f.n_queries:,} queries with relevant items", f"{f.n_queries:,} 个有相关结果的查询")),
        _fact(True, fit),
    ]
