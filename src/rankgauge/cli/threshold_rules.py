"""How a threshold is chosen, as it is typed: `F1`, `precision>=0.9`, `share=0.1`, `cost=1:5`."""

from __future__ import annotations

from typing import Any

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError

__all__ = ["threshold_rule"]


def threshold_rule(text: str) -> dict[str, Any]:
    """`precision>=0.9` → the arguments of choose_threshold."""

    def is_number(part: str) -> bool:
        try:
            float(part)
        except ValueError:
            return False
        return True

    def number(part: str) -> float:
        try:
            return float(part)
        except ValueError:
            raise ParameterError(
                Text(
                    f"--threshold: {show(text)} needs a number, got {show(part)}.",
                    f"--threshold：{show(text)} 需要一个数，实际为 {show(part)}。",
                )
            ) from None

    if is_number(text):
        raise ParameterError(
            Text(
                f"--threshold: must be a rule that chooses one, such as F1 or 'precision>=0.9', got {text.strip()}. "
                f"Measures take a number: -m 'F1(threshold={text.strip()})'.",
                f"--threshold：必须是选取阈值的规则，如 F1 或 'precision>=0.9'，实际为 {text.strip()}。"
                f"固定阈值写在指标里：-m 'F1(threshold={text.strip()})'。",
            )
        )
    name, floor, value = text.partition(">=")
    if floor:
        return {"by": name.strip().casefold(), "at_least": number(value)}
    name, equals, value = text.partition("=")
    if equals and name.strip().casefold() == "share":
        return {"by": "share", "share": number(value)}
    if equals and name.strip().casefold() == "cost":
        fp, colon, fn = value.partition(":")
        if not colon:
            raise ParameterError(
                Text(
                    f"--threshold: costs must look like cost=1:5, got {show(text)}.",
                    f"--threshold：代价必须写成 cost=1:5 的形式，实际为 {show(text)}。",
                )
            )
        return {"by": "cost", "cost_fp": number(fp), "cost_fn": number(fn)}
    if (alone := text.strip().casefold()) in ("precision", "recall", "share", "cost"):
        example = {"share": "share=0.1", "cost": "cost=1:5"}.get(alone, f"{alone}>=0.9")
        raise ParameterError(
            Text(
                f"--threshold: {show(text)} needs a number, as in {example}.",
                f"--threshold：{show(text)} 需要一个数，如 {example}。",
            )
        )
    return {"by": text.strip()}
