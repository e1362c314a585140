"""Distances of your own: a function that its name stands for."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import chebyshev

import rankgauge as rg
from chinese_errors import Files, says_in_both
from command_line import rankgauge
from rankgauge.measures import parse

ILD: Any = rg.ILD  # type: ignore[attr-defined]
PRICES = {"a": 3.0, "b": 8.0, "c": 10.5, "d": 4.0}
LISTS = {"u": ["a", "b", "c"], "v": ["d", "a"], "w": ["c"], "x": ["b", "gone", "d"]}


def gap(a: float, b: float) -> float:
    return abs(a - b)


def naive(lists: dict[str, list[str]]) -> list[float]:
    known = [[PRICES[i] for i in ids if i in PRICES] for ids in lists.values()]
    return [float(np.mean([abs(a - b) for a, b in combinations(x, 2)])) for x in known if len(x) > 1]


def test_a_function_is_a_distance_by_its_name() -> None:
    m = ILD(by="price", distance=gap, k=10)

    assert str(m) == "ILD(by=price, distance=gap)@10"
    assert parse(str(m)) == m
    assert hash(parse(str(m))) == hash(m)


def test_it_is_the_mean_over_pairs_of_what_it_gives(tmp_path: Path) -> None:
    """Values of a table of text are numbers where all of them are."""
    (tmp_path / "items.csv").write_text("item_id,price\n" + "".join(f"{i},{p:g}\n" for i, p in PRICES.items()))
    table = {i: {"price": p, "category": "x"} for i, p in PRICES.items()}

    for items in (table, tmp_path / "items.csv"):
        ev = rg.evaluate({"u": ["a"]}, LISTS, [ILD(by="price", distance=gap) @ 5, "nDCG@3"], items=items)
        assert ILD(by="price", distance=gap).of(LISTS, items=items) == pytest.approx(np.mean(naive(LISTS)))
        assert ev["ILD(by=price, distance=gap)@5"] == pytest.approx(np.mean([5.0, 7.5, 2.5]))


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix], ids=["dense", "sparse"])
def test_without_an_attribute_it_is_given_vectors(form: Any) -> None:
    vectors = np.random.default_rng(1).integers(0, 5, (6, 3)).astype(float)
    lists = {"u": ["0", "3", "5"], "v": ["2", "1"]}
    pairs = [[(0, 3), (0, 5), (3, 5)], [(2, 1)]]
    expected = np.mean([np.mean([abs(vectors[i] - vectors[j]).max() for i, j in of_list]) for of_list in pairs])

    assert ILD(distance=chebyshev).of(lists, items=form(vectors)) == pytest.approx(expected)


def test_each_pair_of_items_is_asked_once_whoever_has_it() -> None:
    asked = []

    def counted(a: float, b: float) -> float:
        asked.append(tuple(sorted((a, b))))
        return 1.0

    lists = {f"u{i}": ["a", "b", "c"] if i % 2 else ["c", "b", "a"] for i in range(50)}
    assert ILD(by="price", distance=counted).of(lists, items={i: {"price": p} for i, p in PRICES.items()}) == 1.0
    assert sorted(asked) == [(3.0, 8.0), (3.0, 10.5), (8.0, 10.5)]


def test_who_defines_it_again_means_the_new_one() -> None:
    def again(a: float, b: float) -> float:
        return 1.0

    m = ILD(by="price", distance=again)

    def again(a: float, b: float) -> float:  # type: ignore[no-redef]
        return 2.0

    assert ILD(by="price", distance=again) == m
    assert m.of({"u": ["a", "b"]}, items={i: {"price": p} for i, p in PRICES.items()}) == 2.0


@pytest.mark.parametrize(
    ("given", "en", "zh"),
    [
        (
            lambda a, b: 1.0,
            "ILD: `distance` must be a function with a name, which stands for it: write it with def, got …",
            "ILD：`distance` 必须是有名字的函数（以名字指代它）：请用 def 定义，实际为 …",
        ),
        (
            "manhattan",
            "ILD: `distance` must be one of default, jaccard, cosine, euclidean, hamming…",
            "ILD：`distance` 必须是 default, jaccard, cosine, euclidean, hamming…",
        ),
    ],
)
def test_what_no_name_stands_for_is_refused(given: Any, en: str, zh: str, tmp_path: Path) -> None:
    says_in_both(lambda at: ILD(distance=given), Files(tmp_path), en, zh)


def test_a_name_that_is_taken_is_refused() -> None:
    def cosine(a: float, b: float) -> float:
        return 0.0

    with pytest.raises(rg.errors.ParameterError, match="a name of its own: cosine is a distance already") as e:
        ILD(distance=cosine)
    assert "cosine 已经是一种距离" in e.value.text.zh


def minus(a: float, b: float) -> float:
    return -1.0


def arrays(a: float, b: float) -> Any:
    return np.array([a, b])


def broken(a: float, b: float) -> float:
    raise KeyError("price")


@pytest.mark.parametrize(
    ("function", "en", "zh"),
    [
        (
            minus,
            "ILD(by=price, distance=minus): a distance must be a number from 0 on, got -1.0 of the items 'a' and 'b'.",
            "ILD(by=price, distance=minus)：距离必须是不小于 0 的数，物品 'a' 和 'b' 的距离实际为 -1.0。",
        ),
        (
            arrays,
            "ILD(by=price, distance=arrays): a distance must be a number from 0 on, got …",
            "ILD(by=price, distance=arrays)：距离必须是不小于 0 的数，物品 'a' 和 'b' 的距离实际为 …",
        ),
        (
            broken,
            "ILD(by=price, distance=broken): its function failed, line …",
            "ILD(by=price, distance=broken)：它的函数出错，第 …",
        ),
    ],
)
def test_what_is_no_distance_is_an_error(function: Any, en: str, zh: str, tmp_path: Path) -> None:
    m, items = ILD(by="price", distance=function), {i: {"price": p} for i, p in PRICES.items()}

    def call(at: Files) -> Any:
        return rg.evaluate({"u": ["a"]}, {"u": ["a", "b"]}, m, items=items)

    says_in_both(call, Files(tmp_path), en, zh)


def test_it_needs_what_it_is_given() -> None:
    with pytest.raises(rg.errors.ParameterError, match="items have no attribute 'cost'"):
        ILD(by="cost", distance=gap).of({"u": ["a", "b"]}, items={"a": {"price": 1}, "b": {"price": 2}})


def test_a_loaded_file_may_have_one(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import rankgauge as rg\n\ndef squared(a, b):\n    return (a - b) ** 2\n\nrg.ILD(distance=squared)\n"
    )
    (tmp_path / "items.csv").write_text("item_id,price\na,1\nb,4\n")
    (tmp_path / "t.csv").write_text("user_id,item_id\nu,a\n")
    (tmp_path / "r.csv").write_text("user_id,item_id,score\nu,a,2\nu,b,1\n")
    words = ["--load", "mine.py", "--items", "items.csv", "-m", "ILD(by=price, distance=squared)@2"]

    assert "9.0000" in rankgauge("evaluate", "t.csv", "r.csv", *words, cwd=tmp_path).stdout
