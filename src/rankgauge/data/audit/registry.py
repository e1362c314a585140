"""What the audit looks for, one small function each.

A check takes the evidence and yields what it found, once for each table concerned. Adding one takes a
function under `@check(...)` in a module of this folder and a test with a planted fault and a healthy twin.

An *error* makes numbers wrong or impossible, a *warning* makes them doubtful, a *note* is worth knowing.
Ordinary data gives notes at most: poor systems, sparse judgements and short lists are no faults of the input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rankgauge._text import Text
from rankgauge.data.audit.evidence import Evidence

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "CHECKS",
    "EXAMPLES",
    "Check",
    "Found",
    "Severity",
    "among",
    "are",
    "check",
    "item",
    "items",
    "of",
    "queries",
    "show",
]

Severity = Literal["error", "warning", "note"]
EXAMPLES = 5


@dataclass(frozen=True)
class Found:
    """What a check found in one table."""

    where: str
    count: int
    what: str
    examples: Sequence[str] = ()
    severity: Severity = "warning"
    try_: str = ""
    """What to do, where that of the check does not fit."""


@dataclass(frozen=True)
class Check:
    """A problem that is looked for: its code, why it matters, what to do, and how it is found."""

    code: str
    why: str
    try_: str
    find: Callable[[Evidence], Iterable[Found]]


CHECKS: dict[str, Check] = {}

Finder = Callable[[Evidence], Iterable[Found]]


def check(code: str, *, why: str, try_: str) -> Callable[[Finder], Finder]:
    """Register a check under a code that stays."""

    def register(find: Finder) -> Finder:
        CHECKS[code] = Check(code, why, try_, find)
        return find

    return register


# what is said


def show(value: Any) -> str:
    """An id, short enough for a line."""
    text = repr(value)
    return text if len(text) <= 60 else text[:28] + "…" + text[-28:]


def item(query: Any, doc: Any) -> Text:
    return Text(f"query {show(query)}, {show(doc)}", f"查询 {show(query)}，{show(doc)}")


def items(frame: pl.DataFrame) -> list[Text]:
    """Query and item of the first rows."""
    return [item(q, d) for q, d in frame.select("query_id", "doc_id").head(EXAMPLES).iter_rows()]


def queries(names: Iterable[Any]) -> list[Text]:
    return [Text(f"query {show(q)}", f"查询 {show(q)}") for q, _ in zip(names, range(EXAMPLES), strict=False)]


def of(n: int, total: int, noun: str) -> str:
    """`3 of 1,200 results`."""
    return f"{n:,} of {total:,} {noun}"


def among(n: int, total: int, noun: str) -> str:
    """The same in Chinese, counted alike: `1,200 条结果中有 3 条`."""
    return f"{total:,} {noun}中有 {n:,} {noun[0]}"


def are(n: int) -> str:
    return "is" if n == 1 else "are"
