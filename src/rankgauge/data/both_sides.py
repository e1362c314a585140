"""What holds both sides of a query: what was retrieved, and what is relevant. The forms of it, taken apart.

    {"q1": {"retrieved": ["d1", "d2"], "relevant": ["d2"]}}                       queries by id
    [(["d1", "d2"], ["d2"]), …], [(["d1", "d2"], "d2"), …]                        pairs
    [{"user_input": "…", "retrieved_contexts": […], "reference_contexts": […]}]   records
    {"retrieved_ids": [["d1"], …], "reference_ids": [["d2"], …]}                  columns of such records
    {"run": {"q1": {"d1": 0.9}}, "qrels": {"q1": {"d2": 1}}}                      each side by query
    objects with these attributes, a list of them or one that keeps it in `samples`
    frames and datasets with these columns
    a file of any of them

Names of the sides are compared without case and underscores; `SIDES` has them. Verbs come in through `together.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from difflib import get_close_matches
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import in_record, within
from rankgauge.data.columns import fold, own_columns, query_names
from rankgauge.data.frames import column_names, is_frame, to_polars
from rankgauge.errors import InputError

if TYPE_CHECKING:
    pass

__all__ = [
    "INPUT",
    "ITEMS",
    "SIDES",
    "WHOLE_TEXTS",
    "BothSides",
    "OnlySide",
    "Position",
    "answers_told",
    "has_both_names",
    "is_columns",
    "is_pair",
    "is_sided",
    "is_system",
    "key_of",
    "one_side",
    "only_side",
    "side_names",
    "split",
]

_RETRIEVED = (
    "retrieved results ranking ranked hits run retrievedcontextids retrievedids retrieveddocs retrieveddocuments",
    "documents docs predictions recommendations recommended candidates items itemids docids documentids",
    "retrievedcontexts contexts 检索结果",
)
_RELEVANT = (
    "relevant qrels referencecontextids referenceids expectedids relevantdocs relevantids relevantdocuments",
    "ratings gold expected groundtruth groundtruths judgements judgments positives positive target targets",
    "targetid targetids labels",
    "referencecontexts 相关文档",
)
SIDES: dict[str, tuple[str, ...]] = {
    "run": tuple(" ".join(_RETRIEVED).split()),
    "qrels": tuple(" ".join(_RELEVANT).split()),
}
"""Folded names of what one query has inside a record, its results and its relevant items; the clearest first."""

_SIDE_OF = {name: (kind, i) for kind, names in SIDES.items() for i, name in enumerate(names)}
_WHOLE = {
    "run": frozenset({"run", "retrieved", "results", "retrieveddocs", "检索结果"}),
    "qrels": frozenset({"qrels", "relevant", "relevantdocs", "groundtruth", "judgements", "judgments", "相关文档"}),
}
"""Names of a side that holds all queries; fewer, for a dict of runs has names as well."""
_TEXTS = frozenset({"retrievedcontexts", "contexts", "referencecontexts"})
"""Sides that hold passages themselves, which can only be found among passages."""
_ANSWERS = frozenset({"groundtruth", "groundtruths", "reference", "referenceanswer", "expectedoutput"})
"""What those who have passages keep answers in, which are no passages."""
ITEMS = {"run": Text("retrieved", "检索结果"), "qrels": Text("relevant", "相关文档")}
"""What the items of a side are called."""

INPUT = Text("input", "输入")
WHOLE_TEXTS = Text(
    "passages are compared as whole texts: one that differs by a blank is another one",
    "按全文比较段落：哪怕只差一个空格也算不同的段落",
)
_MOST_FIELDS = 200  # of a record; a run has more queries, and a list more results

Position = Callable[[int], str]


@dataclass(frozen=True, eq=False)
class BothSides:
    """What was retrieved and what is relevant, by query."""

    retrieved: Mapping[Any, Any]
    relevant: Mapping[Any, Any]
    notes: tuple[str, ...] = ()

    def of(self, kind: str) -> Mapping[Any, Any]:
        """The side that a kind of table has."""
        return self.retrieved if kind == "run" else self.relevant


def split(
    obj: Any, where: str = INPUT, *, columns: Mapping[str, str] | None = None, position: Position | None = None
) -> BothSides | None:
    """The two sides of an object in one of the forms above; None for anything else, such as a run."""
    if (whole := _by_query(obj)) is not None:
        return whole
    found = _records(obj)
    if found is None:
        return None
    queries, records = found
    names = _chosen(records, where)
    if names is None:
        return None
    if position is None or (isinstance(obj, list) and len(obj) != len(records)):  # columns on one line
        called = queries
        position = (lambda i: in_record(i + 1)) if called is None else (lambda i: _in_query(called[i]))
    notes: list[str] = []
    if queries is None:
        queries = _called(records, where, columns, position, notes)
    problems = [p for i, r in enumerate(records) for p in _lacking(r, names, position(i))]
    problems += _repeated(queries, position)
    if problems:
        raise InputError.collect(within(where), problems)
    if fold(names["run"]) in _TEXTS:
        notes.append(WHOLE_TEXTS)
    retrieved, relevant = ([_value(r, names[kind]) for r in records] for kind in ("run", "qrels"))
    return BothSides(
        dict(zip(queries, retrieved, strict=True)), dict(zip(queries, relevant, strict=True)), tuple(notes)
    )


def one_side(obj: Mapping[Any, Any], kind: str, where: str) -> tuple[Mapping[Any, Any], tuple[str, ...], bool]:
    """A dict without the words that say which side is meant: what it holds of a kind, notes, and whether of both."""
    both = split(obj, where)
    if both is not None:
        return both.of(kind), both.notes, True
    first = next(iter(obj.values()), None)
    if not isinstance(first, Mapping) or not is_sided(first):
        return obj, (), False
    out, problems = {}, []
    for query, entry in obj.items():
        name = next(iter(_named(entry).get(kind, ())), None) if isinstance(entry, Mapping) else None
        if name is None:
            problems.append(
                Text(f"query {show(query)} has no {ITEMS[kind]} items.", f"查询 {show(query)} 没有{ITEMS[kind].zh}。")
            )
        else:
            out[query] = entry[name]
    if problems:
        raise InputError.collect(within(where), problems)
    return out, (), False


@dataclass(frozen=True)
class OnlySide:
    """One side of all records, and what may have been meant as the other."""

    kind: str
    name: str
    answer: str | None
    """The field of an answer, beside passages."""
    misspelt: tuple[str, str] | None
    """A field and the name of the other side that it is like."""


def only_side(obj: Any) -> OnlySide | None:
    """The one side that all records have, where none has the other."""
    records = [r for r in (_records(obj) or (None, ()))[1] if isinstance(r, Mapping)]
    named = {kind: name for r in records for kind, names in _named(r).items() for name in names}
    if len(named) != 1:
        return None
    ((kind, name),) = named.items()
    other = next(k for k in SIDES if k != kind)
    fields = dict.fromkeys(str(n) for r in records for n, v in r.items() if _is_collection(v) and n != name)
    near = ((f, get_close_matches(fold(f), SIDES[other], 1, 0.75)) for f in fields)
    misspelt = next(((f, found[0]) for f, found in near if found), None)
    return OnlySide(kind, name, _answer(records) if fold(name) in _TEXTS else None, misspelt)


def fields_of(obj: Mapping[Any, Any]) -> list[str]:
    """What a dict has in the place of its sides; nothing where its keys seem to be queries and items."""
    first = next(iter(obj.values()), None)
    outer, inner = [str(n) for n in obj], [str(n) for n in first] if isinstance(first, Mapping) else []
    words = [word for names in SIDES.values() for word in names]
    alike = (names for names in (outer, inner) if any(get_close_matches(fold(n), words, 1, 0.75) for n in names))
    return next(alike, outer if obj and all(map(_is_nested, obj.values())) else [])


def key_of(obj: Any) -> Any:
    """What tells one source from another."""
    return os.path.abspath(obj) if isinstance(obj, (str, PathLike)) else id(obj)


def _in_query(query: Any) -> Text:
    return Text(f"query {show(query)}", f"查询 {show(query)}")


def is_sided(entry: Mapping[Any, Any]) -> bool:
    """Whether this is about one query, with a side or both under their names, and not numbers by id."""
    return bool(_named(entry))


def side_names(names: Iterable[str]) -> list[str]:
    """Those that are names of a side."""
    return [n for n in names if fold(n) in _SIDE_OF]


def has_both_names(names: Iterable[str]) -> bool:
    """Whether columns or fields of these names hold both sides."""
    return {_SIDE_OF[f][0] for n in names if (f := fold(n)) in _SIDE_OF} == set(SIDES)


# which form it is


def _records(obj: Any) -> tuple[list[Any] | None, list[Any]] | None:
    """The queries, where they have names of their own, and a record for each; None for another form."""
    if isinstance(obj, Mapping):
        return _of_mapping(obj)
    if isinstance(obj, (list, tuple)):
        return _of_list(obj)
    if is_frame(obj):
        if type(obj).__name__ == "Series" or not has_both_names(column_names(obj) or ()):
            return None
        return None, to_polars(obj).to_dicts()
    if isinstance(samples := getattr(obj, "samples", None), (list, tuple)):  # EvaluationDataset of ragas
        return _of_list(samples)
    names = getattr(obj, "column_names", None)  # Dataset of Hugging Face
    if isinstance(names, list) and hasattr(obj, "to_list") and has_both_names(names):
        return None, obj.to_list()
    return None


def _of_mapping(obj: Mapping[Any, Any]) -> tuple[list[Any] | None, list[Any]] | None:
    first = next(iter(obj.values()), None)
    if isinstance(first, Mapping):
        return (list(obj), list(obj.values())) if is_sided(first) and not is_system(first) else None
    if set(_named(obj)) != set(SIDES) or "rankgauge" in obj:  # a stored record has words of its own
        return None
    return None, (_rows(obj) if is_columns(obj) else [obj])


def _by_query(obj: Any) -> BothSides | None:
    """The sides of a dict that has all queries of a run under one name, all judged ones under another, and no more."""
    if isinstance(obj, list) and len(obj) == 1:  # a file of one line
        obj = obj[0]
    if not isinstance(obj, Mapping) or len(obj) > _MOST_FIELDS:
        return None
    whole = {name: side for name, side in obj.items() if isinstance(side, Mapping)}
    if len(whole) != 2:
        return None
    found = {kind: side for name, side in whole.items() for kind, names in _WHOLE.items() if fold(name) in names}
    if set(found) != set(SIDES):
        return None
    for kind, side in found.items():
        is_entry = _is_collection if kind == "run" else _is_judged
        if not side or is_sided(side) or not all(map(is_entry, side.values())):
            return None
    return BothSides(found["run"], found["qrels"])


def _is_judged(value: Any) -> bool:
    return _is_collection(value) or isinstance(value, str)


def is_system(obj: Mapping[Any, Any]) -> bool:
    """Whether it has all queries of a system, and not the lists of one query."""
    return is_columns(obj) or _by_query(obj) is not None


def is_columns(obj: Mapping[Any, Any]) -> bool:
    """Whether both sides are columns with a list for each query, and not the lists of one query."""
    named = _named(obj)
    return set(named) == set(SIDES) and all(_is_nested(obj[n]) for names in named.values() for n in names)


def _rows(columns: Mapping[Any, Any]) -> list[dict[str, Any]]:
    """Records of columns, which are as long as one another."""
    lists = {n: v for n, v in columns.items() if isinstance(v, (list, tuple, np.ndarray))}
    lengths = {n: len(v) for n, v in lists.items()}
    if len(set(lengths.values())) > 1:
        got = ", ".join(f"{show(n)} {k:,}" for n, k in lengths.items())
        raise InputError(
            Text(
                f"columns of records must be lists of the same length, got {got}.",
                f"各列的长度必须相同，实际为 {got}。",
            )
        )
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]


def _is_nested(value: Any) -> bool:
    """A list for each query, not the list of one."""
    first = next(iter(value), None) if isinstance(value, (list, tuple, np.ndarray)) else None
    return not _is_item(first) and isinstance(first, (list, tuple, AbstractSet, np.ndarray))


def _of_list(obj: Sequence[Any]) -> tuple[list[Any] | None, list[Any]] | None:
    if not obj:
        return None
    if len(obj) == 1 and isinstance(obj[0], Mapping) and is_columns(obj[0]):
        return _of_mapping(obj[0])  # a file of one line
    if is_pair(obj[0]):
        return None, [dict(zip(("retrieved", "relevant"), x, strict=True)) if is_pair(x) else x for x in obj]
    fields = _fields(obj[0])
    if fields is None or not any(fold(n) in _SIDE_OF for n in fields):
        return None
    return None, [x if (f := _fields(x)) is None else f for x in obj]


def is_pair(value: Any) -> bool:
    """What was retrieved for a query, and what is relevant: several items, or the one target."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        return False
    retrieved, relevant = value
    return _is_list_of_items(retrieved) and (_is_target(relevant) or _is_list_of_items(relevant))


