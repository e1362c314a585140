"""Planted faults are found, and sound models are left alone."""

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.diagnosis.order_and_probability_texts import ADVICE, CASES, SAYINGS
from rankgauge.errors import InputError, ParameterError

N = 20_000


def rows(seed: int = 0, spread: float = 1.2, rate: float = 0.05) -> dict[str, np.ndarray]:
    """Clicks whose probabilities are known, in 2,000 groups."""
    rng = np.random.default_rng(seed)
    logit = np.log(rate / (1 - rate)) + spread * rng.normal(size=N)
    p = 1 / (1 + np.exp(-logit))
    return {"label": rng.random(N) < p, "score": p, "group": rng.integers(2000, size=N)}


def shifted(p: np.ndarray, slope: float = 1.0, shift: float = 0.0) -> np.ndarray:
    z = slope * np.log(p / (1 - p)) + shift
    return 1 / (1 + np.exp(-z))


def read(data: dict[str, np.ndarray], **options):
    return rg.reading(rg.evaluate_predictions(data), **options)


def test_true_probabilities_are_ideal():
    found = read(rows())

    assert (found.case, found.is_clear) == ("ideal", True)
    assert found.advice == [ADVICE["keep"]]


@pytest.mark.parametrize(
    ("slope", "shift", "said"),
    [
        (1.0, np.log(2), "times too high"),
        (1.0, -np.log(2), "times too low"),
        (1.8, 0.0, "too extreme"),
        (0.5, 0.0, "too timid"),
    ],
)
def test_wrong_probabilities_in_good_order_ask_for_calibration(slope, shift, said):
    data = rows()
    center = np.log(0.05 / 0.95) * (1 - slope)  # so that a change of slope turns about the base rate

    found = read({**data, "score": shifted(data["score"], slope, shift + center)})

    assert found.case == "calibrate"
    assert any(said in a for a in found.advice)
    assert any("rankgauge calibrate" in a for a in found.advice)


@pytest.mark.parametrize("n", [200, N])
def test_the_scale_of_weights_changes_no_advice(n):
    data = {name: values[:n] for name, values in rows(rate=0.3, spread=2).items()}
    data["score"] = shifted(data["score"], 0.4)

    said = read(data).advice

    assert any("too timid" in a for a in said)
    for size in (0.01, 10.0):
        assert read({**data, "weight": np.full(n, size)}).advice == said


def test_the_order_decides_the_row_and_the_probabilities_the_column():
    data = rows()
    cases = {
        (good_auc, shift): read({**data, "score": shifted(data["score"], shift=shift)}, good_auc=good_auc).case
        for good_auc in (0.6, 0.95)
        for shift in (0.0, 1.0)
    }

    assert cases == {(0.6, 0.0): "ideal", (0.6, 1.0): "calibrate", (0.95, 0.0): "uninformative", (0.95, 1.0): "rebuild"}


def test_always_saying_the_base_rate_is_uninformative():
    data = rows()
    noise = np.random.default_rng(1).normal(scale=1e-3, size=N)

    found = read({**data, "score": np.clip(data["label"].mean() + noise, 0, 1)})

    assert found.case == "uninformative"
    assert ADVICE["chance"] in found.advice
    assert ADVICE["base rate"] in found.advice


def test_reversed_scores_are_named():
    data = rows()

    found = read({**data, "score": 1 - data["score"]})

    assert found.advice[0] == ADVICE["reversed"]


def test_auc_of_users_only_is_named():
    rng = np.random.default_rng(0)
    user = rng.normal(size=500)
    group = rng.integers(500, size=N)
    p = 1 / (1 + np.exp(2 - user[group]))

    found = read({"label": rng.random(N) < p, "score": p, "group": group})

    assert any("inside" in a for a in found.advice)
    assert "AUC in groups" in [e.name for e in found.evidence]


def test_an_auc_near_the_line_is_not_clear():
    ev = rg.evaluate_predictions(rows())

    found = rg.reading(ev, good_auc=ev["AUC"])

    assert not found.is_clear
    assert (found.case, found.headline) == ("unclear", CASES["open", "right"])
    assert any("contains" in a for a in found.advice)


def test_the_evidence_is_the_split_of_the_loss():
    ev = rg.evaluate_predictions(rows(), ["LogLoss", "MCB", "DSC", "UNC"])
    evidence = {e.name: e.value for e in rg.reading(ev).evidence}

    assert ev["LogLoss"] == pytest.approx(ev["MCB"] - ev["DSC"] + ev["UNC"], abs=1e-12)
    assert evidence["MCB / UNC"] == pytest.approx(ev["MCB"] / ev["UNC"], abs=1e-12)
    assert evidence["DSC / UNC"] == pytest.approx(ev["DSC"] / ev["UNC"], abs=1e-12)


def test_both_languages_have_all_words():
    for texts in (CASES, SAYINGS, ADVICE):
        assert all(text.en and text.zh and text.en != text.zh for text in texts.values())
    assert read(rows(), language="zh").headline == CASES["good", "right"].zh
    assert "→" in str(read(rows(), language="zh"))


def test_refusals():
    ev = rg.evaluate_predictions(rows(), ["AUC"])
    with pytest.raises(ParameterError, match="`language` must be one of en, zh, got 'fr'"):
        rg.reading(ev, language="fr")
    with pytest.raises(ParameterError, match=r"`good_auc` must be between 0.5 and 1, got 0.3"):
        rg.reading(ev, good_auc=0.3)
    scores = rg.evaluate_predictions({"label": [0, 1], "score": [-3.0, 2.0]}, ["AUC"])
    with pytest.raises(InputError, match="cannot be read: LogLoss needs probabilities"):
        rg.reading(scores)


