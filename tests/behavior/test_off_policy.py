"""Values of policies that were not shown: simulations with known truth, the sums written out, and refusals."""

from __future__ import annotations

from math import sqrt

import numpy as np
import polars as pl
import pytest

from rankgauge._text import Text
from rankgauge.behavior.counterfactual.off_policy import CLIPS, off_policy
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.statistics.intervals import t_quantile

approx = pytest.approx
ITEMS = 4
LOGGED = np.array([0.5, 0.25, 0.15, 0.1])
TARGET = np.array([0.1, 0.2, 0.3, 0.4])
QUALITY = np.array([0.15, 0.25, 0.4, 0.5])
TRUTH = float(TARGET @ QUALITY)


def simulated(rng: np.random.Generator, users: int = 60, rows: int = 6) -> dict[str, np.ndarray]:
    """Users have a taste of their own, so that their rows are alike; the truth is the mean over users."""
    user = np.repeat(np.arange(users), rows)
    taste = rng.uniform(-0.14, 0.14, users)[user]
    shown = rng.choice(ITEMS, len(user), p=LOGGED)
    click = rng.random(len(user)) < QUALITY[shown] + taste
    return {
        "user_id": user,
        "item_id": shown,
        "click": click,
        "propensity": LOGGED[shown],
        "target_propensity": TARGET[shown],
        "q": QUALITY[shown],
        "q_target": np.full(len(user), TRUTH),
    }


def naive(log: dict[str, np.ndarray], level: float = 0.95) -> dict[str, tuple[float, float]]:
    """Value and standard error, row by row and user by user."""
    r = [float(x) for x in log["click"]]
    w = [t / p for t, p in zip(log["target_propensity"], log["propensity"], strict=True)]
    n = len(r)
    v_ips = sum(a * b for a, b in zip(w, r, strict=True)) / n
    v_sn = sum(a * b for a, b in zip(w, r, strict=True)) / sum(w)
    dr = [log["q_target"][i] + w[i] * (r[i] - log["q"][i]) for i in range(n)]
    v_dr = sum(dr) / n
    parts = {
        "IPS": (v_ips, [(w[i] * r[i] - v_ips) / n for i in range(n)]),
        "SNIPS": (v_sn, [w[i] * (r[i] - v_sn) / sum(w) for i in range(n)]),
        "DR": (v_dr, [(dr[i] - v_dr) / n for i in range(n)]),
    }
    out = {}
    for name, (value, influence) in parts.items():
        by_user: dict[int, float] = {}
        for i in range(n):
            by_user[int(log["user_id"][i])] = by_user.get(int(log["user_id"][i]), 0.0) + influence[i]
        c = len(by_user)
        out[name] = (value, sqrt(sum(x * x for x in by_user.values()) * c / (c - 1)))
    return out


def estimate(log: dict[str, np.ndarray], **options: object):
    return off_policy(log, user="user_id", model="q", target_model="q_target", **options)


def test_estimates_equal_the_sums_written_out():
    log = simulated(np.random.default_rng(1))

    found = estimate(log)

    for name, (value, error) in naive(log).items():
        half = t_quantile(0.975, 59) * error
        assert found[name].value == approx(value, rel=1e-12)
        assert found[name].error == approx(error, rel=1e-10)
        assert found[name].interval == approx((value - half, value + half), rel=1e-9)
    assert found["DM"].value == approx(TRUTH)
    assert found.logging.value == approx(log["click"].mean())


def test_diagnostics_equal_the_sums_written_out():
    log = simulated(np.random.default_rng(2))
    w = log["target_propensity"] / log["propensity"]

    found = estimate(log)

    assert found.effective == approx(w.sum() ** 2 / (w**2).sum())
    assert found.effective_share == approx(found.effective / len(w))
    assert found.largest_share == approx(w.max() / w.sum())
    assert found.mean_weight.value == approx(w.mean())
    rewards = (w * log["click"]).tolist()
    assert found.effective_rewards == approx(sum(rewards) ** 2 / sum(x * x for x in rewards))
    assert found.unsupported == 0
    assert [s.clip for s in found.sweep] == list(CLIPS)
    for step in found.sweep:
        cut = np.minimum(w, step.clip)
        assert step.ips == approx((cut * log["click"]).mean())
        assert step.snips == approx((cut * log["click"]).sum() / cut.sum())
        assert step.mass_clipped == approx(1 - cut.sum() / w.sum(), abs=1e-12)
    assert (found.sweep[-1].snips, found.sweep[-1].snips_low) == (found["SNIPS"].value, found["SNIPS"].low)


