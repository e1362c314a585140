"""A state of pieces is the state of the whole, and its sums are those of the rows."""

from __future__ import annotations

import json
import zlib
from base64 import b85decode
from math import fsum, isnan, log, log1p
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.predictions.state import PredictionState

Row = tuple[int, float, float]  # label, score, weight

few = settings(max_examples=60, deadline=None)
probabilities = st.floats(0, 1) | st.sampled_from([0.0, 1.0, 1e-300, 1e-12, 0.02, 0.5, 1 - 1e-16])
weights = st.sampled_from([0.0, 1.0, 3.0, 0.1, 1 / 3]) | st.floats(1e-9, 1e9)
rows = st.lists(st.tuples(st.integers(0, 1), probabilities, weights), max_size=25)


def state(data: list[Row], **options: Any) -> PredictionState:
    y, s, w = ([row[i] for row in data] for i in range(3))
    return PredictionState(**options).update(np.array(y, dtype=int), s, w)


def row_loss(y: int, p: float) -> float:
    p = min(max(p, 1e-15), 1 - 1e-15)
    return -log(p) if y else -log1p(-p)


@given(rows)
@few
def test_sums_are_those_of_the_rows(data: list[Row]):
    got = state(data).result()

    total = fsum(w for _, _, w in data)
    if not total:
        assert got.undefined["LogLoss"] == "there are no rows"
        return
    assert got["LogLoss"] == pytest.approx(fsum(w * row_loss(y, p) for y, p, w in data) / total, rel=1e-12)
    assert got["Brier"] == pytest.approx(fsum(w * (p - y) ** 2 for y, p, w in data) / total, rel=1e-12, abs=1e-300)
    assert got.counts["prevalence"] == pytest.approx(fsum(w for y, _, w in data if y) / total, rel=1e-12)
    predicted = fsum(w * p for _, p, w in data)
    if predicted > 1e-290:
        assert got["COPC"] == pytest.approx(fsum(w for y, _, w in data if y) / predicted, rel=1e-12)
    assert got.counts["rows"] == sum(w > 0 for _, _, w in data)
    assert got.counts["zero_weight_rows"] == sum(w == 0 for _, _, w in data)


@given(rows, st.sampled_from(["probability", "logit", None]), st.data())
@few
def test_any_split_and_any_order_of_merging_is_the_same_state(data: list[Row], scale: str | None, draw: Any):
    owner = draw.draw(st.lists(st.integers(0, 3), min_size=len(data), max_size=len(data)))
    order = draw.draw(st.permutations(range(4)))
    shards = [state([r for r, o in zip(data, owner, strict=True) if o == k], scale=scale) for k in range(4)]
    a, b, c, d = (shards[k] for k in order)
    whole = state(data, scale=scale)

    assert (a + b) + (c + d) == whole
    assert a.merge(b.merge(c).merge(d)).to_bytes() == whole.to_bytes()


def test_many_rows_in_pieces_are_the_rows_at_once():
    rng = np.random.default_rng(3)
    p = rng.random(150_000) ** 4
    y, w = rng.random(len(p)) < p, rng.random(len(p))
    whole, pieces = PredictionState().update(y, p, w), PredictionState()
    for part in np.array_split(rng.permutation(len(p)), 5):
        pieces.update(y[part], p[part], w[part])

    assert whole == pieces
    loss = fsum(w * np.where(y, -np.log(p), -np.log1p(-p)))
    assert whole.result()["LogLoss"] == pytest.approx(loss / fsum(w), rel=1e-13)


def test_whole_weights_are_repeated_rows():
    once = PredictionState().update([1, 0, 1], [0.2, 0.3, 0.9], [2, 3, 1])
    again = PredictionState().update([1, 1, 0, 0, 0, 1], [0.2, 0.2, 0.3, 0.3, 0.3, 0.9])

    assert once.result()["LogLoss"] == pytest.approx(again.result()["LogLoss"], rel=1e-15)
    for name in ("AUC", "PRAUC"):
        assert once.result()[name] == again.result()[name]
        assert once.result().column(name).certain == again.result().column(name).certain


def test_known_values():
    got = PredictionState().update([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]).result()

    assert got["Brier"] == pytest.approx(0.0375)
    assert got["COPC"] == pytest.approx(2 / 2.1)
    assert got["AUC"] == 1
    assert PredictionState().update([1, 0], [0.2, 0.3]).result()["NE"] == pytest.approx(1.41825, abs=5e-6)
    assert got.undefined == {}


