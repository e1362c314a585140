"""Numbers that are none: one answer everywhere, in Python and on the command line."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner

import rankgauge as rg
from rankgauge._checks import is_number, number, one_of, whole
from rankgauge.behavior.bias.identifiability import identifiability
from rankgauge.behavior.cleaning.clean import Cleaning
from rankgauge.behavior.cleaning.dwell import Dwell
from rankgauge.cli.app import app
from rankgauge.errors import ParameterError, RankgaugeError
from rankgauge.experiments.sample_ratio import sample_ratio
from rankgauge.gate import at_least, at_most, not_worse
from rankgauge.statistics.power import detectable, needed, power_of

pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of rich-click, under xdist

QRELS = {f"q{i}": {"a": 1} for i in range(6)}
OLD, NEW = {q: ["b", "a"] for q in QRELS}, {q: ["a", "b"] for q in QRELS}
ROWS = {"label": [0, 1, 1, 0] * 20, "score": [0.2, 0.7, 0.6, 0.65] * 20, "segment:s": ["x", "y"] * 40}
EV = rg.evaluate(QRELS, NEW, "RR")
PREDICTED = rg.evaluate_predictions({"label": ROWS["label"], "score": ROWS["score"]}, "AUC")

NOT_NUMBERS = [math.nan, math.inf, -math.inf, True, "0.5", [0.5], 1j, 10**400]


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=lambda v: str(v)[:9])
def test_what_is_no_number(value: Any) -> None:
    assert not is_number(value)
    with pytest.raises(ParameterError):
        number("x", value)


@pytest.mark.parametrize("value", [0, 0.5, -3, np.float32(0.5), np.int64(2), Fraction(1, 3)])
def test_what_is_a_number(value: Any) -> None:
    assert number("x", value) == float(value)


@pytest.mark.parametrize(
    ("bounds", "value", "message"),
    [
        ({"above": 0, "below": 1}, 1, "`x` must be between 0 and 1, got 1."),
        ({"at_least": 0, "at_most": 1}, 1.5, "`x` must be between 0 and 1, got 1.5."),
        ({"above": 0, "at_most": 1}, 0, "`x` must be above 0 and up to 1, got 0."),
        ({"above": 0, "optional": True}, -1, "`x` must be a number above 0 or None, got -1."),
        ({"at_least": 0, "caller": "f"}, -1, "f: `x` must be a number from 0 up, got -1."),
    ],
)
def test_bounds_are_said(bounds: Any, value: Any, message: str) -> None:
    with pytest.raises(ParameterError) as e:
        number("x", value, **bounds)

    assert str(e.value) == message


@pytest.mark.parametrize("value", [0, -1, 1.0, True, "3", math.nan, None])
def test_what_is_no_positive_integer(value: Any) -> None:
    with pytest.raises(ParameterError, match="`n` must be a positive integer, got"):
        whole("n", value)


def test_one_of_a_few_words() -> None:
    assert one_of("ties", " ｂest ", ["best", "worst"]) == "best"
    for wrong in ("bets", None, 3, ["best"]):
        with pytest.raises(ParameterError, match="`ties` must be one of best, worst, got"):
            one_of("ties", wrong, ["best", "worst"])


CALLS: dict[str, Callable[[Any], Any]] = {
    "confidence_level": lambda x: rg.evaluate(QRELS, NEW, "RR", confidence_level=x),
    "interval": lambda x: EV.interval("RR", x),
    "rel": lambda x: rg.evaluate(QRELS, NEW, "RR", rel=x),
    "depth": lambda x: rg.evaluate(QRELS, NEW, "RR", depth=x),
    "alpha": lambda x: rg.compare(QRELS, {"a": OLD, "b": NEW}, "RR", alpha=x),
    "margin": lambda x: rg.compare(QRELS, {"a": OLD, "b": NEW}, "RR", margin=x),
    "margins": lambda x: rg.compare(QRELS, {"a": OLD, "b": NEW}, "RR", margin={"RR": x}),
    "permutations": lambda x: rg.compare(QRELS, {"a": OLD, "b": NEW}, "RR", permutations=x),
    "power difference": lambda x: power_of(50, x, 0.1) if x not in (-1, 0) else _refused(),
    "power sd": lambda x: power_of(50, 0.1, x) if x != 0 else _refused(),
    "power margin": lambda x: detectable(50, 0.1, margin=x) if x not in (-1, 0) else _refused(),
    "power alpha": lambda x: needed(0.1, 0.1, alpha=x),
    "floor": lambda x: at_least(EV, "RR", x) if x not in (-1, 0) else _refused(),
    "floor alpha": lambda x: at_least(EV, "RR", 0.5, alpha=x),
    "ceiling": lambda x: at_most(EV, "duplicates", x) if x != 0 else _refused(),
    "drop": lambda x: not_worse(EV, EV, "RR", x) if x != 0 else _refused(),
    "funnel k": lambda x: rg.funnel(QRELS, {"a": OLD, "b": NEW}, k=x),
    "funnel rel": lambda x: rg.funnel(QRELS, {"a": OLD, "b": NEW}, rel=x),
    "health depth": lambda x: rg.judgement_health(EV, depth=x),
    "negatives_kept": lambda x: rg.evaluate_predictions(
        {"label": ROWS["label"], "score": ROWS["score"]}, "AUC", negatives_kept=x
    ),
    "histogram bins": lambda x: rg.score_histogram(PREDICTED, bins=x),
    "calibrate bins": lambda x: rg.calibrate({"label": ROWS["label"], "score": ROWS["score"]}, "odds", bins=x),
    "calibrate split": lambda x: rg.calibrate({"label": ROWS["label"], "score": ROWS["score"]}, "odds", split=x),
    "reliability bins": lambda x: rg.reliability({"label": ROWS["label"], "score": ROWS["score"]}, bins=x),
    "segments alpha": lambda x: rg.worst_segments(
        {"label": ROWS["label"], "score": ROWS["score"], "s": ["x", "y"] * 40}, slices=["s"], alpha=x
    ),
    "threshold beta": lambda x: rg.choose_threshold({"label": ROWS["label"], "score": ROWS["score"]}, "F", beta=x),
    "threshold share": lambda x: rg.choose_threshold(
        {"label": ROWS["label"], "score": ROWS["score"]}, "share", share=x
    ),
    "support": lambda x: identifiability({}, min_support=x),
    "dwell quantile": lambda x: Dwell(quantile=x) if x != 0 else _refused(),
    "dwell seconds": lambda x: Dwell(seconds=x) if x != 0 else _refused(),
    "duplicates": lambda x: Cleaning(duplicates=x) if x not in (0, True) else _refused(),
    "bots": lambda x: Cleaning(bots=x),
    "sample ratio": lambda x: sample_ratio({"a": x, "b": 100}) if x != 0 else _refused(),
    "sample ratio alpha": lambda x: sample_ratio({"a": 100, "b": 100}, alpha=x),
    "measure k": lambda x: rg.measures.parse(f"nDCG@{x}") if isinstance(x, float) else rg.measures.RR(k=x or -1),
    "measure rel": lambda x: rg.measures.RR(rel=x),
}


def _refused() -> None:
    raise ParameterError("0 and negative numbers have a meaning here")


@pytest.mark.parametrize("value", [math.nan, math.inf, -1, 0, True, "abc"], ids=str)
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_no_argument_takes_what_is_no_number(call: Callable[[Any], Any], value: Any) -> None:
    with pytest.raises(RankgaugeError):
        call(value)


def test_power_of_an_unknown_difference_is_not_certain() -> None:
    with pytest.raises(ParameterError, match="`difference` must be a finite number, got nan"):
        power_of(50, math.nan, 0.1)


@pytest.mark.parametrize(
    "words",
    [
        ["power", "--sd", "0.2", "--queries", "50", "--difference"],
        ["power", "--difference", "0.2", "--sd"],
        ["power", "--difference", "0.2", "--sd", "0.2", "--alpha"],
        ["power", "--difference", "0.2", "--sd", "0.2", "--power"],
        ["compare", "q", "a", "b", "--margin"],
        ["compare", "q", "a", "b", "--alpha"],
        ["evaluate", "q", "a", "--rel"],
        ["evaluate", "q", "a", "--confidence"],
        ["gate", "q", "a", "--alpha"],
        ["funnel", "q", "a", "b", "--rel"],
        ["bias", "log", "--min-support"],
        ["predictions", "p", "--negatives-kept"],
        ["plot", "x", "--pixels"],
    ],
    ids=lambda w: f"{w[0]} {w[-1]}",
)
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "-1", "abc", ""])
def test_no_option_takes_what_is_no_number(words: list[str], value: str) -> None:
    done = CliRunner().invoke(app, [*words, value], standalone_mode=False)

    assert isinstance(done.exception, click.BadParameter)
    assert done.exception.param is not None
    assert words[-1] in done.exception.param.opts


def test_a_fraction_is_the_float_that_it_stands_for() -> None:
    assert number("shrink", Fraction(1, 4), at_least=0) == 0.25
    assert type(number("shrink", Fraction(1, 4), at_least=0)) is float
    assert type(number("days", 3)) is int
