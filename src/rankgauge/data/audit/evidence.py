"""The input as the audit looks at it: judgements and rankings as columns, with what the shapes hid.

Unlike the readers this never refuses: a score that is text, an id that is a tuple or a result listed twice is
what the audit wants to speak about. Tables are only looked at; none of them changes its form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import nan
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankgauge._forked import refuse_fork
from rankgauge._text import Text
from rankgauge.data.both_sides import one_side
from rankgauge.data.catalogue import Catalogue
from rankgauge.data.columns import OfUsers
from rankgauge.data.direction import SAMPLE, Direction, direction_of, n_distinct
from rankgauge.data.interactions import Interactions
from rankgauge.data.learned import first_time
from rankgauge.data.many_runs import listed
from rankgauge.data.mappings import Ids, id_text, numbers_of
from rankgauge.data.qrels import Qrels
from rankgauge.data.run import Run
from rankgauge.data.table import Table
from rankgauge.data.together import by_name, holds_both, refuse_separate, same_judgements
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["DEPTH", "RELEVANT", "Evidence", "JudgedSide", "Ranking", "Side", "gather", "id_kind", "number_in"]

DEPTH = 10  # of the share of judged results
RELEVANT = 1.0  # lowest relevant grade, unless said

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass
class Side:
    """What judgements and rankings have in common."""

    name: str
    frame: pl.DataFrame
    notes: tuple[str, ...] = ()
    dropped: int = 0
    """Repeated items that were dropped while reading."""
    repeats: list[tuple[Any, Any]] = field(default_factory=list)
    """Those of them that can still be named: query and item."""
    not_numbers: list[tuple[Any, Any, Any]] = field(default_factory=list)
    """Query, item and value where a dict holds something else than a number."""
    mapping: Ids | None = None
    empty: list[str] = field(default_factory=list)
    """Queries that are there without any item."""

    @cached_property
    def names(self) -> pl.Series:
        """The queries that have rows, in the order of their first row."""
        starts = _starts(self.frame["query_id"])
        return self.frame["query_id"].gather(starts).unique(maintain_order=True)

    @cached_property
    def known(self) -> pl.Series:
        """All queries, those with an empty list as well."""
        import polars as pl

        return pl.concat([self.names, pl.Series("query_id", self.empty, dtype=pl.String)])

    @cached_property
    def ids(self) -> pl.Series:
        """Each item once."""
        return self.frame["doc_id"].unique()

    def repeated(self, keys: Sequence[str] = ("query_id", "doc_id")) -> pl.DataFrame:
        """The rows that share their query and item with another row."""
        import polars as pl

        # distinct hashes prove that nothing repeats, which is the common case
        mixed = np.zeros(self.frame.height, dtype=np.uint64)
        for seed, key in enumerate(keys):
            mixed ^= self.frame[key].hash(seed).to_numpy()
        ordered = np.sort(mixed)
        again = ordered[1:][ordered[1:] == ordered[:-1]]
        if not len(again):
            return self.frame.clear()
        candidates = self.frame.filter(pl.Series(np.isin(mixed, again)))
        return candidates.filter(pl.struct(keys).is_duplicated())


@dataclass
class JudgedSide(Side):
    """Judgements; an item may be judged under several headings."""

    headings: bool = False
    rel: float = RELEVANT
    """The lowest relevant grade."""
    of_users: bool = False
    """Whether they are what users did: a result without one is nothing that somebody could have judged."""

    @cached_property
    def items(self) -> pl.DataFrame:
        """Each judged item of a query once, with the best of its grades."""
        import polars as pl

        pairs = ["query_id", "doc_id"]
        if not self.headings and self.repeated().is_empty():
            return self.frame.select(*pairs, "grade")
        return self.frame.group_by(pairs, maintain_order=True).agg(pl.col("grade").max())

    @cached_property
    def relevant(self) -> pl.DataFrame:
        import polars as pl

        return self.items.filter(pl.col("grade") >= self.rel)

    @cached_property
    def relevant_per_query(self) -> pl.DataFrame:
        """Columns `query_id` and `n`, one row for each judged query."""
        import polars as pl

        return self.items.group_by("query_id", maintain_order=True).agg(
            n=(pl.col("grade") >= self.rel).sum().cast(pl.Int64)
        )

    @property
    def only_positive(self) -> bool:
        """Whether nothing is judged non-relevant."""
        grades = self.items["grade"]
        return not bool(((grades >= 0) & (grades < self.rel)).any())


@dataclass
class Ranking(Side):
    """A run, with the rows of each list together in the order in which they came."""

    judgements: JudgedSide | None = None

    def __post_init__(self) -> None:
        import polars as pl

        queries = self.frame["query_id"]
        blocks = queries.gather(_starts(queries))
        if blocks.n_unique() < len(blocks):  # interleaved
            codes = queries.cast(pl.Categorical).to_physical().to_numpy()
            self.frame = self.frame[np.argsort(codes, kind="stable")]

    @cached_property
    def offsets(self) -> Ints:
        """Rows `offsets[i]:offsets[i + 1]` are the list of query i."""
        return np.append(_starts(self.frame["query_id"]), self.frame.height)

    @cached_property
    def lengths(self) -> Ints:
        return np.diff(self.offsets)

    @cached_property
    def owner(self) -> Ints:
        """The number of the list of each row."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @cached_property
    def scores(self) -> Floats:
        """Comparable scores: what is not a number ranks last."""
        scores = self.frame["score"].to_numpy()
        return np.where(np.isnan(scores), -np.inf, scores) if np.isnan(scores).any() else scores

    @cached_property
    def order(self) -> Ints:
        """Rows by list and falling score."""
        rising = (self.scores[1:] > self.scores[:-1]) & (self.owner[1:] == self.owner[:-1])
        if not rising.any():
            return np.arange(self.frame.height)
        return np.lexsort((-self.scores, self.owner))

    @cached_property
    def ties(self) -> tuple[Ints, Ints]:
        """For each row in `order`: the first and the last place of its block of equal scores."""
        n = self.frame.height
        scores, owner = self.scores[self.order], self.owner[self.order]
        new = np.append(True, (scores[1:] != scores[:-1]) | (owner[1:] != owner[:-1]))[:n]
        starts = np.flatnonzero(new)
        ends = np.append(starts[1:], n) - 1
        block = np.cumsum(new) - 1
        return starts[block], ends[block]

    @cached_property
    def top(self) -> pl.DataFrame:
        """The first results of each list under the usual rule: score, then id, both falling."""
        import polars as pl

        floor = self.scores[self.order[self.offsets[:-1] + np.minimum(self.lengths, DEPTH) - 1]]
        rows = np.flatnonzero(self.scores >= floor[self.owner])
        few = (
            self.frame[rows]
            .select("query_id", "doc_id")
            .with_columns(pl.Series("list", self.owner[rows]), pl.Series("value", self.scores[rows]))
        )
        if len(rows) > np.minimum(self.lengths, DEPTH).sum():
            few = few.sort(["list", "value", "doc_id"], descending=[False, True, True])
            few = few.group_by("list", maintain_order=True).head(DEPTH)
        return few.select("query_id", "doc_id")

    @cached_property
    def judged_share(self) -> float:
        """Judged results among the first ten, over all judged queries; NaN when there is no such result."""
        assert self.judgements is not None
        items = self.judgements.items
        shown = self.top.filter(self.top["query_id"].is_in(items["query_id"].unique().implode()))
        if shown.is_empty():
            return nan
        return shown.join(items, on=["query_id", "doc_id"], how="semi").height / shown.height

    @cached_property
    def gains(self) -> tuple[Ints, Floats]:
        """The rows that show an item with a grade above 0, and these grades."""
        import polars as pl

        assert self.judgements is not None
        wanted = self.judgements.items.filter(pl.col("grade") > 0)
        found = (
            self.frame.lazy()
            .select("query_id", "doc_id")
            .with_row_index("row")
            .filter(pl.col("doc_id").is_in(wanted["doc_id"].unique().implode()))
            .join(wanted.lazy(), on=["query_id", "doc_id"], how="inner")
            .select("row", "grade")
            .sort("row")
            .collect()
        )
        return found["row"].to_numpy().astype(np.int64), found["grade"].to_numpy().astype(np.float64)

    @cached_property
    def direction(self) -> Direction:
        """Which end of the lists is best."""
        rows, gain = self.gains
        first, last = (np.empty(self.frame.height) for _ in range(2))
        first[self.order], last[self.order] = self.ties
        owner = self.owner[rows]
        start = self.offsets[:-1][owner] - 1
        return direction_of(owner, first[rows] - start, last[rows] - start, gain, self.lengths)

    @cached_property
    def is_worst_first(self) -> bool:
        """Whether lists are upside down for sure: as many lists, not one for all."""
        d, ids = self.direction, self.frame["doc_id"]
        if not d.is_worst_first:
            return False
        rows, _ = self.gains
        some = np.unique(np.linspace(0, len(self.lengths) - 1, min(SAMPLE, len(self.lengths))).astype(int)).tolist()
        lists = []
        for i in some:
            shown = ids.gather(self.order[self.offsets[i] : self.offsets[i + 1]]).to_list()
            relevant = set(ids.gather(rows[self.owner[rows] == i]).to_list())
            lists.append((shown, {x: place for place, x in enumerate(shown, 1) if x in relevant}))
        return d.of_distinct(n_distinct(lists, d.lists)).is_worst_first

    @cached_property
    def given_order(self) -> Ints:
        """Rows by list and rank; as they came where there is no rank."""
        if "rank" not in self.frame.columns:
            return np.arange(self.frame.height)
        ranks = self.frame["rank"].to_numpy()
        if not ((ranks[1:] < ranks[:-1]) & (self.owner[1:] == self.owner[:-1])).any():
            return np.arange(self.frame.height)
        return np.lexsort((ranks, self.owner))

    @cached_property
    def steps(self) -> tuple[Ints, Ints]:
        """For each list: how often the score rises, and falls, from one rank to the next."""
        scores, owner = self.scores[self.given_order], self.owner[self.given_order]
        same = owner[1:] == owner[:-1]
        if "rank" in self.frame.columns:
            ranks = self.frame["rank"].to_numpy()[self.given_order]
            same &= ranks[1:] != ranks[:-1]
        n = len(self.lengths)
        rises = np.bincount(owner[1:][same & (scores[1:] > scores[:-1])], minlength=n)
        falls = np.bincount(owner[1:][same & (scores[1:] < scores[:-1])], minlength=n)
        return rises, falls


