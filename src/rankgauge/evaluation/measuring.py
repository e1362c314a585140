"""The measures of some queries, and how the measures of several parts make those of the whole.

A query's value never depends on which other queries are evaluated beside it, so parts of a run can be measured
one after the other or on different machines: values are put together, counts add up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge._show import show
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.found import Aligned
from rankgauge.alignment.ties import best_case, condensed, fractional, truncated, worst_case
from rankgauge.errors import InputError
from rankgauge.evaluation.naming import Named
from rankgauge.evaluation.policy import Policy
from rankgauge.evaluation.ranking_record import Column
from rankgauge.evaluation.suspicion import EVIDENCE, evidence
from rankgauge.measures.base import Measure

__all__ = ["Measured", "counts_of", "depth_of", "joined", "measured", "refuse", "refuse_nothing", "shaped"]


@dataclass(frozen=True, eq=False)
class Measured:
    """Values of some queries, and what was counted on the way."""

    query_ids: Sequence[str]
    columns: Sequence[Column]
    missing: Array
    """Queries without a result list, as a mask."""
    tally: Mapping[str, int]
    """Counts that add up over parts."""


def measured(aligned: Aligned, wanted: Sequence[Named], policy: Policy) -> Measured:
    """The measures of one alignment under one policy."""
    raw = aligned.alignment
    included = ~aligned.missing if policy.missing == "skip" else np.ones(raw.n_queries, dtype=bool)
    a = shaped(raw, policy.ties, policy)
    extremes = None
    if raw.tied.any():  # elsewhere every order is the best and the worst
        tied = raw if raw.tied.all() else raw.of_queries(raw.tied)
        extremes = shaped(tied, "best", policy), shaped(tied, "worst", policy)
    found = [_column(label, m, a, extremes, raw.tied, included, policy) for label, m in wanted]
    columns = [c for c, _ in found]
    tally = _tally(aligned, columns, included, [~defined for c, defined in found if c.measure.relevance])
    return Measured(list(a.query_ids), columns, aligned.missing, tally)


def joined(parts: Sequence[Measured], order: Array) -> Measured:
    """Several parts as one, with their queries in this order."""
    columns = []
    for same in zip(*(part.columns for part in parts), strict=True):
        tied = any(c.best is not None for c in same)

        def whole(name: str, same: tuple[Column, ...] = same, tied: bool = tied) -> Array | None:
            pieces = [getattr(c, name) for c in same]
            if name in ("best", "worst") and tied:  # without ties every order is the best and the worst
                pieces = [c.values if p is None else p for c, p in zip(same, pieces, strict=True)]
            return None if any(p is None for p in pieces) else np.concatenate(pieces)[order]

        arrays = [whole(name) for name in ("values", "counted", "numerator", "denominator", "best", "worst")]
        columns.append(Column(same[0].label, same[0].measure, *arrays))  # type: ignore[arg-type]
    ids = [q for part in parts for q in part.query_ids]
    return Measured(
        [ids[i] for i in order.tolist()],
        columns,
        np.concatenate([part.missing for part in parts])[order],
        {name: sum(part.tally[name] for part in parts) for name in parts[0].tally},
    )


def refuse_nothing(tally: Mapping[str, int], qrels: str, run: str) -> None:
    """Raise where there is nothing to evaluate: neither a judged query nor any query of the run at all."""
    if not tally["queries"]:
        raise InputError(f"qrels {show(qrels)}: must hold at least one query, got none.")
    if tally["missing"] == tally["queries"] and not tally["not_judged"]:
        raise InputError(f"run {show(run)}: must hold at least one query, got none.")


def refuse(policy: Policy, tally: Mapping[str, int], missing_ids: Sequence[str]) -> None:
    """Raise what the policy calls an error."""
    if policy.duplicates == "error" and (n := tally["duplicates"]):
        raise InputError(
            f"run: {n:,} results repeat an item of the same list. Remove them, or pass duplicates='first' or 'keep'."
        )
    if policy.missing == "error" and (n := tally["missing"]):
        raise InputError(
            f"run: {n:,} of {tally['queries']:,} judged queries have no results "
            f"({', '.join(missing_ids[:3])}{'…' if n > 3 else ''}). Pass missing='zero' or missing='skip'."
        )


def shaped(a: Alignment, ties: str, policy: Policy) -> Alignment:
    """The alignment under a tie rule, without what the policy leaves out."""
    if ties in ("best", "worst"):
        a = best_case(a) if ties == "best" else worst_case(a, exact=policy.ties == "worst")
    if policy.unjudged == "remove":
        a = condensed(a)
    if policy.depth is not None:
        a = truncated(a, policy.depth, blocks=ties == "expected")
    return a


def _column(
    label: str,
    m: Measure,
    a: Alignment,
    extremes: tuple[Alignment, Alignment] | None,
    tied: Array,
    included: Array,
    policy: Policy,
) -> tuple[Column, Array]:
    """The values of a measure, and the queries of which it says something."""
    if policy.rel is not None and "rel" in m.params and m.rel == m.params["rel"].default == 1:  # type: ignore[attr-defined]
        m = m.replace(rel=policy.rel)
    m = m.bind(a)
    defined = m.defined(a)
    counted = included.copy()

    def settled(values: Array) -> Array:
        """Values with the policy's answer where nothing is relevant."""
        answer = {"zero": 0.0, "one": 1.0, "nan": np.nan, "skip": np.nan}[policy.no_relevant]
        return values if m.summary == "none" else np.where(defined, values, answer)

    values = settled(m.values(a, expected=policy.ties == "expected"))
    if m.summary != "none" and policy.no_relevant == "skip":
        counted &= defined
    numerator = denominator = None
    if policy.average == "micro" and m.has_ratio:
        numerator, denominator = m.ratio(fractional(a) if policy.ties == "expected" else a)
    best = worst = None
    if extremes is not None and m.summary in ("mean", "geometric"):
        best, worst = (values.copy(), values.copy())
        for bound, e in zip((best, worst), extremes, strict=True):
            bound[tied] = m.values(e)
        best, worst = settled(best), settled(worst)
    return Column(label, m, values, counted, numerator, denominator, best, worst), defined


