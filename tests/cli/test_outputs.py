"""What commands write and where: inputs and results survive, streams of any kind are served, errors are told apart.

Exit codes are those of real processes; what needs none runs in this one.
"""

from __future__ import annotations

import gzip
import json
import lzma
import os
import pty
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from rankgauge.cli import main
from source import parsed

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d7 1\n"
RUN = "q1 Q0 d2 1 0.9 mine\nq1 Q0 d1 2 0.7 mine\nq2 Q0 d7 1 1.5 mine\n"
OTHER = "q1 Q0 d1 1 0.9 mine\nq1 Q0 d2 2 0.7 mine\nq2 Q0 d7 1 1.5 mine\n"
EVALUATE = ("evaluate", "qrels.txt", "mine.run", "-m", "RR")
pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of rich-click, about itself
FAILING = ("gate", "qrels.txt", "mine.run", "--floor", "RR>=0.99")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS, encoding="utf-8")
    (tmp_path / "mine.run").write_text(RUN, encoding="utf-8")
    (tmp_path / "other.run").write_text(OTHER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ran(*words: str, shell: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """`rankgauge WORDS` as a process; `shell` is what a shell would add to it."""
    command = [sys.executable, "-m", "rankgauge", *words]
    if shell:
        command = ["bash", "-c", f'"$@" {shell}', "bash", *command]
    done = subprocess.run(command, capture_output=True, check=False, env={**os.environ, **environment})
    assert b"Traceback" not in done.stderr, done.stderr
    return done


# inputs survive


@pytest.mark.parametrize(
    "words",
    [
        (*EVALUATE, "-o", "mine.run"),
        (*EVALUATE, "-o", "./mine.run"),
        (*EVALUATE, "-o", "linked.run"),
        (*EVALUATE, "-o", "twin.run"),
        (*EVALUATE, "--html", "qrels.txt"),
        (*EVALUATE, "--slices", "attributes.csv", "--per-query", "attributes.csv"),
        ("evaluate", "qrels.txt", "linked.run", "-o", "mine.run"),
        ("compare", "qrels.txt", "mine.run", "other.run", "-o", "other.run"),
        ("convert", "mine.run", "mine.run", "--to", "csv"),
        ("convert", "folder", "folder/part.csv", "--kind", "run"),
        ("evaluate", "qrels.txt", "fold*/*.csv", "--per-query", "folder/part.csv"),
        ("interleave", "mine.run", "other.run", "-o", "other.run"),
        ("plot", "measures", "qrels.txt", "mine.run", "-o", "mine.run"),
        (
            "funnel",
            "qrels.txt",
            "first=mine.run",
            "last=other.run",
            "--losses",
            "attributes.csv",
            "--json",
            "-o",
            "other.run",
        ),
        ("gate", "gate.toml", "--json", "mine.run"),
        ("gate", "gate.toml", "--junit", "mine.run"),
        ("gate", "gate.toml", "--markdown", "gate.toml"),
        (*FAILING, "--baseline", "other.run", "--json", "other.run"),
        ("report", "stored.json", "-o", "stored.json"),
    ],
    ids=" ".join,
)
def test_an_output_onto_an_input_is_refused(
    words: tuple[str, ...], files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "linked.run").symlink_to("mine.run")
    os.link(files / "mine.run", files / "twin.run")
    (files / "attributes.csv").write_text("query_id,kind\nq1,a\nq2,b\n", encoding="utf-8")
    (files / "gate.toml").write_text('qrels="qrels.txt"\nrun="mine.run"\n[floors]\nRR=0.1\n', encoding="utf-8")
    (files / "stored.json").write_text("{}", encoding="utf-8")
    (files / "folder").mkdir()
    (files / "folder" / "part.csv").write_text("query_id,doc_id,score\nq1,d1,1\n", encoding="utf-8")
    before = {p: p.read_bytes() for p in files.rglob("*") if p.is_file()}

    code = main(list(words))

    assert code == 2
    assert "would overwrite the input" in capsys.readouterr().err
    assert {p: p.read_bytes() for p in files.rglob("*") if p.is_file()} == before


def test_an_output_onto_standard_input_is_refused(files: Path) -> None:
    done = ran("evaluate", "qrels.txt", "/dev/stdin", "-o", "mine.run", shell="< mine.run")

    assert done.returncode == 2
    assert b"would overwrite the input" in done.stderr
    assert (files / "mine.run").read_text(encoding="utf-8") == RUN


def test_two_outputs_onto_one_file_are_refused(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*EVALUATE, "-o", "x.csv", "--per-query", "./x.csv"]) == 2

    assert "--per-query and --output are the same file" in capsys.readouterr().err.replace(
        "--output and --per-query", "--per-query and --output"
    )
    assert not (files / "x.csv").exists()


def test_two_outputs_to_one_device_are_not(files: Path) -> None:
    assert main([*EVALUATE, "-o", os.devnull, "--per-query", os.devnull]) == 0


def test_a_page_beside_the_files_of_an_input_folder_is_written_again(files: Path) -> None:
    (files / "beir" / "qrels").mkdir(parents=True)
    judged = "query-id\tcorpus-id\tscore\nq1\td1\t1\n"
    (files / "beir" / "qrels" / "test.tsv").write_text(judged, encoding="utf-8")
    words = ["evaluate", "beir", "mine.run", "-m", "RR", "--html", "beir/page.html"]

    assert (main(words), main(words)) == (0, 0)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("interleave", "mine.run", "other.run"), "interleaved.csv"),
        (("plot", "measures", "qrels.txt", "mine.run"), "measures.svg"),
        (("report", "stored.json"), "report.html"),
    ],
    ids=["interleave", "plot", "report"],
)
def test_a_name_that_the_command_chose_is_not_overwritten(
    words: tuple[str, ...], name: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*EVALUATE, "-o", "stored.json"]) == 0
    assert main(list(words)) == 0
    (files / name).write_bytes(b"edited by hand\n")

    assert main(list(words)) == 2
    assert f"'{name}' exists. Name the file to write: -o {name} replaces it." in capsys.readouterr().err
    assert (files / name).read_bytes() == b"edited by hand\n"

    assert main([*words, "-o", name]) == 0
    assert (files / name).read_bytes() != b"edited by hand\n"


