"""The event loop in which retrievers are awaited: one for all collections, in a thread of its own.

A client holds on to the loop in which it opened its connections, so that warming up, asking, and asking once more later
must be in the same one. A loop that is running already where `rg.collect` is called (a notebook has one) does not mind.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from typing import Any

from rankgauge.collection.attempts import TimedOut

__all__ = ["Running", "is_stopped", "to_its_end", "within"]

_NAME = "rankgauge-loop"
_PATIENCE = 1.0  # seconds that a loop has to say that it is there


class _Shared:
    """The loop, with its thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._thread is None or not self._thread.is_alive():  # a fork has no threads
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name=_NAME, daemon=True)
                self._thread.start()
            return self._loop

    def leave_if_blocked(self) -> None:
        """Gives up a loop that does nothing any more, so that whoever comes next has another one."""
        is_there = threading.Event()
        self.loop().call_soon_threadsafe(is_there.set)
        if not is_there.wait(_PATIENCE):
            self._loop = None


_SHARED, _INSIDE = _Shared(), threading.local()


def _shared() -> _Shared:
    """Whose loop it is to be. Called in one of ours, which waits for who calls, it is another one."""
    if threading.current_thread().name != _NAME:
        return _SHARED
    if not hasattr(_INSIDE, "shared"):
        _INSIDE.shared = _Shared()
    found: _Shared = _INSIDE.shared
    return found


class Running:
    """Work that has begun in the loop."""

    def __init__(self, work: Awaitable[Any]) -> None:
        self._shared = _shared()
        self._future = asyncio.run_coroutine_threadsafe(_outcome(work), self._shared.loop())

    def result(self) -> Any:
        """What it gives or raises, when it has ended."""
        return _opened(self._future.result())

    def stop(self) -> None:
        """Cancels it where it stands."""
        if not self._future.done():
            self._future.cancel()
            self._shared.leave_if_blocked()


def to_its_end(work: Awaitable[Any]) -> Any:
    """Run it, and wait for it."""
    running = Running(work)
    try:
        return running.result()
    finally:
        running.stop()


async def within(seconds: float, work: Awaitable[Any]) -> Any:
    """What it gives in this time; otherwise it is cancelled, and left behind if it does not care."""
    task = asyncio.ensure_future(_outcome(work))
    try:
        await asyncio.wait({task}, timeout=seconds)
        if task.done():
            return _opened(task.result())
        raise TimedOut
    finally:
        task.cancel()


def is_stopped(error: BaseException) -> bool:
    """Whether the task in which this was raised is being cancelled, and not only something that it waits for."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0


async def _outcome(work: Awaitable[Any]) -> tuple[bool, Any]:
    """(True, what it gives) or (False, what it raises): what ends programs would end the loop, too."""
    try:
        return True, await work
    except BaseException as e:
        if is_stopped(e):
            raise
        return False, e


def _opened(outcome: tuple[bool, Any]) -> Any:
    is_there, found = outcome
    if is_there:
        return found
    raise found
