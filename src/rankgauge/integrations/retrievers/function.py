"""Any function `query → results`, synchronous or not; it is told `k` where it has a parameter of that name."""

from __future__ import annotations

import inspect
from typing import Any

from rankgauge.integrations.retrievers import Query, Retriever, name_of

__all__ = ["ORDER", "recognise"]

ORDER = 100  # after all that can be called as well
_K = ("k", "top_k", "n_results", "limit", "num_results")


def recognise(given: Any) -> Retriever | None:
    """A function, a method, a partial one, or an object that can be called."""
    if not callable(given):
        return None
    word = _told_k(given)

    def ask(query: Query, k: int) -> Any:
        return given(query.text) if word is None else given(query.text, **{word: k})

    called = (given, type(given).__call__)
    if any(inspect.iscoroutinefunction(f) or inspect.isasyncgenfunction(f) for f in called):
        return Retriever(name_of(given), ask, ask)
    return Retriever(name_of(given), ask)


def _told_k(given: Any) -> str | None:
    """The name under which it is told how many results to give."""
    try:
        parameters = list(inspect.signature(given).parameters.values())
    except (TypeError, ValueError):  # built in
        return None
    settled = getattr(given, "keywords", {})  # of a partial function
    by_name = [p.name for p in parameters[1:] if p.kind is not p.POSITIONAL_ONLY]
    return next((name for name in by_name if name in _K and name not in settled), None)
