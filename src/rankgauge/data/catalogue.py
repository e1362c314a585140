"""The catalogue: items by number, and what is known of them besides what was shown.

    Catalogue.of(train=interactions)                 who had which items before: popularity, histories
    Catalogue.of(items=["a", "b", "c"])              the ids of all items that could be shown
    Catalogue.of(items=frame)                        a table with an item id, or a file: categories, groups, prices
    Catalogue.of(items={"a": "drama|comedy"})        an attribute of each item; several with | between them, or lists
    Catalogue.of(items={"a": [0.3, 0.9]})            a vector for each item: lists of floats, alone or as a column
    Catalogue.of(items=(ids, matrix))                the same: NumPy or SciPy sparse; without ids rows are numbered
                                                     from 0

Floats in lists are vectors; integers and texts in lists are labels, as ids of genres are.

The catalogue are the items of `items`, or those of `train` where nothing else says. Items that are shown and not in it
get numbers behind all others, so that they can be counted and nothing is taken for known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._show import show, show_all
from rankgauge._text import Text
from rankgauge._typing import Array
from rankgauge.data.mappings import id_text
from rankgauge.data.table import is_series, is_sparse
from rankgauge.errors import InputError, ParameterError, suggest

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.interactions import Interactions

__all__ = ["CATEGORY", "Catalogue", "Labels", "catalogue_of", "labels_in"]

CATEGORY = (
    "category",
    "categories",
    "genre",
    "genres",
    "topic",
    "topics",
    "tag",
    "tags",
    "类别",
    "类目",
    "品类",
    "标签",
)
"""Attributes that are taken for categories where none is named, the first that there is."""
_TITLE = ("title", "name", "标题", "名称")
"""Attributes that say what an item is called, the first that there is."""
_BETWEEN = "|"  # several values in one text, as MovieLens writes genres


class _Numbers(dict[str, int]):
    """Ids by number; one that is not there gets the next."""

    def __missing__(self, item: str) -> int:
        number = self[item] = len(self)
        return number


@dataclass(frozen=True, eq=False)
class Labels:
    """For each item the labels that it has: those of item i are `code[offsets[i]:offsets[i + 1]]`, each once."""

    name: str
    offsets: Array
    code: Array
    names: Sequence[str]
    """The labels by code."""


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Items by number and what is known of them.

    >>> shop = Catalogue.of(items={"a": "drama|comedy", "b": "news"})
    >>> shop.n_items, shop.numbers(["b", "x", "a"]).tolist()
    (2, [1, 2, 0])
    >>> [shop.labels().names[c] for c in shop.labels().code]
    ['drama', 'comedy', 'news']
    """

    n_items: int
    """Items of the catalogue; they have the numbers below this one."""
    train: Interactions | None = None
    attributes: Mapping[str, Mapping[int, Any]] = field(default_factory=dict)
    """For each attribute the values of the items that have one."""
    vectors: Any = None
    """A row for each item of the catalogue, dense or sparse."""
    notes: tuple[str, ...] = ()
    is_of_train: bool = False
    """Whether it is made of the items of `train` alone."""
    _number: _Numbers = field(default_factory=_Numbers, repr=False)
    _labels: dict[str, Labels] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, train: Any = None, items: Any = None, columns: Mapping[str, str] | None = None) -> Catalogue:
        """The catalogue of what there is; `columns` says what columns hold. One that is made stays."""
        if isinstance(items, Catalogue) and train is None:
            return items
        number = _Numbers()
        attributes: dict[str, dict[int, Any]] = {}
        notes: list[str] = []
        vectors = None
        if items is not None:
            vectors = _read_items(items, number, attributes, notes, _column_of_ids(columns))
            if not number:
                raise InputError(
                    Text("items: must hold at least one item, got none.", "items：至少要有一个物品，实际没有。")
                )
        n_items = len(number)
        past = None
        if train is not None:
            from rankgauge.data.interactions import Interactions

            past = Interactions.of(train, columns=columns, name="train")
            notes += past.notes
            for item in past.item_ids.to_list():
                number[item]
            if items is None:
                n_items = len(number)
        return cls(n_items, past, attributes, vectors, tuple(notes), items is None, number)

    # numbers

    @property
    def n_numbers(self) -> int:
        """Items that have a number: those of the catalogue, and others that were met."""
        return len(self._number)

    @property
    def ids(self) -> list[str]:
        """The id behind each number."""
        return list(self._number)

    def numbers(self, ids: Iterable[str]) -> Array:
        """The number of each id; those that nobody knows get one."""
        return np.fromiter(map(self._number.__getitem__, ids), np.int64)

    def numbers_of(self, ids: pl.Series) -> Array:
        """The numbers of a column of ids, texts or whole numbers."""
        known = ids.unique(maintain_order=True)
        numbers = self.numbers(map(str, known.to_list()))
        if len(known) == len(ids):
            return numbers
        if ids.dtype.is_integer() and (high := int(known.max())) - (low := int(known.min())) < len(ids):  # type: ignore[arg-type]
            by_id = np.empty(high - low + 1, dtype=np.int64)  # numbers close together: a table is quicker than a search
            by_id[known.to_numpy() - low] = numbers
            asked = ids.to_numpy()
            placed: Array = by_id[asked - low if low else asked]
            return placed
        found: Array = ids.replace_strict(known, numbers).to_numpy()
        return found

    # what users had before

    @cached_property
    def _of_train(self) -> Array:
        """The number of each item that the interactions have a code for."""
        assert self.train is not None
        return self.numbers(self.train.item_ids.to_list())

    def numbers_of_train(self, codes: Array) -> Array:
        """The numbers of items that have these codes in the interactions; -1 stays."""
        return np.append(self._of_train, -1)[codes]

    def codes_of_train(self, numbers: Array) -> Array:
        """The codes that the interactions have for items of these numbers; -1 where they have none, and for -1."""
        return self.train_codes[numbers]

    @property
    def train_codes(self) -> Array:
        """The codes that the interactions have for items, by number; -1 where they have none, and at the end."""
        codes = np.full(self.n_numbers + 1, -1, dtype=np.int64)
        codes[self._of_train] = np.arange(len(self._of_train))
        return codes

    def by_number(self, of_train: Array) -> Array:
        """What is known of items in the interactions, by number; 0 for all others."""
        out = np.zeros(self.n_numbers, dtype=of_train.dtype)
        out[self._of_train] = of_train
        return out

    @property
    def users(self) -> Array:
        """How many users had each item before, by number."""
        assert self.train is not None
        return self.by_number(self.train.users_per_item)

    @property
    def events(self) -> Array:
        """How many interactions each item had before, by number."""
        assert self.train is not None
        return self.by_number(self.train.events_per_item)

    @cached_property
    def by_popularity(self) -> Array:
        """Numbers of the items of the catalogue that users had before, the most popular first, equal ones by id."""
        assert self.train is not None
        codes = np.flatnonzero(self._of_train < self.n_items)  # in the order of ids
        order = np.lexsort((-codes, -self.train.users_per_item[codes]))
        found: Array = self._of_train[codes[order]]
        return found

    @property
    def histories(self) -> tuple[Array, Array]:
        """What all users had before: items `items[starts[u] : starts[u + 1]]` of user u, by number, each once."""
        assert self.train is not None
        starts, items = self.train.history
        return starts, self._of_train[items]

    def history_of(self, user_ids: Sequence[str]) -> tuple[Array, Array]:
        """What some users had before: lengths, and the numbers of the items, user after user, each item once."""
        assert self.train is not None
        lengths, items = self.train.histories_of(self.train.user_codes(user_ids))
        return lengths, self._of_train[items]

    def had(self, user_ids: Sequence[str], owners: Callable[[slice], Array], items: Array) -> Array:
        """Whether each item was had before by its user, as a mask.

        `owners` says of some rows by a place in `user_ids` who that is, `items` are numbers, -1 for what nobody knows.
        """
        import polars as pl

        assert self.train is not None
        users = self.train.user_codes(pl.Series(user_ids, dtype=pl.String))
        codes = self.train_codes
        return self.train.has_each(len(items), lambda part: (users[owners(part)], codes[items[part]]))

    def popular_ranks(self, user_ids: Sequence[str], owner: Array, items: Array, *, seen: bool = False) -> Array:
        """The rank of an item in the list of the most popular ones that are new to the user (with `seen`: of all).

        `owner` says by its place in `user_ids` whose list is meant, `items` are numbers, -1 for what nobody knows. 0
        where the list does not have the item: the user had it, nobody had, or the catalogue does not know it.
        """
        n = self.n_numbers
        place = np.full(n + 1, n)  # by popularity; n: nobody had it
        place[self.by_popularity] = np.arange(len(self.by_popularity))
        asked = place[items]
        if seen:
            return np.where(asked < n, asked + 1, 0)
        lengths, before = self.history_of(user_ids)
        had = np.sort(np.repeat(np.arange(len(lengths)), lengths) * (n + 1) + place[before])
        key = owner * (n + 1) + asked
        first = np.searchsorted(had, key)
        above = first - np.searchsorted(had, owner * (n + 1))  # an item moves up by those before it that the user had
        is_new = np.append(had, -1)[first] != key
        return np.where((asked < n) & is_new, asked - above + 1, 0)

    def likeness(self, by: str, user_ids: Sequence[str], owner: Array, items: Array) -> Array:
        """The mean cosine of items to what their users had before, by `vectors` or by which `users` had them."""
        from rankgauge.data.likeness import likeness

        return likeness(self, by, user_ids, owner, items)

    # attributes

    def attribute(self, name: str | None) -> str:
        """The attribute that is meant: the one of this name, or the one that holds categories."""
        there = list(self.attributes)
        if name is not None:
            if name in there:
                return self._with_values(name)
            raise ParameterError(
                Text(
                    f"items have no attribute {show(name)}.{suggest(name, there)} There are: {show_all(there)}.",
                    f"物品没有属性 {show(name)}。已有：{show_all(there)}。",
                )
            )
        found = self._first_of(CATEGORY)
        if found is None and len(there) == 1:
            found = there[0]
        if not there:
            vectors = self.vectors is not None
            raise ParameterError(
                Text(
                    "items have no attributes"
                    f"{', only vectors, which distance=cosine compares' if vectors else ''}. Give each a category: "
                    "items=… with a column such as category.",
                    f"物品没有属性{'，只有向量（可用 distance=cosine 比较）' if vectors else ''}。请给出物品的类别："
                    "items=… 含 category 之类的列。",
                )
            )
        if found is None:
            raise ParameterError(
                Text(
                    f"items have {len(there)} attributes, and none is called category: {show_all(there)}. Say "
                    f"which one "
                    f"is meant: by={there[0]}.",
                    f"物品有 {len(there)} 个属性，没有名为 category 的：{show_all(there)}。请指明：by={there[0]}。",
                )
            )
        return self._with_values(found)

    def _first_of(self, names: Sequence[str]) -> str | None:
        """The attribute with the first of these names that there is."""
        return next((n for known in names for n in self.attributes if n.casefold() == known), None)

    def titles(self, ids: Iterable[str]) -> dict[str, str]:
        """What items are called, of those of which it is known.

        >>> Catalogue.of(items={"a": {"title": "Red shoe"}, "b": {"price": 3}}).titles(["a", "b", "x"])
        {'a': 'Red shoe'}
        """
        name = self._first_of(_TITLE)
        known = {} if name is None else self.attributes[name]
        return {item: str(known[i]) for item in ids if (i := self._number.get(item, -1)) in known}

    def _with_values(self, name: str) -> str:
        if any(labels_in(value) for value in self.attributes[name].values()):
            return name
        raise ParameterError(
            Text(
                f"items have the attribute {show(name)}, and no item has a value of it. Fill it in, or name another.",
                f"物品有属性 {show(name)}，但没有任何物品有值。请补上，或指定其他属性。",
            )
        )

    def labels(self, name: str | None = None) -> Labels:
        """The labels of every item under an attribute; texts with | between several, and lists, hold more than one."""
        attribute = self.attribute(name)
        if attribute not in self._labels:
            codes: dict[str, int] = {}
            of_item: list[list[int]] = [[] for _ in range(self.n_items)]
            for item, value in self.attributes[attribute].items():
                of_item[item] = list(dict.fromkeys(codes.setdefault(x, len(codes)) for x in labels_in(value)))
            lengths = np.fromiter(map(len, of_item), np.int64, len(of_item))
            self._labels[attribute] = Labels(
                attribute,
                np.concatenate(([0], np.cumsum(lengths))),
                np.fromiter((c for row in of_item for c in row), np.int64, int(lengths.sum())),
                list(codes),
            )
        return self._labels[attribute]


