"""Judgements + runs → numbers: the whole path, in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankgauge._version import __version__
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.build import Aligned, align
from rankgauge.alignment.ties import best_case, condensed, fractional, truncated, worst_case
from rankgauge.data import Qrels
from rankgauge.data.mappings import is_both_sides
from rankgauge.data.run_source import RunSource, column_options
from rankgauge.data.several import several
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.conventions import Convention
from rankgauge.evaluation.conventions import convention as convention_named
from rankgauge.evaluation.naming import Named, named
from rankgauge.evaluation.policy import Policy
from rankgauge.evaluation.progress import tracked
from rankgauge.evaluation.ranking_record import Column, RankingEvaluation, RankingEvaluations
from rankgauge.evaluation.slices import query_attributes, query_weights
from rankgauge.measures.base import Measure

__all__ = ["DEFAULT_MEASURES", "evaluate", "evaluate_alignment", "shaped"]

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR@10", "P@10", "R@100")


def evaluate(
    qrels: Any,
    run: Any = None,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    convention: str | Convention = "rankgauge",
    ties: str | None = None,
    missing: str | None = None,
    no_relevant: str | None = None,
    unjudged: str | None = None,
    duplicates: str | None = None,
    average: str | None = None,
    weights: Any = None,
    depth: int | None = None,
    rel: float | None = None,
    slices: Any = None,
    strict: bool = False,
    confidence_level: float = 0.95,
    columns: Mapping[str, str] | None = None,
    progress: bool | None = None,
) -> Any:
    """How good is this ranking?

    `qrels` and `run` may be dicts, paths, dataframes, NumPy matrices, `Qrels` and `Run`. One run gives
    an `Evaluation`; a dict of runs by name (or a list of paths) gives `Evaluations`, one for each.

    >>> ev = evaluate({"q1": {"d1": 2, "d2": 0, "d3": 1}}, {"q1": {"d1": 0.9, "d2": 0.5}}, ["nDCG@10", "R@10"])
    >>> round(ev["nDCG@10"], 4), ev["recall@10"]
    (0.7602, 0.5)

    `convention` sets all policies as another tool has them; the policy words (`ties`, `missing`,
    `no_relevant`, `unjudged`, `duplicates`, `average`) override it one by one. `depth` ignores
    results beyond a rank, `rel` sets the lowest relevant grade of measures that do not say their own.
    `slices` gives attributes of queries (mapping, frame or file), `weights` a weight per query.
    `strict=True` turns everything that the audit would report into an error. `progress` shows a bar over
    the runs; by default when there are several and standard error is a terminal.
    """
    conv = convention_named(convention)
    if weights is not None and average is None:
        average = "weighted"
    policy = conv.applied(
        ties=ties,
        missing=missing,
        no_relevant=no_relevant,
        unjudged=unjudged,
        duplicates=duplicates,
        average=average,
        depth=depth,
        rel=rel,
    )
    if policy.average == "weighted" and weights is None:
        raise ParameterError("average='weighted' needs weights: pass weights={query_id: weight}.")
    wanted = named(measures, conv)
    if run is None:
        if not is_both_sides(qrels):
            raise ParameterError(
                "evaluate() needs a run: evaluate(qrels, run, measures). Only a dict with 'retrieved' and "
                "'relevant' for each query holds both."
            )
        run = qrels
    judged = Qrels.of(qrels, **column_options(qrels, columns))
    runs = several(run)
    if strict:
        from rankgauge.data.audit import audit

        audit(qrels, runs or run, columns=columns).raise_if_found()

    def one(source: Any, name: str = "") -> RankingEvaluation:
        ranking = (given := RunSource(source, columns, name)).run()
        aligned = align(
            judged,
            ranking,
            ties="input" if policy.ties == "input" else "doc_id",
            single=policy.scores == "single",
        )
        ev = evaluate_alignment(
            aligned,
            wanted,
            policy,
            weights=weights,
            slices=slices,
            confidence_level=confidence_level,
            convention=conv.name,
        )
        return replace(
            ev,
            run=name or ranking.name,
            tag=ranking.tag or "",
            qrels=judged.name,
            judged=judged,
            aligned=aligned,
            source=given,
            notes=(*judged.notes, *ranking.notes, *ev.notes),
        )

    if runs is None:
        return one(run)
    return RankingEvaluations({name: one(source, name) for name, source in tracked(runs, progress)})


def evaluate_alignment(
    aligned: Aligned,
    wanted: Sequence[Named],
    policy: Policy,
    *,
    weights: Any = None,
    slices: Any = None,
    confidence_level: float = 0.95,
    convention: str = "rankgauge",
) -> RankingEvaluation:
    """The measures of one alignment under one policy."""
    raw = aligned.alignment
    if policy.duplicates == "error" and aligned.duplicates:
        raise InputError(
            f"run: {aligned.duplicates:,} results repeat an item of the same list. "
            "Remove them, or pass duplicates='first'."
        )
    _refuse_missing(aligned, policy)
    included = ~aligned.missing if policy.missing == "skip" else np.ones(raw.n_queries, dtype=bool)
    a = shaped(raw, policy.ties, policy)
    extremes = (shaped(raw, "best", policy), shaped(raw, "worst", policy)) if raw.tied.any() else None
    columns = [_column(label, m, a, extremes, included, policy) for label, m in wanted]
    query_ids = list(a.query_ids)
    attributes, notes = query_attributes(slices, query_ids)
    return RankingEvaluation(
        columns=columns,
        query_ids=query_ids,
        policy=policy,
        counts=_counts(aligned, a, columns, included),
        convention=convention,
        confidence_level=confidence_level,
        weights=None if weights is None else query_weights(weights, query_ids),
        attributes=attributes,
        notes=notes,
        version=__version__,
    )


def _refuse_missing(aligned: Aligned, policy: Policy) -> None:
    if policy.missing == "error" and aligned.missing.any():
        ids = [q for q, m in zip(aligned.alignment.query_ids, aligned.missing, strict=True) if m]
        raise InputError(
            f"run: {len(ids):,} of {len(aligned.missing):,} judged queries have no results "
            f"({', '.join(ids[:3])}{'…' if len(ids) > 3 else ''}). Pass missing='zero' or missing='skip'."
        )


def shaped(a: Alignment, ties: str, policy: Policy) -> Alignment:
    """The alignment under a tie rule, without what the policy leaves out."""
    if ties in ("best", "worst"):
        a = (best_case if ties == "best" else worst_case)(a)
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
    included: Array,
    policy: Policy,
) -> Column:
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
        best, worst = (settled(m.values(e)) for e in extremes)
    return Column(label, m, values, counted, numerator, denominator, best, worst)


def _counts(aligned: Aligned, a: Alignment, columns: Sequence[Column], included: Array) -> dict[str, Any]:
    """What went into the numbers, and what did not."""
    k = next((c.measure.k for c in columns if getattr(c.measure, "k", None)), 10)  # type: ignore[attr-defined]
    raw = aligned.alignment
    shown = np.minimum(raw.retrieved, k)
    judged = raw.count(raw.shown & (raw.rank <= k))
    tied = np.zeros(raw.n_queries, dtype=bool)
    for c in columns:
        tied |= c.tie_queries
    return {
        "queries": raw.n_queries,
        "evaluated": int(included.sum()),
        "missing": int(aligned.missing.sum()),
        "without_relevant": int((raw.n_relevant() == 0).sum()),
        "not_judged": aligned.extra_queries,
        "results": int(raw.retrieved.sum()),
        "judgements": len(raw.grade),
        "duplicates": aligned.duplicates,
        "nan_scores": aligned.nan_scores,
        "tied_queries": int(tied.sum()),
        f"judged@{k}": float(judged.sum() / shown.sum()) if shown.sum() else None,
    }
