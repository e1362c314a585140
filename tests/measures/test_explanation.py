"""What `explain` teaches: when to take a measure, and what small changes of ten results do to it."""

from __future__ import annotations

import json
import re
from html import escape
from math import isnan, log, log2

import pytest

import rankgauge as rg
from rankgauge.errors import InputError, ParameterError
from rankgauge.measures import REGISTRY, parse
from rankgauge.measures.classes import CLASSES
from rankgauge.measures.predictions import PREDICTIONS

OWN = [
    *(cls for cls in REGISTRY.values() if not cls.custom),
    *PREDICTIONS.measures.values(),
    *CLASSES.measures.values(),
]
UNDEFINED_OF_TEN = {"MCE"}  # its bins need a hundred rows: the worked example's parameters are shown


def values_of(name: str) -> list[float]:
    e = rg.explain(name)
    assert e.readings[0].measure == e.measure
    return list(e.readings[0].values)


# the scenes: 3 0 1 - 2 0 0 1 3 0, a 2 is missed; labels 1 0 1 1 0 1 0 0 1 0 with scores .95, .85, … .05


def test_reciprocal_rank_sees_the_first_swap_only():
    assert values_of("RR@10") == [1, 1 / 2, 1, 1]


def test_recall_sees_what_comes_in_and_no_order():
    assert values_of("R@10") == pytest.approx([5 / 6, 5 / 6, 5 / 6, 6 / 6])


def test_ndcg_loses_more_at_the_top():
    ideal = sum(g / log2(i + 1) for i, g in enumerate([3, 3, 2, 2, 1, 1], 1))

    def ndcg(*grades: int) -> float:
        return sum(g / log2(i + 1) for i, g in enumerate(grades, 1)) / ideal

    assert values_of("nDCG@10") == pytest.approx(
        [
            ndcg(3, 0, 1, 0, 2, 0, 0, 1, 3, 0),
            ndcg(0, 3, 1, 0, 2, 0, 0, 1, 3, 0),
            ndcg(3, 0, 1, 0, 2, 0, 0, 1, 0, 3),
            ndcg(3, 0, 1, 0, 2, 0, 0, 1, 3, 2),
        ]
    )


def test_a_cutoff_hides_what_happens_below_it():
    e = rg.explain("nDCG@5")

    assert [scene.marked for scene in e.scenes] == [(), (1, 2), (5, 6), (4,)]  # nothing of ranks 9 and 10
    assert list(e.readings[0].better) == [0, -1, -1, 1]


@pytest.mark.parametrize(
    "name", [f"{m}@{k}" for m in ("R", "Hit", "P", "RR", "nDCG", "AP") for k in (1, 2, 3, 5, 8, 10, 50)]
)
def test_some_change_is_seen_by_each_measure_at_its_own_cutoff(name):
    assert len(set(values_of(name))) > 1


def test_recall_sees_what_crosses_its_cutoff():
    # 3 0 1 - 2 | 0 0 1 3 0, a 2 is missed: six are relevant
    assert values_of("R@5") == pytest.approx([3 / 6, 3 / 6, 2 / 6, 4 / 6])


def test_a_hit_is_lost_only_where_nothing_relevant_is_left():
    assert values_of("Hit@3") == [1, 1, 1, 1, 0]


def test_auc_loses_one_pair_of_25_at_either_end_and_nothing_when_scores_are_halved():
    assert values_of("AUC") == pytest.approx([17 / 25, 16 / 25, 16 / 25, 17 / 25])


def test_copc_sees_halved_scores_and_no_order():
    assert values_of("COPC") == pytest.approx([5 / 5, 5 / 5, 5 / 5, 5 / 2.5])


def test_accuracy_counts_rows_and_balanced_accuracy_classes():
    e = rg.explain("MulticlassAccuracy")
    balanced = next(r for r in e.readings if r.measure.startswith("BalancedAccuracy"))

    assert list(e.readings[0].values) == [8 / 10, 7 / 10, 7 / 10, 8 / 10]
    assert list(balanced.values) == pytest.approx(
        [(5 / 6 + 2 / 3 + 1) / 3, (4 / 6 + 2 / 3 + 1) / 3, (5 / 6 + 2 / 3 + 0) / 3, (5 / 6 + 2 / 3 + 1) / 3]
    )


def test_log_loss_of_classes_sees_how_sure_a_model_is():
    e = rg.explain("MulticlassLogLoss")
    of_truth = [0.9, 0.85, 0.8, 0.7, 0.6, 0.75 * 0.5, 0.8, 0.7, 0.75 * 0.45, 0.6]

    assert e.readings[0].values[0] == pytest.approx(-sum(map(log, of_truth)) / 10)
    assert e.readings[0].better[3] == -1


def test_what_is_better_is_said_by_the_measure():
    better = {name: list(rg.explain(name).readings[0].better) for name in ("nDCG", "LogLoss", "Hit", "COPC")}

    assert better == {
        "nDCG": [0, -1, -1, 1],
        "LogLoss": [0, -1, -1, -1],
        "Hit": [0, 0, 0, 0, -1],
        "COPC": [0, 0, 0, -1],
    }


