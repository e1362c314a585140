"""Which column holds the query, which the document, which the number?

    run     query_id  doc_id  score   and, when there, rank, tag
    qrels   query_id  doc_id  grade   and, when there, iteration

Names are compared without case, blanks, hyphens and underscores. A better name wins over a weaker one
(`qid` over `query`, which often holds the text), and `doc_id` itself over all; two equally good names are an
error, never a guess.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rankgauge.errors import InputError, ParameterError, suggest

__all__ = ["ROLES", "Columns", "Kind", "fold", "recognise", "role_of"]

Kind = Literal["run", "qrels"]

ROLES: dict[Kind, tuple[str, ...]] = {
    "run": ("query_id", "doc_id", "score", "rank", "tag"),
    "qrels": ("query_id", "doc_id", "grade", "iteration"),
}

# From the clearest to the weakest, already folded; one string per level.
_QUERY = (
    "queryid qid topicid topicno topicnumber userid uid sessionid requestid searchid questionid 查询id 用户id 问题id",
    "query q topic user session request question querytext 查询 查询词 用户 问题",
)
_DOC = (
    "docid itemid documentid docno corpusid productid passageid pid chunkid contextid iid movieid sku asin "
    "文档id 商品id 物品id",
    "doc item document product passage chunk movie 文档 商品 物品",
)
_SCORE = (
    "score",
    "sim similarity similarityscore relevancescore rankingscore retrievalscore modelscore bm25score "
    "prediction predictions pred predicted predictedscore logit probability prob 得分 分数 相似度",
)
_GRADE = (
    "grade relevance rel relevancy relevancegrade relevancelabel rating label judgment judgement gain qrel "
    "相关性 等级 评分 标注",
    "score",  # the header of a BEIR qrels file is `query-id corpus-id score`
)
_RANK = ("rank", "position pos ranking 排名 位置")
_TAG = ("tag", "runid runtag runname system", "model run")
_ITERATION = ("iteration", "iter q0", "subtopic subtopicid intent")

_LEVELS: dict[str, tuple[frozenset[str], ...]] = {
    role: tuple(frozenset(level.split()) for level in levels)
    for role, levels in {
        "query_id": _QUERY,
        "doc_id": _DOC,
        "score": _SCORE,
        "grade": _GRADE,
        "rank": _RANK,
        "tag": _TAG,
        "iteration": _ITERATION,
    }.items()
}
_REQUIRED: dict[Kind, tuple[str, ...]] = {
    "run": ("query_id", "doc_id", "score"),
    "qrels": ("query_id", "doc_id", "grade"),
}
_SAME = {"user_id": "query_id", "item_id": "doc_id"}  # names that `columns=` takes as well


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns to read, as `{role: name in the input}`, and what there is to say about the choice."""

    source: dict[str, str]
    notes: tuple[str, ...] = ()


def recognise(
    names: Sequence[str],
    kind: Kind,
    columns: Mapping[str, str] | None = None,
    where: str | None = None,
) -> Columns:
    """Find the role of every column of a run or of qrels.

    `columns` maps names of the input to roles and is taken first: `{"docno": "doc_id"}`.
    A run without a score column is read by its `rank` column.

    >>> recognise(["qid", "docno", "sim"], "run").source
    {'query_id': 'qid', 'doc_id': 'docno', 'score': 'sim'}
    """
    where = where or kind
    source = _asked(names, kind, columns or {}, where)
    left = [n for n in names if n not in source.values()]
    for role in ROLES[kind]:
        if role not in source and (found := _find(role, left, where)) is not None:
            source[role] = found
            left.remove(found)
    missing = [r for r in _REQUIRED[kind] if r not in source and not (r == "score" and "rank" in source)]
    if missing:
        raise InputError(_missing_text(missing, names, left, where))
    notes = tuple(
        f"read {name!r} as {role}"
        for role, name in source.items()
        if fold(name) != fold(role) and not (columns and name in columns)
    )
    if kind == "run" and "score" not in source:
        notes += (f"no score column: ordered by {source['rank']!r} (score = -rank)",)
    ordered = {role: source[role] for role in ROLES[kind] if role in source}
    return Columns(ordered, notes)


def fold(name: str) -> str:
    """A name without case, blanks, hyphens, underscores and dots."""
    return re.sub(r"[\s\-_.]+", "", str(name)).casefold()


def role_of(name: str, kind: Kind) -> str | None:
    """The role that a column of this name could have, if its name is known at all."""
    folded = fold(name)
    return next((r for r in ROLES[kind] if any(folded in level for level in _LEVELS[r])), None)


def _asked(names: Sequence[str], kind: Kind, columns: Mapping[str, str], where: str) -> dict[str, str]:
    source: dict[str, str] = {}
    for name, role in columns.items():
        role = _SAME.get(role, role)
        if name not in names and role in names and _SAME.get(name, name) in ROLES[kind]:
            raise ParameterError(
                "columns maps names of the input to names of rankgauge. "
                f"Pass columns={{{_quote(role)}: {_quote(name)}}}."
            )
        if role not in ROLES[kind]:
            raise ParameterError(
                f"columns: {name!r} must map to one of {', '.join(ROLES[kind])}, got {role!r}."
                + suggest(role, ROLES[kind])
            )
        if name not in names:
            raise InputError(f"{where}: columns names {name!r}, found: {_list(names)}.{suggest(name, names)}")
        if role in source:
            raise ParameterError(f"columns: {source[role]!r} and {name!r} both map to {role!r}; name one.")
        source[role] = name
    return source


def _find(role: str, names: Sequence[str], where: str) -> str | None:
    if role in names:
        return role
    for level in _LEVELS[role]:
        found = [n for n in names if fold(n) in level]
        if len(found) > 1:
            first, second, *_ = (f"columns={{{_quote(n)}: {_quote(role)}}}" for n in found)
            raise InputError(
                f"{where}: columns {_list(found, ' and ')} could both be {role}. Pass {first} or {second}."
            )
        if found:
            return found[0]
    return None


def _missing_text(missing: Sequence[str], names: Sequence[str], left: Sequence[str], where: str) -> str:
    pool = list(left)
    pairs: dict[str, str] = {}
    for role in missing:
        if (name := _nearest(role, pool)) is not None:
            pairs[name] = role
            pool.remove(name)
    text = f"columns missing from {where}: {_list(missing)}. Found: {_list(names) or 'no columns'}."
    if pairs:
        text += f" Pass columns={{{', '.join(f'{_quote(n)}: {_quote(r)}' for n, r in pairs.items())}}}."
    nowhere = [r for r in missing if r not in pairs.values()]
    return text + (f" Nothing there could be {_list(nowhere, ' or ')}." if nowhere else "")


def _nearest(role: str, names: Sequence[str]) -> str | None:
    """The unused column most like the known spellings of the role, or the first unused one."""
    known = [word for level in _LEVELS[role] for word in level]

    def likeness(name: str) -> float:
        return max(difflib.SequenceMatcher(None, fold(name), word).ratio() for word in known)

    return max(names, key=likeness, default=None)


def _list(names: Sequence[str], sep: str = ", ") -> str:
    return sep.join(repr(str(n)) for n in names)


def _quote(name: str) -> str:
    return '"' + str(name).replace("\\", "\\\\").replace('"', '\\"') + '"'
