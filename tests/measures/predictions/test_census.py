"""The census: what holds for every measure of labels and scores, so that none is forgotten."""

import math
import pickle

import pytest
from hypothesis import given, settings

from oracle.naive_predictions import NAIVE, Rows
from rankgauge.errors import ParameterError, UnknownName
from rankgauge.measures.grammar import parse, parse_prediction
from rankgauge.measures.predictions import PREDICTIONS, families
from rankgauge.measures.predictions.auc import AUC
from rankgauge.measures.predictions.confusion import F, Recall

from .support import CELLS, NUMBERS, SOFT, VARIANTS, close, naive, random_rows, rows, sample_of, value

MEASURES = list(PREDICTIONS.measures.values())

each = pytest.mark.parametrize("m", VARIANTS, ids=str)
each_class = pytest.mark.parametrize("cls", MEASURES, ids=lambda cls: cls.name)
quick = settings(max_examples=25, deadline=None)


def test_every_measure_is_tested_and_has_a_naive_twin():
    assert {m.name for m in VARIANTS} == set(PREDICTIONS.measures) == set(NAIVE)


# the record


@each_class
def test_record_is_complete(cls):
    assert cls.title
    assert cls.family in families()
    assert cls.question.endswith("?")
    assert cls.name in cls.formula
    assert cls.__doc__
    assert cls.edges
    assert cls.bounds[0] < cls.bounds[1]
    assert cls.needs <= {"classes", "hard", "probabilities", "groups"}
    assert all(p.doc for p in cls.params.values())


@each_class
def test_example_has_the_value_of_its_sum(cls):
    case = cls.example
    names = {name: getattr(math, name) for name in ("log", "sqrt", "exp")}

    got = cls(**case.params).of(case.label, case.score, case.weight, case.group)

    assert close(got, eval(case.sum, names))


@each_class
def test_example_rows_are_shown_from_the_highest_score_in_each_group(cls):
    shown = cls.example.rows()

    assert len(shown) == len(cls.example.label)
    assert shown == sorted(shown, key=lambda row: (row.get("group", 0), -row["score"]))


# names


@each
def test_text_of_a_measure_reads_back_as_the_measure(m):
    assert parse_prediction(str(m)) == m
    assert parse(str(m)) == m
    assert pickle.loads(pickle.dumps(m)) == m


@each_class
def test_every_alias_leads_to_its_measure(cls):
    more = "(threshold=0.5)" if cls.name in CELLS else ""

    for alias in (cls.name, *cls.aliases):
        for spelling in (alias, alias.upper(), alias.replace("_", " "), alias.replace("_", "-")):
            assert isinstance(parse_prediction(spelling + more), cls), spelling


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("uAUC", "GAUC(weight=uniform)"),
        ("avgAUC", "GAUC(weight=uniform)"),
        ("wuAUC", "GAUC"),
        ("Within AUC", "GAUC(weight=pairs)"),
        ("gauc(weight=clicks, undefined=0.5)", "GAUC(weight=positives, undefined=half)"),
        ("F2(t=.3)", "F(threshold=0.3, beta=2)"),
        ("F0.5(cut=.3)", "F(threshold=0.3, beta=0.5)"),
        ("f1_score(threshold=0.3)", "F(threshold=0.3)"),
        ("lift(q=.05)", "Lift(top=0.05)"),
        ("ece(binning=equal_width)", "ECE(binning=uniform)"),
        ("mcb(loss=logloss)", "MCB"),
        ("d2_log_loss", "RIG"),
    ],
)
def test_spellings_with_parameters(spelling, canonical):
    assert str(parse_prediction(spelling)) == canonical


def test_a_threshold_is_never_assumed():
    with pytest.raises(ParameterError, match="threshold"):
        Recall()
    with pytest.raises(ParameterError, match=r"must be said, as in threshold=0\.3"):
        parse_prediction("F1")


@pytest.mark.parametrize(
    "text",
    [
        *("AUC(max_fpr=0)", "AUC(max_fpr=1.5)", "GAUC(weight=users)", "NE(base=1)"),
        *("ECE(bins=0)", "ECE(bins=2.5)", f"ECE(bins={10**30})"),
    ],
)
def test_parameters_outside_their_range_are_refused(text):
    with pytest.raises(ParameterError):
        parse_prediction(text)


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean LogLoss"):
        parse_prediction("LogLos")


def test_a_measure_of_rankings_is_named_as_one():
    with pytest.raises(UnknownName, match=r"measure of rankings.*use evaluate\(\)"):
        parse_prediction("nDCG@10")


def test_a_name_of_both_kinds_is_told_apart_by_its_parameters():
    assert parse("Recall(threshold=0.5)") == Recall(threshold=0.5)
    assert str(parse("Recall@5")) == "R@5"
    assert parse(F(threshold=0.2)) == F(threshold=0.2)
    assert parse(AUC) == AUC()


# the naive definitions


@each
@quick
@given(rows())
def test_value_is_that_of_the_definition_for_labels_0_and_1(m, r):
    assert close(value(m, sample_of(r)), naive(m, r))


@each
@quick
@given(rows(label=SOFT))
def test_value_is_that_of_the_definition_for_soft_labels(m, r):
    assert close(value(m, sample_of(r)), naive(m, r))


@each
@quick
@given(rows(score=NUMBERS))
def test_value_is_that_of_the_definition_for_scores_of_any_size(m, r):
    assert close(value(m, sample_of(r)), naive(m, r))


@each
@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
def test_value_is_that_of_the_definition_on_many_rows(m, weighted):
    r = random_rows(3, 120, weighted=weighted, groups=6)

    assert close(value(m, sample_of(r)), naive(m, r))


@each
def test_of_plain_lists_is_the_value_of_the_sample(m):
    r = Rows([1, 0, 1, 0, 0, 1], [0.9, 0.4, 0.4, 0.2, 0.6, 0.1], [1, 2, 1, 1, 3, 1], [0, 0, 0, 1, 1, 1])

    assert m.of(r.label, r.score, r.weight, r.group) == pytest.approx(value(m, sample_of(r)), abs=0, nan_ok=True)
