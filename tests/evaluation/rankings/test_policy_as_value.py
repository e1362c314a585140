"""A policy is a value: it goes from one evaluation to the next, words change it one by one, and it is written once."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from inspect import signature
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge.cli.app import _loaded
from rankgauge.comparison import movements
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.policy_fields import fields_of
from rankgauge.evaluation.predictions.policy import PredictionPolicy, PredictionWords
from rankgauge.evaluation.rankings.policy import Policy, PolicyWords
from rankgauge.gate import Gate, GatePolicy, run_gate
from rankgauge.integrations.pytest_plugin import RankingAssertions

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}, "q3": {"d": 0}}
RUN = {"q1": {"b": 0.5, "a": 0.5}, "q3": {"x": 1.0}}  # a tie, a missing query, one without anything relevant
ROWS = {"label": [0, 1, 0, 1], "score": [-1.0, 0.3, 0.2, 2.0]}

# R@1 of q1 is 1 as given or by id (b > a: 0), q2 is missing (0 unless left out), q3 has nothing relevant


def test_a_policy_takes_another_run_through_the_same_rules() -> None:
    ev = rg.evaluate(QRELS, RUN, "R@1", ties="best", missing="skip")

    again = rg.evaluate(QRELS, RUN, "R@1", policy=ev.policy)

    assert (ev["R@1"], again["R@1"]) == (1.0, 1.0)
    assert again.policy == ev.policy == Policy(ties="best", missing="skip")


def test_words_win_over_a_policy_one_by_one() -> None:
    policy = Policy(ties="best", missing="skip")

    assert rg.evaluate(QRELS, RUN, "R@1", policy=policy, missing="zero")["R@1"] == 1 / 2
    assert rg.evaluate(QRELS, RUN, "R@1", policy=policy, ties="worst")["R@1"] == 0
    assert rg.evaluate(QRELS, RUN, "R@1", policy=policy, missing=None).policy == policy


def test_a_policy_wins_over_the_words_of_a_convention_and_leaves_it_its_parameters() -> None:
    by_name = rg.evaluate(QRELS, RUN, "nDCG@10", convention="elasticsearch")
    both = rg.evaluate(QRELS, RUN, "nDCG@10", convention="elasticsearch", policy=Policy(missing="skip"))

    assert by_name.policy.no_relevant == "zero"
    assert both.policy == Policy(missing="skip")
    assert str(both.columns[0].measure) == "nDCG(gain=exponential, ideal=returned)@10"


def test_an_evaluation_is_repeated_by_its_convention_and_its_policy() -> None:
    ev = rg.evaluate(QRELS, RUN, ["nDCG@10", "RBP"], convention="trec_eval", ties="input", depth=3)

    again = rg.evaluate(QRELS, RUN, ["nDCG@10", "RBP"], convention=ev.convention, policy=ev.policy)

    assert again.to_dict() == ev.to_dict()


@pytest.mark.parametrize(
    "call",
    [
        lambda **o: rg.evaluate(QRELS, RUN, "R@1", **o),
        lambda **o: rg.compare(QRELS, {"a": RUN, "b": RUN}, "R@1", **o),
        lambda **o: rg.funnel(QRELS, {"a": RUN}, **o),
        lambda **o: rg.evaluate_predictions(ROWS, **o),
        lambda **o: rg.reliability(ROWS, **o),
    ],
)
def test_what_is_no_policy_is_refused(call: Any) -> None:
    with pytest.raises(
        ParameterError, match=r"`policy` must be a \w*Policy, such as that of an evaluation .*, got 'in"
    ):
        call(policy="input")


def test_weights_beside_a_policy_that_does_not_weigh_are_refused() -> None:
    weights = {"q1": 1, "q2": 3, "q3": 1}

    with pytest.raises(ParameterError, match=r"the policy says average='macro'\. Pass average='weighted' as well"):
        rg.evaluate(QRELS, RUN, "R@1", policy=Policy(), weights=weights)
    ev = rg.evaluate(QRELS, RUN, "R@1", policy=Policy(ties="best"), weights=weights, average="weighted")
    assert ev["R@1"] == 1 / 4
    assert rg.evaluate(QRELS, RUN, "R@1", policy=ev.policy, weights=weights)["R@1"] == 1 / 4
    with pytest.raises(ParameterError, match="average='weighted' needs weights"):
        rg.evaluate(QRELS, RUN, "R@1", policy=ev.policy)


@pytest.mark.parametrize("call", [rg.evaluate, rg.compare, rg.evaluate_predictions])
@pytest.mark.parametrize(("typed", "meant"), [("polcy", "policy"), ("colunms", "columns")])
def test_an_argument_that_there_is_not_is_a_type_error_as_always(call: Any, typed: str, meant: str) -> None:
    with pytest.raises(TypeError, match=rf"got an unexpected keyword argument '{typed}'. Did you mean {meant}\?"):
        call(QRELS, RUN, "R@1", **{typed: 1}) if call is not rg.evaluate_predictions else call(ROWS, **{typed: 1})


def test_a_misspelt_word_is_told_the_word() -> None:
    with pytest.raises(TypeError, match=r"evaluate\(\) got an unexpected keyword argument 'tie'. Did you mean ties\?"):
        rg.evaluate(QRELS, RUN, "R@1", tie="best")  # type: ignore[call-overload]


# the others that take words


def test_compare_takes_a_policy_and_words() -> None:
    policy = Policy(ties="best", missing="skip")

    c = rg.compare(QRELS, {"a": RUN, "b": RUN}, "R@1", policy=policy, missing="zero")

    assert c.evaluations["b"].policy == Policy(ties="best")
    assert c.contrasts[0].mean == 1 / 2


@pytest.mark.parametrize(
    "late",
    [{"policy": Policy()}, {"ties": "input"}, {"convention": "ranx"}, {"weights": {"q1": 1}}, {"strict": True}],
    ids=lambda o: next(iter(o)),
)
def test_compare_refuses_to_say_how_finished_evaluations_are_computed(late: dict[str, Any]) -> None:
    evs = {name: rg.evaluate(QRELS, RUN, "R@1") for name in "ab"}

    with pytest.raises(ParameterError, match=f"these evaluations are finished, and `{next(iter(late))}` says how"):
        rg.compare(evs, **late)


def test_the_command_refuses_it_too(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        rg.evaluate(QRELS, RUN, "R@1").to_json(tmp_path / name)

    done = rankgauge("compare", "--evaluations", "a.json", "b.json", "--ties", "input", cwd=tmp_path, code=2)

    assert "these evaluations are finished, and --ties says how to evaluate" in done.stderr


def test_a_gate_takes_a_policy(tmp_path: Path) -> None:
    (tmp_path / "q.json").write_text(json.dumps(QRELS), encoding="utf-8")
    (tmp_path / "r.json").write_text(json.dumps(RUN), encoding="utf-8")
    paths = {"qrels": str(tmp_path / "q.json"), "run": str(tmp_path / "r.json"), "floors": {"R@1": 0.4}}

    ev = run_gate(Gate(**paths, policy=Policy(ties="best", missing="skip"))).evaluation

    assert ev.policy == Policy(ties="best", missing="skip")
    as_dict = Gate(**paths, policy={"convention": "trec_eval", "ties": "best"})
    assert as_dict == Gate(**paths, policy=GatePolicy(convention="trec_eval", ties="best"))
    assert run_gate(as_dict).evaluation.policy == Policy(ties="best", missing="skip", no_relevant="zero")
    with pytest.raises(InputError, match=r"unknown key `policy.tie`. Did you mean ties\?"):
        Gate(**paths, policy={"tie": "best"})
    with pytest.raises(InputError, match="policy must be a Policy, or a dict of policy words, got 'best'"):
        Gate(**paths, policy="best")  # type: ignore[arg-type]


def test_a_funnel_takes_what_it_follows_of_a_policy() -> None:
    stages = {"one": RUN}

    assert rg.funnel(QRELS, stages, k=1, policy=Policy(ties="best")).fates["shown"] == 1
    assert rg.funnel(QRELS, stages, k=1, policy=Policy(ties="best"), ties="worst").fates["shown"] == 0
    assert rg.funnel({"q": {"a": 2, "b": 1}}, {"one": {"q": ["a"]}}, policy=Policy(rel=2)).n_relevant == 1
    with pytest.raises(ParameterError, match="funnel: `policy` must have missing='zero', which is what is done here"):
        rg.funnel(QRELS, stages, policy=Policy(missing="skip"))


def test_the_lists_of_a_query_stand_under_the_policy_and_ties_beside_it() -> None:
    run = {"q1": {"a": 0.5, "b": 0.5}}

    def shown(**how: Any) -> list[str]:
        (found,) = movements(QRELS, run, run, ["q1"], "RR", **how)
        return [x.item_id for x in found.items]

    assert shown() == shown(policy=Policy(ties="input"), ties="doc_id") == ["b", "a"]
    assert shown(ties="input") == shown(policy=Policy(ties="input")) == ["a", "b"]


def test_predictions_take_a_policy_and_words() -> None:
    ev = rg.evaluate_predictions(ROWS, ["LogLoss"], scale="logit", negatives_kept=0.5)

    assert ev.policy == PredictionPolicy("logit", 0.5)
    assert rg.evaluate_predictions(ROWS, ["LogLoss"], policy=ev.policy)["LogLoss"] == ev["LogLoss"]
    assert (
        rg.evaluate_predictions(ROWS, ["AUC"], policy=PredictionPolicy("logit"), scale="score").policy.scale == "score"
    )
    assert rg.reliability(ROWS, bins=2, policy=ev.policy).bins == rg.reliability(ev, bins=2).bins
    with pytest.raises(ParameterError, match="with scale='score' there are none"):
        rg.evaluate_predictions(ROWS, policy=ev.policy, scale="score")


def test_the_policy_of_an_evaluation_in_groups_is_about_words_not_columns() -> None:
    grouped = rg.evaluate_predictions({**ROWS, "user_id": [1, 1, 2, 2]}, ["AUC"], scale="logit")

    assert grouped.policy.clusters == "user_id"
    assert rg.evaluate_predictions(ROWS, ["AUC"], policy=grouped.policy).policy == PredictionPolicy("logit")


# one place


def test_a_word_lists_its_default_first_and_means_something_in_both_languages() -> None:
    for policy in (Policy, PredictionPolicy):
        for name, f in fields_of(policy).items():
            assert f.default == getattr(policy(), name) == next(iter(f.choices), None)
            for text in (f.about, *f.choices.values()):
                assert text.en.isascii()
                assert any("\u4e00" <= c <= "\u9fff" for c in text.zh)


@pytest.mark.parametrize(("policy", "words"), [(Policy, PolicyWords), (PredictionPolicy, PredictionWords)])
def test_those_who_check_types_know_the_same_words(policy: type, words: type) -> None:
    kinds = {name: f.kind for name, f in fields_of(policy).items()}
    typed = {name: _one_type(kind) for name, kind in get_type_hints(words).items()}

    assert typed == kinds
    assert {name: _one_type(get_type_hints(policy)[name]) for name in kinds} == kinds


def _one_type(kind: Any) -> Any:
    """`str | None` → str."""
    return next(t for t in get_args(kind) if t is not type(None)) if isinstance(kind, UnionType) else kind


def test_everybody_who_takes_words_takes_all_of_them() -> None:
    words = set(fields_of(Policy))

    assert words == {f.name for f in fields(Policy)}
    assert {f.name for f in msgspec.structs.fields(GatePolicy)} == words | {"convention"}
    for name in ("evaluate", "compare", "gate", "diagnose", "plot"):
        assert words <= {p.name for p in _loaded(name).params}, name
    for name in ("predictions", "calibrate", "plot"):
        assert set(fields_of(PredictionPolicy)) <= {p.name for p in _loaded(name).params}, name
    for call in (rg.evaluate, rg.compare, RankingAssertions.assert_not_worse):
        assert not words & set(signature(call).parameters), "words are passed on whole"


MADE_UP = """    colour: str = words(
        Text("what lists are painted in", "列表的颜色"),
        blue=Text("lists are blue", "列表是蓝色的"),
        red=Text("lists are red", "列表是红色的"),
    )

    def __post_init__"""

SEEN = """
import json, sys
import rankgauge as rg
from rankgauge.cli import main
from rankgauge.gate import Gate, run_gate
from rankgauge.integrations.pytest_plugin import RankingAssertions
from rankgauge.reporting.reference import policies_page

