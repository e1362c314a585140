"""`rg.plot`: the charts of the report as files for papers and slides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isnan
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict, Unpack

from rankgauge._records import Record, fits_together, kinds_of
from rankgauge._renamed import renamed
from rankgauge._rendered import refuse_sources
from rankgauge._show import show
from rankgauge._text import Text, composed
from rankgauge.calibration.diagram import reliability
from rankgauge.calibration.segments import worst_segments
from rankgauge.comparison.of_both import as_record
from rankgauge.comparison.record import Comparison
from rankgauge.comparison.tradeoff import Tradeoff, tradeoff
from rankgauge.errors import InputError, ParameterError, UnknownName, among
from rankgauge.evaluation.predictions.classes import ClassEvaluation, ClassEvaluations
from rankgauge.evaluation.predictions.per_class import ConfusionMatrix
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations
from rankgauge.evaluation.predictions.score_histogram import score_histogram
from rankgauge.evaluation.rankings.by_budget import ByBudget, by_same_budgets, has_budgets
from rankgauge.evaluation.rankings.by_cutoff import ByCutoff, by_cutoff
from rankgauge.evaluation.rankings.judgement_health import judgement_health
from rankgauge.evaluation.rankings.record import RankingEvaluation, RankingEvaluations
from rankgauge.evaluation.record import Evaluations
from rankgauge.reporting import language_of
from rankgauge.reporting.charts.svg import Chart
from rankgauge.reporting.figures import (
    answers,
    behavior,
    by_call,
    channels,
    classes,
    comparison,
    explanation,
    funnel,
    items,
    over_time,
    predictions,
    rankings,
)
from rankgauge.reporting.figures import sweep as sweeps
from rankgauge.reporting.figures import tradeoff as tradeoffs
from rankgauge.reporting.figures import trend as trends
from rankgauge.reporting.figures.curves import Curves, curves_of, place_of

__all__ = ["KINDS", "SUBJECTS", "ChartOptions", "Figure", "Kind", "PlotOptions", "can_draw", "charts_of", "plot"]


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


class ChartOptions(TypedDict, total=False):
    """What kinds of charts can be told: each takes some of it."""

    measure: str | None
    system: str | None
    model: str | None
    depth: int | None
    """Of the first how many results."""
    cutoff: int | None
    attribute: str | None
    of: str
    """Of groups of items: recall or exposure."""
    x: str | None
    y: str | None
    bins: int | None
    binning: str | None
    threshold: float | None
    thresholds: Mapping[str, float] | None
    """By model."""
    good_auc: float
    margin: float | None
    """Of a trend: the loss that does not matter."""
    titles: Mapping[str, str] | None
    """Of the items in the lists of a query."""
    max_grade: float | None
    width: float
    link: Callable[[str], str]


class PlotOptions(ChartOptions, total=False):
    """The keywords of `plot`, for whoever passes them on."""

    language: str | None
    pixels: float


@renamed(scale="pixels")
@fits_together
def plot(
    record: Any,
    kind: str | None = None,
    path: str | PathLike[str] | None = None,
    *,
    language: str | None = None,
    pixels: float = 2.0,
    **options: Unpack[ChartOptions],
) -> Figure:
    """Draw a record: an evaluation, a comparison, a funnel, the lists of a query, …

    What holds lists and their judgements is evaluated, or compared, first. Without `kind` the one that says most is
    drawn; `KINDS` has them all. `options` are those of the kind: `measure` and `system` of a comparison, `titles` of
    the lists of a query. With `path` the figure is saved as well: .svg, .png (`pixels` per unit) or .pdf; the last two
    need the extra `rankgauge[export]`.

    >>> from rankgauge.evaluation import evaluate
    >>> plot(evaluate({"q": {"d": 1}}, {"q": ["d"]}, "nDCG@10")).svg.startswith("<?xml")
    True
    """
    language = language_of(record, language)
    record = as_record(record)
    name = kind or _default(record)
    if name not in KINDS:
        raise UnknownName(Text(f"no chart {show(name)}.", f"没有图表 {show(name)}。") + among(name, KINDS))
    if path is not None:
        refuse_sources(record, path)
    figure = Figure(_draw(KINDS[name], record, options), language)
    if path is not None:
        figure.save(path, pixels=pixels)
    return figure


def _draw(kind: Kind, record: Any, options: ChartOptions) -> Chart:
    needed = SUBJECTS[kind.needs]
    subject = needed.of(record)
    if subject is None and kind.needs in kinds_of(record):
        raise _nothing(record)
    if subject is None:
        known = [k.name for k in KINDS.values() if SUBJECTS[k.needs].of(record) is not None]
        may = Text(f" It has: {', '.join(known)}.", f"它可画：{', '.join(known)}。") if known else ""
        raise InputError(
            composed(
                "{} needs {}, got {}.{}", "{} 需要{}，实际为 {}。{}", kind.name, needed.says, type(record).__name__, may
            )
        )
    try:
        return kind.draw(subject, **options)
    except TypeError as e:
        if "keyword argument" not in str(e):
            raise
        raise ParameterError(composed("{}: {}.", "{}：{}。", kind.name, _odd_keyword(str(e)))) from None


def _nothing(record: Any) -> InputError:
    name = type(record).__name__
    return InputError(Text(f"this {name} has nothing that can be drawn.", f"该 {name} 中没有可以画的内容。"))


def _odd_keyword(said: str) -> Text:
    """What Python says of an argument that a chart does not take."""
    names = " ".join(part for part in said.split() if part.startswith("'"))
    return Text(said.partition("() ")[2], f"没有选项 {names}")


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
    return _compared(record, "predictions")


def _compared(record: Any, kind: str) -> Mapping[str, Any] | None:
    compared = _comparison(record)
    of_kind = compared is not None and compared.evaluations[compared.baseline].kind == kind
    return compared.evaluations if of_kind else None


def _classes(record: Any) -> Mapping[str, Any] | None:
    """Models that say yes or no, or tell several classes apart."""
    if isinstance(record, ClassEvaluation):
        return {record.model: record}
    if isinstance(record, ClassEvaluations):
        return dict(record)
    found = _compared(record, "classes")
    return found if found is not None else _models(record)


def _either(record: Any) -> Any:
    """Slices are drawn of a comparison, or else of an evaluation."""
    compared = _ranked_comparison(record)
    return compared if compared is not None else _rankings(record)


def _tradeoff(record: Any) -> Any:
    """A trade-off, or that of several systems with two measures or more."""
    if isinstance(record, Tradeoff):
        return record
    compared = _comparison(record)
    members = compared.evaluations if compared is not None else record if isinstance(record, Evaluations) else {}
    labels = next(iter(members.values())).labels if len(members) > 1 else []
    shared = [m for m in labels if all(m in ev for ev in members.values())]
    return tradeoff(record) if len(shared) > 1 else None


def _with_budgets(record: Any) -> Any:
    """A record by budget, or evaluations that know how long results are."""
    if isinstance(record, ByBudget):
        return record
    runs = _rankings(record)
    return runs if runs and all(map(has_budgets, runs.values())) else None


def _explained(record: Any) -> Any:
    """An explanation that has a picture: some measures have nothing to say of ten results."""
    return record if "explanation" in kinds_of(record) and record.readings else None


@dataclass(frozen=True)
class Subject:
    """What charts are drawn of."""

    says: str
    of: Callable[[Any], Any]
    """What is drawn, from a record; None where it does not have that."""
    files: str = ""
    """What files a command makes it of: rankings, predictions or classes; none where it must have been stored."""


def _one_record(kind: str, says: str) -> Subject:
    files = "rankings" if kind == "movement" else ""
    return Subject(says, _or_record(kind, lambda record: None), files)


def _or_record(kind: str, members: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A record of a kind where there is something to draw, or the evaluations that such records are made of."""

    def of(record: Any) -> Any:
        if kind not in kinds_of(record):
            return members(record)
        return record if kind not in _SAYS_SOMETHING or _SAYS_SOMETHING[kind](record) else None

    return of


