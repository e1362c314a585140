"""What a recommender learned from, held against what it is tested on: the looks of the audit and of every evaluation.

A user is a query here, an interaction of the test a judgement. Codes are those of the training interactions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankgauge.data.interaction_reading import times_of
from rankgauge.data.interactions import Interactions
from rankgauge.data.table import Table
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Followed", "SeenShown", "first_time", "followed", "followed_by_part", "in_train", "is_learned"]

Array = NDArray[Any]

_MOST_KNOWN = 0.5
"""Share of the test in train from which on it is rather the same data than things that are done again."""
_FEWEST_HITS, _SOME_HITS = 5, 0.05
"""Hits whose pairs are in train, and their share of all hits, from which on they raise the numbers."""
_ONLY_TESTED = 0.9
"""Share of the test in what users know and are shown, from which on nothing else of it is shown: no repeats then."""
_DONE_AGAIN = 0.05
"""Share of the rows of train that repeat a pair, from which on people do things again."""
_FEWEST_STEPS = 50
"""Steps from a result to the next one, from which on their order says something."""
_FOLLOWS = 0.999
_LEAVES = 0.98
"""Share of steps that follow a popularity, from which on lists are ordered by it, and below which they are not."""
_AT_A_TIME = 1 << 16


def in_train(train: Interactions, pairs: pl.DataFrame) -> pl.Series:
    """Which pairs of `query_id` and `doc_id` are in train, as a mask."""
    import polars as pl

    return pl.Series(train.has_each(pairs.height, train.codes_of(pairs["query_id"], pairs["doc_id"])))


def is_learned(known: int, pairs: int) -> bool:
    """Whether so many of the relevant items of the test are in train, for the same user, that it was learned from."""
    return known >= _MOST_KNOWN * pairs


class SeenShown(NamedTuple):
    """What the first results hold of train, for the same user."""

    hits: int
    """Relevant results, in train or not."""
    learned: int
    """Those of them that are in train."""
    seen: int
    """Results that are in train."""
    tested: int
    """Those of them that are in the test, relevant or not."""

    def raises(self, train: Interactions) -> bool:
        """Whether answers that were in train are among the hits, in a share that matters.

        Not where things are done again: train repeats its pairs, or lists show also what is known and not in the test.
        """
        again = train.n_repeated >= _DONE_AGAIN * len(train) or self.tested < _ONLY_TESTED * self.seen
        return not again and self.learned >= max(_FEWEST_HITS, _SOME_HITS * self.hits)


class Followed(NamedTuple):
    """Lists that follow popularity over train and test, and not that over train."""

    steps: int
    """From a result to the next one, where train has both."""
    with_test: int
    """Steps that do not rise in the popularity over train and test, as far as lists follow one of those."""
    train: int
    """Those that do not rise in the popularity over train."""


def followed(train: Interactions, tests: Sequence[Array], items: Array, steps: NDArray[np.bool_]) -> Followed | None:
    """The popularity with the test that lists follow, if they do.

    `items` are those of all lists, one after the other, as codes, -1 where train does not have them, and `steps` says
    where the next one is of the same list. `tests` are what may have been counted of the test: how often each item is
    there whose pairs are not in train, among all its interactions and among the relevant ones.
    """
    return followed_by_part(train, tests, len(items), lambda at, end: (items[at:end], steps[at : end - 1]))


def followed_by_part(
    train: Interactions, tests: Sequence[Array], n: int, part: Callable[[int, int], tuple[Array, NDArray[np.bool_]]]
) -> Followed | None:
    """The same of n items, of which `part(at, end)` gives some, and the steps between them.

    No more of them are looked at than it takes to see that no popularity is followed.
    """
    counts = train.users_per_item
    popular = [counts + more for more in tests]
    most = (1 - _FOLLOWS) * n  # steps are fewer
    rises, by_train, there = np.zeros(len(popular), dtype=np.int64), 0, 0
    for at in range(0, n - 1, _AT_A_TIME):
        items, steps = part(at, min(at + _AT_A_TIME + 1, n))
        known = items >= 0
        steps = steps & known[:-1] & known[1:]
        there += int(np.count_nonzero(steps))
        rises += [_rises(c, items, steps) for c in popular]
        by_train += _rises(counts, items, steps)
        if rises.min() > most + 1:
            return None
    if there < _FEWEST_STEPS:
        return None
    down = there - int(rises.min())
    if down < _FOLLOWS * there:
        return None
    down_by_train = there - by_train
    return Followed(there, down, down_by_train) if down_by_train < _LEAVES * there else None


def _rises(counts: Array, items: Array, steps: NDArray[np.bool_]) -> int:
    """How many steps go to a more popular item."""
    of_items = counts[items]
    return int(np.count_nonzero((of_items[:-1] < of_items[1:]) & steps))


def first_time(test: Any, train: Interactions, columns: Mapping[str, str] | None) -> Any:
    """When the test begins, where it is a table of interactions with times like those of train; else None."""
    if train.times is None or isinstance(test, (Mapping, np.ndarray)):
        return None
    if isinstance(test, Table):
        return test.begin
    try:
        times, are_dates = times_of(test, columns)
    except InputError:  # judgements in another form
        return None
    return None if times is None or are_dates != train.are_dates else times.min()
