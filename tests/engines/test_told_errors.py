"""Errors of executors come back as what they were, in both languages."""

from __future__ import annotations

import json

import pytest

from rankgauge._language import speaking
from rankgauge._text import Text
from rankgauge.engines.spark.told import heard, told
from rankgauge.errors import InputError, ParameterError, RankgaugeError


@pytest.mark.parametrize("kind", [InputError, ParameterError])
def test_an_error_travels_as_plain_data(kind: type[RankgaugeError]):
    with speaking("zh"):  # whatever the executor speaks
        plain = json.loads(json.dumps(told(kind(Text("bad", "坏")))))
    error = heard(*plain)

    assert type(error) is kind
    assert str(error) == "bad"
    with speaking("zh"):
        assert str(error) == "坏"


def test_an_error_that_is_not_known_here_is_one_of_the_input():
    assert type(heard("Other", "bad", "坏")) is InputError
