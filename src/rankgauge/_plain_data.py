"""Values as plain data that JSON holds, and back again: fields of records by their types.

    NaN                   None
    arrays, tuples        lists
    an interval           the keys `low` and `high` beside the others; `copc_low` and `copc_high` of `copc_interval`
    objects               their `to_dict`, or else their fields by name
    keys that are no text a list of pairs
    a text                its English words

What JSON has no place for lies beside it, in a tree of the same places: the Chinese words of texts (`chinese_of`), and
infinite numbers, or NaN where None is a value of its own, which are None in their place (`odd_of`).

What is read is checked on the way: a value of another kind is one error that says where it stands.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from math import inf, isfinite, isnan, nan
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

from rankgauge._show import show
from rankgauge._text import Text, composed
from rankgauge.errors import InputError

__all__ = [
    "chinese_of",
    "damaged",
    "in_english",
    "is_count",
    "odd_of",
    "plain_of",
    "read_columns",
    "read_fields",
    "read_value",
    "stored_fields",
    "with_chinese",
    "with_odd",
    "without_odd",
]

_ENDS = ("low", "high")
_ODD = {"nan": nan, "inf": inf, "-inf": -inf}


def damaged(place: str, what: str) -> InputError:
    """The one error of stored data that is not what was stored."""
    at = place.removeprefix(".")
    where = Text(f"{show(at)}: ", f"{show(at)}：") if at else ""
    return InputError(
        composed("not what was stored: {}{}. Store it again.", "与保存的内容不符：{}{}。请重新保存。", where, what)
    )


# to plain data


def plain_of(value: Any, *, optional: bool = False) -> Any:
    """A value as JSON can hold it; `optional` where None is a value beside NaN."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return None if isnan(value) and not optional else float(value)
    if hasattr(value, "to_dicts"):  # a frame: its rows
        return [plain_of(row) for row in value.to_dicts()]
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        return plain_of(value.tolist())
    if hasattr(value, "_plain"):  # a record inside another: what it is follows from its place
        return value._plain()
    if hasattr(value, "to_dict"):
        return plain_of(value.to_dict())
    if is_dataclass(value):
        return stored_fields(value)
    if isinstance(value, Mapping):
        if all(isinstance(key, str) for key in value):
            return {key: plain_of(v) for key, v in value.items()}
        return [[plain_of(key), plain_of(v)] for key, v in value.items()]
    if hasattr(value, "_asdict"):
        return plain_of(value._asdict())
    if isinstance(value, (Sequence, set, frozenset)):
        return [plain_of(v) for v in value]
    return str(value)  # dates and times


def stored_fields(
    record: Any, *, renamed: Mapping[str, str] = types.MappingProxyType({}), left_out: Collection[str] = ()
) -> dict[str, Any]:
    """The fields of a dataclass by name (or by another key), but for some."""
    out: dict[str, Any] = {}
    known = fields(record)
    for f in known:
        if f.name in left_out or not f.init:
            continue
        value = getattr(record, f.name)
        if getattr(value, "_fields", ()) == _ENDS:
            for key, end in zip(_ends_of(f.name, {x.name for x in known}), value, strict=True):
                out[key] = plain_of(end)
        else:
            out[renamed.get(f.name, f.name.rstrip("_"))] = plain_of(value, optional="None" in str(f.type))
    return out


def _ends_of(name: str, taken: Collection[str]) -> tuple[str, str]:
    """The two keys of an interval: low and high unless these are something else here."""
    of = name.removesuffix("interval")
    if not of and not set(_ENDS) & set(taken):
        return _ENDS
    before = of or f"{name}_"
    return f"{before}low", f"{before}high"


# and back


