"""Measures of your own: what their functions may give back, and what they cannot do to the others."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.errors import InputError, ParameterError
from rankgauge.measures.base import ALIASES, REGISTRY
from rankgauge.measures.custom import load

QRELS = {"q1": {"a": 2, "b": 1, "c": 1}, "q2": {"c": 1}, "q3": {"d": 1}}
RUN = {"q1": ["x", "a", "b"], "q2": ["c", "y"], "q3": ["y", "d"]}


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    measures, aliases = dict(REGISTRY), dict(ALIASES)
    yield
    for now, before in ((REGISTRY, measures), (ALIASES, aliases)):
        now.clear()
        now.update(before)  # type: ignore[arg-type]


def named(function: Callable[..., Any]) -> str:
    function.__name__ = "Mine"
    rg.measure(function)
    return "Mine"


@pytest.mark.parametrize(
    ("function", "got"),
    [
        (lambda a: 0.5, "a float"),
        (lambda a: np.float64(0.5), "a float64"),
        (lambda a: np.array([0.5]), r"a ndarray of shape \(1,\)"),
        (lambda a: a.grade, r"a ndarray of shape \(5,\)"),
        (lambda a: np.zeros((3, 1)), r"a ndarray of shape \(3, 1\)"),
        (lambda a: np.zeros((3, 3)), r"a ndarray of shape \(3, 3\)"),
        (lambda a: [1.0, 2.0], r"a list of shape \(2,\)"),
        (lambda a: [[1.0], [2.0, 3.0], 4], r"a list of shape \(0,\)"),
        (lambda a: ["a", "b", "c"], r"a list of shape \(3,\) of type <U1"),
        (lambda a: np.zeros(3) * 1j, r"a ndarray of shape \(3,\) of type complex128"),
        (lambda a: None, "a NoneType"),
    ],
)
def test_another_shape_is_an_error_that_names_both(function: Callable[..., Any], got: str) -> None:
    message = rf"measure Mine: its function must give one number for each query, an array of shape \(3,\), got {got}"
    with pytest.raises(InputError, match=message):
        rg.evaluate(QRELS, RUN, [named(function), "RR"])


def test_one_value_per_query_is_taken_as_list_or_array_of_any_number() -> None:
    for function in (lambda a: [0, 1, 1], lambda a: np.array([0, 1, 1]), lambda a: np.array([False, True, True])):
        assert rg.evaluate(QRELS, RUN, named(function))["Mine"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("field", ["rank", "grade", "retrieved", "offsets", "tie_first", "item"])
def test_writing_into_the_alignment_is_an_error(field: str) -> None:
    def writes(a: Any) -> Any:
        getattr(a, field)[:] = 1
        return a.hits(1, 3)

    with pytest.raises(InputError, match=r"Mine: its function failed, line \d+: ValueError.* read-only; change a copy"):
        rg.evaluate(QRELS, RUN, [named(writes), "RR"])


def test_what_a_function_does_to_derived_arrays_stays_with_it() -> None:
    def writes(a: Any) -> Any:
        a.relevant(1)[:] = False
        a.shown[:] = True
        a.by_query.owner[:] = 0
        return np.ones(a.n_queries)

    alone = rg.evaluate(QRELS, RUN, ["RR", "P@1", "R@3"], ties="expected")
    beside = rg.evaluate(QRELS, RUN, [named(writes), "RR", "P@1", "R@3"], ties="expected")

    assert {k: v for k, v in beside.mean().items() if k != "Mine"} == alone.mean()


def test_an_array_of_the_alignment_can_be_the_answer_with_ties() -> None:
    tied = {"q1": {"x": 1.0, "a": 1.0, "b": 0.5}, "q2": {"c": 1.0}, "q3": {"d": 1.0}}

    ev = rg.evaluate(QRELS, tied, named(lambda a: a.retrieved), ties="expected")

    assert ev["Mine"] == pytest.approx((3 + 1 + 1) / 3)


def test_a_function_that_fails_is_named_with_its_line() -> None:
    with pytest.raises(InputError, match=r"measure Mine: its function failed, line \d+: ZeroDivisionError: .* by zero"):
        rg.evaluate(QRELS, RUN, named(lambda a: 1 / 0))


@pytest.mark.parametrize("given", ["ILD@2", 3])
def test_what_is_no_function_is_refused(given: Any) -> None:
    """A bare AttributeError before."""
    with pytest.raises(ParameterError, match="measure\\(\\) must be given a function, which becomes a measure") as e:
        rg.measure(given)
    assert ("rg.parse('ILD@2')" in str(e.value)) == (given == "ILD@2")
    assert "measure() 需要一个函数" in e.value.text.zh


def test_a_function_without_parameters_is_no_measure() -> None:
    with pytest.raises(ParameterError, match="the first parameter must be the alignment"):
        rg.measure(lambda: 1)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f():\n    return 1 / 0\nf()\n", "line 2: ZeroDivisionError: division by zero."),
        ("x = 1\ny = (\n", "line 2: SyntaxError: '(' was never closed."),
        ("import no_such_module\n", "line 1: ModuleNotFoundError: No module named 'no_such_module'."),
        ("raise SystemExit(0)\n", "line 1: SystemExit: 0."),
        ("def f(): f()\nf()\n", "line 1: RecursionError"),
        ("\0", "null bytes"),
    ],
)
def test_a_file_that_fails_is_one_error_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(InputError) as e:
        load(file)

    assert str(e.value).startswith(f"'{file}' cannot be loaded, ")
    assert message in str(e.value)


def test_a_failing_file_is_invalid_input_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("1 / 0\n", encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "rankgauge", "measures", "--load", "mine.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert done.stderr == "Error: 'mine.py' cannot be loaded, line 1: ZeroDivisionError: division by zero.\n"


def test_a_word_that_no_record_has_is_refused_with_what_was_meant() -> None:
    with pytest.raises(
        TypeError, match=r"unexpected keyword argument 'tittle'\. Did you mean title\? There are: .*title, "
    ):
        rg.measure(tittle="Mine")(lambda a: a.n_judged)
