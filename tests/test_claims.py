"""Statements: texts that carry what they claim."""

import pickle

import pytest

from rankgauge._claims import Claim, Statement, claims_of
from rankgauge._text import in_language
from rankgauge.errors import ParameterError

MEAN = Claim("mean", 0.5, "nDCG@10", "new")


def test_a_statement_is_its_words_and_its_claims():
    said = Statement("nDCG@10 is 0.5", "nDCG@10 为 0.5", [MEAN])

    assert said == "nDCG@10 is 0.5"
    assert in_language(said, "zh") == "nDCG@10 为 0.5"
    assert claims_of(said) == (MEAN,)
    assert claims_of("plain words") == ()


def test_a_statement_survives_pickling():
    said = pickle.loads(pickle.dumps(Statement("a", "甲", [MEAN])))

    assert (said, said.zh, said.claims) == ("a", "甲", (MEAN,))


def test_a_claim_outside_the_vocabulary_is_refused():
    with pytest.raises(ParameterError, match=r"a claim must be one of mean, .*, got 'feeling'"):
        Claim("feeling", 1.0)
