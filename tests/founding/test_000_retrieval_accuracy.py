"""《检索精度》: one target per query, Hit@K beside Recall@K, MRR, and how the three are read together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from founding_examples import BY_NAME

import rankgauge as rg
from command_line import rankgauge

approx = pytest.approx

Queries = dict[str, dict[str, Any]]


def shop(ranks: list[int], shown: int = 50) -> Queries:
    """A search of products for each rank at which its target stands; 0: nowhere."""
    return {
        f"q{i}": {
            "retrieved": [f"sku{i}" if place == rank else f"other{place}" for place in range(1, shown + 1)],
            "relevant": f"sku{i}",
        }
        for i, rank in enumerate(ranks, start=1)
    }


# 1️⃣


def test_1_hit_and_recall_of_one_target_are_the_same_number():
    target = {"q1": "sku7", "q2": "sku9", "q3": "sku4"}
    ranked = {"q1": ["sku1", "sku7"], "q2": ["sku9", "sku2"], "q3": ["sku1", "sku2"]}

    ev = rg.evaluate(target, ranked, ["Hit@10", "Recall@10"])

    assert ev.mean() == {"Hit@10": approx(2 / 3), "Recall@10": approx(2 / 3)}
    assert "等于 Recall@k" in rg.explain("Hit@10").edges.zh


def test_1_one_target_in_every_form_of_a_query(tmp_path: Path):
    forms: dict[str, Any] = {
        "pairs": [(["sku1", "sku7"], "sku7"), (["sku9"], "sku9"), (["sku1"], "sku4")],
        "records": [
            {"query": "手机", "results": ["sku1", "sku7"], "target_id": "sku7"},
            {"query": "耳机", "results": ["sku9"], "target_id": "sku9"},
            {"query": "充电器", "results": ["sku1"], "target_id": "sku4"},
        ],
        "numbers": [([1, 7], 7), ([9], 9), ([1], 4)],
    }
    for name, form in forms.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(form, ensure_ascii=False), encoding="utf-8")

        for source in (form, path):
            ev = rg.evaluate(source, measures=["Hit@10", "Recall@10", "MRR@10"])
            assert ev.mean() == {"Hit@10": approx(2 / 3), "Recall@10": approx(2 / 3), "MRR@10": approx(1.5 / 3)}


def test_1_the_product_says_that_one_target_makes_them_one_number():
    found = rg.diagnose(rg.evaluate(shop([1, 2, 3] * 10), measures=["Hit@10", "Recall@10"]))

    assert found["single-target"].title == "每个查询只有一个相关项：Recall 与 Hit 是同一个数"


@pytest.mark.parametrize("name", ["multi-target-1-of-5", "multi-target-3-of-5"])
def test_1_several_targets_part_them(name: str):
    example = BY_NAME[name]

    ev = rg.evaluate(example.queries, measures=["Hit@10", "Recall@10"])

    assert ev.mean() == {"Hit@10": 1, "Recall@10": approx(example.expected)}


# 2️⃣


@pytest.mark.parametrize(("rank", "rr"), [(1, 1.0), (2, 0.5), (5, 0.2), (11, 0.0), (0, 0.0)])
def test_2_reciprocal_rank_of_one_query(rank: int, rr: float):
    assert rg.evaluate(shop([rank]), measures="MRR@10")["MRR@10"] == approx(rr)


def test_2_mrr_is_the_mean_over_queries_and_has_its_chinese_name():
    ev = rg.evaluate(shop([1, 2, 5, 0]), measures=["平均倒数排名@10", "命中率@10"])

    assert ev["MRR@10"] == ev["平均倒数排名@10"] == approx((1 + 1 / 2 + 1 / 5 + 0) / 4)
    assert ev["Hit@10"] == 3 / 4
    assert str(rg.explain("MRR@10")).startswith("RR@10 — 平均倒数排名")
    assert "第 1 位得 1，第 2 位得 1/2" in str(rg.explain("MRR"))


def test_2_two_models_with_hit_09_are_told_apart_by_mrr():
    model_a = shop([1, 2, 1, 2, 1, 2, 1, 2, 1, 0] * 4)
    model_b = shop([8, 9, 10, 8, 9, 10, 8, 9, 10, 0] * 4)

    c = rg.compare({"模型B": model_b, "模型A": model_a}, measures=["MRR@10", "Hit@10"])

    assert c["Hit@10", "模型A"].mean == c["Hit@10", "模型A"].mean_baseline == approx(0.9)
    assert c["MRR@10", "模型A"].verdict == "better"
    said = c.sentences()
    assert said[0].startswith("MRR@10 从 0.101 变为 0.700（差值的 95% 置信区间 ")
    assert said[0].endswith("：第一个相关结果来得更早。")
    assert said[1] == "Hit@10 保持 0.900：全部 40 个查询都没有变化。"


# 3️⃣


def test_3_what_each_of_the_three_answers():
    assert rg.explain("Hit@20").question.zh == "前 k 条中是否至少有一个相关结果？"
    assert rg.explain("Recall@20").question.zh == "全部相关条目中，有多少排进了前 k 条？"
    assert rg.explain("MRR@20").question.zh == "用户要看到第几条才遇到第一个相关结果？"


def test_3_hit_at_20_high_and_mrr_at_20_low():
    found = rg.diagnose(rg.evaluate(shop([10 + i % 11 for i in range(40)]), measures=["Hit@20", "MRR@20"]))

    late = found["found-but-late"]
    assert late.seen.startswith("Hit@20 为 1.000，而 MRR@20 只有 0.0")
    assert late.seen.endswith("第一个相关结果通常在第 14 位。")
    assert late.do.startswith("改进排序：重排")


def test_3_hit_at_5_low_and_hit_at_20_high():
    found = rg.diagnose(rg.evaluate(shop([1, 6, 9, 14, 19] * 8), measures=["Hit@5", "Hit@20"]))

    blunt = found["blunt-top"]
    assert blunt.seen == "Hit@5 为 0.200，Hit@20 为 1.000：80% 的查询只在第 6 到 20 位之间才命中。"
    assert "让头部更锋利" in blunt.do


def test_3_mrr_rises_and_hit_stays(tmp_path: Path):
    old, new = shop([8, 9, 10] * 13), shop([1, 2, 1] * 13)
    for name, system in {"旧": old, "新": new}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(system, ensure_ascii=False), encoding="utf-8")

    out = rankgauge(
        "diagnose", "旧.json", "新.json", "-m", "MRR@10", "-m", "Hit@10", cwd=tmp_path, language="zh"
    ).stdout

    assert "提升来自排序，而不是召回" in out
    assert "MRR@10 变化 +0.7" in out  # at the depth that was asked for
    assert "而 Hit@10 基本不变（0.000）" in out
    assert "重排、融合或打分的改进有效" in out


# 4️⃣


def test_4_several_skus_with_grades_and_ndcg():
    queries = {"手机": {"retrieved": ["sku1", "sku2", "sku3"], "relevant": {"sku2": 3, "sku3": 1, "sku9": 2}}}

    ev = rg.evaluate(queries, measures=["NDCG@10", "Recall@10", "Hit@10"])

    assert ev["Recall@10"] == approx(2 / 3)
    assert ev["Hit@10"] == 1
    assert ev["NDCG@10"] == approx((3 / 1.5849625 + 1 / 2) / (3 + 2 / 1.5849625 + 1 / 2), rel=1e-7)
    assert rg.explain("NDCG@10").title.zh == "归一化折损累计增益"
