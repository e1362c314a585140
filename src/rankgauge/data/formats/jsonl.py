"""JSON Lines: one record or one query per line.

{"query_id": "q1", "doc_id": "d1", "score": 0.5}
{"query_id": "q1", "retrieved": ["d1", "d2"], "relevant": {"d1": 2}}
{"query_id": "q1", "results": [{"doc_id": "d1", "score": 0.5}, …]}
[["d1", "d2"], ["d2"]]     what was retrieved, and what is relevant
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, BinaryIO

import msgspec
import polars as pl

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import Place, in_line, within, word_for
from rankgauge.data.any_table import reading
from rankgauge.data.both_sides import is_pair
from rankgauge.data.columns import Kind
from rankgauge.data.formats.base import Content, Format, Loaded, Options, Records, register
from rankgauge.data.formats.json import LINES, TOO_DEEP, is_lines, may_repeat_keys, reason_of, repeated_keys
from rankgauge.data.formats.nested import from_records
from rankgauge.data.formats.opening import BOM, Source
from rankgauge.data.formats.stream import lines
from rankgauge.data.literal import READ_AS_PYTHON, NotLiteral, literal_lines, looks_like_literal
from rankgauge.errors import InputError

__all__ = ["FORMAT", "read", "records_of", "write"]

_TWO_ON_A_LINE = re.compile(rb"}[ \t\r]*{")  # never inside an object, but perhaps inside a text


def read(source: Source, options: Options) -> Loaded:
    """Read records or queries, one per line."""
    records, line = records_of(source)
    return from_records(source, options, FORMAT.name, records, lambda i: in_line(line(i)))


def _plain(source: Source) -> tuple[Any, Callable[[int], str]]:
    records, line = records_of(source)
    return records, lambda i: in_line(line(i))


def open_(source: Source) -> Content:
    """Records; of a log or of texts, read when they are asked for."""
    return _Scanned(source) if source.expected.is_scanned else _Lines(source)


@dataclass(eq=False)
class _Lines(Records):
    """Lines that are read at once."""

    source: Source

    def each(self) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        records, line = records_of(self.source)
        return ((partial(in_line, line(i)), record) for i, record in enumerate(records))


@dataclass(eq=False)
class _Scanned(Records):
    """Lines that are read one by one; columns, when somebody looks at them."""

    source: Source

    def each(self) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        return ((place, self._object(line, place)) for place, line in self._filled())

    def chosen(
        self, key: Callable[[Mapping[str, Any], Place], str], is_wanted: Callable[[Any, Place], bool]
    ) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        """Decodes the key of every line, and the rest of the wanted ones."""
        only_key: Callable[[bytes], Any] | None = None
        for place, line in self._filled():
            if only_key is not None:
                found = self._decoded(only_key, line, place).key
                if found is not None and not is_wanted(found, place):
                    continue
            record = self._object(line, place)
            yield place, record
            if only_key is None:
                fields = msgspec.defstruct("Line", [("key", Any, None)], rename={"key": key(record, place)})
                only_key = msgspec.json.Decoder(fields).decode

    def lazy(self) -> pl.LazyFrame:
        plain = self.source.compression is None and not self._has_mark()
        with reading(self.source.where, FORMAT.name):
            if plain:
                frame = pl.scan_ndjson(self.source.path, infer_schema_length=None)
            else:
                frame = pl.read_ndjson(io.BytesIO(self.source.data()), infer_schema_length=None).lazy()
            frame.collect_schema()  # a scanned file says what is wrong with it only when it is looked at
        return frame

    def _has_mark(self) -> bool:
        """Whether the file begins with a byte order mark, which Polars takes for JSON."""
        with self.source.path.open("rb") as file:
            return file.read(len(BOM)) == BOM

    def _filled(self) -> Iterator[tuple[Place, bytes]]:
        return ((partial(in_line, n), line) for n, line in enumerate(lines(self.source), 1) if line.strip())

    def _object(self, line: bytes, place: Place) -> Mapping[str, Any]:
        record = self._decoded(msgspec.json.decode, line, place)
        if not isinstance(record, dict):
            raise InputError(
                Text(
                    f"{self.source.where}, {place()}: must be an object, got {show(record)}.",
                    f"{zh(within(self.source.where, place()))}：必须是对象，实际为 {show(record)}。",
                )
            )
        return record

    def _decoded(self, decode: Callable[[bytes], Any], line: bytes, place: Place) -> Any:
        try:
            return decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as e:
            raise InputError(
                Text(
                    f"{self.source.where}, {place()}: not valid JSON: {reason_of(e)}.",
                    f"{zh(within(self.source.where, place()))}：不是有效的 JSON：{reason_of(e).zh}。",
                )
            ) from e
        except RecursionError:
            raise InputError(
                Text(
                    f"{self.source.where}, {place()}: {TOO_DEEP}",
                    f"{zh(within(self.source.where, place()))}：{TOO_DEEP.zh}",
                )
            ) from None


def records_of(source: Source) -> tuple[list[dict[str, Any]], Callable[[int], int]]:
    """The records, and a function from the position of a record to its line."""
    if source.value is None:
        source.value = _decoded_now(source)
    found: tuple[list[dict[str, Any]], Callable[[int], int]] = source.value
    return found


def _decoded_now(source: Source) -> tuple[list[dict[str, Any]], Callable[[int], int]]:
    where = source.where
    text = source.text()  # raises on anything but UTF-8 text
    data = source.data()

    @cache
    def filled() -> list[int]:
        return [n for n, text in enumerate(data.split(b"\n"), start=1) if text.strip()]

    def line(record: int) -> int:
        return filled()[min(record, len(filled()) - 1)]  # several values may stand on one line

    try:
        records: list[Any] = msgspec.json.Decoder().decode_lines(data)
    except msgspec.DecodeError:
        if looks_like_literal(text):
            return _literals(source, text), line
        raise _explain(data, where) from None
    except RecursionError:
        raise InputError(Text(f"{where} {TOO_DEEP}", f"{zh(where)} {TOO_DEEP.zh}")) from None
    if _TWO_ON_A_LINE.search(data) and len(records) > sum(1 for text in data.split(b"\n") if text.strip()):
        raise _explain(data, where)
    if not {type(r) for r in records} <= {dict} and not is_pair(records[0]):
        problems = [
            Text(
                f"line {line(i)}: must be an object, got {show(r)}.", f"第 {line(i)} 行：必须是对象，实际为 {show(r)}。"
            )
            for i, r in enumerate(records)
            if not isinstance(r, dict)
        ]
        raise InputError.collect(within(where), problems)
    if may_repeat_keys(data, records):
        twice = [(n, k) for n, t in enumerate(data.split(b"\n"), 1) if t.strip() for k in repeated_keys(t)]
        if twice:
            problems = [
                Text(f"line {n}: key {show(k)} appears twice.", f"第 {n} 行：键 {show(k)} 出现两次。") for n, k in twice
            ]
            raise InputError.collect(within(where), problems)
    return records, line


def _literals(source: Source, text: str) -> list[dict[str, Any]]:
    """The records of lines that Python wrote, such as `{'query_id': 'q1', 'retrieved': ['d1']}`."""
    try:
        records = literal_lines(text)
    except NotLiteral as e:
        raise source.error(e.text) from None
    odd = next(((n, r) for n, r in records if not isinstance(r, dict) and not is_pair(r)), None)
    if odd is not None:
        raise source.error(
            Text(
                f"line {odd[0]}: must be an object, got {show(odd[1])}.",
                f"第 {odd[0]} 行：必须是对象，实际为 {show(odd[1])}。",
            )
        )
    source.notes += (READ_AS_PYTHON,)
    return [record for _, record in records]


def _explain(data: bytes, where: str) -> InputError:
    problems: list[str] = []
    for number, text in enumerate(data.split(b"\n"), start=1):
        if not text.strip():
            continue
        try:
            msgspec.json.decode(text)
        except RecursionError:
            problems.append(Text(f"line {number}: {TOO_DEEP}", f"第 {number} 行：{TOO_DEEP.zh}"))
        except msgspec.DecodeError as e:
            problems.append(
                Text(
                    f"line {number}: not valid JSON: {reason_of(e)}: {show(text.decode()[:60])}.",
                    f"第 {number} 行：不是有效的 JSON：{reason_of(e).zh}：{show(text.decode()[:60])}。",
                )
            )
    return InputError.collect(within(where), problems or [Text("not valid JSON Lines.", "不是有效的 JSON Lines。")])


def write(frame: pl.DataFrame, file: BinaryIO, kind: Kind, tag: str) -> None:
    """One record per line; NaN and infinity have no JSON, so they are refused."""
    value = "score" if kind == "run" else "grade"
    bad = [v for v in frame.get_column(value).to_list() if not math.isfinite(v)]
    if bad:
        raise InputError(
            Text(
                f"JSON has no {bad[0]}: {len(bad)} {value}s are not finite. Write .csv or .parquet instead.",
                f"JSON 中没有 {bad[0]}：有 {len(bad)} 个{zh(word_for(value))}不是有限的数字。请改写为 .csv "
                "或 .parquet。",
            )
        )
    file.write(frame.write_ndjson().encode())


FORMAT = Format("jsonl", LINES, is_lines, read, write, open=open_, plain=_plain, order=50, spark="json")
register(FORMAT)
