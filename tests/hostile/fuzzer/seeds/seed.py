"""A seed: a call with valid input, and what of its answer counts."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import json
import re
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fuzzer.checks import Outcome
from fuzzer.tables import ALIASES, FURTHER, NUMBERS

__all__ = ["Seed", "called", "plain", "ran", "read_result"]

OK = frozenset({0, 2})
GATE = frozenset({0, 1, 2, 3})


@dataclass(frozen=True)
class Seed:
    """`slots` are filled from the data set, one of them mutated; `options` are words or arguments that may be."""

    name: str
    of: str  # the command, or the public name
    slots: tuple[str, ...]
    call: Callable[[Mapping[str, Any], Mapping[str, Any]], Outcome]  # what is in the slots, the options
    options: Mapping[str, Any] = field(default_factory=dict)
    objects: bool = False  # whether slots may be Python objects
    fixed: frozenset[str] = frozenset()  # slots that are not mutated
    words: tuple[str, ...] = ()  # of a command, as typed
    promised: frozenset[int] = OK
    weight: int = 1
    plainest: str = ""  # the form of files that others are compared with, where it is not the usual one
    mute: bool = False  # its answer has no room for remarks
    picky: bool = False  # takes some forms only: what means the same may be refused
    mirrors: bool = False  # tells of the rows themselves, repeated ones as well


@contextlib.contextmanager
def _watched() -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper, list[warnings.WarningMessage]]]:
    """Standard streams as of a process that is piped, and warnings that would be printed."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="", errors="backslashreplace")  # as Python does
    with (
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        warnings.simplefilter("always")
        yield out, err, caught


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode()


def ran(argv: Sequence[str], reads: str = "") -> Outcome:
    """A command in this process. `reads` is the file with its result, unless that is printed."""
    from rankgauge.cli import main

    with _watched() as (out, err, caught):
        try:
            code = main(list(argv))
        except BaseException as e:
            if isinstance(e, KeyboardInterrupt):
                raise
            return Outcome(code=70, error=_trace(e))
        text, error = _text(out), _text(err)
    told = tuple(str(w.message) for w in caught)
    result: Any = text
    if code != 2:
        result = read_result(Path(reads)) if reads and Path(reads).exists() else text
        if isinstance(result, str):
            with contextlib.suppress(json.JSONDecodeError):
                result = json.loads(result)
    said = re.sub(r"^wrote .*\n", "", error, flags=re.M) + (text if reads else "")
    return Outcome(code, result, said, error, told)


def read_result(path: Path) -> Any:
    """A result on disk; of a table every row counts, in any order."""
    if path.suffix == ".parquet":
        import polars as pl

        return {"rows": {str(_without_places(row)): 1 for row in pl.read_parquet(path).to_dicts()}}
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return {"rows": {str(_without_places(json.loads(line))): 1 for line in text.split("\n") if line}}
    if path.suffix == ".csv":
        return {"rows": {str(_without_places(row)): 1 for row in csv.DictReader(io.StringIO(text))}}
    return text


def _without_places(row: dict[str, Any]) -> dict[str, Any]:
    """Of a written table, what every form of it has, by the names of the package: columns are written as they came."""
    kept = {_name(k): v for k, v in row.items() if k not in ("rank", "iteration", "tag", FURTHER)}
    return {k: _as_number(v) if k in NUMBERS else v for k, v in sorted(kept.items())}


def _name(column: str) -> str:
    folded = column.lower().replace("-", "_")
    return next((own for own, other in ALIASES["interactions"].items() if other.lower() == folded), folded)


def _as_number(value: Any) -> Any:
    """A number however it is written: with a blank, a sign, further digits, as a truth value; -0 is 0."""
    value = {"true": 1, "false": 0}.get(value, value) if isinstance(value, str) else value
    with contextlib.suppress(TypeError, ValueError):
        return float(value) + 0.0
    return value


def called(function: Callable[[], Any], *, typed: bool = False) -> Outcome:
    """A call in this process; an error of the package's own counts as exit code 2.

    Where an argument, not the data, may be of another type than is said, Python's `TypeError` is an answer as well.
    """
    from rankgauge.errors import RankgaugeError, RankgaugeWarning

    with _watched() as (out, err, caught):
        try:
            result = function()
            result = plain(result)
        except RankgaugeError as e:
            return Outcome(code=2, error=f"{type(e).__name__}: {e}")
        except BaseException as e:
            if isinstance(e, KeyboardInterrupt):
                raise
            if isinstance(e, TypeError) and typed:
                return Outcome(code=2, error="TypeError")
            return Outcome(code=70, error=_trace(e))
        printed = _text(out) + _text(err)
    own = [str(w.message) for w in caught if issubclass(w.category, RankgaugeWarning)]
    others = tuple(str(w.message) for w in caught if not issubclass(w.category, RankgaugeWarning))
    return Outcome(0, result, [*own, printed] if printed or own else None, "", others)


def _trace(error: BaseException) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "fuzzer" not in f.filename]
    way = " → ".join(f"{Path(f.filename).parent.name}/{Path(f.filename).name}:{f.lineno} {f.name}" for f in frames[-6:])
    return f"{type(error).__name__}: {str(error)[:600]} ({way})"


def plain(value: Any, depth: int = 6) -> Any:
    """A record as dicts, lists, numbers and texts."""
    if value is None or isinstance(value, bool | int | float | str) or depth == 0:
        return value if isinstance(value, bool | int | float | str) else None if value is None else str(value)[:2000]
    if hasattr(value, "to_json"):
        return json.loads(value.to_json())
    if isinstance(value, Mapping):
        return {str(k): plain(v, depth - 1) for k, v in value.items()}
    if hasattr(value, "to_dicts"):  # a Polars frame
        return plain(sorted(value.to_dicts(), key=str), depth - 1)
    if hasattr(value, "tolist"):
        return plain(value.tolist(), depth - 1)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name), depth - 1) for f in dataclasses.fields(value) if f.repr}
    if hasattr(value, "to_dict"):
        return plain(value.to_dict(), depth - 1)
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v, depth - 1) for v in value]
    return str(value)[:20000]
