"""《核心概念 - 检索质量评估指标》: each measure with its example, scenario and rating, the choice, the evaluator."""

from __future__ import annotations

import json
from functools import cache
from math import log2
from pathlib import Path
from typing import Any

import pytest
from founding_examples import BY_NAME, Example

import rankgauge as rg
from command_line import rankgauge
from rankgauge.diagnosis.standards import load_standards
from rankgauge.measures import parse

approx = pytest.approx

SOURCE = "《核心概念 - 检索质量评估指标》"


def measured(name: str, *measures: str) -> rg.RankingEvaluation:
    """An example as the document writes it: pairs of what was retrieved and what is relevant."""
    pairs = [(sides["retrieved"], sides["relevant"]) for sides in BY_NAME[name].queries.values()]
    return rg.evaluate(pairs, measures=list(measures))


@cache
def at(thousandths: int) -> rg.RankingEvaluation:
    """Precision, recall, MRR and nDCG of exactly so many thousandths: that many queries of a thousand succeed."""
    queries = {
        f"q{i}": {"retrieved": ["right", "a", "b"] if i < thousandths else ["a", "b", "c"], "relevant": ["right"]}
        for i in range(1000)
    }
    return rg.evaluate(queries, measures=["Precision@1", "Recall@1", "MRR", "NDCG@5"])


def check_bands(measure: str, limits: tuple[int, int, int], advice: dict[str, str]) -> None:
    """A value just below, at and just above each border of a table of ratings, with the advice of its row.

    The borders are those that the table leaves to the reader: `0.5-0.7` holds 0.5, and what is excellent is above.
    """
    fair, good, excellent = limits
    words = {
        fair - 1: "差",
        fair: "中",
        fair + 1: "中",
        good - 1: "中",
        good: "良",
        good + 1: "良",
        excellent - 1: "良",
        excellent: "良",
        excellent + 1: "优",
    }
    for thousandths, word in words.items():
        row = at(thousandths).ratings()[measure]
        assert row.value == approx(thousandths / 1000, abs=1e-12)
        assert row.rating is not None
        assert (thousandths, row.rating.band.title.zh) == (thousandths, word)
        assert row.rating.band.source.zh == SOURCE  # type: ignore[attr-defined]
        assert advice[word] in row.advice.zh  # type: ignore[attr-defined]


# 一、Precision@K


def test_1_precision_of_the_example():
    assert measured("precision-basic", "Precision@5")["Precision@5"] == 2 / 5
    assert measured("precision-basic", "精确率@5")["Precision@5"] == 2 / 5
    assert [measured(f"precision-at-{k}", f"Precision@{k}")[f"P@{k}"] for k in (1, 3, 5)] == approx([1, 2 / 3, 2 / 5])


def test_1_precision_of_the_leave_policy_scenario_is_poor_and_says_what_to_do(tmp_path: Path):
    queries = {"公司的年假政策是什么？": BY_NAME["precision-leave-policy"].queries["q1"]}
    (tmp_path / "知识库.json").write_text(json.dumps(queries, ensure_ascii=False), encoding="utf-8")

    out = rankgauge("evaluate", "知识库.json", "-m", "Precision@5", "--rate", cwd=tmp_path, language="zh").stdout

    assert "Precision@5  0.4000" in out
    assert "差（对照可达上限 0.600 为“中”）" in out  # three documents are relevant: five places cannot all be


def test_1_precision_bands():
    check_bands("Precision@1", (500, 700, 850), {"差": "重排", "中": "可以使用", "良": "较干净", "优": "非常干净"})


# 二、Recall@K


def test_2_recall_of_the_example():
    assert measured("recall-basic", "Recall@5")["Recall@5"] == 2 / 4
    assert [measured(f"recall-at-{k}", f"召回率@{k}")[f"R@{k}"] for k in (1, 3, 5)] == approx([1 / 5, 2 / 5, 2 / 5])


