"""DuReader 1.0 and 2.0: a question with the documents that a search engine found for it, one on each line.

    {"question_id": 1, "question": …, "answers": […], "documents": [
        {"title": …, "is_selected": true, "most_related_para": 0, "paragraphs": [text, …]}]}

Answers are written by people and stand in no document. What answers a question is the `fake_answers` of prepared files
(the passage that is nearest to an answer), else the most related paragraph of each document that was selected: each is
an alternative. The newer sets (robust, checklist) have the layout of SQuAD.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankgauge._text import Text
from rankgauge.data.formats.jsonl import records_of
from rankgauge.data.formats.opening import Source
from rankgauge.data.formats.question_sets import QuestionSet, question_format
from rankgauge.data.formats.squad import Paragraphs

__all__ = ["FORMAT", "matches"]

_NAMES = (b'"question_id"', b'"documents"', b'"paragraphs"')


def matches(source: Source) -> bool:
    """Lines with a question and its documents in paragraphs."""
    return source.head.lstrip()[:1] == b"{" and all(name in source.head for name in _NAMES)


def made(source: Source) -> QuestionSet:
    out = Paragraphs(source.error)
    records, line = records_of(source)
    source.value = None  # the lines; what they make is kept instead
    for i, record in enumerate(records):
        where = f"line {line(i)}"
        query = out.question(record.get("question_id"), record.get("question"), where)
        documents = [
            _Document(out, d, f"{query}-{j}", f"{where}: documents[{j}]")
            for j, d in enumerate(_all(out, record, "documents", where))
        ]
        fake, of = record.get("fake_answers"), record.get("answer_docs")
        if isinstance(fake, list) and isinstance(of, list) and fake:
            for text, number in zip(fake, of, strict=False):
                if isinstance(number, int) and 0 <= number < len(documents):
                    out.answer(query, documents[number].name, text, None, where)
            continue
        for d in documents:
            d.add_related(query)
    return out.made()


class _Document:
    """A document of paragraphs, as one text."""

    def __init__(self, out: Paragraphs, given: Any, name: str, where: str) -> None:
        parts = _all(out, given, "paragraphs", where)
        if not all(isinstance(p, str) for p in parts):
            raise out.wrong(where, Text("paragraphs must be texts", "段落必须是文本"), parts)
        self.out, self.given, self.parts, self.where = out, given, parts, where
        self.name = out.document("\n".join(parts) or " ", name, where)

    def add_related(self, query: str) -> None:
        """The most related paragraph, where the document was selected."""
        number = self.given.get("most_related_para", 0)
        if (
            self.given.get("is_selected") is not True
            or not isinstance(number, int)
            or not 0 <= number < len(self.parts)
        ):
            return
        start = sum(len(p) + 1 for p in self.parts[:number])
        self.out.answer(query, self.name, self.parts[number], start, self.where)


def _all(out: Paragraphs, part: Any, name: str, where: str) -> list[Any]:
    if not isinstance(part, Mapping):
        raise out.wrong(where, Text("must be an object", "必须是对象"), part)
    return out.list_of(part, name, where)


FORMAT = question_format("dureader", matches, made, order=4)
