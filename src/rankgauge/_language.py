"""The language that is spoken to people: one setting, asked by whoever shows a text.

    rg.set_language("zh")         from now on, in this process
    RANKGAUGE_LANGUAGE=zh         for processes that are told nothing else
    with speaking("zh"): …        here and in what is called from here; the command line does so for `--language`

A `language=` that is given to a call wins over all of them. Records hold every language, whatever is spoken.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["LANGUAGES", "VARIABLE", "get_language", "set_language", "speaking"]

LANGUAGES = ("en", "zh")
"""Every text is there in each of them; the first is spoken unless another is asked for."""
VARIABLE = "RANKGAUGE_LANGUAGE"

_chosen: list[str | None] = [None]  # of the process: threads that begin later speak it as well
_here: ContextVar[str | None] = ContextVar("rankgauge_language", default=None)


def get_language() -> str:
    """The language of everything that is said now: `"en"` or `"zh"`.

    A variable of the environment that names no language is not worth an error in the middle of a message.
    """
    language = _here.get() or _chosen[0] or os.environ.get(VARIABLE)
    return language if language in LANGUAGES else LANGUAGES[0]


def set_language(language: str | None) -> None:
    """Speak this language from now on, in tables, pages, charts, findings, errors and warnings.

    >>> set_language("zh")
    >>> from rankgauge.errors import ParameterError
    >>> from rankgauge._checks import whole
    >>> try:
    ...     whole("depth", 0)
    ... except ParameterError as error:
    ...     print(error)
    `depth` 必须是正整数，实际为 0。
    >>> set_language(None)  # what the environment says (RANKGAUGE_LANGUAGE), or else English
    """
    if language is not None:
        _check(language)
    _chosen[0] = language


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Speak this language inside; None: as before."""
    if language is not None:
        _check(language)
    token = _here.set(language or _here.get())
    try:
        yield
    finally:
        _here.reset(token)


def _check(language: str) -> None:
    from rankgauge._text import check_language  # texts ask which language is spoken

    check_language(language)
