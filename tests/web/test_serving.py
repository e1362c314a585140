"""What listens: connections that say nothing, or half of something, are not waited for."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
import uvicorn
from dashboards import access

import rankgauge as rg
from rankgauge.web import app, listener
from rankgauge.web.serving import serve


@pytest.fixture
def port(history: rg.History, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Where a dashboard listens that waits for headers half a second."""
    servers: list[uvicorn.Server] = []

    class Stoppable(uvicorn.Server):
        def __init__(self, config: uvicorn.Config) -> None:
            super().__init__(config)
            servers.append(self)

    monkeypatch.setattr(uvicorn, "Server", Stoppable)
    monkeypatch.setattr(listener, "HEADERS_WITHIN", 0.5)
    told, listens = [], threading.Event()

    def ready(address: str) -> None:
        told.append(address)
        listens.set()

    made = app(history, access=access())
    thread = threading.Thread(target=serve, args=(made, "127.0.0.1", 0), kwargs={"ready": ready}, daemon=True)
    thread.start()
    assert listens.wait(20)
    yield urlsplit(told[0]).port or 0
    servers[0].should_exit = True
    thread.join(20)


def connected(port: int) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), timeout=20)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


HEALTH = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def answer(connection: socket.socket) -> bytes:
    """What comes until there is a whole answer, or the end."""
    got = b""
    while (head := got.partition(b"\r\n\r\n"))[1] == b"" or len(head[2]) < _length(head[0]):
        more = connection.recv(65536)
        if not more:
            break
        got += more
    return got


def _length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])


@pytest.mark.parametrize("said", [b"", b"G", HEALTH, HEALTH + b"X-Slow: 1"])
def test_headers_that_do_not_come_are_not_waited_for(port: int, said: bytes):
    with connected(port) as connection:
        start = time.monotonic()
        connection.sendall(said)

        assert connection.recv(1) == b""  # closed by the other side

    assert time.monotonic() - start < 10


def test_bytes_that_trickle_in_win_no_time(port: int):
    with connected(port) as connection:
        start = time.monotonic()
        connection.settimeout(0.05)
        with suppress(ConnectionError):
            while not is_closed(connection) and time.monotonic() - start < 10:
                connection.sendall(b"x")

    assert time.monotonic() - start < 10


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False


def test_a_second_request_that_stops_in_its_headers_is_given_up_as_well(port: int):
    with connected(port) as connection:
        connection.sendall(HEALTH + b"\r\n")
        assert answer(connection).startswith(b"HTTP/1.1 200")

        connection.sendall(HEALTH)

        assert connection.recv(1) == b""


def test_who_thinks_between_requests_or_says_its_headers_in_two_parts_is_served(port: int):
    with connected(port) as connection:
        for _ in range(2):
            connection.sendall(HEALTH)
            time.sleep(0.1)
            connection.sendall(b"\r\n")
            assert answer(connection).startswith(b"HTTP/1.1 200")
            time.sleep(0.7)  # longer than headers may take, shorter than a connection is kept
