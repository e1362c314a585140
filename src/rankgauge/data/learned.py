"""What a recommender learned from, held against what it is tested on: the looks of the audit and of every evaluation.

A user is a query here, an interaction of the test a judgement. Codes are those of the training interactions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankgauge.data.interactions import Interactions, times_of
from rankgauge.data.table import Table
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Followed", "SeenShown", "first_time", "followed", "in_train", "is_learned"]

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


def in_train(train: Interactions, pairs: pl.DataFrame) -> pl.Series:
    """Which pairs of `query_id` and `doc_id` are in train, as a mask."""
    import polars as pl

    return pl.Series(train.has(train.user_codes(pairs["query_id"]), train.item_codes(pairs["doc_id"])))


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
    """Which popularity lists follow: steps from a result to the next one, and how many of them go down in it."""

    steps: int
    with_test: int
    """Steps that do not rise in the popularity over train and test, as far as lists follow one of those."""
    train: int
    """Those that do not rise in the popularity over train."""

    @property
    def knows_test(self) -> bool:
        """Whether lists follow popularity over train and test, and not that over train."""
        n = self.steps
        return n >= _FEWEST_STEPS and self.with_test >= _FOLLOWS * n and self.train < _LEAVES * n


def followed(train: Interactions, tests: Sequence[Array], first: Array, second: Array) -> Followed:
    """The steps from the items `first` to the items `second`.

    `tests` are what may have been counted of the test: items whose pairs are not in train, of all its interactions and
    of the relevant ones. All items are codes, and -1 where train does not have them.
    """
    known = (first >= 0) & (second >= 0)
    first, second = first[known], second[known]
    counts = train.users_per_item
    added = (np.bincount(asked[asked >= 0], minlength=len(counts)) for asked in tests)
    down = [int(np.count_nonzero(c[first] >= c[second])) for c in (counts, *(counts + more for more in added))]
    return Followed(len(first), max(down[1:]), down[0])


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
