"""The decision of a gate, with every check that led to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack

from rankgauge._claims import Claim, Statement, claimed, phrase, together
from rankgauge._numbers import counted
from rankgauge._plain_data import plain_of, read_fields, read_value, stored_fields
from rankgauge._records import Record
from rankgauge._rendered import reach, refuse_sources
from rankgauge._text import Text
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.suspicion import Suspicion, errors_of
from rankgauge.gate.check import Check, Outcome

if TYPE_CHECKING:
    from rankgauge._rendered import ReportOptions

__all__ = ["Decision", "GateResult"]

_MOST_NAMED = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Decision(Record):
    """What all gates share: checks, and what they come to."""

    checks: Sequence[Check]
    alpha: float = 0.05
    allow_inconclusive: bool = False
    notes: Sequence[str] = ()

    @property
    def suspicious(self) -> list[Suspicion]:
        """Errors of the input that nobody accepted: numbers that rest on them decide nothing."""
        return []

    @property
    def outcome(self) -> Outcome:
        """The worst of all checks; inconclusive where the input is suspicious."""
        if self.suspicious:
            return "inconclusive"
        found = {c.outcome for c in self.checks}
        return "fail" if "fail" in found else "inconclusive" if "inconclusive" in found else "pass"

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail, 3 inconclusive (0 where that is allowed, but never for suspicious input)."""
        if self.suspicious:
            return 3
        return {"pass": 0, "fail": 1, "inconclusive": 0 if self.allow_inconclusive else 3}[self.outcome]

    @property
    def decision(self) -> Statement:
        """The outcome in one line with its reason: `REGRESSION: 1 of 6 checks failed (nDCG@10 not worse by more
        than 0.01)`.

        Only a rule against the baseline can find a regression; what misses a floor may be better than it ever was.
        """
        failed, open_ = self.of("fail"), self.of("inconclusive")
        n = claimed(counted(len(self.checks), "check", "项检查"), "checks", len(self.checks))
        also = phrase(", {} inconclusive", "，{} 项无法判定", _number(open_, "inconclusive")) if open_ else ""
        outcome = [Claim("outcome", self.outcome)]
        if self.suspicious:
            codes = ", ".join(dict.fromkeys(s.code for s in self.suspicious))
            told = (
                "INCONCLUSIVE: the input is suspicious ({}); no check counts",
                "无法判定：输入可疑（{}），各项检查不作数",
            )
            return phrase(*told, codes, claims=outcome)
        if failed:
            worse = any(c.rule == "non_inferior" for c in failed)
            word = Text("REGRESSION", "退化") if worse else Text("FAIL", "未通过")
            told = ("{}: {} of {} failed ({}){}", "{0}：{2}中有 {1} 项失败（{3}）{4}")
            return phrase(*told, word, _number(failed, "fail"), n, _named(failed), also, claims=outcome)
        if open_ and not self.allow_inconclusive:
            told = ("INCONCLUSIVE: {} of {} not settled ({})", "无法判定：{1}中有 {0} 项未定（{2}）")
            return phrase(*told, _number(open_, "inconclusive"), n, _named(open_), claims=outcome)
        passed = _number(self.of("pass"), "pass")
        also = phrase("{} (allowed)", "{}（允许）", also) if also else ""
        unsure = ""
        if found := self.not_certain:
            told = (", {} of them not certain", "，其中 {} 项不够确定")
            unsure = phrase(*told, claimed(f"{len(found):,}", "checks", len(found), "not certain"))
        told = ("PASS: {} of {}{}{}", "通过：{1}中有 {0} 项通过{2}{3}")
        return phrase(*told, passed, n, unsure, also, claims=outcome)

    def of(self, outcome: Outcome) -> list[Check]:
        """The checks with this outcome."""
        return [c for c in self.checks if c.outcome == outcome]

    @property
    def not_certain(self) -> list[Check]:
        """Lines that the value keeps to and its interval does not: with `certain` they would be inconclusive."""
        return [] if self.suspicious else [c for c in self.of("pass") if not c.is_certain]

    @property
    def doubts(self) -> list[Statement]:
        """What a reader of the decision must know beside it: which rules hold for the value alone."""
        alike: dict[tuple[str, str], list[Check]] = {}
        for check in self.not_certain:
            low, high = check.interval
            why = _NO_INTERVAL if isnan(low) else _NOT_SURE if low < high else _NO_WIDTH
            alike.setdefault(why, []).append(check)
        return [phrase(*why, _named(found)) for why, found in alike.items()]

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per check; where the input is suspicious none of them counts."""
        none = {"outcome": "not counted"} if self.suspicious else {}
        return [{**c.to_dict(), "worst": " ".join(q for q, _ in c.worst), **none} for c in self.checks]

    def to_junit(self) -> str:
        """JUnit XML: a test case per check, a failure for each that failed; inconclusive ones are skipped."""
        text: str = reach("reporting.gate", "junit")(self)
        return text


@dataclass(frozen=True, eq=False, kw_only=True)
class GateResult(Decision, kind="gate", schema=1):
    """May it go out? `result.outcome` is pass, fail or inconclusive; `result.exit_code` is 0, 1 or 3."""

    evaluation: RankingEvaluation = field(repr=False)
    baseline: RankingEvaluation | None = field(default=None, repr=False)
    accept: Sequence[str] = ()
    """Codes of suspicions that do not stop the release."""

    @property
    def suspicions(self) -> tuple[Suspicion, ...]:
        """What casts doubt on the numbers of the run and of the baseline."""
        both = [self.evaluation, *([] if self.baseline is None else [self.baseline])]
        return tuple(s for ev in both for s in ev.suspicions)

    @property
    def suspicious(self) -> list[Suspicion]:
        """Errors of the input that nobody accepted: numbers that rest on them decide nothing."""
        return errors_of(self.suspicions, self.accept)

    def _plain(self) -> dict[str, Any]:
        """Everything but single queries."""
        ev = self.evaluation
        both = {"run": ev, **({} if self.baseline is None else {"baseline": self.baseline})}
        return {
            "outcome": self.outcome,
            "exit_code": self.exit_code,
            "decision": self.decision,
            "run": ev.run,
            "qrels": ev.qrels,
            "convention": ev.convention,
            "policy": ev.policy.to_dict(),
            "counts": dict(ev.counts),
            **stored_fields(self, left_out={"evaluation", "baseline", "version"}),
            "baseline": self.baseline.run if self.baseline is not None else None,
            "suspicions": plain_of(self.suspicions),
            "evaluations": plain_of(both),
        }

    @classmethod
    def _from_plain(cls, data: Any) -> GateResult:
        both = read_value(dict[str, dict[str, Any]], data["evaluations"], "evaluations")
        found = {name: RankingEvaluation.from_dict({"rankgauge": data["rankgauge"], **x}) for name, x in both.items()}
        given = {"evaluation": found["run"], "baseline": found.get("baseline")}
        return cls(**read_fields(cls, data, given=given))

    def report(self, path: str | PathLike[str] | None = None, **options: Unpack[ReportOptions]) -> str:
        """The decision and its checks as one HTML file: `rg.report(result, path, …)`; of a stored one what there is."""
        if path is not None:
            refuse_sources(self, path)
        written: str = reach("reporting.page", "report")(self, path, **options)
        return written


def _number(checks: Sequence[Check], outcome: str) -> Statement:
    return claimed(f"{len(checks):,}", "checks", len(checks), outcome)


def _named(checks: Sequence[Check]) -> Statement:
    """The first of the rules, and whether there are more."""
    more = ["…"] if len(checks) > _MOST_NAMED else []
    return together(Text("; ", "；"), [*(c.name for c in checks[:_MOST_NAMED]), *more])


_NOT_SURE = (
    "not certain (the value keeps to the limit, its interval does not; `certain` asks for both): {}",
    "不够确定（数值符合要求，但置信区间没有完全符合；用 `certain` 可要求两者都符合）：{}",
)
_NO_INTERVAL = (
    "not certain (the value keeps to the limit, and there is no interval; `certain` asks for both): {}",
    "不够确定（数值符合要求，但没有置信区间；用 `certain` 可要求两者都符合）：{}",
)
_NO_WIDTH = (
    "not certain (the value keeps to the limit, but all values are the same, and so few of them prove nothing about "
    "others; `certain` asks for more): {}",
    "不够确定（数值符合要求，但所有数值都相同，数量太少，不足以推及其他；用 `certain` 可要求更多）：{}",
)
