"""A log of searches in the shop to practise on: who saw what where, and what they did with it.

Three rankers, those of the shop, share the traffic, so items were seen at several positions. People look at position k
with the probability ATTENTION[k], click what attracts them (the better the grade, the more), and sometimes go on to
the cart and to pay. As in real logs, some of it is dirt: events logged twice, a bot, clicks without an impression,
impressions without a position, accidental clicks that return at once.

As in the shop, nothing but ``random()`` and basic IEEE 754 arithmetic is used: a seed gives the same bytes everywhere.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from rankgauge.demo.saving import save_files
from rankgauge.demo.shop import Shop, shop

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

__all__ = ["ATTENTION", "COLUMNS", "save_searches", "searches"]

ATTENTION = (1.0, 0.72, 0.55, 0.43, 0.35, 0.29, 0.24, 0.2, 0.17, 0.15)
"""How likely each position is to be looked at."""
COLUMNS = ("request_id", "user_id", "query_id", "item_id", "position", "event", "time", "dwell", "device", "ranker")
N_REQUESTS = 4000
N_USERS = 1200
START = 1_790_000_000  # seconds; nothing depends on the day
ATTRACTION = {0: 0.06, 1: 0.2, 2: 0.42, 3: 0.68}
UNKNOWN = 0.05  # of what nobody judged
BOT, BOT_REQUESTS = "u0000", range(1000, 1080)
"""It asks for some hours, and clicks everything."""
DEVICES = ("mobile", "mobile", "desktop")

Row = tuple[object, ...]


def searches(seed: int = 7, data: Shop | None = None) -> list[Row]:
    """Rows of the log, one per event, in the order of `COLUMNS`; an empty string is a missing value."""
    draw = Random(seed + 1).random
    data = data or shop(seed=seed)
    lists = {name: {q: list(found)[: len(ATTENTION)] for q, found in run.items()} for name, run in data.runs.items()}
    asked = [q for q in data.queries if any(q in run for run in lists.values())]
    rankers = list(lists)
    out: list[Row] = []
    time = START
    for number in range(N_REQUESTS):
        time += 1 + int(1200 * draw() * draw())
        query = asked[int(len(asked) * draw() * draw())]  # some are asked far more often than others
        user = BOT if number in BOT_REQUESTS else f"u{1 + int(N_USERS * draw()):04d}"
        device = DEVICES[int(len(DEVICES) * draw())]
        ranker = rankers[int(len(rankers) * draw())]
        about = (f"r{number:05d}", user, query)
        clicks_all = user == BOT
        for place, item in enumerate(lists[ranker].get(query, ()), 1):
            lost = draw() < 0.003
            out.append((*about, item, "" if lost else place, "impression", time, "", device, ranker))
            looks = clicks_all or draw() < ATTENTION[place - 1]
            grade = data.qrels.get(query, {}).get(item)
            attraction = UNKNOWN if grade is None else ATTRACTION[grade]
            slips = draw() < 0.01  # a finger that slips
            if not ((looks and draw() < attraction) or slips or clicks_all):
                continue
            out += _actions(draw, (*about, item, place), device, ranker, time + place, grade or 0, slips)
    for number in range(40):  # clicks on what the log never showed
        query = asked[int(len(asked) * draw())]
        out.append((f"x{number:05d}", "u0001", query, "SKU-00001", 1, "click", time, 12.0, "mobile", ""))
    return out


def _actions(draw: object, about: Row, device: str, ranker: str, time: int, grade: int, slips: bool) -> list[Row]:
    """A click, and what may follow."""
    assert callable(draw)
    head, place = about[:4], about[4]
    dwell: object = round(0.4 + draw(), 1) if slips else round(4 + 90 * draw() * draw() + 12 * grade, 1)
    if draw() < 0.25:
        dwell = ""  # the last page that was looked at
    row = (*head, place, "click", time, dwell, device, ranker)
    out: list[Row] = [row, row] if draw() < 0.02 else [row]  # sent twice
    if not slips and draw() < 0.05 + 0.1 * grade:
        out.append((*head, place, "cart", time + 20, "", device, ranker))
        if draw() < 0.1 + 0.15 * grade:
            out.append((*head, place, "purchase", time + 90, "", device, ranker))
            if draw() < 0.06:
                out.append((*head, place, "refund", time + 200_000, "", device, ranker))
    return out


def save_searches(rows: list[Row], folder: str | PathLike[str]) -> Path:
    """Write the log as `log.csv`."""
    lines = [",".join(COLUMNS), *(",".join(map(str, row)) for row in rows)]
    return save_files(folder, {"log.csv": lines})[0]
