"""Asking: one query with its attempts, and many queries one after the other, in threads, or as tasks of an event loop.

Drivers hand each `Answer` to `taken`, in the thread of the caller or of the loop, as soon as it is there. What a
retriever raises, and what it gives that cannot be read, is an outcome and not an error; whatever else happens goes
through.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

from rankgauge._show import cut
from rankgauge.collection.results import IdOf, Listed, listed
from rankgauge.errors import InputError
from rankgauge.integrations.retrievers import Query, Retriever

__all__ = ["Answer", "Plan", "ask_all"]

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


Taken = Callable[[Answer], None]


class _TimedOut(Exception):
    """A call took longer than it may."""


class _IsAwaitable(Exception):
    """A function that did not look so gives something to be awaited."""


def ask_all(retriever: Retriever, queries: Iterable[Query], plan: Plan, taken: Taken) -> None:
    """Ask every query; each answer is taken as it comes."""
    if retriever.ask_later is None:
        again = _Kept(queries)
        try:
            _ask_here(retriever, again, plan, taken)
            return
        except _IsAwaitable:
            queries = again.all()
    _in_loop(_ask_as_tasks(retriever, iter(queries), plan, taken))


class _Kept:
    """Queries that can be begun again as long as none of them is answered."""

    def __init__(self, queries: Iterable[Query]) -> None:
        self._rest = iter(queries)
        self._given: list[Query] = []
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[Query]:
        return self

    def __next__(self) -> Query:
        with self._lock:  # threads take turns
            self._given.append(query := next(self._rest))
        return query

    def forget(self) -> None:
        self._given.clear()

    def all(self) -> Iterator[Query]:
        yield from self._given
        yield from self._rest


# time


class _Clock:
    """The time of day that does not jump: read once, then counted on."""

    def __init__(self) -> None:
        self._offset = time.time() - time.perf_counter()

    def at(self, moment: float) -> float:
        return moment + self._offset


class _Pace:
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


def _pause(attempt: int) -> float:
    return float(min(_FIRST_PAUSE * 2 ** (attempt - 1), _LONGEST_PAUSE))


# what became of it


def _answered(query: Query, start: float, seconds: float, attempts: int, given: Any, plan: Plan) -> Answer:
    try:
        found = listed(given, plan.k, plan.id)
    except InputError as e:
        return Answer(query, start, seconds, attempts, "error", f"{type(e).__name__}: {cut(e.text, _WORDS)}")
    except Exception as e:  # an id function of the caller, a document that is not what it seems
        return _failed(query, start, seconds, attempts, e)
    return Answer(query, start, seconds, attempts, "ok" if found.ids else "empty", "", found)


def _failed(query: Query, start: float, seconds: float, attempts: int, error: Exception) -> Answer:
    kind = type(error).__name__
    if isinstance(error, (_TimedOut, TimeoutError)) or "timeout" in kind.lower():
        said = "" if isinstance(error, _TimedOut) else f"{kind}: {cut(str(error), _WORDS)}"
        return Answer(query, start, seconds, attempts, "timeout", said)
    return Answer(query, start, seconds, attempts, "error", f"{kind}: {cut(str(error), _WORDS)}".rstrip(": "))


# here, and in threads


def _ask_here(retriever: Retriever, queries: _Kept, plan: Plan, taken: Taken) -> None:
    pace, clock = _Pace(plan.rate), _Clock()
    if plan.concurrency == 1:
        asker = _Asker(retriever, plan, pace, clock)
        for query in queries:
            answer = asker.answer(query)
            queries.forget()
            taken(answer)
        return
    answers: SimpleQueue[Answer | BaseException | None] = SimpleQueue()
    stop = threading.Event()

    def work() -> None:
        asker = _Asker(retriever, plan, pace, clock)
        try:
            for query in queries:
                if stop.is_set():
                    break
                answers.put(asker.answer(query))
        except BaseException as e:
            answers.put(e)
        else:
            answers.put(None)

    for i in range(plan.concurrency):
        threading.Thread(target=work, name=f"rankgauge-collect-{i}", daemon=True).start()
    left = plan.concurrency
    try:
        while left:
            found = answers.get()
            if found is None:
                left -= 1
            elif isinstance(found, Answer):
                queries.forget()
                taken(found)
            else:
                raise found
    finally:
        stop.set()  # those who are still asking end with what they ask


class _Asker:
    """One after the other."""

    def __init__(self, retriever: Retriever, plan: Plan, pace: _Pace, clock: _Clock) -> None:
        self._retriever, self._plan, self._pace, self._clock = retriever, plan, pace, clock
        self._call = retriever.ask if plan.timeout is None else _Impatient(retriever.ask, plan.timeout)

    def answer(self, query: Query) -> Answer:
        plan, call = self._plan, self._call
        seconds, begun = 0.0, -1.0
        attempt = 1
        while True:
            if delay := self._pace.delay():
                time.sleep(delay)
            called = time.perf_counter()
            begun = called if begun < 0 else begun
            try:
                given = _whole(call(query, plan.k))
            except Exception as e:
                if isinstance(e, _IsAwaitable):
                    raise
                seconds += time.perf_counter() - called
                if attempt > plan.retries:
                    return _failed(query, self._clock.at(begun), seconds, attempt, e)
            else:
                seconds += time.perf_counter() - called
                return _answered(query, self._clock.at(begun), seconds, attempt, given, plan)
            time.sleep(_pause(attempt))
            attempt += 1


def _whole(given: Any) -> Any:
    """What was given, with all of its results: those of a generator are made when they are asked for."""
    if type(given) is list or given is None:
        return given
    if inspect.isawaitable(given) or hasattr(given, "__aiter__"):
        if inspect.iscoroutine(given):
            given.close()
        raise _IsAwaitable
    return list(given) if isinstance(given, Iterator) else given


class _Impatient:
    """Calls in a thread of its own, and leaves the thread behind where a call takes too long: nothing can end it."""

    def __init__(self, call: Callable[[Query, int], Any], timeout: float) -> None:
        self._function, self._timeout = call, timeout
        self._calls: SimpleQueue[tuple[Query, int] | None] | None = None
        self._results: SimpleQueue[tuple[bool, Any]] = SimpleQueue()

    def __call__(self, query: Query, k: int) -> Any:
        if self._calls is None:
            self._calls, self._results = SimpleQueue(), SimpleQueue()
            names = (self._calls, self._results)
            threading.Thread(target=self._serve, args=names, name="rankgauge-call", daemon=True).start()
        self._calls.put((query, k))
        try:
            is_there, found = self._results.get(timeout=self._timeout)
        except Empty:
            self._calls.put(None)  # it ends when its call does, if that ever is
            self._calls = None
            raise _TimedOut from None
        if is_there:
            return found
        raise found

    def _serve(self, calls: SimpleQueue[tuple[Query, int] | None], results: SimpleQueue[tuple[bool, Any]]) -> None:
        while (asked := calls.get()) is not None:
            try:
                results.put((True, _whole(self._function(*asked))))
            except BaseException as e:
                results.put((False, e))

    def __del__(self) -> None:
        if self._calls is not None:
            self._calls.put(None)


# in an event loop


def _in_loop(work: Awaitable[None]) -> None:
    """Run it to its end: in a loop of its own, beside one that is running already (a notebook has one)."""

    async def main() -> None:
        await work

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(main())
        return
    raised: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(main())
        except BaseException as e:
            raised.append(e)

    thread = threading.Thread(target=run, name="rankgauge-collect", daemon=True)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]


async def _ask_as_tasks(retriever: Retriever, queries: Iterator[Query], plan: Plan, taken: Taken) -> None:
    pace, clock = _Pace(plan.rate), _Clock()
    ask: Callable[[Query, int], Any] = retriever.ask_later or retriever.ask

    async def work() -> None:
        for query in queries:  # one loop, one thread: nobody else takes it
            taken(await _answer_later(ask, query, plan, pace, clock))

    tasks = [asyncio.create_task(work()) for _ in range(plan.concurrency)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


async def _answer_later(
    ask: Callable[[Query, int], Any], query: Query, plan: Plan, pace: _Pace, clock: _Clock
) -> Answer:
    seconds, begun = 0.0, -1.0
    attempt = 1
    while True:
        if delay := pace.delay():
            await asyncio.sleep(delay)
        called = time.perf_counter()
        begun = called if begun < 0 else begun
        try:
            if plan.timeout is None:
                given = await _all_of(ask(query, plan.k))
            else:
                given = await _within(plan.timeout, _all_of(ask(query, plan.k)))
        except Exception as e:
            seconds += time.perf_counter() - called
            if attempt > plan.retries:
                return _failed(query, clock.at(begun), seconds, attempt, e)
        else:
            seconds += time.perf_counter() - called
            return _answered(query, clock.at(begun), seconds, attempt, given, plan)
        await asyncio.sleep(_pause(attempt))
        attempt += 1


async def _within(seconds: float, work: Awaitable[Any]) -> Any:
    try:
        async with asyncio.timeout(seconds) as limit:
            return await work
    except TimeoutError:
        if limit.expired():
            raise _TimedOut from None
        raise


async def _all_of(asked: Any) -> Any:
    given = await asked if inspect.isawaitable(asked) else asked
    if hasattr(given, "__aiter__"):
        return [x async for x in given]
    return list(given) if isinstance(given, Iterator) else given