def test_clip_changes_the_estimates_and_is_told():
    log = simulated(np.random.default_rng(2))

    found = estimate(log, clip=2)

    assert found["SNIPS"].value == found.sweep[1].snips != found.sweep[-1].snips
    assert found.mass_clipped == found.sweep[1].mass_clipped > 0
    assert any("weights above 2 were cut" in note for note in found.notes)
    assert found.effective == estimate(log).effective  # of the weights as they are


def test_difference_from_the_logged_policy_is_paired():
    log = simulated(np.random.default_rng(3))
    found = estimate(log)
    n, v, raw = len(log["click"]), found["IPS"].value, found.logging.value
    w = log["target_propensity"] / log["propensity"]
    each = ((w - 1) * log["click"] - (v - raw)) / n
    sums = np.bincount(log["user_id"], each)

    assert found.difference("IPS").value == approx(v - raw)
    assert found.difference("IPS").error == approx(sqrt((sums**2).sum() * 60 / 59))


def test_same_policy_has_weights_of_one():
    log = simulated(np.random.default_rng(4))
    log["target_propensity"] = log["propensity"]

    found = estimate(log)

    assert found["IPS"].value == found["SNIPS"].value == found.logging.value
    assert found["SNIPS"].interval == approx(found.logging.interval)
    assert found.effective == len(log["click"])


@pytest.mark.long("simulations of error rates and coverage")
def test_intervals_cover_the_truth_with_users_who_return():
    """600 logs of 60 users: coverage within 3 binomial standard errors (.0089 each) of 95%."""
    rng = np.random.default_rng(5)
    inside = dict.fromkeys(("IPS", "SNIPS", "DR"), 0)
    values: dict[str, list[float]] = {name: [] for name in inside}
    for _ in range(600):
        found = estimate(simulated(rng))
        for name in inside:
            values[name].append(found[name].value)
            inside[name] += found[name].low <= TRUTH <= found[name].high
    for name, k in inside.items():
        assert k / 600 == approx(0.95, abs=0.027), name
        error = np.std(values[name], ddof=1) / sqrt(600)
        assert np.mean(values[name]) == approx(TRUTH, abs=3 * error), name
    assert np.std(values["SNIPS"]) < np.std(values["IPS"])


@pytest.mark.long("simulations of error rates and coverage")
def test_intervals_by_rows_are_too_narrow_where_users_return():
    """The reason for naming users: 40 rows of one taste each."""
    rng = np.random.default_rng(6)
    inside = {True: 0, False: 0}
    for _ in range(200):
        log = simulated(rng, users=25, rows=80)
        for named in inside:
            one = off_policy(log, user="user_id" if named else None)["SNIPS"]
            inside[named] += one.low <= TRUTH <= one.high
    assert inside[True] / 200 > 0.90
    assert inside[False] < inside[True] - 15


@pytest.mark.parametrize("wrong", ["model", "propensity"])
def test_dr_is_unbiased_when_either_part_is_right(wrong: str):
    """Mean of 300 logs within 3 of its standard errors; IPS or DM, with the wrong part, is not."""
    rng = np.random.default_rng(7)
    dr, other = [], []
    for _ in range(300):
        log = simulated(rng)
        if wrong == "model":
            log["q"] = np.full(len(log["q"]), 0.9)
            log["q_target"] = np.full(len(log["q"]), 0.9)
        else:
            log["propensity"] = np.full(len(log["q"]), 0.25)
        found = estimate(log)
        dr.append(found["DR"].value)
        other.append(found["DM" if wrong == "model" else "IPS"].value)

    assert np.mean(dr) == approx(TRUTH, abs=3 * np.std(dr, ddof=1) / sqrt(300))
    assert abs(np.mean(other) - TRUTH) > 0.02


def test_shuffled_rows_and_other_ids_change_nothing():
    rng = np.random.default_rng(8)
    log = simulated(rng)
    order = rng.permutation(len(log["click"]))
    other = {k: v[order] for k, v in log.items()}
    other["user_id"] = np.array([f"u{(u * 37) % 60}" for u in other["user_id"]])

    one, two = estimate(log), estimate(other)

    for a, b in zip(one.estimates, two.estimates, strict=True):
        assert (b.value, b.error) == approx((a.value, a.error), rel=1e-12)
    assert two.effective == one.effective


