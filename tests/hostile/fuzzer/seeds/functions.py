"""Every public function, with valid arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from tempfile import TemporaryDirectory
from typing import Any

import rankgauge as rg
from fuzzer.asking import DOCUMENTS
from fuzzer.checks import Outcome

from .seed import Seed, called, plain

__all__ = ["FUNCTIONS"]

MUTE = {
    "plot",
    "report",
    "baseline",  # a run says what became of its lists, not how its training data was read
    "behavior.read_log",  # what cannot be used is counted when the log is cleaned
    "behavior.read_ubi",
    *(f"behavior.{name}" for name in ("credit", "identifiability", "position_bias", "relevance", "qrels_of")),
    *(f"behavior.{name}" for name in ("fit_click_model", "compare_click_models", "sensitivity", "interleave")),
}
"""Their answers have no room for what was said when the input was read."""

M = ["nDCG@10", "AP", "RR", "P@5"]


def _function(
    public: str, slots: str, function: Callable[..., Any], /, *, _files: bool = False, _times: int = 1, **options: Any
) -> Seed:
    """`function` gets what is in the slots, in their order, and the options by name."""
    used = tuple(slots.split())

    def call(inputs: Mapping[str, Any], given: Mapping[str, Any]) -> Outcome:
        return called(lambda: function(*(inputs[slot] for slot in used), **{**options, **given}), typed=bool(given))

    title = f"rg.{public}({', '.join(used)})" + (f" {', '.join(options)}" if options else "")
    beside = {"gate": {"qrels", "run", "slices"}, "project": {"qrels", "run"}}
    fixed = frozenset(name for slot in used for name in beside.get(slot, ()))
    return Seed(
        *(title, public, (*used, *sorted(fixed)), call, options, not _files, fixed),
        weight=_times,
        mute=public in MUTE,
        mirrors=public in ("audit", "diagnose"),
    )


b = rg.behavior


def _spans(spans: rg.Spans) -> Any:
    """The needs, and what was said when they were read."""
    return {"rows": spans.to_frame(), "notes": [str(note) for note in spans.notes]}


def _searched(query: str) -> dict[str, list[dict[str, list[str]]]]:
    return {"calls": [{"documents": ["a"]}, {"documents": ["b", query]}]}


def _asked(query: str) -> list[str]:
    return ["a", "b", query]


@cache
def _evaluation() -> Any:
    from fuzzer.tables import data_set

    data = data_set(0)
    return rg.evaluate(data["qrels"].nested(), data["run"].nested(), M)


@cache
def _budgeted() -> Any:
    from fuzzer.tables import data_set

    data = data_set(0)
    run = data["run"].nested()
    texts = {d: "word " * (1 + i % 7) for i, d in enumerate(sorted({d for row in run.values() for d in row}))}
    return rg.evaluate(data["qrels"].nested(), run, M, documents=texts)


@cache
def _sampled() -> Any:
    lists = {f"u{u}": [f"c{u}-{i}" for i in range(12)] for u in range(20)}
    return rg.evaluate({u: {row[i % 12]: 1} for i, (u, row) in enumerate(lists.items())}, lists, ["Hit@5", "RR"])


def _judged_by_us(run: Any) -> Any:
    from fuzzer.tables import data_set

    return rg.evaluate(data_set(2)["qrels"].nested(), run, M)


def _on_our_run(qrels: Any) -> Any:
    from fuzzer.tables import data_set

    return rg.evaluate(qrels, data_set(2)["run"].nested(), M)


def _kept(qrels: Any, run: Any) -> Any:
    """An evaluation that was kept and read again."""
    with TemporaryDirectory() as folder, rg.History(f"{folder}/history.db") as h:
        return h.add(rg.evaluate(qrels, run, M), at="2026-11-01").record


def _over_weeks(make: Callable[[Any], Any]) -> Any:
    """What is made of a history of three weeks."""
    with TemporaryDirectory() as folder, rg.History(f"{folder}/history.db") as h:
        for day in ("2026-11-01", "2026-11-08", "2026-11-15"):
            h.add(_evaluation(), system="mine", at=day)
        return make(h)


def _accumulated(labels: Any, scores: Any, **options: Any) -> Any:
    accumulator = rg.Accumulator(**options)
    accumulator.update(scores, labels)
    return accumulator.compute()


def _of_classes(p: Any, **options: Any) -> Any:
    return rg.evaluate_predictions(p, prediction="prediction", **options)


@cache
def _prediction_evaluation() -> Any:
    from fuzzer.tables import data_set

    return rg.evaluate_predictions(data_set(0)["predictions"].series())


def _state(table: Any, **options: Any) -> Any:
    state = rg.PredictionState(**options)
    rows = rg.Predictions.of(table)
    state.update(rows.label, rows.scores["score"])
    return state.result()


def _said(compared: Any, **options: Any) -> Any:
    """Sentences, beside the counts of the comparison that they are about."""
    counts = {name: dict(ev.counts) for name, ev in compared.evaluations.items()}
    return {"text": "\n".join(rg.sentences(compared, **options)), "counts": counts}


def _rated(ev: Any, **options: Any) -> Any:
    """Ratings, beside what the evaluation says of its input."""
    return {"ratings": plain(rg.rate(ev, **options)), "notes": [str(n) for n in ev.notes], "counts": dict(ev.counts)}


def _traded(evs: Any, **options: Any) -> Any:
    """A tradeoff, beside what the evaluations say of their input."""
    found = rg.tradeoff(evs, **options)
    said = {name: {"notes": [str(n) for n in ev.notes], "counts": dict(ev.counts)} for name, ev in evs.items()}
    return {"tradeoff": plain(found), "evaluations": said}


def _log(log: Any) -> Any:
    import polars as pl

    from rankgauge.data.any_table import reading

    ids = pl.col("^.*_id$").cast(pl.String)  # whole numbers stay such
    with reading("log"):  # the rows of a log are read when they are asked for
        return {"rows": log.frame.with_columns(ids).collect(), "notes": [str(note) for note in log.notes]}


def _impressions(log: Any) -> Any:
    return b.clean(b.read_log(log), b.Cleaning(examined="all")).impressions


def _of_bias(log: Any, **options: Any) -> Any:
    table = _impressions(log)
    return b.relevance(table, b.position_bias(table, min_support=1), **options).frame


def _graded(log: Any, **options: Any) -> Any:
    table = _impressions(log)
    corrected = b.relevance(table, b.position_bias(table, min_support=1))
    return b.qrels_of(corrected, **{"min_impressions": 1, "unclear": "keep", **options}).to_dict()


def _own_measure(**options: Any) -> Any:
    """Registered, used, and forgotten again: registries are of the process."""
    from rankgauge.measures.base import ALIASES, REGISTRY

    before = dict(REGISTRY), dict(ALIASES)
    try:

        @rg.measure(**options)
        def FuzzedHits(a: Any, rel: float = 1) -> Any:
            return a.hits(rel, 2).astype(float)

        return rg.evaluate({"q": {"a": 1}}, {"q": {"a": 0.5}}, "FuzzedHits")
    finally:
        for registry, entries in zip((REGISTRY, ALIASES), before, strict=True):
            registry.clear()
            registry.update(entries)


def _interactions(given: Any, **options: Any) -> Any:
    known = rg.Interactions.of(given, **options)
    return {"rows": known.to_frame(), "notes": [str(note) for note in known.notes]}


def _parts(*made: Any) -> Any:
    """Rows of all parts in one form, and what is said of them."""
    return {
        "parts": [[rg.Interactions.of(part).to_frame() for part in one] for one in made],
        "counts": [dict(one.counts) for one in made],
        "notes": [str(remark) for one in made for remark in one.remarks],
    }


def _two_models(table: Any, **options: Any) -> Any:
    """The scores, and the same turned around."""
    rows = rg.Predictions.of(table)
    both = {"score": rows.score, "other": 1 - rows.score}
    return rg.compare_by({"label": rows.label, "score": both, "time": rows.time}, ["AUC"], **options)


def _ratios(numerator: Any, denominator: Any, unit: Any, **options: Any) -> Any:
    return b.compare_ratios(b.ratio([0, 1, 1, 0], [1, 2, 1, 1]), b.ratio(numerator, denominator, unit), **options)


def _cuped(numerator: Any, before: Any, **options: Any) -> Any:
    arm = b.cuped_arm(numerator, before)
    return b.cuped(b.cuped_arm([1.0, 2, 3, 5], [1.0, 2, 2, 4]), arm, **options)


def _spoken(language: Any) -> str:
    """The setting, which the next case must not inherit."""
    try:
        rg.set_language(language)
        return rg.get_language()
    finally:
        rg.set_language(None)


FUNCTIONS: tuple[Seed, ...] = (
    _function("evaluate", "qrels run", rg.evaluate, _times=8, measures=M),
    _function("evaluate", "qrels run slices", lambda q, r, s, **o: rg.evaluate(q, r, M, slices=s, **o), _times=2),
    _function(
        "evaluate",
        "qrels run",
        rg.evaluate,
        measures="AP",
        policy=rg.Policy(missing="zero"),
        depth=5,
        rel=1,
        ties="expected",
        confidence_level=0.9,
    ),
    _function("evaluate", "labels scores", lambda q, r, **o: rg.evaluate(q, r, M, **o), _times=3),
    _function("Accumulator", "labels scores", _accumulated, measures=M),
    _function(
        "compare",
        "qrels run run_b",
        lambda q, a, c, **o: rg.compare(q, {"a": a, "b": c}, **o),
        _times=3,
        measures=["nDCG@10", "RR"],
        permutations=200,
        margin=0.1,
        alpha=0.05,
        rng=0,
    ),
    _function("History", "qrels run", _kept, _times=2),
    _function("trend", "", lambda **o: _over_weeks(lambda h: rg.trend(h, **o)), measures=("RR",), since="2026-11-02"),
    _function(
        "alerts",
        "",
        lambda **o: _over_weeks(lambda h: rg.alerts(h, [rg.ReleaseRule(measures=("RR",))], **o)),
        looks=520,
        alpha=0.05,
        at="2026-11-20",
    ),
    _function(
        "acknowledge",
        "",
        lambda **o: _over_weeks(lambda h: rg.acknowledge(h, h.entries()[-1].id, **o).text),
        reason="new guideline",
        who="Ana",
    ),
    _function("audit", "qrels run interactions", lambda q, r, i: rg.audit(q, r, train=i)),
    _function("audit", "qrels run", rg.audit, _times=2),
    _function(
        "funnel", "qrels run run_b", lambda q, a, c, **o: rg.funnel(q, {"a": a, "b": c}, **o), _times=2, k=5, rel=1
    ),
    _function(
        "channels", "qrels run run_b", lambda q, a, c, **o: rg.channels(q, {"a": a, "b": c}, **o), _times=2, k=5, rel=1
    ),
    _function("overlap", "run run_b", rg.overlap, _times=2, k=5, p=0.8, depth=20, most=3, ties="doc_id"),
    _function(
        "tradeoff",
        "qrels run run_b",
        lambda q, a, b, **o: _traded(rg.evaluate(q, {"a": a, "b": b}, M), **o),
        _times=2,
        alpha=0.05,
        permutations=200,
    ),
    _function(
        "sweep",
        "",
        lambda **o: rg.sweep(
            rg.Spans({f"q{i}": [("d", i, i + 3)] for i in range(6)}),
            {"a": {f"q{i}": [("d", i, i + 2)] for i in range(6)}, "b": {f"q{i}": [("d", 0, 9)] for i in range(6)}},
            **o,
        ),
        _times=2,
        budgets=("4c", "20c"),
        alpha=0.05,
        permutations=200,
    ),
    _function("by_item_group", "", lambda **o: rg.by_item_group(_evaluation(), **o), groups={"d1": 3}, cutoffs=[1, 5]),
    _function(
        "answers",
        "qrels run answers",
        lambda q, r, a, **o: rg.answers(rg.evaluate(q, r, M), a, **o),
        _times=2,
        retrieved="R@5",
        at_least=0.5,
        threshold=1,
    ),
    _function("by_call", "", lambda **o: rg.by_call(rg.evaluate({"one": ["a", "b"]}, _searched, "RR"), **o)),
    _function("unsampled", "", lambda **o: rg.unsampled(_sampled(), **o), n_items=40),
    _function(
        "by_budget", "", lambda **o: rg.by_budget(_budgeted(), **o), measures=("nDCG", "R"), budgets=("5t", "20t")
    ),
    _function("by_cutoff", "", lambda **o: rg.by_cutoff(_evaluation(), **o), measures=("nDCG", "R"), cutoffs=(1, 5)),
    _function(
        "collect", "", lambda **o: rg.collect({"q1": "one", "q2": "two"}, _asked, **o), k=5, retries=0, warm_up=1
    ),
    _function("judgement_health", "", lambda **o: rg.judgement_health(_evaluation(), **o), depth=5),
    _function(
        "rate",
        "qrels run",
        lambda q, r, **o: _rated(rg.evaluate(q, r, M), **o),
        scenario="faq",
    ),
    _function(
        "diagnose",
        "qrels run",
        lambda q, r, **o: rg.diagnose(rg.evaluate(q, r, M), **o),
        _times=2,
        scenario="faq",
        language="en",
        rules=None,
        accept=(),
        most=7,
        online=None,
    ),
    _function("plot", "", lambda **o: rg.plot(_evaluation(), **o).svg, kind="measures", language="en", pixels=2.0),
    _function(
        "report",
        "qrels run documents texts",
        lambda q, r, d, t, **o: len(rg.report(rg.evaluate(q, r, M), documents=d, queries=t, **o)) > 0,
        title="t",
        language="en",
        scenario="faq",
    ),
    _function(
        "sentences",
        "qrels run run_b",
        lambda q, a, c, **o: _said(rg.compare(q, {"a": a, "b": c}, M, permutations=200), **o),
        language="en",
    ),
    _function("explain", "", rg.explain, name="nDCG@10"),
    _function("rate", "", lambda **o: rg.rate(_evaluation(), **o), scenario="faq"),
    _function("set_language", "", _spoken, language="en"),
    _function("get_language", "", rg.get_language),
    _function("parse", "", lambda **o: str(rg.parse(**o)), text="nDCG@10"),
    _function(
        "measure", "", _own_measure, title="Hits", aliases=("FH",), bounds=(0, 2), higher_is_better=True, additive=False
    ),
    _function("measures", "", lambda: len(rg.measures())),
    _function(
        "read_run",
        "run",
        lambda p, **o: _judged_by_us(rg.read_run(p, **o)),
        _files=True,
        _times=4,
        columns=None,
        format=None,
    ),
    _function(
        "read_qrels", "qrels", lambda p, **o: _on_our_run(rg.read_qrels(p, **o)), _files=True, _times=4, columns=None
    ),
    _function(
        "read_predictions",
        "predictions",
        lambda p, **o: rg.evaluate_predictions(rg.read_predictions(p, **o)),
        _files=True,
        _times=2,
        scores=None,
        slices=None,
        label=None,
        positive=None,
    ),
    _function("Run", "run", lambda r: _judged_by_us(rg.Run.of(r)), _times=3),
    _function("Qrels", "qrels", lambda q: _on_our_run(rg.Qrels.of(q)), _times=3),
    _function("Interactions", "interactions", _interactions, _times=3, min_rating=2.5, columns=None),
    _function("Spans", "squad", lambda p: _spans(rg.Spans(p)), _files=True, _times=2),
    _function(
        "Spans", "asked", lambda p, **o: _spans(rg.Spans(p, **o)), _files=True, _times=2, documents=DOCUMENTS, reach=1.0
    ),
    _function(
        "Spans",
        "",
        lambda **o: rg.Spans(**o).to_frame(),
        given={"q1": [("d1", 0, 9), ("d1", 20, 30, 2)], "q2": ["red shoes"]},
        documents={"d1": "Red shoes are red, and some are blue."},
        reach=1.0,
        least=0.8,
        not_found="error",
    ),
    _function(
        "Chunks",
        "",
        lambda **o: rg.evaluate(rg.Spans({"q1": [("d1", 0, 9)]}), rg.Chunks(**o), ["R", "nDCG", "SpanRecall", "SpanF"]),
        given={"q1": [("d1", 0, 5, 0.5), ("d1", 4, 12, 0.9)]},
        chunks=None,
        least=0.8,
        name="small",
    ),
    _function("split", "interactions", lambda i, **o: _parts(rg.split(i, **o)), _times=2),
    _function(
        "split",
        "interactions",
        lambda i, **o: _parts(rg.split(i, **o)),
        by="user",
        share=0.4,
        n=2,
        cold_users="drop",
        cold_items="drop",
        seen="drop",
        min_rating=1,
        rng=0,
    ),
    _function("folds", "interactions", lambda i, **o: _parts(*rg.folds(i, **o)), k=2, by="last", n=1),
    _function("baseline", "interactions", lambda i, **o: _judged_by_us(rg.baseline(i, **o)), _times=2),
    _function(
        "baseline",
        "interactions",
        lambda i, **o: _judged_by_us(rg.baseline(i, **o)),
        kind="item-knn",
        k=3,
        users=["u1", "u2", "q1"],
        seen=True,
        neighbours=4,
        shrink=1.0,
        min_rating=1,
        name="knn",
    ),
    _function("Predictions", "predictions", lambda p: rg.evaluate_predictions(rg.Predictions.of(p)), _times=2),
    _function("PredictionState", "predictions", _state, scale="probability", mantissa_bits=13),
    _function("load", "evaluation", rg.load, _files=True, _times=2),
    _function("load", "comparison", rg.load, _files=True),
    _function("load", "funnel", rg.load, _files=True),
    _function("load_calibrator", "calibrator", lambda p: rg.load_calibrator(p).to_dict(), _files=True),
    _function("load_standards", "standards", lambda p: str(rg.load_standards(p)), _files=True),
    _function(
        "PredictionGate",
        "",
        lambda **o: str(rg.PredictionGate(**o)),
        predictions="p",
        score="s",
        alpha=0.05,
        floors={"AUC": 0.2},
        bounds={"COPC": (0.9, 1.1)},
        measures=("KS",),
    ),
    _function(
        "Gate",
        "",
        lambda **o: str(rg.Gate(**o)),
        qrels="q",
        run="r",
        alpha=0.05,
        floors={"RR": 0.2},
        measures=("P@5",),
        ceilings={"duplicates": 0},
        policy={"ties": "doc_id", "depth": 10},
        accept=(),
        columns={},
    ),
    _function(
        "run_project",
        "project",
        lambda p: rg.run_project(p, store="h.db", at="2026-11-02", deliver=False),
        _files=True,
    ),
    _function("run_gate", "gate", lambda p: rg.run_gate(rg.Gate.from_toml(p)), _files=True),
    _function("Policy", "", lambda **o: str(rg.Policy(**o)), ties="doc_id", missing="zero", depth=None, rel=None),
    _function("evaluate_predictions", "predictions", rg.evaluate_predictions, _times=5),
    _function(
        "evaluate_predictions",
        "predictions",
        rg.evaluate_predictions,
        measures=["AUC", "LogLoss"],
        scale="probability",
        negatives_kept=0.5,
        confidence_level=0.9,
        positive=1,
        slices="device",
    ),
    _function("evaluate_predictions", "classes", _of_classes, _times=3),
    _function(
        "evaluate_predictions",
        "classes",
        _of_classes,
        measures=["Accuracy", "f1_macro", "Recall(label=dog)"],
        classes=["cat", "dog", "fox", "猫"],
        confidence_level=0.9,
        slices="device",
    ),
    _function(
        "reading", "", lambda **o: rg.reading(_prediction_evaluation(), **o), good_auc=0.7, material=0.01, language="en"
    ),
    _function("score_histogram", "", lambda **o: rg.score_histogram(_prediction_evaluation(), **o), bins=10),
    _function("calibrate", "predictions", rg.calibrate, kind="platt", split="auto", rng=0, bins=10, _times=2),
    _function("choose_threshold", "predictions", rg.choose_threshold, by="F1", beta=1, split="auto", rng=0, _times=2),
    _function("reliability", "predictions", rg.reliability, bins=5, binning="mass", _times=2),
    _function(
        "worst_segments",
        "predictions",
        lambda p, **o: rg.worst_segments(p, **o).to_frame(),
        slices="device",
        min_rows=5,
    ),
    _function(
        "fit_calibrator",
        "",
        lambda **o: rg.fit_calibrator(**o).to_dict(),
        kind="platt",
        label=[0, 1, 0, 1, 1, 0],
        p=[0.2, 0.7, 0.4, 0.6, 0.3, 0.1],
        weight=None,
    ),
    _function(
        "behavior.read_log",
        "log",
        lambda log, **o: _log(b.read_log(log, **o)),
        _times=3,
        columns=None,
        events=None,
        position_base="auto",
    ),
    _function("behavior.read_ubi", "ubi", lambda log, **o: _log(b.read_ubi(log, **o)), names=None),
    _function("behavior.clean", "log", b.clean, behaviours=None),
    _function(
        "behavior.judgements",
        "log",
        b.judgements,
        _times=2,
        min_impressions=1,
        unclear="keep",
        aggregate="rate",
        scale="log",
        prior="query",
        events={"click": 1.0},
    ),
    _function(
        "behavior.position_bias",
        "log",
        lambda log, **o: b.position_bias(_impressions(log), **o),
        min_support=1,
        method="all_pairs",
        max_position=4,
    ),
    _function("behavior.relevance", "log", _of_bias, clip=10.0, methods=("raw", "snips")),
    _function("behavior.qrels_of", "log", _graded, levels=(0.2, 0.5, 0.8), method="snips"),
    _function(
        "behavior.identifiability",
        "log",
        lambda log, **o: b.identifiability(_impressions(log), **o),
        min_support=1,
        adjacent=False,
    ),
    _function(
        "behavior.fit_click_model",
        "log",
        lambda log, **o: str(b.fit_click_model(_impressions(log), **o)),
        kind="sdbn",
        prior="item",
    ),
    _function(
        "behavior.compare_click_models",
        "log",
        lambda log, **o: b.compare_click_models(_impressions(log), **o),
        models=("pbm", "cascade"),
        held_out=0.25,
        rng=0,
    ),
    _function(
        "behavior.sensitivity",
        "log",
        lambda log, **o: b.sensitivity(b.judgements(log, min_impressions=1, unclear="keep"), **o),
        runs={"a": {"q1": ["q1-i0", "q1-i1"]}, "b": {"q1": ["q1-i1", "q1-i2"]}},
        measures=("RR",),
    ),
    _function(
        "behavior.interleave",
        "run run_b",
        lambda x, y, **o: b.interleave(x, y, **o).frame,
        _times=2,
        length=4,
        rng=0,
        missing="error",
    ),
    _function("behavior.team_draft", "", b.team_draft, a=["x", "y", "z"], b=["y", "w"], length=3, rng=0),
    _function(
        "behavior.credit",
        "log lists",
        lambda log, lists, **o: b.credit(_impressions(log), lists, **o),
        events={"click": 1.0},
        user="user_id",
        interval="t",
    ),
    _function("behavior.off_policy", "choices", b.off_policy, reward="click", user="user_id", clip=None),
    _function("drift", "predictions", rg.drift, every="month", reference=1, fewest=2, looks="daily"),
    _function("compare_by", "predictions", _two_models, every="month", fewest=2),
    _function("behavior.agreement", "experiments", b.agreement, confidence_level=0.95),
    _function(
        "behavior.ratio", "", b.ratio, numerator=[1, 0, 2, 1], denominator=[2, 1, 3, 2], unit=["a", "a", "b", "c"]
    ),
    _function("behavior.compare_ratios", "", _ratios, numerator=[1, 0, 2], denominator=[2, 1, 3], unit=["a", "b", "c"]),
    _function("behavior.cuped", "", _cuped, numerator=[1.0, 3, 2, 4], before=[1.0, 2, 2, 3]),
    _function("behavior.cuped_arm", "", b.cuped_arm, numerator=[1.0, 3, 2, 4], before=[1.0, 2, 2, 3]),
    _function("behavior.confidence_sequence", "", b.confidence_sequence, value=0.1, error=0.05, n=100, tuned_for=500),
    _function(
        "behavior.sample_ratio", "", b.sample_ratio, counts={"a": 100, "b": 110}, expected={"a": 1, "b": 1}, alpha=0.001
    ),
    _function(
        "behavior.simulate_pbm",
        "",
        lambda **o: str(b.simulate_pbm(**o)),
        n_queries=3,
        n_items=4,
        requests=5,
        rng=0,
        propensities=(1.0, 0.5),
    ),
    _function(
        "behavior.simulate_pbm_log",
        "",
        lambda **o: str(b.simulate_pbm_log(**o)),
        n_requests=20,
        n_queries=2,
        n_items=4,
        rng=0,
        propensities=(1.0, 0.5),
    ),
)
