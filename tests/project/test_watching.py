"""`rankgauge watch`: a loop with a clock that is ours here."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from small_project import PROJECT

from command_line import rankgauge
from rankgauge.project.schedule import schedule_of
from rankgauge.project.watching import WallClock, watch

Write = Callable[[str], Path]


class FakeClock:
    """Time passes where somebody waits, and nowhere else. The clock on the wall is two hours ahead of UTC."""

    def __init__(self, begin: str, until: str = "2027-01-01") -> None:
        self.moment = datetime.fromisoformat(begin).replace(tzinfo=UTC)
        self.until = datetime.fromisoformat(until).replace(tzinfo=UTC)
        self.longest = 0.0
        self.ahead = timedelta(hours=2)

    def now(self) -> datetime:
        return self.moment

    def local(self) -> datetime:
        return self.moment.replace(tzinfo=None) + self.ahead

    def wait(self, seconds: float) -> bool:
        self.moment += timedelta(seconds=seconds)
        self.longest = max(self.longest, seconds)
        return self.moment >= self.until


def looped(every: str, clock: FakeClock, takes: float = 0.0, failing: tuple[int, ...] = (), times: int | None = None):
    """When it ran, and what was told of it."""
    ran: list[str] = []
    said: list[str] = []

    def run(at: datetime) -> Any:
        ran.append(f"{at:%d %H:%M}")
        clock.moment += timedelta(seconds=takes)
        if len(ran) in failing:
            raise OSError("no disk")
        return "run"

    watch(
        run,
        schedule_of(every),
        clock,
        done=lambda at, found: said.append(found),
        failed=lambda at, error: said.append(str(error)),
        times=times,
    )
    return ran, said


def test_every_so_often_begins_at_once() -> None:
    assert looped("6h", FakeClock("2026-11-18T10:00"), times=3)[0] == ["18 10:00", "18 16:00", "18 22:00"]


def test_a_time_of_the_day_is_that_of_the_clock_on_the_wall() -> None:
    assert looped("06:00", FakeClock("2026-11-18T10:00"), times=2)[0] == ["19 04:00", "20 04:00"]


def test_the_hour_that_the_clock_on_the_wall_jumps_is_noticed() -> None:
    clock = FakeClock("2026-11-18T03:00")
    wait = clock.wait

    def jumping(seconds: float) -> bool:
        if clock.moment >= datetime(2026, 11, 18, 12, tzinfo=UTC):
            clock.ahead = timedelta(hours=1)
        return wait(seconds)

    clock.wait = jumping  # type: ignore[method-assign]
    assert looped("06:00", clock, times=2)[0] == ["18 04:00", "19 05:00"]


def test_what_takes_longer_than_the_time_between_is_followed_by_one_run() -> None:
    ran, _ = looped("1h", FakeClock("2026-11-18T00:00"), takes=2.5 * 3600, times=3)

    assert ran == ["18 00:00", "18 02:30", "18 05:00"]


def test_a_run_that_fails_is_told_and_the_next_one_comes() -> None:
    ran, said = looped("1d", FakeClock("2026-11-18T00:00"), failing=(2,), times=3)

    assert ran == ["18 00:00", "19 00:00", "20 00:00"]
    assert said == ["run", "no disk", "run"]


def test_it_ends_where_it_is_told_to_stop() -> None:
    ran, _ = looped("1d", FakeClock("2026-11-18T00:00", until="2026-11-20T12:00"))

    assert ran == ["18 00:00", "19 00:00", "20 00:00"]


def test_one_that_is_stopped_before_it_begins_does_not_run() -> None:
    assert looped("1d", FakeClock("2026-11-18T00:00", until="2026-11-18T00:00"))[0] == []
    assert looped("06:00", FakeClock("2026-11-18T00:00", until="2026-11-18T01:00"))[0] == []


def test_the_clock_is_looked_at_every_minute() -> None:
    clock = FakeClock("2026-11-18T00:00")
    looped("1w", clock, times=2)

    assert clock.longest == 60


def test_the_clock_of_the_computer_waits_and_stops() -> None:
    clock = WallClock()

    assert clock.wait(0) is False
    clock.stop()
    assert clock.wait(60) is True
    assert abs((clock.now() - datetime.now(UTC)).total_seconds()) < 5


def test_the_command_prints_a_line_per_run_and_reads_the_file_anew(written: Write, folder: Path) -> None:
    project = written('schedule = "1s"\n' + PROJECT)

    done = rankgauge("watch", project, "--times", "2", cwd=folder)

    assert [line[20:] for line in done.stdout.splitlines()] == ["FINE: shop, 1 evaluation: 1 fine"] * 2


def test_what_could_not_be_measured_is_said_for_those_who_see_standard_error_only(written: Write, folder: Path) -> None:
    project = written('schedule = "1s"\n' + PROJECT.replace("qrels.txt", "lost.txt"))

    done = rankgauge("watch", project, "--times", "1", cwd=folder, code=2)

    assert done.stdout[20:].startswith("BROKEN: shop")
    assert "lost.txt" in done.stderr


def test_the_command_survives_a_file_that_is_broken_for_a_while(written: Write, folder: Path) -> None:
    written("project = 3\n")

    done = rankgauge("watch", "rankgauge.toml", "--every", "1s", "--times", "1", cwd=folder, code=2)

    assert "the run failed: project file 'rankgauge.toml': `project` must be a text, got 3." in done.stderr


def test_the_command_needs_a_schedule(written: Write, folder: Path) -> None:
    written(PROJECT)

    done = rankgauge("watch", cwd=folder, code=2)
    said = rankgauge("watch", cwd=folder, code=2, language="zh")

    assert 'watch needs a schedule: --every 1d, or schedule = "1d" in the file.' in done.stderr
    assert 'watch 需要计划：--every 1d，或在文件中写 schedule = "1d"。' in said.stderr


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(written: Write, folder: Path, number: signal.Signals) -> None:
    written(PROJECT)
    words = [sys.executable, "-m", "rankgauge", "watch", "--every", "1h"]
    running = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ.copy())
    try:
        assert running.stdout is not None
        assert b"FINE" in running.stdout.readline()
        time.sleep(0.2)
        running.send_signal(number)
        out, err = running.communicate(timeout=20)
    finally:
        running.kill()
    assert (running.returncode, out, err) == (0, b"", b"")
