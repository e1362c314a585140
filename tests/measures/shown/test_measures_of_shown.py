"""The census of measures of what is shown: their definitions, their records, what leaving out a user does."""

from __future__ import annotations

import math
import pickle
import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial import distance as distances

import rankgauge as rg
from oracle.naive_shown import NAIVE, Lists
from rankgauge._text import Text, zh
from rankgauge.data import likeness
from rankgauge.data.catalogue import Catalogue
from rankgauge.errors import ParameterError, UnknownName
from rankgauge.measures.explanation import explain
from rankgauge.measures.grammar import meanings, parse, parse_ranking
from rankgauge.measures.shown import SHOWN, families, variety
from rankgauge.measures.shown.base import OfLists, OfQuantile, OfRun, few, lacking, shares
from rankgauge.reporting.verdicts import _MEANING

VARIANTS = [
    parse_ranking(text)
    for text in (
        *(f"{name}@2" for name, cls in SHOWN.measures.items() if "k" in cls.params),
        *SHOWN.measures,
        *(
            "ARP(count=users)@3",
            "APLT(head=0.5)@2",
            "HeadShare(head=0.3)",
            "ExposureGini(discount=geometric)@3",
            "CategoryKL(alpha=0.2)@3",
            "ExposureGap(against=train)@2",
            "ExposureGap(against=relevance)@2",
            "Serendipity(form=cooccurrence)@3",
            "LatencyQuantile(p=50)",
            "latency.p99",
        ),
    )
]
each = pytest.mark.parametrize("m", VARIANTS, ids=str)
each_class = pytest.mark.parametrize("cls", list(SHOWN.measures.values()), ids=lambda cls: cls.name)
of_runs = pytest.mark.parametrize("m", [m for m in VARIANTS if isinstance(m, OfRun)], ids=str)

ITEMS = "abcdef"
CATEGORY = dict(zip(ITEMS, ["1", "1|2", "2|3", "3", "1|2|3", "4"], strict=True))


@st.composite
def lists(draw, least: int = 1) -> Lists:
    """A few users with short lists; some items are outside the catalogue, some users have nothing."""
    n = draw(st.integers(least, 6))
    ids = st.lists(st.sampled_from("abcdefxy"), max_size=4, unique=True)
    shown = {f"u{i}": draw(ids) for i in range(n)}
    before = st.lists(st.sampled_from("abcdefz"), min_size=1, max_size=5)
    train = {f"u{i}": draw(before) for i in range(draw(st.integers(1, 5)))}
    relevant = {u: draw(st.lists(st.sampled_from("abcdx"), max_size=3, unique=True)) for u in shown}
    seconds = {u: draw(st.none() | st.floats(0, 5)) for u in shown}
    told = [u for u in shown if draw(st.booleans())]
    spent = {what: {u: draw(st.floats(0, 1e6)) for u in told} for what in ("cost", "tokens", "calls")}
    return Lists(shown, train, ITEMS, relevant, CATEGORY, seconds, spent)


def number(m, x: Lists) -> float:
    return m.of(x.shown, x.train, x.category, x.relevant, x.seconds, x.spent)


# numbers


def test_every_measure_has_its_naive_definition_and_is_tried():
    assert {m.name for m in VARIANTS} == set(SHOWN.measures) == set(NAIVE)


@pytest.mark.slow
@each
@given(x=lists())
@settings(max_examples=10, deadline=None)
def test_values_are_those_of_the_definition_and_inside_their_bounds(m, x):
    value, (low, high) = number(m, x), m.bounds

    assert value == pytest.approx(NAIVE[m.name](m, x), rel=1e-12, abs=1e-12, nan_ok=True)
    assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12


@each
@given(x=lists(), data=st.data())
@settings(max_examples=5, deadline=None)
def test_the_order_of_users_does_not_change_a_bit_of_runs_nor_the_names_of_items(m, x, data):
    order = data.draw(st.permutations(list(x.shown)))
    turned = Lists({u: x.shown[u] for u in order}, x.train, x.items, x.relevant, x.category, x.seconds, x.spent)
    if isinstance(m, OfRun):
        assert np.array_equal(number(m, turned), number(m, x), equal_nan=True)
    else:
        assert number(m, turned) == pytest.approx(number(m, x), nan_ok=True)