_SAYS_SOMETHING: dict[str, Callable[[Any], bool]] = {
    "by_cutoff": lambda found: bool(found.points),
    "judgement_health": lambda found: bool(found.ranks),
    "segments": lambda found: any(not isnan(s.copc) for s in found.segments),
    "trend": lambda found: bool(found.series),
}
"""Records that may hold nothing that can be drawn, and whether they do not."""


SUBJECTS = {
    "rankings": Subject(Text("an evaluation of rankings", "排序的评测"), _rankings, "rankings"),
    "comparison": Subject(Text("a comparison", "比较"), _comparison, "rankings"),
    "ranked comparison": Subject(Text("a comparison of rankings", "排序的比较"), _ranked_comparison, "rankings"),
    "slices": Subject(
        Text("an evaluation or comparison of rankings with slices", "带切片的排序评测或比较"), _either, "rankings"
    ),
    "predictions": Subject(Text("an evaluation of labels and scores", "标签与得分的评测"), _models, "predictions"),
    "tradeoff": Subject(
        Text("several systems with two measures or more: evs.tradeoff(…)", "多个系统的两个或更多指标：evs.tradeoff(…)"),
        _tradeoff,
        "rankings",
    ),
    "by_budget": Subject(
        Text(
            "evaluations that know how long results are: documents=…, or spans",
            "知道结果长度的评测：documents=…，或片段标注",
        ),
        _with_budgets,
    ),
    "by_cutoff": Subject(
        Text("an evaluation of rankings, or rg.by_cutoff(…)", "排序的评测，或 rg.by_cutoff(…)"),
        _or_record("by_cutoff", _rankings),
        "rankings",
    ),
    "judgement_health": Subject(
        Text("an evaluation of rankings, or rg.judgement_health(…)", "排序的评测，或 rg.judgement_health(…)"),
        _or_record("judgement_health", _rankings),
        "rankings",
    ),
    "reliability": Subject(
        Text("an evaluation of labels and scores, or rg.reliability(…)", "标签与得分的评测，或 rg.reliability(…)"),
        _or_record("reliability", _models),
        "predictions",
    ),
    "score_histogram": Subject(
        Text(
            "an evaluation of labels and scores, or rg.score_histogram(…)",
            "标签与得分的评测，或 rg.score_histogram(…)",
        ),
        _or_record("score_histogram", _models),
        "predictions",
    ),
    "segments": Subject(
        Text(
            "an evaluation of labels and scores, or rg.worst_segments(…)",
            "标签与得分的评测，或 rg.worst_segments(…)",
        ),
        _or_record("segments", _models),
        "predictions",
    ),
    "confusion_matrix": Subject(
        Text(
            "an evaluation of classes, or of labels and scores with threshold=",
            "类别的评测，或带 threshold= 的标签与得分的评测",
        ),
        _or_record("confusion_matrix", _classes),
        "classes",
    ),
    "trend": Subject(
        Text("numbers over time: rg.trend(history, …)", "随时间变化的数值：rg.trend(history, …)"),
        lambda record: record if "trend" in kinds_of(record) and record.series else None,
    ),
    "explanation": Subject(Text("an explained measure with a picture", "有图的指标说明"), _explained),
    **{
        kind: _one_record(kind, says)
        for kind, says in (
            ("funnel", Text("a funnel", "漏斗")),
            ("by_call", Text("the calls of a retriever: ev.by_call()", "检索器的各次调用：ev.by_call()")),
            ("answers", Text("answers beside what was retrieved: rg.answers(…)", "答案与检索：rg.answers(…)")),
            ("channels", Text("recall channels: rg.channels(…)", "多路召回：rg.channels(…)")),
            ("movement", Text("the lists of a query: comparison.query(…)", "某个查询的列表：comparison.query(…)")),
            ("position_bias", Text("a position bias", "位置偏差")),
            ("judgements", Text("judgements from a log", "来自日志的标注")),
            ("off_policy", Text("an off-policy estimate", "离线策略评估")),
            ("drift", Text("a drift over days", "逐日变化")),
            ("by_part", Text("models compared by part", "按部分比较的模型")),
            ("sweep", Text("collections over budgets: rg.sweep(…)", "不同预算下的各切分：rg.sweep(…)")),
            ("by_item_group", Text("groups of items: ev.by_item_group(…)", "物品分组：ev.by_item_group(…)")),
        )
    },
}


