"""What features ask of a measure stands in its own record: a new measure works in each of them, or it says why not."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from math import isnan
from typing import Any

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.comparison.contributions import contributions
from rankgauge.comparison.unjudged import bounds, has_bounds
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.rankings.ceiling import ceilings
from rankgauge.evaluation.rankings.too_long import needs_too_long
from rankgauge.measures import REGISTRY
from rankgauge.measures.base import Measure
from rankgauge.measures.classes import CLASSES, ClassMeasure
from rankgauge.measures.definition import Definition
from rankgauge.measures.predictions import PREDICTIONS, PredictionMeasure
from rankgauge.measures.shown import SHOWN, ShownMeasure
from rankgauge.measures.spans import SPANS, SpanMeasure
from rankgauge.reporting.verdicts import _MEANING
from source import every

QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": 1, "d": 2}, "q3": {"e": 1}}
OLD = {"q1": ["c", "x", "a", "b"], "q2": ["y", "d", "a"], "q3": ["e", "z"]}
NEW = {"q1": ["a", "b", "x", "c"], "q2": ["d", "y", "a"], "q3": ["e", "z"]}

# by design: a convention says what a tool computes, a default what is shown first, a rule or a reading which measures
# it reads, calibration by what calibrators are judged; trec_eval's lines begin with num_q; F is a rule for thresholds
NAMES_MEASURES = (
    "evaluation/rankings/conventions.py",
    "evaluation/rankings/answers.py",  # gold is retrieved where there is a hit, unless said
    "evaluation/rankings/by_budget.py",
    "evaluation/rankings/by_cutoff.py",
    "evaluation/rankings/by_item_group.py",  # recall by definition
    "comparison/by_part.py",  # what is compared unless said
    "comparison/drift.py",
    "evaluation/predictions/asking.py",
    "evaluation/predictions/state.py",
    "evaluation/predictions/threshold_rules.py",
    "calibration/",
    "reporting/calibration.py",
    "reporting/thresholds.py",  # chosen by F
    "reporting/page/gathering/taking.py",  # what accuracy alone does not say
    "diagnosis/rules/",
    "diagnosis/order_and_probability",
    "reporting/trec.py",
    "demo/",
)

ALL = [cls() for cls in REGISTRY.values()]


def test_no_module_but_a_measures_own_lists_measures() -> None:
    names = {*REGISTRY, *PREDICTIONS.measures, *CLASSES.measures, *SHOWN.measures, *SPANS.measures}
    found = [
        f"{place}: {ast.unparse(node)}"
        for place, node in every(ast.Set, ast.Tuple, ast.List, ast.Dict, ast.Compare)
        if not place.startswith(("measures/", *NAMES_MEASURES))
        if (told := set(_texts(node))) & names and (isinstance(node, ast.Compare) or told <= names)
    ]
    assert not found, "\n".join(found)


def test_nobody_else_asks_which_measure_it_is() -> None:
    """No isinstance over measures of any kind outside of them: what differs is asked of the measure."""
    registries = (REGISTRY, *(kind.measures for kind in (PREDICTIONS, CLASSES, SHOWN, SPANS)))
    names = {c.__name__ for registry in registries for cls in registry.values() for c in cls.__mro__}
    names -= {"Definition", "Measure", "ShownMeasure", "SpanMeasure", "RowMeasure", "PredictionMeasure", "ClassMeasure"}
    names -= {"OfLists", "OfRun", "OfQuantile", "object"}  # what a measure of shown items writes: how columns are made
    found = []
    for where, node in every(ast.Call, ast.MatchClass):
        asked: list[ast.expr] = []
        if isinstance(node, ast.MatchClass):
            asked = [node.cls]
        elif getattr(node.func, "id", "") in ("isinstance", "issubclass", "type"):
            asked = node.args[1:]
        if asked and not where.startswith("measures/"):
            used = {n.id for part in asked for n in ast.walk(part) if isinstance(n, ast.Name)}
            found += [f"{where}:{node.lineno} {name}" for name in used & names]
    assert found == []


def test_nobody_but_a_measure_knows_what_its_numbers_are_read_with() -> None:
    """What stands beside a value has names that the measure gave it; others ask the measure, or show all of it."""
    found = [
        f"{place}: {ast.unparse(node)}"
        for place, node in every(ast.Subscript, ast.Call, ast.Compare, having=".beside")
        if not place.startswith(("measures/", *NAMES_MEASURES)) and _asks_beside(node)
    ]

    assert not found, "\n".join(found)


def _asks_beside(node: ast.AST) -> bool:
    """`x.beside["p"]`, `x.beside.get("p")`, `"p" in x.beside`."""
    if isinstance(node, ast.Subscript):
        holder, name = node.value, node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        holder, name = node.func.value, node.args[0]
    elif isinstance(node, ast.Compare):
        holder, name = node.comparators[0], node.left
    else:
        return False
    return isinstance(name, ast.Constant) and isinstance(holder, ast.Attribute) and holder.attr == "beside"


def test_what_is_read_with_a_number_is_asked_of_its_measure() -> None:
    rows = {"label": [1, 0, 1, 0, 1], "score": [1.0, 0.2, 0.0, 0.4, 0.7], "user_id": [1, 1, 2, 2, 3]}
    ev = rg.evaluate_predictions(rows, ["GAUC", "LogLoss", "AUC"])
    gauc, loss, auc = ev.columns

    assert gauc.measure.valid_groups(gauc.beside) == (2, 3, 4 / 5)  # the third user has one class
    assert loss.measure.clipped(loss.beside) == (2, loss.beside["their share of the loss"])  # one at 0, one at 1
    assert auc.measure.valid_groups(auc.beside) is auc.measure.clipped(auc.beside) is None


def _texts(node: ast.AST) -> list[str]:
    """The texts of a list, a set, keys of a dict, or what a name is compared with."""
    parts: list[ast.expr | None] = []
    if isinstance(node, (ast.Set, ast.Tuple, ast.List)) and len(node.elts) > 1:
        parts = list(node.elts)
    elif isinstance(node, ast.Dict):
        parts = list(node.keys)
    elif isinstance(node, ast.Compare) and "name" in ast.unparse(node.left):
        parts = list(node.comparators)
    return [x.value for x in parts if isinstance(x, ast.Constant) and isinstance(x.value, str)]


@pytest.mark.parametrize("m", ALL, ids=str)
def test_each_measure_works_in_every_feature_or_says_why_not(m: Measure) -> None:
    if not m.needs <= {"grade", "nonrelevant"}:
        with pytest.raises(InputError, match="needs judgements by"):
            rg.evaluate(QRELS, NEW, m)
        return
    old, new = (rg.evaluate(QRELS, run, m) for run in (OLD, NEW))
    label = new.columns[0].label
    a, b = old.aligned.alignment, new.aligned.alignment  # type: ignore[union-attr]
    assert m.side in _MEANING

    if has_bounds(m):
        low, high = bounds(a, b, m)
        assert (low <= high).all()
    else:
        with pytest.raises(ParameterError, match="no bounds are known"):
            bounds(a, b, m)

    for parts, why in contributions(m.bind(b), b, new.columns[0].values):
        assert (parts is None) == bool(why)

    best = ceilings(new, new.columns)[0]
    assert m.has_ceiling != isnan(best)
    if m.has_ceiling:
        assert best >= max(old.mean()[label], new.mean()[label]) - 1e-12

    if m.summary == "mean":
        assert rg.sentences(rg.compare({"old": old, "new": new}))


# the other kinds: the same features, of what they are about

TRAIN = {"q1": ["z", "e"], "q2": ["b"], "q3": ["a", "c", "b"]}
ITEMS = {item: {"category": category} for item, category in zip("abcdexyz", "11223344", strict=True)}
NEEDED = {"q1": [("d", 0, 10), ("e", 5, 20)], "q2": [("d", 30, 40)]}
CHUNKS = {"c1": ("d", 0, 100), "c2": ("e", 0, 100), "c3": ("f", 0, 9)}
PIECES = {
    "old": {"q1": [("d", 0, 5), ("f", 0, 9)], "q2": [("e", 0, 9), ("d", 25, 45)]},
    "new": {"q1": [("d", 0, 12), ("e", 0, 30)], "q2": [("d", 25, 45)]},
}
CLASS_ROWS = {
    "label": ["a", "b", "c", "a", "b", "c"],
    **{
        f"old_{c}": p
        for c, p in zip("abc", ([0.6, 0.5, 0.1, 0.3, 0.2, 0.2], [0.2] * 6, [0.2, 0.3, 0.7, 0.5, 0.6, 0.6]), strict=True)
    },
    **{
        f"new_{c}": p
        for c, p in zip("abc", ([0.8, 0.1, 0.1, 0.5, 0.2, 0.3], [0.1] * 6, [0.1, 0.8, 0.8, 0.4, 0.7, 0.6]), strict=True)
    },
}
SCORED_ROWS = {
    "label": [1, 0, 0, 1, 0, 1, 0, 0],
    "user": [1, 1, 1, 1, 2, 2, 2, 2],
    "old": [0.4, 0.5, 0.2, 0.6, 0.1, 0.3, 0.2, 0.6],
    "new": [0.8, 0.3, 0.2, 0.7, 0.1, 0.4, 0.2, 0.3],
}


def works_in_features_of_all_kinds(evs: Mapping[str, Any], m: Definition) -> None:
    """Two systems are compared in sentences; what is stored says the same; the measure is explained and shown."""
    assert m.side in _MEANING
    assert rg.sentences(rg.compare(evs))
    ev = evs["new"]
    label = ev.labels[0]
    again = type(ev).from_dict(ev.to_dict())
    assert again.labels == ev.labels
    assert again[label] == ev[label] or (isnan(again[label]) and isnan(ev[label]) and ev.column(label).reason)
    assert str(label) in str(ev)
    assert rg.explain(m).question == m.question


def live(lists: Mapping[str, list[str]]) -> rg.Run:
    return rg.collect({q: q for q in lists}, lambda q: {"calls": [{"documents": lists[q], "tokens": 7, "cost": 0.5}]})


@pytest.mark.parametrize("m", [cls() for cls in SHOWN.measures.values()], ids=str)
def test_each_measure_of_shown_items_works_in_every_feature_or_says_why_not(m: ShownMeasure) -> None:
    runs = {"old": live(OLD), "new": live(NEW)}
    evs = {name: rg.evaluate(QRELS, run, m, train=TRAIN, items=ITEMS) for name, run in runs.items()}

    works_in_features_of_all_kinds(evs, m)
    works_in_features_of_rankings(evs, m)
    if m.needs - {"shown"}:
        with pytest.raises(ParameterError, match=f"^{re.escape(str(m))} needs "):
            rg.evaluate(QRELS, NEW, m)


@pytest.mark.parametrize("m", [cls() for cls in SPANS.measures.values()], ids=str)
def test_each_measure_of_spans_works_in_every_feature_or_says_why_not(m: SpanMeasure) -> None:
    evs = {name: rg.evaluate(rg.Spans(NEEDED), rg.Chunks(x, chunks=CHUNKS), m) for name, x in PIECES.items()}

    works_in_features_of_all_kinds(evs, m)
    works_in_features_of_rankings(evs, m)
    with pytest.raises(ParameterError, match="is about spans of documents"):
        rg.evaluate(QRELS, NEW, m)


def works_in_features_of_rankings(evs: Mapping[str, Any], m: Measure) -> None:
    """It is known how far a value is from its ceiling, from what judging more would do, and whose it is; or why not."""
    a, b = (ev.aligned.alignment for ev in evs.values())
    best = ceilings(evs["new"], evs["new"].columns)[0]
    assert isnan(best) or best >= evs["new"][evs["new"].labels[0]]
    assert m.unbounded()
    assert not has_bounds(m)
    with pytest.raises(ParameterError, match="no bounds are known"):
        bounds(a, b, m)
    if m.summary == "mean" and not isinstance(m, ShownMeasure):
        for parts, why in contributions(m.bind(b), b, evs["new"].columns[0].values):
            assert (parts is None) == bool(why)
    found = needs_too_long(b, m)
    assert found is None or m.by_whole_needs


@pytest.mark.parametrize("m", [cls() for cls in CLASSES.measures.values()], ids=str)
def test_each_measure_of_classes_works_in_every_feature_or_says_why_not(m: ClassMeasure) -> None:
    works_in_features_of_all_kinds(rg.evaluate_predictions(CLASS_ROWS, [m], probabilities=["old_", "new_"]), m)
    if "probabilities" in m.needs:
        called = {"label": ["a", "b", "a"], "prediction": ["a", "b", "b"]}
        assert "needs probabilities" in rg.evaluate_predictions(called, [m]).columns[0].reason


@pytest.mark.parametrize("cls", list(PREDICTIONS.measures.values()), ids=lambda cls: cls.name)
def test_each_measure_of_labels_and_scores_works_in_every_feature_or_says_why_not(cls: type[PredictionMeasure]) -> None:
    m = cls(**({"threshold": 0.35} if "threshold" in cls.params else {}))
    evs = rg.evaluate_predictions(SCORED_ROWS, [m], scores=["old", "new"], group="user")

    works_in_features_of_all_kinds(evs, m)
    if "groups" in m.needs:
        without = {"label": SCORED_ROWS["label"], "score": SCORED_ROWS["new"]}
        assert "group" in rg.evaluate_predictions(without, [m]).columns[0].reason


# no more than its own


def test_a_new_measure_is_refused_only_where_its_record_says_nothing() -> None:
    @rg.measure(bounds=(0, 0.5))
    def HalfHit(a):
        return np.minimum(a.hits(1.0, 10), 1) / 2

    ev = rg.evaluate(QRELS, NEW, "HalfHit")
    assert ev.columns[0].measure.unbounded() == "it is not known how a new relevant result moves it"
    assert ceilings(ev, ev.columns) == [0.5]


# words and cutoffs


def test_a_misspelt_word_is_refused_when_the_measure_is_declared() -> None:
    with pytest.raises(ParameterError, match=r"mine: `when_judged` must be one of .*ideal, got 'ideals'"):

        @rg.measure(when_judged="ideals")
        def mine(a):
            return a.by_query.sums(a.grade)

    assert "mine" not in REGISTRY


@pytest.mark.parametrize(
    ("text", "has", "cutoff"),
    [
        ("nDCG@10", True, 10),
        ("nDCG", True, None),
        ("Rprec", False, None),
        ("IPrec@0.5", False, None),  # a share of recall stands behind the @
        ("AUC", False, None),
    ],
)
def test_a_measure_knows_its_cutoff(text: str, has: bool, cutoff: int | None) -> None:
    m = rg.parse(text)

    assert (m.has_cutoff, m.cutoff) == (has, cutoff)


def test_nobody_looks_for_a_cutoff_by_its_letter() -> None:
    found = [
        place
        for place, node in every(ast.Call, having="attr(")
        if isinstance(node.func, ast.Name)
        and node.func.id in ("getattr", "hasattr")
        and isinstance(node.args[1], ast.Constant)
        and node.args[1].value in ("k", "judged_only")
    ]

    assert found == []
