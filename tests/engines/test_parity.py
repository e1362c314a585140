"""The same numbers on every engine: one body, the engine is a fixture.

Per-query values are identical to the last bit, and so are means, tie widths and counts; intervals agree to 1e-12.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.engines import streaming
from rankgauge.errors import InputError
from rankgauge.evaluation import of_rankings
from rankgauge.evaluation.rankings.policy import CHOICES
from rankgauge.measures import REGISTRY

Evaluate = Callable[..., Any]

IDS = [*(f"d{i}" for i in range(12)), "007", "7", "文档", "é", "x-1"]
NEED_GROUPS = {name for name, cls in REGISTRY.items() if {"groups", "subtopics"} & cls.needs}
NEED_CUTOFF = {"BPM", "SDCG", "NERR8", "NERR9", "Unjudged"}
MEASURES = [
    *(name for name in REGISTRY if name not in NEED_GROUPS | NEED_CUTOFF),
    *("nDCG@3", "AP(norm=min)@4", "P@2", "R(norm=min)@2", "RR@3", "ERR@3", "RBP(graded=max)", "Judged@3", "BPM@3"),
]
POLICIES: dict[str, dict[str, Any]] = {
    "defaults": {},
    "input order": {"ties": "input", "missing": "skip", "no_relevant": "zero", "average": "micro"},
    "best": {"ties": "best", "no_relevant": "one", "unjudged": "remove"},
    "worst": {"ties": "worst", "no_relevant": "zero", "depth": 4, "average": "micro"},
    "expected": {"ties": "expected", "missing": "skip", "average": "weighted"},
    "expected, condensed": {"ties": "expected", "unjudged": "remove", "depth": 3, "rel": 2, "no_relevant": "skip"},
    "input, condensed": {"ties": "input", "unjudged": "remove", "missing": "zero", "depth": 2},
    "single precision": {"convention": "trec_eval-9", "missing": "zero"},
    "repeats kept": {"duplicates": "keep"},
    "repeats kept, input order": {
        "duplicates": "keep",
        "ties": "input",
        "unjudged": "remove",
        "convention": "trec_eval-9",
    },
    "repeats kept, best": {"duplicates": "keep", "ties": "best", "depth": 5, "average": "micro"},
    "repeats kept, expected": {"duplicates": "keep", "ties": "expected", "depth": 6, "no_relevant": "nan"},
    "explicit": {"ties": "doc_id", "unjudged": "irrelevant", "duplicates": "first", "average": "macro", "rel": 2},
}
"""Every word of every policy, but those that make an error."""


def tables() -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Judgements and a run with ties, nearly equal scores, NaN, and queries that only one side has."""
    rng = np.random.default_rng(11)
    qrels, run = {}, {}
    for i in range(45):
        if i >= 4:
            items = rng.choice(IDS, rng.integers(1, 9), replace=False)
            qrels[f"q{i}"] = {str(d): float(g) for d, g in zip(items, rng.integers(-1, 4, len(items)), strict=True)}
        if i < 40:
            items = rng.choice(IDS, rng.integers(1, 10), replace=False)
            scores = rng.choice([1.0, 1.0 + 1e-9, 2.0, 2.5, -0.0, 0.0], len(items)) + (rng.random() < 0.5) * rng.random(
                len(items)
            )
            run[f"q{i}"] = {str(d): float(s) for d, s in zip(items, scores, strict=True)}
    run["q10"]["d0"] = float("nan")
    return qrels, run


def repeating(run: dict[str, dict[str, float]]) -> dict[str, list[tuple[str, float]]]:
    """The run as pairs, in which some items come again: with the same score, a better one, a worse one, NaN."""
    rng = np.random.default_rng(12)
    out = {}
    for i, (q, row) in enumerate(run.items()):
        pairs = list(row.items())
        if i % 3:
            items = rng.choice(list(row), rng.integers(1, 5))
            scores = rng.choice([1.0, 1.0 + 1e-9, 2.0, 0.0, float("nan")], len(items), p=[0.3, 0.2, 0.3, 0.15, 0.05])
            again = [
                (str(d), row[str(d)] if rng.random() < 0.3 else float(s)) for d, s in zip(items, scores, strict=True)
            ]
            pairs = [pairs[j] for j in rng.permutation(len(pairs))] + again
            pairs = [pairs[j] for j in rng.permutation(len(pairs))]
        out[q] = pairs
    return out


QRELS, RUN = tables()
TWICE = repeating(RUN)
WEIGHTS = {q: 0.5 + len(row) for q, row in QRELS.items()}
SLICES = {q: {"size": "few" if len(row) < 4 else "many"} for q, row in QRELS.items()}


def frame(table: dict[str, Any], value: str) -> pl.DataFrame:
    rows = [(q, d, v) for q, row in table.items() for d, v in (row.items() if isinstance(row, dict) else row)]
    return pl.DataFrame(rows, schema={"query_id": pl.String, "doc_id": pl.String, value: pl.Float64}, orient="row")


def interleaved(run: pl.DataFrame) -> pl.DataFrame:
    """The first result of each query, then the second, …: the order inside a query stays."""
    place = run.with_row_index("row").select(pl.col("row").rank("ordinal").over("query_id").alias("place"))
    return run.with_columns(place).sort("place", maintain_order=True).drop("place")


