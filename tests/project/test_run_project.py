"""`rg.run_project`: everything measured, kept and decided; what is broken loses nothing of the rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from small_project import GATE, HALF, PROJECT, QUERIES, WORSE, run_text

import rankgauge as rg
from rankgauge.errors import InputError, ParameterError
from rankgauge.project.record import CODES, ProjectRun

Write = Callable[[str], Path]
BROKEN = '[systems.gone]\nrun = "gone.run"\n'


def states(run: ProjectRun) -> dict[str, str]:
    return {r.system: r.state for r in run.results}


def test_every_pair_is_measured_and_kept(written: Write, folder: Path) -> None:
    run = rg.run_project(written(PROJECT), at="2026-11-02")

    (r,) = run.results
    assert (r.dataset, r.system, r.state, run.exit_code) == ("july", "search", "pass", 0)
    assert [(x.measure, x.value, x.n) for x in r.numbers] == [("RR", 0.75, 40)]
    with rg.History(folder / "history.db") as h:
        (entry,) = h
        assert (entry.project, entry.system, entry.dataset, entry.kind) == ("shop", "search", "july", "rankings")
        assert entry.id == r.entry
        assert entry.summary("RR").value == 0.75  # type: ignore[union-attr]
        (event,) = h.events(kind="run")
        assert event.data["state"] == "pass"


def test_the_order_of_the_exit_codes_is_broken_then_failed_then_open_then_fine() -> None:
    made = [rg.ProjectRun(project="p", at="", results=[_of(state) for state in list(CODES)[i:]]) for i in range(4)]

    assert [run.exit_code for run in made] == [2, 1, 3, 0]
    assert [run.outcome for run in made] == ["broken", "fail", "inconclusive", "pass"]
    assert rg.ProjectRun(project="p", at="", results=[]).exit_code == 0
    assert rg.ProjectRun(project="p", at="", results=[_of("pass")], problems=["no report"]).exit_code == 2


def _of(state: str):
    from rankgauge.project.record import SystemRun

    return SystemRun("d", state, state, "")  # type: ignore[arg-type]


def test_one_that_is_broken_does_not_lose_the_others(written: Write) -> None:
    run = rg.run_project(written(PROJECT + BROKEN))

    assert states(run) == {"search": "pass", "gone": "broken"}
    assert run.exit_code == 2
    assert "does not exist" in run.of("broken")[0].decision
    assert run.results[0].entry


def test_an_error_that_nobody_foresaw_is_a_broken_system(written: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def bad(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by hand")

    monkeypatch.setattr("rankgauge.project.running.measured", bad)

    run = rg.run_project(written(PROJECT))

    assert states(run) == {"search": "broken"}
    assert "ZeroDivisionError: by hand" in run.results[0].decision


def test_the_first_run_has_no_baseline_and_says_so(written: Write) -> None:
    run = rg.run_project(written(PROJECT + GATE))

    (r,) = run.results
    assert (r.state, [c.rule for c in r.checks], r.baseline) == ("pass", ["floor"], "")
    assert "no baseline yet" in r.notes[0]


def test_a_regression_fails_and_does_not_become_the_baseline(written: Write, folder: Path) -> None:
    project = written(PROJECT + GATE)
    first = rg.run_project(project, at="2026-11-02")
    (folder / "search.run").write_text(run_text(WORSE))
    second, third = (rg.run_project(project, at=f"2026-11-{day}") for day in ("09", "16"))

    assert [run.exit_code for run in (first, second, third)] == [0, 1, 1]
    assert {run.results[0].baseline for run in (second, third)} == {first.results[0].entry}
    assert "REGRESSION" in second.results[0].decision


def test_an_acknowledged_change_is_the_baseline_whatever_the_gate_said(written: Write, folder: Path) -> None:
    project = written(PROJECT + GATE)
    rg.run_project(project, at="2026-11-02")
    (folder / "search.run").write_text(run_text(WORSE))
    worse = rg.run_project(project, at="2026-11-09").results[0]
    with rg.History(folder / "history.db") as h:
        rg.acknowledge(h, worse.entry, "fewer results on purpose", "Ana", at="2026-11-10")

    run = rg.run_project(project, at="2026-11-16")

    assert (run.exit_code, run.results[0].baseline) == (0, worse.entry)


@pytest.mark.parametrize("how", ["tag:good", "entry:", "base.json", "acknowledged"])
def test_baselines_by_tag_entry_file_and_acknowledgement(written: Write, folder: Path, how: str) -> None:
    first = rg.run_project(written(PROJECT), at="2026-11-02").results[0].entry
    with rg.History(folder / "history.db") as h:
        h.tag(first, "good")
        h.record(first).to_json(folder / "base.json")
    (folder / "search.run").write_text(run_text(WORSE))
    said = how + first if how == "entry:" else how

    run = rg.run_project(written(PROJECT + GATE.replace("previous", said)), at="2026-11-09")

    assert run.exit_code == 1
    assert run.results[0].baseline == ("base.json" if how == "base.json" else first)


def test_a_tag_that_does_not_exist_is_broken(written: Write) -> None:
    run = rg.run_project(written(PROJECT + GATE.replace("previous", "tag:none")))

    assert states(run) == {"search": "broken"}
    assert "there is no entry 'none'" in run.results[0].decision


def test_a_previous_one_with_other_judgements_leaves_the_rules_open(written: Write, folder: Path) -> None:
    project = written(PROJECT + GATE)
    rg.run_project(project, at="2026-11-02")
    (folder / "qrels.txt").write_text("".join(f"{q} 0 a 1\n{q} 0 b 1\n" for q in QUERIES))

    run = rg.run_project(project, at="2026-11-09")
    again = rg.run_project(project, at="2026-11-16")

    assert (run.results[0].state, run.exit_code) == ("inconclusive", 3)
    assert "cannot be compared" in run.results[0].notes[0]
    assert again.exit_code == 0  # held against the one after the change


def test_a_chosen_one_with_other_judgements_is_broken_as_for_any_gate(written: Write, folder: Path) -> None:
    first = rg.run_project(written(PROJECT), at="2026-11-02").results[0].entry
    (folder / "qrels.txt").write_text("".join(f"{q} 0 a 1\n{q} 0 b 1\n" for q in QUERIES))

    run = rg.run_project(written(PROJECT + GATE.replace("previous", f"entry:{first}")), at="2026-11-09")

    assert (run.results[0].state, run.exit_code) == ("broken", 2)


def test_labels_and_scores_are_gated_beside_rankings(written: Write) -> None:
    text = PROJECT.replace('["RR"]', '["RR", "AUC"]') + '[datasets.clicks]\npredictions = "clicks.csv"\n'
    text += '[systems.ctr]\nscore = "new"\n' + GATE + "AUC = 0.01\n[gate.bounds]\nCOPC = [0.1, 9]\n"
    text += '[gate.slices]\nattributes = ["device"]\nmin_positives = 5\n[gate.slices.floors]\nAUC = 0.5\n'
    project = written(text)
    rg.run_project(project, at="2026-11-02")

    run = rg.run_project(project, at="2026-11-09")

    assert run.exit_code == 0
    model = run.results[1]
    assert [(c.rule, c.measure, c.slice) for c in model.checks] == [
        ("bounds", "COPC", ""),
        ("non_inferior", "AUC", ""),
        ("floor", "AUC", "device=desk"),
        ("floor", "AUC", "device=phone"),
    ]
    assert [c.measure for c in run.results[0].checks] == ["RR", "RR"]


def test_other_rows_than_before_leave_a_model_open(written: Write, folder: Path) -> None:
    text = '[datasets.clicks]\npredictions = "clicks.csv"\n[systems.ctr]\nscore = "new"\nversion = "7"\n'
    project = written(text + '[gate]\nbaseline = "previous"\n[gate.non_inferior]\nAUC = 0.01\n')
    rg.run_project(project, at="2026-11-02")
    (folder / "clicks.csv").write_text("\n".join((folder / "clicks.csv").read_text().split("\n")[:-21]) + "\n")

    run = rg.run_project(project, at="2026-11-09")

    assert (run.results[0].state, run.exit_code) == ("inconclusive", 3)
    with rg.History(folder / "history.db") as h:
        assert {e.version for e in h} == {"7"}


def test_slices_of_queries_are_kept_and_gated(written: Write, folder: Path) -> None:
    rows = "".join(f"{q},{'en' if i % 2 else 'zh'}\n" for i, q in enumerate(QUERIES))
    (folder / "queries.csv").write_text("query_id,language\n" + rows)
    text = PROJECT.replace('qrels = "qrels.txt"', 'qrels = "qrels.txt"\nslices = "queries.csv"')

    run = rg.run_project(written(text + "[gate.slices.floors]\nRR = 0.8\n"))

    assert [(c.slice, c.value, c.outcome) for c in run.results[0].checks] == [
        ("language=en", 0.5, "fail"),
        ("language=zh", 1.0, "pass"),
    ]
    with rg.History(folder / "history.db") as h:
        entry = h[run.results[0].entry]
        assert entry.summary("RR", "language", "zh").value == 1.0  # type: ignore[union-attr]
        assert entry.labels["gate"] == "fail"


def test_one_that_missed_a_floor_is_a_baseline_all_the_same(written: Write) -> None:
    project = written(PROJECT + GATE.replace("RR = 0.4", "RR = 0.9"))
    first, second = (rg.run_project(project, at=f"2026-11-{day}").results[0] for day in ("02", "09"))

    assert (first.state, second.state, second.baseline) == ("fail", "fail", first.entry)
    assert second.notes == ()


RETRIEVER = """
def find(query):
    if "fail" in query:
        raise RuntimeError("down")
    return ["a", "b"]
