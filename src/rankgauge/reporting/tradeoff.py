"""Systems in several measures at once as sections: who is dominated by whom, and how sure that is."""

from __future__ import annotations

from rankgauge._claims import Claim, Statement
from rankgauge._numbers import short
from rankgauge._text import Text, joined
from rankgauge.comparison.comparing import tests_made
from rankgauge.comparison.tradeoff import Tradeoff
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged
from rankgauge.reporting.suspicions import doubts, sections_of_suspicions
from rankgauge.reporting.words import claimed, counted, interval_of, phrase, together

__all__ = ["BETTER", "headline", "measure_name", "notes_on", "sections_of_tradeoff", "standing_of", "table_of"]

BETTER = {
    1: Text("higher is better", "越高越好"),
    -1: Text("lower is better", "越低越好"),
    0: Text("neither too high nor too low", "既不过高也不过低为好"),
}
_AND = Text(", ", "、")
TONES = {"dominated": "bad", "undominated": "good", "open": ""}


def sections_of_tradeoff(t: Tradeoff, digits: int = 4) -> list[Section]:
    tone = "bad" if any(t.standing(s) == "dominated" for s in t.systems) else "open"
    return [
        *sections_of_suspicions(t.suspicions),
        Section(headline(t), tone=tone),
        Section("", table_of(t, digits), notes=notes_on(t), warnings=doubts(t.suspicions)),
    ]


def measure_name(t: Tradeoff, measure: str) -> str:
    """A measure with what better means."""
    return phrase("{}, {}", "{}，{}", measure, BETTER[t.directions[measure]])


def headline(t: Tradeoff) -> Statement:
    """Who is dominated and who is not, as far as the differences say."""
    about = ", ".join(t.measures)
    by: dict[str, list[str]] = {}
    for name in t.systems:
        by.setdefault(t.standing(name), []).append(name)

    def named(standing: str) -> Statement:
        names = by[standing]
        return Statement(*_listed(names), [Claim("standing", standing, about, name) for name in names])

    said = [_dominated(t, name) for name in by.get("dominated", [])]
    if "undominated" in by:
        told = (
            "No other dominates {}: beside each there is something in which it is better.",
            "{} 不被任何系统支配：与每个系统相比都有更好的指标。",
        )
        said.append(phrase(*told, named("undominated")))
    alike = _same(t, by.get("open", []))
    said += [_said_of_same(t, group) for group in alike]
    by["open"] = [name for name in by.get("open", []) if not _is_clear(t, name)]
    if by["open"]:
        said.append(phrase("Of {} it is not clear.", "{} 是否被支配尚不清楚。", named("open")))
    if t.family > tests_made(c.p_value for c in t.contrasts):
        told = (
            "Corrected for {}, those in other measures among them: in these measures alone more may be clear.",
            "已按 {}校正，其中包括其他指标上的检验：只看这些指标时，能确定的可能更多。",
        )
        said.append(phrase(*told, claimed(counted(t.family, "test", "次检验"), "family of pairs", t.family)))
    return together(Text(" ", ""), said)


def _is_clear(t: Tradeoff, name: str) -> bool:
    """Whether only those that are the same leave it open."""
    others = [o for o in t.systems if o != name and o not in t.same_as(name)]
    return all(any(t.word(name, o, m) == "better" for m in t.measures) for o in others)


def _same(t: Tradeoff, names: list[str]) -> list[list[str]]:
    """Systems beside which nothing changed, together."""
    groups = [[name for name in t.systems if name == one or name in t.same_as(one)] for one in names]
    return [group for i, group in enumerate(groups) if len(group) > 1 and group not in groups[:i]]


def _said_of_same(t: Tradeoff, group: list[str]) -> Statement:
    first, *others = group
    claims = [Claim("verdict of pairs", t.word(first, o, m), m, first, o) for o in others for m in t.measures]
    told = (
        "{} are the same in these measures: no query changed.",
        "{} 在这些指标上相同：没有任何查询发生变化。",
    )
    return phrase(*told, Statement(*_listed(group), claims))


