"""`rg.plot`: the charts of the report as files for papers and slides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from rankgauge._records import fits_together, kinds_of
from rankgauge._renamed import renamed
from rankgauge._rendered import refuse_sources
from rankgauge._show import show
from rankgauge._text import check_language
from rankgauge.calibration.diagram import reliability
from rankgauge.calibration.segments import worst_segments
from rankgauge.comparison.record import Comparison
from rankgauge.errors import InputError, ParameterError, UnknownName, suggest
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations
from rankgauge.evaluation.predictions.score_histogram import score_histogram
from rankgauge.evaluation.rankings.by_cutoff import by_cutoff
from rankgauge.evaluation.rankings.judgement_health import judgement_health
from rankgauge.evaluation.rankings.record import RankingEvaluation, RankingEvaluations
from rankgauge.reporting.charts.svg import Chart
from rankgauge.reporting.figures import behavior, comparison, funnel, predictions, rankings
from rankgauge.reporting.figures.curves import Curves, curves_of, place_of

__all__ = ["KINDS", "SUBJECTS", "Figure", "Kind", "charts_of", "plot"]


@dataclass(frozen=True)
class Figure:
    """A chart in one language: shown by notebooks, saved as SVG, PNG or PDF."""

    chart: Chart
    language: str | None = None

    @property
    def svg(self) -> str:
        """The whole file as text."""
        return self.chart.file(self.language)

    def _repr_html_(self) -> str:
        return self.svg.partition("\n")[2]

    @renamed(scale="pixels")
    def save(self, path: str | PathLike[str], *, pixels: float = 2.0) -> str:
        """Write it; the suffix says how: .svg, .png or .pdf. `pixels` is their number per unit of a PNG."""
        from rankgauge.reporting.export import write_figure

        write_figure(self.svg, Path(path), pixels)
        return str(path)


@dataclass(frozen=True)
class Kind:
    """One kind of chart: what it needs and who draws it."""

    name: str
    says: str
    needs: str
    """What it is drawn of: a name in `SUBJECTS`, which for single records is their kind."""
    draw: Callable[..., Chart]


@renamed(scale="pixels")
@fits_together
def plot(
    record: Any,
    kind: str | None = None,
    path: str | PathLike[str] | None = None,
    *,
    language: str | None = None,
    pixels: float = 2.0,
    **options: Any,
) -> Figure:
    """Draw a record: an evaluation, a comparison, a funnel, the lists of a query, …

    Without `kind` the one that says most is drawn; `KINDS` has them all. `options` are those of the kind: `measure`
    and `system` of a comparison, `titles` of the lists of a query. With `path` the figure is saved as well: .svg,
    .png (`pixels` per unit) or .pdf; the last two need the extra `rankgauge[export]`.

    >>> from rankgauge.evaluation import evaluate
    >>> plot(evaluate({"q": {"d": 1}}, {"q": ["d"]}, "nDCG@10")).svg.startswith("<?xml")
    True
    """
    language = check_language(language)
    name = kind or _default(record)
    if name not in KINDS:
        raise UnknownName(f"no chart {show(name)}.{suggest(name, list(KINDS))} There are: {', '.join(KINDS)}.")
    if path is not None:
        refuse_sources(record, path)
    figure = Figure(_draw(KINDS[name], record, options), language)
    if path is not None:
        figure.save(path, pixels=pixels)
    return figure


def _draw(kind: Kind, record: Any, options: dict[str, Any]) -> Chart:
    needed = SUBJECTS[kind.needs]
    subject = needed.of(record)
    if subject is None:
        known = [k.name for k in KINDS.values() if SUBJECTS[k.needs].of(record) is not None]
        may = f" It has: {', '.join(known)}." if known else ""
        raise InputError(f"{kind.name} needs {needed.says}, got {type(record).__name__}.{may}")
    try:
        return kind.draw(subject, **options)
    except TypeError as e:
        if "keyword argument" not in str(e):
            raise
        raise ParameterError(f"{kind.name}: {str(e).partition('() ')[2]}.") from None


# what each kind can be drawn from


def _rankings(record: Any) -> Mapping[str, Any] | None:
    if isinstance(record, RankingEvaluation):
        return {record.run: record}
    if isinstance(record, RankingEvaluations):
        return dict(record)
    compared = _comparison(record)
    return compared.evaluations if compared is not None and _of_rankings(compared) else None


def _comparison(record: Any) -> Any:
    return record if isinstance(record, Comparison) else None


def _of_rankings(compared: Any) -> bool:
    return bool(compared.evaluations[compared.baseline].kind == "rankings")


def _ranked_comparison(record: Any) -> Any:
    compared = _comparison(record)
    return compared if compared is not None and _of_rankings(compared) else None


def _models(record: Any) -> Mapping[str, Any] | None:
    if isinstance(record, PredictionEvaluation):
        return {record.model: record}
    if isinstance(record, PredictionEvaluations):
        return dict(record)
    compared = _comparison(record)
    return compared.evaluations if compared is not None and not _of_rankings(compared) else None


def _either(record: Any) -> Any:
    """Slices are drawn of a comparison, or else of an evaluation."""
    compared = _ranked_comparison(record)
    return compared if compared is not None else _rankings(record)


@dataclass(frozen=True)
class Subject:
    """What charts are drawn of."""

    says: str
    of: Callable[[Any], Any]
    """What is drawn, from a record; None where it does not have that."""


def _one_record(kind: str, says: str) -> Subject:
    return Subject(says, lambda record: record if kind in kinds_of(record) else None)


SUBJECTS = {
    "rankings": Subject("an evaluation of rankings", _rankings),
    "comparison": Subject("a comparison", _comparison),
    "ranked comparison": Subject("a comparison of rankings", _ranked_comparison),
    "slices": Subject("an evaluation or comparison of rankings with slices", _either),
    "predictions": Subject("an evaluation of labels and scores", _models),
    **{
        kind: _one_record(kind, says)
        for kind, says in (
            ("funnel", "a funnel"),
            ("movement", "the lists of a query: comparison.query(…)"),
            ("position_bias", "a position bias"),
            ("judgements", "judgements from a log"),
            ("off_policy", "an off-policy estimate"),
        )
    },
}


# those that compute something first


def _by_cutoff(runs: Mapping[str, Any], measure: str = "nDCG") -> Chart:
    found = {name: by_cutoff(ev, (measure,)) for name, ev in runs.items()}
    return rankings.by_cutoff(found, next(iter(found.values())).measures[0])


def _judged(runs: Mapping[str, Any], depth: int = 20) -> Chart:
    return rankings.judged({name: judgement_health(ev, depth) for name, ev in runs.items()})


def _grades(runs: Mapping[str, Any]) -> Chart:
    return rankings.grades(judgement_health(next(iter(runs.values()))))


def _slices(runs: Any, measure: str | None = None, system: str | None = None) -> Chart:
    if isinstance(runs, Mapping):
        return rankings.slices(_one(runs, system))
    if not runs.sliced:
        raise InputError("slices: the comparison has none. Pass slices=… to compare().")
    return comparison.slices(runs, measure, system)


def _curves(models: Mapping[str, Any], thresholds: Mapping[str, float] | None) -> dict[str, Curves]:
    return {name: curves_of(ev, (thresholds or {}).get(name)) for name, ev in models.items()}


def _roc(models: Mapping[str, Any], thresholds: Mapping[str, float] | None = None) -> Chart:
    return predictions.roc(_curves(models, thresholds))


def _pr(models: Mapping[str, Any], thresholds: Mapping[str, float] | None = None) -> Chart:
    return predictions.pr(_curves(models, thresholds))


def _position(models: Mapping[str, Any], good_auc: float = 0.7) -> Chart:
    return predictions.position({name: place_of(ev) for name, ev in models.items()}, good_auc)


def _reliability(models: Mapping[str, Any], bins: int = 15, binning: str = "mass") -> Chart:
    return predictions.reliability({name: reliability(ev, bins, binning) for name, ev in models.items()})


def _histogram(models: Mapping[str, Any], model: str | None = None, bins: int = 40) -> Chart:
    return predictions.histogram(score_histogram(_one(models, model), bins))


def _segments(models: Mapping[str, Any], model: str | None = None) -> Chart:
    return predictions.segments(worst_segments(_one(models, model)))


def _one(members: Mapping[str, Any], name: str | None) -> Any:
    """The one that was asked for, or the first."""
    if name is None:
        return next(iter(members.values()))
    if name not in members:
        raise UnknownName(f"no {show(name)}.{suggest(name, list(members))} There are: {', '.join(members)}.")
    return members[name]


KINDS = {
    kind.name: kind
    for kind in (
        Kind("measures", "means with intervals", "rankings", rankings.measures),
        Kind("by_cutoff", "a measure over k, with what can be reached", "rankings", _by_cutoff),
        Kind("judged", "share of judged results by rank", "rankings", _judged),
        Kind("grades", "how often each grade was given", "rankings", _grades),
        Kind("contrasts", "differences of all measures and systems", "comparison", comparison.contrasts),
        Kind("differences", "the difference of every query, sorted", "ranked comparison", comparison.differences),
        Kind("scatter", "every query before and after", "ranked comparison", comparison.scatter),
        Kind("slices", "a heat table by slice", "slices", _slices),
        Kind("query", "the lists of one query side by side", "movement", comparison.lists),
        Kind("funnel", "what each stage loses", "funnel", funnel.waterfall),
        Kind("funnel_ndcg", "what each stage costs", "funnel", funnel.waterfall_of_ndcg),
        Kind("roc", "ROC curve", "predictions", _roc),
        Kind("pr", "precision and recall", "predictions", _pr),
        Kind("reliability", "predicted and observed rates", "predictions", _reliability),
        Kind("histogram", "scores by class", "predictions", _histogram),
        Kind("position", "order and probability", "predictions", _position),
        Kind("propensity", "how much each position is looked at", "position_bias", behavior.propensity),
        Kind("judged_grades", "grades of judgements from a log", "judgements", behavior.judged_grades),
        Kind("clipping", "an off-policy estimate over the cut of its weights", "off_policy", behavior.clipping),
        Kind("segments", "observed over predicted by segment", "predictions", _segments),
    )
}
"""Every chart by its name."""


def charts_of(kind: str) -> list[str]:
    """The charts of a single record of this kind, the one that says most first."""
    return [k.name for k in KINDS.values() if k.needs == kind]


def _default(record: Any) -> str:
    """The kind that says most about a record."""
    compared = _comparison(record)
    if compared is not None:
        return "differences" if _of_rankings(compared) and len(compared.systems) == 1 else "contrasts"
    for kind in KINDS.values():  # of each subject the one that says most comes first
        if SUBJECTS[kind.needs].of(record) is not None:
            return kind.name
    raise InputError(
        f"plot() needs an evaluation, a comparison, a funnel or the lists of a query, got {type(record).__name__}."
    )
