"""Do grades from clicks follow the truth? Logs whose truth is known, sparse to dense; writes RESULTS-GRADES.md.

python benchmarks/grades.py

200 queries of 10 items, twenty logs a row, seed 14. Compared with the true rate (the relevance γ, where positions bias
clicks) by Spearman's correlation: the raw rate, the grades as they are now, and what they were before: a prior of each
query's own items, and each query scaled by its own best item.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from scipy.stats import spearmanr

from rankgauge.behavior import Cleaning, simulate_pbm
from rankgauge.behavior.grading.judging import graded
from rankgauge.behavior.grading.pair_counts import PairCounts
from rankgauge.behavior.grading.record import Settings

SEED = 14
LOGS = 20
QUERIES, ITEMS = 200, 10
IMPRESSIONS = (3, 12, 50, 200, 1000)
HERE = Path(__file__).parent

Log = tuple[np.ndarray, np.ndarray, np.ndarray]  # impressions, clicks, truth of each pair; ITEMS pairs a query


def rates(draw: Callable[[np.random.Generator], Any], *, even: bool = False) -> Callable[[Any, int], Log]:
    """Clicks at the rates that are drawn; impressions vary around their mean, or all have it."""

    def made(rng: np.random.Generator, n: int) -> Log:
        truth = np.broadcast_to(draw(rng), (QUERIES, ITEMS)).ravel()
        spread = np.ones(truth.size) if even else rng.gamma(2, 0.5, truth.size)
        seen = np.full(truth.size, n) if even else np.maximum(rng.poisson(n * spread), 1)
        return seen.astype(float), rng.binomial(seen, truth).astype(float), truth

    return made


def by_query(rng: np.random.Generator) -> Any:
    mean = rng.beta(2, 18, (QUERIES, 1))
    return rng.beta(15 * mean, 15 * (1 - mean), (QUERIES, ITEMS))


def at_positions(rng: np.random.Generator, n: int) -> Log:
    """Three rankers, θ_k = 1/k."""
    made = simulate_pbm(QUERIES, ITEMS, requests=max(n // 3, 1), rng=rng)
    counts = made.counts
    return counts.by_pair(counts.impressions), counts.by_pair(counts.clicks), made.relevance_of(counts)


WORLDS = {
    "2%, random": rates(lambda rng: 0.02),
    "2%, items differ": rates(lambda rng: rng.beta(0.5, 24.5, (QUERIES, ITEMS))),
    "10%, items differ": rates(lambda rng: rng.beta(1, 9, (QUERIES, ITEMS))),
    "10%, items differ, seen equally": rates(lambda rng: rng.beta(1, 9, (QUERIES, ITEMS)), even=True),
    "10%, queries and items differ": rates(by_query),
    "positions 1/k, three rankers": at_positions,
}


def counts_of(seen: np.ndarray, clicks: np.ndarray) -> PairCounts:
    """A log that was counted already."""
    pair = np.arange(len(seen))
    ids = {"query_id": [f"{p // ITEMS:05}" for p in pair], "item_id": [str(p % ITEMS) for p in pair]}
    shown = {"impressions": seen.astype(int), "examined": seen.astype(int)}
    followed = pl.DataFrame({"pair": pair, "events": np.ones(len(pair), int), "n": clicks.astype(int)})
    return PairCounts(
        pairs=pl.DataFrame({"pair": pair, **ids, **shown}).cast({"pair": pl.UInt32}),
        followed=followed.cast({"pair": pl.UInt32, "events": pl.UInt32}).filter(pl.col("n") > 0),
        events=("click",),
        rules=(),
        rows_in=int(seen.sum()),
        rows_out=int(seen.sum()),
        cleaning=Cleaning(),
        dwell=None,
        notes=(),
        name="simulated",
    )


def now(seen: np.ndarray, clicks: np.ndarray, unclear: str = "skip") -> np.ndarray:
    """The grade of each pair; NaN where it is not judged. One impression is enough to ask for evidence."""
    found = graded(counts_of(seen, clicks), Settings({"click": 3.0}, min_impressions=1, unclear=unclear)).evidence
    at = found["query_id"].cast(pl.Int64).to_numpy() * ITEMS + found["item_id"].cast(pl.Int64).to_numpy()
    grade = np.full(len(seen), np.nan)
    grade[at] = found["grade"].to_numpy()
    return grade


def before(seen: np.ndarray, clicks: np.ndarray) -> np.ndarray:
    """A prior from the items of the query, that of the log where they do not differ; the best item of a query has 3."""
    log = _prior(seen, clicks) or (clicks.sum() / seen.sum() * 1000, (1 - clicks.sum() / seen.sum()) * 1000)
    grade = np.zeros(len(seen))
    for q in range(0, len(seen), ITEMS):
        n, c = seen[q : q + ITEMS], clicks[q : q + ITEMS]
        a, b = _prior(n, c) or log
        if c.sum():
            posterior = (a + c) / (a + b + n)
            grade[q : q + ITEMS] = 3 * posterior / posterior.max()
    return grade


def _prior(n: np.ndarray, c: np.ndarray) -> tuple[float, float] | None:
    size, mean, k = n.sum(), c.sum() / n.sum(), len(n)
    if not 0 < mean < 1 or size <= k:
        return None
    within = (c - c**2 / n).sum() / (size - k)
    between = ((c**2 / n).sum() - size * mean**2 - (k - 1) * within) / (size - (n**2).sum() / size)
    if between <= 0:
        return None
    strength = float(np.clip(mean * (1 - mean) / between - 1, 1, 1000))
    return float(mean * strength), float((1 - mean) * strength)


def correlation(x: np.ndarray, truth: np.ndarray) -> float:
    return float(spearmanr(x, truth)[0]) if len(x) > 2 and np.ptp(x) > 0 and np.ptp(truth) > 0 else np.nan


def row(world: Callable[[Any, int], Log], n: int, name: str) -> str:
    found = []
    for log in range(LOGS):
        seen, clicks, truth = world(np.random.default_rng([SEED, log, n]), n)
        old, new = before(seen, clicks), now(seen, clicks)
        judged = ~np.isnan(new)
        never = clicks == 0
        enough = judged.sum() >= 100
        raw, was, is_now = (
            correlation(x[judged], truth[judged]) if enough else np.nan for x in (clicks / seen, old, new)
        )
        found.append(
            [
                judged.mean(),
                (old[never] >= 2).sum(),
                np.nansum(new[never] > 0),
                correlation(clicks / seen, truth),
                correlation(old, truth),
                correlation(now(seen, clicks, "keep"), truth),
                raw,
                was,
                is_now,
                is_now - raw,
            ]
        )
    table = np.array(found)
    known = ~np.isnan(table[:, 9])
    share, tops, ours = table[:, 0].mean(), table[:, 1].mean(), table[:, 2].mean()
    cells = [name, str(n), f"{tops:,.0f}", f"{ours:.0f}", f"{share:.1%}"]
    cells += [_text(v) for v in table[:, 3:6].mean(0)]
    means = table[known].mean(0) if known.any() else np.full(10, np.nan)
    cells += [_text(v) for v in means[6:9]]
    error = table[known, 9].std(ddof=1) / np.sqrt(known.sum()) if known.sum() > 1 else np.nan
    cells.append("" if np.isnan(error) else f"{means[9]:+.4f} ± {error:.4f}")
    return "| " + " | ".join(cells) + " |"


def _text(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.3f}"


HEADER = """# Grades from clicks against the truth

`python benchmarks/grades.py`: {logs} logs a row, {queries} queries × {items} items, seed {seed}. Spearman's correlation
over pairs of all queries with the true rate (where positions bias clicks, with relevance); ± is one standard error over
logs. Rows in which fewer than 100 pairs are judged have no correlation on judged pairs.

- never clicked: pairs without a click that had grade 2 or more of 3 before, and that have any grade above 0 now
- all pairs: the raw rate, the grades as they were before, and the grades now where everything is graded all the same
  (`unclear="keep"`)
- judged pairs: on those that are judged now, the raw rate, the grades before, the grades now, and now less raw

"""
COLUMNS = (
    *("log", "impressions a pair", "never clicked: before", "now", "judged now"),
    *("all pairs: raw", "before", "now, kept"),
    *("judged pairs: raw", "before", "now", "now less raw"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=HERE / "RESULTS-GRADES.md", help="where the results go")
    target = parser.parse_args().output
    head = HEADER.format(logs=LOGS, queries=QUERIES, items=ITEMS, seed=SEED)
    lines = [f"{head}| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    for name, world in WORLDS.items():
        for n in IMPRESSIONS:
            lines.append(row(world, n, name))
            print(lines[-1], flush=True)
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
