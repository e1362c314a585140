"""Every measure of labels and scores has one definition: in memory, in pieces, from a state and on Spark.

Spark adds up the same totals and moments as pieces do, as bytes (tests/engines/test_spark_predictions.py).
"""

from __future__ import annotations

import pickle
from math import isnan

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge._text import Text, in_language
from rankgauge.engines import predictions as engine
from rankgauge.evaluation.predictions.cluster_moments import ClusterMoments
from rankgauge.evaluation.predictions.piecewise import estimates, first, influences
from rankgauge.evaluation.predictions.row_totals import RowTotals
from rankgauge.evaluation.predictions.state import PredictionState
from rankgauge.measures.predictions import PREDICTIONS
from rankgauge.measures.predictions.base import PredictionMeasure, Quotient
from rankgauge.measures.predictions.sums import TERMS, Term

from .support import VARIANTS

each = pytest.mark.parametrize("m", VARIANTS, ids=str)
NEED_ALL_ROWS = {"AUC", "MCB", "DSC"}  # AUC only up to a false positive rate


def table(n: int = 600) -> pl.DataFrame:
    rng = np.random.default_rng(4)
    p = rng.beta(1, 4, n).round(2)
    y, w, u = (rng.random(n) < p).astype(int), rng.choice([1.0, 0.5, 3.0], n), rng.integers(0, n // 10, n)
    return pl.DataFrame({"label": y, "score": p, "weight": w, "user": u})


ROWS = table()
OPTIONS = {"columns": {"user": "group"}}


@pytest.fixture(scope="module")
def in_memory():
    return rg.evaluate_predictions(ROWS, VARIANTS, **OPTIONS)


@pytest.fixture(scope="module")
def in_pieces():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_MOST_ROWS", 70)
        return rg.evaluate_predictions(ROWS.lazy(), VARIANTS, engine="streaming", **OPTIONS)


@each
def test_pieces_have_the_number_of_memory_or_say_why_not(m, in_memory, in_pieces):
    here, there = in_memory.column(m), in_pieces.column(m)

    assert not here.reason
    if there.reason:
        assert m.name in NEED_ALL_ROWS
        assert "needs all rows in memory" in there.reason
        assert type(m).bracket is not PredictionMeasure.bracket  # says so itself
        return
    low, high = there.certain
    assert low - 1e-12 <= here.value <= high + 1e-12
    assert there.error == pytest.approx(here.error, rel=1e-9, nan_ok=True)
    assert there.beside.keys() >= here.beside.keys()


@each
def test_a_state_has_the_number_of_pieces_or_says_why_not(m):
    y, p, w = (ROWS[name].to_numpy() for name in ("label", "score", "weight"))
    state = PredictionState(measures=[m])
    for part in np.array_split(np.arange(len(y)), 3):
        state += PredictionState(measures=[m]).update(y[part], p[part], w[part])

    got = state.result().column(m)
    expected = rg.evaluate_predictions(ROWS.drop("user").lazy(), [m], engine="streaming").column(m)

    assert (got.reason, got.beside, got.certain) == (expected.reason, expected.beside, expected.certain)
    assert got.value == expected.value or (isnan(got.value) and got.reason)
    assert isnan(got.error)


def test_what_travels_between_machines_is_all_that_is_needed(in_pieces):
    """As on Spark: totals and moments as bytes, influences as pickles."""
    y, p, w, u = (ROWS[name].to_numpy() for name in ROWS.columns)
    plan = engine.plan_of(VARIANTS, rg.PredictionPolicy(), True)
    halves = [u % 2 == 0, u % 2 == 1]
    t = RowTotals(plan)
    for part in halves:
        t += RowTotals.from_bytes(RowTotals(plan).update(y[part] == 1, p[part], w[part]).to_bytes())
    found = [first(str(m), m, t) for m in VARIANTS]
    models = pickle.loads(pickle.dumps([influences(found, t)]))
    moments = ClusterMoments(models)
    for part in halves:
        made = ClusterMoments(models).update(y[part] == 1, [p[part]], w[part], u[part], 60)
        moments += ClusterMoments.from_bytes(made.to_bytes(), models)

    for got, expected in zip(estimates([(found, t)], moments)[0], in_pieces.columns, strict=True):
        assert (got.label, got.reason, got.beside) == (expected.label, expected.reason, expected.beside)
        assert got.value == expected.value or got.reason
        assert got.error == pytest.approx(expected.error, rel=1e-9, nan_ok=True)


# the record


@each
def test_what_it_is_read_with_is_in_its_record_in_both_languages(m, in_memory, in_pieces):
    for column in (in_memory.column(m), in_pieces.column(m)):
        for name in column.beside.keys() - {"certified low", "certified high"}:
            how = m.read_with[name]
            assert how.kind in ("number", "share", "p")
            assert isinstance(how.text, Text) == (in_language(how.text, "zh") != how.text), name


def test_ideal_values_are_in_the_record():
    assert {name: cls.ideal for name, cls in PREDICTIONS.measures.items() if cls.ideal is not None} == {"COPC": 1.0}


# where two definitions had drifted apart


def test_uncertainty_is_the_same_for_all_models_of_the_same_rows():
    rows = ROWS.with_columns(other=1 - pl.col("score"))
    evs = rg.evaluate_predictions(rows, ["UNC", "UNC(loss=brier)"], scores=["score", "other"], **OPTIONS)

    for name in ("UNC", "UNC(loss=brier)"):
        found = evs.difference(name, "other")
        assert (found.value, found.is_better, found.p_value) == (0.0, None, 1.0)


def test_a_model_that_says_the_base_rate_has_no_spread_in_ne():
    rows = {"label": [1, 0, 0, 0, 0, 0] * 5, "score": [1 / 6] * 30}

    for ev in (
        rg.evaluate_predictions(rows, "NE"),
        rg.evaluate_predictions(pl.DataFrame(rows).lazy(), "NE", engine="streaming"),
    ):
        assert ev["NE"] == pytest.approx(1.0)
        assert isnan(ev.interval("NE").low)


@pytest.mark.parametrize("seed", range(3))
def test_macro_averages_do_not_depend_on_the_order_of_groups(seed):
    rng = np.random.default_rng(seed)
    order = pl.Series(rng.permutation(60))
    turned = ROWS.with_columns(user=order.gather(ROWS["user"]))
    measures = ["Recall(threshold=0.2, average=macro)", "Accuracy(threshold=0.2, average=macro)"]

    a, b = (rg.evaluate_predictions(rows, measures, **OPTIONS) for rows in (ROWS, turned))

    assert [a[m].hex() for m in measures] == [b[m].hex() for m in measures]


@pytest.mark.parametrize("of_probabilities", [True, False])
def test_a_made_up_sum_is_written_in_one_place_and_reaches_everybody(monkeypatch, of_probabilities):
    class Cubed(Quotient):
        name, top = "Cubed", "cubed"
        needs = frozenset({"probabilities"} if of_probabilities else ())

    monkeypatch.setitem(TERMS, "cubed", Term(lambda s: np.abs(s.score - s.label) ** 3, of_probabilities))
    monkeypatch.setattr(engine, "_MOST_ROWS", 70)
    monkeypatch.setitem(PREDICTIONS.measures, "Cubed", Cubed)
    monkeypatch.setitem(PREDICTIONS.aliases, "cubed", ("Cubed", {}))
    y, p, w = (ROWS[c].to_numpy() for c in ("label", "score", "weight"))
    state = PredictionState(measures=[Cubed()])
    for part in np.array_split(np.arange(len(ROWS)), 3):
        state.update(y[part], p[part], w[part])

    here = rg.evaluate_predictions(ROWS, [Cubed()], **OPTIONS)
    there = rg.evaluate_predictions(ROWS.lazy(), [Cubed()], engine="streaming", **OPTIONS)

    assert here["Cubed"] == pytest.approx(np.average(np.abs(p - y) ** 3, weights=w), abs=1e-15)
    assert there["Cubed"] == state.result()["Cubed"] == here["Cubed"]
    assert there.interval("Cubed").low == pytest.approx(here.interval("Cubed").low, abs=1e-12)
