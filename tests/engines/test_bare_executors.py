"""A session whose executors cannot run rankgauge: one message, before any work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark")

from rankgauge.engines.spark import executors
from rankgauge.engines.spark.executors import refuse_bare_executors
from rankgauge.errors import MissingExtra, ParameterError

SESSION = """
import rankgauge as rg
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config(
    "spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").getOrCreate()
qrels = spark.createDataFrame([("q1", "a", 1)], ["query_id", "doc_id", "grade"])
run = spark.createDataFrame([("q1", "a", 1.0)], ["query_id", "doc_id", "score"])
try:
    rg.evaluate(qrels, run, "RR")
except rg.errors.MissingExtra as e:
    print(e)
"""


class Asked:
    """A classic session with a map of one row, run here."""

    def __init__(self, application: str, error: Exception | None = None) -> None:
        self.sparkContext, self.applicationId, self.error, self.times = self, application, error, 0

    def parallelize(self, rows: list[int], slices: int) -> Asked:
        self.times += 1
        self.rows = rows
        return self

    def map(self, function: Any) -> Asked:
        self.function = function
        return self

    def collect(self) -> list[Any]:
        if self.error is not None:
            raise self.error
        return [self.function(row) for row in self.rows]


def test_executors_that_have_everything_are_asked_once() -> None:
    spark = Asked("fine")

    refuse_bare_executors(spark)  # type: ignore[arg-type]
    refuse_bare_executors(spark)  # type: ignore[arg-type]

    assert spark.times == 1


@pytest.mark.parametrize(
    ("changed", "value", "message"),
    [
        (
            "_NEEDED",
            ("numpy", "no_such_package"),
            r"ModuleNotFoundError: No module named 'no_such_package' \(.*Python 3",
        ),
        ("__version__", "0.0.1", "they have rankgauge "),
    ],
)
def test_what_executors_lack_is_said_with_both_ways_out(
    monkeypatch: pytest.MonkeyPatch, changed: str, value: Any, message: str
) -> None:
    monkeypatch.setattr(executors, changed, value)

    with pytest.raises(MissingExtra, match=message) as e:
        refuse_bare_executors(Asked(changed))  # type: ignore[arg-type]

    assert "pip install" in str(e.value)
    assert "spark.archives=env.tar.gz#env" in str(e.value)
    assert "\n" not in str(e.value)


def test_of_a_trace_only_its_reason_is_said() -> None:
    trace = """An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 0.0 failed 1 times:
Traceback (most recent call last):
  File "worker.py", line 1229, in main
pyspark.errors.exceptions.base.PySparkRuntimeError: [PYTHON_VERSION_MISMATCH] Python in worker has another version
\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:572)
"""
    with pytest.raises(
        MissingExtra, match=r"cannot run rankgauge: .*\[PYTHON_VERSION_MISMATCH\] Python in worker"
    ) as e:
        refuse_bare_executors(Asked("other Python", RuntimeError(trace)))  # type: ignore[arg-type]

    assert "scala" not in str(e.value)


@pytest.mark.spark
def test_a_real_session_with_a_bare_python_ends_in_one_message(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    done = subprocess.run(
        [sys.executable, "-c", SESSION],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYSPARK_PYTHON": str(tmp_path / "bare" / "bin" / "python")},
    )

    assert done.stdout.startswith("the executors of this Spark session cannot run rankgauge: ModuleNotFoundError")
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("master", ["nonsense", "", "local[x]", "http://host"])
def test_a_master_that_spark_cannot_take_is_refused_at_once(master):
    from rankgauge.engines.spark.session import session

    with pytest.raises(ParameterError, match="`master` must be what Spark takes"):
        session(master)
