"""What is wrong with a log is said in Chinese as well as in English."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both

LOG = pl.DataFrame(
    {
        "query_id": ["q1", "q1"],
        "item_id": ["a", "b"],
        "position": [1, 2],
        "event": ["impression", "click"],
        "request_id": ["r", "r"],
    }
)


CASES: dict[str, tuple[Any, str, str]] = {
    "log columns": (
        lambda at: rg.behavior.read_log(pl.DataFrame({"x": [1], "event": ["click"]})),
        "columns missing from log 'log': 'item_id' (what was shown); 'query_id' (what was asked, or user_id; where one "
        "list is for all, a column with one value); 'request_id' (which list an event belongs to, or session_id or "
        "user_id). Found: 'x', 'event'. Pass columns={\"x\": \"item_id\"}.",
        "日志 'log' 缺少列：'item_id'（展示了什么）；'query_id'（查询了什么，或 user_id；所有人共用一个列表时，"
        "用只有一个值的列）；'request_id'（事件属于哪个列表，或 session_id 或 user_id）。找到：'x', 'event'。请传入 "
        'columns={"x": "item_id"}。',
    ),
    "log none": (
        lambda at: rg.behavior.read_log(at.file("lg.csv", "query_id,position\nq,1\n")),
        "columns missing from log 'lg': 'event' (impression, click, …), or one column per behaviour (click, cart, "
        'purchase). Found: \'query_id\', \'position\'. Pass columns={"name of the column": "event"} or {"name of the '
        'column": "click"}.',
        "日志 'lg' 缺少列：'event'（impression、click、…），或每种行为一列（click、cart、purchase）。找到：'query_id', "
        '\'position\'。请传入 columns={"列名": "event"} 或 {"列名": "click"}。',
    ),
    "log time": (
        lambda at: rg.behavior.read_log(LOG.with_columns(time=pl.Series(["soon", "later"]))),
        "log 'log', column 'time': time must be a time such as 2026-11-16T08:30:00Z, got 'soon'.",
        "日志 'log' 的列 'time'：time 必须是 2026-11-16T08:30:00Z 这样的时间，实际为 'soon'。",
    ),
    "log role": (
        lambda at: rg.behavior.read_log(LOG, columns={"position": "place"}),
        "`columns`: 'position' must map to one of …",
        "`columns`：'position' 必须映射为 …",
    ),
    "log base": (
        lambda at: rg.behavior.read_log(LOG, position_base=3),
        "`position_base` must be 'auto', 0 or 1, got 3.",
        "`position_base` 必须是 'auto'、0 或 1，实际为 3。",
    ),
    "cleaning": (
        lambda at: rg.behavior.Cleaning(examined="seen"),
        "Cleaning: `examined` must be one of auto, viewed, last_click+1, all, got 'seen'.",
        "Cleaning：`examined` 必须是 auto, viewed, last_click+1, all 之一，实际为 'seen'。",
    ),
    "no impressions": (
        lambda at: rg.behavior.clean(rg.behavior.read_log(LOG.filter(pl.col("event") == "click"))),
        "log 'log' must have impressions, got events click only: what was shown and not clicked is not known. Map "
        "their name with events={…}, or count each click as shown with Cleaning(no_impression=False).",
        "日志 'log' 必须有曝光，实际只有事件 click：不知道哪些展示了却没有被点击。请用 events={…} 映射曝光事件的名称，"
        "或用 Cleaning(no_impression=False) 把每次点击都算作展示过。",
    ),
    "judgements events": (
        lambda at: rg.behavior.judgements(rg.behavior.read_log(LOG), events={"buy": 1}),
        "the log must have at least one of the events purchase, got: click. Pass events={…} with the names that it "
        "has, or map them in read_log(…, events={…}).",
        "日志中至少要有 purchase 中的一个事件，实际为：click。请传入 events={…}，写上日志中的名称，或在 read_log(…, "
        "events={…}) 中映射。",
    ),
    "judgements few": (
        lambda at: rg.behavior.judgements(rg.behavior.read_log(LOG), min_impressions=500),
        "judgements of 'log': no pair has 500 examined impressions, the most is 1 (of 1 pairs). Pass a smaller "
        "`min_impressions`.",
        "'log' 的标注：没有查询-物品对有 500 次有效曝光，最多为 1 次（共 1 对）。请传入更小的 `min_impressions`。",
    ),
    "position bias": (
        lambda at: rg.behavior.position_bias(
            {"query_id": ["q", "q"], "item_id": ["a", "b"], "position": [1, 2], "click": [1, 0]}
        ),
        "position bias (all_pairs) needs items that were shown at several positions, got none that join position 1 to "
        "another: no item was shown at two positions for the same query (one ranker that always gives the same "
        'order?). Use a randomised bucket (method="randomised"), or logs of several rankers.',
        "位置偏差（all_pairs）需要在多个位置展示过的物品，实际没有把第 1 位与其他位置连起来的物品："
        '没有任何物品在同一查询下出现在两个位置（是否只有一个固定顺序的排序器？）。请使用随机分桶（method="randomised"），或多个排序器的日志。',
    ),
    "click model": (
        lambda at: rg.behavior.fit_click_model([{"query": "q", "items": ["a"], "clicks": [1]}], "foo"),
        "unknown click model 'foo'. There are: pbm, cascade, sdbn, dcm, ubm.",
        "未知的点击模型 'foo'。现有：pbm、cascade、sdbn、dcm、ubm。",
    ),
    "sessions": (
        lambda at: rg.behavior.fit_click_model([{"query": "q", "items": ["a", "b"], "clicks": [1]}]),
        "sessions: items and clicks must be of one length; not so in session 1.",
        "会话：items 和 clicks 的长度必须相同；第 1 个会话不是这样。",
    ),
    "off policy": (
        lambda at: rg.behavior.off_policy({"reward": [1], "logged": [0.5]}),
        "off_policy: columns missing: 'propensity'. Found: 'reward', 'logged'. Name them by reward=, logged=, target=, "
        "user=, ….",
        "off_policy：缺少列：'propensity'。找到：'reward', 'logged'。请用 reward=, logged=, target=, user=, … 指定。",
    ),
    "off policy range": (
        lambda at: rg.behavior.off_policy(
            {"reward": [1], "logged": [1.5], "target": [0.5]}, reward="reward", logged="logged", target="target"
        ),
        "off_policy, row 1: logged propensity must be between 0 and 1, got 1.5.",
        "off_policy 第 1 行：日志中的倾向得分必须介于 0 和 1 之间，实际为 1.5。",
    ),
}


@pytest.mark.parametrize(("call", "english", "chinese"), CASES.values(), ids=list(CASES))
def test_an_error_is_there_in_both_languages(tmp_path: Path, call: Any, english: str, chinese: str):
    says_in_both(call, Files(tmp_path), english, chinese)
