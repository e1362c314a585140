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

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from rankgauge._checks import number
from rankgauge._show import show
from rankgauge._text import Text, composed, in_language, spaced, zh
from rankgauge._typing import Array
from rankgauge.data._places import word_for
from rankgauge.data.id_codes import Codes, codes_in, trimmed
from rankgauge.data.parallel import in_order
from rankgauge.errors import ParameterError

if TYPE_CHECKING:
    import polars as pl


__all__ = ["Interactions"]

_WIDEST = 8
"""Marks of a user that say what is not known: two to the power of this at most, 256 bytes a user."""


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
    ) -> Interactions:
        """Interactions from whatever holds them; `columns` maps names of the input to `user_id`, `item_id`, `rating`,
        `weight` and `time`, and `min_rating` keeps those whose rating is at least that.

        A rating counts as an interaction, however low it is: who popular items are counted by has seen them.
        """
        from rankgauge.data.interaction_reading import read

        found = obj if isinstance(obj, cls) else read(obj, columns, name)[0]
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
        return codes_in(self.user_ids, ids)

    def item_codes(self, ids: Any) -> Codes:
        """The codes of items, -1 where an id is not among them."""
        return codes_in(self.item_ids, ids)

    # who knows what

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """Every pair of user and item once, as `user * n_items + item`, in order."""
        keys = in_order(self.users.astype(np.int64) * self.n_items + self.items)
        return keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys

    @cached_property
    def history(self) -> tuple[NDArray[np.int64], Codes]:
        """What each user knows: the items of user `u` are `items[starts[u] : starts[u + 1]]`, each once, in order."""
        pairs = self.pairs
        starts = np.searchsorted(pairs, np.arange(self.n_users + 1, dtype=np.int64) * self.n_items)
        return starts, (pairs % max(self.n_items, 1)).astype(np.int32)

    def histories_of(self, users: Array) -> tuple[NDArray[np.int64], Codes]:
        """What some users know, by their codes: how many items each (0 for -1), and the items, user after user."""
        starts, items = self.history
        known = users >= 0
        lengths = np.where(known, np.diff(starts)[users], 0)
        begins, ends = np.where(known, starts[:-1][users], 0), np.cumsum(lengths)
        rows = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(begins - (ends - lengths), lengths)
        return lengths, items[rows]

    @cached_property
    def _marks(self) -> NDArray[np.bool_]:
        """A row of marks for each user, with one set for each item that the user knows; items may share a mark."""
        mean = len(self.pairs) / max(self.n_users, 1)
        width = 1 << min(int(np.ceil(np.log2(max(8 * mean, 1)))), _WIDEST)
        marks: NDArray[np.bool_] = np.zeros((self.n_users, width), dtype=bool)
        marks[self.users, self._mark(width)[self.items]] = True
        return marks

    def _mark(self, width: int) -> NDArray[np.int64]:
        """The place of each item in a row of so many marks, a power of two: neighbours in the catalogue are strewn."""
        items = np.arange(self.n_items, dtype=np.int64)
        return (items * 0x9E3779B1 >> 16) & (width - 1)

    def has(self, users: Array, items: Array) -> NDArray[np.bool_]:
        """Whether each user has had to do with the item beside it; codes in, and False where one is -1."""
        users, items = np.broadcast_arrays(np.asarray(users), np.asarray(items))
        found: NDArray[np.bool_] = np.zeros(users.shape, dtype=bool)
        if not len(self.pairs):
            return found
        marks = self._marks
        width = marks.shape[1]
        # most pairs are not here, and their marks say so; a -1 looks at some mark and is left out by the test of signs
        marked = marks.ravel().take(users * np.int64(width) + self._mark(width)[items], mode="clip")
        rest = np.flatnonzero(marked & (users >= 0) & (items >= 0))
        keys = users.ravel()[rest].astype(np.int64) * self.n_items + items.ravel()[rest]
        order = np.argsort(keys)  # one after the other they are found ten times as quickly
        asked = keys[order]
        at = np.minimum(np.searchsorted(self.pairs, asked), len(self.pairs) - 1)
        found.ravel()[rest[order]] = self.pairs[at] == asked
        return found

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
        users, user_ids = trimmed(self.users, self.user_ids)
        items, item_ids = trimmed(self.items, self.item_ids)
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
