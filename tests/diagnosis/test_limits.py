"""What a diagnosis could not see is said: rules that need lists or rows, and too few queries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from planted import PLANTED, evaluated

import rankgauge as rg
from rankgauge.diagnosis.rules import RULES


def stored(record: Any, tmp_path: Path) -> Any:
    record.to_json(tmp_path / "record.json")
    return rg.load(tmp_path / "record.json")


@pytest.mark.parametrize("code", list(RULES))
def test_what_a_stored_record_hides_is_named(code: str, tmp_path: Path):
    case = PLANTED[code]

    found = rg.diagnose(stored(case.faulty(), tmp_path), **(case.options or {}))

    assert (code in found.codes) != (code in found.not_looked_at)
    assert bool(found.not_looked_at) == any("not looked at" in text for text in found.limits)


@pytest.mark.parametrize("code", list(RULES))
def test_with_lists_and_rows_at_hand_everything_is_looked_at(code: str):
    case = PLANTED[code]

    assert rg.diagnose(case.healthy(), **(case.options or {})).not_looked_at == ()


def test_a_stored_model_does_not_seem_faultless(tmp_path: Path):
    rng = np.random.default_rng(0)
    p = rng.uniform(0.02, 0.9, 3000)
    rows = {"label": (rng.uniform(size=3000) < p).astype(int), "score": p**3}
    ev = rg.evaluate_predictions(rows)
    assert "calibrate" in rg.diagnose(ev).codes

    again = stored(ev, tmp_path)

    found = rg.diagnose(again)
    assert "calibrate" in found.not_looked_at
    assert "Nothing to report" not in str(found)
    assert "not looked at: calibrate, " in str(found)
    assert "未检查：calibrate, " in str(rg.diagnose(again, language="zh"))
    assert "not looked at: calibrate, " in again.report()


@pytest.mark.parametrize("graded", [True, False])
def test_the_unjudged_share_is_decided_from_stored_counts(graded: bool, tmp_path: Path):
    qrels = {f"q{i}": {"d": 1, "x": 0, "y": 0} if graded else {"d": 1} for i in range(30)}
    run = {q: ["d", *(f"u{j}" for j in range(9))] for q in qrels}
    live = rg.evaluate(qrels, run, ["RR@10", "P@10"])

    found = rg.diagnose(stored(live, tmp_path))

    assert ("unjudged-share" in found.codes) is graded is ("unjudged-share" in rg.diagnose(live).codes)
    assert "unjudged-share" not in found.not_looked_at
    if graded:
        assert found["unjudged-share"].seen == rg.diagnose(live)["unjudged-share"].seen
        assert found["unjudged-share"].severity == "critical"


@pytest.mark.parametrize(("n", "said"), [(1, "1 query is too few"), (9, "9 queries are too few"), (10, "")])
def test_few_queries_are_said_to_be_too_few(n: int, said: str):
    found = rg.diagnose(evaluated([1] * n, ["nDCG@10"]))

    assert bool(found.limits) == bool(said)
    assert said in str(found)
    assert ("Nothing to report" in str(found)) == (not said)


@pytest.mark.parametrize(
    ("length", "said"), [(2, "Use lists of 3 results or more, which end at 2 now, and then P@3."), (3, "Use P@3.")]
)
def test_a_cutoff_beyond_the_lists_is_not_advised_without_longer_ones(length: int, said: str, tmp_path: Path):
    qrels = {f"q{i}": {"d": 1, "x0": 0} for i in range(20)}
    ev = rg.evaluate(qrels, {q: ["d", *(f"x{j}" for j in range(length - 1))] for q in qrels}, "P@1")

    assert rg.diagnose(ev, scenario="faq")["depth-unsuited"].do == said
    # how long the longest list is was not stored, and the mean does not say it
    assert (
        rg.diagnose(stored(ev, tmp_path), scenario="faq")["depth-unsuited"].do == "Use P@3, where lists are that long."
    )
