"""Parquet files, folders of Parquet files, and Arrow IPC (Feather) files and streams."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl

from rankgauge._text import Text
from rankgauge.data.both_sides import has_both_names
from rankgauge.data.columns import Kind
from rankgauge.data.formats.base import Columns, Format, register
from rankgauge.data.formats.opening import Source, matched, visible

__all__ = ["ARROW", "PARQUET", "only_parquet", "parquet_files", "scan_files"]


def parquet_files(path: Path) -> list[Path]:
    """The Parquet files that a path stands for: itself, those of a folder, those of a pattern; else none."""
    if path.is_dir():
        return visible(path, "*.parquet")
    if path.is_file():
        with path.open("rb") as file:
            return [path] if file.read(4) == b"PAR1" else []
    return [p for p in matched(path) if p.suffix == ".parquet"]


def scan_files(path: Path, files: list[Path]) -> pl.LazyFrame:
    """Several Parquet files as one table; `day=2026-11-01` in the names of folders is a column."""
    inside = [p.relative_to(path).parts[:-1] for p in files] if path.is_dir() else []
    return pl.scan_parquet(files, glob=False, hive_partitioning=any("=" in part for parts in inside for part in parts))


def only_parquet(path: Path, kind: str) -> tuple[list[Path], tuple[str, ...]]:
    """The Parquet files that a path stands for where nothing else holds a table, and a note on the other files."""
    from rankgauge.data.formats.folder import left_out, sorted_out

    files = parquet_files(path)
    if not files or path.is_file():
        return files, ()
    around = visible(path) if path.is_dir() else matched(path)
    tables, others = sorted_out([f for f in around if f.suffix != ".parquet"], kind)
    return ([], ()) if tables else (files, left_out(others))


def _is_parquet(source: Source) -> bool:
    if source.path.is_file():
        return source.head.startswith(b"PAR1")
    # parts of a log may differ in their columns, so that a folder of them is read part by part
    return not source.expected.is_scanned and bool(only_parquet(source.path, source.kind)[0])


def _is_arrow(source: Source) -> bool:
    return source.head.startswith((b"ARROW1", b"\xff\xff\xff\xff"))


def _open_parquet(source: Source) -> Columns:
    if not source.path.is_file():
        if not (files := parquet_files(source.path)):
            raise source.error(Text("is a folder without .parquet files.", "是没有 .parquet 文件的文件夹。"))
        return _looked_at(scan_files(source.path, files), only_parquet(source.path, source.kind)[1])
    if source.compression:
        return Columns(pl.read_parquet(io.BytesIO(source.data())))
    return _looked_at(pl.scan_parquet(source.path, glob=False))


def _open_arrow(source: Source) -> Columns:
    if not source.head.startswith(b"ARROW1"):
        return Columns(pl.read_ipc_stream(io.BytesIO(source.data())))
    if source.compression or not source.expected.is_scanned:
        return Columns(pl.read_ipc(io.BytesIO(source.data())))
    return _looked_at(pl.scan_ipc(source.path, glob=False))


def _looked_at(frame: pl.LazyFrame, notes: tuple[str, ...] = ()) -> Columns:
    """A scanned file says what is wrong with it only when it is looked at."""
    frame.collect_schema()
    return Columns(frame, notes)


def _plain(source: Source) -> tuple[Any, None]:
    """Columns of lists, where there are two of the right names; a run larger than memory has none."""
    if not source.path.is_file():
        return None, None
    content = (PARQUET if _is_parquet(source) else ARROW).opened(source)
    return (content.read() if isinstance(content, Columns) and has_both_names(content.names) else None), None


def _write_parquet(frame: pl.DataFrame, file: BinaryIO, kind: Kind, tag: str) -> None:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    file.write(buffer.getbuffer())


def _write_arrow(frame: pl.DataFrame, file: BinaryIO, kind: Kind, tag: str) -> None:
    buffer = io.BytesIO()
    frame.write_ipc(buffer)
    file.write(buffer.getbuffer())


PARQUET = Format(
    "parquet",
    (".parquet", ".pq"),
    _is_parquet,
    write=_write_parquet,
    open=_open_parquet,
    plain=_plain,
    order=10,
    spark="parquet",
)
ARROW = Format(
    "arrow", (".arrow", ".feather", ".ipc"), _is_arrow, write=_write_arrow, open=_open_arrow, plain=_plain, order=20
)
register(PARQUET, ARROW)
