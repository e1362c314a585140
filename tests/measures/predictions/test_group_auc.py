"""Group AUC: brute force in all weightings, and how AUC splits into pairs inside and across groups."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

from oracle.naive_predictions import Rows

from .support import EPS, NUMBERS, WEIGHTINGS, close, naive, parse_prediction, random_rows, rows, sample_of, value

both_ways = pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])


@both_ways
@pytest.mark.parametrize("weight", WEIGHTINGS)
@pytest.mark.parametrize("undefined", ["skip", "half"])
def test_every_weighting_equals_brute_force_on_many_small_groups(weighted, weight, undefined):
    m = parse_prediction(f"GAUC(weight={weight}, undefined={undefined})")
    r = random_rows(11, 400, weighted=weighted, groups=90, digits=1)

    assert close(value(m, sample_of(r)), naive(m, r))


def split(s):
    """L · within + (1 - L) · cross."""
    share = s.pairs.pairs.sum() / (s.n_positives * s.n_negatives)
    return share * value("GAUC(weight=pairs)", s) + (1 - share) * value("CrossAUC", s)


@both_ways
@pytest.mark.parametrize("groups", [2, 7, 60])
def test_auc_splits_into_pairs_inside_and_across_groups(weighted, groups):
    s = sample_of(random_rows(groups, 500, weighted=weighted, groups=groups))

    assert abs(split(s) - value("AUC", s)) < EPS


@settings(max_examples=60, deadline=None)
@given(rows(score=NUMBERS))
def test_auc_splits_for_any_rows(r):
    assume(r.group is not None)
    s = sample_of(r)
    assume(not np.isnan(value("GAUC", s)) and not np.isnan(value("CrossAUC", s)))

    assert abs(split(s) - value("AUC", s)) < EPS


def test_one_group_has_the_auc_of_all_rows():
    r = random_rows(5, 200, groups=1)

    assert close(value("GAUC", sample_of(r)), value("AUC", sample_of(r)))


def test_auc_of_each_group_and_nothing_for_groups_of_one_class():
    s = sample_of(Rows([1, 0, 1, 0, 1], [0.9, 0.1, 0.1, 0.9, 0.5], None, [0, 0, 1, 1, 3]))

    np.testing.assert_array_equal(parse_prediction("AUC").per_group(s), [1, 0, np.nan, np.nan])
