"""What holds lists and their judgements, as a record: whoever takes records takes the data as well."""

from __future__ import annotations

from typing import Any

from rankgauge._records import Record
from rankgauge._text import Text
from rankgauge.comparison.comparing import compare
from rankgauge.data.together import by_name, holds_both
from rankgauge.errors import ParameterError
from rankgauge.evaluation.of_rankings import RankingMeasures, evaluate

__all__ = ["as_record"]


def as_record(
    given: Any,
    measures: RankingMeasures = None,
    *,
    train: Any = None,
    items: Any = None,
    documents: Any = None,
    tokenizer: Any = None,
) -> Any:
    """An evaluation of what holds both sides, a comparison of several such; everything else as it is.

    >>> as_record({"q1": {"retrieved": ["d2", "d1"], "relevant": ["d1"]}}, "RR")["RR"]
    0.5
    """
    if by_name(given) is not None and not isinstance(given, Record):
        return compare(given, None, measures, train=train, items=items, documents=documents, tokenizer=tokenizer)
    if not isinstance(given, Record) and holds_both(given):
        return evaluate(given, None, measures, train=train, items=items, documents=documents, tokenizer=tokenizer)
    if any(x is not None for x in (train, items, documents, tokenizer)):
        told = ("train", "items") if documents is None and tokenizer is None else ("documents", "tokenizer")
        raise ParameterError(
            Text(
                f"{told[0]}= and {told[1]}= say how to evaluate, and this is evaluated already. Pass them to "
                "evaluate() or compare().",
                f"{told[0]}= 和 {told[1]}= 说明的是如何评测，而这里已经评测完毕。请把它们传入 evaluate() 或 "
                "compare()。",
            )
        )
    return given
