"""Processes that were forked: either they work, or they say at once what to do."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import multiprocessing, sys
import rankgauge as rg

def evaluated(words):
    try:
        return str(rg.evaluate(*words, "RR")["RR"])
    except Exception as e:
        return f"{type(e).__name__}: {e}"

WARM, KIND = sys.argv[1:]
INPUT = {
    "csv": ("qrels.csv", "run.csv"),
    "parquet": ("qrels.csv", "run.parquet"),
    "trec": ("qrels.txt", "run.txt"),
    "dict": ({"q1": {"d1": 1}}, {"q1": {"d2": 2.0, "d1": 1.0}}),
}
INPUT["frame"] = ("qrels.txt", None)
if __name__ == "__main__":
    if WARM == "used":
        assert evaluated(INPUT["csv"]) == "0.5"
    if KIND == "frame":
        import pandas
        INPUT["frame"] = (
            {"q1": {"d1": 1}}, pandas.DataFrame({"query_id": ["q1"] * 2, "doc_id": ["d2", "d1"], "score": [2.0, 1.0]})
        )
    pool = multiprocessing.get_context("fork").Pool(2)
    print(pool.map_async(evaluated, [INPUT[KIND]] * 2).get(20)[0], flush=True)
    pool.terminate()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import polars as pl

    target = tmp_path_factory.mktemp("forked")
    (target / "script.py").write_text(SCRIPT)
    (target / "qrels.txt").write_text("q1 0 d1 1\n")
    (target / "run.txt").write_text("q1 Q0 d2 1 2.0 x\nq1 Q0 d1 2 1.0 x\n")
    (target / "qrels.csv").write_text("query_id,doc_id,grade\nq1,d1,1\n")
    (target / "run.csv").write_text("query_id,doc_id,score\nq1,d2,2.0\nq1,d1,1.0\n")
    pl.read_csv(target / "run.csv").write_parquet(target / "run.parquet")
    return target


def forked(folder: Path, warm: str, kind: str) -> str:
    """What an evaluation says in the forks of a process that has, or has not, used Polars."""
    command = [sys.executable, "script.py", warm, kind]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("kind", ["csv", "parquet", "frame"])
def test_the_fork_of_a_process_that_used_polars_says_what_to_do(folder: Path, kind: str):
    said = forked(folder, "used", kind)

    assert said.startswith("RankgaugeError: reading ")
    assert "this process was forked from one that had them: it would wait for ever" in said
    assert "multiprocessing.get_context('spawn')" in said


@pytest.mark.parametrize(("warm", "kind"), [("used", "trec"), ("used", "dict"), ("fresh", "csv")])
def test_a_fork_that_needs_no_threads_of_its_parent_works(folder: Path, warm: str, kind: str):
    assert forked(folder, warm, kind) == "0.5"