def _is_list_of_items(side: Any) -> bool:
    return _is_collection(side) and not _is_item(side) and not any(map(_is_several, _some(side)))


def _is_target(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _is_item(side: Any) -> bool:
    """An id with its number or its place, not a list of ids."""
    if not isinstance(side, (list, tuple)) or not side or not isinstance(side[0], str):
        return False
    return len(side) in (2, 3, 4) and all(map(_is_number, side[1:]))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number))


def _some(side: Any) -> Iterable[Any]:
    if getattr(side, "ndim", 1) == 0:  # a number of NumPy
        return [side]
    return side.values() if isinstance(side, Mapping) else list(side)[:3]


def _is_several(item: Any) -> bool:
    """What is neither an id nor one with its number."""
    if isinstance(item, (list, tuple)):
        return not _is_item(item) and not (len(item) == 2 and not _is_collection(item[0]) and _is_number(item[1]))
    return isinstance(item, (Mapping, AbstractSet))


def _fields(x: Any) -> Mapping[str, Any] | None:
    """The fields of a record: of a dict, or of an object that keeps them as attributes."""
    if isinstance(x, Mapping):
        return x
    if isinstance(x, (str, bytes, int, float, list, tuple, set, frozenset, np.ndarray, Record)) or x is None:
        return None
    names: Iterable[str] = getattr(x, "__dict__", {}) or getattr(x, "__dataclass_fields__", ())
    return {n: getattr(x, n, None) for n in names if not n.startswith("_")}


