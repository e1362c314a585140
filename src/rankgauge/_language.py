"""The language that is spoken to people: one setting, asked by whoever shows a text.

    rg.set_language("zh")         from now on, in this process
    RANKGAUGE_LANGUAGE=zh         for processes that are told nothing else
    with speaking("zh"): …        here and in what is called from here; the command line does so for `--language`

A `language=` that is given to a call wins over all of them. Records hold every language, whatever is spoken. Languages
may be written as locales are: `zh_CN.UTF-8`, `zh-Hans`, `en_US`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["LANGUAGES", "VARIABLE", "get_language", "language_of", "set_language", "speaking"]

LANGUAGES = ("en", "zh")
"""Every text is there in each of them; the first is spoken unless another is asked for."""
VARIABLE = "RANKGAUGE_LANGUAGE"

_chosen: list[str | None] = [None]  # of the process: threads that begin later speak it as well
_here: ContextVar[str | None] = ContextVar("rankgauge_language", default=None)


def language_of(word: str) -> str | None:
    """The language that a word means, as systems write it; None where there is none such.

    >>> [language_of(word) for word in ("zh", "zh_CN.UTF-8", "zh-Hans", "ZH", "en_US", "fr")]
    ['zh', 'zh', 'zh', 'zh', 'en', None]
    """
    if word in LANGUAGES:
        return word
    found = _LOCALE.fullmatch(word.strip().lower())
    return found[1] if found else None


_LOCALE = re.compile(rf"({'|'.join(LANGUAGES)})(?:[-_][a-z0-9]{{2,8}})*(?:\.[a-z0-9-]+)?(?:@\w+)?")


def get_language() -> str:
    """The language of everything that is said now: `"en"` or `"zh"`.

    A variable of the environment that names no language is not worth an error in the middle of a message: a warning
    says so once. Commands refuse it.
    """
    if (chosen := _here.get() or _chosen[0]) is not None:
        return chosen
    said = os.environ.get(VARIABLE)
    if not said:
        return LANGUAGES[0]
    language = language_of(said)
    if language is None and said not in _warned:
        _warned.add(said)
        _warn(said)
    return language or LANGUAGES[0]


_warned: set[str] = set()


def _warn(said: str) -> None:
    import warnings

    from rankgauge._show import show
    from rankgauge._text import Text
    from rankgauge.errors import RankgaugeWarning

    known = ", ".join(LANGUAGES)
    text = Text(
        f"{VARIABLE} must be one of {known}, got {show(said)}. English is spoken.",
        f"{VARIABLE} 必须是 {known} 之一，实际为 {show(said)}。将使用英文。",
    )
    warnings.warn(RankgaugeWarning(text), stacklevel=3)


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
    _chosen[0] = None if language is None else _check(language)


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Speak this language inside; None: as before."""
    token = _here.set(_check(language) if language is not None else _here.get())
    try:
        yield
    finally:
        _here.reset(token)


def _check(language: str) -> str:
    from rankgauge._text import check_language  # texts ask which language is spoken

    return check_language(language)
