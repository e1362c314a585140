"""Good order, right probabilities: which of the four cases of AUC × LogLoss holds, and what to do.

"AUC high, LogLoss high" cannot be read off the two numbers: LogLoss depends on the base rate, and a weak order raises
it as much as wrong probabilities do. Its exact split can: LogLoss = MCB - DSC + UNC, where DSC is what the order is
worth and MCB what the probabilities lose against the best ones in that order (`measures/predictions/corp.py`).

                        probabilities right        probabilities off
    order good          ideal                      calibrate
    order weak          uninformative              rebuild

Intervals decide. The order is good where all of AUC's interval is at `good_auc` or above, weak where all of it is
below. Probabilities are off when the error is real (ECCE's p-value, COPC's interval without 1, or NE's above 1: who
says the base rate does better) and matters: recalibration would lower NE by `material` or more. They are right when
it would not (MCB is fitted to the rows it is measured on, so it promises too much rather than too little, and NE can
then exceed 1 by less than `material`), or when no error shows where one would: NE's interval is below 1, and COPC's
within a quarter of 1. What is between is not settled, and is called so. Where all probabilities are 0 there is no
COPC, and everything else is as defined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Annotated, Any

import numpy as np

from rankgauge._checks import number
from rankgauge._numbers import number as written
from rankgauge._numbers import share, short
from rankgauge._records import Record
from rankgauge._text import LANGUAGES, Text, check_language, spoken, zh
from rankgauge.alignment.sample import Sample
from rankgauge.calibration import Platt
from rankgauge.calibration.sums import Sums
from rankgauge.diagnosis.order_and_probability_texts import ADVICE, CASES, SAYINGS
from rankgauge.diagnosis.sureness import sure_of_model
from rankgauge.errors import InputError
from rankgauge.evaluation.predictions.asking import are_classes
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.measures.predictions.sums import CLIP

__all__ = ["Evidence", "Reading", "reading"]

_MANY = 10_000
_WITHIN = "GAUC(weight=pairs)"
_NEAR = 0.25  # how far from 1 COPC's interval may reach where probabilities are called right
_ABOUT = 0.05  # how far below that of the base rate a loss may be and still be about the same
_CASES = {
    ("good", "right"): "ideal",
    ("good", "off"): "calibrate",
    ("weak", "right"): "uninformative",
    ("weak", "off"): "rebuild",
}
_MEASURES = ("AUC", "LogLoss", "NE", "MCB", "DSC", "UNC", "COPC", "ECCE")


@dataclass(frozen=True)
class Evidence:
    """A number that the reading rests on."""

    name: str
    value: float
    low: float
    high: float
    says: str


@dataclass(frozen=True)
class Reading(Record, kind="reading", schema=1):
    """Which case holds, why, and what to do."""

    case: str
    """ideal, calibrate, uninformative, rebuild; unclear where these rows settle none of them."""
    is_clear: bool
    """Whether order and probabilities are both settled. Probabilities that are surely off have a case beside an order
    that is not: calibrate or rebuild by AUC's value, which more rows may change."""
    headline: str
    evidence: Sequence[Evidence]
    advice: Sequence[str]
    language: Annotated[str, ("", *LANGUAGES)]
    """The one that was asked for; empty: whatever is spoken when it is read."""
    model: str

    def in_language(self, language: str | None) -> Reading:
        """The same, whose strings speak this language; None: the one that is spoken now."""
        return replace(
            self,
            headline=spoken(self.headline, language),
            evidence=[replace(e, says=spoken(e.says, language)) for e in self.evidence],
            advice=[spoken(a, language) for a in self.advice],
            language=language or "",
        )

    @classmethod
    def _from_plain(cls, data: Any) -> Reading:
        read = super()._from_plain(data)
        return read.in_language(read.language or None)


