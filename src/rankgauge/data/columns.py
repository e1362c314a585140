"""Which column holds the query, which the document, which the number?

    run           query_id  doc_id  score   and, when there, rank, tag; a distance is a score the other way round
    qrels         query_id  doc_id  grade   and, when there, iteration; interactions (user_id, item_id) have no grade
    predictions   label  score (or several) and, when there, weight, group, time; segments when asked for
    classes       label  prediction (or several) and the same; the columns of probabilities are found by their prefix
    interactions  user_id  item_id and, when there, rating, weight, time
    spans         query_id and doc_id  start  end, or a text to be located; when there, grade, need, alternative
    pieces        query_id and doc_id  start  end, or chunk_id, or a text; when there, score, distance or rank
    chunks        chunk_id and doc_id  start  end, or a text

Names are compared without case, blanks, hyphens and underscores, and without the types of RecBole (`user_id:token`).
A better name wins over a weaker one (`qid` over `query`, which often holds the text), and `doc_id` itself over all; two
equally good names are an error, never a guess. Only what can be done without (weight, group, time, rating) takes the
clearest and says so.

Tests and runs of recommenders are judgements and runs: what users and items are called among interactions
(`customer_id`, `asin`) is known there as well, as the weakest names. What users rated (`rating`, `stars`, `overall`) is
then their grade, and what a recommender says they would rate the score of its run.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal, ParamSpec, Protocol, TypeVar

from rankgauge._show import LIMIT, cut, show, show_all
from rankgauge._text import LANGUAGES, Text, joined, zh
from rankgauge.data._places import about
from rankgauge.data.times import ORDERS
from rankgauge.errors import InputError, ParameterError, suggest

__all__ = [
    "RANKED_BY_LISTS",
    "RANKED_BY_ROWS",
    "ROLES",
    "Columns",
    "Kind",
    "Looks",
    "MayBeRated",
    "OfUsers",
    "Rated",
    "SharedColumns",
    "column_for",
    "dates_of",
    "fold",
    "is_surely_time",
    "may_be",
    "own_columns",
    "query_names",
    "read_as",
    "recognise",
    "refuse_repeated",
    "role_of",
    "same_role",
    "shares_columns",
]

P = ParamSpec("P")
T = TypeVar("T")

Kind = Literal["run", "qrels", "predictions", "classes", "interactions", "spans", "pieces", "chunks"]

ROLES: dict[Kind, tuple[str, ...]] = {
    "run": ("query_id", "doc_id", "score", "distance", "rank", "tag"),
    "qrels": ("query_id", "doc_id", "grade", "iteration"),
    "predictions": ("label", "score", "weight", "group", "time", "segment"),
    "classes": ("label", "prediction", "weight", "group", "time", "segment"),
    "interactions": ("user_id", "item_id", "rating", "weight", "time"),
    "spans": ("query_id", "doc_id", "start", "end", "text", "grade", "need", "alternative"),
    "pieces": ("query_id", "chunk_id", "doc_id", "start", "end", "text", "score", "distance", "rank"),
    "chunks": ("chunk_id", "doc_id", "start", "end", "text"),
}

# From the clearest to the weakest, already folded; one string per level.
_QUERY = (
    "queryid qid topicid topicno topicnumber userid uid sessionid requestid searchid questionid 查询id 用户id 问题id",
    "query q topic user session request question querytext userinput 查询 查询词 用户 问题",
)
_DOC = (
    "docid itemid documentid docno corpusid productid passageid pid chunkid contextid iid movieid sku asin "
    "文档id 商品id 物品id 段落id",
    "doc item document product passage chunk movie 文档 商品 物品 段落",
)
_SCORE = (
    "score",
    "scores sim similarity similarityscore relevancescore rankingscore retrievalscore modelscore bm25score "
    "prediction predictions pred predicted predictedscore logit probability prob 得分 打分 分数 相似度",
)
_DISTANCE = ("distance", "distances dist l2distance cosinedistance euclideandistance squareddistance 距离")
_GRADE = (
    "grade relevance rel relevancy relevancegrade relevancelabel rating label judgment judgement gain qrel "
    "grades ratings 相关性 等级 评分 标注",
    "score",  # the header of a BEIR qrels file is `query-id corpus-id score`
)
_RANK = ("rank", "ranks position pos ranking 排名 位置")
_TAG = ("tag", "runid runtag runname system", "model run")
_ITERATION = ("iteration", "iter q0", "subtopic subtopicid intent")

_LABEL = (
    "label 标签",
    "y ytrue target labels truth groundtruth",
    "click clicked isclick isclicked clk converted conversion iscv isconverted isconversion purchase purchased "
    "ispurchase 点击 是否点击 转化 是否转化 购买 是否购买",
)
_PREDICTION = (
    "score",
    "p prob probability proba probabilities pred prediction predictions predicted ypred yscore yprob yproba yhat "
    "pctr pcvr predictedctr predictctr predctr predictedcvr predictcvr predictedprobability predictedscore scores "
    "modelscore 预测 得分 分数 概率 打分 预测值 预测概率 点击率预估 预估点击率",
)
_CLASS = (
    *_LABEL[:2],
    "class trueclass truelabel actual category 类别 真实类别 真实标签",
)
_CALLED = (
    "prediction",
    "predictions pred predicted ypred yhat predictedlabel predictedclass predlabel predclass predictedcategory "
    "预测 预测值 预测类别 预测标签",
)
_WEIGHT = ("weight sampleweight weights sampleweights w wt 权重 样本权重",)
_GROUP = (
    "group groupid 分组",
    "userid uid user 用户id 用户",
    "queryid qid query 查询id 查询",
    "sessionid requestid session request impressionid searchid visitid 会话id 请求id",
)
_TIME = ("time timestamp ts datetime eventtime", "date dt 时间 日期", "day hour")
_USER = (
    "userid uid 用户id",
    "user useridx 用户 customerid customer visitorid memberid reviewerid 客户id",
    "queryid qid sessionid 查询id 会话id",
    "query session",
)
_ITEM = (
    "itemid 物品id",
    "itemidx movieid productid artistid trackid songid bookid newsid videoid gameid businessid asin parentasin isbn "
    "sku pid iid docid 商品id",
    "item movie product artist track song book news video game doc 物品 商品",
)
_STARS = (
    "rating",
    "stars ratings overall bookrating 评分 打分",
)
_PREDICTED_RATING = ("rating", "ratings predictedrating est relevance 评分")
_WHEN = (*_TIME, "unixreviewtime")
_STRENGTH = (
    "weight",
    "weights count plays playcount w confidence 权重 次数 播放次数",
)

_SOURCE = (
    "docid documentid docno corpusid sourceid fileid 文档id",
    "doc document source file filename filepath path url 文档 来源 文件",
)
_CHUNK = ("chunkid nodeid passageid pieceid splitid 文本块id 段落id", "chunk node passage piece 文本块 段落", "id")
_START = ("start", "startindex startoffset startchar answerstart begin offset from 起点 开始 起始")
_END = ("end", "endindex endoffset endchar answerend stop to 终点 结束")
_TEXT = (
    "text",
    "content contents pagecontent passagetext chunktext snippet reference references quote evidence answertext "
    "文本 内容 原文 引文",
    "answer passage context 答案",
)
_NEED = ("need needid", "reference referenceid fact claim aspect 信息点")
_ALTERNATIVE = ("alternative alternativeid", "variant option 备选")


def _levels(**roles: Sequence[str]) -> dict[str, tuple[tuple[str, ...], ...]]:
    return {role: tuple(tuple(level.split()) for level in levels) for role, levels in roles.items()}


_LEVELS: dict[Kind, dict[str, tuple[tuple[str, ...], ...]]] = {
    "run": _levels(query_id=_QUERY, doc_id=_DOC, score=_SCORE, distance=_DISTANCE, rank=_RANK, tag=_TAG),
    "qrels": _levels(query_id=_QUERY, doc_id=_DOC, grade=_GRADE, iteration=_ITERATION),
    "predictions": _levels(label=_LABEL, score=_PREDICTION, weight=_WEIGHT, group=_GROUP, time=_TIME),
    "classes": _levels(label=_CLASS, prediction=_CALLED, weight=_WEIGHT, group=_GROUP, time=_TIME),
    "interactions": _levels(user_id=_USER, item_id=_ITEM, rating=_STARS, weight=_STRENGTH, time=_WHEN),
    "spans": _levels(
        query_id=_QUERY,
        doc_id=_SOURCE,
        start=_START,
        end=_END,
        text=_TEXT,
        grade=_GRADE[:1],
        need=_NEED,
        alternative=_ALTERNATIVE,
    ),
    "pieces": _levels(
        query_id=_QUERY,
        chunk_id=_CHUNK,
        doc_id=_SOURCE,
        start=_START,
        end=_END,
        text=_TEXT,
        score=_SCORE,
        distance=_DISTANCE,
        rank=_RANK,
    ),
    "chunks": _levels(chunk_id=_CHUNK, doc_id=_SOURCE, start=_START, end=_END, text=_TEXT),
}
_WEAKEST: dict[Kind, dict[str, tuple[tuple[str, ...], ...]]] = {
    kind: _levels(query_id=_USER, doc_id=_ITEM) for kind in ("run", "qrels")
}
"""Names that users and items have among interactions, for what no other name is there for."""
_REQUIRED: dict[Kind, tuple[str, ...]] = {
    "run": ("query_id", "doc_id", "score"),
    "qrels": ("query_id", "doc_id", "grade"),
    "predictions": ("label", "score"),
    "classes": ("label",),
    "interactions": ("user_id", "item_id"),
    "spans": ("query_id",),
    "pieces": ("query_id",),
    "chunks": ("chunk_id",),
}
# Names that `columns=` takes as well.
_SAME: dict[Kind, dict[str, str]] = {
    "run": {"user_id": "query_id", "item_id": "doc_id"},
    "qrels": {"user_id": "query_id", "item_id": "doc_id"},
    "predictions": {"user_id": "group", "query_id": "group"},
    "classes": {"user_id": "group", "query_id": "group", "score": "prediction"},
    "interactions": {"query_id": "user_id", "doc_id": "item_id", "timestamp": "time"},
    "spans": {"user_id": "query_id", "item_id": "doc_id"},
    "pieces": {"user_id": "query_id", "item_id": "doc_id"},
    "chunks": {"item_id": "doc_id"},
}
RANKED_BY_LISTS = Text(
    "no scores beside the items: each list is a ranking, best first", "物品旁没有得分：每个列表就是排序结果，最好的在前"
)
"""The note on a run of lists."""
RANKED_BY_ROWS = Text(
    "no score column: the rows of each query are its ranking, best first",
    "没有得分列：每个查询的各行按顺序作为排序结果，最好的在前",
)
"""The note on a run of queries and items only."""
_ALL_RELEVANT = Text(
    "no grade column: every row is a relevant item (grade 1)", "没有等级列：每一行都是相关文档（等级为 1）"
)
_BARE: dict[tuple[str, ...], Text] = {("run", "score"): RANKED_BY_ROWS, ("qrels", "grade"): _ALL_RELEVANT}
"""What is said of tables of a kind that lack only this."""
_NUMBERS = ("score", "grade")
_OF_ROWS = ("predictions", "classes", "interactions")
_PLURAL = ("score", "prediction", "segment")  # of those: there may be several
_OPTIONAL = ("weight", "group", "time", "rating")
_IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns to read, as `{role: name in the input}`, and what there is to say about the choice."""

    source: dict[str, str]
    notes: tuple[str, ...] = ()


