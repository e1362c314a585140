"""Propensities of positions by five methods."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from rankgauge._text import Text
from rankgauge.behavior.bias.counts import Counts
from rankgauge.behavior.bias.identifiability import identifiability
from rankgauge.behavior.bias.position_bias import METHODS, PositionBias, position_bias
from rankgauge.behavior.bias.simulation import simulate_pbm, simulate_pbm_log
from rankgauge.errors import InputError, ParameterError

THETA = np.array([1, 0.6, 0.4, 0.3, 0.2])
HARVESTED = ("all_pairs", "adjacent", "em")


def standard_errors_off(got: PositionBias, truth: np.ndarray) -> np.ndarray:
    """How far from the truth, in standard errors of log θ."""
    return (np.log(got.propensity / truth) / np.maximum(got.standard_error / got.propensity, 1e-300))[1:]


# truth


@pytest.mark.parametrize("method", HARVESTED)
def test_truth_is_within_three_standard_errors(method):
    truth = simulate_pbm(1000, 20, requests=100, rng=11)

    got = position_bias(truth.counts, method)

    assert got.positions == tuple(range(1, 11))
    assert np.abs(standard_errors_off(got, truth.propensity)).max() < 3
    assert (got.standard_error / got.propensity).max() < 0.1
    assert got.propensity[0] == 1
    assert (got.standard_error[0], got.low[0], got.high[0]) == (0, 1, 1)


def test_randomised_bucket_is_within_three_standard_errors():
    log = simulate_pbm_log(20_000, 20, 12, THETA, randomised=0.5, rng=2)

    got = position_bias(log.table, "randomised")

    assert np.abs(standard_errors_off(got, THETA)).max() < 3
    assert not got.is_naive
    assert got.impressions.sum() == log.table["randomised"].sum()


def test_naive_is_biased_and_says_so():
    truth = simulate_pbm(1000, 20, requests=100, rng=11)

    got = position_bias(truth.counts, "naive")

    assert (standard_errors_off(got, truth.propensity) < -10).all()
    assert got.propensity[1] < 0.45  # the truth is 0.5
    assert got.is_naive
    assert got.notes[0].startswith("naive: ")
    assert all(row["is_naive"] for row in got.csv_rows())


@pytest.fixture(scope="module")
def repetitions() -> list[Counts]:
    return [simulate_pbm(60, 8, THETA, requests=150, rng=rng).counts for rng in range(300)]


@pytest.mark.long("simulations of error rates and coverage")
@pytest.mark.parametrize(
    ("method", "cluster"), [("all_pairs", "pair"), ("all_pairs", "query"), ("adjacent", "pair"), ("em", "pair")]
)
def test_coverage_is_near_95_percent(repetitions, method, cluster):
    hits = []
    for counts in repetitions:
        got = position_bias(counts, method, cluster=cluster)
        hits.append(((got.low <= THETA) & (got.high >= THETA))[1:])

    # binomial error of 300 repetitions is 0.013
    assert (np.mean(hits, axis=0) > 0.91).all()
    assert np.mean(hits) < 0.98


def test_coverage_of_the_randomised_bucket():
    hits = []
    for rng in range(150):
        got = position_bias(simulate_pbm_log(700, 30, 10, THETA, randomised=1, rng=rng).table, "randomised")
        hits.append(((got.low <= THETA) & (got.high >= THETA))[1:])

    assert (np.mean(hits, axis=0) > 0.9).all()
    assert np.mean(hits) < 0.99


# refusals


@pytest.mark.parametrize("method", HARVESTED)
def test_one_ranker_is_refused(method):
    counts = simulate_pbm(100, 12, noise=(0.1,), requests=10_000, rng=1).counts

    with pytest.raises(InputError, match=f"position bias \\({method}\\) needs items that were shown .*one ranker"):
        position_bias(counts, method)


def test_one_ranker_is_no_trouble_for_naive_and_randomised():
    log = simulate_pbm_log(4000, 10, 10, THETA, noise=(0.1,), randomised=0.3, rng=1)

    one = log.table.filter(~pl.col("randomised"))

    assert position_bias(one, "naive").is_naive
    assert np.abs(standard_errors_off(position_bias(log.table, "randomised"), THETA)).max() < 3
    with pytest.raises(InputError):
        position_bias(one, "all_pairs")


def broken_chain() -> Counts:
    """1–2 and 3–4 are joined, 2–3 is not; 1–4 is."""
    item = ["a", "a", "b", "b", "c", "c"]
    return Counts.from_arrays(["q"] * 6, item, [1, 2, 3, 4, 1, 4], [1000] * 6, [400, 200, 100, 80, 300, 60])


def test_a_missing_link_is_no_zero():
    got = position_bias(broken_chain(), "adjacent")

    assert got.positions == (1, 2)
    assert got.left_out == (3, 4)
    assert got.propensity[1] == pytest.approx(0.5)
    assert np.isnan(got.at([3, 4])).all()
    assert any("positions 3–4 cannot be joined with position 1" in note for note in got.notes)
    assert all(isinstance(note, Text) and note.zh != note.en for note in got.notes)


@pytest.mark.parametrize("method", ["all_pairs", "em"])
def test_other_pairs_mend_a_missing_link(method):
    got = position_bias(broken_chain(), method)

    assert got.positions == (1, 2, 3, 4)
    assert got.propensity == pytest.approx([1, 0.5, 0.25, 0.2], rel=1e-3)  # 60/300, times 100/80


def test_randomised_needs_the_column():
    with pytest.raises(InputError, match="'randomised'"):
        position_bias(simulate_pbm_log(100, 3, 10, rng=0).table.drop("randomised"), "randomised")
    with pytest.raises(InputError, match="do not say so"):
        position_bias(broken_chain(), "randomised")


def test_no_clicks_at_all():
    counts = Counts.from_arrays(["q"] * 2, ["a"] * 2, [1, 2], [500, 500], [0, 0])

    with pytest.raises(InputError, match="needs clicks at the first position, got none in 500 impressions"):
        position_bias(counts, "naive")
    with pytest.raises(InputError, match="never clicked"):
        position_bias(counts, "em")


@pytest.mark.parametrize("method", HARVESTED)
def test_everything_clicked_has_no_bias_and_no_error(method):
    counts = Counts.from_arrays(["q"] * 4, ["a", "a", "b", "b"], [1, 2, 1, 2], [200] * 4, [200] * 4)

    got = position_bias(counts, method, max_iterations=60)

    assert got.propensity == pytest.approx([1, 1], abs=1e-3)
    assert not got.standard_error[1] > 0
    assert np.isnan(got.low[1])  # nothing varied: no error is known, which is not an error of 0


def test_one_row():
    got = position_bias({"query_id": ["q"], "item_id": ["a"], "position": [1], "click": [True]}, "naive")

    assert got.propensity.tolist() == [1]
    with pytest.raises(InputError, match="everything was shown at position 1"):
        position_bias({"query_id": ["q"], "item_id": ["a"], "position": [1], "click": [True]})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "all-pairs"}, "Did you mean all_pairs"),
        ({"cluster": "user"}, "`cluster` must be one of pair, query"),
        ({"confidence_level": 95}, "between 0 and 1"),
        ({"max_iterations": 0}, "positive integer"),
    ],
)
def test_wrong_arguments(options, said):
    with pytest.raises(ParameterError, match=said):
        position_bias(broken_chain(), **options)


# rates


def test_ratio_of_rates_by_hand():
    counts = Counts.from_arrays(["q"] * 2, ["a", "b"], [1, 2], [1000, 2000], [100, 60], is_randomised=True)

    got = position_bias(counts, "randomised")

    error = np.sqrt(1 / 100 - 1 / 1000 + 1 / 60 - 1 / 2000)
    assert got.propensity.tolist() == pytest.approx([1, 0.3])
    assert got.standard_error[1] == pytest.approx(0.3 * error)
    assert got.low[1] == pytest.approx(0.3 * np.exp(-1.959964 * error), rel=1e-6)
    assert got.notes == ()


def test_few_clicks_have_exact_limits():
    """Given 3 + 12 clicks, the 3 are binomial: scipy's exact interval of their share, as odds."""
    from scipy.stats import binomtest

    counts = Counts.from_arrays(["q"] * 2, ["a", "b"], [1, 2], [1000, 500], [12, 3], is_randomised=True)
    share = binomtest(3, 15).proportion_ci(0.95, method="exact")

    got = position_bias(counts, "randomised")

    assert got.low[1] == pytest.approx(share.low / (1 - share.low) * 1000 / 500)
    assert got.high[1] == pytest.approx(share.high / (1 - share.high) * 1000 / 500)
    assert "exact limits" in got.notes[0]


