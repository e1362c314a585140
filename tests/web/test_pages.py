"""What each screen says, in both languages, on stores that are empty, small and hostile."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from dashboards import START, TOKEN, TestClient, client_of, evaluated

import rankgauge as rg
from rankgauge.web.app import _PAGES
from rankgauge.web.drawing import NAVIGATION, served
from rankgauge.web.visit import link

SCREENS = [
    "/",
    "/trend",
    "/entries",
    "/compare",
    "/queries",
    "/alerts",
    "/upload",
    "/measures",
    "/scenarios",
    "/settings",
]


def words(html: str, language: str = "en") -> str:
    """What a reader of this language sees."""
    other = "zh" if language == "en" else "en"
    html = re.sub(rf'<(span|text) lang="{other}"[^>]*>.*?</\1>', "", html, flags=re.DOTALL)
    html = re.sub(r"<title>.*?</title>", "", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def entered(history: rg.History) -> TestClient:
    client = client_of(history)
    client.__enter__()
    client.get("/", params={"token": TOKEN})
    client.headers["sec-fetch-site"] = "same-origin"
    return client


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[TestClient]:
    with rg.History(tmp_path / "empty.db") as h:
        client = entered(h)
        yield client
        client.__exit__(None, None, None)


def test_every_page_is_tested():
    parameters = {"/entries/{id}", "/query", "/jobs/{id}", "/measure", "/scenario"}

    assert {*SCREENS, *parameters} == set(_PAGES)
    assert {path for path, _ in NAVIGATION} <= set(SCREENS)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("path", SCREENS)
def test_every_screen_of_an_empty_store(empty: TestClient, path: str, language: str):
    answer = empty.get(path, params={"language": language})
    seen = words(answer.text, language)

    assert answer.status_code == 200
    assert f'<html lang="{language}" data-language="{language}"' in answer.text
    assert bool(re.search(r"[\u4e00-\u9fff]", seen.replace("中文", ""))) == (language == "zh")
    assert "nan" not in seen.lower().split()


def test_an_empty_store_says_how_to_fill_it(empty: TestClient):
    seen = words(empty.get("/").text)

    assert "Nothing has been measured yet" in seen
    assert "rankgauge evaluate qrels.txt new.run --store" in seen


def test_overview_has_the_latest_numbers_and_what_they_can_be_held_against(visitor: TestClient, history: rg.History):
    latest = history.entries(newest_first=True, limit=1)[0]
    seen = words(visitor.get("/").text)

    assert f"{latest.summary('nDCG@10').value:.4f}" in seen
    assert "not comparable" in seen
    assert "other judgements than before" in seen
    assert "not watched" in seen
    assert "2026-09-28 06:00" in seen
    assert "4 entries in 1 project" in seen


def test_trend_tells_noise_a_drop_and_other_judgements_apart(visitor: TestClient):
    seen = words(visitor.get("/trend", params={"project": "shop", "system": "bm25", "measure": "nDCG@10"}).text)
    rows = re.findall(r"2026-09-\d\d 06:00 bm25 v\d [\d.]+ (?:[\d.]+ … [\d.]+ )?(.*?)(?= 2026-09|compare two)", seen)

    assert [re.split(r" \(| than", row)[0].strip() for row in rows[:4]] == [
        "not comparable other judgements",
        rows[1].partition(" ")[0] + " worse",
        "unchanged the same values as before",
        "",
    ]
    assert rows[1].startswith("-")
    assert "worse than before, beyond noise" in rows[1]


def test_trend_of_slices_windows_and_several_measures(visitor: TestClient):
    page = visitor.get("/trend", params={"measure": ["nDCG@10", "RR"], "slice": "half=first", "window": "4w"}).text
    seen = words(page)

    assert "nDCG@10 · half=first over time" in seen
    assert "RR · half=first over time" in seen
    assert visitor.get("/trend", params={"window": "soon"}).status_code == 400
    assert len(re.findall(r'<a href="/entries/[0-9a-f]{16}"><circle', page)) == 8


def test_a_note_stands_on_its_date(visitor: TestClient, history: rg.History):
    asked = {"project": "shop", "text": "index rebuilt", "at": "2026-09-20", "who": "Ana"}

    assert visitor.post("/notes", data=asked).status_code == 303
    assert "2026-09-20 index rebuilt — Ana" in words(visitor.get("/trend").text)
    assert visitor.post("/notes", data={"project": "shop", "text": " "}).status_code == 400
    assert visitor.post("/notes", data={"project": "shop", "text": "x", "at": "soon"}).status_code == 400
    assert [e.who for e in history.events(kind="note")] == ["Ana"]


def test_an_entry_is_the_report_and_where_it_comes_from(visitor: TestClient, history: rg.History):
    first, second = history.entries(limit=2)
    page = visitor.get(f"/entries/{second.id}").text
    screens = re.findall(r'<section id="([^"]+)">', page)

    assert screens[0] == "verdict"
    assert screens[-1] == "about"
    assert "contract" in screens
    assert f'href="/compare?a={first.id}&amp;b={second.id}"' in page
    assert visitor.get(f"/entries/{second.id[:8]}").status_code == 200
    assert visitor.get("/entries/ffff").status_code == 404


def test_tags_and_notes_beside_an_entry(visitor: TestClient, history: rg.History):
    entry = history.entries(limit=1)[0]
    visitor.post("/tags", data={"entry": entry.id, "tag": "release", "note": "went out", "who": "Ana"})
    seen = words(visitor.get("/entries/release").text)

    assert history["release"] == entry
    assert "note went out — Ana" in seen
    assert visitor.post("/tags", data={"entry": entry.id}).status_code == 400


def test_two_entries_are_compared_verdict_first(visitor: TestClient, history: rg.History):
    first, _, third, fourth = history.entries()
    page = visitor.get("/compare", params={"a": first.id, "b": third.id}).text
    chosen = visitor.get("/compare", params={"entry": [third.id, first.id]}).text

    assert re.search(r"<h1[^>]*>.*?worse than", page, re.DOTALL)
    assert "bm25 v0" in words(page)
    assert words(chosen) == words(page)
    assert "They cannot be compared" in words(visitor.get("/compare", params={"a": first.id, "b": fourth.id}).text)
    assert visitor.get("/compare", params={"entry": first.id}).status_code == 400
    assert visitor.get("/compare", params={"a": first.id, "b": "nothing"}).status_code == 404


def test_queries_are_searched_sorted_and_followed(visitor: TestClient, history: rg.History):
    first, _, third, _ = history.entries()
    asked = {"entry": third.id, "against": first.id, "measure": "RR"}
    lost = re.findall(r"/query\?query=(q\d+)", visitor.get("/queries", params={**asked, "sort": "loss"}).text)
    gained = re.findall(r"/query\?query=(q\d+)", visitor.get("/queries", params={**asked, "sort": "gain"}).text)
    found = re.findall(r"/query\?query=(q\d+)", visitor.get("/queries", params={**asked, "search": "Q2"}).text)

    assert set(lost[:18]) == {f"q{i:02}" for i in range(2, 20)}
    assert not set(gained[:12]) & set(lost[:18])
    assert sorted(found) == [f"q{i}" for i in range(20, 30)]
    assert visitor.get("/queries", params={"sort": "luck"}).status_code == 400


def test_a_query_over_time_with_its_lists(visitor: TestClient, history: rg.History):
    third = history.entries()[2]
    seen = words(visitor.get("/query", params={"query": "q05", "entry": third.id, "measure": "RR"}).text)

    assert "RR of query q05 in bm25" in seen
    assert "2026-09-21 06:00 v2 0.5000" in seen
    assert "2026-09-14 06:00 v1 1.0000" in seen
    assert "What was listed" in seen
    assert visitor.get("/query", params={"query": "q05"}).status_code == 400


def test_measures_and_scenarios_explain(visitor: TestClient):
    assert "nDCG" in words(visitor.get("/measures").text)
    assert "Reciprocal rank" in words(visitor.get("/measure", params={"name": "RR"}).text)
    assert "None mentions these words" in words(visitor.get("/measures", params={"search": "zebra"}).text)
    assert visitor.get("/measure", params={"name": "nDGC"}).status_code == 404
    assert visitor.get("/scenario", params={"name": "faq"}).status_code == 200
    assert visitor.get("/scenario", params={"name": "zebra"}).status_code == 404


def test_settings_keep_what_is_secret(visitor: TestClient):
    assert TOKEN not in visitor.get("/settings").text


def test_language_and_theme_are_remembered(visitor: TestClient):
    visitor.get("/", params={"language": "zh", "theme": "dark"})
    page = visitor.get("/trend").text

    assert '<html lang="zh" data-language="zh" data-theme="dark">' in page
    assert '<html lang="zh"' in visitor.get("/", params={"language": "fr"}).text


def test_browsers_say_which_language_they_like(visitor: TestClient):
    assert '<html lang="zh"' in visitor.get("/", headers={"accept-language": "fr, zh-CN;q=.8, en;q=.5"}).text
    assert '<html lang="en"' in visitor.get("/", headers={"accept-language": "fr"}).text


# alerts


def test_alerts_say_how_things_stand_and_are_acknowledged(visitor: TestClient, history: rg.History):
    found = rg.alerts(history, [rg.ReleaseRule(measures=("nDCG@10",))], project="shop", at=START)
    history.add(found, project="shop", system="", at="2026-09-28T07:00")
    seen = words(visitor.get("/alerts").text)
    state = found.items[0].state
    third = history.entries(system="bm25")[2]
    visitor.post("/alerts", data={"entry": third.id, "text": "meant so", "who": "Ana", "accept": "yes"})
    visitor.post("/alerts", data={"entry": third.id, "text": "seen", "who": "Ana"})

    assert found.decision.en in seen
    assert state in ("alert", "inconclusive")
    assert [(e.kind, e.text, e.who) for e in history.events(kind=("baseline", "acknowledged"))] == [
        ("baseline", "meant so", "Ana"),
        ("acknowledged", "seen", "Ana"),
    ]
    assert visitor.post("/alerts", data={"entry": third.id, "text": "no name"}).status_code == 400
    assert words(visitor.get("/").text).count("not watched") == 0


# hostile


NASTY = '<script>alert(1)</script>"onload="x\' &amp; \u202e\x00\x1b[31m'


def test_names_of_others_are_shown_and_do_nothing(tmp_path: Path):
    qrels = {f"{NASTY}{i}": {NASTY: 1} for i in range(20)}
    with rg.History(tmp_path / "h.db") as h:
        for day in (1, 2):
            ev = rg.evaluate(qrels, rg.Run.of({q: [NASTY] for q in qrels}, name=NASTY.replace("\x00", "")), ["RR"])
            nasty = NASTY.replace("\x00", "")
            h.add(ev, project=nasty, system=nasty, dataset=nasty, version=nasty, branch=nasty, at=f"2026-09-0{day}")
        client = entered(h)
        first, second = h.entries()
        h.event("note", NASTY.replace("\x00", ""), project=first.project, who="<b>", entry=first.id)
        asked = {"query": h.query_ids(first.id)[0], "entry": first.id}
        pages = [
            *(client.get(path) for path in SCREENS),
            client.get(f"/entries/{first.id}"),
            client.get("/compare", params={"a": first.id, "b": second.id}),
            client.get("/query", params=asked),
            client.get("/trend", params={"project": first.project, "system": first.system}),
            client.get("/queries", params={"search": NASTY}),
            client.get("/measures", params={"search": NASTY}),
        ]
        client.__exit__(None, None, None)

    for answer in pages:
        assert answer.status_code == 200, words(answer.text)
        assert "<script>alert" not in answer.text
        assert '"onload="' not in answer.text
        assert "\x1b" not in answer.text


def test_charts_say_how_wide_they_are_without_a_style():
    assert str(served('<svg style="--w:1094.4px">')) == '<svg data-w="1100">'
    assert str(served("<p style=x>")) == "<p style=x>"


def test_addresses_keep_words_apart():
    assert link("/a b", x="1&y=2", z=None) == "/a%20b?x=1%26y%3D2"


# many


@pytest.mark.slow
def test_five_thousand_entries_are_paged(tmp_path: Path):
    from datetime import timedelta

    ev = evaluated()
    with rg.History(tmp_path / "many.db") as h:
        for i in range(5000):
            h.add(ev, project="shop", system=f"s{i % 40:02}", at=START + timedelta(hours=i), lists=False)
        client = entered(h)
        over, entries = client.get("/"), client.get("/entries", params={"page": 100})
        trend = client.get("/trend", params={"project": "shop", "system": "s01"})
        beyond = client.get("/entries", params={"page": 101})
        client.__exit__(None, None, None)

    assert words(over.text).count("last run") == 20
    assert "page 1 · of 40 in all" in words(over.text)
    assert entries.text.count('name="entry"') == 50
    assert "No entries." in words(beyond.text)
    assert trend.text.count("<circle") == 125
    assert max(map(len, (over.text, entries.text, trend.text))) < 400_000


# what is damaged


PAGES_OF_MANY = ("/", "/trend?project=shop", "/entries", "/queries", "/alerts", "/settings")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE entry SET labels = '{' WHERE id = ?",
        "UPDATE entry SET contract = '5' WHERE id = ?",
        "UPDATE entry SET at = 'soon' WHERE id = ?",
        "UPDATE summary SET n = 'x' WHERE entry = ?",
        "UPDATE numbers SET data = 'x' WHERE entry = ?",
        "UPDATE numbers SET type = '[]' WHERE entry = ?",
        "UPDATE head SET data = 'x' WHERE entry = ?",
        "UPDATE entry SET body = 'x' WHERE id = ?",
    ],
)
def test_a_page_that_cannot_show_one_entry_shows_the_others(
    sql: str, visitor: TestClient, history: rg.History, tmp_path: Path
):
    ids = [e.id for e in history.entries()]
    changed(tmp_path / "history.db", sql, ids[1])

    for path in PAGES_OF_MANY:
        answer = visitor.get(path)
        assert answer.status_code == 200, path
    listed = visitor.get("/entries").text
    assert all(f"/entries/{key}" in listed for key in (ids[0], ids[2], ids[3]))
    if ("entry SET" in sql and "body" not in sql) or "summary" in sql:
        assert "1 left out as damaged" in listed
        assert f"entry {ids[1]} is damaged" in listed
        assert visitor.get(f"/entries/{ids[1]}").status_code == 400
        assert "略去" in visitor.get("/entries", params={"language": "zh"}).text
    assert visitor.get(f"/entries/{ids[0]}").status_code == 200


def test_events_that_are_damaged_leave_the_others(visitor: TestClient, history: rg.History, tmp_path: Path):
    for text in ("one", "two"):
        history.event("acknowledged", text, project="shop", who="Ana")
    changed(tmp_path / "history.db", "UPDATE event SET data = '{' WHERE text = 'one' AND ? <> ''", "x")

    answer = visitor.get("/alerts")
    assert answer.status_code == 200
    assert "two" in answer.text
    assert visitor.get("/").status_code == 200


def changed(path: Path, sql: str, key: str) -> None:
    with sqlite3.connect(path) as c:
        c.execute(sql, (key,))
    c.close()


# systems that are measured on several datasets


@pytest.fixture
def several(tmp_path: Path) -> Iterator[tuple[TestClient, rg.History]]:
    with rg.History(tmp_path / "h.db") as h:
        for week in range(3):
            for dataset, late in (("july", 2 + week), ("june", 20 + week)):
                about = {"project": "shop", "system": "bm25", "dataset": dataset, "at": f"2026-09-0{week + 1}"}
                h.add(evaluated(late), **about)
        with client_of(h) as client:
            client.get("/", params={"token": TOKEN})
            client.headers["sec-fetch-site"] = "same-origin"
            yield client, h


def test_a_card_is_of_one_dataset_and_as_red_as_its_gate(several: tuple[TestClient, rg.History]):
    visitor, h = several
    for dataset, items in (("july", ["x", "a"]), ("june", ["a"])):
        found = rg.run_gate(rg.Gate(qrels={"q": {"a": 1}}, run={"q": items}, floors={"RR": 0.99}))
        about = {"project": "shop", "system": "bm25", "dataset": dataset, "at": "2026-09-05"}
        h.add(found, **about)
        h.add(found.evaluation, **about)
    page = visitor.get("/").text

    july, june = page.split("<article")[1:]
    assert "bm25 · july</a></h3>" in july
    assert "bm25 · june</a></h3>" in june
    assert "gate failed" in july
    assert "gate passed" in june


def test_neighbours_and_queries_are_of_the_same_dataset(several: tuple[TestClient, rg.History]):
    visitor, h = several
    first, second, third = (e.id for e in h.entries(dataset="july"))
    other = [e.id for e in h.entries(dataset="june")]

    page = visitor.get(f"/entries/{second}").text
    assert f"/entries/{first}" in page
    assert f"/entries/{third}" in page
    for path in (f"/entries/{second}", f"/queries?entry={third}", f"/query?query=q00&entry={third}"):
        page = visitor.get(path).text
        assert not [key for key in other if key in page], path


def test_an_entry_is_not_compared_with_itself(visitor: TestClient, history: rg.History):
    key = history.entries()[0].id
    answer = visitor.get("/compare", params={"a": key, "b": key})

    assert answer.status_code == 400
    assert f"both are {key}. Name two entries." in answer.text
