"""The model that made the clicks wins on held-out sessions; what the record says."""

import gzip
import json
from math import isfinite, sqrt

import numpy as np
import polars as pl
import pytest

from behavior.click_logs import lists, random_log, truth
from rankgauge.behavior.click_models import (
    CLICK_MODELS,
    DCM,
    PBM,
    SDBN,
    UBM,
    Cascade,
    compare_click_models,
    fit_click_model,
)
from rankgauge.behavior.click_models.sessions import Sessions
from rankgauge.errors import InputError, ParameterError, UnknownName

N = 25
SHOWN = lists(N, 6, 6, 12)
ALPHA = truth(N, 6, attractiveness=(0.1, 0.7))
BOTH = truth(N, 6, attractiveness=(0.1, 0.7), satisfaction=(0.3, 0.9))
THETA = [1.0, 0.7, 0.5, 0.35, 0.25, 0.2]
GAMMA = [[THETA[k] * (0.2 + 0.8 * j / k if j else 1.0) if j <= k else 0.0 for j in range(7)] for k in range(6)]
MAKERS = {
    "pbm": lambda: PBM.given(ALPHA, examination=THETA),
    "cascade": lambda: Cascade.given(ALPHA, noise=0.01),
    "sdbn": lambda: SDBN.given(BOTH),
    "dcm": lambda: DCM.given(ALPHA, continuation=[0.95, 0.8, 0.6, 0.4, 0.2, 0.1]),
    "ubm": lambda: UBM.given(ALPHA, examination=GAMMA),
}


@pytest.mark.parametrize(
    ("true", "wrong"),
    [
        ("sdbn", "pbm"),
        ("sdbn", "dcm"),
        ("pbm", "sdbn"),
        ("pbm", "cascade"),
        ("ubm", "pbm"),
        ("dcm", "pbm"),
        ("cascade", "pbm"),
    ],
)
def test_the_wrong_model_loses_on_held_out_perplexity(true: str, wrong: str):
    drawn = MAKERS[true]().simulate(SHOWN, 15_000, rng=1)
    got = compare_click_models(drawn, [wrong, true])

    assert got.best == true
    assert got[wrong].surely_behind
    assert got[true].perplexity < got[wrong].perplexity
    assert got[true].conditional_perplexity < got[wrong].conditional_perplexity
    assert got.clustered_by == "query"


def test_ubm_without_its_memory_is_pbm():
    """On clicks of a PBM the two agree, and UBM cannot be surely better."""
    got = compare_click_models(MAKERS["pbm"]().simulate(SHOWN, 15_000, rng=2), ["ubm", "pbm"])

    assert got["ubm"].perplexity == pytest.approx(got["pbm"].perplexity, abs=2e-3)
    assert not (got.best == "ubm" and got["pbm"].surely_behind)


def test_numbers_are_those_of_the_models():
    log = Sessions.of(random_log(400, seed=3))
    got = compare_click_models(log, ["sdbn", "pbm"], rng=5)
    fit, held = log.split(0.25, rng=5)
    models = {"sdbn": fit_click_model(fit, "sdbn", estimator="em"), "pbm": fit_click_model(fit, "pbm")}
    for name, model in models.items():
        assert got[name].log_likelihood == pytest.approx(model.log_likelihood(held), rel=1e-12)
        assert got[name].perplexity == pytest.approx(model.perplexity(held).overall, rel=1e-12)
        assert got[name].conditional_perplexity_by_rank == pytest.approx(
            model.conditional_perplexity(held).by_rank, rel=1e-12
        )
    best, other = got.models
    # the paired difference session by session, as if none were merged
    d = np.repeat(models[best.name].log_likelihoods(held) - models[other.name].log_likelihoods(held), held.weight)
    assert got.clustered_by == "session"
    assert other.behind == pytest.approx(d.mean())
    half = (other.interval.high - other.interval.low) / 2
    assert half == pytest.approx(1.984 * d.std(ddof=1) / sqrt(100), rel=1e-3)  # t with 99 degrees of freedom
    assert best.behind == 0


def test_intervals_are_clustered_by_query():
    drawn = MAKERS["sdbn"]().simulate(SHOWN, 4_000, rng=4)
    got = compare_click_models(drawn, ["sdbn", "pbm"], rng=0, options={"sdbn": {"estimator": "closed form"}})
    fit, held = drawn.split(0.25, rng=0)
    best, other = got.models
    d = fit_click_model(fit, best.name).log_likelihoods(held) - fit_click_model(fit, other.name).log_likelihoods(held)
    mean = (d * held.weight).sum() / held.n
    sums = np.array([((d - mean) * held.weight)[held.query == q].sum() / held.n for q in range(N)])
    error = sqrt((sums**2).sum() * N / (N - 1))

    assert (other.interval.high - other.interval.low) / 2 == pytest.approx(2.0639 * error, rel=1e-4)  # t, 24 degrees