# those that compute something first, where it was not computed already


def _named(subject: Any, kind: str) -> Mapping[str, Any]:
    """A record of a kind by the name of its run or model, or evaluations by name."""
    if kind not in kinds_of(subject):
        return dict(subject)
    return {str(getattr(subject, "run", "") or getattr(subject, "model", "")): subject}


def _made(kind: str, of: Any, make: Callable[..., Record], **asked: object) -> Any:
    """The record of a kind: what was given, or made of an evaluation as it was asked for."""
    said = {name: value for name, value in asked.items() if value is not None}
    if kind not in kinds_of(of):
        return make(of, **said)
    if said:
        raise ParameterError(
            composed(
                "{}: {} was decided when the record was made. Leave it out, or draw the evaluation.",
                "{}：{} 在生成该记录时已定。请去掉它，或改画评测结果。",
                kind,
                ", ".join(said),
            )
        )
    return of


def _by_cutoff(runs: Any, measure: str | None = None) -> Chart:
    def make(ev: Any) -> ByCutoff:
        return by_cutoff(ev, (measure or "nDCG",))

    found = {name: _made("by_cutoff", x, make) for name, x in _named(runs, "by_cutoff").items()}
    asked = measure if isinstance(runs, ByCutoff) else None  # of evaluations it was made for the measure
    return rankings.by_cutoff(found, asked or next(iter(found.values())).measures[0])


