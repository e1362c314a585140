"""`rankgauge watch`: a project file, run on a schedule in one process."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._text import Text, composed
from rankgauge.cli.languages import language_option
from rankgauge.cli.options import Input, examples
from rankgauge.cli.style import click
from rankgauge.cli.terminal import out, say
from rankgauge.errors import ParameterError, RankgaugeError

if TYPE_CHECKING:
    from rankgauge.project.watching import WallClock

__all__ = ["command"]


@click.command(
    "watch",
    zh="在一个进程里按计划反复运行项目文件，直到 SIGTERM 或 Ctrl-C：没有 cron 的地方用它。\n\nFILE 是项目文件，默认 "
    "rankgauge.toml，每次运行都重新读取。某次运行失败会打印原因，下一次照常进行。每次运行打印一行。",
    epilog=examples(
        "rankgauge watch --every 1d",
        "rankgauge watch shop/rankgauge.toml --every 06:00",
        "rankgauge watch --every 30m --times 3",
    ),
)
@click.argument("file", type=Input(), default=Path("rankgauge.toml"), required=False)
@click.option(
    "--every",
    default=None,
    metavar="TIME",
    help=Text(
        "How long between two runs (30m, 6h, 1d, 1w), or a time of the day by the clock on the wall (06:00). "
        "[default: `schedule` of the file]",
        "两次运行的间隔（30m、6h、1d、1w），或本地时间的某个时刻（06:00）。[默认：文件中的 `schedule`]",
    ),
)
@click.option(
    "--times",
    type=click.IntRange(1),
    default=None,
    help=Text("End after so many runs.", "运行这么多次后结束。"),
)
@click.option(
    "--store",
    default=None,
    metavar="FILE|URL",
    help=Text(
        "Where evaluations are kept, in place of what the file says.",
        "评测存在哪里（代替文件中的设置）。",
    ),
)
@click.option(
    "--quiet-channels",
    is_flag=True,
    help=Text("Send no messages to the channels of the file.", "不向文件中的渠道发送消息。"),
)
@language_option(expose_value=False)
def command(file: Path, every: str | None, times: int | None, store: str | None, quiet_channels: bool) -> int:
    """Run a project file on a schedule in one process, until SIGTERM or Ctrl-C: for those without cron.

    FILE is the project file, rankgauge.toml unless said; it is read anew for each run. A run that fails says why, and
    the next one comes all the same. Each run prints a line. With --times the exit code is that of the last run.
    """
    from rankgauge.project.file import read_project
    from rankgauge.project.running import run_project
    from rankgauge.project.schedule import schedule_of
    from rankgauge.project.watching import WallClock, watch

    said = every if every is not None else read_project(file).tables.schedule
    if said is None:
        raise ParameterError(
            Text(
                'watch needs a schedule: --every 1d, or schedule = "1d" in the file.',
                'watch 需要计划：--every 1d，或在文件中写 schedule = "1d"。',
            )
        )
    schedule, clock = schedule_of(said), WallClock()
    last = 0

    def done(at: datetime, run: Any) -> None:
        nonlocal last
        last = run.exit_code
        out(composed("{} {}\n", "{} {}\n", f"{at:%Y-%m-%d %H:%M:%S}", run.decision))
        sys.stdout.flush()
        if run.exit_code == 2:
            say(composed("Error: {}", "错误：{}", run.fault))

    def failed(at: datetime, error: Exception) -> None:
        nonlocal last
        last = 2 if isinstance(error, (RankgaugeError, OSError)) else 70
        why = error.text if isinstance(error, RankgaugeError) else f"{type(error).__name__}: {error}"
        say(composed("{} the run failed: {}", "{} 运行失败：{}", f"{at:%Y-%m-%d %H:%M:%S}", why))

    gc.enable()  # a process that lives for weeks is no command that lives for a second
    with _signals(clock):
        watch(
            lambda at: run_project(file, store=store, at=at, progress=False, deliver=not quiet_channels),
            schedule,
            clock,
            done=done,
            failed=failed,
            times=times,
        )
    return last if times is not None and not clock.is_stopped else 0


@contextmanager
def _signals(clock: WallClock) -> Iterator[None]:
    """SIGTERM and Ctrl-C end the wait, or let the run that is under way be the last; asked twice, at once."""
    if threading.current_thread() is not threading.main_thread():  # only that one may handle signals
        yield
        return

    def stop(number: int, frame: Any) -> None:
        if clock.is_stopped:
            raise KeyboardInterrupt
        clock.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
