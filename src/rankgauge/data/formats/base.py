"""What a format is: a name, its suffixes, a look at the content, a way to open it and, mostly, a writer.

A format that can be opened gives a `Content`, which serves every kind of table: judgements, runs, predictions, logs,
slices, weights, texts. One that holds judgements or runs in a shape of its own (TREC lines, queries with their items
inside) reads them itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import Place
from rankgauge.data.any_table import reading
from rankgauge.data.both_sides import SIDES, BothSides, split
from rankgauge.data.columns import RANKED_BY_LISTS, RANKED_BY_ROWS, Kind
from rankgauge.data.frames import Position, canonical
from rankgauge.data.listed import unlisted
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.formats.opening import Source

__all__ = [
    "RANKED",
    "REGISTRY",
    "Columns",
    "Content",
    "Format",
    "Keyed",
    "Loaded",
    "Options",
    "Records",
    "loaded",
    "register",
]

RANKED = ("run", "qrels", "predictions")
"""Kinds of tables whose columns `frames.canonical` knows."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A run, judgements or predictions that were read: the canonical frame and what there is to say about it."""

    frame: pl.DataFrame
    format: str
    notes: tuple[str, ...] = ()
    tag: str | None = None  # the system's name inside a run
    position: Position | None = None  # names a row of predictions by its line
    empty: tuple[str, ...] = ()  # queries of a run whose list is there and empty
    is_listed: bool = False  # whether scores are only places in lists, which say nothing beside other lists
    sides: BothSides | None = None  # where the file holds judgements and run, both of them


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller said about the file."""

    columns: Mapping[str, str] | None = None
    groups: Path | None = None  # LETOR: rows per query


class Content(ABC):
    """What a file holds, as its format gives it: columns, records, or rows by their keys."""

    where: str = ""
    """How errors call it."""
    file: Source | None = None
    """What it is read from, which may be there only as long as somebody knows it."""
    notes: tuple[str, ...] = ()
    """What was recognised or repaired."""

    def read(self) -> pl.DataFrame:
        """Its columns in memory."""
        with reading(self.where, explained=self.explained):
            return self.lazy().collect()

    @abstractmethod
    def lazy(self) -> pl.LazyFrame:
        """Columns under the names of the file, unread where that can be."""

    def explained(self) -> InputError | None:
        """Why rows that were scanned could not be read, with their lines; None where nobody knows."""
        return None


@dataclass(eq=False)
class Columns(Content):
    """Columns, in memory or scanned."""

    frame: pl.DataFrame | pl.LazyFrame
    notes: tuple[str, ...] = ()
    position: Position | None = None
    """How a row is called, where it has a line."""
    is_text: bool = False
    """Whether the file knows no types, so that every value is a text."""
    has_header: bool = True
    """Whether columns have names of their own; else they are `column_1`, `column_2` and so on."""
    explain: Callable[[], InputError | None] | None = None

    @property
    def names(self) -> list[str]:
        return self.frame.lazy().collect_schema().names()

    def lazy(self) -> pl.LazyFrame:
        return self.frame.lazy()

    def explained(self) -> InputError | None:
        return self.explain() if self.explain is not None else None


class Records(Content):
    """Records one after the other, each with its place in the file; their names may differ."""

    has_header: bool = True
    names: Sequence[str] = ()
    """Of columns, where all records have the same."""

    @abstractmethod
    def each(self) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        """Place and record, such as `line 7` and its object."""

    def chosen(
        self, key: Callable[[Mapping[str, Any], Place], str], is_wanted: Callable[[Any, Place], bool]
    ) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        """Those whose key is wanted, and perhaps others: a format that can pass over the others does.

        `key` says in which field of a record its key is, `is_wanted` whether a key in a place of the file is wanted.
        """
        return self.each()

    def lazy(self) -> pl.LazyFrame:
        import polars as pl

        records = [record for _, record in self.each()]
        names = dict.fromkeys(name for record in records for name in record)
        return pl.DataFrame([_column(n, [record.get(n) for record in records]) for n in names]).lazy()


def _column(name: str, values: list[Any]) -> pl.Series:
    """Values of records; lists and objects as Polars has them, where it can."""
    import polars as pl

    from rankgauge.data._cast import from_objects

    found = from_objects(name, values)
    if found.dtype == pl.Object:
        with suppress(pl.exceptions.PolarsError, TypeError, OverflowError):
            return pl.Series(name, values, strict=True)
    return found


@dataclass(eq=False)
class Keyed(Content):
    """A row for each key, such as `{"d1": {"title": …, "text": …}}`."""

    rows: Mapping[Any, Any]

    def lazy(self) -> pl.LazyFrame:
        raise InputError(
            Text(
                f"{self.where} must hold rows: a list of objects, or one on each line; got one object.",
                f"{zh(self.where)} 必须包含多行：对象的列表，或每行一个对象；实际只有一个对象。",
            )
        )


@dataclass(frozen=True, slots=True)
class Format:
    """One format. A module here that registers one is all that a new format needs."""

    name: str
    suffixes: tuple[str, ...]
    matches: Callable[[Source], bool]  # does the content look like this format?
    read: Callable[[Source, Options], Loaded] | None = None  # where it has a way of its own
    write: Callable[[pl.DataFrame, BinaryIO, Kind, str], None] | None = None
    kinds: tuple[str, ...] = ()  # of tables that it can hold; all, where it can be opened
    open: Callable[[Source], Content] | None = None
    plain: Callable[[Source], tuple[Any, Position | None]] | None = None  # as Python has it, if it may hold both sides
    order: int = 50  # in which contents are compared: the most particular format first
    is_particular: bool = False  # its content cannot be taken for another one's: it goes before what the suffix says
    spark: str = ""  # what Spark calls it, where Spark reads it

    def holds(self, kind: str) -> bool:
        """Whether a table of this kind can be in it."""
        return kind in (self.kinds or RANKED) if self.kinds or self.open is None else True

    def loaded(self, source: Source, options: Options) -> Loaded:
        """A run, judgements or predictions."""
        if source.kind in SIDES and (both := self.both_sides(source, options)) is not None:
            return self._one_side(both, source)
        if self.read is not None:
            return self.read(source, options)
        content = self.opened(source)
        frame = content.frame if isinstance(content, Columns) else content.lazy()
        position = content.position if isinstance(content, Columns) else None
        is_text = isinstance(content, Columns) and content.is_text
        with reading(source.where, self.name, content.explained):
            kind: Any = source.kind
            lists = unlisted(kind, frame, options.columns, source.where, position)
            if lists is not None:
                table, more = canonical(kind, lists.frame, lists.columns, source.where, lists.position)
                found = loaded(table, self.name, content.notes + lists.notes + more)
                return replace(found, empty=lists.empty if kind == "run" else ())
            table, notes = canonical(kind, frame, options.columns, source.where, position, is_text=is_text)
        return loaded(table, self.name, content.notes + notes, position)

    def both_sides(self, source: Source, options: Options) -> BothSides | None:
        """Judgements and run, where the file holds both."""
        if self.plain is None:
            return None
        obj, position = self.plain(source)
        return split(obj, source.where, columns=options.columns, position=position)

    def _one_side(self, both: BothSides, source: Source) -> Loaded:
        from rankgauge.data.qrels import Qrels
        from rankgauge.data.run import Run

        table = (Run if source.kind == "run" else Qrels).from_dict(both.of(source.kind), name=source.where)
        frame = table.results() if isinstance(table, Run) else table.to_frame()
        is_listed = not all(isinstance(entry, Mapping) for entry in both.retrieved.values())
        empty = tuple(table.empty_lists)
        return Loaded(frame, self.name, both.notes + table.notes, empty=empty, is_listed=is_listed, sides=both)

    def opened(self, source: Source) -> Content:
        """What the file holds; errors say that it was taken for this format."""
        assert self.open is not None
        with reading(source.where, self.name):
            content = self.open(source)
        content.where, content.file = source.where, source
        return content


REGISTRY: dict[str, Format] = {}
"""All formats, in the order in which contents are compared."""


def register(*formats: Format) -> None:
    """Make formats known; called by the module that defines them."""
    known = sorted((*REGISTRY.values(), *formats), key=lambda f: f.order)
    REGISTRY.clear()
    REGISTRY.update({f.name: f for f in known})


def loaded(frame: pl.DataFrame, format_: str, notes: tuple[str, ...] = (), position: Position | None = None) -> Loaded:
    """Move the `tag` column of a run out of its frame."""
    is_listed = RANKED_BY_ROWS in notes or RANKED_BY_LISTS in notes
    if "tag" not in frame.columns:
        return Loaded(frame, format_, notes, position=position, is_listed=is_listed)
    tags = frame.get_column("tag").drop_nulls()
    first = str(tags[0]) if len(tags) else None
    if len(tags) and not (tags == first).all():
        notes += (
            Text(f"several run tags; using the first, {show(first)}", f"有多个 run tag，使用第一个 {show(first)}"),
        )
    return Loaded(frame.drop("tag"), format_, notes, first, is_listed=is_listed)
