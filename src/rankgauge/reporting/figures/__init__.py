"""Records as charts, for pages and for files: `rg.plot`."""

from rankgauge.reporting.figures.plotting import KINDS, Figure, charts_of, plot

__all__ = ["KINDS", "Figure", "charts_of", "plot"]
