"""Lines of a text file that say something, with their numbers, whatever the white space looks like."""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data.formats.opening import Source
from rankgauge.errors import InputError

__all__ = ["BLANK", "Lines", "is_number", "refused_return", "significant_lines", "stray_return"]

BLANK = r"[ \t\r\n\f\v]"
_BLANKS_TO_SPACE = bytes.maketrans(b"\t\r\f\v", b"    ")
_CR_INSIDE = re.compile(rb"[^\r\n]{0,20}\r+[^\r\n][^\r\n]{0,20}")
_PIECE = 1 << 28  # a single text value of Polars must stay below 4 GB
_NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity|nan)", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines with exactly one blank between fields; `number` counts lines of the file from 1."""

    text: pl.Series
    number: pl.Series
    notes: tuple[str, ...]


def is_number(text: str) -> bool:
    """Would a reader take this text for a number? (`1e-5`, `.5`, `nan`, `-inf`; not `1_000` or `0x1`.)"""
    return _NUMBER.fullmatch(text) is not None


def significant_lines(source: Source) -> Lines:
    """Every line but blank ones and comments, in file order, white space squeezed."""
    source.text()  # raises on anything but UTF-8 text
    data = source.data()
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    elif (stray := stray_return(data)) is not None:
        raise refused_return(source, *stray)
    data = data.translate(_BLANKS_TO_SPACE)
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    lines = pl.DataFrame({"text": _split(data)}).with_row_index("number", offset=1)
    lines = lines.with_columns(pl.col("text").str.strip_chars(" ")).filter(pl.col("text") != "")
    is_comment = pl.col("text").str.starts_with("#")
    kept = lines.filter(~is_comment)
    skipped = lines.height - kept.height
    note = Text(f"skipped {skipped:,} comment line{'s' if skipped > 1 else ''}", f"跳过 {skipped:,} 行注释")
    return Lines(kept["text"], kept["number"], (note,) if skipped else ())


def stray_return(data: bytes) -> tuple[int, str] | None:
    """The first carriage return that stands inside a line, by its line and what is around it."""
    if b"\r" not in data or (stray := _CR_INSIDE.search(data)) is None:
        return None
    return data.count(b"\n", 0, stray.start()) + 1, stray[0].decode(errors="replace")


def refused_return(source: Source, line: int, got: str) -> InputError:
    """A carriage return inside a line: a line end that was lost, or a letter that nobody sees."""
    return source.error(
        Text(
            f"line {line}: a carriage return must stand at the end of a line, got {show(got)}. "
            "Where it ends one, write a line feed: tr '\\r' '\\n' < in > out",
            f"第 {line} 行：回车符只能出现在行尾，实际为 {show(got)}。如果它本来就表示换行，请改成换行符："
            "tr '\\r' '\\n' < in > out",
        )
    )


def _split(data: bytes) -> pl.Series:
    pieces: list[pl.Series] = []
    start = 0
    while start <= len(data):
        end = data.find(b"\n", start + _PIECE) if len(data) - start > _PIECE else len(data)
        end = len(data) if end < 0 else end
        pieces.append(pl.Series([data[start:end].decode()]).str.split("\n").explode())
        start = end + 1
    return pl.concat(pieces)
