"""Every command and every Python line of the READMEs and the pages in docs/ runs, and prints what they show.

Those of Chinese pages run in Chinese. With RANKGAUGE_UPDATE_DOCS=1 the shown output is replaced by the real one instead
of compared.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import time
from pathlib import Path

import pytest

from command_line import rankgauge
from rankgauge.cli.app import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
GENERATED = ("measures.md", "findings.md")
ENGLISH = ["README.md", *(f"docs/{p.name}" for p in sorted((ROOT / "docs").glob("*.md")) if p.name not in GENERATED)]
CHINESE = [
    "README.zh-CN.md",
    *(f"docs/zh/{p.name}" for p in sorted((ROOT / "docs/zh").glob("*.md")) if p.name not in GENERATED),
]
TWINS = {page: "README.md" if page == "README.zh-CN.md" else page.replace("docs/zh/", "docs/") for page in CHINESE}
UPDATE = bool(os.environ.get("RANKGAUGE_UPDATE_DOCS"))
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)$", re.MULTILINE)


class Ticking:
    """A clock by which retrievers take as long each time a page is made: two to four milliseconds a call."""

    sleep = staticmethod(time.sleep)

    def __init__(self) -> None:
        self._now, self._calls = 0.0, 0

    def time(self) -> float:
        return 1_700_000_000.0 + self._now

    def perf_counter(self) -> float:
        self._calls += 1
        self._now += 0.002 + self._calls * 7 % 11 / 5000
        return self._now


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `rankgauge demo --save shop` makes; most pages begin with it."""
    folder = tmp_path_factory.mktemp("demo")
    rankgauge("demo", "--save", "shop", cwd=folder)
    return folder / "shop"


READ_FIRST = ("README.md", "README.zh-CN.md")
PAGES = [page if page in READ_FIRST else pytest.param(page, marks=pytest.mark.slow) for page in (*ENGLISH, *CHINESE)]


@pytest.mark.parametrize("page", PAGES)
def test_what_the_page_shows_is_what_happens(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shop: Path
) -> None:
    language = "zh" if page in CHINESE else "en"
    monkeypatch.chdir(tmp_path)  # examples write files
    monkeypatch.setenv("RANKGAUGE_LANGUAGE", language)
    monkeypatch.setattr("rankgauge.collection.attempts.time", Ticking())
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    names: dict[str, object] = {}

    def real(block: re.Match[str]) -> str:
        kind, body = block[1], block[2]
        body = _console(body, tmp_path, language, shop) if kind == "console" else _python(body, names)
        return f"```{kind}\n{body}```"

    now = BLOCK.sub(real, text)
    if UPDATE:
        path.write_text(now, encoding="utf-8")
    assert now == text or UPDATE


def _console(body: str, folder: Path, language: str, shop: Path) -> str:
    """The block with its commands run in `folder`, one after the other."""
    out = []
    for command in COMMAND.findall(body):
        if command == "rankgauge demo --save shop > demo.txt":  # the same files each time
            shutil.copytree(shop, folder / "shop")
            out.append(f"$ {command}\n")
            continue
        words = shlex.split(command)
        target = words[words.index(">") + 1] if ">" in words else None
        words = words[: words.index(">")] if ">" in words else words
        assert words[0] == "rankgauge", f"only rankgauge is run here: {command}"
        done = rankgauge(*words[1:], cwd=folder, language=language)
        if target:
            (folder / target).write_text(done.stdout, encoding="utf-8")
        out.append(f"$ {command}\n" + ("" if target else done.stdout.strip("\n") + "\n"))
    return "".join(out)


def _python(body: str, names: dict[str, object]) -> str:
    """The block with the output of each of its examples."""
    out = []
    for example in doctest.DocTestParser().get_examples(body):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(example.source, "<readme>", "single"), names)
        lines = example.source.rstrip("\n").split("\n")
        out.append("\n".join([f">>> {lines[0]}", *(f"... {line}" for line in lines[1:])]) + "\n" + printed.getvalue())
    return "".join(out) + "\n"


