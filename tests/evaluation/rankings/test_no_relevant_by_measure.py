"""No relevant items, measure by measure: recall is undefined there, a hit rate is 0 (document 002, section 3)."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.gate import Gate, run_gate

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}, "q3": {"d": 0}}  # q3 has nothing relevant
RUN = {"q1": ["a", "b"], "q2": ["x", "c"], "q3": ["d"]}
BY = {"R": "skip", "Hit": "zero"}

# R@1 of q1 is 1, of q2 0; Hit@1 likewise


def test_recall_leaves_the_query_out_and_hit_rate_counts_it_as_0() -> None:
    ev = rg.evaluate(QRELS, RUN, ["R@1", "Hit@1"], no_relevant=BY)

    assert (ev["R@1"], ev.n("R@1")) == (1 / 2, 2)
    assert (ev["Hit@1"], ev.n("Hit@1")) == (1 / 3, 3)


@pytest.mark.parametrize(
    "given",
    [BY, "R=skip,Hit=zero", "skip,Hit=zero", {"Recall": "skip", "hit_rate": "zero"}, {"HR": "zero"}, "Ｈｉｔ＝zero"],
)
def test_every_way_to_say_it_is_one_policy(given: Any) -> None:
    ev = rg.evaluate(QRELS, RUN, ["R@1", "Hit@1"], no_relevant=given)

    assert ev.policy.no_relevant == "skip,Hit=zero"
    assert ev.policy == Policy(no_relevant="Hit=zero")


def test_the_convention_of_the_document_says_it() -> None:
    ev = rg.evaluate(QRELS, RUN, ["R@1", "Hit@1"], convention="recall-and-hit-rate")

    assert (ev["R@1"], ev["Hit@1"]) == (1 / 2, 1 / 3)


def test_what_is_not_named_keeps_the_word_of_the_convention_or_policy() -> None:
    ev = rg.evaluate(QRELS, RUN, ["R@1", "Hit@1", "P@1"], convention="ranx", no_relevant={"R": "skip"})
    assert ev.policy.no_relevant == "zero,R=skip"
    assert (ev["R@1"], ev["Hit@1"], ev["P@1"]) == (1 / 2, 1 / 3, 1 / 3)

    more = ev.policy.replace(no_relevant={"Hit": "one"})
    assert more.no_relevant == "zero,Hit=one,R=skip"
    assert more.replace(no_relevant={"other": "skip"}).no_relevant == "skip"  # starts anew
    assert more.replace(no_relevant="skip").no_relevant == "skip"


def test_counts_and_notes_say_what_became_of_the_query_for_each_measure() -> None:
    ev = rg.evaluate(QRELS, RUN, ["R@1", "R@5", "Hit@1"], no_relevant=BY)

    assert ev.counts["left_out_by"] == {"R@1": 1, "R@5": 1, "Hit@1": 0}
    (note,) = [n for n in ev.notes if "no relevant item" in n]
    assert note.en == (
        "1 of 3 queries has no relevant item (R@1, R@5: left out; Hit@1: counted as 0; no_relevant=skip,Hit=zero)"
    )
    assert note.zh == "3 个查询中有 1 个没有相关条目（R@1、R@5 不计入；Hit@1 计为 0；no_relevant=skip,Hit=zero）"
    assert "left_out_by" not in rg.evaluate(QRELS, RUN, ["R@1", "R@5"], no_relevant=BY).counts  # one word for both


def test_levels_of_measures_and_words_of_measures_go_together() -> None:
    qrels = {"q1": {"a": 2}, "q2": {"c": 1}, "q3": {"d": 0}}

    ev = rg.evaluate(qrels, RUN, ["R(rel=2)@1", "Hit@1"], no_relevant=BY)

    assert ev.counts["without_relevant_by"] == {"R(rel=2)@1": 2, "Hit@1": 1}
    assert ev.counts["left_out_by"] == {"R(rel=2)@1": 2, "Hit@1": 0}
    told = [n.en for n in ev.notes if "relevant to" in n]
    assert told == [
        "2 of 3 queries have nothing that is relevant to R(rel=2)@1 (left out; no_relevant=skip,Hit=zero)",
        "1 of 3 queries has nothing that is relevant to Hit@1 (counted as 0; no_relevant=skip,Hit=zero)",
    ]


def test_it_is_stored_and_compared() -> None:
    evs = {name: rg.evaluate(QRELS, RUN, ["R@1", "Hit@1"], no_relevant=BY) for name in "ab"}

    back = rg.Evaluation.from_dict(json.loads(json.dumps(evs["a"].to_dict())))

    assert back.policy == evs["a"].policy
    assert back.counts["left_out_by"] == {"R@1": 1, "Hit@1": 0}
    c = rg.compare({"a": back, "b": evs["b"]})
    assert {x.measure: x.n for x in c.contrasts} == {"R@1": 2, "Hit@1": 3}
    assert rg.compare(QRELS, {"a": RUN, "b": RUN}, "Hit@1", no_relevant=BY).contrasts[0].n == 3
    assert pickle.loads(pickle.dumps(back.policy)) == back.policy


def test_ties_and_micro_averages_follow_it() -> None:
    tied = {"q1": {"a": 0.5, "b": 0.5}, "q2": {"x": 2.0, "c": 1.0}, "q3": {"d": 1.0, "e": 1.0}}

    ev = rg.evaluate(QRELS, tied, ["R@1", "Hit@1"], no_relevant=BY, ties="expected")
    assert (ev["R@1"], ev["Hit@1"]) == (1 / 4, 1 / 6)
    with pytest.raises(ParameterError, match=r"cannot be 'one' there\. Pass no_relevant='skip' or 'zero'"):
        Policy(average="micro", no_relevant="Hit=one")


def test_pieces_from_disk_say_the_same(tmp_path: Path) -> None:
    rows = [(q, d, 1.0 / (i + 1)) for q, docs in RUN.items() for i, d in enumerate(docs)]
    frame = pl.DataFrame(rows, schema=["query_id", "doc_id", "score"], orient="row")
    frame.write_parquet(tmp_path / "run.parquet")

    near = rg.evaluate(QRELS, frame, ["R@1", "Hit@1"], no_relevant=BY)
    far = rg.evaluate(QRELS, tmp_path / "run.parquet", ["R@1", "Hit@1"], no_relevant=BY, engine="streaming")

    assert (far["R@1"], far["Hit@1"]) == (near["R@1"], near["Hit@1"]) == (1 / 2, 1 / 3)
    assert far.counts["left_out_by"] == near.counts["left_out_by"] == {"R@1": 1, "Hit@1": 0}


def test_the_command_line_says_it_by_measure(tmp_path: Path) -> None:
    (tmp_path / "q.json").write_text(json.dumps(QRELS), encoding="utf-8")
    (tmp_path / "r.json").write_text(json.dumps(RUN), encoding="utf-8")
    asked = ("evaluate", "q.json", "r.json", "-m", "R@1", "-m", "Hit@1", "--json")

    several = rankgauge(*asked, "--no-relevant", "R=skip", "--no-relevant", "Hit=zero", cwd=tmp_path)
    one = rankgauge(*asked, "--no-relevant", "Hit=zero", cwd=tmp_path)
    wrong = rankgauge(*asked, "--no-relevant", "Hit=nil", cwd=tmp_path, code=2)

    assert several.stdout == one.stdout
    assert json.loads(one.stdout)["policy"]["no_relevant"] == "skip,Hit=zero"
    assert "--no-relevant must be one of skip, zero, one, nan, got 'nil'" in wrong.stderr


def test_a_gate_takes_a_table_and_flags_are_laid_over_it(tmp_path: Path) -> None:
    (tmp_path / "q.json").write_text(json.dumps(QRELS), encoding="utf-8")
    (tmp_path / "r.json").write_text(json.dumps(RUN), encoding="utf-8")
    file = tmp_path / "gate.toml"
    file.write_text(
        'qrels = "q.json"\nrun = "r.json"\n[floors]\n"R@1" = 0.5\n"Hit@1" = 0.3\n'
        '[policy]\nno_relevant = {R = "skip", Hit = "zero"}\n',
        encoding="utf-8",
    )

    assert run_gate(Gate.from_toml(file)).evaluation.policy.no_relevant == "skip,Hit=zero"
    rankgauge("gate", "gate.toml", cwd=tmp_path, code=0)
    over = Gate.from_toml(file, {"policy": {"no_relevant": "R=one"}})
    assert run_gate(over).evaluation.policy.no_relevant == "skip,Hit=zero,R=one"
    anew = Gate.from_toml(file, {"policy": {"no_relevant": "zero"}})
    assert run_gate(anew).evaluation.policy.no_relevant == "zero"
    file.write_text(file.read_text(encoding="utf-8").replace('"zero"', '"nil"'), encoding="utf-8")
    with pytest.raises(InputError, match=r"policy: `no_relevant` must be one of skip, zero, one, nan, got 'nil'"):
        Gate.from_toml(file)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"R": "nil"}, ParameterError, r"must be one of skip, zero, one, nan, got 'nil'"),
        ({"Judged": "zero"}, ParameterError, "says nothing about Judged, which needs no relevant items"),
        ({"R@5": "zero"}, ParameterError, "said of measures by name, such as R, got 'R@5'"),
        ({"Rcall": "zero"}, UnknownName, "unknown measure 'Rcall'"),
        ({}, ParameterError, "must be one of skip, zero, one, nan, got {}"),
        ("R=", ParameterError, "must be one of skip, zero, one, nan, got 'R='"),
        ("skip,", None, ""),
        (3, ParameterError, "must be one of skip, zero, one, nan, got 3"),
    ],
)
def test_what_cannot_be_meant_is_an_error(given: Any, error: type[Exception] | None, said: str) -> None:
    if error is None:
        assert Policy(no_relevant=given).no_relevant == "skip"
        return
    with pytest.raises(error, match=said):
        rg.evaluate(QRELS, RUN, "R@1", no_relevant=given)


@pytest.mark.parametrize(
    ("said", "both"),
    [
        ("R=skip,R=zero", "'R' must have one word, got 'skip' and 'zero'"),
        ("skip,zero", "all measures must have one word, got 'skip' and 'zero'"),
        ({"R": "skip", "Recall": "zero"}, "'R' must have one word, got 'skip' and 'zero'"),
    ],
)
def test_two_words_for_one_measure_are_an_error_that_names_both(said, both):
    with pytest.raises(ParameterError, match=both):
        rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["R@1"], no_relevant=said)


def test_the_same_word_twice_is_that_word():
    assert rg.Policy(no_relevant="R=zero,R=zero").no_relevant == "skip,R=zero"
