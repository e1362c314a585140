"""Writers that are killed, and writers at the same time: nothing lost, nothing half, and nobody hears of a lock."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from history.test_history import evaluated

HERE = Path(__file__).parent

WRITER = """
import sys
sys.path[:0] = [{here!r}]
import rankgauge as rg
from rankgauge.history.surroundings import surroundings
place, name, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
queries = [f"q{{i:02}}" for i in range(40)]
qrels = {{q: {{"a": 2, "b": 1}} for q in queries}}
evs = [rg.evaluate(qrels, {{q: ["x", "a", "b"] if i < late else ["a", "b", "x"] for i, q in enumerate(queries)}},
       ["nDCG@10", "RR"]) for late in range(5)]
print("ready", flush=True)
h = rg.History(place)
for i in range(n):
    entry = h.add(evs[i % 5], system=name, version=str(i), at=f"2026-01-01T00:00:{{i // 1000:02}}.{{i % 1000:03}}000")
    print(entry.id, flush=True)
"""


def writer(place: str, name: str, n: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER.format(here=str(HERE)), place, name, str(n)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd="/",  # no git there
        env={**os.environ, "GITHUB_SHA": "none"},
    )


def killed(place: str, name: str, evs: list[Any], rng: random.Random) -> list[str]:
    """The ids that a writer was told before it was killed, at some moment after the first."""
    told, tell = os.pipe()
    child = os.fork()  # a process that has loaded everything already
    if child == 0:  # pragma: no cover - it never ends by itself
        os.close(told)
        try:
            h = rg.History(place)
            for i in range(100_000):
                at = f"2026-01-01T00:00:{i // 1000:02}.{i % 1000:03}000"
                entry = h.add(evs[i % len(evs)], system=name, version=str(i % len(evs)), at=at, lists=False)
                os.write(tell, f"{entry.id}\n".encode())
        finally:
            os._exit(1)
    os.close(tell)
    with os.fdopen(told) as lines:
        first = lines.readline()
        time.sleep(rng.uniform(0, 0.1))
        os.kill(child, signal.SIGKILL)
        found = [first, *lines]
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    return [line.strip() for line in found if line.endswith("\n")]


def survives(place: str, rounds: int) -> None:
    rng = random.Random(5)
    evs = [evaluated(late) for late in range(5)]
    assert all(ev.fingerprint for ev in evs)  # which reads judgements, and a child may not use Polars
    told: set[str] = set()
    for i in range(rounds):
        told |= set(killed(place, f"w{i}", evs, rng))
        with rg.History(place) as h:
            there = {row[0] for row in h._db.rows("SELECT id FROM entry")}
            assert told <= there, "what a writer was told is there"
    with rg.History(place) as h:
        assert len(h) >= len(told) >= rounds
        assert h.verify() == []
        for e in h.entries(newest_first=True, limit=20):
            assert e.record.to_dict() == evs[int(e.version)].to_dict()


@pytest.mark.slow
def test_killed_writers_lose_nothing_that_they_were_told(place: str):
    survives(place, 5)


@pytest.mark.long("writers that are killed in the middle of writes, 200 rounds")
def test_killed_writers_200_rounds(place: str):
    survives(place, 200)


@pytest.mark.slow
@pytest.mark.parametrize("is_new", [True, False], ids=["a new store", "one that is there"])
def test_eight_writers_at_the_same_time(is_new: bool, place: str):
    if not is_new:
        rg.History(place).close()
    n = 15

    writers = [writer(place, f"w{i}", n) for i in range(8)]
    said = [w.communicate(timeout=300) for w in writers]  # which closes their pipes

    assert [(w.returncode, err) for w, (_, err) in zip(writers, said, strict=True)] == [(0, "")] * 8
    told = [line for out, _ in said for line in out.split() if line != "ready"]
    with rg.History(place) as h:
        assert {e.id for e in h} == set(told)
        assert len(h) == len(told) == 8 * n
        assert h.verify() == []


def test_the_same_record_written_by_many_at_once_is_one_entry(history: rg.History):
    ev = evaluated(1)
    found: list[Any] = []
    threads = [
        threading.Thread(target=lambda: found.append(history.add(ev, at="2026-11-01", lists=False).id))
        for _ in range(6)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()

    assert len(set(found)) == 1
    assert len(found) == 6
    assert len(history) == 1


def test_who_reads_does_not_wait_for_who_writes(place: str):
    with rg.History(place) as h:
        entry = h.add(evaluated())
        with h._db.writing() as w:
            w.execute("DELETE FROM entry")
            found: list[Any] = []
            t = threading.Thread(target=lambda: found.append(rg.History(place)[entry.id].id))
            t.start()
            t.join(10)
            assert found == [entry.id]
            w.execute("INSERT INTO rankgauge_schema (version, at) VALUES (0, '')")


def test_a_forked_child_has_a_connection_of_its_own(place: str):
    with rg.History(place) as h:
        h.add(evaluated(), at="2026-11-01")
        other = evaluated(3)
        assert other.fingerprint  # which reads judgements, and a child may not use Polars
        child = os.fork()
        if child == 0:  # pragma: no cover - another process
            code = 1
            try:
                h.add(other, at="2026-11-02", lists=False)
                code = 0
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

        assert len(h) == 2
        assert h.verify() == []