def read_fields(
    cls: type,
    data: Any,
    place: str = "",
    *,
    renamed: Mapping[str, str] = types.MappingProxyType({}),
    given: Mapping[str, Any] = types.MappingProxyType({}),
) -> dict[str, Any]:
    """The arguments of a dataclass from what `stored_fields` gave; those `given` are not looked for."""
    if not isinstance(data, Mapping):
        raise damaged(place, Text(f"expected object, got {_kind(data)}", f"应为 object，实际为 {_kind(data)}"))
    hints, known = _hints(cls), fields(cls)
    out = dict(given)
    for f in known:
        if f.name in given or not f.init:
            continue
        hint = hints[f.name]
        if getattr(hint, "_fields", ()) == _ENDS:
            keys = _ends_of(f.name, {x.name for x in known})
            if all(key in data for key in keys):
                out[f.name] = hint(*(read_value(float, data[key], f"{place}.{key}") for key in keys))
                continue
        key = renamed.get(f.name, f.name.rstrip("_"))
        if key in data:
            out[f.name] = read_value(hint, data[key], f"{place}.{key}")
        elif f.default is MISSING and f.default_factory is MISSING:
            raise damaged(place, Text(f"object missing required field {key}", f"对象缺少必填字段 {key}"))
    return out


def read_columns(hints: Mapping[str, Any], rows: Any, place: str) -> dict[str, list[Any]]:
    """A table that was stored row by row, as columns of these types."""
    told = [_object(row, f"{place}[{i}]") for i, row in enumerate(_items(rows, place))]
    for name in hints:
        if any(name not in row for row in told):
            raise damaged(place, Text(f"object missing required field {name}", f"对象缺少必填字段 {name}"))
    found = {name: [read_value(hint, row[name], f"{place}.{name}") for row in told] for name, hint in hints.items()}
    return {name: [*map(float, column)] if hints[name] is float else column for name, column in found.items()}


def read_value(hint: Any, value: Any, place: str = "") -> Any:
    """A value of this type from its plain form."""
    if hint is Any:
        return value
    if hint in _SIMPLE:
        return _SIMPLE[hint](value, place)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _one_of(inner, value, place)
    if origin is Annotated:
        return _checked(inner[0], inner[1], value, place)
    if origin is Literal:
        if value not in inner:
            raise damaged(
                place,
                Text(
                    f"expected one of {', '.join(map(str, inner))}, got {show(value)}",
                    f"应为 {', '.join(map(str, inner))} 之一，实际为 {show(value)}",
                ),
            )
        return value
    made = origin or hint
    if not isinstance(made, type):
        return value
    if made.__name__ == "ndarray":
        return _array(value, place)
    if issubclass(made, str):
        return _text(value, place)
    if hasattr(made, "_from_plain"):
        return made._from_plain(value)
    if hasattr(made, "from_dict"):
        return made.from_dict(_object(value, place))
    if is_dataclass(made):
        return made(**read_fields(made, value, place))
    if hasattr(made, "_fields"):
        return _named(made, value, place)
    if issubclass(made, tuple) and inner[-1:] != (...,):
        items = _items(value, place)
        if len(items) != len(inner):
            raise damaged(
                place,
                Text(
                    f"expected {len(inner)} values, got {len(items)}", f"应有 {len(inner)} 个值，实际有 {len(items)} 个"
                ),
            )
        return tuple(read_value(h, v, f"{place}[{i}]") for i, (h, v) in enumerate(zip(inner, items, strict=True)))
    if issubclass(made, Mapping):
        return _mapping(inner, value, place)
    if issubclass(made, Sequence):
        of = inner[0] if inner else Any
        found = [read_value(of, v, f"{place}[{i}]") for i, v in enumerate(_items(value, place))]
        return found if made is list else tuple(found)
    return value


def is_count(n: float) -> bool:
    """Whether it is 0 or more, for annotations of what is counted."""
    return n >= 0


def _checked(hint: Any, may: Any, value: Any, place: str) -> Any:
    """A value that is one of some words, or of which something holds, as its annotation says."""
    found = read_value(hint, value, place)
    if callable(may):
        if not may(found):
            raise damaged(
                place,
                Text(
                    f"expected a number for which {may.__name__} holds, got {show(found)}",
                    f"应为满足 {may.__name__} 的数，实际为 {show(found)}",
                ),
            )
    elif found not in may:
        raise damaged(
            place,
            Text(
                f"expected one of {', '.join(may)}, got {show(found)}",
                f"应为 {', '.join(may)} 之一，实际为 {show(found)}",
            ),
        )
    return found


