"""Failures that are known and being mended. The list is meant to be empty."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["KNOWN", "Known", "known"]


class Known(NamedTuple):
    """A failure by its seed, its mutation and what it says, as regular expressions."""

    item: str
    seed: str
    mutation: str
    failure: str


KNOWN: tuple[Known, ...] = ()


def known(report: Mapping[str, Any]) -> str:
    """Which of the known ones a failure is, if any."""
    return next(
        (
            k.item
            for k in KNOWN
            if re.search(k.seed, report["seed"])
            and re.search(k.mutation, report["mutation"])
            and re.search(k.failure, report["failure"])
        ),
        "",
    )
