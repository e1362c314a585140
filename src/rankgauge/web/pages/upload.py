"""From files to a report with nothing but a browser."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from rankgauge._output import writing
from rankgauge._records import Record, read_back
from rankgauge._text import Text, in_language
from rankgauge.errors import ParameterError, UnknownName
from rankgauge.evaluation.record import Evaluations
from rankgauge.measures.grammar import meanings
from rankgauge.web.drawing import served
from rankgauge.web.evaluating import evaluated
from rankgauge.web.visit import Away, Page, Site, Visit, language_for, link

__all__ = ["cancelled", "events", "form", "job", "kept", "uploaded"]

_SUFFIX = re.compile(
    r"(?:\.(?:txt|tsv|csv|json|jsonl|ndjson|parquet|arrow|feather|ipc|run|qrels|trec|gz|bz2|xz|zst|zip)){1,2}$"
)
_RUNS = 8
_TICK = 0.25


def form(visit: Visit) -> Page:
    """What can be sent."""
    return Page("upload.html", {"runs": _RUNS}, Text("Upload", "上传"))


def uploaded(visit: Visit) -> Away:
    """Keeps the files under names of ours and begins to evaluate."""
    visit.refuse_reading_only()
    assert visit.form is not None
    given = {name: _files(visit, name) for name in ("qrels", "runs", "records")}
    if not given["records"] and not (given["qrels"] and given["runs"]):
        raise ParameterError(
            Text(
                "choose judgements and at least one run, or a stored record (JSON).",
                "请选择标注和至少一个结果文件，或一个已保存的记录（JSON）。",
            )
        )
    if len(given["runs"]) > _RUNS:
        raise ParameterError(
            Text(
                f"at most {_RUNS} runs at a time, got {len(given['runs'])}.",
                f"一次最多 {_RUNS} 个结果文件，实际为 {len(given['runs'])} 个。",
            )
        )
    measures = [m for m in re.split(r"[,，;；\s]+", visit.asked("measures")) if m]
    for m in measures:
        meanings(m)  # says what is wrong with it now, not later
    with visit.site.jobs.reserved() as job:
        folder = job.folder
        qrels = [_kept(folder, "qrels", i, f) for i, f in enumerate(given["qrels"][:1])]
        runs = _named([(_name(f), _kept(folder, "run", i, f)) for i, f in enumerate(given["runs"])])
        records = _named([(_name(f), _kept(folder, "record", i, f)) for i, f in enumerate(given["records"])])
        about = ", ".join([*records] or [*runs])
        sent = qrels[0] if qrels else None, runs, records, measures, visit.language
        visit.site.jobs.start(job, about, evaluated, *sent)
    return Away(link(f"/jobs/{job.id}"))


def _files(visit: Visit, name: str) -> list[UploadFile]:
    assert visit.form is not None
    return [f for f in visit.form.getlist(name) if isinstance(f, UploadFile) and f.filename]


def _name(file: UploadFile) -> str:
    """What it is called: the last part of its name, printable and not long."""
    last = re.split(r"[/\\]", file.filename or "")[-1]
    return "".join(c for c in last if c.isprintable())[:80] or "file"


def _kept(folder: Path, what: str, place: int, file: UploadFile) -> Path:
    """On disk, under a name of ours; of theirs only a suffix that we know, which tells the format."""
    found = _SUFFIX.search((file.filename or "").lower())
    path = folder / f"{what}-{place}{found[0] if found else ''}"
    with writing(path) as out:
        while part := file.file.read(1 << 20):
            out.write(part)
    return path


def _named(files: list[tuple[str, Path]]) -> dict[str, Path]:
    """By name; two of the same are told apart."""
    out: dict[str, Path] = {}
    for name, path in files:
        stem = re.sub(r"\.(run|txt|trec|tsv|csv|json|jsonl|gz)+$", "", name) or name
        fresh = stem if stem not in out else f"{stem} ({len(out) + 1})"
        out[fresh] = path
    return out


def job(visit: Visit) -> Page:
    """How far it is; the report when it is done."""
    found = visit.site.jobs[visit.request.path_params["id"]]
    state = found.state
    steps = [(Text(s["en"], s["zh"]), bool(s.get("failed"))) for s in found.steps]
    context: dict[str, Any] = {"job": found, "state": state, "steps": steps, "id": found.id}
    if state != "done":
        return Page("job.html", context, found.about or Text("Evaluation", "评测"))
    result = found.result()
    screens = [(s["id"], Text(**s["name"]), served(s["html"])) for s in result["screens"]]
    context["can_keep"] = bool(result["records"]) and not visit.site.read_only
    context["systems"] = list(dict.fromkeys(str(r.get("run") or r.get("model") or "") for r in result["records"]))
    return Page("job.html", context, Text(**result["title"]), screens=screens)


def kept(visit: Visit) -> Away:
    """Puts what came out into the history."""
    visit.refuse_reading_only()
    found = visit.site.jobs[visit.request.path_params["id"]]
    if found.state != "done":
        raise ParameterError(Text("it is not done yet.", "还没有完成。"))
    project = visit.asked("project") or "default"
    entries = []
    for told in found.result()["records"]:
        record = read_back(Text("the uploaded record", "上传的记录"), Record.from_dict, told)
        members = list(record.values()) if isinstance(record, Evaluations) else [record]
        about = {"project": project, "version": visit.asked("version"), "at": found.begun, "uploaded": "yes"}
        # where the server runs says nothing of what was uploaded
        entries += [visit.history.add(one, **about, surroundings=False) for one in members]
    if len(entries) == 1:
        return Away(link(f"/entries/{entries[0].id}"))
    return Away(link("/entries", project=project))


def cancelled(visit: Visit) -> Away:
    """Ends it."""
    found = visit.site.jobs.cancel(visit.request.path_params["id"])
    return Away(link(f"/jobs/{found.id}"))


async def events(site: Site, request: Request) -> Response:
    """The same as a stream: each step as it begins, then `end`; a stream that ended is not begun again."""
    try:
        found = site.jobs[request.path_params["id"]]
    except UnknownName as e:
        return Response(str(e), 404, media_type="text/plain")
    language = language_for(request)

    async def told() -> AsyncIterator[str]:
        said = 0
        while True:
            state = await asyncio.to_thread(lambda: found.state)
            steps = await asyncio.to_thread(lambda: found.steps)
            for step in steps[said:]:
                text = in_language(Text(step["en"], step["zh"]), language)
                yield f"event: step\ndata: {json.dumps(text)}\n\n"
            said = len(steps)
            if state != "running":
                yield f"event: end\ndata: {json.dumps(state)}\n\n"
                return
            await asyncio.sleep(_TICK)

    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(told(), media_type="text/event-stream", headers=headers)
