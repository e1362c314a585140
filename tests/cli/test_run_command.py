"""`rankgauge run`: exit codes, what is printed and what is written."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import rankgauge as rg
from command_line import rankgauge

sys.path.insert(0, str(Path(__file__).parents[1] / "project"))
from small_project import GATE, HALF, PROJECT, QUERIES, WORSE, run_text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 a 1\n" for q in QUERIES))
    (tmp_path / "search.run").write_text(run_text(HALF))
    (tmp_path / "rankgauge.toml").write_text(PROJECT + GATE)
    return tmp_path


def test_fine_then_a_regression_then_a_broken_file(folder: Path) -> None:
    first = rankgauge("run", "--at", "2026-11-02", cwd=folder)
    (folder / "search.run").write_text(run_text(WORSE))
    second = rankgauge("run", "--at", "2026-11-09", cwd=folder, code=1)
    (folder / "search.run").unlink()
    third = rankgauge("run", "--at", "2026-11-16", cwd=folder, code=2)

    assert first.stdout.startswith("FINE: shop, 1 evaluation: 1 fine\n")
    assert second.stdout.startswith("FAIL: shop, 1 evaluation: 1 failed\n")
    assert "REGRESSION: 1 of 2 checks failed" in second.stdout
    assert third.stdout.startswith("BROKEN: shop, 1 evaluation: 1 broken\n")
    assert third.stderr == "Error: july · search: run 'search.run' does not exist: search.run.\n"
    assert (first.stderr, second.stderr) == ("", "")
    assert len(rg.History(folder / "history.db")) == 4


def test_not_settled(folder: Path) -> None:
    rankgauge("run", "--at", "2026-11-02", cwd=folder)
    mixed = {q: 1 + (i // 2) % 2 for i, q in enumerate(QUERIES)}  # as good, at other queries
    (folder / "search.run").write_text(run_text(mixed))

    done = rankgauge("run", "--at", "2026-11-09", cwd=folder, code=3)

    assert done.stdout.startswith("INCONCLUSIVE: shop, 1 evaluation: 1 not settled\n")


def test_the_options_take_the_place_of_the_file(folder: Path) -> None:
    words = ("--store", "other.db", "--only", "search", "--html", "page.html", "--json", "-o", "run.json")
    rankgauge("run", "rankgauge.toml", *words, cwd=folder)

    assert sorted(p.name for p in folder.iterdir() if p.suffix in (".db", ".html")) == ["other.db", "page.html"]
    told = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert (told["kind"], told["results"][0]["state"]) == ("project_run", "pass")
    assert rg.load(folder / "run.json").exit_code == 0


@pytest.mark.parametrize("form", ["csv", "markdown", "html"])
def test_other_forms(folder: Path, form: str) -> None:
    assert "search" in rankgauge("run", "-f", form, cwd=folder).stdout


def test_an_unknown_system_and_a_missing_file(folder: Path) -> None:
    wrong = rankgauge("run", "--only", "serch", cwd=folder, code=2)
    gone = rankgauge("run", "none.toml", cwd=folder, code=2, language="zh")

    assert "there is no system 'serch' in the project. Did you mean search? There are: search." in wrong.stderr
    assert "项目文件 'none.toml' 无法读取：没有这个文件或文件夹。" in gone.stderr


def test_in_chinese(folder: Path) -> None:
    done = rankgauge("run", cwd=folder, language="zh")

    assert done.stdout.startswith("正常：shop，1 次评测：1 次正常\n")
    assert "还没有基线：与基线比较的规则从下次运行起生效" in done.stdout


def test_an_input_is_not_written_over(folder: Path) -> None:
    done = rankgauge("run", "--html", "qrels.txt", cwd=folder, code=2)

    assert "would overwrite the input" in done.stderr
    assert (folder / "qrels.txt").read_text().startswith("q00 0 a 1")


def test_a_variable_of_a_channel_that_is_not_set_is_said_before_anything_is_measured(folder: Path) -> None:
    (folder / "rankgauge.toml").write_text(PROJECT + '[channels.slack]\nurl_env = "NO_SUCH_URL"\n')
    (folder / "search.run").unlink()
    words = "slack cannot be told: the environment variable NO_SUCH_URL is not set."

    done = rankgauge("run", cwd=folder, code=2)
    in_chinese = rankgauge("run", cwd=folder, code=2, language="zh")
    quiet = rankgauge("run", "--quiet-channels", cwd=folder, code=2)

    assert done.stderr.startswith(f"{words}\nError: july · search")
    assert in_chinese.stderr.startswith("无法通知 slack：没有设置环境变量 NO_SUCH_URL。\n")
    assert "NO_SUCH_URL" not in quiet.stderr
