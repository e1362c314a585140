"""Haystack: a component with a `query`, or a pipeline whose inputs of that kind all get the query.

Of a pipeline the documents of the last component count that gives any. A retriever that wants an embedding is asked
through a pipeline that has the embedder before it.
"""

from __future__ import annotations

from typing import Any

from rankgauge.integrations.retrievers import Query, Retriever, has, name_of

__all__ = ["ORDER", "recognise"]

ORDER = 30
_ASKED = ("query", "text", "question")  # what components call it


def recognise(given: Any) -> Retriever | None:
    """A pipeline, or a component that takes a query."""
    if has(given, "run", "add_component", "inputs"):
        return Retriever(name_of(given), lambda query, k: _documents(given.run(_inputs(given, query, k))))
    if has(given, "run") and "query" in (sockets := _sockets(given)):

        def ask(query: Query, k: int) -> Any:
            return given.run(query=query.text, **({"top_k": k} if "top_k" in sockets else {}))

        return Retriever(name_of(given), ask)
    return None


def _sockets(component: Any) -> tuple[str, ...]:
    """The names of what a component takes."""
    found = getattr(component, "__haystack_input__", None)
    sockets = getattr(found, "_sockets_dict", {})
    return tuple(sockets)


def _inputs(pipeline: Any, query: Query, k: int) -> dict[str, dict[str, Any]]:
    """The query for each input that is still open and called so; k for those that find."""
    out: dict[str, dict[str, Any]] = {}
    for name, sockets in pipeline.inputs().items():
        asked = {s: query.text for s in sockets if s in _ASKED and sockets[s].get("is_mandatory", True)}
        if asked:
            out[name] = {**asked, **({"top_k": k} if "top_k" in sockets else {})}
        elif "top_k" in sockets and "query_embedding" not in sockets and len(sockets) > 1:
            out[name] = {"top_k": k}
    return out


def _documents(given: Any) -> Any:
    """The list of the last component that has one."""
    found = [out["documents"] for out in given.values() if isinstance(out, dict) and "documents" in out]
    return found[-1] if found else given
