"""Former names work for one version and say the name of today, where the call stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg

ROWS = {"label": [0, 1] * 60, "score": [0.2, 0.7, 0.4, 0.6] * 30, "device": ["a"] * 60 + ["b"] * 60}
CLICKS = [{"query": "q", "items": ["a", "b"], "clicks": [0, 1]}] * 3

CALLS: dict[str, tuple[str, str, Any, Callable[..., Any]]] = {
    "evaluate_predictions": (
        "segments",
        "slices",
        "device",
        lambda **o: rg.evaluate_predictions(ROWS, "COPC", **o).slices.to_dicts(),
    ),
    "Predictions.of": ("segments", "slices", ["device"], lambda **o: list(rg.Predictions.of(ROWS, **o).segments)),
    "worst_segments": ("segments", "slices", "device", lambda **o: rg.worst_segments(ROWS, min_rows=5, **o).segments),
    "reliability": ("segments", "slices", "device", lambda **o: rg.reliability(ROWS, bins=2, **o).bins),
    "plot": ("scale", "pixels", 1.0, lambda **o: rg.plot(rg.evaluate({"q": ["d"]}, {"q": ["d"]}), **o).svg),
    "fit_click_model": (
        "model",
        "kind",
        "cascade",
        lambda **o: rg.behavior.fit_click_model(CLICKS, prior=None, **o).relevance().to_dicts(),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_former_name_of_an_argument_gives_the_same_and_a_warning_at_the_call(name: str) -> None:
    old, new, value, call = CALLS[name]

    with pytest.warns(DeprecationWarning, match=rf"{name}\({old}=…\) is now {new}=…") as told:
        found = call(**{old: value})

    assert found == call(**{new: value})
    assert Path(told[0].filename) == Path(__file__)


@pytest.mark.parametrize("name", CALLS)
def test_both_names_at_once_are_refused(name: str) -> None:
    old, new, value, call = CALLS[name]

    with pytest.raises(TypeError, match=f"got `{new}` and `{old}`, its former name. Pass `{new}`"):
        call(**{old: value, new: value})
