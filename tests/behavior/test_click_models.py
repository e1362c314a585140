"""Click models against loops: counts, EM steps, likelihood; what must not change the result; edges."""

from collections import defaultdict
from itertools import product
from math import exp, log, log2

import numpy as np
import pytest

from behavior.click_logs import lists, random_log, shown, truth, value_of
from rankgauge.behavior.click_models import CLICK_MODELS, DCM, PBM, SDBN, UBM, Cascade, fit_click_model
from rankgauge.behavior.click_models.base import PairTable
from rankgauge.behavior.click_models.prior import beta_prior, moments_strength
from rankgauge.behavior.click_models.product import Cells, product_em
from rankgauge.behavior.click_models.sessions import Sessions
from rankgauge.behavior.click_models.ubm import click_above
from rankgauge.errors import InputError, ParameterError, UnknownName

LOGS = [random_log(seed=seed, rate=rate) for seed, rate in ((0, 0.35), (1, 0.05), (2, 0.8))]


def ratios(above: dict, below: dict, keys=None) -> dict:
    return {key: above[key] / below[key] for key in keys or below if below[key]}


def same(found: dict, expected: dict, tolerance: float = 1e-12) -> None:
    assert {key: found[key] for key in expected} == pytest.approx(expected, abs=tolerance, rel=0)


# closed forms


@pytest.mark.parametrize("log", LOGS)
def test_sdbn_and_dcm_count_as_loops_do(log):
    clicks, read, last_clicks, at_rank, last_at_rank = (defaultdict(float) for _ in range(5))
    for session in log:
        rows = shown(session)
        last = max((k for k, _, c in rows if c), default=None)
        for k, pair, c in rows:
            clicks[pair] += c
            at_rank[k] += c
            read[pair] += last is None or k <= last
            last_clicks[pair] += k == last
            last_at_rank[k] += k == last
    sdbn, dcm = (fit_click_model(log, name, prior=None) for name in ("sdbn", "dcm"))

    attractive = ratios(clicks, read)
    assert len(attractive) > 15
    same(value_of(sdbn, "attractiveness"), attractive)
    same(value_of(dcm, "attractiveness"), attractive)
    same(value_of(sdbn, "satisfaction"), ratios(last_clicks, clicks))
    same(value_of(dcm, "continuation"), {k: 1 - x for k, x in ratios(last_at_rank, at_rank).items()})


@pytest.mark.parametrize("log", LOGS)
def test_cascade_counts_as_loops_do(log):
    first_clicks, read = defaultdict(float), defaultdict(float)
    after = extra = 0
    for session in log:
        clicked = False
        for _, pair, c in shown(session):
            if clicked:
                after, extra = after + 1, extra + c
            else:
                read[pair] += 1
                first_clicks[pair] += c
                clicked = bool(c)
    model = fit_click_model(log, "cascade", prior=None)

    same(value_of(model, "attractiveness"), ratios(first_clicks, read))
    assert model.noise == pytest.approx(extra / after, abs=1e-12)


def test_relevance_has_the_counts_of_the_log():
    log = LOGS[0]
    impressions, clicks = defaultdict(int), defaultdict(int)
    for session in log:
        for _, pair, c in shown(session):
            impressions[pair] += 1
            clicks[pair] += c
    for name in CLICK_MODELS:
        rows = fit_click_model(log, name).relevance().to_dicts()
        assert {(r["query_id"], r["item_id"]): r["impressions"] for r in rows} == impressions
        assert {(r["query_id"], r["item_id"]): r["clicks"] for r in rows} == clicks
    r = fit_click_model(log, "sdbn").relevance().to_dicts()[0]
    assert r["relevance"] == r["attractiveness"] * r["satisfaction"]


# EM


