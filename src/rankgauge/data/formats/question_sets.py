"""Sets of questions in files of their own shape: what is asked, what answers it, and the documents that hold it.

One reading serves every kind of table: judgements (which documents), spans (where in them), questions, texts. A format
of such files says how it is recognised and makes a `QuestionSet`; `question_format` does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from rankgauge._show import show_all
from rankgauge._text import Text
from rankgauge.data.formats.base import Content, Format, Keyed, Loaded, Options, register
from rankgauge.data.formats.opening import Source

__all__ = ["QuestionSet", "of_whole_documents", "question_format"]

Entry = Mapping[str, Any]
"""A part of a document, as `rg.Spans` reads it: doc_id, start and end, or text; need, alternative, grade."""


@dataclass(eq=False)
class QuestionSet(Keyed):
    """For each question the parts of documents that answer it; none where nothing does."""

    rows: Mapping[str, Sequence[Entry]]
    queries: Mapping[str, str] = field(default_factory=dict)
    """What is asked, by the id of the question."""
    documents: Mapping[str, str] | None = None
    """Texts by id, where the set has them."""
    notes: tuple[str, ...] = ()
    judged: Mapping[str, Mapping[str, float]] | None = None
    """Grades of documents as they are given, those of no use as well; else those that hold an answer are relevant."""


def of_whole_documents(
    grades: Mapping[str, Mapping[str, float]],
    asked: Mapping[str, str],
    documents: Mapping[str, str] | None,
    notes: Sequence[str] = (),
) -> QuestionSet:
    """Questions with judged documents, each relevant as a whole; without their texts they are named only."""
    rows: dict[str, list[Entry]] = {}
    absent: dict[str, None] = {}
    for query, each in grades.items():
        entries = rows.setdefault(query, [])
        for doc, grade in each.items():
            if grade <= 0:
                continue
            if documents is None:
                entries.append({"doc_id": doc, "grade": float(grade)})
            elif text := documents.get(doc):
                entries.append({"doc_id": doc, "start": 0, "end": len(text), "grade": float(grade)})
            else:
                absent[doc] = None
    said = tuple(notes)
    if absent:
        n, named = len(absent), show_all(list(absent)[:3])
        are = "relevant document has" if n == 1 else "relevant documents have"
        said += (
            Text(
                f"{n:,} {are} no text in the corpus and cannot be needed: {named}",
                f"{n:,} 个相关文档在语料中没有文本，不计入需要的内容：{named}",
            ),
        )
    return QuestionSet(rows, {q: asked.get(q, "") for q in rows}, documents, said, grades)


def question_format(
    name: str, matches: Callable[[Source], bool], made: Callable[[Source], QuestionSet], *, order: int
) -> Format:
    """A format that holds questions, registered."""

    def set_of(source: Source) -> QuestionSet:
        if not isinstance(source.value, QuestionSet):
            found = made(source)
            if not found.queries:
                raise source.error(Text("holds no questions.", "中没有问题。"))
            source.value = found
        return source.value

    def read(source: Source, options: Options) -> Loaded:
        found = set_of(source)
        grades = found.judged or {q: {e["doc_id"]: 1.0 for e in entries} for q, entries in found.rows.items()}
        triples = [(q, d, float(g)) for q, each in grades.items() for d, g in each.items()]
        if not triples:
            raise source.error(Text("says of no question what answers it.", "中没有任何问题标明了答案。"))
        frame = pl.DataFrame(triples, schema=["query_id", "doc_id", "grade"], orient="row")
        note = Text(
            "a document that holds an answer is relevant (grade 1); rg.Spans(…) judges by the answers themselves",
            "含有答案的文档为相关文档（等级为 1）；rg.Spans(…) 按答案本身评判",
        )
        return Loaded(frame, name, found.notes if found.judged else (note,))

    def open_(source: Source) -> Content:
        found = set_of(source)
        return Keyed(found.documents or {}) if source.kind == "texts" else found

    kinds = ("qrels", "questions", "spans", "texts")
    made_format = Format(name, (), matches, read, kinds=kinds, open=open_, order=order, is_particular=True)
    register(made_format)
    return made_format
