"""Gold that is objects: which of their fields say what answers, and which are passed over.

    {"id": "d1", "text": "the passage", "metadata": {…}}

Beside documents, an `id` that is that of one of them says where to look, and the text what for; an id of anything else
says nothing. Without documents the id is what is compared. What was read and what was not is told once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from typing import Any

from rankgauge._show import show, show_all
from rankgauge._text import Text, joined, zh
from rankgauge.data.columns import fold, role_of

__all__ = ["GoldObjects", "is_object"]

_ROLES = ("doc_id", "start", "end", "text", "grade")


def is_object(value: Mapping[Any, Any]) -> bool:
    """Whether this is one thing that answers, and not grades by id."""
    roles = {role_of(str(k), "spans") for k in value}
    if roles & {"text", "start", "doc_id"}:
        return True
    own = next((v for k, v in value.items() if fold(str(k)) == "id"), None)
    return isinstance(own, str) or (own is not None and "grade" in roles)


class GoldObjects:
    """Reads objects, and counts what it read them by."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, ...]] = Counter()
        self._unread: dict[tuple[str, ...], dict[str, bool]] = {}

    def entry(self, value: Mapping[Any, Any], documents: Container[str] | None) -> dict[str, Any]:
        """An object as an entry of `rg.Spans`; nothing where it says nothing."""
        found, names = _fields(value)
        if documents is not None and "text" in found and str(found.get("doc_id")) not in documents:
            found.pop("doc_id", None)  # an id of something else
        own = None if "doc_id" in found else _own_id(value)
        if own is not None and ("text" not in found or (documents is not None and str(value[own]) in documents)):
            found["doc_id"], names["doc_id"] = str(value[own]), own
        self._count(value, [names[role] for role in found])
        return found

    def graded(self, value: Mapping[Any, Any]) -> tuple[Any, Any] | None:
        """What an object is compared by, an id or else its text, and its grade; None where it has neither."""
        found, names = _fields(value)
        own = None if "doc_id" in found else _own_id(value)
        name = names.get("doc_id") or own or names.get("text")
        if name is None:
            return None
        self._count(value, [name, *([names["grade"]] if "grade" in found else [])])
        return value[name], found.get("grade")

    def _count(self, value: Mapping[Any, Any], used: list[str]) -> None:
        read = tuple(str(k) for k in value if k in used)
        unread = {
            str(k): role_of(str(k), "spans") == "text" for k, v in value.items() if k not in used and v is not None
        }
        if read and unread:
            self._counts[read] += 1
            self._unread.setdefault(read, {}).update(unread)

    @property
    def notes(self) -> tuple[Text, ...]:
        """What was taken and what was not, a note for each way."""
        out = []
        for read, n in self._counts.items():
            by, left = joined(Text(" and ", " 和 "), map(show, read)), self._unread[read]
            others = show_all(list(left)[:6])
            objects = "object is" if n == 1 else "objects are"
            said = Text(
                f"{n:,} gold {objects} read by {by}; not read: {others}",
                f"{n:,} 个标准答案对象按 {zh(by)} 读取；未读取：{others}",
            )
            if any(left.values()):
                said += Text(" (`documents` are what texts are looked for in)", "（按文本评判需要给出 `documents`）")
            out.append(said)
        return tuple(out)


def _fields(value: Mapping[Any, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What an object says by role, and under which names."""
    names: dict[str, Any] = {}
    for key, each in value.items():
        if each is not None and (role := role_of(str(key), "spans")) in _ROLES:
            names[role] = key
    return {role: value[key] for role, key in names.items()}, names


def _own_id(value: Mapping[Any, Any]) -> Any:
    return next((k for k, v in value.items() if fold(str(k)) == "id" and v is not None), None)
