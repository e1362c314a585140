"""Files beside runs and judgements: attributes of queries, stored records, settings.

Whatever such a file holds, what cannot be read is one `InputError` that says where, as for runs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._show import show
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["read_attributes", "read_json", "read_toml"]

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


def _text(path: Path, where: str, expected: str, failed: str = "cannot be opened") -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as e:
        raise InputError(f"{where} {failed}: {e.strerror or e}.") from e
    except ValueError as e:
        if not isinstance(e, UnicodeDecodeError):  # a zero byte in the path
            raise InputError(f"{where} {failed}: {e}.") from e
        raise InputError(f"{where} must hold {expected}. Found: something that is not UTF-8 text.") from e


def read_attributes(path: Path) -> pl.DataFrame | Mapping[str, Any]:
    """Attributes of queries: columns with a header, lines of JSON, one JSON value, Parquet or Arrow, also compressed.

    A JSON object has the queries as its keys; everything else has a row for each query.
    """
    import polars as pl

    from rankgauge.data.formats.beir import read_queries
    from rankgauge.data.formats.opening import inner_suffix, open_source
    from rankgauge.data.formats.table import read_headed

    if path.is_dir():
        return read_queries(path)
    source = open_source(path, "slices")  # type: ignore[arg-type]  # only what errors call it
    try:
        if source.head.startswith(b"PAR1"):
            return pl.read_parquet(_bytes(source.data()))
        if source.head.startswith(b"ARROW1"):
            return pl.read_ipc(_bytes(source.data()))
    except (pl.exceptions.PolarsError, OSError) as e:
        raise InputError(f"{source.where} cannot be read: {str(e).partition(chr(10))[0]}.") from e
    if source.head.lstrip()[:1] not in (b"{", b"["):
        if inner_suffix(path) in (".json", ".jsonl", ".ndjson", ".parquet", ".arrow") or b"\x00" in source.head:
            source.text()  # says what is wrong with bytes that are no text
            first = source.first_lines(1)[0] if source.first_lines(1) else ""
            raise source.error(f"is not what its name says: it begins with {show(first[:60])}.")
        return read_headed(source)
    from rankgauge.data.formats.json import decode, is_lines

    if inner_suffix(path) in (".jsonl", ".ndjson") or is_lines(replace(source, kind="run")):
        return read_queries(path)
    content = decode(source)
    if isinstance(content, list):
        wrong = next((i for i, row in enumerate(content, 1) if not isinstance(row, Mapping)), None)
        if wrong is not None:
            raise source.error(f"record {wrong} must be an object, got {show(content[wrong - 1])}.")
        content = pl.DataFrame(content, infer_schema_length=None, strict=False) if content else {}
    if len(content) == 0:
        raise source.error("holds no queries.")
    return content  # type: ignore[no-any-return]


def _bytes(data: bytes) -> Any:
    import io

    return io.BytesIO(data)