def test_2_recall_of_the_redis_scenario_is_poor():
    ev = measured("recall-redis", "Recall@5")

    assert ev["Recall@5"] == 0.25
    row = ev.ratings()["Recall@5"]
    assert row.rating is not None
    assert row.rating.band.title.zh == "差"
    assert row.ceiling == 5 / 8  # eight documents do not fit into five places


def test_2_recall_bands():
    check_bands(
        "Recall@1", (600, 750, 850), {"差": "加大 k", "中": "可以使用", "良": "覆盖较好", "优": "绝大部分已找到"}
    )


# 三、MRR


def test_3_mrr_of_one_query_and_of_a_batch():
    assert measured("mrr-single", "MRR")["MRR"] == approx(1 / 3)

    ev = measured("mrr-batch", "MRR")

    assert ev["MRR"] == approx((1 + 1 / 3 + 0) / 3)
    assert [row["MRR"] for row in ev.per_query.to_dicts()] == approx([1, 1 / 3, 0])


def test_3_mrr_of_the_customer_service_scenario():
    questions = ["如何退货？", "退货流程是什么？", "怎么申请退款？"]
    queries = dict(zip(questions, BY_NAME["mrr-returns"].queries.values(), strict=True))

    ev = rg.evaluate(queries, measures=["MRR"])

    assert round(ev["MRR"], 2) == 0.44
    assert ev.query_ids == questions


def test_3_mrr_bands():
    check_bands("MRR", (400, 600, 800), {"差": "重排", "中": "可以使用", "良": "榜首附近", "优": "第一条结果就有用"})


# 四、NDCG@K


def test_4_dcg_and_ndcg_of_the_example():
    example = BY_NAME["ndcg-linear"]
    ideal = 3 + 3 / log2(3) + 2 / log2(4) + 1 / log2(5)

    ev = rg.evaluate(example.queries, measures=["DCG@5", "NDCG@1", "NDCG@3", "NDCG@5"])

    assert ev["DCG@5"] == approx(BY_NAME["dcg-linear"].expected)
    assert ev["NDCG@1"] == 1
    assert ev["NDCG@3"] == approx((3 + 1 / log2(3) + 2 / log2(4)) / (3 + 3 / log2(3) + 2 / log2(4)))
    assert ev["NDCG@5"] == approx(BY_NAME["dcg-linear"].expected / ideal)


def test_4_the_lines_written_for_ranx_run_as_they_are():
    from rankgauge import Qrels, Run, evaluate

    qrels = Qrels({"q1": {"doc1": 3, "doc2": 1, "doc3": 2, "doc5": 3}})
    run = Run({"q1": {"doc1": 0.9, "doc2": 0.8, "doc3": 0.7, "doc4": 0.6, "doc5": 0.5}})

    scores = evaluate(qrels, run, ["ndcg@1", "ndcg@3", "ndcg@5"])

    assert list(scores.mean()) == ["ndcg@1", "ndcg@3", "ndcg@5"]
    assert scores["ndcg@5"] == approx(BY_NAME["ndcg-linear"].expected)
    assert "ndcg@5  0.9159" in str(scores)


def test_4_ndcg_of_the_papers_punishes_the_third():
    ev = rg.evaluate(BY_NAME["ndcg-papers"].queries, measures=["NDCG@5"])
    ideal = {
        "q1": {**BY_NAME["ndcg-papers"].queries["q1"], "retrieved": ["paper1", "paper2", "paper4", "paper5", "paper3"]}
    }

    assert ev["NDCG@5"] == approx(BY_NAME["ndcg-papers"].expected)
    assert rg.evaluate(ideal, measures=["NDCG@5"])["NDCG@5"] == 1 > ev["NDCG@5"]


def test_4_ndcg_bands():
    check_bands("NDCG@5", (500, 700, 850), {"差": "重做", "中": "可以使用", "良": "排序较好", "优": "接近理想排序"})


# 五、Hit Rate


def test_5_hit_rate_of_the_batch():
    assert measured("hit-batch", "Hit Rate@3")["Hit Rate@3"] == approx(2 / 3)


