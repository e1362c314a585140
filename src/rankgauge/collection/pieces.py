"""Which part of which document a result is, where retrievers give pieces of documents.

    ("d1", 0, 200), ("d1", 0, 200, 0.9)                                document, start, end; a fourth is a score
    {"doc_id": "d1", "start": 0, "end": 200}                           the same under names, also those of packages
    Document(page_content=…, metadata={"source": "d1", "start_index": 0})     start and text have an end as well
    Document(page_content=…), "the text of a chunk"                    text, to be located in the documents
    "d1"                                                               a document as a whole

What a piece says of its place is held against the documents: offsets that do not hold its text count for nothing, and
the text is located instead. A result that tells no place, or one that no document has, is the empty text: it keeps its
place in the list and covers nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rankgauge.collection.fields import METADATA, field_of, is_number, text_of
from rankgauge.data.locating import Documents
from rankgauge.data.spans import Spans

__all__ = ["Part", "PieceReader", "reader_for"]

_STARTS = (
    *("start", "start_index", "start_char_idx", "start_offset", "start_char", "char_start", "split_idx_start"),
    *("begin", "offset"),
)
_ENDS = ("end", "end_index", "end_char_idx", "end_offset", "end_char", "char_end", "split_idx_end", "stop")
_DOCUMENTS = (
    *("doc_id", "document_id", "docid", "docno", "ref_doc_id", "source_id", "corpus_id", "parent_id", "source"),
    *("file_name", "filename", "file_path", "path", "url", "id", "_id", "id_", "node_id"),
)
"""Fields that may name the document, the clearest first; the last are those of the piece, which may be all of one."""


class Part(NamedTuple):
    """What a result says of its place: as much of it as is known and not contradicted by the documents."""

    doc_id: str | None = None
    start: int | None = None
    end: int | None = None
    text: str | None = None
    """Where document and offsets do not say it all."""

    @property
    def name(self) -> str:
        """What it is called in a list."""
        if self.doc_id is not None and self.start is not None:
            return f"{self.doc_id}[{self.start}:{self.end}]"
        return self.text or self.doc_id or "(nowhere)"

    @property
    def entry(self) -> dict[str, Any]:
        """What `rg.Chunks` reads."""
        return {name: value for name, value in self._asdict().items() if value is not None}


@dataclass(frozen=True, eq=False)
class PieceReader:
    """Reads results as pieces of these documents; of whatever they name, where the documents are not known."""

    documents: Documents | None

    def part_of(self, item: Any, id: str | Callable[[Any], Any] | None, odd: dict[str, int]) -> Part:
        """The part that a result is; `id` says where the id of its document is."""
        if isinstance(item, (tuple, list)):
            if len(item) in (3, 4) and _is_offset(item[1]) and _is_offset(item[2]):
                return self._within(str(item[0]), int(item[1]), int(item[2]), odd)
            item = item[0] if len(item) == 2 else None  # with its score
        if item is None or is_number(item) or isinstance(item, str):
            return self._bare("" if item is None else str(item), odd)
        text = text_of(item)
        doc = self._document(item, id)
        start, end = (next((int(x) for x in _each(item, names) if _is_offset(x)), None) for names in (_STARTS, _ENDS))
        if doc is None:
            return _said(Part(None, None, None, text), odd)
        if start is not None and end is None and text is not None:
            end = start + len(text)
        if start is None or end is None:
            return Part(doc, None, None, text) if text else self._whole(doc, odd)
        if text is not None and self._contradicts(doc, start, end, text):
            odd["other_text"] = odd.get("other_text", 0) + 1
            return Part(doc, None, None, text)
        return self._within(doc, start, end, odd)

    def _within(self, doc: str, start: int, end: int, odd: dict[str, int]) -> Part:
        """An interval of a document; no place where it holds nothing or the document is shorter."""
        length = end if self.documents is None else self.documents.lengths.get(doc, end)
        return Part(doc, start, end) if start < end <= length else _nowhere(doc, "outside", odd)

    def _bare(self, said: str, odd: dict[str, int]) -> Part:
        """The id of a document, or a text."""
        if self.documents is not None and said in self.documents:
            return self._whole(said, odd)
        return _said(Part(None, None, None, said or None), odd)

    def _whole(self, doc: str, odd: dict[str, int]) -> Part:
        if self.documents is None:
            return _said(Part(doc), odd)
        return self._within(doc, 0, self.documents.lengths[doc], odd)

    def _document(self, item: Any, id: str | Callable[[Any], Any] | None) -> str | None:
        """The document that a result names, of those that are known."""
        named = iter([id(item)]) if callable(id) else _each(item, _DOCUMENTS if id is None else (id,))
        known = self.documents
        return next((str(x) for x in named if x is not None and (known is None or str(x) in known)), None)

    def _contradicts(self, doc: str, start: int, end: int, text: str) -> bool:
        return self.documents is not None and not self.documents.says(text, doc, start, end)


def reader_for(gold: Any) -> PieceReader | None:
    """Who reads results where gold is spans: they are held against its documents, where these are known; else None."""
    return PieceReader(gold.documents) if isinstance(gold, Spans) else None


def _said(part: Part, odd: dict[str, int]) -> Part:
    """The same, counted where nothing tells where it is."""
    return part if part.text else _nowhere(part.doc_id, "without_place", odd)


def _nowhere(doc: str | None, word: str, odd: dict[str, int]) -> Part:
    """A result that keeps its place and covers nothing: the empty text stands for it."""
    odd[word] = odd.get(word, 0) + 1
    return Part(doc, None, None, "")


def _each(item: Any, names: tuple[str, ...]) -> Iterator[Any]:
    """What a result, its node (LlamaIndex) and their metadata have under each of these names."""
    parts = [item, getattr(item, "node", None)]
    parts += [inside for part in parts if isinstance(inside := field_of(part, METADATA), Mapping)]
    for name in names:
        for part in parts:
            if part is not None and (found := field_of(part, (name,))) is not None:
                yield found


def _is_offset(value: Any) -> bool:
    return is_number(value) and value == int(value) and value >= 0
