"""Ids of queries and items, and whether both sides write them in the same way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._text import Text
from rankgauge.data.audit.evidence import Evidence, id_kind
from rankgauge.data.audit.registry import EXAMPLES, Found, Severity, among, are, check, items, of, queries, show
from rankgauge.data.spelling import CHANGES, CHUNK, cuts, without_chunk, without_prefix

if TYPE_CHECKING:
    import polars as pl


@check(
    "mixed-ids",
    why=Text(
        "7 and '7' are different keys of a dict, so results can miss their judgement.",
        "在字典中 7 与 '7' 是不同的键，结果可能因此对不上标注。",
    ),
    try_=Text(
        "Make all ids text: str(id).",
        "把所有 id 转为文本：str(id)。",
    ),
)
def _mixed_ids(e: Evidence) -> Iterator[Found]:
    for side in e.sides:
        rows = side.mapping or {}
        kinds: dict[str, list[str]] = {}
        counts: Counter[str] = Counter()
        groups: list[tuple[str, Collection[Any]]] = [
            ("query", rows),
            *(("item", row) for row in rows.values()),
        ]
        for what, ids in groups:
            types = set(map(type, ids))
            if types <= {str}:
                counts[f"{what} text"] += len(ids)
                continue
            for i in ids:
                key = f"{what} {id_kind(i)}"
                counts[key] += 1
                if len(kinds.setdefault(key, [])) < EXAMPLES:
                    kinds[key].append(Text(f"{what} id {show(i)}", f"{_SIDES[what]} id {show(i)}"))
        mixed = [k for what in ("query", "item") if _is_mix(ks := _kinds(counts, what)) for k in ks]
        if mixed:
            rare = sorted(mixed, key=lambda k: counts[k])
            odd = rare[:-1] if len(rare) > 1 else rare
            parts = [(f"{counts[k]:,}", k, *k.partition(" ")[::2]) for k in rare]
            said = Text(
                "Ids are of several kinds: " + ", ".join(f"{n} {k} ids" for n, k, _, _ in parts) + ".",
                "id 有多种类型：" + "，".join(f"{n} 个{_SIDES[of_]} id 为 {kind}" for n, _, of_, kind in parts) + "。",
            )
            examples = [x for k in odd for x in kinds.get(k, [])][:EXAMPLES]
            yield Found(side.name, sum(counts[k] for k in odd), said, examples, "error")


_SIDES = {"query": "查询", "item": "条目"}


def _kinds(counts: Counter[str], what: str) -> list[str]:
    return [k for k in counts if k.startswith(what) and counts[k]]


def _is_mix(kinds: Sequence[str]) -> bool:
    return len(kinds) > 1 or any(k.endswith("other") for k in kinds)


@check(
    "id-mismatch",
    why=Text(
        "Ids are compared exactly, so these judged items count as not retrieved.",
        "id 按原样比较，因此这些已标注条目会被当作未检索到。",
    ),
    try_=Text(
        "Write the ids of both sides in the same way; give chunks the id of their document and pass duplicates='keep'.",
        "让两边的 id 写法一致；片段请改为所属文档的 id，并使用 duplicates='keep'。",
    ),
)
def _id_mismatch(e: Evidence) -> Iterator[Found]:
    for run in e.runs:
        for noun, left, right in (
            (Text("judged queries", "个已标注查询"), e.qrels.names, run.names),
            (Text("judged ids", "个已标注 id "), e.qrels.ids, run.frame["doc_id"]),
        ):
            lost = absent(left, right)
            pairs = _respelled(lost, left, right)
            change = _change(pairs)
            if 2 * pairs.height < lost.len():
                prefix, prefixed = _prefixed(lost, right)
                if prefixed.height > max(pairs.height, lost.len() / 2):  # fewer may be two names that end alike
                    pairs, change = prefixed, without_prefix(prefix)
                chunks = _of_chunks(lost, right)
                if chunks.height > max(pairs.height, lost.len() / 2):
                    pairs, change = chunks, without_chunk(_suffix(chunks))
            if pairs.is_empty():
                continue
            n = pairs.height
            serious = n >= 0.05 * left.len() or n >= 0.5 * lost.len()
            severity: Severity = "error" if n >= 0.5 * left.len() else "warning" if serious else "note"
            what = Text(
                f"{of(n, left.len(), noun)} would match the run only after {change}.",
                f"{among(n, left.len(), noun.zh)}要在{change.zh}之后才能与结果对上。",
            )
            spelled = pairs.sort("id").head(EXAMPLES).iter_rows()
            examples = [Text(f"{show(a)} and {show(b)}", f"{show(a)} 与 {show(b)}") for a, b in spelled]
            yield Found(run.name, n, what, examples, severity)


def absent(left: pl.Series, right: pl.Series) -> pl.Series:
    """The ids on the left that are not on the right, which may be long."""
    shared = right.filter(right.is_in(left.implode()))
    return left.filter(~left.is_in(shared.implode()))


def _normalised(x: pl.Expr) -> pl.Expr:
    import polars as pl

    # plain letters are normal already, and asking is far cheaper than changing
    return pl.when(x.str.len_bytes() == x.str.len_chars()).then(x).otherwise(x.str.normalize("NFKC"))


def _spellings() -> dict[str, Callable[[pl.Expr], pl.Expr]]:
    return {
        "trimming blanks": lambda x: x.str.strip_chars(),
        "changing case": lambda x: x.str.to_lowercase(),
        "dropping leading zeros": lambda x: x.str.replace(r"^([^0-9]*)0+([0-9])", "$1$2"),
        "removing '.0'": lambda x: x.str.replace(r"\.0+$", ""),
        "Unicode normalisation": _normalised,
    }


_CANONICAL = r"^(?:[a-z_-]*[1-9][a-z0-9_-]*|[a-z_-]*0?[a-z_-]*)$"  # ids that no change would change


def _respelled(lost: pl.Series, left: pl.Series, right: pl.Series) -> pl.DataFrame:
    """Lost ids of the left, each with an `other` of the right that differs in spelling only."""
    import polars as pl

    if not lost.len():
        return pl.DataFrame(schema={"id": pl.String, "other": pl.String})
    spellings = _spellings()

    def key(x: pl.Expr) -> pl.Expr:
        for how in ("Unicode normalisation", "changing case", "trimming blanks", "removing '.0'"):
            x = spellings[how](x)
        return spellings["dropping leading zeros"](x)

    a = pl.DataFrame({"id": lost}).with_columns(key=key(pl.col("id")))
    # most ids are as they should be: these are looked up, and only the others have to be changed
    odd = ~right.str.contains(_CANONICAL)
    others = right.filter(odd | right.is_in(a["key"].implode())).unique()
    b = pl.DataFrame({"other": others.filter(~others.is_in(left.implode()))}).with_columns(key=key(pl.col("other")))
    return a.join(b, on="key").unique("id").select("id", "other")


_SOME = 1_000


def _prefixed(lost: pl.Series, right: pl.Series) -> tuple[str, pl.DataFrame]:
    """The prefix that one side writes before ids of the other, and these ids as `_respelled` has them."""
    import polars as pl

    found: Counter[str] = Counter()
    for ids, others in ((lost, right), (right.unique(), lost)):
        some = ids.gather_every(max(1, ids.len() // _SOME)).to_list()
        parts = [(prefix, rest) for x in some for prefix, rest in cuts(x)]
        rests = pl.Series([rest for _, rest in parts], dtype=pl.String)
        known = set(others.filter(others.is_in(rests.unique().implode())).to_list())
        found.update(prefix for prefix, rest in parts if rest in known)
    (best, _), *_ = found.most_common(1) or [("", 0)]
    short = pl.DataFrame({"id": lost}).with_columns(other=pl.col("id").str.strip_prefix(best))
    long = pl.DataFrame({"id": lost}).with_columns(other=best + pl.col("id"))
    changed = pl.concat([short, long]).filter(pl.col("other") != pl.col("id"))
    return best, changed.filter(pl.col("other").is_in(right.unique().implode())).unique("id")


def _of_chunks(lost: pl.Series, right: pl.Series) -> pl.DataFrame:
    """Lost ids that name a document of which the other side names chunks, or the reverse, as `_respelled` has them."""
    import polars as pl

    others = right.unique()
    shown = pl.DataFrame({"other": others, "id": others.str.replace(CHUNK, "")})
    named = pl.DataFrame({"id": lost, "other": lost.str.replace(CHUNK, "")})
    known = [shown.filter(pl.col("id").is_in(lost.implode())), named.filter(pl.col("other").is_in(others.implode()))]
    found = pl.concat([x.select("id", "other") for x in known]).filter(pl.col("id") != pl.col("other"))
    return found.sort("id", "other").unique("id", keep="first")


def _suffix(pairs: pl.DataFrame) -> str:
    """What the chunk of the first pair has behind its document."""
    short, long = sorted(pairs.sort("id").row(0), key=len)
    return str(long.removeprefix(short))


def _change(pairs: pl.DataFrame) -> Text:
    """The change that makes the ids of all pairs the same, or how far each gets."""
    import polars as pl

    ways = {
        how: pairs.filter(change(pl.col("id")) == change(pl.col("other"))).height
        for how, change in _spellings().items()
    }
    best = max(ways, key=lambda how: ways[how])
    if ways[best] == pairs.height:
        return CHANGES[best]
    found = {how: n for how, n in ways.items() if n}
    parts = ", ".join(f"{how}: {n:,}" for how, n in found.items())
    chinese = "，".join(f"{CHANGES[how].zh.strip()}：{n:,}" for how, n in found.items())
    return Text(
        "several changes together" + (f" ({parts})" if parts else ""),
        "同时做多种改动" + (f"（{chinese}）" if parts else ""),
    )


@check(
    "judged-ids-never-retrieved",
    why=Text(
        "When judgements and runs come from different collections, no system can find these items.",
        "如果标注与结果来自不同的文档集，任何系统都找不到这些条目。",
    ),
    try_=Text(
        "Check that both speak of the same collection and write ids in the same way.",
        "确认两边是同一个文档集，且 id 写法一致。",
    ),
)
def _never_retrieved(e: Evidence) -> Iterator[Found]:
    import polars as pl

    ids = e.qrels.relevant["doc_id"].unique(maintain_order=True)
    if not e.runs or not ids.len():
        return
    lost = ids
    for run in e.runs:
        lost = absent(lost, run.frame["doc_id"])
    if not lost.len():
        return
    n, total = lost.len(), ids.len()
    what = Text(
        f"{of(n, total, 'relevant ids')} {are(n)} in no result list.",
        f"{among(n, total, '个相关 id ')}不在任何结果列表中。",
    )
    rows = e.qrels.relevant.filter(pl.col("doc_id").is_in(lost.implode()))
    severity: Severity = "warning" if _is_another_collection(e, ids.len(), lost.len()) else "note"
    yield Found(e.qrels.name, lost.len(), what, items(rows), severity)


def _is_another_collection(e: Evidence, n: int, lost: int) -> bool:
    """Whether more is missing than short lists or a poor system explain."""
    # pooled judgements cover what systems show, so judged results on top prove that the ids agree
    shares = [run.judged_share for run in e.runs if not isnan(run.judged_share)]
    if lost <= n / 2 or max(shares, default=0.0) >= 0.5:
        return False
    room = e.qrels.relevant_per_query
    for i, run in enumerate(e.runs):
        room = room.join(run.frame.group_by("query_id").len(f"n{i}"), on="query_id", how="left")
    shown = room.drop("query_id", "n").fill_null(0).sum_horizontal().to_numpy()
    fits = int(np.minimum(room["n"].to_numpy(), shown).sum())
    # a recommender may show the same few items to everybody
    expected = min(n, fits, sum(run.ids.len() for run in e.runs))
    deep = float(np.median(shown)) >= 100 and not (e.qrels.only_positive or e.qrels.of_users)
    return n - lost <= expected / (2 if deep else 10)


@check(
    "unknown-items",
    why=Text(
        "What is not in the catalogue cannot be offered, has no attributes, and takes no part in coverage.",
        "不在目录中的物品无法提供给用户，没有属性，也不计入覆盖率。",
    ),
    try_=Text(
        "Check that items= is the whole catalogue and that both write ids in the same way.",
        "确认 items= 是完整的目录，且两边 id 写法一致。",
    ),
)
def _unknown_items(e: Evidence) -> Iterator[Found]:
    if e.catalogue is None:
        return
    for run in e.runs:
        unknown = run.frame.filter(e.catalogue.numbers_of(run.frame["doc_id"]) >= e.catalogue.n_items)
        if n := unknown.height:
            total = run.frame.height
            what = Text(
                f"{of(n, total, 'results')} {are(n)} not in the catalogue.", f"{among(n, total, '条结果')}不在目录中。"
            )
            yield Found(run.name, n, what, items(unknown), "error" if n == total else "warning")


@check(
    "self-retrieval",
    why=Text(
        "Where queries are items of the collection, each finds itself first; BEIR leaves such results out.",
        "如果查询本身是文档集中的条目，每个查询都会先找到自己；BEIR 会去掉这类结果。",
    ),
    try_=Text(
        "Remove the query's own id from its list.",
        "从列表中去掉查询自身的 id。",
    ),
)
def _self_retrieval(e: Evidence) -> Iterator[Found]:
    import polars as pl

    for run in e.runs:
        best = np.zeros(run.frame.height, dtype=bool)
        best[run.order[run.offsets[:-1]]] = True
        own = run.frame.with_columns(best=pl.Series(best)).filter(pl.col("query_id") == pl.col("doc_id"))
        own = own.join(e.qrels.items, on=["query_id", "doc_id"], how="anti")
        # small numbers are ids of queries and of items by accident; those are seldom on top
        if own.height and own["best"].mean() >= 0.5:  # type: ignore[operator]
            what = Text(
                f"{of(own.height, run.names.len(), 'lists')} hold the query itself as a result.",
                f"{among(own.height, run.names.len(), '个列表')}把查询自身作为结果。",
            )
            yield Found(run.name, own.height, what, queries(own["query_id"]), "note")
