"""Retrievers that fail, hang, lie and stop: nothing is lost, everything is counted, and what is over is over."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

import rankgauge as rg
from chinese_errors import refuse_english
from rankgauge._text import zh
from rankgauge.errors import InputError

QUERIES = {f"q{i}": f"question {i}" for i in range(12)}


def number(query: str) -> int:
    return int(query.rsplit(maxsplit=1)[-1])


def answer(query: str) -> list[str]:
    return [f"d{number(query)}", "d0"]


# functions that are not what they seem


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_function_that_gives_a_list_now_and_a_coroutine_then(concurrency):
    """A cache in front of an asynchronous client: what is known comes at once."""

    async def later(query: str) -> list[str]:
        await asyncio.sleep(0.002)
        return answer(query)

    def cached(query: str):
        return answer(query) if number(query) % 3 == 0 else later(query)

    run = rg.collect(QUERIES, cached, concurrency=concurrency)

    assert run.query_ids == list(QUERIES)
    assert run.collected.outcomes == ("ok",) * 12
    assert [next(iter(row)) for row in run.to_dict().values()] == [f"d{i}" for i in range(12)]


class OfOneLoop:
    """As clients over HTTP are: the connection belongs to the event loop in which it was opened."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __call__(self, query: str) -> list[str]:
        self._loop = self._loop or asyncio.get_running_loop()
        if self._loop is not asyncio.get_running_loop():
            raise RuntimeError("attached to a different loop")
        await asyncio.sleep(0)
        return answer(query)


def test_a_client_of_one_event_loop_can_be_warmed_up_and_asked_again():
    client = OfOneLoop()

    async def notebook() -> rg.Run:
        return rg.collect(QUERIES, client)

    assert rg.collect(QUERIES, client, warm_up=2, concurrency=3).collected.failures == 0
    assert rg.collect(QUERIES, client).collected.failures == 0
    assert asyncio.run(notebook()).collected.failures == 0


