"""`rankgauge gate`: the four exit codes, what is printed and what is written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from command_line import rankgauge

QUERIES = [f"q{i:02}" for i in range(40)]
GATE = """
qrels = "qrels.txt"
run = "new.run"
baseline = "old.run"
measures = ["RR", "P@1"]
[policy]
missing = "zero"
[floors]
RR = 0.4
[non_inferior]
RR = 0.01
[ceilings]
missing_queries = 0
"unjudged@4" = 0.8
duplicates = 0
nan_scores = 0
"""


def gate(*words: str | Path, cwd: Path, code: int) -> subprocess.CompletedProcess[str]:
    return rankgauge("gate", *words, cwd=cwd, code=code)


def run_text(ranks: dict[str, int]) -> str:
    """A run that shows the one relevant item of each query at the given rank."""
    return "".join(
        f"{q} Q0 {'a' if i == rank else f'x{i}'} {i} {10 - i} t\n" for q, rank in ranks.items() for i in range(1, 5)
    )


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 a 1\n" for q in QUERIES))
    half = {q: 1 + i % 2 for i, q in enumerate(QUERIES)}  # RR 1 and 1/2 in turn
    (tmp_path / "old.run").write_text(run_text(half))
    (tmp_path / "new.run").write_text(run_text(half))
    (tmp_path / "worse.run").write_text(run_text(dict.fromkeys(QUERIES, 3)))
    mixed = {q: 1 + (i // 2) % 2 for i, q in enumerate(QUERIES)}  # as good, at other queries
    (tmp_path / "mixed.run").write_text(run_text(mixed))
    (tmp_path / "half.run").write_text(run_text(dict.fromkeys(QUERIES[::2], 1)))
    (tmp_path / "broken.run").write_text("q00 Q0 a 1 0.5 t\nq01 Q0 a 1 high t\n")
    (tmp_path / "gate.toml").write_text(GATE)
    return tmp_path


def store(cwd: Path, *words: str) -> None:
    rankgauge("evaluate", "qrels.txt", "old.run", "-m", "RR", *words, "-o", "old.json", cwd=cwd)


# 0


def test_a_good_run_passes_and_everything_is_written(files: Path) -> None:
    out = gate(
        "gate.toml", "--markdown", "s.md", "--junit", "j.xml", "--json", "r.json", cwd=files, code=0
    ).stdout  # fmt: skip

    assert out.splitlines()[0] == "PASS: 6 of 6 checks"
    assert "RR >= 0.4" in out
    assert "without a rule: P@1 0.5000" in out
    assert (files / "s.md").read_text(encoding="utf-8").startswith("**PASS: 6 of 6 checks**")
    suite = ET.parse(files / "j.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("6", "0", "0")
    record = json.loads((files / "r.json").read_text(encoding="utf-8"))
    assert (record["outcome"], record["exit_code"], len(record["checks"])) == ("pass", 0, 6)
    assert record["checks"][0]["value"] == 0.75
    assert not list(files.glob(".*part"))


def test_paths_are_relative_to_the_config_file(files: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    gate(files / "gate.toml", "--quiet", cwd=tmp_path_factory.mktemp("elsewhere"), code=0)


def test_quiet_prints_the_decision_only(files: Path) -> None:
    assert gate("gate.toml", "--quiet", cwd=files, code=0).stdout == "PASS: 6 of 6 checks\n"


def test_the_same_by_flags_with_a_stored_baseline(files: Path) -> None:
    store(files)

    out = gate(
        "qrels.txt", "new.run", "--baseline", "old.json", "--floor", "RR>=0.75", "--non-inferior", "RR:0",
        "--ceiling", "missing_queries<=0", cwd=files, code=0,
    ).stdout  # fmt: skip

    assert out.startswith("PASS: 3 of 3 checks")


# 1


def test_a_worse_run_is_a_regression(files: Path) -> None:
    out = gate("gate.toml", "--run", "worse.run", "--junit", "j.xml", cwd=files, code=1).stdout

    assert out.startswith("REGRESSION: 2 of 6 checks failed")
    assert "! fail: RR >= 0.4: mean 0.3333" in out
    assert "largest losses: q00 -0.6667" in out
    failures = ET.parse(files / "j.xml").getroot().findall(".//failure")
    assert [f.get("type") for f in failures] == ["fail", "fail"]


def test_half_of_the_queries_missing_breaks_the_ceiling(files: Path) -> None:
    out = gate("qrels.txt", "half.run", "--ceiling", "missing_queries<=0.01", cwd=files, code=1).stdout

    assert "missing_queries <= 0.01: 20 of 40 judged queries are not in the run" in out


def test_a_closed_pipe_keeps_the_exit_code(files: Path) -> None:
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{sys.executable} -m rankgauge gate gate.toml --run worse.run | true"],
        cwd=files,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (1, "")


# 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gate.toml", "--run", "broken.run"], "run 'broken.run', line 2: score must be a number, got 'high'"),
        (["gate.toml", "--baseline", "none.run"], "baseline: run 'none.run' does not exist"),
        (["none.toml"], "gate file 'none.toml' cannot be read"),
        (["qrels.txt", "new.run"], "gate: there are no rules. Add --floor, --non-inferior, --ceiling or a --standard."),
        (["qrels.txt", "new.run", "--floor", "RR<=0.4"], "RR is better when higher. Write RR>=0.4"),
        (["qrels.txt", "new.run", "--non-inferior", "RR:0.01"], "--non-inferior needs a --baseline"),
        (["qrels.txt", "new.run", "old.run", "--floor", "RR>=0.4"], "gate takes one CONFIG.toml, or QRELS and RUN"),
        (["gate.toml", "--markdown", "none/s.md"], "the folder 'none' does not exist"),
    ],
)
def test_invalid_input_is_an_error_and_nothing_is_written(files: Path, words: list[str], message: str) -> None:
    if "--markdown" not in words:
        words = [*words, "--markdown", "s.md"]

    done = gate(*words, "--json", "r.json", cwd=files, code=2)

    assert message in done.stderr
    assert done.stdout == ""
    assert not {"s.md", "r.json"} & {p.name for p in files.iterdir()}


def test_junit_shows_invalid_input_as_an_error(files: Path) -> None:
    done = gate("gate.toml", "--run", "broken.run", "--junit", "j.xml", cwd=files, code=2)

    suite = ET.parse(files / "j.xml").getroot()[0]
    error = suite.find(".//error")
    assert suite.get("errors") == "1"
    assert error is not None
    assert str(error.get("message")) in done.stderr


def test_a_crash_is_not_a_regression(files: Path) -> None:
    (files / "crash.py").write_text(
        "import sys\nimport rankgauge.gate as g\nfrom rankgauge.cli import main\n"
        "def crash(gate): raise RuntimeError('out of luck')\n"
        "g.run_gate = crash\nsys.exit(main(['gate', 'gate.toml', '--junit', 'j.xml']))\n"
    )

    environment = {**os.environ, "TMPDIR": str(files)}
    done = subprocess.run(
        [sys.executable, "crash.py"], cwd=files, capture_output=True, text=True, check=False, env=environment
    )

    assert done.returncode == 70
    assert "Error: RuntimeError: " in done.stderr
    (details,) = files.glob("rankgauge-error-*.txt")
    assert "RuntimeError: out of luck" in details.read_text(encoding="utf-8")
    assert ET.parse(files / "j.xml").getroot().find(".//error").get("message") == "out of luck"  # type: ignore[union-attr]


def test_a_baseline_under_another_policy_is_not_comparable(files: Path) -> None:
    store(files, "--missing", "skip")

    err = gate("gate.toml", "--baseline", "old.json", cwd=files, code=2).stderr

    assert "baseline 'old.json': not comparable" in err
    assert "missing=skip and zero" in err


def test_a_baseline_from_other_judgements_is_stale(files: Path) -> None:
    store(files)
    (files / "qrels.txt").write_text("".join(f"{q} 0 a 1\n{q} 0 x1 0\n" for q in QUERIES))

    assert "one of them is stale" in gate("gate.toml", "--baseline", "old.json", cwd=files, code=2).stderr


# 3


def test_few_queries_and_a_small_margin_are_inconclusive(files: Path) -> None:
    out = gate("gate.toml", "--run", "mixed.run", "--junit", "j.xml", cwd=files, code=3).stdout

    assert out.startswith("INCONCLUSIVE: 1 of 6 checks not settled")
    assert "more queries like these would settle it" in out
    skipped = ET.parse(files / "j.xml").getroot().find(".//skipped")
    assert skipped is not None
    assert "a loss of 0.01 allowed" in str(skipped.get("message"))


def test_inconclusive_may_be_allowed(files: Path) -> None:
    out = gate("gate.toml", "--run", "mixed.run", "--allow-inconclusive", cwd=files, code=0).stdout

    assert out.startswith("PASS: 5 of 6 checks, 1 inconclusive (allowed)")


# slices


def test_a_slice_that_is_worse_fails(files: Path) -> None:
    names = {q: "zh" if q < "q20" else "en" for q in QUERIES}
    (files / "queries.csv").write_text("query_id,language\n" + "".join(f"{q},{v}\n" for q, v in names.items()))
    ranks = {q: 4 if names[q] == "zh" and i % 2 else 1 for i, q in enumerate(QUERIES)}
    (files / "zh.run").write_text(run_text(ranks))

    out = gate(
        "qrels.txt", "zh.run", "--baseline", "old.run", "--slices", "queries.csv", "--slice-non-inferior", "RR:0.02",
        "--slice-floor", "RR>=0.6", "--min-queries", "10", cwd=files, code=1,
    ).stdout  # fmt: skip

    assert out.startswith("REGRESSION: 1 of 4 checks failed")
    assert "fail     RR not worse by more than 0.02  language=zh  -0.1250" in out  # (0 + (1/4 - 1/2)) / 2
    assert "also when corrected for 2 slices" in out
    assert "pass     RR >= 0.6                       language=en" in out


def test_suspicious_input_is_inconclusive_until_its_code_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 a 1\n" for q in QUERIES))
    rows = [f"{q} Q0 {'a' if i == 9 else f'x{i}'} {i} {10 - i} t\n" for q in QUERIES for i in range(10)]
    (tmp_path / "new.run").write_text("".join(rows))
    words = ("qrels.txt", "new.run", "--floor", "RR>=0.05", "--allow-inconclusive")

    shown = gate(*words, cwd=tmp_path, code=3).stdout
    assert shown.startswith("Do not trust the numbers of new: ")
    assert "[worst-first]" in shown
    assert "accepted: new" in gate(*words, "--accept", "worst-first", cwd=tmp_path, code=0).stdout
    assert "Did you mean worst-first?" in gate(*words, "--accept", "worstfirst", cwd=tmp_path, code=2).stderr


# several rules, and nothing to decide on


def test_all_of_two_rules_on_one_measure_decide(files: Path) -> None:
    done = gate("qrels.txt", "old.run", "--floor", "RR>=0.9", "--floor", "RR>=0.5", cwd=files, code=1)

    assert "1 of 2 checks failed (RR >= 0.9)" in done.stdout


def test_judgements_without_a_relevant_item_settle_nothing(files: Path) -> None:
    (files / "none.txt").write_text("".join(f"{q} 0 a 0\n" for q in QUERIES))

    done = gate("none.txt", "old.run", "--floor", "RR>=0.5", cwd=files, code=3)

    assert "none of the 40 judged queries has a relevant item" in done.stdout
    assert "not counted  RR >= 0.5" in done.stdout


def test_one_query_against_itself_passes(files: Path) -> None:
    (files / "one.txt").write_text("q00 0 a 1\n")

    gate("one.txt", "old.run", "--baseline", "old.run", "--non-inferior", "RR:0", cwd=files, code=0)


def test_the_cards_of_the_page_say_the_level_of_their_intervals(files: Path) -> None:
    gate("qrels.txt", "old.run", "--floor", "RR>=0.5", "--html", "gate.html", cwd=files, code=0)

    cards = (files / "gate.html").read_text(encoding="utf-8").partition('<div class="cards">')[2]
    assert "(90%)" in cards.partition('<div class="rest">')[2].partition("</div>")[0]


def test_advice_about_a_run_without_most_queries_names_the_option(tmp_path: Path):
    (tmp_path / "qrels.txt").write_text("".join(f"q{i} 0 a 1\nq{i} 0 b 0\n" for i in range(9)))
    (tmp_path / "one.run").write_text("q0 Q0 a 1 1.0 t\n")
    rules = ("gate", "qrels.txt", "one.run", "--floor", "RR>=0.5")

    out = rankgauge(*rules, cwd=tmp_path, code=3).stdout
    assert "8 of the 9 judged queries are not in the run" in out
    assert "--missing skip" in out
    assert rankgauge(*rules, "--accept", "missing-queries", cwd=tmp_path, code=1).stdout.startswith("FAIL")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (["--min-queries", "3"], "--min-queries"),
        (["--slices", "s.csv"], "--slices"),
        (["--ceiling", "duplicates<=0", "--ties", "best"], "--ceiling, --ties"),
    ],
)
def test_options_of_rankings_are_refused_for_labels_and_scores_as_they_are_typed(tmp_path, typed, shown):
    (tmp_path / "rows.csv").write_text("label,new\n0,0.1\n1,0.9\n")

    done = gate("rows.csv", "--score", "new", "--floor", "AUC>=0.5", *typed, cwd=tmp_path, code=2)

    assert f"{shown} is for rankings, and this gate is about labels and scores." in " ".join(done.stderr.split())


def test_options_of_labels_and_scores_are_refused_for_rankings_as_they_are_typed(tmp_path):
    done = gate("qrels.txt", "new.run", "--slice", "device", "--bounds", "COPC=0.9..1.1", cwd=tmp_path, code=2)

    said = "--bounds, --slice is for a table of labels and scores, and this gate is about rankings."
    assert said in " ".join(done.stderr.split())
