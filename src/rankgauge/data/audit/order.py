"""The order of results: which end is best, ranks against scores, ties."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import lgamma, log, sqrt
from typing import Any

import numpy as np

from rankgauge.data.audit.evidence import Evidence, Ranking
from rankgauge.data.audit.registry import EXAMPLES, Found, check, item, of, queries, show


@check(
    "worst-first",
    why="The best results rank last: higher scores must be better.",
    try_="If the scores are distances, negate them before evaluating.",
)
def _worst_first(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        long = run.lengths >= 3
        mean, z = _relevance_by_score(run)
        rising = _rising(run)
        share = rising.sum() / max(1, long.sum())
        if z < -3 and mean < 0.4:
            low = int((_list_auc(run) < 0.5).sum())
            what = (
                f"Relevant results have low scores: in {low:,} lists they lie below the middle, "
                f"and {100 * (1 - mean):.0f}% of the other results of a list score higher on average."
            )
            yield Found(run.name, low, what, _list_examples(run, _list_auc(run) < 0.5), "error")
        elif share >= 0.8 and _surprise(run.lengths[rising]) > log(1000) and z < 2:
            by = "with their rank" if "rank" in run.frame.columns else "from the first to the last result"
            what = f"Scores rise {by} in {of(int(rising.sum()), int(long.sum()), 'lists')}."
            yield Found(run.name, int(rising.sum()), what, _list_examples(run, rising))


def _rising(run: Ranking) -> Any:
    """Lists whose scores only rise in the given order."""
    rises, falls = run.steps
    return (run.lengths >= 3) & (rises >= 2) & (falls == 0)


def _surprise(lengths: Any) -> float:
    """How unlikely it is (negative logarithm) that lists in random order are all sorted."""
    return float(sum(lgamma(n + 1) for n in lengths))


def _list_auc(run: Ranking) -> Any:
    """For each list the share of pairs in which the relevant result scores higher; NaN without pairs."""
    first, last = run.ties
    place = np.empty(run.frame.height)
    place[run.order] = (first + last) / 2
    place -= run.offsets[:-1][run.owner]
    rel = run.relevant_rows
    n = len(run.lengths)
    r = np.bincount(run.owner[rel], minlength=n)
    above = np.bincount(run.owner[rel], weights=place[rel], minlength=n) - r * (r - 1) / 2
    pairs = r * (run.lengths - r)
    return np.where(pairs > 0, 1 - above / np.maximum(pairs, 1), np.nan)


def _relevance_by_score(run: Ranking) -> tuple[float, float]:
    """Mean of the AUC of the lists, and how many standard errors it is from the 0.5 of a random order."""
    auc = _list_auc(run)
    has = ~np.isnan(auc)
    if not has.any():
        return 0.5, 0.0
    r = np.bincount(run.owner[run.relevant_rows], minlength=len(run.lengths))[has]
    n = run.lengths[has]
    variance = (n + 1) / (12 * r * (n - r))
    return float(auc[has].mean()), float((auc[has] - 0.5).sum() / sqrt(variance.sum()))


def _list_examples(run: Ranking, mask: Any) -> list[str]:
    """The ends of some lists, in the given order."""
    out = []
    for i in np.flatnonzero(mask)[:EXAMPLES]:
        rows = run.given_order[run.offsets[i] : run.offsets[i + 1]]
        a, b = (run.frame.row(int(row), named=True) for row in (rows[0], rows[-1]))
        out.append(
            f"query {show(a['query_id'])}: first {show(a['doc_id'])} {a['score']:g}, "
            f"last {show(b['doc_id'])} {b['score']:g}"
        )
    return out


@check(
    "rank-score-conflict",
    why="Tools that go by rank or file order give other values than trec_eval, which goes by score.",
    try_="Decide which is right: rankgauge goes by score. To go by rank, leave the score column out.",
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
            what = f"In {of(count, len(bad), 'lists')} a later rank has a higher score."
            yield Found(run.name, count, what, _conflicts(run, bad))


def _conflicts(run: Ranking, bad: Any) -> list[str]:
    out = []
    ranks = run.frame["rank"].to_numpy()
    for i in np.flatnonzero(bad)[:EXAMPLES]:
        rows = run.given_order[run.offsets[i] : run.offsets[i + 1]]
        s, r = run.scores[rows], ranks[rows]
        j = int(np.flatnonzero((s[1:] > s[:-1]) & (r[1:] > r[:-1]))[0])
        query, doc = run.frame["query_id"][int(rows[j + 1])], run.frame["doc_id"][int(rows[j + 1])]
        out.append(f"{item(query, doc)}: rank {r[j + 1]} scores {s[j + 1]:g}, rank {r[j]} only {s[j]:g}")
    return out


def _constant(run: Ranking) -> Any:
    first, last = run.ties
    whole = (last - first + 1)[run.offsets[:-1]] if run.frame.height else run.lengths
    return (whole == run.lengths) & (run.lengths > 1)


@check(
    "constant-scores",
    why="Without different scores the order is that of the ids, so the values mean nothing.",
    try_="Pass the results as lists, best first, or keep the scores of the system.",
)
def _constant_scores(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        bad = _constant(run)
        count, n = int(bad.sum()), int((run.lengths > 1).sum())
        if count:
            names = run.frame["query_id"].gather(run.offsets[:-1][bad])
            what = f"{of(count, n, 'lists')} give all their results the same score."
            yield Found(run.name, count, what, queries(names), "warning" if count > n / 2 else "note")


@check(
    "tied-scores",
    why="Results with equal scores have no order of their own; tools break ties in different ways.",
    try_="Keep more digits of the scores, or see how much it matters with ties='expected'.",
)
def _tied_scores(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        first, last = run.ties
        rows = run.order[(last > first) & ~_constant(run)[run.owner[run.order]]]
        if len(rows) >= 0.1 * max(1, run.frame.height):
            share = 100 * len(rows) / run.frame.height
            what = f"{of(len(rows), run.frame.height, 'results')} ({share:.0f}%) have the score of another."
            examples = [f"{item(*run.frame.row(int(i))[:2])}: {run.frame['score'][int(i)]:g}" for i in rows[:EXAMPLES]]
            yield Found(run.name, len(rows), what, examples, "note")
