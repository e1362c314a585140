"""`rankgauge scenarios`."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

from command_line import rankgauge


def scenarios(*words: str | Path, code: int = 0) -> CompletedProcess[str]:
    return rankgauge("scenarios", *words, code=code)


def cells(text: str) -> list[list[str]]:
    """The lines of the output, split where columns are."""
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in text.splitlines()]


def test_list():
    rows = cells(scenarios().stdout)

    assert rows[0] == ["scenario", "title", "what for", "measures"]
    names = " ".join(row[0] for row in rows[1:15])
    assert names == (
        "faq document_qa academic enterprise product_search candidates cold_start news social feed shopping "
        "ranking ctr monitoring"
    )
    assert rows[1] == ["faq", "FAQ matching", "One stored answer is right, and it should come first.", "RR, Hit@3, P@3"]
    assert "three to five measures" in rows[16][0]


def test_one_scenario():
    text = scenarios("faq").stdout
    rows = cells(text)

    assert text.startswith("FAQ matching (faq)\n")
    assert ["Hit@3", "0.900", "–", "“Core concepts: retrieval quality measures”"] in rows
    assert ["RR", "0.850", "excellent", "“Core concepts: retrieval quality measures”"] in rows
    quora = ["0.789", "0.834", "0.865", "0.889"]
    source = "pyserini, BEIR reproduction table"
    assert ["Quora", "FAQ, duplicate questions", "nDCG@10", *quora, source] in rows
    assert [row[:3] for row in rows if row[:1] == ["RR"] and "x " in row[2]] == [
        ["RR", "poor", "x < 0.4"],
        ["RR", "fair", "0.4 ≤ x < 0.6"],
        ["RR", "good", "0.6 ≤ x ≤ 0.8"],
        ["RR", "excellent", "x > 0.8"],
    ]


def test_order_and_probability():
    text = scenarios("ctr").stdout

    assert "Read AUC and LogLoss together" in text
    assert [row[1:3] for row in cells(text) if row[:1] == ["AUC"]] == [
        ["reversed", "x < 0.5"],
        ["chance", "x = 0.5"],
        ["informative", "0.5 < x < 1"],
        ["perfect", "x ≥ 1"],
    ]
    assert [row[1:3] for row in cells(text) if row[:1] == ["LogLoss"]] == [["perfect", "x ≤ 0"], ["relative", "x > 0"]]


def test_chinese():
    assert scenarios("--language", "zh").stdout.startswith("场景")
    text = scenarios("candidates", "--language", "zh").stdout

    assert text.startswith("推荐：召回阶段（candidates）\n")
    assert ["候选", "R", "50, 100, 200", "《NDCG / Recall@K（Search & Ranking）》"] in cells(text)


def test_standards_of_ones_own(tmp_path: Path):
    path = tmp_path / "ours.toml"
    path.write_text("[scenarios.faq.benchmarks]\nMRR = 0.95\n", encoding="utf-8")

    assert ["RR", "0.950", "excellent", "ours.toml"] in cells(scenarios("faq", "--standards", path).stdout)


def test_unknown_scenario():
    assert scenarios("faqs", code=2).stderr.startswith("Error: unknown scenario 'faqs'. Did you mean faq?")


def test_mistake_in_the_file(tmp_path: Path):
    path = tmp_path / "ours.toml"
    path.write_text("[scenarios.faq.benchmarks]\nMRR = 95\n", encoding="utf-8")

    assert scenarios("--standards", path, code=2).stderr == (
        f"Error: standards file {str(path)!r}: `scenarios.faq.benchmarks.RR.value` must be a value of RR, "
        "between 0 and 1, got 95.\n"
    )


def test_missing_file(tmp_path: Path):
    assert "cannot be read: No such file" in scenarios("--standards", tmp_path / "none.toml", code=2).stderr


def test_help_names_the_options():
    text = scenarios("--help").stdout

    assert "--language" in text
    assert "--standards" in text
    assert "rankgauge scenarios faq" in text
