"""RecTools on pandas frames: `use_rectools.py FILE MEASURE…`, with measures as rankgauge calls them."""

import sys

import numpy as np
import pandas as pd
from protocol import serve
from rectools import Columns
from rectools.metrics import (
    MAP,
    MRR,
    NDCG,
    AvgRecPopularity,
    CatalogCoverage,
    CoveredUsers,
    HitRate,
    MeanInvUserFreq,
    Precision,
    Recall,
    Serendipity,
    UnrepeatedReco,
    calc_metrics,
)

METRICS = {
    "P@10": Precision(k=10),
    "R@10": Recall(k=10),
    "Hit@10": HitRate(k=10),
    "AP@10": MAP(k=10),
    "nDCG@10": NDCG(k=10, divide_by_achievable=True),
    "RR@10": MRR(k=10),
    "Coverage@10": CatalogCoverage(k=10, normalize=True),
    "MIUF@10": MeanInvUserFreq(k=10),
    "ARP@10": AvgRecPopularity(k=10),
    "Serendipity@10": Serendipity(k=10),
    "UserCoverage": CoveredUsers(k=10),
    "RepeatedItems": UnrepeatedReco(k=10),  # 1 - ours
}

path, *measures = sys.argv[1:]
arrays = np.load(path)
taken = pd.DataFrame({Columns.User: arrays["user"], Columns.Item: arrays["item"]})
shown = pd.DataFrame(
    {Columns.User: arrays["shown_user"], Columns.Item: arrays["shown_item"], Columns.Rank: arrays["rank"]}
)
past = pd.DataFrame({Columns.User: arrays["past_user"], Columns.Item: arrays["past_item"]})
catalogue = np.arange(arrays["shown_item"].max() + 1)


def call() -> dict[str, float]:
    found = calc_metrics({name: METRICS[name] for name in measures}, shown, taken, past, catalogue)
    return {name: 1 - found[name] if name == "RepeatedItems" else found[name] for name in measures}


serve(call, measures)
