"""What the pages on projects and CI show is what there is: the example file, every key, workflows that parse."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from command_line import rankgauge
from rankgauge.history.rules import AlertRules
from rankgauge.project.file import ProjectTables, example, read_project
from rankgauge.project.prometheus import _FAMILIES
from rankgauge.project.tables import CHANNELS, Channel, Dataset, GateRules, SliceTable, System

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {"en": DOCS / "project.md", "zh": DOCS / "zh" / "project.md"}
CI = {"en": DOCS / "ci.md", "zh": DOCS / "zh" / "ci.md"}


@pytest.mark.parametrize("language", PAGES)
def test_the_example_of_the_page_is_the_one_that_is_printed_and_it_is_valid(language: str, tmp_path: Path) -> None:
    (shown,) = re.findall(r"```toml\n(.*?)```", PAGES[language].read_text(encoding="utf-8"), re.DOTALL)
    printed = rankgauge("run", "--example", cwd=tmp_path, language=language).stdout

    assert shown == printed == example(language)
    (tmp_path / "rankgauge.toml").write_text(shown, encoding="utf-8")
    assert read_project(tmp_path / "rankgauge.toml").pairs() == [
        ("products", "bm25"),
        ("products", "hybrid"),
        ("clicks", "ctr"),
    ]


def test_both_examples_say_the_same() -> None:
    assert tomllib.loads(example("en")) == tomllib.loads(example("zh"))


def test_what_the_example_has_behind_a_remark_is_valid_as_well(tmp_path: Path) -> None:
    text = re.sub(r"^# (?=\[|\w+ = )", "", example("en"), flags=re.MULTILINE)
    (tmp_path / "rankgauge.toml").write_text(text, encoding="utf-8")

    found = read_project(tmp_path / "rankgauge.toml").tables

    assert (found.scenario, found.schedule, list(found.channels)) == ("product_search", "06:00", ["file", "slack"])
    assert found.systems["live"].retriever == "search:find"


def keys() -> list[str]:
    structs: list[Any] = [ProjectTables, Dataset, System, GateRules, SliceTable, Channel]
    return sorted({f.name for s in structs for f in msgspec.structs.fields(s)} - {"datasets", "systems", "channels"})


@pytest.mark.parametrize("language", PAGES)
def test_every_key_every_channel_and_every_metric_is_on_the_page(language: str) -> None:
    page = PAGES[language].read_text(encoding="utf-8")
    alerts = {f.name for f in msgspec.structs.fields(AlertRules)}
    told = [*keys(), *CHANNELS, *_FAMILIES]

    assert [name for name in told if not re.search(rf"\b{name}\b", page)] == []
    assert [name for name in alerts if name not in page] == []


def workflows(language: str) -> list[str]:
    return re.findall(r"```yaml\n(.*?)```", CI[language].read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("language", CI)
def test_the_workflows_run_commands_that_there_are(language: str, tmp_path: Path) -> None:
    text = "\n".join(workflows(language))
    commands = re.findall(r"(?:run: |- )rankgauge (\w+) (.*)", text)

    assert sorted(name for name, _ in commands) == ["evaluate", "gate", "run", "run"]
    for name, words in commands:
        page = rankgauge(name, "--help", cwd=tmp_path).stdout
        for option in re.findall(r"(?<!\S)--?[\w-]+", words):
            assert re.search(rf"(?<![\w-]){option}\b", page), (name, option)


def test_the_workflows_are_the_same_in_both_languages() -> None:
    def bare(text: str) -> str:
        return re.sub(r" *#.*", "", text)

    assert [bare(x) for x in workflows("en")] == [bare(x) for x in workflows("zh")]


def test_the_workflows_are_yaml() -> None:
    parsed = [as_yaml(text) for text in workflows("en")]

    assert [sorted(map(str, x)) for x in parsed] == [
        ["jobs", "name", "on"],
        ["concurrency", "jobs", "name", "on"],
        ["search-quality"],
    ]


def as_yaml(text: str) -> dict[str, Any]:
    """Parsed where PyYAML is there; else its shape is looked at: steps of two blanks, no tabs, keys once."""
    try:
        import yaml
    except ImportError:
        return checked(text)
    found = yaml.safe_load(text)
    return {"on" if key is True else key: value for key, value in found.items()}


def checked(text: str) -> dict[str, Any]:
    assert "\t" not in text
    top: dict[str, Any] = {}
    seen: list[tuple[int, set[str]]] = []
    for line in filter(str.strip, text.splitlines()):
        indent = len(line) - len(line.lstrip())
        is_item = line.lstrip().startswith("- ")
        body = line.lstrip().removeprefix("- ")
        assert indent % 2 == 0, line
        at = indent + (2 if is_item else 0)
        while seen and seen[-1][0] >= (indent + 1 if is_item else at + 1):
            seen.pop()
        if not (found := re.match(r"([\w-]+):(?: |$)", body)):
            continue  # a value of a list, or of a block
        if is_item or not seen or seen[-1][0] < at:
            seen.append((at, set()))
        assert found[1] not in seen[-1][1], line
        seen[-1][1].add(found[1])
        if indent == 0:
            top[found[1]] = None
    return top
