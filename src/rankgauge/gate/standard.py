"""Figures of a standard as rules of a gate: the levels of production, the benchmarks of a scenario."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge._claims import claimed, phrase
from rankgauge._numbers import number
from rankgauge._show import show
from rankgauge._text import Text, joined, zh
from rankgauge.diagnosis.standards import Benchmark, Standards, load_standards
from rankgauge.errors import ParameterError, RankgaugeError
from rankgauge.evaluation.rankings.ceiling import ceilings
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.measures.grammar import parse_ranking

__all__ = ["PRODUCTION", "figures_of", "notes_on"]

PRODUCTION = "production"


def figures_of(standard: str | None, level: str | None, standards: str | None) -> tuple[Benchmark, ...]:
    """What a standard asks for; nothing where none is named.

    >>> [(b.measure, b.value) for b in figures_of("production", "good", None)]
    [('R@5', 0.8), ('P@5', 0.75), ('RR', 0.7)]
    >>> [(b.measure, b.value) for b in figures_of("faq", None, None)]
    [('RR', 0.85), ('Hit@3', 0.9), ('P@3', 0.8)]
    """
    if standard is None:
        if level is not None or standards is not None:
            given = "level" if level is not None else "standards"
            raise ParameterError(
                Text(
                    f"`{given}` needs a `standard`: {PRODUCTION}, or a scenario.",
                    f"`{given}` 需要同时给出 `standard`：{PRODUCTION} 或某个场景。",
                )
            )
        return ()
    figures = load_standards(standards)
    if standard.strip().casefold() == PRODUCTION:
        return figures.production_level(level or next(iter(figures.production))).figures
    found = _of_rankings(figures, standard)
    if level is not None:
        raise ParameterError(
            Text(
                f"`level` is for the standard {PRODUCTION}, got {show(level)} with {show(standard)}. Leave it out.",
                f"`level` 只用于标准 {PRODUCTION}，实际为 {show(level)} 和 {show(standard)}。请去掉它。",
            )
        )
    return found


def _of_rankings(figures: Standards, name: str) -> tuple[Benchmark, ...]:
    try:
        scenario = figures.scenario(name)
    except RankgaugeError:
        usable = [s for s in figures.scenarios.values() if s.benchmarks]
        known = ", ".join([PRODUCTION, *(s.name for s in usable)])
        in_chinese = "、".join([PRODUCTION, *(f"{s.name}（{zh(s.title)}）" for s in usable)])
        raise ParameterError(
            Text(
                f"`standard` must be one of {known}, got {show(name)}.",
                f"`standard` 必须是以下之一：{in_chinese}，实际为 {show(name)}。",
            )
        ) from None
    if not scenario.benchmarks:
        raise ParameterError(
            Text(
                f"the scenario {scenario.name} has no benchmarks to hold a run to. Name floors of your own.",
                f"场景 {scenario.name} 没有可供对照的基准。请自行给出 floors。",
            )
        )
    return scenario.benchmarks


def notes_on(standard: str | None, level: str | None, figures: Sequence[Benchmark], ev: RankingEvaluation) -> list[str]:
    """Where the rules come from, and which of them no list of these judgements could meet."""
    if standard is None or not figures:
        return []
    sources = joined(Text(", ", "、"), dict.fromkeys(b.source for b in figures))
    names = joined(Text(", ", "、"), [b.measure for b in figures])
    of: str = standard
    if standard.strip().casefold() == PRODUCTION:
        of = joined(Text(", ", " "), [PRODUCTION, level or "minimum"])
    out: list[str] = [phrase("{}: figures of {} ({})", "{}：采用标准 {} 的数值（{}）", names, of, sources)]
    for b in figures:
        m = parse_ranking(b.measure)
        if m not in ev.measures:
            continue
        label = ev.column(m).label
        best = ceilings(ev, [ev.column(label)])[0]
        if best < b.value:
            told = (
                "{} cannot pass {} with these judgements, whatever the run: give a floor of your own for it",
                "按这些标注，{} 最高为 {}，与系统无关：请为它设定自己的下限",
            )
            out.append(phrase(*told, label, claimed(number(best, 3), "ceiling", best, label, ev.run)))
    return out
