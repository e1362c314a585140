"""《通用评测标准》: classification, then Recall@k to MAP@k of recommendations, then AUC and LogLoss of click models."""

from __future__ import annotations

import json
import re
from math import log
from pathlib import Path
from random import Random
from typing import Any

import pytest
from founding_examples import BINARY_EXAMPLES, BY_NAME

import rankgauge as rg
from command_line import rankgauge

approx = pytest.approx

FRAUD = {"label": [0] * 998 + [1] * 2, "prediction": [0] * 1000}
TITLES = {
    "y_true": ["体育", "体育", "体育", "财经", "财经", "娱乐"],
    "y_pred": ["体育", "体育", "财经", "财经", "财经", "体育"],
}
TRADES = {"y_true": [1, 1, 1, 0, 0, 0, 0, 0], "y_pred": [1, 1, 0, 1, 0, 0, 0, 0]}  # TP 2, FN 1, FP 1, TN 4


def written(folder: Path, name: str, rows: dict[str, list[Any]]) -> str:
    lines = [",".join(rows), *(",".join(map(str, row)) for row in zip(*rows.values(), strict=True))]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return name


# 评测标准


def test_precision_recall_and_f1_of_a_class_of_titles():
    ev = rg.evaluate_predictions(TITLES, ["Precision(label=体育)", "Recall(label=体育)", "F1(label=体育)", "准确率"])

    p, r = 2 / 3, 2 / 3
    assert list(ev.mean().values()) == approx([p, r, 2 / (1 / p + 1 / r), 4 / 6])


# 准确率


def test_accuracy_is_the_share_of_right_calls():
    assert rg.evaluate_predictions(TRADES, "准确率")["准确率"] == (2 + 4) / 8


def test_accuracy_of_a_fraud_model_that_calls_everything_normal(tmp_path: Path):
    ev = rg.evaluate_predictions(FRAUD)

    assert (ev["Accuracy"], ev["Recall"], ev["BalancedAccuracy"]) == (0.998, 0, 0.5)
    assert "多数类占比 0.9980" in str(ev)
    names = {k: ["欺诈" if x else "正常" for x in values] for k, values in FRAUD.items()}
    out = rankgauge("predictions", written(tmp_path, "欺诈.csv", names), cwd=tmp_path, language="zh").stdout
    assert "准确率在这里有误导性：99.8% 与始终预测 '正常' 相同" in out
    assert "正样本稀少时：欺诈、点击、疾病。" in str(rg.explain("准确率"))


# 精确率、召回率、F1 Score


def test_precision_is_how_far_calls_can_be_trusted():
    assert rg.evaluate_predictions(TRADES, "精确率")["精确率"] == approx(2 / (2 + 1))


def test_recall_is_how_much_of_the_fraud_is_found():
    assert rg.evaluate_predictions(TRADES, "召回率")["召回率"] == approx(2 / (2 + 1))


def test_f1_is_the_harmonic_mean():
    rows = {"y_true": [1, 1, 1, 1, 0], "y_pred": [1, 0, 0, 0, 0]}

    ev = rg.evaluate_predictions(rows, ["Precision", "Recall", "F1 Score"])

    assert ev.mean() == {"Precision": 1, "Recall": 1 / 4, "F1 Score": approx(2 * 1 * 0.25 / (1 + 0.25))}


# 可视化精度和召回率


def test_confusion_matrix_in_words_and_as_a_picture(tmp_path: Path):
    ev = rg.evaluate_predictions(TITLES)

    svg = rg.plot(ev, "confusion").svg

    assert "混淆矩阵" in str(ev)
    assert {(r["label"], r["prediction"]): r["rows"] for r in ev.confusion().to_frame().to_dicts() if r["rows"]} == {
        ("体育", "体育"): 2,
        ("体育", "财经"): 1,
        ("财经", "财经"): 2,
        ("娱乐", "体育"): 1,
    }
    assert 'lang="zh"' in svg
    assert all(name in svg for name in ("体育", "财经", "娱乐"))
    rankgauge("plot", "confusion", written(tmp_path, "titles.csv", TITLES), "-o", "c.svg", cwd=tmp_path, language="zh")
    assert "财经" in (tmp_path / "c.svg").read_text(encoding="utf-8")


def test_roc_curve_is_fpr_and_tpr_at_every_threshold():
    ev = rg.evaluate_predictions({"label": [1, 0, 1, 0], "score": [0.8, 0.7, 0.6, 0.3]}, ["AUC"])

    assert [(x["fpr"], x["tpr"]) for x in ev.curve("roc").to_dicts()] == [
        (0, 0),
        (0, 0.5),
        (0.5, 0.5),
        (0.5, 1),
        (1, 1),
    ]
    cells = ev.confusion(0.65)
    assert (cells.fp / (cells.fp + cells.tn), cells.tp / (cells.tp + cells.fn)) == (0.5, 0.5)
    svg = rg.plot(ev, "roc").svg
    assert "假正率" in svg
    assert 'lang="zh"' in svg


# Recall@k


