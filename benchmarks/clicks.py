"""Labels, scores and groups of known shape, the same on every machine: a folder with one .npy file for each."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SEED = 20_240_601
ROWS = 10_000_000
GROUPS = 500_000


@dataclass(frozen=True)
class Clicks:
    """How many rows are positive."""

    name: str
    prevalence: float

    @property
    def what(self) -> str:
        return f"{ROWS:,} rows, {self.name} positive"


RARE = Clicks("2%", 0.02)
BALANCED = Clicks("50%", 0.5)


def ensure(shape: Clicks, root: Path) -> Path:
    """The folder of this set, made when it is missing. The probabilities are right, and their order is fair."""
    folder = root / f"clicks-{shape.name.rstrip('%')}"
    if folder.exists():
        return folder
    part = root / f"{folder.name}.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    rng = np.random.default_rng(SEED)
    odds = shape.prevalence / (1 - shape.prevalence) * np.exp(rng.normal(-0.5 * (shape.prevalence < 0.5), 1, ROWS))
    score = odds / (1 + odds)
    np.save(part / "label.npy", (rng.random(ROWS) < score).astype(np.int64))
    np.save(part / "score.npy", score)
    np.save(part / "group.npy", rng.integers(GROUPS, size=ROWS))
    part.rename(folder)
    return folder
