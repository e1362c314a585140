"""The click models by name."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from types import MappingProxyType
from typing import Any, TypedDict, Unpack

from rankgauge._renamed import renamed
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.behavior.click_models.base import ClickModel
from rankgauge.behavior.click_models.cascade import Cascade
from rankgauge.behavior.click_models.dcm import DCM
from rankgauge.behavior.click_models.pbm import PBM
from rankgauge.behavior.click_models.prior import Prior
from rankgauge.behavior.click_models.sdbn import SDBN
from rankgauge.behavior.click_models.sessions import Sessions
from rankgauge.behavior.click_models.ubm import UBM
from rankgauge.errors import ParameterError, UnknownName, among

__all__ = ["CLICK_MODELS", "FitOptions", "check_model", "fit_click_model"]

CLICK_MODELS: Mapping[str, type[Any]] = MappingProxyType({m.name: m for m in (PBM, Cascade, SDBN, DCM, UBM)})
"""Every click model, by its name."""


def check_model(name: str) -> None:
    if name not in CLICK_MODELS:
        raise UnknownName(
            Text(f"unknown click model {show(name)}.", f"未知的点击模型 {show(name)}。") + among(name, CLICK_MODELS)
        )


class FitOptions(TypedDict, total=False):
    """What some of the click models can be told besides the prior; `fit` of each says what it takes."""

    max_iterations: int
    tolerance: float
    estimator: str


@renamed(model="kind")
def fit_click_model(
    sessions: Any, kind: str = "sdbn", *, prior: Prior = "item", **options: Unpack[FitOptions]
) -> ClickModel:
    """A click model fitted to sessions (anything `Sessions.of` reads); `kind` is pbm, cascade, sdbn, dcm or ubm.

    `prior` is what a pair of query and item with little evidence is drawn to: "item" (the same item under other
    queries, then all), "global", (a, b) for Beta(a, b), None for maximum likelihood; `click_models.prior` has the
    formulas. Options: `max_iterations` and `tolerance` where there is EM, `estimator` ("closed form", "em") of sdbn
    and dcm.

    >>> log = [{"query": "q", "items": ["a", "b"], "clicks": [0, 1]}] * 3
    >>> fit_click_model(log, "sdbn", prior=None).relevance()["relevance"].to_list()
    [0.0, 1.0]
    """
    check_model(kind)
    cls = CLICK_MODELS[kind]
    known = [name for name in signature(cls.fit).parameters if name not in ("sessions", "prior")]
    for name in options:
        if name not in known:
            raise ParameterError(
                Text(f"{kind}: no option {show(name)}.", f"{kind}：没有选项 {show(name)}。")
                + among(name, ["prior", *known])
            )
    made: ClickModel = cls.fit(Sessions.of(sessions), prior=prior, **options)
    return made
