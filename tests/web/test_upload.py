"""Files in, a report out: in a process of its own, watched and ended."""

from __future__ import annotations

import gzip
import io
import json
import re
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from dashboards import TestClient, evaluated

import rankgauge as rg
from rankgauge._text import Text
from rankgauge.errors import ParameterError, UnknownName
from rankgauge.web import evaluating
from rankgauge.web.jobs import Job, Jobs, Progress

QRELS = "".join(f"q{i} 0 a 2\nq{i} 0 b 1\n" for i in range(20)).encode()


def run(late: int = 0) -> bytes:
    lists = (["x", "a", "b"] if i < late else ["a", "b", "x"] for i in range(20))
    return "".join(f"q{i} Q0 {d} {r} {9 - r} t\n" for i, ds in enumerate(lists) for r, d in enumerate(ds, 1)).encode()


def worked(folder: Path, *, qrels: Path | None = None, language: str = "en", measures: Any = (), **files: Any) -> Job:
    """What the process does, here."""
    runs = {name: path for name, path in files.items() if not name.startswith("record")}
    records = {name: path for name, path in files.items() if name.startswith("record")}
    evaluating.evaluated(folder, qrels, runs, records, measures, language)
    return Job("x", folder, "")


def test_runs_are_compared_and_the_report_is_drawn(tmp_path: Path):
    (tmp_path / "qrels-0").write_bytes(QRELS)
    (tmp_path / "run-0").write_bytes(run(0))
    (tmp_path / "run-1").write_bytes(run(10))
    job = worked(tmp_path, qrels=tmp_path / "qrels-0", measures=["RR"], old=tmp_path / "run-0", new=tmp_path / "run-1")
    result = job.result()

    assert job.state == "done"
    assert [s["en"] for s in job.steps] == ["reading", "evaluating", "drawing the report"]
    assert result["screens"][0]["id"] == "verdict"
    assert "new" in result["title"]["en"]
    assert [r["run"] for r in result["records"]] == ["old", "new"]


def test_a_stored_record_is_drawn(tmp_path: Path):
    (tmp_path / "record-0.json").write_text(evaluated().to_json(), encoding="utf-8")
    job = worked(tmp_path, record=tmp_path / "record-0.json")

    assert job.state == "done"
    assert job.result()["records"][0]["kind"] == "rankings"


def test_what_is_wrong_is_said_by_the_names_of_who_sent_it(tmp_path: Path):
    (tmp_path / "qrels-0").write_bytes(QRELS)
    (tmp_path / "run-0").write_bytes(b"q1 Q0 d1 1 not-a-number t\n" * 3)
    job = worked(tmp_path, qrels=tmp_path / "qrels-0", mine=tmp_path / "run-0")

    assert job.state == "failed"
    assert job.steps[-1]["failed"]
    for language in ("en", "zh"):
        assert str(tmp_path) not in job.steps[-1][language]
        assert "not-a-number" in job.steps[-1][language]


@pytest.mark.parametrize("kind", ["gzip", "zip"])
def test_bombs_do_not_go_off(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(evaluating, "_MOST_UNPACKED", "1MiB")
    line = b"q1 Q0 d1 1 1.0 t\n" * 1000
    if kind == "gzip":
        bomb = gzip.compress(line * 1000)
    else:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr("r.run", line * 1000)
        bomb = packed.getvalue()
    (tmp_path / "qrels-0").write_bytes(QRELS)
    (tmp_path / "run-0.gz").write_bytes(bomb)
    try:
        job = worked(tmp_path, qrels=tmp_path / "qrels-0", bomb=tmp_path / "run-0.gz")
    finally:
        from rankgauge._unpacked import limit_unpacked

        limit_unpacked(None)

    assert len(bomb) < 100_000
    assert job.state == "failed"


def test_forms_that_hold_nothing_are_refused(visitor: TestClient):
    for data, files in (({}, {}), ({}, {"qrels": ("q", b"x")}), ({}, {"runs": ("r", b"x")})):
        assert visitor.post("/upload", data=data, files=files or {"other": ("o", b"x")}).status_code == 400
    sent = {"qrels": ("q", QRELS), "runs": ("r", run())}
    assert visitor.post("/upload", data={"measures": "nDGC"}, files=sent).status_code == 404
    many = [("qrels", ("q", QRELS)), *(("runs", (f"r{i}", run())) for i in range(9))]
    assert visitor.post("/upload", files=many).status_code == 400


@pytest.mark.slow
def test_from_a_form_to_the_history(visitor: TestClient, history: rg.History):
    sent = [("qrels", ("q.txt", QRELS)), ("runs", ("old.run", run())), ("runs", ("new.run", run(10)))]
    there = visitor.post("/upload", data={"measures": "nDCG@10, RR"}, files=sent).headers["location"]
    with visitor.stream("GET", f"{there}/events") as stream:
        told = "".join(stream.iter_text())
    page = visitor.get(there).text
    kept = visitor.post(f"{there}/keep", data={"project": "mine"})

    assert re.findall(r"event: (\w+)", told) == ["step", "step", "step", "end"]
    assert told.endswith('event: end\ndata: "done"\n\n')
    assert '<section id="verdict">' in page
    assert kept.status_code == 303
    assert sorted(e.system for e in history.entries(project="mine")) == ["new", "old"]


@pytest.mark.slow
def test_a_job_is_ended_and_only_so_many_run(tmp_path: Path):
    jobs = Jobs()
    try:
        started = []
        for _ in range(2):
            with jobs.reserved() as job:
                jobs.start(job, "", _sleep)
                started.append(job)
        with pytest.raises(ParameterError, match="2 evaluations are running"), jobs.reserved():
            pass
        assert jobs.cancel(started[0].id).state == "cancelled"
        assert not started[0].process.is_alive()
        assert not started[0].folder.exists()
        with suppress(ZeroDivisionError), jobs.reserved() as broken:
            with pytest.raises(ParameterError, match="2 evaluations are running"), jobs.reserved():
                pass  # a place is taken before anything runs in it
            assert 1 / 0
        assert not broken.folder.exists()
        started[1].end_late()
        assert started[1].state == "failed"
        assert [step["en"] for step in started[1].steps] == ["It was ended after 10 minutes."]
        room = started[0].folder.parent
    finally:
        jobs.close()

    assert not room.exists()
    assert not started[1].process.is_alive()
    with pytest.raises(UnknownName, match="no such evaluation"):
        jobs["x"]


def _sleep(folder: Path) -> None:
    time.sleep(60)


def test_progress_is_whole_at_any_time(tmp_path: Path):
    job, progress = Job("x", tmp_path, ""), Progress(tmp_path)

    assert (job.steps, job.state) == ([], "failed")
    progress.say(Text("reading", "读取"))
    assert job.steps == [{"en": "reading", "zh": "读取"}]
    progress.finish({"screens": []})
    assert (job.state, job.result()) == ("done", {"screens": []})
    assert json.loads((tmp_path / "steps.json").read_text(encoding="utf-8"))
