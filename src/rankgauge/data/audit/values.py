"""Scores and grades."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from rankgauge.data.audit.evidence import RELEVANT, Evidence, Ranking, number_in
from rankgauge.data.audit.registry import (
    EXAMPLES,
    Found,
    Severity,
    are,
    check,
    item,
    items,
    of,
    queries,
    show,
)


@check(
    "nan-scores",
    why="A score that is not a number has no place in an order; tools put it first, last or anywhere.",
    try_="Find out where they come from. rankgauge ranks them last.",
)
def _nan_scores(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        bad = run.frame.filter(run.frame["score"].is_nan())
        count = bad.height - sum(isnan(number_in(v)) for *_, v in run.not_numbers)  # said as text
        if count > 0:
            what = f"{of(count, run.frame.height, 'scores')} {are(count)} NaN."
            yield Found(run.name, count, what, items(bad))


@check(
    "infinite-scores",
    why="Infinite scores are usually masks or overflows; all of them tie with each other.",
    try_="Leave masked items out of the run, or give them finite scores.",
)
def _infinite_scores(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        bad = run.frame.filter(run.frame["score"].is_infinite())
        if bad.height:
            what = f"{of(bad.height, run.frame.height, 'scores')} {are(bad.height)} infinite."
            yield Found(run.name, bad.height, what, items(bad))


@check(
    "text-scores",
    why="Numbers kept as text sort as text elsewhere: '10' comes before '9'.",
    try_="Store scores and grades as numbers.",
)
def _text_scores(e: Evidence) -> Iterator[Found]:
    for side in e.sides:
        word = "score" if isinstance(side, Ranking) else "grade"
        n = side.frame.height
        if side.not_numbers:
            count = len(side.not_numbers)
            examples = [f"{item(q, d)}: {show(v)}" for q, d, v in side.not_numbers[:EXAMPLES]]
            yield Found(
                side.name,
                count,
                f"{of(count, n, word + 's')} {'is not a number' if count == 1 else 'are not numbers'}.",
                examples,
                "error",
            )
        elif any("was text" in note for note in side.notes):
            yield Found(side.name, n, f"{n:,} {word}s were text and have been read as numbers.", (), "note")


@check(
    "negative-grades",
    why="They are kept and count as not relevant with gain 0; bpref and infAP treat them as not judged.",
    try_="Nothing, when they mean spam or not pooled. Otherwise use 0 for what is not relevant.",
)
def _negative_grades(e: Evidence) -> Iterator[Found]:
    import polars as pl

    bad = e.qrels.frame.filter(pl.col("grade") < 0)
    if bad.height:
        values = ", ".join(f"{g:g}" for g in bad["grade"].unique().sort().head(EXAMPLES))
        what = f"{of(bad.height, e.qrels.frame.height, 'grades')} {are(bad.height)} negative ({values})."
        yield Found(e.qrels.name, bad.height, what, items(bad), "note")


@check(
    "fractional-grades",
    why="They are kept as they are; trec_eval and ranx cut them to whole numbers, so their values differ.",
    try_="Say which grade is relevant, as in P(rel=0.5)@10; by default that is 1.",
)
def _fractional_grades(e: Evidence) -> Iterator[Found]:
    import polars as pl

    grade = pl.col("grade")
    bad = e.qrels.frame.filter(grade != grade.round(0))
    if bad.height:
        below = bad.filter(grade.is_between(0, RELEVANT, closed="none")).height
        what = f"{of(bad.height, e.qrels.frame.height, 'grades')} {are(bad.height)} not whole numbers"
        what += f"; {below:,} lie between 0 and 1, below the lowest relevant grade." if below else "."
        yield Found(e.qrels.name, bad.height, what, items(bad), "note")


@check(
    "single-grade",
    why="Measures that need judged non-relevant items (bpref, Judged@k, condensed lists) say nothing here.",
    try_="Use measures that count unjudged results as not relevant: nDCG, AP, recall, RR.",
)
def _single_grade(e: Evidence) -> Iterator[Found]:
    n = e.qrels.items.height
    if n and e.qrels.only_positive and e.qrels.relevant.height:
        what = f"None of the {n:,} judged items is judged non-relevant."
        yield Found(e.qrels.name, n, what, (), "note")


@check(
    "no-relevant",
    why="Most measures are undefined for a query without relevant items; tools skip it or count 0.",
    try_="Choose with no_relevant='skip', 'zero', 'one' or 'nan'.",
)
def _no_relevant(e: Evidence) -> Iterator[Found]:
    per_query = e.qrels.relevant_per_query
    names = [*per_query.filter(per_query["n"] == 0)["query_id"], *e.qrels.empty]
    n = per_query.height + len(e.qrels.empty)
    if names:
        severity: Severity = "error" if len(names) == n else "warning" if len(names) > n / 2 else "note"
        what = f"{of(len(names), n, 'judged queries')} {'has' if len(names) == 1 else 'have'} no relevant item."
        yield Found(e.qrels.name, len(names), what, queries(names), severity)