class Looks(Protocol):
    """What the values of a column say, by its name."""

    def may_be_score(self, name: str) -> bool:
        """Whether it holds numbers that are not all whole: counts and codes are, scores hardly ever."""

    def is_number(self, name: str) -> bool:
        """Whether it holds numbers."""


class SharedColumns(Mapping[str, str]):
    """One mapping of columns to roles for judgements and runs: each table takes what concerns it.

    In `{"stars": "grade", "sim": "score"}`, `stars` is a column of the judgements and `sim` one of the run. A name that
    both have is taken by both, as far as its role is one of theirs. What no table took is an error once all of them
    were read, with the columns of each.
    """

    def __init__(self, asked: Mapping[str, str]) -> None:
        self._asked = dict(asked)
        self._taken: set[str] = set()
        self._tables: dict[tuple[str, Kind, tuple[str, ...]], None] = {}

    def __getitem__(self, name: str) -> str:
        return self._asked[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._asked)

    def __len__(self) -> int:
        return len(self._asked)

    def of_table(self, names: Sequence[str], kind: Kind, where: str) -> dict[str, str]:
        """The part for a table with columns of these names."""
        self._tables[where, kind, tuple(names)] = None
        for name, role in self._asked.items():
            _check_role(name, role, names)
        own = {
            name: role
            for name, role in self._asked.items()
            if name in names and _SAME[kind].get(role, role) in ROLES[kind]
        }
        self._taken |= own.keys()
        return own

    @property
    def has_seen_both(self) -> bool:
        return len({kind for _, kind, _ in self._tables}) > 1

    def refuse_unused(self) -> None:
        """Raise for what no table took; where no table has columns (dicts, TREC lines), there is nothing to say."""
        for name, role in self._asked.items():
            if name in self._taken or not self._tables:
                continue
            owner = next(((where, kind) for where, kind, names in self._tables if name in names), None)
            if owner is not None:
                where, kind = owner
                raise ParameterError(
                    Text(
                        f"`columns`: {show(name)} is a column of {where} and must map to one of "
                        f"{', '.join(ROLES[kind])} "
                        f"there, got {show(role)}.",
                        f"`columns`：{show(name)} 是 {zh(where)} 的一列，必须映射为 {', '.join(ROLES[kind])} 之一，"
                        f"实际为 {show(role)}。",
                    )
                )
            known = {n: None for _, _, names in self._tables for n in names}
            found = "; ".join(f"in {where}: {_list(names)}" for where, _, names in self._tables)
            raise InputError(
                Text(
                    f"`columns` names {show(name)}, found {found}.{suggest(name, known)}",
                    f"`columns` 中的 {show(name)} 找不到，找到的是 {zh(found)}。{zh(suggest(name, known))}",
                )
            )


