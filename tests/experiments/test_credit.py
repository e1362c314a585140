"""Who is preferred: no winner among equals, the better ranking wins, and the sums written out."""

from __future__ import annotations

from math import sqrt

import numpy as np
import polars as pl
import pytest
from scipy import stats

from rankgauge._text import Text
from rankgauge.errors import InputError, ParameterError
from rankgauge.experiments.credit import credit
from rankgauge.experiments.interleaving import interleave

approx = pytest.approx
EXAMINED = 1 / np.arange(1, 6)  # examination falls with the position


def sessions(rng: np.random.Generator, n: int, a: list[str], b: list[str], per_user: int = 4, length: int = 5):
    """Drafts for n requests of n/per_user users."""
    ids = [f"r{i:05d}" for i in range(n)]
    shown = interleave(dict.fromkeys(ids, a), dict.fromkeys(ids, b), length=length, rng=rng)
    frame = shown.frame.with_columns(
        pl.col("query_id").alias("request_id"),
        (pl.col("query_id").str.slice(1).cast(pl.Int64) // per_user).alias("user_id"),
    ).drop("team")
    return shown, frame


def clicked(rng: np.random.Generator, frame: pl.DataFrame, relevance: dict[str, float]) -> pl.DataFrame:
    """Clicks where a place is examined and the item appeals; users differ in how much they click."""
    eager = rng.gamma(2.0, 0.35, int(frame["user_id"].max()) + 1)[frame["user_id"].to_numpy()]
    p = EXAMINED[frame["position"].to_numpy() - 1] * frame["item_id"].replace_strict(relevance).to_numpy()
    return frame.with_columns(pl.Series("click", rng.random(frame.height) < np.minimum(p * eager, 1)))


ITEMS = list("abcdefgh")
ALIKE = dict.fromkeys(ITEMS, 0.5)


def test_identical_rankings_have_no_winner_over_10000_sessions():
    """Eight experiments of 10,000 sessions. A 95% interval is wrong in one of twenty, so one may name a winner (that of
    seed 1 does); three of eight would have a chance of .6%, and all together must agree with 0."""
    found = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        shown, frame = sessions(rng, 10_000, ITEMS, ITEMS)
        found.append(credit(clicked(rng, frame, ALIKE), shown))

    assert sum(f.winner is not None for f in found) <= 2
    errors = [(f.high - f.low) / 2 / stats.t.ppf(0.975, f.users - 1) for f in found]
    z = [f.preference / error for f, error in zip(found, errors, strict=True)]
    assert abs(sum(z)) / sqrt(8) < 3
    assert sum(x * x for x in z) < stats.chi2.ppf(0.999, 8)  # no wider than their errors say
    assert max(errors) < 0.02
    for f in found:
        assert f.requests == 10_000
        assert f.users + f.users_without == 2500
        assert f.verdict.startswith("No winner") == (f.winner is None)


def test_better_ranking_wins_over_10000_sessions():
    rng = np.random.default_rng(2)
    relevance = {item: 0.8 if item in "abc" else 0.2 for item in ITEMS}
    shown, frame = sessions(rng, 10_000, ITEMS[::-1], ITEMS)

    found = credit(clicked(rng, frame, relevance), shown)

    assert found.winner == "B"
    assert found.low > 0.3
    assert found.sign_p_value < 1e-10
    assert found.verdict.startswith("B wins over A")
    assert "胜过" in found.verdict.zh


@pytest.mark.long("simulations of error rates and coverage")
@pytest.mark.parametrize("b", [ITEMS, ITEMS[::-1], ITEMS[:3]], ids=["identical", "reversed", "shorter"])
def test_false_winners_are_as_rare_as_promised(b: list[str]):
    """400 experiments with a clicker who looks at positions only: 5% ± 3 binomial standard errors (.011)."""
    rng = np.random.default_rng(3)
    wins = {"t": 0, "sign": 0}
    for _ in range(400):
        shown, frame = sessions(rng, 240, ITEMS, b)
        found = credit(clicked(rng, frame, ALIKE), shown)
        wins["t"] += found.winner is not None
        wins["sign"] += found.sign_p_value < 0.05
    assert wins["t"] / 400 == approx(0.05, abs=0.033)
    assert wins["sign"] / 400 < 0.083  # an exact test may be wrong less often


SMALL = pl.DataFrame(
    {
        "request_id": ["r1", "r1", "r2", "r2", "r3", "r3", "r4", "r4"],
        "user_id": ["u", "u", "u", "u", "v", "v", "w", "w"],
        "item_id": ["x", "y", "x", "y", "x", "y", "x", "y"],
        "team": ["A", "B", "B", "A", "A", "B", "A", "none"],
        "click": [True, False, True, False, False, True, False, True],
        "buy": [0, 0, 2, 0, 0, 0, 0, 0],
    }
)


def test_sums_written_out():
    found = credit(SMALL, events={"click": 1, "buy": 3})

    # u: A 1 (r1), B 1 + 3·2 = 7 (r2); v: B 1; w: nothing, its click is on an item of no team
    assert found.per_user.rows() == [
        ("u", 1.0, 7.0, 0.75),
        ("v", 0.0, 1.0, 1.0),
        ("w", 0.0, 0.0, approx(np.nan, nan_ok=True)),
    ]
    assert found.preference == approx((0.75 + 1) / 2)
    assert (found.credit_a, found.credit_b) == (1, 8)
    assert (found.users, found.users_b, found.users_a, found.users_without) == (2, 2, 0, 1)
    assert (found.requests_a, found.requests_b, found.requests_tied) == (1, 2, 1)
    assert found.request_preference == approx((2 + 0.5) / 4 - 0.5)
    assert found.uncredited == 1
    assert any("1 events on items of no team" in note for note in found.notes)


def test_tests_are_those_of_scipy():
    rng = np.random.default_rng(4)
    shown, frame = sessions(rng, 400, ITEMS, ITEMS[::-1])
    found = credit(clicked(rng, frame, {i: 0.3 + 0.05 * k for k, i in enumerate(ITEMS)}), shown)
    each = found.per_user["preference"].drop_nans().to_numpy()

    t = stats.ttest_1samp(each, 0)
    low, high = t.confidence_interval(0.95)

    assert found.preference == approx(each.mean())
    assert found.p_value == approx(t.pvalue)
    assert found.interval == approx((low, high))
    assert found.sign_p_value == approx(stats.binomtest(int((each > 0).sum()), int((each != 0).sum())).pvalue)


def test_bootstrap_interval_is_near_and_seeded():
    rng = np.random.default_rng(5)
    shown, frame = sessions(rng, 2000, ITEMS, ITEMS[::-1])
    log = clicked(rng, frame, ALIKE)

    one, two = (credit(log, shown, interval="bootstrap", resamples=2000, rng=0) for _ in range(2))
    t = credit(log, shown)

    assert one.interval == two.interval != t.interval
    assert one.interval == approx(t.interval, abs=0.01)


def test_order_and_names_change_nothing():
    rng = np.random.default_rng(6)
    shown, frame = sessions(rng, 400, ITEMS, ITEMS[::-1])
    log = clicked(rng, frame, ALIKE)
    other = log.sample(fraction=1, shuffle=True, seed=1).with_columns(
        pl.format("user {}", 99 - pl.col("user_id")).alias("user_id")
    )

    one, two = credit(log, shown).to_dict(), credit(other, shown).to_dict()

    texts = [{k: v for k, v in d.items() if not isinstance(v, float)} for d in (one, two)]
    assert texts[0] == texts[1]
    assert [v for v in two.values() if isinstance(v, float)] == approx(
        [v for v in one.values() if isinstance(v, float)]
    )


def test_swapped_teams_swap_the_sign():
    swapped = SMALL.with_columns(pl.col("team").replace({"A": "B", "B": "A"}))

    assert credit(swapped).preference == approx(-credit(SMALL).preference)


def test_stored_assignment_is_joined(tmp_path):
    rng = np.random.default_rng(7)
    shown, frame = sessions(rng, 200, ITEMS, ITEMS[::-1])
    log = clicked(rng, frame, ALIKE)
    shown.write(tmp_path / "shown.csv")

    assert credit(log, tmp_path / "shown.csv").to_dict() == credit(log, shown).to_dict()
    extra = pl.concat([log, log.head(3).with_columns(item_id=pl.format("new{}", pl.int_range(pl.len())))])
    found = credit(extra, shown)
    assert found.uncredited == 3
    assert any("3 of 1,003 shown items are not in the assignment" in note for note in found.notes)
    with pytest.raises(InputError, match="1,000 of 1,000 shown items are not in the assignment"):
        credit(log.with_columns(item_id=pl.lit("?")), shown)


def test_without_users_requests_count():
    found = credit(SMALL.drop("user_id"))

    assert found.users == 3
    assert any("requests count as users" in note for note in found.notes)


def test_no_clicks_and_one_user():
    silent = credit(SMALL.with_columns(click=pl.lit(False)))
    alone = credit(SMALL.filter(pl.col("user_id") == "v"))

    for found in (silent, alone):
        assert found.winner is None
        assert "at least 2 are needed" in found.verdict
        assert isinstance(found.verdict, Text)
        assert np.isnan(found.low)
        assert found.to_dict()["low"] is None


@pytest.mark.parametrize(("users", "winner"), [(5, None), (6, "B")])
def test_users_who_all_agree_are_judged_by_the_sign_test(users: int, winner: str | None):
    """2/2^5 = .0625 and 2/2^6 = .031; a spread of 0 gives Student's t no answer."""
    log = {"request_id": range(users), "user_id": range(users), "item_id": ["x"] * users, "team": ["B"] * users}

    found = credit({**{k: list(v) for k, v in log.items()}, "click": [1] * users})

    assert found.winner == winner
    assert found.sign_p_value == approx(2 / 2**users)


def test_bad_arguments():
    with pytest.raises(ParameterError, match="weight above 0"):
        credit(SMALL, events={"click": -1})
    with pytest.raises(ParameterError, match="`interval` must be one of t, bootstrap"):
        credit(SMALL, interval="z")
    with pytest.raises(InputError, match="columns missing: 'cart'"):
        credit(SMALL, events={"cart": 1})
    with pytest.raises(InputError, match="columns missing: 'team'"):
        credit(SMALL.drop("team"))
    with pytest.raises(InputError, match="team must be A, B or none, got 'C'"):
        credit(SMALL.with_columns(team=pl.lit("C")))
    with pytest.raises(InputError, match="at least one impression"):
        credit(SMALL.head(0))
    with pytest.raises(InputError, match="click must be true, false or a count, got -1"):
        credit(SMALL.with_columns(click=pl.lit(-1)))
    with pytest.raises(InputError, match="an item must be in a list once"):
        credit(SMALL, pl.concat([SMALL, SMALL]).rename({"click": "c"}))


def test_interval_is_of_the_mean_over_users_not_over_clicks():
    """One user who clicks 100 times does not decide."""
    rows = [("u0", "B")] * 100 + [(f"u{i}", "A") for i in range(1, 10)]
    log = {
        "request_id": [f"r{i}" for i in range(len(rows))],
        "user_id": [u for u, _ in rows],
        "item_id": ["x"] * len(rows),
        "team": [t for _, t in rows],
        "click": [True] * len(rows),
    }

    found = credit(log)

    assert found.preference == approx((1 - 9) / 10)
    assert found.interval.high == approx(-0.8 + stats.t.ppf(0.975, 9) * np.std([1] + [-1] * 9, ddof=1) / sqrt(10))
