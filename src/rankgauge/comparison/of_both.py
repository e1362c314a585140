"""What holds lists and their judgements, as a record: whoever takes records takes the data as well."""

from __future__ import annotations

from typing import Any

from rankgauge._records import Record
from rankgauge.comparison.comparing import compare
from rankgauge.data.together import by_name, holds_both
from rankgauge.evaluation.of_rankings import RankingMeasures, evaluate

__all__ = ["as_record"]


def as_record(given: Any, measures: RankingMeasures = None) -> Any:
    """An evaluation of what holds both sides, a comparison of several such; everything else as it is.

    >>> as_record({"q1": {"retrieved": ["d2", "d1"], "relevant": ["d1"]}}, "RR")["RR"]
    0.5
    """
    if isinstance(given, Record):
        return given
    if by_name(given) is not None:
        return compare(given, None, measures)
    return evaluate(given, None, measures) if holds_both(given) else given
