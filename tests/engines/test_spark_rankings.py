"""Rankings on Spark: the same numbers as in memory, values that stay on the cluster, errors that say what is wrong."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankgauge as rg
from rankgauge.engines.spark.rankings import evaluate_on_spark
from rankgauge.evaluation.rankings.conventions import convention
from rankgauge.evaluation.rankings.naming import as_named
from rankgauge.measures.base import ALIASES, REGISTRY

MEASURES = ["nDCG@10", "AP", "RR@10", "P@5", "R@20", "ERR@10", "num_ret", "relstring", "GMAP"]


def random_tables(rng: np.random.Generator, n_queries: int = 30) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgements and a run with ties, repeated results, NaN, queries of one side only, none relevant, in no order."""
    judged = [
        (q, d, int(rng.integers(0, 3)) if q % 7 else 0) for q in range(n_queries) for d in rng.choice(60, 9, False)
    ]
    shown = [
        (q, d, round(float(rng.normal()), 1) if rng.random() > 0.02 else float("nan"))
        for q in range(4, n_queries + 5)
        for d in rng.choice(60, 25)
    ]
    qrels = pl.DataFrame(judged, ["query_id", "doc_id", "grade"], orient="row")
    run = pl.DataFrame(shown, ["query_id", "doc_id", "score"], orient="row")
    ids = [pl.format("q{}", "query_id").alias("query_id"), pl.format("d{}", "doc_id").alias("doc_id")]
    return qrels.with_columns(ids), run.with_columns(ids).sample(fraction=1, shuffle=True, seed=1)


def assert_same(ours: Any, memory: rg.Evaluation) -> None:
    """To the last bit, but for intervals."""
    here = ours.collect()

    assert here.per_query.equals(memory.per_query.sort("query_id"), null_equal=True)
    assert ours.counts == here.counts == memory.counts
    assert ours.labels == memory.labels
    for label in memory.labels:
        for ev in (ours, here):
            np.testing.assert_equal(ev[label], memory[label])
            assert ev.n(label) == memory.n(label)
            assert ev.column(label).measure == memory.column(label).measure
            if not np.isnan(width := memory.column(label).tie_width):  # a query without a value
                assert ev.column(label).tie_width == width
            np.testing.assert_allclose(ev.interval(label), memory.interval(label), rtol=0, atol=1e-12)


POLICIES: list[dict[str, Any]] = [  # test_parity.py has them all; here are repeated results and NaN as well
    {"ties": "input", "no_relevant": "nan"},
    {"unjudged": "remove", "depth": 12, "convention": "trec_eval-9"},
]


@pytest.mark.parametrize("policy", POLICIES, ids=str)
def test_same_numbers_as_in_memory(spark: Any, policy: dict[str, Any]):
    qrels, run = random_tables(np.random.default_rng(3))

    ours = rg.evaluate(qrels, run, MEASURES, engine="spark", **policy)

    memory = rg.evaluate(qrels, run, MEASURES, **policy)
    assert memory.counts["tied_queries"]
    assert memory.counts["duplicates"]
    assert memory.counts["nan_scores"]
    assert_same(ours, memory)


def test_spark_frames_with_other_names_and_types_of_ids(spark: Any):
    rng = np.random.default_rng(4)
    qrels = pl.DataFrame({"qid": rng.integers(0, 9, 40), "docno": rng.integers(0, 9, 40), "rel": 1}).unique()
    run = pl.DataFrame(
        {"qid": rng.integers(0, 9, 60) + 0.0, "docno": rng.integers(0, 9, 60), "sim": rng.normal(size=60)}
    )

    ours = rg.evaluate(spark_frame(spark, qrels), spark_frame(spark, run), ["AP", "P@5"])

    memory = rg.evaluate(qrels, run, ["AP", "P@5"])
    assert_same(ours, memory)
    assert ours.notes == memory.notes


