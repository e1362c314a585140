"""The dashboard over a large history: server time of its pages, readers beside a writer, memory over many requests."""

from __future__ import annotations

import http.client
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import quote

import rankgauge as rg

__all__ = ["Asked", "flat_memory", "page_times", "readers_beside_a_writer", "running"]

TOKEN = "a-token-for-benchmarks-only"


class Asked:
    """A dashboard in a process of its own, asked over one connection."""

    def __init__(self, port: int, process: subprocess.Popen[bytes]) -> None:
        self.port, self.process = port, process
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def get(self, path: str) -> float:
        """Milliseconds until the whole answer is there."""
        begun = time.perf_counter()
        self.connection.request("GET", path, headers={"authorization": f"Bearer {TOKEN}"})
        answer = self.connection.getresponse()
        answer.read()
        assert answer.status == 200, (path, answer.status)
        return 1000 * (time.perf_counter() - begun)

    @property
    def memory(self) -> float:
        """Megabytes that are resident."""
        told = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(told.split("VmRSS:")[1].split()[0]) / 1000


@contextmanager
def running(store: Path) -> Iterator[Asked]:
    """`rankgauge ui` on a free port."""
    words = [sys.executable, "-m", "rankgauge", "ui", str(store), "--port", "0", "--token", TOKEN]
    process = subprocess.Popen(words, stderr=subprocess.PIPE)
    try:
        assert process.stderr is not None
        said = process.stderr.readline().decode()
        port = int(said.rsplit(":", 1)[1].split("/")[0])
        threading.Thread(target=process.stderr.read, daemon=True).start()
        asked = Asked(port, process)
        for _ in range(100):
            try:
                asked.get("/health")
                break
            except OSError:
                time.sleep(0.1)
        yield asked
    finally:
        process.terminate()
        process.wait(20)


def page_times(asked: Asked, project: str, system: str, entry: str, query: str, measure: str) -> dict[str, float]:
    """Medians of ten, after the first."""
    about = f"project={quote(project)}&system={quote(system)}&measure={quote(measure)}"
    pages = {
        "overview": "/",
        "trend": f"/trend?{about}",
        "query": f"/query?query={quote(query)}&entry={entry}&measure={quote(measure)}",
    }
    out = {}
    for name, path in pages.items():
        asked.get(path)
        out[name] = median(asked.get(path) for _ in range(10))
    return out


def readers_beside_a_writer(asked: Asked, history: rg.History, ev: rg.Evaluation, readers: int = 50) -> tuple[int, int]:
    """How many pages so many readers got in ten seconds while one wrote, and how many failed."""
    end = time.monotonic() + 10
    done, failed = [], []

    def read() -> None:
        mine = Asked(asked.port, asked.process)
        while time.monotonic() < end:
            try:
                done.append(mine.get("/"))
            except (OSError, AssertionError, http.client.HTTPException) as e:
                failed.append(e)
                mine = Asked(asked.port, asked.process)

    threads = [threading.Thread(target=read) for _ in range(readers)]
    for thread in threads:
        thread.start()
    while time.monotonic() < end:
        history.add(ev, project="written", system="s")
        time.sleep(0.2)
    for thread in threads:
        thread.join()
    return len(done), len(failed)


def flat_memory(asked: Asked, path: str, requests: int = 10_000) -> tuple[float, float]:
    """Megabytes after a tenth of the requests, and after all."""
    for _ in range(requests // 10):
        asked.get(path)
    first = asked.memory
    for _ in range(requests - requests // 10):
        asked.get(path)
    return first, asked.memory
