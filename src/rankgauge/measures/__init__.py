"""Ranking measures: values that can be parsed, printed, compared, explained and computed.

One module per family. Importing this package imports them all, so a new module is a new family.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from rankgauge.measures.base import REGISTRY, Measure, measure
from rankgauge.measures.grammar import parse, parse_many

__all__ = ["REGISTRY", "Measure", "families", "measure", "parse", "parse_many"]

for _file in sorted(os.listdir(os.path.dirname(__file__))):
    if _file.endswith(".py") and not _file.startswith("_"):
        import_module(f"{__name__}.{_file.removesuffix('.py')}")


def __getattr__(name: str) -> Any:
    if name in REGISTRY:
        return REGISTRY[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *REGISTRY])


_FIRST = ("Counting relevant results", "First relevant result", "Average precision", "Cumulated gain")
_LAST = ("As in trec_eval", "Your own")


def families() -> dict[str, list[type[Measure]]]:
    """The measures by family: those everybody knows first, those few need last."""
    names = sorted({cls.family for cls in REGISTRY.values()})
    middle = [n for n in names if n not in (*_FIRST, *_LAST)]
    ordered = [n for n in (*_FIRST, *middle, *_LAST) if n in names]
    return {n: [cls for cls in REGISTRY.values() if cls.family == n] for n in ordered}


class _Callable(ModuleType):
    def __call__(self) -> list[Measure]:
        """All registered measures with their default parameters, family by family."""
        return [cls() for members in families().values() for cls in members]


# `rg.measures()` lists the measures, `rg.measures.nDCG` is one of them: the package is both
sys.modules[__name__].__class__ = _Callable