def test_a_retriever_that_collects_itself_waits_for_no_loop_but_its_own():
    async def inner(query: str) -> list[str]:
        await asyncio.sleep(0)
        return answer(query)

    async def middle(query: str) -> list[str]:
        return list(rg.collect({"a": query}, inner).to_dict()["a"])

    async def outer(query: str) -> list[str]:
        return list(rg.collect({"a": query}, middle, timeout=5).to_dict()["a"])

    found: list[rg.Run] = []
    thread = threading.Thread(target=lambda: found.append(rg.collect(QUERIES, outer, concurrency=2)), daemon=True)
    thread.start()
    thread.join(20)

    assert found, "it waits for itself"
    assert [next(iter(row)) for row in found[0].to_dict().values()] == [f"d{i}" for i in range(12)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_has_an_event_loop_of_its_own():
    assert rg.collect(QUERIES, OfOneLoop()).collected.failures == 0
    if (child := os.fork()) == 0:
        os._exit(rg.collect(QUERIES, OfOneLoop()).collected.failures)
    for _ in range(500):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert status == 0
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("it waits for a loop that is not there")


def endless(query: str):
    i = 0
    while True:
        yield f"d{i}"
        i += 1


async def endless_stream(query: str):
    for doc in endless(query):
        yield doc


class Endless:
    def __iter__(self):
        return endless("")


@pytest.mark.parametrize("retriever", [endless, endless_stream, lambda query: Endless()])
def test_results_that_never_end_are_cut_at_k(retriever):
    run = rg.collect({"a": "x"}, retriever, 3)

    assert list(run.to_dict()["a"]) == ["d0", "d1", "d2"]
    assert run.collected.odd == {"longer": 1}


# failures that are no exceptions, and errors that cannot be told


class PanicException(BaseException):
    """What a library written in Rust raises, as `pyo3_runtime` has it."""


async def own_task_is_cancelled(query: str) -> list[str]:
    if number(query) == 3:
        task = asyncio.ensure_future(asyncio.sleep(10))
        await asyncio.sleep(0)
        task.cancel()
        await task
    return answer(query)


def own_loop_is_cancelled(query: str) -> list[str]:
    if number(query) == 3:
        raise asyncio.CancelledError
    return answer(query)


def panics(query: str) -> list[str]:
    if number(query) == 3:
        raise PanicException("index out of bounds")
    return answer(query)


@pytest.mark.parametrize("options", [{}, {"concurrency": 3}, {"timeout": 5}], ids=str)
@pytest.mark.parametrize("retriever", [own_task_is_cancelled, own_loop_is_cancelled, panics])
def test_a_failure_that_is_no_exception_is_one_of_its_query(retriever, options):
    c = rg.collect(QUERIES, retriever, **options).collected

    assert [q for q, o in zip(c.query_ids, c.outcomes, strict=True) if o == "error"] == ["q3"]
    assert c.outcomes.count("ok") == 11


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


def half_a_character(query: str) -> list[str]:
    raise FileNotFoundError("no file caf\udce9.idx")


def no_words(query: str) -> list[str]:
    raise Unspeakable


@pytest.mark.parametrize(
    ("retriever", "said"),
    [(half_a_character, r"FileNotFoundError: no file caf\udce9.idx"), (no_words, "Unspeakable")],
)
def test_an_error_that_cannot_be_written_down_is_counted_all_the_same(tmp_path, retriever, said):
    for _ in range(2):  # asked, and read back
        run = rg.collect(QUERIES, retriever, resume=tmp_path / "a.jsonl")
        assert run.collected.errors == (said,) * 12
        run.collected.to_json(tmp_path / "c.json")


def test_an_id_that_cannot_be_written_down_is_a_failure_of_its_query(tmp_path):
    def asks(query: str) -> list[str]:
        return ["\ud800"] if number(query) == 3 else answer(query)

    for retriever in (asks, lambda query: [(x, 1.0) for x in asks(query)]):
        c = rg.collect(QUERIES, retriever).collected
        assert c.outcomes.count("ok") == 11
        assert c.errors[3].startswith("UnicodeEncodeError")


@pytest.mark.parametrize("seconds", [float("inf"), float("nan"), -1.0])
def test_stages_that_are_no_times_are_not_told(tmp_path, seconds):
    def asks(query: str):
        return {"documents": answer(query), "stages": {"search": seconds}}

    for _ in range(2):
        c = rg.collect(QUERIES, asks, resume=tmp_path / "a.jsonl").collected
        assert (c.stages, c.failures) == ({}, 0)


# hanging


def test_threads_of_calls_end_with_the_collection():
    def names() -> list[str]:
        return [t.name for t in threading.enumerate() if t.name.startswith(("rankgauge-call", "rankgauge-collect"))]

    before = len(names())
    rg.collect(QUERIES, answer, timeout=5, concurrency=4)
    rg.collect(QUERIES, answer, timeout=5)
    until = time.perf_counter() + 5
    while len(names()) > before and time.perf_counter() < until:
        time.sleep(0.01)

    assert len(names()) <= before  # one of an earlier test may end meanwhile


def test_no_more_threads_than_queries():
    started = []

    def asks(query: str) -> list[str]:
        started.extend(t.name for t in threading.enumerate() if t.name.startswith("rankgauge-collect"))
        return answer(query)

    rg.collect({"a": "question 1", "b": "question 2"}, asks, concurrency=500)

    assert set(started) <= {"rankgauge-collect-0", "rankgauge-collect-1"}


def test_a_task_that_does_not_let_itself_be_cancelled_is_left_behind():
    async def stubborn(query: str) -> list[str]:
        until = time.perf_counter() + (5 if number(query) == 3 else 0)
        while time.perf_counter() < until:
            try:
                await asyncio.sleep(0.05)
            except asyncio.CancelledError:
                continue
        return answer(query)

    begun = time.perf_counter()
    c = rg.collect(QUERIES, stubborn, timeout=0.4, concurrency=2).collected

    assert time.perf_counter() - begun < 4
    assert c.outcomes.count("timeout") == 1
    assert c.outcomes.count("ok") == 11


def test_a_call_that_took_too_long_and_could_not_be_ended_timed_out():
    async def blocks(query: str) -> list[str]:
        if number(query) == 3:
            time.sleep(0.6)
        return answer(query)

    c = rg.collect(QUERIES, blocks, timeout=0.4).collected

    assert c.outcomes[3] == "timeout"
    assert c.seconds[3] >= 0.6
    assert c.outcomes.count("ok") == 11


# stopping


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, type("Stop", (BaseException,), {})])
@pytest.mark.parametrize("is_later", [False, True])
@pytest.mark.parametrize("options", [{}, {"timeout": 5}, {"concurrency": 3}, {"concurrency": 3, "timeout": 5}], ids=str)
def test_who_stops_the_program_stops_it_and_what_was_answered_is_kept(tmp_path, stop, is_later, options):
    is_over = False

    def asks(query: str) -> list[str]:
        if number(query) == 7 and not is_over:
            time.sleep(0.05)
            raise stop
        return answer(query)

    async def asks_later(query: str) -> list[str]:
        if number(query) == 7 and not is_over:
            await asyncio.sleep(0.05)
            raise stop
        return answer(query)

    asks_later.__name__ = "asks"
    retriever = asks_later if is_later else asks
    with pytest.raises(stop):
        rg.collect(QUERIES, retriever, resume=tmp_path / "a.jsonl", **options)
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    assert len(lines) >= 1 + 5  # two of the seven before it may still have been asked

    is_over = True
    run = rg.collect(QUERIES, retriever, resume=tmp_path / "a.jsonl", **options)
    assert run.collected.outcomes == ("ok",) * 12


