"""The rules of cleaning in words."""

from __future__ import annotations

from typing import Any

from rankgauge._numbers import short
from rankgauge._text import Text

__all__ = ["RULES", "described"]

RULES = (
    "bots",
    "session_cut",
    "other_events",
    "incomplete",
    "duplicates",
    "shown_again",
    "repeated",
    "no_position",
    "no_impression",
    "accidental",
    "censored",
    "immature",
    "unseen",
)
"""In the order in which they work."""


def described(rule: str, plan: Any) -> Text:
    """What the rule says, with its parameters."""
    rules = plan.rules
    match rule:
        case "bots":
            return Text(
                f"rows of users with more than {rules.bots:,} on one day", f"单日超过 {rules.bots:,} 行的用户的行"
            )
        case "session_cut":
            gap = rules.session_gap / 60
            return Text(
                f"sessions cut after {short(gap)} min without an event (kept)",
                f"{short(gap)} 分钟无事件后切分的会话（保留）",
            )
        case "other_events":
            names = [e for e in plan.log.events if e not in ("impression", *plan.behaviours)]
            listed = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
            also = f": {listed}" if listed else ""
            also_zh = f"：{listed}" if listed else ""
            return Text(f"events that nobody asked for{also}", f"未指定的事件类型{also_zh}")
        case "incomplete":
            return Text("rows without item, request or query", "缺少物品、请求或查询的行")
        case "duplicates":
            return Text(
                f"the same event again within {short(rules.duplicates)} s, or an exact copy without time",
                f"{short(rules.duplicates)} 秒内重复的事件，或无时间的完全重复行",
            )
        case "shown_again":
            return Text("the same item again in the same request", "同一请求中再次展示的同一物品")
        case "repeated":
            return Text("further events of the same kind on the same impression", "同一曝光上重复的同类事件")
        case "no_position":
            return Text("impressions without a valid position", "没有有效位置的曝光")
        case "no_impression":
            return Text("events on what was not shown", "没有对应曝光的事件")
        case "accidental":
            return Text(f"clicks with a dwell below {_seconds(plan)} s", f"停留时长低于 {_seconds(plan)} 秒的点击")
        case "censored":
            return Text("clicks whose dwell is not known (kept)", "停留时长未知的点击（保留）")
        case "immature":
            days = rules.maturity / 86_400
            if days < 1:
                return Text(
                    f"impressions younger than {short(24 * days, 3)} hours", f"不足 {short(24 * days, 3)} 小时的曝光"
                )
            return Text(f"impressions younger than {short(days)} days", f"不足 {short(days)} 天的曝光")
        case _:
            if plan.examined == "viewed":
                return Text(
                    "impressions that were not in view: unknown, not negative", "未进入视野的曝光：未知，而非负样本"
                )
            return Text(
                "impressions more than one below the last click: unknown, not negative",
                "位于最后一次点击之下超过一位的曝光：未知，而非负样本",
            )


def _seconds(plan: Any) -> str:
    values = sorted({plan.dwell.overall, *plan.dwell.segments.values()})
    return short(values[0], 3) if len(values) == 1 else f"{short(values[0], 3)}–{short(values[-1], 3)}"
