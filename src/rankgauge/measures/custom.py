"""Measures of your own: a function over an alignment and one decorator.

    @rg.measure
    def FirstTwoGrades(a, rel=1):
        "Share of queries whose first two results are both relevant."
        return (a.hits(rel, 2) == 2).astype(float)

    rg.evaluate(qrels, run, ["FirstTwoGrades", "FirstTwoGrades(rel=2)"])

The parameters of the function are the parameters of the measure: `k` stands behind the @, `rel` is a
grade, the others take the type of their default. On the command line, `--load my_measures.py` first.
"""

from __future__ import annotations

import inspect
import runpy
import traceback
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any, overload

from rankgauge._show import show
from rankgauge.alignment import Alignment, Array
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.measures.base import ALIASES, REGISTRY, Measure, Param, cutoff, fold, level, number, switch
from rankgauge.measures.base import measure as register

__all__ = ["load", "measure"]

Function = Callable[..., Array]


@overload
def measure(function: Function, /) -> type[Measure]: ...
@overload
def measure(**record: Any) -> Callable[[Function], type[Measure]]: ...


def measure(function: Function | None = None, /, **record: Any) -> Any:
    """Make a measure of a function over an alignment; the name of the function is its name.

    Keywords describe it: `title`, `aliases`, `bounds=(0, 1)`, `higher_is_better=True`, `relevance=True`
    (a query without relevant items leaves it undefined), `additive=False` (see `Measure`), `monotone=False` (whether a
    better grade that moves up never lowers it: then `ties="best"` and `"worst"` need not try every order).
    """
    if function is None:
        return lambda f: _make(f, record)
    return _make(function, record)


def _make(function: Function, record: dict[str, Any]) -> type[Measure]:
    name = function.__name__
    first, *others = inspect.signature(function).parameters.values()
    if first.default is not inspect.Parameter.empty:
        raise ParameterError(f"{name}: the first parameter must be the alignment, without a default.")
    params = {p.name: _param(name, p) for p in others}

    def per_query(self: Measure, a: Alignment) -> Array:
        return function(a, **{key: getattr(self, key) for key in params})

    taken = ALIASES.get(fold(name))
    if taken and not getattr(REGISTRY[taken[0]], "custom", False):
        raise ParameterError(f"{name}: this name belongs to the measure {taken[0]}. Choose another.")
    cls = type(name, (Measure,), {**params, "per_query": per_query, "__doc__": function.__doc__, "custom": True})
    doc = inspect.getdoc(function) or ""
    question = doc.partition("\n")[0]
    return register(**{"title": name, "family": "Your own", "question": question, "formula": doc or name, **record})(
        cls
    )


def _param(name: str, p: inspect.Parameter) -> Param:
    default = p.default
    if default is inspect.Parameter.empty:
        raise ParameterError(f"{name}: parameter {show(p.name)} needs a default.")
    made: Any
    if p.name == "k":
        made = cutoff(default)
    elif p.name == "rel":
        made = level(1 if default is None else default)
    elif isinstance(default, bool):
        made = switch(default)
    elif default is None or isinstance(default, (int, float)):
        made = number(default)
    else:
        made = Param(default, type(default))
    param: Param = made
    return param


def load(path: str | PathLike[str]) -> None:
    """Run a Python file that registers measures."""
    file = Path(path)
    if not file.is_file():
        raise InputError(f"no such file: {show(str(path))}. --load takes a Python file that registers measures.")
    try:
        runpy.run_path(str(file))
    except RankgaugeError:
        raise
    except (Exception, SystemExit) as e:  # whatever it does, it does not decide how the command ends
        raise InputError(f"{show(str(path))}{_line_of(e, file)}: {_said(e)}. --load runs this file.") from e


def _line_of(error: BaseException, file: Path) -> str:
    """The last line of the file itself that led to the error."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f", line {error.lineno}"
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if Path(f.filename) == file]
    return f", line {lines[-1]}" if lines else ""


def _said(error: BaseException) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}".rstrip(": .").partition("\n")[0]
