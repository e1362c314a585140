"""Any table in, one canonical Polars frame out.

    run           query_id String · doc_id String · score Float64 · rank Int64? · tag String?
    qrels         query_id String · doc_id String · grade Float64 · iteration String?
    predictions   label:click · score:pctr Float64, one or more · weight Float64? · group? · time? · segment?
                  (each with the name that the column had; nulls stay)
    interactions  user_id · item_id, String or whole numbers · rating Float64? · weight Float64? · time?

Ids are text, exactly: `007` keeps its zeros, 64-bit integers keep every digit, `12.0` (an integer that met a
missing value in pandas) becomes `12`, and an id that cannot be told is an error with its row. Libraries are
recognised by what was passed and never imported for a look.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import TYPE_CHECKING, Any

from rankgauge._forked import refuse_fork
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import in_row, within, without, word_for
from rankgauge.data.columns import Kind, dates_of, is_surely_time, recognise, refuse_repeated
from rankgauge.errors import InputError, MissingExtra

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Position", "as_given", "canonical", "column_names", "is_frame", "is_pandas", "row", "to_polars"]

_IDS = ("query_id", "doc_id")

Position = Callable[[int], str]  # row counted from 0 → "row 1", or "line 2" of a file


def canonical(
    kind: Kind,
    obj: Any,
    columns: Mapping[str, str] | None = None,
    where: str | None = None,
    position: Position | None = None,
    *,
    is_text: bool = False,
    as_numbers: bool = False,
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The canonical frame of any kind, and notes on how its columns were read.

    Scores may be NaN or infinite (the audit speaks about them); a missing score or id is an error that names
    its row (the first row is 1; `position` names it otherwise). The columns of predictions are only brought to types
    that fit (text that holds numbers becomes numbers): what labels and scores may be is decided where arrays are
    checked as well. `is_text` says that the source knows no types, as CSV does. `as_numbers` leaves ids of a run or of
    qrels whole numbers (Int64) where those of queries and items are.
    """
    where = where or word_for(kind)
    refuse_fork(Text(f"reading {where}", f"读取 {zh(where)}"))
    names = column_names(obj)
    if names is None:
        obj = to_polars(obj)
        names = obj.columns
    refuse_repeated(names, where)
    chosen = recognise(names, kind, columns, where, _LooksOf(obj), may_be_bare=True)
    frame = to_polars(obj, list(dict.fromkeys(chosen.source.values())))
    notes = list(chosen.notes)
    about = (where, position or row, notes, is_text)
    if kind == "interactions":
        return _interactions(frame, chosen.source, columns or {}, *about), tuple(notes)
    if kind == "predictions":
        return _predictions(frame, chosen.source, columns or {}, *about), tuple(notes)
    return _ranked(kind, frame, chosen.source, *about, as_numbers=as_numbers), tuple(notes)


def is_frame(obj: Any) -> bool:
    """Can `to_polars` read it? (Looks at the object, imports nothing.)"""
    return _library(obj) in ("pandas", "polars", "pyarrow", "duckdb") or any(
        hasattr(obj, name) for name in ("__arrow_c_stream__", "__dataframe__")
    )


def is_pandas(obj: Any) -> bool:
    """A frame of pandas?"""
    return _library(obj) == "pandas"


def as_given(frame: Any, obj: Any) -> Any:
    """A Polars frame as what it was made of: a frame of pandas, an Arrow table, records; a Polars frame of others."""
    if is_pandas(obj):
        import pandas as pd  # type: ignore[import-untyped,unused-ignore]

        return pd.DataFrame(frame.to_dict(as_series=False))  # Polars wants PyArrow for it
    if _library(obj) == "pyarrow":
        return frame.to_arrow()
    return frame.to_dicts() if isinstance(obj, Sequence) and isinstance(obj[0], Mapping) else frame


def column_names(obj: Any) -> list[str] | None:
    """Names of the columns when they can be read without converting the table, else None."""
    library = _library(obj)
    if library == "polars":
        return list(obj.collect_schema().names())
    if library == "pandas":
        return [*_index_names(obj), *(str(c) for c in obj.columns)]
    if library == "pyarrow":
        return [str(name) for name in obj.schema.names]
    return None


