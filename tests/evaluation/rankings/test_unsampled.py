"""Sampled candidates: the order of systems turns, the warning says so, and the estimate knows what it cannot tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both
from command_line import rankgauge

N, DRAWN = 1_000, 99


def lists_of(ranks: Any, rng: np.random.Generator) -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
    """For each user a target of this rank among N items, and its list among the candidates that are drawn."""
    test, lists = {}, {}
    for u, rank in enumerate(ranks.tolist()):
        order = rng.permutation(N)  # the items by score, of which the target is the one at its rank
        others = np.delete(order, rank - 1)
        kept = np.sort(rng.choice(N - 1, DRAWN, replace=False))
        before = int(np.count_nonzero(kept < rank - 1))
        row = [f"i{i}" for i in others[kept].tolist()]
        lists[f"u{u}"] = [*row[:before], f"i{order[rank - 1]}", *row[before:]]
        test[f"u{u}"] = {f"i{order[rank - 1]}": 1}
    return test, lists


def two_systems(users: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """One is right at the top or not at all, the other is never far off and never at the top."""
    sharp = np.where(rng.random(users) < 0.2, 1, rng.integers(200, N + 1, users))
    steady = rng.integers(11, 60, users)
    return sharp, steady


def evaluated(users: int = 400, seed: int = 0) -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    ranks = dict(zip(("sharp", "steady"), two_systems(users, rng), strict=True))
    given = {name: lists_of(r, rng) for name, r in ranks.items()}
    measures = ["Hit@10", "nDCG@10", "RR"]
    return rg.RankingEvaluations({name: rg.evaluate(*g, measures) for name, g in given.items()}), ranks


FULL = {
    "Hit@10": lambda r: (r <= 10).mean(),
    "nDCG@10": lambda r: ((r <= 10) / np.log2(r + 1)).mean(),
    "RR": lambda r: (1 / r).mean(),
}


def test_the_order_of_systems_turns_under_sampling_and_the_warning_fires() -> None:
    evs, ranks = evaluated()

    assert evs["sharp"]["Hit@10"] < evs["steady"]["Hit@10"]
    assert FULL["Hit@10"](ranks["sharp"]) > 0.15
    assert FULL["Hit@10"](ranks["steady"]) == 0
    assert evs["sharp"].suspicions[0].code == "sampled-candidates"
    assert "may put systems in another order" in str(evs["sharp"])


def test_the_full_values_are_within_the_intervals() -> None:
    evs, ranks = evaluated()
    found = rg.unsampled(evs, N)

    for row in found.rows:
        full = float(FULL[row.measure](ranks[row.system]))
        assert row.interval.low <= full <= row.interval.high
        assert row.interval.low <= row.value <= row.interval.high
        assert row.sampled == evs[row.system][row.measure]
        assert (row.users, row.candidates) == (400, DRAWN + 1)
    # the order of the full values comes back where the sampled one is the other way round
    assert found["sharp", "Hit@10"].value > found["steady", "Hit@10"].value
    assert found["sharp", "Hit@10"].sampled < found["steady", "Hit@10"].sampled


@pytest.mark.long("coverage of what sampled lists tell of full rankings", ci=True)
def test_full_values_are_held_over_many_samples() -> None:
    held = total = turned = 0
    for seed in range(20):
        evs, ranks = evaluated(300, seed)
        found = rg.unsampled(evs, N)
        held += sum(r.interval.low <= FULL[r.measure](ranks[r.system]) <= r.interval.high for r in found.rows)
        total += len(found.rows)
        turned += found["sharp", "Hit@10"].sampled < found["steady", "Hit@10"].sampled

    assert turned == 20
    assert held >= 0.92 * total


def test_other_measures_are_left_out_and_said() -> None:
    test, lists = lists_of(np.arange(1, 31), np.random.default_rng(0))
    found = rg.evaluate(test, lists, ["Hit@10", "Bpref", "NumRet"]).unsampled(N)

    assert found.measures == ["Hit@10"]
    assert list(found.left_out) == ["Bpref", "NumRet"]
    assert "left out, as more than the rank of one target: Bpref, NumRet" in str(found)


def test_what_cannot_be_told_is_said() -> None:
    test, lists = lists_of(np.full(60, 30), np.random.default_rng(0))
    found = rg.evaluate(test, lists, ["Hit@1", "Hit@500"]).unsampled(N)

    assert not found["Hit@1"].is_told
    assert found["Hit@500"].is_told
    assert "cannot be told from so few candidates, but for the upper end: Hit@1" in str(found)


def test_a_measure_that_depends_on_the_grade_needs_one_grade() -> None:
    test, lists = lists_of(np.arange(1, 31), np.random.default_rng(0))
    graded = {u: dict.fromkeys(row, 1 + n % 2) for n, (u, row) in enumerate(test.items())}

    assert rg.evaluate(test, lists, ["DCG@10", "nDCG@10"]).unsampled(N).measures == ["DCG@10", "nDCG@10"]
    assert rg.evaluate(graded, lists, ["DCG@10", "nDCG@10"]).unsampled(N).measures == ["nDCG@10"]


TEST, LISTS = lists_of(np.arange(1, 31), np.random.default_rng(0))


@pytest.mark.parametrize(
    ("test", "lists", "words", "chinese"),
    [
        (
            TEST | {"u1": {**TEST["u1"], "other": 1}},
            LISTS,
            "one relevant item for each user, got 2 for 'u1'",
            "每个用户恰有一个相关物品，'u1' 有 2 个",
        ),
        (
            TEST | {"u1": {"other": 1}},
            LISTS,
            "the target in every list, got a list without it for 'u1'",
            "每个列表都含有目标，'u1' 的列表没有",
        ),
        (
            TEST,
            LISTS | {"u1": [*LISTS["u1"], "more"]},
            "lists of one length, got 100 to 101 results",
            "所有列表长度相同，实际为 100 到 101 条",
        ),
    ],
)
def test_other_lists_are_refused(test: Any, lists: Any, words: str, chinese: str, tmp_path: Path) -> None:
    says_in_both(
        lambda at: rg.evaluate(test, lists, "RR").unsampled(N),
        Files(tmp_path),
        f"unsampled: lists of sampled candidates must have {words}.",
        f"unsampled：抽样候选的列表必须满足：{chinese}。",
    )


def at(places: list[int], length: int) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Lists of this length with the target of each user at this place, from 0."""
    lists = {f"u{u}": [f"{u}-{i}" for i in range(length)] for u in range(len(places))}
    return {f"u{u}": [f"{u}-{place}"] for u, place in enumerate(places)}, lists


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("places", "length", "measure", "n_items"),
    [([0, 1], 20, "RR", 1_000), ([99] * 100, 100, "nDCG", 1_000), ([1] * 5, 2, "AP", 10**15), ([0], 20, "RR", 1_000)],
)
def test_few_places_are_enough(places: list[int], length: int, measure: str, n_items: int) -> None:
    row = rg.evaluate(*at(places, length), measure).unsampled(n_items)[measure]

    assert 0 < row.value < 1
    assert np.isnan(row.interval.low) if len(places) == 1 else row.interval.low <= row.value <= row.interval.high


