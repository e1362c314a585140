"""What a diagnosis says: findings, the most important first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any

from rankgauge._claims import Claim
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import LANGUAGES, Text, in_words, joined, spoken
from rankgauge.errors import UnknownName, among

if TYPE_CHECKING:
    import polars as pl

__all__ = ["SEVERITIES", "WORDS", "Finding", "Findings"]

WORDS = ("title", "seen", "why", "check", "do")
"""What a finding says, in order."""

SEVERITIES = ("critical", "warning", "note")
"""The first stops a conclusion, the second needs work, the third is good to know."""


@dataclass(frozen=True)
class Finding:
    """One thing that the numbers say, and what to do about it."""

    code: str
    """Stable: scripts and pages may refer to it."""
    severity: Annotated[str, SEVERITIES]
    title: str
    seen: str
    """What was seen, with the numbers."""
    why: str
    """Why it matters."""
    check: str
    """What to check first."""
    do: str
    """What to do then."""
    evidence: Sequence[str] = ()
    """Queries, ranks, slices."""
    importance: float = 0.0
    """Orders findings of the same severity."""
    numbers: Mapping[str, Any] = field(default_factory=dict)
    claims: Sequence[Claim] = ()
    """What is said, as data: each claim can be checked against the input."""

    def in_language(self, language: str | None) -> Finding:
        """The same, whose strings speak this language; None: the one that is spoken now."""
        said: dict[str, Any] = {name: spoken(getattr(self, name), language) for name in WORDS}
        return replace(self, **said)


@dataclass(frozen=True, eq=False)
class Findings(Record, kind="findings", schema=1, stored_as={"all": "findings"}):
    """Findings about one evaluation or comparison, the most important first."""

    subject: str
    all: Sequence[Finding]
    language: Annotated[str, ("", *LANGUAGES)] = ""
    """The one that was asked for; empty: whatever is spoken when they are read."""
    scenario: str = ""
    most: int = 7
    """How many are shown; the others are in `all`."""
    notes: Sequence[str] = ()
    doubts: Sequence[str] = ()
    """What makes the numbers doubtful: the warnings among the suspicions of the input."""
    not_looked_at: Sequence[str] = ()
    """Codes of rules that found nothing because what they look at is not at hand."""
    limits: Sequence[str] = ()
    """Why there may be more than was found: too few queries, rules that could not look."""

    def in_language(self, language: str | None) -> Findings:
        """The same, whose strings speak this language; None: the one that is spoken now, and that is set when read."""
        said: dict[str, Any] = {
            name: tuple(spoken(t, language) for t in getattr(self, name)) for name in ("notes", "doubts", "limits")
        }
        found = tuple(f.in_language(language) for f in self.all)
        return replace(self, subject=spoken(self.subject, language), all=found, language=language or "", **said)

    @classmethod
    def _from_plain(cls, data: Any) -> Findings:
        found = super()._from_plain(data)
        return found.in_language(found.language or None)

    @property
    def shown(self) -> Sequence[Finding]:
        return self.all[: self.most]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    def __contains__(self, code: object) -> bool:
        return any(f.code == code for f in self.all)

    def __getitem__(self, code: str) -> Finding:
        for f in self.all:
            if f.code == code:
                return f
        codes = [f.code for f in self.all]
        raise UnknownName(Text(f"no finding {show(code)}.", f"没有发现 {show(code)}。") + among(code, codes))

    @property
    def codes(self) -> list[str]:
        return [f.code for f in self.all]

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per finding."""
        keys = ("code", "severity", *WORDS)
        return [
            {**{k: getattr(f, k) for k in keys}, "evidence": joined(Text("; ", "；"), f.evidence)} for f in self.all
        ]

    def to_frame(self) -> pl.DataFrame:
        """One row per finding."""
        import polars as pl

        return pl.DataFrame(in_words(self.csv_rows()), infer_schema_length=None)
