"""The example on MovieLens prints what the pages show, where the data is; figures of public data are as said."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

import rankgauge as rg
from command_line import rankgauge

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```text\n(\$ rankgauge split ml_latest_small.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lists of baselines are made once for both languages."""
    data = shared / "ml_latest_small"
    if not data.is_dir():
        pytest.skip(f"MovieLens is not here: {data}")
    made = tmp_path_factory.mktemp("movielens")
    os.symlink(data, made / "ml_latest_small")
    return made


@pytest.mark.slow
@pytest.mark.parametrize(("page", "language"), [("docs/recommenders.md", "en"), ("docs/zh/recommenders.md", "zh")])
def test_the_example_on_movielens_prints_what_the_page_shows(page: str, language: str, folder: Path) -> None:
    (block,) = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    shown = re.split(r"^\$ rankgauge (.*)\n", block, flags=re.MULTILINE)[1:]
    assert len(shown) == 2 * 5

    for command, output in zip(shown[::2], shown[1::2], strict=True):
        words = shlex.split(command)
        if words[0] == "baseline" and (folder / words[-1]).exists():
            continue
        assert rankgauge(*words, cwd=folder, language=language).stdout == output


def ratios(runs: dict[str, rg.Run], test: object, measure: str, **words: object) -> dict[str, float]:
    found = rg.evaluate(test, runs, measure, **words)  # type: ignore[call-overload]
    return {name: round(ev[measure] / found["popularity"][measure], 2) for name, ev in found.items()}


@pytest.mark.slow
def test_movielens_beats_popularity_by_what_the_page_says(folder: Path) -> None:
    train, test = rg.split(folder / "ml_latest_small" / "ratings.csv.gz", "last", n=1, min_rating=4)
    runs = {kind: rg.baseline(train, kind, users=test) for kind in ("popularity", "item-knn", "ease")}

    assert ratios(runs, test, "Hit@10", rel=4) == {"popularity": 1.0, "item-knn": 1.35, "ease": 1.59}


@pytest.mark.slow
def test_lastfm_beats_popularity_and_has_a_report(shared: Path, tmp_path: Path) -> None:
    """The split of LightGCN. What most people play says little of what one plays there."""
    data = shared / "lastfm_lightgcn"
    if not data.is_dir():
        pytest.skip(f"Last.fm is not here: {data}")
    train, test = data / "data1.txt.gz", data / "test1.txt.gz"
    runs = {kind: rg.baseline(train, kind, users=test) for kind in ("popularity", "item-knn", "ease")}

    assert ratios(runs, test, "nDCG@10") == {"popularity": 1.0, "item-knn": 9.33, "ease": 11.95}
    for name, run in runs.items():
        run.to_frame().write_csv(tmp_path / f"{name}.csv")
    words = ("evaluate", test, *(tmp_path / f"{name}.csv" for name in runs), "-m", "nDCG@10", "-m", "Coverage@10")
    rankgauge(*words, "--train", train, "--html", tmp_path / "report.html")
    assert "Coverage@10" in (tmp_path / "report.html").read_text(encoding="utf-8")
