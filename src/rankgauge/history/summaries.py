"""The numbers of a record that trends are drawn of, by its kind: of everything, and of slices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import isnan, nan, sqrt
from typing import Any

import numpy as np

from rankgauge._records import Record, kinds_of
from rankgauge.evaluation.rankings.slices import slices_of
from rankgauge.history.entry import Summary

__all__ = ["contract_of", "dataset_of", "state_of", "summaries_of", "system_of"]

_CONTRACT = ("fingerprint", "policy", "convention", "confidence_level")


def summaries_of(record: Record, told: Mapping[str, Any] | None = None) -> list[Summary]:
    """The numbers of a record; none where its kind has none that could be followed over time.

    `told` is what `to_dict` says, where that was made already: it has the numbers of all queries.
    """
    known = record.to_dict() if told is None else told
    return next((list(_MAKERS[kind](record, known)) for kind in kinds_of(record) if kind in _MAKERS), [])


def system_of(record: Any) -> str:
    """What the numbers are of."""
    inner = getattr(record, "evaluation", record)
    if hasattr(record, "baseline") and hasattr(record, "systems"):
        return " · ".join(str(name) for name in record.systems)
    return str(getattr(inner, "_system", "") or getattr(record, "retriever", "") or "")


def dataset_of(record: Any) -> str:
    """What they were measured on."""
    inner = getattr(record, "evaluation", record)
    if hasattr(record, "baseline") and hasattr(record, "evaluations"):
        inner = record.evaluations[record.baseline]
    about = getattr(inner, "_about", None)
    return str(about[0]) if about else ""


def state_of(record: Any) -> str:
    """What a decision came to."""
    return str(record.outcome) if hasattr(record, "exit_code") else ""


def contract_of(told: Mapping[str, Any]) -> dict[str, Any]:
    """What two numbers must share to be about the same thing, as a stored record says it."""
    inner = told.get("evaluations")
    if isinstance(inner, Mapping):
        first = inner.get("run", next(iter(inner.values()), None))
        told = first if isinstance(first, Mapping) else told
    return {name: told[name] for name in _CONTRACT if name in told}


def _of_rankings(ev: Any, told: Mapping[str, Any]) -> Iterable[Summary]:
    rows = {row["measure"]: row for row in told["measures"]}
    everything = np.ones(len(ev.query_ids), dtype=bool)
    for c in ev.columns:
        if c.measure.summary != "none":
            row = rows[c.label]
            value, low, high = (nan if row[key] is None else float(row[key]) for key in ("value", "low", "high"))
            yield Summary(c.label, row["definition"], value, low, high, _error(ev, c, everything), int(row["n"]))
    if not ev.has_queries:
        return
    for attribute, of_query in ev.attributes.items():
        for part, mask in slices_of(of_query):
            for c in ev.columns:
                if c.measure.summary not in ("none", "run") and (n := int((c.counted & mask).sum())):
                    value = c.total(ev.policy.average, ev.weights, mask)
                    low, high = _interval(ev, c, mask)
                    error = _error(ev, c, mask)
                    yield Summary(c.label, str(c.measure), value, low, high, error, n, str(attribute), part)


def _interval(ev: Any, column: Any, mask: Any) -> tuple[float, float]:
    if column.measure.summary != "mean":
        return nan, nan
    chosen = replace(column, counted=column.counted & mask)
    found = chosen.interval(ev.confidence_level, ev.policy.average, ev.weights)
    return (nan, nan) if isnan(found.low) else found.clipped(*column.measure.bounds)


def _error(ev: Any, column: Any, mask: Any) -> float:
    """Of a plain mean of queries; other numbers have none that could be added up over time."""
    if column.measure.summary != "mean" or ev.policy.average != "macro" or not ev.has_queries:
        return nan
    values = column.values[column.counted & mask]
    return float(np.std(values, ddof=1)) / sqrt(len(values)) if len(values) > 1 else nan


def _of_rows(ev: Any, told: Mapping[str, Any]) -> Iterable[Summary]:
    for c in ev.columns:
        low, high = ev.interval(c.label)
        yield Summary(c.label, str(c.measure), float(c.value), low, high, float(c.error), int(ev.n(c.label)))
    if ev.has_slices:
        for row in ev.slices.to_dicts():
            for c in ev.columns:
                if (value := row[c.label]) is not None:
                    n, part = int(row["rows"]), str(row["value"])
                    yield Summary(c.label, str(c.measure), float(value), n=n, attribute=str(row["slice"]), part=part)


def _of_collected(asked: Any, told: Mapping[str, Any]) -> Iterable[Summary]:
    """Latency in milliseconds, and the share of queries without an answer."""
    for row in asked.summary():
        name, stage = f"latency {row['latency']}", row["stage"]
        three = (row["ms"], row["low"], row["high"])
        yield Summary(name, name, *three, n=int(row["n"]), attribute="stage" if stage else "", part=stage)
    if n := len(asked.query_ids):
        share = asked.failures / n
        yield Summary("failures", "failures", share, error=sqrt(share * (1 - share) / n), n=n)


def _of_decisions(result: Any, told: Mapping[str, Any]) -> Iterable[Summary]:
    return summaries_of(result.evaluation, next(iter(told["evaluations"].values())))


_MAKERS: dict[str, Callable[[Any, Mapping[str, Any]], Iterable[Summary]]] = {
    "rankings": _of_rankings,
    "predictions": _of_rows,
    "classes": _of_rows,
    "collected": _of_collected,
    "gate": _of_decisions,
    "prediction_gate": _of_decisions,
}
