"""Markdown for a pull request and LaTeX for a paper."""

from __future__ import annotations

import re

import pytest
from shown_records import record

import rankgauge as rg
from rankgauge.reporting import sections

QRELS = {f"q{i}": {"a": 1} for i in range(30)}
FIRST, SECOND = {q: ["a", "b"] for q in QRELS}, {q: ["b", "a"] for q in QRELS}
MIXED = {q: ["a", "b"] if i % 2 else ["b", "a"] for i, q in enumerate(QRELS)}


@pytest.mark.parametrize(
    ("name", "open_", "folded"),
    [
        ("comparison", ["top against old", "tied against old"], ["By slice", "All pairs: RR@10", "What moved most"]),
        ("evaluations", ["2 runs on qrels"], ["top: by slice", "tied: by slice"]),
        ("funnel", ["Most is lost", "Stages"], ["What became of 78 relevant items"]),
        ("prediction evaluation", ["good on predictions"], ["by slice"]),
        ("prediction evaluations", ["bad minus good"], []),
        ("gate", ["REGRESSION"], []),
    ],
)
def test_markdown_folds_details_and_leaves_the_verdict_open(name: str, open_: list[str], folded: list[str]):
    text = record(name).to_markdown()
    seen = re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)
    summaries = re.findall(r"<summary>(.*?)</summary>", text)

    assert all(f"**{title}" in seen for title in open_)
    assert all(any(s.startswith(title) for s in summaries) for title in folded)
    assert bool(summaries) == bool(folded)
    assert text.count("<details>") == text.count("</details>") == len(summaries)
    assert "<details>" not in str(record(name))


def rows_of(text: str) -> list[list[str]]:
    """The cells of the first table, header first."""
    body = text.partition(r"\toprule")[2].partition(r"\bottomrule")[0]
    return [[c.strip() for c in line.removesuffix(r"\\").split("&")] for line in body.splitlines() if "&" in line]


def test_latex_of_a_comparison_is_the_table_of_a_paper():
    text = rg.compare(QRELS, {"mixed": MIXED, "first": FIRST, "second": SECOND}, ["RR", "P@1"]).to_latex()

    assert rows_of(text) == [
        ["system", "RR", "P@1"],
        ["mixed", "0.7500", "0.5000"],
        ["first", r"\textbf{1.0000$^{\dagger}$}", r"\textbf{1.0000$^{\dagger}$}"],
        ["second", r"0.5000$^{\ddagger}$", r"0.0000$^{\ddagger}$"],
    ]


def test_latex_marks_nothing_that_is_not_settled_and_follows_the_correction():
    few = {q: ["b", "a"] if q in ("q0", "q1") else r for q, r in FIRST.items()}
    rows = rows_of(rg.compare(QRELS, {"first": FIRST, "few": few}, ["RR"]).to_latex())

    assert rows[1:] == [["first", r"\textbf{1.0000}"], ["few", "0.9667"]]


def test_latex_explains_its_marks_inside_the_table():
    table = rg.compare(QRELS, {"mixed": MIXED, "first": FIRST}, ["RR", "P@1"]).to_latex().partition(r"\end{table}")[0]
    note = table.partition(r"\footnotesize ")[2]

    assert note.startswith(r"$^{\dagger}$ better, $^{\ddagger}$ worse than mixed at 0.05: paired randomisation test")
    assert "corrected by holm over 2 comparisons; n = 30 queries." in note


def test_latex_bold_is_the_lowest_where_lower_is_better():
    [_, good, bad] = rows_of(record("comparison of models").to_latex())

    assert good == ["good", r"\textbf{0.7424}", r"\textbf{0.8053}"]
    assert bad == ["bad", r"0.4980$^{\ddagger}$", "0.9831"]


def test_latex_escapes_captions_and_marks():
    text = rg.compare(QRELS, {"a_b": MIXED, "50%": FIRST}, ["RR"]).to_latex()

    assert r"\caption{50\% against a\_b}" in text
    assert r"worse than a\_b at" in text
    assert r"$<$0.001" in text


def test_the_other_tables_of_a_comparison_follow():
    text = record("comparison").to_latex()

    assert text.count(r"\begin{table}") == 1 + sum(1 for s in sections(record("comparison")) if s.grid is not None)
    assert text.index(r"\caption{top, same, tied against old}") < text.index(r"\caption{top against old}")
    assert r"% p: paired randomisation test" in text