@pytest.mark.skipif(os.name != "posix", reason="sends a signal to a thread")
@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals go to the main thread")
def test_an_interrupt_in_a_notebook_writes_nothing_any_more(tmp_path):
    """The descriptor of the file belongs to somebody else afterwards."""

    async def slow(query: str) -> list[str]:
        await asyncio.sleep(0.02)
        return answer(query)

    async def notebook() -> None:
        rg.collect({str(i): f"question {i}" for i in range(500)}, slow, resume=tmp_path / "a.jsonl", concurrency=2)

    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT))
    loop = asyncio.new_event_loop()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        loop.run_until_complete(notebook())
    loop.close()
    written = (tmp_path / "a.jsonl").read_bytes()
    others = [open(tmp_path / f"{i}.txt", "wb") for i in range(5)]  # noqa: SIM115
    time.sleep(0.2)
    for other in others:
        other.close()

    assert (tmp_path / "a.jsonl").read_bytes() == written
    assert all((tmp_path / f"{i}.txt").stat().st_size == 0 for i in range(5))


def test_a_loop_that_is_blocked_for_good_is_in_nobodys_way(monkeypatch):
    monkeypatch.setattr("rankgauge.collection.event_loop._PATIENCE", 0.1)
    free = threading.Event()

    async def blocks(query: str) -> list[str]:
        if number(query) == 1:
            free.wait(20)
        return answer(query)

    class Full(Exception):
        pass

    def stops(answer: object) -> None:
        raise Full  # as a full disk would, while the next query blocks the loop

    monkeypatch.setattr("rankgauge.collection.collecting._nothing", stops)
    with pytest.raises(Full):
        rg.collect(QUERIES, blocks, concurrency=2)
    monkeypatch.undo()
    assert rg.collect(QUERIES, OfOneLoop()).collected.failures == 0
    free.set()


# many


