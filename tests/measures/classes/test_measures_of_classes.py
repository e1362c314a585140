"""The census of measures of several classes: their definitions, scikit-learn's numbers, slopes, and what they say."""

from __future__ import annotations

import math
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

from oracle.naive_classes import NAIVE, ClassRows
from rankgauge._text import Text
from rankgauge.alignment.class_sample import ClassSample
from rankgauge.errors import ParameterError, UnknownName
from rankgauge.measures import LogLoss as BinaryLogLoss
from rankgauge.measures import Recall as BinaryRecall
from rankgauge.measures.classes import CLASSES, families
from rankgauge.measures.explanation import explain
from rankgauge.measures.grammar import meanings, parse, parse_class
from rankgauge.measures.predictions.base import Undefined
from rankgauge.reporting import render

NAMES = ["ant", "bee", "cat", "dog"]
VARIANTS = [
    parse_class(text)
    for text in (
        *("Accuracy", "BalancedAccuracy", "TopKAccuracy@1", "TopKAccuracy@2", "TopKAccuracy@9", "Kappa", "MCC"),
        *(
            f"{name}(average={word})"
            for name in ("Precision", "Recall", "F1")
            for word in ("macro", "micro", "weighted")
        ),
        *("Precision(label=bee)", "Recall(label=bee)", "F2(label=bee)", "F(beta=3, average=weighted)"),
        *("LogLoss", "Brier", "AUC", "AUC(average=weighted)"),
    )
]
each = pytest.mark.parametrize("m", VARIANTS, ids=str)
each_class = pytest.mark.parametrize("cls", list(CLASSES.measures.values()), ids=lambda cls: cls.name)
quick = settings(max_examples=25, deadline=None)

PROBABILITY = st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.4, 0.5, 1.0])  # coarse: ties are usual


@st.composite
def class_rows(draw, weighted: bool | None = None) -> ClassRows:
    """Rows of up to four classes, of which some may be absent from labels, predictions or both."""
    n = draw(st.integers(1, 8))
    used = draw(st.integers(1, len(NAMES)))
    names = st.sampled_from(NAMES[:used])
    label, called = (draw(st.lists(names, min_size=n, max_size=n)) for _ in range(2))
    given_ = [[draw(PROBABILITY) + 1e-3 * (i == 0) for i in range(len(NAMES))] for _ in range(n)]
    probability = [[p / sum(row) for p in row] for row in given_]
    has_weights = draw(st.booleans()) if weighted is None else weighted
    weight = draw(st.lists(st.floats(0.01, 100), min_size=n, max_size=n)) if has_weights else None
    return ClassRows(label, called, NAMES, probability, weight)


def sample_of(r: ClassRows, group=None) -> ClassSample:
    number = {name: i for i, name in enumerate(r.classes)}
    return ClassSample(
        np.array([number[y] for y in r.label]),
        np.array([number[p] for p in r.called]),
        list(r.classes),
        None if r.probability is None else np.array(r.probability, dtype=float),
        None if r.weight is None else np.array(r.weight, dtype=float),
        None if group is None else np.array(group),
        0 if group is None else max(group) + 1,
    )


def value(m, s: ClassSample) -> float:
    try:
        m.check(s)
        return m.value(s)
    except Undefined:
        return math.nan


def close(a: float, b: float, tolerance: float = 1e-12) -> bool:
    return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= tolerance * max(1.0, abs(b))


def random_rows(seed: int, n: int = 200, classes: int = 4, *, weighted: bool = True) -> ClassRows:
    rng = np.random.default_rng(seed)
    names = [f"class {i}" for i in range(classes)]
    p = rng.dirichlet(np.ones(classes), n)
    label = [names[i] for i in rng.integers(0, classes, n)]
    called = [y if rng.random() < 0.6 else names[rng.integers(classes)] for y in label]
    weight = rng.uniform(0.1, 5, n).tolist() if weighted else None
    return ClassRows(label, called, names, p.tolist(), weight)


# the definitions


def test_every_measure_is_tested_and_has_a_naive_twin():
    assert {m.name for m in VARIANTS} == set(CLASSES.measures) == set(NAIVE)


@each
@quick
@given(class_rows())
def test_value_is_that_of_the_definition(m, r):
    got, wanted = value(m, sample_of(r)), NAIVE[m.name](r, **{n: getattr(m, n) for n in m.params})

    assert close(got, wanted), (got, wanted)
    assert math.isnan(got) or m.bounds[0] - 1e-12 <= got <= m.bounds[1] + 1e-12