@dataclass
class Evidence:
    """All that the audit has."""

    qrels: JudgedSide
    runs: list[Ranking]
    train: Interactions | None = None
    """What a recommender learned from."""
    first_test: Any = None
    """When the first interaction of the test happened, on the clock of train, where both have times."""
    catalogue: Catalogue | None = None
    """The items that there are."""

    @property
    def sides(self) -> list[Side]:
        return [self.qrels, *self.runs]


def _starts(queries: pl.Series) -> Ints:
    """Where each run of equal ids starts."""
    return (queries != queries.shift()).fill_null(True).arg_true().to_numpy().astype(np.int64)


def gather(
    qrels: Any,
    runs: Sequence[Any],
    columns: Mapping[str, str] | None,
    train: Any = None,
    items: Any = None,
    rel: float = RELEVANT,
) -> Evidence:
    """Judgements and runs, in whatever form they are."""
    refuse_fork(Text("the audit", "输入检查"))
    is_both = not runs
    if is_both and (systems := by_name(qrels)) is not None:
        qrels, runs = same_judgements(systems, columns), [systems]
    elif is_both and holds_both(qrels):
        runs = [qrels]
    judged, parts = _side(qrels, Qrels, "", columns)
    of_users = train is not None or any(isinstance(note, OfUsers) for note in judged.notes)
    judgements = JudgedSide(**parts, headings=judged.has_groups, rel=rel, of_users=of_users)
    named: list[tuple[str, Any]] = []
    for run in runs:
        pairs = None if is_both and run is qrels else listed(run)
        named += [("", run)] if pairs is None else pairs
    tables = [_side(run, Run, str(name), columns) for name, run in named]
    for (_, run), (table, _) in zip(named, tables, strict=True):
        refuse_separate(judged, qrels, table, run)
    sides = [part for _, part in tables]
    names = [part["name"] for part in sides]
    for i, part in enumerate(sides):
        if names.count(part["name"]) > 1:
            part["name"] = f"{part['name']} {i + 1}"
    rankings = [Ranking(**part, judgements=judgements) for part in sides]
    catalogue = None if items is None else Catalogue.of(None, items, columns)
    if train is None:
        return Evidence(judgements, rankings, catalogue=catalogue)
    known = Interactions.of(train, columns=columns, name="train")
    return Evidence(judgements, rankings, known, first_time(qrels, known, columns), catalogue)


