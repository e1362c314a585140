"""What a measure of shown items is: a few lines over `Shown`, of each list or of the whole run.

of each list      `of_lists`: a value per list; means, intervals, slices and paired tests are those of any measure
of the whole run  `of_run`: one value of all lists together, and the value without each of them

A number of the whole run has no value per user. How far it can be trusted follows from what it would be without each
user (the jackknife; Efron 1982): with θ the value of n lists and θ₋ᵢ that without list i,

    shareᵢ = θ + (n - 1) (mean(θ₋) - θ₋ᵢ)          mean(share) = θ,  standard error = sd(share) / √n

so that shares are to it what values of users are to a mean. Where the jackknife is known to say too much, as of numbers
of distinct items (`statistics/distinct.py`), shares are moved towards θ by as much. Two runs for the same users are
compared by the differences of their shares. It is about as many users as there are here: coverage grows with their
number, and what it would be for all users there ever will be is another question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np

from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array, Segments
from rankgauge.alignment.shown import Catalogue, Relevant, Shown
from rankgauge.errors import ParameterError
from rankgauge.measures.base import Measure
from rankgauge.measures.definition import RecordWords, Registry
from rankgauge.statistics.jackknife import shares
from rankgauge.statistics.quantiles import quantile

__all__ = [
    "ASKED",
    "NEEDS",
    "SHORT_LISTS",
    "SHOWN",
    "OfLists",
    "OfQuantile",
    "OfRun",
    "ShownCase",
    "ShownMeasure",
    "Whole",
    "lacking",
    "measure",
    "shares",
    "untimed",
]

SHORT_LISTS = Text(
    "A list shorter than k is divided by its length, users without a list are left out.",
    "列表不足 k 条时除以其长度，没有列表的用户不计入。",
)
"""What a mean over the places of a list does at its edges."""

NEEDS: Mapping[str, Text] = {
    "catalogue": Text(
        "the catalogue: pass items=… (ids, a table of items), or train=… (interactions, whose items it then is)",
        "物品目录：请传入 items=…（id 或物品表），或 train=…（交互，以其中的物品为目录）",
    ),
    "train": Text("what users had before: pass train=… (interactions)", "用户此前的交互：请传入 train=…"),
    "attributes": Text(
        "what kind of item each is: pass items=… with a column such as category",
        "物品的类别：请传入带有 category 等列的 items=…",
    ),
    "features": Text(
        "what items are like: pass items=… with a column such as category, or with a vector for each",
        "物品的特征：请传入带有 category 等列的 items=…，或每个物品的向量",
    ),
}
"""What measures may need of a catalogue, and how to give it."""


ASKED: Mapping[str, Text] = {
    "timings": Text("times", "耗时"),
    "cost": Text("what each query cost", "每个查询的费用"),
    "tokens": Text("how many tokens each query took", "每个查询的 token 数"),
    "calls": Text("the calls of each query", "每个查询的调用"),
}
"""What measures may need of a live retriever."""


def _has(catalogue: Catalogue, need: str) -> bool:
    """Whether a catalogue has what is needed."""
    return {
        "catalogue": catalogue.n_items > 0,
        "train": catalogue.train is not None,
        "attributes": bool(catalogue.attributes),
        "features": bool(catalogue.attributes) or catalogue.vectors is not None,
    }[need]


@dataclass(frozen=True)
class ShownCase:
    """Lists small enough to check by hand, and the arithmetic as a Python expression."""

    lists: Mapping[str, Sequence[str]]
    sum: str
    train: Mapping[str, Sequence[str]] | None = None
    items: Any = None
    relevant: Mapping[str, Sequence[str]] = field(default_factory=dict)
    seconds: Mapping[str, float | None] | None = None
    """How long each list was waited for; None where there was an error instead."""
    spent: Mapping[str, Mapping[str, float]] | None = None
    """What each list cost, by `cost`, `tokens` and `calls`."""
    params: Mapping[str, Any] = field(default_factory=dict)

    def rows(self) -> list[dict[str, Any]]:
        """User by user: what was shown, and what the number needs beside it."""
        users = list(dict.fromkeys((*self.lists, *(self.train or {}))))
        kind = self.items if isinstance(self.items, Mapping) else {}

        def told(ids: Sequence[str]) -> str:
            return " ".join(f"{i} ({_told(kind[i])})" if i in kind else i for i in ids) or "–"

        rows = []
        for user in users:
            row = {"user": user}
            if self.train is not None:
                row["before"] = told(self.train.get(user, ()))
            row["shown"] = told(self.lists.get(user, ()))
            if self.relevant:
                row["relevant"] = told(self.relevant.get(user, ()))
            if self.seconds is not None:
                waited = self.seconds.get(user)
                row["seconds"] = Text("error", "出错") if waited is None else short(waited)
            for what, used in (self.spent or {}).items():
                row[what] = short(used[user]) if user in used else "–"
            rows.append(row)
        if self.items is not None and not kind:
            every = {"user": Text("(catalogue)", "（目录）"), "shown": told(self.items)}
            rows.append({name: every.get(name, "") for name in rows[0]})
        return rows


def _told(value: Any) -> str:
    return value if isinstance(value, str) else ", ".join(map(str, value))


class ShownMeasure(Measure):
    """Base of the measures of shown items."""

    needs: ClassVar[frozenset[str]] = frozenset({"shown"})
    example: ClassVar[ShownCase | None] = None  # type: ignore[assignment]
    relevance: ClassVar[bool] = False
    trailing: ClassVar[tuple[str, ...]] = ()
    by_whole_needs: ClassVar[bool] = False
    counts_all_users: ClassVar[bool] = False
    """Whether it says something of a user to whom nothing is shown."""
    is_latency: ClassVar[bool] = False
    """Whether it says how long a query takes."""

    @property
    def is_of_items(self) -> bool:
        """Whether it looks at the items of lists, and not at how long they took or what they cost."""
        return not self.needs & ASKED.keys()

    @property
    def looks_at_relevant(self) -> bool:
        """Whether it asks for items that are relevant and not shown."""
        return False

    def per_query(self, a: Alignment) -> Array:
        raise ParameterError(
            Text(
                f"{self} is about the items that are shown, which ranks of judged items do not tell. "
                "Ask evaluate() for it.",
                f"{self} 说的是展示的物品，已标注条目的排名中没有这些信息。请用 evaluate() 计算。",
            )
        )

    def check(self, catalogue: Catalogue) -> None:
        """Raise where what is known of items does not hold what the parameters name."""

    def unbounded(self) -> str | None:
        return Text("it is about what is shown, not about what is relevant", "它看展示了什么，而不是什么相关")

    def of(  # type: ignore[override]
        self,
        lists: Mapping[str, Sequence[str]],
        train: Any = None,
        items: Any = None,
        relevant: Mapping[str, Sequence[str]] | None = None,
        seconds: Mapping[str, float | None] | None = None,
        spent: Mapping[str, Mapping[str, float]] | None = None,
    ) -> float:
        """The number of a few lists of ids, best first; `relevant` are the relevant items of each user."""
        catalogue = Catalogue.of(train, items)
        if missing := lacking([self], catalogue):
            raise ParameterError(missing)
        self.check(catalogue)
        shown = few(lists, catalogue, relevant or {}, seconds, spent or {})
        if without := untimed([self], shown):
            raise ParameterError(without)
        return self.number(shown.within(self.cutoff))

    def number(self, s: Shown) -> float:
        """One number for all lists."""
        raise NotImplementedError  # pragma: no cover


ShownMeasure.params = {}  # lists are taken as they are: nothing is left out of them


def few(
    lists: Mapping[str, Sequence[str]],
    catalogue: Catalogue,
    relevant: Mapping[str, Sequence[str]],
    seconds: Mapping[str, float | None] | None = None,
    spent: Mapping[str, Mapping[str, float]] = MappingProxyType({}),
) -> Shown:
    """A few lists of ids, best first; users without any have an empty one."""
    lengths = np.array([len(ids) for ids in lists.values()], dtype=np.int64)
    grade = [1.0 if i in relevant.get(user, ()) else np.nan for user, ids in lists.items() for i in ids]
    none = np.zeros(len(lists), dtype=np.int64)
    wanted = [list(dict.fromkeys(relevant.get(user, ()))) for user in lists]
    waited = None if seconds is None else [seconds.get(user) for user in lists]
    return Shown(
        query_ids=list(lists),
        offsets=Segments.of_lengths(lengths).offsets,
        items=catalogue.numbers(i for ids in lists.values() for i in ids),
        grade=np.array(grade, dtype=np.float64),
        missing=lengths == 0,
        retrieved=lengths,
        repeats=none,
        best=np.array([1.0 if ids else np.nan for ids in wanted]),
        catalogue=catalogue,
        wanted=Relevant(
            Segments.of_lengths(np.array([len(ids) for ids in wanted], dtype=np.int64)).offsets,
            catalogue.numbers(i for ids in wanted for i in ids),
            np.ones(sum(map(len, wanted))),
        ),
        seconds=None if waited is None else np.array([np.nan if x is None else x for x in waited], dtype=np.float64),
        failed=None if waited is None else np.array([float(x is None) for x in waited]),
        spent={what: np.array([told.get(user, np.nan) for user in lists]) for what, told in spent.items()},
    )


def untimed(measures: Sequence[ShownMeasure], shown: Shown) -> Text | None:
    """What to do where a measure needs what a run does not have of its retriever; None where nothing is missing."""
    for need, what in ASKED.items():
        names = [str(m) for m in measures if need in m.needs]
        if not names or (shown.seconds is not None if need == "timings" else need in shown.spent):
            continue
        verb = "needs" if len(names) == 1 else "need"
        if need == "timings":
            return Text(
                f"{', '.join(names)} {verb} times, which only a run has that was asked for: pass the retriever, or the "
                "run that rg.collect() gives.",
                f"{'、'.join(names)} 需要耗时，只有现场询问得到的 run 才有：请传入检索器，或 rg.collect() 给出的 run。",
            )
        shape = '{"calls": […]}' if need == "calls" else f'{{"documents": […], "{need}": …}}'
        return Text(
            f"{', '.join(names)} {verb} {what.en}, which a live retriever must say: let it return {shape}.",
            f"{'、'.join(names)} 需要{what.zh}，须由现场询问的检索器给出：请让它返回 {shape}。",
        )
    return None


def lacking(measures: Sequence[ShownMeasure], catalogue: Catalogue) -> Text | None:
    """What some of the measures need and the catalogue does not have, all at once; None where nothing is missing."""
    by_need: dict[str, list[str]] = {}
    for m in measures:
        for need in NEEDS:
            if need in m.needs and not _has(catalogue, need):
                by_need.setdefault(need, []).append(str(m))
    if not by_need:
        return None
    told = [(", ".join(names), "need" if len(names) > 1 else "needs", NEEDS[n]) for n, names in by_need.items()]
    return Text(
        ". ".join(f"{names} {verb} {what}" for names, verb, what in told) + ".",
        "".join(f"{names.replace(', ', '、')} 需要{what.zh}。" for names, _, what in told),
    )


# of each list


class OfLists(ShownMeasure):
    """Base of the measures that each list has by itself; the number of a run is their mean."""

    def of_lists(self, s: Shown) -> Array:
        """One value per list that is shown down to the cutoff; NaN for a list that it says nothing of."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def number(self, s: Shown) -> float:
        values = self.of_lists(s)
        counted = ~np.isnan(values)
        if self.relevance:
            counted &= s.has_relevant(self.rel)  # type: ignore[attr-defined]
        there = values[counted]
        return float(there.mean()) if len(there) else float("nan")


