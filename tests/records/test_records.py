"""Every record knows its kind: it is shown, stored and read back, and so is a subclass of it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from math import inf, isnan, nan
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge._plain_data import (
    chinese_of,
    odd_of,
    plain_of,
    read_value,
    stored_fields,
    with_chinese,
    with_odd,
    without_odd,
)
from rankgauge._records import HOMES, Record, class_of, kinds_of, read_back
from rankgauge._rendered import Rendered
from rankgauge._text import LANGUAGES, Text
from rankgauge.errors import InputError, RankgaugeError
from rankgauge.evaluation.predictions import stored_influence
from rankgauge.reporting import Sheet, figures, render, sections
from rankgauge.reporting.figures import can_draw, charts_of
from rankgauge.statistics.intervals import Interval
from source import parsed

sys.path.insert(0, str(Path(__file__).parents[1] / "reporting"))
from shown_records import RECORDS, record

BEFORE = Path(__file__).parent / "fixtures" / "before_schemas"
FORMS = ("text", "markdown", "latex", "html")


def _profiled(relevant: Any = ("a", "b")) -> Any:
    judged = {x: g for x, g in {"a": 1, "b": 2}.items() if x in relevant}
    return rg.evaluate({f"q{i}": judged for i in range(12)}, {f"q{i}": ["x", "b"] for i in range(12)}, "RR")


EXAMPLES = {
    **{name: lambda name=name: record(name) for name in RECORDS},
    "by cutoff": lambda: rg.by_cutoff(_profiled(), "nDCG"),
    "judgement health": lambda: rg.judgement_health(_profiled(), 3),
    "by item group": lambda: _profiled().by_item_group({"a": 9, "b": 1}, [1, 5]),
    "unsampled": lambda: rg.unsampled(_profiled(["b"]), 20),
    "collected": lambda: (
        rg.collect(
            {"q1": "one", "q2": "two"},
            lambda q: {"documents": ["a", "b"] if q == "one" else None, "stages": {"find": 0.5}, "cost": 0.25},
        ).collected
    ),
    "ratings": lambda: rg.rate(record("evaluation"), scenario="document_qa"),
    "ratings of models": lambda: rg.rate(record("prediction evaluation")),
    "score histogram": lambda: rg.score_histogram(record("prediction evaluation"), 4),
    "explanation of labels and scores": lambda: rg.explain("COPC"),
    "findings in Chinese": lambda: rg.diagnose(record("evaluation"), language="zh"),
    "evaluation without queries": lambda: rg.Evaluation.from_dict(record("evaluation").to_dict(per_query=False)),
    "micro average": lambda: rg.evaluate({"q": {"a": 1}, "r": {"b": 1}}, {"q": ["a"]}, "P@2", average="micro"),
    "predictions in pieces": lambda: rg.evaluate_predictions(
        pl.LazyFrame({"label": [0, 1] * 40, "good": np.linspace(0.01, 0.9, 80), "bad": np.linspace(0.9, 0.1, 80)}),
        ["AUC", "LogLoss"],
        scores=["good", "bad"],
        engine="streaming",
    ),
}


def subclasses(cls: type) -> Iterator[type]:
    for found in cls.__subclasses__():
        yield found
        yield from subclasses(found)


@pytest.fixture(scope="module")
def classes() -> set[type]:
    """Every class of the package that people look at."""
    for module in walk_packages(rg.__path__, "rankgauge."):
        if not module.name.startswith(("rankgauge.engines.spark", "rankgauge.__main__")):
            import_module(module.name)
    return {cls for cls in subclasses(Rendered) if cls.__module__.startswith("rankgauge.")}


# census


def test_everything_that_is_shown_is_a_record_of_a_kind(classes: set[type]):
    without = {cls.__name__ for cls in classes if not getattr(cls, "kind", "")}

    evaluations = {"Evaluation", "Evaluations", "RowEvaluation", "RowEvaluations"}
    assert without == {"Record", "Asked", "Decision", "Followed", "Sheet", "Listed"} | evaluations
    assert issubclass(Sheet, Rendered)


def test_every_kind_has_its_home_a_schema_and_a_place_among_the_examples(classes: set[type]):
    kinds = {cls.kind: cls for cls in classes if issubclass(cls, Record) and "kind" in vars(cls) and cls.kind}

    assert {kind: f"rankgauge.{home}" for kind, home in HOMES.items()} == {k: c.__module__ for k, c in kinds.items()}
    assert {kind for kind, cls in kinds.items() if cls.schema < 1} == set()
    assert {EXAMPLES[name]().kind for name in EXAMPLES} == set(kinds)


def stored(made: Any, folder: Path) -> Path:
    path = folder / "record.json"
    made.to_json(path)
    return path


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_comes_back_says_the_same_in_both_languages(name: str, tmp_path: Path):
    live = EXAMPLES[name]()
    back = rg.load(stored(live, tmp_path))

    assert type(back) is type(live)
    for form in FORMS:
        for language in LANGUAGES:
            assert render(back, form, language) == render(live, form, language), (form, language)


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_comes_back_is_stored_as_before(name: str, tmp_path: Path):
    live = EXAMPLES[name]()
    path = stored(live, tmp_path)
    back = rg.load(path)

    assert back.to_dict() == live.to_dict()
    assert json.loads(path.read_text(), parse_constant=refuse) == json.loads(back.to_json())
    assert type(live).from_dict(live.to_dict()).to_dict() == live.to_dict()


def message_of(load: Callable[[], Any]) -> str:
    """What is said where something cannot be read; nothing where it can, and is shown."""
    try:
        back = load()
    except InputError as e:
        return str(e)
    with suppress(RankgaugeError):  # a word that nobody knows may be found out when it is looked up
        assert str(back)
    return ""


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


@pytest.mark.parametrize("name", [n for n in EXAMPLES if not n.startswith(("judgements", "cleaned", "corrected"))])
def test_tables_come_back(name: str, tmp_path: Path):
    live = EXAMPLES[name]()
    back = rg.load(stored(live, tmp_path))
    if hasattr(live, "csv_rows"):
        assert back.to_csv() == live.to_csv()
    if not hasattr(live, "to_frame"):
        return

    assert back.to_frame().equals(live.to_frame())
    assert back.to_frame().schema == live.to_frame().schema


def test_a_kind_loads_its_own_room_and_no_other(tmp_path: Path):
    path = stored(record("ratio change"), tmp_path)
    code = (
        f"import sys, rankgauge as rg; assert rg.load({str(path)!r}).kind == 'ratio_change'; "
        "print(*(m for m in sys.modules if m.startswith(('rankgauge.comparison', 'rankgauge.gate', "
        "'rankgauge.behavior', 'rankgauge.calibration', 'rankgauge.reporting', 'rankgauge.evaluation.funnel'))))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


# subclasses


def inherited(live: Any) -> Any:
    """The same in a class that nobody has heard of."""
    made = dataclass(frozen=True, eq=False, kw_only=True)(type("Mine", (type(live),), {"__annotations__": {}}))
    copy = made.__new__(made)
    vars(copy).update(vars(live))
    return copy


@pytest.mark.parametrize("name", ["funnel", "evaluation", "comparison", "position bias", "judgements", "reading"])
def test_a_subclass_is_shown_stored_and_read_as_its_parent(name: str, tmp_path: Path):
    live = record(name)
    mine = inherited(live)

    assert type(mine).__name__ == "Mine"
    for form in FORMS:
        assert render(mine, form, "zh") == render(live, form, "zh")
    assert mine.to_dict() == live.to_dict()
    assert type(rg.load(stored(mine, tmp_path))) is type(live)


# charts


def test_every_record_that_a_chart_is_drawn_of_draws_itself(classes: set[type]):
    """What a figure takes has a chart under its own kind: nobody needs the evaluation that it was made of."""
    by_name = {cls.__name__: cls for cls in classes}
    taken = {
        by_name[name.id].kind
        for path in sorted(Path(figures.__file__).parent.glob("*.py"))
        for function in parsed(path.read_text(encoding="utf-8")).body
        if isinstance(function, ast.FunctionDef) and ast.unparse(function.returns or ast.Constant("")) == "Chart"
        for argument in function.args.args[:1]
        for name in ast.walk(argument.annotation or ast.Constant(""))
        if isinstance(name, ast.Name) and name.id in by_name
    }

    assert len(taken) > 20
    assert {kind for kind in taken if not charts_of(kind)} == set()


OF_ROWS = {"predictions"}  # their first chart is a curve over rows, which are not stored


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_record_with_a_chart_draws_itself_live_and_stored_and_on_the_page(name: str, tmp_path: Path):
    live = EXAMPLES[name]()
    drawn = [chart for kind in kinds_of(live) for chart in charts_of(kind)]
    if not drawn:
        with suppress(InputError):  # of several systems, drawn of what they are
            live.plot()
        return
    back = rg.load(stored(live, tmp_path))

    if not any(can_draw(chart, live) for chart in drawn):
        with pytest.raises(InputError, match="nothing that can be drawn"):
            live.plot()
        return
    if set(kinds_of(live)) & OF_ROWS:
        with pytest.raises(InputError, match="stored and has no rows"):
            back.plot()
        return
    assert "<svg" in live.plot().svg
    assert back.plot().svg == live.plot().svg
    for language in LANGUAGES:
        assert "<svg" in rg.report(back, language=language)


@pytest.mark.parametrize("name", ["funnel", "position bias", "judgements", "movement", "off policy"])
def test_a_subclass_is_drawn_as_its_parent(name: str):
    live = record(name)

    assert inherited(live).plot().svg == live.plot().svg


def test_a_page_draws_a_subclass_as_its_parent():
    live = record("position bias")

    assert rg.report(inherited(live)).count("<svg") == rg.report(live).count("<svg") > 0


def test_a_kind_of_its_own_is_shown_as_that_of_its_parent():
    @dataclass(frozen=True, eq=False, kw_only=True)
    class Leaky(rg.Funnel, kind="leaky_funnel", schema=3):
        pass

    try:
        live = record("funnel")
        mine = Leaky(**vars(live))
        assert list(kinds_of(mine)) == ["leaky_funnel", "funnel"]
        assert [s.title for s in sections(mine)] == [s.title for s in sections(live)]
        told = mine.to_dict()
        assert (told["kind"], told["schema"]) == ("leaky_funnel", 3)
        assert type(Record.from_dict(told)) is Leaky
        assert {k: v for k, v in told.items() if k not in ("kind", "schema")} == {
            k: v for k, v in live.to_dict().items() if k not in ("kind", "schema")
        }
    finally:
        from rankgauge import _records

        del _records._CLASSES["leaky_funnel"]


# what is not stored


@pytest.mark.parametrize(
    ("name", "ask", "advice"),
    [
        ("funnel", lambda r: r.losses, "a stored funnel has no single items"),
        ("cleaned", lambda r: r.impressions, "no `impressions`. Clean the log again"),
        ("judgements", lambda r: r.evidence, "no `evidence`. Judge the log again"),
        ("judgements", lambda r: r.qrels, "no `evidence`. Judge the log again"),
        ("corrected", lambda r: r.counts, "no `counts`. Correct the log again"),
        ("interleaving", lambda r: r.per_user, "no `per_user`. Credit the impressions again"),
        ("calibration", lambda r: r.refit("platt"), "no `sample`. Calibrate the predictions again"),
        ("comparison", lambda r: r.query("q00", "top"), "no result lists"),
        ("prediction evaluation", lambda r: r.curve(), "stored and has no rows"),
    ],
)
def test_what_was_not_stored_says_what_to_do(name: str, ask: Any, advice: str, tmp_path: Path):
    back = rg.load(stored(record(name), tmp_path))

    with pytest.raises(InputError, match=advice):
        ask(back)
    assert repr(back)


def test_a_loaded_record_can_still_be_used(tmp_path: Path):
    threshold = rg.load(stored(record("threshold"), tmp_path))
    found = rg.load(stored(record("calibration"), tmp_path))
    bias = rg.load(stored(record("position bias"), tmp_path))
    ratio = rg.load(stored(record("ratio"), tmp_path))
    p = np.linspace(0.01, 0.99, 50)

    assert float(threshold) == float(record("threshold"))
    for kind, calibrator in record("calibration").calibrators.items():
        assert found.calibrators[kind].apply(p).tobytes() == calibrator.apply(p).tobytes()
    for name in ("propensity", "low", "high", "covariance", "clicks", "impressions"):
        assert np.array_equal(getattr(bias, name), getattr(record("position bias"), name), equal_nan=True)
    assert (ratio + record("ratio")).value == (record("ratio") + record("ratio")).value


# schemas


@pytest.mark.parametrize("path", sorted(BEFORE.glob("*.txt")), ids=lambda p: p.stem)
def test_what_was_written_before_schemas_is_read_and_shown_as_then(path: Path):
    back = rg.load(path.with_suffix(".json"))

    assert f"{back}\n" == path.read_text()


@pytest.mark.parametrize("name", ["by_cutoff", "judgement_health", "score_histogram"])
def test_kinds_that_were_stored_whole_before_schemas_are_read(name: str):
    back = rg.load(BEFORE / f"{name}.json")

    assert back.kind == name
    assert {**json.loads((BEFORE / f"{name}.json").read_text()), "schema": 1} == {
        k: v for k, v in back.to_dict().items() if k != "zh"
    }


def test_models_that_were_stored_without_what_pairs_them_are_shown_without_differences():
    back = rg.load(BEFORE / "prediction_evaluations.json")

    assert "differences are not known" in str(back)
    with pytest.raises(InputError, match="no rows to compare, and was stored by a version that kept nothing"):
        rg.compare(dict(back))


@pytest.mark.parametrize(
    "name", sorted({p.stem for p in BEFORE.glob("*.json")} - {p.stem for p in BEFORE.glob("*.txt")})
)
def test_other_files_from_before_schemas_are_read_or_say_what_to_do(name: str):
    said = message_of(lambda: rg.load(BEFORE / f"{name}.json"))

    assert not said or f"{name}.json" in said
    assert not said or any(advice in said for advice in ("compute it again and store that", "Store it again"))


@pytest.mark.parametrize("name", ["funnel", "evaluation", "comparison", "ratio change", "gate"])
def test_a_newer_schema_asks_for_an_update(name: str, tmp_path: Path):
    told = {**record(name).to_dict(), "schema": 2}
    path = tmp_path / "new.json"
    path.write_text(json.dumps(told))

    with pytest.raises(InputError, match=rf"new\.json.*schema 2 of {told['kind']}.*knows up to 1\. Update rankgauge"):
        rg.load(path)


@pytest.mark.parametrize("schema", [True, -1, "1", None, 1.5])
def test_a_schema_that_is_no_number_is_refused(schema: Any):
    with pytest.raises(InputError, match="not what was stored: 'schema'"):
        Record.from_dict({**record("funnel").to_dict(), "schema": schema})


# damage


def damages(told: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all values that are no lists or objects, and of those the first of each list."""
    if isinstance(told, dict):
        for key, value in told.items():
            yield from damages(value, (*place, key))
    elif isinstance(told, list):
        for i, value in enumerate(told[:1]):
            yield from damages(value, (*place, i))
    else:
        yield place


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in EXAMPLES if " " not in n])
def test_damage_is_one_error_or_a_record(name: str):
    text = EXAMPLES[name]().to_json()
    told = json.loads(text)
    read = Record.from_dict if "kind" in told else type(EXAMPLES[name]()).from_dict
    for place in damages(told):
        inner = told
        for key in place[:-1]:
            inner = inner[key]
        for value in ({"x": 1}, [3], "?", None, -1):
            before, inner[place[-1]] = inner[place[-1]], value
            said = message_of(lambda: read_back("damaged.json", read, told))
            inner[place[-1]] = before
            assert not said or "damaged.json" in said, (place, value)
    assert told == json.loads(text)


