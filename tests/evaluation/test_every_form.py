"""The founding documents' forms in every verb and command: the same numbers as judgements and a run apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge.gate import Gate, run_gate

MEASURES = ["R@3", "RR", "nDCG@3"]
OLD = {
    "q1": (["d9", "d1", "d3"], {"d1": 2, "d3": 1}),
    "q2": (["b", "a"], {"a": 1}),
    "q3": ([], {"z": 1}),
    **{f"p{i}": (["x", "y", f"g{i}"], {f"g{i}": 1}) for i in range(8)},
}
NEW = {q: (retrieved[::-1], relevant) for q, (retrieved, relevant) in OLD.items()}
QRELS = {q: relevant for q, (_, relevant) in OLD.items()}
RUNS = {"old": {q: r for q, (r, _) in OLD.items()}, "new": {q: r for q, (r, _) in NEW.items()}}

Data = dict[str, tuple[list[str], dict[str, int]]]


def by_query(data: Data) -> Any:
    return {q: {"retrieved": r, "relevant": g} for q, (r, g) in data.items()}


def records(data: Data) -> Any:
    return [{"query_id": q, "retrieved_ids": r, "reference_ids": g} for q, (r, g) in data.items()]


def of_ragas(data: Data) -> Any:
    fields = ("user_input", "retrieved_context_ids", "reference_context_ids")
    return [dict(zip(fields, (q, r, g), strict=True)) for q, (r, g) in data.items()]


def columns(data: Data) -> Any:
    of = {"qid": list(data), "retrieved": [r for r, _ in data.values()]}
    return of | {"relevant": [[[d, n] for d, n in g.items()] for _, g in data.values()]}


def sides_by_query(data: Data) -> Any:
    return {"run": {q: r for q, (r, _) in data.items()}, "qrels": {q: g for q, (_, g) in data.items()}}


FORMS: dict[str, Callable[[Data], Any]] = {
    "by query": by_query,
    "records": records,
    "ragas": of_ragas,
    "columns": columns,
    "sides by query": sides_by_query,
}


def as_lines(form: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in form)


def expected() -> Any:
    return rg.evaluate(QRELS, RUNS["old"], MEASURES)


def numbers(ev: Any) -> Any:
    return {label: (ev[label], tuple(ev.interval(label))) for label in MEASURES}


@pytest.fixture(params=[*FORMS, "json", "jsonl", "jsonl.gz", "parquet"])
def system(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], Any]:
    """The old or the new system in one of the forms, in Python or as a file."""
    name: str = request.param

    def made(which: str) -> Any:
        data = OLD if which == "old" else NEW
        if name in FORMS:
            return FORMS[name](data)
        return written(tmp_path / f"{which}.{name}", data)

    return made


def written(path: Path, data: Data) -> Path:
    if path.suffix == ".parquet":
        import polars as pl

        table = [
            {**r, "reference_ids": [{"doc_id": d, "grade": n} for d, n in r["reference_ids"].items()]}
            for r in records(data)
        ]
        pl.DataFrame(table).write_parquet(path)
    elif path.suffix == ".gz":
        import gzip

        path.write_bytes(gzip.compress(as_lines(of_ragas(data)).encode()))
    else:
        path.write_text(as_lines(records(data)) if path.suffix == ".jsonl" else json.dumps(by_query(data)))
    return path


def test_evaluate(system: Callable[[str], Any]):
    assert numbers(rg.evaluate(system("old"), measures=MEASURES)) == numbers(expected())


def test_evaluate_several(system: Callable[[str], Any]):
    got = rg.evaluate({name: system(name) for name in RUNS}, measures=MEASURES)

    assert got.mean() == rg.evaluate(QRELS, RUNS, MEASURES).mean()


def test_compare(system: Callable[[str], Any]):
    got = rg.compare({name: system(name) for name in RUNS}, measures=MEASURES)

    assert got.to_frame().equals(rg.compare(QRELS, RUNS, MEASURES).to_frame())


def test_diagnose(system: Callable[[str], Any]):
    want = rg.diagnose(rg.evaluate(QRELS, RUNS["old"]))

    got = rg.diagnose(system("old"))
    assert [(f.code, f.seen) for f in got.all] == [(f.code, f.seen) for f in want.all]
    both = rg.diagnose({name: system(name) for name in RUNS})
    assert both.codes == rg.diagnose(rg.compare(QRELS, RUNS)).codes


def test_diagnose_takes_the_measures_of_a_scenario(system: Callable[[str], Any]):
    scenario = rg.load_standards().scenario("document_qa")
    want = rg.diagnose(rg.evaluate(QRELS, RUNS["old"], list(scenario.measures)), scenario="document_qa")

    assert rg.diagnose(system("old"), scenario="document_qa").codes == want.codes


def test_gate(system: Callable[[str], Any]):
    result = run_gate(Gate(qrels=system("new"), baseline=system("old"), floors={"RR": 0.1}, non_inferior={"RR": 0.9}))

    assert result.evaluation["RR"] == rg.evaluate(QRELS, RUNS["new"], "RR")["RR"]
    assert result.baseline is not None
    assert result.baseline["RR"] == rg.evaluate(QRELS, RUNS["old"], "RR")["RR"]


def test_audit(system: Callable[[str], Any]):
    got, want = rg.audit(system("old")), rg.audit(QRELS, RUNS["old"])

    assert [(p.code, p.count) for p in got.findings] == [(p.code, p.count) for p in want.findings]


def test_funnel(system: Callable[[str], Any]):
    got = rg.funnel({name: system(name) for name in RUNS}, k=2)

    assert got.to_frame().equals(rg.funnel(QRELS, RUNS, k=2).to_frame())


def test_plot_and_report(system: Callable[[str], Any]):
    want = rg.evaluate(QRELS, RUNS["old"])

    def figures(svg: str) -> list[str]:
        import re

        return re.findall(r"0\.\d{3,}", svg)

    assert figures(rg.plot(system("old"), "measures").svg) == figures(rg.plot(want, "measures").svg)
    assert "<!doctype html>" in rg.report(system("old"))
    assert "new against old" in rg.report({name: system(name) for name in RUNS})


# commands


@pytest.fixture(params=["json", "jsonl", "jsonl.gz", "parquet"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    for name, data in {"old": OLD, "new": NEW}.items():
        written(tmp_path / f"{name}.{request.param}", data)
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} {n}\n" for q, g in QRELS.items() for d, n in g.items()))
    (tmp_path / "apart").mkdir()
    for name, run in RUNS.items():
        lines = [f"{q} Q0 {d} {i} {99 - i} {name}\n" for q, r in run.items() for i, d in enumerate(r, 1)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
        (tmp_path / "apart" / f"{name}.json").write_text(json.dumps(run))  # TREC lines have no empty list
    return tmp_path, request.param


COMMANDS = [
    "evaluate {old} -m RR -m R@3 --csv",
    "evaluate {old} {new} -m RR --csv",
    "compare {old} {new} -m RR --csv",
    "diagnose {old} --csv",
    "diagnose {old} {new} --csv",
    "audit {old} --csv",
    "funnel {old} {new} --csv",
    "plot measures {old} -o -",
    "power {old} {new} -m RR --difference 0.05",
]


@pytest.mark.parametrize("words", COMMANDS)
def test_commands_print_the_same_for_one_file_as_for_judgements_and_runs(folder: tuple[Path, str], words: str):
    path, suffix = folder
    command, *rest = words.split()
    at = 1 if command == "plot" else 0  # behind the kind of the chart
    both = [word.format(old=f"old.{suffix}", new=f"new.{suffix}") for word in rest]
    apart = [word.format(old="apart/old.json", new="apart/new.json") for word in rest]
    apart.insert(at, "qrels.txt")

    got, want = rankgauge(command, *both, cwd=path), rankgauge(command, *apart, cwd=path)

    assert got.stdout.replace(f"old.{suffix}", "qrels") == want.stdout


def test_gate_report_and_convert_take_one_file(folder: tuple[Path, str]):
    path, suffix = folder
    said = rankgauge("gate", f"old.{suffix}", "--floor", "RR>=0.1", cwd=path).stdout
    assert f"pass     RR >= 0.1  {expected()['RR']:.4f}" in said
    rankgauge("gate", f"new=new.{suffix}", "--baseline", f"old.{suffix}", "--non-inferior", "RR:0.9", cwd=path)

    rankgauge("report", f"old.{suffix}", f"new.{suffix}", "-o", "page.html", cwd=path)
    assert "new against old" in (path / "page.html").read_text(encoding="utf-8")

    rankgauge("convert", f"old.{suffix}", "got.qrels", cwd=path)
    rankgauge("convert", f"old.{suffix}", "got.run", cwd=path)
    assert rg.evaluate(path / "got.qrels", path / "got.run", MEASURES).mean() == expected().mean()


def test_convert_asks_which_side_is_meant(folder: tuple[Path, str]):
    path, suffix = folder

    assert "does not say which is meant" in rankgauge("convert", f"old.{suffix}", "x.csv", cwd=path, code=2).stderr
    rankgauge("convert", f"old.{suffix}", "x.csv", "--kind", "qrels", cwd=path)
    assert rg.Qrels(path / "x.csv").to_dict().keys() == QRELS.keys()


# names of files


def test_files_can_be_named(folder: tuple[Path, str]):
    path, suffix = folder

    for words in (("qrels.txt", "a=old.run", "b=new.run"), (f"a=old.{suffix}", f"b=new.{suffix}")):
        assert list(json.loads(rankgauge("evaluate", *words, "--json", cwd=path).stdout)) == ["a", "b"]
        assert "b against a" in rankgauge("compare", *words, "-m", "RR", cwd=path).stdout
        assert "b against a" in rankgauge("diagnose", *words, cwd=path).stdout
        rankgauge("plot", "differences", *words, "-m", "RR", "-o", "x.svg", cwd=path)
        assert "b" in (path / "x.svg").read_text(encoding="utf-8")
    assert rankgauge("evaluate", "qrels.txt", "a=old.run", "-m", "RR", cwd=path).stdout.startswith("a on qrels")
    said = rankgauge("gate", "qrels.txt", "a=old.run", "--baseline", "b=new.run", "--non-inferior", "RR:0.9", cwd=path)
    assert "a on qrels against b" in said.stdout


def test_a_file_of_that_very_name_is_that_file(folder: tuple[Path, str]):
    path, _ = folder
    (path / "a=old.run").write_bytes((path / "new.run").read_bytes())

    said = rankgauge("evaluate", "qrels.txt", "a=old.run", "-m", "RR", cwd=path).stdout

    assert said.startswith("a=old on qrels")
    assert f"{rg.evaluate(QRELS, RUNS['new'], 'RR')['RR']:.4f}" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("evaluate x=qrels.txt old.run", "judgements come first and have no name, got 'x=qrels.txt'"),
        ("evaluate qrels.txt a=old.run a=new.run", "two runs are called 'a'"),
        ("evaluate qrels.txt =old.run", "a file with a name must look like new=bm25.run, got '=old.run'"),
        ("evaluate qrels.txt", "evaluate needs judgements and a run"),
        ("evaluate {old} old.run", "holds what was retrieved beside what is relevant, 'old.run' does not"),
        ("evaluate qrels.txt {old}", "holds judgements of its own, and others were given"),
        ("compare {old}", "compare needs two systems, got one ("),
        ("gate qrels.txt {old} --floor RR>=0.1", "holds judgements of its own"),
        ("gate {old} {new} --floor RR>=0.1", "they are two systems. A gate decides on one of them"),
        ("funnel qrels.txt", "funnel needs the lists of its stages"),
    ],
)
def test_what_does_not_go_together_is_said(folder: tuple[Path, str], words: str, message: str):
    path, suffix = folder

    said = rankgauge(*words.format(old=f"old.{suffix}", new=f"new.{suffix}").split(), cwd=path, code=2)

    assert message in said.stderr


def test_an_output_over_a_named_input_is_refused(folder: tuple[Path, str]):
    path, suffix = folder
    before = (path / f"new.{suffix}").read_bytes()

    for words in (
        ("evaluate", f"a=old.{suffix}", f"b=new.{suffix}", "-f", "json", "-o", f"new.{suffix}"),
        ("funnel", f"a=old.{suffix}", f"b=new.{suffix}", "-f", "json", "-o", f"new.{suffix}"),
        ("gate", f"a=new.{suffix}", "--floor", "RR>=0", "--json", f"new.{suffix}"),
        ("gate", f"old.{suffix}", "--floor", "RR>=0", "--baseline", f"b=new.{suffix}", "--json", f"new.{suffix}"),
    ):
        assert "would overwrite the input" in rankgauge(*words, cwd=path, code=2).stderr
    assert (path / f"new.{suffix}").read_bytes() == before
