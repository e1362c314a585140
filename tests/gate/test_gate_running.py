"""Whole gates: what is evaluated, paired and decided together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import rankgauge as rg
from rankgauge.errors import InputError
from rankgauge.gate import Gate, PolicyWords, SliceRules, run_gate
from rankgauge.gate.checks import loss_of, part_of
from rankgauge.reporting import render

QUERIES = [f"q{i:02}" for i in range(24)]


def save(path: Path, ranks: dict[str, int]) -> str:
    lines = [f"{q} Q0 {'a' if i == r else f'x{i}'} {i} {9 - i} t\n" for q, r in ranks.items() for i in range(1, r + 1)]
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def place(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 a 1\n" for q in QUERIES))
    (tmp_path / "queries.csv").write_text(
        "query_id,language,group\n"
        + "".join(f"{q},{'zh' if i < 12 else 'en'},{i % 6}\n" for i, q in enumerate(QUERIES))
    )
    return {
        "qrels": str(tmp_path / "qrels.txt"),
        "run": save(tmp_path / "new.run", {q: 1 + i % 2 for i, q in enumerate(QUERIES)}),
    }


def test_a_stored_baseline_gives_the_same_decision_as_its_run(place: dict[str, Any], tmp_path: Path) -> None:
    old = save(tmp_path / "old.run", {q: 1 + i % 3 for i, q in enumerate(QUERIES)})
    rg.evaluate(place["qrels"], old, ["RR"]).to_json(tmp_path / "old.json")

    live, stored = (
        run_gate(Gate(**place, baseline=str(path), non_inferior={"RR": 0.01})) for path in (old, tmp_path / "old.json")
    )

    assert live.checks == stored.checks
    assert [note for note in stored.notes if "RR may not be judged alike" not in note] == []  # it has no ranks


def test_a_rule_under_another_name_is_the_same_measure(place: dict[str, Any]) -> None:
    result = run_gate(Gate(**place, measures=("RR", "P@1"), floors={"MRR": 0.7}))

    assert result.evaluation.labels == ["RR", "P@1"]
    assert result.checks[0].title == "RR >= 0.7"
    assert result.notes == ["without a rule: P@1 0.5000"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("counts"), "not what was stored"),
        (lambda d: d["query_ids"].pop(), "must have one value for each of its 23 queries"),
        (lambda d: d.pop("per_query"), "stored without per-query values"),
        (lambda d: d.update(kind="predictions"), "baseline '.*old.json'"),
        (lambda d: d["query_ids"].__setitem__(0, "other"), "1 of 24 queries are only in 'baseline'"),
        (lambda d: d["measures"][0].update(definition="RR@5"), "RR is RR@5 in 'baseline' and RR in 'run'"),
        (lambda d: d["fingerprint"].update(judgements="0"), "one of them is stale"),
        (lambda d: (d.update(one=dict(d), two=dict(d)), [d.pop(k) for k in list(d)[:-2]]), "must hold one evaluation"),
    ],
)
def test_a_stored_baseline_that_does_not_fit(place: dict[str, Any], tmp_path: Path, change: Any, message: str) -> None:
    data = rg.evaluate(place["qrels"], place["run"], ["RR"]).to_dict()
    change(data)
    (tmp_path / "old.json").write_text(json.dumps(data))

    with pytest.raises(InputError, match=message):
        run_gate(Gate(**place, baseline=str(tmp_path / "old.json"), non_inferior={"RR": 0.01}))


def test_a_stored_baseline_without_the_measure(place: dict[str, Any], tmp_path: Path) -> None:
    rg.evaluate(place["qrels"], place["run"], ["AP"]).to_json(tmp_path / "old.json")

    with pytest.raises(InputError, match=r"baseline '.*old\.json': RR was not evaluated\. There are: AP"):
        run_gate(Gate(**place, baseline=str(tmp_path / "old.json"), non_inferior={"RR": 0.01}))


def test_a_baseline_in_json_may_be_a_run(place: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(json.dumps({q: {"a": 1.0} for q in QUERIES}))

    result = run_gate(Gate(**place, baseline=str(tmp_path / "old.json"), non_inferior={"RR": 0.01}))

    assert result.baseline is not None
    assert result.baseline["RR"] == 1.0
    assert result.outcome == "fail"


def test_an_older_baseline_is_mentioned(place: dict[str, Any], tmp_path: Path) -> None:
    data = rg.evaluate(place["qrels"], place["run"], ["RR"]).to_dict()
    data.update(rankgauge="0.0.1", fingerprint={})
    (tmp_path / "old.json").write_text(json.dumps(data))

    notes = run_gate(Gate(**place, baseline=str(tmp_path / "old.json"), non_inferior={"RR": 0.01})).notes

    assert notes[0].startswith("the baseline was stored by rankgauge 0.0.1")
    assert notes[1] == "the stored baseline does not say which judgements it rests on"


def test_queries_that_only_one_counts_are_mentioned(place: dict[str, Any], tmp_path: Path) -> None:
    old = save(tmp_path / "old.run", {q: 1 + i % 2 for i, q in enumerate(QUERIES[:20])})

    result = run_gate(
        Gate(**place, baseline=old, non_inferior={"RR": 0.01}, policy=PolicyWords(missing="skip")),
    )

    assert result.notes == ["RR: systems count different queries; paired on the 20 that all count"]
    assert result.checks[0].n == 20


# slices


def sliced(place: dict[str, Any], tmp_path: Path, **slices: Any) -> Any:
    return Gate.from_flags(
        **place,
        baseline=str(tmp_path / "old.run"),
        slices={"file": str(tmp_path / "queries.csv"), **slices},
        slice_non_inferior=["RR:0.01"],
    )


def test_slices_of_enough_queries_are_checked(place: dict[str, Any], tmp_path: Path) -> None:
    save(tmp_path / "old.run", {q: 1 + i % 2 for i, q in enumerate(QUERIES)})

    result = run_gate(sliced(place, tmp_path, min_queries=10))

    assert [(c.slice, c.n, c.outcome) for c in result.checks] == [
        ("language=en", 12, "pass"),
        ("language=zh", 12, "pass"),
    ]
    assert result.notes == [
        "slices with fewer than 10 queries are not checked: group=0 (4), group=1 (4), group=2 (4), group=3 (4), "
        "group=4 (4) and 1 more"
    ]


def test_slices_by_one_attribute(place: dict[str, Any], tmp_path: Path) -> None:
    save(tmp_path / "old.run", dict.fromkeys(QUERIES, 3))

    result = run_gate(sliced(place, tmp_path, attributes=["group"], min_queries=4))

    assert [c.slice for c in result.checks] == [f"group={i}" for i in range(6)]


def test_one_bad_slice_of_many_may_be_chance(place: dict[str, Any], tmp_path: Path) -> None:
    """The p-value of one slice is just below alpha: it fails alone and is not settled among others."""
    bad = QUERIES[::6]  # group 0
    old = dict.fromkeys(QUERIES, 1) | dict.fromkeys(bad, 2)
    new = old | dict(zip(bad, (4, 3, 4, 2), strict=True))  # -1/4 -1/6 -1/4 0
    save(tmp_path / "old.run", old)
    place["run"] = save(tmp_path / "new.run", new)

    result = run_gate(sliced(place, tmp_path, attributes=["group"], min_queries=4))

    assert result.baseline is not None
    in_group = result.evaluation.per_query["query_id"].is_in(bad).to_numpy()
    alone = loss_of(part_of(result.evaluation, in_group), result.baseline, "RR", 0.01)
    assert 0.05 / 6 < alone.p_worse < 0.05
    assert alone.check().outcome == "fail"
    assert [c.outcome for c in result.checks] == ["inconclusive", *["pass"] * 5]
    assert "beyond it but not when corrected for 6 slices" in result.checks[0].message


@pytest.mark.parametrize(
    ("slices", "message"),
    [
        ({"min_queries": 100}, "no slice has 100 queries for RR, the largest has 12"),
        ({"attributes": ["langage"]}, r"no attribute 'langage' to slice by. Did you mean language\?"),
    ],
)
def test_slices_that_are_not_there(place: dict[str, Any], tmp_path: Path, slices: Any, message: str) -> None:
    save(tmp_path / "old.run", dict.fromkeys(QUERIES, 3))

    with pytest.raises(InputError, match=message):
        run_gate(sliced(place, tmp_path, **slices))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("none.jsonl", None, "slices file '.*none.jsonl' does not exist"),
        ("bad.json", '{"a":', "slices 'bad.json', line 1: not valid JSON"),
        ("bad.csv", 'query_id,x\n"a,b\n1,2,3\n', "slices 'bad.csv', line 2"),
        ("other.csv", "query_id,x\nz,1\n", "slices file '.*other.csv': none of the 24 queries is in the slice table"),
    ],
)
def test_a_bad_file_of_slices(place: dict[str, Any], tmp_path: Path, name: str, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)

    with pytest.raises(InputError, match=message):
        run_gate(Gate.from_flags(**place, slices={"file": str(tmp_path / name)}, slice_floors=["RR>=0.1"]))


# the record


def test_the_record_in_every_form(place: dict[str, Any], tmp_path: Path) -> None:
    old = save(tmp_path / "old.run", {q: 1 + (i // 2) % 2 for i, q in enumerate(QUERIES)})
    gate = Gate(**place, baseline=old, floors={"RR": 0.9}, non_inferior={"RR": 0.01}, ceilings={"duplicates": 0})

    result = run_gate(gate)

    assert [c.outcome for c in result.checks] == ["fail", "inconclusive", "pass"]
    assert (result.outcome, result.exit_code) == ("fail", 1)
    assert result.decision == "FAIL: 1 of 3 checks failed (RR >= 0.9), 1 inconclusive"
    assert str(result).splitlines()[0] == result.decision
    assert result.to_csv().splitlines()[1].startswith("floor,RR >= 0.9,RR,0.75,0.9,fail,")
    assert "<table>" in result.to_html()
    record = json.loads(result.to_json(tmp_path / "r.json"))
    assert record == json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert (record["baseline"], record["run"]) == ("old", "new")
    assert record["checks"][2]["low"] is None
    cases = ET.fromstring(result.to_junit()).findall(".//testcase")
    assert [[child.tag for child in case] for case in cases] == [["failure"], ["skipped"], ["system-out"]]


def test_junit_of_slices_with_strange_names_is_still_xml(place: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "queries.json").write_text(json.dumps({q: {"kind": 'a<b>&"\x01'} for q in QUERIES}))
    gate = Gate.from_flags(**place, slices={"file": str(tmp_path / "queries.json")}, slice_floors=["RR>=0.1"])

    case = ET.fromstring(run_gate(gate).to_junit()).find(".//testcase")

    assert case is not None
    assert case.get("name") == 'RR >= 0.1 [kind=a<b>&" ]'


def test_a_pooled_measure_is_paired_by_what_each_query_adds_to_it(tmp_path: Path) -> None:
    """Recall of the one query with 30 relevant items weighs more than that of all others together."""
    relevant = {q: ["a"] if i else [f"d{j}" for j in range(30)] for i, q in enumerate(QUERIES)}
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} 1\n" for q, items in relevant.items() for d in items))
    old, new = ({q: [*items[:cut], "x"] for q, items in relevant.items()} for cut in (30, 3))
    for name, lists in (("old", old), ("new", new)):
        lines = [f"{q} Q0 {d} {i} {-i} t\n" for q, items in lists.items() for i, d in enumerate(items, 1)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    paths = {k: str(tmp_path / f) for k, f in (("qrels", "qrels.txt"), ("run", "new.run"), ("baseline", "old.run"))}

    gate = Gate(**paths, policy=PolicyWords(average="micro"), non_inferior={"R@40": 0.05})
    (check,) = run_gate(gate).checks

    assert check.value == pytest.approx(26 / 53 - 1)
    assert check.outcome == "inconclusive"  # all of it is one query
    assert check.worst == [("q00", pytest.approx(-0.9))]


# suspicious input


def save_reversed(path: Path) -> str:
    """Ten results for each query, the relevant one last: a run that is stored worst first."""
    rows = [f"{q} Q0 {'a' if i == 10 else f'x{i}'} {i} {20 - i} t\n" for q in QUERIES for i in range(1, 11)]
    path.write_text("".join(rows), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("allow", [False, True])
def test_a_run_stored_worst_first_decides_nothing(place: dict[str, Any], tmp_path: Path, allow: bool) -> None:
    place["run"] = save_reversed(tmp_path / "reversed.run")
    result = run_gate(Gate(**place, floors={"RR": 0.05}, allow_inconclusive=allow))

    assert [c.outcome for c in result.checks] == ["pass"]
    assert (result.outcome, result.exit_code) == ("inconclusive", 3)
    assert result.decision == "INCONCLUSIVE: the input is suspicious (worst-first); no check counts"
    assert str(result).startswith("Do not trust the numbers of reversed: ")


def test_a_failure_that_rests_on_suspicious_input_is_no_regression(place: dict[str, Any], tmp_path: Path) -> None:
    place["run"] = save_reversed(tmp_path / "reversed.run")

    assert run_gate(Gate(**place, floors={"RR": 0.9})).exit_code == 3


def test_rows_of_checks_that_do_not_count_read_so(place: dict[str, Any], tmp_path: Path) -> None:
    place["run"] = save_reversed(tmp_path / "reversed.run")
    result = run_gate(Gate(**place, floors={"RR": (0.05, 0.9)}))
    rows = [line.split()[:2] for line in str(result).splitlines() if " RR >= " in line]

    assert rows == [["not", "counted"]] * 2
    assert "fail" not in str(result)
    assert render(result, "text", "zh").count("不作数") == 3
    assert "失败" not in render(result, "text", "zh")
    assert [row["outcome"] for row in result.csv_rows()] == ["not counted"] * 2


def test_a_pass_by_the_mean_alone_is_said_and_names_the_way_to_ask_for_more(
    place: dict[str, Any], tmp_path: Path
) -> None:
    """RR is 1 and 1/2 in turn: 0.75, at 90% 0.71 … 0.79."""
    result = run_gate(Gate(**place, floors={"RR": (0.74, 0.5)}))

    assert (result.exit_code, result.decision) == (0, "PASS: 2 of 2 checks, 1 of them not certain")
    told = "not certain (the value keeps to the limit, its interval does not; `certain` asks for both): RR >= 0.74\n"
    assert told in str(result)
    assert "不够确定（数值符合要求，但置信区间没有完全符合；用 `certain` 可要求两者都符合）：RR >= 0.74\n" in (
        render(result, "text", "zh")
    )
    assert run_gate(Gate(**place, floors={"RR": 0.74}, certain=True)).exit_code == 3
    assert "not certain" not in str(run_gate(Gate(**place, floors={"RR": 0.5})))
    result.to_json(tmp_path / "gate.json")
    assert rg.load(tmp_path / "gate.json").decision == result.decision


def test_an_accepted_suspicion_lets_the_rules_decide_and_is_still_said(place: dict[str, Any], tmp_path: Path) -> None:
    place["run"] = save_reversed(tmp_path / "reversed.run")
    passed, failed = (run_gate(Gate(**place, floors={"RR": x}, accept=("worst-first",))) for x in (0.05, 0.9))

    assert (passed.exit_code, failed.exit_code) == (0, 1)
    assert "accepted: reversed: relevant results lie at the end" in str(passed)
    assert passed.to_dict()["accept"] == ["worst-first"]
    assert [s["code"] for s in passed.to_dict()["suspicions"]] == ["worst-first"]


def test_another_code_does_not_lift_it(place: dict[str, Any], tmp_path: Path) -> None:
    place["run"] = save_reversed(tmp_path / "reversed.run")

    assert run_gate(Gate(**place, floors={"RR": 0.05}, accept=("id-mismatch",))).exit_code == 3


def test_a_suspicious_baseline_decides_nothing_even_when_it_was_stored(place: dict[str, Any], tmp_path: Path) -> None:
    old = save_reversed(tmp_path / "old.run")
    rg.evaluate(place["qrels"], old, ["RR"]).to_json(tmp_path / "old.json")
    for baseline in (old, str(tmp_path / "old.json")):
        result = run_gate(Gate(**place, baseline=baseline, non_inferior={"RR": 0.01}))

        assert (result.checks[0].outcome, result.exit_code) == ("pass", 3)


def test_a_code_that_is_none_is_refused_with_a_suggestion(place: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"no suspicion 'worst_first' to accept\. Did you mean worst-first"):
        Gate(**place, floors={"RR": 0.5}, accept=("worst_first",))


def test_junit_shows_suspicious_input_as_a_case_that_was_not_settled(place: dict[str, Any], tmp_path: Path) -> None:
    place["run"] = save_reversed(tmp_path / "reversed.run")
    suite = ET.fromstring(run_gate(Gate(**place, floors={"RR": 0.05})).to_junit())[0]

    assert suite.attrib["tests"] == "2"
    assert suite.attrib["skipped"] == "1"
    assert suite[0].attrib["name"] == "worst-first"


def test_every_rule_on_one_measure_is_checked_and_shown(place: dict[str, Any], tmp_path: Path) -> None:
    old = save(tmp_path / "old.run", dict.fromkeys(QUERIES, 1))  # RR falls from 1 to 3/4, by 0 and 1/2 in turn
    gate = Gate(
        **place,
        baseline=old,
        floors={"RR": (0.9, 0.5)},
        non_inferior={"RR": [0.01, 0.6]},  # type: ignore[dict-item]
        ceilings={"duplicates": (0, 0.5)},
        slices=SliceRules(
            file=str(tmp_path / "queries.csv"), attributes=("language",), floors={"RR": (0.8, 0.7)}, min_queries=2
        ),
    )

    result = run_gate(gate)

    titles = {c.name: c.outcome for c in result.checks}
    assert titles == {
        "RR >= 0.9": "fail",
        "RR >= 0.5": "pass",
        "RR not worse by more than 0.01": "fail",
        "RR not worse by more than 0.6": "pass",
        "duplicates <= 0": "pass",
        "duplicates <= 0.5": "pass",
        **{f"RR >= {limit} [language={x}]": o for limit, o in (("0.8", "fail"), ("0.7", "pass")) for x in ("en", "zh")},
    }
    assert result.exit_code == 1
    cases = {c.get("name") for c in ET.fromstring(result.to_junit()).iter("testcase")}
    assert cases == set(titles)
    assert [c["title"] for c in result.to_dict()["checks"]] == [c.title for c in result.checks]
    assert all(str(title) in str(result) for title in ("RR >= 0.9", "RR >= 0.5", "RR not worse by more than 0.6"))
    page = rg.report([result])
    assert all(title in page for title in ("RR &gt;= 0.9", "RR &gt;= 0.5", "RR not worse by more than 0.6"))


# standards


def test_the_levels_of_production_are_floors(place: dict[str, Any]) -> None:
    def checked(level: str | None) -> dict[str, tuple[float, str]]:
        return {
            c.measure: (c.limit, c.outcome) for c in run_gate(Gate(**place, standard="production", level=level)).checks
        }

    # RR is 0.75, R@5 1; with one relevant item P@5 cannot pass 0.2
    assert checked(None) == checked("minimum") == {"R@5": (0.7, "pass"), "P@5": (0.6, "fail"), "RR": (0.5, "pass")}
    assert checked("good") == {"R@5": (0.8, "pass"), "P@5": (0.75, "fail"), "RR": (0.7, "pass")}
    assert checked("excellent") == {"R@5": (0.85, "pass"), "P@5": (0.8, "fail"), "RR": (0.8, "fail")}


def test_a_figure_that_no_list_can_reach_is_said_and_a_floor_takes_its_place(place: dict[str, Any]) -> None:
    result = run_gate(Gate(**place, standard="production"))
    told = "P@5 cannot pass 0.200 with these judgements, whatever the run: give a floor of your own for it"
    assert told in result.notes
    assert "R@5, P@5, RR: figures of production, minimum (“Core concepts: retrieval quality measures”)" in result.notes

    own = run_gate(Gate(**place, standard="production", floors={"Precision@5": 0.15}))
    assert {c.measure: c.limit for c in own.checks} == {"R@5": 0.7, "RR": 0.5, "Precision@5": 0.15}
    assert own.outcome == "pass"
    assert told not in own.notes


def test_the_benchmarks_of_a_scenario_are_a_standard_too(place: dict[str, Any]) -> None:
    result = run_gate(Gate(**place, standard="faq"))

    assert {c.measure: c.limit for c in result.checks} == {"RR": 0.85, "Hit@3": 0.9, "P@3": 0.8}


def test_figures_of_your_own_are_relative_to_the_gate_file(place: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text('[production.minimum.figures]\n"RR" = 0.6\n')
    (tmp_path / "gate.toml").write_text(
        'qrels = "qrels.txt"\nrun = "new.run"\nstandard = "production"\nstandards = "ours.toml"\n'
    )

    result = run_gate(Gate.from_toml(tmp_path / "gate.toml"))

    assert {c.measure: c.limit for c in result.checks}["RR"] == 0.6


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            {"standard": "prod"},
            "`standard` must be one of production, faq, document_qa, academic, enterprise, got 'prod'",
        ),
        ({"standard": "production", "level": "best"}, "unknown level 'best'"),
        ({"standard": "faq", "level": "good"}, "`level` is for the standard production"),
        ({"standard": "news"}, "the scenario news has no benchmarks"),
        ({"level": "good"}, "`level` needs a `standard`"),
    ],
)
def test_a_standard_that_nobody_knows_is_an_error(place: dict[str, Any], words: dict[str, str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        Gate(**place, **words)


@pytest.mark.parametrize(
    ("n", "why"),
    [(1, "and there is no interval"), (3, "but all values are the same, and so few of them prove nothing")],
)
def test_a_doubt_names_no_interval_that_is_not_there(tmp_path: Path, n: int, why: str):
    files = tmp_path / "qrels.json", tmp_path / "run.json"
    for file, value in zip(files, ({"a": 1}, ["a"]), strict=True):
        file.write_text(json.dumps({f"q{i}": value for i in range(n)}))

    (doubt,) = run_gate(Gate(qrels=str(files[0]), run=str(files[1]), floors={"RR": 0.9})).doubts

    assert why in doubt
    assert "its interval does not" not in doubt
