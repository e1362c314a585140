"""What sentences claim of a history, checked against the values that were put into it: plain loops."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scipy.stats import chi2, norm
from scipy.stats import t as student

from rankgauge._claims import Claim

__all__ = ["CHECKERS_OF_HISTORIES", "Kept", "Stored"]

CLOSE = 1e-9


@dataclass(frozen=True)
class Stored:
    """One evaluation: when, and the value of each query in each measure."""

    at: str
    values: Mapping[str, Mapping[str, float]]
    parts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By query: attribute → value."""

    def of(self, measure: str, slice: str) -> dict[str, float]:
        attribute, _, part = slice.partition("=")
        mine = self.values[measure]
        return {q: v for q, v in mine.items() if not slice or self.parts[q][attribute] == part}


@dataclass(frozen=True)
class Kept:
    """A history, and what was found in it."""

    entries: Mapping[str, Stored]
    states: Sequence[tuple[str, str]] = ()
    """Kind and state of each alert."""
    counted: Mapping[str, int] = field(default_factory=dict)
    """How many points begin after a break, or a step, of the series that the sentence is about."""


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE)


def _values(c: Claim, x: Kept, key: str) -> dict[str, float]:
    return x.entries[key].of(c.measure, c.slice)


def _differences(c: Claim, x: Kept) -> list[float]:
    after = _values(c, x, c.system)
    if (line := _line(c, x)) is not None:
        return [v - line for v in after.values()]
    before = _values(c, x, c.against)
    return [after[q] - before[q] for q in after if q in before]


def _end(side: float) -> Callable[[Claim, Kept], bool]:
    def check(c: Claim, x: Kept) -> bool:
        d = _differences(c, x)
        half = student.ppf(0.975, len(d) - 1) * statistics.stdev(d) / math.sqrt(len(d))
        line = _line(c, x)
        low, high = (-1.0, 1.0) if line is None else (-line, 1 - line)
        return _close(c.value, min(max(statistics.fmean(d) + side * half, low), high))

    return check


def _own_end(side: float) -> Callable[[Claim, Kept], bool]:
    def check(c: Claim, x: Kept) -> bool:
        mine = list(_values(c, x, c.system).values())
        half = student.ppf(0.975, len(mine) - 1) * _error(c, x, c.system)
        return _close(c.value, min(max(statistics.fmean(mine) + side * half, 0.0), 1.0))

    return check


def _error(c: Claim, x: Kept, key: str) -> float:
    mine = list(_values(c, x, key).values())
    return statistics.stdev(mine) / math.sqrt(len(mine))


def _mean(c: Claim, x: Kept, keys: Sequence[str]) -> float:
    return statistics.fmean(statistics.fmean(_values(c, x, k).values()) for k in keys)


def _line(c: Claim, x: Kept) -> float | None:
    """The line that something is held against; None for entries, whose ids may read as numbers (6490804186e11717)."""
    return None if c.against.split(",")[0] in x.entries else float(c.against)


def _change_of_entries(c: Claim, x: Kept) -> float:
    line = _line(c, x)
    return _mean(c, x, c.system.split(",")) - (_mean(c, x, c.against.split(",")) if line is None else line)


def _end_of_entries(side: float) -> Callable[[Claim, Kept], bool]:
    def check(c: Claim, x: Kept) -> bool:
        keys = [c.system.split(","), c.against.split(",") if _line(c, x) is None else []]
        errors = [[_error(c, x, k) for k in some] for some in keys]
        if keys[1] and 0.0 in errors[0]:  # a period without spread has that of the periods of the baseline
            units = [e * math.sqrt(len(_values(c, x, k))) for k, e in zip(keys[1], errors[1], strict=True) if e > 0]
            own = [statistics.median(units) / math.sqrt(len(_values(c, x, k))) for k in keys[0]] if units else errors[0]
            errors[0] = [e or o for e, o in zip(errors[0], own, strict=True)]
        wider = _wider(c, x, keys[1], errors[1]) if len(keys[1]) > 2 else 1.0
        variance = sum(sum((wider * e) ** 2 for e in some) / len(some) ** 2 for some in errors if some)
        return _close(c.value, _change_of_entries(c, x) + side * float(norm.ppf(0.975)) * math.sqrt(variance))

    return check


def _wider(c: Claim, x: Kept, keys: Sequence[str], errors: Sequence[float]) -> float:
    """How much wider than their errors the periods of a baseline vary, where that is no chance."""
    if 0.0 in errors:
        return 1.0
    values = [statistics.fmean(_values(c, x, k).values()) for k in keys]
    mean, n = statistics.fmean(values), len(values) - 1
    total = sum(((v - mean) / e) ** 2 for v, e in zip(values, errors, strict=True))
    return math.sqrt(total / n) if total > chi2.ppf(0.95, n) else 1.0


def _with_errors(c: Claim, x: Kept) -> tuple[list[str], list[float]]:
    keys = c.system.split(",")
    return keys, [_error(c, x, k) for k in keys]


def _allowed(c: Claim, x: Kept) -> bool:
    keys, errors = _with_errors(c, x)
    share = 0.5 * math.sqrt(max(1.0, 12 / len(keys)))
    return _close(c.value, share * statistics.median(errors) * _wider(c, x, keys, errors))


def _outcome(c: Claim, x: Kept) -> bool:
    ringing = {kind for kind, state in x.states if state == "alert"}
    states = {state for _, state in x.states}
    if ringing - {"health"}:
        return bool(c.value == "fail")
    if ringing or "no_data" in states:
        return bool(c.value == "broken")
    return bool(c.value == ("inconclusive" if "inconclusive" in states else "pass"))


CHECKERS_OF_HISTORIES: dict[str, Callable[[Claim, Any], bool]] = {
    "alerts": lambda c, x: c.value == sum(not c.measure or state == c.measure for _, state in x.states),
    "alert outcome": _outcome,
    "stored value": lambda c, x: _close(c.value, statistics.fmean(_values(c, x, c.system).values())),
    "stored low": _own_end(-1),
    "stored high": _own_end(1),
    "stored n": lambda c, x: c.value == len(_values(c, x, c.system)),
    "stored change": lambda c, x: _close(c.value, statistics.fmean(_differences(c, x))),
    "stored change low": _end(-1),
    "stored change high": _end(1),
    "stored common": lambda c, x: c.value == len(_differences(c, x)),
    "mean of entries": lambda c, x: _close(c.value, _mean(c, x, c.system.split(","))),
    "change of entries": lambda c, x: _close(c.value, _change_of_entries(c, x)),
    "change of entries low": _end_of_entries(-1),
    "change of entries high": _end_of_entries(1),
    "wider": lambda c, x: c.value > 1 and _close(c.value, _wider(c, x, *_with_errors(c, x))),
    "allowed": _allowed,
    "entries": lambda c, x: c.value == len(c.system.split(",")),
    "at": lambda c, x: x.entries[c.system].at.startswith(c.value),
    "points": lambda c, x: c.value == x.counted[c.measure],
}
