"""Measures of a training loop, batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

import numpy as np

from rankgauge._text import Text
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.policy_fields import check_policy, refuse_other_keywords
from rankgauge.evaluation.rankings.conventions import Convention
from rankgauge.evaluation.rankings.conventions import convention as convention_named
from rankgauge.evaluation.rankings.naming import DEFAULT_MEASURES, as_named, asks_for_budget, asks_for_shown
from rankgauge.evaluation.rankings.policy import Policy, PolicyWords
from rankgauge.statistics.intervals import check_level

if TYPE_CHECKING:
    from rankgauge.alignment.aligned import Aligned
    from rankgauge.evaluation.of_rankings import RankingMeasures
    from rankgauge.evaluation.rankings.record import RankingEvaluation

__all__ = ["Accumulator"]


class Accumulator:
    """How good are the scores of a model while it trains?

    `update` takes a batch, `compute` gives the evaluation of all rows so far: the record that `evaluate` gives for
    these rows, to the last bit. What is kept of a batch is as small as its targets.

    >>> import numpy as np
    >>> valid = Accumulator(["nDCG@2", "R@2"])
    >>> valid.update(np.array([[0.9, 0.1, 0.5], [0.2, 0.8, 0.3]], dtype=np.float32), [[0], [2]])
    >>> valid.update(np.array([[0.1, 0.2, 0.3]], dtype=np.float32), [[0, 2]], seen=[[1]])
    >>> ev = valid.compute()
    >>> ev["R@2"], len(valid)
    (1.0, 3)

    `measures`, `policy`, `convention`, `confidence_level` and the words of a policy are those of `evaluate`.
    """

    def __init__(
        self,
        measures: RankingMeasures = DEFAULT_MEASURES,
        *,
        policy: Policy | None = None,
        convention: str | Convention | None = None,
        confidence_level: float = 0.95,
        **words: Unpack[PolicyWords],
    ) -> None:
        check_level(confidence_level)
        refuse_other_keywords(type(self), words, Policy)
        check_policy(policy, Policy, "Accumulator")
        self._convention = convention_named(convention)
        self._policy = self._convention.applied(policy, **words)
        if self._policy.average == "weighted":
            raise ParameterError(
                Text(
                    "Accumulator() knows no weights: average must be 'macro' or 'micro', got 'weighted'.",
                    "Accumulator() 没有权重：average 必须是 'macro' 或 'micro'，实际为 'weighted'。",
                )
            )
        self._measures = tuple(as_named(DEFAULT_MEASURES if measures is None else measures, self._convention))
        if asks_for_shown(self._measures):
            label = next(label for label, m in self._measures if "shown" in m.needs)
            raise ParameterError(
                Text(
                    f"Accumulator() keeps no lists: measures must be about what is relevant, got {label}. Pass it to "
                    "evaluate().",
                    f"Accumulator() 不保留列表：指标必须只与相关性有关，实际为 {label}。请改用 evaluate()。",
                )
            )
        if label := asks_for_budget(self._measures):
            raise ParameterError(
                Text(
                    f"Accumulator() keeps no lists: a budget cannot be told, got {label}. Pass it to evaluate().",
                    f"Accumulator() 不保留列表，无法按预算截断，实际为 {label}。请改用 evaluate()。",
                )
            )
        self._level = confidence_level
        self._parts: list[Aligned] = []

    def update(
        self, scores: Any, targets: Any, *, seen: Any = None, as_: Literal["ids", "grades"] | None = None
    ) -> None:
        """Take a batch: scores[n_queries, n_items], and what is relevant in each row.

        `scores` are an array of NumPy or anything that speaks DLPack (a tensor of PyTorch on the CPU, an array of JAX).
        NaN is an item that is not shown; infinite scores rank first and last. Items are named by their columns, so that
        equal scores rank as `evaluate` ranks these ids.

        `targets` are numbers of columns: one for each row, a list for each row, or a matrix padded with negative
        numbers; or grades: a matrix of the shape of the scores (0 is judged and not relevant, NaN is not judged), or a
        sparse one, of which only what it stores is judged. A matrix of integers of the shape of the scores is one of
        grades unless `as_="ids"`.

        `seen` are items that are not to be shown: a mask of the shape of the scores, or columns as in `targets`.
        """
        from rankgauge.alignment.from_matrix import Targets, align_matrix
        from rankgauge.data.batch_arrays import entries_of, mask_of, scores_of

        values = scores_of(scores)
        shape = (values.shape[0], values.shape[1])
        judged = Targets(*entries_of(targets, shape, as_))
        if seen is not None:
            values[mask_of(seen, shape)] = np.nan
        if not len(values):
            return
        part = align_matrix(
            self._ids(len(self), shape[0]), values, judged, ties=self._policy.tie_order, single=self._policy.is_single
        )
        self._parts.append(part)

    def compute(self) -> RankingEvaluation:
        """The evaluation of all rows so far, which are numbered from 0; more batches may follow."""
        from rankgauge.alignment.joining import joined
        from rankgauge.evaluation.rankings.recording import evaluate_alignment

        if not self._parts:
            raise InputError(
                Text(
                    "compute() needs at least one row, got none. Call update(scores, targets) first.",
                    "compute() 至少需要一行数据，实际没有。请先调用 update(scores, targets)。",
                )
            )
        whole = joined(self._parts, np.arange(len(self)))
        highest = max(part.alignment.max_grade for part in self._parts)
        alignment = replace(whole.alignment, query_ids=self._ids(0, len(self)), max_grade=highest, _cache={})
        aligned = replace(whole, alignment=alignment)
        ev = evaluate_alignment(
            aligned, self._measures, self._policy, confidence_level=self._level, convention=self._convention.name
        )
        return replace(ev, run="scores", qrels="targets", aligned=aligned)

    def merge(self, *others: Accumulator) -> Self:
        """Take the rows of others, behind its own: those of other processes or other parts of a data set."""
        for other in others:
            if not isinstance(other, Accumulator) or self._asked != other._asked:
                raise ParameterError(
                    Text(
                        "merge() takes accumulators of the same measures, policy and convention.",
                        "merge() 只接受指标、策略和口径都相同的 Accumulator。",
                    )
                )
        self._parts = [*self._parts, *(part for other in others for part in other._parts)]
        return self

    def reset(self) -> None:
        """Forget all rows: a new epoch begins."""
        self._parts = []

    def __len__(self) -> int:
        """Rows so far."""
        return sum(len(part.missing) for part in self._parts)

    def __repr__(self) -> str:
        return f"Accumulator({[label for label, _ in self._measures]}, rows={len(self):,})"

    @property
    def _asked(self) -> tuple[Any, ...]:
        return self._measures, self._policy, self._convention.name, self._level

    @staticmethod
    def _ids(first: int, n: int) -> Sequence[str]:
        return [str(i) for i in range(first, first + n)]
