"""Public names of a package that load on first use, so that importing it costs next to nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

__all__ = ["on_first_use"]


def on_first_use(
    package: str, home: Mapping[str, str], listed: Sequence[str], *, others: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package.

    `home` says in which of its modules a name lives; an empty home is a module of that name. What was found is kept in
    the package: the second use is an ordinary attribute. Type checkers see the imports under `TYPE_CHECKING`. `others`
    is a module of which all that it shows is found, unlisted.
    """

    def get(name: str) -> Any:
        module = home.get(name)
        if module is None and others and not name.startswith("_"):
            module = others if name in dir(import_module(f"{package}.{others}")) else None
        if module is None:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        if not module:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(f"{package}.{module}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: list(listed)