def reading(
    ev: PredictionEvaluation, *, good_auc: float = 0.7, material: float = 0.01, language: str | None = None
) -> Reading:
    """Which of the four cases of order and probability holds for this model, and what to do about it.

    `good_auc` is the AUC from which on the order counts as good: 0.7 says little by itself, put the AUC of the model
    in use there. `material` is the part of the uncertainty (UNC) that recalibration must save to be worth it.
    """
    if language is not None:
        check_language(language)
    number("good_auc", good_auc, at_least=0.5, at_most=1)
    number("material", material, at_least=0)
    if ev.sample is not None and are_classes(ev.sample):
        raise InputError(
            Text(
                "order and probability cannot be read: all scores are 0 or 1, classes and not probabilities.",
                "无法判读排序与概率：所有得分都是 0 或 1，是类别而不是概率。",
            )
        )
    full = ev.evaluate(
        *_MEASURES, *(["GAUC(weight=pairs)"] if ev.sample is not None and ev.sample.group is not None else [])
    )
    missing = {m: why for m, why in full.undefined.items() if m in _MEASURES and m != "COPC"}
    if missing:
        reason = next(iter(missing.values()))
        raise InputError(
            Text(
                f"order and probability cannot be read: {next(iter(missing))} {reason}.",
                f"无法判读排序与概率：{next(iter(missing))} {zh(reason)}。",
            )
        )
    facts = _Facts(full, good_auc, material)
    made = Reading(
        case=facts.case,
        is_clear=facts.is_clear,
        headline=CASES[facts.order, facts.probability],
        evidence=facts.evidence(),
        advice=[_said(ADVICE, key, facts.numbers) for key in facts.advice()],
        language="",
        model=ev.model,
    )
    return made.in_language(language)


def _said(words: Mapping[str, Text], key: str, numbers: Mapping[str, Any] | None = None) -> Text:
    """What is said under a key, with the numbers put in."""
    en, zh = (words[key].of(lang).format(**(numbers or {})) for lang in LANGUAGES)
    return Text(en, zh)


