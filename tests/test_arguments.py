"""Arguments of another type, and absurd ones: an error that says what they must be."""

from pathlib import Path

import polars as pl
import pytest

import rankgauge as rg
from rankgauge._rng import random_generator
from rankgauge.errors import InputError, ParameterError, UnknownName, suggest

b = rg.behavior
QRELS, RUN = {"q": {"a": 1}}, {"q": {"a": 0.5, "b": 0.4}}
ROWS = {"label": [0, 1] * 10, "score": [0.1, 0.9, 0.4, 0.6] * 5}


@pytest.mark.parametrize("rng", [-1, "seed", 1.5, [-1], {}])
def test_what_is_no_seed_is_a_parameter_error_everywhere(rng):
    with pytest.raises(ParameterError, match="`rng` must be a whole number from 0, a NumPy generator or None, got"):
        random_generator(rng)
    with pytest.raises(ParameterError, match="`rng`"):
        b.interleave(RUN, RUN, rng=rng)
    with pytest.raises(ParameterError, match="`rng`"):
        b.simulate_pbm(rng=rng)
    with pytest.raises(ParameterError, match="`rng`"):
        rg.calibrate(ROWS, rng=rng)


def test_no_module_draws_around_the_one_check():
    source = Path(rg.__file__).parent
    own = {p.name for p in source.rglob("*.py") if "default_rng(rng)" in p.read_text(encoding="utf-8")}

    assert own == {"_rng.py"}


def test_unknown_names_that_are_no_text_are_unknown_names(tmp_path):
    run = tmp_path / "x.run"
    run.write_text("q Q0 d 1 1 t\n", encoding="utf-8")

    assert suggest(3, ["a"]) == ""  # type: ignore[arg-type]
    with pytest.raises(UnknownName):
        rg.diagnose(rg.evaluate(QRELS, RUN, "RR"), scenario=3)
    with pytest.raises(ParameterError, match="format must be one of"):
        rg.read_run(run, format=3)


@pytest.mark.parametrize("requests", ["many", -1, [1, 2], 10**400])
def test_simulated_requests_must_be_whole_numbers(requests):
    with pytest.raises(ParameterError, match="`requests` must be a whole number from 0, or an array of 3 × 3"):
        b.simulate_pbm(3, requests=requests)


def test_simulations_that_fit_no_memory_are_refused():
    with pytest.raises(ParameterError, match="at most 100,000,000 items"):
        b.simulate_pbm(10**6, 10**6)
    with pytest.raises(ParameterError, match="`propensities` must be numbers above 0"):
        b.simulate_pbm(propensities="half")


def test_counts_of_arms_must_be_numbers():
    with pytest.raises(ParameterError, match="`counts`: 'a' must be a number, got 'many'"):
        b.sample_ratio({"a": "many", "b": 2})
    with pytest.raises(ParameterError, match="`expected` must map names to numbers"):
        b.sample_ratio({"a": 1, "b": 2}, "equal")
    with pytest.raises(InputError, match="counts must be whole numbers, not all 0, got a: inf"):
        b.sample_ratio({"a": float("inf"), "b": 2})


def test_a_position_without_end_is_an_input_error_and_no_warning():
    lists = {"query_id": ["q"], "item_id": ["a"], "team": ["A"], "position": [float("inf")]}

    with pytest.raises(InputError, match="position must be a whole number from 1 to 2,147,483,647, got inf"):
        b.credit({"query_id": ["q"], "user_id": ["u"], "item_id": ["a"], "click": [1]}, lists)


def test_aliases_must_be_names():
    with pytest.raises(ParameterError, match="`aliases` must be a list of names, got"):

        @rg.measure(aliases=[{}])
        def Nobody(a):
            return a


def test_a_cutoff_beyond_all_numbers_is_a_parameter_error():
    with pytest.raises(ParameterError, match="`k` must be at most 2,147,483,647"):
        rg.funnel(QRELS, {"a": RUN, "b": RUN}, k=10**400)


def test_weights_of_events_must_be_numbers():
    with pytest.raises(ParameterError, match="`events` must map names to numbers"):
        b.credit({}, events=3)
    with pytest.raises(ParameterError, match="`events`: 'click' must be a number, got 'one'"):
        b.judgements({}, events={"click": "one"})


@pytest.mark.parametrize("bins", [0, 10**12, 1.5, True])
def test_bins_of_a_histogram_are_a_number_that_can_be_drawn(bins):
    with pytest.raises(ParameterError, match=r"`bins` must be (a positive integer|at most 1,000,000), got"):
        rg.score_histogram(rg.evaluate_predictions(ROWS), bins)


@pytest.mark.parametrize("name", ["floors", "non_inferior", "ceilings", "columns"])
def test_rules_of_a_gate_must_be_mappings(name):
    with pytest.raises(InputError, match=f"gate: {name} must map names to values, got 'x'"):
        rg.Gate(qrels="q", run="r", **{name: "x"})


def test_units_must_be_comparable_and_sums_finite():
    with pytest.raises(InputError, match="units must be texts or numbers, got"):
        b.ratio([1, 2], [1, 2], [object(), object()])
    with pytest.raises(InputError, match=r"denominator must be finite, and at most 1e\+150, got 1e\+308 in row 2"):
        b.ratio([1, 2], [1, 1e308])


def test_teams_and_items_of_lists_are_texts():
    lists = pl.DataFrame({"query_id": ["q"], "item_id": [["a"]], "team": ["A"]})

    with pytest.raises(InputError, match="column 'item_id': must hold text or numbers, got List"):
        b.credit({"query_id": ["q"], "user_id": ["u"], "item_id": ["a"], "click": [1]}, lists)
