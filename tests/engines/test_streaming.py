"""A run read in pieces gives what the same run gives in memory, to the last bit."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.data import Qrels
from rankgauge.data.batches import batches_of
from rankgauge.engines import streaming
from rankgauge.engines.streaming import measure_in_pieces
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation import of_rankings

MEASURES = ["nDCG@5", "AP", "RR", "R@5", "ERR@5", "RBP(graded=max)", "GMAP", "NumRel", "bpref", "Judged@5"]


def tables(seed: int, *, headings: bool = False) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgements and a run with ties, repeats, NaN scores, queries that only one side has; rows query by query."""
    rng = np.random.default_rng(seed)
    n_queries = 40
    lengths = rng.integers(1, 30, n_queries)
    lengths[7] = 300
    query = np.repeat(np.arange(n_queries), lengths)
    n = len(query)
    run = pl.DataFrame(
        {
            "query_id": [f"q{i}" for i in query],
            "doc_id": [f"d{i}" for i in rng.integers(0, 200, n)],
            "score": rng.choice([0.5, 1.0, 1.5, 2.0, np.nan], n, p=[0.3, 0.3, 0.2, 0.19, 0.01])
            + rng.choice([0, 0.01], n),
        }
    )
    judged = np.repeat(rng.permutation(np.arange(5, n_queries + 5)), 8)  # five queries on each side alone
    qrels = pl.DataFrame(
        {
            "query_id": [f"q{i}" for i in judged],
            "doc_id": [f"d{i}" for i in rng.integers(0, 200, len(judged))],
            "grade": rng.integers(-1, 4, len(judged)).astype(float),
        }
    ).unique(["query_id", "doc_id"], maintain_order=True)
    if headings:
        qrels = qrels.with_columns(iteration=pl.Series(rng.integers(0, 3, qrels.height)).cast(pl.String))
    return qrels, run


def outcome(ev: rg.RankingEvaluation) -> dict[str, Any]:
    return {
        "queries": list(ev.query_ids),
        "per_query": {c.label: [repr(v) for v in c.values.tolist()] for c in ev.columns},
        "counted": {c.label: c.counted.tolist() for c in ev.columns},
        "means": {k: repr(v) for k, v in ev.mean().items()},
        "intervals": {c.label: [repr(x) for x in ev.interval(c.label)] for c in ev.columns},
        "tie_widths": {c.label: repr(c.tie_width) for c in ev.columns},
        "counts": dict(ev.counts),
        "measures": [str(m) for m in ev.measures],
    }


