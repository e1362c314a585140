"""Which chunk size at which budget: values by hand, verdicts by all flips of signs, claims by both."""

from __future__ import annotations

import json
import random
import re
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg
from oracle.naive_budgets import fitting, words
from rankgauge._claims import claims_of
from rankgauge.errors import InputError, ParameterError, RankgaugeError, UnknownName
from rankgauge.reporting.sweep import found_within, sentences_of

TEXT = "检索 " * 400
N = 12
DOCS = {f"d{i}": TEXT for i in range(N)}


def gold(rng, n=N):
    return {f"q{i}": [(f"d{i}", at, at + 40)] for i in range(n) for at in [rng.randrange(0, 1000)]}


def retrieved(rng, truth, size):
    """Chunks of a size in any order, the one with the beginning of the gold at one of the first places."""
    out = {}
    for q, [(doc, start, _)] in truth.items():
        at = start // size * size
        others = [s for s in range(0, 1200, size) if s != at]
        rng.shuffle(others)
        others.insert(rng.choice([0, 0, 1, 2, 5]), at)
        out[q] = [(doc, s, min(s + size, 1200)) for s in others]
    return out


def naive_values(truth, lists, budget):
    limit, unit = int(budget[:-1]), budget[-1]
    out = []
    for q, [(doc, start, end)] in truth.items():
        costs = [e - s if unit == "c" else words(DOCS[d][s:e]) for d, s, e in lists[q]]
        read = lists[q][: fitting(costs, limit)]
        covered = {i for d, s, e in read for i in range(s, e) if d == doc}
        out.append(len(covered & set(range(start, end))) / (end - start))
    return out


def ending_early(lists, budget):
    """Lists after which another result of their mean cost would fit."""
    limit, unit = int(budget[:-1]), budget[-1]
    costs = [[e - s if unit == "c" else words(DOCS[d][s:e]) for d, s, e in each] for each in lists.values()]
    return sum(bool(c) and sum(c) * (1 + 1 / len(c)) <= limit for c in costs)


def not_beginning(lists, budget):
    """Lists whose first result costs more than the budget."""
    limit, unit = int(budget[:-1]), budget[-1]
    return sum((e - s if unit == "c" else words(DOCS[d][s:e])) > limit for (d, s, e), *_ in lists.values())


def naive_p(a, b):
    """Of all ways to swap the systems in queries, how many have a difference as large."""
    d = np.array(b) - np.array(a)
    sums = np.abs(np.array(list(product((1, -1), repeat=len(d)))) @ d)
    return float(np.mean(sums >= abs(d.sum()) - 1e-12))


def naive_words(values):
    """For each measure and pair whether the second is better, by Holm over all of them; None where it is near."""
    tests = {(b, x, y): naive_p(v[x], v[y]) for b, v in values.items() for x, y in combinations(v, 2)}
    ordered = sorted(tests, key=tests.get)
    corrected, highest = {}, 0.0
    for i, key in enumerate(ordered):
        highest = max(highest, min(1.0, tests[key] * (len(ordered) - i)))
        corrected[key] = highest
    out = {}
    for (b, x, y), p in corrected.items():
        up = sum(values[b][y]) - sum(values[b][x])
        word = "better" if p < 0.05 and up > 0 else "worse" if p < 0.05 and up < 0 else "open"
        out[b, y, x] = None if abs(p - 0.05) < 1e-9 else word
        out[b, x, y] = None if out[b, y, x] is None else {"better": "worse", "worse": "better"}.get(word, word)
    return out


