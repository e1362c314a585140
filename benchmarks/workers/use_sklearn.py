"""scikit-learn on arrays of labels and scores: `use_sklearn.py FOLDER MEASURE`."""

import sys
from pathlib import Path

import numpy as np
from protocol import serve
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score

CALLS = {"AUC": roc_auc_score, "PRAUC": average_precision_score, "LogLoss": log_loss, "Brier": brier_score_loss}

folder, measure = Path(sys.argv[1]), sys.argv[2]
label, score = np.load(folder / "label.npy"), np.load(folder / "score.npy")


def call() -> dict[str, float]:
    return {measure: CALLS[measure](label, score)}


serve(call, [measure])
