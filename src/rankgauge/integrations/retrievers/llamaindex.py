"""LlamaIndex: retrievers (`retrieve`), and indexes, of which a retriever of k results is made.

Nodes go by `node_id`, which names a chunk; `id="ref_doc_id"` names the document that it was cut from.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from rankgauge.integrations.retrievers import Query, Retriever, has, name_of

__all__ = ["ORDER", "recognise"]

ORDER = 20


def recognise(given: Any) -> Retriever | None:
    """A retriever, or an index."""
    if has(given, "retrieve", "aretrieve"):

        def ask(query: Query, k: int) -> Any:
            return given.retrieve(query.text)

        return Retriever(name_of(given), ask)
    if has(given, "as_retriever", "as_query_engine"):
        of_k = cache(lambda k: given.as_retriever(similarity_top_k=k))
        return Retriever(name_of(given), lambda query, k: of_k(k).retrieve(query.text))
    return None
