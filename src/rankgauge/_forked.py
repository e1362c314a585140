"""Is this process the fork of one whose threads are gone?

Polars computes with threads that it starts once. A forked process has only the thread that forked: whatever it asks
of Polars waits for ever. Judgements and rankings in dicts, and clean TREC files, need no Polars and work in such a
process; everything else has to be refused at once.
"""

from __future__ import annotations

import os
import sys

from rankgauge._text import Text, zh
from rankgauge.errors import RankgaugeError

__all__ = ["refuse_fork"]

_TASKS = "/proc/self/task"
_NAMES = ("polars-", "async-executor")  # of the threads of Polars, as the system knows them
_forking: list[bool] = [False]  # whether the process that is about to fork has such threads
_orphaned: list[bool] = [False]


def refuse_fork(what: str) -> None:
    """Raises an error where Polars would wait for threads that are not there."""
    if _orphaned[0]:
        raise RankgaugeError(
            Text(
                f"{what} needs the threads of Polars, and this process was forked from one that had them: it would "
                "wait for ever. Start processes with spawn: multiprocessing.get_context('spawn'), joblib with "
                "backend='loky', DataLoader(multiprocessing_context='spawn'). Or read before the fork and hand over "
                "dicts.",
                f"{zh(what)}需要 Polars 的线程，而本进程是从已有这些线程的进程 fork 出来的：它会永远等下去。请"
                "用 spawn 启动进程：multiprocessing.get_context('spawn')，joblib 用 backend='loky'，"
                "DataLoader(multiprocessing_context='spawn')。也可以在 fork 之前读取数据，再把字典交给子进程。",
            )
        )


def _before() -> None:
    _forking[0] = "polars" in sys.modules and _has_threads()


def _after() -> None:
    _orphaned[0] = _orphaned[0] or _forking[0]


def _has_threads() -> bool:
    try:
        tasks = os.listdir(_TASKS)
    except OSError:  # no Linux: where Polars is loaded it was used, most likely
        return True
    return any(_name(task).startswith(_NAMES) for task in tasks)


def _name(task: str) -> str:
    try:
        with open(f"{_TASKS}/{task}/comm", encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:  # it has ended meanwhile
        return ""


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_child=_after)
