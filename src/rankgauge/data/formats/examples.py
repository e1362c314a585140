"""Examples as LangSmith, Phoenix and Langfuse export their datasets: an input, what is expected of it, metadata.

    {"id": …, "inputs": {"question": …}, "outputs": {…}, "metadata": {…}}                LangSmith
    {"data": {"examples": [{"id": …, "input": {…}, "output": {…}, "metadata": {…}}]}}     Phoenix
    {"data": [{"id": …, "input": …, "expectedOutput": …, "metadata": {…}}]}               Langfuse

Lists, lines and tables of them alike; in tables the parts may be written as JSON. Each becomes one flat record: the
question is in the input, and what is relevant stands in any of the parts under a name that questions have
(docs/rag.md). The expected answer alone says nothing of what should be retrieved.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from rankgauge._text import Text
from rankgauge.data.columns import fold
from rankgauge.data.formats import json as as_json
from rankgauge.data.formats import jsonl, table
from rankgauge.data.formats.base import Content, Format, register
from rankgauge.data.formats.json import Listed, decode
from rankgauge.data.formats.opening import Source

__all__ = ["FORMAT", "flat", "matches"]

_INPUT = ("inputs", "input")
_OUTPUT = ("outputs", "expectedoutput", "output", "referenceoutputs")
_ID = ("id", "exampleid", "datasetitemid")
_FIELD = re.compile(rb'"(\w+)"\s*:')
_QUESTIONS = ("question", "query", "user_input", "input", "text", "prompt")


def matches(source: Source) -> bool:
    """Objects, or a table, with an input and an output."""
    if source.path.is_dir() or source.names:
        return False
    if source.begins_object:
        names = {fold(name.decode()) for name in _FIELD.findall(source.head)}
    else:
        first = (source.first_lines(1) or [""])[0]
        names = {fold(name.strip().strip('"')) for name in re.split(r"[,\t]", first)}
    return any(name in names for name in _INPUT) and any(name in names for name in _OUTPUT)


def open_(source: Source) -> Content:
    """The examples as flat records."""
    return Listed.of([flat(record) for record in _examples(source)], source.error)


def _examples(source: Source) -> Iterator[Mapping[str, Any]]:
    if not source.begins_object:
        is_tabbed = "\t" in (source.first_lines(1) or [""])[0]
        yield from (table.TSV if is_tabbed else table.CSV).opened(source).read().to_dicts()
        return
    if as_json.is_lines(source):
        yield from jsonl.records_of(source)[0]
        return
    value = decode(source)
    for name in ("data", "examples", "items"):  # what an interface answers
        if isinstance(value, Mapping) and name in value:
            value = value[name]
    if isinstance(value, Mapping) and any(fold(str(name)) in _INPUT for name in value):
        value = [value]  # one example
    if not isinstance(value, Sequence) or not all(isinstance(x, Mapping) for x in value):
        raise source.error(
            Text("must hold a list of examples, each an object.", "必须是样例的列表，每个样例是一个对象。")
        )
    yield from value


def flat(example: Mapping[str, Any]) -> dict[str, Any]:
    """One record of what an example says in its parts.

    >>> flat({"id": 7, "inputs": {"question": "how?"}, "outputs": {"answer": "so"}, "metadata": {"gold": ["d1"]}})
    {'gold': ['d1'], 'answer': 'so', 'question': 'how?', 'id': 7}
    """
    parts = {fold(str(name)): _read(value) for name, value in example.items()}
    asked, expected = (next((parts[n] for n in names if parts.get(n) is not None), None) for names in (_INPUT, _OUTPUT))
    out: dict[str, Any] = {}
    for part in (parts.get("metadata"), expected):
        out |= part if isinstance(part, Mapping) else {}
    if isinstance(asked, Mapping):
        out |= asked
        if not any(isinstance(asked.get(name), str) for name in _QUESTIONS):
            texts = [value for value in asked.values() if isinstance(value, str)]
            said = _said(asked.get("messages")) or (texts[0] if len(texts) == 1 else None)
            out |= {} if said is None else {"question": said}
    else:
        out["question"] = _said(asked) if isinstance(asked, list) else asked
    for name in _ID:
        if parts.get(name) is not None:
            return out | {"id": parts[name]}
    return out


def _said(messages: Any) -> str | None:
    """What the user says last in a conversation."""
    said: list[Any] = messages if isinstance(messages, list) else []
    for message in reversed(said):
        if isinstance(message, Mapping) and message.get("role", message.get("type")) in ("user", "human"):
            content = message.get("content")
            return content if isinstance(content, str) else None
    return None


def _read(value: Any) -> Any:
    """A part that a table holds as text."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        with suppress(ValueError):
            return json.loads(value)
    return value


FORMAT = Format("examples", (), matches, kinds=("questions", "spans"), open=open_, order=7, is_particular=True)
register(FORMAT)
