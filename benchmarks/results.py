"""RESULTS.md: on which machine, what was measured, against which target, and how to repeat it."""

from __future__ import annotations

import os
import platform
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import peers
from cases import CASES, KEYS, PYTHON, Bench, Row

_HEAD = """\
# Benchmark results

Best of 5 rounds (15 for start-up, 3 for labels and scores), the tools taking turns. Ratio = time of the peer
divided by the time of rankgauge: above 1, rankgauge is faster. Rankings: six measures, nDCG@10, AP, RR, R@100,
P@10, Hit@10. Labels and scores: one measure a call. The numbers of all tools agreed to 1e-6 (trec_eval prints
four decimals), or there would be no results.

Repeat with `make bench`, or `python benchmarks/run.py` in the project environment; `--quick` leaves out
the 10 million lines, `--only a,b` (with make: `ONLY=a,b`) runs some cases, `--only a.1M-tied,b.1M-tied` some sets
of them. The peers are installed into `benchmarks/.peers`, the data is made in `benchmarks/.data`; modules of all are
compiled beforehand, as pip does. Targets are in
`benchmarks/targets.toml`. Sets with ties say in how many of their queries a judged result has the score of another
one; ranx leaves tied results as they came and is not asked about them. Recommenders are asked for P@10, R@10, Hit@10,
AP@10 (as the peer divides it), nDCG@10 and RR@10, each in an environment of its own, with frames made beforehand;
`--only h.100k-users` is a small set of that case.
"""


def read_targets(path: Path) -> dict[str, tuple[str, float]]:
    """Sign and value by key; a key that no case measures is an error, not a target that is never missed."""
    tables = tomllib.loads(path.read_text())
    signs = {"at_least": "≥", "at_most": "≤"}
    targets = {key: (signs[table], value) for table, keys in tables.items() for key, value in keys.items()}
    if unknown := targets.keys() - KEYS:
        raise SystemExit(f"{path.name}: no case measures {', '.join(sorted(unknown))}.")
    return targets


def render(
    bench: Bench,
    results: Mapping[str, Sequence[Row]],
    targets: Mapping[str, tuple[str, float]],
    load: tuple[float, float, float],
) -> str:
    parts = [_HEAD, *machine(bench, load)]
    if left_out := [name for name in CASES if name not in results]:
        parts.append(f"Left out of this run: {', '.join(left_out)}.\n")
    if some := [word for word in bench.only if word not in CASES]:
        parts.append(f"Only these sets: {', '.join(some)}.\n")
    if bench.quick:
        parts.append("A quick run: the 10 million lines are left out.\n")
    if "b" in results and not shutil.which("trec_eval"):
        parts.append("trec_eval is not on the path and was left out.\n")
    for name, rows in results.items():
        description = (CASES[name].__doc__ or "").splitlines()[0]
        parts += [f"## {name}. {description}\n", *_table(rows, targets), ""]
    return "\n".join(parts)


def _table(rows: Sequence[Row], targets: Mapping[str, tuple[str, float]]) -> list[str]:
    lines = [
        "| what | rankgauge | peer | ratio | target | | key |",
        "|---|---:|---:|---:|---:|---|---|",
    ]
    for row in rows:
        peer, ratio = ("", "") if row.peer is None else (_amount(row.peer, row.unit), f"{row.figure:.2f}")
        target, verdict = "–", ""
        if row.key in targets:
            sign, limit = targets[row.key]
            met = row.figure >= limit if sign == "≥" else row.figure <= limit
            target, verdict = f"{sign} {limit:g}", "met" if met else "not met"
        cells = (row.what, _amount(row.ours, row.unit), peer, ratio, target, verdict, row.key)
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _amount(value: float, unit: str) -> str:
    digits = {"s": 3, "×": 2}.get(unit, 0)
    return f"{value:.{digits}f} {unit}"


def machine(bench: Bench, load: tuple[float, float, float]) -> list[str]:
    ours = peers.versions(PYTHON, ("rankgauge", "numpy", "polars"))
    theirs = peers.versions(bench.peer_python, (*peers.PACKAGES, "numpy", "pandas", "numba"))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return [
        f"- {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {platform.system()} {platform.machine()}",
        f"- {_cpu()}, {os.cpu_count()} cores, {memory:.0f} GiB; load average at the start {load[0]:.2f}",
        f"- rankgauge environment: {_versions(ours)}",
        f"- peer environment: {_versions(theirs)}",
        *_alone(bench),
        "",
    ]


def _alone(bench: Bench) -> list[str]:
    """The peers that have environments of their own, as far as they were asked."""
    pythons = {name: peers.python(bench.peers / "alone" / name) for name in peers.RECOMMENDERS}
    return [
        f"- environment of {name}: {_versions(peers.versions(python, (name, 'numpy', 'pandas', 'polars')))}"
        for name, python in pythons.items()
        if python.exists()
    ]


def _cpu() -> str:
    """The processor as Linux names it; `platform` often knows the architecture only."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown processor"


def _versions(found: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in found.items())