def test_a_position_without_clicks_has_an_upper_limit():
    counts = Counts.from_arrays(["q"] * 2, ["a", "b"], [1, 2], [1000, 1000], [50, 0], is_randomised=True)

    got = position_bias(counts, "randomised")

    assert (got.propensity[1], got.low[1]) == (0, 0)
    assert got.high[1] == pytest.approx(0.025 ** (-1 / 50) - 1)  # odds at which no click in 50 has probability 0.025
    assert got.to_dict()["positions"][1]["standard_error"] is None


# invariance


@pytest.mark.parametrize("method", METHODS)
def test_order_of_rows_changes_nothing(method):
    table = simulate_pbm_log(3000, 10, 8, THETA, randomised=0.5, rng=4).table

    first = position_bias(table, method)
    second = position_bias(table.sample(fraction=1, shuffle=True, seed=5), method)

    assert (first.propensity == second.propensity).all()
    assert (first.low == second.low).all()


@pytest.mark.parametrize("method", METHODS)
def test_names_change_nothing(method):
    table = simulate_pbm_log(3000, 10, 8, THETA, randomised=0.5, rng=4).table
    draw = np.random.default_rng(6)
    queries = {f"q{i}": f"名 {j}" for i, j in enumerate(draw.permutation(10))}
    items = {f"d{i}": f"{j}" for i, j in enumerate(draw.permutation(8))}
    renamed = table.with_columns(pl.col("query_id").replace(queries), pl.col("item_id").replace(items))

    first, second = position_bias(table, method), position_bias(renamed, method)

    assert first.propensity == pytest.approx(second.propensity, rel=1e-9)
    assert first.standard_error == pytest.approx(second.standard_error, rel=1e-9)


