"""Folders of files that belong together: parts of one run, one file per day, what a job wrote.

Every file is read as it would be alone. Names that begin with a dot or an underscore are left out, as Spark,
Hive and Arrow do; so are files that hold no table and do not claim to (`README.md`), and a note names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge.data._places import Place, within
from rankgauge.data.any_table import reading
from rankgauge.data.formats.base import REGISTRY, Columns, Content, Format, Loaded, Options, Records, register
from rankgauge.data.formats.opening import Source, matched, open_source, visible
from rankgauge.errors import InputError

if TYPE_CHECKING:
    from rankgauge.data.columns import Kind

__all__ = ["FORMAT", "files_of", "left_out", "loaded_together", "read_each", "sorted_out", "together"]


def files_of(path: Path) -> list[Path]:
    """The files of a folder that is no BEIR folder, or those of a pattern such as `runs/*.run`; else none."""
    if path.is_dir():
        from rankgauge.data.formats import beir

        return [] if beir.matches(Source(path, "run")) else visible(path)
    return matched(path)


def sorted_out(files: Sequence[Path], kind: str) -> tuple[list[Path], list[Path]]:
    """The files to read, and those to leave out: under a suffix of no format, with a content of none either."""
    from rankgauge.data.formats import detect

    known = {"", *(suffix for f in REGISTRY.values() for suffix in f.suffixes)}
    kept: list[Path] = []
    others: list[Path] = []
    for file in files:
        source = Source(file, kind)
        if source.suffix not in known:
            try:
                detect(open_source(file, kind))
            except InputError:
                others.append(file)
                continue
        kept.append(file)
    return kept, others


def _as_one(files: Sequence[Path]) -> Text:
    """The note on files that are read together."""
    n = len(files)
    return Text(f"read {n:,} file{'s' if n > 1 else ''} as one", f"把 {n:,} 个文件作为一份读取")


def left_out(files: Sequence[Path]) -> tuple[str, ...]:
    """The note on files that are not read."""
    if not files:
        return ()
    n, some = len(files), show_all([f.name for f in files[:3]]) + (", …" if len(files) > 3 else "")
    return (
        Text(
            f"left out {n:,} file{'s' if n > 1 else ''} of the folder without a table: {some}",
            f"略去文件夹中 {n:,} 个不含数据表的文件：{some}",
        ),
    )


def read_each(files: Sequence[Path], kind: Kind, columns: Mapping[str, str] | None, where: str) -> Iterator[Loaded]:
    """The files one after the other; an error where a query of a run has results in two that know only places."""
    from rankgauge.data.formats import read

    first: dict[str, tuple[Path, bool]] = {}
    for file in files:
        part = read(file, kind, columns=columns)
        if part.sides is not None and len(files) > 1:
            raise InputError(
                Text(
                    f"{where}: {show(file.name)} holds judgements and results, and belongs to no other file. Pass it "
                    "by its own name.",
                    f"{zh(where)}：{show(file.name)} 同时含有标注和结果，不能与其他文件合并。请单独传入该文件。",
                )
            )
        for query in part.frame.get_column("query_id").unique(maintain_order=True) if kind == "run" else ():
            before, is_listed = first.setdefault(query, (file, part.is_listed))
            if before is not file and (is_listed or part.is_listed):
                raise InputError(
                    Text(
                        f"{where}: query {show(query)} is in {show(before.name)} and in {show(file.name)}, and has no "
                        "scores to put their results in order. Keep one of the lists, or add scores.",
                        f"{zh(where)}：查询 {show(query)} 同时出现在 {show(before.name)} 和 {show(file.name)} 中，"
                        "没有得分就无法合并排序。请只保留一个列表，或加上得分。",
                    )
                )
        yield part


def _matches(source: Source) -> bool:
    return not source.path.is_file() and bool(files_of(source.path))


def _tables(source: Source) -> tuple[list[Path], tuple[str, ...]]:
    """The files that are read, and what there is to say about them."""
    found = files_of(source.path)
    if not found:
        raise source.error(Text("is a folder without files.", "是空文件夹。"))
    files, others = sorted_out(found, source.kind)
    if not files:
        raise source.error(
            Text(
                f"is a folder without a table. Found: {show_all([f.name for f in others[:8]])}.",
                f"是没有表的文件夹。找到：{zh(show_all([f.name for f in others[:8]]))}。",
            )
        )
    return files, (_as_one(files), *left_out(others))


def _read(source: Source, options: Options) -> Loaded:
    files, notes = _tables(source)
    return loaded_together(files, source.kind, options.columns, source.where, notes)


def loaded_together(
    files: Sequence[Path], kind: Kind, columns: Mapping[str, str] | None, where: str, notes: tuple[str, ...] = ()
) -> Loaded:
    """Files as one run, as judgements or predictions; with the columns that all of them have."""
    parts = list(read_each(files, kind, columns, where))
    shared = [c for c in parts[0].frame.columns if all(c in part.frame.columns for part in parts)]
    try:
        frame = pl.concat([part.frame.select(shared) for part in parts], how="vertical_relaxed")
    except pl.exceptions.PolarsError as e:
        raise InputError(
            Text(
                f"{where}: its files do not fit together: {str(e).partition(chr(10))[0]}.",
                f"{zh(where)}：其中的文件无法合并：{str(e).partition(chr(10))[0]}。",
            )
        ) from e
    more = dict.fromkeys(n for part in parts for n in part.notes)
    tag = next((part.tag for part in parts if part.tag), None)
    empty = tuple(dict.fromkeys(q for part in parts for q in part.empty))
    return Loaded(frame, FORMAT.name, (*notes, *more), tag, empty=empty)


def _open(source: Source) -> Content:
    files, notes = _tables(source)
    return together(files, source.kind, source.where, notes)


def together(files: Sequence[Path], kind: str, where: str, notes: tuple[str, ...] = ()) -> Content:
    """Files as one table, which has the columns of all of them."""
    from rankgauge.data.formats import open_file

    parts = [open_file(file, kind) for file in files]
    more = tuple(dict.fromkeys(note for part in parts for note in part.notes))
    if len(parts) == 1:
        found = parts[0]
    elif len(records := [part for part in parts if isinstance(part, Records)]) == len(parts):
        found = _Several(records, where)
    else:
        found = Columns(_joined(parts, where), explain=lambda: _explained(parts))
    found.notes = notes + more
    return found


@dataclass(eq=False)
class _Several(Records):
    """Records of several files, one file after the other."""

    parts: Sequence[Records]
    called: str

    def __post_init__(self) -> None:
        self.has_header, self.names = self.parts[0].has_header, self.parts[0].names

    def each(self) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        return chain.from_iterable(_placed(part, part.each()) for part in self.parts)

    def chosen(
        self, key: Callable[[Mapping[str, Any], Place], str], is_wanted: Callable[[Any, Place], bool]
    ) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        return chain.from_iterable(_placed(part, part.chosen(key, is_wanted)) for part in self.parts)

    def lazy(self) -> pl.LazyFrame:
        return _joined(self.parts, self.called)


def _placed(
    part: Content, records: Iterator[tuple[Place, Mapping[str, Any]]]
) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """With the name of the file before the place in it."""
    name = show(part.file.path.name) if part.file is not None else ""
    return ((partial(_in_file, name, place), record) for place, record in records)


def _in_file(name: str, place: Place) -> str:
    return within(name, place())


def _joined(parts: Sequence[Content], where: str) -> pl.LazyFrame:
    with reading(where):
        frame = pl.concat([part.lazy() for part in parts], how="diagonal_relaxed")
        frame.collect_schema()
    return frame


def _explained(parts: Sequence[Content]) -> InputError | None:
    return next((error for part in parts if (error := part.explained()) is not None), None)


FORMAT = Format("folder", (), _matches, _read, open=_open, order=40)
register(FORMAT)
