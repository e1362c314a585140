"""Scenarios on a page: what to measure, how deep, what others reach, and what a value is worth."""

from __future__ import annotations

from rankgauge.diagnosis.standards import Band, Scenario, Standards
from rankgauge.errors import ParameterError
from rankgauge.report.grid import Cell, Grid, Section, number

__all__ = ["sections_of_scenario", "sections_of_scenarios"]

_WORDS = {
    "en": {
        "scenario": "scenario",
        "what for": "what for",
        "measures": "measures",
        "measure": "measure",
        "source": "source",
        "one": "One right answer per query is typical: Hit@k and R@k are then the same number.",
        "both": "Read AUC and LogLoss together: `rankgauge predictions` does so.",
        "depths": "Suitable depths",
        "stage": "stage",
        "candidates": "candidates",
        "visible": "what people see",
        "k": "k",
        "benchmarks": "Benchmarks",
        "value": "value",
        "band": "band",
        "level": "level",
        "anchors": "Known systems on public collections",
        "collection": "collection",
        "like": "like",
        "bands": "Bands",
        "range": "range",
        "advice": "what to do",
        "production": "In production",
        "careful": "A band is a first look, not a verdict: what can be reached depends on k, on how many items are "
        "relevant and on the task. Look at the attainable maximum and at your baseline too.",
        "beyond": "With one right answer per query {measure} cannot pass {most}: the benchmark of {value} presumes "
        "several.",
        "more": "`rankgauge scenarios {name}` shows one with its figures.",
        "all": "all",
        "begin": "To begin with, when no scenario fits: {measures} ({source}).",
    },
    "zh": {
        "scenario": "场景",
        "what for": "用途",
        "measures": "指标",
        "measure": "指标",
        "source": "来源",
        "one": "通常每个查询只有一个正确答案：此时 Hit@k 与 R@k 数值相同。",
        "both": "AUC 与 LogLoss 要一起看：`rankgauge predictions` 会给出解读。",
        "depths": "合适的深度",
        "stage": "阶段",
        "candidates": "候选",
        "visible": "用户可见",
        "k": "k",
        "benchmarks": "基准",
        "value": "数值",
        "band": "等级",
        "level": "水平",
        "anchors": "已知系统在公开数据集上的结果",
        "collection": "数据集",
        "like": "类型",
        "bands": "等级",
        "range": "范围",
        "advice": "建议",
        "production": "生产标准",
        "careful": "等级只是初步印象，不是结论：能达到多少取决于 k、相关条目数和任务本身。"
        "请同时看可达上限和自己的基线。",
        "beyond": "每个查询只有一个正确答案时，{measure} 最高为 {most}：基准 {value} 假定有多个正确答案。",
        "more": "`rankgauge scenarios {name}` 查看某个场景的具体数值。",
        "all": "全部",
        "begin": "没有合适的场景时，可以从这些开始：{measures}（{source}）。",
    },
}


def _words(language: str) -> dict[str, str]:
    if language not in _WORDS:
        raise ParameterError(f"`language` must be one of {', '.join(_WORDS)}, got {language!r}.")
    return _WORDS[language]


def _table(header: list[str], rows: list[list[Cell]], numbers: tuple[int, ...] = ()) -> Grid:
    return Grid(header, rows, frozenset(set(range(len(header))) - set(numbers)))


def sections_of_scenarios(standards: Standards, language: str = "en") -> list[Section]:
    """All scenarios: the name, what it is for, the recommended measures."""
    w = _words(language)
    rows = [
        [Cell(s.name, strong=True), Cell(s.description.of(language)), Cell(", ".join(s.measures))]
        for s in standards.scenarios.values()
    ]
    choice = standards.choice
    notes = [
        f"{choice.advice.of(language)} ({choice.source})",
        w["begin"].format(measures=", ".join(choice.measures), source=choice.source),
        w["more"].format(name=next(iter(standards.scenarios))),
    ]
    return [Section(grid=_table([w["scenario"], w["what for"], w["measures"]], rows), notes=notes)]


def sections_of_scenario(standards: Standards, name: str | Scenario, language: str = "en") -> list[Section]:
    """One scenario with every figure that bears on it, each with its source."""
    w = _words(language)
    scenario = name if isinstance(name, Scenario) else standards.scenario(name)
    out = [
        _head(scenario, language),
        _depths(scenario, w),
        _benchmarks(standards, scenario, language),
        _anchors(standards, scenario, language),
        _production(standards, scenario, language),
        _bands(standards, scenario, language),
    ]
    return [section for section in out if section is not None]


