"""Which measure a headline of a comparison is about."""

from __future__ import annotations

import random

import rankgauge as rg


def test_what_is_shown_makes_no_system_better_where_accuracy_is_open() -> None:
    """Random lists cover nearly everything."""
    rng = random.Random(1)
    users, items = [f"u{i}" for i in range(60)], [f"i{j}" for j in range(100)]
    test = {u: [rng.choice(items)] for u in users}
    popular = dict.fromkeys(users, items[:10])
    varied = {u: [*items[:5], *rng.sample(items[5:], 5)] for u in users}
    runs = {"popular": popular, "varied": varied}
    both = rg.compare(test, runs, ["Coverage@10", "nDCG@10"], items=items)
    alone = rg.compare(test, runs, ["Coverage@10"], items=items)

    assert [both.verdict(m, "varied") for m in both.measures] == ["better", "inconclusive"]
    headline = str(both).splitlines()[0]
    assert headline.startswith("It is not clear which of varied and popular is better: nDCG@10")
    assert "It is better in Coverage@10" in headline
    assert str(alone).startswith("varied is better than popular: Coverage@10")