qrels, run = {"q": {"a": 1}}, {"q": ["a"]}
assert rg.evaluate(qrels, run).policy.colour == "blue"
ev = rg.evaluate(qrels, run, "RR", colour="red")
assert ev.policy.colour == "red" and "colour=red" in str(ev)
assert rg.evaluate(qrels, run, "RR", policy=ev.policy).policy.colour == "red"
assert rg.Evaluation.from_dict(ev.to_dict()).policy == ev.policy
assert rg.compare(qrels, {"a": run, "b": run}, "RR", colour="red").evaluations["a"].policy.colour == "red"
RankingAssertions().assert_not_worse(qrels, ev, run, "RR", margin=1.0, allow_inconclusive=True, colour="red")
try:
    rg.evaluate(qrels, run, colour="green")
except rg.errors.ParameterError as e:
    assert str(e) == "`colour` must be one of blue, red, got 'green'."
json.dump(qrels, open("q.json", "w")), json.dump(run, open("r.json", "w"))
open("gate.toml", "w").write('qrels = "q.json"\\nrun = "r.json"\\n[floors]\\nRR = 0.5\\n[policy]\\ncolour = "red"\\n')
assert run_gate(Gate.from_toml("gate.toml")).evaluation.policy.colour == "red"
assert main(["evaluate", "q.json", "r.json", "-m", "RR", "--colour", "red"]) == 0
assert main(["gate", "gate.toml", "--colour", "blue"]) == 0
assert main(["compare", "--help"]) == 0
assert "### `colour`" in policies_page()
"""


SEEN_OF_PREDICTIONS = """
import rankgauge as rg
from rankgauge.cli import main
from rankgauge.reporting.reference import policies_page

