"""Stored records (JSON) and settings (TOML): looks that mean the same, and damage."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

from fuzzer import naive
from fuzzer.meanings import CLEAN, OPEN, SAME, SAME_OR_ERROR, Given, Meaning, Meant, Open

from .fields import VALUES
from .raw import spoil
from .registry import Place, mutates


def _json(place: Place, data: bytes | str, meaning: Meaning) -> Given:
    path = place.folder / f"{place.stem}.json"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return Given(path, meaning)


@mutates("json", "records")
def _looks(rng: random.Random, record: Any, place: Place) -> Given:
    text = json.dumps(record, indent=rng.choice([None, 0, 3]), ensure_ascii=rng.random() < 0.5)
    text = rng.choice([text, text + "\n\n", text.replace("\n", "\r\n"), "\n " + text])
    return _json(place, text, SAME)


@mutates("json", "records")
def _keys_in_another_order(rng: random.Random, record: Any, place: Place) -> Given:
    def shuffled(value: Any) -> Any:
        if isinstance(value, dict) and "value" not in value:
            keys = list(value)
            # The order of measures and systems is the order in which they are shown.
            if value is record:
                rng.shuffle(keys)
            return {k: shuffled(value[k]) for k in keys}
        return [shuffled(v) for v in value] if isinstance(value, list) else value

    return _json(place, json.dumps(shuffled(record), ensure_ascii=False), SAME)


@mutates("json", "records")
def _spoilt(rng: random.Random, record: Any, place: Place) -> Given:
    how = rng.choice(["flip", "drop", "insert", "cut", "zero", "noise", "repeat"])
    data = spoil(rng, json.dumps(record, ensure_ascii=False).encode(), how)
    try:
        meant = naive.document(data.decode())
    except (Open, UnicodeDecodeError):
        return _json(place, data, OPEN)
    return _json(place, data, SAME_OR_ERROR if meant == record else Meant("meant", meant))


@mutates("json", "records")
def _field_lost(rng: random.Random, record: Any, place: Place) -> Given:
    changed = copy.deepcopy(record)
    holder, key = rng.choice(list(_spots(changed)))
    del holder[key]
    return _json(place, json.dumps(changed, ensure_ascii=False), CLEAN)


@mutates("json", "records")
def _field_of_another_type(rng: random.Random, record: Any, place: Place) -> Given:
    changed = copy.deepcopy(record)
    holder, key = rng.choice(list(_spots(changed)))
    holder[key] = rng.choice([*VALUES, float("nan"), float("inf"), "<b>", "x" * 2000])
    return _json(place, json.dumps(changed, ensure_ascii=False), CLEAN)


@mutates("json", "records")
def _field_added(rng: random.Random, record: Any, place: Place) -> Given:
    changed = copy.deepcopy(record)
    holders = [h for h, _ in _spots(changed) if isinstance(h, dict)]
    rng.choice(holders)[rng.choice(["", "zz", "kind", "version", "__class__"])] = rng.choice(VALUES)
    return _json(place, json.dumps(changed, ensure_ascii=False), CLEAN)


@mutates("json", "records")
def _something_else(rng: random.Random, record: Any, place: Place) -> Given:
    deep = rng.choice([50, 2000, 100_000])
    text = rng.choice(
        [
            "",
            " ",
            "null",
            "[]",
            "{}",
            "1",
            '"x"',
            "[" * deep,
            "[" * deep + "]" * deep,
            '{"a":' * deep + "1" + "}" * deep,
        ]
    )
    return _json(place, text, OPEN)


@mutates("json", "records")
def _deep_inside(rng: random.Random, record: Any, place: Place) -> Given:
    depth = rng.choice([50, 2000, 50_000])
    if not isinstance(record, dict):
        return _looks(rng, record, place)
    text = json.dumps({**record, "zz": 0}, ensure_ascii=False)
    return _json(place, text.replace('"zz": 0', '"zz": ' + "[" * depth + "]" * depth), SAME_OR_ERROR)


def _spots(value: Any) -> Any:
    """Every place that holds something."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from _spots(inner)


