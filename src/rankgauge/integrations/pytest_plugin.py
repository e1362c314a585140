"""Rankings under test: the pytest fixture `rankgauge`.

    def test_search_is_good_enough(rankgauge):
        ev = rankgauge.evaluate("qrels.txt", "new.run", ["nDCG@10"])
        rankgauge.assert_at_least(ev, "nDCG@10", 0.40)

pytest loads this file in every project that has rankgauge installed, so nothing heavy is imported before use.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import pytest

from rankgauge._numbers import number
from rankgauge._show import neutral
from rankgauge._text import Text, composed, in_language, joined

if TYPE_CHECKING:
    from os import PathLike

    from rankgauge.evaluation import RankingEvaluation
    from rankgauge.evaluation.of_rankings import EvaluateOptions
    from rankgauge.gate import Check, GateResult

__all__ = ["RankingAssertions", "rankgauge"]


class RankingAssertions:
    """Evaluate, compare, and assert on the result; failures show value, interval, n and the worst queries."""

    def __init__(self, root: Path | None = None) -> None:
        from rankgauge.comparison import compare
        from rankgauge.evaluation import evaluate

        self._root = root
        self.evaluate = evaluate
        """`rankgauge.evaluate`."""
        self.compare = compare
        """`rankgauge.compare`."""

    def assert_at_least(
        self,
        ev: RankingEvaluation,
        measure: str,
        limit: float,
        *,
        alpha: float = 0.05,
        certain: bool = False,
        accept: Sequence[str] = (),
    ) -> Check:
        """The mean reaches the limit (where lower is better: does not exceed it).

        With `certain` the interval at level 1 - 2·alpha must lie beyond the limit as well. Suspicious input fails
        unless its code is in `accept`.
        """
        __tracebackhide__ = True
        from rankgauge.gate import at_least

        _trusted(accept, ev)

        return _passed(at_least(ev, measure, limit, alpha=alpha, certain=certain), ev.run)

    def assert_not_worse(
        self,
        qrels: Any,
        old: Any,
        new: Any,
        measure: str,
        *,
        margin: float,
        alpha: float = 0.05,
        allow_inconclusive: bool = False,
        accept: Sequence[str] = (),
        **options: Unpack[EvaluateOptions],
    ) -> Check:
        """With confidence 1 - alpha the new run loses at most `margin` against the old one.

        `old` may also be a finished evaluation. Suspicious input fails unless its code is in `accept`. Other keywords
        are those of `evaluate`.
        """
        __tracebackhide__ = True
        from rankgauge.data.columns import shares_columns
        from rankgauge.evaluation import RankingEvaluation, evaluate
        from rankgauge.gate import not_worse
        from rankgauge.gate.running import refuse_other_baseline

        @shares_columns
        def both(**options: Unpack[EvaluateOptions]) -> tuple[RankingEvaluation, RankingEvaluation]:
            ev: RankingEvaluation = evaluate(qrels, new, [measure], **options)
            return ev, old if isinstance(old, RankingEvaluation) else evaluate(qrels, old, [measure], **options)

        ev, base = both(**options)
        refuse_other_baseline(ev, base, [measure], "assert_not_worse")
        _trusted(accept, ev, base)
        return _passed(not_worse(ev, base, measure, margin, alpha=alpha), ev.run, allow_inconclusive)

    def assert_gate(
        self,
        path: str | PathLike[str],
        *,
        allow_inconclusive: bool | None = None,
        accept: Sequence[str] | None = None,
    ) -> GateResult:
        """Every rule of a gate file passes. Invalid input is an error, not a failure.

        A relative path is looked for in the current folder, then in pytest's root folder.
        """
        __tracebackhide__ = True
        from rankgauge.gate import Gate, run_gate

        file = Path(path)
        if self._root is not None and not file.is_absolute() and not file.exists():
            file = self._root / file
        given = {"allow_inconclusive": allow_inconclusive, "accept": accept}
        changes = {key: value for key, value in given.items() if value is not None}
        result = run_gate(Gate.from_toml(file, changes))
        if result.exit_code:
            raise AssertionError(str(result))
        return result


def _trusted(accept: Sequence[str], *evaluations: RankingEvaluation) -> None:
    """Numbers that rest on suspicious input prove nothing."""
    __tracebackhide__ = True
    from rankgauge.evaluation.rankings.suspicion import errors_of, refuse_unknown

    refuse_unknown(accept)
    found = errors_of((s for ev in evaluations for s in ev.suspicions), accept)
    if found:
        said = [composed("the input is suspicious: {} {}", "输入可疑：{}{}", s.statement, s.try_) for s in found]
        raise AssertionError(neutral(in_language(joined("\n", said))))


def _passed(check: Check, run: str, allow_inconclusive: bool = False) -> Check:
    __tracebackhide__ = True
    if check.outcome == "pass" or (check.outcome == "inconclusive" and allow_inconclusive):
        return check
    word = Text("does not hold", "不成立")
    if check.outcome == "inconclusive":
        word = Text("is not settled", "没有定论")
    lines = [composed("{}: {} {}", "{}：{} {}", run, check.name, word), composed("  {}", "  {}", check.message)]
    if check.worst:
        what = Text("lowest queries", "最低的查询")
        if check.rule == "non_inferior":
            what = Text("largest losses", "损失最大的查询")
        queries = ", ".join(f"{q} {number(v)}" for q, v in check.worst)
        lines.append(composed("  {}: {}", "  {}：{}", what, queries))
    raise AssertionError(neutral(in_language(joined("\n", lines))))


@pytest.fixture(scope="session")
def rankgauge(pytestconfig: pytest.Config) -> RankingAssertions:
    """Evaluate and compare rankings, and assert on the result."""
    return RankingAssertions(pytestconfig.rootpath)
