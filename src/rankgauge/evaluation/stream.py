"""How good are predictions that arrive in pieces or lie on many machines?

A state takes rows as they come, states add up, and the result is that of all rows together: AUC, PRAUC and KS
with guaranteed bounds, LogLoss, NE, Brier and COPC exactly.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rankgauge._output import writing
from rankgauge._show import show
from rankgauge.alignment.bracket import Bracket
from rankgauge.alignment.exact import CHUNK, ExactSums, exact_units
from rankgauge.alignment.sample import sigmoid
from rankgauge.alignment.score_bins import MANTISSA_BITS, ScoreBins
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.stream_rows import Rows, checked, same_coding
from rankgauge.measures.predictions.loss import clipped_rows, entropy, log_losses

__all__ = ["Bracket", "PredictionState", "StreamResult"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_SCALES = ("probability", "logit", None)
_COUNTS = ("rows", "zero_weight_rows", "outside_rows", "clipped_rows")
# Each row gives one float64 term per sum; the terms are added without rounding, as whole multiples of 2^-1074 in
# a Python integer. Integers can be added in any order, so shards need no agreement on anything.
_SUMS = ("loss", "clipped_loss", "predicted", "squared_error")
_FORMAT = "rankgauge.PredictionState"
_MAGIC = b"RGPS\x01"
_PROBABILITY_MEASURES = ("LogLoss", "NE", "Brier", "COPC")
_NAN = float("nan")


@dataclass(frozen=True)
class StreamResult:
    """What the rows seen so far say.

    `undefined` holds the reason for each value that is NaN. `positives` and `negatives` are sums of weights,
    `rows` counts rows of positive weight. `copc` is actual over predicted clicks: above 1 means predicted too low.
    """

    rows: int
    zero_weight_rows: int
    positives: float
    negatives: float
    prevalence: float
    auc: Bracket
    prauc: Bracket
    ks: Bracket
    logloss: float
    ne: float
    brier: float
    copc: float
    clipped_rows: int
    clipped_share: float
    labels: str
    undefined: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [("rows", f"{self.rows:,}, positives {self.positives:,.12g} ({self.prevalence:.4%})")]
        if self.zero_weight_rows:
            lines.append(("", f"{self.zero_weight_rows:,} rows of weight 0 left out"))
        for name, bracket in (("AUC", self.auc), ("PRAUC", self.prauc), ("KS", self.ks)):
            lines.append((name, self._reason(name) or _bounds(bracket)))
        for name, value in zip(_PROBABILITY_MEASURES, (self.logloss, self.ne, self.brier, self.copc), strict=True):
            lines.append((name, self._reason(name) or f"{value:.6f}{self._remark(name)}"))
        return "\n".join(f"{name:<9}{text}" for name, text in lines)

    def _reason(self, name: str) -> str:
        return f"undefined: {self.undefined[name]}" if name in self.undefined else ""

    def _remark(self, name: str) -> str:
        if name == "COPC":
            return "  actual / predicted"
        if name == "LogLoss" and self.clipped_rows:
            return f"  {self.clipped_rows:,} rows clipped, {self.clipped_share:.2%} of the loss"
        return ""


def _bounds(bracket: Bracket) -> str:
    if bracket.is_exact:
        return f"{bracket.value:.6f} exact"
    half = bracket.half_width
    return f"{bracket.value:.6f} ± {f'{half:.6f}' if half >= 1e-6 else f'{half:.1e}'} guaranteed"


class PredictionState:
    """Labels and scores, summed up so that pieces can be added.

    `update` takes rows into this state and returns it; `merge`, like `a + b`, returns a new state and leaves both
    as they were. Any split of the rows and any order of merging gives the same state, equal to the last bit, with
    weights too. (The logarithm of one row may differ in its last bit between processors.)

    `scale` says what a score is: a "probability", a "logit", or None for a score that only ranks, which leaves
    LogLoss, NE, Brier and COPC undefined. Labels are 0/1, bool or -1/1. Scores may be anything but NaN.

    >>> state = PredictionState().update([1, 0], [0.2, 0.3])
    >>> round(state.result().ne, 5)
    1.41825
    """

    def __init__(self, scale: str | None = "probability", mantissa_bits: int = MANTISSA_BITS) -> None:
        if scale not in _SCALES:
            raise ParameterError(f"`scale` must be 'probability', 'logit' or None, got {show(scale)}.")
        self.scale = scale
        self._bins = ScoreBins(mantissa_bits)
        self._counts = dict.fromkeys(_COUNTS, 0)
        self._sums = dict.fromkeys(_SUMS, 0)
        self._negative_label: int | None = None

    @property
    def mantissa_bits(self) -> int:
        return self._bins.mantissa_bits

    @property
    def rows(self) -> int:
        """Rows of positive weight."""
        return self._counts["rows"]

    def update(self, label: Any, score: Any, weight: Any = None) -> Self:
        """Takes in rows; when they are refused, the state is as before."""
        rows = checked(label, score, weight)
        negative_label = same_coding(self._negative_label, rows.negative_label)
        self._bins.update(rows.positive, rows.score, rows.weight)
        self._negative_label = negative_label
        used = len(rows.score) if rows.weight is None else int(np.count_nonzero(rows.weight))
        self._counts["rows"] += used
        self._counts["zero_weight_rows"] += len(rows.score) - used
        if self.scale is not None:
            for start in range(0, len(rows.score), CHUNK):
                self._add_losses(Rows(*(_part(column, start) for column in rows)))
        return self

    def _add_losses(self, rows: Rows) -> None:
        assert self.scale is not None
        p, positive, weight = rows.score.astype(np.float64), rows.positive, rows.weight
        if weight is not None and not weight.all():
            kept = weight > 0
            p, positive, weight = p[kept], positive[kept], weight[kept]
        if self.scale == "probability" and len(p) and not (p.min() >= 0 and p.max() <= 1):
            kept = (p >= 0) & (p <= 1)
            self._counts["outside_rows"] += len(p) - int(kept.sum())
            p, positive, weight = p[kept], positive[kept], None if weight is None else weight[kept]
        if not len(p):
            return
        loss, clipped = log_losses(positive, p, self.scale), clipped_rows(p, self.scale)
        p = sigmoid(p) if self.scale == "logit" else p
        error = (p - positive) ** 2
        if weight is not None:
            loss, p, error = loss * weight, p * weight, error * weight
        for name, terms in (("loss", loss), ("predicted", p), ("squared_error", error)):
            self._sums[name] += exact_units(terms)
        if len(clipped):
            self._counts["clipped_rows"] += len(clipped)
            self._sums["clipped_loss"] += exact_units(loss[clipped])

    def merge(self, other: PredictionState) -> PredictionState:
        """The state of the rows of both."""
        if self.scale != other.scale:
            raise ParameterError(
                f"states to merge must have the same `scale`, got {show(self.scale)} and {show(other.scale)}. "
                "Build all shards with one value."
            )
        out = PredictionState(self.scale, self.mantissa_bits)
        out._negative_label = same_coding(self._negative_label, other._negative_label)
        out._bins = self._bins + other._bins
        out._counts = {name: self._counts[name] + other._counts[name] for name in _COUNTS}
        out._sums = {name: self._sums[name] + other._sums[name] for name in _SUMS}
        return out

    def __add__(self, other: PredictionState) -> PredictionState:
        return self.merge(other) if isinstance(other, PredictionState) else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PredictionState):
            return NotImplemented
        return (
            self.scale == other.scale
            and self._negative_label == other._negative_label
            and self._counts == other._counts
            and self._sums == other._sums
            and self._bins == other._bins
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"PredictionState(scale={self.scale!r}, mantissa_bits={self.mantissa_bits}, rows={self.rows})"

    def result(self) -> StreamResult:
        """The measures of all rows seen so far."""
        negatives, positives = self._bins.sums.units()
        total = negatives + positives
        undefined = self._undefined(positives, negatives)

        def ratio(name: str, above: int, below: int) -> float:
            return _NAN if name in undefined else above / below

        logloss = ratio("LogLoss", self._sums["loss"], total)
        auc, prauc, ks = self._bins.auc(), self._bins.prauc(), self._bins.ks()
        weights = self._bins.totals()
        return StreamResult(
            rows=self.rows,
            zero_weight_rows=self._counts["zero_weight_rows"],
            positives=weights[1],
            negatives=weights[0],
            prevalence=ratio("prevalence", positives, total),
            auc=auc,
            prauc=prauc,
            ks=ks,
            logloss=logloss,
            ne=_NAN if "NE" in undefined else logloss / entropy(positives / total),
            brier=ratio("Brier", self._sums["squared_error"], total),
            copc=ratio("COPC", positives, self._sums["predicted"]),
            clipped_rows=self._counts["clipped_rows"],
            clipped_share=ratio("clipped_share", self._sums["clipped_loss"], self._sums["loss"]),
            labels="-1/1" if self._negative_label == -1 else "0/1",
            undefined=undefined,
        )

    def _undefined(self, positives: int, negatives: int) -> dict[str, str]:
        reasons: dict[str, str] = {}
        if not positives + negatives:
            names = ("prevalence", "AUC", "PRAUC", "KS", *_PROBABILITY_MEASURES, "clipped_share")
            return dict.fromkeys(names, "no rows")
        one_class = "" if positives and negatives else f"all labels are {'positive' if positives else 'negative'}"
        if one_class:
            reasons |= dict.fromkeys(("AUC", "PRAUC", "KS"), one_class)
        if self.scale is None:
            reason = "scores that only rank (scale=None) are not probabilities"
            return reasons | dict.fromkeys((*_PROBABILITY_MEASURES, "clipped_share"), reason)
        if outside := self._counts["outside_rows"]:
            reason = f"{outside:,} of {self.rows:,} scores are outside [0, 1]; are they logits (scale='logit')?"
            return reasons | dict.fromkeys((*_PROBABILITY_MEASURES, "clipped_share"), reason)
        rate = positives / (positives + negatives)
        if rate in (0.0, 1.0):
            reasons["NE"] = f"the base rate is {rate:g}: there is nothing to be uncertain about"
        if not self._sums["predicted"]:
            reasons["COPC"] = "the predictions add up to 0"
        return reasons

    def to_dict(self) -> dict[str, Any]:
        """The state in values that JSON knows; numbers that JSON could round are text."""
        bins = self._bins
        return self._header() | {
            "ids": bins.ids.tolist(),
            "digits": bins.sums.digits.tolist(),
            "least": [x.hex() for x in bins.least.tolist()],
            "greatest": [x.hex() for x in bins.greatest.tolist()],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> PredictionState:
        """The state that `to_dict` wrote."""
        try:
            ids = np.array(data["ids"], dtype=np.int64)
            digits = np.array(data["digits"], dtype=np.int64).reshape(len(data["digits"]), 2, len(ids))
            least, greatest = (np.array([float.fromhex(x) for x in data[name]]) for name in ("least", "greatest"))
            return cls._rebuilt(data, ids, digits, least, greatest)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise _unreadable("from_dict()", error) from error

    def to_bytes(self) -> bytes:
        """The state as bytes, the same on every machine; equal states give equal bytes."""
        bins = self._bins
        header = self._header() | {"bins": len(bins), "levels": len(bins.sums.digits)}
        text = json.dumps(header, sort_keys=True).encode()
        arrays = (
            bins.ids.astype("<i8"),
            bins.sums.digits.astype("<i8"),
            bins.least.astype("<f8"),
            bins.greatest.astype("<f8"),
        )
        return b"".join([_MAGIC, len(text).to_bytes(4, "little"), text, *(a.tobytes() for a in arrays)])

    @classmethod
    def from_bytes(cls, data: bytes) -> PredictionState:
        """The state that `to_bytes` wrote. Nothing in it is executed."""
        try:
            if data[: len(_MAGIC)] != _MAGIC:
                raise ValueError("the first bytes are not those of a state")
            start = len(_MAGIC) + 4
            end = start + int.from_bytes(data[len(_MAGIC) : start], "little")
            header = json.loads(data[start:end])
            n, levels = int(header["bins"]), int(header["levels"])
            if n < 0 or levels < 1 or len(data) - end != 8 * n * (3 + 2 * levels):
                raise ValueError("it is cut off or too long")
            numbers = np.frombuffer(data, dtype="<i8", offset=end).astype(np.int64)
            ids, digits, ends = np.split(numbers, [n, n + 2 * n * levels])
            least, greatest = np.frombuffer(ends.tobytes(), dtype=np.float64).reshape(2, n).copy()
            return cls._rebuilt(header, ids, digits.reshape(levels, 2, n), least, greatest)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise _unreadable("from_bytes()", error) from error

    def save(self, path: str | Path) -> None:
        """Writes `to_bytes()` to a file."""
        with writing(Path(path)) as file:
            file.write(self.to_bytes())

    @classmethod
    def load(cls, path: str | Path) -> PredictionState:
        """Reads a file that `save` wrote."""
        return cls.from_bytes(Path(path).read_bytes())

    def _header(self) -> dict[str, Any]:
        return {
            "format": _FORMAT,
            "version": 1,
            "scale": self.scale,
            "mantissa_bits": self.mantissa_bits,
            "negative_label": self._negative_label,
            "lowest": self._bins.sums.lowest,
            "whole": self._bins.whole,
            "counts": dict(self._counts),
            "sums": {name: hex(value) for name, value in self._sums.items()},
        }

    @classmethod
    def _rebuilt(
        cls, header: dict[str, Any], ids: NDArray[np.int64], digits: NDArray[np.int64], least: Floats, greatest: Floats
    ) -> PredictionState:
        if header["format"] != _FORMAT or header["version"] != 1:
            raise ValueError(f"it says {show(header['format'])}, version {show(header['version'])}")
        if not len(ids) == len(least) == len(greatest) or (np.diff(ids) <= 0).any() or not (least <= greatest).all():
            raise ValueError("its bins are not in order")
        if (digits < 0).any() or header["negative_label"] not in (None, 0, -1):
            raise ValueError("its counts or labels are not possible")
        if not -30 <= header["lowest"] <= 0 < header["lowest"] + len(digits):
            raise ValueError("its digits are not placed")
        out = cls(header["scale"], header["mantissa_bits"])
        out._negative_label = header["negative_label"]
        out._counts = {name: int(header["counts"][name]) for name in _COUNTS}
        out._sums = {name: int(header["sums"][name], 16) for name in _SUMS}
        out._bins.ids, out._bins.least, out._bins.greatest = ids, least, greatest
        out._bins.sums, out._bins.whole = ExactSums(int(header["lowest"]), digits), bool(header["whole"])
        return out


def _unreadable(where: str, error: Exception) -> InputError:
    return InputError(f"{where} needs what a PredictionState wrote, got something else: {error}.")


def _part(column: Any, start: int) -> Any:
    return column[start : start + CHUNK] if isinstance(column, np.ndarray) else column
