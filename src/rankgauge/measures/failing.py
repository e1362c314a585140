"""What functions of users raise, in their words and at their lines."""

from __future__ import annotations

import traceback
from typing import Any

from rankgauge._show import LIMIT, cut
from rankgauge._text import Text, mapped

__all__ = ["failure", "file_of"]


def file_of(function: Any) -> str:
    """The file that a function is written in, as tracebacks call it."""
    return str(getattr(getattr(function, "__code__", None), "co_filename", ""))


def failure(e: BaseException, file: str) -> str:
    """What somebody else's code raised, and the last line of their file on the way to it."""
    line = e.lineno if isinstance(e, SyntaxError) and e.filename == file else None
    for frame in traceback.extract_tb(e.__traceback__):
        line = frame.lineno if frame.filename == file else line
    what = f"{type(e).__name__}: {e.msg if isinstance(e, SyntaxError) else e}".rstrip(": ")
    said = Text(f"{what}.", f"{what}。")
    if line:
        said = Text(f"line {line}: ", f"第 {line} 行：") + said
    if "read-only" in what:
        said += Text(
            " Arrays of an alignment are read-only; change a copy.", "alignment 的数组是只读的；请修改它的副本。"
        )
    return mapped(lambda words: cut(words, 2 * LIMIT), said)
