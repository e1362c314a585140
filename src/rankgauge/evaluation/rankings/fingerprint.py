"""Are two evaluations about the same thing? Short digests of what they rest on.

Stored with every evaluation: the queries, the judgements, the policy. Two numbers may be compared when these agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rankgauge.data import Qrels

__all__ = ["of_judgements", "of_queries"]

_LENGTH = 16


def of_queries(query_ids: Iterable[str]) -> str:
    """Of the set of queries, whatever their order."""
    return _digest(sorted(query_ids))


def of_judgements(qrels: Qrels) -> str:
    """Of all judgements, whatever their order and the form they came in."""
    frame = qrels.to_frame()
    columns: list[list[Any]] = [frame.get_column(c).to_list() for c in ("query_id", "doc_id", "grade")]
    return _digest(sorted(f"{q}\t{d}\t{g!r}" for q, d, g in zip(*columns, strict=True)))


def _digest(lines: Iterable[str]) -> str:
    from hashlib import sha256  # a few milliseconds that only stored evaluations pay

    return sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]
