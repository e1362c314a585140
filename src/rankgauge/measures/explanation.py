"""What a measure says and means, gathered from its record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from rankgauge._records import Record
from rankgauge._text import check_language
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
    summary: Annotated[str, ("mean", "sum", "geometric", "none", "pooled")]
    names: Sequence[str]
    same: Mapping[str, str]
    differs: Mapping[str, str]
    reference: str
    shown: Sequence[Grades]
    """Grades of the worked example in rank order, None for an unjudged result."""
    missed: Sequence[Grades]
    """Grades of judged items that the example does not show."""
    rows: Sequence[Mapping[str, float | str]]
    """Rows of label and score, or of classes, for measures of those."""
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
    language: str | None = None
    """In which it is shown; None: the one that is set."""


_ANY_CUTOFF = re.compile(r"@\s*[kn](?=\s*($|\())", re.IGNORECASE)  # as formulas write it


def explain(name: str | Definition, *, language: str | None = None) -> Explanation:
    """What a measure answers, when to take it and when not, its formula, parameters, edges, and a worked example.

    Also which tools agree, and what small changes of a list do to it, which notebooks and `plot()` draw.

    >>> print(explain("RR@10").question)
    How far must a reader go for the first relevant result?

    A name that stands for several measures, such as Accuracy, is explained as that of labels and scores, with a
    cutoff as that of rankings, as `MulticlassAccuracy` as that of several classes. `also` names the others.
    `Recall@k` is explained with k = 10. It is shown in `language`, or in the one that is set.
    """
    from rankgauge.measures._scenes import readings, scenes
    from rankgauge.measures.classes.base import ClassCase
    from rankgauge.measures.lessons import Lesson, lesson_of
    from rankgauge.measures.predictions.base import Case, RowMeasure

    m, *others = meanings(_ANY_CUTOFF.sub("@10", name) if isinstance(name, str) else name)
    lesson = lesson_of(type(m)) or Lesson((), (), "", "", {})
    instead = {_at(other, m): when for other, when in lesson.instead.items()}
    seen = scenes(m)
    read = readings(m, [other.replace("@k", "@10") for other in instead], seen)
    worked = m.example
    sample: Any = type(m)(**worked.params) if worked else m
    value: float | str | None = None
    if isinstance(worked, Example):
        value = sample.of(worked.shown, worked.missed)
    elif isinstance(worked, Case):
        value = sample.of(worked.label, worked.score, worked.weight, worked.group)
    elif isinstance(worked, ClassCase):
        value = sample.of(worked.label, worked.prediction, worked.probability)
    return Explanation(
        measure=str(m),
        title=m.title,
        question=m.question,
        formula=m.formula,
        parameters=[Parameter(n, p.show(getattr(m, n)), p.show(p.default), p.doc) for n, p in m.params.items()],
        edges=m.edges,
        bounds=m.bounds,
        higher_is_better=m.higher_is_better,
        ideal=m.ideal if isinstance(m, RowMeasure) else None,
        summary=m.summary,
        names=m.aliases,
        same=m.same,
        differs=m.differs,
        reference=m.reference,
        shown=worked.shown if isinstance(worked, Example) else (),
        missed=worked.missed if isinstance(worked, Example) else (),
        rows=worked.rows() if isinstance(worked, (Case, ClassCase)) else (),
        example=str(sample),
        sum=worked.sum if worked else "",
        value=value,
        also={_typed(other): other.question for other in others},
        strengths=lesson.strengths,
        limits=lesson.limits,
        use=lesson.use,
        avoid=lesson.avoid,
        instead=instead,
        scenes=seen if read else (),
        readings=read,
        language=language if language is None else check_language(language),
    )


def _at(other: str, m: Definition) -> str:
    """`R@k` at the cutoff of the measure beside which it is named."""
    return other if m.cutoff is None else other.replace("@k", f"@{m.cutoff}")


def _typed(m: Definition) -> str:
    """What to type for it: F is the F of labels and scores, F@10 that of rankings, MulticlassF that of classes."""
    if meanings(str(m))[0] == m:
        return str(m)
    of_classes = f"Multiclass{m.name}"
    return of_classes if meanings(of_classes)[0] == m else f"{m}@10"
