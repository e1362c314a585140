"""The door: what strangers, foreign pages and large or slow senders get."""

from __future__ import annotations

import asyncio
import gzip
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from dashboards import TOKEN, TestClient, access, client_of

import rankgauge as rg
from rankgauge.web.app import _CHANGES, _PAGES, app
from rankgauge.web.security import CSP, Limits

PAGES = [path.replace("{id}", "0123") for path in _PAGES]
CHANGES = [path.replace("{id}", "0123") for path in _CHANGES]
API = ["", "/openapi.json", "/projects", "/entries", "/entries/0123", "/entries/0123/record", "/events", "/store"]


# who comes


@pytest.mark.parametrize("path", PAGES)
def test_strangers_see_no_page(stranger: TestClient, path: str):
    for asked in (path, f"{path}?token=wrong"):
        answer = stranger.get(asked)

        assert answer.status_code == 401
        assert "shop" not in answer.text
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("path", API)
def test_strangers_get_nothing_from_the_interface(stranger: TestClient, path: str):
    for headers in (
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": f"Basic {TOKEN}"},
        {"authorization": "Bearer"},
    ):
        answer = stranger.get(f"/api/v1{path}", headers=headers)

        assert answer.status_code == 401
        assert answer.json() == {"error": "a token is needed"}
        assert answer.headers["www-authenticate"] == "Bearer"


def test_the_token_in_an_address_is_no_way_into_the_interface(stranger: TestClient):
    assert stranger.get(f"/api/v1/entries?token={TOKEN}").status_code == 401


@pytest.mark.parametrize("path", CHANGES)
def test_strangers_change_nothing(stranger: TestClient, path: str):
    assert stranger.post(path, headers={"sec-fetch-site": "same-origin"}).status_code == 401


def test_the_link_makes_a_session_and_leaves_the_token_out(stranger: TestClient):
    answer = stranger.get(f"/trend?project=shop&token={TOKEN}&window=4w")
    cookie = answer.headers["set-cookie"]

    assert answer.status_code == 303
    assert answer.headers["location"] == "/trend?project=shop&window=4w"
    assert cookie.startswith("rankgauge-8765=")
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip().lower() for part in cookie.split(";")}
    assert TOKEN not in cookie
    assert stranger.get("/").status_code == 200


def test_a_link_leads_nowhere_else(stranger: TestClient):
    for path in ("//evil.example/", "/\\evil.example", "///evil.example"):
        answer = stranger.get(f"http://127.0.0.1:8765{path}?token={TOKEN}")

        assert not answer.headers.get("location", "/").startswith(("//", "/\\", "http"))


def test_a_form_asks_for_the_token_too(stranger: TestClient):
    ours = {"sec-fetch-site": "same-origin"}

    assert stranger.post("/login", data={"token": "wrong"}, headers=ours).status_code == 401
    assert stranger.post("/login", data={"token": TOKEN}, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert stranger.post("/login", data={"token": TOKEN}, headers=ours).status_code == 303
    assert stranger.get("/").status_code == 200
    stranger.post("/logout", headers=ours)
    assert stranger.get("/").status_code == 401


def test_a_cookie_of_another_dashboard_is_nobody(stranger: TestClient):
    from rankgauge.web.access import access_for

    stranger.cookies.set("rankgauge-8765", access_for("127.0.0.1", token="b" * 20).session())

    assert stranger.get("/").status_code == 401


def test_a_proxy_names_its_user_and_nobody_else_does(history: rg.History):
    def came_from(address: str) -> TestClient:
        made = app(history, access=access(trust_header="X-User", proxies=["10.0.0.5"]))
        return TestClient(made, base_url="http://127.0.0.1:8765", client=(address, 5000))

    for address, status in (("10.0.0.5", 200), ("10.0.0.6", 401)):
        with came_from(address) as client:
            assert client.get("/settings", headers={"x-user": "ana"}).status_code == status
    with came_from("10.0.0.5") as client:
        client.headers.update({"x-user": "ana", "sec-fetch-site": "same-origin"})
        client.post("/notes", data={"project": "shop", "text": "seen", "who": "somebody else"})

        assert client.get("/").status_code == 200
        assert client.get("/", headers={"x-user": " "}).status_code == 401
    assert [e.who for e in history.events(kind="note")] == ["ana"]


def test_tokens_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch, stranger: TestClient):
    import hmac

    compared: list[Any] = []
    honest = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", lambda a, b: compared.append((a, b)) or honest(a, b))
    stranger.get("/api/v1/store", headers={"authorization": "Bearer wrong"})

    assert (b"wrong", TOKEN.encode()) in compared