@pytest.mark.parametrize("name", ["funnel", "movement", "ratio change", "off policy", "findings", "explanation"])
def test_a_missing_field_is_named(name: str):
    told = record(name).to_dict()
    for key in told:
        if key in ("rankgauge", "kind", "schema", "zh"):
            continue
        short = {k: v for k, v in told.items() if k != key}
        try:
            back = Record.from_dict(short)
        except InputError as e:
            assert str(e) == f"not what was stored: object missing required field {key}. Store it again."  # noqa: PT017
        else:  # it follows from the rest, or has a value without being said
            assert set(back.to_dict()) | {"zh", "not_finite"} == set(told) | {"zh", "not_finite"}


# values


@dataclass(frozen=True)
class Odd:
    number: float
    perhaps: float | None
    values: np.ndarray[Any, Any]
    by_pair: dict[tuple[str, int], float]
    interval: Interval
    copc_interval: Interval
    words: tuple[str, ...] = ()
    try_: str = ""


def through_json(told: dict[str, Any]) -> Odd:
    odd, words = odd_of(told), chinese_of(told)
    text = json.dumps([without_odd(told, odd), odd, words], allow_nan=False)
    data, odd, words = json.loads(text)
    made: Odd = read_value(Odd, with_chinese(with_odd(data, odd), words))
    return made


