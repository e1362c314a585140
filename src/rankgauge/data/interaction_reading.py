"""Interactions from whatever holds them: tables, files, lists, pairs, matrices, judgements.

Each form ends as the canonical columns of a table (`user_id`, `item_id`, `rating`, `weight`, `time`), of which
`_of_columns` makes codes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._piped import taken_in
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._typing import Array
from rankgauge.data._places import in_row, word_for
from rankgauge.data.columns import role_of
from rankgauge.data.frames import as_given, canonical, is_frame, is_pandas
from rankgauge.data.id_codes import coded
from rankgauge.data.interactions import Interactions
from rankgauge.data.listed import unlisted
from rankgauge.data.mappings import id_text
from rankgauge.data.odd_ids import said_of_odd
from rankgauge.data.table import Table, is_sparse
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.formats import Content

__all__ = ["opened", "read", "times_of"]


def opened(obj: Any, columns: Mapping[str, str] | None = None, name: str = "interactions") -> tuple[Interactions, Any]:
    """Interactions, and what has a row for each of them: what was given, or a Polars frame of what was read.

    A table with lists of items has become one with a row for each of them, of the library it came from.
    """
    if isinstance(obj, Interactions):
        return obj, obj
    found, source = read(obj, columns, name)
    return found, source if source is obj else as_given(source, obj)


def read(obj: Any, columns: Mapping[str, str] | None, name: str) -> tuple[Interactions, Any]:
    """Interactions, and what has a row for each of them: `obj` itself, or what was made of it."""
    obj = taken_in(obj)
    where = word_for(name)
    if is_sparse(obj):
        return _of_matrix(obj, name, where), obj
    if isinstance(obj, Table):
        found = _of_judgements(obj, name, where)
        return found, found
    if isinstance(obj, Mapping):
        return _of_mapping(obj, columns, name, where), obj
    if _are_pairs(obj):
        return _of_pairs(obj, columns, name, where), obj
    from rankgauge.data.any_table import open_table
    from rankgauge.data.formats.base import Keyed

    content = open_table(obj, "interactions", columns)
    if isinstance(content, Keyed):
        return _of_mapping(content.rows, columns, name, content.where), content.rows
    table, frame, notes, are_lists = _table(content, columns, obj)
    found = _of_columns(table, name, content.where, notes, is_in_order=are_lists)
    are_records = isinstance(obj, Sequence) and not isinstance(obj, str) and not isinstance(obj[0], (str, PathLike))
    return found, obj if (is_frame(obj) or are_records) and not are_lists else frame


def times_of(obj: Any, columns: Mapping[str, str] | None = None) -> tuple[Array | None, bool]:
    """When interactions happened, and whether that is dates and not numbers; ids are not looked into where a table
    tells its columns."""
    if not (is_frame(obj) or isinstance(obj, (str, PathLike))):
        found = Interactions.of(obj, columns=columns)
        return found.times, found.are_dates
    from rankgauge.data.any_table import open_table
    from rankgauge.data.formats.base import Keyed

    content = open_table(taken_in(obj), "interactions", columns)
    if isinstance(content, Keyed):
        return None, False
    return _times(_table(content, columns, obj)[0])[:2]


def _table(
    content: Content, columns: Mapping[str, str] | None, given: Any
) -> tuple[pl.DataFrame, pl.DataFrame, tuple[str, ...], bool]:
    """The canonical columns, by their names, or by their places where there are none; and what they were made of,
    notes, and whether they were lists."""
    from rankgauge.data.formats.base import Columns

    frame, notes, position = content.read(), content.notes, None
    are_lists = is_text = False
    if isinstance(content, Columns):
        position, is_text = content.position, content.is_text
        are_lists = not content.has_header and frame.columns[0] == "user_id"
        if not content.has_header and not are_lists and not columns:
            frame = frame.rename(_told(frame, content))
            names = ", ".join(frame.columns)
            notes += (Text(f"no header: read as {names}", f"没有表头：读作 {names}"),)
    listed = given if is_pandas(given) else frame  # lists are objects there, and no others here
    if (lists := unlisted("interactions", listed, columns, content.where, position)) is not None:
        frame, columns, position, are_lists = lists.frame, lists.columns, lists.position, True
        notes += lists.notes
    table, more = canonical("interactions", frame, columns, content.where, position, is_text=is_text)
    return table, frame, (*notes, *more), are_lists


_FEW = 10
"""The highest of ratings, as far as anybody asks for them."""


def _told(frame: pl.DataFrame, content: Content) -> dict[str, str]:
    """What columns without names are: user, item, and numbers that tell themselves by what they are."""
    import polars as pl

    from rankgauge.data.times import unit_code

    roles = {frame.columns[0]: "user_id", frame.columns[1]: "item_id"}
    for name in frame.columns[2:]:
        values = frame[name].cast(pl.Float64, strict=False) if frame[name].dtype == pl.String else frame[name]
        if not values.dtype.is_numeric() or values.null_count():
            role = None
        elif values.to_frame().select((unit_code(pl.col(name)) % 2 == 1).all()).item():
            role = "time"
        else:
            half = values * 2
            stars = values.n_unique() > 1 and bool((half == half.round()).all() and values.is_between(0, _FEW).all())
            role = "rating" if stars else "weight"
        if role is None or role in roles.values():
            example = '{"column_1": "user_id", "column_2": "item_id", "column_3": "rating", "column_4": "time"}'
            raise InputError(
                Text(
                    f"{content.where}: no header, and column {name[7:]} cannot be told from its values, such as "
                    f"{show(frame[name][0])}. Add a header or pass columns={example}.",
                    f"{zh(content.where)}：没有表头，也无法从值判断第 {name[7:]} 列是什么（如 "
                    f"{show(frame[name][0])}）。请加上表头，或传入 columns={example}。",
                )
            )
        roles[name] = role
    return roles


def _of_columns(
    table: pl.DataFrame,
    name: str,
    where: str,
    notes: tuple[str, ...],
    *,
    is_in_order: bool = False,
) -> Interactions:
    """From the canonical columns."""
    if table.is_empty():
        raise InputError(
            Text(
                f"{where}: must hold at least one interaction, got none.", f"{zh(where)}：至少要有一条交互，实际没有。"
            )
        )
    times, are_dates, more = _times(table)
    notes += more
    users, user_ids = coded(table["user_id"])
    items, item_ids = coded(table["item_id"])
    notes += (*said_of_odd(user_ids, _USER), *said_of_odd(item_ids, _ITEM))
    ratings, weights = (table[c].to_numpy() if c in table.columns else None for c in ("rating", "weight"))
    return Interactions(
        users, items, user_ids, item_ids, times, ratings, weights, are_dates, is_in_order and times is None, name, notes
    )


def _times(table: pl.DataFrame) -> tuple[Array | None, bool, tuple[str, ...]]:
    """Times that every row has, whether they are dates, and what is to be said of them."""
    if "time" not in table.columns:
        return None, False, ()
    column = table["time"]
    if column.dtype.is_float():
        column = column.set(~column.is_finite(), None)
    if not column.null_count():
        return _numbers(column), column.dtype.is_temporal(), _said_of_equal(column)
    n, first = column.null_count(), in_row(int(column.is_null().arg_max() or 0) + 1)
    note = Text(
        f"times not used: missing in {n:,} row{'s' if n > 1 else ''} (first: {first})",
        f"未使用时间：{n:,} 行缺失（首先是{first.zh}）",
    )
    return None, False, (note,)


def _said_of_equal(times: pl.Series) -> tuple[str, ...]:
    if len(times) < 2 or times.n_unique() > 1:
        return ()
    return (
        Text(
            f"all {len(times):,} times are {show(times[0])}: they put nothing in order",
            f"{len(times):,} 个时间全部是 {show(times[0])}：无法据此排出先后",
        ),
    )


_USER, _ITEM = Text("user", "用户"), Text("item", "物品")


def _numbers(times: pl.Series) -> Array:
    import polars as pl

    if times.dtype.is_temporal():
        return times.cast(pl.Datetime("us")).to_physical().to_numpy()
    return times.to_numpy()


# what is no table


def _of_matrix(matrix: Any, name: str, where: str) -> Interactions:
    import polars as pl

    entries = matrix.tocsr().tocoo()  # entries that are given twice are added, as SciPy does
    values = entries.data
    if values.dtype.kind not in "fiub" or not np.isfinite(values).all():
        raise InputError(
            Text(
                f"{where}: a sparse matrix must hold finite numbers, got {values.dtype}"
                f"{'' if values.dtype.kind not in 'fiub' else ' with NaN or infinity among them'}.",
                f"{zh(where)}：稀疏矩阵中必须是有限的数字，实际为 {values.dtype}"
                f"{'' if values.dtype.kind not in 'fiub' else '，其中有 NaN 或无穷'}。",
            )
        )
    kept = values != 0
    notes: tuple[str, ...] = (
        Text(
            "a sparse matrix: what it stores and is not 0 is an interaction",
            "稀疏矩阵：存储且不为 0 的元素视为一条交互",
        ),
    )
    table = pl.DataFrame({"user_id": entries.row[kept], "item_id": entries.col[kept]})
    if not (values[kept] == 1).all():
        table = table.with_columns(weight=values[kept].astype(np.float64))
    return _of_columns(table, name, where, notes)


def _of_judgements(judged: Table, name: str, where: str) -> Interactions:
    import polars as pl

    if judged.kind != "qrels":
        raise InputError(
            Text(
                f"interactions expected, got a {type(judged).__name__} ({judged.name}). Are the arguments in order?",
                f"应为交互，实际为 {type(judged).__name__}（{judged.name}）。参数顺序对吗？",
            )
        )
    frame = judged.to_frame().filter(pl.col("grade") > 0)
    table = frame.select(user_id="query_id", item_id="doc_id", weight="grade")
    return _of_columns(table, name, where, judged.notes)


def _of_mapping(obj: Mapping[Any, Any], columns: Mapping[str, str] | None, name: str, where: str) -> Interactions:
    """Columns by name, or items by user."""
    import polars as pl

    roles = {role_of(str(k), "interactions") for k in obj} | set((columns or {}).values())
    if {"user_id", "item_id"} <= roles:
        from rankgauge.data.tabular import table_of

        table, notes = canonical("interactions", table_of(obj, where), columns, where)
        return _of_columns(table, name, where, notes)
    items: list[str] = []
    sizes: list[int] = []
    weights: list[Any] = []
    is_in_order = True
    for user, value in obj.items():
        found = _items_of(value, user, where)
        is_in_order = is_in_order and not isinstance(value, (set, frozenset))
        weights += found.values() if isinstance(found, Mapping) else [1] * len(found)
        items += [id_text(i, where) for i in found]
        sizes.append(len(found))
    table = pl.DataFrame(
        {
            "user_id": pl.Series([id_text(u, where) for u in obj], dtype=pl.String).gather(
                np.repeat(np.arange(len(sizes)), sizes)
            ),
            "item_id": pl.Series(items, dtype=pl.String),
        }
    )
    if any(w != 1 for w in weights):
        table = table.with_columns(weight=pl.Series([_weight(w, where) for w in weights], dtype=pl.Float64))
    return _of_columns(table, name, where, (), is_in_order=is_in_order)


def _items_of(value: Any, user: Any, where: str) -> Collection[Any]:
    if isinstance(value, (str, int, np.integer)):
        return [value]
    if isinstance(value, np.ndarray) or hasattr(value, "to_list"):
        value = value.tolist() if isinstance(value, np.ndarray) else value.to_list()
    if isinstance(value, Collection):
        return value
    raise InputError(
        Text(
            f"{where}: user {show(user)} must hold a list of items, got {type(value).__name__}.",
            f"{zh(where)}：用户 {show(user)} 必须是物品的列表，实际为 {type(value).__name__}。",
        )
    )


def _weight(value: Any, where: str) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        found = float("nan")
    if not np.isfinite(found):
        raise InputError(
            Text(
                f"{where}: a weight must be a finite number, got {show(value)}.",
                f"{zh(where)}：权重必须是有限的数字，实际为 {show(value)}。",
            )
        )
    return found


_FIELDS = ("user_id", "item_id", "rating", "time")


def _are_pairs(obj: Any) -> bool:
    """A list of `(user, item)`, or of such with a rating and a time behind them."""
    if is_frame(obj) or isinstance(obj, (str, bytes)) or not isinstance(obj, Sequence) or not obj:
        return False
    first = obj[0]
    return isinstance(first, (tuple, list)) and 2 <= len(first) <= len(_FIELDS)


def _of_pairs(rows: Sequence[Any], columns: Mapping[str, str] | None, name: str, where: str) -> Interactions:
    import polars as pl

    from rankgauge.data._cast import from_objects

    n = len(rows[0])
    odd = next((i for i, row in enumerate(rows) if not isinstance(row, (tuple, list)) or len(row) != n), None)
    if odd is not None:
        raise InputError(
            Text(
                f"{where}, {in_row(odd + 1)}: must have {n} fields, as the first, got {show(rows[odd])}.",
                f"{zh(where)} {in_row(odd + 1).zh}：必须与第一行一样有 {n} 个字段，实际为 {show(rows[odd])}。",
            )
        )
    frame = pl.DataFrame([_series(f"column_{i + 1}", [row[i] for row in rows], from_objects) for i in range(n)])
    roles = columns or dict(zip(frame.columns, _FIELDS, strict=False))
    table, notes = canonical("interactions", frame, roles, where)
    return _of_columns(table, name, where, notes)


def _series(name: str, values: list[Any], otherwise: Any) -> pl.Series:
    """Dates as Polars has them; what else there is as ids and numbers."""
    import polars as pl

    return pl.Series(name, values) if all(isinstance(v, date) for v in values) else otherwise(name, values)
