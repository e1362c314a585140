"""Retrieved pieces of documents: for each query a ranked list of intervals, of whatever chunks a retriever has.

    Chunks({"q1": [("d1", 0, 200), ("d4", 400, 600)]})                   best first; a fourth number is a score
    Chunks(frame)                                  query_id, doc_id, start, end[, score | distance | rank]
    Chunks(run, chunks=table)                      a run of chunk ids, and where they are: chunk_id, doc_id, start, end
    Chunks(frame, documents=docs)                  query_id, text[, doc_id, …]: texts to be located in the documents

Results of equal score keep the order in which they were given. A piece that is there twice keeps both places: it is
paid for twice and adds nothing. A text that is found nowhere keeps its place and its length, and covers nothing:
such texts are pieces of a document of their own, which has no id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypedDict, Unpack

import numpy as np

from rankgauge._checks import number, whole
from rankgauge._piped import path_of
from rankgauge._show import show
from rankgauge._text import Text, composed, in_language, zh
from rankgauge.data._places import about
from rankgauge.data.budgets import MOST, Budget, Prices
from rankgauge.data.collected import ODD
from rankgauge.data.locating import LEAST, Documents, Found
from rankgauge.data.offset_rows import OffsetRows, offset_rows
from rankgauge.data.spans import Located
from rankgauge.data.table import stem
from rankgauge.errors import InputError, ParameterError

if TYPE_CHECKING:
    from rankgauge.data.collected import Collected

__all__ = ["ChunkOptions", "Chunks", "Piece", "prices_of"]


class Piece(NamedTuple):
    """A retrieved piece: an interval of a document, and its length as sent."""

    doc_id: str | None
    """None where its text was found in no document."""
    start: int
    end: int

    @property
    def cost(self) -> int:
        """Characters, whether or not they were there before."""
        return self.end - self.start


class ChunkOptions(TypedDict, total=False):
    """The keywords of `Chunks`, for whoever passes them on."""

    chunks: Any
    documents: Any
    columns: Mapping[str, str] | None
    least: float
    name: str


class Chunks:
    """Ranked pieces of documents for each query.

    >>> Chunks({"q1": [("d1", 0, 200), ("d1", 150, 350)]})
    <Chunks 'run': 2 pieces for 1 queries>
    """

    def __init__(
        self,
        given: Any,
        *,
        chunks: Any = None,
        documents: Any = None,
        columns: Mapping[str, str] | None = None,
        least: float = LEAST,
        name: str = "",
    ) -> None:
        self._least = float(number("least", least, above=0, at_most=1))
        self._documents = None if documents is None else Documents.of(documents)
        self.collected: Collected | None = getattr(given, "collected", None)
        """How a live retriever was asked for them, where it was."""
        self.name = name or (_own_name(given) if self.collected is None else self.collected.retriever)
        self._found: dict[tuple[str, str | None], tuple[Found, ...]] = {}
        self._begin()
        self._strays: list[str] = []
        self.not_located: list[Located] = []
        """Texts that were retrieved and found in no document, with the query of each."""
        self._astray = 0  # characters of these
        self._said_of: dict[Piece, str] = {}
        self.unknown: dict[str, int] = {}
        """How many pieces are of a document that is not among the documents, by its id."""
        rows = offset_rows(given, "pieces", columns)
        known = None if chunks is None else self._table(offset_rows(chunks, "chunks"))
        self.by_id: Mapping[str, Piece] = {} if known is None else known
        """Where each chunk of that table is."""
        self.inventory: tuple[Piece, ...] | None = None if known is None else tuple(known.values())
        """All chunks there are, where a table of them was given."""
        self._begin()  # from here on of what was retrieved
        self.lists: dict[str, tuple[Piece, ...]] = self._lists(rows, known)
        """For each query its pieces, best first."""
        of_texts = () if self._documents is None else self._documents.notes
        self.notes: tuple[str, ...] = (*rows.notes, *self._said(), *of_texts)
        """What was recognised or repaired while reading."""

    @classmethod
    def of(cls, obj: Any, **options: Unpack[ChunkOptions]) -> Self:
        """Pieces from whatever holds them, or the same where they are pieces already."""
        return obj if isinstance(obj, cls) else cls(obj, **options)

    def __repr__(self) -> str:
        told = ("<Chunks {!r}: {:,} pieces for {:,} queries>", "<Chunks {!r}：{:,} 个文本块，{:,} 个查询>")
        return str(in_language(composed(*told, self.name, sum(map(len, self.lists.values())), len(self.lists))))

    def within(self, budget: int | str, *, tokenizer: Any = None) -> Self:
        """The same lists, each cut where the next piece would no longer fit into a budget of context.

        The budget is a text such as 4000c (characters) or 2000t (tokens, which need the documents); a number is one of
        characters, or of tokens beside a `tokenizer`. A piece that is there twice is paid for twice.

        >>> Chunks({"q": [("d", 0, 200), ("d", 100, 300), ("e", 0, 50)]}).within(420).lists
        {'q': (Piece(doc_id='d', start=0, end=200), Piece(doc_id='d', start=100, end=300))}
        """
        limit = _limit(budget, tokenizer)
        pieces = list(dict.fromkeys(piece for each in self.lists.values() for piece in each))
        prices = prices_of(self, pieces, tokenizer=tokenizer).of(limit.unit).tolist()
        cost = dict(zip(pieces, prices, strict=True))
        cut = copy(self)
        cut.lists = {query: _fitting(each, cost, limit.limit) for query, each in self.lists.items()}
        return cut

    def texts_of(self, pieces: Sequence[Piece], documents: Documents | None = None) -> list[str]:
        """What pieces say; `documents` are read where there are none of its own."""
        documents = documents if self._documents is None else self._documents
        whole: dict[str | None, str] = {None: "".join(self._strays)}
        if documents is not None:
            whole.update(documents.texts)
        out = []
        for piece in pieces:
            if piece.doc_id in whole:
                out.append(whole[piece.doc_id][piece.start : piece.end])
            elif piece in self._said_of:
                out.append(self._said_of[piece])
            elif documents is None:
                raise ParameterError(
                    Text(
                        "tokens are counted in the text of pieces, and these have offsets only. Pass documents=…, the "
                        "texts by id.",
                        "词元要在文本块的文字中计数，而这里只有偏移。请传入 documents=…，即按 id 给出的文本。",
                    )
                )
            else:
                raise InputError(
                    Text(
                        f"tokens are counted in the text of pieces, and document {show(piece.doc_id)} of one is not "
                        "among the documents.",
                        f"词元要在文本块的文字中计数，而文档 {show(piece.doc_id)} 不在给出的文档中。",
                    )
                )
        return out

    # reading

    def _begin(self) -> None:
        """Counts texts from here on: to be located, in no document, in several places; with offsets, not at them."""
        self._sought = self._nowhere = self._several = 0
        self._told = self._moved = 0
        self._placeless = 0  # results that are neither text nor place

    def _table(self, rows: OffsetRows) -> dict[str, Piece]:
        """Where each chunk is, by its id."""
        if "doc_id" not in rows.frame.columns and "text" not in rows.frame.columns:
            raise _lacks(rows)
        out: dict[str, Piece] = {}
        problems: list[str] = []
        for i, row in enumerate(rows.frame.iter_rows(named=True)):
            piece = self._piece(row, rows, i, problems)
            name = row["chunk_id"]
            if out.setdefault(name, piece) != piece:
                problems.append(
                    _problem(
                        rows,
                        i,
                        f"chunk {show(name)} is there twice, in two places.",
                        f"文本块 {show(name)} 出现两次，且位置不同。",
                    )
                )
        if problems:
            raise InputError.collect(about(rows.where), problems)
        return out

    def _lists(self, rows: OffsetRows, known: Mapping[str, Piece] | None) -> dict[str, tuple[Piece, ...]]:
        import polars as pl

        frame = rows.frame.with_row_index("#")
        names = set(frame.columns)
        if known is not None and "doc_id" in names and not names & {"chunk_id", "start"}:
            frame = frame.rename({"doc_id": "chunk_id"})  # a run calls its results documents, whatever they are
        if known is None and self._documents is not None and names <= {"#", "query_id", "chunk_id", "score"}:
            frame = frame.rename({"chunk_id": "text"}, strict=False)  # lists of texts
        if known is None and not {"doc_id", "text"} & set(frame.columns):
            if "chunk_id" in frame.columns:
                raise ParameterError(
                    Text(
                        "chunk ids say nothing of where chunks are. Pass chunks=…, a table of chunk_id, doc_id, start, "
                        "end (rg.Chunks takes it).",
                        "只有文本块 id，无法知道它们在哪里。请传入 chunks=…，表中有 chunk_id、doc_id、start、end"
                        "（由 rg.Chunks 读取）。",
                    )
                )
            raise _lacks(rows)
        if "score" in frame.columns:  # what is no number comes last
            by = pl.col("score").fill_nan(-np.inf).fill_null(-np.inf)
            frame = frame.sort(by, descending=True, maintain_order=True)
        out: dict[str, list[Piece]] = {q: [] for q in rows.frame.get_column("query_id").unique(maintain_order=True)}
        problems: list[str] = []
        for row in frame.iter_rows(named=True):
            if all(row.get(name) is None for name in ("chunk_id", "doc_id", "start", "text")):
                continue  # an empty list
            if known is None or row.get("chunk_id") is None:
                piece = self._piece(row, rows, row["#"], problems)
            else:
                found = known.get(row["chunk_id"])
                if found is None:
                    problems.append(_unknown(rows, row["#"], row["chunk_id"]))
                    continue
                piece = found
            out[row["query_id"]].append(piece)
            if self._documents is not None and piece.doc_id is not None and piece.doc_id not in self._documents:
                self.unknown[piece.doc_id] = self.unknown.get(piece.doc_id, 0) + 1
        if problems:
            raise InputError.collect(about(rows.where), problems)
        return {query: tuple(pieces) for query, pieces in out.items()}

    def _piece(self, row: Mapping[str, Any], rows: OffsetRows, i: int, problems: list[str]) -> Piece:
        doc, start, end, text = (row.get(name) for name in ("doc_id", "start", "end", "text"))
        if doc is not None and start is not None and end is None and text is not None:
            end = start + len(text)
        if self._is_elsewhere(text, doc, start, end):
            start = end = None
        if doc is not None and start is not None and end is not None:
            if end <= start:
                problems.append(
                    _problem(
                        rows,
                        i,
                        f"an interval must end behind its start, got [{start}, {end}).",
                        f"区间的终点必须在起点之后，实际为 [{start}, {end})。",
                    )
                )
            elif self._documents is not None and end > self._documents.lengths.get(doc, end):
                length = self._documents.lengths[doc]
                problems.append(
                    _problem(
                        rows,
                        i,
                        f"[{start}, {end}) must end within document {show(doc)}, which has {length:,} characters.",
                        f"[{start}, {end}) 超出了文档 {show(doc)}，它只有 {length:,} 个字符。",
                    )
                )
            piece = Piece(doc, start, end)
            if text is not None:
                self._said_of[piece] = text
            return piece
        if doc is not None and start is end is text is None and self._documents is not None and doc in self._documents:
            return Piece(doc, 0, self._documents.lengths[doc])  # the whole of it
        if text is None or (text and self._documents is None):
            problems.append(
                _problem(
                    rows,
                    i,
                    "must have doc_id, start and end, or a text and documents to locate it in.",
                    "必须有 doc_id、start 和 end，或有文本以及用来定位的文档。",
                )
            )
            return Piece(None, 0, 0)
        is_text = bool(text)
        self._sought += is_text
        self._placeless += not is_text
        found = self._places(text, doc) if text else ()
        if not found:
            self._nowhere += is_text
            self._keep(row, text)
            start = self._astray
            self._strays.append(text)
            self._astray += len(text)
            return Piece(None, start, self._astray)
        self._several += len(found) > 1
        return Piece(found[0].doc_id, found[0].start, found[0].end)

    @property
    def n_sought(self) -> int:
        """How many retrieved texts were looked for, one that is retrieved for several queries as often."""
        return self._sought

    def _keep(self, row: Mapping[str, Any], text: str) -> None:
        """Remembers a text that was found nowhere."""
        if text and "query_id" in row:
            self.not_located.append(Located.of(row["query_id"], text, ()))

    def _is_elsewhere(self, text: str | None, doc: str | None, start: int | None, end: int | None) -> bool:
        """Whether offsets hold another text than the piece says."""
        if doc is None or start is None or end is None or end <= start or text is None or not text.strip():
            return False
        if self._documents is None or doc not in self._documents:
            return False
        self._told += 1
        is_other = not self._documents.says(text, doc, start, end)
        self._moved += is_other
        return is_other

    def _places(self, text: str, doc: str | None) -> tuple[Found, ...]:
        """Where a text stands; the same piece is retrieved for many queries."""
        assert self._documents is not None
        doc = doc if doc in self._documents else None
        if (text, doc) not in self._found:
            self._found[text, doc] = tuple(self._documents.locate(text, doc, least=self._least))
        return self._found[text, doc]

    def _said(self) -> list[Text]:
        out = []
        if (n := self._placeless) and self.collected is None:  # else it is told with what a retriever gave
            (one, many, some), said = ODD["without_place"]
            out.append(Text(f"{n:,} {one if n == 1 else many} {said.en}", f"{n:,} {some}{said.zh}"))
        n = self._told
        if count := self._moved:
            out.append(
                Text(
                    f"{count:,} of {n:,} retrieved texts do not stand at their offsets: they are located by their text",
                    f"检索到的 {n:,} 段文本中有 {count:,} 段不在所给的偏移处：按文本定位",
                )
            )
        if count := sum(self.unknown.values()):
            n, first = sum(map(len, self.lists.values())), show(next(iter(self.unknown)))
            pieces = "piece is" if n == 1 else "pieces are"
            out.append(
                Text(
                    f"{count:,} of {n:,} {pieces} of documents that are not among those given, such as {first}: they "
                    "cover nothing",
                    f"{n:,} 个文本块中有 {count:,} 个所属的文档不在给出的文档中，如 {first}：它们不覆盖任何内容",
                )
            )
        n = self._sought
        if count := self._nowhere:
            out.append(
                Text(
                    f"{count:,} of {n:,} retrieved texts were found in no document: they cover nothing",
                    f"检索到的 {n:,} 段文本中有 {count:,} 段在文档中没有找到：它们不覆盖任何内容",
                )
            )
        if count := self._several:
            out.append(
                Text(
                    f"{count:,} of {n:,} retrieved texts stand in more than one place: the first is taken",
                    f"检索到的 {n:,} 段文本中有 {count:,} 段出现在多处：取第一处",
                )
            )
        return out


def prices_of(
    chunks: Chunks, pieces: Sequence[Piece], *, documents: Documents | None = None, tokenizer: Any = None
) -> Prices:
    """What pieces cost, in characters and tokens; `documents` are read where the chunks have none of their own."""
    lengths = np.array([piece.cost for piece in pieces], dtype=np.int64)
    return Prices(lengths, lambda: chunks.texts_of(pieces, documents), tokenizer)


def _own_name(given: Any) -> str:
    """A file is called as it is."""
    return stem(path_of(given)) if isinstance(given, (str, PathLike)) else "run"


def _limit(budget: Any, tokenizer: Any) -> Budget:
    """The budget of `within`: a text, or a number of characters, of tokens beside a tokenizer."""
    if not isinstance(budget, (str, Budget)):
        limit = whole("budget", budget, at_most=MOST, caller="within")
        return Budget(limit, "c" if tokenizer is None else "t")
    try:
        return Budget.of(budget)
    except ValueError as e:
        must: Text = e.args[0]
        raise ParameterError(
            Text(
                f"within: `budget` {must}, got {show(budget)}.", f"within：`budget` {must.zh}，实际为 {show(budget)}。"
            )
        ) from None


def _fitting(pieces: Sequence[Piece], cost: Mapping[Piece, int], limit: int) -> tuple[Piece, ...]:
    """The longest beginning of a list that costs no more than the limit."""
    spent = 0
    for i, piece in enumerate(pieces):
        spent += cost[piece]
        if spent > limit:
            return tuple(pieces[:i])
    return tuple(pieces)


def _problem(rows: OffsetRows, i: int, en: str, chinese: str) -> Text:
    place = rows.position(i)
    return Text(f"{place}: {en}", f"{zh(place)}：{chinese}")


def _unknown(rows: OffsetRows, i: int, name: str) -> Text:
    return _problem(
        rows, i, f"chunk {show(name)} is not in the table of chunks.", f"文本块 {show(name)} 不在文本块表中。"
    )


def _lacks(rows: OffsetRows) -> InputError:
    found = ", ".join(map(show, rows.frame.columns))
    return InputError(
        Text(
            f"{rows.where} must have doc_id, start and end, a chunk_id, or a text to be located. Found: {found}.",
            f"{zh(rows.where)}必须有 doc_id、start 和 end，或有 chunk_id，或有要定位的文本。找到：{found}。",
        )
    )
