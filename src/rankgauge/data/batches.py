"""Tables that may be larger than memory: canonical frames, one piece after the other, as often as asked.

a Parquet file, a folder of them (also nested, as Spark and Hive write it), a pattern such as `runs/*.parquet`
a folder of other files: one file at a time
a lazily scanned Polars frame
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._forked import refuse_fork
from rankgauge._piped import path_of
from rankgauge._text import Text
from rankgauge.data._places import named
from rankgauge.data.any_table import reading
from rankgauge.data.both_sides import SIDES, has_both_names
from rankgauge.data.columns import Kind, own_columns, recognise
from rankgauge.data.frames import canonical, row
from rankgauge.data.listed import Listing, listing, lists_in
from rankgauge.data.table import stem

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Batches", "batches_of"]

_LOOKED_AT = 1000  # rows that tell how wide the others are
_GROWTH = 6  # text files, most of them compressed, take about so many times their size in memory
_UNUSED = ("rank", "tag")  # of a run that has scores


@dataclass(frozen=True, eq=False)
class Batches:
    """The rows of one run, of judgements or of predictions, in pieces."""

    kind: Kind
    name: str
    size: int | None
    """Bytes that the columns in use take in memory, about; None where only reading would tell."""
    told: tuple[str, ...]
    """How columns were read, as far as it is known beforehand."""
    _open: Callable[[int], Iterator[pl.DataFrame]]
    rows: int | None = None
    """How many rows there are, where only reading would tell: None."""
    where: str = ""
    """How the table is called in errors."""
    seen: list[str] = field(default_factory=list)
    """What reading its parts had to say."""
    empty: tuple[str, ...] = ()
    """Queries of a run whose list is there and empty, which rows cannot say."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was recognised or repaired; of parts that were read."""
        return tuple(dict.fromkeys((*self.told, *self.seen)))

    @classmethod
    def of_frame(
        cls, frame: pl.DataFrame, kind: Kind, name: str, notes: tuple[str, ...] = (), empty: Sequence[str] = ()
    ) -> Batches:
        """A canonical frame that is in memory already."""

        def read(rows: int) -> Iterator[pl.DataFrame]:
            return (frame.slice(start, rows) for start in range(0, frame.height, rows))

        return cls(kind, name, int(frame.estimated_size()), notes, read, frame.height, empty=tuple(empty))

    def frames(self, rows: int) -> Iterator[pl.DataFrame]:
        """Canonical frames of about so many rows, in the order of the table; each call starts again."""
        return self._open(rows)


def batches_of(obj: Any, kind: Kind, columns: Mapping[str, str] | None = None, name: str = "") -> Batches | None:
    """A table that can be read in pieces, or None for one that is in memory or has to be read at once."""
    if type(obj).__module__.partition(".")[0] == "polars" and type(obj).__name__ == "LazyFrame":
        if _holds_both(obj, kind):
            return None
        return _scanned(obj, kind, columns, name or kind, name or kind, None)
    if not isinstance(obj, (str, PathLike)):
        return None
    path = path_of(obj)
    if _is_other_file(path):
        return None
    where = named(kind, path.name)
    refuse_fork(Text(f"reading {where}", f"读取 {where.zh}"))
    from rankgauge.data.formats.columnar import only_parquet, scan_files
    from rankgauge.data.formats.folder import files_of, left_out, sorted_out

    name = name or stem(path)
    files, notes = only_parquet(path, kind)
    if files:
        frame = scan_files(path, files)
        with reading(where):
            if path.is_file() and _holds_both(frame, kind):
                return None
            height = frame.select(_length()).collect().item()
        found = _scanned(frame, kind, columns, where, name, height)
        return replace(found, told=notes + found.told)
    if files := files_of(path):
        kept, others = sorted_out(files, kind)
        return _in_files(kept, kind, columns, where, name, left_out(others)) if kept else None
    return None


def _holds_both(frame: pl.LazyFrame, kind: Kind) -> bool:
    """A list for each query on both sides: read at once, and taken apart."""
    return kind in SIDES and has_both_names(frame.collect_schema().names())