# standard output and other streams


def test_a_dash_is_standard_output_and_the_table_stays_away(files: Path) -> None:
    done = ran(*EVALUATE, "--per-query", "-")

    assert done.stdout == b"query_id,RR\nq1,0.5\nq2,1.0\n"
    assert b"wrote" not in done.stderr
    assert not (files / "-").exists()


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        ((*EVALUATE, "-o", "-", "--json"), '{\n "rankgauge"'),
        ((*EVALUATE, "-o", "-"), "mine on qrels"),
        ((*EVALUATE, "--html", "-"), "<!doctype html>"),
        ((*EVALUATE, "-f", "trec", "--per-query", "-"), "query_id,RR\nq1,0.5\nq2,1.0\n"),
        (("convert", "mine.run", "-", "--to", "csv"), "query_id,doc_id,score"),
        (("plot", "measures", "qrels.txt", "mine.run", "-o", "-"), "<?xml"),
        (("interleave", "mine.run", "other.run", "-o", "-"), "query_id,position,item_id,team"),
        (("gate", "qrels.txt", "mine.run", "--floor", "RR>=0.1", "--json", "-"), "{"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, tuple) else "",
)
def test_every_output_may_be_a_dash(
    words: tuple[str, ...], begins: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(words)) == 0

    assert capsys.readouterr().out.startswith(begins)


