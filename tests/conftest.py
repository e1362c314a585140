"""Fixtures for every test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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


@pytest.hookimpl(optionalhook=True)  # without xdist there is nothing to schedule
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file of tests goes to one worker, and all files that need Spark to the same: one Java machine is enough."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return "spark" if "engines/test_spark" in file or "engines/test_parity" in file else file

    return ByFile(config, log)
