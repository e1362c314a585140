"""RePlay on Polars frames: `use_replay.py FILE MEASURE…`, with measures as rankgauge calls them."""

import sys

import numpy as np
import polars as pl
from protocol import serve
from replay.metrics import MAP, MRR, NDCG, HitRate, OfflineMetrics, Precision, Recall

METRICS = {
    "P@10": Precision(10),
    "R@10": Recall(10),
    "Hit@10": HitRate(10),
    "AP(norm=min)@10": MAP(10),
    "nDCG@10": NDCG(10),
    "RR@10": MRR(10),
}

path, *measures = sys.argv[1:]
arrays = np.load(path)
taken = pl.DataFrame({"query_id": arrays["user"], "item_id": arrays["item"]})
shown = pl.DataFrame(
    {"query_id": arrays["shown_user"], "item_id": arrays["shown_item"], "rating": 1.0 / arrays["rank"]}
)


def call() -> dict[str, float]:
    metrics = OfflineMetrics(
        [METRICS[name] for name in measures], query_column="query_id", item_column="item_id", rating_column="rating"
    )
    return dict(zip(measures, metrics(shown, taken).values(), strict=True))


serve(call, measures)
