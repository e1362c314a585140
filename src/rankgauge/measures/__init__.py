"""Measures: values that can be parsed, printed, compared, explained and computed.

One module per family. Importing this package imports them all, so a new module is a new family.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from rankgauge._lazy import import_modules, on_first_use
from rankgauge.measures.base import RANKINGS, REGISTRY, Example, Measure, Variant, measure
from rankgauge.measures.grammar import parse, parse_class, parse_many, parse_prediction, parse_ranking
from rankgauge.measures.parameters import Param

if TYPE_CHECKING:
    from rankgauge.measures import classes, predictions, shown, spans
    from rankgauge.measures.classes import CLASSES, ClassMeasure
    from rankgauge.measures.explanation import Explanation, Parameter, Reading, Scene
    from rankgauge.measures.predictions import PREDICTIONS, PredictionMeasure
    from rankgauge.measures.shown import SHOWN, ShownMeasure
    from rankgauge.measures.spans import SPANS, SpanMeasure

__all__ = [
    "CLASSES",
    "PREDICTIONS",
    "REGISTRY",
    "SHOWN",
    "SPANS",
    "ClassMeasure",
    "Example",
    "Explanation",
    "Measure",
    "Param",
    "Parameter",
    "PredictionMeasure",
    "Reading",
    "Scene",
    "ShownMeasure",
    "SpanMeasure",
    "Variant",
    "classes",
    "families",
    "measure",
    "parse",
    "parse_class",
    "parse_many",
    "parse_prediction",
    "parse_ranking",
    "predictions",
    "shown",
    "spans",
]

import_modules(__name__, but={"explanation"})

_HOME = {
    # kinds of measures that most rankings do without
    **{"predictions": "", "classes": "", "shown": "", "spans": ""},
    **{"PREDICTIONS": "predictions", "CLASSES": "classes", "SHOWN": "shown", "SPANS": "spans"},
    **{"PredictionMeasure": "predictions", "ClassMeasure": "classes", "ShownMeasure": "shown", "SpanMeasure": "spans"},
    # what only those who ask for an explanation wait for
    **dict.fromkeys(("Explanation", "Parameter", "Reading", "Scene"), "explanation"),
}

if TYPE_CHECKING:

    def __getattr__(name: str) -> type[Measure]: ...
else:  # a name that several kinds have is that of rankings, then of labels and scores
    __getattr__, __dir__ = on_first_use(
        __name__,
        _HOME,
        __all__,
        registries=["base.RANKINGS", *(f"{_HOME[name]}.{name}" for name in _HOME if name.isupper())],
    )

_FIRST = ("Counting relevant results", "First relevant result", "Average precision", "Cumulated gain")
_LAST = ("As in trec_eval", "Your own")


def families() -> dict[str, list[type[Measure]]]:
    """The measures of rankings by family: those everybody knows first, those few need last."""
    return RANKINGS.families(_FIRST, _LAST)


class _Callable(ModuleType):
    def __call__(self, *words: str) -> list[Measure | PredictionMeasure | ClassMeasure]:
        """All registered measures, family by family, those of rankings first; or those that mention all the words.

        Families count where no measure has the words itself: 精确率与召回率 is no reason to list precision for 召回.

        With their default parameters; those that need a threshold with the one of their worked example.

        >>> from rankgauge import measures
        >>> measures("subtopic", "recall"), measures("子主题")
        ([StRecall], [AP_IA, P_IA, StRecall])
        """
        from rankgauge.measures.classes import families as of_classes
        from rankgauge.measures.predictions import families as of_predictions
        from rankgauge.measures.shown import families as of_shown
        from rankgauge.measures.spans import families as of_spans

        rankings = [cls() for members in families().values() for cls in members]
        shown = [cls() for kind in (of_shown, of_spans) for members in kind().values() for cls in members]
        made = [
            cls(**({} if "threshold" not in cls.params else {"threshold": 0.5}))
            for members in of_predictions().values()
            for cls in members
        ]
        classes = [cls() for members in of_classes().values() for cls in members]
        every: list[Measure | PredictionMeasure | ClassMeasure] = [*rankings, *shown, *made, *classes]
        return [m for m in every if m.mentions(words)] or [m for m in every if m.mentions(words, family=True)]


# `rg.measures()` lists the measures, `rg.measures.nDCG` is one of them: the package is both
sys.modules[__name__].__class__ = _Callable
