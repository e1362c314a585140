"""How each cluster moves a value: the derivative of the value by the weight of the cluster."""

from dataclasses import replace

import numpy as np
import pytest

from rankgauge.alignment.sample import Sample
from rankgauge.measures.grammar import parse_prediction
from rankgauge.statistics.clusters import standard_error

from .support import VARIANTS, random_rows, sample_of, value

WITHOUT = {"ECE", "MCE", "ECCE"}  # their noise is printed beside them
SMOOTHED = {"Gain", "Lift"}  # the cut moves with the rows: an average near the cut instead of one row


def is_mean_of_groups(m) -> bool:
    """A group is one unit there, whatever the weight of its rows."""
    return getattr(m, "average", "") == "macro" or (m.name == "GAUC" and m.weight in ("uniform", "pairs"))


SMOOTH = [m for m in VARIANTS if m.name not in WITHOUT | SMOOTHED and not is_mean_of_groups(m)]
BY_ROW = [m for m in SMOOTH if "groups" not in m.needs]
MEANS = [m for m in VARIANTS if is_mean_of_groups(m)]


def derivative(m, s: Sample, mask, h: float = 1e-6) -> float:
    """Of the value by the logarithm of the weight of these rows."""
    w = np.ones(len(s)) if s.weight is None else s.weight

    def at(factor: float) -> float:
        return value(m, replace(s, weight=np.where(mask, w * factor, w)))

    return (at(1 + h) - at(1 - h)) / (2 * h)


both_ways = pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])


def weights_that_meet_no_edge(weighted: bool, n: int, **more) -> Sample:
    """Without weights a cut at 0.3 of the negatives may be just between two rows, where there is no slope."""
    return sample_of(random_rows(17, n, weighted=weighted, **more))


@pytest.mark.parametrize("m", SMOOTH, ids=str)
@both_ways
def test_influence_of_a_group_is_the_derivative_by_its_weight(m, weighted):
    s = weights_that_meet_no_edge(weighted, 203, groups=9)

    got = m.clusters(s)

    want = [derivative(m, s, s.group == g) for g in range(9)]
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("m", BY_ROW, ids=str)
@both_ways
def test_influence_of_a_row_is_the_derivative_by_its_weight(m, weighted):
    s = replace(weights_that_meet_no_edge(weighted, 61), group=None)

    got = m.clusters(s)

    want = [derivative(m, s, np.arange(61) == i) for i in range(61)]
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("m", [parse_prediction(t) for t in ("LogLoss", "NE", "Brier", "COPC", "MCB", "DSC", "UNC")])
def test_influence_with_soft_labels_is_the_derivative(m):
    rng = np.random.default_rng(3)
    s = Sample(np.round(rng.random(60), 1), np.round(rng.beta(2, 3, 60), 1) * 0.98 + 0.01, rng.random(60) + 0.1)

    want = [derivative(m, s, np.arange(60) == i) for i in range(60)]

    np.testing.assert_allclose(m.clusters(s), want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("m", [parse_prediction(t) for t in ("LogLoss", "NE", "COPC", "Brier", "MCB")], ids=str)
def test_influence_of_corrected_logits_is_the_derivative(m):
    rng = np.random.default_rng(3)
    s = Sample(rng.random(60) < 0.3, rng.normal(size=60), scale="logit", kept=0.5)

    want = [derivative(m, s, np.arange(60) == i) for i in range(60)]

    np.testing.assert_allclose(m.clusters(s), want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("m", MEANS, ids=str)
@both_ways
def test_influence_on_a_mean_of_groups_is_share_times_distance_from_the_mean(m, weighted):
    s = sample_of(random_rows(19, 80, weighted=weighted, groups=15))
    if m.name == "GAUC":
        auc = s.pairs.auc
        share = {"uniform": np.ones(15), "pairs": s.pairs.pairs}[m.weight]
        if m.undefined == "half":
            auc = np.where(np.isnan(auc), 0.5, auc)
    else:
        auc, share = m.per_group(s), np.ones(15)
    share = np.where(np.isnan(auc), 0.0, share)
    mean = np.nansum(share * auc) / share.sum()

    assert m.value(s) == pytest.approx(mean, rel=1e-12)
    np.testing.assert_allclose(m.clusters(s), np.nan_to_num(share * (auc - mean)) / share.sum(), atol=1e-15)


@pytest.mark.parametrize("m", [m for m in VARIANTS if m.name not in WITHOUT], ids=str)
@both_ways
def test_influence_of_all_units_adds_up_to_nothing(m, weighted):
    s = sample_of(random_rows(23, weighted=weighted))

    assert abs(m.clusters(s).sum()) < 1e-12


@pytest.mark.parametrize("m", [m for m in VARIANTS if m.name in WITHOUT], ids=str)
def test_binned_measures_have_no_influence(m):
    assert m.clusters(sample_of(random_rows(23))) is None


@pytest.mark.long("simulations of error rates and coverage", ci=True)
@pytest.mark.parametrize("text", ["Gain(top=0.1)", "Gain(top=0.3)", "Lift(top=0.05)"])
@pytest.mark.parametrize("digits", [1, 6], ids=["ties", "distinct"])
def test_standard_error_of_a_cut_is_the_spread_over_samples(text, digits):
    rng = np.random.default_rng(31)
    m, values, errors = parse_prediction(text), [], []
    for _ in range(1000):
        p = np.round(rng.beta(1.5, 6, 1500), digits)
        s = Sample(rng.random(1500) < rng.beta(1.5, 6, 1500) * 0.3 + p * 0.7, p)
        values.append(m.value(s))
        errors.append(standard_error(m.clusters(s)))

    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(np.std(values), rel=0.1)


@pytest.mark.parametrize("text", ["Gain(top=1)", "Lift(top=1)"])
def test_taking_all_rows_has_no_error(text):
    rng = np.random.default_rng(1)
    for _ in range(50):
        s = Sample(np.arange(30) % 3 == 0, rng.random(30), rng.random(30))
        assert standard_error(parse_prediction(text).clusters(s)) < 1e-12
