"""Budgets and tokenizers on the command line: evaluate, compare, rag, gate, diagnose."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge.collection.tokenizers import tokenizer_named
from rankgauge.errors import InputError, MissingExtra, ParameterError
from rankgauge.gate import Gate, run_gate

DOCS = {"a": "one two three", "b": "four five six", "x": "seven eight nine ten eleven"}
QRELS = {f"q{i}": {"a": 1, "b": 1} for i in range(20)}
RUN = {f"q{i}": ["a", "x", "b"] if i % 2 else ["a", "b", "x"] for i in range(20)}
SIX = "R(budget=6t)"
"""Six words: both relevant results where they stand first, else one."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "corpus.jsonl").write_text(
        "".join(json.dumps({"id": d, "text": t}) + "\n" for d, t in DOCS.items()), encoding="utf-8"
    )
    rows = [f"{q} 0 {d} {g}" for q, grades in QRELS.items() for d, g in grades.items()]
    (tmp_path / "qrels.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    for name, order in (("old", lambda x: x), ("new", sorted)):
        lines = [f"{q} Q0 {d} {r} {9 - r} {name}" for q, found in RUN.items() for r, d in enumerate(order(found), 1)]
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "tokens.py").write_text("def letters(text):\n    return len(text)\n\nnot_one = 7\n", encoding="utf-8")
    return tmp_path


def test_a_gate_has_rules_about_budgets():
    passed = run_gate(Gate(qrels=QRELS, run=RUN, documents=DOCS, floors={SIX: 0.7}))
    failed = run_gate(Gate(qrels=QRELS, run=RUN, documents=DOCS, tokenizer=len, floors={SIX: 0.7}))

    assert passed.evaluation[SIX] == 0.75
    assert (passed.exit_code, failed.exit_code) == (0, 1)  # six letters hold no result
    with pytest.raises(ParameterError, match="`documents` is for measures that look into documents"):
        run_gate(Gate(qrels=QRELS, run=RUN, documents=DOCS, floors={"R@5": 0.7}))
    with pytest.raises(ParameterError, match="needs the texts of results"):
        run_gate(Gate(qrels=QRELS, run=RUN, floors={SIX: 0.7}))


def test_a_gate_of_spans_and_one_of_a_live_retriever_have_budgets():
    gold = rg.Spans({f"q{i}": [("d", 0, 10)] for i in range(20)})
    lists = {f"q{i}": [("d", 0, 8), ("d", 8, 20)] for i in range(20)}

    found = run_gate(Gate(qrels=gold, run=lists, baseline=lists, floors={"SpanRecall(budget=10c)": 0.7}))
    asked = run_gate(Gate(qrels=QRELS, run=lambda q: ["a", "x", "b"], documents=DOCS, floors={SIX: 0.4}))

    assert (found.evaluation["SpanRecall(budget=10c)"], found.exit_code) == (0.8, 0)
    assert (asked.evaluation[SIX], asked.exit_code) == (0.5, 0)


def test_gate_with_documents_in_a_file_of_rules_and_as_options(folder: Path):
    (folder / "gate.toml").write_text(
        f'qrels = "qrels.txt"\nrun = "old.run"\ndocuments = "corpus.jsonl"\n[floors]\n"{SIX}" = 0.7\n', encoding="utf-8"
    )

    of_file = rankgauge("gate", "gate.toml", cwd=folder)
    words = ("qrels.txt", "old.run", "--floor", f"{SIX}>=0.7", "--documents", "corpus.jsonl")
    typed = rankgauge("gate", *words, cwd=folder)
    letters = rankgauge("gate", "gate.toml", "--tokenizer", "tokens:letters", cwd=folder, code=1)

    assert "0.7500" in of_file.stdout
    assert of_file.stdout == typed.stdout
    assert "0.0000" in letters.stdout


def test_diagnose_counts_in_documents(folder: Path):
    words = ("diagnose", "qrels.txt", "old.run", "-m", SIX)

    found = rankgauge(*words, "--documents", "corpus.jsonl", "--tokenizer", "tokens:letters", cwd=folder).stdout
    refused = rankgauge(*words[:3], "--documents", "corpus.jsonl", cwd=folder, code=2).stderr

    assert f"{SIX} is 0.000" in found
    assert "--documents is for measures with a budget" in refused
    both = {q: {"retrieved": RUN[q], "relevant": list(QRELS[q])} for q in QRELS}
    direct = rg.diagnose(both, measures=[SIX], documents=DOCS, tokenizer=len)
    assert direct.codes == rg.diagnose(rg.evaluate(QRELS, RUN, [SIX], documents=DOCS, tokenizer=len)).codes


