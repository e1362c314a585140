"""Open Bandit data (men's campaign, 10,000 rows of each policy): real propensities, very few clicks.

46 clicks of the random policy and 69 of Bernoulli Thompson sampling are far too few to validate anything: seen from the
Thompson log, half of the uniform policy lies on 17 items without a single click. IPS gives .0030 [.0014, .00459] and
leaves out the random log's mean of .0046 by a hair; SNIPS [.0015, .0049] holds it. Both means are noisy, so they are
compared with both errors, and the record has to say how few clicks there are.
"""

from __future__ import annotations

from math import hypot
from pathlib import Path

import polars as pl
import pytest

from rankgauge.behavior.counterfactual.off_policy import off_policy
from rankgauge.errors import InputError

ITEMS = 34
approx = pytest.approx
POLICIES = ("random", "bts")


@pytest.fixture(scope="module")
def logs(shared: Path) -> dict[str, pl.DataFrame]:
    user = pl.concat_str([f"user_feature_{i}" for i in range(4)]).alias("user")
    found = {}
    for policy in POLICIES:
        path = shared / "open_bandit_men" / policy / "men" / "men.csv.gz"
        if not path.exists():
            pytest.skip(f"not here: {path}")
        found[policy] = pl.read_csv(path).with_columns(user)
    return found


def test_value_of_the_uniform_policy_from_the_other_log(logs):
    found = off_policy(logs["bts"], logged="propensity_score", target=1 / ITEMS, user="user")
    own = off_policy(logs["random"], logged="propensity_score", target=1 / ITEMS, user="user")

    assert found.logging.value == approx(0.0069)
    assert own.logging.value == approx(0.0046)
    assert own["IPS"].value == approx(0.0046, rel=1e-3)  # propensities are written with 6 digits
    for name in ("IPS", "SNIPS"):
        assert abs(found[name].value - 0.0046) < 1.96 * hypot(found[name].error, own.logging.error)
    assert found.effective == approx(656, abs=1)
    assert found.rewarded == 69
    assert found.effective_rewards == approx(15, abs=1)
    assert any("only 69 of 10,000 rows have a reward and a weight, worth 15" in w for w in found.warnings)


def test_value_of_the_learnt_policy_from_the_random_log(logs):
    """The share of each item at each position in the other log stands for the policy, which ignored its users."""
    bts = logs["bts"]
    share = (
        bts.group_by("position", "item_id")
        .len()
        .with_columns((pl.col("len") / pl.col("len").sum().over("position")).alias("target_propensity"))
    )
    log = (
        logs["random"]
        .join(share.drop("len"), on=["position", "item_id"], how="left")
        .with_columns(pl.col("target_propensity").fill_null(0.0))
    )

    found = off_policy(log, logged="propensity_score", user="user")

    assert found.mean_weight.low <= 1 <= found.mean_weight.high
    for name in ("IPS", "SNIPS"):  # .0057 [.0026, .0089]: it holds the other log's mean, and 0 difference as well
        assert abs(found[name].value - 0.0069) < 1.96 * hypot(found[name].error, 0.00079)
        assert found[name].low < 0.0069 < found[name].high
        assert found.difference(name).low < 0 < found.difference(name).high
    assert found.effective_share < 1


def test_the_file_itself_can_be_read(shared: Path, logs):
    path = shared / "open_bandit_men" / "bts" / "men" / "men.csv.gz"

    found = off_policy(path, logged="propensity_score", target=1 / ITEMS)

    frame = logs["bts"]
    wanted = (frame["click"] / frame["propensity_score"] / ITEMS).mean()
    assert found["IPS"].value == approx(wanted)


def test_one_item_for_all_is_refused_where_it_was_rarely_shown(logs):
    counts = logs["bts"].group_by("item_id").len().sort("len")
    rare = counts["item_id"][0]

    with pytest.raises(InputError, match="effective sample is"):
        off_policy(logs["bts"], logged="propensity_score", target=lambda f: (f["item_id"] == rare).cast(pl.Float64))