def _check_role(name: str, role: str, names: Sequence[str]) -> None:
    """Refuse a role that neither judgements nor runs have."""
    roles = dict.fromkeys((*ROLES["qrels"], *ROLES["run"]))
    if _SAME["run"].get(role, role) in roles:
        return
    if name not in names and _SAME["run"].get(name, name) in roles:
        raise ParameterError(
            Text(
                f"`columns` maps names of the input to names of rankgauge, got {show(role)} as one of the latter: "
                "is it the other way round?",
                f"`columns` 把输入中的名称映射为 rankgauge 的名称，而 {show(role)} 被写成了后者：是不是写反了？",
            )
        )
    raise ParameterError(
        Text(
            f"`columns`: {show(name)} must map to one of {', '.join(roles)}, got {show(role)}.",
            f"`columns`：{show(name)} 必须映射为 {', '.join(roles)} 之一，实际为 {show(role)}。",
        )
        + suggest(role, roles)
    )


def shares_columns(call: Callable[P, T]) -> Callable[P, T]:
    """For a function that reads judgements and runs: its `columns` are for all of them together."""

    @wraps(call)
    def with_shared(*args: P.args, **options: P.kwargs) -> T:
        columns: Any = options.get("columns")
        if not columns or isinstance(columns, SharedColumns):  # of the function that called this one
            return call(*args, **options)
        options["columns"] = shared = SharedColumns(columns)
        result = call(*args, **options)
        shared.refuse_unused()
        return result

    return with_shared


