"""Values that were worked out by hand or published, with the arithmetic behind them."""

from math import exp, log, sqrt

import numpy as np
import pytest

from rankgauge.alignment.sample import Sample
from rankgauge.measures.grammar import parse_prediction
from rankgauge.measures.predictions.base import Undefined
from rankgauge.measures.predictions.calibration import ECCE, ECE, MCE
from rankgauge.measures.predictions.loss import LogLoss
from rankgauge.measures.predictions.range_of_walk import range_of_brownian_motion

from .support import CELLS, sample, value

approx = pytest.approx


def of(text, *columns, **more):
    return parse_prediction(text).of(*columns, **more)


# order


def test_auc_ties_count_half():
    assert of("AUC", [1, 0, 1, 0], [1, 1, 1, 0]) == (0.5 + 1 + 0.5 + 1) / 4 == 0.75


FOUR = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AUC", 3 / 4),
        ("Gini", 2 * 3 / 4 - 1),
        ("PRAUC", 1 / 2 * 1 + 1 / 2 * 2 / 3),
        ("AUC(max_fpr=0.5, area=raw)", 0.5 * 0.5),
        ("AUC(max_fpr=0.5)", 0.5 * (1 + (0.25 - 0.125) / (0.5 - 0.125))),  # 2/3
        ("AUC(max_fpr=1)", 3 / 4),
        ("KS", 1 - 1 / 2),
        ("Gain(top=0.25)", 1 / 2),
        ("Lift(top=0.25)", 1 / (1 / 2)),
        ("Gain(top=1)", 1.0),
    ],
)
def test_four_rows_known_to_everyone(text, expected):
    assert of(text, *FOUR) == approx(expected, abs=1e-15)


def test_constant_score_at_one_percent_has_the_prevalence_as_prauc():
    label, score = [1] + [0] * 99, [0.3] * 100

    assert of("PRAUC", label, score) == approx(0.01)
    assert of("PRAUC", label[::-1], score) == approx(0.01)


def test_constant_score_has_auc_one_half_for_any_order_of_rows():
    assert of("AUC", [1] + [0] * 99, [0.3] * 100) == 0.5
    assert of("AUC", [0] * 50 + [1] + [0] * 49, [0.3] * 100) == 0.5


def test_a_cut_inside_equal_scores_takes_a_part_of_them():
    # the top half is the first row and one third of the three rows at 0.5, of which two are positive
    assert of("Gain(top=0.5)", [1, 1, 1, 0], [0.9, 0.5, 0.5, 0.5]) == approx((1 + 2 / 3) / 3)


def test_ks_of_a_reversed_order_is_zero_at_no_threshold():
    m = parse_prediction("KS")
    s = sample([1, 0], [0.1, 0.9])

    assert m.value(s) == 0
    assert m.beside(s) == {"threshold": np.inf}


# groups

USERS = {"label": [1, 0, 0, 1, 0, 1], "score": [0.9, 0.2, 0.4, 0.1, 0.3, 0.5], "group": [0, 0, 0, 1, 1, 2]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GAUC", (3 * 1 + 2 * 0) / 5),
        ("GAUC(weight=uniform)", (1 + 0) / 2),
        ("GAUC(weight=positives)", (1 * 1 + 1 * 0) / 2),
        ("GAUC(weight=pairs)", (2 * 1 + 1 * 0) / 3),
        ("GAUC(undefined=half)", (3 * 1 + 2 * 0 + 1 * 0.5) / 6),
        ("GAUC(weight=uniform, undefined=half)", (1 + 0 + 0.5) / 3),
        ("GAUC(weight=pairs, undefined=half)", (2 * 1 + 1 * 0 + 0 * 0.5) / 3),
        ("CrossAUC", (6 - 2) / (9 - 3)),
    ],
)
def test_group_auc_of_three_users(text, expected):
    assert of(text, **USERS) == approx(expected)


def test_group_auc_says_what_it_rests_on():
    beside = parse_prediction("GAUC").beside(sample(**USERS))

    assert beside == {"groups": 3, "valid groups": 2, "rows kept": approx(5 / 6)}


