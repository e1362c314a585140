"""Thresholds against a loop over all of them, and splits against what they promise."""

import html
from math import inf, isnan

import numpy as np
import pytest

from rankgauge.data.predictions import Predictions
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.evaluation import evaluate_predictions
from rankgauge.evaluation.predictions.splits import split_rows
from rankgauge.evaluation.predictions.thresholds import choose_threshold

approx = pytest.approx


def rows(n=300, seed=0, *, decimals=2, weighted=False):
    """Scores with many ties and labels that follow them."""
    rng = np.random.default_rng(seed)
    score = rng.random(n).round(decimals)
    made = {"label": rng.random(n) < score**2, "score": score, "user": rng.integers(0, 40, n)}
    return made | ({"weight": rng.uniform(0.5, 3, n)} if weighted else {})


@pytest.mark.parametrize(
    ("rule", "english", "chinese"),
    [
        ({"by": "F2"}, "the highest F2", "F2 最高"),
        ({"by": "MCC"}, "the highest MCC", "MCC 最高"),
        (
            {"by": "precision", "at_least": 0.4},
            "the highest Recall with precision >= 0.4",
            "precision >= 0.4 时 Recall 最高",
        ),
        (
            {"by": "recall", "at_least": 0.9},
            "the highest Precision with recall >= 0.9",
            "recall >= 0.9 时 Precision 最高",
        ),
        ({"by": "share", "share": 0.1}, "at most 0.1 of the rows called positive", "判为正的行不超过 0.1"),
        (
            {"by": "cost", "cost_fp": 1, "cost_fn": 5},
            "the least cost (1 per false positive, 5 per false negative)",
            "代价最小（每个误报 1，每个漏报 5）",
        ),
    ],
)
def test_the_title_says_the_rule_that_chose(rule, english, chinese):
    found = choose_threshold(rows(), **rule, split=None)

    assert str(found).startswith(f"Threshold for {english}\n")
    assert html.unescape(found.to_markdown(language="zh")).startswith(f"**阈值的选取：{chinese}**\n")


def cells(data, threshold):
    y, called = np.asarray(data["label"], dtype=bool), np.asarray(data["score"]) >= threshold
    w = np.asarray(data.get("weight", np.ones(len(y))))
    return tuple(w[mask].sum() for mask in (y & called, ~y & called, y & ~called, ~y & ~called))


def f_beta(beta):
    return lambda tp, fp, fn, tn: (1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * fn + fp)


def mcc(tp, fp, fn, tn):
    below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return (tp * tn - fp * fn) / below**0.5 if below else -inf


VALUE = {
    "F1": f_beta(1),
    "F2": f_beta(2),
    "F0.5": f_beta(0.5),
    "MCC": mcc,
    "Youden": lambda tp, fp, fn, tn: tp / (tp + fn) - fp / (fp + tn),
    "Accuracy": lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn),
    "BalancedAccuracy": lambda tp, fp, fn, tn: (tp / (tp + fn) + tn / (fp + tn)) / 2,
}


def best_by_loop(data, value, candidates):
    """The highest of the best thresholds, a hair of rounding aside."""
    values = {t: value(*cells(data, t)) for t in candidates}
    top = max(values.values())
    return max(t for t, v in values.items() if v >= top - 1e-12), top


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("by", VALUE)
def test_best_threshold_is_that_of_a_loop(by, seed, weighted):
    data = rows(seed=seed, weighted=weighted)
    extra = [inf] if by == "Accuracy" else []

    got = choose_threshold(data, by, split=None)

    threshold, value = best_by_loop(data, VALUE[by], [*np.unique(data["score"]), *extra])
    assert (got.threshold, got.value) == (threshold, approx(value))
    assert got.value_chosen == approx(value)


def test_cost_is_that_of_a_loop():
    data = rows()

    got = choose_threshold(data, "cost", cost_fp=1, cost_fn=3, split=None)

    threshold, value = best_by_loop(data, lambda tp, fp, fn, tn: -(fp + 3 * fn), [*np.unique(data["score"]), inf])
    assert (got.threshold, got.value * 300) == (threshold, approx(-value))


@pytest.mark.parametrize("floor", [0.5, 0.7, 0.8])
def test_recall_at_a_precision(floor):
    data = rows()

    got = choose_threshold(data, "precision", at_least=floor, split=None)

    reached = {t: c for t in np.unique(data["score"]) if (c := cells(data, t))[0] / (c[0] + c[1]) >= floor}
    most = max(c[0] for c in reached.values())
    assert got.threshold == max(t for t, c in reached.items() if c[0] == most)
    assert got.precision >= floor
    assert got.measure == "Recall"
    assert got.value == got.recall == approx(most / data["label"].sum())


