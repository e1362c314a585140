"""Judgements and rankings as Python dicts, in all the shapes people keep them in.

    {"q1": {"d1": 2, "d2": 0}}                                 grades or scores by id
    {"q1": ["d1", "d2"]}                                       a list: best first, or all relevant
    {"q1": [("d1", 0.9), ("d2", 0.3)]}                         pairs
    {"q1": "d1"}                                               one target (judgements only)
    {"q1": [{"doc_id": "d1", "score": 0.9}]}                   records

Everything becomes `{query: {id: number}}`. A dict that has this form already is used as it is. What holds judgements
and run in one is taken apart in `both_sides.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite, isnan
from numbers import Integral, Real
from struct import error as struct_error
from struct import pack, pack_into
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import about, word_for
from rankgauge.errors import InputError

__all__ = [
    "EXACT",
    "Ids",
    "Listed",
    "id_kind",
    "id_text",
    "judgements",
    "not_finite",
    "numbers_in",
    "numbers_of",
    "rankings",
    "refuse_twins",
    "said_of_forms",
    "with_text_ids",
]

EXACT = 2**53  # from here on a float no longer holds every integer

Ids = dict[Any, dict[Any, float]]
Listed = tuple[Sequence[Any], Sequence[float]]
"""The ids of a list and their scores, as they were given."""
Array = NDArray[np.float64]


def judgements(obj: Mapping[Any, Any], where: str = "qrels") -> Ids:
    """`{query: {id: grade}}` from any of the shapes above."""
    refuse_twins(obj, where, "queries")
    found = dict(obj) if _is_table(obj) else {q: _grades(v, q, where) for q, v in obj.items()}
    _refuse_empty(found, where)
    return found


def rankings(obj: Mapping[Any, Any], where: str = "run") -> tuple[Ids, dict[str, Listed]]:
    """`{query: {id: score}}` from any of the shapes above, and the whole lists of queries that repeat an item.

    A dict has room for each item once: at its best score.
    """
    refuse_twins(obj, where, "queries")
    out: Ids = {}
    repeated: dict[str, Listed] = {}
    if _is_table(obj):
        out = dict(obj)
    else:
        for query, value in obj.items():
            out[query], listed = _scores(value, query, where)
            if listed is not None:
                repeated[id_text(query, where)] = listed
    _refuse_empty(out, where)
    return out, repeated


def _refuse_empty(found: Ids, where: str) -> None:
    """An id without a letter names nothing."""
    if "" in found:
        raise InputError(
            Text(
                f"{where}: the id of a query must not be empty, got ''.",
                f"{zh(where)}：查询的 id 不能为空，实际为 ''。",
            )
        )
    if any("" in row for row in found.values()):
        query = next(q for q, row in found.items() if "" in row)
        raise InputError(
            Text(
                f"{where}: query {show(query)} must hold ids that are not empty, got ''.",
                f"{zh(where)}：查询 {show(query)} 中的 id 不能为空，实际为 ''。",
            )
        )


def said_of_forms(kind: str, entries: Collection[Any]) -> tuple[Text, ...]:
    """The note on queries of which some have a number for each id and others only ids."""
    if set(map(type, entries)) <= {dict}:
        return ()
    found = [has for entry in entries if (has := _has_numbers(entry)) is not None]
    n = sum(found)
    if n in (0, len(found)):
        return ()
    rest = len(found) - n
    return (
        Text(
            f"queries of the {kind} are given in two forms: {n:,} with a number for each id, {rest:,} with ids only",
            f"{kind} 中的查询有两种写法：{n:,} 个为每个 id 给出数值，{rest:,} 个只有 id",
        ),
    )


def _has_numbers(entry: Any) -> bool | None:
    """Whether what belongs to a query has a number for each id; None where there is nothing, or it is unclear."""
    if isinstance(entry, Mapping):
        return bool(entry) or None
    if isinstance(entry, (str, Integral)):
        return False
    if isinstance(entry, np.ndarray):
        return False if entry.ndim == 1 and entry.size else None
    if hasattr(entry, "to_list") or not isinstance(entry, Collection) or not entry:  # a column may be of numbers
        return None
    return _are_pairs(entry) or isinstance(next(iter(entry)), Mapping)


def _is_table(obj: Mapping[Any, Any]) -> bool:
    return set(map(type, obj.values())) == {dict}


def _grades(value: Any, query: Any, where: str) -> dict[Any, float]:
    if isinstance(value, Mapping):
        return value if isinstance(value, dict) else dict(value)
    if isinstance(value, (str, Integral)):
        return {value: 1}
    value = _plain_list(value, query, where, "qrels")
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Collection) and not isinstance(value, (np.ndarray, bytes, bytearray, memoryview)):
        with _ids_of(value, query, where):
            grades = dict(value) if _are_pairs(value) else dict.fromkeys(value, 1)
        refuse_twins(grades, where, Text(f"items of query {show(query)}", f"查询 {show(query)} 的文档"))
        return grades
    raise InputError(
        Text(
            f"{where}: query {show(query)} must hold a dict of grades, a list of relevant ids or one id, "
            f"got {type(value).__name__}.",
            f"{zh(where)}：查询 {show(query)} 必须是等级的 dict、相关 id 的列表或一个 id，实际为 "
            f"{type(value).__name__}。",
        )
    )


def _scores(value: Any, query: Any, where: str) -> tuple[dict[Any, float], Listed | None]:
    """The scores of a list by id; and the list, where it shows an id several times."""
    if isinstance(value, Mapping):
        return (value if isinstance(value, dict) else dict(value)), None
    value = _plain_list(value, query, where, "run")
    if isinstance(value, Mapping):
        return dict(value), None
    if isinstance(value, (list, tuple)):
        if _are_pairs(value):
            with _ids_of(value, query, where):
                scores = dict(value)
            refuse_twins(scores, where, Text(f"results of query {show(query)}", f"查询 {show(query)} 的结果"))
            if len(scores) == len(value):
                return scores, None
            ids, numbers = zip(*value, strict=True)
            scores = {}
            for doc_id, score in value:
                if doc_id not in scores:
                    scores[doc_id] = score
                elif _is_better(score, scores[doc_id]):
                    del scores[doc_id]  # its place counts too, where scores of other items are equal
                    scores[doc_id] = score
            return scores, (ids, numbers)
        # best first: the score is how many results follow; of a repeated id the first one counts
        with _ids_of(value, query, where):
            ranked = {d: len(value) - i for i, d in reversed(list(enumerate(value)))}
        refuse_twins(ranked, where, Text(f"results of query {show(query)}", f"查询 {show(query)} 的结果"))
        listed = None if len(ranked) == len(value) else (value, range(len(value), 0, -1))
        return dict(reversed(ranked.items())), listed
    raise InputError(
        Text(
            f"{where}: query {show(query)} must hold a dict of scores or a list of ids (best first), "
            f"got {type(value).__name__}.",
            f"{zh(where)}：查询 {show(query)} 必须是得分的 dict 或 id 的列表（最好的在前），实际为 "
            f"{type(value).__name__}。",
        )
    )


def _plain_list(value: Any, query: Any, where: str, kind: Literal["run", "qrels"]) -> Any:
    """An array or a column as a list of ids, records as pairs; a pandas Series of numbers as a dict by its index."""
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
        from rankgauge.data.item_records import pairs_of_records

        place = Text(f"{where}: query {show(query)}", f"{zh(where)}：查询 {show(query)}")
        return pairs_of_records(value, kind, place)
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return value.tolist()
    if type(value).__name__ != "Series" or not hasattr(value, "to_list"):
        return value
    index = getattr(value, "index", None)
    if index is None or getattr(value.dtype, "kind", "O") not in "iufbc":
        return value.to_list()
    if type(index).__name__ == "RangeIndex":
        raise InputError(
            Text(
                f"{where}: query {show(query)} must hold numbers by id or ids in order, got a Series of numbers "
                "without "
                "an index of ids. Pass .tolist() if the numbers are ids, or give it an index.",
                f"{zh(where)}：查询 {show(query)} 必须是以 id 为键的数字，或按顺序排列的 id，实际是没有 id "
                "索引的数字 Series。如果这些数字就是 id，请传入 .tolist()；否则请给它加上索引。",
            )
        )
    return dict(zip(index.tolist(), value.tolist(), strict=True))


def refuse_twins(ids: Iterable[Any], where: str, what: str) -> None:
    """Two ids that are the same as text, such as 7 and "7". Keys of a dict differ, so only text and numbers can be."""
    kinds = set(map(type, ids))
    if len(kinds) < 2 or str not in kinds:
        return
    seen: dict[str, Any] = {}
    for each in ids:
        text = id_text(each, where)
        if text in seen:
            raise InputError(
                Text(
                    f"{where}: {what} must have different ids, got {show(seen[text])} and {show(each)}, which are the "
                    "same "
                    "as text. Write ids in one way.",
                    f"{zh(where)}：{zh(what)}的 id 必须互不相同，实际有 {show(seen[text])} 和 {show(each)}，"
                    "它们作为文本是相同的。请统一 id 的写法。",
                )
            )
        seen[text] = each


def _is_better(score: Any, than: Any) -> bool:
    """NaN ranks last; what is no number at all stays, so that it is refused by name."""
    if not (isinstance(score, Real) and isinstance(than, Real)):
        return isinstance(than, Real)
    return bool(score > than) or (isnan(than) and not isnan(score))


@contextmanager
def _ids_of(items: Iterable[Any], query: Any, where: str) -> Iterator[None]:
    """Lists, dicts and arrays are no ids, and what is no pair among pairs has none: said of the first that is so."""
    try:
        yield
    except (TypeError, ValueError):
        for item in items:
            if _are_pairs(items) and not (isinstance(item, (tuple, list)) and len(item) == 2):
                raise InputError(
                    Text(
                        f"{where}: query {show(query)} must hold pairs of id and number, got {show(item)}.",
                        f"{zh(where)}：查询 {show(query)} 中必须是 id 与数字的对，实际为 {show(item)}。",
                    )
                ) from None
            odd = item[0] if _are_pairs(items) else item
            if not _is_hashable(odd):
                break
        raise InputError(
            Text(
                f"{where}: query {show(query)}: an id must be text or a whole number, got {show(odd)}.",
                f"{zh(where)}：查询 {show(query)}：id 必须是文本或整数，实际为 {show(odd)}。",
            )
        ) from None


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _are_pairs(items: Iterable[Any]) -> bool:
    first = next(iter(items), None)
    return isinstance(first, (tuple, list)) and len(first) == 2 and isinstance(first[1], Real)


def numbers_of(rows: Collection[Mapping[Any, float]], table: Ids, where: str, value: str) -> Array:
    """The numbers of all rows, one after the other; anything that is not a number is refused by name."""
    return numbers_in(rows, sum(map(len, rows)), table, where, value)


def numbers_in(rows: Iterable[Mapping[Any, float]], n: int, table: Ids, where: str, value: str) -> Array:
    """The `n` numbers of rows that can be gone through once."""
    numbers, end = np.empty(n), 0
    room = numbers.data
    try:
        for row in rows:
            # unlike NumPy, struct takes no text for a number; it is also the fastest way out of a dict
            pack_into(f"{len(row)}d", room, end, *row.values())
            end += 8 * len(row)
        return numbers
    except (struct_error, OverflowError):
        found = [
            Text(
                f"query {show(q)}, {show(d)}: {value} must be a number, got {show(v)}.",
                f"查询 {show(q)} 的 {show(d)}：{zh(word_for(value))}必须是数字，实际为 {show(v)}。",
            )
            for q, row in table.items()
            for d, v in row.items()
            if not _is_number(v)
        ]
        raise InputError.collect(about(where), found) from None


def not_finite(table: Ids, where: str) -> InputError:
    """The error for grades that are NaN or infinite."""
    found = [
        Text(
            f"query {show(q)}, {show(d)}: grade must be a finite number, got {show(v)}.",
            f"查询 {show(q)} 的 {show(d)}：等级必须是有限的数字，实际为 {show(v)}。",
        )
        for q, row in table.items()
        for d, v in row.items()
        if not isfinite(v)
    ]
    return InputError.collect(about(where), found)


def _is_number(value: Any) -> bool:
    try:
        pack("d", value)
    except (struct_error, OverflowError):
        return False
    return True


def id_kind(table: Ids) -> str:
    """`"text"` or `"integer"` when ids are of that kind, else `"mixed"`; told by the first and last id of each row."""
    kinds = {type(next(iter(row))) for row in table.values() if row}
    kinds |= {type(next(reversed(row))) for row in table.values() if row}
    if kinds <= {str}:
        return "text"
    if all(issubclass(k, (int, np.integer)) and k is not bool for k in kinds):
        return "integer"
    return "mixed"


def id_text(value: Any, where: str = "ids") -> str:
    """The one text form of an id: integers in digits, whole floats as integers as far as floats count."""
    if isinstance(value, str):
        return value
    if type(value) is int:  # most of the others
        return str(value)
    if isinstance(value, (bool, np.bool_)):
        raise InputError(
            Text(
                f"{where}: an id must be text or an integer, got {show(value)}.",
                f"{zh(where)}：id 必须是文本或整数，实际为 {show(value)}。",
            )
        )
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real) and (number := float(value)).is_integer() and abs(number) < EXACT:
        return str(int(number))
    raise InputError(
        Text(
            f"{where}: an id must be text or an integer, got {show(value)} ({type(value).__name__}).",
            f"{zh(where)}：id 必须是文本或整数，实际为 {show(value)}（{type(value).__name__}）。",
        )
    )


def with_text_ids(table: Ids, where: str) -> Ids:
    """The same table with every id as text; two ids that become the same text are an error."""
    refuse_twins(table, where, "queries")
    for q, row in table.items():
        refuse_twins(row, where, Text(f"items of query {show(q)}", f"查询 {show(q)} 的文档"))
    return {id_text(q, where): {id_text(d, where): v for d, v in row.items()} for q, row in table.items()}
