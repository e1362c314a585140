"""Relevance, raw and corrected for positions."""

from typing import Any

import numpy as np
import pytest

from rankgauge.behavior.bias.correction import CORRECTIONS, Corrected, qrels_of, relevance
from rankgauge.behavior.bias.counts import Counts
from rankgauge.behavior.bias.position_bias import PositionBias, position_bias
from rankgauge.behavior.bias.simulation import simulate_pbm
from rankgauge.errors import InputError, ParameterError, UnknownName

THETA = np.array([1, 0.6, 0.4, 0.3, 0.2])


def known_bias(*rates: int) -> PositionBias:
    """θ known nearly for certain: a randomised bucket of a million impressions of each position."""
    n = len(rates)
    size = [10**12] * n
    clicks = [r * 10**10 for r in rates]
    return position_bias(
        Counts.from_arrays(["q"] * n, ["x"] * n, range(1, n + 1), size, clicks, is_randomised=True), "randomised"
    )


def small() -> Counts:
    """a: at 1 and 2; b: at 2 only."""
    return Counts.from_arrays(["q"] * 3, ["a", "a", "b"], [1, 2, 2], [100, 300, 50], [30, 60, 4])


def test_all_methods_by_hand():
    got = relevance(small(), known_bias(50, 25))

    assert got["raw"].tolist() == pytest.approx([90 / 400, 4 / 50])
    assert got["ips"].tolist() == pytest.approx([(30 + 60 / 0.5) / 400, 8 / 50])
    assert got["snips"].tolist() == pytest.approx([90 / (100 + 150), 4 / 25])
    assert got["clipped"].tolist() == pytest.approx(got["ips"].tolist())
    rate_1, rate_2 = 30 / 100, 64 / 350
    assert got["coec"].tolist() == pytest.approx([90 / (100 * rate_1 + 300 * rate_2), 4 / (50 * rate_2)])
    assert got.examinations.tolist() == pytest.approx([250, 25])


def test_clipping_shows_its_mass():
    got = relevance(small(), known_bias(50, 25), clip=1.5)

    assert got["clipped"].tolist() == pytest.approx([(30 + 60 * 1.5) / 400, 4 * 1.5 / 50])
    assert got.mass_clipped == pytest.approx(1 - (30 + 64 * 1.5) / (30 + 64 * 2))
    assert got.clicks_clipped == pytest.approx(64 / 94)
    assert relevance(small(), known_bias(50, 25)).mass_clipped == 0


def test_raw_is_always_beside():
    got = relevance(small(), known_bias(50, 25), ["snips"])

    assert got.methods == ("raw", "snips")
    assert {"query_id", "item_id", "impressions", "clicks", "raw", "snips", "snips_low", "snips_high"} <= set(
        got.frame.columns
    )
    assert got.frame["item_id"].to_list() == ["a", "b"]


def test_interval_of_raw_is_wilsons():
    from scipy.stats import binomtest

    got = relevance(small(), known_bias(50, 25))
    wilson = binomtest(90, 400).proportion_ci(0.95, method="wilson")

    assert (got.low["raw"][0], got.high["raw"][0]) == pytest.approx((wilson.low, wilson.high), rel=1e-6)


@pytest.mark.parametrize("method", ["snips", "ips"])
def test_limits_solve_their_equation(method):
    """(X - γ)² = z² Var[X] at γ, the variance summed over positions."""
    got = relevance(small(), known_bias(50, 25))
    n, theta = np.array([100, 300]), np.array([1, 0.5])
    for limit in (got.low[method][0], got.high[method][0]):
        p = theta * limit
        weight = np.ones(2) / (theta @ n) if method == "snips" else 1 / theta / n.sum()
        variance = (weight**2 * n * p * (1 - p)).sum()
        assert (got[method][0] - limit) ** 2 == pytest.approx(1.959964**2 * variance, rel=1e-4)


def test_no_clicks_have_an_upper_limit():
    counts = Counts.from_arrays(["q"] * 2, ["a", "b"], [1, 2], [100, 100], [5, 0])

    got = relevance(counts, known_bias(50, 25))

    for method in ("raw", "ips", "snips", "clipped"):
        assert got[method][1] == 0 == got.low[method][1]
        assert 0 < got.high[method][1] < 0.2
    assert np.isnan(got["coec"][1])  # nothing was ever clicked there, and nothing expected


