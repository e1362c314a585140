"""Measures that end at a budget of context: the list ends before the first result that no longer fits."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from chinese_errors import Files, says_in_both
from command_line import rankgauge
from oracle.naive_budgets import fitting, words
from rankgauge.alignment.costs import Costs
from rankgauge.data.budgets import Budget, counter_of, words_in
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.rankings.ceiling import ceilings
from rankgauge.measures import REGISTRY
from rankgauge.measures.spans import SPANS

DOCS = {"a": "one two three", "b": "four", "c": "五六七", "x": "many words " * 20, "e": ""}
QRELS = {"q1": {"a": 1, "b": 2, "c": 1}, "q2": {"b": 1}, "q3": {"a": 1}}
RUN = {"q1": ["b", "x", "a", "c"], "q2": ["x", "b"], "q3": ["e", "a", "b"]}
JUDGED = ["RR(judged_only=true, budget=7c)", "RR(judged_only=true, budget=6c)"]
SLICES = {"q1": {"x": 1}, "q2": {"x": 2}, "q3": {"x": 1}}
MEASURES = ["R", "P", "Hit", "RR", "nDCG", "AP", "F", "Hits", "nDCG@2", "P@2", "R(rel=2)", "Rprec", "ERR", "RBP"]


def budgeted(name: str, budget: str) -> str:
    return str(rg.parse(name).replace(budget=budget))


# what a budget is


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("R(budget=2000t)", "R(budget=2000t)"),
        ("nDCG(budget=4000 characters)@10", "nDCG(budget=4000c)@10"),
        ("recall(budget='500 tokens', rel=2)", "R(rel=2, budget=500t)"),
        ("Hit(budget=300字符)", "Hit(budget=300c)"),
        ("SpanRecall@5(budget=2000Ｔ)", "SpanRecall(budget=2000t)@5"),
        ("P(budget=none)@5", "P@5"),
    ],
)
def test_a_budget_is_written_and_read_back(text, said):
    m = rg.parse(text)

    assert str(m) == said
    assert rg.parse(said) == m
    assert hash(rg.parse(said)) == hash(m)


@pytest.mark.parametrize("odd", ["2000", "0t", "-5c", "2.5t", "t", "2000x", "99999999999t", "二t"])
def test_what_is_no_budget_is_refused(odd):
    with pytest.raises(ParameterError, match="`budget` must be a number of tokens such as 2000t, or of characters"):
        rg.parse(f"R(budget={odd})")


def test_what_is_shown_has_no_budget():
    with pytest.raises(ParameterError, match="unknown parameter 'budget'"):
        rg.parse("Coverage(budget=20t)@5")


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("", 0),
        ("  \n\t", 0),
        ("three short words", 3),
        ("don't", 3),
        ("检索增强生成", 6),
        ("RAG检索 v2.0", 6),
        ("カタカナとひらがな", 9),
        ("한국어 문장", 5),
        ("हिन्दी भाषा", 2),
        ("e\u0301te\u0301", 1),
        ("👍👍", 2),
    ],
)
def test_words_stand_in_for_tokens(text, n):
    assert words_in(text) == words(text) == n


@given(st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_words_are_counted_as_character_by_character(text):
    assert words_in(text) == words(text)


class _Encoding:
    name = "made up"

    def encode(self, text, add_special_tokens=True):
        return ["<s>"] * add_special_tokens + text.split()


class _Ordinary:
    def encode(self, text):
        raise ValueError("special")

    def encode_ordinary(self, text):
        return [ord(c) for c in text]


class _Ids:
    def encode(self, text):
        return type("Found", (), {"ids": list(range(len(text.split())))})()


@pytest.mark.parametrize(
    ("tokenizer", "n"),
    [
        (None, 3),
        (len, 8),
        (str.split, 2),
        (lambda text: iter(text.split()), 2),
        (lambda text: {"input_ids": [101, 7, 102]}, 3),
        (lambda text: np.array([4, 5, 6, 7]), 4),
        (_Encoding(), 2),
        (_Ordinary(), 8),
        (_Ids(), 2),
    ],
)
def test_a_tokenizer_is_a_function_or_has_one(tokenizer, n):
    assert counter_of(tokenizer)("ab, cdef") == n


@pytest.mark.parametrize(
    "odd",
    [lambda text: "two", lambda text: -1, lambda text: 1.5, lambda text: np.zeros(8), lambda text: None, 7, "gpt"],
)
def test_what_counts_no_tokens_is_refused(odd):
    with pytest.raises(ParameterError, match="`tokenizer` must"):
        rg.evaluate(QRELS, RUN, "R(budget=20t)", documents=DOCS, tokenizer=odd)


# values


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_budget_gives_the_numbers_of_the_list_that_is_cut_there(data):
    """Of random lists and lengths, in every form of a run, with repeats kept or taken out."""
    docs = {f"d{i}": "x " * data.draw(st.integers(0, 6)) for i in range(6)}
    ids = st.lists(st.sampled_from(sorted(docs)), max_size=6)
    keep = data.draw(st.booleans())
    lists = {f"q{i}": data.draw(ids if keep else ids.map(lambda x: list(dict.fromkeys(x)))) for i in range(3)}
    qrels = {q: {"d0": 1, "d1": 2, "d2": 1, "d5": 0} for q in lists}
    budget = Budget(data.draw(st.integers(1, 15)), data.draw(st.sampled_from("tc")))
    cost = {d: len(text) if budget.unit == "c" else words(text) for d, text in docs.items()}
    cut = {q: each[: fitting([cost[d] for d in each], budget.limit)] for q, each in lists.items()}
    words_of = {"ties": "input", "duplicates": "keep" if keep else "first"}
    form = data.draw(st.sampled_from(["lists", "frame"]))
    given_, wanted = lists, [budgeted(m, str(budget)) for m in MEASURES]
    if form == "frame":
        rows = [(q, d, -i) for q, each in lists.items() for i, d in enumerate(each)]
        if not rows:
            return
        given_ = {"query_id": [r[0] for r in rows], "doc_id": [r[1] for r in rows], "score": [r[2] for r in rows]}
        import polars as pl

        given_ = pl.DataFrame(given_)
    found = rg.evaluate(qrels, given_, wanted, documents=docs, **words_of)
    plain = rg.evaluate(qrels, cut, MEASURES, **words_of)

    for name, m in zip(wanted, MEASURES, strict=True):
        assert found.per_query[name].to_list() == plain.per_query[m].to_list(), m


def test_ties_are_cut_in_the_order_of_the_policy():
    run, docs = {"q": {"a": 1.0, "x": 1.0, "b": 1.0}}, {"x": "long", "b": "1234", "a": "12345"}

    def first(doc, **policy):
        return rg.evaluate({"q": {doc: 1}}, run, "R(budget=5c)", documents=docs, **policy)["R(budget=5c)"]

    assert [first(d) for d in "abx"] == [0, 0, 1]  # by descending id x comes first
    assert [first(d, ties="input") for d in "abx"] == [1, 0, 0]


def test_a_first_result_longer_than_the_budget_leaves_nothing_to_read():
    ev = rg.evaluate(QRELS, RUN, ["R(budget=4c)", "P(budget=4c)", "NumRet(budget=4c)"], documents=DOCS)
    row = ev.per_query.filter(ev.per_query["query_id"] == "q2").row(0, named=True)  # x comes first, b would fit

    assert (row["R(budget=4c)"], row["P(budget=4c)"], row["NumRet(budget=4c)"]) == (0, 0, 0)
    assert ev.n("R(budget=4c)") == 3  # an empty context is a context


def test_the_ideal_list_is_not_cut_by_the_budget():
    """Two relevant items, one of which fits: half of what can be reached, however short the list is."""
    ev = rg.evaluate({"q": {"b": 1, "a": 1}}, {"q": ["b", "a"]}, ["nDCG(budget=4c)", "CG(budget=4c)"], documents=DOCS)

    assert ev["CG(budget=4c)"] == 1
    assert ev["nDCG(budget=4c)"] == pytest.approx(1 / (1 + 1 / np.log2(3)))


def test_judged_only_leaves_results_out_of_what_was_paid():
    ev = rg.evaluate(
        {"q": {"b": 1}},
        {"q": ["c", "b"]},
        ["RR(judged_only=true, budget=7c)", "RR(judged_only=true, budget=6c)"],
        documents=DOCS,
    )

    assert [ev[m] for m in ev.labels] == [1, 0]


def test_depth_and_cutoff_hold_beside_a_budget():
    wanted = ["R(budget=9999c)@1", "R(budget=9999c)"]
    ev = rg.evaluate(QRELS, RUN, wanted, documents=DOCS)
    cut = rg.evaluate(QRELS, RUN, wanted, documents=DOCS, depth=1)

    assert ev[wanted[0]] == cut[wanted[1]] == rg.evaluate(QRELS, RUN, "R@1")["R@1"]


def test_averages_slices_and_intervals_are_those_of_any_measure():
    wanted = ["P(budget=20c)"]
    ev = rg.evaluate(
        QRELS, RUN, wanted, documents=DOCS, average="micro", slices={"q1": {"x": 1}, "q2": {"x": 2}, "q3": {"x": 1}}
    )

    # q1 reads b (4); x is too long. q2 nothing. q3 e, a, b (0 + 13 + 4)
    assert ev[wanted[0]] == (1 + 0 + 1) / (1 + 0 + 3)
    assert set(ev.slices["n"].to_list()) == {1, 2}


# where it is not known, or has no meaning


def test_without_texts_an_error_names_the_option(tmp_path):
    says_in_both(
        lambda at: rg.evaluate(QRELS, RUN, ["R@5", "R(budget=20t)"]),
        Files(tmp_path),
        "R(budget=20t) needs the texts of results, to know how long they are. Pass documents=… (texts by id).",
        "R(budget=20t) 需要结果的文本才能知道长度。请传入 documents=…（按 id 给出文本）。",
    )
    with pytest.raises(InputError, match=r"must hold the text of every result, and 1 of 5 are not there \('x'\)"):
        rg.evaluate(QRELS, RUN, "R(budget=20t)", documents={k: v for k, v in DOCS.items() if k != "x"})


@pytest.mark.parametrize("policy", [{"ties": "expected"}, {"ties": "best"}, {"unjudged": "remove"}])
def test_a_policy_without_one_order_is_refused(policy):
    with pytest.raises(ParameterError, match=r"R\(budget=20t\) ends where a budget does, and "):
        rg.evaluate(QRELS, RUN, "R(budget=20t)", documents=DOCS, **policy)


def test_engines_that_do_not_have_whole_lists_refuse(tmp_path):
    import polars as pl

    rows = [(q, d, -float(i)) for q, each in RUN.items() for i, d in enumerate(each)]
    pl.DataFrame(rows, schema=["query_id", "doc_id", "score"], orient="row").write_parquet(tmp_path / "run.parquet")
    with pytest.raises(ParameterError, match="looks at the texts of whole lists, which are read in pieces here"):
        rg.evaluate(QRELS, tmp_path / "run.parquet", "R(budget=20t)", documents=DOCS, engine="streaming")
    with pytest.raises(ParameterError, match="keeps no lists: a budget cannot be told"):
        rg.Accumulator("R(budget=20t)")


def test_what_others_could_reach_is_not_known():
    ev = rg.evaluate(QRELS, RUN, ["R(budget=20t)", "R@5"], documents=DOCS)

    assert np.isnan(ceilings(ev, ev.columns)).tolist() == [True, False]
    assert ev.columns[0].measure.unbounded() is not None


def test_what_tokens_are_is_said_beside_the_numbers():
    assert any(
        "a token is a word or a sign" in note for note in rg.evaluate(QRELS, RUN, "R(budget=9t)", documents=DOCS).notes
    )
    ev = rg.evaluate(QRELS, RUN, "R(budget=9t)", documents=DOCS, tokenizer=_Encoding())
    assert "tokens are those of 'made up'" in ev.notes
    assert not any("token" in note for note in rg.evaluate(QRELS, RUN, "R(budget=9c)", documents=DOCS).notes)


# spans

TEXTS = {"d1": "alpha beta gamma delta. " * 10, "d2": "检索增强生成需要上下文。" * 10}
GOLD = {"q1": [("d1", 0, 24), ("d1", 48, 72)], "q2": [("d2", 12, 24)], "q3": [("d2", 0, 6)]}
PIECES = {
    "q1": [("d1", 0, 40), ("d1", 0, 40), ("d1", 40, 80)],
    "q2": [("d1", 0, 200), ("d2", 10, 30)],
    "q3": [("d2", 0, 12)],
}
OF_SPANS = [name for name, cls in REGISTRY.items() if cls.of_spans] + [n for n in SPANS.measures if n != "SpanOmega"]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_spans_within_a_budget_have_the_numbers_of_chunks_that_are_cut(data):
    def piece(draw=data.draw):
        doc = draw(st.sampled_from(sorted(TEXTS)))
        start = draw(st.integers(0, 100))
        return doc, start, start + draw(st.integers(1, 20))

    lists = {q: [piece() for _ in range(data.draw(st.integers(0, 5)))] for q in GOLD} | {"other": [("d1", 0, 1)]}
    budget = Budget(data.draw(st.integers(1, 60)), data.draw(st.sampled_from("tc")))
    text = {p: TEXTS[p[0]][p[1] : p[2]] for each in lists.values() for p in each}
    cost = {p: len(t) if budget.unit == "c" else words(t) for p, t in text.items()}
    cut = {q: each[: fitting([cost[p] for p in each], budget.limit)] for q, each in lists.items()}
    wanted = [budgeted(m, str(budget)) for m in OF_SPANS]
    spans = rg.Spans(GOLD, documents=TEXTS)
    found, plain = rg.evaluate(spans, rg.Chunks(lists), wanted), rg.evaluate(spans, rg.Chunks(cut), OF_SPANS)

    for name, m in zip(wanted, OF_SPANS, strict=True):
        assert found.per_query[name].to_list() == plain.per_query[m].to_list(), m
    assert rg.Chunks(lists, documents=TEXTS).within(str(budget)).lists == rg.Chunks(cut).lists


def test_characters_need_no_documents_and_tokens_do():
    spans = rg.Spans(GOLD)

    assert rg.evaluate(spans, PIECES, "SpanRecall(budget=80c)")["SpanRecall(budget=80c)"] == pytest.approx(
        (0.5 + 0 + 1) / 3
    )
    with pytest.raises(ParameterError, match=r"these have offsets only\. Pass documents=…"):
        rg.evaluate(spans, PIECES, "SpanRecall(budget=80t)")
    given_ = rg.evaluate(spans, PIECES, "SpanRecall(budget=80t)", documents=TEXTS)
    assert given_["SpanRecall(budget=80t)"] == pytest.approx((1 + 1 + 1) / 3)


def test_texts_that_are_nowhere_are_paid_for_by_what_they_say():
    chunks = rg.Chunks({"q": ["no such words here", "alpha beta gamma"]}, documents={"d1": "alpha beta gamma delta"})
    two = rg.Chunks({"q": [*["nowhere at all"] * 2, "also nowhere, with more words"]}, documents={"d": "x"})

    assert [len(chunks.within(f"{n}t").lists["q"]) for n in (3, 4, 6, 7)] == [0, 1, 1, 2]
    assert [len(two.within(f"{n}t").lists["q"]) for n in (2, 3, 6, 11, 12)] == [0, 1, 2, 2, 3]


def test_text_beside_offsets_is_enough():
    rows = [{"query_id": "q1", "doc_id": "d1", "start": 0, "text": "alpha beta"}]

    assert rg.evaluate(rg.Spans({"q1": [("d1", 0, 5)]}), rg.Chunks(rows), "R(budget=2t)")["R(budget=2t)"] == 1
    assert rg.evaluate(rg.Spans({"q1": [("d1", 0, 5)]}), rg.Chunks(rows), "R(budget=1t)")["R(budget=1t)"] == 0


def test_costs_of_some_queries_are_those_of_their_lists():
    costs = Costs.of_lengths(np.array([0, 2, 2, 5]), np.array([3, 4, 1, 1, 9]))

    assert costs.ends(Budget(6, "c")).tolist() == [1, 0, 2]
    assert costs.spent(Budget(6, "c")).tolist() == [3, 0, 2]
    assert costs.of_queries(np.array([2, 0])).ends(Budget(7, "c")).tolist() == [2, 2]


# everything else that takes measures


def test_comparisons_reports_and_records_take_budgets(tmp_path):
    qrels = {f"q{i}": {"a": 1, "b": 1} for i in range(12)}
    runs = {"old": {q: ["x", "a", "b"] for q in qrels}, "new": {q: ["a", "b", "x"] for q in qrels}}
    c = rg.compare(qrels, runs, ["R(budget=30c)", "nDCG(budget=30c)"], documents=DOCS)

    assert c["R(budget=30c)"].difference == 1
    assert c.verdict("R(budget=30c)", "new") == "better"
    assert rg.sentences(c)
    (tmp_path / "c.json").write_text(c.to_json())
    assert rg.load(tmp_path / "c.json")["R(budget=30c)"].difference == 1
    rg.report(c, tmp_path / "c.html")
    moved = c.query("q1", "new", "R(budget=30c)")
    assert {i.item_id: i.change for i in moved.items} == {"a": 0.5, "b": 0.5, "x": 0}
    rg.report(rg.evaluate(qrels, runs["new"], "R(budget=30c)", documents=DOCS), tmp_path / "one.html")
    assert "R(budget=30c)" in str(rg.evaluate(qrels, runs, "R(budget=30c)", documents=DOCS))


def test_explain_tells_of_the_budget():
    told = str(rg.explain("R(budget=2000t)"))

    assert "tokens (2000t) or characters (4000c) of context" in " ".join(told.split())
    assert rg.explain("SpanRecall(budget=100c)@3").value is not None


def test_the_command_line_takes_documents(tmp_path):
    (tmp_path / "qrels.json").write_text(json.dumps(QRELS))
    (tmp_path / "run.json").write_text(json.dumps(RUN))
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps({"_id": d, "text": t}) + "\n" for d, t in DOCS.items()))
    args = ["evaluate", str(tmp_path / "qrels.json"), str(tmp_path / "run.json"), "-m", "R(budget=4c)"]
    found = rankgauge(*args, "--documents", str(tmp_path / "docs.jsonl"), "--json")

    (row,) = json.loads(found.stdout)["measures"]
    assert (row["definition"], row["value"]) == ("R(budget=4c)", pytest.approx(1 / 9))
    assert "--documents" in rankgauge(*args, code=2).stderr


@pytest.mark.parametrize("form", ["dict", "lines"])
def test_lists_that_nobody_judged_need_no_texts(form: str, tmp_path):
    run = {"q1": {"a": 2.0, "b": 1.0}, "unasked": {"unknown": 1.0}}
    path = tmp_path / "run.txt"
    path.write_text("".join(f"{q} Q0 {d} 1 {s} t\n" for q, some in run.items() for d, s in some.items()))

    ev = rg.evaluate(
        {"q1": {"b": 1}}, path if form == "lines" else run, "R(budget=6c)", documents={"a": "xxx", "b": "yyy"}
    )

    assert ev["R(budget=6c)"] == 1
