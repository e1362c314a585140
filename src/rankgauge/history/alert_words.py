"""What an alert says: since when, how much, held against what."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from rankgauge._claims import Statement, claimed, phrase
from rankgauge._numbers import counted, number, p_value, short, signed
from rankgauge._text import Text
from rankgauge.history.entry import Entry
from rankgauge.history.moments import moment
from rankgauge.history.release_watch import Found, Release
from rankgauge.history.rules import ReleaseRule
from rankgauge.history.series import Look
from rankgauge.history.stream_watch import HALF, Stream

__all__ = ["no_data", "of_release", "of_stream", "when"]


def when(e: Entry) -> Statement:
    return claimed(moment(e.at), "at", moment(e.at), "", e.id)


def _ids(looks: Sequence[Look]) -> str:
    return ",".join(x.entry.id for x in looks)


def _way(change: float) -> tuple[str, str]:
    return ("fell", "下降") if change < 0 else ("rose", "上升")


def _what(measure: str, slice: str, system: str) -> Text:
    name = f"{measure} [{slice}]" if slice else measure
    return Text(f"{name} of {system}" if system else name, f"{system} 的 {name}" if system else name)


def no_data(measure: str, system: str) -> Statement:
    return phrase("{}: no evaluation has it", "{}：没有任何评测包含它", _what(measure, "", system))


# streams


def of_stream(s: Stream) -> Statement:
    """What a stream comes to."""
    x, what = s.series, _what(s.series.measure, s.series.slice, s.series.system)
    if not s.is_ready:
        return _collecting(s, what)
    if not s.done:
        return phrase("{}: no look after its baseline yet", "{}：基线之后还没有新的数据", what)
    last = s.rest[s.done - 1]
    value = claimed(number(last.value), "stored value", last.value, x.measure, last.entry.id, slice=x.slice)
    beside = _baseline(s)
    if s.state == "alert":
        return _and_more(s, _dropped(s, what, beside))
    told = {
        "ok": ("{}: {} at {}, no sign of a change for the worse beside {}", "{0}：{2} 为 {1}，与{3}相比没有变差的迹象"),
        "watch": (
            "{}: {} at {}, which may be a change for the worse beside {}; not sure yet",
            "{0}：{2} 为 {1}，与{3}相比可能变差，尚不确定",
        ),
        "recovered": ("{}: {} at {}, back beside {}", "{0}：{2} 为 {1}，已回到{3}的水平"),
    }[s.state]
    return _and_more(s, phrase(*told, what, value, when(last.entry), beside))


def _baseline(s: Stream) -> Statement:
    if not isinstance(s.rule.against, str):
        return phrase("the line {}", "固定线 {}", claimed(short(s.target), "benchmark", s.target, s.series.measure))
    n = len(s.base)
    return phrase(
        "the baseline {} ({})",
        "基线 {}（{}）",
        claimed(number(s.target), "mean of entries", s.target, s.series.measure, _ids(s.base), slice=s.series.slice),
        claimed(counted(n, "period", "个周期"), "entries", n, "", _ids(s.base)),
    )


def _dropped(s: Stream, what: Text, beside: Statement) -> Statement:
    some = s.rest[s.began : s.done]
    change, low, high = s.change
    about = (s.series.measure, _ids(some), _ids(s.base) if s.base else short(s.target))
    en, zh = _way(change)
    return phrase(
        f"{{}} {en} by about {{}} (95% interval {{}} … {{}}) since {{}}: {{}} in {{}}, beside {{}}; {{}}",
        f"{{0}} 自 {{4}} 起{zh}约 {{1}}（95% 置信区间 {{2}} … {{3}}）：{{6}}内为 {{5}}，{{7}}；{{8}}",
        what,
        claimed(number(abs(change)), "change of entries", change, *about, slice=s.series.slice),
        claimed(signed(low), "change of entries low", low, *about, slice=s.series.slice),
        claimed(signed(high), "change of entries high", high, *about, slice=s.series.slice),
        when(some[0].entry),
        claimed(number(change + s.target), "mean of entries", change + s.target, *about[:2], slice=s.series.slice),
        claimed(counted(len(some), "period", "个周期"), "entries", len(some), "", about[1]),
        beside,
        _allowed(s),
    )


def _allowed(s: Stream) -> Statement:
    """The margin, and what it is made of where no rule says it."""
    x = s.series
    if s.rule.margin is not None or not s.base:
        return phrase("{} allowed", "允许 {}", claimed(short(s.margin, 3), "benchmark", s.margin, x.measure))
    margin = claimed(short(s.margin, 3), "allowed", s.margin, x.measure, _ids(s.base), slice=x.slice)
    if s.share == HALF:
        told = (
            "{} allowed, half the median standard error of the baseline's periods",
            "允许 {}，即基线各周期标准误中位数的一半",
        )
        return phrase(*told, margin)
    told = (
        "{} allowed, {} times the median standard error of the baseline's periods",
        "允许 {}，即基线各周期标准误中位数的 {} 倍",
    )
    return phrase(*told, margin, claimed(short(s.share, 2), "benchmark", s.share, x.measure))


def _and_more(s: Stream, said: Statement) -> Statement:
    """With what else it rests on: errors that were widened, evaluations that do not count."""
    if s.spread > 1:
        x = s.series
        said = phrase(
            "{}; standard errors are taken {} times as wide, since periods of the baseline vary more than they explain",
            "{}；标准误放大到 {} 倍，因为基线各周期的波动超出了标准误所能解释的程度",
            said,
            claimed(short(s.spread, 2), "wider", s.spread, x.measure, _ids(s.base), slice=x.slice),
        )
    return _and_repeated(s, said)


def _collecting(s: Stream, what: Text) -> Statement:
    need = claimed(f"{s.rule.periods:,}", "benchmark", s.rule.periods, "periods")
    have = claimed(counted(len(s.looks), "period", "个周期"), "entries", len(s.looks), "", _ids(s.looks))
    if s.repeated and len(s.looks) + s.without <= 1:
        return phrase(
            "{}: the evaluations have queries in common, and a stream needs fresh ones each period. Watch it by a "
            "release rule",
            "{}：各次评测有共同的查询，而 stream 规则需要每个周期都是新的查询。请改用 release 规则",
            what,
        )
    if s.without and not s.looks:
        return phrase("{}: it has no standard error that could be followed", "{}：没有可以跟踪的标准误", what)
    told = ("{}: {} of the {} that its baseline needs", "{0}：基线需要 {2} 个周期，目前有 {1}")
    return _and_repeated(s, phrase(*told, what, have, need))


def _and_repeated(s: Stream, said: Statement) -> Statement:
    """With how many evaluations do not count."""
    if not s.repeated:
        return said
    told = (
        "{}; {} not counted, with queries that an earlier one has as well",
        "{}；另有 {}未计入，其查询在更早的评测中已经有过",
    )
    n = len(s.repeated)
    said_n = claimed(counted(n, "evaluation", "次评测"), "entries", n, "", _ids(s.repeated))
    return phrase(*told, said, said_n)


# releases


def of_release(rule: ReleaseRule, r: Release, f: Found, system: str, state: str) -> Statement:
    """What one number of the newest state comes to."""
    slice = f"{f.attribute}={f.part}" if f.attribute else ""
    what = _what(f.measure, slice, system)
    if f.why:
        return phrase("{} cannot be judged: {}", "{} 无法判定：{}", what, f.why)
    value = claimed(number(f.value), "stored value", f.value, f.measure, r.entry.id, slice=slice)
    if r.against is None:
        beside = phrase("the line {}", "固定线 {}", claimed(short(f.baseline), "benchmark", f.baseline, f.measure))
    else:
        beside = phrase(
            "{} of {}",
            "{1} 的 {0}",
            claimed(number(f.baseline), "stored value", f.baseline, f.measure, r.against.id, slice=slice),
            when(r.against),
        )
    if not f.change and r.against is not None and not f.interval.high:
        return phrase("{}: {} at {}, as it was: {}", "{0}：{2} 为 {1}，与{3}相同", what, value, when(r.entry), beside)
    about: Any = (f.measure, r.entry.id, "" if r.against is None else r.against.id)
    told = (
        "{}: {} at {} beside {}: {}{} over {}, a loss of {} allowed{}",
        "{0}：{2} 为 {1}，对照 {3}：{4}{5}，{6}，允许损失 {7}{8}",
    )
    words = "stored change"
    if r.against is None:
        about = (f.measure, r.entry.id, short(f.baseline))
    ends = ""
    if not isnan(f.interval.low):
        ends = phrase(
            " (95% interval {} … {})",
            "（95% 置信区间 {} … {}）",
            claimed(signed(f.interval.low), f"{words} low", f.interval.low, *about, slice=slice),
            claimed(signed(f.interval.high), f"{words} high", f.interval.high, *about, slice=slice),
        )
    verdict = {
        "alert": Text("; surely lost more", "；确实损失更多"),
        "ok": Text("; surely not lost more", "；确实没有损失更多"),
        "recovered": Text("; surely not lost more, as it was before", "；已恢复，确实没有损失更多"),
    }.get(state, Text("; not settled", "；尚不能判定"))
    return phrase(
        *told,
        what,
        value,
        when(r.entry),
        beside,
        claimed(signed(f.change), words, f.change, *about, slice=slice),
        ends,
        claimed(
            counted(f.n, "query", "个查询"), "stored common" if r.against else "stored n", f.n, *about, slice=slice
        ),
        claimed(short(rule.margin), "benchmark", rule.margin, f.measure),
        phrase("{}{}", "{}{}", verdict, _p(f)),
    )


def _p(f: Found) -> str:
    return "" if isnan(f.p) or f.state != "alert" else Text(f" (p {p_value(f.p)})", f"（p {p_value(f.p)}）")
