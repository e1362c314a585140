"""Runs cases in a process of its own, each within 10 seconds of the processor and 1 GiB.

Reads numbers from standard input, one per line, and answers each with a line of JSON. A case that takes too long ends
the process with the stack of every thread in the log; so does one that waits for something, or that Python cannot
catch. The pool starts another. Time is that of the processor, so that a busy machine finds no other failures.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import signal
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

SECONDS = float(os.environ.get("FUZZ_SECONDS", "10"))
WAITING = 6 * SECONDS
"""On the clock, for a case that does nothing."""
ROOM = 1 << 30
POLARS = "\nthread '"  # Polars tells of its panics itself, before anybody can catch them
LONG = 5000  # characters of a failure that are kept


def main() -> None:
    """`python -m fuzzer.worker LOG`: what anybody writes to the streams of the process goes to the log."""
    cases = os.fdopen(os.dup(0), encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # `-` is standard input, which a case must not wait for
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    log = open(sys.argv[1], "w+b")  # noqa: SIM115
    for stream in (1, 2):
        os.dup2(log.fileno(), stream)
    os.environ["POLARS_MAX_THREADS"] = "1"
    from .cases import run
    from .plants import planted

    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        run(0, folder)  # loads what is loaded once
        _limit()
        faulthandler.register(signal.SIGPROF, file=log, chain=True)  # then ends the process, as the signal does
        print("ready", file=answers, flush=True)
        for line in cases:
            written = _size(log)
            faulthandler.dump_traceback_later(WAITING, exit=True, file=log)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            number, _, fault = line.strip().partition(" ")
            with planted(fault):
                report = asdict(run(int(number), folder))
            signal.setitimer(signal.ITIMER_PROF, 0)
            faulthandler.cancel_dump_traceback_later()
            said = _tail(log, written)
            if not report["failure"] and said and not said.startswith(POLARS):
                report["failure"] = f"on the streams of the process: {said}"
            report["failure"] = report["failure"][:LONG]
            print(json.dumps(report), file=answers, flush=True)


def _limit() -> None:
    """Memory for data may grow by so much from here on."""
    used = int(next(line for line in Path("/proc/self/status").read_text().splitlines() if "VmData" in line).split()[1])
    resource.setrlimit(resource.RLIMIT_DATA, (used * 1024 + ROOM, used * 1024 + ROOM))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _size(log: BinaryIO) -> int:
    return os.fstat(log.fileno()).st_size


def _tail(log: BinaryIO, start: int) -> str:
    return os.pread(log.fileno(), LONG, start).decode(errors="replace")


if __name__ == "__main__":
    main()