# Settings


def _toml(place: Place, data: bytes | str, meaning: Meaning | None, settings: dict[str, Any]) -> Given:
    path = place.folder / f"{place.stem}.toml"
    raw = data if isinstance(data, bytes) else data.encode()
    path.write_bytes(raw)
    if meaning is None:
        try:
            meant = naive.toml(raw.decode())
        except (Open, UnicodeDecodeError):
            return Given(path, OPEN)
        meaning = SAME_OR_ERROR if meant == settings else Meant("meant", meant)
    return Given(path, meaning)


def toml_text(settings: dict[str, Any], within: str = "") -> str:
    """Settings as TOML, tables last."""
    plain = {k: v for k, v in settings.items() if not isinstance(v, dict)}
    tables = {k: v for k, v in settings.items() if isinstance(v, dict)}
    text = "".join(f"{_toml_key(k)} = {_toml_value(v)}\n" for k, v in plain.items())
    for key, table in tables.items():
        name = f"{within}.{_toml_key(key)}" if within else _toml_key(key)
        text += f"[{name}]\n{toml_text(table, name)}"
    return text


def _toml_key(key: str) -> str:
    return json.dumps(key, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _toml_key(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml_key(k)} = {_toml_value(v)}" for k, v in value.items()) + "}"
    return repr(value) if isinstance(value, int | float) else value.isoformat()


@mutates("toml", "settings")
def _toml_looks(rng: random.Random, settings: dict[str, Any], place: Place) -> Given:
    text = toml_text(settings)
    text = rng.choice(
        [text.replace("\n", "\r\n"), "# 注释\n\n" + text, text.replace(" = ", "="), text.replace("\n", "\n\n")]
    )
    return _toml(place, text, SAME, settings)


@mutates("toml", "settings")
def _toml_spoilt(rng: random.Random, settings: dict[str, Any], place: Place) -> Given:
    how = rng.choice(["flip", "drop", "insert", "cut", "zero", "noise", "repeat"])
    return _toml(place, spoil(rng, toml_text(settings).encode(), how), None, settings)


@mutates("toml", "settings")
def _toml_lines(rng: random.Random, settings: dict[str, Any], place: Place) -> Given:
    lines = toml_text(settings).splitlines(keepends=True)
    at = rng.randrange(len(lines))
    if rng.random() < 0.5:
        del lines[at]
    else:
        lines.insert(at, rng.choice([*lines, "x\n", "x = \n", "[x]\n", "[[floors]]\n", "y = 1\n", "a.b.c = 1\n"]))
    return _toml(place, "".join(lines), None, settings)


@mutates("toml", "settings")
def _toml_value_of_another_type(rng: random.Random, settings: dict[str, Any], place: Place) -> Given:
    changed = copy.deepcopy(settings)
    holder, key = rng.choice(list(_spots(changed)))
    values = [v for v in VALUES if v is not None and not (isinstance(v, int) and abs(v) > 2**62)]
    holder[key] = rng.choice([*values, float("inf"), float("nan"), -1.0, "nDCG@10", "x" * 3000])
    return _toml(place, toml_text(changed), CLEAN, settings)


@mutates("toml", "settings")
def _toml_something_else(rng: random.Random, settings: dict[str, Any], place: Place) -> Given:
    deep = rng.choice([30, 3000])
    text = rng.choice(["", "\n", "x", "{}", "a = " + "[" * deep + "]" * deep, "\0", "[" + "a." * deep + "a]\nb = 1\n"])
    return _toml(place, text, OPEN if text.strip() else CLEAN, settings)


@mutates("toml", "settings")
def _toml_in_another_encoding(rng: random.Random, settings: dict[str, Any], place: Place) -> Given:
    text = "# 注释\n" + toml_text(settings)
    return _toml(place, text.encode(rng.choice(["utf-16", "gb18030", "utf-8-sig"])), SAME_OR_ERROR, settings)
