"""The same resources as JSON, for other programs: `rg.History("http://…", token=…)` speaks to it."""

from __future__ import annotations

import json
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
from rankgauge.history.entry import Entry, Event, Summary
from rankgauge.history.history import History, QueryWords
from rankgauge.history.moments import time_of, time_text
from rankgauge.history.summaries import state_of, summaries_of
from rankgauge.web.openapi import document
from rankgauge.web.security import logged
from rankgauge.web.visit import Site

__all__ = ["MOST", "entry_told", "event_told", "routes"]

MOST = 1000
"""Items in one answer; `skip` leads on."""
_USUAL = 100
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
        return _problem(403, "this dashboard is read-only")
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return _problem(415, "the body must be application/json")
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
        return _problem(500, "it failed unexpectedly; the log of the server says why")


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


# what is told


def entry_told(e: Entry) -> dict[str, Any]:
    """An entry as plain data, without its record."""
    return {
        "id": e.id,
        "at": e.at.isoformat(),
        "project": e.project,
        "system": e.system,
        "version": e.version,
        "dataset": e.dataset,
        "kind": e.kind,
        "schema": e.schema,
        "state": e.state,
        "labels": dict(e.labels),
        "contract": dict(e.contract),
        "is_pruned": e.is_pruned,
        "queries": e.queries,
        "summaries": [_summary(s) for s in e.summaries],
    }


def _summary(s: Summary) -> dict[str, Any]:
    numbers = {name: _finite(getattr(s, name)) for name in ("value", "low", "high", "error")}
    return {
        "measure": s.measure,
        "definition": s.definition,
        **numbers,
        "n": s.n,
        "attribute": s.attribute,
        "part": s.part,
    }


def _finite(x: float) -> float | None:
    return float(x) if isfinite(x) else None


def event_told(e: Event) -> dict[str, Any]:
    """An event as plain data."""
    return {
        "id": e.id,
        "at": e.at.isoformat(),
        "project": e.project,
        "kind": e.kind,
        "entry": e.entry,
        "who": e.who,
        "text": e.text,
        "data": dict(e.data),
    }


# reading


def _whole(asked: Ask, name: str, default: int, most: int) -> int:
    said = asked.get(name, str(default))
    if not (said.isascii() and said.isdigit() and int(said[:12]) <= most):
        raise ParameterError(
            Text(
                f"`{name}` must be a number up to {most:,}, got {show(said)}.",
                f"`{name}` 必须是不超过 {most:,} 的整数，实际为 {show(said)}。",
            )
        )
    return int(said)


def _entries(h: History, request: Request) -> Any:
    asked = request.query_params
    labels = {name[6:]: value for name, value in asked.multi_items() if name.startswith("label.")}
    found = h.entries(
        **{name: asked.get(name) for name in ("project", "system", "dataset", "version", "since", "until")},
        kind=asked.getlist("kind") or None,
        labels=labels or None,
        newest_first=asked.get("newest_first") == "true",
        limit=_whole(asked, "limit", _USUAL, MOST),
        skip=_whole(asked, "skip", 0, 10**9),
    )
    return {"entries": [entry_told(e) for e in found], "total": len(h)}


def _values(h: History, request: Request) -> Any:
    entry = h[request.path_params["id"]]
    measure = request.query_params.get("measure", "")
    return {"measure": measure, "values": [_finite(float(v)) for v in h.values(entry.id, measure)]}


def _lists(h: History, request: Request) -> Any:
    return {q: [[x.item, x.grade] for x in items] for q, items in h.lists(request.path_params["id"]).items()}


def _query(h: History, request: Request) -> Any:
    asked = request.query_params
    chosen = {n: asked[n] for n in ("project", "system", "dataset", "version", "since", "until") if n in asked}
    found = h.query_history(asked.get("query", ""), asked.get("measure", ""), **cast("QueryWords", chosen))
    return {
        "values": [
            {
                "entry": entry_told(p.entry),
                "value": _finite(p.value),
                "results": [[x.item, x.grade] for x in p.results],
            }
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
        limit=(skip := _whole(asked, "skip", 0, 10**9)) + _whole(asked, "limit", _USUAL, MOST),
    )
    return {"events": [event_told(e) for e in found[skip:]]}


# writing

_ABOUT = ("project", "system", "version", "dataset", "at")


def _texts(given: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    wrong = next((n for n in names if not isinstance(given.get(n, ""), str)), None)
    if wrong is not None:
        raise InputError(
            Text(
                f"`{wrong}` must be a text, got {show(given[wrong])}.",
                f"`{wrong}` 必须是文本，实际为 {show(given[wrong])}。",
            )
        )
    return {n: given.get(n, "") for n in names}


def _add(h: History, given: Mapping[str, Any]) -> Any:
    """A record with what it is about; where it was made is for the sender to say."""
    told, labels, heads = given.get("record"), given.get("labels", {}), given.get("heads", {})
    if not isinstance(told, dict) or not isinstance(labels, dict) or not isinstance(heads, dict):
        raise InputError(
            Text("`record`, `labels` and `heads` must be objects.", "`record`、`labels` 和 `heads` 必须是对象。")
        )
    about = _texts(given, _ABOUT)
    record = read_back(Text("the record", "记录"), Record.from_dict, told)
    about["at"] = time_text(time_of(about["at"] or None))
    about["project"] = about["project"] or "default"
    named = {str(k): str(v) for k, v in labels.items()}
    columns = record._columnar()
    entry = h.put(columns, summaries_of(record, columns), state_of(record), {**about, "labels": named}, heads)
    return entry_told(entry)


def _event(h: History, given: Mapping[str, Any]) -> Any:
    data = given.get("data", {})
    if not isinstance(data, dict):
        raise InputError(Text("`data` must be an object.", "`data` 必须是对象。"))
    said = _texts(given, ("kind", "text", "entry", "project", "who", "at"))
    if said["kind"] not in ("note", "tag", "baseline", "alert", "acknowledged", "delivered"):
        raise InputError(Text(f"unknown kind of event {show(said['kind'])}.", f"未知的事件类型 {show(said['kind'])}。"))
    made = h.event(
        said["kind"],
        said["text"],
        entry=said["entry"],
        project=said["project"] or "default",
        who=said["who"],
        at=said["at"] or None,
        data=data,
    )
    return event_told(made)