@pytest.mark.parametrize(
    ("cls", "case"),
    [
        (cls, case)
        for cls in SHOWN.measures.values()
        for case in (cls.example, *(v.example for v in cls.variants.values()))
    ],
    ids=lambda x: getattr(x, "name", None) or str(x.params),
)
def test_worked_examples_come_to_what_their_arithmetic_says(cls, case):
    value = cls(**case.params).of(case.lists, case.train, case.items, case.relevant, case.seconds, case.spent)

    assert value == pytest.approx(eval(case.sum, {"log2": math.log2, "sqrt": math.sqrt, "log": math.log}))


# what leaving out a user does


@of_runs
@given(x=lists(least=2))
@settings(max_examples=10, deadline=None)
def test_the_value_without_each_user_is_that_of_the_others(m, x):
    s = few(x.shown, Catalogue.of(x.train, x.category), x.relevant)
    s = s.of_queries(s.lengths > 0).within(m.cutoff)
    if s.n_lists < 2:
        return
    whole = m.of_run(s)
    left = [m.number(s.of_queries(np.arange(s.n_lists) != i)) for i in range(s.n_lists)]
    assert whole.without == pytest.approx(left, abs=1e-12, nan_ok=True)


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=8), st.floats(-5, 5))
def test_shares_have_the_value_as_their_mean_and_the_jackknife_error(without, value):
    found = shares(value, np.array(without))
    n = len(without)
    jackknife = math.sqrt((n - 1) / n * sum((x - np.mean(without)) ** 2 for x in without))

    assert found.mean() == pytest.approx(value, abs=1e-9)
    assert found.std(ddof=1) / math.sqrt(n) == pytest.approx(jackknife, abs=1e-9)


@of_runs
def test_a_user_to_whom_nothing_is_shown_changes_nothing(m):
    x = Lists({"u1": ["a", "b"], "u2": ["a"], "u3": ["c", "a"]}, {"u1": ["a"]}, ITEMS)
    more = {**x.shown, "u4": []}
    wanted = {"u1": ["b", "d"], "u3": ["c"], "u4": ["f"]}

    assert m.of(more, x.train, CATEGORY, wanted) == m.of(x.shown, x.train, CATEGORY, wanted)


# edges


@each
def test_no_list_at_all_is_undefined(m):
    seconds = {"u1": None, "u2": None} if "timings" in m.needs else None
    spent = {need: {} for need in m.needs & {"cost", "tokens", "calls"}}
    value = m.of({"u1": [], "u2": []}, {"u1": ["a"]}, dict.fromkeys(ITEMS, "x"), seconds=seconds, spent=spent)

    of_nothing = {"Coverage": 0, "UserCoverage": 0, "ShortLists": 1, "Failures": 1}
    assert value == pytest.approx(of_nothing.get(m.name, math.nan), nan_ok=True)


@of_runs
def test_one_user_has_a_value_and_no_interval(m):
    ev = rg.evaluate({"u1": ["a", "e"]}, {"u1": ["a", "b"]}, m, train={"u1": ["c"]}, items=CATEGORY)

    assert math.isnan(ev[m]) == (m.name == "Personalisation")
    assert math.isnan(ev.interval(m).low)


def test_one_user_in_train_leaves_surprisal_at_zero():
    assert parse("Surprisal").of({"u": ["a", "b"]}, {"u": ["a"]}) == 0


def test_items_of_equal_popularity_are_on_one_side_of_the_border():
    train = {"u1": ["a", "b", "c"], "u2": ["a", "d", "e"]}  # a has 2 of 6 pairs, the others 1 each

    assert parse("HeadShare(head=0.3)").of({"u1": list("abcde")}, train) == 1 / 5
    assert parse("HeadShare(head=0.4)").of({"u1": list("abcde")}, train) == 5 / 5


@pytest.mark.parametrize("distance", ["cosine", "euclidean", "hamming"])
@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix], ids=["dense", "sparse"])
def test_distances_of_vectors_are_those_of_scipy(distance, form):
    rng = np.random.default_rng(2)
    vectors = rng.integers(0, 3, (8, 5)).astype(float) + np.eye(8, 5)
    shown = {"u1": ["0", "3", "7", "x"], "u2": ["5"], "u3": ["2", "1"]}
    size = 5 if distance == "hamming" else 1  # scipy has the share of features, here it is their number
    expected = [distances.pdist(vectors[rows], distance).mean() * size for rows in ([0, 3, 7], [2, 1])]

    assert parse(f"ILD(distance={distance})@4").of(shown, items=form(vectors)) == pytest.approx(np.mean(expected))


