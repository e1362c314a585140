"""Where in the documents does a text stand?

Gold answers are often written down as text, and retrievers often give back text. Three steps, each tried where the one
before it found nothing:

    exact        the text as it is
    normalised   without white space, case, width of letters, kinds of quotes and dashes, composition of accents
    fuzzy        the part of a document that is fewest edits away (Sellers 1980), by the bit-parallel algorithm of
                 Myers (1999); its score is 1 - edits / characters of the text, and must be at least `least`

The third is exact too: no other part of the document is nearer. Which documents are worth looking at is told by their
q-grams: an edit destroys at most q of the m - q + 1 q-grams of a text of m characters (Ukkonen 1992).

Offsets are characters of Python strings (code points), `text[start:end]`: not bytes, and not UTF-16 units.
"""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from rankgauge._text import Text
from rankgauge.errors import InputError

__all__ = ["Documents", "Found", "Normal", "nearest"]

LEAST = 0.8
"""The least score of a part that is taken for the text."""
_Q = 4
_MOST_SEEN = 1_000_000  # characters that `most_like` looks at


@dataclass(frozen=True, slots=True)
class Found:
    """One place of a text: characters `start` up to, and without, `end` of a document."""

    doc_id: str
    start: int
    end: int
    how: str = "exact"
    """exact, normalised or fuzzy."""
    score: float = 1.0


# normal forms


@lru_cache(maxsize=1 << 16)
def _folded(c: str) -> str:
    """A character as it is compared: nothing for white space; width, case and composition do not matter."""
    if c.isspace() or c in _INVISIBLE:
        return ""
    c = _ALIKE.get(c, c)
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", c).casefold())


_ALIKE = {
    **dict.fromkeys("“”„‟«»″〝〞＂", '"'),
    **dict.fromkeys("‘’‚‛′`´＇", "'"),
    **dict.fromkeys("‐‑‒–—―−－", "-"),
}
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")


