"""The file that a collection can be taken up from: one line of JSON for each answer, written when it is there.

    {"rankgauge": "…", "kind": "collection", "retriever": "bm25", "k": 20, "id": null, "begun": 1763…, …}
    {"id": "q1", "query": "…", "start": …, "seconds": …, "attempts": 1, "outcome": "ok", "ids": […], "scores": […]}

A failure is an answer as well; a session with `retries` asks it again, and its last line is the one that counts.
Each session begins with a line of the first kind. Lines are only added, so that the file is right whenever its writer
ends; a last line without its end was being written then, and is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from rankgauge._output import appending
from rankgauge._show import show
from rankgauge._text import Text, composed
from rankgauge._version import __version__
from rankgauge.collection.attempts import Answer
from rankgauge.collection.pieces import Part
from rankgauge.collection.results import Listed
from rankgauge.data.collected import FAILED, OUTCOMES, Call
from rankgauge.errors import InputError, ParameterError, reason
from rankgauge.integrations.retrievers import Query

__all__ = ["Head", "Journal"]


class Head(msgspec.Struct, omit_defaults=True):
    """What a session asks, as its first line says."""

    rankgauge: str
    kind: str
    retriever: str
    k: int
    id: str | None
    begun: float
    pieces: bool = False
    """Whether answers say which parts of documents they are."""
    source: str = ""
    """Where the retriever is defined: others may have the same name."""


class _Line(msgspec.Struct, omit_defaults=True):
    id: str
    query: str
    start: float
    seconds: float
    attempts: int
    outcome: str
    error: str = ""
    ids: list[str] = []
    scores: list[float] | None = None
    odd: dict[str, int] = {}
    stages: dict[str, float] = {}
    parts: list[Part] | None = None
    paused: float = 0.0
    spent: dict[str, float] = {}
    calls: list[Call] | None = None


class Journal:
    """What the file holds of earlier sessions, and where new answers go."""

    def __init__(
        self,
        path: Path,
        retriever: str,
        k: int,
        id: str | None,
        begun: float,
        *,
        pieces: bool = False,
        source: str = "",
    ) -> None:
        self.path = path
        self.head = Head(__version__, "collection", retriever, k, id, begun, pieces, source)
        self.sessions: list[float] = []
        self.answers: dict[str, Answer] = {}
        """By the id of the query; the first one counts, unless it is a failure that was asked again."""
        self._size, self._whole = self._read()

    def _read(self) -> tuple[int, int]:
        """Takes in what is there: how many bytes, and how many of them are whole lines."""
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return 0, 0
        except OSError as e:
            raise InputError(
                composed("cannot read {}: {}.", "无法读取 {}：{}。", show(str(self.path)), reason(e))
            ) from e
        whole = content.rfind(b"\n") + 1
        if not whole and content and not content.startswith(b'{"rankgauge"'[: len(content)]):
            raise self._strange(1)
        for number, line in enumerate(content[:whole].splitlines(), 1):
            self._take(line, number)
        return len(content), whole

    def _take(self, line: bytes, number: int) -> None:
        try:
            if number == 1 or line.startswith(b'{"rankgauge"'):
                self._same(msgspec.json.decode(line, type=Head))
                return
            x = msgspec.json.decode(line, type=_Line)
        except msgspec.MsgspecError as e:
            raise self._strange(number) from e
        if x.outcome not in OUTCOMES or any(
            each is not None and len(each) != len(x.ids) for each in (x.scores, x.parts)
        ):
            raise self._strange(number)
        found = Listed(x.ids, x.scores, x.odd, x.stages, x.parts, x.spent, x.calls)
        query = Query(x.id, x.query)
        answer = Answer(query, x.start, x.seconds, x.attempts, x.outcome, x.error, found, x.paused)
        if x.id not in self.answers or self.answers[x.id].outcome in FAILED:
            self.answers[x.id] = answer

    def _strange(self, number: int) -> InputError:
        instead = Text("Name another file.", "请换一个文件名。")
        if number > 1:
            instead = Text(
                "Delete this line, and its query is asked again; or name another file.",
                "请删除这一行（对应的查询会重新询问），或换一个文件名。",
            )
        return InputError(
            Text(
                f"{show(str(self.path))}, line {number:,}: must be what rg.collect(resume=…) wrote, and is not. "
                f"{instead}",
                f"{show(str(self.path))} 第 {number:,} 行：必须是 rg.collect(resume=…) 写出的内容，实际不是。"
                f"{instead.zh}",
            )
        )

    def _same(self, head: Head) -> None:
        """One file holds the lists of one retriever, asked in one way."""
        if head.kind != self.head.kind:
            raise msgspec.ValidationError("another kind of file")
        for name in ("retriever", "k", "id", "pieces"):
            before, now = getattr(head, name), getattr(self.head, name)
            if before != now:
                raise ParameterError(
                    Text(
                        f"{show(str(self.path))} was collected with {name}={show(before)}, and cannot be taken up with "
                        f"{name}={show(now)}. Name another file.",
                        f"{show(str(self.path))} 是用 {name}={show(before)} 收集的，不能用 {name}={show(now)} 继续。"
                        "请换一个文件名。",
                    )
                )
        if head.source and self.head.source and head.source != self.head.source:
            before, now = head.source, self.head.source
            raise ParameterError(
                Text(
                    f"{show(str(self.path))} holds the answers of {show(before)}, and {show(now)} is asked now. Name "
                    "another file; or remove this one, to ask everything again.",
                    f"{show(str(self.path))} 中是 {show(before)} 的结果，而现在询问的是 {show(now)}。"
                    "请换一个文件名；或删除该文件，重新询问。",
                )
            )
        self.sessions.append(head.begun)

    def known(self, queries: Mapping[str, str]) -> dict[str, Answer]:
        """The answers to these queries; one that was asked with other words, or cannot be written down, is an error."""
        for q, text in queries.items():
            if any("\ud800" <= c <= "\udfff" for c in text):
                raise InputError(
                    Text(
                        f"query {show(q)} must be a text that can be written to {show(str(self.path))}, and holds half "
                        "a character (a lone surrogate). Mend it, or leave `resume` out.",
                        f"查询 {show(q)} 必须是可以写入 {show(str(self.path))} 的文本，而其中有半个字符（单独的代理码"
                        "位）。请更正，或去掉 `resume`。",
                    )
                )
        found = {q: self.answers[q] for q in queries if q in self.answers}
        for q, answer in found.items():
            if answer.query.text != queries[q]:
                raise InputError(
                    Text(
                        f"{show(str(self.path))}: query {show(q)} must be the one that was asked, "
                        f"{show(answer.query.text)}, got {show(queries[q])}. Name another file.",
                        f"{show(str(self.path))}：查询 {show(q)} 必须是当时所问的 {show(answer.query.text)}，实际为 "
                        f"{show(queries[q])}。请换一个文件名。",
                    )
                )
        return found

    @contextmanager
    def writing(self) -> Iterator[Callable[[Answer], None]]:
        """A session: its first line, then each answer as it comes."""
        encoder = msgspec.json.Encoder()
        with appending(self.path, self._size, self._whole) as write:
            write(encoder.encode(self.head) + b"\n")
            self.sessions.append(self.head.begun)
            yield lambda answer: write(encoder.encode(_line(answer)) + b"\n")


def _line(a: Answer) -> _Line:
    x = a.list
    asked = (a.query.id, a.query.text, a.start, a.seconds, a.attempts, a.outcome, a.error)
    return _Line(*asked, x.ids, x.scores, x.odd, x.stages, x.parts, a.paused, x.spent, x.calls)