def catalogue_of(train: Any, items: Any, columns: Mapping[str, str] | None = None) -> Catalogue | None:
    """What was given of users and items, read once for several evaluations, as `items=` takes it; None for nothing."""
    from rankgauge._piped import all_taken_in

    train, items = all_taken_in(train, items)
    return None if train is None and items is None else Catalogue.of(train, items, columns)


def labels_in(value: Any) -> list[str]:
    """The labels in one value, as texts; nothing where there is none."""
    if isinstance(value, str):
        return [part for x in value.split(_BETWEEN) if (part := x.strip())]
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple, AbstractSet)):
        return [text for x in value for text in labels_in(x)]
    if value is None or (isinstance(value, float) and isnan(value)):
        return []
    return [str(value)]


# reading what items are


def _column_of_ids(columns: Mapping[str, str] | None) -> str | None:
    """The column of item ids, where the caller names it."""
    from rankgauge.data.columns import role_of

    return next((c for role, c in (columns or {}).items() if role_of(role, "run") == "doc_id"), None)


def _read_items(
    items: Any, number: _Numbers, attributes: dict[str, dict[int, Any]], notes: list[str], key: str | None
) -> Any:
    """Give numbers to items, and fill in their attributes; the vectors, where there are some."""
    if _is_matrix(items):
        return _with_ids([str(i) for i in range(items.shape[0])], items, number)
    if isinstance(items, tuple) and len(items) == 2 and (matrix := _as_matrix(items[1])) is not None:
        return _with_ids([id_text(i, "items") for i in items[0]], matrix, number)
    if isinstance(items, (Iterator, ValuesView)) and not hasattr(items, "read"):  # an open file is a table
        items = list(items)
    if _are_ids(items):
        if isinstance(items, np.ndarray):
            items = items.tolist()  # numbers of Python become text at once
        for item in items:
            number[id_text(item, "items")]
        return None
    from rankgauge.data.slices import ITEMS, attribute_table

    for item, row in attribute_table(items, ITEMS, notes, key).items():
        i = number[item]
        for name, value in row.items():
            known = attributes.setdefault(name, {})
            if value is not None and not (isinstance(value, str) and not value):
                known[i] = value
    return _vectors(number, attributes, notes)


