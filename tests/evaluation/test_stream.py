"""A state of pieces is the state of the whole, and its sums are those of the rows."""

from __future__ import annotations

import json
from math import fsum, isnan, log, log1p
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.stream import PredictionState

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
        assert got.undefined["LogLoss"] == "no rows"
        return
    assert got.logloss == pytest.approx(fsum(w * row_loss(y, p) for y, p, w in data) / total, rel=1e-12)
    assert got.brier == pytest.approx(fsum(w * (p - y) ** 2 for y, p, w in data) / total, rel=1e-12, abs=1e-300)
    assert got.prevalence == pytest.approx(fsum(w for y, _, w in data if y) / total, rel=1e-12)
    predicted = fsum(w * p for _, p, w in data)
    if predicted > 1e-290:
        assert got.copc == pytest.approx(fsum(w for y, _, w in data if y) / predicted, rel=1e-12)
    assert got.rows == sum(w > 0 for _, _, w in data)
    assert got.zero_weight_rows == sum(w == 0 for _, _, w in data)


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
    assert whole.result().logloss == pytest.approx(loss / fsum(w), rel=1e-13)


def test_whole_weights_are_repeated_rows():
    once = PredictionState().update([1, 0, 1], [0.2, 0.3, 0.9], [2, 3, 1])
    again = PredictionState().update([1, 1, 0, 0, 0, 1], [0.2, 0.2, 0.3, 0.3, 0.3, 0.9])

    assert once.result().logloss == pytest.approx(again.result().logloss, rel=1e-15)
    assert once.result().auc == again.result().auc
    assert once.result().prauc == again.result().prauc


def test_known_values():
    got = PredictionState().update([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]).result()

    assert got.brier == pytest.approx(0.0375)
    assert got.copc == pytest.approx(2 / 2.1)
    assert got.auc.value == 1
    assert PredictionState().update([1, 0], [0.2, 0.3]).result().ne == pytest.approx(1.41825, abs=5e-6)
    assert got.undefined == {}


def test_clipped_rows_and_their_share_of_the_loss():
    got = PredictionState().update([1, 0, 1], [0.0, 0.0, 0.5]).result()

    bad, good = -log(1e-15), 1e-15
    assert got.clipped_rows == 2
    assert got.clipped_share == pytest.approx((bad + good) / (bad + good + log(2)))


def test_float32_gives_the_loss_of_the_same_numbers_in_float64():
    p = np.array([0.1, 0.7, 1.0], dtype=np.float32)

    assert PredictionState().update([0, 1, 0], p) == PredictionState().update([0, 1, 0], p.astype(np.float64))


def test_logits_agree_with_probabilities():
    s = np.linspace(-20, 20, 81)
    y = np.arange(81) % 3 == 0
    a, b = PredictionState("logit").update(y, s).result(), PredictionState().update(y, 1 / (1 + np.exp(-s))).result()

    for name in ("logloss", "ne", "brier", "copc"):
        assert getattr(a, name) == pytest.approx(getattr(b, name), rel=1e-7)
    assert b.auc.low <= a.auc.value <= b.auc.high


def test_huge_logits_are_clipped_where_probabilities_are():
    got = PredictionState("logit").update([0, 1, 1, 0], [1000.0, np.inf, -np.inf, -800.0]).result()

    assert got.clipped_rows == 4
    assert got.logloss == pytest.approx((-2 * log(1e-15) + 2e-15) / 4)
    assert got.brier == 0.5


@pytest.mark.parametrize(("label", "word"), [(1, "positive"), (0, "negative")])
def test_one_class_has_no_auc(label: int, word: str):
    got = PredictionState().update([label] * 3, [0.1, 0.2, 0.3]).result()

    assert isnan(got.auc.value)
    assert isnan(got.prauc.value)
    assert isnan(got.ks.value)
    assert isnan(got.ne)
    assert got.undefined["AUC"] == got.undefined["PRAUC"] == got.undefined["KS"] == f"all labels are {word}"
    assert got.undefined["NE"].startswith(f"the base rate is {label}")
    assert not isnan(got.logloss)


def test_empty_state_is_undefined():
    got = PredictionState().result()

    assert got.rows == 0
    assert isnan(got.prevalence)
    assert set(got.undefined.values()) == {"no rows"}
    assert "undefined: no rows" in str(got)


def test_scores_outside_probabilities_leave_the_ranking():
    got = PredictionState().update([0, 1, 0], [-1.0, 2.0, 0.5]).result()

    assert got.auc.value == 1
    for name in ("LogLoss", "NE", "Brier", "COPC"):
        assert got.undefined[name].startswith("2 of 3 scores are outside [0, 1]")
    assert isnan(got.logloss)
    assert isnan(got.copc)


def test_scores_that_only_rank_have_no_loss():
    got = PredictionState(scale=None).update([0, 1], [-5.0, 7.0]).result()

    assert got.auc.value == 1
    assert "scale=None" in got.undefined["LogLoss"]


def test_predictions_of_zero_have_no_copc():
    assert PredictionState().update([0, 1], [0.0, 0.0]).result().undefined == {"COPC": "the predictions add up to 0"}


def test_labels_of_either_coding():
    zero_one = PredictionState().update([0, 1, 1], [0.1, 0.2, 0.3])
    signed = PredictionState().update([-1, 1], [0.1, 0.2])
    ones = PredictionState().update([1], [0.3])

    assert PredictionState().update([False, True, True], [0.1, 0.2, 0.3]) == zero_one
    assert (signed + ones).result().labels == "-1/1"
    assert (signed + ones).result().logloss == zero_one.result().logloss
    assert (zero_one + ones).result().labels == "0/1"
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

    assert "rows     4, positives 2 (50.0000%)" in text
    assert "AUC      1.000000 exact" in text
    assert "1 rows clipped" in text
    assert "± 0.500000 guaranteed" in str(PredictionState().update([0, 1], [0.1, 0.1 + 1e-9]).result())