"""


def test_a_live_retriever_is_asked_and_what_it_took_is_kept(written: Write, folder: Path) -> None:
    (folder / "ask.py").write_text(RETRIEVER)
    lines = "".join(f'{{"query_id": "{q}", "question": "where is {q}", "relevant": ["a"]}}\n' for q in QUERIES)
    (folder / "asked.jsonl").write_text(lines)
    text = (
        'measures = ["RR"]\n[datasets.live]\nquestions = "asked.jsonl"\n[systems.now]\nretriever = "ask:find"\nk = 5\n'
    )

    run = rg.run_project(written(text))

    assert [(x.measure, x.value) for x in run.results[0].numbers] == [("RR", 1.0)]
    with rg.History(folder / "history.db") as h:
        assert sorted(e.kind for e in h) == ["collected", "rankings"]


def test_a_retriever_that_answers_nothing_is_broken(written: Write, folder: Path) -> None:
    (folder / "ask.py").write_text(RETRIEVER)
    (folder / "asked.jsonl").write_text('{"query_id": "q", "question": "fail", "relevant": ["a"]}\n')
    text = '[datasets.live]\nquestions = "asked.jsonl"\n[systems.now]\nretriever = "ask.py:find"\n'

    run = rg.run_project(written(text))

    assert run.exit_code == 2
    assert run.results[0].decision == "the retriever answered none of 1 queries: RuntimeError: down"


def test_only_some_systems(written: Write) -> None:
    project = written(PROJECT + BROKEN)

    assert states(rg.run_project(project, only="search")) == {"search": "pass"}
    with pytest.raises(ParameterError, match=r"there is no system 'serch' in the project\. Did you mean search\?"):
        rg.run_project(project, only=["serch"])


def test_the_store_and_the_report_may_be_said_otherwise(written: Write, folder: Path) -> None:
    run = rg.run_project(written(PROJECT), store=folder / "other.db", report=folder / "page.html")

    assert (folder / "other.db").exists()
    assert not (folder / "history.db").exists()
    assert run.reports == (str(folder / "page.html"),)
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "search" in page
    assert "FINE: shop" in page


def test_of_several_datasets_each_has_a_page(written: Write, folder: Path) -> None:
    text = 'report = "report.html"\n' + PROJECT + '[datasets."a/b"]\nqrels = "qrels.txt"\n'

    run = rg.run_project(written(text))

    assert [Path(p).name for p in run.reports] == ["report.html", "report-july.html", "report-a_b.html"]
    assert all(Path(p).is_file() for p in run.reports)


def test_a_report_that_cannot_be_written_is_a_problem_of_its_own(written: Write, folder: Path) -> None:
    run = rg.run_project(written('report = "none/report.html"\n' + PROJECT))

    assert (run.exit_code, run.results[0].state) == (2, "pass")
    assert "the report could not be written" in run.problems[0]


def test_alerts_are_judged_with_what_was_just_measured(written: Write, folder: Path) -> None:
    project = written(PROJECT + '[[alerts.release]]\nmeasures = ["RR"]\n[[alerts.health]]\nmissing_queries = 0\n')
    first = rg.run_project(project, at="2026-11-02")
    (folder / "search.run").write_text(run_text(WORSE))
    second = rg.run_project(project, at="2026-11-09")

    assert (first.exit_code, second.exit_code) == (0, 1)
    (ringing,) = second.ringing
    assert ringing.entry == second.results[0].entry
    assert str(second.decision) == "ALERT: shop, 1 evaluation: 1 fine, 1 alert ringing"


def test_the_record_comes_back_as_it_was_stored(written: Write, folder: Path) -> None:
    project = written(PROJECT + BROKEN + GATE + '[[alerts.release]]\nmeasures = ["RR"]\n')
    rg.run_project(project, at="2026-11-02")
    (folder / "search.run").write_text(run_text(WORSE))
    run = rg.run_project(project, at="2026-11-09")

    back = rg.ProjectRun.from_dict(run.to_dict())

    assert back.to_dict() == run.to_dict()
    assert (str(back), back.exit_code, back.to_markdown()) == (str(run), run.exit_code, run.to_markdown())
    assert [list(c.worst) for c in back.results[0].checks] == [list(c.worst) for c in run.results[0].checks]


def test_what_is_shown_in_both_languages(written: Write, folder: Path) -> None:
    run = rg.run_project(written(PROJECT + BROKEN), store=folder / "h.db", at="2026-11-02")

    assert run.to_markdown(language="en").splitlines()[0] == "**BROKEN: shop, 2 evaluations: 1 broken, 1 fine**"
    assert run.to_markdown(language="zh").splitlines()[0] == "**输入有误：shop，2 次评测：1 次有误，1 次正常**"
    assert [row["state"] for row in run.csv_rows()] == ["pass", "broken"]


def test_a_missing_file_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"project file '.*rankgauge.toml' cannot be read: No such file or directory"):
        rg.run_project(tmp_path / "rankgauge.toml")


def test_the_numbers_are_those_of_evaluate(written: Write, folder: Path) -> None:
    (folder / "search.run").write_text(run_text({q: 1 + i % 4 for i, q in enumerate(QUERIES)}))
    mean = sum(1 / (1 + i % 4) for i in range(40)) / 40

    (number,) = rg.run_project(written(PROJECT)).results[0].numbers

    assert number.value == pytest.approx(mean, abs=1e-12)
    assert HALF  # the run of the fixture was replaced


SMALLER = {q: HALF[q] + (i % 10 == 0) for i, q in enumerate(QUERIES)}
"""Four queries lose 1/2, which is 0.05 in the mean and not settled."""


def test_a_loss_that_is_not_settled_does_not_become_the_baseline(written: Write, folder: Path) -> None:
    project = written(PROJECT + GATE)
    first = rg.run_project(project, at="2026-11-02")
    (folder / "search.run").write_text(run_text(SMALLER))
    second, third = (rg.run_project(project, at=f"2026-11-{day}") for day in ("09", "16"))

    assert [run.exit_code for run in (first, second, third)] == [0, 3, 3]
    assert third.results[0].baseline == first.results[0].entry


def test_a_hundred_regressions_do_not_become_the_baseline(
    written: Write, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rankgauge.project.baselines._PAGE", 2)
    project = written(PROJECT + GATE)
    first = rg.run_project(project, at="2026-11-02")
    (folder / "search.run").write_text(run_text(WORSE))
    runs = [rg.run_project(project, at=f"2026-11-{day:02}") for day in range(3, 9)]

    assert {run.results[0].baseline for run in runs} == {first.results[0].entry}


def test_an_entry_with_the_tag_baseline_is_the_acknowledged_one(written: Write, folder: Path) -> None:
    project = written(PROJECT + GATE.replace("previous", "acknowledged"))
    rg.run_project(project, at="2026-11-02")
    second = rg.run_project(project, at="2026-11-03").results[0].entry
    with rg.History(folder / "history.db") as h:
        h.tag(second, "baseline")

    assert rg.run_project(project, at="2026-11-09").results[0].baseline == second


def test_what_is_broken_counts_before_a_regression_wherever_it_is_found(written: Write, folder: Path) -> None:
    rules = '[[alerts.release]]\nmeasures = ["RR"]\n[[alerts.health]]\nmissing_queries = 0\n'
    project = written(PROJECT + rules)
    rg.run_project(project, at="2026-11-02")
    (folder / "search.run").write_text(run_text({q: r for q, r in WORSE.items() if q != "q00"}))

    run = rg.run_project(project, at="2026-11-09")

    assert {(a.kind, a.state) for a in run.ringing} == {("release", "alert"), ("health", "alert")}
    assert run.alerts is not None
    assert (run.alerts.exit_code, run.exit_code) == (2, 2)


def test_datasets_of_like_names_have_pages_of_their_own(written: Write, folder: Path) -> None:
    more = "".join(f'[datasets.{name}]\nqrels = "qrels.txt"\n' for name in ('"a b"', "a_b", '"A_b"'))

    run = rg.run_project(written(PROJECT + more), report=folder / "r.html", at="2026-11-02")

    assert len({name.casefold() for name in run.reports}) == len(run.reports) == 5
