"""Ids that differ in spelling only: leading zeros, case, blanks around them, a '.0' of numbers, forms of Unicode.

The changes that the audit makes to whole columns, for a few ids at a time. And ids that one side writes with a prefix,
as doc7 is for 7: the prefix has to be the same for many of them. And chunks of documents, as guide#setup and guide_3
are of guide.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable

from rankgauge._show import show
from rankgauge._text import Text

__all__ = [
    "CHANGES",
    "CHUNK",
    "change_of",
    "chunk_of",
    "cuts",
    "document_of",
    "is_of_chunks",
    "prefixes",
    "respelled",
    "said_change",
    "spelling_key",
    "without_chunk",
    "without_prefix",
]

_ZEROS = re.compile(r"^([^0-9]*)0+([0-9])")
_FRACTION = re.compile(r"\.0+$")
_LONGEST_PREFIX = 64
CHUNK = r"(?i)(?:#.+|::.+|[-_/.:](?:chunk|passage|paragraph|section|page|part|p|c)?[-_]?[0-9]+)$"
"""What ids of chunks have behind that of their document: guide#setup, guide::2, guide_3, guide-chunk-2, guide/2."""
_CHUNK = re.compile(CHUNK)

_WAYS: dict[str, Callable[[str], str]] = {
    "Unicode normalisation": lambda x: x if x.isascii() else unicodedata.normalize("NFKC", x),
    "changing case": str.lower,
    "trimming blanks": str.strip,
    "removing '.0'": lambda x: _FRACTION.sub("", x),
    "dropping leading zeros": lambda x: _ZEROS.sub(r"\1\2", x),
}
_SEVERAL = Text("several changes together", "同时做多种改动")
CHANGES: dict[str, Text] = {
    str(text): text
    for text in (
        Text("trimming blanks", "去掉首尾空白"),
        Text("changing case", "统一大小写"),
        Text("dropping leading zeros", "去掉前导零"),
        Text("removing '.0'", "去掉 '.0' "),
        Text("Unicode normalisation", " Unicode 规范化"),
        _SEVERAL,
    )
}
"""What the changes are called, by their English names."""


def spelling_key(x: str) -> str:
    """What all spellings of an id have in common.

    >>> spelling_key("DOC-007") == spelling_key(" doc-7.0")
    True
    """
    for change in _WAYS.values():
        x = change(x)
    return x


def respelled(left: Iterable[str], right: Iterable[str]) -> tuple[str, str] | None:
    """An id of the left and one of the right that differ in spelling only; None where there is no such pair."""
    keys: dict[str, str] = {}
    for x in left:
        keys.setdefault(spelling_key(x), x)
    for y in right:
        x = keys.get(spelling_key(y), y)
        if x != y:
            return x, y
    return None


def cuts(x: str) -> list[tuple[str, str]]:
    """The prefixes that an id may have, each with what is left: where letters, digits and other signs meet.

    >>> cuts("shop/doc7")
    [('shop/', 'doc7'), ('shop/doc', '7')]
    """
    ends = range(1, min(len(x), _LONGEST_PREFIX))
    return [(x[:i], x[i:]) for i in ends if x[i].isalnum() and _kind(x[i - 1]) != _kind(x[i])]


def _kind(letter: str) -> str:
    return "digit" if letter.isdecimal() else "letter" if letter.isalpha() else "other"


def prefixes(left: Collection[str], right: Collection[str]) -> dict[str, tuple[str, str]]:
    """Each prefix that one side writes before an id of the other, with a pair of such ids."""
    found: dict[str, tuple[str, str]] = {}
    lefts, rights = set(left), set(right)
    for x in left:
        for prefix, rest in cuts(x):
            if rest in rights:
                found.setdefault(prefix, (x, rest))
    for y in right:
        for prefix, rest in cuts(y):
            if rest in lefts:
                found.setdefault(prefix, (rest, y))
    return found


def without_prefix(prefix: str) -> Text:
    """The change that takes a prefix away."""
    return Text(f"{_PREFIX.en} {show(prefix)}", f"{_PREFIX.zh} {show(prefix)} ")


def document_of(x: str) -> str:
    """The document of which an id names a chunk; the id itself where it names none.

    >>> [document_of(x) for x in ("guide#setup", "guide-chunk-2", "guide_3", "guide")]
    ['guide', 'guide', 'guide', 'guide']
    """
    found = _CHUNK.search(x)
    return x[: found.start()] or x if found else x


def chunk_of(left: Iterable[str], right: Iterable[str]) -> tuple[str, str] | None:
    """An id of the left and one of the right of which one is a chunk of the other; None where there is no such pair."""
    lefts, rights = list(left), list(right)
    known, shown = set(lefts), set(rights)
    of_right = ((document, y) for y in rights if (document := document_of(y)) != y and document in known)
    of_left = ((x, document) for x in lefts if (document := document_of(x)) != x and document in shown)
    return next(of_right, None) or next(of_left, None)


def without_chunk(suffix: str) -> Text:
    """The change that makes the id of a document of that of a chunk."""
    return Text(f"{_SUFFIXES.en} {show(suffix)}", f"{_SUFFIXES.zh} {show(suffix)} 的后缀")


_SUFFIXES = Text("dropping suffixes of chunks such as", "去掉片段编号，即形如")
_PREFIX = Text("dropping the prefix", "去掉前缀")


def is_of_chunks(change: str) -> bool:
    """Whether a change, by its English name, leads from chunks to documents."""
    return change.startswith(_SUFFIXES.en)


def said_change(change: str) -> str:
    """A change by its English name, in both languages."""
    if change in CHANGES:
        return CHANGES[change]
    for begins, end in ((_SUFFIXES, " 的后缀"), (_PREFIX, " ")):
        if change.startswith(begins.en + " "):
            return Text(change, f"{begins.zh} {change.removeprefix(begins.en + ' ')}{end}")
    return change


def change_of(a: str, b: str) -> Text:
    """The change that makes the two the same."""
    for how, change in _WAYS.items():
        if change(a) == change(b):
            return CHANGES[how]
    for whole, rest in ((a, b), (b, a)):
        if document_of(whole) == rest:
            return without_chunk(whole.removeprefix(rest))
    for whole, rest in ((a, b), (b, a)):
        if whole.endswith(rest):
            return without_prefix(whole.removesuffix(rest))
    return _SEVERAL
