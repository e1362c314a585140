"""A project, run again and again in one process: a loop with a clock, for those without cron."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

from rankgauge.project.record import ProjectRun
from rankgauge.project.schedule import Schedule

__all__ = ["Clock", "WallClock", "watch"]

_LOOK = 60.0
"""Seconds after which the clock is looked at again, so that a computer that slept or a changed hour is noticed."""


class Clock(Protocol):
    """What the loop needs of time."""

    def now(self) -> datetime:
        """The moment, in UTC."""

    def local(self) -> datetime:
        """What the clock on the wall shows, without a zone."""

    def wait(self, seconds: float) -> bool:
        """Waits so long, or until it is told to stop; whether it was."""


class WallClock:
    """The clock of the computer. `stop` ends the wait, from a signal or another thread."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        self._stopped.set()

    def now(self) -> datetime:
        return datetime.now(UTC)

    def local(self) -> datetime:
        return datetime.now()

    def wait(self, seconds: float) -> bool:
        return self._stopped.wait(seconds)


def watch(
    run: Callable[[datetime], ProjectRun],
    schedule: Schedule,
    clock: Clock,
    *,
    done: Callable[[datetime, ProjectRun], None],
    failed: Callable[[datetime, Exception], None],
    times: int | None = None,
) -> int:
    """Runs at every time of the schedule until the clock is stopped, or so many times; how often it ran.

    Every so often begins at once, a time of the day waits for it. A run that takes longer than the time between two
    is followed by one run, not by all that were missed. One that fails is told, and the next comes as if nothing had
    happened.
    """
    count = 0
    is_due = schedule.at is None
    begun = clock.now()
    while times is None or count < times:
        if not is_due and _waited(schedule, begun, clock):
            break
        if clock.wait(0):
            break
        begun, is_due = clock.now(), False
        try:
            done(begun, run(begun))
        except Exception as e:  # whatever it was, tomorrow is another day
            failed(begun, e)
        count += 1
    return count


def _waited(schedule: Schedule, begun: datetime, clock: Clock) -> bool:
    """Waits for the next time, after the one that the last run began at; whether it was told to stop."""
    by_wall = schedule.at is not None
    read = clock.local if by_wall else clock.now
    due = schedule.next(read() if by_wall else begun)
    while (seconds := (due - read()).total_seconds()) > 0:
        if clock.wait(min(seconds, _LOOK)):
            return True
    return False