def _by_budget(runs: Any, measure: str | None = None) -> Chart:
    made = _named(runs, "by_budget") if isinstance(runs, ByBudget) else by_same_budgets(runs, measure)
    return rankings.by_budget(made, measure or next(iter(made.values())).measures[0])


def _judged(runs: Any, depth: int | None = None) -> Chart:
    named = _named(runs, "judgement_health").items()
    return rankings.judged({n: _made("judgement_health", x, judgement_health, depth=depth) for n, x in named})


def _grades(runs: Any) -> Chart:
    return rankings.grades(
        _made("judgement_health", next(iter(_named(runs, "judgement_health").values())), judgement_health)
    )


def _slices(runs: Any, measure: str | None = None, system: str | None = None) -> Chart:
    if isinstance(runs, Mapping):
        return rankings.slices(_one(runs, system))
    if not runs.sliced:
        raise InputError(
            Text(
                "slices: the comparison has none. Pass slices=… to compare().",
                "slices：该比较没有切片。请给 compare() 传入 slices=…。",
            )
        )
    return comparison.slices(runs, measure, system)


def _curves(models: Mapping[str, Any], thresholds: Mapping[str, float] | None) -> dict[str, Curves]:
    return {name: curves_of(ev, (thresholds or {}).get(name)) for name, ev in models.items()}


def _roc(models: Mapping[str, Any], thresholds: Mapping[str, float] | None = None) -> Chart:
    return predictions.roc(_curves(models, thresholds))


def _pr(models: Mapping[str, Any], thresholds: Mapping[str, float] | None = None) -> Chart:
    return predictions.pr(_curves(models, thresholds))


def _position(models: Mapping[str, Any], good_auc: float = 0.7) -> Chart:
    return predictions.position({name: place_of(ev) for name, ev in models.items()}, good_auc)


def _reliability(models: Any, bins: int | None = None, binning: str | None = None) -> Chart:
    named = _named(models, "reliability").items()
    made = {name: _made("reliability", x, reliability, bins=bins, binning=binning) for name, x in named}
    return predictions.reliability(made)


