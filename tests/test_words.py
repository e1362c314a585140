"""Names as keyboards type them: width does not matter, letters that only look alike do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

import rankgauge as rg
from rankgauge._words import as_meant, looks_like, strangers
from rankgauge.calibration import fit_calibrator
from rankgauge.cli.app import app
from rankgauge.diagnosis.standards import load_standards
from rankgauge.errors import ParameterError, RankgaugeError, UnknownName, suggest
from rankgauge.evaluation.rankings.conventions import convention
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.measures import parse
from rankgauge.statistics.paired import p_values

pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of rich-click, under xdist

QRELS, RUN = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}, {"q1": ["x", "a", "b"], "q2": ["c", "y"]}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ｎDCG@10", "nDCG@10"),
        ("RＲ@10", "RR@10"),
        ("ｎＤＣＧ＠１０", "nDCG@10"),
        ("ＡＰ（ｎｏｒｍ＝ｈｉｔｓ）＠６", "AP(norm=hits)@6"),
        ("nDCG（rel＝2，gain＝exponential）＠10", "nDCG(gain=exponential, rel=2)@10"),
        ("ｎｄｃｇ＿ｃｕｔ＿１０", "nDCG@10"),
        ("𝐧DCG@10", "nDCG@10"),
        ("nDCG\u200b@10", "nDCG@10"),  # a mark without width, pasted along
        ("nDCG\u00a0@\u300010", "nDCG@10"),  # blanks of other kinds
        ("Hit\u2010Rate@3", "Hit@3"),
        ("α-nDCG@10", "alpha_nDCG@10"),
        ("ＡＵＣ", "AUC"),
    ],
)
def test_letters_of_any_width_are_what_they_mean(typed: str, meant: str) -> None:
    assert str(parse(typed)) == meant


@pytest.mark.parametrize(
    ("typed", "letter", "near"),
    [
        ("nDСG@10", "CYRILLIC CAPITAL LETTER ES", "nDCG@10"),
        ("РR", "CYRILLIC CAPITAL LETTER ER", None),
        ("rеcall@5", "CYRILLIC SMALL LETTER IE", "Recall@5"),
        ("ΑUC", "GREEK CAPITAL LETTER ALPHA", None),
        ("R²", "SUPERSCRIPT TWO", None),
        ("R²@10", "SUPERSCRIPT TWO", None),
        ("F₁", "SUBSCRIPT ONE", "F1"),
    ],
)
def test_a_look_alike_is_unknown_and_its_letter_is_named(typed: str, letter: str, near: str | None) -> None:
    with pytest.raises(UnknownName) as e:
        parse(typed)

    assert letter in str(e.value)
    assert near is None or f"Did you mean {near}?" in str(e.value)


@pytest.mark.parametrize("typed", ["nDCG!@10", "n/DCG", "R命中@10", "命中律", "nDCǴ@10", "P•@5", "", "-", "@10"])
def test_no_sign_is_dropped_from_a_name(typed: str) -> None:
    with pytest.raises(UnknownName):
        parse(typed)


@pytest.mark.parametrize("typed", ["nDCG@1²", "nDCG@１₀", "P@①", "nDCG(gain=linеar)", "nDCG(gаin=linear)"])
def test_values_and_parameters_are_not_guessed_either(typed: str) -> None:
    with pytest.raises(ParameterError):
        parse(typed)


def test_measures_with_names_in_other_scripts_stay_apart() -> None:
    @rg.measure
    def 首位(a: Any) -> Any:  # noqa: PLC2401
        return a.hits(1, 1)

    @rg.measure
    def 前三(a: Any) -> Any:  # noqa: PLC2401
        return a.hits(1, 3)

    ev = rg.evaluate(QRELS, RUN, ["首位", "前三"])

    assert ev.mean() == {"首位": (0 + 1) / 2, "前三": (2 + 1) / 2}


def test_the_gate_that_passed_for_a_wide_letter_fails(tmp_path: Any) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 a 3\nq1 0 b 2\n", encoding="utf-8")
    (tmp_path / "new.run").write_text("q1 Q0 x 1 3 t\nq1 Q0 a 2 2 t\nq1 Q0 b 3 1 t\n", encoding="utf-8")
    files = [str(tmp_path / "qrels.txt"), str(tmp_path / "new.run")]

    wide = CliRunner().invoke(app, ["gate", *files, "--floor", "ｎDCG＠１０＞＝０．９"], standalone_mode=False)
    sign = CliRunner().invoke(app, ["gate", *files, "--floor", "nDCG@10≥0.9"], standalone_mode=False)

    assert wide.return_value == sign.return_value == 1
    assert "nDCG@10 >= 0.9" in wide.output
    assert wide.output == sign.output


def test_a_result_is_labelled_in_plain_letters_and_found_in_wide_ones() -> None:
    ev = rg.evaluate(QRELS, RUN, ["ｎＤＣＧ＠１０"])

    assert ev.labels == ["nDCG@10"]
    assert ev["ｎDCG＠10"] == ev["nDCG@10"]


@pytest.mark.parametrize(
    "call",
    [
        lambda w: rg.evaluate(QRELS, RUN, ties=w("best")),
        lambda w: rg.evaluate(QRELS, RUN, convention=w("trec_eval")),
        lambda w: rg.evaluate(QRELS, RUN, engine=w("memory")),
        lambda w: convention(w("ranx")),
        lambda w: Policy(missing=w("skip")),
        lambda w: load_standards().scenario(w("faq")),
        lambda w: p_values(w("sign"), [1.0, 2.0]),  # type: ignore[arg-type]
        lambda w: rg.compare(QRELS, {"a": RUN, "b": RUN}, correction=w("holm"), pairs=w("all")),
        lambda w: rg.choose_threshold({"label": [0, 1] * 20, "score": [0.2, 0.7] * 20}, w("F1"), split=w("half")),
        lambda w: rg.calibrate({"label": [0, 1] * 50, "score": [0.2, 0.7, 0.7, 0.3] * 25}, w("odds")),
    ],
)
def test_every_word_is_taken_in_any_width_and_never_with_foreign_letters(call: Callable[[Any], Any]) -> None:
    call(lambda word: word)
    call(lambda word: "".join(chr(ord(c) + 0xFEE0) for c in word))
    with pytest.raises(RankgaugeError):
        call(lambda word: "".join({"e": "е", "a": "а", "o": "о", "s": "ѕ", "F": "Ғ"}.get(c, c) for c in word))


def test_fitting_asks_for_a_calibrator_that_exists() -> None:
    with pytest.raises(UnknownName, match=r"CYRILLIC SMALL LETTER A, not a Latin letter\. Did you mean platt\?"):
        fit_calibrator("plаtt", [0, 1, 0, 1], [0.1, 0.6, 0.4, 0.7])


def test_options_take_words_and_numbers_of_any_width() -> None:
    done = CliRunner().invoke(
        app, ["power", "--sd", "０．２", "--difference", "0.02", "-f", "ｍarkdown"], standalone_mode=False
    )

    assert done.exception is None
    assert "787" in done.output  # as with 0.2


def test_an_option_with_a_foreign_letter_says_which() -> None:
    done = CliRunner().invoke(app, ["evaluate", "q", "r", "--ties", "bеst"], standalone_mode=False)

    assert "'е' is CYRILLIC SMALL LETTER IE, not a Latin letter." in str(done.exception)


def test_ids_of_users_are_not_called_foreign() -> None:
    assert suggest("сорока", ["сорок", "ворона"]) == " Did you mean сорок?"
    assert suggest("café", ["cafe"]) == " Did you mean cafe?"


def test_raised_and_lowered_digits_stay() -> None:
    assert as_meant("R² F₁ ½ ①") == "R² F₁ ½ ①"
    assert looks_like("R²") == "R2"
    assert strangers("nDCG@10") == strangers("命中律") == ""
