"""`rankgauge online …` on the demo's experiments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge.cli.online import command as group

RATIO = ("--numerator", "clicks", "--denominator", "impressions", "--unit", "user_id")
BEFORE = ("--before", "clicks_before", "--before-denominator", "impressions_before")
LINES: dict[str, tuple[str, ...]] = {
    "ab": ("ab", "shop/experiment.csv", *RATIO),
    "cuped": ("cuped", "shop/experiment.csv", *RATIO, *BEFORE),
    "sample-ratio": ("sample-ratio", "shop/experiment.csv", "--unit", "user_id"),
    "off-policy": ("off-policy", "shop/explored.csv", "--user", "user_id"),
    "agreement": ("agreement", "shop/launches.csv"),
}
KINDS = {"ab": "ab_test", "cuped": "ab_test", "sample-ratio": "sample_ratio", "off-policy": "off_policy"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("online")
    rankgauge("demo", "--save", "shop", cwd=target)
    return target


def test_no_command_of_the_group_is_forgotten() -> None:
    assert set(group.commands) == set(LINES)


@pytest.mark.parametrize("name", LINES)
def test_each_is_shown_in_both_languages_stored_and_read_back(name: str, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.json"

    english = rankgauge("online", *LINES[name], cwd=folder).stdout
    chinese = rankgauge("online", *LINES[name], "--language", "zh", cwd=folder).stdout
    rankgauge("online", *LINES[name], "-o", file, cwd=folder)
    rankgauge("online", *LINES[name], "--html", tmp_path / "page.html", cwd=folder)
    csv = rankgauge("online", *LINES[name], "--csv", cwd=folder).stdout

    back = rg.load(file)
    assert english.isascii() or not any("\u4e00" <= c <= "\u9fff" for c in english)
    assert any("\u4e00" <= c <= "\u9fff" for c in chinese)
    assert back.kind == KINDS.get(name, name)
    assert json.loads(file.read_text(encoding="utf-8"))["kind"] == back.kind
    assert english == str(back).rstrip("\n") + "\n"
    assert "<html" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert len(csv.splitlines()) > 1


@pytest.mark.parametrize("name", LINES)
def test_help_has_examples(name: str, folder: Path) -> None:
    said = rankgauge("online", name, "--help", cwd=folder).stdout

    assert "Examples:" in said
    assert f"rankgauge online {name}" in said


def test_the_demo_is_decided_by_what_users_did_before(folder: Path) -> None:
    raw = rankgauge("online", *LINES["ab"], cwd=folder).stdout
    adjusted = rankgauge("online", *LINES["cuped"], cwd=folder).stdout

    assert raw.startswith("new is not clearly different from control on clicks / impressions")
    assert adjusted.startswith("new is better than control on clicks / impressions")


def test_units_of_arms_are_typed_or_counted(folder: Path) -> None:
    typed = rankgauge("online", "sample-ratio", "control=50,012", "new=40000", cwd=folder).stdout

    assert "; a mismatch is a p below 0.001 (alpha)\n" in typed
    assert typed.startswith("Sample ratio mismatch (new: 40,000 / 45,006")
    ruled = ("control=90110", "new=9890", "--expected", "control=0.9,new=0.1")
    assert "have the units" in rankgauge("online", "sample-ratio", *ruled, cwd=folder).stdout


def test_a_target_may_be_one_number(folder: Path) -> None:
    out = rankgauge("online", "off-policy", "shop/explored.csv", "--target", "0.25", "--json", cwd=folder).stdout

    assert json.loads(out)["name"] == "target"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ab", "nowhere.csv", *RATIO), "does not exist"),
        (("ab", "shop/experiment.csv"), "Missing option '--numerator'"),
        (("ab", "shop/experiment.csv", "--numerator", "click"), "columns missing: 'click'. Did you mean clicks?"),
        (("ab", "shop/experiment.csv", *RATIO, "--control", "nwe"), "Did you mean new?"),
        (("ab", "shop/experiment.csv", *RATIO, "--unit", "arm"), "--unit is given 2 times"),
        (("ab", "shop/experiment.csv", "--numerator", "clicks", "--expected", "new"), "--expected must look like"),
        (("cuped", "shop/experiment.csv", *RATIO, "--before", "clicks_before"), "--before-denominator"),
        (("sample-ratio", "a=1", "b=x"), "units must look like control=50012, got 'b=x'"),
        (("sample-ratio", "a=1", "a=2"), "arm 'a' is given twice"),
        (("sample-ratio", "a=5", "b.csv"), "takes one table, or ARM=UNITS"),
        (("sample-ratio", "a=5"), "at least two arms are needed, got 1"),
        (("off-policy", "shop/explored.csv", "--logged", "p"), "Name them by --reward, --logged, --target"),
        (("off-policy", "shop/explored.csv", "--request", "user_id"), "lists need both --request and --position"),
        (("agreement", "shop/experiment.csv"), "Name them by --offline and --online"),
        (("nothing",), "No such command 'nothing'"),
        (("ab", "shop/experiment.csv", *RATIO, "-o", "shop/experiment.csv", "--format", "csv"), "shop/experiment.csv"),
    ],
)
def test_what_cannot_be_done_is_said_with_options(words: tuple[str, ...], said: str, folder: Path) -> None:
    done = rankgauge("online", *words, cwd=folder, code=2)

    assert said in " ".join(done.stderr.split())
    assert done.stdout == ""