def test_odd_values_survive():
    live = Odd(
        number=nan,
        perhaps=inf,
        values=np.array([1.5, nan, -inf]),
        by_pair={("a", 1): 0.5, ("b", 2): nan},
        interval=Interval(-inf, nan),
        copc_interval=Interval(np.float64(0.1), 0.2),
        words=(Text("few", "偏少"), "plain"),
        try_="again",
    )
    told = stored_fields(live)
    back = through_json(told)

    assert {"low", "high", "copc_low", "copc_high", "try"} < set(told)
    assert isnan(back.number)
    assert back.perhaps == inf
    assert np.array_equal(back.values, live.values, equal_nan=True)
    assert back.by_pair[("a", 1)] == 0.5
    assert isnan(back.by_pair[("b", 2)])
    assert back.interval.low == -inf
    assert isnan(back.interval.high)
    assert back.copc_interval == live.copc_interval
    assert (back.words[0].zh, back.words[1], back.try_) == ("偏少", "plain", "again")
    for perhaps in (None, 2.0):
        assert through_json(stored_fields(replace(live, perhaps=perhaps))).perhaps == perhaps
    assert isnan(through_json(stored_fields(replace(live, perhaps=nan))).perhaps)


def test_numbers_of_numpy_and_dates_become_plain():
    from datetime import date

    told = plain_of({"n": np.int64(3), "x": np.float32(0.5), "ok": np.bool_(True), "day": date(2024, 5, 1)})

    assert told == {"n": 3, "x": 0.5, "ok": True, "day": "2024-05-01"}
    assert {type(v) for v in told.values()} == {int, float, bool, str}


