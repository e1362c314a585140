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


@pytest.mark.slow
@pytest.mark.parametrize(("warm", "kind"), [("used", "trec"), ("used", "dict"), ("fresh", "csv")])
def test_a_fork_that_needs_no_threads_of_its_parent_works(folder: Path, warm: str, kind: str):
    assert forked(folder, warm, kind) == "0.5"


RECORDS = """
import faulthandler, os
from rankgauge.errors import RankgaugeError
import rankgauge as rg

rg.evaluate("qrels.csv", "run.csv")  # the threads of Polars start
EARLIER = rg.evaluate("qrels.txt", "run.txt")
TABLES = rg.evaluate("qrels.csv", "run.csv")
ROWS = {"label": [0, 1, 1, 0], "score": [0.1, 0.2, 0.7, 0.3]}
NAMED = {**ROWS, "user_id": ["u1", "u2", "u1", "u2"]}


def ev():
    return rg.evaluate("qrels.txt", "run.txt")


def compared():
    return rg.compare("qrels.txt", {"a": "run.txt", "b": "run.txt"})


ASKED = {
    "report": lambda: ev().report(),
    "report of earlier": lambda: EARLIER.report(),
    "report of tables": lambda: TABLES.report(),
    "to_json": lambda: ev().to_json(),
    "to_json of tables": lambda: TABLES.to_json(),
    "str": lambda: str(ev()),
    "to_frame": lambda: ev().to_frame(),
    "to_csv": lambda: ev().to_csv(),
    "per_query": lambda: ev().per_query,
    "plot": lambda: ev().plot(),
    "diagnose": lambda: str(ev().diagnose()),
    "by_cutoff": lambda: str(ev().by_cutoff()),
    "sentences": lambda: compared().sentences(),
    "compare": lambda: str(compared()),
    "compare to_json": lambda: compared().to_json(),
    "compare report": lambda: compared().report(),
    "moved": lambda: compared().moved("nDCG@10"),
    "query": lambda: str(compared().query("q1")),
    "audit": lambda: str(rg.audit("qrels.txt", "run.txt")),
    "predictions report": lambda: rg.evaluate_predictions(ROWS).report(),
    "predictions to_json": lambda: rg.evaluate_predictions(ROWS).to_json(),
    "predictions plot": lambda: rg.evaluate_predictions(ROWS).plot(),
    "predictions by group": lambda: str(rg.evaluate_predictions(NAMED)),
}
for name, asked in ASKED.items():
    child = os.fork()
    if child == 0:
        faulthandler.dump_traceback_later(20, exit=True)
        try:
            asked()
            print(name, "works", sep=": ", flush=True)
        except RankgaugeError as e:
            print(name, "refused" if "it would wait for ever" in str(e) else e, sep=": ", flush=True)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print(name, "hangs or fails", sep=": ", flush=True)
"""


@pytest.fixture(scope="module")
def asked_in_forks(folder: Path) -> dict[str, str]:
    """For everything that is asked of records in forks of a process that used Polars: whether it works."""
    (folder / "records.py").write_text(RECORDS)
    command = [sys.executable, "-W", "ignore", "records.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return dict(line.split(": ", 1) for line in done.stdout.splitlines())


@pytest.mark.slow
def test_what_is_asked_of_records_in_a_fork_works_or_is_refused_and_never_hangs(asked_in_forks: dict[str, str]):
    refused = {name for name, said in asked_in_forks.items() if said == "refused"}
    works = {name for name, said in asked_in_forks.items() if said == "works"}
    assert works | refused == set(asked_in_forks), asked_in_forks
    assert works == {
        *("str", "to_frame", "to_csv", "per_query", "plot", "diagnose", "by_cutoff", "sentences", "compare"),
        *("predictions report", "predictions to_json", "predictions plot"),
    }
