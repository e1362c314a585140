"""Runs of unequal depth: which measures that touches, from where on, and what both have at the depth of both."""

from __future__ import annotations

import rankgauge as rg
from rankgauge.gate import Gate, GateResult, run_gate
from rankgauge.gate.checks import not_worse
from rankgauge.reporting.verdicts import verdict_of_system

N = 20
QRELS = {f"q{i}": {f"d{j}": 1 for j in range(4)} for i in range(N)}


def run(*ranks: int, length: int, short: int = 0) -> dict[str, list[str]]:
    """The relevant items at these ranks of lists of this length; the first few lists end after three results."""
    out = {}
    for i, q in enumerate(QRELS):
        items = [f"x{r}" for r in range(length)]
        for j, r in enumerate(ranks):
            if r <= length:
                items[r - 1] = f"d{j}"
        out[q] = items[:3] if i < short else items
    return out


DEEP = run(1, 5, 60, 90, length=100)
CUT = {q: items[:10] for q, items in DEEP.items()}


def test_the_same_list_cut_short_is_not_simply_worse():
    cmp = rg.compare(QRELS, {"deep": DEEP, "cut": CUT}, ["nDCG@10", "R", "AP", "R@50"])

    found = {g.measure: g for g in cmp.depths}
    assert set(found) == {"R", "AP"}  # nothing relevant between 10 and 50, so that R@50 is the same
    recall = found["R"]
    assert (recall.shallow, recall.depth, recall.share, recall.deepest) == ("cut", 10, 1.0, 100)
    assert (recall.mean, recall.mean_baseline) == (2 / 4, 2 / 4)
    assert cmp["R"].mean_baseline == 1.0
    (note,) = cmp.notes
    assert note == (
        "Lists of cut end at 10 where those of deep go on: R, AP cannot be judged alike. That is so in 100% of the "
        "queries; the longer lists go to 100. Both cut at 10: R 0.5000 → 0.5000, AP 0.3500 → 0.3500. Set depth to 10 "
        "to compare them there."
    )
    assert "止于第 10 位" in note.zh
    assert note in str(cmp)


def test_the_advice_holds():
    cmp = rg.compare(QRELS, {"deep": DEEP, "cut": CUT}, ["R", "AP"], depth=10)

    assert (list(cmp.depths), list(cmp.notes)) == ([], [])
    assert all(c.unchanged for c in cmp)


def test_numbers_at_the_depth_of_both_are_those_of_evaluate():
    other = run(2, 7, 9, 80, length=10)
    cmp = rg.compare(QRELS, {"short": other, "deep": DEEP}, ["AP", "nDCG"])

    for g in cmp.depths:
        assert (g.mean_baseline, g.mean) == (
            rg.evaluate(QRELS, other, g.measure, depth=10)[g.measure],
            rg.evaluate(QRELS, DEEP, g.measure, depth=10)[g.measure],
        )


def test_lists_that_are_short_because_little_was_found_are_no_cut():
    """One list of five happens to be the longest; the others end anywhere."""
    natural = {q: items[: 3 + i] for i, (q, items) in enumerate(DEEP.items())}

    assert rg.compare(QRELS, {"deep": DEEP, "natural": natural}, "R").depths == []


def test_the_share_counts_the_lists_that_end_there():
    some = run(1, 5, 60, 90, length=10, short=5)
    (gap,) = rg.compare(QRELS, {"deep": DEEP, "some": some}, "R").depths

    assert (gap.depth, gap.share) == (10, 15 / 20)


def test_equal_depth_says_nothing():
    assert rg.compare(QRELS, {"a": DEEP, "b": run(2, 5, 60, 91, length=100)}, ["R", "AP"]).depths == []


def test_depths_are_stored(tmp_path):
    cmp = rg.compare(QRELS, {"deep": DEEP, "cut": CUT}, ["R", "AP"])
    cmp.to_json(tmp_path / "cmp.json")

    assert rg.load(tmp_path / "cmp.json").depths == cmp.depths


