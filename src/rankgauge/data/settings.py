"""Settings, as TOML and JSON files hold them, checked against a struct: every mistake at once, each with its key.

The types of the fields say what values must be, and `msgspec.Meta` what types cannot say: its `examples` have the line
to add where a key is missing. A `Text` beside it is what an error asks for ("a list of measures"). What none of them
can say is told by a method of the struct, as key and words:

    class Choice(msgspec.Struct):
        at_least: int
        at_most: int

        def mistakes(self):
            if self.at_most < self.at_least:
                yield "at_most", Text("must be `at_least` or more.", "不能小于 `at_least`。")
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import about
from rankgauge.errors import InputError, suggest

__all__ = ["dotted", "settings"]

S = TypeVar("S", bound=msgspec.Struct)

_WORDS: dict[Any, Text] = {
    str: Text("a text", "文本"),
    bool: Text("true or false", "true 或 false"),
    int: Text("a whole number", "整数"),
    float: Text("a number", "数字"),
}
_NOTHING: Any = object()


def settings(kind: type[S], data: Mapping[str, Any], where: str) -> S:
    """The struct of plain data, or one error that begins with `where` and names every mistake."""
    problems: list[str] = []
    found = _struct(kind, data, "", problems)
    if problems or found is None:
        raise InputError.collect(about(where), problems)
    return found


def dotted(*keys: str) -> str:
    """The name of a key as TOML writes it.

    >>> dotted("floors", "nDCG@10")
    'floors."nDCG@10"'
    """
    return ".".join(k if k.replace("_", "").replace("-", "").isalnum() and k.isascii() else f'"{k}"' for k in keys)


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _struct(kind: type[S], data: Mapping[str, Any], path: str, problems: list[str]) -> S | None:
    """None where something is wrong, which goes to `problems`."""
    before = len(problems)
    fields = {f.name: f for f in msgspec.structs.fields(kind)}
    for key in data:
        if key not in fields:
            unknown = _below(path, dotted(key))
            problems.append(
                Text(
                    f"unknown key `{unknown}`.{suggest(key, fields)} Known: {', '.join(fields)}.",
                    f"未知的键 `{unknown}`。{zh(suggest(key, fields))}已知的键：{', '.join(fields)}。",
                )
            )
    values: dict[str, Any] = {}
    for name, f in fields.items():
        key = _below(path, name)
        if name in data:
            values[name] = _value(f.type, data[name], key, problems)
        elif f.required:
            problems.append(_missing(f.type, name, key))
    if len(problems) > before:
        return None
    try:
        found = kind(**values)
    except InputError as e:  # a struct that checks itself
        problems += e.problems
        return None
    for key, text in getattr(found, "mistakes", tuple)():
        at = _below(path, key)
        problems.append(Text(f"`{at}` {text}", f"`{at}` {zh(text)}"))
    return found


def _value(kind: Any, value: Any, key: str, problems: list[str]) -> Any:
    """The value as the type has it; anything where something is wrong, which goes to `problems`."""
    plain, before = _plain(kind), len(problems)
    if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
        if isinstance(value, Mapping):
            return _struct(plain, value, key, problems)
    elif get_origin(plain) is dict:
        if isinstance(value, Mapping):
            of = get_args(plain)[1]
            return {k: _value(of, v, _below(key, dotted(k)), problems) for k, v in value.items()}
    elif _is_list_of_tables(plain):
        if isinstance(value, list) and value:
            of = get_args(plain)[0]
            return tuple(_value(of, v, f"{key} #{i}", problems) for i, v in enumerate(value, 1))
        if isinstance(value, list) and not _meta(kind, "min_length"):
            return ()
    else:
        try:
            return msgspec.convert(value, kind)
        except (msgspec.ValidationError, UnicodeEncodeError):  # half a character is no text either
            pass
    assert len(problems) == before
    hint = suggest(value, get_args(plain)) if get_origin(plain) is Literal and isinstance(value, str) else ""
    problems.append(
        Text(
            f"`{key}` must be {_words(kind)}, got {show(value)}.{hint}",
            f"`{key}` 必须是{zh(_words(kind))}，实际为 {show(value)}。{zh(hint)}",
        )
    )
    return _NOTHING


def _missing(kind: Any, name: str, key: str) -> str:
    if examples := _meta(kind, "examples"):
        return Text(
            f'`{key}` is missing. Add a line such as {name} = "{examples[0]}".',
            f'缺少 `{key}`。请加上一行，例如 {name} = "{examples[0]}"。',
        )
    return Text(f"`{key}` is missing: must be {_words(kind)}.", f"缺少 `{key}`：必须是{zh(_words(kind))}。")


def _plain(kind: Any) -> Any:
    """The type without what is said about it, and without None, which a file cannot say."""
    if get_origin(kind) is Annotated:
        return _plain(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        others = [k for k in get_args(kind) if k is not NoneType]
        return _plain(others[0]) if len(others) == 1 else kind
    return kind


def _is_list_of_tables(kind: Any) -> bool:
    if get_origin(kind) is not tuple:
        return False
    of = get_args(kind)[0]
    return isinstance(of, type) and issubclass(of, msgspec.Struct)


def _meta(kind: Any, name: str) -> Any:
    """What is said about a type, or about the one that may be None."""
    if get_origin(kind) is Annotated:
        said = (getattr(m, name, None) for m in kind.__metadata__)
        return next((s for s in said if s is not None), None) or _meta(get_args(kind)[0], name)
    if get_origin(kind) in (Union, UnionType):
        return next((s for k in get_args(kind) if (s := _meta(k, name)) is not None), None)
    return None


def _described(kind: Any) -> Text | None:
    """The words beside a type that say what it is, or those of the one that may be None."""
    if get_origin(kind) is Annotated:
        said = next((m for m in kind.__metadata__ if isinstance(m, Text)), None)
        return said if said is not None else _described(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return next((s for k in get_args(kind) if (s := _described(k)) is not None), None)
    return None


def _words(kind: Any) -> str:
    """What a value must be."""
    plain = _plain(kind)
    if (said := _described(kind)) is not None:
        return said
    if get_origin(plain) is Literal:
        return Text(f"one of {', '.join(get_args(plain))}", f" {', '.join(get_args(plain))} 之一")
    if get_origin(plain) is dict or (isinstance(plain, type) and issubclass(plain, msgspec.Struct)):
        return Text("a table", "表")
    if get_origin(plain) is tuple:
        return (
            Text("a list of tables", "表的列表") if _is_list_of_tables(plain) else Text("a list of texts", "文本的列表")
        )
    if get_origin(plain) in (Union, UnionType):
        return Text("a number, or a list of numbers", "数字，或数字的列表")
    return _WORDS[plain]
