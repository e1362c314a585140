"""Rankings under test: the pytest fixtures `rankgauge` and, for live retrievers, `rankgauge_retriever`.

    def test_search_is_good_enough(rankgauge):
        ev = rankgauge.evaluate("qrels.txt", "new.run", ["nDCG@10"])
        rankgauge.assert_at_least(ev, "nDCG@10", 0.40)

    def test_what_the_model_reads(rankgauge_retriever):
        asked = rankgauge_retriever("app.search:find", "questions.jsonl", documents="docs.jsonl", k=10)
        asked.assert_at_least("R@5", 0.80)
        asked.assert_at_most("latency.p95", 300)

pytest loads this file in every project that has rankgauge installed, so nothing heavy is imported before use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import pytest

from rankgauge._numbers import number
from rankgauge._show import neutral
from rankgauge._text import Text, composed, in_language, joined

if TYPE_CHECKING:
    from os import PathLike

    from rankgauge.collection.collecting import AskOptions
    from rankgauge.data.run import Run
    from rankgauge.evaluation import RankingEvaluation
    from rankgauge.evaluation.of_rankings import EvaluateOptions
    from rankgauge.gate import Check, GateResult

__all__ = ["AskedRetriever", "RankingAssertions", "rankgauge", "rankgauge_retriever"]


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
        """The number reaches the limit, of a measure where higher is better.

        With `certain` the interval at level 1 - 2·alpha must lie beyond the limit as well. Suspicious input fails
        unless its code is in `accept`.
        """
        __tracebackhide__ = True
        return _kept("assert_at_least", ev, measure, limit, accept, alpha=alpha, certain=certain)

    def assert_at_most(
        self,
        ev: RankingEvaluation,
        measure: str,
        limit: float,
        *,
        alpha: float = 0.05,
        certain: bool = False,
        accept: Sequence[str] = (),
    ) -> Check:
        """The number does not exceed the limit, of a measure where lower is better; else as `assert_at_least`."""
        __tracebackhide__ = True
        return _kept("assert_at_most", ev, measure, limit, accept, alpha=alpha, certain=certain)

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


class AskedRetriever:
    """A live retriever, asked once for all questions, and assertions on what it gave."""

    def __init__(
        self,
        retriever: Any,
        questions: Any,
        *,
        documents: Any = None,
        queries: Any = None,
        k: int = 20,
        by: str | None = None,
        root: Path | None = None,
        **collect: Unpack[AskOptions],
    ) -> None:
        from rankgauge.collection import collect as ask
        from rankgauge.collection.pieces import reader_for
        from rankgauge.data.questions import judged_by

        self._k, self._how, self._root = k, collect, root
        self.gold, self.queries = judged_by(_there(questions, root), _there(documents, root), queries, by=by)
        self._inside = reader_for(self.gold)
        self._ask = ask
        self.run: Run = self._asked(retriever)
        """What was retrieved, with `run.collected`: times and outcomes of all queries."""

    def _asked(self, retriever: Any) -> Run:
        if isinstance(retriever, str):
            from rankgauge.collection.named import retriever_named

            retriever = retriever_named(retriever)
        return self._ask(self.queries, retriever, self._k, documents=self._inside, **self._how)

    def evaluate(self, *measures: str) -> RankingEvaluation:
        """The numbers of these measures; `latency.p95` and `failures` are some of them."""
        from rankgauge.evaluation import evaluate

        return evaluate(self.gold, self.run, list(measures))

    def assert_at_least(
        self,
        measure: str,
        limit: float,
        *,
        alpha: float = 0.05,
        certain: bool = False,
        accept: Sequence[str] = (),
    ) -> Check:
        """The number reaches the limit, of a measure where higher is better."""
        __tracebackhide__ = True
        ev = self.evaluate(measure)
        return _kept("assert_at_least", ev, measure, limit, accept, alpha=alpha, certain=certain)

    def assert_at_most(
        self,
        measure: str,
        limit: float,
        *,
        alpha: float = 0.05,
        certain: bool = False,
        accept: Sequence[str] = (),
    ) -> Check:
        """The number does not exceed the limit, of a measure where lower is better: latency, failures, cost."""
        __tracebackhide__ = True
        ev = self.evaluate(measure)
        return _kept("assert_at_most", ev, measure, limit, accept, alpha=alpha, certain=certain)

    def assert_answered(self, failures: int = 0) -> None:
        """No more queries than so many failed or timed out."""
        __tracebackhide__ = True
        asked = self.run.collected
        assert asked is not None
        if asked.failures > failures:
            raise AssertionError(neutral(in_language(joined("\n", asked.remarks))))

    def assert_not_worse(
        self,
        old: Any,
        measure: str,
        *,
        margin: float,
        alpha: float = 0.05,
        allow_inconclusive: bool = False,
        accept: Sequence[str] = (),
    ) -> Check:
        """With confidence 1 - alpha it loses at most `margin` against another retriever, which is asked the same."""
        __tracebackhide__ = True
        from rankgauge.evaluation import evaluate
        from rankgauge.gate import not_worse

        before = old.run if isinstance(old, AskedRetriever) else self._asked(old)
        ev, base = self.evaluate(measure), evaluate(self.gold, before, [measure])
        _trusted(accept, ev, base)
        return _passed(not_worse(ev, base, measure, margin, alpha=alpha), ev.run, allow_inconclusive)


def _there(given: Any, root: Path | None) -> Any:
    """A file as it is named, or in pytest's root folder."""
    if root is None or not isinstance(given, (str, Path)) or Path(given).exists():
        return given
    return root / given if (root / given).exists() else given