def test_scores_as_text_and_ranks_without_scores_are_read_as_in_memory(spark: Any):
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    as_text = pl.DataFrame({"query_id": [1, 1, 2], "doc_id": ["a", "b", "b"], "score": [" 1e-1", "+.5", "inf"]})
    as_ranks = pl.DataFrame({"query_id": [1, 1, 2], "doc_id": ["a", "b", "b"], "rank": [2, 1, 1]})

    for run in (as_text, as_ranks):
        ours = rg.evaluate(qrels, spark_frame(spark, run), ["RR"])

        memory = rg.evaluate(qrels, run, ["RR"])
        assert_same(ours, memory)
        assert ours.notes == memory.notes


def test_headings_of_judgements(spark: Any):
    rng = np.random.default_rng(5)
    qrels, run = random_tables(rng, 12)
    qrels = qrels.with_columns(iteration=pl.Series(rng.integers(0, 3, qrels.height)).cast(pl.String))
    measures = ["alpha_nDCG@10", "nDCG@10"]

    assert_same(rg.evaluate(qrels, run, measures, engine="spark"), rg.evaluate(qrels, run, measures))


@pytest.mark.parametrize("duplicates", ["first", "keep"])
def test_dicts_with_empty_lists_and_repeated_ids(spark: Any, duplicates: str):
    qrels = {"1": ["a"], "2": ["b"], "3": ["c"]}
    run = {"1": ["x", "x", "a", "x"], "2": []}

    ours = rg.evaluate(qrels, run, "RR", engine="spark", duplicates=duplicates)

    assert_same(ours, rg.evaluate(qrels, run, "RR", duplicates=duplicates))


def test_several_runs(spark: Any):
    qrels, run = random_tables(np.random.default_rng(6), 8)
    runs = {"a": spark_frame(spark, run), "b": spark_frame(spark, run.filter(pl.col("score") > 0))}

    ours = rg.evaluate(qrels, runs, ["nDCG@10", "AP"])

    memory = rg.evaluate(qrels, {"a": run, "b": run.filter(pl.col("score") > 0)}, ["nDCG@10", "AP"])
    assert ours.mean() == memory.mean()
    assert str(ours) == str(memory)
    assert ours.per_query.columns == memory.per_query.columns
    here = pl.from_arrow(ours.per_query.toArrow())
    assert isinstance(here, pl.DataFrame)
    assert here.sort("run", "query_id").equals(memory.per_query.sort("run", "query_id"), null_equal=True)
    verdicts = [rg.compare(evs).verdict("AP", "b") for evs in (ours.collect(), memory)]
    assert verdicts[0] == verdicts[1]
    with pytest.raises(rg.errors.ParameterError, match=r"ev\.collect\(\)"):
        rg.compare(ours)
    ours.unpersist()


# weights and slices


def test_weights_and_slices(spark: Any):
    qrels, run = random_tables(np.random.default_rng(7))
    weights = {f"q{i}": i / 3 for i in range(30)}
    slices = {f"q{i}": {"odd": i % 2 == 1, "third": i % 3 or None, "name": f"n{i}{'x' * 60}"} for i in range(29)}
    many = {**slices, **{f"q{i}": {"odd": True} for i in range(29, 90)}}

    ours = rg.evaluate(qrels, run, MEASURES, weights=weights, slices=many, engine="spark")

    memory = rg.evaluate(qrels, run, MEASURES, weights=weights, slices=many)
    assert_same(ours, memory)
    assert ours.slices.equals(memory.slices, null_equal=True)
    assert ours.collect().slices.equals(memory.slices, null_equal=True)
    # queries with a row and without a value of one attribute are told in memory only
    assert ours.notes == tuple(note for note in memory.notes if "have no '" not in note and "has no '" not in note)


def test_weights_and_slices_from_files(spark: Any, tmp_path: Path):
    qrels, run = random_tables(np.random.default_rng(5), 30)
    weights = {f"q{i}": i / 3 for i in range(30)}
    table = pl.DataFrame({"query_id": [*weights], "weight": [*weights.values()]})
    table.write_csv(tmp_path / "weights.csv")
    table.select("query_id", kind=pl.col("weight") > 5).write_csv(tmp_path / "slices.csv")
    files = {"weights": tmp_path / "weights.csv", "slices": tmp_path / "slices.csv"}

    ours = rg.evaluate(qrels, run, ["AP"], **files, engine="spark")

    assert ours["AP"] == rg.evaluate(qrels, run, ["AP"], weights=weights)["AP"]
    assert ours["AP"] == rg.evaluate(qrels, run, ["AP"], **files)["AP"]


