"""The commands: what people type, what they get, and with which exit code."""

from __future__ import annotations

import gzip
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import rankgauge as rg
from command_line import rankgauge

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d7 1\n问题3 0 文档9 1\n"
RUN = "q1 Q0 d2 1 0.9 mine\nq1 Q0 d1 2 0.7 mine\nq2 Q0 d7 1 1.5 mine\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS, encoding="utf-8")
    (tmp_path / "mine.run").write_text(RUN, encoding="utf-8")
    return tmp_path


def test_evaluate_prints_numbers_with_their_counts(files: Path) -> None:
    out = rankgauge("evaluate", "qrels.txt", "mine.run", "-m", "RR@10", "-m", "recall@5", cwd=files).stdout

    assert "RR@10     0.5000" in out  # (1/2 + 1 + 0) / 3
    assert "recall@5  0.5000" in out
    assert "R@5" in out
    assert "! 1 of 3 judged queries is not in the run (counted as empty lists; missing=zero)" in out


def test_evaluate_as_json_reads_back(files: Path) -> None:
    out = rankgauge("evaluate", "qrels.txt", "mine.run", "-m", "RR", "--json", cwd=files).stdout

    record = json.loads(out)
    assert record["per_query"]["RR"] == [0.5, 1.0, 0.0]
    assert record["query_ids"] == ["q1", "q2", "问题3"]
    assert record["policy"]["ties"] == "doc_id"


@pytest.mark.parametrize(
    ("form", "mark"),
    [
        ("csv", "measure,definition,value"),
        ("markdown", "| RR |"),
        ("latex", r"\toprule"),
        ("html", "<table>"),
    ],
)
def test_evaluate_in_every_form(files: Path, form: str, mark: str) -> None:
    assert mark in rankgauge("evaluate", "qrels.txt", "mine.run", "-m", "RR", "--format", form, cwd=files).stdout


def test_output_file_takes_its_form_from_the_suffix(files: Path) -> None:
    rankgauge("evaluate", "qrels.txt", "mine.run", "-m", "RR", "-o", "out.md", cwd=files)

    assert (files / "out.md").read_text(encoding="utf-8").startswith("**mine on qrels**")


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_per_query_values_go_to_a_file(files: Path, suffix: str) -> None:
    rankgauge("evaluate", "qrels.txt", "mine.run", "-m", "RR", "--per-query", f"v.{suffix}", cwd=files)

    read = {
        "csv": pl.read_csv,
        "tsv": lambda p: pl.read_csv(p, separator="\t"),
        "jsonl": pl.read_ndjson,
        "parquet": pl.read_parquet,
    }[suffix]
    assert read(files / f"v.{suffix}")["RR"].to_list() == [0.5, 1.0, 0.0]


def test_several_runs_stand_side_by_side(files: Path) -> None:
    (files / "other.run").write_text(RUN.replace("mine", "other"), encoding="utf-8")

    out = rankgauge("evaluate", "qrels.txt", "mine.run", "other.run", "-m", "RR", cwd=files).stdout

    assert "2 runs on qrels" in out
    assert "\nother" in out


def test_one_json_file_with_both_sides(files: Path) -> None:
    data = {"q1": {"retrieved": ["a", "b"], "relevant": ["b"]}}
    (files / "both.json").write_text(json.dumps(data))

    out = rankgauge("evaluate", "both.json", "-m", "RR", "--json", cwd=files).stdout

    assert json.loads(out)["per_query"]["RR"] == [0.5]