@pytest.mark.parametrize(("k", "hits", "recall"), [(5, 2, 0.20), (10, 4, 0.40)])
def test_recall_at_k_of_ten_films(k: int, hits: int, recall: float):
    shown = [f"喜欢{i}" for i in range(hits)] + [f"其他{i}" for i in range(k - hits)]

    ev = rg.evaluate({"用户": [f"喜欢{i}" for i in range(10)]}, {"用户": shown}, f"Recall@{k}")

    assert ev[f"Recall@{k}"] == approx(recall)


def test_recall_at_k_does_not_see_the_order():
    queries = [(["a", "b", "x", "y"], ["a", "b"]), (["x", "y", "a", "b"], ["a", "b"])]

    assert rg.evaluate(queries, measures="Recall@4").per_query["Recall@4"].to_list() == [1, 1]


# Precision@k


@pytest.mark.parametrize(("k", "hits", "precision"), [(5, 3, 0.60), (10, 4, 0.40)])
def test_precision_at_k_of_songs(k: int, hits: int, precision: float):
    shown = {"用户": {"retrieved": [f"歌{i}" for i in range(k)], "relevant": [f"歌{i}" for i in range(hits)]}}

    assert rg.evaluate(shown, measures=f"Precision@{k}")[f"Precision@{k}"] == approx(precision)


def test_a_longer_list_raises_recall_and_lowers_precision():
    user = {"u": {"retrieved": ["a", "b", "c", "x", "y", "d"], "relevant": ["a", "b", "c", "d", "e"]}}

    ev = rg.evaluate(user, measures=["R@3", "R@6", "P@3", "P@6"])

    assert ev["R@3"] < ev["R@6"]
    assert ev["P@3"] > ev["P@6"]
    assert "列表加长不会使它下降" in str(rg.explain("Recall@k"))


# HR@k


def test_hr_at_3_of_three_users():
    ev = rg.evaluate(BY_NAME["hr-three-users"].queries, measures=["HR@3"])

    assert ev["HR@3"] == approx(2 / 3)
    assert ev.per_query["HR@3"].to_list() == [1, 0, 1]


def test_hr_does_not_see_the_place_and_mrr_does():
    queries = [(["相关", "x", "y"], ["相关"]), (["x", "y", "相关"], ["相关"])]

    found = rg.evaluate(queries, measures=["HR@3", "MRR@3"]).per_query

    assert found["HR@3"].to_list() == [1, 1]
    assert found["MRR@3"].to_list() == approx([1, 1 / 3])


# NDCG@k


def test_from_cg_to_dcg_to_ndcg():
    queries = BY_NAME["ndcg-exponential"].queries

    ev = rg.evaluate(queries, measures=["CG@5", "DCG(gain=exp)@5", "NDCG(gain=exp)@5"])

    assert ev["CG@5"] == 3 + 2 + 3 + 0 + 1
    assert ev["DCG(gain=exp)@5"] == approx(BY_NAME["dcg-exponential"].expected)
    assert ev["NDCG(gain=exp)@5"] == approx(BY_NAME["ndcg-exponential"].expected)
    assert round(ev["DCG(gain=exp)@5"], 2) == 12.78


@pytest.mark.parametrize(("rank", "gain"), [(1, 7.0), (2, 4.4165), (3, 3.5)])
def test_gain_of_grade_3_at_the_first_ranks(rank: int, gain: float):
    shown = [f"x{i}" for i in range(rank - 1)] + ["好"]

    assert rg.evaluate({"q": {"好": 3}}, {"q": shown}, "DCG(gain=exp)@5").mean().popitem()[1] == approx(gain, abs=5e-5)


# MRR@k


def test_mrr_at_5_of_four_queries():
    ev = rg.evaluate(BY_NAME["mrr-at-5"].queries, measures=["MRR@5"], no_relevant="zero")

    assert ev["MRR@5"] == approx(0.425)
    assert ev.per_query["MRR@5"].to_list() == approx([1, 0.5, 0.2, 0])


def search(first: int, found: int, n: int = 30) -> dict[str, dict[str, Any]]:
    """Queries with ten relevant items: one at about rank `first`, so many in the first thousand."""
    out = {}
    for i in range(n):
        shown = [f"x{k}" for k in range(1000)]
        for j, place in enumerate([first + i % 2, *range(100, 1000, 90)][:found]):
            shown[place - 1] = f"r{j}"
        out[f"q{i}"] = {"retrieved": shown, "relevant": [f"r{j}" for j in range(10)]}
    return out


@pytest.mark.parametrize(
    ("first", "found", "code", "said"),
    [
        (1, 10, None, "没有发现问题"),
        (40, 10, "found-but-late", "Recall@1000 为 1.000，而 MRR@10 只有 0.000"),
        (1, 2, "right-but-incomplete", "排在前面的很准，但漏掉了不少"),
        (40, 2, "recall-low-everywhere", "大部分相关内容都不在其中"),
    ],
    ids=["both high", "recall high, MRR low", "recall low, MRR high", "both low"],
)
def test_mrr_at_10_with_recall_at_1000(first: int, found: int, code: str | None, said: str):
    diagnosed = rg.diagnose(rg.evaluate(search(first, found), measures=["MRR@10", "Recall@1000"]))

    assert said in str(diagnosed)
    assert code in diagnosed.codes if code else not diagnosed.codes


