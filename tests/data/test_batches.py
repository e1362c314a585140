"""Tables in pieces: what can be read so, and that nothing is lost or changed on the way."""

from pathlib import Path

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.data.batches import batches_of
from rankgauge.errors import InputError

RUN = pl.DataFrame(
    {
        "query_id": [f"q{i // 10}" for i in range(100)],
        "doc_id": [f"d{i % 37}" for i in range(100)],
        "score": [float(100 - i) for i in range(100)],
    }
)


def whole(found, rows: int = 7) -> pl.DataFrame:
    return pl.concat(list(found.frames(rows)))


def test_a_parquet_file(tmp_path: Path):
    RUN.write_parquet(tmp_path / "bm25.parquet")
    found = batches_of(tmp_path / "bm25.parquet", "run")

    assert (found.name, found.rows) == ("bm25", 100)
    assert whole(found).equals(RUN)
    assert whole(found).equals(RUN)  # as often as asked
    assert found.size == pytest.approx(RUN.estimated_size() + 100 * 2 * 16, rel=0.1)


def test_a_folder_as_spark_writes_it(tmp_path: Path):
    for i, part in enumerate(RUN.partition_by("query_id")):
        folder = tmp_path / "run" / f"shard={i % 2}"
        folder.mkdir(parents=True, exist_ok=True)
        part.write_parquet(folder / f"part-{i:05d}.parquet")
    (tmp_path / "run" / "_SUCCESS").touch()
    (tmp_path / "run" / "shard=0" / ".part-00000.parquet.crc").write_bytes(b"crc")

    found = batches_of(tmp_path / "run", "run")

    assert whole(found).sort("score", descending=True).equals(RUN)
    assert rg.Run.read(tmp_path / "run").to_frame().sort("score", descending=True).equals(RUN)


def test_a_pattern(tmp_path: Path):
    RUN[:50].write_parquet(tmp_path / "a-1.parquet")
    RUN[50:].write_parquet(tmp_path / "a-2.parquet")
    RUN[:5].write_parquet(tmp_path / "b-1.parquet")

    assert whole(batches_of(str(tmp_path / "a-*.parquet"), "run")).equals(RUN)
    assert rg.read_run(tmp_path / "a-*.parquet").to_frame().equals(RUN)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "trec"])
def test_a_folder_of_other_files(tmp_path: Path, suffix: str):
    for name, part in (("1", RUN[:30]), ("2", RUN[30:])):
        rg.Run.from_frame(part).write(tmp_path / f"{name}.{suffix}", format=suffix)

    assert whole(batches_of(tmp_path, "run")).equals(RUN)
    assert rg.read_run(tmp_path).to_frame().select(RUN.columns).equals(RUN)
    assert "read 2 files as one" in rg.read_run(tmp_path).notes


def test_a_lazy_frame_with_other_names():
    found = batches_of(RUN.lazy().rename({"query_id": "qid", "score": "sim"}), "run")

    assert whole(found).equals(RUN)
    assert (found.size, found.rows) == (None, None)
    assert set(found.notes) == {"read 'qid' as query_id", "read 'sim' as score"}


def test_columns_that_are_told(tmp_path: Path):
    RUN.rename({"query_id": "who", "doc_id": "what"}).write_parquet(tmp_path / "x.parquet")

    assert whole(batches_of(tmp_path / "x.parquet", "run", {"who": "query_id", "what": "doc_id"})).equals(RUN)


def test_what_is_in_memory_or_one_text_file_is_not_read_in_pieces(tmp_path: Path):
    rg.Run.from_frame(RUN).write(tmp_path / "x.trec")

    assert batches_of(RUN, "run") is None
    assert batches_of({"q": ["d"]}, "run") is None
    assert batches_of(tmp_path / "x.trec", "run") is None
    assert batches_of(tmp_path / "none.parquet", "run") is None


def test_an_error_names_the_row_of_the_whole_table(tmp_path: Path):
    RUN.with_columns(score=pl.when(pl.col("score") == 12).then(None).otherwise("score")).write_parquet(
        tmp_path / "x.parquet"
    )

    with pytest.raises(InputError, match=r"run 'x.parquet'.*row 89"):
        whole(batches_of(tmp_path / "x.parquet", "run"))


def test_damaged_and_strange_tables(tmp_path: Path):
    (tmp_path / "x.parquet").write_bytes(b"PAR1 and nothing more")

    with pytest.raises(InputError, match=r"run 'x.parquet' cannot be read"):
        batches_of(tmp_path / "x.parquet", "run")
    with pytest.raises(InputError, match="columns missing from run"):
        batches_of(pl.LazyFrame({"a": [1]}), "run")
