"""The numbers of a record that trends are drawn of, by its kind: of everything, and of slices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt
from typing import Any

import numpy as np

from rankgauge._records import Record, kinds_of
from rankgauge.evaluation.rankings.slices import slices_of
from rankgauge.history.entry import Summary

__all__ = ["contract_of", "state_of", "summaries_of", "system_of"]

_CONTRACT = ("fingerprint", "policy", "convention", "confidence_level")


def summaries_of(record: Record) -> list[Summary]:
    """The numbers of a record; none where its kind has none that could be followed over time."""
    return next((list(_MAKERS[kind](record)) for kind in kinds_of(record) if kind in _MAKERS), [])


def system_of(record: Any) -> str:
    """What the numbers are of."""
    inner = getattr(record, "evaluation", record)
    if hasattr(record, "baseline") and hasattr(record, "systems"):
        return " · ".join(str(name) for name in record.systems)
    return str(getattr(inner, "_system", "") or "")


def state_of(record: Any) -> str:
    """What a decision came to."""
    return str(record.outcome) if hasattr(record, "exit_code") else ""


def contract_of(told: dict[str, Any]) -> dict[str, Any]:
    """What two numbers must share to be about the same thing, as a stored record says it."""
    if "evaluations" in told and isinstance(told["evaluations"], dict) and "run" in told["evaluations"]:
        told = told["evaluations"]["run"]
    return {name: told[name] for name in _CONTRACT if name in told}


def _of_rankings(ev: Any) -> Iterator[Summary]:
    for row, c in zip(ev.csv_rows(), ev.columns, strict=True):
        if c.measure.summary == "none":
            continue
        error = _error(ev, c, np.ones(len(ev.query_ids), dtype=bool))
        yield Summary(row["measure"], row["definition"], row["value"], row["low"], row["high"], error, row["n"])
    if not ev.has_queries:
        return
    for attribute, of_query in ev.attributes.items():
        for part, mask in slices_of(of_query):
            for c in ev.columns:
                if c.measure.summary not in ("none", "run") and (n := int((c.counted & mask).sum())):
                    value = c.total(ev.policy.average, ev.weights, mask)
                    low, high = _interval(ev, c, mask)
                    error = _error(ev, c, mask)
                    yield Summary(c.label, str(c.measure), value, low, high, error, n, attribute, part)


def _interval(ev: Any, column: Any, mask: Any) -> tuple[float, float]:
    from dataclasses import replace

    if column.measure.summary != "mean":
        return float("nan"), float("nan")
    low, high = replace(column, counted=column.counted & mask).interval(
        ev.confidence_level, ev.policy.average, ev.weights
    )
    return low, high


def _error(ev: Any, column: Any, mask: Any) -> float:
    """Of a plain mean of queries; other numbers have none that could be added up over time."""
    if column.measure.summary != "mean" or ev.policy.average != "macro" or not ev.has_queries:
        return float("nan")
    values = column.values[column.counted & mask]
    return float(np.std(values, ddof=1)) / sqrt(len(values)) if len(values) > 1 else float("nan")


def _of_rows(ev: Any) -> Iterator[Summary]:
    for c in ev.columns:
        low, high = ev.interval(c.label)
        error = float("nan") if c.error is None else float(c.error)
        yield Summary(c.label, str(c.measure), float(c.value), low, high, error, int(ev.n(c.label)))


def _of_decisions(result: Any) -> list[Summary]:
    return summaries_of(result.evaluation)


_MAKERS: dict[str, Callable[[Any], Any]] = {
    "rankings": _of_rankings,
    "predictions": _of_rows,
    "classes": _of_rows,
    "gate": _of_decisions,
    "prediction_gate": _of_decisions,
}
