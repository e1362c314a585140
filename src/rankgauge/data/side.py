"""Files that hold no table: stored records, settings.

Whatever such a file holds, what cannot be read is one `InputError` that says where, as for runs.
"""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any

from rankgauge._unpacked import MAGIC, unpacked
from rankgauge.errors import InputError

__all__ = ["plain_bytes", "read_json", "read_toml"]

_DEEP = "lists or objects inside one another, too deep to be read"


def read_json(path: str | PathLike[str], where: str, expected: str = "JSON", try_: str = "") -> Any:
    """The value that a JSON file holds."""
    text = _text(Path(path), where, expected)
    if not text.strip():
        raise InputError(f"{where} must hold {expected}. Found: an empty file.")
    try:
        return json.loads(text)
    except json.JSONDecodeError as e:
        said = f"{where} must hold {expected}. Line {e.lineno}: not valid JSON: {e.msg}. {try_}"
        raise InputError(said.rstrip()) from e
    except ValueError as e:  # a whole number of more digits than Python reads
        raise InputError(f"{where} must hold {expected}. Found: {e}.") from e
    except RecursionError:
        raise InputError(f"{where} must hold {expected}. Found: {_DEEP}.") from None


def read_toml(path: str | PathLike[str], where: str) -> dict[str, Any]:
    """The tables of a TOML file."""
    import tomllib

    text = _text(Path(path), where, "TOML", "cannot be read")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError) as e:  # dates that do not exist, numbers of too many digits
        raise InputError(f"{where} is not valid TOML: {e}.") from e
    except RecursionError:
        raise InputError(f"{where} is not valid TOML: {_DEEP}.") from None


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
        raise InputError(f"{where} is compressed ({compression}) and damaged: {str(e).rstrip('.')}.") from e


def _text(path: Path, where: str, expected: str, failed: str = "cannot be opened") -> str:
    try:
        return plain_bytes(path, where).decode("utf-8-sig")
    except InputError:
        raise
    except OSError as e:
        raise InputError(f"{where} {failed}: {e.strerror or e}.") from e
    except ValueError as e:
        if not isinstance(e, UnicodeDecodeError):  # a zero byte in the path
            raise InputError(f"{where} {failed}: {e}.") from e
        raise InputError(f"{where} must hold {expected}. Found: something that is not UTF-8 text.") from e