def test_uncertain_propensities_widen_the_interval():
    counts = Counts.from_arrays(["q"] * 2, ["a", "b"], [1, 2], [10_000] * 2, [2000, 1000])
    few = Counts.from_arrays(["q"] * 2, ["x"] * 2, [1, 2], [400, 400], [200, 100], is_randomised=True)

    sure = relevance(counts, known_bias(50, 25))
    unsure = relevance(counts, position_bias(few, "randomised"))

    for method in ("ips", "snips", "clipped"):
        assert unsure[method] == pytest.approx(sure[method])
        width = np.log(unsure.high[method] / unsure.low[method]) / 2
        alone = np.log(sure.high[method] / sure.low[method]) / 2
        assert width[0] == pytest.approx(alone[0], rel=1e-3)  # all at the first position, where θ is 1
        extra = 1.959964**2 * (1 / 200 - 1 / 400 + 1 / 100 - 1 / 400)
        assert width[1] == pytest.approx(np.sqrt(alone[1] ** 2 + extra), rel=2e-2)


def test_a_clipped_weight_does_not_depend_on_the_propensity():
    counts = Counts.from_arrays(["q"] * 2, ["a", "b"], [1, 2], [10_000] * 2, [2000, 1000])
    few = Counts.from_arrays(["q"] * 2, ["x"] * 2, [1, 2], [400, 400], [200, 100], is_randomised=True)

    sure = relevance(counts, known_bias(50, 25), clip=1.5)
    unsure = relevance(counts, position_bias(few, "randomised"), clip=1.5)

    assert unsure.high["clipped"] == pytest.approx(sure.high["clipped"], rel=1e-6)
    assert unsure.high["ips"][1] > sure.high["ips"][1] * 1.1


def test_coverage_of_intervals():
    hits = {m: [] for m in ("ips", "snips")}
    for rng in range(40):
        truth = simulate_pbm(60, 8, THETA, requests=150, rng=rng)
        got = relevance(truth.counts, position_bias(truth.counts))
        gamma = truth.relevance_of(truth.counts)
        for m, found in hits.items():
            found.append(np.mean((got.low[m] <= gamma) & (got.high[m] >= gamma)))

    for found in hits.values():
        assert 0.93 < np.mean(found) < 0.97


def correlations(noise: tuple[float, ...]) -> dict[str, float]:
    truth = simulate_pbm(1000, 20, noise=noise, requests=1000, rng=5)  # 30,000,000 impressions, θ = 1/k
    got = relevance(truth.counts, position_bias(truth.counts, "em"))
    gamma = truth.relevance_of(truth.counts)
    return {m: float(np.corrcoef(got[m], gamma)[0, 1]) for m in got.methods}


def test_corrected_is_nearer_to_the_truth_than_raw():
    """Three rankers, the best of them good. An independent study had .868 raw, .765 coec, .992 snips."""
    found = correlations((0.05, 0.1, 0.2))

    assert found["snips"] > 0.98
    assert found["snips"] > found["raw"] + 0.05
    assert found["snips"] >= found["ips"]
    assert found["coec"] < found["raw"] < 0.9


def test_coec_is_fine_when_rankers_are_poor():
    found = correlations((1.0, 1.0, 1.0))

    assert found["coec"] > found["raw"]
    assert found["snips"] > found["coec"] - 0.01


def test_positions_without_propensity_are_left_to_raw():
    bias = known_bias(50, 25)
    counts = Counts.from_arrays(["q"] * 4, ["a", "a", "b", "c"], [1, 7, 2, 9], [100, 50, 50, 10], [30, 10, 4, 5])

    got = relevance(counts, bias)

    assert got["raw"].tolist() == pytest.approx([40 / 150, 4 / 50, 5 / 10])
    assert got["snips"][:2].tolist() == pytest.approx([0.3, 4 / 25])
    assert np.isnan(got["snips"][2])
    assert got.frame["snips"].null_count() == 1
    assert got.impressions_used.tolist() == [100, 50, 0]
    assert "60 of 210 impressions are at positions without a propensity (7, 9)" in got.notes[0]


