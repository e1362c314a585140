"""Where relevant items are lost between the stages of a pipeline."""

from __future__ import annotations

import json
import subprocess
import sys
from math import isnan, log2, nan, sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student

from rankgauge.data import Qrels, Run
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.evaluation import evaluate
from rankgauge.evaluation.funnel.tracing import Funnel, funnel
from rankgauge.reporting.funnel import headline

# q1 has four relevant items, q2 two; the grades of q1 are 3 2 1 1, of q2 1 1
QRELS = {"q1": {"a": 3, "b": 2, "c": 1, "d": 1, "n": 0}, "q2": {"e": 1, "f": 1}, "q3": {"z": 0}}
RECALL = {"q1": ["x", "c", "a", "b", "n"], "q2": ["e", "y", "f"], "q3": ["z"]}  # d is never retrieved
COARSE = {"q1": ["c", "n", "a"], "q2": ["y", "e", "f"]}  # b is dropped
FINAL = {"q1": ["n", "c", "a"], "q2": ["y", "e"]}  # f is dropped; with k=2, a is cut
STAGES = {"recall": RECALL, "coarse": COARSE, "final": FINAL}

IDEAL_1 = 3 + 2 / log2(3)  # the two best of q1
IDEAL_2 = 1 + 1 / log2(3)


@pytest.fixture
def hand() -> Funnel:
    return funnel(QRELS, STAGES, k=2)


def test_what_each_stage_holds(hand: Funnel):
    recall, coarse, final = hand.stages

    assert (recall.relevant, coarse.relevant, final.relevant) == (3 + 2, 2 + 2, 2 + 1)
    assert recall.recall == pytest.approx((3 / 4 + 2 / 2) / 2)
    assert coarse.recall == pytest.approx((2 / 4 + 2 / 2) / 2)
    assert final.recall == pytest.approx((2 / 4 + 1 / 2) / 2)
    assert [s.recall_pooled for s in hand.stages] == pytest.approx([5 / 6, 4 / 6, 3 / 6])
    assert [s.size for s in hand.stages] == pytest.approx([(5 + 3) / 2, (3 + 3) / 2, (3 + 2) / 2])
    assert [s.candidates for s in hand.stages] == [8, 6, 5]


def test_what_each_stage_keeps_of_the_one_before(hand: Funnel):
    recall, coarse, final = hand.stages

    assert (recall.kept, recall.retention, recall.retention_pooled) == (None, None, None)
    assert coarse.kept == pytest.approx(6 / 8)
    assert coarse.retention == pytest.approx((2 / 3 + 2 / 2) / 2)
    assert coarse.retention_pooled == pytest.approx(4 / 5)
    assert final.retention == pytest.approx((2 / 2 + 1 / 2) / 2)
    assert final.retention_pooled == pytest.approx(3 / 4)


def test_measured_and_best_possible_ndcg(hand: Funnel):
    recall, coarse, final = hand.stages

    assert recall.ndcg == pytest.approx(((1 / log2(3)) / IDEAL_1 + 1 / IDEAL_2) / 2)  # x c | e y
    assert recall.ceiling == pytest.approx(1.0)  # a b | e f
    assert coarse.ceiling == pytest.approx(((3 + 1 / log2(3)) / IDEAL_1 + 1) / 2)  # a c | e f
    assert final.ceiling == pytest.approx(((3 + 1 / log2(3)) / IDEAL_1 + 1 / IDEAL_2) / 2)  # a c | e
    assert final.ndcg == pytest.approx(((1 / log2(3)) / IDEAL_1 + (1 / log2(3)) / IDEAL_2) / 2)  # n c | y e
    assert hand.measured == final.ndcg


def test_the_fate_of_every_relevant_item(hand: Funnel):
    rows = {(q, i): rest for q, i, *rest in hand.items.iter_rows()}

    assert rows == {
        ("q1", "a"): [3.0, "cut by k", "final", 3],
        ("q1", "b"): [2.0, "dropped at coarse", "recall", 4],
        ("q1", "c"): [1.0, "shown", "final", 2],
        ("q1", "d"): [1.0, "never retrieved", None, None],
        ("q2", "e"): [1.0, "shown", "final", 2],
        ("q2", "f"): [1.0, "dropped at final", "coarse", 3],
    }
    assert hand.losses["item"].to_list() == ["a", "b", "d", "f"]
    assert dict(hand.fates) == {
        "never retrieved": 1,
        "dropped at coarse": 1,
        "dropped at final": 1,
        "cut by k": 1,
        "shown": 2,
    }