def _vectors(number: _Numbers, attributes: dict[str, dict[int, Any]], notes: list[str]) -> Any:
    """Take the vectors out of the attributes, and say how lists of numbers were read."""
    kinds = {name: _kind(values.values()) for name, values in attributes.items()}
    notes += [
        Text(
            f"items: lists of integers ({name}) are read as labels; vectors are floats, or (ids, matrix)",
            f"items：整数列表（{name}）按类别标签读取；向量请用浮点数，或 (ids, matrix)",
        )
        for name, kind in kinds.items()
        if kind == "integers"
    ]
    of_vectors = [n for n, kind in kinds.items() if kind == "floats"]
    if not of_vectors:
        return None
    if len(of_vectors) > 1:
        raise InputError(
            Text(
                f"items: must have one column of vectors, got {show_all(of_vectors)}. Leave the others out.",
                f"items：向量只能有一列，实际有 {show_all(of_vectors)}。请去掉其余的列。",
            )
        )
    name = of_vectors[0]
    rows = attributes.pop(name)
    if len(rows) < len(number):
        without = next(item for item, i in number.items() if i not in rows)
        raise InputError(
            Text(
                f"items: each of {len(number):,} items must have a vector in {show(name)}, got {len(rows):,}; "
                f"{show(without)} has none.",
                f"items：{len(number):,} 个物品在 {show(name)} 中都必须有向量，实际只有 {len(rows):,} 个；"
                f"{show(without)} 没有。",
            )
        )
    matrix = _stacked([rows[i] for i in range(len(rows))])
    width = matrix.shape[1]
    notes.append(
        Text(
            f"items: lists of floats ({name}) are read as vectors of {width:,} numbers",
            f"items：浮点数列表（{name}）按 {width:,} 维向量读取",
        )
    )
    return _with_ids(list(number), matrix, number)