def naive_product_em(log, alpha, theta, x_of, n: int, prior=(0.0, 0.0), half: float = 0.0):
    """Session after session, impression after impression."""
    for _ in range(n):
        good, seen = defaultdict(float), defaultdict(float)
        n_pair, n_x = defaultdict(int), defaultdict(int)
        for session in log:
            above = 0
            for k, pair, c in shown(session):
                x = x_of(k, above)
                a, t = alpha[pair], theta[x]
                good[pair] += 1 if c else a * (1 - t) / (1 - a * t)
                seen[x] += 1 if c else t * (1 - a) / (1 - a * t)
                n_pair[pair] += 1
                n_x[x] += 1
                above = k if c else above
        alpha = {p: (good[p] + prior[0]) / (n_pair[p] + sum(prior)) for p in n_pair}
        theta = {x: (seen[x] + half) / (n_x[x] + 2 * half) for x in n_x}
    return alpha, theta


@pytest.mark.parametrize("model", ["pbm", "ubm"])
@pytest.mark.parametrize("prior", [None, (1.0, 3.0)])
def test_em_steps_are_those_of_a_loop_over_sessions(model: str, prior):
    log = random_log(150, seed=4)
    s = Sessions.of(log)
    width = s.depth + 1
    ranks = np.broadcast_to(np.arange(s.depth), s.items.shape)
    x, n_x = (ranks, s.depth) if model == "pbm" else (ranks * width + click_above(s.clicks), s.depth * width)
    table, cells = PairTable.of(s), Cells.of(s, x, n_x)
    half = 0.0 if prior is None else 0.5
    beta = beta_prior(prior, table.clicks, table.impressions, table.item, len(table.item_names))
    start_alpha, start_theta = np.full(len(table), 0.3), np.linspace(0.9, 0.2, n_x)
    alpha, theta, went = product_em(cells, start_alpha, start_theta, beta, half, 25, 0.0, accelerate=False)

    keys = [(s.query_names[q], s.item_names[d]) for q, d in zip(table.query, table.item, strict=True)]
    expected_alpha, expected_theta = naive_product_em(
        log,
        dict.fromkeys(keys, 0.3),
        dict(enumerate(start_theta.tolist())),
        (lambda k, above: k - 1) if model == "pbm" else (lambda k, above: (k - 1) * width + above),
        went.iterations,
        prior or (0.0, 0.0),
        half,
    )
    assert went.iterations == 25
    same(dict(zip(keys, alpha, strict=True)), expected_alpha, 1e-10)
    same(dict(enumerate(theta)), expected_theta, 1e-10)


@pytest.mark.parametrize("model", ["sdbn", "dcm"])
def test_em_of_stopping_models_is_that_of_a_loop_over_sessions(model: str):
    log = random_log(150, seed=6)
    start = fit_click_model(log, model, prior=None, estimator="em", max_iterations=1, tolerance=0.0)
    alpha = value_of(start, "attractiveness")
    stop = value_of(start, "satisfaction" if model == "sdbn" else "continuation")
    if model == "dcm":
        stop = {k: 1 - v for k, v in stop.items()}
    for _ in range(11):
        good, read, ended, clicks = (defaultdict(float) for _ in range(4))
        for session in log:
            rows = shown(session)
            last = max((i for i, row in enumerate(rows) if row[2]), default=None)
            for i, (k, pair, c) in enumerate(rows):
                owner, is_end = pair if model == "sdbn" else k, i == len(rows) - 1
                clicks[owner] += c and not is_end  # a click at the end says nothing about stopping
                good[pair] += c
                if last is None or i <= last:
                    read[pair] += 1
                if i == last and not is_end:
                    in_vain = (1 - stop[owner]) * np.prod([1 - alpha[p] for _, p, _ in rows[i + 1 :]])
                    on = in_vain / (stop[owner] + in_vain)
                    ended[owner] += 1 - on
                    for _, p, _ in rows[i + 1 :]:
                        read[p] += on
        alpha, stop = ratios(good, read), ratios(ended, clicks)
    fitted = fit_click_model(log, model, prior=None, estimator="em", max_iterations=12, tolerance=0.0)

    assert fitted.iterations == 12
    same(value_of(fitted, "attractiveness"), alpha, 1e-10)
    found = value_of(fitted, "satisfaction" if model == "sdbn" else "continuation")
    same(found, stop if model == "sdbn" else {k: 1 - v for k, v in stop.items()}, 1e-10)


