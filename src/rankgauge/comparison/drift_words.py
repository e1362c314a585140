"""What a series comes to, and what holds for all of them, in words."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge._numbers import number as written
from rankgauge._numbers import percent, ranged, short
from rankgauge._text import Text
from rankgauge.comparison.drift_judging import DriftPlan
from rankgauge.comparison.drift_record import DriftSeries
from rankgauge.comparison.parts import EVERY, FEWEST, rough, weighed
from rankgauge.measures.grammar import parse_prediction

__all__ = ["notes_of", "said_of"]

_NAMED = 3  # periods in a sentence


def said_of(s: DriftSeries, every: str, first: int) -> Text:
    unit, p = EVERY[every], s.first_off
    held = _target(s, every, first)
    judged = [x for x in s.points if x.word not in ("reference", "few")]
    if not judged:
        return Text(
            f"{s.measure}: no {unit.en} has enough rows to be judged.", f"{s.measure}：没有任何时段的数据足以检验。"
        )
    way = Text("away from", "偏离") if parse_prediction(s.measure).direction == 0 else Text("worse than", "差于")
    open_ = _not_judged(s)
    if p is None:
        return Text(
            f"{s.measure}: no {unit.en} is surely {way.en} {held.en}{open_.en}.",
            f"{s.measure}：没有任何时段确定{way.zh}{held.zh.rstrip()}{open_.zh}。",
        )
    n_off = sum(x.is_off for x in judged)
    value = written(p.value)
    between = "" if p.low == p.high else ranged(p.low, p.high)  # every unit says the same, as of one score for all
    figures = Text(f"{value}, {between}", f"{value}（{between}）") if between else Text(value, value)
    return Text(
        f"{s.measure}: {p.period} is the first {unit.en} surely {way.en} {held.en}: {figures.en}; "
        f"{n_off:,} of {len(judged):,} are{open_.en}.",
        f"{s.measure}：{p.period} 是第一个确定{way.zh}{held.zh}的时段：{figures.zh}；"
        f"检验的 {len(judged):,} 个时段中有 {n_off:,} 个如此{open_.zh}。",
    )


def _not_judged(s: DriftSeries) -> Text:
    """The periods about which nothing is said."""
    names = [x.period for x in s.points if x.word == "few"]
    if not names:
        return Text("", "")
    more = len(names) - _NAMED
    shown = ", ".join(names[:_NAMED])
    return Text(
        f"; not judged: {shown}" + (f" and {more:,} more" if more > 0 else ""),
        f"；未检验：{shown.replace(', ', '、')}" + (f" 等 {len(names):,} 个时段" if more > 0 else ""),
    )


def _target(s: DriftSeries, every: str, first: int) -> Text:
    """What a measure is held against."""
    if s.against != "reference":
        return Text(short(s.target), f" {short(s.target)} ")
    unit = EVERY[every]
    span = f"the first {unit.en}" if first == 1 else f"the first {first:,} {unit.en}s"
    return Text(f"{span} ({written(s.target)})", f"最初 {first:,} 个时段（{written(s.target)}）")


def notes_of(plan: DriftPlan, series: Sequence[DriftSeries], every: str) -> list[str]:
    level = percent(plan.alpha)
    forever = plan.looks == "daily"
    out: list[str] = [
        Text(
            f"surely: where nothing is off, the chance that any {EVERY[every].en} of any of these measures is "
            f"called off is at most {level}"
            + (", however long you look" if forever else f" ({plan.tests:,} looks, Bonferroni)"),
            f"“确定”的含义：如果没有任何偏离，这些指标中任何一个时段被误报的概率不超过 {level}"
            + ("，无论持续观察多久" if forever else f"（共 {plan.tests:,} 次检验，Bonferroni 校正）"),
        )
    ]
    few, weights = sum(not ok for ok in plan.enough), weighed(plan.sample)
    if few:
        anyway = [
            s.measure
            for s in series
            if any(not ok and x.word not in ("few", "reference") for ok, x in zip(plan.enough, s.points, strict=True))
        ]
        but = Text("", "")
        if anyway:
            but = Text(
                f" ({', '.join(anyway)}: judged where so many are expected)",
                f"（{'、'.join(anyway)}：预期数量足够的时段仍判断）",
            )
        out.append(
            Text(
                f"{few:,} of {len(plan.parts):,} periods {'has' if few == 1 else 'have'} fewer than {plan.fewest} "
                f"positives, negatives or units{weights.en}: shown, not judged{but.en}",
                f"{len(plan.parts):,} 个时段中有 {few:,} 个的正样本、负样本或单元不足 {plan.fewest} 个{weights.zh}："
                f"只展示，不判断{but.zh}",
            )
        )
    if plan.fewest < FEWEST:
        out.append(rough(plan.fewest))
    if not plan.sample.has_groups:
        out.append(
            Text(
                "no group was named: rows count as independent, which makes false alarms likelier where users return",
                "未指定分组列：把每行视为独立，用户多次出现时更容易误报",
            )
        )
    out += [
        Text(
            f"{s.measure}: within {short(s.tolerance)} of the target does not matter",
            f"{s.measure}：与目标相差不超过 {short(s.tolerance)} 不算偏离",
        )
        for s in series
        if s.tolerance
    ]
    return out
