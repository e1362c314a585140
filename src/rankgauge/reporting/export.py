"""Figures as files: SVG as it is, PNG and PDF through vl-convert, which needs no browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from rankgauge._output import is_stream
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data.formats.write import atomic
from rankgauge.errors import InputError, MissingExtra, ParameterError

__all__ = ["write_figure"]

_CHINESE = re.compile(r"[\u3400-\u9fff]")


def write_figure(svg: str, path: Path, scale: float = 2.0) -> None:
    """Write an SVG file, or what it becomes as .png or .pdf; nothing is written where something fails.

    Standard output, pipes and devices have no suffix: they get SVG.
    """
    forms: dict[str, Callable[[], bytes]] = {
        ".svg": lambda: svg.encode("utf-8"),
        ".png": lambda: _drawn(svg, "svg_to_png", scale=scale),
        ".pdf": lambda: _drawn(svg, "svg_to_pdf"),
    }
    suffix = path.suffix.lower() or (".svg" if is_stream(path) else "")
    if suffix not in forms:
        raise ParameterError(
            Text(
                f"a figure's name must end in {', '.join(forms)}, got {show(path.name)}.",
                f"图的文件名后缀必须是 {', '.join(forms)} 之一，实际为 {show(path.name)}。",
            )
        )
    data = forms[suffix]()
    with atomic(path) as file:
        file.write(data)


def _drawn(svg: str, convert: str, **options: float) -> bytes:
    _refuse_without_font(svg)
    data: bytes = getattr(_converter(), convert)(svg, **options)
    return data


def _converter() -> ModuleType:
    try:
        import vl_convert
    except ImportError:
        raise MissingExtra(
            Text(
                'figures as .png or .pdf need vl-convert-python. Install it with: pip install "rankgauge[export]", '
                "or write .svg, which needs nothing.",
                '.png 和 .pdf 图需要 vl-convert-python。安装：pip install "rankgauge[export]"；'
                "或写成 .svg，什么都不需要。",
            )
        ) from None
    module: ModuleType = vl_convert
    return module


def _refuse_without_font(svg: str) -> None:
    """The converter leaves out characters that no font has, without a word; so it is asked first."""
    if _CHINESE.search(svg) and not _draws("中文"):
        raise InputError(
            Text(
                "the figure has Chinese words, and no font on this machine has the characters. Install one (on Debian "
                "and Ubuntu: apt install fonts-noto-cjk), or write .svg, which is drawn with the reader's fonts.",
                "图中有中文，而本机没有包含这些字符的字体。请安装一种（Debian 和 Ubuntu：apt install "
                "fonts-noto-cjk），或写成 .svg，由读者的字体绘制。",
            )
        )


@lru_cache(maxsize=1)
def _draws(words: str) -> bool:
    """Whether anything appears when the words are drawn."""
    blank, written = (
        _converter().svg_to_png(
            '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30">'
            f'<text x="4" y="20" font-family="sans-serif">{text}</text></svg>'
        )
        for text in ("", words)
    )
    return bool(blank != written)
