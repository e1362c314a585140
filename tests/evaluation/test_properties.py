"""What holds for any data: bounds, best rankings, and that the way in never changes a number."""

import copy
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.measures import REGISTRY

Table = dict[str, dict[str, float]]

EPS = 1e-12
TIES = ("doc_id", "input", "best", "worst", "expected")
IDS = ("d1", "d10", "d2", "文档", "物品", "x-1", "7", "007", "é", "Z")
QUERIES = ("q1", "q2", "问题", "10", "9")
VARIANTS = (
    *("P@2", "P(divisor=retrieved)@5", "R@2", "R(norm=min)@2", "F@3", "Hit@1", "Hits@3", "RR@2", "AP@3"),
    *(
        "AP(norm=min)@2",
        "AP(norm=hits)@3",
        "DCG@3",
        "nDCG@3",
        "nDCG(gain=exponential)@2",
        "CG(gain=exponential)",
    ),
    *(
        "nDCG(ideal=returned)@3",
        "nDCG(ideal=uncut)@2",
        "ERR(max=3)@2",
        "ERR(max=3)",
        "RBP(p=0.5)@3",
        "P(rel=2)@3",
    ),
    *("RBP(graded=max, max=3)", "IPrec@0.5", "IPrec(rounding=up)@0.3", "Judged@2", "Unjudged@2", "SDCG@3"),
    *("BPM@3", "NERR8@3", "NERR9@3", "PairAccuracy(nonrelevant=any)@3", "R(judged_only=true)@2"),
)
NEED_GROUPS = {name for name, cls in REGISTRY.items() if {"groups", "subtopics"} & cls.needs}
NEED_CUTOFF = {"BPM", "SDCG", "NERR8", "NERR9", "Unjudged"}
OWN_MAXIMUM = {"ERR"}  # the default highest grade is that of all judgements: named with max= above
EVERYTHING = [name for name in REGISTRY if name not in NEED_GROUPS | NEED_CUTOFF | OWN_MAXIMUM] + list(VARIANTS)

grades = st.sampled_from([-1, 0, 0, 1, 1, 2, 3])
scores = st.sampled_from([0.0, 1.0, 2.0, 2.5]) | st.floats(-1e6, 1e6, allow_subnormal=False)


@st.composite
def data(draw: st.DrawFn) -> tuple[Table, Table]:
    """Judgements and a run for a few queries; either side may lack some of them, scores may be equal."""
    qrels = draw(
        st.dictionaries(st.sampled_from(QUERIES), st.dictionaries(st.sampled_from(IDS), grades, min_size=1), min_size=1)
    )
    run = draw(
        st.dictionaries(st.sampled_from(QUERIES), st.dictionaries(st.sampled_from(IDS), scores, min_size=1), min_size=1)
    )
    return qrels, run


def some(n: int) -> settings:
    return settings(max_examples=n, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])


Values = dict[tuple[str, str], Any]


def outcome(qrels: Any, run: Any, measures: Any = EVERYTHING, **policies: Any) -> dict[str, Any]:
    """Everything that must not depend on the way in, as plain values that compare exactly."""
    ev = rg.evaluate(qrels, run, measures, **policies)
    return {
        "queries": list(ev.query_ids),
        "values": values(ev),
        "means": {label: repr(mean) for label, mean in ev.mean().items()},
        "counts": dict(ev.counts),
    }


def values(ev: rg.Evaluation) -> Values:
    return {
        (query, column.label): value if counted else None
        for column in ev.columns
        for query, value, counted in zip(ev.query_ids, column.values.tolist(), column.counted, strict=True)
    }


def unordered(found: dict[str, Any]) -> dict[str, Any]:
    return {**found, "queries": sorted(found["queries"])}


# the value itself


