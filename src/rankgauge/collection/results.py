"""What a retriever gave, as ids in rank order with their scores.

    ["d1", "d2"]                                   ids, best first; also an array of them
    [("d1", 0.9), (document, 0.3)]                 pairs
    [Document(id=…), {"doc_id": …, "score": …}]    documents: objects or dicts, of whatever package
    {"d1": 0.9, "d2": 0.3}                         scores by id, which have no order but theirs
    {"documents": [...]}, {"hits": {"hits": [...]}}, response.points, …     any of these inside something
    a frame with a column of ids

The order in which results come is the ranking. Scores are kept where they agree with it; where they do not (distances,
numbers that are none, some of them missing) the order stands for them. Nothing is dropped: a result without an id keeps
its place. A document without an id goes by its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data.frames import is_frame, to_polars
from rankgauge.data.mappings import id_text
from rankgauge.errors import InputError

__all__ = ["TEXT", "IdOf", "Listed", "listed"]

IdOf = str | Callable[[Any], Any] | None
"""Where the id of a document is: a key of its metadata or one of its fields, `"text"`, or a function."""
TEXT = "text"
"""What says that documents go by their text."""

_IDS = (
    *("id", "_id", "doc_id", "docid", "docno", "document_id", "node_id", "chunk_id", "corpus_id", "passage_id"),
    *("item_id", "pid", "id_", "uuid"),
)
_SCORES = ("score", "_score", "similarity", "relevance_score", "relevance", "@search.score")
_DISTANCES = ("distance", "_distance", "dist")
_METADATA = ("metadata", "meta", "_source", "payload", "fields", "entity")
_TEXTS = ("page_content", "content", "text", "contents", "chunk", "passage", "body", "document")
_LISTS = (
    "documents",
    "results",
    "hits",
    "matches",
    "points",
    "nodes",
    "source_nodes",
    "data",
    "value",
    "docs",
    "items",
)
"""Where lists are kept, the clearest first; all of these names are those of other people."""
_STAGES = ("stages", "timings")


@dataclass(slots=True)
class Listed:
    """One list: ids best first, and scores that fall along it; None where the order is all there is."""

    ids: list[str]
    scores: list[float] | None = None
    odd: dict[str, int] = field(default_factory=dict)
    """What was odd about it, by the words of `ODD` (`data/collected.py`)."""
    stages: dict[str, float] = field(default_factory=dict)
    """Seconds of each stage, where it says them."""


def listed(given: Any, k: int, id: IdOf = None) -> Listed:
    """The first k results of what a retriever gave.

    >>> listed(["a", "b", "c"], 2)
    Listed(ids=['a', 'b'], scores=None, odd={'longer': 1}, stages={})
    >>> listed([("a", 0.1), ({"doc_id": 7}, 0.9)], 10)
    Listed(ids=['a', '7'], scores=None, odd={'unsorted': 1}, stages={})
    """
    out = Listed([], stages=_stages(given))
    items = _items(given)
    if items is None:
        out.odd["nothing"] = 1
        return out
    if len(items) > k:
        out.odd["longer"] = 1
        items = items[:k]
    if all(type(x) is str and x for x in items) and id is None:  # by far the most, and the quickest
        out.ids = list(items)
        return out
    scores: list[Any] = []
    for rank, item in enumerate(items, 1):
        name, score = _one(item, id, out.odd)
        out.ids.append(f"(no id {rank})" if name is None else name)
        scores.append(score)
    out.scores = _scores(scores, out.odd)
    return out


# the list in what was given


def _items(given: Any) -> Sequence[Any] | None:
    """The results one by one, in their order; None where there is no list."""
    if given is None or isinstance(given, (list, tuple)):
        return given
    if isinstance(given, np.ndarray):
        if given.ndim != 1:
            raise InputError(_unreadable(Text(f"an array of {given.ndim} dimensions", f"{given.ndim} 维数组")))
        return list(given.tolist())
    if isinstance(given, Mapping):
        return _of_mapping(given)
    if isinstance(given, (str, bytes, bool, int, float)):
        raise InputError(_unreadable(show(given)))
    if type(given).__name__ != "Series" and is_frame(given):
        rows = to_polars(given).to_dicts()
        return sorted(rows, key=lambda r: r["rank"]) if rows and _is_number(rows[0].get("rank")) else rows
    if isinstance(body := getattr(given, "body", None), Mapping):  # a response of Elasticsearch
        return _of_mapping(body)
    for name in _LISTS:
        inner = getattr(given, name, None)
        if isinstance(inner, (list, tuple)):
            return inner
    if isinstance(given, Iterable):  # a generator, a Series of ids, a set in no order
        return list(given)
    raise InputError(_unreadable(type(given).__name__))


def _of_mapping(given: Mapping[Any, Any]) -> Sequence[Any] | None:
    for name in _LISTS:
        inner = given.get(name)
        if inner is None and name in given:
            return None  # {"documents": None}
        if isinstance(inner, Mapping) and name in inner:  # {"hits": {"hits": […]}}
            inner = inner[name]
        if isinstance(inner, (list, tuple)) and not isinstance(given.get("ids"), (list, tuple)):
            return inner
    if isinstance(ids := given.get("ids"), (list, tuple)):  # columns: {"ids": [[…]], "distances": [[…]]}
        return _of_columns(ids, given)
    values = list(given.values())
    if all(v is None or _is_number(v) for v in values):  # scores by id: equal ones stay in the order of the dict
        return sorted(given.items(), key=lambda x: -x[1] if x[1] is not None and x[1] == x[1] else float("inf"))
    if any(name in given for name in _IDS):
        return [given]  # one document
    raise InputError(_unreadable(show(given)))


def _of_columns(ids: Sequence[Any], given: Mapping[Any, Any]) -> Sequence[Any]:
    def column(name: str) -> Sequence[Any] | None:
        found = given.get(name)
        if isinstance(found, (list, tuple)) and len(found) == 1 and isinstance(found[0], (list, tuple)):
            found = found[0]
        return found if isinstance(found, (list, tuple)) else None

    if len(ids) == 1 and isinstance(ids[0], (list, tuple)):
        ids = ids[0]
    columns = {name: found for name in ("distances", "scores", "metadatas", "documents") if (found := column(name))}
    as_one = {"distances": "distance", "scores": "score", "metadatas": "metadata", "documents": "text"}
    return [
        {"id": x, **{as_one[name]: each[i] for name, each in columns.items() if i < len(each)}}
        for i, x in enumerate(ids)
    ]


def _unreadable(got: str) -> Text:
    return Text(
        f"a retriever must return a list of ids, pairs or documents, got {got}.",
        f"检索器必须返回 id、(id, 得分) 或文档的列表，实际为 {got.zh if isinstance(got, Text) else got}。",
    )


def _stages(given: Any) -> dict[str, float]:
    if type(given) is list or isinstance(given, (list, tuple, np.ndarray, str)):
        return {}
    for name in _STAGES:
        found = given.get(name) if isinstance(given, Mapping) else getattr(given, name, None)
        if isinstance(found, Mapping) and found and all(_is_number(v) and v >= 0 for v in found.values()):
            return {str(stage): float(v) for stage, v in found.items()}
    return {}


# one result


def _one(item: Any, id: IdOf, odd: dict[str, int]) -> tuple[str | None, Any]:
    """The id and the score of a result; None where it has none."""
    if isinstance(item, (tuple, list)) and len(item) == 2 and (item[1] is None or _is_number(item[1])):
        return _one(item[0], id, odd)[0], item[1]
    name, score = (_id(item), None) if item is None or isinstance(item, (str, Real)) else _document(item, id, odd)
    if name is None or name == "":
        odd["without_id"] = odd.get("without_id", 0) + 1
        return None, score
    return id_text(name, Text("results", "结果")), score


def _id(item: Any) -> Any:
    """What is no document is an id, if it can be one."""
    if isinstance(item, (bool, np.bool_)) or (_is_number(item) and not (isfinite(item) and item == int(item))):
        return None
    return item


def _document(item: Any, id: IdOf, odd: dict[str, int]) -> tuple[Any, Any]:
    score = _field(item, _SCORES)
    if score is None and _is_number(distance := _field(item, _DISTANCES)):
        score = -distance
    if callable(id):
        return id(item), score
    if id is not None and id != TEXT:
        inside = _field(item, _METADATA)
        found = inside.get(id) if isinstance(inside, Mapping) else None
        for part in (item, getattr(item, "node", None)):  # a node of LlamaIndex stands beside its score
            found = _field(part, (id,)) if found is None and part is not None else found
        return found, score
    name = _field(item, _IDS) if id is None else None
    if name is None and (text := _text(item)):
        name = text
        if id is None:
            odd["by_text"] = odd.get("by_text", 0) + 1
    return name, score


def _field(item: Any, names: Iterable[str]) -> Any:
    """The first of these fields that is there and not None."""
    for name in names:
        found = item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
        if found is not None and not callable(found):
            return found
    return None


def _text(item: Any) -> str | None:
    found = _field(item, _TEXTS)
    if found is None:
        inside = _field(item, _METADATA)
        found = _field(inside, _TEXTS) if isinstance(inside, Mapping) else None
    return found if isinstance(found, str) else None


# scores


def _scores(scores: Sequence[Any], odd: dict[str, int]) -> list[float] | None:
    """The scores, if every result has one and they fall along the list; None: the order counts."""
    there = [s for s in scores if s is not None]
    if not there:
        return None
    if not all(_is_number(s) and isfinite(s) for s in there):
        odd["not_finite"] = 1
        return None
    if len(there) < len(scores):
        odd["partly_scored"] = 1
        return None
    found = [float(s) for s in there]
    if any(a < b for a, b in pairwise(found)):
        odd["unsorted"] = 1
        return None
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
