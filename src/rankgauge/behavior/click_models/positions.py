"""Parameters that belong to positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.errors import InputError

__all__ = ["by_position", "probabilities", "with_halves"]


def with_halves(successes: Array, trials: Array, half: float) -> Array:
    """Shares with `half` a success and a failure more; without trials, the share of all."""
    total = float(trials.sum())
    overall = (float(successes.sum()) + 0.5) / (total + 1)
    below = trials + 2 * half
    return np.where(trials > 0, (successes + half) / np.where(trials > 0, below, 1), overall)


def by_position(name: str, values: Array, trials: Array) -> list[dict[str, Any]]:
    """Rows of `ClickModel.parameters`."""
    return [
        {"parameter": name, "position": k + 1, "value": float(v), "trials": float(n)}
        for k, (v, n) in enumerate(zip(values, trials, strict=True))
    ]


def probabilities(model: str, name: str, parameters: Mapping[str, Any], n_dimensions: int = 1) -> Array:
    """The parameter as an array of probabilities."""
    if name not in parameters:
        raise InputError(
            Text(
                f"{model}: `{name}` must be given, one number per position.",
                f"{model}：必须给出 `{name}`，每个位置一个数。",
            )
        )
    values = np.asarray(parameters[name], dtype=np.float64)
    inside = values[np.isfinite(values)] if n_dimensions > 1 else values
    if values.ndim != n_dimensions or not values.size or not ((inside >= 0) & (inside <= 1)).all():
        raise InputError(
            Text(
                f"{model}: `{name}` must be probabilities, one per position, got {show(parameters[name])}.",
                f"{model}：`{name}` 必须是概率，每个位置一个，实际为 {show(parameters[name])}。",
            )
        )
    return values