@pytest.mark.parametrize("floor", [0.3, 0.9, 1])
def test_precision_at_a_recall(floor):
    data = rows()

    got = choose_threshold(data, "recall", at_least=floor, split=None)

    reached = {
        t: c[0] / (c[0] + c[1]) for t in np.unique(data["score"]) if (c := cells(data, t))[0] / (c[0] + c[2]) >= floor
    }
    assert got.recall >= floor
    assert got.value == got.precision == approx(max(reached.values()))


@pytest.mark.parametrize("share", [0.1, 0.3, 1.0])
def test_share_calls_as_many_as_it_may(share):
    score = np.arange(10) / 10
    data = {"label": [0, 1] * 5, "score": score}

    got = choose_threshold(data, "share", share=share, split=None)

    assert got.share == approx(share)
    assert got.threshold == score[10 - round(10 * share)]


def test_share_never_parts_equal_scores():
    data = {"label": [1, 0, 1, 0, 0], "score": [0.9, 0.5, 0.5, 0.5, 0.1]}

    assert choose_threshold(data, "share", share=0.5, split=None).share == 0.2


def test_ties_take_the_highest_threshold():
    # calling 1 row or 3 rows positive gives the same accuracy, 3/4
    data = {"label": [1, 0, 1, 0], "score": [0.9, 0.7, 0.5, 0.1]}

    assert choose_threshold(data, "Accuracy", split=None).threshold == 0.9


def test_calling_nothing_can_be_cheapest():
    data = {"label": [0, 1, 0, 0], "score": [0.9, 0.7, 0.5, 0.1]}

    got = choose_threshold(data, "cost", cost_fp=10, cost_fn=1, split=None)

    assert got.threshold == inf
    assert got.confusion == (0, 0, 1, 3)
    assert isnan(got.precision)
    assert got.value == 1 / 4
    assert "calling no row positive is best" in got.notes


def test_calling_nothing_can_be_most_accurate():
    got = choose_threshold({"label": [0, 1, 0, 0], "score": [0.9, 0.7, 0.5, 0.1]}, "Accuracy", split=None)

    assert (got.threshold, got.value, got.majority) == (inf, 0.75, 0.75)
    assert got.interval.low < 0.75 <= got.interval.high


def test_record_adds_up():
    data = rows(1000, weighted=True)
    got = choose_threshold(data, "F2", group="user")
    tp, fp, fn, tn = got.confusion

    assert got.precision == approx(tp / (tp + fp))
    assert got.recall == approx(tp / (tp + fn))
    assert got.f == approx(got.value) == approx(5 * tp / (5 * tp + 4 * fn + fp))
    assert got.accuracy == approx((tp + tn) / (tp + fp + fn + tn))
    assert got.majority == approx(max(tp + fn, fp + tn) / (tp + fp + fn + tn))
    assert got.share == approx((tp + fp) / (tp + fp + fn + tn))
    assert got.rows + got.rows_chosen == 1000
    assert got.interval.low < got.value < got.interval.high
    assert float(got) == got.threshold
    assert got.to_frame().to_dicts() == got.csv_rows()
    assert "f2" in got.csv_rows()[0]


@pytest.mark.parametrize("by", ["F1", "MCC", "Youden", "BalancedAccuracy"])
def test_interval_is_that_of_the_measure_at_the_threshold(by):
    data = rows(1000)
    got = choose_threshold(data, by, split=None, group="user")
    name = {"F1": "F", "Youden": "BalancedAccuracy"}.get(by, by)
    ev = evaluate_predictions(data, f"{name}(threshold={got.threshold})", group="user")
    low, high = ev.interval(ev.labels[0])

    assert got.interval == approx((2 * low - 1, 2 * high - 1) if by == "Youden" else (low, high))


def test_interval_of_a_cost_is_that_of_a_mean():
    data = {name: column for name, column in rows(500).items() if name != "user"}
    got = choose_threshold(data, "cost", cost_fp=1, cost_fn=4, split=None)
    called = data["score"] >= got.threshold
    costs = np.where(called, ~data["label"] * 1.0, data["label"] * 4.0)
    half = 1.9647 * costs.std(ddof=1) / 500**0.5

    assert got.interval == approx((costs.mean() - half, costs.mean() + half), rel=1e-4)


def test_chosen_on_one_part_and_reported_on_the_other():
    data = rows(1000)
    got = choose_threshold(data, "F1", group="user", rng=3)
    part = {
        side: {k: v[r] for k, v in data.items()} for side, r in (("fit", got.split.fit), ("judge", got.split.judge))
    }

    threshold, value = best_by_loop(part["fit"], VALUE["F1"], np.unique(part["fit"]["score"]))
    assert (got.threshold, got.value_chosen) == (threshold, approx(value))
    assert got.confusion == cells(part["judge"], threshold)
    assert not got.same_rows
    assert not got.notes


