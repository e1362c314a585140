"""The click log tells its story, and its bytes never change."""

import hashlib

import rankgauge as rg
from rankgauge.demo import clicks, save_clicks


def test_saved_bytes_of_seed_7_never_change(tmp_path):
    path = save_clicks(clicks(seed=7), tmp_path / "new")

    assert path.name == "clicks.csv"
    assert (
        hashlib.sha256(path.read_bytes()).hexdigest()
        == "ad434249c4f26b1d9477eaff8289e6cd33c711749c898cd84dbbcca8723c9f42"
    )


def test_another_seed_is_another_log():
    assert clicks(seed=8)["click"] != clicks(seed=7)["click"]


def test_the_new_model_orders_better_and_promises_too_much():
    evs = rg.evaluate_predictions(clicks(), ["AUC", "GAUC", "COPC"], scores=["old", "new"], group="user_id")

    assert evs.difference("AUC", "new", "old").is_better
    assert evs.difference("GAUC", "new", "old").is_better
    assert 0.9 < evs["old"]["COPC"] < 1.1
    assert 0.4 < evs["new"]["COPC"] < 0.6
