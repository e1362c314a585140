"""The position-based model by EM."""

import time

import numpy as np
import pytest

from rankgauge.behavior.bias.counts import Counts
from rankgauge.behavior.bias.pbm_em import _Cells, _squarem, fit_pbm
from rankgauge.behavior.bias.simulation import simulate_pbm


def small(rng: int = 1, requests: int = 120) -> Counts:
    return simulate_pbm(10, 6, (1, 0.6, 0.4, 0.3), requests=requests, rng=rng).counts


def em_by_loops(counts: Counts, steps: int) -> np.ndarray:
    """Chuklin et al. (2015), one cell after the other."""
    theta, gamma = [0.5] * counts.n_positions, [0.5] * counts.n_pairs
    for _ in range(steps):
        top, bottom = [0.0] * len(theta), [0.0] * len(theta)
        top_g, bottom_g = [0.0] * len(gamma), [0.0] * len(gamma)
        cells = zip(counts.pair, counts.slot, counts.impressions, counts.clicks, strict=True)
        for i, k, n, c in cells:
            p = theta[k] * gamma[i]
            top[k] += c + (n - c) * theta[k] * (1 - gamma[i]) / (1 - p)
            top_g[i] += c + (n - c) * gamma[i] * (1 - theta[k]) / (1 - p)
            bottom[k] += n
            bottom_g[i] += n
        theta = [a / b for a, b in zip(top, bottom, strict=True)]
        gamma = [a / b for a, b in zip(top_g, bottom_g, strict=True)]
    return np.array(theta) / theta[0]


def test_fit_is_where_plain_em_ends():
    """On all pairs, from another start, without acceleration."""
    counts = simulate_pbm(4, 5, (1, 0.6, 0.4), requests=150, relevance=(4, 4), rng=1).counts

    got = np.exp(fit_pbm(counts, "pair", tolerance=1e-4).estimate.log)

    assert em_by_loops(counts, 4000) == pytest.approx(got, rel=2e-3)


def test_fit_is_the_maximum_of_the_likelihood():
    from scipy.optimize import minimize

    counts = simulate_pbm(6, 6, (1, 0.6, 0.4, 0.3), requests=300, relevance=(4, 8), rng=7).counts.moved()
    _, pair = np.unique(counts.pair, return_inverse=True)
    size = pair.max() + 1

    def loss(x):
        p = np.minimum(np.exp(np.r_[0, x[:3]][counts.slot] + x[3:][pair]), 1 - 1e-9)
        return -(counts.clicks @ np.log(p) + (counts.impressions - counts.clicks) @ np.log1p(-p))

    best = minimize(loss, np.full(3 + size, -1.0), method="L-BFGS-B", options={"maxiter": 5000, "maxfun": 10**6})
    got = fit_pbm(counts, "pair", tolerance=1e-4)

    assert got.log_likelihood == pytest.approx(-best.fun, abs=1e-3)
    assert got.estimate.log[1:] == pytest.approx(best.x[:3], abs=1e-3)
    assert got.converged


def test_one_step_by_hand():
    cells = _Cells(*map(np.array, ([0, 0], [0, 1], [3.0, 1.0], [7.0, 9.0], [20.0], [10.0, 10.0])))

    theta, gamma = cells.step(np.array([0.8, 0.5]), np.array([0.25]))

    assert theta == pytest.approx([(3 + 7 * 0.8 * 0.75 / 0.8) / 10, (1 + 9 * 0.5 * 0.75 / 0.875) / 10])
    assert gamma == pytest.approx([(4 + 7 * 0.25 * 0.2 / 0.8 + 9 * 0.25 * 0.5 / 0.875) / 20])


def test_steps_raise_the_likelihood():
    counts = small()
    n, c = counts.impressions, counts.clicks
    cells = _Cells(counts.pair, counts.slot, c, n - c, counts.by_pair(n), counts.by_position(n))
    theta, gamma = np.array([0.9, 0.5, 0.5, 0.5]), np.full(counts.n_pairs, 0.3)
    heights = []
    for _ in range(30):
        heights.append(cells.log_likelihood(theta, gamma))
        theta, gamma = cells.step(theta, gamma)

    assert (np.diff(heights) > 0).all()


def test_more_steps_never_lower_the_likelihood():
    heights = [fit_pbm(small(), "pair", max_iterations=m, tolerance=1e-9).log_likelihood for m in (3, 6, 12, 24, 60)]

    assert (np.diff(heights) >= -1e-8).all()


def test_pairs_that_say_nothing_change_nothing():
    counts = small()
    more = counts.to_frame().select("query_id", "item_id", "position", "impressions", "clicks")
    extra = more.head(3).with_columns(item_id="new" + more.head(3)["item_id"])
    never = more.head(4).with_columns(query_id="new" + more.head(4)["query_id"], clicks=more.head(4)["clicks"] * 0)
    extra = extra.unique("item_id")  # each at one position

    with_more = fit_pbm(Counts.of(more.vstack(extra).vstack(never)), "pair")

    assert with_more.estimate.log == pytest.approx(fit_pbm(counts, "pair").estimate.log, abs=1e-9)


