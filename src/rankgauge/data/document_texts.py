"""What does a query or document say? Titles and texts by id, to be shown beside the numbers.

    {"d1": "text", "d2": {"title": …, "text": …}}     a mapping, also as a JSON file
    {"_id": "d1", "title": …, "text": …}              records: JSON Lines as BEIR has them, a JSON list, Python dicts
    doc_id, title, text                               columns: frames, Parquet, Arrow, CSV, TSV
    d1<TAB>text                                       two columns without a header, as MS MARCO has them

Only what is asked for is kept. Files are read line by line or lazily, so that a corpus of millions of documents needs
little memory; only a single JSON value is read as a whole.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._forked import refuse_fork
from rankgauge._piped import path_of
from rankgauge._show import show
from rankgauge.data.columns import refuse_repeated
from rankgauge.data.document_fields import Fields, ItemText, fields_of, has_known_names, item_text
from rankgauge.data.mappings import id_text
from rankgauge.errors import InputError, suggest

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ItemText", "read_texts"]

_LINES = (".jsonl", ".ndjson", ".jsonlines")
_SNIFFED = 2  # lines that tell the format


def read_texts(
    source: Any, ids: Iterable[Any], *, columns: Mapping[str, str] | None = None, part: str = "corpus"
) -> dict[str, ItemText]:
    """Title and text of each of the ids that the source has, in the order of `ids`.

    >>> read_texts({"d1": "red shoes", "d2": {"title": "Boots", "text": "Warm."}}, ["d2", "d9"])
    {'d2': ItemText(title='Boots', text='Warm.')}

    `source` is a mapping, a list of records, a dataframe, or the path of a JSONL, JSON, CSV, TSV, Parquet or Arrow
    file; the first four also compressed. Of a BEIR folder `part` is read: corpus or queries. Ids compare as text.
    Of an id that appears twice the first counts. `columns` maps names to id, title and text where they are not
    recognised.
    """
    wanted = list(dict.fromkeys(id_text(x, "texts") for x in ids))
    if not wanted:
        return {}
    if isinstance(source, (str, PathLike)):
        found = _from_path(path_of(source), set(wanted), columns, part)
    elif isinstance(source, Mapping):
        found = _from_mapping(source, wanted, "texts")
    elif isinstance(source, Sequence):
        found = _from_records(source, set(wanted), columns, "texts")
    else:
        found = _from_frame(source, set(wanted), columns, "texts")
    return {x: found[x] for x in wanted if x in found}


# in memory


def _from_mapping(source: Mapping[Any, Any], wanted: Iterable[str], where: str) -> dict[str, ItemText]:
    out = {}
    for x in wanted:
        key: Any = x
        # 7 finds 7.0 as well: they are equal and have one hash
        if key not in source and re.fullmatch(r"0|-?[1-9]\d*", x, re.ASCII):
            key = int(x)
        if key in source:
            out[x] = item_text(source[key], f"{where}, {show(x)}")
    return out


def _from_records(
    records: Iterable[Any], wanted: set[str], columns: Mapping[str, str] | None, where: str
) -> dict[str, ItemText]:
    return _Records(wanted, columns, where).read((f"record {i}", r) for i, r in enumerate(records, 1))


class _Records:
    """Takes the wanted ones out of many records."""

    def __init__(self, wanted: set[str], columns: Mapping[str, str] | None, where: str) -> None:
        self.wanted, self.columns, self.where = wanted, columns, where
        self.out: dict[str, ItemText] = {}
        self._known: dict[tuple[str, ...], Fields] = {}

    def fields(self, record: Any, position: str) -> Fields:
        """The fields of a record; most records have the same names."""
        if not isinstance(record, Mapping):
            raise InputError(
                f"{self.where}, {position}: expected an object with an id and a text. Found: {show(str(record)[:60])}."
            )
        names = tuple(record)
        if names not in self._known:
            self._known[names] = fields_of(names, self.columns, f"{self.where}, {position}")
        return self._known[names]

    def take(self, record: Any, position: str) -> bool:
        """Keeps a wanted record; says whether none is missing any more."""
        fields = self.fields(record, position)
        key = id_text(record[fields.id], f"{self.where}, {position}")
        if key in self.wanted and key not in self.out:
            self.out[key] = fields.item(record)
        return len(self.out) == len(self.wanted)

    def read(self, records: Iterable[tuple[str, Any]]) -> dict[str, ItemText]:
        for position, record in records:
            if self.take(record, position):
                break
        return self.out


def _from_frame(source: Any, wanted: set[str], columns: Mapping[str, str] | None, where: str) -> dict[str, ItemText]:
    import polars as pl

    from rankgauge.data import frames

    names = frames.column_names(source)
    if names is None:
        source = frames.to_polars(source)
        names = source.columns
    refuse_repeated(names, where)
    fields = fields_of(names, columns, where)
    table = source if isinstance(source, pl.LazyFrame) else frames.to_polars(source, fields.used).lazy()
    kind = table.collect_schema()[fields.id]
    if kind.is_nested() or kind in (pl.Object, pl.Binary):
        raise InputError(
            f"{where}, column {show(fields.id)}: an id must be text or a whole number, got a column of type {kind}."
        )
    return _from_columns(table, fields, wanted)


def _from_columns(table: pl.LazyFrame, fields: Fields, wanted: set[str]) -> dict[str, ItemText]:
    """The wanted rows of a table that may be larger than memory."""
    import polars as pl

    id_ = pl.col(fields.id)
    if table.collect_schema()[fields.id].is_float():  # whole numbers that met a missing value
        id_ = pl.when(id_ == id_.round(0)).then(id_.cast(pl.Int64, strict=False))
    rows = (
        table.with_columns(id_.cast(pl.String).alias(fields.id))
        .select(fields.used)
        .filter(pl.col(fields.id).is_in(list(wanted)))
        .collect(engine="streaming")
    )
    out: dict[str, ItemText] = {}
    for row in rows.iter_rows(named=True):
        out.setdefault(row[fields.id], fields.item(row))
    return out


# files


def _from_path(path: Path, wanted: set[str], columns: Mapping[str, str] | None, part: str) -> dict[str, ItemText]:
    import polars as pl

    from rankgauge.data.formats.opening import inner_suffix
    from rankgauge.data.formats.stream import lines

    if path.is_dir():
        path = _in_folder(path, part)
    where = f"texts {show(path.name)}"
    refuse_fork(f"reading {where}")
    if not path.exists():
        near = suggest(path.name, [p.name for p in path.parent.iterdir()]) if path.parent.is_dir() else ""
        raise InputError(f"{where} does not exist: {path}.{near}")
    try:
        if (table := _columnar(path)) is not None:
            return _from_frame(table, wanted, columns, where)
    except (pl.exceptions.PolarsError, OSError) as e:
        raise InputError(f"{where} cannot be read: {str(e).partition(chr(10))[0]}.") from e
    first = list(itertools.islice((x for x in lines(path, where) if x.strip()), _SNIFFED))
    if not first:
        raise InputError(f"{where} is empty. Expected lines of JSON, or columns with an id and a text.")
    if inner_suffix(path) in _LINES or _is_lines(first):
        return _from_lines(path, wanted, columns, where)
    if first[0].lstrip()[:1] in (b"{", b"["):
        return _from_json(path, wanted, columns, where)
    try:
        shape = _Shape(path, [x.decode() for x in first], columns, where)
    except UnicodeDecodeError as e:
        raise InputError(f"{where}: text must be UTF-8. Convert it: iconv -f GB18030 -t UTF-8 in > out") from e
    if shape.has_header and len(first) < _SNIFFED:
        raise InputError(f"{where} has a header but no rows.")
    if shape.quote is None:
        return _from_tabs(path, shape, wanted, where)
    try:
        return _from_columns(shape.scan(pl.scan_csv), shape.fields, wanted)
    except pl.exceptions.PolarsError as e:
        raise InputError(f"{where} cannot be read as a table: {str(e).partition(chr(10))[0]}.") from e


def _in_folder(path: Path, part: str) -> Path:
    """The file of a BEIR folder, or the folder again where it holds Parquet files."""
    found = sorted(path.glob(f"{part}.jsonl*")) or sorted(path.glob(f"{part}.*"))
    if found:
        return found[0]
    if any(path.glob("*.parquet")):
        return path
    inside = ", ".join(sorted(repr(p.name) for p in path.iterdir())[:8]) or "nothing"
    raise InputError(
        f"texts {show(path.name)} is a folder: expected '{part}.jsonl' as in BEIR, or Parquet files. Found: {inside}. "
        "Pass the path of the file."
    )


def _columnar(path: Path) -> pl.LazyFrame | None:
    """A Parquet file, a folder of them, or an Arrow file, unread; None for text."""
    import polars as pl

    if path.is_dir():
        return pl.scan_parquet(sorted(path.glob("*.parquet")), glob=False)
    with path.open("rb") as file:
        start = file.read(6)
    if start.startswith(b"PAR1"):
        return pl.scan_parquet(path, glob=False)
    return pl.scan_ipc(path, glob=False) if start == b"ARROW1" else None


def _is_lines(first: list[bytes]) -> bool:
    """An object on each line; one object alone is a record when it has the names of one."""
    import msgspec

    try:
        objects = [msgspec.json.decode(x) for x in first]
    except (msgspec.DecodeError, RecursionError):  # whoever reads it says what is wrong
        return False
    if not all(isinstance(x, dict) for x in objects):
        return False
    try:
        fields_of(list(objects[0]), None, "")
    except InputError:
        return len(objects) > 1
    return True


def _from_lines(path: Path, wanted: set[str], columns: Mapping[str, str] | None, where: str) -> dict[str, ItemText]:
    """Decodes the ids of all lines, and the rest of the wanted ones."""
    import msgspec

    from rankgauge.data.formats.json import TOO_DEEP, reason_of
    from rankgauge.data.formats.stream import lines

    records = _Records(wanted, columns, where)
    only_id: Callable[[bytes], Any] | None = None
    for number, line in enumerate(lines(path, where), 1):
        if not line.strip():
            continue
        position = f"line {number}"
        try:
            key = None if only_id is None else only_id(line).id
            if key is not None and id_text(key, f"{where}, {position}") not in wanted:
                continue
            record = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as e:
            raise InputError(f"{where}, {position}: not valid JSON: {reason_of(e)}.") from e
        except RecursionError:
            raise InputError(f"{where}, {position}: {TOO_DEEP}") from None
        if records.take(record, position):
            break
        if only_id is None:
            name = records.fields(record, position).id
            line_of = msgspec.defstruct("Line", [("id", Any, None)], rename={"id": name})
            only_id = msgspec.json.Decoder(line_of).decode
    return records.out


def _from_json(path: Path, wanted: set[str], columns: Mapping[str, str] | None, where: str) -> dict[str, ItemText]:
    import msgspec

    from rankgauge.data.formats.json import TOO_DEEP, reason_of
    from rankgauge.data.formats.stream import everything

    try:
        content = msgspec.json.decode(everything(path, where))
    except (msgspec.DecodeError, UnicodeDecodeError) as e:
        raise InputError(f"{where}: not valid JSON: {reason_of(e)}.") from e
    except RecursionError:
        raise InputError(f"{where} {TOO_DEEP}") from None
    if not content:
        raise InputError(f"{where} holds no texts: {show(content)}.")
    if isinstance(content, list):
        return _from_records(content, wanted, columns, where)
    return _from_mapping(content, wanted, where)


class _Shape:
    """How a file of columns is written, told by its first lines."""

    def __init__(self, path: Path, first: list[str], columns: Mapping[str, str] | None, where: str) -> None:
        self.path, self.where = path, where
        self.separator = max("\t,;", key=lambda s: len(_split(first[0], s)))
        names = [x.strip() for x in _split(first[0], self.separator)]
        if len(names) < 2:
            raise InputError(
                f"{where}, line 1: expected JSON, or an id and a text separated by tab or comma. "
                f"Found: {show(first[0][:60])}."
            )
        # in a TSV a lone quote is a character; it quotes only where whole fields are wrapped in it
        wrapped = any(re.search(r'(^|\t)"[^\t]*"(\t|$)', x) for x in first)
        self.quote = '"' if self.separator != "\t" or wrapped else None
        self.has_header = has_known_names(names) or any(name in names for name in columns or ())
        if self.has_header:
            refuse_repeated(names, f"{where}, line 1")
        self.names = names if self.has_header else [f"column_{i + 1}" for i in range(len(names))]
        if not self.has_header and not columns:
            if len(names) != 2:
                raise InputError(
                    f"{where}, line 1: expected two columns (id and text), or a header with names such as 'doc_id', "
                    f"'title', 'text'. Found {len(names)} columns: {show(first[0][:60])}. "
                    'Add a header or pass columns={"column_1": "id", "column_2": "text"}.'
                )
            columns = {"column_1": "id", "column_2": "text"}
        self.fields = fields_of(self.names, columns, where)

    def scan(self, scan_csv: Callable[..., pl.LazyFrame]) -> pl.LazyFrame:
        """The table as text, unread."""
        from rankgauge.data.formats.stream import compression_of, everything

        source: Any = self.path
        if compression_of(self.path) in ("bzip2", "xz"):  # Polars does not know these
            source = everything(self.path, self.where)
        return scan_csv(
            source,
            has_header=self.has_header,
            separator=self.separator,
            quote_char=self.quote,
            new_columns=self.names,
            infer_schema=False,
            glob=False,
        )


def _split(line: str, separator: str) -> list[str]:
    if separator == "\t":
        return [x[1:-1] if len(x) > 1 and x[0] == x[-1] == '"' else x for x in line.split("\t")]
    try:
        return next(csv.reader([line], delimiter=separator, strict=True))
    except csv.Error:
        return line.split(separator)


def _from_tabs(path: Path, shape: _Shape, wanted: set[str], where: str) -> dict[str, ItemText]:
    """Plain lines with tabs: only those of wanted ids become text."""
    from rankgauge.data.formats.stream import lines

    keys = {x.encode() for x in wanted}
    at = shape.names.index(shape.fields.id)
    is_header = shape.has_header
    out: dict[str, ItemText] = {}
    for number, line in enumerate(lines(path, where), 1):
        parts = line.split(b"\t")
        if is_header and line.strip():
            is_header = False
            continue
        if len(parts) <= at or parts[at] not in keys:
            continue
        if len(parts) != len(shape.names):
            raise InputError(f"{where}, line {number}: expected {len(shape.names)} columns, found {len(parts)}.")
        texts = [x.decode("utf-8", errors="replace") for x in parts]
        out.setdefault(texts[at], shape.fields.item(dict(zip(shape.names, texts, strict=True))))
        if len(out) == len(keys):
            break
    return out