def test_repeated_ids_keep_their_places(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q 0 g 1\n")
    lines = [f"q Q0 {d} {i} {9 - i} tag" for i, d in enumerate(["a", "a", "a", "b", "a", "g"], 1)]
    (tmp_path / "a.run").write_text("\n".join(lines) + "\n")

    for word, value, said in (("first", "0.3333", "removed"), ("keep", "0.1667", "kept in place")):
        done = rankgauge("evaluate", "qrels.txt", "a.run", "-m", "MRR", "--duplicates", word, cwd=tmp_path)
        assert value in done.stdout
        assert f"3 repeated results in 1 query {said}" in done.stdout


def test_slices_from_a_file(files: Path) -> None:
    (files / "queries.csv").write_text("query_id,language\nq1,en\nq2,en\n问题3,zh\n", encoding="utf-8")

    out = rankgauge("evaluate", "qrels.txt", "mine.run", "-m", "RR", "--slices", "queries.csv", cwd=files).stdout

    assert "language  en     2  0.7500" in out
    assert "language  zh     1  0.0000" in out


def test_trec_lines_with_queries(files: Path) -> None:
    out = rankgauge(
        "evaluate", "qrels.txt", "mine.run", "--convention", "trec_eval", "-m", "recip_rank", "-f", "trec", "-q",
        cwd=files,
    ).stdout  # fmt: skip

    assert out.splitlines() == [
        "recip_rank            \tq1\t0.5000",
        "recip_rank            \tq2\t1.0000",
        "runid                 \tall\tmine",
        "recip_rank            \tall\t0.7500",
    ]


def test_a_measure_of_ones_own(files: Path) -> None:
    (files / "own.py").write_text(
        "import rankgauge as rg\n\n@rg.measure\ndef FirstIsRelevant(a, rel=1):\n"
        "    'Is the first result relevant?'\n    return (a.hits(rel, 1) > 0).astype(float)\n"
    )

    out = rankgauge("evaluate", "qrels.txt", "mine.run", "--load", "own.py", "-m", "FirstIsRelevant", cwd=files).stdout

    assert "FirstIsRelevant  0.3333" in out
    assert "Is the first result relevant?" in rankgauge("measures", "--load", "own.py", "first", cwd=files).stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["evaluate", "qrels.txt", "mine.run", "-m", "nDGC@10"],
            "unknown measure 'nDGC@10'. Did you mean nDCG@10?",
        ),
        (
            ["evaluate", "qrels.txt", "mine.run", "-m", "nDCG@0"],
            "`k` must be a positive integer, got '0'",
        ),
        (["evaluate", "qrels.txt", "none.run"], "run 'none.run' does not exist"),
        (["evaluate", "qrels.txt", "bad.run"], "run 'bad.run', line 2: score must be a number, got 'high'"),
        (["evaluate", "qrels.txt", "cut.run.gz"], "cannot be decompressed"),
        (["evaluate", "qrels.txt", "mine.run", "--convention", "trec"], "unknown convention 'trec'"),
        (
            ["evaluate", "qrels.txt", "mine.run", "--missing", "error"],
            "1 of 3 judged queries have no results",
        ),
        (["evaluate", "qrels.txt", "mine.run", "--per-query", "v.xls"], "--per-query must end in"),
        (["evaluate", "mine.run", "qrels.txt"], "mine.run"),
        (["explain", "nothing like it"], "unknown measure"),
        (["convert", "none.run", "x.csv"], "does not exist"),
        (["audit", "none.txt"], "does not exist"),
        (["evaluate", "qrels.txt", "mine.run", "--columns", "docno"], "--columns must look like"),
    ],
)
def test_bad_input_is_one_clear_error_and_exit_code_2(files: Path, words: list[str], message: str) -> None:
    (files / "bad.run").write_text("q1 Q0 d1 1 0.5 t\nq1 Q0 d2 2 high t\n")
    (files / "cut.run.gz").write_bytes(b"\x1f\x8b\x08\x00broken")

    err = rankgauge(*words, cwd=files, code=2).stderr

    assert message in err


def test_usage_errors_name_the_option(files: Path) -> None:
    err = rankgauge("evaluate", "qrels.txt", "mine.run", "--ties", "luck", cwd=files, code=2).stderr

    assert "luck" in err
    assert "doc_id" in err


def test_nothing_is_written_when_the_input_is_bad(files: Path) -> None:
    rankgauge(
        "evaluate",
        "qrels.txt",
        "none.run",
        "-m",
        "RR",
        "--per-query",
        "v.csv",
        "-o",
        "o.json",
        cwd=files,
        code=2,
    )

    assert not (files / "v.csv").exists()
    assert not (files / "o.json").exists()


def test_explain_teaches_in_chinese(files: Path) -> None:
    out = rankgauge("explain", "平均倒数排名@10", "--language", "zh", cwd=files).stdout

    assert out.startswith("RR@10 — 平均倒数排名\n")
    assert "首个相关结果之后一概不看" in out
    assert re.search(r"第 1、2 位互换 +0 3 1 - 2 0 0 1 3 0 +0\.5000 \(-0\.5000\)", out)