def test_what_makes_numbers_wrong_is_said_where_the_table_stays_away(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    worst_first = [f"q{q} Q0 {d} {r} {9 - r} t\n" for q in range(12) for r, d in enumerate("bcdefgha", 1)]
    (files / "late.run").write_text("".join(worst_first), encoding="utf-8")
    (files / "late.txt").write_text("".join(f"q{q} 0 a 1\n" for q in range(12)), encoding="utf-8")

    assert main(["evaluate", "late.txt", "late.run", "-m", "RR", "--per-query", "-"]) == 0

    said = capsys.readouterr()
    assert said.out.startswith("query_id,RR\n")
    assert said.err.startswith("! ")


def test_judgements_from_a_log_go_on_as_judgements(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"q,{item},{i},{int(item == 'a' and i % 2 == 0)}" for i in range(40) for item in ("a", "b")]
    (files / "log.csv").write_text("\n".join(["query_id,item_id,session_id,click", *rows]) + "\n", encoding="utf-8")

    assert main(["judgements", "log.csv", "--events", "click=1", "-o", "-"]) == 0

    assert {tuple(line.split()[:3]) for line in capsys.readouterr().out.splitlines()} == {
        ("q", "0", "a"),
        ("q", "0", "b"),
    }


def test_two_outputs_to_standard_output_are_refused(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*EVALUATE, "-o", "-", "--per-query", "-"]) == 2
    assert capsys.readouterr().out == ""


def test_an_output_into_another_command(files: Path) -> None:
    done = ran(*EVALUATE, "--per-query", shell=">(cat >&2; echo end >&2)")

    assert done.returncode == 0
    assert b"q1,0.5" in done.stderr


def test_an_output_to_the_file_that_the_shell_opened(files: Path) -> None:
    (files / "log.txt").write_text("before\n", encoding="utf-8")

    assert ran(*EVALUATE, "--csv", "-o", "/proc/self/fd/1", shell=">> log.txt; echo after >> log.txt").returncode == 0

    lines = (files / "log.txt").read_text(encoding="utf-8").splitlines()
    assert (lines[0], lines[1][:7], lines[-1]) == ("before", "measure", "after")


@pytest.mark.parametrize("option", ["-o", "--html", "--per-query"])
def test_an_empty_name_is_refused(option: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*EVALUATE, option, ""]) == 2
    assert "must be the name of a file, or - for standard output, got ''." in capsys.readouterr().err


@pytest.mark.parametrize("shell", [">&-", "2>&-", ">&- 2>&-", "<&-", "> /dev/null 2>&1 <&-"])
def test_closed_streams_change_no_exit_code_and_no_file(shell: str, files: Path) -> None:
    done = ran(*FAILING, "--json", "gate.json", shell=shell)

    assert done.returncode == 1
    assert json.loads((files / "gate.json").read_text(encoding="utf-8"))["decision"].startswith("FAIL")


@pytest.mark.parametrize(
    ("words", "code"), [(FAILING, 1), (EVALUATE, 0), (("--help",), 0), (("audit", "qrels.txt", "mine.run"), 0)]
)
def test_a_reader_that_goes_away_changes_no_exit_code(words: tuple[str, ...], code: int, files: Path) -> None:
    done = ran(*words, shell="| true; exit ${PIPESTATUS[0]}")

    assert (done.returncode, done.stderr) == (code, b"")


def test_a_full_standard_output_is_an_error(files: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    done = ran(*EVALUATE, shell="> /dev/full")

    assert done.returncode == 2
    assert done.stderr.startswith(b"Error: ")
    assert b"No space left on device" in done.stderr


# encodings

ENCODINGS = [
    {"PYTHONIOENCODING": "cp1252"},
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""},
]


@pytest.mark.parametrize("environment", ENCODINGS, ids=str)
def test_an_encoding_that_lacks_characters_changes_no_exit_code(environment: dict[str, str], files: Path) -> None:
    (files / "qrels.txt").write_text(QRELS + "问题 0 文档 1\n", encoding="utf-8")

    done = ran(*FAILING, "--language", "zh", **environment)

    assert done.returncode == 1
    assert done.stdout
    assert done.stderr == b""


def test_signs_of_tables_are_spelled_where_the_encoding_has_none(files: Path) -> None:
    done = ran(*EVALUATE, PYTHONIOENCODING="ascii")

    assert b" ... " in done.stdout  # of an interval
    assert b"\\u2026" not in done.stdout


def test_json_says_the_same_in_every_encoding(files: Path) -> None:
    (files / "问题 – 😀.run").write_text(RUN, encoding="utf-8")
    words = ("evaluate", "qrels.txt", "问题 – 😀.run", "-m", "RR", "--json")

    plain = ran(*words, PYTHONIOENCODING="ascii")

    assert plain.returncode == 0
    assert json.loads(plain.stdout.decode("ascii")) == json.loads(ran(*words, PYTHONIOENCODING="utf-8").stdout)
    assert json.loads(plain.stdout)["run"] == "问题 – 😀"


