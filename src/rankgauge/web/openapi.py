"""What the interface understands and answers, as an OpenAPI document."""

from __future__ import annotations

from typing import Any

from rankgauge._version import __version__
from rankgauge.history.entry import EVENTS

__all__ = ["document"]

_TEXT = {"type": "string"}
_NUMBER = {"type": ["number", "null"]}


def document() -> dict[str, Any]:
    """OpenAPI 3.1."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "rankgauge",
            "version": __version__,
            "description": "A history of evaluations: read it, and add to it. What is in it stays as it was.",
        },
        "servers": [{"url": "/api/v1"}],
        "security": [{"token": []}],
        "paths": _PATHS,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": _SCHEMAS,
        },
    }


def _asked(name: str, about: str, kind: str = "string", *, path: bool = False) -> dict[str, Any]:
    place = {"in": "path", "required": True} if path else {"in": "query"}
    return {"name": name, **place, "description": about, "schema": {"type": kind}}


def _answer(schema: Any, status: str = "200") -> dict[str, Any]:
    problem = {"description": "what is wrong", "content": {"application/json": {"schema": _ref("Problem")}}}
    told = {"description": "done", "content": {"application/json": {"schema": schema}}}
    return {status: told, "400": problem, "401": problem, "404": problem}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _listed(name: str, key: str, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {key: {"type": "array", "items": _ref(name)}, **more}}


def _get(summary: str, schema: Any, *asked: dict[str, Any]) -> dict[str, Any]:
    return {"summary": summary, "parameters": list(asked), "responses": _answer(schema)}


def _post(summary: str, sent: str, schema: Any) -> dict[str, Any]:
    body = {"required": True, "content": {"application/json": {"schema": _ref(sent)}}}
    return {"summary": summary, "requestBody": body, "responses": _answer(schema, "201")}


_ID = _asked("id", "an id, the beginning of one, or a tag", path=True)
_PAGE = (
    _asked("newest_first", "true or false", "boolean"),
    _asked("limit", "at most 1,000", "integer"),
    _asked("skip", "how many to leave out first", "integer"),
)
_FILTERS = tuple(
    _asked(name, about)
    for name, about in (
        ("project", "only of this project"),
        ("system", "only of this system"),
        ("dataset", "only on this dataset"),
        ("version", "only of this version"),
        ("kind", "only of this kind; may be given several times"),
        ("since", "not before this time"),
        ("until", "not after it"),
    )
)
_TEXTS = {"type": "array", "items": _TEXT}
_PATHS: dict[str, Any] = {
    "/projects": {"get": _get("names of all projects", _TEXTS)},
    "/systems": {"get": _get("names of systems", _TEXTS, _FILTERS[0])},
    "/store": {"get": _get("how much there is", {"type": "object"})},
    "/entries": {
        "get": _get(
            "entries in the order of time; label.NAME=VALUE asks for labels",
            _listed("Entry", "entries", total={"type": "integer"}),
            *_FILTERS,
            *_PAGE,
        ),
        "post": _post("add a record; on disk when this answers", "NewEntry", _ref("Entry")),
    },
    "/entries/{id}": {"get": _get("one entry", _ref("Entry"), _ID)},
    "/entries/{id}/record": {"get": _get("its whole record, as `--json` writes it", {"type": "object"}, _ID)},
    "/entries/{id}/values": {
        "get": _get(
            "the values of single queries",
            {"type": "object", "properties": {"measure": _TEXT, "values": {"type": "array", "items": _NUMBER}}},
            _ID,
            _asked("measure", "as it was asked for"),
        )
    },
    "/entries/{id}/queries": {"get": _get("the ids of its queries, in the order of its values", _TEXTS, _ID)},
    "/entries/{id}/lists": {
        "get": _get("the first results of the queries that matter: item and grade", {"type": "object"}, _ID)
    },
    "/query": {
        "get": _get(
            "one query over time: its value in each evaluation that knows it, and its first results",
            {"type": "object"},
            _asked("query", "its id"),
            _asked("measure", "as it was asked for"),
            *_FILTERS[:4],
            *_FILTERS[5:],
        )
    },
    "/events": {
        "get": _get(
            "notes, tags, baselines, alerts", _listed("Event", "events"), *_FILTERS[:1], *_FILTERS[4:6], *_PAGE
        ),
        "post": _post("write one down", "NewEvent", _ref("Event")),
    },
}


def _object(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": properties}


_ABOUT = dict.fromkeys(("project", "system", "version", "dataset"), _TEXT)
_WHEN = {"type": "string", "format": "date-time"}
_SCHEMAS: dict[str, Any] = {
    "Summary": _object(
        ("measure", "value"),
        measure=_TEXT,
        definition=_TEXT,
        value=_NUMBER,
        low=_NUMBER,
        high=_NUMBER,
        error=_NUMBER,
        n={"type": "integer"},
        attribute=_TEXT,
        part=_TEXT,
    ),
    "Entry": _object(
        ("id", "at", "project", "system", "kind"),
        id=_TEXT,
        at=_WHEN,
        **_ABOUT,
        kind=_TEXT,
        schema={"type": "integer"},
        state=_TEXT,
        labels={"type": "object", "additionalProperties": _TEXT},
        contract={"type": "object"},
        is_pruned={"type": "boolean"},
        queries={"type": "string", "description": "the same for entries with the same queries in the same order"},
        summaries={"type": "array", "items": {"$ref": "#/components/schemas/Summary"}},
    ),
    "NewEntry": _object(
        ("record",),
        record={"type": "object", "description": "as `--json` writes it"},
        **_ABOUT,
        at=_WHEN,
        labels={"type": "object", "additionalProperties": _TEXT},
        heads={"type": "object", "description": "the first results of queries that matter"},
    ),
    "Event": _object(
        ("id", "at", "kind"),
        id=_TEXT,
        at=_WHEN,
        project=_TEXT,
        kind=_TEXT,
        entry=_TEXT,
        who=_TEXT,
        text=_TEXT,
        data={"type": "object"},
    ),
    "NewEvent": _object(
        ("kind",),
        kind={"enum": list(EVENTS)},
        text=_TEXT,
        entry=_TEXT,
        project=_TEXT,
        who=_TEXT,
        at=_WHEN,
        data={"type": "object"},
    ),
    "Problem": _object(("error",), error=_TEXT, error_zh=_TEXT),
}
