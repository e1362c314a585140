"""Where lines of Chinese may be broken: between its characters, not inside a name such as trec_eval.

Rich breaks lines at spaces only, and folds what has none anywhere. Chinese has none between words, so that a column of
it would cut the Latin names in it in two, and let a line begin with a full stop.
"""

from __future__ import annotations

import re

__all__ = ["break_lines_of_chinese"]

_OPENING, _CLOSING = "（“‘《「『【", "，。；：、！？）”’》」』】…"
_CHARACTER = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"\s*[{_OPENING}]*(?:[{_CHARACTER}]|[^\s{_CHARACTER}{_OPENING}{_CLOSING}]+|.)[{_CLOSING}]*\s*")


def break_lines_of_chinese() -> None:
    """Have Rich take a character of Chinese for a word; texts without any are broken as before."""
    from rich import _wrap

    if hasattr(_wrap, "re_word"):  # its own: where it changes, lines are broken as Rich does it
        _wrap.re_word = _WORD
