"""What an audit says, and how it is made: all checks over the evidence, the most serious findings first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite, isnan
from typing import Annotated, Any, NamedTuple

import numpy as np

from rankgauge._checks import number
from rankgauge._numbers import short
from rankgauge._plain_data import plain_of, read_value
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text, composed, in_language, joined, zh
from rankgauge.data.audit.evidence import DEPTH, RELEVANT, Evidence, Ranking, gather
from rankgauge.data.audit.registry import CHECKS, EXAMPLES, Severity
from rankgauge.data.columns import shares_columns
from rankgauge.errors import InputError

__all__ = ["SEVERITIES", "Audit", "Problem", "audit"]

SEVERITIES: Mapping[Severity, Text] = {
    "error": Text("error", "错误"),
    "warning": Text("warning", "警告"),
    "note": Text("note", "提示"),
}
"""The most serious first."""


@dataclass(frozen=True)
class Problem:
    """Something in the input that makes numbers wrong, doubtful or worth a second look."""

    code: str
    severity: Severity
    where: str
    """The run or the judgements concerned."""
    count: int
    what: str
    examples: tuple[str, ...] = ()
    why: str = ""
    try_: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "severity": self.severity,
            "where": self.where,
            "count": self.count,
            "what": self.what,
            "examples": list(self.examples),
            "why": self.why,
            "try": self.try_,
        }

    def __str__(self) -> str:
        return in_language(self.text)

    @property
    def text(self) -> Text:
        """What it is, in one sentence."""
        level = SEVERITIES[self.severity]
        return Text(
            f"{level} {self.code} ({self.where}): {self.what}",
            f"{level.zh} {self.code}（{zh(self.where)}）：{zh(self.what)}",
        )


class _Spread(NamedTuple):
    min: Annotated[float, isfinite]
    median: Annotated[float, isfinite]
    max: Annotated[float, isfinite]


class _StoredFacts(NamedTuple):
    queries_judged: int
    judgements: int
    grades: dict[str, int]
    relevant_per_query: _Spread | None
    runs: dict[str, dict[str, Any]]


class _StoredRunFacts(NamedTuple):
    queries: int
    results: int
    results_per_query: _Spread | None


@dataclass(frozen=True, eq=False)
class Audit(Record, kind="audit", schema=1):
    """What the audit found, the most serious first, and the numbers that describe the input."""

    findings: tuple[Problem, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    qrels: str = "qrels"
    runs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """How the input was read: which columns, which files, what was skipped."""

    @property
    def ok(self) -> bool:
        """Whether there is nothing worse than a note."""
        return not self.serious

    @property
    def serious(self) -> tuple[Problem, ...]:
        """Findings that make numbers wrong or doubtful: errors and warnings."""
        return tuple(p for p in self.findings if p.severity != "note")

    def __getitem__(self, code: str) -> tuple[Problem, ...]:
        """The findings of one code, one for each table concerned."""
        if code not in CHECKS:
            from rankgauge.errors import UnknownName, suggest

            raise UnknownName(
                Text(
                    f"unknown problem {show(code)}.{suggest(code, CHECKS)}",
                    f"未知的问题 {show(code)}。{zh(suggest(code, CHECKS))}",
                )
            )
        return tuple(p for p in self.findings if p.code == code)

    def raise_if_found(self) -> None:
        """Raise one `InputError` with every error and warning."""
        if self.ok:
            return
        n = len(self.serious)
        said = Text(
            f"the audit found {n} {'problem' if n == 1 else 'problems'} in the input:", f"输入检查发现 {n} 个问题："
        )
        raise InputError(joined("\n  ", [said, *map(_line, self.serious)]), [p.text for p in self.serious])

    def _also(self) -> dict[str, Any]:
        grades = {short(grade): n for grade, n in self.facts.get("grades", {}).items()}  # keys of JSON are texts
        return {"ok": self.ok, "facts": plain_of({**self.facts, "grades": grades})}

    @classmethod
    def _from_plain(cls, data: Any) -> Audit:
        found = super()._from_plain(data)
        facts = read_value(_StoredFacts, found.facts, "facts")
        numbers = {float(grade): n for grade, n in facts.grades.items()}
        whole = {int(g) if g.is_integer() else g: n for g, n in numbers.items()}
        for name, of in facts.runs.items():
            read_value(_StoredRunFacts, of, f"facts.runs.{name}")
            read_value(float | None, of[f"judged@{DEPTH}"], f"facts.runs.{name}.judged@{DEPTH}")
        return replace(found, facts={**found.facts, "grades": whole})

    def csv_rows(self) -> Sequence[dict[str, Any]]:
        """One row per finding; one row that says so when there is none."""
        rows = [{**p.to_dict(), "examples": "; ".join(p.examples)} for p in self.findings]
        return rows or [{**Problem("none", "note", "", 0, "No problems found.").to_dict(), "examples": ""}]

    def __repr__(self) -> str:
        found = [p.severity for p in self.findings]
        counts = [composed("{}s {}", "{} {}", word, found.count(s)) for s, word in SEVERITIES.items()]
        return str(in_language(composed("<Audit: {}>", "<Audit：{}>", joined(Text(", ", "，"), counts))))


def _line(problem: Problem) -> Text:
    """A problem with its first examples and what to do."""
    said = problem.text
    if problem.examples:
        shown = joined(Text("; ", "；"), [*problem.examples[:2], *(["…"] if len(problem.examples) > 2 else [])])
        said += Text(f" ({shown})", f"（{zh(shown)}）")
    return said + Text(f" {problem.try_}", zh(problem.try_))


@shares_columns
def audit(
    qrels: Any,
    *runs: Any,
    train: Any = None,
    items: Any = None,
    rel: float | None = None,
    columns: Mapping[str, str] | None = None,
) -> Audit:
    """Can this input be trusted?

    Takes what `evaluate` takes: dicts, paths, dataframes, matrices, `Qrels` and `Run`; any number of runs,
    also as a dict by name, or none to look at the judgements alone. Nothing is changed or repaired. With the
    interactions that a recommender learned from as `train`: has it seen the answers, or the future? With the catalogue
    as `items`: does it show anything that is not there? `rel` is the lowest relevant grade, 1 unless said.

    >>> found = audit({"q1": {"D1": 1, "d2": 0}}, {"q1": {"d1": 0.9, "d2": float("nan")}})
    >>> [p.code for p in found.serious]
    ['id-mismatch', 'nan-scores']
    """
    level = RELEVANT if rel is None else number("rel", rel, above=0)
    evidence = gather(qrels, runs, columns, train, items, level)
    findings = [
        Problem(c.code, f.severity, f.where, f.count, f.what, tuple(f.examples)[:EXAMPLES], c.why, f.try_ or c.try_)
        for c in CHECKS.values()
        for f in c.find(evidence)
    ]
    findings.sort(key=lambda p: (list(SEVERITIES).index(p.severity), -p.count))
    return Audit(
        findings=tuple(findings),
        facts=_facts(evidence),
        qrels=evidence.qrels.name,
        runs=tuple(run.name for run in evidence.runs),
        notes=tuple(dict.fromkeys(n for side in _read(evidence) for n in side.notes)),
    )


def _read(e: Evidence) -> Sequence[Any]:
    return [e.qrels, *e.runs, *(one for one in (e.train, e.catalogue) if one is not None)]


def _facts(e: Evidence) -> dict[str, Any]:
    grades = e.qrels.frame["grade"].value_counts().sort("grade")
    return {
        "queries_judged": e.qrels.known.len(),
        "judgements": e.qrels.frame.height,
        "grades": {(int(g) if float(g).is_integer() else g): n for g, n in grades.iter_rows()},
        "relevant_per_query": _spread(e.qrels.relevant_per_query["n"].to_numpy()),
        "runs": {run.name: _run_facts(run) for run in e.runs},
    }


def _run_facts(run: Ranking) -> dict[str, Any]:
    return {
        "queries": run.known.len(),
        "results": run.frame.height,
        "results_per_query": _spread(run.lengths),
        f"judged@{DEPTH}": None if isnan(run.judged_share) else run.judged_share,
    }


def _spread(counts: Any) -> dict[str, float] | None:
    """Least, middle and most."""
    if not len(counts):
        return None
    return {"min": int(counts.min()), "median": float(np.median(counts)), "max": int(counts.max())}
