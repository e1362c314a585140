"""The web, asked once: an answer that takes too long is none, however slowly it comes; nothing is carried elsewhere.

Redirects are answers like any other, since what is sent may hold what others must not see.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPSConnection
from socket import SHUT_RDWR, socket
from threading import Timer
from typing import Any
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request

__all__ = ["answered"]


@contextmanager
def answered(request: Request, each: float, in_all: float) -> Iterator[Any]:
    """The answer of whatever code, to be read in here: so many seconds for each step, and for everything.

    Raises TimeoutError where that is over, whatever it was that it broke off.
    """
    until = _Deadline(in_all)
    try:
        with until, _opener(until).open(request, timeout=each) as answer:
            yield answer
    except Exception:
        if until.is_over:
            raise TimeoutError from None
        raise
    if until.is_over:  # what was cut off looks like an answer that ended
        raise TimeoutError


class _Deadline:
    """Ends connections that were made under it, however slowly their answers come.

    A time-out of a socket is one of each read: a server that sends a byte now and then keeps it waiting for good.
    """

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self._sockets: list[socket] = []
        self._timer = Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _end(self) -> None:
        self.is_over = True
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(SHUT_RDWR)

    def kept(self, kind: type[HTTPConnection]) -> Callable[..., HTTPConnection]:
        """Connections of a kind, whose sockets it can end."""
        sockets = self._sockets

        class Kept(kind):  # type: ignore[misc, valid-type]
            def connect(self) -> None:
                super().connect()
                sockets.append(self.sock)

        return Kept


class _Http(HTTPHandler):
    def __init__(self, until: _Deadline) -> None:
        super().__init__()
        self._until = until

    def http_open(self, req: Request) -> Any:
        return self.do_open(self._until.kept(HTTPConnection), req)


class _Https(HTTPSHandler):
    def __init__(self, until: _Deadline) -> None:
        super().__init__()
        self._until = until

    def https_open(self, req: Request) -> Any:
        trusted = ssl.create_default_context()
        return self.do_open(self._until.kept(HTTPSConnection), req, context=trusted)


def _opener(until: _Deadline) -> OpenerDirector:
    """The web and nothing else: no files, no redirects."""
    opener = OpenerDirector()
    for handler in (ProxyHandler(), _Http(until), _Https(until)):
        opener.add_handler(handler)
    return opener
