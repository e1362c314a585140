"""Measures of what is shown: the same bits from every form of the data and on every engine.

Values of users, numbers of runs, intervals, slices, counts. The reference are dicts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both
from rankgauge._text import Text
from rankgauge.engines import streaming
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation import of_rankings
from rankgauge.evaluation.rankings.suspicion import NOT_LOOKED_AT
from rankgauge.measures.grammar import parse_ranking
from rankgauge.measures.shown import SHOWN
from rankgauge.measures.shown.base import ASKED

EVERY = [
    *(
        f"{name}@3" if "k" in cls.params else name
        for name, cls in SHOWN.measures.items()
        if not cls.needs & ASKED.keys()
    ),
    *("ARP(count=users)@5", "ExposureGini(discount=geometric)@4", "ExposureGap(against=train)@2", "CategoryKL@9"),
    *("ExposureGap(against=relevance)@2", "Serendipity(form=cooccurrence)@4"),
]
MIXED = ["nDCG@3", *EVERY, "AP"]
IDS = [*(str(n) for n in range(7, 40)), "007", "文", "é"]


def tables() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, str]]:
    """Users with ties, with nothing shown, with nothing relevant, without a past; items that the catalogue lacks."""
    rng = np.random.default_rng(18)
    popular = rng.dirichlet(np.full(len(IDS), 0.4))
    users = [f"u{u}" for u in rng.permutation(60)]
    test = {u: {i: int(rng.integers(0, 3)) for i in rng.choice(IDS, 3, replace=False)} for u in users}
    recs = {
        u: dict(zip(rng.choice(IDS, n, replace=False), rng.integers(0, 4, n).tolist(), strict=True))
        for u in [*users, "nobody"]
        if (n := int(rng.integers(0, 9)))
    }
    train = {u: rng.choice(IDS, 5, p=popular).tolist() for u in [*users[:30], "else"]}
    kinds = {i: f"k{n % 5}" for n, i in enumerate(IDS[:-4])}
    return test, recs, train, kinds


TEST, RECS, TRAIN, KINDS = tables()
SLICES = {u: "few" if len(RECS.get(u, ())) < 4 else "many" for u in TEST}
PAST = pl.DataFrame([(u, i) for u, ids in TRAIN.items() for i in ids], ["user_id", "item_id"], orient="row")
ITEMS = pl.DataFrame({"item_id": list(KINDS), "category": list(KINDS.values())})
ROWS = rg.Run.of(RECS).to_frame()
JUDGED = rg.Qrels.of(TEST).to_frame()


@pytest.fixture(scope="module")
def wanted() -> rg.RankingEvaluation:
    return rg.evaluate(TEST, RECS, MIXED, train=TRAIN, items=KINDS, slices=SLICES)


def bits(ev: Any) -> dict[str, Any]:
    """Everything that an evaluation says, each number as text that tells every bit."""
    here = ev.collect() if hasattr(ev, "collect") else ev
    order = np.argsort(here.query_ids)
    return {
        "labels": ev.labels,
        "values": {c.label: [repr(c.values[i]) if c.counted[i] else None for i in order] for c in here.columns},
        "numbers": {label: repr(float(ev[label])) for label in ev.labels},
        "intervals": {label: repr(tuple(map(float, ev.interval(label)))) for label in EVERY},
        "n": {label: ev.n(label) for label in ev.labels},
        "counts": ev.counts,
        "slices": [[repr(v) for v in row] for row in ev.slices.rows()],
    }


def little_memory(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    monkeypatch.setattr(of_rankings, "room_of", lambda memory: lambda: rows * streaming.WORK * streaming._WIDTH)


def scattered(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.sample(fraction=1.0, shuffle=True, seed=1)


def listed(rows: pl.DataFrame) -> pl.DataFrame:
    """A row for each user, with lists of items and of scores."""
    return rows.group_by(user_id="query_id", maintain_order=True).agg(items="doc_id", scores="score")


# one machine


@pytest.mark.parametrize("form", ["Polars", "pandas", "lists", "csv", "parquet", "jsonl", "trec"])
def test_the_same_bits_from_every_form(wanted: rg.RankingEvaluation, tmp_path: Path, form: str):
    given: list[Any] = [JUDGED, scattered(ROWS), scattered(PAST), ITEMS]
    if form == "pandas":
        given = [frame.to_pandas() for frame in given]
    elif form == "lists":
        given[1] = listed(scattered(ROWS))
    elif form != "Polars":
        suffix = "txt" if form == "trec" else form
        rg.Qrels.of(TEST).write(tmp_path / f"test.{suffix}")
        rg.Run.of(RECS).write(tmp_path / f"recs.{suffix}")
        PAST.write_csv(tmp_path / "train.csv")
        ITEMS.write_csv(tmp_path / "items.csv")
        given = [tmp_path / name for name in (f"test.{suffix}", f"recs.{suffix}", "train.csv", "items.csv")]
        if form == "parquet":
            PAST.write_parquet(tmp_path / "train.parquet")
            ITEMS.write_parquet(tmp_path / "items.parquet")
            given[2:] = [tmp_path / "train.parquet", tmp_path / "items.parquet"]

    found = rg.evaluate(given[0], given[1], MIXED, train=given[2], items=given[3], slices=SLICES)

    assert bits(found) == bits(wanted)


@pytest.mark.parametrize("form", ["Polars", "pandas", "lists", "in pieces"])
def test_the_same_bits_of_ids_that_are_numbers(form: str):
    users, ids = {u: int(u[1:]) for u in TEST}, [i for i in IDS if i.isascii() and i != "007"]

    def numbered(rows: pl.DataFrame, user: str, item: str) -> pl.DataFrame:
        kept = rows.filter(pl.col(user).is_in([*users]) & pl.col(item).is_in(ids))
        return kept.with_columns(pl.col(user).replace_strict(users), pl.col(item).cast(pl.Int64))

    judged, rows = (numbered(frame, "query_id", "doc_id") for frame in (JUDGED, ROWS))
    past, items = numbered(PAST, "user_id", "item_id"), ITEMS.filter(pl.col("item_id").is_in(ids))
    slices = {str(users[u]): value for u, value in SLICES.items()}
    options = {"train": past, "items": items.cast({"item_id": pl.Int64}), "slices": slices}
    texts = (rg.Qrels.of(judged).to_dict(), rg.Run.of(rows).to_dict())
    before = {str(u): [str(i) for i in mine] for u, mine in past.group_by("user_id").agg("item_id").iter_rows()}
    wanted = rg.evaluate(*texts, MIXED, train=before, items=dict(items.iter_rows()), slices=slices)
    shapes = {"Polars": rows, "pandas": rows.to_pandas(), "lists": listed(scattered(rows)), "in pieces": rows.lazy()}

    found = rg.evaluate(judged, shapes[form], MIXED, **options)

    assert bits(found) == bits(wanted)


@pytest.mark.slow
@pytest.mark.parametrize(("way", "room"), [("blocks", 40), ("listed", 40), ("buckets", 40), ("long lists", 5)])
def test_the_same_bits_in_pieces(
    wanted: rg.RankingEvaluation, tmp_path: Path, way: str, room: int, monkeypatch: pytest.MonkeyPatch
):
    rows = {"blocks": ROWS, "listed": listed(ROWS)}.get(way, scattered(ROWS))
    rows.write_parquet(tmp_path / "recs.parquet")
    little_memory(monkeypatch, room)

    options = {"train": TRAIN, "items": KINDS, "slices": SLICES, "engine": "streaming"}
    found = rg.evaluate(TEST, tmp_path / "recs.parquet", MIXED, **options)

    assert bits(found) == bits(wanted)


# Spark


def on_spark(spark: Any, frame: pl.DataFrame) -> Any:
    from rankgauge.engines.spark.tables import to_spark

    return to_spark(frame, spark)


def test_the_same_bits_on_spark(wanted: rg.RankingEvaluation, spark: Any):
    given = [on_spark(spark, frame) for frame in (JUDGED, scattered(ROWS), PAST, ITEMS)]

    found = rg.evaluate(given[0], given[1], MIXED, train=given[2], items=given[3], slices=SLICES)

    assert isinstance(found, rg.SparkEvaluation)
    assert bits(found) == bits(wanted)
    here = pl.from_arrow(found.per_query.toArrow())
    assert isinstance(here, pl.DataFrame)
    assert here.columns == wanted.per_query.columns
    assert here.sort("query_id").equals(wanted.per_query.sort("query_id"), null_equal=True)
    assert [note for note in wanted.remarks if "shown" in note] == [note for note in found.remarks if "shown" in note]


def test_numbers_of_shown_items_alone_on_spark_by_names_of_tables_and_with_weights(spark: Any):
    on_spark(spark, scattered(ROWS)).createOrReplaceTempView("recs")
    on_spark(spark, PAST.with_columns(note=pl.lit("x" * 99))).createOrReplaceTempView("past")
    weights = {u: 1 + n / 7 for n, u in enumerate(TEST)}
    measures = [m for m in EVERY if parse_ranking(m).summary == "mean"]

    found = rg.evaluate(JUDGED, "recs", measures, train="past", items=KINDS, weights=weights, engine="spark")

    memory = rg.evaluate(TEST, RECS, measures, train=TRAIN, items=KINDS, weights=weights)
    # the first line has the name of the table; what train has of the test, Spark does not look at
    said, in_memory = ([x for x in str(ev).splitlines()[1:] if " train" not in x] for ev in (found, memory))
    assert said == in_memory
    for label in measures:
        assert repr(found[label]) == repr(memory[label])
        assert repr(found.interval(label)) == repr(memory.interval(label))
    assert found.collect().shown.lengths.tolist() == [len(RECS.get(u, ())) for u in sorted(TEST)]
    with pytest.raises(ParameterError, match=r"ev\.collect\(\)"):
        rg.compare({"a": found, "b": found})


@pytest.mark.slow
def test_first_items_of_lists_that_are_split_over_executors(spark: Any, monkeypatch: pytest.MonkeyPatch):
    from rankgauge.engines.spark.rankings import evaluate_on_spark
    from rankgauge.evaluation.rankings.conventions import convention
    from rankgauge.evaluation.rankings.naming import as_named

    monkeypatch.setattr("rankgauge.engines.spark.splitting._PIECE", 6)
    some = ["Entropy@3", "MIUF@3", "EPC@3", "nDCG@3"]
    rows = scattered(pl.concat([ROWS[:30], ROWS[:6]]))  # some items are shown again
    judged = JUDGED.filter(pl.col("query_id").is_in(rows["query_id"].implode()))
    conv = convention("rankgauge")
    options: dict[str, Any] = {"train": TRAIN, "long_list": 2}

    found = evaluate_on_spark(judged, rows, as_named(some, conv), conv.applied(ties="input"), **options)

    memory = rg.evaluate(judged, rows, some, train=TRAIN, ties="input")
    assert memory.counts["duplicates"]
    for label in some:
        assert repr(found[label]) == repr(memory[label])
    with pytest.raises(InputError, match="a list is too long for memory"):
        evaluate_on_spark(judged, rows, as_named("Entropy", conv), conv.applied(), **options)


def test_interactions_on_spark_beside_dicts(spark: Any):
    found = rg.evaluate(TEST, RECS, "MIUF@3", train=on_spark(spark, PAST))

    assert repr(found["MIUF@3"]) == repr(rg.evaluate(TEST, RECS, "MIUF@3", train=TRAIN)["MIUF@3"])


def test_ratings_on_spark_are_no_hits_either(spark: Any):
    stars = pl.DataFrame({"user_id": ["a", "a", "b"], "item_id": ["x", "y", "x"], "rating": [5.0, 0.5, 4.0]})
    shown = {"a": ["y", "x"], "b": ["x"]}
    judged = on_spark(spark, stars)

    with pytest.raises(ParameterError) as memory:
        rg.evaluate(stars, shown, "nDCG@2")
    with pytest.raises(ParameterError) as far:
        rg.evaluate(judged, shown, "nDCG@2", engine="spark")
    assert far.value.text.en == memory.value.text.en
    assert far.value.text.zh == memory.value.text.zh
    measures = ["nDCG@2", "RR", "EPC@2"]
    found = rg.evaluate(judged, shown, measures, rel=4, train=TRAIN, engine="spark")
    wanted = rg.evaluate(stars, shown, measures, rel=4, train=TRAIN)
    assert found.mean() == wanted.mean()
    assert [str(m) for m in found.measures] == [str(m) for m in wanted.measures]
    assert wanted["RR"] == (1 / 2 + 1) / 2


# what does not fit here


class _Conf:
    @staticmethod
    def get(name: str, otherwise: str) -> str:
        return {"spark.driver.maxResultSize": "2m"}.get(name, otherwise)


class _Session:
    conf = _Conf


@pytest.mark.parametrize(
    ("needed", "sent", "english", "chinese"),
    [
        (
            9 << 30,
            1,
            "train on Spark: about 9.0 GiB of memory are needed here, where what is shown is measured, and 4.0 GiB may "
            "be used. Keep less; memory=… says what may be used.",
            "Spark 上的 train：展示类指标在这里计算，约需 9.0 GiB 内存，而可用的是 4.0 GiB。请少留一些；"
            "可用多少由 memory=… 指定。",
        ),
        (
            1,
            3 << 20,
            "train on Spark: 3.0 MiB are on their way to the driver, and spark.driver.maxResultSize lets 2.0 MiB pass. "
            "Keep less, or start the session with a larger one.",
            "Spark 上的 train：要传给 driver 3.0 MiB，而 spark.driver.maxResultSize 只允许 2.0 MiB。请少留一些，"
            "或用更大的设置启动会话。",
        ),
        (4 << 30, 2 << 20, None, None),
    ],
    ids=["memory", "what Spark lets pass", "neither"],
)
def test_what_does_not_fit_is_refused_with_sizes(
    tmp_path: Path, needed: int, sent: int, english: str | None, chinese: str
):
    from rankgauge.engines.spark.tables import refuse_too_large

    def call(_: Path) -> None:
        what, advice = Text("train on Spark", "Spark 上的 train"), Text("Keep less", "请少留一些")
        refuse_too_large(what, needed, sent, _Session, lambda: 4 << 30, advice)  # type: ignore[arg-type]

    if english is None:
        call(tmp_path)
    else:
        says_in_both(call, Files(tmp_path), english, chinese)


@pytest.mark.slow
def test_tables_and_lists_that_do_not_fit_are_refused(spark: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("rankgauge.engines.spark.tables._GROWTH", 1 << 50)
    with pytest.raises(InputError, match=r"train on Spark, 155 rows: about .* GiB of memory are needed here"):
        rg.evaluate(TEST, RECS, "MIUF@3", train=on_spark(spark, PAST), engine="spark")
    monkeypatch.setattr("rankgauge.engines.spark.rankings.PLACE", 1 << 50)
    shown = sum(len(RECS.get(u, ())) for u in TEST)  # none has more than ten
    with pytest.raises(InputError, match=rf"{shown} items that are shown to 60 users: about .* memory=…"):
        rg.evaluate(TEST, RECS, "Entropy@3", engine="spark")


def test_users_by_activity_on_spark(spark: Any):
    measures, slices = ["RR", "MIUF@3", "Entropy@3"], ["activity", {u: u[-1] for u in TEST}]

    found = rg.evaluate(JUDGED, ROWS, measures, train=on_spark(spark, PAST), slices=slices, engine="spark")

    memory = rg.evaluate(TEST, RECS, measures, train=TRAIN, slices=slices)
    assert [[repr(v) for v in row] for row in found.slices.rows()] == [
        [repr(v) for v in row] for row in memory.slices.rows()
    ]
    of_train = {
        *(str(s) for s in memory.suspicions if s.code in ("test-in-train", "seen-items-shown")),
        *(note for note in memory.notes if "in train" in note and "strangers" in note),
        *(note for note in memory.notes if note.startswith("repeated in train")),
    }
    assert [note for note in found.notes if note != NOT_LOOKED_AT] == [n for n in memory.notes if n not in of_train]
    assert NOT_LOOKED_AT in found.notes  # Spark does not hold train against the test, and says so
    assert found.notes_on_slices == memory.notes_on_slices == found.collect().notes_on_slices
