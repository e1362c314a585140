"""Every finding about random small and extreme inputs is true: each claim, each number, in both languages."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import rankgauge as rg
from rankgauge.diagnosis.finding import Finding
from rankgauge.diagnosis.rules.base import Rule
from rankgauge.errors import InputError

from .claims import Inputs
from .findings import check
from .naive_predictions import Rows

MEASURES = ("nDCG@10", "RR@20", "RR", "R@5", "R@10", "R@50", "P@5", "P@3", "Hit@5", "Hit@20", "P@1", "R@3", "Judged@10")
SCENARIOS = (None, None, "faq", "document_qa", "candidates", "product_search", "monitoring", "ranking")


# inputs


def judged(rng: Random, shape: str) -> dict[str, dict[str, float]]:
    n = {"one": 1, "two": 2}.get(shape, rng.choice([3, 12, 12, 30, 30]))
    qrels = {}
    for i in range(n):
        relevant = {"single": 1, "noisy": rng.choice([2, 3])}.get(shape, rng.choice([1, 1, 2, 5, 12]))
        grades = {f"r{j:02d}": float(rng.choice([1, 1, 2, 3])) for j in range(relevant)}
        bad = 0 if shape in ("positives", "single") else 30 if shape == "noisy" else rng.choice([3, 30])
        grades |= {f"x{j:02d}": 0.0 for j in range(bad)}
        if shape == "nothing relevant" or (shape == "some without" and rng.random() < 0.3):
            grades = dict.fromkeys(grades, 0.0)
        qrels[f"q{i:02d}"] = grades
    return qrels


def shown(
    rng: Random, shape: str, qrels: Mapping[str, Mapping[str, float]], skill: float, weak: set[str]
) -> dict[str, Any]:
    """A run: the better the skill, the higher the relevant items."""
    depth = 25 if shape in ("late", "noisy") else rng.choice([3, 8, 12, 25, 51])
    run: dict[str, Any] = {}
    for q, grades in qrels.items():
        pool = [*grades, *(f"u{j:02d}" for j in range(0 if shape == "perfect" else rng.choice([2, 25])))]
        if shape == "perfect":
            order = sorted(grades, key=lambda d: -grades[d])
        elif shape == "unjudged":
            order = [f"u{j:02d}" for j in range(depth)]
        else:
            able = -skill if shape == "slice" and q in weak else skill
            order = sorted(pool, key=lambda d: -(able * (grades.get(d, 0) > 0) + rng.random()))
            if shape == "late":
                good = [d for d in order if grades.get(d)]
                order = [d for d in order if not grades.get(d)]
                order[rng.randrange(4, 15) : 0] = good[:1]
            elif shape == "none found":
                order = [d for d in order if not grades.get(d)]
        if shape == "noisy":
            order = sorted(grades, key=lambda d: -grades[d] + rng.random() / 2)[:25]
        order = order[: 5 if shape in ("constant", "tied") else depth]
        scores = {d: float(len(order) - i) for i, d in enumerate(order)}
        if shape == "constant":
            scores = dict.fromkeys(scores, 1.0)
        elif shape == "tied":
            scores = {d: float(s // 3) for d, s in scores.items()}
        elif shape == "nan" and len(order) > 1:
            scores[order[-1]] = math.nan
        if shape == "missing" and run and rng.random() < 0.3:
            continue
        if shape == "empty" and rng.random() < 0.5:
            run[q] = {}
            continue
        run[q] = [*order, *order[:2]] if shape == "repeated" else scores
    return run


SHAPES = (
    *("plain", "plain", "one", "two", "single", "positives", "nothing relevant", "some without", "perfect", "unjudged"),
    *("late", "late", "noisy", "slice", "none found", "constant", "tied", "nan", "missing", "empty", "repeated"),
)


def rankings(rng: Random) -> tuple[Inputs, dict[str, Any]]:
    shape = rng.choice(SHAPES)
    qrels = judged(rng, shape)
    skill = rng.choice([0.0, 0.3, 0.9, 5.0])
    kinds = {q: {"kind": rng.choice(["a", "b"])} for q in qrels}
    weak = {q for q, kind in kinds.items() if kind["kind"] == "a"}
    x = Inputs(
        qrels=qrels,
        runs={
            "old": shown(rng, shape, qrels, skill, weak),
            "new": shown(rng, shape, qrels, skill + rng.choice([-0.3, 0, 0.3]), weak),
        },
        slices=kinds,
        measures=tuple(rng.sample(MEASURES, rng.choice([1, 2, 3, 3, 10]))),
        given={"ctr": rng.choice([0.0, -0.01])},
    )
    return x, {"scenario": rng.choice(SCENARIOS)}


def rows(rng: Random) -> Inputs:
    shape = rng.choice(
        ["plain", "plain", "shifted", "reversed", "one class", "constant", "two", "perfect", "rare", "grouped"]
    )
    n = {"two": 2}.get(shape, rng.choice([4, 20, 40]))
    label = [1.0 if rng.random() < (0.08 if shape == "rare" else 0.4) else 0.0 for _ in range(n)]
    if shape == "one class":
        label = [1.0] * n
    score = [min(max(0.35 + 0.3 * y + rng.gauss(0, 0.15), 0.01), 0.99) for y in label]
    if shape == "shifted":
        score = [s**3 for s in score]
    elif shape == "reversed":
        score = [1 - s for s in score]
    elif shape == "constant":
        score = [0.4] * n
    elif shape == "perfect":
        score = [0.9 if y else 0.1 for y in label]
    group = [rng.randrange(max(n // 4, 1)) for _ in range(n)] if rng.random() < 0.5 else None
    if shape == "grouped":
        n = 60
        group = [i // 4 for i in range(n)]
        label = [1.0 if rng.random() < (0.9 if g % 2 else 0.1) else 0.0 for g in group]
        score = [(0.8 if g % 2 else 0.2) + rng.gauss(0, 0.02) for g in group]
    return Inputs(
        rows={"score": Rows(label, score, group=group)},
        measures=tuple(rng.sample(["AUC", "LogLoss", "Accuracy(threshold=0.5)", "COPC"], 2)),
        given={"threshold": 0.5},
    )


# the checks


@pytest.fixture(autouse=True)
def nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules do not need to be stopped: what a condition lets through has numbers that are numbers."""
    apply = Rule.apply

    def strict(self: Rule, subject: Any) -> Finding | None:
        seen = self.condition(subject)
        assert seen is None or seen.is_sound, (self.code, seen)
        return apply(self, subject)

    monkeypatch.setattr(Rule, "apply", strict)