rows = {"label": [0, 1, 0, 1], "score": [0.1, 0.3, 0.2, 0.9]}
assert rg.evaluate_predictions(rows, ["AUC"]).policy.colour == "blue"
ev = rg.evaluate_predictions(rows, ["AUC"], colour="red")
assert ev.policy.colour == "red" and "colour=red" in str(ev) and "colour=red" in str(ev.policy)
assert rg.evaluate_predictions(rows, ["AUC"], policy=ev.policy).policy.colour == "red"
assert rg.Evaluation.from_dict(ev.to_dict()).policy == ev.policy
try:
    rg.evaluate_predictions(rows, colour="green")
except rg.errors.ParameterError as e:
    assert str(e) == "`colour` must be one of blue, red, got 'green'."
open("p.csv", "w").write("label,score\\n0,0.1\\n1,0.3\\n0,0.2\\n1,0.9\\n")
assert main(["predictions", "p.csv", "-m", "AUC", "--colour", "red"]) == 0
assert main(["predictions", "p.csv", "-m", "AUC", "--colour", "blue"]) == 0
assert main(["plot", "roc", "p.csv", "--colour", "red"]) == 0
assert main(["calibrate", "--help"]) == 0
assert "### `colour`" in policies_page()
"""


@pytest.mark.parametrize(("kind", "seen"), [("rankings", SEEN), ("predictions", SEEN_OF_PREDICTIONS)])
def test_a_made_up_word_is_written_in_one_place_and_reaches_everybody(tmp_path: Path, kind: str, seen: str) -> None:
    package = shutil.copytree(Path(rg.__file__).parent, tmp_path / "src" / "rankgauge")
    place = package / "evaluation" / kind / "policy.py"
    source = place.read_text(encoding="utf-8")
    head, tail = source.split("    def __post_init__", 1)
    place.write_text(head.rstrip() + "\n" + MADE_UP + tail, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(package.parent), "COLUMNS": "200"}

    done = subprocess.run(
        [sys.executable, "-c", seen],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        env=env,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "colour=red" in done.stdout  # of evaluate
    assert "colour=blue" in done.stdout  # of the gate, over its file
    assert "blue: lists are blue; red: lists are red." in re.sub(r"[\s│]+", " ", done.stdout)  # of --help
