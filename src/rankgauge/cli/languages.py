"""`--language`: known before anything is parsed, since errors and help pages speak it as well."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from rankgauge._language import LANGUAGES, VARIABLE, get_language, language_of
from rankgauge._text import Text
from rankgauge._words import as_meant

if TYPE_CHECKING:
    from rankgauge.cli.style import click

__all__ = ["asked", "language_option"]

F = TypeVar("F", bound=Callable[..., Any])
_NAME = "--language"


def asked(words: Sequence[str]) -> str | None:
    """The language that the words of a command ask for, the last one; None where they ask for none that there is.

    Where the environment names none that there is, the first: the option refuses it, in these words.
    """
    said = os.environ.get(VARIABLE)
    found = LANGUAGES[0] if said and language_of(said) is None else None
    for word, following in zip(words, [*words, ""][1:], strict=True):
        if word == "--":
            break
        name, equals, value = word.partition("=")
        language = language_of(as_meant(value if equals else following))
        if name == _NAME and language is not None:
            found = language
    return found


def language_option(**attrs: Any) -> Callable[[F], F]:
    """Who gets it as `language` gets the one that is spoken, however it was chosen."""
    from rankgauge.cli.style import click
    from rankgauge.cli.types import Language

    return click.option(
        _NAME,
        type=Language(LANGUAGES),
        default=None,
        envvar=VARIABLE,
        show_envvar=True,
        callback=_spoken,
        help=Text("Of everything that is said. [default: en]", "所有输出所用的语言。[默认：en]"),
        **attrs,
    )


def _spoken(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    return value or get_language()