def _head(scenario: Scenario, language: str) -> Section:
    w = _words(language)
    notes = [scenario.description.of(language)]
    notes += [w["one"]] * scenario.single_target + [w["both"]] * scenario.order_and_probability
    rows = [[Cell(w["measures"]), Cell(", ".join(scenario.measures)), Cell(scenario.measures_source, quiet=True)]]
    return Section(f"{scenario.title.of(language)} ({scenario.name})", _table(["", "", ""], rows), notes)


def _depths(scenario: Scenario, w: dict[str, str]) -> Section | None:
    rows = [
        [Cell(w[c.stage]), Cell(", ".join(c.measures)), Cell(", ".join(map(str, c.k))), Cell(c.source, quiet=True)]
        for c in scenario.cutoffs
    ]
    header = [w["stage"], w["measures"], w["k"], w["source"]]
    return Section(w["depths"], _table(header, rows)) if rows else None


def _benchmarks(standards: Standards, scenario: Scenario, language: str) -> Section | None:
    w = _words(language)
    rows = []
    for b in standards.benchmarks_for(scenario):
        band = standards.band_of(b.measure, b.value)
        word = "–" if band is None else band.title.of(language)
        rows.append([Cell(b.measure), Cell(number(b.value, 3)), Cell(word), Cell(b.source, quiet=True)])
    header = [w["measure"], w["value"], w["band"], w["source"]]
    return Section(w["benchmarks"], _table(header, rows, (1,)), warnings=_beyond(scenario, w)) if rows else None


def _beyond(scenario: Scenario, w: dict[str, str]) -> list[str]:
    """Benchmarks that no system can reach on data with one right answer per query: precision ends at 1/k there."""
    from rankgauge.measures import P, parse

    out = []
    for b in scenario.benchmarks if scenario.single_target else ():
        m = parse(b.measure)
        if isinstance(m, P) and m.k is not None and b.value > 1 / m.k:
            values = {"most": number(1 / m.k, 3), "value": number(b.value, 3)}
            out.append(w["beyond"].format(measure=b.measure, **values))
    return out


def _anchors(standards: Standards, scenario: Scenario, language: str) -> Section | None:
    w = _words(language)
    anchors = standards.anchors_for(scenario)
    systems = list(dict.fromkeys(a.system for a in anchors))
    rows = []
    for line in dict.fromkeys((a.dataset, a.title, a.measure, a.source) for a in anchors):
        dataset, title, measure, source = line
        values = {a.system: a.value for a in anchors if (a.dataset, a.title, a.measure, a.source) == line}
        figures = [Cell(number(values.get(system), 3)) for system in systems]
        rows.append(
            [Cell(dataset), Cell(title.of(language), quiet=True), Cell(measure), *figures, Cell(source, quiet=True)]
        )
    header = [w["collection"], w["like"], w["measure"], *systems, w["source"]]
    return Section(w["anchors"], _table(header, rows, tuple(range(3, 3 + len(systems))))) if rows else None


def _production(standards: Standards, scenario: Scenario, language: str) -> Section | None:
    """The levels of production quality, for those of the scenario's measures that have them."""
    w = _words(language)
    rows = [
        [Cell(f.measure), Cell(level.title.of(language)), Cell(number(f.value, 3)), Cell(f.source, quiet=True)]
        for measure in scenario.measures
        for level in standards.production.values()
        for f in level.figures
        if f.measure == measure
    ]
    header = [w["measure"], w["level"], w["value"], w["source"]]
    return Section(w["production"], _table(header, rows, (2,))) if rows else None


def _bands(standards: Standards, scenario: Scenario, language: str) -> Section | None:
    w = _words(language)
    sets = dict.fromkeys(bands for measure in scenario.measures if (bands := standards.bands_of(measure)))
    rows = [
        [
            Cell(band.measure),
            Cell(band.title.of(language)),
            Cell(_range(band, w)),
            Cell(band.advice.of(language)),
            Cell(band.source, quiet=True),
        ]
        for bands in sets
        for band in bands
    ]
    header = [w["measure"], w["band"], w["range"], w["advice"], w["source"]]
    return Section(w["bands"], _table(header, rows), warnings=[w["careful"]]) if rows else None


def _range(band: Band, w: dict[str, str]) -> str:
    """`x < 0.5`, `0.5 ≤ x < 0.7`, `x > 0.85`."""
    if band.low is None and band.high is None:
        return w["all"]
    if band.low is None:
        return f"x {'≤' if band.includes_high else '<'} {band.high:g}"
    if band.high is None:
        return f"x {'≥' if band.includes_low else '>'} {band.low:g}"
    if band.low == band.high:
        return f"x = {band.low:g}"
    return f"{band.low:g} {'≤' if band.includes_low else '<'} x {'≤' if band.includes_high else '<'} {band.high:g}"
