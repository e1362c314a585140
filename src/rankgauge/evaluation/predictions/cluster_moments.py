"""How far can numbers be trusted when rows lie in parts: the second pass, which knows the totals of the first.

Each independent unit (a group, or a row where there are none) moves each number by its influence. The products of the
influences, summed over units, are the covariances of all numbers of all models: standard errors, and those of paired
differences. Group AUC and its like are ratios of sums over groups, which are made here as well.

All rows of a group must come in one update. Sums that become values are exact; products are rounded, so that the order
of parts may change the last digits of an interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.score_bins import ScoreBins
from rankgauge.alignment.segments import Array
from rankgauge.alignment.weighted_rows import Shares, units_left
from rankgauge.errors import ParameterError
from rankgauge.evaluation.predictions.packing import pack, unpack
from rankgauge.measures.predictions.base import PredictionMeasure
from rankgauge.measures.predictions.sums import CountedRows, OfSums, Terms
from rankgauge.statistics.exact_sums import CHUNK, exact_units, from_units

__all__ = ["ClusterMoments", "Influences"]

_MAGIC = b"RGCM\x02"
TALLIES = ("both", "rows_of_both", "won", "pairs")


@dataclass(frozen=True, eq=False)
class Influences:
    """How rows and groups move the numbers of one model: all that the second pass has to know of the first.

    It makes one line of values per unit for each of: the functions of sums, the tables, and twice for each measure of
    groups (what is divided, and by what).
    """

    scale: str
    kept: float | None
    sums: Sequence[OfSums] = ()
    """How numbers change with sums over rows."""
    bins: ScoreBins | None = None
    tables: Sequence[Array] = ()
    """By how much a row of weight 1 moves a number: for negatives of each bin, then for positives."""
    grouped: Sequence[PredictionMeasure] = ()
    table_of_won: Array | None = None
    """The pairs that a row wins, for pairs across groups."""
    n_positives: float = 0.0
    n_negatives: float = 0.0
    counted: Sequence[CountedRows] = ()
    """The rows that numbers rest on: what weights leave of them is asked."""
    _cache: dict[str, Any] = field(default_factory=dict)

    @property
    def lines(self) -> int:
        return len(self.sums) + len(self.tables) + 2 * len(self.grouped)

    def sample(self, label: Array, score: Array, weight: Array | None, group: Array | None, n_groups: int) -> Sample:
        return Sample(label, score, weight, group, n_groups, self.scale, self.kept)

    def values(self, s: Sample) -> tuple[list[Array], dict[str, int]]:
        """The lines for the units of some rows, and exact sums in units of 2^-1074."""
        terms = Terms(s)
        out = [found.clusters(s, terms) for found in self.sums]
        if self.tables:
            place = self._places(s)
            out += [s.by_cluster(s.weigh(table[place])) for table in self.tables]
        for m in self.grouped:
            out += m.lines(s, self)
        return out, self._tally(s)

    def shares(self, s: Sample) -> list[Shares]:
        """How weights share numbers among the units of some rows."""
        if s.weight is None:
            return [Shares() for _ in self.counted]
        weight, every = s.weight / (self.n_positives + self.n_negatives), np.ones(len(s))
        rows = [every if (found := c.of(s)) is None else found for c in self.counted]
        return [Shares.of(s.by_cluster(x * weight), s.by_cluster(x)) for x in rows]

    def won(self, s: Sample) -> Array:
        assert self.table_of_won is not None
        made: Array = self.table_of_won[self._places(s)]
        return made

    def _tally(self, s: Sample) -> dict[str, int]:
        if not any("groups" in m.needs for m in self.grouped):
            return {}
        p = s.pairs
        return {
            "both": int(p.both.sum()),
            "rows_of_both": int(p.rows[p.both].sum()),
            "won": exact_units(p.won),
            "pairs": exact_units(p.pairs),
        }

    def _places(self, s: Sample) -> Array:
        """Where each row stands in the tables: negatives of each bin, then positives."""
        assert self.bins is not None
        if "locator" not in self._cache:
            self._cache["locator"] = self.bins.locator()
        found: Array = self._cache["locator"](s.score) + np.where(s.label, len(self.bins), 0)
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_cache": {}}


class ClusterMoments:
    """Sums over units, and of products, for all models of one table."""

    def __init__(self, models: Sequence[Influences]) -> None:
        self.models = models
        lines = sum(model.lines for model in models)
        self.n = 0
        self.sums = [0] * lines
        self.products = np.zeros((lines, lines))
        self.tallies: list[dict[str, int]] = [dict.fromkeys(TALLIES, 0) for _ in models]
        self.shares = [[Shares() for _ in model.counted] for model in models]

    def update(
        self,
        label: Array,
        scores: Sequence[Array],
        weight: Array | None = None,
        group: Array | None = None,
        n_groups: int = 0,
    ) -> Self:
        """Takes in rows with the scores of each model; whole groups where there are groups."""
        if group is None:
            for start in range(0, len(label), CHUNK):
                part = slice(start, start + CHUNK)
                w = None if weight is None else weight[part]
                self._add(label[part], [s[part] for s in scores], w, None, 0)
        elif len(label):
            self._add(label, scores, weight, group, n_groups)
        return self

    def _add(
        self, label: Array, scores: Sequence[Array], weight: Array | None, group: Array | None, n_groups: int
    ) -> None:
        lines: list[Array] = []
        n = len(label) if group is None else int(np.count_nonzero(np.bincount(group, minlength=n_groups)))
        for i, (model, score, tally) in enumerate(zip(self.models, scores, self.tallies, strict=True)):
            sample = model.sample(label, score, weight, group, n_groups)
            found, tallied = model.values(sample)
            lines += found
            self.shares[i] = [a + b for a, b in zip(self.shares[i], model.shares(sample), strict=True)]
            for name, value in tallied.items():
                tally[name] += value
        self.n += n
        for i in self._become_values:
            self.sums[i] += exact_units(lines[i])
        if lines:
            all_lines = np.stack([np.broadcast_to(line, n) for line in lines])
            self.products += all_lines @ all_lines.T

    def __add__(self, other: ClusterMoments) -> ClusterMoments:
        if len(self.sums) != len(other.sums):
            raise ParameterError(
                Text(
                    f"moments to add must have as many lines, got {len(self.sums)} and {len(other.sums)}.",
                    f"要相加的矩必须行数相同，实际为 {len(self.sums)} 和 {len(other.sums)}。",
                )
            )
        out = ClusterMoments(self.models)
        out.n = self.n + other.n
        out.sums = [a + b for a, b in zip(self.sums, other.sums, strict=True)]
        out.products = self.products + other.products
        out.tallies = [{k: a[k] + b[k] for k in TALLIES} for a, b in zip(self.tallies, other.tallies, strict=True)]
        of_both = zip(self.shares, other.shares, strict=True)
        out.shares = [[a + b for a, b in zip(mine, theirs, strict=True)] for mine, theirs in of_both]
        return out

    def left(self, model: int, counted: Sequence[CountedRows]) -> float:
        """What weights leave of the units for a number that rests on these rows."""
        places = [self.models[model].counted.index(c) for c in counted]
        return units_left(self.n, max((self.shares[model][i].excess for i in places), default=0.0))

    def sum(self, line: int) -> float:
        return from_units(self.sums[line])

    @cached_property
    def starts(self) -> list[int]:
        """Where the lines of each model begin."""
        return [sum(model.lines for model in self.models[:i]) for i in range(len(self.models))]

    @cached_property
    def _become_values(self) -> list[int]:
        """The lines of measures of groups."""
        out: list[int] = []
        for start, model in zip(self.starts, self.models, strict=True):
            end = start + model.lines
            out += range(end - 2 * len(model.grouped), end)
        return out

    def to_bytes(self) -> bytes:
        """The sums as bytes, without the models."""
        header = {
            "n": self.n,
            "sums": [hex(x) for x in self.sums],
            "tallies": [{k: hex(v) for k, v in tally.items()} for tally in self.tallies],
        }
        shares = np.array([astuple(one) for of_model in self.shares for one in of_model]).reshape(-1, 4)
        return pack(_MAGIC, header, {"products": self.products, "shares": shares})

    @classmethod
    def from_bytes(cls, data: bytes, models: Sequence[Influences]) -> ClusterMoments:
        """What `to_bytes` wrote, for the same models."""
        header, arrays = unpack(_MAGIC, data, "ClusterMoments")
        out = cls(models)
        out.n, out.products = header["n"], arrays["products"]
        out.sums = [int(x, 16) for x in header["sums"]]
        out.tallies = [{k: int(v, 16) for k, v in tally.items()} for tally in header["tallies"]]
        shares = iter(Shares(*row) for row in arrays["shares"].tolist())
        out.shares = [[next(shares) for _ in model.counted] for model in models]
        return out