@pytest.mark.parametrize("ties", TIES)
@given(data())
@some(15)
def test_values_stay_inside_their_bounds(ties: str, tables: tuple[Table, Table]):
    ev = rg.evaluate(*tables, EVERYTHING, ties=ties, no_relevant="zero")

    for column in ev.columns:
        if column.measure.summary != "none":
            low, high = column.measure.bounds
            assert ((low - EPS <= column.values) & (column.values <= high + EPS)).all(), column.label


@given(data())
@some(40)
def test_expected_lies_between_worst_and_best(tables: tuple[Table, Table]):
    names = ["P@2", "R@2", "RR", "AP", "nDCG@3", "nDCG", "ERR(max=3)", "RBP", "bpref", "Hit@1"]
    worst, expected, best = (
        rg.evaluate(*tables, names, ties=ties, no_relevant="zero") for ties in ("worst", "expected", "best")
    )

    for low, mid, high in zip(worst.columns, expected.columns, best.columns, strict=True):
        assert (low.values <= mid.values + EPS).all(), low.label
        assert (mid.values <= high.values + EPS).all(), low.label


PERFECT_IS_ONE = [
    "R",
    "RR",
    "AP",
    "nDCG",
    "nDCG@3",
    "nDCG(gain=exponential)@2",
    "Rprec",
    "bpref",
    "R(norm=min)@2",
]
MORE_IS_BETTER = [
    *PERFECT_IS_ONE,
    *(
        "P@3",
        "F@2",
        "Hit@1",
        "DCG@3",
        "CG@2",
        "ERR(max=3)",
        "RBP",
        "IPrec11",
        "SetP",
        "AP@2",
        "AP(norm=min)@3",
    ),
]


@given(st.dictionaries(st.sampled_from(IDS), grades, min_size=1), st.permutations(IDS))
@some(60)
def test_perfect_ranking_is_best(judged: dict[str, float], any_order: list[str]):
    judged = {**judged, "d1": 1}
    perfect = sorted(judged, key=lambda doc: -judged[doc])

    best = rg.evaluate({"q": judged}, {"q": perfect}, MORE_IS_BETTER)
    other = rg.evaluate({"q": judged}, {"q": any_order}, MORE_IS_BETTER)

    assert {name: best[name] for name in PERFECT_IS_ONE} == pytest.approx(dict.fromkeys(PERFECT_IS_ONE, 1))
    worse = {name: (best[name], other[name]) for name in MORE_IS_BETTER if other[name] > best[name] + EPS}
    assert worse == {}


@given(st.dictionaries(st.sampled_from(IDS), grades, min_size=1), st.permutations(IDS), st.data())
@some(60)
def test_moving_a_higher_grade_up_never_hurts(judged: dict[str, float], order: list[str], choose: st.DataObject):
    judged = {**judged, "d1": 1}
    upper, lower = sorted(choose.draw(st.permutations(range(len(order))))[:2])
    if judged.get(order[lower], 0) <= max(judged.get(order[upper], 0), 0):
        return
    swapped = list(order)
    swapped[upper], swapped[lower] = order[lower], order[upper]
    names = ["P@3", "R@2", "RR", "AP", "nDCG", "DCG@3", "RBP", "bpref", "Rprec", "Hit@1"]

    before, after = (rg.evaluate({"q": judged}, {"q": ranking}, names) for ranking in (order, swapped))

    assert {name for name in names if after[name] < before[name] - EPS} == set()


@given(data())
@some(40)
def test_unjudged_tail_changes_nothing(tables: tuple[Table, Table]):
    qrels, run = tables
    longer = {q: {**docs, "tail1": min(docs.values()) - 1, "tail2": min(docs.values()) - 2} for q, docs in run.items()}
    names = [
        "P@2",
        "R",
        "R@3",
        "RR",
        "AP",
        "nDCG",
        "nDCG@3",
        "DCG",
        "ERR(max=3)",
        "RBP",
        "bpref",
        "Rprec",
        "infAP",
    ]

    assert values(rg.evaluate(qrels, longer, names)) == values(rg.evaluate(qrels, run, names))


