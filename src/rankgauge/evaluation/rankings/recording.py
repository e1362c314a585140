"""From what was measured to the record of an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack

import numpy as np

from rankgauge._version import __version__
from rankgauge.alignment.aligned import Aligned
from rankgauge.data.activity import Activity
from rankgauge.data.slices import query_attributes, query_weights
from rankgauge.evaluation.counts import LONGEST
from rankgauge.evaluation.rankings.measuring import Measured, counts_of, measured, refuse
from rankgauge.evaluation.rankings.naming import Named
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.suspicion import suspicions_of_measures, suspicions_of_tally

__all__ = ["RecordOptions", "evaluate_alignment", "evaluation_of"]


class RecordOptions(TypedDict, total=False):
    """What a record says beside what was measured: the keywords of `evaluation_of`."""

    weights: Any
    slices: Any
    confidence_level: float
    convention: str


def evaluate_alignment(
    aligned: Aligned, wanted: Sequence[Named], policy: Policy, **about: Unpack[RecordOptions]
) -> RankingEvaluation:
    """The measures of one alignment under one policy."""
    return evaluation_of(measured(aligned, wanted, policy), policy, **about)


def evaluation_of(
    found: Measured,
    policy: Policy,
    *,
    weights: Any = None,
    slices: Any = None,
    confidence_level: float = 0.95,
    convention: str = "rankgauge",
) -> RankingEvaluation:
    """The record of what was measured, once nothing in it is an error."""
    refuse(policy, found.tally, [found.query_ids[i] for i in np.flatnonzero(found.missing).tolist()])
    attributes, notes = query_attributes(slices, found.query_ids)
    ev = RankingEvaluation(
        columns=found.columns,
        query_ids=found.query_ids,
        policy=policy,
        counts=counts_of(found.tally, [c.measure for c in found.columns], policy),
        convention=convention,
        confidence_level=confidence_level,
        weights=None if weights is None else query_weights(weights, found.query_ids),
        attributes=attributes,
        activity=slices if isinstance(slices, Activity) else None,
        remarks=notes,
        version=__version__,
        lengths=found.lengths,
        longest=found.tally[LONGEST],
    )
    of_measures = suspicions_of_measures(ev, found.tally)
    return replace(ev, suspected=(*suspicions_of_tally(found.tally, policy.missing), *of_measures))