def test_weights_and_slices_from_spark(spark: Any):
    qrels, run = random_tables(np.random.default_rng(8))
    ids = [f"q{i}" for i in range(30)]
    weights = pl.DataFrame({"qid": ids, "weight": np.arange(30) / 7})
    slices = pl.DataFrame(
        {"query_id": ids, "third": np.arange(30) % 3, "share": np.arange(30) % 2 / 2, "id": range(30)}
    )

    ours = rg.evaluate(
        qrels, run, ["AP"], weights=spark_frame(spark, weights), slices=spark_frame(spark, slices), engine="spark"
    )

    memory = rg.evaluate(qrels, run, ["AP"], weights=dict(weights.iter_rows()), slices=slices)
    assert_same(ours, memory)
    assert ours.slices.equals(memory.slices, null_equal=True)


def test_attribute_with_many_values_is_no_slice(spark: Any):
    qrels = {f"q{i}": ["a"] for i in range(60)}
    slices = {f"q{i}": {"name": i, "even": i % 2} for i in range(50)}

    ours = rg.evaluate(qrels, qrels, ["RR"], slices=slices, engine="spark")

    memory = rg.evaluate(qrels, qrels, ["RR"], slices=slices)
    assert ours.slices.equals(memory.slices)
    assert set(ours.remarks) == {"attribute 'name' has 51 values and is not used as a slice", *memory.remarks[:1]}


# where rows come from


def test_folders_tables_and_names(spark: Any, tmp_path: Path):
    qrels, run = random_tables(np.random.default_rng(9), 8)
    memory = rg.evaluate(qrels, run, ["AP"])
    (tmp_path / "run").mkdir()
    (tmp_path / "csv").mkdir()
    run[:90].write_parquet(tmp_path / "run" / "part-0.parquet")
    run[90:].write_parquet(tmp_path / "run" / "part-1.parquet")
    run.write_csv(tmp_path / "csv" / "part-0.csv")
    qrels.write_csv(tmp_path / "qrels.csv")
    spark_frame(spark, run).createOrReplaceTempView("shown")

    pattern = tmp_path / "run" / "part-*.parquet"
    for given in (tmp_path / "run", str(tmp_path / "csv"), (tmp_path / "run").as_uri(), "shown", pattern):
        ours = rg.evaluate(tmp_path / "qrels.csv", given, ["AP"], engine="spark")

        assert ours["AP"] == memory["AP"]
        assert ours.qrels == "qrels"
    assert rg.evaluate(qrels, {"a": "shown", "b": "shown"}, ["AP"], engine="spark")["b"]["AP"] == memory["AP"]


def test_neither_file_nor_table(spark: Any):
    with pytest.raises(rg.errors.InputError, match=r"run: no such file, folder or table: 'db\.nothing'"):
        rg.evaluate({"q": ["a"]}, "db.nothing", engine="spark")


# most of the run is not judged


def test_rows_of_unjudged_queries_stay_where_they_are(spark: Any, monkeypatch: pytest.MonkeyPatch):
    qrels, run = random_tables(np.random.default_rng(10))
    few = qrels.filter(pl.col("query_id").is_in(["q5", "q6"]))

    ours = rg.evaluate(few, run, ["AP", "num_ret"], engine="spark")

    plan = ours.table._jdf.queryExecution().toString()
    assert "BroadcastHashJoin" in plan
    assert_same(ours, rg.evaluate(few, run, ["AP", "num_ret"]))


def test_a_row_that_cannot_be_read_is_refused_though_nobody_judged_its_query(spark: Any):
    run = spark.createDataFrame(
        [("q1", "a", 1.0), ("x", "b", None), ("x", "c", 1.0)], "qid string, doc string, score double"
    )

    with pytest.raises(rg.errors.InputError, match="score must be a number, got nothing that is one in 1 rows"):
        rg.evaluate({"q1": ["a"]}, run)


# one query with half of the rows


LONG: list[dict[str, Any]] = [
    {},
    {"duplicates": "keep", "ties": "input"},
    {"ties": "input", "missing": "skip"},
    {"convention": "trec_eval-9"},
    {"duplicates": "keep", "unjudged": "remove"},
]