@pytest.mark.parametrize("cluster", ["pair", "query"])
def test_covariance_is_that_of_the_whole_model(cluster):
    """All θ and γ at once: inverse of the information, around the products of scores, written out."""
    counts = simulate_pbm(6, 6, (1, 0.6, 0.4, 0.3), requests=300, relevance=(4, 8), rng=7).counts.moved()
    _, pair = np.unique(counts.pair, return_inverse=True)
    size = pair.max() + 1
    got = fit_pbm(counts, cluster, tolerance=1e-6)
    log_theta = got.estimate.log
    log_gamma = np.empty(size)
    for i in range(size):  # the best γ of each pair by bisection
        n, c, t = counts.impressions[pair == i], counts.clicks[pair == i], np.exp(log_theta[counts.slot[pair == i]])
        low, high = -20.0, float(-np.log(t.max()))
        for _ in range(100):
            p = t * np.exp((low + high) / 2)
            low, high = ((low + high) / 2, high) if ((c - n * p) / (1 - p)).sum() > 0 else (low, (low + high) / 2)
        log_gamma[i] = low
    information = np.zeros((4 + size, 4 + size))
    scores: dict[int, np.ndarray] = {}
    for cell in range(counts.n_cells):
        at = [int(counts.slot[cell]), 4 + int(pair[cell])]
        p = np.exp(log_theta[at[0]] + log_gamma[pair[cell]])
        n, c = counts.impressions[cell], counts.clicks[cell]
        information[np.ix_(at, at)] += (n - c) * p / (1 - p) ** 2
        unit = int(counts.query[counts.pair[cell]] if cluster == "query" else pair[cell])
        scores.setdefault(unit, np.zeros(4 + size))[at] += (c - n * p) / (1 - p)
    bread = np.linalg.inv(information[1:, 1:])
    meat = sum(np.outer(s, s)[1:, 1:] for s in scores.values()) * len(scores) / (len(scores) - 1)

    assert got.estimate.covariance[1:, 1:] == pytest.approx((bread @ meat @ bread)[:3, :3], rel=1e-3)
    assert got.estimate.clusters == len(scores)


def test_no_cycle_lowers_the_likelihood():
    """From poor starts and with few impressions, where extrapolations go too far."""
    for rng in range(20):
        counts = simulate_pbm(10, 6, (1, 0.6, 0.4, 0.3), requests=3, rng=rng).counts
        n, c = counts.impressions, counts.clicks
        cells = _Cells(counts.pair, counts.slot, c, n - c, counts.by_pair(n), counts.by_position(n))
        draw = np.random.default_rng(rng)
        theta, gamma = draw.uniform(0.01, 0.99, 4), draw.uniform(0.01, 0.99, counts.n_pairs)
        before = -np.inf
        for _ in range(40):
            after = cells.log_likelihood(theta, gamma)
            assert after >= before - 1e-6
            before = after
            theta, gamma, _ = _squarem(cells, theta, gamma, 1)


def test_errors_match_the_spread_over_repetitions():
    fits = [fit_pbm(small(rng, 200), "pair").estimate for rng in range(80)]
    logs = np.array([f.log[1:] for f in fits]) - np.log([0.6, 0.4, 0.3])
    stated = np.array([np.sqrt(np.diag(f.covariance)[1:]) for f in fits])

    z = logs / stated

    assert np.abs(z.mean(axis=0)).max() < 3 / np.sqrt(80) + 0.2
    assert z.std(axis=0) == pytest.approx(1, abs=0.3)


def test_everything_clicked_ends_and_finds_no_bias():
    counts = Counts.from_arrays(["q"] * 4, ["a", "a", "b", "b"], [1, 2, 1, 2], [200] * 4, [200] * 4)

    assert fit_pbm(counts, "pair", max_iterations=60).estimate.log == pytest.approx([0, 0], abs=1e-4)


def test_lower_positions_may_be_looked_at_more():
    counts = simulate_pbm(40, 6, (0.5, 1.0, 0.4), requests=500, rng=3).counts

    got = fit_pbm(counts, "pair")

    error = np.sqrt(np.diag(got.estimate.covariance))
    assert abs(got.estimate.log[1] - np.log(2)) < 3 * error[1]
    assert got.converged


@pytest.mark.slow
def test_thirty_million_impressions_take_seconds():
    truth = simulate_pbm(10_000, 20, requests=100, rng=1)
    assert truth.counts.impressions.sum() == 30_000_000

    start = time.process_time()
    got = fit_pbm(truth.counts, "pair")
    taken = time.process_time() - start

    error = np.sqrt(np.diag(got.estimate.covariance))[1:]
    assert (np.abs(got.estimate.log - np.log(truth.propensity))[1:] < 3 * error).all()
    assert error.max() < 0.01
    assert got.converged
    assert taken < 6  # about half a second on an idle machine
