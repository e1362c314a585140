"""Off-policy estimates and online experiments as sections."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf, isnan
from typing import TYPE_CHECKING

from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge.reporting.grid import Cell, Grid, Section, number, p_value, ranged, share, signed
from rankgauge.reporting.words import DIFFERENCE, VALUE, interval_of, phrase

if TYPE_CHECKING:
    from rankgauge.behavior.counterfactual.record import OffPolicy, PolicyEstimate
    from rankgauge.experiments.ab_test import ABTest, ArmChange
    from rankgauge.experiments.agreement import Agreement
    from rankgauge.experiments.credit import InterleavingResult
    from rankgauge.experiments.cuped import Cuped
    from rankgauge.experiments.ratios import Ratio, RatioChange
    from rankgauge.experiments.sample_ratio import SampleRatio

__all__ = [
    "sections_of_ab_test",
    "sections_of_agreement",
    "sections_of_cuped",
    "sections_of_interleaving",
    "sections_of_off_policy",
    "sections_of_ratio",
    "sections_of_ratio_change",
    "sections_of_sample_ratio",
]


# off-policy


def sections_of_off_policy(o: OffPolicy, digits: int = 4) -> list[Section]:
    level = interval_of(o.confidence_level)
    against = {e.name: e for e in o.against_logging}
    rows = [_estimate(o.logging, None, digits, name=Text("logged policy", "日志策略"))]
    rows += [_estimate(e, against.get(e.name), digits) for e in o.estimates]
    header = [Text("estimate", "估计"), VALUE, level, Text("against the log", "与日志相比"), level]
    notes = [
        Text(
            f"{o.rows:,} rows, {o.rewarded:,} with a reward; as good as {o.effective:,.0f} "
            f"{'row' if f'{o.effective:,.0f}' == '1' else 'rows'} of equal weight "
            f"({share(o.effective_share)}); the largest weight has {share(o.largest_share)} of all",
            f"{o.rows:,} 行，其中 {o.rewarded:,} 行有回报；有效样本量 {o.effective:,.0f} 行"
            f"（{share(o.effective_share)}）；最大权重占 {share(o.largest_share)}",
        ),
    ]
    if o.is_clustered:
        notes.append(Text(f"intervals over {o.users:,} users", f"区间按 {o.users:,} 个用户计算"))
    if o.unsupported:
        notes.append(
            Text(
                f"{o.unsupported:,} rows without a propensity left out", f"略去 {o.unsupported:,} 行没有倾向得分的数据"
            )
        )
    title = phrase("{}: what another policy would get", "{}：换一种策略会得到多少", o.name or o.reward)
    tone = {"more": "good", "less": "bad"}.get(o.outcome, "open")
    out = [Section(o.verdict, tone=tone)]
    out.append(Section(title, Grid(header, rows), notes=[*notes, *o.notes], warnings=list(o.warnings)))
    out.append(Section(Text("Weights cut at …", "权重截断"), _sweep(o, digits), folded=True))
    if o.positions:
        out.append(Section(Text("By position", "按位置"), _positions(o, digits), folded=True))
    return out


def _estimate(e: PolicyEstimate, against: PolicyEstimate | None, digits: int, name: str = "") -> list[Cell]:
    return [
        Cell(name or e.name),
        Cell(number(e.value, digits), strong=e.name == "SNIPS"),
        Cell(ranged(e.low, e.high, digits), quiet=True),
        Cell("" if against is None else signed(against.value, digits)),
        Cell("" if against is None else ranged(against.low, against.high, digits, sign=True), quiet=True),
    ]


def _sweep(o: OffPolicy, digits: int) -> Grid:
    rows = [
        [
            Cell("∞" if isinf(s.clip) else f"{s.clip:g}"),
            Cell(number(s.ips, digits)),
            Cell(ranged(s.ips_low, s.ips_high, digits), quiet=True),
            Cell(number(s.snips, digits)),
            Cell(ranged(s.snips_low, s.snips_high, digits), quiet=True),
            Cell(f"{s.effective:,.0f}", quiet=True),
            Cell(share(s.mass_clipped), quiet=True),
        ]
        for s in o.sweep
    ]
    level = interval_of(o.confidence_level)
    effective, cut = Text("effective rows", "有效行数"), Text("mass cut", "截去的权重")
    return Grid([Text("cut", "截断"), "IPS", level, "SNIPS", level, effective, cut], rows)


def _positions(o: OffPolicy, digits: int) -> Grid:
    rows = [
        [
            Cell(str(p.position)),
            Cell(f"{p.rows:,}", quiet=True),
            Cell(number(p.logging, digits)),
            Cell(number(p.value, digits), strong=True),
            Cell(ranged(p.low, p.high, digits), quiet=True),
            Cell(f"{p.effective:,.0f}", quiet=True),
        ]
        for p in o.positions
    ]
    header = [
        Text("position", "位置"),
        Text("rows", "行数"),
        Text("logged", "日志"),
        VALUE,
        interval_of(o.confidence_level),
        Text("effective rows", "有效行数"),
    ]
    return Grid(header, rows)


# experiments


def sections_of_interleaving(r: InterleavingResult, digits: int = 4) -> list[Section]:
    header = ["", r.a, r.b, Text("tied", "持平")]
    rows = [
        [Cell(Text("users", "用户")), Cell(f"{r.users_a:,}"), Cell(f"{r.users_b:,}"), Cell(f"{r.users_tied:,}")],
        [
            Cell(Text("requests", "请求")),
            Cell(f"{r.requests_a:,}"),
            Cell(f"{r.requests_b:,}"),
            Cell(f"{r.requests_tied:,}"),
        ],
        [Cell(Text("credit", "得分")), Cell(f"{r.credit_a:,.6g}"), Cell(f"{r.credit_b:,.6g}"), Cell("")],
    ]
    preference = f"{signed(r.preference, digits)} ({ranged(r.low, r.high, digits, sign=True)})"
    notes = [
        Text(
            f"preference {preference} over {r.users:,} users, above 0 for {r.b}; p {p_value(r.p_value)}, "
            f"sign test p {p_value(r.sign_p_value)}",
            f"偏好 {preference}，{r.users:,} 个用户，大于 0 表示偏向 {r.b}；p {p_value(r.p_value)}，"
            f"符号检验 p {p_value(r.sign_p_value)}",
        )
    ]
    if r.uncredited:
        notes.append(Text(f"{r.uncredited:,} items of no team", f"{r.uncredited:,} 条结果不属于任何一方"))
    tone = "open" if r.winner is None else "good"
    return [Section(r.verdict, tone=tone), Section("", Grid(header, rows), notes=[*notes, *r.notes])]


def sections_of_ratio(r: Ratio, digits: int = 4) -> list[Section]:
    low, high = r.interval
    rows = [[Cell(number(r.value, digits), strong=True), Cell(ranged(low, high, digits)), Cell(f"{r.n:,}")]]
    grid = Grid([VALUE, interval_of(r.confidence_level), Text("units", "单元")], rows, frozenset())
    return [Section(Text("Ratio over units", "按单元计算的比率"), grid)]


def sections_of_ab_test(t: ABTest, digits: int = 4) -> list[Section]:
    by = {c.arm: c for c in t.changes}
    rows = [
        [
            Cell(a.name),
            Cell(f"{a.units:,}", quiet=True),
            Cell(number(a.value, digits), strong=True),
            Cell(ranged(a.low, a.high, digits), quiet=True),
            *_against(by.get(a.name), digits),
        ]
        for a in t.arms
    ]
    level, of_changes = interval_of(t.confidence_level), interval_of(t.changes[0].change.confidence_level)
    change = DIFFERENCE if t.changes[0].cuped is None else phrase("{}, {}", "{}，{}", DIFFERENCE, _WITH_CUPED)
    header = [
        *(Text("arm", "分组"), Text("units", "单元"), t.metric, level, change, of_changes),
        *(Text("lift", "提升"), of_changes, "p", phrase("against {}", "与 {} 相比", t.control)),
    ]
    tone = "bad" if not t.sample.is_fine else _TONES[t.changes[0].word] if len(t.changes) == 1 else "same"
    out = [Section(t.verdict, Grid(header, rows, frozenset({0, len(header) - 1})), notes=list(t.notes), tone=tone)]
    adjusted = [(c, c.cuped) for c in t.changes if c.cuped is not None]
    if adjusted:
        named = [
            (phrase("{}, {}", "{}，{}", c.arm, how), change)
            for c, both in adjusted
            for how, change in ((_MEASURED, both.raw), (_WITH_CUPED, both.adjusted))
        ]
        notes = [phrase("{}: {}", "{}：{}", c.arm, _reduced(both, digits)) for c, both in adjusted]
        out.append(Section(Text("What CUPED changed", "CUPED 的作用"), _changes(named, digits), notes=notes))
    return [*out, *sections_of_sample_ratio(t.sample, digits)]


_TONES = {"better": "good", "worse": "bad", "not clear": "same"}
_ARM_WORDS = {
    "better": Text("better", "更好"),
    "worse": Text("worse", "更差"),
    "not clear": Text("not clear", "不明确"),
}


def _against(c: ArmChange | None, digits: int) -> list[Cell]:
    if c is None:
        return [Cell("")] * 6
    d = c.decides
    return [
        Cell(signed(d.difference, digits)),
        Cell(ranged(d.low, d.high, digits, sign=True), quiet=True),
        *_lift(d),
        Cell(p_value(c.p_corrected), quiet=True),
        Cell(_ARM_WORDS[c.word], strong=True),
    ]


def _lift(c: RatioChange) -> list[Cell]:
    return [
        Cell("–" if isnan(c.lift) else f"{100 * c.lift:+.2f}%"),
        Cell("" if isnan(c.lift_low) else f"{100 * c.lift_low:+.2f}% … {100 * c.lift_high:+.2f}%", quiet=True),
    ]


def sections_of_ratio_change(c: RatioChange, digits: int = 4) -> list[Section]:
    return [
        Section(Text("Treatment against control", "实验组与对照组"), _changes([("", c)], digits), notes=list(c.notes))
    ]


def _changes(named: Sequence[tuple[str, RatioChange]], digits: int) -> Grid:
    rows = [
        [
            Cell(name),
            Cell(number(c.control, digits)),
            Cell(number(c.treatment, digits)),
            Cell(signed(c.difference, digits), strong=True),
            Cell(ranged(c.low, c.high, digits, sign=True), quiet=True),
            *_lift(c),
            Cell(p_value(c.p_value), quiet=True),
        ]
        for name, c in named
    ]
    level = interval_of(named[0][1].confidence_level)
    arms = [Text("control", "对照"), Text("treatment", "实验")]
    return Grid(["", *arms, DIFFERENCE, level, Text("lift", "提升"), level, "p"], rows)


_MEASURED, _WITH_CUPED = Text("as measured", "原始"), Text("with CUPED", "CUPED 后")


def sections_of_cuped(c: Cuped, digits: int = 4) -> list[Section]:
    named: list[tuple[str, RatioChange]] = [(_MEASURED, c.raw), (_WITH_CUPED, c.adjusted)]
    title = Text("Treatment against control", "实验组与对照组")
    return [Section(title, _changes(named, digits), notes=[_reduced(c, digits), *c.notes])]


def _reduced(c: Cuped, digits: int) -> Text:
    if isnan(c.reduction):
        return Text("there was no variance to take out", "原本就没有方差可减")
    return Text(
        f"{share(c.reduction)} of the variance is gone; theta {number(c.theta, digits)}",
        f"方差减少 {share(c.reduction)}；theta {number(c.theta, digits)}",
    )


def sections_of_sample_ratio(s: SampleRatio, digits: int = 4) -> list[Section]:
    rows = [
        [
            Cell(row["arm"]),
            Cell(f"{row['units']:,}"),
            Cell(f"{row['expected']:,.1f}", quiet=True),
            Cell(share(row["share"])),
            Cell(share(row["expected_share"]), quiet=True),
        ]
        for row in s.csv_rows()
    ]
    header = [
        Text("arm", "分组"),
        Text("units", "单元"),
        Text("expected", "期望"),
        Text("share", "占比"),
        Text("expected", "期望"),
    ]
    told = ("χ² {}, p {}; a mismatch is a p below {} (alpha)", "χ² {}，p {}；p 低于 {}（alpha）时判为失衡")
    note = phrase(*told, number(s.statistic, 3), p_value(s.p_value), short(s.alpha))
    return [Section(s.verdict, Grid(header, rows), notes=[note, *s.notes], tone="same" if s.is_fine else "bad")]


_SLOPES = {"deming": Text("deming", "Deming 回归"), "least squares": Text("least squares", "最小二乘")}


def sections_of_agreement(a: Agreement, digits: int = 4) -> list[Section]:
    rows = [
        [
            Cell(Text("same sign", "方向一致")),
            Cell(f"{a.agreeing} / {a.signed}"),
            Cell(share(a.sign_agreement), strong=True),
            Cell(f"{share(a.sign_low)} … {share(a.sign_high)}", quiet=True),
        ],
        [Cell("Kendall τ"), Cell(""), Cell(number(a.kendall, 3)), Cell(f"p {p_value(a.kendall_p)}", quiet=True)],
        [Cell("Spearman ρ"), Cell(""), Cell(number(a.spearman, 3)), Cell(f"p {p_value(a.spearman_p)}", quiet=True)],
        [
            Cell(phrase("online per offline ({})", "线上变化 / 离线变化（{}）", _SLOPES[a.slope_method])),
            Cell(""),
            Cell(number(a.slope, 3)),
            Cell(ranged(a.slope_low, a.slope_high, 3), quiet=True),
        ],
    ]
    grid = Grid(["", Text("experiments", "实验"), VALUE, interval_of(a.confidence_level)], rows)
    return [Section(a.verdict, grid, notes=list(a.notes))]