def _stacked(rows: Sequence[Any]) -> Array:
    """Vectors as the rows of a matrix."""
    lengths = {len(v) for v in rows}
    if len(lengths) > 1:
        raise InputError(
            Text(
                f"items: vectors must have one length, got {min(lengths)} and {max(lengths)}.",
                f"items：向量的长度必须相同，实际有 {min(lengths)} 和 {max(lengths)}。",
            )
        )
    return np.array([np.asarray(v, dtype=np.float64) for v in rows])


def _kind(values: Iterable[Any]) -> str:
    """What the lists of an attribute hold: floats (integers among them), integers alone; nothing for all else."""
    found = ""
    for value in values:
        if isinstance(value, np.ndarray):
            if value.ndim != 1 or (len(value) and value.dtype.kind not in "fiub"):
                return ""
            is_float = value.dtype.kind in "fb"
        elif isinstance(value, (list, tuple)):
            if not all(isinstance(x, (int, float, np.number, np.bool_)) for x in value):
                return ""
            is_float = any(isinstance(x, (bool, float, np.floating, np.bool_)) for x in value)
        else:
            return ""
        if len(value):
            found = "floats" if is_float or found == "floats" else "integers"
    return found


def _is_matrix(obj: Any) -> bool:
    return is_sparse(obj) or (isinstance(obj, np.ndarray) and obj.ndim == 2 and obj.dtype.kind in "fiub")


