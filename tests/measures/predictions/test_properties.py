"""What holds for any rows: transforms of scores, swapped labels, repeated and shuffled rows, bounds."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.naive_predictions import Rows

from .support import (
    GROUPED,
    HARD,
    NUMBERS,
    ORDER,
    SOFT,
    VARIANTS,
    WEIGHTINGS,
    close,
    parse_prediction,
    random_rows,
    rows,
    sample_of,
    value,
)

each = pytest.mark.parametrize("m", VARIANTS, ids=str)
both_ways = pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
quick = settings(max_examples=25, deadline=None)


def same(a: float, b: float) -> bool:
    """To the last bit; NaN is NaN."""
    return a == b or (math.isnan(a) and math.isnan(b))


# scores


@pytest.mark.parametrize("text", [*ORDER, *GROUPED])
@quick
@given(rows(), st.data())
def test_increasing_transforms_of_scores_change_no_order(text, r, data):
    old = sorted(set(r.score))
    new = sorted(data.draw(st.lists(NUMBERS, min_size=len(old), max_size=len(old), unique=True)))
    moved = Rows(r.label, [new[old.index(s)] for s in r.score], r.weight, r.group)

    assert same(value(text, sample_of(moved)), value(text, sample_of(r)))


@pytest.mark.parametrize("transform", [np.exp, np.cbrt, lambda s: 1e9 * s - 5, lambda s: np.log(s / (1 - s))])
@pytest.mark.parametrize("text", [*ORDER, *GROUPED])
@both_ways
def test_usual_transforms_change_no_order(text, weighted, transform):
    r = random_rows(2, weighted=weighted)
    moved = Rows(r.label, transform(np.array(r.score)).tolist(), r.weight, r.group)

    assert value(text, sample_of(moved)) == value(text, sample_of(r))


@pytest.mark.parametrize("power", [0.5, 2, 5])
@pytest.mark.parametrize("loss", ["log", "brier"])
@both_ways
def test_increasing_transforms_leave_discrimination(loss, weighted, power):
    r = random_rows(6, weighted=weighted)
    moved = Rows(r.label, [s**power for s in r.score], r.weight)

    assert close(value(f"DSC(loss={loss})", sample_of(moved)), value(f"DSC(loss={loss})", sample_of(r)))


# labels


@pytest.mark.parametrize("text", ["AUC", *(f"GAUC(weight={w})" for w in WEIGHTINGS if w != "positives"), "CrossAUC"])
@quick
@given(rows(score=NUMBERS))
def test_swapped_labels_give_one_minus_auc(text, r):
    swapped = Rows([1 - y for y in r.label], r.score, r.weight, r.group)

    assert close(value(text, sample_of(swapped)), 1 - value(text, sample_of(r)))


@quick
@given(rows(score=NUMBERS))
def test_swapped_labels_and_reversed_scores_give_the_same_auc(r):
    other = Rows([1 - y for y in r.label], [-s for s in r.score], r.weight, r.group)

    assert close(value("AUC", sample_of(other)), value("AUC", sample_of(r)))


@pytest.mark.parametrize(("one", "other"), [("Recall", "FNR"), ("Specificity", "FPR")])
@quick
@given(rows())
def test_rates_of_one_class_add_up_to_one(one, other, r):
    s = sample_of(r)

    assert close(value(f"{one}(threshold=0.4)", s) + value(f"{other}(threshold=0.4)", s), 1.0) or math.isnan(
        value(f"{one}(threshold=0.4)", s)
    )


# weights


@each
@quick
@given(rows(weight=st.integers(1, 4).map(float)))
def test_whole_weights_are_repeated_rows(m, r):
    """Also for MCE, whose min_count is a weight, and GAUC(weight=uniform), which counts groups and not rows."""
    times = [int(w) for w in r.weight or [1] * len(r.label)]
    repeated = Rows(*(None if c is None else np.repeat(c, times).tolist() for c in (r.label, r.score, None, r.group)))

    assert close(value(m, sample_of(r)), value(m, sample_of(repeated)))


@each
@pytest.mark.parametrize("factor", [0.1, 1 / 3, 1000])
def test_weights_times_a_constant_change_nothing(m, factor):
    if m.name == "MCE":
        m = m.replace(min_count=0)  # the one measure with a weight among its parameters
    r = random_rows(9, 200, weighted=False)
    scaled = Rows(r.label, r.score, [factor] * 200, r.group)

    assert close(value(m, sample_of(scaled)), value(m, sample_of(r)))


@pytest.mark.parametrize("text", [t for t in ORDER if not t.startswith(("PRAUC", "Gain", "Lift"))])
def test_weights_of_a_whole_class_do_not_move_pairs_and_rates(text):
    r = random_rows(10, 200, weighted=False)
    by_class = Rows(r.label, r.score, [0.3 if y else 7.0 for y in r.label])

    assert close(value(text, sample_of(by_class)), value(text, sample_of(r)))


# order of rows


@each
@both_ways
@pytest.mark.parametrize("digits", [1, 3])
def test_shuffled_rows_have_the_same_value_to_the_last_bit(m, weighted, digits):
    rng = np.random.default_rng(5)
    for seed in range(4):
        s = sample_of(random_rows(seed, 200, weighted=weighted, digits=digits))
        want = value(m, s)
        for _ in range(3):
            assert same(value(m, s.rows(rng.permutation(200))), want)


@each
@quick
@given(rows(weight=st.floats(1e-3, 1e3)), st.randoms(use_true_random=False))
def test_any_rows_shuffled_have_the_same_value_to_the_last_bit(m, r, random):
    s = sample_of(r)
    order = list(range(len(s)))
    random.shuffle(order)

    assert same(value(m, s.rows(np.array(order))), value(m, s))


@pytest.mark.parametrize("text", ["LogLoss", "Brier", "NE", "COPC", "ECE", "ECCE", "MCB", "DSC", "UNC(loss=brier)"])
@quick
@given(rows(label=SOFT, weight=st.floats(1e-3, 1e3)), st.randoms(use_true_random=False))
def test_soft_labels_shuffled_have_the_same_value_to_the_last_bit(text, r, random):
    s = sample_of(r)
    order = list(range(len(s)))
    random.shuffle(order)

    assert same(value(text, s.rows(np.array(order))), value(text, s))


# bounds and relations


@each
@quick
@given(rows())
def test_value_stays_inside_its_bounds(m, r):
    got = value(m, sample_of(r))
    low, high = m.bounds

    assert math.isnan(got) or low - 1e-12 <= got <= high + 1e-12


@quick
@given(rows())
def test_scores_equal_to_the_labels_are_perfect(r):
    s = sample_of(Rows(r.label, r.label, r.weight))

    for text, best in {"AUC": 1, "KS": 1, "PRAUC": 1, "Brier": 0, "ECE": 0, "ECCE": 0, "LogLoss": 0, "MCB": 0}.items():
        assert math.isnan(value(text, s)) or abs(value(text, s) - best) < 1e-12, text


@quick
@given(rows(score=NUMBERS), st.lists(st.floats(0.01, 1), min_size=2, max_size=6))
def test_gain_never_falls_with_the_share(r, shares):
    s = sample_of(r)
    gains = [value(parse_prediction("Gain").replace(top=q), s) for q in sorted(shares)]

    assert all(math.isnan(a) or a <= b + 1e-12 for a, b in pairwise(gains))


@quick
@given(rows(score=NUMBERS))
def test_lift_of_all_rows_is_one(r):
    got = value("Lift(top=1)", sample_of(r))

    assert math.isnan(got) or close(got, 1.0)


@pytest.mark.parametrize("loss", ["log", "brier"])
@pytest.mark.parametrize("label", [HARD, SOFT], ids=["hard", "soft"])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_loss_is_miscalibration_minus_discrimination_plus_uncertainty(loss, label, data):
    s = sample_of(data.draw(rows(label=label)))
    mcb, dsc, unc = (value(f"{part}(loss={loss})", s) for part in ("MCB", "DSC", "UNC"))

    assert close(mcb - dsc + unc, value("LogLoss" if loss == "log" else "Brier", s))
    assert mcb >= 0
    assert dsc >= 0


@pytest.mark.parametrize("loss", ["log", "brier"])
@both_ways
def test_the_split_adds_up_on_many_rows(loss, weighted):
    s = sample_of(random_rows(21, 5000, weighted=weighted, digits=3))
    mcb, dsc, unc = (value(f"{part}(loss={loss})", s) for part in ("MCB", "DSC", "UNC"))

    assert abs(mcb - dsc + unc - value("LogLoss" if loss == "log" else "Brier", s)) < 1e-12
