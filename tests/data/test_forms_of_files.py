"""Files in forms that people have: several as one table, open ones, lines that end as old spreadsheets end them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import rankgauge as rg
from rankgauge.errors import InputError, ParameterError


def written(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def test_a_list_of_files_is_one_table_of_predictions(tmp_path: Path):
    days = [
        written(tmp_path / "a.csv", "label,score,user_id\n1,0.9,u\n0,0.8,u\n"),
        written(
            tmp_path / "b.jsonl",
            '{"label": 1, "score": 0.5, "user_id": "v"}\n{"label": 0, "score": 0.1, "user_id": "v"}\n',
        ),
    ]
    rows = {"label": [1, 0, 1, 0], "score": [0.9, 0.8, 0.5, 0.1]}

    got = rg.evaluate_predictions(days, ["AUC", "LogLoss"])

    assert got.mean() == rg.evaluate_predictions(rows, ["AUC", "LogLoss"]).mean()
    assert rg.evaluate_predictions([str(day) for day in days], "AUC").mean() == {"AUC": 0.75}


def test_a_list_of_files_is_one_table_of_weights(tmp_path: Path):
    files = [written(tmp_path / f"{q}.csv", f"query_id,weight\n{q},{w}\n") for q, w in (("q", 3), ("r", 1))]
    qrels, run = {"q": ["a"], "r": ["a"]}, {"q": ["a"], "r": ["b", "a"]}

    assert rg.evaluate(qrels, run, "RR", weights=files).mean() == {"RR": (3 * 1 + 1 * 0.5) / 4}
    with pytest.raises(InputError, match="must be one number per query, got 'x'"):
        rg.evaluate(qrels, run, "RR", weights=["x", "y"])


@pytest.mark.parametrize("make", [io.StringIO, lambda text: io.BytesIO(text.encode())])
def test_open_files_are_read_by_every_reader(make):
    assert rg.read_run(make("q Q0 a 1 2.5 t\n")).to_dict() == {"q": {"a": 2.5}}
    assert rg.read_qrels(make("q 0 a 2\n")).to_dict() == {"q": {"a": 2.0}}
    assert len(rg.read_predictions(make("label,score\n1,0.5\n"))) == 1


def test_readers_say_what_they_take():
    for read in (rg.read_run, rg.read_qrels, rg.read_predictions):
        with pytest.raises(ParameterError, match="takes a path or an open file, got dict"):
            read({})


def test_a_log_whose_lines_end_in_cr_is_read(tmp_path: Path):
    rows = ["request_id,query_id,item_id,position,click", "1,q,a,1,1", "1,q,b,2,0", "2,q,a,1,0"]
    logs = [written(tmp_path / f"{i}.csv", end.join([*rows, ""])) for i, end in enumerate(("\r", "\n", "\r\n"))]

    found = [rg.behavior.read_log(log) for log in logs]

    assert [log.rows for log in found] == [3, 3, 3]
    first, *others = (log.frame.collect() for log in found)
    assert all(first.equals(other) for other in others)


# outputs over inputs


def test_a_funnel_is_not_written_over_what_it_was_read_from(tmp_path: Path):
    qrels = written(tmp_path / "qrels.txt", "q 0 a 1\n")
    stages = {name: written(tmp_path / f"{name}.run", "q Q0 a 1 1.0 t\n") for name in ("recall", "final")}

    f = rg.funnel(qrels, stages)

    for path in (qrels, *stages.values()):
        before = path.read_bytes()
        for write in (f.to_json, lambda p: rg.report(f, p), lambda p: rg.report([f], p)):
            with pytest.raises(ParameterError, match="would overwrite the input"):
                write(path)
        assert path.read_bytes() == before
    f.to_json(tmp_path / "new.json")
    assert not list(rg.load(tmp_path / "new.json").read_from)


def test_what_was_made_of_a_log_is_not_written_over_it(tmp_path: Path):
    rows = [f"{i},q,{'ab'[i % 2]},{1 + i % 2},{int(i % 4 == 0)}" for i in range(80)]
    log = written(tmp_path / "log.csv", "\n".join(["request_id,query_id,item_id,position,click", *rows, ""]))
    before = log.read_bytes()

    for source in (log, [log], rg.behavior.read_log(log), rg.behavior.clean(log)):
        found = rg.behavior.judgements(source, {"click": 1}, prior=(1, 1))
        for write in (found.write, found.to_json, lambda p, made=found: rg.report(made, p)):
            with pytest.raises(ParameterError, match="would overwrite the input"):
                write(log)
    with pytest.raises(ParameterError, match="would overwrite the input"):
        rg.behavior.clean(log).to_json(log)
    assert log.read_bytes() == before


# stored records


def test_a_stored_record_with_a_key_twice_is_refused(tmp_path: Path):
    text = rg.evaluate({"q": ["a"]}, {"q": ["a"]}, "RR").to_json()
    path = written(tmp_path / "ev.json", text.replace('"run"', '"run": "other", "run"', 1))

    with pytest.raises(InputError, match=r"Found: an object with the same key twice \('run'\)"):
        rg.load(path)