@pytest.mark.parametrize("seed", range(12))
def test_values_verdicts_and_claims_are_those_of_a_naive_computation(seed):
    rng = random.Random(seed)
    truth = gold(rng)
    systems = {str(size): retrieved(rng, truth, size) for size in rng.sample([40, 100, 200, 400], 3)}
    if seed % 2:
        systems["copy"] = systems[min(systems, key=int)]
    budgets = rng.choice([["100c", "400c", "2000c"], ["40t", "150t"]])
    found = rg.sweep(rg.Spans(truth), systems, budgets=budgets, documents=DOCS)
    values = {b: {name: naive_values(truth, lists, b) for name, lists in systems.items()} for b in budgets}
    verdicts = naive_words(values)

    assert (found.systems, found.budgets, found.measures) == (list(systems), budgets, ["SpanRecall"])
    assert found.family == len(budgets) * len(systems) * (len(systems) - 1) // 2
    for p in found.points:
        assert p.value == pytest.approx(sum(values[p.budget][p.system]) / N)
        assert p.exhausted == ending_early(systems[p.system], p.budget)
        assert p.empty == not_beginning(systems[p.system], p.budget)
    for b in budgets:
        label = f"SpanRecall(budget={b})"
        for x, y in combinations(systems, 2):
            word = found.word(y, x, label)
            assert verdicts[b, y, x] in (None, word if word in ("better", "worse") else "open")
        wins = [s for s in systems if all(found.word(s, o, label) == "better" for o in systems if o != s)]
        assert found.best("SpanRecall", b) == (wins[0] if wins else None)
        beaten = {s for s in systems for o in systems if o != s and found.word(o, s, label) == "better"}
        assert set(found.contenders("SpanRecall", b)) == set(systems) - beaten
    for said in sentences_of(found):
        shown = set(re.findall(r"\b[01]\.\d{4}\b", said))
        assert shown == {f"{c.value:.4f}" for c in claims_of(said) if c.what == "mean"}
        for c in claims_of(said):
            b = c.measure.partition("=")[2].rstrip(")")
            if c.what == "mean":
                assert c.value == pytest.approx(sum(values[b][c.system]) / N)
            elif c.what == "count":
                b = c.against.partition("=")[2].rstrip(")")
                expected = {"exhausted_by": ending_early, "unfit_by": not_beginning}[c.measure]
                assert c.value == expected(systems[c.system], b)
            else:
                assert c.what == "verdict of pairs"
                told = c.value if c.value in ("better", "worse") else "open"
                assert verdicts[b, c.system, c.against] in (None, told)
                if c.value == "unchanged":
                    assert values[b][c.system] == pytest.approx(values[b][c.against])


def fixed(n=20):
    truth = {f"q{i}": [(f"d{i}", 100, 150)] for i in range(n)}
    return rg.Spans(truth), {
        "50": {q: [(q.replace("q", "d"), 100, 150)] for q in truth},
        "400": {q: [(q.replace("q", "d"), 0, 400)] for q in truth},
        "half": {q: [(q.replace("q", "d"), 100, 125)] for q in truth},
    }


def test_which_is_best_depends_on_the_budget():
    spans, systems = fixed()
    found = rg.sweep(spans, systems, ["SpanRecall", "SpanPrecision"], budgets=["60c", "1000c"])

    assert found.best("SpanRecall", "60c") == "50"
    assert found.standing("half", "SpanRecall", "60c") == found.standing("400", "SpanRecall", "60c") == "beaten"
    assert found.beaten_by("400", "SpanRecall", "60c") == ["50", "half"]
    assert found.best("SpanRecall", "1000c") is None
    assert found.contenders("SpanRecall", "1000c") == ["50", "400"]
    assert found_within(found, "SpanRecall", "60c") == (
        "Within 60c, 50 is best in SpanRecall: 1.0000, better than 400 and half."
        " Not even the first result fits: 400 (20 lists)."
        " But lists end before that budget with room for more: this also depends on how much was fetched. "
        "half (20 lists)."
    )
    assert found_within(found, "SpanRecall", "1000c") == (
        "Within 1000c, 50 and 400 are the same in SpanRecall: no query changed. half (0.5000) is worse than 50 and 400."
        " But lists end before that budget with room for more: this also depends on how much was fetched. "
        "50 (20 lists), 400 (20 lists), half (20 lists)."
    )
    assert found_within(found, "SpanRecall", "1000c").zh == (
        "预算 1000c 内，50、400 的 SpanRecall 相同：没有任何查询发生变化。half（0.5000）不如 50、400。"
        "但有列表在该预算用完前就结束，还放得下更多结果：这也取决于取回了多少。50（20 个列表）、400（20 个列表）、"
        "half（20 个列表）。"
    )
    assert found["SpanRecall", "60c"]["400"].results == 0


def test_judged_documents_can_be_swept_too():
    qrels = {f"q{i}": {"a": 1} for i in range(20)}
    runs = {"short": {q: ["b", "a"] for q in qrels}, "long": {q: ["x", "a"] for q in qrels}}
    found = rg.sweep(qrels, runs, budgets=["20c"], documents={"a": "a" * 9, "b": "b" * 9, "x": "x" * 30})

    assert found.best("R", "20c") == "short"


