"""What the audit looks for, one small function each.

A check takes the evidence and yields what it found, once for each table concerned. Adding one takes a
function under `@check(...)` and a test with a planted fault and a healthy twin.

An *error* makes numbers wrong or impossible, a *warning* makes them doubtful, a *note* is worth knowing.
Ordinary data gives notes at most: poor systems, sparse judgements and short lists are no faults of the input.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isnan, lgamma, log, sqrt
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rankgauge.data._evidence import DEPTH, RELEVANT, Evidence, Ranking, id_kind, number_in

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CHECKS", "Check", "Found", "Severity", "check"]

Severity = Literal["error", "warning", "note"]
EXAMPLES = 5


@dataclass(frozen=True)
class Found:
    """What a check found in one table."""

    where: str
    count: int
    what: str
    examples: Sequence[str] = ()
    severity: Severity = "warning"


@dataclass(frozen=True)
class Check:
    """A problem that is looked for: its code, why it matters, what to do, and how it is found."""

    code: str
    why: str
    try_: str
    find: Callable[[Evidence], Iterable[Found]]


CHECKS: dict[str, Check] = {}

Finder = Callable[[Evidence], Iterable[Found]]


def check(code: str, *, why: str, try_: str) -> Callable[[Finder], Finder]:
    """Register a check under a code that stays."""

    def register(find: Finder) -> Finder:
        CHECKS[code] = Check(code, why, try_, find)
        return find

    return register


# what is said


def show(value: Any) -> str:
    """An id, short enough for a line."""
    text = repr(value)
    return text if len(text) <= 60 else text[:28] + "…" + text[-28:]


def item(query: Any, doc: Any) -> str:
    return f"query {show(query)}, {show(doc)}"


def items(frame: pl.DataFrame) -> list[str]:
    """Query and item of the first rows."""
    return [item(q, d) for q, d in frame.select("query_id", "doc_id").head(EXAMPLES).iter_rows()]


def queries(names: Iterable[Any]) -> list[str]:
    return [f"query {show(q)}" for q, _ in zip(names, range(EXAMPLES), strict=False)]


def of(n: int, total: int, noun: str) -> str:
    """`3 of 1,200 results`."""
    return f"{n:,} of {total:,} {noun}"


def are(n: int) -> str:
    return "is" if n == 1 else "are"


# repetitions


@check(
    "duplicate-results",
    why="A result that counts twice raises precision and pushes others down; trec_eval refuses such a run.",
    try_="Keep the best place of each item. rankgauge counts the better one and drops the other.",
)
def _duplicate_results(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        rows = run.repeated()
        pairs = rows.select("query_id", "doc_id").unique(maintain_order=True)
        count = rows.height - pairs.height + max(run.dropped, len(run.repeats))
        if count:
            total = run.frame.height + (count if rows.is_empty() else 0)
            yield Found(
                run.name,
                count,
                f"{of(count, total, 'results')} {are(count)} in the same list already.",
                items(pairs) or _once(run.repeats),
            )


@check(
    "duplicate-judgements",
    why="An item that is judged twice counts twice, and two different grades leave open which one is meant.",
    try_="Keep one judgement of each item of a query.",
)
def _duplicate_judgements(e: Evidence) -> Iterator[Found]:
    import polars as pl

    keys = ["query_id", "doc_id", *(["iteration"] if e.qrels.headings else [])]
    rows = e.qrels.repeated(keys)
    by_item = rows.group_by(keys, maintain_order=True).agg(pl.col("grade").unique(maintain_order=True))
    clash = by_item.filter(pl.col("grade").list.len() > 1)
    count = rows.height - by_item.height + max(e.qrels.dropped, len(e.qrels.repeats))
    if not count:
        return
    verb = "judgement repeats" if count == 1 else "judgements repeat"
    what = f"{count:,} {verb} an item that is judged already"
    what += f"; {clash.height:,} of these items have different grades." if clash.height else "."
    examples = [
        f"{item(q, d)}: grades {' and '.join(f'{g:g}' for g in grades)}"
        for q, d, grades in clash.select("query_id", "doc_id", "grade").head(EXAMPLES).iter_rows()
    ]
    examples = examples or items(by_item) or _once(e.qrels.repeats)
    yield Found(e.qrels.name, count, what, examples, "error" if clash.height else "warning")


def _once(repeats: Sequence[tuple[Any, Any]]) -> list[str]:
    return [item(*pair) for pair in list(dict.fromkeys(repeats))[:EXAMPLES]]


# scores and grades


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
        what = (
            f"{of(len(names), n, 'judged queries')} {'has' if len(names) == 1 else 'have'} no relevant item."
        )
        yield Found(e.qrels.name, len(names), what, queries(names), severity)


# ids


@check(
    "mixed-ids",
    why="7 and '7' are different keys of a dict, so results can miss their judgement.",
    try_="Make all ids text: str(id).",
)
def _mixed_ids(e: Evidence) -> Iterator[Found]:
    for side in e.sides:
        rows = side.mapping or {}
        kinds: dict[str, list[str]] = {}
        counts: Counter[str] = Counter()
        groups: list[tuple[str, Collection[Any]]] = [
            ("query", rows),
            *(("item", row) for row in rows.values()),
        ]
        for what, ids in groups:
            types = set(map(type, ids))
            if types <= {str}:
                counts[f"{what} text"] += len(ids)
                continue
            for i in ids:
                key = f"{what} {id_kind(i)}"
                counts[key] += 1
                if len(kinds.setdefault(key, [])) < EXAMPLES:
                    kinds[key].append(f"{what} id {show(i)}")
        mixed = [k for what in ("query", "item") if _is_mix(ks := _kinds(counts, what)) for k in ks]
        if mixed:
            rare = sorted(mixed, key=lambda k: counts[k])
            odd = rare[:-1] if len(rare) > 1 else rare
            what = "Ids are of several kinds: " + ", ".join(f"{counts[k]:,} {k} ids" for k in rare) + "."
            examples = [x for k in odd for x in kinds.get(k, [])][:EXAMPLES]
            yield Found(side.name, sum(counts[k] for k in odd), what, examples, "error")


def _kinds(counts: Counter[str], what: str) -> list[str]:
    return [k for k in counts if k.startswith(what) and counts[k]]


def _is_mix(kinds: Sequence[str]) -> bool:
    return len(kinds) > 1 or any(k.endswith("other") for k in kinds)


@check(
    "id-mismatch",
    why="Ids are compared exactly, so these judged items count as not retrieved.",
    try_="Write the ids of both sides in the same way.",
)
def _id_mismatch(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        for noun, left, right in (
            ("judged queries", e.qrels.names, run.names),
            ("judged ids", e.qrels.ids, run.frame["doc_id"]),
        ):
            lost = absent(left, right)
            pairs = _respelled(lost, left, right)
            if pairs.is_empty():
                continue
            n = pairs.height
            serious = n >= 0.05 * left.len() or n >= 0.5 * lost.len()
            what = f"{of(n, left.len(), noun)} would match the run only after {_change(pairs)}."
            examples = [f"{show(a)} and {show(b)}" for a, b in pairs.sort("id").head(EXAMPLES).iter_rows()]
            yield Found(run.name, n, what, examples, "warning" if serious else "note")


def absent(left: pl.Series, right: pl.Series) -> pl.Series:
    """The ids on the left that are not on the right, which may be long."""
    shared = right.filter(right.is_in(left.implode()))
    return left.filter(~left.is_in(shared.implode()))


def _normalised(x: pl.Expr) -> pl.Expr:
    import polars as pl

    # plain letters are normal already, and asking is far cheaper than changing
    return pl.when(x.str.len_bytes() == x.str.len_chars()).then(x).otherwise(x.str.normalize("NFKC"))


def _spellings() -> dict[str, Callable[[pl.Expr], pl.Expr]]:
    return {
        "trimming blanks": lambda x: x.str.strip_chars(),
        "changing case": lambda x: x.str.to_lowercase(),
        "dropping leading zeros": lambda x: x.str.replace(r"^([^0-9]*)0+([0-9])", "$1$2"),
        "removing '.0'": lambda x: x.str.replace(r"\.0+$", ""),
        "Unicode normalisation": _normalised,
    }


_CANONICAL = r"^(?:[a-z_-]*[1-9][a-z0-9_-]*|[a-z_-]*0?[a-z_-]*)$"  # ids that no change would change


def _respelled(lost: pl.Series, left: pl.Series, right: pl.Series) -> pl.DataFrame:
    """Lost ids of the left, each with an `other` of the right that differs in spelling only."""
    import polars as pl

    if not lost.len():
        return pl.DataFrame(schema={"id": pl.String, "other": pl.String})
    spellings = _spellings()

    def key(x: pl.Expr) -> pl.Expr:
        for how in ("Unicode normalisation", "changing case", "trimming blanks", "removing '.0'"):
            x = spellings[how](x)
        return spellings["dropping leading zeros"](x)

    a = pl.DataFrame({"id": lost}).with_columns(key=key(pl.col("id")))
    # most ids are as they should be: these are looked up, and only the others have to be changed
    odd = ~right.str.contains(_CANONICAL)
    others = right.filter(odd | right.is_in(a["key"].implode())).unique()
    b = pl.DataFrame({"other": others.filter(~others.is_in(left.implode()))}).with_columns(
        key=key(pl.col("other"))
    )
    return a.join(b, on="key").unique("id").select("id", "other")


def _change(pairs: pl.DataFrame) -> str:
    """The change that makes the ids of all pairs the same, or how far each gets."""
    import polars as pl

    ways = {
        how: pairs.filter(change(pl.col("id")) == change(pl.col("other"))).height
        for how, change in _spellings().items()
    }
    best = max(ways, key=lambda how: ways[how])
    if ways[best] == pairs.height:
        return best
    parts = ", ".join(f"{how}: {n:,}" for how, n in ways.items() if n)
    return "several changes together" + (f" ({parts})" if parts else "")


@check(
    "judged-ids-never-retrieved",
    why="When judgements and runs come from different collections, no system can find these items.",
    try_="Check that both speak of the same collection and write ids in the same way.",
)
def _never_retrieved(e: Evidence) -> Iterator[Found]:
    import polars as pl

    ids = e.qrels.relevant["doc_id"].unique(maintain_order=True)
    if not e.runs or not ids.len():
        return
    lost = ids
    for run in e.runs:
        lost = absent(lost, run.frame["doc_id"])
    if not lost.len():
        return
    what = f"{of(lost.len(), ids.len(), 'relevant ids')} {are(lost.len())} in no result list."
    rows = e.qrels.relevant.filter(pl.col("doc_id").is_in(lost.implode()))
    severity: Severity = "warning" if _is_another_collection(e, ids.len(), lost.len()) else "note"
    yield Found(e.qrels.name, lost.len(), what, items(rows), severity)


def _is_another_collection(e: Evidence, n: int, lost: int) -> bool:
    """Whether more is missing than short lists or a poor system explain."""
    # pooled judgements cover what systems show, so judged results on top prove that the ids agree
    shares = [run.judged_share for run in e.runs if not isnan(run.judged_share)]
    if lost <= n / 2 or max(shares, default=0.0) >= 0.5:
        return False
    room = e.qrels.relevant_per_query
    for i, run in enumerate(e.runs):
        room = room.join(run.frame.group_by("query_id").len(f"n{i}"), on="query_id", how="left")
    shown = room.drop("query_id", "n").fill_null(0).sum_horizontal().to_numpy()
    fits = int(np.minimum(room["n"].to_numpy(), shown).sum())
    # a recommender may show the same few items to everybody
    expected = min(n, fits, sum(run.ids.len() for run in e.runs))
    deep = float(np.median(shown)) >= 100 and not e.qrels.only_positive
    return n - lost <= expected / (2 if deep else 10)


@check(
    "self-retrieval",
    why="Where queries are items of the collection, each finds itself first; BEIR leaves such results out.",
    try_="Remove the query's own id from its list.",
)
def _self_retrieval(e: Evidence) -> Iterator[Found]:
    import polars as pl

    for run in e.runs:
        best = np.zeros(run.frame.height, dtype=bool)
        best[run.order[run.offsets[:-1]]] = True
        own = run.frame.with_columns(best=pl.Series(best)).filter(pl.col("query_id") == pl.col("doc_id"))
        own = own.join(e.qrels.items, on=["query_id", "doc_id"], how="anti")
        # small numbers are ids of queries and of items by accident; those are seldom on top
        if own.height and own["best"].mean() >= 0.5:  # type: ignore[operator]
            what = f"{of(own.height, run.names.len(), 'lists')} hold the query itself as a result."
            yield Found(run.name, own.height, what, queries(own["query_id"]), "note")


# order


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
        if (_rising(run) == bad).all() and any(
            f.where == run.name for f in _worst_first(replace(e, runs=[run]))
        ):
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
            examples = [
                f"{item(*run.frame.row(int(i))[:2])}: {run.frame['score'][int(i)]:g}" for i in rows[:EXAMPLES]
            ]
            yield Found(run.name, len(rows), what, examples, "note")


# queries and lists


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
            examples = [
                f"query {show(run.frame['query_id'][int(run.offsets[i])])}: {n[i]:,} results" for i in longest
            ]
            count = int(far.sum())
            what = (
                f"{of(count, len(n), 'lists')} {are(count)} over ten times the median of {middle:g} results."
            )
            yield Found(run.name, count, what, examples, "note")
        elif n.min() == n.max() < DEPTH:
            what = f"All {len(n):,} lists have exactly {n[0]} {'result' if n[0] == 1 else 'results'}."
            yield Found(run.name, len(n), what, (), "note")
