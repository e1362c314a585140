"""The door of the dashboard: what every request passes before a page sees it, and every answer after.

In this order: the name by which the server is called (a foreign page can make a browser call it by another one), who
comes, how many of those are inside (strangers take no place of others), whether a change was asked for by our own
pages, and how large and slow a body may be.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from http import cookies
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rankgauge._text import Text, in_language
from rankgauge.web.access import Access

__all__ = ["CSP", "Door", "Limits", "cookie_name", "logged"]

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_LOG = logging.getLogger("rankgauge.web")


@dataclass(frozen=True)
class Limits:
    """What one request may take."""

    body: int = 8 << 20
    """Bytes of a form or a call."""
    upload: int = 256 << 20
    """Bytes of uploaded files and pushed records."""
    seconds: float = 120
    """To send a body."""
    silence: float = 20
    """Seconds between two parts of it."""
    requests: int = 100
    """At a time, of those who have come in."""
    strangers: int = 20
    """At a time, of everybody else: they take no place of those who have come in."""
    greeting: float = 5
    """Seconds in which a stranger sends a body: there is a token to send, and nothing else."""

    def of(self, path: str) -> int:
        """How large a body may be there."""
        if path == "/login":
            return 4096
        return self.upload if path in ("/upload", "/api/v1/entries") else self.body


def cookie_name(scope: Scope) -> str:
    """Browsers keep cookies by name of host, not by port: two dashboards on one machine must not meet."""
    server = scope.get("server") or ("", 0)
    return f"rankgauge-{server[1] or 0}"


class Door:
    """Around the pages."""

    def __init__(
        self,
        app: ASGIApp,
        access: Access,
        limits: Limits,
        login: Callable[[Scope, str], Awaitable[Response]],
    ) -> None:
        self.app, self.access, self.limits, self.login = app, access, limits, login
        self.inside = self.strangers = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        send = _with_headers(send, scope["path"])
        refused = await self._refused(scope)
        if refused is not None:
            await refused(scope, receive, send)
            return
        is_known = bool(scope["state"]["how"])
        self.inside, self.strangers = self.inside + is_known, self.strangers + (not is_known)
        limits = self.limits if is_known else replace(self.limits, seconds=self.limits.greeting)
        try:
            await self.app(scope, _limited(receive, limits, limits.of(scope["path"])), send)
        finally:
            self.inside, self.strangers = self.inside - is_known, self.strangers - (not is_known)

    async def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self.access.is_host(headers.get("host", "")):
            return _plain(400, Text("unknown host", "未知的主机名"))
        how, who = self._who(scope, headers)
        scope.setdefault("state", {}).update(who=who, how=how)
        if (self.inside >= self.limits.requests) if how else (self.strangers >= self.limits.strangers):
            return _plain(503, Text("too many requests at once", "同时的请求太多"), {"retry-after": "2"})
        path = scope["path"]
        if path == "/health" or path.startswith("/static/"):
            return None
        if not how and (scope["method"], path) != ("POST", "/login"):
            return await self._unknown(scope, headers)
        if scope["method"] not in _SAFE and how != "bearer" and not _is_ours(scope, headers):
            return _told(
                scope, 403, Text("this was not asked for by a page of the dashboard", "请求不是由看板页面发出的")
            )
        if "content-encoding" in headers:
            return _told(scope, 415, Text("send it as it is, not compressed", "请勿压缩请求内容"))
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length) > self.limits.of(path):
            return _told(scope, 413, _too_large(self.limits.of(path)))
        return None

    def _who(self, scope: Scope, headers: Headers) -> tuple[str, str]:
        """How somebody came in, and their name where it is known."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.access.is_token(given.strip()):
            return "bearer", ""
        address = (scope.get("client") or ("", 0))[0]
        if user := self.access.user_of_proxy(address, headers.get(self.access.trust_header or "-", "")):
            return "proxy", user
        if self.access.is_session(_cookie(headers, cookie_name(scope))):
            return "session", ""
        return "", ""

    async def _unknown(self, scope: Scope, headers: Headers) -> Response:
        """Nobody we know: a link with the token makes a session, everybody else is asked for it."""
        path = scope["path"]
        if path.startswith("/api/"):
            return JSONResponse({"error": "a token is needed"}, 401, {"www-authenticate": "Bearer"})
        given = ""
        if scope["method"] == "GET":
            asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
            given = next((value for name, value in asked if name == "token"), "")
            if self.access.is_token(given):
                rest = urlencode([(n, v) for n, v in asked if n != "token"])
                return self.entered(scope, "/" + path.lstrip("/\\") + (f"?{rest}" if rest else ""))
        return await self.login(scope, given)

    def entered(self, scope: Scope, to: str) -> Response:
        """On to a page of ours, with a session."""
        answer = RedirectResponse(to, 303)
        answer.set_cookie(
            cookie_name(scope),
            self.access.session(),
            max_age=14 * 24 * 3600,
            httponly=True,
            samesite="strict",
            secure=scope.get("scheme") == "https",
        )
        return answer


def _is_ours(scope: Scope, headers: Headers) -> bool:
    """Whether a page of this server asks for a change: browsers say where a request comes from."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = cookies.SimpleCookie(headers.get("cookie", "")).get(name)
    except cookies.CookieError:
        return ""
    return "" if found is None else found.value


def _too_large(most: int) -> Text:
    from rankgauge._numbers import size_of

    return Text(f"too large: at most {size_of(most)}", f"太大：最多 {size_of(most)}")


def _plain(status: int, text: Text, headers: dict[str, str] | None = None) -> Response:
    return PlainTextResponse(f"{text.en}\n{text.zh}\n", status, headers)


def _told(scope: Scope, status: int, text: Text) -> Response:
    """In the form that was asked for; the connection ends, as a body may be under way."""
    close = {"connection": "close"}
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": in_language(text, "en")}, status, close)
    return _plain(status, text, close)


def _with_headers(send: Send, path: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending


def _limited(receive: Receive, limits: Limits, most: int) -> Receive:
    """A body up to a size, sent within a time; what comes after it (the end of the connection) may take for ever."""
    end = time.monotonic() + limits.seconds
    size = 0
    complete = False

    async def receiving() -> Message:
        nonlocal size, complete
        if complete:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), max(0.0, min(limits.silence, end - time.monotonic())))
        except TimeoutError as e:
            raise HTTPException(408, "too slow") from e
        size += len(message.get("body", b""))
        if size > most:
            raise HTTPException(413, in_language(_too_large(most), "en"))
        complete = not message.get("more_body", False)
        return message

    return receiving


def logged(error: BaseException, about: Any) -> None:
    """What went wrong unexpectedly, for who runs the server."""
    _LOG.error("%s: %s", about, error, exc_info=error)
