"""Years of weekly and daily looks through the real door: false alarms where nothing changes, delays where it drops.

    python -m tests.history.simulated_years 200 weekly

prints rows of the table in docs/alerts.md; the other parts are daily, "daily drops", fixed and revisited. A year is a
project of a history in a file: twelve periods of baseline, then fifty-two weeks (or 365 days) of 200 fresh queries
each, whose values have a standard deviation of .29.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from math import sqrt
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import rankgauge as rg

__all__ = ["ONE", "SIX", "Found", "fixed_year", "revisited", "stream_year"]

BASELINE = 12
QUERIES = 200
CHANGE_AT = 26
"""Looks after the baseline before a drop."""
MOVED = 0.3
"""The share of a fixed set's queries that a release changes."""
DROP_AT = 4
"""The first release of a fixed set that is worse."""
RANKS = np.array([1.0, 0.5, 1 / 3])
SHARES = np.array([0.45, 0.35, 0.2])
_NUMBER = count()
ONE = rg.StreamRule(name="one", measures=("RR",))
SIX = rg.StreamRule(name="six", measures=("RR", "P@1"), slices=("device",))
_DEVICES = ["phone", "desk"] * (QUERIES // 2)


@dataclass(frozen=True)
class Found:
    """What a year came to: the look after the baseline at which each way first rang; None where it did not."""

    alarms: Mapping[str, int | None]


@cache
def _like() -> Any:
    """An evaluation of so many queries, whose values are set again and again."""
    names = [f"q{i}" for i in range(QUERIES)]
    where = {q: {"device": d} for q, d in zip(names, _DEVICES, strict=True)}
    return rg.evaluate({q: {"a": 1} for q in names}, {q: ["a"] for q in names}, ["RR", "P@1"], slices=where)


def evaluation(ranks: Sequence[int], names: str) -> Any:
    """An evaluation in which the right answers of queries are at these ranks."""
    values = {"RR": RANKS[ranks], "P@1": (np.asarray(ranks) == 0).astype(float)}
    like = _like()
    return replace(
        like,
        columns=[replace(c, values=values[c.label], best=None, worst=None) for c in like.columns],
        query_ids=[f"{names}{i}" for i in range(QUERIES)],
        judged=None,
        aligned=None,
        source=None,
        shown=None,
        stored_fingerprint={"queries": names, "judgements": names},
    )


def shares_after(drop: float) -> Any:
    """Shares of ranks whose mean is so much lower: first ranks become third ones."""
    moved = drop / (RANKS[0] - RANKS[2])
    return SHARES + np.array([-moved, 0.0, moved])


def stream_year(h: rg.History, rng: np.random.Generator, *, drop: float = 0.0, looks: int = 52, days: int = 7) -> Found:
    """Fresh queries at every look."""
    project = f"y{next(_NUMBER)}"
    start = datetime(2026, 1, 5, tzinfo=UTC)
    alarms: dict[str, int | None] = dict.fromkeys(("one", "six", "naive", "naive of six"))
    base: list[Any] = []
    for i in range(-BASELINE, looks):
        shares = shares_after(drop if i >= CHANGE_AT else 0.0)
        ev = evaluation(rng.choice(3, QUERIES, p=shares), f"{project}.{i}.")
        at = start + timedelta(days=days * (i + BASELINE))
        entry = h.add(ev, project=project, system="web", dataset="clicks", at=at)
        if i < 0:
            base.append(entry)
            continue
        found = [_below(base, entry, s) for s in entry.summaries]
        if alarms["naive"] is None and found[0]:
            alarms["naive"] = i
        if alarms["naive of six"] is None and any(found):
            alarms["naive of six"] = i
    for name, rule in (("one", ONE), ("six", SIX)):
        rang = [time for a in rg.alerts(h, rule, project=project).items for time in a.rang]
        if rang:
            first = datetime.fromisoformat(min(rang))
            alarms[name] = round((first - start) / timedelta(days=days)) - BASELINE
    return Found(alarms)


def _below(base: Sequence[Any], entry: Any, s: Any) -> bool:
    """A one-sided test at 5% of this look against the mean of the baseline, as many monitors do."""
    mine = [e.summary(s.measure, s.attribute, s.part) for e in base]
    error = sqrt(s.error**2 + sum(x.error**2 for x in mine) / len(mine) ** 2)
    return bool(s.value - mean(x.value for x in mine) < -1.6449 * error)


def fixed_year(h: rg.History, rng: np.random.Generator, *, drop: float = 0.0, states: int = 26) -> Found:
    """The same queries every week, and a changed system every second: changes of queries that cancel out in all."""
    project = f"f{next(_NUMBER)}"
    start = datetime(2026, 1, 5, tzinfo=UTC)
    ranks = rng.choice(3, QUERIES, p=SHARES)
    first = h.add(evaluation(ranks, project), project=project, system="s", dataset="gold", at=start)
    alarms: dict[str, int | None] = dict.fromkeys(("release", "naive"))
    rule = rg.ReleaseRule(measures=("RR",), margin=0.0)
    base = h.values(first.id, "RR")
    for j in range(1, states + 1):
        shares = shares_after(drop / MOVED if j >= DROP_AT else 0.0)
        moved = np.where(rng.random(QUERIES) < MOVED, rng.choice(3, QUERIES, p=shares), ranks)
        for week in (2 * j - 1, 2 * j):  # looked at twice, changed once
            at = start + timedelta(weeks=week)
            entry = h.add(evaluation(moved, project), project=project, system="s", dataset="gold", at=at)
        d = h.values(entry.id, "RR") - base
        if alarms["naive"] is None and d.any() and d.mean() < -1.6525 * d.std(ddof=1) / sqrt(QUERIES):
            alarms["naive"] = j
    rang = rg.alerts(h, rule, project=project).items[0].rang
    if rang:
        alarms["release"] = (round((datetime.fromisoformat(rang[0]) - start) / timedelta(weeks=1)) + 1) // 2
    return Found(alarms)


def revisited(h: rg.History, rng: np.random.Generator, *, against: str, states: int = 5, choosy: bool = False) -> Found:
    """States that are all as good as each other, each put back behind each other one; or, by somebody who is choosy,
    each seen once, then the best and after it the worst."""
    project = f"v{next(_NUMBER)}"
    start = datetime(2026, 1, 5, tzinfo=UTC)
    made = [evaluation(rng.choice(3, QUERIES, p=SHARES), project) for _ in range(states)]
    order = list(range(states))
    if choosy:
        order += sorted(order, key=lambda i: made[i]["RR"])[:: 1 - states]
    else:
        order = [k for i in range(states) for j in range(i + 1, states) for k in (i, j)]
    entries = [
        h.add(made[k], project=project, system="s", dataset="gold", at=start + timedelta(weeks=w))
        for w, k in enumerate(order)
    ]
    values = {e.id: h.values(e.id, "RR") for e in entries}
    naive = None
    for i in range(1, len(entries)):
        d = values[entries[i].id] - values[entries[i - 1].id]
        if naive is None and d.any() and d.mean() < -1.6525 * d.std(ddof=1) / sqrt(QUERIES):
            naive = i
    rule = rg.ReleaseRule(measures=("RR",), margin=0.0, against=against)
    rang = rg.alerts(h, rule, project=project).items[0].rang
    at = round((datetime.fromisoformat(rang[0]) - start) / timedelta(weeks=1)) if rang else None
    return Found({"release": at, "naive": naive})


def rate(years: Sequence[Found], way: str) -> float:
    """The share of years in which it rang."""
    return mean(y.alarms[way] is not None for y in years)


def delays(years: Sequence[Found], way: str, at: int = CHANGE_AT) -> tuple[float, float, float]:
    """Looks from the drop to the alarm (median of those found), the share found, and the share that rang before."""
    after = [a - at + 1 for y in years if (a := y.alarms[way]) is not None and a >= at]
    before = sum(a is not None and a < at for a in (y.alarms[way] for y in years))
    return (median(after) if after else float("nan")), len(after) / max(1, len(years) - before), before / len(years)


def _many(make: Any, n: int, seed: int, **options: Any) -> Iterator[Found]:
    rng = np.random.default_rng(seed)
    for _ in range(n):
        with TemporaryDirectory() as folder, rg.History(Path(folder) / "h.db") as h:
            yield make(h, rng, **options)


def main(n: int, part: str) -> None:
    if part == "weekly":
        quiet = list(_many(stream_year, n, 1))
        for way in ("one", "six", "naive", "naive of six"):
            print(f"weekly, no change, {way}: {rate(quiet, way):.3f} of {n} years", flush=True)
        for drop in (0.03, 0.05):
            some = list(_many(stream_year, max(n // 4, 1), 2, drop=drop))
            for way in ("one", "six"):
                print(f"weekly, drop {drop}, {way}: {delays(some, way)} of {len(some)} years", flush=True)
    if part == "daily":
        quiet = list(_many(stream_year, n, 3, looks=365, days=1))
        for way in ("one", "six", "naive", "naive of six"):
            print(f"daily, no change, {way}: {rate(quiet, way):.3f} of {n} years", flush=True)
    if part == "daily drops":
        for drop in (0.03, 0.05):
            some = list(_many(stream_year, n, 4, drop=drop, looks=120, days=1))
            for way in ("one", "six"):
                print(f"daily, drop {drop}, {way}: {delays(some, way)} of {len(some)} years", flush=True)
    if part == "fixed":
        quiet = list(_many(fixed_year, n, 5))
        for way in ("release", "naive"):
            print(f"fixed, no change, {way}: {rate(quiet, way):.3f} of {n} years", flush=True)
        for drop in (0.03, 0.05):
            some = list(_many(fixed_year, max(n // 4, 1), 6, drop=drop))
            print(f"fixed, drop {drop}: {delays(some, 'release', DROP_AT)} of {len(some)} years", flush=True)
    if part == "revisited":
        for against in ("baseline", "previous"):
            for choosy in (False, True):
                some = list(_many(revisited, n, 7, against=against, choosy=choosy, states=12 if choosy else 5))
                what = "the best and then the worst again" if choosy else "each behind each"
                print(
                    f"{what}, {against}: {rate(some, 'release'):.3f} of {n}, naive {rate(some, 'naive'):.3f}",
                    flush=True,
                )


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
