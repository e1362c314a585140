"""Folders of files that belong together: parts of one run, one file per day, what a job wrote.

Every file is read as it would be alone. Names that begin with a dot or an underscore are left out, as Spark,
Hive and Arrow do.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from rankgauge._text import Text
from rankgauge.data.formats.base import Format, Loaded, Options
from rankgauge.data.formats.text import Source, matched, visible
from rankgauge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rankgauge.data.columns import Kind

__all__ = ["FORMAT", "files_of", "read_file"]


def files_of(path: Path) -> list[Path]:
    """The files of a folder that is no BEIR folder, or those of a pattern such as `runs/*.run`; else none."""
    if path.is_dir():
        from rankgauge.data.formats import beir

        return [] if beir.matches(Source(path, "run")) else visible(path)
    return matched(path)


def read_file(path: Path, kind: Kind, columns: Mapping[str, str] | None) -> Loaded:
    """One of the files."""
    from rankgauge.data.formats import read

    return read(path, kind, columns=columns)


def _matches(source: Source) -> bool:
    return not source.path.is_file() and bool(files_of(source.path))


def _read(source: Source, options: Options) -> Loaded:
    files = files_of(source.path)
    if not files:
        raise source.error("is a folder without files.")
    parts = [read_file(file, source.kind, options.columns) for file in files]
    shared = [c for c in parts[0].frame.columns if all(c in part.frame.columns for part in parts)]
    try:
        frame = pl.concat([part.frame.select(shared) for part in parts], how="vertical_relaxed")
    except pl.exceptions.PolarsError as e:
        raise InputError(f"{source.where}: its files do not fit together: {str(e).partition(chr(10))[0]}.") from e
    note = Text(f"read {len(files):,} files as one", f"把 {len(files):,} 个文件作为一份读取")
    notes = dict.fromkeys(n for part in parts for n in part.notes)
    tag = next((part.tag for part in parts if part.tag), None)
    return Loaded(frame, FORMAT.name, (note, *notes), tag)


FORMAT = Format("folder", (), _matches, _read)
