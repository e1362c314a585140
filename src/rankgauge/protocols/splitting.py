"""What a model may learn from, and what it is asked afterwards.

    split(ratings, "time")            everything before a moment, and from it on: how a system is used
    split(ratings, "last", n=1)       the last interactions of each user (leave one out), and everything before them
    split(ratings, "user")            some users, whole or by their last interactions, and all the others
    split(ratings, "random")          some interactions, whenever they happened
    folds(ratings, 5, "user")         the same five times, each user tested once

Rows of the same time are never torn apart by a moment. Where the order of one user's rows has to be known, rows of the
same time are in the order in which they were given. What a split does to a result is said as remarks, with counts: what
happened after the first test and was learned from all the same, who and what is tested without having been trained on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankgauge._checks import number, one_of, whole
from rankgauge._numbers import count, percent
from rankgauge._numbers import share as in_percent
from rankgauge._records import Record
from rankgauge._rng import random_generator
from rankgauge._show import show
from rankgauge._text import Text, composed, joined
from rankgauge._typing import Array
from rankgauge._version import __version__
from rankgauge.data.interaction_reading import opened
from rankgauge.data.interactions import Interactions
from rankgauge.errors import InputError, ParameterError
from rankgauge.protocols import cuts
from rankgauge.protocols.moments import moment, said_of
from rankgauge.protocols.taking import rows_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["BY", "Split", "SplitPart", "folds", "split"]

BY = ("time", "last", "user", "random")
KEEP, DROP = "keep", "drop"
_SHARE = 0.2
_FOLDS = 5
Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class SplitPart:
    """How much there is in one part of a split."""

    name: str
    rows: int
    users: int
    items: int
    first: str = ""
    """When its first row happened, where that is known."""
    last: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Split(
    Record,
    kind="split",
    schema=1,
    not_stored={
        name: Text("Split the interactions again, in the same way.", "请用同样的方式重新划分交互。")
        for name in ("train", "test")
    },
):
    """Interactions to learn from and interactions to be asked about: `train, test = rg.split(…)`."""

    train: Any
    """As what was given: a frame of pandas for a frame of pandas, a Polars frame for a file."""
    test: Any
    by: str
    parts: Sequence[SplitPart]
    counts: Mapping[str, int] = field(default_factory=dict)
    """Rows and users that something is to be said about; 0 where there is nothing. What is kept is counted in `test` as
    it is, what is dropped among the rows that the drops before it have left."""
    remarks: Sequence[str] = ()
    """What to know before relying on it."""
    fold: int = 0
    """Which of several, from 1; 0 for the only one."""
    version: str = __version__

    def __iter__(self) -> Iterator[Any]:
        """Train and test, so that they can be taken apart."""
        return iter((self.train, self.test))

    def csv_rows(self) -> list[dict[str, Any]]:
        """A row for each part; of one of several with its number."""
        names = ("rows", "users", "items", "first", "last")
        fold = {"fold": self.fold} if self.fold else {}
        return [{**fold, "part": p.name, **{name: getattr(p, name) for name in names}} for p in self.parts]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row for each part."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())


def split(
    interactions: Any,
    by: str = "time",
    *,
    share: float | None = None,
    at: Any = None,
    n: int | None = None,
    cold_users: str = KEEP,
    cold_items: str = KEEP,
    seen: str = KEEP,
    min_rating: float | None = None,
    columns: Mapping[str, str] | None = None,
    rng: Any = 0,
) -> Split:
    """Interactions as train and test; frames come back as frames of the same kind, files as Polars frames. Lists of
    items come back as one row for each interaction.

    `by` says how: "time" tests what happened from a moment on (`at`, or the one that leaves a `share` of the rows, 0.2
    by default), "last" the last `n` interactions of each user (1 by default), "user" a `share` of the users (with `n`
    their last interactions only, the others stay in train), "random" a `share` of all interactions.

    Test rows whose user is not in train (`cold_users`), whose item is not (`cold_items`), or whose user has had the
    item in train (`seen`) are kept unless one says "drop"; they are counted either way. `min_rating` leaves out
    interactions rated below it, in train as in test. `columns` maps names of the input to user_id, item_id, rating and
    time. `rng` is the seed of what is drawn.

    >>> train, test = split({"u1": ["a", "b", "c"], "u2": ["b", "d"]}, "last")
    >>> train, test
    ({'u1': ['a', 'b'], 'u2': ['b']}, {'u1': ['c'], 'u2': ['d']})
    """
    by = one_of("by", by, BY, caller="split")
    _refuse(by, share=share, at=at, n=n)
    known, source = _opened(interactions, columns, min_rating)
    rules = _Rules(by, cold_users, cold_items, seen)
    remarks: list[str] = []
    if by == "time":
        cut = _cut(known, share, at)
        masks = cuts.at_time(known.times, cut)  # type: ignore[arg-type]
        _said_of_moment(known, cut, masks, rules, _SHARE if share is None and at is None else share, remarks)
    elif by == "last":
        masks = cuts.last_rows(known.users, _order(known, "last", remarks), whole("n", 1 if n is None else n))
    elif by == "user":
        drawn = random_generator(rng).permutation(known.n_users)
        chosen = drawn[: _some(known.n_users, share, Text("users", "用户"))]
        masks = _of_users(known, chosen, n, remarks)
    else:
        drawn = _in_order(known)[random_generator(rng).permutation(len(known))]
        masks = cuts.at_random(len(known), drawn[: _some(len(known), share, Text("interactions", "交互"))])
    return _made(known, source, masks, rules, remarks)


def folds(
    interactions: Any,
    k: int = _FOLDS,
    by: str = "user",
    *,
    n: int | None = None,
    cold_users: str = KEEP,
    cold_items: str = KEEP,
    seen: str = KEEP,
    min_rating: float | None = None,
    columns: Mapping[str, str] | None = None,
    rng: Any = 0,
) -> list[Split]:
    """The same split k times, so that a result does not hang on one of them; the words are those of `split`.

    By "user" and "random" every user, or interaction, is tested in one of the folds. By "time" the folds are windows
    that follow each other, each tested by what came before it: with k = 4 the second to the fifth of five parts of the
    rows. By "last" the newest fold tests the last `n` interactions of each user, the one before it the `n` before
    those, and knows nothing of what came later. The oldest fold comes first.
    """
    by = one_of("by", by, BY, caller="folds")
    whole("k", k, at_least=2)
    _refuse(by, share=None, at=None, n=n)
    known, source = _opened(interactions, columns, min_rating)
    rules = _Rules(by, cold_users, cold_items, seen)
    made: list[tuple[cuts.Cut, list[str]]] = []
    if by == "time":
        times = _times(known, "time")
        if (found := cuts.windows(times, k)) is None:
            raise InputError(
                Text(
                    f"{known.name}: {k} folds by time need more than {k} different times with rows between them. "
                    "Take fewer folds.",
                    f"{_zh(known)}：按时间划分 {k} 折需要 {k} 个以上不同的时间。请减少折数。",
                )
            )
        for begin, end in found:
            after = times >= begin
            within = after if end is None else after & (times < end)
            made.append(((~after, within), []))
    elif by == "last":
        size = whole("n", 1 if n is None else n)
        told: list[str] = []
        in_order = _order(known, "last", told)
        longest = int(np.bincount(known.users).max())
        if longest <= k * size:  # the oldest fold would have nobody
            raise InputError(
                Text(
                    f"{known.name}: {k:,} folds of the last {size:,} need a user with more than {k * size:,} "
                    f'interactions, the longest history has {longest:,}. Take fewer folds, or split by "time", "user" '
                    'or "random".',
                    f"{_zh(known)}：每折取最后 {size:,} 条、共 {k:,} 折，需要有用户的交互数多于 {k * size:,} 条，"
                    f'而最长的历史有 {longest:,} 条。请减少折数，或按 "time"、"user"、"random" 划分。',
                )
            )
        made += [(cuts.last_rows(known.users, in_order, size, j * size), list(told)) for j in reversed(range(k))]
    else:
        of_users = by == "user"
        total = known.n_users if of_users else len(known)
        if total < k:
            what = Text("users", "用户") if of_users else Text("interactions", "交互")
            raise ParameterError(
                Text(
                    f"`k` must be at most the number of {what}, {total:,}, got {show(k)}.",
                    f"`k` 不能超过{what.zh}数 {total:,}，实际为 {show(k)}。",
                )
            )
        order = np.arange(total) if of_users else _in_order(known)
        for chosen in np.array_split(order[random_generator(rng).permutation(total)], k):
            told = []
            masks = _of_users(known, chosen, n, told) if of_users else cuts.at_random(total, chosen)
            made.append((masks, told))
    return [_made(known, source, masks, rules, told, i) for i, (masks, told) in enumerate(made, 1)]


# what was asked for


@dataclass(frozen=True)
class _Rules:
    """How to split, and what to do about rows that a model cannot know."""

    by: str
    cold_users: str
    cold_items: str
    seen: str

    def __post_init__(self) -> None:
        for name in _ABOUT_ROWS:
            one_of(name, getattr(self, name), (KEEP, DROP))


_ABOUT_ROWS = ("cold_users", "cold_items", "seen")
"""Rules about test rows that a model cannot know or would not show, in the order in which they are followed."""
_TAKES = {"time": ("share", "at"), "last": ("n",), "user": ("share", "n"), "random": ("share",)}


def _refuse(by: str, **given: Any) -> None:
    """Words that say nothing about this way to split."""
    for name, value in given.items():
        if value is not None and name not in _TAKES[by]:
            ways = ", ".join(show(b) for b, names in _TAKES.items() if name in names)
            raise ParameterError(
                Text(
                    f"`{name}` must be left out where by={show(by)}: it belongs to {ways}, got {show(value)}.",
                    f"by={show(by)} 时不能给出 `{name}`：它只用于 {ways}，实际为 {show(value)}。",
                )
            )
    if given.get("share") is not None and given.get("at") is not None:
        raise ParameterError(
            Text("pass `at` or `share`, not both: a moment or a share.", "`at` 与 `share` 只能给出一个：时刻或比例。")
        )


def _opened(interactions: Any, columns: Mapping[str, str] | None, min_rating: float | None) -> tuple[Interactions, Any]:
    known, source = opened(interactions, columns)
    if min_rating is None:
        return known, source
    least = known.at_least(min_rating)
    assert known.ratings is not None
    return least, rows_of(source, known.ratings >= min_rating)


def _zh(known: Interactions) -> str:
    return "交互" if known.name == "interactions" else known.name


def _times(known: Interactions, by: str) -> Any:
    if known.times is not None:
        return known.times
    why = joined(
        Text(" ", ""), [Text(f"{n}.", f"{n.zh if isinstance(n, Text) else n}。") for n in known.notes if "time" in n]
    )
    raise InputError(
        composed(
            "{}: splitting by {} needs times, and there are none. {}{}",
            "{}：按 {} 划分需要时间，但没有时间列。{}{}",
            Text(known.name, _zh(known)),
            show(by),
            why + Text(" ", "") if why else "",
            Text(
                'Name the column, columns={"name of the column": "time"}, or split by "user" or "random".',
                '请指明时间列：columns={"列名": "time"}，或按 "user"、"random" 划分。',
            ),
        )
    )


def _order(known: Interactions, by: str, remarks: list[str]) -> Any:
    """Times, or None where rows are in order without them."""
    if known.times is None and known.is_in_order:
        remarks.append(
            Text(
                "no times: the order of a user's items is taken for that in time",
                "没有时间：以用户物品的先后顺序为时间顺序",
            )
        )
        return None
    return _times(known, by)


def _some(total: int, share: float | None, what: Text) -> int:
    """How many a share is, at least one and not all."""
    share = number("share", _SHARE if share is None else share, above=0, below=1)
    if total < 2:
        raise InputError(
            Text(
                f"at least two {what} are needed for a split, got {total}.",
                f"划分至少需要两个{what.zh}，实际为 {total}。",
            )
        )
    return min(max(int(share * total + 0.5), 1), total - 1)


def _of_users(known: Interactions, chosen: Any, n: int | None, remarks: list[str]) -> cuts.Cut:
    if n is None:
        return cuts.of_users(chosen, known.users)
    return cuts.last_of_users(chosen, known.users, _order(known, "user", remarks), whole("n", n))


def _cut(known: Interactions, share: float | None, at: Any) -> Any:
    times = _times(known, "time")
    if at is not None:
        cut = moment(at, known)
        if not (times.min() < cut <= times.max()):
            raise ParameterError(
                Text(
                    "`at` must be after the first interaction and not after the last one, "
                    f"{said_of(times.min(), known)} … {said_of(times.max(), known)}, got {show(at)}.",
                    f"`at` 必须晚于第一条交互、不晚于最后一条交互（{said_of(times.min(), known)} … "
                    f"{said_of(times.max(), known)}），实际为 {show(at)}。",
                )
            )
        return cut
    asked = number("share", _SHARE if share is None else share, above=0, below=1)
    if (cut := cuts.time_near(times, asked)) is None:
        raise InputError(
            Text(
                f"{known.name}: all interactions have the same time, {said_of(times.min(), known)}: no moment "
                "divides them.",
                f"{_zh(known)}：所有交互的时间相同（{said_of(times.min(), known)}），没有可以划分的时刻。",
            )
        )
    return cut


_NEAR = 0.01
"""How far the share of test may be from the one asked for before it is said."""


def _said_of_moment(
    known: Interactions, cut: Any, masks: cuts.Cut, rules: _Rules, asked: float | None, remarks: list[str]
) -> None:
    train, test = masks
    tested = float(test.mean())
    when = said_of(cut, known)
    said = Text(
        f"tested is what happened from {when} on: {in_percent(tested)} of all interactions",
        f"测试集为 {when} 及之后的交互：占全部交互的 {in_percent(tested)}",
    )
    if gone := sum(int(rows.sum()) for rows in _to_drop(known, train, test, rules).values()):
        left = in_percent((int(test.sum()) - gone) / len(known))
        said += Text(f", {left} after dropping", f"，去掉之后占 {left}")
    remarks.append(said)
    if asked is not None and abs(tested - asked) > _NEAR:
        same = int((known.times == cut).sum())
        remarks.append(
            Text(
                f"asked for were {percent(asked)}: interactions of the same time stay together, and {same:,} "
                f"{'has' if same == 1 else 'have'} the time of the cut",
                f"要求的比例为 {percent(asked)}：同一时间的交互不会被拆开，其中 {same:,} 条恰在划分时刻",
            )
        )


def _in_order(known: Interactions) -> Array:
    """Rows by user, item and time: what is drawn must not depend on the order in which they came."""
    columns = (known.weights, known.ratings, known.times, known.items, known.users)
    order: Array = np.lexsort([np.asarray(c) for c in columns if c is not None])
    return order


# what comes of it


def _made(known: Interactions, source: Any, masks: cuts.Cut, rules: _Rules, remarks: list[str], fold: int = 0) -> Split:
    train, test = masks
    gone = _to_drop(known, train, test, rules)
    kept = test.copy()
    for rows in gone.values():
        kept &= ~rows
    if not test.any() and rules.by == "last":
        raise InputError(
            Text(
                f"{known.name}: nothing is left to test, as no user has more interactions than are tested. "
                'Take a smaller n, or split by "time" or "random".',
                f"{_zh(known)}：没有可测试的交互：没有用户的交互数多于测试所取的条数。"
                '请减小 n，或按 "time"、"random" 划分。',
            )
        )
    if not kept.any() or not train.any():
        raise InputError(
            Text(
                f"{known.name}: nothing is left to {'test' if train.any() else 'train on'}. Take another share, or "
                "keep what is dropped.",
                f"{_zh(known)}：{'没有可测试的交互' if train.any() else '没有可训练的交互'}。请换一个比例，"
                "或保留被去掉的部分。",
            )
        )
    counts, more = _looked_at(known, masks, gone, kept, rules)
    parts = [_part(known, mask, name) for mask, name in ((train, "train"), (kept, "test"))]
    return Split(
        train=rows_of(source, train),
        test=rows_of(source, kept),
        by=rules.by,
        parts=parts,
        counts=counts,
        remarks=[*known.notes, *remarks, *more],
        fold=fold,
    )


def _part(known: Interactions, mask: Mask, name: str) -> SplitPart:
    ends = ("", "")
    if known.times is not None:
        times = known.times[mask]
        ends = said_of(times.min(), known), said_of(times.max(), known)
    users, items = (len(np.unique(codes[mask])) for codes in (known.users, known.items))
    return SplitPart(name=name, rows=int(mask.sum()), users=users, items=items, first=ends[0], last=ends[1])


def _unknown(codes: Any, train: Mask, total: int) -> Mask:
    """Rows whose user, or item, is not trained on."""
    there = np.zeros(total, dtype=bool)
    there[codes[train]] = True
    unknown: Mask = ~there[codes]
    return unknown


def _looked_for(name: str, known: Interactions, train: Mask) -> Mask:
    """Rows, of test or not, that `cold_users`, `cold_items` or `seen` is about."""
    if name == "cold_users":
        return _unknown(known.users, train, known.n_users)
    if name == "cold_items":
        return _unknown(known.items, train, known.n_items)
    return known.where(train).has(known.users, known.items)


def _to_drop(known: Interactions, train: Mask, test: Mask, rules: _Rules) -> dict[str, Mask]:
    """Test rows that each rule leaves out, of those that the rules before it have left: none is counted twice."""
    gone: dict[str, Mask] = {}
    left = test
    for name in _ABOUT_ROWS:
        if getattr(rules, name) == DROP:
            gone[name] = left & _looked_for(name, known, train)
            left = left & ~gone[name]
    return gone


def _looked_at(
    known: Interactions, masks: cuts.Cut, gone: Mapping[str, Mask], kept: Mask, rules: _Rules
) -> tuple[dict[str, int], list[str]]:
    """What there is to say about rows of test, and of train beside them: those dropped, or those that are left."""
    train, test = masks
    cold_user, cold_item, again = (
        gone[name] if name in gone else kept & _looked_for(name, known, train) for name in _ABOUT_ROWS
    )
    later = tied = 0
    if known.times is not None and rules.by != "time":
        later = int((known.times[train] > known.times[kept].min()).sum())
        tied = cuts.tied_at_cut(train, test, known.users, known.times) if rules.by in ("last", "user") else 0
    counts = {
        "cold_users": len(np.unique(known.users[cold_user])),
        "cold_user_rows": int(cold_user.sum()),
        "cold_items": len(np.unique(known.items[cold_item])),
        "cold_item_rows": int(cold_item.sum()),
        "seen_rows": int(again.sum()),
        "untested_users": known.n_users - len(np.unique(known.users[test])),
        "later_rows": later,
        "tied_users": tied,
    }
    remarks = (
        _said_of_later(later, int(train.sum())),
        _said_of_tied(tied),
        _said_of_untested(counts["untested_users"]) if rules.by == "last" else "",
        _said_of_cold(counts["cold_users"], counts["cold_user_rows"], "user", rules.cold_users),
        _said_of_cold(counts["cold_items"], counts["cold_item_rows"], "item", rules.cold_items),
        _said_of_seen(counts["seen_rows"], rules.seen),
    )
    return counts, [said for said in remarks if said]


# remarks: nothing where there is nothing to say


def _said_of_later(rows: int, of: int) -> str:
    if not rows:
        return ""
    return Text(
        f"{rows:,} of {of:,} training rows happened after the first test row: a model learns from what was not known "
        'then; by="time" avoids it',
        f'训练集 {of:,} 行中有 {rows:,} 行发生在第一条测试交互之后：模型学到了当时还不知道的信息；by="time" 可避免',
    )


def _said_of_tied(users: int) -> str:
    if not users:
        return ""
    return Text(
        f"{count(users, 'user')} {'has' if users == 1 else 'have'} rows of the same time on both sides of the cut: "
        "their order in the input decided",
        f"{users:,} 个用户在划分处两侧有时间相同的行：以输入中的先后为准",
    )


def _said_of_untested(users: int) -> str:
    if not users:
        return ""
    return Text(
        f"{users:,} user{'s are' if users > 1 else ' is'} not tested: with no more rows than are tested, nothing would "
        "be left to train on",
        f"{users:,} 个用户未被测试：其交互数不超过要测试的条数，否则将没有训练数据",
    )


def _said_of_seen(rows: int, rule: str) -> str:
    if not rows:
        return ""
    done = (
        ("dropped from test", "已从测试集去掉")
        if rule == DROP
        else (
            'kept; recommenders that leave out what was seen cannot hit them (seen="drop")',
            '已保留；不推荐已看过物品的系统无法命中它们（可用 seen="drop" 去掉）',
        )
    )
    return Text(
        f"{rows:,} test row{'s' if rows > 1 else ''} whose user has had the item in train: {done[0]}",
        f"{rows:,} 条测试交互的物品，其用户在训练集中已有过：{done[1]}",
    )


def _said_of_cold(n: int, rows: int, what: str, rule: str) -> str:
    if not n:
        return ""
    zh = "用户" if what == "user" else "物品"
    done = (
        ("dropped from test", "已从测试集去掉")
        if rule == DROP
        else (f'kept (cold_{what}s="drop" leaves them out)', f'已保留（cold_{what}s="drop" 可去掉）')
    )
    return Text(
        f"{n:,} {what}{'s' if n > 1 else ''} of test {'are' if n > 1 else 'is'} not in train, with {rows:,} "
        f"row{'s' if rows > 1 else ''}: {done[0]}",
        f"测试集中有 {n:,} 个{zh}不在训练集中，共 {rows:,} 行：{done[1]}",
    )
