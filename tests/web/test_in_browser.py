"""The dashboard as its readers meet it: in a browser, both languages and themes, a phone, keys, without scripts."""

from __future__ import annotations

import re
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from dashboards import START, TOKEN, access, evaluated, filled

import rankgauge as rg

sys.path.insert(0, str(Path(__file__).parents[1] / "reporting"))
from browser import launch

uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed")
pytestmark = pytest.mark.slow
browser = pytest.fixture(scope="module")(launch)

SCREENS = [
    "/",
    "/trend",
    "/entries",
    "/compare",
    "/queries",
    "/alerts",
    "/upload",
    "/measures",
    "/measure?name=nDCG@10",
]
SCREENS += ["/scenarios", "/scenario?name=faq", "/settings", "/nothing"]
NASTY = "<img src=x onerror=alert(1)>\"'&\u202e"


@contextmanager
def served(history: rg.History) -> Iterator[str]:
    """The address of a dashboard."""
    from rankgauge.web.app import app

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app(history, access=access()), log_level="error", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(15)
    listening.close()


def store(path: Path) -> rg.History:
    """What there is to see: four weeks, an alert, a note, names that would do harm."""
    history = filled(path)
    found = rg.alerts(history, [rg.ReleaseRule(measures=("nDCG@10",))], project="shop", at=START)
    history.add(found, project="shop", system="", at="2026-09-28T07:00")
    history.event("note", NASTY, project="shop", who=NASTY, at="2026-09-15")
    qrels = {f"{NASTY}{i}": {NASTY: 1} for i in range(20)}
    for day in (1, 2):
        ev = rg.evaluate(qrels, rg.Run.of({q: [NASTY] for q in qrels}, name=NASTY), ["RR"])
        history.add(ev, project=NASTY, system=NASTY, dataset=NASTY, version=NASTY, at=f"2026-09-0{day}")
    return history


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, rg.History]]:
    with store(tmp_path_factory.mktemp("site") / "history.db") as history, served(history) as address:
        yield address, history


@contextmanager
def opened(
    browser: Any, address: str, *, width: int = 1280, allowed: tuple[str, ...] = (), **context: Any
) -> Iterator[Any]:
    """Logged in. Any message of the console, error, dialog or request to elsewhere fails the test."""
    wrong: list[str] = []
    ctx = browser.new_context(viewport={"width": width, "height": 900}, **context)
    page = ctx.new_page()
    page.set_default_timeout(20000)
    page.on("console", lambda m: wrong.append(f"{page.url}: {m.type}: {m.text}"))
    page.on("pageerror", lambda e: wrong.append(f"{page.url}: error: {e}"))
    page.on("dialog", lambda d: (wrong.append(f"dialog: {d.message}"), d.dismiss()))
    page.on("request", lambda r: r.url.startswith((f"{address}/", "data:")) or wrong.append(r.url))
    page.goto(f"{address}/?token={TOKEN}")
    try:
        yield page
        assert [w for w in wrong if not any(a in w for a in allowed)] == []
    finally:
        ctx.close()


def screens(history: rg.History) -> list[str]:
    first, _, third, fourth = (e.id for e in history.entries(project="shop", system="bm25"))
    nasty = history.entries(project=NASTY)[0].id
    more = [f"/entries/{third}", f"/compare?a={first}&b={third}", f"/compare?a={first}&b={fourth}", f"/entries/{nasty}"]
    return [*SCREENS, *more, f"/query?query=q05&entry={third}&measure=RR", f"/queries?entry={nasty}"]


def is_chinese(text: str) -> bool:
    return bool(re.search(r"[\u4e00-\u9fff]", text.replace("中文", "")))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_screen(browser, site, language: str, theme: str, width: int):
    address, history = site
    with opened(browser, address, width=width, color_scheme=theme, allowed=("404",)) as page:
        page.goto(f"{address}/?language={language}")
        for path in screens(history):
            page.goto(address + path)
            body = page.locator("body")
            colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
            too_wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")

            assert is_chinese(page.locator("main").inner_text()) == (language == "zh") or path == "/nothing"
            assert colour == ("rgb(255, 255, 255)" if theme == "light" else "rgb(18, 23, 30)"), path
            assert not too_wide, path
            assert page.locator("img").count() == 0
            assert body.inner_text().strip()


