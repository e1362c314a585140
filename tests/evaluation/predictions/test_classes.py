"""Several classes from rows to numbers: intervals, pairs, slices, each class, what is stored, what is said."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn import metrics as sk

import rankgauge as rg
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.predictions import per_class
from rankgauge.reporting import render

FRAUD = {"label": ["normal"] * 998 + ["fraud"] * 2, "prediction": ["normal"] * 1000}


def rows(n: int = 300, seed: int = 0, classes: int = 3, **more) -> dict:
    rng = np.random.default_rng(seed)
    label = rng.integers(0, classes, n)
    called = np.where(rng.random(n) < 0.6, label, rng.integers(0, classes, n))
    names = np.array([f"c{i}" for i in range(classes)])
    return {"label": names[label], "prediction": names[called], **more}


# 004: accuracy


def test_calling_everything_normal_is_said_to_mislead():
    ev = rg.evaluate_predictions(FRAUD)
    text = str(ev)

    assert ev["Accuracy"] == 0.998
    assert ev["BalancedAccuracy"] == 0.5
    assert ev["Recall(average=macro)"] == 0.5
    assert "! accuracy misleads here: 99.8% is what always saying 'normal' has, too; " in text
    assert "balanced accuracy is 0.5000, and always saying one class has 0.5000" in text
    assert "准确率在这里有误导性：99.8% 与始终预测 'normal' 相同" in render(ev, "text", "zh")
    assert ev.evaluate("Recall(label=fraud)")["Recall(label=fraud)"] == 0


def test_a_share_near_1_is_not_rounded_to_it():
    weights = [800_000_000, 19]
    ev = rg.evaluate_predictions({"label": ["no", "yes"], "prediction": ["no", "no"], "weight": weights})

    assert "99.999998% is what always saying 'no' has" in str(ev)


def test_a_good_model_of_a_rare_class_is_told_that_accuracy_says_little():
    label = ["normal"] * 950 + ["fraud"] * 50
    ev = rg.evaluate_predictions({"label": label, "prediction": [*label[:-10], *["normal"] * 10]})

    assert "accuracy says little here: always saying 'normal' is right in 95.0% of the rows" in str(ev)
    assert "balanced accuracy is 0.9000" in str(ev)


def test_balanced_classes_need_no_warning():
    assert "always saying 'c" not in str(rg.evaluate_predictions(rows()))


def test_a_model_below_the_most_frequent_class_is_told_so_without_blaming_accuracy():
    ev = rg.evaluate_predictions({"label": list("aaabbc"), "prediction": list("bbcabc")})

    assert "! accuracy: 33.3% is below the 50.0% of always saying 'a'" in str(ev)
    assert "misleads" not in str(ev)


def test_who_does_not_ask_for_accuracy_is_not_told_about_it():
    assert "always saying 'normal'" not in str(rg.evaluate_predictions(FRAUD, ["f1_macro", "Kappa"]))


def test_one_class_only_is_said():
    ev = rg.evaluate_predictions({"label": ["a", "a"], "prediction": ["a", "b"]})

    assert "all rows are 'a': accuracy is how often that was said, and nothing is known about other classes" in str(ev)
    assert ev.undefined["MCC"] == "all rows are of one class"


# numbers


def test_numbers_of_a_file_are_those_of_scikit_learn(tmp_path: Path):
    data = rows()
    pl.DataFrame(data).write_csv(tmp_path / "t.csv")
    ev = rg.evaluate_predictions(tmp_path / "t.csv")
    y, p = data["label"], data["prediction"]

    assert ev["Accuracy"] == pytest.approx(sk.accuracy_score(y, p), rel=1e-12)
    assert ev["f1_macro"] == pytest.approx(sk.f1_score(y, p, average="macro"), rel=1e-12)
    assert ev["f1_weighted"] == pytest.approx(sk.f1_score(y, p, average="weighted"), rel=1e-12)
    assert ev["cohen_kappa_score"] == pytest.approx(sk.cohen_kappa_score(y, p), rel=1e-12)
    assert ev.confusion().matrix.tolist() == sk.confusion_matrix(y, p).tolist()
    precision, recall, f1, support = sk.precision_recall_fscore_support(y, p)
    frame = ev.per_class
    assert np.allclose(frame["precision"], precision, atol=1e-12)
    assert np.allclose(frame["recall"], recall, atol=1e-12)
    assert np.allclose(frame["f1"], f1, atol=1e-12)
    assert frame["rows"].to_list() == support.tolist()


def test_one_row():
    ev = rg.evaluate_predictions({"label": ["a"], "prediction": ["b"]})

    assert ev["Accuracy"] == 0
    assert math.isnan(ev.interval("Accuracy").low)
    assert math.isnan(ev.per_class["f1_low"][0] or math.nan)
    assert "1 row · 2 classes" in str(ev)


def test_what_needs_probabilities_says_so():
    ev = rg.evaluate_predictions(FRAUD, ["LogLoss", "Accuracy"])

    assert math.isnan(ev["LogLoss"])
    assert ev.undefined["LogLoss"].startswith("needs probabilities; the input has only predicted classes")


def test_defaults_follow_what_rows_offer():
    matrix = np.full((4, 6), 1 / 6)

    assert "LogLoss" not in rg.evaluate_predictions(FRAUD)
    assert "TopKAccuracy@3" in rg.evaluate_predictions({"label": [0, 1, 2, 5], "p": matrix})
    assert "TopKAccuracy" not in str(rg.evaluate_predictions({"label": [0, 1], "p_0": [1, 0], "p_1": [0, 1]}).labels)


def test_two_classes_with_probabilities_agree_with_labels_and_scores():
    rng = np.random.default_rng(3)
    y, p = rng.integers(0, 2, 200), rng.uniform(0.01, 0.99, 200)
    two = rg.evaluate_predictions({"label": y, "score": p}, ["AUC", "LogLoss", "Brier", "MCC(threshold=0.5)"])
    several = rg.evaluate_predictions(
        {"label": y, "p": np.column_stack([1 - p, p])}, ["AUC", "LogLoss", "Brier", "MCC"], classes=[0, 1]
    )

    assert several["AUC"] == pytest.approx(two["AUC"], rel=1e-12)
    assert several["LogLoss"] == pytest.approx(two["LogLoss"], rel=1e-12)
    assert several["Brier"] == pytest.approx(2 * two["Brier"], rel=1e-12)
    assert several["MCC"] == pytest.approx(two["MCC(threshold=0.5)"], rel=1e-12)
    for name in ("AUC", "LogLoss"):
        assert several.interval(name) == pytest.approx(two.interval(name), rel=1e-9)


# intervals


def test_groups_make_intervals_wider_where_their_rows_are_alike():
    data = rows(60)
    alone = rg.evaluate_predictions(data, ["Accuracy", "f1_macro"])
    five_times = {k: np.repeat(v, 5) for k, v in data.items()} | {"user_id": np.repeat(np.arange(60), 5)}
    grouped = rg.evaluate_predictions(five_times, ["Accuracy", "f1_macro"])

    for name in ("Accuracy", "f1_macro"):
        assert grouped[name] == pytest.approx(alone[name], rel=1e-12)
        assert grouped.interval(name) == pytest.approx(alone.interval(name), rel=1e-9)
    assert np.allclose(grouped.per_class["recall_low"], alone.per_class["recall_low"])
    assert grouped.n("Accuracy") == 60


def test_intervals_are_near_those_of_the_bootstrap():
    ev = rg.evaluate_predictions(rows(400), ["f1_macro", "Kappa", "BalancedAccuracy"])

    for name in ev.labels:
        by_slopes, by_draws = ev.interval(name), ev.interval(name, method="bootstrap", resamples=300)
        assert by_slopes.low == pytest.approx(by_draws.low, abs=0.01)
        assert by_slopes.high == pytest.approx(by_draws.high, abs=0.01)


@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_interval_of_a_class_is_that_of_the_measure_of_this_class(name):
    data = rows(200, weight=np.random.default_rng(1).uniform(0.5, 2, 200), user_id=np.arange(200) % 40)
    ev = rg.evaluate_predictions(data)
    frame = ev.per_class

    for row in frame.iter_rows(named=True):
        alone = ev.evaluate(f"{name}(label={row['class']})")
        assert row[name] == pytest.approx(alone[alone.labels[0]], rel=1e-12)
        assert (row[f"{name}_low"], row[f"{name}_high"]) == pytest.approx(tuple(alone.interval(alone.labels[0])))


@pytest.mark.long("coverage of intervals of classes")
def test_intervals_cover():
    rng = np.random.default_rng(5)
    truth = {"Accuracy": 0.6 + 0.4 / 3, "f1_macro": 0.6 + 0.4 / 3, "Kappa": 0.6}
    hits = dict.fromkeys(truth, 0)
    for i in range(300):
        ev = rg.evaluate_predictions(rows(200, seed=int(rng.integers(1 << 30)) + i), list(truth))
        for name, value in truth.items():
            low, high = ev.interval(name)
            hits[name] += low <= value <= high

    assert all(hit >= 0.91 * 300 for hit in hits.values()), hits


# two models, slices


def test_two_models_are_paired_on_the_same_rows():
    data = rows()
    data["other"] = data["label"].copy()
    data["other"][:60] = "c0"
    evs = rg.evaluate_predictions(data, ["Accuracy", "f1_macro"], prediction=["prediction", "other"])

    d = evs.difference("Accuracy", "other")
    right = {m: (data[m] == data["label"]).astype(float) for m in ("prediction", "other")}
    moved = right["other"] - right["prediction"]

    assert isinstance(evs, rg.ClassEvaluations)
    assert d.value == pytest.approx(moved.mean())
    assert d.error == pytest.approx(np.std(moved, ddof=1) / math.sqrt(300))
    assert d.is_better is True
    compared = evs.compare()
    assert compared.verdict("Accuracy", "other") == "better"
    assert "other minus prediction" in str(evs)


def test_models_of_separate_calls_are_paired_where_their_rows_agree():
    data = rows(50)
    one = rg.evaluate_predictions(data, ["Accuracy"])
    more = rg.evaluate_predictions({**data, "prediction": ["a new class"] * 50}, ["Accuracy"])

    assert one.difference(more, "Accuracy").value == one["Accuracy"]
    with pytest.raises(InputError, match="must be on the same rows"):
        one.difference(rg.evaluate_predictions(rows(50, seed=9), ["Accuracy"]), "Accuracy")


def test_a_difference_that_rests_on_one_row_is_not_tested():
    """The only row of a class moves balanced accuracy by a third, and nobody knows what another row would have done."""
    label = ["a"] * 10 + ["b"] * 10 + ["c"]
    rows_ = {"label": label, "old": label, "new": [*label[:-1], "a"]}
    evs = rg.evaluate_predictions(rows_, ["BalancedAccuracy", "Accuracy"], prediction=["old", "new"])

    d = evs.difference("BalancedAccuracy", "new")

    assert d.value == pytest.approx(-1 / 3)
    assert math.isnan(d.p_value)
    assert math.isnan(d.interval.low)
    assert d.is_better is None
    assert evs.compare()["BalancedAccuracy", "new"].word == "untested"
    assert not math.isnan(evs.difference("Accuracy", "new").p_value)
    assert evs.difference("Accuracy", "old").p_value == 1


def test_a_class_of_few_rows_is_said_to_make_intervals_too_narrow():
    label = ["a"] * 10 + ["b"] * 10 + ["c"]
    data = {"label": label, "prediction": label[::-1]}
    said = "1 class with fewer than 5 rows ('c'): intervals of means over classes may be too narrow"

    assert said in str(rg.evaluate_predictions(data))
    assert said not in str(rg.evaluate_predictions(data, ["Accuracy", "Kappa", "Recall(label=a)"]))
    assert "1 个类别的行数少于 5（'c'）" in render(rg.evaluate_predictions(data, "f1_macro"), "text", "zh")


def test_slices_have_the_numbers_of_their_rows():
    data = rows(100, device=["web", "app"] * 50)
    ev = rg.evaluate_predictions(data, ["Accuracy", "f1_macro"], slices="device")
    web = {k: v[::2] for k, v in data.items()}

    got = ev.slices.filter(pl.col("value") == "web").row(0, named=True)

    assert got["rows"] == 50
    assert got["f1_macro"] == rg.evaluate_predictions(web, ["f1_macro"])["f1_macro"]
    assert "by slice" in str(ev)


def test_per_group_has_accuracy_of_each_user():
    ev = rg.evaluate_predictions({"label": list("aabb"), "prediction": list("abbb"), "user_id": [1, 1, 2, 2]}, "acc")

    assert ev.per_group["acc"].to_list() == [0.5, 1.0]


# what is stored


def test_stored_evaluations_come_back_and_are_paired(tmp_path: Path):
    data = rows(80)
    old, new = rg.evaluate_predictions(data), rg.evaluate_predictions({**data, "prediction": data["label"]})
    old.to_json(tmp_path / "old.json")
    new.to_json(tmp_path / "new.json")

    back = rg.load(tmp_path / "old.json")

    assert back.mean() == old.mean()
    assert back.per_class.equals(old.per_class)
    assert back.confusion().to_frame().equals(old.confusion().to_frame())
    assert str(back) == str(old)
    assert rg.load(tmp_path / "new.json").difference(back, "Accuracy") == new.difference(old, "Accuracy")


def test_a_damaged_one_is_told():
    data = rg.evaluate_predictions(rows(20)).to_dict()

    for damage in (
        {"each": {**data["each"], "right": [1.0]}},
        {"cells": {**data["cells"], "called": [9] * len(data["cells"]["called"])}},
        {"cells": {**data["cells"], "classes": ["x"]}},
        {"counts": {"rows": "many"}},
    ):
        with pytest.raises(InputError, match=r"not what was stored|Store it again|expected"):
            rg.ClassEvaluation.from_dict({**data, **damage})


def test_of_many_cells_the_largest_are_stored():
    ev = rg.evaluate_predictions(rows(300, classes=8))
    kept = ev.confusion().largest(20)
    shares = {(r["label"], r["prediction"]): r["share_of_label"] for r in ev.confusion().to_frame().to_dicts()}

    assert len(kept.rows) == 20
    assert kept.left_out == len(ev.confusion().rows) - 20
    assert [kept.matrix[i, i] for i in range(8)] == ev.each.right
    off = [w for w, i, j in zip(ev.cells.weight, ev.cells.truth, ev.cells.called, strict=True) if i != j]
    kept_off = [w for w, i, j in zip(kept.weight, kept.truth, kept.called, strict=True) if i != j]
    assert sorted(kept_off) == sorted(off)[-12:]
    assert all(shares[r["label"], r["prediction"]] == r["share_of_label"] for r in kept.to_frame().to_dicts())
    assert len(ev.confusion().largest(3).rows) == 8
    assert per_class.MOST_CELLS >= 10_000


# thousands of classes


def test_thousands_of_classes_are_not_printed_whole():
    rng = np.random.default_rng(0)
    label = rng.integers(0, 5000, 20_000)
    called = np.where(rng.random(20_000) < 0.5, label, rng.integers(0, 5000, 20_000))
    ev = rg.evaluate_predictions({"label": label, "prediction": called}, classes=range(5000))
    text = str(ev)

    assert text.count("\n") < 60
    assert "the 20 classes with the most rows of 5,000; per_class has all" in text
    assert "most frequent mistakes" in text
    assert ev.per_class.height == 5000
    assert ev["Accuracy"] == pytest.approx(sk.accuracy_score(label, called))
    assert ev["f1_macro"] == pytest.approx(sk.f1_score(label, called, average="macro"))
    with pytest.raises(InputError, match=r"5,000 classes has 25,000,000 cells, most of them empty; `to_frame\(\)`"):
        ev.confusion().matrix  # noqa: B018
    svg = rg.plot(ev, "confusion").svg
    assert svg.count("<rect") < 300
    assert "the 15 largest of 5,000 classes" in svg
    assert ev.confusion().to_frame().height == len(ev.confusion().rows) <= 20_000


# what is refused


def test_other_engines_say_that_classes_need_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pl.DataFrame(rows(20)).write_parquet(tmp_path / "t.parquet")

    with pytest.raises(ParameterError, match="several classes are evaluated in memory, got engine='streaming'"):
        rg.evaluate_predictions(tmp_path / "t.parquet", prediction="prediction", engine="streaming")
    with pytest.raises(ParameterError, match="several classes are evaluated in memory, got engine='spark'"):
        rg.evaluate_predictions(tmp_path / "t.parquet", prediction="prediction", engine="spark")
    monkeypatch.setattr("rankgauge.evaluation.of_classes._GROWTH", 1 << 60)
    with pytest.raises(ParameterError, match="a table that does not fit into memory="):
        rg.evaluate_predictions(tmp_path / "t.parquet", prediction="prediction")


@pytest.mark.parametrize("word", [{"scale": "logit"}, {"negatives_kept": 0.1}, {"positive": "c0"}])
def test_words_about_two_classes_are_refused(word):
    with pytest.raises(ParameterError, match=f"`{next(iter(word))}` is about labels and scores of two classes"):
        rg.evaluate_predictions(rows(20), prediction="prediction", **word)


def test_a_matrix_is_printed_as_a_table():
    ev = rg.evaluate_predictions({"label": ["a", "a", "b"], "prediction": ["a", "b", "b"]}, prediction="prediction")

    assert str(ev.confusion()).splitlines()[2:] == [
        "label ↓ prediction →  a  b",
        "a                     1  1",
        "b                     ·  1",
    ]
    assert ev.confusion().to_csv().splitlines()[0] == "label,prediction,rows,weight,share_of_label"
    assert rg.ConfusionMatrix.from_dict(ev.confusion().to_dict()).matrix.tolist() == [[1, 1], [0, 1]]


def test_rankings_and_classes_are_not_compared():
    ranking = rg.evaluate({"q": {"d": 1}}, {"q": ["d"]}, "RR")

    with pytest.raises(InputError, match="cannot be compared with each other"):
        rg.compare({"a": ranking, "b": rg.evaluate_predictions(FRAUD)})


# pictures and pages


def test_the_picture_says_how_much_is_right_in_both_languages():
    ev = rg.evaluate_predictions(FRAUD)

    assert "998 of 1,000 rows are called right (99.8%)" in rg.plot(ev).svg
    assert "1,000 行中有 998 行判对（99.8%）" in rg.plot(ev, "confusion", language="zh").svg
    assert "fraud → normal: 2 (100.0% of fraud)" in rg.plot(ev).svg


def test_a_threshold_makes_a_matrix_of_labels_and_scores():
    ev = rg.evaluate_predictions({"label": [0, 1, 1, 0], "score": [0.1, 0.2, 0.8, 0.7]})

    assert "2 of 4 rows are called right (50.0%)" in rg.plot(ev, "confusion", threshold=0.5).svg
    with pytest.raises(ParameterError, match="confusion: needs a threshold"):
        rg.plot(ev, "confusion")
    with pytest.raises(ParameterError, match="a threshold is for labels and scores"):
        rg.plot(rg.evaluate_predictions(FRAUD), "confusion", threshold=0.5)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_page_shows_numbers_classes_and_the_matrix(language: str):
    data = rows(100)
    evs = rg.evaluate_predictions({**data, "best": data["label"]}, prediction=["prediction", "best"])

    page = rg.report(evs, language=language)
    alone = rg.report(rg.evaluate_predictions(FRAUD), language=language)

    assert 'id="classes"' in page
    assert "best: confusion matrix" in page
    assert "best against prediction" in page
    assert "accuracy misleads here" in alone
    assert "准确率在这里有误导性" in alone


def test_odd_names_of_classes_are_shown_as_text():
    odd = ["<script>alert(1)</script>", "a|b", "100%", "\u202e evil", "{}", "_x_"]
    ev = rg.evaluate_predictions({"label": odd, "prediction": odd[1:] + odd[:1]})

    assert "<script>alert" not in rg.report(ev)
    assert "<script>alert" not in rg.plot(ev).svg
    assert "\n\n" not in ev.to_markdown().partition("| class")[2].partition("\n\n**")[0]
    assert rg.ClassEvaluation.from_dict(ev.to_dict()).classes == ev.classes
