"""How numbers are written."""

from math import inf, nan

import pytest

from rankgauge.reporting.grid import count, number, p_value, share, signed


@pytest.mark.parametrize(
    ("x", "text"), [(0.12345, "0.1235"), (-0.00001, "0.0000"), (0.0, "0.0000"), (nan, "–"), (inf, "∞"), (-inf, "-∞")]
)
def test_numbers(x: float, text: str):
    assert number(x) == text


@pytest.mark.parametrize(
    ("x", "text"), [(0.12345, "+0.1235"), (-0.5, "-0.5000"), (-0.00001, "0.0000"), (0.0, "0.0000"), (nan, "–")]
)
def test_differences_have_a_sign_unless_they_are_nothing(x: float, text: str):
    assert signed(x, 4) == text


@pytest.mark.parametrize(("p", "text"), [(0.05, "0.050"), (0.001, "0.001"), (0.00099, "<0.001"), (nan, "–")])
def test_p_values(p: float, text: str):
    assert p_value(p) == text


def test_shares_and_counts():
    assert (share(0.123), share(nan)) == ("12.3%", "–")
    assert (count(1, "query"), count(2, "query"), count(1200, "row")) == ("1 query", "2 queries", "1,200 rows")
