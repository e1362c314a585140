"""PyTerrier: a transformer of queries to results, asked by `search` with the id and the text of a query."""

from __future__ import annotations

from typing import Any

from rankgauge.integrations.retrievers import Query, Retriever, has, name_of

__all__ = ["ORDER", "recognise"]

ORDER = 40


def recognise(given: Any) -> Retriever | None:
    """A transformer."""
    if not has(given, "search", "transform", "transform_iter"):
        return None

    def ask(query: Query, k: int) -> Any:
        found = given.search(query.text, qid=query.id)
        return found[["docno", "score"]].to_dict("records")

    return Retriever(name_of(given), ask)