def depth_of(measures: Sequence[Measure]) -> int:
    """The k of judged@k: that of the first measure that has one."""
    return next((m.k for m in measures if getattr(m, "k", None)), 10)  # type: ignore[attr-defined]


def _tally(aligned: Aligned, columns: Sequence[Column], included: Array, without: Sequence[Array]) -> dict[str, int]:
    """`without`: for each measure that asks for something relevant, the queries that have nothing."""
    raw, k = aligned.alignment, depth_of([c.measure for c in columns])
    places = raw.places
    tied = np.zeros(raw.n_queries, dtype=bool)
    for c in columns:
        tied |= c.tie_queries
    return {
        "queries": raw.n_queries,
        "evaluated": int(included.sum()),
        "missing": int(aligned.missing.sum()),
        **_without_relevant(raw, [c.label for c in columns if c.measure.relevance], without),
        "not_judged": aligned.extra_queries,
        "results": int(raw.retrieved.sum()),
        "judgements": len(raw.grade),
        "duplicates": aligned.duplicates,
        "duplicate_queries": int(np.count_nonzero(aligned.repeats)),
        "nan_scores": aligned.nan_scores,
        "tied_queries": int(tied.sum()),
        "top": int(np.minimum(raw.retrieved, k).sum()),
        "top_judged": int(np.count_nonzero(places.shown & (places.rank <= k))),
        **evidence(raw),
    }


_BY = "without_relevant:"


def _without_relevant(a: Alignment, labels: Sequence[str], without: Sequence[Array]) -> dict[str, int]:
    """Queries that have nothing relevant: for each measure that asks, as it asks, and for all of them.

    Gains ask for a gain above 0, other measures for a grade of `rel`.
    """
    by = {f"{_BY}{label}": int(mask.sum()) for label, mask in zip(labels, without, strict=True)}
    nothing = np.logical_and.reduce(without) if without else a.n_relevant() == 0
    return {"without_relevant": int(nothing.sum()), **by}


def counts_of(tally: Mapping[str, int], measures: Sequence[Measure]) -> dict[str, Any]:
    """What went into the numbers, and what did not."""
    kept = {name: n for name, n in tally.items() if name not in EVIDENCE}
    counts: dict[str, Any] = {name: n for name, n in kept.items() if not name.startswith(_BY)}
    by = {name.removeprefix(_BY): n for name, n in kept.items() if name.startswith(_BY)}
    if set(by.values()) - {counts["without_relevant"]}:  # measures do not agree
        counts["without_relevant_by"] = by
    top, top_judged = counts.pop("top"), counts.pop("top_judged")
    counts[f"judged@{depth_of(measures)}"] = top_judged / top if top else None
    return counts