def to_polars(obj: Any, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """A Polars frame of a pandas, Polars, PyArrow or DuckDB table, or of anything that speaks Arrow.

    `columns` keeps only these, which saves converting the others.
    """
    import polars as pl

    refuse_fork(Text("reading a table", "读取表"))
    if columns is None and (names := column_names(obj)) is not None:
        refuse_repeated(names, word_for("table"))
    if type(obj).__name__ == "Series":
        raise InputError(
            Text(
                "a table must have columns, got a Series, which is one. Pass the whole frame.",
                "表必须有多列，实际是 Series，只有一列。请传入整个 DataFrame。",
            )
        )
    if isinstance(obj, pl.DataFrame):
        frame = obj
    elif isinstance(obj, pl.LazyFrame):
        frame = (obj if columns is None else obj.select(columns)).collect()
    elif _library(obj) == "pandas":
        from rankgauge.data._pandas import from_pandas

        frame = from_pandas(obj, columns)
    elif hasattr(obj, "__arrow_c_stream__"):
        frame = pl.DataFrame(obj)
    elif hasattr(obj, "to_arrow_table") or hasattr(obj, "arrow"):  # DuckDB before it spoke the C stream
        frame = pl.DataFrame((obj.to_arrow_table if hasattr(obj, "to_arrow_table") else obj.arrow)())
    elif hasattr(obj, "__dataframe__"):
        frame = _from_interchange(obj)
    else:
        made = f"{type(obj).__module__}.{type(obj).__qualname__}"
        again = Text("", "")
        if isinstance(obj, Iterator | KeysView | ValuesView):
            again = Text(" Of something to go through, pass list(…).", "如果是可遍历的对象，请传入 list(…)。")
        elif isinstance(obj, Sequence):
            again = Text(
                " Rows of query, item and number are a dict: {query: {item: number}}.",
                "由查询、文档和数值组成的行请写成字典：{查询: {文档: 数值}}。",
            )
        raise InputError(
            Text(
                f"cannot read {made} as a table. Pass a pandas, Polars, PyArrow or DuckDB table, or anything with "
                f"__arrow_c_stream__.{again}",
                f"无法把 {made} 作为表读取。请传入 pandas、Polars、PyArrow 或 DuckDB 的表，或任何有 "
                f"__arrow_c_stream__ 的对象。{again.zh}",
            )
        )
    return frame if columns is None else frame.select(columns)


def _from_interchange(obj: Any) -> pl.DataFrame:
    """The older protocol, which Polars no longer reads itself."""
    import polars as pl

    try:
        from pyarrow.interchange import from_dataframe  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        raise MissingExtra(
            Text(
                f"reading {type(obj).__module__}.{type(obj).__qualname__} needs PyArrow. "
                "Install it with: pip install pyarrow",
                f"读取 {type(obj).__module__}.{type(obj).__qualname__} 需要 PyArrow。安装：pip install pyarrow",
            )
        ) from None
    return pl.DataFrame(from_dataframe(obj))


def _library(obj: Any) -> str:
    name = type(obj).__module__.partition(".")[0].lstrip("_")
    is_table = type(obj).__name__ in (
        "DataFrame",
        "LazyFrame",
        "Table",
        "RecordBatch",
        "RecordBatchReader",
        "DuckDBPyRelation",
    )
    return name if is_table else ""


def _index_names(frame: Any) -> list[str]:
    return [str(n) for n in frame.index.names if n is not None and n not in frame.columns]


def row(row: int) -> str:
    """How a row is called where there are no lines."""
    return in_row(row + 1)


def _ranked(
    kind: Kind,
    frame: pl.DataFrame,
    source: Mapping[str, str],
    where: str,
    position: Position,
    notes: list[str],
    is_text: bool,
    *,
    as_numbers: bool = False,
) -> pl.DataFrame:
    """The columns of a run or of qrels."""
    import polars as pl

    from rankgauge.data import _cast

    out: dict[str, pl.Series] = {}
    for role, name in source.items():
        column = _cast.Column(frame.get_column(name), role, where, position, notes, is_text)
        if role in _IDS:
            out[role] = column.ids(as_numbers=as_numbers)
        elif role in ("score", "grade"):
            out[role] = column.numbers(finite=role == "grade")
        elif role == "distance":
            out["score"] = -column.numbers(finite=False)
        elif role == "rank":
            required = "score" not in source and "distance" not in source
            if (rank := column.ranks(required=required)) is not None:
                out["rank"] = rank
        else:
            out[role] = column.text()
    if pl.String in (kinds := {out[role].dtype for role in _IDS}) and len(kinds) > 1:
        out |= {role: out[role].cast(pl.String) for role in _IDS}
    if kind == "qrels" and "grade" not in out:
        out["grade"] = pl.repeat(1.0, frame.height, eager=True)
    elif kind == "run" and "score" not in out:
        out["score"] = -out["rank"].cast(pl.Float64) if "rank" in out else _places(out["query_id"], where, position)
    order = [c for c in (*_IDS, "score", "grade", "rank", "tag", "iteration") if c in out]
    return pl.DataFrame([out[c].alias(c) for c in order])


def _interactions(
    frame: pl.DataFrame,
    source: Mapping[str, str],
    asked: Mapping[str, str],
    where: str,
    position: Position,
    notes: list[str],
    is_text: bool,
) -> pl.DataFrame:
    """The columns of interactions; ids that are whole numbers stay so, who codes them needs no text of each row."""
    import polars as pl

    from rankgauge.data import _cast

    out: dict[str, pl.Series] = {}
    dates = dates_of(asked)[1]
    for role, name in source.items():
        column = _cast.Column(frame.get_column(name), role, where, position, notes, is_text, dates.get(name))
        if role in ("user_id", "item_id"):
            whole = column.values.dtype.is_integer() and not column.values.null_count()
            out[role] = column.values if whole else column.ids()
        elif role in ("rating", "weight"):
            out[role] = column.numbers(finite=True)
        elif (times := column.of_predictions(asked=name in asked or is_surely_time(name))) is not None:
            out[role] = times
    return pl.DataFrame([values.alias(role) for role, values in out.items()])


def _places(queries: pl.Series, where: str, position: Position) -> pl.Series:
    """Scores of results in their order, as those of a list: n for the first of n. The rows of a query are together."""
    import polars as pl

    frame = queries.to_frame("q").with_row_index("row")
    blocks = frame.select(pl.struct("q", b=pl.col("q").rle_id()).unique().struct.field("q"))
    apart = blocks.filter(pl.col("q").is_duplicated())
    if apart.height:
        query = next(q for q in queries if q in set(apart.get_column("q")))
        rows = frame.filter(pl.col("q") == query).get_column("row").to_list()
        last, name = next(b for a, b in itertools.pairwise(rows) if b != a + 1), show(str(query))
        raise InputError(
            Text(
                f"{within(where)}{position(last)}: query {name} was there before ({position(rows[0])}), with "
                "others in between. Without a score the order of rows is the ranking: keep the rows of a query "
                "together, or add a score or rank.",
                f"{zh(within(where))}{zh(position(last))}：查询 {name} 前面已经出现（{zh(position(rows[0]))}），"
                "中间隔着别的查询。没有得分时行的顺序就是排序：请把同一查询的各行放在一起，或加上得分或排名。",
            )
        )
    return frame.select((pl.len() - pl.int_range(pl.len())).over("q").cast(pl.Float64)).to_series()


class _LooksOf:
    """What is in the columns of a table, as far as an error proposes one."""

    def __init__(self, obj: Any) -> None:
        self._obj = obj

    def may_be_score(self, name: str) -> bool:
        return _may_be_score(to_polars(self._obj, [name]).to_series())

    def is_number(self, name: str) -> bool:
        return _numbers_of(to_polars(self._obj, [name]).to_series()) is not None


_LOOKED_AT = 1000  # rows that tell whether a column could be scores


def _may_be_score(values: pl.Series) -> bool:
    """Whether a column holds numbers that are not all whole: counts and codes are, scores hardly ever."""
    numbers = None if values.dtype.is_integer() else _numbers_of(values)
    return numbers is not None and bool((numbers % 1 != 0).any())


def _numbers_of(values: pl.Series) -> pl.Series | None:
    """The numbers at the top of a column; None where something else is among them, or nothing."""
    import polars as pl

    there = values.head(_LOOKED_AT).drop_nulls()
    if not (there.dtype.is_numeric() or there.dtype == pl.String) or not there.len():
        return None
    numbers = there.cast(pl.Float64, strict=False)
    return numbers if numbers.null_count() == 0 else None


def _predictions(
    frame: pl.DataFrame,
    source: Mapping[str, str],
    asked: Mapping[str, str],
    where: str,
    position: Position,
    notes: list[str],
    is_text: bool,
) -> pl.DataFrame:
    """The columns of predictions, or one error with everything that cannot be read in any of them."""
    import polars as pl

    from rankgauge.data import _cast

    out: list[pl.Series] = []
    problems: list[str] = []
    dates = dates_of(asked)[1]
    for role, name in source.items():
        column = _cast.Column(frame.get_column(name), role, where, position, notes, is_text, dates.get(name))
        try:
            values = column.of_predictions(asked=name in asked or name == role)
        except InputError as e:
            problems += [without(within(where), p) for p in e.problems]
            continue
        if values is not None:
            out.append(values.alias(f"{role.partition(':')[0]}:{name}"))
    if problems:
        raise InputError.collect(within(where), problems)
    return pl.DataFrame(out)