def _is_collection(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple, AbstractSet, np.ndarray))


# which fields hold the sides


def _named(record: Mapping[Any, Any]) -> dict[str, list[str]]:
    """The fields that hold a side of one record, the clearest name first; one of them at least holds several ids."""
    found: dict[str, list[tuple[int, str]]] = {}
    some = False
    if len(record) > _MOST_FIELDS:
        return {}
    targets = [name for name, value in record.items() if type(value) is int]
    for name, value in record.items():
        if type(value) is float or type(value) is int:  # most are scores and grades by id
            continue
        if not isinstance(name, str) or (not (is_list := _is_collection(value)) and not isinstance(value, str)):
            continue
        if is_list and not isinstance(value, Mapping) and any(isinstance(x, float) for x in _some(value)):
            continue  # scores or ratings of items: no ids
        if (side := _SIDE_OF.get(fold(name))) is not None:
            found.setdefault(side[0], []).append((side[1], name))
            some = some or is_list
    if some and "qrels" not in found:  # then a number may be the id of the one target
        of = {name: _SIDE_OF.get(fold(name)) for name in targets if isinstance(name, str)}
        if wanted := [(side[1], name) for name, side in of.items() if side is not None and side[0] == "qrels"]:
            found["qrels"] = wanted
    return {kind: [name for _, name in sorted(names)] for kind, names in found.items()} if some else {}


