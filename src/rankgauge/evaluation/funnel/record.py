"""What a funnel found: its stages, the steps between them, and the fate of every relevant item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._plain_data import damaged
from rankgauge._renamed import former
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.errors import UnknownName, among
from rankgauge.evaluation.funnel.followed import Followed, Items

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CUT", "NEVER", "SHOWN", "Funnel", "FunnelStage", "FunnelStep", "Traced"]

NEVER = "never retrieved"
CUT = "cut by k"
SHOWN = "shown"

_NOISE = 1e-12  # differences of means that are the same but for rounding


@dataclass(frozen=True, kw_only=True)
class FunnelStage:
    """What does one stage hold, and what does it keep of the stage before?

    Numbers against the stage before are None for the first stage. A query that a stage does not have counts as an
    empty list, except in `size`.
    """

    name: str
    size: float
    """Mean number of results, over the queries that the stage has."""
    candidates: int
    """Results of all queries together."""
    kept: float | None
    """Candidates over those of the stage before."""
    relevant: int
    """Relevant items in its lists."""
    recall: float
    """Relevant items in the list over all relevant items: mean over queries."""
    recall_low: float
    recall_high: float
    recall_pooled: float
    """The same ratio over the items of all queries together."""
    retention: float | None
    """Relevant items of the stage before that are still there: mean over the queries that had some."""
    retention_pooled: float | None
    leaks: int
    """Judged items in its lists that the stage before did not have."""
    relevant_leaks: int
    """How many of them are relevant."""
    missing: int
    """Queries that the stage does not have."""
    ndcg: float
    """nDCG@k of its own order."""
    ceiling: float
    """nDCG@k if everything after this stage were perfect."""

    @property
    def oracle(self) -> float:
        """The former name of `ceiling`."""
        former("FunnelStage.oracle", "FunnelStage.ceiling")
        return self.ceiling


@dataclass(frozen=True, kw_only=True)
class FunnelStep:
    """What is lost on the way from one list to the next?

    The first step leads from all relevant items to the first stage, the last from the last stage to its first k.
    """

    name: str
    fate: str
    """What is said of an item that is lost here."""
    lost: int
    share: float
    """Items lost here over all relevant items."""
    remaining: int
    remaining_share: float
    ndcg_before: float
    """The best possible nDCG@k before this step."""
    ndcg_after: float
    """The best possible nDCG@k after it; after the last step, the nDCG@k that was measured."""
    ndcg_lost: float
    avoidable: int | None = None
    """How many of those lost here the first k had room for; None in what earlier versions stored.

    Of five relevant items at k = 3 two cannot be shown, whoever loses them: what counts of a query is min(k, before) -
    min(k, after).
    """
    avoidable_share: float | None = None
    """The same over all relevant items."""

    @property
    def missed(self) -> int:
        """What is lost here and need not be; all of it where that is not known."""
        return self.lost if self.avoidable is None else self.avoidable


@dataclass(frozen=True, eq=False, kw_only=True)
class Traced(Items):
    """Every relevant item with its fate."""

    fate: Array
    """Number of its fate, in the order of `Funnel.fates`."""
    last: Array
    """Number of the last stage that had it, -1 for none."""
    rank: Array
    """Its rank there, 0 for none."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Funnel(
    Followed,
    kind="funnel",
    schema=1,
    stored_as={"n_judged": "judged_queries", "n_relevant": "relevant"},
    not_stored={
        "traced": Text(
            "Run funnel() on judgements and stages to look at items.", "要查看条目，请对标注和各阶段运行 funnel()。"
        )
    },
):
    """Where does a pipeline of stages lose its relevant items, and what does it cost?

    `f["coarse"]` is a stage, `f.steps` the waterfall, `f.worst_step` the step that loses most, `f.fates` what became
    of the relevant items, `f.losses` which ones were lost where. `rg.funnel` makes them.
    """

    has_items = "traced"
    no_items = Text(
        "a stored funnel has no single items: its counts are in `fates` and `steps`. "
        "Run funnel() on judgements and stages to look at items.",
        "存储的漏斗没有单个条目：计数在 `fates` 和 `steps` 中。要查看条目，请对标注和各阶段运行 funnel()。",
    )

    stages: Sequence[FunnelStage]
    steps: Sequence[FunnelStep]
    fates: Mapping[str, int]
    """Relevant items by fate: never retrieved, dropped at a stage, cut by k, shown. They add up to `n_relevant`."""
    k: int
    rel: float
    cut: Mapping[str, int]
    """Stages of which only the first results count, and how many."""
    ties: str
    query_ids: Sequence[str] = field(repr=False)
    """Queries with relevant items; all numbers are over them."""
    n_judged: int
    """Judged queries, with relevant items or without."""
    n_relevant: int
    fit: float
    """Share of the relevant items that k leaves room for."""
    confidence_level: float = 0.95
    qrels: str = "qrels"
    warnings: Sequence[str] = ()
    """What breaks the idea of a funnel: leaks, queries that a stage does not have."""
    notes: Sequence[str] = ()
    version: str = ""
    traced: Traced = field(repr=False)
    """The fate of each relevant item; not stored."""

    def __getitem__(self, name: str) -> FunnelStage:
        for stage in self.stages:
            if stage.name == name:
                return stage
        raise UnknownName(
            Text(f"no stage {show(name)}.", f"没有阶段 {show(name)}。") + among(name, [s.name for s in self.stages])
        )

    @property
    def measured(self) -> float:
        """nDCG@k of what is shown: that of the last stage."""
        return self.stages[-1].ndcg

    # which step loses most

    @property
    def worst(self) -> FunnelStep | None:
        """The step that loses most relevant items for which there is room, the earlier one of equals; None for none."""
        step = max(self.steps, key=lambda s: s.missed)
        return step if step.missed else None

    @property
    def worst_step(self) -> str | None:
        """Its name: a stage, or `top 10` for what stands below rank k."""
        return None if self.worst is None else self.worst.name

    @property
    def worst_ndcg(self) -> FunnelStep | None:
        """The step that costs most nDCG@k; None when none does."""
        step = max(self.steps, key=lambda s: s.ndcg_lost)
        return step if step.ndcg_lost > _NOISE else None

    @property
    def worst_step_ndcg(self) -> str | None:
        """Its name; `top 10` stands for the order of the last stage."""
        return None if self.worst_ndcg is None else self.worst_ndcg.name

    # tables

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [{"stage" if key == "name" else key: v for key, v in asdict(s).items()} for s in self.stages]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per stage."""
        import polars as pl

        whole = ("candidates", "relevant", "leaks", "relevant_leaks", "missing")
        rows = self.csv_rows()
        types = {key: pl.Int64 if key in whole else pl.Float64 for key in rows[0]}
        return pl.DataFrame(rows, schema={**types, "stage": pl.String})

    @property
    def waterfall(self) -> pl.DataFrame:
        """A Polars frame, one row per step: what is lost there and what remains."""
        import polars as pl

        rows = [{"step" if key == "name" else key: v for key, v in asdict(s).items()} for s in self.steps]
        return pl.DataFrame(rows)

    @cached_property
    def items(self) -> pl.DataFrame:
        """A Polars frame, one row per relevant item: its fate, the last stage that had it and its rank there."""
        import polars as pl

        t, columns = self._items(Traced)
        had = pl.Series(t.last >= 0)
        fates, stages = (pl.Series(list(x), dtype=pl.String) for x in (self.fates, (s.name for s in self.stages)))
        frame = pl.DataFrame(
            {
                **columns,
                "fate": fates.gather(t.fate),
                "last_stage": stages.gather(np.maximum(t.last, 0)),
                "rank": pl.Series(t.rank, dtype=pl.Int64),
            }
        )
        return frame.with_columns(pl.when(had).then(pl.col("last_stage", "rank")))

    @property
    def losses(self) -> pl.DataFrame:
        """The rows of `items` that are not shown."""
        import polars as pl

        return self.items.filter(pl.col("fate") != SHOWN)

    # plain data

    def to_dict(self, *, losses: bool = False) -> dict[str, Any]:
        """Everything but single items as plain Python values, nothing rounded; with `losses`, a row per lost item."""
        return super().to_dict() | ({"losses": self.losses.to_dicts()} if losses else {})

    @classmethod
    def _from_plain(cls, data: Any) -> Funnel:
        found = super()._from_plain(_with_names_of_today(data))
        if not found.stages or not found.steps:
            raise damaged(
                "stages" if not found.stages else "steps", Text("expected array of length >= 1", "数组长度应 >= 1")
            )
        return found

    def _also(self) -> dict[str, Any]:
        return super()._also() | {"worst_step": self.worst_step, "worst_step_ndcg": self.worst_step_ndcg}


def _with_names_of_today(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The ceiling of a stage was stored as its oracle."""
    stages = data.get("stages")
    if not isinstance(stages, list) or not all(isinstance(row, dict) for row in stages):
        return data  # damaged, as whoever reads it will say
    names = {"oracle": "ceiling"}
    return {**data, "stages": [{names.get(key, key): value for key, value in row.items()} for row in stages]}
