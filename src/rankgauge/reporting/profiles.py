"""Numbers by cutoff, the health of judgements and histograms of scores, as sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isnan

from rankgauge._text import Text
from rankgauge.evaluation.predictions.score_histogram import ScoreHistogram
from rankgauge.evaluation.rankings.by_budget import BudgetPoint, ByBudget
from rankgauge.evaluation.rankings.by_cutoff import ByCutoff, CutoffPoint
from rankgauge.evaluation.rankings.judgement_health import JudgementHealth
from rankgauge.reporting.bars import value_bar
from rankgauge.reporting.grid import Cell, Grid, Section, number, share
from rankgauge.reporting.words import MEASURE, ROWS, counted, phrase

__all__ = [
    "by_budget_notes",
    "by_budget_table",
    "sections_of_by_budget",
    "sections_of_by_cutoff",
    "sections_of_judgement_health",
    "sections_of_score_histogram",
]

_VALUES = {"probability": Text("probabilities", "概率"), "score": Text("scores", "得分")}
_AXES = {"log": Text("log axis", "对数轴"), "linear": Text("linear axis", "线性轴")}


# by cutoff


def sections_of_by_cutoff(b: ByCutoff, digits: int = 4) -> list[Section]:
    level = f"{100 * b.confidence_level:g}"
    notes: list[str] = [
        Text(f"± is half of the {level}% interval of the mean", f"± 为均值 {level}% 置信区间的半宽"),
        _counted_queries(b),
        phrase(
            "the longest list has {}",
            "最长的列表有 {}",
            counted(b.longest, "result", "个结果"),
        ),
    ]
    defined = [f"{m}: {b[m][0].definition}" for m in b.measures if b[m][0].definition != f"{m}@{b[m][0].k}"]
    return [
        Section(
            phrase("{} on {}, by cutoff", "{}，标注 {}，按截断位置", b.run, b.qrels),
            _table(b, lambda p: number(p.value, digits) + _half(p, digits)),
            notes=[*notes, *defined, str(b.policy)],
        ),
        Section(
            Text("What a perfect ranking of the judged items reaches", "已标注条目的完美排序能达到的上限"),
            _table(b, lambda p: number(p.ceiling, digits)),
        ),
    ]


def _table(b: ByCutoff, text: Callable[[CutoffPoint], str]) -> Grid:
    """A row for each cutoff, a column for each measure."""
    points = {(p.measure, p.k): p for p in b.points}
    rows = [[Cell(f"{k:,}"), *(Cell(text(points[m, k])) for m in b.measures)] for k in b.cutoffs]
    return Grid([Text("cutoff", "截断位置"), *b.measures], rows)


def _half(p: CutoffPoint | BudgetPoint, digits: int) -> str:
    low, high = p.interval
    return "" if isnan(low) else f" ±{(high - low) / 2:.{max(digits - 1, 1)}f}".replace("±0.", "±.")


def _counted_queries(b: ByCutoff) -> Text:
    numbers = sorted({p.n for p in b.points})
    if len(numbers) == 1:
        return phrase("{} counted", "计入 {}", counted(numbers[0], "query", "个查询"))
    return phrase("{:,} to {:,} queries counted", "计入 {:,} 至 {:,} 个查询", numbers[0], numbers[-1])


# by budget

UNITS = {"t": Text("tokens", "词元"), "c": Text("characters", "字符")}


def sections_of_by_budget(b: ByBudget, digits: int = 4) -> list[Section]:
    title = phrase("{} on {}, by budget of context", "{}，标注 {}，按上下文预算", b.run, b.qrels)
    return [Section(title, by_budget_table({b.run: b}, digits), notes=[*by_budget_notes(b), str(b.policy)])]


def by_budget_table(runs: Mapping[str, ByBudget], digits: int = 4) -> Grid:
    """A row for each budget of each run, a column for each measure, and what fits."""
    first = next(iter(runs.values()))
    header: list[str] = [Text("budget", "预算"), *([Text("run", "系统")] if len(runs) > 1 else []), *first.measures]
    header += [
        Text("results that fit", "放得下的结果数"),
        Text("nothing fits", "一条也放不下"),
        Text("room left", "未用完"),
    ]
    rows = []
    for i, budget in enumerate(first.budgets):
        for name, b in runs.items():
            points = [b[m][i] for m in first.measures]
            rows.append(
                [
                    Cell(budget),
                    *([Cell(name, quiet=True)] if len(runs) > 1 else []),
                    *(Cell(number(p.value, digits) + _half(p, digits)) for p in points),
                    Cell(number(points[0].results, 1), quiet=True),
                    Cell(f"{points[0].empty:,}", quiet=True),
                    Cell("–" if points[0].exhausted is None else f"{points[0].exhausted:,}", quiet=True),
                ]
            )
    return Grid(header, rows, frozenset({0, 1} if len(runs) > 1 else {0}))


def by_budget_notes(b: ByBudget) -> list[str]:
    """What the numbers rest on."""
    level = f"{100 * b.confidence_level:g}"
    unit = UNITS[b.unit]
    return [
        Text(f"± is half of the {level}% interval of the mean", f"± 为均值 {level}% 置信区间的半宽"),
        phrase("{}, {} counted", "{}，计入 {}", counted(b.queries, "query", "个查询"), _span_of(b)),
        Text(
            f"a list ends before the first result with which its {unit} would pass the budget; repeats are paid again",
            f"列表在{unit.zh}数将超出预算的第一条结果之前结束；重复的内容再付一次",
        ),
        Text(
            "room left: lists that end before the budget, with room for another result of their mean length; a larger "
            "budget finds nothing more in them",
            "未用完：在预算用完前就结束、还放得下一条平均长度结果的列表；再大的预算也不会从中找到更多",
        ),
        *b.notes,
    ]


def _span_of(b: ByBudget) -> str:
    numbers = sorted({p.n for p in b.points})
    return f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} … {numbers[-1]:,}"


# health of judgements


def sections_of_judgement_health(h: JudgementHealth, digits: int = 4) -> list[Section]:
    return [_ranks(h), _grades(h), _ties(h, digits)]


def _ranks(h: JudgementHealth) -> Section:
    reached = [r for r in h.ranks if r.lists]
    rows = [
        [Cell(str(r.rank)), Cell(share(r.share), strong=True), Cell(f"{r.judged:,}"), Cell(f"{r.lists:,}", quiet=True)]
        for r in reached
    ]
    header = [Text("rank", "排名"), Text("judged", "已标注"), Text("results", "条数"), Text("lists", "列表数")]
    o = h.holes
    notes: list[str] = [
        phrase(
            "{} and {}",
            "{}，{}",
            counted(h.n_queries, "query", "个查询"),
            counted(h.n_judgements, "judgement", "条标注"),
        )
    ]
    if o.results:
        notes.append(
            phrase(
                "{} of the first {} results unjudged · {} with a hole there, {:,} with {} or more",
                "前 {1} 个结果中 {0} 未标注 · {2}在其中有未标注的结果，{3:,} 个查询有 {4} 个及以上",
                share(o.share),
                o.top,
                counted(o.queries, "query", "个查询"),
                o.queries_with_many,
                o.many,
            )
        )
    deepest = len(reached)
    if deepest < len(h.ranks):
        notes.append(Text(f"no list goes beyond rank {deepest}", f"没有列表超过第 {deepest} 位"))
    title = phrase("{} on {}: judged results by rank", "{}，标注 {}：各排名的已标注结果", h.run, h.qrels)
    return Section(title, Grid(header, rows, pictures=[value_bar(r.share) for r in reached]), notes=notes)


def _grades(h: JudgementHealth) -> Section:
    rows = [
        [Cell(f"{grade:g}"), Cell(f"{n:,}"), Cell(share(n / h.n_judgements), quiet=True)]
        for grade, n in h.grades.items()
    ]
    r = h.relevant
    notes: list[str] = [
        phrase(
            "{} without a relevant item (grade {:g} and above)",
            "{}没有相关条目（等级 {:g} 及以上为相关）",
            counted(r.queries_without, "query", "个查询"),
            r.rel,
        )
    ]
    if r.queries_with:
        notes.append(
            phrase(
                "relevant items of the other {}: least {:g}, median {:g}, mean {}, most {:g}; exactly one in {:,}",
                "其余 {}的相关条目数：最少 {:g}，中位数 {:g}，均值 {}，最多 {:g}；{:,} 个查询恰有一个",
                counted(r.queries_with, "query", "个查询"),
                r.min,
                r.median,
                number(r.mean, 1),
                r.max,
                r.queries_with_one,
            )
        )
    header = [Text("grade", "相关性等级"), Text("judgements", "标注数"), Text("share", "占比")]
    return Section(Text("Grades", "相关性等级分布"), Grid(header, rows), notes=notes)


def _ties(h: JudgementHealth, digits: int) -> Section:
    rows = [[Cell(t.label), Cell(number(t.tie_width, digits)), Cell(f"{t.queries:,}", quiet=True)] for t in h.ties]
    header = [MEASURE, Text("can move by", "可变动"), Text("queries", "查询数")]
    note = Text("how much the order of results with equal scores can move the mean", "并列结果的顺序能使均值变动多少")
    return Section(Text("What hangs on the order of ties", "并列顺序的影响"), Grid(header, rows), notes=[note])


# scores


def sections_of_score_histogram(s: ScoreHistogram, digits: int = 4) -> list[Section]:
    table = s.csv_rows()
    rows = [
        [
            Cell(f"{r['low']:.{digits}g} … {r['high']:.{digits}g}"),
            Cell(f"{r['rows']:,}", quiet=True),
            Cell(_weight(r["positive"])),
            Cell(_weight(r["negative"])),
            Cell(share(r["positive_share"])),
            Cell(share(r["negative_share"])),
        ]
        for r in table
    ]
    header = [
        _VALUES[s.values],
        ROWS,
        Text("positive", "正样本"),
        Text("negative", "负样本"),
        Text("of the positives", "占正样本"),
        Text("of the negatives", "占负样本"),
    ]
    title: str = Text("Scores of positives and negatives", "正负样本的得分分布")
    if s.model != "score":
        title = phrase("{}: scores of positives and negatives", "{}：正负样本的得分分布", s.model)
    notes = [
        phrase(
            "{} · positives {}, negatives {} · {}",
            "{} · 正样本 {}，负样本 {} · {}",
            counted(s.rows, "row", "行"),
            _weight(s.positive),
            _weight(s.negative),
            _AXES[s.axis],
        ),
        *s.notes,
    ]
    return [Section(title, Grid(header, rows), notes=notes)]


def _weight(x: float) -> str:
    """A number of rows, or a weight where it is not whole."""
    return f"{x:,.0f}" if x == round(x) else f"{x:,.1f}"
