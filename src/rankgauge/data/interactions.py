"""Interactions: who had to do with which item, and when.

    Interactions.of("ratings.csv")                        a file in any format, a folder, a pattern, a pipe
    Interactions.of(frame)                                pandas, Polars, PyArrow, DuckDB; `user_id, item_id` or alike
    Interactions.of({"u1": ["a", "b"]})                   items by user, in the order in which they happened
    Interactions.of([("u1", "a"), ("u1", "b")])           pairs, or records
    Interactions.of(scipy_sparse_matrix)                  users × items: what is stored and not 0 is an interaction

It is kept small, as two catalogues of ids and two codes for each row: a popularity is a `bincount` of codes, and
whether a user knows an item is a search in sorted numbers. Codes follow the order of ids as texts, so that ties can be
broken by code. Rows stay what they were given as, one for one, also where a pair is there twice.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from rankgauge._checks import number
from rankgauge._piped import taken_in
from rankgauge._show import show
from rankgauge._text import Text, composed, in_language, spaced, zh
from rankgauge.data._places import in_row, word_for
from rankgauge.data.columns import role_of
from rankgauge.data.frames import as_given, canonical, is_frame, is_pandas
from rankgauge.data.listed import unlisted
from rankgauge.data.mappings import id_text
from rankgauge.data.table import Table, is_sparse
from rankgauge.errors import InputError, ParameterError

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.formats import Content

__all__ = ["Interactions", "opened", "times_of"]

Codes = NDArray[np.int32]
Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Interactions:
    """Rows of user and item as codes, and the ids behind the codes.

    >>> seen = Interactions.of({"u1": ["a", "b"], "u2": ["b"]})
    >>> seen.n_users, seen.n_items, len(seen)
    (2, 2, 3)
    >>> seen.users_per_item.tolist()             # by code: "a" is item 0, "b" is item 1
    [1, 2]
    >>> seen.has(seen.user_codes(["u1", "u2"]), seen.item_codes(["a", "a"])).tolist()
    [True, False]
    """

    users: Codes
    """The code of the user of each row: its place in `user_ids`."""
    items: Codes
    """The code of the item of each row."""
    user_ids: pl.Series
    """Ids of users as text, in order."""
    item_ids: pl.Series
    """Ids of items as text, in order."""
    times: Array | None = None
    """When it happened, as a number that grows: what the input has, or microseconds since 1970 where it has dates."""
    ratings: Array | None = None
    """What the user said of the item, where the input has a column for it: a low one is no hit."""
    weights: Array | None = None
    """How often, or how much."""
    are_dates: bool = False
    """Whether times were dates, and not numbers."""
    is_in_order: bool = False
    """Whether the rows of a user are in the order in which they happened, as those of lists are; there are no times."""
    name: str = "interactions"
    notes: tuple[str, ...] = ()
    """What was recognised or repaired while reading."""

    @classmethod
    def of(
        cls,
        obj: Any,
        *,
        columns: Mapping[str, str] | None = None,
        min_rating: float | None = None,
        name: str = "interactions",
    ) -> Self:
        """Interactions from whatever holds them; `columns` maps names of the input to `user_id`, `item_id`, `rating`,
        `weight` and `time`, and `min_rating` keeps those whose rating is at least that.

        A rating counts as an interaction, however low it is: who popular items are counted by has seen them.
        """
        found = obj if isinstance(obj, cls) else _read(cls, obj, columns, name)[0]
        return found if min_rating is None else found.at_least(min_rating)

    def __len__(self) -> int:
        return len(self.users)

    @property
    def n_users(self) -> int:
        return len(self.user_ids)

    @property
    def n_items(self) -> int:
        return len(self.item_ids)

    # ids and codes

    def user_codes(self, ids: Any) -> Codes:
        """The codes of users, -1 where an id is not among them. `ids` are a list, or a column of texts or numbers."""
        return _codes_in(self.user_ids, ids)

    def item_codes(self, ids: Any) -> Codes:
        """The codes of items, -1 where an id is not among them."""
        return _codes_in(self.item_ids, ids)

    # who knows what

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """Every pair of user and item once, as `user * n_items + item`, in order."""
        keys = np.sort(self.users.astype(np.int64) * self.n_items + self.items)
        return keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys

    @cached_property
    def history(self) -> tuple[NDArray[np.int64], Codes]:
        """What each user knows: the items of user `u` are `items[starts[u] : starts[u + 1]]`, each once, in order."""
        pairs = self.pairs
        starts = np.searchsorted(pairs, np.arange(self.n_users + 1, dtype=np.int64) * self.n_items)
        return starts, (pairs % max(self.n_items, 1)).astype(np.int32)

    def has(self, users: Array, items: Array) -> NDArray[np.bool_]:
        """Whether each user has had to do with the item beside it; codes in, and False where one is -1."""
        users, items = np.broadcast_arrays(np.asarray(users), np.asarray(items))
        keys = users.astype(np.int64) * self.n_items + items
        found: NDArray[np.bool_] = np.zeros(keys.shape, dtype=bool)
        if len(self.pairs):
            flat = keys.ravel()
            order = np.argsort(flat)  # one after the other they are found ten times as quickly
            asked = flat[order]
            at = np.minimum(np.searchsorted(self.pairs, asked), len(self.pairs) - 1)
            found.ravel()[order] = self.pairs[at] == asked
        return found & (users >= 0) & (items >= 0)

    def known(self, users: Array, items: Array) -> tuple[int, NDArray[np.int64]]:
        """How many of the pairs are here, and the items of the others, in any order; codes in, -1 for what is not here.

        It takes a fraction of the time of `has`, which says it of each pair.
        """
        both = (users >= 0) & (items >= 0)
        keys = np.sort(users[both].astype(np.int64) * self.n_items + items[both])
        at = np.minimum(np.searchsorted(self.pairs, keys), max(len(self.pairs) - 1, 0))
        here = self.pairs[at] == keys if len(self.pairs) else np.zeros(len(keys), dtype=bool)
        others = np.concatenate([items[~both].astype(np.int64), keys[~here] % max(self.n_items, 1)])
        return int(np.count_nonzero(here)), others

    @cached_property
    def users_per_item(self) -> NDArray[np.int64]:
        """How many users had to do with each item, by code: its popularity."""
        return np.bincount(self.pairs % max(self.n_items, 1), minlength=self.n_items)

    @cached_property
    def items_per_user(self) -> NDArray[np.int64]:
        """How many items each user had to do with, by code."""
        return np.diff(self.history[0])

    @cached_property
    def events_per_item(self) -> NDArray[np.int64]:
        """How many rows each item has, by code; a pair that is there twice counts twice."""
        return np.bincount(self.items, minlength=self.n_items)

    @property
    def n_repeated(self) -> int:
        """Rows whose pair of user and item is there before."""
        return len(self) - len(self.pairs)

    # parts

    def where(self, kept: NDArray[np.bool_]) -> Self:
        """The rows that are kept, with the same codes: the catalogues stay whole."""
        columns = (None if c is None else c[kept] for c in (self.times, self.ratings, self.weights))
        times, ratings, weights = columns
        return replace(
            self, users=self.users[kept], items=self.items[kept], times=times, ratings=ratings, weights=weights
        )

    def at_least(self, min_rating: float) -> Self:
        """The rows whose rating is at least that, in catalogues of their own."""
        least = number("min_rating", min_rating)
        if self.ratings is None:
            raise ParameterError(
                Text(
                    f"`min_rating` needs ratings, and {self.name} has none. Name the column: "
                    'columns={"name of the column": "rating"}.',
                    f"`min_rating` 需要评分，{spaced('而', zh(word_for(self.name)), '中没有')}。请指明评分列："
                    'columns={"列名": "rating"}。',
                )
            )
        kept = self.ratings >= least
        if not kept.any():
            highest = float(self.ratings.max())
            raise ParameterError(
                Text(
                    f"`min_rating` must leave an interaction, got {show(min_rating)} where the highest rating is "
                    f"{show(highest)}.",
                    f"`min_rating` 必须至少留下一条交互，实际为 {show(min_rating)}，而最高评分是 {show(highest)}。",
                )
            )
        left = int((~kept).sum())
        note = Text(
            f"left out {left:,} of {len(self):,} interactions rated below {show(min_rating)}",
            f"略去 {len(self):,} 条交互中评分低于 {show(min_rating)} 的 {left:,} 条",
        )
        return replace(self.where(kept).trimmed(), notes=(*self.notes, note))

    def trimmed(self) -> Self:
        """The same rows, in catalogues of the users and items that they have."""
        users, user_ids = _trimmed(self.users, self.user_ids)
        items, item_ids = _trimmed(self.items, self.item_ids)
        return replace(self, users=users, items=items, user_ids=user_ids, item_ids=item_ids)

    def to_frame(self) -> pl.DataFrame:
        """Columns `user_id, item_id` and, where they are known, `rating, weight, time`, as a Polars frame."""
        import polars as pl

        times = None if self.times is None else pl.Series(self.times)
        if times is not None and self.are_dates:
            times = times.cast(pl.Datetime("us"))
        columns = {
            "user_id": self.user_ids.gather(self.users),
            "item_id": self.item_ids.gather(self.items),
            "rating": self.ratings,
            "weight": self.weights,
            "time": times,
        }
        return pl.DataFrame({name: values for name, values in columns.items() if values is not None})

    def __repr__(self) -> str:
        told = (
            "<Interactions {!r}: {:,} of {:,} users and {:,} items>",
            "<Interactions {!r}：{:,} 条，{:,} 个用户，{:,} 个物品>",
        )
        return str(in_language(composed(*told, self.name, len(self), self.n_users, self.n_items)))


# reading


def opened(obj: Any, columns: Mapping[str, str] | None = None, name: str = "interactions") -> tuple[Interactions, Any]:
    """Interactions, and what has a row for each of them: what was given, or a Polars frame of what was read.

    A table with lists of items has become one with a row for each of them, of the library it came from.
    """
    if isinstance(obj, Interactions):
        return obj, obj
    found, source = _read(Interactions, obj, columns, name)
    return found, source if source is obj else as_given(source, obj)


def _read(cls: type[Interactions], obj: Any, columns: Mapping[str, str] | None, name: str) -> tuple[Any, Any]:
    obj = taken_in(obj)
    where = word_for(name)
    if is_sparse(obj):
        return _of_matrix(cls, obj, name, where), obj
    if isinstance(obj, Table):
        found = _of_judgements(cls, obj, name, where)
        return found, found
    if isinstance(obj, Mapping):
        return _of_mapping(cls, obj, columns, name, where), obj
    if _are_pairs(obj):
        return _of_pairs(cls, obj, columns, name, where), obj
    from rankgauge.data.any_table import open_table
    from rankgauge.data.formats.base import Keyed

    content = open_table(obj, "interactions", columns)
    if isinstance(content, Keyed):
        return _of_mapping(cls, content.rows, columns, name, content.where), content.rows
    table, frame, notes, are_lists = _table(content, columns, obj)
    found = _of_columns(cls, table, name, content.where, notes, is_in_order=are_lists)
    is_given = is_frame(obj) or (isinstance(obj, Sequence) and not isinstance(obj[0], (str, PathLike)))
    if not is_given or isinstance(obj, (str, PathLike)):
        return found, frame
    return found, frame if are_lists else obj


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
    cls: type[Interactions],
    table: pl.DataFrame,
    name: str,
    where: str,
    notes: tuple[str, ...],
    *,
    is_in_order: bool = False,
) -> Any:
    """From the canonical columns."""
    if table.is_empty():
        raise InputError(
            Text(
                f"{where}: must hold at least one interaction, got none.", f"{zh(where)}：至少要有一条交互，实际没有。"
            )
        )
    times, are_dates, more = _times(table)
    notes += more
    users, user_ids = _coded(table["user_id"])
    items, item_ids = _coded(table["item_id"])
    notes += (*_said_of_odd(user_ids, _USER), *_said_of_odd(item_ids, _ITEM))
    ratings, weights = (table[c].to_numpy() if c in table.columns else None for c in ("rating", "weight"))
    return cls(
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
_ODD = r"^\s|\s$|[\p{Cc}\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2060}-\x{2069}\x{feff}]"
"""Blanks around an id, and what nobody sees in it: the same id without them is another one."""


def _said_of_odd(ids: pl.Series, of: Text) -> tuple[str, ...]:
    odd = ids.filter(ids.str.contains(_ODD))
    if not len(odd):
        return ()
    return (
        Text(
            f"{len(odd):,} {of} id{'s have' if len(odd) > 1 else ' has'} blanks around, or marks that nobody sees, "
            f"such as {show(odd[0])}",
            f"{len(odd):,} 个{of.zh}的 id 前后有空白，或含有看不见的字符，如 {show(odd[0])}",
        ),
    )


def _numbers(times: pl.Series) -> Array:
    import polars as pl

    if times.dtype.is_temporal():
        return times.cast(pl.Datetime("us")).to_physical().to_numpy()
    return times.to_numpy()


def _coded(ids: pl.Series) -> tuple[Codes, pl.Series]:
    """A code for each row and the ids behind them, in order as texts."""
    import polars as pl

    known = ids.unique()
    texts = known.cast(pl.String)
    order = texts.arg_sort()
    if ids.dtype == pl.String:
        names = texts.gather(order)
        codes = ids.cast(pl.Enum(names)).to_physical().to_numpy()
        return codes.astype(np.int32), names.alias("id")
    numbers = known.to_numpy()
    place = np.empty(len(numbers), dtype=np.int32)
    place[order.to_numpy()] = np.arange(len(numbers), dtype=np.int32)
    by_value = np.argsort(numbers)
    at = np.searchsorted(numbers[by_value], ids.to_numpy())
    return place[by_value][at], texts.gather(order).alias("id")


def _codes_in(known: pl.Series, ids: Any) -> Codes:
    import polars as pl

    if isinstance(ids, pl.Series) and ids.dtype.is_integer():
        return _codes_of_numbers(known, ids)
    asked = ids if isinstance(ids, pl.Series) else pl.Series([id_text(i) for i in ids], dtype=pl.String)
    found = asked.cast(pl.String).cast(pl.Enum(known), strict=False).to_physical()
    return found.cast(pl.Int64).fill_null(-1).to_numpy().astype(np.int32)


_ROOM = 8  # places of a table for each id


def _codes_of_numbers(known: pl.Series, ids: pl.Series) -> Codes:
    """Ids that are numbers, without making texts of them: those that are known are fewer."""
    import polars as pl

    values = known.cast(pl.Int64, strict=False)
    numbers = (values.cast(pl.String) == known).fill_null(False).arg_true()  # 007 is the text of no number
    names, codes = values.gather(numbers).to_numpy(), numbers.to_numpy()
    asked = ids.cast(pl.Int64).to_numpy()
    if not len(names):
        return np.full(len(asked), -1, dtype=np.int32)
    low, high = int(names.min()), int(names.max())
    if high - low < _ROOM * len(names):  # numbers close together: a table is quicker than a search
        table = np.full(high - low + 1, -1, dtype=np.int32)
        table[names - low] = codes
        inside = (asked >= low) & (asked <= high)
        return np.where(inside, table[np.where(inside, asked, low) - low], -1).astype(np.int32)
    order = np.argsort(names)
    at = np.minimum(np.searchsorted(names[order], asked), len(names) - 1)
    found: Codes = np.where(names[order][at] == asked, codes[order][at], -1).astype(np.int32)
    return found


def _trimmed(codes: Codes, ids: pl.Series) -> tuple[Codes, pl.Series]:
    there = np.bincount(codes, minlength=len(ids)) > 0
    if there.all():
        return codes, ids
    renamed = (np.cumsum(there) - 1).astype(np.int32)
    return renamed[codes], ids.gather(np.flatnonzero(there))


# what is no table


def _of_matrix(cls: type[Interactions], matrix: Any, name: str, where: str) -> Any:
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
    return _of_columns(cls, table, name, where, notes)


def _of_judgements(cls: type[Interactions], judged: Table, name: str, where: str) -> Any:
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
    return _of_columns(cls, table, name, where, judged.notes)


def _of_mapping(
    cls: type[Interactions], obj: Mapping[Any, Any], columns: Mapping[str, str] | None, name: str, where: str
) -> Any:
    """Columns by name, or items by user."""
    import polars as pl

    roles = {role_of(str(k), "interactions") for k in obj} | set((columns or {}).values())
    if {"user_id", "item_id"} <= roles:
        from rankgauge.data.tabular import table_of

        table, notes = canonical("interactions", table_of(obj, where), columns, where)
        return _of_columns(cls, table, name, where, notes)
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
    return _of_columns(cls, table, name, where, (), is_in_order=is_in_order)


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


def _of_pairs(
    cls: type[Interactions], rows: Sequence[Any], columns: Mapping[str, str] | None, name: str, where: str
) -> Any:
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
    return _of_columns(cls, table, name, where, notes)


def _series(name: str, values: list[Any], otherwise: Any) -> pl.Series:
    """Dates as Polars has them; what else there is as ids and numbers."""
    import polars as pl

    return pl.Series(name, values) if all(isinstance(v, date) for v in values) else otherwise(name, values)
