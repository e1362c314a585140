"""Former names of arguments and functions: they work for one version, and a warning says the name of today."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar
from warnings import warn

from rankgauge._text import Text, in_language

__all__ = ["former", "renamed"]

P = ParamSpec("P")
T = TypeVar("T")


def renamed(**names: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """For a function whose arguments had other names: `@renamed(segments="slices")`."""

    def decorate(call: Callable[P, T]) -> Callable[P, T]:
        @wraps(call)
        def with_names_of_today(*args: P.args, **options: P.kwargs) -> T:
            for old in names.keys() & options.keys():
                new = names[old]
                if new in options:
                    both = Text(
                        f"{call.__qualname__}() got `{new}` and `{old}`, its former name. Pass `{new}`.",
                        f"{call.__qualname__}() 同时收到 `{new}` 及其旧名 `{old}`。请传入 `{new}`。",
                    )
                    raise TypeError(in_language(both))
                former(f"{call.__qualname__}({old}=…)", f"{new}=…")
                options[new] = options.pop(old)
            return call(*args, **options)

        return with_names_of_today

    return decorate


def former(old: str, new: str) -> None:
    """Warn whoever called the function that calls this."""
    said = Text(
        f"{old} is now {new}; the former name goes with the next version.",
        f"{old} 现在叫 {new}；旧名将在下个版本移除。",
    )
    warn(in_language(said), DeprecationWarning, stacklevel=3)
