"""How good are predictions that arrive in pieces or lie on many machines?

A state takes rows as they come, states add up, and the result is that of all rows together: functions of sums such as
LogLoss and NE exactly, what depends on the order of rows between guaranteed bounds.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Self
from zlib import crc32

import numpy as np

from rankgauge._checks import one_of
from rankgauge._output import writing
from rankgauge._piped import path_of
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._version import __version__
from rankgauge.alignment.score_bins import MANTISSA_BITS
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.policy_fields import fields_of
from rankgauge.evaluation.predictions.asking import OfPredictions, wanted_measures
from rankgauge.evaluation.predictions.packing import reason_of
from rankgauge.evaluation.predictions.piecewise import estimate_of, first
from rankgauge.evaluation.predictions.policy import PredictionPolicy
from rankgauge.evaluation.predictions.record import PredictionEvaluation, counts_of
from rankgauge.evaluation.predictions.row_totals import RowTotals
from rankgauge.evaluation.predictions.state_rows import checked, same_coding
from rankgauge.evaluation.predictions.totals_plan import TotalsPlan
from rankgauge.statistics.exact_sums import ExactSums

__all__ = ["PredictionState"]

FIRST = ("AUC", "PRAUC", "KS", "LogLoss", "NE", "Brier", "COPC")
"""What a state says unless it was made for other measures."""

_SCALES = [word for word in fields_of(PredictionPolicy)["scale"].choices if word != "auto"]  # rows are not kept to see
_FORMAT = "rankgauge.PredictionState"
_MAGIC, _MAGIC_1 = b"RGPS\x02", b"RGPS\x01"
_NO_ROWS_KEPT = Text(
    "from a state, which keeps no rows: there are no intervals, and what depends on the order of all rows is certain "
    "within the bounds given beside it",
    "由累加状态得到，不保留逐行数据：没有区间；依赖全部行排序的数，其确定的上下界一并给出",
)
_MINUS_ONE = Text("labels -1/1: -1 read as 0", "标签为 -1/1：-1 读作 0")


class PredictionState:
    """Labels and scores, summed up so that pieces can be added.

    `update` takes rows into this state and returns it; `merge`, like `a + b`, returns a new state and leaves both
    as they were. Any split of the rows and any order of merging gives the same state, equal to the last bit, with
    weights too. (The logarithm of one row may differ in its last bit between processors.)

    `scale` says what a score is: a "probability", a "logit", or a "score" that only ranks, which leaves LogLoss, NE,
    Brier and COPC undefined. Labels are 0/1, bool or -1/1. Scores may be anything but NaN. `measures` says what the
    state is for: those at a threshold, ECE, MCE and ECCE are added up only where they are named.

    >>> state = PredictionState().update([1, 0], [0.2, 0.3])
    >>> round(state.result()["NE"], 5)
    1.41825
    """

    def __init__(
        self,
        scale: str | None = "probability",
        mantissa_bits: int = MANTISSA_BITS,
        *,
        measures: OfPredictions | Iterable[OfPredictions] = FIRST,
    ) -> None:
        scale = one_of("scale", "score" if scale is None else scale, _SCALES)
        asked = wanted_measures(measures)
        self.measures = tuple(label for label, _ in asked)
        plan = TotalsPlan.of([m for _, m in asked], scale, None, has_groups=False)
        self.totals = RowTotals(replace(plan, mantissa_bits=mantissa_bits))
        self.zero_weight_rows = 0
        self._negative_label: int | None = None

    @property
    def scale(self) -> str:
        return self.totals.plan.scale

    @property
    def mantissa_bits(self) -> int:
        return self.totals.plan.mantissa_bits

    @property
    def rows(self) -> int:
        """Rows of positive weight."""
        return len(self.totals)

    def update(self, label: Any, score: Any, weight: Any = None) -> Self:
        """Takes in rows; when they are refused, the state is as before."""
        rows = checked(label, score, weight)
        self._negative_label = same_coding(self._negative_label, rows.negative_label)
        positive, scores, weights = rows.positive, rows.score.astype(np.float64), rows.weight
        if weights is not None and not weights.all():
            kept = weights > 0
            positive, scores, weights = positive[kept], scores[kept], weights[kept]
            self.zero_weight_rows += len(rows.score) - len(scores)
        self.totals.update(positive, scores, weights)
        return self

    def merge(self, other: PredictionState) -> PredictionState:
        """The state of the rows of both."""
        for word in ("scale", "mantissa_bits", "measures"):
            mine, theirs = getattr(self, word), getattr(other, word)
            if mine != theirs:
                raise ParameterError(
                    Text(
                        f"states to merge must have the same `{word}`, got {show(mine)} and {show(theirs)}. "
                        "Build all shards with one value.",
                        f"要合并的状态必须有相同的 `{word}`，实际为 {show(mine)} 和 {show(theirs)}。"
                        "请用同一个值构建所有分片。",
                    )
                )
        out = PredictionState(self.scale, self.mantissa_bits, measures=self.measures)
        out._negative_label = same_coding(self._negative_label, other._negative_label)
        out.zero_weight_rows = self.zero_weight_rows + other.zero_weight_rows
        out.totals = self.totals + other.totals
        return out

    def __add__(self, other: PredictionState) -> PredictionState:
        return self.merge(other) if isinstance(other, PredictionState) else NotImplemented

    def __eq__(self, other: object) -> bool:
        return self.to_bytes() == other.to_bytes() if isinstance(other, PredictionState) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"PredictionState(scale={self.scale!r}, mantissa_bits={self.mantissa_bits}, rows={self.rows})"

    def result(self, measures: OfPredictions | Iterable[OfPredictions] | None = None) -> PredictionEvaluation:
        """The measures of all rows seen so far: those that the state was made for, or others."""
        t, asked = self.totals, wanted_measures(self.measures if measures is None else measures)
        return PredictionEvaluation(
            columns=[estimate_of(first(label, m, t, is_last=True), len(t)) for label, m in asked],
            policy=PredictionPolicy(t.scale, weight="weight" if t.weighted else ""),
            counts=counts_of(t, None, self.zero_weight_rows),
            remarks=((_MINUS_ONE,) if self._negative_label == -1 else ()) + (_NO_ROWS_KEPT,),
            version=__version__,
        )

    # bytes

    def to_bytes(self) -> bytes:
        """The state as bytes, the same on every machine; equal states give equal bytes."""
        header = {
            "measures": self.measures,
            "negative_label": self._negative_label,
            "zero_weight_rows": self.zero_weight_rows,
        }
        text = json.dumps(header).encode()
        content = b"".join([len(text).to_bytes(4, "little"), text, self.totals.to_bytes()])
        return b"".join([_MAGIC, crc32(content).to_bytes(4, "little"), content])

    @classmethod
    def from_bytes(cls, data: bytes) -> PredictionState:
        """The state that `to_bytes` wrote, of this version or an earlier one. Nothing in it is executed."""
        try:
            magic, content = data[: len(_MAGIC)], data[len(_MAGIC) :]
            if magic not in (_MAGIC, _MAGIC_1):
                raise ValueError(Text("the first bytes are not those of a state", "开头的字节不是状态的"))
            if magic == _MAGIC:
                check, content = int.from_bytes(content[:4], "little"), content[4:]
                if crc32(content) != check:
                    raise ValueError(Text("the bytes are not those that were stored", "字节与存储时不同"))
            end = 4 + int.from_bytes(content[:4], "little")
            header, rest = json.loads(content[4:end]), content[end:]
            if magic == _MAGIC_1:
                return cls._of_version_1(header, *_arrays_of_version_1(header, rest))
            out = cls(measures=header["measures"])
            out._negative_label, out.zero_weight_rows = header["negative_label"], int(header["zero_weight_rows"])
            out.totals = RowTotals.from_bytes(rest)
            return out
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise _unreadable("from_bytes()", error) from error

    def to_dict(self) -> dict[str, Any]:
        """The state in values that JSON knows: what `to_bytes` gives, as text."""
        return {"format": _FORMAT, "version": 2, "bytes": b64encode(self.to_bytes()).decode()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> PredictionState:
        """The state that `to_dict` wrote, of this version or an earlier one."""
        try:
            if data["version"] == 2:
                return cls.from_bytes(b64decode(data["bytes"]))
            ids = np.array(data["ids"], dtype=np.int64)
            digits = np.array(data["digits"], dtype=np.int64).reshape(len(data["digits"]), 2, len(ids))
            ends = np.array([[float.fromhex(x) for x in data[name]] for name in ("least", "greatest")])
            return cls._of_version_1(data, ids, digits, ends)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise _unreadable("from_dict()", error) from error

    def save(self, path: str | Path) -> None:
        """Writes `to_bytes()` to a file."""
        with writing(Path(path)) as file:
            file.write(self.to_bytes())

    @classmethod
    def load(cls, path: str | Path) -> PredictionState:
        """Reads a file that `save` wrote."""
        return cls.from_bytes(path_of(path).read_bytes())

    @classmethod
    def _of_version_1(cls, header: Mapping[str, Any], ids: Any, digits: Any, ends: Any) -> PredictionState:
        """Bins without what was predicted in them, and sums under other names: a state for `FIRST`."""
        if header["format"] != _FORMAT or header["version"] != 1:
            raise ValueError(
                Text(
                    f"it says {show(header['format'])}, version {show(header['version'])}",
                    f"其中写的是 {show(header['format'])}，版本 {show(header['version'])}",
                )
            )
        out = cls(header["scale"], header["mantissa_bits"])
        out._negative_label = header["negative_label"]
        counts, sums, t = header["counts"], header["sums"], out.totals
        out.zero_weight_rows = int(counts["zero_weight_rows"])
        b = t.bins
        b.ids, b.whole, b.sums = ids, bool(header["whole"]), ExactSums(int(header["lowest"]), digits)
        b.least, b.greatest = ends
        t.counts |= {"rows": int(counts["rows"]), "clipped_rows": int(counts["clipped_rows"])}
        t.counts["outside"] = int(counts["outside_rows"])
        negatives, positives = b.sums.units()
        t.units |= {"weight": negatives + positives, "positive": positives}
        t.units |= {"squared": int(sums["squared_error"], 16)}
        t.units |= {name: int(sums[name], 16) for name in ("loss", "clipped_loss", "predicted")}
        t.weighted = not b.whole
        if len(ids):
            t.low, t.high = float(b.least[0]), float(b.greatest[-1])
        t.settle()
        return out


def _arrays_of_version_1(header: Mapping[str, Any], data: bytes) -> tuple[Any, Any, Any]:
    n, levels = int(header["bins"]), int(header["levels"])
    if n < 0 or levels < 1 or len(data) != 8 * n * (3 + 2 * levels):
        raise ValueError(Text("it is cut off or too long", "内容不完整或过长"))
    numbers = np.frombuffer(data, dtype="<i8").astype(np.int64)
    ids, digits, ends = np.split(numbers, [n, n + 2 * n * levels])
    return ids, digits.reshape(levels, 2, n), ends.view(np.float64).reshape(2, n)


def _unreadable(where: str, error: Exception) -> InputError:
    return InputError(
        Text(
            f"{where} needs what a PredictionState wrote, got something else: {reason_of(error)}.",
            f"{where} 需要 PredictionState 写出的内容，实际不是：{zh(reason_of(error))}。",
        )
    )
