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
    made: dict[str, Any] = {}
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)[0].replace("print(ev)\n", "")
    # what loads on first use is loaded now
    exec(compile(code, str(PAGE), "exec"), {"rg": rg}, made)
    str(made["ev"])

    numbers = visited(lambda: exec(compile(code, str(PAGE), "exec"), {"rg": rg}, made))
    table = visited(lambda: str(made["ev"]))

    for named, seen in zip(chapters, (numbers, table), strict=True):
        assert len(named) > 5
        assert [file for file in seen if file in named] == named
