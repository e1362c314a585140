"""ir_measures on dicts."""

import sys
from pathlib import Path

import ir_measures
from protocol import load, serve

MEASURES = [ir_measures.parse_measure(m) for m in ("nDCG@10", "AP", "RR", "R@100", "P@10", "Success@10")]

folder = Path(sys.argv[1])
qrels, run = load(folder / "qrels.pickle"), load(folder / "run.pickle")


def call() -> dict[str, float]:
    values = ir_measures.calc_aggregate(MEASURES, qrels, run)
    return {str(m): values[m] for m in MEASURES}


serve(call)