def test_few_queries_tell_nothing_apart():
    spans, systems = fixed(3)
    found = rg.sweep(spans, systems, budgets=["60c"])

    assert found.best("SpanRecall", "60c") is None
    assert set(found.contenders("SpanRecall", "60c")) == set(systems)
    assert "these are not to be told apart in SpanRecall: 50 1.0000, half 0.5000, 400 0.0000" in found_within(
        found, "SpanRecall", "60c"
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"budgets": ["5t", "9c"]}, "must be one or more of one unit"),
        ({"measures": "R(budget=9c)"}, "takes means that can have a budget, without one"),
        ({"measures": "NumRet"}, "takes means that can have a budget, without one"),
        ({"measures": []}, "no measures given"),
        ({"collections": {"one": {}}}, "needs two collections or more"),
        ({"budgets": ["9t"]}, "tokens are counted in the text of pieces"),
    ],
)
def test_what_cannot_be_swept_is_refused(change, said):
    spans, systems = fixed()
    asked = {"collections": systems, "measures": None, "budgets": ["9c"], **change}
    with pytest.raises((ParameterError, InputError), match=said):
        rg.sweep(spans, asked.pop("collections"), **asked)


def test_names_that_are_not_there_are_told():
    found = rg.sweep(*fixed(), budgets=["60c"])
    with pytest.raises(UnknownName, match=r"no budget '70c'"):
        found.best("SpanRecall", "70c")
    with pytest.raises(UnknownName, match=r"no measure 'R'"):
        found.contenders("R", "60c")
    with pytest.raises(UnknownName, match=r"no system 'x'"):
        found.standing("x", "SpanRecall", "60c")


def test_it_is_stored_loaded_drawn_and_reported(tmp_path):
    found = rg.sweep(*fixed(), ["SpanRecall", "SpanPrecision"], budgets=["60c", "1000c"])
    found.to_json(tmp_path / "s.json")
    back = rg.load(tmp_path / "s.json")

    assert back.to_dict() == found.to_dict()
    assert back.to_frame().equals(found.to_frame())
    assert back.to_frame().filter(standing="best").height == sum(
        found.best(m, b) is not None for m in found.measures for b in found.budgets
    )
    page = rg.report(back, language="zh")
    assert "预算 60c 内，50 的 SpanRecall 最好" in page
    assert rg.plot(back, measure="SpanPrecision").svg
    data = json.loads((tmp_path / "s.json").read_text())
    data["contrasts"].pop()
    (tmp_path / "s.json").write_text(json.dumps(data))
    with pytest.raises(RankgaugeError, match="expected one for each pair of systems, measure and budget"):
        rg.load(tmp_path / "s.json")


def pieces(*ends: int) -> dict[str, list[tuple[str, int, int]]]:
    return {f"q{i}": [(f"d{i}", *ends)] for i in range(20)}


def test_budgets_that_nobody_names_are_those_of_all_lists():
    gold, runs = rg.Spans(pieces(100, 150)), {"50": pieces(100, 150), "400": pieces(0, 400)}
    found = rg.sweep(gold, runs)

    assert found.budgets == ["50c", "100c", "200c", "500c"]
    assert found.to_dict() == rg.sweep(gold, runs, budgets=found.budgets).to_dict()


def test_one_test_is_one_and_a_sweep_has_its_page(tmp_path: Path):
    found = rg.sweep(rg.Spans(pieces(100, 150)), {"50": pieces(100, 150), "400": pieces(0, 400)}, budgets="50c")

    assert "0.05, 1 test of all pairs" in str(found)
    assert Path(found.report(tmp_path / "report.html")).read_text(encoding="utf-8").startswith("<!doctype html>")


def test_what_was_not_tested_or_is_equivalent_is_called_so():
    truth = rg.Spans({f"q{i}": [("d", 0, 10)] for i in range(N)})
    all_of_it = {q: [("d", 0, 10)] for q in truth.needs}
    none_of_it = {q: [("d", 50, 60)] for q in truth.needs}
    less = {**all_of_it, "q3": [("d", 0, 9)]}

    constant = rg.sweep(truth, {"A": all_of_it, "B": none_of_it}, budgets="10c", test="t")
    near = rg.sweep(truth, {"A": all_of_it, "C": less}, budgets="10c", margin=0.2)
    assert [c.word for c in (*constant.contrasts, *near.contrasts)] == ["untested", "equivalent"]
    for found, en, chinese in ((constant, "was not tested", "未经检验"), (near, "are equivalent", "等价")):
        (said,) = sentences_of(found)
        assert en in said.en
        assert chinese in said.zh
        assert "told apart" not in str(found)
    assert "equivalent to C" in str(near)


def test_names_that_are_numbers_are_written():
    truth = rg.Spans({f"q{i}": [("d", 0, 10)] for i in range(N)})
    lists = {n: {q: [("d", 0, n)] for q in truth.needs} for n in (10, 5)}

    found = rg.sweep(truth, lists, budgets="10c")
    assert found.systems == ["10", "5"]
    assert "10 is best in SpanRecall" in str(found)
    for baseline in (10, "10", None):
        assert "5 is worse than 10" in str(rg.compare(truth, lists, "SpanRecall@1", baseline=baseline))
    with pytest.raises(InputError, match="names of runs must differ when they are written, got '5', '5'"):
        rg.evaluate(truth, {5: lists[5], "5": lists[10]}, "SpanRecall@1")


