"""Gold as spans: what answers a query, as intervals of documents, whatever the chunks are that find it.

    Spans({"q1": [("d1", 120, 188)]})                        document, start, end: each a need of its own
    Spans("gold.csv")                                        query_id, doc_id, start, end[, grade, need, alternative]
    Spans({"q1": ["the sentence that answers"]}, documents=docs)     texts, which are located in the documents
    Spans(frame, documents="docs.jsonl")                     query_id, text[, doc_id, …]
    Spans("cmrc2018_dev.json")                               a set of questions with its documents; docs/rag.md has them

A query has *needs*, each with a grade; a need is met by any one of its *alternatives*, and an alternative is a set of
intervals, all of which belong to it. Rows without a `need` are needs of their own; rows of one need and without an
`alternative` are one alternative. A text that stands in several places is found in any of them: they are alternatives.

Intervals are half-open, `[start, end)`, counted in characters of Python strings: `text[start:end]`. Those of one
alternative are merged; intervals that touch do not overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack

from rankgauge._checks import number, one_of
from rankgauge._numbers import share
from rankgauge._show import show, show_all
from rankgauge._text import Text, composed, in_language, zh
from rankgauge.data._places import about
from rankgauge.data.columns import fold, role_of
from rankgauge.data.locating import LEAST, Documents, Found
from rankgauge.data.offset_rows import OffsetRows, offset_rows
from rankgauge.errors import InputError, ParameterError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Interval", "Located", "Need", "SpanOptions", "Spans", "merged"]

Interval = tuple[str, int, int]
"""Document, start, end."""
_MOST_PLACES = 100
_MOST_COMPARED = 4
"""Texts that are found nowhere for which an error says what is most like them."""
_LIKE = 0.4
"""What is less like a text tells nothing of it."""
_MOST_WAYS = 1_000
"""Alternatives of one need, where its parts stand in many places."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something that a query needs: met once an alternative is in the context, all of it or enough of it."""

    grade: float
    alternatives: tuple[tuple[Interval, ...], ...]


@dataclass(frozen=True, slots=True)
class Located:
    """What became of a text that was looked for: its first place, and in how many it stands; 0 where in none."""

    query_id: str
    text: str
    places: int
    how: str = "not found"
    """exact, normalised, fuzzy or not found."""
    score: float = 0.0
    doc_id: str | None = None
    start: int | None = None
    end: int | None = None

    @classmethod
    def of(cls, query_id: str, text: str, found: Sequence[Found]) -> Located:
        if not found:
            return cls(query_id, text, 0)
        first = found[0]
        return cls(query_id, text, len(found), first.how, first.score, first.doc_id, first.start, first.end)


class SpanOptions(TypedDict, total=False):
    """The keywords of `Spans`, for whoever passes them on."""

    documents: Any
    columns: Mapping[str, str] | None
    reach: float
    least: float
    not_found: str
    name: str


