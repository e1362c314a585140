"""Users with ten shown items each and what they took, the same arrays on every machine.

Each user is shown ten of 20,000 items, and took 1 to 19; a fifth of what was taken is drawn from what was shown. Before
that each had five, popular ones more often. A set is a file of arrays: `user`, `item` of what was taken, `shown_user`,
`shown_item`, `rank` of what was shown, `past_user`, `past_item` of what they had before.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

ITEMS, SHOWN, PAST = 20_000, 10, 5


@dataclass(frozen=True)
class Users:
    """How many users, and whether the rows of each are together."""

    name: str
    users: int
    grouped: bool = True

    @property
    def what(self) -> str:
        return f"{self.users:,} users × {SHOWN} shown, rows {'grouped by user' if self.grouped else 'in random order'}"


MILLION = Users("1M-users", 1_000_000)
MILLION_UNSORTED = Users("1M-users-unsorted", 1_000_000, grouped=False)
SMALL = Users("100k-users", 100_000)
SMALL_UNSORTED = Users("100k-users-unsorted", 100_000, grouped=False)


def ensure(users: Users, root: Path) -> Path:
    """The file of this set, made when it is missing."""
    path = root / f"{users.name}-past.npz"
    if not path.exists():
        root.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part.npz")
        np.savez(part, **generated(users))  # type: ignore[arg-type]
        part.rename(path)
    return path


def generated(users: Users) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    base, step = rng.integers(0, ITEMS, users.users), rng.integers(1, ITEMS // 11, users.users)
    lists = (base[:, None] + step[:, None] * np.arange(SHOWN)) % ITEMS
    user = np.repeat(np.arange(users.users), rng.integers(1, 20, users.users))
    item = rng.integers(0, ITEMS, len(user))
    from_list = rng.random(len(user)) < 0.2
    item = np.where(from_list, lists[user, rng.integers(0, SHOWN, len(user))], item)
    _, once = np.unique(user * ITEMS + item, return_index=True)
    once.sort()
    shown = np.arange(lists.size)
    if not users.grouped:
        rng.shuffle(once)
        rng.shuffle(shown)
    past = (ITEMS * rng.random((users.users, PAST)) ** 3).astype(np.int64) // PAST * PAST + np.arange(
        PAST
    )  # no item twice
    return {
        "user": user[once],
        "item": item[once],
        "shown_user": shown // SHOWN,
        "shown_item": lists.reshape(-1)[shown],
        "rank": shown % SHOWN + 1,
        "past_user": np.repeat(np.arange(users.users), PAST),
        "past_item": past.reshape(-1),
    }
