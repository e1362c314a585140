"""The source as a tree, for those who ask all of it the same question: each file is parsed and walked once by a worker.

tests/conftest.py has those files that ask all of it run by the same one.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import rankgauge

__all__ = ["SOURCE", "every", "kinds_of", "modules", "parsed", "texts"]

SOURCE = Path(rankgauge.__file__).parent
Kinds = dict[type[ast.AST], list[Any]]
"""What a text consists of, by kind, each in the order of `ast.walk`."""
Part = TypeVar("Part", bound=ast.AST)


@cache
def parsed(text: str) -> ast.Module:
    """Not to be changed: others look at it, too."""
    return ast.parse(text)


@cache
def texts() -> dict[str, str]:
    """What is in the modules of the package, by where they are: `data/run.py`."""
    paths = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}
    return {name: path.read_text(encoding="utf-8") for name, path in paths.items()}


@cache
def kinds_of(text: str) -> Kinds:
    found: Kinds = {}
    with _nothing_collected():
        for node in ast.walk(parsed(text)):
            found.setdefault(type(node), []).append(node)
    return found


@cache
def modules() -> dict[str, Kinds]:
    """The modules of the package, by where they are."""
    with _nothing_collected():
        found = {name: kinds_of(text) for name, text in texts().items()}
        gc.freeze()
    return found


def every(*kinds: type[Part], having: str = "") -> Iterator[tuple[str, Part]]:
    """All that is of these kinds, with the module that it stands in; of those modules only that have some letters."""
    found = {name: kinds_of(text) for name, text in texts().items() if having in text} if having else modules()
    yield from ((name, node) for name, parts in found.items() for kind in kinds for node in parts.get(kind, ()))


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """A million parts, all of which stay: to look at them again and again took longer than to make them."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
