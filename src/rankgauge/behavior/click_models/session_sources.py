"""Sessions from impression tables, dicts and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._numbers import number
from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge.alignment import Array
from rankgauge.behavior.click_models.sessions import Sessions
from rankgauge.data.frames import is_frame, to_polars
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["read_sessions"]

_COLUMNS = ("request_id", "query_id", "item_id", "position", "click")
_FEW_CELLS = 10_000_000  # lists this sparse are not worth a refusal


def read_sessions(source: Any, *, columns: Mapping[str, str] | None, depth: int | None, users: bool) -> Sessions:
    """Sessions as they come, not merged; everything that cannot be read is an error."""
    if isinstance(source, Mapping) and "items" in source:
        return _from_arrays(source, depth, users)
    if isinstance(source, Sequence) and not isinstance(source, str) and all(isinstance(d, Mapping) for d in source):
        if not source:
            raise InputError(
                Text("sessions: there must be at least one session, got none.", "会话：至少要有一个会话，实际没有。")
            )
        if all("items" in d for d in source):
            return _from_dicts(source, depth, users)
    return _from_table(_table(source), columns or {}, depth, users)


# tables


def _table(source: Any) -> pl.LazyFrame:
    import polars as pl

    if isinstance(source, pl.LazyFrame):
        return source
    if is_frame(source):
        return to_polars(source).lazy()
    if isinstance(source, (Mapping, Sequence)) and not isinstance(source, str):
        return pl.DataFrame(source).lazy()
    raise InputError(
        Text(
            f"sessions must come from an impression table, dicts or arrays, got {type(source).__name__}. "
            'Try Sessions.of([{"query": "q", "items": ["a", "b"], "clicks": [0, 1]}]).',
            f'会话必须来自曝光表、dict 或数组，实际为 {type(source).__name__}。请试试 Sessions.of([{{"query": '
            f'"q", "items": ["a", "b"], "clicks": [0, 1]}}])。',
        )
    )


def _from_table(table: pl.LazyFrame, columns: Mapping[str, str], depth: int | None, users: bool) -> Sessions:
    import polars as pl

    table = table.rename({old: new for old, new in columns.items() if old != new})
    needed = [*_COLUMNS, *(["user_id"] if users else [])]
    found = table.collect_schema().names()
    missing = [name for name in needed if name not in found]
    if missing:
        raise InputError(
            Text(
                f"columns missing from sessions: {show_all(missing)}. Found: {show_all(found)}. "
                f'Pass columns={{"my_column": "{missing[0]}"}}.',
                f'会话缺少列：{show_all(missing)}。找到：{show_all(found)}。请传入 columns={{"my_column": '
                f'"{missing[0]}"}}。',
            )
        )
    rows = table.select(needed).collect()
    position, click = _checked(rows)
    if depth is not None:
        kept = position <= depth
        rows, position, click = rows.filter(pl.Series(kept)), position[kept], click[kept]
    if not len(rows):
        raise InputError(_NO_IMPRESSION)
    request, requests = _codes(rows["request_id"])
    n, deepest = len(requests), int(position.max())
    _check_sparse(n, deepest, len(rows))
    items = np.full((n, deepest), -1, dtype=np.int64)
    clicks = np.zeros((n, deepest), dtype=bool)
    item, item_names = _codes(rows["item_id"])
    items[request, position - 1] = item
    clicks[request, position - 1] = click
    if int((items >= 0).sum()) != len(rows):
        _refuse_twice(request, position, requests)
    query, query_names = _codes(rows["query_id"])
    user, user_names = _codes(rows["user_id"]) if users else (None, None)
    return Sessions(
        query=_of_request(query, request, requests, "query_id"),
        items=items,
        clicks=clicks,
        weight=np.ones(n, dtype=np.int64),
        query_names=query_names,
        item_names=item_names,
        user=None if user is None else _of_request(user, request, requests, "user_id"),
        user_names=user_names,
    )


_NO_IMPRESSION = Text(
    "sessions: there must be at least one impression, got none.", "会话：至少要有一次曝光，实际没有。"
)


def _checked(rows: pl.DataFrame) -> tuple[Array, Array]:
    """Positions as whole numbers from 1 and clicks as yes or no; all that is neither is one error."""
    import polars as pl

    problems: list[str] = [
        Text(
            f"{name} must be there in every row, got {nulls} rows without it.",
            f"每行都必须有 {name}，实际有 {nulls} 行没有。",
        )
        for name, nulls in rows.null_count().row(0, named=True).items()
        if nulls
    ]
    position, click = rows["position"], rows["click"]
    if not position.dtype.is_numeric():
        problems.append(
            Text(
                f"position must be a whole number from 1, got a column of {position.dtype}.",
                f"position 必须是从 1 开始的整数，该列的类型是 {position.dtype}。",
            )
        )
    elif not problems:
        bad = position.filter(~((position >= 1) & (position == position.floor()) & position.is_finite()))
        if len(bad):
            try_ = (
                Text(
                    " Positions count from 1: add 1 where they count from 0.",
                    "位置从 1 开始计数：如果是从 0 开始的，请加 1。",
                )
                if bad[0] == 0
                else ""
            )
            problems.append(
                Text(
                    f"position must be a whole number from 1, got {show(bad[0])} ({len(bad)} rows).{try_}",
                    f"position 必须是从 1 开始的整数，实际为 {show(bad[0])}（{len(bad)} 行）。{zh(try_)}",
                )
            )
    if click.dtype != pl.Boolean:
        if not click.dtype.is_numeric():
            problems.append(
                Text(
                    f"click must be true or false (or 1 and 0), got a column of {click.dtype}.",
                    f"click 必须是 true 或 false（或 1 和 0），该列的类型是 {click.dtype}。",
                )
            )
        elif not problems and len(bad := click.filter(~click.is_in([0, 1]))):
            problems.append(
                Text(
                    f"click must be true or false (or 1 and 0), got {show(bad[0])} ({len(bad)} rows).",
                    f"click 必须是 true 或 false（或 1 和 0），实际为 {show(bad[0])}（{len(bad)} 行）。",
                )
            )
    if problems:
        raise InputError.collect(Text("sessions: ", "会话："), problems)
    return position.cast(pl.Int64).to_numpy(), click.cast(pl.Boolean).to_numpy()


def _check_sparse(n: int, deepest: int, rows: int) -> None:
    if n * deepest > max(_FEW_CELLS, 20 * rows):
        raise InputError(
            Text(
                f"sessions: positions must be near the top, got position {deepest} where lists have "
                f"{number(rows / n, 1)} items "
                "on average. Pass depth=50 or so to leave out what is below.",
                f"会话：位置必须靠近顶部，实际有第 {deepest} 位，而列表平均只有 {number(rows / n, 1)} 个物品。"
                "请传入 depth=50 左右的值，略去更靠下的部分。",
            )
        )


def _codes(values: pl.Series) -> tuple[Array, Array]:
    """A code per value in the order of the ids as text, and those ids."""
    import polars as pl

    distinct = values.rename("value").unique().to_frame().with_columns(name=pl.col("value").cast(pl.String))
    distinct = distinct.sort("name").with_row_index("code")
    coded = values.rename("value").to_frame().join(distinct, on="value", how="left", maintain_order="left")
    return coded["code"].cast(pl.Int64).to_numpy(), distinct["name"].to_numpy().astype(object)


def _of_request(codes: Array, request: Array, requests: Array, what: str) -> Array:
    """The one code of each request; two are an error."""
    one = np.empty(len(requests), dtype=np.int64)
    one[request] = codes
    wrong = np.unique(request[one[request] != codes])
    if len(wrong):
        raise InputError(
            Text(
                f"sessions: a request_id must have one {what}, got several in {len(wrong)} requests "
                f"(first: {show(requests[wrong[0]])}). Make request_id unique per list that was shown.",
                f"会话：一个 request_id 只能有一个{zh(what)}，实际有 {len(wrong)} 个请求有多个（首先是 "
                f"{show(requests[wrong[0]])}）。请让 request_id 对每个展示过的列表唯一。",
            )
        )
    return one


def _refuse_twice(request: Array, position: Array, requests: Array) -> None:
    order = np.lexsort((position, request))
    same = (np.diff(request[order]) == 0) & (np.diff(position[order]) == 0)
    at = order[np.flatnonzero(same)[0]]
    raise InputError(
        Text(
            f"sessions: a position of a request must have one item, got two or more at {int(same.sum())} positions "
            f"(first: request {show(requests[request[at]])}, position {position[at]}). Remove duplicate impressions "
            "first.",
            f"会话：一个请求的一个位置只能有一个物品，实际有 {int(same.sum())} 个位置有两个或更多（首先是请求 "
            f"{show(requests[request[at]])} 的第 {position[at]} 位）。请先去掉重复的曝光。",
        )
    )


# dicts and arrays


def _from_dicts(source: Sequence[Mapping[str, Any]], depth: int | None, users: bool) -> Sessions:
    without = [str(i + 1) for i, d in enumerate(source) if not {"query", "items", "clicks"} <= d.keys()]
    if without:
        raise InputError(
            Text(
                f"sessions: each must have 'query', 'items' and 'clicks'; not so in session {without[0]}.",
                f"会话：每个会话必须有 'query'、'items' 和 'clicks'；第 {without[0]} 个会话不是这样。",
            )
        )
    lengths = np.array([len(d["items"]) for d in source])
    uneven = np.flatnonzero(lengths != np.array([len(d["clicks"]) for d in source]))
    if len(uneven):
        raise InputError(
            Text(
                f"sessions: items and clicks must be of one length; not so in session {uneven[0] + 1}.",
                f"会话：items 和 clicks 的长度必须相同；第 {uneven[0] + 1} 个会话不是这样。",
            )
        )
    deepest = int(lengths.max())
    row, column = np.nonzero(np.arange(deepest) < lengths[:, None])
    items = np.full((len(source), deepest), None, dtype=object)
    items[row, column] = np.fromiter(chain.from_iterable(d["items"] for d in source), dtype=object, count=len(row))
    clicks = np.zeros((len(source), deepest), dtype=object)
    clicks[row, column] = np.fromiter(chain.from_iterable(d["clicks"] for d in source), dtype=object, count=len(row))
    arrays = {"query": [d["query"] for d in source], "items": items, "clicks": clicks}
    arrays["weight"] = [d.get("weight", 1) for d in source]
    if users:
        arrays["user"] = [d.get("user") for d in source]
    return _from_arrays(arrays, depth, users)


def _from_arrays(source: Mapping[str, Any], depth: int | None, users: bool) -> Sessions:
    missing = [name for name in ("query", "clicks", *(["user"] if users else [])) if name not in source]
    if missing:
        raise InputError(
            Text(
                f"sessions: arrays must have 'query', 'items' and 'clicks', got no {show(missing[0])}.",
                f"会话：数组必须有 'query'、'items' 和 'clicks'，实际没有 {show(missing[0])}。",
            )
        )
    items, clicks = np.asarray(source["items"]), np.asarray(source["clicks"])
    query = np.asarray(source["query"])
    if items.ndim != 2 or items.shape != clicks.shape or query.shape != items.shape[:1]:
        raise InputError(
            Text(
                "sessions: query must be (n,), items and clicks (n, depth), "
                f"got {query.shape}, {items.shape} and {clicks.shape}.",
                f"会话：query 的形状必须是 (n,)，items 和 clicks 的形状必须是 (n, depth)，实际为 {query.shape}、"
                f"{items.shape} 和 {clicks.shape}。",
            )
        )
    if not items.size:
        raise InputError(_NO_IMPRESSION)
    shown = _something(items)
    clicked = _yes(clicks)
    lost = int((clicked & ~shown).sum())
    if lost:
        raise InputError(
            Text(
                f"sessions: a click must be on an item, got {lost} clicks where there is none.",
                f"会话：点击必须落在物品上，实际有 {lost} 次点击处没有物品。",
            )
        )
    weight = np.asarray(source.get("weight", np.ones(len(query), dtype=np.int64)))
    if weight.shape != query.shape or not np.all((weight >= 1) & (weight == np.floor(weight))):
        raise InputError(
            Text(
                "sessions: weight must be a whole number from 1 for each session.",
                "会话：每个会话的 weight 必须是不小于 1 的整数。",
            )
        )
    if depth is not None:
        items, clicked, shown = items[:, :depth], clicked[:, :depth], shown[:, :depth]
    keep = shown.any(axis=1)
    if not keep.any():
        raise InputError(_NO_IMPRESSION)
    deepest = int(np.flatnonzero(shown.any(axis=0))[-1]) + 1
    items, clicked, shown, query, weight = (
        items[keep, :deepest], clicked[keep, :deepest], shown[keep, :deepest], query[keep], weight[keep],
    )  # fmt: skip
    item, item_names = _codes(_texts(items[shown]))
    full = np.full(items.shape, -1, dtype=np.int64)
    full[shown] = item
    query_code, query_names = _codes(_texts(query))
    user, user_names = _codes(_texts(np.asarray(source["user"])[keep])) if users else (None, None)
    return Sessions(
        query=query_code,
        items=full,
        clicks=clicked,
        weight=weight.astype(np.int64),
        query_names=query_names,
        item_names=item_names,
        user=user,
        user_names=user_names,
    )


def _something(items: Array) -> Array:
    """Where there is an item: not negative, not None, not empty."""
    if items.dtype.kind in "iu":
        return items >= 0
    if items.dtype.kind == "f":
        return items >= 0  # NaN is not
    nothing: Array = (items == np.array(None, dtype=object)) | (items == "")
    return ~nothing


def _yes(clicks: Array) -> Array:
    if clicks.dtype != bool:
        if clicks.dtype == object:
            clicks = clicks.astype(np.float64)
        if not np.isin(clicks, (0, 1)).all():
            raise InputError(
                Text(
                    "sessions: clicks must be true or false (or 1 and 0).",
                    "会话：clicks 必须是 true 或 false（或 1 和 0）。",
                )
            )
    return clicks.astype(bool)


def _texts(values: Array) -> pl.Series:
    import polars as pl

    if values.dtype == object:
        if any(v is None for v in values.tolist()):
            raise InputError(
                Text(
                    "sessions: each must have a query (and a user, where users are asked for), got None.",
                    "会话：每个会话必须有查询（需要用户时还要有用户），实际为 None。",
                )
            )
        return pl.Series(list(map(str, values.tolist())), dtype=pl.String)
    if values.dtype.kind == "f":
        values = values.astype(np.int64) if np.array_equal(values, np.floor(values)) else values
    return pl.Series(values)
