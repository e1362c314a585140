"""What small changes do to a measure: ten results, and the same ten after one change.

Everything shown of them is computed by the measures themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import isnan
from typing import Any

from rankgauge._text import Text
from rankgauge.alignment.single import Grades
from rankgauge.errors import RankgaugeError
from rankgauge.measures.base import Measure
from rankgauge.measures.classes.base import ClassMeasure
from rankgauge.measures.definition import Definition
from rankgauge.measures.explanation import Reading, Scene
from rankgauge.measures.grammar import parse_class, parse_prediction, parse_ranking
from rankgauge.measures.predictions.base import PredictionMeasure

__all__ = ["readings", "scenes"]

_AS_IT_IS = Text("as it is", "原列表")
_GRADES: Sequence[Grades] = (3, 0, 1, None, 2, 0, 0, 1, 3, 0)
_MISSED: Sequence[Grades] = (2,)
_SERVES: Mapping[Grades, Grades] = {None: None, 0: (0, 0), 1: (0, 1), 2: (1, 1), 3: (1, 0)}
"""Which of two needs, or for which of two groups of assessors, an item of each grade is relevant."""

_LABELS = (1, 0, 1, 1, 0, 1, 0, 0, 1, 0)
_SCORES = (0.95, 0.85, 0.75, 0.65, 0.55, 0.45, 0.35, 0.25, 0.15, 0.05)
_GROUPS = (0, 0, 1, 0, 1, 0, 1, 0, 1, 1)


def scenes(m: Definition) -> list[Scene]:
    """The scenes for a measure: of a list, of rows with labels and scores, or of rows of several classes.

    None for measures of what is shown and of spans: ten grades say nothing of items, nor of lengths.
    """
    if m.needs & {"shown", "spans"}:
        return []
    if isinstance(m, ClassMeasure):
        return _of_classes()
    if isinstance(m, PredictionMeasure):
        return _of_rows("groups" in m.needs)
    *small, emptied = _of_lists(bool(m.needs & {"subtopics", "groups"}), m.cutoff)
    *values, last = _values(m, [*small, emptied]) or [0.0]
    return [*small, emptied] if len(set(values)) == 1 and values[0] != last else small


def _swap(rank: int) -> Text:
    return Text(f"ranks {rank} and {rank + 1} swapped", f"第 {rank}、{rank + 1} 位互换")


def _swapped(cells: Sequence[Any], rank: int) -> list[Any]:
    return [*cells[: rank - 1], cells[rank], cells[rank - 1], *cells[rank + 1 :]]


def _of_lists(has_headings: bool, k: int | None) -> list[Scene]:
    """Swaps at the top and over the cutoff, or at the end of the list; an item that comes in before it.

    The last one has nothing relevant there any more, for measures that see none of the others.
    """

    def seen(grades: Sequence[Grades]) -> list[Grades]:
        return [_SERVES[g] for g in grades] if has_headings else list(grades)

    shown, missed = seen(_GRADES), seen(_MISSED)
    end = min(k or len(shown), len(shown))
    swaps = sorted({1, min(end, len(shown) - 1)})
    # where something relevant stands already, another relevant item would change nothing
    enters = max((rank for rank in range(1, end + 1) if not _GRADES[rank - 1]), default=end)
    left = [_GRADES[enters - 1]] if _GRADES[enters - 1] is not None else []
    found = Text(f"a missed relevant item comes in at rank {enters}", f"漏掉的相关条目进入第 {enters} 位")
    none = Text(f"nothing relevant in the first {end}", f"前 {end} 条都不相关")
    relevant = [g for g in _GRADES[:end] if g]
    emptied = seen([0] * end + list(_GRADES[end:]))
    return [
        Scene(_AS_IT_IS, shown, missed),
        *(Scene(_swap(rank), _swapped(shown, rank), missed, marked=(rank, rank + 1)) for rank in swaps),
        Scene(found, [*shown[: enters - 1], *missed, *shown[enters:]], seen(left), marked=(enters,)),
        Scene(none, emptied, seen([*relevant, *_MISSED]), marked=tuple(range(1, end + 1))),
    ]


def _of_rows(has_groups: bool) -> list[Scene]:
    groups = _GROUPS if has_groups else ()
    halved = [score / 2 for score in _SCORES]
    return [
        Scene(_AS_IT_IS, _LABELS, scores=_SCORES, groups=groups),
        *(
            Scene(_swap(rank), _swapped(_LABELS, rank), scores=_SCORES, groups=groups, marked=(rank, rank + 1))
            for rank in (1, 9)
        ),
        Scene(Text("every score halved", "所有得分减半"), _LABELS, scores=halved, groups=groups),
    ]


_CLASSES = "ABC"
_TRUTH = "AAAAAABBBC"
_CALLED = "AAAAABBBAC"
_SURE = (0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.8, 0.7, 0.55, 0.6)


def _of_classes() -> list[Scene]:
    """Ten rows of a frequent, a less frequent and a rare class."""
    calls = {
        _ROWS_AS_THEY_ARE: (_CALLED, ()),
        Text("row 1, of the frequent class A, called B", "第 1 行（常见类别 A）判为 B"): ("B" + _CALLED[1:], (1,)),
        Text("row 10, the only one of class C, called A", "第 10 行（唯一的 C 类）判为 A"): (_CALLED[:-1] + "A", (10,)),
    }
    made = [_called(says, called, _SURE, marked) for says, (called, marked) in calls.items()]
    unsure = [(p + 1 / len(_CLASSES)) / 2 for p in _SURE]
    return [*made, _called(Text("every probability less sure", "所有概率都更不确定"), _CALLED, unsure)]


_ROWS_AS_THEY_ARE = Text("as they are", "原样本")


def _called(says: str, called: str, sure: Sequence[float], marked: Sequence[int] = ()) -> Scene:
    rows = zip(_TRUTH, called, sure, strict=True)
    return Scene(says, list(_TRUTH), called=list(called), probabilities=[_shares(*row) for row in rows], marked=marked)


def _shares(truth: str, called: str, p: float) -> dict[str, float]:
    """The called class has p; of the rest the true class has three quarters if it is another, else all have alike."""
    others = [c for c in _CLASSES if c != called]
    part = {c: 0.5 if truth == called else 0.75 if c == truth else 0.25 for c in others}
    return {c: p if c == called else (1 - p) * part[c] for c in _CLASSES}


def readings(m: Definition, others: Sequence[str], seen: Sequence[Scene]) -> list[Reading]:
    """What the measure says of the scenes, and others of its kind that may be taken instead; empty where it cannot."""
    values = _values(m, seen)
    if values is not None and not _is_defined(values):
        m = _small(m)
        values = _values(m, seen)
    if values is None or not _is_defined(values):
        return []
    read = _reader(m)
    found = [_reading(m, values)]
    for name in others:
        with suppress(RankgaugeError):  # of the other kind
            other = read(name)
            values = _values(other, seen)
            if values is not None and _is_defined(values):
                found.append(_reading(other, values))
    return found


def _reader(m: Definition) -> Callable[[str], Definition]:
    """What reads the names of other measures of its kind."""
    if isinstance(m, ClassMeasure):
        return parse_class
    return parse_prediction if isinstance(m, PredictionMeasure) else parse_ranking


def _small(m: Definition) -> Definition:
    """The measure as its worked example has it, which is made for few rows."""
    worked = getattr(m, "example", None)
    return type(m)(**worked.params) if worked is not None else m


def _values(m: Definition, seen: Sequence[Scene]) -> list[float | str] | None:
    """None where the measure refuses such results, as those with grades above its highest one."""
    try:
        return [_value(m, scene) for scene in seen]
    except (RankgaugeError, ArithmeticError):
        return None


def _is_defined(values: Sequence[float | str]) -> bool:
    """Whether there is a value of the first scene, with which the others are compared."""
    return bool(values) and not (isinstance(values[0], float) and isnan(values[0]))


def _reading(m: Definition, values: Sequence[float | str]) -> Reading:
    return Reading(str(m), values, [_side(m, value, values[0]) for value in values])


def _value(m: Definition, scene: Scene) -> float | str:
    shown: Any = scene.shown
    if isinstance(m, ClassMeasure):
        return m.of(shown, scene.called, scene.probabilities)
    if isinstance(m, PredictionMeasure):
        return m.of(shown, scene.scores, group=scene.groups or None)
    assert isinstance(m, Measure)
    return m.of(shown, scene.missed)


def _side(m: Definition, value: float | str, first: float | str) -> int:
    if isinstance(value, str) or isinstance(first, str):
        return 0
    if isnan(value) or abs(value - first) < 1e-12:
        return 0
    return 1 if m.is_better(value, first) else -1