def _histogram(models: Any, model: str | None = None, bins: int | None = None) -> Chart:
    one = _one(_named(models, "score_histogram"), model)
    return predictions.histogram(_made("score_histogram", one, score_histogram, bins=bins))


def _segments(models: Any, model: str | None = None) -> Chart:
    return predictions.segments(_made("segments", _one(_named(models, "segments"), model), worst_segments))


def _confusion(models: Any, model: str | None = None, threshold: float | None = None) -> Chart:
    ev = _one(_named(models, "confusion_matrix"), model)
    if isinstance(ev, (ClassEvaluation, ConfusionMatrix)):
        if threshold is not None:
            raise ParameterError(
                Text(
                    "confusion: a threshold is for labels and scores, and these are classes. Leave it out.",
                    "confusion：阈值用于标签与得分，而这里是多个类别。请去掉它。",
                )
            )
        return classes.confusion(ev) if isinstance(ev, ConfusionMatrix) else classes.confusion(ev.confusion(), ev.model)
    if threshold is None:
        raise ParameterError(
            Text(
                "confusion: needs a threshold from which on rows are called positive. Pass threshold=0.5.",
                "confusion：需要判为正的阈值。请传入 threshold=0.5。",
            )
        )
    c = ev.confusion(threshold)
    cells = [(0, 0, c.tn), (0, 1, c.fp), (1, 0, c.fn), (1, 1, c.tp)]
    truth, called, weight = zip(*((i, j, x) for i, j, x in cells if x), strict=True)
    whole = [c.tn + c.fp, c.fn + c.tp]
    return classes.confusion(ConfusionMatrix(["0", "1"], truth, called, [0] * len(truth), weight, whole), ev.model)


def _one(members: Mapping[str, Any], name: str | None) -> Any:
    """The one that was asked for, or the first."""
    if name is None:
        return next(iter(members.values()))
    if name not in members:
        raise UnknownName(Text(f"no {show(name)}.", f"没有 {show(name)}。") + among(name, members))
    return members[name]


