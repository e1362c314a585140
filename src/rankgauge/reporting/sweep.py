"""Systems within several budgets as sections: which is best at which, and which are not to be told apart."""

from __future__ import annotations

from math import isnan

from rankgauge._claims import Claim, Statement
from rankgauge._numbers import counted, short
from rankgauge._text import Text, joined
from rankgauge.comparison.sweep import BudgetSweep
from rankgauge.evaluation.rankings.suspicion import errors_of
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged
from rankgauge.reporting.suspicions import doubts, sections_of_suspicions
from rankgauge.reporting.words import claimed, interval_of, phrase, together

__all__ = ["found_within", "sections_of_sweep", "sentences_of", "standing_of"]

_AND = Text(", ", "、")
TONES = {"best": "good", "beaten": "bad", "open": ""}


def sections_of_sweep(s: BudgetSweep, digits: int = 4) -> list[Section]:
    some = any(
        s.best(m, b) is not None and not any(p.exhausted for p in s[m, b].values())
        for m in s.measures
        for b in s.budgets
    )
    title = phrase("{}, judged by {}, by budget", "{}，标注 {}，按预算", joined(_AND, s.systems), s.qrels)
    return [
        *sections_of_suspicions(s.suspicions),
        Section(title, tone="good" if some and not errors_of(s.suspicions) else "open", notes=sentences_of(s)),
        *(Section(_name(s, m), _table(s, m, digits)) for m in s.measures),
        Section("", notes=_notes(s), warnings=doubts(s.suspicions)),
    ]


def sentences_of(s: BudgetSweep) -> list[Statement]:
    """What is so within each budget, measure after measure."""
    return [found_within(s, m, b) for m in s.measures for b in s.budgets]


def found_within(s: BudgetSweep, measure: str, budget: str) -> Statement:
    """Who is best within a budget, or who cannot be told apart, who is beaten; and whose lists do not fill it."""
    said = _with_unfit(s, measure, budget, _verdict_within(s, measure, budget))
    short_of = {name: p for name, p in s[measure, budget].items() if p.exhausted}
    if not short_of:
        return said
    told = []
    for name, p in short_of.items():
        lists = counted(p.exhausted or 0, "list", "个列表")
        n = claimed(lists, "count", p.exhausted, "exhausted_by", name, p.definition)
        told.append(phrase("{} ({})", "{}（{}）", name, n))
    return phrase(
        "{} But lists end before that budget with room for more: this also depends on how much was fetched. {}.",
        "{}但有列表在该预算用完前就结束，还放得下更多结果：这也取决于取回了多少。{}。",
        said,
        together(_AND, told),
    )


def _with_unfit(s: BudgetSweep, measure: str, budget: str, said: Statement) -> Statement:
    """The same, with the lists of which nothing is read."""
    told = []
    for name, p in s[measure, budget].items():
        if p.empty:
            lists = claimed(counted(p.empty, "list", "个列表"), "count", p.empty, "unfit_by", name, p.definition)
            told.append(phrase("{} ({})", "{}（{}）", name, lists))
    if not told:
        return said
    return phrase(
        "{} Not even the first result fits: {}.",
        "{}连第一条结果都放不下：{}。",
        said,
        together(_AND, told),
    )


def _verdict_within(s: BudgetSweep, measure: str, budget: str) -> Statement:
    points = s[measure, budget]
    label = next(iter(points.values())).definition
    if (best := s.best(measure, budget)) is not None:
        others = [name for name in points if name != best]
        told = (
            "Within {}, {} is best in {}: {}, better than {}.",
            "预算 {} 内，{} 的 {} 最好：{}，优于 {}。",
        )
        claims = [Claim("verdict of pairs", "better", label, best, other) for other in others]
        return phrase(*told, budget, best, measure, _value(s, label, best), _named(others), claims=claims)
    left = s.contenders(measure, budget)
    beaten = [name for name in points if name not in left]
    said = _open(s, measure, budget, left)
    if not beaten:
        return said
    worse = together(Text("; ", "；"), [_beaten(s, measure, budget, name) for name in beaten])
    return phrase("{} {}.", "{}{}。", said, worse)


