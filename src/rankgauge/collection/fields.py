"""What a document of any package says, by the names that its fields have there; all of them are other people's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

__all__ = ["METADATA", "TEXTS", "field_of", "is_number", "scalar", "text_of"]

METADATA = ("metadata", "meta", "_source", "payload", "fields", "entity")
TEXTS = ("page_content", "content", "text", "contents", "chunk", "passage", "body", "document")


def field_of(item: Any, names: Iterable[str]) -> Any:
    """The first of these fields that is there and not None."""
    for name in names:
        found = item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
        if found is not None and not callable(found):
            return found
    return None


def text_of(item: Any) -> str | None:
    """The text of a document, or of its metadata."""
    found = field_of(item, TEXTS)
    if found is None:
        inside = field_of(item, METADATA)
        found = field_of(inside, TEXTS) if isinstance(inside, Mapping) else None
    return found if isinstance(found, str) else None


def scalar(value: Any) -> Any:
    """The number that a value is: databases, and arrays without dimensions, have their own."""
    if value is None or type(value) in (str, float, int):
        return value
    if getattr(value, "shape", None) == () and callable(getattr(value, "item", None)):
        return value.item()
    return float(value) if isinstance(value, Decimal) else value


def is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
