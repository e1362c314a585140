"""Parquet files, folders of Parquet files, and Arrow IPC (Feather) files and streams."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import polars as pl

from rankgauge.data.columns import Kind
from rankgauge.data.formats.base import Format, Loaded, Options, loaded
from rankgauge.data.formats.opening import Source, matched, visible
from rankgauge.data.frames import canonical
from rankgauge.errors import InputError

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


def only_parquet(path: Path, kind: Kind) -> tuple[list[Path], tuple[str, ...]]:
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
    return bool(only_parquet(source.path, source.kind)[0])


def _is_arrow(source: Source) -> bool:
    return source.head.startswith((b"ARROW1", b"\xff\xff\xff\xff"))


def _read_parquet(source: Source, options: Options) -> Loaded:
    if not source.path.is_file():
        files = parquet_files(source.path)
        if not files:
            raise source.error("is a folder without .parquet files.")
        notes = only_parquet(source.path, source.kind)[1]
        found = _read(source, options, "parquet", lambda: scan_files(source.path, files))
        return replace(found, notes=notes + found.notes)
    if source.compression:
        return _read(source, options, "parquet", lambda: pl.read_parquet(io.BytesIO(source.data())))
    return _read(source, options, "parquet", lambda: pl.scan_parquet(source.path, glob=False))


def _read_arrow(source: Source, options: Options) -> Loaded:
    reader = pl.read_ipc if source.head.startswith(b"ARROW1") else pl.read_ipc_stream
    return _read(source, options, "arrow", lambda: reader(io.BytesIO(source.data())))


def _read(source: Source, options: Options, name: str, open_: Callable[[], pl.DataFrame | pl.LazyFrame]) -> Loaded:
    try:
        frame, notes = canonical(source.kind, open_(), options.columns, source.where)
    except (pl.exceptions.PolarsError, OSError) as e:
        reason = str(e).partition("\n")[0]
        raise InputError(f"{source.where} cannot be read as {name}: {reason}.") from e
    except pl.exceptions.PanicException as e:  # what its reader did not expect; Arrow files have no checksums
        raise InputError(f"{source.where} cannot be read as {name}: it is damaged.") from e
    return loaded(frame, name, notes)


def _write_parquet(frame: pl.DataFrame, file: BinaryIO, kind: Kind, tag: str) -> None:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    file.write(buffer.getbuffer())


def _write_arrow(frame: pl.DataFrame, file: BinaryIO, kind: Kind, tag: str) -> None:
    buffer = io.BytesIO()
    frame.write_ipc(buffer)
    file.write(buffer.getbuffer())


PARQUET = Format("parquet", (".parquet", ".pq"), _is_parquet, _read_parquet, _write_parquet)
ARROW = Format("arrow", (".arrow", ".feather", ".ipc"), _is_arrow, _read_arrow, _write_arrow)
