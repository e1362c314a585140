"""Which click model describes these users best? Fitted on some sessions, judged on others.

Judged by the log-likelihood of held-out sessions: a model that puts examination in the wrong place is surprised by
clicks it has not seen. The difference of the best to each other one is paired by session and clustered by query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._claims import phrase
from rankgauge._numbers import share, short
from rankgauge._records import Record
from rankgauge._rendered import remembers_files
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.behavior.click_models.base import ClickModel
from rankgauge.behavior.click_models.prior import Prior, check_prior, describe
from rankgauge.behavior.click_models.registry import CLICK_MODELS, check_model, fit_click_model
from rankgauge.behavior.click_models.sessions import Sessions
from rankgauge.errors import ParameterError, UnknownName, among
from rankgauge.statistics.clusters import standard_error, t_interval_of, two_sided
from rankgauge.statistics.intervals import Interval, check_level

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ClickModelComparison", "JudgedClickModel", "compare_click_models"]

_FEW_QUERIES = 20  # fewer clusters do not carry an interval
_EXACT = {name: {"estimator": "em"} for name in ("sdbn", "dcm")}


@dataclass(frozen=True)
class JudgedClickModel:
    """How well one model foresees the clicks of held-out sessions."""

    name: str
    log_likelihood: float
    """Of all held-out sessions, in nats."""
    per_session: float
    perplexity: float
    """The mean over positions, clicks above unknown: 1 knows every click, 2 is a coin."""
    perplexity_by_rank: tuple[float, ...]
    conditional_perplexity: float
    """The same, given the clicks above."""
    conditional_perplexity_by_rank: tuple[float, ...]
    behind: float
    """Nats per session that it explains less than the best one; 0 for the best."""
    interval: Interval
    p_value: float
    converged: bool
    iterations: int

    @property
    def surely_behind(self) -> bool:
        """Whether the interval of the difference leaves out 0."""
        return self.interval.low > 0


@dataclass(frozen=True, eq=False, kw_only=True)
class ClickModelComparison(Record, kind="click_models", schema=1):
    """Click models on the same held-out sessions, the best first."""

    models: tuple[JudgedClickModel, ...]
    best: str
    reason: str
    prior: str
    held_out: float
    by: str
    n_fitted: int
    """Sessions the models were fitted on."""
    n_judged: int
    n_queries: int
    """Queries among the held-out sessions."""
    clustered_by: str
    """What is drawn independently in the intervals: query, or session where queries are few."""
    confidence_level: float
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> JudgedClickModel:
        for judged in self.models:
            if judged.name == name:
                return judged
        known = [j.name for j in self.models]
        raise UnknownName(Text(f"{show(name)} was not judged.", f"没有评判 {show(name)}。") + among(name, known))

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [
            {
                "model": j.name,
                "log_likelihood": j.log_likelihood,
                "per_session": j.per_session,
                "perplexity": j.perplexity,
                "conditional_perplexity": j.conditional_perplexity,
                "behind": j.behind,
                "behind_low": j.interval.low,
                "behind_high": j.interval.high,
                "p_value": j.p_value,
                "converged": j.converged,
                "iterations": j.iterations,
            }
            for j in self.models
        ]

    def to_frame(self) -> pl.DataFrame:
        """One row per model, the best first."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())

    def by_rank(self) -> pl.DataFrame:
        """One row per model and position: perplexity, and given the clicks above."""
        import polars as pl

        return pl.DataFrame(
            [
                {"model": j.name, "position": k + 1, "perplexity": p, "conditional_perplexity": c}
                for j in self.models
                for k, (p, c) in enumerate(zip(j.perplexity_by_rank, j.conditional_perplexity_by_rank, strict=True))
            ]
        )


