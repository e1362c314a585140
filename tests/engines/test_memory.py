"""How much memory a computation may take."""

import pytest

import rankgauge as rg
from rankgauge import _memory as memory
from rankgauge._memory import available, budget
from rankgauge.errors import ParameterError


@pytest.mark.parametrize(
    ("said", "bytes_"),
    [
        ("2GiB", 2 * 1024**3),
        ("2 GB", 2 * 1024**3),
        ("2g", 2 * 1024**3),
        ("512MiB", 512 * 1024**2),
        ("1.5g", 1536 * 1024**2),
        ("1TiB", 1024**4),
        ("100000k", 100_000 * 1024),
        (2**30, 2**30),
        (str(2**30), 2**30),
    ],
)
def test_sizes_as_people_write_them(said: str | int, bytes_: int):
    assert budget(said) == bytes_


@pytest.mark.parametrize("said", ["much", "GiB", "-1GiB", "2XB", "", True, 1.5, "1MiB", 5])
def test_other_sizes_are_refused(said: object):
    with pytest.raises(ParameterError, match="`memory` must be"):
        budget(said)  # type: ignore[arg-type]


def test_automatic_is_half_of_what_is_free(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "available", lambda: 10 << 30)

    assert budget(None) == 5 << 30


def test_a_container_with_less_memory_than_the_machine(tmp_path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "max").write_text("3000000000\n")
    (tmp_path / "current").write_text("1000000000\n")
    monkeypatch.setattr(memory, "_CGROUPS", [(str(tmp_path / "max"), str(tmp_path / "current"))])
    monkeypatch.setattr(memory, "_physical", lambda: 64 << 30)

    assert available() == 2_000_000_000


def test_a_container_without_a_limit(tmp_path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "max").write_text("max\n")
    monkeypatch.setattr(memory, "_CGROUPS", [(str(tmp_path / "max"), str(tmp_path / "none"))])
    monkeypatch.setattr(memory, "_physical", lambda: 64 << 30)

    assert available() == 64 << 30


def test_what_is_in_memory_already_does_not_ask_how_much_there_is(monkeypatch: pytest.MonkeyPatch):
    def asked() -> int:
        raise AssertionError("a look at the machine for every small call")

    monkeypatch.setattr(memory, "available", asked)

    assert rg.evaluate({"q": ["d"]}, {"q": ["d"]}, "RR")["RR"] == 1
    assert rg.evaluate_predictions({"label": [0, 1], "score": [0.1, 0.9]}, ["AUC"])["AUC"] == 1


def test_a_size_that_is_none_is_refused_whatever_the_input():
    with pytest.raises(ParameterError, match="`memory` must be"):
        rg.evaluate({"q": ["d"]}, {"q": ["d"]}, "RR", memory="much")