EM = [("pbm", {}), ("ubm", {}), ("sdbn", {"estimator": "em"}), ("dcm", {"estimator": "em"})]


@pytest.mark.parametrize(("model", "options"), EM)
@pytest.mark.parametrize("prior", [None, "item", "global", (1.0, 2.0)])
@pytest.mark.parametrize("seed", [0, 1])
def test_log_likelihood_never_falls(model: str, options, prior, seed: int):
    fitted = fit_click_model(
        random_log(300, seed=seed), model, prior=prior, tolerance=0.0, max_iterations=200, **options
    )
    trace = np.array(fitted.fitted.trace)

    assert len(trace) > 5
    assert np.diff(trace).min() >= -1e-12 * abs(trace[-1])  # rounding


@pytest.mark.parametrize(("model", "options"), EM)
def test_the_trace_is_the_log_likelihood(model: str, options):
    log = random_log(300, seed=8)
    fitted = fit_click_model(log, model, prior=None, **options)

    assert fitted.converged
    assert fitted.fitted.trace[-1] == pytest.approx(fitted.log_likelihood(log), rel=1e-12)


@pytest.mark.parametrize("model", ["pbm", "ubm"])
def test_accelerated_em_ends_where_em_ends(model: str):
    log = random_log(300, seed=9)
    s = Sessions.of(log)
    quick = fit_click_model(s, model, prior=(2.0, 3.0), tolerance=1e-12, max_iterations=5000)
    width = s.depth + 1
    ranks = np.broadcast_to(np.arange(s.depth), s.items.shape)
    x, n_x = (ranks, s.depth) if model == "pbm" else (ranks * width + click_above(s.clicks), s.depth * width)
    table, cells = PairTable.of(s), Cells.of(s, x, n_x)
    beta = beta_prior((2.0, 3.0), table.clicks, table.impressions, table.item, len(table.item_names))
    slow = product_em(cells, np.full(len(table), 0.4), np.full(n_x, 0.5), beta, 0.5, 5000, 1e-14, accelerate=False)[2]

    assert quick.fitted.trace[-1] == pytest.approx(slow.trace[-1], rel=1e-8)
    assert quick.iterations < slow.iterations / 2


@pytest.mark.parametrize("model", ["pbm", "ubm"])
def test_examination_is_relative_to_the_first_position(model: str):
    fitted = fit_click_model(random_log(seed=2), model)
    first = fitted.examination[0] if model == "pbm" else fitted.examination[0, 0]

    assert first == 1
    assert fitted.predict([{"query": "q0", "items": ["d1"], "clicks": [0]}])[0, 0] == pytest.approx(
        value_of(fitted, "attractiveness")["q0", "d1"]
    )


def test_unfinished_fits_say_so():
    fitted = fit_click_model(random_log(seed=1), "pbm", max_iterations=1)

    assert not fitted.converged
    assert fitted.iterations == 1
    assert any("before it converged" in note for note in fitted.notes)


# likelihood, perplexity, prediction

GIVEN = {
    "pbm": lambda pairs: PBM.given(pairs, examination=[1, 0.6, 0.5, 0.2]),
    "cascade": lambda pairs: Cascade.given(pairs, noise=0.07),
    "sdbn": SDBN.given,
    "dcm": lambda pairs: DCM.given(pairs, continuation=[0.9, 0.5, 0.3, 0.2]),
    "ubm": lambda pairs: UBM.given(
        pairs, examination=[[1, 0, 0, 0, 0], [0.7, 0.9, 0, 0, 0], [0.5, 0.6, 0.8, 0, 0], [0.2, 0.3, 0.4, 0.9, 0]]
    ),
}
PAIRS = truth(1, 4, attractiveness=(0.1, 0.9), satisfaction=(0.2, 0.8))