@pytest.mark.parametrize("method", HARVESTED)
def test_relevance_of_pairs_does_not_matter(method):
    """Click rates that are exact products give θ, whatever the second factor: here with half the relevance."""
    base = simulate_pbm(20, 8, THETA, requests=100, rng=9)
    counts = base.counts
    gamma = base.relevance_of(counts)[counts.pair] * 0.9
    theta = THETA[counts.position - 1]
    names = counts.names[counts.pair]

    for factor in (1, 0.5):
        exact = Counts.from_arrays(
            names["query_id"],
            names["item_id"],
            counts.position,
            counts.impressions,
            counts.impressions * theta * gamma * factor,
        )
        assert position_bias(exact, method).propensity == pytest.approx(THETA, rel=1e-4)


def test_max_position():
    counts = simulate_pbm(200, 12, requests=100, rng=3).counts

    got = position_bias(counts, max_position=4)

    assert got.positions == (1, 2, 3, 4)
    with pytest.raises(ParameterError, match="`max_position` must be a positive integer or None, got 0"):
        position_bias(counts, max_position=0)


def test_without_position_1_the_first_one_is_the_reference():
    counts = Counts.from_arrays(["q"] * 4, ["a", "a", "b", "b"], [2, 3, 2, 3], [500] * 4, [100, 50, 80, 40])

    got = position_bias(counts)

    assert got.at([1, 2, 3])[1:].tolist() == pytest.approx([1, 0.5])
    assert "relative to position 2" in got.notes[0]


