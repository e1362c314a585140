"""A process that is killed in the middle leaves complete output or none, and the next one is not disturbed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

RUN = pl.DataFrame(
    {
        "query_id": [f"q{i // 100}" for i in range(20_000)],
        "doc_id": [f"d{i}" for i in range(20_000)],
        "score": [float(-i) for i in range(20_000)],
    }
)

# Each kills its own process with SIGKILL at one place: no handler, no clean-up.
PLACES = {
    "reading the first piece": "patch(batches, 'canonical', after=1)",
    "between two pieces": "patch(streaming, 'measured', after=3)",
    "setting rows aside": "patch(spill.Spill, 'append', after=5)",
    "writing the output": "patch(pathlib.Path, 'replace', after=1)",
}
SCRIPT = """
import os, pathlib, signal, sys
from rankgauge.cli import run
from rankgauge.data import batches
from rankgauge.engines import spill, streaming
from rankgauge.evaluation import of_rankings

def patch(owner, name, after):
    real, calls = getattr(owner, name), []
    def killing(*args, **options):
        calls.append(1)
        if len(calls) == after:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **options)
    setattr(owner, name, killing)

of_rankings.room_of = lambda memory: lambda: 2000 * streaming.WORK * streaming._WIDTH
{place}
sys.argv = ["rankgauge", "evaluate", "qrels.parquet", "run.parquet", "-m", "AP", {options}]
run()
"""


def ran(folder: Path, place: str, *options: str) -> int:
    script = SCRIPT.format(place=place, options=", ".join(map(repr, options)))
    environment = {**os.environ, "TMPDIR": str(folder / "tmp")}
    return subprocess.run([sys.executable, "-c", script], cwd=folder, env=environment, check=False).returncode


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("killed")
    (folder / "tmp").mkdir()
    RUN.sample(fraction=1, shuffle=True, seed=1).write_parquet(folder / "run.parquet")
    RUN.gather_every(10).select("query_id", "doc_id", grade=pl.lit(1)).write_parquet(folder / "qrels.parquet")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "output", [("--per-query", "values.csv"), ("--output", "result.json")], ids=["values", "record"]
)
def test_killed_while(place: str, output: tuple[str, str], folder: Path):
    before = {p.name for p in folder.iterdir()}

    assert ran(folder, PLACES[place], *output) == -signal.SIGKILL

    left = {p.name for p in folder.iterdir()} - before
    assert output[1] not in left
    assert all(name.startswith(".") and name.endswith(".part") for name in left)
    assert list((folder / "tmp").iterdir()) == []


def test_the_next_run_is_complete(folder: Path):
    assert ran(folder, "", "--per-query", "whole.csv", "--output", "whole.json") == 0

    assert pl.read_csv(folder / "whole.csv").height == 200
    assert (folder / "whole.json").read_text(encoding="utf-8").endswith("}\n")


def test_an_output_that_was_there_survives(folder: Path):
    (folder / "old.csv").write_text("what was there\n", encoding="utf-8")

    assert ran(folder, PLACES["writing the output"], "--per-query", "old.csv") == -signal.SIGKILL
    assert (folder / "old.csv").read_text(encoding="utf-8") == "what was there\n"
