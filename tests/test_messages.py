"""Values in messages are short, whatever a user passed."""

import ast
import contextlib
import inspect
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge._show import LIMIT, show, show_all
from rankgauge.errors import LONGEST, InputError, RankgaugeError
from source import every

LONG = "x" * 20_000
MANY = {f"q{i}": {f"d{j}": 1 for j in range(20)} for i in range(100)}
HUGE = {
    "text": LONG,
    "dict": MANY,
    "dict of texts": {LONG: LONG},
    "list": [LONG] * 5,
    "numbers": list(range(5_000)),
    "array": np.arange(10_000.0).reshape(100, 100),
    "frame": pl.DataFrame({f"column {i}": [i] for i in range(300)}),
    "number": 10**5_000,
    "bytes": b"x" * 20_000,
    "object": type("Talker", (), {"__repr__": lambda self: LONG})(),
}


@pytest.mark.parametrize("value", HUGE.values(), ids=HUGE)
def test_a_shown_value_is_short_and_on_one_line(value):
    assert len(show(value)) <= LIMIT
    assert "\n" not in show(value)


@pytest.mark.parametrize(
    "value", ["a", "it's", "a\nb", 7, 0.1, None, True, (1,), [1, "b"], {"b": 1, "a": [2]}, Path("a/b")]
)
def test_a_short_value_is_shown_as_it_is(value):
    assert show(value) == repr(value)


def test_an_object_that_cannot_say_what_it_is_is_shown_by_its_type():
    class Broken:
        def __repr__(self):
            raise ValueError

    assert "Broken" in show(Broken())


def test_of_many_names_some_are_shown_and_the_others_counted():
    assert show_all(["a", "b"]) == "'a', 'b'"
    assert show_all(f"c{i}" for i in range(1_000)).endswith("'c18', 'c19', … (+980)")


def test_the_middle_of_a_message_that_is_too_long_is_left_out():
    e = InputError(f"what is wrong {LONG} what to try", ["one", "two"])

    assert len(str(e)) == LONGEST
    assert str(e).startswith("what is wrong xxx")
    assert str(e).endswith("xxx what to try")
    assert e.problems == ("one", "two")


AS_THEY_ARE = {  # no messages: texts that are read back, hashed, or the repr of a record
    "evaluation/rankings/fingerprint.py",
    "evaluation/predictions/row_totals.py",
    "diagnosis/rules/scores.py",
}


def test_no_message_shows_a_value_in_full():
    """`{value!r}` is for __repr__ and names of attributes; everything else says `{show(value)}`."""
    own = {
        id(part)
        for _, function in every(ast.FunctionDef)
        if function.name in ("__repr__", "__getattr__")
        for part in ast.walk(function)
    }
    found = [
        f"{name}:{node.lineno}"
        for name, node in every(ast.FormattedValue)
        if name not in AS_THEY_ARE and node.conversion == ord("r") and id(node) not in own
    ]
    found += [
        f"{name}:{node.lineno}"
        for name, node in every(ast.Call, having="repr")
        if name not in AS_THEY_ARE
        and isinstance(node.func, ast.Name)
        and node.func.id == "map"
        and any(isinstance(a, ast.Name) and a.id == "repr" for a in node.args)
    ]
    assert found == []


QRELS, RUN = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}, {"q1": ["a", "b"], "q2": ["b", "a"]}
ROWS = {"label": [0, 1, 0, 1] * 5, "score": [0.1, 0.4, 0.35, 0.8] * 5}
EVALUATION = rg.evaluate(QRELS, RUN, ["nDCG@10", "RR"])
CALLS = {
    "evaluate": (rg.evaluate, {"qrels": QRELS, "run": RUN, "measures": ["RR"]}),
    "compare": (rg.compare, {"qrels": QRELS, "runs": {"a": RUN, "b": RUN}, "measures": ["RR"]}),
    "audit": (rg.audit, {"qrels": QRELS}),
    "funnel": (rg.funnel, {"qrels": QRELS, "stages": {"a": RUN, "b": RUN}}),
    "diagnose": (rg.diagnose, {"record": EVALUATION}),
    "explain": (rg.explain, {"name": "RR"}),
    "evaluate_predictions": (rg.evaluate_predictions, {"predictions": ROWS, "measures": ["AUC"]}),
    "calibrate": (rg.calibrate, {"predictions": ROWS}),
    "choose_threshold": (rg.choose_threshold, {"predictions": ROWS}),
    "judgement_health": (rg.judgement_health, {}),
    "by_cutoff": (rg.by_cutoff, {}),
}


def parameters():
    for name, (call, _) in CALLS.items():
        for p in inspect.signature(call).parameters.values():
            if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.name not in ("progress", "memory"):
                yield pytest.param(name, p.name, id=f"{name}-{p.name}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "parameter"), list(parameters()))
def test_no_public_function_prints_a_huge_value_into_an_exception(name, parameter):
    call, given = CALLS[name]
    long = {}
    for what, value in HUGE.items():
        with contextlib.suppress(Exception):  # what Python and NumPy say themselves is not ours
            try:
                call(**{**given, parameter: value})
            except RankgaugeError as e:
                long |= {what: str(e)} if len(str(e)) > 1_500 else {}
    assert long == {}


def test_judgement_health_of_judgements_and_a_run_says_what_it_takes():
    with pytest.raises(RankgaugeError) as e:
        rg.judgement_health(MANY, MANY)

    assert len(str(e.value)) <= 500
