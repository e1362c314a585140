"""Objects of one's own that can be asked: `invoke`, `retrieve` or `search` of a query, synchronous or not.

The method is asked as a function is (`function.py`): it is told `k` where it has a parameter of that name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rankgauge.integrations.retrievers import Retriever, function, has, name_of

__all__ = ["ORDER", "recognise"]

ORDER = 90  # after the packages that have such methods and others beside them
_METHODS = ("invoke", "retrieve", "search", "ainvoke", "aretrieve", "asearch")


def recognise(given: Any) -> Retriever | None:
    """An object with one of these methods, the synchronous ones first; what can be called is called."""
    name = next((name for name in _METHODS if has(given, name)), None)
    if name is None or callable(given):
        return None
    found = function.recognise(getattr(given, name))
    return None if found is None else replace(found, name=name_of(given))
