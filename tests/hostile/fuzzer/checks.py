"""What is asked of every answer.

Whatever the input: it ends with a promised exit code (or an error of the package's own), prints no traceback, warns
about nothing of its own making. What the numbers must be depends on what the mutation did to the meaning.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Failure", "Outcome", "clean", "left_out_of", "numbers_of", "said_of", "same_numbers", "words_of"]

SAID = {
    *("notes", "remarks", "suspicions", "counts", "warnings", "problems", "findings", "facts", "dropped", "failed"),
    *("rules", "policy", "split", "judged_queries", "arm"),
}
"""Parts of records in which is said what was made of the input."""

ANSWERS = {"findings", "facts", "rules", "judged_queries"}
"""Of these, what is an answer as well: of a diagnosis, of an audit, of cleaning a log, of channels."""

VOLATILE = {
    "rankgauge",
    "version",
    "fingerprint",
    "run",
    "qrels",
    "tag",
    "data",
    "name",
    "seed",
    "command",
    "only_unjudged",
    "attributes",
}
WORDS = {"verdict", "outcome", "decision", "code", "winner", "recommended", "undefined", "case"}
LEAKS = (
    "Traceback (most recent",
    "panicked at",
    "'NoneType'",
    "object has no attribute",
    "pyo3_runtime",
    "RecursionError",
)


class Failure(Exception):
    """A promise that was not kept."""


@dataclass(frozen=True)
class Outcome:
    """How a call ended."""

    code: int = 0  # of the process; 2 stands for an error of the package's own
    result: Any = None  # what has the numbers: a dict, a text
    said: Any = None  # what was said besides, for people
    error: str = ""
    warnings: tuple[str, ...] = field(default=())

    @property
    def is_error(self) -> bool:
        return self.code == 2


def clean(outcome: Outcome, promised: frozenset[int]) -> None:
    """Whatever the input is."""
    if outcome.code not in promised:
        raise Failure(f"exit code {outcome.code}: {outcome.error[:1500]}")
    if outcome.warnings:
        raise Failure(f"a Python warning: {outcome.warnings[0][:400]}")
    if outcome.is_error and not outcome.error.strip():
        raise Failure("an error without a word")
    leak = next((word for word in LEAKS if word in outcome.error), None)
    if leak is not None:
        raise Failure(f"{leak!r} in an error: {outcome.error[-600:]}")


def numbers_of(value: Any, path: str = "") -> dict[str, Any]:
    """Every number and every verdict of a record, by where it stands; values of queries by the query."""
    if isinstance(value, dict):
        out: dict[str, Any] = {}
        ids = value.get("query_ids")
        for name, inner in value.items():
            key = str(name).removesuffix("*")  # the name of a pattern
            if (key in SAID and key not in ANSWERS) or key in VOLATILE or key == "query_ids":
                continue
            if ids and key in ("per_query", "tie_bounds") and isinstance(inner, dict):
                inner = {m: _by_id(ids, values) for m, values in inner.items()}
            elif ids and key in ("lengths", "correct", "values", "recalls") and len(inner) == len(ids):
                inner = _by_id(ids, inner)
            out |= numbers_of(inner, f"{path}/{key}")
        return out
    if isinstance(value, list | tuple):
        out = {}
        for i, inner in enumerate(value):
            out |= numbers_of(inner, f"{path}/{i}")
        return out
    if isinstance(value, bool) or (isinstance(value, str) and path.rsplit("/", 1)[-1] in WORDS):
        return {path: value}
    if isinstance(value, int | float):
        return {path: float(value)}
    if isinstance(value, str) and path in ("", "/text"):
        if drawn := re.search(r"<svg .*?<desc>(.*?)</desc>", value, re.DOTALL):
            value = drawn[1]  # where lines are drawn depends on the lengths of names
        return {f"/{i}": float(n) for i, n in enumerate(re.findall(r"(?<![\w.#-])\d+\.\d+(?![\w.])", value))}
    return {}


def _by_id(ids: list[str], values: Any) -> Any:
    if isinstance(values, list) and len(values) == len(ids):
        as_read = (str(i).replace("\x00", "\ufffd") for i in ids)  # which the naive reading makes of it
        return dict(sorted(zip(as_read, values, strict=True)))
    return [_by_id(ids, v) for v in values] if isinstance(values, list) else values


def said_of(value: Any) -> list[str]:
    """What a record says about its input."""
    if isinstance(value, dict):
        out = [f"{k}: {v!r}" for k, v in value.items() if k in SAID]
        return out + [line for k, v in value.items() if k not in SAID for line in said_of(v)]
    if isinstance(value, list | tuple):
        return [line for v in value for line in said_of(v)]
    return []


def words_of(text: str) -> str:
    """The words of a text without its numbers: what is said, not what came out."""
    return " ".join(re.sub(r"[\d.,%+·…─-]+", "", text).split())


def left_out_of(text: str) -> list[str]:
    """The lines of a table of what cleaning did that left something out, with how much."""
    return [" ".join(m[0].split()[:-4]) for m in _LEFT_OUT.finditer(text)]


_LEFT_OUT = re.compile(r"^.*\s[1-9][\d,]*\s+[\d,]+\s+[\d.]+%\s+left out$", re.M)


def same_numbers(found: Any, expected: Any, *, named: bool = True) -> str:
    """Empty, or where two records differ first. Without names, only the numbers are held against each other."""
    a, b = numbers_of(found), numbers_of(expected)
    if not named:
        a, b = ({str(i): v for i, v in enumerate(sorted(n.values(), key=str))} for n in (a, b))
    if a.keys() != b.keys():
        odd = sorted(a.keys() ^ b.keys())[:3]
        return f"numbers at {', '.join(odd)} are there only once"
    for key, x in a.items():
        y = b[key]
        if isinstance(x, float) and isinstance(y, float):
            if not (x == y or (math.isnan(x) and math.isnan(y)) or math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-12)):
                return f"{key}: {x!r} instead of {y!r}"
        elif x != y:
            return f"{key}: {x!r} instead of {y!r}"
    return ""
