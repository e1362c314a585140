"""How much memory may be used, and does a table fit into it?"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError

__all__ = ["LEAST", "available", "budget", "bytes_of", "room_of"]

LEAST = 64 << 20  # less than the libraries take by themselves
_UNITS = {"": 0, "b": 0, "k": 10, "m": 20, "g": 30, "t": 40}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*", re.IGNORECASE)
_CGROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def budget(memory: str | int | None = None) -> int:
    """Bytes that a computation may take: as said, or half of what is free.

    >>> budget("2GiB"), budget("1.5 GB")
    (2147483648, 1610612736)
    """
    if memory is None:
        return max(available() // 2, LEAST)
    size = bytes_of(memory, "memory")
    if size < LEAST:
        raise ParameterError(
            Text(
                f"`memory` must be at least {LEAST >> 20} MiB, got {show(memory)}.",
                f"`memory` 必须至少为 {LEAST >> 20} MiB，实际为 {show(memory)}。",
            )
        )
    return size


def bytes_of(said: object, name: str) -> int:
    """A size as people write it: '2GiB', '500MB', or a number of bytes; `name` is the argument that holds it."""
    found = None if isinstance(said, (bool, float)) else _SIZE.fullmatch(str(said))
    if found is None:
        raise ParameterError(
            Text(
                f"`{name}` must be a size such as '2GiB', '500MB' or a number of bytes, got {show(said)}.",
                f"`{name}` 必须是大小，如 '2GiB'、'500MB' 或字节数，实际为 {show(said)}。",
            )
        )
    size = float(found[1]) * (1 << _UNITS[found[2].casefold()])
    if size > sys.maxsize:
        raise ParameterError(
            Text(
                f"`{name}` must be a size that a machine can have, got {show(said)}.",
                f"`{name}` 必须是机器可能具有的大小，实际为 {show(said)}。",
            )
        )
    return int(size)


def room_of(memory: str | int | None) -> Callable[[], int]:
    """The budget, looked at when somebody asks and only once; a size that is none is refused at once."""
    said = None if memory is None else budget(memory)
    return cache(lambda: budget(None) if said is None else said)


def available() -> int:
    """Bytes that are free on this machine and in its container."""
    free = [_physical()]
    for limit, used in _CGROUPS:
        if (most := _number(limit)) is not None:
            free.append(max(most - (_number(used) or 0), 0))
    return min(free)


def _physical() -> int:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, OSError, ValueError):  # Windows
        return 4 << 30


def _number(path: str) -> int | None:
    try:
        text = Path(path).read_text(encoding="ascii").strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None
