"""Which page answers which address."""

from __future__ import annotations

import asyncio
import contextvars
import os
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from rankgauge._language import speaking
from rankgauge._show import show
from rankgauge._text import Text, in_language
from rankgauge.errors import RankgaugeError, UnknownName
from rankgauge.history.damage import left_out
from rankgauge.history.history import History
from rankgauge.history.rules import AlertRules
from rankgauge.web import api
from rankgauge.web.access import Access, access_for
from rankgauge.web.drawing import assets, drawn
from rankgauge.web.jobs import Jobs
from rankgauge.web.pages import alerts, compare, entries, explain, overview, queries, settings, trend, upload
from rankgauge.web.security import Door, Limits, cookie_name, logged
from rankgauge.web.visit import Answer, Away, Page, Site, Visit, language_for, theme_for

__all__ = ["app"]

_NAMED = 20
"""Damaged entries that a page names."""
_WORKERS = 6
"""Pages that are made at a time; each thread has a connection of its own."""
_PAGES: dict[str, Callable[[Visit], Answer]] = {
    "/": overview.overview,
    "/trend": trend.trend,
    "/entries": entries.entries,
    "/entries/{id}": entries.entry,
    "/compare": compare.compared,
    "/queries": queries.queries,
    "/query": queries.query,
    "/alerts": alerts.alerts,
    "/upload": upload.form,
    "/jobs/{id}": upload.job,
    "/measures": explain.measures,
    "/measure": explain.measure,
    "/scenarios": explain.scenarios,
    "/scenario": explain.scenario,
    "/settings": settings.settings,
}
_CHANGES: dict[str, Callable[[Visit], Answer]] = {
    "/notes": trend.annotated,
    "/alerts": alerts.acknowledged,
    "/tags": entries.tagged,
    "/upload": upload.uploaded,
    "/jobs/{id}/cancel": upload.cancelled,
    "/jobs/{id}/keep": upload.kept,
}


def app(
    history: History | str | os.PathLike[str],
    *,
    access: Access | None = None,
    limits: Limits | None = None,
    read_only: bool = False,
    rules: Mapping[str, AlertRules] | None = None,
) -> Door:
    """The dashboard over a history, as an application for any ASGI server.

    `access` says who may come in: `access_for("127.0.0.1")` makes a random token. Behind a server of your own say what
    it must ask for; there is no way to say nobody. `rules` are what is watched, by project.
    """
    store = history if isinstance(history, History) else History(history, read_only=read_only)
    chosen = access_for("127.0.0.1") if access is None else access
    bounds = limits or Limits()
    site = Site(store, chosen, bounds, Jobs(), read_only, rules or {})
    pool = ThreadPoolExecutor(_WORKERS, "rankgauge-page")

    @asynccontextmanager
    async def living(_: Starlette) -> AsyncIterator[None]:
        yield
        site.jobs.close()
        pool.shutdown(wait=False, cancel_futures=True)

    async def in_thread(work: Callable[[], Any]) -> Any:
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(pool, partial(context.run, work))

    def visited(make: Callable[[Visit], Answer]) -> Callable[[Request], Any]:
        async def answered(request: Request) -> Response:
            form = None
            if request.method == "POST":
                form = await request.form(max_files=20, max_fields=200, max_part_size=1 << 20)
            try:
                return _remembered(request, await in_thread(partial(_made, site, request, make, form)))
            finally:
                if form is not None:
                    await form.close()

        return answered

    async def login(scope: Scope, given: str) -> Response:
        request = Request(scope)
        asked = partial(_asked_for_token, given=given)
        answer: Response = await in_thread(partial(_made, site, request, asked, None, 401))
        return answer

    async def logged_in(request: Request) -> Response:
        form = await request.form(max_files=0, max_fields=5, max_part_size=4096)
        given = str(form.get("token", ""))
        if chosen.is_token(given):
            return door.entered(request.scope, "/")
        return await login(request.scope, given)

    async def logged_out(request: Request) -> Response:
        chosen.end(request.cookies.get(cookie_name(request.scope), ""))
        answer = RedirectResponse("/", 303)
        answer.delete_cookie(cookie_name(request.scope))
        return answer

    routes = [Route(path, visited(make), methods=["GET"]) for path, make in _PAGES.items()]
    routes += [Route(path, visited(make), methods=["POST"]) for path, make in _CHANGES.items()]
    routes += [
        Route("/login", logged_in, methods=["POST"]),
        Route("/logout", logged_out, methods=["POST"]),
        Route("/health", partial(_health, in_thread, store)),
        Route("/static/{name}", _static),
        Route("/jobs/{id}/events", partial(upload.events, site)),
        *api.routes(site, in_thread),
    ]
    inner = Starlette(
        routes=routes,
        lifespan=living,
        exception_handlers={HTTPException: partial(_refused, site), Exception: partial(_failed, site)},
    )
    door = Door(inner, chosen, bounds, login)
    return door