@pytest.mark.parametrize("page", CHINESE)
def test_a_chinese_page_has_the_sections_and_examples_of_its_twin(page: str) -> None:
    chinese, english = ((ROOT / p).read_text(encoding="utf-8") for p in (page, TWINS[page]))

    assert _outline(chinese) == _outline(english)


_MEASURES = re.compile(r"^(rankgauge measures) \w+$")  # which word is looked for is a matter of language


def _outline(text: str) -> list[str]:
    """What two languages have in common: levels of headings, commands, the form of Python, columns of tables."""
    out = []
    for part in re.finditer(r"^```(\w*)\n(.*?)^```$|^(#+) |^\|[-:| ]+\|$", text, re.MULTILINE | re.DOTALL):
        kind, body = part[1], part[2]
        if part[3]:
            out.append(part[3])
        elif kind is None:
            out.append(f"a table of {part[0].count('|') - 1} columns")
        elif kind == "console":
            out += [_MEASURES.sub(r"\1 …", command) for command in COMMAND.findall(body)]
        elif kind == "python":
            out += [_form(example.source) for example in doctest.DocTestParser().get_examples(body)]
        else:
            out.append(f"a block of {kind}")
    return out


def _form(source: str) -> str:
    """The code without its comments, without what its texts say, and without asking for the Chinese words of one."""
    tree = ast.parse(source.replace('.of("zh")', ""))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.unparse(tree)


@pytest.mark.parametrize("page", CHINESE)
def test_a_chinese_page_links_to_its_twin_and_to_chinese_pages(page: str) -> None:
    folder = (ROOT / page).parent
    links = re.findall(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)", (ROOT / page).read_text(encoding="utf-8"))
    targets = [(folder / link).resolve() for link in links]

    assert [str(target) for target in targets if not target.exists()] == []
    assert [link for link in _anchors(page) if not link[0].exists() or link[1] not in _headings(link[0])] == []
    assert ROOT / TWINS[page] in targets[:2]
    english = {ROOT / twin for twin in TWINS.values()} - {ROOT / TWINS[page]}
    assert [str(target) for target in targets if target in english] == []


@pytest.mark.parametrize("page", CHINESE)
def test_pictures_of_a_chinese_page_are_chinese(page: str) -> None:
    folder = (ROOT / page).parent
    shown = re.findall(r"!\[([^]]*)\]\(([^)]+)\)", (ROOT / page).read_text(encoding="utf-8"))
    pictures = {folder / link: words for words, link in shown}

    assert [str(path) for path in pictures if not path.exists()] == []
    english = [path for path in pictures if not path.stem.endswith("-zh")]
    assert [path.name for path in english if "英文" not in pictures[path]] == []


def _anchors(page: str) -> list[tuple[Path, str]]:
    """Links to a section: the page that it is on, and its name there."""
    found = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", (ROOT / page).read_text(encoding="utf-8"))
    here = ROOT / page
    return [((here.parent / file).resolve() if file else here, name) for file, name in found]


def _headings(path: Path) -> list[str]:
    """The sections of a page as links call them."""
    found = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found]


def test_an_english_page_links_to_its_chinese_twin() -> None:
    missing = [
        twin
        for page, twin in TWINS.items()
        if f"]({os.path.relpath(page, Path(twin).parent)})" not in (ROOT / twin).read_text(encoding="utf-8")[:1200]
    ]

    assert missing == []


@pytest.mark.parametrize(
    ("page", "head"), [("README.md", "| question | commands |"), ("README.zh-CN.md", "| 问题 | 命令 |")]
)
def test_every_command_is_in_the_table_of_commands(page: str, head: str) -> None:
    table = (ROOT / page).read_text(encoding="utf-8").split(head)[1].split("\n\n")[0]

    assert sorted(re.findall("`([a-z]+)`", table)) == sorted(COMMANDS)


def test_the_two_commands_of_the_first_screen_exist() -> None:
    first_screen = (ROOT / "README.md").read_text(encoding="utf-8")[:1500]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test"):
        assert f"make {target}" in first_screen
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
