"""Fresh queries or rows each period: has a number dropped, and since when? All numbers of a project together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from math import inf, isnan, log, sqrt
from statistics import median

import numpy as np

from rankgauge.history.entry import Entry
from rankgauge.history.freshness import SHARED, Seen
from rankgauge.history.rules import StreamRule
from rankgauge.history.series import Look, Series, joint_error, reasons_between
from rankgauge.statistics.detectors import Detector, deviation, overdispersion, ringing
from rankgauge.statistics.intervals import normal_quantile

__all__ = ["HALF", "Repeated", "Stream", "looks_of", "stream_of", "watched"]

WEEKLY, DAILY = 520, 3650
_A_FEW_DAYS = 3 * 24 * 3600.0
_TWELVE = 12
HALF = 0.5
"""Of a standard error of one period, which is forgiven unless a rule says how much."""
_STALE = ("policy", "definition")
"""What ends a baseline: fresh queries and their judgements are others each time."""


@dataclass(eq=False)
class Stream:
    """One number that is watched, as far as it has been looked at."""

    rule: StreamRule
    series: Series
    looks: Sequence[Look]
    """Those that count: with a value and an error, of fresh queries, since the last break."""
    repeated: Sequence[Look]
    """Looks at queries of which an earlier one had more than a few already: they say the same again."""
    without: int
    """Looks without a value or a standard error."""
    sign: int
    state: str = "unknown"
    since: datetime | None = None
    """When the state began."""
    began: int = 0
    """The look of those after the baseline at which the drop began."""
    done: int = 0
    """Looks after the baseline so far."""
    limit: float = inf
    """What the logarithm of its statistic is held against now."""
    detector: Detector = field(init=False)
    base: Sequence[Look] = field(init=False)
    rest: Sequence[Look] = field(init=False)
    target: float = field(init=False)
    target_error: float = field(init=False)
    margin: float = field(init=False)
    spread: float = field(init=False)
    """How many times as far periods lie apart as their standard errors say; 1 where that may be chance."""
    rang: list[datetime] = field(default_factory=list)
    """The looks at which it became an alert."""
    offset: int = 0
    """The look after the baseline at which the detector started last."""

    def __post_init__(self) -> None:
        line = self.rule.against
        count = 0 if not isinstance(line, str) else self.rule.periods
        self.base, self.rest = self.looks[:count], self.looks[count:]
        self.detector = Detector(both_ways=self.sign == 0)
        self.spread = 1.0
        errors = [x.error for x in self.base] or [x.error for x in self.rest]
        if isinstance(line, str):
            self.target = float(np.mean([x.value for x in self.base])) if self.base else float("nan")
            self.spread = _spread([x.value for x in self.base], errors)
            self.target_error = self.spread * joint_error(errors)
        else:
            self.target, self.target_error = float(line), 0.0
        if self.rule.margin is not None:
            self.margin = float(self.rule.margin)
        elif not isinstance(line, str) or not errors:
            self.margin = 0.0
        else:
            self.margin = self.share * median(errors) * self.spread

    @property
    def share(self) -> float:
        """Of the median standard error what is forgiven unless a rule says how much: more with a short baseline."""
        return HALF * sqrt(max(1.0, _TWELVE / max(1, len(self.base))))

    @property
    def is_ready(self) -> bool:
        """Whether its baseline is complete."""
        return not isinstance(self.rule.against, str) or len(self.base) == self.rule.periods

    def error_of(self, look: Look) -> float:
        """The standard error of a look; that of the baseline where all its values are the same."""
        if look.error > 0:
            return look.error * self.spread
        units = [x.error * sqrt(x.summary.n) for x in self.base if x.error > 0 and x.summary.n]
        return median(units) / sqrt(look.summary.n) * self.spread if units and look.summary.n else float("nan")

    def look(self) -> None:
        """The next look after the baseline."""
        x = self.rest[self.done]
        self.done += 1
        error, n = self.error_of(x), x.summary.n
        if self.sign:
            self.detector.look(deviation(self.sign * x.value, self.sign * self.target - self.margin, error, n))
        else:
            self.detector.look(
                deviation(x.value, self.target - self.margin, error, n),
                deviation(-x.value, -self.target - self.margin, error, n),
            )

    def settle(self, rings: bool, m: int, looks: int) -> None:
        """What the look came to, where it is one of m numbers that are watched together."""
        at = self.rest[self.done - 1].at
        self.limit = log(m * looks)
        if self.state == "alert":
            self.detector.capped(self.limit)
            if self.detector.log_statistic < self.limit / 2:
                self._become("recovered", at)
                self.detector.restart()
                self.offset = self.done
            return
        if rings:
            self.began = self.offset + self.detector.since
            self._become("alert", self.rest[self.began].at)
            self.rang.append(at)
        else:
            self._become("watch" if self.detector.log_statistic >= self.limit / 2 else "ok", at)

    def _become(self, state: str, at: datetime) -> None:
        if state != self.state:
            self.state, self.since = state, at

    @property
    def change(self) -> tuple[float, float, float]:
        """By how much it has changed, with a 95% interval: since the drop began, or at the newest look."""
        if not self.done:
            return (float("nan"),) * 3
        some = self.rest[self.began : self.done] if self.state == "alert" else self.rest[self.done - 1 : self.done]
        change = float(np.mean([x.value for x in some])) - self.target
        error = sqrt(joint_error([self.error_of(x) for x in some]) ** 2 + self.target_error**2)
        half = normal_quantile(0.975) * error
        return change, change - half, change + half


def _spread(values: Sequence[float], errors: Sequence[float]) -> float:
    """How much wider than their errors periods vary, where that is no chance (5%); else 1."""
    found = overdispersion(values, errors)
    if isnan(found):
        return 1.0
    df = len(values) - 1
    beyond = df * (1 - 2 / (9 * df) + normal_quantile(0.95) * sqrt(2 / (9 * df))) ** 3  # χ², Wilson & Hilferty (1931)
    return found if found**2 * df > beyond else 1.0


Repeated = dict[tuple[str, ...], frozenset[str]]
"""Of evaluations one after the other (their ids) those whose queries are not fresh: the same of all their numbers."""


def stream_of(rule: StreamRule, series: Series, since: datetime | None, known: Repeated | None = None) -> Stream:
    """A series as a rule watches it, from the last acknowledged change on; what is `known` is not looked at again."""
    looks: list[Look] = []
    without = 0
    before: Look | None = None
    for look in series.looks:
        if since is not None and look.at < since:
            continue
        if before is not None and set(reasons_between(before, look)) & set(_STALE):
            looks, without = [], 0
        before = look
        if isnan(look.value) or isnan(look.error):
            without += 1
        else:
            looks.append(look)
    again = _repeated([x.entry for x in looks], {} if known is None else known)
    counted = [x for x in looks if x.entry.id not in again]
    return Stream(rule, series, counted, [x for x in looks if x.entry.id in again], without, series.direction)


def _repeated(entries: Sequence[Entry], known: Repeated) -> frozenset[str]:
    key = tuple(e.id for e in entries)
    if key not in known:
        seen, again = Seen(), set()
        for e in entries:
            if seen.share(e) > SHARED:
                again.add(e.id)
            else:
                seen.count(e)
        known[key] = frozenset(again)
    return known[key]


def looks_of(streams: Iterable[Stream]) -> int:
    """One false alarm in so many looks, unless somebody said: ten years of them."""
    gaps: list[float] = []
    for s in streams:
        times = [x.at.timestamp() for x in s.looks]
        gaps += [b - a for a, b in pairwise(times) if b > a]
    return DAILY if gaps and median(gaps) < _A_FEW_DAYS else WEEKLY


def watched(streams: Sequence[Stream], looks: int) -> None:
    """Looks at all of them in the order of time: what rings, rings together (e-BH)."""
    ready = [s for s in streams if s.is_ready and s.rest]
    for at in sorted({x.at for s in ready for x in s.rest}):
        now = []
        for s in ready:
            while s.done < len(s.rest) and s.rest[s.done].at <= at:
                s.look()
                now.append(s)
        active = [s for s in ready if s.done]
        rung = set(ringing([s.detector.log_statistic for s in active], looks))
        for i, s in enumerate(active):
            if s in now or i in rung:
                s.settle(i in rung, len(active), looks)
