"""evaluate_predictions: the same numbers from every form of the data, and a reason for every missing one."""

import json
from math import isnan, log

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from rankgauge._text import zh
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.measures.predictions.auc import AUC

approx = pytest.approx

ROWS = {
    "label": [1, 0, 0, 1, 0, 1, 0, 0],
    "score": [0.9, 0.25, 0.5, 0.125, 0.0625, 0.75, 0.75, 0.375],
    "weight": [1.0, 2.0, 1.0, 0.5, 1.0, 0.7, 0.1, 1.3],
    "group": ["u2", "u1", "u2", "u3", "u1", "u1", "u3", "u3"],
    "device": ["phone", "tablet", "phone", "phone", "tablet", "phone", "tablet", "phone"],
}
ALL = [
    "AUC",
    "PRAUC",
    "GAUC",
    "CrossAUC",
    "LogLoss",
    "NE",
    "Brier",
    "COPC",
    "ECE(bins=2)",
    "ECCE",
    "MCB",
    "F(threshold=0.3)",
]


def evaluate(rows=ROWS, measures=None, **more):
    return rg.evaluate_predictions(rows, measures, **more)


def same(a, b):
    """Nothing differs but the name of the data."""
    a, b = a.to_dict(), b.to_dict()
    for one in (a, b):
        one.pop("data")
        one.pop("notes")
    assert a == b


# ways in


def as_csv(folder):
    pl.DataFrame(ROWS).write_csv(folder / "clicks.csv")
    return folder / "clicks.csv"


@pytest.mark.parametrize(
    "way",
    [
        lambda folder: {k: np.array(v) for k, v in ROWS.items()},
        lambda folder: pd.DataFrame(ROWS),
        lambda folder: pl.DataFrame(ROWS),
        as_csv,
        lambda folder: str(as_csv(folder)),
        lambda folder: rg.Predictions.of(ROWS, slices="device"),
    ],
    ids=["arrays", "pandas", "polars", "path", "text", "Predictions"],
)
def test_every_form_of_the_data_gives_identical_numbers(way, tmp_path):
    data = way(tmp_path)
    more = {} if isinstance(data, rg.Predictions) else {"slices": "device"}

    ev = evaluate(data, ALL, **more)

    same(ev, evaluate(measures=ALL, slices="device"))
    assert ev.slices.equals(evaluate(measures=ALL, slices="device").slices)
    assert ev.per_group.equals(evaluate(measures=ALL).per_group)


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame])
def test_shuffled_rows_give_the_same_numbers_to_the_last_bit(frame):
    rng = np.random.default_rng(3)
    n = 400
    rows = {
        "label": (rng.random(n) < 0.3).astype(int),
        "score": np.round(rng.random(n), 2),
        "weight": rng.random(n) + 0.01,
        "group": rng.integers(0, 30, n).astype(str),
    }
    names = [*ALL, "GAUC(weight=pairs)", "Recall(threshold=0.3, average=macro)"]
    want = evaluate(frame(rows), names).mean()

    for _ in range(3):
        o = rng.permutation(n)
        assert evaluate(frame({k: v[o] for k, v in rows.items()}), names).mean() == want


def test_columns_are_named_or_recognised():
    other = {"click": ROWS["label"], "pctr": ROWS["score"], "user_id": ROWS["group"]}
    want = evaluate({k: ROWS[k] for k in ("label", "score", "group")}, ALL).mean()

    assert evaluate(other, ALL).mean() == want
    odd = {"a": ROWS["label"], "b": ROWS["score"], "c": ROWS["group"]}
    assert evaluate(odd, ALL, label="a", scores="b", group="c").mean() == want
    assert evaluate(odd, ALL, columns={"a": "label", "b": "score", "c": "group"}).mean() == want


# names


def test_numbers_answer_to_every_spelling():
    ev = evaluate(measures=["AUC", "log_loss", "F1(threshold=0.3)"])

    assert ev["AUC"] == ev["roc_auc"] == ev["ROC AUC"] == ev[AUC()]
    assert ev["log_loss"] == ev["LogLoss"] == ev["binary_cross_entropy"]
    assert ev["F1(threshold=0.3)"] == ev["f_beta(t=0.3)"]
    assert "auroc" in ev
    assert "PRAUC" not in ev
    assert ev.labels == list(ev) == ["AUC", "log_loss", "F1(threshold=0.3)"]
    with pytest.raises(UnknownName, match=r"Brier was not evaluated.*There are: AUC, log_loss"):
        ev["Brier"]


def test_one_measure_needs_no_list():
    assert evaluate(measures="AUC").mean() == evaluate(measures=AUC()).mean() == evaluate(measures=["AUC"]).mean()


