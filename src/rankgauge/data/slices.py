"""Attributes of queries: language, segment, category … from a mapping, a frame or a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from numbers import Real
from os import PathLike
from types import NoneType
from typing import Any

import numpy as np

from rankgauge._piped import path_of
from rankgauge._show import show, show_all
from rankgauge._text import Text, mapped
from rankgauge._typing import Array
from rankgauge.data.mappings import id_text, refuse_twins
from rankgauge.data.side import read_attributes
from rankgauge.data.table import is_series
from rankgauge.data.weights import RANGE, out_of_range
from rankgauge.errors import InputError

__all__ = ["MOST_VALUES", "attribute_table", "query_attributes", "query_weights"]

MOST_VALUES = 50  # an attribute with more values is a text, not a slice


def query_attributes(slices: Any, query_ids: Sequence[str]) -> tuple[dict[str, list[Any]], list[str]]:
    """For each attribute its value for each query (None where unknown), and notes on what was left out."""
    if slices is None:
        return {}, []
    table = attribute_table(slices)
    names = list(dict.fromkeys(name for row in table.values() for name in row))
    unknown = [q for q in query_ids if q not in table]
    if len(unknown) == len(query_ids):
        raise InputError(
            f"slices: none of the {len(query_ids):,} queries is in the slice table. "
            f"Queries are such as {show(query_ids[0])}, the table has {show(next(iter(table), 'nothing'))}."
        )
    notes: list[str] = []
    if unknown:
        n, some = len(unknown), ", ".join(unknown[:3])
        note = Text(f"{n:,} queries have no slice ({some}…)", f"{n:,} 个查询没有切片（{some}…）")
        notes.append(mapped(lambda text: text[:200], note))
    out = {}
    for name in names:
        given = [table.get(q, {}).get(name) for q in query_ids]
        values = [_held(value) for value in given]
        without = [q for q, v in zip(query_ids, values, strict=True) if v is None and q in table]
        distinct = len({str(v) for v in values})
        if distinct > MOST_VALUES:
            notes.append(
                Text(
                    f"attribute {show(name)} has {distinct:,} values and is not used as a slice",
                    f"属性 {show(name)} 有 {distinct:,} 个取值，不用作切片",
                )
            )
        else:
            out[name] = values
            notes += [*_without(name, without), *_called(name, given)]
    return out, notes


def _held(value: Any) -> Any:
    """A value that a stored record can hold: what is neither text nor a number is what it is called."""
    if isinstance(value, np.generic):
        value = value.item()
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def _called(name: str, given: Sequence[Any]) -> list[str]:
    """The note on values that are neither text, number nor date, and so are what Python calls them."""
    odd = [v for v in given if not isinstance(v, (str, int, float, np.generic, date, NoneType))]
    if not odd:
        return []
    n, example = len(odd), show(str(odd[0]))
    return [
        Text(
            f"{n:,} {'value' if n == 1 else 'values'} of {show(name)} that {'is' if n == 1 else 'are'} neither text "
            f"nor number, taken as {'it is' if n == 1 else 'they are'} written ({example})",
            f"{show(name)} 有 {n:,} 个值既非文本也非数字，按其写法读取（{example}）",
        )
    ]


def _without(name: str, queries: Sequence[str]) -> list[str]:
    """The note on queries that are there without a value of an attribute."""
    if not queries:
        return []
    n, some = len(queries), show_all(queries[:3]) + (", …" if len(queries) > 3 else "")
    return [
        Text(
            f"{n:,} {'query has' if n == 1 else 'queries have'} no {show(name)} ({some})",
            f"{n:,} 个查询没有属性 {show(name)}（{some}）",
        )
    ]


def query_weights(weights: Any, query_ids: Sequence[str]) -> Array:
    """A weight for each query, from a mapping or a sequence in the order of the queries."""
    if is_series(weights) and type(weights.index).__name__ != "RangeIndex":
        weights = dict(weights.items())
    if isinstance(weights, Mapping):
        refuse_twins(weights, "weights", "queries")
        by_id = {id_text(q, "weights"): w for q, w in weights.items()}
        absent = [q for q in query_ids if q not in by_id]
        if absent:
            raise InputError(
                f"weights: {len(absent):,} of {len(query_ids):,} queries have none ({', '.join(absent[:3])}…)."
            )
        weights = [by_id[q] for q in query_ids]
    try:
        out = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        listed = weights if isinstance(weights, Sequence) else [weights]
        bad = next((w for w in listed if isinstance(w, str) or not isinstance(w, Real)), weights)
        raise InputError(f"weights: must be one number per query, got {show(bad)}.") from None
    if out.shape != (len(query_ids),):
        raise InputError(f"weights: expected {len(query_ids)} numbers, one per query, got shape {out.shape}.")
    if not (np.isfinite(out).all() and (out >= 0).all() and (out > 0).any()):
        raise InputError("weights: must be finite, not negative, and not all 0.")
    if (odd := out_of_range(out)).any():
        raise InputError(f"weights: must be {RANGE}, got {out[odd][0]:g}. Divide all of them by the same number.")
    return out


def attribute_table(slices: Any) -> dict[str, dict[str, Any]]:
    """The attributes of each query that has some, by its id."""
    where = "slices"
    if isinstance(slices, (str, PathLike)):
        path = path_of(slices)
        if not path.exists():
            raise InputError(f"slices: no such file: {show(str(path))}.")
        slices, where = read_attributes(path), f"slices {show(path.name)}"
    elif is_series(slices):
        slices = dict(slices.items())
    if isinstance(slices, Mapping):
        rows = slices.items()
        refuse_twins(slices, "slices", "queries")
        return {id_text(q, "slices"): dict(v) if isinstance(v, Mapping) else {"slice": v} for q, v in rows}
    from rankgauge.data import frames
    from rankgauge.data.columns import role_of

    if not frames.is_frame(slices):
        raise InputError(f"slices: must be a mapping, a dataframe or a file, got a {type(slices).__name__}.")
    frame = frames.to_polars(slices)
    key = next((name for name in frame.columns if role_of(name, "run") == "query_id"), None)
    if key is None:
        found = show_all(frame.columns)
        raise InputError(f"{where}: column 'query_id' is missing. Found: {found}.")
    return _one_row_each(frame.to_dicts(), key, where)


def _one_row_each(rows: Sequence[dict[str, Any]], key: str, where: str) -> dict[str, dict[str, Any]]:
    """The attributes of each query; one that has two values of an attribute is in no slice of it."""
    table: dict[str, dict[str, Any]] = {}
    problems: list[str] = []
    for i, row in enumerate(rows, 1):
        query = id_text(row.pop(key), f"{where}, row {i:,}")
        known = table.setdefault(query, row)
        problems += [
            f"query {show(query)} must have one {name}, got {show(known[name])} and {show(value)}."
            for name, value in row.items()
            if known[name] != value
        ]
    if problems:
        raise InputError.collect(f"{where}: ", problems, "Keep one row per query.")
    return table