def test_every_input_gives_the_same(tmp_path):
    log = simulated(np.random.default_rng(9))
    frame = pl.DataFrame(log)
    frame.write_csv(tmp_path / "log.csv")
    frame.write_parquet(tmp_path / "log.parquet")
    frame.write_ndjson(tmp_path / "log.jsonl")
    sources = [frame, frame.lazy(), frame.to_pandas(), frame.to_arrow(), *sorted(tmp_path.glob("log.*"))]

    wanted = estimate(log).to_dict()

    for source in sources:
        assert off_policy(source, user="user_id", model="q", target_model="q_target").to_dict() == wanted


def test_target_as_function_number_and_item():
    log = simulated(np.random.default_rng(10), users=200)
    log["new_item"] = np.full(len(log["click"]), 2)

    by_function = off_policy(log, target=lambda f: (f["item_id"] == 2).cast(pl.Float64), user="user_id")
    by_item = off_policy(log, target="new_item", action="item_id", user="user_id")
    uniform = off_policy(log, target=1 / ITEMS, user="user_id")

    shown = log["item_id"] == 2
    assert by_item["SNIPS"].value == approx(log["click"][shown].mean())  # equal weights: the mean of the matches
    assert by_item.to_dict() == by_function.to_dict()
    assert by_item.effective == approx(shown.sum())
    assert uniform["IPS"].value == approx((log["click"] / log["propensity"] / ITEMS).mean())


# lists