def test_the_waterfall(hand: Funnel):
    assert [s.name for s in hand.steps] == ["recall", "coarse", "final", "top 2"]
    assert [s.remaining for s in hand.steps] == [5, 4, 3, 2]
    assert [s.share for s in hand.steps] == pytest.approx([1 / 6] * 4)
    _, coarse, final = hand.stages
    assert [s.ndcg_lost for s in hand.steps] == pytest.approx(
        [0, 1 - coarse.ceiling, coarse.ceiling - final.ceiling, final.ceiling - final.ndcg], abs=1e-15
    )
    assert [s.avoidable for s in hand.steps] == [0, 0, 1, 1]  # of four relevant items two fit, whoever loses the others
    assert hand.worst_step == "final"  # the first of the two that lose one that fits
    assert hand.worst_step_ndcg == "top 2"
    assert hand.waterfall["step"].to_list() == ["recall", "coarse", "final", "top 2"]
    assert hand.waterfall["lost"].sum() + hand.fates["shown"] == hand.n_relevant == 6


def test_k_leaves_room_for_some_only(hand: Funnel):
    assert hand.fit == pytest.approx((2 + 2) / 6)
    assert (hand.n_queries, hand.n_judged) == (2, 3)


def test_grades_below_rel_are_not_relevant_but_count_in_ndcg():
    f = funnel(QRELS, STAGES, k=2, rel=2)

    assert (f.n_relevant, f.query_ids) == (2, ["q1"])
    assert f["coarse"].ceiling == pytest.approx((3 + 1 / log2(3)) / IDEAL_1)  # a, then c of grade 1


def test_one_stage_only():
    f = funnel({"q1": ["a", "b", "c"]}, {"only": {"q1": ["x", "a", "b"]}}, k=2)

    assert list(f.fates.values()) == [1, 1, 1]
    assert list(f.fates) == ["never retrieved", "cut by k", "shown"]
    assert isnan(f["only"].recall_low)  # one query has no spread
    assert str(f).startswith(
        "Most is lost below rank 2 of only: 33.3% of the relevant items"
    )  # three do not fit anyway


def test_nothing_lost():
    f = funnel({"q1": {"a": 2, "b": 1}}, {"recall": {"q1": ["b", "a", "x"]}, "final": {"q1": ["a", "b"]}})

    assert (f.worst_step, f.worst_step_ndcg) == (None, None)
    assert f.losses.is_empty()
    assert str(f).startswith("Nothing is lost: the first 10 hold all of 2 relevant items.")


