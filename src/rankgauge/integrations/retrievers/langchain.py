"""LangChain: retrievers and chains (`invoke`), vector stores (`similarity_search`).

A retriever knows itself how many documents it gives; a vector store is told. One that can only be asked asynchronously
is. Documents have an `id` (often None), their `metadata` and `page_content`. Only vector stores have scores, and those
of some are distances: the order counts.
"""

from __future__ import annotations

from typing import Any

from rankgauge.integrations.retrievers import Query, Retriever, has, name_of

__all__ = ["ORDER", "recognise"]

ORDER = 10


def recognise(given: Any) -> Retriever | None:
    """A vector store, or whatever can be invoked."""
    if has(given, "similarity_search", "as_retriever"):
        return Retriever(name_of(given), lambda query, k: given.similarity_search(query.text, k=k))
    if has(given, "invoke", "ainvoke", "batch"):

        def ask(query: Query, k: int) -> Any:
            try:
                return given.invoke(query.text)
            except NotImplementedError:
                return given.ainvoke(query.text)

        return Retriever(name_of(given), ask)
    return None