# of the whole run


class Whole(NamedTuple):
    """The value of all lists together, and the value without each list; NaN where nothing would be left."""

    value: float
    without: Array
    spread: float = 1.0
    """What the spread of the jackknife is multiplied by, where it is known to say too much."""


class OfRun(ShownMeasure):
    """Base of the measures that only all lists together have."""

    summary = "run"
    counts_all_users = True
    of_nothing: ClassVar[float] = float("nan")
    """The value where nothing is shown to anybody."""

    def of_run(self, s: Shown) -> Whole:
        """The value of lists down to the cutoff; every list has at least one item."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def number(self, s: Shown) -> float:
        return self.whole(s)[0]

    def whole(self, s: Shown) -> tuple[float, Array]:
        """The value, and the share that each user has in it; one to whom nothing is shown changes nothing."""
        there = s.lengths > 0
        if not there.any():
            return self.of_nothing, np.full(s.n_lists, self.of_nothing)
        value, some, spread = self.of_run(s if there.all() else s.of_queries(there))
        value = float(value)  # of NumPy where it was made of arrays
        without = np.full(s.n_lists, value)
        without[there] = some
        found = shares(value, without)
        return value, found if spread == 1 else value + spread * (found - value)


class OfQuantile(OfLists):
    """Base of the measures that are a quantile of what each list has: no mean, and a number of the whole run.

    Its interval is that of order statistics, and two runs are compared by the shares that queries have in a quantile
    (`statistics/quantiles.py`).
    """

    summary = "run"

    def number(self, s: Shown) -> float:
        values = self.of_lists(s)
        assert self.quantile is not None
        return quantile(values[~np.isnan(values)], self.quantile)


# the registry


class ShownWords(RecordWords, total=False):
    """What the record of a measure of shown items may say; `needs` are those of `NEEDS`."""

    example: ShownCase | None
    relevance: bool


SHOWN: Registry[ShownMeasure] = Registry(Text("what is shown", "展示的物品"), ShownMeasure, ShownWords)
"""Every measure of shown items."""


def measure(**record: Unpack[ShownWords]) -> Callable[[type[ShownMeasure]], type[ShownMeasure]]:
    """Registers a measure of shown items; the words are those of ranking measures."""
    record["needs"] = {"shown", *record.get("needs", ())}
    return SHOWN.registering(record)