@pytest.mark.parametrize("qrels", [{"q1": {"a": 0}}, {"q1": {}}])
def test_no_relevant_items(qrels: dict[str, dict[str, int]]):
    f = funnel(qrels, {"recall": {"q1": ["a"]}, "final": {"q1": ["a"]}})

    assert f.n_relevant == f.n_queries == 0
    assert all(isnan(x) for x in (f["recall"].recall, f["final"].ndcg, f["final"].size, f.fit, f.steps[0].ndcg_lost))
    assert (f.worst_step, f.worst_step_ndcg) == (None, None)
    assert f.items.is_empty()
    assert str(f).startswith("Nothing can be lost: no item has a grade of 1 or more.")
    json.loads(f.to_json(), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


# what breaks the idea of a funnel


def test_leaks_are_counted_and_said():
    qrels = {"q1": {"a": 1, "b": 1, "n": 0}}
    f = funnel(qrels, {"recall": {"q1": ["a", "x", "y"]}, "final": {"q1": ["b", "n", "a"]}})

    assert (f["final"].leaks, f["final"].relevant_leaks, f["recall"].leaks) == (2, 1, 0)
    assert f["final"].retention == 1.0
    assert "! final shows judged items that recall did not have: 2 (1 relevant)." in str(f)
    assert dict(f.fates) == {"never retrieved": 0, "dropped at final": 0, "cut by k": 0, "shown": 2}
    assert f.steps[1].ndcg_lost < 0  # the leak raised the bound


def test_an_item_that_comes_and_goes_is_lost_where_it_was_seen_last():
    f = funnel({"q1": ["a"]}, {"one": {"q1": ["a"]}, "two": {"q1": ["x"]}, "three": {"q1": ["a"]}, "four": {"q1": []}})

    assert f.losses.rows() == [("q1", "a", 1.0, "dropped at four", "three", 1)]


def test_missing_queries_count_as_empty_lists():
    f = funnel({"q1": ["a"], "q2": ["b"]}, {"recall": {"q1": ["a"], "q2": ["b"]}, "final": {"q1": ["a"]}})

    assert (f["recall"].missing, f["final"].missing) == (0, 1)
    assert f["final"].recall == pytest.approx((1 + 0) / 2)
    assert f["final"].size == 1.0  # of the list that is there
    assert f.losses.rows() == [("q2", "b", 1.0, "dropped at final", "recall", 1)]
    assert "! final lacks 1 of 2 queries with relevant items (counted as empty lists)" in str(f)
    both = funnel({"q1": ["a"], "q2": ["b"]}, {"recall": {"q1": ["a"]}, "final": {"q2": ["b"]}})
    assert "! recall, final each lack 1 of 2 queries with relevant items (counted as empty lists)" in str(both)


def test_dicts_need_neither_polars_nor_scipy():
    code = (
        "import sys; from rankgauge import funnel; f = funnel({'q': ['a']}, {'r': {'q': ['a']}}); "
        "str(f); f.to_json(); print(*({'polars', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == ""


def test_stages_out_of_order_and_twice_are_noted():
    f = funnel(QRELS, {"coarse": COARSE, "recall": RECALL, "again": RECALL})

    assert "recall has longer lists than coarse (4.0 and 3.0 results on average): are the stages in order?" in f.notes
    assert "recall and again hold the same judged items at the same ranks" in f.notes
    assert not funnel(QRELS, STAGES).notes


def test_the_order_of_equal_scores_does_not_change_what_a_stage_holds():
    tied = {"q1": dict.fromkeys("abcx", 1.0)}
    funnels = [
        funnel(QRELS, {"recall": tied, "coarse": tied}, k=2, ties=ties) for ties in ("doc_id", "input", "best", "worst")
    ]

    assert len({(f["coarse"].recall, f["coarse"].retention, f["coarse"].ceiling) for f in funnels}) == 1
    # shown of a b c x in each order: x c, a b, a b, x c (the last of c and b)
    assert [f.items.filter(fate="shown")["item"].to_list() for f in funnels] == [["c"], ["a", "b"], ["a", "b"], ["c"]]


def test_cut_takes_the_first_results_of_a_stage():
    whole = {"q1": ["c", "n", "a", "b", "x"], "q2": ["y", "e", "f"]}
    by_name = funnel(QRELS, {"recall": whole, "coarse": whole}, cut={"coarse": 3}, k=2)
    by_hand = funnel(QRELS, {"recall": whole, "coarse": {q: r[:3] for q, r in whole.items()}}, k=2)

    assert by_name.csv_rows() == by_hand.csv_rows()
    assert by_name.items.equals(by_hand.items)
    assert funnel(QRELS, {"recall": whole}, cut=1)["recall"].size == 1.0
    assert "only the first results count: coarse 3" in str(by_name)


# every number against the definition, written as loops


def dcg(grades: list[float], k: int) -> float:
    return sum(max(g, 0) / log2(i + 1) for i, g in enumerate(grades[:k], 1))


def average(values: list[float]) -> float:
    return mean(values) if values else nan


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else nan


def naive_stage(qrels: Any, run: Any, before: Any, queries: list[str], k: int, rel: int) -> dict[str, Any]:
    lists = {q: run.get(q, []) for q in queries}
    earlier = {q: before.get(q, []) for q in queries} if before is not None else None
    relevant = {q: {d for d, g in qrels[q].items() if g >= rel} for q in queries}
    ideal = {q: dcg(sorted(qrels[q].values(), reverse=True), k) for q in queries}
    held = {q: relevant[q] & set(lists[q]) for q in queries}
    recalls = [len(held[q]) / len(relevant[q]) for q in queries]
    out: dict[str, Any] = {
        "size": average([len(run[q]) for q in queries if q in run]),
        "candidates": sum(map(len, lists.values())),
        "relevant": sum(map(len, held.values())),
        "recall": average(recalls),
        "recall_pooled": ratio(sum(map(len, held.values())), sum(map(len, relevant.values()))),
        "missing": sum(q not in run for q in queries),
        "ndcg": average([dcg([qrels[q].get(d, 0) for d in lists[q]], k) / ideal[q] for q in queries]),
        "ceiling": average(
            [dcg(sorted((qrels[q].get(d, 0) for d in lists[q]), reverse=True), k) / ideal[q] for q in queries]
        ),
        "recall_low": nan,
        "recall_high": nan,
        **dict.fromkeys(["kept", "retention", "retention_pooled"]),
        **dict.fromkeys(["leaks", "relevant_leaks"], 0),
    }
    if len(recalls) > 1:
        half = student.ppf(0.975, len(recalls) - 1) * stdev(recalls) / sqrt(len(recalls))
        out |= {"recall_low": max(mean(recalls) - half, 0), "recall_high": min(mean(recalls) + half, 1)}
    if earlier is not None:
        had = {q: relevant[q] & set(earlier[q]) for q in queries}
        leaked = {q: (set(lists[q]) - set(earlier[q])) & set(qrels[q]) for q in queries}
        out |= {
            "kept": ratio(out["candidates"], sum(map(len, earlier.values()))),
            "retention": average([len(had[q] & held[q]) / len(had[q]) for q in queries if had[q]]),
            "retention_pooled": ratio(sum(len(had[q] & held[q]) for q in queries), sum(len(had[q]) for q in queries)),
            "leaks": sum(map(len, leaked.values())),
            "relevant_leaks": sum(len(leaked[q] & relevant[q]) for q in queries),
        }
    return out


def naive_fate(query: str, item: str, stages: dict[str, Any], k: int) -> tuple[str, str | None, int | None]:
    names = list(stages)
    for i in range(len(names) - 1, -1, -1):
        ranking = stages[names[i]].get(query, [])
        if item in ranking:
            rank = ranking.index(item) + 1
            if i < len(names) - 1:
                return f"dropped at {names[i + 1]}", names[i], rank
            return ("shown" if rank <= k else "cut by k"), names[i], rank
    return "never retrieved", None, None


DOCS = list("abcdefgh")
QUERIES = ["q1", "q2", "q3", "q4"]
LISTS = st.dictionaries(st.sampled_from(QUERIES), st.lists(st.sampled_from(DOCS), unique=True, max_size=8))
SOME = LISTS.map(lambda run: {**run, "q9": ["a"]})  # a query that nobody judged keeps the run from being empty
JUDGED = st.dictionaries(
    st.sampled_from(QUERIES), st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 3), max_size=6), min_size=1
)


