"""Is it worse than its baseline by more than a margin? One decision, and one sentence, for runs and models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rankgauge._claims import Statement, claimed, phrase
from rankgauge._numbers import number as written
from rankgauge._numbers import signed
from rankgauge.gate.check import ROUNDING, About, Check, Outcome, also, asked
from rankgauge.statistics.intervals import Interval

__all__ = ["Loss"]


@dataclass(frozen=True, kw_only=True)
class Loss:
    """The evidence on whether something is worse than its baseline by more than a margin."""

    measure: str
    margin: float
    alpha: float
    sign: int
    """1 where higher is better, else -1."""
    slice: str = ""
    names: tuple[str, str] = ("", "")
    """What it and its baseline are called."""

    # what each kind says

    @property
    def values(self) -> tuple[float, float]:
        """That of the baseline and its own."""
        raise NotImplementedError  # pragma: no cover

    @property
    def change(self) -> float:
        """Its own value minus that of the baseline."""
        raise NotImplementedError  # pragma: no cover

    @property
    def interval(self) -> Interval:
        """Of the change, with confidence 1 - 2·alpha."""
        raise NotImplementedError  # pragma: no cover

    @property
    def reliable(self) -> Interval:
        """What a decision may rest on: the interval, unless it has no width for want of evidence."""
        return self.interval

    @property
    def p_worse(self) -> float:
        """p-value of "worse by more than the margin", one-sided."""
        raise NotImplementedError  # pragma: no cover

    @property
    def n(self) -> int:
        """What the change rests on."""
        raise NotImplementedError  # pragma: no cover

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to chance, so that the change itself decides."""
        raise NotImplementedError  # pragma: no cover

    @property
    def is_excused(self) -> bool:
        """Whether a loss beyond the margin may be of something else."""
        return False

    def _counted(self, about: About) -> Statement:
        """What it rests on, in words."""
        raise NotImplementedError  # pragma: no cover

    def _unknown(self, about: About) -> Statement | None:
        """Why there is no change to speak of; None where there is one."""
        return None

    def _open(self, about: About) -> str:
        """Why it is not settled, or what it would take."""
        raise NotImplementedError  # pragma: no cover

    def _worst(self) -> Sequence[tuple[str, float]]:
        """Where most is lost."""
        return ()

    # what follows

    @property
    def difference(self) -> float:
        """By how much it is better."""
        return self.sign * self.change

    def check(self, p_worse: float | None = None, family: int = 1) -> Check:
        """The decision; `p_worse` is the p-value corrected for a family of slices."""
        p, interval = self.p_worse if p_worse is None else p_worse, self.interval
        low = self.reliable.low if self.sign > 0 else -self.reliable.high
        outcome: Outcome = "inconclusive"
        if (self.is_settled and self.difference >= -self.margin - ROUNDING) or low > -self.margin:
            outcome = "pass"
        elif p < self.alpha and not self.is_excused:
            outcome = "fail"
        way = "下降" if self.sign > 0 else "上升"
        limit = asked(self.measure, self.margin)
        return Check(
            rule="non_inferior",
            title=phrase("{} not worse by more than {}", f"{{}} {way}不超过 {{}}", self.measure, limit),
            measure=self.measure,
            value=self.change,
            limit=-self.sign * self.margin + 0.0,
            outcome=outcome,
            message=self._message(outcome, interval, family, p < self.alpha),
            interval=interval,
            n=self.n,
            slice=self.slice,
            worst=() if outcome == "pass" else self._worst(),
        )

    def _message(self, outcome: Outcome, interval: Interval, family: int, is_beyond: bool) -> Statement:
        about = About(self.measure, *self.names, slice=self.slice)
        if (unknown := self._unknown(about)) is not None:
            return unknown
        before, after = self.values
        said = phrase(
            "{} to {}, difference {}{} over {}, a loss of {} allowed",
            "{} → {}，差值 {}{}，{}，允许损失 {}",
            claimed(written(before), "mean", before, self.measure, *self.names[::-1], slice=self.slice),
            about.said(written(after), "mean", after),
            about.said(signed(self.change), "difference", self.change),
            about.range(interval, 1 - 2 * self.alpha, "difference ", signed),
            self._counted(about),
            asked(self.measure, self.margin),
        )
        if family > 1 and outcome != "pass" and self.p_worse < self.alpha:
            told = (
                f"beyond it {'also' if is_beyond else 'but not'} when corrected for {{}} slices",
                f"超出允许的损失，按 {{}} 个切片校正后{'仍然超出' if is_beyond else '不再超出'}",
            )
            said = also(said, phrase(*told, claimed(f"{family:,}", "family", family, self.measure)))
        return said if outcome != "inconclusive" else also(said, self._open(about))
