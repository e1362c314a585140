"""Measure rankgauge and its peers in one run, and write RESULTS.md.

python benchmarks/run.py                 everything
python benchmarks/run.py --quick         without the 10 million lines
python benchmarks/run.py --only a,d      some cases
python benchmarks/run.py --only b.1M-tied,b.1M-one-decimal --output tied.md     some sets of the cases a and b

The same with make: make bench ONLY=a,d
"""

from __future__ import annotations

import argparse
import compileall
import os
from pathlib import Path

import peers
from cases import CASES, KEYS, WITH_SETS, Bench, Row
from results import read_targets, render

HERE = Path(__file__).parent


def main() -> None:
    options = _options()
    targets = read_targets(HERE / "targets.toml")
    bench = Bench(HERE / ".data", peers.ensure(options.peers), options.quick, tuple(options.only))
    # pip compiled the peers' modules when it installed them; from a checkout, ours would be compiled at every start
    # wherever PYTHONDONTWRITEBYTECODE is set
    compileall.compile_dir(HERE.parent / "src", quiet=1)
    load = os.getloadavg()
    results: dict[str, list[Row]] = {}
    for name in dict.fromkeys(word.partition(".")[0] for word in options.only):
        results[name] = []
        for row in CASES[name](bench):
            results[name].append(row)
            print(_line(row), flush=True)
    options.output.write_text(render(bench, results, targets, load), encoding="utf-8")


def _line(row: Row) -> str:
    if row.peer is None:
        return f"{row.key:32} {row.ours:9.1f} {row.unit}"
    return f"{row.key:32} {row.ours:9.3f} s  peer {row.peer:9.3f} s  ratio {row.figure:6.2f}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="leave out the 10 million lines")
    parser.add_argument("--only", type=_cases, default=list(CASES), metavar="a,b", help="cases to run, or sets of them")
    parser.add_argument("--peers", type=Path, default=HERE / ".peers", help="environment of the peers")
    parser.add_argument("--output", type=Path, default=HERE / "RESULTS.md", help="where the results go")
    return parser.parse_args()


def _cases(text: str) -> list[str]:
    words = text.split(",") if text else list(CASES)
    sets = {".".join(key.split(".")[:2]) for key in KEYS if key[0] in WITH_SETS}
    if unknown := [word for word in words if word not in sets | CASES.keys()]:
        known = ", ".join([*CASES, *sorted(sets)])
        raise argparse.ArgumentTypeError(f"no case {', '.join(unknown)}; there are {known}")
    return words


if __name__ == "__main__":
    main()
