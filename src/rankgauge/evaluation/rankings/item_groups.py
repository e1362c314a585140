"""What kind each item is: groups that are given, or that train and items= make.

    popularity    how many users had the item in train: the most popular items that have the first 20% of all pairs of
                  user and item are the head, those that have the last 20% the tail, the others the torso
    age           when the item was first seen in train: the newest third of its items, the oldest, and those between
    a name        an attribute of items=; an item with several values (`drama|comedy`, a list) is in all of their groups

Items that are equally popular, or equally old, are in the same group. Items that train does not have are cold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, nan
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._checks import is_number
from rankgauge._numbers import percent
from rankgauge._piped import is_there
from rankgauge._show import show, show_all
from rankgauge._text import Text
from rankgauge._words import as_meant
from rankgauge.data.activity import COLD
from rankgauge.data.catalogue import CATEGORY, labels_in
from rankgauge.data.slices import ITEM_GROUPS, MOST_VALUES, attribute_table
from rankgauge.errors import InputError, ParameterError, suggest
from rankgauge.evaluation.rankings.slices import NONE

if TYPE_CHECKING:
    from rankgauge.data.catalogue import Catalogue

__all__ = [
    "AGE",
    "COLD",
    "HEAD",
    "MIDDLE",
    "NEW",
    "OLD",
    "POPULARITY",
    "TAIL",
    "TORSO",
    "Grouping",
    "can_group",
    "groupings",
]

POPULARITY, AGE = "popularity", "age"
HEAD, TORSO, TAIL = "head", "torso", "tail"
NEW, MIDDLE, OLD = "new", "middle", "old"
_ORDER = {name: i for i, name in enumerate((HEAD, TORSO, TAIL, NEW, MIDDLE, OLD, COLD))}
_COUNTS = frozenset(
    (
        *("count", "counts", "popularity", "interactions", "clicks", "views", "impressions", "plays", "purchases"),
        *("orders", "ratings", "frequency", "freq"),
        *("次数", "热度", "点击数", "曝光数", "点击次数", "播放量", "购买数"),
    )
)


@dataclass(frozen=True, eq=False)
class Grouping:
    """The groups of items under one attribute."""

    name: str
    of: Mapping[str, tuple[str, ...]]
    """The groups of each item that is in some."""
    otherwise: str = NONE
    """The group of all other items."""

    def groups(self, item: str) -> tuple[str, ...]:
        """The groups of an item; there is always one."""
        return self.of.get(item) or (self.otherwise,)

    def in_order(self, groups: set[str]) -> list[str]:
        """Head, torso and tail in this order, others by name; items without a group come last."""
        known = {*_ORDER, NONE}.issuperset(groups)
        return sorted(groups, key=lambda g: (g == NONE, _ORDER.get(g, 0) if known else g == self.otherwise, g))


def groupings(
    groups: Any, catalogue: Catalogue | None, shares: tuple[float, float], notes: list[str]
) -> list[Grouping]:
    """What `groups` says: words for what train and items= make, or a table; by default all that are known."""
    _check_shares(shares)
    known = _known(catalogue)
    words = _words(groups, known, catalogue)
    if words is None:
        return _of_table(groups, shares, notes)
    assert catalogue is not None
    made = [known[word](catalogue, word, shares, notes, groups is not None) for word in words]
    return [one for one in made if one.of]


def can_group(catalogue: Catalogue | None) -> bool:
    """Whether groups can be made without being told which."""
    return bool(_by_default(_known(catalogue)))


def _by_default(known: Mapping[str, Any]) -> list[str]:
    """Popularity and category, as far as they are known."""
    category = next((n for c in CATEGORY for n in known if n.casefold() == c), None)
    return [name for name in (POPULARITY, category) if name is not None and name in known]


_Made = Callable[["Catalogue", str, tuple[float, float], list[str], bool], Grouping]


def _known(catalogue: Catalogue | None) -> dict[str, _Made]:
    """The words that can be used, and what makes groups of each."""
    if catalogue is None:
        return {}
    out: dict[str, _Made] = dict.fromkeys(catalogue.attributes, _of_attribute)
    if catalogue.train is not None:
        out = {POPULARITY: _of_popularity, **({AGE: _of_age} if catalogue.train.times is not None else {}), **out}
    return out


def _words(groups: Any, known: Mapping[str, Any], catalogue: Catalogue | None) -> list[str] | None:
    """The words that are meant; None for a table."""
    if groups is None:
        if found := _by_default(known):
            return found
        raise ParameterError(
            Text(
                "by_item_group: which groups of items? Pass groups=… (item → group, a table with an item id), or "
                "evaluate with train=… or items=…, of which they are made.",
                "by_item_group：按什么分组？请传入 groups=…（物品 → 分组，或带物品 id 的表），或在评测时传入 train=… "
                "或 items=…，由它们得出分组。",
            )
        )
    given = [groups] if isinstance(groups, str) else groups
    if not isinstance(given, (list, tuple)) or not given or not all(isinstance(x, str) for x in given):
        return None
    if all(word in known for word in given):
        return list(dict.fromkeys(given))
    lacking = next((word for word in given if word in (POPULARITY, AGE)), None)
    if lacking is not None and lacking not in known:
        has_train = catalogue is not None and catalogue.train is not None
        needs = (
            Text("times of interactions, and train has none", "交互的时间，而训练集中没有")
            if has_train
            else Text("what users had before: evaluate with train=…", "用户此前的交互：请在评测时传入 train=…")
        )
        raise ParameterError(
            Text(f"item groups: {show(lacking)} needs {needs}.", f"条目分组：{show(lacking)} 需要{needs.zh}。")
        )
    if _is_word(groups, known) or (len(given) > 1 and any(word in known for word in given)):
        odd = next(word for word in given if word not in known)
        raise ParameterError(
            Text(
                f"item groups: {show(odd)} is not known.{suggest(odd, known)} There are: {show_all(list(known))}.",
                f"条目分组：没有 {show(odd)}。已有：{show_all(list(known))}。",
            )
        )
    return None


def _is_word(groups: Any, known: Mapping[str, Any]) -> bool:
    """Whether this is meant for one of the words, and not for a file."""
    if not known or not isinstance(groups, str) or groups == "-" or set(groups) & set("./\\*"):
        return False
    return not is_there(groups)


# of what is known of the catalogue


def _of_popularity(
    catalogue: Catalogue, name: str, shares: tuple[float, float], notes: list[str], asked: bool
) -> Grouping:
    train = catalogue.train
    assert train is not None
    counts = dict(zip(train.item_ids.to_list(), train.users_per_item.tolist(), strict=True))
    found = _by_popularity(name, {item: float(n) for item, n in counts.items() if n}, shares)
    first, last = (percent(x) for x in (shares[0], 1 - shares[1]))
    least = {group: min((counts[i] for i, g in found.items() if g == group), default=0) for group in (HEAD, TORSO)}
    border = "" if not least[TORSO] else f", {least[TORSO]:,} or more the torso"
    border_zh = "" if not least[TORSO] else f"，{least[TORSO]:,} 个及以上为腰部"
    notes.append(
        Text(
            f"{name}, by users who had the item in train: {least[HEAD]:,} or more are the head (the first {first} of "
            f"all pairs){border}, fewer the tail (the last {last}); cold is not in train",
            f"{name}，按训练集中拥有该物品的用户数：{least[HEAD]:,} 个及以上为头部（全部用户–物品对的前 {first}）"
            f"{border_zh}，更少为长尾（最后 {last}）；冷启动为不在训练集中的物品",
        )
    )
    return Grouping(name, {item: (group,) for item, group in found.items()}, COLD)


def _of_age(catalogue: Catalogue, name: str, shares: tuple[float, float], notes: list[str], asked: bool) -> Grouping:
    from rankgauge.protocols.moments import said_of

    train = catalogue.train
    assert train is not None
    assert train.times is not None
    first = np.full(train.n_items, np.inf)
    np.minimum.at(first, train.items, train.times.astype(np.float64))
    there = np.flatnonzero(np.isfinite(first))
    moments, of_item = np.unique(first[there], return_inverse=True)
    later = len(there) - np.cumsum(np.bincount(of_item))  # items that were first seen after each moment
    group = np.where(3 * later < len(there), 0, np.where(3 * later < 2 * len(there), 1, 2))
    names = (NEW, MIDDLE, OLD)
    ids = train.item_ids.gather(there).to_list()
    notes.append(_on_age(name, [moments[group == i] for i in range(3)], lambda t: said_of(t, train)))
    return Grouping(name, {item: (names[g],) for item, g in zip(ids, group[of_item].tolist(), strict=True)}, COLD)


def _on_age(name: str, moments: Sequence[Any], said: Callable[[Any], str]) -> str:
    """From when on items are new, and until when they are old."""
    new, middle, old = moments
    parts = [Text(f"{NEW} from {said(new.min())} on", f"{said(new.min())} 起为新")]
    if len(middle):
        parts.append(Text(f"{MIDDLE} from {said(middle.min())} on", f"{said(middle.min())} 起为中"))
    if len(old):
        parts.append(Text(f"{OLD} before", "更早为旧"))
    en, zh = ", ".join(part.en for part in parts), "，".join(part.zh for part in parts)
    return Text(
        f"{name}, by the first interaction of the item in train: {en} (a third of the items each, those of one moment "
        "together); cold is not in train",
        f"{name}，按物品在训练集中首次出现的时间：{zh}（各占物品的三分之一，同一时刻的归在一起）；"
        "冷启动为不在训练集中的物品",
    )


def _of_attribute(
    catalogue: Catalogue, name: str, shares: tuple[float, float], notes: list[str], asked: bool
) -> Grouping:
    ids = catalogue.ids
    return _grouped(name, {ids[i]: value for i, value in catalogue.attributes[name].items()}, notes, asked=asked)


# of a table


def _of_table(groups: Any, shares: tuple[float, float], notes: list[str]) -> list[Grouping]:
    read = attribute_table(groups, ITEM_GROUPS, notes)
    if not read:
        raise InputError(Text("item groups: there are none.", "条目分组：没有内容。"))
    is_mapping = isinstance(groups, Mapping)
    out: list[Grouping] = []
    for name in dict.fromkeys(name for row in read.values() for name in row):
        values = {item: row[name] for item, row in read.items() if row.get(name) is not None and row[name] != ""}
        are_counts = as_meant(name).casefold() in _COUNTS or (
            is_mapping and all(isinstance(v, Real) and not isinstance(v, bool) for v in values.values())
        )
        if are_counts:
            found = _by_popularity(name, {item: _number(v) for item, v in values.items()}, shares)
            first, last = (percent(x) for x in (shares[0], 1 - shares[1]))
            notes.append(
                Text(
                    f"{name}, items with the most of it first: the head has the first {first} of its total, the tail "
                    f"the last {last}",
                    f"按 {name} 从高到低排列：头部为其总量的前 {first} 所属的条目，长尾为最后 {last} 所属的条目",
                )
            )
            out.append(Grouping(name, {item: (group,) for item, group in found.items()}))
        elif values and (grouping := _grouped(name, values, notes)).of:
            out.append(grouping)
    if not out:
        raise InputError(
            Text(
                "item groups: nothing to group by. Give each item a group, or a count of how often it was chosen.",
                "条目分组：没有可用于分组的属性。请为每个条目给出分组，或给出它被选择的次数。",
            )
        )
    return out


def _grouped(name: str, values: Mapping[str, Any], notes: list[str], *, asked: bool = False) -> Grouping:
    """Groups of values as they are; one with very many is a text and no group, which is an error where it was asked."""
    of = {item: tuple(dict.fromkeys(labels_in(value))) for item, value in values.items()}
    n = len({group for groups in of.values() for group in groups})
    if n <= MOST_VALUES:
        return Grouping(name, {item: groups for item, groups in of.items() if groups})
    said = Text(
        f"attribute {show(name)} has {n:,} values and is not used as a group",
        f"属性 {show(name)} 有 {n:,} 个取值，不用作分组",
    )
    if asked:
        raise InputError(Text(f"item groups: {said}.", f"条目分组：{said.zh}。"))
    notes.append(said)
    return Grouping(name, {})


def _check_shares(shares: tuple[float, float]) -> None:
    if not (isinstance(shares, Sequence) and len(shares) == 2 and all(is_number(x) for x in shares)) or not (
        0 < shares[0] <= shares[1] < 1
    ):
        raise ParameterError(
            Text(
                f"`shares` must be two numbers between 0 and 1 that ascend, such as (0.2, 0.8), got {show(shares)}.",
                f"`shares` 必须是两个递增的、介于 0 与 1 之间的数，例如 (0.2, 0.8)，实际为 {show(shares)}。",
            )
        )


def _number(value: Any) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        return nan
    return found if isfinite(found) else nan


def _by_popularity(name: str, counts: Mapping[str, float], shares: tuple[float, float]) -> dict[str, str]:
    """Head, torso and tail: each block of equal counts goes where the more popular items before it end."""
    wrong = [item for item, n in counts.items() if not n >= 0]
    if wrong:
        raise InputError(
            Text(
                f"item groups: {name} must be a count of 0 or more, got something else for {show(wrong[0])}.",
                f"条目分组：{name} 必须是不小于 0 的次数，条目 {show(wrong[0])} 不是。",
            )
        )
    total = sum(counts.values())
    if not total > 0:
        raise InputError(
            Text(f"item groups: {name} must not be 0 for all items.", f"条目分组：{name} 不能对所有条目都为 0。")
        )
    out: dict[str, str] = {}
    before = 0.0
    blocks: dict[float, list[str]] = {}
    for item, n in counts.items():
        blocks.setdefault(n, []).append(item)
    for n in sorted(blocks, reverse=True):
        share = before / total
        group = HEAD if share < shares[0] else TORSO if share < shares[1] else TAIL
        out |= dict.fromkeys(blocks[n], group)
        before += n * len(blocks[n])
    return out