def test_slices_by_date_are_stored(tmp_path: Path):
    from datetime import date

    days = {"q1": {"day": date(2024, 5, 1)}, "q2": {"day": date(2024, 5, 2)}}
    live = rg.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["a", "b"]}, "RR", slices=days)
    back = rg.load(stored(live, tmp_path))

    assert back.slices.to_dicts() == live.slices.to_dicts()


def test_words_in_the_wrong_place_are_refused():
    told = record("ratio change").to_dict()

    with pytest.raises(InputError, match="not what was stored: 'zh"):
        Record.from_dict({**told, "zh": {"control": "对照"}})
    for odd in ({"control": "inf"}, {"kind": "nan"}, {"control": ["inf"]}, "inf"):
        with pytest.raises(InputError, match="not what was stored: 'not_finite"):
            Record.from_dict({**told, "not_finite": odd})


# predictions


def same_rows(seed: int = 3, n: int = 500, **more: Any) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 3, n)
    return {"label": rng.random(n) < p, "old": p, "new": np.clip(p + rng.normal(0, 0.05, n), 0.001, 0.999), **more}


MEASURES = ["AUC", "LogLoss", "GAUC", "COPC", "ECE", "PRAUC", "NE"]


def compared(evs: Any) -> list[dict[str, Any]]:
    return [plain_of(c) for c in rg.compare(dict(evs)).contrasts]


