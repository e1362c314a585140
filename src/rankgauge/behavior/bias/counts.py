"""How often was an item shown for a query at a position, and how often was it clicked there?

Position bias and its corrections need nothing else of a log. A cell is one (query, item, position) with its impressions
and clicks; a pair is one (query, item). However many rows a log has, there are only as many cells as pairs times the
positions they were seen at, so that 30,000,000 impressions of 100,000 pairs are a few hundred thousand numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._show import show_all
from rankgauge._text import Text, zh
from rankgauge.alignment import Array
from rankgauge.errors import InputError, suggest

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Counts", "cell_pairs"]

_KEYS = ("query_id", "item_id", "position")


@dataclass(frozen=True, eq=False, kw_only=True)
class Counts:
    """Impressions and clicks by query, item and position. `Counts.of` makes one of a log.

    Cells are sorted by pair, then position; pairs by query id, then item id. So the order of the rows of a log never
    shows in a result.

    >>> counts = Counts.of({"query_id": ["q"] * 3, "item_id": ["a", "a", "b"], "position": [1, 1, 2],
    ...                     "click": [True, False, False]})
    >>> counts.impressions.tolist(), counts.clicks.tolist(), counts.n_pairs
    ([2.0, 1.0], [1.0, 0.0], 2)
    """

    pair: Array
    """Of each cell, the number of its (query, item)."""
    position: Array
    """Of each cell, 1-based."""
    impressions: Array
    """Of each cell; whole numbers unless rows were weighted."""
    clicks: Array
    """Of each cell, at most its impressions."""
    query: Array
    """Of each pair, the number of its query."""
    names: pl.DataFrame
    """Of each pair: query_id, item_id."""
    behaviour: str = "click"
    """What is counted as a click: click, cart, purchase …"""
    is_randomised: bool = False
    """Whether all rows come from a bucket in which positions were drawn at random."""
    unexamined: int = 0
    """Rows left out because nobody looked so far down."""

    @property
    def n_cells(self) -> int:
        return len(self.pair)

    @property
    def n_pairs(self) -> int:
        return len(self.query)

    @property
    def n_queries(self) -> int:
        return int(self.query[-1]) + 1 if len(self.query) else 0

    @cached_property
    def positions(self) -> Array:
        """The distinct positions, from the top."""
        return np.unique(self.position)

    @property
    def n_positions(self) -> int:
        return len(self.positions)

    @cached_property
    def slot(self) -> Array:
        """Of each cell, the number of its position in `positions`."""
        return np.searchsorted(self.positions, self.position)

    def by_position(self, values: Array) -> Array:
        """Values of cells summed by position."""
        return np.bincount(self.slot, values, self.n_positions)

    def by_pair(self, values: Array) -> Array:
        """Values of cells summed by pair."""
        return np.bincount(self.pair, values, self.n_pairs)

    def at(self, positions: Any) -> Counts:
        """The cells at these positions; all pairs are kept, also those that have no cell left."""
        keep = np.isin(self.position, np.asarray(positions))
        return self if keep.all() else self._cells(keep)

    def moved(self) -> Counts:
        """The cells of pairs seen at two positions at least: the only ones that can tell bias from relevance."""
        return self._cells((np.bincount(self.pair, minlength=self.n_pairs) > 1)[self.pair])

    def _cells(self, keep: Array) -> Counts:
        return replace(
            self,
            pair=self.pair[keep],
            position=self.position[keep],
            impressions=self.impressions[keep],
            clicks=self.clicks[keep],
        )

    def to_frame(self) -> pl.DataFrame:
        """One row per cell: query_id, item_id, position, impressions, clicks."""
        import polars as pl

        return self.names[self.pair].with_columns(
            pl.Series("position", self.position),
            pl.Series("impressions", self.impressions),
            pl.Series("clicks", self.clicks),
        )

    @classmethod
    def of(
        cls, source: Any, behaviour: str = "click", *, examined_only: bool = True, randomised: bool | None = None
    ) -> Counts:
        """Counts from an impression table, a dict of columns, or counts.

        A table (Polars, eager or lazy) has query_id, item_id, position and a column named after the `behaviour`, true
        where it happened (or 0 to 1, a weight). With a column `impressions`, rows are counted already, and `clicks`
        says how many of them were clicked.

        `examined_only` leaves out rows whose column `examined` is false; without the column all were examined.
        `randomised=True` keeps the rows whose column `randomised` is true, False the others. Rows of one ranker are
        had by filtering the table before. One pass over the rows; a lazy frame is never in memory as a whole.
        """
        if isinstance(source, Counts):
            return source._as_randomised(randomised)
        import polars as pl

        if isinstance(source, Mapping):
            source = pl.DataFrame(dict(source), strict=False)
        if not isinstance(source, (pl.DataFrame, pl.LazyFrame)):
            raise InputError(
                Text(
                    "counts need a Polars frame, a dict of columns or Counts,"
                    f" got {type(source).__name__}. Read the log into a frame first.",
                    f"计数需要 Polars 表、列的 dict 或 Counts，实际为 {type(source).__name__}。请先把日志读成表。",
                )
            )
        rows = source.lazy()
        names = rows.collect_schema().names()
        counted = "impressions" in names
        value = "clicks" if counted else behaviour
        wanted = [*_KEYS, value, *(["randomised"] if randomised is not None else [])]
        missing = [name for name in wanted if name not in names]
        if missing:
            raise InputError(
                Text(
                    f"columns missing from the impression table: {show_all(missing)}. Found:"
                    f" {show_all(names)}.{suggest(missing[0], names)}",
                    f"曝光表缺少列：{show_all(missing)}。找到：{show_all(names)}。{zh(suggest(missing[0], names))}",
                )
            )
        if randomised is not None:
            flag = pl.col("randomised").fill_null(False)
            rows = rows.filter(flag if randomised else ~flag)
        seen = pl.col("examined").fill_null(True) if "examined" in names and examined_only else pl.lit(True)
        shown = pl.col("impressions").cast(pl.Float64) if counted else pl.lit(1.0)
        rows = rows.select(*_KEYS, clicks=pl.col(value).cast(pl.Float64), shown=shown, seen=seen)
        cells = rows.group_by(_KEYS).agg(_totals())
        return cls._of_cells(
            cells.collect(engine="streaming"), behaviour=behaviour, value=value, is_randomised=bool(randomised)
        )

    @classmethod
    def from_arrays(
        cls,
        query: Any,
        item: Any,
        position: Any,
        impressions: Any,
        clicks: Any,
        *,
        behaviour: str = "click",
        is_randomised: bool = False,
    ) -> Counts:
        """Counts from five columns of the same length; rows of the same query, item and position are added up."""
        names = (*_KEYS, "impressions", "clicks")
        shown, clicked = np.asarray(impressions, dtype=float), np.asarray(clicks, dtype=float)
        columns = dict(zip(names, (query, item, position, shown, clicked), strict=True))
        sizes = {name: len(values) for name, values in columns.items()}
        if len(set(sizes.values())) > 1:
            said = ", ".join(f"{name} {size}" for name, size in sizes.items())
            raise InputError(
                Text(
                    f"columns of counts must have the same length, got {said}.",
                    f"计数的各列长度必须相同，实际为 {said}。",
                )
            )
        return replace(cls.of(columns, behaviour), is_randomised=is_randomised)

    def _as_randomised(self, randomised: bool | None) -> Counts:
        if randomised and not self.is_randomised:
            raise InputError(
                Text(
                    "counts of a randomised bucket needed, got counts that do not say so. "
                    "Make them with Counts.of(table, randomised=True) or Counts.from_arrays(…, is_randomised=True).",
                    "需要随机分桶的计数，而这些计数没有注明是随机的。请用 Counts.of(table, randomised=True) 或 "
                    "Counts.from_arrays(…, is_randomised=True) 生成。",
                )
            )
        return self

    @classmethod
    def _of_cells(cls, cells: pl.DataFrame, *, behaviour: str, value: str, is_randomised: bool) -> Counts:
        import polars as pl

        _check(cells, value)
        unexamined = int(cells["unexamined"].sum())
        cells = cells.filter(pl.col("impressions") > 0).sort(_KEYS)
        if cells.is_empty():
            raise InputError(
                Text(
                    f"counts need at least one examined impression, got none ({unexamined:,} rows were not examined).",
                    f"计数至少需要一次有效曝光，实际没有（{unexamined:,} 行未被查看）。",
                )
            )
        same = pl.col("query_id").eq_missing(pl.col("query_id").shift())
        new = cells.select(query=~same, pair=~(same & pl.col("item_id").eq_missing(pl.col("item_id").shift())))
        first = new["pair"].to_numpy().copy()
        first[0] = True
        start = new["query"].to_numpy().copy()
        start[0] = True
        return cls(
            pair=np.cumsum(first) - 1,
            position=cells["position"].cast(pl.Int64).to_numpy(),
            impressions=cells["impressions"].cast(pl.Float64).to_numpy(),
            clicks=cells["clicks"].cast(pl.Float64).to_numpy(),
            query=(np.cumsum(start) - 1)[first],
            names=cells.filter(pl.Series(first)).select(pl.col("query_id", "item_id").cast(pl.String)),
            behaviour=behaviour,
            is_randomised=is_randomised,
            unexamined=unexamined,
        )


def _totals() -> list[pl.Expr]:
    """Sums of one cell, and what would make them wrong."""
    import polars as pl

    clicks, shown, seen = pl.col("clicks"), pl.col("shown"), pl.col("seen")
    fine = (clicks >= 0) & (clicks <= shown) & shown.is_finite() & clicks.is_finite()
    return [
        (shown * seen).sum().alias("impressions"),
        (clicks * seen).sum().alias("clicks"),
        (~fine.fill_null(False)).sum().alias("bad"),
        (~seen).sum().alias("unexamined"),
    ]


def _check(cells: pl.DataFrame, value: str) -> None:
    """All that is wrong with the rows, at once."""
    import polars as pl

    problems: list[str] = []
    if cells.is_empty():
        raise InputError(
            Text("counts need at least one impression, got an empty table.", "计数至少需要一次曝光，实际是空表。")
        )
    for name in ("query_id", "item_id"):
        n = cells[name].null_count()
        if n:
            problems.append(
                Text(
                    f"{name} must be there in every row, is missing in {n:,} of {cells.height:,} cells.",
                    f"每行都必须有 {name}，实际 {cells.height:,} 个单元中有 {n:,} 个缺失。",
                )
            )
    position = cells["position"]
    if not position.dtype.is_numeric():
        raise InputError(
            Text(
                f"position must be a whole number from 1, got a column of {position.dtype}.",
                f"position 必须是从 1 开始的整数，该列的类型是 {position.dtype}。",
            )
        )
    number = position.cast(pl.Float64)
    wrong = ~((number >= 1) & (number == number.floor()) & number.is_finite()).fill_null(False)
    if wrong.any():
        examples = ", ".join(str(p) for p in position.filter(wrong).unique().sort().head(3))
        start = (
            Text(" Add 1 where the first position is 0.", "如果第一个位置是 0，请加 1。") if (number == 0).any() else ""
        )
        problems.append(
            Text(
                f"position must be a whole number from 1, got {examples}.{start}",
                f"position 必须是从 1 开始的整数，实际为 {examples}。{zh(start)}",
            )
        )
    bad = int(cells["bad"].sum())
    if bad:
        problems.append(
            Text(
                f"{value} must be true or false, or from 0 to the impressions, is not in {bad:,} rows.",
                f"{value} 必须是 true 或 false，或 0 到曝光数之间的数，实际有 {bad:,} 行不是。",
            )
        )
    if problems:
        raise InputError.collect(Text("impression table: ", "曝光表："), problems)


def cell_pairs(group: Array) -> Iterator[tuple[Array, Array]]:
    """All pairs of cells of the same group, the earlier cell first; `group` is sorted.

    One step per distance between the two, so at most as many steps as a group has cells.
    """
    lag, cells = 1, np.arange(len(group))
    while len(cells):
        cells = cells[cells + lag < len(group)]
        cells = cells[
            group[cells] == group[cells + lag]
        ]  # groups are runs: who has no partner here has none further on
        if len(cells):
            yield cells, cells + lag
        lag += 1
