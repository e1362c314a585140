"""Segments against a loop over masks; planted errors are found, and right probabilities are left in peace."""

from math import inf, isnan

import numpy as np
import pytest
from scipy.stats import t as student

from rankgauge.calibration import worst_segments
from rankgauge.calibration.segments import holm
from rankgauge.data.predictions import Predictions
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.evaluation import evaluate_predictions

approx = pytest.approx


def clicks(n=6000, seed=0, *, values=8, users=0, weighted=False, level=0.1, wrong=None, factor=1.0, spread=0.0):
    """Right probabilities, except that those of device `wrong` are multiplied by `factor`."""
    rng = np.random.default_rng(seed)
    truth = np.clip(rng.gamma(3, level / 3, n), 0, 0.9)
    device, hour = rng.integers(0, values, n), rng.integers(0, 5, n)
    data = {"label": rng.random(n) < truth, "device": device.astype(str), "hour": hour.astype(str)}
    if users:
        user = rng.integers(0, users, n)
        data["label"] = rng.random(n) < np.clip(truth * (1 + spread * rng.choice([-1, 1], users)[user]), 0, 1)
        data["user_id"] = user
    data["score"] = np.where(device == wrong, np.clip(truth * factor, 0, 1), truth)
    return data | ({"weight": rng.uniform(0.5, 2, n)} if weighted else {})


COLUMNS = ["device", "hour"]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("users", [0, 60, 5000])
def test_numbers_are_those_of_a_loop(users, weighted):
    data = clicks(users=users, weighted=weighted, spread=0.5)
    y, p = data["label"], data["score"]
    w = data.get("weight", np.ones(len(p)))

    got = worst_segments(data, COLUMNS)

    assert {(s.column, s.value) for s in got.segments} == {(c, v) for c in COLUMNS for v in np.unique(data[c])}
    for s in got.segments:
        m = data[s.column] == s.value
        gap = (w * (y - p))[m]
        positives, expected = (w * y)[m].sum(), (w * p)[m].sum()
        copc = positives / expected
        moved = (w * (y - copc * p))[m] / expected
        if users:
            unit = data["user_id"][m]
            gap = np.array([gap[unit == u].sum() for u in np.unique(unit)])
            moved = np.array([moved[unit == u].sum() for u in np.unique(unit)])
        n = len(gap)
        variance = max(((gap - gap.mean()) ** 2).sum() * n / (n - 1), (w**2 * p * (1 - p))[m].sum())
        half = student.ppf(0.975, n - 1) * np.sqrt((moved**2).sum() * n / (n - 1))
        assert (s.rows, s.groups) == (m.sum(), n if users else None)
        assert (s.positives, s.expected, s.copc) == approx((positives, expected, copc))
        assert s.copc_interval == approx((max(copc - half, 0), copc + half), rel=1e-6)
        assert s.p_value == approx(2 * student.sf(abs(gap.sum()) / variance**0.5, n - 1), abs=1e-6)
        assert (s.predicted, s.observed) == approx((expected / w[m].sum(), positives / w[m].sum()))


def test_copc_and_its_interval_are_those_of_the_evaluation():
    data = clicks(users=200, spread=0.5)
    m = data["device"] == "3"
    ev = evaluate_predictions({k: v[m] for k, v in data.items()}, "COPC")

    (found,) = [s for s in worst_segments(data, "device").segments if s.value == "3"]

    assert found.copc == approx(ev["COPC"])
    assert found.copc_interval == approx(ev.interval("COPC"))


@pytest.mark.parametrize("factor", [0.6, 1.6])
@pytest.mark.parametrize("users", [0, 2000])
def test_planted_error_is_found_first(factor, users):
    got = worst_segments(clicks(20_000, wrong=5, factor=factor, users=users), COLUMNS)

    first = got.segments[0]
    assert (first.column, first.value) == ("device", "5")
    assert first.is_significant
    assert (first.off > 0) == (factor < 1)
    assert first.copc == approx(1 / factor, rel=0.2)
    assert [s.value for s in got.significant if s.column == "device"] == ["5"]


@pytest.mark.long("simulations of error rates and coverage", ci=True)
@pytest.mark.parametrize(
    "options",
    [
        {"level": 0.1},
        {"level": 0.02, "values": 40},  # three expected positives in a value
        {"users": 400, "spread": 0.9},
        {"weighted": True},
    ],
    ids=["plain", "rare", "users", "weighted"],
)
def test_right_probabilities_are_rarely_blamed(options):
    found = [bool(worst_segments(clicks(seed=seed, **options), COLUMNS).significant) for seed in range(200)]

    assert sum(found) <= 18  # 10 expected at most; more than 18 has a chance of 0.5%


def test_few_rows_without_positives_are_no_proof():
    data = {"label": [0] * 100 + [1, 0] * 50, "score": [0.02] * 100 + [0.5] * 100, "c": ["a"] * 100 + ["b"] * 100}

    found = {s.value: s for s in worst_segments(data, "c").segments}

    assert 0.1 < found["a"].p_value < 0.2
    assert found["a"].copc_interval == approx((0, 3.689 / 2), rel=1e-3)  # -ln 0.025


