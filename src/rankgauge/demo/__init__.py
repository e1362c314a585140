"""Data to try things on: a small bilingual shop, a log of searches in it, a click log, experiments, ratings and
twelve weeks of evaluations, from a seed.

>>> from rankgauge.demo import shop
>>> data = shop(seed=7)
>>> sorted(data.runs)
['bm25', 'dense', 'hybrid']
"""

from rankgauge.demo.clicks import clicks, save_clicks
from rankgauge.demo.experiments import experiments, save_experiments
from rankgauge.demo.ratings import ratings
from rankgauge.demo.searches import COLUMNS, save_searches, searches
from rankgauge.demo.shop import Shop, save, shop
from rankgauge.demo.weeks import Week, weeks

__all__ = [
    "COLUMNS",
    "Shop",
    "Week",
    "clicks",
    "experiments",
    "ratings",
    "save",
    "save_clicks",
    "save_experiments",
    "save_searches",
    "searches",
    "shop",
    "weeks",
]
