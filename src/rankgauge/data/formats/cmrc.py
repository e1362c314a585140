"""CMRC 2018 as it was first released: paragraphs with questions, and answers as texts without offsets.

    [{"context_id": "DEV_0", "context_text": …, "qas": [
        {"query_id": "DEV_0_QUERY_0", "query_text": …, "answers": [text, …]}]}]

The layout of SQuAD, in which it is also given, is read by `squad.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from rankgauge._text import Text
from rankgauge.data.formats.json import decode
from rankgauge.data.formats.opening import Source
from rankgauge.data.formats.question_sets import QuestionSet, question_format
from rankgauge.data.formats.squad import Paragraphs

__all__ = ["FORMAT", "matches"]


def matches(source: Source) -> bool:
    """A list of paragraphs under its names."""
    return source.head.lstrip()[:1] == b"[" and b'"context_text"' in source.head and b'"qas"' in source.head


def made(source: Source) -> QuestionSet:
    out = Paragraphs(source.error)
    for i, paragraph in enumerate(decode(source)):
        where = f"[{i}]"
        qas = out.list_of(paragraph, "qas", where)
        doc = out.document(paragraph.get("context_text"), paragraph.get("context_id"), where)
        for j, qa in enumerate(qas):
            here = f"{where}.qas[{j}]"
            answers = out.list_of(qa, "answers", here)
            query = out.question(qa.get("query_id"), qa.get("query_text"), here)
            for n, answer in enumerate(answers):
                if isinstance(answer, Mapping):
                    raise out.wrong(f"{here}.answers[{n}]", Text("must be a text", "必须是文本"), answer)
                out.answer(query, doc, answer, None, f"{here}.answers[{n}]")
    return out.made()


FORMAT = question_format("cmrc", matches, made, order=4)
