"""Haystack: a component with a `query`, or a pipeline whose inputs of that kind all get the query.

Of a pipeline the documents of the last component count that gives any: those that a prompt is made of, where an answer
follows. It is asked as it is: only where documents are what comes out in the end is that component told how many; what
comes before a ranker, or into a prompt, is as many as the pipeline says. A retriever that wants an embedding is asked
through a pipeline that has the embedder before it.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from rankgauge.integrations.retrievers import Query, Retriever, has, name_of

__all__ = ["ORDER", "recognise"]

ORDER = 30
_ASKED = ("query", "text", "question")  # what components call it
_FOUND = "documents"
_K = "top_k"


def recognise(given: Any) -> Retriever | None:
    """A pipeline, or a component that takes a query."""
    if has(given, "run", "add_component", "inputs", "outputs"):
        return Retriever(name_of(given), lambda query, k: _ask_pipeline(given, query, k))
    if has(given, "run") and "query" in (takes := _inputs_of(given)):

        def ask(query: Query, k: int) -> Any:
            return given.run(query=query.text, **({_K: k} if _K in takes else {}))

        return Retriever(name_of(given), ask)
    return None


def _inputs_of(component: Any) -> tuple[str, ...]:
    """The names of what a component takes."""
    found = getattr(component, "__haystack_input__", None)
    return tuple(getattr(found, "_sockets_dict", {}))


def _ask_pipeline(pipeline: Any, query: Query, k: int) -> Any:
    finding = _finding(pipeline, include_components_with_connected_outputs=True)
    asked = _inputs(pipeline, query, k, last=_finding(pipeline))
    given = pipeline.run(asked, include_outputs_from=set(finding))
    found = [out[_FOUND] for out in given.values() if isinstance(out, dict) and _FOUND in out]
    return found[-1] if found else given  # components stand in the order in which they ran


def _finding(pipeline: Any, **options: bool) -> Set[str]:
    """The components that give documents: to whoever runs the pipeline, or to any other component as well."""
    return {name for name, outputs in pipeline.outputs(**options).items() if _FOUND in outputs}


def _inputs(pipeline: Any, query: Query, k: int, last: Set[str]) -> dict[str, dict[str, Any]]:
    """The query for each input that needs one, and k for the components that find last."""
    out: dict[str, dict[str, Any]] = {}
    for name, inputs in pipeline.inputs().items():
        asked: dict[str, Any] = {i: query.text for i in inputs if i in _ASKED and inputs[i].get("is_mandatory", True)}
        if _K in inputs and name in last:
            asked[_K] = k
        if asked:
            out[name] = asked
    return out
