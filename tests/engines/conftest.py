"""One Spark session for all tests that need one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

# Tables of a few rows: to compile each plan would take longer than to run it.
_SMALL = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


# For the same reason Java need not optimise what it compiles, nor collect garbage with threads of its own.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever asks for a session needs Spark."""
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.spark)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A session on two cores; without PySpark or Java the test is skipped."""
    pytest.importorskip("pyspark", reason="PySpark is not installed")
    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        pytest.skip("there is no Java runtime")
    from rankgauge.engines.spark.session import session

    os.environ.setdefault("SPARK_SUBMIT_OPTS", _JAVA)
    found = session("local[2]")
    for name, value in _SMALL.items():
        found.conf.set(name, value)
    yield found
    found.stop()
