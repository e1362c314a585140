"""How far apart two items are: distances of rows of numbers, and those of your own.

    def gap(a, b):
        return abs(a - b)

    rg.evaluate(test, run, [rg.ILD(by="price", distance=gap) @ 10], items=items)

The name of the function is that of the distance from then on, so that `ILD(by=price, distance=gap)@10` names it
wherever measures are named; on the command line after `--load` of a file that says `rg.ILD(distance=gap)`. It is asked
once for each pair of items that a list has, whichever comes first, and gives a number from 0 on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.alignment import Array
from rankgauge.alignment.shown import Catalogue
from rankgauge.errors import InputError, RankgaugeError
from rankgauge.measures.failing import failure, file_of
from rankgauge.measures.parameters import Param

__all__ = ["DEFAULT", "OF_ROWS", "Own", "distance"]

Function = Callable[[Any, Any], float]

DEFAULT = "default"
_OWN: dict[str, Function] = {}


def _products(x: Array) -> Array:
    return x @ x.transpose(0, 2, 1)


def _jaccard(x: Array) -> Array:
    both, sizes = _products(x), x.sum(axis=2)
    found: Array = 1 - both / (sizes[:, :, None] + sizes[:, None, :] - both)
    return found


def _cosine(x: Array) -> Array:
    found: Array = 1 - np.clip(_products(x / np.linalg.norm(x, axis=2, keepdims=True)), -1.0, 1.0)
    return found


def _euclidean(x: Array) -> Array:
    squares = (x**2).sum(axis=2)
    found: Array = np.sqrt(np.maximum(squares[:, :, None] + squares[:, None, :] - 2 * _products(x), 0.0))
    return found


def _hamming(x: Array) -> Array:
    found: Array = (x[:, :, None, :] != x[:, None, :, :]).sum(axis=3).astype(np.float64)
    return found


OF_ROWS: Mapping[str, Callable[[Array], Array]] = {
    "jaccard": _jaccard,
    "cosine": _cosine,
    "euclidean": _euclidean,
    "hamming": _hamming,
}
"""Distances of all pairs of rows: (lists, items, features) to (lists, items, items)."""


def distance(doc: str) -> Any:
    """`distance`: a word, or a function of two items, which its name stands for."""

    def read(value: Any) -> str:
        if callable(value):
            return _named(value)
        word = str(value).strip().casefold()
        if word not in (DEFAULT, *OF_ROWS, *_OWN):
            known = ", ".join((DEFAULT, *OF_ROWS, *_OWN))
            raise ValueError(
                Text(
                    f"must be one of {known}, or in Python a function of two items",
                    f"必须是 {known} 之一，在 Python 中也可以是两个物品的函数",
                )
            )
        return word

    return Param(DEFAULT, read, doc)


def _named(function: Function) -> str:
    name = getattr(function, "__name__", "")
    if not name.isidentifier():
        raise ValueError(
            Text(
                "must be a function with a name, which stands for it: write it with def",
                "必须是有名字的函数（以名字指代它）：请用 def 定义",
            )
        )
    word = name.casefold()
    if word in (DEFAULT, *OF_ROWS):
        raise ValueError(
            Text(
                f"must be a function with a name of its own: {word} is a distance already",
                f"必须是名字不与已有距离相同的函数：{word} 已经是一种距离",
            )
        )
    _OWN[word] = function  # who defines it again means the new one, as in a notebook
    return word


def _as_numbers(values: Mapping[int, Any]) -> Mapping[int, Any]:
    """Values of an attribute, as numbers where all of them are: a file of text knows no types."""
    if not all(isinstance(value, str) for value in values.values()):
        return values
    try:
        return {i: float(value) for i, value in values.items()}
    except ValueError:
        return values


class Own:
    """A distance of a user: what items are given to it as, and the mean of it over the pairs of lists."""

    def __init__(self, catalogue: Catalogue, word: str, by: str | None, measure: str) -> None:
        self.function, self.measure, self.catalogue = _OWN[word], measure, catalogue
        self.has_vectors = by is None and catalogue.vectors is not None
        self.values = {} if self.has_vectors else _as_numbers(catalogue.attributes[catalogue.attribute(by)])
        self.width = 1
        self._found: dict[int, float] = {}

    def known(self, items: Array) -> Array:
        """Which of the items have a vector, or a value of the attribute."""
        if self.has_vectors:
            return np.ones(len(items), dtype=bool)
        there = np.zeros(self.catalogue.n_items, dtype=bool)
        there[list(self.values)] = True
        return there[items]

    def means(self, items: Array) -> Array:
        """The mean distance of the pairs in each row of items (lists, items)."""
        first, second = np.triu_indices(items.shape[1], 1)
        low, high = np.minimum(items[:, first], items[:, second]), np.maximum(items[:, first], items[:, second])
        pairs, of_pair = np.unique(low * self.catalogue.n_items + high, return_inverse=True)
        found: Array = np.array([self._of(int(pair)) for pair in pairs])[of_pair.reshape(low.shape)].mean(axis=1)
        return found

    def _of(self, pair: int) -> float:
        if pair not in self._found:
            self._found[pair] = self._asked(*divmod(pair, self.catalogue.n_items))
        return self._found[pair]

    def _asked(self, a: int, b: int) -> float:
        try:
            given = self.function(self._item(a), self._item(b))
        except RankgaugeError:
            raise
        except Exception as e:
            why = failure(e, file_of(self.function))
            raise InputError(
                Text(f"{self.measure}: its function failed, {why}", f"{self.measure}：它的函数出错，{zh(why)}")
            ) from e
        if isinstance(given, (int, float, np.number)) and given >= 0 and math.isfinite(given):
            return float(given)
        ids = self.catalogue.ids
        raise InputError(
            Text(
                f"{self.measure}: a distance must be a number from 0 on, got {show(given)} of the items {show(ids[a])} "
                f"and {show(ids[b])}.",
                f"{self.measure}：距离必须是不小于 0 的数，物品 {show(ids[a])} 和 {show(ids[b])} 的距离实际为 "
                f"{show(given)}。",
            )
        )

    def _item(self, i: int) -> Any:
        """What is known of an item: its vector, or the value of the attribute."""
        if not self.has_vectors:
            return self.values[i]
        row = self.catalogue.vectors[i]
        return np.asarray(row.toarray() if hasattr(row, "toarray") else row, dtype=np.float64).ravel()
