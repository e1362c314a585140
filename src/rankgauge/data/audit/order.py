"""The order of results: which end is best, ranks against scores, ties."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import lgamma, log, sqrt
from typing import Any

import numpy as np

from rankgauge._numbers import number, short
from rankgauge._text import Text
from rankgauge.data.audit.evidence import DEPTH, Evidence, Ranking
from rankgauge.data.audit.registry import EXAMPLES, Found, Severity, among, check, item, of, queries, show


@check(
    "worst-first",
    why=Text(
        "The best results rank last: lists must begin with the best result, and higher scores must be better.",
        "最好的结果排在了最后：列表应当从最好的结果开始，得分应当越高越好。",
    ),
    try_=Text(
        "Turn lists around that are stored last to first; negate scores that are distances.",
        "倒着存放的列表请翻转；如果得分是距离，请取负。",
    ),
)
def _worst_first(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        long = run.lengths >= 3
        d = run.direction
        rising = _rising(run)
        share = rising.sum() / max(1, long.sum())
        if d.is_worst_first or d.may_be_worst_first:
            sure = run.is_worst_first
            what = Text(
                f"Relevant results lie nearer to the end in {of(d.against, d.lists, 'lists')}"
                + (": they seem to be stored worst first." if sure else "; so few different lists may be chance."),
                f"{among(d.against, d.lists, '个列表')}的相关结果更靠近末尾"
                + ("：结果似乎是从差到好存放的。" if sure else "；不同的列表太少，也可能是偶然。"),
            )
            severity: Severity = "error" if sure else "warning"
            yield Found(run.name, d.against, what, _list_examples(run, np.ones(len(run.lengths), dtype=bool)), severity)
        elif share >= 0.8 and _surprise(run.lengths[rising]) > log(1000) and not d.is_best_first:
            n, total = int(rising.sum()), int(long.sum())
            by = Text("from the first to the last result", "从第一条结果到最后一条")
            if "rank" in run.frame.columns:
                by = Text("with their rank", "随排名")
            what = Text(
                f"Scores rise {by} in {of(n, total, 'lists')}.", f"{among(n, total, '个列表')}的得分{by.zh}递增。"
            )
            yield Found(run.name, int(rising.sum()), what, _list_examples(run, rising))


def _rising(run: Ranking) -> Any:
    """Lists whose scores only rise in the given order."""
    rises, falls = run.steps
    return (run.lengths >= 3) & (rises >= 2) & (falls == 0)


def _surprise(lengths: Any) -> float:
    """How unlikely it is (negative logarithm) that lists in random order are all sorted."""
    return float(sum(lgamma(n + 1) for n in lengths))


def _list_examples(run: Ranking, mask: Any) -> list[Text]:
    """The ends of some lists, in the given order."""
    out = []
    for i in np.flatnonzero(mask)[:EXAMPLES]:
        rows = run.given_order[run.offsets[i] : run.offsets[i + 1]]
        a, b = (run.frame.row(int(row), named=True) for row in (rows[0], rows[-1]))
        query = show(a["query_id"])
        counted = (a["score"], b["score"]) == (
            len(rows),
            1,
        )  # places from the end: all there is of lists without scores
        first, last = (show(x["doc_id"]) + ("" if counted else f" {short(x['score'])}") for x in (a, b))
        out.append(Text(f"query {query}: first {first}, last {last}", f"查询 {query}：最前 {first}，最后 {last}"))
    return out


@check(
    "rank-score-conflict",
    why=Text(
        "Tools that go by rank or file order give other values than trec_eval, which goes by score.",
        "按排名或文件顺序计算的工具与按得分计算的 trec_eval 结果不同。",
    ),
    try_=Text(
        "Decide which is right: rankgauge goes by score. To go by rank, leave the score column out.",
        "确定哪个正确：rankgauge 按得分排序。要按排名，请去掉得分列。",
    ),
)
def _rank_score_conflict(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        if "rank" not in run.frame.columns:
            continue
        bad = run.steps[0] > 0
        if (_rising(run) == bad).all() and any(f.where == run.name for f in _worst_first(replace(e, runs=[run]))):
            continue  # the same fault, said better there
        count = int(bad.sum())
        if count:
            what = Text(
                f"In {of(count, len(bad), 'lists')} a later rank has a higher score.",
                f"{among(count, len(bad), '个列表')}排名靠后的得分反而更高。",
            )
            yield Found(run.name, count, what, _conflicts(run, bad))


def _conflicts(run: Ranking, bad: Any) -> list[Text]:
    out = []
    ranks = run.frame["rank"].to_numpy()
    for i in np.flatnonzero(bad)[:EXAMPLES]:
        rows = run.given_order[run.offsets[i] : run.offsets[i + 1]]
        s, r = run.scores[rows], ranks[rows]
        j = int(np.flatnonzero((s[1:] > s[:-1]) & (r[1:] > r[:-1]))[0])
        query, doc = run.frame["query_id"][int(rows[j + 1])], run.frame["doc_id"][int(rows[j + 1])]
        late, soon = (r[j + 1], short(s[j + 1])), (r[j], short(s[j]))
        where = item(query, doc)
        out.append(
            Text(
                f"{where}: rank {late[0]} scores {late[1]}, rank {soon[0]} only {soon[1]}",
                f"{where.zh}：第 {late[0]} 位得分 {late[1]}，第 {soon[0]} 位只有 {soon[1]}",
            )
        )
    return out


def _constant(run: Ranking) -> Any:
    first, last = run.ties
    whole = (last - first + 1)[run.offsets[:-1]] if run.frame.height else run.lengths
    return (whole == run.lengths) & (run.lengths > 1)


@check(
    "constant-scores",
    why=Text(
        "Without different scores the order is that of the ids, so the values mean nothing.",
        "得分全都相同时，顺序由 id 决定，数值没有意义。",
    ),
    try_=Text(
        "Pass the results as lists, best first, or keep the scores of the system.",
        "按从好到差的列表传入结果，或保留系统的原始得分。",
    ),
)
def _constant_scores(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        bad = _constant(run)
        count, n = int(bad.sum()), int((run.lengths > 1).sum())
        if count:
            names = run.frame["query_id"].gather(run.offsets[:-1][bad])
            what = Text(
                f"{of(count, n, 'lists')} give all their results the same score.",
                f"{among(count, n, '个列表')}的全部结果得分相同。",
            )
            yield Found(run.name, count, what, queries(names), "warning" if count > n / 2 else "note")


@check(
    "tied-scores",
    why=Text(
        "Results with equal scores have no order of their own; tools break ties in different ways.",
        "得分相同的结果没有固有的先后，不同工具的处理方式不同。",
    ),
    try_=Text(
        "Keep more digits of the scores, or see how much it matters with ties='expected'.",
        "保留更多位小数，或用 ties='expected' 看看影响有多大。",
    ),
)
def _tied_scores(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        first, last = run.ties
        rows = run.order[(last > first) & ~_constant(run)[run.owner[run.order]]]
        if len(rows) >= 0.1 * max(1, run.frame.height):
            share = 100 * len(rows) / run.frame.height
            n, total = len(rows), run.frame.height
            what = Text(
                f"{of(n, total, 'results')} ({number(share, 0)}%) have the score of another.",
                f"{among(n, total, '条结果')}（{number(share, 0)}%）与另一条得分相同。",
            )
            some = [(item(*run.frame.row(int(i))[:2]), short(run.frame["score"][int(i)])) for i in rows[:EXAMPLES]]
            examples = [Text(f"{where}: {score}", f"{where.zh}：{score}") for where, score in some]
            yield Found(run.name, len(rows), what, examples, "warning" if _ties_decide(run) else "note")


def _ties_decide(run: Ranking) -> bool:
    """Whether the order of ties moves the mean number of relevant results at the top by more than its interval."""
    first, last = run.ties
    start = run.offsets[:-1][run.owner[run.order]]
    block = np.flatnonzero(np.append(True, first[1:] != first[:-1])[: len(first)])
    size = (last - first + 1)[block]
    inside = np.clip(start[block] + DEPTH - first[block], 0, size)  # places of the block among the first ten
    assert run.judgements is not None
    shown, grades = run.gains
    relevant = np.zeros(run.frame.height, dtype=np.int64)
    relevant[shown[grades >= run.judgements.rel]] = 1
    hits = np.add.reduceat(relevant[run.order], block) if len(block) else relevant
    owner = run.owner[run.order][block]
    most = np.bincount(owner, weights=np.minimum(hits, inside), minlength=len(run.lengths))
    least = np.bincount(owner, weights=np.maximum(hits - (size - inside), 0), minlength=len(run.lengths))
    n = len(most)
    if n < 2:
        return False
    half = 1.96 * float(np.std((most + least) / 2, ddof=1)) / sqrt(n)
    return float(np.mean(most - least)) > 2 * half