def test_naive_propensities_are_said():
    counts = simulate_pbm(20, 8, THETA, requests=50, rng=1).counts

    got = relevance(counts, position_bias(counts, "naive"))

    assert got.notes[0].startswith("corrected by naive propensities")
    assert got["snips"] == pytest.approx(got["coec"] * got.bias.click_rate[0])  # the same but for the scale


def test_bias_of_another_behaviour_is_said():
    table = {
        "query_id": ["q"] * 2,
        "item_id": ["a", "b"],
        "position": [1, 2],
        "purchase": [True, False],
    }

    got = relevance(table, known_bias(50, 25), behaviour="purchase")

    assert any("estimated from click, and correct purchase" in note for note in got.notes)


def test_coec_is_labelled():
    assert any(note.startswith("coec is for compatibility") for note in relevance(small(), known_bias(50, 25)).notes)
    assert relevance(small(), known_bias(50, 25), ["snips"]).notes == ()


def test_order_and_names_change_nothing():
    counts = simulate_pbm(20, 8, THETA, requests=50, rng=1).counts
    bias = position_bias(counts)
    rows = counts.to_frame()
    shuffled = relevance(rows.sample(fraction=1, shuffle=True, seed=2), bias)
    renamed = relevance(rows.with_columns(query_id="z" + rows["query_id"].str.reverse()), bias)

    first = relevance(counts, bias)

    assert first.frame.equals(shuffled.frame)
    for m in CORRECTIONS:
        assert np.sort(first[m]) == pytest.approx(np.sort(renamed[m]), rel=1e-12)


def test_nothing_at_known_positions():
    counts = Counts.from_arrays(["q"], ["a"], [9], [10], [1])

    with pytest.raises(InputError, match=r"with a propensity \(1–2\), got positions 9"):
        relevance(counts, known_bias(50, 25))


@pytest.mark.parametrize(("given", "said"), [({"clip": 0.5}, "clip"), ({"methods": ["dm"]}, "'dm'")])
def test_wrong_arguments(given, said):
    with pytest.raises(ParameterError, match=said):
        relevance(small(), known_bias(50, 25), **given)


def test_methods_that_were_not_asked_for():
    with pytest.raises(UnknownName, match="no relevance by 'ips'"):
        relevance(small(), known_bias(50, 25), ["snips"])["ips"]


def test_stored():
    stored = relevance(small(), known_bias(50, 25)).to_dict()

    assert stored["pairs"][0]["item_id"] == "a"
    assert stored["bias"]["method"] == "randomised"
    assert stored["clip"] == 10


# judgements


def five_items() -> Corrected:
    """snips .5, .4, .25, .05, 0 in q; .02 in r; s was shown five times."""
    return relevance(
        Counts.from_arrays(
            ["q"] * 5 + ["r", "s"], [*"abcde", "a", "a"], [1] * 7, [100] * 6 + [5], [50, 40, 25, 5, 0, 2, 5]
        ),
        known_bias(50, 25),
    )


def test_grades_by_share_of_the_best():
    qrels = qrels_of(five_items(), unclear="keep")

    assert qrels.to_dict() == {"q": {"a": 3, "b": 3, "c": 2, "d": 0, "e": 0}, "r": {"a": 3}}
    assert any("1 of 7 pairs not judged: fewer than 10 impressions" in note for note in qrels.notes)


def test_grades_by_relevance():
    qrels = qrels_of(five_items(), scale="absolute", levels=(0.02, 0.4), unclear="keep")

    assert qrels.to_dict() == {"q": {"a": 2, "b": 2, "c": 1, "d": 1, "e": 0}, "r": {"a": 1}}


def test_grades_by_quantile():
    """The median of .5 .4 .25 .05 .02 0 is .15."""
    qrels = qrels_of(five_items(), scale="quantile", levels=(0.5,), unclear="keep")

    assert qrels.to_dict() == {"q": {"a": 1, "b": 1, "c": 1, "d": 0, "e": 0}, "r": {"a": 0}}


