"""`rankgauge diagnose`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import rankgauge
from rankgauge.demo import clicks, save, save_clicks, shop


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("shop")
    save(shop(), target)
    save_clicks(clicks(), target)
    return target


def test_a_ranking(folder: Path):
    out = rankgauge("diagnose", "qrels.txt", "hybrid.run", cwd=folder).stdout

    assert out.startswith("Diagnosis of hybrid")
    assert "4 of 200 judged queries are not in the run" in out
    assert "missing-queries" in out


def test_in_chinese_with_a_scenario(folder: Path):
    words = ("--scenario", "product_search", "--language", "zh")
    out = rankgauge("diagnose", "qrels.txt", "bm25.run", *words, cwd=folder).stdout

    assert out.startswith("bm25 的诊断（场景：product_search）")
    assert "并列结果的先后影响了数字" in out


def test_a_change(folder: Path):
    out = rankgauge("diagnose", "qrels.txt", "hybrid.run", "bm25.run", "-m", "nDCG@10", cwd=folder).stdout

    assert "[critical] bm25 is worse than hybrid" in out


def test_slices(folder: Path):
    words = ("-m", "nDCG@10", "--slices", "queries.jsonl", "--most", "20")
    out = rankgauge("diagnose", "qrels.txt", "bm25.run", *words, cwd=folder).stdout

    assert "does much worse than the rest" in out


@pytest.mark.parametrize("new", [(), ("new.csv",)])
def test_users_by_activity(tmp_path: Path, new: tuple[str, ...]):
    """Twelve users who are heavy or warm get what they want, twelve that train does not know do not."""
    users = [f"u{i:02d}" for i in range(48)]
    rows = {"test.csv": [], "old.csv": [], "new.csv": [], "train.csv": []}  # type: dict[str, list[str]]
    for n, u in enumerate(users):
        rows["test.csv"].append(f"{u},t{n % 5}")
        rows["train.csv"] += [f"{u},h{j}" for j in range(0 if n % 2 else 1 + n)]
        for name in ("old.csv", "new.csv"):
            wanted = f"x{n}" if n % 2 else f"t{n % 5}"
            rows[name] += [f"{u},{wanted},2", f"{u},y{n},1"]
    for name, lines in rows.items():
        head = "user_id,item_id" + (",score" if name in ("old.csv", "new.csv") else "")
        (tmp_path / name).write_text("\n".join([head, *lines, ""]), encoding="utf-8")

    words = ("-m", "Hit@2", "--train", "train.csv", "--slices", "activity")
    shown = rankgauge("diagnose", "test.csv", "old.csv", *new, *words, cwd=tmp_path)

    assert "activity=cold does much worse than the rest" in shown.stdout
    assert "for the 24 users with activity=cold" in shown.stdout


def test_labels_and_scores(folder: Path):
    words = ("--columns", "new=score,old=ignore", "--scenario", "ctr", "--json")
    out = rankgauge("diagnose", "clicks.csv", *words, cwd=folder).stdout

    assert [f["code"] for f in json.loads(out)["findings"]] == ["calibrate"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["qrels.txt", "bm25.run", "--scenario", "faqs"], "unknown scenario 'faqs'. Did you mean faq?"),
        (["qrels.txt", "none.run"], "run 'none.run' does not exist"),
        (["qrels.txt", "bm25.run", "--standards", "none.toml"], "none.toml"),
    ],
)
def test_bad_input_is_one_clear_error(folder: Path, words: list[str], message: str):
    done = rankgauge("diagnose", *words, cwd=folder, code=2)

    assert message in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("evaluate", "evaluate needs judgements and a run"),
        ("diagnose", "judgements need a run beside them: rankgauge diagnose QRELS RUN"),
        ("gate", "gate takes one CONFIG.toml, or QRELS and RUN"),
    ],
)
def test_judgements_without_a_run_are_told_what_is_missing(folder: Path, command: str, said: str):
    assert said in rankgauge(command, "qrels.txt", cwd=folder, code=2).stderr


def test_scores_of_one_model_are_named_by_option(folder: Path):
    new = rankgauge("diagnose", "clicks.csv", "--score", "new", "--group", "user_id", "--json", cwd=folder).stdout
    both = rankgauge("diagnose", "clicks.csv", "--score", "old", "--score", "new", cwd=folder).stdout

    assert json.loads(new)["subject"] == "new"
    assert both.index("Diagnosis of old") < both.index("Diagnosis of new")  # each by itself
    done = rankgauge("diagnose", "clicks.csv", "--score", "old", "--score", "new", "--json", cwd=folder, code=2)
    assert "a file holds the diagnosis of one model, got 2: old, new. Name one with --score." in done.stderr
    assert "The order is good, the probabilities are off" in both


def test_words_about_scores_are_refused_beside_rankings(folder: Path):
    done = rankgauge("diagnose", "qrels.txt", "bm25.run", "--score", "new", "--slice", "x", cwd=folder, code=2)

    assert "--score, --slice is for labels and scores, and these files are rankings. Leave it out." in done.stderr


def test_lists_whose_order_is_right_are_diagnosed_when_that_is_accepted(tmp_path: Path):
    both = {f"q{i}": {"retrieved": [*(f"x{j}" for j in range(19)), "a"], "relevant": ["a"]} for i in range(40)}
    (tmp_path / "late.json").write_text(json.dumps(both), encoding="utf-8")

    doubted = rankgauge("diagnose", "late.json", cwd=tmp_path).stdout
    accepted = rankgauge("diagnose", "late.json", "--accept", "worst-first", cwd=tmp_path).stdout

    assert "--accept worst-first" in " ".join(doubted.split())
    assert "do not trust the numbers" not in accepted
    assert "weak-measure" in accepted
