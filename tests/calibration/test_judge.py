"""Calibrators judged on rows they have not seen: planted distortions are repaired, right scores are kept."""

import numpy as np
import pytest

from rankgauge.calibration import CALIBRATORS, Isotonic, OddsShift, calibrate, fit_calibrator
from rankgauge.calibration.judge import AS_GIVEN
from rankgauge.data.predictions import Predictions
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.evaluation import evaluate_predictions

approx = pytest.approx
SIMPLEST = ["odds", "temperature", "platt", "histogram", "isotonic"]


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def clicks(n=8000, seed=0, *, a=1.0, b=0.0, **columns):
    """Predictions whose log-odds are a·truth + b."""
    rng = np.random.default_rng(seed)
    z = rng.normal(-1, 1.2, n)
    return {"label": rng.random(n) < sigmoid(z), "score": sigmoid(a * z + b), **columns}


def loss(y, p, w=None):
    return -np.average(np.where(y, np.log(p), np.log1p(-p)), weights=w)


@pytest.mark.parametrize("seed", range(5))
def test_doubled_odds_are_repaired_by_a_simple_kind(seed):
    got = calibrate(clicks(seed=seed, b=np.log(2)), "all")

    assert got.recommended in ("odds", "platt")
    assert got[got.recommended].copc == approx(1, abs=0.08)
    assert got[got.recommended].is_better is True
    assert got[got.recommended].mcb < got.before.mcb / 3
    assert np.exp(-OddsShift.fit(got.sample.label, got.sample.score).b) == approx(2, rel=0.1)


@pytest.mark.parametrize("seed", range(5))
def test_too_sure_scores_need_a_slope(seed):
    got = calibrate(clicks(seed=seed, a=2.0, b=0.7), "all")

    assert got.recommended == "platt"
    assert got.best.a == approx(0.5, abs=0.08)


def test_bent_scores_need_a_curve():
    data = clicks(40_000)
    bent = {**data, "score": np.where(data["score"] < 0.25, data["score"] / 20, 0.5 + data["score"] / 4)}

    assert calibrate(bent, "all").recommended in ("isotonic", "histogram")


def test_right_scores_are_kept():
    found = [calibrate(clicks(4000, seed), "all").recommended for seed in range(30)]

    assert sum(kind is not None for kind in found) <= 5  # five kinds of 2.5% each, nearly the same one


def test_keeping_is_told():
    got = calibrate(clicks(), "all")

    assert (got.recommended, got.best, got.refit()) == (None, None, None)
    assert got.reason.startswith("keep the scores as they are")
    assert got.to_frame().filter(got.to_frame()["recommended"])["kind"].to_list() == [AS_GIVEN]


def test_numbers_are_those_of_the_judged_rows():
    rng = np.random.default_rng(9)
    data = clicks(b=0.5, weight=rng.uniform(0.5, 2, 8000), user_id=rng.integers(0, 300, 8000))
    got = calibrate(data, ["platt", "isotonic"])
    fit, judge = got.split.fit, got.split.judge
    y, p, w = data["label"], data["score"], data["weight"]

    for kind in ("platt", "isotonic"):
        calibrator = fit_calibrator(kind, y[fit], p[fit], w[fit])
        after = calibrator.apply(p[judge])
        rows = {"label": y[judge], "score": after, "weight": w[judge], "user_id": data["user_id"][judge]}
        ev = evaluate_predictions(rows, ["LogLoss", "MCB", "ECE", "COPC", "AUC"])
        one = got[kind]
        assert got.calibrators[kind] == one.calibrator == calibrator
        assert [one.log_loss, one.mcb, one.ece, one.copc, one.auc] == [ev[m] for m in ev]
        assert one.noise_floor == ev.column("ECE").beside["noise floor"]
        assert one.auc_change.value == approx(one.auc - got.before.auc, abs=1e-15)
    assert got.before.log_loss == approx(loss(y[judge], p[judge], w[judge]))
    assert (got.before.calibrator, got.before.log_loss_change, got.before.auc_change) == (None, None, None)
    assert (got.rows_fitted, got.rows_judged) == (len(fit), len(judge))


