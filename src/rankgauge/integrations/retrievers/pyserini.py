"""Pyserini: searchers, sparse or dense, whose hits have `docid` and `score`."""

from __future__ import annotations

from typing import Any

from rankgauge.integrations.retrievers import Query, Retriever, has, name_of

__all__ = ["ORDER", "recognise"]

ORDER = 50


def recognise(given: Any) -> Retriever | None:
    """A searcher."""
    if not has(given, "search", "batch_search"):
        return None

    def ask(query: Query, k: int) -> Any:
        return [(hit.docid, float(hit.score)) for hit in given.search(query.text, k=k)]

    return Retriever(name_of(given), ask)