def _chosen(records: Sequence[Any], where: str) -> dict[str, str] | None:
    """The field of each side; None where the records have only one of them, or none."""
    named: dict[str, dict[str, None]] = {kind: {} for kind in SIDES}
    for record in records:
        for kind, names in (_named(record) if isinstance(record, Mapping) else {}).items():
            named[kind].update(dict.fromkeys(names))
    if not all(named.values()):
        return None
    retrieved, relevant = (sorted(names, key=lambda n: _SIDE_OF[fold(n)][1]) for names in named.values())
    fitting = [
        (a, b)
        for a in range(len(retrieved))
        for b in range(len(relevant))
        if (fold(retrieved[a]) in _TEXTS) == (fold(relevant[b]) in _TEXTS)  # a passage is no id
    ]
    if not fitting and fold(retrieved[0]) in _TEXTS and (answer := _answer(records)) is not None:
        raise InputError(answers_told(where, retrieved[0], answer))
    if not fitting:
        raise InputError(
            Text(
                f"{where}: {show(retrieved[0])} and {show(relevant[0])} cannot be compared, one holds passages and the "
                "other ids. Keep both as retrieved_context_ids and reference_context_ids, or both as "
                "retrieved_contexts and reference_contexts.",
                f"{zh(where)}：{show(retrieved[0])} 与 {show(relevant[0])} 无法比较，一边是段落全文，另一边是 id。"
                "请同时使用 retrieved_context_ids 和 reference_context_ids，或同时使用 retrieved_contexts 和 "
                "reference_contexts。",
            )
        )
    a, b = min(fitting, key=sum)
    return {"run": retrieved[a], "qrels": relevant[b]}


def _answer(records: Iterable[Any]) -> str | None:
    """The field in which records keep the answer to their question."""
    return next((n for r in records if isinstance(r, Mapping) for n in r if fold(n) in _ANSWERS), None)