def test_change_is_paired_and_clustered():
    user = np.random.default_rng(1).integers(0, 200, 8000)
    data = clicks(b=0.4, user_id=user)
    got = calibrate(data, "odds")
    rows = got.split.judge
    y, p = data["label"][rows], data["score"][rows]
    lost = np.where(y, -np.log(got.best.apply(p)), -np.log1p(-got.best.apply(p))) - np.where(
        y, -np.log(p), -np.log1p(-p)
    )
    units = np.unique(user[rows])
    sums = np.array([(lost - lost.mean())[user[rows] == u].sum() for u in units]) / len(rows)
    error = np.sqrt((sums**2).sum() * len(units) / (len(units) - 1))

    change = got["odds"].log_loss_change
    assert change.value == approx(lost.mean())
    assert change.n == len(units)
    assert (change.interval.high - change.interval.low) / 2 == approx(error * 1.984, rel=2e-3)
    assert not set(user[got.split.fit]) & set(user[rows])


def test_time_decides_who_fits():
    # the level drifts: what the earlier rows teach does not hold for the later
    early, late = clicks(4000, 1, b=-1.0), clicks(4000, 2, b=1.0)
    both = {k: np.concatenate([late[k], early[k]]) for k in early}
    both["time"] = np.concatenate([np.arange(4000) + 10_000, np.arange(4000)])

    got = calibrate(both, "odds")

    assert got.split.kind == "time"
    assert list(got.split.fit) == list(range(4000, 8000))
    assert got.calibrators["odds"].b == approx(1.0, abs=0.15)
    assert got["odds"].is_better is False
    assert got.recommended is None
    assert got.refit("odds") == OddsShift.fit(both["label"], both["score"])
    assert calibrate(both, "odds", split=0.25).rows_fitted == 2000


def test_order_is_kept_or_ties_are_told():
    got = calibrate(clicks(b=0.3), "all")

    for kind in ("odds", "platt"):
        assert got[kind].auc_change.value == approx(0, abs=1e-9)
    assert got["histogram"].auc_change.value < 0


def test_best_was_judged_and_refit_has_seen_all():
    data = clicks(b=0.6)
    got = calibrate(data, "odds")

    assert got.best is got.calibrators["odds"]
    assert got.best.fitted_on.rows == 4000
    assert got.refit().fitted_on.rows == 8000
    assert got.refit() == OddsShift.fit(data["label"], data["score"])
    assert isinstance(got.refit("isotonic"), Isotonic)


def test_simpler_kind_wins_when_as_good():
    # with a true shift, platt's second number buys nothing
    found = [calibrate(clicks(20_000, seed, b=0.5), ["platt", "odds"]).recommended for seed in range(10)]

    assert found.count("odds") >= 7
    got = calibrate(clicks(20_000, 0, b=0.5), "all")
    assert got.reason.startswith(got.recommended)


def test_log_odds_are_converted():
    data = clicks(b=0.8)
    odds = {**data, "score": np.log(data["score"] / (1 - data["score"]))}

    got, plain = calibrate(odds, "platt", scale="logit"), calibrate(data, "platt")

    assert (got.best.a, got.best.b) == approx((plain.best.a, plain.best.b))
    assert got.before.log_loss == approx(plain.before.log_loss)
    assert "log-odds" in got.notes[-1]


def test_downsampling_is_corrected_first():
    got = calibrate(clicks(b=np.log(10)), "odds", negatives_kept=0.1)

    assert got.recommended is None
    assert "negatives_kept=0.1" in got.notes[-1]


def test_kinds_go_from_simple_to_flexible():
    assert [j.kind for j in calibrate(clicks(), ["isotonic", "odds", "odds"]).after] == ["odds", "isotonic"]
    assert [j.kind for j in calibrate(clicks(), "all").after] == SIMPLEST
    assert sorted(SIMPLEST) == sorted(CALIBRATORS)