def test_5_hit_rate_of_the_faq_scenario(tmp_path: Path):
    pairs = [(sides["retrieved"], sides["relevant"]) for sides in BY_NAME["hit-faq"].queries.values()]
    (tmp_path / "faq.json").write_text(json.dumps(pairs, ensure_ascii=False), encoding="utf-8")

    out = rankgauge("evaluate", "faq.json", "-m", "命中率@3", cwd=tmp_path, language="zh").stdout

    assert "命中率@3  0.6000" in out
    assert "共 5 个查询，5 个计入均值" in out


# 六、指标对比与选择


@pytest.mark.parametrize(
    ("measure", "strength", "limit", "use"),
    [
        ("Precision@5", "无需解释", "看不到遗漏", "每条结果都有代价"),
        ("Recall@5", "漏掉相关条目会使它下降", "不看截断以内的顺序", "需要全部证据"),
        ("MRR", "只要一个答案的用户", "首个相关结果之后一概不看", "只有一个正确答案"),
        ("NDCG@5", "看相关性等级", "要有相关性等级才能发挥作用", "有等级标注"),
        ("Hit Rate@5", "谁都看得懂", "只有 0 或 1", "快速判断系统是否可用"),
    ],
)
def test_6_the_table_of_measures_is_what_explain_teaches(measure: str, strength: str, limit: str, use: str):
    lesson = rg.explain(measure)

    assert strength in "".join(text.zh for text in lesson.strengths)
    assert limit in "".join(text.zh for text in lesson.limits)
    assert use in lesson.use.zh


CHOICES = {
    "FAQ匹配": ["MRR", "Hit Rate@3", "Precision@3"],
    "文档检索": ["Recall@5", "NDCG@5", "Precision@5"],
    "学术搜索": ["NDCG@10", "MRR", "Recall@10"],
    "生产监控": ["Hit Rate@5", "MRR"],
}
BENCHMARKS = {
    "FAQ系统": {"MRR": 0.85, "Hit Rate@3": 0.90, "Precision@3": 0.80},
    "文档问答": {"Recall@5": 0.80, "Precision@5": 0.75, "NDCG@5": 0.78},
    "学术检索": {"NDCG@10": 0.75, "Recall@10": 0.85, "MRR": 0.70},
    "企业知识库": {"Recall@5": 0.85, "Precision@5": 0.80, "NDCG@5": 0.82},
}


@pytest.mark.parametrize(("scenario", "measures"), CHOICES.items())
def test_6_each_scenario_takes_its_measures(scenario: str, measures: list[str], tmp_path: Path):
    (tmp_path / "q.json").write_text(json.dumps(BY_NAME["evaluator-mrr"].queries), encoding="utf-8")

    out = rankgauge("evaluate", "q.json", "--scenario", scenario, "--json", cwd=tmp_path, language="zh").stdout

    evaluated = json.loads(out)["measures"]
    assert [m["definition"] for m in evaluated] == [str(parse(m)) for m in measures]


@pytest.mark.parametrize(("scenario", "figures"), BENCHMARKS.items())
def test_6_benchmarks_of_each_scenario_are_asked(scenario: str, figures: dict[str, float]):
    ev = rg.evaluate(BY_NAME["evaluator-mrr"].queries, measures=list(figures))

    found = ev.ratings(scenario=scenario)

    asked = {row.measure: [a.figure for a in row.asked if a.by == "benchmark"] for row in found}
    assert asked == {measure: [figure] for measure, figure in figures.items()}


# 七、完整评估示例


class RetrievalEvaluator:
    """The evaluator of the document, with rankgauge inside."""

    def __init__(self) -> None:
        self.metrics = ["precision@5", "recall@5", "mrr", "ndcg@5", "hit_rate@5"]

    def evaluate(self, queries_results: Any) -> dict[str, float]:
        return rg.evaluate(queries_results, measures=self.metrics).mean()

    def report(self, scores: dict[str, float]) -> str:
        return "\n".join(f"{metric:20s}: {score:.3f}" for metric, score in scores.items())


