"""Scenarios on a page: what to measure, how deep, what others reach, and what a value is worth."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.diagnosis.standards import Band, Scenario, Standards
from rankgauge.reporting.grid import Cell, Grid, Section, number, said
from rankgauge.reporting.words import MEASURE, VALUE, phrase

__all__ = ["sections_of_scenario", "sections_of_scenarios"]

_MEASURES, _SOURCE, _BAND = Text("measures", "指标"), Text("source", "来源"), Text("band", "评级")
_WITH_TRAIN = Text("with --train also", "给出 --train 时另有")
_TO_DO = Text("what to do", "建议")
_STAGES = {"candidates": Text("candidates", "候选"), "visible": Text("what people see", "用户可见")}
_ONE = Text(
    "One right answer per query is typical: Hit@k and R@k are then the same number.",
    "通常每个查询只有一个正确答案：此时 Hit@k 与 R@k 数值相同。",
)
_OF_USERS = Text(
    "Where judgements are what users did afterwards, as is usual here, no band holds: compare with the most popular "
    "items (rankgauge baseline).",
    "标注是用户之后的行为时（这里通常如此），分档不适用：请与最热门的物品对比（rankgauge baseline）。",
)
_BOTH = Text(
    "Read AUC and LogLoss together: `rankgauge predictions` does so.",
    "AUC 与 LogLoss 要一起看：`rankgauge predictions` 会给出解读。",
)
_CAREFUL = Text(
    "A band is a first look, not a verdict: what can be reached depends on k, on how many items are relevant and on "
    "the task. Look at the ceiling of these judgements and at your baseline too.",
    "评级只是初步印象，不是结论：能达到多少取决于 k、相关条目数和任务本身。请同时看可达上限和自己的基线。",
)


def _table(header: list[str], rows: list[list[Cell]], numbers: tuple[int, ...] = ()) -> Grid:
    return Grid(header, rows, frozenset(set(range(len(header))) - set(numbers)))


def sections_of_scenarios(standards: Standards, language: str | None = None) -> list[Section]:
    """All scenarios: name and title, what each is for, the recommended measures."""
    rows = [
        [Cell(s.name, strong=True), Cell(s.title), Cell(s.description), Cell(", ".join(s.measures))]
        for s in standards.scenarios.values()
    ]
    choice = standards.choice
    notes = [
        phrase("{} ({})", "{}（{}）", choice.advice, choice.source),
        phrase(
            "To begin with, when no scenario fits: {} ({}).",
            "没有合适的场景时，可以从这些开始：{}（{}）。",
            ", ".join(choice.measures),
            choice.source,
        ),
        phrase(
            "`rankgauge scenarios {}` shows one with its figures.",
            "`rankgauge scenarios {}` 查看某个场景的具体数值。",
            next(iter(standards.scenarios)),
        ),
    ]
    header: list[str] = [Text("scenario", "场景"), Text("title", "名称"), Text("what for", "用途"), _MEASURES]
    return _in([Section(grid=_table(header, rows), notes=notes)], language)


def sections_of_scenario(standards: Standards, name: str | Scenario, language: str | None = None) -> list[Section]:
    """One scenario with every figure that bears on it, each with its source."""
    scenario = name if isinstance(name, Scenario) else standards.scenario(name)
    out = [
        _head(scenario),
        _depths(scenario),
        _benchmarks(standards, scenario),
        _anchors(standards, scenario),
        _production(standards, scenario),
        _advice(scenario),
        _bands(standards, scenario),
    ]
    return _in([section for section in out if section is not None], language)


def _in(sections: list[Section], language: str | None) -> list[Section]:
    """In one language where it is asked for, else in both."""
    return sections if language is None else said(sections, language)


def _head(scenario: Scenario) -> Section:
    told = ((_OF_USERS, scenario.of_users), (_ONE, scenario.single_target), (_BOTH, scenario.order_and_probability))
    notes = [scenario.description, *(text for text, is_so in told if is_so)]
    rows = [[Cell(_MEASURES), Cell(", ".join(scenario.measures)), Cell(scenario.measures_source, quiet=True)]]
    if scenario.shown:
        rows.append([Cell(_WITH_TRAIN), Cell(", ".join(scenario.shown)), Cell("")])
    return Section(phrase("{} ({})", "{}（{}）", scenario.title, scenario.name), _table(["", "", ""], rows), notes)


def _depths(scenario: Scenario) -> Section | None:
    rows = [
        [
            Cell(_STAGES[c.stage]),
            Cell(", ".join(c.measures)),
            Cell(", ".join(map(str, c.k))),
            Cell(c.source, quiet=True),
        ]
        for c in scenario.cutoffs
    ]
    header = [Text("stage", "阶段"), _MEASURES, "k", _SOURCE]
    return Section(Text("Suitable depths", "合适的深度"), _table(header, rows)) if rows else None


def _benchmarks(standards: Standards, scenario: Scenario) -> Section | None:
    rows = []
    for b in standards.benchmarks_for(scenario):
        band = standards.band_of(b.measure, b.value)
        word = "–" if band is None else band.title
        rows.append([Cell(b.measure), Cell(number(b.value, 3)), Cell(word), Cell(b.source, quiet=True)])
    if not rows:
        return None
    grid = _table([MEASURE, VALUE, _BAND, _SOURCE], rows, (1,))
    return Section(Text("Benchmarks", "基准"), grid, warnings=_beyond(scenario))


def _beyond(scenario: Scenario) -> list[str]:
    """Benchmarks that no system can reach on data with one right answer per query: precision ends at 1/k there."""
    from rankgauge.measures import Measure, parse

    out: list[str] = []
    for b in scenario.benchmarks if scenario.single_target else ():
        m = parse(b.measure)
        most = float(m.most_with(1.0)) if isinstance(m, Measure) else float("nan")
        if b.value > most:
            out.append(
                phrase(
                    "With one right answer per query {} cannot pass {}: the benchmark of {} presumes several.",
                    "每个查询只有一个正确答案时，{} 最高为 {}：基准 {} 假定有多个正确答案。",
                    b.measure,
                    number(most, 3),
                    number(b.value, 3),
                )
            )
    return out


def _anchors(standards: Standards, scenario: Scenario) -> Section | None:
    anchors = standards.anchors_for(scenario)
    systems = list(dict.fromkeys(a.system for a in anchors))
    rows = []
    for line in dict.fromkeys((a.dataset, a.title, a.measure, a.source) for a in anchors):
        dataset, title, measure, source = line
        values = {a.system: a.value for a in anchors if (a.dataset, a.title, a.measure, a.source) == line}
        figures = [Cell(number(values.get(system), 3)) for system in systems]
        rows.append([Cell(dataset), Cell(title, quiet=True), Cell(measure), *figures, Cell(source, quiet=True)])
    if not rows:
        return None
    header = [Text("collection", "数据集"), Text("like", "类型"), MEASURE, *systems, _SOURCE]
    title = Text("Known systems on public collections", "已知系统在公开数据集上的结果")
    return Section(title, _table(header, rows, tuple(range(3, 3 + len(systems)))))


def _production(standards: Standards, scenario: Scenario) -> Section | None:
    """The levels of production quality, for those of the scenario's measures that have them."""
    rows = [
        [Cell(f.measure), Cell(level.title), Cell(number(f.value, 3)), Cell(f.source, quiet=True)]
        for measure in scenario.measures
        for level in standards.production.values()
        for f in level.figures
        if f.measure == measure
    ]
    header: list[str] = [MEASURE, Text("level", "水平"), VALUE, _SOURCE]
    return Section(Text("In production", "生产标准"), _table(header, rows, (2,))) if rows else None