def story(name: str, clicks: tuple[int, ...]) -> float:
    """P(clicks) on the list d2, nothing, d0, d3, by hand from the sum over what users may have done."""
    alpha = dict(zip(PAIRS["item_id"], PAIRS["attractiveness"], strict=True))
    sigma = dict(zip(PAIRS["item_id"], PAIRS["satisfaction"], strict=True))
    places = [(0, "d2"), (2, "d0"), (3, "d3")]
    theta, on = [1, 0.6, 0.5, 0.2], [0.9, 0.5, 0.3, 0.2]
    gamma = {(0, 0): 1, (2, 0): 0.5, (2, 1): 0.6, (3, 0): 0.2, (3, 1): 0.3, (3, 3): 0.9}

    def reads(i: int) -> float:
        """Of someone who examines place i."""
        if i == len(places):
            return 1.0
        k, d = places[i]
        if not clicks[i]:
            return (1 - alpha[d]) * reads(i + 1)
        stop = {"sdbn": sigma[d], "dcm": 1 - on[k]}[name]
        return alpha[d] * (stop * (not any(clicks[i + 1 :])) + (1 - stop) * reads(i + 1))

    if name in ("sdbn", "dcm"):
        return reads(0)
    p, above = 1.0, 0
    for (k, d), c in zip(places, clicks, strict=True):
        chance = {
            "pbm": alpha[d] * theta[k],
            "cascade": 0.07 if above else alpha[d],
            "ubm": alpha[d] * gamma[k, above],
        }[name]
        p *= chance if c else 1 - chance
        above = k + 1 if c else above
    return p


@pytest.mark.parametrize("name", CLICK_MODELS)
def test_likelihood_and_marginals_by_enumeration(name: str):
    model = GIVEN[name](PAIRS if name == "sdbn" else {k: v for k, v in PAIRS.items() if k != "satisfaction"})
    total, marginal = 0.0, np.zeros(4)
    for clicks in product((0, 1), repeat=3):
        seen = [clicks[0], 0, *clicks[1:]]
        session = [{"query": "q0", "items": ["d2", None, "d0", "d3"], "clicks": seen}]
        p = exp(model.log_likelihood(session))
        assert p == pytest.approx(story(name, clicks), rel=1e-12)
        total += p
        marginal += p * np.array(seen)

    assert total == pytest.approx(1, abs=1e-12)
    assert model.predict(session)[0] == pytest.approx(marginal, abs=1e-12)


def test_perplexity_by_hand_divides_by_the_sessions_that_reach_a_rank():
    model = PBM.given(
        {"query_id": ["q", "q"], "item_id": ["a", "b"], "attractiveness": [0.5, 0.5]}, examination=[1, 0.5]
    )
    log = [{"query": "q", "items": ["a"], "clicks": [1]}] * 3 + [{"query": "q", "items": ["a", "b"], "clicks": [0, 1]}]
    got = model.perplexity(log)

    assert got.by_rank == pytest.approx([2, 2 ** -log2(0.25)])
    assert got.sessions.tolist() == [4, 1]
    assert got.overall == pytest.approx((2 + 4) / 2)
    assert got.pooled == pytest.approx(2 ** (-(4 * log2(0.5) + log2(0.25)) / 5))


