"""Two rankings in one list, and which of them the clicks prefer.

Team draft (Radlinski, Kurup & Joachims, CIKM 2008): in each round a coin says which ranking picks first; each picks its
best item that is not yet in the list and gets the credit for what happens to it. The draft ends when one of the two
has nothing left to pick; places after that are filled from the other and belong to no team, because a longer list is
no better ranking. The last round counts for both or, where both want the same last item, for the first to pick: whether
the second still finds an item must not depend on the coin.

A click that depends on the position alone falls on both teams alike, so identical rankings give no winner. The
assignment is part of the experiment: it is stored, and credit is given by what was stored.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge._rng import random_generator
from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge.alignment import Array
from rankgauge.data import Run
from rankgauge.data.columns import role_of
from rankgauge.data.tabular import codes_of, need, positions, read_table, table_of, write_table
from rankgauge.errors import InputError, ParameterError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["NO_TEAM", "TEAMS", "Interleaved", "Interleaving", "interleave", "team_draft"]

TEAMS = ("A", "B")
NO_TEAM = "none"
_NAMES = np.array([*TEAMS, NO_TEAM])
_COLUMNS = ("query_id", "position", "item_id", "team")
_WHERE = "interleave"
_LONGEST = 2**31 - 1  # no list is


class Interleaved(NamedTuple):
    """One list, and the team of each of its items: A, B or none."""

    items: list[Any]
    teams: list[str]


def team_draft(a: Sequence[Hashable], b: Sequence[Hashable], length: int = 10, rng: Any = 0) -> Interleaved:
    """One list from two rankings, best first.

    Coins are drawn from `rng` one per round, so a longer list begins with the shorter one.

    >>> team_draft(["x", "y", "z"], ["y", "w", "x"], length=4, rng=0)
    Interleaved(items=['y', 'x', 'z', 'w'], teams=['B', 'A', 'A', 'B'])
    """
    _check_length(length)
    numbered: dict[Hashable, int] = {}
    lists = []
    for given, which in ((a, "a"), (b, "b")):
        if isinstance(given, str):
            raise InputError(
                Text(
                    f"team_draft: {which} must be a list of items, best first, got the text {show(given)}.",
                    f"team_draft：{which} 必须是物品的列表，最好的在前，实际是文本 {show(given)}。",
                )
            )
        if len(set(given)) < len(given):
            raise InputError(
                Text(
                    f"team_draft: {which} must hold each item once, got {len(given) - len(set(given))} twice.",
                    f"team_draft：{which} 中每个物品只能出现一次，实际有 {len(given) - len(set(given))} 个重复。",
                )
            )
        lists.append(np.array([[numbered.setdefault(item, len(numbered)) for item in given]], dtype=np.int64))
    picked, teams = _draft(lists[0], lists[1], length, random_generator(rng))
    names = list(numbered)
    kept = picked[0] >= 0
    return Interleaved([names[i] for i in picked[0][kept].tolist()], [str(t) for t in _NAMES[teams[0][kept]]])


def _draft(a: Array, b: Array, length: int, generator: np.random.Generator) -> tuple[Array, Array]:
    """Many lists at once: items numbered from 0 inside each query, -1 where a list has ended.

    One step of the loop fills one place of all lists.
    """
    n = len(a)
    length = min(length, max(1, a.shape[1] + b.shape[1]))  # there is nothing to pick after that
    # `length` items of each ranking are enough: fewer are taken before the last pick
    sides = [np.ascontiguousarray(s[:, :length]) for s in (a, b)]
    size = max([int(s.max()) + 1 for s in sides if s.size] + [1])
    coins = generator.random(((length + 1) // 2, n)) < 0.5  # rounds outside: a longer list draws the same first coins
    used = np.zeros((n, size), dtype=bool)
    picked, teams = np.full((n, length), -1), np.full((n, length), 2)
    counts = np.zeros((2, n), dtype=np.int64)
    is_over, is_whole = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    rows = np.arange(n)
    for place in range(length):
        (nexts, left) = zip(*(_next(side, used) for side in sides), strict=True)
        has = [item >= 0 for item in nexts]
        behind = counts[0] - counts[1]
        starts = behind == 0
        both = has[0] & has[1]
        # can both pick, whoever is first? Asked when the round starts, so that the answer favours nobody
        is_whole = np.where(starts, both & ((nexts[0] != nexts[1]) | ((left[0] > 1) & (left[1] > 1))), is_whole)
        is_over |= np.where(starts, ~both, ~is_whole)
        first = np.where(coins[np.minimum(counts.min(axis=0), len(coins) - 1), rows], 0, 1)
        team = np.where(behind < 0, 0, np.where(behind > 0, 1, first))
        source = np.where(is_over, np.where(has[0], 0, 1), team)
        item = np.where(source == 0, nexts[0], nexts[1])
        found = item >= 0
        used[rows[found], item[found]] = True
        picked[:, place] = item
        teams[:, place] = np.where(is_over, 2, team)
        for side in (0, 1):
            counts[side] += (team == side) & ~is_over
    return picked, teams


def _next(side: Array, used: Array) -> tuple[Array, Array]:
    """The best item of each list that is not used yet, -1 where there is none; and how many there are."""
    if not side.shape[1]:
        return np.full(len(side), -1), np.zeros(len(side), dtype=np.int64)
    taken = np.where(side >= 0, np.take_along_axis(used, np.maximum(side, 0), axis=1), True)
    first = taken.argmin(axis=1)
    rows = np.arange(len(side))
    return np.where(taken[rows, first], -1, side[rows, first]), np.count_nonzero(~taken, axis=1)


@dataclass(frozen=True, eq=False)
class Interleaving:
    """Lists to show, with the team of every item: what `credit` needs afterwards."""

    frame: pl.DataFrame
    """query_id, position, item_id, team: one row per place."""
    a: str = "A"
    b: str = "B"
    notes: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        """How many lists there are."""
        return int(self.frame["query_id"].n_unique())

    def __getitem__(self, query_id: str) -> Interleaved:
        import polars as pl

        part = self.frame.filter(pl.col("query_id") == str(query_id)).sort("position")
        return Interleaved(part["item_id"].to_list(), part["team"].to_list())

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame: query_id, position, item_id, team."""
        return self.frame

    def write(self, path: str | PathLike[str]) -> None:
        """CSV, TSV, JSONL or Parquet, as the suffix says."""
        write_table(self.frame, path)

    @classmethod
    def read(cls, path: str | PathLike[str], *, a: str = "A", b: str = "B") -> Interleaving:
        """What `write` wrote."""
        return cls(assignment_frame(read_table(path), str(path)), a, b)


