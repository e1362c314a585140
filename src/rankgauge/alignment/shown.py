"""The second waist: what was shown to whom, whether or not anybody judged it.

The alignment keeps judged items only. How new, how varied and how concentrated recommendations are is a question about
all shown items, so this is its twin: for each list the numbers of its first items in rank order, and beside it the
catalogue that says what is known of an item. It is as small as lists × depth, and parts of it can be put together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.alignment.aligned import Aligned, comparable, single_precision
from rankgauge.alignment.alignment import is_relevant
from rankgauge.alignment.segments import Array, Segments
from rankgauge.alignment.top import top_places
from rankgauge.data.catalogue import Catalogue
from rankgauge.data.collected import Collected
from rankgauge.data.judged_ids import item_names
from rankgauge.data.pieces import in_queries
from rankgauge.data.qrels import Qrels
from rankgauge.data.run import Run

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Catalogue", "Relevant", "Shown", "first_items", "joined", "shown_of"]

_PLACES = 1 << 16
"""Places that are looked at together."""
_SHORT = 100
"""How long lists are at most whose places are added up one after the other."""


@dataclass(frozen=True, eq=False)
class Relevant:
    """The items that were judged above 0 for each user, shown or not, user after user: numbers and grades."""

    offsets: Array
    items: Array
    grade: Array

    @property
    def by_list(self) -> Segments:
        return Segments(self.offsets)

    def part(self, users: slice) -> Relevant:
        """Those of users side by side: nothing is copied."""
        rows = self.by_list.rows(users)
        return Relevant(self.by_list.part(users).offsets, self.items[rows], self.grade[rows])

    def of_queries(self, numbers: Array) -> Relevant:
        """Those of some users."""
        rows = self.by_list.rows_of(numbers)
        return Relevant(Segments.of_lengths(self.by_list.lengths[numbers]).offsets, self.items[rows], self.grade[rows])

    def at(self, rel: float) -> tuple[Array, Array]:
        """Users and items of all pairs at this level or above, by number."""
        kept = is_relevant(self.grade, rel)
        return self.by_list.owner[kept], self.items[kept]


@dataclass(frozen=True, eq=False)
class Shown:
    """The first items of every list, in rank order, list after list.

    | field | shape | meaning |
    |---|---|---|
    | `query_ids` | Q | users (queries), those of the alignment |
    | `offsets` | Q+1 | places `offsets[i]:offsets[i+1]` are the list of user i |
    | `items` | P | number of the item at each place, in the catalogue |
    | `grade` | P | its grade as judged; NaN = nobody judged it |
    | `missing` | Q | users without a list, as a mask |
    | `retrieved` | Q | results of the whole list, of which these are the first |
    | `repeats` | Q | results that showed an item again and were taken out |
    | `best` | Q | the highest grade that was given for the user, shown or not; NaN = nothing was judged |
    | `catalogue` | | what is known of items and of what users had before |
    | `wanted` | | what is relevant to each user, shown or not; only where a measure looks at it |
    | `seconds` | Q | how long the retriever took; NaN = not known; None = the run was not asked for |
    | `failed` | Q | 1 where it gave no answer; as above |
    | `spent` | Q | cost, tokens and calls, by name, as far as the retriever says them; NaN = not known |
    """

    query_ids: Sequence[str]
    offsets: Array
    items: Array
    grade: Array
    missing: Array
    retrieved: Array
    repeats: Array
    best: Array
    catalogue: Catalogue
    wanted: Relevant | None = None
    seconds: Array | None = None
    failed: Array | None = None
    spent: Mapping[str, Array] = field(default_factory=dict)
    _cuts: dict[Any, Shown] = field(default_factory=dict, repr=False)

    @property
    def n_lists(self) -> int:
        """All users, those without a list included."""
        return len(self.offsets) - 1

    @cached_property
    def by_list(self) -> Segments:
        return Segments(self.offsets)

    @property
    def lengths(self) -> Array:
        return self.by_list.lengths

    @property
    def rank(self) -> Array:
        """The rank of each place, from 1."""
        return self.by_list.place + 1

    def within(self, k: int | None) -> Shown:
        """The first k places of every list."""
        if k is None or not (self.lengths > k).any():
            return self
        if k not in self._cuts:
            kept, lists = self.by_list.first(k)
            self._cuts[k] = replace(
                self,
                offsets=lists.offsets,
                items=self.items[kept],
                grade=self.grade[kept],
                _cuts={},
            )
        return self._cuts[k]

    def of_queries(self, chosen: Array) -> Shown:
        """The lists of some users, by their numbers or as a mask."""
        numbers = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        return self._chosen(
            numbers,
            self.by_list.rows_of(numbers),
            query_ids=[self.query_ids[i] for i in numbers.tolist()],
            offsets=Segments.of_lengths(self.lengths[numbers]).offsets,
            wanted=None if self.wanted is None else self.wanted.of_queries(numbers),
        )

    def part(self, lists: slice) -> Shown:
        """Lists side by side: nothing is copied."""
        return self._chosen(
            lists,
            self.by_list.rows(lists),
            query_ids=self.query_ids[lists],
            offsets=self.by_list.part(lists).offsets,
            wanted=None if self.wanted is None else self.wanted.part(lists),
        )

    def _chosen(self, lists: Array | slice, rows: Array | slice, **about: Any) -> Shown:
        """With what there is of each list, and of each place, for these alone; `about` is what is made otherwise."""
        return replace(
            self,
            items=self.items[rows],
            grade=self.grade[rows],
            missing=self.missing[lists],
            retrieved=self.retrieved[lists],
            repeats=self.repeats[lists],
            best=self.best[lists],
            seconds=None if self.seconds is None else self.seconds[lists],
            failed=None if self.failed is None else self.failed[lists],
            spent={what: values[lists] for what, values in self.spent.items()},
            _cuts={},
            **about,
        )

    # what measures are written with

    def in_parts(self, function: Callable[[Shown], Array]) -> Array:
        """A value for each list, made of some lists at a time: what belongs to them stays in the cache."""
        parts = in_queries(lambda lists: function(self.part(lists)), self.lengths, _PLACES)
        return np.concatenate(parts) if parts else np.zeros(0)

    @property
    def _is_table(self) -> bool:
        """Whether these are lists of one short length, and few enough for the cache."""
        n = self.lengths
        return 0 < len(self.items) <= 2 * _PLACES and 0 < n[0] <= _SHORT and bool((n == n[0]).all())

    @cached_property
    def known(self) -> Array:
        """Places with an item of the catalogue."""
        mask: Array = self.items < self.catalogue.n_items
        return mask

    @cached_property
    def counts(self) -> Array:
        """In how many lists each item is shown, of all items that have a number."""
        return np.bincount(self.items, minlength=self.catalogue.n_numbers)

    @cached_property
    def seen(self) -> Array:
        """Places with an item that the user had before, as a mask; where `train` is known."""
        return self.catalogue.had(self.query_ids, self.by_list.owners, self.items)

    def relevant(self, rel: float = 1) -> Array:
        """Places whose item is relevant; what nobody judged is not."""
        return is_relevant(self.grade, rel)

    def has_relevant(self, rel: float = 1) -> Array:
        """Users for whom something is relevant, shown or not."""
        return is_relevant(self.best, rel)

    def mean(self, values: Array, places: Array | None = None) -> Array:
        """The mean over the places of each list of a value per place; NaN for a list without any.

        With `places` the values are those of these, and 0 at all others.
        """
        n = self.lengths
        if places is None and self._is_table:
            total: Array = np.zeros(self.n_lists)
            for column in values.reshape(self.n_lists, -1).T:  # added up in the order of places, as below
                total += column
        else:
            owner = self.by_list.owner if places is None else self.by_list.owner[places]
            total = np.bincount(owner, weights=values, minlength=self.n_lists)
        found: Array = np.divide(total, n, out=np.full(self.n_lists, np.nan), where=n > 0)
        return found

    def mean_of_items(self, values: Array) -> Array:
        """The same of a value per item, by number."""
        return self.in_parts(lambda part: part.mean(values[part.items]))


def shown_of(
    aligned: Aligned,
    run: Run,
    catalogue: Catalogue,
    *,
    depth: int | None,
    ties: str,
    single: bool = False,
    judged: Qrels | None = None,
) -> Shown:
    """The first `depth` items of the lists whose judged items were aligned; under the same tie rule.

    With the judgements it also knows which items are relevant to each user and not shown.
    """
    query_ids = list(aligned.alignment.query_ids)
    again = bool(aligned.repeats.any())
    items, lengths = first_items(run, query_ids, catalogue, depth=depth, ties=ties, single=single, repeats=again)
    lists = Segments.of_lengths(lengths)
    seconds, failed = (None, None) if run.collected is None else run.collected.times_of(query_ids)
    spent = {} if run.collected is None else run.collected.spent_of(query_ids)
    return Shown(
        query_ids=query_ids,
        offsets=lists.offsets,
        items=items,
        grade=_grades(aligned, lists),
        missing=aligned.missing,
        retrieved=aligned.alignment.retrieved,
        repeats=aligned.repeats,
        best=aligned.alignment.by_query.max(aligned.alignment.grade, empty=np.nan),
        catalogue=catalogue,
        wanted=None if judged is None else _wanted(aligned, judged, catalogue),
        seconds=seconds,
        failed=failed,
        spent=spent,
    )


def untold(aligned: Aligned, collected: Collected | None) -> Shown:
    """Lists of which only is known how long a live retriever took for them, and where it failed."""
    query_ids = list(aligned.alignment.query_ids)
    n, nothing = len(query_ids), np.zeros(0)
    seconds, failed = (None, None) if collected is None else collected.times_of(query_ids)
    spent = {} if collected is None else collected.spent_of(query_ids)
    return Shown(
        query_ids=query_ids,
        offsets=np.zeros(n + 1, dtype=np.int64),
        items=nothing.astype(np.int64),
        grade=nothing,
        missing=aligned.missing,
        retrieved=aligned.alignment.retrieved,
        repeats=np.zeros(n, dtype=np.int64),
        best=np.full(n, np.nan),
        catalogue=Catalogue(0),
        seconds=seconds,
        failed=failed,
        spent=spent,
    )


def first_items(
    run: Run,
    query_ids: Sequence[str],
    catalogue: Catalogue,
    *,
    depth: int | None,
    ties: str,
    single: bool = False,
    repeats: bool = True,
    keep: bool = False,
) -> tuple[Array, Array]:
    """The numbers of the first `depth` items of the lists of these queries, list after list, and their lengths.

    `repeats` says whether a list may show an item again; with `keep` it is there again.
    """
    found = None
    if keep and repeats:
        found = _from_columns(run, query_ids, catalogue, depth, ties, single, keep=True)
    elif run.text is not None:
        found = _from_text(run, query_ids, catalogue, depth, ties, single)
    elif run.is_mapping:
        found = _from_mappings(run, query_ids, catalogue, depth, ties, single)
    elif run.has_numbers and not repeats:
        found = _from_numbers(run, query_ids, catalogue, depth, ties, single)
    return _from_columns(run, query_ids, catalogue, depth, ties, single) if found is None else found


def _wanted(aligned: Aligned, judged: Qrels, catalogue: Catalogue) -> Relevant:
    """The ids of what is relevant, found in the judgements that were aligned."""
    a = aligned.alignment
    rows = np.flatnonzero(a.grade > 0)
    owner = a.by_query.owner[rows]
    ids = item_names(judged, a.offsets[owner] + a.item[rows])()
    lengths = np.bincount(owner, minlength=len(a.offsets) - 1)
    return Relevant(Segments.of_lengths(lengths).offsets, catalogue.numbers(ids), a.grade[rows])


def joined(parts: Sequence[Shown], order: Array) -> Shown:
    """The lists of several parts as one, in this order."""

    def chain(name: str) -> Array:
        return np.concatenate([getattr(part, name) for part in parts])

    known = [part.wanted for part in parts if part.wanted is not None]
    return Shown(
        query_ids=[q for part in parts for q in part.query_ids],
        offsets=Segments.of_lengths(np.concatenate([part.lengths for part in parts])).offsets,
        items=chain("items"),
        grade=chain("grade"),
        missing=chain("missing"),
        retrieved=chain("retrieved"),
        repeats=chain("repeats"),
        best=chain("best"),
        catalogue=parts[0].catalogue,
        wanted=_chained(known) if len(known) == len(parts) else None,
    ).of_queries(order)


def _chained(parts: Sequence[Relevant]) -> Relevant:
    return Relevant(
        Segments.of_lengths(np.concatenate([part.by_list.lengths for part in parts])).offsets,
        np.concatenate([part.items for part in parts]),
        np.concatenate([part.grade for part in parts]),
    )


def _grades(aligned: Aligned, lists: Segments) -> Array:
    """The grade of each place, NaN where its item was not judged: a rank is a place."""
    a = aligned.alignment
    grade = np.empty(int(lists.offsets[-1]))

    def fill(queries: slice) -> None:
        rows, judged = a.by_query.rows(queries), a.by_query.part(queries)
        grade[lists.rows(queries)] = np.nan
        rank = a.rank[rows]
        inside = np.flatnonzero((rank > 0) & (rank <= judged.spread(lists.lengths[queries])))
        places = judged.spread(lists.offsets[queries.start : queries.stop])[inside] + rank[inside] - 1
        grade[places] = a.grade[rows][inside]

    in_queries(fill, a.by_query.lengths + lists.lengths)
    return grade


# the four ways in: each gives the numbers of the first items, list after list, and the lengths of these lists

Listed = tuple[Array, Array]


def _from_mappings(
    run: Run, query_ids: Sequence[str], catalogue: Catalogue, depth: int | None, ties: str, single: bool
) -> Listed:
    from rankgauge.alignment.from_mappings import ids_at
    from rankgauge.data.mappings import id_text, numbers_in

    if run.ids == "mixed":
        run = run.with_text_ids()
    table = run.to_dict()
    by_text = {id_text(q): row for q, row in table.items()}
    rows = [by_text.get(q, {}) for q in query_ids]
    lists = Segments.of_lengths(np.fromiter(map(len, rows), np.int64, len(rows)))
    scores, _ = comparable(numbers_in(iter(rows), int(lists.offsets[-1]), table, run.name, "score"), single)
    places, lengths = top_places(scores, lists, depth, lambda where: ids_at(rows, lists.offsets, where), ties)
    ids = [id_text(x) for row in rows for x in row] if run.ids != "text" else [x for row in rows for x in row]
    return catalogue.numbers([ids[i] for i in places.tolist()]), lengths


def _from_columns(
    run: Run,
    query_ids: Sequence[str],
    catalogue: Catalogue,
    depth: int | None,
    ties: str,
    single: bool,
    *,
    keep: bool = False,
) -> Listed:
    from rankgauge.alignment.from_columns import first_columns

    ids, lengths, names = first_columns(run, query_ids, depth, ties, single, keep=keep)
    return _in_order(catalogue.numbers_of(ids), lengths, names, query_ids)


def _from_numbers(
    run: Run, query_ids: Sequence[str], catalogue: Catalogue, depth: int | None, ties: str, single: bool
) -> Listed:
    from rankgauge.alignment.from_numbers import first_numbers

    items, lengths, names = first_numbers(run, depth, ties, single)
    return _in_order(catalogue.numbers_of(items), lengths, names, query_ids)


def _from_text(
    run: Run, query_ids: Sequence[str], catalogue: Catalogue, depth: int | None, ties: str, single: bool
) -> Listed | None:
    text = run.text
    assert text is not None
    lists = Segments.of_lengths(text.lengths)
    scores = single_precision(text.value) if single else text.value
    places, lengths = top_places(scores, lists, depth, text.packed_ids, ties)
    items = catalogue.numbers(text.ids(places))
    if _repeats(items, lengths, catalogue):
        return None  # columns know which of them stays
    return _in_order(items, lengths, text.names, query_ids)


def _repeats(items: Array, lengths: Array, catalogue: Catalogue) -> bool:
    keys = np.sort(Segments.of_lengths(lengths).owner * catalogue.n_numbers + items)
    return bool((keys[1:] == keys[:-1]).any())


def _in_order(items: Array, lengths: Array, names: Sequence[str] | pl.Series, query_ids: Sequence[str]) -> Listed:
    """The lists of these queries, in their order; none where the run has none."""
    if isinstance(names, Sequence):
        same = list(names) == list(query_ids)
    else:
        same = names.equals(type(names)(query_ids, dtype=names.dtype))
        names = [] if same else names.to_list()
    if same:
        return items, lengths
    place = {q: i for i, q in enumerate(names)}
    number = np.array([place.get(q, len(names)) for q in query_ids], dtype=np.int64)
    lists = Segments.of_lengths(np.append(lengths, 0))  # the last one stands for those that are not there
    return items[lists.rows_of(number)], lists.lengths[number]