def test_a_budget_or_a_count_that_is_none_is_refused():
    truth = rg.Spans({"q": [("d", 0, 10)]}, documents={"d": TEXT})
    lists = {"A": {"q": [("d", 0, 10)]}, "B": {"q": [("d", 0, 20)]}}

    with pytest.raises(ParameterError, match=r"`budgets`: each must be a number of tokens such as 2000t.* got 5"):
        rg.sweep(truth, lists, budgets=5)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="must give a whole number from 0 to 1,000,000,000"):
        rg.sweep(truth, lists, budgets="10t", tokenizer=lambda text: 10**30)


def test_what_was_said_of_the_input_goes_with_a_sweep(tmp_path: Path):
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "a.csv").write_text("query_id,doc_id,score\nq1,d1,2\nq2,d1,1\n")
    (folder / "notes.bin").write_bytes(b"\x00\x01")
    truth, docs = {"q1": {"d1": 1}, "q2": {"d2": 1}}, {"d1": "one two", "d2": "three"}

    found = rg.sweep(truth, {"a": folder, "b": {"q1": ["d2"], "q2": ["d2"]}}, budgets=["5t"], documents=docs)

    assert any("notes.bin" in note for note in found.notes)


def test_a_sweep_says_which_queries_have_no_results():
    truth, docs = {"q1": {"d1": 1}, "q2\u3000": {"d2": 1}}, {"d1": "one two", "d2": "three"}

    found = rg.sweep(truth, {"a": {"q1": ["d1"]}, "b": {"q1": ["d2"]}}, budgets=["5t"], documents=docs)

    assert "1 of 2 judged queries is not in the run (counted as empty lists; missing=zero)" in found.notes


def test_policy_convention_and_words_are_those_of_evaluate():
    qrels, texts = {"q": {"a": 1, "b": 1}, "r": {"a": 1}}, {"a": "a" * 9, "b": "b" * 9, "x": "x" * 9}
    runs = {"one": {"q": ["a", "b"]}, "two": {"q": ["x", "a"]}}  # nothing for r

    def swept(**how):
        return rg.sweep(qrels, runs, budgets=["20c"], documents=texts, **how)["R", "20c"]["one"].value

    assert swept() == swept(policy=rg.Policy()) == 0.5
    assert swept(missing="skip") == swept(policy=rg.Policy(missing="skip")) == swept(convention="trec_eval") == 1.0
    with pytest.raises(TypeError, match=r"sweep\(\) got an unexpected keyword argument 'mising'. Did you mean missing"):
        swept(mising="skip")


# live retrievers

PAGES = {f"d{i}": f"intro of page {i} and then the answer {i} stands here" for i in range(12)}
QUESTIONS = {f"q{i}": f"what is answer {i}" for i in range(12)}
ANSWERS = {f"q{i}": [f"the answer {i} stands here"] for i in range(12)}


def retriever(size: int):
    """Chunks of the right page, those at its end first."""

    def find(query: str, k: int) -> list[tuple[str, int, int]]:
        assert query.startswith("what is answer"), query  # the text, and not the id
        doc = f"d{query.rsplit(maxsplit=1)[-1]}"
        pieces = [(doc, i, min(i + size, len(PAGES[doc]))) for i in range(0, len(PAGES[doc]), size)]
        return pieces[::-1][:k]

    return find


def test_live_retrievers_are_asked_once_and_swept():
    gold = rg.Spans(ANSWERS, documents=PAGES)
    systems = {"small": retriever(10), "large": retriever(30)}

    found = rg.sweep(gold, systems, budgets=["20c", "60c"], k=9, queries=QUESTIONS, collect={"concurrency": 2})

    lists = {name: {q: find(text, 9) for q, text in QUESTIONS.items()} for name, find in systems.items()}
    recorded = rg.sweep(gold, {name: rg.Chunks(each) for name, each in lists.items()}, budgets=["20c", "60c"])
    assert found.to_frame().equals(recorded.to_frame())
    assert found["SpanRecall", "20c"]["large"].results < 1
    with pytest.raises(ParameterError, match="k= say how a retriever is asked"):
        rg.sweep(gold, {name: rg.Chunks(each) for name, each in lists.items()}, budgets="20c", k=5)


