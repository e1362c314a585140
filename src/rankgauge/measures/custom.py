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
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast, overload

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.alignment import Alignment, Array
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.measures.base import ALIASES, REGISTRY, Measure, OwnWords, Param, cutoff, fold, level, number, switch
from rankgauge.measures.base import measure as register
from rankgauge.measures.failing import failure, file_of

if TYPE_CHECKING:
    from rankgauge.measures.base import RankingWords

__all__ = ["load", "measure"]

Function = Callable[..., Array]


@overload
def measure(function: Function, /) -> type[Measure]: ...
@overload
def measure(**record: Unpack[OwnWords]) -> Callable[[Function], type[Measure]]: ...


def measure(
    function: Function | None = None, /, **record: Unpack[OwnWords]
) -> type[Measure] | Callable[[Function], type[Measure]]:
    """Make a measure of a function over an alignment; the name of the function is its name.

    Keywords describe it: `title`, `aliases`, `bounds=(0, 1)`, `higher_is_better=True`, `relevance=True`
    (a query without relevant items leaves it undefined), `additive=False` (see `Measure`), `monotone=False` (whether a
    better grade that moves up never lowers it: then `ties="best"` and `"worst"` need not try every order).
    """
    if function is None:
        return lambda f: _make(f, record)
    return _make(function, record)


def _make(function: Any, record: OwnWords) -> type[Measure]:
    if not callable(function) or not hasattr(function, "__name__"):
        text = Text(
            f"measure() must be given a function, which becomes a measure of its name, got {show(function)}.",
            f"measure() 需要一个函数，它成为以其名字命名的指标，实际为 {show(function)}。",
        )
        if isinstance(function, str):
            text += Text(
                f" One that there is already is found by rg.parse({show(function)}).",
                f"已有的指标请用 rg.parse({show(function)}) 取得。",
            )
        raise ParameterError(text)
    name = function.__name__
    given = list(inspect.signature(function).parameters.values())
    if not given or given[0].default is not inspect.Parameter.empty:
        raise ParameterError(
            Text(
                f"{name}: the first parameter must be the alignment, without a default.",
                f"{name}：第一个参数必须是 alignment，且没有默认值。",
            )
        )
    params = {p.name: _param(name, p) for p in given[1:]}
    file = file_of(function)

    def per_query(self: Measure, a: Alignment) -> Array:
        given = {key: getattr(self, key) for key in params}
        try:
            values = function(a.guarded(), **given)
        except RankgaugeError:
            raise
        except Exception as e:
            raise InputError(
                Text(
                    f"measure {self}: its function failed, {failure(e, file)}",
                    f"指标 {self}：它的函数出错，{zh(failure(e, file))}",
                )
            ) from e
        return _checked(values, a.n_queries, self)

    taken = ALIASES.get(fold(name))
    if taken and not getattr(REGISTRY[taken[0]], "custom", False):
        raise ParameterError(
            Text(
                f"{name}: this name belongs to the measure {taken[0]}. Choose another.",
                f"{name}：这个名称属于指标 {taken[0]}。请换一个。",
            )
        )
    cls = type(name, (Measure,), {**params, "per_query": per_query, "__doc__": function.__doc__, "custom": True})
    doc = inspect.getdoc(function) or ""
    question = doc.partition("\n")[0]
    said = {"title": name, "family": Text("Your own", "自定义"), "question": question, "formula": doc or name, **record}
    return register(**cast("RankingWords", said))(cls)


def _checked(values: Any, n: int, m: Measure) -> Array:
    """One value per query in an array of its own; NumPy would stretch a single one over all queries."""
    try:
        out = np.array(values)
    except (TypeError, ValueError):  # lists of unlike lengths
        out = np.empty(0, dtype=object)
    kinds = "biufUOS" if m.summary == "none" else "biuf"
    if isinstance(values, (np.ndarray, list, tuple)) and out.shape == (n,) and out.dtype.kind in kinds:
        return out if m.summary == "none" else out.astype(np.float64)
    got = Text(f"a {type(values).__name__}", f" {type(values).__name__}")
    if isinstance(values, (np.ndarray, list, tuple)):
        got += Text(f" of shape {out.shape}", f"，形状为 {out.shape}")
        if out.dtype.kind not in kinds:
            got += Text(f" of type {out.dtype}", f"，类型为 {out.dtype}")
    raise InputError(
        Text(
            f"measure {m}: its function must give one number for each query, an array of shape ({n},), got {got}. "
            "a.by_query has sums and counts by query.",
            f"指标 {m}：它的函数必须给每个查询一个数，即形状为 ({n},) 的数组，实际为{zh(got)}。a.by_query "
            "提供按查询的求和与计数。",
        )
    )


def _param(name: str, p: inspect.Parameter) -> Param:
    default = p.default
    if default is inspect.Parameter.empty:
        raise ParameterError(
            Text(f"{name}: parameter {show(p.name)} needs a default.", f"{name}：参数 {show(p.name)} 需要默认值。")
        )
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
        raise InputError(
            Text(
                f"no such file: {show(str(path))}. --load takes a Python file that registers measures.",
                f"没有这个文件：{show(str(path))}。--load 需要注册指标的 Python 文件。",
            )
        )
    try:
        runpy.run_path(str(file))
    except RankgaugeError as e:
        raise type(e)(Text(f"{show(str(path))}: {e.text}", f"{show(str(path))}：{zh(e.text)}")) from e
    except (Exception, SystemExit) as e:
        raise InputError(
            Text(
                f"{show(str(path))} cannot be loaded, {failure(e, str(file))}",
                f"{show(str(path))} 无法加载，{zh(failure(e, str(file)))}",
            )
        ) from e
