"""The one door for files: what is there keeps its kind, its mode and its content until the new one is complete."""

from __future__ import annotations

import ast
import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import rankgauge as rg
from rankgauge import _output
from rankgauge._output import STANDARD_OUTPUT, is_stream, writing
from rankgauge.data.formats.write import atomic
from rankgauge.errors import InputError
from source import every


def write(path: Path, data: bytes = b"new\n") -> None:
    with writing(path) as file:
        file.write(data)


def parts(folder: Path) -> list[str]:
    return [p.name for p in folder.iterdir() if p.name.endswith(".part")]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# regular files


def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path):
    before = os.umask(0o027)
    try:
        write(tmp_path / "out.txt")
    finally:
        os.umask(before)

    assert mode(tmp_path / "out.txt") == 0o640


@pytest.mark.parametrize("kept", [0o600, 0o640, 0o755, 0o666])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path, kept: int):
    path = tmp_path / "out.txt"
    path.write_bytes(b"old\n")
    path.chmod(kept)

    write(path)

    assert (path.read_bytes(), mode(path)) == (b"new\n", kept)


def test_a_file_that_is_replaced_keeps_its_owner(tmp_path: Path):
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    path = tmp_path / "out.txt"
    path.write_bytes(b"old\n")
    os.chown(path, 12345, 54321)

    write(path)

    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


def test_where_the_group_cannot_be_kept_the_new_one_may_do_what_others_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "out.txt"
    path.write_bytes(b"old\n")
    path.chmod(0o664)
    real = path.stat()
    other = os.stat_result([*real[:4], real.st_uid + 1, *real[5:10]])

    def refuse(number: int, uid: int, gid: int) -> None:
        raise PermissionError(errno.EPERM, "no")

    monkeypatch.setattr(os, "fchown", refuse)
    monkeypatch.setattr(_output, "_found", lambda path: other)
    write(path)

    assert mode(path) == 0o644


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path):
    target, link, second = tmp_path / "kept" / "target.txt", tmp_path / "link.txt", tmp_path / "second.txt"
    target.parent.mkdir()
    target.write_bytes(b"old\n")
    target.chmod(0o600)
    link.symlink_to(Path("kept", "target.txt"))
    second.symlink_to("link.txt")

    write(second)

    assert link.is_symlink()
    assert second.is_symlink()
    assert (target.read_bytes(), mode(target)) == (b"new\n", 0o600)


def test_a_link_to_nothing_makes_the_file_that_it_names(tmp_path: Path):
    (tmp_path / "link.txt").symlink_to("target.txt")

    write(tmp_path / "link.txt")

    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "target.txt").read_bytes() == b"new\n"


def test_a_link_to_itself_is_an_error(tmp_path: Path):
    (tmp_path / "link.txt").symlink_to("link.txt")

    with pytest.raises(InputError, match=r"cannot write .*link\.txt.*: Too many levels of symbolic links"):
        write(tmp_path / "link.txt")


def test_the_temporary_file_is_for_its_owner_only_and_tells_nothing(tmp_path: Path):
    names = set()
    for _ in range(3):
        with writing(tmp_path / "secret.txt") as file:
            file.write(b"x")
            (name,) = parts(tmp_path)
            assert mode(tmp_path / name) == 0o600
            assert "secret" not in name
            assert str(os.getpid()) not in name
            names.add(name)

    assert len(names) == 3
    assert parts(tmp_path) == []


def test_a_planted_link_in_the_place_of_the_temporary_file_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious\n")
    guessed = tmp_path / f".rankgauge-{bytes(8).hex()}.part"
    guessed.symlink_to(victim)
    drawn = iter([bytes(8), bytes(8), b"\x01" * 8])
    monkeypatch.setattr(os, "urandom", lambda n: next(drawn))

    write(tmp_path / "out.txt")

    assert victim.read_bytes() == b"precious\n"
    assert guessed.is_symlink()
    assert (tmp_path / "out.txt").read_bytes() == b"new\n"