class Spans:
    """The needs of each query as intervals of documents.

    >>> gold = Spans({"q1": [("d1", 0, 10), ("d1", 30, 40)], "q2": [("d2", 5, 9)]})
    >>> gold
    <Spans 'spans': 3 needs of 2 queries, in 2 documents>

    `documents` (a mapping, frame or file of texts by id) are what texts are located in; offsets are checked against
    them. `reach` is the share of a need that must be covered for it to be found: 1, since half a sentence is no answer.
    `least` is the least likeness of a text that is found with small changes, and `not_found="skip"` leaves out texts
    that are found nowhere, which are an error otherwise; `located` tells what became of each.
    """

    def __init__(
        self,
        given: Any,
        *,
        documents: Any = None,
        columns: Mapping[str, str] | None = None,
        reach: float = 1,
        least: float = LEAST,
        not_found: str = "error",
        name: str = "spans",
    ) -> None:
        self.reach = float(number("reach", reach, above=0, at_most=1))
        least = float(number("least", least, above=0, at_most=1))
        not_found = one_of("not_found", not_found, ("error", "skip"))
        self.name = name
        self.documents = None if documents is None else Documents.of(documents)
        rows = offset_rows(given, "spans", columns, self.documents)
        if self.documents is None and rows.documents is not None:
            self.documents = Documents(rows.documents)
        self.queries: dict[str, str] = dict(rows.queries)
        """What is asked, by the id of the query, where that is said."""
        reading = _Reading(rows, self.documents, least)
        self.needs: dict[str, tuple[Need, ...]] = reading.needs(not_found)
        """The needs of each query, queries in the order given."""
        self.located: tuple[Located, ...] = tuple(reading.located)
        """What became of each text that was looked for."""
        of_texts = () if self.documents is None else self.documents.notes
        self.notes: tuple[str, ...] = (*rows.notes, *reading.notes, *of_texts)
        """What was recognised, repaired or left out while reading."""
        self.path = given if isinstance(given, str) else None

    @classmethod
    def of(cls, obj: Any, **options: Unpack[SpanOptions]) -> Self:
        """Spans from whatever holds them, or the same where they are spans already."""
        return obj if isinstance(obj, cls) else cls(obj, **options)

    @property
    def query_ids(self) -> list[str]:
        return list(self.needs)

    @cached_property
    def n_needs(self) -> int:
        return sum(map(len, self.needs.values()))

    def located_frame(self) -> pl.DataFrame:
        """`located` as a Polars frame: what was not found, found more than once, found with small changes."""
        import polars as pl

        names = Located.__slots__
        return pl.DataFrame(
            {n: [getattr(x, n) for x in self.located] for n in names},
            schema={
                "query_id": pl.String,
                "text": pl.String,
                "places": pl.Int64,
                "how": pl.String,
                "score": pl.Float64,
                "doc_id": pl.String,
                "start": pl.Int64,
                "end": pl.Int64,
            },
        )

    def to_frame(self) -> pl.DataFrame:
        """A row per interval: query_id, doc_id, start, end, grade, need, alternative; both counted from 1."""
        import polars as pl

        names = ("query_id", "doc_id", "start", "end", "grade", "need", "alternative")
        return pl.DataFrame(list(self._rows()), schema=list(names), orient="row")

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        for query, needs in self.needs.items():
            for j, need in enumerate(needs, 1):
                for a, alternative in enumerate(need.alternatives, 1):
                    for doc, start, end in alternative:
                        yield query, doc, start, end, need.grade, j, a

    def fingerprint(self) -> str:
        """A short digest of all needs and of what it takes to meet them."""
        from hashlib import sha256

        lines = sorted(
            "\t".join((query, repr(need.grade), repr(sorted(need.alternatives))))
            for query, needs in self.needs.items()
            for need in needs
        )
        text = "\n".join((repr(self.reach), *lines))
        return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def __repr__(self) -> str:
        docs = {i[0] for needs in self.needs.values() for n in needs for a in n.alternatives for i in a}
        told = (
            "<Spans {!r}: {:,} needs of {:,} queries, in {:,} documents>",
            "<Spans {!r}：{:,} 个信息点，{:,} 个查询，{:,} 个文档>",
        )
        return str(in_language(composed(*told, self.name, self.n_needs, len(self.needs), len(docs))))