@pytest.mark.parametrize("policy", LONG, ids=str)
def test_long_lists_are_split_and_keep_their_numbers(
    spark: Any, monkeypatch: pytest.MonkeyPatch, policy: dict[str, Any]
):
    monkeypatch.setattr("rankgauge.engines.spark.splitting._PIECE", 150)
    rng = np.random.default_rng(11)
    qrels, run = random_tables(rng, 12)
    docs = pl.Series(rng.integers(0, 700, 800)).cast(pl.String)
    long = pl.DataFrame({"query_id": "q5", "doc_id": "d" + docs, "score": rng.normal(size=800).round(1)})
    run = pl.concat([run[:100], long, run[100:]])
    conv = convention(policy.get("convention", "rankgauge"))
    words = {k: v for k, v in policy.items() if k != "convention"}
    qrels = qrels.with_columns(iteration=pl.Series(rng.integers(0, 3, qrels.height)).cast(pl.String))

    ours = evaluate_on_spark(
        qrels, run, as_named(MEASURES, conv), conv.applied(**words), convention=conv.name, long_list=500
    )

    assert_same(ours, rg.evaluate(qrels, run, MEASURES, **policy))


def test_gaps_in_a_long_list_are_refused(spark: Any):
    conv = convention("rankgauge")
    run = spark.createDataFrame(
        [("q1", f"d{i}", i / 2 or None) for i in range(9)], "qid string, doc string, score double"
    )

    with pytest.raises(rg.errors.InputError, match="score must be a number"):
        evaluate_on_spark(
            {"q1": ["d3"]}, run, as_named(["AP"], conv), conv.applied(), convention="rankgauge", long_list=5
        )


# what is wrong is said


def test_contradictions_name_the_query(spark: Any):
    qrels = pl.DataFrame({"query_id": ["q7", "q7"], "doc_id": ["a", "a"], "grade": [1, 2]})

    with pytest.raises(rg.errors.InputError, match="query 'q7', 'a' has grades 1 and 2"):
        rg.evaluate(qrels, {"q7": ["a"]}, engine="spark")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [(None, "a", 1.0)],
            "run 'run': query_id must be text or a whole number, got nothing that is one in 1 of 1 rows",
        ),
        ([("q1", "", 1.0)], "run 'run': doc_id must be text or a whole number"),
    ],
)
def test_missing_ids_are_refused(spark: Any, rows: list[Any], said: str):
    run = spark.createDataFrame(rows, "query_id string, doc_id string, score double")

    with pytest.raises(rg.errors.InputError, match=said):
        rg.evaluate({"q1": ["a"]}, run)


def test_grades_must_be_finite(spark: Any):
    qrels = spark.createDataFrame([("q1", "a", float("inf")), ("q1", "b", 1.0)], "qid string, doc string, grade double")

    with pytest.raises(rg.errors.InputError, match=r"qrels 'qrels': grade must be a finite number.* 1 of 2 rows"):
        rg.evaluate(qrels, {"q1": ["a"]})


def test_columns_that_cannot_be_ids_or_numbers_are_refused(spark: Any):
    frame = spark.createDataFrame([(True, "a", ["x"])], "qid boolean, doc string, score array<string>")

    with pytest.raises(
        rg.errors.InputError, match=r"column 'qid': query_id must be text .* got a column of type boolean"
    ):
        rg.evaluate({"q1": ["a"]}, frame)
    with pytest.raises(rg.errors.InputError, match="column 'score': score must be numbers, got a column of type array"):
        rg.evaluate({"q1": ["a"]}, frame.withColumn("qid", frame["doc"]))
    with pytest.raises(rg.errors.InputError, match="columns missing from run: 'score'"):
        rg.evaluate({"q1": ["a"]}, frame.select("doc", "qid"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"missing": "error"}, r"2 of 3 judged queries have no results \(q2, q3\)"),
        ({"duplicates": "error"}, "1 results repeat an item of the same list"),
        ({"weights": {"q1": 1.0, "q2": 1.0}}, r"weights: 1 of 3 queries have none \(q3\)"),
        ({"weights": {"q1": 1.0, "q2": -1.0, "q3": 1}}, "weights: must be finite and not negative"),
        ({"weights": {"q1": 0.0, "q2": 0.0, "q3": 0}}, "weights: must be finite, not negative, and not all 0"),
        ({"weights": [1, 2, 3]}, "`weights` must be a mapping from query ids, a file or a Spark DataFrame"),
        ({"slices": {"x": {"a": 1}}}, "slices: none of the 3 queries is in the slice table"),
        ({"measures": "ERR(max=1)@10"}, "ERR: `max` must not be below the highest grade"),
    ],
    ids=lambda x: str(x) if isinstance(x, dict) else "",
)
def test_what_a_policy_calls_an_error_is_one(spark: Any, options: dict[str, Any], said: str):
    qrels = {"q1": {"a": 2}, "q2": {"a": 1}, "q3": {"a": 1}}

    with pytest.raises((rg.errors.InputError, rg.errors.ParameterError), match=said):
        rg.evaluate(qrels, {"q1": ["a", "b", "a"]}, **{"measures": "AP", **options}, engine="spark")