def test_more_measures_of_the_same_rows():
    ev = evaluate(measures="AUC")

    assert ev.evaluate("Brier", "PRAUC").mean() == evaluate(measures=["Brier", "PRAUC"]).mean()


def test_an_unknown_measure_is_refused():
    with pytest.raises(UnknownName, match="Did you mean AUC"):
        evaluate(measures="AUCC")


# what is computed unless said


def without(*names):
    return {k: v for k, v in ROWS.items() if k not in names}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (ROWS, ["AUC", "PRAUC", "GAUC", "LogLoss", "NE", "COPC", "ECE", "ECCE"]),
        (without("group"), ["AUC", "PRAUC", "LogLoss", "NE", "COPC", "ECE", "ECCE"]),
        ({**without("group"), "score": [3, 1, 2, -1, 0, 5, 4, 2]}, ["AUC", "PRAUC", "KS"]),
        ({"label": [0.5, 0.1], "score": [0.4, 0.2]}, ["LogLoss", "NE", "COPC", "ECE", "ECCE"]),
    ],
    ids=["groups", "rows", "scores", "soft"],
)
def test_default_measures_are_those_the_rows_can_answer(rows, expected):
    ev = evaluate(rows)

    assert ev.labels == expected
    assert not ev.undefined


# several models


def test_scores_that_are_calls_need_no_threshold():
    rows = {"y_true": [1, 1, 1, 0, 0], "y_pred": [1, 1, 0, 1, 0]}

    ev = rg.evaluate_predictions(rows)

    assert ev["Accuracy"] == 3 / 5
    assert (ev["Precision"], ev["Recall"], ev["F1"]) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert "all scores are 0 or 1: calls" in "".join(ev.remarks)
    assert rg.evaluate_predictions(rows, ["accuracy", "AUC"])["accuracy"] == 3 / 5


@pytest.mark.parametrize("score", [[1, 1, 0, 0.5, 0], [0.2, 0.9, 0.4, 0.3, 0.1]])
def test_scores_between_are_no_calls(score):
    rows = {"label": [1, 1, 1, 0, 0], "score": score}

    assert "LogLoss" in rg.evaluate_predictions(rows).mean()
    with pytest.raises(rg.errors.ParameterError, match="`threshold` must be said"):
        rg.evaluate_predictions(rows, "Accuracy")


def test_calls_beside_probabilities_are_measured_like_them():
    rows = {"label": [1, 1, 1, 0, 0], "a": [1, 1, 0, 1, 0], "b": [0.2, 0.9, 0.4, 0.3, 0.1]}

    evs = rg.evaluate_predictions(rows, scores=["a", "b"])

    assert list(evs["a"].mean()) == list(evs["b"].mean())
    assert "AUC" in evs["a"].mean()


def test_several_scores_are_evaluated_on_the_same_rows():
    rows = {**without("score"), "old": ROWS["score"], "new": [s / 2 for s in ROWS["score"]]}

    both = evaluate(rows, ["AUC", "LogLoss"], scores=["old", "new"])

    assert list(both) == ["old", "new"]
    assert both["old"].mean() == evaluate(measures=["AUC", "LogLoss"]).mean()
    assert both["new"]["AUC"] == both["old"]["AUC"]
    assert both.difference("LogLoss", "new").value == both["new"]["LogLoss"] - both["old"]["LogLoss"]
    assert both.to_frame()["LogLoss"].to_list() == [both["old"]["LogLoss"], both["new"]["LogLoss"]]
    with pytest.raises(UnknownName, match="'newest'"):
        both["newest"]


def test_models_may_have_different_scales():
    both = evaluate({"label": [1, 0, 1], "score": {"p": [0.9, 0.1, 0.4], "z": [3.0, -1.0, 0.2]}})

    assert both["p"].policy.scale == "probability"
    assert both["z"].policy.scale == "score"


# what the scores are


def test_scores_between_0_and_1_are_probabilities_unless_said():
    assert evaluate().policy.scale == "probability"
    assert evaluate(scale="score", measures=["AUC", "LogLoss"]).undefined["LogLoss"].startswith("needs probabilities")


def test_scores_beyond_are_an_order_unless_said():
    rows = {"label": [1, 0, 1], "score": [2.0, -1.0, 0.5]}

    assert evaluate(rows).policy.scale == "score"
    with pytest.raises(InputError, match=r"2 of 3 scores are outside \[0, 1\] \(-1 to 2\).*scale='logit'"):
        evaluate(rows, scale="probability")