KINDS = {
    kind.name: kind
    for kind in (
        Kind("measures", Text("means with intervals", "均值与置信区间"), "rankings", rankings.measures),
        Kind(
            "by_cutoff",
            Text("a measure over k, with what can be reached", "随 k 变化的指标值，及其可达上限"),
            "by_cutoff",
            _by_cutoff,
        ),
        Kind(
            "by_budget",
            Text("a measure over the budget of a context", "随上下文预算变化的指标值"),
            "by_budget",
            _by_budget,
        ),
        Kind("judged", Text("share of judged results by rank", "各排名已标注结果的占比"), "judgement_health", _judged),
        Kind("grades", Text("how often each grade was given", "各相关性等级的数量"), "judgement_health", _grades),
        Kind(
            "contrasts",
            Text("differences of all measures and systems", "各指标、各系统的差异"),
            "comparison",
            comparison.contrasts,
        ),
        Kind(
            "differences",
            Text("the difference of every query, sorted", "每个查询的差异，按大小排列"),
            "ranked comparison",
            comparison.differences,
        ),
        Kind(
            "scatter", Text("every query before and after", "每个查询前后的值"), "ranked comparison", comparison.scatter
        ),
        Kind("slices", Text("a heat table by slice", "按切片的热力表"), "slices", _slices),
        Kind("query", Text("the lists of one query side by side", "某个查询的列表并排"), "movement", comparison.lists),
        Kind("funnel", Text("what each stage loses", "每一级丢失多少"), "funnel", funnel.waterfall),
        Kind(
            "channels",
            Text("channels, one after the other", "逐路加入召回通道"),
            "channels",
            channels.additions,
        ),
        Kind(
            "answers",
            Text("right and wrong answers, with and without gold", "检索到与否的正误答案"),
            "answers",
            answers.cells,
        ),
        Kind(
            "answers_by_recall", Text("right answers by recall", "不同召回率下的答对率"), "answers", answers.by_recall
        ),
        Kind("by_call", Text("what each call adds", "每次调用带来什么"), "by_call", by_call.additions),
        Kind("funnel_ndcg", Text("what each stage costs", "每一级的代价"), "funnel", funnel.waterfall_of_ndcg),
        Kind("roc", Text("ROC curve", "ROC 曲线"), "predictions", _roc),
        Kind("pr", Text("precision and recall", "精确率与召回率"), "predictions", _pr),
        Kind("reliability", Text("predicted and observed rates", "预测概率与实际比率"), "reliability", _reliability),
        Kind("histogram", Text("scores by class", "各类别的得分分布"), "score_histogram", _histogram),
        Kind("position", Text("order and probability", "排序与概率"), "predictions", _position),
        Kind("confusion", Text("what was taken for what", "哪些被判成了哪些"), "confusion_matrix", _confusion),
        Kind(
            "propensity",
            Text("how much each position is looked at", "每个位置被看到的可能性"),
            "position_bias",
            behavior.propensity,
        ),
        Kind(
            "judged_grades",
            Text("grades of judgements from a log", "日志标注的相关性等级"),
            "judgements",
            behavior.judged_grades,
        ),
        Kind(
            "clipping",
            Text("an off-policy estimate over the cut of its weights", "离线策略评估随权重截断的变化"),
            "off_policy",
            behavior.clipping,
        ),
        Kind(
            "changes",
            Text("what small changes of a list do to a measure", "列表的小变化对指标的影响"),
            "explanation",
            explanation.changes,
        ),
        Kind(
            "drift",
            Text("measures over days, with corrected intervals", "逐日的指标与校正后的区间"),
            "drift",
            over_time.drift,
        ),
        Kind(
            "trend",
            Text("numbers over time, with breaks and steps", "随时间变化的数值，带断点和台阶"),
            "trend",
            trends.trend,
        ),
        Kind(
            "by_part",
            Text("the difference of two models in each part", "两个模型在各部分的差异"),
            "by_part",
            over_time.by_part,
        ),
        Kind(
            "tradeoff",
            Text("two measures of several systems, dominated ones hollow", "多个系统的两个指标，被支配者为空心"),
            "tradeoff",
            tradeoffs.tradeoff,
        ),
        Kind(
            "sweep",
            Text("a measure of several collections over budgets", "各切分的指标随预算的变化"),
            "sweep",
            sweeps.sweep,
        ),
        Kind(
            "item_groups",
            Text("recall or exposure by group of items", "各物品分组的召回率或曝光占比"),
            "by_item_group",
            items.by_item_group,
        ),
        Kind(
            "segments",
            Text("observed over predicted by segment", "各分段的实际值与预测值之比"),
            "segments",
            _segments,
        ),
    )
}
"""Every chart by its name."""


def charts_of(kind: str) -> list[str]:
    """The charts of a single record of this kind, the one that says most first."""
    return [k.name for k in KINDS.values() if k.needs == kind]


def can_draw(name: str, record: Any) -> bool:
    """Whether a record has what a chart is drawn of."""
    return SUBJECTS[KINDS[name].needs].of(record) is not None


def _default(record: Any) -> str:
    """The kind that says most about a record."""
    compared = _comparison(record)
    if compared is not None:
        return "differences" if _of_rankings(compared) and len(compared.systems) == 1 else "contrasts"
    for kind in KINDS.values():  # of each subject the one that says most comes first
        if SUBJECTS[kind.needs].of(record) is not None:
            return kind.name
    if any(charts_of(kind) for kind in kinds_of(record)):
        raise _nothing(record)
    raise InputError(
        Text(
            f"plot() needs an evaluation, a comparison, a funnel or the lists of a query, got {type(record).__name__}.",
            f"plot() 需要评测、比较、漏斗或某个查询的列表，实际为 {type(record).__name__}。",
        )
    )