def test_auc_across_one_group_is_undefined():
    rng = np.random.default_rng(1)
    weight = rng.random((50, 20))

    for w in weight:  # sums of such weights are rounded: nothing may be left over
        assert np.isnan(of("CrossAUC", [1, 0, 0, 0] * 5, rng.random(20), w, [0] * 20))


# loss


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        (None, (-(log(0.2) + log(0.7)) / 2) / log(2)),  # 1.41825
        ([5, 1], (-(5 * log(0.2) + log(0.7)) / 6) / -(5 / 6 * log(5 / 6) + 1 / 6 * log(1 / 6))),  # 3.10867
    ],
)
def test_normalised_entropy_of_two_rows(weight, expected):
    """The example of torcheval's binary_normalized_entropy."""
    assert of("NE", [1, 0], [0.2, 0.3], weight) == approx(expected, rel=1e-14)
    assert of("RIG", [1, 0], [0.2, 0.3], weight) == approx(1 - expected, rel=1e-14)
    assert round(expected, 5) in (1.41825, 3.10867)


def test_brier_of_four_rows():
    assert of("Brier", [0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]) == approx((0.01 + 0.01 + 0.04 + 0.09) / 4)


def test_log_loss_of_spam_and_ham():
    """The example of scikit-learn's log_loss: 0.21616."""
    got = of("LogLoss", [1, 0, 0, 1], [0.9, 0.1, 0.2, 0.65])

    assert got == approx(-(log(0.9) + log(0.9) + log(0.8) + log(0.65)) / 4)
    assert round(got, 6) == 0.216162


def test_log_loss_of_a_certain_mistake_is_that_of_the_clip():
    s = sample([1, 0], [0.0, 0.5])

    assert LogLoss().value(s) == approx((-log(1e-15) + log(2)) / 2)
    assert LogLoss().beside(s) == {
        "clipped rows": 1,
        "their share of the loss": approx(-log(1e-15) / (-log(1e-15) + log(2))),
    }


def test_log_loss_of_logits_needs_no_probabilities():
    s = sample([1, 0, 1], [2.0, -1.0, -3.0], scale="logit")

    assert LogLoss().value(s) == approx((log(1 + exp(-2)) + log(1 + exp(-1)) + log(1 + exp(3))) / 3)


def test_log_loss_of_huge_logits_neither_overflows_nor_vanishes():
    assert LogLoss().value(sample([1, 0], [1e6, -1e6], scale="logit")) == approx(1e-15, rel=0.2)
    assert LogLoss().value(sample([0], [1e6], scale="logit")) == approx(-log(1e-15))


def test_log_loss_of_a_tiny_probability_keeps_its_digits():
    assert of("LogLoss", [0], [1e-12]) == approx(1e-12, rel=1e-9)


def test_log_loss_and_brier_of_soft_labels():
    assert of("LogLoss", [0.25], [0.5]) == approx(log(2))
    assert of("Brier", [0.25, 1], [0.5, 0.5]) == approx((0.25**2 + 0.5**2) / 2)


# calibration


def test_copc_is_observed_over_predicted():
    """A log line of PaddlePaddle: actual 0.024218, predicted 0.000699, COPC 34.65."""
    rows = 1_000_000
    label = np.arange(rows) < 24218

    got = parse_prediction("COPC").value(Sample(label, np.full(rows, 0.000699)))

    assert got == approx(0.024218 / 0.000699)
    assert round(got, 2) == 34.65


def test_copc_without_any_probability_is_undefined():
    with pytest.raises(Undefined, match="all probabilities are 0"):
        parse_prediction("COPC").value(sample([1, 0], [0.0, 0.0]))


def test_down_sampled_negatives_are_corrected():
    corrected = sample([1], [0.5], kept=0.01).probability[0]

    assert corrected == approx(0.5 / (0.5 + 0.5 / 0.01))
    assert round(corrected, 5) == 0.00990


def test_down_sampled_logits_move_by_the_logarithm():
    s = sample([1, 0], [0.0, 2.0], scale="logit", kept=0.1)

    assert s.probability == approx([1 / (1 + 10), exp(2) / (exp(2) + 10)])


