"""The reliability table against bins made naively, and its intervals against their formulas."""

from math import inf, isnan, sqrt

import numpy as np
import pytest
from scipy.stats import t as student

from rankgauge.calibration import reliability
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation import evaluate_predictions

approx = pytest.approx


def clicks(n=2000, seed=0, *, weighted=False, users=0, spread=0.0):
    """Calibrated on average; `spread` makes rows of one user alike."""
    rng = np.random.default_rng(seed)
    p = rng.beta(2, 8, n).round(3)
    user = rng.integers(0, users, n) if users else None
    truth = p if user is None else np.clip(p * (1 + spread * rng.choice([-1, 1], users)[user]), 0, 1)
    data = {"label": rng.random(n) < truth, "score": p}
    data |= {} if user is None else {"user_id": user}
    return data | ({"weight": rng.uniform(0.2, 3, n)} if weighted else {})


def naive_bins(p, w, bins, binning):
    """The bin of each row: walk through distinct p, lowest first."""
    place = np.empty(len(p), dtype=int)
    before, total = 0.0, w.sum()
    for value in np.unique(p):
        at = p == value
        place[at] = min(int(before * bins / total if binning == "mass" else value * bins), bins - 1)
        before += w[at].sum()
    return [np.flatnonzero(place == b) for b in np.unique(place)]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("bins", "binning"), [(15, "mass"), (4, "mass"), (10, "uniform"), (1, "mass")])
def test_bins_hold_what_a_loop_finds(bins, binning, weighted):
    data = clicks(weighted=weighted)
    y, p = data["label"], data["score"]
    w = data.get("weight", np.ones(len(p)))

    got = reliability(data, bins, binning)

    expected = naive_bins(p, w, bins, binning)
    assert len(got.bins) == len(expected)
    for b, rows in zip(got.bins, expected, strict=True):
        total = w[rows].sum()
        assert (b.low, b.high, b.rows) == (p[rows].min(), p[rows].max(), len(rows))
        assert b.weight == approx(total)
        assert b.predicted == approx((w * p)[rows].sum() / total)
        assert b.observed == approx((w * y)[rows].sum() / total)
        assert b.gap == b.observed - b.predicted


def test_wilson_interval_of_plain_rows():
    # 2 of 10: the textbook interval 0.0567 to 0.5098
    data = {"label": [1, 1] + [0] * 8, "score": [0.3] * 10}

    (b,) = reliability(data).bins

    assert b.interval == approx((0.0567, 0.5098), abs=1e-4)
    assert b.ok is True
    assert b.groups is None


def test_scale_of_weights_does_not_matter():
    data = clicks(weighted=True)
    small = {**data, "weight": data["weight"] / 1e6}

    for one, other in zip(reliability(data).bins, reliability(small).bins, strict=True):
        assert one.interval == approx(other.interval)


def test_clustered_interval_is_its_formula():
    data = clicks(users=30, weighted=True)
    y, p, w, user = data["label"], data["score"], data["weight"], data["user_id"]

    got = reliability(data, 5)

    for b, rows in zip(got.bins, naive_bins(p, w, 5, "mass"), strict=True):
        rate = (w * y)[rows].sum() / w[rows].sum()
        groups = np.unique(user[rows])
        sums = [(w * (y - rate))[rows][user[rows] == g].sum() for g in groups]
        g = len(groups)
        variance = g / (g - 1) * sum(s**2 for s in sums) / w[rows].sum() ** 2
        n, q = rate * (1 - rate) / variance, student.ppf(0.975, g - 1)
        middle, half = rate + q**2 / (2 * n), q * sqrt(variance + q**2 / (4 * n**2))
        assert b.groups == g
        assert b.interval == approx(((middle - half) / (1 + q**2 / n), (middle + half) / (1 + q**2 / n)))


def test_each_row_its_own_group_is_nearly_no_groups():
    data = clicks()
    alone = {**data, "user_id": np.arange(len(data["label"]))}

    for one, other in zip(reliability(data).bins, reliability(alone).bins, strict=True):
        assert one.interval == approx(other.interval, rel=0.03)


def test_alike_rows_widen_the_interval():
    data = clicks(20_000, users=50, spread=0.9)
    without = {k: v for k, v in data.items() if k != "user_id"}

    wide, narrow = (np.diff([b.interval for b in reliability(d, 5).bins]).mean() for d in (data, without))

    assert wide > 1.3 * narrow


def test_bin_without_positives_is_no_proof():
    data = {"label": [0] * 40, "score": [0.01] * 40, "user_id": [i % 20 for i in range(40)]}

    (b,) = reliability(data).bins

    assert b.interval.low == 0
    assert 0.1 < b.interval.high < 0.25  # 20 rows, one of each user
    assert b.ok is True


