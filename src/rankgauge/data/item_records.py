"""The items of one query as records: `[{"doc_id": "d1", "score": 0.9}, …]` to pairs of id and number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data.columns import Kind, recognise, role_of
from rankgauge.errors import InputError

__all__ = ["pairs_of_records"]


def pairs_of_records(items: Sequence[Any], kind: Kind, where: str) -> list[tuple[Any, Any]]:
    """Ids and their scores or grades; without those a run is in order, and what is judged is relevant.

    >>> pairs_of_records([{"id": "d1", "score": 0.9}, {"id": "d2", "score": 0.3}], "run", "q1")
    [('d1', 0.9), ('d2', 0.3)]
    """
    value = "score" if kind == "run" else "grade"
    bad = [x for x in items if not isinstance(x, Mapping)]
    if bad:
        raise InputError(
            Text(
                f"{where}: items must all be objects, got {show(bad[0])}.",
                f"{zh(where)}：各项必须都是对象，实际为 {show(bad[0])}。",
            )
        )
    names = list(dict.fromkeys(k for x in items for k in x))
    if "id" in names and not any(role_of(n, kind) == "doc_id" for n in names):
        names = [n for n in names if n != "id"]
        items = [{"doc_id": x.get("id"), **x} for x in items]
        names.append("doc_id")
    # the query is known already; the columns of an item need no query of their own
    names = ["query_id", *(n for n in names if role_of(n, kind) != "query_id")]
    has_value = any(role_of(n, kind) in (value, "distance", "rank") for n in names)
    found = recognise([*names, *(() if has_value else (value,))], kind, where=where).source
    docs = [x.get(found["doc_id"]) for x in items]
    if not has_value:
        return list(zip(docs, range(len(docs), 0, -1) if kind == "run" else [1] * len(docs), strict=True))
    if value in found:
        return list(zip(docs, [x.get(found[value]) for x in items], strict=True))
    ordering = [x.get(found["distance" if "distance" in found else "rank"]) for x in items]
    return list(zip(docs, [-r if isinstance(r, int | float) else r for r in ordering], strict=True))
