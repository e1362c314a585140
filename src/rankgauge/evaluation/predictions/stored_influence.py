"""What comparing two stored evaluations needs: the influence of each unit on each number, and which rows they are of.

Influences are stored as the bytes of float64, so that a difference of stored numbers is that of the live ones to the
last bit. Where rows lay elsewhere there are none; then what is known of all errors together is stored.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._plain_data import damaged
from rankgauge._text import Text
from rankgauge.alignment import Array

if TYPE_CHECKING:
    from rankgauge.evaluation.predictions.record import Estimate

__all__ = ["MOST_NUMBERS", "influence_of", "stored_influence"]

MOST_NUMBERS = 1_000_000
"""Influences of one evaluation that are stored, over all measures: about 11 MB."""

_TYPE = "<f8"


def stored_influence(columns: Sequence[Estimate]) -> list[dict[str, Any]]:
    """What is stored of each number besides: the digest of its rows and the influence of their units.

    Above the limit None stands for the influences; without rows there is the place among the errors of all numbers.
    """
    known = [None if c.sample is None else c.clusters for c in columns]
    is_much = sum(len(x) for x in known if x is not None) > MOST_NUMBERS
    out: list[dict[str, Any]] = []
    for c, x in zip(columns, known, strict=True):
        if c.sample is None:
            before = {} if c.stored is None else {k: c.stored[k] for k in ("rows", "influence") if k in c.stored}
            out.append(before if c.joint is None else {**before, "place": c.joint[1]})
        elif x is None:
            out.append({"rows": c.rows})
        else:
            text = None if is_much else b64encode(np.asarray(x, dtype=_TYPE).tobytes()).decode()
            out.append({"rows": c.rows, "influence": text})
    return out


def influence_of(stored: Mapping[str, Any]) -> Array | None:
    """The influence of each unit, where it was stored."""
    text = stored.get("influence")
    if text is None:
        return None
    found: Array = np.frombuffer(b64decode(text, validate=True), dtype=_TYPE).astype(np.float64)
    if len(found) != stored["n"] or not np.isfinite(found).all():
        raise damaged(
            "measures.influence",
            Text(f"expected {stored['n']:,} numbers, one for each unit", f"应有 {stored['n']:,} 个数，每个单元一个"),
        )
    return found
