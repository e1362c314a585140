"""From numbers to what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any

from rankgauge._text import Text, check_language, in_language, joined
from rankgauge.comparison.record import Comparison
from rankgauge.diagnosis.finding import SEVERITIES, Finding, Findings
from rankgauge.diagnosis.rules import RULES, Rule
from rankgauge.diagnosis.standards import Scenario, Standards, load_standards
from rankgauge.diagnosis.subjects import Changed, Ranked, Scored
from rankgauge.errors import InputError, UnknownName, suggest
from rankgauge.evaluation.prediction_record import PredictionEvaluation
from rankgauge.evaluation.ranking_record import RankingEvaluation
from rankgauge.evaluation.suspicion import errors_of

__all__ = ["diagnose"]


def diagnose(
    subject: Any,
    *,
    scenario: str | None = None,
    language: str = "en",
    standards: Standards | str | PathLike[str] | None = None,
    online: Mapping[str, float] | None = None,
    rules: Iterable[str] | None = None,
    most: int = 7,
) -> Findings:
    """What do these numbers say, what is wrong, and what should be done first?

    `subject` is an evaluation (of rankings, or of labels and scores) or a comparison. `scenario` (see
    `rankgauge scenarios`) brings the measures, depths and benchmarks that are usual there; `standards` a TOML file that
    replaces shipped figures. `online` tells a comparison what was seen online, such as {"ctr": 0.0}. `rules` limits the
    diagnosis to some codes; `most` is how many findings are shown.

    >>> import rankgauge as rg
    >>> qrels = {f"q{i}": {"d": 1} for i in range(20)}
    >>> run = {q: ["x1", "x2", "x3", "x4", "x5", "x6", "d", *(f"y{i}" for i in range(12))] for q in qrels}
    >>> diagnose(rg.evaluate(qrels, run, ["RR@10", "Hit@10"])).codes[:2]
    ['blunt-top', 'found-but-late']
    """
    check_language(language)
    figures = standards if isinstance(standards, Standards) else load_standards(standards)
    chosen = None if scenario is None else figures.scenario(scenario)
    found: list[Finding] = []
    names = []
    for kind, one in _subjects(subject, figures, chosen, online or {}):
        if kind != "baseline":
            names.append(one.name)
        wanted = _rules("ranking" if kind == "baseline" else kind, rules)
        if _is_suspicious(one):  # advice that rests on wrong numbers is wrong
            wanted = [r for r in wanted if r.code in _ABOUT_INPUT]
        found += [f for r in wanted if (f := r.apply(one)) is not None]
    found.sort(key=lambda f: (SEVERITIES.index(f.severity), -f.importance, f.code))
    about = joined(Text(", ", "，"), names)
    if language != "en":  # as strings, findings speak the language that was asked for
        found = [f.in_language(language) for f in found]
        about = in_language(about, language)
    return Findings(about, tuple(found), language, scenario or "", most)


def _subjects(
    subject: Any, figures: Standards, scenario: Scenario | None, online: Mapping[str, float]
) -> list[tuple[str, Any]]:
    """The kind and the view of everything there is to look at."""
    if isinstance(subject, RankingEvaluation):
        return [("ranking", Ranked(subject, figures, scenario))]
    if isinstance(subject, PredictionEvaluation):
        return [("predictions", Scored(subject, figures, scenario))]
    if isinstance(subject, Comparison):
        if subject.evaluations[subject.baseline].kind != "rankings":
            models = [ev for ev in subject.evaluations.values() if isinstance(ev, PredictionEvaluation)]
            return [("predictions", Scored(ev, figures, scenario)) for ev in models]
        out: list[tuple[str, Any]] = []
        for system in subject.systems:
            changed = Changed(subject, system, figures, scenario, online)
            out += [("comparison", changed), ("ranking", changed.after)]
        return [*out, *([("baseline", changed.before)] if _is_suspicious(changed.before) else [])]
    raise InputError(f"diagnose() needs an evaluation or a comparison, got {type(subject).__name__}.")


_ABOUT_INPUT = ("suspicious-input", "missing-queries", "no-relevant", "duplicates", "ties-matter")
"""Rules that hold whatever the numbers are worth."""


def _is_suspicious(subject: Any) -> bool:
    """Whether the input makes the numbers of this subject, or of one side of a change, wrong."""
    sides = [subject.before, subject.after] if isinstance(subject, Changed) else [subject]
    return any(errors_of(getattr(side.ev, "suspicions", ())) for side in sides)


def _rules(kind: str, codes: Iterable[str] | None) -> list[Rule]:
    wanted = list(RULES) if codes is None else list(codes)
    for code in wanted:
        if code not in RULES:
            raise UnknownName(f"no rule {code!r}.{suggest(code, list(RULES))} There are: {', '.join(RULES)}.")
    return [RULES[code] for code in wanted if RULES[code].kind == kind]