def test_large_lists_are_taken_in_parts(monkeypatch):
    users = [f"u{i}" for i in range(9)]
    shown = {u: list(ITEMS[i % 4 : i % 4 + 3]) for i, u in enumerate(users)}
    x = Lists(shown, {u: ["a", "d"] for u in users}, ITEMS, {}, CATEGORY)
    whole = [number(parse(name), x) for name in ("ILD", "CategoryKL", "CategoryRecall")]
    monkeypatch.setattr(variety, "_AT_ONCE", 10)

    assert [number(parse(name), x) for name in ("ILD", "CategoryKL", "CategoryRecall")] == pytest.approx(whole)


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix], ids=["dense", "sparse"])
def test_serendipity_by_vectors_is_one_minus_the_mean_cosine_to_the_history(form, monkeypatch):
    rng = np.random.default_rng(3)
    vectors = rng.integers(-2, 4, (9, 4)).astype(float)
    vectors[4] = 0  # of which nothing is known
    train = {f"u{i}": [str(j) for j in rng.permutation(9)[: i + 1]] for i in range(5)}
    train["u0"] += ["gone"]  # not in the catalogue
    shown = {f"u{i}": [str(j) for j in rng.permutation(9)[:4]] for i in range(6)} | {"u1": ["7", "x", "4"]}
    relevant = {u: [i for i in ids if i != "3"] for u, ids in shown.items()} | {"u2": ["none of them"]}

    def alike(i: str, j: str) -> float:
        known = i.isdigit() and j.isdigit() and vectors[int(i)].any() and vectors[int(j)].any()
        return 1 - distances.cosine(vectors[int(i)], vectors[int(j)]) if known else 0.0

    def of(u: str) -> float:
        unlike = [1 - np.mean([alike(i, j) for j in train[u]]) for i in shown[u]]
        return np.mean([x if i in relevant[u] else 0.0 for i, x in zip(shown[u], unlike, strict=True)])

    m = parse("Serendipity(form=cosine)@4")
    assert m.bounds == (0.0, 2.0)
    expected = np.mean([of(u) for u in train])  # u5 had nothing
    assert m.of(shown, train, form(vectors), relevant) == pytest.approx(expected)
    monkeypatch.setattr(likeness, "_AT_ONCE", 3)
    assert m.of(shown, train, form(vectors), relevant) == pytest.approx(expected)


def test_serendipity_by_vectors_needs_vectors():
    with pytest.raises(ParameterError, match=r"form=cosine needs a vector for each item.*form=cooccurrence") as e:
        parse("Serendipity(form=cosine)@2").of({"u": ["a"]}, {"u": ["b"]}, {"a": "x"}, {"u": ["a"]})
    assert "每个物品的向量" in zh(e.value.args[0])


def test_what_is_relevant_and_not_shown_counts_for_groups_in_every_form_of_judgements(tmp_path):
    kinds = {"a": "big", "b": "big", "c": "small", "d": "small"}
    test = {"u1": {"a": 2, "c": 1, "b": 0}, "u2": {"d": 1, "b": 2}, "u3": {"a": 1}}
    recs = {"u1": ["a", "c"], "u2": ["b", "a"]}
    rows = [(u, i, g) for u, items in test.items() for i, g in items.items()]
    file = tmp_path / "test.qrels"
    file.write_text("".join(f"{u} 0 {i} {g}\n" for u, i, g in rows))
    names = ["REO@2", "REO(rel=2)@2", "ExposureGap(against=relevance)@1"]
    # big: a for u1 and b for u2, both shown; small: c for u1, which is, and d for u2, which is not
    spread = math.sqrt(((1 - 3 / 4) ** 2 + (1 / 2 - 3 / 4) ** 2) / 2) / (3 / 4)

    for judged in (test, pl.DataFrame(rows, schema=["user_id", "item_id", "grade"], orient="row"), file):
        ev = rg.evaluate(judged, recs, names, items=kinds)
        assert [ev[name] for name in names] == pytest.approx([spread, 0.0, 0.5])