def test_clipped_rows_and_their_share_of_the_loss():
    got = PredictionState().update([1, 0, 1], [0.0, 0.0, 0.5]).result()

    bad, good = -log(1e-15), 1e-15
    beside = got.column("LogLoss").beside
    assert beside["clipped rows"] == 2
    assert beside["their share of the loss"] == pytest.approx((bad + good) / (bad + good + log(2)))


def test_float32_gives_the_loss_of_the_same_numbers_in_float64():
    p = np.array([0.1, 0.7, 1.0], dtype=np.float32)

    assert PredictionState().update([0, 1, 0], p) == PredictionState().update([0, 1, 0], p.astype(np.float64))


def test_logits_agree_with_probabilities():
    s = np.linspace(-20, 20, 81)
    y = np.arange(81) % 3 == 0
    a, b = PredictionState("logit").update(y, s).result(), PredictionState().update(y, 1 / (1 + np.exp(-s))).result()

    for name in ("LogLoss", "NE", "Brier", "COPC"):
        assert a[name] == pytest.approx(b[name], rel=1e-7)
    assert b.column("AUC").certain.low <= a["AUC"] <= b.column("AUC").certain.high


def test_huge_logits_are_clipped_where_probabilities_are():
    got = PredictionState("logit").update([0, 1, 1, 0], [1000.0, np.inf, -np.inf, -800.0]).result()

    assert got.column("LogLoss").beside["clipped rows"] == 4
    assert got["LogLoss"] == pytest.approx((-2 * log(1e-15) + 2e-15) / 4)
    assert got["Brier"] == 0.5


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_has_no_auc(label: int):
    got = PredictionState().update([label] * 3, [0.1, 0.2, 0.3]).result()

    for name in ("AUC", "PRAUC", "KS", "NE"):
        assert isnan(got[name])
    assert got.undefined["AUC"] == got.undefined["KS"] == f"needs both classes; all 3 labels are {label}"
    assert got.undefined["NE"].startswith(f"the base rate is {label}")
    assert not isnan(got["LogLoss"])


def test_empty_state_is_undefined():
    got = PredictionState().result()

    assert got.counts["rows"] == 0
    assert isnan(got.counts["prevalence"])
    assert set(got.undefined.values()) == {"there are no rows"}
    assert "undefined: there are no rows" in str(got)


def test_scores_outside_probabilities_leave_the_ranking():
    got = PredictionState().update([0, 1, 0], [-1.0, 2.0, 0.5]).result()

    assert got["AUC"] == 1
    assert got.policy.scale == "score"
    for name in ("LogLoss", "NE", "Brier", "COPC"):
        assert got.undefined[name].startswith("needs probabilities; 2 of 3 scores are outside [0, 1]")
        assert isnan(got[name])


@pytest.mark.parametrize("scale", ["score", None])
def test_scores_that_only_rank_have_no_loss(scale: str | None):
    got = PredictionState(scale).update([0, 1], [-5.0, 7.0]).result()

    assert got["AUC"] == 1
    assert "needs probabilities" in got.undefined["LogLoss"]


def test_predictions_of_zero_have_no_copc():
    assert PredictionState().update([0, 1], [0.0, 0.0]).result().undefined == {"COPC": "all probabilities are 0"}


def test_labels_of_either_coding():
    zero_one = PredictionState().update([0, 1, 1], [0.1, 0.2, 0.3])
    signed = PredictionState().update([-1, 1], [0.1, 0.2])
    ones = PredictionState().update([1], [0.3])

    assert PredictionState().update([False, True, True], [0.1, 0.2, 0.3]) == zero_one
    assert "labels -1/1: -1 read as 0" in (signed + ones).result().notes
    assert (signed + ones).result()["LogLoss"] == zero_one.result()["LogLoss"]
    assert "labels -1/1: -1 read as 0" not in (zero_one + ones).result().notes
    with pytest.raises(InputError, match="0 in one part and -1 in another"):
        signed + zero_one


@pytest.mark.parametrize(
    ("label", "got"),
    [([0.3, 1], "0.3"), ([2, 0], "2"), ([0, -1], "0 and -1 together"), ([np.nan, 1], "nan"), (["a", "b"], "column")],
)
def test_other_labels_are_refused(label: list[Any], got: str):
    with pytest.raises(InputError, match=got):
        PredictionState().update(label, [0.1, 0.2])