def slates(rng: np.random.Generator, requests: int = 120) -> tuple[dict[str, np.ndarray], float]:
    """Items and places independent, two or three places; the second half of users has three."""
    place_bias = np.array([1.0, 0.6, 0.3])
    columns: dict[str, list[np.ndarray]] = {k: [] for k in ("request", "user", "position", "item", "click")}
    length = np.where(np.arange(requests) % 2, 3, 2)
    for k in range(3):
        has = np.flatnonzero(length > k)
        item = rng.choice(ITEMS, len(has), p=LOGGED)
        columns["request"].append(has)
        columns["user"].append(has // 3)
        columns["position"].append(np.full(len(has), k + 1))
        columns["item"].append(item)
        columns["click"].append(rng.random(len(has)) < QUALITY[item] * place_bias[k])
    log = {k: np.concatenate(v) for k, v in columns.items()}
    log |= {"propensity": LOGGED[log["item"]], "target_propensity": TARGET[log["item"]]}
    return log, TRUTH * (1.0 + 0.6 + 0.3 / 2)


def of_slates(log: dict[str, np.ndarray]):
    return off_policy(log, request="request", position="position", user="user")


def test_slates_equal_the_sums_written_out():
    log, _ = slates(np.random.default_rng(11))
    w, r = log["target_propensity"] / log["propensity"], log["click"].astype(float)
    n = 120
    sums = [0.0] * n
    for i in range(len(w)):
        sums[log["request"][i]] += w[i] * r[i]
    value = {}
    for k in (1, 2, 3):
        m = log["position"] == k
        value[k] = (m.sum() / n, float((w[m] * r[m]).sum() / w[m].sum()), float(w[m].sum()))
    sn = sum(share * v for share, v, _ in value.values())
    influence = [-sn / n] * n
    for i in range(len(w)):
        share, v, total = value[int(log["position"][i])]
        influence[log["request"][i]] += share * w[i] * (r[i] - v) / total + v / n
    users = np.bincount(np.arange(n) // 3, influence)

    found = of_slates(log)

    assert found["IPS"].value == approx(sum(sums) / n)
    assert found["SNIPS"].value == approx(sn)
    assert found["SNIPS"].error == approx(sqrt((users**2).sum() * 40 / 39))
    assert found.logging.value == approx(r.sum() / n)
    assert [p.position for p in found.positions] == [1, 2, 3]
    assert [p.value for p in found.positions] == approx([v for _, v, _ in value.values()])
    assert (found.requests, found.users, found.rows) == (120, 40, 300)


@pytest.mark.long("simulations of error rates and coverage")
def test_slate_intervals_cover_the_truth():
    """400 logs: within 3 binomial standard errors (.011) of 95%."""
    rng = np.random.default_rng(12)
    inside = {"IPS": 0, "SNIPS": 0}
    for _ in range(400):
        log, truth = slates(rng)
        found = of_slates(log)
        for name in inside:
            inside[name] += found[name].low <= truth <= found[name].high
    for name, k in inside.items():
        assert k / 400 == approx(0.95, abs=0.033), name


def test_lists_of_one_place_are_single_items():
    log = simulated(np.random.default_rng(13))
    log |= {"request": np.arange(len(log["click"])), "position": np.ones(len(log["click"]), int)}

    lists = off_policy(log, user="user_id", request="request", position="position")
    single = off_policy(log, user="user_id")

    assert [(e.value, e.error) for e in lists.estimates] == [(e.value, e.error) for e in single.estimates]


# refusals


def test_missing_support_is_refused_with_figures():
    log = simulated(np.random.default_rng(14))
    log["propensity"] = np.where(
        np.arange(360) % 36 == 5, np.where(np.arange(360) < 180, 0.0, np.nan), log["propensity"]
    )

    with pytest.raises(InputError, match=r"support is missing: 10 of 360 rows .*\(first: row 6\).*force=True"):
        estimate(log)
    forced = estimate(log, force=True)
    assert forced.is_forced
    assert (forced.unsupported, forced.rows) == (10, 350)
    assert isinstance(forced.warnings[0], Text)
    assert "support is missing in 10 of 360 rows" in forced.warnings[0]
    assert "缺少支撑" in forced.warnings[0].zh


def test_missing_propensity_does_not_matter_where_the_target_shows_nothing():
    log = simulated(np.random.default_rng(14))
    log["target_propensity"] = np.where(log["item_id"] == 0, 0.0, log["target_propensity"])
    without = dict(log, propensity=np.where(log["item_id"] == 0, np.nan, log["propensity"]))

    assert estimate(without).to_dict() == estimate(log).to_dict()


@pytest.mark.parametrize("heavy", [40, 4000])
def test_hopeless_samples_are_refused(heavy: int):
    """One row with nearly all the weight: ESS below 30; many rows and ESS above 30 but below 1% is refused as well."""
    n = heavy * 2
    few = 1 if heavy == 40 else 35
    log = {
        "reward": np.ones(n),
        "propensity": np.where(np.arange(n) < few, 1e-6, 0.9),
        "target_propensity": np.where(np.arange(n) < few, 0.9, 1e-6),
    }

    with pytest.raises(InputError, match=r"effective sample is (1\.0 of 80|35\.0 of 8,000) rows .*the largest weight"):
        off_policy(log)
    forced = off_policy(log, force=True)
    assert forced.is_forced
    assert "should not be relied on" in forced.warnings[0]
    assert forced.effective == approx(few, abs=0.01)


def test_no_reward_gives_no_interval():
    log = simulated(np.random.default_rng(15))
    log["click"] = np.zeros(360, bool)

    found = off_policy(log, user="user_id")

    assert found["SNIPS"].value == 0
    assert np.isnan(found["SNIPS"].low)
    assert found.to_dict()["estimates"][0]["low"] is None
    assert any("only 0 of 360 rows have a reward" in w for w in found.warnings)
    assert any("no interval for IPS, SNIPS" in w for w in found.warnings)


def test_one_user_gives_no_interval():
    log = simulated(np.random.default_rng(16), users=1, rows=200)

    found = off_policy(log, user="user_id")

    assert found["SNIPS"].value > 0
    assert np.isnan(found["SNIPS"].error)
    assert any("one user only" in w for w in found.warnings)


def test_wrong_propensities_are_seen_in_the_mean_weight():
    log = simulated(np.random.default_rng(17), users=300)
    log["propensity"] = np.minimum(log["propensity"] * 1.6, 1)

    found = estimate(log)

    assert found.mean_weight.high < 1
    assert any("never shown in the log, or propensities are wrong" in w for w in found.warnings)
    assert not any("average" in w for w in estimate(simulated(np.random.default_rng(17), users=300)).warnings)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"propensity": np.array([0.5, -0.1])}, "row 2: logged propensity must be between 0 and 1, got -0.1"),
        ({"propensity": np.array([0.5, 1.5])}, "row 2: logged propensity must be between 0 and 1, got 1.5"),
        ({"propensity": np.array([0.5, 5e-324])}, "row 2: logged propensity must be large enough to be divided by"),
        ({"target_propensity": np.array([np.nan, 0.5])}, "row 1: target propensity must be between 0 and 1, got nan"),
        ({"click": np.array([1.0, np.nan])}, "row 2: click must be a finite number"),
        ({"click": np.array(["1", "yes"])}, "must hold numbers, got 'yes' in row 2"),
        ({"propensity": np.array([0.0, 0.0])}, "no row has a usable 'propensity'"),
        ({"click": np.array([1.0])}, "same length, got 'click' 1"),
    ],
)
def test_bad_values(change: dict[str, np.ndarray], message: str):
    log = {"click": np.ones(2), "propensity": np.full(2, 0.5), "target_propensity": np.full(2, 0.5)} | change

    with pytest.raises(InputError) as error:
        off_policy(log)
    assert message in str(error.value)


