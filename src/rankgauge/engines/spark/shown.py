"""What is shown, on its way to the driver: the first items of each list, measured there once, as in memory.

A list is as short as its cutoff, and what is asked of all lists together (how much of the catalogue, how unlike each
other) cannot be told from some of them. So executors send lists, block by block, in a few bytes a place: an item is a
number, the ids behind the numbers come once for a block, and all of it is compressed. The driver has the catalogue.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.alignment.segments import Array, Segments
from rankgauge.alignment.shown import Relevant, Shown, joined

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.catalogue import Catalogue

__all__ = ["PLACE", "Lists", "packed", "unpacked"]

PLACE = 160  # bytes that a shown item takes on the driver while it is measured


@dataclass(frozen=True, eq=False)
class Lists:
    """What all lists show, in the order of the ids of their queries, and what else is known of these."""

    shown: Shown
    weights: Array | None
    attributes: Sequence[str | None] | None
    """As JSON."""


def packed(shown: Shown, weights: Array | None, attributes: pl.Series | None) -> bytes:
    """The lists of a block, whose items have numbers of their own, as a table of one row."""
    import polars as pl

    columns: dict[str, Any] = {
        "query_id": pl.Series(list(shown.query_ids), dtype=pl.String),
        "length": shown.lengths,
        "item": shown.items.astype(np.uint32),
        "id": pl.Series(shown.catalogue.ids, dtype=pl.String),
        "grade": shown.grade,
        **{name: getattr(shown, name) for name in _OF_LISTS},
    }
    if shown.wanted is not None:
        columns["wanted_length"] = shown.wanted.by_list.lengths
        columns["wanted_item"] = shown.wanted.items.astype(np.uint32)
        columns["wanted_grade"] = shown.wanted.grade
    if weights is not None:
        columns["weight"] = weights
    if attributes is not None:
        columns["attributes"] = attributes
    file = io.BytesIO()
    pl.DataFrame([pl.Series(name, values).implode() for name, values in columns.items()]).write_ipc(
        file, compression="zstd"
    )
    return file.getvalue()


_OF_LISTS = ("missing", "retrieved", "repeats", "best")


def unpacked(blocks: Iterable[bytes], catalogue: Catalogue) -> Lists:
    """The lists of all blocks, with the numbers that items have in the catalogue."""
    import polars as pl

    parts: list[Shown] = []
    weights: list[Array] = []
    attributes: list[str | None] = []
    for block in blocks:
        frame = pl.read_ipc(io.BytesIO(block))
        row = {name: frame[name][0] for name in frame.columns}
        numbers = catalogue.numbers(row["id"].to_list())
        wanted = None
        if "wanted_item" in row:
            offsets = Segments.of_lengths(row["wanted_length"].to_numpy()).offsets
            wanted = Relevant(offsets, numbers[row["wanted_item"].to_numpy()], row["wanted_grade"].to_numpy())
        parts.append(
            Shown(
                query_ids=row["query_id"].to_list(),
                offsets=Segments.of_lengths(row["length"].to_numpy()).offsets,
                items=numbers[row["item"].to_numpy()],
                grade=row["grade"].to_numpy(),
                catalogue=catalogue,
                wanted=wanted,
                **{name: row[name].to_numpy() for name in _OF_LISTS},
            )
        )
        if "weight" in row:
            weights.append(row["weight"].to_numpy())
        if "attributes" in row:
            attributes += row["attributes"].to_list()
    order = pl.Series([q for part in parts for q in part.query_ids], dtype=pl.String).arg_sort().to_numpy()
    return Lists(
        joined(parts, order),
        np.concatenate(weights)[order] if weights else None,
        [attributes[i] for i in order.tolist()] if attributes else None,
    )
