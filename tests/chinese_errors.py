"""Errors in both languages, for the tests of every room."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rankgauge._language import speaking
from rankgauge.errors import RankgaugeError

__all__ = ["Files", "refuse_english", "says_in_both"]


class Files:
    """A folder for the files of a case."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __truediv__(self, name: str) -> Path:
        return self.folder / name

    def file(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path


def says_in_both(call: Callable[[Files], Any], at: Files, english: str, chinese: str) -> None:
    """A call raises an error with these words, which end in … where a list of names follows that grows."""
    with pytest.raises(RankgaugeError) as caught:
        call(at)
    for language, expected in (("en", english), ("zh", chinese)):
        with speaking(language):
            said = str(caught.value).replace(f"{at.folder}/", "")
        assert (said[: len(expected) - 1] + "…" if expected.endswith("…") else said) == expected
    refuse_english(said)


_NOT_PROSE = re.compile(
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`"  # values, names and commands
    r"|\{[^{}]*\}|\([^()]*\)|（query[^）]*）"  # what stands in braces, and the fields of a line
    r"|(?:iconv|tr|pip|apt) .*"  # commands to type
)
_ENGLISH = re.compile(
    r"[A-Za-z]{2,}(?: [a-z]{2,})+|(?<![-\w])(?:must|got|the|is|are|of|and|or|not|with|pass|found)(?![-\w])"
)


def refuse_english(chinese: str) -> None:
    """Fails where words of English are left that are neither names nor code."""
    assert re.search("[\u4e00-\u9fff]", chinese)
    assert _ENGLISH.findall(_NOT_PROSE.sub("…", chinese)) == [], chinese