def test_a_vector_of_zeros_has_no_direction():
    items = {"a": [1.0, 0.0], "b": [0.0, 0.0], "c": [0.0, 1.0]}

    assert parse("ILD").of({"u": ["a", "b", "c"]}, items=items) == 1
    assert math.isnan(parse("ILD").of({"u": ["a", "b"]}, items=items))


def test_distances_of_vectors_need_vectors():
    with pytest.raises(ParameterError, match=r"distance=cosine needs a vector for each item"):
        parse("ILD(distance=cosine)").of({"u": ["a", "b"]}, items={"a": "x", "b": "y"})
    with pytest.raises(ParameterError, match="without"):
        parse("ILD(by=a@b)@2")


def test_users_without_relevant_items_follow_the_policy():
    told = {"train": {"u1": ["a"]}, "items": list(ITEMS)}
    test, recs = {"u1": {"a": 1}, "u2": {"b": 0}}, {"u1": ["a", "b"], "u2": ["c"]}
    skipped, counted = (rg.evaluate(test, recs, "Serendipity@2", no_relevant=word, **told) for word in ("skip", "zero"))

    assert (skipped.n("Serendipity@2"), counted.n("Serendipity@2")) == (1, 2)
    assert counted["Serendipity@2"] == skipped["Serendipity@2"] / 2


def test_repeats_are_counted_as_lists_were_given():
    recs = {"u1": ["a", "b", "a"], "u2": ["a", "b"]}
    ev = rg.evaluate({"u1": ["a"], "u2": ["a"]}, recs, ["RepeatedItems", "ShortLists@3"])

    assert ev.mean() == {"RepeatedItems": 0.5, "ShortLists@3": 1.0}


# records


@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [
        ("ILD", "the items of a list are more unlike each other", "the items of a list are more alike"),
        ("CategoryKL", "nearer to what users had before", "further from what users had before"),
        ("CategoryRecall", "more of the categories", "fewer of the categories"),
        ("Personalisation", "lists of different users are less alike", "lists of different users are more alike"),
        ("ExposureGap", "groups of items are treated more equally", "groups of items are treated less equally"),
        ("RSP", "groups of items are treated more equally", "groups of items are treated less equally"),
        ("ShortLists", "fewer lists are too short", "more lists are too short"),
        ("RepeatedItems", "fewer lists show an item twice", "more lists show an item twice"),
        ("UnknownItems", "fewer of the shown items are missing", "more of the shown items are missing"),
        ("SeenItems", "more of what is shown is new to its user", "less of what is shown is new to its user"),
        ("MIUF", "what is shown is rarer", "what is shown is less rare"),
        ("Serendipity", "stands higher than popularity", "less that is relevant"),
        ("Coverage", "more of the catalogue is shown", "less of the catalogue is shown"),
    ],
)
def test_better_means_what_the_measure_looks_at(name: str, better: str, worse: str):
    (cls,) = [c for c in SHOWN.measures.values() if c.__name__ == name]
    said = _MEANING[cls.side]

    assert better in said[0]
    assert worse in said[1]


def test_a_mix_that_users_had_is_not_called_varied():
    kinds = {f"{kind}{i}": kind for kind in "ab" for i in range(9)}
    users = [f"u{n}" for n in range(12)]
    train = {u: ["a0", "a1", "a2"] for u in users}
    far, near = ({u: [f"{kind}{3 + (n + j) % 5}" for j in range(4)] for n, u in enumerate(users)} for kind in "ba")
    found = rg.compare(
        {u: [far[u][0], near[u][0]] for u in users},
        {"far": far, "near": near},
        "CategoryKL@4",
        train=train,
        items=pl.DataFrame({"item_id": list(kinds), "category": list(kinds.values())}),
    )
    (said,) = rg.sentences(found, "en")[:1]
    assert said.endswith("the mix of categories is nearer to what users had before.")


@each_class
def test_records_are_complete_and_in_both_languages(cls):
    assert issubclass(cls, OfLists) != issubclass(cls, OfRun)
    assert cls.example is not None
    assert cls.side in _MEANING
    for text in (cls.title, cls.question, cls.formula, cls.family, cls.edges):
        assert isinstance(text, Text)
        assert re.search("[\u4e00-\u9fff]", text.zh)


