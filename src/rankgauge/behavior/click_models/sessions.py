"""What was shown, and what was clicked: result lists as arrays, for click models.

    sessions = Sessions.of(impressions)              # one row per impression
    fitted, held_out = sessions.split(0.25, rng=0)

A session is one result list shown once. Sessions with the same query, the same items at the same positions and the same
clicks are one row with a weight, so that everything after costs what the distinct ones cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from rankgauge._checks import number, one_of, whole
from rankgauge._rng import random_generator
from rankgauge._text import Text, zh
from rankgauge.alignment import Array
from rankgauge.errors import InputError

__all__ = ["Pairs", "Sessions", "codes_of_keys"]

_SPLITS = ("request", "query", "user")


@dataclass(frozen=True, eq=False)
class Pairs:
    """The distinct (query, item) pairs of sessions, sorted by query, then item."""

    code: Array
    """(n, depth): which pair stands there; -1 where nothing does."""
    query: Array
    item: Array

    def __len__(self) -> int:
        return len(self.query)


@dataclass(frozen=True, eq=False, kw_only=True)
class Sessions:
    """Distinct result lists with their clicks, and how often each was seen.

    Column k - 1 of `items` and `clicks` is position k. A position without an item is -1: below the last item it is
    padding, above it a gap, that is a position which the log does not have (an advertisement, an impression that was
    not seen and cleaned away). A gap is neither examined nor skipped: models pass over it, and the items below keep
    their positions. `Sessions.of` makes them; rows are sorted by query, then items and clicks.
    """

    query: Array
    """(n,) code of the query: `query_names[query]`."""
    items: Array
    """(n, depth) code of the item: `item_names[items]`; -1 where there is none."""
    clicks: Array
    """(n, depth) bool; False where there is no item."""
    weight: Array
    """(n,) how many sessions are exactly like this one."""
    query_names: Array = field(repr=False)
    """Ids as text, sorted."""
    item_names: Array = field(repr=False)
    user: Array | None = field(default=None, repr=False)
    """(n,) code of the user, where users were kept apart."""
    user_names: Array | None = field(default=None, repr=False)

    @classmethod
    def of(
        cls,
        source: Any,
        *,
        columns: Mapping[str, str] | None = None,
        depth: int | None = None,
        users: bool = False,
        merge: bool = True,
    ) -> Sessions:
        """Sessions of an impression table, of dicts, or of arrays.

        - a table (Polars, lazy or not, pandas, Arrow): request_id, query_id, item_id, position (from 1), click, one row
          per impression; `columns={"clicked": "click"}` gives other columns these names;
        - dicts, one per session: `{"query": "q", "items": ["a", "b"], "clicks": [0, 1]}`, with None for a gap, and
          optional `weight` and `user`; dicts with the columns of the table are read as its rows;
        - arrays: `{"query": (n,), "items": (n, depth), "clicks": (n, depth)}`, optional `weight` and `user`; a negative
          number, None or an empty text is no item.

        `depth` leaves out positions below it: clicks there are not seen, so a last click may be another one. `users`
        keeps sessions of different users apart (table: user_id), which a split by user needs; they merge less.

        >>> s = Sessions.of([{"query": "q", "items": ["a", "b"], "clicks": [0, 1]}] * 3)
        >>> s.n, len(s), s.weight.tolist()
        (3, 1, [3])
        """
        from rankgauge.behavior.click_models.session_sources import read_sessions

        if isinstance(source, cls):
            return source
        whole("depth", depth, optional=True, caller="Sessions")
        made = read_sessions(source, columns=columns, depth=depth, users=users)
        return made.merged() if merge else made

    def __len__(self) -> int:
        return len(self.query)

    @property
    def n(self) -> int:
        """How many sessions there are, equal ones counted."""
        return int(self.weight.sum())

    @property
    def depth(self) -> int:
        """The deepest position of any list."""
        return int(self.items.shape[1])

    @cached_property
    def shown(self) -> Array:
        """(n, depth): is there an item?"""
        return self.items >= 0

    @cached_property
    def lengths(self) -> Array:
        """(n,) the last position with an item."""
        return last_true(self.shown)

    @cached_property
    def last_click(self) -> Array:
        """(n,) the position of the lowest click; 0 without one."""
        return last_true(self.clicks)

    @cached_property
    def pairs(self) -> Pairs:
        """The (query, item) pairs, coded."""
        n_items = max(len(self.item_names), 1)
        keys = (self.query[:, None] * n_items + self.items)[self.shown]
        codes, distinct = codes_of_keys(keys, len(self.query_names) * n_items)
        full = np.full(self.items.shape, -1, dtype=np.int64)
        full[self.shown] = codes
        return Pairs(full, distinct // n_items, distinct % n_items)

    def merged(self) -> Sessions:
        """Equal sessions as one row each, in an order that does not depend on the order they came in."""
        code, count = codes_of_keys(self.query, len(self.query_names))
        if self.user is not None and self.user_names is not None:
            code, count = codes_of_keys(code * len(self.user_names) + self.user, len(count) * len(self.user_names))
        base = 2 * (len(self.item_names) + 1)
        # one position after the other: exact where a hash of the row would be right only almost surely
        for k in range(self.depth):
            code, count = codes_of_keys(code * base + 2 * (self.items[:, k] + 1) + self.clicks[:, k], len(count) * base)
            if len(count) == len(code):
                break
        first = np.empty(len(count), dtype=np.int64)
        first[code[::-1]] = np.arange(len(code))[::-1]
        weight = np.bincount(code, weights=self.weight, minlength=len(count)).astype(np.int64)
        return self._rows(first, weight)

    def split(self, share: float, rng: Any, by: str = "request") -> tuple[Sessions, Sessions]:
        """Sessions to fit on and sessions held out, drawn by `rng`.

        `share` of the sessions is held out (`by="request"`), or all sessions of that share of the queries or of the
        users (rounded, at least one on each side). Held-out queries have no parameters of their own: a model falls
        back to what its prior says. By user needs `Sessions.of(..., users=True)`.
        """
        by = one_of("by", by, _SPLITS, caller="split")
        number("share", share, above=0, below=1, caller="split")
        draw = random_generator(rng)
        if by == "request":
            held = draw.multivariate_hypergeometric(
                self.weight, _part(self.n, share, Text("sessions", "会话")), method="marginals"
            )
        else:
            group = self.query if by == "query" else self.user
            if group is None:
                raise InputError(
                    Text(
                        'split: by="user" needs users. Pass users=True to Sessions.of.',
                        'split：by="user" 需要用户。请向 Sessions.of 传入 users=True。',
                    )
                )
            present = np.unique(group)
            out = draw.choice(
                present,
                _part(len(present), share, Text("queries", "查询") if by == "query" else Text("users", "用户")),
                False,
            )
            held = np.where(np.isin(group, out), self.weight, 0)
        return self._weighted(self.weight - held), self._weighted(held)

    def _weighted(self, weight: Array) -> Sessions:
        kept = np.flatnonzero(weight)
        return self._rows(kept, weight[kept])

    def _rows(self, rows: Array, weight: Array) -> Sessions:
        return replace(
            self,
            query=self.query[rows],
            items=self.items[rows],
            clicks=self.clicks[rows],
            weight=weight,
            user=None if self.user is None else self.user[rows],
        )


def _part(n: int, share: float, what: str) -> int:
    if n < 2:
        raise InputError(
            Text(
                f"split: there must be at least 2 {what} to hold some out, got {n}.",
                f"split：至少要有 2 个{zh(what)}才能留出一部分，实际为 {n} 个。",
            )
        )
    return min(max(round(n * share), 1), n - 1)


def last_true(flags: Array) -> Array:
    """Counted from 1, the last column that is True in each row; 0 without one."""
    depth = flags.shape[1]
    if not depth:
        return np.zeros(len(flags), dtype=np.int64)
    last = depth - np.argmax(flags[:, ::-1], axis=1)
    return np.where(flags.any(axis=1), last, 0)


def codes_of_keys(keys: Array, size: int) -> tuple[Array, Array]:
    """Keys in [0, size) as codes in their order, and the distinct keys.

    A table of all possible keys where it is small, a sort where it is not.
    """
    if size <= max(4 * len(keys), 1 << 22):
        present = np.zeros(size, dtype=bool)
        present[keys] = True
        distinct = np.flatnonzero(present)
        table = np.empty(size, dtype=np.int64)
        table[distinct] = np.arange(len(distinct))
        return table[keys], distinct
    distinct, codes = np.unique(keys, return_inverse=True)
    return codes.reshape(-1), distinct