def test_logits_give_the_numbers_of_their_probabilities():
    logits = {**ROWS, "score": [log(p / (1 - p)) for p in ROWS["score"]]}
    names = [name for name in ALL if "threshold" not in name]

    assert evaluate(logits, names, scale="logit").mean() == approx(evaluate(measures=names).mean(), rel=1e-12)


def test_an_unknown_scale_is_refused():
    with pytest.raises(ParameterError, match=r"`scale` must be one of auto, probability, logit, score, got 'logits'"):
        evaluate(scale="logits")


def test_kept_negatives_correct_the_probabilities():
    rows = {"label": [1, 0], "score": [0.5, 0.5]}

    ev = evaluate(rows, ["COPC", "AUC"], negatives_kept=0.01)

    p = 0.5 / (0.5 + 0.5 / 0.01)
    assert ev["COPC"] == approx(1 / (2 * p))
    assert ev["AUC"] == 0.5
    assert ev.policy.negatives_kept == 0.01


@pytest.mark.parametrize("kept", [0, -0.5, 1.5])
def test_kept_negatives_are_a_share(kept):
    with pytest.raises(ParameterError, match="`negatives_kept` must be above 0 and up to 1 or None, got"):
        evaluate(negatives_kept=kept)


# labels


def test_labels_minus_1_and_1_are_0_and_1():
    assert evaluate({**ROWS, "label": [2 * y - 1 for y in ROWS["label"]]}).mean() == evaluate().mean()


def test_labels_as_words_with_the_positive_one_named():
    words = {**ROWS, "label": ["yes" if y else "no" for y in ROWS["label"]]}

    assert evaluate(words, positive="yes").mean() == evaluate().mean()


def test_labels_true_and_false():
    assert evaluate({**ROWS, "label": [bool(y) for y in ROWS["label"]]}).mean() == evaluate().mean()


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_has_reasons_instead_of_numbers(label):
    ev = evaluate({"label": [label, label], "score": [0.2, 0.1]}, ["AUC", "NE", "LogLoss", "Brier"])

    assert isnan(ev["AUC"])
    assert isnan(ev["NE"])
    assert set(ev.undefined) == {"AUC", "NE"}
    assert ev.undefined["AUC"] == f"needs both classes; all 2 labels are {label}"
    assert ev["Brier"] == approx((0.2 - label) ** 2 / 2 + (0.1 - label) ** 2 / 2)
    assert np.isnan(ev.interval("AUC")).all()
    assert ev.column("AUC").beside == {}
    assert ev.to_frame()["undefined"][0] == ev.undefined["AUC"]


def test_soft_labels_have_losses_and_no_order():
    ev = evaluate({"label": [0.25, 1.0], "score": [0.5, 0.5]}, ["LogLoss", "AUC"])

    assert ev["LogLoss"] == approx(log(2))
    assert ev.undefined == {"AUC": "needs labels 0 and 1; 1 of 2 are between"}
    assert ev.counts["soft_labels"] == 1


def test_counts_say_what_went_in():
    rows = {**ROWS, "weight": [0, *ROWS["weight"][1:]]}

    ev = evaluate(rows, "AUC")

    assert ev.counts["rows"] == 7
    assert ev.counts["zero_weight_rows"] == 1
    assert ev.counts["groups"] == 3
    assert ev.counts["weight"] == approx(sum(rows["weight"]))
    assert ev.counts["positives"] == approx(0.5 + 0.7)
    assert any("left out 1 row of weight 0" in note for note in ev.notes)


# parts


def test_slices_are_evaluations_of_their_rows():
    ev = evaluate(measures=["AUC", "LogLoss"], slices="device")
    phone = [i for i, d in enumerate(ROWS["device"]) if d == "phone"]
    alone = evaluate({k: [v[i] for i in phone] for k, v in ROWS.items()}, ["AUC", "LogLoss"])

    row = ev.slices.row(0, named=True)

    assert row == {"slice": "device", "value": "phone", "rows": 5, **alone.mean()}
    assert ev.slices["value"].to_list() == ["phone", "tablet"]


def test_slices_need_segments():
    with pytest.raises(ParameterError, match="there are no slices"):
        evaluate(measures="AUC").slices  # noqa: B018


def test_columns_of_ids_are_no_segments():
    rows = {"label": [0, 1] * 40, "score": [0.5] * 80, "row": [str(i) for i in range(80)]}

    with pytest.raises(ParameterError, match="these are ids, not slices"):
        evaluate(rows, "AUC", slices="row").slices  # noqa: B018


