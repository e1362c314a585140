"""A page in headless Chromium with the network cut, and everything that went wrong in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next((p for name in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(name))), None)
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


def launch() -> Iterator[Any]:
    """One browser for a module; skips where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (on Debian: apt install chromium)")
    with sync_api.sync_playwright() as p:
        found = p.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


@contextmanager
def opened(
    browser: Any, path: Path, *, at: str = "", width: int = 1280, height: int = 900, **context: Any
) -> Iterator[Any]:
    """A page from disk. Any request, message of the console or error in the script fails the test."""
    wrong: list[str] = []
    ctx = browser.new_context(viewport={"width": width, "height": height}, offline=True, **context)
    page = ctx.new_page()
    page.set_default_timeout(20000)
    page.on("console", lambda m: wrong.append(f"{m.type}: {m.text}"))
    page.on("pageerror", lambda e: wrong.append(f"error: {e}"))
    page.on("dialog", lambda d: (wrong.append(f"dialog: {d.message}"), d.dismiss()))
    page.on("request", lambda r: r.url.startswith("file://") or r.url.startswith("data:") or wrong.append(r.url))
    page.goto(path.resolve().as_uri() + at)
    try:
        yield page
        assert wrong == []
    finally:
        ctx.close()
