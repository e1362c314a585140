"""Parquet files, folders of Parquet files, and Arrow IPC (Feather) files and streams."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import BinaryIO

import polars as pl

from rankgauge.data.columns import Kind
from rankgauge.data.formats.base import Format, Loaded, Options, loaded
from rankgauge.data.formats.text import Source
from rankgauge.data.frames import canonical
from rankgauge.errors import InputError

__all__ = ["ARROW", "PARQUET"]


def _is_parquet(source: Source) -> bool:
    if source.path.is_dir():
        return next(source.path.glob("*.parquet"), None) is not None
    return source.head.startswith(b"PAR1")


def _is_arrow(source: Source) -> bool:
    return source.head.startswith((b"ARROW1", b"\xff\xff\xff\xff"))


def _read_parquet(source: Source, options: Options) -> Loaded:
    if source.path.is_dir():
        files = sorted(source.path.glob("*.parquet"))
        if not files:
            raise source.error("is a folder without .parquet files.")
        return _read(source, options, "parquet", lambda: pl.scan_parquet(files, glob=False))
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