def test_refused_rows_leave_the_state_as_it_was():
    state = PredictionState().update([0, 1], [0.1, 0.2])
    before = state.to_bytes()

    with pytest.raises(InputError, match="NaN in 1 of 2 rows"):
        state.update([0, 1], [np.nan, 0.2])
    with pytest.raises(InputError, match="weight must be 0 or"):
        state.update([0, 1], [0.1, 0.2], [1, -1])
    with pytest.raises(InputError, match="got 2 and 3"):
        state.update([0, 1], [0.1, 0.2, 0.3])
    with pytest.raises(InputError, match="throughout"):
        state.update([-1, 1], [0.1, 0.2])
    assert state.to_bytes() == before


def test_unlike_states_cannot_be_merged():
    with pytest.raises(ParameterError, match="same `scale`"):
        PredictionState("logit") + PredictionState()
    with pytest.raises(ParameterError, match="same `mantissa_bits`"):
        PredictionState(mantissa_bits=10) + PredictionState()
    with pytest.raises(ParameterError, match="same `measures`"):
        PredictionState(measures=["AUC"]) + PredictionState()
    with pytest.raises(ParameterError, match="`scale` must be"):
        PredictionState("odds")


def test_merge_leaves_both_as_they_were():
    a, b = PredictionState().update([0, 1], [0.1, 0.2]), PredictionState().update([1], [0.7])
    before = a.to_bytes(), b.to_bytes()
    (a + b).update([0], [0.9])

    assert (a.to_bytes(), b.to_bytes()) == before


@given(rows)
@few
def test_round_trips(data: list[Row]):
    one = state(data)

    assert PredictionState.from_bytes(one.to_bytes()) == one
    again = PredictionState.from_dict(json.loads(json.dumps(one.to_dict(), allow_nan=False)))
    assert again == one
    assert again.to_bytes() == one.to_bytes()


def test_file_with_infinite_scores(tmp_path: Path):
    one = PredictionState(None).update([0, 1], [-np.inf, np.inf])
    one.save(tmp_path / "state")

    assert PredictionState.load(tmp_path / "state") == one
    assert PredictionState.from_dict(json.loads(json.dumps(one.to_dict(), allow_nan=False))) == one


def test_foreign_bytes_are_refused():
    good = PredictionState().update([0, 1], [0.1, 0.2]).to_bytes()

    for bad in (b"", b"PK..", good[:-1], good + b"x", good[:20]):
        with pytest.raises(InputError, match=r"from_bytes\(\) needs"):
            PredictionState.from_bytes(bad)
    with pytest.raises(InputError, match=r"from_dict\(\) needs"):
        PredictionState.from_dict({"format": "else"})


def test_printed_result():
    y, s = [0, 1, 0, 1], [0.1, 0.9, 0.0, 0.3]
    text = str(PredictionState().update(y, s).result())

    assert "4 rows · 50.0% positive" in text
    assert "1 probability at 0 or 1" in text
    assert "keeps no rows" in text
    assert "certain to ±0.5" in str(PredictionState().update([0, 1], [0.1, 0.1 + 1e-9]).result())


# the numbers of other engines


def test_numbers_are_those_of_memory():
    rng = np.random.default_rng(5)
    p = rng.beta(1, 8, 3000).round(3)
    y, w = rng.random(3000) < p, rng.choice([0.0, 1.0, 2.5], 3000)
    measures = ["AUC", "LogLoss", "NE", "RIG", "Brier", "COPC", "UNC", "Lift", "F1(threshold=0.2)", "ECE", "ECCE"]
    state = PredictionState(measures=measures).update(y, p, w)

    got = state.result()
    expected = rg.evaluate_predictions({"label": y, "score": p, "weight": w}, measures)

    assert got.labels == measures
    assert got.policy == expected.policy
    assert got.counts == expected.counts
    for name in ("LogLoss", "NE", "RIG", "Brier", "COPC", "UNC"):
        assert got[name].hex() == expected[name].hex(), name
    for name in measures:
        low, high = got.column(name).certain
        assert low - 1e-12 <= expected[name] <= high + 1e-12, name
        assert isnan(got.interval(name).low)
    assert type(got) is type(expected)


def test_what_was_not_added_up_is_said():
    asked = ["AUC", "ECE", "ECE(binning=uniform)", "F1(threshold=0.5)"]
    got = PredictionState().update([0, 1], [0.1, 0.7]).result(asked)

    assert got["AUC"] == 1
    assert list(got.undefined) == asked[1:]
    for reason in got.undefined.values():
        assert "PredictionState(measures=" in reason


def test_a_state_for_other_measures_survives_its_bytes():
    one = PredictionState(measures=["ECE", "F1(threshold=0.5)"]).update([0, 1], [0.1, 0.7])

    again = PredictionState.from_bytes(one.to_bytes())

    assert again == one
    assert again.result().to_dict() == one.result().to_dict()


