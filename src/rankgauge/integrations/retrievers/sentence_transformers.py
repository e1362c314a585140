"""sentence-transformers: `(model, corpus)`, a model with the texts that it searches, by cosine similarity.

The corpus is `{id: text}`, a list of texts, or `{id: {"title": …, "text": …}}`; it is embedded when the first query is
asked, so that `warm_up=1` keeps that out of the times. Queries and texts are embedded as the model says
(`encode_query`, `encode_document`).
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
    """The corpus as unit vectors, made once."""

    def __init__(self, model: Any, corpus: Mapping[Any, Any] | Sequence[Any]) -> None:
        self._model, self._lock = model, threading.Lock()
        items = corpus.items() if isinstance(corpus, Mapping) else [(text, text) for text in corpus]
        self._ids = [key for key, _ in items]
        self._texts = [_words(text) for _, text in items]
        self._vectors: Array | None = None

    def ask(self, query: Query, k: int) -> Any:
        with self._lock:
            if self._vectors is None:
                encode = getattr(self._model, "encode_document", None) or self._model.encode
                self._vectors = _unit(encode(self._texts))
        encode = getattr(self._model, "encode_query", None) or self._model.encode
        scores = self._vectors @ _unit(encode([query.text]))[0]
        first = np.argsort(-scores, kind="stable")[:k]
        return [(self._ids[i], float(scores[i])) for i in first.tolist()]


def _words(text: Any) -> str:
    if isinstance(text, Mapping):
        return f"{text.get('title') or ''} {text.get('text') or ''}".strip()
    return str(text)


def _unit(vectors: Any) -> Array:
    found = np.asarray(vectors, dtype=np.float64)
    length = np.linalg.norm(found, axis=1, keepdims=True)
    unit: Array = found / np.where(length == 0, 1, length)
    return unit