@each
def test_order_of_rows_does_not_change_a_bit(m):
    r = random_rows(1)
    m = m.replace(label="class 1") if getattr(m, "label", None) else m
    s = sample_of(r)
    shuffled = s.rows(np.random.default_rng(0).permutation(len(s)))

    assert value(m, s) == value(m, shuffled)


# scikit-learn


def _sk_averaged(of, **more):
    def call(r, m):
        labels = [m.label] if m.label else None
        average = "macro" if m.label else m.average
        return of(r.label, r.called, average=average, labels=labels, sample_weight=r.weight, zero_division=0, **more)

    return call


SKLEARN = {
    "Accuracy": lambda r, m: sk.accuracy_score(r.label, r.called, sample_weight=r.weight),
    "BalancedAccuracy": lambda r, m: sk.balanced_accuracy_score(r.label, r.called, sample_weight=r.weight),
    "Precision": _sk_averaged(sk.precision_score),
    "Recall": _sk_averaged(sk.recall_score),
    "F": lambda r, m: _sk_averaged(sk.fbeta_score, beta=m.beta)(r, m),
    "Kappa": lambda r, m: sk.cohen_kappa_score(r.label, r.called, sample_weight=r.weight),
    "MCC": lambda r, m: sk.matthews_corrcoef(r.label, r.called, sample_weight=r.weight),
}
BY_COUNTS = [m for m in VARIANTS if m.name in SKLEARN]


@pytest.mark.parametrize("m", BY_COUNTS, ids=str)
@settings(max_examples=60, deadline=None)
@given(class_rows())
def test_numbers_of_predicted_classes_are_those_of_scikit_learn(m, r):
    got = value(m, sample_of(r))
    if math.isnan(got):  # a named class without rows, kappa and correlation of one class: it says 0 or nan
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = float(SKLEARN[m.name](r, m))

    assert close(got, wanted), (got, wanted)


def test_kappa_and_correlation_of_one_class_have_a_reason_instead_of_a_0():
    alone = sample_of(ClassRows(["ant", "ant"], ["ant", "ant"], NAMES))
    one_called = sample_of(ClassRows(["ant", "bee"], ["ant", "ant"], NAMES))

    with pytest.raises(Undefined, match="all rows are ant and are called so"):
        parse_class("Kappa").value(alone)
    with pytest.raises(Undefined, match="all rows are of one class"):
        parse_class("MCC").value(alone)
    with pytest.raises(Undefined, match="called the same class"):
        parse_class("MCC").value(one_called)
    assert sk.matthews_corrcoef(["ant", "bee"], ["ant", "ant"]) == 0
    assert parse_class("Kappa").value(one_called) == 0


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
def test_numbers_of_probabilities_are_those_of_scikit_learn(seed, weighted):
    r = random_rows(seed, weighted=weighted)
    s, p = sample_of(r), np.array(r.probability)
    how = {"labels": r.classes, "sample_weight": r.weight}

    assert close(value(parse_class("LogLoss"), s), sk.log_loss(r.label, p, **how))
    assert close(value(parse_class("Brier"), s), sk.brier_score_loss(r.label, p, scale_by_half=False, **how))
    for k in (1, 2, 3):
        wanted = sk.top_k_accuracy_score(r.label, p, k=k, **how)
        assert close(value(parse_class(f"top_{k}"), s), wanted)
    for average in ("macro", "weighted"):
        wanted = sk.roc_auc_score(r.label, p, multi_class="ovr", average=average, **how)
        assert close(value(parse_class(f"AUC(average={average})"), s), wanted)


def test_top_k_counts_tied_classes_by_the_share_of_their_orders():
    r = ClassRows(["bee"], ["ant"], NAMES, [[0.4, 0.2, 0.2, 0.2]])

    assert value(parse_class("top_1"), sample_of(r)) == 0
    assert value(parse_class("top_2"), sample_of(r)) == 1 / 3
    assert value(parse_class("top_3"), sample_of(r)) == 2 / 3
    assert value(parse_class("TopKAccuracy@4"), sample_of(r)) == 1
    assert sk.top_k_accuracy_score(["bee"], [r.probability[0]], k=2, labels=NAMES) == 0  # the last names first