class Normal:
    """A text as it is compared, and the character of the text that each of its characters comes from."""

    __slots__ = ("at", "text")

    def __init__(self, text: str) -> None:
        parts = [_folded(c) for c in text]
        self.text = "".join(parts)
        self.at = array("l", (i for i, part in enumerate(parts) for _ in part))

    def part(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the text behind `start` up to `end` of the normal form."""
        return self.at[start], self.at[end - 1] + 1

    def cuts(self, end: int) -> bool:
        """Whether a part that ends here would cut a letter apart: the rest of its character, or its accents."""
        if end >= len(self.text):
            return False
        return self.at[end] == self.at[end - 1] or unicodedata.combining(self.text[end]) != 0


# the nearest part


def nearest(pattern: str, text: str, most: int) -> tuple[int, int, int] | None:
    """Start, end and edits of the part of a text that is fewest edits away; None where all are more than `most` away.

    >>> nearest("abcd", "xxabxcdxx", 2)
    (2, 7, 1)
    """
    end, edits = _scan(pattern, text, is_anchored=False)
    if edits > most:
        return None
    reach = text[max(0, end - len(pattern) - edits) : end][::-1]
    length, _ = _scan(pattern[::-1], reach, is_anchored=True)
    return end - length, end, edits


def _scan(pattern: str, text: str, *, is_anchored: bool) -> tuple[int, int]:
    """The first end with the fewest edits, and how many; an anchored part begins where the text does."""
    m = len(pattern)
    full, high = (1 << m) - 1, 1 << (m - 1)
    where: dict[str, int] = {}
    for i, c in enumerate(pattern):
        where[c] = where.get(c, 0) | 1 << i
    plus, minus, edits = full, 0, m
    best, end = m, 0
    first = 1 if is_anchored else 0
    for j, c in enumerate(text, 1):
        equal = where.get(c, 0)
        across = (((equal & plus) + plus) ^ plus) | equal
        down = equal | minus
        rises, falls = (minus | ~(across | plus)) & full, plus & across
        if rises & high:
            edits += 1
        elif falls & high:
            edits -= 1
        rises, falls = (rises << 1 | first) & full, falls << 1 & full
        plus, minus = (falls | ~(down | rises)) & full, rises & down
        if edits < best:
            best, end = edits, j
    return end, best


# documents


class Documents:
    """Texts by id, in which others are looked for."""

    def __init__(self, texts: Mapping[str, str], notes: tuple[str, ...] = ()) -> None:
        self.texts = dict(texts)
        self.notes = notes
        """What there is to say of where they come from."""
        self._normal: dict[str, Normal] = {}
        self._grams: dict[str, frozenset[str]] = {}

    @classmethod
    def of(cls, source: Any, columns: Mapping[str, str] | None = None) -> Documents:
        """Documents from whatever holds texts by id: a mapping, a frame, a file, a folder."""
        if isinstance(source, cls):
            return source
        from rankgauge.data.document_texts import Told, read_all_texts

        found = read_all_texts(source, columns=columns, told=(told := Told()))
        if found and not any(item.text for item in found.values()):
            raise InputError(
                Text(
                    f"documents: must have texts, in which others are looked for, got {len(found):,} without any "
                    "(only titles). Name the field of the text 'text'.",
                    f"文档：必须有文本，以便在其中查找，实际 {len(found):,} 个都没有（只有标题）。请把文本字段命名为 "
                    "'text'。",
                )
                if any(item.title for item in found.values())
                else Text(
                    f"documents: must have texts, in which others are looked for, got {len(found):,} that are empty.",
                    f"文档：必须有文本，以便在其中查找，实际 {len(found):,} 个都是空的。",
                )
            )
        return cls({doc_id: item.text for doc_id, item in found.items()}, told.notes)

    def __len__(self) -> int:
        return len(self.texts)

    def __contains__(self, doc_id: object) -> bool:
        return doc_id in self.texts

    @cached_property
    def lengths(self) -> dict[str, int]:
        """Characters of each document."""
        return {doc_id: len(text) for doc_id, text in self.texts.items()}

    def says(self, text: str, doc_id: str, start: int, end: int) -> bool:
        """Whether a text stands there, but for white space, case, width of letters, kinds of quotes and dashes.

        >>> Documents({"d": "Red  shoes."}).says("red shoes", "d", 0, 10)
        True
        """
        found = self.texts[doc_id][start:end]
        return found == text or Normal(found).text == Normal(text).text

    def locate(self, text: str, doc_id: str | None = None, *, least: float = LEAST) -> list[Found]:
        """All places of a text, found in the strictest way that finds any; of fuzzy ones only the nearest.

        >>> Documents({"d": "Red shoes. Red  SHOES!"}).locate("red shoes")
        [Found(doc_id='d', start=0, end=9, how='normalised', score=1.0), \
Found(doc_id='d', start=11, end=21, how='normalised', score=1.0)]
        """
        ids: Sequence[str] = list(self.texts) if doc_id is None else [doc_id]
        found = [Found(d, at, at + len(text)) for d in ids for at in _each(text, self.texts[d])] if text else []
        if found:
            return found
        wanted = Normal(text).text
        if not wanted:
            return []
        return self._normalised(wanted, ids) or self._fuzzy(wanted, ids, least)

    def most_like(self, text: str, doc_id: str | None = None) -> Found | None:
        """A part of a document that is most like a text, however little that is; None where nothing of it is there.

        Documents that share most q-grams are looked at first, and only as long as one could be nearer: up to a million
        characters, so that of very many documents a nearer one may be left unseen.

        >>> Documents({"a": "red boots", "b": "Old shoes."}).most_like("red shoes")
        Found(doc_id='b', start=2, end=9, how='fuzzy', score=0.75)
        """
        wanted = Normal(text).text
        if not wanted:
            return None
        grams = [wanted[i : i + _Q] for i in range(len(wanted) - _Q + 1)]
        ids = self.texts if doc_id is None else [doc_id]
        shared = {d: sum(map(self._grams_of(d).__contains__, grams)) for d in ids}
        best: Found | None = None
        most, seen = len(wanted) - 1, 0
        for d in sorted(shared, key=lambda d: -shared[d]):
            fewest = -(-(len(grams) - shared[d]) // _Q)
            if fewest > most or seen > _MOST_SEEN:
                break
            normal = self._normal_of(d)
            seen += len(normal.text)
            near = nearest(wanted, normal.text, most)
            if near is not None and near[1] > near[0]:
                best = Found(d, *normal.part(near[0], near[1]), "fuzzy", 1 - near[2] / len(wanted))
                most = near[2] - 1
        return best

    def _normalised(self, wanted: str, ids: Iterable[str]) -> list[Found]:
        n = len(wanted)
        forms = ((d, self._normal_of(d)) for d in ids)
        places = ((d, form, at) for d, form in forms for at in _each(wanted, form.text) if not form.cuts(at + n))
        return [Found(d, *form.part(at, at + n), "normalised") for d, form, at in places]

    def _fuzzy(self, wanted: str, ids: Sequence[str], least: float) -> list[Found]:
        most = int((1 - least) * len(wanted) + 1e-9)
        if not most:
            return []
        grams = [wanted[i : i + _Q] for i in range(len(wanted) - _Q + 1)]
        needed = len(grams) - most * _Q
        best: Found | None = None
        for d in ids:
            if len(ids) > 1 and needed > 0 and sum(map(self._grams_of(d).__contains__, grams)) < needed:
                continue
            normal = self._normal_of(d)
            near = nearest(wanted, normal.text, most)
            if near is not None and near[1] > near[0]:
                best = Found(d, *normal.part(near[0], near[1]), "fuzzy", 1 - near[2] / len(wanted))
                most = near[2] - 1  # only what is nearer counts from here on
                needed = len(grams) - most * _Q
                if most < 1:
                    break
        return [] if best is None else [best]

    def _normal_of(self, doc_id: str) -> Normal:
        if doc_id not in self._normal:
            self._normal[doc_id] = Normal(self.texts[doc_id])
        return self._normal[doc_id]

    def _grams_of(self, doc_id: str) -> frozenset[str]:
        if doc_id not in self._grams:
            text = self._normal_of(doc_id).text
            self._grams[doc_id] = frozenset(text[i : i + _Q] for i in range(len(text) - _Q + 1))
        return self._grams[doc_id]


def _each(part: str, text: str) -> Iterator[int]:
    """Where a part begins in a text, again and again; copies that overlap count as one."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))
