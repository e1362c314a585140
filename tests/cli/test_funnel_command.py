"""`rankgauge funnel`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import polars as pl
import pytest

from command_line import rankgauge

QRELS = "q1 0 a 2\nq1 0 b 1\nq1 0 c 1\nq2 0 d 1\n"
LISTS = {"run4": {"q1": "x a b c", "q2": "d y"}, "run2": {"q1": "a x", "q2": "y d"}, "run1": {"q1": "x", "q2": "d"}}
STAGES = ("recall=run4.run", "coarse=run2.run", "final=run1.run")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("funnel")
    (target / "qrels.txt").write_text(QRELS, encoding="utf-8")
    for name, lists in LISTS.items():
        lines = [
            f"{q} Q0 {d} {i} {10 - i} {name}\n" for q, items in lists.items() for i, d in enumerate(items.split(), 1)
        ]
        (target / f"{name}.run").write_text("".join(lines), encoding="utf-8")
    return target


def test_the_step_that_loses_most_is_the_first_line(folder: Path):
    out = rankgauge("funnel", "qrels.txt", *STAGES, cwd=folder).stdout

    # coarse drops b and c, final drops a: 2 of 4 and 1 of 4; all of q1 is gone in the end
    assert out.startswith("Most is lost at coarse: 50.0% of the relevant items (nDCG@10 could be 1.000 before it, 0.")
    assert "dropped at coarse             2  50.0%   50.0%" in out
    assert "dropped at final              1  25.0%   25.0%" in out
    assert "2 queries with relevant items of 2 judged; relevant: grade 1 and above; k = 10; ties: doc_id" in out


def test_a_path_alone_is_called_like_its_file(folder: Path):
    out = rankgauge("funnel", "qrels.txt", "run4.run", "final=run2.run", "--csv", cwd=folder).stdout

    assert [row["stage"] for row in csv.DictReader(out.splitlines())] == ["run4", "final"]


def test_a_file_with_an_equals_sign_in_its_name(folder: Path, tmp_path: Path):
    (tmp_path / "k=4.run").write_bytes((folder / "run4.run").read_bytes())
    out = rankgauge("funnel", folder / "qrels.txt", "k=4.run", "--csv", cwd=tmp_path).stdout

    assert out.splitlines()[1].startswith("k=4,3.0,6,")


def test_k_rel_and_cut(folder: Path):
    options = ("-k", "1", "--rel", "2", "--cut", "recall=1", "--json")
    told = json.loads(rankgauge("funnel", "qrels.txt", *STAGES[:2], *options, cwd=folder).stdout)

    assert (told["k"], told["rel"], told["cut"], told["relevant"]) == (1, 2, {"recall": 1}, 1)
    assert [s["recall"] for s in told["stages"]] == [0.0, 1.0]  # a is second of recall, first of coarse
    assert told["stages"][1]["leaks"] == 1
    both = rankgauge("funnel", "qrels.txt", *STAGES[:2], "--cut", "1", "--json", cwd=folder).stdout
    assert json.loads(both)["cut"] == {"recall": 1, "coarse": 1}


def test_losses_are_written(folder: Path, tmp_path: Path):
    target = tmp_path / "lost.csv"
    done = rankgauge("funnel", "qrels.txt", *STAGES, "--losses", target, cwd=folder)

    assert "wrote" in done.stderr
    assert pl.read_csv(target).rows() == [
        ("q1", "a", 2.0, "dropped at final", "coarse", 1),
        ("q1", "b", 1.0, "dropped at coarse", "recall", 3),
        ("q1", "c", 1.0, "dropped at coarse", "recall", 4),
    ]


@pytest.mark.parametrize(
    ("form", "mark"), [("markdown", "| dropped at coarse |"), ("latex", r"\toprule"), ("html", "<table")]
)
def test_every_form_of_a_funnel(folder: Path, form: str, mark: str):
    assert mark in rankgauge("funnel", "qrels.txt", *STAGES, "--format", form, cwd=folder).stdout


def test_the_suffix_of_the_output_picks_the_form(folder: Path, tmp_path: Path):
    rankgauge("funnel", "qrels.txt", *STAGES, "-o", tmp_path / "f.json", cwd=folder)

    assert json.loads((tmp_path / "f.json").read_text(encoding="utf-8"))["worst_step"] == "coarse"


def test_help_has_examples(folder: Path):
    out = rankgauge("funnel", "--help", cwd=folder).stdout

    assert "rankgauge funnel qrels.txt recall=run200.txt coarse=run50.txt final=run10.txt" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["qrels.txt"], "funnel needs the lists of its stages"),
        (["qrels.txt", "recall=none.run"], "run 'none.run' does not exist"),
        (["qrels.txt", "=run4.run"], "a file with a name must look like new=bm25.run, got '=run4.run'"),
        (["qrels.txt", "a=run4.run", "a=run2.run"], "two runs are called 'a'"),
        (["qrels.txt", *STAGES, "-k", "0"], "-k"),
        (["qrels.txt", *STAGES, "--rel", "0"], "--rel"),
        (["qrels.txt", *STAGES, "--ties", "expected"], "--ties"),
        (["qrels.txt", *STAGES, "--cut", "x"], "--cut must look like 100 or recall=200, got 'x'"),
        (["qrels.txt", *STAGES, "--cut", "5", "--cut", "final=1"], "--cut must look like 100 or recall=200"),
        (["qrels.txt", *STAGES, "--cut", "corse=5"], "Did you mean coarse"),
        (["qrels.txt", *STAGES, "--losses", "lost.xls"], "--losses must end in .csv"),
        (["qrels.txt", *STAGES, "--depth", "5"], "--depth"),
    ],
)
def test_bad_words_are_one_clear_error(folder: Path, words: list[str], message: str):
    done = rankgauge("funnel", *words, cwd=folder, code=2)

    assert message in done.stderr
    assert done.stdout == ""
