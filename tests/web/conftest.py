"""Who asks a dashboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from dashboards import TOKEN, TestClient, client_of, filled

import rankgauge as rg


@pytest.fixture
def history(tmp_path: Path) -> Iterator[rg.History]:
    with filled(tmp_path / "history.db") as h:
        yield h


@pytest.fixture
def stranger(history: rg.History) -> Iterator[TestClient]:
    """Somebody without a token."""
    with client_of(history) as client:
        yield client


@pytest.fixture
def visitor(history: rg.History) -> Iterator[TestClient]:
    """Somebody who came in by the link, in a browser."""
    with client_of(history) as client:
        assert client.get("/", params={"token": TOKEN}).status_code == 303
        client.headers["sec-fetch-site"] = "same-origin"
        yield client


@pytest.fixture
def program(history: rg.History) -> Iterator[TestClient]:
    """Something that has the token."""
    with client_of(history) as client:
        client.headers["authorization"] = f"Bearer {TOKEN}"
        yield client