class _Facts:
    """The numbers, and what follows from them."""

    def __init__(self, ev: PredictionEvaluation, good_auc: float, material: float) -> None:
        self.ev, self.good_auc, self.material = ev, good_auc, material
        self.auc, self.interval, self.surely = ev["AUC"], ev.interval("AUC"), sure_of_model(ev, "AUC")
        unc = ev["UNC"]
        self.mcb, self.dsc = ev["MCB"] / unc, ev["DSC"] / unc
        self.copc, self.copc_interval = ev["COPC"], ev.interval("COPC")
        self.p = float(ev.column("ECCE").beside["p"])
        assert ev.sample is not None
        self.slope, self.slope_error = _slope(ev.sample)
        low, high = self.copc_interval
        self.copc_off = not isnan(low) and not low <= 1 <= high
        ne = ev.interval("NE")
        self.is_real = self.p < 0.05 or self.copc_off or ne.low > 1
        self.would_show = ne.high < 1 and low >= 1 / (1 + _NEAR) and high <= 1 + _NEAR

    @property
    def order(self) -> str:
        """good, weak, or open where AUC's interval reaches both sides of the line or is not known."""
        low, high = self.surely
        return "good" if low >= self.good_auc else "weak" if high <= self.good_auc else "open"

    @property
    def probability(self) -> str:
        """right, off, or open where an error would matter and cannot be told from chance."""
        if self.mcb < self.material:
            return "right"
        return "off" if self.is_real else "right" if self.would_show else "open"

    @property
    def case(self) -> str:
        order = self.order
        if order == "open" and self.probability == "off":
            order = "good" if self.auc >= self.good_auc else "weak"
        return _CASES.get((order, self.probability), "unclear")

    @property
    def is_clear(self) -> bool:
        return "open" not in (self.order, self.probability)

    @property
    def numbers(self) -> dict[str, Any]:
        return {
            "good_auc": short(self.good_auc),
            "mcb": share(self.mcb),
            "of_loss": share(share_of_loss(self.ev["MCB"], self.ev["LogLoss"])),
            "factor": written(max(self.copc, 1 / self.copc), 2) if self.copc else "∞",
            "slope": written(self.slope, 2),
            "within": written(self._within),
            "auc": written(self.auc),
            "ne": written(self.ev["NE"]),
            "rate": share(self.ev.counts["prevalence"]),
        }

    @property
    def _within(self) -> float:
        return self.ev[_WITHIN] if _WITHIN in self.ev.labels else float("nan")

    def advice(self) -> list[str]:
        """Keys of what to do, the most important first."""
        keys = []
        low, high = self.surely
        if high < 0.5:
            keys.append("reversed")
        elif self.auc < 0.5 and not low >= 1 - self.good_auc:  # turned round, it could be good
            keys.append("perhaps reversed")
        if low <= 0.5 <= high and self.order == "weak":
            keys.append("chance")
        elif self.order == "weak" and self.auc >= 0.5:
            keys.append("order")
        if "COPC" in self.ev.undefined:
            keys.append("all zero")
        if self.ev["NE"] > 1 and self.probability != "right":
            keys.append("worse than the base rate")
        if self.probability == "off":
            if self.copc_off:
                keys.append("too low" if self.copc > 1 else "too high")
            if abs(self.slope - 1) > max(0.1, 2 * self.slope_error) and self.auc > 0.5:
                keys.append("too sharp" if self.slope < 1 else "too flat")
            keys.append("calibrate")
        elif self.probability == "open":
            keys.append("perhaps calibrate")
        elif self.p < 0.05:
            keys.append("immaterial")
        if self.case == "uninformative" and "reversed" not in keys and self.ev["NE"] > 1 - _ABOUT:
            keys.append("base rate")
        if self.auc - self._within > 0.05 and low > 0.5:
            keys.append("between groups")
        if self.order == "open":
            keys.append("unknown" if isnan(low) else "open" if low <= 0.5 else "unclear")
        return keys or ["keep"]

    def evidence(self) -> list[Evidence]:
        nan = float("nan")
        unc = {"unc": written(self.ev["UNC"])}
        no_copc = self.ev.undefined.get("COPC")

        def one(name: str, value: float, low: float, high: float, key: str) -> Evidence:
            return Evidence(name, value, low, high, _said(SAYINGS, key, unc))

        out = [
            one("AUC", self.auc, *self.interval, "AUC"),
            one("DSC / UNC", self.dsc, nan, nan, "DSC"),
            one("MCB / UNC", self.mcb, nan, nan, "MCB"),
            Evidence("COPC", self.copc, *self.copc_interval, no_copc or _said(SAYINGS, "COPC")),
            one("ECCE p", self.p, nan, nan, "ECCE"),
            one("LogLoss", self.ev["LogLoss"], *self.ev.interval("LogLoss"), "LogLoss"),
            one("NE", self.ev["NE"], *self.ev.interval("NE"), "NE"),
        ]
        if not isnan(self._within):
            out.insert(1, one("AUC in groups", self._within, *self.ev.interval(_WITHIN), "within"))
        return out


def share_of_loss(mcb: float, loss: float) -> float:
    """The part of LogLoss that the best probabilities in the same order would not have.

    At most 1: the rest, UNC - DSC, is the loss of those probabilities, which is never below 0. MCB over UNC has no such
    end: a model that is sure and wrong loses many times the uncertainty.
    """
    return min(mcb / loss, 1.0) if loss > 0 else 0.0


def _slope(s: Sample) -> tuple[float, float]:
    """How much too timid (above 1) or too extreme (below 1) the logits are, and its standard error by group.

    NaN where all probabilities are the same: there is no slope to tell, and everything else stands.
    """
    p = np.clip(s.probability, CLIP, 1 - CLIP)
    if p.min() == p.max():
        return float("nan"), float("nan")
    fitted = Platt.of_sums(Sums.of(s.label, s.probability, s.weight).in_bins(_MANY))  # which have the same slope
    x = np.stack([np.log(p / (1 - p)), np.ones(len(p))])
    q = fitted.apply(p)
    bread = np.linalg.pinv((x * s.weigh(q * (1 - q))) @ x.T)
    scores = np.stack([s.by_cluster(row) for row in x * s.weigh(s.label - q)])
    return fitted.a, float(np.sqrt((bread @ (scores @ scores.T) @ bread)[0, 0]))
