"""What a comparison says, as sections: the verdict in a sentence, the numbers, what moved."""

from __future__ import annotations

from math import isnan

from rankgauge._text import Text, joined
from rankgauge.comparison.movement import Movement
from rankgauge.comparison.record import Comparison
from rankgauge.evaluation.rankings.notes import averaged
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.slices import shown_slice
from rankgauge.reporting.bars import interval_strips
from rankgauge.reporting.grid import Cell, Grid, Section, number, p_value, ranged, share, signed
from rankgauge.reporting.suspicions import doubts, sections_of_suspicions
from rankgauge.reporting.verdicts import MOST_SLICES, tone_of, verdict_of_system
from rankgauge.reporting.words import (
    DIFFERENCE,
    MEASURE,
    SLICE,
    VERDICT,
    VERDICTS,
    about,
    counted,
    in_units,
    interval_of,
    listed,
    phrase,
)

__all__ = [
    "TESTS",
    "correction_of",
    "latex_of_comparison",
    "sections_of_comparison",
    "sections_of_movement",
]

_TONE = {"better": "good", "worse": "bad"}
TESTS = {
    "randomisation": Text("paired randomisation test", "配对随机化检验"),
    "t": Text("paired t test", "配对 t 检验"),
    "wilcoxon": Text("Wilcoxon signed-rank test", "Wilcoxon 符号秩检验"),
    "sign": Text("sign test", "符号检验"),
    "bootstrap": Text("paired bootstrap", "配对自助法"),
    "t by group": Text("paired t test over groups", "按组配对 t 检验"),
}
"""What the tests are called."""


def sections_of_comparison(c: Comparison, digits: int = 4, moved: int = 3) -> list[Section]:
    out = sections_of_suspicions(c.suspicions)
    out += [Section(title=verdict_of_system(c, s, digits), tone=tone_of(c, s)) for s in c.systems]
    out += [_table(c, system, digits) for system in c.systems]
    out[-1] = Section(out[-1].title, out[-1].grid, notes=[*method(c), *c.notes], warnings=doubts(c.suspicions))
    if c.sliced:
        out.append(_slices(c, digits))
    if c.pairwise:
        out += _pairwise(c)
    is_ranking = c.evaluations[c.baseline].kind == "rankings"
    if is_ranking and moved and not c.seeds:
        for system in c.systems:
            changed = [m for m in c.query_measures if not c[m, system].unchanged]
            if changed:
                out.append(_moved(c, changed[0], system, moved, digits))
    return out


def latex_of_comparison(c: Comparison, digits: int = 4, moved: int = 3) -> list[Section]:
    """The table of a paper first: a row per system, a column per measure; then all the others."""
    tables = [s for s in sections_of_comparison(c, digits, moved) if s.grid is not None]
    return [*sections_of_suspicions(c.suspicions), _paper(c, digits), *tables]


_MARKS = {"better": "†", "worse": "‡"}


def _paper(c: Comparison, digits: int) -> Section:
    first = c.systems[0]
    means = {c.baseline: {m: c[m, first].mean_baseline for m in c.measures}}
    means |= {system: {m: c[m, system].mean for m in c.measures} for system in c.systems}
    rows = []
    for name, values in means.items():
        cells = [Cell(name)]
        for m, value in values.items():
            best = not isnan(value) and not any(_is_better(c, m, other[m], value) for other in means.values())
            mark = "" if name == c.baseline else _MARKS.get(c[m, name].verdict, "")
            cells.append(Cell(f"{number(value, digits)}{mark}", strong=best))
        rows.append(cells)
    is_ranking = c.evaluations[c.baseline].kind == "rankings"
    n = sorted({x.n for x in c.contrasts})
    over = f"{n[0]:,}" if len(n) == 1 else f"{n[0]:,}–{n[-1]:,}"
    legend = phrase(
        "† better, ‡ worse than {} at {:g}: {}, two-sided, {}; n = {} {}. The best of each column is bold.",
        "† 优于、‡ 差于 {}（显著性水平 {:g}）：{}，双侧，{}；n = {} {}。每列最佳者加粗。",
        c.baseline,
        c.alpha,
        _made(c),
        correction_of(c),
        over,
        _unit(n[-1], is_ranking),
    )
    title = phrase("{} against {}", "{} 对比 {}", listed(c.systems), c.baseline)
    return Section(title, Grid([Text("system", "系统"), *c.measures], rows), legend=[legend])