# the record


@pytest.fixture(scope="module")
def small(spark: Any) -> tuple[Any, Any]:
    """An evaluation on Spark, and the same in memory."""
    qrels, run = random_tables(np.random.default_rng(12), 10)
    return rg.evaluate(qrels, run, MEASURES, engine="spark"), rg.evaluate(qrels, run, MEASURES)


def test_values_stay_on_spark(small: tuple[Any, Any]):
    ours, memory = small

    found = pl.from_arrow(ours.per_query.toArrow())

    assert isinstance(found, pl.DataFrame)
    assert found.sort("query_id").equals(memory.per_query.sort("query_id"), null_equal=True)


def test_shown_as_in_memory(small: tuple[Any, Any]):
    ours, memory = small

    assert str(ours) == str(memory)
    assert ours.to_markdown() == memory.to_markdown()
    assert_frame_equal(ours.to_frame(), memory.to_frame(), abs_tol=1e-12, rel_tol=0)
    assert json.loads(ours.to_json())["counts"] == json.loads(memory.to_json())["counts"]


def test_collected_values_can_be_compared(small: tuple[Any, Any]):
    ours, memory = small
    here = ours.collect()

    assert here.fingerprint["queries"] == memory.fingerprint["queries"]
    assert rg.Evaluation.from_dict(here.to_dict()).mean() == pytest.approx(memory.mean(), nan_ok=True)


def test_stored_numbers_come_back_without_the_values_of_queries(small: tuple[Any, Any], tmp_path: Path):
    ours, _ = small
    ours.to_json(tmp_path / "far.json")
    back = rg.load(tmp_path / "far.json")

    assert type(back) is rg.RankingEvaluation
    assert str(back) == str(ours)
    assert back.to_dict() == ours.to_dict()
    with pytest.raises(rg.errors.InputError, match="stored without per-query values"):
        back.per_query  # noqa: B018


def test_what_needs_values_says_where_they_are(small: tuple[Any, Any]):
    ours, _ = small

    with pytest.raises(rg.errors.ParameterError, match=r"ev\.collect\(\)"):
        ours.interval("AP", method="bootstrap")
    with pytest.raises(rg.errors.ParameterError, match=r"ev\.collect\(\)"):
        ours.to_dict(per_query=True)
    with pytest.raises(rg.errors.ParameterError, match="no slices were given"):
        ours.slices  # noqa: B018


def test_written_values(small: tuple[Any, Any], tmp_path: Path):
    ours, memory = small

    ours.write(tmp_path / "out")

    assert (tmp_path / "out" / "_SUCCESS").exists()
    found = pl.read_parquet(tmp_path / "out" / "*.parquet").sort("query_id")
    assert found.equals(memory.per_query.sort("query_id"), null_equal=True)
    with pytest.raises(rg.errors.InputError, match=r"out.* exists\. Pass overwrite=True"):
        ours.write(tmp_path / "out")