@pytest.mark.parametrize("text", ["AUC", "PRAUC", "KS", "Recall(threshold=0.3)"])
def test_down_sampling_leaves_order_and_thresholds_alone(text):
    assert value(text, sample(*FOUR, kept=0.1)) == value(text, sample(*FOUR))


def test_ece_of_two_bins():
    label, score = [0, 0, 1, 1], [0.1, 0.2, 0.6, 0.9]

    assert ECE(bins=2).of(label, score) == approx(1 / 2 * abs(0 - 0.15) + 1 / 2 * abs(1 - 0.75))
    assert MCE(bins=2, min_count=2).of(label, score) == approx(0.25)


def test_mce_without_a_large_bin_is_undefined():
    with pytest.raises(Undefined, match="no bin holds 100 rows; the largest has 2"):
        MCE(bins=2).value(sample([0, 0, 1, 1], [0.1, 0.2, 0.6, 0.9]))


def test_mce_counts_the_bins_it_leaves_out():
    beside = MCE(bins=2, binning="uniform", min_count=2).beside(sample([0, 0, 1], [0.1, 0.2, 0.6]))

    assert beside == {"predicted": approx(0.15), "observed": 0, "small bins": 1}


def test_ece_of_equal_weights_is_that_of_no_weights():
    label, score = [1, 0] * 5, [k / 10 for k in range(10)]

    for w in (0.1, 0.3, 0.7, 1 / 3):
        assert ECE(bins=5).of(label, score, [w] * 10) == approx(ECE(bins=5).of(label, score))


@pytest.mark.parametrize(("p", "rows"), [(0.5, 4), (0.02, 400), (0.001, 100), (0.3, 1)])
def test_noise_floor_of_one_bin_is_the_mean_deviation_of_the_binomial(p, rows):
    from scipy.stats import binom

    counts = np.arange(rows + 1)
    expected = float(np.sum(binom.pmf(counts, rows, p) * np.abs(counts / rows - p)))
    s = sample([1] + [0] * (rows - 1), [p] * rows)

    assert ECE(bins=1).beside(s)["noise floor"] == approx(expected, rel=1e-9)


def test_noise_floor_is_what_right_probabilities_show():
    rng = np.random.default_rng(8)
    p = rng.beta(1, 20, 3000)
    m = ECE(bins=10)

    shown = np.mean([m.value(Sample(rng.random(3000) < p, p)) for _ in range(300)])

    assert m.beside(Sample(rng.random(3000) < p, p))["noise floor"] == approx(shown, rel=0.05)


def test_ecce_is_the_range_of_the_walk():
    # ascending: +0.8, -0.4, +0.4 reach 0.8, 0.4, 0.8
    assert ECCE().of([1, 0, 1], [0.2, 0.4, 0.6]) == approx(0.8 / 3)
    # -0.2, +0.6 - 0.4: from -0.2 to 0.2
    assert ECCE().of([0, 1], [0.2, 0.6]) == approx(0.4 / 2)


def test_ecce_p_value_of_right_probabilities_is_uniform():
    rng = np.random.default_rng(4)
    p = rng.beta(2, 5, 2000)

    found = np.array([ECCE().p_value(Sample(rng.random(2000) < p, p)) for _ in range(800)])

    for level in (0.05, 0.2, 0.5):
        assert (found < level).mean() == approx(level, abs=4 * sqrt(level * (1 - level) / 800) + 0.01)


def test_range_of_brownian_motion_has_its_known_mean():
    grid = np.arange(0.0, 8, 0.01)
    mean = sum(range_of_brownian_motion(r) for r in grid) * 0.01 - 0.005

    assert mean == approx(2 * sqrt(2 / np.pi), abs=1e-3)  # Feller 1951


# at a threshold


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Accuracy", 3 / 5),
        ("Precision", 1 / 2),
        ("Recall", 1 / 2),
        ("Specificity", 2 / 3),
        ("FPR", 1 / 3),
        ("FNR", 1 / 2),
        ("F", 2 * 1 / (2 * 1 + 1 + 1)),
        ("BalancedAccuracy", (1 / 2 + 2 / 3) / 2),
        ("MCC", (1 * 2 - 1 * 1) / sqrt(2 * 2 * 3 * 3)),
    ],
)
def test_cells_of_five_rows(text, expected):
    assert of(f"{text}(threshold=0.5)", [1, 1, 0, 0, 0], [0.8, 0.3, 0.6, 0.2, 0.1]) == approx(expected)


