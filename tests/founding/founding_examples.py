"""The worked examples of the founding documents, as data: rankings first, labels and scores at the end.

Each says what was shown and what is relevant, for one or several queries, and the mean that the document
prints, written as the sum behind it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log2
from typing import Any


@dataclass(frozen=True)
class Example:
    """A worked example; `queries` holds `{query: {"retrieved": [...], "relevant": [...] or grades}}`."""

    name: str
    source: str
    measure: str
    expected: float
    queries: dict[str, dict[str, Any]]
    note: str = ""

    def __str__(self) -> str:
        return self.name


def in_rank_order(*lists: Sequence[int]) -> dict[str, dict[str, Any]]:
    """Queries from the grades of their results, first result first; everything judged is shown."""
    return {
        f"q{number}": {
            "retrieved": [f"d{rank}" for rank in range(1, len(grades) + 1)],
            "relevant": {f"d{rank}": grade for rank, grade in enumerate(grades, start=1)},
        }
        for number, grades in enumerate(lists, start=1)
    }


EXAMPLES = [
    Example(
        "precision-basic",
        "founding document 001",
        "Precision@5",
        2 / 5,
        {
            "q1": {
                "retrieved": ["doc1", "doc2", "doc3", "doc4", "doc5"],
                "relevant": ["doc1", "doc3", "doc6", "doc7"],
            }
        },
    ),
    Example(
        "recall-basic",
        "founding document 001",
        "Recall@5",
        2 / 4,
        {
            "q1": {
                "retrieved": ["doc1", "doc2", "doc3", "doc4", "doc5"],
                "relevant": ["doc1", "doc3", "doc6", "doc7"],
            }
        },
    ),
    Example(
        "precision-at-1",
        "founding document 001",
        "Precision@1",
        1 / 1,
        {"q1": {"retrieved": ["doc1", "doc2", "doc3", "doc4", "doc5"], "relevant": ["doc1", "doc3", "doc6"]}},
    ),
    Example(
        "precision-at-3",
        "founding document 001",
        "Precision@3",
        2 / 3,
        {"q1": {"retrieved": ["doc1", "doc2", "doc3", "doc4", "doc5"], "relevant": ["doc1", "doc3", "doc6"]}},
    ),
    Example(
        "precision-at-5",
        "founding document 001",
        "Precision@5",
        2 / 5,
        {"q1": {"retrieved": ["doc1", "doc2", "doc3", "doc4", "doc5"], "relevant": ["doc1", "doc3", "doc6"]}},
    ),
    Example(
        "recall-at-1",
        "founding document 001",
        "Recall@1",
        1 / 5,
        {"q1": {"retrieved": ["doc1", "doc2", "doc3"], "relevant": ["doc1", "doc3", "doc6", "doc7", "doc8"]}},
        note="the list is shorter than k=5",
    ),
    Example(
        "recall-at-3",
        "founding document 001",
        "Recall@3",
        2 / 5,
        {"q1": {"retrieved": ["doc1", "doc2", "doc3"], "relevant": ["doc1", "doc3", "doc6", "doc7", "doc8"]}},
        note="the list is shorter than k=5",
    ),
    Example(
        "recall-at-5",
        "founding document 001",
        "Recall@5",
        2 / 5,
        {"q1": {"retrieved": ["doc1", "doc2", "doc3"], "relevant": ["doc1", "doc3", "doc6", "doc7", "doc8"]}},
        note="the list is shorter than k=5",
    ),
    Example(
        "precision-leave-policy",
        "founding document 001",
        "Precision@5",
        2 / 5,
        {
            "q1": {
                "retrieved": ["HR手册第3章", "员工福利政策", "公司简介", "薪资制度", "考勤制度"],
                "relevant": ["HR手册第3章", "员工福利政策", "假期管理规定"],
            }
        },
        note="ids are Chinese text",
    ),
    Example(
        "recall-redis",
        "founding document 001",
        "Recall@5",
        2 / 8,
        {
            "q1": {
                "retrieved": ["Redis配置指南", "Redis性能优化", "MySQL配置", "Nginx配置", "Docker配置"],
                "relevant": [
                    "Redis配置指南",
                    "Redis性能优化",
                    "Redis集群配置",
                    "Redis持久化",
                    "Redis安全配置",
                    "Redis监控",
                    "Redis故障排查",
                    "Redis最佳实践",
                ],
            }
        },
    ),
    Example(
        "mrr-single",
        "founding document 001",
        "MRR",
        1 / 3,
        {"q1": {"retrieved": ["doc2", "doc3", "doc1", "doc4"], "relevant": ["doc1", "doc5"]}},
    ),
    Example(
        "mrr-batch",
        "founding document 001",
        "MRR",
        (1 / 1 + 1 / 3 + 0) / 3,
        {
            "q1": {"retrieved": ["doc1", "doc2", "doc3"], "relevant": ["doc1", "doc4"]},
            "q2": {"retrieved": ["doc2", "doc3", "doc1"], "relevant": ["doc1", "doc4"]},
            "q3": {"retrieved": ["doc2", "doc3", "doc4"], "relevant": ["doc1", "doc5"]},
        },
    ),
    Example(
        "mrr-returns",
        "founding document 001",
        "MRR",
        (1 / 1 + 1 / 3 + 0) / 3,
        {
            "q1": {"retrieved": ["退货流程指南", "售后政策", "物流信息"], "relevant": ["退货流程指南"]},
            "q2": {"retrieved": ["售后政策", "物流信息", "退货流程指南"], "relevant": ["退货流程指南"]},
            "q3": {"retrieved": ["售后政策", "物流信息", "联系客服"], "relevant": ["退货流程指南"]},
        },
    ),
    Example(
        "hit-batch",
        "founding document 001",
        "Hit@3",
        (1 + 0 + 1) / 3,
        {
            "q1": {"retrieved": ["doc1", "doc2", "doc3"], "relevant": ["doc1", "doc4"]},
            "q2": {"retrieved": ["doc2", "doc3", "doc4"], "relevant": ["doc1", "doc5"]},
            "q3": {"retrieved": ["doc5", "doc2", "doc3"], "relevant": ["doc5", "doc6"]},
        },
    ),
    Example(
        "hit-faq",
        "founding document 001",
        "Hit@3",
        (1 + 1 + 1 + 0 + 0) / 5,
        {
            "q1": {"retrieved": ["密码重置指南", "账号安全"], "relevant": ["密码重置指南"]},
            "q2": {"retrieved": ["账号安全", "密码重置指南"], "relevant": ["密码重置指南"]},
            "q3": {"retrieved": ["密码重置指南", "找回密码"], "relevant": ["密码重置指南"]},
            "q4": {"retrieved": ["账号安全", "登录问题"], "relevant": ["账号解锁流程"]},
            "q5": {"retrieved": ["账号安全", "登录问题"], "relevant": ["登录故障排查"]},
        },
    ),
    Example(
        "dcg-linear",
        "founding document 001",
        "DCG(gain=linear)@5",
        3 + 1 / log2(3) + 2 / log2(4) + 0 + 3 / log2(6),
        {
            "q1": {
                "retrieved": ["doc1", "doc2", "doc3", "doc4", "doc5"],
                "relevant": {"doc1": 3, "doc2": 1, "doc3": 2, "doc4": 0, "doc5": 3},
            }
        },
    ),
    Example(
        "ndcg-linear",
        "founding document 001",
        "nDCG(gain=linear)@5",
        (3 + 1 / log2(3) + 2 / log2(4) + 3 / log2(6)) / (3 + 3 / log2(3) + 2 / log2(4) + 1 / log2(5)),
        {
            "q1": {
                "retrieved": ["doc1", "doc2", "doc3", "doc4", "doc5"],
                "relevant": {"doc1": 3, "doc2": 1, "doc3": 2, "doc4": 0, "doc5": 3},
            }
        },
    ),
    Example(
        "ndcg-papers",
        "founding document 001",
        "nDCG(gain=linear)@5",
        (3 + 3 / log2(3) + 2 / log2(5) + 1 / log2(6)) / (3 + 3 / log2(3) + 2 / log2(4) + 1 / log2(5)),
        {
            "q1": {
                "retrieved": ["paper1", "paper2", "paper3", "paper4", "paper5"],
                "relevant": {"paper1": 3, "paper2": 3, "paper3": 0, "paper4": 2, "paper5": 1},
            }
        },
    ),
    Example(
        "dcg-exponential",
        "founding document 004",
        "DCG(gain=exponential)@5",
        7 + 3 / log2(3) + 7 / log2(4) + 0 + 1 / log2(6),
        in_rank_order([3, 2, 3, 0, 1]),
        note="the text rounds to 12.78",
    ),
    Example(
        "ndcg-exponential",
        "founding document 004",
        "nDCG(gain=exponential)@5",
        (7 + 3 / log2(3) + 7 / log2(4) + 1 / log2(6)) / (7 + 7 / log2(3) + 3 / log2(4) + 1 / log2(5)),
        in_rank_order([3, 2, 3, 0, 1]),
        note="the text rounds intermediate terms and prints 0.958; the exact value is 0.957478",
    ),
    Example(
        "mrr-at-5",
        "founding document 004",
        "MRR@5",
        (1 / 1 + 1 / 2 + 1 / 5 + 0) / 4,
        in_rank_order([1, 0, 0, 1, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]),
    ),
    Example(
        "ap-user-a",
        "founding document 004",
        "AP(norm=hits)@6",
        (1 / 1 + 2 / 4 + 3 / 6) / 3,
        in_rank_order([1, 0, 0, 1, 0, 1]),
    ),
    Example(
        "ap-user-b",
        "founding document 004",
        "AP(norm=hits)@6",
        (1 / 2 + 2 / 5) / 2,
        in_rank_order([0, 1, 0, 0, 1, 0]),
    ),
    Example(
        "ap-user-c",
        "founding document 004",
        "AP(norm=hits)@6",
        (1 / 1 + 2 / 2 + 3 / 4) / 3,
        in_rank_order([1, 1, 0, 1, 0, 0]),
    ),
    Example(
        "map-three-users",
        "founding document 004",
        "MAP(norm=hits)@6",
        ((1 / 1 + 2 / 4 + 3 / 6) / 3 + (1 / 2 + 2 / 5) / 2 + (1 / 1 + 2 / 2 + 3 / 4) / 3) / 3,
        in_rank_order([1, 0, 0, 1, 0, 1], [0, 1, 0, 0, 1, 0], [1, 1, 0, 1, 0, 0]),
    ),
    Example(
        "hr-three-users",
        "founding document 004",
        "HR@3",
        (1 + 0 + 1) / 3,
        {
            "q1": {"retrieved": ["物品1", "物品2", "物品5"], "relevant": ["物品2"]},
            "q2": {"retrieved": ["物品1", "物品5", "物品6"], "relevant": ["物品3", "物品4"]},
            "q3": {"retrieved": ["物品3", "物品7", "物品9"], "relevant": ["物品4", "物品7"]},
        },
    ),
    Example(
        "recall-vs-hit-recall",
        "founding document 002",
        "Recall@5",
        2 / 3,
        {"q1": {"retrieved": ["D1", "D2", "D3", "D4", "D6"], "relevant": ["D1", "D3", "D5"]}},
    ),
    Example(
        "recall-vs-hit-hit",
        "founding document 002",
        "Hit@5",
        1.0,
        {"q1": {"retrieved": ["D1", "D2", "D4", "D6", "D7"], "relevant": ["D1", "D3", "D5"]}},
    ),
    Example(
        "multi-target-1-of-5",
        "founding document 000",
        "Recall@10",
        1 / 5,
        {
            "q1": {
                "retrieved": ["r0", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8"],
                "relevant": ["r0", "r1", "r2", "r3", "r4"],
            }
        },
    ),
    Example(
        "multi-target-3-of-5",
        "founding document 000",
        "Recall@10",
        3 / 5,
        {
            "q1": {
                "retrieved": ["r0", "r1", "r2", "x0", "x1", "x2", "x3", "x4", "x5", "x6"],
                "relevant": ["r0", "r1", "r2", "r3", "r4"],
            }
        },
    ),
    Example(
        "evaluator-precision",
        "founding document 001",
        "Precision@5",
        (2 / 5 + 2 / 5) / 2,
        {
            "q1": {
                "retrieved": ["doc1", "doc2", "doc3", "doc4", "doc5"],
                "relevant": {"doc1": 3, "doc3": 2, "doc6": 1},
            },
            "q2": {"retrieved": ["doc2", "doc3", "doc1", "doc5", "doc4"], "relevant": {"doc1": 3, "doc2": 2}},
        },
    ),
    Example(
        "evaluator-recall",
        "founding document 001",
        "Recall@5",
        (2 / 3 + 2 / 2) / 2,
        {
            "q1": {
                "retrieved": ["doc1", "doc2", "doc3", "doc4", "doc5"],
                "relevant": {"doc1": 3, "doc3": 2, "doc6": 1},
            },
            "q2": {"retrieved": ["doc2", "doc3", "doc1", "doc5", "doc4"], "relevant": {"doc1": 3, "doc2": 2}},
        },
    ),
    Example(
        "evaluator-mrr",
        "founding document 001",
        "MRR",
        (1 / 1 + 1 / 1) / 2,
        {
            "q1": {
                "retrieved": ["doc1", "doc2", "doc3", "doc4", "doc5"],
                "relevant": {"doc1": 3, "doc3": 2, "doc6": 1},
            },
            "q2": {"retrieved": ["doc2", "doc3", "doc1", "doc5", "doc4"], "relevant": {"doc1": 3, "doc2": 2}},
        },
    ),
    Example(
        "evaluator-ndcg",
        "founding document 001",
        "nDCG(gain=linear)@5",
        ((3 + 2 / log2(4)) / (3 + 2 / log2(3) + 1 / log2(4)) + (2 + 3 / log2(4)) / (3 + 2 / log2(3))) / 2,
        {
            "q1": {
                "retrieved": ["doc1", "doc2", "doc3", "doc4", "doc5"],
                "relevant": {"doc1": 3, "doc3": 2, "doc6": 1},
            },
            "q2": {"retrieved": ["doc2", "doc3", "doc1", "doc5", "doc4"], "relevant": {"doc1": 3, "doc2": 2}},
        },
    ),
    Example(
        "evaluator-hit",
        "founding document 001",
        "Hit@5",
        (1 + 1) / 2,
        {
            "q1": {
                "retrieved": ["doc1", "doc2", "doc3", "doc4", "doc5"],
                "relevant": {"doc1": 3, "doc3": 2, "doc6": 1},
            },
            "q2": {"retrieved": ["doc2", "doc3", "doc1", "doc5", "doc4"], "relevant": {"doc1": 3, "doc2": 2}},
        },
    ),
]


@dataclass(frozen=True)
class BinaryExample:
    """A worked example of labels and scores."""

    name: str
    source: str
    measure: str
    expected: float
    label: Sequence[int]
    score: Sequence[float]

    def __str__(self) -> str:
        return self.name


BINARY_EXAMPLES = [
    BinaryExample("logloss-confident-wrong", "founding document 004", "LogLoss", -log(0.001), [1], [0.001]),
    BinaryExample("auc-two-models-a", "founding document 004", "AUC", 1 / 1, [1, 0], [0.51, 0.49]),
    BinaryExample("auc-two-models-b", "founding document 004", "AUC", 1 / 1, [1, 0], [0.99, 0.01]),
    BinaryExample(
        "logloss-two-models-a",
        "founding document 004",
        "LogLoss",
        -(log(0.51) + log(1 - 0.49)) / 2,
        [1, 0],
        [0.51, 0.49],
    ),
    BinaryExample(
        "logloss-two-models-b",
        "founding document 004",
        "LogLoss",
        -(log(0.99) + log(1 - 0.01)) / 2,
        [1, 0],
        [0.99, 0.01],
    ),
]


BY_NAME = {example.name: example for example in EXAMPLES}
"""The examples of rankings by their names."""
