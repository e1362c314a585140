"""Fixtures for every test."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("rankgauge", deadline=None)  # a busy machine is no failure
settings.load_profile("rankgauge")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real data beside the repository."""
    if not SHARED.is_dir():
        pytest.skip(f"real data is not here: {SHARED}")
    return SHARED
