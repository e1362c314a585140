"""One query while it is asked: its attempts, how long they take, and the answer that comes of them.

Who asks (`asking.py`) waits and calls, in a thread or in an event loop. What became of each call goes into an `Asked`,
which counts and times, and gives the `Answer` when there is one: a failure is an outcome like any other.
"""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from rankgauge._show import cut
from rankgauge.collection.pieces import PieceReader
from rankgauge.collection.results import IdOf, Listed, listed
from rankgauge.errors import RankgaugeError
from rankgauge.integrations.retrievers import Query

__all__ = ["Answer", "Asked", "Clock", "Pace", "Plan", "TimedOut", "is_failure"]

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0  # seconds between attempts; each pause is twice the one before
_WORDS = 500  # characters of an error that are kept


@dataclass(frozen=True)
class Plan:
    """How a retriever is asked."""

    k: int
    concurrency: int = 1
    timeout: float | None = None
    """Seconds that one call may take."""
    retries: int = 0
    rate: float | None = None
    """Calls per second at most."""
    id: IdOf = None
    pieces: PieceReader | None = None
    """Reads results as pieces of documents, where that is asked."""


@dataclass(slots=True)
class Answer:
    """What became of a query."""

    query: Query
    start: float
    """Seconds since 1970."""
    seconds: float
    """Of all calls; pauses between them and waiting for a turn do not count."""
    attempts: int
    outcome: str
    error: str = ""
    list: Listed = field(default_factory=lambda: Listed([]))
    paused: float = 0.0
    """Seconds between the calls."""


class TimedOut(Exception):
    """A call took longer than it may."""


def is_failure(error: BaseException) -> bool:
    """Whether a retriever failed; if not, somebody wants to stop.

    Two kinds of failure are no `Exception`: a task of the retriever's own that was cancelled, and a panic in Rust.
    """
    kinds = (Exception, asyncio.CancelledError)
    return isinstance(error, kinds) or type(error).__name__ == "PanicException"


# time


class Clock:
    """The time of day that does not jump: read once, then counted on."""

    def __init__(self) -> None:
        self._offset = time.time() - time.perf_counter()

    def at(self, moment: float) -> float:
        return moment + self._offset


class Pace:
    """Turns: the next call may start when so many seconds have passed since the last one."""

    def __init__(self, rate: float | None) -> None:
        self._step = 0.0 if rate is None else 1 / rate
        self._next, self._lock = 0.0, threading.Lock()

    def delay(self) -> float:
        """Seconds to wait for the turn that is taken by asking."""
        if not self._step:
            return 0.0
        with self._lock:
            now = time.perf_counter()
            turn = max(now, self._next)
            self._next = turn + self._step
        return turn - now


# a query


class Asked:
    """A query that is being asked: `begin` before each call, then `gave` or `raised`, until one has the answer."""

    __slots__ = ("_called", "_clock", "_first", "_plan", "_query", "_seconds", "attempts")

    def __init__(self, query: Query, plan: Plan, clock: Clock) -> None:
        self._query, self._plan, self._clock = query, plan, clock
        self._first = self._called = self._seconds = 0.0
        self.attempts = 0

    def begin(self) -> None:
        """A call is made now."""
        self._called = time.perf_counter()
        if not self.attempts:
            self._first = self._called
        self.attempts += 1

    @property
    def pause(self) -> float:
        """Seconds to wait before the next call."""
        return float(min(_FIRST_PAUSE * 2 ** (self.attempts - 1), _LONGEST_PAUSE))

    def gave(self, given: Any) -> Answer | None:
        """The call returned; None where it took too long and is made again."""
        took = time.perf_counter() - self._called
        if self._plan.timeout is not None and took > self._plan.timeout:  # nothing could end it
            return self._failed(TimedOut(), took)
        try:
            found = listed(given, self._plan.k, self._plan.id, self._plan.pieces)
        except Exception as e:  # what cannot be read, an id function of the caller, a document that is something else
            return self._answer(took, "error", _said(e))
        return self._answer(took, "ok" if found.ids else "empty", "", found)

    def raised(self, error: BaseException) -> Answer | None:
        """The call failed; None where it is made again."""
        return self._failed(error, time.perf_counter() - self._called)

    def _failed(self, error: BaseException, took: float) -> Answer | None:
        if self.attempts <= self._plan.retries:
            self._seconds += took
            return None
        if isinstance(error, TimedOut):
            return self._answer(took, "timeout")
        is_late = isinstance(error, TimeoutError) or "timeout" in type(error).__name__.lower()
        return self._answer(took, "timeout" if is_late else "error", _said(error))

    def _answer(self, took: float, outcome: str, error: str = "", found: Listed | None = None) -> Answer:
        seconds = self._seconds + took
        paused = 0.0 if self.attempts == 1 else max(self._called + took - self._first - seconds, 0.0)
        start = self._clock.at(self._first)
        return Answer(self._query, start, seconds, self.attempts, outcome, error, found or Listed([]), paused)


def _said(error: BaseException) -> str:
    """What an error says of itself, with its kind; as much of it as can be written down."""
    try:
        words = error.text if isinstance(error, RankgaugeError) else str(error)
    except Exception:  # errors are other people's
        words = ""
    said = f"{type(error).__name__}: {cut(words, _WORDS)}".rstrip(": ")
    return said.encode("utf-8", "backslashreplace").decode()
