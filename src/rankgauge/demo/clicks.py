"""A click log to practise on: users, items, two models of the click rate, from one seed.

- ``old`` knows how popular an item is and how active a user. Its probabilities are right, its order is fair.
- ``new`` also knows what a user likes, so it orders better. It was trained on half of the negatives and nobody
  corrected for that: it promises about twice the clicks that come, and on mobile phones more than that.

As in the shop, nothing but ``random()`` and basic IEEE 754 arithmetic is used: a seed gives the same bytes everywhere.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from rankgauge.demo.saving import save_files

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

__all__ = ["clicks", "save_clicks"]

N_USERS = 1500
N_ITEMS = 300
N_DAYS = 8
KINDS = ("sport", "books", "garden", "music", "kitchen")
DEVICES = ("mobile", "mobile", "mobile", "desktop", "desktop", "tablet")
BASE_ODDS = 0.02


def clicks(seed: int = 7) -> dict[str, list[object]]:
    """Columns of the log: user_id, item_id, day (a date), device, click, and the click rates of `old` and `new`."""
    draw = Random(seed).random
    kind_of = [KINDS[int(draw() * len(KINDS))] for _ in range(N_ITEMS)]
    popular = [0.25 + 2.6 * draw() * draw() for _ in range(N_ITEMS)]
    columns: dict[str, list[object]] = {
        name: [] for name in ("user_id", "item_id", "day", "device", "click", "old", "new")
    }
    for user in range(N_USERS):
        active = 0.3 + 2.4 * draw() * draw()
        likes = KINDS[int(draw() * len(KINDS))]
        device = DEVICES[int(draw() * len(DEVICES))]
        for _ in range(8 + int(35 * draw() * draw())):
            item = int(N_ITEMS * draw())
            taste = 5.0 if kind_of[item] == likes else 0.55
            odds = BASE_ODDS * popular[item] * active
            old = odds * 1.42 * (0.75 + 0.5 * draw())  # 1.42: the average of what it does not know
            new = 2 * odds * taste * (0.85 + 0.3 * draw()) * (1.4 if device == "mobile" else 1.0)
            clicked = draw() < _share(odds * taste)
            row = (
                f"u{user:04d}",
                f"i{item:03d}",
                f"2024-05-{1 + int(N_DAYS * draw()):02d}",
                device,
                int(clicked),
                _rounded(_share(old)),
                _rounded(_share(new)),
            )
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
    return columns


def _share(odds: float) -> float:
    return odds / (1 + odds)


def _rounded(p: float) -> float:
    """Five digits behind the point, as a log would keep it."""
    return int(p * 100_000 + 0.5) / 100_000


def save_clicks(columns: dict[str, list[object]], folder: str | PathLike[str]) -> Path:
    """Write the log as `clicks.csv`."""
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    return save_files(folder, {"clicks.csv": lines})[0]