def test_the_headline_says_so_where_the_measure_is_not_the_first_one():
    better = run(1, 2, 3, 4, length=10)
    cmp = rg.compare(QRELS, {"deep": DEEP, "short": better}, ["nDCG@10", "R@50", "AP"])
    worse = rg.compare(QRELS, {"deep": DEEP, "cut": CUT}, ["P@5", "R"])

    assert "end at 10" not in verdict_of_system(cmp, "short")  # it wins all the same
    said = verdict_of_system(worse, "cut")
    assert said.startswith("cut is worse than deep: R 1.0000 → 0.5000, difference -0.5000")
    assert "P@5 is unchanged (" in said
    assert said.endswith("R cannot be judged alike. Both cut at 10: R 0.5000 → 0.5000.")
    assert said.zh.endswith("R 不可同等比较。都截至第 10 位时：R 0.5000 → 0.5000。")


def test_what_is_a_loss_of_depth_is_no_reason_against_a_release():
    """A little lower at the depth of both, but not surely so."""
    nearly = {q: (items if i else [*items[1:], "y"])[:10] for i, (q, items) in enumerate(DEEP.items())}
    found = rg.diagnose(rg.compare(QRELS, {"deep": DEEP, "nearly": nearly}, ["R", "nDCG@10"]))

    assert "lists-end-early" in found
    assert "worse-than-baseline" not in found


def test_what_is_lost_at_the_depth_of_both_is_lost():
    low = run(3, 6, 60, 90, length=10)
    cmp = rg.compare(QRELS, {"deep": DEEP, "low": low}, ["AP"])
    (gap,) = cmp.depths

    assert gap.interval.high < 0
    assert "worse-than-baseline" in rg.diagnose(cmp)


