"""From numbers to what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, TypedDict

from rankgauge._claims import Statement, claimed, phrase
from rankgauge._numbers import counted
from rankgauge._show import show
from rankgauge._text import Text, check_language, joined
from rankgauge.comparison.of_both import as_record
from rankgauge.comparison.record import Comparison
from rankgauge.diagnosis.finding import SEVERITIES, Finding, Findings
from rankgauge.diagnosis.online import OnlineChange, online_changes
from rankgauge.diagnosis.rules import RULES, Rule
from rankgauge.diagnosis.rules.recommenders import times_popular
from rankgauge.diagnosis.standards import Scenario, Standards, load_standards
from rankgauge.diagnosis.subjects import Changed, Classed, Ranked, Scored
from rankgauge.errors import InputError, UnknownName, among
from rankgauge.evaluation.predictions.classes import ClassEvaluation, ClassEvaluations
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.evaluation.rankings.notes import noted
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.suspicion import SAMPLED, Suspicion, errors_of, refuse_unknown

__all__ = ["DiagnoseOptions", "diagnose"]


class DiagnoseOptions(TypedDict, total=False):
    """The keywords of `diagnose`, for whoever passes them on."""

    scenario: str | None
    language: str | None
    standards: Standards | str | PathLike[str] | None
    online: Any
    rules: Iterable[str] | None
    accept: Iterable[str]
    most: int
    train: Any
    items: Any
    measures: Any
    documents: Any
    tokenizer: Any


def diagnose(
    subject: Any,
    *,
    scenario: str | None = None,
    language: str | None = None,
    standards: Standards | str | PathLike[str] | None = None,
    online: Any = None,
    rules: Iterable[str] | None = None,
    accept: Iterable[str] = (),
    most: int = 7,
    train: Any = None,
    items: Any = None,
    measures: Any = None,
    documents: Any = None,
    tokenizer: Any = None,
) -> Findings:
    """What do these numbers say, what is wrong, and what should be done first?

    `subject` is an evaluation (of rankings, of labels and scores, or of classes) or a comparison; what holds lists and
    their judgements is evaluated first, with the measures of the scenario. `scenario` (see `rankgauge scenarios`)
    brings the measures, depths and benchmarks that are usual there; `standards` a TOML file that replaces shipped
    figures. `online` tells a comparison what was seen online: {"ctr": (0.031, 0.0312)}, a difference,
    counts of both arms, an experiment, or a file (`rankgauge.diagnosis.online`). `rules` limits the diagnosis to some
    codes; `accept` names suspicions about the input that may stand, such as "worst-first" (others leave nothing to
    diagnose but the input); `most` is how many findings are shown. `train` and `items` are those of `evaluate`, which
    takes them where the subject is an evaluation: with them rules know what is popular, what is shown and to whom.
    `measures` are others than those of the scenario for what is evaluated here; those with a budget count in the texts
    of `documents`, in tokens of `tokenizer`.

    >>> import rankgauge as rg
    >>> qrels = {f"q{i}": {"d": 1} for i in range(20)}
    >>> run = {q: ["x1", "x2", "x3", "d", "x4", "x5"] for q in qrels}
    >>> diagnose(rg.evaluate(qrels, run, ["RR@10", "Hit@10"])).codes
    ['found-but-late', 'weak-measure']
    """
    if language is not None:
        check_language(language)
    accept = frozenset(accept)
    figures = standards if isinstance(standards, Standards) else load_standards(standards)
    chosen = None if scenario is None else figures.scenario(scenario)
    wanted = measures or (None if chosen is None else chosen.measures_with(train) or None)
    subject = as_record(subject, wanted, train=train, items=items, documents=documents, tokenizer=tokenizer)
    found: list[Finding] = []
    names, unseen, said = [], [], list[str]()
    for kind, one in _subjects(_accepted(subject, accept), figures, chosen, online_changes(online)):
        if kind in ("comparison", "predictions", "classes") or not isinstance(subject, Comparison):
            names.append(one.name)
        asked = _rules("ranking" if kind == "baseline" else kind, rules)
        if _is_suspicious(one):  # advice that rests on wrong numbers is wrong
            asked = [r for r in asked if r.code == _ABOUT_INPUT]
        for r in asked:
            one.lacks = False
            seen = r.apply(one)
            found += [] if seen is None else [_of_one(seen, one, subject)]
            unseen += [r.code] if seen is None and one.lacks else []
        if (
            kind == "ranking"
            and rules is None
            and not _is_suspicious(one)
            and (times := times_popular(one)) is not None
        ):
            said.append(phrase("{}: {}", "{}：{}", one.name, times) if isinstance(subject, Comparison) else times)
    found.sort(key=lambda f: (SEVERITIES.index(f.severity), -f.importance, f.code))
    doubts = [s.statement for s in _suspicions(subject) if s.severity == "warning" and s.code not in accept]
    lost = tuple(dict.fromkeys(unseen))
    made = Findings(
        subject=joined(Text(", ", "，"), names),
        all=tuple(found),
        scenario=scenario or "",
        most=most,
        notes=(*said, *_ends(subject)),
        doubts=tuple(doubts),
        not_looked_at=lost,
        limits=tuple(_limits(subject, lost)),
    )
    return made.in_language(language)


def _of_one(found: Finding, one: Any, subject: Any) -> Finding:
    """The finding with the name of the system that it is about, where it could be about several."""
    if not isinstance(subject, Comparison) or len(subject.systems) < 2 or not isinstance(one, Ranked):
        return found
    return replace(found, title=phrase("{}: {}", "{}：{}", one.ev.run, found.title))


_FEW, _ENOUGH = 10, 50
"""Queries below which hardly anything can be told from chance, and from which on much can."""


_OF_EVERYTHING = Text(
    "The candidates seem to be sampled: popularity beside them, retrieval and depth are not looked at, as such lists "
    "say nothing of them.",
    "候选似乎是抽样的：这样的列表说明不了与热门物品的差距、召回和深度，因此未作检查。",
)


def _limits(subject: Any, unseen: Sequence[str]) -> list[Text]:
    """Why there may be more than was found."""
    out: list[Text] = []
    first = subject.evaluations[subject.baseline] if isinstance(subject, Comparison) else subject
    name = subject.baseline if isinstance(subject, Comparison) else getattr(first, "run", "")
    n = first.counts["evaluated"] if isinstance(first, RankingEvaluation) else _FEW
    if n < _FEW:
        told = (
            f"{{}} {'is' if n == 1 else 'are'} too few to tell a fault from chance: that no rule finds one says "
            "little. Judge {} or more, better {}.",
            "只有 {}，太少，无法区分问题与偶然：没有发现问题并不代表没有问题。请标注至少 {} 个，最好 {} 个。",
        )
        queries = claimed(counted(n, "query", "个查询"), "count", n, "evaluated", name)
        asked = (claimed(str(x), "benchmark", x, "queries") for x in (_FEW, _ENOUGH))
        out.append(phrase(*told, queries, *asked))
    sides = subject.evaluations.values() if isinstance(subject, Comparison) else [subject]
    if any(s.code == SAMPLED for ev in sides for s in _suspicions(ev)):
        out.append(_OF_EVERYTHING)
    if unseen:
        codes = ", ".join(unseen)
        rows = Text("rows", "样本行") if first.kind == "predictions" else Text("result lists", "结果列表")
        out.append(
            Text(
                f"not looked at: {codes} (the {rows.en} are not at hand, as in a stored record); evaluate again in "
                "memory to have them looked at.",
                f"未检查：{codes}（手头没有{rows.zh}，例如读取的是存储的记录）；在内存中重新评测即可检查。",
            )
        )
    return out


def _ends(subject: Any) -> list[Statement]:
    """Measures that read on where all lists have ended."""
    if isinstance(subject, RankingEvaluation):
        return noted(subject, "beyond-lists")
    each = subject.evaluations.items() if isinstance(subject, Comparison) else ()
    return [phrase("{}: {}.", "{}：{}。", name, note) for name, ev in each for note in _ends(ev)]


def _suspicions(subject: Any) -> tuple[Suspicion, ...]:
    found: tuple[Suspicion, ...] = getattr(subject, "suspicions", ())
    return found


def _subjects(
    subject: Any, figures: Standards, scenario: Scenario | None, online: Sequence[OnlineChange]
) -> list[tuple[str, Any]]:
    """The kind and the view of everything there is to look at."""
    if isinstance(subject, RankingEvaluation):
        return [("ranking", Ranked(subject, figures, scenario))]
    if isinstance(subject, PredictionEvaluation):
        return [("predictions", Scored(subject, figures, scenario))]
    if isinstance(subject, Comparison):
        if subject.evaluations[subject.baseline].kind != "rankings":
            return [one for ev in subject.evaluations.values() for one in _subjects(ev, figures, scenario, online)]
        out: list[tuple[str, Any]] = []
        for system in subject.systems:
            changed = Changed(subject, system, figures, scenario, online)
            out += [("comparison", changed), ("ranking", changed.after)]
        return [*out, *([("baseline", changed.before)] if _is_suspicious(changed.before) else [])]
    if isinstance(subject, ClassEvaluation):
        return [("classes", Classed(subject, figures, scenario))]
    if isinstance(subject, ClassEvaluations):
        return [one for ev in subject.values() for one in _subjects(ev, figures, scenario, online)]
    raise InputError(
        Text(
            f"diagnose() needs an evaluation or a comparison, got {type(subject).__name__}.",
            f"diagnose() 需要评测或比较，实际为 {type(subject).__name__}。",
        )
    )


def _accepted(subject: Any, codes: frozenset[str]) -> Any:
    """The same without errors of these codes; what is only doubtful stays as doubtful as it is."""
    refuse_unknown(codes)
    if isinstance(subject, RankingEvaluation) and codes:
        kept = [s for s in subject.suspected if s.code not in codes or s.severity == "warning"]
        return replace(subject, suspected=kept)
    if isinstance(subject, Comparison) and codes:
        return replace(subject, evaluations={k: _accepted(ev, codes) for k, ev in subject.evaluations.items()})
    return subject


_ABOUT_INPUT = "suspicious-input"
"""The rule that holds whatever the numbers are worth."""


def _is_suspicious(subject: Any) -> bool:
    """Whether the input makes the numbers of this subject, or of one side of a change, wrong."""
    sides = [subject.before, subject.after] if isinstance(subject, Changed) else [subject]
    return any(errors_of(getattr(side.ev, "suspicions", ())) for side in sides)


def _rules(kind: str, codes: Iterable[str] | None) -> list[Rule]:
    wanted = list(RULES) if codes is None else list(codes)
    for code in wanted:
        if code not in RULES:
            raise UnknownName(Text(f"no rule {show(code)}.", f"没有规则 {show(code)}。") + among(code, RULES))
    return [RULES[code] for code in wanted if RULES[code].kind == kind]