def test_explain_draws_what_changes_a_measure(files: Path) -> None:
    rankgauge("explain", "AUC", "-o", "auc.svg", "--html", "auc.html", "--language", "zh", cwd=files)
    drawn = (files / "auc.svg").read_text(encoding="utf-8")
    page = (files / "auc.html").read_text(encoding="utf-8")

    assert drawn.startswith("<?xml")
    for shown in (drawn, page):
        assert "小变化对 AUC（ROC 曲线下面积）的影响" in shown
        assert "所有得分减半" in shown
        assert "0.6400" in shown
    assert rankgauge("explain", "AUC", "-f", "svg", cwd=files).stdout.startswith("<?xml")
    assert "must end in" in rankgauge("explain", "AUC", "-o", "auc.png", cwd=files, code=2).stderr


def test_measures_are_found_by_words_of_either_language(files: Path) -> None:
    chinese = rankgauge("measures", "子主题", "召回", "--language", "zh", cwd=files).stdout
    english = rankgauge("measures", "子主题", cwd=files).stdout

    assert chinese.startswith("多样性\n")
    assert "StRecall@k" in chinese
    assert english.startswith("Diversity\n")


@pytest.mark.parametrize("word", ["recall", "召回"])
def test_a_family_is_no_reason_to_list_a_measure_that_does_not_have_the_word(files: Path, word: str) -> None:
    found = rankgauge("measures", word, cwd=files).stdout

    assert "R@k" in found
    assert "Of the rows called a class" not in found
    assert "StRecall@k" in rankgauge("measures", "diversity", cwd=files).stdout  # which is said by the family alone


def test_measures_are_asked_for_by_their_chinese_names(files: Path) -> None:
    named = ("-m", "召回率@5", "-m", "精确率@3", "-m", "归一化折损累计增益@10(gain=exp)")
    english = ("-m", "R@5", "-m", "P@3", "-m", "nDCG(gain=exponential)@10")

    def values(*measures: str) -> list[list[float]]:
        out = rankgauge("evaluate", "qrels.txt", "mine.run", *measures, "--json", cwd=files).stdout
        return list(json.loads(out)["per_query"].values())

    assert values(*named) == values(*english)


def test_explain_shows_formula_and_example(files: Path) -> None:
    out = rankgauge("explain", "ndcg@10", cwd=files).stdout

    assert out.startswith("nDCG@10 — Normalised discounted cumulated gain")
    assert "Elasticsearch" in out
    assert "= 0.6697" in out


def test_convert_there_and_back_is_exact(files: Path) -> None:
    rankgauge("convert", "mine.run", "mine.parquet", cwd=files)
    rankgauge("convert", "mine.parquet", "back.run", "--tag", "mine", cwd=files)
    rankgauge("convert", "qrels.txt", "qrels.csv", cwd=files)

    assert (files / "back.run").read_text(encoding="utf-8") == RUN
    assert (files / "qrels.csv").read_text(encoding="utf-8").splitlines()[0].startswith("query_id,doc_id,grade")


def test_audit_strict_has_exit_code_2(files: Path) -> None:
    assert "missing-queries" in rankgauge("audit", "qrels.txt", "mine.run", cwd=files).stdout
    rankgauge("audit", "qrels.txt", "mine.run", "--strict", cwd=files, code=2)


def test_demo_evaluates_and_says_what_to_try(files: Path) -> None:
    out = rankgauge("demo", "--save", "shop", cwd=files).stdout

    assert "hybrid" in out
    assert "Try next:" in out
    tried, weeks = out[out.index("Try next:") :].split("\n\n")
    for line in [*tried.splitlines()[1:], weeks.splitlines()[1]]:
        rankgauge(*line.split()[1:], cwd=files)
    assert weeks.splitlines()[2:] == [f"  rankgauge ui {Path('shop', 'weeks.db')}"]
    with rg.History(files / "shop" / "weeks.db", read_only=True) as h:
        assert len(h.entries(system="hybrid")) == 12


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(files: Path, shell: str) -> None:
    assert "_RANKGAUGE_COMPLETE" in rankgauge("completion", shell, cwd=files).stdout


@pytest.mark.parametrize(
    ("typed", "name"),
    [("evaluate q r -m nDC", "nDCG"), ("compare q r s -m nDC", "nDCG"), ("gate clicks.csv -m GA", "GAUC")],
)
def test_completion_completes_measures(files: Path, typed: str, name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rankgauge"],
        capture_output=True, text=True, check=False, cwd=files,
        env={**os.environ, "_RANKGAUGE_COMPLETE": "bash_complete",
             "COMP_WORDS": f"rankgauge {typed}", "COMP_CWORD": str(len(typed.split()))},
    )  # fmt: skip

    assert name in done.stdout