def recognise(
    names: Sequence[str],
    kind: Kind,
    columns: Mapping[str, str] | None = None,
    where: str | None = None,
    looks: Looks | None = None,
    *,
    may_be_bare: bool = False,
) -> Columns:
    """Find the role of every column of a run, of qrels, of predictions or of classes.

    `columns` maps names of the input to roles and is taken first: `{"docno": "doc_id"}`.
    A run without a score column is read by its `distance` (smaller is better), else by its `rank` column.
    A column of predictions may have two roles (`{"uid": "group segment"}`) or none (`{"day": "ignore"}`), and
    several may be scores or segments; these are found as `score:old`, `score:new`, `segment:device`.
    Where it `may_be_bare`, a table of queries and items and nothing else has no score or grade: its rows are relevant
    items, or results in their order. `looks` tells what is in a column, for what an error proposes.

    >>> recognise(["qid", "docno", "sim"], "run").source
    {'query_id': 'qid', 'doc_id': 'docno', 'score': 'sim'}
    """
    where = where or kind
    given, columns = columns, own_columns(columns, names, kind, where)
    source = _asked(names, kind, columns, where)
    asked = set(source)
    taken = {name for role, name in source.items() if not role.startswith("segment:")}
    left = [n for n in names if n not in taken and columns.get(n) != _IGNORE]
    told: list[str] = []
    for role in _LEVELS[kind]:
        if _is_there(role, source):
            continue
        found = _clearest(role, kind, left, told) if _is_optional(role, kind) else _find(role, kind, left, where)
        if found is not None:
            source[role] = found
            left.remove(found)
    whose = _Whose.of(source, left, columns) if kind in _WEAKEST else None
    if whose is not None and (found := whose.number(kind, source, left)) is not None:
        source["score" if kind == "run" else "grade"] = found
        left.remove(found)
    if "score" in source and "distance" in source:
        if {"score", "distance"} <= asked:
            raise ParameterError(
                Text(
                    f"`columns`: {show(source['score'])} is mapped to score and {show(source['distance'])} to "
                    "distance; "
                    "name one, results have one order.",
                    f"`columns`：{show(source['score'])} 映射为 score，{show(source['distance'])} 映射为 "
                    "distance；结果只有一种顺序，请只保留一个。",
                )
            )
        del source["distance" if "distance" not in asked else "score"]
    stand_in = next((r for r in ("distance", "rank") if r in source), None)
    missing = [r for r in _REQUIRED[kind] if not (_is_there(r, source) or (r == "score" and stand_in))]
    bare = None
    are_interactions = kind == "qrels" and whose is not None and whose.are_interactions(left)
    if may_be_bare and (not left or are_interactions):
        bare = _BARE.get((kind, *missing))
    if missing and bare is None:
        if isinstance(given, SharedColumns) and given.has_seen_both:
            given.refuse_unused()  # a misspelt name says more than what is missing for it
        raise InputError(_missing_text(missing, kind, names, left, where, given or {}, looks))
    are_ratings = whose is not None and whose.are_ratings
    notes: tuple[str, ...] = tuple(
        graded(name, are_ratings=are_ratings) if role == "grade" and _is_rating(name) else read_as(name, role)
        for role, name in source.items()
        if fold(name) != fold(role) and role not in asked
    )
    if bare is not None:
        notes += (OfUsers(bare.en, bare.zh) if are_interactions else bare,)
    elif kind == "run" and "score" not in source:
        assert stand_in is not None
        name = source[stand_in]
        notes += (
            Text(
                f"no score column: ordered by {show(name)} (score = -{stand_in})",
                f"没有得分列：按 {show(name)} 排序（score = -{stand_in}）",
            ),
        )
    order = ROLES[kind].index
    ordered = dict(sorted(source.items(), key=lambda item: order(item[0].partition(":")[0])))
    return Columns(ordered, (*notes, *told))


