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
    from rankgauge.data.formats.base import Columns, Content, Records

__all__ = ["ItemText", "Told", "has_corpus", "read_all_texts", "read_texts"]


class Told:
    """What there is to say of a source of texts: what was recognised, and ids that are there more than once."""

    def __init__(self) -> None:
        self._notes: dict[str, None] = {}
        self._repeated: dict[str, None] = {}

    def of(self, content: Content) -> None:
        """Take what opening it told."""
        self._notes |= dict.fromkeys(content.notes)

    def again(self, key: str) -> None:
        """An id came again, with the same text."""
        self._repeated[key] = None

    @property
    def notes(self) -> tuple[str, ...]:
        if not self._repeated:
            return tuple(self._notes)
        n, some = len(self._repeated), show_all(list(self._repeated)[:3])
        more = "…" if n > 3 else ""
        are = "document is" if n == 1 else "documents are"
        each = "it counts once" if n == 1 else "each counts once"
        return (
            *self._notes,
            Text(
                f"{n:,} {are} there more than once, with the same text ({some}{more}): {each}",
                f"{n:,} 个文档重复出现且文本相同（{some}{more}）：各计一次",
            ),
        )


def read_texts(
    source: Any,
    ids: Iterable[Any],
    *,
    columns: Mapping[str, str] | None = None,
    part: str = "corpus",
    told: Told | None = None,
) -> dict[str, ItemText]:
    """Title and text of each of the ids that the source has, in the order of `ids`.

    >>> read_texts({"d1": "red shoes", "d2": {"title": "Boots", "text": "Warm."}}, ["d2", "d9"])
    {'d2': ItemText(title='Boots', text='Warm.')}

    `source` is a mapping, a list of records, a dataframe, or the path of a table in any format. Of a BEIR folder `part`
    is read: corpus or queries. Ids compare as text. Of an id that appears twice the first counts; where `told` is given
    all of the source is read, it takes what there is to say, and an id that has two texts is an error. `columns` maps
    names to id, title and text where they are not recognised.
    """
    wanted = list(dict.fromkeys(id_text(x, "texts") for x in ids))
    if not wanted:
        return {}
    if isinstance(source, Mapping):  # needs no formats, which are slow to load
        found = _from_mapping(source, wanted, "texts")
    else:
        found = _from_table(_in_folder(source, part), wanted, columns, told)
    return {x: found[x] for x in wanted if x in found}


def read_all_texts(
    source: Any, *, columns: Mapping[str, str] | None = None, told: Told | None = None
) -> dict[str, ItemText]:
    """Title and text of every id that the source has, in its order; an id that has two texts is an error.

    >>> read_all_texts({"d1": "red shoes", 7: {"title": "Boots", "text": "Warm."}})
    {'d1': ItemText(title='', text='red shoes'), '7': ItemText(title='Boots', text='Warm.')}
    """
    if isinstance(source, Mapping):
        return _whole_mapping(source, "texts")
    from rankgauge.data.formats.base import Columns, Keyed, Records

    told = told or Told()
    content = open_table(_in_folder(source, "corpus"), "texts", columns)
    told.of(content)
    if isinstance(content, Keyed):
        return _whole_mapping(content.rows, content.where)
    if isinstance(content, Records):
        return _Wanted(None, _named(content, columns), content.where, told).of(content)
    assert isinstance(content, Columns)
    return _from_columns(content, None, _named(content, columns), told)


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


def _from_table(
    source: Any, wanted: list[str], columns: Mapping[str, str] | None, told: Told | None
) -> dict[str, ItemText]:
    from rankgauge.data.formats.base import Columns, Keyed, Records

    content = open_table(source, "texts", columns)
    if told is not None:
        told.of(content)
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
        return _Wanted(set(wanted), _named(content, columns), content.where, told).of(content)
    assert isinstance(content, Columns)
    return _from_columns(content, set(wanted), _named(content, columns), told)


def _named(content: Columns | Records, columns: Mapping[str, str] | None) -> Mapping[str, str] | None:
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

    def __init__(
        self, wanted: set[str] | None, columns: Mapping[str, str] | None, where: str, told: Told | None
    ) -> None:
        self.wanted, self.columns, self.where, self.told = wanted, columns, where, told
        self._known: dict[tuple[str, ...], Fields] = {}

    def of(self, records: Records) -> dict[str, ItemText]:
        """The first of each id, until none is missing any more; all that there is where somebody is to be told."""
        out: dict[str, ItemText] = {}
        for place, record in records.chosen(lambda record, place: self._fields(record, place).id, self._is_wanted):
            fields = self._fields(record, place)
            key = self._key(record[fields.id], place)
            if (self.wanted is None or key in self.wanted) and key not in out:
                out[key] = fields.item(record)
            elif self.told is not None and key in out:
                if fields.item(record) != out[key]:
                    raise _two_texts(within(self.where, place()), key)
                self.told.again(key)
            if self.told is None and self.wanted is not None and len(out) == len(self.wanted):
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


def _from_columns(
    content: Columns, wanted: set[str] | None, columns: Mapping[str, str] | None, told: Told | None
) -> dict[str, ItemText]:
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
        key, item = row[fields.id], fields.item(row)
        if key is None:
            place = (content.position or row_of)(i)
            raise InputError(
                Text(
                    f"{within(content.where, place)}: the id ({show(fields.id)}) is empty.",
                    f"{within(content.where, place).zh}：id（{show(fields.id)}）为空。",
                )
            )
        if key not in out:
            out[key] = item
        elif told is not None and out[key] == item:
            told.again(key)
        elif told is not None:
            place = (content.position or row_of)(i)
            raise _two_texts(within(content.where, place), key)
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
