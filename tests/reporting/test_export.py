"""Figures as files: what is written, and that nothing is where something fails."""

from __future__ import annotations

import struct
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import rankgauge as rg
from rankgauge.errors import InputError, MissingExtra, ParameterError
from rankgauge.reporting import export
from rankgauge.reporting.figures import Figure

needs_converter = pytest.mark.skipif(find_spec("vl_convert") is None, reason="vl-convert-python is not installed")


def figure(language: str = "en") -> Figure:
    found = rg.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"], "q2": ["x", "a"]}, ["RR", "AP"])
    return rg.plot(found, language=language)


def no_chinese_font(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "_draws", lambda words: False)


def test_svg_is_the_figure_itself(tmp_path: Path):
    path = tmp_path / "figure.SVG"

    assert figure().save(path) == str(path)
    assert path.read_text(encoding="utf-8") == figure().svg


@needs_converter
@pytest.mark.parametrize("scale", [1, 2.5])
def test_png_has_its_size_in_pixels(tmp_path: Path, scale: float):
    drawn = figure()

    drawn.save(tmp_path / "figure.png", pixels=scale)

    data = (tmp_path / "figure.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    size = struct.unpack(">II", data[16:24])
    assert size == pytest.approx((drawn.chart.width * scale, (drawn.chart.height + 30) * scale), abs=1)


@needs_converter
def test_pdf(tmp_path: Path):
    figure().save(tmp_path / "figure.pdf")

    data = (tmp_path / "figure.pdf").read_bytes()
    assert data.startswith(b"%PDF-")
    assert data.rstrip().endswith(b"%%EOF")
    assert b"/Font" in data  # words stay words


def test_plot_saves_as_well(tmp_path: Path):
    found = rg.evaluate({"q1": {"a": 1}}, {"q1": ["a"]}, ["RR"])
    drawn = rg.plot(found, "measures", tmp_path / "m.svg")

    assert (tmp_path / "m.svg").read_text(encoding="utf-8") == drawn.svg


@pytest.mark.parametrize("name", ["figure.jpg", "figure", "figure.svg.gz"])
def test_unknown_suffix(tmp_path: Path, name: str):
    with pytest.raises(ParameterError, match=f"a figure's name must end in .svg, .png, .pdf, got '{name}'"):
        figure().save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["png", "pdf"])
def test_missing_converter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str):
    monkeypatch.setitem(sys.modules, "vl_convert", None)  # what an import of it then meets

    with pytest.raises(MissingExtra, match=r'pip install "rankgauge\[export\]", or write \.svg'):
        figure().save(tmp_path / f"figure.{suffix}")
    assert list(tmp_path.iterdir()) == []
    figure().save(tmp_path / "figure.svg")


@pytest.mark.parametrize("suffix", ["png", "pdf"])
def test_chinese_words_without_a_font_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str):
    no_chinese_font(monkeypatch)

    with pytest.raises(InputError, match=r"no font on this machine has the characters.*fonts-noto-cjk.*\.svg"):
        figure("zh").save(tmp_path / f"figure.{suffix}")
    assert list(tmp_path.iterdir()) == []
    figure("zh").save(tmp_path / "figure.svg")
    assert "均值" in (tmp_path / "figure.svg").read_text(encoding="utf-8")


@needs_converter
def test_english_words_need_no_such_font(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    no_chinese_font(monkeypatch)

    figure("en").save(tmp_path / "figure.png")

    assert (tmp_path / "figure.png").exists()


@needs_converter
def test_a_file_that_was_there_stays_where_drawing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "figure.png"
    path.write_bytes(b"the one before")

    def fails(svg: str, scale: float) -> bytes:
        raise ValueError("cannot draw")

    monkeypatch.setattr(export._converter(), "svg_to_png", fails)
    with pytest.raises(ValueError, match="cannot draw"):
        figure().save(path)

    assert path.read_bytes() == b"the one before"
    assert [p.name for p in tmp_path.iterdir()] == ["figure.png"]


@needs_converter
def test_chinese_words_are_really_drawn(tmp_path: Path):
    if not export._draws("中文"):
        pytest.skip("no font with Chinese characters on this machine (on Debian: apt install fonts-noto-cjk)")

    figure("zh").save(tmp_path / "words.png")
    export.write_figure(figure("zh").svg.replace("均值", ""), tmp_path / "fewer.png")

    assert (tmp_path / "words.png").read_bytes() != (tmp_path / "fewer.png").read_bytes()


@needs_converter
def test_characters_that_no_font_has_are_noticed():
    export._draws.cache_clear()
    try:
        assert not export._draws("")
        export._draws.cache_clear()
        assert export._draws("words")
    finally:
        export._draws.cache_clear()
