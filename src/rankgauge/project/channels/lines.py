"""A file that grows by a line of JSON at a time."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankgauge._output import appending, regular
from rankgauge.errors import InputError

__all__ = ["append_line"]

_TRIES, _PAUSE = 20, 0.05


def append_line(path: Path, told: Mapping[str, Any]) -> None:
    """Adds it at the end; half a line that somebody left there is cut off. Others who write are waited for."""
    line = (json.dumps(told, ensure_ascii=False) + "\n").encode("utf-8", "replace")
    for left in range(_TRIES - 1, -1, -1):
        size = _size(path)
        try:
            with appending(path, size, _whole(path, size)) as write:
                write(line)
            return
        except InputError:
            if not left or _size(path) == size:  # nobody else: it cannot be written
                raise
            time.sleep(_PAUSE)


def _size(path: Path) -> int:
    found = regular(path)
    return 0 if found is None else found.st_size


def _whole(path: Path, size: int) -> int:
    """Bytes up to the last end of a line."""
    if not size:
        return 0
    with path.open("rb") as file:
        step = 1 << 16
        for start in range(max(0, size - step), -step, -step):
            file.seek(max(0, start))
            some = file.read(min(step, size - max(0, start)))
            if (at := some.rfind(b"\n")) >= 0:
                return max(0, start) + at + 1
    return 0