def test_a_score_at_the_threshold_is_called_positive():
    assert of("Recall(threshold=0.5)", [1, 1], [0.5, 0.49]) == 1 / 2


def test_accuracy_is_shown_beside_the_larger_class():
    m = parse_prediction("Accuracy(threshold=0.5)")

    assert m.beside(sample([1] + [0] * 49, [0.1] * 50)) == {"majority class": 0.98}


def test_macro_average_leaves_out_groups_without_a_value():
    m = parse_prediction("Recall(threshold=0.5, average=macro)")
    s = sample([1, 1, 1, 0], [0.9, 0.1, 0.8, 0.9], group=[0, 0, 1, 2])

    assert m.value(s) == (1 / 2 + 1 / 1) / 2
    assert m.beside(s) == {"groups": 3, "valid groups": 2}


# one class, soft labels, no probabilities: a reason instead of a number


@pytest.mark.parametrize("text", ["AUC", "Gini", "KS", "PRAUC", "Gain", "Lift"])
@pytest.mark.parametrize("label", [0, 1])
def test_one_class_has_no_order(text, label):
    m = parse_prediction(text)

    with pytest.raises(Undefined, match=f"needs both classes; all 2 labels are {label}"):
        m.check(sample([label, label], [0.1, 0.9]))


@pytest.mark.parametrize("text", ["NE", "RIG"])
@pytest.mark.parametrize("label", [0, 1])
def test_one_class_has_no_entropy(text, label):
    with pytest.raises(Undefined, match=f"the base rate is {label}"):
        parse_prediction(text).value(sample([label, label], [0.1, 0.9]))


def test_one_class_has_a_loss():
    assert of("LogLoss", [1, 1], [0.5, 0.25]) == approx((log(2) + log(4)) / 2)
    assert of("Brier", [0, 0], [0.5, 0.25]) == approx((0.25 + 0.0625) / 2)


@pytest.mark.parametrize("text", ["AUC", "PRAUC", "GAUC", *(f"{name}(threshold=0.5)" for name in CELLS)])
def test_soft_labels_have_no_classes(text):
    with pytest.raises(Undefined, match="needs labels 0 and 1; 1 of 3 are between"):
        parse_prediction(text).check(sample([0.5, 1, 0], [0.1, 0.9, 0.5], group=[0, 0, 0]))


@pytest.mark.parametrize("text", ["LogLoss", "NE", "Brier", "COPC", "ECE", "ECCE", "MCB"])
def test_scores_outside_zero_to_one_are_no_probabilities(text):
    with pytest.raises(Undefined, match=r"1 of 2 scores are outside \[0, 1\] \(-1 to 0.5\).*scale='logit'"):
        parse_prediction(text).check(sample([1, 0], [-1.0, 0.5]))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Precision(threshold=2)", "nothing scores at or above"),
        ("MCC(threshold=2)", "one side of the threshold"),
        ("GAUC", "none of the 2 groups has both classes"),
        ("Recall(threshold=0.5, average=macro)", None),
    ],
)
def test_reasons_of_missing_numbers(text, reason):
    m, s = parse_prediction(text), sample([1, 0], [0.9, 0.1], group=[0, 1])

    if reason is None:
        assert m.value(s) == 1
    else:
        with pytest.raises(Undefined, match=reason):
            m.value(s)


def test_groups_are_needed_where_they_are():
    with pytest.raises(Undefined, match="needs a group for each row"):
        parse_prediction("GAUC").check(sample([1, 0], [0.9, 0.1]))
    with pytest.raises(Undefined, match="average=macro needs a group"):
        parse_prediction("F(threshold=0.5, average=macro)").check(sample([1, 0], [0.9, 0.1]))


def test_a_ratio_beyond_all_numbers_is_undefined():
    with pytest.raises(Undefined, match="the ratio is beyond all numbers"):
        parse_prediction("COPC").value(sample([1, 0, 1], [5e-324] * 3))