def test_per_group_has_a_row_per_group():
    frame = evaluate(measures=["AUC", "LogLoss", "ECE", "Recall(threshold=0.3)"]).per_group

    assert frame.columns == ["group", "rows", "positives", "AUC", "LogLoss", "Recall(threshold=0.3)"]
    assert frame["group"].to_list() == ["u1", "u2", "u3"]
    assert frame["rows"].to_list() == [3, 2, 3]
    assert frame["positives"].to_list() == approx([0.7, 1.0, 0.5])
    assert frame["AUC"].to_list() == approx([1, 1, 0])
    mine = [i for i, g in enumerate(ROWS["group"]) if g == "u3"]
    alone = evaluate({k: [v[i] for i in mine] for k, v in ROWS.items()}, "LogLoss")
    assert frame["LogLoss"][2] == approx(alone["LogLoss"])


def test_per_group_of_one_class_is_null():
    frame = evaluate({"label": [1, 0, 1], "score": [0.9, 0.1, 0.5], "group": ["a", "a", "b"]}, "AUC").per_group

    assert frame["AUC"].to_list() == [1, None]


def test_per_group_needs_groups():
    with pytest.raises(ParameterError, match="there are no groups"):
        evaluate(without("group"), "AUC").per_group  # noqa: B018


# storing


def test_a_stored_evaluation_says_the_same(tmp_path):
    ev = evaluate(measures=[*ALL, "Precision(threshold=2)"], negatives_kept=0.5, name="clicks")

    for back in (
        rg.Evaluation.from_dict(ev.to_dict()),
        rg.Evaluation.from_dict(json.loads(ev.to_json(tmp_path / "ev.json"))),
        rg.Evaluation.from_json(tmp_path / "ev.json"),
    ):
        assert isinstance(back, rg.PredictionEvaluation)
        assert json.dumps(back.to_dict()) == json.dumps(ev.to_dict())
        assert back["roc_auc"] == ev["AUC"]
        assert back.interval("AUC", 0.5) == approx(ev.interval("AUC", 0.5))
        assert back.undefined == ev.undefined
        assert (back.policy, back.data, back.counts) == (ev.policy, "clicks", ev.counts)


def test_a_stored_evaluation_has_no_rows_but_its_slices_and_what_pairs_it():
    live = evaluate(measures="AUC", slices="device")
    back = rg.Evaluation.from_dict(live.to_dict())

    assert back.slices.equals(live.slices)
    assert back.difference(evaluate(measures="AUC"), "AUC").value == 0
    for ask in (
        lambda: back.per_group,
        lambda: back.evaluate("Brier"),
        lambda: back.interval("AUC", method="bootstrap"),
    ):
        with pytest.raises(InputError, match="evaluate the predictions again"):
            ask()


def test_one_reader_for_both_kinds_of_evaluations(tmp_path):
    evaluate(measures="AUC").to_json(tmp_path / "predictions.json")
    rg.evaluate({"q": ["a"]}, {"q": ["a", "b"]}, "P@1").to_json(tmp_path / "rankings.json")

    assert rg.Evaluation.from_json(tmp_path / "predictions.json")["AUC"] == evaluate(measures="AUC")["AUC"]
    assert rg.Evaluation.from_json(tmp_path / "rankings.json")["P@1"] == 1


def test_something_else_is_no_stored_evaluation():
    with pytest.raises(InputError, match="kind must be that of Evaluation, got 'x'"):
        rg.Evaluation.from_dict({"kind": "x"})


def test_several_models_are_stored_by_name():
    both = evaluate({"label": [1, 0, 1], "score": {"a": [0.9, 0.1, 0.4], "b": [0.1, 0.5, 0.4]}}, "AUC")

    stored = json.loads(both.to_json())

    assert list(stored) == ["a", "b"]
    assert rg.Evaluation.from_dict(stored["b"])["AUC"] == both["b"]["AUC"]


def test_missing_numbers_are_null_in_json():
    stored = json.loads(evaluate({"label": [1, 1], "score": [0.1, 0.2]}, "AUC").to_json())

    assert stored["measures"][0]["value"] is None
    assert stored["measures"][0]["undefined"]


# curves


def test_curves_hold_every_distinct_threshold():
    ev = rg.evaluate_predictions({"label": [1, 0, 1, 0], "score": [1, 1, 0.5, 0]}, ["AUC"])

    assert ev.curve("roc").rows() == [(float("inf"), 0, 0), (1, 0.5, 0.5), (0.5, 0.5, 1), (0, 1, 1)]
    assert ev.curve("pr").rows() == [(1, 0.5, 0.5), (0.5, 1, 2 / 3), (0, 1, 0.5)]
    assert ev.curve("gain").rows() == [(1, 0.5, 0.5, 1), (0.5, 0.75, 1, 4 / 3), (0, 1, 1, 1)]
    assert ev.confusion(0.5) == (2, 1, 0, 1)


