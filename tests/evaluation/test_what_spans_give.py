"""Spans under the verbs: ranking measures read them, and so do comparisons, policies, records and pages."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.errors import InputError, ParameterError
from rankgauge.measures import REGISTRY

OF_SPANS = [name for name, cls in REGISTRY.items() if cls.of_spans]
OTHERS = [name for name, cls in REGISTRY.items() if not cls.of_spans]
VARIANTS = [
    *(f"{name}@2" for name in OF_SPANS if "k" in REGISTRY[name].params),
    *OF_SPANS,
    *("P(divisor=retrieved)@3", "F(beta=2)@3", "AP(norm=hits)", "nDCG(gain=exponential)@3", "RBP(graded=max)"),
    *("nDCG(ideal=returned)@3", "nDCG(ideal=uncut)@2", "R(rel=2)@2", "RR(rel=2)", "SetF(beta=2)", "ERR@3"),
]
GOLD = {"q1": [("d1", 0, 100), ("d1", 150, 200)], "q2": [("d2", 5, 90)], "q3": [("d3", 0, 10)]}
SMALL = {"q1": [("d1", 0, 50), ("d1", 40, 120), ("d1", 100, 220)], "q2": [("d9", 0, 50), ("d2", 0, 100)]}
LARGE = {q: [(g[0][0], 0, 250)] for q, g in GOLD.items()}


# the same numbers where spans are whole documents


@given(
    st.lists(st.lists(st.sampled_from([None, 1.0, 2.0, 3.0]), min_size=1, max_size=5), min_size=1, max_size=3),
    st.lists(st.sampled_from([1.0, 2.0]), max_size=2),
)
@settings(max_examples=15, deadline=None)
def test_whole_documents_as_spans_have_the_numbers_of_judged_documents(lists, missed):
    qrels, run, gold, pieces = {}, {}, {}, {}
    for i, grades in enumerate(lists):
        q = f"q{i}"
        shown = {f"d{j}": g for j, g in enumerate(grades)}
        qrels[q] = {d: g for d, g in shown.items() if g} | {f"m{j}": g for j, g in enumerate(missed)}
        run[q] = list(shown)
        gold[q] = [(d, 0, 10, g) for d, g in qrels[q].items()]
        pieces[q] = [(d, 0, 10) for d in run[q]]
    if not all(qrels.values()):
        return
    wanted = [m for m in VARIANTS if m != "NumQ"]
    spans = rg.evaluate(rg.Spans(gold), pieces, wanted)
    plain = rg.evaluate(qrels, run, wanted, ties="input", duplicates="keep")

    for m in wanted:
        assert spans.per_query[m].to_list() == pytest.approx(plain.per_query[m].to_list(), nan_ok=True), m
        assert spans[m] == pytest.approx(plain[m], nan_ok=True), m


def test_the_measures_that_spans_have_are_these():
    told = "P R F Hits Rprec Hit RR AP GMAP SetP SetR SetF SetAP NumQ NumRet NumRel NumRelRet CG DCG nDCG ERR RBP"

    assert set(OF_SPANS) == set(told.split())


@pytest.mark.parametrize(
    "name", [*OTHERS, "nDCG(ideal=retrieved)", "R(norm=min)@3", "AP(norm=min)@3", "P(judged_only=true)@2"]
)
def test_other_measures_are_refused_with_the_reason(name):
    with pytest.raises(ParameterError, match=r"cannot be computed with spans: .+\. Try nDCG, R, RR, AP or SpanRecall"):
        rg.evaluate(rg.Spans(GOLD), SMALL, name)


# by hand


def test_a_need_is_found_where_it_is_whole_and_a_place_gains_what_it_adds():
    ev = rg.evaluate(rg.Spans(GOLD), SMALL, ["R@2", "R@3", "RR", "P@3", "nDCG@3", "CG@2"])
    first = ev.per_query.row(0, named=True)

    assert first["R@2"] == 1 / 2  # the first need is whole with the second piece
    assert first["R@3"] == 1
    assert first["RR"] == 1 / 2
    assert first["P@3"] == 2 / 3
    assert first["CG@2"] == 0.5 + 0.5
    assert first["nDCG@3"] == pytest.approx((0.5 + 0.5 / math.log2(3) + 1 / 2) / 2)


def test_a_piece_that_meets_two_needs_is_one_relevant_result_and_finds_both():
    ev = rg.evaluate(
        rg.Spans({"q": GOLD["q1"]}), {"q": [("d1", 0, 300), ("d1", 0, 300)]}, ["R@1", "P@2", "AP", "F@2", "Hits@2"]
    )

    assert (ev["R@1"], ev["P@2"], ev["AP"], ev["Hits@2"]) == (1, 1 / 2, 1, 1)
    assert ev["F@2"] == pytest.approx(2 * (1 / 2) * 1 / (1 / 2 + 1))


def test_part_of_a_need_is_enough_where_the_spans_say_so():
    half = {"q": [("d", 0, 80)]}

    assert rg.evaluate(rg.Spans({"q": [("d", 0, 100)]}), half, "R")["R"] == 0
    assert rg.evaluate(rg.Spans({"q": [("d", 0, 100)]}, reach=0.8), half, "R")["R"] == 1


# comparisons across chunkings


def test_chunkings_are_compared_by_the_same_truth():
    gold = rg.Spans({f"q{i}": [(f"d{i}", 100, 160)] for i in range(12)})
    small = {q: [(f"d{q[1:]}", s, s + 50) for s in (0, 50, 100, 150)] for q in gold.needs}
    large = {q: [(f"d{q[1:]}", 0, 200)] for q in gold.needs}
    c = rg.compare(gold, {"small": small, "large": large}, ["R@2", "SpanRecall@2", "SpanPrecision@2"])

    assert c.verdict("R@2", "large") == "better"
    assert [c[m].difference for m in ("R@2", "SpanRecall@2")] == [1, 1]
    assert c.winner("R@2") is None  # nothing is unjudged
    evs = rg.evaluate(gold, {"small": small, "large": large}, "nDCG@5")
    assert rg.compare(evs).verdict("nDCG@5", "large") == "better"


def test_other_gold_is_not_comparable():
    a = rg.evaluate(rg.Spans(GOLD), SMALL, "R")
    b = rg.evaluate(rg.Spans(GOLD, reach=0.5), SMALL, "R")
    with pytest.raises(InputError, match="the judgements of 'a' and 'b' differ"):
        rg.compare({"a": a, "b": b})


# policies


@pytest.mark.parametrize(
    "words", [{"ties": "best"}, {"ties": "doc_id"}, {"unjudged": "remove"}, {"duplicates": "first"}]
)
def test_policies_that_spans_do_not_have_are_refused_with_the_reason(words):
    (word,) = words
    with pytest.raises(ParameterError, match=f"{word}='.*' cannot be had with spans: "):
        rg.evaluate(rg.Spans(GOLD), SMALL, "R", **words)
    with pytest.raises(ParameterError, match="cannot be had with spans"):
        rg.evaluate(rg.Spans(GOLD), SMALL, "R", policy=rg.Policy(**words))


@pytest.mark.parametrize(
    "extra", [{"engine": "streaming"}, {"strict": True}, {"columns": {"a": "score"}}, {"train": {"u": ["a"]}}]
)
def test_keywords_that_say_nothing_of_spans_are_refused(extra):
    with pytest.raises(ParameterError, match="cannot be had with spans"):
        rg.evaluate(rg.Spans(GOLD), SMALL, "R", **extra)


def test_conventions_of_other_tools_know_no_spans():
    with pytest.raises(ParameterError, match="says how another tool reads judged documents"):
        rg.evaluate(rg.Spans(GOLD), SMALL, "R", convention="trec_eval")
    with pytest.raises(ParameterError, match="needs retrieved pieces beside spans"):
        rg.evaluate(rg.Spans(GOLD))


def test_the_same_policy_can_be_given_again():
    ev = rg.evaluate(rg.Spans(GOLD), SMALL, "R")

    assert str(ev.policy).startswith("ties=input missing=zero")
    assert rg.evaluate(rg.Spans(GOLD), SMALL, "R", policy=ev.policy)["R"] == ev["R"]


def test_words_about_queries_hold_for_spans_too():
    gold = rg.Spans({**GOLD, "q4": []})
    measures = ["R", "SpanRecall", "nDCG@3"]
    counts = {
        word: [c.n for c in rg.evaluate(gold, SMALL, measures, **word_of(word)).columns]
        for word in ("zero", "skip", "none")
    }

    assert counts == {"zero": [3] * 3, "skip": [2] * 3, "none": [4] * 3}


def word_of(word: str):
    return {"no_relevant": "zero"} if word == "none" else {"missing": word}


def test_lists_are_cut_at_a_depth_for_all_measures():
    cut = rg.evaluate(rg.Spans(GOLD), SMALL, ["R", "nDCG", "SpanRecall", "SpanPfull", "Duplication"], depth=2)
    short = {q: pieces[:2] for q, pieces in SMALL.items()}
    plain = rg.evaluate(rg.Spans(GOLD), short, ["R", "nDCG", "SpanRecall", "SpanPfull", "Duplication"])

    assert cut.mean() == plain.mean()


def test_ratios_are_pooled_and_weights_weigh():
    gold = rg.Spans({"q": [("d", 0, 10), ("d", 20, 30)], "p": [("e", 0, 40)]})
    pieces = {"q": [("d", 0, 10)], "p": [("e", 0, 80)]}
    micro = rg.evaluate(gold, pieces, ["R", "SpanPrecision", "SpanF"], average="micro")

    assert micro["R"] == 2 / 3
    assert micro["SpanPrecision"] == (10 + 40) / (10 + 80)
    weighted = rg.evaluate(gold, pieces, "SpanRecall", weights={"q": 3, "p": 1})
    assert weighted["SpanRecall"] == (3 * 0.5 + 1) / 4


# what is made of them


def test_what_no_list_of_pieces_goes_beyond_is_known():
    gold = rg.Spans({"one": [("d", 0, 10)], "three": [("d", 20, 30), ("d", 40, 50), ("e", 0, 9)]})
    best = {"one": [("d", 0, 10)], "three": [("d", 20, 30), ("d", 40, 50), ("e", 0, 9)]}
    at_best = rg.evaluate(gold, best, ["P@2", "R@2"])
    found = {row.measure: row.ceiling for row in rg.rate(at_best)}

    assert found == {"P@2": (1 / 2 + 2 / 2) / 2, "R@2": 1.0}
    assert at_best["P@2"] == found["P@2"]  # a list reaches it
    at_once = rg.evaluate(gold, {"one": [("d", 0, 60)], "three": [("d", 0, 60), ("e", 0, 60)]}, ["R@2", "P@2"])
    assert at_once["R@2"] == found["R@2"]  # whole documents meet three needs in two results
    assert at_once["P@2"] <= found["P@2"]


def test_an_evaluation_of_spans_is_stored_sliced_and_put_on_a_page(tmp_path):
    slices = {"q1": {"kind": "a"}, "q2": {"kind": "b"}, "q3": {"kind": "a"}}
    ev = rg.evaluate(rg.Spans(GOLD), SMALL, ["R@3", "nDCG@3", "SpanRecall@3", "SpanIoU"], slices=slices)
    ev.to_json(tmp_path / "ev.json")
    back = rg.load(tmp_path / "ev.json")

    assert back.mean() == ev.mean()
    assert back.fingerprint == ev.fingerprint
    assert ev.slices.height > 0
    assert all(math.isnan(p.ceiling) for p in ev.by_cutoff().points)
    assert [p.value for p in ev.by_cutoff("SpanRecall", [1, 3])["SpanRecall"]] == [
        pytest.approx(rg.evaluate(rg.Spans(GOLD), SMALL, f"SpanRecall@{k}")[f"SpanRecall@{k}"]) for k in (1, 3)
    ]
    for page in (
        rg.report(ev),
        rg.report(
            rg.compare(
                {"a": back, "b": rg.evaluate(rg.Spans(GOLD), LARGE, ["R@3", "nDCG@3", "SpanRecall@3", "SpanIoU"])}
            )
        ),
    ):
        assert "SpanRecall@3" in page
        assert "unjudged results" not in page
        assert "perfect ranking of the judged items" not in page  # none is drawn


def test_nothing_of_spans_is_called_unjudged():
    ev = rg.evaluate(rg.Spans(GOLD), SMALL, "R@3")

    assert ev.counts["judgements"] == ev.counts["relevant"] == 4
    assert ev.counts["judged@3"] is None
    with pytest.raises(InputError, match="leave no result unjudged"):
        rg.judgement_health(ev)


def test_parts_of_an_alignment_of_spans_keep_their_numbers():
    gold = {"q1": GOLD["q1"], "q2": GOLD["q1"], "q3": GOLD["q2"]}
    ev = rg.evaluate(rg.Spans(gold), {q: [(p[0][0], 0, 300)] for q, p in gold.items()}, "R")
    a = ev.aligned.alignment
    some = a.of_queries(np.array([2, 0]))

    assert some.n_relevant().tolist() == [1, 2]
    assert some.found(1, 1).tolist() == [1, 2]
    assert rg.parse("nDCG").values(some).tolist() == [1, 1]
    for text in ("SpanRecall", "SpanPrecision", "SpanIoU", "NeedRecall", "SpanPfull", "Duplication"):
        m = rg.parse(text)
        assert m.values(some).tolist() == m.values(a)[[2, 0]].tolist()
    assert a.guarded().n_judged == a.n_judged == 5


def test_chunks_that_must_all_be_known_are_asked_for():
    with pytest.raises(ParameterError, match="SpanOmega needs all chunks, retrieved or not"):
        rg.evaluate(rg.Spans(GOLD), SMALL, "SpanOmega")
    table = {"c1": ("d1", 0, 125), "c2": ("d1", 125, 250), "c3": ("d2", 0, 100)}
    ev = rg.evaluate(rg.Spans(GOLD), rg.Chunks({"q1": ["c1"]}, chunks=table), "SpanOmega")
    assert ev.per_query["SpanOmega"].to_list() == [150 / 250, 85 / 100, 0]


def test_a_part_of_what_is_needed_is_not_nothing():
    gold = rg.Spans({f"q{i}": [("d", 0, 100)] for i in range(12)})
    others = [("e", 10 * j, 10 * j + 5) for j in range(12)]
    parts = {q: [("d", 0, 20), ("d", 20, 30 + i), *others] for i, q in enumerate(gold.query_ids)}
    elsewhere = {q: [("e", 0, 200)] for q in gold.query_ids}

    found, nowhere = (rg.evaluate(gold, lists, ["R@5", "SpanRecall@5"]) for lists in (parts, elsewhere))

    assert found["R@5"] == 0.0
    assert [s.code for s in found.suspicions] == []
    assert [s.code for s in nowhere.suspicions] == ["judged-ids-never-retrieved"]
    assert "recall-low-everywhere" in rg.diagnose(found).codes  # 30 to 41 of 100 characters
    more = {q: [("d", 0, 60), *pieces] for q, pieces in parts.items()}
    assert "recall-low-everywhere" not in rg.diagnose(rg.evaluate(gold, more, ["R@5"])).codes


def test_needs_that_no_list_so_short_can_hold_are_said():
    gold = rg.Spans({"q1": [("d", 0, 100)], "q2": [("d", 0, 40), ("e", 0, 30)]})
    pieces = {"q1": [("d", 0, 30), ("d", 30, 60), ("d", 60, 100)], "q2": [("d", 0, 40)]}

    (said,) = [n for n in rg.evaluate(gold, pieces, ["R@2"]).notes if "longer than" in n]

    assert said.startswith("1 of 3 needs are longer than the first 2 pieces together, so that R@2 cannot find them")
    assert not [n for n in rg.evaluate(gold, pieces, ["R@3", "SpanRecall@1"]).notes if "longer than" in n]
    gold = rg.Spans(gold.to_frame(), reach=0.5)
    assert not [n for n in rg.evaluate(gold, pieces, ["R@2"]).notes if "longer than" in n]


def test_pieces_of_one_need_in_their_order_are_not_stored_worst_first():
    gold = rg.Spans({f"q{i}": [(f"d{i}", 0, 100)] for i in range(30)})
    parts = {q: [(f"d{q[1:]}", a, a + 20) for a in range(0, 100, 20)] for q in gold.needs}
    others = [("x", a, a + 20) for a in range(0, 300, 20)]

    def codes(lists):
        return [s.code for s in rg.evaluate(gold, lists, ["SpanRecall@5", "RR"]).suspicions]

    assert "worst-first" not in codes(parts)
    assert "worst-first" not in codes({q: [*mine, *others] for q, mine in parts.items()})
    assert "worst-first" in codes({q: [*others, *mine] for q, mine in parts.items()})


def test_needs_of_low_grades_are_not_relevant_and_it_is_said():
    gold = rg.Spans({"q": [("d", 0, 5, 0.5)], "r": [("d", 0, 5)]})
    ev = rg.evaluate(gold, {q: [("d", 0, 5)] for q in "qr"}, ["R@1", "NeedRecall@1"])

    assert (ev.n("R@1"), ev.n("NeedRecall@1")) == (1, 2)
    assert any("1 of 2 needs has a grade below 1 and is not relevant to R@1" in note for note in ev.remarks)
    assert not rg.evaluate(gold, {"q": [("d", 0, 5)]}, "NeedRecall@1").remarks
