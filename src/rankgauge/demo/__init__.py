"""Data to try things on: a small bilingual shop, generated from a seed.

>>> from rankgauge.demo import shop
>>> data = shop(seed=7)
>>> sorted(data.runs)
['bm25', 'dense', 'hybrid']
"""

from rankgauge.demo.shop import Shop, save, shop

__all__ = ["Shop", "save", "shop"]