@remembers_files
def compare_click_models(
    sessions: Any,
    models: Sequence[str] | None = None,
    *,
    held_out: float = 0.25,
    rng: Any = 0,
    by: str = "request",
    prior: Prior = "item",
    options: Mapping[str, Mapping[str, Any]] | None = None,
    confidence_level: float = 0.95,
) -> ClickModelComparison:
    """Which of these click models (all by default) foresees the clicks of held-out sessions best?

    `held_out` of the sessions is drawn by `rng` and judged, the rest fitted; `by="query"` or `"user"` holds out whole
    queries or users. `options` go to single models: `{"pbm": {"tolerance": 1e-10}}`. Models are judged by their
    likelihood, so sdbn and dcm are fitted by EM here: counting would make them lose by its shortcut, not by what
    they say about users; `{"sdbn": {"estimator": "closed form"}}` judges the counts. The interval of a difference is
    clustered by query, by session where fewer than 20 queries are held out. The best is the best of what was drawn: its
    lead over the next is a little flattered by having been chosen.

    >>> log = [{"query": "q", "items": ["a", "b"], "clicks": [i % 2, i % 3 == 0]} for i in range(100)]
    >>> compare_click_models(log, ["pbm", "cascade"]).n_judged
    25
    """
    names = (
        list(CLICK_MODELS) if models is None else list(dict.fromkeys([models] if isinstance(models, str) else models))
    )
    for name in [*names, *(options or {})]:
        check_model(name)
    if not names:
        raise ParameterError(
            Text(
                f"compare_click_models: `models` must name a model or more of {', '.join(CLICK_MODELS)}.",
                f"compare_click_models：`models` 必须从 {', '.join(CLICK_MODELS)} 中至少指定一个模型。",
            )
        )
    check_level(confidence_level)
    check_prior(prior)
    s = Sessions.of(sessions)
    fit, judge = s.split(held_out, rng, by)
    wanted = {name: {**_EXACT.get(name, {}), **(options or {}).get(name, {})} for name in names}
    fitted = {name: fit_click_model(fit, name, prior=prior, **wanted[name]) for name in names}
    logs = {name: model.log_likelihoods(judge) for name, model in fitted.items()}
    totals = {name: float(values @ judge.weight) for name, values in logs.items()}
    order = sorted(names, key=lambda name: -totals[name])
    n_queries = len(np.unique(judge.query))
    clusters = "query" if n_queries >= _FEW_QUERIES else "session"
    judged = tuple(
        _judged(fitted[name], judge, totals[name], logs[order[0]], logs[name], clusters, confidence_level)
        for name in order
    )
    return ClickModelComparison(
        models=judged,
        best=order[0],
        reason=_reason(judged, judge.n, confidence_level),
        prior=describe(prior),
        held_out=held_out,
        by=by,
        n_fitted=fit.n,
        n_judged=judge.n,
        n_queries=n_queries,
        clustered_by=clusters,
        confidence_level=confidence_level,
        notes=_notes(fitted, wanted, n_queries, clusters),
    )


def _judged(
    model: ClickModel, s: Sessions, total: float, best: Array, own: Array, clusters: str, level: float
) -> JudgedClickModel:
    plain, given = model.perplexity(s), model.conditional_perplexity(s)
    behind, error, n = _difference(best, own, s, clusters)
    return JudgedClickModel(
        name=model.name,
        log_likelihood=total,
        per_session=total / s.n,
        perplexity=plain.overall,
        perplexity_by_rank=tuple(plain.by_rank.tolist()),
        conditional_perplexity=given.overall,
        conditional_perplexity_by_rank=tuple(given.by_rank.tolist()),
        behind=behind,
        interval=Interval(0.0, 0.0) if best is own else t_interval_of(behind, error, n, level),
        p_value=nan if best is own else two_sided(behind, error, n),
        converged=model.converged,
        iterations=model.iterations,
    )


def _difference(best: Array, own: Array, s: Sessions, clusters: str) -> tuple[float, float, int]:
    """Mean over sessions of what `best` explains more, its standard error, and the number of clusters."""
    if best is own:
        return 0.0, 0.0, s.n
    with np.errstate(invalid="ignore"):
        d = best - own
    mean = float(d @ s.weight) / s.n
    if not isfinite(mean):
        return mean, nan, s.n
    apart = d - mean
    if clusters == "session":
        spread = float(s.weight @ apart**2)
        return mean, sqrt(spread / (s.n * (s.n - 1))) if s.n > 1 else nan, s.n
    sums = np.bincount(s.query, weights=s.weight * apart)[np.unique(s.query)] / s.n
    return mean, standard_error(sums), len(sums)


def _reason(judged: Sequence[JudgedClickModel], n: int, level: float) -> str:
    best = judged[0]
    if len(judged) == 1:
        return Text(f"{best.name} is the only one judged", f"只评判了 {best.name} 一种模型")
    next_ = judged[1]
    low, high = next_.interval
    figures = f"{short(next_.behind, 4)} ({short(low, 4)} … {short(high, 4)}, {share(level, 0)})"
    if next_.surely_behind:
        return Text(
            f"{best.name} explains {n} held-out sessions best: {figures} nats per session more than {next_.name}",
            f"{best.name} 对 {n} 个留出会话解释得最好：每个会话比 {next_.name} 多 {figures} 纳特",
        )
    return Text(
        f"{best.name} explains {n} held-out sessions best, but not surely better than {next_.name}: "
        f"{figures} nats per session",
        f"{best.name} 对 {n} 个留出会话解释得最好，但不能确定优于 {next_.name}：每个会话 {figures} 纳特",
    )


def _notes(
    fitted: Mapping[str, ClickModel], wanted: Mapping[str, Mapping[str, Any]], n_queries: int, clusters: str
) -> tuple[str, ...]:
    notes: list[str] = []
    exact = [name for name in fitted if wanted[name].get("estimator") == "em"]
    if exact:
        notes.append(
            Text(
                f"{' and '.join(exact)} fitted by EM, not by counting, which is not quite maximum likelihood",
                f"{'、'.join(exact)} 用 EM 拟合，而非直接计数：计数并不完全是最大似然",
            )
        )
    for name, model in fitted.items():
        notes += [phrase("{}: {}", "{}：{}", name, note) for note in model.notes]
    if clusters == "session":
        notes.append(
            Text(
                f"only {n_queries} queries are held out: intervals are over sessions, not for other queries",
                f"留出的查询只有 {n_queries} 个：区间按会话计算，不能推广到其他查询",
            )
        )
    return tuple(notes)
