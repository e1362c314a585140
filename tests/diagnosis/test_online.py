"""What was seen online, as it is typed, given and stored."""

from __future__ import annotations

import json
from math import isnan, sqrt
from pathlib import Path
from typing import Any

import pytest

from rankgauge import behavior as rb
from rankgauge.diagnosis.online import online_changes, online_of_texts
from rankgauge.errors import InputError, ParameterError


def test_a_difference_a_pair_and_counts():
    ctr, cvr, gmv = online_of_texts(["ctr=-0.001", "cvr = 0.02:0.021", "gmv=310/10000:330/10000"])

    assert (ctr.difference, isnan(ctr.before), ctr.is_up) == (-0.001, True, False)
    assert (cvr.before, cvr.after, cvr.is_up) == (0.02, 0.021, True)  # 5%
    half = 1.96 * sqrt(0.031 * 0.969 / 10_000 + 0.033 * 0.967 / 10_000)
    assert tuple(gmv.interval) == pytest.approx((0.002 - half, 0.002 + half), abs=1e-6)
    assert not gmv.is_up


def test_a_file_of_metrics_with_intervals(tmp_path: Path):
    path = tmp_path / "online.csv"
    path.write_text("metric,control,treatment,low,high\nctr,0.03,0.031,-0.001,0.003\ncvr,0.01,0.02,0.005,0.015\n")

    assert [(x.name, x.is_up, tuple(x.interval)) for x in online_of_texts([str(path)])] == [
        ("ctr", False, (-0.001, 0.003)),
        ("cvr", True, (0.005, 0.015)),
    ]


def test_a_stored_experiment_is_called_like_its_file(tmp_path: Path):
    arm = rb.ratio([1, 0, 1, 0] * 10, [2] * 40)
    change = rb.compare_ratios(arm, arm)
    change.to_json(tmp_path / "ctr.json")

    (stored,) = online_of_texts([str(tmp_path / "ctr.json")])

    assert (stored.name, stored.difference, stored.is_up) == ("ctr", 0.0, False)
    assert stored == online_changes({"ctr": change})[0]


def test_a_json_of_pairs(tmp_path: Path):
    (tmp_path / "online.json").write_text(json.dumps({"ctr": [0.03, 0.031], "cvr": 0.001}))

    assert [x.name for x in online_changes(str(tmp_path / "online.json"))] == ["ctr", "cvr"]


@pytest.mark.parametrize("text", ["ctr=", "ctr=1:2:3", "=1:2", "ctr=a:b", "ctr=1/2/3:4", "ctr=nan", "ctr=5/2:1/2"])
def test_what_nobody_understands_is_an_error(text: str):
    with pytest.raises(ParameterError, match="online"):
        online_of_texts([text])


@pytest.mark.parametrize("given", [3, "none.csv", {"ctr": "high"}, {"ctr": (1, 2, 3)}, {"ctr": float("nan")}])
def test_what_is_no_change_is_an_error(given: Any):
    with pytest.raises((ParameterError, InputError)):
        online_changes(given)


def test_the_same_name_twice_is_an_error():
    with pytest.raises(ParameterError, match="'ctr' is there twice"):
        online_of_texts(["ctr=1:2", "ctr=2:3"])


def test_a_table_without_the_columns_is_an_error(tmp_path: Path):
    (tmp_path / "online.csv").write_text("a,b\n1,2\n")

    with pytest.raises(InputError, match="columns metric, before and after expected"):
        online_of_texts([str(tmp_path / "online.csv")])
