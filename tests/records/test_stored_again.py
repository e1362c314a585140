"""Stored records as people meet them again: compressed, a gate alone, diagnosed by their file."""

from __future__ import annotations

import gzip
from html import escape
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge._unpacked import limit_unpacked
from rankgauge.errors import InputError

QRELS = {f"q{i}": {"d": 1, "e": 0} for i in range(20)}
OLD = {q: ["x", "d", "e"] for q in QRELS}
NEW = {q: ["d", "x", "e"] for q in QRELS}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} {g}\n" for q, r in QRELS.items() for d, g in r.items()))
    for name, run in (("old", OLD), ("new", NEW)):
        lines = [f"{q} Q0 {d} {i + 1} {9 - i} {name}\n" for q, r in run.items() for i, d in enumerate(r)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
        rg.evaluate(QRELS, run, ["RR@10", "P@1"]).to_json(tmp_path / f"{name}.json.gz")
    return tmp_path


def gate(folder: Path) -> Any:
    given = {name: str(folder / f) for name, f in (("qrels", "qrels.txt"), ("run", "new.run"), ("baseline", "old.run"))}
    return rg.run_gate(rg.Gate(**given, floors={"RR": 0.5}, non_inferior={"RR": 0.01}))


# compressed


def test_a_compressed_record_is_read_by_every_door(folder: Path):
    assert (folder / "old.json.gz").read_bytes().startswith(b"\x1f\x8b")
    assert rg.load(folder / "old.json.gz")["RR@10"] == 0.5
    assert rg.Evaluation.from_json(folder / "old.json.gz")["RR@10"] == 0.5

    both = folder / "old.json.gz", folder / "new.json.gz"
    compared = rankgauge("compare", "--evaluations", *both)
    assert "new against old" in compared.stdout
    page = rankgauge("report", *both, "-o", folder / "page.html")
    assert "comparing with old" in page.stderr.splitlines()[0]
    options = ("--baseline", both[0], "--non-inferior", "RR@10:0.01")
    rankgauge("gate", folder / "qrels.txt", folder / "new.run", *options)


def test_a_compressed_record_unpacks_to_no_more_than_it_may(folder: Path):
    limit_unpacked(100)
    try:
        with pytest.raises(InputError, match=r"old\.json\.gz"):
            rg.load(folder / "old.json.gz")
    finally:
        limit_unpacked(None)


def test_a_damaged_compressed_record_is_said_to_be_damaged(folder: Path):
    (folder / "cut.json.gz").write_bytes(gzip.compress(b"{}" * 1000)[:30])

    with pytest.raises(
        InputError, match=r"^stored record '[^']*cut.json.gz' is compressed \(gzip\) and damaged: [^.]*\.$"
    ):
        rg.load(folder / "cut.json.gz")


# a gate alone


def test_the_page_of_a_stored_gate_shows_what_there_is(folder: Path):
    result = gate(folder)
    result.to_json(folder / "gate.json")

    again = rg.load(folder / "gate.json")

    page = again.report()
    for check in result.checks:
        assert escape(str(check.name)) in page
    assert "PASS" in page
    rankgauge("report", folder / "gate.json", "-o", folder / "gate.html")
    assert "PASS" in (folder / "gate.html").read_text(encoding="utf-8")
    assert "PASS" in result.report()


# diagnosed by its file


@pytest.mark.parametrize("name", ["old.json", "old.json.gz"])
def test_a_stored_evaluation_is_diagnosed_by_its_file(name: str, folder: Path):
    rg.evaluate(QRELS, OLD, ["RR@10", "P@1"]).to_json(folder / name)

    found = rankgauge("diagnose", folder / name)

    assert "Diagnosis of run" in found.stdout
    assert "not looked at: " in found.stdout


def test_a_stored_record_that_cannot_be_diagnosed_says_what_can(folder: Path):
    gate(folder).to_json(folder / "gate.json")

    found = rankgauge("diagnose", folder / "gate.json", code=2)

    assert "diagnose needs an evaluation or a comparison, got GateResult." in found.stderr


# in a notebook


def test_a_record_is_one_line_where_it_is_not_printed():
    ev = rg.evaluate(QRELS, OLD, ["RR@10", "P@1"])
    scored = rg.evaluate_predictions({"label": [0, 1, 0, 1], "score": [0.1, 0.9, 0.3, 0.4]}, ["AUC", "LogLoss"])

    assert repr(ev) == "<RankingEvaluation of 'run' on 'qrels': 2 measures, 20 queries>"
    assert repr(scored) == "<PredictionEvaluation of 'score' on 'predictions': 2 measures, 4 rows>"
    both = rg.evaluate(QRELS, {"old": OLD, "new": NEW}, ["RR@10"])
    assert repr(both) == "<RankingEvaluations of 2: 'old', 'new'>"
    assert (
        repr(rg.compare(QRELS, {"old": OLD, "new": NEW}, "RR@10")) == "<Comparison of 'new' against 'old': 1 measure>"
    )
