"""Recommenders on pandas frames: `use_recommenders.py FILE MEASURE…`, with measures as rankgauge calls them."""

import sys

import numpy as np
import pandas as pd
from protocol import serve
from recommenders.evaluation.python_evaluation import map_at_k, ndcg_at_k, precision_at_k, recall_at_k

METRICS = {
    "P@10": precision_at_k,
    "R@10": recall_at_k,
    "AP(norm=min)@10": map_at_k,
    "nDCG@10": ndcg_at_k,
}

path, *measures = sys.argv[1:]
arrays = np.load(path)
taken = pd.DataFrame({"userID": arrays["user"], "itemID": arrays["item"], "rating": 1.0})
shown = pd.DataFrame(
    {"userID": arrays["shown_user"], "itemID": arrays["shown_item"], "prediction": 1.0 / arrays["rank"]}
)


def call() -> dict[str, float]:
    return {name: METRICS[name](taken, shown, relevancy_method="top_k", k=10) for name in measures}


serve(call, measures)
