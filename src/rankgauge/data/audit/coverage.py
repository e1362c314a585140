"""Queries and lists: what one side has and the other has not, and how long lists are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isnan

import numpy as np

from rankgauge.data.audit.evidence import DEPTH, Evidence
from rankgauge.data.audit.registry import EXAMPLES, Found, Severity, are, check, items, of, queries, show


@check(
    "missing-queries",
    why="A query without results counts as 0 or leaves the mean, depending on the tool.",
    try_="Run the missing queries, or choose with missing='zero', 'skip' or 'error'.",
)
def _missing_queries(e: Evidence) -> Iterator[Found]:
    judged = e.qrels.known
    for run in e.runs:
        names = judged.filter(~judged.is_in(run.known.implode()))
        if names.len():
            what = f"{of(names.len(), judged.len(), 'judged queries')} {are(names.len())} not in the run."
            severity: Severity = "error" if names.len() == judged.len() else "warning"
            yield Found(run.name, names.len(), what, queries(names), severity)


@check(
    "unjudged-queries",
    why="Nothing can be said about a query without judgements; it is left out.",
    try_="Nothing, when only a part of the queries was judged.",
)
def _unjudged_queries(e: Evidence) -> Iterator[Found]:
    judged = e.qrels.known
    for run in e.runs:
        names = run.known.filter(~run.known.is_in(judged.implode()))
        if names.len():
            what = f"{of(names.len(), run.known.len(), 'queries of the run')} {are(names.len())} not judged."
            yield Found(run.name, names.len(), what, queries(names), "note")


@check(
    "empty-lists",
    why="A query that finds nothing counts 0 in every mean.",
    try_="Check that the search did not fail for these queries.",
)
def _empty_lists(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        count, examples = len(run.empty), queries(run.empty)
        for note in run.notes:
            if found := re.match(r"queries without any item.*?: (\d+) \((.*)\)$", note):
                count += int(found[1])
                examples += [f"query {q}" for q in found[2].split(", ") if q != "…"]
        n = run.names.len() + count
        if count:
            what = f"{of(count, n, 'lists')} {are(count)} empty."
            yield Found(run.name, count, what, examples[:EXAMPLES], "warning" if count > 0.1 * n else "note")


@check(
    "unjudged-share",
    why="Unjudged results count as not relevant, which is hard on a system that finds what nobody looked at.",
    try_="Judge the top results of this run, show Judged@10 beside the measures, or try unjudged='remove'.",
)
def _unjudged_share(e: Evidence) -> Iterator[Found]:
    import polars as pl

    for run in e.runs:
        share = run.judged_share
        if isnan(share) or share >= 0.9:
            continue
        top = run.top.filter(pl.col("query_id").is_in(e.qrels.items["query_id"].unique().implode()))
        open_ = top.join(e.qrels.items, on=["query_id", "doc_id"], how="anti", maintain_order="left")
        what = f"{of(open_.height, top.height, f'results in the first {DEPTH}')} are not judged"
        what += f" (judged@{DEPTH} {share:.3f})."
        # where only relevant items are listed, this is precision and says nothing about the judging
        doubtful = share < 0.5 and not e.qrels.only_positive
        yield Found(run.name, open_.height, what, items(open_), "warning" if doubtful else "note")


@check(
    "extreme-lengths",
    why="Measures over whole lists (AP, recall, set measures) depend on where each list was cut.",
    try_="Retrieve equally deep for every query, and deeper than the cutoffs of the measures.",
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
            examples = [f"query {show(run.frame['query_id'][int(run.offsets[i])])}: {n[i]:,} results" for i in longest]
            count = int(far.sum())
            what = f"{of(count, len(n), 'lists')} {are(count)} over ten times the median of {middle:g} results."
            yield Found(run.name, count, what, examples, "note")
        elif n.min() == n.max() < DEPTH:
            what = f"All {len(n):,} lists have exactly {n[0]} {'result' if n[0] == 1 else 'results'}."
            yield Found(run.name, len(n), what, (), "note")