@pytest.mark.parametrize("grouped", [True, False])
def test_stored_predictions_compare_as_live_ones(grouped: bool, tmp_path: Path):
    more = {"user": [f"u{i % 40}" for i in range(500)]} if grouped else {}
    measures = MEASURES if grouped else [m for m in MEASURES if m != "GAUC"]
    weight = np.random.default_rng(1).random(500)
    rows = same_rows(**more, w=weight)
    options = {"label": "label", "weight": "w", "group": "user" if grouped else None}
    live = {m: rg.evaluate_predictions(rows, measures, scores=m, **options) for m in ("old", "new")}
    for name, ev in live.items():
        ev.to_json(tmp_path / f"{name}.json")
    back = {name: rg.load(tmp_path / f"{name}.json") for name in live}

    assert compared(back) == compared(live)
    assert compared({"old": live["old"], "new": back["new"]}) == compared(live)
    assert str(rg.compare(back)) == str(rg.compare(live))
    assert plain_of(rg.compare([tmp_path / "old.json", tmp_path / "new.json"]).contrasts) == compared(live)
    for label in measures:
        mine, stored_one = (x["new"].difference(x["old"], label, resamples=0) for x in (live, back))
        assert plain_of(stored_one) == plain_of(mine)
    with pytest.raises(InputError, match="ECE has no influence values"):
        back["new"].difference(back["old"], "ECE")


