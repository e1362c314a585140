"""Systems in several measures at once: domination by the paired differences, and what is only in the values."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.reporting import render

USERS = [f"u{i:02}" for i in range(60)]
TEST = {u: ["a"] for u in USERS}
FEW, MANY = [f"f{i}" for i in range(6)], [f"x{i}" for i in range(60)]
ITEMS = ["a", *FEW, *MANY]


def lists(seed: int, pool: list[str], ranks: tuple[int, int]) -> dict[str, list[str]]:
    """What is wanted at one of two ranks, among others of a pool."""
    rng = random.Random(seed)
    out = {}
    for u in USERS:
        others, rank = rng.sample(pool, 5), rng.choice(ranks)
        out[u] = [*others[: rank - 1], "a", *others[rank - 1 :]]
    return out


RUNS = {"right": lists(1, FEW, (1, 2)), "wide": lists(2, MANY, (2, 3)), "poor": lists(3, FEW[:5], (4, 5))}
"""The first is best in RR, the second in Coverage, the third in nothing."""


def traded(*measures: str, runs: Any = RUNS, **options: Any) -> rg.Tradeoff:
    evs = rg.evaluate(TEST, runs, ["RR", "Coverage@4", "ItemGini@4"], items=ITEMS)
    return evs.tradeoff(*(measures or ("RR", "Coverage@4")), **options)


def test_who_is_best_in_something_is_undominated_and_who_is_in_nothing_is_dominated():
    found = traded()

    for p in found.points:
        first = [RUNS[p.system][u] for u in USERS]
        expected = {
            "RR": sum(1 / (row.index("a") + 1) for row in first) / len(USERS),
            "Coverage@4": len({item for row in first for item in row[:4]}) / len(ITEMS),
        }
        assert p.value == pytest.approx(expected[p.measure])
    assert {name: found.standing(name) for name in RUNS} == {
        "right": "undominated",
        "wide": "undominated",
        "poor": "dominated",
    }
    assert found.dominators("poor") == ["wide"]
    assert found.word("wide", "right", "RR") == "worse"
    assert found.word("right", "wide", "RR") == "better"
    assert found.gain("right", "poor", "RR") == pytest.approx(found["right", "RR"].value - found["poor", "RR"].value)


def test_lower_is_better_is_asked_of_the_measure():
    found = traded("RR", "ItemGini@4")

    assert found.directions == {"RR": 1, "ItemGini@4": -1}
    assert found.gain("wide", "right", "ItemGini@4") > 0 > found["wide", "ItemGini@4"].value - 1
    assert found["wide", "ItemGini@4"].value < found["right", "ItemGini@4"].value
    assert found.dominators("poor") == ["right", "wide"]


def test_what_only_the_values_say_is_not_clear():
    test = {u: ["a"] for u in USERS}
    one = {u: ["a", "b"] if i % 2 else ["b", "a"] for i, u in enumerate(USERS)}
    two = one | {USERS[0]: ["a", "b"]}  # a single user is served better

    found = rg.evaluate(test, {"one": one, "two": two}, ["RR", "P@1"]).tradeoff()

    assert (found.standing("one"), found.dominators("one"), found.seeming_dominators("one")) == ("open", [], ["two"])
    assert found.standing("two") == "open"
    assert "not clear; by the values dominated by two" in str(found)


def test_a_margin_makes_nearly_equal_measures_no_obstacle():
    rng = np.random.default_rng(0)
    good = {u: ["a", "b", "c"] if rng.random() < 0.9 else ["b", "a"] for u in USERS}
    bad = {u: ["b", "c", "a"] for u in USERS}
    evs = rg.evaluate(TEST, {"good": good, "bad": bad}, ["RR", "R@3"])

    strict, loose = evs.tradeoff("RR", "R@3"), evs.tradeoff("RR", "R@3", margin=0.5)

    assert strict.word("good", "bad", "R@3") == "unchanged"  # all find it within 3
    assert strict.dominators("bad") == ["good"]
    assert loose.word("good", "bad", "R@3") == "equivalent"


def test_all_pairs_and_measures_are_corrected_together():
    found = traded()

    assert len(found.contrasts) == 3 * 2
    assert found.family == 3 * 2 - 1  # no single user matters to the coverage of right and poor: nothing to test there
    assert found.word("right", "poor", "Coverage@4") == "untested"
    two = rg.compare(dict(rg.evaluate(TEST, RUNS, ["RR"])), correction="none")
    raw = next(c for c in found.contrasts if (c.measure, c.system, c.baseline) == ("RR", "poor", "right"))
    assert raw.p_value == two["RR", "poor"].p_value
    assert raw.p_corrected >= raw.p_value


def test_some_measures_of_it_keep_the_correction():
    found = traded("RR", "Coverage@4", "ItemGini@4")
    two = found.among("RR", "Coverage@4")

    assert two.measures == ["RR", "Coverage@4"]
    assert two.family == found.family == 3 * 3 - 1
    assert [c.p_corrected for c in two.contrasts] == [
        c.p_corrected for c in found.contrasts if c.measure != "ItemGini@4"
    ]


def test_it_is_stored_and_comes_back():
    found = traded()
    again = rg.Record.from_dict(json.loads(found.to_json()))

    assert str(again) == str(found)
    assert again.to_frame().equals(found.to_frame())


def test_models_can_be_held_against_each_other_too():
    rng = np.random.default_rng(1)
    label = rng.integers(0, 2, 400)
    sharp = np.clip(label * 0.3 + rng.random(400) * 0.7, 0.01, 0.99)
    evs = rg.evaluate_predictions(
        {"label": label, "sharp": sharp, "noise": rng.random(400)}, ["AUC", "LogLoss"], scores=["sharp", "noise"]
    )

    found = evs.tradeoff("AUC", "LogLoss")

    assert found.directions == {"AUC": 1, "LogLoss": -1}
    assert found.dominators("noise") == ["sharp"]


def test_it_is_said_in_both_languages_and_drawn():
    found = traded()

    assert str(found).startswith("Do not trust the numbers of poor: relevant results lie at the end of the lists")
    assert "poor is dominated by wide, which is better in RR and Coverage@4. No other dominates right and" in str(found)
    assert "poor 被 wide 支配" in found.to_markdown(language="zh")
    assert rg.plot(found, "tradeoff", x="Coverage@4", y="RR").svg.count('class="hollow') == 1
    assert '<section id="tradeoff">' in rg.report(rg.evaluate(TEST, RUNS, ["RR", "Coverage@4"], items=ITEMS))
    assert '<section id="tradeoff">' not in rg.report(rg.evaluate(TEST, RUNS, ["RR", "P@1"]))


def test_what_cannot_be_held_against_each_other_is_an_error():
    evs = rg.evaluate(TEST, RUNS, ["RR", "P@1"])
    with pytest.raises(ParameterError, match="two measures or more"):
        evs.tradeoff("RR")
    with pytest.raises(UnknownName):
        evs.tradeoff("RR", "nDCG@10")
    with pytest.raises(InputError, match="two systems or more"):
        rg.tradeoff({"right": evs["right"]}, "RR", "P@1")
    with pytest.raises(UnknownName):
        evs.tradeoff().standing("nobody")


def test_a_chart_of_two_measures_of_several_says_what_else_it_is_corrected_for():
    alone, several = traded("RR", "Coverage@4"), traded("RR", "Coverage@4", "ItemGini@4")
    said = f"Corrected for {several.family} tests, those in other measures among them"

    assert several.family > alone.family
    assert said in rg.plot(several, "tradeoff", x="Coverage@4", y="RR").svg
    assert said in str(several.among("RR", "Coverage@4"))
    for of_all in (str(several), str(alone), rg.plot(alone, "tradeoff").svg):
        assert "in other measures among them" not in of_all
    page = rg.report(rg.evaluate(TEST, RUNS, ["RR", "Coverage@4", "ItemGini@4"], items=ITEMS))
    assert said in page
    rg.set_language("zh")
    assert f"已按 {several.family} 次检验校正，其中包括其他指标上的检验" in str(several.among("RR", "Coverage@4"))


def test_systems_that_did_not_change_are_called_the_same():
    twins = {"right": RUNS["right"], "again": RUNS["right"]}

    two, three = traded(runs=twins), traded(runs={**twins, "poor": RUNS["poor"]})

    assert two.same_as("right") == ["again"]
    assert str(two).startswith("right and again are the same in these measures: no query changed.\n")
    assert "not clear" not in str(two)
    assert "right   the same as again" in str(two)
    assert "right and again are the same in these measures" in str(three)
    assert "right and again it is not clear" not in str(three)
    assert three.same_as("poor") == []
    assert render(two, "text", language="zh").startswith("right、again 在这些指标上相同：没有任何查询发生变化。")


def test_a_measure_without_a_common_query_is_left_out_and_named():
    half = len(USERS) // 2
    good = {u: ["a", "f1"] if i < half else ["a", "?"] for i, u in enumerate(USERS)}
    other = {u: ["?", "a"] if i < half else ["f1", "a"] for i, u in enumerate(USERS)}
    kinds = {"a": "film", "f1": "song"}
    evs = rg.evaluate(TEST, {"good": good, "other": other}, ["RR", "P@1", "ILD@2"], items=kinds)

    found = evs.tradeoff()

    assert found.measures == ["RR", "P@1"]
    assert found.notes == ["ILD@2 is left out: two systems have no query that counts in it for both"]
    assert "未比较 ILD@2：有两个系统没有共同计入的查询" in render(found, "text", language="zh")
    with pytest.raises(InputError, match="no query counts in ILD@2 of both"):
        evs.tradeoff("RR", "ILD@2")


def test_what_casts_doubt_on_an_evaluation_is_said_of_its_trade_offs(tmp_path):
    test = {u: {"a": 1, "b": 0, "c": 0, "d": 0} for u in USERS}
    upside_down = {u: {"b": 4.0, "c": 3.0, "d": 2.0, "a": 1.0} for u in USERS}
    evs = rg.evaluate(test, {"right": {u: ["a", "b"] for u in USERS}, "turned": upside_down}, ["RR", "P@1"])
    assert [s.code for s in evs["turned"].suspicions if s.severity == "error"] == ["worst-first"]

    found = evs.tradeoff()

    assert [(s.system, s.code) for s in found.suspicions] == [(s.system, s.code) for s in evs.suspicions]
    assert str(found).startswith("Do not trust the numbers of turned")
    assert str(found.among("RR", "P@1")).startswith("Do not trust the numbers of turned")
    found.to_json(tmp_path / "found.json")
    assert str(rg.load(tmp_path / "found.json")) == str(found)
    assert "Do not trust the numbers of turned" in rg.report(found)
    newer = found.to_dict()
    newer["suspicions"][0]["code"] = "of-a-newer-version"
    assert not rg.Tradeoff.from_dict(newer).suspicions


def test_notes_of_the_evaluations_go_with_it():
    some = {u: row for u, row in RUNS["right"].items() if u != "u00"}
    evs = rg.evaluate(TEST, {"right": some, "poor": RUNS["poor"]}, ["RR", "P@1"])

    notes = rg.tradeoff(evs).notes

    assert notes == evs.compare().notes != []


@pytest.mark.parametrize("alpha", [5e-324, 1e-300, 1e-12])
def test_a_level_that_no_p_value_could_reach_is_refused(alpha: float):
    with pytest.raises(ParameterError, match=r"`alpha` must be between 1e-09 and 0.5, got"):
        traded(alpha=alpha)
    with pytest.raises(ParameterError, match=r"`alpha` must be between 1e-09 and 0.5, got"):
        rg.compare(dict(rg.evaluate(TEST, RUNS, ["RR"])), alpha=alpha)


def test_a_very_small_level_works():
    assert traded(alpha=2e-9).standing("poor") == "open"


def saved(folder: Path) -> list[str]:
    """Files of the test and of the runs, in this order."""
    for name, table in {"test": TEST, **RUNS}.items():
        rows = "".join(f"{u},{i},{9 - k}\n" for u, items in table.items() for k, i in enumerate(items))
        value = "grade" if name == "test" else "score"
        (folder / f"{name}.csv").write_text(f"query_id,doc_id,{value}\n" + rows)
    return [f"{name}.csv" for name in ("test", *RUNS)]


def test_the_command_says_what_the_function_says(tmp_path: Path):
    files, words = saved(tmp_path), ("-m", "RR", "-m", "Coverage@3", "--items", "items.csv")
    (tmp_path / "items.csv").write_text("\n".join(["item_id", *ITEMS]) + "\n")

    stored = json.loads(rankgauge("tradeoff", *files, *words, "--json", cwd=tmp_path).stdout)

    evs = rg.evaluate(
        tmp_path / "test.csv", {name: tmp_path / f"{name}.csv" for name in RUNS}, words[1:4:2], items=ITEMS
    )
    expected = rg.tradeoff(evs)
    assert rg.Tradeoff.from_dict(stored).csv_rows() == expected.csv_rows()
    shown = rankgauge("tradeoff", *files, *words, cwd=tmp_path).stdout
    assert shown.splitlines()[0] == str(expected).splitlines()[0]
    rows = rankgauge("tradeoff", *files, *words, "--csv", cwd=tmp_path).stdout.splitlines()
    assert len(rows) == 1 + 2 * len(RUNS)


def test_the_command_takes_stored_evaluations_at_their_level(tmp_path: Path):
    test, *runs = saved(tmp_path)
    for run in runs:
        done = rankgauge("evaluate", test, run, "-m", "RR", "-m", "P@1", "--confidence", "0.9", "--json", cwd=tmp_path)
        (tmp_path / f"{run}.json").write_text(done.stdout)

    stored = rankgauge("tradeoff", "--evaluations", *(f"{run}.json" for run in runs), "--json", cwd=tmp_path).stdout

    found = rg.Tradeoff.from_dict(json.loads(stored))
    assert (found.confidence_level, found.measures) == (0.9, ["RR", "P@1"])


@pytest.mark.parametrize(
    ("words", "english", "chinese"),
    [
        (
            ("test.csv", "right.csv", "-m", "RR", "-m", "P@1"),
            "tradeoff needs judgements and two runs or more: rankgauge tradeoff QRELS RUN RUN. Got 2 files.",
            "tradeoff 需要标注和两个或更多结果文件：rankgauge tradeoff QRELS RUN RUN。实际只有 2 个文件。",
        ),
        (
            ("--evaluations", "a.json", "b.json", "--rel", "2"),
            "--rel says how judgements and runs are read, and stored results are finished. Leave it out.",
            "--rel 说明标注和结果文件如何读取，而已保存的结果不会再计算。请去掉。",
        ),
    ],
)
def test_what_the_command_cannot_do_is_said_in_both_languages(words, english: str, chinese: str, tmp_path: Path):
    saved(tmp_path)
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text("{}")

    for language, said in (("en", english), ("zh", chinese)):
        refused = rankgauge("tradeoff", *words, cwd=tmp_path, code=2, language=language)
        assert said in " ".join(refused.stderr.split()) or said in refused.stderr.replace("\n", "")
