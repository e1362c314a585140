"""Did the arms of an experiment get the units they should have?

    χ² = Σ (seen - expected)² / expected,  k - 1 degrees of freedom

Fabijan et al. (KDD 2019): where this fails, units were lost or assigned wrongly, and nothing else about the experiment
can be believed. It is looked at first, with a low alpha, because it is looked at often.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankgauge._checks import is_number, number
from rankgauge._numbers import grouped, short
from rankgauge._numbers import number as written
from rankgauge._plain_data import plain_of, read_columns, stored_fields
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text, joined, zh
from rankgauge.data.tabular import named_numbers
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["SampleRatio", "sample_ratio"]

_MANY = 8  # arms
_LEAST = 5  # expected units below which the χ² distribution is rough


@dataclass(frozen=True, eq=False, kw_only=True)
class SampleRatio(Record, kind="sample_ratio", schema=1):
    """Units seen in each arm against those expected."""

    counts: Mapping[str, int]
    expected: Mapping[str, float]
    statistic: float
    p_value: float
    alpha: float
    is_fine: bool
    verdict: str
    notes: tuple[str, ...] = ()

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per arm."""
        total = sum(self.counts.values())
        return [
            {
                "arm": arm,
                "units": n,
                "expected": self.expected[arm],
                "share": n / total,
                "expected_share": self.expected[arm] / total,
            }
            for arm, n in self.counts.items()
        ]

    def to_frame(self) -> pl.DataFrame:
        """One row per arm."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())

    def _plain(self) -> dict[str, Any]:
        return {"arms": plain_of(self.csv_rows()), **stored_fields(self, left_out={"counts", "expected", "version"})}

    @classmethod
    def _from_plain(cls, data: Any) -> SampleRatio:
        arms = read_columns({"arm": str, "units": int, "expected": float}, data["arms"], "arms")
        counts, expected = (dict(zip(arms["arm"], arms[key], strict=True)) for key in ("units", "expected"))
        return super()._from_plain({**data, "counts": counts, "expected": expected})


def sample_ratio(
    counts: Mapping[str, int], expected: Mapping[str, float] | None = None, *, alpha: float = 0.001
) -> SampleRatio:
    """χ² check of units per arm; `expected` are shares or weights, equal ones unless given.

    >>> str(sample_ratio({"control": 5000, "treatment": 5040}).is_fine)
    'True'
    """
    number("alpha", alpha, above=0, below=1)
    units = named_numbers(counts, "counts")
    if len(counts) < 2:
        raise InputError(
            Text(
                f"sample_ratio: at least two arms are needed, got {len(counts)}.",
                f"sample_ratio：至少需要两组，实际为 {len(counts)} 组。",
            )
        )
    weights = dict.fromkeys(counts, 1.0) if expected is None else named_numbers(expected, "expected")
    if set(weights) != set(counts):
        raise InputError(
            Text(
                f"sample_ratio: expected must name the arms {sorted(counts)}, got {sorted(weights)}.",
                f"sample_ratio：expected 必须包含各组 {sorted(counts)}，实际为 {sorted(weights)}。",
            )
        )
    problems = [f"{k}: {show(n)}" for k, n in counts.items() if not units[str(k)].is_integer() or n < 0]
    if problems or not sum(counts.values()):
        raise InputError(
            Text(
                f"sample_ratio: counts must be whole numbers, not all 0, got {', '.join(problems) or 'zeros'}.",
                f"sample_ratio：各组的数量必须是整数，且不全为 0，实际为 {', '.join(problems) or '全 0'}。",
            )
        )
    if problems := [f"{k}: {show(w)}" for k, w in weights.items() if not (is_number(w) and w > 0)]:
        raise InputError(
            Text(
                f"sample_ratio: expected shares must be above 0, got {', '.join(problems)}.",
                f"sample_ratio：expected 的比例必须大于 0，实际为 {', '.join(problems)}。",
            )
        )
    from scipy.special import chdtrc  # type: ignore[import-untyped]

    total, whole = sum(counts.values()), sum(weights.values())
    due = {arm: total * weights[arm] / whole for arm in counts}
    statistic = sum((n - due[arm]) * ((n - due[arm]) / due[arm]) for arm, n in counts.items())
    p = float(chdtrc(len(counts) - 1, statistic))
    notes: tuple[str, ...] = ()
    if (least := min(due.values())) < _LEAST:
        notes = (
            Text(
                f"only {written(least, 1)} units expected in the smallest arm: the p-value is rough",
                f"最小的实验组期望只有 {written(least, 1)} 个单元：p 值较粗略",
            ),
        )
    if len(counts) > _MANY:
        many = Text(
            f"{len(counts):,} arms are many for an experiment: are these its arms?",
            f"{len(counts):,} 个组对一个实验来说偏多：它们确实是实验分组吗？",
        )
        notes = (*notes, many)
    return SampleRatio(
        counts={k: int(n) for k, n in counts.items()},
        expected=due,
        statistic=statistic,
        p_value=p,
        alpha=alpha,
        is_fine=p >= alpha,
        verdict=_verdict(counts, due, p, alpha),
        notes=notes,
    )


def _verdict(counts: Mapping[str, int], due: Mapping[str, float], p: float, alpha: float) -> Text:
    worst = min(counts, key=lambda arm: (counts[arm] - due[arm]) / due[arm])  # units get lost, rarely won
    figures = joined(Text(", ", "，"), [f"{counts[worst]:,} / {grouped(due[worst])}", f"p = {short(p, 3)}"])
    if p >= alpha:
        return Text(
            f"The arms have the units they should have ({worst}: {figures}).",
            f"各组样本量正常（{worst}：{zh(figures)}）。",
        )
    return Text(
        f"Sample ratio mismatch ({worst}: {figures}): find out which units were lost before reading anything else.",
        f"样本比例失衡（{worst}：{zh(figures)}）：先查明哪些单元丢失，再看其他结果。",
    )
