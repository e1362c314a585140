"""How labels and scores were read: what the scores are, what was corrected, which rows belong together."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from rankgauge._checks import is_number, one_of
from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError

__all__ = ["SCALES", "PredictionPolicy"]

SCALES = {
    "auto": "probabilities if all scores are in [0, 1], otherwise only an order",
    "probability": "scores are probabilities; one outside [0, 1] is an error",
    "logit": "scores are log-odds: p = 1 / (1 + e^-score)",
    "score": "scores order rows and say nothing else",
}


@dataclass(frozen=True)
class PredictionPolicy:
    """The contract of numbers over labels and scores."""

    scale: str = "probability"
    negatives_kept: float | None = None
    """Share of the negatives that were kept in training; probabilities are corrected for it."""
    clusters: str = ""
    """The column whose rows belong together; without one each row stands for itself."""
    weight: str = ""
    """The column of weights, if there is one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", one_of("scale", self.scale, SCALES))
        if self.negatives_kept is not None and not (is_number(self.negatives_kept) and 0 < self.negatives_kept <= 1):
            raise ParameterError(
                "`negatives_kept` must be the share of negatives kept, above 0 up to 1, "
                f"got {show(self.negatives_kept)}."
            )

    def to_dict(self) -> dict[str, Any]:
        """The words as plain values."""
        return asdict(self)

    @property
    def words(self) -> Text:
        """As it stands under a table."""
        words = [f"scale={self.scale}"]
        words += [f"negatives_kept={short(self.negatives_kept)}"] if self.negatives_kept is not None else []
        words += [f"weight={self.weight}"] if self.weight else []
        by = Text("intervals by row", "区间按行计算")
        if self.clusters:
            by = Text(f"intervals by {self.clusters}", f"区间按 {self.clusters} 计算")
        said = " ".join(words)
        return Text(f"{said} {by.en}", f"{said} {by.zh}")

    def __str__(self) -> str:
        return self.words.en