def test_order_is_by_missing_positives_among_the_significant():
    data = clicks(30_000, wrong=2, factor=2.0)
    data["score"] = np.where(data["device"] == "6", data["score"] * 1.5, data["score"])

    got = worst_segments(data, COLUMNS).segments

    assert [s.value for s in got if s.column == "device"][:2] == ["2", "6"]
    for part in ([s for s in got if s.is_significant], [s for s in got if not s.is_significant]):
        off = [abs(s.off) for s in part]
        assert off == sorted(off, reverse=True)
    assert [s.is_significant for s in got] == sorted((s.is_significant for s in got), reverse=True)


def test_small_values_are_left_out_and_counted():
    data = clicks(1000, values=30)
    counts = {c: np.unique(data[c], return_counts=True)[1] for c in COLUMNS}

    got = worst_segments(data, COLUMNS, min_rows=35)

    assert got.left_out == sum((n < 35).sum() for n in counts.values())
    assert got.left_out_by_column == {"device": (counts["device"] < 35).sum(), "hour": 0}
    assert len(got.segments) == got.tested == sum((n >= 35).sum() for n in counts.values())


def test_nothing_large_enough_gives_an_empty_table():
    got = worst_segments(clicks(200), COLUMNS, min_rows=1000)

    assert (got.segments, got.tested, got.left_out) == ((), 0, 13)
    assert got.to_frame().height == 0
    assert "p_corrected" in got.to_frame().columns


def test_value_of_a_single_group_is_not_tested():
    n = 200
    data = {"label": [0, 1] * 100, "score": [0.1] * n, "user_id": ["u"] * 100 + ["v", "w"] * 50}
    data["page"] = ["one"] * 100 + ["two"] * 100

    got = worst_segments(data, "page")
    found = {s.value: s for s in got.segments}

    assert (got.tested, got.untested) == (1, 1)
    assert isnan(found["one"].p_value)
    assert not found["one"].is_significant
    assert found["two"].p_corrected == found["two"].p_value


def test_nothing_predicted_has_no_copc():
    data = {"label": [0, 1] * 100, "score": [0.0] * 200, "c": ["a"] * 200}

    (found,) = worst_segments(data, "c").segments

    assert isnan(found.copc)
    assert isnan(found.copc_interval.low)
    assert found.p_value < 1e-6


def test_holm_counts_all_values_of_all_columns():
    got = worst_segments(clicks(wrong=1, factor=1.4), COLUMNS)

    assert got.tested == 13
    assert [s.p_corrected for s in got.segments] == approx(naive_holm([s.p_value for s in got.segments]))


def naive_holm(p):
    """The smallest alpha at which the step-down procedure rejects each."""
    order = np.argsort(p, kind="stable")
    return [min(1, max((len(p) - j) * p[order[j]] for j in range(list(order).index(i) + 1))) for i in range(len(p))]


def test_holm_by_hand():
    assert holm([0.01, 0.02, 0.5, 0.04]) == approx([0.04, 0.06, 0.5, 0.08])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_thousands_of_values_are_quick():
    from time import perf_counter

    rng = np.random.default_rng(0)
    n = 200_000
    data = {"label": rng.random(n) < 0.1, "score": np.full(n, 0.1), "user_id": rng.integers(0, 9000, n)}
    rows = Predictions.of(data | {"item": rng.integers(0, 5000, n)}, slices="item")

    start = perf_counter()
    got = worst_segments(rows, min_rows=10)

    assert len(got.segments) > 4900
    assert perf_counter() - start < 5  # a loop over masks takes minutes


def test_all_segments_unless_said():
    rows = Predictions.of(clicks(), slices=COLUMNS)

    assert worst_segments(rows).columns == ("device", "hour")
    assert worst_segments(rows, "hour").columns == ("hour",)
    assert worst_segments(evaluate_predictions(rows, "COPC")).csv_rows() == worst_segments(rows).csv_rows()


def test_frame_has_a_row_per_value():
    got = worst_segments(clicks(), COLUMNS)

    assert got.to_frame().to_dicts() == got.csv_rows()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_rows": 1}, "`min_rows` must be a whole number from 2 up, got 1"),
        ({"alpha": 0}, "`alpha` must be between 0 and 1, got 0"),
        ({"confidence_level": inf}, "`confidence_level`"),
        ({"slices": []}, "must name a column or more|must have columns to slice by"),
    ],
)
def test_wrong_parameters(options, message):
    with pytest.raises(ParameterError, match=message):
        worst_segments(clicks(), **{"slices": COLUMNS, **options})


def test_columns_must_be_there():
    rows = Predictions.of(clicks(), slices=COLUMNS)
    with pytest.raises(UnknownName, match=r"no slice 'devise'. Did you mean device\? There are: device, hour"):
        worst_segments(rows, "devise")
    with pytest.raises(ParameterError, match="must have columns to slice by, got none"):
        worst_segments({"label": [0, 1], "score": [0.1, 0.2]})
    with pytest.raises(InputError, match="must be probabilities"):
        worst_segments({"label": [0, 1], "score": [1, 2], "device": ["a", "b"]}, "device")