@pytest.mark.parametrize(
    "command",
    [
        "",
        "evaluate",
        "predictions",
        "calibrate",
        "compare",
        "power",
        "gate",
        "explain",
        "measures",
        "audit",
        "convert",
        "demo",
        "completion",
    ],
)
def test_help_has_an_example(files: Path, command: str) -> None:
    out = rankgauge(*command.split(), "--help", cwd=files).stdout

    assert "rankgauge" in out
    assert "Examples" in out or not command


def test_help_of_every_command_has_each_example_on_a_line_of_its_own() -> None:
    script = """
import sys
sys.argv = ["rankgauge", "--help"]  # help is dressed up where somebody asks for it
from rankgauge.cli import main
from rankgauge.cli.app import COMMANDS
for name in COMMANDS:
    print("=====", name, flush=True)
    main([name, "--help"])
"""
    env = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-W", "ignore", "-c", script]
    out = subprocess.run(command, capture_output=True, text=True, check=True, env=env, encoding="utf-8").stdout
    pages = dict(page.split("\n", 1) for page in out.split("===== ")[1:])
    for name, page in pages.items():
        heading, *lines = page.split("Examples:")[1].rstrip().split("\n")
        assert not heading.strip(), name
        started = [line for line in lines if line.startswith("   ")]  # what is too long goes on without that
        assert started, name
        assert all("rankgauge" in line for line in started), name
        assert not [line for line in started if line.count(f"rankgauge {name}") > 1], name
    assert "\n   rankgauge evaluate qrels.txt bm25.run \n" in re.sub(" +\n", " \n", pages["evaluate"])


def test_version(files: Path) -> None:
    import rankgauge as package

    assert rankgauge("--version", cwd=files).stdout.strip() == f"rankgauge {package.__version__}"


def test_a_closed_pipe_is_not_an_error(files: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m rankgauge measures | head -1",
        shell=True, capture_output=True, text=True, check=False, cwd=files,
    )  # fmt: skip

    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_on_a_terminal_tables_have_colours(files: Path) -> None:
    parent, child = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "rankgauge", "evaluate", "qrels.txt", "mine.run", "-m", "RR"],
        stdout=child, stderr=subprocess.DEVNULL, cwd=files, env={**os.environ, "TERM": "xterm-256color"},
    ) as process:  # fmt: skip
        os.close(child)
        out = b""
        while True:
            try:
                part = os.read(parent, 65536)
            except OSError:
                break
            if not part:
                break
            out += part
        process.wait()
    os.close(parent)

    assert b"\x1b[" in out
    assert b"0.5000" in out


@pytest.mark.parametrize("form", ["trec", "csv", "json"])
def test_output_for_another_program_has_suspicions_on_standard_error(tmp_path: Path, form: str) -> None:
    queries = [f"q{i}" for i in range(12)]
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 a 1\n" for q in queries))
    rows = [f"{q} Q0 {'a' if i == 9 else f'x{i}'} {i} {10 - i} t\n" for q in queries for i in range(10)]
    (tmp_path / "bad.run").write_text("".join(rows))

    done = rankgauge("evaluate", "qrels.txt", "bad.run", "-m", "RR", "-f", form, cwd=tmp_path)

    assert done.stderr.startswith("! bad: relevant results lie at the end of the lists (12 of 12)")
    assert "Do not trust" not in done.stdout


