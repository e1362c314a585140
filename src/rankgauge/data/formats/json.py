"""JSON: one object with a query per key, or a list of records.

    {"q1": {"d1": 2, "d2": 0}}                      scores or grades
    {"q1": ["d1", "d2"]}                            a ranking, best first; or the relevant items, grade 1
    {"q1": "d1"}                                    the one relevant item (qrels only)
    {"q1": {"retrieved": [...], "relevant": ...}}   both in one file, and the other forms of `both_sides.py`
    [{"query_id": "q1", "doc_id": "d1", "score": 0.5}, …]

One question with what answers it is a record, on how many lines it may stand.
The same as Python writes it (`literal.py`): `qrels = {'q1': ['d1'],}`.
A key that appears twice in one object is an error.
In a list of n the first gets score n and the last 1. Elements may be ids, `[id, number]` pairs or records.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import msgspec

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import Place, about, in_line, in_record
from rankgauge.data.both_sides import is_pair
from rankgauge.data.formats.base import Content, Format, Keyed, Loaded, Options, Records, register
from rankgauge.data.formats.nested import Rows, from_records
from rankgauge.data.formats.opening import Source
from rankgauge.data.literal import READ_AS_PYTHON, NotLiteral, literal, looks_like_literal
from rankgauge.data.parser_words import objection
from rankgauge.errors import InputError

__all__ = [
    "FORMAT",
    "LINES",
    "TOO_DEEP",
    "Listed",
    "decode",
    "is_lines",
    "matches",
    "may_repeat_keys",
    "read",
    "reason_of",
    "repeated_keys",
]


def matches(source: Source) -> bool:
    """An object or a list, over any number of lines."""
    return source.begins_object and not is_lines(source)


def is_lines(source: Source) -> bool:
    """Does every line hold an object of its own? A single line does when it looks like a record."""
    if source.path.is_dir() or source.head.lstrip()[:1] not in (b"{", b"["):
        return False
    lines = _first_lines(source)
    if lines[0].lstrip()[:1] == b"[":
        return _are_pairs(lines, source)
    try:
        first = msgspec.json.decode(lines[0])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        if len(lines) == 1:  # whoever reads it says what is wrong
            return source.suffix in LINES
        return all(line.lstrip()[:1] == b"{" and line.rstrip()[-1:] == b"}" for line in lines[:2])
    return len(lines) > 1 or (isinstance(first, dict) and source.expected.is_record(first))


def _are_pairs(lines: list[bytes], source: Source) -> bool:
    """Is there a pair of lists on each line: what was retrieved, and what is relevant?"""
    try:
        first = [msgspec.json.decode(line) for line in lines[:2]]
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False
    return all(map(is_pair, first)) and (len(first) > 1 or source.suffix in LINES)


def is_one_line(source: Source) -> bool:
    """Whether the file is a value of JSON on one line, and so both JSON and JSON Lines."""
    return is_lines(source) and len(_first_lines(source)) == 1


LINES = (".jsonl", ".ndjson", ".jsonlines")


def _first_lines(source: Source) -> list[bytes]:
    """The first lines that are not blank, two or all of them."""
    lines = [line for line in source.head.split(b"\n", 64) if line.strip()]
    if not source.is_whole and len(lines) < 3:  # the last one is cut off
        lines = [line for line in source.data().split(b"\n", 64) if line.strip()]
    return lines


def read(source: Source, options: Options) -> Loaded:
    """Read any of the layouts above."""
    content = _listed(decode(source), source)
    if isinstance(content, list):
        return from_records(source, options, FORMAT.name, content, lambda i: in_record(i + 1))
    if source.kind == "predictions":
        raise source.error(
            Text(
                'must hold a list of records: [{"label": 1, "score": 0.3}, …].',
                '必须是记录的列表：[{"label": 1, "score": 0.3}, …]。',
            )
        )
    if not isinstance(content, dict):
        raise source.error(
            Text(f"must hold an object or a list, got {show(content)}.", f"必须是对象或列表，实际为 {show(content)}。")
        )
    rows = Rows(source)
    for query, entry in content.items():
        rows.add(query, entry, Text(f"query {show(query)}", f"查询 {show(query)}"))
    return rows.loaded(FORMAT.name)


def open_(source: Source) -> Content:
    """A list of records, or an object with a row for each key."""
    content = _listed(decode(source), source)
    if isinstance(content, dict):
        return Keyed(content)
    if not isinstance(content, list):
        raise source.error(
            Text(
                f"must hold an object or a list of records, got {show(content)}.",
                f"必须是对象或记录的列表，实际为 {show(content)}。",
            )
        )
    return Listed.of(content, source.error)


def _listed(content: Any, source: Source) -> Any:
    """An object that is one row as a list of it, as if it stood on one line; anything else as it is."""
    return [content] if isinstance(content, dict) and source.expected.is_one(content) else content


@dataclass(eq=False)
class Listed(Records):
    """A list of records in memory."""

    records: Sequence[Any]

    @classmethod
    def of(cls, records: Sequence[Any], error: Callable[[str], InputError]) -> Self:
        """The same once each is known to be a record, and there is one."""
        wrong = next((i for i, row in enumerate(records, 1) if not isinstance(row, Mapping)), None)
        if wrong is not None:
            raise error(
                Text(
                    f"record {wrong} must be an object, got {show(records[wrong - 1])}.",
                    f"的第 {wrong} 条记录必须是对象，实际为 {show(records[wrong - 1])}。",
                )
            )
        if not records:
            raise error(Text("holds no records.", "中没有记录。"))
        return cls(records)

    def each(self) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        return ((partial(in_record, i), record) for i, record in enumerate(self.records, 1))


def decode(source: Source) -> Any:
    """The value of the whole file."""
    if source.value is None:
        try:
            source.value = _decoded(source)
        except RecursionError:
            raise source.error(TOO_DEEP) from None
    return source.value


def _plain(source: Source) -> tuple[Any, None]:
    return decode(source), None


TOO_DEEP = Text("holds lists or objects inside one another, too deep to be read.", "中的列表或对象嵌套过深，无法读取。")


def _decoded(source: Source) -> Any:
    source.text()  # raises on anything but UTF-8 text
    data = source.data()
    try:
        content = msgspec.json.decode(data)
    except msgspec.DecodeError as e:
        if (written := _literal(source, is_likely="trailing comma" in str(e))) is not None:
            return written
        raise source.error(
            Text(
                f"{_line_of(str(e), data)}: not valid JSON: {reason_of(e)}.",
                f"{zh(_line_of(str(e), data))}：不是有效的 JSON：{reason_of(e).zh}。",
            )
        ) from e
    if may_repeat_keys(data, [content]) and (twice := repeated_keys(data)):
        raise InputError.collect(
            about(source.where),
            [
                Text(f"key {show(k)} appears twice in one object.", f"键 {show(k)} 在同一个对象中出现两次。")
                for k in twice
            ],
        )
    return content


def _literal(source: Source, *, is_likely: bool) -> Any:
    """The value of what Python wrote; None for JSON with a mistake in it."""
    text = source.text()
    if not is_likely and not looks_like_literal(text):
        return None
    try:
        value = literal(text)
        source.notes += (READ_AS_PYTHON,)
        return value
    except NotLiteral as e:
        if is_likely:  # of JSON, its parser says it better
            return None
        raise source.error(e.text) from None


def may_repeat_keys(data: bytes, values: list[Any]) -> bool:
    """A key that appears twice in one object would silently lose a value: are there more keys than entries?

    Keys are counted as `":`. Where white space or an escaped quote makes that doubtful the answer is yes.
    """
    keys = data.count(b'":')
    if b'\\":' in data or (data.count(b":") != keys and any(w in data for w in (b" :", b"\t:", b"\n:", b"\r:"))):
        return True
    return keys != sum(map(_shallow, values)) and keys != sum(map(_entries, values))


def repeated_keys(data: bytes) -> list[str]:
    """The keys that appear twice in one object; slow and exact."""
    twice: list[str] = []

    def look(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        seen = dict(pairs)
        if len(seen) < len(pairs):
            names = [k for k, _ in pairs]
            twice.extend(k for k in seen if names.count(k) > 1)
        return seen

    json.loads(data, object_pairs_hook=look)
    return twice


def _shallow(value: Any) -> int:
    if not isinstance(value, dict):
        return 0
    return len(value) + sum(len(v) for v in value.values() if type(v) is dict)


def _entries(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value
    n = len(value) if isinstance(value, dict) else 0
    return n + sum(_entries(v) for v in inner if type(v) is dict or type(v) is list)


def _line_of(message: str, data: bytes) -> str:
    """msgspec says `(byte 17)`; people count lines."""
    digits = message.rpartition("(byte ")[2].rstrip(")")
    at = int(digits) if digits.isdigit() else len(data.rstrip())
    return in_line(data.count(chr(10).encode(), 0, at) + 1)


def reason_of(error: Exception) -> Text:
    """What is wrong, without the byte count."""
    return objection(str(error).removeprefix("JSON is malformed: ").partition(" (byte")[0])


FORMAT = Format("json", (".json",), matches, read, open=open_, plain=_plain, order=60, spark="json")
register(FORMAT)