@settings(max_examples=150, deadline=None)
@given(
    JUDGED,
    st.lists(SOME, min_size=1, max_size=4),
    st.integers(1, 5),
    st.integers(1, 2),
    st.none() | st.integers(1, 5),
    st.booleans(),
)
def test_every_number_is_that_of_the_definition(
    qrels: Any, runs: list[Any], k: int, rel: int, cut: int | None, as_frames: bool
):
    stages = {f"stage {i}": run for i, run in enumerate(runs)}
    if as_frames:  # which have no room for empty lists
        stages = {name: {q: r for q, r in run.items() if r} for name, run in stages.items()}
        sources: dict[str, Any] = {name: Run.of(run).to_frame() for name, run in stages.items()}
        sources["stage 0"] = stages["stage 0"]  # and one that is read in another way
        f = funnel(qrels, sources, k=k, rel=rel, cut=cut)
    else:
        f = funnel(qrels, stages, k=k, rel=rel, cut=cut)

    queries = [q for q, row in qrels.items() if any(g >= rel for g in row.values())]
    stages = {name: {q: r[:cut] for q, r in run.items()} for name, run in stages.items()}
    for stage, run, before in zip(f.stages, stages.values(), [None, *stages.values()], strict=False):
        expected = naive_stage(qrels, run, before, queries, k, rel)
        assert {key: getattr(stage, key) for key in expected} == pytest.approx(expected, nan_ok=True, abs=1e-9)

    fates = {(q, d, float(g)): naive_fate(q, d, stages, k) for q in queries for d, g in qrels[q].items() if g >= rel}
    assert {row[:3]: row[3:] for row in f.items.iter_rows()} == fates
    assert dict(f.fates) == {name: sum(x[0] == name for x in fates.values()) for name in f.fates}
    assert sum(f.fates.values()) == f.n_relevant == len(fates)
    left = len(fates)
    bounds = [1.0 if fates else nan, *(s.ceiling for s in f.stages), f.stages[-1].ndcg]
    for i, step in enumerate(f.steps):
        left -= f.fates[step.fate]
        assert (step.lost, step.remaining) == (f.fates[step.fate], left)
        assert step.share == pytest.approx(ratio(step.lost, len(fates)), nan_ok=True)
        assert step.remaining_share == pytest.approx(ratio(left, len(fates)), nan_ok=True)
        assert (step.ndcg_before, step.ndcg_after) == pytest.approx((bounds[i], bounds[i + 1]), nan_ok=True)
        assert step.ndcg_lost == pytest.approx(bounds[i] - bounds[i + 1], nan_ok=True)
    saved = [naive_avoidable(i, fates, list(f.fates), k) for i in range(len(f.steps))]
    assert [s.avoidable for s in f.steps] == [s.missed for s in f.steps] == saved
    assert f.worst_step == (f.steps[saved.index(max(saved))].name if max(saved) else None)
    assert sum(saved) == round(f.fit * len(fates) if fates else 0) - f.fates["shown"]