def test_held_out_queries_fall_back_to_the_prior():
    drawn = MAKERS["sdbn"]().simulate(SHOWN, 5_000, rng=4)
    got = compare_click_models(drawn, by="query")

    assert all(isfinite(j.log_likelihood) for j in got.models)
    assert got.n_queries == 6


def test_impossible_clicks_are_infinitely_behind_not_an_error():
    """The only session with two clicks is held out: without a prior, cascade has never seen such a thing."""
    log = [{"query": "q", "items": ["a", "b"], "clicks": c} for c in ([1, 0], [0, 1]) for _ in range(50)]
    s = Sessions.of([*log, {"query": "q", "items": ["a", "b"], "clicks": [1, 1]}])
    seed = next(seed for seed in range(100) if (s.split(0.25, seed)[1].clicks.sum(axis=1) == 2).any())
    got = compare_click_models(s, ["cascade", "pbm"], prior=None, rng=seed)

    assert got.best == "pbm"
    assert got["cascade"].behind == float("inf")
    assert not got["cascade"].surely_behind  # no interval, nothing sure
    assert json.loads(got.to_json())["models"][1]["behind"] is None


def test_the_record_is_plain_data_in_two_languages():
    got = compare_click_models(random_log(300), ["pbm", "sdbn", "cascade"])
    stored = json.loads(got.to_json())

    assert [m["name"] for m in stored["models"]] == [j.name for j in got.models]
    assert stored["best"] == got.best == got.models[0].name
    assert got.to_frame()["model"].to_list() == [j.name for j in got.models]
    assert got.by_rank().height == 3 * 5
    assert "held-out sessions best" in got.reason
    assert "留出会话" in got.reason.zh
    assert any("only 3 queries" in note for note in got.notes)
    assert got.to_frame()["log_likelihood"].is_sorted(descending=True)


def test_counting_is_judged_where_it_is_asked_for():
    drawn = MAKERS["dcm"]().simulate(SHOWN, 4_000, rng=6)
    exact = compare_click_models(drawn, ["dcm", "pbm"])
    counted = compare_click_models(drawn, ["dcm", "pbm"], options={"dcm": {"estimator": "closed form"}})

    assert exact["dcm"].log_likelihood > counted["dcm"].log_likelihood
    assert exact["pbm"].log_likelihood == counted["pbm"].log_likelihood
    assert "dcm fitted by EM" in exact.notes[0]
    assert "EM" not in "".join(counted.notes)


def test_one_model_is_the_only_one():
    assert compare_click_models(random_log(50), "pbm").reason == "pbm is the only one judged"


def test_the_draw_is_that_of_rng():
    log = random_log(200)
    first, again, other = (compare_click_models(log, ["pbm", "dcm"], rng=r).to_dict() for r in (1, 1, 2))

    assert first == again != other


def test_what_cannot_be_compared_is_refused():
    log = random_log(20)
    with pytest.raises(UnknownName, match=r"unknown click model 'pmb'\. Did you mean pbm"):
        compare_click_models(log, ["pmb"])
    with pytest.raises(ParameterError, match="must name a model or more"):
        compare_click_models(log, [])
    with pytest.raises(ParameterError, match="`share` must be between 0 and 1"):
        compare_click_models(log, held_out=0)
    with pytest.raises(InputError, match="at least 2 sessions"):
        compare_click_models(log[:1])
    with pytest.raises(UnknownName, match="'ubm' was not judged"):
        compare_click_models(log, ["pbm"])["ubm"]


@pytest.mark.parametrize("name", ["dryer", "transformers_dark_of_the_moon"])
def test_sessions_of_a_shop(shared, name: str):
    """Believed to be simulated clicks: shown to run end to end, not to say how people behave."""
    path = shared / "retrotech_sessions" / f"{name}_sessions.gz"
    rows = pl.read_csv(gzip.decompress(path.read_bytes()), schema_overrides={"clicked_doc_id": pl.String})
    columns = {"sess_id": "request_id", "query": "query_id", "clicked_doc_id": "item_id", "rank": "position"}
    sessions = Sessions.of(rows.with_columns(pl.col("rank") + 1), columns=columns | {"clicked": "click"})
    got = compare_click_models(sessions)

    assert sessions.n == 5000
    assert (sessions.lengths == {"dryer": 20}.get(name, 15)).all()
    assert {j.name for j in got.models} == set(CLICK_MODELS)
    assert all(isfinite(j.log_likelihood) and 1 < j.perplexity < 2 for j in got.models)
    constant = sessions.weight @ sessions.clicks / sessions.n  # the click rate of each position, items unknown
    bits = -(constant * np.log2(constant) + (1 - constant) * np.log2(1 - constant))
    assert got.models[0].perplexity < (2**bits).mean() + 0.01