def with_room_for(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So little memory that only about so many rows fit."""
    monkeypatch.setattr(of_rankings, "room_of", lambda memory: lambda: rows * streaming.WORK * streaming._WIDTH)


@pytest.mark.slow
@pytest.mark.parametrize("rows", [10_000, 400, 80], ids=["blocks", "buckets", "long lists"])
@pytest.mark.parametrize("ties", ["doc_id", "input", "expected"])
@pytest.mark.parametrize("scattered", [False, True], ids=["together", "scattered"])
def test_pieces_give_the_numbers_of_the_whole(ties: str, rows: int, scattered: bool, monkeypatch: pytest.MonkeyPatch):
    for seed in range(3):
        qrels, run = tables(seed)
        if scattered:
            run = run.sample(fraction=1, shuffle=True, seed=seed)
        options = {"ties": ties, "average": "micro" if seed == 2 else "macro"}
        wanted = rg.evaluate(qrels, run, MEASURES, **options)
        with monkeypatch.context() as patch:
            with_room_for(rows, patch)
            found = rg.evaluate(qrels, run.lazy(), MEASURES, **options)

        assert outcome(found) == outcome(wanted)


@pytest.mark.parametrize("rows", [10_000, 400, 80], ids=["blocks", "buckets", "long lists"])
def test_judgements_by_heading(rows: int, monkeypatch: pytest.MonkeyPatch):
    qrels, run = tables(4, headings=True)
    measures = ["nDCG@5", "alpha_nDCG@5", "ERR_IA@5", "StRecall@5"]
    wanted = rg.evaluate(qrels, run, measures)
    with_room_for(rows, monkeypatch)

    assert outcome(rg.evaluate(qrels, run.lazy(), measures)) == outcome(wanted)


@pytest.mark.parametrize("headings", [False, True])
def test_judgements_larger_than_memory(tmp_path: Path, headings: bool, monkeypatch: pytest.MonkeyPatch):
    qrels, run = tables(5, headings=headings)
    qrels = qrels.sample(fraction=1, shuffle=True, seed=1)
    qrels.write_parquet(tmp_path / "qrels.parquet")
    run.write_parquet(tmp_path / "run.parquet")
    wanted = rg.evaluate(qrels, run, MEASURES)
    with_room_for(100, monkeypatch)
    found = rg.evaluate(tmp_path / "qrels.parquet", tmp_path / "run.parquet", MEASURES)

    assert found.judged is None
    assert found.aligned is None
    assert outcome(found) == outcome(wanted)
    small_run = run.filter(pl.col("query_id") == "q9")
    assert outcome(rg.evaluate(tmp_path / "qrels.parquet", small_run, MEASURES)) == outcome(
        rg.evaluate(qrels, small_run, MEASURES)
    )


def test_a_list_longer_than_memory_is_cut(monkeypatch: pytest.MonkeyPatch):
    """The way is taken, not only the numbers right: query 7 has 300 rows, 20 fit."""
    cut: list[int] = []
    align_long = streaming.align_long
    monkeypatch.setattr(
        streaming, "align_long", lambda qrels, pieces, *a, **k: cut.append(1) or align_long(qrels, pieces, *a, **k)
    )
    qrels, run = tables(0)
    with_room_for(100, monkeypatch)
    rg.evaluate(qrels, run.lazy(), "nDCG@5")

    assert cut == [1]


def test_what_fits_is_read_at_once_and_what_does_not_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    qrels, run = tables(1)
    run.write_parquet(tmp_path / "run.parquet")
    ways: list[str] = []
    real = streaming.measure_in_pieces
    monkeypatch.setattr(streaming, "measure_in_pieces", lambda *a, **k: ways.append("pieces") or real(*a, **k))

    rg.evaluate(qrels, tmp_path / "run.parquet", "AP", memory="1GiB")
    assert ways == []
    rg.evaluate(qrels, tmp_path / "run.parquet", "AP", engine="streaming", memory="1GiB")
    assert ways == ["pieces"]
    with_room_for(300, monkeypatch)
    rg.evaluate(qrels, tmp_path / "run.parquet", "AP")
    assert ways == ["pieces"] * 2
    rg.evaluate(qrels, tmp_path / "run.parquet", "AP", engine="memory")
    assert ways == ["pieces"] * 2


def test_a_small_lazy_run_has_everything_that_a_frame_has():
    qrels, run = tables(2)
    wanted, found = rg.evaluate(qrels, run, MEASURES), rg.evaluate(qrels, run.lazy(), MEASURES)

    assert str(found) == str(wanted)
    assert rg.by_cutoff(found).to_dict() == rg.by_cutoff(wanted).to_dict()
    assert rg.compare(qrels, {"a": run, "b": run.lazy()}, "nDCG@5")["nDCG@5", "b"].difference == 0
    assert found.source is not None


def test_several_runs_and_slices_and_weights(tmp_path: Path):
    qrels, run = tables(3)
    run.write_parquet(tmp_path / "a.parquet")
    run.with_columns(-pl.col("score")).write_parquet(tmp_path / "b.parquet")
    files = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    queries = qrels["query_id"].unique().to_list()
    about: dict[str, Any] = {
        "weights": {q: 1 + len(q) for q in queries},
        "slices": {q: {"parity": int(q[1:]) % 2} for q in queries},
    }
    wanted = rg.evaluate(qrels, files, MEASURES, **about)
    found = rg.evaluate(qrels, files, MEASURES, **about, engine="streaming")

    assert list(found) == ["a", "b"]
    for name in found:
        assert outcome(found[name]) == outcome(wanted[name])
        assert found[name].slices.equals(wanted[name].slices)


@pytest.mark.parametrize("policy", [{"missing": "error"}, {"duplicates": "error"}])
def test_what_the_policy_refuses_is_refused_in_the_same_words(policy: dict[str, str]):
    qrels, run = tables(1)
    said = []
    for given in (run, run.lazy()):
        with pytest.raises(InputError) as error:
            rg.evaluate(qrels, given, "AP", **policy)
        said.append(str(error.value))

    assert said[0] == said[1]


def test_judgements_of_nothing_that_is_shown():
    qrels, run = tables(1)
    elsewhere = qrels.with_columns(query_id=pl.lit("x") + pl.col("query_id"))

    assert outcome(rg.evaluate(elsewhere, run.lazy(), MEASURES)) == outcome(rg.evaluate(elsewhere, run, MEASURES))


def test_engines_are_words_and_inputs_must_fit_them():
    qrels, run = tables(1)

    with pytest.raises(ParameterError, match="`engine` must be one of auto, memory, streaming, spark, got 'sparc'"):
        rg.evaluate(qrels, run, "AP", engine="sparc")
    with pytest.raises(ParameterError, match=r"engine='streaming' reads Parquet files.*got a DataFrame as run"):
        rg.evaluate(qrels, run, "AP", engine="streaming")


def test_a_large_alignment_is_not_kept(monkeypatch: pytest.MonkeyPatch):
    qrels, run = tables(1)
    with_room_for(50, monkeypatch)
    found = rg.evaluate(qrels, run.lazy(), MEASURES)

    assert found.aligned is None
    assert found.source is None
    with pytest.raises(rg.errors.RankgaugeError):
        rg.by_cutoff(found)


def test_progress_names_the_run_and_counts_rows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    from rich.console import Console

    shown = io.StringIO()
    monkeypatch.setattr(
        "rich.console.Console",
        lambda **k: Console(file=shown, force_terminal=True, width=100, **{**k, "stderr": False}),
    )
    qrels, run = tables(1)
    run.write_parquet(tmp_path / "big.parquet")
    rg.evaluate(qrels, tmp_path / "big.parquet", "AP", engine="streaming", progress=True)

    assert "evaluating big" in shown.getvalue()
    assert f"{run.height}/{run.height}" in shown.getvalue()


def test_scattered_rows_are_noticed_whatever_the_batch(tmp_path: Path):
    """A query that comes back after others, in the same piece or in a later one."""
    qrels = Qrels.of({"a": ["1"], "b": ["2"]})
    run = pl.DataFrame({"query_id": ["a", "b", "a"], "doc_id": ["3", "2", "1"], "score": [3.0, 2.0, 1.0]})
    wanted = rg.evaluate(qrels, run, "RR")
    policy = wanted.policy
    for memory in (10**9, 8 * streaming.WORK * streaming._WIDTH):  # one piece; row by row
        pieces = batches_of(run.lazy(), "run")
        found = measure_in_pieces(qrels, pieces, [("RR", rg.parse("RR"))], policy, memory=memory)
        assert found.measured.columns[0].values.tolist() == [0.5, 1.0]
