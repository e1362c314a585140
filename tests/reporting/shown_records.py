"""A small record of every kind that a writer shows, with the notes and warnings that it can have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import rankgauge as rg
from rankgauge import behavior as rb
from rankgauge.evaluation.rankings.not_located import not_located
from rankgauge.gate import PredictionSliceRules


def _not_located() -> Any:
    docs = {"d": "s1 a2 w3 c4.", "e": "b1 n2 w3 t4 a5 y6."}  # words of neither language
    gold = [{"query_id": "one", "text": "w3 c4"}, {"query_id": "two", "text": "b1 a2 w3 n4 a5 t6"}]
    spans = rg.Spans(gold, documents=docs, not_found="skip")
    found = not_located([rg.evaluate(spans, {"one": ["s1 a2", "q7 q8 q9"]}, "SpanRecall")])
    assert found is not None
    return found


__all__ = ["RECORDS", "record"]

_QUERIES = [f"q{i:02}" for i in range(40)]
_QRELS = {q: {"a": 2, "b": 1, "c": 0} for q in _QUERIES} | {"q38": {"c": 0}}
_TOP = {q: {"a": 3.0, "x": 2.0, "b": 1.0} for q in _QUERIES}
_MIXED = {q: ["x", "a", "b", "c"] if i % 3 else ["y", "z", "b", "a"] for i, q in enumerate(_QUERIES)}
_TIED = {q: {"c": 1.0, "a": 1.0, "b": float("nan") if q == "q00" else 0.5} for q in _QUERIES[:35]} | {"other": {"a": 1}}
_SLICES = {q: {"device": "phone" if i % 2 else "desk"} for i, q in enumerate(_QUERIES)}
_MEASURES = ["nDCG@10", "RR@10", "P@2"]


def _rows(seed: int = 1, n: int = 600) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    logit = rng.normal(size=n)
    label = (rng.random(n) < 1 / (1 + np.exp(1 - logit))).astype(int)
    good, bad = 1 / (1 + np.exp(-2 * logit)), rng.random(n)
    good[:3] = [0.0, 1.0, 1.0]
    return {
        "label": label.tolist(),
        "user": [f"u{i % 30}" for i in range(n)],
        "device": ["phone" if i % 3 else "desk" for i in range(n)],
        "good": good.tolist(),
        "bad": bad.tolist(),
    }


def _predictions(*models: str) -> Any:
    return rg.evaluate_predictions(
        _rows(),
        ["AUC", "LogLoss", "PRAUC", "GAUC", "COPC", "ECE"],
        label="label",
        scores=list(models) if len(models) > 1 else models[0],
        group="user",
        slices=["device"],
    )


def _compared(**options: Any) -> Any:
    runs = {"old": _MIXED, "top": _TOP, "same": {q: dict(r) for q, r in _TOP.items()}, "tied": _TIED}
    return rg.compare(_QRELS, runs, _MEASURES, permutations=200, **options)


def _project_run(folder: Path) -> Any:
    """Two weeks: a regression, a file that is gone, an alert, a channel that cannot be told."""
    _gate(folder)  # its files
    (folder / "rankgauge.toml").write_text(
        'project = "shop"\nmeasures = ["RR", "P@1"]\n[datasets.july]\nqrels = "qrels.txt"\n'
        '[systems.search]\nrun = "now.run"\n[systems.gone]\nrun = "gone.run"\n'
        '[gate]\nbaseline = "previous"\n[gate.floors]\nRR = 0.3\n[gate.non_inferior]\nRR = 0.01\n'
        '[[alerts.release]]\nmeasures = ["RR"]\n[channels.file]\npath = "told.jsonl"\n'
        '[channels.slack]\nurl_env = "RANKGAUGE_TEST_NOT_SET"\n'
    )
    for week, name in ((2, "old"), (9, "new")):
        (folder / "now.run").write_text((folder / f"{name}.run").read_text())
        found = rg.run_project(folder / "rankgauge.toml", store=folder / "h.db", at=f"2026-11-{week:02}")
    return replace(found, store="history.db")


def _gate(folder: Path) -> Any:
    (folder / "qrels.txt").write_text("".join(f"{q} 0 a 1\n" for q in _QUERIES))
    for name, ranks in (("old", [1, 2]), ("new", [3, 2])):
        lines = [
            f"{q} Q0 {'a' if i == ranks[n % 2] else f'x{i}'} {i} {10 - i} t\n"
            for n, q in enumerate(_QUERIES)
            for i in range(1, 5)
        ]
        (folder / f"{name}.run").write_text("".join(lines))
    (folder / "slices.csv").write_text(
        "query_id,device\n" + "".join(f"{q},{d['device']}\n" for q, d in _SLICES.items())
    )
    config = folder / "gate.toml"
    config.write_text(
        'qrels = "qrels.txt"\nrun = "new.run"\nbaseline = "old.run"\nmeasures = ["RR", "P@1"]\n'
        "[floors]\nRR = 0.42\n[non_inferior]\nRR = 0.01\n[ceilings]\nmissing_queries = 0\n"
        '"unjudged@4" = 0.8\n[slices]\nfile = "slices.csv"\nmin_queries = 5\n[slices.floors]\nRR = 0.3\n'
        "[slices.non_inferior]\nRR = 0.2\n"
    )
    return rg.run_gate(rg.Gate.from_toml(config))


def _in_folder(make: Callable[[Path], Any]) -> Any:
    with TemporaryDirectory() as folder:
        return make(Path(folder))


_ITEMS = {"a": 0.6, "b": 0.35, "c": 0.15, "d": 0.05}  # how attractive
_ORDERS = ("abcd", "badc", "cadb")  # of three rankers
_PLACES = (1.0, 0.6, 0.4, 0.3)  # how much each position is looked at


@cache
def _log() -> Any:
    """Three rankers that disagree, carts and purchases, and dirt: a bot, copies, lost positions, clicks on nothing."""
    import polars as pl

    rng = np.random.default_rng(3)
    columns = ("request_id", "user_id", "query_id", "item_id", "position", "event", "time", "dwell", "device")
    rows: list[tuple[Any, ...]] = []
    for n in range(900):
        who = "bot" if n % 50 == 0 else f"u{n % 90}"
        about, second = (f"r{n}", who, f"q{n % 6}"), 1_790_000_000 + 60 * n
        device = "phone" if n % 3 else "desk"
        for place, item in enumerate(_ORDERS[n // 6 % 3], 1):
            lost = n % 97 == 0 and place == 4
            rows.append((*about, item, None if lost else place, "impression", second, None, device))
            if who != "bot" and rng.random() >= _ITEMS[item] * _PLACES[place - 1]:
                continue
            stay = None if n % 5 == 0 else round(rng.exponential(30), 1)
            click = (*about, item, place, "click", second + place, stay, device)
            rows += [click, click] if n % 40 == 0 else [click]
            if rng.random() < 0.3:
                rows.append((*about, item, place, "cart", second + 20, None, device))
                if rng.random() < 0.4:
                    rows.append((*about, item, place, "purchase", second + 40, None, device))
    rows += [(f"x{i}", "u1", "q1", "z", 1, "click", 1_790_000_000, 9.0, "desk") for i in range(3)]
    return pl.DataFrame(rows, columns, orient="row")


@cache
def _impressions() -> Any:
    return rb.clean(_log(), rb.Cleaning(examined="all", bots=40)).impressions


def _judged(**options: Any) -> Any:
    return rb.judgements(_log(), cleaning=rb.Cleaning(bots=40, maturity=3600), name="shop", **options)


def _bought() -> Any:
    """Everybody clicks a and nobody buys it; a quarter of those who see b buy it."""
    import polars as pl

    n, buys = 400, [i % 2 == 1 and i < 100 for i in range(400)]
    shown = {"request_id": [f"r{i}" for i in range(n)], "query_id": ["q"] * n, "item_id": ["a", "b"] * (n // 2)}
    clicks = [i % 2 == 0 or b for i, b in enumerate(buys)]
    return pl.DataFrame({**shown, "position": [1] * n, "click": clicks, "purchase": buys})


def _gapped() -> Any:
    """Items moved between 1 and 2, and between 3 and 4, never from one part to the other."""
    import polars as pl

    half = (pl.col("position") + 1) // 2
    return _impressions().with_columns(pl.format("{}{}", "item_id", half).alias("item_id"))


def _bandit(users: int = 60, **options: Any) -> Any:
    rng = np.random.default_rng(5)
    n = 600
    show = rng.choice([0.1, 0.3, 0.6], n)
    target = np.where(show == 0.1, 0.5, 0.25)
    rows = {"click": (rng.random(n) < 0.2).astype(int), "propensity": show, "target_propensity": target}
    rows |= {"user_id": [f"u{i % users}" for i in range(n)], "q": np.full(n, 0.2), "target_q": np.full(n, 0.25)}
    rows |= {"request_id": [f"r{i // 3}" for i in range(n)], "position": [1 + i % 3 for i in range(n)]}
    return rb.off_policy(rows, **options)


def _interleaved(prefers: str, n: int = 60) -> Any:
    """Users who click what one team has put into the list, and sometimes what the other has."""
    rng = np.random.default_rng(2)
    lists = rb.interleave({"q": ["a", "b", "c"]}, {"q": ["c", "d", "a"]}, length=4, names=("old", "new"))
    shown = [(f"r{i}", item, team) for i in range(n) for item, team in zip(*lists["q"], strict=True)]
    rate = {prefers: 0.5, "none": 0.2}
    return rb.credit(
        {
            "request_id": [r for r, _, _ in shown],
            "user_id": [f"u{int(r[1:]) % 30}" for r, _, _ in shown],
            "query_id": ["q"] * len(shown),
            "item_id": [d for _, d, _ in shown],
            "click": [bool(rng.random() < rate.get(team, 0.15)) for _, _, team in shown],
        },
        lists,
    )


def _arm(seed: int, lift: float = 0.0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    habit = rng.gamma(2, 1, 300)
    return {"numerator": rng.poisson(habit * (1 + lift)), "before": rng.poisson(habit)}


def _ratio(seed: int, lift: float = 0.0) -> Any:
    return rb.ratio(_arm(seed, lift)["numerator"], np.full(300, 10), [f"u{i // 2}" for i in range(300)])


def _days(shift: float = 0.0) -> dict[str, Any]:
    """Six days of 400 rows, the last one small; `shift` moves the truth of the last three away."""
    rng = np.random.default_rng(3)
    day = np.repeat(np.arange(6), [400, 400, 400, 400, 400, 30])
    logit = rng.normal(-0.5, 1.2, len(day))
    label = rng.random(len(day)) < 1 / (1 + np.exp(-logit - shift * (day > 2)))
    return {
        "label": label.astype(int),
        "score": 1 / (1 + np.exp(-logit)),
        "worse": 1 / (1 + np.exp(-logit - rng.normal(0, 1, len(day)))),
        "user": rng.integers(0, 300, len(day)),
        "device": np.where(rng.random(len(day)) < 0.5, "phone", "desk"),
        "time": np.datetime64("2024-05-01") + day,
    }


def _model_gate(**rules: Any) -> Any:
    rows = _days()
    rows["rare"] = np.where(np.arange(len(rows["label"])) < 20, "seldom", "often")
    return rg.run_gate(
        rg.PredictionGate(**{"predictions": rows, "score": "score", "label": "label", "group": "user", **rules})
    )


def _arms(n: int) -> dict[str, Any]:
    rng = np.random.default_rng(n)
    users = np.arange(300)
    names = np.array(["control", "new", "other"])[users % n]
    before = rng.poisson(4, 300)
    return {
        "arm": names,
        "user": users,
        "clicks": rng.poisson(before + 2 * (names == "new")),
        "shown": np.full(300, 20),
        "before": before,
    }


def _past(n: int = 12, **errors: Any) -> Any:
    rng = np.random.default_rng(4)
    offline = rng.normal(0, 0.02, n)
    return {"offline": offline, "online": 0.5 * offline + rng.normal(0, 0.003, n), **errors}


def _classes(*models: str) -> Any:
    """Three classes with probabilities, users and a segment; one class is rare, and called too often."""
    rng = np.random.default_rng(7)
    label = rng.choice(["cat", "dog", "fox"], 120, p=[0.6, 0.3, 0.1])
    own = np.eye(3)[[["cat", "dog", "fox"].index(y) for y in label]]
    given = {"good": own + rng.dirichlet(np.ones(3), 120), "bad": 0.3 * own + rng.dirichlet(np.ones(3), 120)}
    rows = {"label": label, "user_id": np.arange(120) // 3, "device": np.where(np.arange(120) % 2, "web", "app")}
    return rg.evaluate_predictions(
        rows | {"probability": {m: given[m] / given[m].sum(axis=1, keepdims=True) for m in models}},
        classes=["cat", "dog", "fox"],
        slices=["device"],
    )


def _weeks(folder: Path) -> rg.History:
    """Fourteen weeks of fresh queries that end badly, and three of the same ones, the last with others beside them."""
    history = rg.History(folder / "history.db")
    rng = np.random.default_rng(7)
    for w in range(15):
        at = f"2026-{1 + w // 4:02}-{1 + 7 * (w % 4):02}"
        names = [f"w{w}q{i}" for i in range(30)]
        right = dict(zip(names, (rng.random(30) < (0.9 if w < 13 else 0.2)).tolist(), strict=True))
        qrels = {q: {"a": 1} for q in names}
        run = {q: ["a"] if ok else ["x"] for q, ok in right.items()}
        history.add(rg.evaluate(qrels, run, "RR"), system="web", dataset="clicks", at=at)
        if w < 3:
            judged = {**_QRELS, **({"new": {"a": 1}} if w == 2 else {})}
            history.add(rg.evaluate(judged, _MIXED if w else _TOP, "RR"), system="bm25", dataset="gold", at=at)
    return history


def _in_weeks(make: Callable[[rg.History], Any]) -> Any:
    with TemporaryDirectory() as folder, _weeks(Path(folder)) as history:
        return make(history)


_RULES = (
    rg.ReleaseRule(measures=("RR",), systems=("bm25",)),
    rg.StreamRule(measures=("RR", "P@5"), systems=("web",)),
    rg.HealthRule(missing_queries=0, unchanged=True, judged=0.5, failures=0.1, stale="8d"),
)

RECORDS: dict[str, Callable[[], Any]] = {
    "evaluation": lambda: rg.evaluate(_QRELS, _TIED, ["nDCG@10", "MRR@10", "NumRel"], missing="zero", slices=_SLICES),
    "evaluations": lambda: rg.evaluate(_QRELS, {"top": _TOP, "tied": _TIED}, _MEASURES, slices=_SLICES),
    "evaluations of many": lambda: rg.evaluate(
        _QRELS, {"top": _TOP, "mixed": _MIXED}, [f"P@{k}" for k in range(1, 10)], convention="trec_eval"
    ),
    "tradeoff": lambda: rg.evaluate(_QRELS, {"top": _TOP, "mixed": _MIXED, "tied": _TIED}, _MEASURES).tradeoff(),
    "by budget": lambda: rg.evaluate(
        {"q1": {"a": 1, "b": 1}, "q2": {"b": 1}},
        {"q1": ["a", "x", "b"], "q2": ["x", "b"]},
        "R(budget=20t)",
        documents={"a": "one two", "b": "three 四五", "x": "many words " * 5},
    ).by_budget("R", ["1t", "5t", "20t"]),
    "sweep": lambda: rg.sweep(
        rg.Spans({f"q{i}": [(f"d{i}", 100, 150)] for i in range(12)}),
        {
            "small": {f"q{i}": [(f"d{i}", 100 - 50 * (i % 2), 150)] for i in range(12)},
            "large": {f"q{i}": [(f"d{i}", 0, 400)] for i in range(12)},
        },
        budgets=["100c", "1000c"],
    ),
    "groups of items": lambda: rg.evaluate(
        {"u1": ["c", "lost"], "u2": ["b"], "u3": ["lost", "a"]},
        {"one": {"u1": ["c", "d"], "u2": ["c", "b"], "u3": ["b"]}, "two": {"u1": ["a"], "u2": ["b"], "u3": ["b", "a"]}},
        "R@2",
        train={"u1": ["a", "b"], "u2": ["a", "c"], "u3": ["a"]},
    ).by_item_group(),
    "prediction evaluation": lambda: _predictions("good"),
    "prediction evaluations": lambda: _predictions("good", "bad"),
    "classes": lambda: _classes("good"),
    "classes by name": lambda: _classes("good", "bad"),
    "confusion matrix": lambda: _classes("good").confusion(),
    "classes of predictions only": lambda: rg.evaluate_predictions(
        {"label": ["normal"] * 98 + ["fraud"] * 2, "prediction": ["normal"] * 100}
    ),
    "comparison of classes": lambda: rg.compare(dict(_classes("good", "bad")), measures=["Accuracy", "LogLoss"]),
    "undefined": lambda: rg.evaluate_predictions({"label": [0, 0], "score": [0.2, 3.0]}, ["AUC", "LogLoss"]),
    "comparison": lambda: _compared(slices=_SLICES, pairs="all", margin=0.01),
    "comparison uncorrected": lambda: _compared(test="t", correction="none"),
    "comparison of seeds": lambda: rg.compare(_QRELS, {"old": _MIXED, "new": [_TOP, _TIED]}, ["RR@10"]),
    "comparison of models": lambda: rg.compare(
        {"good": _predictions("good"), "bad": _predictions("bad")}, measures=["AUC", "LogLoss"]
    ),
    "movement": lambda: _compared().query("q00", "top"),
    "gate": lambda: _in_folder(_gate),
    "project run": lambda: _in_folder(_project_run),
    "calibration": lambda: rg.calibrate(_rows(), "all", label="label", scores="good", group="user"),
    "findings": lambda: rg.diagnose(rg.evaluate(_QRELS, _TIED, _MEASURES), most=3),
    "findings of a scenario": lambda: rg.diagnose(_compared(), scenario="faq"),
    "no findings": lambda: rg.diagnose(rg.evaluate(_QRELS, _TOP, _MEASURES), rules=["single-target"]),
    "reading": lambda: rg.reading(_predictions("good")),
    "reliability": lambda: rg.reliability(_predictions("good")),
    "segments": lambda: rg.worst_segments(_predictions("good"), min_rows=250),
    "threshold": lambda: rg.choose_threshold(_rows(), "f1", label="label", scores="good"),
    "threshold on the same rows": lambda: rg.choose_threshold(_rows(), "f1", label="label", scores="good", split=None),
    "audit": lambda: rg.audit(_QRELS, {"tied": _TIED, "top": _TOP}),
    "explanation": lambda: rg.explain("nDCG@10"),
    "channels": lambda: rg.channels(
        {"q": {"a": 1, "b": 2}, "r": {"c": 1}, "s": {"d": 0}},
        {"cf": {"q": ["a", "x"], "r": ["y"]}, "ann": {"q": ["b", "a"]}},
        k=2,
        final={"q": ["a"]},
    ),
    "by call": lambda: rg.evaluate(
        {"one": ["a", "b"], "two": ["c"]},
        lambda q: {"calls": [{"query": q, "documents": ["a"], "tokens": 9}, {"documents": ["b", "x"], "tokens": 5}]},
        "R@5",
    ).by_call(),
    "by call of spans": lambda: rg.evaluate(
        rg.Spans({"one": [("d", 0, 10)], "two": [("e", 5, 9)]}, reach=0.5),
        lambda q: {"calls": [[("d", 0, 5)], [("d", 2, 10), ("e", 0, 9)]]},
        "SpanRecall",
        queries={"one": "first", "two": "second"},
    ).by_call(),
    "not located": _not_located,
    "answers": lambda: rg.evaluate(_QRELS, _MIXED, "nDCG@10").answers(
        [{"id": q, "question": f"{q}?", "correct": i % 3 > 0} for i, q in enumerate(_QUERIES[:39])]
        + [{"id": "z", "correct": 1}],
        k=2,
    ),
    "gaps": lambda: rg.evaluate(
        _QRELS, _TIED, _MEASURES, slices={q: {"half": "ab"[i % 2]} for i, q in enumerate(_QRELS)}
    ).gaps(least=2),
    "overlap": lambda: rg.overlap(_TIED, {**_TOP, "q99": ["a"]}, k=3),
    "split": lambda: rg.split(
        [("u", "a", 5, 1), ("u", "b", 4, 3), ("v", "c", 3, 2), ("w", "b", 1, 4)], "time", share=0.5
    ),
    "split of lists": lambda: rg.folds({"u": ["a", "b", "c"], "v": ["b", "a"]}, 2, "last")[1],
    "funnel": lambda: rg.funnel(_QRELS, {"recall": _MIXED, "rank": _TIED, "final": _TOP}, k=2, cut={"final": 2}),
    # behaviour
    "cleaned": lambda: rb.clean(_log(), rb.Cleaning(bots=40)),
    "judgements": _judged,
    "judgements of whole grades": lambda: _judged(aggregate="max", prior=None, min_impressions=60),
    "sensitivity": lambda: rb.sensitivity(
        _judged(),
        {
            "old": {f"q{i}": ["d", "c", "b", "a"] for i in range(6)},
            "new": {f"q{i}": ["a", "b", "c"] for i in range(6)},
        },
        ["nDCG@10", "RR"],
    ),
    "sensitivity that flips": lambda: rb.sensitivity(
        _bought(),
        {"clicked": {"q": ["a", "b"]}, "bought": {"q": ["b", "a"]}},
        ["nDCG@10"],
    ),
    "position bias": lambda: rb.position_bias(_impressions()),
    "position bias of a part": lambda: rb.position_bias(_gapped()),
    "position bias by EM": lambda: rb.position_bias(_impressions(), "em", cluster="query", max_iterations=2),
    "naive position bias": lambda: rb.position_bias(_impressions(), "naive"),
    "identifiability": lambda: rb.identifiability(_impressions()),
    "identifiability of a part": lambda: rb.identifiability(_gapped()),
    "corrected": lambda: rb.relevance(_impressions(), rb.position_bias(_impressions()), clip=2.0),
    "click models": lambda: rb.compare_click_models(rb.Sessions.of(_impressions())),
    "off policy": lambda: _bandit(user="user_id", model="q", target_model="target_q", clip=3.0),
    "off policy of lists": lambda: _bandit(request="request_id", position="position", name="new"),
    "interleaving": lambda: _interleaved("B"),
    "interleaving undecided": lambda: _interleaved("none"),
    "ratio": lambda: _ratio(1),
    "ratio change": lambda: rb.compare_ratios(_ratio(1), _ratio(2, 0.3)),
    "cuped": lambda: rb.cuped(rb.cuped_arm(**_arm(1)), rb.cuped_arm(**_arm(2, 0.3))),
    "sample ratio": lambda: rb.sample_ratio({"control": 5000, "treatment": 5040}),
    "sample ratio off": lambda: rb.sample_ratio({"control": 5000, "treatment": 5600}, {"control": 1, "treatment": 1}),
    "ab test": lambda: rg.experiments.ab_test(_arms(2), numerator="clicks", denominator="shown", unit="user"),
    "ab test of three with before": lambda: rg.experiments.ab_test(
        _arms(3), numerator="clicks", before="before", unit="user", lower_is_better=True
    ),
    "ab test off": lambda: rg.experiments.ab_test(_arms(2), numerator="clicks", expected={"control": 9, "new": 1}),
    "ab test without spread": lambda: rg.experiments.ab_test(
        {"arm": ["A", "A", "B", "B"], "clicks": [1, 1, 1, 1]}, numerator="clicks"
    ),
    "drift": lambda: rg.drift(_days(), group="user", tolerance={"COPC": 0.05}, fewest=20),
    "drift that is off": lambda: rg.drift(
        _days(shift=2.0), ["COPC", "LogLoss"], against="reference", reference=2, looks="daily"
    ),
    "models by part": lambda: rg.compare_by(
        _days(), ["AUC", "COPC", "ECE"], slices="device", every="week", scores=["score", "worse"], group="user"
    ),
    "gate of a model": lambda: _model_gate(floors={"AUC": 0.5, "LogLoss": 0.4}, bounds={"COPC": (0.5, 1.5)}),
    "gate of a model that is open": lambda: _model_gate(
        floors={"AUC": 0.5}, non_inferior={"AUC": 0.0}, baseline="worse", score="score", certain=True
    ),
    "gate of a model by slice": lambda: _model_gate(
        non_inferior={"AUC": 0.01},
        baseline="score",
        score="worse",
        slices=PredictionSliceRules(
            columns=("device", "rare"), floors={"AUC": 0.5}, non_inferior={"AUC": 0.01}, bounds={"COPC": (0.9, 1.1)}
        ),
    ),
    "agreement": lambda: rb.agreement(_past(offline_error=[0.002] * 12, online_error=[0.003] * 12)),
    "agreement without errors": lambda: rb.agreement(_past()),
    "trend": lambda: _in_weeks(rg.trend),
    "trend of one": lambda: _in_weeks(lambda history: rg.trend(history, system="bm25")),
    "trend of nothing": lambda: _in_weeks(lambda history: rg.trend(history, project="none")),
    "alerts": lambda: _in_weeks(lambda history: rg.alerts(history, _RULES, at="2026-04-20")),
    "alerts of nothing": lambda: _in_weeks(lambda history: rg.alerts(history, [])),
}


@cache
def record(name: str) -> Any:
    return RECORDS[name]()
