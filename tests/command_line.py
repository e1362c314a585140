"""A command as people type it, in the process of the tests, which has loaded everything already.

A process of its own takes half a second to start. `tests/cli/test_imports.py` starts one for each command and compares;
beyond that a test starts one where pipes, signals or the terminal are what it is about.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import TextIO
from unittest.mock import patch

from rankgauge.cli import main

__all__ = ["rankgauge"]


def rankgauge(
    *words: str | Path, cwd: Path | None = None, code: int = 0, language: str | None = None
) -> subprocess.CompletedProcess[str]:
    """What `rankgauge WORDS` printed in the folder `cwd`, with the exit code that it must have."""
    typed = [str(word) for word in words]
    env = {k: v for k, v in os.environ.items() if k != "RANKGAUGE_LANGUAGE"}
    env |= {"PYTHONIOENCODING": "utf-8", "COLUMNS": "100"}
    if language is not None:
        env["RANKGAUGE_LANGUAGE"] = language
    done = _ran(typed, cwd, env)
    assert done.returncode == code, f"{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done


def _ran(words: list[str], cwd: Path | None, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    out, err = _stream(), _stream()
    with (
        contextlib.chdir(cwd or "."),
        patch.dict(os.environ, env, clear=True),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        _warnings_as_in_a_process(),
    ):
        code = main(words)
    return subprocess.CompletedProcess(words, code, _text(out), _text(err))


def _stream() -> TextIO:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def _text(stream: TextIO) -> str:
    stream.seek(0)
    return stream.read()


@contextlib.contextmanager
def _warnings_as_in_a_process():
    """Printed to standard error, not raised: what pytest makes of them is not what people see."""

    def show(message, category, filename, lineno, file=None, line=None):
        sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))

    with warnings.catch_warnings():
        warnings.resetwarnings()
        for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", category)  # as Python does by itself
        warnings.showwarning = show
        yield