def test_a_link_that_is_planted_while_the_file_is_written_is_replaced_and_not_followed(tmp_path: Path):
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious\n")

    with writing(tmp_path / "out.txt") as file:
        file.write(b"new\n")
        (tmp_path / "out.txt").symlink_to(victim)

    assert victim.read_bytes() == b"precious\n"
    assert (tmp_path / "out.txt").read_bytes() == b"new\n"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_whatever_ends_the_block_leaves_the_old_file_and_nothing_else(tmp_path: Path, error: type[BaseException]):
    path = tmp_path / "out.txt"
    path.write_bytes(b"old\n")

    def fail() -> None:
        with writing(path) as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        fail()

    assert path.read_bytes() == b"old\n"
    assert parts(tmp_path) == []


ENDED = """
import os, signal, sys
from pathlib import Path
from rankgauge._output import writing
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it is ignored
with writing(Path("out.txt")) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), getattr(signal, sys.argv[1]))
"""


@pytest.mark.parametrize(("name", "left"), [("SIGTERM", 0), ("SIGHUP", 0), ("SIGKILL", 1)])
def test_a_signal_ends_the_process_and_takes_the_temporary_file_along(tmp_path: Path, name: str, left: int):
    (tmp_path / "out.txt").write_bytes(b"old\n")

    done = subprocess.run([sys.executable, "-c", ENDED, name], cwd=tmp_path, check=False)

    assert done.returncode == -getattr(signal, name)
    assert (tmp_path / "out.txt").read_bytes() == b"old\n"
    assert len(parts(tmp_path)) == left  # nobody can do anything about SIGKILL


def test_signals_are_as_before_when_the_file_is_written(tmp_path: Path):
    def mine(number: int, frame: object) -> None: ...

    before = {n: signal.signal(n, h) for n, h in ((signal.SIGTERM, mine), (signal.SIGHUP, signal.SIG_DFL))}
    try:
        with writing(tmp_path / "out.txt"):
            assert signal.getsignal(signal.SIGTERM) is mine
            assert signal.getsignal(signal.SIGHUP) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_a_signal_that_is_ignored_stays_so(tmp_path: Path):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with writing(tmp_path / "out.txt"):
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_threads_may_write(tmp_path: Path):
    thread = threading.Thread(target=write, args=(tmp_path / "out.txt",))
    thread.start()
    thread.join()

    assert (tmp_path / "out.txt").read_bytes() == b"new\n"


FULL = """
import resource, signal, sys
from pathlib import Path
import polars as pl
import rankgauge as rg
from rankgauge.data.formats.write import write_frame, write_text
from rankgauge.errors import InputError

frame = pl.DataFrame({"query_id": [f"q{i % 97}" for i in range(5000)], "doc_id": [f"d{i * 7919}" for i in range(5000)],
                      "score": [((i * 2654435761) % 2**32) / 7 for i in range(5000)]})
run = rg.Run.of(frame)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
for name in sys.argv[1:]:
    try:
        if name == "text.txt":
            write_text(Path(name), "x" * 100_000)
        elif name.startswith("table"):
            write_frame(frame, Path(name))
        else:
            run.write(name)
        print(name, "was written")
    except InputError as e:
        print(name, e)
"""


def test_a_full_disk_leaves_every_old_file_as_it_was(tmp_path: Path):
    names = ["text.txt", "table.csv", "table.parquet", "run.trec", "run.csv", "run.jsonl", "run.parquet", "run.csv.gz"]
    for name in names:
        (tmp_path / name).write_bytes(b"old\n")

    done = subprocess.run(
        [sys.executable, "-c", FULL, *names], cwd=tmp_path, check=True, capture_output=True, text=True
    )

    assert done.stdout.splitlines() == [f"{name} cannot write '{name}': File too large." for name in names]
    assert all((tmp_path / name).read_bytes() == b"old\n" for name in names)
    assert parts(tmp_path) == []


