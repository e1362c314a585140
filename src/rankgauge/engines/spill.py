"""Rows set aside on disk, in numbered buckets.

The files have no names: they are gone when the spill is closed, and when the process ends, however it ends.
They lie where `tempfile` puts its files; the environment variable TMPDIR chooses another disk.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Self

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.errors import InputError, reason

if TYPE_CHECKING:
    import polars as pl

__all__ = ["MOST_BUCKETS", "Spill"]

MOST_BUCKETS = 256  # each is an open file


class Spill:
    """Frames in buckets; the rows of a bucket come back in the order in which they were added."""

    def __init__(self, n_buckets: int) -> None:
        self._files: list[IO[bytes]] = [tempfile.TemporaryFile() for _ in range(n_buckets)]  # noqa: SIM115
        self._pieces: list[list[int]] = [[] for _ in range(n_buckets)]
        self.rows = [0] * n_buckets
        """How many rows each bucket has."""

    def __len__(self) -> int:
        return len(self._files)

    def add(self, frame: pl.DataFrame, bucket: pl.Series) -> None:
        """Each row into its bucket."""
        for (i,), rows in (
            frame.with_columns(bucket.alias(""))
            .partition_by("", as_dict=True, include_key=False, maintain_order=True)
            .items()
        ):
            self.append(rows, int(i))

    def append(self, frame: pl.DataFrame, i: int) -> None:
        """All rows into one bucket."""
        buffer = io.BytesIO()
        frame.write_ipc_stream(buffer, compression="lz4")
        try:
            self._files[i].seek(0, io.SEEK_END)
            self._files[i].write(buffer.getbuffer())
        except OSError as e:
            raise InputError(
                Text(
                    f"no room to set rows aside in {show(tempfile.gettempdir())}: {reason(e)}. "
                    "Let TMPDIR name a folder on a larger disk.",
                    f"{show(tempfile.gettempdir())} 中没有空间暂存数据：{zh(reason(e))}。请让 TMPDIR "
                    "指向更大磁盘上的文件夹。",
                )
            ) from e
        self._pieces[i].append(buffer.getbuffer().nbytes)
        self.rows[i] += frame.height

    def pieces(self, i: int) -> Iterator[pl.DataFrame]:
        """The rows of a bucket as they were added, one frame after the other."""
        import polars as pl

        start = 0
        for size in self._pieces[i]:
            self._files[i].seek(start)
            yield pl.read_ipc_stream(io.BytesIO(self._files[i].read(size)))
            start += size

    def bucket(self, i: int) -> pl.DataFrame | None:
        """All rows of a bucket, or None where it has none."""
        import polars as pl

        found = list(self.pieces(i))
        return pl.concat(found, rechunk=True) if found else None

    def drop(self, i: int) -> None:
        """Give the room of a bucket back."""
        self._files[i].seek(0)
        self._files[i].truncate()
        self._pieces[i].clear()

    def close(self) -> None:
        for file in self._files:
            file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *why: object) -> None:
        self.close()
