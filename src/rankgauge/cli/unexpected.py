"""The last resort: an error that nobody foresaw is one line and a file with the details, never a decision."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from rankgauge._text import Text, composed
from rankgauge._version import __version__
from rankgauge.cli.terminal import say
from rankgauge.errors import reason

__all__ = ["Escaped", "contained", "report_unexpected"]


class Escaped(Exception):
    """What click would make an exit code of its own from, out of a command; the cause is the error."""


def contained(callback: Callable[..., Any]) -> Callable[..., Any]:
    """A command that ends by what it returns or raises, not by what code that it was given does to the process.

    Standard output that nobody reads raises nothing, so a broken pipe is one to somebody else.
    """

    @wraps(callback)
    def ended(*args: Any, **options: Any) -> Any:
        try:
            return callback(*args, **options)
        except (SystemExit, BrokenPipeError) as e:
            raise Escaped from e

    return ended


def report_unexpected(error: BaseException, words: Sequence[str]) -> None:
    """Say it, and store the details."""
    import platform
    import shlex
    import tempfile
    import traceback

    if isinstance(error, Escaped) and error.__cause__ is not None:
        error = error.__cause__
    text = "".join(traceback.format_exception(error))
    command = shlex.join(["rankgauge", *words])
    about = f"rankgauge {__version__}, Python {platform.python_version()}, {platform.platform()}\n{command}\n\n"
    try:
        number, path = tempfile.mkstemp(prefix="rankgauge-error-", suffix=".txt")  # O_EXCL, O_NOFOLLOW, 0600
        with os.fdopen(number, "wb") as file:
            file.write((about + text).encode("utf-8", "backslashreplace"))
        where = Text(f"Details: {path}", f"详情见：{path}")
    except OSError as e:
        where = composed("The details could not be stored: {}", "详情无法保存：{}", reason(e))
    if isinstance(error, MemoryError):
        what = Text("there is not enough memory for this input", "内存不足以处理该输入")
    else:
        what = Text(
            "this should not happen, and is a fault of rankgauge or of code that it was given",
            "这不应发生，是 rankgauge 或传给它的代码的缺陷",
        )
    say(composed("Error: {}: {}. {}.", "错误：{}：{}。{}。", type(error).__name__, what, where))
