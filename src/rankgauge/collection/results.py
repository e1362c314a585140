"""What a retriever gave, as ids in rank order with their scores.

    ["d1", "d2"]                                   ids, best first; also an array of them
    [("d1", 0.9), (document, 0.3)]                 pairs
    [Document(id=…), {"doc_id": …, "score": …}]    documents: objects or dicts, of whatever package
    {"d1": 0.9, "d2": 0.3}                         scores by id, which have no order but theirs
    {"documents": [...]}, {"hits": {"hits": [...]}}, response.points, …     any of these inside something
    [["d1", "d2"]]                                 the list of a batch of one
    a frame with a column of ids
    {"calls": [{"query": "…", "documents": [...], "tokens": 310}, …]}       several calls for one question

What was spent on it (`cost`, `tokens`, also inside `usage`) and the seconds of `stages` are read beside the list. Of
several calls the union counts, in the order in which results were first seen, unless a final list stands beside them.

The order in which results come is the ranking. Scores are kept where they agree with it; where they do not (distances,
numbers that are none, some of them missing) the order stands for them. Nothing is dropped: a result without an id keeps
its place. A document without an id goes by its text.

Where results are pieces of documents (`pieces.py`), each also says which part it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from math import inf, isfinite
from numbers import Real
from typing import Any
from uuid import UUID

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.collection.fields import METADATA, field_of, is_number, scalar, text_of
from rankgauge.collection.pieces import Part, PieceReader
from rankgauge.data.collected import SPENT, Call
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
_LISTS = (
    "documents",
    "results",
    "hits",
    "matches",
    "points",
    "nodes",
    "source_nodes",
    "source_documents",
    "context",
    "contexts",
    "chunks",
    "passages",
    "data",
    "value",
    "docs",
    "items",
)
"""Where lists are kept, the clearest first; all of these names are those of other people."""
_STAGES = ("stages", "timings")
_CALLS = ("calls", "searches", "retrievals")
_SPENT = {
    "cost": ("cost", "total_cost", "cost_usd"),
    "tokens": ("tokens", "total_tokens", "n_tokens"),
    "seconds": ("seconds", "elapsed"),
}
_ASKED = ("query", "question", "search", "input", "text")


@dataclass(slots=True)
class Listed:
    """One list: ids best first, and scores that fall along it; None where the order is all there is."""

    ids: list[str]
    scores: list[float] | None = None
    odd: dict[str, int] = field(default_factory=dict)
    """What was odd about it, by the words of `ODD` (`data/collected.py`)."""
    stages: dict[str, float] = field(default_factory=dict)
    """Seconds of each stage, where it says them."""
    parts: list[Part] | None = None
    """Which part of which document each result is, where that was asked."""
    spent: dict[str, float] = field(default_factory=dict)
    """Cost and tokens, where it says them."""
    calls: list[Call] | None = None
    """The calls that were made for it, where it says them."""


def listed(given: Any, k: int, id: IdOf = None, pieces: PieceReader | None = None) -> Listed:
    """The first k results of what a retriever gave.

    >>> listed(["a", "b", "c"], 2)
    Listed(ids=['a', 'b'], scores=None, odd={'longer': 1}, stages={}, parts=None, spent={}, calls=None)
    >>> listed([("a", 0.1), ({"doc_id": 7}, 0.9)], 10)
    Listed(ids=['a', '7'], scores=None, odd={'unsorted': 1}, stages={}, parts=None, spent={}, calls=None)
    """
    if (calls := _calls(given)) is not None:
        return _of_calls(given, calls, k, id, pieces)
    out = Listed([], stages=_stages(given), spent=_spent(given, tuple(SPENT)))
    items = _items(given, k)
    if items is None:
        out.odd["nothing"] = 1
        return out
    if _is_partial(given):
        out.odd["partial"] = 1
    if len(items) == 1 and type(items[0]) is list and not _is_pair(items[0]) and pieces is None:  # a batch of one
        items = items[0]
    if len(items) > k:
        out.odd["longer"] = 1
        items = items[:k]
    if pieces is not None:
        out.parts = [pieces.part_of(item, id, out.odd) for item in items]
        out.ids = _written([part.name for part in out.parts])
        out.scores = _scores([_score(item) for item in items], out.odd)
        return out
    if all(type(x) is str and x for x in items) and id is None:  # by far the most, and the quickest
        out.ids = _written(items)
        return out
    scores: list[Any] = []
    for rank, item in enumerate(items, 1):
        name, score = _one(item, id, out.odd)
        out.ids.append(f"(no id {rank})" if name is None else name)
        scores.append(score)
    out.ids = _written(out.ids)
    out.scores = _scores(scores, out.odd)
    return out


def _written(ids: Sequence[str]) -> list[str]:
    """Ids that can be written down: halves of characters cannot, in no file."""
    "".join(ids).encode()
    return list(ids)


# the list in what was given


def _items(given: Any, k: int) -> Sequence[Any] | None:
    """The results one by one, in their order; None where there is no list. What may never end is cut behind k."""
    if given is None or isinstance(given, (list, tuple)):
        return given
    if isinstance(given, np.ndarray):
        if given.ndim != 1:
            raise InputError(_unreadable(Text(f"an array of {given.ndim} dimensions", f"{given.ndim} 维数组")))
        return list(given.tolist())
    if isinstance(given, Mapping):
        return _of_mapping(given)
    if isinstance(given, (set, frozenset)):
        raise InputError(_unreadable(Text("a set, which has no order", "没有顺序的 set")))
    if isinstance(given, (str, bytes, bool, int, float)):
        raise InputError(_unreadable(show(given)))
    if type(given).__name__ != "Series" and is_frame(given):
        rows = to_polars(given).to_dicts()
        return sorted(rows, key=lambda r: r["rank"]) if rows and is_number(rows[0].get("rank")) else rows
    if isinstance(body := getattr(given, "body", None), Mapping):  # a response of Elasticsearch
        return _of_mapping(body)
    for name in _LISTS:
        inner = getattr(given, name, None)
        if isinstance(inner, (list, tuple)):
            return inner
    if isinstance(given, Iterable):  # a generator, a Series of ids
        return list(islice(given, k + 1))
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
    scores = {key: scalar(value) for key, value in given.items()}
    if all(v is None or is_number(v) for v in scores.values()):  # by id: equal ones stay in the order of the dict
        return sorted(scores.items(), key=lambda x: -x[1] if x[1] is not None and x[1] == x[1] else inf)
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


_PIECES = Text(
    "results are pieces, (document, start, end), where ids are judged. Judge by spans (--by spans, rg.Spans), or "
    "return ids of documents.",
    "返回的是文本块（文档、起点、终点），而评判按 id 进行。请按片段评判（--by spans、rg.Spans），或返回文档 id。",
)
"""Said without what was got, so that it is one kind of failure and not one for each query."""


def _unreadable(got: str) -> Text:
    return Text(
        f"a retriever must return a list of ids, pairs or documents, got {got}.",
        f"检索器必须返回 id、(id, 得分) 或文档的列表，实际为 {got.zh if isinstance(got, Text) else got}。",
    )


def _is_partial(given: Any) -> bool:
    """Whether a search engine says that it ran out of time, or that a part of the index did not answer."""
    body = given if isinstance(given, Mapping) else getattr(given, "body", None)
    if not isinstance(body, Mapping):
        return False
    shards = body.get("_shards")
    return body.get("timed_out") is True or (isinstance(shards, Mapping) and bool(shards.get("failed")))


def _stages(given: Any) -> dict[str, float]:
    if type(given) is list or isinstance(given, (list, tuple, np.ndarray, str)):
        return {}
    for name in _STAGES:
        found = given.get(name) if isinstance(given, Mapping) else getattr(given, name, None)
        if isinstance(found, Mapping) and found and all(is_number(v) and 0 <= v < inf for v in found.values()):
            return {str(stage): float(v) for stage, v in found.items()}
    return {}


def _spent(given: Any, wanted: Iterable[str]) -> dict[str, float]:
    """What a response says that it used up."""
    if type(given) is list or given is None or isinstance(given, (list, tuple, np.ndarray, str)):
        return {}
    usage = field_of(given, ("usage", "token_usage"))
    out: dict[str, float] = {}
    for what in wanted:
        for part in (given, usage):
            found: Any = None if part is None else scalar(field_of(part, _SPENT[what]))
            if is_number(found) and 0 <= found < inf:
                out.setdefault(what, float(found))
    return out


# several calls


def _calls(given: Any) -> Sequence[Any] | None:
    """The calls in what was given; None where it is one list."""
    if type(given) is list or given is None or isinstance(given, (list, tuple, np.ndarray, str)):
        return None
    found = field_of(given, _CALLS)
    is_listed = isinstance(found, (list, tuple)) and all(not isinstance(x, (str, Real)) for x in found)
    return found if is_listed else None


def _of_calls(given: Any, calls: Sequence[Any], k: int, id: IdOf, pieces: PieceReader | None) -> Listed:
    """The union of the lists of all calls, or the list that stands beside them; and the calls themselves."""
    each = [listed(call, k, id, pieces) for call in calls]
    told = [_spent(call, ("seconds",)) for call in calls]
    made = [
        Call(
            query=_asked(call),
            ids=tuple(x.ids),
            pieces=tuple(part.entry for part in x.parts or ()),
            **{**x.spent, **seconds},
        )
        for call, x, seconds in zip(calls, each, told, strict=True)
    ]
    if (own := _beside(given)) is not None:
        out = listed(own, k, id, pieces)
    else:
        out = Listed([])
        first = {name: (x, i) for x in reversed(each) for i, name in reversed(list(enumerate(x.ids)))}
        out.ids = list(dict.fromkeys(name for x in each for name in x.ids))
        if pieces is not None:
            out.parts = [x.parts[i] for x, i in (first[name] for name in out.ids) if x.parts is not None]
        for x in each:
            for word, n in x.odd.items():
                out.odd[word] = out.odd.get(word, 0) + n
        out.odd.pop("nothing", None)  # of a call, not of a query
    spent = {what: [x.spent[what] for x in each if what in x.spent] for what in SPENT}
    out.spent = {what: sum(some) for what, some in spent.items() if some and len(some) == len(each)}
    out.spent |= _spent(given, tuple(SPENT))
    out.stages = _stages(given)
    out.calls = made
    return out


def _beside(given: Any) -> Any:
    """The final list that stands beside the calls; None where there is none."""
    for name in (*_LISTS, "ids"):
        found = given.get(name) if isinstance(given, Mapping) else getattr(given, name, None)
        if isinstance(found, (list, tuple)):
            return {name: found}
    return None


def _asked(call: Any) -> str:
    found = None if isinstance(call, (list, tuple)) else field_of(call, _ASKED)
    return found if isinstance(found, str) else ""


# one result


def _one(item: Any, id: IdOf, odd: dict[str, int]) -> tuple[str | None, Any]:
    """The id and the score of a result; None where it has none."""
    if _is_pair(item):
        return _one(item[0], id, odd)[0], scalar(item[1])
    item = scalar(item)
    name, score = (_id(item), None) if item is None or _is_id(item) else _document(item, id, odd)
    if name is None or name == "":
        odd["without_id"] = odd.get("without_id", 0) + 1
        return None, score
    return id_text(str(name) if _is_key(name) else name, Text("results", "结果")), score


def _is_pair(item: Any) -> bool:
    """Whether it is something with its score."""
    if not isinstance(item, (tuple, list)) or len(item) != 2:
        return False
    return item[1] is None or is_number(scalar(item[1]))


def _is_id(item: Any) -> bool:
    return isinstance(item, (str, Real)) or _is_key(item)


def _is_key(item: Any) -> bool:
    """Whether it is a key of a database, which goes by what is printed of it."""
    return isinstance(item, UUID) or type(item).__name__ == "ObjectId"


def _id(item: Any) -> Any:
    """What is no document is an id, if it can be one."""
    if isinstance(item, (bool, np.bool_)) or (is_number(item) and not (isfinite(item) and item == int(item))):
        return None
    return item


def _score(item: Any) -> Any:
    """The score of a result; None where it says none."""
    if item is None or isinstance(item, (str, Real)):
        return None
    if isinstance(item, (tuple, list)):
        last = scalar(item[-1]) if len(item) in (2, 4) else None
        return last if is_number(last) else None
    score = scalar(field_of(item, _SCORES))
    if score is None and is_number(distance := scalar(field_of(item, _DISTANCES))):
        return -distance
    return score


def _document(item: Any, id: IdOf, odd: dict[str, int]) -> tuple[Any, Any]:
    score = _score(item)
    if callable(id):
        return id(item), score
    if isinstance(item, (list, tuple, np.ndarray)) and not hasattr(item, "_fields"):  # named tuples are documents
        if len(item) in (3, 4) and all(isinstance(x, int) for x in item[1:3]):
            raise InputError(_PIECES)
        raise InputError(
            _unreadable(
                Text(
                    f"{show(item)} for a result; `id=` may be a function of it",
                    f"单个结果 {show(item)}；`id=` 可以是取其 id 的函数",
                )
            )
        )
    if id is not None and id != TEXT:
        inside = field_of(item, METADATA)
        found = inside.get(id) if isinstance(inside, Mapping) else None
        for part in (item, getattr(item, "node", None)):  # a node of LlamaIndex stands beside its score
            found = field_of(part, (id,)) if found is None and part is not None else found
        return found, score
    name = field_of(item, _IDS) if id is None else None
    if name is None and (text := text_of(item)):
        name = text
        if id is None:
            odd["by_text"] = odd.get("by_text", 0) + 1
    return name, score


# scores


def _scores(scores: Sequence[Any], odd: dict[str, int]) -> list[float] | None:
    """The scores, if every result has one and they fall along the list; None: the order counts."""
    there = [s for s in scores if s is not None]
    if not there:
        return None
    if not all(is_number(s) and isfinite(s) for s in there):
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
