"""NumPy and SciPy matrices: a row per query, a column per item or per rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import word_for
from rankgauge.data.mappings import id_text
from rankgauge.data.table import Shape, is_sparse
from rankgauge.errors import InputError, ParameterError

__all__ = ["FromMatrix", "ids_of", "matrix_frame", "refuse_misfit", "run_of_matrix"]

Array = NDArray[Any]

_KINDS = ("scores", "ids")
_ASK = Text(
    "Say which they are: Run.from_matrix(values, as_='scores') or as_='ids'.",
    "请说明它们是哪一种：Run.from_matrix(values, as_='scores') 或 as_='ids'。",
)


@dataclass(frozen=True)
class FromMatrix:
    """The rows of a matrix, and what there is to say about them."""

    frame: pl.DataFrame
    notes: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    """Queries whose row holds nothing."""
    shape: Shape | None = None
    """Where queries and items are numbered from 0."""


def run_of_matrix(
    values: Any, as_: str | None, query_ids: Sequence[Any] | None, doc_ids: Sequence[Any] | None, where: str
) -> FromMatrix:
    """The lists of a matrix of scores, or of one of ids, best first."""
    if as_ is not None and as_ not in _KINDS:
        raise ParameterError(
            Text(
                f"{where}: `as_` must be 'scores', 'ids' or None, got {show(as_)}.",
                f"{zh(where)}：`as_` 必须是 'scores'、'ids' 或 None，实际为 {show(as_)}。",
            )
        )
    if is_sparse(values) and as_ == "ids":
        raise InputError(
            Text(
                f"{where}: a sparse matrix holds scores[n_queries, n_items], got as_='ids'.",
                f"{zh(where)}：稀疏矩阵存放的是 scores[n_queries, n_items]，实际传入了 as_='ids'。",
            )
        )
    if is_sparse(values):
        return matrix_frame(values, "score", query_ids, doc_ids, where)
    if isinstance(values, np.ma.MaskedArray) and as_ != "scores" and values.dtype.kind in "iu":
        values = values.filled(-1)
    matrix = _matrix(values, where)
    kind = matrix.dtype.kind
    if as_ == "scores" or (as_ is None and kind == "f"):
        return matrix_frame(matrix, "score", query_ids, doc_ids, where)
    if kind in "bc" or (kind == "f" and not _is_whole(matrix)):
        must = (
            Text("scores, which are numbers, or ids", "得分（数字）或 id")
            if as_ is None
            else Text("ids, which are whole numbers or text", "id（整数或文本）")
        )
        raise InputError(
            Text(
                f"{where}: a matrix must hold {must}, got {matrix.dtype}.{f' {_ASK}' if kind == 'b' else ''}",
                f"{zh(where)}：矩阵中必须是{zh(must)}，实际为 {matrix.dtype}。{_ASK.zh if kind == 'b' else ''}",
            )
        )
    if kind == "f":
        matrix = np.where(np.isnan(matrix), -1, matrix).astype(np.int64)
    if doc_ids is not None:
        hint: str = Text(f" {_ASK}", _ASK.zh) if as_ is None and kind in "iu" else ""
        raise InputError(
            Text(f"{where}: a matrix of ids needs no doc_ids.{hint}", f"{zh(where)}：id 矩阵不需要 doc_ids。{zh(hint)}")
        )
    if as_ is None and kind in "iu":
        _refuse_repeats(matrix, where)
    return _topk(matrix, query_ids, where, assumed=as_ is None and kind in "iu")


def matrix_frame(
    values: Any, value: str, query_ids: Sequence[Any] | None, doc_ids: Sequence[Any] | None, where: str
) -> FromMatrix:
    """Rows for all entries of values[n_queries, n_items] that are not NaN; of a sparse matrix, for those it stores."""
    sparse = is_sparse(values)
    if sparse:
        entries = values.tocsr().tocoo()  # entries that are given twice are added, as SciPy does
        numbers, shape = entries.data, entries.shape
    else:
        numbers = _matrix(values, where)
        shape = numbers.shape
    if numbers.dtype.kind not in "fiub":
        raise InputError(
            Text(
                f"{where}: a matrix of {value}s must hold numbers, got {numbers.dtype}.",
                f"{zh(where)}：{zh(word_for(value))}矩阵中必须是数字，实际为 {numbers.dtype}。",
            )
        )
    numbers = numbers.astype(np.float64)
    if value == "grade" and np.isinf(numbers).any():
        at = tuple(np.argwhere(np.isinf(numbers))[0].tolist())
        row, column = (entries.row[at], entries.col[at]) if sparse else at
        place = Text(f"row {row + 1:,}, column {column + 1:,}", f"第 {row + 1:,} 行第 {column + 1:,} 列")
        raise InputError(
            Text(
                f"{where}: a grade must be a finite number, got {numbers[at]} ({place}).",
                f"{zh(where)}：等级必须是有限的数字，实际为 {numbers[at]}（{zh(place)}）。",
            )
        )
    if sparse:
        given = ~np.isnan(numbers)
        row, column, found = entries.row[given], entries.col[given], numbers[given]
    else:
        row, column = np.nonzero(~np.isnan(numbers))
        found = numbers[row, column]
    names = ids_of(query_ids, shape[0], "query_ids", where)
    is_bare = query_ids is None and doc_ids is None
    items = ids_of(doc_ids, shape[1], "doc_ids", where)
    ids = (row, column) if is_bare else (names[row], items[column])
    frame = pl.DataFrame({**_id_columns(*ids), value: found})
    return FromMatrix(
        frame,
        (_stored(value),) if sparse else (),
        _without_rows(names, row),
        Shape(int(shape[0]), int(shape[1])) if is_bare else None,
    )


def refuse_misfit(judged: Shape, shown: Shape, run: str) -> None:
    """Two matrices whose queries and items have no names must be about the same ones."""
    fits = shown.items <= judged.items if shown.of_ids else shown.items == judged.items
    if judged.queries == shown.queries and fits:
        return
    got = f"{shown.queries:,} × {shown.items:,}"
    hint = Text(
        "Pass query_ids= and doc_ids= where they are not the same ones.",
        "如果两者不同，请传入 query_ids= 和 doc_ids=。",
    )
    if shown.of_ids:
        got = Text(
            f"ids up to {shown.items - 1:,} for {shown.queries:,} queries",
            f"{shown.queries:,} 个查询、最大到 {shown.items - 1:,} 的 id",
        )
        hint = Text(
            "If they are scores, pass Run.from_matrix(values, as_='scores'); else query_ids= and doc_ids=.",
            "如果这些是得分，请传入 Run.from_matrix(values, as_='scores')；否则请传入 query_ids= 和 doc_ids=。",
        )
    raise InputError(
        Text(
            f"run {show(run)}: a matrix must have the queries and items of the judgements, {judged.queries:,} × "
            f"{judged.items:,}, got {got}. {hint}",
            f"run {show(run)}：矩阵的查询和文档必须与标注一致（{judged.queries:,} × {judged.items:,}），实际为 "
            f"{zh(got)}。{zh(hint)}",
        )
    )


_READ_AS_IDS = Text(
    "a matrix of integers read as ids, best first; as_='scores' reads scores",
    "整数矩阵读作 id（最好的在前）；如为得分请用 as_='scores'",
)


def _stored(value: str) -> Text:
    if value == "score":
        return Text("a sparse matrix: what it does not store was not retrieved", "稀疏矩阵：未存储的元素视为未返回")
    return Text("a sparse matrix: what it does not store is not judged", "稀疏矩阵：未存储的元素视为未标注")


def _topk(matrix: Array, query_ids: Sequence[Any] | None, where: str, *, assumed: bool) -> FromMatrix:
    """Rows for ids[n_queries, k], best first; negative integers are padding."""
    are_numbers = matrix.dtype.kind in "iu"
    kept = matrix >= 0 if are_numbers else np.ones(matrix.shape, dtype=bool)
    row, column = np.nonzero(kept)
    flat = matrix[row, column]
    names = ids_of(query_ids, matrix.shape[0], "query_ids", where)
    is_bare = query_ids is None and are_numbers
    if is_bare and flat.max(initial=0) <= np.iinfo(np.int64).max:
        columns = _id_columns(row, flat)
    elif are_numbers:
        columns = _id_columns(names[row], pl.Series(flat).cast(pl.String))
    else:
        columns = _id_columns(names[row], pl.Series([id_text(v, where) for v in flat.tolist()], dtype=pl.String))
    frame = pl.DataFrame({**columns, "score": (matrix.shape[1] - column).astype(np.float64)})
    shape = Shape(matrix.shape[0], int(flat.max()) + 1 if flat.size else 0, of_ids=True) if is_bare else None
    return FromMatrix(frame, (_READ_AS_IDS,) if assumed else (), _without_rows(names, row), shape)


def _id_columns(query: Array | pl.Series, item: Array | pl.Series) -> dict[str, pl.Series]:
    """Numbers stay numbers, whose text is theirs."""
    columns = {"query_id": query, "doc_id": item}
    return {
        name: ids if isinstance(ids, pl.Series) else pl.Series(ids.astype(np.int64)) for name, ids in columns.items()
    }


def _refuse_repeats(matrix: Array, where: str) -> None:
    """Integers that stand twice in a row are no ids of one list."""
    ordered = np.sort(matrix, axis=1)
    again = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)
    if again.any():
        at = int(np.flatnonzero(again.any(axis=1))[0])
        value = ordered[at, 1:][again[at]][0]
        raise InputError(
            Text(
                f"{where}: a matrix of integers must hold ids, each once in a row, got {value} more than once in row "
                f"{at + 1:,}. {_ASK}",
                f"{zh(where)}：整数矩阵中必须是 id，且每行不重复，实际第 {at + 1:,} 行中 {value} 出现多次。{_ASK.zh}",
            )
        )


def _is_whole(matrix: Array) -> bool:
    given = matrix[~np.isnan(matrix)]
    return bool((given == np.round(given)).all() and (np.abs(given) < 2**53).all())


def _without_rows(names: pl.Series, row: Array) -> tuple[str, ...]:
    counts = np.bincount(row, minlength=len(names))
    return tuple(names.filter(pl.Series(counts == 0)).to_list())


def _matrix(values: Any, where: str) -> Array:
    if isinstance(values, np.ma.MaskedArray) and values.dtype.kind in "fiub":
        values = np.where(np.ma.getmaskarray(values), np.nan, values.data)
    matrix = np.asarray(values)
    if matrix.ndim != 2:
        raise InputError(
            Text(
                f"{where}: a matrix must have two dimensions [n_queries, n_items], got shape {matrix.shape}.",
                f"{zh(where)}：矩阵必须是二维的 [n_queries, n_items]，实际形状为 {matrix.shape}。",
            )
        )
    return matrix


def ids_of(names: Sequence[Any] | None, n: int, what: str, where: str) -> pl.Series:
    """The names of rows or columns as text, each once; without names, their numbers from 0."""
    if names is None:
        return pl.Series(np.arange(n)).cast(pl.String)
    if len(names) != n:
        raise InputError(
            Text(
                f"{where}: {what} must have {n} entries, one per row or column, got {len(names)}.",
                f"{zh(where)}：{what} 必须有 {n} 项，每行或每列一项，实际为 {len(names)} 项。",
            )
        )
    texts = [id_text(v, where) for v in names]
    if len(set(texts)) < n:
        twice = next(t for t in texts if texts.count(t) > 1)
        raise InputError(
            Text(
                f"{where}: {what} must differ, got {show(twice)} more than once.",
                f"{zh(where)}：{what} 必须互不相同，实际 {show(twice)} 出现多次。",
            )
        )
    return pl.Series(texts, dtype=pl.String)
