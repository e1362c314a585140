"""What a funnel and channels have in common: relevant items that were looked for in several lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from rankgauge._forked import refuse_fork
from rankgauge._records import Record
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Followed", "Items"]

I = TypeVar("I", bound="Items")


@dataclass(frozen=True, eq=False, kw_only=True)
class Items:
    """Every relevant item as numbers: a row each, in the order of the judgements."""

    query: Array
    """Number of its query."""
    grade: Array
    names: Callable[[], Sequence[str]]
    """The ids of the items, looked up when someone asks."""
    files: Sequence[str | PathLike[str]] = ()
    """What judgements and lists were read from."""


class Followed(Record):
    """Relevant items in several lists; the items themselves are not stored."""

    has_items: ClassVar[str]
    """The field of the items."""
    no_items: ClassVar[Text]
    """What is said to those who ask a stored record for them."""
    query_ids: Sequence[str]

    @property
    def n_queries(self) -> int:
        """Queries with relevant items."""
        return len(self.query_ids)

    @property
    def read_from(self) -> Sequence[str | PathLike[str]]:
        """The files of judgements and lists; a stored record knows none."""
        found: Items | None = vars(self).get(self.has_items)
        return () if found is None else found.files

    def _items(self, kind: type[I]) -> tuple[I, dict[str, pl.Series]]:
        """The items, and the columns that name them."""
        import polars as pl

        found = vars(self).get(self.has_items)
        if not isinstance(found, kind):
            raise InputError(self.no_items)
        refuse_fork(Text("the table of items", "条目表"))
        return found, {
            "query_id": pl.Series(list(self.query_ids), dtype=pl.String).gather(found.query),
            "item": pl.Series(list(found.names()), dtype=pl.String),
            "grade": pl.Series(found.grade, dtype=pl.Float64),
        }

    def _also(self) -> dict[str, Any]:
        return {"queries": self.n_queries}
