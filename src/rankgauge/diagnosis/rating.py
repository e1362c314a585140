"""A number in a word: how good is it as it stands, and beside the best that these judgements allow?

The band is that of the plain value, everywhere. Where no ranking could reach 1 (recall at 5 with nine relevant items)
and the value would be in another band as a share of the ceiling, both are said: "poor (fair beside 0.721, the highest
that can be reached)".
"""

from __future__ import annotations

from dataclasses import dataclass

from rankgauge._claims import Claim, Statement
from rankgauge._numbers import number
from rankgauge.diagnosis.standards import Band, Standards, load_standards
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.evaluation.rankings.ceiling import ceilings
from rankgauge.evaluation.rankings.record import RankingEvaluation

__all__ = ["Rating", "rating_of"]

_RELATIVE = "relative"  # the band of measures that mean something beside a base rate only
_FULL = 0.9995  # what is printed as 1.000 holds nothing down


@dataclass(frozen=True)
class Rating:
    """The band of a mean, and that of its share of the ceiling."""

    measure: str
    system: str
    value: float
    band: Band
    """Of the plain value."""
    ceiling: float
    """The highest mean that a ranking of these judgements can have; NaN where that is not known."""
    beside_ceiling: Band
    """Of value / ceiling; where the ceiling is 1 or unknown, of the plain value."""

    @property
    def is_held_down(self) -> bool:
        """Whether the ceiling makes a difference to the word."""
        return self.beside_ceiling.name != self.band.name

    @property
    def claims(self) -> tuple[Claim, ...]:
        made = [Claim("band", self.band.name, self.measure, self.system)]
        if self.is_held_down:
            made.append(Claim("band beside ceiling", self.beside_ceiling.name, self.measure, self.system))
            made.append(Claim("ceiling", self.ceiling, self.measure, self.system))
        return tuple(made)

    @property
    def words(self) -> Statement:
        """The band, and where the ceiling makes a difference also the band beside it."""
        en, zh = self.band.title.en, self.band.title.zh
        if self.is_held_down:
            best, beside = number(self.ceiling, 3), self.beside_ceiling.title
            en += f" ({beside.en} beside {best}, the highest that can be reached)"
            zh += f"（对照可达上限 {best} 为“{beside.zh}”）"
        return Statement(en, zh, self.claims)


def rating_of(
    ev: RankingEvaluation | PredictionEvaluation,
    measure: str,
    standards: Standards | None = None,
    *,
    value: float | None = None,
    ceiling: float | None = None,
) -> Rating | None:
    """The rating of a mean (or of another value in its place); None where nobody has said what is good.

    >>> from rankgauge import evaluate
    >>> ev = evaluate({"q": {d: 1 for d in "abcdefg"}}, {"q": ["a", "b", "c", "x", "d"]}, "R@5")
    >>> print(rating_of(ev, "R@5").words)
    poor (good beside 0.714, the highest that can be reached)
    """
    figures = load_standards() if standards is None else standards
    x = ev[measure] if value is None else value
    band = figures.band_of(measure, x)
    if band is None or band.name == _RELATIVE:
        return None
    system = ev.model if isinstance(ev, PredictionEvaluation) else ev.run
    if ceiling is None:
        ceiling = ceilings(ev, [ev.column(measure)])[0] if isinstance(ev, RankingEvaluation) else float("nan")
    beside = figures.band_of(measure, x / ceiling) if 0 < ceiling < _FULL else band
    return Rating(measure, system, x, band, ceiling, beside or band)