def naive_avoidable(step: int, fates: dict[Any, Any], names: list[str], k: int) -> int:
    """Of each query at most k relevant items can be shown: what a step takes away from these."""
    total = 0
    for query in {q for q, *_ in fates}:
        ends = [names.index(fate) for (q, *_), (fate, *_) in fates.items() if q == query]
        before, after = (sum(end >= at for end in ends) for at in (step, step + 1))
        total += min(before, k) - min(after, k)
    return total


def test_measured_ndcg_is_that_of_evaluate():
    f = funnel(QRELS, STAGES, k=3)

    for name, run in STAGES.items():
        assert f[name].ndcg == evaluate(QRELS, run, "nDCG@3")["nDCG@3"]


# a loss that was put there


def planted(dropped: float) -> Funnel:
    """100 queries with 5 relevant items; coarse keeps the first 50 of 200 but loses a share of the relevant ones."""
    rng = np.random.default_rng(3)
    qrels, recall, coarse, final = {}, {}, {}, {}
    for q in map(str, range(100)):
        qrels[q] = [f"{q}-{i}" for i in range(5)]
        retrieved = [d for d in qrels[q] if rng.random() < 0.95]
        recall[q] = [*retrieved, *(f"x{i}" for i in range(200 - len(retrieved)))]
        lost = {qrels[q][i] for i in range(5) if rng.random() < dropped}
        coarse[q] = [d for d in recall[q] if d not in lost][:50]
        final[q] = coarse[q][:10]
    return funnel(qrels, {"recall": recall, "coarse": coarse, "final": final})


def test_a_coarse_stage_that_drops_relevant_items_is_found():
    f = planted(0.4)

    assert f.worst_step == f.worst_step_ndcg == "coarse"
    assert f.steps[1].share == pytest.approx(0.95 * 0.4, abs=0.05)
    assert f["coarse"].retention_pooled == pytest.approx(0.6, abs=0.05)
    said = f"Most is lost at coarse: {100 * f.steps[1].share:.1f}% of the relevant items (nDCG@10 could be 0."
    assert headline(f).startswith(said)


def test_its_healthy_twin_loses_nothing_there():
    f = planted(0.0)

    assert f.worst_step == "recall"  # the 5% that were never retrieved
    assert f["coarse"].retention == 1.0
    assert f.fates["dropped at coarse"] == 0


# forms