def _trusted(accept: Sequence[str], *evaluations: RankingEvaluation) -> None:
    """Numbers that rest on suspicious input prove nothing."""
    __tracebackhide__ = True
    from rankgauge.evaluation.rankings.suspicion import errors_of, refuse_unknown

    refuse_unknown(accept)
    found = errors_of((s for ev in evaluations for s in ev.suspicions), accept)
    if found:
        said = [composed("the input is suspicious: {} {}", "输入可疑：{}{}", s.statement, s.try_) for s in found]
        raise AssertionError(neutral(in_language(joined("\n", said))))


def _kept(caller: str, ev: RankingEvaluation, measure: str, limit: float, accept: Sequence[str], **how: Any) -> Check:
    """A number that keeps to its limit, on the side where it is good."""
    __tracebackhide__ = True
    from rankgauge.errors import ParameterError
    from rankgauge.gate import at_least

    c = ev.column(measure)
    side, why = "assert_at_least", Text(f"higher {c.label} is better", f"{c.label} 越高越好")
    if c.measure.direction < 0:
        side, why = "assert_at_most", Text(f"lower {c.label} is better", f"{c.label} 越低越好")
    if c.measure.direction and caller != side:
        raise ParameterError(Text(f"{caller}: {why}. Use {side}.", f"{caller}：{why.zh}。请用 {side}。"))
    _trusted(accept, ev)
    return _passed(at_least(ev, measure, limit, **how), ev.run)


def _passed(check: Check, run: str, allow_inconclusive: bool = False) -> Check:
    __tracebackhide__ = True
    if check.outcome == "pass" or (check.outcome == "inconclusive" and allow_inconclusive):
        return check
    word = Text("does not hold", "不成立")
    if check.outcome == "inconclusive":
        word = Text("is not settled", "没有定论")
    lines = [composed("{}: {} {}", "{}：{} {}", run, check.name, word), composed("  {}", "  {}", check.message)]
    if check.worst:
        what = Text("worst queries", "最差的查询")
        if check.rule == "non_inferior":
            what = Text("largest losses", "损失最大的查询")
        queries = ", ".join(f"{q} {number(v)}" for q, v in check.worst)
        lines.append(composed("  {}: {}", "  {}：{}", what, queries))
    raise AssertionError(neutral(in_language(joined("\n", lines))))


@pytest.fixture(scope="session")
def rankgauge(pytestconfig: pytest.Config) -> RankingAssertions:
    """Evaluate and compare rankings, and assert on the result."""
    return RankingAssertions(pytestconfig.rootpath)


@pytest.fixture(scope="session")
def rankgauge_retriever(pytestconfig: pytest.Config) -> Callable[..., AskedRetriever]:
    """Ask a live retriever, and assert on what it gives: `rankgauge_retriever(retriever, questions, documents=…)`.

    `retriever` is what `rg.collect` takes, or its name, `module:object`. Keywords are those of `rg.collect`.
    """

    def ask(
        retriever: Any,
        questions: Any,
        *,
        documents: Any = None,
        queries: Any = None,
        k: int = 20,
        by: str | None = None,
        **collect: Unpack[AskOptions],
    ) -> AskedRetriever:
        asked = {"documents": documents, "queries": queries, "k": k, "by": by}
        return AskedRetriever(retriever, questions, root=pytestconfig.rootpath, **asked, **collect)

    return ask
