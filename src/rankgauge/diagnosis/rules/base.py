"""What a rule is: a condition over a subject, and what to say in each language when it holds.

    @rule("single-target", "ranking", en=Texts(…), zh=Texts(…))
    def single_target(s):
        if s.relevant_per_query.max() > 1:
            return None
        return Seen("note", {"n": s.figure("count", s.n, "queries")})

A rule looks, and says nothing where it cannot know: data that are not there give None, never a guess. Conditions are
asked of the subject (`s.surely_below(measure, figure)`), which says no to what is not known, and every number of a
sentence comes with its claim. What is left is refused: a finding with a number that is none is no finding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, isnan
from string import Formatter
from typing import Any

from rankgauge._claims import Claim, Statement
from rankgauge._show import show
from rankgauge._text import LANGUAGES, Text
from rankgauge.diagnosis.figures import claims_in, resolved
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
    """What the words in braces stand for: statements, texts, plain words and numbers."""
    evidence: Sequence[str] = ()
    importance: float = 0.0
    holds: Sequence[Claim] = ()
    """What is claimed beside the numbers, such as a condition that holds."""

    def __post_init__(self) -> None:
        if self.severity not in SEVERITIES:
            raise ParameterError(
                Text(
                    f"`severity` must be one of {', '.join(SEVERITIES)}, got {show(self.severity)}.",
                    f"`severity` 必须是 {', '.join(SEVERITIES)} 之一，实际为 {show(self.severity)}。",
                )
            )

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Everything that the sentences claim, and what makes them hold."""
        return tuple(dict.fromkeys([*claims_in(self.numbers.values()), *self.holds]))

    @property
    def is_sound(self) -> bool:
        """Whether all numbers are numbers; the importance is not shown and may be more than any."""
        values = [*self.numbers.values(), *(c.value for c in self.claims)]
        return all(isfinite(x) for x in values if not isinstance(x, str)) and not isnan(self.importance)


Condition = Callable[[Any], "Seen | None"]


@dataclass(frozen=True)
class Rule:
    """A condition with a code, for one kind of subject."""

    code: str
    kind: str
    """ranking, comparison, predictions or classes."""
    texts: Mapping[str, Text]
    """What it says, by `WORDS`; {names} stand for the numbers that were seen."""
    condition: Condition
    of_users: Mapping[str, Text] = field(default_factory=dict)
    """What it says instead where the judgements are what users did, and not what somebody judged."""
    of_spans: Mapping[str, Text] = field(default_factory=dict)
    """What it says instead where gold is spans of documents, which lists can hold in part."""
    of_everything: bool = False
    """Whether it is about rankings of everything there is: nothing is said of candidates that were sampled."""

    def apply(self, subject: Any) -> Finding | None:
        """The finding in all languages, where the condition holds and every number of it is known."""
        if self.of_everything and getattr(subject, "is_sampled", False):
            return None
        seen = self.condition(subject)
        if seen is None or not seen.is_sound:
            return None
        texts = dict(self.texts)
        for name in ("of_users", "of_spans"):
            texts |= getattr(self, name) if getattr(subject, name, False) else {}
        said = {name: _said(texts[name], seen) for name in WORDS}
        return Finding(
            code=self.code,
            severity=seen.severity,
            evidence=tuple(seen.evidence),
            importance=seen.importance,
            numbers=seen.numbers,
            claims=seen.claims,
            **said,
        )


def _said(text: Text, seen: Seen) -> Statement:
    """One of the texts in all languages, with what it claims."""
    used = {key for words in (text.en, text.zh) for _, key, _, _ in Formatter().parse(words) if key}
    en, zh = (text.of(lang).format(**resolved(seen.numbers, lang)) for lang in LANGUAGES)
    return Statement(en, zh, claims_in(seen.numbers[key] for key in used))


RULES: dict[str, Rule] = {}
"""Every rule by its code."""

_KINDS = ("ranking", "comparison", "predictions", "classes")


def rule(
    code: str,
    kind: str,
    *,
    en: Texts,
    zh: Texts,
    of_users: Mapping[str, Text] | None = None,
    of_spans: Mapping[str, Text] | None = None,
    of_everything: bool = False,
) -> Callable[[Condition], Condition]:
    """Registers a rule, also one of your own: a code of your own replaces nothing, a known one replaces that rule.

    `of_users` has those of its texts (`check`, `do`, …) that are others where judgements are what users did,
    `of_spans` those where gold is spans of documents.
    `of_everything` is for rules about popularity, retrieval or depth: sampled candidates say nothing of these.
    """
    if kind not in _KINDS:
        raise ParameterError(
            Text(
                f"`kind` must be one of {', '.join(_KINDS)}, got {show(kind)}.",
                f"`kind` 必须是 {', '.join(_KINDS)} 之一，实际为 {show(kind)}。",
            )
        )

    def register(condition: Condition) -> Condition:
        texts = {name: Text(getattr(en, name), getattr(zh, name)) for name in WORDS}
        RULES[code] = Rule(code, kind, texts, condition, of_users or {}, of_spans or {}, of_everything)
        return condition

    return register
