"""Elasticsearch and OpenSearch: `(client, "index")`, or `(client, "index", query)` with a query of one's own.

The query is a body in which `"{query}"` stands for the words that are asked, or a function `text → body`; without one
all fields are searched. Hits go by `_id`, and bring their source along unless the body says `"_source": false`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from rankgauge.integrations.retrievers import Query, Retriever, has

__all__ = ["ORDER", "recognise"]

ORDER = 60
_PLACE = "{query}"
_ALL_FIELDS = {"query": {"multi_match": {"query": _PLACE}}}


def recognise(given: Any) -> Retriever | None:
    """A client with the index to search, and perhaps how."""
    if not isinstance(given, (tuple, list)) or not 2 <= len(given) <= 3 or not isinstance(given[1], str):
        return None
    client, index, *rest = given
    if not has(client, "search", "index") or not hasattr(client, "indices"):
        return None
    body = rest[0] if rest else _ALL_FIELDS
    made: Callable[[str], Any] = body if callable(body) else lambda text: _filled(body, text)

    def ask(query: Query, k: int) -> Any:
        return client.search(index=index, body={"size": k, **made(query.text)})

    return Retriever(index, ask, ask if _is_asynchronous(client) else None)


def _is_asynchronous(client: Any) -> bool:
    """Its methods are decorated and do not look so, but what they all go through does."""
    through = getattr(getattr(client, "transport", None), "perform_request", None)
    return inspect.iscoroutinefunction(through)


def _filled(template: Any, text: str) -> Any:
    """The template with the words in their place."""
    if isinstance(template, str):
        return template.replace(_PLACE, text)
    if isinstance(template, Mapping):
        return {key: _filled(value, text) for key, value in template.items()}
    if isinstance(template, (list, tuple)):
        return [_filled(value, text) for value in template]
    return template
