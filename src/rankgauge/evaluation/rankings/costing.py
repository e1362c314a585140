"""Budgets of an evaluation: what the results of its lists cost, and what a policy may say beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment.aligned import Aligned
from rankgauge.alignment.costs import Costs
from rankgauge.alignment.covered import Covered, aligned_of
from rankgauge.alignment.segments import Segments
from rankgauge.alignment.shown import first_items
from rankgauge.data.budgets import Prices, TextsById, counter_of, told_of
from rankgauge.data.catalogue import Catalogue
from rankgauge.data.chunks import Chunks, Piece, prices_of
from rankgauge.data.locating import Documents
from rankgauge.data.run import Run
from rankgauge.errors import ParameterError
from rankgauge.evaluation.rankings.naming import Named, asks_for_budget
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.measures.base import without_costs

__all__ = ["Costing", "costed", "on_tokens", "refuse_orders"]


@dataclass(frozen=True, eq=False)
class Costing:
    """What was asked of budgets, and the texts that results are counted in."""

    wanted: Sequence[Named]
    policy: Policy
    texts: TextsById | None
    tokenizer: Any

    @classmethod
    def asked(cls, wanted: Sequence[Named], policy: Policy, documents: Any, tokenizer: Any) -> Costing | None:
        """The same of what was given to `evaluate`; None where nobody asks for a budget.

        Raises where there are no documents, and where lists have no order of their own.
        """
        label = asks_for_budget(wanted)
        counter_of(tokenizer)  # an error that says what it must be
        if not label and documents is None:
            if tokenizer is not None:
                raise ParameterError(
                    Text(
                        "`tokenizer` counts the tokens of budgets. Pass documents=… as well, or leave it out.",
                        "`tokenizer` 用于计算预算的词元数。请同时传入 documents=…，或去掉它。",
                    )
                )
            return None
        if documents is None:
            raise ParameterError(without_costs(label))
        if label:
            refuse_orders(label, policy)
        return cls(wanted, policy, TextsById.among(documents), tokenizer)

    def refuse_in_parts(self, why: Text) -> None:
        """Raise where a budget would have to look at lists that are not all at hand."""
        if label := asks_for_budget(self.wanted):
            raise ParameterError(
                Text(
                    f"{label} looks at the texts of whole lists, which {why}. Evaluate them with engine='memory'.",
                    f"{label} 要看整个列表的文本，而{why.zh}。请用 engine='memory' 评测。",
                )
            )

    def with_costs(self, aligned: Aligned, run: Run) -> Aligned:
        """The alignment with what the results of its lists cost, which stand in the same order."""
        a, p = aligned.alignment, self.policy
        assert self.texts is not None
        catalogue = Catalogue(0)
        items, lengths = first_items(
            run,
            list(a.query_ids),
            catalogue,
            depth=None,
            ties=p.tie_order,
            single=p.is_single,
            repeats=bool(aligned.repeats.any()),
            keep=p.duplicates == "keep",
        )
        used, items = np.unique(items, return_inverse=True)  # lists that nobody judged need no texts
        texts = self.texts.of([catalogue.ids[i] for i in used.tolist()])
        prices = Prices(np.array(list(map(len, texts)), dtype=np.int64), lambda: texts, self.tokenizer)
        costs = Costs(Segments.of_lengths(lengths).offsets, items, prices)
        return replace(aligned, alignment=replace(a, costs=costs))


def on_tokens(wanted: Sequence[Named], tokenizer: Any) -> list[str]:
    """What tokens are, where a measure counts them."""
    return [told_of(tokenizer)] if any(m.budget is not None and m.budget.unit == "t" for _, m in wanted) else []


def costed(covered: Covered, chunks: Chunks, documents: Documents | None, tokenizer: Any) -> Aligned:
    """The alignment of pieces of documents with what they cost."""
    number: dict[Piece, int] = {}
    lists = [chunks.lists.get(q, ()) for q in covered.query_ids]
    numbers = np.array([number.setdefault(p, len(number)) for pieces in lists for p in pieces], dtype=np.int64)
    prices = prices_of(chunks, list(number), documents=documents, tokenizer=tokenizer)
    return aligned_of(covered, Costs(covered.offsets, numbers, prices))


def refuse_orders(label: str, policy: Policy) -> None:
    """Raise where a policy leaves open which results stand where: a budget ends in one order."""

    def refuse(word: str, why: Text, instead: Text) -> None:
        raise ParameterError(
            Text(
                f"{label} ends where a budget does, and {word} {why}. Pass {instead}.",
                f"{label} 在预算用完处结束，而 {word} {why.zh}。请传入 {instead.zh}。",
            )
        )

    if policy.ties in ("best", "worst", "expected"):
        refuse(
            f"ties={show(policy.ties)}",
            Text("looks at many orders, each of which ends elsewhere", "要看多种顺序，每种的结束位置都不同"),
            Text("ties='doc_id' or ties='input'", "ties='doc_id' 或 ties='input'"),
        )
    if policy.unjudged == "remove":
        refuse(
            "unjudged='remove'",
            Text("takes out results that take up room", "会去掉占用预算的结果"),
            Text("unjudged='irrelevant'", "unjudged='irrelevant'"),
        )