def test_bins_are_those_of_histogram_and_ece():
    data = clicks(b=0.5)
    got = calibrate(data, "histogram", bins=5)
    rows = {k: v[got.split.judge] for k, v in data.items()}

    assert len(got.calibrators["histogram"].values) == 5
    assert got.before.ece == evaluate_predictions(rows, "ECE(bins=5)")["ECE(bins=5)"]


def test_kind_that_cannot_be_fitted_is_listed():
    # every p below 0.5 and most labels 1: no temperature helps
    data = {"label": np.arange(400) % 4 > 0, "score": 0.1 + 0.3 * np.arange(400) / 400}

    got = calibrate(data, "all")

    assert "temperature" not in got.calibrators
    assert got.failed["temperature"].startswith("temperature: `p` must be on the right side of 0.5")
    with pytest.raises(InputError, match=r"right side of 0\.5"):
        calibrate(data, "temperature")


def test_soft_labels_have_no_auc():
    data = clicks(2000, b=0.7)
    got = calibrate({**data, "label": np.where(data["label"], 0.9, 0.1)}, "platt")

    assert np.isnan(got.before.auc)
    assert got["platt"].auc_change is None
    assert got["platt"].is_better is True
    assert got.csv_rows()[1]["auc_change"] is None


def test_same_seed_same_answer():
    data = clicks(2000, b=0.3)

    assert calibrate(data, "all", rng=4).csv_rows() == calibrate(data, "all", rng=4).csv_rows()
    assert calibrate(data, rng=4).before.log_loss != calibrate(data, rng=5).before.log_loss


def test_evaluation_is_taken_as_it_is():
    data = clicks(2000)

    assert calibrate(evaluate_predictions(data, "AUC")).csv_rows() == calibrate(data).csv_rows()


def test_arguments_come_back_as_they_went_in():
    data = clicks(500)
    rows = Predictions.of(data)
    before = rows.score.copy()

    calibrate(rows, "all")

    assert np.array_equal(rows.score, before)
    assert list(rows.scores) == ["score"]


def test_frame_has_before_and_after():
    got = calibrate(clicks(2000, b=1.0), "all")
    frame = got.to_frame()

    assert frame["kind"].to_list() == [AS_GIVEN, *SIMPLEST]
    assert frame.to_dicts() == got.csv_rows()
    assert frame["log_loss_change"].to_list()[0] is None


def test_errors():
    data = clicks(100)
    with pytest.raises(UnknownName, match=r"unknown calibrator 'plat'\. Did you mean platt"):
        calibrate(data, "plat")
    with pytest.raises(ParameterError, match="`kind` must name a calibrator or more"):
        calibrate(data, [])
    with pytest.raises(ParameterError, match="`split` must be one of auto, time, half"):
        calibrate(data, split=None)
    with pytest.raises(ParameterError, match="bins"):
        calibrate(data, bins=0)
    with pytest.raises(InputError, match=r"must be probabilities between 0 and 1.*scale='logit'"):
        calibrate({**data, "score": data["score"] * 3})
    with pytest.raises(InputError, match="labels must hold both classes"):
        calibrate({**data, "label": np.arange(100) > 60, "time": np.arange(100)})
    with pytest.raises(UnknownName, match=r"'odds' was not judged.* There are: as given, platt"):
        calibrate(data)["odds"]


def test_constant_scores_have_calibrators_and_say_which_cannot_be_fitted() -> None:
    made = calibrate({"label": [0, 1] * 40, "score": [0.3] * 80}, "all")

    assert "platt" in made.failed  # and temperature, where the drawn half has fewer positives than 0.3 says
    assert {"odds", "histogram", "isotonic"} <= {j.kind for j in made.after}
    assert "platt: `p` must take at least two values" in str(made)
    assert "platt: platt" not in str(made)