def _is_other_file(path: Path) -> bool:
    """A single file that is not Parquet. Told here, because the formats load Polars, which plain text does without."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) != b"PAR1"


def _scanned(
    frame: pl.LazyFrame, kind: Kind, columns: Mapping[str, str] | None, where: str, name: str, height: int | None
) -> Batches:
    with reading(where):
        names = frame.collect_schema().names()
        if (lists := listing(kind, names, lists_in(frame, names), columns, where)) is not None:
            return _listed(frame, lists, name, height)
        # results in the order of rows cannot be told from a piece
        chosen = recognise(names, kind, columns, where, may_be_bare=kind == "qrels")
        own = own_columns(columns, names, kind, where)
        has_scores = "score" in chosen.source or "distance" in chosen.source
        needed = [n for role, n in chosen.source.items() if role not in _UNUSED or not has_scores]
        frame = frame.select(list(dict.fromkeys(needed)))
        size = None
        if height is not None:
            some = frame.head(_LOOKED_AT).collect()
            text = 16 * sum(t == "String" for t in map(str, some.dtypes))  # a view of each text beside its letters
            size = int((some.estimated_size() / max(some.height, 1) + text) * height)
    asked = {column: role for column, role in own.items() if column in needed}

    def read(rows: int) -> Iterator[pl.DataFrame]:
        start = 0
        with reading(where):
            for piece in frame.collect_batches(chunk_size=rows, maintain_order=True):
                yield canonical(kind, piece, asked, where, _counted_from(start))[0]
                start += piece.height

    return Batches(kind, name, size, chosen.notes, read, height, where)


def _listed(frame: pl.LazyFrame, lists: Listing, name: str, height: int | None) -> Batches:
    """A list for each query: some lists at a time, each whole."""
    import polars as pl

    kind, where = lists.kind, lists.where
    frame = frame.select(lists.chosen(frame.collect_schema()))
    with reading(where):
        whose = frame.select(pl.len() if lists.whose is None else lists.whose).collect().to_series()
        if lists.whose is not None:
            lists.refuse_several(whose, row)
        some = frame.head(_LOOKED_AT).collect()
        one_each, position = lists.rows(some, row)
        flat, notes = canonical(kind, one_each, lists.columns, where, position)
        length = max(flat.height / max(some.height, 1), 1.0)
        rows = int(length * len(whose))
        empty = lists.empty(frame.filter(pl.col(lists.items).list.len().fill_null(0) == 0).collect())
    size = None if height is None else int(flat.estimated_size() / max(flat.height, 1) * rows)

    def read(rows: int) -> Iterator[pl.DataFrame]:
        start = 0
        with reading(where):
            for piece in frame.collect_batches(chunk_size=max(int(rows / length), 1), maintain_order=True):
                one_each, position = lists.rows(piece, _counted_from(start))
                yield canonical(kind, one_each, lists.columns, where, position)[0]
                start += piece.height

    told = tuple(dict.fromkeys((*lists.notes, *notes)))
    return Batches(kind, name, size, told, read, rows, where, empty=empty if kind == "run" else ())


def _in_files(
    files: list[Path],
    kind: Kind,
    columns: Mapping[str, str] | None,
    where: str,
    name: str,
    told: tuple[str, ...],
) -> Batches:
    from rankgauge.data.formats.folder import read_each

    size = sum(f.stat().st_size for f in files) * _GROWTH

    seen: list[str] = []

    def read(rows: int) -> Iterator[pl.DataFrame]:
        for part in read_each(files, kind, columns, where):
            seen.extend(note for note in part.notes if note not in seen)
            frame = part.frame.drop(*_UNUSED, strict=False)
            for start in range(0, frame.height, rows):
                yield frame.slice(start, rows)

    return Batches(kind, name, size, told, read, where=where, seen=seen)


def _counted_from(start: int) -> Callable[[int], str]:
    return lambda i: row(start + i)


def _length() -> pl.Expr:
    import polars as pl

    return pl.len()
