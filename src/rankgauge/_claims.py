"""What a sentence claims, as data, so that it can be checked.

A sentence is a number too. Whatever the product says of a result (a verdict, a finding, a headline, a note) is a
`Statement`: a text in two languages that carries its claims, each one thing that is so or not. Tests compute every
claim naively from the input and compare; `CLAIMS` is the whole vocabulary, and each word of it has its checker there.

>>> said = Statement("new has nDCG@10 0.5.", "new 的 nDCG@10 为 0.5。", [Claim("mean", 0.5, "nDCG@10", "new")])
>>> said.claims[0].value
0.5
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError

__all__ = ["CLAIMS", "Claim", "Statement", "claims_of"]

CLAIMS = {
    "mean": "the mean of `measure` of `system` is `value`",
    "low": "the interval of that mean begins at `value`",
    "high": "the interval of that mean ends at `value`",
    "n": "`value` queries (or units) count in `measure` of `system`, and of `against` where given",
    "difference": "`measure` of `system` minus that of `against`, paired, is `value`",
    "difference low": "the interval of that difference begins at `value`",
    "difference high": "the interval of that difference ends at `value`",
    "verdict": "`system` is `value` (better, worse, equivalent, inconclusive, unchanged) beside `against` in `measure`",
    "ceiling": "no ranking of these judgements could have a mean of `measure` above `value`",
    "band": "the mean of `measure` of `system` lies in the band called `value`",
    "benchmark": "a figure that a standard or a rule asks for: not computed from the input",
    "count": "`value` is the number that the counts of `system` have under `measure`",
    "share": "`value` is the share that `measure` names, of `system`",
    "outcome": "the gate says `value` (pass, fail, inconclusive)",
    "suspicion": "the input check `value` holds for `system`",
}
"""What can be claimed, and what each word means."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that is so or not."""

    what: str
    value: Any
    measure: str = ""
    system: str = ""
    against: str = ""

    def __post_init__(self) -> None:
        if self.what not in CLAIMS:
            raise ParameterError(f"a claim must be one of {', '.join(CLAIMS)}, got {show(self.what)}.")


class Statement(Text):
    """A text with what it claims."""

    __slots__ = ("claims",)
    claims: tuple[Claim, ...]

    def __new__(cls, en: str, zh: str, claims: Iterable[Claim] = ()) -> Statement:
        self = super().__new__(cls, en, zh)
        assert isinstance(self, Statement)
        self.claims = tuple(claims)
        return self

    def __getnewargs__(self) -> tuple[str, str, tuple[Claim, ...]]:  # type: ignore[override]
        return self.en, self.zh, self.claims


def claims_of(text: object) -> tuple[Claim, ...]:
    """What a text claims; nothing where it is no statement."""
    return text.claims if isinstance(text, Statement) else ()