def test_language_and_theme_are_switched(browser, site):
    address, _ = site
    with opened(browser, address) as page:
        page.get_by_role("link", name="中文").click()
        assert page.locator("h1").inner_text() == "概览"
        page.get_by_role("link", name="English").click()
        assert page.locator("h1").inner_text() == "Overview"
        for theme in ("light", "dark", "auto"):
            page.locator(".tools a").last.click()
            assert page.locator("html").get_attribute("data-theme") == theme


def test_keys_lead_everywhere(browser, site):
    address, _ = site
    with opened(browser, address) as page:
        page.keyboard.press("Tab")
        assert "To the content" in page.evaluate("document.activeElement.innerText")
        for key, path in (("t", "/trend"), ("e", "/entries"), ("q", "/queries"), ("a", "/alerts"), ("o", "/")):
            page.keyboard.press("g")
            page.keyboard.press(key)
            page.wait_for_url(f"{address}{path}")
        page.goto(f"{address}/queries")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.name") == "search"
        page.keyboard.type("q0")
        page.locator("#found", has_text="10 of 30 queries").wait_for()


def test_a_point_leads_to_its_record(browser, site):
    address, _ = site
    with opened(browser, address) as page:
        page.goto(f"{address}/trend?project=shop&system=bm25")
        page.locator("figure svg a circle").first.click()
        page.wait_for_url(re.compile("/entries/[0-9a-f]{16}"))
        assert page.locator("#verdict").count() == 1


def test_choices_are_shown_in_place_and_in_the_address(browser, site):
    address, _ = site
    with opened(browser, address) as page:
        page.goto(f"{address}/trend?project=shop&system=bm25")
        page.locator("select[name=measure]").select_option(["RR"])
        page.locator("figcaption", has_text="RR over time").wait_for()
        page.locator("select[name=slice]").select_option("half=first")
        page.locator("figcaption", has_text="RR · half=first over time").wait_for()
        assert "measure=RR" in page.url


def test_two_entries_are_chosen_and_compared(browser, site):
    address, _ = site
    with opened(browser, address) as page:
        page.goto(f"{address}/trend?project=shop&system=bm25")
        boxes = page.locator("input[name=entry]")
        boxes.nth(1).check()
        boxes.nth(3).check()
        assert boxes.nth(0).is_disabled()
        page.get_by_role("button", name="compare two").click()
        page.wait_for_url(re.compile("/compare"))
        assert "worse than" in page.locator("h1").inner_text()


def test_the_report_works_inside(browser, site):
    address, history = site
    first, _, third, _ = (e.id for e in history.entries(project="shop", system="bm25"))
    with opened(browser, address) as page:
        page.goto(f"{address}/compare?a={first}&b={third}")
        table = page.locator("#query-table")
        page.locator("#queries input[type=search]").fill("q05")
        assert table.locator("tbody tr:visible").count() == 1
        page.locator("#queries input[type=search]").fill("")
        table.locator("thead button").first.click()
        assert table.locator("tbody tr").first.inner_text().startswith("q00")


def test_a_note_is_written_and_an_alert_acknowledged(browser, tmp_path: Path):
    with store(tmp_path / "h.db") as history, served(history) as address, opened(browser, address) as page:
        page.goto(f"{address}/trend?project=shop&system=bm25")
        page.get_by_text("Write a note on a date").click()
        page.locator("form[action='/notes'] input[name=at]").fill("2026-09-21")
        page.locator("form[action='/notes'] input[name=text]").fill("a new index")
        page.get_by_role("button", name="write down").click()
        page.locator(".notes", has_text="a new index").wait_for()
        page.goto(f"{address}/alerts")
        page.get_by_text("Acknowledge", exact=True).click()
        page.locator("form[action='/alerts'] input[name=text]").fill("meant so")
        page.locator("form[action='/alerts'] input[name=who]").fill("Ana")
        page.get_by_role("button", name="acknowledge").click()
        page.locator("table", has_text="meant so").wait_for()
        assert [e.text for e in history.events(kind="acknowledged")] == ["meant so"]