def test_7_the_evaluator():
    evaluator, examples = RetrievalEvaluator(), [BY_NAME[f"evaluator-{m}"] for m in ("precision", "recall", "mrr")]

    scores = evaluator.evaluate(examples[0].queries)

    by_measure = [*examples, BY_NAME["evaluator-ndcg"], BY_NAME["evaluator-hit"]]
    assert list(scores.values()) == approx([example.expected for example in by_measure])
    assert evaluator.report(scores).splitlines()[0] == "precision@5         : 0.400"
    assert evaluator.report(scores).splitlines()[3] == "ndcg@5              : 0.831"


def test_7_the_same_from_a_file_with_ratings_diagnosis_and_report(tmp_path: Path):
    queries: Example = BY_NAME["evaluator-ndcg"]
    (tmp_path / "rag.json").write_text(json.dumps(queries.queries), encoding="utf-8")

    out = rankgauge("evaluate", "rag.json", "--scenario", "文档问答", cwd=tmp_path, language="zh").stdout
    rankgauge("report", "rag.json", "-o", "report.html", cwd=tmp_path, language="zh")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")

    assert "的评级，场景：文档问答（document_qa）" in out
    assert "NDCG@5" in out.upper()
    assert f"分档出自{SOURCE}" in out
    assert 'lang="zh' in page


# 八、总结

PRODUCTION = {
    "minimum": {"Recall@5": 0.70, "Precision@5": 0.60, "MRR": 0.50},
    "good": {"Recall@5": 0.80, "Precision@5": 0.75, "MRR": 0.70},
    "excellent": {"Recall@5": 0.85, "Precision@5": 0.80, "MRR": 0.80},
}


def five(found: int, first: int, n: int = 200) -> dict[str, dict[str, Any]]:
    """Queries with five relevant documents, `found` of them in five results from rank `first` on."""
    shown = ["x1", "x2", "x3", "x4", "x5"]
    shown[first - 1 : first - 1 + found] = ["a", "b", "c", "d", "e"][:found]
    return {f"q{i}": {"retrieved": shown, "relevant": ["a", "b", "c", "d", "e"]} for i in range(n)}


def test_8_three_to_five_measures_are_advised():
    choice = load_standards().choice

    assert (choice.at_least, choice.at_most) == (3, 5)
    assert "三到五个" in choice.advice.zh


@pytest.mark.parametrize(("level", "figures"), PRODUCTION.items())
def test_8_each_level_of_production_is_a_gate(level: str, figures: dict[str, float], tmp_path: Path):
    queries = {**five(4, 1, 150), **{f"r{i}": x for i, x in enumerate(five(3, 1, 50).values())}}  # R@5 = P@5 = 0.75
    queries |= {f"s{i}": x for i, x in enumerate(five(4, 2, 50).values())}  # and MRR 0.9
    ev = rg.evaluate(queries, measures=list(figures))
    (tmp_path / "rag.json").write_text(json.dumps(queries), encoding="utf-8")
    passes = all(ev[m] >= figure for m, figure in figures.items())

    gate = ("gate", "rag.json", "--standard", "production", "--level", level)
    out = rankgauge(*gate, cwd=tmp_path, language="zh", code=0 if passes else 1).stdout

    assert passes == (level == "minimum")
    for measure, figure in figures.items():
        assert f"{parse(measure)} >= {figure:g}" in out


def test_8_ratings_hold_each_measure_to_the_three_levels():
    found = rg.evaluate(five(4, 1), measures=["Recall@5", "Precision@5", "MRR"]).ratings()

    assert {row.measure: {a.by: a.figure for a in row.asked} for row in found} == {
        measure: {level: figures[measure] for level, figures in PRODUCTION.items()} for measure in PRODUCTION["good"]
    }
    assert [a.title.zh for a in found["MRR"].asked] == ["最低", "良好", "优秀"]  # type: ignore[attr-defined]