def test_an_audit_with_ties_among_its_notes_does_not_say_that_they_cast_no_doubt(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("".join(f"q{i} 0 d{j} {int(j < 2)}\n" for i in range(6) for j in range(12)))
    rows = [f"q{i} Q0 d{j} {j} {(12 - j) // 2} t\n" for i in range(6) for j in range(12)]
    (tmp_path / "tied.run").write_text("".join(rows))

    shown = rankgauge("audit", "qrels.txt", "tied.run", cwd=tmp_path).stdout

    assert "tied-scores" in shown
    assert "cast no doubt" not in shown
    assert "`evaluate` says what ties do to each number" in shown


def test_the_limit_of_one_command_is_not_that_of_the_next(files: Path) -> None:
    (files / "mine.run.gz").write_bytes(gzip.compress((files / "mine.run").read_bytes()))

    assert (
        "must unpack to at most"
        in rankgauge("evaluate", "qrels.txt", "mine.run.gz", "--max-unpacked", "1", cwd=files, code=2).stderr
    )
    rankgauge("evaluate", "qrels.txt", "mine.run.gz", cwd=files)


def test_strict_audit_says_why_it_ends_with_2(files: Path) -> None:
    (files / "odd.run").write_text("q1 Q0 d1 1 nan t\nq1 Q0 d2 2 0.5 t\n")

    done = rankgauge("audit", "qrels.txt", "odd.run", "--strict", "--json", cwd=files, code=2)

    assert re.search(r"the audit found \d+ problems? \(--strict\)", done.stderr)


@pytest.mark.parametrize("command", ["power", "plot"])
def test_what_has_no_room_for_remarks_says_on_standard_error_what_it_made_of_the_input(
    files: Path, command: str
) -> None:
    run = {f"q{i}": {"a": 2.0, "b": 1.0} for i in range(8)}
    (files / "qrels.json").write_text(json.dumps({**{q: {"a": 1} for q in run}, "lost": {"a": 1}}))
    (files / "old.json").write_text(json.dumps({**run, "extra": {"a": 1.0}, "q1": {}}))
    (files / "new.json").write_text(json.dumps({**run, "q2": {"b": 1.0, "c": 2.0}}))
    words = {"power": ["power"], "plot": ["plot", "measures", "-o", "chart.svg"]}[command]

    done = rankgauge(*words, "qrels.json", "old.json", "new.json", "-m", "RR", *LAST[command], cwd=files)

    assert done.stderr.replace("wrote chart.svg\n", "").splitlines() == [
        "old: 1 of 9 judged queries is not in the run (counted as empty lists; missing=zero)",
        "old: 1 list of the run is empty",
        "old: 1 query of the run without judgements, ignored",
        "new: 1 of 9 judged queries is not in the run (counted as empty lists; missing=zero)",
    ]


LAST = {"power": ["--difference", "0.1"], "plot": []}


@pytest.mark.parametrize("command", ["evaluate", "compare"])
@pytest.mark.parametrize("option", ["--documents", "--query-texts", "--title", "--scenario"])
def test_what_is_asked_of_a_report_that_is_not_written_is_refused(files: Path, command: str, option: str) -> None:
    if (command, option) == ("evaluate", "--scenario"):
        return  # rates the numbers, with a report or without
    (files / "texts.jsonl").write_text('{"id": "d1", "text": "a text"}\n')
    (files / "other.run").write_text(RUN, encoding="utf-8")
    words = [command, "qrels.txt", "mine.run", *(["other.run"] if command == "compare" else []), "-m", "RR"]
    value = {"--title": "mine", "--scenario": "faq"}.get(option, "texts.jsonl")

    done = rankgauge(*words, option, value, cwd=files, code=2)

    said = f"Error: {option} is for the report, and none is written. Add --html report.html, or leave {option} out."
    if option == "--documents":  # which measures read as well
        said = "Error: --documents is for the report, for measures with a budget such as 'R(budget=2000t)', and for "
        assert done.stderr.startswith(said)
    else:
        assert done.stderr == f"{said}\n"
    rankgauge(*words, option, value, "--html", "report.html", cwd=files)
    rankgauge(*words, option, value, "-o", "page.html", cwd=files)
    assert (files / "report.html").exists()


def test_a_line_for_each_query_is_refused_without_the_format_of_trec_eval(files: Path) -> None:
    done = rankgauge("evaluate", "qrels.txt", "mine.run", "-q", cwd=files, code=2)

    assert done.stderr.startswith("Error: -q (--queries) is for the format of trec_eval. Add -f trec, or")
    assert "q1" in rankgauge("evaluate", "qrels.txt", "mine.run", "-q", "-f", "trec", cwd=files).stdout


# ratings


@pytest.fixture
def twenty(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text("".join(f"q{i} 0 d 1\n" for i in range(20)))
    rows = [(i, ["d", "x", "y"] if i % 2 else ["x", "d", "y"]) for i in range(20)]
    lines = [f"q{i} Q0 {d} {r} {9 - r} mine\n" for i, items in rows for r, d in enumerate(items, 1)]
    (tmp_path / "mine.run").write_text("".join(lines))
    return tmp_path


def test_evaluate_with_a_scenario_takes_its_measures_and_rates_them(twenty: Path) -> None:
    out = rankgauge("evaluate", "qrels.txt", "mine.run", "--scenario", "document-qa", cwd=twenty).stdout

    assert [m for m in ("R@5", "nDCG@5", "P@5") if f"\n{m}" in out] == ["R@5", "nDCG@5", "P@5"]
    assert "mine rated as Document question answering (document_qa)" in out
    assert "“Core concepts: retrieval quality measures”" in out
    assert re.search(r"P@5 .* poor \(excellent beside 0\.200, the highest that can be reached\)", out)
    assert "0.75 out of reach" in out


def test_evaluate_rates_the_measures_asked_for_in_chinese(twenty: Path) -> None:
    words = ("evaluate", "qrels.txt", "mine.run", "-m", "RR", "-m", "Hit@3", "--rate", "--language", "zh")
    out = rankgauge(*words, cwd=twenty).stdout

    assert "mine 的评级" in out
    assert "RR 的分档出自《核心概念 - 检索质量评估指标》。" in out
    assert "Hit@3 没有公认的分档。可自行给出：--standards。" in out


def test_rated_json_is_still_an_evaluation_with_the_ratings_in_it(twenty: Path) -> None:
    rankgauge("evaluate", "qrels.txt", "mine.run", "--scenario", "faq", "-o", "out.json", cwd=twenty)

    stored = json.loads((twenty / "out.json").read_text())
    assert (stored["kind"], stored["ratings"]["kind"], stored["ratings"]["scenario"]) == ("rankings", "ratings", "faq")
    rankgauge("gate", "qrels.txt", "mine.run", "--baseline", "out.json", "--non-inferior", "RR:0.01", cwd=twenty)


def test_rated_csv_has_a_row_for_each_measure_with_its_rating(twenty: Path) -> None:
    rankgauge("evaluate", "qrels.txt", "mine.run", "--scenario", "faq", "-o", "out.csv", cwd=twenty)

    frame = pl.read_csv(twenty / "out.csv")
    assert frame["measure"].to_list() == ["RR", "Hit@3", "P@3"]
    assert frame["rating"].to_list() == ["good", None, "poor"]


def test_figures_of_your_own_rate(twenty: Path) -> None:
    (twenty / "ours.toml").write_text("[scenarios.faq.benchmarks]\nRR = 0.5\n")
    words = ("evaluate", "qrels.txt", "mine.run", "--scenario", "faq", "--standards", "ours.toml")

    assert "0.5 reached" in rankgauge(*words, cwd=twenty).stdout
    assert "unknown scenario 'fag'" in rankgauge(*words[:4], "fag", cwd=twenty, code=2).stderr
    assert "no place for ratings" in rankgauge(*words, "-f", "trec", cwd=twenty, code=2).stderr


@pytest.mark.parametrize(
    ("words", "en", "zh"),
    [
        (
            ["--difference", "0.02"],
            "It takes 787 queries to find a true difference of 0.02 with a chance of 80%.",
            "需要 787 个查询",
        ),
        (
            ["--queries", "500"],
            "500 queries find a true difference of 0.0251 or more with a chance of 80% or more.",
            "检出 0.0251 及以上",
        ),
        (
            ["--difference", "0.02", "--queries", "500"],
            "500 queries are too few: they find a true difference of 0.02 with a chance of 60.7%; 80% takes 787",
            "500 个查询太少：只有 60.7% 的把握",
        ),
        (
            ["--difference", "0.02", "--queries", "9000"],
            "9,000 queries are enough: they find a true difference of 0.02 with a chance of more than 99.9%.",
            "有 99.9% 以上的把握",
        ),
    ],
)
def test_power_begins_with_its_answer(words, en, zh):
    """787 and 60.7% by the noncentral t distribution: scipy.stats.nct."""
    assert rankgauge("power", "--sd", "0.2", *words).stdout.startswith(en)
    assert zh in rankgauge("power", "--sd", "0.2", *words, "--language", "zh").stdout


def test_power_refuses_a_level_that_no_test_has():
    done = rankgauge("power", "--sd", "0.2", "--difference", "0.02", "--alpha", "1e-320", code=2)

    assert "--alpha must be between 1e-09 and 0.5" in done.stderr