# nothing but the order of scores and the set of queries matters


@pytest.mark.slow
@pytest.mark.parametrize("ties", TIES)
@given(data())
@some(10)
def test_monotone_change_of_scores_changes_nothing(ties: str, tables: tuple[Table, Table]):
    qrels, run = tables
    levels = {s: i for i, s in enumerate(sorted({s for docs in run.values() for s in docs.values()}))}
    ranked = {q: {doc: levels[s] ** 3 - 5 for doc, s in docs.items()} for q, docs in run.items()}

    assert outcome(qrels, ranked, ties=ties) == outcome(qrels, run, ties=ties)


@given(data(), st.randoms(use_true_random=False))
@some(15)
def test_order_of_queries_changes_nothing(tables: tuple[Table, Table], rng: Any):
    qrels, run = ({q: table[q] for q in rng.sample(sorted(table), len(table))} for table in tables)

    shuffled = unordered(outcome(qrels, run, ties="expected"))

    assert shuffled == unordered(outcome(*tables, ties="expected"))


@pytest.mark.parametrize("ties", ["doc_id", "best", "expected"])
@given(data(), st.randoms(use_true_random=False))
@some(10)
def test_order_of_documents_changes_nothing(ties: str, tables: tuple[Table, Table], rng: Any):
    shuffled = [
        {q: {d: docs[d] for d in rng.sample(sorted(docs), len(docs))} for q, docs in table.items()} for table in tables
    ]

    names = [name for name in EVERYTHING if name != "Compat"]  # adds up its ideal list as it was judged

    assert outcome(*shuffled, names, ties=ties) == outcome(*tables, names, ties=ties)


# the highest grade of all judgements is the scale of these, so a part of the queries needs it said
SCALED = [name for name in EVERYTHING if "max_rel" in rg.parse(name).params]
SCALE_SAID = [name for name in EVERYTHING if name not in SCALED] + [
    str(rg.parse(name).replace(max_rel=3)) for name in SCALED
]


@pytest.mark.slow
@pytest.mark.parametrize("ties", TIES)
@given(data())
@some(10)
def test_queries_evaluated_apart_have_the_same_values(ties: str, tables: tuple[Table, Table]):
    qrels, run = tables

    apart: Values = {}
    for query in qrels:
        own = {query: run[query]} if query in run else {"another": ["x"]}
        apart |= values(rg.evaluate({query: qrels[query]}, own, SCALE_SAID, ties=ties))

    assert apart == values(rg.evaluate(qrels, run, SCALE_SAID, ties=ties))


# the way in


def rows(table: Table, value: str) -> dict[str, list[Any]]:
    return {
        "query_id": [q for q, docs in table.items() for _ in docs],
        "doc_id": [d for docs in table.values() for d in docs],
        value: [x for docs in table.values() for x in docs.values()],
    }


def interleaved(table: Table, value: str) -> dict[str, list[Any]]:
    """The rows of all queries mixed, each query's own rows in their order."""
    rounds = itertools.zip_longest(*([(q, d, x) for d, x in docs.items()] for q, docs in table.items()))
    mixed = [row for turn in rounds for row in turn if row is not None]
    return {name: [row[i] for row in mixed] for i, name in enumerate(("query_id", "doc_id", value))}


FRAMES: dict[str, Callable[[Table, str], Any]] = {
    "polars": lambda t, v: pl.DataFrame(rows(t, v)),
    "polars lazy": lambda t, v: pl.LazyFrame(rows(t, v)),
    "polars categorical": lambda t, v: pl.DataFrame(rows(t, v)).with_columns(pl.col("doc_id").cast(pl.Categorical)),
    "pandas": lambda t, v: pd.DataFrame(rows(t, v)),
    "pandas objects": lambda t, v: pd.DataFrame({k: pd.Series(x, dtype=object) for k, x in rows(t, v).items()}),
    "pyarrow": lambda t, v: pa.table(rows(t, v)),
    "Qrels and Run": lambda t, v: (rg.Qrels if v == "grade" else rg.Run).of(t),
}
MIXED_FRAMES: dict[str, Callable[[Table, str], Any]] = {"interleaved": lambda t, v: pl.DataFrame(interleaved(t, v))}


