"""Attributes of queries: language, segment, category … from a mapping, a frame or a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from numbers import Real
from os import PathLike
from types import NoneType
from typing import Any, Literal

import numpy as np

from rankgauge._numbers import short
from rankgauge._piped import is_there, taken_in
from rankgauge._show import show, show_all
from rankgauge._text import Text, mapped, zh
from rankgauge._typing import Array
from rankgauge._words import decimal_comma
from rankgauge.data._places import NOTHING, about, within, word_for
from rankgauge.data.activity import ACTIVITY, Activity
from rankgauge.data.frames import Position, is_frame, row
from rankgauge.data.mappings import id_text, refuse_twins
from rankgauge.data.table import is_series
from rankgauge.data.weights import RANGE, out_of_range
from rankgauge.errors import InputError

__all__ = [
    "ITEMS",
    "ITEM_GROUPS",
    "MOST_VALUES",
    "attribute_table",
    "query_attributes",
    "query_weights",
    "weight_table",
]

ITEM_GROUPS = "item groups"
ITEMS = "items"

Role = Literal["query_id", "doc_id"]
_CLEAR = {"query_id": ("queryid", "qid"), "doc_id": ("docid", "itemid", "docno", "documentid")}
_NOUNS = {"query_id": Text("query", "查询"), "doc_id": Text("item", "条目")}
_PLURALS = {"query_id": Text("queries", "查询"), "doc_id": Text("items", "条目")}

MOST_VALUES = 50  # an attribute with more values is a text, not a slice


def query_attributes(slices: Any, query_ids: Sequence[str]) -> tuple[dict[str, list[Any]], list[str]]:
    """For each attribute its value for each query (None where unknown), and notes on what was left out."""
    if slices is None:
        return {}, []
    if isinstance(slices, Activity):
        others, notes = query_attributes(slices.beside, query_ids)
        if ACTIVITY in others:
            raise InputError(
                Text(
                    f"slices: {show(ACTIVITY)} is made of train, and the table beside it has a column of this name. "
                    "Rename the column, or pass the table alone.",
                    f"slices：{show(ACTIVITY)} 由训练集得出，而同时给出的表中也有同名的列。"
                    "请重命名该列，或只传入该表。",
                )
            )
        return {ACTIVITY: slices.of(query_ids), **others}, [slices.note, *notes]
    notes = []
    table = attribute_table(slices, notes=notes)
    names = list(dict.fromkeys(name for row in table.values() for name in row))
    unknown = [q for q in query_ids if q not in table]
    if len(unknown) == len(query_ids):
        raise InputError(
            Text(
                f"slices: none of the {len(query_ids):,} queries is in the slice table. "
                f"Queries are such as {show(query_ids[0])}, the table has {show(next(iter(table), 'nothing'))}.",
                f"切片：{len(query_ids):,} 个查询都不在切片表中。查询形如 {show(query_ids[0])}，表中为 "
                f"{show(next(iter(table), '无'))}。",
            )
        )
    if unknown:
        n, some = len(unknown), ", ".join(unknown[:3])
        note = Text(f"{n:,} queries have no slice ({some}…)", f"{n:,} 个查询没有切片（{some}…）")
        notes.append(mapped(lambda text: text[:200], note))
    out = {}
    for name in names:
        given = [table.get(q, {}).get(name) for q in query_ids]
        values = [_held(value) for value in given]
        without = [q for q, v in zip(query_ids, values, strict=True) if v is None and q in table]
        distinct = len({str(v) for v in values})
        if distinct > MOST_VALUES:
            notes.append(
                Text(
                    f"attribute {show(name)} has {distinct:,} values and is not used as a slice",
                    f"属性 {show(name)} 有 {distinct:,} 个取值，不用作切片",
                )
            )
        else:
            out[name] = values
            notes += [*_without(name, without), *_called(name, given)]
    return out, notes


def _held(value: Any) -> Any:
    """A value that a stored record can hold: what is neither text nor a number is what it is called."""
    if isinstance(value, np.generic):
        value = value.item()
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def _called(name: str, given: Sequence[Any]) -> list[str]:
    """The note on values that are neither text, number nor date, and so are what Python calls them."""
    odd = [v for v in given if not isinstance(v, (str, int, float, np.generic, date, NoneType))]
    if not odd:
        return []
    n, example = len(odd), show(str(odd[0]))
    return [
        Text(
            f"{n:,} {'value' if n == 1 else 'values'} of {show(name)} that {'is' if n == 1 else 'are'} neither text "
            f"nor number, taken as {'it is' if n == 1 else 'they are'} written ({example})",
            f"{show(name)} 有 {n:,} 个值既非文本也非数字，按其写法读取（{example}）",
        )
    ]


def _without(name: str, queries: Sequence[str]) -> list[str]:
    """The note on queries that are there without a value of an attribute."""
    if not queries:
        return []
    n, some = len(queries), show_all(queries[:3]) + (", …" if len(queries) > 3 else "")
    return [
        Text(
            f"{n:,} {'query has' if n == 1 else 'queries have'} no {show(name)} ({some})",
            f"{n:,} 个查询没有属性 {show(name)}（{some}）",
        )
    ]


def query_weights(weights: Any, query_ids: Sequence[str]) -> Array:
    """A weight for each query, from a mapping, a table, or a sequence in the order of the queries."""
    if is_series(weights) and type(weights.index).__name__ != "RangeIndex":
        weights = dict(weights.items())
    weights = taken_in(weights)
    if (
        isinstance(weights, (str, PathLike))
        or _are_files(weights)
        or (is_frame(weights) and hasattr(weights, "columns"))
    ):
        weights = weight_table(weights)
    if isinstance(weights, Mapping):
        refuse_twins(weights, word_for("weights"), Text("queries", "查询"))
        by_id = {id_text(q, word_for("weights")): w for q, w in weights.items()}
        absent = [q for q in query_ids if q not in by_id]
        if absent:
            raise InputError(
                Text(
                    f"weights: {len(absent):,} of {len(query_ids):,} queries have none ({', '.join(absent[:3])}…).",
                    f"权重：{len(query_ids):,} 个查询中有 {len(absent):,} 个没有权重（{', '.join(absent[:3])}…）。",
                )
            )
        weights = [by_id[q] for q in query_ids]
    try:
        out = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        listed = weights if isinstance(weights, Sequence) else [weights]
        bad = next((w for w in listed if isinstance(w, str) or not isinstance(w, Real)), weights)
        raise InputError(
            Text(
                f"weights: must be one number per query, got {show(bad)}.",
                f"权重：每个查询必须有一个数字，实际为 {show(bad)}。",
            )
        ) from None
    if out.shape != (len(query_ids),):
        raise InputError(
            Text(
                f"weights: expected {len(query_ids)} numbers, one per query, got shape {out.shape}.",
                f"权重：应有 {len(query_ids)} 个数字，每个查询一个，实际形状为 {out.shape}。",
            )
        )
    if not (np.isfinite(out).all() and (out >= 0).all() and (out > 0).any()):
        raise InputError(
            Text("weights: must be finite, not negative, and not all 0.", "权重：必须有限、非负，且不全为 0。")
        )
    if (odd := out_of_range(out)).any():
        raise InputError(
            Text(
                f"weights: must be {RANGE}, got {short(out[odd][0])}. Divide all of them by the same number.",
                f"权重：必须为{RANGE.zh}，实际为 {short(out[odd][0])}。请把所有权重除以同一个数。",
            )
        )
    return out


def _are_files(weights: Any) -> bool:
    """A list of files, as one table."""
    is_list = isinstance(weights, (list, tuple)) and all(isinstance(w, (str, PathLike)) for w in weights)
    return is_list and any(is_there(w) for w in weights)


def weight_table(weights: Any) -> dict[str, Any]:
    """The weights of queries in a file or a dataframe: its column `weight`, or the only one beside the ids."""
    table = attribute_table(weights, "weights")
    names = list(dict.fromkeys(name for row in table.values() for name in row))
    if "weight" not in names and len(names) != 1:
        raise InputError(
            Text(
                f"weights: columns query_id and weight expected, found beside the ids: {show_all(names)}.",
                f"权重：应有 query_id 和 weight 两列，id 之外找到的是：{zh(show_all(names))}。",
            )
        )
    name = "weight" if "weight" in names else names[0]
    return {query: _number(row.get(name), query) for query, row in table.items()}


def _number(value: Any, query: str) -> float:
    """A weight; files of text hold it as text."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        hint = decimal_comma(value)
        raise InputError(
            Text(
                f"weights: must be one number per query, got {show(value)} for {show(query)}.{hint}",
                f"权重：每个查询必须有一个数字，实际 {show(query)} 为 {show(value)}。{zh(hint)}",
            )
        ) from None


