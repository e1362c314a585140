"""rankgauge on arrays of labels and scores: `use_rankgauge_predictions.py FOLDER MEASURE`."""

import sys
from pathlib import Path

import numpy as np
from protocol import serve

import rankgauge as rg

folder, measure = Path(sys.argv[1]), sys.argv[2]
rows = {"label": np.load(folder / "label.npy"), "score": np.load(folder / "score.npy")}
if measure == "GAUC":
    rows["group"] = np.load(folder / "group.npy")


def call() -> dict[str, float]:
    return {measure: rg.evaluate_predictions(rows, [measure])[measure]}


serve(call, [measure])
