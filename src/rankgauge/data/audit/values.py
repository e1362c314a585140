"""Scores and grades."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge.data.audit.evidence import Evidence, Ranking, number_in
from rankgauge.data.audit.registry import (
    EXAMPLES,
    Found,
    Severity,
    among,
    are,
    check,
    item,
    items,
    of,
    queries,
    show,
)
from rankgauge.data.qrels import HUGE


@check(
    "nan-scores",
    why=Text(
        "A score that is not a number has no place in an order; tools put it first, last or anywhere.",
        "不是数字的得分无法排序；不同工具会放在最前、最后或任意位置。",
    ),
    try_=Text(
        "Find out where they come from. rankgauge ranks them last.",
        "查明来源。rankgauge 把它们排在最后。",
    ),
)
def _nan_scores(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        bad = run.frame.filter(run.frame["score"].is_nan())
        count = bad.height - sum(isnan(number_in(v)) for *_, v in run.not_numbers)  # said as text
        if count > 0:
            n = run.frame.height
            what = Text(f"{of(count, n, 'scores')} {are(count)} NaN.", f"{among(count, n, '个得分')}是 NaN。")
            yield Found(run.name, count, what, items(bad))


@check(
    "infinite-scores",
    why=Text(
        "Infinite scores are usually masks or overflows; all of them tie with each other.",
        "无穷大的得分通常来自掩码或溢出，彼此全部并列。",
    ),
    try_=Text(
        "Leave masked items out of the run, or give them finite scores.",
        "从结果中去掉被掩码的条目，或给它们有限的得分。",
    ),
)
def _infinite_scores(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        bad = run.frame.filter(run.frame["score"].is_infinite())
        if bad.height:
            n, total = bad.height, run.frame.height
            what = Text(f"{of(n, total, 'scores')} {are(n)} infinite.", f"{among(n, total, '个得分')}是无穷大。")
            yield Found(run.name, bad.height, what, items(bad))


@check(
    "text-scores",
    why=Text(
        "Numbers kept as text sort as text elsewhere: '10' comes before '9'.",
        "以文本保存的数字在别处会按文本排序：'10' 排在 '9' 之前。",
    ),
    try_=Text(
        "Store scores and grades as numbers.",
        "把得分和等级存为数字。",
    ),
)
def _text_scores(e: Evidence) -> Iterator[Found]:
    for side in e.sides:
        word = Text("score", "得分") if isinstance(side, Ranking) else Text("grade", "等级")
        n = side.frame.height
        if side.not_numbers:
            count = len(side.not_numbers)
            some = [(item(q, d), show(v)) for q, d, v in side.not_numbers[:EXAMPLES]]
            examples = [Text(f"{where}: {value}", f"{where.zh}：{value}") for where, value in some]
            yield Found(
                side.name,
                count,
                Text(
                    f"{of(count, n, word + 's')} {'is not a number' if count == 1 else 'are not numbers'}.",
                    f"{among(count, n, f'个{word.zh}')}不是数字。",
                ),
                examples,
                "error",
            )
        elif any("was text" in note for note in side.notes):
            what = Text(
                f"{n:,} {word}s were text and have been read as numbers.", f"{n:,} 个{word.zh}是文本，已按数字读取。"
            )
            yield Found(side.name, n, what, (), "note")


@check(
    "negative-grades",
    why=Text(
        "They are kept and count as not relevant with gain 0; bpref and infAP treat them as not judged.",
        "它们被保留，按不相关、增益 0 计；bpref 和 infAP 把它们当作未标注。",
    ),
    try_=Text(
        "Nothing, when they mean spam or not pooled. Otherwise use 0 for what is not relevant.",
        "如果表示垃圾内容或未入池，则无需处理；否则不相关请用 0。",
    ),
)
def _negative_grades(e: Evidence) -> Iterator[Found]:
    import polars as pl

    bad = e.qrels.frame.filter(pl.col("grade") < 0)
    if bad.height:
        values = ", ".join(short(g) for g in bad["grade"].unique().sort().head(EXAMPLES))
        n, total = bad.height, e.qrels.frame.height
        what = Text(
            f"{of(n, total, 'grades')} {are(n)} negative ({values}).", f"{among(n, total, '个等级')}为负（{values}）。"
        )
        yield Found(e.qrels.name, bad.height, what, items(bad), "note")


@check(
    "huge-grades",
    why=Text(
        "Exponential gain (2^grade - 1, also in ERR) leaves nothing but the highest grade of such a scale.",
        "指数增益（2^等级 - 1，ERR 也是）会使这样的等级只剩最高一级起作用。",
    ),
    try_=Text(
        "Use measures with gain=linear, or bring the grades to 0 … 4.",
        "使用 gain=linear 的指标，或把等级换算到 0 … 4。",
    ),
)
def _huge_grades(e: Evidence) -> Iterator[Found]:
    import polars as pl

    bad = e.qrels.frame.filter(pl.col("grade") >= HUGE)
    if bad.height:
        n, total = bad.height, e.qrels.frame.height
        what = Text(
            f"{of(n, total, 'grades')} {are(n)} {HUGE} or more.", f"{among(n, total, '个等级')}达到 {HUGE} 以上。"
        )
        yield Found(e.qrels.name, n, what, items(bad), "note")


@check(
    "fractional-grades",
    why=Text(
        "They are kept as they are; trec_eval and ranx cut them to whole numbers, so their values differ.",
        "它们按原样保留；trec_eval 和 ranx 会截成整数，因此数值不同。",
    ),
    try_=Text(
        "Say which grade is relevant, as in P(rel=0.5)@10; by default that is 1.",
        "指明从哪个等级起算相关，如 P(rel=0.5)@10；默认是 1。",
    ),
)
def _fractional_grades(e: Evidence) -> Iterator[Found]:
    import polars as pl

    grade = pl.col("grade")
    bad = e.qrels.frame.filter(grade != grade.round(0))
    if bad.height:
        below = bad.filter(grade.is_between(0, e.qrels.rel, closed="none")).height
        n, total = bad.height, e.qrels.frame.height
        what = Text(
            f"{of(n, total, 'grades')} {are(n)} not whole numbers"
            + (
                f"; {below:,} lie between 0 and {short(e.qrels.rel)}, below the lowest relevant grade."
                if below
                else "."
            ),
            f"{among(n, total, '个等级')}不是整数"
            + (f"；{below:,} 个介于 0 与 {short(e.qrels.rel)} 之间，低于最低的相关性等级。" if below else "。"),
        )
        yield Found(e.qrels.name, bad.height, what, items(bad), "note")


@check(
    "single-grade",
    why=Text(
        "Measures that need judged non-relevant items (bpref, Judged@k, condensed lists) say nothing here.",
        "需要不相关标注的指标（bpref、Judged@k、压缩列表）在这里没有意义。",
    ),
    try_=Text(
        "Use measures that count unjudged results as not relevant: nDCG, AP, recall, RR.",
        "使用把未标注结果计为不相关的指标：nDCG、AP、召回率、RR。",
    ),
)
def _single_grade(e: Evidence) -> Iterator[Found]:
    n = e.qrels.items.height
    if n and e.qrels.only_positive and e.qrels.relevant.height:
        what = Text(
            f"None of the {n:,} judged items is judged non-relevant.", f"{n:,} 个已标注条目中没有一个标为不相关。"
        )
        yield Found(e.qrels.name, n, what, (), "note")


@check(
    "no-relevant",
    why=Text(
        "Most measures are undefined for a query without relevant items; tools skip it or count 0.",
        "没有相关条目的查询上，大多数指标没有定义；不同工具或跳过，或计为 0。",
    ),
    try_=Text(
        "Choose with no_relevant='skip', 'zero', 'one' or 'nan'.",
        "用 no_relevant='skip'、'zero'、'one'、'nan' 选择处理方式。",
    ),
)
def _no_relevant(e: Evidence) -> Iterator[Found]:
    per_query = e.qrels.relevant_per_query
    names = [*per_query.filter(per_query["n"] == 0)["query_id"], *e.qrels.empty]
    n = per_query.height + len(e.qrels.empty)
    if names:
        severity: Severity = "error" if len(names) == n else "warning" if len(names) > n / 2 else "note"
        without = len(names)
        what = Text(
            f"{of(without, n, 'judged queries')} {'has' if without == 1 else 'have'} no relevant item.",
            f"{among(without, n, '个已标注查询')}没有相关条目。",
        )
        yield Found(e.qrels.name, len(names), what, queries(names), severity)
