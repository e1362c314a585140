"""The founding documents are Chinese, and so is what their reader sees."""

from collections.abc import Iterator

import pytest

import rankgauge as rg


@pytest.fixture(autouse=True)
def in_chinese() -> Iterator[None]:
    rg.set_language("zh")
    yield
    rg.set_language(None)
