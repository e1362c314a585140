"""What two threads do is what one would do."""

from __future__ import annotations

import numpy as np
import pytest

from rankgauge.data.parallel import _LONG, both, in_order


@pytest.mark.parametrize("kind", ["any", "equal", "ascending", "few values", "infinite", "whole", "signed zeros"])
@pytest.mark.parametrize("n", [0, 1, 1000, _LONG - 1, _LONG, _LONG + 12345])
def test_numbers_in_order_are_those_of_one_sort(kind: str, n: int) -> None:
    rng = np.random.default_rng(n)
    values = {
        "any": rng.normal(size=n),
        "equal": np.full(n, 0.25),
        "ascending": np.arange(n) / 7,
        "few values": rng.integers(0, 3, n) / 3,
        "infinite": np.where(rng.random(n) < 0.4, np.inf, -np.inf),
        "whole": rng.integers(-(2**62), 2**62, n),
        "signed zeros": np.where(rng.random(n) < 0.5, -0.0, 0.0),
    }[kind]
    found = in_order(values)
    assert found.dtype == values.dtype
    assert np.array_equal(found, np.sort(values))


def test_both_are_computed_and_the_first_error_is_raised() -> None:
    assert both(lambda: 1, lambda: "b") == (1, "b")

    def fails() -> int:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        both(fails, lambda: 2)
    with pytest.raises(ValueError, match="no"):
        both(lambda: 2, fails)
