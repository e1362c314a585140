"""sentence-transformers: `(model, corpus)`, a model with the texts that it searches.

The corpus is `{id: text}`, a list of texts, or `{id: {"title": …, "text": …}}`; it is embedded when the first query is
asked, so that `warm_up=1` keeps that out of the times. Queries and texts are embedded and compared as the model says
(`encode_query`, `encode_document`, `similarity`), and by cosine where it does not.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rankgauge._typing import Array
from rankgauge.integrations.retrievers import Query, Retriever, has, name_of

__all__ = ["ORDER", "recognise"]

ORDER = 70


def recognise(given: Any) -> Retriever | None:
    """A model that encodes, with its corpus."""
    if not isinstance(given, (tuple, list)) or len(given) != 2 or not has(given[0], "encode"):
        return None
    model, corpus = given
    if isinstance(corpus, str) or not isinstance(corpus, (Mapping, Sequence)):
        return None
    return Retriever(name_of(model), _Searched(model, corpus).ask)


class _Searched:
    """The corpus as vectors, made once."""

    def __init__(self, model: Any, corpus: Mapping[Any, Any] | Sequence[Any]) -> None:
        self._lock = threading.Lock()
        items = corpus.items() if isinstance(corpus, Mapping) else [(text, text) for text in corpus]
        self._ids = [key for key, _ in items]
        self._texts = [_words(text) for _, text in items]
        self._vectors: Any = None
        self._encode_query, self._encode_document = (
            getattr(model, name if has(model, name) else "encode") for name in ("encode_query", "encode_document")
        )
        self._similarity = model.similarity if has(model, "similarity") else _cosine

    def ask(self, query: Query, k: int) -> Any:
        with self._lock:
            if self._vectors is None:
                self._vectors = self._encode_document(self._texts)
        found: Any = self._similarity(self._encode_query([query.text]), self._vectors)
        scores = np.asarray(found.cpu() if has(found, "cpu") else found, dtype=np.float64)[0]
        return [(self._ids[i], float(scores[i])) for i in _best(scores, k).tolist()]


def _words(text: Any) -> str:
    if isinstance(text, Mapping):
        return f"{text.get('title') or ''} {text.get('text') or ''}".strip()
    return str(text)


def _cosine(some: Any, others: Any) -> Array:
    found: Array = _unit(some) @ _unit(others).T
    return found


def _unit(vectors: Any) -> Array:
    found = np.asarray(vectors, dtype=np.float64)
    length = np.linalg.norm(found, axis=1, keepdims=True)
    unit: Array = found / np.where(length == 0, 1, length)
    return unit


def _best(scores: Array, k: int) -> Array:
    """The places of the k highest scores, equal ones in the order of the corpus; without sorting all of it."""
    low = -scores
    at = np.arange(len(low))
    if k < len(low):
        at = np.flatnonzero(~(low > np.partition(low, k - 1)[k - 1]))  # also where numbers are none
    best: Array = at[np.argsort(low[at], kind="stable")][:k]
    return best