@pytest.mark.parametrize("cls", OWN, ids=lambda cls: f"{cls.__module__.rpartition('.')[2]}-{cls.name}")
def test_every_measure_has_its_picture(cls):
    e = rg.explain(cls(**({"threshold": 0.5} if "threshold" in cls.params else {})))
    own, *others = e.readings

    assert own.measure == e.measure or cls.name in UNDEFINED_OF_TEN
    assert len(e.scenes) in (4, 5)
    assert all(len(r.values) == len(r.better) == len(e.scenes) for r in e.readings)
    assert not (isinstance(own.values[0], float) and isnan(own.values[0]))
    assert {r.measure for r in others} <= {str(parse(name.replace("@k", "@10"))) for name in e.instead}
    for language in ("en", "zh"):
        drawn = e.plot(language=language).svg
        assert escape(e.title.of(language)) in drawn
        assert e.scenes[1].says.of(language) in drawn


@pytest.mark.parametrize("cls", OWN, ids=lambda cls: f"{cls.__module__.rpartition('.')[2]}-{cls.name}")
def test_every_explanation_is_stored_and_read_back_in_both_languages(cls):
    e = rg.explain(cls(**cls.example.params))
    read = rg.measures.Explanation.from_dict(json.loads(e.to_json()))

    for language in ("en", "zh"):
        assert read.to_markdown(language=language) == e.to_markdown(language=language)
        assert read.to_html(language=language) == e.to_html(language=language)


def test_a_parameter_that_no_number_bears_leaves_the_picture_out():
    e = rg.explain("F(beta=1e300)@10")

    assert list(e.readings) == []
    assert "F measure" in str(e)


def test_others_are_named_at_the_cutoff_of_the_measure():
    assert list(rg.explain("nDCG@5").instead) == ["R@5", "RR@5", "ERR@5"]
    assert list(rg.explain("nDCG").instead) == ["R@k", "RR@k", "ERR@k"]
    assert [r.measure for r in rg.explain("nDCG").readings] == ["nDCG", "R@10", "RR@10", "ERR@10"]


def test_a_measure_that_cannot_be_asked_about_ten_results_is_explained_without_a_picture():
    e = rg.explain("ERR(max=2)@10")  # the list has a grade of 3

    assert (list(e.scenes), list(e.readings)) == ([], [])
    assert e.strengths
    assert e.to_html().startswith("<div")
    assert "What changes it" not in str(e)
    with pytest.raises(InputError, match="has nothing that can be drawn"):
        e.plot()
    assert "ERR(max=2)@10" in rg.report(e)


def test_notebooks_show_the_picture_and_the_tables():
    shown = rg.explain("nDCG@10")._repr_html_()

    assert shown.startswith("<svg")
    assert re.search(r"</svg>\s*<div", shown)
    assert "-0.1477" in shown
    assert "小变化对 nDCG@10（归一化折损累计增益）的影响" in rg.explain("nDCG@10").to_html(language="zh")


def test_the_picture_holds_the_numbers_of_the_table():
    e = rg.explain("AP@10")
    numbers = re.findall(r"\d\.\d{4}", e.plot().svg.partition("</style>")[2])

    for r in e.readings:
        assert {f"{v:.4f}" for v in r.values} <= set(numbers)


def test_the_page_says_when_to_take_it_in_either_language():
    e = rg.explain("命中率@10")

    assert "instead    RR@10 when it matters how early the hit comes" in str(e)
    chinese = rg.explain("MRR@10").to_markdown(language="zh")
    assert "RR@10 — 平均倒数排名" in chinese
    assert "首个相关结果之后一概不看" in chinese
    assert "改用 | AP@10：当有多个相关条目且都要计入时" in chinese


def test_it_is_shown_in_the_language_asked_for_or_in_the_one_that_is_set():
    assert str(rg.explain("MRR@10", language="zh")).startswith("RR@10 — 平均倒数排名")
    assert "平均倒数排名" in rg.explain("MRR@10", language="zh").plot().svg
    assert "（平均倒数排名）的影响" in rg.explain("MRR@10", language="zh")._repr_html_()
    assert str(rg.explain("MRR@10")).startswith("RR@10 — Reciprocal rank")
    rg.set_language("zh")
    try:
        assert str(rg.explain("MRR@10")).startswith("RR@10 — 平均倒数排名")
        assert str(rg.explain("MRR@10", language="en")).startswith("RR@10 — Reciprocal rank")
    finally:
        rg.set_language(None)
    with pytest.raises(ParameterError, match="`language` must be one of en, zh"):
        rg.explain("MRR", language="de")


def test_an_explanation_that_an_older_version_stored_is_read():
    stored = rg.explain("nDCG@10").to_dict()
    for key in ("strengths", "limits", "use", "avoid", "instead", "scenes", "readings", "language"):
        del stored[key]
    stored.pop("zh")

    read = rg.measures.Explanation.from_dict(stored)

    assert (read.measure, list(read.strengths), list(read.scenes)) == ("nDCG@10", [], [])
    assert str(read).startswith("nDCG@10 — ")