def test_where_all_items_were_candidates_nothing_is_estimated() -> None:
    ev = rg.evaluate(*at([19, 18, 0] * 10, 20), ["RR", "Hit@1", "Hit@10"])
    found = ev.unsampled(20)

    for row in found.rows:
        assert (row.value, row.interval) == (ev[row.measure], ev.interval(row.measure))
    assert found["Hit@1"].error == pytest.approx(np.std([0, 0, 1] * 10, ddof=1) / np.sqrt(30))
    assert "run: the candidates are all items, nothing is estimated" in str(found)
    assert "the candidates are all items" not in str(ev.unsampled(21))
    assert "cannot be told" not in str(rg.evaluate(*at([19] * 30, 20), ["Hit@1"]).unsampled(20))


def test_one_user_has_no_interval_and_no_upper_end() -> None:
    shown = str(rg.evaluate(*at([3], 20), ["RR", "Hit@1"]).unsampled(1_000))

    assert "one user has no interval: the value is one that fits, and how far off it is cannot be told" in shown
    assert "upper end" not in shown
    assert "the interval holds" not in shown


@pytest.mark.parametrize("n_items", [99, 0, "many", 1000.5, 10**30])
def test_impossible_numbers_of_items_are_refused(n_items: Any) -> None:
    with pytest.raises(rg.errors.ParameterError, match="n_items"):
        rg.evaluate(TEST, LISTS, "RR").unsampled(n_items)


def test_the_command_estimates_beside_the_numbers(tmp_path: Path) -> None:
    (tmp_path / "test.csv").write_text(
        "user_id,item_id\n" + "".join(f"{u},{i}\n" for u, row in TEST.items() for i in row)
    )
    rows = [f"{u},{i},{-n}\n" for u, row in LISTS.items() for n, i in enumerate(row)]
    (tmp_path / "mine.csv").write_text("user_id,item_id,score\n" + "".join(rows))

    shown = rankgauge(
        "evaluate", "test.csv", "mine.csv", "-m", "Hit@10", "--catalogue-size", "1000", cwd=tmp_path
    ).stdout
    assert "mine on test: as if all 1,000 items were ranked" in shown
    wrong = rankgauge("evaluate", "test.csv", "mine.csv", "--catalogue-size", "50", cwd=tmp_path, code=2).stderr
    assert "--catalogue-size" in wrong
    many = rankgauge("evaluate", "test.csv", "mine.csv", "--catalogue-size", str(10**30), cwd=tmp_path, code=2).stderr
    assert "must be at most 1,000,000,000,000,000" in many


def test_a_value_does_not_depend_on_the_measures_beside_it() -> None:
    rng = np.random.default_rng(3)
    given = lists_of(two_systems(200, rng)[0], rng)
    several = rg.evaluate(*given, ["Hit@10", "Hit@37", "RR", "nDCG@5"]).unsampled(N)

    for measure in several.measures:
        alone = rg.evaluate(*given, measure).unsampled(N)[measure]
        both = several[measure]
        assert (alone.value, alone.error, tuple(alone.interval)) == (both.value, both.error, tuple(both.interval))
