"""A small record of every kind that a writer shows, with the notes and warnings that it can have."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import rankgauge as rg

__all__ = ["RECORDS", "record"]

_QUERIES = [f"q{i:02}" for i in range(40)]
_QRELS = {q: {"a": 2, "b": 1, "c": 0} for q in _QUERIES} | {"q38": {"c": 0}}
_TOP = {q: {"a": 3.0, "x": 2.0, "b": 1.0} for q in _QUERIES}
_MIXED = {q: ["x", "a", "b", "c"] if i % 3 else ["y", "z", "b", "a"] for i, q in enumerate(_QUERIES)}
_TIED = {q: {"c": 1.0, "a": 1.0, "b": float("nan") if q == "q00" else 0.5} for q in _QUERIES[:35]} | {"other": {"a": 1}}
_SLICES = {q: {"device": "phone" if i % 2 else "desk"} for i, q in enumerate(_QUERIES)}
_MEASURES = ["nDCG@10", "RR@10", "P@2"]


def _rows(seed: int = 1, n: int = 600) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    logit = rng.normal(size=n)
    label = (rng.random(n) < 1 / (1 + np.exp(1 - logit))).astype(int)
    good, bad = 1 / (1 + np.exp(-2 * logit)), rng.random(n)
    good[:3] = [0.0, 1.0, 1.0]
    return {
        "label": label.tolist(),
        "user": [f"u{i % 30}" for i in range(n)],
        "device": ["phone" if i % 3 else "desk" for i in range(n)],
        "good": good.tolist(),
        "bad": bad.tolist(),
    }


def _predictions(*models: str) -> Any:
    return rg.evaluate_predictions(
        _rows(),
        ["AUC", "LogLoss", "PRAUC", "GAUC", "COPC", "ECE"],
        label="label",
        scores=list(models),
        group="user",
        segments=["device"],
    )


def _compared(**options: Any) -> Any:
    runs = {"old": _MIXED, "top": _TOP, "same": {q: dict(r) for q, r in _TOP.items()}, "tied": _TIED}
    return rg.compare(_QRELS, runs, _MEASURES, permutations=200, **options)


def _gate(folder: Path) -> Any:
    (folder / "qrels.txt").write_text("".join(f"{q} 0 a 1\n" for q in _QUERIES))
    for name, ranks in (("old", [1, 2]), ("new", [3, 2])):
        lines = [
            f"{q} Q0 {'a' if i == ranks[n % 2] else f'x{i}'} {i} {10 - i} t\n"
            for n, q in enumerate(_QUERIES)
            for i in range(1, 5)
        ]
        (folder / f"{name}.run").write_text("".join(lines))
    (folder / "slices.csv").write_text(
        "query_id,device\n" + "".join(f"{q},{d['device']}\n" for q, d in _SLICES.items())
    )
    config = folder / "gate.toml"
    config.write_text(
        'qrels = "qrels.txt"\nrun = "new.run"\nbaseline = "old.run"\nmeasures = ["RR", "P@1"]\n'
        "[floors]\nRR = 0.42\n[non_inferior]\nRR = 0.01\n[ceilings]\nmissing_queries = 0\n"
        '"unjudged@4" = 0.8\n[slices]\nfile = "slices.csv"\nmin_queries = 5\n[slices.floors]\nRR = 0.3\n'
        "[slices.non_inferior]\nRR = 0.2\n"
    )
    return rg.run_gate(rg.Gate.from_toml(config))


def _in_folder(make: Callable[[Path], Any]) -> Any:
    with TemporaryDirectory() as folder:
        return make(Path(folder))


RECORDS: dict[str, Callable[[], Any]] = {
    "evaluation": lambda: rg.evaluate(_QRELS, _TIED, ["nDCG@10", "MRR@10", "NumRel"], missing="zero", slices=_SLICES),
    "evaluations": lambda: rg.evaluate(_QRELS, {"top": _TOP, "tied": _TIED}, _MEASURES, slices=_SLICES),
    "evaluations of many": lambda: rg.evaluate(
        _QRELS, {"top": _TOP, "mixed": _MIXED}, [f"P@{k}" for k in range(1, 10)], convention="trec_eval"
    ),
    "prediction evaluation": lambda: _predictions("good"),
    "prediction evaluations": lambda: _predictions("good", "bad"),
    "undefined": lambda: rg.evaluate_predictions({"label": [0, 0], "score": [0.2, 3.0]}, ["AUC", "LogLoss"]),
    "comparison": lambda: _compared(slices=_SLICES, pairs="all", margin=0.01),
    "comparison uncorrected": lambda: _compared(test="t", correction="none"),
    "comparison of seeds": lambda: rg.compare(_QRELS, {"old": _MIXED, "new": [_TOP, _TIED]}, ["RR@10"]),
    "comparison of models": lambda: rg.compare(
        {"good": _predictions("good"), "bad": _predictions("bad")}, measures=["AUC", "LogLoss"]
    ),
    "movement": lambda: _compared().query("q00", "top"),
    "gate": lambda: _in_folder(_gate),
    "calibration": lambda: rg.calibrate(_rows(), "all", label="label", scores="good", group="user"),
    "findings": lambda: rg.diagnose(rg.evaluate(_QRELS, _TIED, _MEASURES), most=3),
    "findings of a scenario": lambda: rg.diagnose(_compared(), scenario="faq"),
    "no findings": lambda: rg.diagnose(rg.evaluate(_QRELS, _TOP, _MEASURES), rules=["single-target"]),
    "reading": lambda: rg.reading(_predictions("good")),
    "reliability": lambda: rg.reliability(_predictions("good")),
    "segments": lambda: rg.worst_segments(_predictions("good"), min_rows=250),
    "threshold": lambda: rg.choose_threshold(_rows(), "f1", label="label", scores="good"),
    "threshold on the same rows": lambda: rg.choose_threshold(_rows(), "f1", label="label", scores="good", split=None),
    "audit": lambda: rg.audit(_QRELS, {"tied": _TIED, "top": _TOP}),
    "explanation": lambda: rg.explain("nDCG@10"),
    "funnel": lambda: rg.funnel(_QRELS, {"recall": _MIXED, "rank": _TIED, "final": _TOP}, k=2, cut={"final": 2}),
}


@cache
def record(name: str) -> Any:
    return RECORDS[name]()