def test_a_rare_class_costs_no_digits():
    """19 of 800 million rows: what is left of 1 - Σ t² and 1 - Σ tq after subtracting would be noise."""
    n, rare, found, wrong = 800_000_000, 19, 7, 3
    s = ClassSample(
        np.array([0, 1, 1, 0]), np.array([0, 1, 0, 1]), ["no", "yes"], None, np.array([n, found, rare - found, wrong])
    )
    tp, fn, fp, tn = found, rare - found, wrong, n
    total = tp + fn + fp + tn
    mcc = (tp * tn - fp * fn) / (math.sqrt((tp + fp) * (tp + fn)) * math.sqrt((tn + fp) * (tn + fn)))
    kappa = 2 * (tp * tn - fp * fn) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))

    assert total == n + rare + wrong
    assert parse_class("MCC").value(s) == pytest.approx(mcc, rel=1e-13)
    assert parse_class("Kappa").value(s) == pytest.approx(kappa, rel=1e-13)


# influence


@each
@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
def test_influence_is_the_slope_by_the_weight_of_a_group(m, weighted):
    r = random_rows(7, 40, weighted=weighted)
    m = m.replace(label="class 1") if getattr(m, "label", None) else m
    group = (np.arange(40) % 8).tolist()
    s = sample_of(r, group)
    clusters = m.clusters(s)
    base = np.ones(40) if r.weight is None else np.array(r.weight)

    def at(g: int, factor: float) -> float:
        weight = np.where(np.array(group) == g, base * factor, base)
        return value(m, ClassSample(s.label, s.called, s.classes, s.probability, weight, s.group, s.n_groups))

    step = 1e-5
    slopes = [(at(g, 1 + step) - at(g, 1 - step)) / (2 * step) for g in range(8)]

    assert np.allclose(clusters, slopes, atol=1e-8)
    assert abs(clusters.sum()) < 1e-12


@each
@quick
@given(class_rows())
def test_influences_add_up_to_nothing(m, r):
    s = sample_of(r)
    if not math.isnan(value(m, s)):
        assert abs(m.influence(s).sum()) < 1e-10


# what is read with a number


def test_a_class_that_is_never_predicted_counts_as_0_and_is_named():
    s = sample_of(ClassRows(["ant", "bee", "cat"], ["ant", "ant", "cat"], NAMES))
    m = parse_class("Precision")

    assert m.value(s) == (1 / 2 + 0 + 1) / 3
    assert m.beside(s) == {"counted as 0": "'bee'", "not there": "'dog'"}
    assert parse_class("Precision(average=weighted)").beside(s) == {"counted as 0": "'bee'"}


def test_a_class_that_is_only_predicted_counts_as_0_in_recall_and_not_in_balanced_accuracy():
    s = sample_of(ClassRows(["ant", "ant"], ["ant", "bee"], NAMES))

    assert parse_class("Recall").value(s) == (1 / 2 + 0) / 2
    assert parse_class("Recall").beside(s)["counted as 0"] == "'bee'"
    assert parse_class("BalancedAccuracy").value(s) == 1 / 2
    assert parse_class("BalancedAccuracy").beside(s)["without rows"] == "'bee', 'cat', 'dog'"


def test_many_classes_are_counted_and_the_first_named():
    names = [str(i) for i in range(50)]
    s = sample_of(ClassRows(names, ["0"] * 50, names))

    assert parse_class("Precision").beside(s) == {"counted as 0": "49 ('1', '2', '3', …)"}


def test_what_always_saying_one_class_has_stands_beside():
    s = sample_of(ClassRows(["ant"] * 9 + ["bee"], ["ant"] * 10, NAMES[:2], [[0.9, 0.1]] * 10))

    assert parse_class("Accuracy").beside(s) == {"most frequent class": 0.9}
    assert parse_class("BalancedAccuracy").beside(s) == {"by chance": 0.5}
    assert parse_class("LogLoss").beside(s)["of shares"] == pytest.approx(-0.9 * math.log(0.9) - 0.1 * math.log(0.1))
    assert parse_class("LogLoss").value(s) == pytest.approx(parse_class("LogLoss").beside(s)["of shares"])
    assert parse_class("Brier").value(s) == pytest.approx(parse_class("Brier").beside(s)["of shares"])


def test_probabilities_of_0_are_clipped_and_counted():
    s = sample_of(ClassRows(["ant", "bee"], ["ant", "bee"], NAMES[:2], [[0.0, 1.0], [0.5, 0.5]]))
    m = parse_class("LogLoss")
    lost = -math.log(1e-15)

    assert m.value(s) == pytest.approx((lost + math.log(2)) / 2)
    assert m.clipped(m.beside(s)) == (1, pytest.approx(lost / (lost + math.log(2))))


def test_without_probabilities_the_reason_says_what_is_missing():
    s = sample_of(ClassRows(["ant"], ["ant"], NAMES))

    for name in ("LogLoss", "Brier", "AUC", "top_3"):
        with pytest.raises(Undefined, match="needs probabilities; the input has only predicted classes"):
            parse_class(name).check(s)


