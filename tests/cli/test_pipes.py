"""Input that can be read only once: standard input, `<(…)`, FIFOs. The numbers are those of the file."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

import rankgauge as rg
from cli.every_parameter import read
from rankgauge.cli import main

pytestmark = pytest.mark.filterwarnings("ignore:.use_markdown=:PendingDeprecationWarning")

N = 4000  # lines: far more than the 64 KB that are looked at first
QRELS = "".join(f"q{q} 0 d{q}-{d} {d % 3}\n" for q in range(200) for d in range(4))
RUN = "".join(f"q{i // 20} Q0 d{i // 20}-{(i * 7) % 20} {i % 20 + 1} {N - i}.5 mine\n" for i in range(N))
_HALF = RUN.index("q100 ")
OTHER = RUN[:_HALF] + RUN[_HALF:].replace("-1 ", "-3x ").replace("-3 ", "-1 ")  # half of the queries change
TABLE = "query_id,doc_id,score\n" + "".join(f"{q},{d},{s}\n" for q, _, d, _, s, _ in map(str.split, RUN.splitlines()))
CLICKS = "label,score,user_id\n" + "".join(f"{i * 7 % 5 // 4},0.{i * 37 % 90 + 10},u{i % 50}\n" for i in range(N))
SLICES = "query_id,language\n" + "".join(f"q{q},{'en' if q % 2 else 'zh'}\n" for q in range(200))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("pipes")
    for name, text in {
        "qrels.txt": QRELS,
        "mine.run": RUN,
        "other.run": OTHER,
        "mine.csv": TABLE,
        "clicks.csv": CLICKS,
        "slices.csv": SLICES,
        "past.csv": "user_id,item_id,timestamp\n" + "".join(f"q{i % 190},d{i}-{i % 7},{i}\n" for i in range(N)),
        "items.csv": "item_id,category\n" + "".join(f"d{q}-{d},c{d % 3}\n" for q in range(200) for d in range(20)),
        "correct.csv": "query_id,correct\n" + "".join(f"q{q},{'true' if q % 3 else 'false'}\n" for q in range(200)),
        "days.csv": "label,score,time\n"
        + "".join(f"{i * 7 % 5 // 4},0.{i * 37 % 90 + 10},2025-01-{i % 20 + 1:02}\n" for i in range(N)),
        "arms.csv": "arm,user_id,clicks\n" + "".join(f"{'AB'[i % 2]},u{i},{i * 7 % 3}\n" for i in range(N)),
        "gate.toml": 'qrels = "qrels.txt"\nrun = "mine.run"\n[floors]\n"nDCG@10" = 0.1\n',
        "docs.jsonl": "".join(json.dumps({"_id": f"d0-{d}", "text": f"text {d}"}) + "\n" for d in range(20)),
    }.items():
        (target / name).write_text(text, encoding="utf-8")
    rg.read_run(target / "mine.csv").to_frame().write_parquet(target / "mine.parquet")
    rg.evaluate(target / "qrels.txt", target / "mine.run").to_json(target / "mine.json")
    return target


@contextmanager
def fed(target: int | Path, data: bytes) -> Iterator[None]:
    """Somebody writes these bytes into the pipe while the block runs."""

    def write() -> None:
        try:
            with open(target, "wb") as file:
                file.write(data)
        except BrokenPipeError:
            pass

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    yield
    writer.join(5)


@contextmanager
def stdin(data: bytes) -> Iterator[None]:
    """The bytes come through the standard input of this process."""
    read, write = os.pipe()
    kept = os.dup(0)
    os.dup2(read, 0)
    os.close(read)
    try:
        with fed(write, data):
            yield
    finally:
        os.dup2(kept, 0)
        os.close(kept)


def process(*words: str, cwd: Path, data: bytes | None = None, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "rankgauge", *words],
        cwd=cwd,
        input=None if data is None else data.decode("latin-1"),
        stdin=subprocess.DEVNULL if data is None else None,
        capture_output=True,
        encoding="latin-1",
        timeout=60,
        check=False,
    )
    assert done.returncode == code, f"{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done


# the numbers are those of the file


@pytest.mark.parametrize("name", ["-", "/dev/stdin", "/dev/fd/0"])
def test_standard_input_gives_the_numbers_of_the_file(folder: Path, name: str):
    expected = rg.evaluate(folder / "qrels.txt", folder / "mine.csv", "nDCG@10")["nDCG@10"]

    piped = process("evaluate", "qrels.txt", name, "-m", "nDCG@10", cwd=folder, data=TABLE.encode()).stdout

    assert f"nDCG@10  {expected:.4f}" in piped
    assert piped.startswith("standard input on qrels")


def test_what_a_shell_makes_of_a_command(folder: Path):
    script = f"{sys.executable} -m rankgauge evaluate <(cat qrels.txt) <(gzip -c mine.csv) -m nDCG@10 --json"
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=60, check=True)

    found = rg.Evaluation.from_dict(json.loads(done.stdout))
    assert found.mean() == rg.evaluate(folder / "qrels.txt", folder / "mine.csv", "nDCG@10").mean()
    assert found.run.startswith("pipe ")


def test_a_redirected_file_is_read_from_where_the_shell_left_it(folder: Path):
    """`{ read -r first; rankgauge … -; } < file`: one line is gone."""
    script = f"{{ read -r first; {sys.executable} -m rankgauge convert - out.csv; }} < mine.run"
    subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, timeout=60, check=True)

    assert pl.read_csv(folder / "out.csv").height == N - 1


COMPRESSED: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("compress", COMPRESSED.values(), ids=COMPRESSED.keys())
def test_compressed_pipes(folder: Path, compress: Callable[[bytes], bytes], capsys: pytest.CaptureFixture[str]):
    with stdin(compress(TABLE.encode())):
        assert main(["convert", "-", str(folder / "again.csv")]) == 0

    assert (folder / "again.csv").read_text() == TABLE


READING = {
    "evaluate: judgements": ("qrels.txt", "evaluate - mine.run -m nDCG@10"),
    "evaluate: run": ("mine.run", "evaluate qrels.txt - -m nDCG@10"),
    "evaluate: one of two runs": ("mine.run", "evaluate qrels.txt - other.run -m nDCG@10"),
    "evaluate: slices": ("slices.csv", "evaluate qrels.txt mine.run -m nDCG@10 --slices -"),
    "evaluate: parquet in pieces": ("mine.parquet", "evaluate qrels.txt - -m nDCG@10 --engine streaming"),
    "compare: judgements": ("qrels.txt", "compare - mine.run other.run -m nDCG@10 --permutations 100"),
    "compare: run": ("mine.run", "compare qrels.txt - other.run -m nDCG@10 --permutations 100"),
    "compare: slices": (
        "slices.csv",
        "compare qrels.txt mine.run other.run -m nDCG@10 --slices - --permutations 100 --query q1",
    ),
    "compare: stored": ("mine.json", "compare --evaluations mine.json - -m nDCG@10 --permutations 100"),
    "gate: run": ("mine.run", "gate qrels.txt - --floor nDCG@10>=0.1"),
    "gate: stored baseline": ("mine.json", "gate qrels.txt mine.run --baseline - --non-inferior nDCG@10:0.1"),
    "gate: slices": (
        "slices.csv",
        "gate qrels.txt mine.run --slices - --slice-floor nDCG@10>=0.1",
    ),
    "gate: config": ("gate.toml", "gate -"),
    "audit: run": ("mine.run", "audit qrels.txt -"),
    "diagnose: run": ("mine.run", "diagnose qrels.txt -"),
    "power: run": ("mine.run", "power qrels.txt - other.run --difference 0.01"),
    "funnel: stage": ("mine.run", "funnel qrels.txt standard_input=- last=other.run"),
    "predictions": ("clicks.csv", "predictions - -m AUC"),
    "calibrate": ("clicks.csv", "calibrate - --kind platt"),
    "interleave": ("mine.run", "interleave - other.run -o lists.csv"),
    "plot": ("mine.run", "plot measures qrels.txt - -o chart.svg"),
    "plot: stored": ("mine.json", "plot measures - -o chart.svg"),
    "plot: texts": ("docs.jsonl", "plot query qrels.txt mine.run other.run --query q0 --documents - -o chart.svg"),
    "report": ("mine.json", "report - -o page.html"),
    "evaluate: train": ("past.csv", "evaluate qrels.txt mine.run -m nDCG@10 --train - --slices activity"),
    "evaluate: items": ("items.csv", "evaluate qrels.txt mine.run -m Coverage@10 --items -"),
    "tradeoff": ("mine.run", "tradeoff qrels.txt - other.run -m RR -m P@5"),
    "overlap": ("mine.run", "overlap - other.run"),
    "channels": ("mine.run", "channels qrels.txt standard_input=- last=other.run"),
    "answers": ("correct.csv", "answers qrels.txt mine.run --answers -"),
    "split": ("past.csv", "split - --by last --train before.csv --test after.csv"),
    "baseline": ("past.csv", "baseline - -o popular.run"),
    "drift": ("days.csv", "drift -"),
    "online ab": ("arms.csv", "online ab - --numerator clicks --unit user_id"),
    "convert": ("mine.csv", "convert - again.csv --kind run"),
}

ELSEWHERE = {
    "judgements": "test_logs",
    "bias": "test_logs",
    "rag": "needs something that answers; test_every_file.py has its files",
    "collect": "needs something that answers; test_every_file.py has its files",
    "sweep": "needs something that answers; test_every_file.py has its files",
    "run": "reads a project with its files; test_every_file.py has it",
    "watch": "reads a project with its files; test_every_file.py has it",
    "history": "reads what it wrote; test_every_file.py has its files",
    "scenarios": "reads figures of one's own; test_every_file.py has its file",
}


def test_every_command_that_reads_is_among_them():
    reading = {one.command.split()[0] for one in read() if one.command not in ("demo", "measures")}

    assert reading == {command.split()[0] for _, command in READING.values()} | ELSEWHERE.keys()


@pytest.mark.parametrize(("name", "command"), READING.values(), ids=READING.keys())
def test_a_dash_is_standard_input_for_every_input(
    folder: Path, name: str, command: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """The same words about a file that is called `standard input`."""
    monkeypatch.chdir(folder)
    called = folder / ("standard input.json" if name.endswith(".json") else "standard input")
    called.write_bytes((folder / name).read_bytes())
    words = command.split()
    at = next(i for i, word in enumerate(words) if word == "-" or word.endswith("=-"))

    def done(word: str) -> tuple[int, str]:
        code = main([*words[:at], words[at].removesuffix("-") + word, *words[at + 1 :]])
        return code, capfd.readouterr().out.replace(called.name, "standard input")

    if name == "slices.csv":
        called = called.rename(folder / "standard input.csv")
    expected = done(called.name)
    assert expected[0] == 0
    with stdin((folder / name).read_bytes()):
        piped = done("-")

    assert piped == expected


def test_logs(folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(folder)
    rows = [f"r{i // 5},q{i // 5 % 7},i{(i * 3) % 9},{i % 5 + 1},{int(i * 7 % 11 < 3)}\n" for i in range(3000)]
    (folder / "standard input").write_text("request_id,query_id,item_id,position,click\n" + "".join(rows))
    for command, *words in (("judgements", "--unclear", "keep"), ("bias",)):
        assert main([command, "standard input", *words]) == 0
        expected = capfd.readouterr().out
        with stdin((folder / "standard input").read_bytes()):
            assert main([command, "-", *words]) == 0

        assert capfd.readouterr().out == expected


# what cannot be


@pytest.mark.parametrize("words", ["evaluate - -", "compare - mine.run -", "evaluate qrels.txt - --slices -"])
def test_standard_input_twice_is_an_error(folder: Path, words: str):
    done = process(*words.split(), cwd=folder, data=RUN.encode(), code=2)

    assert "Error: standard input is named for two inputs, but what comes through it can be read only once." in (
        done.stderr
    )


@pytest.mark.parametrize("words", ["evaluate - mine.run", "gate qrels.txt - --floor nDCG@10>=0", "predictions -"])
def test_an_empty_pipe_is_an_error(folder: Path, words: str):
    done = process(*words.split(), cwd=folder, data=b"", code=2)

    assert done.stderr.startswith("Error: standard input is empty: no byte came through it.")


def test_a_closed_standard_input_is_an_error(folder: Path):
    script = f"{sys.executable} -m rankgauge evaluate qrels.txt - <&-"
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 2
    assert done.stderr.startswith("Error: standard input is empty")  # a closed one is opened on nothing


def test_a_fifo_for_two_inputs_is_an_error_and_nobody_waits(folder: Path):
    if not (folder / "twice").exists():
        os.mkfifo(folder / "twice")

    for words in (["evaluate", "twice", "twice"], ["gate", "twice", "twice", "--floor", "nDCG@10>=0.1"]):
        assert "'twice' is named for two inputs" in process(*words, cwd=folder, code=2).stderr


def test_errors_name_the_pipe_and_its_line(folder: Path):
    done = process("evaluate", "qrels.txt", "-", cwd=folder, data=b"query_id,doc_id,score\nq1,d1,good\n", code=2)

    assert "run 'standard input', line 2: score must be a number, got 'good'" in done.stderr


def test_a_file_that_is_called_so(folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    monkeypatch.chdir(folder)
    (folder / "-").write_text(RUN)

    assert main(["evaluate", "qrels.txt", "./-", "-m", "nDCG@10"]) == 0


# in Python


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "run.csv")
    return tmp_path / "run.csv"


def test_a_fifo_in_python(folder: Path, fifo: Path):
    expected = rg.evaluate(folder / "qrels.txt", folder / "mine.csv", "nDCG@10", strict=False)
    with fed(fifo, TABLE.encode()):
        found = rg.evaluate(folder / "qrels.txt", str(fifo), "nDCG@10")

    assert (found.mean(), found.run) == (expected.mean(), "run")
    assert found.source.run().to_frame().equals(rg.read_run(folder / "mine.csv").to_frame())  # lists, looked at later


def test_a_fifo_with_a_new_writer_is_read_anew(folder: Path, fifo: Path):
    for n in (3, 5):
        with fed(fifo, "".join(TABLE.splitlines(keepends=True)[: n + 1]).encode()):
            assert len(rg.read_run(fifo)) == n


def test_fifos_by_name_and_in_a_list(folder: Path, fifo: Path):
    for runs in ({"new": fifo}, [fifo, folder / "mine.run"]):
        with fed(fifo, TABLE.encode()):
            found = rg.evaluate(folder / "qrels.txt", runs, "nDCG@10")
        assert len(set(map(str, found.mean().values()))) == 1


def test_a_large_pipe_goes_to_disk(folder: Path, fifo: Path, monkeypatch: pytest.MonkeyPatch):
    from rankgauge import _piped

    monkeypatch.setattr(_piped, "_SMALL", 1000)
    monkeypatch.setattr(_piped, "_PIECE", 512)
    with fed(fifo, TABLE.encode()):
        path = _piped.path_of(fifo)

    assert path.read_bytes() == TABLE.encode()
    assert "memfd" not in os.readlink(path)


def test_where_files_need_a_name_they_are_removed(folder: Path, fifo: Path, monkeypatch: pytest.MonkeyPatch):
    from rankgauge import _piped

    monkeypatch.setattr(_piped, "_OPEN_FILES", "/nowhere")
    with fed(fifo, TABLE.encode()):
        path = _piped.path_of(fifo)
    assert path.read_bytes() == TABLE.encode()
    assert path.name == "run.csv"

    _piped.forget()

    assert not os.path.exists(path)


def test_no_room_to_take_it_in(folder: Path, fifo: Path, monkeypatch: pytest.MonkeyPatch):
    from rankgauge import _piped

    monkeypatch.setattr(_piped, "_SMALL", 0)
    monkeypatch.setattr(_piped, "_PIECE", 64)
    monkeypatch.setattr(_piped, "_KEPT_FREE", 1 << 62)
    with fed(fifo, TABLE.encode()), pytest.raises(rg.errors.InputError, match="cannot be taken in after"):
        rg.read_run(fifo)