def _open(s: BudgetSweep, measure: str, budget: str, left: list[str]) -> Statement:
    """Those that no other is better than."""
    points = s[measure, budget]
    label = points[left[0]].definition
    if len(left) == 1:
        claims = [
            Claim("verdict of pairs", s.word(left[0], other, label), label, left[0], other)
            for other in points
            if other != left[0]
        ]
        told = (
            "Within {}, no other is surely better in {} than {} ({}), which is not surely better than each.",
            "预算 {} 内，没有系统的 {} 确定优于 {}（{}），而它也并非确定优于每一个。",
        )
        return phrase(*told, budget, measure, left[0], _value(s, label, left[0]), claims=claims)
    pairs = [(a, b) for i, a in enumerate(left) for b in left[i + 1 :]]
    claims = [Claim("verdict of pairs", s.word(a, b, label), label, a, b) for a, b in pairs]
    if all(s.word(a, b, label) == "unchanged" for a, b in pairs):
        told = (
            "Within {}, {} are the same in {}: no query changed.",
            "预算 {} 内，{} 的 {} 相同：没有任何查询发生变化。",
        )
        return phrase(*told, budget, _named(left), measure, claims=claims)
    values = together(_AND, [phrase("{} {}", "{} {}", name, _value(s, label, name)) for name in left])
    words = {s.word(a, b, label) for a, b in pairs}
    if words <= {"equivalent", "unchanged"}:
        told = ("Within {}, these are equivalent in {}: {}.", "预算 {} 内，以下系统的 {} 等价：{}。")
        return phrase(*told, budget, measure, values, claims=claims)
    if words == {"untested"}:
        told = (
            "Within {}, which of these is better in {} was not tested: {}.",
            "预算 {} 内，以下系统中哪个的 {} 更好未经检验：{}。",
        )
        return phrase(*told, budget, measure, values, claims=claims)
    told = ("Within {}, these are not to be told apart in {}: {}.", "预算 {} 内，以下系统的 {} 无法区分：{}。")
    return phrase(*told, budget, measure, values, claims=claims)


def _beaten(s: BudgetSweep, measure: str, budget: str, name: str) -> Statement:
    label = s[measure, budget][name].definition
    by = s.beaten_by(name, measure, budget)
    claims = [Claim("verdict of pairs", "better", label, other, name) for other in by]
    value = _value(s, label, name)
    return phrase("{} ({}) is worse than {}", "{}（{}）不如 {}", name, value, _named(by), claims=claims)


def _value(s: BudgetSweep, label: str, system: str) -> str:
    value = next(p.value for p in s.points if (p.definition, p.system) == (label, system))
    return claimed(number(value), "mean", value, label, system)


def _named(names: list[str]) -> Text:
    en = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return Text(en, "、".join(names))


def standing_of(s: BudgetSweep, system: str, measure: str, budget: str) -> str:
    """What is to be said of one system within a budget, in a cell."""
    word = s.standing(system, measure, budget)
    if word == "beaten":
        return phrase("worse than {}", "不如 {}", joined(_AND, s.beaten_by(system, measure, budget)))
    if word == "best":
        return Text("best", "最好")
    label = s[measure, budget][system].definition
    others = [name for name in s.contenders(measure, budget) if name != system]
    words = {s.word(system, other, label) for other in others}
    if words == {"unchanged"}:
        return phrase("the same as {}", "与 {} 相同", joined(_AND, others))
    if words and words <= {"equivalent", "unchanged"}:
        return phrase("equivalent to {}", "与 {} 等价", joined(_AND, others))
    if words == {"untested"}:
        return Text("not tested", "未经检验")
    return Text("open", "无法确定")


def _name(s: BudgetSweep, measure: str) -> str:
    better = Text("higher is better", "越高越好") if s.directions[measure] > 0 else Text("lower is better", "越低越好")
    return phrase("{}, {}", "{}，{}", measure, better)


def _table(s: BudgetSweep, measure: str, digits: int) -> Grid:
    header: list[str] = [
        Text("budget", "预算"),
        Text("system", "系统"),
        measure,
        interval_of(s.confidence_level),
        Text("standing", "地位"),
        Text("results that fit", "放得下的结果数"),
        Text("room left", "未用完"),
    ]
    rows = []
    for budget in s.budgets:
        for i, (name, p) in enumerate(s[measure, budget].items()):
            word = s.standing(name, measure, budget)
            rows.append(
                [
                    Cell(budget if i == 0 else ""),
                    Cell(name),
                    Cell(number(p.value, digits), strong=word == "best"),
                    Cell("" if isnan(p.interval.low) else ranged(*p.interval, digits), quiet=True),
                    Cell(standing_of(s, name, measure, budget), tone=TONES[word]),
                    Cell(number(p.results, 1), quiet=True),
                    Cell("–" if p.exhausted is None else f"{p.exhausted:,}", quiet=True),
                ]
            )
    return Grid(header, rows, frozenset({0, 1, 4}))


def _notes(s: BudgetSweep) -> list[str]:
    return [
        Text(
            "room left: lists that end before the budget, with room for another result of their mean length",
            "未用完：在预算用完前就结束、还放得下一条平均长度结果的列表",
        ),
        phrase(
            "best: better than each other system; verdicts of paired differences at {}, {} of all pairs, "
            "measures and budgets, correction: {}; overlapping intervals decide nothing",
            "最好：优于每个其他系统；依据配对差异在 {} 水平上的结论，所有系统对、指标和预算共 {}，校正方法：{}；"
            "置信区间是否重叠不作为依据",
            claimed(short(s.alpha), "given", s.alpha, "alpha"),
            claimed(counted(s.family, "test", "次检验"), "family of pairs", s.family),
            s.correction,
        ),
        *s.notes,
    ]
