"""Ids with blanks around them, or with marks that nobody sees: the same id without them is another one.

They are ids as they stand, and are taken as such; it is said, since they meet nothing on the other side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rankgauge._show import show
from rankgauge._text import Text

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.table import Table

__all__ = ["odd_ids_of", "said_of_odd"]

_MARKS = r"\x{ad}\x{200b}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2060}-\x{2069}\x{feff}"
_ODD = rf"^\s|\s$|[\p{{Cc}}{_MARKS}]"
_ODD_OF_PYTHON = re.compile(
    r"^\s|\s$|[\x00-\x1f\x7f-\x9f" + re.sub(r"\\x{(\w+)}", lambda m: chr(int(m[1], 16)), _MARKS) + "]"
)
_QUERY, _DOCUMENT = Text("query", "查询"), Text("document", "文档")


def said_of_odd(ids: pl.Series, of: Text) -> tuple[str, ...]:
    """How many of these ids, each given once, are odd, with one of them; nothing where none is."""
    return _said(ids.filter(ids.str.contains(_ODD)), of)


def _said(odd: Sequence[str] | pl.Series, of: Text) -> tuple[str, ...]:
    if not len(odd):
        return ()
    return (
        Text(
            f"{len(odd):,} {of} id{'s have' if len(odd) > 1 else ' has'} blanks around, or marks that nobody sees, "
            f"such as {show(odd[0])}",
            f"{len(odd):,} 个{of.zh}的 id 前后有空白，或含有看不见的字符，如 {show(odd[0])}",
        ),
    )


def odd_ids_of(table: Table) -> tuple[str, ...]:
    """What is to be said of the ids of judgements or of a run, queries first."""
    if table.has_numbers:
        return ()
    if table.text is not None and _is_plain(table.text.buffer):
        return ()
    queries = [q for q in table.query_ids if _ODD_OF_PYTHON.search(q)]
    if table.is_mapping:
        ids = dict.fromkeys(d for row in table.to_dict().values() for d in row if isinstance(d, str))
        documents = _said([d for d in ids if _ODD_OF_PYTHON.search(d)], _DOCUMENT)
    else:
        documents = said_of_odd(table.to_frame()["doc_id"].unique(maintain_order=True), _DOCUMENT)
    return (*_said(queries, _QUERY), *documents)


def _is_plain(buffer: NDArray[np.uint8]) -> bool:
    """Whether the bytes of a file are letters of ASCII, blanks, tabs and line ends; zeros are its padding."""
    there = np.bincount(buffer, minlength=256) > 0
    plain = np.zeros(256, dtype=bool)
    plain[[0, 9, 10, 13, *range(32, 127)]] = True
    return not (there & ~plain).any()