LONG = pytest.mark.long("more seeds of random inputs")
SEEDS = [*range(2), *(pytest.param(seed, marks=LONG) for seed in range(2, 12))]
EACH = 30


@pytest.mark.parametrize("seed", SEEDS)
def test_findings_about_a_ranking(seed: int):
    rng = Random(seed)
    for _ in range(EACH):
        x, options = rankings(rng)
        slices = x.slices if rng.random() < 0.5 else None
        ev = rg.evaluate(x.qrels, {"new": x.runs["new"]}, list(x.measures), slices=slices)["new"]

        check(rg.diagnose(ev, **options), x)


@pytest.mark.parametrize("seed", SEEDS)
def test_findings_about_a_stored_ranking(seed: int):
    rng = Random(seed)
    for _ in range(EACH // 3):
        x, options = rankings(rng)
        ev = rg.evaluate(x.qrels, {"new": x.runs["new"]}, list(x.measures), slices=x.slices)["new"]

        check(rg.diagnose(rg.Evaluation.from_dict(ev.to_dict()), **options), x)


@pytest.mark.parametrize("seed", SEEDS)
def test_findings_about_a_change(seed: int):
    rng = Random(seed)
    for _ in range(EACH // 2):
        x, options = rankings(rng)
        runs = {**x.runs, "new": x.runs["old"]} if rng.random() < 0.1 else dict(x.runs)
        x = Inputs(x.qrels, runs, x.slices, measures=x.measures, given=x.given)
        try:
            both = rg.compare(x.qrels, runs, list(x.measures), permutations=200)
        except InputError:  # nothing is compared where no query counts in both
            continue
        online: Any = x.given if rng.random() < 0.7 else None
        if rng.random() < 0.4:
            before, after = rng.choice([(0.03, 0.0302), (0.03, 0.03), (0.03, 0.04), (0.0, 0.0)])
            online = {"ctr": (before, after)}
            x = replace(x, given={"ctr before": before, "ctr after": after})

        check(rg.diagnose(both, online=online, **options), x)


@pytest.mark.parametrize("seed", SEEDS)
def test_findings_about_a_model(seed: int):
    rng = Random(seed)
    for _ in range(EACH // 2):
        x = rows(rng)
        r = x.rows["score"]
        table = {"label": r.label, "score": r.score, **({"group": r.group} if r.group else {})}

        check(rg.diagnose(rg.evaluate_predictions(table, list(x.measures))), x)