def _as_matrix(obj: Any) -> Any:
    """The rows of numbers beside ids; None for what holds none."""
    if _is_matrix(obj):
        return obj
    return _stacked(obj) if isinstance(obj, (list, tuple)) and _kind(obj) else None


def _are_ids(items: Any) -> bool:
    """Ids alone: a list, set, array or column of them."""
    if isinstance(items, np.ndarray):
        return items.ndim == 1
    if isinstance(items, (range, AbstractSet)):
        return True
    if isinstance(items, (list, tuple)) and items:
        if all(isinstance(x, (str, PathLike)) for x in items):
            from rankgauge._piped import is_there

            return not all(is_there(x) for x in items)  # files of one table
        # None and NaN among ids are ids that lack, and said to be so
        return any(isinstance(x, (str, int, np.integer)) for x in items) and all(
            x is None or isinstance(x, (str, int, float, np.integer)) for x in items
        )
    if is_series(items):
        return _holds_ids(items)
    library = type(items).__module__.partition(".")[0]
    if library == "pandas":
        return type(items).__name__.endswith("Index")
    return type(items).__name__ == "Series" and library == "polars"


def _holds_ids(series: Any) -> bool:
    """Whether the values of a pandas Series are ids; else its index holds them, and the values are attributes."""
    from rankgauge.data.columns import role_of

    if series.name is not None and role_of(str(series.name), "run") == "doc_id":
        return True
    index = series.index  # numbers of rows have no name: what is left of a frame after a filter as well
    return index.name is None and index.dtype.kind in "iu"


def _with_ids(ids: Sequence[str], matrix: Any, number: _Numbers) -> Any:
    """The vectors, once they have a row for each id, each id once, and finite numbers."""
    values = matrix.data if is_sparse(matrix) else matrix
    problem = None
    if len(ids) != matrix.shape[0]:
        problem = (
            f"must have a row for each of {len(ids):,} ids, got {matrix.shape[0]:,}",
            f"必须为 {len(ids):,} 个 id 各有一行，实际 {matrix.shape[0]:,} 行",
        )
    elif len(set(ids)) < len(ids):
        twice = next(x for i, x in enumerate(ids) if x in ids[:i])
        problem = (f"must name each item once, got {show(twice)} again", f"每个物品只能出现一次，{show(twice)} 重复")
    elif not np.isfinite(values).all():
        problem = ("must be finite numbers, got NaN or infinity among them", "必须是有限的数，实际有 NaN 或无穷")
    if problem is not None:
        raise InputError(Text(f"items: vectors {problem[0]}.", f"items：向量{problem[1]}。"))
    for item in ids:
        number[item]
    return matrix.tocsr() if is_sparse(matrix) else np.asarray(matrix, dtype=np.float64)
