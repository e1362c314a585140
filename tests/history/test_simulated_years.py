"""Years of looks through the real door: the promise about false alarms, and how soon a drop is found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg

from .simulated_years import CHANGE_AT, DROP_AT, Found, delays, fixed_year, rate, revisited, stream_year


def years(make, folder: Path, n: int, seed: int, **options) -> list[Found]:
    rng = np.random.default_rng(seed)
    out = []
    for i in range(n):
        with rg.History(folder / f"{i}.db") as h:
            out.append(make(h, rng, **options))
    return out


def test_a_drop_rings_after_it_and_not_before(tmp_path: Path):
    (found,) = years(stream_year, tmp_path, 1, 2, drop=0.08, looks=34)

    for way in ("one", "six"):
        at = found.alarms[way]
        assert at is not None
        assert CHANGE_AT <= at < CHANGE_AT + 6


@pytest.mark.long("simulations of error rates")
def test_weekly_looks_ring_falsely_as_seldom_as_promised(tmp_path: Path):
    found = years(stream_year, tmp_path, 60, 11)

    assert rate(found, "one") <= 0.1
    assert rate(found, "six") <= 0.1
    assert rate(found, "naive") > 0.6


@pytest.mark.long("simulations of error rates")
def test_daily_looks_ring_falsely_as_seldom_as_promised(tmp_path: Path):
    found = years(stream_year, tmp_path, 12, 12, looks=365, days=1)

    assert rate(found, "one") <= 0.25
    assert rate(found, "naive") == 1


@pytest.mark.long("simulations of error rates")
@pytest.mark.parametrize(("drop", "weeks"), [(0.03, 26), (0.05, 8)])
def test_drops_of_streams_are_found(tmp_path: Path, drop: float, weeks: int):
    looks, share, before = delays(years(stream_year, tmp_path, 20, 13, drop=drop), "one")

    assert before <= 0.1
    assert share > 0.6
    assert looks <= weeks


@pytest.mark.long("simulations of error rates")
def test_releases_of_a_fixed_set_ring_falsely_as_seldom_as_promised(tmp_path: Path):
    found = years(fixed_year, tmp_path, 60, 14)

    assert rate(found, "release") <= 0.12
    assert rate(found, "naive") > 0.4


@pytest.mark.long("simulations of error rates")
def test_a_worse_release_is_found_at_once(tmp_path: Path):
    looks, share, _ = delays(years(fixed_year, tmp_path, 20, 15, drop=0.05), "release", DROP_AT)

    assert share > 0.9
    assert looks <= 2


def test_states_that_return_ring_no_oftener_than_new_ones(tmp_path: Path):
    found = years(revisited, tmp_path, 40, 18, against="previous")

    assert rate(found, "release") <= 0.15
    assert rate(found, "naive") > 0.3


@pytest.mark.long("simulations of error rates")
@pytest.mark.parametrize("choosy", [False, True])
@pytest.mark.parametrize("against", ["baseline", "previous"])
def test_states_that_return_ring_falsely_as_seldom_as_promised(tmp_path: Path, against: str, choosy: bool):
    found = years(revisited, tmp_path, 100, 19, against=against, choosy=choosy)

    assert rate(found, "release") <= 0.05 + 3 * (0.05 * 0.95 / 100) ** 0.5
    assert rate(found, "naive") > 0.2
