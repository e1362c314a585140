"""A history behind a dashboard: the tests of the store, over the network."""

from __future__ import annotations

import inspect
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import rankgauge as rg
from history import test_history
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.history.remote import RemoteHistory

uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed")
TOKEN = "a-token-that-nobody-guesses"

OWNERS = {  # of what only who has the store can do, or what is asked of the database itself
    name
    for name, test in vars(test_history).items()
    if name.startswith("test_") and not {"history"} <= set(inspect.signature(test).parameters)
}
BODY = {
    name: test
    for name, test in vars(test_history).items()
    if name.startswith("test_") and name not in OWNERS and "_db" not in inspect.getsource(test)
}
globals().update(BODY)


def served(history: rg.History, **options: object) -> tuple[str, object]:
    """The address of a dashboard in a thread."""
    from rankgauge.web.access import access_for
    from rankgauge.web.app import app

    made = app(history, access=access_for("127.0.0.1", token=TOKEN), **options)  # type: ignore[arg-type]
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(made, log_level="error", lifespan="on", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)

    def stop() -> None:
        server.should_exit = True
        thread.join(10)
        listening.close()

    return f"http://127.0.0.1:{listening.getsockname()[1]}", stop


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("RANKGAUGE_TOKEN", TOKEN)
    with rg.History(tmp_path / "history.db") as h:
        address, stop = served(h)
        yield address
        stop()  # type: ignore[operator]


@pytest.fixture
def history(place: str) -> Iterator[rg.History]:
    with rg.History(place) as h:
        yield h


def test_the_body_is_that_of_the_store():
    assert len(BODY) >= 20


def test_an_address_is_a_history(place: str):
    assert type(rg.History(place)) is RemoteHistory
    assert isinstance(rg.History(place, token=TOKEN), rg.History)


def test_without_the_token_nothing_is_said(place: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("RANKGAUGE_TOKEN")
    for token in (None, "", "wrong"):
        with pytest.raises(InputError, match="asks for its token"):
            rg.History(place, token=token)
    with pytest.raises(ParameterError, match="printable ASCII"):
        rg.History(place, token="a\r\nb")


def test_a_token_is_for_a_dashboard(tmp_path: Path):
    with pytest.raises(ParameterError, match="`token` is for the address of a dashboard"):
        rg.History(tmp_path / "h.db", token=TOKEN)


@pytest.mark.parametrize("place", ["http://", "https://user:word@host", "http://host/?x=1"])
def test_addresses_that_are_none(place: str):
    with pytest.raises(ParameterError, match="address of a dashboard"):
        rg.History(place, token=TOKEN)


def test_who_does_not_answer_is_named():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    with pytest.raises(InputError, match="does not answer as a dashboard does"):
        rg.History(f"http://127.0.0.1:{port}", token=TOKEN)


def test_the_token_goes_nowhere_else(tmp_path: Path):
    """A redirection is not followed."""
    from http.server import BaseHTTPRequestHandler, HTTPServer

    seen: list[str] = []

    class Away(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_response(302)
            self.send_header("location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Away)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with pytest.raises(InputError, match="answers 302"):
        rg.History(f"http://127.0.0.1:{server.server_port}", token=TOKEN)
    server.shutdown()
    server.server_close()

    assert seen == ["/api/v1"]


@pytest.mark.parametrize("status", [b"200 OK", b"500 Oops"])
def test_a_server_that_drips_holds_nobody(status: bytes, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("rankgauge.history.remote._IN_ALL", 0.5)
    over = threading.Event()

    def drip(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.recv(10_000)
            connection.sendall(b"HTTP/1.1 " + status + b"\r\nContent-Length: 1000\r\n\r\n")
            while not over.wait(0.1):
                connection.sendall(b" ")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip, args=(listening,), daemon=True)
        thread.start()
        begun = time.monotonic()
        with pytest.raises(InputError, match="it takes too long"):
            rg.History(f"http://127.0.0.1:{listening.getsockname()[1]}", token=TOKEN)
        assert time.monotonic() - begun < 10
        over.set()
        thread.join(5)


def test_read_only_is_read_only(place: str):
    with rg.History(place, read_only=True) as h, pytest.raises(ParameterError, match="read_only=True"):
        h.event("note", "x")


def test_what_the_owner_of_the_store_does_is_refused(history: rg.History):
    with pytest.raises(ParameterError, match="only be done where the store is"):
        history._db  # noqa: B018


def test_unknown_entries_are_unknown_there_too(history: rg.History):
    with pytest.raises(UnknownName, match="there is no entry"):
        history["ffff"]
    assert "ffff" not in history
    assert "" not in history