def test_a_page_is_utf_8_in_every_encoding(files: Path) -> None:
    page = ran(*EVALUATE, "-f", "html", "--language", "zh", PYTHONIOENCODING="cp1252").stdout.decode("utf-8")

    assert '<html lang="zh"' in page
    assert "\\u" not in page


def test_an_error_is_said_in_every_encoding(files: Path) -> None:
    done = ran("evaluate", "qrels.txt", "没有.run", PYTHONIOENCODING="ascii")

    assert done.returncode == 2
    assert done.stderr.startswith(b"Error: ")


@pytest.mark.parametrize("name", ["table.txt", "record.json", "page.html", "table.csv"])
def test_a_file_name_that_is_no_text_can_be_written_about(name: str, files: Path) -> None:
    shutil.copy(b"mine.run", b"\xff\xfe.run")

    assert main(["evaluate", "qrels.txt", os.fsdecode(b"\xff\xfe.run"), "-m", "RR", "-o", name]) == 0
    assert (files / name).stat().st_size > 0


# terminals

EVIL = "\x1b[2J\x1b]0;owned\x07"


def evil_files(files: Path) -> None:
    """Escapes in ids, headers, names of files and of runs."""
    (files / "evil.txt").write_text(f"{EVIL}q1 0 {EVIL}d1 1\nq2 0 d2 1\n\x9b31mq3 0 d3 1\n", encoding="utf-8")
    (files / f"{EVIL}.run").write_text(f"{EVIL}q1 Q0 {EVIL}d1 1 1.0 {EVIL}tag\nq2 Q0 x 1 1.0 tag\n", encoding="utf-8")
    (files / "header.csv").write_text(f"query_id,{EVIL}a,{EVIL}b\nq1,1,2\n", encoding="utf-8")
    (files / "slices.csv").write_text(f"query_id,{EVIL}kind\nq2,{EVIL}value\n", encoding="utf-8")


COMMANDS = [
    ("evaluate", "evil.txt", f"{EVIL}.run"),
    ("evaluate", "evil.txt", f"{EVIL}.run", "-f", "trec", "-q"),
    ("evaluate", "evil.txt", f"{EVIL}.run", "--json", "--slices", "slices.csv"),
    ("evaluate", "evil.txt", f"{EVIL}.run", "--csv", "--slices", "slices.csv"),
    ("evaluate", "evil.txt", f"{EVIL}.run", "--markdown", "--slices", "slices.csv"),
    ("evaluate", "evil.txt", f"{EVIL}.run", "--latex"),
    ("evaluate", "evil.txt", f"{EVIL}.run", "mine.run", "-m", "RR"),
    ("evaluate", "evil.txt", f"{EVIL}.run", "-o", f"{EVIL}.txt"),
    ("compare", "evil.txt", f"{EVIL}.run", "mine.run", "-m", "RR"),
    ("audit", "evil.txt", f"{EVIL}.run"),
    ("gate", "evil.txt", f"{EVIL}.run", "--floor", "RR>=0.1"),
    ("funnel", "evil.txt", f"{EVIL}=mine.run", f"b={EVIL}.run"),
    ("convert", f"{EVIL}.run", f"{EVIL}.csv"),
    ("evaluate", "header.csv", "mine.run"),
    ("evaluate", "qrels.txt", "header.csv"),
    ("evaluate", "evil.txt", f"{EVIL}nowhere.run"),
    ("evaluate", "evil.txt", "mine.run", "-m", f"{EVIL}nDCG"),
    ("evaluate", "evil.txt", "mine.run", f"--{EVIL}"),
    ("gate", "evil.txt", "mine.run", f"{EVIL}.run"),
    (f"{EVIL}evaluate",),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda w: repr(" ".join(w)))
