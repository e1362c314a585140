"""Many queries at once give what each of them gives alone."""

from dataclasses import replace
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.comparison.movement import Movement, movement, movements
from rankgauge.data.run_source import RunSource
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.evaluation.rankings.policy import Policy

QUERIES = [f"q{i}" for i in range(12)]
DOCS = [f"d{i}" for i in range(60)]
MEASURES = ["nDCG@10", "RR@10", "AP", "R@100", "P@5", "bpref", "ERR@10", "nDCG(judged_only=true)@5", "Rprec"]


def data(seed: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Judgements and two runs with ties, missing queries, unjudged results and negative grades."""
    rng = np.random.default_rng(seed)

    def chosen(n: int) -> list[str]:
        return rng.choice(DOCS, n, replace=False).tolist()

    qrels = {q: {d: int(rng.integers(-1, 4)) for d in chosen(25)} for q in QUERIES[:-1]}
    qrels[QUERIES[-1]] = dict.fromkeys(chosen(5), 0)  # nothing relevant
    runs = [
        {q: {d: float(rng.integers(0, 12)) for d in chosen(int(rng.integers(0, 50)))} for q in rng.permutation(QUERIES)}
        for _ in range(2)
    ]
    for run, absent in zip(runs, ("q3", "q4"), strict=True):
        del run[absent]
    runs[0]["unknown"] = {"d1": 1.0}
    return qrels, runs[0], runs[1]


def frame(table: dict[str, Any], value: str) -> pl.DataFrame:
    rows = [(q, d, float(v)) for q, row in table.items() for d, v in row.items()]
    return pl.DataFrame(rows, ["query_id", "doc_id", value], orient="row")


def in_files(folder: Path, qrels: Any, a: Any, b: Any) -> list[str]:
    (folder / "q.qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, row in qrels.items() for d, g in row.items()))
    for name, run in (("a", a), ("b", b)):
        lines = (f"{q} Q0 {d} 1 {s} {name}\n" for q, row in run.items() for d, s in row.items())
        (folder / f"{name}.run").write_text("".join(lines))
    return [str(folder / name) for name in ("q.qrels", "a.run", "b.run")]


def same(found: Movement, want: Movement) -> bool:
    """Equality in which NaN equals NaN, whatever the runs are called."""

    def plain(m: Movement) -> Movement:
        values = {k: None if isnan(v) else v for k, v in (("value_a", m.value_a), ("value_b", m.value_b))}
        return replace(m, run_a="", run_b="", **values)

    return plain(found) == plain(want)


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("ties", ["doc_id", "input"])
def test_together_as_alone_in_every_form(name: str, ties: str, tmp_path: Path):
    tables = data(1)
    want = [movement(*tables, q, name, depth=4, ties=ties) for q in QUERIES]
    forms = {
        "dicts": tables,
        "frames": [frame(t, v) for t, v in zip(tables, ("grade", "score", "score"), strict=True)],
        "files": in_files(tmp_path, *tables),
    }

    for form in forms.values():
        found = movements(*form, QUERIES, name, depth=4, ties=ties)
        assert [m.query_id for m in found] == QUERIES
        assert all(map(same, found, want))
    assert sum(len(m.items) for m in want) > 60


@pytest.mark.parametrize("name", MEASURES)
def test_values_are_those_of_evaluate(name: str):
    qrels, a, b = data(2)

    found = movements(qrels, a, b, QUERIES, name)

    for run, values in ((a, [m.value_a for m in found]), (b, [m.value_b for m in found])):
        want = rg.evaluate(qrels, run, name).per_query[name].fill_null(nan).to_list()
        assert values == pytest.approx(want, rel=0, abs=0, nan_ok=True)


def test_ranks_are_by_score_then_id():
    qrels, a, b = data(3)

    for m in movements(qrels, a, b, QUERIES, depth=100):
        order = sorted(b.get(m.query_id, {}).items(), key=lambda x: (x[1], x[0]), reverse=True)
        assert [i.item_id for i in m.items if i.rank_b] == [d for d, _ in order]
        assert [i.rank_b for i in m.items if i.rank_b] == list(range(1, len(order) + 1))


def test_results_shown_twice_and_scores_that_are_no_number():
    qrels, a, b = data(4)
    rows = frame(a, "score")
    odd = rows.with_columns(score=pl.when(pl.int_range(pl.len()) % 7 == 0).then(nan).otherwise(pl.col("score")))
    odd = pl.concat([odd, rows.sample(40, seed=1).with_columns(pl.col("score") + 3), rows.sample(9, seed=2)])

    found = movements(qrels, odd, b, QUERIES, "nDCG@10", depth=3)

    assert all(same(m, movement(qrels, odd, b, m.query_id, "nDCG@10", depth=3)) for m in found)
    want = rg.evaluate(qrels, odd, "nDCG@10").column("nDCG@10").values.tolist()
    assert [m.value_a for m in found] == pytest.approx(want, rel=0, abs=0, nan_ok=True)
    for m in found:  # each item once, ranks without holes
        ranks = [i.rank_a for i in movements(qrels, None, odd, [m.query_id], depth=999)[0].items if i.rank_a]
        assert ranks == []
        ranks = [i.rank_b for i in movements(qrels, None, odd, [m.query_id], depth=999)[0].items]
        assert ranks == list(range(1, len(ranks) + 1))


def test_one_list_alone():
    qrels, _, b = data(5)

    for m, pair in zip(movements(qrels, None, b, QUERIES), movements(qrels, b, b, QUERIES), strict=True):
        assert (m.run_a, isnan(m.value_a), isnan(m.difference)) == ("", True, True)
        assert {(i.rank_a, i.in_a, i.change) for i in m.items} <= {(None, None, None)}
        shown = {i.item_id: (i.grade, i.rank_b, i.in_b) for i in m.items}
        assert {i.item_id: (i.grade, i.rank_b, i.in_b) for i in pair.items}.items() <= shown.items()
        assert (m.missed, m.note) == (pair.missed, pair.note)


def test_one_list_lists_relevant_items_however_deep():
    found = movements({"q": {"r": 1, "n": 0, "s": 1}}, None, {"q": [*"abcrn"]}, ["q"], "P@2", depth=1)[0]

    assert [(i.item_id, i.rank_b, i.in_b) for i in found.items] == [("a", 1, 0.0), ("r", 4, 0.0)]
    assert (found.missed, found.value_b, found.has_contributions) == (1, 0.0, True)


def test_order_and_repetition_of_the_queries_are_kept():
    qrels, a, b = data(6)

    found = movements(qrels, a, b, ["q5", "q1", "q5"])
    assert [m.query_id for m in found] == ["q5", "q1", "q5"]
    assert found[0] == found[2]
    assert movements(qrels, a, b, []) == []


def test_subtopics():
    qrels = pl.DataFrame(
        {
            "query_id": ["p", "q", "q", "q"],
            "iteration": ["1", "1", "2", "1"],
            "doc_id": ["x", "x", "x", "y"],
            "grade": [1, 1, 2, 1],
        }
    )
    runs = {"q": ["x"], "p": ["y", "x"]}, {"q": ["y", "x"]}

    found = movements(qrels, *runs, ["q", "p"], "alpha_nDCG@5")

    want = [rg.evaluate(qrels, run, "alpha_nDCG@5").per_query["alpha_nDCG@5"].to_list() for run in runs]
    assert [(m.value_a, m.value_b) for m in found[::-1]] == list(zip(*want, strict=True))


def test_queries_judged_with_nothing():
    found = movements({"q": {}, "p": {"x": 1}}, {"q": ["x"]}, {"q": ["y"]}, ["q"])[0]

    assert [(i.item_id, i.grade) for i in found.items] == [("y", None), ("x", None)]
    assert found.note.startswith("nDCG@10 says nothing about this query")


# what evaluate was told

POLICIES = [
    Policy(ties="expected"),
    Policy(ties="best"),
    Policy(ties="worst", unjudged="remove"),
    Policy(unjudged="remove", depth=7),
    Policy(no_relevant="one", rel=2),
    Policy(scores="single", missing="error", average="micro"),
]


@pytest.mark.parametrize("policy", POLICIES, ids=str)
@pytest.mark.parametrize("name", ["nDCG@5", "P@4", "RR", "AP"])
def test_policy_gives_the_values_of_evaluate_and_parts_that_sum(policy: Policy, name: str):
    qrels, a, b = data(7)
    words = {k: v for k, v in policy.to_dict().items() if k not in ("missing", "scores")}

    found = movements(qrels, a, b, QUERIES, name, policy=policy)

    want = rg.evaluate(qrels, b, name, **words).column(name).values.tolist()
    assert [m.value_b for m in found] == pytest.approx(want, rel=0, abs=0, nan_ok=True)
    assert {m.ties for m in found} == {"doc_id"}
    told = [m for m in found if m.has_contributions]
    for m in told:
        assert sum(i.in_b or 0.0 for i in m.items) == pytest.approx(m.value_b, abs=1e-12)
        assert sum(i.change or 0.0 for i in m.items) == pytest.approx(m.difference, abs=1e-12)
    untold = {m.note for m in found} - {""}
    if policy.ties == "expected" and name in ("RR", "AP"):
        assert f"{name} is the mean over the orders of tied results: no single result has a share of it." in untold
    else:
        assert len(told) == len(QUERIES) - 1  # the last one has nothing relevant


def test_policy_with_an_order_of_its_own_orders_the_items():
    run = {"q": {"d1": 1.0, "d2": 1.0}}

    found = movements({"q": ["d1"]}, None, run, ["q"], "RR", policy=Policy(ties="input"))[0]
    assert ([i.item_id for i in found.items], found.value_b, found.ties) == (["d1", "d2"], 1.0, "input")


def test_answer_of_the_policy_where_nothing_is_relevant_is_no_sum():
    found = movements({"q": {"x": 0}}, None, {"q": ["x"]}, ["q"], "RR", policy=Policy(no_relevant="zero"))[0]

    assert (found.value_b, found.note) == (0.0, "RR says nothing about this query: no relevant item is judged.")


def test_notes_are_there_in_chinese():
    note = movements({"q": {"x": 1}}, None, {"q": ["x"]}, ["q"], "bpref")[0].note

    assert note.of("zh") == "bpref 不是各结果之和。"


# refused


def test_what_cannot_be_looked_at():
    qrels, a, b = data(8)
    with pytest.raises(UnknownName, match=r"no judgements for query 'q111' in 'qrels'\. Did you mean q11\?"):
        movements(qrels, a, b, ["q1", "q111"])
    with pytest.raises(ParameterError, match=r"`query_ids` must be a list of ids, got 'q1'. Pass \['q1'\]"):
        movements(qrels, a, b, "q1")
    twice = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["x", "x"], "score": [1.0, 2.0]})
    with pytest.raises(InputError, match="repeat an item of the same list"):
        movements(qrels, twice, b, ["q1"], policy=Policy(duplicates="error"))


# through comparisons and evaluations


def test_comparison_looks_at_queries_as_it_evaluated_them(tmp_path: Path):
    qrels, a, b = data(9)
    files = in_files(tmp_path, qrels, a, b)
    cmp = rg.compare(
        files[0], {"old": files[1], "new": files[2]}, ["RR", "P@5"], convention="ranx", depth=3, missing="zero"
    )

    found = cmp.queries(QUERIES, measure="P@5")

    assert [(m.run_a, m.run_b, m.measure) for m in found] == [("old", "new", "P@5")] * 12
    values = {q: (x, y) for q, x, y, *_ in cmp.differences("P@5").iter_rows()}
    assert {m.query_id: (m.value_a, m.value_b) for m in found} == values
    assert cmp.query("q1", "new", "P@5") == found[1]
    assert len(cmp.queries(["q1"], depth=20)[0].items) > len(cmp.queries(["q1"], depth=2)[0].items)


def test_finished_evaluations_have_lists_too():
    qrels, a, b = data(10)
    evs = {"old": rg.evaluate(qrels, a, "RR"), "new": rg.evaluate(qrels, b, "RR")}

    assert same(rg.compare(evs).query("q1"), movement(qrels, a, b, "q1", "RR"))


def test_stored_evaluations_have_no_lists(tmp_path: Path):
    qrels, a, b = data(10)
    for name, run in (("old", a), ("new", b)):
        rg.evaluate(qrels, run, "RR").to_json(tmp_path / f"{name}.json")
    cmp = rg.compare([tmp_path / "old.json", tmp_path / "new.json"])

    assert cmp.sources is None
    with pytest.raises(InputError, match="stored evaluations have no result lists"):
        cmp.queries(["q1"])


def test_evaluation_keeps_the_run_as_it_was_given(tmp_path: Path):
    qrels, a, b = data(11)
    files = in_files(tmp_path, qrels, a, b)
    renamed = frame(a, "score").rename({"doc_id": "thing", "score": "points"})
    columns = {"thing": "doc_id", "points": "score"}

    assert rg.evaluate(qrels, a, "RR").source.given is a
    kept = rg.evaluate(qrels, files[1], "RR").source
    assert vars(kept) == {
        "given": files[1],
        "columns": None,
        "name": "",
        "documents": None,
        "tokenizer": None,
    }
    mapped = rg.evaluate(qrels, renamed, "RR", columns=columns)
    assert (mapped.source.given is renamed, mapped.source.columns) == (True, columns)
    assert mapped.source.run().to_dict() == {q: row for q, row in a.items() if row}
    assert mapped["RR"] == rg.evaluate(qrels, a, "RR")["RR"]
    several = rg.evaluate(qrels, {"old": a, "new": b}, "RR")
    assert [ev.source.given for ev in several.values()] == [a, b]
    assert "source" not in mapped.to_dict()
    assert rg.Evaluation.from_dict(mapped.to_dict()).source is None
    assert "source" not in repr(mapped)
    cmp = rg.compare(qrels, {"old": renamed, "new": renamed}, "RR", columns=columns)
    assert same(cmp.query("q1"), movement(qrels, a, a, "q1", "RR"))


def test_a_source_reads_its_run_again(tmp_path: Path):
    qrels, a, b = data(12)
    files = in_files(tmp_path, qrels, a, b)

    assert RunSource(files[1]).run().name == "a"
    assert RunSource(a, name="mine").run().name == "mine"
    pair = [RunSource(files[1]), RunSource(b)]
    assert all(map(same, movements(qrels, *pair, QUERIES), movements(qrels, a, b, QUERIES)))