def _advice(scenario: Scenario) -> Section | None:
    rows = [[Cell(a.measure), Cell(a.text), Cell(a.source, quiet=True)] for a in scenario.advice]
    return Section(Text("What raises them", "提升办法"), _table([MEASURE, _TO_DO, _SOURCE], rows)) if rows else None


def _bands(standards: Standards, scenario: Scenario) -> Section | None:
    sets = dict.fromkeys(bands for measure in scenario.measures if (bands := standards.bands_of(measure)))
    rows = [
        [
            Cell(band.measure),
            Cell(band.title),
            Cell(_range(band)),
            Cell(band.advice),
            Cell(band.source, quiet=True),
        ]
        for bands in sets
        for band in bands
    ]
    header: list[str] = [MEASURE, _BAND, Text("range", "范围"), _TO_DO, _SOURCE]
    return Section(Text("Bands", "评级"), _table(header, rows), warnings=[_CAREFUL]) if rows else None


def _range(band: Band) -> str:
    """`x < 0.5`, `0.5 ≤ x < 0.7`, `x > 0.85`."""
    if band.low is None and band.high is None:
        return Text("all", "全部")
    if band.low is None:
        return f"x {'≤' if band.includes_high else '<'} {band.high:g}"
    if band.high is None:
        return f"x {'≥' if band.includes_low else '>'} {band.low:g}"
    if band.low == band.high:
        return f"x = {band.low:g}"
    return f"{band.low:g} {'≤' if band.includes_low else '<'} x {'≤' if band.includes_high else '<'} {band.high:g}"
