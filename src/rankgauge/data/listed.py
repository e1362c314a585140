"""Columns with a list for each query: `user_id, items: [7, 3, 9]`, perhaps with `scores: [0.9, 0.8, 0.1]`.

Many recommenders write what they show so, one row for each user. Such a row becomes rows of one item each, and
whatever reads tables reads them as any other. The items of a list are a ranking, best first, where nothing beside them
says more; as judgements and interactions they are what a user wanted or had.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import within
from rankgauge.data.both_sides import SIDES
from rankgauge.data.columns import (
    RANKED_BY_LISTS,
    ROLES,
    Kind,
    column_for,
    fold,
    own_columns,
    query_names,
    read_as,
    role_of,
    same_role,
)
from rankgauge.data.frames import Position, column_names, row, to_polars
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Listing", "Unlisted", "listing", "lists_in", "unlisted"]

_WHOSE = {"run": "query_id", "qrels": "query_id", "interactions": "user_id"}
_WHAT = {"run": "doc_id", "qrels": "doc_id", "interactions": "item_id"}
_ITEMS = ("items", "itemids", "docids", "documentids")
_ORDER = ("score", "distance", "rank")


@dataclass(frozen=True)
class Listing:
    """Which columns of a table hold lists, and what of."""

    kind: Kind
    whose: str | None
    """The column of queries."""
    items: str
    beside: tuple[str, ...]
    """Columns with a number for each item."""
    scalars: tuple[str, ...]
    is_ranked: bool
    """Whether the order of lists is all that ranks their items."""
    columns: Mapping[str, str]
    """What is known of them by name, for whoever reads the rows."""
    where: str

    @property
    def notes(self) -> tuple[str, ...]:
        """How lists were read."""
        role = _WHAT[self.kind]
        read: tuple[Text, ...] = (
            _said_of_lists(self.items) if fold(self.items) == fold(role) else read_as(self.items, role),
        )
        if self.whose is not None and _is_mere_id(self.whose):
            read = (read_as(self.whose, _WHOSE[self.kind]), *read)
        return (*read, *([RANKED_BY_LISTS] if self.is_ranked else ()))

    def chosen(self, schema: Mapping[str, Any]) -> list[pl.Expr]:
        """The columns that are looked at, with lists of any length."""
        import polars as pl

        used = (*self.scalars, self.items, *self.beside)
        return [pl.col(n).arr.to_list() if isinstance(schema[n], pl.Array) else pl.col(n) for n in used]

    def rows(self, frame: pl.DataFrame, position: Position) -> tuple[pl.DataFrame, Position]:
        """A row for each item of each list, and how they are called."""
        import polars as pl

        frame = frame.select(self.chosen(frame.schema))
        lengths = _lengths(frame[self.items])
        for name in self.beside:
            self._refuse_unequal(name, lengths, _lengths(frame[name]), position)
        flat = frame.filter(pl.Series(lengths > 0)).explode(self.items, *self.beside)
        owner = np.repeat(np.arange(len(lengths)), lengths)
        if self.is_ranked:  # n for the first of n, as of lists in dicts
            left = np.cumsum(lengths)[owner] - np.arange(len(owner))
            flat = flat.with_columns(score=pl.Series(left.astype(np.float64)))
        return flat, lambda i: position(int(owner[i]))

    def empty(self, frame: pl.DataFrame) -> tuple[str, ...]:
        """Queries whose list is there and empty."""
        import polars as pl

        if self.whose is None:
            return ()
        none = frame.filter(pl.Series(_lengths(frame.select(self.chosen(frame.schema))[self.items]) == 0))
        return tuple(none[self.whose].drop_nulls().cast(pl.String).to_list())

    def refuse_several(self, queries: pl.Series, position: Position) -> None:
        """Raise where a query has two lists of results, which are not one."""
        if self.kind != "run" or not queries.is_duplicated().any():
            return
        first: dict[Any, int] = {}
        for i, query in enumerate(queries.to_list()):
            if (before := first.setdefault(query, i)) != i:
                raise InputError(
                    Text(
                        f"{within(self.where)}{position(i)}: query {show(query)} has a list already, in "
                        f"{position(before)}. Keep one of them.",
                        f"{zh(within(self.where))}{zh(position(i))}：查询 {show(query)} 已有列表，在"
                        f"{zh(position(before))}。请只保留一个。",
                    )
                )

    def _refuse_unequal(self, name: str, lengths: Any, others: Any, position: Position) -> None:
        odd = np.flatnonzero(lengths != others)
        if len(odd):
            i = int(odd[0])
            raise InputError(
                Text(
                    f"{within(self.where)}{position(i)}: {show(name)} must have a number for each of {lengths[i]:,} "
                    f"items, got {others[i]:,}.",
                    f"{zh(within(self.where))}{zh(position(i))}：{show(name)} 必须为 {lengths[i]:,} 个物品各给一个数，"
                    f"实际有 {others[i]:,} 个。",
                )
            )


def _said_of_lists(name: str) -> Text:
    """A column whose name promises one id in a row."""
    return Text(f"{show(name)} holds lists: one row for each item", f"{show(name)} 中是列表：每个物品一行")


def listing(
    kind: Kind, names: Sequence[str], lists: Mapping[str, bool], columns: Mapping[str, str] | None, where: str
) -> Listing | None:
    """What the lists of a table are; None where items are no lists.

    `lists` are the columns that hold some, and whether these may be ids: numbers that are not whole are none.
    """
    if kind not in _WHAT or not lists:
        return None
    own = own_columns(columns, names, kind, where)
    items = _items(kind, lists, own)
    if items is None:
        return None
    numbers = [role for role in ROLES[kind] if role not in (_WHAT[kind], _WHOSE[kind])]
    scalars = [n for n in names if n not in lists]
    beside = {r: n for r in numbers if (n := column_for(r, kind, [n for n in lists if n != items], own, where))}
    is_ranked = kind == "run" and not any(role in beside for role in _ORDER)
    if is_ranked:  # numbers of users rank no items
        scalars = [n for n in scalars if not any(column_for(role, kind, [n], own, where) for role in _ORDER)]
    whose = _whose(kind, scalars, own, where)
    if kind != "interactions" and whose is not None:  # other names of the same query say nothing more
        scalars = [n for n in scalars if n in own or n == whose or not query_names([n])]
    read = {n: role for n, role in own.items() if n in (*scalars, *beside.values())} | {items: _WHAT[kind]}
    if whose is not None and _is_mere_id(whose):
        read[whose] = _WHOSE[kind]
    return Listing(kind, whose, items, tuple(beside.values()), tuple(scalars), is_ranked, read, where)


def _whose(kind: Kind, scalars: Sequence[str], own: Mapping[str, str], where: str) -> str | None:
    """The column of queries: a row is one of them, and its id goes before its words."""
    found = column_for(_WHOSE[kind], kind, scalars, own, where)
    if found is None or found in own or kind == "interactions":
        return found
    clear = query_names([found, *(n for n in scalars if n not in own and _is_mere_id(n))])
    return clear[0] if clear else found


def _is_mere_id(name: str) -> bool:
    return fold(name) == "id"


def _items(kind: Kind, lists: Mapping[str, bool], own: Mapping[str, str]) -> str | None:
    """The column with the lists of items, by the clearest of its names."""
    asked = next((n for n in lists if same_role(own.get(n, ""), kind) == _WHAT[kind]), None)
    ids = [n for n, may_be in lists.items() if may_be and n not in own]
    by_role = (n for n in ids if role_of(n, kind) == _WHAT[kind])
    words = dict.fromkeys((*SIDES.get(kind, ()), *_ITEMS))
    by_side = (n for word in words for n in ids if fold(n) == word)
    return asked or next(by_role, None) or next(by_side, None)


@dataclass(frozen=True, eq=False)
class Unlisted:
    """A table with a row for each item."""

    frame: pl.DataFrame
    columns: Mapping[str, str]
    """What they are, as far as their names do not tell."""
    position: Position
    notes: tuple[str, ...]
    empty: tuple[str, ...]


def unlisted(
    kind: Kind, obj: Any, columns: Mapping[str, str] | None, where: str, position: Position | None = None
) -> Unlisted | None:
    """A table whose items are lists with a row for each of them; None for any other."""
    names = column_names(obj)
    if names is None:
        obj = to_polars(obj)
        names = obj.columns
    lists = lists_in(obj, names)
    found = listing(kind, names, lists, columns, where)
    if found is None:
        return None
    position = position or row
    frame = _frame(obj, [*found.scalars], [found.items, *found.beside], where, position)
    if found.whose is not None:
        found.refuse_several(frame[found.whose], position)
    flat, of_flat = found.rows(frame, position)
    return Unlisted(flat, found.columns, of_flat, found.notes, found.empty(frame))


def lists_in(obj: Any, names: Sequence[str]) -> dict[str, bool]:
    """The columns that hold lists, and whether these may be ids; no column is converted for it."""
    library = type(obj).__module__.partition(".")[0]
    if library == "pandas":
        found = {n: _kind_of(obj[n]) for n in names if n in obj.columns and getattr(obj[n], "ndim", 1) == 1}
    elif library == "pyarrow":
        found = {field.name: str(field.type) for field in obj.schema}
    elif library == "polars":
        found = {n: str(dtype) for n, dtype in obj.collect_schema().items()}
    else:
        return {}
    folded = {n: kind.casefold() for n, kind in found.items()}
    return {
        n: not any(word in kind for word in ("float", "double", "decimal"))
        for n, kind in folded.items()
        if kind.startswith(("list", "large_list", "fixed_size_list", "array"))
    }


def _kind_of(values: Any) -> str:
    """The type of a column of pandas; lists that are objects by the first of them."""
    if values.dtype != object:
        return str(values.dtype)
    first = next((v for v in values.head(_LOOKED_AT) if not _is_missing(v)), None)
    if not isinstance(first, (list, tuple, np.ndarray)) or getattr(first, "ndim", 1) == 0:
        return "object"
    return "list(float)" if any(isinstance(x, (float, np.floating)) for x in first) else "list"


def _is_missing(value: Any) -> bool:
    """None, and NaN, which pandas has where it aligned lists."""
    return value is None or (isinstance(value, float) and isnan(value))


_LOOKED_AT = 1000


def _frame(obj: Any, scalars: Sequence[str], lists: Sequence[str], where: str, position: Position) -> pl.DataFrame:
    if type(obj).__module__.partition(".")[0] != "pandas":
        return to_polars(obj, [*scalars, *lists])
    columns = [_of_lists(n, list(obj[n]), where, position) for n in lists]
    return to_polars(obj, scalars).with_columns(columns)


def _of_lists(name: str, values: Sequence[Any], where: str, position: Position) -> pl.Series:
    """A column of Python's lists; a text among them is no list of its letters."""
    import polars as pl

    for i, value in enumerate(values):
        if not _is_missing(value) and not (isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) == 1):
            raise InputError(
                Text(
                    f"{within(where)}{position(i)}: {show(name)} must be a list, as in other rows, got {show(value)}.",
                    f"{zh(within(where))}{zh(position(i))}：{show(name)} 必须和其他行一样是列表，"
                    f"实际为 {show(value)}。",
                )
            )
    try:
        return pl.Series(name, [None if _is_missing(v) else list(v) for v in values])
    except (TypeError, pl.exceptions.PolarsError):
        raise InputError(
            Text(
                f"{where}, column {show(name)}: lists must hold values of one type, got several. Convert ids to text, "
                "and scores to numbers.",
                f"{zh(where)} 的列 {show(name)}：列表中的值必须是同一类型，实际有多种。"
                "请把 id 转为文本，把得分转为数字。",
            )
        ) from None


def _lengths(lists: pl.Series) -> Any:
    return lists.list.len().fill_null(0).to_numpy().astype(np.int64)
