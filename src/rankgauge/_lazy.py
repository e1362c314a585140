"""Public names of a package that load on first use, so that importing it costs next to nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any

__all__ = ["import_modules", "on_first_use"]


def on_first_use(
    package: str,
    home: Mapping[str, str],
    listed: Sequence[str],
    *,
    registries: Sequence[str] = (),
    shown: bool = True,
    formerly: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package.

    `home` says in which of its modules a name lives; an empty home is a module of that name. What was found is kept in
    the package: the second use is an ordinary attribute. Type checkers see the imports under `TYPE_CHECKING`.

    `registries` are those of measures that are found by their names, each as a module and its name there,
    `predictions.PREDICTIONS`: a name that several have is that of the first. They are listed where they are `shown`.
    `formerly` has names of the version before, and what they are called now.
    """

    def measures(registry: str) -> Mapping[str, Any]:
        module, _, name = registry.rpartition(".")
        found: Mapping[str, Any] = getattr(import_module(f"{package}.{module}"), name).measures
        return found

    def get(name: str) -> Any:
        if name in formerly:
            from rankgauge._renamed import former

            former(f"{package}.{name}", formerly[name])
            return getattr(sys.modules[package], formerly[name])
        module = home.get(name)
        if module is None:
            if not name.startswith("_"):  # Python asks for many such, and registries are slow to load
                for registry in registries:
                    if name in (known := measures(registry)):
                        return known[name]
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        if not module:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(f"{package}.{module}"), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        if not shown:
            return list(listed)
        return sorted({*listed, *(name for registry in registries for name in measures(registry))})

    return get, names


def import_modules(package: str, *, but: Collection[str] = ()) -> None:
    """Import every public module of a package, so that what they register is there; sub-packages wait."""
    folder = os.path.dirname(str(sys.modules[package].__file__))
    for file in sorted(os.listdir(folder)):
        name = file.removesuffix(".py")
        if file.endswith(".py") and not file.startswith("_") and name not in but:
            import_module(f"{package}.{name}")