_ASSIGNMENT = Text("assignment", "分配表")


def assignment_frame(obj: Any, where: str = _ASSIGNMENT) -> pl.DataFrame:
    """query_id (or request_id), position, item_id, team of any table, each with its type, checked."""
    import polars as pl

    frame = _renamed(table_of(obj, where))
    ids = [c for c in ("request_id", "query_id") if c in frame.columns] or ["query_id"]
    need(frame, [*ids, "item_id", "team"], where, Text("renaming them", "改列名的方式"))
    for name in (*ids, "item_id", "team"):
        if (kind := frame[name].dtype).is_nested() or kind == pl.Binary:
            raise InputError(
                Text(
                    f"{where}, column {show(name)}: must hold text or numbers, got {kind}.",
                    f"{zh(where)} 的列 {show(name)}：必须是文本或数字，实际为 {kind}。",
                )
            )
    given = set(frame["team"].cast(pl.String).fill_null("").to_list())
    if unknown := sorted(given - {*TEAMS, NO_TEAM}):
        raise InputError(
            Text(
                f"{where}: team must be A, B or none, got {show_all(unknown[:5])}.",
                f"{zh(where)}：team 必须是 A、B 或 none，实际为 {show_all(unknown[:5])}。",
            )
        )
    for name in (*ids, "item_id"):
        codes_of(frame, name, where)  # every row has one
    frame = frame.with_columns(pl.col(*ids, "item_id", "team").cast(pl.String))
    if frame.select(*ids, "item_id").is_duplicated().any():
        raise InputError(
            Text(
                f"{where}: an item must be in a list once, got some twice. Is it the assignment of one draft?",
                f"{zh(where)}：一个列表中每个物品只能出现一次，实际有重复。这是一次分配的结果吗？",
            )
        )
    if "position" in frame.columns:
        frame = frame.with_columns(pl.Series("position", positions(frame, "position", where)))
    return frame


def _renamed(frame: pl.DataFrame) -> pl.DataFrame:
    """With the usual names of columns, where each is there once under another; case does not matter."""
    known = {"query_id": "query_id", "doc_id": "item_id"}
    own = {"request_id", "position", "team"}
    found: dict[str, list[str]] = {}
    for name in frame.columns:
        if name.casefold() in own:
            found.setdefault(name.casefold(), []).append(name)
        elif (role := role_of(name, "run")) in known:
            found.setdefault(known[role], []).append(name)
    return frame.rename({names[0]: role for role, names in found.items() if len(names) == 1})


