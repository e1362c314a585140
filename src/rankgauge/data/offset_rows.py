"""Rows with offsets in documents: gold spans, retrieved pieces, tables of chunks, in one canonical frame.

    spans    query_id · doc_id? · start? · end? · text? · grade Float64? · need? · alternative?
    pieces   query_id · chunk_id? · doc_id? · start? · end? · text? · score Float64?
    chunks   chunk_id · doc_id · start? · end? · text?

Ids are text, offsets whole numbers; a row can be named in errors, by its line or by the query under which it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rankgauge._piped import taken_in
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import about, within, word_for
from rankgauge.data.columns import ROLES, Kind, recognise, role_of
from rankgauge.data.frames import Position, row
from rankgauge.data.mappings import id_text
from rankgauge.data.table import Table
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.locating import Documents

__all__ = ["OffsetRows", "offset_rows"]

_SHAPES: dict[str, Text] = {
    "spans": Text(
        "(doc_id, start, end), (doc_id, start, end, grade), a text, or an object with these",
        " (doc_id, start, end)、(doc_id, start, end, grade)、文本，或含这些字段的对象",
    ),
    "pieces": Text(
        "(doc_id, start, end), (doc_id, start, end, score), a chunk id, (chunk_id, score), or an object with these",
        " (doc_id, start, end)、(doc_id, start, end, score)、文本块 id、(chunk_id, score)，或含这些字段的对象",
    ),
    "chunks": Text("(doc_id, start, end), or an object with these", " (doc_id, start, end)，或含这些字段的对象"),
}


_PLACES = ("chunk_id", "doc_id", "start", "end", "text")
"""What a retrieved piece may leave out."""


class OffsetRows(NamedTuple):
    """The rows of a table, under canonical names."""

    frame: pl.DataFrame
    where: str
    position: Position
    notes: tuple[str, ...] = ()
    queries: Mapping[str, str] = {}
    """What is asked, by the id of the query, where that is said."""
    documents: Mapping[str, str] | None = None
    """The texts that rows are about, where they come with them."""
    given: tuple[str, ...] = ()
    """The names of its columns as they were given, where it has any."""


def offset_rows(
    obj: Any, kind: Kind, columns: Mapping[str, str] | None = None, documents: Documents | None = None
) -> OffsetRows:
    """The rows of whatever holds a table of this kind: frames, files, records, dicts.

    `documents` are those that are known: what questions name is the id of one of them, or a text.
    """
    obj = taken_in(obj)
    where = word_for(kind)
    if isinstance(obj, Table):
        return _of_run(obj, where)
    from rankgauge.data.any_table import open_table
    from rankgauge.data.asked_spans import question_set, texts_beside
    from rankgauge.data.formats.base import Columns, Keyed

    content = open_table(obj, kind, columns)
    if kind == "spans" and (found := question_set(content, columns, documents)) is not None:
        rows = _of_mapping(found.rows, kind, None, content.where)
        return rows._replace(
            notes=tuple(dict.fromkeys((*content.notes, *found.notes, *rows.notes))),
            queries=found.queries,
            documents=found.documents,
        )
    if isinstance(content, Keyed):
        return _of_mapping(content.rows, kind, columns, content.where)
    position = content.position if isinstance(content, Columns) else None
    is_text = isinstance(content, Columns) and content.is_text
    given = content.read()
    if kind == "pieces":  # what is not known of where a result stands is left empty by those who write them
        frame, notes = _cast_partly(given, kind, content.where, position or row, columns, _PLACES, is_text=is_text)
        frame = _with_places(frame)
    else:
        frame, notes = _cast(given, kind, columns, content.where, position or row, is_text=is_text)
    queries = texts_beside(given, frame) if kind == "spans" else {}
    said = (*content.notes, *notes)
    return OffsetRows(frame, content.where, position or row, said, queries, given=tuple(given.columns))


def _of_run(run: Table, where: str) -> OffsetRows:
    """A ranking of chunk ids."""
    if (pieces := getattr(run, "pieces", None)) is not None:
        if not any(pieces.values()):
            return _nothing(list(pieces), where)._replace(notes=run.notes)
        return _of_mapping(pieces, "pieces", None, where)._replace(notes=run.notes)
    results = getattr(run, "results", None)
    if results is None:
        raise InputError(
            Text(
                f"{where} expected, got a {type(run).__name__} ({run.name}). Are the arguments in order?",
                f"应为{zh(where)}，实际为 {type(run).__name__}（{run.name}）。参数顺序对吗？",
            )
        )
    return OffsetRows(results().select("query_id", "score", chunk_id="doc_id"), where, row, run.notes)


def _nothing(queries: Sequence[str], where: str) -> OffsetRows:
    """Queries whose lists are all there and empty."""
    import polars as pl

    types = {"doc_id": pl.String, "start": pl.Int64, "end": pl.Int64, "text": pl.String}
    empty = [pl.lit(None, dtype=kind).alias(name) for name, kind in types.items()]
    return OffsetRows(pl.DataFrame({"query_id": list(queries)}).with_columns(empty), where, row)


def _cast(
    frame: pl.DataFrame,
    kind: Kind,
    columns: Mapping[str, str] | None,
    where: str,
    position: Position,
    *,
    is_text: bool = False,
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    import polars as pl

    from rankgauge.data._cast import Column

    chosen = recognise(frame.columns, kind, columns, where)
    notes = list(chosen.notes)
    out: dict[str, pl.Series] = {}
    for role, name in chosen.source.items():
        column = Column(frame.get_column(name), role, where, position, notes, is_text)
        if role in ("start", "end"):
            out[role] = column.offsets()
        elif role in ("score", "grade"):
            out[role] = column.numbers(finite=role == "grade")
        elif role == "distance":
            out["score"] = -column.numbers(finite=False)
        elif role == "rank":
            ranks = column.ranks(required="score" not in out)
            if ranks is not None and "score" not in out:
                out["score"] = -ranks.cast(pl.Float64)
        elif role == "text":
            out[role] = column.text()
        else:
            out[role] = column.ids()
    return pl.DataFrame([values.alias(role) for role, values in out.items()]), tuple(notes)


def _with_places(pieces: pl.DataFrame) -> pl.DataFrame:
    """Rows that say nothing of where they stand or what they hold have an empty text: a row is a place in a list."""
    import polars as pl

    told = [pl.col(name) for name in _PLACES if name in pieces.columns]
    says = pl.any_horizontal(*(column.is_not_null() for column in told)) if told else pl.lit(True)
    text = pl.col("text") if "text" in pieces.columns else pl.lit(None, dtype=pl.String)
    if pieces.select(says.all()).item():
        return pieces
    return pieces.with_columns(text=pl.when(says).then(text).otherwise(pl.lit("")))


def _of_mapping(obj: Mapping[Any, Any], kind: Kind, columns: Mapping[str, str] | None, where: str) -> OffsetRows:
    """Columns by name, or rows by query (spans and pieces) or by chunk."""
    import polars as pl

    from rankgauge.data._cast import from_objects

    key = "chunk_id" if kind == "chunks" else "query_id"
    roles = {role_of(str(k), kind) for k in obj} | set((columns or {}).values())
    if key in roles and len(roles - {None}) > 1:
        from rankgauge.data.tabular import table_of

        frame, notes = _cast(table_of(obj, where), kind, columns, where, row)
        return OffsetRows(frame, where, row, notes)
    records: list[dict[str, Any]] = []
    places: list[Text] = []
    for owner, value in obj.items():
        name = id_text(owner, where)
        for i, entry in enumerate(_entries(value, kind), 1):
            here = Text(f"{_OWNERS[key]} {show(name)}, entry {i}", f"{_OWNERS[key].zh} {show(name)} 的第 {i} 项")
            records.append({key: name, **_entry(entry, kind, within(where, here))})
            places.append(here)
    if not records:
        raise InputError(Text(f"{where}: must hold at least one, got none.", f"{zh(where)}：至少要有一项，实际没有。"))
    names = dict.fromkeys(name for record in records for name in record)
    frame = pl.DataFrame([from_objects(n, [record.get(n) for record in records]) for n in names])

    def position(i: int) -> str:
        return places[i]

    empty = [id_text(owner, where) for owner, value in obj.items() if not list(_entries(value, kind))]
    cast, notes = _cast_partly(frame, kind, where, position)
    if empty and kind != "chunks":  # a query whose list is there and empty
        cast = pl.concat([cast, pl.DataFrame({key: empty})], how="diagonal")
    return OffsetRows(cast, where, position, notes)


_OWNERS = {"query_id": Text("query", "查询"), "chunk_id": Text("chunk", "文本块")}


def _cast_partly(
    frame: pl.DataFrame,
    kind: Kind,
    where: str,
    position: Position,
    columns: Mapping[str, str] | None = None,
    may_be_empty: Sequence[str] = ROLES["spans"][1:] + ROLES["pieces"][1:],
    *,
    is_text: bool = False,
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """As `_cast`, where rows of several shapes leave some columns empty: those that may be."""
    import polars as pl

    out: list[pl.DataFrame] = []
    notes: list[str] = []
    chosen = recognise(frame.columns, kind, columns, where).source
    parts = [name for role, name in chosen.items() if role in may_be_empty]
    holes = frame.select(pl.col(parts).is_null()).unique(maintain_order=True)
    if not parts or not holes.select(pl.any_horizontal(pl.all()).any()).item():
        return _cast(frame, kind, columns, where, position, is_text=is_text)
    numbered = frame.with_row_index("#")
    for pattern in holes.iter_rows(named=True):
        mine = pl.lit(True)
        for name, is_hole in pattern.items():
            mine = mine & (pl.col(name).is_null() if is_hole else pl.col(name).is_not_null())
        part = numbered.filter(mine)
        at = part.get_column("#").to_list()
        kept = [name for name in chosen.values() if not pattern.get(name, False)]
        told = {name: role for name, role in (columns or {}).items() if name in kept}

        def place(i: int, at: list[int] = at) -> str:
            return position(at[i])

        found, said = _cast(part.select(kept), kind, told, where, place, is_text=is_text)
        out.append(found.with_columns(part.get_column("#")))
        notes += said
    return pl.concat(out, how="diagonal").sort("#").drop("#"), tuple(dict.fromkeys(notes))


def _entries(value: Any, kind: str) -> Iterator[Any]:
    """What belongs to a query or chunk, one by one."""
    if kind == "chunks" or isinstance(value, str):
        yield value
    elif isinstance(value, tuple) and len(value) > 2 and not any(isinstance(x, (Mapping, tuple, list)) for x in value):
        yield value  # one interval
    elif isinstance(value, Mapping):
        if any(role_of(str(k), kind) is not None for k in value):  # type: ignore[arg-type]
            yield value
        else:
            yield from value.items()  # chunk ids with scores
    elif isinstance(value, Iterable):
        yield from value
    else:
        yield value


def _entry(entry: Any, kind: Kind, where: Text) -> dict[str, Any]:
    """One entry as a record of canonical names."""
    if isinstance(entry, str):
        return {"chunk_id" if kind == "pieces" else "text": entry}
    if isinstance(entry, Mapping):
        named = {role_of(str(k), kind): v for k, v in entry.items()}
        return {role: v for role, v in named.items() if role is not None and v is not None}
    if isinstance(entry, Sequence) and len(entry) in (3, 4):
        fourth = {"spans": "grade", "pieces": "score"}.get(kind)
        if len(entry) == 3 or fourth is not None:
            return dict(zip(("doc_id", "start", "end", fourth or ""), entry, strict=False))
    if kind == "pieces" and isinstance(entry, Sequence) and len(entry) == 2:
        return {"chunk_id": entry[0], "score": entry[1]}
    raise InputError(
        about(where)
        + Text(f"must be {_SHAPES[kind]}, got {show(entry)}.", f"必须是{_SHAPES[kind].zh}，实际为 {show(entry)}。")
    )