def _one_of(hints: Sequence[Any], value: Any, place: str) -> Any:
    if value is None and type(None) in hints:
        return None
    problems = []
    for hint in hints:
        if hint is type(None):
            continue
        try:
            return read_value(hint, value, place)
        except InputError as e:
            problems.append(e)
    raise problems[0]


def _number(value: Any, place: str) -> Any:
    if value is None:
        return nan
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise damaged(place, Text(f"expected number, got {_kind(value)}", f"应为 number，实际为 {_kind(value)}"))
    return value


def _whole(value: Any, place: str) -> Any:
    if isinstance(value, bool) or (
        not isinstance(value, int) and not (isinstance(value, float) and value.is_integer())
    ):
        raise damaged(place, Text(f"expected int, got {_kind(value)}", f"应为 int，实际为 {_kind(value)}"))
    return value


def _truth(value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise damaged(place, Text(f"expected bool, got {_kind(value)}", f"应为 bool，实际为 {_kind(value)}"))
    return value


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise damaged(place, Text(f"expected str, got {_kind(value)}", f"应为 str，实际为 {_kind(value)}"))
    return value


_SIMPLE: dict[Any, Callable[[Any, str], Any]] = {float: _number, int: _whole, bool: _truth, str: _text}


def _object(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise damaged(place, Text(f"expected object, got {_kind(value)}", f"应为 object，实际为 {_kind(value)}"))
    return value


def _items(value: Any, place: str) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise damaged(place, Text(f"expected array, got {_kind(value)}", f"应为 array，实际为 {_kind(value)}"))
    return value


def _mapping(hints: Sequence[Any], value: Any, place: str) -> dict[Any, Any]:
    key_hint, of = hints or (Any, Any)
    if isinstance(value, Mapping):
        pairs: Iterator[tuple[Any, Any]] = iter(value.items())
    else:
        items = [_items(pair, f"{place}[{i}]") for i, pair in enumerate(_items(value, place))]
        if any(len(pair) != 2 for pair in items):
            raise damaged(place, Text("expected pairs", "应为成对的值"))
        pairs = ((read_value(key_hint, k, place), v) for k, v in items)
    return {k: read_value(of, v, f"{place}.{k}") for k, v in pairs}


def _named(made: Any, value: Any, place: str) -> Any:
    data = _object(value, place)
    hints = _hints(made)
    if missing := [name for name in made._fields if name not in data]:
        raise damaged(place, Text(f"object missing required field {missing[0]}", f"对象缺少必填字段 {missing[0]}"))
    return made(**{name: read_value(hints[name], data[name], f"{place}.{name}") for name in made._fields})


def _array(value: Any, place: str) -> Any:
    import numpy as np

    def numbers(x: Any) -> Any:
        return [numbers(v) for v in x] if isinstance(x, list) else x if isinstance(x, bool) else _number(x, place)

    try:
        return np.array(numbers(list(_items(value, place))))
    except ValueError:
        raise damaged(place, Text("expected rows of the same length", "各行的长度应当相同")) from None


def _kind(value: Any) -> str:
    names = {type(None): "null", bool: "bool", int: "int", float: "float", list: "array", dict: "object"}
    return names.get(type(value), "str" if isinstance(value, str) else type(value).__name__)


@cache
def _hints(cls: type) -> Mapping[str, Any]:
    """The types of all fields; names that are there for type checkers only stand for anything."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        module = vars(sys.modules[base.__module__])
        for name, hint in vars(base).get("__annotations__", {}).items():
            hint = getattr(hint, "__forward_arg__", hint)  # as named tuples keep them
            known = eval(hint, module, _Unknown(module)) if isinstance(hint, str) else hint
            if get_origin(known) is not ClassVar:
                found[name] = known
    return found


class _Unknown(dict[str, Any]):
    """Stands for names that a module imports for types only."""

    def __init__(self, module: Mapping[str, Any]) -> None:
        super().__init__()
        self._module = module

    def __missing__(self, name: str) -> Any:
        builtin = vars(sys.modules["builtins"])
        if name in self._module or name in builtin:
            raise KeyError(name)
        return _Anything()


class _Anything:
    def __getattr__(self, name: str) -> Any:
        return Any

    def __or__(self, other: Any) -> Any:
        return Any

    __ror__ = __or__


# what JSON has no place for


def chinese_of(told: Any) -> Any:
    """The Chinese words of all texts, in places of the same names; empty where there are none.

    The words of a key stand under an empty name, those of its value beside it under =.

    >>> chinese_of({"n": 1, "notes": ["plain", Text("few", "偏少")]})
    {'notes': {'1': '偏少'}}
    """
    return _gathered(told, lambda v: v.zh if isinstance(v, Text) else "")


def in_english(told: Any, words: Any) -> Any:
    """The same whose texts are English as strings where `chinese_of` found words, whatever was spoken."""
    return _put(told, words, lambda value, _word: Text(value.en, value.zh), "")


def odd_of(told: Any) -> Any:
    """The numbers that JSON does not have, in places of the same names.

    >>> odd_of({"n": 1.5, "ends": [0.0, float("inf")]})
    {'ends': {'1': 'inf'}}
    """
    return _gathered(told, lambda v: "" if not isinstance(v, float) or isfinite(v) else str(v))


def _gathered(told: Any, word: Callable[[Any], str]) -> Any:
    """The words of all leaves that have one. Records inside carry their own and are left alone."""
    if isinstance(told, Mapping) and not {"kind", "schema"} <= told.keys():
        below = {str(key): found for key, v in told.items() if (found := _gathered(v, word))}
        for key in told:
            if type(key) is not str and (own := word(key)):
                inside = below.get(str(key), {})
                below[str(key)] = {**(inside if isinstance(inside, Mapping) else {_VALUE: inside}), "": own}
        return below
    if isinstance(told, (list, tuple)):
        return {str(i): found for i, v in enumerate(told) if type(v) not in _SAME and (found := _gathered(v, word))}
    return {} if isinstance(told, Mapping) else word(told)


_SAME = (int, str, bool, type(None))  # said alike in every language
_VALUE = "="  # where the words of a value stand beside those of its key


def without_odd(told: Any, odd: Any) -> Any:
    """The same with None in the places that `odd_of` found."""
    return _put(told, odd, lambda _value, _word: None, "")


def with_odd(data: Any, odd: Any) -> Any:
    """The same with the numbers that `odd_of` found.

    >>> with_odd({"n": 1.5, "ends": [0.0, None]}, {"ends": {"1": "inf"}})["ends"]
    [0.0, inf]
    """

    def number(value: Any, word: str) -> float:
        if value is not None or word not in _ODD:
            raise ValueError
        return _ODD[word]

    return _put(data, odd, number, "not_finite")


def with_chinese(data: Any, words: Any) -> Any:
    """The same data with texts in both languages where `chinese_of` found words.

    >>> with_chinese({"n": 1, "notes": ["plain", "few"]}, {"notes": {"1": "偏少"}})["notes"][1].of("zh")
    '偏少'
    """

    def text(value: Any, word: str) -> Text:
        if not isinstance(value, str):
            raise ValueError
        return Text(value, word)

    return _put(data, words, text, "zh")


def _put(data: Any, words: Any, put: Callable[[Any, str], Any], place: str) -> Any:
    """A copy with something else where there are words."""
    if not words:
        return data
    if isinstance(words, str):
        try:
            return put(data, words)
        except ValueError:
            raise damaged(
                place, Text(f"{show(words)} is said of {_kind(data)}", f"{show(words)} 对应的却是 {_kind(data)}")
            ) from None
    if isinstance(words, Mapping) and isinstance(data, Mapping):
        out = {}
        for key, value in data.items():
            found = words.get(key)
            below = {k: v for k, v in found.items() if k} if isinstance(found, Mapping) else found
            own = found.get("") if isinstance(found, Mapping) else None
            if isinstance(below, Mapping) and not isinstance(value, (Mapping, list, tuple)):
                below = below.get(_VALUE)
            out[put(key, own) if isinstance(own, str) else key] = _put(value, below, put, f"{place}.{key}")
        return out
    if isinstance(words, Mapping) and isinstance(data, (list, tuple)):
        return [_put(v, words.get(str(i)), put, f"{place}[{i}]") for i, v in enumerate(data)]
    raise damaged(place, Text("expected words in the places of what they are said of", "译文应位于原文所在的位置"))
