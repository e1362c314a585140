"""What evaluations with `train` say is so: every claim is counted by hand, in both languages the same."""

from __future__ import annotations

import random

import pytest

import rankgauge as rg
from rankgauge._claims import claims_of

from .claims import Inputs
from .verdict_claims import OF_TRAIN, holds, learned

ITEMS = [f"i{j}" for j in range(14)]


def made(seed: int) -> Inputs:
    """Users with histories, of which the test repeats some; some users are new, some lists follow popularity."""
    rng = random.Random(seed)
    users = [f"u{u}" for u in range(rng.choice([1, 3, 12, 30]))]
    train = {u: [rng.choice(ITEMS) for _ in range(rng.randint(1, 5))] for u in users if rng.random() < 0.8 or seed % 7}
    if seed % 5 == 0:
        train = {f"x{u}": items for u, items in train.items()}
    train = train or {"other": ["i0"]}
    test = {u: {i: rng.randint(0, 1) for i in rng.sample(ITEMS, 3)} | {rng.choice(ITEMS): 1} for u in users}
    order = ITEMS
    if seed % 3 == 0:  # popular over both
        both = [i for items in train.values() for i in set(items)]
        both += [i for u, row in test.items() for i, g in row.items() if g and i not in train.get(u, ())]
        order = sorted(ITEMS, key=lambda i: -both.count(i))
    lists = {u: order if seed % 3 == 0 else rng.sample(ITEMS, 12) for u in users}
    return Inputs(qrels=test, runs={"mine": lists}, train=train, measures=["nDCG@10", "RR"])


@pytest.mark.parametrize("seed", range(40))
def test_every_claim_of_an_evaluation_with_train_is_so(seed: int) -> None:
    x = made(seed)
    ev = rg.evaluate(x.qrels, dict(x.runs), list(x.measures), train=x.train)["mine"]

    for note in ev.notes:
        for claim in claims_of(note):
            assert holds(claim, x), (note, claim)
    expected = {code for code, numbers in learned(x, "mine").items() if numbers}
    assert {s.code for s in ev.suspicions} & set(OF_TRAIN) == expected


def test_all_of_them_are_made_here() -> None:
    found = [{code for code, numbers in learned(made(seed), "mine").items() if numbers} for seed in range(40)]

    assert set().union(*found) == set(OF_TRAIN)