def answers_told(where: str, passages: str, answer: str) -> Text:
    """Why answers cannot be relevant items, and what the file should have."""
    return Text(
        f"{where}: {show(answer)} holds answers, which do not say which passages of {show(passages)} are relevant. Add "
        '"reference_contexts": […], the relevant passages word for word, or ids on both sides: '
        '"retrieved_context_ids": […], "reference_context_ids": […].',
        f"{zh(where)}：{show(answer)} 是答案，不能说明 {show(passages)} 中哪些段落相关。请加上 "
        '"reference_contexts": […]（相关段落的原文），或在两边都给出 id："retrieved_context_ids": […]、'
        '"reference_context_ids": […]。',
    )


def _lacking(record: Any, names: Mapping[str, str], place: str) -> Iterable[str]:
    """What is wrong with one record."""
    if not isinstance(record, Mapping):
        yield Text(
            f"{place}: must have {ITEMS['run']} and {ITEMS['qrels']} items as the others, got {show(record)}.",
            f"{zh(place)}：必须像其他记录一样同时有检索结果和相关文档，实际为 {show(record)}。",
        )
        return
    for kind, name in names.items():
        value = _value(record, name)
        if value is None:
            other = next((n for n in _named(record).get(kind, ()) if n != name), None)
            instead = (f", but {show(other)}", f"，但有 {show(other)}") if other is not None else ("", "")
            yield Text(
                f"{place}: has no {ITEMS[kind]} items ({show(name)}){instead[0]}.",
                f"{zh(place)}：没有{ITEMS[kind].zh}（{show(name)}）{instead[1]}。",
            )
        elif not _is_collection(value) and (kind == "run" or not _is_target(value)):
            yield Text(
                f"{place}: {show(name)} must be a list, got {show(value)}.",
                f"{zh(place)}：{show(name)} 必须是列表，实际为 {show(value)}。",
            )


def _value(record: Mapping[Any, Any], name: str) -> Any:
    value = record.get(name)
    return value.tolist() if isinstance(value, np.ndarray) else value


# what queries are called


def _called(
    records: Sequence[Any], where: str, columns: Mapping[str, str] | None, position: Position, notes: list[str]
) -> list[Any]:
    """The ids of queries, or their texts; numbers from 1 where records have neither."""
    names = list(dict.fromkeys(str(n) for r in records if isinstance(r, Mapping) for n in r))
    for kind in SIDES:
        own = own_columns(columns, names, kind, where)  # type: ignore[arg-type]
    asked = [n for n, role in own.items() if role in ("query_id", "user_id")]
    name = next(iter(asked or query_names(names) or _in_plural(names, records)), None)
    given = [r.get(name) if isinstance(r, Mapping) and name is not None else None for r in records]
    if all(q is None for q in given):
        notes.append(
            Text(
                "queries have no id and are called 1, 2, … in the order of the records",
                "查询没有 id，按记录的顺序编号为 1、2……",
            )
        )
        return [str(i + 1) for i in range(len(records))]
    problems = [
        Text(
            f"{position(i)}: {show(name)} must be text or a whole number, got {show(q)}.",
            f"{zh(position(i))}：{show(name)} 必须是文本或整数，实际为 {show(q)}。",
        )
        for i, q in enumerate(given)
        if isinstance(q, bool) or not isinstance(q, (str, int, np.integer)) or q == ""
    ]
    if problems:
        raise InputError.collect(within(where), problems)
    return given


def _in_plural(names: Sequence[str], records: Sequence[Any]) -> list[str]:
    """Columns such as `queries` or `query_ids`, named for all that they hold; not lists within a record."""
    singular = {re.sub("ie$", "y", fold(n).removesuffix("s")): n for n in names if fold(n).endswith("s")}
    found = [singular[n] for n in query_names(list(singular))]
    return [n for n in found if all(isinstance(r.get(n), (str, int)) for r in records if isinstance(r, Mapping))]


def _repeated(queries: Sequence[Any], position: Position) -> list[str]:
    """Questions that are there twice: which of the lists is meant cannot be told."""
    first: dict[str, int] = {}
    out: list[str] = []
    for i, query in enumerate(queries):
        if (before := first.setdefault(str(query), i)) != i:
            out.append(
                Text(
                    f"{position(i)}: query {show(query)} was there before ({position(before)}). Keep one of them, or "
                    "give each an id of its own.",
                    f"{zh(position(i))}：查询 {show(query)} 前面已经出现（{zh(position(before))}）。请只保留一个，"
                    "或为每条记录给出各自的 id。",
                )
            )
    return out
