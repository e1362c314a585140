"""Two workers and a watchdog: a worker that dies or hangs is named as the failure of its case, and replaced."""

from __future__ import annotations

import json
import os
import queue
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .worker import WAITING

__all__ = ["Pool"]

GRACE = 30  # seconds beyond a worker's own limit, and for its start, on a busy machine
HERE = Path(__file__).resolve().parents[1]


class Worker:
    """A process that runs cases, one after the other."""

    def __init__(self, **environment: str) -> None:
        self.log = Path(tempfile.mkstemp(prefix="fuzz-", suffix=".log")[1])
        paths = os.pathsep.join(filter(None, [str(HERE), str(HERE.parent), os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fuzzer.worker", str(self.log)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths, **environment},
            text=True,
        )
        assert self.process.stdout is not None
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError(f"a worker did not start: {self._end()}")

    def run(self, number: int, fault: str = "") -> dict[str, Any]:
        """The report of a case, or how the process ended over it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        answer = ""
        try:
            print(number, fault, file=self.process.stdin, flush=True)
            ready, _, _ = select.select([self.process.stdout], [], [], WAITING + GRACE)
            answer = self.process.stdout.readline() if ready else ""
        except BrokenPipeError:
            pass
        if answer:
            found: dict[str, Any] = json.loads(answer)
            return found
        return {"case": number, "failure": self._end()}

    def _end(self) -> str:
        try:
            code = self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        told = self.log.read_text(errors="replace")[-3000:]
        is_late = code == -signal.SIGPROF or "Timeout (" in told
        how = "took too long" if is_late else f"the process ended with {code}"
        return f"{how}: {told}"

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        """Ends the process."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.log.unlink(missing_ok=True)


class Pool:
    """Runs cases on some workers at once."""

    def __init__(self, workers: int = 2, **environment: str) -> None:
        self._environment = environment
        self._workers = [Worker(**environment) for _ in range(workers)]

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._workers:
            worker.close()

    def run(self, numbers: Iterable[int], fault: str = "") -> Iterator[dict[str, Any]]:
        """Reports as they come; with a planted fault, to see that it is found."""
        cases: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        reports: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        for number in numbers:
            cases.put(number)
        for _ in self._workers:
            cases.put(None)

        def work(i: int) -> None:
            while (number := cases.get()) is not None:
                if not self._workers[i].is_alive:
                    self._workers[i].close()
                    self._workers[i] = Worker(**self._environment)
                reports.put(_named(self._workers[i].run(number, fault)))
            reports.put(None)

        threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(len(self._workers))]
        for thread in threads:
            thread.start()
        left = len(threads)
        while left:
            report = reports.get()
            if report is None:
                left -= 1
            else:
                yield report
        for thread in threads:
            thread.join()


def _named(report: dict[str, Any]) -> dict[str, Any]:
    """A worker that died could not say what it was doing."""
    if "seed" in report:
        return report
    from .cases import draw

    case, _ = draw(report["case"])
    return {**report, "seed": case.seed.name, "mutation": f"{case.slot}:{case.mutation}", "meaning": ""}
