"""Is everything in a store as it was added?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rankgauge._records import Record
from rankgauge._text import Text, composed
from rankgauge.errors import RankgaugeError
from rankgauge.history.database import Database
from rankgauge.history.moments import time_text
from rankgauge.history.packing import digest_of, pack, read_ids
from rankgauge.history.writing import key_of

if TYPE_CHECKING:
    from rankgauge.history.history import History

__all__ = ["verify"]


def verify(history: History, db: Database) -> list[str]:
    """One sentence for each thing that is wrong."""
    found: list[str] = [Text(f"{said}.", f"{said}。") for said in db.damage()]
    for (digest,) in db.rows("SELECT digest FROM id_list ORDER BY digest"):
        try:
            ids = read_ids(db.rows("SELECT data FROM id_list WHERE digest = ?", (digest,))[0][0])
            is_same = digest_of(json.dumps(ids, ensure_ascii=False)) == digest
        except (RankgaugeError, ValueError):
            is_same = False
        if not is_same:
            found.append(Text(f"the list of ids {digest} is not what was added.", f"id 列表 {digest} 与存入时不同。"))
    for entry in history:
        try:
            told = history.told(entry.id)
            Record.from_dict(told)
        except RankgaugeError as e:
            found.append(composed("{}: {}", "{}：{}", entry.id, e.text))
            continue
        about = {
            "at": time_text(entry.at),
            **{name: getattr(entry, name) for name in ("project", "system", "version", "dataset", "labels")},
        }
        if not entry.is_pruned and key_of(pack(told), about) != entry.id:
            found.append(Text(f"{entry.id} is not what was added.", f"{entry.id} 与存入时不同。"))
    return found
