"""The pictures of the documentation, made from the demo: `make screenshots`.

Pages are photographed in headless Chromium, terminals are real processes in a pseudo-terminal of 100 columns whose
output is drawn cell by cell: Chinese characters take two.
"""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
from html import escape
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from rich.cells import cell_len
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
COLUMNS = 100
TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body{{margin:0;background:#10151c}}pre{{margin:0;padding:18px 22px;display:inline-block;color:#d7dde5;
font:14px/1.3 'DejaVu Sans Mono','Noto Sans Mono CJK SC',monospace}}
i{{display:inline-block;font-style:normal;text-align:center;height:1.3em;vertical-align:top}}
</style><body><pre id="screen">{code}</pre>"""


def main() -> None:
    """Writes all pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as p:
        folder = Path(name)
        browser = p.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
        rankgauge("demo", "--save", "shop", cwd=folder)
        pages(browser, folder)
        dashboard(browser, folder)
        for language in ("en", "zh"):
            terminal(browser, folder, f"terminal-demo-{language}", "demo", "--language", language)
            compared = ("compare", "shop/qrels.txt", "shop/dense.run", "shop/hybrid.run", "--language", language)
            terminal(browser, folder, f"terminal-compare-{language}", *compared)
        browser.close()


def pages(browser: Browser, folder: Path) -> None:
    """The first screen, a query's lists and the scores."""
    runs = ("shop/bm25.run", "shop/dense.run", "shop/hybrid.run")
    texts = ("--slices", "shop/queries.jsonl", "--documents", "shop/products.jsonl")
    measures = [word for m in ("nDCG@10", "AP", "RR@10", "R@50") for word in ("-m", m)]
    rankgauge("compare", "shop/qrels.txt", *runs, *measures, *texts, "--html", "report.html", cwd=folder)
    rankgauge("predictions", "shop/clicks.csv", "--score", "old", "--score", "new", "--html", "clicks.html", cwd=folder)
    for asked, of in (("", ""), ("?language=zh", "-zh")):
        shot(browser, folder / f"report.html{asked}", f"report-verdict{of}", height=1120)
        shot(browser, folder / f"clicks.html{asked}#scores", f"report-scores-dark{of}", 1000, color_scheme="dark")
    shot(browser, folder / "report.html?language=zh#queries", "report-queries-zh", height=1250)


def dashboard(browser: Browser, folder: Path) -> None:
    """The overview of twelve weeks and the trend of the system that dropped."""
    rankgauge("demo", "--history", "weeks.db", cwd=folder)
    token = "a-token-for-pictures-only"
    words = [sys.executable, "-m", "rankgauge", "ui", "weeks.db", "--port", "0", "--token", token]
    server = subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        address = server.stderr.readline().split(": ", 1)[1].strip().rstrip("/")
        ctx = browser.new_context(viewport={"width": 1180, "height": 640})
        tab = ctx.new_page()
        tab.goto(f"{address}/?token={token}", wait_until="networkidle")
        for language, of in (("en", ""), ("zh", "-zh")):
            tab.goto(f"{address}/?language={language}")
            tab.screenshot(path=IMAGES / f"dashboard-overview{of}.png")
            tab.set_viewport_size({"width": 1180, "height": 1080})
            tab.goto(f"{address}/trend?project=shop&system=hybrid&measure=nDCG@10")
            tab.screenshot(path=IMAGES / f"dashboard-trend{of}.png")
            tab.set_viewport_size({"width": 1180, "height": 640})
        ctx.close()
    finally:
        server.terminate()
        server.wait(20)


def shot(browser: Browser, page: Path, name: str, height: int, **context: str) -> None:
    ctx = browser.new_context(viewport={"width": 1180, "height": height}, offline=True, **context)  # type: ignore[arg-type]
    tab = ctx.new_page()
    tab.goto(f"file://{page}")
    tab.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
    if "#" in str(page):
        tab.locator("#" + str(page).rpartition("#")[2]).evaluate("e => e.scrollIntoView()")
    tab.wait_for_timeout(1000)
    tab.screenshot(path=IMAGES / f"{name}.png")
    ctx.close()


def rankgauge(*words: str, cwd: Path) -> None:
    subprocess.run([sys.executable, "-m", "rankgauge", *words], cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def terminal(browser: Browser, folder: Path, name: str, *words: str) -> None:
    """What a command prints on a terminal."""
    page = folder / f"{name}.html"
    code = in_cells(f"$ rankgauge {' '.join(words)}\n" + typed(words, folder))
    page.write_text(TERMINAL.format(code=code), encoding="utf-8")
    tab = browser.new_page(viewport={"width": 900, "height": 700}, device_scale_factor=1.5)
    tab.goto(page.as_uri())
    tab.locator("#screen").screenshot(path=IMAGES / f"{name}.png")
    tab.close()


def in_cells(ansi: str) -> str:
    """Terminal output as HTML in which every character takes the cells that a terminal gives it."""
    console = Console(width=10_000, color_system="truecolor", force_terminal=True)
    out = []
    for segment in console.render(Text.from_ansi(ansi)):
        css = segment.style.get_html_style(DIMMED_MONOKAI) if segment.style else ""
        letters = (
            c if c.isascii() else f'<i style="width:{cell_len(c)}ch">{escape(c)}</i>' if not c.isspace() else c
            for c in segment.text
        )
        inside = "".join(escape(c) if len(c) == 1 else c for c in letters)
        out.append(f'<span style="{css}">{inside}</span>' if css else inside)
    return "".join(out)


def typed(words: tuple[str, ...], folder: Path) -> str:
    """The output of a process that believes to be on a terminal."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 60, COLUMNS, 0, 0))
    env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "COLUMNS": str(COLUMNS)}
    process = subprocess.Popen(
        [sys.executable, "-m", "rankgauge", *words], cwd=folder, stdout=follower, stderr=subprocess.DEVNULL, env=env
    )
    os.close(follower)
    out = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        out += part
    process.wait()
    os.close(leader)
    return out.decode("utf-8").replace("\r\n", "\n")


if __name__ == "__main__":
    main()