def _listed(names: list[str]) -> tuple[str, str]:
    en = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return en, "、".join(names)


def _dominated(t: Tradeoff, name: str) -> Statement:
    """A system, who dominates it, and in what those are better."""
    by = t.dominators(name)
    first = by[0]
    better = [m for m in t.measures if t.word(first, name, m) == "better"]
    alike = [m for m in t.measures if m not in better]
    about = ", ".join(t.measures)
    claims = [
        Claim("standing", "dominated", about, name),
        *(Claim("dominates", True, about, other, name) for other in by),
        *(Claim("verdict of pairs", t.word(first, name, m), m, first, name) for m in t.measures),
    ]
    in_better = Text(*_listed(better))
    same: str = Text("", "")
    if alike:
        same = phrase(", and no different in {}", "，在 {} 上没有差别", Text(*_listed(alike)))
    others: str = Text("", "")
    if len(by) > 1:
        others = phrase(", and also by {}", "，也被 {} 支配", Text(*_listed(by[1:])))
    return phrase(
        "{} is dominated by {}, which is better in {}{}{}.",
        "{} 被 {} 支配，后者在 {} 上更好{}{}。",
        name,
        first,
        in_better,
        same,
        others,
        claims=claims,
    )


def standing_of(t: Tradeoff, system: str) -> Statement:
    """What is to be said of one system, in a cell."""
    about, word = ", ".join(t.measures), t.standing(system)
    claims = [Claim("standing", word, about, system)]
    if word == "dominated":
        by = t.dominators(system)
        claims += [Claim("dominates", True, about, other, system) for other in by]
        return phrase("dominated by {}", "被 {} 支配", joined(_AND, by), claims=claims)
    if word == "undominated":
        return phrase("not dominated", "未被支配", claims=claims)
    if (same := t.same_as(system)) and _is_clear(t, system):
        return phrase("the same as {}", "与 {} 相同", joined(_AND, same), claims=claims)
    seems = t.seeming_dominators(system)
    if not seems:
        return phrase("not clear", "不清楚", claims=claims)
    claims += [Claim("seems to dominate", True, about, other, system) for other in seems]
    return phrase(
        "not clear; by the values dominated by {}", "不清楚；仅看数值被 {} 支配", joined(_AND, seems), claims=claims
    )


def table_of(t: Tradeoff, digits: int = 4) -> Grid:
    header: list[str] = [Text("system", "系统"), Text("standing", "地位")]
    for m in t.measures:
        header += [m, interval_of(t.confidence_level)]
    rows = []
    for name in t.systems:
        cells = [Cell(name), Cell(standing_of(t, name), tone=TONES[t.standing(name)])]
        for m in t.measures:
            p = t[name, m]
            cells += [Cell(number(p.value, digits)), Cell(ranged(*p.interval, digits), quiet=True)]
        rows.append(cells)
    return Grid(header, rows, frozenset({0, 1}))


def notes_on(t: Tradeoff) -> list[str]:
    """What dominated means here, and what it rests on."""
    about = [measure_name(t, m) for m in t.measures]
    tests = claimed(counted(t.family, "test", "次检验"), "family of pairs", t.family)
    return [
        joined(Text("; ", "；"), about),
        phrase(
            "dominated: another system is better in one of these measures and surely not worse in any; not dominated: "
            "beside each other system it is better in one; verdicts of paired differences at {}, {} of all pairs "
            "and measures, correction: {}; overlapping intervals decide nothing",
            "被支配：另一系统在其中一个指标上更好，且在所有指标上确定不差；未被支配：与每个其他系统相比都至少在一个指标上更好；"
            "依据配对差异在 {} 水平上的结论，所有系统对和指标共 {}，校正方法：{}；置信区间是否重叠不作为依据",
            claimed(short(t.alpha), "given", t.alpha, "alpha"),
            tests,
            t.correction,
        ),
        *t.notes,
    ]
