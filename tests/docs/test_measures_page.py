"""docs/measures.md is what the records say."""

from __future__ import annotations

import os
from pathlib import Path

from rankgauge.measures import REGISTRY

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measures.md"
BUILT_IN = [name for name, cls in REGISTRY.items() if not cls.custom]


def test_the_page_is_up_to_date(monkeypatch) -> None:
    from rankgauge.reporting.reference import measures_page

    for name in set(REGISTRY) - set(BUILT_IN):  # measures that other tests registered
        monkeypatch.delitem(REGISTRY, name)
    page = measures_page()
    if os.environ.get("RANKGAUGE_UPDATE_DOCS"):
        PAGE.write_text(page, encoding="utf-8")

    assert PAGE.read_text(encoding="utf-8") == page


def test_every_measure_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert [name for name in BUILT_IN if f"## {name}" not in page] == []