@pytest.mark.parametrize("runs", [("evaluate", "old.run"), ("compare", "old.run", "new.run")], ids=lambda x: x[0])
def test_evaluate_and_compare_take_a_tokenizer(folder: Path, runs: tuple[str, ...]):
    command, *files = runs
    words = (command, "qrels.txt", *files, "-m", "R(budget=30t)", "--documents", "corpus.jsonl")

    plain = rankgauge(*words, cwd=folder).stdout
    letters = rankgauge(*words, "--tokenizer", "tokens:letters", cwd=folder).stdout

    assert "1.0000" in plain  # thirty words hold all, thirty letters two results
    assert "0.7500" in letters
    assert command != "evaluate" or "tokens are those of 'letters'" in letters
    said = rankgauge(*words, "--tokenizer", "tokens:not_one", cwd=folder, code=2).stderr
    assert "must be a function of a text" in said


def test_rag_takes_a_tokenizer(folder: Path):
    (folder / "search.py").write_text("def find(query):\n    return ['a', 'x', 'b']\n", encoding="utf-8")
    asked = "".join(json.dumps({"question": f"q{i}", "gold": ["a", "b"]}) + "\n" for i in range(12))
    (folder / "asked.jsonl").write_text(asked, encoding="utf-8")
    words = ("rag", "asked.jsonl", "--retriever", "search:find", "--documents", "corpus.jsonl", "--by", "ids", "-m")

    plain = rankgauge(*words, "R(budget=30t)", "--most", "0", cwd=folder).stdout
    letters = rankgauge(*words, "R(budget=30t)", "--tokenizer", "tokens:letters", "--most", "0", cwd=folder).stdout

    assert "1.0000" in plain
    assert "0.5000" in letters


def test_tokenizers_by_name(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(folder)
    made = SimpleNamespace(encode=str.split, name="made")
    monkeypatch.setitem(sys.modules, "tiktoken", SimpleNamespace(get_encoding={"cl100k_base": made}.__getitem__))
    monkeypatch.setitem(sys.modules, "tokenizers", SimpleNamespace(Tokenizer=SimpleNamespace(from_file=lambda p: made)))
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")

    assert tokenizer_named("tokens:letters")("abc") == 3
    assert tokenizer_named("cl100k_base") is made
    assert tokenizer_named("tokenizer.json") is made
    with pytest.raises(InputError, match="no such encoding"):
        tokenizer_named("nothing")
    with pytest.raises(InputError, match="does not exist"):
        tokenizer_named("other.json")
    with pytest.raises(InputError, match=r"tokenizer 'tokens:letter': 'tokens' has no 'letter'\. Did you mean"):
        tokenizer_named("tokens:letter")
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(MissingExtra, match="pip install tiktoken"):
        tokenizer_named("cl100k_base")


def test_sweep_says_which_is_best_at_which_budget(folder: Path):
    files = ("qrels.txt", "old.run", "new.run", "--documents", "corpus.jsonl")
    words = ("sweep", *files, "--budget", "6t", "--budget", "30t")

    said = rankgauge(*words, cwd=folder).stdout
    data = json.loads(rankgauge(*words, "--json", cwd=folder).stdout)
    stored = rg.load(_written(folder / "sweep.json", data))

    assert "Within 6t, new is best in R: 1.0000, better than old." in said
    assert "Within 30t, old and new are the same in R" in said
    assert (stored.best("R", "6t"), stored.best("R", "30t")) == ("new", None)
    letters = rankgauge(*words, "--tokenizer", "tokens:letters", "--html", "page.html", cwd=folder).stdout
    assert "tokens are those of 'letters'" in letters
    assert "Within 30t" in (folder / "page.html").read_text(encoding="utf-8")
    refused = rankgauge("sweep", "qrels.txt", "old.run", "--documents", "corpus.jsonl", cwd=folder, code=2).stderr
    assert "two runs or more, got 2 files" in refused


def test_sweep_of_pieces_judged_by_spans(folder: Path):
    gold = "".join(json.dumps({"question": f"q{i}", "gold": ["one two"]}) + "\n" for i in range(12))
    (folder / "gold.jsonl").write_text(gold, encoding="utf-8")
    for name, end in (("small", 7), ("large", 13)):
        rows = "".join(f"q{i},a,0,{end}\n" for i in range(12))
        (folder / f"{name}.csv").write_text("query_id,doc_id,start,end\n" + rows, encoding="utf-8")
    words = ("gold.jsonl", "small.csv", "large.csv", "-m", "SpanRecall", "--documents", "corpus.jsonl")

    said = rankgauge("sweep", *words, "--budget", "8c", "--budget", "20c", cwd=folder).stdout

    assert "Within 8c, small is best in SpanRecall: 1.0000, better than large." in said


def test_sweep_in_a_process_of_its_own(folder: Path):
    words = ("sweep", "qrels.txt", "old.run", "new.run", "--documents", "corpus.jsonl", "--budget", "6t", "--csv")

    typed = [sys.executable, "-m", "rankgauge", *words]
    done = subprocess.run(typed, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)

    assert done.returncode == 0, done.stderr
    assert done.stdout == rankgauge(*words, cwd=folder).stdout
    assert "6t,new,1.0" in done.stdout


def _written(path: Path, data: dict) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path
