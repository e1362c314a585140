"""Many p-values at once."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rankgauge.errors import UnknownName
from rankgauge.statistics.corrections import CORRECTIONS, benjamini_hochberg, bonferroni, corrected, holm

ps = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_holm_by_hand():
    # sorted .01 .02 .03 .04 times 4 3 2 1: .04 .06 .06 .04, never falling
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])


def test_benjamini_hochberg_by_hand():
    # sorted .01 .02 .03 .9 times 4/1 4/2 4/3 4/4: .04 .04 .04 .9
    assert benjamini_hochberg([0.9, 0.01, 0.03, 0.02]) == pytest.approx([0.9, 0.04, 0.04, 0.04])


def test_bonferroni_by_hand():
    assert bonferroni([0.01, 0.4, 0.2]) == pytest.approx([0.03, 1, 0.6])


@given(ps)
def test_benjamini_hochberg_is_scipy(p: list[float]):
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p, method="bh"), rel=1e-12)


@given(ps)
def test_from_lenient_to_strict(p: list[float]):
    for raw, bh, h, b in zip(p, benjamini_hochberg(p), holm(p), bonferroni(p), strict=True):
        assert raw <= bh * (1 + 1e-12)
        assert bh <= h * (1 + 1e-12)
        assert h <= b <= 1


@pytest.mark.parametrize("word", CORRECTIONS)
@given(p=ps)
def test_nan_passes_and_does_not_count(word: str, p: list[float]):
    with_gaps = [nan, *p, nan]
    got = corrected(with_gaps, word)

    assert got[1:-1] == corrected(p, word)
    assert isnan(got[0])
    assert isnan(got[-1])


@pytest.mark.parametrize("word", CORRECTIONS)
def test_one_p_value_stays_and_none_is_none(word: str):
    assert corrected([0.03], word) == [0.03]
    assert corrected([], word) == []


@pytest.mark.parametrize("word", CORRECTIONS)
def test_arrays_become_lists_of_numbers(word: str):
    got = corrected(np.array([0.2, 0.1, nan]), word)

    assert type(got) is list
    assert {type(p) for p in got} == {float}


def test_words():
    p = [0.01, 0.03, 0.04]

    assert corrected(p) == holm(p)
    assert corrected(p, "none") == p
    assert corrected(p, "bh") == corrected(p, "fdr") == corrected(p, "benjamini-hochberg") == benjamini_hochberg(p)
    with pytest.raises(
        UnknownName, match=r"unknown correction 'bonferoni'\. Did you mean bonferroni\? There are: holm"
    ):
        corrected(p, "bonferoni")