def files(folder: Path) -> dict[str, Path]:
    qrels, old, new = (folder / name for name in ("qrels.txt", "old.run", "new.run"))
    qrels.write_text("".join(f"q{i} 0 a 1\n" for i in range(30)))
    for path, late in ((old, 25), (new, 2)):
        lists = (["x", "a"] if i < late else ["a", "x"] for i in range(30))
        path.write_text(
            "".join(f"q{i} Q0 {d} {r} {9 - r} t\n" for i, ds in enumerate(lists) for r, d in enumerate(ds, 1))
        )
    return {"qrels": qrels, "old": old, "new": new}


@pytest.mark.parametrize("scripts", [True, False])
def test_files_become_a_report(browser, tmp_path: Path, scripts: bool):
    given = files(tmp_path)
    with (
        rg.History(tmp_path / "h.db") as history,
        served(history) as address,
        opened(browser, address, java_script_enabled=scripts) as page,
    ):
        page.goto(f"{address}/upload")
        page.locator("input[name=qrels]").set_input_files(given["qrels"])
        page.locator("input[name=runs]").set_input_files([given["old"], given["new"]])
        page.locator("input[name=measures]").fill("RR, nDCG@10")
        page.get_by_role("button", name="Make the report").click()
        page.locator("#verdict h1").wait_for(timeout=90000)
        assert "better than" in page.locator("#verdict h1").inner_text()
        page.get_by_text("Keep it in the history").click()
        page.get_by_role("button", name="keep").click()
        page.wait_for_url(re.compile("/entries"))
        assert sorted(e.system for e in history.entries()) == ["new", "old"]


def test_everything_is_there_without_scripts(browser, site):
    address, history = site
    with opened(browser, address, java_script_enabled=False, allowed=("404",)) as page:
        for path in screens(history):
            page.goto(address + path)
            assert page.locator("main").inner_text().strip()
        page.goto(f"{address}/trend?project=shop&system=bm25")
        page.locator("select[name=measure]").select_option(["RR"])
        page.get_by_role("button", name="show").click()
        page.locator("figcaption", has_text="RR over time").wait_for()


def test_scripts_that_fail_to_load_leave_the_pages(browser, site):
    address, history = site
    with opened(browser, address, allowed=("net::ERR_FAILED", "404")) as page:
        page.route("**/*.js*", lambda route: route.abort())
        for path in screens(history):
            page.goto(address + path)
            assert page.locator("main").inner_text().strip()


def test_an_empty_store_and_one_entry(browser, tmp_path: Path):
    with rg.History(tmp_path / "h.db") as history, served(history) as address, opened(browser, address) as page:
        assert "Nothing has been measured yet" in page.locator("main").inner_text()
        history.add(evaluated(), project="shop", system="bm25", at=START)
        for path in ("/", "/trend", "/entries", "/queries"):
            page.goto(address + path)
            assert "bm25" in page.locator("main").inner_text()
        page.goto(f"{address}/trend")
        assert page.locator("figure svg circle").count() == 1


def test_five_thousand_entries(browser, tmp_path: Path):
    ev = evaluated()
    with rg.History(tmp_path / "h.db") as history:
        for i in range(5000):
            history.add(ev, project="shop", system="bm25", at=START + timedelta(hours=i), lists=False)
        with served(history) as address, opened(browser, address) as page:
            page.goto(f"{address}/trend?project=shop&system=bm25")
            assert page.locator("figure svg circle").count() == 1000
            page.goto(f"{address}/entries")
            page.locator("a[rel=next]").click()
            page.wait_for_url(re.compile("page=2"))
            assert page.locator("input[name=entry]").count() == 50


def test_strangers_see_a_form_for_the_token(browser, site):
    address, _ = site
    ctx = browser.new_context()
    page = ctx.new_page()
    page.goto(f"{address}/trend")
    assert "shop" not in page.locator("body").inner_text()
    page.locator("input[name=token]").fill("wrong-wrong-wrong-wrong")
    page.get_by_role("button", name="log in").click()
    page.get_by_text("That is not the token.").wait_for()
    page.locator("input[name=token]").fill(TOKEN)
    page.get_by_role("button", name="log in").click()
    page.locator("h1", has_text="Overview").wait_for()
    ctx.close()