def test_a_worker_killed_while_values_are_written_leaves_no_values(spark: Any, tmp_path: Path):
    from pyspark import cloudpickle

    flag = tmp_path / "kill"

    @rg.measure(relevance=False)
    def Deadly(a):
        import os
        import signal

        if flag.exists():
            os.kill(os.getpid(), signal.SIGKILL)
        return a.retrieved.astype(float)

    try:
        cloudpickle.register_pickle_by_value(sys.modules[__name__])
        qrels, run = random_tables(np.random.default_rng(13), 10)
        ev = rg.evaluate(qrels, run, ["Deadly", "AP"], engine="spark")
        ev.unpersist()  # so that writing has to measure again
        flag.touch()

        with pytest.raises(Exception, match=r"(?i)python worker|crashed|aborted|failed"):
            ev.write(tmp_path / "out")

        assert not list(tmp_path.glob("out/*.parquet"))
        assert not (tmp_path / "out" / "_SUCCESS").exists()
        flag.unlink()
        ev.write(tmp_path / "out", overwrite=True)
        assert pl.read_parquet(tmp_path / "out" / "*.parquet").height == 10
    finally:
        cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
        REGISTRY.pop("Deadly", None)
        ALIASES.pop("deadly", None)


# sessions

CONNECT = """
import sys
from collections.abc import Iterator
from pyspark.sql import SparkSession
spark = SparkSession.builder.remote(sys.argv[1]).config("spark.sql.shuffle.partitions", "2").getOrCreate()
import rankgauge as rg
qrels = {"q1": {"a": 1}, "q2": {"b": 2}, "q3": {"c": 1}}
run = {"q1": {"a": 1.0, "b": 2.0}, "q2": {"b": 1.0}, "x": {"a": 1.0}}
rows = [(q, d, s) for q, l in run.items() for d, s in l.items()]
frame = spark.createDataFrame(rows, "qid string, doc string, score double")
assert type(frame).__module__.startswith("pyspark.sql.connect"), type(frame)
ev = rg.evaluate(qrels, frame, ["AP", "RR"])
memory = rg.evaluate(qrels, run, ["AP", "RR"])
assert ev.mean() == memory.mean() and ev.counts == memory.counts
assert ev.collect().per_query.equals(memory.per_query)
try:
    rg.evaluate(qrels, spark.createDataFrame([("q1", "a", None)], "qid string, doc string, score double"))
except rg.errors.InputError as e:
    print(e)
spark.stop()
"""


@pytest.fixture
def connect(spark: Any) -> Iterator[str]:
    """Where the session of the tests serves Spark Connect: a server of its own would be a second Java machine."""
    pytest.importorskip("grpc", reason="Spark Connect needs grpcio")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    spark._jsc.sc().conf().set("spark.connect.grpc.binding.port", str(port))
    server = spark._jvm.org.apache.spark.sql.connect.service.SparkConnectService
    server.start(spark._jsc.sc())
    yield f"sc://127.0.0.1:{port}"
    server.stop(*(getattr(server, f"stop$default${i}")() for i in (1, 2)))


def test_spark_connect_gives_the_same_numbers(connect: str):
    done = subprocess.run([sys.executable, "-c", CONNECT, connect], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr[-3000:]
    assert "score must be a number" in done.stdout


def test_without_java_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("pyspark")
    from rankgauge.engines.spark import session

    monkeypatch.setattr("pyspark.sql.SparkSession.getActiveSession", lambda: None)
    monkeypatch.setenv("PATH", "")
    for name in ("JAVA_HOME", "SPARK_REMOTE", "PYSPARK_GATEWAY_PORT"):
        monkeypatch.delenv(name, raising=False)

    with pytest.raises(rg.errors.MissingExtra, match=r"Java runtime.*openjdk-17-jre-headless.*Spark Connect"):
        session.session()


def test_without_pyspark_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch):
    from rankgauge.engines.spark import session

    monkeypatch.setitem(sys.modules, "pyspark.sql", None)

    with pytest.raises(rg.errors.MissingExtra, match=r'pip install "rankgauge\[spark\]"'):
        session.session()


def spark_frame(spark: Any, frame: pl.DataFrame) -> Any:
    from rankgauge.engines.spark.tables import to_spark

    return to_spark(frame, spark)