@pytest.mark.slow
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("form", FRAMES)
@given(tables=data())
@some(6)
def test_frames_give_what_dicts_give(form: str, ties: str, tables: tuple[Table, Table]):
    qrels, run = tables
    make = FRAMES[form]

    assert outcome(make(qrels, "grade"), make(run, "score"), ties=ties) == outcome(qrels, run, ties=ties)


@pytest.mark.slow
@pytest.mark.parametrize("form", [*FRAMES, *MIXED_FRAMES])
@given(tables=data())
@some(6)
def test_dict_on_one_side_and_frame_on_the_other(form: str, tables: tuple[Table, Table]):
    qrels, run = tables
    make = (FRAMES | MIXED_FRAMES)[form]
    expected = outcome(qrels, run)

    assert outcome(qrels, make(run, "score")) == expected
    assert unordered(outcome(make(qrels, "grade"), run)) == unordered(expected)


@pytest.mark.slow
@pytest.mark.parametrize("ties", TIES)
@given(tables=data())
@some(8)
def test_interleaved_rows_give_what_dicts_give(ties: str, tables: tuple[Table, Table]):
    qrels, run = tables
    make = MIXED_FRAMES["interleaved"]

    found = unordered(outcome(make(qrels, "grade"), make(run, "score"), ties=ties))

    assert found == unordered(outcome(qrels, run, ties=ties))


def trec_qrels(table: Table) -> str:
    return "".join(f"{q} 0 {d} {x:g}\n" for q, docs in table.items() for d, x in docs.items())


def trec_run(table: Table) -> str:
    return "".join(
        f"{q} Q0 {d} {i} {x!r} tag\n" for q, docs in table.items() for i, (d, x) in enumerate(docs.items(), start=1)
    )


def csv(table: Table, value: str) -> str:
    return f"query_id,doc_id,{value}\n" + "".join(
        f"{q},{d},{x!r}\n" for q, docs in table.items() for d, x in docs.items()
    )


def jsonl(table: Table, value: str) -> str:
    return "".join(
        json.dumps({"query_id": q, "doc_id": d, value: x}, ensure_ascii=False) + "\n"
        for q, docs in table.items()
        for d, x in docs.items()
    )


def write(folder: Path, form: str, qrels: Table, run: Table) -> tuple[Path, Path]:
    texts = {
        "trec": (trec_qrels(qrels), trec_run(run)),
        "tabs": (trec_qrels(qrels).replace(" ", "\t"), trec_run(run).replace(" ", "\t")),
        "csv": (csv(qrels, "grade"), csv(run, "score")),
        "jsonl": (jsonl(qrels, "grade"), jsonl(run, "score")),
        "json": (json.dumps(qrels), json.dumps(run)),
    }
    suffix = {"trec": "txt", "tabs": "txt"}.get(form, form)
    paths = folder / f"qrels.{suffix}", folder / f"run.{suffix}"
    if form == "parquet":
        pl.DataFrame(rows(qrels, "grade")).write_parquet(paths[0])
        pl.DataFrame(rows(run, "score")).write_parquet(paths[1])
    else:
        for path, text in zip(paths, texts[form], strict=True):
            path.write_text(text, encoding="utf-8")
    return paths


FILES = ("trec", "tabs", "csv", "jsonl", "json", "parquet")


@pytest.mark.slow
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("form", FILES)
@given(tables=data())
@some(5)
def test_files_give_what_dicts_give(
    form: str, ties: str, tmp_path_factory: pytest.TempPathFactory, tables: tuple[Table, Table]
):
    qrels, run = tables
    paths = write(tmp_path_factory.mktemp("files"), form, qrels, run)

    assert outcome(*paths, ties=ties) == outcome(qrels, run, ties=ties)


