"""Logs, judgements, position bias and click models as sections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rankgauge._text import Text
from rankgauge.reporting.grid import Cell, Grid, Section, count, number, p_value, ranged, share
from rankgauge.reporting.words import ROWS, counted, interval_of, phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rankgauge.behavior.bias.correction import Corrected
    from rankgauge.behavior.bias.identifiability import Identifiability
    from rankgauge.behavior.bias.position_bias import PositionBias
    from rankgauge.behavior.cleaning.clean import Cleaned, RuleCount
    from rankgauge.behavior.click_models.choosing import ClickModelComparison
    from rankgauge.behavior.grading.record import Judgements
    from rankgauge.behavior.grading.sensitivity import Sensitivity

__all__ = [
    "sections_of_cleaned",
    "sections_of_click_models",
    "sections_of_corrected",
    "sections_of_identifiability",
    "sections_of_judgements",
    "sections_of_position_bias",
    "sections_of_sensitivity",
]

_MOST_PAIRS = 10
_METHODS = {
    "all_pairs": Text("all-pairs intervention harvesting", "全配对干预挖掘"),
    "adjacent": Text("adjacent intervention harvesting", "相邻干预挖掘"),
    "em": Text("position-based model by EM", "基于位置的模型（EM）"),
    "randomised": Text("randomised bucket", "随机流量桶"),
    "naive": Text("naive: click rate by rank, relevance mixed in", "朴素：各位置的点击率，混入了相关性"),
}
_COUNTS = {
    "rows_in": Text("rows of the log", "日志行数"),
    "rows_out": Text("rows kept", "保留行数"),
    "impressions": Text("impressions", "曝光"),
    "examined": Text("examined impressions", "有效曝光"),
    "pairs": Text("pairs of query and item", "查询-物品对"),
    "judged": Text("pairs judged", "得到标注的对"),
    "too_little": Text("not judged: too few impressions", "不作标注：曝光太少"),
    "no_event": Text("not judged: no event in the query", "不作标注：查询没有事件"),
    "single_item": Text("not judged: nothing to compare with", "不作标注：没有可比较的物品"),
    "alike": Text("not judged: items differ by chance only", "不作标注：物品差异仅为随机波动"),
    "like_prior": Text("not judged: like the prior", "不作标注：与先验无法区分"),
    "queries": Text("queries", "查询"),
    "queries_judged": Text("queries judged", "得到标注的查询"),
    "queries_without_event": Text("queries without any event", "没有任何事件的查询"),
    "queries_alike": Text("queries whose items differ by chance only", "物品差异仅为随机波动的查询"),
    "queries_all_lowest": Text("judged queries without an item above grade 0", "没有等级高于 0 的物品的已标注查询"),
}


def _rules(rules: Sequence[RuleCount]) -> Grid:
    rows = [
        [
            Cell(r.what),
            Cell(f"{r.rows:,}", strong=bool(r.rows) and r.lost),
            Cell(f"{r.of:,}", quiet=True),
            Cell(share(r.share), quiet=True),
            Cell(Text("left out", "剔除") if r.lost else Text("marked", "标记"), quiet=True),
        ]
        for r in rules
    ]
    header = [Text("rule", "规则"), ROWS, Text("of", "共"), Text("share", "占比"), ""]
    return Grid(header, rows, frozenset({0, 4}))


def sections_of_cleaned(c: Cleaned, digits: int = 4) -> list[Section]:
    kept = counted(c.n_impressions, "impression", "次曝光")
    title = Text(
        f"{c.name or 'log'}: {kept} from {c.rows_in:,} rows", f"{c.name or 'log'}：{c.rows_in:,} 行日志，{kept.zh}"
    )
    return [Section(title, _rules(c.rules), notes=[*_dwell(c.dwell), *c.notes])]


def _dwell(found: Any) -> list[str]:
    if found is None:
        return []
    return [
        Text(
            f"clicks below {found.overall:.3g} s count as accidents ({found.clicks:,} clicks have a dwell time)",
            f"停留时长不足 {found.overall:.3g} 秒的点击视为误触（{found.clicks:,} 次点击有停留时长）",
        )
    ]


# judgements


def sections_of_judgements(j: Judgements, digits: int = 4) -> list[Section]:
    n_queries = j.summary.queries
    title = Text(
        f"{count(len(j), 'judgement')} of {count(n_queries, 'query')} from {j.name or 'the log'}",
        f"由 {j.name or '日志'} 得到 {n_queries:,} 个查询的 {len(j):,} 条标注",
    )
    made = j.settings
    events = ", ".join(f"{e}={g:g}" for e, g in made.values.items())
    notes = [
        Text(
            f"events {events}; aggregate={made.aggregate}; at least {made.min_impressions:,} examined impressions",
            f"事件 {events}；aggregate={made.aggregate}；至少 {made.min_impressions:,} 次有效曝光",
        )
    ]
    if j.prior is not None:
        a, b = j.prior
        notes.append(Text(f"Beta prior of the log: {a:.3g}, {b:.3g}", f"整个日志的 Beta 先验：{a:.3g}, {b:.3g}"))
    notes.append(
        Text(
            "not corrected for position: people click what they see. `rankgauge bias` says how much",
            "未校正位置偏差：人们只点击看到的东西。`rankgauge bias` 可估计其程度",
        )
    )
    return [
        Section(title, _grades(j), notes=[*notes, *j.notes]),
        Section(Text("What cleaning did", "清洗结果"), _rules(j.rules), notes=_dwell(j.dwell)),
        Section(Text("Counts", "计数"), _counts(j)),
        Section(Text("The surest of the best", "证据最充分的优质物品"), _best(j, digits), folded=True),
    ]


def _grades(j: Judgements) -> Grid:
    total = max(len(j), 1)
    rows = [[Cell(g), Cell(f"{n:,}"), Cell(share(n / total), quiet=True)] for g, n in j.summary.grades]
    return Grid([Text("grade", "相关性等级"), Text("judgements", "标注数"), Text("share", "占比")], rows)


def _counts(j: Judgements) -> Grid:
    rows = [[Cell(_COUNTS.get(k, k.replace("_", " "))), Cell(f"{v:,}")] for k, v in j.counts.items()]
    return Grid([Text("count", "计数"), ""], rows)


def _best(j: Judgements, digits: int) -> Grid:
    rows = [
        [
            Cell(row.query_id),
            Cell(row.item_id),
            Cell(f"{row.impressions:,}", quiet=True),
            Cell(number(row.rate, digits)),
            Cell(number(row.posterior, digits), strong=True),
            Cell(f"{number(row.low, digits)} … {number(row.high, digits)}", quiet=True),
            Cell(f"{row.grade:.3g}"),
        ]
        for row in j.summary.surest
    ]
    header = [
        Text("query", "查询"),
        Text("item", "物品"),
        Text("impressions", "曝光"),
        Text("raw", "原始"),
        Text("posterior", "后验"),
        interval_of(j.settings.confidence_level),
        Text("grade", "相关性等级"),
    ]
    return Grid(header, rows, frozenset({0, 1}))


def sections_of_sensitivity(s: Sensitivity, digits: int = 4) -> list[Section]:
    systems = s.systems
    rows = []
    for name, measure in dict.fromkeys((r.alternative, r.measure) for r in s.rows):
        flips = any((f.alternative, f.measure) == (name, measure) for f in s.flips)
        cells = [Cell(number(s.value(name, measure, system), digits)) for system in systems]
        rows.append([Cell(name), Cell(measure), *cells, Cell(_FLIPS if flips else "", strong=flips)])
    header = [Text("choice", "方案"), Text("measure", "指标"), *systems, ""]
    notes = [*(f.to_text() for f in s.flips[1:]), *s.notes]
    tone = "same" if s.is_stable else "bad"
    grid = Grid(header, rows, frozenset({0, 1, len(header) - 1}))
    return [Section(s.summary, tone=tone), Section("", grid, notes=notes)]


_FLIPS = Text("the order flips", "次序翻转")


# position bias


def sections_of_position_bias(b: PositionBias, digits: int = 4) -> list[Section]:
    rows = [
        [
            Cell(str(p)),
            Cell(number(float(b.propensity[i]), digits), strong=True),
            Cell(ranged(float(b.low[i]), float(b.high[i]), digits), quiet=True),
            Cell(number(float(b.click_rate[i]), digits), quiet=True),
            Cell(
                number(float(b.click_rate[i] / b.click_rate[0]) if b.click_rate[0] else float("nan"), digits),
                quiet=True,
            ),
            Cell(f"{b.impressions[i]:,.0f}", quiet=True),
            Cell(f"{b.clicks[i]:,.0f}", quiet=True),
        ]
        for i, p in enumerate(b.positions)
    ]
    header = [
        Text("position", "位置"),
        Text("propensity", "浏览倾向"),
        interval_of(b.confidence_level),
        Text("click rate", "点击率"),
        Text("naive", "朴素"),
        Text("impressions", "曝光"),
        Text("clicks", "点击"),
    ]
    how = _METHODS.get(b.method, b.method)
    notes: list[str] = [
        phrase(
            "{}; errors over {:,} {}", "{}；误差按 {:,} 个{}计算", how, b.clusters, _UNITS.get(b.cluster, b.cluster)
        ),
        Text("naive: click rate over that of the first position", "朴素：该位置点击率与首位点击率之比"),
    ]
    warnings = []
    if b.is_naive:
        warnings.append(
            Text(
                "good items stand at the top, so a click rate by rank says more than position: not a propensity",
                "好结果本来就排在前面，各位置的点击率混入了相关性，不能当作浏览倾向",
            )
        )
    if b.left_out:
        warnings.append(phrase("left out: {}", "略去：{}", b.identifiability.reason))
    if b.converged is False:
        warnings.append(Text("EM stopped before it converged", "EM 未收敛就停止了"))
    title = phrase("How much each position is looked at: {}", "各位置被浏览的程度：{}", b.behaviour)
    notes += [n for n in b.notes if n not in warnings]
    return [Section(title, Grid(header, rows), notes=notes, warnings=warnings)]


_UNITS = {
    "pair": Text("pairs", "查询-物品对"),
    "query": Text("queries", "查询"),
    "impression": Text("impressions", "曝光"),
}


def sections_of_identifiability(i: Identifiability, digits: int = 4) -> list[Section]:
    rows = [[Cell(f"{e.low} – {e.high}"), Cell(f"{e.pairs:,}"), Cell(f"{e.support:,.0f}")] for e in i.edges]
    header = [Text("positions", "位置"), Text("pairs that moved", "移动过的对"), Text("support", "支持度")]
    return [Section(i.reason, Grid(header, rows))]


def sections_of_corrected(c: Corrected, digits: int = 4) -> list[Section]:
    # ids decide between equal clicks: the same log shows the same rows
    frame = c.frame.sort(["clicks", "query_id", "item_id"], descending=[True, False, False]).head(_MOST_PAIRS)
    rows = [
        [
            Cell(str(row["query_id"])),
            Cell(str(row["item_id"])),
            Cell(f"{row['impressions']:,.0f}", quiet=True),
            Cell(f"{row['clicks']:,.0f}", quiet=True),
            *(Cell(number(row[m], digits), strong=m == "snips") for m in c.methods),
        ]
        for row in frame.iter_rows(named=True)
    ]
    header = [
        Text("query", "查询"),
        Text("item", "物品"),
        Text("impressions", "曝光"),
        Text("clicks", "点击"),
        *(_CORRECTIONS.get(m, m) for m in c.methods),
    ]
    notes: list[str] = []
    if c.frame.height > _MOST_PAIRS:
        notes.append(Text(f"the {_MOST_PAIRS} pairs with most clicks", f"仅列点击最多的 {_MOST_PAIRS} 对"))
    if "clipped" in c.methods:
        notes.append(
            Text(
                f"clipped at a weight of {c.clip:g}: {share(c.mass_clipped)} of the weight of clicks is gone",
                f"权重截断于 {c.clip:g}：去掉了点击权重的 {share(c.mass_clipped)}",
            )
        )
    title = phrase("Relevance of {:,} pairs, raw and corrected", "{:,} 对的相关性：原始与校正", c.frame.height)
    return [Section(title, Grid(header, rows, frozenset({0, 1})), notes=[*notes, *c.notes])]


_CORRECTIONS = {
    "raw": Text("raw", "原始"),
    "ips": "IPS",
    "snips": Text("self-normalised", "自归一化"),
    "clipped": Text("clipped", "截断"),
    "coec": "COEC",
}


# click models


def sections_of_click_models(c: ClickModelComparison, digits: int = 4) -> list[Section]:
    rows = [
        [
            Cell(m.name, strong=m.name == c.best),
            Cell(number(m.per_session, digits), strong=m.name == c.best),
            Cell(number(m.perplexity, digits)),
            Cell(number(m.conditional_perplexity, digits)),
            Cell("" if m.name == c.best else number(m.behind, digits)),
            Cell("" if m.name == c.best else ranged(*m.interval, digits), quiet=True),
            Cell("" if m.name == c.best else p_value(m.p_value), quiet=True),
        ]
        for m in c.models
    ]
    header = [
        Text("model", "模型"),
        Text("log-likelihood per session", "每会话对数似然"),
        Text("perplexity", "困惑度"),
        Text("given clicks above", "给定前面的点击"),
        Text("behind", "落后"),
        interval_of(c.confidence_level),
        "p",
    ]
    notes = [
        Text(
            f"fitted on {c.n_fitted:,} sessions, judged on {c.n_judged:,} others; perplexity 1 knows every click, "
            "2 is a coin",
            f"用 {c.n_fitted:,} 个会话拟合，用另外 {c.n_judged:,} 个检验；困惑度 1 表示完全预知，2 相当于抛硬币",
        )
    ]
    return [Section(c.reason, Grid(header, rows), notes=[*notes, *c.notes])]
