"""Records that were stored and read back are the records that were stored."""

import json
import re
from dataclasses import asdict
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.errors import InputError, UnknownName

QUERIES = [f"q{i}" for i in range(30)]
MEASURES = ["nDCG@10", "RR", "P@3"]


def data(seed: int = 0) -> tuple[dict[str, Any], dict[str, Any]]:
    rng = np.random.default_rng(seed)
    docs = [f"d{i}" for i in range(30)]
    qrels = {q: {d: int(rng.integers(0, 3)) for d in rng.choice(docs, 12, replace=False).tolist()} for q in QUERIES}
    qrels["q0"] = dict.fromkeys(qrels["q0"], 0)
    runs = {
        name: {q: {d: float(rng.integers(0, 9)) for d in rng.choice(docs, 15, replace=False).tolist()} for q in QUERIES}
        for name in ("old", "new", "other")
    }
    return qrels, runs


def plain(value: Any) -> Any:
    """For comparing: NaN equals NaN, arrays are lists."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return "nan" if isinstance(value, float) and isnan(value) else value


@pytest.fixture(scope="module")
def compared() -> rg.Comparison:
    qrels, runs = data()
    slices = {q: {"kind": "ab"[i % 2]} for i, q in enumerate(QUERIES)}
    systems = {"old": runs["old"], "new": [runs["new"], runs["other"]], "other": runs["other"]}
    return rg.compare(qrels, systems, MEASURES, slices=slices, pairs="all", permutations=500, margin={"RR": 0.05})


# comparisons


def test_comparison_comes_back_field_by_field(compared: rg.Comparison, tmp_path: Path):
    compared.to_json(tmp_path / "c.json")
    back = rg.load(tmp_path / "c.json")

    assert isinstance(back, rg.Comparison)
    for part in ("contrasts", "sliced"):
        stored, live = getattr(back, part), getattr(compared, part)
        assert len(live) > 5
        assert [plain(asdict(c)) for c in stored] == [plain(asdict(c)) for c in live]
        assert {type(c.interval) for c in stored} == {type(live[0].interval)}
    names = ("baseline", "systems", "measures", "test", "correction", "family", "alpha", "confidence_level")
    for name in (*names, "permutations", "seeds", "seed_spread", "pairwise", "worst"):
        assert plain(getattr(back, name)) == plain(getattr(compared, name)), name
    assert list(back.notes) == list(compared.notes)
    for label in MEASURES:
        assert back.verdict(label, "new") == compared.verdict(label, "new")
        for system in ("new", "other"):
            assert back.differences(label, system).equals(compared.differences(label, system))
            assert back.moved(label, system)[0].equals(compared.moved(label, system)[0])
    assert back.to_frame().equals(compared.to_frame())


def test_comparison_stores_the_same_again(compared: rg.Comparison):
    told = compared.to_dict()

    assert rg.Comparison.from_dict(told).to_dict() == told
    assert (told["kind"], told["rankgauge"]) == ("comparison", rg.__version__)
    json.loads(compared.to_json(), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_numbers_of_a_contrast_that_are_not_known_come_back_as_such():
    live = rg.compare({"q": {"x": 1}}, {"old": {"q": ["y", "x"]}, "new": {"q": ["x"]}}, "RR")["RR"]
    told = {k: None if plain(v) == "nan" else v for k, v in live.to_dict().items()}
    back = rg.Contrast.from_dict(json.loads(json.dumps(told)))

    assert isnan(live.p_value)
    assert plain(asdict(back)) == plain(asdict(live))


def test_what_is_due_to_unjudged_results_comes_back():
    qrels = {f"q{i}": {"x": 1, "wrong": 0} for i in range(6)}
    old, new = {q: ["u", "x"] for q in qrels}, {q: ["x", "u"] for q in qrels}
    live = rg.compare(qrels, {"old": old, "new": new}, ["RR"])
    back = rg.Comparison.from_dict(live.to_dict())

    assert live.differences("RR")["only_unjudged"].to_list() == [True] * 6
    assert back.differences("RR").equals(live.differences("RR"))


def test_stored_comparison_has_no_lists_but_what_they_said(compared: rg.Comparison):
    back = rg.Comparison.from_dict(compared.to_dict())

    assert compared.sources is not None
    assert back.sources is None
    assert compared.winner("RR", "other") is not None
    for system in ("new", "other"):  # of the first measure, which tables and pages speak of
        assert back.winner("nDCG@10", system) == compared.winner("nDCG@10", system)
        assert back.winner("RR", system) is None
    with pytest.raises(InputError, match="no result lists"):
        back.query("q1", "new")


def test_comparison_shows_itself_after_reading(compared: rg.Comparison):
    back = rg.Comparison.from_dict(compared.to_dict())

    assert back.to_csv() == compared.to_csv()
    assert str(back) == str(compared)


def test_models_on_the_same_rows(tmp_path: Path):
    rng = np.random.default_rng(0)
    p = rng.beta(1, 4, 600)
    rows = {"label": rng.random(600) < p, "score": {"a": p, "b": rng.random(600)}}
    evs = rg.evaluate_predictions(rows, ["AUC", "LogLoss"])
    live = rg.compare(dict(evs))
    live.to_json(tmp_path / "c.json")
    evs.to_json(tmp_path / "e.json")

    back = rg.load(tmp_path / "c.json")
    assert [plain(asdict(c)) for c in back] == [plain(asdict(c)) for c in live]
    assert rg.load(tmp_path / "e.json").mean() == evs.mean()
    with pytest.raises(InputError, match="no queries to look at"):
        back.query("q1")


def test_comparison_without_queries_is_shorter_and_cannot_be_read(compared: rg.Comparison, tmp_path: Path):
    path = tmp_path / "c.json"
    text = compared.to_json(path, per_query=False)

    assert json.loads(text)["contrasts"] == compared.to_dict()["contrasts"]
    assert len(text) < len(compared.to_json()) / 2
    with pytest.raises(InputError, match=r"stored record '.*c.json': this comparison was stored without its evaluat"):
        rg.load(path)


def test_slices_stand_apart(compared: rg.Comparison):
    told = compared.to_dict()

    assert {row["slice"] for row in told["contrasts"]} == {""}
    assert {row["slice"] for row in told["sliced"]} == {"kind=a", "kind=b"}
    assert len(compared.csv_rows()) == len(told["contrasts"]) + len(told["sliced"])


# evaluations


def test_evaluations_come_back(tmp_path: Path):
    qrels, runs = data()
    one, several = rg.evaluate(qrels, runs["old"], MEASURES), rg.evaluate(qrels, runs, MEASURES)
    one.to_json(tmp_path / "one.json")
    several.to_json(tmp_path / "several.json")

    back = rg.load(tmp_path / "one.json")
    assert isinstance(back, rg.RankingEvaluation)
    assert back.to_dict() == one.to_dict()
    many = rg.load(str(tmp_path / "several.json"))
    assert list(many) == ["old", "new", "other"]
    assert many.to_dict() == several.to_dict()
    assert many.per_query.equals(several.per_query)


def test_stored_paths_still_compare(tmp_path: Path):
    qrels, runs = data()
    for name, run in runs.items():
        rg.evaluate(qrels, run, "RR").to_json(tmp_path / f"{name}.json")

    stored = rg.compare([tmp_path / "old.json", tmp_path / "new.json"])
    live = rg.compare(qrels, {"old": runs["old"], "new": runs["new"]}, "RR")
    assert [c.to_dict() for c in stored] == [c.to_dict() for c in live]


# funnels


def test_funnel_comes_back_without_its_items(tmp_path: Path):
    qrels, runs = data()
    live = rg.funnel(
        qrels, {"first": runs["old"], "second": {q: dict(list(r.items())[:4]) for q, r in runs["old"].items()}}
    )
    live.to_json(tmp_path / "f.json", losses=True)
    back = rg.load(tmp_path / "f.json")

    assert isinstance(back, rg.Funnel)
    assert plain([asdict(s) for s in back.stages]) == plain([asdict(s) for s in live.stages])
    assert plain([asdict(s) for s in back.steps]) == plain([asdict(s) for s in live.steps])
    assert back.to_dict() == live.to_dict()
    assert str(back) == str(live)
    assert back.worst_step == live.worst_step
    assert isinstance(live.losses, pl.DataFrame)
    for name in ("items", "losses"):
        with pytest.raises(InputError, match="a stored funnel has no single items"):
            getattr(back, name)


def test_numbers_that_were_none_or_nan_come_back_as_such():
    live = rg.funnel({"q": {"x": 1}}, {"first": {"q": ["x"]}, "second": {"other": ["x"]}})
    back = rg.Funnel.from_dict(json.loads(live.to_json()))

    assert plain([asdict(s) for s in back.stages]) == plain([asdict(s) for s in live.stages])
    assert live.stages[0].retention is None
    assert isnan(live.stages[1].size)


# other files


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"q1": {"d1": 1.0}}', r"must hold an evaluation, .*Found: an object with 'q1'\. Store one with ev.to_json"),
        ('{"kind": "gate", "passed": true}', r"not what was stored: object missing required field evaluations"),
        ('{"kind": "dance", "rankgauge": "9.9"}', r"Found: kind 'dance'\. This version does not know .*: update"),
        ("[1, 2]", r"Found: a list\."),
        ("{}", r"Found: {}\."),
        ("q1 Q0 d1 1 0.5 x", r"Line 1: not valid JSON: .*rg.read_run"),
        (
            '{"kind": "comparison", "evaluations": {}}',
            r"not what was stored: object missing required field \w+\. Store it again",
        ),
        ('{"kind": "funnel", "k": 3}', r"not what was stored: object missing required field \w+"),
        ('{"baseline": "a", "contrasts": []}', r"Compare again and store that\."),
    ],
)
def test_other_json_is_refused(tmp_path: Path, content: str, message: str):
    path = tmp_path / "x.json"
    path.write_text(content)

    with pytest.raises(InputError, match=r"stored record '.*x\.json'") as caught:
        rg.load(path)
    assert caught.match(message)


def test_broken_evaluation_of_several_is_named(tmp_path: Path):
    qrels, runs = data()
    told = rg.evaluate(qrels, runs, "RR").to_dict()
    del told["new"]["counts"]
    (tmp_path / "x.json").write_text(json.dumps(told))

    with pytest.raises(InputError, match=r"x\.json', 'new': .* missing required field counts"):
        rg.load(tmp_path / "x.json")


def test_missing_and_binary_files(tmp_path: Path):
    with pytest.raises(InputError, match=r"cannot be opened: No such file"):
        rg.load(tmp_path / "nowhere.json")
    (tmp_path / "x.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        rg.load(tmp_path / "x.json")


def test_measures_that_only_one_side_has_are_named_in_both_languages():
    qrels, runs = data()
    old = rg.evaluate(qrels, runs["old"], ["nDCG@10", "P@5", "RR"])
    new = rg.evaluate(qrels, runs["new"], ["ndcg_cut_10", "R@5"])
    compared = rg.compare({"old": old, "new": new})
    assert compared.measures == ["nDCG@10"]
    notes = [note for note in compared.notes if "not compared" in note]
    assert notes == ["only old has P@5, RR: not compared", "only new has R@5: not compared"]
    assert [note.of("zh") for note in notes] == ["只有 old 有 P@5、RR：未比较", "只有 new 有 R@5：未比较"]
    assert "only old has P@5, RR: not compared" in str(compared)
    assert not [note for note in rg.compare({"old": old, "new": new}, measures="nDCG@10").notes if "only" in note]


@pytest.mark.parametrize("measure", ["P@5", "R@5", "nDCG@5", "nDGC@10", rg.P @ 5])
def test_what_was_not_compared_is_refused_with_what_was(measure: Any):
    qrels, runs = data()
    old = rg.evaluate(qrels, runs["old"], ["nDCG@10", "P@5"])
    compared = old.compare(rg.evaluate(qrels, runs["new"], ["nDCG@10", "R@5"]))
    for asked in (compared.__getitem__, compared.verdict, compared.differences, compared.moved, compared.winner):
        with pytest.raises(UnknownName, match=f"{measure!s} was not compared.*There are: nDCG@10"):
            asked(measure)


@pytest.mark.parametrize(("value", "measure"), [(1.5, "RR"), (-0.1, "RR"), (1e6, "P@3"), (-1.0, "DCG@3")])
def test_a_value_that_the_measure_cannot_have_is_refused(tmp_path: Path, value: float, measure: str):
    qrels, runs = data()
    stored = json.loads(rg.evaluate(qrels, runs["new"], measure).to_json())
    stored["per_query"][measure][3] = value
    (tmp_path / "ev.json").write_text(json.dumps(stored))

    with pytest.raises(InputError, match=rf"ev\.json': not what was stored: '{measure}' must be from 0 to .*got"):
        rg.load(tmp_path / "ev.json")


def test_a_prediction_measure_beyond_its_range_is_refused(tmp_path: Path):
    stored = json.loads(
        rg.evaluate_predictions({"label": [1, 0, 1, 0], "score": [0.9, 0.2, 0.3, 0.4]}, "AUC").to_json()
    )
    stored["measures"][0]["value"] = 1.2
    (tmp_path / "ev.json").write_text(json.dumps(stored))

    with pytest.raises(InputError, match=r"'AUC' must be from 0 to 1, got 1\.2"):
        rg.load(tmp_path / "ev.json")


def test_values_that_gains_of_a_user_come_to_are_read_back(tmp_path: Path):
    ev = rg.evaluate({"q": {"a": 1, "b": 0}}, {"q": ["b"]}, rg.nDCG(gain={0: -1, 1: 2}))
    ev.to_json(tmp_path / "ev.json")

    assert rg.load(tmp_path / "ev.json").mean() == ev.mean() == {"nDCG(gain={0: -1, 1: 2})": -0.5}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"verdict": "better"}, "'better' does not go with a gain of -0.5"),
        ({"mean": 1.0, "mean_baseline": 0.5}, "the difference is not that of the two means"),
        ({"gain": 0.5, "verdict": "better"}, "the gain is not that of the difference"),
        (
            {"mean": 1.0, "mean_baseline": 0.5, "difference": 0.5, "gain": 0.5, "verdict": "better"},
            "the means are not those of its evaluations",
        ),
    ],
)
def test_values_that_were_swapped_are_refused(changed: dict[str, Any], said: str):
    qrels = {f"q{i}": {"x": 1} for i in range(8)}
    old, new = {q: ["x", "u"] for q in qrels}, {q: ["u", "x"] for q in qrels}
    stored = json.loads(rg.compare(qrels, {"old": old, "new": new}, "RR").to_json())
    assert rg.Comparison.from_dict(stored).verdict("RR") == "worse"
    stored["contrasts"][0] |= changed

    with pytest.raises(InputError, match=re.escape(said)):
        rg.Comparison.from_dict(stored)
