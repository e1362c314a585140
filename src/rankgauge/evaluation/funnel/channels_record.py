"""The record of several ways of retrieval side by side, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rankgauge._plain_data import damaged
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.errors import UnknownName, among
from rankgauge.evaluation.funnel.followed import Followed, Items

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Addition", "Channel", "Channels", "FoundItems", "Overlap"]


@dataclass(frozen=True, kw_only=True)
class Channel:
    """What one channel finds, and what would be missing without it."""

    name: str
    size: float
    """Mean number of results, over the queries that the channel has."""
    relevant: int
    """Relevant items in its lists."""
    recall: float
    """Alone: mean over queries."""
    recall_low: float
    recall_high: float
    recall_pooled: float
    """The same over the items of all queries together."""
    only: int
    """Relevant items that no other channel has."""
    only_queries: int
    """Queries for which no other channel has anything relevant, and this one has."""
    without: float
    """Recall of all other channels together."""
    adds: float
    """Recall of all channels minus that without this one."""
    adds_low: float
    adds_high: float
    missing: int
    """Queries that the channel does not have."""
    shown: int | None = None
    """Relevant items of its lists that the final list shows; None where none was given."""
    only_shown: int | None = None
    """How many of them no other channel has."""


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """How far two channels find the same relevant items."""

    first: str
    second: str
    both: int
    of_first: float
    """Share of the first one's relevant items that the second has, too; NaN where it has none."""
    of_second: float
    jaccard: float
    """Both over either; NaN where neither finds anything."""


@dataclass(frozen=True, kw_only=True)
class Addition:
    """A channel as the next one to be added: the one that raises recall most."""

    name: str
    recall: float
    """Of all channels up to here."""
    added: float


@dataclass(frozen=True, eq=False, kw_only=True)
class FoundItems(Items):
    """Every relevant item with the channels that have it."""

    there: Array
    """Whether each channel has it: a row per channel."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Channels(
    Followed,
    kind="channels",
    schema=1,
    stored_as={"n_judged": "judged_queries", "n_relevant": "relevant"},
    not_stored={
        "found": Text(
            "Run channels() on judgements and runs to look at items.", "要查看条目，请对标注和各路结果运行 channels()。"
        )
    },
):
    """Several ways of retrieval side by side: `found["cf"].adds`, `found.recall`, `found.order`, `found.items`.

    `rg.channels` makes them.
    """

    has_items = "found"
    no_items = Text(
        "stored channels have no single items. Run channels() on judgements and runs to look at items.",
        "存储的结果中没有单个条目。请对标注和各路结果重新运行 channels()。",
    )

    channels: Sequence[Channel]
    overlaps: Sequence[Overlap]
    order: Sequence[Addition]
    """Channels one after the other, the one that adds most first."""
    recall: float
    """Of all together: mean over queries."""
    recall_low: float
    recall_high: float
    recall_pooled: float
    by_count: Sequence[int]
    """Relevant items that so many channels have: none, one, two, …"""
    rel: float
    cut: Mapping[str, int]
    """Channels of which only the first results count, and how many."""
    ties: str
    query_ids: Sequence[str] = field(repr=False)
    """Queries with relevant items; all numbers are over them."""
    n_judged: int
    n_relevant: int
    shown: int = 0
    """Results of the final list that are shown; 0 where none was given."""
    n_shown: int = 0
    """Relevant items among them."""
    confidence_level: float = 0.95
    qrels: str = "qrels"
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()
    version: str = ""
    found: FoundItems = field(repr=False)
    """Which channel has which relevant item; not stored."""

    @property
    def names(self) -> list[str]:
        return [c.name for c in self.channels]

    def __getitem__(self, name: str) -> Channel:
        for c in self.channels:
            if c.name == name:
                return c
        raise UnknownName(Text(f"no channel {show(name)}.", f"没有召回通道 {show(name)}。") + among(name, self.names))

    @property
    def most(self) -> Channel:
        """The channel that adds most beyond the others, the first of equals."""
        return max(self.channels, key=lambda c: c.adds)

    @property
    def idle(self) -> list[Channel]:
        """Channels without which nothing relevant would be missing."""
        return [c for c in self.channels if not c.only] if len(self.channels) > 1 else []

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [{"channel" if key == "name" else key: v for key, v in asdict(c).items()} for c in self.channels]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per channel."""
        import polars as pl

        return pl.DataFrame(self.csv_rows(), infer_schema_length=None)

    @cached_property
    def items(self) -> pl.DataFrame:
        """A Polars frame, one row per relevant item: which channels have it, and how many."""
        import polars as pl

        f, columns = self._items(FoundItems)
        return pl.DataFrame(
            {
                **columns,
                **{name: pl.Series(row, dtype=pl.Boolean) for name, row in zip(self.names, f.there, strict=True)},
                "channels": pl.Series(f.there.sum(axis=0), dtype=pl.Int64),
            }
        )

    @classmethod
    def _from_plain(cls, data: Any) -> Channels:
        made = super()._from_plain(data)
        if not made.channels:
            raise damaged("channels", Text("expected array of length >= 1", "应为长度至少为 1 的 array"))
        if {a.name for a in made.order} != set(made.names):
            raise damaged("order", Text("expected every channel once", "每路召回应恰好出现一次"))
        return made