def test_perfect_constant_and_wrong_models():
    log = [{"query": "q", "items": ["a", "b"], "clicks": [1, 0]}]

    def pbm(a: float, b: float) -> PBM:
        return PBM.given({"query_id": ["q", "q"], "item_id": ["a", "b"], "attractiveness": [a, b]}, examination=[1, 1])

    assert pbm(1, 0).perplexity(log).overall == 1
    assert pbm(0.5, 0.5).conditional_perplexity(log).overall == pytest.approx(2)
    assert pbm(0, 0).perplexity(log).overall == np.inf
    assert pbm(0, 0).log_likelihood(log) == -np.inf


def test_conditional_perplexity_knows_the_clicks_above():
    model = Cascade.given({"query_id": ["q", "q"], "item_id": ["a", "b"], "attractiveness": [0.5, 0.8]}, noise=0.0)
    log = [{"query": "q", "items": ["a", "b"], "clicks": [1, 0]}]

    assert model.conditional_perplexity(log).by_rank == pytest.approx([2, 1])
    assert model.perplexity(log).by_rank == pytest.approx([2, 1 / (1 - 0.5 * 0.8)])


# what must not matter


@pytest.mark.parametrize("name", CLICK_MODELS)
@pytest.mark.parametrize("prior", [None, "item"])
def test_order_names_and_merging_do_not_matter(name: str, prior):
    log = LOGS[0]
    held = random_log(50, seed=11)
    new = {f"d{i}": f"x{(5 * i) % 7}" for i in range(7)} | {"q0": "z", "q1": "b", "q2": "m", None: None}

    def renamed(sessions):
        return [{**d, "query": new[d["query"]], "items": [new[i] for i in d["items"]]} for d in sessions]

    shuffled = [log[i] for i in np.random.default_rng(0).permutation(len(log))]
    plain = fit_click_model(log, name, prior=prior)
    variants = {
        "shuffled": fit_click_model(shuffled, name, prior=prior),
        "renamed": fit_click_model(renamed(log), name, prior=prior),
        "not merged": fit_click_model(Sessions.of(log, merge=False), name, prior=prior),
    }
    expected = value_of(plain, "attractiveness")
    for case, model in variants.items():
        got = value_of(model, "attractiveness")
        key = (lambda q, d: (new[q], new[d])) if case == "renamed" else (lambda q, d: (q, d))
        assert {pair: got[key(*pair)] for pair in expected} == pytest.approx(expected, abs=1e-9), case
        other = renamed(held) if case == "renamed" else held
        assert model.log_likelihood(other) == pytest.approx(plain.log_likelihood(held), rel=1e-9), case


def test_sessions_of_another_table_are_matched_by_name():
    fitted = fit_click_model(LOGS[0], "sdbn")
    part = [d for d in LOGS[0] if d["query"] == "q2" and "d0" not in d["items"]]
    alone = sum(fitted.log_likelihood([d]) for d in part)

    assert fitted.log_likelihood(part) == pytest.approx(alone, rel=1e-12)


# little evidence


@pytest.mark.parametrize("name", CLICK_MODELS)
@pytest.mark.parametrize("prior", ["item", "global", (0.5, 2.0)])
def test_sparse_queries_are_finite(name: str, prior):
    log = [{"query": f"q{i}", "items": ["a", f"d{i}"], "clicks": [i % 2, i % 5 == 0]} for i in range(40)]
    held = [
        {"query": "new", "items": ["a", "never", "d1"], "clicks": [1, 1, 1]},
        {"query": "q3", "items": ["d3", "a"], "clicks": [1, 0]},
    ]
    model = fit_click_model(log, name, prior=prior)

    assert np.isfinite(model.log_likelihood(held))
    assert np.isfinite(model.perplexity(held).by_rank).all()
    assert model.parameters["value"].is_finite().all()
    assert model.parameters["value"].is_between(0, 1.5).all()