def hostile(query: str):
    """Every third fails, every fifth is odd in its own way, every seventh comes twice."""
    i = number(query)
    if i % 3 == 2:
        raise ConnectionError("no route")
    if i % 5 == 4:
        odd = [None, [("a", 0.1), ("b", 0.9)], [("a", float("nan"))], iter(["a", "b"]), [["a", "b"]], "a", 7, [None]]
        return odd[i // 5 % len(odd)]
    return ["a", "b", "a"] if i % 7 == 6 else ["a", f"d{i}"]


async def hostile_later(query: str):
    await asyncio.sleep(0)
    return hostile(query)


@pytest.mark.parametrize("retriever", [hostile, hostile_later])
def test_ten_thousand_hostile_answers_at_32_at_a_time_are_those_of_one_after_the_other(retriever, tmp_path):
    many = {str(i): f"question {i}" for i in range(10_000)}
    run = rg.collect(many, retriever, concurrency=32, resume=tmp_path / "a.jsonl")
    outcomes: Counter[str] = Counter()
    lists = {}
    for q, text in many.items():
        i = number(text)
        kind = i // 5 % 8
        if i % 3 == 2 or (i % 5 == 4 and kind in (5, 6)):
            outcome, found = "error", []
        elif i % 5 == 4:
            found = [[], ["a", "b"], ["a"], ["a", "b"], ["a", "b"], [], [], ["(no id 1)"]][kind]
            outcome = "ok" if found else "empty"
        else:
            outcome, found = "ok", ["a", "b"] if i % 7 == 6 else ["a", f"d{i}"]
        outcomes[outcome] += 1
        lists[q] = found

    assert Counter(run.collected.outcomes) == outcomes
    assert {q: list(row) for q, row in run.to_dict().items()} == lists
    assert run.query_ids == list(many)
    repeated = sum(i % 7 == 6 for i in range(10_000) if i % 3 != 2 and i % 5 != 4)
    assert run.collected.repeated == repeated
    again = rg.collect(many, retriever, concurrency=32, resume=tmp_path / "a.jsonl")
    assert again.collected.seconds == run.collected.seconds
    assert again.to_dict() == run.to_dict()


# killed and taken up


ASKED = """
import asyncio, sys, time
import rankgauge as rg

def asked(query):
    i = int(query.split()[1])
    if i % 3 == 2:
        raise ConnectionError("no route")
    return [None, ["a", "b", "a"], [("a", 0.1), ("b", 0.9)], [("a", float("nan"))]][i % 4]

def now(query):
    time.sleep(0.002)
    return asked(query)

async def later(query):
    await asyncio.sleep(0.002)
    return asked(query)

queries = {str(i): f"question {i} \\u4f60\\u597d" for i in range(300)}
retriever = {"now": now, "later": later}[sys.argv[1]]
options = eval(sys.argv[3])
run = rg.collect(queries, retriever, resume=sys.argv[2], **options)
c = run.collected
print(repr((run.to_dict(), c.outcomes, c.errors, c.attempts, c.odd, c.repeated, c.results,
            [n for n in run.notes if "read from the file" not in n])))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills processes")
@pytest.mark.parametrize("kind", ["now", "later"])
@pytest.mark.parametrize("options", [{}, {"concurrency": 8}, {"concurrency": 8, "timeout": 5}], ids=str)
def test_killed_at_any_moment_and_taken_up_it_is_the_same_as_one(tmp_path: Path, kind, options):
    script, file, whole = tmp_path / "ask.py", tmp_path / "a.jsonl", tmp_path / "whole.jsonl"
    script.write_text(ASKED)

    def command(journal: Path) -> list[str]:
        return [sys.executable, str(script), kind, str(journal), repr(options)]

    rng = random.Random(f"{kind} {options}")
    expected = subprocess.run(command(whole), check=True, capture_output=True, text=True).stdout
    kills, kept = 0, b""
    while kills < 4:
        process = subprocess.Popen(command(file), stdout=subprocess.DEVNULL)
        lines = file.read_bytes().count(b"\n") if file.exists() else 0
        some = lines + rng.randrange(1, 60)
        while process.poll() is None and (not file.exists() or file.read_bytes().count(b"\n") < some):
            time.sleep(0.001)
        process.kill()
        process.wait()
        kills += 1
        content = file.read_bytes()
        assert content.startswith(kept)  # what was written stays as it is, times and all
        kept = content[: content.rfind(b"\n") + 1]
        if rng.random() < 0.5:  # a line that was being written
            file.write_bytes(kept + b'{"id":"17","query":"question 17","sta')
    found = subprocess.run(command(file), check=True, capture_output=True, text=True).stdout

    assert found == expected
    asked = [json.loads(line) for line in file.read_text().splitlines()]
    assert Counter(x["id"] for x in asked if "outcome" in x) == dict.fromkeys(map(str, range(300)), 1)


def test_two_cannot_write_to_one_file(tmp_path):
    file = tmp_path / "a.jsonl"
    script = tmp_path / "other.py"
    script.write_text(
        "import sys\nimport rankgauge as rg\nimport rankgauge.errors\n"
        "def asks(query): return ['a']\n"
        "asks.__module__, asks.__qualname__ = sys.argv[2:]\n"
        "try: rg.collect(['x'], asks, resume=sys.argv[1])\n"
        "except rg.errors.RankgaugeError as e: print(e)\n"
    )
    said: list[str] = []

    def asks(query: str) -> list[str]:
        if not said:
            command = [sys.executable, str(script), str(file), asks.__module__, asks.__qualname__]
            said.append(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        return answer(query)

    run = rg.collect(QUERIES, asks, resume=file)

    assert "somebody else is writing to it" in said[0]
    assert run.collected.outcomes == ("ok",) * 12
    assert len(file.read_text().splitlines()) == 13


def test_a_file_that_grew_since_it_was_read_is_not_cut(tmp_path):
    from rankgauge.collection.journal import Journal

    file = tmp_path / "a.jsonl"
    journal = Journal(file, "asks", 20, None, 0.0)
    file.write_text("what another process wrote in the meantime\n")
    with pytest.raises(InputError) as e, journal.writing():
        pass
    assert "somebody else is writing to it" in e.value.text
    assert "另有程序正在写入" in zh(e.value.text)
    refuse_english(zh(e.value.text))
    assert file.read_text() == "what another process wrote in the meantime\n"


# times


def test_throughput_counts_pauses_between_attempts():
    def fails(query: str) -> list[str]:
        raise ConnectionError

    begun = time.perf_counter()
    c = rg.collect({"a": "x"}, fails, retries=1).collected
    wall = time.perf_counter() - begun

    assert 0.1 <= c.elapsed <= wall
    assert c.seconds[0] < 0.1
    assert c.throughput == 1 / c.elapsed