# MAP@k


def test_ap_of_each_user_and_map_of_three():
    ev = rg.evaluate(BY_NAME["map-three-users"].queries, measures=["MAP@6"])

    assert ev["MAP@6"] == approx((0.6667 + 0.45 + 0.9167) / 3, abs=5e-5)
    assert ev.per_query["MAP@6"].to_list() == approx([BY_NAME[f"ap-user-{u}"].expected for u in "abc"])


def test_map_tells_apart_what_precision_does_not():
    queries = [([f"d{i}" for i in range(6)], ["d0", "d3", "d5"]), ([f"d{i}" for i in range(6)], ["d0", "d1", "d2"])]

    found = rg.evaluate(queries, measures=["P@6", "MAP@6"]).per_query

    assert found["P@6"].to_list() == [0.5, 0.5]
    assert found["MAP@6"].to_list() == approx([2 / 3, 1])


# AUC


@pytest.mark.parametrize(
    ("score", "auc", "word"),
    [([0.9, 0.8, 0.2, 0.1], 1.0, "完美"), ([0.5, 0.5, 0.5, 0.5], 0.5, "随机"), ([0.1, 0.2, 0.8, 0.9], 0.0, "反向")],
)
def test_auc_of_a_perfect_a_blind_and_a_reversed_model(score: list[float], auc: float, word: str):
    ev = rg.evaluate_predictions({"label": [1, 1, 0, 0], "score": score}, ["AUC"])

    assert ev["AUC"] == auc
    rating = ev.ratings()["AUC"].rating
    assert rating is not None
    assert rating.band.title.zh == word


def test_auc_does_not_mind_how_rare_clicks_are():
    label, score = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]

    rare = rg.evaluate_predictions({"label": label + [0, 0] * 50, "score": score + [0.8, 0.1] * 50}, "AUC")

    assert rare["AUC"] == approx(rg.evaluate_predictions({"label": label, "score": score}, "AUC")["AUC"])
    assert "与正样本占比无关" in str(rg.explain("AUC"))


# LogLoss


def test_logloss_tells_apart_two_models_with_the_same_auc():
    rows = {"label": [1, 0], "模型A": [0.51, 0.49], "模型B": [0.99, 0.01]}

    evs = rg.evaluate_predictions(rows, ["AUC", "LogLoss"], scores=["模型A", "模型B"])

    expected = {e.name: e.expected for e in BINARY_EXAMPLES}
    assert [ev["AUC"] for ev in evs.values()] == [1, 1]
    assert [ev["LogLoss"] for ev in evs.values()] == approx([expected[f"logloss-two-models-{m}"] for m in "ab"])


def test_logloss_punishes_what_is_sure_and_wrong():
    ev = rg.evaluate_predictions({"label": [1], "score": [0.001]}, "LogLoss")

    assert ev["LogLoss"] == approx(-log(0.001))
    assert "一个 p=0.001 的正样本损失 6.9" in str(rg.explain("LogLoss"))


def clicks(said: Any, likely: Any) -> dict[str, list[float]]:
    """Rows that are clicked with a likelihood, of which a model says something."""
    rng = Random(7)
    true = [likely(rng) for _ in range(3000)]
    return {"label": [int(rng.random() < p) for p in true], "score": [said(p) for p in true]}


@pytest.mark.parametrize(
    ("rows", "case", "headline", "todo"),
    [
        (clicks(lambda p: p, Random.random), "ideal", "排序能力好，概率也准确。", "得分可以直接使用"),
        (clicks(lambda p: 0.5 + p / 2, Random.random), "calibrate", "排序能力好，但概率不准：需要校准。", "校准"),
        (clicks(lambda p: 0.9, lambda r: 0.3), "rebuild", "排序能力弱，概率也不准。", "不能区分正负样本"),
        (clicks(lambda p: 0.3, lambda r: 0.3), "uninformative", "排序能力弱", "LogLoss 低并不说明模型好"),
    ],
    ids=["high and low", "both high", "low and high", "both low"],
)
def test_four_cases_of_auc_and_logloss(
    rows: dict[str, list[float]], case: str, headline: str, todo: str, tmp_path: Path
):
    found = rg.reading(rg.evaluate_predictions(rows))

    assert (found.case, found.is_clear) == (case, True)
    assert headline in found.headline
    assert any(todo in advice for advice in found.advice)
    (tmp_path / "clicks.jsonl").write_text(
        "\n".join(json.dumps(dict(zip(rows, row, strict=True))) for row in zip(*rows.values(), strict=True))
    )
    out = rankgauge("diagnose", "clicks.jsonl", "--scenario", "点击率预估", cwd=tmp_path, language="zh").stdout
    assert "没有发现问题" in out if case == "ideal" else re.search(rf"^ +{case}$", out, re.MULTILINE)
