"""The same resources as JSON, for other programs: `rg.History("http://…", token=…)` speaks to it."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from math import isfinite
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rankgauge._records import Record, read_back
from rankgauge._show import show
from rankgauge._text import Text, in_language
from rankgauge.errors import InputError, ParameterError, RankgaugeError, UnknownName
from rankgauge.history.entry import PROJECT, Entry
from rankgauge.history.given import About, shown_lists
from rankgauge.history.history import History, QueryWords
from rankgauge.history.plain import entry_told, event_told, lists_told
from rankgauge.web.openapi import document
from rankgauge.web.security import logged
from rankgauge.web.visit import Site

__all__ = ["MOST", "routes"]

MOST = 1000
"""Items in one answer; `skip` leads on."""
_USUAL = 100
_FAILED = Text("it failed unexpectedly; the log of the server says why", "内部出错；详情见服务器日志")
Ask = Mapping[str, str]
InThread = Callable[[Callable[[], Any]], Awaitable[Any]]


def routes(site: Site, in_thread: InThread) -> list[Route]:
    """All addresses of the interface."""
    h = site.history

    def read(path: str, answer: Callable[[Request], Any]) -> Route:
        return Route(f"/api/v1{path}", partial(_read, in_thread, answer), methods=["GET"])

    def write(path: str, answer: Callable[[Any], Any]) -> Route:
        return Route(f"/api/v1{path}", partial(_write, site, in_thread, answer), methods=["POST"])

    return [
        read("", lambda _: {"rankgauge": 1, "openapi": "/api/v1/openapi.json", "read_only": site.read_only}),
        read("/openapi.json", lambda _: document()),
        read("/projects", lambda _: h.projects()),
        read("/systems", lambda r: h.systems(r.query_params.get("project"))),
        read("/store", lambda _: {"entries": len(h), "bytes": h.size()}),
        read("/entries", partial(_entries, h)),
        read("/entries/{id}", lambda r: entry_told(h[r.path_params["id"]])),
        read("/entries/{id}/record", lambda r: h.told(r.path_params["id"])),
        read("/entries/{id}/values", partial(_values, h)),
        read("/entries/{id}/queries", lambda r: h.query_ids(r.path_params["id"])),
        read("/entries/{id}/lists", partial(_lists, h)),
        read("/query", partial(_query, h)),
        read("/events", partial(_events, h)),
        write("/entries", partial(_add, h)),
        write("/events", partial(_event, h)),
    ]


async def _read(in_thread: InThread, answer: Callable[[Request], Any], request: Request) -> Response:
    answered: Response = await in_thread(partial(_answered, answer, request, 200))
    return answered


async def _write(site: Site, in_thread: InThread, answer: Callable[[Any], Any], request: Request) -> Response:
    if site.read_only:
        return _problem(403, Text("this dashboard is read-only", "看板是只读的"))
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return _problem(415, Text("the body must be application/json", "请求内容的类型必须是 application/json"))
    body = await request.body()
    answered: Response = await in_thread(partial(_answered, answer, body, 201))
    return answered


def _answered(answer: Callable[[Any], Any], given: Any, status: int) -> Response:
    try:
        if isinstance(given, bytes):
            given = _json(given)
        return _said(answer(given), status)
    except UnknownName as e:
        return _problem(404, e.text)
    except RankgaugeError as e:
        return _problem(400, e.text)
    except Exception as e:
        logged(e, "api")
        return _problem(
            500, Text("it failed unexpectedly; the log of the server says why", "内部出错；详情见服务器日志")
        )


def _said(data: Any, status: int) -> Response:
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Response(text, status, media_type="application/json")


def _problem(status: int, text: str) -> Response:
    return JSONResponse({"error": in_language(text, "en"), "error_zh": in_language(text, "zh")}, status)


def _json(body: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as e:
        raise InputError(Text("the body must be JSON.", "请求内容必须是 JSON。")) from e
    if not isinstance(found, dict):
        raise InputError(Text("the body must be a JSON object.", "请求内容必须是 JSON 对象。"))
    return found


# reading


def _whole(asked: Ask, name: str, default: int, most: int) -> int:
    said = asked.get(name, str(default))
    if not (re.fullmatch("[0-9]{1,12}", said) and int(said) <= most):
        raise ParameterError(
            Text(
                f"`{name}` must be a number up to {most:,}, got {show(said)}.",
                f"`{name}` 必须是不超过 {most:,} 的整数，实际为 {show(said)}。",
            )
        )
    return int(said)


def _chosen(request: Request) -> QueryWords:
    """Which entries are meant."""
    asked = request.query_params
    labels = {name[6:]: value for name, value in asked.multi_items() if name.startswith("label.")}
    words = {n: asked[n] for n in ("project", "system", "dataset", "version", "since", "until") if n in asked}
    return cast("QueryWords", {**words, "labels": labels or None})


def _entries(h: History, request: Request) -> Any:
    asked, chosen = request.query_params, _chosen(request)
    kind = asked.getlist("kind") or None
    found = h.entries(
        **chosen,
        kind=kind,
        newest_first=asked.get("newest_first") == "true",
        limit=_whole(asked, "limit", _USUAL, MOST),
        skip=_whole(asked, "skip", 0, 10**9),
    )
    return {"entries": [entry_told(e) for e in found], "total": h.count(**chosen, kind=kind)}


def _values(h: History, request: Request) -> Any:
    entry = h[request.path_params["id"]]
    measure = request.query_params.get("measure", "")
    return {"measure": measure, "values": [_finite(float(v)) for v in h.values(entry.id, measure)]}


def _lists(h: History, request: Request) -> Any:
    return lists_told(h.lists(request.path_params["id"]))


def _query(h: History, request: Request) -> Any:
    asked = request.query_params
    found = h.query_history(asked.get("query", ""), asked.get("measure", ""), **_chosen(request))
    return {
        "values": [
            {"entry": entry_told(p.entry), "value": _finite(p.value), "results": lists_told({"": p.results})[""]}
            for p in found
        ]
    }


def _events(h: History, request: Request) -> Any:
    asked = request.query_params
    found = h.events(
        kind=asked.getlist("kind") or None,
        project=asked.get("project"),
        entry=asked.get("entry"),
        since=asked.get("since"),
        newest_first=asked.get("newest_first") == "true",
        limit=_whole(asked, "limit", _USUAL, MOST),
        skip=_whole(asked, "skip", 0, 10**9),
    )
    return {"events": [event_told(e) for e in found]}


def _finite(x: float) -> float | None:
    return float(x) if isfinite(x) else None


# writing


def _add(h: History, given: Mapping[str, Any]) -> Any:
    """A record with what it is about; where it was made is for the sender to say."""
    told = given.get("record")
    if not isinstance(told, dict):
        raise InputError(Text("`record` must be an object.", "`record` 必须是对象。"))
    words = {name: given[name] for name in ("project", "system", "version", "dataset", "labels") if name in given}
    about = About.of(_when(given), **{k: v for k, v in words.items() if v != "" or k != "project"})
    heads = shown_lists(given.get("heads", {}))

    def kept(data: Mapping[str, Any]) -> Entry:
        return h.put(Record.from_dict(data), about, heads)

    return entry_told(read_back(Text("the record", "记录"), kept, told))


def _event(h: History, given: Mapping[str, Any]) -> Any:
    words = {name: given[name] for name in ("text", "entry", "who", "data") if name in given}
    project = PROJECT if given.get("project") in (None, "") else given["project"]
    return event_told(h.event(given.get("kind", ""), project=project, at=_when(given), **words))


def _when(given: Mapping[str, Any]) -> Any:
    """Nothing said is now."""
    return None if given.get("at") == "" else given.get("at")
