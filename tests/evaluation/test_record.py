"""The record of an evaluation: its numbers under any name, their intervals, and every form it can take."""

import csv
import json
from html.parser import HTMLParser
from io import StringIO
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import rankgauge as rg
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.statistics.intervals import Interval, bootstrap_interval, t_interval, t_quantile

approx = pytest.approx

QRELS = {"q1": {"a": 2, "b": 0}, "q2": {"a": 1}, "q3": {"c": 0}, "q4": {"a": 1, "b": 1}}
RUN = {"q1": ["a", "b"], "q2": ["b", "a"], "q3": ["c"], "q4": ["b", "x", "a"]}
RR = [1, 1 / 2, 1]  # of q1, q2, q4; q3 has nothing relevant


@pytest.fixture
def ev() -> rg.Evaluation:
    return rg.evaluate(QRELS, RUN, ["recip_rank", "Recall@2", "num_rel_ret", "gm_map"])


# names


@pytest.mark.parametrize("name", ["recip_rank", "RR", "MRR", "mrr", "reciprocal rank", rg.parse("RR")])
def test_number_under_any_spelling(ev: rg.Evaluation, name: Any):
    assert ev[name] == sum(RR) / 3
    assert name in ev


@pytest.mark.parametrize("name", ["R@2", "recall_2", "recall@2", "Recall@2", "recall.2", "R(rel=1)@2"])
def test_cutoff_under_any_spelling(ev: rg.Evaluation, name: str):
    assert ev[name] == approx((1 + 1 + 1 / 2) / 3)


def test_unknown_and_unasked_names(ev: rg.Evaluation):
    assert "R@3" not in ev
    assert "no such thing" not in ev
    with pytest.raises(UnknownName, match=r"R@3 was not evaluated\..*There are: recip_rank, Recall@2"):
        ev["R@3"]
    with pytest.raises(UnknownName, match="unknown measure"):
        ev["no such thing"]


def test_labels_are_what_was_typed_in_the_order_of_asking(ev: rg.Evaluation):
    assert ev.labels == list(ev) == list(ev.mean()) == ["recip_rank", "Recall@2", "num_rel_ret", "gm_map"]
    assert [str(m) for m in ev.measures] == ["RR", "R@2", "NumRelRet", "GMAP"]
    assert len(ev) == 4


def test_parameters_of_a_convention_belong_to_the_name():
    """Under mlflow P@3 divides by what was returned; asking for the other one says it is not there."""
    ev = rg.evaluate({"q": ["a"]}, {"q": ["a"]}, "P@3", convention="mlflow")

    assert ev["P@3"] == ev["precision_3"] == ev["P(divisor=retrieved)@3"] == 1
    assert rg.parse("P@3") not in ev


def test_summaries(ev: rg.Evaluation):
    assert ev["num_rel_ret"] == 1 + 1 + 0 + 2  # a sum over all queries
    assert ev["gm_map"] == approx((1 * 1 / 2 * (1 + 2 / 3) / 2) ** (1 / 3))
    assert [ev.n(name) for name in ev] == [3, 3, 4, 3]


# per query


def test_per_query_frame(ev: rg.Evaluation):
    frame = ev.per_query

    assert frame.columns == ["query_id", "recip_rank", "Recall@2", "num_rel_ret", "gm_map"]
    assert frame.schema["query_id"] == pl.String
    assert frame["query_id"].to_list() == ["q1", "q2", "q3", "q4"]
    assert frame["recip_rank"].to_list() == [1, 1 / 2, None, 1]
    assert frame["num_rel_ret"].to_list() == [1, 1, 0, 2]


def test_text_per_query():
    ev = rg.evaluate(QRELS, RUN, ["relstring", "RR"])

    assert ev.per_query["relstring"].to_list() == ["20", "-1", "0", "1-1"]
    assert isnan(ev["relstring"])
    assert "relstring" in str(ev)


def test_frame_with_a_row_for_each_measure(ev: rg.Evaluation):
    frame = ev.to_frame()

    assert frame.columns == ["measure", "definition", "value", "low", "high", "n", "tie_width"]
    assert frame["measure"].to_list() == ev.labels
    assert frame["value"].to_list() == list(ev.mean().values())
    assert frame["n"].to_list() == [3, 3, 4, 3]


