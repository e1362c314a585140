"""What does a query or document say? Titles and texts by id, to be shown beside the numbers.

    {"d1": "text", "d2": {"title": …, "text": …}}     a mapping, also as a JSON file
    {"_id": "d1", "title": …, "text": …}              records: JSON Lines as BEIR has them, a JSON list, Python dicts
    doc_id, title, text                               columns: frames, Parquet, Arrow, CSV, TSV
    d1<TAB>text                                       two columns without a header, as MS MARCO has them

Only what is asked for is kept. Files are read line by line or lazily, so that a corpus of millions of documents needs
little memory; only a single JSON value is read as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from rankgauge._piped import path_of
from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge.data._places import Place, within
from rankgauge.data.any_table import open_table, reading
from rankgauge.data.document_fields import Fields, ItemText, item_text, text_fields
from rankgauge.data.frames import row as row_of
from rankgauge.data.mappings import id_text
from rankgauge.errors import InputError

if TYPE_CHECKING:
    from rankgauge.data.formats.base import Columns, Records

__all__ = ["ItemText", "has_corpus", "read_all_texts", "read_texts"]


def read_texts(
    source: Any, ids: Iterable[Any], *, columns: Mapping[str, str] | None = None, part: str = "corpus"
) -> dict[str, ItemText]:
    """Title and text of each of the ids that the source has, in the order of `ids`.

    >>> read_texts({"d1": "red shoes", "d2": {"title": "Boots", "text": "Warm."}}, ["d2", "d9"])
    {'d2': ItemText(title='Boots', text='Warm.')}

    `source` is a mapping, a list of records, a dataframe, or the path of a table in any format. Of a BEIR folder `part`
    is read: corpus or queries. Ids compare as text. Of an id that appears twice the first counts. `columns` maps names
    to id, title and text where they are not recognised.
    """
    wanted = list(dict.fromkeys(id_text(x, "texts") for x in ids))
    if not wanted:
        return {}
    if isinstance(source, Mapping):  # needs no formats, which are slow to load
        found = _from_mapping(source, wanted, "texts")
    else:
        found = _from_table(_in_folder(source, part), wanted, columns)
    return {x: found[x] for x in wanted if x in found}


def read_all_texts(source: Any, *, columns: Mapping[str, str] | None = None) -> dict[str, ItemText]:
    """Title and text of every id that the source has, in its order; an id that has two texts is an error.

    >>> read_all_texts({"d1": "red shoes", 7: {"title": "Boots", "text": "Warm."}})
    {'d1': ItemText(title='', text='red shoes'), '7': ItemText(title='Boots', text='Warm.')}
    """
    if isinstance(source, Mapping):
        return _whole_mapping(source, "texts")
    from rankgauge.data.formats.base import Columns, Keyed, Records

    content = open_table(_in_folder(source, "corpus"), "texts", columns)
    if isinstance(content, Keyed):
        return _whole_mapping(content.rows, content.where)
    if isinstance(content, Records):
        return _Wanted(None, _told(content, columns), content.where).of(content)
    assert isinstance(content, Columns)
    return _from_columns(content, None, _told(content, columns))


def has_corpus(path: PathLike[str]) -> bool:
    """Whether this is a folder of BEIR whose documents can be read."""
    from rankgauge.data.formats.beir import file_of_part, is_folder

    folder = path_of(path)
    return is_folder(folder) and file_of_part(folder, "corpus") is not None


def _whole_mapping(source: Mapping[Any, Any], where: str) -> dict[str, ItemText]:
    return {(x := id_text(key, where)): item_text(value, within(where, show(x))) for key, value in source.items()}


def _in_folder(source: Any, part: str) -> Any:
    """The part of a BEIR folder that is asked for; everything else as it is."""
    if not isinstance(source, (str, PathLike)):
        return source
    from rankgauge.data.formats.beir import file_of_part

    path = path_of(source)
    return (file_of_part(path, part) if path.is_dir() else None) or path


def _from_table(source: Any, wanted: list[str], columns: Mapping[str, str] | None) -> dict[str, ItemText]:
    from rankgauge.data.formats.base import Columns, Keyed, Records

    content = open_table(source, "texts", columns)
    if isinstance(content, Keyed):
        if not content.rows:
            raise InputError(
                Text(
                    f"{content.where} holds no texts: {show(content.rows)}.",
                    f"{zh(content.where)} 中没有文本：{show(content.rows)}。",
                )
            )
        return _from_mapping(content.rows, wanted, content.where)
    if isinstance(content, Records):
        return _Wanted(set(wanted), _told(content, columns), content.where).of(content)
    assert isinstance(content, Columns)
    return _from_columns(content, set(wanted), _told(content, columns))


def _told(content: Columns | Records, columns: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """What columns are: as the caller said; of two without names, the id and the text."""
    if content.has_header or columns:
        return columns
    if len(content.names) != 2:
        raise InputError(
            Text(
                f"{content.where}, line 1: expected two columns (id and text), or a header with names such as "
                "'doc_id', "
                f"'title', 'text'. Found {len(content.names)} columns: {show_all(content.names)}. "
                'Add a header or pass columns={"column_1": "id", "column_2": "text"}.',
                f"{zh(content.where)} 第 1 行：应为两列（id 和文本），或带 'doc_id'、'title'、'text' "
                f"等列名的表头。找到 {len(content.names)} 列：{zh(show_all(content.names))}。请加上表头，或传入 "
                f'columns={{"column_1": "id", "column_2": "text"}}。',
            )
        )
    return {"column_1": "id", "column_2": "text"}


def _from_mapping(source: Mapping[Any, Any], wanted: Iterable[str], where: str) -> dict[str, ItemText]:
    out = {}
    for x in wanted:
        key: Any = x
        # 7 finds 7.0 as well: they are equal and have one hash
        if key not in source and re.fullmatch(r"0|-?[1-9]\d*", x, re.ASCII):
            key = int(x)
        if key in source:
            out[x] = item_text(source[key], within(where, show(x)))
    return out


class _Wanted:
    """Takes the wanted ones out of many records; all of them where no ids are given."""

    def __init__(self, wanted: set[str] | None, columns: Mapping[str, str] | None, where: str) -> None:
        self.wanted, self.columns, self.where = wanted, columns, where
        self._known: dict[tuple[str, ...], Fields] = {}

    def of(self, records: Records) -> dict[str, ItemText]:
        """The first of each id, until none is missing any more."""
        out: dict[str, ItemText] = {}
        for place, record in records.chosen(lambda record, place: self._fields(record, place).id, self._is_wanted):
            fields = self._fields(record, place)
            key = self._key(record[fields.id], place)
            if (self.wanted is None or key in self.wanted) and key not in out:
                out[key] = fields.item(record)
            elif self.wanted is None and fields.item(record) != out[key]:
                raise _two_texts(within(self.where, place()), key)
            if self.wanted is not None and len(out) == len(self.wanted):
                break
        return out

    def _is_wanted(self, key: Any, place: Place) -> bool:
        return self.wanted is None or self._key(key, place) in self.wanted

    def _key(self, value: Any, place: Place) -> str:
        return value if type(value) is str else id_text(value, within(self.where, place()))

    def _fields(self, record: Any, place: Place) -> Fields:
        """The fields of a record; most records have the same names."""
        if not isinstance(record, Mapping):
            where, found = within(self.where, place()), show(str(record)[:60])
            raise InputError(
                Text(
                    f"{where}: expected an object with an id and a text. Found: {found}.",
                    f"{where.zh}：应为含 id 和文本的对象。找到：{found}。",
                )
            )
        names = tuple(record)
        if names not in self._known:
            self._known[names] = text_fields(names, self.columns, within(self.where, place()))
        return self._known[names]


def _from_columns(content: Columns, wanted: set[str] | None, columns: Mapping[str, str] | None) -> dict[str, ItemText]:
    """The wanted rows of a table that may be larger than memory; all rows where no ids are given."""
    import polars as pl

    table = content.lazy()
    schema = table.collect_schema()
    fields = text_fields(schema.names(), columns, content.where)
    kind = schema[fields.id]
    if kind.is_nested() or kind in (pl.Object, pl.Binary):
        raise InputError(
            Text(
                f"{content.where}, column {show(fields.id)}: an id must be text or a whole number, "
                f"got a column of type {kind}.",
                f"{zh(content.where)} 的列 {show(fields.id)}：id 必须是文本或整数，该列的类型是 {kind}。",
            )
        )
    id_ = pl.col(fields.id)
    if kind.is_float():  # whole numbers that met a missing value
        id_ = pl.when(id_ == id_.round(0)).then(id_.cast(pl.Int64, strict=False))
    with reading(content.where, explained=content.explained):
        used = table.with_columns(id_.cast(pl.String).alias(fields.id)).select(fields.used)
        if wanted is not None:
            used = used.filter(pl.col(fields.id).is_in(list(wanted)))
        rows = used.collect(engine="streaming")
    out: dict[str, ItemText] = {}
    for i, row in enumerate(rows.iter_rows(named=True)):
        item = fields.item(row)
        if out.setdefault(row[fields.id], item) != item and wanted is None:
            place = (content.position or row_of)(i)
            raise _two_texts(within(content.where, place), row[fields.id])
    return out


def _two_texts(where: Text, key: str) -> InputError:
    """One id is one document: which of two texts is meant cannot be told."""
    return InputError(
        Text(
            f"{where}: {show(key)} was there before, with another text. Give each document an id of its own, or leave "
            "one of them out.",
            f"{where.zh}：{show(key)} 前面已经出现，且文本不同。请为每个文档给出各自的 id，或去掉其中一个。",
        )
    )