def interleave(
    run_a: Any, run_b: Any, length: int = 10, rng: Any = 0, *, missing: str = "error", names: Sequence[str] = ()
) -> Interleaving:
    """Team drafts of two runs (`Run`, dicts, frames, files), one for each of their queries.

    A query here is one list to be shown: name requests in the runs where the same query is drafted again and again.
    Equal scores are in descending order of ids, as everywhere. Queries that only one run has are an error;
    `missing="intersect"` leaves them out and says how many.

    >>> shown = interleave({"q": ["x", "y"]}, {"q": ["y", "z"]}, length=3)
    >>> shown["q"].teams
    ['B', 'A', 'none']
    """
    import polars as pl

    _check_length(length)
    if missing not in ("error", "intersect"):
        raise ParameterError(
            Text(
                f"`missing` must be error or intersect, got {show(missing)}.",
                f"`missing` 必须是 error 或 intersect，实际为 {show(missing)}。",
            )
        )
    runs = [Run.of(run) for run in (run_a, run_b)]
    tables = [_ranked(run, min(length, _LONGEST)) for run in runs]
    both, notes = _common(tables, missing)
    tables = [t.join(both, on="query_id").with_columns(pl.col("query").cast(pl.Int64)) for t in tables]
    # items numbered inside their query, by name: the numbers do not depend on which run is first
    items = pl.concat([t.select("query", "doc_id") for t in tables]).unique().sort("query", "doc_id")
    items = items.with_columns(pl.int_range(pl.len()).over("query").alias("item"))
    sides = [_matrix(t.join(items, on=["query", "doc_id"]), both.height) for t in tables]
    picked, teams = _draft(sides[0], sides[1], length, random_generator(rng))
    query, place = np.nonzero(picked >= 0)
    frame = (
        pl.DataFrame(
            {
                "query": query,
                "position": place + 1,
                "item": picked[query, place],
                "team": _NAMES[teams[query, place]],
            }
        )
        .join(items, on=["query", "item"], maintain_order="left")
        .join(both.with_columns(pl.col("query").cast(pl.Int64)), on="query", maintain_order="left")
        .rename({"doc_id": "item_id"})
        .select(*_COLUMNS)
    )
    labels = list(names) or [run.name for run in runs]
    if len(labels) != 2:
        raise ParameterError(
            Text(f"`names` must be two names, got {len(labels)}.", f"`names` 必须是两个名称，实际为 {len(labels)} 个。")
        )
    if labels[0] == labels[1]:
        labels = list(TEAMS)
    return Interleaving(frame, labels[0], labels[1], notes)


def _ranked(run: Run, length: int) -> pl.DataFrame:
    """query_id, doc_id, rank of the first `length` results of each query."""
    import polars as pl

    frame = run.to_frame().select("query_id", "doc_id", "score")
    if frame["score"].is_nan().any():
        raise InputError(
            Text(
                f"{_WHERE}: scores of {show(run.name)} must be numbers, got NaN. See rg.audit(run).",
                f"{_WHERE}：{show(run.name)} 的得分必须是数字，实际有 NaN。请看 rg.audit(run)。",
            )
        )
    return (
        frame.sort("query_id", "score", "doc_id", descending=[False, True, True])
        .unique(["query_id", "doc_id"], keep="first", maintain_order=True)
        .with_columns(pl.int_range(pl.len()).over("query_id").alias("rank"))
        .filter(pl.col("rank") < length)
    )


def _common(tables: list[pl.DataFrame], missing: str) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The queries of both runs, numbered in order of their names."""
    queries = [t.select("query_id").unique() for t in tables]
    both = queries[0].join(queries[1], on="query_id").sort("query_id").with_row_index("query")
    alone = sum(q.height for q in queries) - 2 * both.height
    if not both.height:
        raise InputError(
            Text(
                f"{_WHERE}: the runs must share queries, got none in common.",
                f"{_WHERE}：两个 run 必须有共同的查询，实际没有。",
            )
        )
    if alone and missing == "error":
        raise InputError(
            Text(
                f"{_WHERE}: both runs must hold the same queries, got {alone:,} that are in one only. "
                'Pass missing="intersect" to leave them out.',
                f"{_WHERE}：两个 run 的查询必须相同，实际有 {alone:,} 个只在其中一个里。要略去它们，请传入 "
                'missing="intersect"。',
            )
        )
    if not alone:
        return both, ()
    return both, (
        Text(f"{alone:,} queries that only one run has were left out", f"略去 {alone:,} 个只在一方出现的查询"),
    )


def _matrix(table: pl.DataFrame, n: int) -> Array:
    """Lists as rows of item numbers, padded by -1."""
    wide = np.full((n, int(table["rank"].max() or 0) + 1), -1)  # type: ignore[call-overload,arg-type,operator,unused-ignore]
    wide[table["query"].to_numpy(), table["rank"].to_numpy()] = table["item"].to_numpy()
    return wide


def _check_length(length: int) -> None:
    if not isinstance(length, (int, np.integer)) or isinstance(length, bool) or length < 1:
        raise ParameterError(
            Text(
                f"`length` must be a whole number from 1, got {show(length)}.",
                f"`length` 必须是不小于 1 的整数，实际为 {show(length)}。",
            )
        )