# foreign pages


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "", "127.0.0.1.evil.example"])
def test_a_name_that_was_bound_to_this_machine_is_refused(program: TestClient, host: str):
    for path in ("/", "/health", "/api/v1/entries", "/static/dashboard.css"):
        assert program.get(path, headers={"host": host}).status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "origin": "http://127.0.0.1:8765"},
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {},
    ],
    ids=str,
)
@pytest.mark.parametrize("path", CHANGES)
def test_foreign_pages_change_nothing(history: rg.History, path: str, headers: dict[str, str]):
    with client_of(history) as client:
        client.get("/", params={"token": TOKEN})

        assert client.post(path, data={"text": "x", "project": "shop"}, headers=headers).status_code == 403
    assert history.events() == []


def test_our_own_pages_do_also_in_browsers_that_do_not_say_where_they_come_from(history: rg.History):
    with client_of(history) as client:
        client.get("/", params={"token": TOKEN})
        answer = client.post(
            "/notes", data={"text": "x", "project": "shop"}, headers={"origin": "http://127.0.0.1:8765"}
        )

    assert answer.status_code == 303
    assert [e.text for e in history.events()] == ["x"]


@pytest.mark.parametrize("path", [*PAGES, "/health", "/static/report.js", "/nothing", "/api/v1/entries"])
def test_every_answer_says_what_browsers_may_do_with_it(visitor: TestClient, path: str):
    headers = visitor.get(path).headers

    assert headers["content-security-policy"] == CSP
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["x-frame-options"] == "DENY"
    assert "server" not in headers


def test_pages_hold_no_style_and_no_script(visitor: TestClient, history: rg.History):
    first, second = (e.id for e in history.entries(limit=2))
    more = [
        f"/entries/{first}",
        f"/compare?a={first}&b={second}",
        f"/query?query=q01&entry={first}",
        "/measure?name=AP",
    ]
    for path in [*(p for p in PAGES if "0123" not in p), *more]:
        page = visitor.get(path).text

        assert not re.search(r"""<style|\sstyle=|\son\w+=|javascript:""", page), path
        assert set(re.findall(r"<script[^>]*>", page)) <= set(re.findall(r'<script src="/static/[^"]+">', page))


# what is sent


def test_what_is_too_large_is_refused_before_and_while_it_is_read(history: rg.History):
    small = Limits(body=2000, upload=4000)
    with client_of(history, limits=small) as client:
        client.headers.update({"authorization": f"Bearer {TOKEN}", "content-type": "application/json"})

        assert client.post("/api/v1/events", content=b"x" * 2001).status_code == 413
        assert client.post("/api/v1/entries", content=b"x" * 4001).status_code == 413
        assert client.post("/api/v1/events", content=(b"x" * 1000 for _ in range(3))).status_code == 413
        assert client.post("/api/v1/events", content=b"x" * 100, headers={"content-length": "-5"}).status_code == 413
        multipart = {"content-type": "multipart/form-data; boundary=b"}
        head = b'--b\r\ncontent-disposition: form-data; name="runs"; filename="r"\r\n\r\n'
        parts = (head, *(b"x" * 1000 for _ in range(5)))
        assert client.post("/upload", content=iter(parts), headers=multipart).status_code == 413


def test_what_was_compressed_on_the_way_is_not_unpacked(program: TestClient):
    bomb = gzip.compress(b"0" * 10_000_000)
    answer = program.post(
        "/api/v1/events", content=bomb, headers={"content-encoding": "gzip", "content-type": "application/json"}
    )

    assert answer.status_code == 415


