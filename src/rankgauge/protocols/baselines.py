"""What a simple recommender answers, so that a number can be read: 2.3 times popularity.

    popularity    the items that most users of train had to do with
    recent        the same, counted over the last days of train
    item-knn      items like those the user knows: cosine of the users that items have in common (Sarwar et al., 2001)
    ease          a linear model of items by items with a closed form (Steck, 2019)

Popularity is counted over train alone: counted over test as well, it knows which items will be asked for. What a user
knows already is left out of the list, unless it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._checks import number, one_of, whole
from rankgauge._memory import budget
from rankgauge._numbers import count, size_of
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data.interactions import Interactions
from rankgauge.data.run import Run
from rankgauge.data.top_k import Seen, TieOrder, lists_of_blocks, seen_of
from rankgauge.errors import InputError, ParameterError
from rankgauge.protocols.moments import per_second, said_of

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.top_k import Array, Block

__all__ = ["KINDS", "baseline"]

KINDS = ("popularity", "recent", "item-knn", "ease")
_DAYS = 30.0
_NEIGHBOURS = 50
_L2 = 250.0
_TAKES = {"popularity": (), "recent": ("days",), "item-knn": ("neighbours", "shrink"), "ease": ("l2",)}


def baseline(
    train: Any,
    kind: str = "popularity",
    k: int = 10,
    *,
    users: Any = None,
    seen: bool = False,
    days: float | None = None,
    neighbours: int | None = None,
    shrink: float | None = None,
    l2: float | None = None,
    min_rating: float | None = None,
    memory: str | int | None = None,
    columns: Mapping[str, str] | None = None,
    name: str = "",
) -> Run:
    """The first `k` items that a simple recommender shows to each user, as a run that `evaluate` takes.

    `users` are those to recommend to: a list of ids, or interactions such as the test; those of train by default. Users
    whom train does not know get lists by popularity only; a note says how many have none. What a user knows from train
    is left out, unless `seen=True`. Items with equal scores are in the order in which rankings are evaluated.

    `days` is how far "recent" looks back from the last interaction (30); `neighbours` is how many items each item is
    like (50) and `shrink` what is added to the denominator of the cosine (0) for "item-knn"; `l2` is the penalty of
    "ease" (250), which needs a matrix of items by items: where it does not fit into `memory` (half of what is free), it
    is refused with the size that it would need. `min_rating` leaves out interactions rated below it.

    >>> baseline({"u1": ["a", "b"], "u2": ["b", "c"], "u3": ["b"]}, k=1).to_dict()
    {'u1': {'c': 1.0}, 'u2': {'a': 1.0}, 'u3': {'c': 1.0}}
    """
    kind = one_of("kind", kind, KINDS, caller="baseline")
    k = whole("k", k)
    if not isinstance(seen, (bool, np.bool_)):
        raise ParameterError(
            Text(
                f"`seen` must be True or False, got {show(seen)}.",
                f"`seen` 必须是 True 或 False，实际为 {show(seen)}。",
            )
        )
    _refuse(kind, days=days, neighbours=neighbours, shrink=shrink, l2=l2)
    known = Interactions.of(train, columns=columns, min_rating=min_rating, name="train")
    items = TieOrder.of(known.item_ids)
    asked = known.user_ids if users is None else _ids(users, columns)
    notes = [*known.notes[-1:]] if min_rating is not None else []
    codes = known.user_codes(asked)
    if kind in ("popularity", "recent"):
        counts = _popularity(known) if kind == "popularity" else _recent(known, days, notes)
        frame = _popular(counts[items.order], asked, items, k, None if seen else seen_of(known, asked, items, "train"))
    else:
        warm = codes >= 0
        if not warm.all():
            n = int((~warm).sum())
            notes.append(
                Text(
                    f"{n:,} user{'s have' if n > 1 else ' has'} no list: train does not know them",
                    f"{n:,} 个用户没有列表：训练集中没有他们",
                )
            )
        if not warm.any():
            raise InputError(
                Text(
                    f"{kind} needs users that train knows, and it knows none of {len(asked):,}. Take popularity.",
                    f"{kind} 需要训练集中有过的用户，而 {len(asked):,} 个用户都不在其中。请用 popularity。",
                )
            )
        asked, rows = asked.filter(warm), codes[warm]
        matrix = _matrix(known, items)
        model = _neighbours(matrix, neighbours, shrink) if kind == "item-knn" else _ease(matrix, l2, memory)
        chosen = matrix[rows]
        hidden = None if seen else Seen(chosen.indptr, chosen.indices)
        frame = lists_of_blocks(_products(chosen, model), asked, items, k, hidden)
    _said_of_short(frame, asked, k, notes)
    empty = asked.filter(~asked.is_in(frame["query_id"].unique().implode())).to_list()
    return Run(frame=frame, name=name or kind, notes=tuple(notes), empty=empty)


def _refuse(kind: str, **given: Any) -> None:
    """Words that say nothing about this baseline."""
    for name, value in given.items():
        if value is not None and name not in _TAKES[kind]:
            owner = next(k for k, names in _TAKES.items() if name in names)
            raise ParameterError(
                Text(
                    f"`{name}` must be left out of {show(kind)}: it belongs to {show(owner)}, got {show(value)}.",
                    f"{show(kind)} 不能给出 `{name}`：它只用于 {show(owner)}，实际为 {show(value)}。",
                )
            )


def _ids(users: Any, columns: Mapping[str, str] | None) -> pl.Series:
    """Each user once: of a list of ids, or of interactions."""
    import polars as pl

    from rankgauge.data.mappings import id_text

    is_list = (
        isinstance(users, (list, tuple, set, frozenset, np.ndarray, pl.Series)) or type(users).__name__ == "Series"
    )
    if is_list and all(isinstance(u, (str, int, np.integer)) for u in users):
        found = pl.Series(list(dict.fromkeys(id_text(u, "users") for u in users)), dtype=pl.String)
        if not len(found):
            raise InputError(Text("users: must be at least one, got none.", "users：至少要有一个用户，实际没有。"))
        return found
    return Interactions.of(users, columns=columns, name="users").user_ids


# popularity


def _popularity(known: Interactions) -> Array:
    return known.users_per_item


def _recent(known: Interactions, days: float | None, notes: list[str]) -> Array:
    """Users of each item in the last days."""
    span = number("days", _DAYS if days is None else days, above=0)
    unit = per_second(known)
    if unit is None or known.times is None:
        raise InputError(
            Text(
                'train: "recent" needs times that are dates, or seconds since 1970. Name the column: '
                'columns={"name of the column": "time"}; or take "popularity".',
                'train："recent" 需要日期或 1970 年以来的秒数。请指明时间列：columns={"列名": "time"}；或用 '
                '"popularity"。',
            )
        )
    since = known.times.max() - span * 86_400 * unit
    late = known.times >= since
    notes.append(
        Text(
            f"popularity counted over the {int(late.sum()):,} interactions from {said_of(since, known)} on",
            f"热度按 {said_of(since, known)} 及之后的 {int(late.sum()):,} 条交互统计",
        )
    )
    return known.where(late).users_per_item


def _popular(counts: Array, users: pl.Series, items: TieOrder, k: int, seen: Seen | None) -> pl.DataFrame:
    """The same scores for everybody, less what each has seen: nobody needs more than the first k and as many as they
    have seen."""
    import polars as pl

    most = 0 if seen is None else int(np.diff(seen.starts).max(initial=0))
    best = np.lexsort((np.arange(len(counts)), -counts))[: k + most]
    best = best[counts[best] > 0]
    if seen is not None:
        place = np.full(len(counts), -1)
        place[best] = np.arange(len(best))
        seen = _narrowed(seen, place)
    scores = counts[best].astype(np.float64)
    shown = TieOrder(items.ids.gather(best), items.order[best])
    if not len(best):
        return pl.DataFrame(schema={"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64})
    return lists_of_blocks(lambda rows: np.tile(scores, (rows.stop - rows.start, 1)), users, shown, k, seen)


def _narrowed(seen: Seen, place: Array) -> Seen:
    """The same where only some columns are left."""
    owner = np.repeat(np.arange(len(seen.starts) - 1), np.diff(seen.starts))
    columns = place[seen.columns]
    return Seen.of_pairs(owner[columns >= 0], columns[columns >= 0], len(seen.starts) - 1)


# models of items by items


def _matrix(known: Interactions, items: TieOrder) -> Any:
    """Users by items, 1 where a user had to do with an item; columns in the order of ties."""
    from scipy.sparse import csr_array  # type: ignore[import-untyped,unused-ignore]

    starts, history = known.history
    matrix = csr_array((np.ones(len(history)), items.place[history], starts), shape=(known.n_users, known.n_items))
    matrix.sort_indices()
    return matrix


def _products(chosen: Any, model: Any) -> Block:
    """What the items of a user say of all items, where they say something: a model without a link is no score of 0."""

    def block(rows: slice) -> Array:
        scores = chosen[rows] @ model
        if isinstance(scores, np.ndarray):
            return scores
        dense: Array = scores.toarray()
        dense[dense == 0] = -np.inf
        return dense

    return block


def _neighbours(matrix: Any, neighbours: int | None, shrink: float | None) -> Any:
    """cos(i, j) = |U_i ∩ U_j| / (√(|U_i| |U_j|) + shrink), for the items j that are most like i."""
    from scipy.sparse import csr_array, vstack

    most = whole("neighbours", _NEIGHBOURS if neighbours is None else neighbours)
    more = number("shrink", 0.0 if shrink is None else shrink, at_least=0)
    n = matrix.shape[1]
    users = np.asarray(matrix.sum(axis=0)).ravel()
    by_item = matrix.T.tocsr()
    parts = []
    size = max(_ROWS // max(n, 1), 1)
    for at in range(0, n, size):
        common = (by_item[at : at + size] @ matrix).tocoo()
        row, column = common.row, common.col
        other = row + at != column
        row, column, both = row[other], column[other], common.data[other]
        like = both / (np.sqrt(users[row + at] * users[column]) + more)
        order = np.lexsort((column, -like, row))
        row, column, like = row[order], column[order], like[order]
        starts = np.searchsorted(row, np.arange(common.shape[0]))
        kept = np.arange(len(row)) - starts[row] < most
        parts.append(csr_array((like[kept], (row[kept], column[kept])), shape=common.shape))
    return vstack(parts).T.tocsr()  # an item counts where it is among those that the other one is like


_ROWS = 1 << 24
"""Pairs of items that are looked at together."""


def _ease(matrix: Any, l2: float | None, memory: str | int | None) -> Array:
    """B = I - P / diag(P) with P the inverse of XᵀX + λI: an item is told by the others, never by itself."""
    penalty = number("l2", _L2 if l2 is None else l2, above=0)
    n = matrix.shape[1]
    need, room = 3 * 8 * n * n, budget(memory)
    if need > room:
        raise ParameterError(
            Text(
                f"ease needs a matrix of all items by all items: {n:,} of them take {size_of(need)}, and "
                f"{size_of(room)} "
                "may be used. Leave out rare items, take item-knn, or allow more with memory=.",
                f"ease 需要全部物品两两之间的矩阵：{n:,} 个物品需要 {size_of(need)}，可用 {size_of(room)}。"
                "请去掉冷门物品、改用 item-knn，或用 memory= 放宽。",
            )
        )
    gram = (matrix.T @ matrix).toarray()
    gram[np.diag_indices(n)] += penalty
    inverse = _inverse(gram)
    if inverse is None:
        raise ParameterError(
            Text(
                f"`l2` must be large enough for the matrix of items to be inverted, got {show(penalty)}: items that "
                f"the same users had make it singular. Try {int(_L2)}, or 1.",
                f"`l2` 必须足够大，物品矩阵才可求逆，实际为 {show(penalty)}：被同样的用户交互过的物品会使矩阵奇异。"
                f"请试试 {int(_L2)} 或 1。",
            )
        )
    weights: Array = inverse / -np.diag(inverse)
    weights[np.diag_indices(n)] = 0.0
    return weights


def _inverse(matrix: Array) -> Array | None:
    """The inverse; None where it has no digit that can be relied on."""
    try:
        inverse: Array = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return None
    condition = np.abs(matrix).sum(axis=0).max() * np.abs(inverse).sum(axis=0).max()
    return inverse if condition * np.finfo(np.float64).eps < 1 else None


def _said_of_short(frame: pl.DataFrame, users: pl.Series, k: int, notes: list[str]) -> None:
    lengths = frame.group_by("query_id").len()["len"]
    short = int((lengths.to_numpy() < k).sum()) + len(users) - len(lengths)
    if short:
        notes.append(
            Text(
                f"{short:,} of {count(len(users), 'list')} {'has' if short == 1 else 'have'} fewer than "
                f"{count(k, 'item')}: no more could be recommended",
                f"{len(users):,} 个列表中有 {short:,} 个不足 {k:,} 个物品：没有更多可推荐的",
            )
        )