def test_constant_scores_are_read_without_a_slope() -> None:
    ev = rg.evaluate_predictions({"label": [0, 1] * 20, "score": [0.3] * 40})  # half are positive, 0.3 is said

    found = rg.reading(ev)

    assert found.case == "rebuild"
    assert {e.name: e.value for e in found.evidence}["COPC"] == pytest.approx(0.5 / 0.3)
    assert not any("slope" in advice for advice in found.advice)
    assert "nan" not in str(found)


def test_probabilities_that_are_all_zero_are_read_without_copc() -> None:
    ev = rg.evaluate_predictions({"label": [0, 1, 0, 0] * 10, "score": [0.0] * 40})

    found = rg.reading(ev)

    assert found.case == "rebuild"
    copc = next(e for e in found.evidence if e.name == "COPC")
    assert (np.isnan(copc.value), copc.says) == (True, "all probabilities are 0")
    assert "All probabilities are 0, and 25.0% of the rows are positive" in str(found)
    assert "所有概率都是 0，而 25.0% 的样本是正样本" in str(found.in_language("zh"))
    assert "nan" not in str(found)


def test_what_calibration_can_save_is_a_part_of_the_loss_however_wrong_the_model() -> None:
    labels = [1] * 5 + [0] * 15
    ev = rg.evaluate_predictions({"label": labels, "score": [1.0] * 20})

    found = rg.reading(ev)

    clip = 1e-15  # a probability of 1 is taken as 1 - 1e-15
    loss = -sum(np.log(1 - clip) if y else np.log(clip) for y in labels) / 20
    best = -(0.25 * np.log(0.25) + 0.75 * np.log(0.75))  # one value for all rows can only be the base rate
    share = f"{(loss - best) / loss:.1%}"
    assert (loss - best) / best > 10
    assert f"Calibration could save up to {share} of the log loss" in str(found)
    assert f"校准最多可减少 {share} 的对数损失" in str(found.in_language("zh"))


FEW = {
    # a score that says too little, of few rows: AUC 0.71 (0.33 … 1.00), NE 1.06, COPC 1.7
    "label": [0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1],
    "score": [0.30, 0.13, 0.34, 0.21, 0.40, 0.05, 0.08, 0.27, 0.11, 0.45, 0.25, 0.22],
}


def losses(data: dict[str, list[float]]) -> tuple[float, float]:
    """LogLoss of what is said, and of always saying the base rate."""
    rate = sum(data["label"]) / len(data["label"])
    said = [-np.log(p if y else 1 - p) for y, p in zip(data["label"], data["score"], strict=True)]
    base = [-np.log(rate if y else 1 - rate) for y in data["label"]]
    return float(np.mean(said)), float(np.mean(base))


def test_few_rows_settle_neither_the_order_nor_the_probabilities():
    loss, base = losses(FEW)
    assert loss > base

    found = read(FEW)

    assert (found.case, found.is_clear) == ("unclear", False)
    assert found.headline == "Too few rows to tell whether the order is good and whether the probabilities are right."
    assert found.in_language("zh").headline == "样本太少，无法判断排序能力好坏，也无法判断概率是否准确。"
    assert f"NE is {loss / base:.4f}, above 1" in str(found)
    assert f"NE 为 {loss / base:.4f}，大于 1" in str(found.in_language("zh"))
    assert "can be told neither from 0.5 nor from 0.7" in str(found)


@pytest.mark.parametrize("n", [4, 8, 12, 20, 40, 200])
def test_probabilities_that_lose_to_the_base_rate_are_never_called_right(n):
    rng = np.random.default_rng(n)
    for _ in range(8):
        data = {"label": [0, 1, *rng.integers(2, size=n - 2)], "score": [*rng.uniform(0.05, 0.6, size=n)]}
        loss, base = losses(data)
        found = read(data)
        if loss > base * 1.01:
            assert found.case in ("unclear", "calibrate", "rebuild")
            assert "probabilities are right on average" not in str(found)
            assert ADVICE["base rate"] not in found.advice
        low, high = next((e.low, e.high) for e in found.evidence if e.name == "AUC")
        if low < 0.7 < high:
            assert not found.is_clear


def test_a_loss_that_is_surely_above_that_of_the_base_rate_is_an_error_of_the_probabilities():
    rows = {"label": [0, 1] * 100, "score": [0.75, 0.75, 0.25, 0.25] * 50}  # right on average, and says nothing
    loss, base = losses(rows)
    assert loss > base

    found = read(rows)

    assert found.case == "rebuild"
    assert next(e for e in found.evidence if e.name == "COPC").value == pytest.approx(1)


@pytest.mark.parametrize("label", [[1, 1] + [0] * 10, [1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0]])
def test_an_auc_below_half_may_be_a_score_that_is_reversed(label):
    found = read({"label": label, "score": np.linspace(0.05, 0.4, 12), "group": [0, 1, 2, 3] * 3})

    assert "the score may be reversed" in found.advice[0]
    assert "得分可能反了" in found.in_language("zh").advice[0]
    assert not any("orders groups" in a for a in found.advice)


def test_an_order_that_may_be_chance_does_not_come_from_between_groups():
    found = read({**FEW, "group": [0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 2, 2]})

    values = {e.name: e.value for e in found.evidence}
    assert values["AUC"] - values["AUC in groups"] > 0.05
    assert not any("orders groups" in a for a in found.advice)