def trec(path: Path, runs: dict[str, list[str]]) -> Path:
    lines = [f"{q} Q0 {d} {i} {100 - i} tag\n" for q, r in runs.items() for i, d in enumerate(r, 1)]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_files_dicts_and_frames_give_the_same(tmp_path: Path, hand: Funnel):
    paths = {name: trec(tmp_path / f"{name}.run", run) for name, run in STAGES.items()}
    judged = tmp_path / "qrels.txt"
    judged.write_text("".join(f"{q} 0 {d} {g}\n" for q, r in QRELS.items() for d, g in r.items()), encoding="utf-8")
    frame = Qrels.of(QRELS).to_frame()
    interleaved = frame.with_row_index("n").sort(pl.col("n") % 2, maintain_order=True).drop("n")

    for qrels, stages in [
        (judged, paths),
        (str(judged), {name: str(path) for name, path in paths.items()}),
        (judged, list(paths.values())),
        (QRELS, {**paths, "coarse": COARSE}),
        (frame, {**paths, "final": FINAL}),
        (interleaved, STAGES),
    ]:
        f = funnel(qrels, stages, k=2)
        assert f.csv_rows() == hand.csv_rows()
        assert sorted(f.items.rows()) == sorted(hand.items.rows())


def test_integer_ids_and_columns():
    frame = pl.DataFrame({"user": [1, 1], "product": [7, 8], "sim": [0.9, 0.8]})
    f = funnel({1: {7: 1, 9: 1}}, {"recall": frame}, columns={"user": "query_id", "product": "doc_id", "sim": "score"})

    assert f.items.select("query_id", "item", "fate").rows() == [("1", "7", "shown"), ("1", "9", "never retrieved")]


def test_subtopics_count_an_item_once():
    qrels = pl.DataFrame(
        {"query_id": ["q"] * 4, "iteration": [1, 2, 1, 2], "doc_id": ["a", "a", "b", "c"], "grade": [1, 2, 1, 1]}
    )
    f = funnel(qrels, {"recall": {"q": ["c", "a"]}})

    assert f.items.select("item", "grade", "fate").rows() == [
        ("a", 2.0, "shown"),
        ("b", 1.0, "never retrieved"),
        ("c", 1.0, "shown"),
    ]


def test_frame_csv_and_json_hold_the_same(tmp_path: Path, hand: Funnel):
    assert hand.to_frame().to_dicts() == hand.csv_rows()
    assert hand.to_csv().splitlines()[0].startswith("stage,size,candidates,kept,relevant,recall")
    told = json.loads(hand.to_json(tmp_path / "f.json", losses=True))
    assert json.loads((tmp_path / "f.json").read_text(encoding="utf-8")) == told
    assert told["stages"][1]["retention_pooled"] == 4 / 5
    assert told["fates"]["cut by k"] == 1
    assert told["losses"][2] == {
        **{"query_id": "q1", "item": "d", "grade": 1.0, "fate": "never retrieved"},
        **{"last_stage": None, "rank": None},
    }
    assert "losses" not in json.loads(hand.to_json())


def test_text_has_the_sentence_the_stages_and_the_fates(hand: Funnel):
    lines = str(hand).splitlines()

    assert lines[0] == (
        f"Most is lost at final: 16.7% of the relevant items (nDCG@2 could be {hand['coarse'].ceiling:.3f} before it, "
        f"{hand['final'].ceiling:.3f} after it). Another 33.3% of them have no room in the first 2, whatever the "
        f"stages do. The order of final costs more nDCG@2: {hand['final'].ceiling:.3f} → {hand['final'].ndcg:.3f}."
    )
    assert any(line.startswith("coarse      3.0  75.0%  0.7500") for line in lines)
    assert any(line.split()[:5] == ["dropped", "at", "final", "1", "16.7%"] for line in lines)
    assert "What became of 6 relevant items" in lines
    assert any(
        line.startswith("the first 2 have room for 66.7% of the relevant items at most; no room: ") for line in lines
    )
    for form in (hand.to_markdown(), hand.to_html(), hand.to_latex()):
        assert "dropped at final" in form


