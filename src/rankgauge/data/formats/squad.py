"""Questions on paragraphs with the offsets of their answers: SQuAD, and DRCD, CMRC 2018, DuReader robust in its layout.

    {"data": [{"title": …, "paragraphs": [{"context": …, "qas": [
        {"id": …, "question": …, "answers": [{"text": …, "answer_start": 120}]}]}]}]}

A paragraph is a document. Answers are alternatives of one need: any of them will do. An answer that does not stand at
its offset is located by its text, which a note counts. A question that cannot be answered needs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data.formats.json import decode
from rankgauge.data.formats.opening import Source
from rankgauge.data.formats.question_sets import QuestionSet, question_format
from rankgauge.errors import InputError

__all__ = ["FORMAT", "Paragraphs", "matches"]


def matches(source: Source) -> bool:
    """An object with paragraphs, and questions on them."""
    head = source.head
    return head.lstrip()[:1] == b"{" and b'"paragraphs"' in head and (b'"qas"' in head or b'"context"' in head)


class Paragraphs:
    """A set of questions while its paragraphs are read."""

    def __init__(self, error: Callable[[str], InputError]) -> None:
        self.error = error
        self.documents: dict[str, str] = {}
        self.queries: dict[str, str] = {}
        self.rows: dict[str, list[dict[str, Any]]] = {}
        self._answers = self._moved = 0
        self._by_text: dict[str, str] = {}

    def document(self, text: Any, name: Any, where: str) -> str:
        """The id of a paragraph; the same text is the same paragraph."""
        if not isinstance(text, str) or not text:
            raise self.wrong(where, Text("the paragraph must be a text", "段落必须是文本"), text)
        wanted = str(name) if name not in (None, "") else f"p{len(self.documents) + 1}"
        if self.documents.get(wanted, text) != text:  # two paragraphs of one name
            wanted = f"{wanted}-{len(self.documents) + 1}"
        found = self._by_text.setdefault(text, wanted)
        self.documents.setdefault(found, text)
        return found

    def question(self, name: Any, text: Any, where: str) -> str:
        if not isinstance(text, str) or not text.strip():
            raise self.wrong(where, Text("the question must be a text", "问题必须是文本"), text)
        found = str(name) if name not in (None, "") else text
        if self.queries.setdefault(found, text) != text:
            raise self.wrong(where, Text("a question must have an id of its own", "每个问题的 id 必须不同"), found)
        self.rows.setdefault(found, [])
        return found

    def answer(self, query: str, doc: str, text: Any, start: Any, where: str) -> None:
        """An answer; where it does not stand at its offset, it is to be located."""
        if not isinstance(text, str):
            raise self.wrong(where, Text("an answer must be a text", "答案必须是文本"), text)
        if not text.strip():
            return
        entry: dict[str, Any] = {"doc_id": doc, "need": "answer"}
        whole = self.documents[doc]
        is_offset = isinstance(start, int) and not isinstance(start, bool) and start >= 0
        self._answers += 1
        if is_offset and whole[start : start + len(text)] == text:
            entry |= {"start": start, "end": start + len(text), "alternative": f"{doc}[{start}:{start + len(text)}]"}
        else:
            self._moved += start is not None
            entry |= {"text": text, "alternative": f"{doc}: {text}"}
        if entry not in self.rows[query]:
            self.rows[query].append(entry)

    def made(self) -> QuestionSet:
        notes = []
        if self._moved:
            notes.append(
                Text(
                    f"{self._moved:,} of {self._answers:,} answers do not stand at their offsets: they are located by "
                    "their text",
                    f"{self._answers:,} 个答案中有 {self._moved:,} 个不在所给的偏移处：按文本定位",
                )
            )
        return QuestionSet(self.rows, self.queries, self.documents, tuple(notes))

    def wrong(self, where: str, must: Text, got: Any) -> InputError:
        return self.error(Text(f"{where}: {must}, got {show(got)}.", f"{where}：{must.zh}，实际为 {show(got)}。"))

    def list_of(self, part: Any, name: str, where: str) -> list[Any]:
        """What an object has under a name, which must be a list."""
        if not isinstance(part, Mapping):
            raise self.wrong(where, Text("must be an object", "必须是对象"), part)
        found = part.get(name, [])
        if not isinstance(found, list):
            raise self.wrong(f"{where}.{name}", Text("must be a list", "必须是列表"), found)
        return found


def made(source: Source) -> QuestionSet:
    value = decode(source)
    out = Paragraphs(source.error)
    for where, paragraph in _paragraphs(out, value):
        name = paragraph.get("id") or paragraph.get("context_id")
        doc: str | None = None
        for i, qa in enumerate(out.list_of(paragraph, "qas", where)):
            here = f"{where}.qas[{i}]"
            doc = doc or out.document(paragraph.get("context"), name, where)
            answers = out.list_of(qa, "answers", here)
            query = out.question(qa.get("id"), qa.get("question"), here)
            for j, answer in enumerate([] if qa.get("is_impossible") is True else answers):
                if not isinstance(answer, Mapping):
                    raise out.wrong(f"{here}.answers[{j}]", Text("must be an object", "必须是对象"), answer)
                out.answer(query, doc, answer.get("text"), answer.get("answer_start"), f"{here}.answers[{j}]")
        if doc is None:
            out.document(paragraph.get("context"), name, where)
    return out.made()


def _paragraphs(out: Paragraphs, value: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for i, entry in enumerate(out.list_of(value, "data", "data")):
        for j, paragraph in enumerate(out.list_of(entry, "paragraphs", f"data[{i}]")):
            where = f"data[{i}].paragraphs[{j}]"
            out.list_of(paragraph, "qas", where)
            yield where, paragraph


FORMAT = question_format("squad", matches, made, order=4)