def test_no_text_of_others_commands_a_terminal(
    words: tuple[str, ...], files: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    evil_files(files)

    main(list(words))

    said = capfd.readouterr()
    assert said.out + said.err
    assert not set("\x1b\x07\x9b") & set(said.out + said.err)


def on_a_terminal(*words: str) -> bytes:
    """What a terminal is sent by the command."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "rankgauge", *words],
        stdout=slave,
        stderr=slave,
        stdin=slave,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"},
    )
    os.close(slave)
    sent = b""
    while True:
        try:
            sent += (piece := os.read(master, 65536))
        except OSError:  # the other end is closed
            break
        if not piece:
            break
    process.wait()
    os.close(master)
    return sent


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "evil.txt", f"{EVIL}.run", "mine.run", "--slices", "slices.csv"),
        ("convert", "evil.txt", "-", "--kind", "qrels", "--to", "trec"),
        ("evaluate", "evil.txt", f"{EVIL}[red]nowhere.run"),
    ],
    ids=["table and progress", "data", "error"],
)
def test_a_real_terminal_gets_colours_and_no_commands_of_others(words: tuple[str, ...], files: Path) -> None:
    evil_files(files)

    sent = on_a_terminal(*words)

    assert sent
    assert b"\x1b[2J" not in sent
    assert b"\x1b]0;" not in sent
    assert b"\x9b31m".decode("latin-1").encode() not in sent


def test_ids_are_written_to_files_as_they_are(files: Path) -> None:
    evil_files(files)

    assert main(["evaluate", "evil.txt", f"{EVIL}.run", "-m", "RR", "--per-query", "values.jsonl"]) == 0
    assert main(["convert", "evil.txt", "copy.txt", "--kind", "qrels", "--to", "trec"]) == 0

    rows = [json.loads(line) for line in (files / "values.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["query_id"] for row in rows} == {f"{EVIL}q1", "q2", "\x9b31mq3"}
    assert (files / "copy.txt").read_text(encoding="utf-8") == (files / "evil.txt").read_text(encoding="utf-8")


# --load


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\n1 / 0\n", "'mine.py' cannot be loaded, line 2: ZeroDivisionError: division by zero."),
        ("def f(:\n", "'mine.py' cannot be loaded, line 1: SyntaxError: "),
        ("import sys\nsys.exit(1)\n", "'mine.py' cannot be loaded, line 2: SystemExit: 1."),
        ("import not_there_at_all\n", "'mine.py' cannot be loaded, line 1: ModuleNotFoundError: No module named"),
        ("x = '\\udcff'\x00", "'mine.py'"),
    ],
    ids=["raises", "no Python", "exits", "imports", "binary"],
)
def test_a_file_of_measures_that_fails_is_invalid_input(
    text: str, said: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "mine.py").write_text(text, encoding="utf-8")

    assert main([*EVALUATE, "--load", "mine.py"]) == 2
    assert said in capsys.readouterr().err


# the last resort

CRASH = """
import sys
from rankgauge.cli import run
from rankgauge.evaluation import evaluate as evaluator
from rankgauge.gate import running

class Panic(BaseException): pass

def crash(*args, **options):
    raise {error}

evaluator.evaluate = running.evaluate = crash
sys.argv = ["rankgauge", *{words}]
run()
"""


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("AssertionError('\\x1b[2J gone\\nwrong')", "AssertionError"),
        ("Panic('of a library')", "Panic"),
        ("SystemExit(1)", "SystemExit"),
        ("BrokenPipeError(32, 'Broken pipe')", "BrokenPipeError"),
    ],
)
def test_an_unforeseen_error_is_one_line_a_file_and_exit_code_70(error: str, kind: str, files: Path) -> None:
    words = FAILING  # whose exit code 1 would be a decision
    (files / "tmp").mkdir()
    script = CRASH.format(error=error, words=list(words))

    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        check=False,
        env={**os.environ, "TMPDIR": str(files / "tmp")},
        text=True,
    )

    (details,) = (files / "tmp").iterdir()
    assert done.returncode == 70
    assert done.stdout == ""
    assert done.stderr == (
        f"Error: {kind}: this should not happen, and is a fault of rankgauge or of code that it was given. "
        f"Details: {details}.\n"
    )
    assert stat.S_IMODE(details.stat().st_mode) == 0o600
    text = details.read_text(encoding="utf-8")
    assert f"rankgauge {words[0]} qrels.txt mine.run" in text
    assert "Traceback (most recent call last)" in text
    assert "in crash" in text


def test_where_no_details_can_be_stored_that_is_said(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    from rankgauge.cli import unexpected

    def full(**options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)

    unexpected.report_unexpected(ValueError("x"), ["evaluate"])

    assert capsys.readouterr().err.endswith("The details could not be stored: No space left on device.\n")


def test_an_interrupted_command_is_no_unforeseen_error(files: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CRASH.format(error="KeyboardInterrupt", words=list(FAILING))],
        capture_output=True,
        check=False,
        text=True,
    )

    assert (done.returncode, done.stderr.strip()) == (130, "Interrupted.")


@pytest.mark.parametrize("words", [FAILING, ("evaluate", "qrels.txt", "nowhere.run")], ids=["decision", "error"])
def test_a_full_standard_error_changes_no_exit_code(words: tuple[str, ...], files: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    done = ran(*words, "--html", "page.html", shell="2> /dev/full")

    assert done.returncode == (1 if words == FAILING else 2)


# one way to speak


def test_commands_speak_through_one_door() -> None:
    import ast

    import rankgauge.cli

    found = set()
    for path in Path(rankgauge.cli.__file__).parent.glob("*.py"):
        for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                if called in ("print", "click.echo", "sys.stdout.write", "sys.stderr.write"):
                    found.add(f"{path.name}: {ast.unparse(node)[:40]}")

    assert {f for f in found if not f.startswith("terminal.py")} == {
        "__init__.py: print(in_language(Text('Interrupted.', '"  # before anything else is loaded
    }


@pytest.mark.parametrize("suffix", [".query", ".group"])
def test_sizes_of_groups_beside_an_input_are_not_overwritten(tmp_path: Path, suffix: str, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.svm").write_text("1 1:0.5\n0 1:0.2\n")
    Path(f"t.svm{suffix}").write_text("2\n")
    Path("r.run").write_text("1 Q0 1 1 1.0 t\n")

    assert main(["evaluate", "t.svm", "r.run", "-m", "P@1", "-o", f"t.svm{suffix}"]) == 2
    assert Path(f"t.svm{suffix}").read_text() == "2\n"


# the suffix says the format


@pytest.mark.parametrize("name", ["x.json", "x.JSON", "x.json.gz", "x.Json.GZ", "x.json.xz"])
def test_the_suffix_counts_without_case_and_before_that_of_compression(files: Path, name: str):
    assert main([*EVALUATE, "-o", name]) == 0
    data = (files / name).read_bytes()
    text = gzip.decompress(data) if name.lower().endswith("gz") else lzma.decompress(data) if "xz" in name else data
    assert json.loads(text)["kind"] == "rankings"


@pytest.mark.parametrize("name", ["x.xlsx", "x.yaml", "x.run", "x.xlsx.gz"])
def test_a_suffix_that_says_another_format_is_refused_with_the_list(files: Path, name: str):
    done = ran(*EVALUATE, "-o", name)
    assert done.returncode == 2
    said = " ".join(done.stderr.decode().split())
    assert (
        f"--output must end in .json, .csv, .md, .tex, .html, .txt (or .gz, .bz2, .xz after it), got '{name}'" in said
    )
    assert not (files / name).exists()


def test_a_format_that_the_command_does_not_have_is_no_suffix_of_it(files: Path):
    done = ran("explain", "RR", "-o", "x.json")
    assert (done.returncode, (files / "x.json").exists()) == (2, False)


@pytest.mark.parametrize("name", ["x", "x.txt", "x.TXT", "x.gz"])
def test_without_a_suffix_a_file_has_the_text(files: Path, name: str):
    assert main([*EVALUATE, "-o", name]) == 0
    data = (files / name).read_bytes()
    assert "RR" in (gzip.decompress(data) if name.endswith("gz") else data).decode()


def test_a_format_that_was_said_goes_into_any_file(files: Path):
    assert main([*EVALUATE, "--json", "-o", "x.xlsx"]) == 0
    assert json.loads((files / "x.xlsx").read_text())["kind"] == "rankings"
