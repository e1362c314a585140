"""Python objects: other makes of the same table, and objects that are nearly tables."""

from __future__ import annotations

import contextlib
import datetime
import random
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import Any

from fuzzer import naive
from fuzzer.meanings import CLEAN, OPEN, SAME, Given, Open
from fuzzer.objects import frame_forms, object_forms
from fuzzer.tables import REQUIRED, Table

from .registry import Place, by_meaning, mutates

ESSENTIAL = {
    "run": ("query_id", "doc_id", "score"),
    "qrels": ("query_id", "doc_id", "grade"),
    "predictions": ("label", "score"),
    "classes": ("category", "prediction"),
    "log": ("item_id",),
    "slices": ("query_id",),
    "answers": ("query_id", "correct"),
    "documents": ("doc_id", "title"),
    "texts": ("query_id", "text"),
    "lists": ("query_id", "item_id", "team"),
    "choices": ("click", "propensity", "target_propensity"),
    "experiments": ("offline", "online"),
    "arms": ("clicks", "shown", "before"),
    "units": ("user_id", "arm"),
    "interactions": ("user_id", "item_id"),
}
"""Columns without which a table is none of its kind."""


class Strange:
    """An object of nobody's."""


class Text(str):
    """A string that is not of the type str."""

    __slots__ = ()


def strange_values() -> list[Any]:
    """What may stand where a number or an id is expected."""
    import numpy as np
    import pandas as pd

    return [
        *(
            None,
            float("nan"),
            float("inf"),
            -float("inf"),
            True,
            False,
            "",
            "x",
            "0.5",
            " 1",
            "1,5",
            b"0.5",
            1j,
            10**400,
        ),
        *(Decimal("0.5"), Decimal("NaN"), Fraction(1, 3), [], [1], {}, {"a": 1}, (), (1,), {1}, object, Strange(), len),
        *(datetime.date(2024, 1, 1), datetime.timedelta(1), np.nan, np.float32(0.1), np.int8(-3), np.bool_(True)),
        *(np.array(1.5), np.array([1.0]), np.datetime64("2024-01-01"), pd.NA, pd.NaT, pd.Timestamp("2024-01-01")),
        *(-0.0, 5e-324, 1e308, 2**63, -(2**63), Text("d01"), range(3), ...),
    ]


def strange_tables() -> list[Any]:
    """What may stand where a table is expected."""
    import numpy as np
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    return [
        *(None, 0, 1.5, True, "", "no such file", b"bytes", [], {}, (), set(), {"q1"}, object(), Strange, len, ...),
        *(
            [None],
            [[]],
            [1, 2],
            ["q1"],
            [{}],
            {"q1": None},
            {None: {}},
            {"q1": {}},
            {"": {"d": 1}},
            {1: {2: 3}, "1": {}},
        ),
        *(
            (x for x in ("q1", "q2")),
            iter([]),
            range(5),
            np.zeros(0),
            np.zeros((0, 0)),
            np.zeros(3),
            np.zeros((2, 2, 2)),
        ),
        *(np.array(["a"]), np.array([[1j]]), np.array([[None]], dtype=object), np.ma.masked_array([[1.0]], [[True]])),
        *(np.zeros(2, dtype=[("query_id", "U4"), ("doc_id", "U4"), ("score", "f8")]), np.array(5.0), np.float64(1)),
        *(pd.DataFrame(), pd.Series([1.0]), pd.DataFrame([[1, 2]]), pd.DataFrame({"score": []}), pd.Index(["a"])),
        *(pl.DataFrame(), pl.Series([1.0]), pl.LazyFrame(), pl.DataFrame({"score": []}), pl.col("x")),
        *(pa.table({}), pa.array([1.0]), pa.table({"score": pa.array([], pa.float64())}), datetime.date(2024, 1, 1)),
    ]


@mutates("object", "objects")
def _make(rng: random.Random, table: Table, place: Place) -> Given:
    forms = object_forms(table.kind)
    return Given(forms[rng.choice(list(forms))](table), SAME)


@mutates("object", "objects")
def _rows_in_another_order(rng: random.Random, table: Table, place: Place) -> Given:
    rows = list(table.rows)
    if table.kind not in ("predictions", "experiments"):  # listed, or split, in the order given
        rng.shuffle(rows)
    forms = frame_forms(table.kind)
    return Given(forms[rng.choice(list(forms))](table.with_rows(rows)), SAME)


@mutates("object", "objects")
def _strange_value(rng: random.Random, table: Table, place: Place) -> Given:
    """One number is something else."""
    if not table.is_lists:
        return _strange_cell(rng, table, place)
    nested = table.nested()
    query = rng.choice(list(nested))
    for doc in rng.sample(list(nested[query]), rng.choice([1, 1, len(nested[query])])):
        nested[query][doc] = rng.choice(strange_values())
    if rng.random() < 0.2:
        made: Any = {q: list(docs.items()) for q, docs in nested.items()}
    else:
        made = nested
    return Given(made, by_meaning(table, lambda: of_mapping(nested, table.kind)))


@mutates("object", "objects")
def _strange_key(rng: random.Random, table: Table, place: Place) -> Given:
    """One id is something else."""
    if not table.is_lists:
        return _strange_cell(rng, table, place)
    nested: dict[Any, Any] = table.nested()
    keys = [k for k in strange_values() if _hashable(k)] + [7, 1.0, ("a", 1), b"q1", frozenset()]
    if rng.random() < 0.5:
        nested[rng.choice(keys)] = nested.pop(rng.choice(list(nested)))
    else:
        query = rng.choice(list(nested))
        nested[query][rng.choice(keys)] = nested[query].pop(rng.choice(list(nested[query])))
    return Given(nested, by_meaning(table, lambda: of_mapping(nested, table.kind)))


