"""What calls give is known to type checkers: `tests/types` is checked by mypy, as strictly as the package."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rankgauge

TYPED = Path(__file__).parent / "types" / "evaluating.py"
ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is an extra of developers")
@pytest.mark.skipif(importlib.util.find_spec("pyspark") is None, reason="tables of Spark need PySpark")
def test_calls_have_the_types_that_they_say(tmp_path: Path) -> None:
    env = {**os.environ, "MYPYPATH": str(Path(rankgauge.__file__).parents[1])}
    words = ["--strict", "--warn-unreachable", "--config-file", str(ROOT / "pyproject.toml")]

    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words, "--cache-dir", str(ROOT / ".mypy_cache"), str(TYPED)],
        capture_output=True,
        text=True,
        env=env,
        cwd=tmp_path,
        check=False,
    )

    assert done.stdout.startswith("Success: no issues found"), done.stdout + done.stderr
