"""Nothing at all is an error wherever it is given; an empty list is an answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.behavior import judgements
from rankgauge.errors import InputError

JUDGED = {"q": {"a": 1}, "p": {"b": 1}}
SHOWN = {"q": ["a"], "p": ["c", "b"]}
NO_RESULTS = pl.DataFrame(schema={"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64})
NO_GRADES = NO_RESULTS.rename({"score": "grade"})
NONE = "must hold at least one query, got none"


def nothings(kind: str, folder: Path) -> dict[str, Any]:
    frame = NO_RESULTS if kind == "run" else NO_GRADES
    frame.write_parquet(folder / f"{kind}.parquet")
    return {
        "dict": {},
        "Polars": frame,
        "lazy": frame.lazy(),
        "pandas": frame.to_pandas(),
        "Arrow": frame.to_arrow(),
        "Parquet": folder / f"{kind}.parquet",
        "matrix": np.zeros((0, 3)),
    }


FORMS = ["dict", "Polars", "lazy", "pandas", "Arrow", "Parquet", "matrix"]


@pytest.mark.parametrize("form", FORMS)
def test_run_of_nothing_is_refused(form: str, tmp_path: Path):
    with pytest.raises(InputError, match=NONE):
        rg.evaluate(JUDGED, nothings("run", tmp_path)[form], "RR")


@pytest.mark.parametrize("form", FORMS)
def test_judgements_of_nothing_are_refused(form: str, tmp_path: Path):
    with pytest.raises(InputError, match=NONE):
        rg.evaluate(nothings("qrels", tmp_path)[form], SHOWN, "RR")


@pytest.mark.parametrize("form", ["lazy", "Parquet"])
def test_nothing_is_refused_when_read_in_pieces(form: str, tmp_path: Path):
    with pytest.raises(InputError, match=f"run.*{NONE}"):
        rg.evaluate(JUDGED, nothings("run", tmp_path)[form], "RR", engine="streaming")
    full = rg.Run.of(SHOWN).to_frame().lazy()
    with pytest.raises(InputError, match=f"qrels.*{NONE}"):
        rg.evaluate(nothings("qrels", tmp_path)[form], full, "RR", engine="streaming")


def test_file_of_nothing_is_refused_by_its_name(tmp_path: Path):
    NO_RESULTS.write_parquet(tmp_path / "bm25.parquet")

    with pytest.raises(InputError, match=f"run 'bm25': {NONE}"):
        rg.read_run(tmp_path / "bm25.parquet")


@pytest.mark.parametrize(
    "call",
    [
        lambda: rg.evaluate(JUDGED, {"a": SHOWN, "b": NO_RESULTS}, "RR"),
        lambda: rg.evaluate({}, {"a": SHOWN}, "RR"),
        lambda: rg.compare(JUDGED, {"a": SHOWN, "b": NO_RESULTS}, "RR"),
        lambda: rg.compare({}, {"a": SHOWN, "b": SHOWN}, "RR"),
        lambda: rg.audit({}, SHOWN),
        lambda: rg.audit(JUDGED, NO_RESULTS),
        lambda: rg.funnel({}, {"a": SHOWN}),
        lambda: rg.funnel(JUDGED, {"a": NO_RESULTS}),
        lambda: rg.Run.of({}),
        lambda: rg.evaluate(rg.Qrels(frame=NO_GRADES), SHOWN, "RR"),
    ],
)
def test_nothing_is_refused_by_every_call(call: Any):
    with pytest.raises(InputError, match=NONE):
        call()


def test_no_runs_at_all_are_refused():
    with pytest.raises(InputError, match="at least one run"):
        rg.evaluate(JUDGED, [], "RR")


def rankgauge(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rankgauge", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


def test_commands_over_nothing_end_with_an_error_and_write_nothing(tmp_path: Path):
    NO_RESULTS.write_parquet(tmp_path / "new.parquet")
    (tmp_path / "qrels.txt").write_text("q 0 a 1\n")
    pl.DataFrame(
        {"request_id": range(20), "query_id": ["q"] * 20, "item_id": ["a", "b"] * 10, "position": 1, "click": 0}
    ).write_csv(tmp_path / "log.csv")

    gate = rankgauge("gate", "qrels.txt", "new.parquet", "--floor", "RR>=0", cwd=tmp_path)
    judged = rankgauge("judgements", "log.csv", "-o", "made.qrels", cwd=tmp_path)

    assert (gate.returncode, judged.returncode) == (2, 2), (gate.stderr, judged.stderr)
    assert "must hold at least one query, got none" in gate.stderr
    assert "at least one pair must be judged, got none of 2" in judged.stderr
    assert not (tmp_path / "made.qrels").exists()


def test_threshold_is_chosen_where_all_rows_have_one_time(tmp_path: Path):
    rows = pl.DataFrame({"label": [1, 0] * 20, "score": [0.9, 0.1] * 20, "time": ["2020-01-01"] * 40})
    rows.write_csv(tmp_path / "rows.csv")
    done = rankgauge("predictions", "rows.csv", "--threshold", "F1", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert "F1" in done.stdout


@pytest.mark.parametrize("policy", ["zero", "skip", "error"])
def test_run_of_empty_lists_is_an_answer_whatever_missing_says(policy: str):
    ev = rg.evaluate(JUDGED, {"q": [], "p": {}}, ["RR", "NumRet"], missing=policy)

    assert (ev["RR"], ev.n("RR"), ev.counts["missing"]) == (0, 2, 0)


def test_empty_lists_mean_the_same_in_every_form(tmp_path: Path):
    (tmp_path / "run.json").write_text('{"q": [], "p": ["c", "b"]}')
    judged = rg.Qrels.of(JUDGED).to_frame()
    forms = [
        (JUDGED, {"q": [], "p": ["c", "b"]}),
        (JUDGED, tmp_path / "run.json"),
        (judged, {"q": [], "p": ["c", "b"]}),
        (judged, tmp_path / "run.json"),
        (judged.lazy(), tmp_path / "run.json"),  # judgements in pieces
    ]
    for qrels, run in forms:
        ev = rg.evaluate(qrels, run, "RR", missing="skip")
        assert (ev["RR"], ev.n("RR"), ev.counts["missing"]) == ((0 + 1 / 2) / 2, 2, 0)


def test_file_of_empty_lists_is_an_answer(tmp_path: Path):
    (tmp_path / "run.json").write_text('{"q": [], "p": []}')

    assert rg.evaluate(JUDGED, tmp_path / "run.json", "RR", missing="error")["RR"] == 0


def test_log_in_which_nothing_can_be_judged_is_an_error_with_the_reasons():
    n = 40
    log = pl.DataFrame(
        {
            "request_id": range(n),
            "query_id": ["q"] * n,
            "item_id": ["a", "b"] * (n // 2),
            "position": [1] * n,
            "click": [False] * n,
        }
    )
    with pytest.raises(InputError, match=r"at least one pair must be judged, got none of 2: 2 because of no_event"):
        _ = judgements(log, {"click": 1}).qrels


# what has nothing relevant, for each measure as it asks

HALF = {"q1": {"a": 0.5}, "q2": {"b": 1}, "q3": {"c": 0}}
EACH = {"q1": ["a"], "q2": ["x", "b"], "q3": ["c"]}


def test_grade_of_a_half_is_a_gain_and_no_relevant_item():
    ev = rg.evaluate(HALF, EACH, ["nDCG@10", "ERR@10", "AP", "P@1"])

    assert [ev.n(m) for m in ("nDCG@10", "ERR@10", "AP", "P@1")] == [2, 2, 1, 1]
    assert ev.counts["without_relevant"] == 1  # q3, whoever asks
    assert ev.counts["without_relevant_by"] == {"nDCG@10": 1, "ERR@10": 1, "AP": 2, "P@1": 2}
    notes = [n for n in ev.notes if "relevant" in n]
    assert notes == [
        "1 of 3 queries has nothing that is relevant to nDCG@10, ERR@10 (left out; no_relevant=skip)",
        "2 of 3 queries have nothing that is relevant to AP, P@1 (left out; no_relevant=skip)",
    ]


def test_measures_that_agree_are_counted_together():
    ev = rg.evaluate(HALF, EACH, ["nDCG@10", "ERR@10"])

    assert ev.counts["without_relevant"] == 1
    assert "without_relevant_by" not in ev.counts
    assert "1 of 3 queries has no relevant item (left out; no_relevant=skip)" in ev.notes


def test_level_asked_for_decides_the_count():
    ev = rg.evaluate({"q": {"a": 1}, "p": {"b": 2}}, SHOWN, ["RR", "AP"], rel=2)

    assert ev.counts["without_relevant"] == 1


def test_gains_below_1_are_no_suspicion():
    rates = {q: {d: g / 4 for d, g in row.items()} for q, row in {"q1": {"a": 1}, "q2": {"b": 2}}.items()}

    assert rg.evaluate(rates, EACH, "nDCG@10").suspicions == ()
    assert [s.code for s in rg.evaluate(rates, EACH, "AP").suspicions] == ["no-relevant"]


def test_engines_count_what_is_not_relevant_alike():
    wanted = ["nDCG@10", "AP"]
    here = rg.evaluate(HALF, EACH, wanted)
    pieces = rg.evaluate(rg.Qrels.of(HALF).to_frame(), rg.Run.of(EACH).to_frame().lazy(), wanted)

    assert pieces.counts == here.counts
    assert [pieces.n(m) for m in wanted] == [here.n(m) for m in wanted] == [2, 1]


# weights and words


@pytest.mark.parametrize("weight", [1e308, 1e-320])
def test_weights_whose_sums_fail_are_refused(weight: float):
    with pytest.raises(InputError, match=r"must be 0 or from 1e-100 to 1e\+100, got"):
        rg.evaluate(JUDGED, SHOWN, "RR", weights={"q": weight, "p": weight})
    with pytest.raises(InputError, match=r"must be 0 or from 1e-100 to 1e\+100, got"):
        rg.evaluate_predictions({"label": [1, 0], "score": [0.2, 0.1], "weight": [weight, 1.0]}, "AUC")


@pytest.mark.parametrize("scale", [1e100 / 4, 1e-100])
def test_weights_at_the_limit_give_the_number_and_its_interval(scale: float):
    judged, shown = {**JUDGED, "r": {"a": 1}}, {**SHOWN, "r": ["x", "y", "a"]}
    plain = rg.evaluate(judged, shown, "RR", weights={"q": 1, "p": 3, "r": 2})
    far = rg.evaluate(judged, shown, "RR", weights={"q": scale, "p": 3 * scale, "r": 2 * scale})

    assert far["RR"] == pytest.approx((1 * 1 + 3 * 1 / 2 + 2 * 1 / 3) / 6)
    assert tuple(far.interval("RR")) == pytest.approx(tuple(plain.interval("RR")))
    assert far.interval("RR").high > far["RR"]


@pytest.mark.parametrize("bad", ["a", None, [1]])
def test_weights_that_are_no_numbers_are_refused(bad: Any):
    with pytest.raises(InputError, match="weights: "):
        rg.evaluate(JUDGED, SHOWN, "RR", weights={"q": bad, "p": 1})


def test_no_measures_named_means_the_default_ones():
    assert rg.evaluate(JUDGED, SHOWN, None).mean() == rg.evaluate(JUDGED, SHOWN).mean()


@pytest.mark.parametrize("rel", ["1", True, float("nan"), 0])
def test_level_that_is_no_number_is_refused(rel: Any):
    with pytest.raises(rg.errors.ParameterError, match="`rel` must be a number above 0 or None"):
        rg.evaluate(JUDGED, SHOWN, "RR", rel=rel)


@pytest.mark.parametrize("depth", ["1", True, 1.0, 0])
def test_depth_that_is_no_whole_number_is_refused(depth: Any):
    with pytest.raises(rg.errors.ParameterError, match="`depth` must be a positive integer or None"):
        rg.evaluate(JUDGED, SHOWN, "RR", depth=depth)


def test_numbers_of_numpy_are_numbers():
    ev = rg.evaluate(JUDGED, SHOWN, "RR", depth=np.int64(1), rel=np.float32(1))

    assert (ev["RR"], ev.policy.depth, ev.policy.rel) == (1 / 2, 1, 1.0)
    assert type(ev.policy.depth) is int
