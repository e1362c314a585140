"""Small stores, and dashboards over them that are asked without a network."""

from __future__ import annotations

import warnings
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import rankgauge as rg

pytest.importorskip("starlette", reason="starlette is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # Starlette would rather have the successor of httpx
    from starlette.testclient import TestClient

from rankgauge.web.access import Access, access_for
from rankgauge.web.app import app
from rankgauge.web.security import Limits

TOKEN = "a-token-that-nobody-guesses"
QUERIES = [f"q{i:02}" for i in range(30)]
QRELS = {q: {"a": 2, "b": 1} for q in QUERIES}
START = datetime(2026, 9, 7, 6, tzinfo=UTC)


def evaluated(late: int = 0, grade: int = 1, **options: Any) -> Any:
    """The first `late` queries have what is relevant one place later."""
    run = {q: ["x", "a", "b"] if i < late else ["a", "b", "x"] for i, q in enumerate(QUERIES)}
    qrels = {q: {"a": 2, "b": grade} for q in QUERIES}
    slices = {q: {"half": "first" if i < 15 else "second"} for i, q in enumerate(QUERIES)}
    return rg.evaluate(qrels, rg.Run.of(run, name="bm25"), ["nDCG@10", "RR"], slices=slices, **options)


def filled(path: Path) -> rg.History:
    """Four weeks of one system: a drop in the third, other judgements in the fourth."""
    path.write_bytes(_four_weeks())
    return rg.History(path)


@cache  # most tests begin with it
def _four_weeks() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "history.db")
        with rg.History(path) as history:
            for week, (late, grade) in enumerate([(2, 1), (2, 1), (20, 1), (20, 0)]):
                about = {"project": "shop", "system": "bm25", "dataset": "july", "version": f"v{week}"}
                history.add(evaluated(late, grade), **about, at=START + timedelta(weeks=week))
        return path.read_bytes()


def access(**options: Any) -> Access:
    return access_for("127.0.0.1", token=TOKEN, **options)


def client_of(
    history: rg.History, *, limits: Limits | None = None, read_only: bool = False, **options: Any
) -> TestClient:
    made = app(history, access=access(**options), limits=limits, read_only=read_only)
    return TestClient(made, base_url="http://127.0.0.1:8765", follow_redirects=False)