# states of earlier versions: PredictionState().update([1, 0, 1, 0], [0.25, 0.5, 0.0, 0.75], [1, 2, 0.5, 0])

BYTES_1 = (
    "c-"
    "rk$OHRWu5KR%>qw*S1(l!lZ(<R%A9w3?|<J7{jgY6_hRrLs5funE)j=)i{^C>D4^Z@j2#`8Sm89!Tdf45wXUN1avLlP!5xgAe0$0"
    "U`NFwWVKl(VwLELO5{L|}JiWi-ohpnOa9OPBkCO2!Scd~NngTgy|a3NY3q3dBPWRgTw7g&9i?lVWASAhBT_Yve9z;vCtab~#tBZU"
    "MqDtszcW+g#wv3CzK;8e<L#^1dCN0!LS>R5F2tab}*~;kqggZ^fl{1o59{VKB`gq8L#c`2QX4OYF4?{Rz;7(s>x9espuv#{R4J<6"
    "<@lbi#o?`mq8lQH)AS)oC=Jouv8J$W6o=mA0d=pQ_DTwlj+Y*SPftyzM&szVnXZ+&hl5AO7gi=#NEbKNr98Uvuh0-v"
)

DICT_1 = (
    "c-rk%L2kn!5d2ESwM_)riJiWpQjb<;VS8~<iE#nPX`}qTyH3(Hhn{+D5R!Mt!+-`@4oo}0Rgpc-m{;9ftA-"
    "X9&mJ06N8`Ges3Ne(8QXymm?KYM7HVaI#`NA*sxsEZ4`OXq7flGNtV|5VO%Uv$RnhFAw5kG&C`Zt`5duv+C%tjwCOxfe0L*JQbd$"
    "h=c{fr(LZ9GWIf7|7u{^^x*bOn51}+e(*VgnsG~cWvt$Em<6s-#sFuq@MsdT0FYAI@-"
    "<@|p)_QSZVN9j@|jmk7+S_{ta9^sjvZU;1%Lv(L9{)G2Ip+zNl@BGQ5ReHDP>Je2V)6o4Yuvp~@x|2u>GAU*Hihmo^o(gDD5QRFz"
    "g~&v<&R1)Zr)QARGec60UoqjNVnIzMw!j_W3*J9W+r#%_akHL&E`PxVBbn9%J_3JMI(`8~DQgn"
)


def unpacked(text: str) -> bytes:
    return zlib.decompress(b85decode(text))


@pytest.mark.parametrize("form", ["bytes", "dict"])
def test_a_state_of_version_1_says_what_it_said(form: str):
    old = (
        PredictionState.from_bytes(unpacked(BYTES_1))
        if form == "bytes"
        else PredictionState.from_dict(json.loads(unpacked(DICT_1)))
    )

    got = old.result()

    assert got["LogLoss"] == pytest.approx((-log(0.25) - 2 * log(0.5) - 0.5 * log(1e-15)) / 3.5)
    assert got["Brier"] == pytest.approx((0.75**2 + 2 * 0.25 + 0.5) / 3.5)
    assert got["COPC"] == pytest.approx(1.5 / 1.25)
    assert (got["AUC"], got["KS"]) == (0, 0)
    assert (got.counts["rows"], got.counts["zero_weight_rows"], got.counts["positives"]) == (3, 1, 1.5)
    assert got.column("LogLoss").beside["clipped rows"] == 1
    assert old == PredictionState().update([1, 0, 1, 0], [0.25, 0.5, 0.0, 0.75], [1, 2, 0.5, 0])
    assert (old + PredictionState().update([1], [0.5])).rows == 4


def test_a_state_of_version_1_that_is_cut_off_is_refused():
    for bad in (unpacked(BYTES_1)[:-8], unpacked(BYTES_1) + b"12345678"):
        with pytest.raises(InputError, match="cut off or too long"):
            PredictionState.from_bytes(bad)


def test_masked_values_are_refused():
    """What a mask hides was used all the same."""
    hidden = np.ma.masked_array([0.9, 0.99, 0.4, 0.5], mask=[0, 1, 0, 0])

    with pytest.raises(InputError, match="must be a number in every row, got masked ones"):
        PredictionState().update([1, 0, 1, 0], hidden)


def test_bytes_that_changed_are_refused():
    stored = PredictionState().update([1, 0, 1, 0], [0.9, 0.2, 0.4, 0.5]).to_bytes()
    for at in range(0, len(stored), 7):
        damaged = bytearray(stored)
        damaged[at] ^= 0x41
        with pytest.raises(InputError):
            PredictionState.from_bytes(bytes(damaged))