def _unit(n: int, is_ranking: bool) -> Text:
    """What is counted, after its number."""
    many = Text("queries", "个查询") if is_ranking else Text("units", "个独立单元")
    return many if n != 1 else Text("query" if is_ranking else "unit", many.zh)


def _is_better(c: Comparison, measure: str, a: float, b: float) -> bool:
    better: bool = c.evaluations[c.baseline].column(measure).measure.is_better(a, b)
    return better


def _table(c: Comparison, system: str, digits: int) -> Section:
    rows, ends = [], []
    for x in (x for x in c.contrasts if x.system == system):
        low, high = x.interval
        record = "" if x.wins is None else f"{x.wins}/{x.ties}/{x.losses}"
        rows.append(
            [
                Cell(in_units(x.measure, c.evaluations[c.baseline].column(x.measure).measure.unit)),
                Cell(number(x.mean_baseline, digits)),
                Cell(number(x.mean, digits), strong=x.verdict == "better"),
                Cell(
                    signed(x.difference, digits), strong=x.verdict in ("better", "worse"), tone=_TONE.get(x.verdict, "")
                ),
                Cell("" if isnan(x.relative) else f"{100 * x.relative:+.1f}%", quiet=True),
                Cell(ranged(low, high, digits, sign=True), quiet=True),
                Cell(p_value(x.p_corrected), quiet=True),
                Cell("" if isnan(x.effect) else f"{x.effect:.2f}", quiet=True),
                Cell(record, quiet=True),
                Cell(number(x.detectable, digits), quiet=True),
                Cell(VERDICTS[x.word], strong=x.verdict in ("better", "worse"), tone=_TONE.get(x.verdict, "")),
            ]
        )
        ends.append((low, x.difference, high))
    header = [
        MEASURE,
        c.baseline,
        system,
        DIFFERENCE,
        Text("relative", "相对变化"),
        interval_of(c.confidence_level),
        "p",
        Text("effect", "效应量"),
        "+/=/-",
        Text("detectable", "检出下限"),
        VERDICT,
    ]
    grid = Grid(header, rows, frozenset({0, 10}), interval_strips(ends), spare=[7, 8, 4, 9])
    return Section(phrase("{} against {}", "{} 对比 {}", system, c.baseline), grid)


def correction_of(c: Comparison) -> Text:
    """How p-values were corrected, in words."""
    if c.correction == "none":
        return Text("not corrected", "未校正")
    if c.family == 0:
        return Text("nothing could be tested", "没有可以检验的差异")
    if c.family == 1:
        return Text("one comparison, so nothing to correct", "只有一次比较，无需校正")
    family = counted(c.family, "comparison", "次比较")
    return phrase("corrected by {} over {}", "以 {} 方法按 {}校正", c.correction, family)


_OF_RUNS = Text("t test of jackknife shares", "刀切份额的 t 检验")
_OF_QUANTILES = Text("t test of shares in quantiles", "分位数份额的 t 检验")


def _made(c: Comparison, drawn: str = "") -> str:
    """The test that was made, and the other ones that measures of whole runs have."""
    others: dict[str, list[str]] = {}
    for m in c.measures:
        if m not in c.query_measures:
            is_quantile = c.evaluations[c.baseline].column(m).measure.quantile is not None
            others.setdefault(_OF_QUANTILES if is_quantile else _OF_RUNS, []).append(m)
    if not c.query_measures and len(others) == 1:
        return next(iter(others))
    asked = phrase("{}{}", "{}{}", TESTS.get(c.test, c.test), drawn)
    named = [phrase("{} for {}", "{}（{}）", t, Text(", ".join(ms), "、".join(ms))) for t, ms in others.items()]
    return joined(Text("; ", "；"), [*([asked] if c.query_measures else []), *named])


