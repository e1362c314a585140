"""Charts as SVG: visible with scripts off, scaling with the page, each with a text alternative and hover values.

    svg.py      marks, texts in two languages, the chart itself
    scales.py   from numbers to places: linear, logarithmic, categories; ticks
    axes.py     a frame with axes, and the marks that are placed by numbers
    kinds.py    charts without numeric axes on both sides: bars, heat tables, waterfalls, slopes
    style.py    colours, for pages and for files

Charts know nothing about records; `reporting/figures/` draws records with them.
"""

from rankgauge.reporting.charts.axes import Axes
from rankgauge.reporting.charts.scales import Linear, Log
from rankgauge.reporting.charts.svg import Chart

__all__ = ["Axes", "Chart", "Linear", "Log"]
