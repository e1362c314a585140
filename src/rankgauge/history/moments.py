"""Moments as a history keeps them: UTC, as texts that sort as the times do."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError

__all__ = ["earlier", "last_of", "moment", "time_of", "time_text"]

_DAY = re.compile(r"\d{4}(-?\d\d-?\d\d|-?W\d\d-?\d|-?W\d\d)")


def time_of(at: datetime | date | str | None, name: str = "at") -> datetime:
    """A moment in UTC: as given, as a text, or now. What says no time zone is UTC."""
    if at is None:
        return datetime.now(UTC)
    try:
        if isinstance(at, str):
            at = datetime.fromisoformat(at.strip())
        elif isinstance(at, date) and not isinstance(at, datetime):
            at = datetime(at.year, at.month, at.day)
        if isinstance(at, datetime) and at == at:  # NaT of pandas is a datetime that is none  # noqa: PLR0124
            return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise ParameterError(
        Text(
            f"`{name}` must be a time such as 2026-11-18 or 2026-11-18T09:30, got {show(at)}.",
            f"`{name}` 必须是时间，如 2026-11-18 或 2026-11-18T09:30，实际为 {show(at)}。",
        )
    )


def last_of(until: datetime | date | str) -> datetime:
    """The last moment that is meant: a day is meant with all its hours.

    >>> last_of("2026-11-18").isoformat(), last_of("2026-11-18T09:30").isoformat()
    ('2026-11-18T23:59:59.999999+00:00', '2026-11-18T09:30:00+00:00')
    """
    end = time_of(until, "until")
    is_day = _DAY.fullmatch(until.strip()) if isinstance(until, str) else not isinstance(until, datetime)
    return end + timedelta(days=1, microseconds=-1) if is_day else end


def earlier(at: datetime, by: timedelta) -> datetime:
    """So long before; not before all time."""
    try:
        return at - by
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


def time_text(at: datetime) -> str:
    """As it is stored.

    >>> time_text(datetime(2026, 11, 18, 9, 30, tzinfo=UTC))
    '2026-11-18T09:30:00.000000Z'
    """
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def moment(at: datetime) -> str:
    """A time as people read it: the day, with the time of day where it has one.

    >>> moment(datetime(2026, 11, 18)), moment(datetime(2026, 11, 18, 9, 30))
    ('2026-11-18', '2026-11-18 09:30')
    """
    is_day = not (at.hour or at.minute or at.second or at.microsecond)
    return at.strftime("%Y-%m-%d" if is_day else "%Y-%m-%d %H:%M")
