"""Is B better than A? Judgements and runs, or finished evaluations → a comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isnan, nan
from os import PathLike
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np

from rankgauge._checks import is_number, one_of
from rankgauge._claims import phrase
from rankgauge._piped import all_taken_in, is_there, path_of, taken_in
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._unpacked import unpacked_path
from rankgauge.alignment import Array
from rankgauge.comparison.comparable import refuse_disjoint, refuse_incomparable
from rankgauge.comparison.contrast import Contrast, contrast_of
from rankgauge.comparison.depths import DepthGap, depth_gaps, notes_on_depths
from rankgauge.comparison.pairing import Units, in_order, paired, paired_on, pooled_rows
from rankgauge.comparison.record import Comparison
from rankgauge.data import Qrels
from rankgauge.data.budgets import TextsById
from rankgauge.data.catalogue import catalogue_of
from rankgauge.data.chunks import Chunks
from rankgauge.data.columns import shares_columns
from rankgauge.data.learned import first_time
from rankgauge.data.many_runs import each_taken_in, several
from rankgauge.data.placed import judged_where, pieces_by_columns
from rankgauge.data.run_source import column_options
from rankgauge.data.spans import Spans
from rankgauge.data.together import by_name, holds_both, refuse_separate, same_judgements
from rankgauge.errors import InputError, ParameterError, suggest
from rankgauge.evaluation.of_rankings import (
    EvaluateOptions,
    RankingMeasures,
    evaluate,
    refuse_unmeasurable,
    with_answers,
)
from rankgauge.evaluation.policy_fields import refuse_other_keywords
from rankgauge.evaluation.predictions.differences import difference
from rankgauge.evaluation.predictions.of_rows import RowEvaluation
from rankgauge.evaluation.rankings.conventions import Convention
from rankgauge.evaluation.rankings.conventions import convention as convention_named
from rankgauge.evaluation.rankings.naming import DEFAULT_MEASURES, as_named, asks_for_spans
from rankgauge.evaluation.rankings.notes import noted, said_together, warnings_of
from rankgauge.evaluation.rankings.policy import Policy, PolicyWords
from rankgauge.evaluation.rankings.record import Column, RankingEvaluation, RunColumn
from rankgauge.evaluation.rankings.slices import slices_of
from rankgauge.evaluation.record import Evaluation
from rankgauge.integrations.retrievers import may_be_asked
from rankgauge.measures.definition import Definition
from rankgauge.measures.grammar import as_list
from rankgauge.measures.predictions.base import RowMeasure
from rankgauge.statistics.clusters import two_sided
from rankgauge.statistics.corrections import check_correction, corrected, first_level
from rankgauge.statistics.intervals import Interval, check_alpha, check_level
from rankgauge.statistics.paired import check_test, p_values
from rankgauge.statistics.power import fewest_by_signs
from rankgauge.statistics.resampling import bootstrap
from rankgauge.statistics.tukey import randomised_tukey

if TYPE_CHECKING:
    from rankgauge.collection.collecting import CollectOptions

__all__ = ["CompareOptions", "PairOptions", "compare", "every_pair", "notes_on", "tests_made"]

_LEAST_QUERIES = 5  # a slice with fewer is not tested
_OF_RANKS = ("wilcoxon", "sign")  # tests that do not ask about the mean


@shares_columns
def compare(
    qrels: Any,
    runs: Any = None,
    measures: RankingMeasures = None,
    *,
    baseline: str | None = None,
    test: str = "randomisation",
    correction: str = "holm",
    alpha: float = 0.05,
    margin: float | Mapping[str, float] | None = None,
    pairs: str = "baseline",
    permutations: int = 10_000,
    rng: Any = 0,
    confidence_level: float = 0.95,
    policy: Policy | None = None,
    convention: str | Convention | None = None,
    weights: Any = None,
    slices: Any = None,
    strict: bool = False,
    columns: Mapping[str, str] | None = None,
    progress: bool | None = None,
    engine: str = "auto",
    memory: str | int | None = None,
    train: Any = None,
    items: Any = None,
    k: int | None = None,
    queries: Any = None,
    collect: CollectOptions | None = None,
    documents: Any = None,
    tokenizer: Any = None,
    by: str | None = None,
    **words: Unpack[PolicyWords],
) -> Comparison:
    """Is one system better than another, and can the answer be trusted?

    `compare(qrels, {"bm25": a, "dense": b}, ["nDCG@10"])` evaluates and pairs by query; a system may have several runs
    (seeds) in a list, which are averaged per query first. `compare({"old": ev_a, "new": ev_b})` takes finished
    evaluations of rankings or of labels and scores, or the paths of stored ones; what holds the same judgements beside
    each list (`{"q1": {"retrieved": […], "relevant": […]}}`, records, files of them) is evaluated first. The first
    system is the baseline unless said.

    >>> qrels = {f"q{i}": {"d1": 1} for i in range(20)}
    >>> old, new = {q: ["d9", "d8", "d1"] for q in qrels}, {q: ["d1", "d9"] for q in qrels}
    >>> compare(qrels, {"old": old, "new": new}, "RR").verdict("RR", "new")
    'better'

    `test` is randomisation, t, wilcoxon, sign or bootstrap; `correction` is holm, bh, bonferroni or none, over all
    measures × systems (slices are corrected among themselves). `margin`, in units of the measure or by measure, is the
    difference that does not matter: inside it systems are equivalent. `pairs="all"` adds the p-values of all pairs of
    systems by a randomised Tukey test. `policy`, `convention`, the policy words and the other keywords are those of
    `evaluate`; finished evaluations were computed under theirs.
    """
    refuse_other_keywords(compare, words, Policy)
    check_level(confidence_level)
    check_alpha(alpha)
    pairs = one_of("pairs", pairs, ("baseline", "all"))
    _check_margin(margin)
    seeds: dict[str, list[RankingEvaluation]] = {}
    systems = by_name(qrels) if runs is None else None
    if systems is not None and engine != "spark":
        needed = _needed(measures, convention)
        found, pieces = judged_where(systems, None, by, needed=needed, columns=columns, documents=documents)
        if isinstance(found, Spans):
            qrels, runs, systems, columns = found, pieces, None, None
    if systems is not None:
        qrels, runs = same_judgements(systems, columns), systems
    elif runs is None and not isinstance(qrels, Spans) and holds_both(qrels):
        raise InputError(
            Text(
                "compare() needs two systems or more, got one with its judgements. "
                'Pass {"old": records, "new": other_records}.',
                'compare() 需要两个或更多系统，只得到一个（含标注）。请传入 {"old": records, "new": other_records}。',
            )
        )
    if runs is None:
        how = {"policy": policy, "convention": convention, "weights": weights, "slices": slices, "strict": strict}
        asking = {"k": k, "queries": queries, "collect": collect, "documents": documents, "tokenizer": tokenizer}
        asking["by"] = by
        _refuse_late(how | {"columns": columns, "train": train, "items": items, **asking, **words})
        evaluations = _stored(qrels)
    else:
        qrels, slices, documents = all_taken_in(qrels, slices, documents)
        runs = each_taken_in(runs)
        if systems is None and engine != "spark":
            qrels, runs, columns = _placed(qrels, runs, by, measures, convention, documents, columns)
        if may_be_asked(runs):  # what is wrong is said before anything is asked
            check_test(test)
            check_correction(correction)
            given = {"weights": weights, "documents": documents, "tokenizer": tokenizer}
            refuse_unmeasurable(qrels, measures, policy, convention, words, **given)
        qrels, runs = with_answers(qrels, runs, k, queries, collect, columns)
        judged = qrels if isinstance(qrels, Spans) else Qrels.of(qrels, **column_options(qrels, columns))
        if systems is None and isinstance(judged, Qrels):
            instead = Text(
                'Pass them by name: rg.compare({"old": …, "new": …}).',
                '请按名称传入：rg.compare({"old": …, "new": …})。',
            )
            refuse_separate(judged, qrels, run=runs, instead=instead)
        if documents is not None and isinstance(judged, Qrels):
            documents = TextsById.among(documents)  # read once for all systems
        known = catalogue_of(train, items, columns)
        if isinstance(judged, Qrels) and known is not None and known.train is not None:
            judged.begin = first_time(qrels, known.train, columns)
        options: EvaluateOptions = {
            **words,
            "policy": policy,
            "convention": convention,
            "weights": weights,
            "slices": slices,
            "strict": strict,
            "confidence_level": confidence_level,
            "columns": columns,
            "progress": progress,
            "engine": engine,
            "memory": memory,
            "train": None,
            "items": known,
            "k": None,  # what could be asked was asked
            "queries": None,
            "collect": None,
            "documents": documents,
            "tokenizer": tokenizer,
            "by": None if isinstance(judged, Spans) else by,
        }
        wanted = DEFAULT_MEASURES if measures is None else measures
        repeated = {name: [run] for name, run in systems.items()} if systems is not None else _repeated(runs)
        seeds = {name: [_evaluated(judged, run, wanted, options) for run in each] for name, each in repeated.items()}
        evaluations = {name: _averaged(each, name) for name, each in seeds.items()}
    if len(evaluations) < 2:
        raise InputError(
            Text(
                f"compare() needs two systems or more, got {len(evaluations)}: {', '.join(evaluations)}.",
                f"compare() 至少需要两个系统，实际为 {len(evaluations)} 个：{', '.join(evaluations)}。",
            )
        )
    _refuse_names(evaluations)
    base = _baseline(baseline, evaluations)
    evaluations = {base: evaluations[base], **evaluations}
    labels = _labels(evaluations, measures if runs is None else None)
    left_out = _left_out(evaluations) if measures is None else []
    settings = _Settings(test, correction, alpha, margin, permutations, rng, confidence_level)
    evaluations = _made_comparable(evaluations, labels)
    contrasts = settings.contrasts(evaluations, base, labels)
    depths = _depths(evaluations, base, labels, confidence_level)
    comparison = Comparison(
        contrasts=contrasts,
        baseline=base,
        evaluations=evaluations,
        test=settings.test_used(evaluations[base]),
        correction=correction,
        family=tests_made(c.p_value for c in contrasts),
        alpha=alpha,
        confidence_level=confidence_level,
        permutations=permutations,
        seeds={name: len(each) for name, each in seeds.items() if len(each) > 1},
        seed_spread=_seed_spread(seeds, labels),
        notes=[
            *left_out,
            *notes_on(evaluations, labels),
            *_untold(evaluations, labels, pairs),
            *notes_on_depths(depths),
        ],
        depths=depths,
    )
    if evaluations[base].kind == "rankings":
        sliced = settings.slices(evaluations, base, labels)
        comparison = replace(comparison, sliced=sliced)
        if pairs == "all":
            comparison = replace(comparison, pairwise=settings.pairwise(evaluations, labels))
    return comparison


class PairOptions(TypedDict, total=False):
    """How pairs of systems are tested: the keywords of `every_pair`."""

    test: str
    correction: str
    alpha: float
    margin: float | Mapping[str, float] | None
    permutations: int
    rng: Any
    confidence_level: float


class CompareOptions(PairOptions, total=False):
    """The keywords of `compare` beside finished evaluations, for whoever passes them on."""

    measures: RankingMeasures
    baseline: str | None
    pairs: str


def every_pair(
    evaluations: Mapping[str, Evaluation],
    measures: Sequence[str],
    *,
    test: str = "randomisation",
    correction: str = "holm",
    alpha: float = 0.05,
    margin: float | Mapping[str, float] | None = None,
    permutations: int = 10_000,
    rng: Any = 0,
    confidence_level: float = 0.95,
) -> tuple[list[Contrast], dict[str, Evaluation]]:
    """Every pair of systems once in each measure, the first as the baseline of the others, all corrected together.

    With the evaluations as they were paired.
    """
    check_level(confidence_level)
    check_alpha(alpha)
    _check_margin(margin)
    _refuse_names(evaluations)
    paired_up = _made_comparable(evaluations, measures)
    settings = _Settings(test, correction, alpha, margin, permutations, rng, confidence_level)
    found: list[_Tested] = []
    names = list(paired_up)
    for i, base in enumerate(names):
        found += settings.against(base, {name: paired_up[name] for name in names[i:]}, measures)
    return settings.judged(found), paired_up


def _made_comparable(evaluations: Mapping[str, Evaluation], labels: Sequence[str]) -> dict[str, Evaluation]:
    """Evaluations of rankings over the same queries, in the order of the first; an error where they cannot be."""
    first = next(iter(evaluations.values()))
    if first.kind != "rankings":
        return dict(evaluations)
    refuse_incomparable(evaluations, labels)  # type: ignore[arg-type]
    queries = first.query_ids  # type: ignore[attr-defined]
    ordered: dict[str, Evaluation] = {name: in_order(ev, queries) for name, ev in evaluations.items()}  # type: ignore[arg-type]
    refuse_disjoint(ordered, labels)  # type: ignore[arg-type]
    return ordered


def _check_margin(margin: Any) -> None:
    for value in margin.values() if isinstance(margin, Mapping) else () if margin is None else (margin,):
        if not is_number(value) or not value > 0:
            raise ParameterError(
                Text(
                    f"`margin` must be a number above 0, or one for each measure, got {show(value)}.",
                    f"`margin` 必须是大于 0 的数，或每个指标一个，实际为 {show(value)}。",
                )
            )


# what is compared


def _placed(
    qrels: Any, runs: Any, by: str | None, measures: RankingMeasures, convention: Any, documents: Any, columns: Any
) -> tuple[Any, Any, Any]:
    """Judgements, runs and the columns that are still to be told: spans where both sides say where they stand."""
    needed = _needed(measures, convention)
    try:
        flat = {f"{name} {i}": run for name, each in _repeated(runs).items() for i, run in enumerate(each, 1)}
    except InputError:
        return qrels, runs, columns  # whoever takes them apart says what is wrong
    how: dict[str, Any] = {"needed": needed, "asks": may_be_asked, "columns": columns, "documents": documents}
    found, _ = judged_where(qrels, runs if may_be_asked(runs) else flat, by, **how)
    if found is qrels or not isinstance(found, Spans):
        return qrels, runs, columns
    read = partial(pieces_by_columns, spans=found, columns=columns)
    if columns and not may_be_asked(runs):
        seeds = {name: [read(run) for run in each] for name, each in _repeated(runs).items()}
        runs = {name: each if len(each) > 1 else each[0] for name, each in seeds.items()}
    return found, runs, None


def _needed(measures: RankingMeasures, convention: Any) -> str:
    """A measure that needs spans; empty where none does."""
    return asks_for_spans(as_named(DEFAULT_MEASURES if measures is None else measures, convention_named(convention)))


def _refuse_late(how: Mapping[str, Any]) -> None:
    """What says how to evaluate comes too late for evaluations."""
    late = [name for name, value in how.items() if value is not None and value is not False]
    if late:
        raise ParameterError(
            Text(
                f"compare: these evaluations are finished, and `{late[0]}` says how to evaluate. Pass it to "
                "evaluate(), or "
                "compare judgements and runs.",
                f"compare：这些评测已经完成，而 `{late[0]}` 说明的是如何评测。请把它传入 evaluate()，"
                "或直接比较标注和 run。",
            )
        )


def _evaluated(judged: Qrels | Spans, run: Any, wanted: RankingMeasures, options: EvaluateOptions) -> RankingEvaluation:
    ev = evaluate(judged, run, wanted, **options)
    assert isinstance(ev, RankingEvaluation), "one run of a system"
    return ev


def _stored(given: Any) -> dict[str, Evaluation]:
    """Finished evaluations by name, from a mapping or a list of them or of paths."""
    if isinstance(given, Mapping):
        pairs = [(str(name), value) for name, value in given.items()]
    elif isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
        pairs = [("", value) for value in given]
    else:
        raise ParameterError(
            Text(
                "compare() needs runs: compare(qrels, {name: run, …}), or evaluations by name.",
                "compare() 需要 run：compare(qrels, {name: run, …})，或以名称为键的评测。",
            )
        )
    from rankgauge.evaluation.loading import load_evaluation

    out: dict[str, Evaluation] = {}
    for name, value in ((name, taken_in(value)) for name, value in pairs):
        ev = load_evaluation(value) if isinstance(value, (str, PathLike)) else value
        if not isinstance(ev, Evaluation):
            raise InputError(
                Text(
                    f"compare() needs evaluations or paths of stored ones, got {type(ev).__name__}.",
                    f"compare() 需要评测，或已存储评测的路径，实际为 {type(ev).__name__}。",
                )
            )
        own = getattr(ev, "run", None) or getattr(ev, "model", "")
        name = name or (unpacked_path(path_of(value)).stem if isinstance(value, (str, PathLike)) else str(own))
        if name in out:
            raise InputError(
                Text(
                    f"two evaluations are called {show(name)}. Pass a dict of evaluations by name.",
                    f"有两个评测都叫 {show(name)}。请传入以名称为键的 dict。",
                )
            )
        out[name] = ev
    if len({ev.kind for ev in out.values()}) > 1:
        raise InputError(
            Text(
                "evaluations of rankings, of labels and scores, and of classes cannot be compared with each other.",
                "排序的评测、标签与得分的评测和类别的评测不能相互比较。",
            )
        )
    return out


def _repeated(runs: Any) -> dict[str, list[Any]]:
    """For each system its runs; one, unless a list was given under its name."""
    if isinstance(runs, Mapping) and any(_is_list_of_runs(v) for v in runs.values()):
        return {str(k): list(v) if _is_list_of_runs(v) else [v] for k, v in runs.items()}
    named = several(runs)
    if named is None:
        raise InputError(
            Text(
                "compare() needs two runs or more: a dict of runs by name, or a list of paths.",
                "compare() 至少需要两个 run：以名称为键的 dict，或路径的列表。",
            )
        )
    return {name: [run] for name, run in named.items()}


def _is_list_of_runs(value: Any) -> bool:
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return all(
        isinstance(v, (Mapping, PathLike, Chunks)) or (isinstance(v, str) and is_there(v)) or hasattr(v, "columns")
        for v in value
    )


def _averaged(each: list[RankingEvaluation], name: str) -> RankingEvaluation:
    """Runs of one system as one: the mean of each query over them."""
    first = each[0]
    if len(each) == 1:
        return replace(first, run=name)
    columns: list[Column] = []
    for i, c in enumerate(first.columns):
        others = [ev.columns[i] for ev in each]
        counted = np.logical_and.reduce([o.counted for o in others])
        values = np.mean([o.values for o in others], axis=0)
        ratio = (_mean_of([o.numerator for o in others]), _mean_of([o.denominator for o in others]))
        if isinstance(c, RunColumn):
            value = float(np.mean([ev[c.label] for ev in each]))
            columns.append(replace(c, values=values, counted=counted, value=value, of=None))
            continue
        columns.append(Column(c.label, c.measure, values, counted, *ratio))
    suspected = {s.code: s for ev in each for s in ev.suspected}  # what holds for one run holds for their mean
    known = [ev.longest for ev in each if ev.longest is not None]
    longest = max(known) if len(known) == len(each) else None
    suspects = tuple(suspected.values())
    return replace(
        first,
        columns=columns,
        run=name,
        aligned=None,
        shown=None,
        lengths=None,
        longest=longest,
        suspected=suspects,
    )


def _mean_of(each: Sequence[Array | None]) -> Array | None:
    known = [x for x in each if x is not None]
    return np.asarray(np.mean(known, axis=0)) if len(known) == len(each) else None


def _seed_spread(seeds: Mapping[str, list[RankingEvaluation]], labels: Sequence[str]) -> dict[tuple[str, str], float]:
    return {
        (label, name): float(np.std([ev[label] for ev in each], ddof=1))
        for name, each in seeds.items()
        if len(each) > 1
        for label in labels
    }


def _refuse_names(names: Iterable[str]) -> None:
    """Systems are columns in the table of differences, beside these."""
    taken = [n for n in names if n in ("query_id", "difference", "only_ties", "only_unjudged")]
    if taken:
        raise InputError(
            Text(
                f"a system cannot be called {show(taken[0])}: the table of differences has such a column. Rename it.",
                f"系统不能叫 {show(taken[0])}：差值表中有这个列名。请改名。",
            )
        )


def _baseline(name: str | None, evaluations: Mapping[str, Evaluation]) -> str:
    if name is None:
        return next(iter(evaluations))
    name = str(name)  # runs may be named by numbers
    if name not in evaluations:
        raise ParameterError(
            Text(
                f"`baseline` must be one of {', '.join(evaluations)}, got "
                f"{show(name)}.{suggest(name, list(evaluations))}",
                f"`baseline` 必须是 {', '.join(evaluations)} 之一，实际为 {show(name)}。"
                f"{zh(suggest(name, list(evaluations)))}",
            )
        )
    return name


def _labels(evaluations: Mapping[str, Evaluation], measures: Any) -> list[str]:
    first = next(iter(evaluations.values()))
    if measures is not None:
        return [first.column(m).label for m in as_list(measures)]
    shared = [c.label for c in first.columns if all(c.label in ev for ev in evaluations.values())]
    shared = [label for label in shared if first.column(label).measure.summary in ("mean", "pooled", "run")]
    if not shared:
        raise InputError(
            Text("the evaluations have no measure in common that can be compared.", "这些评测没有可以比较的共同指标。")
        )
    return shared


def _left_out(evaluations: Mapping[str, Evaluation]) -> list[str]:
    """Measures that not all systems have, and who has them: nobody can compare them."""
    who: dict[tuple[str, ...], list[str]] = {}
    for ev in evaluations.values():
        for label in ev.labels:
            having = tuple(name for name, other in evaluations.items() if label in other)
            if len(having) < len(evaluations) and label not in who.setdefault(having, []):
                who[having].append(label)
    return [
        Text(
            f"only {' and '.join(having)} {'has' if len(having) == 1 else 'have'} {', '.join(labels)}: not compared",
            f"只有 {'、'.join(having)} 有 {'、'.join(labels)}：未比较",
        )
        for having, labels in who.items()
    ]


def notes_on(evaluations: Mapping[str, Evaluation], labels: Sequence[str]) -> list[str]:
    """What a reader of differences must know of the evaluations and the measures."""
    out: list[str] = [
        phrase("{}: {}", "{}：{}", name, warning)
        for name, ev in evaluations.items()
        if isinstance(ev, RankingEvaluation)
        for warning in warnings_of(ev)
    ]
    ranked = {name: ev for name, ev in evaluations.items() if isinstance(ev, RankingEvaluation)}
    out += said_together({name: [*_of_pieces(ev), *noted(ev, "exhausted")] for name, ev in ranked.items()})
    first = next(iter(evaluations.values()))
    if isinstance(first, RankingEvaluation):
        out += first.notes_on_slices
    of_run = [label for label in labels if is_of_run(first.column(label).measure)]
    quantiles = [label for label in of_run if first.column(label).measure.quantile is not None]
    of_run = [label for label in of_run if label not in quantiles]
    if quantiles:
        out.append(
            Text(
                f"{', '.join(quantiles)}: quantiles; interval and p of the difference rest on which queries lie above "
                "each of them (Woodruff) and on queries drawn again",
                f"{'、'.join(quantiles)}：分位数；差值的置信区间与 p 值由哪些查询高于各自的分位数（Woodruff 法）"
                "及对查询的重抽样得到",
            )
        )
    if of_run:
        out.append(
            Text(
                f"{', '.join(of_run)}: of whole runs; interval and p rest on leaving out one user at a time "
                f"(jackknife)",
                f"{'、'.join(of_run)}：整个 run 的数值；置信区间与 p 值由逐一去掉用户得到（刀切法）",
            )
        )
    for label in labels:
        m = first.column(label).measure
        if isinstance(m, RowMeasure) and (about := m.about_p(label)) is not None:
            out.append(about)
        counted = [c.counted for ev in evaluations.values() if hasattr(c := ev.column(label), "counted")]
        if counted and any((c != counted[0]).any() for c in counted):
            both = int(np.logical_and.reduce(counted).sum())
            out.append(paired_on(label, both))
    return out


def _of_pieces(ev: RankingEvaluation) -> tuple[str, ...]:
    """What an evaluation of spans says of how they were read: what was located and what not, what no list can find."""
    if ev.aligned is not None:
        return tuple(ev.remarks) if ev.aligned.is_of_spans else ()
    of_spans = "too_long_by" in ev.counts or any("spans" in c.measure.needs for c in ev.columns)
    return tuple(ev.remarks) if of_spans else ()


def _untold(evaluations: Mapping[str, Evaluation], labels: Sequence[str], pairs: str) -> list[str]:
    """Where measures of whole runs are left out: they say nothing of parts of a run, nor of swaps inside a query."""
    first = next(iter(evaluations.values()))
    of_run = [label for label in labels if is_of_run(first.column(label).measure)]
    places = [
        *([Text("slices", "切片")] if getattr(first, "attributes", None) else []),
        *([Text("all pairs", "两两比较")] if pairs == "all" else []),
    ]
    if not of_run or not places:
        return []
    where = Text(" and ".join(places), "和".join(p.zh for p in places))
    return [
        Text(
            f"{', '.join(of_run)}: left out of {where}, where values of single queries are tested",
            f"{'、'.join(of_run)}：不计入{where.zh}，那里检验的是单个查询的数值",
        )
    ]


def _depths(evaluations: Mapping[str, Evaluation], base: str, labels: Sequence[str], level: float) -> list[DepthGap]:
    out: list[DepthGap] = []
    theirs = evaluations[base]
    for name, ev in evaluations.items():
        if name != base and isinstance(ev, RankingEvaluation) and isinstance(theirs, RankingEvaluation):
            out += depth_gaps((base, theirs), (name, ev), labels, level)
    return out


# statistics


def is_of_run(m: Definition) -> bool:
    """Whether it is a number of the whole run, of which single queries have none."""
    return m.summary == "run"


def tests_made(p_values: Iterable[float]) -> int:
    """How many of the p-values there are: what was not tested is not corrected for."""
    return sum(not isnan(p) for p in p_values)


@dataclass(frozen=True)
class _Tested:
    """A contrast on its way: measure, system, baseline, and its differences."""

    names: tuple[str, str, str]
    units: Units
    measure: Definition
    p: float | None = None
    slice: str = ""


class _Settings:
    """How differences are tested."""

    def __init__(
        self,
        test: str,
        correction: str,
        alpha: float,
        margin: float | Mapping[str, float] | None,
        permutations: int,
        rng: Any,
        level: float,
    ) -> None:
        self.test, self.correction, self.alpha, self.margin = test, correction, alpha, margin
        self.permutations, self.rng, self.level = permutations, rng, level

    def test_used(self, ev: Evaluation) -> str:
        return self.test if ev.kind == "rankings" else "t by group"

    def _margin(self, label: str) -> float | None:
        if isinstance(self.margin, Mapping):
            return self.margin.get(label)
        return self.margin

    def contrasts(self, evaluations: Mapping[str, Evaluation], base: str, labels: Sequence[str]) -> list[Contrast]:
        return self.judged(self.against(base, evaluations, labels))

    def against(self, base: str, evaluations: Mapping[str, Evaluation], labels: Sequence[str]) -> list[_Tested]:
        """The differences of all others to the baseline."""
        found: list[_Tested] = []
        for label in labels:
            for name, ev in evaluations.items():
                if name == base:
                    continue
                m, theirs = ev.column(label).measure, evaluations[base]
                if isinstance(ev, RowEvaluation):
                    units, p = self._rows(ev, theirs, label)
                    found.append(_Tested((label, name, base), units, m, p))
                else:
                    assert isinstance(ev, RankingEvaluation)
                    assert isinstance(theirs, RankingEvaluation)
                    units = paired(theirs, ev, label)
                    found.append(_Tested((label, name, base), units, m, self._of_run(units) if is_of_run(m) else None))
        return found

    def _of_run(self, units: Units) -> float:
        """The p-value of numbers of whole runs: users are left out one by one, and nothing is swapped inside one."""
        if units.n < 2 or units.known is not None:
            return nan
        return 1.0 if units.unchanged else float(np.ravel(p_values("t", units.differences[:, None]))[0])

    def judged(self, found: list[_Tested]) -> list[Contrast]:
        raw = self._p_values(found)
        level = first_level(self.alpha, tests_made(raw), self.correction)
        return [
            contrast_of(
                t.units,
                t.names,
                (p, q),
                t.measure,
                alpha=self.alpha,
                level=level,
                margin=self._margin(t.names[0]),
                confidence_level=self.level,
                interval=self._interval(t.units),
                slice=t.slice,
                fewest=self._fewest(t, level),
            )
            for t, p, q in zip(found, raw, corrected(raw, self.correction), strict=True)
        ]

    def _fewest(self, t: _Tested, level: float) -> int:
        """Queries from which on the test can say anything."""
        by_signs = t.p is None and self.test in ("randomisation", *_OF_RANKS)
        return fewest_by_signs(level) if by_signs else 2

    def _p_values(self, found: list[_Tested]) -> list[float]:
        """All contrasts over as many queries are tested together: they share their flips."""
        out = [nan if t.p is None else t.p for t in found]
        by_size: dict[int, list[int]] = {}
        for i, t in enumerate(found):
            if t.p is None and t.units.n > 1 and t.units.known is None and not t.units.is_one:
                by_size.setdefault(t.units.n, []).append(i)
        for members in by_size.values():
            together = np.stack([self._tested(found[i]) for i in members], axis=1)
            p = p_values(self.test, together, permutations=self.permutations, rng=self.rng)
            for i, value in zip(members, np.ravel(p).tolist(), strict=True):
                out[i] = self._as_wide(found[i].units, value)
        return out

    def _as_wide(self, units: Units, p: float) -> float:
        """Flips know whether systems could be exchanged, not that one heavy query decides the total: the interval,
        which leaves out one query at a time, does, and no difference is called clear that it leaves open."""
        if self.test != "randomisation" or not units.is_uneven or units.unchanged:
            return p
        return max(p, two_sided(units.difference, units.error, units.n))

    def _tested(self, t: _Tested) -> Array:
        """What the test looks at in each query."""
        if self.test == "randomisation" and t.units.swaps is not None:
            return t.units.swaps
        if self.test in _OF_RANKS and not t.units.is_plain:
            raise ParameterError(
                Text(
                    f"test={show(self.test)} looks at queries one by one and knows no weights and no pooled ratios, "
                    f"but {t.names[0]} is not the plain mean of its queries here. "
                    "Use test='randomisation', 't' or 'bootstrap', or average='macro'.",
                    f"test={show(self.test)} 逐个查询地看，不考虑权重和合并的比率，而 {t.names[0]} "
                    "在这里不是各查询的简单平均。请用 test='randomisation'、't' 或 'bootstrap'，或 "
                    "average='macro'。",
                )
            )
        return t.units.differences

    def _interval(self, units: Units) -> Interval | None:
        if self.test != "bootstrap" or units.changes is None or isnan(units.error):
            return None
        low, high = bootstrap(
            units.differences, resamples=self.permutations, rng=self.rng, confidence_level=self.level, method="bca"
        )
        return Interval(float(np.ravel(low)[0]), float(np.ravel(high)[0]))

    def _rows(self, ev: RowEvaluation, base: Any, label: str) -> tuple[Units, float]:
        """Two models on the same rows: the influence of each group."""
        mine, theirs = ev.column(label), base.column(label)
        d = difference(mine, theirs, ev.model, base.model, self.level, self.rng, 0)
        values = theirs.value, mine.value
        if mine.clusters is None or theirs.clusters is None or (d.value and isnan(d.error)):
            return Units(np.zeros(0), *values, known=(mine.n, d.error), left=d.left), d.p_better
        moved = mine.clusters - theirs.clusters
        unchanged = len(moved) > 0 and not d.value and not moved.any()
        return Units(d.value + len(moved) * moved, *values, unchanged=unchanged, left=d.left), d.p_better

    def slices(self, evaluations: Mapping[str, Any], base: str, labels: Sequence[str]) -> list[Contrast]:
        """Every value of every attribute with enough queries, corrected together, the largest losses first."""
        found: list[_Tested] = []
        for attribute, of_query in evaluations[base].attributes.items():
            for value, inside in slices_of(of_query):
                for label in (x for x in labels if not is_of_run(evaluations[base].column(x).measure)):
                    for name, ev in evaluations.items():
                        if name == base:
                            continue
                        units = paired(evaluations[base], ev, label, inside)
                        if units.n >= _LEAST_QUERIES:
                            m = ev.column(label).measure
                            found.append(_Tested((label, name, base), units, m, slice=f"{attribute}={value}"))
        return sorted(self.judged(found), key=lambda c: c.n * c.gain) if found else []

    def pairwise(self, evaluations: Mapping[str, Any], labels: Sequence[str]) -> dict[str, Any]:
        members = list(evaluations.values())
        return {
            label: randomised_tukey(pooled_rows(members, label), permutations=self.permutations, rng=self.rng)
            for label in labels
            if not is_of_run(members[0].column(label).measure)
        }