@given(tables=data())
@some(10)
def test_file_on_one_side_and_dict_on_the_other(tmp_path_factory: pytest.TempPathFactory, tables: tuple[Table, Table]):
    qrels, run = tables
    qrels_file, run_file = write(tmp_path_factory.mktemp("files"), "trec", qrels, run)
    expected = outcome(qrels, run)

    assert outcome(qrels_file, run) == expected
    assert outcome(qrels, run_file) == expected
    assert outcome(qrels_file, pl.DataFrame(rows(run, "score"))) == expected


decimals = st.from_regex(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,19})?", fullmatch=True)
near = st.sampled_from(
    [
        "0.1",
        "0.10",
        "0.10000000000000001",
        "0.1000000000000000055511151231257827",
        "0.09999999999999999",
        "1",
        "1.0",
    ]
)


@pytest.mark.parametrize("convention", ["rankgauge", "trec_eval-9"])
@given(texts=st.lists(decimals | near, min_size=2, max_size=8))
@some(60)
def test_digits_of_a_file_are_the_floats_of_python(
    convention: str, tmp_path_factory: pytest.TempPathFactory, texts: list[str]
):
    """Any number of digits: equal as floats means tied, and nothing else does."""
    folder = tmp_path_factory.mktemp("digits")
    (folder / "run.txt").write_text("".join(f"q Q0 d{i} {i} {text} t\n" for i, text in enumerate(texts)))
    (folder / "qrels.txt").write_text("".join(f"q 0 d{i} {i % 3}\n" for i in range(len(texts))))
    qrels = {"q": {f"d{i}": i % 3 for i in range(len(texts))}}
    run = {"q": {f"d{i}": float(text) for i, text in enumerate(texts)}}
    names = ["nDCG", "RR", "AP", "nDCG@2", "RBP", "bpref"]

    for ties in ("doc_id", "input", "worst"):
        assert outcome(folder / "qrels.txt", folder / "run.txt", names, ties=ties, convention=convention) == outcome(
            qrels, run, names, ties=ties, convention=convention
        )


# arguments


@given(data())
@some(10)
def test_arguments_come_back_as_they_went_in(tables: tuple[Table, Table]):
    before = copy.deepcopy(tables)

    for ties in TIES:
        rg.evaluate(*tables, EVERYTHING, ties=ties, unjudged="remove", depth=2)

    assert tables == before
    assert [[list(docs) for docs in table.values()] for table in tables] == [
        [list(docs) for docs in table.values()] for table in before
    ]


@given(data())
@some(5)
def test_frames_come_back_as_they_went_in(tables: tuple[Table, Table]):
    frames = [pl.DataFrame(rows(tables[0], "grade")), pl.DataFrame(rows(tables[1], "score"))]
    pandas = [pd.DataFrame(rows(tables[0], "grade")), pd.DataFrame(rows(tables[1], "score"))]
    before = [frame.clone() for frame in frames], [frame.copy(deep=True) for frame in pandas]

    rg.evaluate(*frames, EVERYTHING)
    rg.evaluate(*pandas, EVERYTHING)

    assert all(a.equals(b) for a, b in zip(frames, before[0], strict=True))
    assert all(a.equals(b) for a, b in zip(pandas, before[1], strict=True))


def test_lists_come_back_as_they_went_in():
    both = {"q": {"retrieved": ["a", "b", "a"], "relevant": {"a", "c"}}}
    before = copy.deepcopy(both)

    rg.evaluate(both, measures="nDCG")

    assert both == before


def test_every_measure_is_here_or_has_a_reason():
    bases = {rg.parse(name).name for name in EVERYTHING}

    built_in = {name for name, cls in REGISTRY.items() if not cls.custom}
    assert built_in - bases == NEED_GROUPS
