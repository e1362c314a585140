"""Examples as LangSmith, Phoenix and Langfuse export their datasets: an input, what is expected of it, metadata.

    {"id": …, "inputs": {"question": …}, "outputs": {…}, "metadata": {…}}                LangSmith
    {"data": {"examples": [{"id": …, "input": {…}, "output": {…}, "metadata": {…}}]}}     Phoenix
    {"data": [{"id": …, "input": …, "expectedOutput": …, "metadata": {…}}]}               Langfuse

    inputs.question, reference_outputs.gold, metadata.topic                               the same, flattened

Lists, lines and tables of them alike; in tables the parts may be written as JSON. Each becomes one flat record: the
question is in the input, and what is relevant stands in any of the parts under a name that questions have
(docs/rag.md). The expected answer alone says nothing of what should be retrieved. Where there is a reference beside
the output, the output is what a system gave, and not read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from rankgauge._text import Text
from rankgauge.data.both_sides import SIDES
from rankgauge.data.columns import fold
from rankgauge.data.formats import json as as_json
from rankgauge.data.formats import jsonl, table
from rankgauge.data.formats.base import Content, Format, register
from rankgauge.data.formats.json import Listed, decode
from rankgauge.data.formats.opening import Source
from rankgauge.data.question_records import GOLD, first_of

__all__ = ["FORMAT", "Examples", "flat", "matches"]

_INPUT = ("inputs", "input")
_OUTPUT = ("referenceoutputs", "referenceoutput", "reference", "expectedoutput", "outputs", "output")
_ID = ("id", "exampleid", "datasetitemid")
_PARTS = (*_INPUT, *_OUTPUT, "metadata")
_FIELD = re.compile(rb'"([\w.]+)"\s*:')
_QUESTIONS = ("question", "query", "user_input", "input", "text", "prompt")


def matches(source: Source) -> bool:
    """Objects, or a table, with an input and an output."""
    if source.path.is_dir():
        return False
    names_of = _FIELD.findall(source.head)
    given = {name.decode() for name in names_of} if source.begins_object else set(_header(source))
    if any(fold(name) in _INPUT or ("." in name and name in given) for name in source.names):
        return False  # whoever calls columns by these names sees a plain table
    names = {fold(name.partition(".")[0]) for name in given}
    return any(name in names for name in _INPUT) and any(name in names for name in _OUTPUT)


def open_(source: Source) -> Content:
    """The examples as flat records."""
    return Examples.of([flat(_nested(record)) for record in _examples(source)], source.error)


class Examples(Listed):
    """Flat records, in which an answer is what is expected of a model, and quoted from nowhere."""


def _header(source: Source) -> list[str]:
    first = (source.first_lines(1) or [""])[0]
    return [name.strip().strip('"') for name in re.split(r"[,\t]", first)]


def _examples(source: Source) -> Iterator[Mapping[str, Any]]:
    if not source.begins_object:
        is_tabbed = "\t" in (source.first_lines(1) or [""])[0]
        source.names |= frozenset(_header(source))  # known to be names of columns
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


def _nested(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record whose parts were flattened, `inputs.question`, with these parts as objects again.

    >>> _nested({"id": 7, "inputs.question": "how?", "outputs.gold.0": "d1", "outputs.gold.1": None})
    {'id': 7, 'inputs': {'question': 'how?'}, 'outputs': {'gold': ['d1']}}
    """
    out: dict[str, Any] = {}
    for name, value in record.items():
        part, dot, rest = str(name).partition(".")
        if not dot or fold(part) not in _PARTS:
            out[name] = value
        elif isinstance(inner := out.setdefault(part, {}), dict):
            field, _, place = rest.partition(".")
            if place.isdigit():  # an element of a list
                listed = inner.setdefault(field, [])
                listed += [] if value in (None, "") else [value]
            else:
                inner[rest] = value
    return out


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
    if expected is not None and not isinstance(expected, Mapping):
        names = {fold(str(name)): str(name) for name in example}
        out[next(names[n] for n in _OUTPUT if parts.get(n) is not None)] = expected
    is_reference = any(parts.get(n) is not None for n in _OUTPUT if n not in ("outputs", "output"))
    listed = first_of(list(expected), SIDES["run"]) if is_reference and isinstance(expected, Mapping) else None
    if listed is not None and first_of(list(out), GOLD) is None:
        out["gold"] = out.pop(listed)  # documents that are expected, not those that were found
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