def method(c: Comparison) -> list[str]:
    n = c.permutations if c.test in ("randomisation", "bootstrap") and c.family else 0
    drawn = Text(f", {n:,} permutations", f"，{n:,} 次置换") if n else ""
    if c.test == "randomisation" and n and (flips := _all_flips(c)):
        many = f"{max(flips):,} " if len(flips) == 1 else ""
        drawn = Text(f", all {many}sign flips", f"，全部 {many}种正负号组合" if many else "，全部正负号组合")
    out: list[str] = [
        phrase(
            "p: {}, two-sided, {}; verdicts at {:g}",
            "p：{}，双侧，{}；显著性水平 {:g}",
            _made(c, drawn),
            correction_of(c),
            c.alpha,
        )
    ]
    base = c.evaluations[c.baseline]
    average = getattr(base.policy, "average", "macro")
    if isinstance(base, RankingEvaluation) and (mixed := averaged(base, c.measures)):
        out += mixed
    elif average != "macro":
        out.append(Text(f"means and differences: average={average}", f"均值与差值：average={average}"))
    if c.test == "randomisation" and average in ("weighted", "micro") and c.family:
        out.append(
            Text(
                "p where queries count unequally: the larger one of this test and the t test of the interval",
                "查询的权重不等时，p 取该检验与置信区间所依据的 t 检验两者中较大的一个",
            )
        )
    margins = {x.measure: x.margin for x in c.contrasts if x.margin is not None}
    if margins:
        within = ", ".join(f"{m} ±{v:g}" for m, v in margins.items())
        out.append(Text(f"equivalent within {within}", f"等价范围：{within}"))
    out.append(
        Text(
            "intervals are not corrected; effect: mean difference over its standard deviation",
            "区间未经校正；效应量：平均差值除以其标准差",
        )
    )
    out.append(_of_detectable(c))
    for name, n_seeds in c.seeds.items():
        spread = ", ".join(f"{m} ±{c.seed_spread[m, name]:.4f}" for m in c.measures)
        said = ("{}: mean of {} runs per query; between runs {}", "{}：每个查询取 {} 次运行的均值；各次运行之间 {}")
        out.append(phrase(*said, name, n_seeds, spread))
    return out


def _all_flips(c: Comparison) -> set[int]:
    """How many choices of signs contrasts have, where all of them were tried in each; nothing elsewhere.

    Only plain changes of queries say how many signs there were: pooled and weighted ones have other shares.
    """
    of_queries = set(c.query_measures)
    tested = [x for x in c.contrasts if not isnan(x.p_value) and x.measure in of_queries]
    if getattr(c.evaluations[c.baseline].policy, "average", "macro") != "macro":
        return set()
    changed = [x.wins + x.losses for x in tested if x.wins is not None and x.losses is not None]
    every = len(changed) == len(tested) and all(2**k <= c.permutations for k in changed)
    return {2**k for k in changed} if every else set()


def _of_detectable(c: Comparison) -> Text:
    is_ranking = c.evaluations[c.baseline].kind == "rankings"
    units = Text("queries", "查询") if is_ranking else Text("units", "独立单元")
    after: Text = Text("", "")
    if any(x.level < c.alpha for x in c.contrasts):
        after = phrase(" after correction for {} tests", "（按 {} 次检验校正后）", c.family)
    return phrase(
        "detectable: a true difference of this size is found 4 times in 5 with these {}{}",
        "检出下限：真实差异达到此值时，用这些{} 5 次中有 4 次能检出{}",
        units,
        after,
    )


def _slices(c: Comparison, digits: int) -> Section:
    rows, ends = [], []
    for x in c.sliced[:MOST_SLICES]:
        low, high = x.interval
        rows.append(
            [
                Cell(shown_slice(x.slice)),
                Cell(x.system),
                Cell(in_units(x.measure, c.evaluations[c.baseline].column(x.measure).measure.unit)),
                Cell(f"{x.n:,}", quiet=True),
                Cell(
                    signed(x.difference, digits), strong=x.verdict in ("better", "worse"), tone=_TONE.get(x.verdict, "")
                ),
                Cell(ranged(low, high, digits, sign=True), quiet=True),
                Cell(p_value(x.p_corrected), quiet=True),
                Cell(VERDICTS[x.word]),
            ]
        )
        ends.append((low, x.difference, high))
    level = interval_of(c.confidence_level)
    header = [SLICE, Text("system", "系统"), MEASURE, "n", DIFFERENCE, level, "p", VERDICT]
    n = len(c.sliced)
    some = ""
    if n > MOST_SLICES:
        some = Text(f"the first {MOST_SLICES} of {n}; ", f"仅列前 {MOST_SLICES} 项，共 {n} 项；")
    made = sum(not isnan(x.p_value) for x in c.sliced)
    family = counted(made, "comparison", "次比较")
    note = phrase("{}p corrected by {} over {}", "{}p 以 {} 方法按 {}校正", some, c.correction, family)
    return Section(
        Text("By slice, the largest losses first", "按切片，损失最大的在前"),
        Grid(header, rows, frozenset({0, 1, 2, 7}), interval_strips(ends), spare=[3]),
        notes=[note],
        folded=True,
    )


