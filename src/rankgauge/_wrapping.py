"""Where lines of Chinese may be broken: between its characters, not inside a name such as trec_eval.

Rich breaks lines at spaces only, and folds what has none anywhere. Chinese has none between words, so that a column of
it would cut the Latin names in it in two, and let a line begin with a full stop.
"""

from __future__ import annotations

import re
from functools import cache

__all__ = ["break_lines_of_chinese"]

_OPENING, _CLOSING = "（“‘《「『【", "，。；：、！？）”’》」』】…"
_CHARACTER = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_FIRST = "\u3000"


@cache
def _word() -> re.Pattern[str]:
    """One piece that stays together; made when the first line of Chinese is broken, since it takes a while."""
    return re.compile(rf"\s*[{_OPENING}]*(?:[{_CHARACTER}]|[^\s{_CHARACTER}{_OPENING}{_CLOSING}]+|.)[{_CLOSING}]*\s*")


class _Words:
    """What Rich asks for the next word of a text: its own pattern, or ours where the text holds Chinese."""

    def __init__(self, own: re.Pattern[str]) -> None:
        self._own = own
        self._text, self._chosen = "", own

    def match(self, text: str, position: int = 0) -> re.Match[str] | None:
        if text is not self._text:  # asked word by word, for the same text
            self._text, self._chosen = text, _word() if max(text, default="") >= _FIRST else self._own
        return self._chosen.match(text, position)


def break_lines_of_chinese() -> None:
    """Have Rich take a character of Chinese for a word; texts without any are broken as before."""
    from rich import _wrap

    own = getattr(_wrap, "re_word", None)  # its own: where it changes, lines are broken as Rich does it
    if isinstance(own, re.Pattern):
        _wrap.re_word = _Words(own)  # type: ignore[assignment]