def test_most_lost_below_rank_k():
    f = funnel({"q": ["a", "b", "c"]}, {"final": {"q": ["a", "b", "c"]}}, k=1)

    assert (f.steps[-1].lost, f.steps[-1].avoidable, f.worst_step) == (2, 0, None)
    assert headline(f) == "Nothing is lost that the first 1 have room for: of 3 relevant items they hold 33.3%."
    assert headline(f).zh == "前 1 位能容纳的都没有丢失：3 个相关条目中展示了 33.3%。"

    late = funnel({"q": ["a", "b", "c"]}, {"final": {"q": ["x", "a", "b", "c"]}}, k=1)
    assert late.worst_step == "top 1"
    assert headline(late) == (
        "Most is lost below rank 1 of final: 33.3% of the relevant items (nDCG@1 could be 1.000, and is 0.000). "
        "Another 66.7% of them have no room in the first 1, whatever the stages do."
    )


def test_a_stage_that_costs_more_than_the_one_that_loses_most():
    qrels = {"q": {"a": 9, "b": 1, "c": 1}}
    f = funnel(qrels, {"recall": {"q": ["a"]}, "final": {"q": ["x"]}})

    assert (f.worst_step, f.worst_step_ndcg) == ("recall", "final")
    assert " final costs more nDCG@10: " in headline(f)


# what is refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "`k` must be a positive integer, got 0"),
        ({"k": True}, "`k` must be a positive integer, got True"),
        ({"k": 2.5}, "`k` must be a positive integer, got 2.5"),
        ({"rel": 0}, "`rel` must be a number above 0, got 0"),
        ({"rel": nan}, "`rel` must be a number above 0, got nan"),
        ({"ties": "expected"}, "got 'expected'. An item has one fate, so it needs one rank"),
        ({"ties": "docid"}, "got 'docid'. Did you mean doc_id"),
        ({"cut": 0}, "`cut` must be a positive integer, got 0 for stage 'recall'"),
        ({"cut": {"corse": 5}}, "`cut` names the stage 'corse', stages are recall, coarse, final. Did you mean coarse"),
        ({"confidence_level": 1}, "`confidence_level` must be between 0 and 1"),
    ],
)
def test_options_out_of_range(options: dict[str, Any], message: str):
    with pytest.raises(ParameterError, match=message.replace("(", r"\(")):
        funnel(QRELS, STAGES, **options)


def test_unknown_options_are_refused():
    with pytest.raises(TypeError, match="kk"):
        funnel(QRELS, STAGES, kk=5)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("stages", "got"), [({}, "nothing"), ([], "nothing"), (RECALL, "one run"), ("a.run", "str"), (3, "int")]
)
def test_stages_need_names(stages: Any, got: str):
    with pytest.raises(ParameterError, match=f"`stages` must be a dict of runs by name.* got {got}"):
        funnel(QRELS, stages)


def test_a_file_that_is_not_there():
    with pytest.raises(InputError, match=r"none\.run"):
        funnel(QRELS, {"recall": RECALL, "final": "none.run"})


def test_unknown_stage(hand: Funnel):
    with pytest.raises(UnknownName, match=r"no stage 'corse'\. Did you mean coarse\? There are: recall, coarse, final"):
        hand["corse"]


def test_the_former_name_of_the_ceiling_can_still_be_asked_for_and_read() -> None:
    f = funnel({"q": ["a", "b"]}, {"one": {"q": ["x", "a"]}}, k=2)
    stored = f.to_dict()
    older = {**stored, "stages": [{"oracle": row.pop("ceiling"), **row} for row in stored["stages"]]}

    with pytest.warns(DeprecationWarning, match=r"FunnelStage\.oracle is now FunnelStage\.ceiling"):
        assert f["one"].oracle == f["one"].ceiling
    assert [s.ceiling for s in Funnel.from_dict(older).stages] == [s.ceiling for s in f.stages]


def test_queries_that_nobody_judged_and_scores_that_are_none_are_told():
    first = {"q": {"a": 1.0, "b": 2.0}, "other": {"a": 1.0}}
    f = funnel({"q": ["a"]}, {"recall": first, "final": {"q": {"a": 1.0, "b": nan}}})

    assert f.notes == [
        "recall: 1 query of the run without judgements, ignored",
        "final: 1 score not a number; such results rank last",
    ]
