"""What a format is: a name, its suffixes, a look at the content, a reader and, mostly, a writer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data.columns import Kind
from rankgauge.data.frames import Position

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.formats.opening import Source

__all__ = ["Format", "Loaded", "Options", "loaded"]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file that has been read: the canonical frame and what there is to say about it."""

    frame: pl.DataFrame
    format: str
    notes: tuple[str, ...] = ()
    tag: str | None = None  # the system's name inside a run
    position: Position | None = None  # names a row of predictions by its line
    empty: tuple[str, ...] = ()  # queries of a run whose list is there and empty


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller said about the file."""

    columns: Mapping[str, str] | None = None
    groups: Path | None = None  # LETOR: rows per query


@dataclass(frozen=True, slots=True)
class Format:
    """One format. A module that defines one and a line in the registry are all that a new format needs."""

    name: str
    suffixes: tuple[str, ...]
    matches: Callable[[Source], bool]  # does the content look like this format?
    read: Callable[[Source, Options], Loaded]
    write: Callable[[pl.DataFrame, BinaryIO, Kind, str], None] | None = None
    kinds: tuple[Kind, ...] = ("run", "qrels", "predictions")


def loaded(frame: pl.DataFrame, format_: str, notes: tuple[str, ...] = (), position: Position | None = None) -> Loaded:
    """Move the `tag` column of a run out of its frame."""
    if "tag" not in frame.columns:
        return Loaded(frame, format_, notes, position=position)
    tags = frame.get_column("tag").drop_nulls()
    first = str(tags[0]) if len(tags) else None
    if len(tags) and not (tags == first).all():
        notes += (
            Text(f"several run tags; using the first, {show(first)}", f"有多个 run tag，使用第一个 {show(first)}"),
        )
    return Loaded(frame.drop("tag"), format_, notes, first)
