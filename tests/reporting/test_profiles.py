"""Numbers by cutoff, the health of judgements and histograms of scores, in words of both languages."""

from __future__ import annotations

import re
from typing import Any

import pytest

import rankgauge as rg
from rankgauge.reporting import render

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1}, "q3": {"e": 0}}
RUN = {"q1": {"a": 3.0, "x": 2.0, "b": 1.0}, "q2": {"y": 1.0, "d": 1.0}}


def by_cutoff(**options: Any) -> rg.ByCutoff:
    return rg.by_cutoff(rg.evaluate(QRELS, RUN, "RR", **options), ["R", "P"], [1, 1000])


def health() -> rg.JudgementHealth:
    return rg.judgement_health(rg.evaluate(QRELS, RUN, ["RR", "P@2"]), depth=4)


def histogram() -> rg.ScoreHistogram:
    rows = {"label": [0, 0, 1, 1], "score": [0.0, 0.001, 0.01, 0.1], "weight": [1.5, 1, 1, 2000]}
    return rg.score_histogram(rg.evaluate_predictions(rows, "AUC"), bins=2)


def lines(record: Any, language: str = "en") -> list[str]:
    """The lines of the text, with single blanks between columns."""
    return [re.sub(r" {2,}", " | ", line) for line in render(record, "text", language=language).splitlines()]


def test_a_row_for_each_cutoff_and_a_column_for_each_measure():
    """R@1 is 1/2 in q1 and 0 in q2, where y stands before d, which has the same score."""
    text = lines(by_cutoff())

    assert text[0] == "run on qrels, by cutoff"
    assert text[2].split(" | ") == ["cutoff", "R", "P"]
    assert text[3].split(" | ")[1].startswith("0.2500 ±")
    assert text[4].startswith("1,000 | 0.7500 ±.500 | 0.0010")
    assert "2 queries counted" in text
    assert "the longest list has 3 results" in text
    assert "What a perfect ranking of the judged items reaches" in text
    assert text[-2:] == ["1 | 0.7500 | 1.0000", "1,000 | 1.0000 | 0.0015"]


def test_by_cutoff_in_chinese():
    text = lines(by_cutoff(), "zh")

    assert text[0] == "run，标注 qrels，按截断位置"
    assert "截断位置 | R | P" in text[2]
    assert "± 为均值 95% 置信区间的半宽" in text
    assert "计入 2 个查询" in text
    assert "最长的列表有 3 个结果" in text
    assert "已标注条目的完美排序能达到的上限" in text


def test_by_cutoff_says_which_level_the_policy_gave():
    assert "R: R(rel=2)@1" in lines(by_cutoff(rel=2))
    assert not any(line.startswith("R: ") for line in lines(by_cutoff()))


def test_by_cutoff_says_that_measures_count_different_queries():
    found = rg.by_cutoff(rg.evaluate(QRELS, RUN), ["R", "R(rel=2)"], [1])

    assert "1 to 2 queries counted" in lines(found)
    assert "计入 1 至 2 个查询" in lines(found, "zh")


def test_health_of_judgements_in_words():
    text = lines(health())

    assert text[0] == "run on qrels: judged results by rank"
    assert "rank | judged | results | lists" in text
    assert "1 | 50.0% | 1 | 2" in text
    assert "3 | 100.0% | 1 | 1" in text
    assert not any(line.startswith("4 |") for line in text)
    assert "no list goes beyond rank 3" in text
    assert "3 queries and 5 judgements" in text
    assert "40.0% of the first 10 results unjudged · 2 queries with a hole there, 0 with 5 or more" in text
    assert "0 | 2 | 40.0%" in text
    assert "1 query without a relevant item (grade 1 and above)" in text
    assert "relevant items of the other 2 queries: least 1, median 1.5, mean 1.5, most 2; exactly one in 1" in text
    assert "RR | 0.2500 | 1" in text
    assert "P@2 | 0.0000 | 0" in text


def test_health_of_judgements_in_chinese():
    text = lines(health(), "zh")

    assert text[0] == "run，标注 qrels：各排名的已标注结果"
    assert "排名 | 已标注 | 条数 | 列表数" in text
    assert "没有列表超过第 3 位" in text
    assert "3 个查询，5 条标注" in text
    assert "前 10 个结果中 40.0% 未标注 · 2 个查询在其中有未标注的结果，0 个查询有 5 个及以上" in text
    assert "1 个查询没有相关条目（等级 1 及以上为相关）" in text
    assert "其余 2 个查询的相关条目数：最少 1，中位数 1.5，均值 1.5，最多 2；1 个查询恰有一个" in text
    assert "并列顺序的影响" in text


def test_health_without_results_or_relevant_items():
    text = lines(rg.judgement_health(rg.evaluate({"q": {"a": 0}}, {"p": ["a"]}), depth=2))

    assert "no list goes beyond rank 0" in text
    assert not any("unjudged" in line or "relevant items of" in line for line in text)


def test_histogram_in_words():
    text = lines(histogram())

    assert text[0] == "Scores of positives and negatives"
    assert text[2] == "probabilities | rows | positive | negative | of the positives | of the negatives"
    assert text[3:5] == ["0.001 … 0.01 | 2 | 0 | 2.5 | 0.0% | 100.0%", "0.01 … 0.1 | 2 | 2,001 | 0 | 100.0% | 0.0%"]
    assert "4 rows · positives 2,001, negatives 2.5 · log axis" in text
    assert text[-1].startswith("the first bin also holds 1 score of 0")


def test_histogram_in_chinese():
    text = lines(histogram(), "zh")

    assert text[0] == "正负样本的得分分布"
    assert text[2] == "概率 | 行数 | 正样本 | 负样本 | 占正样本 | 占负样本"
    assert "4 行 · 正样本 2,001，负样本 2.5 · 对数轴" in text
    assert text[-1].startswith("第一个区间另含 1 个为 0 的得分")


def test_histogram_names_the_model():
    rows = {"label": [0, 1], "pctr": [-2.0, 9.0]}
    found = rg.score_histogram(rg.evaluate_predictions(rows, "AUC", label="label", scores="pctr", scale="score"), 1)

    assert lines(found)[0] == "pctr: scores of positives and negatives"
    assert lines(found, "zh")[0] == "pctr：正负样本的得分分布"
    assert lines(found)[2].startswith("scores | rows")
    assert lines(found)[3].startswith("-2 … 9 | 2 | 1 | 1")


_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_WORDS = re.compile(r"[A-Za-z]{3,}")
_NAMES = {"run", "qrels", "rel", "nan", "pctr"}


@pytest.mark.parametrize("make", [by_cutoff, health, histogram])
def test_no_english_sentence_is_left_in_the_chinese_text(make: Any):
    english, chinese = ("\n".join(lines(make(), language)) for language in ("en", "zh"))

    assert not _CHINESE.search(english)
    without_policy = "\n".join(line for line in chinese.splitlines() if not line.startswith("ties="))
    assert set(_WORDS.findall(without_policy)) <= _NAMES


@pytest.mark.parametrize(("make", "shown"), [(by_cutoff, "0.7500"), (health, "50.0"), (histogram, "2,001")])
@pytest.mark.parametrize("form", ["markdown", "latex", "html"])
def test_every_form_has_the_numbers(make: Any, shown: str, form: str):
    assert shown in render(make(), form)
    assert shown in render(make(), form, language="zh")


@pytest.mark.parametrize(("make", "n"), [(by_cutoff, 4), (health, 4), (histogram, 2)])
def test_csv_has_a_line_for_each_row(make: Any, n: int):
    assert len(make().to_csv().splitlines()) == 1 + n
