"""What is asked of a record where people look for it gives what the functions give."""

from __future__ import annotations

from functools import partial

import pytest

import rankgauge as rg
from rankgauge.errors import InputError, ParameterError

QRELS = {f"q{i}": {"d": 1, "e": 2} for i in range(12)}
OLD = rg.evaluate(QRELS, {q: ["x", "d", "y", "e"] for q in QRELS}, ["nDCG@10", "RR"])
NEW = rg.evaluate(QRELS, {q: ["e", "x", "d"] for q in QRELS}, ["nDCG@10", "RR"])
BOTH = rg.compare({"old": OLD, "new": NEW})
CLICKS = [[1, 0.9], [0, 0.4], [1, 0.6], [0, 0.2]] * 5


def test_methods_give_what_the_functions_give():
    assert OLD.diagnose().to_dict() == rg.diagnose(OLD).to_dict()
    assert OLD.by_cutoff("R", [1, 2]).to_dict() == rg.by_cutoff(OLD, "R", [1, 2]).to_dict()
    assert OLD.by_cutoff().to_dict() == rg.by_cutoff(OLD).to_dict()
    assert OLD.plot().svg == rg.plot(OLD).svg
    assert BOTH.plot("differences", measure="RR").svg == rg.plot(BOTH, "differences", measure="RR").svg
    assert BOTH.sentences("zh") == rg.sentences(BOTH, "zh")
    assert OLD.report(title="Shop").startswith("<!doctype html>")


def test_report_writes_where_it_is_told(tmp_path):
    assert BOTH.report(tmp_path / "report.html") == str(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_compare_takes_the_evaluation_itself_as_the_baseline():
    made = OLD.compare(NEW)

    assert made.baseline == "baseline"  # both runs are called "run"
    assert [c.difference for c in made] == [c.difference for c in BOTH]
    assert [c.p_value for c in made] == [c.p_value for c in BOTH]
    several = rg.evaluate(QRELS, {"a": {q: ["x", "d"] for q in QRELS}, "b": {q: ["d"] for q in QRELS}}, "RR")
    assert several["a"].compare(several["b"]).systems == ["b"]
    assert several.compare(baseline="b").baseline == "b"


def test_compare_with_what_is_no_evaluation_says_what_it_needs():
    with pytest.raises(
        InputError, match=r"needs another evaluation, got dict\. Evaluate it first, or call rg\.compare"
    ):
        OLD.compare(QRELS)


def test_models_are_compared_by_their_names():
    labels, scores = zip(*CLICKS, strict=True)
    ev = rg.evaluate_predictions({"label": labels, "score": scores}, ["AUC"])

    assert ev.compare(ev).verdict("AUC") in ("equivalent", "inconclusive", "unchanged")


def test_to_pandas_holds_what_the_frame_holds():
    pytest.importorskip("pandas")
    for record in (OLD, BOTH, rg.evaluate(QRELS, {"a": {q: ["d"] for q in QRELS}}, "RR")):
        assert record.to_pandas().to_dict("list").keys() == record.to_frame().to_dict(as_series=False).keys()
        assert len(record.to_pandas()) == len(record.to_frame())


@pytest.mark.parametrize("name", ["qrels.txt", "run.txt", "link.txt"])
def test_a_record_is_never_written_over_the_files_that_it_was_read_from(tmp_path, name):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    (tmp_path / "run.txt").write_text("q1 Q0 d1 1 2.0 x\n")
    (tmp_path / "link.txt").hardlink_to(tmp_path / "run.txt")
    before = (tmp_path / name).read_bytes()
    ev = rg.evaluate(tmp_path / "qrels.txt", tmp_path / "run.txt")
    compared = rg.compare(tmp_path / "qrels.txt", {"a": tmp_path / "run.txt", "b": tmp_path / "run.txt"})
    for write in (ev.report, ev.to_json, compared.report, compared.to_json, partial(ev.plot, None)):
        with pytest.raises(ParameterError, match="would overwrite the input"):
            write(tmp_path / name)
    assert (tmp_path / name).read_bytes() == before
    ev.to_json(tmp_path / "new.json")
    ev.to_json(tmp_path / "new.json")


def test_an_evaluation_of_predictions_is_never_written_over_its_rows(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("label,old,new\n0,0.1,0.2\n1,0.4,0.5\n")
    one = rg.evaluate_predictions(rows, scores="old")
    both = rg.evaluate_predictions(rows, scores=["old", "new"])
    for write in (one.report, one.to_json, both.report, both.to_json, partial(one.plot, "roc")):
        with pytest.raises(ParameterError, match="would overwrite the input"):
            write(rows)
    assert rows.read_text().startswith("label,old,new")
