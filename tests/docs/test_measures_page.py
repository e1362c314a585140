"""docs/measures.md and docs/zh/measures.md are what the records say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rankgauge.measures import REGISTRY

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {"en": DOCS / "measures.md", "zh": DOCS / "zh" / "measures.md"}
BUILT_IN = [name for name, cls in REGISTRY.items() if not cls.custom]


@pytest.mark.parametrize("language", PAGES)
def test_the_page_is_up_to_date(language, monkeypatch) -> None:
    from rankgauge.reporting.reference import measures_page

    for name in set(REGISTRY) - set(BUILT_IN):  # measures that other tests registered
        monkeypatch.delitem(REGISTRY, name)
    page = measures_page(language)
    if os.environ.get("RANKGAUGE_UPDATE_DOCS"):
        PAGES[language].parent.mkdir(exist_ok=True)
        PAGES[language].write_text(page, encoding="utf-8")

    assert PAGES[language].read_text(encoding="utf-8") == page


@pytest.mark.parametrize("language", PAGES)
def test_every_measure_is_on_the_page(language) -> None:
    page = PAGES[language].read_text(encoding="utf-8")

    assert [name for name in BUILT_IN if f"## {name}" not in page] == []


@pytest.mark.parametrize(("name", "language"), [("explain-ndcg.svg", "en"), ("explain-ndcg-zh.svg", "zh")])
def test_the_picture_of_the_readmes_is_what_explain_draws(name, language) -> None:
    import rankgauge as rg

    drawn = rg.explain("nDCG@10").plot(language=language).svg
    if os.environ.get("RANKGAUGE_UPDATE_DOCS"):
        (DOCS / "images" / name).write_text(drawn, encoding="utf-8")

    assert (DOCS / "images" / name).read_text(encoding="utf-8") == drawn
