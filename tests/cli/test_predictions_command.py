"""`rankgauge predictions` and `rankgauge calibrate`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import polars as pl
import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge.demo import clicks, save_clicks

ROWS = "user_id,click,old,new\nu1,0,0.1,0.1\nu1,1,0.3,0.35\nu2,0,0.4,0.4\nu2,1,0.2,0.8\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_clicks(clicks(), tmp_path_factory.mktemp("log"))


def test_numbers_with_what_to_read_them_with(folder: Path):
    out = rankgauge("predictions", "rows.csv", "--score", "new", "-m", "AUC", "-m", "PRAUC", cwd=folder).stdout

    assert "AUC      0.7500" in out
    assert "prevalence 0.5000" in out
    assert "4 rows · 50.0% positive · 2 groups" in out
    assert "read 'click' as label" in out
    assert "intervals by user_id" in out


CLASSES = """label,prediction,language,user_id
sports,sports,en,1
sports,politics,en,2
politics,politics,zh,3
culture,politics,zh,3
culture,culture,en,4
sports,sports,zh,5
"""


@pytest.fixture
def topics(tmp_path: Path) -> Path:
    (tmp_path / "topics.csv").write_text(CLASSES, encoding="utf-8")
    return tmp_path


def test_several_classes_by_class_and_by_what_is_taken_for_what(topics: Path):
    out = rankgauge("predictions", "topics.csv", "--slice", "language", cwd=topics).stdout

    assert "Accuracy                  0.6667" in out
    assert "6 rows · 3 classes · 5 groups" in out
    assert "culture      2          1     1.0000  0.5000  0.6667" in out
    assert "sports                      ·         1       2" in out
    assert "by slice" in out


def test_several_classes_in_chinese(topics: Path):
    out = rankgauge(
        "predictions", "topics.csv", "-m", "准确率", "-m", "f1_macro", "--language", "zh", cwd=topics
    ).stdout

    assert "始终预测最常见类别 0.5000" in out
    assert "6 行 · 3 个类别 · 5 组" in out
    assert "混淆矩阵" in out


def test_tables_of_classes_are_written_and_stored_ones_drawn(topics: Path):
    rankgauge("predictions", "topics.csv", "--per-class", "by_class.csv", cwd=topics)
    stored = rankgauge("predictions", "topics.csv", "--json", cwd=topics).stdout
    (topics / "stored.json").write_text(stored, encoding="utf-8")
    rankgauge("plot", "confusion", "stored.json", "-o", "stored.svg", cwd=topics)
    rankgauge("plot", "confusion", "topics.csv", "-o", "live.svg", cwd=topics)
    rankgauge("report", "stored.json", "-o", "page.html", cwd=topics)

    with (topics / "by_class.csv").open(encoding="utf-8") as file:
        rows = {row["class"]: row for row in csv.DictReader(file)}
    assert float(rows["sports"]["recall"]) == 2 / 3
    assert (topics / "stored.svg").read_text("utf-8") == (topics / "live.svg").read_text("utf-8")
    assert "prediction: confusion matrix" in (topics / "page.html").read_text("utf-8")


def test_two_models_that_tell_classes_apart(topics: Path):
    rows = [line + ("," + ("guess" if i == 0 else "sports")) for i, line in enumerate(CLASSES.splitlines())]
    (topics / "two.csv").write_text("\n".join(rows), encoding="utf-8")
    both = ("predictions", "two.csv", "--prediction", "prediction", "--prediction", "guess")

    out = rankgauge(*both, cwd=topics).stdout
    rankgauge(*both, "--per-class", "both.csv", cwd=topics)

    assert "guess minus prediction" in out
    assert "! guess: accuracy: 50.0% is what always saying 'sports' has, too" in out
    assert (topics / "both.csv").read_text("utf-8").startswith("model,class,rows")


def test_probabilities_of_classes_by_their_prefix(topics: Path):
    rows = "label,q_a,q_b\na,0.9,0.1\nb,0.2,0.8\nb,0.7,0.3\n"
    (topics / "q.csv").write_text(rows, encoding="utf-8")

    out = rankgauge("predictions", "q.csv", "--probabilities", "q_", "--classes", "b, a", cwd=topics).stdout

    assert "q on q" in out
    assert "LogLoss" in out
    assert out.index("\nb ") < out.index("\na ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("predictions", "topics.csv", "--threshold", "F1"), "--threshold: for labels and scores of two classes"),
        (("predictions", "topics.csv", "--reliability"), "--reliability: for labels and scores of two classes"),
        (("predictions", "rows.csv", "--score", "new", "--per-class", "x.csv"), "--per-class: for several classes"),
        (("plot", "confusion", "rows.csv", "--score", "new"), "confusion: needs a threshold"),
        (("plot", "roc", "topics.csv"), "roc needs an evaluation of labels and scores"),
        (("predictions", "topics.csv", "--prediction", "nowhere"), "'nowhere'"),
    ],
)
def test_options_that_do_not_fit_are_refused(topics: Path, words: tuple[str, ...], said: str):
    (topics / "rows.csv").write_text(ROWS, encoding="utf-8")

    found = rankgauge(*words, cwd=topics, code=2)

    assert said in found.stderr
    assert not (topics / "x.csv").exists()


def test_a_threshold_draws_the_matrix_of_labels_and_scores(folder: Path):
    rankgauge("plot", "confusion", "rows.csv", "--score", "new", "--threshold", "0.3", "-o", "c.svg", cwd=folder)

    assert "3 of 4 rows are called right (75.0%)" in (folder / "c.svg").read_text("utf-8")


def test_without_measures_there_is_a_reading(log: Path):
    out = rankgauge("predictions", log, "--score", "new", cwd=log.parent).stdout

    assert "new: The order is good, the probabilities are off: calibrate." in out
    assert "→ Predictions are 2.06 times too high on average." in out


def test_the_reading_in_chinese(log: Path):
    out = rankgauge("predictions", log, "--score", "new", "--language", "zh", cwd=log.parent).stdout

    assert "排序能力好，但概率不准：需要校准。" in out


def test_a_model_that_always_says_0_leaves_the_others_their_reading(tmp_path: Path):
    rows = ["label,zero,good", *[f"{int(i % 10 < i // 10)},0,{i // 10 / 10}" for i in range(100)] * 4]
    (tmp_path / "rows.csv").write_text("\n".join(rows), encoding="utf-8")
    both = ("predictions", "rows.csv", "--score", "zero", "--score", "good")

    out = rankgauge(*both, cwd=tmp_path).stdout
    rankgauge(*both, "--html", "page.html", cwd=tmp_path)

    assert "all probabilities are 0" in out
    assert "zero: The order is weak and the probabilities are off." in out
    assert "good: The order is good and the probabilities are right." in out
    assert "zero：排序能力弱，概率也不准。" in rankgauge(*both, "--language", "zh", cwd=tmp_path).stdout
    assert (tmp_path / "page.html").stat().st_size


def test_two_models_are_compared_in_pairs(log: Path):
    out = rankgauge("predictions", log, "--score", "old", "--score", "new", "-m", "AUC", cwd=log.parent).stdout

    evs = rg.evaluate_predictions(log, ["AUC"], scores=["old", "new"])
    assert f"AUC         +{evs['new']['AUC'] - evs['old']['AUC']:.4f}" in out
    assert "<0.001  better" in out


def test_json_reads_back(folder: Path):
    out = rankgauge("predictions", "rows.csv", "--score", "new", "-m", "AUC", "-m", "F1", "--json", cwd=folder, code=2)
    assert "F: `threshold` must be said, as in threshold=0.3" in out.stderr

    options = ("--score", "new", "-m", "AUC", "-m", "F1(threshold=0.3)", "--json", "-o", "ev.json")
    rankgauge("predictions", "rows.csv", *options, cwd=folder)
    ev = rg.Evaluation.from_json(folder / "ev.json")
    assert ev["AUC"] == 0.75
    assert ev["F1(threshold=0.3)"] == pytest.approx(2 * 2 / (2 * 2 + 1))  # both positives, one negative
    assert json.loads((folder / "ev.json").read_text())["kind"] == "predictions"


@pytest.mark.parametrize(("form", "mark"), [("markdown", "| AUC |"), ("latex", r"\toprule"), ("html", "<table")])
def test_every_form(folder: Path, form: str, mark: str):
    options = ("--score", "new", "-m", "AUC", "--reliability", "--bins", "2")

    assert mark in rankgauge("predictions", "rows.csv", *options, "--format", form, cwd=folder).stdout


def test_csv_is_not_rounded(folder: Path):
    out = rankgauge("predictions", "rows.csv", "--score", "new", "-m", "LogLoss", "--csv", cwd=folder).stdout

    (row,) = csv.DictReader(out.splitlines())
    assert float(row["value"]) == rg.evaluate_predictions(folder / "rows.csv", ["LogLoss"], scores="new")["LogLoss"]


def test_values_of_groups_go_to_a_file(folder: Path):
    rankgauge("predictions", "rows.csv", "--score", "new", "-m", "AUC", "--per-group", "groups.parquet", cwd=folder)

    assert pl.read_parquet(folder / "groups.parquet").to_dicts() == [
        {"group": "u1", "rows": 2, "positives": 1.0, "AUC": 1.0},
        {"group": "u2", "rows": 2, "positives": 1.0, "AUC": 1.0},
    ]


@pytest.mark.parametrize("rule", ["F1", "MCC", "precision>=0.1", "recall>=0.5", "share=0.1", "cost=1:20"])
def test_threshold_rules(log: Path, rule: str):
    out = rankgauge("predictions", log, "--score", "new", "-m", "AUC", "--threshold", rule, cwd=log.parent).stdout

    assert "called positive" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rows.csv"], "columns missing from predictions 'rows.csv': 'score'"),
        (["rows.csv", "--score", "new", "-m", "nDCG@10"], "'nDCG@10' is a measure of rankings"),
        (["rows.csv", "--score", "newest"], "newest"),
        (["rows.csv", "--score", "new", "--threshold", "cost=3"], "costs must look like cost=1:5"),
        (["rows.csv", "--score", "new", "--threshold", "recall>=all"], "needs a number, got 'all'"),
        (["nothing.csv"], "predictions 'nothing.csv' does not exist"),
    ],
)
def test_bad_input_is_one_clear_error(folder: Path, words: list[str], message: str):
    done = rankgauge("predictions", *words, cwd=folder, code=2)

    assert message in done.stderr
    assert done.stdout == ""


def test_calibrators_are_judged_saved_and_applied(log: Path, tmp_path: Path):
    done = rankgauge("calibrate", log, "--score", "new", "--save", "cal.json", cwd=tmp_path)

    assert "recommended" in done.stdout
    assert "wrote cal.json" in done.stderr
    rankgauge("calibrate", log, "--score", "new", "--apply", "cal.json", "--to", "out.csv", cwd=tmp_path)
    after = rg.evaluate_predictions(tmp_path / "out.csv", ["COPC", "AUC"], scores="new")
    before = rg.evaluate_predictions(log, ["COPC", "AUC"], scores="new")
    assert after["COPC"] == pytest.approx(1, abs=1e-4)
    assert before["COPC"] < 0.6
    assert after["AUC"] == pytest.approx(before["AUC"], abs=1e-6)


def test_apply_needs_somewhere_to_write(log: Path, tmp_path: Path):
    done = rankgauge("calibrate", log, "--score", "new", "--apply", "cal.json", cwd=tmp_path, code=2)

    assert "--apply needs --to FILE" in done.stderr or "cal.json" in done.stderr


def test_right_probabilities_are_left_alone(log: Path, tmp_path: Path):
    done = rankgauge("calibrate", log, "--score", "old", "--save", "cal.json", cwd=tmp_path)

    assert "nothing saved to cal.json: no calibrator is recommended." in done.stderr
    assert not (tmp_path / "cal.json").exists()


def test_json_holds_what_was_asked_for_beside_the_numbers(tmp_path: Path):
    rows = "".join(f"{i % 2},{0.2 + 0.5 * (i % 2) + 0.01 * (i % 7)}\n" for i in range(40))
    (tmp_path / "rows.csv").write_text("label,score\n" + rows)
    asked = ("predictions", "rows.csv", "--reliability", "--bins", "4", "--threshold", "F1")

    data = json.loads(rankgauge(*asked, "--json", cwd=tmp_path).stdout)
    assert data["threshold"]["kind"] == "threshold"
    assert data["reliability"]["kind"] == "reliability"
    (tmp_path / "stored.json").write_text(json.dumps(data))
    assert rg.load(tmp_path / "stored.json")["AUC"] == 1.0
    refused = rankgauge(*asked, "--csv", cwd=tmp_path, code=2).stderr
    assert "--reliability is another table" in refused


def test_json_holds_them_of_each_model(tmp_path: Path):
    rows = "".join(f"{i % 2},{0.2 + 0.5 * (i % 2)},{0.1 + 0.02 * i}\n" for i in range(40))
    (tmp_path / "rows.csv").write_text("label,old,new\n" + rows)

    asked = ("predictions", "rows.csv", "--score", "old", "--score", "new", "--threshold", "F1", "--json")
    data = json.loads(rankgauge(*asked, cwd=tmp_path).stdout)
    assert [x["kind"] for x in data["threshold"]] == ["threshold", "threshold"]


# what was meant is named


def test_a_table_without_a_known_score_names_the_columns_that_hold_numbers(log: Path):
    said = rankgauge("predictions", log, cwd=log.parent, code=2).stderr
    zh = rankgauge("predictions", log, cwd=log.parent, code=2, language="zh").stderr

    assert "Pass --score old or --score new, or --score old --score new for several models." in " ".join(said.split())
    assert "请传入 --score old 或 --score new，有多个模型时传入 --score old --score new。" in zh.replace("\n", "")


@pytest.mark.parametrize(
    ("words", "en", "zh"),
    [
        (["--score", "neww"], "there is no column 'neww'", "没有列 'neww'"),
        (
            ["--score", "new", "--threshold", "0.1"],
            "-m 'F1(threshold=0.1)'",
            "固定阈值写在指标里：-m 'F1(threshold=0.1)'",
        ),
        (["--score", "new", "--threshold", "foo"], "Error: --threshold must be one of F", "错误：--threshold 必须是 F"),
    ],
)
def test_a_word_that_is_wrong_leads_to_the_right_one(log: Path, words: list[str], en: str, zh: str):
    assert en in rankgauge("predictions", log, *words, cwd=log.parent, code=2).stderr
    assert zh in rankgauge("predictions", log, *words, cwd=log.parent, code=2, language="zh").stderr


CALLED = "label,prediction\n" + "0,0\n" * 95 + "1,1\n" * 3 + "1,0\n" * 2


def test_calls_of_0_and_1_are_not_taken_for_probabilities(tmp_path: Path):
    (tmp_path / "fraud.csv").write_text(CALLED)

    out = rankgauge("predictions", "fraud.csv", cwd=tmp_path).stdout
    zh = rankgauge("predictions", "fraud.csv", cwd=tmp_path, language="zh").stdout
    by_class = [
        rankgauge("predictions", "fraud.csv", *said, cwd=tmp_path).stdout
        for said in (["--prediction", "prediction"], ["--columns", "prediction=prediction"])
    ]

    assert "calibrate" not in out.lower()
    assert "--prediction prediction evaluates them as classes" in out
    assert "--prediction prediction 可按类别评测" in zh
    assert f"Recall            {3 / 5:.4f}" in out
    assert by_class[0] == by_class[1]
    assert "confusion matrix" in by_class[0]
    assert "calibrate" not in rankgauge("diagnose", "fraud.csv", cwd=tmp_path).stdout.lower()


def test_the_positive_of_predicted_classes_is_asked_for_in_the_measure(tmp_path: Path):
    (tmp_path / "fraud.csv").write_text(CALLED.replace("1", "欺诈").replace("0", "正常"), encoding="utf-8")

    said = rankgauge("predictions", "fraud.csv", "--positive", "欺诈", cwd=tmp_path, code=2).stderr
    asked = rankgauge("predictions", "fraud.csv", "-m", "Recall(label=欺诈)", cwd=tmp_path).stdout

    assert "'Recall(label=欺诈)' is the recall of that class" in " ".join(said.split())
    assert f"{3 / 5:.4f}" in asked


def test_a_threshold_is_chosen_and_its_cells_are_named(log: Path):
    asked = ("predictions", log, "--score", "new", "-m", "AUC", "--threshold", "F1")
    out = rankgauge(*asked, cwd=log.parent).stdout
    zh = rankgauge(*asked, cwd=log.parent, language="zh").stdout

    assert ("chosen on" in out, "fitted" in out, "选取阈值，" in zh, "拟合" in zh) == (True, False, True, False)
    assert "真正例、假正例、假反例、真反例" in zh
    assert not [line for line in out.splitlines() if line.split()[:1] == ["F"]]
