"""`python -m fuzzer`: many cases, with progress, a summary by kind and the failures as JSON; or one case again."""

from __future__ import annotations

import argparse
import collections
import json
import sys
import time
from pathlib import Path
from typing import Any

from .known import known
from .pool import Pool


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzzer", description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--case", type=int, help="only this one, here, with everything it says")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures.json"))
    asked = parser.parse_args()
    sys.path.append(str(Path(__file__).resolve().parents[2]))  # for the naive definitions
    if asked.case is not None:
        return again(asked.case)
    return many(range(asked.first, asked.first + asked.cases), asked.workers, asked.failures)


def many(numbers: range, workers: int, path: Path) -> int:
    """Runs them all; 1 when any failed that is not known."""
    begun, last = time.monotonic(), 0.0
    ran: collections.Counter[str] = collections.Counter()
    failed: collections.Counter[str] = collections.Counter()
    failures: list[dict[str, Any]] = []
    expected = 0
    with Pool(workers) as pool:
        for report in pool.run(numbers):
            kind = report["mutation"].partition(":")[2].partition(".")[0]
            ran[kind] += 1
            if report["failure"] and (item := known(report)):
                expected += 1
                report["known"] = item
            if report["failure"]:
                failures.append(report)
                failed[kind] += "known" not in report
            now = time.monotonic() - begun
            if now - last > 5:
                last = now
                _store(failures, path)
                told = f"{sum(ran.values()):,} of {len(numbers):,} cases, {sum(failed.values())} failures, {now:.0f} s"
                print(told, file=sys.stderr)
    _store(failures, path)
    print(f"{'kind':12} {'cases':>8} {'failures':>9}")
    for kind, n in sorted(ran.items()):
        print(f"{kind:12} {n:8,} {failed[kind]:9,}")
    print(f"{'all':12} {sum(ran.values()):8,} {sum(failed.values()):9,}   in {time.monotonic() - begun:.0f} s")
    if expected:
        print(f"{expected} known ones besides")
    if failures:
        print(f"failures: {path}")
    return int(any("known" not in f for f in failures))


def _store(failures: list[dict[str, Any]], path: Path) -> None:
    path.write_text(json.dumps(failures, indent=1), encoding="utf-8")


def again(number: int) -> int:
    """One case, in this process."""
    import tempfile

    from .cases import run, shown

    with tempfile.TemporaryDirectory() as folder:
        print(shown(number, Path(folder)).encode(errors="backslashreplace").decode())
        report = run(number, Path(folder))
    print(json.dumps(vars(report), indent=1))
    print(report.failure.encode(errors="backslashreplace").decode())
    return int(bool(report.failure))


if __name__ == "__main__":
    sys.exit(main())