def merged(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """The union of intervals, in order, as intervals that neither overlap nor touch.

    >>> merged([("d", 5, 9), ("d", 0, 5), ("e", 1, 2), ("d", 7, 12)])
    (('d', 0, 12), ('e', 1, 2))
    """
    out: list[Interval] = []
    for doc, start, end in sorted(intervals):
        if out and out[-1][0] == doc and start <= out[-1][2]:
            out[-1] = (doc, out[-1][1], max(end, out[-1][2]))
        else:
            out.append((doc, start, end))
    return tuple(out)


# reading


class _Reading:
    """From rows to needs."""

    def __init__(self, rows: OffsetRows, documents: Documents | None, least: float) -> None:
        self.rows, self.documents, self.least = rows, documents, least
        self.located: list[Located] = []
        self.names = rows.frame.columns
        self._told = self._moved = 0  # texts with offsets, and those that do not stand there
        self._bound = 0

    def needs(self, not_found: str) -> dict[str, tuple[Need, ...]]:
        self._refuse_shape()
        problems: list[str] = []
        nowhere: list[tuple[_Gathered, Mapping[str, Any], int]] = []
        gathered: dict[str, dict[str, _Gathered]] = {}
        for i, row in enumerate(self.rows.frame.iter_rows(named=True)):
            query = gathered.setdefault(row["query_id"], {})
            if all(row.get(name) is None for name in ("text", "start", "doc_id")):
                continue  # a query without needs
            if problem := self._wrong(row, i):
                problems.append(problem)
                continue
            given, own = row.get("need"), f"#{i}"
            need = query.setdefault(own if given is None else f"={given}", _Gathered(row.get("grade"), i))
            if need.grade != row.get("grade"):
                problems.append(self._two_grades(need, row, i))
                continue
            found = self._places(row)
            if not found:
                nowhere.append((need, row, i))
            need.add(row.get("alternative"), found)
        if problems:
            raise InputError.collect(about(self.rows.where), problems)
        every = [need for needs in gathered.values() for need in needs.values()]
        if countless := [self._countless(need) for need in every if need.is_countless]:
            raise InputError.collect(about(self.rows.where), countless)
        self._bound = sum(need.is_bound for need in every)
        missing = [(row, i) for need, row, i in nowhere if not need.need.alternatives]  # any other alternative will do
        if missing and not_found == "error":
            raise InputError.collect(
                about(self.rows.where),
                [self._nowhere(row, i, nearest=n < _MOST_COMPARED) for n, (row, i) in enumerate(missing)],
                Text(
                    "Pass not_found='skip' to leave such needs out, or least=… to take what is less alike.",
                    "请传入 not_found='skip' 略去这些信息点，或传入 least=… 放宽相似度。",
                ),
            )
        made = {q: tuple(n.need for n in needs.values() if n.need.alternatives) for q, needs in gathered.items()}
        if not made:
            raise InputError(
                Text(
                    f"{self.rows.where}: must hold at least one query, got none.",
                    f"{zh(self.rows.where)}：至少要有一个查询，实际没有。",
                )
            )
        return made

    def _refuse_shape(self) -> None:
        has_offsets = {"doc_id", "start", "end"} <= set(self.names)
        if not has_offsets and "text" not in self.names and ("doc_id" not in self.names or self.documents is None):
            names = self.rows.given or self.names
            found = show_all(names[:12])
            left = [n for n in names if role_of(n, "spans") is None and fold(n) != "id"]
            text = Text(
                f"{self.rows.where} must have doc_id, start and end, or a text to be located. Found: {found}.",
                f"{zh(self.rows.where)}必须有 doc_id、start 和 end，或有要定位的文本。找到：{found}。",
            )
            if "doc_id" in self.names and "start" not in self.names:
                text += Text(
                    " Or pass documents=… (texts by id), where whole documents are needed.",
                    "如果需要的是整个文档，请传入 documents=…（按 id 给出的文本）。",
                )
            elif len(left) == 1:
                told = f'columns={{"{left[0]}": "gold"}}'
                text += Text(f" Pass {told} if that is it.", f"如果就是它，请传入 {told}。")
            raise InputError(text)
        if not has_offsets and self.documents is None:
            raise ParameterError(
                Text(
                    "texts must be located in documents. Pass documents=… (texts by id).",
                    "文本需要在文档中定位。请传入 documents=…（按 id 给出的文本）。",
                )
            )

    def _problem(self, i: int, en: str, chinese: str) -> Text:
        place = self.rows.position(i)
        return Text(f"{place}: {en}", f"{zh(place)}：{chinese}")

    def _wrong(self, row: Mapping[str, Any], i: int) -> Text | None:
        """What cannot be: an empty interval, one beyond its document, a document that is not there."""
        grade, doc = row.get("grade"), row.get("doc_id")
        if grade is not None and grade <= 0:
            return self._problem(
                i,
                f"the grade of a need must be above 0, got {show(grade)}.",
                f"信息点的等级必须大于 0，实际为 {show(grade)}。",
            )
        if doc is not None and self.documents is not None and doc not in self.documents:
            return self._problem(
                i, f"document {show(doc)} is not among the documents.", f"文档 {show(doc)} 不在给出的文档中。"
            )
        start, end = row.get("start"), row.get("end")
        if _is_whole(row) and self.documents is not None:
            return None
        if start is None or end is None or doc is None:
            if row.get("text") is not None and self.documents is not None:
                return None
            return self._problem(
                i,
                "must have doc_id, start and end, or a text and documents to locate it in.",
                "必须有 doc_id、start 和 end，或有文本以及用来定位的文档。",
            )
        if end <= start:
            return self._problem(
                i,
                f"an interval must end behind its start, got [{start}, {end}).",
                f"区间的终点必须在起点之后，实际为 [{start}, {end})。",
            )
        if self._is_elsewhere(row):
            return None
        if self.documents is not None and end > (length := self.documents.lengths[doc]):
            return self._problem(
                i,
                f"[{start}, {end}) must end within document {show(doc)}, which has {length:,} characters.",
                f"[{start}, {end}) 超出了文档 {show(doc)}，它只有 {length:,} 个字符。",
            )
        return None

    def _two_grades(self, need: _Gathered, row: Mapping[str, Any], i: int) -> Text:
        return self._problem(
            i,
            f"the rows of need {show(row.get('need'))} must have one grade, got {show(row.get('grade'))} beside "
            f"{show(need.grade)}.",
            f"信息点 {show(row.get('need'))} 的各行等级必须相同，实际为 {show(row.get('grade'))} 和 "
            f"{show(need.grade)}。",
        )

    def _countless(self, need: _Gathered) -> Text:
        return self._problem(
            need.row,
            "the texts of this need stand in too many places, or in no document together. Give more of each text, "
            "its doc_id, or its offsets.",
            "这个信息点的各段文本出现在过多的地方，或没有一个文档同时含有它们。请给出更长的文本、doc_id 或偏移。",
        )

    def _nowhere(self, row: Mapping[str, Any], i: int, *, nearest: bool) -> Text:
        text, doc = show(row["text"]), row.get("doc_id")
        where = Text("any document", "任何文档") if doc is None else Text(f"document {show(doc)}", f"文档 {show(doc)} ")
        like = self.documents.most_like(row["text"], doc) if nearest and self.documents is not None else None
        if like is None or like.score < _LIKE:
            return self._problem(i, f"{text} was not found in {where}.", f"在{where.zh}中没有找到 {text}。")
        assert self.documents is not None
        part = show(self.documents.texts[like.doc_id][like.start : like.end])
        return self._problem(
            i,
            f"{text} was not found in {where}; {part} of {show(like.doc_id)} is {share(like.score)} alike.",
            f"在{where.zh}中没有找到 {text}；{show(like.doc_id)} 中的 {part} 与它的相似度为 {share(like.score)}。",
        )

    def _is_elsewhere(self, row: Mapping[str, Any]) -> bool:
        """Whether a row has a text beside its offsets which does not stand there."""
        text = row.get("text")
        if text is None or not text.strip() or self.documents is None:
            return False
        return not self.documents.says(text, row["doc_id"], row["start"], row["end"])

    @property
    def notes(self) -> list[Text]:
        """What a reader must know of how needs were made."""
        out = []
        if self._moved:
            out.append(
                Text(
                    f"{self._moved:,} of {self._told:,} texts do not stand at their offsets: they are located by "
                    "their text",
                    f"{self._told:,} 段文本中有 {self._moved:,} 段不在所给的偏移处：按文本定位",
                )
            )
        out += _said(self.located)
        if n := self._bound:
            out.append(
                Text(
                    f"{n:,} {'need consists' if n == 1 else 'needs consist'} of texts that stand in very many places: "
                    "it takes all of them from one document",
                    f"{n:,} 个信息点由出现在很多处的多段文本组成：各段须取自同一文档",
                )
            )
        return out

    def _places(self, row: Mapping[str, Any]) -> list[Interval]:
        """The places of a row: its interval, or all places of its text."""
        if row.get("start") is not None and row.get("end") is not None and row.get("doc_id") is not None:
            self._told += row.get("text") is not None
            if not self._is_elsewhere(row):
                return [(row["doc_id"], row["start"], row["end"])]
            self._moved += 1
        assert self.documents is not None
        if _is_whole(row):
            return [(row["doc_id"], 0, length)] if (length := self.documents.lengths[row["doc_id"]]) else []
        found = self.documents.locate(row["text"], row.get("doc_id"), least=self.least)
        if len(found) > _MOST_PLACES:
            raise InputError(
                Text(
                    f"{self.rows.where}: {show(row['text'])} stands in {len(found):,} places and tells nothing. Give "
                    "more of the text, or its offsets.",
                    f"{zh(self.rows.where)}：{show(row['text'])} 出现在 {len(found):,} 处，无法说明什么。"
                    "请给出更长的文本，或给出偏移。",
                )
            )
        self.located.append(Located.of(row["query_id"], row["text"], found))
        return [(f.doc_id, f.start, f.end) for f in found]


def _is_whole(row: Mapping[str, Any]) -> bool:
    """Whether a row names a document and no part of it."""
    return row.get("doc_id") is not None and all(row.get(name) is None for name in ("start", "end", "text"))


class _Gathered:
    """A need while its rows are read: for each alternative its parts, each with the places where it stands."""

    def __init__(self, grade: float | None, row: int) -> None:
        self.grade = grade
        self.row = row
        """The first of its rows."""
        self.parts: dict[Any, list[list[Interval]]] = {}

    def add(self, alternative: Any, places: list[Interval]) -> None:
        self.parts.setdefault(alternative, []).append(places)

    @property
    def is_bound(self) -> bool:
        """Whether there are too many ways to choose a place of each part, so that those of one document are taken."""
        return any(_ways(parts) > _MOST_PLACES for parts in self.parts.values())

    @property
    def is_countless(self) -> bool:
        """Whether that leaves too many ways, or none."""
        bound = [parts for parts in self.parts.values() if _ways(parts) > _MOST_PLACES]
        return any(not 0 < sum(map(_ways, _by_document(parts))) <= _MOST_WAYS for parts in bound)

    @property
    def need(self) -> Need:
        found: dict[tuple[Interval, ...], None] = {}
        for parts in self.parts.values():  # where a part stands in several places, any of them will do
            for ways in _by_document(parts) if _ways(parts) > _MOST_PLACES else [parts]:
                found |= {merged(chosen): None for chosen in product(*ways)}
        return Need(1.0 if self.grade is None else self.grade, tuple(found))


def _ways(parts: Sequence[Sequence[Interval]]) -> int:
    return prod(map(len, parts))


def _by_document(parts: Sequence[Sequence[Interval]]) -> list[list[list[Interval]]]:
    """The places of all parts in each document that has all of them."""
    shared = set.intersection(*({doc for doc, _, _ in places} for places in parts))
    docs = [doc for doc in dict.fromkeys(doc for doc, _, _ in parts[0]) if doc in shared]
    return [[[place for place in places if place[0] == doc] for places in parts] for doc in docs]


def _said(located: Sequence[Located]) -> list[Text]:
    """What a reader must know of texts that were looked for."""
    if not located:
        return []
    n = len(located)
    out = []
    for kind, en, chinese in (
        ("not found", "were not found and are left out", "没有找到，已略去"),
        ("fuzzy", "were found with small changes", "是模糊匹配找到的"),
        ("normalised", "were found but for blanks, case, width or signs", "在忽略空白、大小写、全半角和标点写法后找到"),
    ):
        if count := sum(x.how == kind for x in located):
            out.append(Text(f"{count:,} of {n:,} texts {en}", f"{n:,} 段文本中有 {count:,} 段{chinese}"))
    if several := sum(x.places > 1 for x in located):
        out.append(
            Text(
                f"{several:,} of {n:,} texts stand in more than one place: any of them will do",
                f"{n:,} 段文本中有 {several:,} 段出现在多处：任何一处都算",
            )
        )
    return out
