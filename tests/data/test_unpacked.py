"""Archives: what they hold, and that nobody can fill the memory with one."""

import bz2
import gzip
import lzma
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

import rankgauge as rg
from rankgauge import _unpacked
from rankgauge._unpacked import limit_unpacked, most_unpacked, unpacked
from rankgauge.data.document_texts import read_texts
from rankgauge.errors import InputError, MissingExtra, ParameterError

TEXT = "query_id,doc_id,score\n" + "".join(f"q{i // 10},d{i},{i}.5\n" for i in range(2000))


def zstd(data: bytes) -> bytes:
    return bytes(pa.compress(data, codec="zstd", asbytes=True))


PACK = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": zstd}
SUFFIX = {"gzip": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst"}
KINDS = pytest.mark.parametrize("kind", PACK)


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    limit_unpacked(None)


@KINDS
def test_a_limit_is_kept_to_the_byte(kind: str):
    packed = PACK[kind](TEXT.encode())

    limit_unpacked(len(TEXT))
    assert unpacked(packed, kind, "run") == TEXT.encode()
    limit_unpacked(len(TEXT) - 1)
    with pytest.raises(InputError, match=r"^run must unpack to at most .* If it is sound, unpack it to a file"):
        unpacked(packed, kind, "run")


@KINDS
def test_parts_one_behind_the_other_count_together(kind: str):
    a, b = TEXT[:500].encode(), TEXT[500:].encode()
    if kind == "zstd" and sys.version_info < (3, 14):  # told by its blocks, unpacked by Polars
        assert _unpacked._zstd_bound(zstd(a) + zstd(b)) == len(TEXT)
        return
    packed = PACK[kind](a) + PACK[kind](b)

    assert unpacked(packed, kind, "run") == TEXT.encode()
    limit_unpacked(600)
    with pytest.raises(InputError, match="must unpack to at most 600 bytes"):
        unpacked(packed, kind, "run")


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_nothing_like_its_content_is_ever_in_memory(kind: str, tmp_path: Path):
    """60 MB of zeros in a file of a few kilobytes, in a process that may unpack 1 MB of it."""
    (tmp_path / f"run.csv{SUFFIX[kind]}").write_bytes(PACK[kind](b"query_id,doc_id,score\nq," + bytes(60_000_000)))
    script = (
        "import resource, sys, rankgauge as rg\nrg.read_run('small.csv')\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"try: rg.read_run('run.csv{SUFFIX[kind]}')\n"
        "except rg.errors.InputError as e: print(str(e)[:60])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000)"
    )
    (tmp_path / "small.csv").write_text(TEXT)
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "RANKGAUGE_MAX_UNPACKED": "1MB"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    said, is_small = done.stdout.splitlines()
    assert said.startswith(f"run 'run.csv{SUFFIX[kind]}' must unpack to at most 1.0 MiB")
    assert is_small == "True"


def test_the_command_line_says_it_with_an_option(tmp_path: Path):
    (tmp_path / "run.csv.gz").write_bytes(gzip.compress(TEXT.encode()))
    (tmp_path / "qrels.txt").write_text("q1 0 d11 1\n")

    def evaluate(*more: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "rankgauge", "evaluate", "qrels.txt", "run.csv.gz", "-m", "RR", *more]
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)

    refused = evaluate("--max-unpacked", "10kB")
    assert (refused.returncode, "Traceback" in refused.stderr) == (2, False)
    assert refused.stderr.startswith("Error: run 'run.csv.gz' must unpack to at most 10.0 KiB")
    assert evaluate("--max-unpacked", "1MB").returncode == 0
    assert "--max-unpacked must be a size such as" in evaluate("--max-unpacked", "much").stderr


def test_texts_are_streamed_whatever_their_size_but_no_line_is_endless(tmp_path: Path):
    lines = "".join(f'{{"_id": "d{i}", "text": "text {i}"}}\n' for i in range(1000))
    (tmp_path / "corpus.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    limit_unpacked(1000)

    assert read_texts(tmp_path / "corpus.jsonl.gz", ["d999"])["d999"].text == "text 999"
    (tmp_path / "corpus.jsonl.gz").write_bytes(gzip.compress(b'{"_id": "d1", "text": "' + bytes(2000)))
    with pytest.raises(InputError, match="must unpack to at most 1000 bytes"):
        read_texts(tmp_path / "corpus.jsonl.gz", ["d1"])


def test_clean_trec_files_too(tmp_path: Path):
    (tmp_path / "a.run.gz").write_bytes(gzip.compress(b"q1 Q0 d1 1 1.5 x\n" * 1000))
    limit_unpacked(1000)

    with pytest.raises(InputError, match=r"run 'a\.run\.gz' must unpack to at most 1000 bytes"):
        rg.read_run(tmp_path / "a.run.gz")


def test_what_is_allowed_unless_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("RANKGAUGE_MAX_UNPACKED", raising=False)
    monkeypatch.setattr(_unpacked, "available", lambda: 64 << 30)

    assert most_unpacked(1000) == 1 << 30  # small archives: 1 GiB
    assert most_unpacked(100 << 20) == 200 * (100 << 20)  # two hundred times their size
    assert most_unpacked(10 << 30) == 32 << 30  # at most half of the memory
    monkeypatch.setenv("RANKGAUGE_MAX_UNPACKED", "3GiB")
    assert most_unpacked(1000) == 3 << 30
    monkeypatch.setenv("RANKGAUGE_MAX_UNPACKED", "lots")
    with pytest.raises(ParameterError, match="`RANKGAUGE_MAX_UNPACKED` must be a size such as"):
        most_unpacked(1000)


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz"])
def test_cut_off_archives(kind: str, tmp_path: Path):
    (tmp_path / f"run.csv{SUFFIX[kind]}").write_bytes(PACK[kind](TEXT.encode())[:-5])

    with pytest.raises(InputError, match="damaged or cut-off"):
        rg.read_run(tmp_path / f"run.csv{SUFFIX[kind]}")


# what is packed need not be text


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_columns_packed_by_zstandard_are_read(tmp_path: Path, form: str):
    import polars as pl

    plain = tmp_path / f"x.{form}"
    frame = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [1.0, 2.0]})
    (frame.write_parquet if form == "parquet" else frame.write_ipc)(plain)
    packed = tmp_path / f"x.{form}.zst"
    packed.write_bytes(zstd(plain.read_bytes()))

    assert rg.Run(packed).to_dict() == {"q": {"a": 1.0, "b": 2.0}}


def test_columns_packed_by_zstandard_without_a_library_for_it_say_what_is_missing(tmp_path: Path, monkeypatch):
    import polars as pl

    plain = tmp_path / "x.parquet"
    pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.0]}).write_parquet(plain)
    packed = tmp_path / "x.parquet.zst"
    packed.write_bytes(zstd(plain.read_bytes()))
    for name in ("compression", "zstandard", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)

    with pytest.raises(MissingExtra, match=r"is no text, and reading that needs Python 3\.14 or another package"):
        rg.Run(packed)
