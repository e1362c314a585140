"""《NDCG / Recall@K（Search & Ranking）》: coverage and order, how to report them, and what a change means."""

from __future__ import annotations

import json
from math import log2
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge.diagnosis.standards import load_standards

approx = pytest.approx

Queries = dict[str, dict[str, Any]]


def search(first: int, second: int | None = None, n: int = 40) -> Queries:
    """Queries with two relevant products: one at about rank `first`, one at about `second`, or nowhere."""
    out = {}
    for i in range(n):
        shown = [f"x{k}" for k in range(100)]
        shown[first - 1 + i % 3] = "a"
        if second is not None and i % 4:
            shown[second - 1 + i % 5] = "b"
        out[f"q{i}"] = {"retrieved": shown, "relevant": ["a", "b"]}
    return out


def stored(folder: Path, **systems: Queries) -> list[str]:
    for name, system in systems.items():
        (folder / f"{name}.json").write_text(json.dumps(system), encoding="utf-8")
    return [f"{name}.json" for name in systems]


# 1. 评估对象与输入


def test_1_ground_truth_is_a_set_or_grades():
    ranked_items = {"q": ["i1", "i2", "i3"]}

    binary = rg.evaluate({"q": {"i2", "i3"}}, ranked_items, ["NDCG@10"])
    graded = rg.evaluate({"q": {"i1": 0, "i2": 3, "i3": 1}}, ranked_items, ["NDCG@10"])

    assert binary["NDCG@10"] == approx((1 / log2(3) + 1 / log2(4)) / (1 + 1 / log2(3)))
    assert graded["NDCG@10"] == approx((3 / log2(3) + 1 / log2(4)) / (3 + 1 / log2(3)))


def test_1_ground_truth_from_clicks_and_purchases():
    """Accidental clicks are left out and counted, and what was bought is judged higher than what was only seen."""
    rows: list[dict[str, Any]] = []
    for i in range(60):
        shown = {"request_id": f"r{i}", "user_id": f"u{i}", "query": "手机", "time": i * 1000}
        for place, item in enumerate(("好", "中", "差"), start=1):
            seen = {**shown, "item_id": item, "position": place}
            rows.append({**seen, "event": "impression", "dwell": None})
            if (item, i % 3) in {("好", 0), ("好", 1), ("中", 0)}:
                rows.append({**seen, "time": i * 1000 + 5, "event": "click", "dwell": 60.0})
            if item == "好" and i % 3 == 0:
                rows.append({**seen, "time": i * 1000 + 90, "event": "purchase", "dwell": None})
            if item == "差" and i % 3 == 1:
                rows.append({**seen, "time": i * 1000 + 7, "event": "click", "dwell": 1.0})  # by accident

    found = rg.behavior.judgements(pl.DataFrame(rows))

    grades = found.qrels.to_dict()["手机"]
    assert grades["好"] > grades["中"] > grades["差"]
    assert "点击视为误触" in str(found)
    assert "未校正位置偏差：人们只点击看到的东西" in str(found)


# 2. Recall@K


def test_2_recall_counts_what_should_have_been_found():
    ev = rg.evaluate({"q": ["a", "b", "c", "d"]}, {"q": ["x", "a", "y", "c"]}, ["Recall@2", "Recall@4"])

    assert ev.mean() == {"Recall@2": 1 / 4, "Recall@4": 2 / 4}


def test_2_what_is_kept_from_one_stage_to_the_next():
    recall = {q: x["retrieved"] for q, x in search(10, 60).items()}
    judged = {q: x["relevant"] for q, x in search(10).items()}

    f = rg.funnel(judged, {"召回": recall, "粗排": {q: items[:50] for q, items in recall.items()}})

    assert f["召回"].recall == approx((1 + 3 / 4) / 2)
    assert f["粗排"].recall == 1 / 2
    assert f.worst_step == "粗排"
    assert "粗排" in str(f).splitlines()[0]


def test_2_pitfalls_are_said_with_the_measure():
    lesson = rg.explain("Recall@100")

    assert "每个查询只有一个相关条目时，Recall@k 与 Hit@k 是同一个数" in lesson.edges.zh
    assert "不看截断以内的顺序" in "".join(text.zh for text in lesson.limits)


# 3. NDCG@K


def test_3_ndcg_with_exponential_gain():
    dcg = (2**0 - 1) / log2(2) + (2**3 - 1) / log2(3) + (2**1 - 1) / log2(4)
    ideal = (2**3 - 1) / log2(2) + (2**1 - 1) / log2(3)
    data = {"q": {"retrieved": ["i1", "i2", "i3"], "relevant": {"i1": 0, "i2": 3, "i3": 1}}}

    ev = rg.evaluate(data, measures=["DCG@10(gain=exp)", "NDCG@10(gain=exp)"])

    assert list(ev.mean().values()) == approx([dcg, dcg / ideal])