def test_auc_of_one_class_says_which():
    s = sample_of(ClassRows(["ant", "ant"], ["ant", "ant"], NAMES[:2], [[0.5, 0.5]] * 2))

    with pytest.raises(Undefined, match="needs two classes with rows; all 2 labels are ant"):
        parse_class("AUC").check(s)


def test_a_class_that_is_not_there_is_told_with_those_that_are():
    s = sample_of(ClassRows(["ant"], ["ant"], NAMES))

    with pytest.raises(Undefined, match=r"no class 'bea'\. Did you mean bee\? There are: 'ant', 'bee', 'cat', 'dog'"):
        parse_class("Recall(label=bea)").value(s)


# the record


@each_class
def test_record_is_complete_in_both_languages(cls):
    for text in (cls.title, cls.question, cls.edges, *(p.doc for p in cls.params.values())):
        assert isinstance(text, Text)
        assert text.zh
    assert cls.family in families()
    assert cls.question.endswith("?")
    assert cls.question.zh.endswith("？")
    assert cls.edges.zh.endswith("。")
    assert cls.name in cls.formula
    assert cls.__doc__
    assert cls.bounds[0] < cls.bounds[1]
    assert cls.needs <= {"probabilities"}
    assert cls.same


@each_class
def test_example_has_the_value_of_its_sum(cls):
    case = cls.example

    got = cls(**case.params).of(case.label, case.prediction, case.probability)

    assert close(got, eval(case.sum, {"log": math.log, "sqrt": math.sqrt}))


@each_class
def test_explanation_shows_the_rows_of_the_example(cls):
    found = explain(f"Multiclass{cls.name}")

    assert [row["label"] for row in found.rows] == list(cls.example.label)
    for language in ("en", "zh"):
        assert found.example in render(found, "markdown", language)


# names


@each
def test_text_of_a_measure_reads_back_as_the_measure(m):
    assert parse_class(str(m)) == m
    assert pickle.loads(pickle.dumps(m)) == m
    assert parse(m) is m


@each_class
def test_every_alias_leads_to_its_measure(cls):
    for alias in (cls.name, f"Multiclass{cls.name}", *cls.aliases):
        for spelling in (alias, alias.upper(), alias.replace("_", " "), alias.replace("_", "-")):
            assert isinstance(parse_class(spelling), cls), spelling


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        *(("f1_macro", "F1(average=macro)"), ("macro F1", "F1(average=macro)"), ("F1", "F1(average=macro)")),
        *(("F2(average=micro)", "F2(average=micro)"), ("fbeta_score(beta=0.5)", "F0.5(average=macro)")),
        *(("precision_weighted", "Precision(average=weighted)"), ("召回率", "Recall(average=macro)")),
        *(("Recall(class=fraud)", "Recall(label=fraud)"), ("top_5_accuracy", "TopKAccuracy@5")),
        *(("top_k_accuracy_score@3", "TopKAccuracy@3"), ("cohen_kappa_score", "Kappa"), ("UAR", "BalancedAccuracy")),
        *(("roc_auc_ovr_weighted", "AUC(average=weighted)"), ("categorical_cross_entropy", "LogLoss")),
    ],
)
def test_spellings_of_other_tools(spelling, canonical):
    assert str(parse_class(spelling)) == canonical


def test_a_measure_of_labels_and_scores_stands_for_its_name():
    assert parse_class(BinaryLogLoss) == parse_class("LogLoss")
    with pytest.raises(ParameterError, match="Recall: unknown parameter 'threshold'"):
        parse_class(BinaryRecall(threshold=0.5))


def test_a_measure_of_another_kind_is_named_as_one():
    with pytest.raises(UnknownName, match=r"measure of rankings, not of classes: use evaluate\(\)"):
        parse_class("nDCG@10")
    with pytest.raises(UnknownName, match="measure of labels and scores, not of classes: it needs two classes"):
        parse_class("GAUC")


def test_names_that_several_kinds_have_are_all_explained():
    assert [type(m).__module__.split(".")[2] for m in meanings("Accuracy")] == ["predictions", "pairs", "classes"]
    assert "MulticlassAccuracy" in explain("Accuracy").also
    assert explain("MulticlassF").measure == "F1(average=macro)"
    assert parse("Recall(average=macro)") == parse_class("Recall")


@pytest.mark.parametrize("text", ["Recall(label=a,b)", "TopKAccuracy@0", "F(beta=0)", "AUC(average=micro)"])
def test_parameters_outside_their_range_are_refused(text):
    with pytest.raises(ParameterError):
        parse_class(text)