def test_nothing_clicked_is_grade_0_even_above_a_quantile():
    counts = Counts.from_arrays(["q"] * 4, list("abcd"), [1] * 4, [100] * 4, [9, 0, 0, 0])

    qrels = qrels_of(relevance(counts, known_bias(50, 25)), scale="quantile", levels=(0.5,), unclear="keep")  # it is 0

    assert qrels.to_dict() == {"q": {"a": 1, "b": 0, "c": 0, "d": 0}}


def test_impressions_at_unknown_positions_are_no_evidence():
    counts = Counts.from_arrays(["q"] * 3, ["a", "b", "b"], [1, 1, 9], [100, 5, 95], [30, 2, 20])
    got = relevance(counts, known_bias(50, 25))

    assert qrels_of(got, "snips", unclear="keep").to_dict() == {"q": {"a": 3}}
    assert qrels_of(got, "raw", unclear="keep").to_dict() == {"q": {"a": 3, "b": 2}}


def test_more_impressions_needed():
    assert set(qrels_of(five_items(), min_impressions=1, unclear="keep").to_dict()) == {"q", "r", "s"}
    with pytest.raises(InputError, match="the most is 100"):
        qrels_of(five_items(), min_impressions=1000)


def test_queries_without_clicks_have_grade_0():
    counts = Counts.from_arrays(["q", "r"], ["a", "a"], [1, 1], [100, 100], [0, 9])

    assert qrels_of(relevance(counts, known_bias(50, 25)), unclear="keep").to_dict() == {"q": {"a": 0}, "r": {"a": 3}}


def test_corrected_grades_differ_from_raw_ones():
    """a is shown on top, b below; who looks likes b better."""
    counts = Counts.from_arrays(["q"] * 2, ["a", "b"], [1, 2], [100, 100], [20, 15])
    got = relevance(counts, known_bias(100, 25))

    assert qrels_of(got, "raw", unclear="keep").to_dict() == {"q": {"a": 3, "b": 2}}
    assert qrels_of(got, "snips", unclear="keep").to_dict() == {"q": {"a": 1, "b": 3}}


def test_queries_whose_items_differ_by_chance_are_not_judged():
    counts = Counts.from_arrays(
        ["q"] * 3 + ["r"] * 3, [*"abcabc"], [1] * 6, [100, 100, 100, 12, 12, 12], [50, 20, 0, 1, 0, 0]
    )

    got = qrels_of(relevance(counts, known_bias(50, 25)))

    assert got.to_dict() == {"q": {"a": 3, "b": 1, "c": 0}}
    assert any(n.startswith("3 of 6 pairs not judged: the items of the query differ by no more") for n in got.notes)


def test_what_stood_below_is_held_against_fewer_examinations():
    """Twice as many clicks where twice as many look say nothing, four times as many do."""
    said = []
    for clicks in (60, 120):
        counts = Counts.from_arrays(["q"] * 2, ["a", "b"], [1, 2], [400, 400], [clicks, 30])
        found = relevance(counts, known_bias(50, 25))
        said.append([can_be_judged(found, m) for m in ("snips", "raw")])

    assert said == [[False, True], [True, True]]


def can_be_judged(found: Any, method: str) -> bool:
    try:
        return bool(qrels_of(found, method).to_dict())
    except InputError:
        return False


def test_an_interval_from_the_lowest_grade_to_the_highest_is_no_judgement():
    counts = Counts.from_arrays(["q"] * 3, [*"abc"], [1] * 3, [1000, 1000, 10], [100, 5, 1])

    got = qrels_of(relevance(counts, known_bias(50, 25)))

    assert got.to_dict() == {"q": {"a": 3, "b": 0}}
    assert any(n.startswith("1 of 3 pairs not judged: the interval reaches from the lowest") for n in got.notes)


@pytest.mark.parametrize(
    "options",
    [
        {"unclear": "drop"},
        {"scale": "rank"},
        {"levels": ()},
        {"levels": (0.5, 0.2)},
        {"levels": (0.5, 2)},
        {"levels": (0, 0.5)},
        {"levels": (0.2, "0.5", 0.8)},
    ],
)
def test_wrong_scales_and_levels(options):
    with pytest.raises(ParameterError, match=r"scale|levels|unclear"):
        qrels_of(five_items(), **options)