def gated(tmp_path, lists: dict[str, list[str]], **rules: float) -> GateResult:
    """A gate over files: these lists as `cut` against the deep ones."""
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} 1\n" for q, items in QRELS.items() for d in items))
    for name, run_ in (("deep", DEEP), ("cut", lists)):
        lines = [f"{q} Q0 {d} {i} {-i} t\n" for q, items in run_.items() for i, d in enumerate(items, 1)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    qrels, cut, deep = (str(tmp_path / name) for name in ("qrels.txt", "cut.run", "deep.run"))
    return run_gate(Gate(qrels=qrels, run=cut, baseline=deep, non_inferior=rules))


def test_a_gate_calls_a_loss_of_depth_no_regression(tmp_path):
    result = gated(tmp_path, CUT, R=0.1)

    assert (result.outcome, result.exit_code) == ("inconclusive", 3)
    assert "R cannot be judged alike. Both cut at 10: R 0.5000 → 0.5000" in result.checks[0].message
    assert any("Lists of cut end at 10 where those of deep go on" in note for note in result.notes)


def test_a_gate_sees_what_is_lost_at_the_depth_of_both(tmp_path):
    assert gated(tmp_path, run(3, 6, 60, 90, length=10), AP=0.01).outcome == "fail"


def test_a_gate_over_a_stored_baseline_knows_how_long_its_lists_are(tmp_path):
    stored = rg.Evaluation.from_dict(rg.evaluate(QRELS, DEEP, ["R", "P@5"]).to_dict())
    short, long = (rg.evaluate(QRELS, lists, ["R", "P@5"]) for lists in (CUT, run(40, 60, 99, length=100)))

    check = not_worse(short, stored, "R", 0.1)
    assert check.outcome == "inconclusive"
    told = (
        "Lists of run end at 10 where those of run (baseline) go on: R may not be judged alike. Compare with the run of"
    )
    assert told in check.message
    assert not_worse(long, stored, "R", 0.05).outcome == "fail"  # its lists are as long
    assert not_worse(short, stored, "P@5", 0.1).outcome == "pass"


def test_a_gate_over_a_baseline_of_an_earlier_version_goes_by_its_average():
    data = rg.evaluate(QRELS, DEEP, ["R"]).to_dict()
    del data["lengths"], data["longest_list"]
    check = not_worse(rg.evaluate(QRELS, CUT, ["R"]), rg.Evaluation.from_dict(data), "R", 0.1)

    assert check.outcome == "inconclusive"
    assert "those of run (baseline) have 100.0 results on average, and R reads on" in check.message


def stored(*runs: dict[str, list[str]], measures: tuple[str, ...] = ("nDCG@10", "R", "AP")) -> rg.Comparison:
    evs = [rg.evaluate(QRELS, lists, list(measures)).to_dict() for lists in runs]
    return rg.compare(dict(zip(("deep", "cut"), map(rg.Evaluation.from_dict, evs), strict=True)))


def test_stored_evaluations_know_how_deep_they_go():
    cmp = stored(DEEP, CUT)

    assert [(g.measure, g.shallow, g.depth, g.share, g.deepest) for g in cmp.depths] == [
        ("R", "cut", 10, 1.0, 100),
        ("AP", "cut", 10, 1.0, 100),
    ]
    (note,) = cmp.notes
    assert note == (
        "Lists of cut end at 10 where those of deep go on: R, AP may not be judged alike. That is so in 100% of the "
        "queries; the longer lists go to 100. What is stored has no ranks: evaluate the runs with depth 10 to compare "
        "them there."
    )
    assert note.zh.endswith("存储的评测没有排名：请把 depth 设为 10 重新评测，以便在同一深度比较。")
    assert "Lists of cut end at 10 where those of deep go on: R, AP may not be judged alike." in verdict_of_system(
        cmp, "cut"
    )
    assert "nan" not in str(cmp) + str(rg.diagnose(cmp)) + rg.report(cmp)
    assert rg.diagnose(cmp).codes[0] == "lists-end-early"


def test_stored_evaluations_of_equal_depth_say_nothing():
    assert list(stored(DEEP, DEEP).depths) == []


def test_depths_of_a_stored_run_beside_a_live_one_are_those_of_both_where_the_live_one_is_the_longer():
    short = rg.Evaluation.from_dict(rg.evaluate(QRELS, CUT, ["R"]).to_dict())
    cmp = rg.compare({"deep": rg.evaluate(QRELS, DEEP, ["R"]), "cut": short})

    assert [(g.mean, g.mean_baseline) for g in cmp.depths] == [(0.5, 0.5)]


# cutoffs that no list reaches


def test_a_cutoff_that_no_list_reaches_is_said():
    ev = rg.evaluate(QRELS, CUT, ["R@10", "R@50", "nDCG@100"])

    (note,) = [n for n in ev.notes if "no list has more" in n]
    assert note == "no list has more than 10 results: R@50, nDCG@100 see no further"
    assert note.zh == "列表最多 10 条结果：R@50、nDCG@100 看不到更后面"
    assert note in str(ev)
    assert rg.Evaluation.from_dict(ev.to_dict()).notes == ev.notes
    assert rg.Evaluation.from_dict(ev.to_dict(per_query=False)).notes == ev.notes
    advice = ev.ratings()["R@50"].advice
    assert advice.startswith("Too much is missed, and no list has more than 10: fetch more results")
    assert advice.zh.startswith("漏掉的太多，而列表最多只有 10 条：取回更多结果")
    assert "加大 k" in ev.ratings()["R@10"].advice.zh


def test_a_cutoff_within_the_lists_or_cut_by_the_user_is_not_the_fault_of_what_was_fetched():
    assert not any("no list has more" in n for n in rg.evaluate(QRELS, DEEP, ["R@100", "R"]).notes)
    for words in ({"depth": 10}, {"unjudged": "remove"}):
        ev = rg.evaluate(QRELS, DEEP, ["R@50"], **words)
        assert not any("no list has more" in n for n in ev.notes)
        assert "fetch" not in ev.ratings()["R@50"].advice