def test_stored_predictions_of_other_rows_are_not_paired(tmp_path: Path):
    names = {"a": same_rows(3), "b": same_rows(4)}
    back = {}
    for name, rows in names.items():
        rg.evaluate_predictions(rows, "AUC", label="label", scores="new").to_json(tmp_path / f"{name}.json")
        back[name] = rg.load(tmp_path / f"{name}.json")

    with pytest.raises(InputError, match="must be on the same rows"):
        rg.compare(back)


def test_too_many_influences_are_not_stored_and_comparing_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stored_influence, "MOST_NUMBERS", 999)
    live = rg.evaluate_predictions(same_rows(), ["AUC", "LogLoss"], label="label", scores=["old", "new"])
    back = rg.load(stored(live, tmp_path))

    assert back.to_dict() == live.to_dict()
    with pytest.raises(InputError, match="influence of 500 units was more than"):
        rg.compare(dict(back))
    assert "differences are not known" in str(back)


def test_a_damaged_influence_is_refused(tmp_path: Path):
    told = rg.evaluate_predictions(same_rows(), ["AUC"], label="label", scores="new").to_dict()
    for text in ("AAAA", "not base 64!", told["measures"][0]["influence"][:-12], 3):
        told["measures"][0]["influence"] = text
        (tmp_path / "x.json").write_text(json.dumps(told))
        with pytest.raises(InputError, match=r"x\.json"):
            rg.load(tmp_path / "x.json")


def test_kinds_have_one_class_each():
    assert class_of("no such kind") is None
    assert class_of("funnel") is rg.Funnel


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("evaluation", lambda d: d.update(remarks=[1])),
        ("evaluation", lambda d: d.update(per_query={})),
        ("evaluation", lambda d: d["measures"].pop()),
        ("prediction evaluation", lambda d: d["measures"][0].update(beside={"prevalence": "x"})),
        ("ratio", lambda d: d["state"].update(n=0)),
    ],
)
def test_parts_of_a_stored_record_that_do_not_fit_are_one_error(name: str, damage: Any):
    stored = json.loads(record(name).to_json())
    damage(stored)

    with pytest.raises(InputError):
        str(Record.from_dict(stored))


def test_what_python_says_about_its_types_is_no_word_about_a_file():
    with pytest.raises(InputError) as caught:
        read_back("stored record 'x.json'", lambda data: list(data["nothing"]), {"nothing": None})

    assert str(caught.value) == (
        "stored record 'x.json' must be what `to_json()` or `rankgauge … --json` writes, but cannot be read back "
        "(TypeError). Store it again."
    )
