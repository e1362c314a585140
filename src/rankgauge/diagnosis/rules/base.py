"""What a rule is: a condition over a subject, and what to say in each language when it holds.

    @rule("single-target", "ranking", en=Texts(…), zh=Texts(…))
    def single_target(s):
        if s.relevant_per_query.max() > 1:
            return None
        return Seen("note", {"n": s.n})

A rule looks, and says nothing where it cannot know: data that are not there give None, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rankgauge._show import show
from rankgauge._text import LANGUAGES, Text
from rankgauge.diagnosis.finding import SEVERITIES, WORDS, Finding
from rankgauge.errors import ParameterError

__all__ = ["RULES", "Rule", "Seen", "Texts", "rule"]


@dataclass(frozen=True)
class Texts:
    """What a finding says; {names} stand for the numbers that were seen."""

    title: str
    seen: str
    why: str
    check: str
    do: str


@dataclass(frozen=True)
class Seen:
    """A rule that holds: how bad it is, the numbers, and where to look."""

    severity: str
    numbers: Mapping[str, Any] = field(default_factory=dict)
    evidence: Sequence[str] = ()
    importance: float = 0.0

    def __post_init__(self) -> None:
        if self.severity not in SEVERITIES:
            raise ParameterError(f"`severity` must be one of {', '.join(SEVERITIES)}, got {show(self.severity)}.")


Condition = Callable[[Any], "Seen | None"]


@dataclass(frozen=True)
class Rule:
    """A condition with a code, for one kind of subject."""

    code: str
    kind: str
    """ranking, comparison or predictions."""
    texts: Mapping[str, Texts]
    condition: Condition

    def apply(self, subject: Any) -> Finding | None:
        """The finding in all languages, where the condition holds."""
        seen = self.condition(subject)
        if seen is None:
            return None
        said = {
            name: Text(**{lang: getattr(self.texts[lang], name).format(**seen.numbers) for lang in LANGUAGES})
            for name in WORDS
        }
        return Finding(
            code=self.code,
            severity=seen.severity,
            evidence=tuple(seen.evidence),
            importance=seen.importance,
            numbers=seen.numbers,
            **said,
        )


RULES: dict[str, Rule] = {}
"""Every rule by its code."""

_KINDS = ("ranking", "comparison", "predictions")


def rule(code: str, kind: str, *, en: Texts, zh: Texts) -> Callable[[Condition], Condition]:
    """Registers a rule, also one of your own: a code of your own replaces nothing, a known one replaces that rule."""
    if kind not in _KINDS:
        raise ParameterError(f"`kind` must be one of {', '.join(_KINDS)}, got {show(kind)}.")

    def register(condition: Condition) -> Condition:
        RULES[code] = Rule(code, kind, {"en": en, "zh": zh}, condition)
        return condition

    return register
