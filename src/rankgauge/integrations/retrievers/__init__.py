"""Other people's retrievers, each in one small file: recognised by what they can do, never imported.

A module here has a `recognise(given)`, which gives a `Retriever` where it knows the object, else None. Nothing lists
them: a new file is a new one. The order is that of `ORDER` in each, the most particular first; a function comes last.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Set
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple
from zlib import crc32

__all__ = ["Query", "Retriever", "has", "may_be_asked", "name_of", "origin_of", "recognised"]


class Query(NamedTuple):
    """What is asked, and the id that it has in the judgements."""

    id: str
    text: str


@dataclass(frozen=True, eq=False)
class Retriever:
    """Something that can be asked."""

    name: str
    ask: Callable[[Query, int], Any]
    """What it gives for a query, about so many results, in any of the forms of `collection/results.py`."""
    ask_later: Callable[[Query, int], Awaitable[Any]] | None = None
    """The same where it is asynchronous; then `ask` is not used."""


_NEVER = (str, bytes, bool, int, float, Mapping, Set, os.PathLike, type)
"""What is never asked, but may hold who is."""
_MOST = 100  # systems that are evaluated together; queries of a run are more


def may_be_asked(run: Any) -> bool:
    """Whether there may be a retriever in what was given as a run; quick, and nothing is loaded for it."""
    if isinstance(run, Mapping):
        return len(run) <= _MOST and any(map(_may_be_one, run.values()))
    return _may_be_one(run) or (isinstance(run, (list, tuple)) and any(map(_may_be_one, run[:_MOST])))


def _may_be_one(given: Any) -> bool:
    if isinstance(given, (list, tuple)):  # (model, corpus), (client, index)
        return 2 <= len(given) <= 3 and _may_be_one(given[0])
    return given is not None and not isinstance(given, _NEVER) and not _is_table(given)


_OF_TABLES = ("sparkSession", "columns", "shape", "to_frame")


def _is_table(given: Any) -> bool:
    """Of ours, of NumPy, or a frame: all of them have rows. The class is asked: a lazy frame would look at its file."""
    return any(hasattr(type(given), name) for name in _OF_TABLES)


def recognised(given: Any) -> Retriever | None:
    """The retriever that an object is; None where it is none."""
    if not _may_be_one(given):
        return None
    if isinstance(given, Retriever):
        return given
    for module in _modules():
        found: Retriever | None = module.recognise(given)
        if found is not None:
            return found
    return None


@cache
def _modules() -> list[ModuleType]:
    files = sorted(f.removesuffix(".py") for f in os.listdir(os.path.dirname(__file__)) if f.endswith(".py"))
    found = [import_module(f"{__name__}.{name}") for name in files if not name.startswith("_")]
    return sorted(found, key=lambda module: module.ORDER)


# what adapters are written with


def has(given: Any, *names: str) -> bool:
    """Whether it can do all of these."""
    return all(callable(getattr(given, name, None)) for name in names)


def name_of(given: Any) -> str:
    """What it is called: the name of a function, else that of the class."""
    name = getattr(given, "__name__", None)
    return name if isinstance(name, str) else type(given).__name__


def origin_of(given: Any) -> str:
    """Where it is defined, as `module:name`; of an object its class, of a lambda what it does: its line may move."""
    if isinstance(given, (list, tuple)):  # (model, corpus)
        given = given[0]
    while isinstance(given, partial):
        given = given.func
    name = getattr(given, "__qualname__", None)
    if not isinstance(name, str):
        given = type(given)
        name = given.__qualname__
    code = getattr(given, "__code__", None)
    if name.endswith("<lambda>") and code is not None:
        does = repr((code.co_code, code.co_names, [c for c in code.co_consts if not hasattr(c, "co_code")]))
        return f"lambda-{crc32(does.encode()):08x}"
    module = str(getattr(given, "__module__", ""))
    if module == "__main__":  # a script has a name as well
        file = getattr(sys.modules[module], "__file__", None) or module
        module = os.path.splitext(os.path.basename(file))[0]
    return f"{module}:{name}"