def attribute_table(
    slices: Any, kind: str = "slices", notes: list[str] | None = None, key: str | None = None
) -> dict[str, dict[str, Any]]:
    """The attributes of each query (or of each item) that has some, by its id; `notes` takes what opening it told.

    `key` is the column of ids, where the caller names it.
    """
    role = _role(kind)
    if is_series(slices):
        slices = dict(slices.items())
    if isinstance(slices, Mapping):  # needs no formats, which are slow to load
        return _by_key(slices, word_for(kind), role)
    from rankgauge.data.any_table import open_table
    from rankgauge.data.formats.base import Columns, Keyed, Records

    content = open_table(slices, kind)
    if notes is not None:
        notes += content.notes
    if isinstance(content, Keyed):
        if not content.rows:
            raise InputError(
                Text(f"{content.where} holds no {_PLURALS[role]}.", f"{zh(content.where)} 中没有{_PLURALS[role].zh}。")
            )
        return _by_key(content.rows, content.where, role)
    if isinstance(content, Records):
        places, records = zip(*content.each(), strict=True)
        flat = [_flat(record, lists=kind == ITEMS) for record in records]
        return _one_row_each(flat, lambda i: places[i](), content.where, kind, key)
    position = content.position if isinstance(content, Columns) else None
    return _one_row_each(content.read().to_dicts(), position or row, content.where, kind, key)