def little_memory(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    monkeypatch.setattr(of_rankings, "room_of", lambda memory: lambda: rows * streaming.WORK * streaming._WIDTH)


ENGINES = ["dicts", "frame", "blocks", "buckets", "long lists", pytest.param("spark", marks=pytest.mark.spark)]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Evaluate:
    """`evaluate(qrels, run, …)` of dicts, computed in one of the ways."""
    if request.param == "spark":
        request.getfixturevalue("spark")

    def evaluate(qrels: Any, run: Any, *args: Any, **options: Any) -> Any:
        if request.param == "dicts":
            return rg.evaluate(qrels, run, *args, **options)
        judged = qrels if isinstance(qrels, pl.DataFrame) else frame(qrels, "grade")
        results = frame(run, "score")
        match request.param:
            case "frame":
                return rg.evaluate(judged, interleaved(results), *args, **options)
            case "spark":
                return rg.evaluate(judged, interleaved(results), *args, **options, engine="spark")
            case "blocks":
                little_memory(monkeypatch, 160)
                return rg.evaluate(judged, results.lazy(), *args, **options)
            case "buckets":
                little_memory(monkeypatch, 50)
                return rg.evaluate(judged, interleaved(results).lazy(), *args, **options)
        little_memory(monkeypatch, 5)
        return rg.evaluate(judged, interleaved(results).lazy(), *args, **options)

    return evaluate


def values(ev: Any) -> dict[tuple[str, str], str | None]:
    """Each value as text that tells every bit; None where a query does not count."""
    ev = ev.collect() if hasattr(ev, "collect") else ev
    return {
        (c.label, q): repr(v) if counted else None
        for c in ev.columns
        for q, v, counted in zip(ev.query_ids, c.values.tolist(), c.counted, strict=True)
    }


def same(a: float, b: float, tolerance: float = 0.0) -> bool:
    return (isnan(a) and isnan(b)) or abs(a - b) <= tolerance


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
@pytest.mark.parametrize("policy", POLICIES)
def test_the_same_numbers_on_every_engine(engine: Evaluate, policy: str):
    options: dict[str, Any] = {**POLICIES[policy], "slices": SLICES}
    if options.get("average") == "weighted":
        options["weights"] = WEIGHTS
    refused = {"relstring"} if options.get("ties") == "expected" else set()
    if options.get("average") == "micro" and options.get("ties") in ("best", "worst"):
        refused = {"PairAccuracy"}  # what it divides by depends on the order
    measures = [m for m in MEASURES if m not in refused]
    run = TWICE if "duplicates" in options else RUN
    wanted = rg.evaluate(QRELS, run, measures, **options)

    found = engine(QRELS, run, measures, **options)

    assert values(found) == values(wanted)
    assert found.counts == wanted.counts
    assert [str(m) for m in found.measures] == [str(m) for m in wanted.measures]
    for label in wanted:
        assert same(found[label], wanted[label]), label
        assert found.n(label) == wanted.n(label)
        assert found.column(label).tie_width == wanted.column(label).tie_width, label
        for a, b in zip(found.interval(label), wanted.interval(label), strict=True):
            assert same(a, b, 1e-12), label
    assert found.slices.equals(wanted.slices, null_equal=True) or _nearly(found.slices, wanted.slices)


def _nearly(a: pl.DataFrame, b: pl.DataFrame) -> bool:
    """Frames with NaN in them are not equal to themselves."""
    return [[repr(v) for v in row] for row in a.iter_rows()] == [[repr(v) for v in row] for row in b.iter_rows()]


def test_every_word_of_every_policy_is_tried():
    tried = {(name, word) for options in POLICIES.values() for name, word in rg.Policy().to_dict().items()}
    for options in POLICIES.values():
        conv = options.get("convention", "rankgauge")
        words = {k: v for k, v in options.items() if k not in ("convention", "depth", "rel")}
        given = {"average": "macro"} if words.get("average") == "weighted" else {}
        ev = rg.evaluate({"q": ["d"]}, {"q": ["d"]}, "AP", **{**words, **given}, convention=conv)
        tried |= {*ev.policy.to_dict().items(), *words.items()}
    words = {(name, word) for name, choices in CHOICES.items() for word in choices if word != "error"}

    assert words - tried == set()


@pytest.mark.slow
@pytest.mark.parametrize("policy", [{"missing": "error"}])
def test_the_same_errors_on_every_engine(engine: Evaluate, policy: dict[str, str]):
    with pytest.raises(InputError) as wanted:
        rg.evaluate(QRELS, RUN, "AP", **policy)
    with pytest.raises(InputError) as found:
        engine(QRELS, RUN, "AP", **policy)

    start = str(wanted.value).partition("(")[0]
    assert str(found.value).startswith(start)


@pytest.mark.slow
def test_judgements_by_heading_on_every_engine(engine: Evaluate):
    """Subtopics and assessors. The judgements are a frame: dicts have no place for them."""
    rng = np.random.default_rng(5)
    judged = frame(QRELS, "grade").with_columns(pl.col("grade").abs())
    judged = pl.concat([judged.with_columns(iteration=pl.lit(str(i))).sample(fraction=0.6, seed=i) for i in range(3)])
    judged = judged.with_columns(grade=pl.Series(rng.integers(0, 3, judged.height)).cast(pl.Float64))
    measures = ["nDCG@5", *sorted(f"{name}@5" if "k" in REGISTRY[name].params else name for name in NEED_GROUPS)]
    wanted = rg.evaluate(judged, frame(RUN, "score"), measures)

    found = engine(judged, RUN, measures)

    assert values(found) == values(wanted)
    assert found.counts == wanted.counts
    assert found.mean() == wanted.mean()
