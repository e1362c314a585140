"""《Recall@k 与 Hit Rate@k 对比》: found all, or found any; where each is used, and what raises it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from founding_examples import BY_NAME

import rankgauge as rg
from command_line import rankgauge
from rankgauge.diagnosis.standards import load_standards

approx = pytest.approx

USERS: dict[str, dict[str, Any]] = {
    "u1": BY_NAME["recall-vs-hit-recall"].queries["q1"],
    "u2": {"retrieved": ["D1", "D2"], "relevant": []},
}


def recommended(n: int, every: int) -> dict[str, dict[str, Any]]:
    """Users with one relevant item, which each `every`-th finds first among ten."""
    others = [f"x{i}" for i in range(10)]
    return {f"u{i}": {"retrieved": others if i % every else ["a", *others[:9]], "relevant": ["a"]} for i in range(n)}


# 一


def test_1_found_all_and_found_any_are_what_the_two_ask():
    assert rg.explain("Recall@k").question.zh == "全部相关条目中，有多少排进了前 k 条？"
    assert rg.explain("Hit Rate@k").question.zh == "前 k 条中是否至少有一个相关结果？"


# 二


def test_2_recall_of_the_example():
    example = BY_NAME["recall-vs-hit-recall"]
    relevant, recommended = {"D1", "D3", "D5"}, ["D1", "D2", "D3", "D4", "D6"]

    assert rg.evaluate({"u": relevant}, {"u": recommended}, "Recall@5")["Recall@5"] == approx(example.expected)
    assert round(example.expected, 3) == 0.667


def test_2_hit_rate_of_the_example_and_its_mean_over_users():
    hits, misses = BY_NAME["recall-vs-hit-hit"].queries["q1"], {"retrieved": ["D8"], "relevant": ["D9"]}

    ev = rg.evaluate({"u1": hits, "u2": misses}, measures=["Hit Rate@5"])

    assert ev.per_query["Hit Rate@5"].to_list() == [1, 0]
    assert ev["Hit Rate@5"] == 1 / 2


# 三


def test_3_without_relevant_items_recall_is_undefined_and_hit_rate_is_0():
    ev = rg.evaluate(USERS, measures=["Recall@5", "Hit Rate@5"], no_relevant={"Recall": "skip", "Hit Rate": "zero"})

    assert ev.mean() == {"Recall@5": approx(2 / 3), "Hit Rate@5": 1 / 2}
    assert (ev.n("Recall@5"), ev.n("Hit Rate@5")) == (1, 2)
    assert "2 个查询中有 1 个没有相关条目（Recall@5 不计入；Hit Rate@5 计为 0" in str(ev)


def test_3_the_same_by_the_name_of_the_convention(tmp_path: Path):
    (tmp_path / "users.json").write_text(json.dumps(USERS), encoding="utf-8")
    words = ("-m", "Recall@5", "-m", "Hit Rate@5", "--convention", "recall-and-hit-rate")

    out = rankgauge("evaluate", "users.json", *words, cwd=tmp_path, language="zh").stdout

    assert "Recall@5    0.6667" in out
    assert "Hit Rate@5  0.5000" in out


def test_3_recall_counts_how_many_and_hit_rate_whether_any():
    one, two = ["D1", "D2", "D4"], ["D1", "D3", "D4"]

    found = [rg.evaluate({"u": ["D1", "D3", "D5"]}, {"u": x}, ["Recall@3", "Hit@3"]).mean() for x in (one, two)]

    assert [x["Recall@3"] for x in found] == approx([1 / 3, 2 / 3])
    assert [x["Hit@3"] for x in found] == [1, 1]


# 四


def test_4_recall_for_candidates_at_their_depth():
    scenario = load_standards().scenario("召回阶段")

    assert {k for c in scenario.cutoffs if c.measures == ("R",) for k in c.k} >= {100, 1000}
    assert "候选召回" in rg.explain("Recall@100").use.zh


def test_4_long_tail_items_are_looked_at_by_themselves(tmp_path: Path):
    played = {"热门": 9000, "独立A": 20, "独立B": 10}
    queries = {
        f"u{i}": {"retrieved": ["热门", "x"] if i % 2 else ["热门", "独立A"], "relevant": ["热门", "独立A", "独立B"]}
        for i in range(20)
    }

    found = rg.evaluate(queries, measures=["Recall@1000"]).by_item_group(
        {"热门": "头部", "独立A": "长尾", "独立B": "长尾"}
    )

    assert {row.group: row.recall for row in found.rows} == {"头部": 1, "长尾": approx(10 / 40)}
    (tmp_path / "users.json").write_text(json.dumps(queries, ensure_ascii=False), encoding="utf-8")
    (tmp_path / "plays.csv").write_text("item_id,plays\n" + "".join(f"{x},{n}\n" for x, n in played.items()))
    groups = ("-m", "Recall@1000", "--item-groups", "plays.csv")
    out = rankgauge("evaluate", "users.json", *groups, cwd=tmp_path, language="zh").stdout
    assert "长尾" in out


@pytest.mark.parametrize(
    ("scenario", "measure", "advice"),
    [("冷启动", "Hit@10", "探索"), ("新闻推荐", "Hit@5", "命中率更稳定"), ("社交推荐", "Hit@10", "多样性")],
)
def test_4_hit_rate_for_cold_start_news_and_social(scenario: str, measure: str, advice: str, tmp_path: Path):
    (tmp_path / "users.json").write_text(json.dumps(recommended(30, 3)), encoding="utf-8")

    out = rankgauge("evaluate", "users.json", "--scenario", scenario, cwd=tmp_path, language="zh").stdout

    row = next(line for line in out.partition("的评级")[2].splitlines() if line.startswith(measure))
    assert advice in "".join(out.partition("的评级")[2].split())
    assert "0.3333" in row


def test_4_is_the_new_model_likelier_to_hit():
    c = rg.compare({"基线": recommended(60, 3), "新模型": recommended(60, 1)}, measures=["Hit Rate@10"])

    assert c["Hit Rate@10", "新模型"].verdict == "better"
    assert c.sentences()[0].startswith("Hit Rate@10 从 0.333 变为 1.000（差值的 95% 置信区间 ")


# 五


def test_5_what_each_of_several_recall_channels_adds(tmp_path: Path):
    users = [f"u{i}" for i in range(5)]
    wanted = {u: ["a", "b", "c", "d"] for u in users}
    ways = {
        "协同过滤": {u: ["a", "b", "x"] for u in users},
        "内容匹配": {u: ["b", "y"] for u in users},
        "语义搜索": {u: ["b", "c", "z"] for u in users},
    }

    found = rg.channels(wanted, ways)

    assert found.recall == 3 / 4
    assert [(c.name, c.recall, c.adds) for c in found.channels] == [
        ("协同过滤", 0.5, 0.25),
        ("内容匹配", 0.25, 0.0),
        ("语义搜索", 0.5, 0.25),
    ]
    assert str(found).startswith("3 路召回合计召回率为 0.750。")
    assert "去掉 内容匹配 不会漏掉任何相关条目" in str(found)
    for name, lists in {"标注": wanted, **ways}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(lists, ensure_ascii=False), encoding="utf-8")
    files = [f"{name}={name}.json" for name in ways]
    assert str(found).splitlines()[0] in rankgauge("channels", "标注.json", *files, cwd=tmp_path, language="zh").stdout


def test_5_low_recall_is_told_to_take_several_channels():
    ev = rg.evaluate(recommended(30, 3), measures=["R@100"])

    assert "多路召回" in ev.ratings(scenario="社交推荐")["R@100"].advice.zh  # type: ignore[attr-defined]


# 六


def test_6_both_together():
    queries = {
        f"u{i}": {
            "retrieved": [f"x{k}" for k in range(8)] + ["a"] + [f"y{k}" for k in range(80)],
            "relevant": ["a", "b"],
        }
        for i in range(30)
    }

    ev = rg.evaluate(queries, measures=["Recall@100", "Hit Rate@10"])

    assert ev.mean() == {"Recall@100": 0.5, "Hit Rate@10": 1.0}
    assert {"R@100", "Hit@10"} <= set(load_standards().scenario("社交推荐").measures)
