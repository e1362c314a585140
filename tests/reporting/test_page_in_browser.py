"""The report as its readers meet it: opened from disk in a browser, without a network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser import launch, opened
from hostile import BREAKS, SCRIPT, hostile_comparison, hostile_page

import rankgauge as rg
from rankgauge import demo

browser = pytest.fixture(scope="module")(launch)
pytestmark = pytest.mark.slow

MEASURES = ["nDCG@10", "AP", "RR@10", "R@50"]


@pytest.fixture(scope="module")
def shop():
    return demo.shop()


@pytest.fixture(scope="module")
def compared(shop, tmp_path_factory) -> Path:
    slices = {q: {"language": v["language"], "intent": v["intent"]} for q, v in shop.queries.items()}
    found = rg.compare(shop.qrels, shop.runs, MEASURES, slices=slices)
    path = tmp_path_factory.mktemp("page") / "compared.html"
    rg.report(found, path, queries={q: v["text"] for q, v in shop.queries.items()}, documents=shop.products)
    return path


@pytest.fixture(scope="module")
def clicks(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("clicks")
    demo.save_clicks(demo.clicks(), folder)
    found = rg.evaluate_predictions(folder / "clicks.csv", scores=["old", "new"], slices=["device"])
    path = folder / "clicks.html"
    rg.report(found, path)
    return path


def words(page) -> str:
    return page.locator("body").inner_text()


def is_chinese(text: str) -> bool:
    return bool(re.search(r"[\u4e00-\u9fff]", text))


def test_opens_with_the_answer_first(browser, compared):
    with opened(browser, compared) as page:
        assert page.locator("h1").count() == 1
        assert "Better than bm25: hybrid" in page.locator("h1").inner_text()
        assert page.locator("h1").bounding_box()["y"] < 250
        assert page.locator("main > section").evaluate_all("all => all.map(s => s.id)") == [
            *("verdict", "differences", "queries", "by-cutoff", "slices", "judgements", "contract")
        ]


def test_predictions_open_too(browser, clicks):
    with opened(browser, clicks) as page:
        assert page.locator("main > section").evaluate_all("all => all.map(s => s.id)") == [
            "verdict",
            "scores",
            "contract",
        ]
        assert page.locator("#scores svg").count() >= 6
        assert "calibrate" in page.locator("#verdict").inner_text()


def test_every_chart_is_drawn_and_named(browser, compared, clicks):
    for path in (compared, clicks):
        with opened(browser, path) as page:
            found = page.locator("figure svg").evaluate_all(
                "all => all.filter(s => s.closest('details:not([open])') === null)"
                ".map(s => [s.getBoundingClientRect().height,"
                " document.getElementById(s.getAttribute('aria-labelledby'))?.innerText || ''])"
            )
            assert len(found) >= 6
            assert [label for height, label in found if height < 40 or not label.strip()] == []


def test_language_switch(browser, compared):
    with opened(browser, compared) as page:
        assert not is_chinese(page.locator("#verdict").inner_text())
        assert page.title() == "dense, hybrid against bm25"

        page.get_by_role("button", name="中文").click()

        assert page.locator("html").get_attribute("lang") == "zh"
        assert page.title() == "dense、hybrid 对比 bm25"
        assert "优于 bm25" in page.locator("h1").inner_text()
        assert page.locator("h2").all_inner_texts() == [
            t for t in page.locator("h2").all_inner_texts() if is_chinese(t)
        ]
        assert page.get_by_placeholder("搜索查询").count() == 1

        page.get_by_role("button", name="English").click()

        assert not is_chinese(page.locator("#verdict").inner_text())


def test_nothing_english_is_left_in_chinese(browser, compared, clicks):
    """Runs of English words, besides names, formulas and references."""
    for path in (compared, clicks):
        with opened(browser, path, at="?language=zh") as page:
            page.evaluate(
                "document.querySelectorAll('code, pre, details.finding dl, .query, #query-table, figcaption .sr')"
                ".forEach(e => e.remove())"
            )
            english = re.findall(r"(?:\b[a-z]{2,}\b[ ,]+){3,}", words(page))
            assert english == []


def test_chart_labels_change_their_language(browser, compared):
    with opened(browser, compared) as page:
        chart = page.locator("#judgements svg").first
        shown = (
            "e => [...e.querySelectorAll('text')].filter(t => getComputedStyle(t).display !== 'none')"
            ".map(t => t.textContent)"
        )
        assert "rank" in chart.evaluate(shown)
        page.get_by_role("button", name="中文").click()
        assert "排名" in chart.evaluate(shown)
        assert "rank" not in chart.evaluate(shown)


def test_search(browser, compared, shop):
    rows = "#query-table tbody tr"
    wanted = [q for q, v in shop.queries.items() if "earbuds" in v["text"]]
    with opened(browser, compared) as page:
        everything = page.locator(rows).count()
        page.locator("[data-search]").fill("EARBUDS")

        assert sorted(page.locator(f"{rows}:visible td:first-child").all_inner_texts()) == sorted(wanted)
        assert page.locator("#query-table-found").inner_text() == f"{len(wanted)} / {everything}"

        page.locator("[data-search]").fill("no such words")
        assert page.locator(f"{rows}:visible").count() == 0
        page.locator("[data-search]").fill("")
        assert page.locator(f"{rows}:visible").count() == everything


def test_sort(browser, compared):
    with opened(browser, compared) as page:
        column = page.locator("#query-table thead th").all_inner_texts().index("Δ hybrid")
        heading = page.locator("#query-table thead th button").nth(column)

        def values():
            cells = page.locator(f"#query-table tbody td:nth-child({column + 1})")
            return cells.evaluate_all("all => all.map(c => Number(c.dataset.v))")

        heading.click()
        assert values() == sorted(values(), reverse=True)
        assert page.locator("#query-table th[aria-sort=descending]").count() == 1
        heading.click()
        assert values() == sorted(values())
        page.locator("#query-table thead th button").first.click()
        ids = page.locator("#query-table tbody td:first-child").all_inner_texts()
        assert ids == sorted(ids)


def test_drill_down(browser, compared):
    with opened(browser, compared) as page:
        assert page.locator("details.query[open]").count() == 1
        link = page.locator("#query-table tbody a").nth(4)
        query = link.inner_text()

        link.click()

        shown = page.locator("details.query[open]")
        assert shown.count() == 1
        assert shown.locator("summary").first.inner_text().startswith(query)
        assert shown.is_visible()
        assert page.locator("tr.on td").first.inner_text() == query
        assert "bm25" in shown.locator("svg").first.text_content()


def test_gains_and_losses_lead_to_their_lists(browser, compared):
    with opened(browser, compared) as page:
        moved = page.locator("#differences table").first.locator("a")
        assert moved.count() == 10
        for i in (0, 9):
            query = moved.nth(i).inner_text()
            moved.nth(i).click()
            assert page.locator("details.query[open] > summary").inner_text().startswith(query)


def test_bars_lead_to_their_lists(browser, compared):
    with opened(browser, compared) as page:
        bar = page.locator("#differences svg").first.locator("a").first
        query = bar.locator("title").text_content().partition(":")[0]
        bar.evaluate("a => a.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
        page.wait_for_function("location.hash.startsWith('#q-')")
        assert page.locator("details.query[open] > summary").inner_text().startswith(query)


def test_an_address_opens_its_query(browser, compared):
    with opened(browser, compared, at="#q-7") as page:
        assert page.locator("details.query[open]").get_attribute("id") == "q-7"


def test_keyboard(browser, compared):
    with opened(browser, compared) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.locator("#query-table thead th button").nth(2).focus()
        page.keyboard.press("Enter")
        assert page.locator("#query-table th[aria-sort]").count() == 1
        page.get_by_role("button", name="中文").focus()
        page.keyboard.press("Space")
        assert page.locator("html").get_attribute("data-language") == "zh"


def test_without_scripts_everything_can_be_read(browser, compared, clicks):
    for path in (compared, clicks):
        with opened(browser, path, java_script_enabled=False) as page:
            text = words(page)
            assert "against" in text
            assert not is_chinese(page.locator("#verdict").inner_text())
            assert page.locator("svg").first.is_visible()
    with opened(browser, compared, java_script_enabled=False) as page:
        page.locator("details.query > summary").nth(3).click()
        assert page.locator("details.query").nth(3).locator("svg").first.is_visible()


def test_on_a_phone_nothing_sticks_out(browser, compared, clicks):
    for path in (compared, clicks):
        with opened(browser, path, width=390, height=844, is_mobile=True, has_touch=True) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            sizes = page.locator("#verdict svg text").evaluate_all(
                "all => all.map(t => t.getBoundingClientRect().height)"
            )
            assert min(h for h in sizes if h) >= 8  # small, but legible


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(browser, compared, scheme):
    with opened(browser, compared, color_scheme=scheme) as page:
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        ink = page.evaluate("getComputedStyle(document.body).color")
        brightness = [sum(map(int, re.findall(r"\d+", c)[:3])) / 3 for c in (paper, ink)]
        assert (brightness[0] > brightness[1]) == (scheme == "light")
        assert abs(brightness[0] - brightness[1]) > 150


def test_theme_button(browser, compared):
    with opened(browser, compared) as page:
        button = page.locator("[data-theme-switch]")
        button.click()
        button.click()
        assert page.locator("html").get_attribute("data-theme") == "dark"
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 23, 30)"


def test_print_layout(browser, compared):
    with opened(browser, compared, color_scheme="dark") as page:
        page.emulate_media(media="print")

        assert not page.locator("header.top").is_visible()
        assert not page.locator(".search").is_visible()
        assert page.evaluate("getComputedStyle(document.querySelector('.table.tall')).overflowY") == "visible"
        assert page.locator("#verdict svg").first.is_visible()
        paper = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper')").strip()
        assert paper == "#ffffff"

        pdf = page.pdf(format="A4")
        assert pdf.startswith(b"%PDF")
        assert 3 <= len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) <= 40


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / "page.html"
    path.write_text(hostile_page(), encoding="utf-8")
    return path


@pytest.mark.parametrize("width", [1280, 390])
def test_hostile_texts_do_nothing(browser, hostile, width):
    """No dialog and no message (`opened` sees to that), nothing added to the page, nothing outside the window."""
    with opened(browser, hostile, width=width) as page:
        assert page.locator("script").count() == 1
        assert page.locator("img, iframe, object, embed, form").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert SCRIPT in page.locator("h1").inner_text()
        page.get_by_role("button", name="中文").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [1280, 390])
def test_endless_names_stay_inside_the_window(browser, tmp_path, width):
    path = tmp_path / "long.html"
    found = hostile_comparison("x" * 5000, "长" * 2000)
    path.write_text(hostile_page(found, title="t" * 3000), encoding="utf-8")

    with opened(browser, path, width=width) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        widest = page.locator("table").evaluate_all("all => Math.max(...all.map(t => t.scrollWidth))")
        assert widest < 3000  # tables scroll, but not for ever


def test_hostile_queries_are_found_and_opened(browser, hostile):
    rows = "#query-table tbody tr:visible"
    with opened(browser, hostile) as page:
        page.locator("[data-search]").fill("<script>")
        assert page.locator(rows).count() == 6  # ids 0 and 1, and the texts of every fifth, 0 and 1
        link = page.locator(f"{rows} a").get_by_text(f"{SCRIPT}-0", exact=True)

        link.click()

        shown = page.locator("details.query[open]")
        assert shown.count() == 1
        assert shown.locator("summary").first.inner_text().startswith(f"{SCRIPT}-0")
        assert BREAKS[2] in shown.locator("svg").first.text_content()
        assert shown.locator("svg").first.is_visible()
