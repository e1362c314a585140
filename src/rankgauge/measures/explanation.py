"""What a measure says and means, gathered from its record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from rankgauge._records import Record
from rankgauge._text import check_language
from rankgauge.errors import RankgaugeError
from rankgauge.measures.base import Example, Grades
from rankgauge.measures.definition import Definition
from rankgauge.measures.grammar import meanings

__all__ = ["Explanation", "Parameter", "Reading", "Scene", "explain"]


@dataclass(frozen=True)
class Parameter:
    name: str
    value: str
    default: str
    meaning: str


@dataclass(frozen=True)
class Scene:
    """Ten results as they are, or after a change."""

    says: str
    """What has changed."""
    shown: Sequence[Grades | str]
    """Grades in rank order, None for an unjudged result; labels by falling score where there are scores; or classes."""
    missed: Sequence[Grades] = ()
    """Grades of judged items that the list does not show."""
    scores: Sequence[float] = ()
    groups: Sequence[int] = ()
    called: Sequence[str] = ()
    """What class each row is called, where several classes are shown."""
    probabilities: Sequence[Mapping[str, float]] = ()
    """Of each row the probabilities by class."""
    marked: Sequence[int] = ()
    """The ranks that differ from the first scene."""


@dataclass(frozen=True)
class Reading:
    """What a measure says of each scene."""

    measure: str
    values: Sequence[float | str]
    """One for each scene; NaN where it has none."""
    better: Sequence[int]
    """1 where the scene is better than the first one, -1 where it is worse, 0 where nothing changed."""


@dataclass(frozen=True)
class Explanation(Record, kind="explanation", schema=1):
    """All there is to know about a measure before quoting its number."""

    measure: str
    title: str
    question: str
    formula: str
    parameters: Sequence[Parameter]
    edges: str
    bounds: tuple[float, float]
    higher_is_better: bool
    ideal: float | None
    """The best value, where neither higher nor lower is better."""
    summary: Annotated[str, ("mean", "sum", "geometric", "none", "pooled", "run")]
    names: Sequence[str]
    same: Mapping[str, str]
    differs: Mapping[str, str]
    reference: str
    shown: Sequence[Grades]
    """Grades of the worked example in rank order, None for an unjudged result."""
    missed: Sequence[Grades]
    """Grades of judged items that the example does not show."""
    rows: Sequence[Mapping[str, float | str]]
    """Rows of label and score, of classes, or of users and what they are shown, for measures of those."""
    example: str
    """The measure of the worked example, with its parameters."""
    sum: str
    """Its arithmetic."""
    value: float | str | None
    also: Mapping[str, str] = field(default_factory=dict)
    """Other measures that the same name stands for, and what each answers."""
    strengths: Sequence[str] = ()
    limits: Sequence[str] = ()
    use: str = ""
    """When to take it."""
    avoid: str = ""
    """When not to."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """Other measures, and when to take each instead."""
    scenes: Sequence[Scene] = ()
    """Ten results, and the same after small changes."""
    readings: Sequence[Reading] = ()
    """What the measure says of each scene, and below it those that may be taken instead."""
    usual: str = ""
    """The measure with its defaults, where parameters make it another number: then lessons are told of that one."""
    usual_formula: bool = False
    """Whether the formula is that of the defaults."""
    usual_same: Mapping[str, str] = field(default_factory=dict)
    """Where the number of the defaults is found."""
    usual_sum: str = ""
    """The worked example with the defaults, where no arithmetic is written for these parameters."""
    spelled: Mapping[str, str] = field(default_factory=dict)
    """Names that stand for the measure with other parameters, and what each stands for."""
    why: str = ""
    """The worked example in words, where its arithmetic is a mere number."""
    language: str | None = None
    """In which it is shown; None: the one that is set."""


_ANY_CUTOFF = re.compile(r"@\s*[kn](?=\s*($|\())", re.IGNORECASE)  # as formulas write it


def explain(name: str | Definition, *, language: str | None = None) -> Explanation:
    """What a measure answers, when to take it and when not, its formula, parameters, edges, and a worked example.

    Also which tools agree, and what small changes of a list do to it, which notebooks and `plot()` draw.

    >>> print(explain("RR@10").question)
    How far must a reader go for the first relevant result?

    A name that stands for several measures, such as Recall, is explained as that of rankings, with a threshold as that
    of labels and scores, as `MulticlassRecall` as that of several classes; Accuracy, F1 and Precision without a cutoff
    as those of labels and scores. `also` names the others. Where parameters make it another number than the defaults
    do, what is told of the defaults only says so: see `usual`. `Recall@k` is explained with k = 10.
    It is shown in `language`, or in the one that is set.
    """
    from rankgauge.measures._scenes import readings, scenes
    from rankgauge.measures.classes.base import ClassCase
    from rankgauge.measures.lessons import Lesson, lesson_of
    from rankgauge.measures.predictions.base import Case, RowMeasure
    from rankgauge.measures.shown.base import ShownCase
    from rankgauge.measures.spans.base import SpanCase

    m, *others = meanings(_ANY_CUTOFF.sub("@10", name) if isinstance(name, str) else name)
    lesson = lesson_of(type(m)) or Lesson((), (), "", "", {})
    instead = {_at(other, m): when for other, when in lesson.instead.items()}
    seen = scenes(m)
    read = readings(m, [other.replace("@k", "@10") for other in instead], seen)
    changed = m.changed()
    variant = m.variants.get(", ".join(f"{n}={m.params[n].show(v)}" for n, v in changed.items() if n not in _SIFTING))
    worked = variant.example if variant else m.example
    sample, value, own_sum = _worked(m, worked)
    usual = m.replace(**{n: m.params[n].default for n in changed})
    elsewhere = _elsewhere(m)
    return Explanation(
        measure=str(m),
        title=m.title,
        question=(variant.question if variant else "") or m.question,
        formula=variant.formula if variant else m.formula,
        parameters=[Parameter(n, p.show(getattr(m, n)), p.show(p.default), p.doc) for n, p in m.params.items()],
        edges=m.edges,
        bounds=m.bounds,
        higher_is_better=m.higher_is_better,
        ideal=m.ideal if isinstance(m, RowMeasure) else None,
        summary=m.summary,
        names=[name for name in m.aliases if _parameters_of(m, name) == changed],
        same=elsewhere.same,
        differs=elsewhere.differs,
        reference=m.reference,
        shown=worked.shown if isinstance(worked, Example) else (),
        missed=worked.missed if isinstance(worked, Example) else (),
        rows=worked.rows() if isinstance(worked, (Case, ClassCase, ShownCase, SpanCase)) else (),
        example=str(sample),
        sum=worked.sum if worked and own_sum else "",
        value=value,
        also={_typed(other): other.question for other in others},
        strengths=lesson.strengths,
        limits=lesson.limits,
        use=lesson.use,
        avoid=lesson.avoid,
        instead=instead,
        scenes=seen if read else (),
        readings=read,
        usual=str(usual) if changed else "",
        usual_formula=bool(changed.keys() - _SIFTING) and variant is None,
        usual_same=elsewhere.usual,
        usual_sum="" if own_sum or worked is None else f"{type(m)(**worked.params)} = {worked.sum}",
        spelled=_spelled(m, changed),
        why=worked.why if isinstance(worked, Example) and own_sum else "",
        language=language if language is None else check_language(language),
    )


_SIFTING = frozenset({"rel", "judged_only", "budget"})
"""Parameters that say which results a formula speaks of, and leave the formula as it is."""


def _worked(m: Any, worked: Any) -> tuple[Any, float | str | None, bool]:
    """The measure of the worked example, its value, and whether the arithmetic of the record is that of its value.

    It has the parameters of m, and its cutoff too where that leaves the arithmetic as it is.
    """
    if worked is None:
        return m, None, False
    written = type(m)(**worked.params)
    value = _of(written, worked)
    if written.changed() != (asked := m.changed()) and asked:
        sample = written.replace(**asked)
        try:
            return sample, _of(sample, worked), False
        except (RankgaugeError, ArithmeticError):  # these parameters refuse such rows
            return written, value, True
    if m.cutoff is not None and m.cutoff != written.cutoff:
        here = written.replace(k=m.cutoff)
        try:
            if _of(here, worked) == value:
                return here, value, True
        except (RankgaugeError, ArithmeticError):
            pass
    return written, value, True


def _of(m: Any, worked: Any) -> float | str:
    """What a measure says of a worked example."""
    from rankgauge.measures.predictions.base import Case
    from rankgauge.measures.shown.base import ShownCase
    from rankgauge.measures.spans.base import SpanCase

    found: float | str
    if isinstance(worked, Example):
        found = m.of(worked.shown, worked.missed)
    elif isinstance(worked, ShownCase):
        found = m.of(worked.lists, worked.train, worked.items, worked.relevant, worked.seconds, worked.spent)
    elif isinstance(worked, SpanCase):
        chunks = None if worked.chunks is None else dict(enumerate(worked.chunks))
        found = m.of({"q": worked.needs}, {"q": worked.pieces}, chunks)
    elif isinstance(worked, Case):
        found = m.of(worked.label, worked.score, worked.weight, worked.group)
    else:
        found = m.of(worked.label, worked.prediction, worked.probability)
    return found


def _parameters_of(m: Definition, name: str) -> dict[str, Any]:
    """What a name of the measure says of parameters."""
    usual = {n: p.default for n, p in m.params.items() if not p.required}
    return m.replace(**{**usual, **m.spellings.get(name, {})}).changed()


def _spelled(m: Definition, changed: Mapping[str, Any]) -> dict[str, str]:
    """Names with parameters other than those of m, and the measure that each stands for."""
    found = {}
    for name, params in m.spellings.items():
        if _parameters_of(m, name) != changed:
            required = {n: getattr(m, n) for n, p in m.params.items() if p.required}
            found[name] = str(type(m)(**{**required, **params}))
    return found


@dataclass(frozen=True)
class _Elsewhere:
    """Where the number of a measure is found, where only that of its defaults is, and where neither is."""

    same: Mapping[str, str]
    differs: Mapping[str, str]
    usual: Mapping[str, str]


def _elsewhere(m: Definition) -> _Elsewhere:
    """A record speaks of the defaults, unless it names parameters: with others only what names them is the same."""
    other = {tool: how for tool, how in m.same.items() if _speaks_of_parameters(m, how)}
    if not m.changed():
        other = {tool: how for tool, how in other.items() if re.fullmatch(_CALL.format(re.escape(m.name)), how)}
        return _Elsewhere({tool: how for tool, how in m.same.items() if tool not in other}, other | {**m.differs}, {})
    promoted = {tool: how for tool, how in m.differs.items() if _ends_with(m, how)}
    same = {tool: how for tool, how in m.same.items() if _names(m, how)}
    return _Elsewhere(
        same | promoted,
        {tool: how for tool, how in (other | {**m.differs}).items() if tool not in same and tool not in promoted},
        {tool: how for tool, how in m.same.items() if tool not in same and tool not in other},
    )


_CALL = r"{}\(([^()]*)\)(?:@k)?"
_ANY_VALUE = ("…", "β", "x")  # as records write that it holds for each


def _ends_with(m: Definition, how: str) -> bool:
    """Whether a text ends in the measure with these parameters: `…: P(divisor=retrieved)@k`."""
    found = re.search(_CALL.format(re.escape(m.name)) + "$", how)
    return found is not None and _is_of(m, found[1])


def _names(m: Definition, how: str) -> bool:
    """Whether a text names these parameters: as a call, or by themselves, `gauc is weight=uniform`."""
    calls = re.findall(_CALL.format(r"\b" + re.escape(m.name)), how)
    if calls:
        return any(_is_of(m, call) for call in calls)
    alone = [f"{n}={value}" for n, value in re.findall(r"(\w+)=([\w.…]+)", how) if n in m.params]
    return bool(alone) and _is_of(m, ", ".join(alone))


def _speaks_of_parameters(m: Definition, how: str) -> bool:
    return any(f"{n}=" in how for n in m.params)


def _is_of(m: Definition, text: str) -> bool:
    """Whether `norm=min, rel=2` are the parameters of m that are not at their defaults."""
    pairs = dict(part.strip().split("=", 1) for part in text.split(",") if "=" in part)
    shown = {n: m.params[n].show(v) for n, v in m.changed().items()}
    given = {n: shown.get(n, "") if value in _ANY_VALUE else value for n, value in pairs.items()}
    return {n: v for n, v in given.items() if v} == shown


def _at(other: str, m: Definition) -> str:
    """`R@k` at the cutoff of the measure beside which it is named."""
    return other if m.cutoff is None else other.replace("@k", f"@{m.cutoff}")


def _typed(m: Definition) -> str:
    """What to type for it: F is the F of labels and scores, F@10 that of rankings, MulticlassF that of classes."""
    if meanings(str(m))[0] == m:
        return str(m)
    of_classes = f"Multiclass{m.name}"
    return of_classes if meanings(of_classes)[0] == m else f"{m}@10"
