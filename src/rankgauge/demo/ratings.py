"""Ratings to practise on: people of a few tastes, items of a few kinds, a year of evenings.

What is popular is rated by everybody, what is of one's own kind more often and better; new items appear during the
year, and people too. As in the shop, nothing but ``random()`` and basic IEEE 754 arithmetic is used: a seed gives the
same numbers everywhere.
"""

from __future__ import annotations

from random import Random
from typing import Any

__all__ = ["ratings"]

N_USERS = 200
N_ITEMS = 150
N_KINDS = 5
DAYS = 365
BEGIN = 1_735_689_600  # 2025-01-01


def ratings(seed: int = 7) -> dict[str, list[Any]]:
    """Columns `user_id, item_id, rating, timestamp`, in the order of time; ratings are from 1 to 5.

    >>> columns = ratings()
    >>> {name: values[0] for name, values in columns.items()}
    {'user_id': 'u109', 'item_id': 'i119', 'rating': 2, 'timestamp': 1735695856}
    """
    draw = Random(seed + 5).random
    kinds = [int(N_KINDS * draw()) for _ in range(N_ITEMS)]
    appeal = [1 / (1 + i / 10) for i in range(N_ITEMS)]
    since = [0 if draw() < 0.7 else int(0.8 * DAYS * draw()) for _ in range(N_ITEMS)]
    rows: list[tuple[int, str, str, int]] = []
    for user in range(N_USERS):
        taste, active = int(N_KINDS * draw()), 8 + int(60 * draw() * draw())
        joined = 0 if draw() < 0.6 else int(0.9 * DAYS * draw())
        known: set[int] = set()
        for _ in range(active):
            day = joined + int((DAYS - joined) * draw())
            likes = [
                0.0 if i in known or since[i] > day else appeal[i] * (6 if kinds[i] == taste else 1)
                for i in range(N_ITEMS)
            ]
            left, item = draw() * sum(likes), 0
            while left > likes[item] and item < N_ITEMS - 1:
                left -= likes[item]
                item += 1
            known.add(item)
            liked = 3.2 + (1.2 if kinds[item] == taste else 0) + 3 * (draw() + draw() - 1)
            moment = BEGIN + 86_400 * day + int(86_400 * draw())
            rows.append((moment, f"u{user:03d}", f"i{item:03d}", min(max(int(liked + 0.5), 1), 5)))
    rows.sort()
    names = ("user_id", "item_id", "rating", "timestamp")
    columns = ([r[1] for r in rows], [r[2] for r in rows], [r[3] for r in rows], [r[0] for r in rows])
    return dict(zip(names, columns, strict=True))
