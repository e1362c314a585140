"""pandas to Polars, with PyArrow where it is installed and without it where it is not."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import polars as pl

from rankgauge._text import Text, zh
from rankgauge.data._cast import from_objects
from rankgauge.errors import InputError

__all__ = ["frame_of_series", "from_pandas", "mapping_of_series"]


def from_pandas(frame: Any, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """The columns (and named index levels) of a pandas frame; NaN stays NaN in columns of floats."""
    index = {str(n): i for i, n in enumerate(frame.index.names) if n is not None and n not in frame.columns}
    named = {str(c): c for c in frame.columns}
    wanted = [*index, *named] if columns is None else columns
    return pl.DataFrame(
        [_series(n, frame.index.get_level_values(index[n]) if n in index else frame[named[n]]) for n in wanted]
    )


def mapping_of_series(series: Any) -> dict[Any, Any] | None:
    """What a Series holds by query: dicts or lists. None where it holds numbers."""
    numbers = getattr(series.dtype, "kind", "O") in "iufbc"
    return None if numbers or series.index.nlevels > 1 else dict(series.items())


def frame_of_series(series: Any, value: str, where: str) -> Any:
    """Numbers by query and item as a frame; index levels without names are these two."""
    if series.index.nlevels != 2:
        raise InputError(
            Text(
                f"{where}: a Series must have an index of two levels, query and item, got {series.index.nlevels}. "
                'Pass series.set_index(["query_id", "doc_id"]) of a frame, or the frame itself.',
                f"{zh(where)}：Series 的索引必须有查询和文档两级，实际为 {series.index.nlevels} 级。请传入由 "
                'DataFrame 得到的 series.set_index(["query_id", "doc_id"])，或传入 DataFrame 本身。',
            )
        )
    names = [n if n is not None else usual for n, usual in zip(series.index.names, ("query_id", "doc_id"), strict=True)]
    return series.rename_axis(names).rename(value).reset_index()


def _series(name: str, values: Any) -> pl.Series:
    kind = getattr(values.dtype, "kind", "O")
    if isinstance(values.dtype, _numpy_dtype()) and kind in "iufb":
        return pl.Series(name, values.to_numpy())
    if _has_pyarrow() and not _is_object(values) and kind != "c":  # Arrow has no complex numbers, nor has any role
        return pl.DataFrame(pl.from_pandas(values, nan_to_null=False)).to_series().alias(name)
    return from_objects(name, values.tolist())


def _is_object(values: Any) -> bool:
    return bool(getattr(values.dtype, "kind", "") == "O" and isinstance(values.dtype, _numpy_dtype()))


def _numpy_dtype() -> type[Any]:
    import numpy as np

    return np.dtype


def _has_pyarrow() -> bool:
    """Decided by whether the import works: a broken or blocked PyArrow counts as none."""
    try:
        importlib.import_module("pyarrow")
    except ImportError:
        return False
    return True
