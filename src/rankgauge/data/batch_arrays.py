"""The arrays of a training loop: scores, targets and masks of NumPy, or of anything that speaks DLPack.

PyTorch, JAX, CuPy and TensorFlow are never imported: a tensor is asked where it is (`__dlpack_device__`) and hands over
its memory (`__dlpack__`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._typing import Array
from rankgauge.data.table import is_sparse
from rankgauge.errors import InputError, ParameterError

__all__ = ["entries_of", "mask_of", "scores_of"]

_ON_HOST = {1, 3, 11}  # kinds of devices whose memory a processor reads: its own, and pinned for CUDA or ROCm
_FORMS = ("ids", "grades")


def scores_of(values: Any, where: str = "scores") -> Array:
    """scores[n_queries, n_items] as float64, which holds every narrower number exactly."""
    found = _array(values, where)
    if found.ndim != 2 or found.dtype.kind not in "fiub" or not found.shape[1]:
        raise InputError(
            Text(
                f"{where} must be a matrix of numbers [n_queries, n_items], got shape {found.shape} of {found.dtype}.",
                f"{where} 必须是数字矩阵 [n_queries, n_items]，实际形状为 {found.shape}，类型为 {found.dtype}。",
            )
        )
    return found.astype(np.float64)


def entries_of(
    given: Any, shape: tuple[int, int], as_: str | None, where: str = "targets"
) -> tuple[Array, Array, Array]:
    """Row, column and number of each entry, row after row and each entry once.

    | given | what it says |
    |---|---|
    | numbers of columns, one for each row | one target each; negative: none |
    | a list of such lists, or of arrays | the targets of each row |
    | a matrix of integers of another width | the same, padded with negative numbers |
    | a matrix of numbers of the shape of the scores | grades; NaN: not judged |
    | a sparse matrix of that shape | grades; what it does not store is not judged |

    `as_` says `"ids"` or `"grades"` where a matrix of integers could be both.
    """
    if as_ is not None and as_ not in _FORMS:
        raise ParameterError(
            Text(
                f"`as_` must be 'ids', 'grades' or None, got {show(as_)}.",
                f"`as_` 必须是 'ids'、'grades' 或 None，实际为 {show(as_)}。",
            )
        )
    if is_sparse(given):
        return _stored(given, shape, where)
    if isinstance(given, (list, tuple)) and not _is_table(given):
        found = [_numbers(_array(row, where), where) for row in given]
        _refuse_rows(len(found), shape, where)
        row = np.repeat(np.arange(len(found)), [len(x) for x in found])
        return _of_ids(row, np.concatenate([np.zeros(0, dtype=np.int64), *found]), shape, where)
    values = _array(given, where)
    _refuse_rows(values.shape[0] if values.ndim else 0, shape, where)
    is_whole = values.dtype.kind in "iu"
    if values.ndim == 1 and as_ != "grades":
        values, as_ = _numbers(values, where)[:, None], "ids"
    if values.ndim == 2 and (as_ == "ids" or (as_ is None and is_whole and values.shape != shape)):
        numbers = _numbers(values.reshape(-1), where)
        return _of_ids(np.repeat(np.arange(values.shape[0]), values.shape[1]), numbers, shape, where)
    if values.shape != shape or values.dtype.kind not in "fiub":
        raise InputError(
            Text(
                f"{where} must be numbers of columns for each row, or a matrix of numbers of the shape of the scores "
                f"{shape}, got shape {values.shape} of {values.dtype}.",
                f"{where} 必须是每行的列号，或与得分形状 {shape} 相同的数字矩阵，实际形状为 {values.shape}，"
                f"类型为 {values.dtype}。",
            )
        )
    grades = values.astype(np.float64)
    row, column = np.nonzero(~np.isnan(grades))
    return row, column, _finite(grades[row, column], where)


def mask_of(given: Any, shape: tuple[int, int], where: str = "seen") -> Array:
    """Entries as a mask: of truth values as it stands, else those whose columns are named, or that are not zero."""
    if not is_sparse(given) and not isinstance(given, (list, tuple)):
        values = _array(given, where)
        if values.dtype.kind == "b" and values.shape == shape:
            return values
        given = values
    row, column, number = entries_of(given, shape, None, where)
    mask = np.zeros(shape, dtype=bool)
    mask[row, column] = number != 0
    return mask


def _stored(given: Any, shape: tuple[int, int], where: str) -> tuple[Array, Array, Array]:
    entries = given.tocsr().tocoo()  # entries that are given twice are added, as SciPy does
    if entries.shape != shape:
        raise InputError(
            Text(
                f"{where} must have the shape of the scores {shape}, got a sparse matrix of {entries.shape}.",
                f"{where} 的形状必须与得分 {shape} 相同，实际是 {entries.shape} 的稀疏矩阵。",
            )
        )
    number = np.asarray(entries.data).astype(np.float64)
    kept = ~np.isnan(number)
    row, column = entries.row[kept].astype(np.int64), entries.col[kept].astype(np.int64)
    order = np.argsort(row * shape[1] + column, kind="stable")
    return row[order], column[order], _finite(number[kept][order], where)


def _of_ids(row: Array, column: Array, shape: tuple[int, int], where: str) -> tuple[Array, Array, Array]:
    """Each column once in a row, in the order in which they came; negative ones are padding."""
    row, column = row[column >= 0], column[column >= 0]
    if len(beyond := np.flatnonzero(column >= shape[1])):
        at = beyond[0]
        raise InputError(
            Text(
                f"{where}, row {row[at] + 1:,}: a column must be below {shape[1]:,}, the number of items, got "
                f"{column[at]:,}.",
                f"{where} 第 {row[at] + 1:,} 行：列号必须小于物品数 {shape[1]:,}，实际为 {column[at]:,}。",
            )
        )
    _, first = np.unique(row * shape[1] + column, return_index=True)
    first.sort()
    return row[first], column[first], np.ones(len(first))


def _finite(grades: Array, where: str) -> Array:
    if np.isinf(grades).any():
        got = grades[np.isinf(grades)][0]
        raise InputError(
            Text(
                f"{where}: a grade must be a finite number, got {got}.",
                f"{where}：等级必须是有限的数字，实际为 {got}。",
            )
        )
    return grades


def _numbers(values: Array, where: str) -> Array:
    """Whole numbers of columns."""
    whole = values.dtype.kind in "iu" or not values.size
    if values.dtype.kind == "f":
        whole = bool((values == np.round(values)).all())  # false for NaN
    if values.ndim != 1 or not whole:
        raise InputError(
            Text(
                f"{where} must name columns by whole numbers, got {values.dtype} of shape {values.shape}.",
                f"{where} 必须用整数列号表示，实际为 {values.dtype}，形状 {values.shape}。",
            )
        )
    return values.astype(np.int64)


def _is_table(rows: Sequence[Any]) -> bool:
    """Whether a list holds plain numbers, as one target for each row does."""
    return bool(rows) and all(np.ndim(row) == 0 for row in rows)


def _refuse_rows(n: int, shape: tuple[int, int], where: str) -> None:
    if n != shape[0]:
        raise InputError(
            Text(
                f"{where} must have a row for each of the {shape[0]:,} rows of the scores, got {n:,}.",
                f"{where} 必须与得分的行数 {shape[0]:,} 一致，实际为 {n:,} 行。",
            )
        )


def _array(values: Any, where: str) -> Array:
    """An array of what is in the memory of the processor."""
    if isinstance(values, np.ma.MaskedArray):
        return np.where(np.ma.getmaskarray(values), np.nan, values.data)
    if isinstance(values, (np.ndarray, list, tuple)) or not hasattr(values, "__dlpack__"):
        try:
            return np.asarray(values)
        except ValueError:  # rows of several lengths
            raise _unreadable(values, where) from None
    if hasattr(values, "__dlpack_device__") and int(values.__dlpack_device__()[0]) not in _ON_HOST:
        raise InputError(
            Text(
                f"{where}: a tensor must be in the memory of the processor, got one on a device. Pass {where}.cpu() "
                "(JAX: jax.device_get).",
                f"{where}：张量必须在 CPU 内存中，实际在其他设备上。请传入 {where}.cpu()（JAX：jax.device_get）。",
            )
        )
    if getattr(values, "requires_grad", False):
        values = values.detach()
    try:
        return np.from_dlpack(values)
    except (BufferError, RuntimeError, TypeError, ValueError):
        raise _unreadable(values, where) from None


def _unreadable(values: Any, where: str) -> InputError:
    kind = getattr(values, "dtype", type(values).__name__)
    return InputError(
        Text(
            f"{where}: numbers must be of a type that NumPy knows, got {kind}. Pass {where}.float(), or an array.",
            f"{where}：数字必须是 NumPy 支持的类型，实际为 {kind}。请传入 {where}.float() 或数组。",
        )
    )
