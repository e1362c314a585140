"""Where chance comes from: a seed or a generator that the caller passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError

if TYPE_CHECKING:
    import numpy as np

__all__ = ["random_generator"]


def random_generator(rng: Any) -> np.random.Generator:
    """The generator of a seed; a generator is taken as it is, None is another one each time."""
    import numpy as np

    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            Text(
                f"`rng` must be a whole number from 0, a NumPy generator or None, got {show(rng)}.",
                f"`rng` 必须是不小于 0 的整数、NumPy 生成器或 None，实际为 {show(rng)}。",
            )
        ) from None