def test_same_rows_are_said_to_be_too_good():
    got = choose_threshold(rows(), split=None)

    assert got.same_rows
    assert "too good" in got.notes[0]


def test_validation_chooses_and_the_others_report():
    data, other = rows(seed=1), rows(seed=2)

    got = choose_threshold(data, "F1", validation=other)

    threshold, _ = best_by_loop(other, VALUE["F1"], np.unique(other["score"]))
    assert got.threshold == threshold
    assert got.confusion == cells(data, threshold)
    assert got.split.kind == "validation"


def test_broken_floor_is_told():
    data, other = rows(seed=1), {"label": [1, 1, 0], "score": [0.9, 0.2, 0.1]}

    got = choose_threshold(data, "precision", at_least=0.95, validation=other)

    assert got.threshold == 0.2
    assert f"precision is {got.precision:.4g} on the reported rows, below the 0.95" in got.notes[0]


def test_evaluation_is_taken_as_it_is():
    data = rows(500)
    ev = evaluate_predictions(data, "AUC", group="user")

    assert choose_threshold(ev).csv_rows() == choose_threshold(data, group="user").csv_rows()


def test_one_of_several_models():
    data = rows(200)
    both = {"label": data["label"], "score": {"a": data["score"], "b": 1 - data["score"]}}

    assert (
        choose_threshold(both, model="a").csv_rows()[0] | {"model": "score"}
        == choose_threshold({"label": data["label"], "score": data["score"]}).csv_rows()[0]
    )
    assert choose_threshold(evaluate_predictions(both, "AUC"), model="b").model == "b"
    with pytest.raises(ParameterError, match=r"one model, got 2: a, b. Pass model='a'"):
        choose_threshold(both)
    with pytest.raises(UnknownName, match="no model 'c'"):
        choose_threshold(both, model="c")


def test_scores_need_not_be_probabilities():
    data = rows()
    moved = {**data, "score": data["score"] * 8 - 4}

    assert choose_threshold(moved, split=None).threshold == approx(choose_threshold(data, split=None).threshold * 8 - 4)


@pytest.mark.parametrize("spelling", ["youden", "balanced_accuracy", "mcc", "f_1", "f2", "balanced accuracy"])
def test_spellings_of_by(spelling):
    assert choose_threshold(rows(), spelling, split=None).threshold > 0


def test_beta_and_name_agree():
    assert choose_threshold(rows(), "F", beta=2).csv_rows() == choose_threshold(rows(), "F2").csv_rows()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "G1"}, "`by` must be one of F, MCC"),
        ({"by": "Yuden"}, "Did you mean Youden"),
        ({"by": None}, "`by` must be one of"),
        ({"by": "F2", "beta": 3}, "says beta already"),
        ({"by": "MCC", "beta": 2}, "`beta` is for by='F'"),
        ({"by": "F", "beta": 0}, "`beta` must be a number above 0, got 0"),
        ({"by": "cost", "cost_fp": 1}, "needs cost_fp= and cost_fn="),
        ({"by": "cost", "cost_fp": -1, "cost_fn": 1}, "`cost_fp` must be a number from 0 up, got -1"),
        ({"by": "cost", "cost_fp": 0, "cost_fn": 0}, "must be above 0"),
        ({"by": "precision"}, "needs at_least="),
        ({"by": "F1", "at_least": 0.5}, "`at_least` is for by='precision' or 'recall', got by='F1'"),
        ({"by": "recall", "at_least": 1.5}, "above 0 and up to 1, got 1.5"),
        ({"by": "share", "share": True}, "`share` must be above 0 and up to 1, got True"),
        ({"split": "halves"}, "`split` must be one of auto, time, half.* Did you mean half"),
        ({"split": 1.0}, "got 1.0"),
        ({"split": "time"}, "split='time' needs a time"),
        ({"split": "half", "validation": rows()}, "pass `validation` or `split`"),
        ({"confidence_level": 2}, "`confidence_level`"),
        ({"lable": "x"}, "got 'lable'. Did you mean label"),
    ],
)
def test_wrong_parameters(options, message):
    with pytest.raises(ParameterError, match=message):
        choose_threshold(rows(), **options)


def test_floor_out_of_reach_names_the_best():
    data = {"label": [0, 1, 1, 0], "score": [0.9, 0.7, 0.5, 0.1]}

    with pytest.raises(InputError, match=r"no threshold reaches a precision of 0.9; the best is 0.6667"):
        choose_threshold(data, "precision", at_least=0.9, split=None)


def test_share_out_of_reach_names_the_least():
    with pytest.raises(InputError, match=r"highest score alone is 0.5 of the rows, more than share=0.1"):
        choose_threshold({"label": [0, 1, 1, 0], "score": [0.9, 0.9, 0.5, 0.1]}, "share", share=0.1, split=None)