def raw(made: Any, sent: list[bytes], pause: float) -> int:
    """The status of a request whose body comes in parts."""

    async def ask() -> int:
        parts = iter(sent)
        status: list[int] = []

        async def receive() -> dict[str, Any]:
            part = next(parts, None)
            await asyncio.sleep(0 if part is not None else pause)
            return {"type": "http.request", "body": part or b"", "more_body": True}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                status.append(message["status"])

        headers = [
            (b"host", b"127.0.0.1"),
            (b"authorization", f"Bearer {TOKEN}".encode()),
            (b"content-type", b"application/json"),
        ]
        scope = {"type": "http", "method": "POST", "path": "/api/v1/events", "raw_path": b"/api/v1/events"}
        scope |= {"query_string": b"", "headers": headers, "server": ("127.0.0.1", 80), "scheme": "http"}
        scope |= {"client": ("127.0.0.1", 1), "http_version": "1.1", "root_path": ""}
        await made(scope, receive, send)
        return status[0]

    return asyncio.run(ask())


def test_who_sends_slowly_is_not_waited_for(history: rg.History):
    for limits in (Limits(silence=0.1), Limits(seconds=0.1)):
        start = time.monotonic()
        made = app(history, access=access(), limits=limits)

        assert raw(made, [b"{"], pause=30) == 408
        assert time.monotonic() - start < 5


def test_too_many_at_once_are_told_to_come_back(history: rg.History):
    ours = {"authorization": f"Bearer {TOKEN}"}
    for limits, full, free in ((Limits(requests=0), ours, {}), (Limits(strangers=0), {}, ours)):
        made = app(history, access=access(), limits=limits)
        with TestClient(made, base_url="http://127.0.0.1:8765") as client:
            answer = client.get("/health", headers=full)

            assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
            assert client.get("/health", headers=free).status_code == 200


def test_strangers_who_send_slowly_keep_nobody_else_out(history: rg.History):
    made = app(history, access=access(), limits=Limits(requests=5, strangers=20, greeting=0.5))
    ours = [(b"authorization", f"Bearer {TOKEN}".encode())]

    async def asked(method: str, path: str, more: list[tuple[bytes, bytes]], body: float) -> int:
        status: list[int] = []

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(body)
            return {"type": "http.request", "body": b"t", "more_body": bool(body)}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                status.append(message["status"])

        form = (b"content-type", b"application/x-www-form-urlencoded")
        headers = [(b"host", b"127.0.0.1"), (b"origin", b"http://127.0.0.1"), form, *more]
        scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b""}
        scope |= {"headers": headers, "server": ("127.0.0.1", 80), "scheme": "http", "client": ("127.0.0.1", 1)}
        await made({**scope, "http_version": "1.1", "root_path": ""}, receive, send)
        return status[0]

    async def all_at_once() -> tuple[list[int], int, float]:
        start = time.monotonic()
        slow = [asyncio.create_task(asked("POST", "/login", [], 0.1)) for _ in range(40)]
        await asyncio.sleep(0.2)
        mine = await asked("GET", "/api/v1/projects", ours, 0)
        return await asyncio.gather(*slow), mine, time.monotonic() - start

    slow, mine, seconds = asyncio.run(all_at_once())

    assert mine == 200
    assert sorted(slow) == [408] * 20 + [503] * 20
    assert seconds < 5


def test_who_logs_out_is_out_with_that_cookie_too(stranger: TestClient):
    ours = {"sec-fetch-site": "same-origin"}
    stranger.post("/login", data={"token": TOKEN}, headers=ours)
    kept = stranger.cookies["rankgauge-8765"]
    stranger.post("/logout", headers=ours)
    stranger.cookies.set("rankgauge-8765", kept)

    assert stranger.get("/").status_code == 401


@pytest.mark.parametrize("host", ["127.0.0.1:8765@evil.example", "127.0.0.1/x", "127.0.0.1 x", ""])
def test_hosts_that_are_none_are_unknown(stranger: TestClient, host: str):
    assert stranger.get("/health", headers={"host": host}).status_code == 400


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/%2fetc%2fpasswd",
        "/static/dashboard.css%00",
        "/entries/..%2f..%2fetc%2fpasswd",
        "/jobs/..%2f..",
        "/jobs/../../etc/passwd",
        "/api/v1/entries/..%2f..%2fetc%2fpasswd/record",
    ],
)
def test_no_path_leads_to_a_file(visitor: TestClient, path: str):
    visitor.headers["authorization"] = f"Bearer {TOKEN}"
    answer = visitor.get(path)

    assert answer.status_code == 404
    assert "root:" not in answer.text
    assert "import" not in answer.text