def _made(
    site: Site, request: Request, make: Callable[[Visit], Answer], form: Any, status: int | None = None
) -> Response:
    """A page, in a thread: what it says of what is wrong is a page as well."""
    visit = Visit(request, site, language_for(request), theme_for(request), form)
    with speaking(visit.language):
        try:
            with left_out() as damaged:
                answer = make(visit)
            if damaged and isinstance(answer, Page):
                answer = replace(answer, damaged=list(damaged.values())[:_NAMED])
        except RankgaugeError as e:
            answer = _problem(e.text, 404 if isinstance(e, UnknownName) else 400)
        except Exception as e:
            logged(e, request.url.path)
            answer = _problem(_UNEXPECTED, 500)
        if isinstance(answer, Away):
            return RedirectResponse(answer.to, 303)
        return HTMLResponse(drawn(answer, visit), status or answer.status)


_UNEXPECTED = Text(
    "Something went wrong here that should not. The log of the server says what.",
    "看板内部出错。详情见服务器日志。",
)
_STATUS = {
    404: Text("There is no such page.", "没有这个页面。"),
    405: Text("This page cannot be asked that way.", "该页面不支持这种请求方式。"),
    408: Text("It took too long to send.", "发送时间太长。"),
    413: Text("It is too large.", "内容太大。"),
}


def _problem(text: str, status: int) -> Page:
    return Page("problem.html", {"text": text, "code": status}, Text("Not possible", "无法完成"), status)


async def _refused(site: Site, request: Request, error: HTTPException) -> Response:
    text = _STATUS.get(error.status_code, HTTPStatus(error.status_code).phrase)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": in_language(text, "en")}, error.status_code)
    return await asyncio.to_thread(_made, site, request, lambda _: _problem(text, error.status_code), None)


async def _failed(site: Site, request: Request, error: Exception) -> Response:
    logged(error, request.url.path)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": in_language(_UNEXPECTED, "en")}, 500)
    return await asyncio.to_thread(_made, site, request, lambda _: _problem(_UNEXPECTED, 500), None)


def _asked_for_token(visit: Visit, given: str) -> Page:
    context = {"is_wrong": bool(given), "has_token": bool(visit.site.access.token)}
    return Page("login.html", context, Text("Log in", "登录"), 401)


def _remembered(request: Request, answer: Response) -> Response:
    """The language and the theme that were asked for, in cookies."""
    for name in ("language", "theme"):
        if name in request.query_params:
            chosen = language_for(request) if name == "language" else theme_for(request)
            answer.set_cookie(f"rankgauge-{name}", chosen, max_age=365 * 24 * 3600, samesite="strict", httponly=True)
    return answer


async def _health(in_thread: Callable[[Callable[[], Any]], Any], store: History, request: Request) -> Response:
    """Whether the store can be read; says nothing else, as anybody may ask."""
    try:
        await in_thread(lambda: len(store))
    except RankgaugeError as e:
        logged(e, "/health")
        return JSONResponse({"status": "store cannot be read"}, 503)
    return JSONResponse({"status": "ok"})


async def _static(request: Request) -> Response:
    found = assets().get(request.path_params["name"])
    if found is None:
        return PlainTextResponse(f"no {show(request.path_params['name'])}", 404)
    kept = "public, max-age=31536000, immutable" if "v" in request.query_params else "no-cache"
    return Response(found.text, media_type=found.type, headers={"cache-control": kept, "etag": f'"{found.digest}"'})