def test_mcc_of_a_constant_score_is_refused():
    with pytest.raises(InputError, match="MCC is undefined at every threshold"):
        choose_threshold({"label": [0, 1], "score": [0.5, 0.5]}, "MCC", split=None)


def test_labels_must_be_hard_and_of_both_classes():
    with pytest.raises(InputError, match="labels must be 0 and 1, got 1 of 3 between"):
        choose_threshold({"label": [0, 0.5, 1], "score": [0.1, 0.2, 0.3]}, split=None)
    with pytest.raises(InputError, match="must hold both classes, all 2 labels of one part are 1"):
        choose_threshold({"label": [1, 1, 0, 1], "score": [0.1, 0.2, 0.3, 0.4], "time": [1, 2, 3, 4]})


def test_stored_evaluation_has_no_rows(tmp_path):
    ev = evaluate_predictions(rows(), "AUC")
    again = type(ev).from_dict(ev.to_dict())

    with pytest.raises(InputError, match="was stored and has no rows"):
        choose_threshold(again)


def test_evaluation_was_read_already():
    with pytest.raises(ParameterError, match="has been read already, got group"):
        choose_threshold(evaluate_predictions(rows(), "AUC"), group="user")


# splits


def predictions(n=200, *, seed=0, time=None, groups=None):
    rng = np.random.default_rng(seed)
    data = {"label": rng.random(n) < 0.5, "score": rng.random(n)}
    data |= {} if time is None else {"time": time}
    return Predictions.of(data | ({} if groups is None else {"group": groups}))


def complete(split, n):
    return sorted([*split.fit, *split.judge]) == list(range(n))


def test_time_split_fits_on_the_earlier_half():
    time = np.random.default_rng(1).permutation(200)

    split = split_rows(predictions(time=time))

    assert complete(split, 200)
    assert set(time[split.fit]) == set(range(100))
    assert split.kind == "time"
    assert "before 100" in split.text


def test_times_are_never_parted():
    time = np.repeat([1, 2, 3], [20, 110, 70])

    split = split_rows(predictions(time=time))

    assert (set(time[split.fit]), set(time[split.judge])) == ({1, 2}, {3})


def test_share_of_rows_by_time():
    split = split_rows(predictions(time=np.arange(200)), 0.8)

    assert list(split.judge) == list(range(160, 200))


def test_datetimes_split_too():
    time = np.datetime64("2024-01-01") + np.arange(200)

    assert split_rows(predictions(time=time)).cut == "2024-04-10"
    assert split_rows(predictions(time=time.astype("M8[us]"))).cut == "2024-04-10"
    assert split_rows(predictions(time=time + np.timedelta64(90, "m"))).cut == "2024-04-10T01:30"


def test_groups_are_never_split():
    groups = np.random.default_rng(2).integers(0, 30, 200)

    for seed in range(20):
        split = split_rows(predictions(groups=groups), rng=seed)
        assert complete(split, 200)
        assert not set(groups[split.fit]) & set(groups[split.judge])
        assert 80 <= len(split.fit) <= 120


def test_half_ignores_times():
    split = split_rows(predictions(time=np.arange(200)), "half")

    assert split.kind == "row"
    assert len(split.fit) == 100
    assert split.fit.max() > 150


def test_same_seed_same_split():
    p = predictions(groups=np.arange(200) % 37)
    one, two, other = (split_rows(p, 0.3, rng) for rng in (5, 5, 6))

    assert np.array_equal(one.fit, two.fit)
    assert not np.array_equal(one.fit, other.fit)


def test_one_side_is_never_empty():
    assert len(split_rows(predictions(3), 0.01).fit) == 1
    assert len(split_rows(predictions(3), 0.99).judge) == 1
    with pytest.raises(InputError, match="two groups or more"):
        split_rows(predictions(groups=np.zeros(200, dtype=int)))
    one_time = predictions(time=np.full(200, 7))
    assert split_rows(one_time).kind == "row"
    assert split_rows(one_time, 0.7).kind == "row"
    with pytest.raises(InputError, match="two times or more, all have 7"):
        split_rows(one_time, "time")


def test_rows_of_one_group_have_no_interval_and_it_is_said():
    rows = {"label": [0, 1, 0, 1] * 5, "score": [0.1, 0.8, 0.4, 0.3] * 5, "user_id": ["u"] * 20}

    found = choose_threshold(rows, "F1", split=None)

    assert np.isnan(found.interval.low)
    assert "no interval: all reported rows are of one group" in found.notes
    assert "没有区间：报告用的行都属于同一组" in [getattr(note, "zh", "") for note in found.notes]
    apart = choose_threshold({**rows, "user_id": list("abcd") * 5}, "F1", split=None)
    assert not any("interval" in note for note in apart.notes)
