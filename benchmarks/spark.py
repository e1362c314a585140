"""Rankings on Spark beside MLlib's RankingMetrics, on two cores of this machine; writes RESULTS-SPARK.md.

python benchmarks/spark.py                   10 million rows, best of 3 rounds
python benchmarks/spark.py --queries 1000    a million rows
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import rankgauge as rg
from rankgauge.engines.spark.session import session

HERE = Path(__file__).parent
DEPTH, JUDGED, FILES = 1000, 50, 4
MLLIB: dict[str, Callable[[Any], float]] = {
    "AP": lambda m: m.meanAveragePrecision() if callable(m.meanAveragePrecision) else m.meanAveragePrecision,
    "AP(norm=min)@10": lambda m: m.meanAveragePrecisionAt(10),
    "AP(norm=min)@100": lambda m: m.meanAveragePrecisionAt(100),
    "nDCG@10": lambda m: m.ndcgAt(10),
    "nDCG@100": lambda m: m.ndcgAt(100),
    "P@10": lambda m: m.precisionAt(10),
    "P@100": lambda m: m.precisionAt(100),
    "R@10": lambda m: m.recallAt(10),
    "R@100": lambda m: m.recallAt(100),
}
"""All that RankingMetrics has, at 10 and at 100."""
SETS = {"all": list(MLLIB), "four": ["nDCG@10", "AP", "P@10", "R@100"]}

_TEXT = """\
# Rankings on Spark

{rows:,} results ({queries:,} queries × {depth:,}, {judged} judged each, grades 0 and 1), from Parquet files to the
numbers. Spark {spark} with `local[2]`, one session for all, the ways taking turns; best of {rounds}
rounds after a warm-up. All ways gave the same numbers to 1e-9, or there would be no results.
Repeat with `make bench-spark`.

- {now:%Y-%m-%d %H:%M} UTC, {system}, {cores} cores; load average at the start {load:.2f}
- rankgauge {rankgauge}, Python {python}, polars {polars}, pyarrow {pyarrow}

{tables}

rankgauge: `rg.evaluate(qrels, run, measures, engine="spark")`, which also gives counts, intervals, the influence of
ties and a table of values per query. MLlib, from the JVM: the list of each query made with `collect_list`, sorted in
Spark SQL, cached, and handed to `RankingMetrics` without leaving Java. MLlib, as documented for Python: an RDD of
pairs of lists, cached.
"""


def main() -> None:
    options = _options()
    folder = HERE / ".data" / f"spark-{options.queries}"
    if not folder.exists():
        make(folder, options.queries)
    load = os.getloadavg()[0]
    spark = session("local[2]")
    spark.conf.set("spark.sql.shuffle.partitions", "8")
    ways: dict[str, Callable[[Any, Path, list[str]], list[float]]] = {
        "rankgauge": rankgauge,
        "MLlib, from the JVM": mllib_in_jvm,
        "MLlib, as documented for Python": mllib_in_python,
    }
    tables = [_timed(spark, folder, ways, measures, options.rounds) for measures in SETS.values()]
    spark.stop()
    options.output.write_text(_report(tables, options, load), encoding="utf-8")


def _timed(
    spark: Any, folder: Path, ways: Mapping[str, Callable[..., list[float]]], measures: list[str], rounds: int
) -> dict[str, list[float]]:
    """Seconds of each way in each round; the first round warms up and is not counted."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    expected = None
    for i in range(rounds + 1):
        for name, way in ways.items():
            start = time.perf_counter()
            found = way(spark, folder, measures)
            taken = time.perf_counter() - start
            expected = expected or found
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9, err_msg=name)
            if i:
                seconds[name].append(taken)
            print(f"{len(measures)} measures  {name:34} {taken:7.2f} s{'' if i else '  (warm-up)'}", flush=True)
    return seconds


# the ways


def rankgauge(spark: Any, folder: Path, measures: list[str]) -> list[float]:
    ev = rg.evaluate(folder / "qrels.parquet", folder / "run", measures, engine="spark")
    ev.unpersist()
    return [ev[m] for m in measures]


def mllib_in_jvm(spark: Any, folder: Path, measures: list[str]) -> list[float]:
    from pyspark.mllib.common import callMLlibFunc

    lists = _lists(spark, folder).cache()
    metrics = callMLlibFunc("newRankingMetrics", lists._jdf)
    found = [MLLIB[m](metrics) for m in measures]
    lists.unpersist()
    return found