def test_a_measure_of_ones_own_has_its_picture_too():
    @rg.measure
    def TopTwo(a):
        "Share of the first two results that are relevant."
        return a.hits(1, 2) / 2

    try:
        e = rg.explain("TopTwo")
        assert list(e.readings[0].values) == [0.5, 0.5, 0.5, 0.5, 0.0]
        assert not e.strengths
        assert "When to take it" not in str(e)
    finally:
        from rankgauge.measures.base import ALIASES

        REGISTRY.pop("TopTwo")
        ALIASES.pop("toptwo")


@pytest.mark.parametrize("name", ["Recall@k", "recall@K", "召回率@k", "Recall@N"])
def test_the_k_of_formulas_is_explained_at_ten(name: str):
    assert rg.explain(name).measure == "R@10"


# parameters that make it another number


VARIANTS = [(cls, text) for cls in OWN for text in cls.variants]


@pytest.mark.parametrize(("cls", "text"), VARIANTS, ids=lambda x: x if isinstance(x, str) else x.name)
def test_the_arithmetic_of_each_variant_is_its_value(cls, text):
    e = rg.explain(f"{cls.name}({text})")

    assert text in e.example
    assert e.value == pytest.approx(eval(e.sum, {"log2": log2, "min": min}), abs=1e-12)
    assert e.formula == cls.variants[text].formula != cls.formula
    assert not e.usual_formula


@pytest.mark.parametrize(
    ("name", "same", "not_same"),
    [
        ("P(divisor=retrieved)@5", "Elasticsearch, Quepid, MLflow, LlamaIndex", "trec_eval"),
        ("nDCG(ideal=retrieved)@5", "Phoenix", "trec_eval"),
        ("nDCG(gain=exp)@5", "gdeval, ranx ndcg_burges, ir_measures dcg='exp-log2'", "BEIR, MTEB"),
        ("R_cap@5", "trec_eval relative_P_k", "trec_eval"),
        ("GAUC(weight=positives)", "RecBole", "FuxiCTR"),
        ("F(threshold=0.5, beta=2)", "scikit-learn", "torchrec"),
    ],
)
def test_tools_are_told_for_these_parameters(name, same, not_same):
    e = rg.explain(name)

    assert same in e.same
    assert not_same not in e.same
    assert same not in e.differs


def test_the_default_is_not_the_same_number_as_tools_with_other_parameters():
    assert "trec_eval relative_P_k" in rg.explain("R@5").differs
    assert "RecBole" in rg.explain("GAUC").differs
    assert "Elasticsearch, Quepid, MLflow, LlamaIndex" in rg.explain("P@5").differs


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["another number than R@5", "When to take R@5 (the defaults)", "Not this number but R@5 elsewhere"]),
        ("zh", ["与 R@5 不是同一个数", "针对默认参数的 R@5", "其他工具中的 R@5（默认参数，不是这个数）"]),
    ],
)
def test_what_is_told_of_the_defaults_only_says_so(language, said):
    page = rg.explain("R_cap@5").to_markdown(language=language)

    assert all(words in page for words in said)
    assert not any(words in rg.explain("R@5").to_markdown(language=language) for words in said)


def test_a_formula_without_one_for_the_parameters_is_marked_as_that_of_the_defaults():
    e = rg.explain("nDCG(discount=jk)@5")

    assert (e.usual, e.usual_formula) == ("nDCG@5", True)
    assert "公式（nDCG@5）" in e.to_markdown(language="zh")
    assert "formula of nDCG@5" in e.to_markdown(language="en")
    assert e.example == "nDCG(discount=jk)@3"
    assert e.value == pytest.approx((2 / 1 + 1 / log2(3)) / (2 / 1 + 1 / 1))
    assert e.usual_sum.startswith("nDCG@3 = ")


def test_names_with_parameters_are_apart():
    plain, capped = rg.explain("召回率@5"), rg.explain("R_cap@5")

    assert "R_cap" not in plain.names
    assert plain.spelled["R_cap"] == "R(norm=min)"
    assert "R_cap" in capped.names
    assert "Recall" not in capped.names


def test_the_worked_example_has_the_cutoff_asked_for_where_its_arithmetic_holds():
    assert (rg.explain("R@5").example, rg.explain("R@1").example) == ("R@5", "R@3")
    assert "算例：R@3" in rg.explain("R@1").to_markdown(language="zh")


def test_a_hit_says_why():
    e = rg.explain("Hit@3")

    assert "Hit@3 = 1.0000: one of the first 3" in e.to_markdown(language="en")
    assert "Hit@3 = 1.0000：前 3 条中有 1 条相关" in e.to_markdown(language="zh")


@pytest.mark.parametrize("name", ["Recall", "召回率", "查全率"])
def test_recall_without_a_threshold_is_that_of_rankings_and_names_the_other_at_the_top(name):
    e = rg.explain(name)

    assert e.measure == "R"
    assert "Recall(threshold=0.5)" in e.to_markdown().split("When to take")[0]
    assert rg.explain("Recall(threshold=0.3)").measure == "Recall(threshold=0.3)"
