"""Results that nobody judged reach the verdict, and the diagnosis does not contradict itself."""

from __future__ import annotations

import rankgauge as rg
from rankgauge.reporting.verdicts import tone_of, verdict_of_system

N = 12
QRELS = {f"q{i}": {"a": 1, "b": 0} for i in range(N)}
OLD = {q: ["a", "b", "u1"] for q in QRELS}
NEW = {q: ["u2", "u3", "a"] for q in QRELS}
"""Two of three results are not judged, and stand before the one that is right."""


def test_the_headline_says_that_judging_could_change_who_wins():
    cmp = rg.compare(QRELS, {"old": OLD, "new": NEW}, "RR")

    said = verdict_of_system(cmp, "new")
    assert said.endswith(
        "Of the first 10 results nobody judged 67% of new, 33% of old: judging them could change who wins."
    )
    assert said.zh.endswith("前 10 条结果中未标注的比例：new 67%，old 33%；补标后可能改变胜负。")
    assert tone_of(cmp, "new") == "open"
    assert str(said) in str(cmp)


def test_a_loss_that_judging_could_undo_is_no_reason_to_decide_yet():
    found = rg.diagnose(rg.compare(QRELS, {"old": OLD, "new": NEW}, "RR"))

    worse = found["worse-than-baseline"]
    assert worse.severity == "warning"
    assert "judging them could change who wins" in worse.seen
    assert worse.do.startswith("Judge the first results of both before you decide")
    assert "unjudged-share" in found
    assert not any("mean little" in f.why for f in found)


def test_where_everything_is_judged_it_is_one():
    judged = {q: {**QRELS[q], "u1": 0, "u2": 0, "u3": 0} for q in QRELS}
    cmp = rg.compare(judged, {"old": OLD, "new": NEW}, "RR")

    assert "nobody judged" not in verdict_of_system(cmp, "new")
    assert rg.diagnose(cmp)["worse-than-baseline"].do.startswith("Do not release it as it is.")


def test_where_only_right_answers_are_judged_nothing_is_unknown():
    right = {q: {"a": 1} for q in QRELS}
    cmp = rg.compare(right, {"old": OLD, "new": NEW}, "RR")

    assert "nobody judged" not in verdict_of_system(cmp, "new")
    assert rg.diagnose(cmp)["worse-than-baseline"].do.startswith("Do not release it as it is.")


def test_what_was_looked_at_once_is_not_looked_at_again(monkeypatch):
    cmp = rg.compare(QRELS, {"old": OLD, "new": NEW}, "RR")
    first = cmp.winner("RR")
    monkeypatch.setattr("rankgauge.comparison.record.bounds", None)

    assert cmp.winner("RR") is first
    assert cmp.to_dict()["if_judged"]["RR"]["new"]["could_change"]
