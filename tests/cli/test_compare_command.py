"""`rankgauge compare` and `rankgauge power`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge.demo import save, shop


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("shop")
    save(shop(), target)
    return target


FILES = ("qrels.txt", "dense.run", "hybrid.run")


def test_the_verdict_is_the_first_line(folder: Path):
    out = rankgauge("compare", *FILES, "-m", "nDCG@10", "-m", "R@50", cwd=folder).stdout

    assert out.startswith("hybrid is better than dense: nDCG@10 0.5928 → 0.6410, difference +0.0482 (")
    assert "197 queries, p <0.001 corrected for 2." in out.splitlines()[0]
    assert "What moved most: nDCG@10, hybrid" in out


def test_numbers_are_those_of_the_library(folder: Path):
    out = rankgauge("compare", *FILES, "-m", "nDCG@10", "--test", "t", "--csv", cwd=folder).stdout

    (row,) = csv.DictReader(out.splitlines())
    data = shop()
    runs = {"dense": data.runs["dense"], "hybrid": data.runs["hybrid"]}
    c = rg.compare(data.qrels, runs, "nDCG@10", test="t")["nDCG@10"]
    assert float(row["difference"]) == pytest.approx(c.difference, abs=1e-12)
    assert float(row["p_value"]) == pytest.approx(c.p_value, rel=1e-9)


def test_several_systems_all_pairs_and_slices(folder: Path):
    runs = ("bm25.run", "dense.run", "hybrid.run")
    options = ("-m", "nDCG@10", "--all-pairs", "--slices", "queries.jsonl", "--permutations", "999")
    out = rankgauge("compare", "qrels.txt", *runs, *options, cwd=folder).stdout

    assert "dense is better than bm25" in out
    assert "hybrid is better than bm25" in out
    assert "All pairs: nDCG@10" in out
    assert "intent=brand" in out


def test_sentences_are_of_slices_as_well(folder: Path):
    options = ("-m", "nDCG@10", "--slices", "queries.jsonl", "--permutations", "999", "--sentences")
    out = rankgauge("compare", *FILES, *options, cwd=folder).stdout
    data = shop()
    found = rg.compare(
        folder / "qrels.txt",
        {"dense": data.runs["dense"], "hybrid": data.runs["hybrid"]},
        "nDCG@10",
        slices=folder / "queries.jsonl",
        permutations=999,
    )
    first = found.sliced[0]

    assert f"{first.slice}: nDCG@10 from {first.mean_baseline:.3f} to {first.mean:.3f} (95% interval" in out
    assert f"Verdicts in slices are corrected for {len(found.sliced)} tests (holm); intervals are not." in out
    said = next(x for x in rg.sentences(found) if x.startswith(first.slice))
    assert {claim.slice for claim in said.claims} == {first.slice}
    assert ("n", first.n) in {(claim.what, claim.value) for claim in said.claims}


def test_of_many_slices_the_largest_losses_are_told_in_sentences():
    queries = [f"q{i:03}" for i in range(260)]
    judged = {q: {"a": 1} for q in queries}
    runs = {
        "old": {q: ["a", "b"] if i % 3 else ["b", "a"] for i, q in enumerate(queries)},
        "new": {q: ["a", "b"] if i % 4 else ["b", "a"] for i, q in enumerate(queries)},
    }
    found = rg.compare(judged, runs, "RR", slices={q: {"shelf": i % 13} for i, q in enumerate(queries)})

    _, *said = rg.sentences(found)

    assert [text.partition(":")[0] for text in said[:12]] == [x.slice for x in found.sliced[:12]]
    assert said[12] == "Of 13 comparisons in slices these are the 12 with the largest losses."


def test_equivalence_needs_a_margin(folder: Path):
    out = rankgauge("compare", *FILES, "-m", "R@50", "--margin", "0.06", cwd=folder).stdout

    assert out.startswith("hybrid and dense are equivalent within 0.06: R@50")


def test_one_query_side_by_side(folder: Path):
    out = rankgauge("compare", *FILES, "-m", "nDCG@10", "--query", "q085", cwd=folder).stdout

    assert out.startswith("q085: nDCG@10 0.5568 → 0.0000")
    assert "SKU-01889" in out


def test_lists_of_the_queries_that_moved_most(folder: Path):
    out = rankgauge("compare", *FILES, "-m", "nDCG@10", "--lists", "--moved", "1", cwd=folder).stdout

    assert "q027: nDCG@10 0.4307 → 1.0000" in out
    assert "q124: nDCG@10 0.6135 → 0.0000" in out


def test_stored_evaluations(folder: Path, tmp_path: Path):
    for name in ("dense", "hybrid"):
        options = ("-m", "nDCG@10", "--json", "-o", tmp_path / f"{name}.json")
        rankgauge("evaluate", "qrels.txt", f"{name}.run", *options, cwd=folder)

    out = rankgauge("compare", "--evaluations", "dense.json", "hybrid.json", cwd=tmp_path).stdout
    assert out.startswith("hybrid is better than dense")
    out = rankgauge("compare", "--evaluations", "dense.json", "hybrid.json", "--json", cwd=tmp_path).stdout
    assert json.loads(out)["contrasts"][0]["verdict"] == "better"


@pytest.mark.parametrize(("form", "mark"), [("markdown", "| nDCG@10 |"), ("latex", r"\toprule"), ("html", "<table")])
def test_every_form(folder: Path, form: str, mark: str):
    assert mark in rankgauge("compare", *FILES, "-m", "nDCG@10", "--format", form, cwd=folder).stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["qrels.txt", "dense.run"],
            "rankgauge compare QRELS BASE NEW. Got 2 files",
        ),
        (["qrels.txt"], "Got 1 file: 'qrels.txt'."),
        (["qrels.txt", "dense.run", "none.run"], "run 'none.run' does not exist"),
        (["qrels.txt", "dense.run", "hybrid.run", "-m", "AUC"], "'AUC' is a measure of labels and scores"),
        (["qrels.txt", "dense.run", "hybrid.run", "--query", "nobody"], "nobody"),
    ],
)
def test_bad_input_is_one_clear_error(folder: Path, words: list[str], message: str):
    done = rankgauge("compare", *words, cwd=folder, code=2)

    assert message in done.stderr
    assert done.stdout == ""


def test_power(folder: Path):
    out = rankgauge("power", "--sd", "0.2", "--difference", "0.02", "--queries", "200", cwd=folder).stdout

    assert "queries needed to find 0.02        787" in out  # ((1.96 + 0.84) * 0.2 / 0.02)² is 784, before t
    assert "power of 200 queries for 0.02      29%" in out


def test_power_from_two_runs(folder: Path):
    out = rankgauge("power", *FILES, "--difference", "0.02", cwd=folder).stdout

    assert "difference seen                    +0.0482 over 197 queries" in out
    assert "queries needed to find 0.02" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--difference", "0.02"], "power needs --sd"),
        (["--sd", "0.2"], "power needs --difference or --queries"),
        (["qrels.txt", "dense.run", "--difference", "0.1"], "power needs judgements and two runs"),
    ],
)
def test_power_says_what_is_missing(folder: Path, words: list[str], message: str):
    assert message in rankgauge("power", *words, cwd=folder, code=2).stderr


def test_power_from_runs_without_a_difference_asks_for_the_spread(folder: Path):
    (folder / "again.run").write_bytes((folder / "dense.run").read_bytes())

    done = rankgauge("power", "qrels.txt", "dense.run", "again.run", "--difference", "0.1", cwd=folder, code=2)

    assert "power needs the spread of differences, but no query changed in nDCG@10. Pass --sd." in done.stderr


def test_a_file_compared_with_itself_is_said_to_be_the_same(folder: Path) -> None:
    done = rankgauge("compare", "qrels.txt", "dense.run", "./dense.run", cwd=folder, code=2)

    assert "the same file is given as two runs: 'dense.run'. Name another run for one of them." in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--ties", "best", "--ties", "worst"], "--ties is given 2 times. Give it once."),
        (["--json", "--csv"], "--json and --csv contradict each other. Give one of them."),
        (["-f", "json", "--csv"], "--format and --csv contradict each other. Give one of them."),
        (["--digits", "3", "--digits=3"], "--digits is given 2 times. Give it once."),
    ],
)
def test_options_given_twice_or_against_each_other_are_refused(folder: Path, words: list[str], message: str) -> None:
    done = rankgauge("evaluate", "qrels.txt", "dense.run", *words, cwd=folder, code=2)

    assert message in done.stderr


def test_flags_and_repeatable_options_may_be_said_again(folder: Path) -> None:
    out = rankgauge("evaluate", "qrels.txt", "dense.run", "-m", "RR", "-m", "P@1", "--csv", "--csv", cwd=folder).stdout

    assert [row["measure"] for row in csv.DictReader(out.splitlines())] == ["RR", "P@1"]


def test_constant_scores_show_everything_that_is_defined(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("label,score\n" + "0,0.3\n1,0.3\n" * 20)

    out = rankgauge("predictions", "p.csv", cwd=tmp_path).stdout

    assert "AUC      0.5000" in out
    assert "COPC     1.6667" in out  # 0.5 / 0.3


@pytest.mark.parametrize("command", [["power"], ["plot", "measures", "-o", "chart.svg"], ["diagnose"]])
def test_remarks_on_the_input_go_to_standard_error(folder: Path, tmp_path: Path, command: list[str]):
    for name in ("qrels.txt", "dense.run", "bm25.run"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    with (tmp_path / "bm25.run").open("a") as file:
        file.write("# the end\n")

    words = ["--difference", "0.02"] if command == ["power"] else []
    done = rankgauge(*command, "qrels.txt", "dense.run", "bm25.run", *words, cwd=tmp_path)

    assert "skipped 1 comment line" in done.stderr
    assert "comment" not in done.stdout


def test_a_scenario_brings_its_measures_where_none_are_named(folder: Path, tmp_path: Path):
    page = str(tmp_path / "page.html")
    out = rankgauge("compare", *FILES, "--scenario", "document_qa", "--html", page, cwd=folder).stdout
    named = rankgauge("compare", *FILES, "--scenario", "document_qa", "--html", page, "-m", "RR", cwd=folder).stdout

    assert all(f"\n{measure} " in out for measure in ("R@5", "nDCG@5", "P@5"))
    assert "R@5" not in named


def two_queries(folder: Path) -> tuple[str, str, str]:
    names = ("two-qrels.json", "two-old.json", "two-new.json")
    values = ({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["b"]}, {"q1": ["a"], "q2": ["w"]})
    for name, value in zip(names, values, strict=True):
        (folder / name).write_text(json.dumps(value))
    return names


def test_power_takes_the_spread_of_the_differences_themselves(folder):
    """0 and -1 have a standard deviation of 0.7071, however narrow the interval that differences can lie in."""
    out = rankgauge("power", *two_queries(folder), "-m", "nDCG@10", "--difference", "0.5", cwd=folder).stdout

    assert "0.7071" in out
    assert "2 queries find no difference, however large" in out  # as `compare` says of them


def test_power_of_equal_changes_is_refused(folder):
    names = two_queries(folder)
    (folder / "two-new.json").write_text(json.dumps({"q1": ["z"], "q2": ["w"]}))

    done = rankgauge("power", *names, "--difference", "0.1", cwd=folder, code=2)

    assert "all queries changed by the same in nDCG@10. Pass --sd." in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--sd", "0.0001", "--difference", "0.5"], "It takes 6 queries to find a true difference of 0.5"),
        (["--sd", "0.2", "--queries", "5"], "no p-value is below 0.05 with fewer than 6 queries"),
        (["--sd", "2", "--queries", "10"], "which measures from 0 to 1 never reach"),
        (["--sd", "0.000001", "--queries", "100"], "find a true difference of 2.8e-07 or more"),
    ],
)
def test_power_says_nothing_that_cannot_be(folder, words, said):
    assert said in " ".join(rankgauge("power", *words, cwd=folder).stdout.split())
