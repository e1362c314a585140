"""The decision of a gate, with every check that led to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from rankgauge._rendered import Storable
from rankgauge._text import Text
from rankgauge.evaluation.ranking_record import RankingEvaluation
from rankgauge.evaluation.suspicion import Suspicion, errors_of
from rankgauge.gate.checks import Check, Outcome

__all__ = ["GateResult"]


@dataclass(frozen=True, eq=False, kw_only=True)
class GateResult(Storable):
    """May it go out? `result.outcome` is pass, fail or inconclusive; `result.exit_code` is 0, 1 or 3."""

    checks: Sequence[Check]
    evaluation: RankingEvaluation = field(repr=False)
    baseline: RankingEvaluation | None = field(default=None, repr=False)
    alpha: float = 0.05
    allow_inconclusive: bool = False
    notes: Sequence[str] = ()
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

    @property
    def outcome(self) -> Outcome:
        """The worst of all checks; inconclusive where the input is suspicious."""
        if self.suspicious:
            return "inconclusive"
        found = {c.outcome for c in self.checks}
        return "fail" if "fail" in found else "inconclusive" if "inconclusive" in found else "pass"

    @property
    def exit_code(self) -> int:
        """0 pass, 1 regression, 3 inconclusive (0 where that is allowed, but never for suspicious input)."""
        if self.suspicious:
            return 3
        return {"pass": 0, "fail": 1, "inconclusive": 0 if self.allow_inconclusive else 3}[self.outcome]

    @property
    def decision(self) -> str:
        """The outcome in one line: `PASS: 6 of 6 checks`."""
        n = len(self.checks)
        if self.suspicious:
            codes = ", ".join(dict.fromkeys(s.code for s in self.suspicious))
            return Text(
                f"INCONCLUSIVE: the input is suspicious ({codes}); no check counts",
                f"无法判定：输入可疑（{codes}），各项检查不作数",
            )
        failed, open_ = len(self.of("fail")), len(self.of("inconclusive"))
        if failed:
            also = Text(f", {open_} inconclusive", f"，{open_} 项无法判定") if open_ else Text("", "")
            return Text(
                f"REGRESSION: {failed} of {n} checks failed{also}", f"退化：{n} 项检查中有 {failed} 项失败{also.zh}"
            )
        if open_ and not self.allow_inconclusive:
            return Text(f"INCONCLUSIVE: {open_} of {n} checks not settled", f"无法判定：{n} 项检查中有 {open_} 项未定")
        also = Text(f", {open_} inconclusive (allowed)", f"，{open_} 项无法判定（允许）") if open_ else Text("", "")
        return Text(f"PASS: {n - open_} of {n} checks{also}", f"通过：{n} 项检查中有 {n - open_} 项通过{also.zh}")

    def of(self, outcome: Outcome) -> list[Check]:
        """The checks with this outcome."""
        return [c for c in self.checks if c.outcome == outcome]

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per check."""
        return [{**c.to_dict(), "worst": " ".join(q for q, _ in c.worst)} for c in self.checks]

    def to_dict(self) -> dict[str, Any]:
        """Everything but single queries as plain Python values, nothing rounded."""
        ev = self.evaluation
        return {
            "rankgauge": ev.version,
            "outcome": self.outcome,
            "exit_code": self.exit_code,
            "decision": self.decision,
            "run": ev.run,
            "qrels": ev.qrels,
            "baseline": self.baseline.run if self.baseline is not None else None,
            "alpha": self.alpha,
            "allow_inconclusive": self.allow_inconclusive,
            "convention": ev.convention,
            "policy": ev.policy.to_dict(),
            "counts": dict(ev.counts),
            "checks": [c.to_dict() for c in self.checks],
            "notes": list(self.notes),
            "suspicions": [s.to_dict() for s in self.suspicions],
            "accept": list(self.accept),
        }

    def to_junit(self) -> str:
        """JUnit XML: a test case per check, a failure for each that failed; inconclusive ones are skipped."""
        text: str = import_module("rankgauge.reporting.gate").junit(self)
        return text
