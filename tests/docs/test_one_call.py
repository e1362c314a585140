"""The page that follows one call through the house names files that the call visits, in that order."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import rankgauge as rg

PAGE = Path(__file__).parents[2] / "docs" / "one-call.md"
SOURCE = Path(rg.__file__).parent


def visited(call: Callable[[], Any]) -> list[str]:
    """The files of the package whose functions are called, in the order of their first call."""
    found: dict[str, None] = {}

    def see(frame: FrameType, event: str, argument: Any) -> None:
        file = Path(frame.f_code.co_filename)
        if event == "call" and SOURCE in file.parents:
            found.setdefault(file.relative_to(SOURCE).as_posix())

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        call()
    finally:
        sys.setprofile(before)
    return list(found)


@pytest.fixture(scope="module")
def chapters() -> list[list[str]]:
    """The files in the tables of each chapter."""
    text = PAGE.read_text()
    return [re.findall(r"^\| `([\w/]+\.py)` \|", part, re.M) for part in text.split("\n## ")[1:]]


def test_the_files_are_those_of_the_call_in_order(chapters: list[list[str]]) -> None:
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)[0]
    lines = re.findall(r"^>>> (.*)$", code, re.M)
    names: dict[str, Any] = {}
    exec("\n".join(lines), names)  # what loads on first use is loaded now

    numbers = visited(lambda: exec(lines[-2], names))
    table = visited(lambda: str(names["ev"]))

    for named, seen in zip(chapters, (numbers, table), strict=True):
        assert len(named) > 5
        assert [file for file in seen if file in named] == named
