"""rankgauge on dicts or Polars frames: `use_rankgauge.py FOLDER dicts|frames`."""

import sys
from pathlib import Path
from typing import Any

import polars as pl
from protocol import MEASURES, columns, load, serve

import rankgauge as rg

folder, kind = Path(sys.argv[1]), sys.argv[2]
qrels: Any = load(folder / "qrels.pickle")
run: Any = load(folder / "run.pickle")
if kind == "frames":
    qrels = pl.DataFrame(dict(zip(("query_id", "doc_id", "grade"), columns(qrels), strict=True)))
    run = pl.DataFrame(dict(zip(("query_id", "doc_id", "score"), columns(run), strict=True)))


def call() -> dict[str, float]:
    evaluation = rg.evaluate(qrels, run, MEASURES)
    return {name: evaluation[name] for name in MEASURES}


serve(call)