def test_bad_arguments():
    log = {"click": [1, 0], "propensity": [0.5, 0.5], "target_propensity": [0.5, 0.5]}
    with pytest.raises(InputError, match="must have at least one row"):
        off_policy({k: [] for k in log})
    with pytest.raises(InputError, match=r"columns missing: 'p'\. .*Found: 'click'"):
        off_policy(log, logged="p")
    with pytest.raises(ParameterError, match="both `request` and `position`"):
        off_policy(log, request="click")
    with pytest.raises(ParameterError, match="both `model`"):
        off_policy(log, model="click")
    with pytest.raises(ParameterError, match="`clip` must be a number above 0"):
        off_policy(log, clip=0)
    with pytest.raises(InputError, match=r"one probability per row \(2\), got shape \(3,\)"):
        off_policy(log, target=lambda f: np.ones(3))
    with pytest.raises(InputError, match=r"effective sample is 2\.0 of 2 rows"):
        off_policy(log)
    with pytest.raises(InputError, match="row 2: position must be a whole number from 1 to 2,147,483,647, got 0"):
        off_policy(log | {"r": [1, 1], "k": [1, 0]}, request="r", position="k")
    with pytest.raises(InputError, match="'u': every row must have one, missing in 1 rows"):
        off_policy(log | {"u": ["a", None]}, user="u")
    with pytest.raises(UnknownName, match="DR and DM need model="):
        off_policy(log, force=True)["DR"]


def test_record_is_plain_data():
    found = estimate(simulated(np.random.default_rng(18)))

    assert found.to_frame()["name"].to_list() == ["logging policy", "IPS", "SNIPS", "DM", "DR"]
    assert found.to_frame()["difference"][0] is None
    assert found.sweep_frame().height == len(CLIPS)
    assert '"clip": null' in found.to_json()  # the last step cuts nothing
    assert "Infinity" not in found.to_json()


@pytest.mark.parametrize(
    ("target", "outcome", "words"),
    [
        (TARGET, "more", ("The other policy would get more click", "会高于日志策略")),
        (np.array([0.85, 0.05, 0.05, 0.05]), "less", ("The other policy would get less click", "会低于日志策略")),
        (LOGGED, "open", ("It is not clear whether the other policy would get more click", "无法判定")),
    ],
)
def test_the_verdict_follows_the_interval_of_the_difference(target, outcome, words):
    log = simulated(np.random.default_rng(4), users=800)
    log["target_propensity"] = target[log["item_id"]]
    found = off_policy({k: log[k] for k in ("user_id", "click", "propensity", "target_propensity")}, reward="click")

    d = found.difference()
    assert found.outcome == outcome
    assert (d.low > 0, d.high < 0) == (outcome == "more", outcome == "less")
    assert found.verdict.startswith(words[0])
    assert words[1] in found.verdict.zh
    claims = {c.what: c.value for c in found.verdict.claims}
    assert claims == {"difference": d.value, "difference low": d.low, "difference high": d.high}
    assert str(found).startswith(str(found.verdict))


def test_two_rows_of_the_same_policy_are_too_few_and_not_too_far():
    table = {"reward": [1, 0], "logged": [0.5, 0.5], "target": [0.5, 0.5]}

    with pytest.raises(InputError, match=r"2\.0 of 2 rows .*The log has too few rows: collect more, or"):
        off_policy(table, logged="logged", target="target")


def test_where_all_rows_have_a_reward_none_is_missed():
    table = {"reward": [1] * 40, "logged": [0.5] * 40, "target": [0.5] * 40}

    found = off_policy(table, logged="logged", target="target")

    assert any(w.startswith("40 of 40 rows have a reward") for w in found.warnings)


def test_a_reward_that_cannot_be_squared_is_refused():
    shown = {"reward": [1.0, 1e308], "propensity": [0.5, 0.5], "target_propensity": [0.5, 0.5]}

    with pytest.raises(InputError, match="row 2: reward must be a number that can be squared and added up, got 1e"):
        off_policy(shown)
