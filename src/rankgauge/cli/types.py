"""What options take: one of a few words, a number. As in the library, width does not matter, and NaN is no number."""

from __future__ import annotations

import math
from typing import Any

import click

from rankgauge._language import language_of
from rankgauge._show import show, show_all
from rankgauge._text import Text, composed, in_language
from rankgauge._words import as_meant, strangers

__all__ = ["Choice", "Number"]


class Choice(click.Choice):  # type: ignore[type-arg,unused-ignore]
    """One of a few words, in letters of any width."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        word = as_meant(value).strip() if isinstance(value, str) else value
        if isinstance(word, str) and word not in self.choices and (odd := strangers(word)):
            said = composed("{} is not one of {}. {}", "{} 不是 {} 之一。{}", show(value), show_all(self.choices), odd)
            self.fail(in_language(said), param, ctx)
        return super().convert(word, param, ctx)


class Language(Choice):
    """One that is spoken, also as locales are written: zh_CN.UTF-8."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        meant = language_of(as_meant(value)) if isinstance(value, str) else None
        return meant or super().convert(value, param, ctx)


class Number(click.FloatRange):
    """A finite number inside bounds; Click's own takes NaN for any, and infinity where no bound is said."""

    def _describe_range(self) -> str:
        if self.min is None and self.max is None:
            return ""  # Click would say x<=None
        return super()._describe_range()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        given = as_meant(value) if isinstance(value, str) else value
        number = float(super().convert(given, param, ctx))  # type: ignore[arg-type,unused-ignore]
        if not math.isfinite(number):
            bounded = self.min is not None or self.max is not None
            said = Text(f"{show(value)} is not a finite number", f"{show(value)} 不是有限的数")
            if bounded:
                said += Text(f", in the range {self._describe_range()}", f"，范围是 {self._describe_range()}")
            self.fail(in_language(composed("{}.", "{}。", said)), param, ctx)
        return number