def test_frames_of_several_runs():
    evs = rg.evaluate(QRELS, {"one": RUN, "two": {"q1": ["a"]}}, "RR")

    assert evs.per_query.columns == ["run", "query_id", "RR"]
    assert evs.per_query["run"].to_list() == ["one"] * 4 + ["two"] * 4
    assert evs.per_query.filter(run="two")["RR"].to_list() == [1, 0, None, 0]
    assert evs["two"].per_query.columns == ["query_id", "RR"]  # looking at all leaves the parts alone
    assert evs.to_frame().columns == ["run", "RR"]


# intervals


@pytest.mark.parametrize("df", [*range(1, 41), 59, 60, 99, 100, 299, 300, 301, 302, 500, 1000, 9999, 10**6])
@pytest.mark.parametrize("p", [0.001, 0.025, 0.05, 0.3, 0.5, 0.8, 0.9, 0.95, 0.975, 0.995, 0.9995])
def test_t_quantile(p: float, df: int):
    assert t_quantile(p, df) == approx(stats.t.ppf(p, df), rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("p", [0, 1, -1, nan])
def test_t_quantile_outside_its_range(p: float):
    with pytest.raises(ParameterError, match="`p` must be between 0 and 1"):
        t_quantile(p, 5)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("n", [2, 3, 10, 200, 700])
def test_t_interval(n: int, level: float):
    values = np.random.default_rng(n).random(n)

    expected = stats.t.interval(level, n - 1, loc=values.mean(), scale=stats.sem(values))

    assert t_interval(values, level) == approx(expected, rel=1e-10)


def test_weighted_t_interval_by_hand():
    """The standard error is the root of Σ w²(x-m)² · n/(n-1), over Σ w; these weights leave 2⅔ of three queries."""
    values, weights = np.array([1.0, 0.5, 0.0]), np.array([1.0, 2.0, 1.0])
    mean = (1 * 1 + 2 * 0.5 + 1 * 0) / 4
    squares = 1 * (1 - mean) ** 2 + 4 * (0.5 - mean) ** 2 + 1 * (0 - mean) ** 2
    n = (1 + 2 + 1) ** 2 / (1 + 4 + 1)
    half = stats.t.ppf(0.975, 1) * (squares * n / (n - 1)) ** 0.5 / 4

    assert t_interval(values, 0.95, weights) == approx((mean - half, mean + half), rel=1e-10)


@pytest.mark.parametrize("weight", [3.0, 0.1, 1e-200])
def test_equal_weights_are_no_weights(weight: float):
    values = np.random.default_rng(1).random(20)

    assert t_interval(values, 0.9, np.full(20, weight)) == approx(t_interval(values, 0.9), rel=1e-12)


@pytest.mark.parametrize("heavy", [1, 5, 20, 100])
def test_the_interval_holds_the_truth_whatever_one_query_weighs(heavy: float):
    """Counting queries, 95% intervals held it in 56% of the samples with a weight of 20, in 7% with 100."""
    rng = np.random.default_rng(7)
    weights = np.array([heavy, *[1.0] * 11])
    found = [t_interval(rng.beta(2, 2, 12), 0.95, weights) for _ in range(400)]
    held = [isnan(low) or low <= 0.5 <= high for low, high in found]

    assert np.mean(held) > 0.9


def test_weights_that_leave_less_than_two_queries_leave_no_interval():
    assert all(map(isnan, t_interval(np.array([0.2, 0.9, 0.4]), 0.95, np.array([100.0, 1.0, 1.0]))))
    ev = rg.evaluate(QRELS, RUN, "RR", weights=dict(zip(QRELS, (1000, 1, 1, 1), strict=True)))
    assert isnan(ev.interval("RR").low)


@pytest.mark.parametrize("level", [0, 1, 95, -0.1])
@pytest.mark.parametrize("interval", [t_interval, bootstrap_interval])
def test_confidence_level_outside_its_range(interval: Any, level: float):
    with pytest.raises(ParameterError, match="`confidence_level` must be between 0 and 1"):
        interval(np.array([1.0, 2.0]), level)


def test_interval_of_a_measure(ev: rg.Evaluation):
    mean, half = np.mean(RR), stats.t.ppf(0.975, 2) * stats.sem(RR)

    assert mean + half > 1  # more than the measure can have
    assert ev.interval("RR") == approx((mean - half, 1))
    assert ev.interval("MRR", 0.5) == approx(stats.t.interval(0.5, 2, loc=mean, scale=stats.sem(RR)), rel=1e-10)


def test_confidence_level_of_the_evaluation():
    narrow = rg.evaluate(QRELS, RUN, "RR", confidence_level=0.5)

    assert narrow.interval("RR") == narrow.interval("RR", 0.5)
    assert "50% interval" in str(narrow)


def test_bootstrap_is_the_same_for_the_same_rng():
    """Twenty lists with the relevant item at ranks 1 to 20: means of draws that hardly ever coincide."""
    qrels = {f"q{i}": ["a"] for i in range(20)}
    ev = rg.evaluate(qrels, {f"q{i}": [*(f"x{j}" for j in range(i)), "a"] for i in range(20)}, "RR")

    first = ev.interval("RR", method="bootstrap", rng=7, resamples=500)

    assert ev.interval("RR", method="bootstrap", rng=7, resamples=500) == first
    assert ev.interval("RR", method="bootstrap", rng=np.random.default_rng(7), resamples=500) == first
    assert ev.interval("RR", method="bootstrap", rng=8, resamples=500) != first
    assert ev.interval("RR", method="bootstrap") == ev.interval("RR", method="bootstrap")
    assert 1 / 20 < first.low < ev["RR"] < first.high < 1


def test_bootstrap_percentiles():
    """With values 0 and 1, means of two draws are 0, ½, ½, 1: the middle half is all ½ apart from the ends."""
    low, high = bootstrap_interval(np.array([0.0, 1.0]), 0.4, rng=1, resamples=20_000)
    wide = bootstrap_interval(np.array([0.0, 1.0]), 0.95, rng=1, resamples=20_000)

    assert (low, high) == (0.5, 0.5)
    assert wide == (0, 1)


def test_bootstrap_agrees_with_t_for_many_queries():
    values = np.random.default_rng(3).random(400)

    assert bootstrap_interval(values, rng=5) == approx(t_interval(values), abs=0.003)


def test_bootstrap_in_chunks_and_with_weights():
    values = np.linspace(0, 1, 3000)
    weights = np.where(values > 0.5, 3.0, 1.0)
    mean = float((weights * values).sum() / weights.sum())

    low, high = bootstrap_interval(values, 0.95, weights, rng=2, resamples=3000)

    assert low < mean < high
    assert (low, high) == approx(t_interval(values, 0.95, weights), abs=0.003)


def test_unknown_method(ev: rg.Evaluation):
    with pytest.raises(ParameterError, match="`method` must be 't' or 'bootstrap', got 'jackknife'"):
        ev.interval("RR", method="jackknife")


@pytest.mark.parametrize(
    ("name", "policies"),
    [
        ("num_rel_ret", {}),
        ("gm_map", {}),
        ("P@2", {"average": "micro"}),
        ("RR", {"no_relevant": "nan"}),
    ],
)
def test_numbers_without_an_interval(name: str, policies: dict[str, Any]):
    low, high = rg.evaluate(QRELS, RUN, name, **policies).interval(name)

    assert isnan(low)
    assert isnan(high)


@pytest.mark.parametrize("method", ["t", "bootstrap"])
def test_one_query_has_no_interval(method: str):
    low, high = rg.evaluate({"q": ["a"]}, {"q": ["a"]}, "RR").interval("RR", method=method)

    assert isnan(low)
    assert isnan(high)


def test_interval_uses_the_weights():
    weights = {"q1": 1, "q2": 2, "q3": 50, "q4": 1}
    weighted = rg.evaluate(QRELS, RUN, "RR", weights=weights)

    assert weighted["RR"] == (1 * 1 + 2 * (1 / 2) + 1 * 1) / 4
    found = t_interval(np.array(RR), 0.95, np.array([1.0, 2.0, 1.0]))
    assert weighted.interval("RR") == approx(found.clipped(0, 1))


def test_clipped():
    assert Interval(-0.5, 1.5).clipped(0, 1) == (0, 1)
    assert Interval(0.2, 0.4).clipped(0, 1) == (0.2, 0.4)


# slices

LANGUAGES = {"q1": "en", "q2": "zh", "q3": "en", "q4": "zh"}


def write_csv(folder: Path) -> Path:
    path = folder / "slices.csv"
    path.write_text("query_id,language\n" + "".join(f"{q},{x}\n" for q, x in LANGUAGES.items()))
    return path


def write_tsv(folder: Path) -> Path:
    path = folder / "slices.tsv"
    path.write_text("qid\tlanguage\n" + "".join(f"{q}\t{x}\n" for q, x in LANGUAGES.items()))
    return path


def write_jsonl(folder: Path) -> Path:
    path = folder / "queries.jsonl"
    lines = ({"_id": q, "text": f"text of {q}", "metadata": {"language": x}} for q, x in LANGUAGES.items())
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def write_json(folder: Path) -> Path:
    path = folder / "slices.json"
    path.write_text(json.dumps({q: {"language": x} for q, x in LANGUAGES.items()}))
    return path


def write_parquet(folder: Path) -> Path:
    path = folder / "slices.parquet"
    pl.DataFrame({"query_id": list(LANGUAGES), "language": list(LANGUAGES.values())}).write_parquet(path)
    return path


SLICES = {
    "mapping": lambda _: {q: {"language": x} for q, x in LANGUAGES.items()},
    "polars": lambda _: pl.DataFrame({"query_id": list(LANGUAGES), "language": list(LANGUAGES.values())}),
    "pandas": lambda _: pd.DataFrame({"qid": list(LANGUAGES), "language": list(LANGUAGES.values())}),
    "csv": write_csv,
    "csv as text": lambda folder: str(write_csv(folder)),
    "tsv": write_tsv,
    "jsonl": write_jsonl,
    "json": write_json,
    "parquet": write_parquet,
}


@pytest.mark.parametrize("form", SLICES)
def test_slices_from_anything(form: str, tmp_path: Path):
    frame = rg.evaluate(QRELS, RUN, ["RR", "NumRelRet"], slices=SLICES[form](tmp_path)).slices

    found = frame.filter(slice="language")
    assert found.columns == ["slice", "value", "n", "RR", "NumRelRet"]
    assert found["value"].to_list() == ["en", "zh"]
    assert found["RR"].to_list() == [1, (1 / 2 + 1) / 2]
    assert found["NumRelRet"].to_list() == [1 + 0, 1 + 2]


def test_plain_mapping_is_one_attribute():
    assert rg.evaluate(QRELS, RUN, "RR", slices=LANGUAGES).slices["slice"].unique().to_list() == ["slice"]


def test_queries_without_a_slice_are_shown_and_noted():
    ev = rg.evaluate(QRELS, RUN, "RR", slices={"q1": {"language": "en"}, "q2": {"language": "zh"}})

    assert ev.slices["value"].to_list() == ["(none)", "en", "zh"]
    assert any("2 queries have no slice" in note for note in ev.notes)


def test_queries_without_a_value_of_one_attribute_are_noted():
    slices = {q: {"language": "en", "intent": "buy"} for q in QRELS}
    del slices["q2"]["intent"]

    ev = rg.evaluate(QRELS, RUN, "RR", slices=slices)

    assert [note for note in ev.remarks if "intent" in note] == ["1 query has no 'intent' ('q2')"]
    assert not any("language" in note for note in ev.remarks)


def test_a_slice_of_any_value_can_be_stored():
    slices = {q: {"odd": 1j if q == "q1" else ("a", 2)} for q in QRELS}

    ev = rg.evaluate(QRELS, RUN, "RR", slices=slices)
    stored = json.loads(ev.to_json())

    assert ev.remarks == ("4 values of 'odd' that are neither text nor number, taken as they are written ('1j')",)
    assert {row["value"] for row in stored["slices"]} == {"1j", "('a', 2)"}
    assert stored["attributes"]["odd"][:2] == ["1j", "('a', 2)"]


def test_slices_of_other_queries_are_refused():
    with pytest.raises(InputError, match=r"none of the 4 queries is in the slice table\. .*'q1'.*'x1'"):
        rg.evaluate(QRELS, RUN, "RR", slices={"x1": "en"})


def test_an_attribute_with_too_many_values_is_no_slice():
    qrels = {f"q{i}": ["a"] for i in range(60)}
    slices = {q: {"text": f"text {q}", "language": "en"} for q in qrels}

    ev = rg.evaluate(qrels, {"q0": ["a"]}, "RR", slices=slices)

    assert list(ev.attributes) == ["language"]
    assert any("'text' has 60 values" in note for note in ev.notes)


def test_slices_that_were_not_given(ev: rg.Evaluation):
    with pytest.raises(ParameterError, match="no slices were given"):
        ev.slices  # noqa: B018


def test_slices_without_a_query_column():
    with pytest.raises(InputError, match="column 'query_id' is missing"):
        rg.evaluate(QRELS, RUN, "RR", slices=pl.DataFrame({"x": ["q1"], "language": ["en"]}))


def test_slices_in_a_file_that_does_not_exist(tmp_path: Path):
    with pytest.raises(InputError, match=r"slices 'slices.csv' does not exist"):
        rg.evaluate(QRELS, RUN, "RR", slices=tmp_path / "slices.csv")


def test_slices_are_shown():
    text = str(rg.evaluate(QRELS, RUN, "RR", slices={q: {"language": x} for q, x in LANGUAGES.items()}))

    assert "by slice" in text
    assert "language" in text
    assert "zh" in text


# there and back

TIED = {"q1": {"a": 1.0, "b": 1.0}, "q2": {"a": 1.0, "b": 1.0}, "q4": {"a": 1.0, "x": 1.0, "b": 0.5}}


@pytest.mark.parametrize(
    "policies",
    [
        {},
        {"ties": "expected"},
        {"missing": "skip"},
        {"no_relevant": "nan"},
        {"no_relevant": "nan", "missing": "skip"},
        {"average": "micro"},
        {"weights": [1, 2, 3, 4]},
        {"slices": {"q1": "en", "q2": "zh"}},
        {"convention": "trec_eval", "depth": 2, "rel": 2},
        {"confidence_level": 0.8},
    ],
    ids=str,
)
def test_dict_and_back(policies: dict[str, Any], tmp_path: Path):
    ev = rg.evaluate(QRELS, TIED, ["RR", "P@2", "NumRet", "relstring", "gm_map", "nDCG(gain={1: 3})@2"], **policies)

    back = rg.Evaluation.from_dict(ev.to_dict())
    ev.to_json(tmp_path / "ev.json")
    read = rg.Evaluation.from_json(tmp_path / "ev.json")

    for other in (back, read):
        assert other.to_dict() == ev.to_dict()
        assert str(other) == str(ev)
        assert other.per_query.equals(ev.per_query)
        assert list(map(repr, other.mean().values())) == list(map(repr, ev.mean().values()))
        assert repr(other.interval("RR")) == repr(ev.interval("RR"))
        assert other.policy == ev.policy
        assert other.labels == ev.labels
        assert other.measures == ev.measures


def test_json_is_plain_and_readable(ev: rg.Evaluation, tmp_path: Path):
    text = ev.to_json(tmp_path / "ev.json")

    assert (tmp_path / "ev.json").read_text(encoding="utf-8") == text + "\n"
    assert "NaN" not in text
    data = json.loads(text, parse_constant=pytest.fail)
    assert data["policy"]["ties"] == "doc_id"
    assert data["measures"][0] | {"low": 0} == {
        "measure": "recip_rank",
        "definition": "RR",
        "value": 2.5 / 3,
        "low": 0,
        "high": 1,
        "n": 3,
        "tie_width": 0,
    }
    assert data["per_query"]["recip_rank"] == [1, 1 / 2, None, 1]


def test_json_keeps_chinese_text_as_it_is():
    assert "员工手册" in rg.evaluate({"员工手册": ["a"]}, {"员工手册": ["a"]}, "RR").to_json()


def test_without_per_query_values_the_numbers_come_back_and_what_needs_queries_says_so(ev: rg.Evaluation):
    short = ev.to_dict(per_query=False)
    back = rg.Evaluation.from_dict(short)

    assert "per_query" not in short
    assert back.to_dict() == short
    assert back.mean() == ev.mean()
    assert str(back) == str(ev)
    for ask in (
        lambda: back.per_query,
        lambda: back.compare(ev),
        lambda: back.interval("RR", 0.5),
        lambda: back.interval("RR", method="bootstrap"),
    ):
        with pytest.raises(InputError, match="stored without per-query values"):
            ask()


def test_json_of_several_runs(tmp_path: Path):
    evs = rg.evaluate(QRELS, {"one": RUN, "two": RUN}, "RR")

    text = evs.to_json(tmp_path / "evs.json")

    data = json.loads((tmp_path / "evs.json").read_text(encoding="utf-8"))
    assert data == json.loads(text) == evs.to_dict()
    assert rg.Evaluation.from_dict(data["two"]).run == "two"


# shown


def test_text(ev: rg.Evaluation):
    lines = str(ev).splitlines()

    assert lines[0] == "run on qrels"
    assert lines[2].split() == ["measure", "value", "95%", "interval", "n", "definition"]
    assert lines[3].split()[:2] == ["recip_rank", "0.8333"]
    assert lines[5].split()[:2] == ["num_rel_ret", "4"]
    assert "3 of 4 queries in the means" in str(ev)
    assert "no_relevant=skip" in str(ev)


def test_missing_queries_and_duplicates_are_said():
    text = str(rg.evaluate(QRELS, {"q1": ["a", "a"], "q9": ["a"]}, "RR"))

    assert "missing=zero" in text
    assert "3 of 4 judged queries" in text
    assert "duplicates=first" in text


def test_csv_is_not_rounded(ev: rg.Evaluation):
    rows = list(csv.DictReader(StringIO(ev.to_csv())))

    assert [row["measure"] for row in rows] == ev.labels
    assert [float(row["value"]) for row in rows] == list(ev.mean().values())


def test_notebook_shows_the_html(ev: rg.Evaluation):
    assert ev._repr_html_() == ev.to_html()
    assert "<table>" in ev.to_html()


def test_digits(ev: rg.Evaluation):
    assert "0.83 |" not in ev.to_markdown()
    assert "**0.83**" in ev.to_markdown(digits=2)


def test_wide_half_widths_are_not_cut():
    """±10.5 keeps its zero; only a leading one goes."""
    many = {f"q{i}": {f"d{j}": 1 for j in range(100)} for i in range(4)}
    shown = {q: [f"d{j}" for j in range(length)] for q, length in zip(many, (12, 20, 20, 28), strict=True)}
    evs = rg.evaluate(many, {"a": shown, "b": shown}, "Hits")
    low, high = evs["a"].interval("Hits")

    half = (high - low) / 2
    assert 10 < half < 11
    assert f"±{half:.1f}" in evs.to_markdown(digits=2)


# hostile names

HOSTILE = "<script>alert('x')</script> | a_b*c* `d` 100% & $x$ {y} #1 ~ ^ \\ [l](u)"


class Texts(HTMLParser):
    """The texts and the tags of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture
def hostile() -> rg.Evaluations:
    return rg.evaluate(
        QRELS, {HOSTILE: RUN, "plain": {"q1": ["a"]}}, "RR", slices={q: {HOSTILE: HOSTILE} for q in QRELS}
    )


def test_html_escapes_names(hostile: rg.Evaluations):
    for page in (hostile.to_html(), hostile[HOSTILE].to_html(), hostile._repr_html_()):
        parsed = Texts(page)
        assert "script" not in parsed.tags
        assert any(HOSTILE in text for text in parsed.texts)


def test_markdown_escapes_names(hostile: rg.Evaluations):
    lines = hostile.to_markdown().splitlines()
    row = next(line for line in lines if line.startswith("| &lt;script"))
    [header] = [line for line in lines if line.startswith("| run ")]

    assert "<script>" not in hostile.to_markdown()
    assert row.replace("\\|", "").count("|") == header.count("|")
    assert r"a\_b\*c\* \`d\`" in row
    assert r"\[l\]" in row


def test_latex_escapes_names(hostile: rg.Evaluations):
    text = hostile.to_latex()
    row = next(line for line in text.splitlines() if line.startswith("$<$script$>$"))

    assert r"a\_b" in row
    assert r"100\% \& \$x\$ \{y\} \#1 \textasciitilde{} \textasciicircum{} \textbackslash{}" in row
    assert row.replace(r"\&", "").count("&") == 2
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}")


def test_csv_quotes_names():
    evs = rg.evaluate(QRELS, {'a,"b"\nc': RUN}, "RR")

    assert [row["run"] for row in csv.DictReader(StringIO(evs.to_csv()))] == ['a,"b"\nc']


def test_line_breaks_in_names_do_not_break_tables():
    evs = rg.evaluate(QRELS, {"one\n\\input{x}": RUN, "two\n| x |": {"q1": ["a"]}}, "RR")

    assert not [line for line in evs.to_latex().splitlines() if line.startswith("\\input")]
    assert not [line for line in evs.to_markdown().splitlines() if line.startswith("| x |")]
    assert not [line for line in str(evs).splitlines() if line.startswith("\\input")]
