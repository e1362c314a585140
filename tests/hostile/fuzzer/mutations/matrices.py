"""NumPy matrices of labels and scores, a row for each query."""

from __future__ import annotations

import random
from typing import Any

from fuzzer.meanings import OPEN, SAME, Given, Meant

from .registry import Place, mutates


@mutates("matrix", "matrices")
def _make(rng: random.Random, matrix: Any, place: Place) -> Given:
    """The same numbers in another layout."""
    import numpy as np

    wide = np.repeat(matrix, 2, axis=1)
    return Given(
        rng.choice(
            [np.asfortranarray(matrix), wide[:, ::2], matrix.copy(), matrix.astype(matrix.dtype.newbyteorder())]
        ),
        SAME,
    )


@mutates("matrix", "matrices")
def _strange_numbers(rng: random.Random, matrix: Any, place: Place) -> Given:
    import numpy as np

    changed = matrix.astype(float)
    at, value = (rng.randrange(len(changed)), rng.randrange(changed.shape[1])), rng.choice([np.nan, np.inf, -np.inf])
    changed[at] = value
    if place.stem != "scores" or np.isnan(value):
        return Given(changed, OPEN)
    beyond = changed.copy()  # an infinite score is a place: before or behind all others
    beyond[at] = matrix.max() + 1 if value > 0 else matrix.min() - 1
    return Given(changed, Meant("meant", beyond))


@mutates("matrix", "matrices")
def _strange_type(rng: random.Random, matrix: Any, place: Place) -> Given:
    import numpy as np

    kinds: list[Any] = [complex, object, str, "datetime64[s]", "S8"]
    kind = rng.choice(kinds)
    if kind is object:
        changed = matrix.astype(object)
        changed[0, 0] = rng.choice([None, "x", [], {}, 1j])
        return Given(changed, OPEN)
    if kind is complex:
        return Given(matrix + np.complex128(1j), OPEN)
    return Given(matrix.astype(int).astype(kind), OPEN)


@mutates("matrix", "matrices")
def _strange_shape(rng: random.Random, matrix: Any, place: Place) -> Given:
    shapes = [
        matrix[:, :0],
        matrix[:0],
        matrix[0],
        matrix[None],
        matrix[:-1],
        matrix[:, :-3],
        matrix.ravel(),
        matrix[0, 0],
    ]
    return Given(rng.choice(shapes), OPEN)


@mutates("matrix", "matrices")
def _whole_numbers(rng: random.Random, matrix: Any, place: Place) -> Given:
    """Scores that happen to be whole are scores; which of them is meant must be said."""
    import numpy as np

    if matrix.dtype.kind != "f":
        return _make(rng, matrix, place)
    return Given((matrix * 100).round().astype(rng.choice([np.int64, np.int32, np.uint16])), OPEN)
