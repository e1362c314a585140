"""Queries and lists: what one side has and the other has not, and how long lists are."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

import numpy as np

from rankgauge._numbers import number, short
from rankgauge._text import Text
from rankgauge.data.audit.evidence import DEPTH, Evidence
from rankgauge.data.audit.registry import EXAMPLES, Found, Severity, among, are, check, items, of, queries, show
from rankgauge.data.qrels import MOST_MISSING


@check(
    "missing-queries",
    why=Text(
        "A query without results counts as 0 or leaves the mean, depending on the tool.",
        "没有结果的查询在不同工具中或计为 0，或不计入均值。",
    ),
    try_=Text(
        "Run the missing queries, or choose with missing='zero', 'skip' or 'error'.",
        "补跑缺少的查询，或用 missing='zero'、'skip'、'error' 选择处理方式。",
    ),
)
def _missing_queries(e: Evidence) -> Iterator[Found]:
    judged = e.qrels.known
    for run in e.runs:
        names = judged.filter(~judged.is_in(run.known.implode()))
        if names.len():
            n, total = names.len(), judged.len()
            what = Text(
                f"{of(n, total, 'judged queries')} {are(n)} not in the run.",
                f"{among(n, total, '个已标注查询')}没有结果。",
            )
            severity: Severity = "error" if n > MOST_MISSING * total else "warning"
            yield Found(run.name, n, what, queries(names), severity)


@check(
    "unjudged-queries",
    why=Text(
        "Nothing can be said about a query without judgements; it is left out.",
        "没有标注的查询无法评价，因此不计入。",
    ),
    try_=Text(
        "Nothing, when only a part of the queries was judged.",
        "如果只标注了一部分查询，则无需处理。",
    ),
)
def _unjudged_queries(e: Evidence) -> Iterator[Found]:
    judged = e.qrels.known
    for run in e.runs:
        names = run.known.filter(~run.known.is_in(judged.implode()))
        if names.len():
            n, total = names.len(), run.known.len()
            what = Text(
                f"{of(n, total, 'queries of the run')} {are(n)} not judged.",
                f"系统的 {among(n, total, '个查询')}没有标注。",
            )
            yield Found(run.name, names.len(), what, queries(names), "note")


@check(
    "empty-lists",
    why=Text(
        "A query that finds nothing counts 0 in every mean.",
        "什么都没找到的查询在每个均值中都计为 0。",
    ),
    try_=Text(
        "Check that the search did not fail for these queries.",
        "确认这些查询的检索没有失败。",
    ),
)
def _empty_lists(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        count, examples = len(run.empty), queries(run.empty)
        n = run.names.len() + count
        if count:
            what = Text(f"{of(count, n, 'lists')} {are(count)} empty.", f"{among(count, n, '个列表')}是空的。")
            yield Found(run.name, count, what, examples[:EXAMPLES], "warning" if count > 0.1 * n else "note")


@check(
    "unjudged-share",
    why=Text(
        "Unjudged results count as not relevant, which is hard on a system that finds what nobody looked at.",
        "未标注的结果按不相关计，对找到没人看过的内容的系统不利。",
    ),
    try_=Text(
        "Judge the top results of this run, show Judged@10 beside the measures, or try unjudged='remove'.",
        "标注该系统排在前面的结果，在指标旁给出 Judged@10，或试试 unjudged='remove'。",
    ),
)
def _unjudged_share(e: Evidence) -> Iterator[Found]:
    import polars as pl

    for run in [] if e.qrels.of_users else e.runs:
        share = run.judged_share
        if isnan(share) or share >= 0.9:
            continue
        top = run.top.filter(pl.col("query_id").is_in(e.qrels.items["query_id"].unique().implode()))
        open_ = top.join(e.qrels.items, on=["query_id", "doc_id"], how="anti", maintain_order="left")
        what = Text(
            f"{of(open_.height, top.height, f'results in the first {DEPTH}')} are not judged "
            f"(judged@{DEPTH} {number(share, 3)}).",
            f"前 {DEPTH} 位的 {among(open_.height, top.height, '条结果')}未标注（judged@{DEPTH} {number(share, 3)}）。",
        )
        # where only relevant items are listed, this is precision and says nothing about the judging
        only = e.qrels.only_positive
        doubtful = share < 0.5 and not only
        advice = _ONLY_POSITIVES if only else ""
        yield Found(run.name, open_.height, what, items(open_), "warning" if doubtful else "note", advice)


_ONLY_POSITIVES = Text(
    "Nothing, if everything relevant is listed; otherwise judge the top results of this run.",
    "如果相关条目已全部列出，无需处理；否则请标注该系统排在前面的结果。",
)


@check(
    "sampled-candidates",
    why=Text(
        "Among sampled candidates the target is easy to find: values are far above those of a full ranking, and may "
        "order systems otherwise (Krichene & Rendle 2020).",
        "在抽样候选中目标很容易找到：数值远高于完整排序，系统的先后也可能不同（Krichene & Rendle 2020）。",
    ),
    try_=Text(
        "Rank all items; or estimate what ranking all of them would give (--catalogue-size of evaluate, ev.unsampled "
        "in Python); or name the sampling beside every number.",
        "对全部条目排序；或估计对全部条目排序时的数值（evaluate 用 --catalogue-size，Python 用 ev.unsampled）；"
        "或在每个数值旁说明抽样方式。",
    ),
)
def _sampled_candidates(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        n = run.lengths
        rows, gain = run.gains
        rows = rows[gain >= e.qrels.rel]
        single = e.qrels.relevant_per_query["n"].to_numpy()
        per_list = np.bincount(run.owner[rows], minlength=len(n))
        if not len(n) or len(n) != len(single) or n.min() != n.max() or (single != 1).any() or (per_list != 1).any():
            continue
        place = np.empty(run.frame.height)
        place[run.order] = np.arange(run.frame.height)
        deep = int((2 * (place[rows] + 1 - run.offsets[:-1][run.owner[rows]]) > n[run.owner[rows]]).sum())
        # were lists cut at this length, as many targets would be lost beyond it
        if deep < 5 or run.ids.len() == n[0]:
            continue
        what = Text(
            f"All {len(n):,} lists have exactly {n[0]:,} results and hold their target, {deep:,} in the second half.",
            f"{len(n):,} 个列表都恰好有 {n[0]:,} 条结果且都包含目标，其中 {deep:,} 个在后半部分。",
        )
        yield Found(run.name, len(n), what, ())


@check(
    "extreme-lengths",
    why=Text(
        "Measures over whole lists (AP, recall, set measures) depend on where each list was cut.",
        "针对整个列表的指标（AP、召回率、集合类指标）取决于列表在哪里截断。",
    ),
    try_=Text(
        "Retrieve equally deep for every query, and deeper than the cutoffs of the measures.",
        "每个查询的检索深度应相同，并且深于指标的截断位置。",
    ),
)
def _extreme_lengths(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        n = run.lengths
        if len(n) < 2:
            continue
        middle = float(np.median(n))
        far = (n > 10 * middle) & (n >= 50)
        if far.any():
            longest = sorted(np.flatnonzero(far), key=lambda i: -n[i])[:EXAMPLES]
            names = [(show(run.frame["query_id"][int(run.offsets[i])]), n[i]) for i in longest]
            examples = [Text(f"query {q}: {m:,} results", f"查询 {q}：{m:,} 条结果") for q, m in names]
            count = int(far.sum())
            what = Text(
                f"{of(count, len(n), 'lists')} {are(count)} over ten times the median of {short(middle)} results.",
                f"{among(count, len(n), '个列表')}超过中位长度（{short(middle)} 条结果）的十倍。",
            )
            yield Found(run.name, count, what, examples, "note")
        elif n.min() == n.max() < DEPTH:
            what = Text(
                f"All {len(n):,} lists have exactly {n[0]} {'result' if n[0] == 1 else 'results'}.",
                f"{len(n):,} 个列表都恰好有 {n[0]} 条结果。",
            )
            yield Found(run.name, len(n), what, (), "note")
