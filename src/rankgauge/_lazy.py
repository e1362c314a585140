"""Public names of a package that load on first use, so that importing it costs next to nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

__all__ = ["on_first_use"]


def on_first_use(
    package: str, home: Mapping[str, str], listed: Sequence[str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package.

    `home` says in which of its modules a name lives; an empty home is a module of that name. What was found is kept in
    the package: the second use is an ordinary attribute. Type checkers see the imports under `TYPE_CHECKING`.
    """

    def get(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if not home[name]:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(f"{package}.{home[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: list(listed)
