"""Files that hold no table: stored records, settings.

Whatever such a file holds, what cannot be read is one `InputError` that says where, as for runs.
"""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any

from rankgauge._show import show_all
from rankgauge._text import Text, mapped, zh
from rankgauge._unpacked import MAGIC, unpacked
from rankgauge.data.parser_words import objection
from rankgauge.errors import InputError, reason

__all__ = ["plain_bytes", "read_json", "read_toml"]

_DEEP = Text("lists or objects inside one another, too deep to be read", "嵌套过深、无法读取的列表或对象")


def read_json(path: str | PathLike[str], where: str, expected: str = "JSON", try_: str = "") -> Any:
    """The value that a JSON file holds."""
    text = _text(Path(path), where, expected)
    if not text.strip():
        raise InputError(
            Text(
                f"{where} must hold {expected}. Found: an empty file.",
                f"{zh(where)} 必须包含{zh(expected)}。实际是空文件。",
            )
        )
    twice: dict[str, None] = {}

    def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):  # one of the values would be lost without a word
            keys = [key for key, _ in pairs]
            twice.update((key, None) for key in found if keys.count(key) > 1)
        return found

    try:
        value = json.loads(text, object_pairs_hook=object_of)
    except json.JSONDecodeError as e:
        said = Text(
            f"{where} must hold {expected}. Line {e.lineno}: not valid JSON: {e.msg}. {try_}",
            f"{zh(where)} 必须包含{zh(expected)}。第 {e.lineno} 行：不是有效的 JSON：{objection(e.msg).zh}。{zh(try_)}",
        )
        raise InputError(mapped(str.rstrip, said)) from e
    except ValueError as e:  # a whole number of more digits than Python reads
        raise InputError(
            Text(
                f"{where} must hold {expected}. Found: {e}.",
                f"{zh(where)} 必须包含{zh(expected)}。找到：{objection(str(e)).zh}。",
            )
        ) from e
    except RecursionError:
        raise InputError(
            Text(
                f"{where} must hold {expected}. Found: {_DEEP}.",
                f"{zh(where)} 必须包含{zh(expected)}。找到：{_DEEP.zh}。",
            )
        ) from None
    if twice:
        keys = show_all(list(twice)[:3]) + (", …" if len(twice) > 3 else "")
        raise InputError(
            Text(
                f"{where} must hold {expected}. Found: an object with the same key twice ({keys}).",
                f"{zh(where)} 必须包含{zh(expected)}。找到：同一对象中重复的键（{zh(keys)}）。",
            )
        )
    return value


def read_toml(path: str | PathLike[str], where: str) -> dict[str, Any]:
    """The tables of a TOML file."""
    import tomllib

    text = _text(Path(path), where, "TOML", Text("cannot be read", "无法读取"))
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError) as e:  # dates that do not exist, numbers of too many digits
        raise InputError(
            Text(f"{where} is not valid TOML: {e}.", f"{zh(where)} 不是有效的 TOML：{objection(str(e)).zh}。")
        ) from e
    except RecursionError:
        raise InputError(
            Text(f"{where} is not valid TOML: {_DEEP}.", f"{zh(where)} 不是有效的 TOML：{_DEEP.zh}。")
        ) from None


def plain_bytes(path: Path, where: str) -> bytes:
    """What a file holds, unpacked where it is compressed, whatever it is called."""
    from lzma import LZMAError
    from zlib import error

    raw = path.read_bytes()
    compression = next((name for magic, name in MAGIC.items() if raw.startswith(magic)), "")
    if not compression:
        return raw
    try:
        return unpacked(raw, compression, where)
    except (EOFError, LZMAError, OSError, error) as e:
        raise InputError(
            Text(
                f"{where} is compressed ({compression}) and damaged: {str(e).rstrip('.')}.",
                f"{zh(where)} 是压缩文件（{compression}），且已损坏：{objection(str(e).rstrip('.')).zh}。",
            )
        ) from e


def _text(path: Path, where: str, expected: str, failed: str = Text("cannot be opened", "无法打开")) -> str:
    try:
        return plain_bytes(path, where).decode("utf-8-sig")
    except InputError:
        raise
    except OSError as e:
        raise InputError(Text(f"{where} {failed}: {reason(e)}.", f"{zh(where)} {zh(failed)}：{zh(reason(e))}。")) from e
    except ValueError as e:
        if not isinstance(e, UnicodeDecodeError):  # a zero byte in the path
            raise InputError(Text(f"{where} {failed}: {e}.", f"{zh(where)} {zh(failed)}：{e}。")) from e
        raise InputError(
            Text(
                f"{where} must hold {expected}. Found: something that is not UTF-8 text.",
                f"{zh(where)} 必须包含{zh(expected)}。找到的不是 UTF-8 文本。",
            )
        ) from e