def test_a_folder_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match=r"cannot write .*: it is a folder\."):
        write(tmp_path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(InputError, match=r"cannot write .*: the folder '.*nowhere' does not exist\."):
        write(tmp_path / "nowhere" / "out.txt")


# what is no regular file


def read_all(path: Path) -> Callable[[], bytes]:
    """Reads in the background; the function waits for it."""
    found: list[bytes] = []
    thread = threading.Thread(target=lambda: found.append(path.read_bytes()), daemon=True)
    thread.start()

    def wait() -> bytes:
        thread.join(10)
        return found[0]

    return wait


def test_a_fifo_is_written_through_and_stays_one(tmp_path: Path):
    path = tmp_path / "fifo"
    os.mkfifo(path, 0o600)
    read = read_all(path)

    write(path)

    assert read() == b"new\n"
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert is_stream(path)
    assert parts(tmp_path) == []


def test_a_fifo_behind_a_link_is_written_through(tmp_path: Path):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    read = read_all(tmp_path / "fifo")

    write(tmp_path / "link")

    assert read() == b"new\n"
    assert (tmp_path / "link").is_symlink()


def test_compression_goes_through_a_fifo(tmp_path: Path):
    import gzip

    os.mkfifo(tmp_path / "fifo.gz")
    read = read_all(tmp_path / "fifo.gz")

    with atomic(tmp_path / "fifo.gz") as file:
        file.write(b"new\n")

    assert gzip.decompress(read()) == b"new\n"


def device(path: Path, kind: int, number: int) -> Path:
    """A copy of a device, where it can be made and opened."""
    if os.geteuid() != 0:
        pytest.skip("only root can make devices")
    try:
        os.mknod(path, kind | 0o666, number)
        os.close(os.open(path, os.O_WRONLY))
    except OSError as e:
        if kind != stat.S_IFBLK:
            pytest.skip(f"no devices in {path.parent}: {e}")
    return path


def test_a_device_is_written_through_and_stays_one(tmp_path: Path):
    null = device(tmp_path / "null", stat.S_IFCHR, os.makedev(1, 3))

    write(null)

    assert stat.S_ISCHR(null.stat().st_mode)
    assert null.stat().st_rdev == os.makedev(1, 3)


def test_a_full_device_is_an_error_and_stays_a_device(tmp_path: Path):
    full = device(tmp_path / "full", stat.S_IFCHR, os.makedev(1, 7))

    with pytest.raises(InputError, match=r"cannot write .*full': No space left on device\."):
        write(full)

    assert stat.S_ISCHR(full.stat().st_mode)


def test_a_disk_is_refused(tmp_path: Path):
    disk = device(tmp_path / "disk", stat.S_IFBLK, os.makedev(7, 4000))  # a loop device that nobody has

    with pytest.raises(InputError, match="it is a disk"):
        write(disk)


@pytest.mark.parametrize("folder", ["/dev/fd", "/proc/self/fd", "/proc/PID/fd"])
def test_a_descriptor_is_written_through(folder: str):
    folder = folder.replace("PID", str(os.getpid()))
    if not Path(folder).exists():
        pytest.skip(f"no {folder} here")
    read, into = os.pipe()

    write(Path(folder, str(into)))
    os.close(into)

    assert os.read(read, 100) == b"new\n"
    os.close(read)


def test_a_descriptor_of_a_file_goes_on_where_it_stands(tmp_path: Path):
    if not Path("/dev/fd").exists():
        pytest.skip("no /dev/fd here")
    with (tmp_path / "log.txt").open("ab") as file:
        file.write(b"before\n")
        file.flush()
        write(Path(f"/dev/fd/{file.fileno()}"))
        file.write(b"after\n")

    assert (tmp_path / "log.txt").read_bytes() == b"before\nnew\nafter\n"


@pytest.mark.parametrize("name", ["fifo.trec", "fifo.csv", "fifo.jsonl", "fifo.parquet", "fifo.csv.gz"])
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, name: str):
    os.mkfifo(tmp_path / name)

    def first() -> None:
        with (tmp_path / name).open("rb") as file:
            file.read(1)

    thread = threading.Thread(target=first, daemon=True)
    thread.start()

    rg.Run.of(
        {f"q{i}": [f"{i * 7919 % 1_000_003}-{j * 104_729 % 999_983}" for j in range(100)] for i in range(300)}
    ).write(tmp_path / name)

    thread.join(10)


