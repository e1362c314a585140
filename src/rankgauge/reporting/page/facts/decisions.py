"""What was decided: the input is no basis for anything, a release passes or fails, a system is better or worse."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isnan
from typing import Any

from rankgauge._claims import claimed, phrase, together
from rankgauge._numbers import counted, short
from rankgauge._text import Text
from rankgauge.comparison.contrast import Contrast
from rankgauge.comparison.record import Comparison
from rankgauge.evaluation.rankings.suspicion import errors_of
from rankgauge.gate.check import Check
from rankgauge.gate.checks import baseline_name
from rankgauge.gate.result import GateResult
from rankgauge.reporting.page.fact import Fact
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.suspicions import alarm
from rankgauge.reporting.verdicts import TONES, tone_of, verdict, verdict_of_all, verdict_of_system

__all__ = ["of_gate", "of_verdicts", "stops"]

_MOST_CHECKS = 5
_AND = Text(" ", "")


# what stops any conclusion


def stops(story: Story) -> list[Fact]:
    """What is wrong with the input of any system, and a number that does not exist."""
    out = [Fact("stop", s.code, alarm(s), "bad") for s in errors_of(story.suspicions, story.accepted)]
    name, label = story.leader, story.measure
    if name and isnan(story.members[name][label]):
        told = ("Nothing can be concluded: {} of {} has no value ({}).", "无法得出结论：{1} 的 {0} 没有数值（{2}）。")
        out.append(Fact("stop", "no-value", phrase(*told, label, name, _why(story.members[name], label)), "open"))
    return out


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


def of_gate(story: Story) -> list[Fact]:
    """The decision first, then each rule that did not pass."""
    if story.gate is None:
        return []
    result = story.gate
    tones = {"pass": "good", "fail": "bad", "inconclusive": "open"}
    open_ = [] if result.suspicious else [*result.of("fail"), *result.of("inconclusive")]
    lines = [Fact("gate", c.rule, phrase("{}: {}", "{}：{}", c.name, c.message), tones[c.outcome]) for c in open_]
    tone = tones[result.outcome] if result.exit_code else "good"
    out = [Fact("gate", "decision", result.decision, tone), *lines[:_MOST_CHECKS]]
    if (more := len(lines) - _MOST_CHECKS) > 0:
        text = phrase("{:,} more below", "另有 {:,} 项见下文", more)
        out.append(Fact("gate", "more-rules", text, tones[result.outcome]))
    return out


# verdicts


def of_verdicts(story: Story) -> list[Fact]:
    c = story.comparison
    if c is None:
        return []
    if story.gate is not None:
        checks = story.gate.checks if _is_of(story.gate, c) else []
        return [_beside(checks, x, c) for x in _beside_measures(story, checks, c)]
    found = sorted((c[story.measure, s] for s in c.systems), key=lambda x: inf if isnan(x.gain) else -x.gain)
    lines = [Fact("verdict", "verdict", verdict_of_system(c, x.system), tone_of(c, x.system)) for x in found]
    if len(lines) == 1:
        return lines
    heard = [TONES[x.word] for x in found]
    tone = next(t for t in ("good", "bad", "open", "same") if t in heard)
    return [Fact("verdict", "verdict-of-all", verdict_of_all(found, c), tone), *lines]


def _is_of(gate: GateResult, c: Comparison) -> bool:
    """Whether rules and comparison are about the same two systems; a page can hold others."""
    before, after = gate.baseline, gate.evaluation
    return before is not None and (c.baseline, c.systems) == (baseline_name(after, before), [after.run])


def _beside_measures(story: Story, checks: Sequence[Check], c: Comparison) -> list[Contrast]:
    """The measure that leads, and those with a rule about the baseline; not where the rule has said it already."""
    ruled = {(k.measure, k.outcome) for k in checks if k.rule == "non_inferior" and not k.slice}
    alike = {"worse": "fail", "inconclusive": "inconclusive", "untested": "inconclusive"}
    about = [x for x in c.contrasts if x.measure == story.measure or x.measure in {m for m, _ in ruled}]
    return [x for x in about if (x.measure, alike.get(x.word, "")) not in ruled]


def _beside(checks: Sequence[Check], x: Contrast, c: Comparison) -> Fact:
    """A comparison under a decision by rules: where the two sound unlike, why both are so."""
    rules = [k for k in checks if (k.rule, k.measure, k.slice) == ("non_inferior", x.measure, "")]
    said = verdict(x, c)
    if why := [text for k in rules if (text := _both(k, x))]:
        said = together(_AND, [said, *why])
    tone = TONES[x.word]
    text = phrase("Beside the rules: {}", "规则之外：{}", said)
    return Fact("verdict", "verdict", text, "open" if tone == "good" else tone)


def _both(rule: Check, x: Contrast) -> str:
    """Why a rule and a verdict about the same measure can both be true; nothing where they sound alike."""
    margin = claimed(short(abs(rule.limit)), "benchmark", abs(rule.limit), rule.measure)
    if (rule.outcome, x.word) == ("fail", "inconclusive"):
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