@pytest.mark.parametrize("name", CLICK_MODELS)
@pytest.mark.parametrize("clicked", [0, 1])
@pytest.mark.parametrize("prior", [None, "item"])
def test_all_or_no_clicks_and_one_session(name: str, clicked: int, prior):
    log = [{"query": "q", "items": ["a", "b"], "clicks": [clicked, clicked]}]
    for sessions in (log, log * 5):
        model = fit_click_model(sessions, name, prior=prior)
        p = model.predict(sessions)
        assert ((p >= 0) & (p <= 1)).all()
        assert model.log_likelihood(sessions) <= 0


def test_the_item_prior_learns_from_other_queries():
    rng = np.random.default_rng(0)
    log = [
        {"query": f"q{i % 50}", "items": ["good", "bad"], "clicks": [rng.random() < 0.8, rng.random() < 0.1]}
        for i in range(1000)
    ]
    new = [{"query": "new", "items": ["good", "bad"], "clicks": [0, 0]}]
    by_item, overall = (fit_click_model(log, "pbm", prior=prior).predict(new)[0] for prior in ("item", "global"))

    assert by_item[0] > 3 * by_item[1]
    assert overall[0] / overall[1] < by_item[0] / by_item[1]


def test_a_pair_is_not_in_its_own_prior():
    """Item 0 under query 0 has 9 of 10, under query 1 1 of 10; s = 4: the other query counts for 10·4/14 trials."""
    c, n = np.array([9.0, 1.0, 5.0]), np.array([10.0, 10.0, 10.0])
    s = moments_strength(c, n)
    beta = beta_prior("item", c, n, np.array([0, 0, 1]), 2)
    m, worth = 15.5 / 31, 10 * s / (10 + s)

    assert beta.mean == pytest.approx([(0.1 * worth + s * m) / (worth + s), (0.9 * worth + s * m) / (worth + s), m])
    assert beta.item == pytest.approx([(worth + s * m) / (2 * worth + s), (0.5 * worth + s * m) / (worth + s)])


def test_strength_of_the_prior_is_that_of_the_simulated_beta():
    """Beta(2, 6), s = 8, 4,000 pairs of 30: the standard error over 20 simulations is about 0.35."""
    rng = np.random.default_rng(0)
    found = [
        moments_strength(rng.binomial(30, rng.beta(2, 6, 4000)).astype(float), np.full(4000, 30.0)) for _ in range(20)
    ]

    assert abs(np.mean(found) - 8) < 3 * np.std(found, ddof=1) / np.sqrt(20) + 0.05


def test_strength_where_it_cannot_be_estimated():
    assert moments_strength(np.array([0.0, 0.0]), np.array([3.0, 4.0])) == 2
    assert moments_strength(np.array([1.0, 0.0]), np.array([1.0, 1.0])) == 2
    assert moments_strength(np.array([5.0, 5.0]), np.array([10.0, 10.0])) == 1000
    assert moments_strength(np.array([99.0, 0.0]), np.array([99.0, 99.0])) == 0.5


# notes and refusals


def test_items_that_never_move_are_noted():
    log = [{"query": "q", "items": ["a", "b", "c"], "clicks": [i % 2, 0, 1]} for i in range(9)]
    moved = [*log, {"query": "q", "items": ["b", "a"], "clicks": [1, 0]}]

    assert "no item joins position 1 with 2, 3" in fit_click_model(log, "pbm").notes[0]
    assert "no item joins position 1 with 3:" in fit_click_model(moved, "ubm").notes[0]
    assert fit_click_model([*moved, {"query": "q", "items": ["c"], "clicks": [1]}], "pbm").notes == ()