def test_thinned_curves_keep_their_ends():
    rng = np.random.default_rng(0)
    score = rng.random(5000)
    ev = rg.evaluate_predictions({"label": rng.random(5000) < score, "score": score}, ["AUC"])

    whole, thin = ev.curve("pr"), ev.curve("pr", points=50)

    assert 45 <= len(thin) <= 52
    assert (thin.row(0), thin.row(-1)) == (whole.row(0), whole.row(-1))
    assert set(thin.rows()) <= set(whole.rows())


def test_curves_refuse_what_has_none():
    one_class = rg.evaluate_predictions({"label": [1, 1], "score": [0.2, 0.3]}, ["LogLoss"])
    with pytest.raises(InputError, match="both of them"):
        one_class.curve()
    ev = rg.evaluate_predictions({"label": [1, 0], "score": [0.2, 0.3]}, ["AUC"])
    with pytest.raises(ParameterError, match="`kind` must be one of roc, pr, gain, got 'lift'"):
        ev.curve("lift")
    with pytest.raises(ParameterError, match="`points` must be a whole number from 2 up or None, got 1"):
        ev.curve("roc", points=1)


def test_many_named_groups_are_those_of_as_many_numbers():
    """Codes of names are as narrow as their number allows: four cells of 100 groups are more than a byte can count."""
    rng = np.random.default_rng(4)
    rows = {"label": rng.integers(0, 2, 2000), "score": rng.random(2000)}
    group = rng.integers(0, 100, 2000)
    name = "Recall(threshold=0.2, average=macro)"

    expected = evaluate({**rows, "group": group}, name)[name]

    assert evaluate({**rows, "group": [f"u{i}" for i in group]}, name)[name] == expected
    assert evaluate({**rows, "group": group.astype(np.int8)}, name)[name] == expected


def test_a_base_rate_next_to_nothing_leaves_nothing_to_be_uncertain_about():
    ev = rg.evaluate_predictions({"label": [0.0] * 5 + [1e-320], "score": [0.1, 0.2, 0.3, 0.1, 0.5, 0.6]}, ["NE"])

    assert "nothing to be uncertain about" in ev.undefined["NE"]


@pytest.mark.parametrize("called", [{"score": [0.2, 0.7, 0.4, 0.6] * 50}, {"prediction": ["x", "y", "z", "x"] * 50}])
def test_a_few_rows_that_outweigh_all_others_are_told(called):
    label = ["x", "y", "z", "x"] * 50 if "prediction" in called else [0, 1, 0, 1] * 50
    rows = {"label": label, **called, "w": [1000.0] + [1.0] * 199}

    ev = rg.evaluate_predictions(rows, weight="w")
    equal = rg.evaluate_predictions({**rows, "w": [0.1] * 200}, weight="w")

    left = (1000 + 199) ** 2 / (1000**2 + 199)  # 1.437…
    assert left == pytest.approx(1.437, abs=1e-3)
    assert "weights leave 1.4 of 200 rows" in str(ev)
    assert "只相当于 1.4" in zh(ev.remarks[-1])
    assert "outweigh" not in str(equal)


@pytest.mark.parametrize("called", [{"score": [0.2, 0.7, 0.4, 0.6]}, {"prediction": ["x", "y", "z", "x"]}])
def test_that_all_rows_are_of_one_group_is_told(called):
    label = ["x", "y", "z", "x"] if "prediction" in called else [0, 1, 0, 1]
    rows = {"label": label, **called}

    ev = rg.evaluate_predictions({**rows, "user_id": ["u"] * 4})

    assert np.isnan(ev.interval(ev.labels[0]).low)
    assert "no intervals: all rows are of one group" in str(ev)
    assert "没有置信区间：所有行都属于同一组" in zh(ev.remarks[-1])
    for other in (rows, {**rows, "user_id": ["u", "u", "v", "v"]}):
        assert "one group" not in str(rg.evaluate_predictions(other))


@pytest.mark.parametrize("name", ["CTR", "cvr", "点击率"])
def test_a_rate_of_what_happened_is_answered_with_what_there_is(name):
    with pytest.raises(rg.errors.UnknownName, match="share of positives under every table") as e:
        rg.evaluate_predictions({"label": [0, 1], "score": [0.2, 0.7]}, [name])

    assert "COPC divides it by the mean prediction" in str(e.value)
    assert "TPR" not in str(e.value)
    assert "COPC 是它与平均预测值之比" in zh(e.value.text)
