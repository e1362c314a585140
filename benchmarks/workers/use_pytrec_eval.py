"""pytrec_eval on dicts: construction, evaluation and the means, which it leaves to the caller."""

import sys
from pathlib import Path

import pytrec_eval
from protocol import load, serve

NAMES = ("ndcg_cut_10", "map", "recip_rank", "recall_100", "P_10", "success_10")
REQUEST = {"ndcg_cut.10", "map", "recip_rank", "recall.100", "P.10", "success.10"}

folder = Path(sys.argv[1])
qrels, run = load(folder / "qrels.pickle"), load(folder / "run.pickle")


def call() -> dict[str, float]:
    values = pytrec_eval.RelevanceEvaluator(qrels, REQUEST).evaluate(run)
    return {name: pytrec_eval.compute_aggregated_measure(name, [v[name] for v in values.values()]) for name in NAMES}


serve(call)
