"""Which numbers can be weights: those whose sums and squares a computer can hold, for as many rows as there are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge._numbers import short
from rankgauge._text import Text

__all__ = ["DIVIDE", "LEAST", "MOST", "RANGE", "out_of_range"]

LEAST, MOST = 1e-100, 1e100
RANGE = Text(f"0 or from {short(LEAST)} to {short(MOST)}", f" 0 或介于 {short(LEAST)} 与 {short(MOST)} 之间")

DIVIDE = Text("Divide all of them by the same number.", "请把所有权重除以同一个数。")


def out_of_range(weights: NDArray[Any]) -> NDArray[np.bool_]:
    """Weights so large or small that sums and squares of them would not be what they should: only their ratios matter,
    so that any others do as well.

    >>> out_of_range(np.array([0.0, 1.0, 1e308, 1e-320])).tolist()
    [False, False, True, True]
    """
    out: NDArray[np.bool_] = (weights > MOST) | ((weights > 0) & (weights < LEAST))
    return out