@mutates("object", "objects")
def _strange_entry(rng: random.Random, table: Table, place: Place) -> Given:
    """Instead of the results of a query there is something else."""
    if not table.is_lists:
        return _strange_table(rng, table, place)
    nested: dict[Any, Any] = table.nested()
    nested[rng.choice(list(nested))] = rng.choice(
        [*strange_values(), ["d01", None], [("d01",)], [("d01", 1, 2)], "d01"]
    )
    return Given(nested, by_meaning(table, lambda: of_mapping(nested, table.kind)))


@mutates("object", "objects")
def _strange_cell(rng: random.Random, table: Table, place: Place) -> Given:
    """A frame with something else in a cell, or in a column."""
    import pandas as pd

    column, value = rng.choice(table.columns), rng.choice(strange_values())
    series = table.series()
    for i in rng.sample(range(len(table.rows)), rng.choice([1, 1, len(table.rows)])):
        series[column][i] = value
    made: Any = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in series.items()})
    if table.kind == "predictions" and rng.random() < 0.3:
        made = series
    records = [dict(zip(series, row, strict=True)) for row in zip(*series.values(), strict=True)]
    return Given(made, by_meaning(table, lambda: naive.table_of_records(records, table.kind)))


@mutates("object", "objects")
def _strange_table(rng: random.Random, table: Table, place: Place) -> Given:
    value = rng.choice(strange_tables())
    is_optional = table.kind in ("slices", "documents", "texts")  # None says that there are none
    return Given(value, CLEAN if value is None and is_optional else OPEN)


@mutates("object", "objects")
def _no_rows(rng: random.Random, table: Table, place: Place) -> Given:
    forms = object_forms(table.kind)
    form = rng.choice([f for f in forms if f != "numpy"])
    return Given(
        forms[form](table)[:0]
        if form in frame_forms(table.kind) and form != "columns" and "arrow" not in form
        else forms[form](table.with_rows([])),
        OPEN,
    )


@mutates("object", "objects")
def _column_lost(rng: random.Random, table: Table, place: Place) -> Given:
    import polars as pl

    frame = pl.DataFrame(table.series())
    return Given(frame.drop(rng.choice(ESSENTIAL[table.kind])), OPEN)


@mutates("object", "objects")
def _column_twice(rng: random.Random, table: Table, place: Place) -> Given:
    import pandas as pd
    import pyarrow as pa

    twice = rng.choice(table.columns)
    if rng.random() < 0.5:
        frame = pd.DataFrame(table.series())
        return Given(pd.concat([frame, frame[[twice]][::-1].reset_index(drop=True)], axis=1), OPEN)
    made = pa.table(table.series())
    return Given(made.append_column(twice, made[twice]), OPEN)


@mutates("object", "objects")
def _column_of_another_type(rng: random.Random, table: Table, place: Place) -> Given:
    """A whole column cast to another type: what a cell means is what its value means."""
    import polars as pl
    import pyarrow as pa

    types = [pl.String, pl.Float32, pl.Float64, pl.Int64, pl.Int8, pl.UInt8, pl.Boolean, pl.Binary, pl.Null]
    types += [pl.List(pl.String), pl.Date, pl.Datetime("ms"), pl.Duration("us"), pl.Time, pl.Decimal(10, 4)]
    column = rng.choice(table.columns)
    frame = pl.DataFrame(table.series())
    try:
        frame = frame.with_columns(frame.get_column(column).cast(rng.choice(types), strict=False))
    except pl.exceptions.PolarsError:
        frame = frame.with_columns(pl.Series(column, [[v] for v in frame.get_column(column)]))
    how = rng.choice(["polars", "pandas", "arrow"])
    value = frame
    with contextlib.suppress(pa.ArrowInvalid, pl.exceptions.PanicException):  # times that Python has no room for
        value = frame if how == "polars" else frame.to_arrow() if how == "arrow" else frame.to_pandas()

    def reading() -> Table:
        try:
            records = frame.to_dicts()
        except pl.exceptions.PanicException:  # dates that Python has no room for
            raise Open from None
        return naive.table_of_records(records, table.kind)

    return Given(value, by_meaning(table, reading))


def of_mapping(content: Any, kind: str) -> Table:
    """`{query: {document: number}}`, read naively."""
    if not isinstance(content, Mapping):
        raise Open
    records = []
    for query, docs in content.items():
        if kind == "qrels" and isinstance(docs, str | int) and not isinstance(docs, bool) and docs != "":
            docs = {docs: 1}  # one target
        if not isinstance(docs, Mapping) or not docs:
            raise Open
        records += [{"query_id": _id(query), "doc_id": _id(doc), REQUIRED[kind][2]: v} for doc, v in docs.items()]
    if len({r["query_id"] for r in records}) < len(content):
        raise Open
    if len({(r["query_id"], r["doc_id"]) for r in records}) < len(records):
        raise Open
    return naive.table_of_records(records, kind)


def _id(key: Any) -> str:
    if isinstance(key, float) and key.is_integer():
        key = int(key)  # as pandas has whole numbers
    if isinstance(key, bool) or not isinstance(key, str | Integral):
        raise Open
    return str(key)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
