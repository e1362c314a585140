"""One run or several: what a dict or a list of runs is, and what is one run."""

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from rankgauge._language import speaking
from rankgauge.data import Run
from rankgauge.data.many_runs import listed, several
from rankgauge.errors import InputError

RUN = {"q1": {"d1": 0.9, "d2": 0.1}, "q2": {"d3": 0.5}}


@pytest.mark.parametrize(
    "run",
    [
        RUN,
        {},
        {"q1": {}, "q2": {"d1": 1.0}},
        {"q1": ["d1", "d2"]},
        {"q1": [("d1", 0.9)]},
        {"q1": np.array(["d1", "d2"])},
        {"q1": {"retrieved": ["d1"], "relevant": ["d1"]}},
        Run.of(RUN),
        np.eye(2),
        pl.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "score": [1.0]}),
        "bm25.run",
        Path("bm25.run"),
    ],
)
def test_one_run_is_not_several(run):
    assert several(run) is None
    assert listed(run) is None


@pytest.mark.parametrize(
    "run",
    [
        RUN,
        {"q1": ["d1", "d2"]},
        Run.of(RUN),
        np.eye(2),
        pl.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "score": [1.0]}),
        Path("bm25.run"),
    ],
)
def test_runs_by_name_are_several_and_stay_as_they_are(run):
    runs = {"a": run, "b": RUN}

    assert several(runs)["a"] is run
    assert list(several(runs)) == ["a", "b"]
    assert listed(runs)[0][1] is run


def test_runs_of_a_list_have_their_own_names():
    first, second = Run.of(RUN, name="bm25"), Run.of(RUN, name="dense")

    assert several([first, second]) == {"bm25": first, "dense": second}
    assert several((first,)) == {"bm25": first}
    assert several([]) == {}


def test_one_file_twice_is_refused_and_listed():
    paths = ["a/bm25.run", "a/bm25.run.gz"]

    with pytest.raises(InputError, match="two runs have the same name: bm25, bm25"):
        several(paths)

    assert listed(paths) == [("", "a/bm25.run"), ("", "a/bm25.run.gz")]


def test_runs_of_a_list_without_names_are_numbered():
    assert list(several([RUN, RUN])) == ["run 1", "run 2"]


def test_runs_and_result_lists_in_one_dict_are_refused():
    mixed = {"a": RUN, "q1": {"d1": 1.0}}

    for read in (several, listed):
        with pytest.raises(InputError, match="must hold a run for each name"):
            read(mixed)


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path):
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bm25.run").write_text("q Q0 d 1 1.0 t\n")

    named = several([tmp_path / "old" / "bm25.run", tmp_path / "new" / "bm25.run"])

    assert list(named) == ["old/bm25", "new/bm25"]


def written(path: Path, tag: str, query: str = "q") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{query} Q0 d 1 1.0 {tag}\n")
    return path


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ({"old/bm25.run": "t", "new/bm25.run": "t"}, ["old/bm25", "new/bm25"]),
        ({"old/bm25.run": "first", "new/bm25.run": "second"}, ["first", "second"]),
        ({"a/x/bm25.run": "t", "b/x/bm25.run": "t"}, ["a/x/bm25", "b/x/bm25"]),
        ({"input.uwmt": "t", "input.eth": "t"}, ["uwmt", "eth"]),
        ({"input.uwmt": "UWMT", "input.eth": "ETH"}, ["UWMT", "ETH"]),
        ({"old/bm25.run": "t", "new/bm25.txt": "t"}, ["old/bm25", "new/bm25"]),
        ({"dense.run": "t", "old/bm25.run": "dense", "new/bm25.run": "other"}, ["dense", "old/bm25", "new/bm25"]),
        ({"dense.run": "t", "old/bm25.run": "t", "new/bm25.run": "t"}, ["dense", "old/bm25", "new/bm25"]),
    ],
)
def test_files_of_one_name_are_called_by_their_tag_or_by_what_differs(tmp_path, files, names):
    paths = [written(tmp_path / file, tag) for file, tag in files.items()]

    assert list(several(paths)) == names


def test_a_tag_is_read_in_a_compressed_file(tmp_path):
    paths = []
    for tag in ("one", "two"):
        paths.append(tmp_path / tag / "input.x.gz")
        paths[-1].parent.mkdir()
        paths[-1].write_bytes(gzip.compress(f"q Q0 d 1 1.0 {tag}\n".encode()))

    assert list(several(paths)) == ["one", "two"]


@pytest.mark.parametrize("odd", [np.zeros(3), pd.Series([1.0, 2.0]), pl.Series([1.0, 2.0])])
def test_a_list_of_numbers_among_runs_is_an_error(odd):
    with pytest.raises(InputError, match="a dict of runs must hold a run for each name"):
        listed({"a": RUN, "b": odd})


def test_a_text_that_is_too_long_for_a_path_is_no_run():
    assert several({"q1": "x" * 5000}) is None


@pytest.mark.parametrize(
    "call",
    [
        lambda name: rg.evaluate(name, RUN),
        lambda name: rg.evaluate(RUN, name),
        lambda name: rg.evaluate({"q1": ["d1"]}, RUN, slices=name),
        lambda name: rg.by_item_group(rg.evaluate({"q1": ["d1"]}, RUN), name),
        rg.read_predictions,
        rg.evaluate_predictions,
        rg.Interactions.of,
        rg.behavior.read_log,
        rg.load,
    ],
)
def test_a_name_that_is_too_long_for_a_file_is_an_input_error(call):
    with pytest.raises(InputError, match="File name too long") as caught:
        call("x" * 5000)
    with speaking("zh"):
        assert "文件名太长" in str(caught.value)
