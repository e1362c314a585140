"""Does a model still do what it did? A measure over days, and the first day that is surely off.

Each period is held against a target: the ideal value of a measure that has one (COPC: 1), a number that was given, or
the value of the first periods (the reference), whose own noise counts, and with it what returning users do to both.

    a period is *surely off* when its interval, at a level corrected for all looks, leaves out the target ± tolerance
    looks="once"   α / K for each of the K periods and measures (Bonferroni): where nothing is off, the chance that
                   anything is called so is at most α
    looks="daily"  α / (M t (t + 1)) for the t-th period after the reference and each of M measures; these add up to
                   α over all days to come. What was said of a day never changes when the next one arrives, and whoever
                   looks every day is wrong once with a chance of at most α, however long he looks (α-spending)

Intervals are those of influence values summed by unit, with Student's t; of a ratio with an ideal value on the scale
of its logarithm. Periods with fewer than `fewest` positives, negatives or units are shown and not judged: with 50 the
chance of a false alarm was 3 to 6% in simulations of ten days of returning users at α = 5%, with 20 up to 7%. COPC is
judged where as many are expected at its target, too: a day without a positive is the one to hear about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from rankgauge._checks import is_number, one_of, whole
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._version import __version__
from rankgauge.alignment.sample import Sample
from rankgauge.comparison.drift_judging import DriftPlan
from rankgauge.comparison.drift_record import Drift
from rankgauge.comparison.drift_words import notes_of, said_of
from rankgauge.comparison.parts import EVERY, FEWEST, Part, is_enough, periods
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.predictions.asking import OfPredictions
from rankgauge.evaluation.predictions.record import estimate
from rankgauge.evaluation.predictions.splits import InputOptions, one_model
from rankgauge.measures.grammar import as_list, parse_prediction
from rankgauge.measures.predictions.base import PredictionMeasure
from rankgauge.statistics.intervals import check_alpha

__all__ = ["drift"]

DEFAULT = ("COPC", "AUC", "LogLoss")
_LOOKS = {
    "once": Text("all periods are looked at together", "一次看完所有时段"),
    "daily": Text("each period is looked at when it arrives", "每个时段到来时就看"),
}
_AGAINST = {
    "auto": Text(
        "the ideal value where there is one, else the first periods", "有理想值时与理想值比，否则与最初时段比"
    ),
    "reference": Text("the first periods", "与最初的时段比"),
}


def drift(
    predictions: Any,
    measures: OfPredictions | Sequence[OfPredictions] | None = None,
    *,
    every: str = "day",
    against: str = "auto",
    reference: int | Mapping[str, float] | None = None,
    tolerance: Mapping[str, float] | None = None,
    looks: str = "once",
    alpha: float = 0.05,
    fewest: int = FEWEST,
    model: str | None = None,
    **reading: Unpack[InputOptions],
) -> Drift:
    """Which measures of a model change over days, and which day is the first that is surely off?

    COPC is held against 1, AUC and LogLoss against the first quarter of the periods; `reference=3` takes the first
    three (one unless said with `looks="daily"`), `reference={"AUC": 0.78}` is a number that is known otherwise,
    `against="reference"` holds COPC against the first periods as well. `tolerance={"AUC": 0.005, "COPC": 0.05}` is how
    far off does not matter: with many rows the smallest change is sure. `looks="daily"` is for those who look again
    every day. Surely means: where nothing is off, the chance that any period of any measure is called so is at most
    `alpha`.

    `predictions` is whatever `evaluate_predictions` takes, or an evaluation with its rows; the other keywords are its.

    >>> rows = {"label": [0, 1] * 400, "score": [0.5] * 400 + [0.8] * 400,
    ...         "time": ["2024-05-01"] * 400 + ["2024-05-02"] * 400}
    >>> drift(rows, "COPC")["COPC"].first_off.period
    '2024-05-02'
    """
    one_of("every", every, EVERY)
    one_of("looks", looks, _LOOKS)
    one_of("against", against, _AGAINST)
    check_alpha(alpha)
    whole("fewest", fewest, at_least=2)
    one = one_model(predictions, model, reading, "drift")
    wanted = _wanted(measures, one.sample)
    given = _by_measure("reference", reference, wanted) if isinstance(reference, Mapping) else {}
    allowed = _by_measure("tolerance", tolerance, wanted)
    for label, far in allowed.items():
        if far < 0:
            raise ParameterError(
                Text(
                    f"`tolerance` of {label} must be 0 or more, got {show(far)}.",
                    f"{label} 的 `tolerance` 必须大于等于 0，实际为 {show(far)}。",
                )
            )
    parts = periods(one.rows, every)
    first = _reference(
        reference, parts, looks, [m for label, m in wanted if _kind(label, m, against, given) == "reference"]
    )
    enough = [is_enough(one.sample.rows(p.rows), fewest) for p in parts]
    plan = DriftPlan(one.sample, parts, enough, first, alpha, looks, len(wanted), fewest)
    held = [plan.held(label, m, _kind(label, m, against, given), given.get(label)) for label, m in wanted]
    plan.tests = sum(map(plan.judged, held))
    made = [plan.series(h, allowed.get(h.label, 0.0)) for h in held]
    series = tuple(replace(s, sentence=said_of(s, every, first)) for s in made)
    return Drift(
        series=series,
        model=one.model,
        data=one.rows.name,
        every=every,
        reference=first,
        alpha=alpha,
        looks=looks,
        tests=plan.tests,
        fewest=fewest,
        notes=(*one.rows.notes, *notes_of(plan, series, every)),
        version=__version__,
    )


# what is asked


def _wanted(measures: Any, s: Sample) -> list[tuple[str, PredictionMeasure]]:
    asked = as_list(measures) if measures is not None else [*DEFAULT] if s.scale != "score" else ["AUC"]
    out = []
    for text in asked:
        m = parse_prediction(text)
        e = estimate(str(text), m, s)
        if e.reason:
            raise InputError(Text(f"drift: {text} {e.reason}", f"drift：{text} {zh(e.reason)}"))
        if e.clusters is None:
            raise ParameterError(
                Text(
                    f"drift: {text} has no standard error of its own, so nothing about it is sure. Leave it out.",
                    f"drift：{text} 没有自己的标准误，无法判断是否确定。请去掉。",
                )
            )
        out.append((str(text), m))
    return out


def _by_measure(name: str, given: Any, wanted: Sequence[tuple[str, PredictionMeasure]]) -> dict[str, float]:
    """Numbers by measure, under the labels of those that are asked for."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ParameterError(
            Text(
                f'`{name}` must map measures to numbers, such as {{"AUC": 0.005}}, got {show(given)}.',
                f'`{name}` 必须按指标给出数值，例如 {{"AUC": 0.005}}，实际为 {show(given)}。',
            )
        )
    out = {}
    for text, value in given.items():
        label = next((label for label, m in wanted if m == parse_prediction(text)), None)
        if label is None or not is_number(value):
            known = ", ".join(label for label, _ in wanted)
            raise ParameterError(
                Text(
                    f"`{name}` must have a number for one of {known}, got {show(text)}: {show(value)}.",
                    f"`{name}` 必须为 {known} 之一给出数值，实际为 {show(text)}：{show(value)}。",
                )
            )
        out[label] = float(value)
    return out


def _kind(label: str, m: PredictionMeasure, against: str, given: Mapping[str, float]) -> str:
    if label in given:
        return "given"
    return "ideal" if m.ideal is not None and against == "auto" else "reference"


def _reference(reference: Any, parts: Sequence[Part], looks: str, needing: Sequence[PredictionMeasure]) -> int:
    """How many of the first periods are the reference; who looks daily keeps to the same ones."""
    if not needing:
        return 0
    if isinstance(reference, Mapping) or reference is None:
        n = max(1, len(parts) // 4) if looks == "once" else 1
    else:
        n = whole("reference", reference)
    if len(parts) <= n:
        raise InputError(
            Text(
                f"drift: at least {n + 1} periods are needed, {n} of them as the reference, got {len(parts)}. "
                "Pass a smaller reference=, a shorter every=, or a number to hold against.",
                f"drift：至少需要 {n + 1} 个时段，其中 {n} 个作为参照，实际为 {len(parts)} 个。"
                "请减小 reference=，用更短的 every=，或给出要对照的数值。",
            )
        )
    return n
