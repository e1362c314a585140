"""Work that takes longer than a page may, in processes of their own: watched, ended when nobody wants it any more.

A job has a folder that nobody else can guess: what was uploaded, what it said on the way, what came out. Files are
never named by those who send them.
"""

from __future__ import annotations

import json
import multiprocessing
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rankgauge._output import writing
from rankgauge._text import LANGUAGES, Text, in_language
from rankgauge.errors import ParameterError, UnknownName

__all__ = ["Job", "Jobs", "Progress", "in_all"]

_AT_A_TIME = 2
_KEPT = 20
"""Finished jobs whose results can still be seen."""
_SECONDS = 600
_LATE = Text(f"It was ended after {_SECONDS // 60} minutes.", f"运行超过 {_SECONDS // 60} 分钟，已被终止。")


@dataclass
class Job:
    """One piece of work."""

    id: str
    folder: Path
    about: str
    process: Any = None
    started: float = field(default_factory=time.monotonic)
    begun: datetime = field(default_factory=lambda: datetime.now(UTC))
    is_cancelled: bool = False
    is_late: bool = False
    is_reserved: bool = False
    """Its files are on their way."""

    @property
    def steps(self) -> list[dict[str, Any]]:
        """What it said on the way."""
        try:
            found: list[dict[str, Any]] = json.loads((self.folder / "steps.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            found = []
        return [*found, {**in_all(_LATE), "failed": True}] if self.is_late else found

    @property
    def state(self) -> str:
        """running, done, failed or cancelled."""
        if self.is_cancelled:
            return "cancelled"
        if (self.folder / "result.json").exists():
            return "done"
        if self.is_reserved or (self.process is not None and self.process.is_alive()):
            return "running"
        return "done" if (self.folder / "result.json").exists() else "failed"

    def result(self) -> Any:
        """What came out."""
        return json.loads((self.folder / "result.json").read_text(encoding="utf-8"))

    def end_late(self) -> None:
        """Ends it where it takes too long."""
        if self.state == "running":
            self.is_late = True
            self.end()

    def end(self) -> None:
        """Ends the process, at once."""
        if self.process is not None and self.process.is_alive():
            self.process.terminate()
            self.process.join(2)
            if self.process.is_alive():
                self.process.kill()


class Progress:
    """What a job writes: where it is, and what came out."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._steps: list[Mapping[str, Any]] = []

    def say(self, text: Text) -> None:
        """The step that begins now."""
        self._next(in_all(text))

    def fail(self, text: str) -> None:
        """Why it ends without a result."""
        self._next({**in_all(text), "failed": True})

    def _next(self, step: Mapping[str, Any]) -> None:
        self._steps.append(step)
        _write(self.folder / "steps.json", self._steps)

    def finish(self, result: Any) -> None:
        """What came out, complete at once."""
        _write(self.folder / "result.json", result)


def in_all(text: str) -> dict[str, str]:
    """A text by language, as it is stored.

    >>> in_all(Text("good", "良"))
    {'en': 'good', 'zh': '良'}
    """
    return {language: in_language(text, language) for language in LANGUAGES}


def _write(path: Path, data: Any) -> None:
    with writing(path) as file:
        file.write(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))


class Jobs:
    """All jobs of a server: so many at a time, the oldest forgotten."""

    def __init__(self) -> None:
        self._room: Path | None = None
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    @contextmanager
    def reserved(self) -> Iterator[Job]:
        """A place among those that run, with a new folder; free again where nothing is started in it."""
        job = self._reserve()
        try:
            yield job
        except BaseException:
            with self._lock:
                self._jobs.pop(job.id, None)
            shutil.rmtree(job.folder, ignore_errors=True)
            raise

    def _reserve(self) -> Job:
        with self._lock:
            if self._room is None:
                self._room = Path(tempfile.mkdtemp(prefix="rankgauge-ui-"))
            self._forget()
            if sum(job.state == "running" for job in self._jobs.values()) >= _AT_A_TIME:
                raise ParameterError(
                    Text(
                        f"{_AT_A_TIME} evaluations are running already. Try again when one is done.",
                        f"已有 {_AT_A_TIME} 个评测正在运行。请等其中一个完成后再试。",
                    )
                )
            key = secrets.token_urlsafe(12)
            made = self._room / key
            made.mkdir()
            job = self._jobs[key] = Job(key, made, "", is_reserved=True)
            return job

    def start(self, job: Job, about: str, work: Callable[..., None], *args: Any) -> None:
        """Runs `work(folder, *args)` in a process of its own, in a place that was reserved."""
        process = multiprocessing.get_context("spawn").Process(target=work, args=(job.folder, *args), daemon=True)
        process.start()
        job.about, job.process, job.is_reserved = about, process, False
        watch = threading.Timer(_SECONDS, job.end_late)
        watch.daemon = True
        watch.start()

    def __getitem__(self, key: str) -> Job:
        with self._lock:
            found = self._jobs.get(key)
        if found is None:
            raise UnknownName(
                Text(
                    "there is no such evaluation any more: only the latest are kept. Upload the files again.",
                    "没有这次评测了：只保留最近的几次。请重新上传文件。",
                )
            )
        return found

    def cancel(self, key: str) -> Job:
        """Ends it; its files go."""
        job = self[key]
        if job.state == "running":
            job.is_cancelled = True
            job.end()
            shutil.rmtree(job.folder, ignore_errors=True)
        return job

    def _forget(self) -> None:
        done = [job for job in self._jobs.values() if job.state != "running"]
        for job in done[: max(0, len(done) - _KEPT)]:
            del self._jobs[job.id]
            shutil.rmtree(job.folder, ignore_errors=True)

    def close(self) -> None:
        """Ends everything that runs, and leaves nothing behind."""
        with self._lock:
            for job in self._jobs.values():
                job.end()
            self._jobs.clear()
            if self._room is not None:
                with suppress(OSError):
                    shutil.rmtree(self._room)
                self._room = None
