"""`rankgauge split` and `rankgauge baseline`: from interactions to numbers, as people type it."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from command_line import rankgauge
from rankgauge.demo import ratings

COLUMNS = ratings()
RATINGS = "userId,movieId,rating,timestamp\n" + "".join(
    ",".join(map(str, row)) + "\n" for row in list(zip(*COLUMNS.values(), strict=True))[:600]
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ratings.csv").write_text(RATINGS)
    return tmp_path


def test_a_whole_session(folder: Path) -> None:
    shown = rankgauge(
        *("split", "ratings.csv", "--by", "last", "-n", "2", "--train", "train.csv", "--test", "test.parquet"),
        cwd=folder,
    )
    made = rankgauge("baseline", "train.csv", "--users", "test.parquet", "-k", "3", "-o", "popular.run", cwd=folder)
    judged = rankgauge(
        *("evaluate", "test.parquet", "popular.run", "-m", "R(rel=3)@3", "--columns", "rating=grade"), cwd=folder
    )

    assert "split by the last interactions of each user" in shown.stdout
    assert pl.read_csv(folder / "train.csv").columns == ["userId", "movieId", "rating", "timestamp"]
    assert pl.read_parquet(folder / "test.parquet").height > 100
    assert "wrote popular.run: popularity, " in made.stderr
    assert "R(rel=3)@3  0.0769" in judged.stdout


def test_folds_have_numbered_files_and_advice_names_options(folder: Path) -> None:
    shown = rankgauge(
        *("split", "ratings.csv", "--by", "user", "--folds", "2", "--train", "train.csv.gz", "--test", "test.csv"),
        cwd=folder,
    )

    assert {p.name for p in folder.iterdir()} == {
        *("ratings.csv", "train-1.csv.gz", "train-2.csv.gz", "test-1.csv", "test-2.csv")
    }
    assert "kept (--cold-users drop leaves them out)" in shown.stdout
    assert "--by time avoids it" in shown.stdout


def test_inputs_are_not_written_over(folder: Path) -> None:
    (folder / "x-1.csv").write_text(RATINGS)

    for words in (("--train", "ratings.csv"), ("--test", "ratings.csv")):
        rankgauge("split", "ratings.csv", *words, cwd=folder, code=2)
    rankgauge("split", "x-1.csv", "--by", "user", "--folds", "2", "--train", "x.csv", cwd=folder, code=2)

    assert (folder / "x-1.csv").read_text() == (folder / "ratings.csv").read_text() == RATINGS


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("f-2.csv", "--train", "f.csv", "--test", "g.csv"), "would overwrite the input 'f-2.csv'"),
        (("ratings.csv", "--train", "f.csv", "-o", "f-1.csv"), "--output and --train are the same file: 'f-1.csv'"),
        (("ratings.csv", "--train", "f.csv", "--test", "f.csv"), "--train and --test are the same file"),
        (("ratings.csv", "--train", "-"), "--train must name a file where there are --folds"),
    ],
)
def test_all_names_of_folds_are_looked_at_before_one_is_written(
    folder: Path, words: tuple[str, ...], said: str
) -> None:
    (folder / "f-1.csv").write_text("mine\n")
    (folder / "f-2.csv").write_text(RATINGS)
    before = {p.name: p.read_text() for p in folder.iterdir()}

    done = rankgauge("split", *words, "--by", "user", "--folds", "2", cwd=folder, code=2)

    assert said in done.stderr
    assert {p.name: p.read_text() for p in folder.iterdir()} == before


def test_endless_folds_are_refused_before_they_have_names(folder: Path) -> None:
    words = ("split", "ratings.csv", "--by", "user", "--folds", "99999999999", "--train", "f.csv", "--test", "g.csv")

    done = rankgauge(*words, cwd=folder, code=2)

    assert "--folds must be at most the number of users, 130" in done.stderr
    assert {p.name for p in folder.iterdir()} == {"ratings.csv"}


def test_all_folds_are_in_one_output(folder: Path) -> None:
    words = ("split", "ratings.csv", "--by", "user", "--folds", "3")

    rankgauge(*words, "-o", "folds.csv", cwd=folder)
    rankgauge(*words, "-o", "folds.md", cwd=folder)
    stored = json.loads(rankgauge(*words, "--json", cwd=folder).stdout)

    table = pl.read_csv(folder / "folds.csv")
    assert table.select("fold", "part").rows() == [(i, part) for i in (1, 2, 3) for part in ("train", "test")]
    assert table.filter(part="test")["rows"].sum() == 600
    assert [one["fold"] for one in stored] == [1, 2, 3]
    assert [p["rows"] for one in stored for p in one["parts"]] == table["rows"].to_list()
    assert all(f"fold {i}, split by user" in (folder / "folds.md").read_text() for i in (1, 2, 3))


def test_what_belongs_to_one_split_is_refused_with_folds(folder: Path) -> None:
    done = rankgauge("split", "ratings.csv", "--folds", "2", "--share", "0.3", cwd=folder, code=2)

    assert "--share and --at are for one split, not for --folds." in done.stderr


def test_json_is_a_record_that_loads(folder: Path) -> None:
    import rankgauge as rg

    done = rankgauge("split", "ratings.csv", "--at", "2025-01-20", "--json", cwd=folder)
    (folder / "split.json").write_text(done.stdout)

    back = rg.load(folder / "split.json")
    assert isinstance(back, rg.Split)
    assert [p.name for p in back.parts] == ["train", "test"]


def test_help_and_sessions_are_there_in_chinese(folder: Path) -> None:
    assert "把交互划分为训练集和测试集" in rankgauge("split", "--help", "--language", "zh").stdout
    assert "用简单的推荐方法生成列表" in rankgauge("baseline", "--help", language="zh").stdout
    shown = rankgauge("split", "ratings.csv", cwd=folder, language="zh").stdout
    assert "按时间划分" in shown
    assert "训练集" in shown


@pytest.mark.parametrize("command", ["split", "baseline"])
def test_an_option_without_bounds_has_no_range_in_the_help(command: str) -> None:
    assert "None" not in rankgauge(command, "--help").stdout


def test_the_commands_offer_every_way_that_the_library_has():
    from rankgauge.cli.baseline import command as of_baseline
    from rankgauge.cli.split import command as of_split
    from rankgauge.protocols.baselines import KINDS
    from rankgauge.protocols.splitting import BY

    offered = {
        p.opts[0]: p.type.choices for c in (of_split, of_baseline) for p in c.params if p.opts[0] in ("--by", "--kind")
    }

    assert {flag: tuple(words) for flag, words in offered.items()} == {"--by": BY, "--kind": KINDS}
