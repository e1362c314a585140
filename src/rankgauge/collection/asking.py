"""Asking many queries: one after the other, in threads, or as tasks of an event loop.

`taken` gets each `Answer` as soon as it is there, always in the thread of the caller: nothing that is done with answers
has to mind threads. What a retriever raises, and what it gives that cannot be read, is an outcome and not an error;
whatever else happens goes through.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any

from rankgauge.collection.attempts import Answer, Asked, Clock, Pace, Plan, TimedOut, is_failure
from rankgauge.collection.event_loop import Running, is_stopped, to_its_end, within
from rankgauge.integrations.retrievers import Query, Retriever

__all__ = ["ask_all"]

Taken = Callable[[Answer], None]
Call = Callable[[Query, int], Any]


def ask_all(retriever: Retriever, queries: Sequence[Query], plan: Plan, taken: Taken) -> None:
    """Ask every query; each answer is taken as it comes."""
    if not queries:
        return
    if retriever.ask_later is not None:
        _ask_as_tasks(retriever.ask_later, queries, plan, taken)
    elif plan.concurrency == 1:
        with _Asker(retriever.ask, plan, Pace(plan.rate), Clock()) as asker:
            for query in queries:
                taken(asker.answer(query))
    else:
        _ask_in_threads(retriever.ask, queries, plan, taken)


class _Answers:
    """Where workers put answers, and the caller takes them from."""

    def __init__(self, workers: int) -> None:
        self._queue: SimpleQueue[Answer | BaseException | None] = SimpleQueue()
        self._workers = workers
        self.put: Callable[[Answer | BaseException | None], None] = self._queue.put
        """An answer, what somebody raised, or None: a worker has come to its end."""

    def take(self, taken: Taken) -> None:
        """Until all workers have come to their end."""
        while self._workers:
            found = self._queue.get()
            if isinstance(found, Answer):
                taken(found)
            elif found is None:
                self._workers -= 1
            else:
                raise found


# one after the other


class _Asker:
    """Asks a query, again where it fails, and gives its answer."""

    def __init__(self, call: Call, plan: Plan, pace: Pace, clock: Clock) -> None:
        self._plan, self._pace, self._clock = plan, pace, clock
        self._impatient = None if plan.timeout is None else _Impatient(call, plan.timeout)
        self._call = self._impatient or (lambda query, k: _whole(call(query, k), k))

    def __enter__(self) -> _Asker:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._impatient is not None:
            self._impatient.dismiss()

    def answer(self, query: Query) -> Answer:
        call, k = self._call, self._plan.k
        asked = Asked(query, self._plan, self._clock)
        while True:
            if delay := self._pace.delay():
                time.sleep(delay)
            asked.begin()
            try:
                given = call(query, k)
            except BaseException as e:
                if not is_failure(e):
                    raise
                answer = asked.raised(e)
            else:
                answer = asked.gave(given)
            if answer is not None:
                return answer
            time.sleep(asked.pause)


def _whole(given: Any, k: int) -> Any:
    """What was given, with its results: those of a generator are made when they are asked for, and may never end."""
    if type(given) is list or given is None:
        return given
    if inspect.isawaitable(given) or hasattr(given, "__aiter__"):
        return to_its_end(_whole_later(given, k))
    return list(islice(given, k + 1)) if isinstance(given, Iterator) else given


class _Impatient:
    """Calls in a thread of its own, and leaves the thread behind where a call takes too long: nothing can end it."""

    def __init__(self, call: Call, timeout: float) -> None:
        self._function, self._timeout = call, timeout
        self._calls: SimpleQueue[tuple[Query, int] | None] | None = None
        self._results: SimpleQueue[tuple[bool, Any]] = SimpleQueue()

    def __call__(self, query: Query, k: int) -> Any:
        if self._calls is None:
            self._calls, self._results = SimpleQueue(), SimpleQueue()
            with_ = (self._function, self._calls, self._results)
            threading.Thread(target=_serve, args=with_, name="rankgauge-call", daemon=True).start()
        self._calls.put((query, k))
        try:
            is_there, found = self._results.get(timeout=self._timeout)
        except Empty:
            self.dismiss()
            raise TimedOut from None
        if is_there:
            return found
        raise found

    def dismiss(self) -> None:
        """The thread ends when its call does, if that ever is."""
        if self._calls is not None:
            self._calls.put(None)
            self._calls = None


def _serve(call: Call, calls: SimpleQueue[tuple[Query, int] | None], results: SimpleQueue[tuple[bool, Any]]) -> None:
    while (asked := calls.get()) is not None:
        try:
            results.put((True, _whole(call(*asked), asked[1])))
        except BaseException as e:
            results.put((False, e))


# in threads


def _ask_in_threads(call: Call, queries: Sequence[Query], plan: Plan, taken: Taken) -> None:
    pace, clock, stop = Pace(plan.rate), Clock(), threading.Event()
    workers = min(plan.concurrency, len(queries))
    answers = _Answers(workers)
    left = SimpleQueue[Query]()
    for query in queries:
        left.put(query)

    def work() -> None:
        try:
            with _Asker(call, plan, pace, clock) as asker:
                while not stop.is_set():
                    try:
                        query = left.get_nowait()
                    except Empty:
                        break
                    answers.put(asker.answer(query))
        except BaseException as e:
            answers.put(e)
        else:
            answers.put(None)

    for i in range(workers):
        threading.Thread(target=work, name=f"rankgauge-collect-{i}", daemon=True).start()
    try:
        answers.take(taken)
    finally:
        stop.set()  # those who are still asking end with what they ask


# as tasks


def _ask_as_tasks(ask_later: Call, queries: Sequence[Query], plan: Plan, taken: Taken) -> None:
    pace, clock = Pace(plan.rate), Clock()
    workers = min(plan.concurrency, len(queries))
    answers = _Answers(workers)
    left = iter(queries)  # one loop, one thread: nobody else takes the next one

    async def work() -> None:
        try:
            for query in left:
                answers.put(await _answer_later(ask_later, query, plan, pace, clock))
        except BaseException as e:
            answers.put(e)
        else:
            answers.put(None)

    async def work_together() -> None:
        await asyncio.gather(*(work() for _ in range(workers)))

    running = Running(work_together())
    try:
        answers.take(taken)
    except BaseException:
        running.stop()
        raise


async def _answer_later(ask_later: Call, query: Query, plan: Plan, pace: Pace, clock: Clock) -> Answer:
    asked = Asked(query, plan, clock)
    while True:
        if delay := pace.delay():
            await asyncio.sleep(delay)
        asked.begin()
        try:
            call = _call_later(ask_later, query, plan.k)
            given = await (call if plan.timeout is None else within(plan.timeout, call))
        except BaseException as e:
            if not is_failure(e) or is_stopped(e):
                raise
            answer = asked.raised(e)
        else:
            answer = asked.gave(given)
        if answer is not None:
            return answer
        await asyncio.sleep(asked.pause)


async def _call_later(ask_later: Call, query: Query, k: int) -> Any:
    return await _whole_later(ask_later(query, k), k)


async def _whole_later(given: Any, k: int) -> Any:
    if inspect.isawaitable(given):
        given = await given
    if hasattr(given, "__aiter__"):
        found = []
        async for result in given:
            found.append(result)
            if len(found) > k:
                break
        return found
    return list(islice(given, k + 1)) if isinstance(given, Iterator) else given