def test_cascade_notes_second_clicks():
    log = [{"query": "q", "items": ["a", "b"], "clicks": [1, 1]}, {"query": "q", "items": ["a", "b"], "clicks": [1, 0]}]
    (note,) = fit_click_model(log, "cascade").notes

    assert note.startswith("1 of 2 sessions have more than one click")
    assert "1 个点击多于一次" in note.zh


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"kind": "sbdn"}, UnknownName, "unknown click model 'sbdn'. Did you mean sdbn?"),
        ({"prior": "items"}, ParameterError, "`prior` must be 'item', 'global'"),
        ({"prior": (0, 1)}, ParameterError, "`prior` must be"),
        ({"estimator": "mle"}, ParameterError, "`estimator` must be 'closed form' or 'em'"),
        ({"kind": "pbm", "estimator": "em"}, ParameterError, "pbm: no option 'estimator'"),
        ({"kind": "pbm", "max_iterations": 0}, ParameterError, "`max_iterations` must be a positive integer"),
        ({"kind": "ubm", "tolerance": -1}, ParameterError, "`tolerance` must be a number from 0 up"),
    ],
)
def test_wrong_options_are_refused(options, error, message: str):
    with pytest.raises(error, match=message.replace("?", r"\?")):
        fit_click_model(LOGS[0], **options)


def test_wrong_parameters_are_refused():
    pairs = {"query_id": ["q"], "item_id": ["a"], "attractiveness": [0.5]}
    with pytest.raises(InputError, match="sdbn: pairs must have a column 'satisfaction'"):
        SDBN.given(pairs)
    with pytest.raises(InputError, match="pbm: `examination` must be probabilities"):
        PBM.given(pairs, examination=[1.2])
    with pytest.raises(InputError, match="dcm: `continuation` must be given"):
        DCM.given(pairs)
    with pytest.raises(InputError, match="attractiveness must be between 0 and 1"):
        PBM.given({**pairs, "attractiveness": [2.0]}, examination=[1.0])
    with pytest.raises(InputError, match="simulate: lists must be"):
        PBM.given(pairs, examination=[1.0]).simulate([1], 3, rng=0)


def test_below_the_depth_of_the_fit_the_last_position_holds_on():
    short = [{"query": "q", "items": ["a", "b"], "clicks": [i % 2, i % 3 == 0]} for i in range(30)]
    long = [{"query": "q", "items": ["a", "b", "a", "b"], "clicks": [1, 0, 0, 1]}]
    for name in CLICK_MODELS:
        assert np.isfinite(fit_click_model(short, name).log_likelihood(long))
    pbm = fit_click_model(short, "pbm")
    p = pbm.predict(long)[0]
    assert p[3] == pytest.approx(p[1])


# simulation


@pytest.mark.parametrize("name", CLICK_MODELS)
def test_simulated_clicks_follow_the_predictions(name: str):
    """Shares of clicks by position, within 4 standard errors of the binomial distribution."""
    model = GIVEN[name](PAIRS if name == "sdbn" else {k: v for k, v in PAIRS.items() if k != "satisfaction"})
    n = 20_000
    drawn = model.simulate({"query": "q0", "items": ["d2", None, "d0", "d3"]}, n, rng=3)
    p = model.predict(drawn)[0]
    share = drawn.weight @ drawn.clicks / n

    assert drawn.n == n
    assert share[1] == 0
    assert np.all(np.abs(share - p) <= 4 * np.sqrt(p * (1 - p) / n))


def test_simulating_draws_each_list_as_often_as_asked():
    model = PBM.given(truth(attractiveness=(0.1, 0.9)), examination=[1] * 6)
    shown_lists = [{**d, "weight": 1 + i % 3} for i, d in enumerate(lists(n=5))]

    assert model.simulate(shown_lists, None, rng=0).n == sum(d["weight"] for d in shown_lists)
    assert model.simulate(shown_lists, 77, rng=0).n == 77


def test_log_likelihood_of_a_session_is_the_sum_of_its_parts():
    model = PBM.given(
        {"query_id": ["q", "q"], "item_id": ["a", "b"], "attractiveness": [0.5, 0.2]}, examination=[1, 0.5]
    )

    assert model.log_likelihood([{"query": "q", "items": ["a", "b"], "clicks": [1, 0], "weight": 3}]) == pytest.approx(
        3 * (log(0.5) + log(1 - 0.1))
    )
