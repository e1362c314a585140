"""Tables as Python objects."""

from __future__ import annotations

from collections import OrderedDict, UserDict, defaultdict
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from .tables import NUMBERS, Table

__all__ = ["canonical_object", "frame_forms", "object_forms"]

Form = Callable[[Table], Any]


def canonical_object(table: Table) -> Any:
    """The plainest object of a table: what mutated ones are compared with."""
    if table.is_lists:
        return table.nested()
    return table.series() if table.kind in ("predictions", "classes") else _polars(table)


def _polars(table: Table) -> Any:
    import polars as pl

    return pl.DataFrame(table.series())


def _pandas(table: Table) -> Any:
    import pandas as pd

    return pd.DataFrame(table.series())


def _arrow(table: Table) -> Any:
    import pyarrow as pa

    return pa.table(table.series())


def _pandas_of_objects(table: Table) -> Any:
    return _pandas(table).astype(object)


def _pandas_nullable(table: Table) -> Any:
    return _pandas(table).convert_dtypes()


def _pandas_odd_index(table: Table) -> Any:
    frame = _pandas(table)
    frame.index = [7] * len(frame)
    return frame


def _pandas_categories(table: Table) -> Any:
    frame = _pandas(table)
    texts = [c for c in frame.columns if c not in NUMBERS and c != "time"]
    return frame.astype(dict.fromkeys(texts, "category"))


def _polars_categories(table: Table) -> Any:
    import polars as pl

    texts = [c for c in table.columns if c not in NUMBERS and c != "time"]
    return _polars(table).with_columns(pl.col(texts).cast(pl.Categorical))


def _polars_chunks(table: Table) -> Any:
    import polars as pl

    frame = _polars(table)
    half = len(frame) // 2
    return pl.concat([frame[:half], frame[half:]], rechunk=False)


def _polars_lazy(table: Table) -> Any:
    return _polars(table).lazy()


def _arrow_dictionaries(table: Table) -> Any:
    import pyarrow as pa

    made = _arrow(table)
    fields = [f.with_type(pa.dictionary(pa.int32(), pa.string())) if f.type == pa.string() else f for f in made.schema]
    return made.cast(pa.schema(fields))


def _arrow_large(table: Table) -> Any:
    import pyarrow as pa

    made = _arrow(table)
    fields = [f.with_type(pa.large_string()) if f.type == pa.string() else f for f in made.schema]
    return made.cast(pa.schema(fields))


def _numpy_columns(table: Table) -> Any:
    import numpy as np

    return {name: np.array(values) for name, values in table.series().items()}


def _pairs(table: Table) -> Any:
    return {q: list(docs.items()) for q, docs in table.nested().items()}


def _lists(table: Table) -> Any:
    return {q: list(docs) for q, docs in table.nested().items()}


def _tuples(table: Table) -> Any:
    return {q: tuple(docs) for q, docs in table.nested().items()}


def _numpy_values(table: Table) -> Any:
    import numpy as np

    make = np.float64 if table.kind == "run" else np.int64
    return {q: {d: make(v) for d, v in docs.items()} for q, docs in table.nested().items()}


FRAMES: dict[str, Form] = {
    "polars": _polars,
    "polars-categories": _polars_categories,
    "polars-chunks": _polars_chunks,
    "pandas": _pandas,
    "pandas-objects": _pandas_of_objects,
    "pandas-nullable": _pandas_nullable,
    "pandas-odd-index": _pandas_odd_index,
    "pandas-categories": _pandas_categories,
    "arrow": _arrow,
    "arrow-dictionaries": _arrow_dictionaries,
    "arrow-large": _arrow_large,
}
MAPPINGS: dict[str, Form] = {
    "dict": lambda table: table.nested(),
    "ordered": lambda table: OrderedDict((q, OrderedDict(d)) for q, d in table.nested().items()),
    "proxy": lambda table: MappingProxyType(table.nested()),
    "default": lambda table: defaultdict(dict, table.nested()),
    "user-dict": lambda table: UserDict(table.nested()),
    "numpy-values": _numpy_values,
    "pairs": _pairs,
}
LISTS: dict[str, Form] = {"lists": _lists, "tuples": _tuples}


def frame_forms(kind: str) -> dict[str, Form]:
    """Frames of all makes; plain columns too, where they are read."""
    more: dict[str, Form] = (
        {"columns": lambda t: t.series(), "numpy": _numpy_columns} if kind in ("predictions", "classes") else {}
    )
    return FRAMES | more


def object_forms(kind: str) -> dict[str, Form]:
    """The objects that a kind of table may be given as."""
    if kind == "run":
        return MAPPINGS | LISTS | FRAMES
    return MAPPINGS | FRAMES if kind == "qrels" else frame_forms(kind)