def _pairwise(c: Comparison) -> list[Section]:
    names = list(c.evaluations)
    note = Text(
        "randomised Tukey test: corrected for all pairs, systems shuffled inside each query",
        "随机化 Tukey 检验：按全部系统对校正，在每个查询内打乱系统",
    )
    out = []
    for measure, table in c.pairwise.items():
        rows = []
        for i, a in enumerate(names):
            cells = [
                Cell("" if i == j else p_value(float(p)), strong=i != j and p < c.alpha) for j, p in enumerate(table[i])
            ]
            rows.append([Cell(a), *cells])
        title = about(Text("All pairs", "两两比较"), measure)
        out.append(Section(title, Grid(["p", *names], rows), notes=[note], folded=True))
    return out


def _moved(c: Comparison, measure: str, system: str, n: int, digits: int) -> Section:
    x = c[measure, system]
    gained, lost = c.moved(measure, system, n)
    rows = []
    for tone, frame in (("good", gained), ("bad", lost)):
        for row in frame.iter_rows(named=True):
            why = [text for key, text in _CAUSES.items() if row[key]]
            only = phrase("only from {}", "仅由{}造成", joined(Text(" and ", "和"), why))
            rows.append(
                [
                    Cell(row["query_id"]),
                    Cell(number(row[x.baseline], digits)),
                    Cell(number(row[system], digits)),
                    Cell(signed(row["difference"], digits), strong=True, tone=tone),
                    Cell(only if why else "", quiet=True),
                ]
            )
    said = ("{} better, {} the same, {} worse of {}", "{3}中：{0} 个更好，{1} 个相同，{2} 个更差")
    notes: list[str] = [phrase(*said, x.wins, x.ties, x.losses, counted(x.n, "query", "个查询"))]
    frame = c.differences(measure, system)
    moved = frame.filter(frame["difference"] != 0)
    for key, text in _CAUSES_OF_ALL.items():
        if hit := int(moved[key].sum()):
            notes.append(phrase("{} only from {}", "{}仅由{}造成", counted(hit, "difference", "个差值"), text))
    base = c.evaluations[c.baseline]
    known = isinstance(base, RankingEvaluation) and base.has_only_positives  # then all others are wrong by design
    winner = None if known or x.unchanged else c.winner(measure, system)
    if winner is not None:
        bounds = f"{signed(winner.low, digits)} … {signed(winner.high, digits)}"
        told = (
            Text("could change who wins", "可能改变胜负")
            if winner.could_change
            else Text("cannot change who wins", "不会改变胜负")
        )
        said = ("{} of the first results unjudged: judging them {} ({})", "排在前面的结果有 {} 未标注：补标后{}（{}）")
        notes.append(phrase(*said, share(winner.unjudged), told, bounds))
    header = [Text("query", "查询"), x.baseline, system, DIFFERENCE, ""]
    title = phrase("What moved most: {}, {}", "变动最大的查询：{}，{}", measure, system)
    return Section(title, Grid(header, rows, frozenset({0, 4})), notes=notes, folded=True)


_CAUSES = {"only_ties": Text("ties", "并列得分"), "only_unjudged": Text("unjudged results", "未标注结果")}
_CAUSES_OF_ALL = {
    "only_ties": Text("the order of tied scores", "并列得分的先后顺序"),
    "only_unjudged": Text("results that nobody judged", "未标注的结果"),
}


def sections_of_movement(m: Movement, digits: int = 4) -> list[Section]:
    rows = []
    for x in m.items:
        moved = "" if not x.moved else f"{'↑' if x.moved > 0 else '↓'}{abs(x.moved)}"
        rows.append(
            [
                Cell(x.item_id),
                Cell(Text("not judged", "未标注") if x.grade is None else f"{x.grade:g}"),
                Cell("–" if x.rank_a is None else str(x.rank_a)),
                Cell("–" if x.rank_b is None else str(x.rank_b)),
                Cell(moved),
                Cell("" if not x.change else signed(x.change, digits), strong=bool(x.change)),
            ]
        )
    header = [
        Text("item", "条目"),
        Text("grade", "相关性等级"),
        m.run_a,
        m.run_b,
        Text("moved", "移动"),
        Text("worth", "贡献"),
    ]
    title = about(m.query_id, f"{m.measure} {number(m.value_a, digits)} → {number(m.value_b, digits)}")
    notes = [m.note] if m.note else []
    if m.missed:
        missed = counted(m.missed, "relevant item", "个相关条目")
        notes.append(phrase("{} in neither list", "{}在两个列表中都没有", missed))
    return [Section(title, Grid(header, rows), notes=notes)]
