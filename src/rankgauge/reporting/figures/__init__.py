"""Records as charts, for pages and for files: `rg.plot`."""

from rankgauge.reporting.figures.plotting import KINDS, Figure, can_draw, charts_of, plot

__all__ = ["KINDS", "Figure", "can_draw", "charts_of", "plot"]
