"""`report --trend` and `history acknowledge`: from a store to a page, and to a new baseline."""

from __future__ import annotations

from pathlib import Path

import pytest

import rankgauge as rg
from command_line import rankgauge

QUERIES = [f"q{i}" for i in range(12)]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "history.db"
    with rg.History(path) as h:
        for day, best in enumerate((["a", "x"], ["a", "x"], ["x", "a"]), 1):
            ev = rg.evaluate({q: {"a": 1} for q in QUERIES}, dict.fromkeys(QUERIES, best), ["RR", "P@1"])
            h.add(ev, project="shop", system="bm25", dataset="gold", at=f"2026-11-0{day}")
    return path


def test_a_history_becomes_a_page(store: Path, tmp_path: Path):
    rankgauge("report", "--trend", "history.db", "--project", "shop", "-m", "RR", "-o", "t.html", cwd=tmp_path)

    page = (tmp_path / "t.html").read_text(encoding="utf-8")
    assert "Over time" in page
    assert "随时间的变化" in page
    assert "RR over time" in page
    assert "P@1 over time" not in page


def test_which_series_is_for_a_trend(tmp_path: Path):
    done = rankgauge("report", "--project", "shop", cwd=tmp_path, code=2)

    assert "--project is for --trend" in done.stderr


def test_nothing_to_report_is_said(tmp_path: Path):
    done = rankgauge("report", cwd=tmp_path, code=2)

    assert "give RECORD.json, or --trend history.db" in done.stderr


def test_a_change_is_accepted_with_reason_and_name(store: Path, tmp_path: Path):
    with rg.History(store) as h:
        newest = h.entries()[-1].id
    done = rankgauge(
        *("history", "acknowledge", newest, "--reason", "cheaper", "--who", "Ana", "--store", "history.db"),
        cwd=tmp_path,
    )

    assert f"bm25 is held against {newest} from now on" in done.stderr
    with rg.History(store) as h:
        (event,) = h.events(kind="baseline")
        assert (event.entry, event.text, event.who) == (newest, "cheaper", "Ana")
        assert h.trend(project="shop")["RR"].baseline == newest


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-m", "PR"), "PR"),
        (("-m", "nDCG@10"), "nothing has 'nDCG@10'"),
        (("--project", "shpo"), "there is no project 'shpo'. Did you mean shop?"),
        (("--system", "bm52"), "there is no system 'bm52'. Did you mean bm25?"),
        (("--dataset", "godl"), "there is no dataset 'godl'. Did you mean gold?"),
    ],
)
def test_a_name_that_nothing_has_is_an_error(store: Path, tmp_path: Path, words: tuple[str, ...], said: str):
    trend = rankgauge("history", "trend", "--store", "history.db", *words, cwd=tmp_path, code=2)
    report = rankgauge("report", "--trend", "history.db", *words, cwd=tmp_path, code=2)

    assert said in trend.stderr
    assert said in report.stderr


def test_a_history_that_is_not_there_is_not_made_in_passing(tmp_path: Path):
    rankgauge("history", "acknowledge", "3f2a", "--reason", "r", "--store", "typo.db", cwd=tmp_path, code=2)

    assert not (tmp_path / "typo.db").exists()