def mllib_in_python(spark: Any, folder: Path, measures: list[str]) -> list[float]:
    import warnings

    from pyspark.mllib.evaluation import RankingMetrics

    pairs = _lists(spark, folder).rdd.map(tuple).cache()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        metrics = RankingMetrics(pairs)
        found = [MLLIB[m](metrics) for m in measures]
    pairs.unpersist()
    return found


def _lists(spark: Any, folder: Path) -> Any:
    """The ids of each query in order, and the relevant ones."""
    from pyspark.sql import functions as F

    results = F.sort_array(F.collect_list(F.struct("score", "doc_id")), asc=False)
    run = spark.read.parquet(str(folder / "run")).groupBy("query_id")
    shown = run.agg(F.transform(results, lambda x: x["doc_id"]).alias("shown"))
    judged = spark.read.parquet(str(folder / "qrels.parquet")).where("grade > 0").groupBy("query_id")
    relevant = judged.agg(F.collect_list("doc_id").alias("relevant"))
    return shown.join(relevant, "query_id").select("shown", "relevant")


# data


def make(folder: Path, n_queries: int) -> None:
    """Lists in order of score; most judged items are shown somewhere, some are not."""
    rng = np.random.default_rng(8)
    part = folder.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    (part / "run").mkdir(parents=True)
    judgements = []
    for file, queries in enumerate(np.array_split(np.arange(n_queries), FILES)):
        n = len(queries)
        items = (np.arange(n * DEPTH) * 7919 + int(rng.integers(10**6))) % 8_841_823
        scores = np.sort(rng.normal(size=(n, DEPTH)), axis=1)[:, ::-1].round(6).ravel()
        run = _named(np.repeat(queries, DEPTH), items).with_columns(score=scores)
        run.write_parquet(part / "run" / f"part-{file:04d}.parquet")
        places = rng.random((n, DEPTH)).argpartition(JUDGED - 10, axis=1)[:, : JUDGED - 10]
        shown = items.reshape(n, DEPTH)[np.arange(n)[:, None], places]
        hidden = np.broadcast_to(9_000_000 + np.arange(10), (n, 10))
        judged = np.concatenate([shown, hidden], axis=1).ravel()
        grades = rng.integers(0, 2, size=judged.size)
        judgements.append(_named(np.repeat(queries, JUDGED), judged).with_columns(grade=grades))
    pl.concat(judgements).write_parquet(part / "qrels.parquet")
    part.rename(folder)


def _named(queries: np.ndarray, items: np.ndarray) -> pl.DataFrame:
    frame = pl.DataFrame({"query_id": queries, "doc_id": items})
    return frame.select(pl.format("q{}", "query_id").alias("query_id"), pl.format("d{}", "doc_id").alias("doc_id"))


# the page


def _report(tables: list[dict[str, list[float]]], options: argparse.Namespace, load: float) -> str:
    rows = options.queries * DEPTH
    parts = []
    for measures, seconds in zip(SETS.values(), tables, strict=True):
        ours = min(seconds["rankgauge"])
        parts += [f"## {len(measures)} measures: {', '.join(measures)}", ""]
        parts += ["| way | best | all rounds | rows per second | time ÷ rankgauge |", "|---|---:|---|---:|---:|"]
        for name, taken in seconds.items():
            rounds = ", ".join(f"{t:.1f}" for t in taken)
            speed = f"{rows / min(taken):,.0f}"
            parts.append(f"| {name} | {min(taken):.1f} s | {rounds} | {speed} | {min(taken) / ours:.2f} |")
        parts.append("")
    return _TEXT.format(
        rows=rows,
        queries=options.queries,
        depth=DEPTH,
        judged=JUDGED,
        rounds=options.rounds,
        now=datetime.now(UTC),
        system=f"{platform.system()} {platform.machine()}",
        cores=os.cpu_count(),
        load=load,
        spark=version("pyspark"),
        rankgauge=rg.__version__,
        python=platform.python_version(),
        polars=version("polars"),
        pyarrow=version("pyarrow"),
        tables="\n".join(parts).rstrip(),
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=10_000, help=f"each with {DEPTH:,} results")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=Path, default=HERE / "RESULTS-SPARK.md", help="where the results go")
    return parser.parse_args()


if __name__ == "__main__":
    main()
