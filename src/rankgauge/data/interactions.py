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

from collections.abc import Callable, Mapping
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
from rankgauge.data.id_codes import Coded, Codes, counted, trimmed
from rankgauge.data.parallel import in_order
from rankgauge.data.pieces import in_pieces, in_queries
from rankgauge.errors import ParameterError

if TYPE_CHECKING:
    import polars as pl


__all__ = ["CodesOfPart", "Interactions"]

CodesOfPart = Callable[[slice], tuple[Array, Array]]
"""The codes of users and of items in some of many rows."""

_WIDEST = 3
"""Words of a user whose bits say what is not known: two to the power of this at most, 64 bytes a user."""
_AT_A_TIME = 1 << 16
"""Pairs that are looked at together: what belongs to them stays in the cache."""


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
        return self._coded_users.codes(ids)

    def item_codes(self, ids: Any) -> Codes:
        """The codes of items, -1 where an id is not among them."""
        return self._coded_items.codes(ids)

    @cached_property
    def _coded_users(self) -> Coded:
        return Coded(self.user_ids)

    @cached_property
    def _coded_items(self) -> Coded:
        return Coded(self.item_ids)

    def codes_of(self, users: pl.Series, items: pl.Series) -> CodesOfPart:
        """The codes of two columns, a part of their rows at a time."""
        mine, theirs = self._coded_users.by_part(users), self._coded_items.by_part(items)
        return lambda part: (mine(part), theirs(part))

    # who knows what

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """Every pair of user and item once, as `user * n_items + item`, in order."""
        keys = self._keys
        again = keys[1:] == keys[:-1]
        return keys[np.append(True, ~again)] if again.any() else keys

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        """The pair of every row, in order."""
        starts = np.append(0, np.flatnonzero(self.users[1:] != self.users[:-1]) + 1)[: len(self)]
        mine = self.users[starts]
        if len(starts) > self.n_users or np.bincount(mine, minlength=1).max() > 1:  # rows of a user are apart
            return in_order(self.users.astype(np.int64) * self.n_items + self.items)
        turn = np.argsort(mine)
        lengths = np.diff(np.append(starts, len(self)))[turn]
        keys = np.empty(len(self), dtype=np.int64)
        ends = np.cumsum(lengths)

        def fill(users: slice) -> None:
            n, first = lengths[users], int(ends[users.start] - lengths[users.start])
            some = keys[first : ends[users.stop - 1]]
            rows = np.arange(len(some)) + np.repeat(starts[turn[users]] - (ends[users] - n - first), n)
            np.add(np.repeat(mine[turn[users]] * np.int64(self.n_items), n), self.items[rows], out=some)
            some.sort()  # users are in order: so are all keys then

        in_queries(fill, lengths, _AT_A_TIME)
        return keys

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
    def _words(self) -> NDArray[np.uint64]:
        """Words of 64 bits for each user, with two bits set for each item that the user knows; items share bits."""
        mean = len(self.items) / max(self.n_users, 1)
        width = 1 << min(max(int(np.ceil(np.log2(max(mean / 8, 1)))), 0), _WIDEST)
        words: NDArray[np.uint64] = np.zeros((self.n_users, width), dtype=np.uint64)
        word, bits = self._bits(width)
        for at in range(0, len(self), _AT_A_TIME):
            users, items = self.users[at : at + _AT_A_TIME], self.items[at : at + _AT_A_TIME]
            np.bitwise_or.at(words.reshape(-1), users * np.int64(width) + word[items], bits[items])
        return words

    def _bits(self, width: int) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """The word of each item among so many, a power of two, and its bits: neighbours in the catalogue are strewn."""
        strewn = np.arange(1, self.n_items + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # wraps around
        one, low = np.uint64(1), np.uint64(63)
        bits = one << (strewn >> np.uint64(58)) | one << (strewn >> np.uint64(40) & low)
        return (strewn >> np.uint64(32) & np.uint64(width - 1)).astype(np.int64), bits

    def has(self, users: Array, items: Array) -> NDArray[np.bool_]:
        """Whether each user has had to do with the item beside it; codes in, and False where one is -1."""
        users, items = np.broadcast_arrays(np.asarray(users), np.asarray(items))
        shape, users, items = users.shape, users.ravel(), items.ravel()
        return self.has_each(len(users), lambda part: (users[part], items[part])).reshape(shape)

    def has_each(self, n: int, codes: CodesOfPart) -> NDArray[np.bool_]:
        """The same of n pairs, whose codes are made a part at a time: users and items."""
        found: NDArray[np.bool_] = np.zeros(n, dtype=bool)
        if not len(self) or not n:
            return found
        width = self._words.shape[1]
        words, (word, bits) = self._words.reshape(-1), self._bits(width)

        def marked(part: slice) -> tuple[Array, Array]:
            """The rows that may be here, and their keys: most are not, and the bits say so."""
            users, items = codes(part)
            # a -1 looks at some bits and is left out by the test of signs
            asked = bits[items]
            place = users if width == 1 else users * np.int64(width) + word[items]
            rows = np.flatnonzero((words.take(place, mode="clip") & asked == asked) & (users >= 0) & (items >= 0))
            return rows + part.start, users[rows].astype(np.int64) * self.n_items + items[rows]

        parts = in_pieces(marked, n, _AT_A_TIME)
        rows, left = (np.concatenate(side) for side in zip(*parts, strict=True))
        order = np.argsort(left)  # one after the other they are found ten times as quickly
        wanted = left[order]
        at_most = np.minimum(np.searchsorted(self.pairs, wanted), len(self.pairs) - 1)
        found[rows[order]] = self.pairs[at_most] == wanted
        return found

    @cached_property
    def users_per_item(self) -> NDArray[np.int64]:
        """How many users had to do with each item, by code: its popularity."""
        if not self.n_repeated:
            return self.events_per_item
        return np.bincount(self.pairs % max(self.n_items, 1), minlength=self.n_items)

    @cached_property
    def items_per_user(self) -> NDArray[np.int64]:
        """How many items each user had to do with, by code."""
        return np.diff(self.history[0])

    @cached_property
    def events_per_item(self) -> NDArray[np.int64]:
        """How many rows each item has, by code; a pair that is there twice counts twice."""
        return counted(self.items, self.n_items)

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
