"""When a project is run again: every so often, or every day at a time of the clock.

>>> schedule_of("90m"), schedule_of("06:00")
(Schedule(every=5400.0, at=None), Schedule(every=86400.0, at=(6, 0)))
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError

__all__ = ["Schedule", "schedule_of"]

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_EVERY = re.compile(r"(\d{1,9})\s*([smhdw])")
_AT = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_LEAST = 1
_DAY = 86_400.0
_MOST = 366 * _DAY


@dataclass(frozen=True)
class Schedule:
    """The seconds between two runs, or the hour and minute of the day."""

    every: float
    at: tuple[int, int] | None = None

    def next(self, after: datetime) -> datetime:
        """The first moment after this one; times of the clock are those of the zone that `after` is in."""
        if self.at is None:
            return after + timedelta(seconds=self.every)
        hour, minute = self.at
        then = after.replace(hour=hour, minute=minute, second=0, microsecond=0)
        return then if then > after else then + timedelta(days=1)


def schedule_of(text: str) -> Schedule:
    """`30m`, `6h`, `1d`, `1w`, or a time of the day such as `06:00`."""
    said = text.strip().lower() if isinstance(text, str) else ""
    if found := _AT.fullmatch(said):
        return Schedule(_DAY, (int(found[1]), int(found[2])))
    found = _EVERY.fullmatch(said)
    seconds = int(found[1]) * _UNITS[found[2]] if found else 0
    if not _LEAST <= seconds <= _MOST:
        raise ParameterError(
            Text(
                f"a schedule must be a time between two runs such as 30m, 6h, 1d or 1w (a year at most), or a time of "
                f"the day such as 06:00, got {show(text)}.",
                f"计划必须是两次运行的间隔，如 30m、6h、1d 或 1w（最长一年），或一天中的时刻，如 06:00，"
                f"实际为 {show(text)}。",
            )
        )
    return Schedule(float(seconds))