def own_columns(columns: Mapping[str, str] | None, names: Sequence[str], kind: Kind, where: str) -> Mapping[str, str]:
    """The part of `columns` that is for a table with these names: all of it, where it is for this table alone."""
    if columns is not None and not isinstance(columns, Mapping):
        raise ParameterError(
            Text(
                f"`columns` must map names of the input to roles, got {show(columns)}.",
                f"`columns` 必须把输入中的名称映射为角色，实际为 {show(columns)}。",
            )
        )
    for name, role in (columns or {}).items():
        if not isinstance(role, str):
            raise ParameterError(
                Text(
                    f"`columns`: {show(name)} must be mapped to the name of a role, got {show(role)}.",
                    f"`columns`：{show(name)} 必须映射为角色的名称，实际为 {show(role)}。",
                )
            )
    return columns.of_table(names, kind, where) if isinstance(columns, SharedColumns) else columns or {}


def dates_of(columns: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The roles of columns without what is said about their dates, and that.

    >>> dates_of({"day": "time day-first", "uid": "group"})
    ({'day': 'time', 'uid': 'group'}, {'day': 'day-first'})
    """
    plain: dict[str, str] = {}
    dates: dict[str, str] = {}
    for name, role in columns.items():
        words = str(role).split()
        said = [word for word in words if word in ORDERS]
        if not said:
            plain[name] = role
            continue
        if len(said) > 1 or "time" not in words:
            raise ParameterError(
                Text(
                    f"`columns`: {show(name)} must be 'time {ORDERS[0]}' or 'time {ORDERS[1]}', got {show(role)}.",
                    f"`columns`：{show(name)} 必须是 'time {ORDERS[0]}' 或 'time {ORDERS[1]}'，实际为 {show(role)}。",
                )
            )
        plain[name] = " ".join(word for word in words if word not in ORDERS)
        dates[name] = said[0]
    return plain, dates


def refuse_repeated(names: Sequence[str], where: str) -> None:
    """Two columns of the same name: which one is meant cannot be told."""
    if len(set(names)) == len(names):
        return
    places: dict[str, list[int]] = {}
    for i, name in enumerate(names, 1):
        places.setdefault(name, []).append(i)
    problems = [
        Text(
            f"column names must differ, got {show(name)} for columns {' and '.join(map(str, at))}.",
            f"列名必须互不相同，实际第 {' 列和第 '.join(map(str, at))} 列都叫 {show(name)}。",
        )
        for name, at in places.items()
        if len(at) > 1
    ]
    raise InputError.collect(about(where), problems, Text("Rename one, or leave it out.", "请改名，或去掉其中一个。"))


def fold(name: str) -> str:
    """A name without case, blanks, hyphens, underscores, dots, and without what RecBole says of its type.

    >>> fold("User ID"), fold("user_id:token")
    ('userid', 'userid')
    """
    return _SEPARATORS.sub("", _RECBOLE.sub("", str(name))).casefold()


_SEPARATORS = re.compile(r"[\s\-_.]+")
_RECBOLE = re.compile(r":(?:token|float)(?:_seq)?$")


def role_of(name: str, kind: Kind) -> str | None:
    """The role that a column of this name could have, if its name is known at all."""
    folded = fold(name)
    return next((r for r, levels in _LEVELS[kind].items() if any(folded in level for level in levels)), None)


def may_be(name: str, kind: Kind) -> str | None:
    """The same, also by the names that users and items have among interactions."""
    folded = fold(name)
    weak = (r for r, levels in _WEAKEST.get(kind, {}).items() if any(folded in level for level in levels))
    return role_of(name, kind) or next(weak, None)


def query_names(names: Sequence[str]) -> list[str]:
    """Those that could name the query of a record, the clearest first: its id, and its words where it has none.

    >>> query_names(["id", "question", "answer", "qid"])
    ['qid', 'id', 'question']
    """
    known = [word for level in _LEVELS["run"]["query_id"] for word in level]
    words = [
        "queryid",
        *(w for w in known if w not in _ASKED_IN_WORDS),
        "id",
        *(w for w in known if w in _ASKED_IN_WORDS),
    ]
    return sorted((n for n in names if fold(n) in words), key=lambda n: words.index(fold(n)))


_ASKED_IN_WORDS = frozenset(["query", "q", "question", "querytext", "userinput", "查询", "查询词", "问题"])
"""Names of queries that as often hold what is asked."""


def read_as(name: str, role: str) -> Text:
    """The note on a column that was recognised by its name."""
    return Text(f"read {show(name)} as {role}", f"把列 {show(name)} 读作 {role}")


class OfUsers(Text):
    """A note on judgements that are what users did, and not what somebody judged."""

    __slots__ = ()


class MayBeRated(Text):
    """The note on grades that are called ratings: those of users, where interactions stand beside them."""

    __slots__ = ("column",)
    column: str


class Rated(OfUsers, MayBeRated):
    """The note on judgements that are what users rated, which is relevant from some rating on that nobody has said."""

    __slots__ = ()


def graded(name: str, *, are_ratings: bool) -> MayBeRated:
    """The note on a column of ratings that was read as grades."""
    note = (Rated if are_ratings else MayBeRated)(*(read_as(name, "grade").of(language) for language in LANGUAGES))
    note.column = name
    return note


@dataclass(frozen=True, slots=True)
class _Whose:
    """Who ranked or judged what, by the names of columns: users their items, or queries their results.

    A user is called so. `query_id` is what RePlay calls users, and what everybody calls queries: beside items and films
    it may be either, beside documents it is one that is searched for, beside products as well unless they have times.
    """

    is_user: bool
    has_items: bool
    """Whether there are items, by their name; a document or a product is one for users only."""
    has_products: bool
    has_times: bool

    @classmethod
    def of(cls, source: Mapping[str, str], left: Sequence[str], columns: Mapping[str, str]) -> _Whose | None:
        who, what = source.get("query_id"), source.get("doc_id")
        if who is None or what is None:
            return None
        is_user = fold(who) in _USERS or columns.get(who) == "user_id"
        is_item = role_of(what, "interactions") == "item_id" or columns.get(what) == "item_id"
        has_times = any(role_of(n, "interactions") == "time" for n in left)
        is_product = fold(what) in _PRODUCTS
        is_searched = is_product or fold(what) in _DOCUMENTS
        return cls(is_user, is_item and (is_user or not is_searched), is_product, has_times)

    @property
    def are_ratings(self) -> bool:
        """Whether a column of ratings has those of users. In doubt it has: an error says how to have it otherwise, and
        one star that counts as a hit says nothing."""
        return self.is_user or self.has_items or (self.has_products and self.has_times)

    def are_interactions(self, left: Sequence[str]) -> bool:
        """Whether only when and how often they met is left: that they met is a judgement. Other columns may say that it
        was no more than an impression, or a rating."""
        is_pair = self.has_items and (self.is_user or bool(left))
        return is_pair and all(role_of(n, "interactions") in ("time", "weight") for n in left)

    def number(self, kind: Kind, source: Mapping[str, str], left: Sequence[str]) -> str | None:
        """The column with what users rated, or with what a run says they would; None where there is another one.

        A run has no times: a table of ratings that has them is a test in the wrong place.
        """
        if not self.has_items or {"grade", "score", "distance", "rank"} & source.keys():
            return None
        if kind == "run" and self.has_times:
            return None
        words = _LEVELS["interactions"]["rating"] if kind == "qrels" else _levels(score=_PREDICTED_RATING)["score"]
        found = [n for n in left if any(fold(n) in level for level in words)]
        return found[0] if len(found) == 1 else None


_USERS = frozenset(word for level in _LEVELS["interactions"]["user_id"][:2] for word in level)
_DOCUMENTS = frozenset(["docid", "doc"])
_PRODUCTS = frozenset(["productid", "product", "sku", "asin", "parentasin", "pid", "商品id", "商品"])
"""Items that are searched for as well: beside a query they are its results."""


def _is_rating(name: str) -> bool:
    return role_of(name, "interactions") == "rating"


def is_surely_time(name: str) -> bool:
    """Whether the name alone says so: a `timestamp` orders rows, an `hour` may start again every day."""
    return fold(name) in _LEVELS["predictions"]["time"][0]


def _asked(names: Sequence[str], kind: Kind, columns: Mapping[str, str], where: str) -> dict[str, str]:
    if kind in _OF_ROWS:
        columns, _ = dates_of(columns)
    source: dict[str, str] = {}
    several: dict[str, list[str]] = {}
    for name, asked in columns.items():
        if kind in _OF_ROWS and asked == _IGNORE:
            continue
        for role in asked.split() if kind in _OF_ROWS else [asked]:
            role = _SAME[kind].get(role, role)
            _check_asked(name, role, names, kind, where)
            if kind in _OF_ROWS and role in _PLURAL:
                several.setdefault(role, []).append(name)
            elif role in source:
                raise ParameterError(
                    Text(
                        f"`columns`: {show(source[role])} and {show(name)} both map to {show(role)}; name one.",
                        f"`columns`：{show(source[role])} 和 {show(name)} 都映射为 {show(role)}；请只保留一个。",
                    )
                )
            else:
                source[role] = name
    for role, found in several.items():
        if role != "segment" and len(found) == 1:
            source[role] = found[0]
        else:
            source |= {f"{role}:{name}": name for name in found}
    return source


def _check_asked(name: str, role: str, names: Sequence[str], kind: Kind, where: str) -> None:
    if name not in names and role in names and _SAME[kind].get(name, name) in ROLES[kind]:
        raise ParameterError(
            Text(
                f"`columns` maps names of the input to names of rankgauge. Pass columns={{{_quote(role)}: "
                f"{_quote(name)}}}.",
                f"`columns` 把输入中的名称映射为 rankgauge 的名称。请传入 columns={{{_quote(role)}: {_quote(name)}}}。",
            )
        )
    if role not in ROLES[kind]:
        raise ParameterError(
            Text(
                f"`columns`: {show(name)} must map to one of {', '.join(ROLES[kind])}, got {show(role)}.",
                f"`columns`：{show(name)} 必须映射为 {', '.join(ROLES[kind])} 之一，实际为 {show(role)}。",
            )
            + suggest(role, ROLES[kind])
        )
    if name not in names and kind in _OF_ROWS:  # said by `columns`, or by a word of its own such as `scores`
        raise InputError(
            Text(
                f"{where}: there is no column {show(name)}, found: {_list(names)}.{suggest(name, names)}",
                f"{zh(where)}：没有列 {show(name)}，找到的是：{zh(_list(names))}。{zh(suggest(name, names))}",
            )
        )
    if name not in names:
        raise InputError(
            Text(
                f"{where}: `columns` names {show(name)}, found: {_list(names)}.{suggest(name, names)}",
                f"{zh(where)}：`columns` 中的 {show(name)} 找不到，找到的是：{zh(_list(names))}。"
                f"{zh(suggest(name, names))}",
            )
        )


def _is_there(role: str, source: Mapping[str, str]) -> bool:
    """Also as one of several: `score:old`."""
    return any(r.partition(":")[0] == role for r in source)


def _is_optional(role: str, kind: Kind) -> bool:
    return kind in _OF_ROWS and role in _OPTIONAL


def column_for(role: str, kind: Kind, names: Sequence[str], asked: Mapping[str, str], where: str) -> str | None:
    """The one of some columns that has a role: as asked, else by its name."""
    said = next((n for n in names if same_role(asked.get(n, ""), kind) == role), None)
    return said or _find(role, kind, [n for n in names if n not in asked], where)


def same_role(role: str, kind: Kind) -> str:
    """A role as a kind of table calls it."""
    return _SAME[kind].get(role, role)


def _find(role: str, kind: Kind, names: Sequence[str], where: str) -> str | None:
    if role in names:
        return role
    for level in (*_LEVELS[kind][role], *_WEAKEST.get(kind, {}).get(role, ())):
        found = [n for n in names if fold(n) in level]
        if len(found) > 1:
            first, second, *_ = (f"columns={{{_quote(n)}: {_quote(role)}}}" for n in found)
            both = _list(found, Text(" and ", " 和 "))
            text = Text(
                f"{where}: columns {both} could both be {role}. Pass {first} or {second}",
                f"{zh(where)}：列 {zh(both)} 都可能是 {role}。请传入 {first} 或 {second}",
            )
            if kind in _OF_ROWS and role in _PLURAL:
                scores = f"{'scores' if role == 'score' else role}=[{', '.join(map(_quote, found))}]"
                text += Text(f", or {scores} for several models", f"，有多个模型时传入 {scores}")
            raise InputError(text + Text(".", "。"))
        if found:
            return found[0]
    return None


def _clearest(role: str, kind: Kind, names: Sequence[str], notes: list[str]) -> str | None:
    """The best name for what could also be left out; a note tells when there was a choice."""
    words = [role, *(word for level in _LEVELS[kind][role] for word in level)]
    found = sorted((n for n in names if fold(n) in words), key=lambda n: (n != role, words.index(fold(n))))
    if len(found) > 1:
        others = _list(found[1:])
        notes.append(
            Text(
                f"several columns could be the {role}: took {show(found[0])}, not {others}; `{role}` chooses another",
                f"有多列可作为 {role}：取 {show(found[0])}，未取 {others}；可用 `{role}` 另选",
            )
        )
    return found[0] if found else None


def _missing_text(
    missing: Sequence[str],
    kind: Kind,
    names: Sequence[str],
    left: Sequence[str],
    where: str,
    given: Mapping[str, str],
    looks: Looks | None = None,
) -> str:
    # A log has many columns that are none of ours; only a name that is really like one is proposed.
    is_strict = kind in _OF_ROWS and len(left) > len(missing)
    pairs = {
        name: "distance" if kind == "run" and role == "score" and _is_distance(name) else role
        for role, name in _proposed(missing, kind, left, looks, is_strict=is_strict).items()
    }
    found = _list(names) or Text("no columns", "没有列")
    text = Text(
        f"columns missing from {where}: {_list(missing)}. Found: {found}.",
        f"{zh(where)} 缺少列：{zh(_list(missing))}。找到：{zh(found)}。",
    )
    pool = [name for name in left if name not in pairs]
    told = {"score" if r == "distance" else r for r in pairs.values()}
    if pairs:
        pairs = {**given, **pairs}  # what was said already stays said
        asked = f"columns={{{', '.join(f'{_quote(n)}: {_quote(r)}' for n, r in pairs.items())}}}"
        text += Text(f" Pass {asked}.", f"请传入 {asked}。")
    nowhere = [r for r in missing if r not in told]
    fit = [n for n in pool if looks.may_be_score(n)] if is_strict and nowhere == ["score"] and looks is not None else []
    if fit and not told:
        ways = [f"scores={_quote(n)}" for n in fit[:3]]
        several = f"scores=[{', '.join(map(_quote, fit))}]"
        text += Text(f" Pass {' or '.join(ways)}", f"请传入 {' 或 '.join(ways)}")
        text += Text(f", or {several} for several models", f"，有多个模型时传入 {several}") if len(fit) > 1 else ""
        text += Text(".", "。")
    elif nowhere:
        these = _list(nowhere, Text(" or ", " 或 "))
        text += Text(f" Nothing there could be {these}", f"其中没有可作为 {zh(these)} 的列")
        text += (
            Text(
                f'; pass columns={{"name of the column": "{nowhere[0]}"}} if it is.',
                f'；如果有，请传入 columns={{"列名": "{nowhere[0]}"}}。',
            )
            if is_strict
            else Text(".", "。")
        )
        if kind == "qrels" and list(missing) == ["grade"] and left:
            text += Text(
                " If every row is a relevant item, keep only the columns of queries and items.",
                "如果每一行都是相关文档，请只保留查询列和文档列。",
            )
    return text


def _proposed(
    missing: Sequence[str], kind: Kind, left: Sequence[str], looks: Looks | None, *, is_strict: bool
) -> dict[str, str]:
    """The column for each missing role that a user may have meant: one whose name is like it, else as they stand."""
    numbers = {n for n in left if looks is not None and looks.is_number(n)}

    def fits(name: str, role: str) -> bool:
        if kind in _OF_ROWS or looks is None:
            return True
        if role in _NUMBERS:
            return name in numbers and role_of(name, "predictions") not in ("time", "weight")
        return not looks.may_be_score(name)

    least = max(0.75 if is_strict else 0.0, _LIKE)
    pool = list(left)
    like: dict[str, str | None] = {}
    for role in missing:
        near = like[role] = _nearest(role, kind, [n for n in pool if fits(n, role)], least)
        if near is not None:
            pool.remove(near)
    if is_strict:
        return {role: name for role, name in like.items() if name is not None}
    # Names that say nothing are proposed as they stand: query, document, number. Numbers first, for they fit least.
    for role in sorted((r for r in missing if like[r] is None), key=lambda r: r not in _NUMBERS):
        fitting = [n for n in pool if fits(n, role)]
        name = next(iter(reversed(fitting) if role in _NUMBERS else fitting), None)
        if name is not None:
            like[role] = name
            pool.remove(name)
    return {role: name for role in missing if (name := like[role]) is not None}


_LIKE = 0.7
"""From where on a name says what a column is."""


def _nearest(role: str, kind: Kind, names: Sequence[str], least: float) -> str | None:
    """The unused column most like the known spellings of the role, where it is like them at all."""
    known = [word for level in _LEVELS[kind][role] for word in level]

    def likeness(name: str) -> float:
        return max(difflib.SequenceMatcher(None, fold(name), word).ratio() for word in known)

    best = max(names, key=likeness, default=None)
    return best if best is not None and likeness(best) >= least else None


def _is_distance(name: str) -> bool:
    """Whether small numbers are good ones, by the name."""
    return any(word in fold(name) for word in ("dist", "距离"))


def _list(names: Sequence[str], between: Text | None = None) -> str:
    return show_all(names) if between is None else joined(between, map(show, names))


def _quote(name: str) -> str:
    return '"' + cut(str(name), LIMIT).replace("\\", "\\\\").replace('"', '\\"') + '"'
