"""Data to try things on: a small bilingual shop and a click log, generated from a seed.

>>> from rankgauge.demo import shop
>>> data = shop(seed=7)
>>> sorted(data.runs)
['bm25', 'dense', 'hybrid']
"""

from rankgauge.demo.clicks import clicks, save_clicks
from rankgauge.demo.shop import Shop, save, shop

__all__ = ["Shop", "clicks", "save", "save_clicks", "shop"]
