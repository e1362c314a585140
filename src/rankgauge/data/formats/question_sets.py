"""Sets of questions in files of their own shape: what is asked, what answers it, and the documents that hold it.

One reading serves every kind of table: judgements (which documents), spans (where in them), questions, texts. A format
of such files says how it is recognised and makes a `QuestionSet`; `question_format` does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from rankgauge._text import Text
from rankgauge.data.formats.base import Content, Format, Keyed, Loaded, Options, register
from rankgauge.data.formats.opening import Source

__all__ = ["QuestionSet", "question_format"]

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
