"""Every rule finds its planted fault with the right evidence, and is silent about the healthy twin."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from planted import PLANTED, evaluated, order_only, scored

import rankgauge as rg
from oracle.findings import check_numbers, check_words
from rankgauge.diagnosis.finding import WORDS
from rankgauge.diagnosis.rules import RULES, Seen, Texts, rule
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.reporting.findings import rules_page

ROOT = Path(__file__).resolve().parents[2]
CODES = list(RULES)


@pytest.mark.parametrize("code", CODES)
def test_the_planted_fault_is_found(code: str):
    case = PLANTED[code]

    found = rg.diagnose(case.faulty(), **(case.options or {}))

    assert code in found.codes
    f = found[code]
    assert case.evidence in "; ".join(f.evidence)
    assert f.severity in ("critical", "warning", "note")


@pytest.mark.parametrize("code", CODES)
def test_the_healthy_twin_is_left_alone(code: str):
    case = PLANTED[code]

    assert code not in rg.diagnose(case.healthy(), **(case.options or {})).codes


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("code", CODES)
def test_every_text_is_filled_in(code: str, language: str):
    case = PLANTED[code]

    f = rg.diagnose(case.faulty(), language=language, **(case.options or {}))[code]

    for text in (f.title, f.seen, f.why, f.check, f.do):
        assert text
        assert not re.search(r"\{|\}|None|nan", text)


@pytest.mark.parametrize("code", CODES)
def test_every_number_of_a_finding_is_claimed(code: str):
    case = PLANTED[code]

    f = rg.diagnose(case.faulty(), **(case.options or {}))[code]

    check_words(f)
    check_numbers(f)


def test_census_of_rules():
    """Nobody is forgotten: planted data, both languages, a stable code, a place on the page."""
    page = rules_page()
    assert set(PLANTED) == set(RULES)
    for code, r in RULES.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
        assert set(r.texts) == set(WORDS)
        assert all(text.en and text.zh for text in r.texts.values())
        assert f"### {code}\n" in page


def test_the_page_of_rules_is_current():
    stored = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")

    assert stored == rules_page(), 'run: python -c "from rankgauge.reporting.findings import rules_page; …"'


# the diagnosis


def test_a_healthy_ranking_has_nothing_to_report():
    ev = evaluated([1] * 60, ["nDCG@10", "RR@10"])

    found = rg.diagnose(ev)

    assert len(found) == 0
    assert "no rule found fault" in str(found)
    assert "没有发现问题" in str(rg.diagnose(ev, language="zh"))


def test_the_most_important_comes_first_and_seven_are_shown():
    qrels = {f"q{i}": {"d": 1, "e": 1} for i in range(40)}
    run = {f"q{i}": {f"x{j}": 1.0 for j in range(30)} for i in range(30)}
    found = rg.diagnose(rg.evaluate(qrels, run, [f"P@{k}" for k in range(1, 12)]))

    order = ["critical", "warning", "note"]
    assert [f.severity for f in found] == sorted((f.severity for f in found), key=order.index)
    assert len(rg.diagnose(order_only(True), most=1).shown) == 1
    assert "1. [critical]" in str(found)


def test_a_band_inside_the_interval_is_called_unsure():
    ranks = [1, 2] * 4  # eight queries: the interval of RR is wide
    f = rg.diagnose(evaluated(ranks + [9] * 4, ["RR"]))["weak-measure"]

    assert f.severity == "note"
    assert "another band" in f.seen


def test_rules_of_ones_own():
    texts = Texts(title="Short", seen="{n} queries", why="w", check="c", do="d")

    @rule("few-queries", "ranking", en=texts, zh=texts)
    def few_queries(s):
        return Seen("note", {"n": s.n}) if s.n < 100 else None

    try:
        assert rg.diagnose(evaluated([1] * 60))["few-queries"].seen == "60 queries"
        assert rg.diagnose(evaluated([1] * 60), rules=["ties-matter"]).codes == []
    finally:
        RULES.pop("few-queries")


def test_stored_evaluations_say_what_they_can(tmp_path: Path):
    ev = evaluated([9] * 60)
    ev.to_json(tmp_path / "ev.json")

    stored = rg.diagnose(rg.Evaluation.from_json(tmp_path / "ev.json"))

    assert "weak-measure" in stored.codes
    assert "found-but-late" not in stored.codes  # needs ranks that were not stored


def test_refusals():
    with pytest.raises(ParameterError, match="`language` must be one of en, zh, got 'fr'"):
        rg.diagnose(evaluated([1] * 9), language="fr")
    with pytest.raises(InputError, match="needs an evaluation or a comparison, got dict"):
        rg.diagnose({})
    with pytest.raises(UnknownName, match="unknown scenario 'faqq'"):
        rg.diagnose(evaluated([1] * 9), scenario="faqq")
    with pytest.raises(UnknownName, match=r"no rule 'ties'."):
        rg.diagnose(evaluated([1] * 9), rules=["ties"])
    with pytest.raises(UnknownName, match="no finding 'ties'"):
        rg.diagnose(evaluated([1] * 9))["ties"]


def test_plain_data_and_tables():
    found = rg.diagnose(scored(shift=1.0))

    assert found.to_dict()["findings"][0]["code"] == found.codes[0]
    assert found.to_frame()["code"].to_list() == found.codes
    for text in (found.to_markdown(), found.to_html(), found.to_csv()):
        assert found.codes[0] in text


# sentences


def test_sentences_of_a_comparison():
    said = rg.sentences(order_only(True))

    assert re.fullmatch(
        r"nDCG@10 from 0\.\d{3} to 0\.\d{3} \(95% interval of the difference \+0\.\d{3} … \+0\.\d{3}, 60 queries\): "
        r"relevant results stand higher\.",
        said[0],
    )
    assert "the first relevant result comes earlier" in said[1]
    chinese = rg.sentences(order_only(True), language="zh")
    assert "差值的 95% 置信区间 +0." in chinese[0]
    assert "相关结果更靠前" in chinese[0]
    same = rg.sentences(order_only(False))
    assert re.fullmatch(r"nDCG@10 stays 0\.\d{3}: none of 60 queries changed\.", same[0])
    with pytest.raises(ParameterError, match="`language` must be one of en, zh"):
        rg.sentences(order_only(True), language="de")


def test_an_empty_list_of_a_file_with_both_sides_is_among_the_findings():
    both = {
        "q1": {"retrieved": ["a", "b"], "relevant": ["a"]},
        "q2": {"retrieved": [], "relevant": ["b"]},
        "q3": {"retrieved": ["x", "y"], "relevant": ["y"]},
    }
    found = rg.diagnose(both)
    (empty,) = [f for f in found.all if f.code == "empty-lists"]

    assert found.codes[0] == "empty-lists"
    assert (empty.severity, empty.seen, list(empty.evidence)) == ("critical", "1 list of the run is empty.", ["q2"])
    assert empty.seen.zh == "系统给出的 1 个列表是空的。"


def test_what_is_found_among_noise_is_shown_where_it_is_found():
    """Ten of sixty queries find nothing, and have the lowest precision."""
    found = rg.diagnose(evaluated([0] * 10 + [1] * 50, relevant=2))["noisy-list"]

    assert found.evidence == ("q10 (0.20)", "q11 (0.20)", "q12 (0.20)")
    assert "P@10 0.167 of at most 0.200;" in found.seen


def test_one_relevant_item_does_not_make_nine_others_noise():
    assert "noisy-list" not in rg.diagnose(evaluated([1] * 60), scenario="document_qa").codes


def of_pieces(found: int) -> rg.Comparison:
    """Pieces of 100 characters of which so many hold the gold of 50, and pieces of 400 that all do."""
    gold = rg.Spans({f"q{i}": [(f"d{i}", 100, 150)] for i in range(60)})
    small = {f"q{i}": [(f"d{i}", *((100, 200) if i < found else (800, 900)))] for i in range(60)}
    large = {f"q{i}": [(f"d{i}", 0, 400)] for i in range(60)}
    return rg.compare(gold, {"small": small, "large": large}, ["SpanRecall@5", "SpanPrecision@5"], permutations=200)


@pytest.mark.parametrize(("found", "severity"), [(40, "note"), (60, "critical")])
def test_more_text_around_more_gold_is_no_reason_not_to_release(found: int, severity: str):
    compared = of_pieces(found)
    lost = rg.diagnose(compared)["worse-than-baseline"]

    assert compared["SpanPrecision@5"].verdict == "worse"
    assert (compared["SpanRecall@5"].verdict == "better") == (severity == "note")
    assert lost.severity == severity
    assert ("Do not release" in lost.do, "equal budget" in lost.do) == (severity == "critical", severity == "note")


def test_gold_that_is_found_sooner_counts_as_well():
    """Recall is settled for neither, and nDCG surely better: precision falls with the length of pieces."""
    gold = rg.Spans({f"q{i}": [(f"d{i}", 100, 150)] for i in range(60)})
    others = [(name, 0, 100) for name in "efgh"]
    small = {f"q{i}": [others[0], (f"d{i}", 100, 200), *others[1:]] for i in range(60)}
    large = {f"q{i}": [(f"d{i}", 0, 400), *((name, 0, 400) for name in "efgh")] for i in range(60)}
    measures = ["nDCG@5", "SpanRecall@5", "SpanPrecision@5"]
    compared = rg.compare(gold, {"small": small, "large": large}, measures, permutations=200)
    lost = rg.diagnose(compared)["worse-than-baseline"]

    assert [compared[m].verdict for m in measures] == ["better", "inconclusive", "worse"]
    assert lost.severity == "note"
    assert lost.do.startswith("More of the gold is retrieved, or sooner, with more text around it")
    assert lost.check == "The queries that lost most, and whether pieces have become longer or shorter."


def test_a_command_is_told_where_there_are_files_for_it(tmp_path: Path):
    names = [f"q{i}" for i in range(40)]
    lists = {"old": {q: ["a", "b"] for q in names}, "new": {q: ["b", "a"] for q in names}}
    gold = tmp_path / "qrels.txt"
    gold.write_text("".join(f"{q} 0 a 1\n{q} 0 b 0\n" for q in names))
    for name, run in lists.items():
        rows = (f"{q} Q0 {d} {i} {9 - i} t\n" for q, found in run.items() for i, d in enumerate(found, 1))
        (tmp_path / name).with_suffix(".run").write_text("".join(rows))
    files = {name: tmp_path / f"{name}.run" for name in lists}

    read = rg.diagnose(rg.compare(gold, files, "RR"))["worse-than-baseline"]
    held = rg.diagnose(rg.compare({q: {"a": 1, "b": 0} for q in names}, lists, "RR"))["worse-than-baseline"]

    assert "rankgauge compare … -m RR --query q0." in read.do
    assert "rankgauge compare" not in held.do
    assert held.do.endswith("Look at a lost query first: q0.")
