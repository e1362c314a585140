"""The online side of the shop to practise on: an A/B test, a log that explored, and what past launches came to.

- ``experiment.csv``: users in two arms, what they saw and clicked during the test and in the weeks before it. The new
  ranking has about 8% more clicks per impression; users differ far more than that, and did so before.
- ``explored.csv``: one slot filled at random with known probabilities, and those of a policy that nobody has shown.
- ``launches.csv``: past experiments, offline and online difference with their errors.

As in the shop, nothing but ``random()`` and basic IEEE 754 arithmetic is used: a seed gives the same bytes everywhere.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from rankgauge.demo.saving import save_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from pathlib import Path

    Draw = Callable[[], float]

__all__ = ["experiments", "save_experiments"]

N_USERS = 3000
N_SLOTS = 6000
N_LAUNCHES = 24
LIFT = 1.08
ITEMS = (("banner", 0.4, 0.05), ("carousel", 0.3, 0.15), ("list", 0.2, 0.3), ("story", 0.1, 0.5))
"""With the probabilities under the policy that was shown and under another one."""
RATES = {"banner": 0.03, "carousel": 0.045, "list": 0.06, "story": 0.08}

Table = tuple[tuple[str, ...], list[tuple[object, ...]]]


def experiments(seed: int = 7) -> dict[str, Table]:
    """Tables by name of file: the names of columns, and rows."""
    draw = Random(seed + 4).random
    return {
        "experiment.csv": (
            ("user_id", "arm", "impressions", "clicks", "impressions_before", "clicks_before"),
            [_user(number, draw) for number in range(N_USERS)],
        ),
        "explored.csv": (
            ("user_id", "item", "propensity", "target_propensity", "click"),
            [_slot(draw) for _ in range(N_SLOTS)],
        ),
        "launches.csv": (
            ("experiment", "offline", "offline_error", "online", "online_error"),
            [_launch(number, draw) for number in range(N_LAUNCHES)],
        ),
    }


def _user(number: int, draw: Draw) -> tuple[object, ...]:
    rate = 0.01 + 0.2 * draw() * draw()
    arm = "new" if draw() < 0.5 else "control"
    during, before = 20 + int(60 * draw() * draw()), 40 + int(120 * draw() * draw())
    now = rate * (LIFT if arm == "new" else 1.0)
    clicks = sum(draw() < now for _ in range(during))
    return (f"u{number:04d}", arm, during, clicks, before, sum(draw() < rate for _ in range(before)))


def _slot(draw: Draw) -> tuple[object, ...]:
    user, at = int(1500 * draw()), draw()
    place = sum(at >= edge for edge in (0.4, 0.7, 0.9))  # sums of the probabilities below
    item, shown, target = ITEMS[place]
    return (f"u{user:04d}", item, shown, target, int(draw() < RATES[item]))


def _launch(number: int, draw: Draw) -> tuple[object, ...]:
    truth = (draw() + draw() + draw() - 1.4) / 40  # of nDCG
    offline = truth + (draw() + draw() - 1) * 0.004
    online = 0.35 * truth + (draw() + draw() + draw() - 1.5) * 0.004
    return (f"launch-{number + 1:02d}", _rounded(offline), 0.0016, _rounded(online), 0.002)


def _rounded(x: float) -> float:
    """Five digits behind the point, as people write it down."""
    return int(x * 100_000 + (0.5 if x >= 0 else -0.5)) / 100_000


def save_experiments(tables: dict[str, Table], folder: str | PathLike[str]) -> list[Path]:
    """Write the tables as CSV."""
    files = {
        name: [",".join(header), *(",".join(map(str, row)) for row in rows)] for name, (header, rows) in tables.items()
    }
    return save_files(folder, files)