def test_rows_not_examined_are_counted():
    table = simulate_pbm_log(2000, 5, 8, THETA, rng=4).table.with_columns(examined=pl.col("position") < 4)

    got = position_bias(table)

    assert got.positions == (1, 2, 3)
    assert "4,000 rows not examined" in got.notes[0]


def test_few_pairs_are_said():
    assert any("errors rest on 3 pairs" in note for note in position_bias(broken_chain()).notes)


def test_em_on_very_few_impressions_says_that_it_is_off():
    got = position_bias(simulate_pbm(20_000, 8, THETA, requests=1, rng=1).counts, "em")

    assert any("standard errors away from all_pairs" in note for note in got.notes)
    dense = position_bias(simulate_pbm(100, 8, THETA, requests=200, rng=1).counts, "em")
    assert dense.notes == ()


def test_all_pairs_on_very_few_impressions_is_right():
    got = position_bias(simulate_pbm(20_000, 8, THETA, requests=1, rng=1).counts, "all_pairs")

    assert np.abs(standard_errors_off(got, THETA)).max() < 3


def test_em_that_is_stopped_says_so():
    got = position_bias(simulate_pbm(100, 8, THETA, requests=200, rng=1).counts, "em", max_iterations=3)

    assert got.converged is False
    assert "EM stopped after 3 steps" in got.notes[0]


def test_stored_and_framed():
    got = position_bias(broken_chain(), "adjacent")

    stored = got.to_dict()

    assert stored["method"] == "adjacent"
    assert [row["position"] for row in stored["positions"]] == [1, 2]
    assert stored["identifiability"]["left_out"] == [3, 4]
    assert got.to_frame()["click_rate"].to_list() == pytest.approx([0.35, 0.2])
    assert '"cluster": "pair"' in got.to_json()


# data that others made


def retrotech(shared: Path) -> pl.DataFrame:
    files = [shared / "retrotech_sessions" / f"{n}_sessions.gz" for n in ("dryer", "transformers_dark_of_the_moon")]
    rows = pl.concat(pl.read_csv(f, schema_overrides={"clicked_doc_id": pl.String}) for f in files)
    return rows.select(
        query_id="query", item_id="clicked_doc_id", position=pl.col("rank").cast(int) + 1, click="clicked"
    )


def test_retrotech_is_identified_and_naive_is_far_off(shared):
    """Every item was shown at every position, though not equally often. Its clicks are simulated, not human."""
    table = retrotech(shared)

    joined = identifiability(table)
    naive, harvested = position_bias(table, "naive"), position_bias(table, "all_pairs")

    assert joined.left_out == ()
    assert len(joined.edges) == 20 * 19 / 2
    assert naive.propensity[1] == pytest.approx(0.984, abs=1e-3)
    assert harvested.propensity[1] == pytest.approx(0.491, abs=1e-3)
    assert naive.propensity[1] > harvested.high[1]


def test_retrotech_counted_from_0_is_refused(shared):
    with pytest.raises(InputError, match="Add 1"):
        position_bias(retrotech(shared).with_columns(pl.col("position") - 1))


def test_open_bandit_has_too_few_clicks_to_tell(shared):
    rows = pl.read_csv(shared / "open_bandit_men" / "random" / "men" / "men.csv.gz")
    table = rows.select("item_id", "position", pl.col("click") == 1, query_id=pl.lit("men"), randomised=pl.lit(True))

    got = position_bias(table, "randomised")

    assert got.clicks.tolist() == [10, 22, 14]
    assert got.propensity == pytest.approx([1, 22 / 3388 / (10 / 3284), 14 / 3328 / (10 / 3284)])
    assert (got.low[1:] < 1).all()
    assert (got.high[1:] > 3).all()
    assert "exact" in got.notes[0]
