"""Charts: places, ticks, what is written, and that nothing from outside gets into the markup."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest
from hostile import BREAKS
from hypothesis import given
from hypothesis import strategies as st

from rankgauge._text import Text
from rankgauge.reporting.charts import Axes, Chart, Linear, Log
from rankgauge.reporting.charts import kinds as k
from rankgauge.reporting.charts.scales import nice, short
from rankgauge.reporting.charts.style import DARK, LIGHT, RULES, STYLE
from rankgauge.reporting.charts.svg import clipped, place, text_width

NS = "{http://www.w3.org/2000/svg}"


def parsed(chart: Chart, language: str = "en") -> ET.Element:
    """A file must be XML, whatever is written in it."""
    return ET.fromstring(chart.file(language))


def texts(chart: Chart, language: str = "en") -> list[str]:
    found = []
    for element in parsed(chart, language).iter(f"{NS}text"):
        own = "".join(t for t in (element.text, *(c.tail for c in element if c.tag == f"{NS}title")) if t)
        found += [own] if own else [t.text or "" for t in element.iter(f"{NS}tspan")]
    return found


# scales


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (-0.31, 0.12, [-0.3, -0.2, -0.1, 0, 0.1]),
        (0, 7, [0, 2, 4, 6]),
        (3, 3, [3]),
    ],
)
def test_round_numbers(low: float, high: float, ticks: list[float]):
    assert nice(low, high) == pytest.approx(ticks)


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e6))
def test_round_numbers_lie_inside(low: float, size: float):
    found = nice(low, low + size)

    assert len(found) <= 12
    assert all(low - size * 1e-6 <= x <= low + size * (1 + 1e-6) for x in found)
    assert found == sorted(found)


def test_scales_map_ends_to_ends():
    linear, log = Linear(-1, 3).within(10, 50), Log(0.01, 10).within(0, 300)

    assert (linear(-1), linear(3), linear(1)) == (10, 50, 30)
    assert [round(log(x), 6) for x in (0.01, 0.1, 1, 10)] == [0, 100, 200, 300]
    assert log(0) == 0  # what is below the axis stands at its end


def test_ticks_of_a_logarithmic_axis():
    assert [t for _, t in Log(0.001, 0.2).ticks()] == ["0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2"]
    assert [t for _, t in Log(1e-6, 1).ticks()] == ["1e-6", "1e-5", "1e-4", "0.001", "0.01", "0.1", "1"]


def test_short_numbers():
    assert [short(x) for x in (0.1 + 0.2, 25_000, 3_000_000, 0, -0.5)] == ["0.3", "25k", "3M", "0", "-0.5"]


def test_places_have_one_decimal():
    assert [place(x) for x in (1, 1.04, 1.05001, -3.96)] == ["1", "1", "1.1", "-4"]


# texts


def test_a_name_is_cut_where_it_does_not_fit():
    assert clipped("short", 100) == "short"
    cut = clipped("a very long name of a system", 100)
    assert cut.endswith("…")
    assert text_width(cut) <= 100
    assert text_width(clipped("很长的中文名称" * 10, 100)) <= 100


def test_words_of_both_languages_are_there_and_one_is_drawn():
    chart = Chart(Text("Title", "标题"), "s")
    chart.text(1, 1, Text("rank", "排名"))
    chart.text(1, 9, "nDCG")

    page = chart.svg()

    assert page.count("<text") == 3
    assert 'lang="en"' in page
    assert 'lang="zh"' in page
    assert texts(chart, "zh") == ["标题", "排名", "nDCG"]
    assert texts(chart, "en") == ["Title", "rank", "nDCG"]


@pytest.mark.parametrize("text", BREAKS)
def test_texts_from_outside_are_texts(text: str):
    chart = Chart(text, text)
    chart.text(1, 1, text, tip=text)
    chart.column(1, [1.0, 2.0], [text, text])
    chart.rect(0, 0, 5, 5, "fill s1", tip=text, href=text)
    chart.legend([("s1", text)], 0, 0, 100)

    root = parsed(chart)

    tags = {element.tag.removeprefix(NS) for element in root.iter()}
    assert tags == {"svg", "title", "desc", "style", "rect", "text", "g", "tspan", "a", "path"} - {"path"}


# marks


def test_axes_place_marks_by_numbers():
    chart = Chart("t", "s", 200, 100)
    axes = Axes(chart, Linear(0, 10), Linear(0, 1), left=0, right=100, top=0, bottom=50)

    assert axes.at(5, 0.5) == (50, 25)
    axes.bar(2, 4, 1, "pos", tip="two")
    bar = next(m for m in chart.marks if m.tag == "rect")
    assert bar.attributes == ' class="fill pos" x="20" y="0" width="20" height="50"'
    axes.bar(2, 4, -0.5, "neg")
    assert chart.marks[-1].attributes == ' class="fill neg" x="20" y="50" width="20" height="25"'


def test_labels_of_an_axis_do_not_touch():
    chart = Chart("t", "s", 120, 100)
    axes = Axes(chart, Log(0.001, 1), Linear(0, 1), left=30, right=110)

    ticks = [m for m in chart.marks if m.tag == "text" and 'text-anchor="middle"' in m.attributes]
    assert 1 <= len(ticks) < len(axes.x.ticks())


def test_waterfall_hangs_from_the_level_before():
    chart = Chart("t", "s", 400, 300)
    steps = [
        k.Step("all", 0, 1, "s0", "10", ""),
        k.Step("lost", 1, 0.6, "neg", "-4", ""),
        k.Step("shown", 0, 0.6, "pos", "6", ""),
    ]
    k.waterfall(chart, steps)

    heights = {
        m.attributes.split('"')[1]: float(m.attributes.split('height="')[1].rstrip('"'))
        for m in chart.marks
        if m.tag == "rect"
    }
    assert heights["fill neg"] / heights["fill s0"] == pytest.approx(0.4, abs=0.01)
    assert heights["fill pos"] / heights["fill s0"] == pytest.approx(0.6, abs=0.01)


def test_heat_colours_by_sign_and_strength():
    chart = Chart("t", "s", 400, 100)
    k.heat(chart, ["a", "b", "c"], [("row", "n 3", [k.HeatCell(x, str(x), "") for x in (0.4, -0.1, math.nan)])])

    kinds = [m.attributes.split('"')[1] for m in chart.marks if m.tag == "rect"]
    assert kinds == ["heat cell pos h4", "heat cell neg h1", "heat cell zero h0"]


def item(key: str, rank: int, grade: int | None = 1) -> k.Item:
    return k.Item(key, str(rank), key, grade, "1")


def test_slopes_join_the_same_items():
    chart = Chart("t", "s", 600, 200)
    k.slopes(chart, [item("a", 1), item("b", 2), item("c", 3)], [item("b", 1), item("x", 2), item("c", 3)], ("A", "B"))

    lines = [m.attributes.split('"')[1] for m in chart.marks if m.tag == "path" and "stroke" in m.attributes]
    assert lines == ["stroke pos", "stroke zero"]  # b went up, c stayed; a and x are in one list only


def test_unjudged_results_are_hatched():
    chart = Chart("t", "s", 600, 200)
    k.slopes(chart, [], [item("a", 1, None), item("b", 2, 3)], ("", "B"))

    kinds = [m.attributes.split('"')[1] for m in chart.marks if m.tag == "path"]
    assert kinds == ["un", "hatch", "g3"]


# colours


def test_files_use_no_variables_and_pages_know_all_of_them():
    assert "var(" not in STYLE
    assert set(LIGHT) == set(DARK)
    used = {part.partition(")")[0] for part in RULES.split("var(--")[1:]}
    assert used <= set(LIGHT)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_have_contrast(theme: dict[str, str]):
    """WCAG AA: 4.5 for texts, 3 for large texts and marks."""
    for name in ("ink", "quiet"):
        assert contrast(theme[name], theme["paper"]) >= 4.5
    for name in ("pos", "neg", "s0", "s1", "s3", "s4", "s5"):
        assert contrast(theme[name], theme["paper"]) >= 3
    assert contrast(theme["on-dark"], theme["g4"]) >= 4.5
