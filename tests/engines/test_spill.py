"""Rows set aside on disk."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import polars as pl
import pytest

from rankgauge.engines.spill import Spill
from rankgauge.errors import InputError


def test_rows_come_back_in_the_order_they_were_added():
    first = pl.DataFrame({"q": ["a", "b", "c", "a"], "x": [1, 2, 3, 4]})
    second = pl.DataFrame({"q": ["c", "a"], "x": [5, 6]})
    with Spill(3) as spill:
        for frame in (first, second):
            spill.add(frame, frame["q"].replace_strict({"a": 0, "b": 1, "c": 1}, return_dtype=pl.Int64))

        assert spill.rows == [3, 3, 0]
        assert spill.bucket(0).rows() == [("a", 1), ("a", 4), ("a", 6)]
        assert [piece["x"].to_list() for piece in spill.pieces(1)] == [[2, 3], [5]]
        assert spill.bucket(2) is None


def test_a_bucket_can_be_read_again_and_dropped():
    frame = pl.DataFrame({"x": [1, 2]})
    with Spill(1) as spill:
        spill.append(frame, 0)
        assert spill.bucket(0).equals(frame)
        spill.append(frame, 0)
        assert spill.bucket(0).height == 4
        spill.drop(0)
        assert spill.bucket(0) is None


def test_a_killed_process_leaves_nothing(tmp_path: Path):
    script = (
        "import os, polars as pl\n"
        "from rankgauge.engines.spill import Spill\n"
        "spill = Spill(4)\n"
        "frame = pl.DataFrame({'x': list(range(10000))})\n"
        "spill.add(frame, frame['x'] % 4)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], env={**os.environ, "TMPDIR": str(tmp_path)}, check=False)

    assert done.returncode == -9
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_an_error_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch):
    class Full:
        def seek(self, *where: int) -> None: ...

        def write(self, data: object) -> None:
            raise OSError(28, "No space left on device")

        def close(self) -> None: ...

    monkeypatch.setattr(tempfile, "TemporaryFile", Full)

    with Spill(1) as spill, pytest.raises(InputError, match=r"No space left on device.*TMPDIR"):
        spill.append(pl.DataFrame({"x": [1]}), 0)