def test_a_command_sweeps_live_retrievers(tmp_path: Path):
    from command_line import rankgauge

    (tmp_path / "docs.jsonl").write_text(
        "".join(json.dumps({"id": d, "text": t}) + "\n" for d, t in PAGES.items()), encoding="utf-8"
    )
    asked = [{"id": q, "question": QUESTIONS[q], "gold": ANSWERS[q][0]} for q in QUESTIONS]
    (tmp_path / "asked.jsonl").write_text("".join(json.dumps(r) + "\n" for r in asked), encoding="utf-8")
    (tmp_path / "search.py").write_text(
        f"PAGES = {PAGES!r}\n\n\ndef made(size):\n    def find(query, k):\n        doc = 'd' + query.split()[-1]\n"
        "        text = PAGES[doc]\n"
        "        return [(doc, i, min(i + size, len(text))) for i in range(0, len(text), size)][::-1][:k]\n\n"
        "    return find\n\n\nsmall, large = made(10), made(30)\n",
        encoding="utf-8",
    )
    both = ("--retriever", "small=search:small", "--retriever", "large=search:large", "--documents", "docs.jsonl")
    words = ("sweep", "asked.jsonl", *both, "--budget", "20c", "--budget", "60c", "-k", "9")

    stored = json.loads(rankgauge(*words, "--json", cwd=tmp_path).stdout)
    chinese = rankgauge(*words, cwd=tmp_path, language="zh").stdout

    gold = rg.Spans(ANSWERS, documents=PAGES)
    direct = rg.sweep(
        gold, {"small": retriever(10), "large": retriever(30)}, budgets=["20c", "60c"], k=9, queries=QUESTIONS
    )
    assert [p["value"] for p in stored["points"]] == pytest.approx([p.value for p in direct.points])
    assert "small" in chinese
    for more, said in (
        (("a=x.run", "b=y.run", "-k", "3"), "-k says how a live retriever is asked, and there is none"),
        ((*both[:4], "--by", "ids", "--reach", "0.5"), "--reach is for gold that is spans of documents"),
        ((*both[:2],), "sweep needs judgements and two runs or more"),
    ):
        refused = rankgauge("sweep", "asked.jsonl", *more, "--documents", "docs.jsonl", cwd=tmp_path, code=2)
        assert said in refused.stderr


def test_a_measure_with_a_cutoff_reads_no_more_than_that():
    truth, _ = fixed()
    pieces = {q: [(q.replace("q", "d"), 10 * i, 10 * i + 10) for i in range(9)] for q in truth.needs}

    found = rg.sweep(truth, {"a": pieces, "b": pieces}, ["SpanRecall@2", "SpanRecall"], budgets=["50c"])

    assert [found[m, "50c"]["a"].results for m in ("SpanRecall@2", "SpanRecall")] == [2, 5]
    ev = rg.evaluate(truth, pieces, "SpanRecall(budget=50c)")
    assert [ev.by_budget(m, ["50c"]).points[0].results for m in ("SpanRecall@2", "SpanRecall")] == [2, 5]


def test_budgets_into_which_not_even_the_first_result_fits_are_said():
    truth, systems = fixed()

    found = rg.sweep(truth, systems, budgets=["60c"])
    ev = rg.evaluate(truth, systems["400"], ["SpanRecall(budget=60c)", "SpanRecall(budget=400c)"])

    assert {name: p.empty for name, p in found["SpanRecall", "60c"].items()} == {"50": 0, "400": 20, "half": 0}
    assert "Not even the first result fits: 400 (20 lists)." in str(found)
    assert ev.counts["unfit_by"] == {"SpanRecall(budget=60c)": 20, "SpanRecall(budget=400c)": 0}
    said = "20 of 20 judged queries have lists of which not even the first result fits into the budget of "
    assert said in str(ev)
    assert "unfit_by" not in rg.evaluate(truth, systems["50"], "SpanRecall(budget=60c)").counts


def test_a_sweep_carries_the_suspicions_of_its_systems(tmp_path):
    qrels = {f"q{i}": {f"page {i}": 1} for i in range(20)}
    other = {f"q{i}": [f"p-{i}", f"p-{i + 1}"] for i in range(20)}
    texts = {d: "some words" for found in other.values() for d in found}

    found = rg.sweep(qrels, {"a": other, "b": other}, budgets=["2t"], documents=texts)

    assert {s.system for s in found.suspicions} == {"a", "b"}
    assert str(found).startswith("Do not trust the numbers of a:")
    (tmp_path / "s.json").write_text(found.to_json(), encoding="utf-8")
    assert rg.load(tmp_path / "s.json").suspicions == list(found.suspicions)
