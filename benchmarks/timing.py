"""Time calls in other interpreters and whole commands, taking turns.

All contestants of a case run one after the other, round after round, so that each sees the same state of the
machine; the best round of each counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

WORKERS = Path(__file__).parent / "workers"


@dataclass(frozen=True)
class Sample:
    """One round of one contestant."""

    seconds: float
    output: str = ""
    means: Mapping[str, float] | None = None
    cpu: float = 0.0
    peak: int = 0  # bytes


def take_turns(contestants: Mapping[str, Callable[[], Sample]], rounds: int) -> dict[str, list[Sample]]:
    samples: dict[str, list[Sample]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, once in contestants.items():
            samples[name].append(once())
    return samples


def best(samples: list[Sample]) -> Sample:
    return min(samples, key=lambda s: s.seconds)


def command(*arguments: str | Path) -> Sample:
    """Run a command to its end: wall time with the start of the process, CPU time, peak memory, output."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        process = subprocess.Popen([str(a) for a in arguments], stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode:
            raise SystemExit(f"{' '.join(map(str, arguments))} ended with {process.returncode}:\n{err.read()}")
        return Sample(seconds, out.read(), cpu=usage.ru_utime + usage.ru_stime, peak=usage.ru_maxrss * 1024)


class Worker:
    """A tool in an interpreter of its own that has loaded a set and repeats one call on request."""

    def __init__(self, interpreter: Path, script: str, *arguments: str | Path) -> None:
        self.name = script
        self.process = subprocess.Popen(
            [interpreter, WORKERS / f"{script}.py", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self) -> Sample:
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        fields = json.loads(self._answer())
        return Sample(fields["seconds"], means=fields["means"], peak=fields["peak"])

    def _answer(self) -> str:
        assert self.process.stdout is not None
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"worker {self.name} ended with {self.process.wait()}; see its message above.")
        return answer

    def __enter__(self) -> Worker:
        """Wait until it has loaded and warmed up: no one is timed while another one compiles."""
        self._answer()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
