"""Every command and every Python line of the READMEs and the pages in docs/ runs, and prints what they show.

With RANKGAUGE_UPDATE_DOCS=1 the shown output is replaced by the real one instead of compared.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
from pathlib import Path

import pytest

from command_line import rankgauge

ROOT = Path(__file__).resolve().parents[2]
READMES = ["README.md", "README.zh-CN.md"]
PAGES = [
    *READMES,
    *(f"docs/{p.name}" for p in sorted((ROOT / "docs").glob("*.md")) if p.name not in ("measures.md", "findings.md")),
]
UPDATE = bool(os.environ.get("RANKGAUGE_UPDATE_DOCS"))
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_what_the_page_shows_is_what_happens(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # examples write files
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    names: dict[str, object] = {}

    def real(block: re.Match[str]) -> str:
        kind, body = block[1], block[2]
        if kind == "console" and page == READMES[1] and not UPDATE:
            return block[0]  # the same blocks as in English, as the test below makes sure
        body = _console(body, tmp_path) if kind == "console" else _python(body, names)
        return f"```{kind}\n{body}```"

    now = BLOCK.sub(real, text)
    if UPDATE:
        path.write_text(now, encoding="utf-8")
    assert now == text or UPDATE


def _console(body: str, folder: Path) -> str:
    """The block with its commands run in `folder`, one after the other."""
    out = []
    for command in re.findall(r"^\$ (.*)$", body, re.MULTILINE):
        words = shlex.split(command)
        target = words[words.index(">") + 1] if ">" in words else None
        words = words[: words.index(">")] if ">" in words else words
        assert words[0] == "rankgauge", f"only rankgauge is run here: {command}"
        done = rankgauge(*words[1:], cwd=folder)
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


def test_both_languages_have_the_same_sections_and_examples() -> None:
    english, chinese = ((ROOT / page).read_text(encoding="utf-8") for page in READMES)
    assert english.count("\n#") == chinese.count("\n#")
    assert [b[2] for b in BLOCK.finditer(english) if b[1] == "console"] == [
        b[2] for b in BLOCK.finditer(chinese) if b[1] == "console"
    ]


def test_the_two_commands_of_the_first_screen_exist() -> None:
    first_screen = (ROOT / "README.md").read_text(encoding="utf-8")[:1500]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test"):
        assert f"make {target}" in first_screen
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