def test_a_dash_is_standard_output(capfdbinary: pytest.CaptureFixture[bytes]):
    print("before")
    write(STANDARD_OUTPUT, b"\x00\xff\n")
    print("after")

    assert capfdbinary.readouterr().out == b"before\n\x00\xff\nafter\n"
    assert not Path("-").exists()


def test_nothing_of_a_failed_block_reaches_standard_output(capfdbinary: pytest.CaptureFixture[bytes]):
    def fail() -> None:
        with writing(STANDARD_OUTPUT) as file:
            file.write(b"half")
            raise ValueError("half")

    with pytest.raises(ValueError, match="half"):
        fail()

    assert capfdbinary.readouterr().out == b""


# every writer

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
RUNS = {"old": {"q1": ["a", "b"], "q2": ["x", "c"]}, "new": {"q1": ["b", "a"], "q2": ["c", "x"]}}


def state() -> rg.PredictionState:
    out = rg.PredictionState()
    out.update([0, 1, 1], [0.2, 0.7, 0.4])
    return out


def lists() -> object:
    from rankgauge.behavior import interleave

    return interleave(RUNS["old"], RUNS["new"])


WRITERS: dict[str, Callable[[Path], object]] = {
    **{
        f"run.{end}": lambda path: rg.Run.of(RUNS["old"]).write(path)
        for end in ("trec", "csv", "tsv", "jsonl", "parquet", "arrow", "csv.gz")
    },
    "qrels.txt": lambda path: rg.Qrels.of(QRELS).write(path, format="trec"),
    "page.html": lambda path: rg.report(rg.evaluate(QRELS, RUNS["old"], "RR"), path),
    "record.json": lambda path: rg.evaluate(QRELS, RUNS["old"], "RR").to_json(path),
    "chart.svg": lambda path: rg.plot(rg.evaluate(QRELS, RUNS["old"], "RR"), path=path),
    "calibrator.json": lambda path: rg.fit_calibrator("odds", [0, 1, 0, 1], [0.2, 0.6, 0.4, 0.7]).save(path),
    "state.bin": lambda path: state().save(path),
    "lists.csv": lambda path: lists().write(path),  # type: ignore[attr-defined]
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_writer_keeps_links_and_modes(tmp_path: Path, name: str):
    target = tmp_path / "there" / f"target.{name.partition('.')[2]}"
    target.parent.mkdir()
    target.write_bytes(b"old\n")
    target.chmod(0o600)
    (tmp_path / name).symlink_to(target)

    WRITERS[name](tmp_path / name)

    assert (tmp_path / name).is_symlink()
    assert target.read_bytes() != b"old\n"
    assert mode(target) == 0o600
    assert parts(target.parent) == []


def test_the_demo_does_not_write_over_other_files(tmp_path: Path):
    from rankgauge import demo

    (tmp_path / "bm25.run").write_bytes(b"mine\n")

    with pytest.raises(InputError, match=r"hold something else: '.*bm25\.run'\. Name another folder"):
        demo.save(demo.shop(), tmp_path)

    assert [p.name for p in tmp_path.iterdir()] == ["bm25.run"]


def test_the_demo_can_be_saved_twice(tmp_path: Path):
    from rankgauge import demo

    first = {p: p.stat().st_mtime_ns for p in demo.save(demo.shop(), tmp_path)}

    assert {p: p.stat().st_mtime_ns for p in demo.save(demo.shop(), tmp_path)} == first


# nobody else opens files for writing

WAYS = {
    *("write_text", "write_bytes", "touch", "symlink_to", "hardlink_to", "link_to", "rename", "replace", "truncate"),
    *("write_csv", "write_parquet", "write_ipc", "write_ipc_stream", "write_ndjson", "write_json", "write_avro"),
    *("write_excel", "write_database", "sink_csv", "sink_parquet", "sink_ipc", "sink_ndjson"),
    *("to_parquet", "to_pickle", "tofile", "savefig", "savetxt", "savez", "dump", "parquet"),
    *("TemporaryFile", "NamedTemporaryFile", "SpooledTemporaryFile", "TemporaryDirectory", "mkstemp", "mkdtemp"),
    *("ParquetWriter", "write_table", "copyfile", "copy2", "move", "copytree"),
}
HANDED = {"file", "buffer"}  # what such a call gets from the door, or in memory
DOOR = {
    "_output.py: os.open",  # itself
    "_output.py: part.replace",
    "cli/terminal.py: os.open",  # os.devnull, in place of a closed stream
    "cli/unexpected.py: tempfile.mkstemp",  # the details of an error, where nothing else works any more
    "web/jobs.py: tempfile.mkdtemp",  # a room of the server's own for what is uploaded, away when it ends
    "engines/spill.py: tempfile.TemporaryFile",  # without a name
    "_piped.py: tempfile.TemporaryFile",  # the same, for what came through a pipe
    "_piped.py: tempfile.NamedTemporaryFile",  # where the system has no files without a name
    "_piped.py: open",  # in memory
    "engines/spark/record.py: self.per_query.write.mode('overwrite' if overwrite else 'error').parquet",  # Spark's own
}


def opens_for_writing(call: ast.Call) -> bool:
    called = call.func
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    if name != "open" and name not in WAYS:
        return False
    owner = ast.unparse(called.value) if isinstance(called, ast.Attribute) else ""
    if name == "open":
        if owner == "os":
            return True
        given = [*call.args, *(k.value for k in call.keywords if k.arg == "mode")]
        words = [a.value for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        return any(set(w) & set("wax+") and set(w) <= set("rwaxbt+") for w in words)
    if name == "replace":  # texts and records have one, too
        return owner == "os" or (owner in ("part", "path", "target") and len(call.args) == 1)
    if name in ("rename", "touch", "truncate", "dump"):
        return owner in ("os", "path", "target", "json", "pickle")
    if name in {"write_text", "write_table"}:
        return isinstance(called, ast.Attribute) and owner not in ("import_module('rankgauge.data.formats.write')",)
    return not (name.startswith("write_") and all(ast.unparse(a) in HANDED for a in call.args[:1]))


def test_nothing_is_opened_for_writing_beside_the_door():
    found = {f"{name}: {ast.unparse(node.func)}" for name, node in every(ast.Call) if opens_for_writing(node)}

    assert found == DOOR


@pytest.mark.parametrize(
    "line",
    [
        "open('x', 'w')",
        "open(path, mode='ab')",
        "path.open('wb')",
        "gzip.open(path, 'wb')",
        "os.open(path, flags)",
        "Path(p).write_bytes(data)",
        "path.write_text(text)",
        "frame.write_csv(path)",
        "frame.sink_parquet(path)",
        "os.replace(a, b)",
        "path.replace(other)",
        "tempfile.mkstemp()",
    ],
)
def test_the_census_sees(line: str):
    call = ast.parse(line).body[0]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    assert opens_for_writing(call.value)


def test_a_store_is_never_replaced(tmp_path: Path):
    with rg.History(tmp_path / "h.db") as h:
        h.event("note", "kept")
    before = (tmp_path / "h.db").read_bytes()
    (tmp_path / "link").symlink_to(tmp_path / "h.db")

    for name in ("h.db", "link"):
        with pytest.raises(InputError, match=r"it is a store \(SQLite\).*name another file"), writing(tmp_path / name):
            pass

    assert (tmp_path / "h.db").read_bytes() == before
