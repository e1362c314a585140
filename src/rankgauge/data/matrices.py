"""NumPy matrices: a row per query, a column per item or per rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from rankgauge.data.mappings import id_text
from rankgauge.errors import InputError

__all__ = ["matrix_frame", "topk_frame"]


def matrix_frame(
    values: Any, value: str, query_ids: Sequence[Any] | None, doc_ids: Sequence[Any] | None, where: str
) -> pl.DataFrame:
    """Rows for all entries of values[n_queries, n_items] that are not NaN."""
    numbers = _matrix(values, where)
    if numbers.dtype.kind not in "fiub":
        raise InputError(f"{where}: a matrix of {value}s must hold numbers, got {numbers.dtype}.")
    numbers = numbers.astype(np.float64)
    row, column = np.nonzero(~np.isnan(numbers))
    return pl.DataFrame(
        {
            "query_id": _names(query_ids, numbers.shape[0], "query_ids", where)[row],
            "doc_id": _names(doc_ids, numbers.shape[1], "doc_ids", where)[column],
            value: numbers[row, column],
        }
    )


def topk_frame(ids: Any, query_ids: Sequence[Any] | None, where: str) -> pl.DataFrame:
    """Rows for ids[n_queries, k], best first; negative integers are padding."""
    matrix = _matrix(ids, where)
    kept = matrix >= 0 if matrix.dtype.kind in "iu" else np.ones(matrix.shape, dtype=bool)
    row, column = np.nonzero(kept)
    flat = matrix[row, column]
    doc_ids = (
        pl.Series(flat).cast(pl.String)
        if matrix.dtype.kind in "iu"
        else pl.Series([id_text(v, where) for v in flat.tolist()], dtype=pl.String)
    )
    return pl.DataFrame(
        {
            "query_id": _names(query_ids, matrix.shape[0], "query_ids", where)[row],
            "doc_id": doc_ids,
            "score": (matrix.shape[1] - column).astype(np.float64),
        }
    )


def _matrix(values: Any, where: str) -> np.ndarray[Any, Any]:
    matrix = np.asarray(values)
    if matrix.ndim != 2:
        raise InputError(f"{where}: a matrix must have two dimensions [n_queries, n_items], got shape {matrix.shape}.")
    return matrix


def _names(names: Sequence[Any] | None, n: int, what: str, where: str) -> pl.Series:
    if names is None:
        return pl.Series(np.arange(n)).cast(pl.String)
    if len(names) != n:
        raise InputError(f"{where}: {what} must have {n} entries, one per row or column, got {len(names)}.")
    return pl.Series([id_text(v, where) for v in names], dtype=pl.String)