def test_names_of_files_that_are_sent_lead_nowhere(visitor: TestClient, monkeypatch: pytest.MonkeyPatch):
    started: list[Any] = []

    def start(_: Any, job: Any, *rest: Any) -> None:
        job.is_reserved = False
        started.append((job.folder, rest))

    monkeypatch.setattr("rankgauge.web.jobs.Jobs.start", start)
    for name in (
        "../../../evil.run",
        "/etc/passwd",
        "..\\..\\evil.qrels",
        "a\nb.run",
        "x" * 300 + ".gz",
        "\u202eevil.run",
    ):
        answer = visitor.post("/upload", files={"qrels": (name, b"q1 0 d1 1\n"), "runs": (name, b"q1 Q0 d1 1 1.0 r\n")})

        assert answer.status_code == 303, answer.text
        folder = started[-1][0]
        assert {p.name.partition(".")[0] for p in folder.iterdir()} == {"qrels-0", "run-0"}
        assert all(p.resolve().parent == folder for p in folder.iterdir())


def test_words_of_others_make_no_header(visitor: TestClient, history: rg.History):
    nasty = "x\r\nset-cookie: evil=1"
    answers = [
        visitor.get("/", params={"language": nasty, "theme": nasty}),
        visitor.get("/trend", params={"project": nasty, "system": nasty, "measure": nasty}),
        visitor.post("/notes", data={"project": nasty, "system": nasty, "text": nasty}),
        visitor.post("/tags", data={"entry": history.entries(limit=1)[0].id, "note": nasty}),
        visitor.get("/static/x%0d%0aset-cookie:%20evil=1"),
    ]

    for answer in answers:
        assert "evil" not in answer.headers.get("set-cookie", "")
        assert "\n" not in answer.headers.get("location", "")
    assert answers[2].status_code == 303


# read-only


def test_nothing_can_be_changed_where_that_was_said(history: rg.History):
    entry = history.entries(limit=1)[0].id
    with client_of(history, read_only=True) as client:
        client.get("/", params={"token": TOKEN})
        client.headers["sec-fetch-site"] = "same-origin"
        asked = {"project": "shop", "text": "x", "who": "me", "entry": entry, "note": "x"}
        for path in ("/notes", "/alerts", "/tags", "/upload"):
            assert client.post(path, data=asked).status_code == 400
        client.headers["authorization"] = f"Bearer {TOKEN}"
        for path in ("/events", "/entries"):
            assert client.post(f"/api/v1{path}", json={"kind": "note", "record": {}}).status_code == 403
        assert 'method="post"' not in client.get(f"/entries/{entry}").text.replace('action="/logout"', "")
    assert history.events() == []
    assert len(history) == 4


# a real server


def test_health_needs_nothing_and_says_nothing(stranger: TestClient, history: rg.History):
    assert stranger.get("/health").json() == {"status": "ok"}


def test_the_command_refuses_to_listen_for_everybody(tmp_path: Path):
    words = [sys.executable, "-m", "rankgauge", "ui", "unused.db", "--host", "0.0.0.0"]
    clean = {name: value for name, value in os.environ.items() if name != "RANKGAUGE_TOKEN"}
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60, env=clean)

    assert done.returncode == 2
    assert "nothing says who may" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_unexpected_errors_tell_strangers_nothing(visitor: TestClient, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("secret /home/me")

    monkeypatch.setattr(rg.History, "projects", broken)
    for path in ("/", "/api/v1/projects"):
        answer = visitor.get(path)

        assert answer.status_code == 500
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text


def test_no_link_of_a_page_leads_elsewhere(visitor: TestClient):
    for path in ("//evil.example/", "/\\evil.example/", "///evil.example"):
        page = visitor.get(f"http://127.0.0.1:8765{path}").text

        assert not re.search(r"""(href|action)=["'](//|/\\|https?:)""", page)
