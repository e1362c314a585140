"""ranx on dicts or pandas frames, compiled already: `use_ranx.py FOLDER dicts|frames`."""

import sys
import warnings
from pathlib import Path

import pandas as pd
from protocol import columns, load, serve
from ranx import Qrels, Run, evaluate

METRICS = ["ndcg@10", "map", "mrr", "recall@100", "precision@10", "hit_rate@10"]

warnings.filterwarnings("ignore", message="unsafe cast")  # numba, while it compiles ranx

folder, kind = Path(sys.argv[1]), sys.argv[2]
qrels, run = load(folder / "qrels.pickle"), load(folder / "run.pickle")


def frame(table: dict[str, dict[str, float]]) -> pd.DataFrame:
    query_ids, doc_ids, values = columns(table)
    # `from_df` takes ids of dtype object only.
    ids = pd.DataFrame({"q_id": query_ids, "doc_id": doc_ids}, dtype=object)
    return ids.assign(score=values)


def from_dicts() -> dict[str, float]:
    return evaluate(Qrels(qrels), Run(run), METRICS)


def from_frames() -> dict[str, float]:
    return evaluate(Qrels.from_df(qrels_frame), Run.from_df(run_frame), METRICS)


if kind == "frames":
    qrels_frame, run_frame = frame(qrels), frame(run)
    serve(from_frames)
else:
    serve(from_dicts)
