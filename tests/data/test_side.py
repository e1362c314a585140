"""Files beside runs and judgements: whatever they hold, one clear error."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.data.document_texts import read_texts
from rankgauge.data.side import read_json, read_toml
from rankgauge.data.slices import attribute_table
from rankgauge.diagnosis.standards import load_standards
from rankgauge.errors import InputError, RankgaugeError
from rankgauge.gate import Gate

QRELS = {f"q{i}": {"a": 1, "b": 0} for i in range(6)}
OLD, NEW = {q: ["b", "a"] for q in QRELS}, {q: ["a", "b"] for q in QRELS}
DEEP = "[" * 100_000 + "]" * 100_000

DAMAGED: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\n", "nothing but blanks"),
    "binary": (bytes(range(256)), "is a binary file of an unknown kind"),
    "utf-16": ("query_id,lang\nq0,en\n".encode("utf-16"), "UTF-16"),
    "latin-1": (b"query_id,lang\nq0,caf\xe9\n", "line 2: text must be UTF-8"),
    "cut archive": (gzip.compress(b"query_id,lang\nq0,en\n")[:-9], "cut-off gzip data"),
    "cut Parquet": (b"PAR1xxxxPAR1", "cannot be read"),
    "cut Arrow": (b"ARROW1xxxx", "cannot be read"),
    "deep": (DEEP.encode(), "too deep"),
    "ragged": (b"query_id,lang\nq0,en\nq1,en,zh,de\nq2\n", "line 3: expected 2 fields, found 4"),
    "no rows": (b"query_id,lang\n", "has a header but no rows"),
    "names twice": (b"query_id,lang,lang\nq0,en,zh\n", "column names must differ"),
    "no query": (b"foo,lang\nq0,en\n", "column 'query_id' is missing"),
    "no id": (b"query_id,lang\n,en\nq1,zh\n", "line 2: an id must be text"),
    "one column": (b"query_id\nq0\n", "line 1: expected names of columns separated by comma, semicolon or tab"),
    "cut JSON": (b'{"q0": {"lang": "en"', "not valid JSON"),
    "no object": (b"[1, 2]", "record 1 must be an object, got 1"),
    "no queries": (b"{}", "holds no queries"),
}


@pytest.mark.parametrize(("content", "message"), DAMAGED.values(), ids=DAMAGED)
def test_damaged_slices_are_one_error(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "slices.csv"
    path.write_bytes(content)

    with pytest.raises(InputError, match=r"slices 'slices\.csv'.*") as e:
        rg.evaluate(QRELS, NEW, "RR", slices=path)

    assert message in str(e.value)


@pytest.mark.parametrize("name", ["slices.json", "slices.jsonl", "slices.parquet"])
def test_slices_that_are_not_what_their_name_says(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("query_id,lang\nq0,en\n", encoding="utf-8")

    found = rg.evaluate(QRELS, NEW, "RR", slices=tmp_path / name)

    assert found.attributes == {"lang": ["en", *[None] * 5]}
    assert f"the suffix is {Path(name).suffix} but the content is csv: read as that" in found.remarks


def test_the_same_slices_in_every_form(tmp_path: Path) -> None:
    rows = [{"query_id": q, "lang": "en" if i < 3 else "zh"} for i, q in enumerate(QRELS)]
    frame = pl.DataFrame(rows)
    csv = "query_id,lang\n" + "".join(f"{r['query_id']},{r['lang']}\n" for r in rows)
    (tmp_path / "a.csv").write_text(csv)
    (tmp_path / "a.tsv").write_text(csv.replace(",", "\t"))
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(csv.encode()))
    (tmp_path / "a.json").write_text(json.dumps({r["query_id"]: {"lang": r["lang"]} for r in rows}))
    (tmp_path / "list.json").write_text(json.dumps(rows))
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_ipc(tmp_path / "a.arrow")

    found = {p.name: rg.evaluate(QRELS, NEW, "RR", slices=p).attributes for p in sorted(tmp_path.iterdir())}

    assert len(found) == 8
    assert all(attributes == {"lang": ["en"] * 3 + ["zh"] * 3} for attributes in found.values())


def test_a_folder_of_queries_has_attributes(tmp_path: Path) -> None:
    (tmp_path / "queries.jsonl").write_text('{"_id": "q0", "lang": "en"}\n', encoding="utf-8")

    assert attribute_table(tmp_path) == {"q0": {"lang": "en"}}


@pytest.mark.parametrize("name", ["texts.json", "texts.jsonl", "texts.tsv"])
def test_deep_texts_are_one_error(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(DEEP, encoding="utf-8")

    with pytest.raises(InputError, match=rf"texts '{name}'.* too deep to be read"):
        read_texts(tmp_path / name, ["a"])


@pytest.mark.parametrize(("content", "message"), [("doc_id,text\n", "no rows"), ("{}", "holds no texts")])
def test_texts_without_any_are_an_error(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "texts.csv").write_text(content, encoding="utf-8")

    with pytest.raises(InputError, match=message):
        read_texts(tmp_path / "texts.csv", ["a"])


@pytest.mark.parametrize("kind", ["run", "qrels"])
@pytest.mark.parametrize("name", ["deep.json", "deep.jsonl"])
def test_deep_runs_and_judgements_are_one_error(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / name).write_text('{"query_id":' * 50_000 + "1" + "}" * 50_000, encoding="utf-8")

    with pytest.raises(InputError, match="too deep to be read"):
        (rg.read_run if kind == "run" else rg.read_qrels)(tmp_path / name)


BROKEN = {
    "empty": ("", "an empty file"),
    "cut": ("{", "Line 1: not valid JSON"),
    "deep": (DEEP, "too deep to be read"),
    "number": ("9" * 5000, "Exceeds the limit"),
}


@pytest.mark.parametrize(("content", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_json_is_one_error(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")

    for read in (rg.load, rg.Evaluation.from_json, lambda p: rg.compare([p, p]), lambda p: read_json(p, "it")):
        with pytest.raises(InputError, match=message):
            read(path)


@pytest.mark.parametrize("content", ["x = [" + DEEP + "]", "x = ", "x = 1979-13-01", "\x00", "a = 1\na = 2"])
def test_broken_toml_is_one_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(content, encoding="utf-8")

    for read in (Gate.from_toml, load_standards, lambda p: read_toml(p, "it")):
        with pytest.raises(InputError, match=r"is not valid TOML"):
            read(path)


# values of another kind inside stored records


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, below in inner:
        yield from places(below, (*at, key))


def records() -> dict[str, Any]:
    rows = {"label": [0, 1] * 10, "score": [0.1, 0.7, 0.6, 0.4] * 5}
    return {
        "rankings": rg.evaluate(QRELS, OLD, ["RR", "nDCG@10"], slices={q: {"x": q} for q in QRELS}).to_dict(),
        "predictions": rg.evaluate_predictions(rows, ["AUC", "LogLoss"]).to_dict(),
        "comparison": rg.compare(QRELS, {"old": OLD, "new": NEW}, "RR").to_dict(),
        "funnel": rg.funnel(QRELS, {"old": OLD, "new": NEW}, k=1).to_dict(),
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["rankings", "predictions", "comparison", "funnel"])
@pytest.mark.parametrize("wrong", [None, "x", -1, [], {}, True], ids=str)
def test_a_record_with_another_value_inside_is_refused_or_shown(tmp_path: Path, kind: str, wrong: Any) -> None:
    whole = records()[kind]
    for at in places(whole):
        damaged = copy.deepcopy(whole)
        inner = damaged
        for key in at[:-1]:
            inner = inner[key]
        inner[at[-1]] = wrong
        (tmp_path / "x.json").write_text(json.dumps(damaged), encoding="utf-8")
        with suppress(RankgaugeError):
            assert str(rg.load(tmp_path / "x.json")), at


def test_a_record_says_which_value_is_wrong(tmp_path: Path) -> None:
    data = records()["rankings"]
    data["measures"][0]["definition"] = 3
    (tmp_path / "x.json").write_text(json.dumps(data), encoding="utf-8")

    with pytest.raises(InputError, match=r"'measures\[0\]\.definition': expected str, got int\. Store it again\."):
        rg.load(tmp_path / "x.json")


@pytest.mark.parametrize("end", [0, 1])
def test_bounds_of_other_lengths_than_the_queries_are_refused(tmp_path: Path, end: int) -> None:
    data = rg.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}, "RR").to_dict()
    data["tie_bounds"]["RR"][end] = []
    (tmp_path / "x.json").write_text(json.dumps(data), encoding="utf-8")

    with pytest.raises(InputError, match="RR"):
        rg.load(tmp_path / "x.json")