def test_a_run_stored_worst_first_is_an_error_on_spark_with_the_numbers_of_memory(spark: Any):
    qrels = {f"q{i}": {f"d{j}": int(j < 3) for j in range(8)} for i in range(20)}
    run = {q: {f"d{j}": float(j) for j in range(30)} for q in qrels}

    ours, memory = (rg.evaluate(qrels, run, "nDCG@10", engine=engine) for engine in ("spark", "memory"))

    assert [(s.code, s.severity) for s in ours.suspicions] == [("worst-first", "error")]
    assert ours.suspicions == ours.collect().suspicions == memory.suspicions


def test_ids_that_were_not_looked_at_on_spark_are_said(spark: Any):
    qrels = {f"q{i}": {str(j): 1 for j in range(1, 8)} for i in range(20)}
    run = {q: {f"{j:03}": 30.0 - j for j in range(1, 30)} for q in qrels}

    ours = rg.evaluate(qrels, run, "nDCG@10", engine="spark")

    assert any("whether ids are written in two ways was not looked at" in note for note in ours.notes)


# nothing, and what means two things


def test_nothing_is_refused_on_spark(spark: Any):
    judged = pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "grade": [1.0]})
    shown = pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.0]})

    with pytest.raises(rg.errors.InputError, match="run 'run': must hold at least one query, got none"):
        rg.evaluate(spark_frame(spark, judged), spark_frame(spark, shown).limit(0), "RR")
    with pytest.raises(rg.errors.InputError, match="qrels 'qrels': must hold at least one query, got none"):
        rg.evaluate(spark_frame(spark, judged).limit(0), spark_frame(spark, shown), "RR")
    empty = rg.evaluate({"q": ["a"]}, {"q": []}, "RR", engine="spark", missing="error")
    assert (empty["RR"], empty.n("RR")) == (0, 1)


def test_distances_gains_and_counts_are_those_of_memory(spark: Any):
    qrels = pl.DataFrame({"query_id": ["q", "p", "o"], "doc_id": ["a", "b", "c"], "grade": [0.5, 1.0, 0.0]})
    run = pl.DataFrame(
        {"query_id": ["q", "q", "p", "p", "o"], "doc_id": ["a", "x", "x", "b", "c"], "dist": [0.1, 0.9, 0.2, 0.4, 0.3]}
    )
    memory = rg.evaluate(qrels, run, ["nDCG@10", "AP"])

    ours = rg.evaluate(spark_frame(spark, qrels), spark_frame(spark, run), ["nDCG@10", "AP"])

    assert_same(ours, memory)
    assert ours.counts["without_relevant_by"] == {"nDCG@10": 1, "AP": 2}
    assert ours["AP"] == 1 / 2


def test_query_in_two_slices_or_with_an_odd_weight_is_refused_on_spark(spark: Any):
    qrels = {"q": ["a"], "p": ["a"]}
    slices = pl.DataFrame({"query_id": ["q", "q", "p", "p"], "lang": ["de", "en", "de", "de"]})

    with pytest.raises(
        rg.errors.InputError, match="slices: query 'q' must have one value of each attribute, got 2 rows"
    ):
        rg.evaluate(qrels, qrels, "RR", slices=spark_frame(spark, slices), engine="spark")
    with pytest.raises(rg.errors.InputError, match=r"0 or from 1e-100 to 1e\+100, got others for 1 queries"):
        rg.evaluate(qrels, qrels, "RR", weights={"q": 1e308, "p": 1.0}, engine="spark")


def test_words_by_measure_reach_the_totals(spark: Any) -> None:
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}, "q3": {"d": 0}}  # q3 has nothing relevant
    shown = {"q1": ["a", "b"], "q2": ["x", "c"], "q3": ["d"]}
    rows = [(q, d, 1.0 / (i + 1)) for q, docs in shown.items() for i, d in enumerate(docs)]
    run = spark.createDataFrame(rows, "query_id string, doc_id string, score double")

    ev = rg.evaluate(qrels, run, ["R@1", "Hit@1"], no_relevant={"R": "skip", "Hit": "zero"})

    assert (ev["R@1"], ev["Hit@1"], ev.n("Hit@1")) == (1 / 2, 1 / 3, 3)
    assert ev.counts["left_out_by"] == {"R@1": 1, "Hit@1": 0}
