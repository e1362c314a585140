"""The slices of an attribute: which queries have which value.

Evaluations, comparisons, gates and findings all ask here, so that a slice has the same name and the same queries
wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.data.activity import COLD, HEAVY, WARM

__all__ = ["NONE", "NO_VALUE", "in_order", "shown_slice", "slice_name", "slices_of"]

NONE = "(none)"
"""The slice of queries without a value."""
NO_VALUE = Text(NONE, "（无记录）")
_IN_ORDER = (COLD, WARM, HEAVY)


def slice_name(value: Any) -> str:
    """What the slice of a value is called; an empty text is no value, as an empty cell of a file is none."""
    return NONE if value is None else str(value) or NONE


def shown_slice(name: str) -> str:
    """The name of a slice (or `attribute=name`) as tables show it.

    >>> shown_slice("language=(none)").of("zh")
    'language=（无记录）'
    """
    at = "" if name == NONE else name.removesuffix(NONE)
    return NO_VALUE if name == NONE else at + NO_VALUE if at.endswith("=") else name


def slices_of(values: Sequence[Any]) -> Iterator[tuple[str, Array]]:
    """Each slice of an attribute by name and a mask over the queries: those without a value first, others by name.

    Users by activity are in the order of that.

    >>> [(name, mask.tolist()) for name, mask in slices_of(["de", "", None, "cn"])]
    [('(none)', [False, True, True, False]), ('cn', [False, False, False, True]), ('de', [True, False, False, False])]
    """
    names = np.array([slice_name(value) for value in values], dtype=object)
    for name in in_order(set(names)):
        yield name, names == name


def in_order(names: Collection[str]) -> list[str]:
    """Slices of an attribute as they are shown."""
    order = {name: i for i, name in enumerate(_IN_ORDER)} if set(names) <= set(_IN_ORDER) else {}
    return sorted(names, key=lambda name: (name != NONE, order.get(name, 0), name))
