"""Judgements + runs → numbers: the whole path, in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack, overload

from rankgauge._claims import Statement
from rankgauge._memory import room_of
from rankgauge._piped import all_taken_in
from rankgauge._progress import tracked
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment.build import align
from rankgauge.data import Qrels
from rankgauge.data.activity import with_activity
from rankgauge.data.batches import Batches
from rankgauge.data.choosing import batches_to_read, check_engine, is_on_spark, is_spark
from rankgauge.data.columns import OfUsers, shares_columns
from rankgauge.data.given import ManyRuns, SparkFrame, SparkRuns
from rankgauge.data.locating import Documents
from rankgauge.data.many_runs import each_taken_in, several
from rankgauge.data.parallel import both
from rankgauge.data.placed import by_ids_told, judged_where, pieces_by_columns
from rankgauge.data.run_source import RunSource, column_options
from rankgauge.data.spans import SpanOptions, Spans
from rankgauge.data.together import refuse_separate, sides
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.policy_fields import check_policy, refuse_other_keywords
from rankgauge.evaluation.rankings.conventions import Convention
from rankgauge.evaluation.rankings.conventions import convention as convention_named
from rankgauge.evaluation.rankings.measuring import measured, refuse_nothing
from rankgauge.evaluation.rankings.naming import (
    DEFAULT_MEASURES,
    Named,
    as_named,
    asks_for_budget,
    asks_for_shown,
    asks_for_spans,
)
from rankgauge.evaluation.rankings.policy import Policy, PolicyWords
from rankgauge.evaluation.rankings.record import RankingEvaluation, RankingEvaluations
from rankgauge.evaluation.rankings.recording import RecordOptions, evaluation_of
from rankgauge.evaluation.rankings.suspicion import (
    NOT_LOOKED_AT,
    Suspicion,
    not_looked_at,
    suspicions_of_calls,
    suspicions_of_lists,
    together,
)
from rankgauge.evaluation.rankings.user_ratings import all_are_hits, of_ratings
from rankgauge.integrations.retrievers import may_be_asked
from rankgauge.measures.base import Measure
from rankgauge.statistics.intervals import check_level

if TYPE_CHECKING:
    from rankgauge.collection.collecting import CollectOptions
    from rankgauge.data.catalogue import Catalogue
    from rankgauge.engines.spark.record import SparkEvaluation, SparkEvaluations
    from rankgauge.evaluation.rankings.costing import Costing
    from rankgauge.evaluation.rankings.learning import Learned
    from rankgauge.evaluation.rankings.showing import Showing

__all__ = ["EvaluateOptions", "RankingMeasures", "evaluate", "refuse_unmeasurable", "with_answers"]

RankingMeasures = str | Measure | Iterable[str | Measure] | None
"""Measures as they may be named: one or several, as texts or values."""


class RunOptions(PolicyWords, total=False):
    """The keywords of `evaluate`, but for the engine."""

    policy: Policy | None
    convention: str | Convention | None
    weights: Any
    slices: Any
    strict: bool
    confidence_level: float
    columns: Mapping[str, str] | None
    progress: bool | None
    memory: str | int | None
    train: Any
    items: Any
    k: int | None
    queries: Any
    collect: CollectOptions | None
    documents: Any
    tokenizer: Any
    by: str | None


class EvaluateOptions(RunOptions, total=False):
    """The keywords of `evaluate`, for whoever passes them on: `**options: Unpack[EvaluateOptions]`."""

    engine: str


@overload
def evaluate(
    qrels: Any,
    run: SparkRuns,
    measures: RankingMeasures = DEFAULT_MEASURES,
    **options: Unpack[EvaluateOptions],
) -> SparkEvaluations: ...
@overload
def evaluate(
    qrels: Any,
    run: SparkFrame,
    measures: RankingMeasures = DEFAULT_MEASURES,
    **options: Unpack[EvaluateOptions],
) -> SparkEvaluation: ...
@overload
def evaluate(
    qrels: Any,
    run: ManyRuns,
    measures: RankingMeasures = DEFAULT_MEASURES,
    *,
    engine: Literal["spark"],
    **options: Unpack[RunOptions],
) -> SparkEvaluations: ...
@overload
def evaluate(
    qrels: Any,
    run: ManyRuns,
    measures: RankingMeasures = DEFAULT_MEASURES,
    **options: Unpack[EvaluateOptions],
) -> RankingEvaluations: ...
@overload
def evaluate(
    qrels: Any,
    run: Any = None,
    measures: RankingMeasures = DEFAULT_MEASURES,
    *,
    engine: Literal["spark"],
    **options: Unpack[RunOptions],
) -> SparkEvaluation: ...
@overload
def evaluate(
    qrels: Any,
    run: Any = None,
    measures: RankingMeasures = DEFAULT_MEASURES,
    **options: Unpack[EvaluateOptions],
) -> RankingEvaluation: ...
@shares_columns
def evaluate(
    qrels: Any,
    run: Any = None,
    measures: RankingMeasures = DEFAULT_MEASURES,
    *,
    policy: Policy | None = None,
    convention: str | Convention | None = None,
    weights: Any = None,
    slices: Any = None,
    strict: bool = False,
    confidence_level: float = 0.95,
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
) -> RankingEvaluation | RankingEvaluations:
    """How good is this ranking?

    `qrels` and `run` may be dicts, paths, dataframes, NumPy matrices, `Qrels` and `Run`, Spark tables. One run gives
    a `RankingEvaluation`; a dict of runs by name (or a list of paths) gives `RankingEvaluations`, one for each.
    What holds both sides goes alone: `{"q1": {"retrieved": […], "relevant": […]}}`, pairs of lists, records such as
    those of ragas, or a file of them.

    >>> ev = evaluate({"q1": {"d1": 2, "d2": 0, "d3": 1}}, {"q1": {"d1": 0.9, "d2": 0.5}}, ["nDCG@10", "R@10"])
    >>> round(ev["nDCG@10"], 4), ev["recall@10"]
    (0.7602, 0.5)

    The policy words (`ties`, `missing`, `no_relevant`, `unjudged`, `duplicates`, `average`, `depth`, `rel`, `scores`)
    say what measures leave open; docs/policies.md has them all. `policy=ev.policy` takes those of another evaluation,
    and words beside it change it one by one. `convention` computes as another tool does: with its words, unless a
    whole policy says otherwise, and with its parameters of measures. So `convention=ev.convention, policy=ev.policy`
    repeats an evaluation on another run.
    `slices` gives attributes of queries (mapping, frame or file), `weights` a weight per query (these, or a list).
    `slices="activity"` beside `train` makes slices of users who are cold (not in it), warm and heavy; a list of the
    word and a table has both.
    `columns={"stars": "grade", "sim": "score"}` says what columns hold where their names do not: each table takes
    what it has.
    `strict=True` turns everything that the audit would report into an error. `progress` shows a bar over
    the runs, or over the rows of a large one; by default when standard error is a terminal.

    Measures of what is shown (`Coverage@10`, `rg.measures("Shown:")` has all) look at the items of each list. `train`
    are the interactions before (`user → items`, a frame or file of `user_id, item_id`), `items` is the catalogue (ids,
    a table with a column such as `category`, vectors); docs/shown.md tells of them. With `train` the numbers say
    whether the test was learned from, or lists show what users know (`ev.suspicions`; docs/recommenders.md).

    Judgements may be `rg.Spans`, intervals of documents: then `run` holds ranked pieces of documents (`rg.Chunks`, or
    what it takes, or a live retriever that gives them), and measures of spans can be asked for as well; docs/spans.md
    tells of them. Judgements and runs that both say where they stand (document, start, end; quoted text beside
    `documents`) are judged so, whatever the measures are; `by="ids"` compares ids of documents, `by="spans"` insists.

    A live retriever may stand for a run: a function `query → results`, or one of the objects that `rg.collect` takes.
    It is asked for `k` results (20) of every judged query, with the options in `collect` (`{"concurrency": 8}`).
    Judgements are then questions with what is relevant to them, `{"how to …": ["d1"]}`, records, a BEIR folder; else
    `queries` has the texts by id. `latency.p95` and `failures` are measures of it.

    Measures may end at a budget of context instead of a rank: `R(budget=2000t)`, `nDCG(budget=4000c)`. `documents` has
    the texts of results by id (a mapping, frame or file), and `tokenizer` says what a token is: a function of a text,
    or an object with `encode`; docs/spans.md tells of them.

    `engine` says where: `"auto"` computes in memory what fits into `memory` (`"2GiB"`, or half of what is free) and
    reads larger Parquet files, folders and lazily scanned frames in pieces; `"streaming"` always reads those in
    pieces, `"memory"` never does; `"spark"` computes on a Spark session. The numbers are the same.
    """
    engine = check_engine(engine)
    check_level(confidence_level)
    refuse_other_keywords(evaluate, words, Policy)
    conv = convention_named(convention)
    rules = _decided(conv, policy, words, weights)
    wanted: Sequence[Named] = as_named(DEFAULT_MEASURES if measures is None else measures, conv)
    given = (qrels, run, slices, weights, train, items, documents)
    qrels, run, slices, weights, train, items, documents = all_taken_in(*given)
    run = each_taken_in(run)
    if by is not None or (engine != "spark" and not isinstance(qrels, Spans)):
        given_as, needed = qrels, asks_for_spans(wanted)
        how: SpanOptions = {"columns": columns, "documents": documents}
        qrels, run = judged_where(qrels, run, by, needed=needed, asks=may_be_asked, **how)
        if isinstance(qrels, Spans) and qrels is not given_as:
            run, columns = pieces_by_columns(run, qrels, columns), None
    if isinstance(qrels, Spans):
        unused = {"strict": strict, "columns": columns, "train": train, "items": items}
        with by_ids_told(qrels):
            _refuse_beside_spans(engine, [name for name, value in unused.items() if value])
        options: RecordOptions = {"weights": weights, "slices": slices, "confidence_level": confidence_level}
        texts = None if documents is None else Documents.of(documents)
        asking = Asking(k, queries, collect)
        return _of_spans(qrels, run, wanted, rules, policy, words, conv, options, progress, asking, texts, tokenizer)
    _refuse_without_texts(wanted, rules, documents, tokenizer)
    qrels, run = sides(qrels, run, "evaluate", columns)
    qrels, run = with_answers(qrels, run, k, queries, collect, columns)
    costing: Costing | None = None
    priced: list[str] = []
    if asks_for_budget(wanted) or documents is not None or tokenizer is not None:
        from rankgauge.evaluation.rankings.costing import Costing as Asked
        from rankgauge.evaluation.rankings.costing import on_tokens

        costing = Asked.asked(wanted, rules, documents, tokenizer)
        priced = on_tokens(wanted, tokenizer)
    about: RecordOptions = {"weights": weights, "confidence_level": confidence_level, "convention": conv.name}
    if engine == "spark" or (engine == "auto" and is_on_spark(qrels, run)):
        from rankgauge.engines.spark.rankings import evaluate_on_spark

        if costing is not None:
            costing.refuse_in_parts(Text("Spark does not bring together", "Spark 不会把它们汇集到一处"))
        if strict:
            raise ParameterError(
                Text(
                    "strict=True looks at all rows in memory and cannot be had on Spark.",
                    "strict=True 要在内存中查看所有行，在 Spark 上无法做到。",
                )
            )
        about["slices"] = slices
        return evaluate_on_spark(
            qrels, run, wanted, rules, columns=columns, train=train, items=items, room=room_of(memory), **about
        )
    room = room_of(memory)
    large = batches_to_read(qrels, "qrels", columns, "", engine, room)
    judged: Qrels | Batches = Qrels.of(qrels, **column_options(qrels, columns)) if large is None else large
    wanted = list(of_ratings(judged.notes, wanted, rules, has_train=train is not None))
    showing: Showing | None = None
    learned: Learned | None = None
    if asks_for_shown(wanted) or train is not None or items is not None:
        from rankgauge.evaluation.rankings.showing import Showing as OfShown

        if is_spark(train) or is_spark(items):
            from rankgauge.engines.spark.tables import brought

            train, items = (brought(x, kind, columns, None, room) for x, kind in ((train, "train"), (items, "items")))
        showing = OfShown.asked(wanted, rules, train, items, columns)
    catalogue = None if showing is None else showing.catalogue
    about["slices"] = with_activity(slices, None if catalogue is None else catalogue.train)
    of_users = _are_of_users(judged.notes, catalogue)
    if catalogue is not None and catalogue.train is not None and isinstance(judged, Qrels):
        from rankgauge.data.learned import first_time
        from rankgauge.evaluation.rankings.learning import Learned as OfTest

        learned = OfTest(catalogue.train, judged, rules.level, first_time(qrels, catalogue.train, columns))
    runs = None if run is qrels else several(run)
    if runs is not None and not runs:
        raise InputError(
            Text("evaluate() needs at least one run, got an empty list.", "evaluate() 至少需要一个 run，实际是空列表。")
        )
    if strict:
        from rankgauge.data.audit import audit

        known = None if items is None else catalogue
        audit(qrels, runs or run, train=train, items=known, rel=rules.rel, columns=columns).raise_if_found()

    def hits(ev: RankingEvaluation, name: str) -> list[Statement]:
        return all_are_hits(judged.notes, columns, wanted, ev.counts, name, has_train=train is not None)

    def one(source: Any, name: str = "") -> RankingEvaluation:
        pieces = batches_to_read(source, "run", columns, name, engine, room)
        if pieces is not None or large is not None:
            return streamed(source, pieces, name)
        assert isinstance(judged, Qrels)
        ranking = (given := RunSource(source, columns, name)).run()
        refuse_separate(judged, qrels, ranking, source)
        aligned = align(
            judged,
            ranking,
            ties=rules.tie_order,
            single=rules.is_single,
            duplicates=rules.duplicates,
        )
        of_texts: tuple[str, ...] = ()
        if costing is not None:
            aligned = costing.with_costs(aligned, ranking)
            of_texts = () if costing.texts is None else costing.texts.notes
        found = measured(aligned, wanted if showing is None else showing.others, rules)
        shown, shown_notes = None, list[str]()
        doubts: Sequence[Suspicion] = ()
        if showing is not None:
            shown = showing.shown(aligned, ranking, judged)
            shown_notes = showing.notes(shown)
            of_train: tuple[Suspicion, ...] = ()
            if learned is None:
                found = showing.added(found, shown)
            else:
                found, of_train = both(partial(showing.added, found, shown), partial(learned.suspicions, shown))
                shown_notes += learned.remarks(name or ranking.name)
            doubts = (*showing.suspicions(shown), *of_train)
        ev = evaluation_of(found, rules, **about)
        all_hits = hits(ev, name or ranking.name)
        closer = suspicions_of_lists(found.tally, aligned.alignment, aligned.missing, judged, lambda: ranking)
        return replace(
            ev,
            run=name or ranking.name,
            tag=ranking.tag or "",
            qrels=judged.name,
            judged=judged,
            aligned=aligned,
            source=given if costing is None else replace(given, documents=costing.texts, tokenizer=tokenizer),
            catalogue=catalogue,
            of_users=of_users,
            shown=shown,
            remarks=(*judged.notes, *ranking.notes, *ev.remarks, *all_hits, *shown_notes, *priced, *of_texts),
            suspected=(*doubts, *suspicions_of_calls(ranking.collected), *together(closer, ev.suspected)),
        )

    def streamed(source: Any, pieces: Batches | None, name: str) -> RankingEvaluation:
        from rankgauge.engines.streaming import measure_in_pieces

        if costing is not None:
            costing.refuse_in_parts(Text("are read in pieces here", "这里是分块读取的"))
        given = RunSource(source, columns, name)
        if pieces is None:
            ranking = given.run()
            pieces = Batches.of_frame(ranking.results(), "run", ranking.name, ranking.notes, ranking.empty_lists)
        found = measure_in_pieces(judged, pieces, wanted, rules, memory=room(), progress=progress, showing=showing)
        refuse_nothing(found.measured.tally, judged.name, name or pieces.name)
        ev = evaluation_of(found.measured, rules, **about)
        tally = found.measured.tally
        closer: list[Suspicion] = []
        unsaid: list[Statement] = []
        doubts: Sequence[Suspicion] = ()
        if showing is not None and found.shown is not None:
            doubts = showing.suspicions(found.shown)
        if learned is not None and found.shown is not None:
            doubts = (*doubts, *learned.suspicions(found.shown))
            unsaid += learned.remarks(name or pieces.name)
        elif train is not None:
            unsaid.append(NOT_LOOKED_AT)
        if found.is_small and found.aligned is not None and isinstance(judged, Qrels):
            a = found.aligned
            closer = suspicions_of_lists(tally, a.alignment, a.missing, judged, given.run)
        else:
            unsaid += not_looked_at(tally, name or pieces.name)
        return replace(
            ev,
            run=name or pieces.name,
            qrels=judged.name,
            judged=judged if isinstance(judged, Qrels) else None,
            aligned=found.aligned,
            source=given if found.is_small else None,
            catalogue=catalogue,
            of_users=of_users,
            shown=found.shown,
            remarks=(*judged.notes, *pieces.notes, *ev.remarks, *found.notes, *unsaid, *hits(ev, name or pieces.name)),
            suspected=(*doubts, *together(closer, ev.suspected)),
        )

    if runs is None:
        return one(run)
    return RankingEvaluations({name: one(source, name) for name, source in tracked(runs, progress)})


def _are_of_users(notes: Iterable[str], catalogue: Catalogue | None) -> bool:
    """Whether judgements are what users did: what happened before is given, or the names of columns say so."""
    return (catalogue is not None and catalogue.train is not None) or any(isinstance(n, OfUsers) for n in notes)


def _of_spans(
    spans: Spans,
    run: Any,
    wanted: Sequence[Named],
    rules: Policy,
    policy: Policy | None,
    words: PolicyWords,
    conv: Convention,
    about: RecordOptions,
    progress: bool | None,
    asking: Asking,
    documents: Documents | None,
    tokenizer: Any,
) -> RankingEvaluation | RankingEvaluations:
    """The same of gold that is spans: pieces of documents in the place of runs."""
    from rankgauge.evaluation.rankings.covering import Covering

    if run is None:
        raise ParameterError(
            Text(
                "evaluate() needs retrieved pieces beside spans: evaluate(spans, chunks).",
                "除片段外，evaluate() 还需要检索到的文本块：evaluate(spans, chunks)。",
            )
        )
    with by_ids_told(spans):
        covering = Covering.of(spans, wanted, rules, policy, words, conv, documents, tokenizer)
    run = with_answers(spans, run, asking.k, asking.queries, asking.collect, None)[1]
    runs = several(run)
    if runs is None:
        return covering.evaluated(run, "", about)
    return RankingEvaluations(
        {name: covering.evaluated(source, name, about) for name, source in tracked(runs, progress)}
    )


class Asking(NamedTuple):
    """How a live retriever is asked, where one stands for a run."""

    k: int | None
    queries: Any
    collect: CollectOptions | None


def _refuse_beside_spans(engine: str, unused: list[str]) -> None:
    """Raise for keywords that say nothing where gold is spans."""
    if engine in ("spark", "streaming"):
        unused = [f"engine={show(engine)}", *unused]
    if unused:
        raise ParameterError(
            Text(f"{unused[0]} cannot be had with spans. Leave it out.", f"片段标注不能用 {unused[0]}。请去掉它。")
            if unused[0] != "columns"
            else Text(
                "columns cannot be had with spans. Leave it out; rg.Spans(…) and rg.Chunks(…) take columns=.",
                "片段标注不能用 columns。请去掉它；rg.Spans(…) 和 rg.Chunks(…) 可传入 columns=。",
            )
        )


def refuse_unmeasurable(
    qrels: Any,
    measures: RankingMeasures | None,
    policy: Policy | None = None,
    convention: str | Convention | None = None,
    words: PolicyWords | None = None,
    *,
    weights: Any = None,
    documents: Any = None,
    tokenizer: Any = None,
) -> None:
    """Raise, before anything is asked of a retriever, where these measures could not be computed of its answers."""
    conv, words = convention_named(convention), words or {}
    rules = _decided(conv, policy, words, weights)
    wanted = as_named(DEFAULT_MEASURES if measures is None else measures, conv)
    if isinstance(qrels, Spans):
        from rankgauge.evaluation.rankings.covering import Covering

        Covering.of(qrels, wanted, rules, policy, words, conv, None, tokenizer)
    else:
        _refuse_without_texts(wanted, rules, documents, tokenizer)


def _refuse_without_texts(wanted: Sequence[Named], rules: Policy, documents: Any, tokenizer: Any) -> None:
    """Raise where a measure needs spans, or the texts of documents, and there are none."""
    if label := asks_for_spans(wanted):
        raise ParameterError(
            Text(
                f"{label} is about spans of documents, and gold here is ids. It must say where it stands (doc_id, "
                "start, end: rg.Spans in Python), or quote what answers: then pass documents=…, the texts by id.",
                f"{label} 说的是文档中的片段，而这里的标准答案是 id。标准答案必须给出位置（doc_id、start、end；"
                "Python 中为 rg.Spans），或引用原文：此时请传入 documents=…，即按 id 给出的文本。",
            )
        )
    if asks_for_budget(wanted) and documents is None:
        from rankgauge.evaluation.rankings.costing import Costing as Asked

        Asked.asked(wanted, rules, None, tokenizer)


def with_answers(
    qrels: Any, run: Any, k: int | None, queries: Any, collect: CollectOptions | None, columns: Any
) -> tuple[Any, Any]:
    """Judgements and runs, where retrievers may have been given for runs."""
    if run is qrels or (k is queries is collect is None and not may_be_asked(run)):
        return qrels, run
    from rankgauge.collection.answering import answered

    return answered(qrels, run, k=k, queries=queries, collect_options=collect, columns=columns)


def _decided(convention: Convention, policy: Policy | None, words: PolicyWords, weights: Any) -> Policy:
    """What holds for this call; weights say that the mean is weighted, unless something else says how to average."""
    check_policy(policy, Policy, "evaluate")
    if weights is not None and words.get("average") is None:
        if policy is not None and policy.average != "weighted":
            raise ParameterError(
                Text(
                    f"weights={{…}} ask for a weighted mean, and the policy says average={show(policy.average)}. "
                    "Pass average='weighted' as well, or leave the weights out.",
                    f"weights={{…}} 要求加权平均，而策略是 average={show(policy.average)}。请同时传入 "
                    "average='weighted'，或去掉权重。",
                )
            )
        words = {**words, "average": "weighted"}
    decided = convention.applied(policy, **words)
    if decided.average == "weighted" and weights is None:
        raise ParameterError(
            Text(
                "average='weighted' needs weights: pass weights={query_id: weight}.",
                "average='weighted' 需要权重：请传入 weights={query_id: weight}。",
            )
        )
    return decided