def _side(source: Any, kind: type[Any], name: str, columns: Mapping[str, str] | None) -> tuple[Any, dict[str, Any]]:
    """The table of a source, and the fields of its side."""
    plain = isinstance(source, (Table, Mapping, np.ndarray))
    table = kind.of(source, **({"columns": columns} if columns and not plain else {}))
    mapping: Ids | None = table._mapping
    bad: list[tuple[Any, Any, Any]] = []
    if mapping is not None and table._columns is None and table.text is None:
        frame, bad = _frame(mapping, table.value)
    else:
        frame = table.to_frame()
    return table, {
        "name": name or table.name,
        "frame": frame,
        "notes": tuple(table.notes),
        "dropped": table.duplicates,
        "repeats": _repeats(one_side(source, kind.kind, "")[0] if isinstance(source, Mapping) else source),
        "not_numbers": bad,
        "mapping": mapping,
        "empty": [*table.empty] if mapping is None else [_text(q) for q, row in mapping.items() if not row],
    }


def _frame(rows: Ids, value: str) -> tuple[pl.DataFrame, list[tuple[Any, Any, Any]]]:
    """The columns of a dict, and what in it is no number."""
    import polars as pl

    bad: list[tuple[Any, Any, Any]] = []
    try:
        numbers: Any = numbers_of(rows.values(), rows, "", value)
    except InputError:
        bad = [(q, d, v) for q, row in rows.items() for d, v in row.items() if not _is_number(v)]
        numbers = np.array([number_in(v) for row in rows.values() for v in row.values()], dtype=np.float64)
    owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows.values()])
    names = pl.Series("query_id", [_text(q) for q in rows], dtype=pl.String)
    ids = [d for row in rows.values() for d in row]
    texts = ids if set(map(type, ids)) <= {str} else [_text(d) for d in ids]
    frame = pl.DataFrame({"query_id": names.gather(owner), "doc_id": pl.Series(texts, dtype=pl.String), value: numbers})
    return frame, bad


def _is_number(value: Any) -> bool:
    return isinstance(value, (Real, np.number, np.bool_))


def number_in(value: Any) -> float:
    """The number that a value of a dict holds, as text perhaps; NaN when it holds none."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return nan


def _text(value: Any) -> str:
    try:
        return id_text(value)
    except InputError:
        return str(value)


def _repeats(source: Any) -> list[tuple[Any, Any]]:
    """Items that a list of a dict holds again: once for each repetition."""
    if not isinstance(source, Mapping):
        return []
    found = []
    for query, items in source.items():
        if isinstance(items, (list, tuple)) and not any(isinstance(i, Mapping) for i in items):
            ids = [i[0] if isinstance(i, (list, tuple)) and len(i) == 2 else i for i in items]
            found += [(query, d) for d, n in Counter(ids).items() for _ in range(n - 1)]
    return found


def id_kind(value: Any) -> str:
    """Of one id of a dict."""
    if isinstance(value, str):
        return "text"
    if isinstance(value, (bool, np.bool_)):
        return "other"
    if isinstance(value, Integral):
        return "integer"
    return "float" if isinstance(value, Real) and float(value).is_integer() else "other"