def test_bin_with_positives_only_reaches_one():
    data = {"label": [1] * 30, "score": [0.99] * 30, "weight": [0.1] * 30, "user_id": [i % 6 for i in range(30)]}

    (b,) = reliability(data).bins

    assert b.interval.high == approx(1)
    assert 0.3 < b.interval.low < 0.9


def test_single_group_has_no_interval():
    got = reliability({"label": [0, 1, 0], "score": [0.2, 0.3, 0.4], "user_id": ["a"] * 3}, 1)

    assert isnan(got.bins[0].interval.low)
    assert got.bins[0].ok is None
    assert got.to_frame()["ok"].to_list() == [None]


@pytest.mark.long("simulations of error rates and coverage", ci=True)
@pytest.mark.parametrize("users", [0, 300])
def test_right_probabilities_are_inside_about_as_often_as_promised(users):
    inside = [b.ok for seed in range(40) for b in reliability(clicks(3000, seed, users=users), 10).bins]

    assert 0.92 < np.mean(inside) < 0.98


def test_wrong_probabilities_are_outside():
    data = clicks(20_000)
    got = reliability({**data, "score": data["score"] / 2})

    assert len(got.off) > 12
    assert got.copc == approx(2, rel=0.1)
    assert got.copc_interval.low > 1
    assert got.ece > 10 * got.noise_floor
    assert got.ecce_p < 1e-6


def test_totals_are_those_of_the_evaluation():
    data = clicks(users=100)
    ev = evaluate_predictions(data, ["ECE(bins=8)", "COPC", "ECCE"])

    got = reliability(ev, 8)

    assert got.ece == ev["ECE(bins=8)"]
    assert got.noise_floor == ev.column("ECE(bins=8)").beside["noise floor"]
    assert (got.copc, got.copc_interval) == (ev["COPC"], approx(ev.interval("COPC")))
    assert (got.ecce, got.ecce_p) == (ev["ECCE"], ev.column("ECCE").beside["p"])
    assert (got.rows, got.groups, got.asked, got.binning) == (2000, 100, 8, "mass")
    assert sum(b.rows for b in got.bins) == 2000
    assert got.csv_rows() == reliability(data, 8).csv_rows()


def test_other_names_of_binning():
    assert reliability(clicks(), 5, "quantile").binning == "mass"


def test_logits_far_from_zero_keep_their_rows():
    # p of all these is 1 in floating point, yet they are different scores
    score = np.concatenate([np.linspace(40, 60, 50), np.linspace(-3, 3, 50)])
    data = {"label": np.arange(100) % 2, "score": score}

    got = reliability(data, 7, scale="logit")

    assert sum(b.rows for b in got.bins) == 100
    assert [b.rows for b in got.bins] == [b.weight for b in got.bins]


def test_frame_has_a_row_per_bin():
    got = reliability(clicks(), 6)

    assert got.to_frame().to_dicts() == got.csv_rows()
    assert got.to_frame().columns[:6] == ["low", "high", "rows", "weight", "groups", "predicted"]
    assert got.to_frame().height == 6


def test_order_of_rows_does_not_matter():
    data = clicks(users=20, weighted=True)
    mixed = np.random.default_rng(1).permutation(2000)

    one, other = reliability(data), reliability({k: v[mixed] for k, v in data.items()})

    for a, b in zip(one.csv_rows(), other.csv_rows(), strict=True):
        assert a == approx(b)


def test_all_probabilities_zero():
    got = reliability({"label": [0, 1], "score": [0.0, 0.0]})

    assert isnan(got.copc)
    assert got.bins[0].predicted == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bins": 0}, "bins"),
        ({"binning": "equal"}, "binning"),
        ({"confidence_level": 1.0}, "confidence_level"),
        ({"label": 5}, "label must be the name"),
    ],
)
def test_wrong_parameters(options, message):
    with pytest.raises(ParameterError, match=message):
        reliability(clicks(), **options)


def test_scores_that_are_no_probabilities_are_refused():
    with pytest.raises(InputError, match=r"must be probabilities between 0 and 1, got 1 of 2 outside .*scale='logit'"):
        reliability({"label": [0, 1], "score": [0.3, 1.5]})
    with pytest.raises(InputError, match="must be probabilities"):
        reliability({"label": [0, 1], "score": [0.3, 0.5]}, scale="score")
    assert reliability({"label": [0, 1], "score": [-0.3, 1.5]}, scale="logit").predicted < inf


def test_that_all_rows_are_of_one_group_is_told():
    rows = {"label": [0, 1, 0, 1], "score": [0.2, 0.7, 0.4, 0.6]}

    assert "no intervals: all rows are of one group" in str(reliability({**rows, "user_id": ["u"] * 4}, bins=2))
    assert "one group" not in str(reliability({**rows, "user_id": ["u", "u", "v", "w"]}, bins=2))
