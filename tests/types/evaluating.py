"""What calls give, as a type checker sees it; `tests/test_types.py` runs mypy over this file."""

from pathlib import Path
from typing import Any, assert_type

import numpy as np
import polars as pl
from pyspark.sql import DataFrame as SparkFrame

import rankgauge as rg
from rankgauge.integrations.pytest_plugin import RankingAssertions

qrels = {"q1": {"d1": 2, "d2": 0}}
scores = {"q1": {"d1": 0.9, "d2": 0.5}}
lists = {"q1": ["d1", "d2"]}
frame = pl.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "score": [0.9]})


def one_run_gives_one_evaluation(spark: SparkFrame) -> None:
    assert_type(rg.evaluate(qrels, scores), rg.RankingEvaluation)
    assert_type(rg.evaluate(qrels, lists, "RR"), rg.RankingEvaluation)
    assert_type(rg.evaluate(qrels, frame, ["RR", "nDCG@10"]), rg.RankingEvaluation)
    assert_type(rg.evaluate("qrels.txt", "bm25.run"), rg.RankingEvaluation)
    assert_type(rg.evaluate("qrels.txt", Path("bm25.run"), ties="input"), rg.RankingEvaluation)
    assert_type(rg.evaluate(qrels, rg.Run.of(scores)), rg.RankingEvaluation)
    assert_type(rg.evaluate(np.eye(3), np.eye(3)), rg.RankingEvaluation)
    assert_type(rg.evaluate("both.json"), rg.RankingEvaluation)
    assert_type(rg.evaluate(spark, spark), rg.SparkEvaluation)
    assert_type(rg.evaluate("qrels.parquet", "s3a://bucket/run", engine="spark"), rg.SparkEvaluation)


def several_runs_give_several(spark: SparkFrame) -> None:
    assert_type(rg.evaluate(qrels, {"a": scores, "b": scores}), rg.RankingEvaluations)
    assert_type(rg.evaluate(qrels, {"a": lists, "b": lists}), rg.RankingEvaluations)
    assert_type(rg.evaluate(qrels, {"a": frame, "b": frame}), rg.RankingEvaluations)
    assert_type(rg.evaluate(qrels, {"a": "a.run", "b": Path("b.run")}), rg.RankingEvaluations)
    assert_type(rg.evaluate(qrels, {"a": rg.Run.of(scores)}), rg.RankingEvaluations)
    assert_type(rg.evaluate("qrels.txt", ["a.run", "b.run"], missing="skip"), rg.RankingEvaluations)
    assert_type(rg.evaluate(spark, {"a": spark, "b": spark}), rg.SparkEvaluations)
    assert_type(rg.evaluate("qrels", ["a", "b"], engine="spark"), rg.SparkEvaluations)


def what_an_evaluation_holds(ev: rg.RankingEvaluation) -> None:
    assert_type(ev.policy, rg.Policy)
    assert_type(ev.column("RR"), rg.Column)
    assert_type(ev.interval("RR"), rg.Interval)
    assert_type(ev["RR"], float)
    assert_type(rg.evaluate(qrels, {"a": scores})["a"], rg.RankingEvaluation)
    assert_type(rg.evaluate(qrels, scores, policy=ev.policy, convention=ev.convention), rg.RankingEvaluation)
    assert_type(ev.plot(), rg.Figure)
    assert_type(ev.compare(ev), rg.Comparison)


def predictions(rows: dict[str, list[float]], table: rg.Predictions) -> None:
    ev = assert_type(rg.evaluate_predictions(rows, ["AUC"], scale="logit"), rg.PredictionEvaluation)
    assert_type(rg.evaluate_predictions("clicks.csv", scores="new"), rg.PredictionEvaluation)
    evs = assert_type(rg.evaluate_predictions("clicks.csv", scores=["old", "new"]), rg.PredictionEvaluations)
    assert_type(rg.evaluate_predictions(table), rg.PredictionEvaluation | rg.PredictionEvaluations)
    several = assert_type(rg.evaluate_predictions("topics.csv", prediction="call"), rg.ClassEvaluation)
    assert_type(several.confusion(), rg.ConfusionMatrix)
    assert_type(several.evaluate("f1_macro"), rg.ClassEvaluation)
    assert_type(rg.evaluate_predictions("topics.csv", probabilities="p_"), rg.ClassEvaluation)
    assert_type(rg.evaluate_predictions("topics.csv", prediction=["old", "new"]), rg.ClassEvaluations)
    assert_type(rg.evaluate_predictions(rows, classes=[0, 1, 2]), rg.ClassEvaluation | rg.ClassEvaluations)
    assert_type(evs.difference("AUC", "new"), rg.Difference)
    assert_type(ev.column("AUC"), rg.Estimate)
    assert_type(ev.policy, rg.PredictionPolicy)


def fixture(rankgauge: RankingAssertions) -> None:
    assert_type(rankgauge.evaluate(qrels, scores, ties="best"), rg.RankingEvaluation)
    assert_type(rankgauge.compare(qrels, {"a": scores, "b": scores}, depth=10), rg.Comparison)
    rankgauge.assert_not_worse(qrels, scores, scores, "RR", margin=0.1, missing="zero", policy=rg.Policy())


def refused(options: dict[str, Any]) -> None:
    rg.evaluate(qrels, scores, tie="best")  # type: ignore[call-overload]
    rg.evaluate(qrels, scores, ties=3)  # type: ignore[call-overload]
    rg.evaluate(qrels, scores, policy={"ties": "best"})  # type: ignore[call-overload]
    rg.compare(qrels, {"a": scores, "b": scores}, tie="best")  # type: ignore[call-arg]
    rg.Policy().replace(tie="best")  # type: ignore[call-arg]
    rg.evaluate_predictions("clicks.csv", scal="logit")  # type: ignore[call-overload]
    rg.Gate(qrels="q", run="r", policy=rg.GatePolicy(tie="best"))  # type: ignore[call-arg]
    rg.Gate(qrels="q", run="r", policy=rg.Policy(ties="best"))
    rg.evaluate(qrels, scores, **options)