def _role(kind: str) -> Role:
    return "doc_id" if kind in (ITEM_GROUPS, ITEMS) else "query_id"


def _by_key(rows: Mapping[Any, Any], where: str, role: Role) -> dict[str, dict[str, Any]]:
    refuse_twins(rows, where, _PLURALS[role])
    name = "slice" if role == "query_id" else "group"
    return {id_text(q, where): dict(v) if isinstance(v, Mapping) else {name: v} for q, v in rows.items()}


def _flat(record: Mapping[str, Any], *, lists: bool = False) -> dict[str, Any]:
    """The values of a record, and those that BEIR keeps in `metadata`; objects are left out, and lists by default."""
    metadata = record.get("metadata")
    fields = {**metadata, **record} if isinstance(metadata, Mapping) else record
    return {
        k: v
        for k, v in fields.items()
        if v is None or isinstance(v, str | int | float | bool) or (lists and isinstance(v, list | tuple))
    }


def _key(names: Sequence[str], where: str, kind: str) -> str:
    """The field with the id of the query, or of the item, by the clearest of its names."""
    from rankgauge.data.columns import fold, may_be, role_of

    role = _role(kind)

    def is_it_by_role(name: str) -> bool:
        return role_of(name, "run") == role

    clear: tuple[Callable[[str], bool], ...] = (
        lambda n: fold(n) in _CLEAR[role],
        lambda n: n == "_id",  # BEIR
        lambda n: is_it_by_role(n) and fold(n).endswith("id"),
        lambda n: fold(n) == "id",
        is_it_by_role,
        lambda n: may_be(n, "run") == role,
    )
    key = next((n for is_it in clear for n in names if is_it(n)), None)
    if key is None:
        name, hint = (
            (
                "item_id",
                Text(
                    " Rename the column of item ids, or pass columns={'item_id': …}.",
                    "请给物品 id 列改名，或传入 columns={'item_id': …}。",
                ),
            )
            if kind == ITEMS
            else (role, "")
        )
        raise InputError(
            Text(
                f"{where}: column {show(name)} is missing. Found: {show_all(names) or NOTHING}.{hint}",
                f"{zh(where)}：缺少列 {show(name)}。找到：{zh(show_all(names) or NOTHING)}。{zh(hint)}",
            )
        )
    return key


def _one_row_each(
    rows: Sequence[dict[str, Any]], place: Position, where: str, kind: str, named: str | None = None
) -> dict[str, dict[str, Any]]:
    """The attributes of each query, or of each item: one value of each."""
    names, noun = dict.fromkeys(name for one in rows for name in one), _NOUNS[_role(kind)]
    key = named if named in names else _key(list(names), where, kind)
    table: dict[str, dict[str, Any]] = {}
    problems: list[str] = []
    for i, one in enumerate(rows):
        given = one.pop(key, None)
        if key:
            one.pop("", None)  # a column without a name: numbers of rows, which are no attribute
        # to count lines takes its time, and there is hardly ever something to say about one
        query = given if type(given) is str and given else id_text(given, within(where, place(i)))
        known = table.setdefault(query, one)
        if known is one:
            continue
        problems += [
            Text(
                f"{noun} {show(query)} must have one {name}, got {show(known.get(name))} and {show(value)}.",
                f"{noun.zh} {show(query)} 只能有一个 {name}，实际为 {show(known.get(name))} 和 {show(value)}。",
            )
            for name, value in one.items()
            if _listed(known.get(name)) != _listed(value)
        ]
    if problems:
        keep = Text(f"Keep one row per {noun}.", f"每个{noun.zh}请只保留一行。")
        raise InputError.collect(about(where), problems, keep)
    return table


def _listed(value: Any) -> Any:
    """A value that can be compared as a whole: arrays are lists."""
    return value.tolist() if isinstance(value, np.ndarray) else value
