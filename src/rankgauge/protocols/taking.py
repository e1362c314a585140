"""Some rows of what was given, as the same kind of thing: a frame of pandas stays one, and so does a mapping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge.data.columns import role_of
from rankgauge.data.frames import to_polars
from rankgauge.data.interactions import Interactions
from rankgauge.data.table import is_sparse

__all__ = ["rows_of"]


def rows_of(source: Any, kept: NDArray[np.bool_]) -> Any:
    """The rows that are kept, in their order."""
    if isinstance(source, Interactions):
        return source.where(kept)
    if is_sparse(source):
        return _of_matrix(source, kept)
    if isinstance(source, Mapping):
        names = {role_of(str(name), "interactions") for name in source}
        return _of_columns(source, kept) if {"user_id", "item_id"} <= names else _by_user(source, kept)
    rows = np.flatnonzero(kept)
    library = type(source).__module__.partition(".")[0]
    if library == "pandas":
        return source.iloc[rows]
    if library == "pyarrow":
        return source.take(rows)
    if isinstance(source, Sequence):
        return [source[i] for i in rows.tolist()]
    return to_polars(source)[rows]


def _of_matrix(source: Any, kept: NDArray[np.bool_]) -> Any:
    matrix = source.tocsr()
    entries = matrix.tocoo()
    there = np.flatnonzero(entries.data != 0)[kept]
    return type(matrix)((entries.data[there], (entries.row[there], entries.col[there])), shape=matrix.shape)


def _of_columns(source: Mapping[Any, Any], kept: NDArray[np.bool_]) -> dict[Any, Any]:
    rows = np.flatnonzero(kept).tolist()
    return {
        name: values[kept] if isinstance(values, np.ndarray) else [values[i] for i in rows]
        for name, values in source.items()
    }


def _by_user(source: Mapping[Any, Any], kept: NDArray[np.bool_]) -> dict[Any, Any]:
    out: dict[Any, Any] = {}
    at = 0
    for user, value in source.items():
        items = [value] if isinstance(value, (str, int, np.integer)) else list(value)
        mine = [item for item, is_kept in zip(items, kept[at : at + len(items)].tolist(), strict=True) if is_kept]
        at += len(items)
        if mine:
            out[user] = {item: value[item] for item in mine} if isinstance(value, Mapping) else mine
    return out