@pytest.mark.parametrize(("no_relevant", "mean", "n"), [("skip", 1.0, 1), ("zero", 0.5, 2)])
def test_3_queries_whose_ideal_is_0_are_left_out_or_0(no_relevant: str, mean: float, n: int):
    ev = rg.evaluate({"q1": {"a": 1}, "q2": {"a": 0}}, {"q1": ["a"], "q2": ["a"]}, "NDCG@10", no_relevant=no_relevant)

    assert (ev["NDCG@10"], ev.n("NDCG@10")) == (mean, n)
    assert "2 个查询中有 1 个没有相关条目" in str(ev)
    assert rg.evaluate({"q2": {"a": 0}, "q1": {"a": 1}}, {"q1": ["a"]}, "NDCG@10").policy.no_relevant == "skip"


# 4. 怎么汇报指标


def test_4_1_the_sentences_of_a_report(tmp_path: Path):
    files = stored(tmp_path, old=search(4), new=search(2, 50))

    words = ("-m", "Recall@100", "-m", "NDCG@10", "--sentences")
    out = rankgauge("compare", *files, *words, cwd=tmp_path, language="zh").stdout

    coverage, order = out.strip().splitlines()[-2:]
    assert coverage.startswith("Recall@100 从 0.500 变为 0.875（差值的 95% 置信区间 +0.3")
    assert coverage.endswith("40 个查询）：相关内容找得更全。")
    assert order.startswith("NDCG@10 从 0.")
    assert order.endswith("：相关结果更靠前。")


def test_4_2_recall_rises_and_ndcg_does_not():
    c = rg.compare({"旧": search(4), "新": search(4, 50)}, measures=["Recall@100", "NDCG@10"])

    found = rg.diagnose(c)["coverage-up-order-flat"]

    assert found.title == "找到的更多了，但头部没有变好"
    for reason in ("打分偏低（特征缺失", "分布不一致", "优化点击，评测的却是相关性", "曝光偏差、位置偏差"):
        assert reason in found.why
    for check in ("特征和得分", "训练标签与这里的标注是否一致", "rankgauge bias"):
        assert check in found.check


def test_4_3_ndcg_rises_and_ctr_does_not(tmp_path: Path):
    files = stored(tmp_path, old=search(5), new=search(1))

    words = ("-m", "NDCG@10", "--online", "ctr=0.031:0.031")
    out = "".join(rankgauge("diagnose", *files, *words, cwd=tmp_path, language="zh").stdout.split())

    assert "离线变好，线上没有变好" in out
    assert "线上ctr0.031→0.031" in out
    for question in ("标注是否与线上目标一致（点击还是购买）", "分桶、冷启动、实验混合", "重排规则、过滤、库存、价格"):
        assert question in out


# 5. 实用实现细节


def test_5_1_macro_and_micro_average():
    judged = {"头部": {f"a{i}": 1 for i in range(9)}, "长尾": {"b": 1}}
    run = {"头部": [f"a{i}" for i in range(9)], "长尾": ["x"]}

    macro = rg.evaluate(judged, run, "Recall@10")
    micro = rg.evaluate(judged, run, "Recall@10", average="micro")

    assert macro["Recall@10"] == (1 + 0) / 2
    assert micro["Recall@10"] == 9 / 10
    assert "average=micro" in str(micro)


def test_5_2_depths_for_candidates_and_for_what_people_see(tmp_path: Path):
    standards = load_standards()
    depths = {
        (c.stage, m): set(c.k)
        for s in ("召回阶段", "排序阶段")
        for c in standards.scenario(s).cutoffs
        for m in c.measures
    }

    assert depths["visible", "nDCG"] == {10, 20}
    shown = rankgauge("scenarios", "召回阶段", language="zh").stdout
    assert "50, 100, 200" in shown
    assert "《NDCG / Recall@K（Search & Ranking）》" in shown


# 6. 什么时候我会选 Recall 而不是 NDCG？


def test_6_recall_for_candidates_ndcg_for_the_ranker():
    recall, ndcg = rg.explain("Recall@100"), rg.explain("NDCG@10")

    assert "候选召回" in recall.use.zh
    assert "评价用户看到的排序" in ndcg.use.zh
    assert "召回阶段" in ndcg.avoid.zh
    assert ndcg.instead["R@10"].zh == "评测排序之前的候选召回时"
    assert recall.instead["nDCG@100"].zh == "当找到的条目的顺序重要时"