@each_class
def test_each_is_explained_in_both_languages(cls):
    e = explain(cls.name + ("@5" if "k" in cls.params else ""))

    assert parse(e.measure) == cls(k=5) if "k" in cls.params else cls()
    for language in ("en", "zh"):
        assert e.sum.replace("*", "") in e.to_markdown(language=language).replace("\\", "").replace("*", "")
    assert (e.summary == "run") == issubclass(cls, (OfRun, OfQuantile))
    assert not e.scenes


@each
def test_measures_are_values(m):
    assert parse_ranking(str(m)) == m
    assert pickle.loads(pickle.dumps(m)) == m
    assert hash(parse_ranking(str(m))) == hash(m)


def test_families_hold_every_measure_once():
    assert sorted(cls.name for members in families().values() for cls in members) == sorted(SHOWN.measures)


# names


def test_measures_of_labels_and_scores_keep_their_names():
    assert parse("Gini") != parse_ranking("Gini")
    assert parse_ranking("Gini") == parse("Gini@5").replace(k=None) == parse("ItemGini")
    assert [str(m) for m in meanings("Gini")] == ["Gini", "ItemGini"]


@pytest.mark.parametrize(
    ("text", "means"),
    {
        "catalog_coverage@10": "Coverage@10",
        "覆盖率@5": "Coverage@5",
        "coverage_10": "Coverage@10",
        "novelty@10": "MIUF@10",
        "personalization@3": "Personalisation@3",
        "tail_percentage@3": "APLT@3",
        "ARP_users@4": "ARP(count=users)@4",
    }.items(),
)
def test_names_that_other_tools_have(text, means):
    assert str(parse(text)) == str(parse_ranking(text)) == means


def test_a_misspelt_name_is_suggested():
    with pytest.raises(UnknownName, match="Did you mean Coverage@10"):
        parse_ranking("Covrage@10")


# what is missing


def test_what_measures_need_is_said_for_all_of_them_at_once():
    said = lacking([parse("Coverage@5"), parse("MIUF@5"), parse("ARP@5"), parse("Entropy@5")], Catalogue.of())

    assert said.startswith("Coverage@5 needs the catalogue: pass items=")
    assert "MIUF@5, ARP@5 need what users had before: pass train=" in said
    assert "Entropy" not in said
    assert "MIUF@5、ARP@5 需要用户此前的交互" in said.zh


def test_ranks_of_judged_items_do_not_tell_what_is_shown():
    ev = rg.evaluate({"u1": ["a"]}, {"u1": ["a"]}, "nDCG@10")

    with pytest.raises(ParameterError, match=r"Entropy@\d+ is about the items that are shown"):
        rg.by_cutoff(ev, "Entropy")


@pytest.mark.parametrize(("head", "in_head"), [(0.0699999, 1), (0.07, 1), (0.0700001, 94)])
def test_the_share_of_the_head_is_taken_as_written(head, in_head):
    # an item that 7 users had and 93 that one had: of 100 pairs the first has 0.07; in floats 0.07 * 100 > 7
    train = {f"u{i}": ["top"] for i in range(7)} | {f"v{i}": [f"i{i}"] for i in range(93)}
    lists = {"u": ["top", *(f"i{i}" for i in range(93))]}

    assert parse_ranking(f"HeadShare(head={head})").of(lists, train=train) == in_head / 94


def test_chances_of_groups_do_not_depend_on_the_order_of_users():
    train, kinds = {"u0": ["a"], "u1": ["a"], "u2": ["a", "e"]}, {"a": "1", "b": "1|2", "c": "2|3", "d": "3"}
    kinds |= {"e": "1|2|3", "f": "4"}
    lists = {"u0": ["d"], "u1": [], "u2": ["a"], "u3": ["a", "b"]}
    turned = {u: lists[u] for u in ("u1", "u2", "u3", "u0")}
    rsp = parse_ranking("RSP")

    assert rsp.of(lists, train=train, items=kinds) == rsp.of(turned, train=train, items=kinds)


def test_a_count_of_tail_items_is_not_divided():
    train = {"u1": ["a", "b"], "u2": ["a"], "u3": ["a"], "u4": ["a"]}

    assert rg.evaluate({"u": ["b"]}, {"u": ["b"]}, "ACLT@10", train=train)["ACLT@10"] == 1.0
    assert "divided" not in str(rg.explain("ACLT"))
    assert "divided by its length" in str(rg.explain("APLT"))
