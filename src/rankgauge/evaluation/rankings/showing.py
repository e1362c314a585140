"""The measures of shown items as columns of an evaluation, beside those of judged results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment.aligned import Aligned
from rankgauge.alignment.shown import Shown, shown_of, untold
from rankgauge.data import Qrels, Run
from rankgauge.data.catalogue import Catalogue
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.rankings.measuring import Measured, levelled
from rankgauge.evaluation.rankings.naming import Named, asks_for_shown
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.evaluation.rankings.record import Column, QuantileColumn, RankingEvaluation, RunColumn
from rankgauge.evaluation.rankings.suspicion import Suspicion
from rankgauge.measures.grammar import parse_ranking
from rankgauge.measures.shown.base import OfLists, OfQuantile, OfRun, ShownMeasure, lacking, untimed

if TYPE_CHECKING:
    import polars as pl

__all__ = ["LOOKED_AT", "Showing", "shown_like", "timed"]

LOOKED_AT = 10
"""How many items of each list are kept at least: what stands on the first screen."""


@dataclass(frozen=True, eq=False)
class Showing:
    """What was asked of shown items, and the catalogue behind them."""

    wanted: Sequence[Named]
    """All measures, those of judged results as well, in the order asked."""
    catalogue: Catalogue
    policy: Policy

    @classmethod
    def of(cls, wanted: Sequence[Named], catalogue: Catalogue, policy: Policy) -> Showing:
        """Raises where the catalogue lacks what a measure needs, or the policy asks for what no measure can give."""
        mine = [m for _, m in wanted if isinstance(m, ShownMeasure)]
        if missing := lacking(mine, catalogue):
            raise ParameterError(missing)
        if mine:
            _refuse(mine, policy)
        for m in mine:
            m.check(catalogue)
        return cls(wanted, catalogue, policy)

    @classmethod
    def asked(
        cls, wanted: Sequence[Named], policy: Policy, train: Any, items: Any, columns: Mapping[str, str] | None
    ) -> Showing | None:
        """The same of what was given to `evaluate`; None where nobody asks for shown items."""
        if not asks_for_shown(wanted) and train is None and items is None:
            return None
        return cls.of(wanted, Catalogue.of(train, items, columns), policy)

    def elsewhere(self) -> Showing:
        """The same for who does not have the catalogue: items are numbered as they are met."""
        return replace(self, catalogue=Catalogue(0))

    @property
    def others(self) -> list[Named]:
        """The measures of judged results."""
        return [(label, m) for label, m in self.wanted if not isinstance(m, ShownMeasure)]

    @property
    def depth(self) -> int | None:
        """How many items of each list are looked at; None: all. Not fewer than a diagnosis looks at."""
        cutoffs = [m.cutoff for _, m in self.wanted if isinstance(m, ShownMeasure) and m.has_cutoff]
        deepest = None if None in cutoffs else max([LOOKED_AT, *(k for k in cutoffs if k is not None)])
        given = [k for k in (deepest, self.policy.depth) if k is not None]
        return min(given, default=None)

    def shown(self, aligned: Aligned, run: Run, judged: Qrels) -> Shown:
        """The first items of the lists that were aligned with the judgements."""
        p = self.policy
        asked = any(isinstance(m, ShownMeasure) and m.looks_at_relevant for _, m in self.wanted)
        shown = shown_of(
            aligned,
            run,
            self.catalogue,
            depth=self.depth,
            ties=p.tie_order,
            single=p.is_single,
            judged=judged if asked else None,
        )
        if without := untimed([m for _, m in self.wanted if isinstance(m, ShownMeasure)], shown):
            raise ParameterError(without)
        return shown

    # one list in pieces, which hold all results of an item and say in which `place` a result came

    def first_of(self, piece: pl.DataFrame) -> pl.DataFrame:
        """The rows of a piece that can be among the first of the list: those among the first of the piece."""
        from rankgauge.alignment.from_columns import first_rows

        self.refuse_whole_lists()
        assert self.depth is not None
        return first_rows(piece.sort("place"), self.depth, self.policy.tie_order, self.policy.is_single)

    def shown_of_pieces(self, aligned: Aligned, firsts: Iterable[pl.DataFrame], judged: Qrels) -> Shown:
        """What is shown, from the first rows of each piece."""
        import polars as pl

        return self.shown(aligned, Run(frame=pl.concat(firsts).sort("place").drop("place")), judged)

    def refuse_whole_lists(self) -> None:
        """Raise where all of a list would be looked at that is too long for that."""
        if self.depth is None:
            raise InputError(
                Text(
                    "a list is too long for memory, and measures of what is shown would look at all of it. Give them a "
                    "cutoff, such as Coverage@10.",
                    "有一个列表太长，内存放不下，而展示类指标要查看整个列表。请给出截断位置，如 Coverage@10。",
                )
            )

    def added(self, found: Measured, shown: Shown) -> Measured:
        """What was measured of judged results, with the measures of shown items in their places."""
        by_label = {c.label: c for c in (*found.columns, *self.columns(shown))}
        return replace(found, columns=[by_label[label] for label, _ in self.wanted])

    def columns(self, shown: Shown) -> list[Column]:
        """The measures of shown items."""
        return [self._column(label, m, shown) for label, m in self.wanted if isinstance(m, ShownMeasure)]

    def _column(self, label: str, m: ShownMeasure, shown: Shown) -> Column:
        m = levelled(m, self.policy)
        s = shown.within(m.cutoff)
        if isinstance(m, OfRun):
            value, shares = m.whole(s)
            every = np.ones(s.n_lists, dtype=bool)
            return RunColumn(label, m, shares, every, value=value, of=lambda chosen: m.number(s.of_queries(chosen)))
        assert isinstance(m, OfLists)
        values = m.of_lists(s)
        counted = ~np.isnan(values)
        if isinstance(m, OfQuantile):
            return QuantileColumn(label, m, values, counted, value=m.number(s))
        if m.relevance:  # as for any measure: what a user without relevant items is, the policy says
            word = self.policy.no_relevant_for(m.name)
            without = counted & ~s.has_relevant(m.rel)  # type: ignore[attr-defined]
            values = np.where(without, {"zero": 0.0, "one": 1.0}.get(word, np.nan), values)
            counted &= ~without if word == "skip" else True
        return Column(label, m, np.where(counted, values, np.nan), counted)

    def suspicions(self, shown: Shown) -> tuple[Suspicion, ...]:
        """What makes every number of shown items wrong: a catalogue that knows none of them."""
        n_items, places = self.catalogue.n_items, len(shown.items)
        if self.catalogue.is_of_train or not n_items or not places or shown.known.any():
            return ()
        return (Suspicion("unknown-items", "error", {"places": places, "items": n_items}),)

    def notes(self, shown: Shown) -> list[str]:
        """What a reader must know of what was shown: users without any list, items that the catalogue does not have."""
        c, out = self.catalogue, list(self.catalogue.notes)
        without = int(np.count_nonzero(shown.lengths == 0))
        left_out = [label for label, m in self.wanted if isinstance(m, ShownMeasure) and not m.counts_all_users]
        if without and left_out:
            users = "user to whom nothing is shown is" if without == 1 else "users to whom nothing is shown are"
            out.append(
                Text(
                    f"{without:,} {users} left out of {', '.join(left_out)}",
                    f"没有得到展示的 {without:,} 个用户不计入 {'、'.join(left_out)}",
                )
            )
        places = len(shown.items)
        strangers = int(np.count_nonzero(~shown.known))
        if c.n_items and strangers:
            shows = "shows an item that is" if strangers == 1 else "show items that are"
            out.append(
                Text(
                    f"{strangers:,} of {places:,} places that were looked at {shows} not in the catalogue of "
                    f"{c.n_items:,}",
                    f"查看的 {places:,} 个位置中有 {strangers:,} 个展示了目录（{c.n_items:,} 个物品）以外的物品",
                )
            )
        return out


def shown_like(ev: RankingEvaluation, label: str, m: ShownMeasure) -> RankingEvaluation | None:
    """The same lists under another measure of what is shown; None where what it needs was not given or kept."""
    if ev.shown is None:
        return None
    try:
        showing = Showing.of([(label, m)], ev.shown.catalogue, ev.policy)
    except ParameterError:
        return None
    s, k = ev.shown, showing.depth
    if (s.lengths < (s.retrieved if k is None else np.minimum(s.retrieved, k))).any():
        return None
    return replace(ev, columns=[showing._column(label, m, s)])


def timed(ev: RankingEvaluation, name: str) -> RankingEvaluation | None:
    """The same with how long its retriever took, by the name of a measure of that; None where it was not asked, or
    where queries have weights."""
    collected = None if ev.source is None else ev.source.collected
    if collected is None or ev.aligned is None or ev.policy.average == "weighted":
        return None
    showing = Showing([(name, parse_ranking(name))], Catalogue(0), ev.policy)
    return replace(ev, columns=[*ev.columns, *showing.columns(untold(ev.aligned, collected))])


def _refuse(measures: Sequence[ShownMeasure], policy: Policy) -> None:
    """Raise where a policy asks for something that lists of shown items do not have."""

    def refuse(word: str, why: tuple[str, str]) -> None:
        name = str(measures[0])
        raise ParameterError(
            Text(
                f"{name} is about what is shown, and {word} {why[0]}.", f"{name} 看的是展示的物品，而 {word} {why[1]}。"
            )
        )

    if policy.ties in ("best", "worst", "expected"):
        refuse(
            f"ties={show(policy.ties)}",
            (
                "speaks of the orders of judged results. Pass ties='doc_id' or 'input'",
                "针对的是已标注结果的排列。请传入 ties='doc_id' 或 'input'",
            ),
        )
    if policy.unjudged == "remove":
        refuse(
            "unjudged='remove'",
            ("takes most of it out. Pass unjudged='irrelevant'", "会去掉其中的大部分。请传入 unjudged='irrelevant'"),
        )
    if policy.duplicates == "keep":
        refuse(
            "duplicates='keep'",
            ("would show an item twice. Pass duplicates='first'", "会使物品重复展示。请传入 duplicates='first'"),
        )
    of_run = [m for m in measures if m.summary == "run"]
    if policy.average == "weighted" and of_run:
        raise ParameterError(
            Text(
                f"{of_run[0]} is a number of the whole run, which has no weights of users. Evaluate it without "
                f"weights.",
                f"{of_run[0]} 是整个 run 的数值，没有用户权重。请不带权重评测。",
            )
        )
